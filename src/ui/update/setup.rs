//! The page that sets up swap.

use super::{
    App, C, Effect, KeyCode, KeyEvent, Overlay, PromptKind, TextInput, ValueInput, changes,
    command, figures, moved,
};
use crate::change::setup::{SetupKey, SetupProposal, SetupRequest};
use crate::ui::change::ExecutionOptions;
use crate::ui::setup::SetupPage;

/// Asks for a proposal.
pub(super) fn propose(app: &mut App, request: SetupRequest) {
    changes::await_plan(app, |number| Effect::ProposeSetup(number, request));
}

/// A proposal has arrived, or the reason why there is none.
pub(super) fn proposed(
    app: &mut App,
    number: u64,
    request: SetupRequest,
    result: Result<Box<SetupProposal>, String>,
) {
    if !changes::accept_answer(app, number) {
        return;
    }
    let open = app.overlays.iter_mut().find_map(|overlay| match overlay {
        Overlay::Setup(page) => Some(page),
        _ => None,
    });
    match (result, open) {
        (Ok(proposal), Some(page)) => {
            let rows = proposal.choices.len();
            (page.request, page.proposal, page.error) = (request, *proposal, None);
            page.selected = page.selected.min(rows);
        }
        (Ok(proposal), None) => {
            let page = SetupPage::new(request, *proposal);
            app.overlays.push(Overlay::Setup(Box::new(page)));
        }
        (Err(why), Some(page)) => page.error = Some(why),
        (Err(why), None) => app.notify_error(why),
    }
}

/// A key on the page.
pub(super) fn key(app: &mut App, mut page: Box<SetupPage>, event: KeyEvent) {
    let last = page.rows().len().saturating_sub(1);
    let command = command::for_key(event);
    match command {
        _ if event.code == KeyCode::Char('p') => {
            app.overlays.push(Overlay::Setup(page.clone()));
            return plan(app, &page);
        }
        Some(C::Back | C::Quit) => {
            changes::cancel_planning(app);
            return;
        }
        Some(command) if let Some(row) = moved(command, page.selected, last, last) => {
            page.selected = row;
        }
        Some(turn @ (C::Left | C::Right)) => match page.turned(turn == C::Left) {
            Some(request) => propose(app, request),
            None => app.notify("press Enter to type a value"),
        },
        Some(C::Open) => {
            let value = page.choice().map(|choice| value_input(choice.key));
            app.overlays.push(Overlay::Setup(page.clone()));
            match value {
                Some(value) => app.overlays.push(Overlay::Value(value)),
                None => app.notify("left and right choose the kind of machine"),
            }
            return;
        }
        Some(C::Copy) => figures::copied(app, page.command()),
        _ => app.notify_unbound_key(event, "left and right change a value, p shows the plan"),
    }
    app.overlays.push(Overlay::Setup(page));
}

/// The line to type the value of a choice.
fn value_input(key: SetupKey) -> ValueInput {
    let accepts = format!("{}; empty: as proposed", key.values());
    let typed = PromptKind::Setup(key);
    ValueInput { typed, accepts, default: None, input: TextInput::default(), error: None }
}

/// Applies a typed value.
pub(super) fn typed(app: &mut App, key: SetupKey, text: &str) {
    let request = app.overlays.iter().find_map(|overlay| match overlay {
        Overlay::Setup(page) => Some(page.typed(key, text)),
        _ => None,
    });
    if let Some(request) = request {
        propose(app, request);
    }
}

/// Shows the plan, which runs after it is confirmed.
fn plan(app: &mut App, page: &SetupPage) {
    let Some(intent) = page.proposal.intent.clone() else {
        return app.notify(page.proposal.describe_nothing_to_do());
    };
    let options =
        ExecutionOptions { persist: page.proposal.persist, ..ExecutionOptions::default() };
    changes::plan_with(app, intent, options);
}
