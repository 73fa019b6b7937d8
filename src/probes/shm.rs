//! Shared memory that no process owns: tmpfs file systems and System V segments.
//!
//! Kernel: `mm/shmem.c` through `statfs` and `/proc/mounts`, `ipc/shm.c` through
//! `/proc/sysvipc/shm`; all versions, readable by everyone. A tmpfs reports only its use, not how much of
//! it is in swap; a segment reports both. Both are those of our own namespaces. A tmpfs hidden below a
//! later mount cannot be read: the path leads to the later mount. memfd and other unnamed files are in
//! neither list.

use super::{Probe, ReadInterval, meminfo, mounts, scan};
use crate::model::users::{SharedMemory, SysvSegment, Tmpfs};
use crate::model::{Bytes, Part, Reading};
use crate::root::{Root, Usage, parse_u64, shown, unexpected};
use std::collections::HashSet;
use std::path::Path;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Shm,
    id: "shm",
    tier: ReadInterval::Medium,
    files: &["proc/mounts", "proc/self/mounts", "proc/sysvipc/shm", "proc/meminfo"],
    about: "tmpfs and System V shared memory, which can be swapped but belongs to no process",
    remedy: "mount proc on /proc; System V memory needs CONFIG_SYSVIPC",
};

const SYSV: &str = "proc/sysvipc/shm";

/// Reads both, and how much of all shared memory is in RAM at that time.
pub fn read(root: &Root) -> SharedMemory {
    SharedMemory {
        tmpfs: mounts::read(root).map(|mounts| tmpfs(root, &mounts)),
        sysv: root.read(SYSV).and_then(|bytes| sysv(&bytes)),
        shmem: meminfo::field(&meminfo::read(root), "Shmem"),
    }
}

/// Each file system once, however often it is mounted.
fn tmpfs(root: &Root, mounts: &[mounts::Mount]) -> Vec<Tmpfs> {
    let (mut devices, mut points) = (HashSet::new(), HashSet::new());
    let mut found: Vec<Tmpfs> = Vec::new();
    for mount in mounts {
        if !matches!(mount.kind.as_slice(), b"tmpfs" | b"devtmpfs") {
            continue;
        }
        let device = if root.is_live() {
            root.facts(mount.point.as_path()).known().map(|facts| facts.on_device)
        } else {
            None
        };
        let is_new_point = points.insert(&mount.point);
        if device.map_or(is_new_point, |device| devices.insert(device)) {
            found.push(read_tmpfs(root, mount));
        }
    }
    found
}

fn read_tmpfs(root: &Root, mount: &mounts::Mount) -> Tmpfs {
    let limit = mount.options().find_map(size_option);
    let (used, size) = match root.usage(mount.point.as_path()).into_result() {
        Ok(usage) => use_and_size(usage, mount.point.as_path()),
        Err(missing) => (missing.clone().into(), missing.into()),
    };
    // The mount options also have the limit of a hidden file system.
    let size = match (size, limit) {
        (Reading::Missing { .. }, Some(limit)) => Reading::Known(limit),
        (size, _) => size,
    };
    Tmpfs { mount: mount.point.clone(), used, size }
}

/// Use and size, if the path leads to a tmpfs and not to a later mount.
fn use_and_size(usage: Usage, point: &Path) -> (Reading<Bytes>, Reading<Bytes>) {
    if !usage.is_tmpfs {
        let hidden = Reading::absent("hidden below a later mount");
        return (hidden.clone(), hidden);
    }
    // Without a limit the kernel counts nothing, and reports zero for both.
    if usage.size == 0 {
        let why = format!("{} has no size limit", shown(point));
        let used = format!("{why}; the kernel then does not count its use");
        return (Reading::absent(used), Reading::absent(why));
    }
    (Reading::Known(Bytes(usage.used)), Reading::Known(Bytes(usage.size)))
}

/// Parses `size=123k`, as the kernel shows a limit; 0 means no limit.
fn size_option(option: &[u8]) -> Option<Bytes> {
    let number = option.strip_prefix(b"size=")?.strip_suffix(b"k")?;
    parse_u64(number).filter(|kib| *kib > 0).map(Bytes::from_kib)
}

/// One bad row fails the whole table: a sum over some of the segments would be wrong.
fn sysv(bytes: &[u8]) -> Reading<Vec<SysvSegment>> {
    let mut lines = scan::lines(bytes);
    let head: Vec<&[u8]> = scan::fields(lines.next().unwrap_or_default()).collect();
    let place = |name: &[u8]| head.iter().position(|field| *field == name);
    let names: [&[u8]; 5] = [b"shmid", b"uid", b"size", b"rss", b"swap"];
    let [Some(id), Some(uid), Some(size), Some(rss), Some(swap)] = names.map(place) else {
        return unexpected(SYSV, "columns shmid, uid, size, rss and swap", bytes);
    };
    let mut segments = Vec::new();
    for line in lines {
        let fields: Vec<&[u8]> = scan::fields(line).collect();
        let number = |place: usize| parse_u64(fields.get(place)?);
        let small = |place: usize| u32::try_from(number(place)?).ok();
        let (Some(id), Some(uid), Some(size), Some(resident), Some(swapped)) =
            (small(id), small(uid), number(size), number(rss), number(swap))
        else {
            return unexpected(SYSV, "one segment per row", line);
        };
        segments.push(SysvSegment {
            id,
            uid,
            size: Bytes(size),
            resident: Bytes(resident),
            swapped: Bytes(swapped),
        });
    }
    Reading::Known(segments)
}

#[allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Name;

    const HEAD: &str = "       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime      dtime      ctime                   rss                  swap\n";
    const ROW: &str = "-559038737         32  1600              8388608   154   154      1   1000     0     0     0 1700000000          0 1700000000               4096              8192\n";

    #[test]
    fn a_segment_is_read_by_the_names_of_its_columns() {
        let segments = sysv(format!("{HEAD}{ROW}").as_bytes()).into_result().unwrap();
        let expected = SysvSegment {
            id: 32,
            uid: 1000,
            size: Bytes(8_388_608),
            resident: Bytes(4096),
            swapped: Bytes(8192),
        };
        assert_eq!(segments, [expected]);
        let turned = sysv(b"swap rss size uid shmid\n1 2 3 4 5 6\n").into_result().unwrap();
        assert_eq!((turned[0].id, turned[0].swapped), (5, Bytes(1)));
        assert_eq!(sysv(HEAD.as_bytes()), Reading::Known(vec![]));
    }

    #[test]
    fn rubbish_fails_rather_than_giving_an_empty_list() {
        let cut = format!("{HEAD}{}", ROW.get(..60).unwrap());
        let huge = format!("{HEAD}{}", ROW.replace("1000", "99999999999"));
        for bad in ["", "key shmid\n", "\u{1}\u{2}", &cut, &huge] {
            assert_eq!(sysv(bad.as_bytes()).missing().unwrap().kind(), "failed", "{bad}");
        }
    }

    /// A search through those before, for each of them, would take minutes.
    #[test]
    fn a_hundred_thousand_mounts_are_read() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("proc")).unwrap();
        let mounts: Vec<String> =
            (0..100_000).map(|it| format!("t /run/{it} tmpfs rw 0 0\n")).collect();
        std::fs::write(dir.path().join("proc/mounts"), mounts.concat()).unwrap();
        let root = Root::at(dir.path()).unwrap();
        assert_eq!(read(&root).tmpfs.into_result().unwrap().len(), 100_000);
    }

    #[test]
    fn a_captured_tmpfs_has_its_limit_and_no_invented_use() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("proc")).unwrap();
        let mounts = "t /run tmpfs rw,size=64k 0 0\nt /run tmpfs rw,size=64k 0 0\n\
            d /dev devtmpfs rw 0 0\nx / ext4 rw,size=1k 0 0\nt /a\\040b tmpfs rw,size=xk 0 0\n\
            u /u tmpfs rw,size=0k 0 0\n";
        std::fs::write(dir.path().join("proc/mounts"), mounts).unwrap();
        std::fs::write(dir.path().join("proc/meminfo"), "Shmem: 4 kB\n").unwrap();
        let read = read(&Root::at(dir.path()).unwrap());
        assert_eq!(read.shmem, Reading::Known(Bytes::from_kib(4)));
        let found = read.tmpfs.into_result().unwrap();
        let points: Vec<&Name> = found.iter().map(|tmpfs| &tmpfs.mount).collect();
        assert_eq!(
            points,
            [&Name::from("/run"), &Name::from("/dev"), &Name::from("/a b"), &Name::from("/u")]
        );
        assert_eq!(found[0].size, Reading::Known(Bytes(65536)));
        assert!(found.iter().all(|tmpfs| tmpfs.used.missing().is_some()));
        assert!(found[2..].iter().all(|tmpfs| tmpfs.size.missing().is_some()));
    }
    #[test]
    fn a_later_mount_does_not_stand_in_for_a_hidden_tmpfs() {
        let disk = Usage { used: 5, size: 9, free: 4, is_tmpfs: false };
        let (used, size) = use_and_size(disk, Path::new("/run"));
        assert_eq!(used, Reading::absent("hidden below a later mount"));
        assert_eq!(size, used);
        let (used, size) = use_and_size(Usage { is_tmpfs: true, ..disk }, Path::new("/run"));
        assert_eq!((used, size), (Reading::Known(Bytes(5)), Reading::Known(Bytes(9))));
        let (used, _) =
            use_and_size(Usage { used: 0, size: 0, free: 0, is_tmpfs: true }, Path::new("/run"));
        assert!(used.missing().unwrap().to_string().contains("no size limit"));
    }

    #[test]
    fn a_live_file_system_tells_whether_it_is_a_tmpfs() {
        let usage = Root::live().usage("proc").into_result().unwrap();
        assert!(!usage.is_tmpfs);
    }
}
