//! Stops a drain before it does harm: before memory runs out, or when a cgroup has reached its
//! limit since the plan was checked.
//!
//! The OOM killer picks the draining process first. But swapoff notices signals only between two
//! processes, and until then the kernel may have killed others. So the drain is stopped while
//! memory has room for the largest process that can come at once.

use super::{FailureKind, PACE, Progress, Runner, StepFailure};
use crate::actions::check::why_kills;
use crate::columns::units::size;
use crate::derive::cgroups;
use crate::derive::drain::{self, DrainTarget};
use crate::model::users::OOM_KILL;
use crate::model::{Bytes, Name, Part, Snapshot};
use crate::sys::{HelperReport, HelperTask, RunningHelper};
use std::ops::ControlFlow;

/// Beginning of the reason why a drain is stopped.
pub(super) const MEMORY_RUNS_OUT: &str = "memory is about to run out";

/// Why a drain is stopped when the kernel kills.
const KERNEL_KILLS: &str = "the kernel kills processes for lack of memory while pages return. Stopped: free memory, raise the limit of their cgroup or add swap, then run the command again, or accept kills with --force cgroup";

/// How often memory is read per interval when it is tight.
const LOOKS: u32 = 10;

/// Number of intervals after which other areas and cgroup limits are checked again.
const LATER: u32 = 10;

/// Reading takes at most one part in this many of the time.
const PART: f64 = 20.0;

/// The cgroups that a drain could hurt, none of which was at risk when it began.
#[derive(Debug)]
pub(super) struct CgroupWatch {
    /// Checked again after this many intervals.
    intervals: u32,
    /// Processes that the kernel had killed on this machine at the last look, if known.
    kills: Option<u64>,
    /// The cgroups then.
    cgroups: Snapshot,
}

/// Whether the rest of a drain has room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DrainRoom {
    /// Memory has room for the rest, or this cannot be read.
    Fits,
    /// Other areas take what memory cannot hold; checked again after this many intervals.
    OnOtherAreas(u32),
    /// No room for everything, but for the next part while this much memory is available.
    Tight(Bytes),
    /// Too little memory, with the reason.
    Short(String),
}

impl DrainRoom {
    /// Is there memory for the next part, judged by memory alone?
    fn holds(&self, seen: &Snapshot) -> bool {
        let Self::Tight(needs) = self else { return true };
        seen.memory("MemAvailable").known().is_none_or(|memory| memory >= needs)
    }
}

impl Runner<'_> {
    /// The room for a drain with this much left on the area.
    pub(super) fn drain_room(&self, path: &Name, left: Bytes) -> DrainRoom {
        self.judge_room((path, left), &DrainRoom::Fits, &self.memory())
    }

    fn memory(&self) -> Snapshot {
        self.look.parts(&[Part::Meminfo])
    }

    /// While memory alone holds the rest, one small file is enough; otherwise the check of the plan
    /// is repeated, less often while much more memory is available than reserved.
    fn judge_room(
        &self,
        (path, left): (&Name, Bytes),
        last: &DrainRoom,
        seen: &Snapshot,
    ) -> DrainRoom {
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
        let drains =
            drain::drains(&areas, &[DrainTarget { path, comes_back: false, added: Bytes(0) }]);
        let Some([drain]) = drains.known().map(Vec::as_slice) else { return DrainRoom::Fits };
        // A refusal for lack of figures does not stop a running drain.
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
            "{MEMORY_RUNS_OUT}: {moves} are still on {}, but memory has room for only {room} (up to {next} arrive at once, {reserve} stay reserved). Free memory or add swap, then run the command again",
            path.safe()
        ))
    }

    /// Reads what the room depends on. zram is read only if an area is on it.
    fn read_room(&self) -> Snapshot {
        let mut parts = vec![Part::Swaps, Part::Meminfo];
        if self.areas().is_ok_and(|areas| areas.iter().any(drain::is_zram)) {
            parts.push(Part::Zram);
        }
        self.look.parts(&parts)
    }

    /// Waits for a report for one interval, or until memory is short; otherwise returns what is
    /// left if the area is still active.
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
            // The rest changes slowly, and costs more to read.
            if look < looks && outlook.holds(&seen) {
                continue;
            }
            left = self.bytes_left(work, last);
            // One stop request is final.
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

    /// Reads the cgroups before a drain begins, which fails if one is at risk: an area that stays is better than
    /// processes that are killed, also where a step is undone. None are watched if risks were accepted by name.
    pub(super) fn watch_cgroups(
        &mut self,
        path: &Name,
        progress: &Progress,
    ) -> Result<Option<CgroupWatch>, StepFailure> {
        if self.limits.may_kill {
            return Ok(None);
        }
        let mut cgroups = self.read_cgroups();
        // A step that is undone waits a moment for room, rather than leave the area.
        let mut looks = if progress.is_undo { LATER } else { 0 };
        while let Some(why) = cgroup_at_risk(path, &cgroups) {
            if looks == 0 {
                return Err(FailureKind::MemoryShort.because(why));
            }
            looks -= 1;
            if let ControlFlow::Break(reason) = self.report(*progress) {
                return Err(reason.into());
            }
            self.clock.sleep(PACE);
            cgroups = self.read_cgroups();
        }
        Ok(Some(CgroupWatch { intervals: LATER, kills: self.oom_kills(), cgroups }))
    }

    fn read_cgroups(&self) -> Snapshot {
        self.look.parts(&[Part::Swaps, Part::Meminfo, Part::Cgroups, Part::Knobs])
    }

    /// Processes that the kernel has killed for lack of memory since boot.
    fn oom_kills(&self) -> Option<u64> {
        self.look.parts(&[Part::Vmstat]).counter(OOM_KILL).known().copied()
    }

    /// Why a drain must stop because of a cgroup that was not at risk when it began, or because the kernel kills.
    pub(super) fn newly_at_risk(&self, path: &Name, watch: &mut CgroupWatch) -> Option<String> {
        // Read before the cgroups, which then have counted all of these kills.
        let kills = self.oom_kills();
        let more = watch.kills.zip(kills).map_or(0, |(before, now)| now.saturating_sub(before));
        watch.intervals = watch.intervals.saturating_sub(1);
        if more == 0 && watch.intervals > 0 {
            return None;
        }
        let begun = self.clock.monotonic();
        let now = self.read_cgroups();
        if !cgroups::all_killed_without_swap(&watch.cgroups, &now, more) {
            return Some(format!("{KERNEL_KILLS}. What was not moved is still on {}", path.safe()));
        }
        let risk = cgroup_at_risk(path, &now);
        (watch.kills, watch.cgroups) = (kills, now);
        // Thousands of cgroups take a while to read.
        let rest = self.time_since(begun).mul_f64(PART);
        let rest = u32::try_from(rest.as_millis() / PACE.as_millis()).unwrap_or(u32::MAX);
        watch.intervals = LATER.max(rest);
        risk
    }
}

/// Why the drain of an area is too much for the limit of a cgroup, if so.
fn cgroup_at_risk(path: &Name, seen: &Snapshot) -> Option<String> {
    let drains = drain::drains(seen, &[DrainTarget { path, comes_back: false, added: Bytes(0) }]);
    let drain = *drains.known()?.first().filter(|drain| drain.moves > Bytes(0))?;
    let over = drain::over_limits(seen, &[drain]);
    let over = over.known().filter(|over| !over.goes_on())?;
    let (cgroup, bytes) = over.groups.first()?;
    let (name, bytes) = (cgroup.path.safe(), size(*bytes));
    Some(format!("cgroup {name} would exceed its limit by {bytes}: {}", why_kills(over)))
}
