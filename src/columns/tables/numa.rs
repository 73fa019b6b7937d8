//! `numa`: memory and swap cache by node.

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::view::CounterChange;
use crate::model::kernel::NumaNode;
use crate::model::paging::Counters;
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct NumaTable;

/// A node with the areas that are bound to it.
pub struct Row<'v> {
    view: SampleView<'v>,
    node: &'v NumaNode,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<NumaTable>("numa", "NUMA nodes", "node")
    .about("Memory and swap cache of each node, and the swap devices that hang on it")
    .shows(&["node", "cpus", "total", "free", "anon", "swap_cached", "devices"])
    .with_two(&["scan_rate"])
    .needs(PartSet::from_parts(&[Part::Numa, Part::Swaps, Part::Block]));

impl Table for NumaTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        view.now
            .numa
            .reading
            .as_ref()
            .map(|nodes| nodes.iter().map(|node| Row { view: *view, node }).collect())
    }
}

impl Row<'_> {
    fn memory(&self, name: &str) -> Reading<Bytes> {
        let field = self.node.meminfo.as_ref().and_then(|meminfo| meminfo.get(name));
        field.map(Bytes::from_kib)
    }

    /// The devices of active areas whose controller belongs to this node.
    fn devices(&self) -> Reading<Vec<String>> {
        self.view.now.block.reading.as_ref().map(|blocks| {
            let here = |block: &&crate::model::block::BlockDevice| {
                block
                    .numa_node
                    .known()
                    .is_some_and(|node| i64::from(*node) == i64::from(self.node.id))
            };
            let known = blocks.iter().filter_map(Reading::known).filter(here);
            known.map(|block| block.name.clone()).collect()
        })
    }

    fn scans(&self) -> Reading<f64> {
        let of_node =
            |nodes: &Vec<NumaNode>| match nodes.iter().find(|node| node.id == self.node.id) {
                Some(node) => node.vmstat.as_ref().and_then(scanned),
                None => Reading::absent("the node was not there at the sample before"),
            };
        self.view.change(|snapshot| &snapshot.numa, of_node).map(CounterChange::per_second)
    }
}

/// Pages that reclaim looked at. They are counted by what they are and again by who looked, so only
/// one of the two may be summed.
fn scanned(vmstat: &Counters) -> Reading<u64> {
    vmstat.get("pgscan_anon").map2(vmstat.get("pgscan_file"), u64::saturating_add)
}

const MEMINFO: &str = "/sys/devices/system/node/node*/meminfo";

type Column = spec::Column<NumaTable>;

static COLUMNS: &[Column] = &[
    Column::count("node", "NODE", |row| row.node.id.into())
        .says("Number of the node.", "/sys/devices/system/node"),
    Column::text("cpus", "CPUS", |row| row.node.cpus.clone().into())
        .says("Its processors.", "/sys/devices/system/node/node*/cpulist"),
    Column::bytes("total", "TOTAL", |row| row.memory("MemTotal").into())
        .says("Its memory.", MEMINFO),
    Column::bytes("free", "FREE", |row| row.memory("MemFree").into())
        .says("Of that, free memory.", MEMINFO),
    Column::bytes("anon", "ANON", |row| row.memory("AnonPages").into())
        .says("Private memory: what could be swapped.", MEMINFO),
    Column::bytes("file", "FILE", |row| row.memory("FilePages").into())
        .says("Pages of files.", MEMINFO)
        .drop(6),
    Column::bytes("shmem", "SHMEM", |row| row.memory("Shmem").into())
        .says("Shared memory and tmpfs.", MEMINFO)
        .drop(6),
    Column::bytes("swap_cached", "SWAPCACHED", |row| row.memory("SwapCached").into())
        .says("Pages in its memory that still own a slot.", MEMINFO)
        .drop(4)
        .since("5.12"),
    Column::per_second("scan_rate", "SCAN/s", |row| row.scans().into())
        .says(
            "Pages that reclaim looked at, private ones and those of files: pgscan_anon and pgscan_file, which older kernels count only for the whole machine.",
            "/sys/devices/system/node/node*/vmstat",
        )
        .two()
        .drop(5)
        .since("7.2"),
    Column::list("distance", "DISTANCE", |row| {
        let words = |all: Vec<u32>| all.iter().map(u32::to_string).collect::<Vec<_>>();
        row.node.distance.clone().map(words).into()
    })
    .says("Distance to each node, by number.", "/sys/devices/system/node/node*/distance")
    .drop(7),
    Column::list("devices", "SWAP-DEVICES", |row| row.devices().into()).says(
        "Devices of swap areas whose controller belongs to it. Up to 6.18 those of default priority are preferred there.",
        "/sys/block/*/device/numa_node",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scanned_page_is_counted_once() {
        let counters = |pairs: &[(&str, u64)]| {
            let pairs = pairs.iter().map(|(name, value)| ((*name).into(), *value));
            Counters::new("vmstat", pairs.collect())
        };
        let both = [
            ("pgscan_anon", 30),
            ("pgscan_direct", 20),
            ("pgscan_file", 12),
            ("pgscan_kswapd", 22),
        ];
        assert_eq!(scanned(&counters(&both)), Reading::Known(42));
        let half = scanned(&counters(&[("pgscan_file", 12), ("pgscan_kswapd", 12)]));
        assert_eq!(half.missing().unwrap().kind(), "absent");
    }
}
