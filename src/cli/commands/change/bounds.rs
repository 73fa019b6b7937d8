//! Whether limits on the memory pressure of a change can be kept on this machine.

use crate::actions::limits::Limits;
use crate::probes;
use crate::root::Root;

/// Why limits cannot be kept here, if that is so.
pub(super) fn hindrance(limits: Limits, root: &Root) -> Option<String> {
    limits.max_psi.or(limits.pace)?;
    let memory = probes::psi::pressure(root, "proc/pressure/memory");
    let full = memory.and_then(|memory| memory.full);
    full.missing().map(|missing| format!("cannot be kept: {}", missing.why()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::Tree;
    use std::time::Duration;

    #[test]
    fn where_nobody_tells_of_waits_no_limit_on_them_is_kept() {
        let tree = Tree::new();
        let root = tree.root();
        let limits = Limits { timeout: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(hindrance(limits, &root), None);
        let waits = Limits { max_psi: Some(5.0), ..Limits::default() };
        let pace = Limits { pace: Some(5.0), ..Limits::default() };
        for limits in [waits, pace] {
            assert!(hindrance(limits, &root).unwrap().starts_with("cannot be kept: "));
        }
    }
}
