//! The areas with their speed classes, and the findings of strategies.

use crate::actions::plan;
use crate::derive::selection::policy;
use crate::derive::selection::policy::Defaults;
use crate::derive::speed::{self, Speed};
use crate::model::activation::Priority;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Reading, Snapshot};
use serde::Serialize;

/// A finding of a strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RebalanceFinding {
    /// Kind of the finding, one of [`super::KINDS`].
    pub id: &'static str,
    /// Is it wrong, and corrected by the plan? Otherwise it is a note.
    pub wrong: bool,
    /// Description.
    pub text: String,
    /// The improvement, with its amount.
    pub better: Option<String>,
    /// The areas concerned.
    pub areas: Vec<Name>,
    /// Unit of the figure.
    pub unit: Option<&'static str>,
    /// Figure before the plan.
    pub now: Option<f64>,
    /// Figure after the plan.
    pub then: Option<f64>,
}

impl RebalanceFinding {
    /// A note, without any change.
    pub(super) fn note(id: &'static str, areas: Vec<Name>, text: String) -> Self {
        Self { id, wrong: false, text, better: None, areas, unit: None, now: None, then: None }
    }
}

/// Why no plan is possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RebalanceRefusal {
    /// The steps are not possible.
    #[error(transparent)]
    Plan(#[from] plan::PlanRefusal),
    /// No area of this machine can be bound to a NUMA node.
    #[error(
        "no area can be bound to a NUMA node here: {0}. To give areas of equal speed one priority: swapadm rebalance equal"
    )]
    Numa(String),
}

/// An area with its speed class and node.
#[derive(Clone, Debug)]
pub(super) struct ClassifiedArea<'a> {
    pub(super) area: &'a SwapArea,
    pub(super) speed: Reading<Speed>,
    /// The NUMA node of its device.
    pub(super) node: Option<i32>,
    /// The priority by which the kernel allocates: an area of a node counts there as -1, whatever
    /// default priority is shown.
    pub(super) rank: i32,
    /// Does it come first on its node?
    pub(super) is_bound: bool,
}

impl ClassifiedArea<'_> {
    pub(super) fn name(&self) -> String {
        self.area.path.safe()
    }

    /// The name with speed class and priority.
    pub(super) fn describe(&self) -> String {
        let class = self.speed.known().map_or("unknown", |speed| speed.word());
        let (priority, bound) = if self.is_bound {
            (self.area.priority, " but first on its node")
        } else {
            (self.rank, "")
        };
        format!("{} ({class}, priority {priority}{bound})", self.name())
    }

    pub(super) fn is_default(&self) -> bool {
        Priority::from_shown(self.area.priority) == Priority::Default
    }

    /// Bytes free on the area; none if unknown.
    pub(super) fn free(&self) -> Bytes {
        self.area.size.saturating_sub(self.area.used_at_most())
    }
}

/// The machine with classified areas.
#[derive(Debug)]
pub(super) struct ClassifiedMachine<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) areas: &'a [SwapArea],
    pub(super) members: Vec<ClassifiedArea<'a>>,
    pub(super) defaults: Reading<Defaults>,
}

impl<'a> ClassifiedMachine<'a> {
    pub(super) fn from_snapshot(snapshot: &'a Snapshot, filesystems: &[Option<String>]) -> Self {
        let areas = snapshot.areas();
        let defaults = policy::defaults(snapshot);
        let blocks = snapshot.block.reading.known_items();
        let unknown = Reading::not_sampled();
        let speeds = speed::compared_classes(areas.len(), blocks, filesystems);
        let member =
            |((place, area), (speed, _)): ((usize, &'a SwapArea), speed::ComparedSpeed)| {
                let block = blocks.get(place).unwrap_or(&unknown);
                let node = block.known().and_then(|block| block.numa_node.known().copied());
                let is_bound = policy::is_bound(&defaults, node, area.priority);
                let rank = if is_bound { -1 } else { area.priority };
                ClassifiedArea { area, speed, node, rank, is_bound }
            };
        let members = areas.iter().enumerate().zip(speeds).map(member).collect();
        Self { snapshot, areas, members, defaults }
    }

    /// The areas of a speed class.
    pub(super) fn areas_of_class(&self, speed: Speed) -> Vec<&ClassifiedArea<'a>> {
        let is = |member: &&ClassifiedArea<'_>| member.speed == Reading::Known(speed);
        self.members.iter().filter(is).collect()
    }

    /// The areas of each existing speed class, fastest first.
    pub(super) fn areas_by_class(&self) -> Vec<Vec<&ClassifiedArea<'a>>> {
        let all = [Speed::Zram, Speed::Solid, Speed::Rotational, Speed::Remote];
        let classes = all.into_iter().map(|speed| self.areas_of_class(speed));
        classes.filter(|class| !class.is_empty()).collect()
    }

    /// Notes on areas of unknown speed class, with the reason and what happens to them. They are
    /// left out of all decisions.
    pub(super) fn notes_on_unknown(
        &self,
        becomes: impl Fn(&ClassifiedArea<'_>) -> &'static str,
    ) -> Vec<RebalanceFinding> {
        let members = self.members.iter();
        let unknown = members.filter_map(|member| Some((member, member.speed.missing()?)));
        let note = |(member, missing): (&ClassifiedArea<'_>, &crate::model::Missing)| {
            let (name, why) = (member.name(), missing.why());
            let text = format!("{name} {}: its speed is unknown: {why}", becomes(member));
            RebalanceFinding::note("unknown", vec![member.area.path.clone()], text)
        };
        unknown.map(note).collect()
    }

    /// Are all areas with default priorities used round robin?
    pub(super) fn defaults_rotate(&self) -> bool {
        self.defaults == Reading::Known(Defaults::Alike)
    }
}

/// The text about an area that is left out of decisions.
pub(super) const LEFT_UNCHANGED: &str = "is unchanged";

/// The findings of a strategy, and the priorities it sets.
pub(super) struct StrategyResult {
    pub(super) findings: Vec<RebalanceFinding>,
    pub(super) wishes: Vec<(Name, Priority)>,
}

pub(super) fn paths(members: &[&ClassifiedArea<'_>]) -> Vec<Name> {
    members.iter().map(|member| member.area.path.clone()).collect()
}

pub(super) fn names(members: &[&ClassifiedArea<'_>]) -> String {
    members.iter().map(|member| member.name()).collect::<Vec<_>>().join(", ")
}
