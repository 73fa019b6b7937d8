//! `numa`: memory, swap cache and swap devices by NUMA node.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::view::CounterChange;
use crate::model::kernel::NumaNode;
use crate::model::paging::Counters;
use crate::model::{Bytes, Pages, Reading, part_set};

table!(pub struct NumaTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// A NUMA node.
pub struct Row<'v> {
    view: SampleView<'v>,
    node: &'v NumaNode,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<NumaTable>("numa", "NUMA nodes", "node")
    .about("Memory, swap cache and swap devices of each NUMA node")
    .shows("node,cpus,total,free,anon,swap_cached,devices")
    .with_two("scan_rate")
    .needs(part_set![Numa, Swaps, Block]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    view.now
        .numa
        .reading
        .as_ref()
        .map(|nodes| nodes.iter().map(|node| Row { view: *view, node }).collect())
}

impl Row<'_> {
    fn memory(&self, name: &str) -> Reading<Bytes> {
        let field = self.node.meminfo.as_ref().and_then(|meminfo| meminfo.get(name));
        field.map(Bytes::from_kib)
    }

    fn watermark(&self, name: &str) -> Reading<Bytes> {
        let pages = self.node.watermarks.as_ref().and_then(|all| all.get(name)).map(Pages);
        pages.map2(self.view.now.page_size.clone(), Pages::bytes)
    }

    /// Devices of active areas whose controller is on this node.
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

    /// Pages of the node scanned by reclaim since boot.
    fn scanned(&self) -> Reading<u64> {
        self.node.vmstat.as_ref().and_then(scanned)
    }

    fn scans(&self) -> Reading<f64> {
        let of_node =
            |nodes: &Vec<NumaNode>| match nodes.iter().find(|node| node.id == self.node.id) {
                Some(node) => node.vmstat.as_ref().and_then(scanned),
                None => Reading::absent("the node did not exist in the earlier sample"),
            };
        self.view.change(|snapshot| &snapshot.numa, of_node).map(CounterChange::per_second)
    }
}

/// Pages scanned by reclaim. The kernel counts them by kind (anon, file) and again by scanner, so only one
/// of the two may be summed.
fn scanned(vmstat: &Counters) -> Reading<u64> {
    vmstat.get("pgscan_anon").map2(vmstat.get("pgscan_file"), u64::saturating_add)
}

const ZONES: &str = "/proc/zoneinfo";
const MEMINFO: &str = "/sys/devices/system/node/node*/meminfo";

static COLUMNS: &[Column] = &[
    Column::count("node", "NODE", |row| row.node.id.into())
        .says("Node number.", "/sys/devices/system/node"),
    Column::text("cpus", "CPUS", |row| row.node.cpus.clone().into())
        .says("CPUs of the node.", "/sys/devices/system/node/node*/cpulist"),
    Column::bytes("total", "TOTAL", |row| row.memory("MemTotal").into())
        .says("Total memory of the node.", MEMINFO),
    Column::bytes("free", "FREE", |row| row.memory("MemFree").into())
        .says("Free memory of the node.", MEMINFO),
    Column::bytes("mark_min", "MIN", |row| row.watermark("min").into())
        .says("Free memory below which tasks wait for reclaim: the sum of the min watermarks of its zones.", ZONES),
    Column::bytes("mark_low", "LOW", |row| row.watermark("low").into())
        .says("Free memory below which kswapd wakes up: the sum of the low watermarks of its zones.", ZONES),
    Column::bytes("mark_high", "HIGH", |row| row.watermark("high").into())
        .says("Free memory at which kswapd stops: the sum of the high watermarks of its zones.", ZONES),
    Column::bytes("anon", "ANON", |row| row.memory("AnonPages").into())
        .says("Anonymous memory, which can be swapped.", MEMINFO),
    Column::bytes("file", "FILE", |row| row.memory("FilePages").into())
        .says("Page cache of files.", MEMINFO),
    Column::bytes("shmem", "SHMEM", |row| row.memory("Shmem").into())
        .says("Shared memory and tmpfs.", MEMINFO),
    Column::bytes("swap_cached", "SWAPCACHED", |row| row.memory("SwapCached").into())
        .says("Swap cache: pages in memory that still own a swap slot.", MEMINFO)
        .drop(4)
        .since("5.12"),
    Column::per_second("scan_rate", "SCAN/s", |row| row.scans().into())
        .total(|row| row.scanned().into())
        .says(
            "Pages scanned by reclaim per second: pgscan_anon + pgscan_file. Older kernels count them only for the whole machine.",
            "/sys/devices/system/node/node*/vmstat",
        )
        .drop(5)
        .since("7.2"),
    Column::list("distance", "DISTANCE", |row| {
        let words = |all: Vec<u32>| all.iter().map(u32::to_string).collect::<Vec<_>>();
        row.node.distance.clone().map(words).into()
    })
    .says("Distance to each node, by node number.", "/sys/devices/system/node/node*/distance"),
    Column::list("devices", "SWAP-DEVICES", |row| row.devices().into()).says(
        "Swap devices whose controller is on the node. Up to 6.18 the node prefers those with default priority.",
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
