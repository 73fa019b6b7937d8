//! Lessons: choosing, predicting, stepping.

use super::{
    App, C, Effect, KeyCode, KeyEvent, Menu, MenuChoice, MenuItem, MenuPurpose, Overlay, Snapshot,
};
use crate::change::SimulatedTarget;
use crate::learn::builtin_lessons;
use crate::learn::file::{LessonAnswer, LessonStep};
use crate::learn::player::{LineKind, Player, StepPhase, StepSamples, letter};
use crate::ui::availability::unavailable_reason;
use crate::ui::command::{KeyPress, LessonCommand, for_lesson_key};
use crate::ui::learn::{LESSONS, reading_end};
use crate::ui::screens::learn;
use ratatui::crossterm::event::KeyModifiers;
use std::sync::Arc;

/// A key of the lesson that is played; false if the key has its usual meaning.
pub(super) fn key(app: &mut App, event: KeyEvent) -> bool {
    let KeyPress(code, modifiers) = KeyPress::from_event(event);
    let player = app.learn.player.as_deref().filter(|_| modifiers == KeyModifiers::NONE);
    let Some(player) = player else { return false };
    let answer = code.as_char().and_then(|letter| player.answer_of(letter));
    let is_enter = code == KeyCode::Enter && app.shows_learn();
    let bound = if is_enter { Some(LessonCommand::NextStep) } else { for_lesson_key(event) };
    match bound.filter(|command| unavailable_reason(app, C::Lesson(*command)).is_none()) {
        _ if answer.is_some() => predict(app, answer),
        Some(command) => run(app, command),
        None => return false,
    }
    true
}

/// Runs an available command of the lesson that is played.
pub(super) fn run(app: &mut App, command: LessonCommand) {
    match command {
        LessonCommand::Predict => list_answers(app),
        LessonCommand::Hint => hint(app),
        LessonCommand::Answer => predict(app, None),
        LessonCommand::NextStep => advance(app),
        LessonCommand::RunSecond => run_on(app, |player| vec![player.run_on()]),
        LessonCommand::RunToEvent => run_on(app, Player::run_to_event),
        LessonCommand::StepBack => back(app),
        LessonCommand::Leave => leave(app),
    }
}

/// Lists the answers to the question, for terminals without room for the lesson.
fn list_answers(app: &mut App) {
    let Some(step) = app.learn.player.as_deref().and_then(Player::step) else { return };
    let item = |(place, answer): (usize, &LessonAnswer)| {
        let name = format!("{}) {}", letter(place), answer.text);
        MenuItem::new(name, &step.ask, MenuChoice::Predict(place))
    };
    let items = step.answers.iter().enumerate().map(item).collect();
    app.overlays.push(Overlay::Menu(Menu::new(MenuPurpose::Prediction, items)));
}

/// Begins a lesson of the list.
pub(super) fn begin(app: &mut App, place: usize) {
    let Some(lesson) = builtin_lessons().get(place) else { return };
    app.learn.selected = place;
    match Player::new(Arc::clone(lesson), app.learn.seed) {
        Ok(player) => app.begin_lesson(player),
        Err(why) => app.notify_error(why),
    }
}

/// Moves in the list; false if it is not focused.
pub(super) fn go(app: &mut App, command: C) -> bool {
    let is_listed = app.pane_info().is_some_and(|pane| pane.id == LESSONS);
    if !is_listed || app.learn.player.is_some() {
        return false;
    }
    let (now, count) = (app.learn.selected, builtin_lessons().len());
    app.learn.selected = super::lab::row_after(command, now, count);
    true
}

/// Runs the step after a prediction, or shows the answer without one.
pub(super) fn predict(app: &mut App, given: Option<usize>) {
    let Some(player) = app.learn.player.as_deref_mut() else { return };
    let ran = player.run(given).map(Some);
    show(app, ran);
}

fn advance(app: &mut App) {
    let Some(player) = app.learn.player.as_deref_mut() else { return };
    if player.phase == StepPhase::Finished {
        return leave(app);
    }
    if player.is_asking() {
        let letters = player.step().map(LessonStep::letters).unwrap_or_default();
        return app.notify(format!("predict first: {letters}; = shows the answer"));
    }
    if player.is_repairing() {
        return app.notify("repair the machine first; ? shows a hint, = the solution");
    }
    let ran = player.advance();
    show(app, ran);
}

/// Shows what a step did.
fn show(app: &mut App, ran: Result<Option<StepSamples>, String>) {
    match ran {
        Ok(Some(ran)) => {
            if ran.restarted {
                app.forget_history();
            }
            app.take_lesson_samples(ran.samples);
        }
        Ok(None) => {}
        Err(why) => app.notify_error(why),
    }
    app.show_step();
    keep_progress(app);
    allow_reading(app);
}

/// Lets the lines on screen be read before a lesson that plays by itself goes on.
fn allow_reading(app: &mut App) {
    if let (Some(player), Some(due)) = (app.learn.player.as_deref(), &mut app.learn.due) {
        *due = reading_end(player, app.now);
    }
}

/// Goes on with a lesson that plays by itself, once its lines can be read. False if nothing changes.
pub(super) fn play(app: &mut App) -> bool {
    let is_due = app.learn.due.is_some_and(|due| app.now.boot_ns >= due.boot_ns);
    // A menu or a page stays in front of its own step.
    if is_due && !app.overlays.is_empty() {
        allow_reading(app);
        return false;
    }
    let Some(player) = app.learn.player.as_deref().filter(|_| is_due) else { return false };
    let is_repair = player.step().is_some_and(LessonStep::is_repair);
    let has_event = player.lines().iter().any(|(kind, _)| *kind == LineKind::Event);
    let command = match player.phase {
        StepPhase::Finished => {
            app.learn.due = None;
            return false;
        }
        StepPhase::Before if is_repair || player.is_asking() => LessonCommand::Answer,
        StepPhase::Shown { .. } if !is_repair && !has_event => LessonCommand::RunToEvent,
        StepPhase::Before | StepPhase::Shown { .. } => LessonCommand::NextStep,
    };
    run(app, command);
    true
}

fn run_on(app: &mut App, run: fn(&mut Player) -> Vec<Snapshot>) {
    let samples = app.learn.player.as_deref_mut().map(run);
    app.take_lesson_samples(samples.unwrap_or_default());
    keep_progress(app);
    allow_reading(app);
}

/// The machine of the lesson, if it is repaired by hand.
pub(super) fn repaired_machine(app: &App) -> Option<SimulatedTarget> {
    app.learn.player.as_deref().and_then(Player::repaired_machine).cloned()
}

/// Has changes made on another machine than before: write mode, an awaited plan and the last change were for that one.
pub(super) fn change_machine(app: &mut App) {
    (app.change.write_until, app.change.awaited) = (None, false);
    app.change.job.take_if(|job| job.ended.is_some());
    app.emit(Effect::ChangeMachine(repaired_machine(app)));
}

/// Judges the machine of the lesson after a change, if it is repaired by hand.
pub(super) fn judge(app: &mut App) {
    if repaired_machine(app).is_some() {
        run(app, LessonCommand::RunSecond);
    }
}

fn hint(app: &mut App) {
    let has_more = app.learn.player.as_deref_mut().is_some_and(Player::hint);
    if !has_more {
        app.notify("no more hints: = shows the answer");
    }
    allow_reading(app);
}

fn back(app: &mut App) {
    let Some(player) = app.learn.player.as_deref_mut() else { return };
    if player.back() {
        let sample = player.sample();
        app.forget_history();
        app.take_lesson_samples(vec![sample]);
        app.show_step();
    } else {
        app.notify("this is the first step");
    }
    allow_reading(app);
}

/// Stores progress, unless the lesson is presented to a class.
fn keep_progress(app: &mut App) {
    let reached = app.learn.player.as_ref().map(|it| (it.lesson.name.clone(), it.reached()));
    let is_new = !app.learn.present
        && reached.is_some_and(|(name, reached)| app.learn.progress.keep(&name, reached));
    if is_new {
        app.emit(Effect::SaveProgress(app.learn.progress.to_text()));
    }
}

/// Progress was saved, or could not be.
pub(super) fn saved(app: &mut App, result: Result<(), String>) {
    if let Err(why) = result {
        app.notify_error(format!("progress is not saved: {why}"));
    }
}

/// Leaves the lesson; the interface closes if it was opened for it.
fn leave(app: &mut App) {
    if app.learn.is_only {
        return super::changes::quit(app);
    }
    app.end_lesson();
    app.select_next_lesson();
    app.open_screen(learn::SCREEN.id);
}
