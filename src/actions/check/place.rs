//! Can a swap file lie there?

use super::verdict::refuse;
use super::{Check, CheckVerdict};
use crate::columns::units::size;
use crate::model::candidate::{ParentFolder, NewFileTarget};
use crate::model::{Bytes, Name, Reading};

/// The file systems on which swap files are made.
const FIT: [&str; 5] = ["ext4", "xfs", "btrfs", "ext3", "ext2"];
/// Why not on others.
const UNFIT: [(&[&str], &str); 6] = [
    (&["tmpfs", "ramfs", "devtmpfs", "hugetlbfs"], "keeps its files in memory itself"),
    (&["overlay", "aufs"], "is that of a container, and hands files on to another"),
    (
        &["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "virtiofs", "afs"],
        "reaches its files over a network or a host, which may need memory to do so",
    ),
    (&["zfs"], "gives files no lasting place: make a volume (zvol), and format that"),
    (&["vfat", "exfat", "ntfs", "ntfs3"], "cannot keep others from reading a file"),
    (&["squashfs", "iso9660", "erofs", "udf"], "can only be read"),
];
/// What stays free: one part of so many of the file system, but never more than that.
const MARGIN: u64 = 20;
const MOST_MARGIN: Bytes = Bytes(1 << 30);
/// Who may write into a folder beside its owner, and the mark that lets them remove only their own.
const OTHERS: u32 = 0o022;
const STICKY: u32 = 0o1000;

/// All that is to be said of it.
pub(super) fn checks(place: &NewFileTarget) -> Vec<Check> {
    let name = place.path.safe();
    if let Some(what) = &place.taken_by {
        let text = format!(
            "{name} is {what} already: choose another name, or change what is there with swapadm file resize or swapadm format"
        );
        return vec![refuse("path", text)];
    }
    let mut all = vec![filesystem(&name, place)];
    if place.read_only {
        let text = format!(
            "the file system of {name} is mounted read-only: remount it, or choose another"
        );
        all.push(refuse("readonly", text));
    }
    if let Some(why) = &place.spread {
        let text = format!("btrfs cannot hold swap at {name}: {why}; choose another file system");
        all.push(refuse("filesystem", text));
    }
    if place.kept > Bytes(0) {
        let text = format!(
            "{name}: a snapshot or a copy shares {} of the old file, which do not become free with it",
            size(place.kept)
        );
        all.push(Check::new("shared", CheckVerdict::Note, text));
    }
    all.push(space(&name, place));
    all.extend(folder_checks(&name, place));
    all
}

fn filesystem(name: &str, place: &NewFileTarget) -> Check {
    let kind = match &place.filesystem {
        Reading::Known(kind) => kind.as_str(),
        Reading::Missing { missing } => {
            let why = missing.why();
            return refuse(
                "filesystem",
                format!("on which file system {name} lies is not known: {why}"),
            );
        }
    };
    if FIT.contains(&kind) {
        return Check::new("filesystem", CheckVerdict::Ok, format!("{name} lies on {kind}"));
    }
    let why = UNFIT.iter().find(|(kinds, _)| kinds.contains(&kind)).map(|(_, why)| *why);
    let why = match why {
        None if kind.starts_with("fuse") => {
            "is served by a process, which may be swapped out itself"
        }
        why => why.unwrap_or("is none on which swapadm makes swap files"),
    };
    let text =
        format!("{name} lies on {kind}, which {why}: choose a place on {}", FIT[..3].join(", "));
    refuse("filesystem", text)
}

fn space(name: &str, place: &NewFileTarget) -> Check {
    let (free, whole) = match (&place.free, &place.whole) {
        (Reading::Known(free), Reading::Known(whole)) => (*free, *whole),
        (Reading::Missing { missing }, _) | (_, Reading::Missing { missing }) => {
            let text = format!("how much is free at {name} is not known: {}", missing.why());
            return refuse("space", text);
        }
    };
    let room = free.saturating_add(place.frees);
    let (needs, has) = (size(place.size), size(room));
    if place.size > room {
        let text = format!(
            "{name} needs {needs}, and {has} are free there: choose at most that, or another place"
        );
        return refuse("full", text);
    }
    let margin = Bytes(whole.0 / MARGIN).min(MOST_MARGIN);
    let left = room.saturating_sub(place.size);
    if left < margin {
        let text = format!(
            "{name} would leave {} free of {}, less than the {} that should stay: choose at most {}, or take the risk with --force space",
            size(left),
            size(whole),
            size(margin),
            size(room.saturating_sub(margin))
        );
        return refuse("space", text);
    }
    Check::new("space", CheckVerdict::Ok, format!("{name} needs {needs} of the {has} that are free"))
}

/// Its room stays taken, and it stays swap, under names that nobody has told us to change.
pub(super) fn linked_file((path, names): &(Name, u64)) -> Check {
    let name = path.safe();
    let text = format!(
        "{name} has {names} names (hard links): without this one it would stay as it is under the others, and free nothing; remove those first (find / -samefile {name} lists them)"
    );
    refuse("links", text)
}

/// Who could put another file in its place?
fn folder_checks(name: &str, place: &NewFileTarget) -> Vec<Check> {
    let folders = match &place.folders {
        Reading::Known(folders) => folders,
        Reading::Missing { missing } => return vec![refuse("path", missing.why())],
    };
    let foreign = |folder: &ParentFolder| {
        let shown = folder.path.safe();
        let risk = "could put another file in its place: choose a folder of root's, or take the risk with --force folder";
        if folder.owner != 0 {
            let who = folder.owner;
            return Some(format!("{shown}, above {name}, belongs to user {who}, who {risk}"));
        }
        let open = folder.mode & OTHERS != 0 && folder.mode & STICKY == 0;
        open.then(|| {
            let mode = folder.mode;
            format!("{shown}, above {name}, can be written by others (mode {mode:04o}), who {risk}")
        })
    };
    folders.iter().filter_map(foreign).map(|text| refuse("folder", text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Missing;

    const GIB: u64 = 1 << 30;

    fn good() -> NewFileTarget {
        let folder = |path: &str| ParentFolder { path: path.into(), mode: 0o755, owner: 0 };
        NewFileTarget {
            path: "/var/swapfile".into(),
            size: Bytes(GIB),
            frees: Bytes(0),
            kept: Bytes(0),
            taken_by: None,
            folders: Reading::Known(vec![folder("/var"), folder("/")]),
            filesystem: Reading::Known("ext4".to_owned()),
            read_only: false,
            whole: Reading::Known(Bytes(100 * GIB)),
            free: Reading::Known(Bytes(3 * GIB)),
            spread: None,
        }
    }

    fn verdicts(place: &NewFileTarget) -> Vec<(&'static str, CheckVerdict)> {
        let all = checks(place).into_iter().filter(|check| check.verdict != CheckVerdict::Ok);
        all.map(|check| (check.id, check.verdict)).collect()
    }

    #[test]
    fn folder_is_suitable_or_refused_with_a_reason() {
        assert_eq!(verdicts(&good()), []);
        let on = |kind: &str| NewFileTarget { filesystem: Reading::Known(kind.to_owned()), ..good() };
        for kind in FIT {
            assert_eq!(verdicts(&on(kind)), []);
        }
        for kind in ["tmpfs", "overlay", "nfs4", "zfs", "fuse.sshfs", "vfat", "squashfs", "f2fs"] {
            assert_eq!(verdicts(&on(kind)), [("filesystem", CheckVerdict::Refuse)], "{kind}");
        }
        let folder = |mode, owner| {
            let folders = vec![ParentFolder { path: "/x".into(), mode, owner }];
            NewFileTarget { folders: Reading::Known(folders), ..good() }
        };
        assert_eq!(verdicts(&folder(0o1777, 0)), [], "others remove only what is theirs");
        let cases = [
            ("path", NewFileTarget { taken_by: Some("a folder".to_owned()), ..good() }),
            ("readonly", NewFileTarget { read_only: true, ..good() }),
            ("filesystem", NewFileTarget { spread: Some("two devices".to_owned()), ..good() }),
            ("filesystem", NewFileTarget { filesystem: Missing::absent("no mount").into(), ..good() }),
            ("full", NewFileTarget { size: Bytes(4 * GIB), ..good() }),
            ("space", NewFileTarget { size: Bytes(3 * GIB - 1), ..good() }),
            ("space", NewFileTarget { free: Missing::absent("no").into(), ..good() }),
            ("folder", folder(0o777, 0)),
            ("folder", folder(0o775, 0)),
            ("folder", folder(0o755, 1000)),
        ];
        for (id, place) in cases {
            assert_eq!(verdicts(&place), [(id, CheckVerdict::Refuse)], "{place:?}");
        }
    }

    #[test]
    fn earlier_removal_frees_space() {
        let place = NewFileTarget { size: Bytes(4 * GIB), frees: Bytes(2 * GIB), ..good() };
        assert_eq!(verdicts(&place), []);
        let kept = NewFileTarget { frees: Bytes(0), kept: Bytes(2 * GIB), ..place };
        assert_eq!(verdicts(&kept), [("shared", CheckVerdict::Note), ("full", CheckVerdict::Refuse)]);
    }
}
