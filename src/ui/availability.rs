//! Which commands are available, and why the others are not.

use super::app::{App, SourceKind};
use super::command::{LessonCommand as L, UiCommand as C};
use super::lab::RESULTS;
use super::pane::{PaneState, ScreenState};
use super::screens::SCREENS;
use super::subject::selected_cgroup;
use crate::learn::player::StepPhase;

/// Why a command is unavailable in this state, if it is.
pub fn unavailable_reason(app: &App, command: C) -> Option<String> {
    let off = |is_off: bool, why: &str| is_off.then(|| why.to_owned());
    match command {
        C::Tag | C::Untag if app.shows_lab() => {
            off(!can_mark(app), "only results can be marked: Tab to them")
        }
        C::Filter if app.searchable_list().is_some() => None,
        C::Filter
        | C::SortMenu
        | C::SortLeft
        | C::SortRight
        | C::Invert
        | C::Columns
        | C::Tag
        | C::Untag
        | C::Describe => off(app.sheet().is_none(), no_table(app)),
        C::Export if app.shows_lab() => off(true, "swapadm results export writes results"),
        C::Export => match app.sheet() {
            None => off(true, no_table(app)),
            Some(sheet) => off(sheet.rows().is_none(), "this table could not be read"),
        },
        C::NextHit | C::PreviousHit => off(app.searched().is_none(), "no search yet: press /"),
        C::Tree | C::All if app.sheet().is_none() => off(true, no_table(app)),
        C::Tree => off(!app.can_branch(), "these rows have no tree: processes do, on screen 6"),
        C::All => off(!app.hides_rows(), "this table already shows all rows"),
        C::Metric | C::Closer | C::Farther => {
            off(!app.is_on_map(), "the map is on screen 8, in the first pane")
        }
        C::NextSheet | C::PreviousSheet if app.is_on_map() => None,
        C::NextSheet | C::PreviousSheet => off(app.sheets() < 2, "this pane has only one table"),
        C::SampleNow => off(!app.is_live(), "samples need a live machine"),
        C::Record => off(!app.is_live(), "recordings need a live machine"),
        C::Earlier | C::MuchEarlier | C::Later | C::MuchLater | C::Pause => {
            off(!app.has_time(), "a captured tree has only one sample")
        }
        C::WriteMoment => off(app.moment().is_none(), "no sample yet"),
        C::Screen(place) => off(place >= SCREENS.len(), "this screen does not exist"),
        C::Undo | C::Journal | C::SetUp | C::WriteMode if app.why_unchangeable().is_some() => {
            app.why_unchangeable().map(str::to_owned)
        }
        C::Undo | C::Journal => off(!app.is_writable(), "the journal needs a live machine"),
        C::Cgroup => {
            off(selected_cgroup(app).is_none(), "select a process with a cgroup, on screen 6")
        }
        C::WriteMode => off(!app.is_writable(), "write mode needs a live machine"),
        C::Job => off(app.change.job.is_none(), "no change is running"),
        C::Suspend => off(app.is_busy(), "a change is running: F9 shows it, c there stops it"),
        C::Lesson(command) => in_lesson(command, app).map(str::to_owned),
        C::RunLoad if !app.shows_lab() => off(true, "workloads are run on screen 7"),
        C::RunLoad => match why_not_run(app.source.kind) {
            Some(why) => off(true, why),
            None => off(app.lab.loads.is_empty(), "workloads need a live machine"),
        },
        C::Explain if app.is_on_map() || app.shows_lab() => None,
        C::Explain => off(
            app.pane().and_then(PaneState::origin).is_none(),
            "there is no figure to explain here",
        ),
        C::Compare if !app.shows_lab() => off(true, "results are compared on screen 7"),
        C::Compare => app.lab.comparable().err(),
        _ => None,
    }
}

/// Why workloads cannot be run from this source, if so. A captured tree shows how one would run.
pub fn why_not_run(source: SourceKind) -> Option<&'static str> {
    match source {
        SourceKind::Live | SourceKind::Captured => None,
        SourceKind::Recording => Some("recordings cannot run workloads of the lab"),
        SourceKind::Simulated => Some(
            "this machine is simulated: run workloads on it in a shell, with swapadm stress run LOAD --on MACHINE",
        ),
    }
}

/// Why commands for lessons are unavailable outside of one.
pub const NO_LESSON: &str = "no lesson is played: 9 lists them";

/// Why a command for lessons is unavailable, if it is.
fn in_lesson(command: L, app: &App) -> Option<&'static str> {
    let Some(player) = &app.learn.player else { return Some(NO_LESSON) };
    let has_run = matches!(player.phase, StepPhase::Shown { .. });
    match command {
        L::Predict | L::Hint | L::Answer => {
            let is_open = player.is_asking() || (command != L::Predict && player.is_repairing());
            (!is_open).then_some("this step asks nothing now")
        }
        L::RunSecond if player.is_repairing() => None,
        L::RunSecond | L::RunToEvent => (!has_run).then_some("the step has not run yet"),
        L::NextStep | L::StepBack | L::Leave => None,
    }
}

/// Whether a result can be marked.
fn can_mark(app: &App) -> bool {
    app.pane_info().is_some_and(|pane| pane.id == RESULTS) && !app.lab.kept().is_empty()
}

/// The message that names the nearest table.
pub(in crate::ui) fn no_table(app: &App) -> &'static str {
    let has_table = |state: &ScreenState| state.panes.iter().any(|pane| !pane.sheets.is_empty());
    if app.state().is_some_and(has_table) {
        "this pane has no table: Tab to one that has"
    } else {
        "this screen has no table: 2 shows devices, 6 processes"
    }
}
