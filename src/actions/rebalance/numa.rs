//! The numa strategy: default priorities, with which kernels up to 6.18 let each NUMA node prefer
//! its own areas.

use super::machine::{
    ClassifiedArea, ClassifiedMachine, LEFT_UNCHANGED, RebalanceFinding, RebalanceRefusal,
    StrategyResult, names, paths,
};
use crate::derive::selection::policy::Defaults;
use crate::derive::speed::Speed;
use crate::model::activation::Priority;
use crate::model::{Missing, Reading};
use std::cmp::Reverse;

/// Areas in allocation order.
type AreaOrder<'m, 'a> = Vec<&'m ClassifiedArea<'a>>;

/// Gives all areas default priorities, faster classes first: each node then fills its own areas
/// first, and all others in the order in which they are enabled. zram stays as it is: it belongs to
/// no node, and would come after each node's own disks.
pub(super) fn plan_numa(
    machine: &ClassifiedMachine<'_>,
) -> Result<StrategyResult, RebalanceRefusal> {
    let nodes = count_nodes(machine)?;
    let is_zram = |member: &&ClassifiedArea<'_>| member.speed == Reading::Known(Speed::Zram);
    let (zram, disks): (AreaOrder<'_, '_>, AreaOrder<'_, '_>) =
        machine.members.iter().partition(is_zram);
    let mut findings = zram_notes(&zram);
    let lined_up = fill_order(&disks, true).or_else(|_| fill_order(&disks, false));
    let (mut line, obstacles) = match lined_up {
        Ok(line) => (line, slow_before_fast(&disks)),
        Err(obstacle) => (Vec::new(), vec![*obstacle]),
    };
    // An area of unknown speed that leads may keep its set priority.
    let leads = line.iter().take_while(|m| m.speed.known().is_none() && !m.is_default()).count();
    line.drain(..leads);
    let set: AreaOrder<'_, '_> =
        line.iter().copied().filter(|member| !member.is_default()).collect();
    let is_set =
        |member: &&ClassifiedArea<'_>| member.speed.known().is_some() && !member.is_default();
    if let (Some(obstacle), true) = (obstacles.first(), disks.iter().any(is_set)) {
        return Err(RebalanceRefusal::Numa(obstacle.text.clone()));
    }
    let renewed: AreaOrder<'_, '_> = line.iter().copied().skip(count_in_place(&line)).collect();
    if !set.is_empty() {
        findings.push(unbound_finding(&set, &line, nodes));
    } else if !renewed.is_empty() {
        findings.push(inverted_finding(&line));
    }
    findings.extend(obstacles);
    findings.extend(machine.notes_on_unknown(|member| {
        let moves = renewed.iter().any(|other| other.area.path == member.area.path);
        if moves { "keeps its place" } else { LEFT_UNCHANGED }
    }));
    let wish = |member: &ClassifiedArea<'_>| (member.area.path.clone(), Priority::Default);
    Ok(StrategyResult { wishes: renewed.into_iter().map(wish).collect(), findings })
}

/// Notes on zram areas.
fn zram_notes(zram: &[&ClassifiedArea<'_>]) -> Vec<RebalanceFinding> {
    let (below, above): (Vec<_>, Vec<_>) = zram.iter().copied().partition(|m| m.is_default());
    let mut findings = Vec::new();
    if !above.is_empty() {
        let text = format!(
            "{} is unchanged: zram belongs to no node, and with a default priority it would be filled after each node's own disks",
            names(&above)
        );
        findings.push(RebalanceFinding::note("zram", paths(&above), text));
    }
    if !below.is_empty() {
        let text = format!(
            "{} has a default priority and belongs to no node: each node fills its own disks first. To change that: swapadm rebalance tiered",
            names(&below)
        );
        findings.push(RebalanceFinding::note("zram", paths(&below), text));
    }
    findings
}

/// Sorts faster classes before slower ones, and keeps the order within each; of areas used round
/// robin the emptiest comes first, because it takes the contents of the next. With `stays`, areas
/// of nodes that already have a default priority stay first in their class: moving them is not
/// worth its cost. An area of unknown class keeps its place between its neighbours; the error is a
/// finding where it cannot.
fn fill_order<'m, 'a>(
    disks: &[&'m ClassifiedArea<'a>],
    stays: bool,
) -> Result<AreaOrder<'m, 'a>, Box<RebalanceFinding>> {
    let (mut line, mut unknown): (AreaOrder<'m, 'a>, AreaOrder<'m, 'a>) =
        disks.iter().copied().partition(|member| member.speed.known().is_some());
    let rank = |member: &ClassifiedArea<'_>| Reverse(member.area.priority);
    let of_nodes: Vec<_> = line.iter().filter(|m| m.node.is_some()).map(|m| &m.speed).collect();
    let comes_later =
        |m: &ClassifiedArea<'_>| stays && of_nodes.contains(&&m.speed) && !m.is_default();
    line.sort_by_key(|m| {
        let (speed, path) = (m.speed.known().copied(), m.area.path.clone());
        (speed, comes_later(m), rank(m), m.area.used_at_most(), path)
    });
    unknown.sort_by_key(|member| rank(member));
    for member in unknown {
        let above = |other: &&ClassifiedArea<'_>| rank(other) < rank(member);
        let place = line.iter().rposition(above).map_or(0, |last| last + 1);
        let below = |other: &&&ClassifiedArea<'_>| rank(other) > rank(member);
        if let Some(other) = line.iter().take(place).find(below) {
            let (faster, why) = (other.describe(), member.speed.missing().map(Missing::why));
            let text = format!(
                "{faster} should come before slower areas above {}, whose speed is unknown: {}. Set its place with swapadm priority",
                member.describe(),
                why.unwrap_or_default()
            );
            return Err(Box::new(RebalanceFinding::note("unknown", paths(&[member, other]), text)));
        }
        line.insert(place, member);
    }
    Ok(line)
}

/// Areas that their nodes would fill before faster ones, or round robin with them.
fn slow_before_fast(disks: &[&ClassifiedArea<'_>]) -> Vec<RebalanceFinding> {
    let slow = disks.iter().filter_map(|member| {
        let (node, speed) = (member.node?, member.speed.known()?);
        let is_faster = |other: &&&ClassifiedArea<'_>| other.speed.known().is_some_and(|s| s < speed);
        let faster = disks.iter().find(is_faster)?;
        let text = format!(
            "{} belongs to node {node}, which with default priorities fills it before the faster {}",
            member.describe(),
            faster.describe()
        );
        Some(RebalanceFinding::note("mixed", paths(&[member, faster]), text))
    });
    slow.collect()
}

/// How many areas from the first on are in place: enabled areas come after those.
fn count_in_place(line: &[&ClassifiedArea<'_>]) -> usize {
    let pairs = line.iter().enumerate();
    let is = |(place, member): &(usize, &&ClassifiedArea<'_>)| {
        let before = place.checked_sub(1).and_then(|before| line.get(before));
        let falls = before.is_none_or(|before| before.area.priority > member.area.priority);
        member.is_default() && falls
    };
    pairs.take_while(is).count()
}

fn unbound_finding(
    set: &[&ClassifiedArea<'_>],
    line: &[&ClassifiedArea<'_>],
    nodes: usize,
) -> RebalanceFinding {
    let with_node = line.iter().filter(|member| member.node.is_some());
    let (then, now) = (with_node.clone().count(), with_node.filter(|m| m.is_default()).count());
    let whatever = format!("the CPUs of all {nodes} nodes fill {}", names(set));
    let text = if now < then {
        format!(
            "{now} of {then} areas of a NUMA node are preferred there: {whatever} in the same order, regardless of distance"
        )
    } else {
        format!("{whatever} before the areas of their own node, regardless of distance")
    };
    RebalanceFinding {
        id: "unbound",
        wrong: true,
        text,
        better: Some(format!(
            "with default priorities all {then} are: each node fills its own areas first, then the others, {}",
            describe_order(line)
        )),
        areas: paths(set),
        unit: Some("areas preferred by their node"),
        now: Some(now as f64),
        then: Some(then as f64),
    }
}

/// Slower areas whose default priorities come before those of faster ones.
fn inverted_finding(line: &[&ClassifiedArea<'_>]) -> RebalanceFinding {
    let early: Vec<&ClassifiedArea<'_>> = line
        .iter()
        .enumerate()
        .filter(|(place, member)| {
            let mut faster = line.iter().take(*place);
            faster.any(|other| other.area.priority < member.area.priority)
        })
        .map(|(_, member)| *member)
        .collect();
    let shown: Vec<String> = early.iter().map(|member| member.describe()).collect();
    RebalanceFinding {
        id: "inverted",
        wrong: true,
        text: format!(
            "default priorities put slower areas before faster areas of other nodes: {}",
            shown.join(", ")
        ),
        better: Some(format!(
            "each node fills its own areas first, as now, then the others, {}",
            describe_order(line)
        )),
        areas: paths(&early),
        unit: Some("areas filled too early"),
        now: Some(early.len() as f64),
        then: Some(0.0),
    }
}

/// Describes the resulting order.
fn describe_order(line: &[&ClassifiedArea<'_>]) -> String {
    let homeless: AreaOrder<'_, '_> = line.iter().copied().filter(|m| m.node.is_none()).collect();
    let of = match homeless.as_slice() {
        [] => String::new(),
        _ => format!("; unknown node: {}", names(&homeless)),
    };
    format!("one by one: {}{of}", names(line))
}

/// The number of nodes; the error says why areas cannot be bound to them.
fn count_nodes(machine: &ClassifiedMachine<'_>) -> Result<usize, RebalanceRefusal> {
    let refuse = |why: String| Err(RebalanceRefusal::Numa(why));
    match &machine.defaults {
        Reading::Known(Defaults::ByNode) => {}
        Reading::Known(Defaults::Alike) => {
            return refuse("this kernel uses areas of default priority round robin on every node, as all after 6.18".to_owned());
        }
        Reading::Missing { missing } => {
            return refuse(format!("cannot tell whether this kernel does: {}", missing.why()));
        }
    }
    let nodes = match &*machine.snapshot.numa.reading {
        Reading::Known(nodes) => nodes.len(),
        Reading::Missing { missing } => return refuse(missing.why()),
    };
    if nodes < 2 {
        return refuse("this machine has only one node".to_owned());
    }
    if machine.members.iter().all(|member| member.node.is_none()) {
        return refuse("no area is on a device of a node".to_owned());
    }
    Ok(nodes)
}
