//! Pitfalls: cases in which allocation differs from what the priorities suggest.

use super::{LargeFolioSupport, NodeOrder, OrderedArea, PriorityReason, Selection, policy};
use crate::derive::headroom::{self, ZramFill};
use crate::derive::{compression, speed};
use crate::model::block::BlockDevice;
use crate::model::kernel::{AllocationOrder, Release, RotationUnit};
use crate::model::{Bytes, Reading, Snapshot, swaparea::SwapArea};
use std::collections::BTreeSet;

/// A pitfall, with the indices of its areas in the kernel's list.
#[derive(Clone, Debug, PartialEq)]
pub enum Pitfall {
    /// Rotational areas among others of the same priority get one page per cluster of the others.
    RotationalAmongEquals {
        /// The rotational areas.
        areas: Vec<usize>,
        /// The priority.
        priority: i32,
        /// The share of new pages that each of them gets.
        share: f64,
    },
    /// Kernels 7.1 and 7.2 can use the last group while the first has room, because of a bug.
    LastGroupFirst {
        /// The areas of the last group.
        areas: Vec<usize>,
    },
    /// Areas on virtual disks that the kernel treats as rotational.
    VirtualRotational {
        /// The areas.
        areas: Vec<usize>,
        /// The files with the rotational flag.
        files: Vec<String>,
        /// The areas on other devices that the kernel treats as rotational.
        others: Vec<usize>,
    },
    /// An area on zram that reaches its memory limit before it is full.
    LimitFirst {
        /// The area.
        areas: Vec<usize>,
        /// How much of its free space it can take.
        filling: ZramFill,
        /// Whether other areas come after it.
        has_later_areas: bool,
    },
    /// Files, which take no large folios.
    FilesSplit {
        /// The areas.
        areas: Vec<usize>,
    },
    /// Rotational areas, which take no large folios on these kernels.
    RotationalSplit {
        /// The areas.
        areas: Vec<usize>,
    },
    /// Areas without an explicit priority, on kernels where all of them share one priority.
    DefaultsTakeTurns {
        /// The areas.
        areas: Vec<usize>,
        /// Whether other areas have an explicit priority.
        has_explicit: bool,
    },
    /// Areas without an explicit priority, on kernels that assign descending priorities.
    DefaultsCounted {
        /// The areas.
        areas: Vec<usize>,
        /// The areas among them that a NUMA node prefers.
        node_preferred: Vec<usize>,
        /// Whether other areas have an explicit priority.
        has_explicit: bool,
    },
}

impl Pitfall {
    /// Returns the areas of the pitfall.
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

    /// Returns whether the pitfall is a problem to fix. The others are normal for these kernels.
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
const WITH_LAST_GROUP_BUG: [Release; 2] = [Release(7, 1), Release(7, 3)];

/// Finds all pitfalls of this machine.
pub fn find_pitfalls(snapshot: &Snapshot, selection: &Selection) -> Vec<Pitfall> {
    let areas = snapshot.areas();
    let mut pitfalls: Vec<Pitfall> = Vec::new();
    for pitfall in selection.lines.iter().flat_map(|line| among_equals(snapshot, selection, line)) {
        if !pitfalls.contains(&pitfall) {
            pitfalls.push(pitfall);
        }
    }
    pitfalls.extend(last_group_first(snapshot, selection));
    pitfalls.extend(virtual_rotational(snapshot));
    pitfalls
        .extend((0..areas.len()).filter_map(|area| limit_first(snapshot, selection, areas, area)));
    let files = split_by(selection, LargeFolioSupport::File);
    pitfalls.extend(files.map(|areas| Pitfall::FilesSplit { areas }));
    let rotational = split_by(selection, LargeFolioSupport::Rotational);
    pitfalls.extend(rotational.map(|areas| Pitfall::RotationalSplit { areas }));
    pitfalls.extend(defaults(snapshot, selection, areas));
    pitfalls
}

/// The areas that split large folios for this reason, if any.
fn split_by(selection: &Selection, reason: LargeFolioSupport) -> Option<Vec<usize>> {
    let places = selection.lines.first().map_or(&[][..], |line| &line.places);
    let split = places.iter().filter(|place| place.large.known() == Some(&reason));
    let mut areas: Vec<usize> = split.map(|place| place.area).collect();
    areas.sort_unstable();
    (!areas.is_empty()).then_some(areas)
}

/// Finds rotational areas that share a priority with others, if both have room.
fn among_equals(snapshot: &Snapshot, selection: &Selection, line: &NodeOrder) -> Vec<Pitfall> {
    let by_cluster =
        selection.policy.known().is_some_and(|p| p.rotation_unit == RotationUnit::Cluster);
    let pitfall = |group: &[OrderedArea]| {
        let members = || group.iter().filter(|place| place.free != Reading::Known(0));
        let turn = |place: &OrderedArea| place.turn_slots.known().copied();
        // Without the turns of all areas the share is unknown.
        let round: u64 = members().map(turn).sum::<Option<u64>>()?;
        let rotational = |place: &&OrderedArea| is_rotational(snapshot, place.area);
        let areas: Vec<usize> = members().filter(rotational).map(|place| place.area).collect();
        let priority = members().next()?.effective;
        let mixed = !areas.is_empty() && areas.len() < members().count();
        let share = 1.0 / round as f64;
        mixed.then_some(Pitfall::RotationalAmongEquals { areas, priority, share })
    };
    let groups = line.places.chunk_by(|one, other| one.group == other.group);
    groups.filter(|_| by_cluster).filter_map(pitfall).collect()
}

/// Finds the bug of the last group, which needs several areas in that group and another group above.
fn last_group_first(snapshot: &Snapshot, selection: &Selection) -> Option<Pitfall> {
    let release = *snapshot.release().known()?;
    let [first, fixed] = WITH_LAST_GROUP_BUG;
    let line = selection.lines.first()?;
    let last = line.places.last()?.group;
    let areas: Vec<usize> =
        line.places.iter().filter(|p| p.group == last).map(|place| place.area).collect();
    let applies = release >= first && release < fixed && last > 1 && areas.len() > 1;
    applies.then_some(Pitfall::LastGroupFirst { areas })
}

/// Finds virtio disks that count as rotational: the kernel reads the flag of the area's own device.
fn virtual_rotational(snapshot: &Snapshot) -> Option<Pitfall> {
    let count = snapshot.areas().len();
    let found = (0..count).filter(|place| is_rotational(snapshot, *place));
    let virtio = |place: usize| block(snapshot, place).filter(|block| speed::is_virtio(block));
    let (areas, others): (Vec<usize>, Vec<usize>) =
        found.partition(|place| virtio(*place).is_some());
    let mut files: Vec<String> =
        areas.iter().filter_map(|place| virtio(*place)).map(speed::rotational_file).collect();
    files.sort_unstable();
    files.dedup();
    (!areas.is_empty()).then_some(Pitfall::VirtualRotational { areas, files, others })
}

/// Finds a zram area that reaches its limit first. The kernel uses an area while it has free slots: a page
/// that zram refuses keeps its slot there and stays in memory.
fn limit_first(
    snapshot: &Snapshot,
    selection: &Selection,
    areas: &[SwapArea],
    place: usize,
) -> Option<Pitfall> {
    let area = areas.get(place)?;
    let device = compression::device_of(snapshot, area);
    let filling = *device.and_then(|device| headroom::zram_fill(snapshot, device)).known()?;
    let is_before = |line: &NodeOrder| {
        let own = line.places.iter().find(|it| it.area == place);
        own.zip(line.places.last()).is_some_and(|(own, last)| own.group < last.group)
    };
    let has_later_areas = selection.lines.iter().any(is_before);
    let stops = filling.beyond() > Bytes(0);
    stops.then(|| Pitfall::LimitFirst { areas: vec![place], filling, has_later_areas })
}

/// Finds areas without an explicit priority, unless there is only one area.
fn defaults(snapshot: &Snapshot, selection: &Selection, areas: &[SwapArea]) -> Option<Pitfall> {
    let (without, with): (Vec<usize>, Vec<usize>) =
        (0..areas.len()).partition(|at| areas.get(*at).is_some_and(|area| area.priority < 0));
    if without.is_empty() || areas.len() < 2 {
        return None;
    }
    let has_explicit = !with.is_empty();
    let places = selection.lines.iter().flat_map(|line| &line.places);
    let own = places.filter(|it| it.why == PriorityReason::OwnNode).map(|it| it.area);
    let own: BTreeSet<usize> = own.collect();
    match policy::order(snapshot).known()?.0 {
        AllocationOrder::Alike => Some(Pitfall::DefaultsTakeTurns { areas: without, has_explicit }),
        AllocationOrder::ByNode => {
            let own = without.iter().copied().filter(|area| own.contains(area));
            let node_preferred = own.collect();
            Some(Pitfall::DefaultsCounted { areas: without, node_preferred, has_explicit })
        }
    }
}

fn block(snapshot: &Snapshot, place: usize) -> Option<&BlockDevice> {
    snapshot.block.of_area(place).known().copied()
}

fn is_rotational(snapshot: &Snapshot, place: usize) -> bool {
    block(snapshot, place).is_some_and(|block| block.rotational.known() == Some(&true))
}
