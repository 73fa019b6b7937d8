//! What the kernel counts of groups, brought up to date.
//!
//! Kernel: `inactive_is_low` and `shrink_lruvec` in `mm/vmscan.c`, `mem_cgroup_flush_stats` in
//! `mm/memcontrol.c`. Without generations (`lru_gen`) reclaim takes pages off the inactive list of a
//! group, and fills that from the active one where it is short by a count that is up to date every
//! two seconds only. A small group that is busy uses all of it up before: then reclaim finds nothing
//! sixteen times within half a millisecond, and the kernel kills for want of memory, with all of it
//! in use and swap free. It counts anew for whoever reads `memory.stat`; at the first group of all
//! that is every group.

use super::group::Group;
use super::place::Hierarchy;
use crate::clock::Clock;
use crate::root::Root;
use std::path::PathBuf;

/// How often, in nanoseconds.
const EVERY: u64 = 20_000_000;
/// So many times what it took last passes until the next, whatever that makes: where there are
/// thousands of groups, the machine does not suffer.
const SHARE: u64 = 20;

/// Has the kernel count a group anew, now and then.
#[derive(Debug)]
pub struct Fresh {
    root: Root,
    stat: PathBuf,
    /// Not before this time.
    due: u64,
}

impl Fresh {
    /// Every group of the machine; none where nothing limits memory.
    #[must_use]
    pub fn everywhere(root: &Root) -> Option<Self> {
        let first = Hierarchy::find(root).ok()?.places().swap_remove(0);
        Some(Self { root: root.clone(), stat: first.join(STAT), due: 0 })
    }

    /// This group, and those in it.
    pub(super) fn of(group: &Group) -> Self {
        Self { root: group.root.clone(), stat: group.folder.join(STAT), due: 0 }
    }

    /// Do it, where that is due. What cannot be read is as it was before.
    pub fn see(&mut self, clock: &Clock) {
        let begun = clock.nanos();
        if begun < self.due {
            return;
        }
        let _ = self.root.read(&self.stat);
        let now = clock.nanos();
        let pause = now.saturating_sub(begun).saturating_mul(SHARE).max(EVERY);
        self.due = now.saturating_add(pause);
    }
}

const STAT: &str = "memory.stat";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Stamp;
    use crate::root::{Trace, Traced};
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn it_is_counted_anew_where_that_is_due() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(STAT), "anon 1\n").unwrap();
        let trace = Arc::new(Trace::default());
        let root = Root::at(folder.path()).unwrap().traced(Arc::clone(&trace));
        let clock = Clock::at(Stamp { boot_ns: 7, wall_ms: 0 });
        let mut fresh = Fresh { root, stat: STAT.into(), due: 0 };
        let mut read = |after: u64| {
            clock.sleep(Duration::from_nanos(after));
            fresh.see(&clock);
            trace.take().get(std::path::Path::new(STAT)).cloned()
        };
        let counted = Some(Traced::Bytes(b"anon 1\n".to_vec()));
        assert_eq!(read(0), counted);
        assert_eq!(read(EVERY - 1), None);
        assert_eq!(read(1), counted);
    }
}
