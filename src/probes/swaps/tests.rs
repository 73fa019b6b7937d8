use super::*;
use crate::root::testing::{TestTree, mangled};

fn tree(swaps: &[u8]) -> (TestTree, Root) {
    let tree = TestTree::with(&[(PATH, swaps)]);
    let root = tree.root();
    (tree, root)
}

fn table(rows: &str) -> Vec<u8> {
    format!("Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n{rows}").into_bytes()
}

fn known(rows: &str) -> Vec<SwapArea> {
    let (_dir, root) = tree(&table(rows));
    read(&root).into_result().unwrap()
}

#[test]
fn no_swap_is_an_empty_list_and_not_an_error() {
    assert_eq!(known(""), vec![]);
}

#[test]
fn a_container_total_is_rejected_as_an_area() {
    let row = "none                                    virtual\t\t2097148\t\t1024\t\t0\n";
    let (_dir, root) = tree(&table(row));
    assert_eq!(read(&root), Reading::absent(TOTAL_ONLY));
}

#[test]
fn any_number_of_tabs_stands_between_fields() {
    let areas = known(
        "/dev/a partition\t10000000\t5\t-2\n/dev/b                 file\t\t4\t\t4\t\t32767\n",
    );
    assert_eq!(areas[0].size, Bytes::from_kib(10_000_000));
    assert_eq!((areas[0].kind, areas[0].priority), (AreaKind::Partition, -2));
    assert_eq!((areas[1].kind, areas[1].priority), (AreaKind::File, 32767));
}

#[test]
fn escapes_are_undone_and_other_bytes_kept() {
    let (_dir, root) = tree(&{
        let mut bytes = table("");
        bytes.extend_from_slice(b"/mnt/a\\040b\\011c\\012d\\134e\xff\xc2\xa0\r partition 4 0 1\n");
        bytes
    });
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas[0].path.as_bytes(), b"/mnt/a b\tc\nd\\e\xff\xc2\xa0\r");
    assert!(!areas[0].deleted);
}

#[test]
fn files_of_equal_name_are_distinguished() {
    let row = |path: &str, kind| table(&format!("{path} {kind} 4 0 1\n"));
    let mark = |root: &Root| read(root).into_result().unwrap()[0].file;
    let tree = TestTree::with(&[(PATH, row("/swapfile", "file")), ("swapfile", b"one".to_vec())]);
    assert_eq!(mark(&tree.root()), None, "it is a copy");
    let first = mark(&tree.live()).unwrap();
    assert_eq!((mark(&tree.live()), first.size), (Some(first), 3));
    tree.write("swapfile", "four");
    assert_ne!(mark(&tree.live()), Some(first));
    tree.write(PATH, row("/gone", "file"));
    assert_eq!(mark(&tree.live()), None, "it cannot be seen");
    let tree = TestTree::with(&[(PATH, row("/dev/a", "partition")), ("dev/a", b"".to_vec())]);
    assert_eq!(mark(&tree.live()), None, "a device is no file");
}

#[test]
fn the_deleted_suffix_is_removed_from_the_name() {
    let areas = known("/tmp/l\\040p\\040(deleted) partition 4 0 1\n");
    assert_eq!(areas[0].path, Name::from("/tmp/l p"));
    assert!(areas[0].deleted);
}

#[test]
fn the_name_of_a_file_can_end_like_that() {
    let row = table("/tmp/l\\040(deleted) file 4 0 1\n");
    let tree = TestTree::with(&[(PATH, row), ("tmp/l (deleted)", b"swap".to_vec())]);
    let area = |root: &Root| read(root).into_result().unwrap().remove(0);
    let found = area(&tree.live());
    assert_eq!((found.path, found.deleted), ("/tmp/l (deleted)".into(), false));
    assert!(found.file.is_some());
    assert!(area(&tree.root()).deleted, "a capture has no swap files");
}

#[test]
fn a_bad_row_or_heading_fails_and_says_what_it_held() {
    for bad in ["x\n", "/dev/a partition 1 2\n", "/dev/a tape 1 2 3\n", "/dev/a file -1 2 3\n"] {
        let (_dir, root) = tree(&table(bad));
        assert_eq!(read(&root).missing().unwrap().kind(), "failed", "{bad}");
    }
    let (_dir, root) = tree(b"");
    assert_eq!(read(&root).missing().unwrap().kind(), "failed");
}

#[test]
fn more_areas_than_a_kernel_can_have_are_refused() {
    let rows = |count: usize| "/dev/a file 1 2 3\n".repeat(count);
    assert_eq!(known(&rows(MOST_AREAS)).len(), MOST_AREAS);
    let (_dir, root) = tree(&table(&rows(MOST_AREAS + 1)));
    let why = read(&root).missing().unwrap().to_string();
    assert!(why.contains("lists more than 64 areas"), "{why}");
}

#[test]
fn what_a_later_kernel_adds_to_a_row_is_left_out() {
    assert_eq!(known("/dev/a file 1 2 3 new\n"), known("/dev/a file 1 2 3\n"));
}

#[test]
fn a_size_that_wrapped_at_4_tib_is_repaired_from_the_device() {
    // A real 5 TiB area: the kernel printed 1 TiB less one page.
    let (dir, root) = tree(&table("/dev/sdz partition 1073741820 1024 5\n"));
    dir.write("sys/block/sdz/size", "10737418240\n");
    dir.write("proc/meminfo", "SwapTotal: 5368709116 kB\nSwapFree: 5368708092 kB\n");
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas[0].size, Bytes::from_kib(5_368_709_116));
    assert_eq!(areas[0].wraps, 1);
    assert_eq!(areas[0].used, Reading::Known(Bytes::from_kib(1024)));
}

#[test]
fn a_device_that_grew_after_its_header_was_made_has_not_wrapped() {
    let (dir, root) = tree(&table("/dev/sdz partition 536870908 0 5\n"));
    dir.write("sys/block/sdz/size", "10737418240\n");
    dir.write("proc/meminfo", "SwapTotal: 536870908 kB\nSwapFree: 536870908 kB\n");
    let areas = read(&root).into_result().unwrap();
    assert_eq!((areas[0].size, areas[0].wraps), (Bytes::from_kib(536_870_908), 0));
}

#[test]
fn an_area_that_is_being_emptied_keeps_its_size() {
    let (dir, root) = tree(&table("/dev/sdz partition 1073741820 1024 5\n"));
    dir.write("sys/block/sdz/size", "10737418240\n");
    dir.write("proc/meminfo", "SwapTotal: 1024 kB\nSwapFree: 0 kB\n");
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas[0].size, Bytes::from_kib(5_368_709_116));
}

#[test]
fn a_size_that_wrapped_is_repaired_also_where_the_device_cannot_be_seen() {
    let (dir, root) = tree(&table("/swapfile file 1073741820 1024 5\n"));
    dir.write("proc/meminfo", "SwapTotal: 5368709116 kB\nSwapFree: 5368708092 kB\n");
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas[0].size, Bytes::from_kib(5_368_709_116));
}

/// Rows of a swap file of 8 GiB and of devices of 5 TiB, of which 1 TiB is printed.
fn file_and_devices(names: &[&str]) -> (TestTree, Root) {
    let row = |name: &&str| format!("/dev/{name} partition 1073741820 0 4\n");
    let rows: String = names.iter().map(row).collect();
    let (dir, root) = tree(&table(&format!("/swapfile file 8388604 0 5\n{rows}")));
    for name in names {
        dir.write(&format!("sys/block/{name}/size"), "10737418240\n");
    }
    (dir, root)
}

fn write_total(dir: &TestTree, kib: u64) {
    dir.write("proc/meminfo", format!("SwapTotal: {kib} kB\nSwapFree: {kib} kB\n"));
}

#[test]
fn a_wrap_belongs_to_the_device_that_it_fills_and_not_to_a_file_of_unknown_size() {
    let (dir, root) = file_and_devices(&["sdy"]);
    write_total(&dir, 8_388_604 + 5_368_709_116);
    let wraps = || {
        let areas = read(&root).into_result().unwrap();
        areas.iter().map(|area| area.wraps).collect::<Vec<_>>()
    };
    assert_eq!(wraps(), [0, 1]);
    let (dir, root) = file_and_devices(&["sdy", "sdz"]);
    // A device of 5.5 TiB that grew.
    dir.write("sys/block/sdy/size", "11811160064\n");
    write_total(&dir, 8_388_604 + 5_368_709_116 + 1_073_741_820);
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas.iter().map(|area| area.wraps).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn a_wrap_that_may_belong_to_several_areas_is_given_to_none() {
    let (dir, root) = file_and_devices(&["sdy", "sdz"]);
    write_total(&dir, 8_388_604 + 5_368_709_116 + 1_073_741_820);
    assert_eq!(read(&root).missing().unwrap().kind(), "failed");
    // All of 2 TiB on an area that is being disabled: meminfo does not give the loss.
    write_total(&dir, 8_388_604 + 5_368_709_116 + (2 << 30));
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas.iter().map(|area| area.wraps).collect::<Vec<_>>(), [0, 1, 1]);
}

#[test]
fn a_use_that_wrapped_is_repaired_from_meminfo_or_missing_but_never_wrong() {
    let row = |name: &str| format!("/dev/{name} partition 1073741820 1024 5\n");
    let (dir, root) = tree(&table(&row("sdz")));
    dir.write("sys/block/sdz/size", "10737418240\n");
    // 4 TiB and 1 MiB in use.
    dir.write("proc/meminfo", "SwapTotal: 5368709116 kB\nSwapFree: 1073740796 kB\n");
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas[0].used, Reading::Known(Bytes::from_kib((4 << 30) + 1024)));

    let (dir, root) = tree(&table(&(row("sdy") + &row("sdz"))));
    dir.write("sys/block/sdy/size", "10737418240\n");
    dir.write("sys/block/sdz/size", "10737418240\n");
    dir.write("proc/meminfo", "SwapTotal: 10737418232 kB\nSwapFree: 6442448888 kB\n");
    let areas = read(&root).into_result().unwrap();
    assert_eq!(areas[0].used.missing().unwrap().kind(), "failed");
}

#[test]
fn mangled_files_never_panic_and_never_invent_an_area() {
    let good = table("/dev/zram0 partition 131068 5 -2\n/mnt/sp\\040ace\\134file file 8164 0 -3\n");
    mangled(&good, 2000, |bytes| {
        let (_dir, root) = tree(bytes);
        if let Reading::Known(areas) = read(&root) {
            assert!(areas.len() <= scan::lines(bytes).count());
        }
    });
}

/// An area that was small a moment ago is not examined again; a new one is.
#[test]
fn only_new_areas_are_examined_again() {
    let row = |name: &str| format!("/{name} partition 1020 0 -2\n");
    let swaps = |names: &[&str]| {
        let rows: String = names.iter().map(|name| row(name)).collect();
        format!("Filename Type Size Used Priority\n{rows}")
    };
    let small = "SwapTotal: 1020 kB\nSwapFree: 1020 kB\n";
    let tree = TestTree::with(&[("proc/swaps", swaps(&["a"])), ("proc/meminfo", small.to_owned())]);
    let before = read(&tree.root()).known().unwrap().clone();
    // 4 TiB more than the rows show.
    tree.write("proc/meminfo", "SwapTotal: 4294968316 kB\nSwapFree: 4294968316 kB\n");
    let wraps = |before: &[SwapArea]| -> u32 {
        let areas = read_after(&tree.root(), before);
        areas.known().unwrap().iter().map(|area| area.wraps).sum()
    };
    assert_eq!((wraps(&before), wraps(&[])), (0, 1));
    tree.write("proc/swaps", swaps(&["a", "b"]));
    tree.write("proc/meminfo", "SwapTotal: 4294969336 kB\nSwapFree: 4294969336 kB\n");
    assert_eq!(wraps(&before), 1);
}
