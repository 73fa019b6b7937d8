//! Questions to the model: asking, progress, cancelling, and the answer.

use super::figures::source_of;
use super::{App, C, Effect, KeyCode, KeyEvent, Name, Overlay, SourceKind, Time, command};
use crate::change::what_if;
use crate::model::activation::Priority;
use crate::ui::what_if::{
    LoadChoice, MEASURED, ModelChange, Simulation, WhatIfPage, WhatIfQuestion, WhatIfRequest,
};

/// Asks the model about the sample on screen, or about a new one while the newest is on screen.
fn ask(app: &mut App, request: WhatIfRequest) {
    let Some(moment) = app.moment() else { return app.notify("no sample yet") };
    let is_newest = app.is_live() && app.source.time == Time::Newest;
    let needs_sample = is_newest || app.source.kind == SourceKind::Captured;
    let source = app.learn.player.is_none().then(|| source_of(app));
    let request = WhatIfRequest { source, ..request };
    let title = request.title();
    let (now, before) = (moment.now.clone(), moment.before.clone());
    let question = WhatIfQuestion { request, now, before, needs_sample };
    app.simulations += 1;
    let number = app.simulations;
    app.overlays.push(Overlay::Simulation(Simulation { number, title, share: 0.0 }));
    app.emit(Effect::Simulate(number, Box::new(question)));
}

/// Asks what the machine does with these changes.
fn ask_about(app: &mut App, asked: String, changes: Vec<ModelChange>) {
    ask(app, WhatIfRequest { asked, changes, ..WhatIfRequest::default() });
}

/// Asks with what was typed, or returns why it is not valid.
pub(super) fn ask_typed(app: &mut App, change: ModelChange) -> Result<(), String> {
    change.check().map_err(|why| without_option(&why))?;
    let asked = match &change {
        ModelChange::Kernel(kernel) => format!("kernel {kernel}"),
        ModelChange::Add(area) => format!("one more area, {area}"),
        ModelChange::Priority(..) | ModelChange::Plan(..) => String::new(),
    };
    ask_about(app, asked, vec![change]);
    Ok(())
}

/// The error without the option: a line to type in has none.
fn without_option(why: &str) -> String {
    let mut options = ["--add ", "--kernel: ", "--rate "].into_iter();
    options.find_map(|option| why.strip_prefix(option)).unwrap_or(why).to_owned()
}

/// Asks the question of the open page under another load; without a page, that about the machine as it is.
pub(super) fn ask_under(app: &mut App, load: LoadChoice) {
    let request = WhatIfRequest { load, ..shown_request(app) };
    ask(app, request);
}

/// Asks again with a typed growth of used swap, or returns why it is not valid.
pub(super) fn ask_rate(app: &mut App, rate: &str) -> Result<(), String> {
    let rate = Some(rate.to_owned()).filter(|rate| rate != MEASURED);
    let parsed = rate.as_deref().map(what_if::parse_rate).transpose();
    parsed.map_err(|why| without_option(&why))?;
    let request = WhatIfRequest { rate, ..shown_request(app) };
    ask(app, request);
    Ok(())
}

/// The question of the open page; without one, that about the machine as it is.
fn shown_request(app: &App) -> WhatIfRequest {
    let Some(Overlay::Page(page)) = app.overlays.last() else { return WhatIfRequest::default() };
    page.answer().map(|answer| answer.request.clone()).unwrap_or_default()
}

/// Asks for this priority of all these areas.
pub(super) fn ask_priority(app: &mut App, areas: &[Name], priority: Priority) {
    let names: Vec<String> = areas.iter().map(|area| area.base().safe()).collect();
    let asked = format!("priority {priority} for {}", names.join(", "));
    let changes = areas.iter().map(|area| ModelChange::Priority(area.clone(), priority));
    ask_about(app, asked, changes.collect());
}

/// Asks for the plan in the open dialog.
pub(super) fn ask_plan(app: &mut App) {
    let Some(Overlay::Confirm(dialog)) = app.overlays.last() else { return };
    let Some(proposal) = dialog.proposal.planned() else { return };
    let plan = proposal.change.plan.clone();
    let title = plan.title.clone();
    let change = ModelChange::Plan(Box::new(plan), proposal.inactive.clone());
    ask_about(app, title, vec![change]);
}

/// The open question with this number.
fn open(app: &mut App, number: u64) -> Option<&mut Overlay> {
    let is_meant =
        |overlay: &&mut Overlay| matches!(overlay, Overlay::Simulation(it) if it.number == number);
    app.overlays.iter_mut().find(is_meant)
}

/// Part of the work is done.
pub(super) fn progress(app: &mut App, number: u64, done: f64) {
    if let Some(Overlay::Simulation(simulation)) = open(app, number) {
        simulation.share = done;
    }
}

/// The model has answered. The answer to a cancelled question is dropped.
pub(super) fn answered(app: &mut App, number: u64, answer: Result<Box<WhatIfPage>, String>) {
    let (size, look) = (app.overlay_size(), app.look);
    let Some(overlay) = open(app, number) else { return };
    match answer {
        Ok(answer) => *overlay = Overlay::Page(answer.page(size, &look)),
        Err(why) => {
            app.overlays.retain(|overlay| !matches!(overlay, Overlay::Simulation(_)));
            let is_paused = app.is_live() && app.source.time != Time::Newest;
            let hint = if is_paused {
                ". The screen is paused: to ask with a new sample, resume it"
            } else {
                ""
            };
            app.notify_error(why + hint);
        }
    }
}

/// A key while the model works.
pub(super) fn key(app: &mut App, simulation: Simulation, event: KeyEvent) {
    let cancels = matches!(command::for_key(event), Some(C::Back | C::Quit));
    if cancels || event.code == KeyCode::Esc {
        return app.emit(Effect::StopSimulation);
    }
    app.notify_unbound_key(event, "Esc cancels the simulation");
    app.overlays.push(Overlay::Simulation(simulation));
}
