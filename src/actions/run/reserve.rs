//! A drain that does not fit is given up before memory runs out.
//!
//! The kernel ends whoever drains when it does. But that listens between two processes only, and until
//! then the kernel may have gone on to others. So it is told to stop while there is memory for the
//! largest that can come in one go.

use super::{PACE, Runner};
use crate::columns::units::size;
use crate::derive::drain::{self, Leaving};
use crate::model::{Bytes, Name, Part, Snapshot};
use crate::sys::{Report, Running, Work};
use std::ops::ControlFlow;

/// How the reason begins why a drain is given up.
pub(super) const SPENT: &str = "memory is about to run out";

/// How often memory is looked at within a pace where it may come to its end.
const LOOKS: u32 = 10;

/// After how many paces it is asked anew whether other areas take what memory does not hold.
const LATER: u32 = 10;

/// How a drain stands to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// Memory holds what is left, or nobody can see whether that fits.
    Fits,
    /// Other areas take what it does not hold; that is asked anew after so many paces.
    Elsewhere(u32),
    /// It does not fit, but the next of it does while there is so much memory.
    Tight(Bytes),
    /// There is less; the reason in words.
    Short(String),
}

impl Outlook {
    /// Is there memory for the next of it, as far as memory alone tells?
    fn holds(&self, seen: &Snapshot) -> bool {
        let Self::Tight(needs) = self else { return true };
        seen.memory("MemAvailable").known().is_none_or(|memory| memory >= needs)
    }
}

impl Runner<'_> {
    /// How it stands when so much is left on an area.
    pub(super) fn outlook(&self, path: &Name, left: Bytes) -> Outlook {
        self.judged((path, left), &Outlook::Fits, &self.memory())
    }

    fn memory(&self) -> Snapshot {
        self.look.parts(&[Part::Meminfo])
    }

    /// While memory alone holds what is left, one small file tells; otherwise what the check before
    /// a plan says is asked anew, now and then while there is much memory beside what is kept.
    fn judged(&self, (path, left): (&Name, Bytes), last: &Outlook, seen: &Snapshot) -> Outlook {
        let memory = seen.memory("MemAvailable");
        let Some(&memory) = memory.known() else { return Outlook::Fits };
        if left <= memory {
            return Outlook::Fits;
        }
        let reserve = drain::reserve(seen).known().copied().unwrap_or(Bytes(0));
        if let Outlook::Elsewhere(paces @ 1..) = *last
            && memory >= reserve.saturating_add(reserve)
        {
            return Outlook::Elsewhere(paces - 1);
        }
        let areas = self.room();
        let drains = drain::drains(&areas, &[Leaving { path, comes_back: false }]);
        let Some([drain]) = drains.known().map(Vec::as_slice) else { return Outlook::Fits };
        // What the check refuses to promise stops nothing here.
        if !drain::zram_answers(&areas) {
            return Outlook::Fits;
        }
        if drain::less_cached(&areas, drain.moves) <= drain.room() {
            return Outlook::Elsewhere(LATER);
        }
        let owners = self.look.parts(&[Part::Processes, Part::Shm]);
        let next = drain::at_once(&owners, drain.moves);
        let needs = next.saturating_add(reserve);
        if memory >= needs {
            return Outlook::Tight(needs);
        }
        let (moves, room) = (size(drain.moves), size(drain.room()));
        let [next, reserve] = [next, reserve].map(size);
        Outlook::Short(format!(
            "{SPENT}: {moves} are left on {}, with room for {room}; up to {next} come in one go, and {reserve} are kept: add swap elsewhere, or end what uses it",
            path.safe()
        ))
    }

    /// What there is for it. zram is asked only where an area is on it.
    fn room(&self) -> Snapshot {
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
        work: &Work,
        running: &mut dyn Running,
        outlook: &mut Outlook,
        last: Bytes,
    ) -> ControlFlow<Report, Option<Bytes>> {
        let looks = if matches!(outlook, Outlook::Tight(_)) { LOOKS } else { 1 };
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
            left = self.left_on(work, last);
            // Told once to stop, it stops.
            if !matches!(outlook, Outlook::Short(_)) {
                let judged = |left| self.judged((work.path(), left), outlook, &seen);
                *outlook = left.map_or(Outlook::Fits, judged);
            }
            if matches!(outlook, Outlook::Short(_)) {
                break;
            }
        }
        ControlFlow::Continue(left)
    }
}
