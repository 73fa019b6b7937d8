use super::*;
use crate::root::testing::{TestTree, mangled};

fn known(text: impl AsRef<[u8]>) -> Disks {
    let tree = TestTree::new();
    tree.write(PATH, text);
    read(&tree.root()).into_result().unwrap()
}

const ZRAM: &str = " 253 0 zram0 1 2 3 4 5 6 7 8 9 10 11";

#[test]
fn lines_of_every_generation_read_the_same() {
    let wanted = DiskStats {
        major: 253,
        minor: 0,
        reads: 1,
        read_sectors: 3,
        read_ms: 4,
        writes: 5,
        write_sectors: 7,
        write_ms: 8,
        in_flight: 9,
        busy_ms: 10,
    };
    for later in ["", " 12 13 14 15", " 12 13 14 15 16 17", " 1 2 3 4 5 6 7 8 new"] {
        let devices = known(format!("{ZRAM}{later}\n"));
        assert_eq!(devices.get("zram0"), Some(&wanted), "{later:?}");
    }
}

#[test]
fn a_bad_line_is_skipped_alone() {
    let devices =
        known(format!("rubbish\n{ZRAM}\n 8 0 sda 1 2\n 8 1 sda1 -1 0 0 0 0 0 0 0 0 0 0\n"));
    assert_eq!(devices.names().collect::<Vec<_>>(), ["zram0"]);
}

#[test]
fn names_are_those_of_sysfs_and_safe_to_show() {
    let line = |name: &[u8]| [b" 8 0 ", name, b" 1 2 3 4 5 6 7 8 9 10 11\n"].concat();
    assert!(known(line(b"cciss/c0d0")).get("cciss!c0d0").is_some());
    assert!(known(line(b"\xff\x1b[2J")).get("\\xff\\u{1b}[2J").is_some());
}

#[test]
fn an_empty_file_is_known_and_nonsense_is_failed() {
    for empty in ["", "\n", " \n"] {
        assert!(known(empty).names().next().is_none());
    }
    for bad in [
        "x",
        " 253 0 zram0 1 2 3 4 5 6 7 8 9 10\n",
        " 4294967296 0 zram0 1 2 3 4 5 6 7 8 9 10 11\n",
        " 253 0 zram0 1 2 3 4 5 6 7 8 9 10 18446744073709551616\n",
    ] {
        let tree = TestTree::with(&[(PATH, bad)]);
        let reading = read(&tree.root());
        assert_eq!(reading.missing().unwrap().kind(), "failed", "{bad}");
    }
}

#[test]
fn mangled_files_never_panic_and_never_invent_a_device() {
    let good = format!("{ZRAM}\n 254 0 vda 5 0 40 8 2 0 8 0 0 12 10 1 0 524280 1 1 0\n");
    let tree = TestTree::new();
    mangled(good.as_bytes(), 1000, |bytes| {
        tree.write(PATH, bytes);
        if let Reading::Known(devices) = read(&tree.root()) {
            assert!(devices.names().count() <= scan::lines(bytes).count());
        }
    });
}
