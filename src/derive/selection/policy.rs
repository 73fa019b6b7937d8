//! The allocation rules of this kernel, from the most certain evidence.

pub use crate::model::kernel::AllocationOrder as Defaults;
use crate::model::kernel::{AllocationOrder, Allocator, AllocatorEvidence, Release, RotationUnit};
use crate::model::{Reading, Snapshot};

/// The last release in which each node has its own order.
const LAST_BY_NODE: Release = Release(6, 18);
/// The last release in which CPUs reserve slots in batches.
const LAST_BATCH: Release = Release(6, 14);
/// The first release in which rotational areas have clusters.
const FIRST_ROTATING_CLUSTERS: Release = Release(6, 14);

/// Returns all allocation rules.
pub fn allocator(snapshot: &Snapshot) -> Reading<Allocator> {
    let sampled = sampled(snapshot);
    order(snapshot).and_then(|(order, evidence)| {
        let cluster_slots = sampled.and_then(|sampled| sampled.cluster_slots);
        let cluster_slots = cluster_slots.or_else(|| huge_page_slots(snapshot));
        rotation_unit(snapshot).map(|(rotation_unit, _)| Allocator {
            order,
            rotation_unit,
            cluster_slots,
            evidence,
        })
    })
}

/// Returns the order of areas, and the evidence for it. What the kernel shows itself counts more than its
/// release: distributions backport changes.
pub fn order(snapshot: &Snapshot) -> Reading<(AllocationOrder, AllocatorEvidence)> {
    let sampled = sampled(snapshot).map(|sampled| (sampled.order, sampled.evidence));
    let is_certain =
        |evidence| matches!(evidence, AllocatorEvidence::Types | AllocatorEvidence::Model);
    let types = sampled.filter(|(_, evidence)| is_certain(*evidence));
    let shown =
        || order_by_priorities(snapshot).map(|order| (order, AllocatorEvidence::Priorities));
    match types.or_else(shown).or(sampled) {
        Some(known) => Reading::Known(known),
        None => snapshot.release().map(|release| {
            let by_node = release <= LAST_BY_NODE;
            (
                if by_node { AllocationOrder::ByNode } else { AllocationOrder::Alike },
                AllocatorEvidence::Release,
            )
        }),
    }
}

/// Returns the length of a turn, and the evidence for it: priorities prove it only if all kernels with that
/// order have the same.
pub fn rotation_unit(snapshot: &Snapshot) -> Reading<(RotationUnit, AllocatorEvidence)> {
    if let Some(sampled) = sampled(snapshot) {
        return Reading::Known((sampled.rotation_unit, sampled.evidence));
    }
    order(snapshot).and_then(|(order, evidence)| match order {
        AllocationOrder::Alike => Reading::Known((RotationUnit::Cluster, evidence)),
        AllocationOrder::ByNode => snapshot.release().map(|release| {
            let is_batch = release <= LAST_BATCH;
            (
                if is_batch { RotationUnit::Batch } else { RotationUnit::Cluster },
                AllocatorEvidence::Release,
            )
        }),
    })
}

fn sampled(snapshot: &Snapshot) -> Option<&Allocator> {
    snapshot.allocator.reading.known()
}

/// Returns the order from the shown priorities: only one kind of kernels shows -2 and less, only one -1.
fn order_by_priorities(snapshot: &Snapshot) -> Option<AllocationOrder> {
    let areas = snapshot.swaps.reading.known()?;
    let lowest = areas.iter().map(|area| area.priority).min()?;
    match lowest {
        ..=-2 => Some(AllocationOrder::ByNode),
        -1 => Some(AllocationOrder::Alike),
        _ => None,
    }
}

/// Returns whether large folios go to rotational areas: only where these have clusters.
pub fn rotating_takes_large(snapshot: &Snapshot) -> Reading<bool> {
    rotation_unit(snapshot).and_then(|(unit, _)| match unit {
        RotationUnit::Cluster => Reading::Known(true),
        RotationUnit::Batch => snapshot.release().map(|release| release >= FIRST_ROTATING_CLUSTERS),
    })
}

/// Returns the slots of a huge page: clusters have this size on kernels that swap huge pages whole.
fn huge_page_slots(snapshot: &Snapshot) -> Option<u32> {
    let thp = snapshot.thp.reading.known()?;
    let (huge, page) = (thp.pmd_size.known()?, snapshot.page_size.known()?);
    u32::try_from(huge.0.checked_div(*page)?).ok()
}

/// Returns whether folios of this many pages go out whole, to areas that take large ones: they have to fit
/// into a cluster; on older kernels only folios that fill a cluster did.
pub(super) fn stays_whole(snapshot: &Snapshot, policy: &Allocator, folio: u64) -> Reading<bool> {
    let release = snapshot.release();
    let is_old = release.known().is_some_and(|release| *release < FIRST_OF_ALL_SIZES);
    match policy.cluster_slots.map(u64::from) {
        Some(slots) if is_old && policy.rotation_unit == RotationUnit::Batch => {
            Reading::Known(folio == slots)
        }
        Some(slots) => Reading::Known(folio <= slots),
        None => Reading::absent(NO_CLUSTER),
    }
}

/// Returns the slots that an area gives per turn to folios of this many pages that it takes.
pub(super) fn turn_slots(
    policy: &Reading<Allocator>,
    rotational: Reading<bool>,
    folio: u64,
) -> Reading<u64> {
    policy.clone().and_then2(rotational, |policy, rotational| {
        match (policy.rotation_unit, policy.cluster_slots) {
            // Only single pages are reserved several at a time.
            (RotationUnit::Batch, _) if folio > 1 => Reading::Known(folio),
            (RotationUnit::Batch, _) if !rotational => Reading::Known(BATCH),
            (RotationUnit::Batch, slots) => {
                let slots = slots.filter(|slots| *slots > 0);
                Reading::Known(rotating_turn(slots.map_or(CLUSTER, u64::from)))
            }
            // A CPU does not remember a rotating area: the next folio chooses again.
            (RotationUnit::Cluster, _) if rotational => Reading::Known(folio),
            (RotationUnit::Cluster, Some(slots)) => Reading::Known(u64::from(slots)),
            (RotationUnit::Cluster, None) => Reading::absent(NO_CLUSTER),
        }
    })
}

const NO_CLUSTER: &str = "the cluster size of this kernel is unknown";
/// The first release in which large folios of all sizes go out whole; before it, only huge ones.
const FIRST_OF_ALL_SIZES: Release = Release(6, 10);
/// Slots that a CPU reserves at once on kernels with batches.
const BATCH: u64 = 64;
/// Steps after which the kernel takes a break from a rotating device.
const STEPS_TO_BREAK: u64 = 257;
/// Slots of a cluster on most machines.
const CLUSTER: u64 = 512;

/// Returns the average slots per turn of a rotating area. The kernel seeks a run of as many free slots as a
/// cluster has, and the steps of the search count towards the break that it takes from the device
/// (`LATENCY_LIMIT`): on an empty area the turn that finds a run gives 3 slots of 512, the others batches.
fn rotating_turn(cluster: u64) -> u64 {
    let first = STEPS_TO_BREAK - (cluster - 1) % STEPS_TO_BREAK;
    let batches = cluster.saturating_sub(first).div_ceil(BATCH);
    let turns = batches + 1;
    (first + batches * BATCH + turns / 2) / turns
}

/// Returns how the kernel orders areas without an explicit priority.
pub fn defaults(snapshot: &Snapshot) -> Reading<Defaults> {
    order(snapshot).map(|(order, _)| order)
}

/// Whether an area with this priority comes first on the node of its device, whatever default priority is shown.
pub fn is_bound(defaults: &Reading<Defaults>, node: Option<i32>, priority: i32) -> bool {
    *defaults == Reading::Known(Defaults::ByNode) && node.is_some() && priority < 0
}

#[cfg(test)]
pub(crate) mod testing {
    use crate::model::kernel::Kernel;
    use crate::model::{Reading, Sampled};

    /// A kernel of this release.
    pub(crate) fn kernel(release: &str) -> Sampled<Kernel> {
        let kernel = Kernel {
            release: Reading::Known(release.to_owned()),
            hostname: Reading::not_sampled(),
            cpus: Reading::not_sampled(),
            uptime_s: Reading::not_sampled(),
            swap_tiers: Reading::not_sampled(),
        };
        Sampled::new(None, Reading::Known(kernel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    #[test]
    fn shown_priorities_decide_before_the_release() {
        let of = |priority: i32, release: &str| {
            let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
            let areas = vec![area("/a", 5, 9, 0), area("/b", priority, 9, 0)];
            snapshot.swaps = Sampled::new(None, Reading::Known(areas));
            snapshot.kernel = testing::kernel(release);
            defaults(&snapshot).known().copied()
        };
        let (by_node, alike) = (Some(Defaults::ByNode), Some(Defaults::Alike));
        assert_eq!([of(-2, "7.2.1"), of(-1, "6.1.0")], [by_node, alike], "backports count");
        assert_eq!([of(3, "6.18.44-fc"), of(3, "5.10")], [by_node, by_node]);
        assert_eq!([of(3, "7.2.13+deb14"), of(3, "6.19.0")], [alike, alike]);
        assert_eq!([of(3, ""), of(3, "x.y"), of(3, "6"), of(3, "99999999999.1")], [None; 4]);
    }
}
