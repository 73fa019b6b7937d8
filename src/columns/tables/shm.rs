//! `shm`: shared memory that no process owns.

use super::processes;
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::model::shm::{SysvSegment, Tmpfs};
use crate::model::{Bytes, Name, Part, PartSet, Reading};

/// The table.
pub struct Shm;

/// One tmpfs, one segment, or why a kind could not be listed.
pub enum Row<'v> {
    /// A mounted tmpfs.
    Tmpfs(&'v Tmpfs),
    /// A System V segment.
    Sysv(View<'v>, &'v SysvSegment),
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "shm",
    title: "Shared memory",
    about: "tmpfs and System V segments: what they take in memory and swap together",
    style: Style::Rows,
    default: &["kind", "name", "used", "swapped", "size"],
    with_two: &[],
    key: "name",
    sort: Some("-used"),
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Shm]),
    infos: spec::infos::<Shm>,
    cells: spec::cells::<Shm>,
};

impl Table for Shm {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        view.now.shm.reading.as_ref().map(|shm| {
            let tmpfs = shm.tmpfs.known().map(Vec::as_slice).unwrap_or_default();
            let sysv = shm.sysv.known().map(Vec::as_slice).unwrap_or_default();
            tmpfs
                .iter()
                .map(Row::Tmpfs)
                .chain(sysv.iter().map(|segment| Row::Sysv(*view, segment)))
                .collect()
        })
    }
}

const NO_OWNER: &str = "a tmpfs has no owner";
const TMPFS: &str = "/proc/mounts, statfs";
const BOTH: &str = "/proc/mounts, statfs, /proc/sysvipc/shm";

static COLUMNS: &[Column<Shm>] = &[
    Column {
        info: Info::new("kind", "KIND", Unit::Text).says("tmpfs or sysv.", BOTH),
        get: |row| match row {
            Row::Tmpfs(_) => "tmpfs".into(),
            Row::Sysv(..) => "sysv".into(),
        },
    },
    Column {
        info: Info::new("name", "NAME", Unit::Text)
            .says("Where it is mounted, or the number of the segment.", BOTH),
        get: |row| match row {
            Row::Tmpfs(tmpfs) => tmpfs.mount.clone().into(),
            Row::Sysv(_, segment) => Name::from(segment.id.to_string().as_str()).into(),
        },
    },
    Column {
        info: Info::new("used", "USED", Unit::Bytes)
            .says("What it takes in memory and swap together.", BOTH),
        get: |row| match row {
            Row::Tmpfs(tmpfs) => tmpfs.used.clone().into(),
            Row::Sysv(_, segment) => segment.resident.saturating_add(segment.swapped).into(),
        },
    },
    Column {
        info: Info::new("swapped", "SWAP", Unit::Bytes)
            .says("What of it is in swap; the kernel does not say for tmpfs.", "/proc/sysvipc/shm"),
        get: |row| match row {
            Row::Tmpfs(_) => {
                Reading::<Bytes>::absent("the kernel does not say what of a tmpfs is in swap")
                    .into()
            }
            Row::Sysv(_, segment) => segment.swapped.into(),
        },
    },
    Column {
        info: Info::new("size", "SIZE", Unit::Bytes)
            .says("Its limit, or the size of the segment.", TMPFS),
        get: |row| match row {
            Row::Tmpfs(tmpfs) => tmpfs.size.clone().into(),
            Row::Sysv(_, segment) => segment.size.into(),
        },
    },
    Column {
        info: Info::new("uid", "UID", Unit::Count)
            .says("Owner of a segment.", "/proc/sysvipc/shm")
            .drop(5),
        get: |row| match row {
            Row::Tmpfs(_) => Reading::<u64>::absent(NO_OWNER).into(),
            Row::Sysv(_, segment) => segment.uid.into(),
        },
    },
    Column {
        info: Info::new("user", "OWNER", Unit::Text)
            .says(
                "Owner of a segment; the number where its name is not known.",
                "/proc/sysvipc/shm, /etc/passwd",
            )
            .needs(PartSet::of(&[Part::Processes]))
            .drop(6),
        get: |row| match row {
            Row::Tmpfs(_) => Reading::<Name>::absent(NO_OWNER).into(),
            Row::Sysv(view, segment) => {
                let table = view.now.processes.reading.as_ref();
                table.map(|table| processes::user(table, segment.uid)).into()
            }
        },
    },
];
