//! What the journal says of a plan.

use crate::actions::Step;
use crate::actions::estimate::Kind;
use crate::model::swaparea::SwapArea;
use crate::model::users::Killed;
use crate::model::{Bytes, Name};
use serde::{Deserialize, Serialize};

/// How a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// All steps were made.
    Done,
    /// Something stopped it, and what had been done was taken back.
    Undone,
    /// Something stopped it, and some steps stand.
    Partial,
    /// It was cut off, and what it left behind was put right later.
    Recovered,
    /// All was made for the time of something else, and taken back after it.
    Returned,
    /// Somebody decided not to repair it, after it was interrupted or left in part.
    Dismissed,
}

/// The purpose of a plan: some follow others, and are neither undone nor recovered like them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To change something.
    #[default]
    Change,
    /// To repair what interrupted changes have left.
    Recovery,
    /// To put default priorities back into their order, after another plan.
    Order,
}

/// The title of recoveries.
pub const RECOVERY: &str = "put right what was cut off";
/// The title of plans that put default priorities back into their order.
pub const ORDERING: &str = "put default priorities back into their order";

impl Purpose {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like that")]
    pub(super) fn is_change(&self) -> bool {
        *self == Self::Change
    }

    /// The purpose of a plan of a journal of 0.1.0, which its title alone tells.
    pub(super) fn of_title(title: &str) -> Self {
        match title {
            RECOVERY => Self::Recovery,
            ORDERING => Self::Order,
            _ => Self::Change,
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A plan is begun.
    Begin {
        /// What it is for.
        title: String,
        /// Its purpose; journals of 0.1.0 do not say it.
        #[serde(default, skip_serializing_if = "Purpose::is_change")]
        purpose: Purpose,
        /// Its steps.
        steps: Vec<Step>,
        /// The plan that it takes back, if it does.
        undoes: Option<u64>,
        /// The areas that were on, where it takes some off; earlier journals do not say.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        areas: Vec<Stood>,
        /// Is all of it taken back when it has served?
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lent: bool,
    },
    /// A step is begun.
    Try {
        /// Which, from 0 on.
        step: usize,
        /// Is it taken back?
        back: bool,
    },
    /// It is made.
    Made {
        /// Which.
        step: usize,
        /// Was it taken back?
        back: bool,
        /// Bytes that were moved for it.
        moved: u64,
        /// How long it took.
        seconds: f64,
    },
    /// It failed; the area is on as it was.
    Failed {
        /// Which.
        step: usize,
        /// Why.
        why: String,
    },
    /// The kernel killed processes for want of memory meanwhile.
    Killed(Killed),
    /// The plan is over.
    End {
        /// How.
        end: End,
        /// Why, unless all was done.
        why: Option<String>,
    },
}

/// An area as it was on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stood {
    /// Where.
    pub path: Name,
    /// How large.
    pub size: Bytes,
    /// As the kernel showed it.
    pub priority: i32,
    /// What carries it, where it is taken off and that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
}

impl Stood {
    /// These areas, where the kinds of some are known.
    pub fn all(areas: &[SwapArea], kind: impl Fn(&SwapArea) -> Option<Kind>) -> Vec<Self> {
        let stood = |area: &SwapArea| Self {
            path: area.path.clone(),
            size: area.size,
            priority: area.priority,
            kind: kind(area),
        };
        areas.iter().map(stood).collect()
    }
}

/// Which way a step was to go last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// As planned.
    Ahead,
    /// Back: it was being taken back, or had failed.
    Back,
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The number of the plan.
    pub plan: u64,
    /// When, in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// Since which boot the machine ran: what is done to a running kernel ends with it.
    pub boot: String,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// One plan, as the journal tells of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Its number.
    pub plan: u64,
    /// When it was begun.
    pub at_ms: u64,
    /// Since which boot the machine ran.
    pub boot: String,
    /// What it was for.
    pub title: String,
    /// Its purpose.
    #[serde(skip_serializing_if = "Purpose::is_change")]
    pub purpose: Purpose,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The plan that it took back.
    pub undoes: Option<u64>,
    /// The areas that were on, where it takes some off and the journal says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<Stood>,
    /// Is all of it taken back when it has served?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lent: bool,
    /// What happened afterwards, in order.
    pub events: Vec<Event>,
}

impl Record {
    /// The steps that stand: made, and not taken back.
    pub fn standing(&self) -> Vec<usize> {
        let mut standing = Vec::new();
        for event in &self.events {
            match event {
                Event::Made { step, back: false, .. } => standing.push(*step),
                Event::Made { step, back: true, .. } => standing.retain(|other| other != step),
                Event::Begin { .. }
                | Event::Try { .. }
                | Event::Failed { .. }
                | Event::Killed(_)
                | Event::End { .. } => {}
            }
        }
        standing
    }

    /// What became of a step; none if it was never tried.
    pub fn tried(&self, number: usize) -> Option<Tried> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Failed { step, .. } => (*step == number).then_some(Tried::Back),
            Event::Try { step, back } | Event::Made { step, back, .. } => {
                let way = if *back { Tried::Back } else { Tried::Ahead };
                (*step == number).then_some(way)
            }
            Event::Begin { .. } | Event::Killed(_) | Event::End { .. } => None,
        })
    }

    /// Was a step taken back, as far as is told last?
    pub fn went_back(&self, number: usize) -> bool {
        let last = self.events.iter().rev().find_map(|event| match event {
            Event::Made { step, back, .. } => (*step == number).then_some(*back),
            Event::Failed { step, .. } => (*step == number).then_some(false),
            Event::Begin { .. } | Event::Try { .. } | Event::Killed(_) | Event::End { .. } => None,
        });
        last == Some(true)
    }

    /// The step of which it is not told what became of it.
    pub fn under_way(&self) -> Option<usize> {
        let Event::Try { step, .. } = self.events.last()? else { return None };
        Some(*step)
    }

    /// The step that was under way when the plan was interrupted, also if it was closed since.
    pub fn unsettled(&self) -> Option<usize> {
        let mut events = self.events.iter().rev();
        let is_of_a_step = |event: &&Event| !matches!(event, Event::Killed(_) | Event::End { .. });
        let Event::Try { step, .. } = events.find(is_of_a_step)? else { return None };
        Some(*step)
    }

    /// Was it cut off, or left in part, while the machine ran as it does, or with something that
    /// outlasts that?
    pub fn is_open(&self, boot: &str) -> bool {
        let is_there = self.boot == boot || self.steps.iter().any(Step::lasts);
        is_there && matches!(self.end(), None | Some(End::Partial))
    }

    /// How it ended; nothing, when it did not come to an end.
    pub fn end(&self) -> Option<End> {
        self.events.iter().rev().find_map(|event| match event {
            Event::End { end, .. } => Some(*end),
            Event::Begin { .. }
            | Event::Try { .. }
            | Event::Made { .. }
            | Event::Failed { .. }
            | Event::Killed(_) => None,
        })
    }
}
