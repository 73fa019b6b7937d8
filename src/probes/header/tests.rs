use super::*;
use crate::model::format::{LABEL, PAGES, SWAP_MAGIC, UUID};
use crate::model::swaparea::AreaKind;
use crate::probes::testing::area;
use crate::root::testing::{TestTree, mangled};
use crate::root::{Trace, Traced};
use std::path::Path;
use std::sync::Arc;

fn header(page: usize, label: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; page + 100];
    bytes[1024] = 1;
    for (place, byte) in (0x10..0x20).enumerate() {
        bytes[UUID + place] = byte;
    }
    bytes[LABEL..LABEL + label.len()].copy_from_slice(label);
    bytes[page - 10..page].copy_from_slice(SWAP_MAGIC);
    bytes
}

fn read_file(bytes: &[u8]) -> Reading<AreaHeader> {
    let tree = TestTree::new();
    tree.write("swapfile", bytes);
    read(&tree.root(), &area("/swapfile", AreaKind::File))
}

const TEXT: &str = "10111213-1415-1617-1819-1a1b1c1d1e1f";

#[test]
fn a_header_is_found_for_every_page_size() {
    for page in PAGES {
        let found = read_file(&header(page, b"fast")).into_result().unwrap();
        assert_eq!(found.page_size, Reading::Known(page as u64));
        assert_eq!(found.label, Reading::Known(Name::from("fast")));
        assert_eq!(found.uuid, Reading::Known(TEXT.to_owned()));
    }
}

#[test]
fn a_label_is_bytes_and_may_fill_its_field_or_be_empty() {
    let label = |label: &[u8]| read_file(&header(4096, label)).into_result().unwrap().label;
    let full = b"0123456789abcdef";
    assert_eq!(label(full), Reading::Known(Name::new(*full)));
    assert_eq!(label(b"a\xff\0rest"), Reading::Known(Name::new(*b"a\xff")));
    assert_eq!(label(b""), Reading::absent(NO_LABEL));
}

#[test]
fn a_zero_uuid_is_absent() {
    let mut bytes = header(4096, b"x");
    bytes[UUID..UUID + 16].fill(0);
    let found = read_file(&bytes).into_result().unwrap();
    assert_eq!(found.uuid, Reading::absent(NO_UUID));
}

#[test]
fn other_content_is_failed() {
    let mut old = header(4096, b"");
    old[4086..4096].copy_from_slice(b"SWAP-SPACE");
    let cut = header(4096, b"")[..4095].to_vec();
    for bad in [vec![], vec![0; 100], vec![0xff; 70000], old, cut] {
        let reading = read_file(&bad);
        assert_eq!(reading.missing().unwrap().kind(), "failed");
    }
    mangled(&header(4096, b"x"), 500, |bytes| {
        let _ = read_file(bytes);
    });
}

#[test]
fn nothing_behind_the_header_is_read() {
    let tree = TestTree::new();
    tree.write("swapfile", header(4096, b"x"));
    let trace = Arc::new(Trace::default());
    let root = tree.root().traced(Arc::clone(&trace));
    assert!(read(&root, &area("/swapfile", AreaKind::File)).known().is_some());
    let seen = trace.take();
    match seen.get(Path::new("swapfile")) {
        Some(Traced::Bytes(bytes)) => assert_eq!(bytes.len(), 4096),
        other => panic!("{other:?}"),
    }
}

fn udev(notes: &str) -> TestTree {
    TestTree::with(&[
        ("sys/block/sda/sda2/size", "8\n"),
        ("sys/block/sda/sda2/dev", "8:2\n"),
        ("run/udev/data/b8:2", notes),
    ])
}

#[test]
fn udev_helps_where_the_device_cannot_be_read() {
    let tree = udev(
        "S:disk/by-uuid/x\nE:ID_FS_TYPE=swap\nE:ID_FS_UUID=10111213-1415-1617-1819-1A1B1C1D1E1F\n\
         E:ID_FS_LABEL=my_swap\nE:ID_FS_LABEL_ENC=my\\x20swap\\x5c\\xzz\n",
    );
    let partition = area("/dev/sda2", AreaKind::Partition);
    let found = read(&tree.root(), &partition).into_result().unwrap();
    assert_eq!(found.uuid, Reading::Known(TEXT.to_owned()));
    assert_eq!(found.label, Reading::Known(Name::from("my swap\\\\xzz")));
    assert_eq!(found.page_size.missing().unwrap().kind(), "absent");

    let tree = udev("E:ID_FS_LABEL=plain\n");
    let found = read(&tree.root(), &partition).into_result().unwrap();
    assert_eq!(found.label, Reading::Known(Name::from("plain")));
    assert_eq!(found.uuid, Reading::absent(NO_UUID));
}

#[test]
fn udev_without_swap_properties_keeps_the_first_reason() {
    let partition = area("/dev/sda2", AreaKind::Partition);
    for notes in [
        "",
        "E:ID_FS_TYPE=ext4\nE:ID_FS_UUID=10111213-1415-1617-1819-1a1b1c1d1e1f\n",
        "E:ID_FS_UUID=\nE:ID_FS_LABEL=\n",
        "E:ID_FS_UUID=../../../../../../etc/passwd/////////\n",
    ] {
        let reading = read(&udev(notes).root(), &partition);
        assert_eq!(reading, Reading::absent("/dev/sda2 does not exist"), "{notes}");
    }
    let tree = udev("E:ID_FS_LABEL=x\n");
    tree.write("sys/block/sda/sda2/dev", "../../x\n");
    assert!(read(&tree.root(), &partition).known().is_none());
}

#[test]
fn a_deleted_area_does_not_take_the_header_of_its_successor() {
    let tree = TestTree::new();
    tree.write("swapfile", header(4096, b"other"));
    let gone = SwapArea { deleted: true, ..area("/swapfile", AreaKind::File) };
    let why = read(&tree.root(), &gone).missing().unwrap().to_string();
    assert!(why.contains("was deleted"), "{why}");
    // A file may really have this name.
    tree.write("swapfile (deleted)", header(4096, b"mine"));
    let found = read(&tree.root(), &gone).into_result().unwrap();
    assert_eq!(found.label, Reading::Known(Name::from("mine")));
}
