//! What the kernel does with areas that were switched on without a priority.

use super::selection::policy;
use crate::model::{Reading, Snapshot};

pub use crate::model::kernel::Order as Defaults;

/// By what the kernel says of itself; where it says nothing, by its release.
pub fn of(snapshot: &Snapshot) -> Reading<Defaults> {
    policy::order(snapshot).map(|(order, _)| order)
}

/// The first two numbers of the kernel's release.
pub fn release(snapshot: &Snapshot) -> Reading<(u32, u32)> {
    let release = snapshot.kernel.reading.as_ref().and_then(|kernel| kernel.release.clone());
    release.and_then(|release| match version(&release) {
        Some(version) => Reading::Known(version),
        None => Reading::failed("the kernel's release is no number"),
    })
}

/// The first two numbers of a release.
pub(super) fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
pub(crate) mod testing {
    use crate::model::kernel::Kernel;
    use crate::model::{Reading, Sampled};

    /// A kernel of this release.
    pub(crate) fn kernel(release: &str) -> Sampled<Kernel> {
        let kernel = Kernel {
            release: Reading::Known(release.to_owned()),
            hostname: Reading::not_sampled(),
            cpus: Reading::not_sampled(),
            uptime_s: Reading::not_sampled(),
        };
        Sampled::new(None, Reading::Known(kernel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    #[test]
    fn what_is_shown_tells_and_else_the_release() {
        let of = |priority: i32, release: &str| {
            let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
            let areas = vec![area("/a", 5, 9, 0), area("/b", priority, 9, 0)];
            snapshot.swaps = Sampled::new(None, Reading::Known(areas));
            snapshot.kernel = testing::kernel(release);
            super::of(&snapshot).known().copied()
        };
        let (by_node, alike) = (Some(Defaults::ByNode), Some(Defaults::Alike));
        assert_eq!([of(-2, "7.2.1"), of(-1, "6.1.0")], [by_node, alike], "backports count");
        assert_eq!([of(3, "6.18.44-fc"), of(3, "5.10")], [by_node, by_node]);
        assert_eq!([of(3, "7.2.13+deb14"), of(3, "6.19.0")], [alike, alike]);
        assert_eq!([of(3, ""), of(3, "x.y"), of(3, "6"), of(3, "99999999999.1")], [None; 4]);
    }
}
