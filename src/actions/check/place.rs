//! Checks of the folder for a new swap file.

use super::Check;
use crate::actions::shell_quoted;
use crate::columns::units::size;
use crate::model::candidate::{NewFileTarget, ParentFolder};
use crate::model::surroundings::SWAP_FILE_SYSTEMS;
use crate::model::{Bytes, Name, Reading};

/// Why other file systems are unsuitable.
const UNFIT: [(&[&str], &str); 6] = [
    (&["tmpfs", "ramfs", "devtmpfs", "hugetlbfs"], "keeps its files in memory"),
    (&["overlay", "aufs"], "is a layered file system, as in containers"),
    (
        &["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "virtiofs", "afs"],
        "accesses files over a network or through a host, which may itself need memory",
    ),
    (&["zfs"], "moves file blocks (format a zvol instead)"),
    (&["vfat", "exfat", "ntfs", "ntfs3"], "has no file permissions to protect swapped-out memory"),
    (&["squashfs", "iso9660", "erofs", "udf"], "is read-only"),
];
/// Divisor of the file system size that stays free, up to a maximum.
const MARGIN: u64 = 20;
const MOST_MARGIN: Bytes = Bytes(1 << 30);
/// Write permission for others, and the sticky bit that restricts removal to owners.
const OTHERS: u32 = 0o022;
const STICKY: u32 = 0o1000;

/// All checks of a folder.
pub(super) fn checks(place: &NewFileTarget) -> Vec<Check> {
    let name = place.path.safe();
    if let Some(what) = &place.taken_by {
        let text = format!(
            "{name} exists already ({what}): choose another name. To change a swap file: swapadm file resize; to format a device: swapadm format"
        );
        return vec![Check::refuse("path", text)];
    }
    let mut all = vec![filesystem(&name, place)];
    if place.read_only {
        let text = format!(
            "the file system of {name} is mounted read-only: remount it, or choose another file system"
        );
        all.push(Check::refuse("readonly", text));
    }
    if let Some(why) = &place.spread {
        let text = format!("btrfs cannot hold swap at {name}: {why}. Choose another file system");
        all.push(Check::refuse("filesystem", text));
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
            return Check::refuse("filesystem", format!("{name}: unknown file system: {why}"));
        }
    };
    if SWAP_FILE_SYSTEMS.contains(&kind) {
        return Check::ok("filesystem", format!("{name} is on {kind}"));
    }
    let why = UNFIT.iter().find(|(kinds, _)| kinds.contains(&kind)).map(|(_, why)| *why);
    let why = match why {
        None if kind.starts_with("fuse") => {
            ", which is served by a process that may itself be swapped out".to_owned()
        }
        why => why.map(|why| format!(", which {why}")).unwrap_or_default(),
    };
    let (last, others) = (SWAP_FILE_SYSTEMS[2], SWAP_FILE_SYSTEMS[..2].join(", "));
    let text = format!(
        "{name}: swap files cannot be created on {kind}{why}: choose a directory on {others} or {last}"
    );
    Check::refuse("filesystem", text)
}

fn space(name: &str, place: &NewFileTarget) -> Check {
    let (free, whole) = match (&place.free, &place.whole) {
        (Reading::Known(free), Reading::Known(whole)) => (*free, *whole),
        (Reading::Missing { missing }, _) | (_, Reading::Missing { missing }) => {
            let text = format!("{name}: unknown free space: {}", missing.why());
            return Check::refuse("space", text);
        }
    };
    let needed = place.size.saturating_sub(place.has);
    let more = if place.has > Bytes(0) { " more" } else { "" };
    let (needs, has) = (format!("{}{more}", size(needed)), size(free));
    if needed > free {
        let text = format!(
            "{name} needs {needs}, but only {has} are free: free {} there, or choose a smaller size or another file system",
            size(needed.saturating_sub(free))
        );
        return Check::refuse("full", text);
    }
    let margin = Bytes(whole.0 / MARGIN).min(MOST_MARGIN);
    let left = free.saturating_sub(needed);
    if left < margin {
        let most = place.has.saturating_add(free.saturating_sub(margin));
        let text = format!(
            "{name} would leave {} free of {}, less than the {} that should stay free: choose at most {}, or accept with --force space",
            size(left),
            size(whole),
            size(margin),
            size(most)
        );
        return Check::refuse("space", text);
    }
    Check::ok("space", format!("{name} needs {needs} of {has} free"))
}

/// Refuses to remove a file with other hard links: its space would stay used.
pub(super) fn linked_file((path, names): &(Name, u64)) -> Check {
    let name = path.safe();
    let text = format!(
        "{name} has {names} hard links, so removing this one frees nothing: remove the others first (to list them: find / -samefile {})",
        shell_quoted(path)
    );
    Check::refuse("links", text)
}

/// Checks who could replace the file.
fn folder_checks(name: &str, place: &NewFileTarget) -> Vec<Check> {
    let folders = match &place.folders {
        Reading::Known(folders) => folders,
        Reading::Missing { missing } => return vec![Check::refuse("path", missing.why())],
    };
    let foreign = |folder: &ParentFolder| {
        let shown = folder.path.safe();
        let risk =
            "could replace the file: use a directory owned by root, or accept with --force folder";
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
    folders.iter().filter_map(foreign).map(|text| Check::refuse("folder", text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::check::CheckVerdict;
    use crate::model::Missing;

    const GIB: u64 = 1 << 30;

    fn good() -> NewFileTarget {
        let folder = |path: &str| ParentFolder { path: path.into(), mode: 0o755, owner: 0 };
        NewFileTarget {
            path: "/var/swapfile".into(),
            size: Bytes(GIB),
            has: Bytes(0),
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
        let on =
            |kind: &str| NewFileTarget { filesystem: Reading::Known(kind.to_owned()), ..good() };
        for kind in SWAP_FILE_SYSTEMS {
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
            ("path", NewFileTarget { taken_by: Some("a directory".to_owned()), ..good() }),
            ("readonly", NewFileTarget { read_only: true, ..good() }),
            ("filesystem", NewFileTarget { spread: Some("two devices".to_owned()), ..good() }),
            (
                "filesystem",
                NewFileTarget { filesystem: Missing::absent("no mount").into(), ..good() },
            ),
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
    fn growing_file_needs_only_what_it_grows_by() {
        let place = NewFileTarget { size: Bytes(4 * GIB), has: Bytes(2 * GIB), ..good() };
        assert_eq!(verdicts(&place), []);
        let large = space("/s", &NewFileTarget { size: Bytes(5 * GIB), ..place });
        assert!(large.text.contains("choose at most 4G, or"), "{large:?}");
    }
}
