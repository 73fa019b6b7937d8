//! The dialog that stands before a change: keys, and what they lead to.

use super::{changes, figures, lab};
use crate::actions::limits::ChangeLimits;
use crate::ui::app::App;
use crate::ui::change::{ExecutionOptions, AnyProposal};
use crate::ui::command::{self, UiCommand as C};
use crate::ui::confirm::{Confirm, Focus, Gate, AT_BOOT, MAX_PSI, PAUSE_PSI, TIMEOUT};
use crate::ui::input::PromptKind;
use crate::ui::job::Job;
use crate::ui::layout::{self, Class};
use crate::ui::msg::{Effect, KeyOutcome};
use crate::ui::overlay::Overlay;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// A key for the dialog.
pub(super) fn key(app: &mut App, mut dialog: Confirm, event: KeyEvent) -> KeyOutcome {
    let typing = dialog.focus == Focus::Word;
    let height = dialog.height(app.overlay_size()).max(1);
    let last = dialog.last_top(app.overlay_size());
    let shown = dialog.page.top.min(last);
    dialog.page.top = shown;
    let keys = if typing { Vec::new() } else { options(&dialog) };
    let page = &mut dialog.page;
    match event.code {
        KeyCode::Esc => return KeyOutcome::NOTHING,
        KeyCode::Enter => return press(app, dialog).into(),
        KeyCode::Tab => dialog.turn(1),
        KeyCode::BackTab => dialog.turn(-1),
        KeyCode::Up => page.top = shown.saturating_sub(1),
        KeyCode::Down => page.top = (shown + 1).min(last),
        KeyCode::PageUp => page.top = shown.saturating_sub(height),
        KeyCode::PageDown => page.top = (shown + height).min(last),
        _ if typing => {
            dialog.input.key(event);
        }
        KeyCode::Char(c) if event.modifiers.is_empty() && keys.contains(&c) => {
            app.overlays.push(Overlay::Confirm(Box::new(dialog)));
            return option(app, c).into();
        }
        _ => match command::for_key(event) {
            Some(C::Quit) => return KeyOutcome::NOTHING,
            Some(C::Left) => dialog.turn(-1),
            Some(C::Right) => dialog.turn(1),
            Some(C::Up) => page.top = shown.saturating_sub(1),
            Some(C::Down) => page.top = (shown + 1).min(last),
            Some(C::Top) => page.top = 0,
            Some(C::Bottom) => page.top = last,
            Some(C::Copy) => {
                let copy = page.copy.clone();
                app.overlays.push(Overlay::Confirm(Box::new(dialog)));
                return copy.map_or(KeyOutcome::NOTHING, |text| figures::copied(app, text).into());
            }
            Some(command @ (C::WriteMode | C::Job)) => {
                app.overlays.push(Overlay::Confirm(Box::new(dialog)));
                return KeyOutcome::Run(command);
            }
            _ => app.notify_unbound_key(event, "Tab chooses, Esc cancels"),
        },
    }
    app.overlays.push(Overlay::Confirm(Box::new(dialog)));
    KeyOutcome::NOTHING
}

/// Enter, on what keys act on.
pub(super) fn press(app: &mut App, mut dialog: Confirm) -> Vec<Effect> {
    match dialog.focus {
        Focus::Cancel => return vec![],
        Focus::Word if dialog.is_unlocked() => dialog.focus = Focus::Run,
        Focus::Word => say_what_to_type(app, &dialog),
        Focus::Run => match blocked_reason(app, &dialog) {
            None => return confirm(app, dialog),
            Some(why) => app.notify(why),
        },
    }
    app.overlays.push(Overlay::Confirm(Box::new(dialog)));
    vec![]
}

fn say_what_to_type(app: &mut App, dialog: &Confirm) {
    if let Some(word) = dialog.gate.word() {
        app.notify(format!("type {word} here, exactly so, to allow it"));
    }
}

/// Why a plan cannot be carried out just now.
fn blocked_reason(app: &App, dialog: &Confirm) -> Option<String> {
    if layout::class(app.size) == Class::Tiny {
        return Some("the terminal is too small to show what would be done".to_owned());
    }
    if let Some(why) = app.change.blocked_reason(&dialog.proposal) {
        return Some(format!("{why}; y copies the commands"));
    }
    if dialog.is_idle() {
        return Some("it is so already: nothing has to be done".to_owned());
    }
    if dialog.gate == Gate::Blocked {
        return Some("a check refuses it: what is marked REFUSED says why".to_owned());
    }
    if let Some(why) = app.busy_with() {
        return Some(why);
    }
    if let (Some(word), false) = (dialog.gate.word(), dialog.is_unlocked()) {
        return Some(format!("it is locked: go to the line above with Tab, and type {word}"));
    }
    if app.change.awaited {
        return Some("it is being planned anew: see what it comes to first".to_owned());
    }
    app.change.is_read_only().then(|| "read-only: W allows changes, this one stays here".to_owned())
}

/// Carry a plan out, or have it made anew with the risks that are taken.
fn confirm(app: &mut App, dialog: Confirm) -> Vec<Effect> {
    let Confirm { proposal, gate, .. } = dialog;
    if let (Gate::Risk(risks), Some(change)) = (gate, proposal.change()) {
        let mut options = change.options.clone();
        options.taken.extend(risks);
        return changes::plan(app, change.intent.clone(), options);
    }
    app.change.job = Some(Job::new(&proposal, app.now));
    app.overlays.retain(|overlay| !matches!(overlay, Overlay::Job));
    match proposal {
        AnyProposal::Session(session) => {
            lab::session_started(app);
            vec![Effect::Run(Box::new(session))]
        }
        AnyProposal::Change(change) => {
            app.overlays.push(Overlay::Job);
            vec![Effect::CarryOut(Box::new(change))]
        }
    }
}

/// The keys of what can be chosen beside the plan.
fn options(dialog: &Confirm) -> Vec<char> {
    dialog.options().iter().map(|option| option.key).collect()
}

/// Choose otherwise what stands beside the plan of the uppermost dialog.
pub(super) fn option(app: &mut App, key: char) -> Vec<Effect> {
    match key {
        AT_BOOT => return replan_with(app, |options| options.persist = !options.persist),
        TIMEOUT => changes::ask(app, PromptKind::Timeout),
        MAX_PSI => changes::ask(app, PromptKind::MaxPsi),
        PAUSE_PSI => changes::ask(app, PromptKind::PausePsi),
        _ => {}
    }
    vec![]
}

/// The change that the uppermost dialog shows.
fn shown_change(app: &App) -> Option<&crate::change::Proposal> {
    let Some(Overlay::Confirm(dialog)) = app.overlays.last() else { return None };
    dialog.proposal.change()
}

/// Have it made anew with other limits, or say why these cannot be kept together.
pub(super) fn limited(
    app: &mut App,
    change: impl FnOnce(&mut ChangeLimits),
) -> Result<Vec<Effect>, String> {
    let Some(proposal) = shown_change(app) else { return Ok(vec![]) };
    let mut limits = proposal.options.limits;
    change(&mut limits);
    limits.check()?;
    Ok(replan_with(app, |options| options.limits = limits))
}

/// Have the plan of the dialog made anew, to be carried out otherwise. The dialog stays until that
/// is there: where it cannot be done so, it is as it was.
pub(super) fn replan_with(app: &mut App, change: impl FnOnce(&mut ExecutionOptions)) -> Vec<Effect> {
    let Some(proposal) = shown_change(app) else { return vec![] };
    let (intent, mut options) = (proposal.intent.clone(), proposal.options.clone());
    change(&mut options);
    let effects = changes::plan(app, intent, options);
    app.change.anew = true;
    effects
}
