//! A drain is given up before it hurts: before memory runs out, and where a cgroup has come to its limit
//! since the plan was checked.
//!
//! The kernel ends whoever drains when it does. But that listens between two processes only, and until
//! then the kernel may have gone on to others. So it is told to stop while there is memory for the
//! largest that can come in one go.

use super::{PACE, Runner};
use crate::columns::units::size;
use crate::derive::drain::{self, DrainTarget};
use crate::model::{Bytes, Name, Part, Snapshot};
use crate::sys::{HelperReport, RunningHelper, HelperTask};
use std::ops::ControlFlow;
use std::time::Duration;

/// How the reason begins why a drain is given up.
pub(super) const MEMORY_RUNS_OUT: &str = "memory is about to run out";

/// How often memory is looked at within a pace where it may come to its end.
const LOOKS: u32 = 10;

/// After how many paces it is asked anew whether other areas take what memory does not hold, and
/// whether a cgroup is at its limit.
const LATER: u32 = 10;

/// Looking takes at most one part of so many of the time.
const PART: f64 = 20.0;

/// The cgroups that a drain could hurt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CgroupWatch {
    /// Not looked at: some were at risk when it began, which was accepted by name, or it goes back.
    Accepted,
    /// None was at risk when it began; they are looked at again after so many paces.
    Clear(u32),
}

/// How a drain stands to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DrainRoom {
    /// Memory holds what is left, or nobody can see whether that fits.
    Fits,
    /// Other areas take what it does not hold; that is asked anew after so many paces.
    OnOtherAreas(u32),
    /// It does not fit, but the next of it does while there is so much memory.
    Tight(Bytes),
    /// There is less; the reason in words.
    Short(String),
}

impl DrainRoom {
    /// Is there memory for the next of it, as far as memory alone tells?
    fn holds(&self, seen: &Snapshot) -> bool {
        let Self::Tight(needs) = self else { return true };
        seen.memory("MemAvailable").known().is_none_or(|memory| memory >= needs)
    }
}

impl Runner<'_> {
    /// How it stands when so much is left on an area.
    pub(super) fn drain_room(&self, path: &Name, left: Bytes) -> DrainRoom {
        self.judge_room((path, left), &DrainRoom::Fits, &self.memory())
    }

    fn memory(&self) -> Snapshot {
        self.look.parts(&[Part::Meminfo])
    }

    /// While memory alone holds what is left, one small file tells; otherwise what the check before
    /// a plan says is asked anew, now and then while there is much memory beside what is kept.
    fn judge_room(&self, (path, left): (&Name, Bytes), last: &DrainRoom, seen: &Snapshot) -> DrainRoom {
        let memory = seen.memory("MemAvailable");
        let Some(&memory) = memory.known() else { return DrainRoom::Fits };
        if left <= memory {
            return DrainRoom::Fits;
        }
        let reserve = drain::reserve(seen).known().copied().unwrap_or(Bytes(0));
        if let DrainRoom::OnOtherAreas(paces @ 1..) = *last
            && memory >= reserve.saturating_add(reserve)
        {
            return DrainRoom::OnOtherAreas(paces - 1);
        }
        let areas = self.read_room();
        let drains = drain::drains(&areas, &[DrainTarget { path, comes_back: false }]);
        let Some([drain]) = drains.known().map(Vec::as_slice) else { return DrainRoom::Fits };
        // What the check refuses to promise stops nothing here.
        if !drain::zram_is_readable(&areas) {
            return DrainRoom::Fits;
        }
        if drain::without_cached(&areas, drain.moves) <= drain.room() {
            return DrainRoom::OnOtherAreas(LATER);
        }
        let owners = self.look.parts(&[Part::Processes, Part::Shm]);
        let next = drain::largest_uninterruptible(&owners, drain.moves);
        let needs = next.saturating_add(reserve);
        if memory >= needs {
            return DrainRoom::Tight(needs);
        }
        let (moves, room) = (size(drain.moves), size(drain.room()));
        let [next, reserve] = [next, reserve].map(size);
        DrainRoom::Short(format!(
            "{MEMORY_RUNS_OUT}: {moves} are left on {}, with room for {room}; up to {next} come in one go, and {reserve} are kept: add swap elsewhere, or end what uses it",
            path.safe()
        ))
    }

    /// What there is for it. zram is asked only where an area is on it.
    fn read_room(&self) -> Snapshot {
        let mut parts = vec![Part::Swaps, Part::Meminfo];
        if self.areas().is_ok_and(|areas| areas.iter().any(drain::is_zram)) {
            parts.push(Part::Zram);
        }
        self.look.parts(&parts)
    }

    /// Wait for a report for a pace, or until memory comes to its end; otherwise says what is left, if
    /// the area is still on.
    pub(super) fn wait(
        &self,
        work: &HelperTask,
        running: &mut dyn RunningHelper,
        outlook: &mut DrainRoom,
        last: Bytes,
    ) -> ControlFlow<HelperReport, Option<Bytes>> {
        let looks = if matches!(outlook, DrainRoom::Tight(_)) { LOOKS } else { 1 };
        let mut left = None;
        for look in 1..=looks {
            if let Some(report) = running.wait(PACE / looks) {
                return ControlFlow::Break(report);
            }
            let seen = self.memory();
            // All the rest changes slowly, and costs more.
            if look < looks && outlook.holds(&seen) {
                continue;
            }
            left = self.bytes_left(work, last);
            // Told once to stop, it stops.
            if !matches!(outlook, DrainRoom::Short(_)) {
                let judged = |left| self.judge_room((work.path(), left), outlook, &seen);
                *outlook = left.map_or(DrainRoom::Fits, judged);
            }
            if matches!(outlook, DrainRoom::Short(_)) {
                break;
            }
        }
        ControlFlow::Continue(left)
    }

    /// Looks at them before a drain begins.
    pub(super) fn watch_cgroups(&self, path: &Name, back: bool) -> CgroupWatch {
        if back || self.cgroup_at_risk(path).is_some() {
            CgroupWatch::Accepted
        } else {
            CgroupWatch::Clear(LATER)
        }
    }

    /// Says why a drain is given up for the sake of a cgroup that was not at risk when it began.
    pub(super) fn newly_at_risk(&self, path: &Name, watch: &mut CgroupWatch) -> Option<String> {
        let CgroupWatch::Clear(paces) = watch else { return None };
        if let left @ 1.. = paces.saturating_sub(1) {
            *paces = left;
            return None;
        }
        let begun = self.clock.now();
        let risk = self.cgroup_at_risk(path);
        // Thousands of cgroups take a while.
        let rest = self.clock.now().seconds_since(begun) * PART;
        let rest = Duration::try_from_secs_f64(rest).unwrap_or_default();
        let rest = u32::try_from(rest.as_millis() / PACE.as_millis()).unwrap_or(u32::MAX);
        *paces = LATER.max(rest);
        risk
    }

    fn cgroup_at_risk(&self, path: &Name) -> Option<String> {
        let seen = self.look.parts(&[Part::Swaps, Part::Meminfo, Part::Cgroups]);
        let drains = drain::drains(&seen, &[DrainTarget { path, comes_back: false }]);
        let drain = *drains.known()?.first().filter(|drain| drain.moves > Bytes(0))?;
        let over = drain::over_limits(&seen, &[drain], drain.moves);
        let over = over.known().filter(|over| !over.goes_on)?;
        let (cgroup, bytes) = over.groups.first()?;
        let (name, bytes) = (cgroup.path.safe(), size(*bytes));
        Some(format!(
            "cgroup {name} has come to its limit: {bytes} more would return to it than it may keep, and the kernel would kill processes there. Raise its limit, add swap elsewhere, or accept that with --force cgroup"
        ))
    }
}
