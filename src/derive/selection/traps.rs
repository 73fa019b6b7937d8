//! Traps: cases in which allocation differs from what the priorities suggest.

use super::{LargeFolioSupport, NodeOrder, OrderedArea, PriorityReason, Selection, policy};
use crate::derive::headroom::{self, ZramFill};
use crate::derive::{compression, speed};
use crate::model::block::BlockDevice;
use crate::model::kernel::{AllocationOrder, RotationUnit};
use crate::model::{Bytes, Reading, Snapshot, swaparea::SwapArea};
use std::collections::BTreeSet;

/// A trap, with the indices of its areas in the kernel's list.
#[derive(Clone, Debug, PartialEq)]
pub enum Trap {
    /// Rotating areas among others of the same priority get one page per cluster of the others.
    RotationalAmongEquals {
        /// The rotating areas.
        areas: Vec<usize>,
        /// The priority.
        priority: i32,
        /// The share of each of them.
        share: f64,
    },
    /// A bug of these kernels can use the last group while the first has room.
    LastGroupFirst {
        /// The areas of the last group.
        areas: Vec<usize>,
    },
    /// Areas on virtual disks that the kernel treats as rotating.
    VirtualRotational {
        /// The areas.
        areas: Vec<usize>,
        /// The files with the rotational flag.
        files: Vec<String>,
    },
    /// An area on zram that reaches its memory limit before it is full.
    LimitFirst {
        /// The area.
        areas: Vec<usize>,
        /// How much of its free space it can take.
        filling: ZramFill,
        /// Whether other areas come after it.
        hides: bool,
    },
    /// Files, which take no large folios.
    FilesSplit {
        /// The areas.
        areas: Vec<usize>,
    },
    /// Rotating areas, which take no large folios on these kernels.
    RotationalSplit {
        /// The areas.
        areas: Vec<usize>,
    },
    /// Areas without an explicit priority, on kernels where all of them share one priority.
    DefaultsTakeTurns {
        /// The areas.
        areas: Vec<usize>,
        /// Whether other areas have an explicit priority.
        last: bool,
    },
    /// Areas without an explicit priority, on kernels that assign descending priorities.
    DefaultsCounted {
        /// The areas.
        areas: Vec<usize>,
        /// The areas among them that a NUMA node prefers.
        own: Vec<usize>,
        /// Whether other areas have an explicit priority.
        last: bool,
    },
}

impl Trap {
    /// Returns the areas of the trap.
    pub fn areas(&self) -> &[usize] {
        match self {
            Self::RotationalAmongEquals { areas, .. }
            | Self::LastGroupFirst { areas }
            | Self::VirtualRotational { areas, .. }
            | Self::LimitFirst { areas, .. }
            | Self::FilesSplit { areas }
            | Self::RotationalSplit { areas }
            | Self::DefaultsTakeTurns { areas, .. }
            | Self::DefaultsCounted { areas, .. } => areas,
        }
    }

    /// Returns whether the trap is a problem to fix. The others are normal for these kernels.
    pub fn is_wrong(&self) -> bool {
        matches!(
            self,
            Self::RotationalAmongEquals { .. }
                | Self::LastGroupFirst { .. }
                | Self::VirtualRotational { .. }
                | Self::LimitFirst { .. }
        )
    }
}

/// The releases with the bug: from the first up to, but not including, the second.
const LAST_GROUP_FIRST: ((u32, u32), (u32, u32)) = ((7, 1), (7, 3));

/// Finds all traps of this machine.
pub fn find_traps(snapshot: &Snapshot, selection: &Selection) -> Vec<Trap> {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let mut traps: Vec<Trap> = Vec::new();
    for trap in selection.lines.iter().flat_map(|line| among_equals(snapshot, selection, line)) {
        if !traps.contains(&trap) {
            traps.push(trap);
        }
    }
    traps.extend(last_group_first(snapshot, selection));
    let named =
        |make: fn(Vec<usize>) -> Trap, areas: Vec<usize>| (!areas.is_empty()).then(|| make(areas));
    traps.extend(virtual_rotational(snapshot));
    traps.extend((0..areas.len()).filter_map(|area| limit_first(snapshot, selection, areas, area)));
    let split = |large| {
        let places = selection.lines.first().map_or(&[][..], |line| &line.places);
        let mut areas: Vec<usize> = places
            .iter()
            .filter(|place| place.large.known() == Some(&large))
            .map(|place| place.area)
            .collect();
        areas.sort_unstable();
        areas
    };
    traps.extend(named(|areas| Trap::FilesSplit { areas }, split(LargeFolioSupport::File)));
    traps.extend(named(
        |areas| Trap::RotationalSplit { areas },
        split(LargeFolioSupport::Rotational),
    ));
    traps.extend(defaults(snapshot, selection, areas));
    traps
}

/// Finds rotating areas that share a priority with others, if both have room.
fn among_equals(snapshot: &Snapshot, selection: &Selection, line: &NodeOrder) -> Vec<Trap> {
    let by_cluster = selection.policy.known().is_some_and(|p| p.grain == RotationUnit::Cluster);
    let trap = |group: &[OrderedArea]| {
        let members = || group.iter().filter(|place| place.free != Reading::Known(0));
        let turn = |place: &OrderedArea| place.turn_slots.known().copied();
        let round: u64 = members().map(turn).sum::<Option<u64>>()?;
        let rotating = |place: &&OrderedArea| is_rotational(snapshot, place.area);
        let areas: Vec<usize> = members().filter(rotating).map(|place| place.area).collect();
        let priority = members().next()?.effective;
        let mixed = !areas.is_empty() && areas.len() < members().count();
        let share = 1.0 / round as f64;
        mixed.then_some(Trap::RotationalAmongEquals { areas, priority, share })
    };
    let groups = line.places.chunk_by(|one, other| one.group == other.group);
    groups.filter(|_| by_cluster).filter_map(trap).collect()
}

/// Finds the bug of the last group, which needs several areas in that group and another group above.
fn last_group_first(snapshot: &Snapshot, selection: &Selection) -> Option<Trap> {
    let release = *policy::release(snapshot).known()?;
    let (first, fixed) = LAST_GROUP_FIRST;
    let line = selection.lines.first()?;
    let last = line.places.last()?.group;
    let areas: Vec<usize> =
        line.places.iter().filter(|p| p.group == last).map(|place| place.area).collect();
    let applies = release >= first && release < fixed && last > 1 && areas.len() > 1;
    applies.then_some(Trap::LastGroupFirst { areas })
}

/// Finds virtio disks that count as rotating: the kernel reads the flag of the area's own device.
fn virtual_rotational(snapshot: &Snapshot) -> Option<Trap> {
    let count = snapshot.swaps.reading.known().map_or(0, Vec::len);
    let is_one = |block: &&BlockDevice| speed::is_virtio(block);
    let found = (0..count).filter(|place| is_rotational(snapshot, *place));
    let (areas, mut files): (Vec<usize>, Vec<String>) = found
        .filter_map(|place| {
            let block = block(snapshot, place).filter(is_one)?;
            Some((place, speed::rotational_file(block)))
        })
        .unzip();
    files.sort_unstable();
    files.dedup();
    (!areas.is_empty()).then_some(Trap::VirtualRotational { areas, files })
}

/// Finds a zram area that reaches its limit first. The kernel uses an area while it has free slots: a page
/// that zram refuses keeps its slot there and stays in memory.
fn limit_first(
    snapshot: &Snapshot,
    selection: &Selection,
    areas: &[SwapArea],
    place: usize,
) -> Option<Trap> {
    let area = areas.get(place)?;
    let devices = snapshot.zram.reading.known()?;
    let device = devices.iter().find(|device| compression::carries(device, area))?;
    let filling = *headroom::zram_fill(snapshot, device).known()?;
    let is_before = |line: &NodeOrder| {
        let own = line.places.iter().find(|it| it.area == place);
        own.zip(line.places.last()).is_some_and(|(own, last)| own.group < last.group)
    };
    let hides = selection.lines.iter().any(is_before);
    let stops = filling.beyond() > Bytes(0);
    stops.then(|| Trap::LimitFirst { areas: vec![place], filling, hides })
}

/// Finds areas without an explicit priority, unless there is only one area.
fn defaults(snapshot: &Snapshot, selection: &Selection, areas: &[SwapArea]) -> Option<Trap> {
    let (without, with): (Vec<usize>, Vec<usize>) =
        (0..areas.len()).partition(|at| areas.get(*at).is_some_and(|area| area.priority < 0));
    if without.is_empty() || areas.len() < 2 {
        return None;
    }
    let last = !with.is_empty();
    let places = selection.lines.iter().flat_map(|line| &line.places);
    let own = places.filter(|it| it.why == PriorityReason::OwnNode).map(|it| it.area);
    let own: BTreeSet<usize> = own.collect();
    match policy::order(snapshot).known()?.0 {
        AllocationOrder::Alike => Some(Trap::DefaultsTakeTurns { areas: without, last }),
        AllocationOrder::ByNode => {
            let own = without.iter().copied().filter(|area| own.contains(area)).collect();
            Some(Trap::DefaultsCounted { areas: without, own, last })
        }
    }
}

fn block(snapshot: &Snapshot, place: usize) -> Option<&BlockDevice> {
    snapshot.block.reading.known()?.get(place)?.known()
}

fn is_rotational(snapshot: &Snapshot, place: usize) -> bool {
    block(snapshot, place).is_some_and(|block| block.rotational.known() == Some(&true))
}
