//! Plans for zram devices.

use super::Plan;
use crate::actions::{Step, step};
use crate::columns::units;
use crate::model::activation::Activation;
use crate::model::format::Format;
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramSettings;
use crate::model::{Name, zram};

/// The file that creates a device when it is read, which only `sys` does.
pub const MAKER: &str = "sys/class/zram-control/hot_add";

/// The swap on a device that is set up again.
#[derive(Clone, Debug, PartialEq)]
pub struct SwapOnZram {
    /// How the area is active, if it is.
    pub on: Option<Activation>,
    /// The present header.
    pub was: Format,
    /// The new header.
    pub format: Format,
}

/// Plans to create a device.
pub fn make_zram(areas: &[SwapArea], number: u64, to: ZramSettings) -> Plan {
    let title = format!("create zram{number}");
    Plan::on_areas(areas, title, vec![Step::zram(number, None, Some(to))])
}

/// Plans to create a device, or to set up one (`from`) that is not set up, to format it and enable swap on it.
pub fn swap_on_zram(
    areas: &[SwapArea],
    (number, from, to): (u64, Option<ZramSettings>, ZramSettings),
    format: Format,
    on: Activation,
) -> Plan {
    let title = format!("swap on zram{number} of {}", units::bytes(to.size.0 as f64));
    let size = to.size;
    let all = vec![
        Step::zram(number, from, Some(to)),
        Step::format_new(on.path.clone(), size, format),
        Step::On { area: on },
    ];
    Plan::on_areas(areas, title, all)
}

/// Plans to change the setup of a device. Swap on it is disabled and comes back with the same
/// priority, label and UUID. The old header is wiped before the reset, so that undo finds each step
/// as it left it.
pub fn change_zram(
    areas: &[SwapArea],
    (number, what): (u64, &str),
    (from, to): (ZramSettings, ZramSettings),
    swap: Option<SwapOnZram>,
) -> Plan {
    let title = format!("set {what} of zram{number}");
    if to.matches_shown(&from) {
        return Plan::on_areas(areas, title, Vec::new());
    }
    let (old, new, alike) = (from.size, to.size, from.eq_except_limit(&to));
    let change = Step::zram(number, Some(from), Some(to));
    let Some(swap) = swap.filter(|_| !alike) else {
        return Plan::on_areas(areas, title, vec![change]);
    };
    let path = zram::device_path(number);
    let off = swap.on.iter().map(|area| Step::Off { area: area.clone() });
    let mut all: Vec<Step> = off.collect();
    let was = swap.was.patch_over_zeros();
    all.push(Step::Header { path: path.clone(), size: old, format: swap.was, was, back: true });
    all.push(change);
    all.push(Step::format_new(path, new, swap.format));
    all.extend(swap.on.map(|area| Step::On { area }));
    Plan::on_areas(areas, title, all)
}

/// A sysfs file of a device.
pub fn device_file(number: u64, file: &str) -> Name {
    step::zram::attribute_file(number, file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::journal::{Event, PlanEnd, Record};
    use crate::actions::plan::{plan_recovery, undo};
    use crate::actions::testing::FixedView;
    use crate::model::Bytes;
    use crate::model::activation::{Discard, Priority};
    use crate::model::format::Uuid;
    use crate::model::swaparea::testing;

    const SIZE: u64 = 1 << 20;

    fn disk(size: u64) -> ZramSettings {
        ZramSettings { size: Bytes(size), algorithm: Some("lz4".into()), ..ZramSettings::default() }
    }

    fn format(size: u64) -> Format {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        Format::new(Bytes(size), 4096, uuid, Some("x".into())).unwrap()
    }

    fn on() -> Activation {
        let priority = Priority::Set(7);
        Activation { path: "/dev/zram1".into(), priority, discard: Discard::None }
    }

    fn resize_plan(on: Option<Activation>) -> Plan {
        let swap = SwapOnZram { on, was: format(SIZE), format: format(2 * SIZE) };
        change_zram(&[], (1, "size"), (disk(SIZE), disk(2 * SIZE)), Some(swap))
    }

    fn make_plan() -> Plan {
        swap_on_zram(&[], (1, None, disk(SIZE)), format(SIZE), on())
    }

    fn kinds(steps: &[Step]) -> Vec<&'static str> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "no other is expected")]
        let kind = |step: &Step| match step {
            Step::On { .. } => "on",
            Step::Off { .. } => "off",
            Step::Zram { .. } => "zram",
            Step::Header { back, .. } => {
                if *back {
                    "wipe"
                } else {
                    "format"
                }
            }
            _ => panic!("{step:?}"),
        };
        steps.iter().map(kind).collect()
    }

    /// A machine with such a device, formatted or not, active or not.
    fn look(disk: Option<ZramSettings>, page: Option<Vec<u8>>, active: bool) -> FixedView {
        let contents = page.map(|page| ("/dev/zram1".into(), page)).into_iter().collect();
        let area = testing::area("/dev/zram1", 7, SIZE, 0);
        FixedView {
            areas: active.then_some(area).into_iter().collect(),
            disks: disk.map(|disk| (1, disk)).into_iter().collect(),
            contents,
            ..FixedView::default()
        }
    }

    fn record(plan: Plan, made: usize, more: Vec<Event>) -> Record {
        let happened = (0..made).flat_map(|step| {
            let made = Event::Made { step, back: false, moved: 0, seconds: 0.0 };
            [Event::Try { step, back: false }, made]
        });
        Record {
            plan: 1,
            boot: "now".to_owned(),
            title: plan.title,
            steps: plan.steps,
            purpose: plan.purpose,
            events: happened.chain(more).collect(),
            ..Record::default()
        }
    }

    #[test]
    fn swap_is_disabled_before_reset_and_enabled_after() {
        assert_eq!(kinds(&resize_plan(Some(on())).steps), ["off", "wipe", "zram", "format", "on"]);
        assert_eq!(kinds(&resize_plan(None).steps), ["wipe", "zram", "format"]);
        let none = change_zram(&[], (1, "size"), (disk(SIZE), disk(2 * SIZE)), None);
        assert_eq!(kinds(&none.steps), ["zram"]);
        let same = change_zram(&[], (1, "size"), (disk(SIZE), disk(SIZE)), None);
        assert_eq!(same.steps, []);
        let limited = ZramSettings { limit: Bytes(4096), ..disk(SIZE) };
        let swap = SwapOnZram { on: Some(on()), was: format(SIZE), format: format(SIZE) };
        let plan = change_zram(&[], (1, "limit"), (disk(SIZE), limited), Some(swap));
        assert_eq!(kinds(&plan.steps), ["zram"], "the limit changes while the device is in use");
    }

    #[test]
    fn change_of_active_swap_is_undone_completely() {
        let done = vec![Event::End { end: PlanEnd::Done, why: None }];
        let record = record(resize_plan(Some(on())), 5, done);
        let now = look(Some(disk(2 * SIZE)), Some(format(2 * SIZE).page()), true);
        let plan = undo(&record, &now, "now").unwrap();
        assert_eq!(kinds(&plan.steps), ["off", "wipe", "zram", "format", "on"]);
        let other = look(Some(disk(4 * SIZE)), Some(format(2 * SIZE).page()), true);
        assert!(undo(&record, &other, "now").is_err(), "somebody else resized it since");
    }

    /// Recovery steps for a plan of which this many steps were done and the next was tried.
    fn recovery_steps(plan: Plan, made: usize, now: &FixedView) -> Vec<Step> {
        let cut = record(plan, made, vec![Event::Try { step: made, back: false }]);
        plan_recovery(&[cut], now, "now").unwrap().plan.steps
    }

    #[test]
    fn interrupted_change_is_rolled_back_from_any_point() {
        let blank = || Some(vec![0; 4096]);
        let page = || Some(format(SIZE).page());
        assert_eq!(recovery_steps(make_plan(), 0, &look(None, None, false)), []);
        // It was created, and not set up.
        let steps = recovery_steps(make_plan(), 0, &look(Some(disk(0)), None, false));
        assert_eq!(steps, [Step::zram(1, Some(disk(0)), None)]);
        let gone = Step::zram(1, Some(disk(SIZE)), None);
        assert_eq!(
            recovery_steps(make_plan(), 0, &look(Some(disk(SIZE)), blank(), false)),
            std::slice::from_ref(&gone)
        );
        let set_up = look(Some(disk(SIZE)), blank(), false);
        assert_eq!(recovery_steps(make_plan(), 1, &set_up), [gone]);
        let formatted = look(Some(disk(SIZE)), page(), false);
        assert_eq!(kinds(&recovery_steps(make_plan(), 1, &formatted)), ["wipe", "zram"]);
        assert_eq!(kinds(&recovery_steps(make_plan(), 2, &formatted)), ["wipe", "zram"]);
        assert_eq!(recovery_steps(make_plan(), 2, &look(Some(disk(SIZE)), page(), true)), []);
        // It was reset in the middle.
        let reset = look(Some(disk(0)), Some(Vec::new()), false);
        let steps = recovery_steps(resize_plan(Some(on())), 2, &reset);
        assert_eq!(kinds(&steps), ["zram", "format", "on"]);
        assert_eq!(steps[0], Step::zram(1, Some(disk(0)), Some(disk(SIZE))));
    }

    #[test]
    fn interrupted_recovery_starts_again() {
        let formatted = look(Some(disk(SIZE)), Some(format(SIZE).page()), false);
        let cut = record(make_plan(), 2, vec![Event::Try { step: 2, back: false }]);
        let first = plan_recovery(std::slice::from_ref(&cut), &formatted, "now").unwrap().plan;
        assert_eq!(kinds(&first.steps), ["wipe", "zram"]);
        // It had wiped the header, and was killed.
        let second = record(first, 1, vec![Event::Try { step: 1, back: false }]);
        let wiped = look(Some(disk(SIZE)), Some(vec![0; 4096]), false);
        let steps = plan_recovery(&[cut, second], &wiped, "now").unwrap().plan.steps;
        assert_eq!(steps, [Step::zram(1, Some(disk(SIZE)), None)]);
    }

    #[test]
    fn device_whose_swap_a_later_plan_enabled_is_kept() {
        let cut = record(make_plan(), 2, vec![Event::Try { step: 2, back: false }]);
        let area = Activation { priority: Priority::Set(9), ..on() };
        let enabled = Plan::on_areas(&[], "enable".to_owned(), vec![Step::On { area }]);
        let later = record(enabled, 1, vec![Event::End { end: PlanEnd::Done, why: None }]);
        let mut now = look(Some(disk(SIZE)), Some(format(SIZE).page()), true);
        now.areas[0].priority = 9;
        assert_eq!(plan_recovery(&[cut, later], &now, "now").unwrap().plan.steps, []);
    }
}
