//! Are there the processors and the node that processes are bound to? Binding itself would fail
//! too, but only once areas are made and processes are started.

use super::refusal;
use crate::actions::check::Check;
use crate::lab::run_spec::RunSpec;
use crate::model::Snapshot;
use crate::model::load::Work;
use crate::probes::scan;

/// What is not there of what works are bound to. What cannot be read refuses nothing.
pub(super) fn checks(wish: &RunSpec, snapshot: &Snapshot) -> Vec<Check> {
    let (processors, nodes) = (processors(snapshot), nodes(snapshot));
    let works = &wish.workload.works;
    let refused = |key, number, why: Option<String>| {
        why.map(|why| refusal(key, wish.places.problem_of_work(number, key, &why).to_string()))
    };
    let each = works.iter().zip(1..).flat_map(|(work, number)| {
        let processor = processors.as_deref().and_then(|there| no_processor(work, there));
        let node = nodes.as_deref().and_then(|there| no_node(work, there));
        [refused("cpus", number, processor), refused("node", number, node)]
    });
    each.flatten().collect()
}

fn no_processor(work: &Work, there: &str) -> Option<String> {
    let ranges = scan::ranges(there.as_bytes())?;
    let is_there = |cpu: u32| ranges.iter().any(|range| range.contains(&u64::from(cpu)));
    let cpu = work.cpus.iter().flatten().find(|cpu| !is_there(**cpu))?;
    Some(format!("there is no processor {cpu}; this machine has processors {there}"))
}

fn no_node(work: &Work, there: &[u32]) -> Option<String> {
    let node = work.node.filter(|node| !there.contains(node))?;
    let there: Vec<String> = there.iter().map(u32::to_string).collect();
    let nodes = if there.len() == 1 { "node" } else { "nodes" };
    Some(format!("there is no node {node}; this machine has {nodes} {}", there.join(", ")))
}

/// The processors that are online, as the nodes list theirs.
fn processors(snapshot: &Snapshot) -> Option<String> {
    let nodes = snapshot.numa.reading.known()?;
    let lists: Option<Vec<&str>> =
        nodes.iter().map(|node| node.cpus.known().map(String::as_str)).collect();
    // A node of memory alone lists none.
    let lists: Vec<&str> = lists?.into_iter().filter(|list| !list.is_empty()).collect();
    Some(lists.join(","))
}

fn nodes(snapshot: &Snapshot) -> Option<Vec<u32>> {
    let nodes = snapshot.numa.reading.known()?;
    Some(nodes.iter().map(|node| node.id).collect())
}
