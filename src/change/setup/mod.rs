//! Setting up swap: what suits this machine, each choice with its reason, its cost and what else is
//! possible, and the one intent that makes all of it.
//!
//! The rules are pure: [`facts`] reads the machine, everything else computes. Whoever shows a proposal,
//! a command or a screen, shows the sentences from here.

mod choice;
mod facts;
mod intents;
mod profile;
mod ratio;
mod rules;
#[cfg(test)]
mod tests;

pub use choice::{ChoiceValue, SetupChoice, SetupKey, SetupNote, SetupRequest};
pub use facts::SETUP_PARTS;
pub use profile::MachineProfile;
pub use ratio::RatioBasis;

use super::{ChangeAttempt, ChangeError, Intent, ObservedMachine};
use crate::root::Root;
use facts::SetupFacts;
use rules::Rules;
use serde::Serialize;

/// A proposed setup.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetupProposal {
    /// The kind of machine.
    pub profile: MachineProfile,
    /// Why it is taken for that kind.
    pub profile_reason: String,
    /// The machine on one line.
    pub machine: String,
    /// The compression ratio that sizes are computed with.
    pub ratio: RatioBasis,
    /// The choices, in order.
    pub choices: Vec<SetupChoice>,
    /// Notes on the setup.
    pub notes: Vec<SetupNote>,
    /// Whether the setup is made at each boot.
    #[serde(skip)]
    pub persist: bool,
    /// The changes; none if the machine is set up like this already.
    #[serde(skip)]
    pub intent: Option<Intent>,
}

impl SetupProposal {
    /// Why there is nothing to do, where the proposal changes nothing.
    pub fn describe_nothing_to_do(&self) -> String {
        let why = if self.notes.iter().any(|note| note.id == rules::notes::NO_SWAP) {
            "no swap is proposed, for the reasons above"
        } else {
            "the machine is set up like this already"
        };
        format!("Nothing to do: {why}")
    }
}

/// Proposes a setup for a machine that was observed with [`SETUP_PARTS`]. Changes nothing.
pub fn propose_setup(
    machine: &ObservedMachine<'_>,
    request: &SetupRequest,
) -> ChangeAttempt<SetupProposal> {
    propose_from(&SetupFacts::read(machine, request)?, request)
}

/// Proposes a setup from facts.
fn propose_from(facts: &SetupFacts, request: &SetupRequest) -> ChangeAttempt<SetupProposal> {
    let (choices, chosen) = Rules { facts, request }.choices().map_err(ChangeError::Usage)?;
    let intents = intents::intents(facts, &chosen)?;
    let intent = (!intents.is_empty()).then_some(Intent::Setup(intents));
    Ok(SetupProposal {
        profile: facts.profile,
        profile_reason: facts.profile_reason.clone(),
        machine: facts.describe(),
        ratio: facts.ratio.clone(),
        notes: rules::notes::notes(facts, &chosen)
            .into_iter()
            .chain(request.unused(&choices))
            .collect(),
        persist: chosen.boot,
        choices,
        intent,
    })
}

/// The machine behind a root, as a setup needs it.
pub fn observe(root: &Root) -> ObservedMachine<'_> {
    ObservedMachine::observe_parts(root, SETUP_PARTS)
}
