//! What does this machine do under a load?

mod kept;
mod run;

use crate::actions::check::Verdict;
use crate::columns::tables::status::id as status;
use crate::columns::text;
use crate::model::name::safe_text;
use crate::ui::content::{Line, wrapped};
use crate::ui::lab::{Choosable, FieldInfo, LOADS, Load, RESULTS, RUN, SETTINGS};
use crate::ui::pane_data::{Facts, ask};
use crate::ui::screen::{Band, Body, Height, Pane, Screen};
use crate::ui::theme::Role;

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "lab",
    number: '7',
    name: "Lab",
    question: "What does this machine do under a load?",
    panes: &[
        Pane {
            id: LOADS,
            title: "To run",
            about: "Experiments run a load in several cases and say how they differ; loads are run as they are. Those that are built in, and your own: swapadm stress show and experiment show print one as a file to change. Enter shows how the chosen one would be run, and runs it once that is confirmed; / goes to the first that holds a word.",
            body: Body::Facts { asks: &[], lines: loads },
        },
        Pane {
            id: SETTINGS,
            title: "Settings",
            about: "How it is run. h and l go through what is usual, Enter lets you type anything that swapadm stress run or experiment run takes; nothing typed lets it be as it is by itself.",
            body: Body::Facts { asks: &[], lines: settings },
        },
        Pane {
            id: RESULTS,
            title: "Results",
            about: "Runs and experiments that are kept, newest first, also those of the command: Enter shows one, and p there what others have published of such an experiment, or leaves it out again, / goes to the first that holds a word, Space marks one, c compares the marked one with the selected one, or the two marked ones; where none is marked, the last from here with the selected one. MB/s and SYSTEM are those of all processes, FREE is how long one took to give its memory back.",
            body: Body::Facts { asks: &[], lines: results },
        },
        Pane {
            id: RUN,
            title: "Guard rails and run",
            about: "Before a run: what ends it, what may stand against it, and what it is lent and gives back. While it runs: how far it is, and what of swap is used. After it: its figures; Enter shows all of them. Where there is no room for all lines, the title says how many are seen, and j, k, PgDn and PgUp lead through them.",
            body: Body::Facts { asks: &[ask!(status: IN_RATE OUT_RATE)], lines: run::lines },
        },
    ],
    bands: &[
        Band { panes: &[(LOADS, 24), (SETTINGS, 36), (RESULTS, 40)], height: Height::Fits(11) },
        Band { panes: &[(RUN, 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[(LOADS, 18), (SETTINGS, 34), (RESULTS, 48)], height: Height::Fits(14) },
        Band { panes: &[(RUN, 100)], height: Height::Rest },
    ],
};

/// The sign of the row that keys act on, and how it looks.
fn mark(facts: &Facts<'_>, here: bool) -> (&'static str, Role) {
    match (here, facts.focused) {
        (true, true) => (">", Role::Selected),
        (true, false) => (">", Role::Accent),
        (false, _) => (" ", Role::Text),
    }
}

/// Cells of the name of a load.
const NAME: usize = 14;

fn loads(facts: &Facts<'_>) -> Vec<Line> {
    if facts.lab.loads.is_empty() {
        let words = "Nothing can be run from here: what is shown is no machine of ours.";
        return wrapped(words, facts.width, Role::Faint);
    }
    let chosen = facts.lab.chosen();
    let line = |line: Choosable<'_>| {
        let (place, load) = match line {
            Choosable::Heading(words) => return Line::new().text(words, Role::Label),
            Choosable::Load(place, load) => (place, load),
        };
        let (sign, role) = mark(facts, place == chosen);
        let line = Line::new().text(sign, role).cell(called(load), role, NAME);
        // A sentence that is cut after a word or two says nothing.
        let room = facts.width.saturating_sub(NAME + 3);
        let about = if room < 40 { String::new() } else { text::clip(&load.about, room) };
        line.label(about).drops(1)
    };
    facts.lab.lines().into_iter().map(line).collect()
}

/// A name, behind its letter where it has one.
fn called(load: &Load) -> String {
    let name = safe_text(&load.name);
    load.letter.map_or_else(|| name.clone(), |letter| format!("{letter} {name}"))
}

/// Cells of what is set, and of its name.
const FIELD: usize = 10;
const VALUE: usize = 11;

fn settings(facts: &Facts<'_>) -> Vec<Line> {
    let line = |(place, info): (usize, &FieldInfo)| {
        let (sign, role) = mark(facts, place == facts.lab.field);
        let set = facts.lab.form.get(info.field).map(safe_text);
        let own = if set.is_some() { Role::Text } else { Role::Faint };
        let shown = if role == Role::Selected { role } else { own };
        let value = text::clip(set.as_deref().unwrap_or(info.unset), facts.width.max(VALUE));
        let name = if role == Role::Selected { role } else { Role::Label };
        let line = Line::new().text(sign, role).cell(info.name, name, FIELD);
        line.cell(value, shown, VALUE).label(info.accepts).drops(1)
    };
    facts.lab.fields().iter().enumerate().map(line).collect()
}

fn results(facts: &Facts<'_>) -> Vec<Line> {
    let sentence = |words: &str, role| wrapped(words, facts.width, role);
    match &facts.lab.entries {
        None if facts.lab.loads.is_empty() => sentence("None can be read from here.", Role::Faint),
        None => sentence("reading what is kept", Role::Faint),
        Some(Err(why)) => sentence(&safe_text(why), Role::Warn),
        Some(Ok(entries)) if entries.is_empty() => {
            sentence("None is kept yet: that of each run is.", Role::Faint)
        }
        Some(Ok(entries)) => kept::lines(facts, entries),
    }
}

/// How a check is said.
fn verdict(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Ok | Verdict::Note => Role::Text,
        Verdict::Warn => Role::Warn,
        Verdict::Refuse => Role::Crit,
    }
}
