//! The page that sets up swap: the choices of a proposal, each of which can be changed, and the plan
//! that follows from them.

use super::page::PageLine;
use super::theme::Role;
use crate::actions::shell_quoted;
use crate::change::setup::{MachineProfile, SetupChoice, SetupKey, SetupProposal, SetupRequest};
use crate::model::Name;

/// The page with its request, and the proposal for it.
#[derive(Clone, Debug)]
pub struct SetupPage {
    /// The request.
    pub request: SetupRequest,
    /// The proposal.
    pub proposal: SetupProposal,
    /// The selected row: the kind of machine, then the choices.
    pub selected: usize,
    /// Why the last value is not possible.
    pub error: Option<String>,
}

impl SetupPage {
    /// The page of a proposal.
    pub fn new(request: SetupRequest, proposal: SetupProposal) -> Self {
        Self { request, proposal, selected: 0, error: None }
    }

    /// The rows: name and value of the kind of machine and of each choice, and whether it changes the
    /// machine.
    pub fn rows(&self) -> Vec<(&'static str, String, bool)> {
        let kind = ("machine", self.proposal.profile.word().to_owned(), false);
        let row = |choice: &SetupChoice| (choice.key.title(), choice.value_words(), choice.changes);
        std::iter::once(kind).chain(self.proposal.choices.iter().map(row)).collect()
    }

    /// The selected choice; none if the kind of machine is selected.
    pub fn choice(&self) -> Option<&SetupChoice> {
        self.proposal.choices.get(self.selected.checked_sub(1)?)
    }

    /// Details of the selected row, then notes on the whole setup.
    pub fn details(&self) -> Vec<PageLine> {
        let mut lines = Vec::new();
        lines.extend(self.error.iter().map(|why| PageLine::text(why.clone()).as_role(Role::Warn)));
        if let Some(choice) = self.choice() {
            lines.push(PageLine::text(choice.chosen.reason.clone()));
            let details = choice.details().into_iter();
            lines.extend(details.map(|line| PageLine::text(line).as_role(Role::Label)));
        } else {
            lines.push(PageLine::text(self.proposal.profile_reason.clone()));
            let machine = PageLine::text(self.proposal.machine.clone());
            let ratio = format!("compression ratio {}", self.proposal.ratio.text);
            lines.extend([machine, PageLine::text(ratio)].map(|it| it.as_role(Role::Label)));
        }
        let notes = self.proposal.notes.iter().map(|note| format!("note: {}", note.text));
        lines.extend(notes.map(|note| PageLine::text(note).as_role(Role::Label)));
        lines
    }

    /// The request with the previous or next value of the selected row; none if it has only one.
    pub fn turned(&self, back: bool) -> Option<SetupRequest> {
        let mut request = self.request.clone();
        if let Some(choice) = self.choice() {
            request.set(choice.key, choice.neighbor(back)?.to_owned());
        } else {
            let kinds = MachineProfile::ALL;
            let count = kinds.len();
            let place = kinds.iter().position(|kind| *kind == self.proposal.profile)?;
            let next = if back { place + count - 1 } else { place + 1 };
            request.profile = kinds.get(next % count).copied();
        }
        Some(request)
    }

    /// The request with a typed value; an empty one lets the value be proposed again.
    pub fn typed(&self, key: SetupKey, text: &str) -> SetupRequest {
        let mut request = self.request.clone();
        if text.is_empty() {
            request.with.retain(|(other, _)| *other != key);
        } else {
            request.set(key, text.to_owned());
        }
        request
    }

    /// The command line for the request.
    pub fn command(&self) -> String {
        let profile = self.request.profile.map(|kind| format!(" --profile {}", kind.word()));
        let with = self.request.with.iter().map(|(key, value)| {
            let choice = format!("{}={value}", key.word());
            format!(" --with {}", shell_quoted(&Name::from(choice.as_str())))
        });
        std::iter::once("swapadm setup".to_owned()).chain(profile).chain(with).collect()
    }
}
