//! Upkeep of zram devices in one plan: mark pages that are not used, compress them again, write them back
//! within a daily budget, and compact what is fragmented.

use super::device::{ZramTarget, devices, has_file};
use super::{AGE_UNSUPPORTED, enable_limit_step, order, takes_age};
use crate::actions::MachineView as _;
use crate::actions::Step;
use crate::actions::check::Check;
use crate::actions::journal::{self, PlanPurpose, Record, UPKEEP};
use crate::actions::plan::{self, Plan};
use crate::change::draft::{DraftContext, LEFT_OUT, NOTHING_THERE, PlanDraft};
use crate::change::{ChangeAttempt, LiveMachine, ObservedMachine};
use crate::columns::units::{self, size};
use crate::derive::compression::{self, BD_UNIT};
use crate::model::text::DAY_MS;
use crate::model::zram::{MmStat, ZramDevice};
use crate::model::{Bytes, Name, Reading, Snapshot};
use crate::probes::clusters::stored;

/// Why there is nothing to do without a device.
const NO_DEVICE: &str =
    "no zram device is set up: swapadm zram swap makes one and enables swap on it";
/// Work that is left out where no pages go to the backing device.
const NOT_WRITTEN: &str = "nothing is written back";

/// Tasks of a round of upkeep, and their limits.
#[derive(Clone, Debug, PartialEq)]
pub struct UpkeepPolicy {
    /// Seconds without use after which a page counts as idle.
    pub age: u64,
    /// Whether pages are compressed again.
    pub recompress: bool,
    /// The most that is written back from a device in a day; none for no writeback.
    pub budget: Option<Bytes>,
    /// Share of a device's memory that must be fragmented for it to be compacted.
    pub compact_from: f64,
}

impl Default for UpkeepPolicy {
    fn default() -> Self {
        Self { age: 3600, recompress: true, budget: None, compact_from: 0.1 }
    }
}

/// A round of upkeep.
#[derive(Clone, Debug, PartialEq)]
pub struct UpkeepIntent {
    /// Numbers of the devices; empty for all that are set up.
    pub devices: Vec<u64>,
    /// Tasks of the round, and their limits.
    pub policy: UpkeepPolicy,
    /// The file that the policy comes from.
    pub file: Option<String>,
}

/// The steps of a round, what they can reach, and what the round leaves out and why.
#[derive(Default)]
struct DeviceRound {
    steps: Vec<Step>,
    forecasts: Vec<String>,
    left_out: Vec<String>,
}

/// Pages of one kind that the kernel recompresses or writes back together.
struct PageGroup {
    kind: &'static str,
    count: Reading<u64>,
    /// The size before compression.
    data: Reading<Bytes>,
}

/// The plan of a round.
pub(super) fn draft(wanted: &UpkeepIntent, context: DraftContext<'_>) -> ChangeAttempt<PlanDraft> {
    let machine = context.machine;
    let numbers = match wanted.devices.as_slice() {
        [] => devices_in_use(machine)?,
        chosen => chosen.to_vec(),
    };
    // A journal that cannot be read holds no grant: the kernel's own limit still holds.
    let records = journal::read(context.journal).unwrap_or_default();
    let mut round = DeviceRound::default();
    for &number in &numbers {
        round.device(machine, number, &wanted.policy, &records)?;
    }
    let plan: Plan = Plan::on_areas(machine.areas()?, UPKEEP.to_owned(), round.steps);
    let plan = Plan { purpose: PlanPurpose::Upkeep, ..plan };
    let note = |id, text| Check::note(id, text);
    let policy = wanted.file.iter().map(|file| note("policy", format!("policy of {file}")));
    let nothing = numbers.is_empty().then(|| note(NOTHING_THERE, NO_DEVICE.to_owned()));
    let forecasts = round.forecasts.into_iter().map(|text| note("forecast", text));
    let left_out = round.left_out.into_iter().map(|why| note(LEFT_OUT, why));
    let notes = nothing.into_iter().chain(policy).chain(forecasts).chain(left_out).collect();
    Ok(PlanDraft { notes, zram: numbers, ..PlanDraft::from_plan(plan) })
}

/// The devices that have a size.
fn devices_in_use(machine: &ObservedMachine<'_>) -> ChangeAttempt<Vec<u64>> {
    let has_size = |device: &&ZramDevice| device.disksize.known().is_some_and(|it| *it > Bytes(0));
    let number = |device: &ZramDevice| device.name.strip_prefix("zram")?.parse().ok();
    Ok(devices(machine)?.iter().filter(has_size).filter_map(number).collect())
}

impl DeviceRound {
    fn device(
        &mut self,
        machine: &ObservedMachine<'_>,
        number: u64,
        wanted: &UpkeepPolicy,
        records: &[Record],
    ) -> ChangeAttempt<()> {
        let target = ZramTarget::from_number(machine, number)?;
        target.in_use()?;
        let device = find_device(machine, number);
        let mm = device.map(|device| device.mm.clone());
        let mm = mm.unwrap_or_else(|| Reading::absent("no such device")).into_result()?;
        let recompresses = self.can_recompress(&target, wanted.recompress);
        let writes_back = self.can_write_back(&target, wanted.budget);
        let budget = wanted.budget.filter(|_| writes_back);
        if recompresses || budget.is_some() {
            let groups = self.page_groups(machine, number, wanted.age, &mm);
            if recompresses {
                self.recompress(number, &groups, &mm);
            }
            if let Some(budget) = budget.filter(|_| !groups.is_empty()) {
                self.write_back(&target, budget, records, &groups)?;
            }
        }
        self.compact(number, wanted.compact_from, &mm);
        Ok(())
    }

    fn leave_out(&mut self, number: u64, what: &str, why: &str) {
        self.left_out.push(format!("zram{number}: {what}, because {why}"));
    }

    /// Whether the device can compress pages again.
    fn can_recompress(&mut self, target: &ZramTarget<'_>, is_wanted: bool) -> bool {
        let why = if !is_wanted {
            "the policy has recompress = false"
        } else if !has_file(target.machine, target.number, "recomp_algorithm") {
            "this kernel was built without CONFIG_ZRAM_MULTI_COMP"
        } else if target.disk.recompression.is_empty() {
            "it has no second algorithm"
        } else {
            return true;
        };
        self.leave_out(target.number, "pages are not compressed again", why);
        false
    }

    /// Whether pages of the device can be written back.
    fn can_write_back(&mut self, target: &ZramTarget<'_>, budget: Option<Bytes>) -> bool {
        let why = if budget.is_none() {
            "no budget is given"
        } else if !has_file(target.machine, target.number, "backing_dev") {
            "this kernel was built without CONFIG_ZRAM_WRITEBACK"
        } else if target.disk.backing.is_none() {
            "it has no backing device"
        } else if is_backing_full(target) {
            "its backing device is full"
        } else {
            return true;
        };
        self.leave_out(target.number, NOT_WRITTEN, why);
        false
    }

    /// The groups of pages that the device has, after it has marked pages as idle.
    fn page_groups(
        &mut self,
        machine: &ObservedMachine<'_>,
        number: u64,
        age: u64,
        mm: &MmStat,
    ) -> Vec<PageGroup> {
        let idle = self.mark_idle(machine, number, age).map(|count| ("idle", count));
        let huge = ("huge", mm.huge_pages.clone().map(|pages| pages.0));
        let mut groups = Vec::new();
        for (kind, count) in idle.into_iter().chain([huge]) {
            if count == Reading::Known(0) {
                self.leave_out(number, &format!("no work on {kind} pages"), "their count is 0");
                continue;
            }
            let page = machine.snapshot.page_size.clone();
            let data = count.clone().map2(page, |count, page| Bytes(count.saturating_mul(page)));
            groups.push(PageGroup { kind, count, data });
        }
        groups
    }

    /// Says what the work on a group of pages can reach: its result is known only when it is done.
    fn forecast(&mut self, number: u64, group: &PageGroup, (what, most): (&str, Bytes)) {
        let kind = group.kind;
        let text = match (&group.count, &group.data) {
            (Reading::Known(count), Reading::Known(data)) => {
                format!("{count} {kind} pages: {what} at most {}", size((*data).min(most)))
            }
            (Reading::Missing { missing }, _) | (_, Reading::Missing { missing }) => {
                let most = if most == Bytes(u64::MAX) {
                    String::new()
                } else {
                    format!(": {what} at most {}", size(most))
                };
                format!("the number of {kind} pages is not known ({}){most}", missing.why())
            }
        };
        self.forecasts.push(format!("zram{number}: {text}"));
    }

    fn recompress(&mut self, number: u64, groups: &[PageGroup], mm: &MmStat) {
        for group in groups {
            let kind = group.kind;
            let what = format!("recompress {kind} pages of zram{number}");
            self.steps.push(order(number, "recompress", format!("type={kind}"), what));
            self.forecast(
                number,
                group,
                ("recompression reduces the compressed size by", mm.compr_data),
            );
        }
    }

    /// Writes back within the budget.
    fn write_back(
        &mut self,
        target: &ZramTarget<'_>,
        budget: Bytes,
        records: &[Record],
        groups: &[PageGroup],
    ) -> ChangeAttempt<()> {
        let number = target.number;
        let Some((limit, most)) = self.budget(target, budget, records)? else { return Ok(()) };
        self.steps.extend(limit);
        for group in groups {
            let kind = group.kind;
            let what = format!("write back {kind} pages of zram{number}");
            self.steps.push(order(number, "writeback", kind.to_owned(), what));
            self.forecast(number, group, ("writeback writes", most));
        }
        Ok(())
    }

    /// The steps that grant the budget of the day, if pages are to be written back. A budget that was granted
    /// within the last 24 hours still counts while the kernel limits the device: it subtracts what it writes.
    fn budget(
        &mut self,
        target: &ZramTarget<'_>,
        budget: Bytes,
        records: &[Record],
    ) -> ChangeAttempt<Option<(Vec<Step>, Bytes)>> {
        let (machine, number) = (target.machine, target.number);
        let file = plan::zram::device_file(number, "writeback_limit");
        let now_ms = machine.snapshot.stamp.wall_ms;
        let enable_limit = enable_limit_step(machine, number)?;
        if let (None, Some(granted)) = (&enable_limit, last_grant(records, &file)) {
            let age_ms = now_ms.saturating_sub(granted);
            if age_ms < DAY_MS {
                let left = LiveMachine::new(machine.root).setting(&file).into_result()?;
                return Ok(self.rest_of_budget(number, (&left, budget), DAY_MS - age_ms));
            }
        }
        let mut steps = vec![limit_step(number, budget)];
        steps.extend(enable_limit);
        Ok(Some((steps, budget)))
    }

    /// No further step while units of the budget are left, unless they are more than the budget is now;
    /// otherwise nothing is written back.
    fn rest_of_budget(
        &mut self,
        number: u64,
        (left, budget): (&str, Bytes),
        left_ms: u64,
    ) -> Option<(Vec<Step>, Bytes)> {
        if left != "0" {
            let most = left.parse().map_or(u64::MAX, |units: u64| units.saturating_mul(BD_UNIT));
            if most <= budget.0 {
                return Some((Vec::new(), Bytes(most)));
            }
            return Some((vec![limit_step(number, budget)], budget));
        }
        let wait = units::seconds((left_ms / 1000) as f64);
        let why = format!("the budget of the day is used up: the next one is granted in {wait}");
        self.leave_out(number, NOT_WRITTEN, &why);
        None
    }

    /// Marks pages as idle that were not used for a time, if the kernel knows their age. Returns the number of
    /// idle pages then, or none if no pages are marked.
    fn mark_idle(
        &mut self,
        machine: &ObservedMachine<'_>,
        number: u64,
        age: u64,
    ) -> Option<Reading<u64>> {
        let tracks = machine.root.exists(format!("sys/kernel/debug/zram/zram{number}/block_state"));
        if !tracks {
            let why = "the kernel does not show their age (debugfs is not readable, or CONFIG_ZRAM_MEMORY_TRACKING is off)";
            self.leave_out(number, "no pages are marked as idle", why);
            return None;
        }
        if !takes_age(machine) {
            self.leave_out(number, "no pages are marked as idle", AGE_UNSUPPORTED);
            return None;
        }
        let now = machine.snapshot.stamp.boot_ns / 1_000_000_000;
        let age = age.min(longest_idle_age(&machine.snapshot));
        let count = Reading::from(stored::unused_pages(machine.root, number, now - age));
        let time = units::seconds(age as f64);
        if count != Reading::Known(0) {
            let what = format!("mark pages of zram{number} unused for {time} idle");
            self.steps.push(order(number, "idle", age.to_string(), what));
        }
        Some(count)
    }

    /// Compacts the device if enough of its memory is fragmented.
    fn compact(&mut self, number: u64, compact_from: f64, mm: &MmStat) {
        let fragmented = mm.mem_used.saturating_sub(mm.compr_data);
        let share = compression::quotient(fragmented, mm.mem_used).known().copied();
        if share.is_some_and(|share| share >= compact_from) {
            let what =
                format!("compact zram{number}, where at most {} can be freed", size(fragmented));
            self.steps.push(order(number, "compact", "1".to_owned(), what));
            return;
        }
        let why = match share {
            None => "it holds no data in memory".to_owned(),
            Some(share) => format!(
                "{} of its memory is fragmented: {} of {}, less than {}",
                units::percent(share),
                size(fragmented),
                size(mm.mem_used),
                units::percent(compact_from)
            ),
        };
        self.leave_out(number, "it is not compacted", &why);
    }
}

/// The longest age of pages, in seconds, that the kernel takes as it is meant: it subtracts the age from the
/// uptime, in whole seconds since 7.0, and marks all pages if less than a second is left.
pub fn longest_idle_age(snapshot: &Snapshot) -> u64 {
    (snapshot.stamp.boot_ns / 1_000_000_000).saturating_sub(1)
}

fn find_device<'m>(machine: &'m ObservedMachine<'_>, number: u64) -> Option<&'m ZramDevice> {
    let name = format!("zram{number}");
    devices(machine).ok()?.iter().find(|device| device.name == name)
}

/// The time of the last plan that set this limit, in milliseconds since 1970.
fn last_grant(records: &[Record], limit: &Name) -> Option<u64> {
    let own = records.iter().filter(|record| record.purpose == PlanPurpose::Upkeep);
    let is_grant = |step: &Step| matches!(step, Step::Order { file, .. } if file == limit);
    let grants = |record: &&Record| {
        record.steps_in_effect().iter().any(|step| record.steps.get(*step).is_some_and(is_grant))
    };
    own.rev().find(grants).map(|record| record.at_ms)
}

/// Is the backing device full? The kernel never uses its first block. Without its size, writeback is tried.
pub(super) fn is_backing_full(target: &ZramTarget<'_>) -> bool {
    let root = target.machine.root;
    let size = target.disk.backing.as_ref().and_then(|backing| {
        let sectors = root.number(format!("sys/class/block/{}/size", backing.base().safe()));
        sectors.known().map(|sectors| sectors.saturating_mul(SECTOR))
    });
    let device = find_device(target.machine, target.number);
    let written = device.and_then(|device| device.bd.known()).map(|bd| bd.count);
    let needed = written.map(|units| (units + 2).saturating_mul(BD_UNIT));
    needed.zip(size).is_some_and(|(needed, size)| needed > size)
}

/// Bytes of a sector, in which the kernel gives the size of a device.
const SECTOR: u64 = 512;

/// Grants the budget of a day.
fn limit_step(number: u64, budget: Bytes) -> Step {
    let what = format!("limit writeback of zram{number} to {} for a day", size(budget));
    order(number, "writeback_limit", (budget.0 / BD_UNIT).to_string(), what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::journal::Event;
    use crate::model::Stamp;

    fn record(at_ms: u64, number: u64, is_made: bool) -> Record {
        let step = order(number, "writeback_limit", "256".to_owned(), "limit writeback".to_owned());
        let made = Event::Made { step: 0, back: false, moved: 0, seconds: 0.0 };
        let events = [Event::Try { step: 0, back: false }, made];
        Record {
            plan: 1,
            at_ms,
            boot: "now".to_owned(),
            title: "in other words".to_owned(),
            purpose: PlanPurpose::Upkeep,
            steps: vec![step],
            events: events.into_iter().take(if is_made { 2 } else { 1 }).collect(),
            ..Record::default()
        }
    }

    #[test]
    fn the_last_grant_is_that_of_this_device_which_was_made() {
        let limit = plan::zram::device_file(3, "writeback_limit");
        let records =
            [record(10, 3, true), record(20, 3, true), record(30, 3, false), record(40, 4, true)];
        assert_eq!(last_grant(&records, &limit), Some(20));
        assert_eq!(last_grant(&records[3..], &limit), None);
        // A limit that a person gave is no budget.
        let by_hand = Record { purpose: PlanPurpose::Change, ..record(50, 3, true) };
        assert_eq!(last_grant(&[record(20, 3, true), by_hand], &limit), Some(20));
    }

    #[test]
    fn an_age_leaves_at_least_a_second_of_the_uptime() {
        for (boot_ns, longest) in [(90_500_000_000, 89), (1_000_000_000, 0), (0, 0)] {
            let snapshot = Snapshot::empty(Stamp { boot_ns, wall_ms: 0 });
            assert_eq!(longest_idle_age(&snapshot), longest, "{boot_ns}");
        }
    }
}
