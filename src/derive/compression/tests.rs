use super::*;
use crate::model::paging::Counters;
use crate::model::zram::{BdStat, MmStat, testing};
use crate::model::{Sampled, Stamp};

fn device(mm: MmStat, bd: Reading<BdStat>) -> ZramDevice {
    ZramDevice { bd, ..testing::device("zram0", mm) }
}

/// Figures of a real device after writeback of 9870 incompressible pages.
fn written_back() -> MmStat {
    MmStat {
        orig_data: Bytes(188_416_000),
        compr_data: Bytes(44_651_875),
        mem_used: Bytes(45_547_520),
        mem_limit: Bytes(209_715_200),
        mem_used_max: Bytes(85_975_040),
        same_pages: Pages(6523),
        pages_compacted: Pages(0),
        huge_pages: Reading::Known(Pages(0)),
        huge_pages_since: Reading::Known(Pages(9870)),
    }
}

#[test]
fn written_back_and_same_filled_pages_do_not_raise_the_ratio() {
    let bd = Reading::Known(BdStat { count: 9870, reads: 0, writes: 9870 });
    let ratio = zram(&device(written_back(), bd), &Reading::Known(4096));
    // 188416000 - 9870*4096 - 6523*4096 = 121270272; the raw quotient would be 4.22.
    assert_eq!(ratio.data, Reading::Known(Bytes(121_270_272)));
    assert!((ratio.ratio.known().unwrap() - 2.7159).abs() < 0.0001);
    assert!((ratio.memory_ratio.known().unwrap() - 2.6625).abs() < 0.0001);
}

#[test]
fn a_kernel_without_writeback_has_written_nothing_back() {
    let ratio = zram(&device(written_back(), Reading::absent("no bd_stat")), &Reading::Known(4096));
    assert_eq!(ratio.data, Reading::Known(Bytes(161_697_792)));
    assert_eq!(ratio.written_back.missing().unwrap().kind(), "absent");
}

#[test]
fn an_unreadable_bd_stat_makes_the_ratio_unknown_rather_than_wrong() {
    let ratio = zram(&device(written_back(), Reading::failed("timeout")), &Reading::Known(4096));
    assert_eq!(ratio.ratio.missing().unwrap().kind(), "failed");
}

#[test]
fn an_empty_device_has_no_ratio() {
    let empty =
        MmStat { orig_data: Bytes(0), compr_data: Bytes(0), mem_used: Bytes(0), ..written_back() };
    let ratio = zram(&device(empty, Reading::absent("x")), &Reading::Known(4096));
    assert_eq!(ratio.ratio, Reading::absent("nothing is stored or used"));
}

#[test]
fn a_nearly_empty_device_has_no_memory_ratio() {
    let header = MmStat {
        orig_data: Bytes(4096),
        compr_data: Bytes(63),
        mem_used: Bytes(20_480),
        same_pages: Pages(0),
        ..written_back()
    };
    let ratio = zram(&device(header, Reading::absent("x")), &Reading::Known(4096));
    assert_eq!(ratio.memory_ratio.missing().unwrap().kind(), "absent");
}

fn counters(source: &str, pairs: &[(&str, u64)]) -> Counters {
    Counters::new(source, pairs.iter().map(|(name, value)| ((*name).into(), *value)).collect())
}

/// A machine with zswap, this parameter of old kernels and these counters.
fn machine(
    meminfo: &[(&str, u64)],
    parameter: Reading<bool>,
    debug: Reading<Counters>,
) -> Snapshot {
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let zswap = Zswap {
        enabled: Reading::Known(true),
        compressor: Reading::not_sampled(),
        zpool: Reading::not_sampled(),
        max_pool_percent: Reading::not_sampled(),
        accept_threshold_percent: Reading::not_sampled(),
        shrinker_enabled: Reading::not_sampled(),
        same_filled_pages_enabled: parameter,
        non_same_filled_pages_enabled: Reading::not_sampled(),
        debug,
    };
    let meminfo = Reading::Known(counters("/proc/meminfo", meminfo));
    snapshot.meminfo = Sampled::new(None, meminfo);
    snapshot.zswap = Sampled::new(None, Reading::Known(zswap));
    snapshot.page_size = Reading::Known(4096);
    snapshot
}

#[test]
fn unknown_same_filled_pages_make_the_ratio_unknown_where_the_kernel_has_them() {
    let meminfo = [("Zswap", 400), ("Zswapped", 1200)];
    let ratio = |parameter, debug| zswap(&machine(&meminfo, parameter, debug)).ratio;
    let counted = |name| Reading::Known(counters("zswap", &[(name, 100)]));
    let (on, gone) = (|| Reading::Known(true), || Reading::absent("gone"));
    assert_eq!(ratio(on(), Reading::failed("no way in")), Reading::failed("no way in"));
    assert_eq!(ratio(on(), counted("same_filled_pages")), Reading::Known(2.0));
    assert_eq!(ratio(gone(), Reading::failed("no way in")), Reading::Known(3.0));
    assert_eq!(ratio(gone(), counted("stored_pages")), Reading::Known(3.0));
    assert_eq!(ratio(on(), counted("stored_pages")), Reading::Known(3.0));
}

#[test]
fn before_6_1_debugfs_tells_what_zswap_holds() {
    let debug = counters(
        "zswap",
        &[("pool_total_size", 8192), ("stored_pages", 6), ("same_filled_pages", 2)],
    );
    let facts = zswap(&machine(&[], Reading::Known(true), Reading::Known(debug)));
    assert_eq!(facts.pool, Reading::Known(Bytes(8192)));
    assert_eq!(facts.stored, Reading::Known(Bytes(24576)));
    assert_eq!(facts.ratio, Reading::Known(2.0));
    let facts = zswap(&machine(&[], Reading::Known(true), Reading::failed("no way in")));
    assert_eq!(facts.pool, Reading::failed("no way in"));
}

#[test]
fn what_zswap_keeps_is_not_known_where_nothing_tells_and_it_is_on() {
    let mut snapshot = machine(&[], Reading::absent("gone"), Reading::absent("no debugfs"));
    snapshot.zram = Sampled::new(None, Reading::absent("no zram"));
    let mut of = |enabled| {
        let mut zswap = snapshot.zswap.reading.known().unwrap().clone();
        zswap.enabled = Reading::Known(enabled);
        snapshot.zswap = Sampled::new(None, Reading::Known(zswap));
        compressed_totals(&snapshot).data
    };
    assert!(of(true).missing().is_some());
    assert_eq!(of(false), Reading::Known(Bytes(0)));
}

#[test]
fn zram_and_zswap_are_summed_and_what_the_kernel_lacks_keeps_nothing() {
    let bd = Reading::Known(BdStat { count: 9870, reads: 0, writes: 9870 });
    let meminfo = [("Zswap", 400), ("Zswapped", 1200)];
    let mut snapshot = machine(&meminfo, Reading::absent("gone"), Reading::absent("none"));
    snapshot.zram = Sampled::new(None, Reading::absent("no zram"));
    let both = |data, memory| CompressedTotals {
        data: Reading::Known(Bytes(data)),
        memory: Reading::Known(Bytes(memory)),
    };
    assert_eq!(compressed_totals(&snapshot), both(1200 << 10, 400 << 10));
    snapshot.zram = Sampled::new(None, Reading::Known(vec![device(written_back(), bd)]));
    assert_eq!(
        compressed_totals(&snapshot),
        both(121_270_272 + (1200 << 10), 45_547_520 + (400 << 10))
    );
    let broken = device(written_back(), Reading::failed("timeout"));
    snapshot.zram = Sampled::new(None, Reading::Known(vec![broken]));
    assert_eq!(compressed_totals(&snapshot).data, Reading::failed("timeout"));
}
