use super::*;
use crate::root::testing::TestTree;

fn known(tree: &TestTree) -> Zswap {
    read(&tree.root()).into_result().unwrap()
}

fn why<T>(reading: &Reading<T>) -> String {
    reading.missing().unwrap().to_string()
}

#[test]
fn an_old_kernel_has_zpool_and_no_shrinker() {
    let tree = TestTree::with(&[
        ("sys/module/zswap/parameters/enabled", "Y\n"),
        ("sys/module/zswap/parameters/compressor", "lz4\n"),
        ("sys/module/zswap/parameters/zpool", "zsmalloc\n"),
        ("sys/module/zswap/parameters/max_pool_percent", "20\n"),
        ("sys/module/zswap/parameters/same_filled_pages_enabled", "N\n"),
        ("sys/kernel/debug/zswap/pool_limit_hit", "0\n"),
        ("sys/kernel/debug/zswap/stored_pages", "54784\n"),
        ("sys/kernel/debug/zswap/of_a_later_kernel", "3\n"),
        ("sys/kernel/debug/zswap/text", "no number\n"),
    ]);
    let zswap = known(&tree);
    assert_eq!(zswap.enabled, Reading::Known(true));
    assert_eq!(zswap.zpool, Reading::Known("zsmalloc".to_owned()));
    assert_eq!(zswap.max_pool_percent, Reading::Known(20));
    assert_eq!(zswap.same_filled_pages_enabled, Reading::Known(false));
    assert!(why(&zswap.shrinker_enabled).contains("6.8"));
    let all: Vec<_> = zswap.debug.known().unwrap().iter().collect();
    let wanted = [("of_a_later_kernel", 3), ("pool_limit_hit", 0), ("stored_pages", 54784)];
    assert_eq!(all, wanted);
}

#[test]
fn a_new_kernel_names_removed_settings() {
    let tree = TestTree::with(&[("sys/module/zswap/parameters/shrinker_enabled", "N\n")]);
    let zswap = known(&tree);
    assert!(why(&zswap.zpool).contains("removed in kernel 6.18"));
    assert!(why(&zswap.same_filled_pages_enabled).contains("removed in kernel 6.12"));
    assert_eq!(zswap.shrinker_enabled, Reading::Known(false));
}

#[test]
fn missing_counters_have_distinct_reasons() {
    let tree = TestTree::with(&[("sys/module/zswap/parameters/enabled", "N\n")]);
    let reason = || why(&known(&tree).debug);
    assert!(reason().contains("does not exist"), "{}", reason());
    tree.folder(DEBUGFS);
    assert!(reason().contains("not mounted"), "{}", reason());
    tree.write("proc/mounts", "none /sys/kernel/debug debugfs rw 0 0\n");
    assert!(reason().contains("never enabled"), "{}", reason());
    tree.write("proc/mounts", "");
    tree.folder("sys/kernel/debug/zram");
    assert!(reason().contains("never enabled"), "{}", reason());
    tree.folder(DEBUG);
    assert!(reason().contains("has no counters"), "{}", reason());
    tree.write("sys/kernel/debug/zswap/stored_pages", "1");
    assert!(known(&tree).debug.known().is_some());
}

#[test]
fn a_kernel_without_zswap_has_nothing_at_all() {
    let reason = why(&read(&TestTree::with(&[("sys/module/x", "")]).root()));
    assert!(reason.contains("built without zswap"), "{reason}");
}

#[test]
fn rubbish_is_failed_and_never_a_value() {
    for bad in ["", "\n", "\u{1b}[2J\0", "99999999999999999999", "-1"] {
        let tree = TestTree::with(&[
            ("sys/module/zswap/parameters/enabled", bad),
            ("sys/module/zswap/parameters/max_pool_percent", bad),
            ("sys/kernel/debug/zswap/stored_pages", bad),
        ]);
        let zswap = known(&tree);
        assert_eq!(zswap.enabled.missing().unwrap().kind(), "failed", "{bad:?}");
        assert_eq!(zswap.max_pool_percent.missing().unwrap().kind(), "failed");
        assert!(zswap.debug.known().is_none());
    }
    let tree = TestTree::with(&[("sys/module/zswap/parameters/compressor", " \n")]);
    assert_eq!(known(&tree).compressor.missing().unwrap().kind(), "failed");
}
