//! NUMA nodes of a machine, and their numbers in the model, which has only nodes with CPUs.

use super::LikeMachine;
use crate::config::ValueType;
use crate::model::Snapshot;
use crate::model::block::BlockDevice;
use crate::model::kernel::NumaNode;

impl LikeMachine {
    /// Notes where nodes of the model differ from those of the machine.
    pub(super) fn describe_nodes(&mut self, snapshot: &Snapshot) {
        let ids = modelled_nodes(snapshot);
        if (0..).zip(&ids).any(|(number, id)| number != *id) {
            self.notes.push(format!(
                "NUMA nodes with CPUs are numbered without gaps: {} are {} in the model.",
                listed(ids.iter().copied()),
                listed((0..).zip(&ids).map(|(number, _)| number)),
            ));
        }
        let nodes = snapshot.numa.reading.known_items();
        let lists = nodes.iter().filter_map(|node| node.cpus.known());
        let lists = lists.filter_map(|list| ValueType::Cpus.cpus(list).ok());
        let counts: Vec<usize> = lists.map(|cpus| cpus.len()).collect();
        if counts.iter().any(|count| counts.first() != Some(count)) {
            self.notes.push(format!(
                "The NUMA nodes have {} CPUs: in the model they have equal numbers.",
                listed(counts)
            ));
        }
    }
}

/// The nodes of a machine that have CPUs: their positions are their numbers in the model.
pub(super) fn modelled_nodes(snapshot: &Snapshot) -> Vec<u32> {
    let nodes = snapshot.numa.reading.known_items();
    let works = |node: &&NumaNode| node.cpus.known().is_none_or(|cpus| !cpus.is_empty());
    let ids: Vec<u32> = nodes.iter().filter(works).map(|node| node.id).collect();
    if ids.is_empty() { vec![0] } else { ids }
}

/// The node of a device, as the kernel numbers it.
pub(super) fn node_of(device: &BlockDevice) -> Option<u32> {
    device.numa_node.known().and_then(|node| u32::try_from(*node).ok())
}

/// Numbers in a sentence.
fn listed(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}
