//! Rules about zram devices: their memory limits and how well their data compresses.

use crate::advice::areas::{ROOM, combine, mib, share, zram_areas};
use crate::advice::{EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::compression::{self, ZramRatio};
use crate::derive::drain::SingleDrains;
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, headroom};
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Missing, Policy, Reading, part_set};

/// Reports a zram device near its memory limit.
pub(super) const ZRAM_LIMIT: Rule =
    Rule::new("zram-limit", "a zram device is near its memory limit", zram_limit)
        .about("Reported if a zram device that carries swap uses at least {limit_warn} of its memory limit; critical if writes to it fail between the samples. At the limit, writes that need more memory fail: the page stays in RAM, and the kernel retries again and again, while the area seems to have room. The advised limit is twice the present one, or twice the memory used already if that is more, as long as it stays within {limit_most} of all memory. Without a limit, writes fail if there is no memory left for zram.")
        .needs(part_set![Swaps, Zram, ZramDetail, Meminfo])
        .thresholds(&["limit_warn", "limit_most"]);

fn zram_limit(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    combine(zram_areas(view)?.into_iter().map(|(device, _)| judge_zram_limit(view, policy, device)))
}

fn judge_zram_limit(
    view: &SampleView<'_>,
    policy: &Policy,
    device: &ZramDevice,
) -> Result<Option<Finding>, Missing> {
    let mm = device.mm.get()?;
    let failing = new_failed_writes(view, device);
    let fails = failing.known().is_some_and(|by| *by > 0);
    let is_near = mm.mem_limit > Bytes(0) && share(mm.mem_used, mm.mem_limit) >= policy.limit_warn;
    // The kernel raises the maximum before it refuses a page, and memory may have been freed since.
    let was_at_limit = fails && mm.mem_limit > Bytes(0) && mm.mem_used_max >= mm.mem_limit;
    // A device that is full before it reaches its limit is as good as one without a limit.
    let stops =
        headroom::zram_fill(view.now, device).known().is_none_or(|it| it.beyond() > Bytes(0));
    let is_near = was_at_limit || is_near && (fails || stops);
    if !fails && !is_near {
        // A device is fine only if it is known whether writes fail.
        return failing.into_result().map(|_| None);
    }
    let name = &device.name;
    let end = match (fails, mm.mem_used >= mm.mem_limit) {
        (true, _) => "fails to store pages",
        (false, true) => "is at its memory limit",
        (false, false) => "is near its memory limit",
    };
    let doubled = doubled(mm.mem_limit.max(mm.mem_used));
    let memory = view.now.memory("MemTotal");
    let may_grow = memory.known().is_some_and(|all| share(doubled, *all) <= policy.limit_most);
    let sentence = match (is_near, may_grow) {
        (true, true) => {
            "At its limit zram stores hardly any more pages: refused pages stay in RAM, and the kernel retries again and again, although the area seems to have room. Raise the limit, or make the area smaller so that pages go to other areas in time."
        }
        (true, false) => {
            "At its limit zram stores hardly any more pages: refused pages stay in RAM, and the kernel retries again and again, although the area seems to have room. Make the area smaller so that pages go to other areas in time: with a much higher limit it could take memory that everything else needs."
        }
        (false, _) => {
            "There is no memory left for zram; its limit is not the cause. Refused pages stay in RAM, and the kernel retries again and again. Reduce memory use, or add an area on a disk."
        }
    };
    let cell = |column| EvidenceCell::for_row("zram", name.clone(), column);
    let found = Finding::warn(ZRAM_LIMIT.id, format!("{name} {end}"), sentence)
        .with_subject(name.clone())
        .with_severity(if fails { Severity::Crit } else { Severity::Warn })
        .shown_by(["memory", "limit", "failed_writes"].map(cell));
    let command = || format!("swapadm zram limit {name} {}", doubled.exact());
    Ok(Some(if is_near && may_grow { found.fixed_by(command()) } else { found }))
}

/// Doubles the limit, or the memory used if that is more: a limit below the memory used has no effect.
/// The result is in whole MiB and fits the kernel's file.
fn doubled(takes: Bytes) -> Bytes {
    let whole = takes.0.checked_next_multiple_of(1 << 20).unwrap_or(u64::MAX);
    Bytes(whole.saturating_mul(2))
}

/// Returns how many writes failed between the samples.
fn new_failed_writes(view: &SampleView<'_>, device: &ZramDevice) -> Reading<u64> {
    let failed = |devices: &Vec<ZramDevice>| {
        let found = devices.iter().find(|other| other.name == device.name);
        let io = found.map_or_else(|| Reading::absent("the device is new"), |it| it.io.clone());
        io.map(|io| io.failed_writes)
    };
    view.change(|snapshot| &snapshot.zram, failed).map(|change: CounterChange| change.by)
}

/// Reports a low compression ratio.
pub(super) const ZRAM_RATIO: Rule = Rule::new("zram-ratio", "zram compresses poorly", zram_ratio)
    .about("Reported if a zram device that carries swap saves little memory: its memory ratio is below {zram_ratio_low}, with at least {zram_least} MiB of data. If the data alone compresses better than that, and at least {lost_warn} of the memory is lost to fragmentation, compacting helps. If at least {huge_warn} of the data is incompressible with its algorithm, another one will hardly help: compressed or encrypted data belongs on a disk. Otherwise another algorithm may help; changing it empties the device, so its contents have to fit elsewhere.")
    .needs(ROOM.with(part_set![ZramDetail]))
    .thresholds(&["zram_ratio_low", "zram_least", "lost_warn", "huge_warn"]);

/// The common algorithm with the best compression ratio.
const BEST: &str = "zstd";

fn zram_ratio(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    combine(zram_areas(view)?.into_iter().map(|at| judge_zram_ratio(view, policy, at)))
}

/// Whether a device with enough data to judge saves little memory.
pub(super) fn saves_little(
    view: &SampleView<'_>,
    policy: &Policy,
    device: &ZramDevice,
) -> Result<bool, Missing> {
    let held = compression::zram(device, &view.now.page_size);
    let enough = held.data.map(|data| mib(data) >= policy.zram_least).into_result()?;
    Ok(enough && held.memory_ratio.into_result()? < policy.zram_ratio_low)
}

fn judge_zram_ratio(
    view: &SampleView<'_>,
    policy: &Policy,
    (device, area): (&ZramDevice, &SwapArea),
) -> Result<Option<Finding>, Missing> {
    if !saves_little(view, policy, device)? {
        return Ok(None);
    }
    let held = compression::zram(device, &view.now.page_size);
    let name = &device.name;
    let why = ratio_cause(&held, policy);
    let cell = |column| EvidenceCell::for_row("zram", name.clone(), column);
    let found = Finding::warn(ZRAM_RATIO.id, why.summary(name), why.sentence())
        .with_subject(name.clone())
        .shown_by([cell("memory_ratio")])
        .shown_by(held.ratio.known().map(|_| cell("ratio")))
        .shown_by(["data", "memory", "huge", "algorithm"].map(cell));
    let command = match why {
        RatioCause::Fragments => Some(format!("swapadm zram compact {name}")),
        RatioCause::Algorithm
            if has_better_algorithm(device)
                && SingleDrains::new(view.now).fits(area) == Reading::Known(true) =>
        {
            Some(format!("swapadm zram algorithm {name} {BEST}"))
        }
        RatioCause::Algorithm | RatioCause::Huge => None,
    };
    Ok(Some(Finding { fix: command, ..found }))
}

/// The main cause of a low memory ratio.
#[derive(Clone, Copy)]
enum RatioCause {
    /// Fragmentation of the allocator.
    Fragments,
    /// Incompressible pages.
    Huge,
    /// The algorithm compresses the data poorly.
    Algorithm,
}

impl RatioCause {
    fn summary(self, name: &str) -> String {
        match self {
            Self::Fragments => format!("{name} uses much more memory than its compressed data"),
            Self::Huge | Self::Algorithm => format!("{name} compresses poorly"),
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Fragments => {
                "The data compresses well, but much memory is lost to fragmentation. Compacting frees it."
            }
            Self::Huge => {
                "Many pages do not compress with its algorithm and take a whole page of memory each. Another algorithm will hardly help with compressed or encrypted data, which belongs on a disk."
            }
            Self::Algorithm => {
                "The device saves little memory for the CPU time that it uses. Another algorithm may do better: changing it empties the device, and its contents move elsewhere meanwhile. Compressed or encrypted data belongs on a disk."
            }
        }
    }
}

fn ratio_cause(held: &ZramRatio, policy: &Policy) -> RatioCause {
    let huge = held.huge.clone().map2(held.data.clone(), share);
    let both = held.ratio.clone().map2(held.memory_ratio.clone(), |ratio, memory| (ratio, memory));
    let in_fragments = |(ratio, memory): &(f64, f64)| {
        *ratio >= policy.zram_ratio_low && 1.0 - memory / ratio >= policy.lost_warn
    };
    if both.known().is_some_and(in_fragments) {
        RatioCause::Fragments
    } else if huge.known().is_some_and(|part| *part >= policy.huge_warn) {
        RatioCause::Huge
    } else {
        RatioCause::Algorithm
    }
}

fn has_better_algorithm(device: &ZramDevice) -> bool {
    device.algorithm.known().is_some_and(|choice| {
        choice.current != BEST && choice.offered.iter().any(|offered| offered == BEST)
    })
}

/// Reports much incompressible data on zram.
pub(super) const ZRAM_HUGE: Rule =
    Rule::new("zram-huge", "much of the data on zram is incompressible", zram_huge)
        .about("Reported if at least {huge_warn} of the data on zram devices that carry swap, and at least {zram_least} MiB of it, is incompressible with their algorithm. Devices of one priority group are judged together, because the kernel distributes pages among them. Each such page takes a whole page of memory, as if it were not swapped out. A device with a backing device can write these pages to it, if the kernel has CONFIG_ZRAM_WRITEBACK.")
        .needs(part_set![Swaps, Zram, ZramDetail])
        .thresholds(&["huge_warn", "zram_least"]);

fn zram_huge(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let all = zram_areas(view)?;
    let mut found = Vec::new();
    for (device, area) in &all {
        let group = all.iter().filter(|(_, other)| other.priority == area.priority);
        let group = group.map(|(device, _)| huge_and_data(view, device));
        let group = group.collect::<Result<Vec<_>, Missing>>()?;
        let huge: Bytes = group.iter().map(|(huge, _)| *huge).sum();
        let data: Bytes = group.iter().map(|(_, data)| *data).sum();
        let (own, own_data) = huge_and_data(view, device)?;
        let is_much = mib(huge) >= policy.zram_least && share(huge, data) >= policy.huge_warn;
        if is_much && own > Bytes(0) {
            let in_group = (group.len() > 1).then_some(huge);
            found.push(zram_huge_finding(device, share(own, own_data), in_group));
        }
    }
    Ok(found)
}

/// Returns the incompressible data of a device, and all its data.
fn huge_and_data(view: &SampleView<'_>, device: &ZramDevice) -> Result<(Bytes, Bytes), Missing> {
    let held = compression::zram(device, &view.now.page_size);
    held.huge.map2(held.data, |huge, data| (huge, data)).into_result()
}

fn zram_huge_finding(device: &ZramDevice, huge_share: f64, in_group: Option<Bytes>) -> Finding {
    let name = &device.name;
    let has_backing = device.backing_dev.known().is_some();
    let is_used_up = writeback_limit_is_used_up(device);
    let sentence = if has_backing && is_used_up {
        "Each incompressible page takes a whole page of memory, as if it were not swapped out. The device has a backing device, but may write nothing more to it: its writeback_limit is 0."
    } else if has_backing {
        "Each incompressible page takes a whole page of memory, as if it were not swapped out. The device has a backing device that can take these pages."
    } else {
        "Each incompressible page takes a whole page of memory, as if it were not swapped out. On kernels with CONFIG_ZRAM_WRITEBACK, a zram device can write them to a disk if it is created with a backing device (swapadm zram swap --backing DEVICE)."
    };
    let cell = |column| EvidenceCell::for_row("zram", name.clone(), column);
    let found = Finding::note(
        ZRAM_HUGE.id,
        format!("{:.0}% of the data on {name} is incompressible", huge_share * 100.0),
        in_group.map_or_else(String::new, judged_together) + sentence,
    )
    .with_subject(name.clone())
    .shown_by(["huge", "data", "memory_ratio"].map(cell));
    let command = || format!("swapadm zram writeback {name} huge");
    if has_backing && !is_used_up { found.fixed_by(command()) } else { found }
}

/// Says how much is incompressible on all devices of a priority group.
fn judged_together(huge: Bytes) -> String {
    format!(
        "The devices of the same priority together hold {:.1}M of incompressible data. ",
        mib(huge)
    )
}

/// Returns whether `writeback_limit` is used up: the kernel then refuses writeback.
fn writeback_limit_is_used_up(device: &ZramDevice) -> bool {
    device.writeback_limit_enable == Reading::Known(true)
        && device.writeback_limit == Reading::Known(0)
}

#[cfg(test)]
mod tests {
    mod zram_limit {
        use super::super::ZRAM_LIMIT;
        use crate::advice::testing::TestMachine;
        use crate::model::zram::MmStat;
        use crate::model::zram::testing::mm_stat;
        use crate::model::{Bytes, Reading};

        const ID: &str = ZRAM_LIMIT.id;

        /// A device that uses this much memory (MiB) of a limit of 100 MiB.
        fn taking(mib: u64) -> TestMachine {
            let mut machine = TestMachine::default().zram("zram0", 5, (1000, 300));
            let mem_limit = Bytes(100 << 20);
            let mm = MmStat { mem_limit, ..mm_stat(300 << 20, mib << 20) };
            machine.devices[0].mm = Reading::Known(mm);
            machine
        }

        #[test]
        fn an_area_that_fills_up_below_its_limit_is_not_reported() {
            let full = |used| {
                let mut machine = TestMachine::default().zram("zram0", 5, (400, used));
                let mem_limit = Bytes(100 << 20);
                let mm = MmStat { mem_limit, ..mm_stat(used << 20, 95 << 20) };
                machine.devices[0].mm = Reading::Known(mm);
                machine.severities(ID)
            };
            assert_eq!(full(300), ["warn"]);
            assert_eq!(full(400), [""; 0]);
        }

        #[test]
        fn a_limit_that_was_reached_may_be_the_cause_of_failed_writes() {
            let sentence = |most: u64| {
                let mut machine = taking(85).failed_writes(3);
                let mm = machine.devices[0].mm.known().unwrap().clone();
                let mem_used_max = Bytes(most << 20);
                machine.devices[0].mm = Reading::Known(MmStat { mem_used_max, ..mm });
                machine.sentence(ID)
            };
            assert!(sentence(100).contains("Raise the limit"), "{}", sentence(100));
            assert!(sentence(85).contains("its limit is not the cause"), "{}", sentence(85));
        }

        #[test]
        fn near_the_limit_is_a_warning_and_writes_that_fail_are_critical() {
            assert_eq!(taking(90).fixes(ID), ["swapadm zram limit zram0 200M"]);
            assert!(
                taking(90).sentence(ID).contains("hardly any more pages"),
                "some pages fit into its memory"
            );
            assert_eq!(taking(89).severities(ID), [""; 0]);
            assert_eq!(taking(100).failed_writes(3).severities(ID), ["crit"]);
            assert_eq!(
                taking(150).fixes(ID),
                ["swapadm zram limit zram0 300M"],
                "used memory stays"
            );
            let mut hidden = taking(89);
            hidden.lost_io = true;
            assert!(hidden.advice().unjudged.iter().any(|(id, _)| *id == ID), "writes may fail");
            let free = TestMachine::default().zram("zram0", 5, (1000, 300));
            assert_eq!(free.severities(ID), [""; 0], "it has no limit");
        }

        #[test]
        fn no_limit_is_advised_that_takes_most_of_memory() {
            assert_eq!(taking(90).memory("MemTotal", 400).fixes(ID).len(), 1);
            assert!(taking(90).memory("MemTotal", 399).fixes(ID).is_empty());
            assert_eq!(taking(90).memory("MemTotal", 399).severities(ID), ["warn"]);
        }

        #[test]
        fn writes_that_fail_without_a_limit_are_no_fault_of_one() {
            let free = TestMachine::default().zram("zram0", 5, (1000, 300)).failed_writes(3);
            assert_eq!(free.severities(ID), ["crit"]);
            assert!(!free.sentence(ID).contains("At its limit"), "{}", free.sentence(ID));
            assert!(taking(100).failed_writes(3).sentence(ID).contains("At its limit"));
        }
    }

    mod zram_ratio {
        use super::super::ZRAM_RATIO;
        use crate::advice::testing::TestMachine;
        use crate::model::paging::BracketedChoice;
        use crate::model::zram::MmStat;
        use crate::model::zram::testing::mm_stat;
        use crate::model::{Bytes, Pages, Reading};

        const ID: &str = ZRAM_RATIO.id;

        fn holding(mib: u64, memory: u64, algorithm: &str) -> TestMachine {
            let mut machine = TestMachine::default().zram("zram0", 5, (1000, mib));
            machine.devices[0].mm = Reading::Known(mm_stat(mib << 20, memory << 20));
            machine.devices[0].algorithm =
                Reading::Known(BracketedChoice::parse(algorithm).unwrap());
            machine
        }

        #[test]
        fn a_low_ratio_is_reported_with_a_better_algorithm() {
            let better = "swapadm zram algorithm zram0 zstd";
            assert_eq!(holding(140, 100, "[lz4] zstd").fixes(ID), [better]);
            assert_eq!(holding(140, 100, "lz4 [zstd]").severities(ID), ["warn"]);
            assert!(holding(140, 100, "lz4 [zstd]").fixes(ID).is_empty());
            assert_eq!(holding(150, 100, "[lz4] zstd").severities(ID), [""; 0]);
            assert_eq!(holding(14, 10, "[lz4] zstd").severities(ID), [""; 0], "too little data");
        }

        #[test]
        fn what_the_allocator_wastes_is_compacted() {
            let mut wasteful = holding(140, 100, "[lz4] zstd");
            let compr_data = Bytes(47 << 20);
            wasteful.devices[0].mm =
                Reading::Known(MmStat { compr_data, ..mm_stat(140 << 20, 100 << 20) });
            assert_eq!(wasteful.fixes(ID), ["swapadm zram compact zram0"]);
            assert!(wasteful.sentence(ID).contains("fragmentation"), "{}", wasteful.sentence(ID));
            // Ratio 1.55 of the data, 1.4 of the memory: fragmentation is as low as on any device.
            let compr_data = Bytes(90 << 20);
            wasteful.devices[0].mm =
                Reading::Known(MmStat { compr_data, ..mm_stat(140 << 20, 100 << 20) });
            assert_eq!(wasteful.fixes(ID), ["swapadm zram algorithm zram0 zstd"]);
        }

        #[test]
        fn what_does_not_compress_at_all_is_no_fault_of_the_algorithm() {
            let mut huge = holding(140, 100, "[lz4] zstd");
            let huge_pages = Reading::Known(Pages(80 * 256));
            huge.devices[0].mm =
                Reading::Known(MmStat { huge_pages, ..mm_stat(140 << 20, 100 << 20) });
            assert_eq!(huge.findings_of(ID).len(), 1);
            assert!(huge.fixes(ID).is_empty());
            assert!(
                huge.sentence(ID).contains("with its algorithm"),
                "no other algorithm was tried"
            );
        }

        #[test]
        fn no_algorithm_is_advised_where_the_device_cannot_be_emptied() {
            let stuck = holding(140, 100, "[lz4] zstd").memory("MemAvailable", 10);
            assert_eq!(stuck.severities(ID), ["warn"]);
            assert!(stuck.fixes(ID).is_empty());
            assert!(holding(140, 100, "[lz4] zstd").sentence(ID).contains("empties the device"));
        }
    }

    mod zram_huge {
        use super::super::ZRAM_HUGE;
        use crate::advice::testing::TestMachine;
        use crate::model::zram::MmStat;
        use crate::model::zram::testing::mm_stat;
        use crate::model::{Name, Pages, Reading};

        const ID: &str = ZRAM_HUGE.id;

        fn holding(mib: u64, huge: u64) -> TestMachine {
            let mut machine = TestMachine::default().zram("zram0", 5, (1000, mib));
            let huge_pages = Reading::Known(Pages(huge * 256));
            machine.devices[0].mm =
                Reading::Known(MmStat { huge_pages, ..mm_stat(mib << 20, mib << 19) });
            machine
        }

        #[test]
        fn no_writeback_is_advised_when_its_limit_is_used_up() {
            let backed = |limit| {
                let mut machine = holding(100, 50);
                machine.devices[0].backing_dev = Reading::Known("/dev/sdb1".into());
                machine.devices[0].writeback_limit_enable = Reading::Known(true);
                machine.devices[0].writeback_limit = Reading::Known(limit);
                machine
            };
            assert_eq!(backed(1).fixes(ID), ["swapadm zram writeback zram0 huge"]);
            assert!(backed(0).has_no_command(ID));
            assert!(backed(0).sentence(ID).contains("writeback_limit is 0"));
        }

        #[test]
        fn devices_of_one_priority_get_the_same_answer() {
            let twins = |first: u64, second: u64, priority| {
                let mut machine = holding(1000, 0).zram("zram1", priority, (1000, 1000));
                for (device, huge) in machine.devices.iter_mut().zip([first, second]) {
                    let huge_pages = Reading::Known(Pages(huge));
                    device.mm =
                        Reading::Known(MmStat { huge_pages, ..mm_stat(1000 << 20, 500 << 20) });
                }
                machine.severities(ID)
            };
            assert_eq!(twins(64_005, 63_996, 5), ["note", "note"], "25.002 % and 24.998 %");
            assert_eq!(twins(64_003, 63_996, 5), [""; 0], "together just below 25 %");
            assert_eq!(twins(64_003, 63_996, 4), ["note"], "their data differs");
        }

        #[test]
        fn many_incompressible_pages_are_reported() {
            assert_eq!(holding(100, 25).severities(ID), ["note"]);
            assert_eq!(holding(100, 24).severities(ID), [""; 0]);
            assert_eq!(holding(30, 15).severities(ID), [""; 0], "too little to matter");
            assert!(holding(100, 25).sentence(ID).contains("CONFIG_ZRAM_WRITEBACK"));
            let mut backed = holding(100, 25);
            backed.devices[0].backing_dev = Reading::Known(Name::from("/dev/sdb"));
            assert_eq!(backed.fixes(ID), ["swapadm zram writeback zram0 huge"]);
        }
    }
}
