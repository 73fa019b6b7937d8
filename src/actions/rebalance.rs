//! Finds what is wrong with how areas are filled, and plans to fix it. Pure: reads a snapshot and
//! changes nothing.
//!
//! Every strategy is a fixed point: on a machine that it has rebalanced it finds nothing wrong, so
//! a timer may repeat it. The plan has steps exactly if something is wrong.

mod levels;
mod machine;
mod numa;
mod spread;
mod tiers;

pub use machine::{RebalanceFinding, RebalanceRefusal};

use super::plan::{self, Plan};
use crate::columns::verdict::describe_front;
use crate::model::activation::{Discard, Priority};
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Snapshot};
use machine::{ClassifiedArea, ClassifiedMachine, StrategyResult};

/// A rebalance strategy.
#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    /// One priority within each speed class.
    Equal,
    /// Faster speed classes above slower ones, and one priority for the default ones of a class.
    Tiered,
    /// Default priorities, where the kernel then lets each NUMA node prefer its own areas.
    Numa,
    /// Drains overfull areas of a priority group, from this imbalance on.
    Spread(f64),
    /// Exactly these priorities.
    Custom(Vec<(Name, Priority)>),
}

impl Strategy {
    /// The word for the strategy on the command line.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Tiered => "tiered",
            Self::Numa => "numa",
            Self::Spread(_) => "spread",
            Self::Custom(_) => "custom",
        }
    }
}

/// Kinds of findings, with their meaning and figure.
pub const KINDS: [(&str, &str); 10] = [
    (
        "inverted",
        "Slower areas have higher priorities than faster ones. The figure counts those areas.",
    ),
    ("mixed", "Areas of several speed classes share a priority. The figure counts the classes."),
    (
        "uneven",
        "Areas of one speed class have several priorities. The figure counts the priorities. With tiered it is only a note if somebody chose them, because tiered keeps them.",
    ),
    (
        "skew",
        "A priority group is filled unevenly. The figure is the imbalance. Its value after the plan is reached only when all moved data has been swapped out again. The finding is only a note if draining areas would not reduce the imbalance.",
    ),
    (
        "unbound",
        "Areas of a NUMA node are not preferred there. The figure counts the areas that are preferred, so the plan raises it.",
    ),
    ("priority", "An area has a priority other than the file gives."),
    ("order", "A note: an area gets a new priority so that speed classes stay in order."),
    ("unknown", "A note: the speed class or the usage of an area is unknown."),
    (
        "zram",
        "A note: the numa strategy leaves zram where it is, above or below the areas of nodes.",
    ),
    ("zswap", "A note: zswap is in front of the areas, so that what they hold may be in memory."),
];

/// The findings of a strategy, and the plan that corrects them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebalance {
    /// The findings.
    pub findings: Vec<RebalanceFinding>,
    /// The plan; without steps if nothing is wrong.
    pub plan: Plan,
}

impl Rebalance {
    /// Is anything wrong?
    pub fn is_wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.wrong)
    }
}

/// Applies a strategy. `filesystems` has the type of file system for each area that is a file, also
/// behind a loop device. Fails if the strategy makes no sense here, or if an area to change could
/// not be enabled again.
pub fn rebalance(
    strategy: &Strategy,
    snapshot: &Snapshot,
    filesystems: &[Option<String>],
    discard: impl Fn(&SwapArea) -> Discard,
) -> Result<Rebalance, RebalanceRefusal> {
    let mut found = apply(strategy, snapshot, filesystems, discard)?;
    if let Some(front) = describe_front(snapshot).filter(|_| found.is_wrong()) {
        let wrong = found.findings.iter().filter(|finding| finding.wrong);
        let areas = wrong.flat_map(|finding| finding.areas.clone()).collect();
        found.findings.push(RebalanceFinding::note("zswap", areas, front));
    }
    Ok(found)
}

fn apply(
    strategy: &Strategy,
    snapshot: &Snapshot,
    filesystems: &[Option<String>],
    discard: impl Fn(&SwapArea) -> Discard,
) -> Result<Rebalance, RebalanceRefusal> {
    let machine = ClassifiedMachine::from_snapshot(snapshot, filesystems);
    let wanted = match strategy {
        Strategy::Equal => tiers::plan_equal(&machine),
        Strategy::Tiered => tiers::plan_tiered(&machine),
        Strategy::Numa => {
            let StrategyResult { findings, wishes } = numa::plan_numa(&machine)?;
            let plan = plan::in_order(machine.areas, discard, &wishes)?;
            return Ok(Rebalance { findings, plan });
        }
        Strategy::Custom(wishes) => plan_custom(&machine, wishes)?,
        Strategy::Spread(threshold) => {
            let (findings, overfull) = spread::find_overfull(&machine, *threshold);
            let plan = plan::empty(machine.areas, &overfull, discard)?;
            return Ok(Rebalance { findings, plan });
        }
    };
    let plan = plan::priorities(machine.areas, discard, &wanted.wishes)?;
    Ok(Rebalance { findings: wanted.findings, plan })
}

/// Plans exactly these priorities.
fn plan_custom(
    machine: &ClassifiedMachine<'_>,
    wishes: &[(Name, Priority)],
) -> Result<StrategyResult, RebalanceRefusal> {
    // Requests that are met already must be valid, too.
    plan::priorities(machine.areas, |_| Discard::None, wishes)?;
    let unmet = wishes.iter().filter_map(|(path, wish)| {
        let member = machine.members.iter().find(|member| member.area.path == *path)?;
        (!wish.matches_shown(member.area.priority)).then_some((member, *wish))
    });
    let unmet: Vec<_> = unmet.collect();
    let finding = |(member, wish): &(&ClassifiedArea<'_>, Priority)| {
        let then = match wish {
            Priority::Default => None,
            Priority::Set(number) => Some(f64::from(*number)),
        };
        RebalanceFinding {
            id: "priority",
            wrong: true,
            text: format!("{}: should have priority {wish}", member.describe()),
            better: Some(format!("it gets priority {wish}")),
            areas: vec![member.area.path.clone()],
            unit: Some("priority"),
            now: Some(f64::from(member.area.priority)),
            then,
        }
    };
    Ok(StrategyResult {
        findings: unmet.iter().map(finding).collect(),
        wishes: unmet.iter().map(|(member, wish)| (member.area.path.clone(), *wish)).collect(),
    })
}

#[cfg(test)]
mod tests;
