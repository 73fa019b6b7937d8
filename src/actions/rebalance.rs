//! What is wrong with how areas share the load, and the plan that puts it right. Pure: it sees a
//! snapshot, and changes nothing.
//!
//! Every strategy is a fixed point: on a machine that it has put right it finds nothing wrong, so
//! that a timer which runs it again and again changes nothing more. What is wrong and what it
//! changes are the same: there is a step where something is wrong, and none where nothing is.

mod levels;
mod nodes;
mod spread;
mod tiers;

use super::plan::{self, Plan};
use crate::derive::defaults::{self, Defaults};
use crate::derive::speed::{self, Speed};
use crate::model::activation::{Discard, Priority};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Reading, Snapshot};
use serde::Serialize;

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

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// One of [`KINDS`].
    pub id: &'static str,
    /// Is it wrong, and put right? Otherwise it is only to be known.
    pub wrong: bool,
    /// What it is.
    pub text: String,
    /// What will be better, and by how much.
    pub better: Option<String>,
    /// The areas that it is about.
    pub areas: Vec<Name>,
    /// What is counted.
    pub unit: Option<&'static str>,
    /// How much of that there is now.
    pub now: Option<f64>,
    /// How much there will be.
    pub then: Option<f64>,
}

impl Finding {
    /// Something that stays as it is.
    fn note(id: &'static str, areas: Vec<Name>, text: String) -> Self {
        Self { id, wrong: false, text, better: None, areas, unit: None, now: None, then: None }
    }
}

/// What is wrong, and what puts it right.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebalance {
    /// What was found.
    pub findings: Vec<Finding>,
    /// The plan: without steps when nothing is wrong.
    pub plan: Plan,
}

impl Rebalance {
    /// Is something wrong?
    pub fn is_wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.wrong)
    }
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The steps cannot be made.
    #[error(transparent)]
    Plan(#[from] plan::Refusal),
    /// Nothing on this machine is bound to NUMA nodes.
    #[error(
        "no area can be bound to a NUMA node here: {0}; swapadm rebalance equal gives the areas of a class one priority"
    )]
    Numa(String),
}

/// An area with what decides about it.
#[derive(Clone, Debug)]
struct Member<'a> {
    area: &'a SwapArea,
    speed: Reading<Speed>,
    /// The NUMA node that it belongs to.
    node: Option<i32>,
    /// Its priority as the kernel allocates by it: what belongs to a node counts there as one of
    /// -1, whatever default priority is shown.
    rank: i32,
}

impl Member<'_> {
    fn name(&self) -> String {
        self.area.path.safe()
    }

    /// With its class and priority.
    fn shown(&self) -> String {
        let class = self.speed.known().map_or("unknown", |speed| speed.word());
        let bound = if self.rank == self.area.priority { "" } else { " but first on its node" };
        format!("{} ({class}, priority {}{bound})", self.name(), self.area.priority)
    }

    fn is_default(&self) -> bool {
        Priority::of(self.area.priority) == Priority::Default
    }

    /// What is on it; all that could be, where that is not known.
    fn used(&self) -> Bytes {
        self.area.used.known().copied().unwrap_or(self.area.size)
    }
}

/// The machine as it is looked at here.
#[derive(Debug)]
struct Machine<'a> {
    snapshot: &'a Snapshot,
    areas: &'a [SwapArea],
    members: Vec<Member<'a>>,
    defaults: Reading<Defaults>,
}

impl<'a> Machine<'a> {
    fn of(snapshot: &'a Snapshot, filesystems: &[Option<String>]) -> Self {
        let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
        let defaults = defaults::of(snapshot);
        let blocks = snapshot.block.reading.known().map_or(&[][..], Vec::as_slice);
        let unknown = Reading::not_sampled();
        let member = |(place, area): (usize, &'a SwapArea)| {
            let block = blocks.get(place).unwrap_or(&unknown);
            let filesystem = filesystems.get(place).and_then(Option::as_deref);
            let node = block.known().and_then(|block| block.numa_node.known().copied());
            let by_node = defaults == Reading::Known(Defaults::ByNode);
            let is_bound = by_node && node.is_some() && area.priority < 0;
            let rank = if is_bound { -1 } else { area.priority };
            Member { area, speed: speed::of(block, filesystem), node, rank }
        };
        let members = areas.iter().enumerate().map(member).collect();
        Self { snapshot, areas, members, defaults }
    }

    /// The areas of a class.
    fn class(&self, speed: Speed) -> Vec<&Member<'a>> {
        let is = |member: &&Member<'_>| member.speed == Reading::Known(speed);
        self.members.iter().filter(is).collect()
    }

    /// The classes that there are, fastest first, with their areas.
    fn classes(&self) -> Vec<Vec<&Member<'a>>> {
        let all = [Speed::Zram, Speed::Solid, Speed::Rotational, Speed::Remote];
        let classes = all.into_iter().map(|speed| self.class(speed));
        classes.filter(|class| !class.is_empty()).collect()
    }

    /// The areas of no known class, each with the reason, and what becomes of it. Nothing is decided
    /// about them.
    fn unknown(&self, becomes: impl Fn(&Member<'_>) -> &'static str) -> Vec<Finding> {
        let members = self.members.iter();
        let unknown = members.filter_map(|member| Some((member, member.speed.missing()?)));
        let note = |(member, missing): (&Member<'_>, &crate::model::Missing)| {
            let (name, why) = (member.name(), missing.why());
            let text = format!("{name} {}: how fast it is is not known: {why}", becomes(member));
            Finding::note("unknown", vec![member.area.path.clone()], text)
        };
        unknown.map(note).collect()
    }

    /// Do all areas of default priority take turns?
    fn alike(&self) -> bool {
        self.defaults == Reading::Known(Defaults::Alike)
    }
}

/// What becomes of an area that nothing is decided about.
const LEFT: &str = "is left as it is";

/// What a strategy finds, and what it wants.
struct Wanted {
    findings: Vec<Finding>,
    wishes: Vec<(Name, Priority)>,
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
) -> Result<Rebalance, Refusal> {
    let machine = Machine::of(snapshot, filesystems);
    let wanted = match strategy {
        Strategy::Equal => tiers::equal(&machine),
        Strategy::Tiered => tiers::tiered(&machine),
        Strategy::Numa => {
            let Wanted { findings, wishes } = nodes::bound(&machine)?;
            let plan = plan::in_order(machine.areas, discard, &wishes)?;
            return Ok(Rebalance { findings, plan });
        }
        Strategy::Custom(wishes) => custom(&machine, wishes)?,
        Strategy::Spread(threshold) => {
            let (findings, overfull) = spread::spread(&machine, *threshold);
            let plan = plan::empty(machine.areas, &overfull, discard)?;
            return Ok(Rebalance { findings, plan });
        }
    };
    let plan = plan::priorities(machine.areas, discard, &wanted.wishes)?;
    Ok(Rebalance { findings: wanted.findings, plan })
}

/// Exactly what is wished for.
fn custom(machine: &Machine<'_>, wishes: &[(Name, Priority)]) -> Result<Wanted, Refusal> {
    // Also wishes that are met already must make sense.
    plan::priorities(machine.areas, |_| Discard::None, wishes)?;
    let unmet = wishes.iter().filter_map(|(path, wish)| {
        let member = machine.members.iter().find(|member| member.area.path == *path)?;
        (!wish.is_met_by(member.area.priority)).then_some((member, *wish))
    });
    let unmet: Vec<_> = unmet.collect();
    let finding = |(member, wish): &(&Member<'_>, Priority)| {
        let then = match wish {
            Priority::Default => None,
            Priority::Set(number) => Some(f64::from(*number)),
        };
        Finding {
            id: "priority",
            wrong: true,
            text: format!("{}: {wish} is wanted", member.shown()),
            better: Some(format!("it gets {wish}")),
            areas: vec![member.area.path.clone()],
            unit: Some("priority"),
            now: Some(f64::from(member.area.priority)),
            then,
        }
    };
    Ok(Wanted {
        findings: unmet.iter().map(finding).collect(),
        wishes: unmet.iter().map(|(member, wish)| (member.area.path.clone(), *wish)).collect(),
    })
}

fn paths(members: &[&Member<'_>]) -> Vec<Name> {
    members.iter().map(|member| member.area.path.clone()).collect()
}

fn names(members: &[&Member<'_>]) -> String {
    members.iter().map(|member| member.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
