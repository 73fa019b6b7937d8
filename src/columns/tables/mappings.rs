//! `mappings`: the memory of one process by mapping.

use crate::columns::spec::Spec;
use crate::model::part_set;
use crate::model::users::NamedMapping;

table!(pub struct MappingsTable: &'v NamedMapping, Column, COLUMNS, |view, _| {
    let detail = view.now.process_detail();
    detail.and_then(|detail| detail.mappings.as_ref().map(|all| all.iter().collect()))
});

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<MappingsTable>("mappings", "Mappings", "name")
    .single_subject()
    .shown_by("processes")
    .about("Mappings in swap of the process given by its PID")
    .shows("swap,swap_pss,rss,pss,size,count,name")
    .sort("-swap,name")
    .only("swap>0", "without swap")
    .needs(part_set![Subject]);

const SMAPS: &str = "/proc/PID/smaps";

static COLUMNS: &[Column] = &[
    Column::bytes("swap", "SWAP", |row| row.swap.clone().into())
        .says("Pages of these mappings in swap, including shared memory.", SMAPS),
    Column::bytes("swap_pss", "SWAPPSS", |row| row.swap_pss.clone().into())
        .says("Proportional share of swap: pages that several processes map count in part.", SMAPS)
        .drop(3),
    Column::bytes("rss", "RSS", |row| row.rss.clone().into())
        .says("Resident memory of these mappings.", SMAPS)
        .drop(2),
    Column::bytes("pss", "PSS", |row| row.pss.clone().into())
        .says("Proportional share of resident memory: pages that several processes map count in part.", SMAPS)
        .drop(5),
    Column::bytes("size", "SIZE", |row| row.size.clone().into())
        .says("Address space of these mappings.", SMAPS)
        .drop(4),
    Column::count("count", "COUNT", |row| row.count.into())
        .says("Number of mappings with this name.", SMAPS)
        .drop(6),
    Column::text("name", "NAME", |row| row.name.clone().into()).says(
        "Mapped file, or the kernel's name for other memory, such as [heap]; [anonymous] is memory without a name.",
        SMAPS,
    ),
];

column_ids! { id: MappingsTable, SPEC; NAME RSS SWAP }
