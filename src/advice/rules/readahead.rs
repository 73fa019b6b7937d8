//! Rules about swap readahead.

use crate::advice::areas::{
    AreaWithDevice, areas_by_speed, join_names, knob_cell, knob_number, short_names,
};
use crate::advice::finding::cells;
use crate::advice::{Certainty, Finding, Rule, RuleResult};
use crate::derive::speed::{self, Speed};
use crate::derive::{SampleView, readahead};
use crate::model::kernel::Release;
use crate::model::{Missing, Policy, part_set};

/// Reports readahead with a low hit rate.
pub(super) const READAHEAD_WASTED: Rule =
    Rule::new("readahead-wasted", "readahead reads pages that are not used", readahead_wasted)
        .about("Reported if less than {readahead_low} of the pages read ahead between the samples were used. Few pages do not count: at least {often} pages per second must have been read ahead, and these must be at least {ahead_least} of all pages read from swap. Each wasted page costs a read and a page of memory. Not reported while a swapoff runs, because its reads count as readahead too.")
        .needs(part_set![Swaps, Block, Vmstat, Knobs, Meminfo])
        .thresholds(&["readahead_low", "ahead_least", "often"]);

fn readahead_wasted(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let page_cluster = knob_number(view.now, "page-cluster")?;
    if !is_wasted(view, policy)? || page_cluster == 0 {
        return Ok(vec![]);
    }
    let sentence = "Each page that is read ahead but not used costs a read from swap and a page of memory. A smaller page-cluster reads fewer pages at once; the same figures show the effect.";
    let figures = ["hit_rate", "wasted_rate", "share_of_reads"];
    let found =
        Finding::warn(READAHEAD_WASTED.id, "readahead reads pages that are not used", sentence)
            .with_certainty(Certainty::Likely)
            .shown_by(cells("readahead", figures))
            .shown_by([knob_cell("page-cluster")])
            .fixed_by(format!("swapadm set page-cluster={}", smaller(view, page_cluster)));
    Ok(vec![found])
}

/// Returns whether many pages were read ahead between the samples, and few of them used.
fn is_wasted(view: &SampleView<'_>, policy: &Policy) -> Result<bool, Missing> {
    let (success, seconds) = readahead::in_window(view);
    let rate = success.ahead.into_result()? as f64 / seconds.into_result()?;
    // The rate comes first: without readahead there is no hit rate, and nothing to report.
    let are_few = readahead::are_few(rate, success.of_reads.known().copied(), policy);
    Ok(!are_few && success.share.into_result()? < policy.readahead_low)
}

/// Returns the page-cluster that halves the present window, which can be smaller than page-cluster says: VMA
/// readahead uses at most 5 (32 pages).
fn smaller(view: &SampleView<'_>, page_cluster: u64) -> u64 {
    let window = readahead::limit(view.now);
    window.known().map_or(page_cluster, |pages| u64::from(pages.ilog2())).saturating_sub(1)
}

/// Reports a rotational area that disables VMA readahead for all areas.
pub(super) const READAHEAD_DEVICE: Rule = Rule::new(
    "readahead-device",
    "a rotational area disables VMA readahead for all areas",
    readahead_device,
)
.about("VMA readahead follows the addresses of a process. While any area is flagged as rotational, the kernel does not use it, but reads ahead along the slots of the device, on every area. Reported if three conditions hold: VMA readahead is enabled; a rotational area stands beside a solid state one, or only virtio disks are flagged (they always are, whatever storage the host uses); and it does harm: less than {readahead_low} of the pages read ahead between the samples were used, and these were at least {often} per second and {ahead_least} of all pages read from swap. The kernel reads the rotational flag at swapon: change it before that.")
.needs(READAHEAD_WASTED.needs)
.thresholds(READAHEAD_WASTED.thresholds);

fn readahead_device(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let is_off = knob_number(view.now, "page-cluster")? == 0;
    let follows = view.now.knob("vma_ra_enabled").into_result()?.starts_with('t');
    let all = areas_by_speed(view)?;
    let rotating = |place: &AreaWithDevice<'_>| {
        place.block().is_some_and(|block| block.rotational.known() == Some(&true))
    };
    let (slow, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(it, _)| rotating(it));
    // The kernel reads the flag of the area's own device, not of the devices below it.
    let virtio = slow.iter().filter_map(|(place, _)| {
        let block = place.block().filter(|block| speed::is_virtio(block))?;
        Some(speed::rotational_file(block))
    });
    let mut virtio: Vec<String> = virtio.collect();
    // Beside a disk that really rotates, changing the flag of virtio disks would not help.
    let only_virtio = !slow.is_empty() && virtio.len() == slow.len();
    virtio.sort_unstable();
    virtio.dedup();
    let hinders = others.iter().any(|(_, speed)| *speed == Speed::Solid) || only_virtio;
    if is_off || !follows || slow.is_empty() || !hinders || !is_wasted(view, policy)? {
        return Ok(vec![]);
    }
    let names = short_names(slow.iter().map(|(place, _)| place.name()));
    let sentence = if only_virtio {
        format!(
            "The kernel reads ahead along the slots of the device on every area. A virtio disk is always flagged as rotational, whatever storage the host uses. If that storage is not rotational, disable the area, write 0 to {}, and enable the area again. The next boot resets this, unless a udev rule writes it.",
            join_names(virtio)
        )
    } else {
        "The kernel reads ahead along the slots of the device on every area, which helps on rotational disks only. Without rotational areas, readahead follows the addresses of the process.".to_owned()
    };
    let verb = match (only_virtio, slow.len() > 1) {
        (true, true) => "are flagged as rotational",
        (true, false) => "is flagged as rotational",
        (false, true) => "are rotational",
        (false, false) => "is rotational",
    };
    let summary = format!("{names} {verb}: readahead follows device slots on all areas");
    let found = Finding::note(READAHEAD_DEVICE.id, summary, sentence)
        .shown_by(cells("readahead", ["mode", "hit_rate"]))
        .shown_by([knob_cell("vma_ra_enabled")])
        .shown_by(slow.iter().map(|(place, _)| place.cell("rotational")));
    Ok(vec![found])
}

/// Reports readahead from zram.
pub(super) const READAHEAD_ZRAM: Rule =
    Rule::new("readahead-zram", "pages are read ahead from zram", readahead_zram)
        .about("Reported if all swapped pages are on zram, the kernel is 6.18 or older, and pages were read ahead between the samples. zram has no seeks that readahead could save: each page costs its own decompression. These kernels skip readahead for pages of a single process, but read ahead for shared pages and, up to 6.12 at least, for tmpfs. Kernels after 6.18 read nothing ahead from zram.")
        .needs(part_set![Meminfo, Swaps, Zram, ZramDetail, Knobs, Kernel, Vmstat]);

/// The last release that reads ahead from zram.
const LAST_WITH_ZRAM_READAHEAD: Release = Release(6, 18);

fn readahead_zram(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let page_cluster = knob_number(view.now, "page-cluster")?;
    let only_zram = readahead::only_zram(view.now).into_result()?;
    let ahead = readahead::in_window(view).0.ahead.into_result()?;
    let is_old = view.now.release().into_result()? <= LAST_WITH_ZRAM_READAHEAD;
    if page_cluster == 0 || !only_zram || ahead == 0 || !is_old {
        return Ok(vec![]);
    }
    let sentence = "Readahead saves seeks, and zram has no seeks: each page costs its own decompression, needed or not. This kernel reads ahead for pages that several processes share and, up to 6.12 at least, for tmpfs.";
    let found = Finding::note(READAHEAD_ZRAM.id, READAHEAD_ZRAM.title, sentence)
        .shown_by([knob_cell("page-cluster")])
        .shown_by(cells("readahead", ["ahead_rate"]))
        .fixed_by("swapadm set page-cluster=0 --persist");
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    mod readahead_wasted {
        use super::super::READAHEAD_WASTED;
        use crate::advice::testing::TestMachine;

        const ID: &str = READAHEAD_WASTED.id;

        fn reading(ahead: u64, used: u64, all: u64) -> TestMachine {
            let machine =
                TestMachine::default().disk("sda", 5, (1000, 500)).memory("SwapTotal", 1000);
            machine.counted("swap_ra", ahead).counted("swap_ra_hit", used).counted("pswpin", all)
        }

        #[test]
        fn the_advised_page_cluster_shrinks_the_window() {
            let large = || reading(1000, 0, 2000).knob("page-cluster", "9");
            assert_eq!(large().fixes(ID), ["swapadm set page-cluster=4"], "32 pages at most");
            let device = large().knob("vma_ra_enabled", "false");
            assert_eq!(device.fixes(ID), ["swapadm set page-cluster=8"]);
        }

        #[test]
        fn waste_is_reported_where_it_is_large() {
            assert_eq!(reading(1000, 499, 2000).fixes(ID), ["swapadm set page-cluster=2"]);
            assert_eq!(reading(1000, 500, 2000).severities(ID), [""; 0]);
            assert_eq!(reading(99, 0, 200).severities(ID), [""; 0], "seldom");
            assert_eq!(reading(1000, 0, 5001).severities(ID), [""; 0], "a small part");
            assert_eq!(reading(0, 0, 0).severities(ID), [""; 0]);
            assert_eq!(reading(0, 0, 0).state(ID), "fine", "it was judged");
        }
    }

    mod readahead_device {
        use super::super::READAHEAD_DEVICE;
        use crate::advice::testing::TestMachine;
        use crate::model::Reading;

        const ID: &str = READAHEAD_DEVICE.id;

        /// A machine on which few of the pages that were read ahead are used.
        fn wasteful() -> TestMachine {
            TestMachine::default()
                .counted("swap_ra", 1000)
                .counted("swap_ra_hit", 100)
                .counted("pswpin", 2000)
        }

        #[test]
        fn readahead_along_the_device_is_no_fault_while_it_is_unused_or_hits() {
            let virtio = || wasteful().rotating("vda", 4, (1000, 0));
            assert_eq!(virtio().severities(ID), ["note"]);
            assert_eq!(virtio().counted("swap_ra_hit", 500).severities(ID), [""; 0]);
            let idle = virtio().counted("swap_ra", 0).counted("swap_ra_hit", 0);
            assert_eq!(idle.counted("pswpin", 0).severities(ID), [""; 0]);
        }

        #[test]
        fn a_rotating_disk_among_others_and_a_virtio_disk_are_reported() {
            let solid = || wasteful().disk("sda", 5, (1000, 0));
            assert_eq!(solid().rotating("sdb", 4, (1000, 0)).severities(ID), ["note"]);
            assert_eq!(solid().severities(ID), [""; 0]);
            let off = solid().rotating("sdb", 4, (1000, 0)).knob("vma_ra_enabled", "false");
            assert_eq!(off.severities(ID), [""; 0]);
            let alone = |name| wasteful().rotating(name, 4, (1000, 0));
            assert_eq!(alone("sdb").severities(ID), [""; 0], "device readahead suits it");
            assert_eq!(alone("vda").severities(ID), ["note"]);
            assert_eq!(alone("vda").knob("page-cluster", "0").severities(ID), [""; 0]);
        }

        #[test]
        fn a_virtio_disk_below_device_mapper_counts_too() {
            let mapped = |disk: &str| {
                let mut machine = wasteful().rotating("dm-0", 4, (1000, 0));
                machine.blocks[0].disks = Reading::Known(vec![disk.to_owned()]);
                machine
            };
            assert_eq!(mapped("sda").severities(ID), [""; 0]);
            let told = mapped("vda").sentence(ID);
            assert!(told.contains("/sys/block/dm-0/queue/rotational"), "{told}");
        }

        #[test]
        fn every_virtio_disk_has_its_own_path_unless_a_real_disk_rotates() {
            let add = |machine: TestMachine, name| machine.rotating(name, 4, (1000, 0));
            let told = ["vdb", "vda", "vdb"].into_iter().fold(wasteful(), add).sentence(ID);
            let paths = "/sys/block/vda/queue/rotational and /sys/block/vdb/queue/rotational,";
            assert!(told.contains(paths) && told.contains("udev rule"), "{told}");
            let beside = add(add(wasteful(), "vda"), "sdb");
            assert_eq!(
                beside.severities(ID),
                [""; 0],
                "readahead along the device is right for sdb"
            );
            let mixed = beside.disk("sda", 5, (1000, 0)).sentence(ID);
            assert!(!mixed.contains("/sys/block"), "{mixed}");
        }
    }

    mod readahead_zram {
        use super::super::READAHEAD_ZRAM;
        use crate::advice::testing::TestMachine;

        const ID: &str = READAHEAD_ZRAM.id;

        #[test]
        fn readahead_from_zram_is_reported_on_kernels_that_do_it() {
            let zram = || {
                TestMachine::default()
                    .zram("zram0", 5, (1000, 10))
                    .counted("swap_ra", 7)
                    .memory("SwapTotal", 1000)
            };
            assert_eq!(zram().fixes(ID), ["swapadm set page-cluster=0 --persist"]);
            assert!(zram().sentence(ID).contains("up to 6.12"), "later kernels may skip files");
            assert_eq!(zram().knob("page-cluster", "0").severities(ID), [""; 0]);
            assert_eq!(zram().on("7.2.1").severities(ID), [""; 0]);
            assert_eq!(zram().counted("swap_ra", 0).severities(ID), [""; 0]);
            assert_eq!(
                zram().disk("sda", 1, (1000, 10)).memory("SwapTotal", 2000).severities(ID),
                [""; 0]
            );
        }
    }
}
