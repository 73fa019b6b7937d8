//! Checks of zram devices: whether they can be reset, and whether their new setup is sound.

use super::Check;
use crate::actions::plan::Plan;
use crate::actions::{Step, shell_quoted, storage};
use crate::columns::units;
use crate::columns::units::size;
use crate::derive::cost::zram_table_range;
use crate::model::candidate::{FormatTarget, Signature};
use crate::model::name::safe_text;
use crate::model::paging::BracketedChoice;
use crate::model::zram::{ZramSettings, ZramUsers};
use crate::model::{Bytes, Name, Reading, Snapshot, zram};

/// Multiple of memory above which a disk size is hardly ever wanted.
const MUCH: u64 = 2;
/// Maximum number of processes named.
const TOLD: usize = 4;

/// Checks that a device offers this algorithm; the error lists those it offers.
pub fn check_algorithm(choice: &BracketedChoice, name: &str) -> Result<(), String> {
    if choice.offered.iter().any(|other| other == name) {
        return Ok(());
    }
    let (name, all) = (safe_text(name), choice.offered.join(", "));
    Err(format!("this kernel has no zram algorithm \"{name}\": choose one of {all}"))
}

/// A note on a new device where the machine shows none, so that its module may not be loaded.
pub(super) fn unknown_module(plan: &Plan, snapshot: &Snapshot) -> Option<Check> {
    let is_new = |step: &Step| matches!(step, Step::Zram { from: None, to: Some(_), .. });
    let shows_none = snapshot.zram.reading.known().is_none_or(Vec::is_empty);
    let text = "the capture shows no zram device: if the zram module is not loaded there, run modprobe zram num_devices=0 first";
    (shows_none && plan.steps.iter().any(is_new)).then(|| Check::note("zram-module", text))
}

/// All checks of the devices that a plan changes.
pub(super) fn checks(plan: &Plan, snapshot: &Snapshot, held: &[ZramUsers]) -> Vec<Check> {
    let mut all = Vec::new();
    for (place, step) in plan.steps.iter().enumerate() {
        let Step::Zram { number, from, to, .. } = step else { continue };
        let resets = step.resets_device().is_some();
        let before = plan.steps.get(..place).unwrap_or_default();
        if let Some(held) = held.iter().find(|held| held.number == *number && resets) {
            all.extend(in_use(before, snapshot, held));
            let node = zram::device_path(*number);
            let is_kept = storage::is_formatted(plan, plan.steps.len(), &node)
                || before.iter().any(|step| is_header_saved(step, &node));
            all.extend((!is_kept).then(|| lost_content(snapshot, held)).flatten());
            all.extend((held.params && to.is_some()).then(|| params(*number)));
        }
        if let Some(to) = to {
            all.extend(large_device_check(*number, from.as_ref(), to, snapshot));
            all.extend(
                (from.is_some() && !resets)
                    .then(|| tight_limit_check(*number, to, snapshot))
                    .flatten(),
            );
        }
    }
    all.extend(table_memory_check(plan, snapshot));
    all
}

/// Checks the page table of a device, which the kernel allocates with the disk size, whatever is
/// stored: if it does not fit, processes are killed.
fn table_memory_check(plan: &Plan, snapshot: &Snapshot) -> Option<Check> {
    let available = *snapshot.memory("MemAvailable").known()?;
    let page = *snapshot.page_size.known()?;
    let sized = |step: &Step| {
        let Step::Zram { from, to: Some(to), .. } = step else { return None };
        (from.as_ref().map(|from| from.size) != Some(to.size)).then_some(to.size)
    };
    let disks: Bytes = plan.steps.iter().filter_map(sized).sum();
    let [least, _] = zram_table_range(disks, page);
    if least.0 <= available.0 / 2 {
        return None;
    }
    let text = format!(
        "the page table of a zram device of {} takes at least {} even when empty, but only {} of memory are available: choose a smaller size",
        size(disks),
        size(least),
        size(available)
    );
    Some(Check::refuse("table", text))
}

/// Checks whether another zram device writes back to a backing device.
pub(super) fn taken_backing(target: &FormatTarget, snapshot: &Snapshot) -> Option<Check> {
    let path = &target.candidate.path;
    let devices = snapshot.zram.reading.known_items();
    let taken = devices.iter().find(|device| device.backing_dev.known() == Some(path))?;
    let text = format!(
        "{} is the backing device of {}: name another device",
        path.safe(),
        safe_text(&taken.name)
    );
    Some(Check::refuse("in-use", text))
}

/// Checks users of a device: they prevent its reset, and its contents would be lost.
fn in_use(before: &[Step], snapshot: &Snapshot, held: &ZramUsers) -> Vec<Check> {
    let node = zram::device_path(held.number);
    let name = node.safe();
    if is_swap(&node, snapshot) {
        let taken =
            before.iter().any(|step| matches!(step, Step::Off { area } if area.path == node));
        let text = format!("{name} is active swap: run swapadm off {name} first");
        return if taken { Vec::new() } else { vec![Check::refuse("in-use", text)] };
    }
    let mut all = Vec::new();
    if let Some(point) = &held.mounted {
        let (shown, point) = (point.safe(), shell_quoted(point));
        let text = format!("{name} is mounted on {shown}: run umount {point} first");
        all.push(Check::refuse("in-use", text));
    }
    if !held.holders.is_empty() {
        let text = format!("{name} is part of {}: stop that device first", held.holders.join(", "));
        all.push(Check::refuse("in-use", text));
    }
    if all.is_empty() && !held.openers.is_empty() {
        let text = format!(
            "{name} is open in {}, and the kernel cannot reset an open device: stop what has it open",
            openers(held)
        );
        all.push(Check::refuse("in-use", text));
    }
    all
}

fn openers(held: &ZramUsers) -> String {
    let one = |opener: &zram::Opener| format!("process {} ({})", opener.pid, opener.name);
    let told: Vec<String> = held.openers.iter().take(TOLD).map(one).collect();
    let more = held.openers.len().saturating_sub(TOLD);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", told.join(", "))
}

/// Whether the step keeps the swap header of a device for undo.
fn is_header_saved(step: &Step, device: &Name) -> bool {
    matches!(step, Step::Header { path, back: true, .. } if path == device)
}

/// Checks contents that a reset loses: a disabled area is worthless, anything else may not be.
fn lost_content(snapshot: &Snapshot, held: &ZramUsers) -> Option<Check> {
    let node = zram::device_path(held.number);
    let name = node.safe();
    if is_swap(&node, snapshot) {
        return None;
    }
    let stored = match &held.stored {
        Reading::Known(Bytes(0)) => return None,
        Reading::Known(stored) => size(*stored),
        Reading::Missing { .. } => "an unknown amount".to_owned(),
    };
    if matches!(held.signature, Reading::Known(Signature::Swap(_))) {
        let text = format!("{name} is formatted as swap and disabled: its header will be lost");
        return Some(Check::note("contents", text));
    }
    let text = format!(
        "{name} holds {stored} of data other than swap, which would be lost: copy it elsewhere, or accept with --force contents"
    );
    Some(Check::refuse("contents", text))
}

/// Warns of parameters that cannot be read, so cannot be set again.
fn params(number: u64) -> Check {
    let text = format!(
        "zram{number}: algorithm parameters (level, dictionary) cannot be read, so they return to their defaults"
    );
    Check::note("parameters", text)
}

fn is_swap(node: &Name, snapshot: &Snapshot) -> bool {
    snapshot.areas().iter().any(|area| area.path == *node)
}

/// Warns of a very large disk: most data compresses two to four times, and the rest is never
/// stored.
fn large_device_check(
    number: u64,
    from: Option<&ZramSettings>,
    to: &ZramSettings,
    snapshot: &Snapshot,
) -> Option<Check> {
    let memory = *snapshot.memory("MemTotal").known()?;
    let page = *snapshot.page_size.known()?;
    let same = from.is_some_and(|from| from.size == to.size);
    if same || to.size.0 <= memory.0.saturating_mul(MUCH) {
        return None;
    }
    let [least, most] = zram_table_range(to.size, page).map(size);
    let text = format!(
        "{}: {} is more than {MUCH} times the {} of memory and rarely fits even compressed; the page table alone takes {least} to {most}",
        zram::device_path(number).safe(),
        size(to.size),
        size(memory),
    );
    Some(Check::warn("size", text))
}

/// Refuses a limit below the present memory use, with which every write fails.
fn tight_limit_check(number: u64, to: &ZramSettings, snapshot: &Snapshot) -> Option<Check> {
    let devices = snapshot.zram.reading.known()?;
    let device = devices.iter().find(|device| device.name == format!("zram{number}"))?;
    let used = device.mm.known()?.mem_used;
    if to.limit == Bytes(0) || used <= to.limit {
        return None;
    }
    let text = format!(
        "zram{number} uses {} now ({} of the limit of {}): writes to it would fail. Choose at least {}, or accept with --force limit",
        size(used),
        units::percent(used.0 as f64 / to.limit.0 as f64),
        size(to.limit),
        size(used),
    );
    Some(Check::refuse("limit", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::check::CheckVerdict;
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::snapshot::testing::with_memory;
    use crate::model::swaparea::testing;
    use crate::model::zram::Opener;
    use crate::model::{PartSet, Sampled, Stamp};
    use crate::probes;
    use crate::root::testing::TestTree;

    fn disk(size: u64) -> ZramSettings {
        ZramSettings { size: Bytes(size), ..ZramSettings::default() }
    }

    fn held() -> ZramUsers {
        ZramUsers {
            number: 1,
            mounted: None,
            holders: Vec::new(),
            openers: Vec::new(),
            signature: Reading::Known(Signature::None),
            stored: Reading::Known(Bytes(0)),
            params: false,
        }
    }

    fn bare() -> Snapshot {
        Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 })
    }

    fn verdicts(steps: Vec<Step>, held: ZramUsers) -> Vec<(&'static str, CheckVerdict)> {
        verdicts_on(&bare(), steps, held)
    }

    fn verdicts_on(
        snapshot: &Snapshot,
        steps: Vec<Step>,
        held: ZramUsers,
    ) -> Vec<(&'static str, CheckVerdict)> {
        let plan = Plan { steps, ..Plan::without_steps(String::new()) };
        let all = checks(&plan, snapshot, &[held]);
        all.into_iter().map(|check| (check.id, check.verdict)).collect()
    }

    fn removal_verdicts(held: ZramUsers) -> Vec<(&'static str, CheckVerdict)> {
        verdicts(vec![Step::zram(1, Some(disk(4096)), None)], held)
    }

    #[test]
    fn used_or_non_swap_device_is_not_reset() {
        assert_eq!(removal_verdicts(held()), []);
        let refused = [("in-use", CheckVerdict::Refuse)];
        assert_eq!(removal_verdicts(ZramUsers { mounted: Some("/x".into()), ..held() }), refused);
        assert_eq!(
            removal_verdicts(ZramUsers { holders: vec!["dm-0".to_owned()], ..held() }),
            refused
        );
        let opener = |pid| Opener { pid, name: "x".to_owned() };
        let openers = (1..7).map(opener).collect();
        assert_eq!(removal_verdicts(ZramUsers { openers, ..held() }), refused);
        let stored = Reading::Known(Bytes(4096));
        assert_eq!(
            removal_verdicts(ZramUsers { stored, ..held() }),
            [("contents", CheckVerdict::Refuse)]
        );
        let stored = Reading::failed("late");
        assert_eq!(
            removal_verdicts(ZramUsers { stored, ..held() }),
            [("contents", CheckVerdict::Refuse)]
        );
        let limited = ZramSettings { limit: Bytes(1), ..disk(4096) };
        let limit = Step::zram(1, Some(disk(4096)), Some(limited));
        assert_eq!(verdicts(vec![limit], ZramUsers { mounted: Some("/x".into()), ..held() }), []);
        let params = ZramUsers { params: true, ..held() };
        let noted = [("parameters", CheckVerdict::Note)];
        assert_eq!(
            verdicts(vec![Step::zram(1, Some(disk(4096)), Some(disk(8192)))], params),
            noted
        );
    }

    #[test]
    fn slot_tables_larger_than_memory_are_refused() {
        let mut snapshot = with_memory(&[("MemTotal", 8 << 20), ("MemAvailable", 8 << 20)]);
        snapshot.page_size = Reading::Known(4096);
        let of = |sizes: &[u64]| {
            let steps = (1..)
                .zip(sizes)
                .map(|(number, size)| Step::zram(number, Some(disk(4096)), Some(disk(*size))));
            verdicts_on(&snapshot, steps.collect(), held())
        };
        let refused = ("table", CheckVerdict::Refuse);
        // 16 bytes of each 4096: 1 TiB takes 4 GiB, which is half of memory.
        assert!(!of(&[1 << 40]).contains(&refused));
        assert!(of(&[(1 << 40) + (1 << 20)]).contains(&refused));
        assert!(of(&[1 << 39, 1 << 39, 1 << 20]).contains(&refused), "all of them count");
    }

    #[test]
    fn the_backing_device_of_another_device_is_refused() {
        let tree = TestTree::with(&[
            ("sys/block/zram0/initstate", "1\n"),
            ("sys/block/zram0/backing_dev", "/dev/b\n"),
        ]);
        let mut snapshot = bare();
        let devices = probes::zram::read(&tree.root(), PartSet::NONE);
        snapshot.zram = Sampled::new(None, devices);
        let refused = |path: &str| {
            let target = probes::target::read(&tree.root(), &path.into(), &[], 4096);
            taken_backing(&target, &snapshot).map(|check| check.text)
        };
        let text = "/dev/b is the backing device of zram0: name another device";
        assert_eq!((refused("/dev/b").as_deref(), refused("/dev/c")), (Some(text), None));
    }

    #[test]
    fn mounted_device_is_refused_with_the_umount_command() {
        let steps = vec![Step::zram(1, Some(disk(4096)), None)];
        let plan = Plan { steps, ..Plan::without_steps(String::new()) };
        let all = checks(&plan, &bare(), &[ZramUsers { mounted: Some("/x y".into()), ..held() }]);
        assert!(all[0].text.ends_with("mounted on /x y: run umount '/x y' first"));
    }

    #[test]
    fn openers_are_named_up_to_a_limit() {
        let openers = (1..7).map(|pid| Opener { pid, name: "x".to_owned() }).collect();
        let text = super::openers(&ZramUsers { openers, ..held() });
        assert!(text.starts_with("process 1 (x), process 2 (x)"), "{text}");
        assert!(text.ends_with("process 4 (x) and 2 more"), "{text}");
    }

    #[test]
    fn swap_disabled_by_the_plan_is_not_in_use() {
        let path: Name = "/dev/zram1".into();
        let priority = Priority::Default;
        let area = Activation { path, priority, discard: Discard::None };
        let reset = || Step::zram(1, Some(disk(4096)), Some(disk(8192)));
        let mut snapshot = bare();
        let active = vec![testing::area("/dev/zram1", -2, 4096, 0)];
        snapshot.swaps = Sampled::new(None, Reading::Known(active));
        let stored = Reading::Known(Bytes(4096));
        let of =
            |steps| verdicts_on(&snapshot, steps, ZramUsers { stored: stored.clone(), ..held() });
        assert_eq!(of(vec![reset()]), [("in-use", CheckVerdict::Refuse)]);
        assert_eq!(of(vec![Step::Off { area: area.clone() }, reset()]), []);
        assert_eq!(of(vec![reset(), Step::Off { area }]), [("in-use", CheckVerdict::Refuse)]);
    }
}
