//! The dialog before a change, questions, and the progress of a change.

use super::overlay::{draw_lines, draw_rows, input, open};
use super::{
    App, HitTarget, Pen, Rect, Role, Size, SourceKind, TextPage, TextPart, UiCommand, clip, text,
    units, width,
};
use crate::actions::Step;
use crate::ui::change::AnyProposal;
use crate::ui::command;
use crate::ui::confirm::{Confirm, ConfirmOption, Focus, Gate};
use crate::ui::overlay::Question;
use crate::ui::page::{self, PageLine};
use crate::ui::setup::SetupPage;
use crate::ui::table_query::ids::status;
use crate::ui::what_if::Simulation;

/// The dialog of a change to be confirmed.
pub(super) fn confirm(app: &App, dialog: &Confirm, size: Size, pen: &mut Pen<'_>) {
    let rows = dialog.page.rows(size);
    let lines = rows.len() + dialog.below(size);
    let title = vec![
        TextPart::new(dialog.page.title.clone(), Role::Accent),
        TextPart::new(lifetime(app, &dialog.proposal), Role::Label).drops(1),
    ];
    let typing = dialog.focus == Focus::Word;
    let hints = match (dialog.last_top(size) > 0, size.width >= 70) {
        (false, _) if typing => "Tab choose  Enter confirm  Esc cancel",
        (false, _) => "Tab choose  Enter do it  y copy  Esc cancel",
        (true, true) => "Up Down scroll  Tab choose  Enter do it  Esc cancel",
        (true, false) => "Up Down scroll  Tab choose  Esc cancel",
    };
    let inner = open(size, lines, title, hints, pen);
    let places = (dialog.page.top, dialog.last_top(size));
    draw_rows(&rows, places, dialog.height(size), inner, pen);
    let answers = inner.bottom().saturating_sub(1);
    if dialog.gate.word().is_some() {
        word(dialog, Rect { y: answers.saturating_sub(1), height: 1, ..inner }, pen);
    }
    if dialog.shows_options(size) {
        let below = u16::try_from(dialog.below(size)).unwrap_or(0);
        let y = inner.bottom().saturating_sub(below);
        options(&dialog.options(), typing, Rect { y, height: 1, ..inner }, pen);
    }
    let stops = dialog.stops().iter().enumerate().filter(|(_, stop)| **stop != Focus::Word);
    let words = stops.map(|(place, stop)| Button {
        place,
        words: match stop {
            Focus::Cancel | Focus::Word => "Cancel".to_owned(),
            Focus::Run => run_words(app, dialog),
        },
        focused: dialog.focus == *stop,
    });
    buttons(words.collect(), Rect { y: answers, height: 1, ..inner }, pen);
}

/// How long the change stays in effect.
fn lifetime(app: &App, proposal: &AnyProposal) -> &'static str {
    if let Some(session) = proposal.session() {
        let changes_setup = session.terms.cases.as_ref().is_some_and(|cases| cases.needs_setup);
        let each = "   temporary setup for each run";
        return if changes_setup { each } else { "   temporary setup" };
    }
    let lasts = proposal.plan().steps.iter().any(|step| matches!(step, Step::Save { .. }));
    match app.source.kind {
        // The title of a persistent change says so itself.
        _ if lasts => "",
        SourceKind::Simulated => "   until swapadm ends",
        SourceKind::Live | SourceKind::Captured | SourceKind::Recording => "   until reboot",
    }
}

/// Cells between two options.
const BESIDE: u16 = 2;

/// The key that precedes the options while something is typed, of which their keys are letters.
const FIRST: &str = "Tab: ";

/// The options, each with its key; with short names where there is little room. Their keys rest while
/// something is typed.
fn options(options: &[ConfirmOption], typing: bool, area: Rect, pen: &mut Pen<'_>) {
    let words = |short: bool| {
        let word = move |it: &ConfirmOption| {
            let words = if short { it.short } else { it.words };
            if it.value.is_empty() { words.to_owned() } else { format!("{words}: {}", it.value) }
        };
        options.iter().map(move |it| (it.key, word(it))).collect::<Vec<_>>()
    };
    let cells = |words: &[(char, String)]| {
        words.iter().map(|(_, word)| width(word) + 2 + BESIDE).sum::<u16>()
    };
    let long = words(false);
    let first = if typing { FIRST } else { "" };
    let room = area.width.saturating_sub(width(first));
    let shown = if cells(&long) <= room + BESIDE { long } else { words(true) };
    let mut x = area.x + pen.write((area.x, area.y), first, Role::Label, area.width);
    for (key, word) in shown {
        let width = width(&word) + 2;
        // An option that does not fit is left out; its key still works.
        if x.saturating_add(width) > area.right() {
            break;
        }
        let (own, rest) =
            if typing { (Role::Faint, Role::Faint) } else { (Role::Accent, Role::Label) };
        let label = x + pen.write((x, area.y), &format!("{key} "), own, width);
        pen.write((label, area.y), &word, rest, width);
        pen.hits.add(Rect { x, width, ..area }, HitTarget::Option(key));
        x = x.saturating_add(width + BESIDE);
    }
}

/// The line to type in, with what has to be typed.
fn word(dialog: &Confirm, area: Rect, pen: &mut Pen<'_>) {
    let Some(word) = dialog.gate.word() else { return };
    let what = match dialog.gate {
        Gate::Risk(_) => "to accept the risk",
        Gate::Word(_) | Gate::Open | Gate::Blocked => "to confirm",
    };
    let place = dialog.stops().iter().position(|stop| *stop == Focus::Word);
    let label = format!("Type {word} {what}: ");
    pen.hits.add(area, HitTarget::Answer(place.unwrap_or(0)));
    if dialog.focus == Focus::Word {
        return input(&label, &dialog.input, "", area, pen);
    }
    let x = area.x + pen.write((area.x, area.y), &label, Role::Label, area.width);
    let room = area.right().saturating_sub(x);
    pen.write((x, area.y), &dialog.input.text, Role::Text, room);
}

/// The label of the second button: Run, or why it cannot run.
fn run_words(app: &App, dialog: &Confirm) -> String {
    let locked = dialog.gate.word().is_some() && !dialog.is_unlocked();
    match &dialog.gate {
        _ if app.change.blocked_reason(&dialog.proposal).is_some() => {
            "Run: not possible, y copies it".to_owned()
        }
        _ if dialog.is_idle() => "Run: nothing to do".to_owned(),
        Gate::Blocked => "Run: refused".to_owned(),
        _ if app.is_busy() => "Run: busy, F9 then c stops the other".to_owned(),
        _ if locked => "Run: locked".to_owned(),
        _ if app.change.is_read_only() => "Run: read-only, W enables it".to_owned(),
        Gate::Risk(_) => "Accept the risk and check again".to_owned(),
        Gate::Word(_) | Gate::Open => "Run".to_owned(),
    }
}

/// A button.
struct Button {
    place: usize,
    words: String,
    focused: bool,
}

/// Buttons side by side; square brackets mark the focused one, also without colors.
fn buttons(buttons: Vec<Button>, area: Rect, pen: &mut Pen<'_>) {
    let mut x = area.x;
    for Button { place, words, focused } in buttons {
        let words = if focused { format!("[ {words} ]") } else { format!("( {words} )") };
        let room = area.right().saturating_sub(x);
        let words = clip(&words, usize::from(room), &pen.look);
        let role = if focused { Role::Selected } else { Role::Label };
        let width = pen.write((x, area.y), &words, role, room);
        pen.hits.add(Rect { x, width, ..area }, HitTarget::Answer(place));
        x = x.saturating_add(width + 2);
    }
}

/// A question with its answers, one on each line.
pub(super) fn ask(ask: &Question, size: Size, pen: &mut Pen<'_>) {
    let cells = usize::from(page::inside(size, 0).width);
    let lines: Vec<String> =
        ask.lines.iter().flat_map(|line| text::wrap(&line.text, cells)).collect();
    let title = vec![TextPart::new(ask.title, Role::Accent)];
    let count = ask.answers.len();
    let inner = open(size, lines.len() + count + 1, title, "Tab choose  Enter answer", pen);
    let first = inner.bottom().saturating_sub(u16::try_from(count).unwrap_or(0)).max(inner.y);
    for (line, y) in lines.iter().zip(inner.y..first) {
        pen.write((inner.x, y), line, Role::Text, inner.width);
    }
    for ((place, (words, _)), y) in ask.answers.iter().enumerate().zip(first..inner.bottom()) {
        let button = Button { place, words: (*words).to_owned(), focused: place == ask.selected };
        buttons(vec![button], Rect { y, height: 1, ..inner }, pen);
    }
}

/// Width of a bar.
const BAR: usize = 30;

/// The progress of a change or workload, or its result.
pub(super) fn job(app: &App, size: Size, pen: &mut Pen<'_>) {
    let Some(job) = &app.change.job else { return };
    let (title, word) =
        if job.load.is_some() { ("Workload", "workload") } else { ("Change", "change") };
    let mut lines = vec![PageLine::named(word, job.title.clone())];
    if let Some(ended) = &job.ended {
        let role = if ended.well { Role::Ok } else { Role::Crit };
        lines.push(PageLine::named("ended", ended.words.clone()).as_role(role));
    } else {
        let time = units::seconds(app.now.seconds_since(job.since).floor());
        // The line of a workload has its own time; that of an experiment has the time of its run.
        let timed = job.load.as_ref().filter(|load| load.last.is_some());
        let step = job.line();
        lines.push(PageLine::named(
            "step",
            match timed {
                Some(_) => step,
                None => format!("{step}, {time} in total"),
            },
        ));
        let of_all = timed.filter(|load| load.run.is_some());
        lines.extend(of_all.map(|_| PageLine::named("total", time)));
        lines.extend(job.share().map(|share| PageLine::named("moved", bar(share, pen))));
    }
    let some = app.title.first_words(status::MEMORY_SOME);
    let full = app.title.first_words(status::MEMORY_FULL);
    let waits = format!("some {some}, full {full} in the last 10 s");
    lines.push(PageLine::named("PSI", waits));
    let page = TextPage::new(title, lines);
    let rows = page.rows(size);
    let hints = match (&job.ended, job.stopping) {
        (Some(ended), _) if ended.undoes.is_some() => "u undo   J journal   Esc close",
        (Some(_), _) => "J journal   Esc close",
        (None, false) => "c stop and undo   Esc background",
        (None, true) if job.is_stopped_and_undone() => "c stop the undo   Esc background",
        (None, true) => "stopping   Esc background",
    };
    let inner = open(size, rows.len(), vec![TextPart::new(title, Role::Accent)], hints, pen);
    draw_lines(&rows, inner, pen);
}

/// The progress of the model.
pub(super) fn simulation(simulation: &Simulation, size: Size, pen: &mut Pen<'_>) {
    let done = format!("{}  {:.0}%", bar(simulation.share, pen), simulation.share * 100.0);
    let page = TextPage::new("", vec![PageLine::named("simulated", done)]);
    let rows = page.rows(size);
    let title = vec![TextPart::new(simulation.title.clone(), Role::Accent)];
    let inner = open(size, rows.len(), title, "Esc cancel", pen);
    draw_lines(&rows, inner, pen);
}

fn bar(share: f64, pen: &Pen<'_>) -> String {
    let glyphs = pen.look.glyphs;
    let bar = glyphs.bar(share, BAR);
    let rest = glyphs.empty.repeat(BAR.saturating_sub(text::width(&bar)));
    bar + &rest
}

/// As many whole pieces of a line as fit: a number that is cut would be another number.
fn whole(mut words: String, cells: usize) -> String {
    while text::width(&words) > cells
        && let Some(end) = words.rfind("  ")
    {
        words.truncate(end);
    }
    words
}

/// The line of the running change or workload, on every screen.
pub(super) fn job_line(app: &App, pen: &mut Pen<'_>) {
    let area = app.layout.job;
    let Some(job) = app.change.job.as_ref().filter(|_| area.height > 0) else { return };
    pen.clear(area);
    let key = command::find(UiCommand::Job);
    let key = key.and_then(|info| info.keys.first()).map(|key| key.words()).unwrap_or_default();
    let end = pen.write_right((area.right().saturating_sub(1), area.y), &key, Role::Accent);
    let room = end.saturating_sub(area.x + 3);
    let role = if job.stopping { Role::Warn } else { Role::Ok };
    let word = if job.load.is_some() { "RUN    " } else { "CHANGE " };
    let x = area.x + 1 + pen.write((area.x + 1, area.y), word, role, area.width);
    let words = whole(job.line(), usize::from(room.saturating_sub(7)));
    let words = clip(&words, usize::from(room.saturating_sub(7)), &pen.look);
    pen.write((x, area.y), &words, Role::Text, room);
    pen.hits.add(area, HitTarget::Command(UiCommand::Job));
}

/// Fewest lines of the details.
const LEAST_DETAILS: u16 = 3;
/// Width of the names, with the sign before them.
const NAMES: usize = 18;

pub(super) fn setup(page: &SetupPage, size: Size, pen: &mut Pen<'_>) {
    let rows = page.rows();
    let details = TextPage::new("", page.details());
    let details = details.rows(size);
    let title = vec![TextPart::new("Set up swap", Role::Accent)];
    let hints = "p plan   Enter type   Left Right change   y copy   Esc close";
    let inner = open(size, rows.len() + 1 + details.len(), title, hints, pen);
    let most = inner.height.saturating_sub(LEAST_DETAILS);
    let shown = u16::try_from(rows.len()).unwrap_or(u16::MAX).min(most).max(1);
    let first = (page.selected + 1).saturating_sub(usize::from(shown));
    let visible = rows.iter().enumerate().skip(first);
    for ((place, row), y) in visible.zip(inner.y..inner.y.saturating_add(shown)) {
        let area = Rect { y, height: 1, ..inner };
        draw_choice(row, area, place == page.selected, pen);
        pen.hits.add(area, HitTarget::Item(place));
    }
    // A blank line separates them if there is room.
    let gap = u16::from(usize::from(inner.height) > usize::from(shown) + details.len());
    let top = inner.y.saturating_add(shown + gap);
    draw_lines(&details, Rect { y: top, height: inner.bottom().saturating_sub(top), ..inner }, pen);
}

fn draw_choice(
    (name, value, changes): &(&'static str, String, bool),
    area: Rect,
    selected: bool,
    pen: &mut Pen<'_>,
) {
    let sign = if selected { "> " } else { "  " };
    let name = text::pad(&format!("{sign}{name}"), NAMES, false);
    let used = pen.write((area.x, area.y), &name, Role::Label, area.width);
    let room = area.width.saturating_sub(used);
    let role = if *changes { Role::Accent } else { Role::Text };
    let value = clip(value, usize::from(room), &pen.look);
    pen.write((area.x + used, area.y), &value, role, room);
    if selected {
        pen.paint(area, Role::Selected);
    }
}
