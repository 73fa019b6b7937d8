//! Inputs of rules: areas with their devices, priority groups, knobs and totals.

use super::finding::{EvidenceCell, Finding};
use crate::derive::drain::{self, SingleDrains};
use crate::derive::selection::{self, PriorityReason};
use crate::derive::speed::{self, Speed};
use crate::derive::traffic::Direction;
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, compression, traffic};
use crate::model::block::{BlockDevice, DiskStats};
use crate::model::kernel::RotationUnit;
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Missing, Name, PartSet, Reading, Snapshot, part_set};
use std::collections::{BTreeMap, BTreeSet};

/// Parts that decide the allocation order and how areas rotate.
pub(super) const ORDER: PartSet = part_set![Swaps, Block, Kernel, Numa, Allocator];

/// Parts that decide whether the contents of an area fit elsewhere.
pub(super) const ROOM: PartSet = part_set![Swaps, Meminfo, Zram, Cgroups, Knobs];

/// Parts that show all swap traffic, also that of zswap.
pub(super) const TRAFFIC: PartSet = part_set![Vmstat, Zswap, Meminfo, Kernel];

/// An area with its device.
#[derive(Clone, Copy, Debug)]
pub(super) struct AreaWithDevice<'v> {
    /// The area.
    pub(super) area: &'v SwapArea,
    /// The device that carries it, or why that is unknown.
    pub(super) block: Option<&'v Reading<BlockDevice>>,
}

impl<'v> AreaWithDevice<'v> {
    /// Returns the speed class.
    pub(super) fn speed(&self) -> Result<Speed, Missing> {
        let block = self.block.cloned().unwrap_or_else(Reading::not_sampled);
        speed::speed_class(&block, None).into_result()
    }

    /// Returns the device that carries it, if that is known.
    pub(super) fn block(&self) -> Option<&'v BlockDevice> {
        self.block?.known()
    }

    /// Returns the name for people.
    pub(super) fn name(&self) -> String {
        self.area.path.safe()
    }

    /// Returns an evidence cell of the area.
    pub(super) fn cell(&self, column: &'static str) -> EvidenceCell {
        EvidenceCell::for_area(self.area, column)
    }
}

/// Returns how a counter of the device of an area changed.
pub(super) fn area_io(
    view: &SampleView<'_>,
    place: &AreaWithDevice<'_>,
    counter: impl Fn(&DiskStats) -> u64,
) -> Reading<CounterChange> {
    let block = place.block.map_or(Reading::not_sampled(), Reading::as_ref);
    traffic::area_io(view, place.area, &block, counter)
}

/// Returns the evidence cells of swap traffic that is known: some kernels do not count that of zswap.
pub(super) fn traffic_cells(view: &SampleView<'_>) -> impl Iterator<Item = EvidenceCell> {
    let rates = [(Direction::In, "in_rate"), (Direction::Out, "out_rate")];
    let known = rates.map(|(way, column)| {
        let is_known = traffic::pages_per_second(view, way).known().is_some();
        is_known.then(|| EvidenceCell::for_column("paging", column))
    });
    known.into_iter().flatten()
}

/// Combines the results for several subjects; without findings, the reason why one was not judged.
pub(super) fn combine(
    each: impl IntoIterator<Item = Result<Option<Finding>, Missing>>,
) -> Result<Vec<Finding>, Missing> {
    let (mut found, mut unknown) = (Vec::new(), None);
    for one in each {
        match one {
            Ok(one) => found.extend(one),
            Err(missing) => unknown = unknown.or(Some(missing)),
        }
    }
    match unknown {
        Some(missing) if found.is_empty() => Err(missing),
        _ => Ok(found),
    }
}

/// Returns all areas with their devices.
pub(super) fn areas_with_devices<'v>(
    view: &SampleView<'v>,
) -> Result<Vec<AreaWithDevice<'v>>, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let blocks = view.now.block.reading.get()?;
    let place = |(at, area)| AreaWithDevice { area, block: blocks.get(at) };
    Ok(areas.iter().enumerate().map(place).collect())
}

/// Returns the areas with their speed classes, without areas whose device the kernel does not show, such
/// as files on btrfs.
pub(super) fn areas_by_speed<'v>(
    view: &SampleView<'v>,
) -> Result<Vec<(AreaWithDevice<'v>, Speed)>, Missing> {
    let each = areas_with_devices(view)?.into_iter().filter_map(|place| match place.speed() {
        Ok(speed) => Some(Ok((place, speed))),
        Err(Missing::Absent(_)) => None,
        Err(missing) => Some(Err(missing)),
    });
    each.collect()
}

/// Areas of one effective priority, with their speed classes.
#[derive(Clone, Debug)]
pub(super) struct RuleGroup<'v> {
    /// The node on which they are equal; `None` for all nodes.
    node: Option<u32>,
    /// Whether they are equal because they belong to one node.
    by_node: bool,
    /// The effective priority there.
    priority: i32,
    /// The areas whose device the kernel shows.
    pub(super) members: Vec<(AreaWithDevice<'v>, Speed)>,
}

impl<'v> RuleGroup<'v> {
    /// Returns what they have in common, for the name of a finding.
    pub(super) fn about(&self) -> String {
        match self.node {
            Some(node) => format!("{} of node {node}", self.priority),
            None => self.priority.to_string(),
        }
    }

    /// Returns the cells that prove the equal priority.
    pub(super) fn cells(&self) -> Vec<EvidenceCell> {
        let columns: &[_] = if self.by_node { &["priority", "node"] } else { &["priority"] };
        let cells = columns
            .iter()
            .flat_map(|column| self.members.iter().map(move |(place, _)| place.cell(column)));
        cells.collect()
    }

    /// Returns the sentence of a finding, with the reason why areas of different priorities are equal.
    pub(super) fn explain(&self, sentence: &str) -> String {
        let reason = "Their default priorities differ, but a NUMA node fills all its own areas with default priority alike.";
        if self.by_node { format!("{reason} {sentence}") } else { sentence.to_owned() }
    }

    fn paths(&self) -> Vec<&'v Name> {
        self.members.iter().map(|(place, _)| &place.area.path).collect()
    }
}

/// Returns the areas of each node in their allocation order there.
pub(super) fn allocation_orders<'v>(
    view: &SampleView<'v>,
) -> Result<Vec<Vec<RuleGroup<'v>>>, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let all: BTreeMap<&Name, _> =
        areas_by_speed(view)?.into_iter().map(|class| (&class.0.area.path, class)).collect();
    let class = |at: usize| all.get(&areas.get(at)?.path).copied();
    let order = |line: &selection::NodeOrder| {
        let mut groups: Vec<RuleGroup<'v>> = Vec::new();
        let mut last = None;
        for place in &line.places {
            if last != Some(place.group) {
                let by_node = place.why == PriorityReason::OwnNode;
                let (node, priority) = (line.node.filter(|_| by_node), place.effective);
                groups.push(RuleGroup { node, by_node, priority, members: Vec::new() });
            }
            last = Some(place.group);
            if let Some(group) = groups.last_mut() {
                group.members.extend(class(place.area));
            }
        }
        groups
    };
    let selection = selection::for_pages(view.now).into_result()?;
    Ok(selection.lines.iter().map(order).collect())
}

/// Returns whether a node prefers the area because it has no explicit priority.
pub(super) fn is_preferred_by_node(place: &AreaWithDevice<'_>) -> bool {
    let has_node = place.block().is_some_and(|block| block.numa_node.known().is_some());
    has_node && place.area.priority < 0
}

/// Returns the groups of several areas on any node, highest priority first.
pub(super) fn shared_groups<'v>(view: &SampleView<'v>) -> Result<Vec<RuleGroup<'v>>, Missing> {
    let mut known = BTreeSet::new();
    let groups = allocation_orders(view)?.into_iter().flatten();
    Ok(groups.filter(|group| group.members.len() > 1 && known.insert(group.paths())).collect())
}

/// Returns whether areas rotate per cluster, with single pages for rotating disks.
pub(super) fn rotates_per_cluster(view: &SampleView<'_>) -> bool {
    selection::policy::allocator(view.now)
        .known()
        .is_some_and(|policy| policy.rotation_unit == RotationUnit::Cluster)
}

/// Returns the zram devices that carry areas, with these areas.
pub(super) fn zram_areas<'v>(
    view: &SampleView<'v>,
) -> Result<Vec<(&'v ZramDevice, &'v SwapArea)>, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let devices = view.now.zram.reading.get()?;
    let carried = devices.iter().filter_map(|device| {
        let area = areas.iter().find(|area| compression::carries(device, area))?;
        Some((device, area))
    });
    Ok(carried.collect())
}

/// Returns whether committed memory needs the area: with strict overcommit the kernel refuses its swapoff.
pub(super) fn needed_for_overcommit(view: &SampleView<'_>, area: &SwapArea) -> bool {
    drain::strict_commit(view.now).is_some_and(|limit| limit.needs_area_of(area.size))
}

/// Returns the rebalance command if each of these areas can be drained: the command itself decides which
/// of them it drains.
pub(super) fn rebalance_command<'v>(
    view: &SampleView<'_>,
    mut places: impl Iterator<Item = &'v AreaWithDevice<'v>>,
) -> Option<String> {
    let drains = SingleDrains::new(view.now);
    let fits = |place: &AreaWithDevice<'_>| drains.fits(place.area) == Reading::Known(true);
    let can_move = |place| fits(place) && !is_doubted_virtio(view, place);
    places.all(can_move).then(|| "swapadm rebalance".to_owned())
}

/// Returns whether the area is on a virtio disk beside another disk: which of them is slower is unknown, so rebalance
/// leaves it as it is.
pub(super) fn is_doubted_virtio(view: &SampleView<'_>, place: &AreaWithDevice<'_>) -> bool {
    let areas = view.now.areas();
    let blocks = view.now.block.reading.known_items();
    let classes = speed::compared_classes(areas.len(), blocks, &[]);
    areas.iter().zip(&classes).any(|(area, (speed, is_virtio))| {
        area.path == place.area.path && *is_virtio && speed.known().is_none()
    })
}

/// Returns the value of a numeric kernel setting.
pub(super) fn knob_number(snapshot: &Snapshot, id: &str) -> Result<u64, Missing> {
    let text = snapshot.knob(id).into_result()?;
    text.parse().map_err(|_| Missing::failed(format!("{id} is not a whole number")))
}

/// Returns the evidence cell of a kernel setting.
pub(super) fn knob_cell(id: &'static str) -> EvidenceCell {
    EvidenceCell::for_row("knobs", id, "value")
}

/// Converts to MiB, the unit of thresholds.
pub(super) fn mib(bytes: Bytes) -> f64 {
    bytes.0 as f64 / f64::from(1 << 20)
}

/// Returns the part as a share of the whole.
pub(super) fn share(part: Bytes, whole: Bytes) -> f64 {
    part.0 as f64 / whole.0.max(1) as f64
}

/// Returns the subject of a summary, which leaves room for what is said about it: two names, or the first of
/// several and their number.
pub(super) fn short_names(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    match names.as_slice() {
        [first, _, _, ..] => format!("{first} and {} others", names.len() - 1),
        _ => join_names(names),
    }
}

/// Joins names as in a sentence.
pub(super) fn join_names(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, second, third, _, _, ..] => {
            format!("{first}, {second}, {third} and {} more", names.len() - 3)
        }
        [first, middle @ .., last] => format!("{first}, {} and {last}", middle.join(", ")),
    }
}
