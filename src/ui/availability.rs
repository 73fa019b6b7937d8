//! Which commands are available now, and the reasons why others are not.

use super::app::{App, SourceKind};
use super::command::UiCommand as C;
use super::lab::RESULTS;
use super::pane::ScreenState;
use super::screens::SCREENS;
use std::borrow::Cow;

/// Can a command be used now?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Yes.
    Available,
    /// No, and why.
    Unavailable(Cow<'static, str>),
}

/// Can this be used in this state, and if not, why?
pub fn availability(command: C, app: &App) -> Availability {
    let off = |is_off: bool, why: &'static str| {
        if is_off { Availability::Unavailable(why.into()) } else { Availability::Available }
    };
    match command {
        C::Tag | C::Untag if app.shows_lab() => marking(app),
        C::Filter if app.searchable_list().is_some() => Availability::Available,
        C::Filter
        | C::SortMenu
        | C::SortLeft
        | C::SortRight
        | C::Invert
        | C::Columns
        | C::Tag
        | C::Untag
        | C::Describe => off(app.sheet().is_none(), no_table(app)),
        C::NextHit | C::PreviousHit => {
            off(app.searched().is_none(), "nothing was looked for: / does")
        }
        C::Tree | C::All if app.sheet().is_none() => Availability::Unavailable(no_table(app).into()),
        C::Tree => off(!app.can_branch(), "these rows are no tree: processes are, on screen 6"),
        C::All => off(!app.hides_rows(), "this table shows all its rows"),
        C::Metric | C::Closer | C::Farther => {
            off(!app.is_on_map(), "maps are on screen 8, in its first pane")
        }
        C::NextSheet | C::PreviousSheet if app.is_on_map() => Availability::Available,
        C::NextSheet | C::PreviousSheet => off(app.sheets() < 2, "this pane has no other table"),
        C::SampleNow => off(!app.is_live(), "only a live machine can be sampled"),
        C::Record => off(!app.is_live(), "only a live machine can be recorded"),
        C::Earlier | C::MuchEarlier | C::Later | C::MuchLater | C::Pause => {
            off(!app.has_time(), "a captured tree is one moment")
        }
        C::WriteMoment => off(app.moment().is_none(), "nothing has been sampled yet"),
        C::Screen(place) => off(place >= SCREENS.len(), "there is no such screen"),
        C::Actions | C::Undo | C::Journal if app.kind == SourceKind::Recording => {
            Availability::Unavailable("a recording is over: nothing in it can be changed".into())
        }
        C::Undo | C::Journal => off(!app.is_live(), "only a live machine has a journal"),
        C::WriteMode => off(!app.is_live(), "only a live machine can be changed"),
        C::Job => off(app.change.job.is_none(), "no change is under way: J lists those that were"),
        C::Suspend => {
            off(app.is_busy(), "a change is under way: F9 shows it, and c there stops it")
        }
        C::RunLoad => off(!app.shows_lab(), "loads are run on screen 7"),
        C::Compare if !app.shows_lab() => off(true, "results are compared on screen 7"),
        C::Compare => app.lab.comparable().map_or_else(Availability::Unavailable, |_| Availability::Available),
        C::NextPane
        | C::PreviousPane
        | C::Actions
        | C::Up
        | C::Down
        | C::Left
        | C::Right
        | C::PageUp
        | C::PageDown
        | C::Top
        | C::Bottom
        | C::Open
        | C::Back
        | C::Faster
        | C::Slower
        | C::Explain
        | C::Copy
        | C::Palette
        | C::Help
        | C::Settings
        | C::Mouse
        | C::Redraw
        | C::Quit => Availability::Available,
    }
}

/// Can a result be marked?
fn marking(app: &App) -> Availability {
    let focused = app.pane_info().is_some_and(|pane| pane.id == RESULTS);
    if focused && !app.lab.kept().is_empty() {
        return Availability::Available;
    }
    Availability::Unavailable("what can be marked here are results: Tab to them".into())
}

/// Where the nearest table is.
pub(in crate::ui) fn no_table(app: &App) -> &'static str {
    let has_table = |state: &ScreenState| state.panes.iter().any(|pane| !pane.sheets.is_empty());
    if app.state().is_some_and(has_table) {
        "this pane is no table: Tab to one"
    } else {
        "no pane here is a table: 2 has the devices, 6 the processes"
    }
}
