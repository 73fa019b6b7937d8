//! May a zram device be reset, and is the way it shall be set up a good one?

use super::verdict::refuse;
use super::{Check, Verdict};
use crate::actions::plan::Plan;
use crate::actions::{Step, quoted, storage};
use crate::columns::units;
use crate::columns::units::size;
use crate::model::candidate::Signature;
use crate::model::name::safe_text;
use crate::model::paging::Choice;
use crate::model::zram::{Disk, Held};
use crate::model::{Bytes, Name, Reading, Snapshot, zram};

/// A disk larger than so many times the memory is hardly ever wanted.
const MUCH: u64 = 2;
/// What the kernel keeps for each page of the disk, whatever is on it: 16 bytes on 7.x, 24 on
/// older ones that note when each was used.
const ENTRY: [u64; 2] = [16, 24];
/// Names of processes that are told.
const TOLD: usize = 4;

/// Does the kernel offer this algorithm, by what a device says of it?
///
/// # Errors
/// That it does not, and what it offers.
pub fn offered(choice: &Choice, name: &str) -> Result<(), String> {
    if choice.offered.iter().any(|other| other == name) {
        return Ok(());
    }
    let (name, all) = (safe_text(name), choice.offered.join(", "));
    Err(format!("this kernel does not offer \"{name}\" for zram; it has {all}"))
}

/// All that is to be said of the devices that a plan changes.
pub(super) fn checks(plan: &Plan, snapshot: &Snapshot, held: &[Held]) -> Vec<Check> {
    let mut all = Vec::new();
    for (place, step) in plan.steps.iter().enumerate() {
        let Step::Zram { number, from, to, .. } = step else { continue };
        let resets = step.is_reset().is_some();
        let before = plan.steps.get(..place).unwrap_or_default();
        if let Some(held) = held.iter().find(|held| held.number == *number && resets) {
            all.extend(in_use(before, snapshot, held));
            let formatted = storage::is_formatted(plan, plan.steps.len(), &zram::node(*number));
            all.extend((!formatted).then(|| lost(snapshot, held)).flatten());
            all.extend((held.params && to.is_some()).then(|| params(*number)));
        }
        if let Some(to) = to {
            all.extend(large(*number, from.as_ref(), to, snapshot));
            all.extend((from.is_some() && !resets).then(|| tight(*number, to, snapshot)).flatten());
        }
    }
    all.extend(tables(plan, snapshot));
    all
}

/// The kernel takes the table of a disk out of memory when the disk gets its size, whatever is on it:
/// where that does not fit, processes die for it.
fn tables(plan: &Plan, snapshot: &Snapshot) -> Option<Check> {
    let available = *snapshot.memory("MemAvailable").known()?;
    let page = *snapshot.page_size.known()?;
    let sized = |step: &Step| {
        let Step::Zram { from, to: Some(to), .. } = step else { return None };
        (from.as_ref().map(|from| from.size) != Some(to.size)).then_some(to.size)
    };
    let disks: Bytes = plan.steps.iter().filter_map(sized).sum();
    let least = table(disks, page, ENTRY[0]);
    if least.0 <= available.0 / 2 {
        return None;
    }
    let text = format!(
        "what the kernel keeps for each page of {} on zram takes {} or more, whatever is on it, and {} of memory are available: ask for a smaller size",
        size(disks),
        size(least),
        size(available)
    );
    Some(refuse("table", text))
}

/// What a disk of this size takes before anything is on it.
fn table(disk: Bytes, page: u64, entry: u64) -> Bytes {
    Bytes((disk.0 / page.max(1)).saturating_mul(entry))
}

/// Whoever uses it keeps the kernel from resetting it; and what is on it would be lost.
fn in_use(before: &[Step], snapshot: &Snapshot, held: &Held) -> Vec<Check> {
    let node = zram::node(held.number);
    let name = node.safe();
    if is_swap(&node, snapshot) {
        let taken =
            before.iter().any(|step| matches!(step, Step::Off { area } if area.path == node));
        let text = format!("{name} is active swap: swapadm off {name} first");
        return if taken { Vec::new() } else { vec![refuse("in-use", text)] };
    }
    let mut all = Vec::new();
    if let Some(point) = &held.mounted {
        let (shown, point) = (point.safe(), quoted(point));
        let text = format!("{name} is mounted on {shown}: unmount it first (umount {point})");
        all.push(refuse("in-use", text));
    }
    if !held.holders.is_empty() {
        let text = format!("{name} is part of {}: take that apart first", held.holders.join(", "));
        all.push(refuse("in-use", text));
    }
    if all.is_empty() && !held.openers.is_empty() {
        let text = format!(
            "{name} is open in {}: the kernel resets no device that is open; end what has it open",
            openers(held)
        );
        all.push(refuse("in-use", text));
    }
    all
}

fn openers(held: &Held) -> String {
    let one = |opener: &zram::Opener| format!("process {} ({})", opener.pid, opener.name);
    let told: Vec<String> = held.openers.iter().take(TOLD).map(one).collect();
    let more = held.openers.len().saturating_sub(TOLD);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", told.join(", "))
}

/// What is on an area that is off is worth nothing; anything else may be.
fn lost(snapshot: &Snapshot, held: &Held) -> Option<Check> {
    let node = zram::node(held.number);
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
        let text = format!("{name} is formatted as swap, and not active: its header is lost");
        return Some(Check::new("contents", Verdict::Note, text));
    }
    let text = format!(
        "{name} holds {stored} of data that is not swap, which is lost: copy it elsewhere, or take the risk with --force contents"
    );
    Some(refuse("contents", text))
}

/// What nobody can read cannot be set again.
fn params(number: u64) -> Check {
    let text = format!(
        "zram{number}: parameters of its algorithm (level, dictionary), if it was given any, cannot be read and are not set again"
    );
    Check::new("parameters", Verdict::Note, text)
}

fn is_swap(node: &Name, snapshot: &Snapshot) -> bool {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    areas.iter().any(|area| area.path == *node)
}

/// Most data compresses by two to four: what does not fit into memory so is never stored.
fn large(number: u64, from: Option<&Disk>, to: &Disk, snapshot: &Snapshot) -> Option<Check> {
    let memory = *snapshot.memory("MemTotal").known()?;
    let page = *snapshot.page_size.known()?;
    let same = from.is_some_and(|from| from.size == to.size);
    if same || to.size.0 <= memory.0.saturating_mul(MUCH) {
        return None;
    }
    let [least, most] = ENTRY.map(|entry| size(table(to.size, page, entry)));
    let text = format!(
        "{}: {} are more than {MUCH} times the {} of memory, and hardly ever fit in compressed; the table of pages alone takes {least} to {most}, whatever is on it",
        zram::node(number).safe(),
        size(to.size),
        size(memory),
    );
    Some(Check::new("size", Verdict::Warn, text))
}

/// A limit below what it takes now lets every write fail.
fn tight(number: u64, to: &Disk, snapshot: &Snapshot) -> Option<Check> {
    let devices = snapshot.zram.reading.known()?;
    let device = devices.iter().find(|device| device.name == format!("zram{number}"))?;
    let used = device.mm.known()?.mem_used;
    if to.limit == Bytes(0) || used <= to.limit {
        return None;
    }
    let text = format!(
        "zram{number} takes {} now ({} of the limit of {}): all writes to it fail until it takes less; ask for at least {}, or take the risk with --force limit",
        size(used),
        units::percent(used.0 as f64 / to.limit.0 as f64),
        size(to.limit),
        size(used),
    );
    Some(refuse("limit", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::snapshot::testing::with_memory;
    use crate::model::swaparea::testing;
    use crate::model::zram::Opener;
    use crate::model::{Sampled, Stamp};

    fn disk(size: u64) -> Disk {
        Disk { size: Bytes(size), ..Disk::default() }
    }

    fn held() -> Held {
        Held {
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

    fn said(steps: Vec<Step>, held: Held) -> Vec<(&'static str, Verdict)> {
        said_on(&bare(), steps, held)
    }

    fn said_on(snapshot: &Snapshot, steps: Vec<Step>, held: Held) -> Vec<(&'static str, Verdict)> {
        let plan = Plan { steps, ..Plan::none(String::new()) };
        let all = checks(&plan, snapshot, &[held]);
        all.into_iter().map(|check| (check.id, check.verdict)).collect()
    }

    fn removing(held: Held) -> Vec<(&'static str, Verdict)> {
        said(vec![Step::zram(1, Some(disk(4096)), None)], held)
    }

    #[test]
    fn no_device_is_reset_that_is_in_use_or_holds_what_is_not_swap() {
        assert_eq!(removing(held()), []);
        let refused = [("in-use", Verdict::Refuse)];
        assert_eq!(removing(Held { mounted: Some("/x".into()), ..held() }), refused);
        assert_eq!(removing(Held { holders: vec!["dm-0".to_owned()], ..held() }), refused);
        let opener = |pid| Opener { pid, name: "x".to_owned() };
        let openers = (1..7).map(opener).collect();
        assert_eq!(removing(Held { openers, ..held() }), refused);
        let stored = Reading::Known(Bytes(4096));
        assert_eq!(removing(Held { stored, ..held() }), [("contents", Verdict::Refuse)]);
        let stored = Reading::failed("late");
        assert_eq!(removing(Held { stored, ..held() }), [("contents", Verdict::Refuse)]);
        let limited = Disk { limit: Bytes(1), ..disk(4096) };
        let limit = Step::zram(1, Some(disk(4096)), Some(limited));
        assert_eq!(said(vec![limit], Held { mounted: Some("/x".into()), ..held() }), []);
        let params = Held { params: true, ..held() };
        let noted = [("parameters", Verdict::Note)];
        assert_eq!(said(vec![Step::zram(1, Some(disk(4096)), Some(disk(8192)))], params), noted);
    }

    #[test]
    fn tables_that_do_not_fit_into_memory_are_refused() {
        let mut snapshot = with_memory(&[("MemTotal", 8 << 20), ("MemAvailable", 8 << 20)]);
        snapshot.page_size = Reading::Known(4096);
        let of = |sizes: &[u64]| {
            let steps = (1..)
                .zip(sizes)
                .map(|(number, size)| Step::zram(number, Some(disk(4096)), Some(disk(*size))));
            said_on(&snapshot, steps.collect(), held())
        };
        let refused = ("table", Verdict::Refuse);
        // 16 bytes of each 4096: 1 TiB takes 4 GiB, which is half of what there is.
        assert!(!of(&[1 << 40]).contains(&refused));
        assert!(of(&[(1 << 40) + (1 << 20)]).contains(&refused));
        assert!(of(&[1 << 39, 1 << 39, 1 << 20]).contains(&refused), "all of them count");
    }

    #[test]
    fn a_mounted_device_is_told_with_what_unmounts_it() {
        let steps = vec![Step::zram(1, Some(disk(4096)), None)];
        let plan = Plan { steps, ..Plan::none(String::new()) };
        let all = checks(&plan, &bare(), &[Held { mounted: Some("/x y".into()), ..held() }]);
        assert!(all[0].text.ends_with("mounted on /x y: unmount it first (umount '/x y')"));
    }

    #[test]
    fn those_who_have_it_open_are_named_but_not_all() {
        let openers = (1..7).map(|pid| Opener { pid, name: "x".to_owned() }).collect();
        let text = super::openers(&Held { openers, ..held() });
        assert!(text.starts_with("process 1 (x), process 2 (x)"), "{text}");
        assert!(text.ends_with("process 4 (x) and 2 more"), "{text}");
    }

    #[test]
    fn swap_that_the_plan_takes_off_is_in_nobodys_way() {
        let path: Name = "/dev/zram1".into();
        let priority = Priority::Default;
        let area = Activation { path, priority, discard: Discard::None };
        let reset = || Step::zram(1, Some(disk(4096)), Some(disk(8192)));
        let mut snapshot = bare();
        let active = vec![testing::area("/dev/zram1", -2, 4096, 0)];
        snapshot.swaps = Sampled::new(None, Reading::Known(active));
        let stored = Reading::Known(Bytes(4096));
        let of = |steps| said_on(&snapshot, steps, Held { stored: stored.clone(), ..held() });
        assert_eq!(of(vec![reset()]), [("in-use", Verdict::Refuse)]);
        assert_eq!(of(vec![Step::Off { area: area.clone() }, reset()]), []);
        assert_eq!(of(vec![reset(), Step::Off { area }]), [("in-use", Verdict::Refuse)]);
    }
}
