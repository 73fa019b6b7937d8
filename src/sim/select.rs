//! Selection of the area for a folio: priority lists, one for all CPUs or one for each NUMA node.

use super::areas::AreaSetup;
use super::dense::Dense;
use super::policy::SelectionPolicy;

/// Priority that the kernel gives an area on the CPU's own node.
const OWN_NODE: i32 = -1;

/// An area on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed {
    area: u32,
    priority: i32,
}

/// The priority lists of areas with free slots.
#[derive(Clone, Debug)]
pub struct Selector {
    policy: SelectionPolicy,
    lists: Dense<Vec<Listed>>,
    lowest: i32,
}

impl Selector {
    /// Empty lists for a machine with this many nodes.
    pub fn new(policy: SelectionPolicy, nodes: u32) -> Self {
        let lists = if policy == SelectionPolicy::PerNode { nodes.max(1) } else { 1 };
        // Kernels that prefer areas of the own node (4.14 to 6.18) keep -1 for these.
        let lowest = if policy == SelectionPolicy::PerNode { -1 } else { 0 };
        Self { policy, lists: Dense::filled(Vec::new(), lists), lowest }
    }

    /// The priority of an area that is enabled next.
    pub fn assign_priority(&mut self, explicit: Option<i32>) -> i32 {
        match (explicit, self.policy) {
            (Some(priority), _) => priority,
            (None, SelectionPolicy::RoundRobin) => -1,
            (None, SelectionPolicy::OneByOne | SelectionPolicy::PerNode) => {
                self.lowest -= 1;
                self.lowest
            }
        }
    }

    /// Raises each default priority below that of a disabled area by one. Returns whether the kernel
    /// does so.
    pub fn renumber_defaults_below(&mut self, priority: i32) -> bool {
        let renumbers = priority < 0 && self.policy != SelectionPolicy::RoundRobin;
        if renumbers {
            self.lowest += 1;
            for listed in self.lists.entries_mut().flatten() {
                let is_promoted =
                    self.policy == SelectionPolicy::PerNode && listed.priority == OWN_NODE;
                if listed.priority < priority && !is_promoted {
                    listed.priority += 1;
                }
            }
        }
        renumbers
    }

    /// Puts an area behind those of its priority on each list.
    pub fn insert(&mut self, area: u32, setup: &AreaSetup, priority: i32) {
        let by_node = self.policy == SelectionPolicy::PerNode;
        for (node, list) in (0..).zip(self.lists.entries_mut()) {
            let is_own = by_node && priority < 0 && setup.node == Some(node);
            let priority = if is_own { OWN_NODE } else { priority };
            let place = list.iter().take_while(|listed| listed.priority >= priority).count();
            list.insert(place, Listed { area, priority });
        }
    }

    /// Takes an area off all lists.
    pub fn remove(&mut self, area: u32) {
        self.lists.entries_mut().for_each(|list| list.retain(|listed| listed.area != area));
    }

    /// The areas in the order in which a CPU of this node tries them.
    pub fn order(&self, node: u32) -> impl Iterator<Item = u32> {
        self.lists[self.list_of(node)].iter().map(|listed| listed.area)
    }

    /// The area at this place of the order of a node.
    pub(super) fn at(&self, node: u32, place: usize) -> Option<u32> {
        self.lists[self.list_of(node)].get(place).map(|listed| listed.area)
    }

    /// Moves an area behind those of its priority, on the list of this node only.
    pub(super) fn requeue(&mut self, node: u32, area: u32) {
        let number = self.list_of(node);
        let list = &mut self.lists[number];
        let Some(place) = list.iter().position(|listed| listed.area == area) else { return };
        let listed = list.remove(place);
        let behind = list.iter().take_while(|other| other.priority >= listed.priority).count();
        list.insert(behind, listed);
    }

    fn list_of(&self, node: u32) -> u32 {
        if node < self.lists.len() { node } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::SimDevice;
    use super::super::testing::setup;
    use super::*;

    fn on_nodes(policy: SelectionPolicy, nodes: &[Option<u32>]) -> (Selector, Vec<i32>) {
        let mut selector = Selector::new(policy, 4);
        let priorities = (0..).zip(nodes).map(|(area, node)| {
            let setup = AreaSetup { node: *node, ..setup(SimDevice::SolidState, 1024) };
            let priority = selector.assign_priority(None);
            selector.insert(area, &setup, priority);
            priority
        });
        let priorities = priorities.collect();
        (selector, priorities)
    }

    fn order(selector: &Selector, node: u32) -> Vec<u32> {
        selector.order(node).collect()
    }

    /// The published example: areas A to D on nodes 0 to 3.
    #[test]
    fn each_node_has_its_own_order() {
        let nodes = [0, 1, 2, 3].map(Some);
        let (selector, priorities) = on_nodes(SelectionPolicy::PerNode, &nodes);
        assert_eq!(priorities, [-2, -3, -4, -5]);
        let orders = [0, 1, 2, 3].map(|node| order(&selector, node));
        assert_eq!(orders, [[0, 1, 2, 3], [1, 0, 2, 3], [2, 0, 1, 3], [3, 0, 1, 2]]);
        let (selector, priorities) = on_nodes(SelectionPolicy::OneByOne, &nodes);
        assert_eq!(priorities, [-1, -2, -3, -4]);
        assert!((0..4).all(|node| order(&selector, node) == [0, 1, 2, 3]));
    }

    #[test]
    fn areas_of_equal_priority_rotate() {
        let (mut selector, priorities) = on_nodes(SelectionPolicy::RoundRobin, &[None; 3]);
        assert_eq!(priorities, [-1, -1, -1]);
        let first: Vec<u32> = (0..4)
            .map(|_| {
                let first = selector.at(0, 0).unwrap();
                selector.requeue(0, first);
                first
            })
            .collect();
        assert_eq!(first, [0, 1, 2, 0]);
        // Two areas on one node rotate there, and stay in their order elsewhere.
        let (mut selector, _) = on_nodes(SelectionPolicy::PerNode, &[Some(1), Some(1), None]);
        selector.requeue(1, 0);
        assert_eq!([order(&selector, 0), order(&selector, 1)], [[0, 1, 2], [1, 0, 2]]);
    }

    #[test]
    fn explicit_priorities_come_first_and_fill_one_after_another() {
        let mut selector = Selector::new(SelectionPolicy::PerNode, 2);
        for (area, explicit, node) in
            [(0, Some(5), None), (1, None, Some(0)), (2, Some(9), Some(1))]
        {
            let priority = selector.assign_priority(explicit);
            let setup = AreaSetup { node, ..setup(SimDevice::SolidState, 1024) };
            selector.insert(area, &setup, priority);
        }
        assert_eq!(order(&selector, 0), [2, 0, 1]);
        selector.requeue(0, 2);
        assert_eq!(order(&selector, 0), [2, 0, 1], "the only one of its priority");
        selector.remove(2);
        assert_eq!(order(&selector, 1), [0, 1]);
    }

    #[test]
    fn disabling_an_area_raises_the_defaults_below_it() {
        let (mut selector, _) = on_nodes(SelectionPolicy::PerNode, &[None; 3]);
        selector.remove(0);
        assert!(selector.renumber_defaults_below(-2));
        let lists: Vec<i32> = selector.lists[0].iter().map(|listed| listed.priority).collect();
        assert_eq!(lists, [-2, -3]);
        // An area that could not be disabled comes back as the lowest.
        assert_eq!(selector.assign_priority(None), -4);
        let (mut selector, _) = on_nodes(SelectionPolicy::RoundRobin, &[None; 3]);
        assert!(!selector.renumber_defaults_below(-1));
    }
}
