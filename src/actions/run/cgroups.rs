//! Looks again during a drain whether it would hurt a cgroup: one may have come to its limit since the
//! plan was checked.

use super::{PACE, Runner};
use crate::columns::units::size;
use crate::derive::drain::{self, Leaving};
use crate::model::{Bytes, Name, Part};
use std::time::Duration;

/// After how many paces cgroups are looked at again.
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

impl Runner<'_> {
    /// Looks at them before a drain begins.
    pub(super) fn watch_cgroups(&self, path: &Name, back: bool) -> CgroupWatch {
        if back || self.at_risk(path).is_some() {
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
        let risk = self.at_risk(path);
        // Thousands of cgroups take a while.
        let rest = self.clock.now().seconds_since(begun) * PART;
        let rest = Duration::try_from_secs_f64(rest).unwrap_or_default();
        let rest = u32::try_from(rest.as_millis() / PACE.as_millis()).unwrap_or(u32::MAX);
        *paces = LATER.max(rest);
        risk
    }

    fn at_risk(&self, path: &Name) -> Option<String> {
        let seen = self.look.parts(&[Part::Swaps, Part::Meminfo, Part::Cgroups]);
        let drains = drain::drains(&seen, &[Leaving { path, comes_back: false }]);
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
