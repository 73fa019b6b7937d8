//! `shm`: tmpfs mounts and System V shared memory.

use super::clusters::first_known;
use super::processes;
use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::model::users::{SysvSegment, Tmpfs};
use crate::model::{Bytes, Name, Reading, part_set};

table!(pub struct ShmTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// A tmpfs mount or a System V segment.
pub enum Row<'v> {
    /// A mounted tmpfs.
    Tmpfs(&'v Tmpfs),
    /// A System V segment.
    Sysv(SampleView<'v>, &'v SysvSegment),
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ShmTable>("shm", "Shared memory", "name")
    .about("tmpfs mounts and System V segments with their memory and swap")
    .shows("kind,name,used,swapped,size")
    .sort("-used")
    .needs(part_set![Shm]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    view.now.shm.reading.as_ref().and_then(|shm| {
        let tmpfs = shm.tmpfs.as_ref().map(|all| all.iter().map(Row::Tmpfs).collect());
        let segment = |segment| Row::Sysv(*view, segment);
        let sysv = shm.sysv.as_ref().map(|all| all.iter().map(segment).collect());
        first_known([tmpfs, sysv].into_iter())
    })
}

const NO_OWNER: &str = "a tmpfs has no owner";
const TMPFS: &str = "/proc/mounts, statfs";
const BOTH: &str = "/proc/mounts, statfs, /proc/sysvipc/shm";

static COLUMNS: &[Column] = &[
    Column::text("kind", "KIND", |row| match row {
        Row::Tmpfs(_) => "tmpfs".into(),
        Row::Sysv(..) => "sysv".into(),
    })
    .says("Kind: tmpfs or sysv.", BOTH),
    Column::text("name", "NAME", |row| match row {
        Row::Tmpfs(tmpfs) => tmpfs.mount.clone().into(),
        Row::Sysv(_, segment) => Name::from(segment.id.to_string().as_str()).into(),
    })
    .says("Mount point, or ID of the segment.", BOTH),
    Column::bytes("used", "USED", |row| match row {
        Row::Tmpfs(tmpfs) => tmpfs.used.clone().into(),
        Row::Sysv(_, segment) => segment.resident.saturating_add(segment.swapped).into(),
    })
    .says("Memory plus swap in use.", BOTH),
    Column::bytes("swapped", "SWAP", |row| match row {
        Row::Tmpfs(_) => {
            Reading::<Bytes>::absent("the kernel does not show the swap of a tmpfs").into()
        }
        Row::Sysv(_, segment) => segment.swapped.into(),
    })
    .says("Swap in use; the kernel does not show it for tmpfs.", "/proc/sysvipc/shm"),
    Column::bytes("size", "SIZE", |row| match row {
        Row::Tmpfs(tmpfs) => tmpfs.size.clone().into(),
        Row::Sysv(_, segment) => segment.size.into(),
    })
    .says("Size limit of the tmpfs, or size of the segment.", TMPFS),
    Column::count("uid", "UID", |row| match row {
        Row::Tmpfs(_) => Reading::<u64>::absent(NO_OWNER).into(),
        Row::Sysv(_, segment) => segment.uid.into(),
    })
    .says("User ID of the owner of a segment.", "/proc/sysvipc/shm"),
    Column::text("user", "OWNER", |row| match row {
        Row::Tmpfs(_) => Reading::<Name>::absent(NO_OWNER).into(),
        Row::Sysv(view, segment) => {
            let table = view.now.processes.reading.as_ref();
            table.map(|table| processes::user_name(table, segment.uid)).into()
        }
    })
    .says(
        "Owner of a segment, or the UID if the name is unknown.",
        "/proc/sysvipc/shm, /etc/passwd",
    )
    .needs(part_set![Processes]),
];

column_ids! { id: ShmTable, SPEC;
    KIND NAME SIZE SWAPPED USED USER
}
