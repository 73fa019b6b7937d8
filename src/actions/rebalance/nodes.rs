//! Default priorities, with which kernels up to 6.18 let each NUMA node prefer its own areas.

use super::{Finding, Machine, Member, Refusal, Wanted, names, paths};
use crate::derive::defaults::Defaults;
use crate::derive::speed::Speed;
use crate::model::Reading;
use crate::model::activation::Priority;

/// All areas to their default priorities; but zram that was put above them stays there: it belongs
/// to no node, and would come after each node's own disks.
pub(super) fn bound(machine: &Machine<'_>) -> Result<Wanted, Refusal> {
    let nodes = possible(machine)?;
    let is_set = |member: &&Member<'_>| !member.is_default();
    let stays = |member: &&Member<'_>| member.speed == Reading::Known(Speed::Zram);
    let set: Vec<&Member<'_>> = machine.members.iter().filter(is_set).collect();
    let (zram, changed): (Vec<_>, Vec<_>) = set.into_iter().partition(stays);
    let mut findings = Vec::new();
    if !zram.is_empty() {
        let text = format!(
            "{} stays as it is: zram belongs to no node, and with a default priority it would be filled after each node's own disks",
            names(&zram)
        );
        findings.push(Finding::note("zram", paths(&zram), text));
    }
    if !changed.is_empty() {
        findings.push(finding(machine, &changed, nodes));
    }
    let wishes = changed.iter().map(|member| (member.area.path.clone(), Priority::Default));
    Ok(Wanted { wishes: wishes.collect(), findings })
}

fn finding(machine: &Machine<'_>, changed: &[&Member<'_>], nodes: usize) -> Finding {
    let with_node = machine.members.iter().filter(|member| member.node.is_some());
    let (then, now) = (with_node.clone().count(), with_node.filter(|m| m.is_default()).count());
    Finding {
        id: "unbound",
        wrong: true,
        text: format!(
            "of {then} areas that belong to a NUMA node, {now} can be preferred there: the processors of all {nodes} nodes fill {} in the same order, whatever is near",
            names(changed)
        ),
        better: Some(format!(
            "with default priorities it is {then}: each node fills its own first, and then the others"
        )),
        areas: paths(changed),
        unit: Some("areas preferred by their node"),
        now: Some(now as f64),
        then: Some(then as f64),
    }
}

/// How many nodes there are; the reason where nothing can be bound to them.
fn possible(machine: &Machine<'_>) -> Result<usize, Refusal> {
    let refuse = |why: String| Err(Refusal::Numa(why));
    match &machine.defaults {
        Reading::Known(Defaults::ByNode) => {}
        Reading::Known(Defaults::Alike) => {
            return refuse("this kernel takes areas of default priority in turns on every node, as all after 6.18".to_owned());
        }
        Reading::Missing { missing } => {
            return refuse(format!("whether this kernel does is not known: {}", missing.why()));
        }
    }
    let nodes = match &*machine.snapshot.numa.reading {
        Reading::Known(nodes) => nodes.len(),
        Reading::Missing { missing } => return refuse(missing.why()),
    };
    if nodes < 2 {
        return refuse("this machine has one node".to_owned());
    }
    if machine.members.iter().all(|member| member.node.is_none()) {
        return refuse("no area lies on a device that belongs to a node".to_owned());
    }
    Ok(nodes)
}
