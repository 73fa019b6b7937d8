//! Questions to the model: asking, progress, cancelling, and the answer.

use crate::model::Name;
use crate::model::activation::Priority;
use crate::model::name::safe_text;
use crate::ui::app::{App, SourceKind};
use crate::ui::command::{self, UiCommand as C};
use crate::ui::msg::{Effect, KeyOutcome};
use crate::ui::overlay::Overlay;
use crate::ui::page;
use crate::ui::what_if::{ModelChange, Simulation, WhatIfPage, WhatIfQuestion};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// Asks the model what the machine does with these changes; without any, as it is.
pub(super) fn ask(app: &mut App, asked: &str, changes: Vec<ModelChange>) -> Vec<Effect> {
    let Some(moment) = app.moment() else {
        app.notify("no sample yet");
        return vec![];
    };
    let question = WhatIfQuestion {
        title: format!("What if: {}", safe_text(asked)),
        changes,
        now: moment.now.clone(),
        before: moment.before.clone(),
        needs_sample: matches!(app.kind, SourceKind::Live | SourceKind::Captured),
    };
    app.simulations += 1;
    let (number, title) = (app.simulations, question.title.clone());
    app.overlays.push(Overlay::Simulation(Simulation { number, title, share: 0.0 }));
    vec![Effect::Simulate(number, Box::new(question))]
}

/// Asks with what was typed, or returns why it is not valid.
pub(super) fn ask_typed(app: &mut App, change: ModelChange) -> Result<Vec<Effect>, String> {
    // A line to type in has no options.
    let without_option =
        |why: String| why.trim_start_matches("--add ").trim_start_matches("--kernel: ").to_owned();
    change.check().map_err(without_option)?;
    let asked = match &change {
        ModelChange::Kernel(kernel) => format!("kernel {kernel}"),
        ModelChange::Add(area) => format!("one more area, {area}"),
        ModelChange::Priority(..) | ModelChange::Plan(..) => String::new(),
    };
    Ok(ask(app, &asked, vec![change]))
}

/// Asks for this priority of all these areas.
pub(super) fn ask_priority(app: &mut App, areas: &[Name], priority: Priority) -> Vec<Effect> {
    let names: Vec<String> = areas.iter().map(|area| area.base().safe()).collect();
    let asked = format!("priority {priority} for {}", names.join(", "));
    let changes = areas.iter().map(|area| ModelChange::Priority(area.clone(), priority));
    ask(app, &asked, changes.collect())
}

/// Asks for the plan in the open dialog.
pub(super) fn ask_plan(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Confirm(dialog)) = app.overlays.last() else { return vec![] };
    let Some(proposal) = dialog.proposal.planned() else { return vec![] };
    let plan = proposal.change.plan.clone();
    let title = plan.title.clone();
    let change = ModelChange::Plan(Box::new(plan), proposal.inactive.clone());
    ask(app, &title, vec![change])
}

/// The open question with this number.
fn open(app: &mut App, number: u64) -> Option<&mut Overlay> {
    let is_meant =
        |overlay: &&mut Overlay| matches!(overlay, Overlay::Simulation(it) if it.number == number);
    app.overlays.iter_mut().find(is_meant)
}

/// Part of the work is done.
pub(super) fn progress(app: &mut App, number: u64, done: f64) -> Vec<Effect> {
    if let Some(Overlay::Simulation(simulation)) = open(app, number) {
        simulation.share = done;
    }
    vec![]
}

/// The model has answered. The answer to a cancelled question is dropped.
pub(super) fn answered(
    app: &mut App,
    number: u64,
    answer: Result<Box<WhatIfPage>, String>,
) -> Vec<Effect> {
    let cells = usize::from(page::inside(app.overlay_size(), 0).width);
    let Some(overlay) = open(app, number) else { return vec![] };
    match answer {
        Ok(answer) => *overlay = Overlay::Page(answer.page(cells)),
        Err(why) => {
            app.overlays.retain(|overlay| !matches!(overlay, Overlay::Simulation(_)));
            app.notify_error(why);
        }
    }
    vec![]
}

/// A key while the model works.
pub(super) fn key(app: &mut App, simulation: Simulation, event: KeyEvent) -> KeyOutcome {
    let cancels = matches!(command::for_key(event), Some(C::Back | C::Quit));
    if cancels || event.code == KeyCode::Esc {
        return vec![Effect::StopSimulation].into();
    }
    app.notify_unbound_key(event, "Esc cancels the simulation");
    app.overlays.push(Overlay::Simulation(simulation));
    KeyOutcome::NOTHING
}
