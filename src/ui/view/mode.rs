//! Which moment is on screen, in words for the first line: live, held or played, and how to go on.

use super::parts::Part;
use crate::columns::units;
use crate::ui::app::{App, SourceKind, Time};
use crate::ui::theme::Role;

/// Where the moment stands goes late: it says what the figures are about.
const PLACE: u8 = 2;
/// The key that goes on; the last line names it too.
const KEY: u8 = 3;
/// How often.
const PACE: u8 = 5;
/// The same while nothing moves.
const IDLE_PACE: u8 = 7;

/// The words, the first of which never goes.
pub(super) fn parts(app: &App) -> Vec<Part> {
    match (app.kind, app.time) {
        (SourceKind::Captured, _) => vec![Part::new("captured", Role::Accent)],
        (SourceKind::Live, Time::Newest) => vec![live(app)],
        (SourceKind::Live, Time::Held(_) | Time::Playing { .. }) => held(app),
        (SourceKind::Recording, Time::Held(_)) => stopped(app),
        (SourceKind::Recording, Time::Newest | Time::Playing { .. }) => {
            vec![Part::new("REPLAY", Role::Ok), place(app), pace(app)]
        }
    }
}

fn live(app: &App) -> Part {
    match app.stale() {
        Some(age) => Part::new(format!("~ {} old", units::seconds(age.as_secs_f64())), Role::Warn),
        None => Part::new(format!("live {}", units::seconds(app.interval.as_secs_f64())), Role::Ok),
    }
}

/// A moment of a live machine that is looked at while it goes on.
fn held(app: &App) -> Vec<Part> {
    let moments = app.moment().zip(app.history.newest());
    let seconds = moments.map(|(shown, newest)| newest.now.stamp.seconds_since(shown.now.stamp));
    let behind = match seconds {
        Some(seconds) if seconds >= 0.5 => format!("{} behind", units::seconds(seconds.round())),
        _ => String::new(),
    };
    vec![
        Part::new("HELD", Role::Warn),
        Part::new(behind, Role::Warn).drops(PLACE),
        Part::new("Z goes live", Role::Label).drops(KEY),
    ]
}

/// A recording that stands still.
fn stopped(app: &App) -> Vec<Part> {
    let (word, key) =
        if app.is_at_end() { ("REPLAY END", "B goes back") } else { ("REPLAY HELD", "Z plays") };
    let key = Part::new(key, Role::Label).drops(KEY);
    // Which machine it is matters more than how fast it would go on.
    vec![Part::new(word, Role::Warn), place(app), key, pace(app).drops(IDLE_PACE)]
}

/// Which of how many moments, as far as they have been read.
fn place(app: &App) -> Part {
    let numbers = app.moment_number().zip(app.history.span());
    let words = numbers.map_or_else(String::new, |(moment, (_, last))| {
        let more = if app.ended { "" } else { "+" };
        format!("{} of {}{more}", moment + 1, last + 1)
    });
    Part::new(words, Role::Text).drops(PLACE)
}

fn pace(app: &App) -> Part {
    let every = format!("every {}", units::seconds(app.interval.as_secs_f64()));
    Part::new(every, Role::Label).drops(PACE)
}
