use super::*;
use crate::root::testing::{TestTree, mangled};

fn at(file: &str) -> String {
    format!("{PATH}/{file}")
}

fn tree(files: &[(&str, &str)]) -> TestTree {
    let tree = TestTree::new();
    for (file, text) in files {
        tree.write(&at(file), text);
    }
    tree
}

fn known(tree: &TestTree) -> Thp {
    read(&tree.root()).into_result().unwrap()
}

#[test]
fn sizes_are_sorted_by_number_and_keep_all_their_statistics() {
    let tree = tree(&[
        ("enabled", "always [madvise] never\n"),
        ("defrag", "always defer defer+madvise [madvise] never\n"),
        ("shmem_enabled", "always within_size advise [never] deny force\n"),
        ("hpage_pmd_size", "2097152\n"),
        ("hugepages-2048kB/enabled", "always [inherit] madvise never\n"),
        ("hugepages-64kB/enabled", "always inherit madvise [never]\n"),
        ("hugepages-64kB/stats/swpout", "7\n"),
        ("hugepages-64kB/stats/anon_fault_declined", "8\n"),
        ("hugepages-64kB/stats/text", "words\n"),
        ("hugepages-64kB/anon_beside_full", "1\n"),
        ("hugepages-8kB/shmem_enabled", "[never]\n"),
        ("khugepaged/defrag", "1\n"),
        ("use_zero_page", "1\n"),
    ]);
    let thp = known(&tree);
    assert_eq!(thp.defrag.known().unwrap().current, "madvise");
    assert_eq!(thp.pmd_size, Reading::Known(Bytes(2 << 20)));
    let sizes = thp.sizes.into_result().unwrap();
    let kib: Vec<u64> = sizes.iter().map(|size| size.size.0 / 1024).collect();
    assert_eq!(kib, [8, 64, 2048]);
    assert_eq!(sizes[0].enabled.missing().unwrap().kind(), "absent");
    let stats = sizes[1].stats.known().unwrap();
    let all: Vec<_> = stats.iter().collect();
    assert_eq!(all, [("anon_fault_declined", 8), ("swpout", 7)]);
    assert_eq!(sizes[2].enabled.known().unwrap().current, "inherit");
    let why = sizes[2].stats.missing().unwrap().to_string();
    assert!(why.contains("6.10"), "{why}");
}

#[test]
fn an_older_kernel_has_no_sizes_and_a_small_one_no_huge_pages() {
    let old = known(&tree(&[("enabled", "[always] madvise never\n")]));
    assert_eq!(old.enabled.known().unwrap().current, "always");
    let why = old.sizes.missing().unwrap().to_string();
    assert!(why.contains("6.8"), "{why}");

    let why = read(&TestTree::new().root()).missing().unwrap().to_string();
    assert!(why.contains("CONFIG_TRANSPARENT_HUGEPAGE"), "{why}");
}

#[test]
fn folders_without_a_size_are_left_out() {
    for name in [
        "hugepages-kB",
        "hugepages--8kB",
        "hugepages-08kB",
        "hugepages-8KB",
        "hugepages-99999999999999999999kB",
        "hugepages-8kB ",
    ] {
        assert_eq!(size_of(name.as_bytes()), None, "{name}");
    }
    assert_eq!(size_of(b"hugepages-16kB"), Some(16));
}

#[test]
fn rubbish_is_reported_as_failed() {
    for bad in ["", "always never\n", "\u{1b}[2J", "[", "]["] {
        let thp = known(&tree(&[("enabled", bad), ("hpage_pmd_size", "2M")]));
        assert_eq!(thp.enabled.missing().unwrap().kind(), "failed", "{bad:?}");
        assert_eq!(thp.pmd_size.missing().unwrap().kind(), "failed");
    }
    let tree = tree(&[]);
    mangled(b"always [madvise] never\n", 500, |bytes| {
        tree.write(&at("enabled"), bytes);
        let _ = known(&tree);
    });
}
