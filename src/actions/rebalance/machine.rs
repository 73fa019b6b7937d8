//! The machine as strategies look at it, and what they find there.

use crate::actions::plan;
use crate::derive::selection::policy;
use crate::derive::selection::policy::Defaults;
use crate::derive::speed::{self, Speed};
use crate::model::activation::Priority;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Reading, Snapshot};
use serde::Serialize;

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RebalanceFinding {
    /// One of [`super::KINDS`].
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

impl RebalanceFinding {
    /// Something that stays as it is.
    pub(super) fn note(id: &'static str, areas: Vec<Name>, text: String) -> Self {
        Self { id, wrong: false, text, better: None, areas, unit: None, now: None, then: None }
    }
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RebalanceRefusal {
    /// The steps cannot be made.
    #[error(transparent)]
    Plan(#[from] plan::PlanRefusal),
    /// Nothing on this machine is bound to NUMA nodes.
    #[error(
        "no area can be bound to a NUMA node here: {0}; swapadm rebalance equal gives the areas of a class one priority"
    )]
    Numa(String),
}

/// An area with what decides about it.
#[derive(Clone, Debug)]
pub(super) struct ClassifiedArea<'a> {
    pub(super) area: &'a SwapArea,
    pub(super) speed: Reading<Speed>,
    /// The NUMA node that it belongs to.
    pub(super) node: Option<i32>,
    /// Its priority as the kernel allocates by it: what belongs to a node counts there as one of
    /// -1, whatever default priority is shown.
    pub(super) rank: i32,
}

impl ClassifiedArea<'_> {
    pub(super) fn name(&self) -> String {
        self.area.path.safe()
    }

    /// With its class and priority.
    pub(super) fn describe(&self) -> String {
        let class = self.speed.known().map_or("unknown", |speed| speed.word());
        let bound = if self.rank == self.area.priority { "" } else { " but first on its node" };
        format!("{} ({class}, priority {}{bound})", self.name(), self.area.priority)
    }

    pub(super) fn is_default(&self) -> bool {
        Priority::from_shown(self.area.priority) == Priority::Default
    }

    /// What is on it; all that could be, where that is not known.
    pub(super) fn used(&self) -> Bytes {
        self.area.used.known().copied().unwrap_or(self.area.size)
    }
}

/// The machine as it is looked at here.
#[derive(Debug)]
pub(super) struct ClassifiedMachine<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) areas: &'a [SwapArea],
    pub(super) members: Vec<ClassifiedArea<'a>>,
    pub(super) defaults: Reading<Defaults>,
}

impl<'a> ClassifiedMachine<'a> {
    pub(super) fn from_snapshot(snapshot: &'a Snapshot, filesystems: &[Option<String>]) -> Self {
        let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
        let defaults = policy::defaults(snapshot);
        let blocks = snapshot.block.reading.known().map_or(&[][..], Vec::as_slice);
        let unknown = Reading::not_sampled();
        let member = |(place, area): (usize, &'a SwapArea)| {
            let block = blocks.get(place).unwrap_or(&unknown);
            let filesystem = filesystems.get(place).and_then(Option::as_deref);
            let node = block.known().and_then(|block| block.numa_node.known().copied());
            let by_node = defaults == Reading::Known(Defaults::ByNode);
            let is_bound = by_node && node.is_some() && area.priority < 0;
            let rank = if is_bound { -1 } else { area.priority };
            ClassifiedArea { area, speed: speed::speed_class(block, filesystem), node, rank }
        };
        let members = areas.iter().enumerate().map(member).collect();
        Self { snapshot, areas, members, defaults }
    }

    /// The areas of a class.
    pub(super) fn areas_of_class(&self, speed: Speed) -> Vec<&ClassifiedArea<'a>> {
        let is = |member: &&ClassifiedArea<'_>| member.speed == Reading::Known(speed);
        self.members.iter().filter(is).collect()
    }

    /// The classes that there are, fastest first, with their areas.
    pub(super) fn areas_by_class(&self) -> Vec<Vec<&ClassifiedArea<'a>>> {
        let all = [Speed::Zram, Speed::Solid, Speed::Rotational, Speed::Remote];
        let classes = all.into_iter().map(|speed| self.areas_of_class(speed));
        classes.filter(|class| !class.is_empty()).collect()
    }

    /// The areas of no known class, each with the reason, and what becomes of it. Nothing is decided
    /// about them.
    pub(super) fn notes_on_unknown(&self, becomes: impl Fn(&ClassifiedArea<'_>) -> &'static str) -> Vec<RebalanceFinding> {
        let members = self.members.iter();
        let unknown = members.filter_map(|member| Some((member, member.speed.missing()?)));
        let note = |(member, missing): (&ClassifiedArea<'_>, &crate::model::Missing)| {
            let (name, why) = (member.name(), missing.why());
            let text = format!("{name} {}: how fast it is is not known: {why}", becomes(member));
            RebalanceFinding::note("unknown", vec![member.area.path.clone()], text)
        };
        unknown.map(note).collect()
    }

    /// Do all areas of default priority take turns?
    pub(super) fn defaults_rotate(&self) -> bool {
        self.defaults == Reading::Known(Defaults::Alike)
    }
}

/// What becomes of an area that nothing is decided about.
pub(super) const LEFT_UNCHANGED: &str = "is left as it is";

/// What a strategy finds, and what it wants.
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
