//! Signatures of other programs are detected before a format and wiped by it: blkid then finds swap and
//! nothing else.

use crate::at_length;
use crate::file::{done, kind, refused, text, undo};
use crate::lab::{self, Lab};
use crate::program;
use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::Path;

#[test]
fn foreign_signatures_are_detected_and_wiped() {
    at_length("foreign_signatures_are_detected_and_wiped", |lab| {
        of_others_are_known_and_wiped(lab);
        Ok(())
    });
}

const SIZE: u64 = 64 << 20;

/// Programs that write a file system into a file, and the expected names.
const MADE: [(&str, &[&str]); 12] = [
    ("a Minix file system", &["mkfs.minix", "-1"]),
    ("a Minix file system", &["mkfs.minix", "-2"]),
    ("a Minix file system", &["mkfs.minix", "-3"]),
    ("a BFS file system", &["mkfs.bfs"]),
    ("a Reiser4 file system", &["mkfs.reiser4", "-f", "-y"]),
    ("a ReiserFS file system", &["mkfs.reiserfs", "-f", "-f", "-q"]),
    ("a JFS file system", &["mkfs.jfs", "-q"]),
    ("a NILFS2 file system", &["mkfs.nilfs2", "-f"]),
    ("an f2fs file system", &["mkfs.f2fs", "-f"]),
    ("a UDF file system", &["mkfs.udf"]),
    ("a FAT file system", &["mkfs.vfat"]),
    ("an NTFS file system", &["mkfs.ntfs", "-F", "-Q"]),
];

/// Signatures that libblkid accepts by the mark alone, with their offsets.
const WRITTEN: [(&str, u64, &[u8]); 7] = [
    ("a part of an Intel RAID (imsm)", SIZE - 1024, b"Intel Raid ISM Cfg Sig. 1.0.00"),
    ("a part of an LSI RAID", SIZE - 512, b"$XIDE$"),
    ("a part of a JMicron RAID", SIZE - 512, b"JM\xb6\xb2"),
    ("a part of a HighPoint RAID", SIZE - 11 * 512, b"\xf3\x16\x78\x5a"),
    ("a part of a Promise FastTrack RAID", SIZE - 255 * 512, b"Promise Technology, Inc."),
    ("a part of a VMFS volume", 1 << 20, b"\x0d\xd0\x01\xc0"),
    ("a VxFS file system", 1024, b"\xf5\xfc\x01\xa5"),
];

pub(crate) fn of_others_are_known_and_wiped(lab: &Lab) {
    let path = lab.scratch.file("image");
    for (what, command) in MADE {
        image(&path);
        let (tool, options) = command.split_first().expect("a program");
        if program::tool(tool, &[options, &[text(&path)]].concat()).is_some() {
            replaced(lab, what, &path);
        } else {
            lab::remark(&format!("{what}: {tool} is missing or failed"));
        }
    }
    for (what, at, mark) in WRITTEN {
        image(&path).write_all_at(mark, at).expect("it is written");
        replaced(lab, what, &path);
    }
}

/// A file that only root can read, as swap files must be.
fn image(path: &Path) -> File {
    let _ = fs::remove_file(path);
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let file = file.expect("a file");
    file.set_permissions(Permissions::from_mode(0o600)).expect("a mode");
    file.set_len(SIZE).expect("a size");
    file
}

fn replaced(lab: &Lab, what: &str, path: &Path) {
    // Some programs leave holes, which swap files cannot have. Some file systems have no fallocate.
    let before = fs::read(path).expect("a file");
    fs::write(path, &before).expect("room");
    assert_ne!(kind(path).as_deref(), Some("swap"), "{what}");
    let path_text = text(path);
    refused(lab, &["format", path_text], 3, &[&format!("holds {what}"), "--force signature"]);
    let told = done(lab, &["format", path_text, "--force", "signature"]);
    assert!(kind(path).is_none_or(|kind| kind == "swap"), "{what}: {:?}", kind(path));
    let left = program::tool("wipefs", &["-n", "--noheadings", "-o", "TYPE", path_text]);
    assert!(left.is_none_or(|left| left.trim() == "swap"), "{what}: a signature is left");
    undo(lab, &told);
    assert!(fs::read(path).expect("a file") == before, "{what} comes back byte by byte");
}
