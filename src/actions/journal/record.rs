//! What the journal says of a plan.

use crate::actions::Step;
use crate::actions::estimate::DeviceKind;
use crate::model::swaparea::SwapArea;
use crate::model::users::OomKilled;
use crate::model::{Bytes, Name};
use serde::{Deserialize, Serialize};

/// How a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanEnd {
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
pub enum PlanPurpose {
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

impl PlanPurpose {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like that")]
    pub(super) fn is_change(&self) -> bool {
        *self == Self::Change
    }

    /// The purpose of a plan of a journal of 0.1.0, which its title alone tells.
    pub(super) fn from_title(title: &str) -> Self {
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
        #[serde(default, skip_serializing_if = "PlanPurpose::is_change")]
        purpose: PlanPurpose,
        /// Its steps.
        steps: Vec<Step>,
        /// The plan that it takes back, if it does.
        undoes: Option<u64>,
        /// The areas that were on, where it takes some off; earlier journals do not say.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        areas: Vec<RecordedArea>,
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
    Killed(OomKilled),
    /// The plan is over.
    End {
        /// How.
        end: PlanEnd,
        /// Why, unless all was done.
        why: Option<String>,
    },
}

/// An area as it was on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedArea {
    /// Where.
    pub path: Name,
    /// How large.
    pub size: Bytes,
    /// As the kernel showed it.
    pub priority: i32,
    /// What carries it, where it is taken off and that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<DeviceKind>,
}

impl RecordedArea {
    /// These areas, where the kinds of some are known.
    pub fn from_areas(areas: &[SwapArea], kind: impl Fn(&SwapArea) -> Option<DeviceKind>) -> Vec<Self> {
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
pub enum StepDirection {
    /// As planned.
    Forward,
    /// Back: it was being taken back, or had failed.
    Back,
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalLine {
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
    #[serde(skip_serializing_if = "PlanPurpose::is_change")]
    pub purpose: PlanPurpose,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The plan that it took back.
    pub undoes: Option<u64>,
    /// The areas that were on, where it takes some off and the journal says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<RecordedArea>,
    /// Is all of it taken back when it has served?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lent: bool,
    /// What happened afterwards, in order.
    pub events: Vec<Event>,
}

impl Record {
    /// The steps that stand: made, and not taken back.
    pub fn steps_in_effect(&self) -> Vec<usize> {
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
    pub fn last_direction(&self, number: usize) -> Option<StepDirection> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Failed { step, .. } => (*step == number).then_some(StepDirection::Back),
            Event::Try { step, back } | Event::Made { step, back, .. } => {
                let way = if *back { StepDirection::Back } else { StepDirection::Forward };
                (*step == number).then_some(way)
            }
            Event::Begin { .. } | Event::Killed(_) | Event::End { .. } => None,
        })
    }

    /// Was a step taken back, as far as is told last?
    pub fn was_reverted(&self, number: usize) -> bool {
        let last = self.events.iter().rev().find_map(|event| match event {
            Event::Made { step, back, .. } => (*step == number).then_some(*back),
            Event::Failed { step, .. } => (*step == number).then_some(false),
            Event::Begin { .. } | Event::Try { .. } | Event::Killed(_) | Event::End { .. } => None,
        });
        last == Some(true)
    }

    /// The step of which it is not told what became of it.
    pub fn step_in_progress(&self) -> Option<usize> {
        let Event::Try { step, .. } = self.events.last()? else { return None };
        Some(*step)
    }

    /// The step that was under way when the plan was interrupted, also if it was closed since.
    pub fn interrupted_step(&self) -> Option<usize> {
        let mut events = self.events.iter().rev();
        let is_of_a_step = |event: &&Event| !matches!(event, Event::Killed(_) | Event::End { .. });
        let Event::Try { step, .. } = events.find(is_of_a_step)? else { return None };
        Some(*step)
    }

    /// Was it cut off, or left in part, while the machine ran as it does, or with something that
    /// outlasts that?
    pub fn is_open(&self, boot: &str) -> bool {
        let is_there = self.boot == boot || self.steps.iter().any(Step::outlasts_boot);
        is_there && matches!(self.end(), None | Some(PlanEnd::Partial))
    }

    /// How it ended; nothing, when it did not come to an end.
    pub fn end(&self) -> Option<PlanEnd> {
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
