//! Records of the journal.

use crate::actions::Step;
use crate::actions::estimate::DeviceKind;
use crate::model::swaparea::{FailedReads, SwapArea};
use crate::model::users::OomKilled;
use crate::model::{Bytes, Name, worded_enum};
use serde::{Deserialize, Serialize};

worded_enum! {
    /// How a plan ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PlanEnd {
        /// All steps were done.
        Done = "done",
        /// The plan was stopped, and everything done was undone.
        Undone = "undone",
        /// The plan was stopped, and some steps remain in effect.
        Partial = "partial",
        /// The plan was interrupted, and repaired later.
        Recovered = "recovered",
        /// All temporary changes were made, and undone afterwards.
        #[serde(alias = "returned")]
        Restored = "restored",
        /// The plan was interrupted or left partly done, and dismissed by a person instead of repaired.
        Dismissed = "dismissed",
    }
}

/// The purpose of a plan. Plans that follow another one are neither undone nor recovered like it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanPurpose {
    /// A change that was asked for.
    #[default]
    Change,
    /// Repair of interrupted changes.
    Recovery,
    /// Restoring the order of default priorities after another plan.
    Order,
    /// The upkeep of zram, which grants the write budget of a day.
    Upkeep,
}

/// The title of recovery plans.
pub const RECOVERY: &str = "repair interrupted changes";
/// The title of plans for the upkeep of zram.
pub const UPKEEP: &str = "upkeep of zram";
/// The title of plans that restore the order of default priorities.
pub const ORDERING: &str = "restore the order of default priorities";

impl PlanPurpose {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn is_change(&self) -> bool {
        *self == Self::Change
    }

    /// Derives the purpose from a title: journals of 0.1.0 store no purpose.
    pub(super) fn from_title(title: &str) -> Self {
        match title {
            RECOVERY | "put right what was cut off" => Self::Recovery,
            UPKEEP => Self::Upkeep,
            ORDERING | "put default priorities back into their order" => Self::Order,
            _ => Self::Change,
        }
    }
}

/// An event of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The plan begins.
    Begin {
        /// The title of the plan.
        title: String,
        /// The purpose; not stored by 0.1.0.
        #[serde(default, skip_serializing_if = "PlanPurpose::is_change")]
        purpose: PlanPurpose,
        /// The steps of the plan.
        steps: Vec<Step>,
        /// The plan that this one undoes, if any.
        undoes: Option<u64>,
        /// The active areas, if the plan disables some; not stored by early versions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        areas: Vec<RecordedArea>,
        /// Is the plan temporary, to be undone after use?
        #[serde(default, rename = "temporary", alias = "lent")]
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_temporary: bool,
        /// Does each completed step stay when another fails? Early versions did not store it.
        #[serde(default, rename = "independent", skip_serializing_if = "std::ops::Not::not")]
        is_independent: bool,
    },
    /// A step begins.
    Try {
        /// The number of the step, from 0.
        step: usize,
        /// Is the step being undone?
        back: bool,
    },
    /// A step was done.
    Made {
        /// The number of the step.
        step: usize,
        /// Was the step undone?
        back: bool,
        /// Bytes moved by the step.
        moved: u64,
        /// Duration of the step.
        seconds: f64,
    },
    /// A step failed; its area is active as before.
    Failed {
        /// The number of the step.
        step: usize,
        /// The reason.
        why: String,
    },
    /// The kernel killed processes for lack of memory during the plan.
    Killed(OomKilled),
    /// Reads of an area failed while it was drained.
    FailedReads(FailedReads),
    /// The plan ended.
    End {
        /// How the plan ended.
        end: PlanEnd,
        /// The reason, unless everything was done.
        why: Option<String>,
    },
}

impl Event {
    /// The number of the step that the event is about.
    fn step(&self) -> Option<usize> {
        match self {
            Self::Try { step, .. } | Self::Made { step, .. } | Self::Failed { step, .. } => {
                Some(*step)
            }
            Self::Begin { .. } | Self::Killed(_) | Self::FailedReads(_) | Self::End { .. } => None,
        }
    }

    /// Did this step end, done or failed?
    pub(in crate::actions) fn ends(&self, number: usize) -> bool {
        matches!(self, Self::Made { step, .. } | Self::Failed { step, .. } if *step == number)
    }
}

/// An area that was active when a plan began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedArea {
    /// Path of the area.
    pub path: Name,
    /// Size of the area.
    pub size: Bytes,
    /// Priority as shown by the kernel.
    pub priority: i32,
    /// The kind of device, if the plan disables the area and the kind is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<DeviceKind>,
}

impl RecordedArea {
    /// Records these areas; `kind` gives the device kind where known.
    pub fn from_areas(
        areas: &[SwapArea],
        kind: impl Fn(&SwapArea) -> Option<DeviceKind>,
    ) -> Vec<Self> {
        let stood = |area: &SwapArea| Self {
            path: area.path.clone(),
            size: area.size,
            priority: area.priority,
            kind: kind(area),
        };
        areas.iter().map(stood).collect()
    }
}

/// The direction in which a step last went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepDirection {
    /// As planned.
    Forward,
    /// Backward: the step was being undone, or had failed.
    Back,
}

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalLine {
    /// The number of the plan.
    pub plan: u64,
    /// Time in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// The boot ID: changes of a running kernel end with its boot.
    pub boot: String,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// One plan of the journal with its events.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Record {
    /// The number of the plan.
    pub plan: u64,
    /// Time when the plan began, in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// The boot ID when the plan began.
    pub boot: String,
    /// The title of the plan.
    pub title: String,
    /// The purpose of the plan.
    #[serde(skip_serializing_if = "PlanPurpose::is_change")]
    pub purpose: PlanPurpose,
    /// The steps of the plan.
    pub steps: Vec<Step>,
    /// The plan that this one undid, if any.
    pub undoes: Option<u64>,
    /// The areas that were active, if the plan disables some and the journal has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<RecordedArea>,
    /// Was the plan temporary, to be undone after use?
    #[serde(rename = "temporary", skip_serializing_if = "std::ops::Not::not")]
    pub is_temporary: bool,
    /// Does each completed step stay when another fails?
    #[serde(rename = "independent", skip_serializing_if = "std::ops::Not::not")]
    pub is_independent: bool,
    /// The events after the beginning, in order.
    pub events: Vec<Event>,
}

impl Record {
    /// The steps in effect: done, and not undone.
    pub fn steps_in_effect(&self) -> Vec<usize> {
        let mut standing = Vec::new();
        for event in &self.events {
            if let Event::Made { step, back: true, .. } = event {
                standing.retain(|other| other != step);
            } else if let Event::Made { step, .. } = event {
                standing.push(*step);
            }
        }
        standing
    }

    /// The events of a step, the newest first.
    fn events_of_step(&self, number: usize) -> impl Iterator<Item = &Event> {
        self.events.iter().rev().filter(move |event| event.step() == Some(number))
    }

    /// The direction in which a step last went; `None` if it was never tried.
    pub fn last_direction(&self, number: usize) -> Option<StepDirection> {
        let last = self.events_of_step(number).next()?;
        let is_forward =
            matches!(last, Event::Try { back: false, .. } | Event::Made { back: false, .. });
        Some(if is_forward { StepDirection::Forward } else { StepDirection::Back })
    }

    /// Was a step undone, by its last event?
    pub fn was_reverted(&self, number: usize) -> bool {
        let last = self.events_of_step(number).find(|event| !matches!(event, Event::Try { .. }));
        matches!(last, Some(Event::Made { back: true, .. }))
    }

    /// Did a step fail, in either direction, when it was last tried?
    pub fn has_failed(&self, number: usize) -> bool {
        matches!(self.events_of_step(number).next(), Some(Event::Failed { .. }))
    }

    /// Has a step begun, and no result yet?
    pub fn is_in_progress(&self, number: usize) -> bool {
        matches!(self.events_of_step(number).next(), Some(Event::Try { .. }))
    }

    /// The step that was in progress when the plan was interrupted, even if the plan was closed
    /// since.
    pub fn interrupted_step(&self) -> Option<usize> {
        let last = self.events.iter().rfind(|event| event.step().is_some())?;
        last.step().filter(|_| matches!(last, Event::Try { .. }))
    }

    /// Does the plan need recovery: was it interrupted or left partly done, in this boot or with a
    /// step that outlasts the boot? An order leaves nothing that could be repaired.
    pub fn is_open(&self, boot: &str) -> bool {
        if Step::are_orders(&self.steps) {
            return false;
        }
        let is_there = self.boot == boot || self.steps.iter().any(Step::outlasts_boot);
        is_there && matches!(self.end(), None | Some(PlanEnd::Partial))
    }

    /// How the plan ended; `None` if it did not come to an end.
    pub fn end(&self) -> Option<PlanEnd> {
        self.events.iter().rev().find_map(|event| {
            let Event::End { end, .. } = event else { return None };
            Some(*end)
        })
    }
}
