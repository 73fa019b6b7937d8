use super::*;
use crate::model::Bytes;
use crate::root::testing::{TestTree, mangled};

/// All files of each device.
const ALL: PartSet = PartSet::from_parts(&[Part::ZramDetail]);

fn device(files: &[(&str, &str)]) -> ZramDevice {
    let tree = TestTree::new();
    tree.folder("sys/block/zram0");
    for (file, text) in files {
        tree.write(&format!("sys/block/zram0/{file}"), text);
    }
    let mut devices = read(&tree.root(), ALL).into_result().unwrap();
    assert_eq!(devices.len(), 1);
    devices.remove(0)
}

fn kind<T>(reading: &Reading<T>) -> &'static str {
    reading.missing().map_or("known", |missing| missing.kind())
}

/// Files of a 7.2 kernel after a writeback of huge pages.
const NEW: [(&str, &str); 12] = [
    ("initstate", "1\n"),
    ("disksize", "268435456\n"),
    (
        "mm_stat",
        "188416000 44651875 45547520 209715200 85975040     6523        0        0     9870\n",
    ),
    ("io_stat", "       0        0 0        0\n"),
    ("bd_stat", "    9870        0     9870\n"),
    ("debug_stat", "version: 1\n0        0\n"),
    ("comp_algorithm", "lz4 lz4hc [zstd] deflate \n"),
    ("backing_dev", "/dev/vdb\n"),
    ("writeback_limit", "0\n"),
    ("writeback_limit_enable", "0\n"),
    ("writeback_batch_size", "32\n"),
    ("compressed_writeback", "0\n"),
];

#[test]
fn a_device_of_a_new_kernel() {
    let zram = device(&NEW);
    assert_eq!(zram.initialised, Reading::Known(true));
    assert_eq!(zram.disksize, Reading::Known(Bytes(256 << 20)));
    assert_eq!(zram.algorithm.known().unwrap().current, "zstd");
    let mm = zram.mm.known().unwrap();
    assert_eq!(mm.orig_data, Bytes(188_416_000));
    assert_eq!(mm.mem_limit, Bytes(200 << 20));
    assert_eq!(mm.same_pages, Pages(6523));
    assert_eq!(mm.huge_pages, Reading::Known(Pages(0)));
    assert_eq!(mm.huge_pages_since, Reading::Known(Pages(9870)));
    let bd = BdStat { count: 9870, reads: 0, writes: 9870 };
    assert_eq!(zram.bd, Reading::Known(bd));
    assert_eq!(zram.backing_dev, Reading::Known(Name::from("/dev/vdb")));
    assert_eq!(zram.compressed_writeback, Reading::Known(false));
    assert_eq!(zram.writeback_batch_size, Reading::Known(32));
    let why = zram.max_comp_streams.missing().unwrap().to_string();
    assert!(why.contains("missing since kernel 6.18"), "{why}");
}

#[test]
fn a_device_without_a_size_and_without_options_is_still_there() {
    let zram = device(&[
        ("initstate", "0\n"),
        ("disksize", "0\n"),
        ("backing_dev", "none\n"),
        ("max_comp_streams", "4\n"),
        ("debug_stat", "version: 1\n       3        4\n"),
    ]);
    assert_eq!(zram.initialised, Reading::Known(false));
    assert_eq!(zram.disksize, Reading::Known(Bytes(0)));
    assert_eq!(zram.max_comp_streams, Reading::Known(4));
    let debug = DebugStat { writestall: 3, miss_free: 4 };
    assert_eq!(zram.debug, Reading::Known(debug));
    let why = zram.backing_dev.missing().unwrap().to_string();
    assert!(why.contains("no backing device is set"), "{why}");
    assert!(!why.contains("CONFIG"), "{why}");
    for absent in [kind(&zram.mm), kind(&zram.bd), kind(&zram.recomp_algorithms)] {
        assert_eq!(absent, "absent");
    }
}

#[test]
fn mm_stat_of_every_generation() {
    let known = |text: &str| mm_stat(text.as_bytes());
    let seven = known("1 2 3 4 5 6 7\n").unwrap();
    assert_eq!(kind(&seven.huge_pages), "absent");
    let eight = known("1 2 3 4 5 6 7 8\n").unwrap();
    assert_eq!(eight.huge_pages, Reading::Known(Pages(8)));
    assert_eq!(kind(&eight.huge_pages_since), "absent");
    let ten = known("1 2 3 4 5 6 7 8 9 of a later kernel\n").unwrap();
    assert_eq!(ten.huge_pages_since, Reading::Known(Pages(9)));
    for bad in ["", "1 2 3 4 5 6", "1 2 3 4 5 6 -7", "1 2 3 4 5 6 7 x", "\0"] {
        assert_eq!(known(bad), None, "{bad:?}");
    }
    assert_eq!(known("1 2 3 4 5 6 18446744073709551616"), None);
    assert!(known("1 2 3 4 5 6 18446744073709551615").is_some());
}

#[test]
fn an_unknown_version_of_debug_stat_is_failed() {
    for bad in ["version: 2\n1 2\n", "1 2\n", "version: 1\n1\n", "version: 1", ""] {
        let zram = device(&[("debug_stat", bad)]);
        assert_eq!(kind(&zram.debug), "failed", "{bad:?}");
    }
}

#[test]
fn recompression_has_a_line_for_each_priority() {
    let zram =
        device(&[("recomp_algorithm", "#1: lzo lzo-rle [zstd] \n#2: lzo [deflate] zstd \n")]);
    let choices = zram.recomp_algorithms.into_result().unwrap();
    let current: Vec<_> = choices.iter().map(|c| c.current.as_str()).collect();
    assert_eq!(current, ["zstd", "deflate"]);
    assert_eq!(recompression(b""), Some(vec![]));
    for bad in ["lzo [zstd]", "#x: [zstd]", "#1 [zstd]", "#1: zstd", "#"] {
        assert_eq!(recompression(bad.as_bytes()), None, "{bad}");
    }
}

#[test]
fn devices_are_sorted_by_number_and_others_left_out() {
    let tree = TestTree::new();
    for name in ["zram10", "zram2", "zram", "zram02", "zramx", "zram1p1", "sda"] {
        tree.folder(&format!("sys/block/{name}"));
    }
    let devices = read(&tree.root(), ALL).into_result().unwrap();
    let names: Vec<_> = devices.iter().map(|zram| zram.name.as_str()).collect();
    assert_eq!(names, ["zram2", "zram10"]);
}

#[test]
fn no_device_is_an_empty_list_and_no_sysfs_is_absent() {
    let tree = TestTree::new();
    assert_eq!(kind(&read(&tree.root(), ALL)), "absent");
    tree.folder("sys/block/sda");
    assert_eq!(read(&tree.root(), ALL), Reading::Known(vec![]));
}

#[test]
fn rubbish_is_failed_and_mangled_files_never_panic() {
    for bad in ["", "\n", "\u{1b}[2J\0", "99999999999999999999"] {
        let zram = device(&[
            ("disksize", bad),
            ("initstate", bad),
            ("comp_algorithm", bad),
            ("io_stat", bad),
            ("bd_stat", bad),
        ]);
        let kinds = [
            kind(&zram.disksize),
            kind(&zram.initialised),
            kind(&zram.algorithm),
            kind(&zram.io),
            kind(&zram.bd),
        ];
        assert_eq!(kinds, ["failed"; 5], "{bad:?}");
    }
    for (file, good) in NEW {
        mangled(good.as_bytes(), 100, |bytes| {
            let tree = TestTree::new();
            tree.write(&format!("sys/block/zram0/{file}"), bytes);
            assert!(read(&tree.root(), ALL).known().is_some());
        });
    }
}

#[test]
fn only_requested_files_are_read() {
    let tree = TestTree::with(&[
        ("sys/block/zram0/initstate", "1\n"),
        ("sys/block/zram0/disksize", "4096\n"),
        ("sys/block/zram0/mm_stat", "1 2 3 4 5 6 7 8 9\n"),
        ("sys/block/zram0/io_stat", "1 2 3 4\n"),
    ]);
    let device = |parts| read(&tree.root(), parts).into_result().unwrap().remove(0);
    let short = device(PartSet::NONE);
    assert!(short.mm.known().is_some() && short.disksize.known().is_some());
    assert_eq!(short.io, Reading::not_sampled());
    assert_eq!(device(ALL).io.known().unwrap().failed_reads, 1);
}

#[test]
fn processes_that_hold_it_open_are_named() {
    let tree = TestTree::with(&[
        ("sys/block/zram1/mm_stat", "8192 100 4096 0 4096 0 0 0 0\n"),
        ("proc/7/comm", "hol\tder\n"),
        ("proc/8/comm", "other\n"),
    ]);
    tree.folder("sys/block/zram1/holders");
    tree.link("proc/7/fd/3", "/dev/zram1");
    tree.link("proc/8/fd/3", "/dev/zram10");
    let held = users(&tree.root(), 1);
    assert_eq!(held.openers, [Opener { pid: 7, name: "hol\\tder".to_owned() }]);
    assert_eq!(held.stored, Reading::Known(Bytes(8192)));
    assert!(held.holders.is_empty() && held.mounted.is_none());
}

#[test]
fn what_the_first_device_lacks_is_not_looked_for_at_the_others() {
    let tree = TestTree::new();
    tree.folder("sys/block/zram0");
    for number in [1, 2] {
        for (file, text) in NEW {
            tree.write(&format!("sys/block/zram{number}/{file}"), text);
        }
    }
    std::fs::remove_file(tree.path().join("sys/block/zram1/backing_dev")).unwrap();
    // The first does not answer, as while it is removed.
    let devices = read(&tree.root(), ALL).into_result().unwrap();
    let reasons = devices.iter().map(|it| it.backing_dev.missing().unwrap().to_string());
    let reasons: Vec<_> = reasons.collect();
    for (number, why) in reasons.iter().enumerate() {
        assert!(why.contains(&format!("zram{number}/backing_dev does not exist")), "{why}");
    }
    let bd = |number: usize| devices[number].bd.known().copied();
    let written = BdStat { count: 9870, reads: 0, writes: 9870 };
    assert_eq!([bd(0), bd(1), bd(2)], [None, Some(written), Some(written)]);
}
