//! What is wrong with how areas share the load, and the plan that puts it right. Pure: it sees a
//! snapshot, and changes nothing.
//!
//! Every strategy is a fixed point: on a machine that it has put right it finds nothing wrong, so
//! that a timer which runs it again and again changes nothing more. What is wrong and what it
//! changes are the same: there is a step where something is wrong, and none where nothing is.

mod levels;
mod machine;
mod numa;
mod spread;
mod tiers;

pub use machine::{RebalanceFinding, RebalanceRefusal};

use super::plan::{self, Plan};
use crate::model::activation::{Discard, Priority};
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Snapshot};
use machine::{ClassifiedMachine, ClassifiedArea, StrategyResult};

/// What is wanted.
#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    /// One priority within each class of speed.
    Equal,
    /// The same, and faster classes above slower ones.
    Tiered,
    /// Default priorities, where the kernel lets each NUMA node prefer its own areas then.
    Numa,
    /// What is on areas that hold more than their part is spread, from this skew on.
    Spread(f64),
    /// These priorities.
    Custom(Vec<(Name, Priority)>),
}

impl Strategy {
    /// The word for it.
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

/// What can be found, with what it means, and what is counted of it.
pub const KINDS: [(&str, &str); 9] = [
    ("inverted", "Slower areas have higher priorities than faster ones. Counted: those areas."),
    ("mixed", "Areas of several classes share a priority. Counted: the classes."),
    (
        "uneven",
        "Areas of a class have several priorities; or, as a note, a skew that emptying areas would not make better. Counted: the priorities.",
    ),
    (
        "skew",
        "Areas of one priority are filled unevenly. Counted: the skew, as it would be when all that is moved has been swapped out again.",
    ),
    (
        "unbound",
        "Areas that belong to a NUMA node are not preferred there. Counted: those that are.",
    ),
    ("priority", "An area has another priority than the file says."),
    ("order", "A note: an area gets another number so that classes stay in their order."),
    ("unknown", "A note: the class of an area, or what is on it, is not known."),
    ("zram", "A note: with numa zram stays where it is, above the areas of nodes or below them."),
];

/// What is wrong, and what puts it right.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebalance {
    /// What was found.
    pub findings: Vec<RebalanceFinding>,
    /// The plan: without steps when nothing is wrong.
    pub plan: Plan,
}

impl Rebalance {
    /// Is something wrong?
    pub fn is_wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.wrong)
    }
}

/// What is wrong by this strategy, and the plan that puts it right. Of each area, `filesystems`
/// names the kind of file system that a file lies on, also that behind a loop device.
///
/// # Errors
/// When the strategy makes no sense here, or an area that is to be changed could not be put on again.
pub fn rebalance(
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

/// Exactly what is wished for.
fn plan_custom(machine: &ClassifiedMachine<'_>, wishes: &[(Name, Priority)]) -> Result<StrategyResult, RebalanceRefusal> {
    // Also wishes that are met already must make sense.
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
            text: format!("{}: {wish} is wanted", member.describe()),
            better: Some(format!("it gets {wish}")),
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
