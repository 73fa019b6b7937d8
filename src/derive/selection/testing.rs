//! Machines for tests.

use crate::derive::selection::policy::testing::kernel;
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::kernel::{AllocationOrder, Allocator, AllocatorEvidence, NumaNode, RotationUnit};
use crate::model::paging::Counters;
use crate::model::swaparea::testing::area;
use crate::model::{Reading, Sampled, Snapshot, Stamp};

const PAGE: u64 = 4096;

/// A disk, on this NUMA node if given.
pub(crate) fn disk(name: &str, rotational: bool, node: Option<i32>) -> Reading<BlockDevice> {
    Reading::Known(BlockDevice {
        name: name.to_owned(),
        kind: BlockKind::Disk,
        parent: Reading::absent("whole"),
        disks: Reading::Known(vec![name.to_owned()]),
        size: Reading::not_sampled(),
        rotational: Reading::Known(rotational),
        discard_max: Reading::not_sampled(),
        numa_node: Reading::or_absent(node, "none"),
        scheduler: Reading::not_sampled(),
        model: Reading::not_sampled(),
        backing_file: Reading::not_sampled(),
        dm_name: Reading::not_sampled(),
    })
}

pub(crate) fn node(id: u32) -> NumaNode {
    NumaNode {
        id,
        cpus: Reading::not_sampled(),
        distance: Reading::not_sampled(),
        meminfo: Reading::Known(Counters::new("", vec![])),
        vmstat: Reading::not_sampled(),
        watermarks: Reading::not_sampled(),
    }
}

/// A machine with these areas: priority, size and used pages, device.
pub(crate) fn machine(release: &str, areas: &[(i32, u64, u64, Reading<BlockDevice>)]) -> Snapshot {
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    snapshot.page_size = Reading::Known(PAGE);
    snapshot.kernel = kernel(release);
    let row = |(place, (priority, size, used, _)): (usize, &(i32, u64, u64, _))| {
        area(&format!("/dev/{place}"), *priority, size * PAGE, used * PAGE)
    };
    let rows = areas.iter().enumerate().map(row).collect();
    snapshot.swaps = Sampled::new(None, Reading::Known(rows));
    let blocks = areas.iter().map(|(.., block)| block.clone()).collect();
    snapshot.block = Sampled::new(None, Reading::Known(blocks));
    snapshot.numa = Sampled::new(None, Reading::Known(vec![node(0), node(1)]));
    snapshot
}

pub(crate) fn solid(name: &str) -> Reading<BlockDevice> {
    disk(name, false, None)
}

/// Sets allocation rules that are proved by the kernel's types.
pub(crate) fn by_types(
    snapshot: &mut Snapshot,
    order: AllocationOrder,
    rotation_unit: RotationUnit,
) {
    let cluster_slots = Some(512);
    let allocator =
        Allocator { order, rotation_unit, cluster_slots, evidence: AllocatorEvidence::Types };
    snapshot.allocator = Sampled::new(None, Reading::Known(allocator));
}
