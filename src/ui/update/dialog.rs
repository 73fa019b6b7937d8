//! The keys of the dialog before a change.

use super::{
    App, C, Effect, KeyCode, KeyEvent, Overlay, PromptKind, changes, command, figures, lab, moved,
    what_if,
};
use crate::actions::limits::ChangeLimits;
use crate::ui::change::{AnyProposal, ExecutionOptions};
use crate::ui::confirm::{AT_BOOT, Confirm, Focus, Gate, MAX_PSI, PAUSE_PSI, TIMEOUT, WHAT_IF};
use crate::ui::job::Job;
use crate::ui::layout::{self, Class};

/// A key in the dialog.
pub(super) fn key(app: &mut App, mut dialog: Confirm, event: KeyEvent) -> Option<C> {
    let typing = dialog.focus == Focus::Word;
    let height = dialog.height(app.overlay_size()).max(1);
    let last = dialog.last_top(app.overlay_size());
    let shown = dialog.page.top.min(last);
    dialog.page.top = shown;
    let keys = if typing { Vec::new() } else { options(&dialog) };
    let command = command::for_key(event);
    let scrolled = command.and_then(|command| moved(command, shown, last, height));
    let page = &mut dialog.page;
    match event.code {
        KeyCode::Esc => return None,
        KeyCode::Enter => {
            press(app, dialog);
            return None;
        }
        KeyCode::Tab => dialog.turn(1),
        KeyCode::BackTab => dialog.turn(-1),
        KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => {
            page.top = scrolled.unwrap_or(shown);
        }
        _ if typing => {
            dialog.input.key(event);
        }
        KeyCode::Char(c) if event.modifiers.is_empty() && keys.contains(&c) => {
            app.overlays.push(Overlay::Confirm(Box::new(dialog)));
            option(app, c);
            return None;
        }
        _ => match command {
            Some(C::Quit) => return None,
            Some(C::Left) => dialog.turn(-1),
            Some(C::Right) => dialog.turn(1),
            Some(_) if let Some(top) = scrolled => page.top = top,
            Some(C::Copy) => {
                let copy = page.copy.clone();
                app.overlays.push(Overlay::Confirm(Box::new(dialog)));
                if let Some(text) = copy {
                    figures::copied(app, text);
                }
                return None;
            }
            Some(command @ (C::WriteMode | C::Job)) => {
                app.overlays.push(Overlay::Confirm(Box::new(dialog)));
                return Some(command);
            }
            _ => app.notify_unbound_key(event, "Tab chooses, Esc cancels"),
        },
    }
    app.overlays.push(Overlay::Confirm(Box::new(dialog)));
    None
}

/// Enter on the focused element.
pub(super) fn press(app: &mut App, mut dialog: Confirm) {
    match dialog.focus {
        Focus::Cancel => return,
        Focus::Word if dialog.is_unlocked() => dialog.focus = Focus::Run,
        Focus::Word => say_what_to_type(app, &dialog),
        Focus::Run => match blocked_reason(app, &dialog) {
            None => return confirm(app, dialog),
            Some(why) => app.notify(why),
        },
    }
    app.overlays.push(Overlay::Confirm(Box::new(dialog)));
}

fn say_what_to_type(app: &mut App, dialog: &Confirm) {
    if let Some(word) = dialog.gate.word() {
        app.notify(format!("type exactly {word} here to confirm"));
    }
}

/// Why the plan cannot be carried out now, if so.
fn blocked_reason(app: &App, dialog: &Confirm) -> Option<String> {
    if layout::class(app.size) == Class::Tiny {
        return Some("the terminal is too small to show the plan: enlarge it".to_owned());
    }
    if let Some(why) = app.change.blocked_reason(&dialog.proposal) {
        return Some(format!("{why}; y copies the commands"));
    }
    if dialog.is_idle() {
        return Some("nothing to do: already in effect".to_owned());
    }
    if dialog.gate == Gate::Blocked {
        return Some("a check refuses it: see the lines marked REFUSED".to_owned());
    }
    if let Some(why) = app.busy_with() {
        return Some(why);
    }
    if let (Some(word), false) = (dialog.gate.word(), dialog.is_unlocked()) {
        return Some(format!("locked: press Tab and type {word} in the line above"));
    }
    if app.change.awaited {
        return Some("the plan is being updated: wait for it".to_owned());
    }
    app.change
        .is_read_only()
        .then(|| "read-only mode: W enables write mode and keeps this plan".to_owned())
}

/// Carries the plan out, or checks it again with the accepted risks.
fn confirm(app: &mut App, dialog: Confirm) {
    let Confirm { proposal, gate, .. } = dialog;
    if let (Gate::Risk(risks), Some(change)) = (gate, proposal.change()) {
        let mut options = change.options.clone();
        options.accepted_risks.extend(risks);
        return changes::plan_with(app, change.intent.clone(), options);
    }
    app.change.job = Some(Job::new(&proposal, app.now));
    app.overlays.retain(|overlay| !matches!(overlay, Overlay::Job | Overlay::Setup(_)));
    match proposal {
        AnyProposal::Session(session) => {
            lab::session_started(app);
            app.emit(Effect::Run(Box::new(session)));
        }
        AnyProposal::Change(change) => {
            app.overlays.push(Overlay::Job);
            app.emit(Effect::CarryOut(Box::new(change)));
        }
    }
}

/// The keys of the options.
fn options(dialog: &Confirm) -> Vec<char> {
    dialog.options().iter().map(|option| option.key).collect()
}

/// Changes an option of the open dialog.
pub(super) fn option(app: &mut App, key: char) {
    match key {
        WHAT_IF => what_if::ask_plan(app),
        AT_BOOT => replan_with(app, |options| options.persist = !options.persist),
        TIMEOUT => changes::ask(app, PromptKind::Timeout),
        MAX_PSI => changes::ask(app, PromptKind::MaxPsi),
        PAUSE_PSI => changes::ask(app, PromptKind::PausePsi),
        _ => {}
    }
}

/// The change in the open dialog.
fn shown_change(app: &App) -> Option<&crate::change::Proposal> {
    let Some(Overlay::Confirm(dialog)) = app.overlays.last() else { return None };
    dialog.proposal.change()
}

/// Updates the plan with other limits, or returns why these contradict each other.
pub(super) fn limited(app: &mut App, change: impl FnOnce(&mut ChangeLimits)) -> Result<(), String> {
    let Some(proposal) = shown_change(app) else { return Ok(()) };
    let mut limits = proposal.options.limits;
    change(&mut limits);
    limits.check()?;
    replan_with(app, |options| options.limits = limits);
    Ok(())
}

/// Updates the plan of the open dialog with other options. The dialog stays open meanwhile, and
/// unchanged if the options are refused.
pub(super) fn replan_with(app: &mut App, change: impl FnOnce(&mut ExecutionOptions)) {
    let Some(proposal) = shown_change(app) else { return };
    let (intent, mut options) = (proposal.intent.clone(), proposal.options.clone());
    change(&mut options);
    changes::plan_with(app, intent, options);
    app.change.anew = true;
}
