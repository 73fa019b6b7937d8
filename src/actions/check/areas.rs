//! Checks the maximum number of areas, beyond which swapon fails with EPERM; and whether the device
//! of an area survives its swapoff, and can be read.
//!
//! Kernel: `MAX_SWAPFILES` of `include/linux/swap.h` is 32, less the numbers reserved for other
//! purposes: some always, some depending on the configuration.

use super::{Check, CheckVerdict};
use crate::actions::plan::Plan;
use crate::actions::shell_quoted;
use crate::model::kernel::Release;
use crate::model::{Name, Reading, Snapshot};

/// Maximum number of areas: `sure` with all reserved numbers configured, `ever` with as few as
/// possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AreaLimits {
    sure: usize,
    ever: usize,
}

impl AreaLimits {
    fn for_release(release: Option<Release>) -> Self {
        match release {
            Some(release) if release <= Release(5, 10) => Self { sure: 27, ever: 32 },
            Some(release) if release < Release(6, 12) => Self { sure: 22, ever: 31 },
            Some(release) if release < Release(7, 0) => Self { sure: 23, ever: 31 },
            Some(_) => Self { sure: 24, ever: 31 },
            None => Self { sure: 22, ever: 32 },
        }
    }
}

/// Checks a plan that enables more areas.
pub(super) fn check(plan: &Plan, snapshot: &Snapshot) -> Option<Check> {
    let active = snapshot.swaps.reading.known()?.len();
    let reached = highest(plan, active);
    let most = AreaLimits::for_release(snapshot.release().known().copied());
    if reached <= active || reached <= most.sure {
        return None;
    }
    let so_many = format!("{active} areas are active; this would make {reached}");
    let next = "disable one first (swapadm off), or enlarge one instead";
    if reached <= most.ever {
        let AreaLimits { sure, ever } = most;
        let text = format!(
            "{so_many}. This kernel takes at most {sure} to {ever}, depending on its configuration, and may refuse. If it does, {next}"
        );
        return Some(Check::warn("areas", text));
    }
    let text = format!("{so_many}, but this kernel takes at most {}: {next}", most.ever);
    // With independent steps, the areas that fit are still enabled.
    let verdict = if plan.independent { CheckVerdict::Warn } else { CheckVerdict::Refuse };
    Some(Check::new("areas", verdict, text))
}

/// Refuses to disable and enable an area whose loop device disappears in between; warns where the
/// area is only disabled.
pub(super) fn autoclear(plan: &Plan, vanishing: &[(Name, Reading<Name>)]) -> Vec<Check> {
    let check = |(path, file): &(Name, Reading<Name>)| {
        let name = path.safe();
        let file = file.known().map_or_else(|| "its file".to_owned(), Name::safe);
        let why = format!(
            "{name} is a loop device with autoclear (losetup -d was called while it was in use): when it is disabled, the kernel detaches it from {file}"
        );
        let anew = "attach the file again (losetup --find --show FILE), and run swapadm on with the device that losetup prints";
        if plan.reenabled_areas().any(|comes| comes == path) {
            let off = shell_quoted(path);
            let text =
                format!("{why}, and it cannot be enabled again. Run swapadm off {off}, {anew}");
            return Check::refuse("autoclear", text);
        }
        let text = format!(
            "{why}: the device disappears, and undo cannot bring it back. To use it again, {anew}"
        );
        Check::warn("autoclear", text)
    };
    vanishing.iter().map(check).collect()
}

/// The risk of losing pages that cannot be read.
pub const READS: &str = "reads";

/// Refuses to disable an area with data of which reads have failed.
pub(super) fn failed_reads(path: &Name, reads: u64) -> Check {
    let name = path.safe();
    let text = format!(
        "{} since it was enabled (kernel log): when {name} is disabled, pages that cannot be read are lost, and the kernel kills the processes that use them. Repair the device or its connection first, or accept with --force reads",
        count_failed_reads(path, reads)
    );
    Check::refuse(READS, text)
}

fn count_failed_reads(path: &Name, reads: u64) -> String {
    let noun = if reads == 1 { "read" } else { "reads" };
    format!("{reads} {noun} of {} or of another area on its disk failed", path.safe())
}

/// Says that pages were lost because they could not be read, without a final period.
pub fn failed_reads_text(path: &Name, reads: u64) -> String {
    format!(
        "{}, or more: those pages are lost, and the kernel kills the processes that use them (SIGBUS)",
        count_failed_reads(path, reads)
    )
}

/// The largest number of simultaneously active areas during the plan.
fn highest(plan: &Plan, active: usize) -> usize {
    let mut on = active;
    let mut most = active;
    for step in &plan.steps {
        on = on.saturating_sub(usize::from(step.disabled_area().is_some()));
        on += usize::from(step.enabled_area().is_some());
        most = most.max(on);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::Step;
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::kernel::Kernel;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    fn activation(path: &str) -> Activation {
        let path = Name::from(path);
        Activation { path, priority: Priority::Default, discard: Discard::None }
    }

    fn on(path: &str) -> Step {
        Step::On { area: activation(path) }
    }

    fn off(path: &str) -> Step {
        Step::Off { area: activation(path) }
    }

    /// The verdict with this many active areas.
    fn verdict_for(
        active: usize,
        release: &str,
        steps: Vec<Step>,
        apart: bool,
    ) -> Option<CheckVerdict> {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = (0..active).map(|number| area(&format!("/a{number}"), -2, 4096, 0)).collect();
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let kernel = Kernel {
            release: Reading::Known(release.to_owned()),
            hostname: Reading::absent("none"),
            cpus: Reading::absent("none"),
            uptime_s: Reading::absent("none"),
            swap_tiers: Reading::not_sampled(),
        };
        snapshot.kernel = Sampled::new(None, Reading::Known(kernel));
        let plan = Plan { steps, independent: apart, ..Plan::without_steps(String::new()) };
        check(&plan, &snapshot).map(|check| check.verdict)
    }

    #[test]
    fn last_areas_warn_and_excess_is_refused() {
        let (warn, refuse) = (Some(CheckVerdict::Warn), Some(CheckVerdict::Refuse));
        let cases = [
            ("5.10.0-34-amd64", 27, 32),
            ("6.1.0-49-amd64", 22, 31),
            ("6.12.30", 23, 31),
            ("6.18.5", 23, 31),
            ("7.2.1", 24, 31),
        ];
        for (release, sure, ever) in cases {
            let said = |active| verdict_for(active, release, vec![on("/x")], false);
            assert_eq!([said(0), said(sure - 1)], [None, None], "{release}");
            assert_eq!([said(sure), said(ever - 1)], [warn, warn], "{release}");
            assert_eq!([said(ever), said(ever + 1)], [refuse, refuse], "{release}");
        }
    }

    #[test]
    fn only_simultaneously_active_areas_count() {
        let steps = |steps: &[Step]| verdict_for(31, "6.18.5", steps.to_vec(), false);
        assert_eq!(steps(&[off("/a0"), on("/x")]), None, "its place is taken");
        assert_eq!(steps(&[on("/x"), off("/a0")]), Some(CheckVerdict::Refuse));
        assert_eq!(steps(&[off("/a0"), off("/a1")]), None);
        let renew = Step::Renew { from: activation("/a0"), to: activation("/a0") };
        assert_eq!(steps(&[renew]), None);
    }

    #[test]
    fn independent_areas_are_not_refused_for_the_last_one() {
        let two = || vec![on("/x"), on("/y")];
        assert_eq!(verdict_for(30, "6.18.5", two(), false), Some(CheckVerdict::Refuse));
        assert_eq!(verdict_for(30, "6.18.5", two(), true), Some(CheckVerdict::Warn));
    }
}
