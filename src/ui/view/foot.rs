//! The last lines: key hints, or a notice, or a line to type in.

use super::{App, HitTarget, Pen, Rect, Role, SourceKind, UiCommand, clip, width};
use crate::learn::file::LessonStep;
use crate::learn::player::StepPhase;
use crate::ui::app::{Notice, Time, Tone};
use crate::ui::availability::unavailable_reason;
use crate::ui::command::{COMMANDS, CommandGroup, CommandInfo, LessonCommand};
use crate::ui::content::{PaneLine, wrapped};
use crate::ui::input::{PromptKind, ValueInput};
use crate::ui::layout::{self, Class};
use crate::ui::overlay::{FilterInput, Overlay};
use crate::ui::screens::SCREENS;
use crate::ui::{fix, lab};

/// The key hints, unless something else is shown.
pub(super) fn foot(app: &App, pen: &mut Pen<'_>) {
    let is_typing = matches!(app.overlays.last(), Some(Overlay::Filter(_) | Overlay::Value(_)));
    if app.layout.foot.height == 0 || is_typing || app.notice.is_some() {
        return;
    }
    let area = app.layout.foot;
    match (lesson_keys(app), app.learn.sentence) {
        (Some(keys), _) => {
            let keys = clip(&keys, usize::from(area.width.saturating_sub(2)), &pen.look);
            pen.write((area.x + 1, area.y), &keys, Role::Label, area.width);
        }
        (None, Some(words)) => {
            sentence(&format!("{words} q leaves."), Role::Accent, LINES + 1, area, pen);
        }
        (None, None) => hints(app, pen),
    }
}

/// The keys that have a meaning in the lesson now. The letters of answers stand for the key that lists them, if the
/// lesson is on screen.
fn lesson_keys(app: &App) -> Option<String> {
    let player = app.learn.player.as_ref()?;
    let is_shown = app.layout.lesson.height > 0 || app.shows_learn();
    let letters = player.step().filter(|_| is_shown).map(LessonStep::letters);
    let key = |info: &CommandInfo| {
        let word = match (info.command, &player.phase) {
            (UiCommand::Lesson(LessonCommand::NextStep), _)
                if player.is_asking() || player.is_repairing() =>
            {
                return None;
            }
            (UiCommand::Lesson(LessonCommand::Answer), _) if player.is_repairing() => "solution",
            (UiCommand::Lesson(LessonCommand::NextStep), StepPhase::Before) => "run",
            (UiCommand::Lesson(LessonCommand::NextStep), StepPhase::Finished) => "close",
            (UiCommand::Lesson(LessonCommand::Leave), _) if app.learn.is_only => "quit",
            _ => info.foot?,
        };
        let letters =
            letters.clone().filter(|_| info.command == UiCommand::Lesson(LessonCommand::Predict));
        let key = letters.or_else(|| Some(info.keys.first()?.words()))?;
        let can_run = unavailable_reason(app, info.command).is_none();
        can_run.then(|| format!("{key} {word}"))
    };
    let infos = COMMANDS.iter().filter(|info| info.group == CommandGroup::Lesson);
    Some(infos.filter_map(key).collect::<Vec<_>>().join("   "))
}

/// The notice or the line to type in; above everything else.
pub(super) fn notice_or_input(app: &App, pen: &mut Pen<'_>) {
    let area = app.layout.foot;
    if area.height == 0 {
        return;
    }
    match (app.overlays.last(), &app.notice) {
        (Some(Overlay::Filter(filter)), _) => filter_line(filter, area, pen),
        (Some(Overlay::Value(value)), _) => value_line(value, area, pen),
        // The buttons of a dialog stay visible.
        (Some(Overlay::Confirm(_)), Some(said)) => notice(said, LINES - 1, area, pen),
        (_, Some(said)) => notice(said, LINES, area, pen),
        (_, None) => {}
    }
}

fn notice(notice: &Notice, most: usize, area: Rect, pen: &mut Pen<'_>) {
    let (mark, role) = match notice.tone {
        Tone::Plain | Tone::Awaiting => ("", Role::Text),
        Tone::Bad => ("!! ", Role::Crit),
        Tone::Hint => ("", Role::Label),
    };
    sentence(&format!("{mark}{}", notice.text), role, most, area, pen);
}

fn filter_line(filter: &FilterInput, area: Rect, pen: &mut Pen<'_>) {
    super::overlay::input(" filter ", &filter.input, "", area, pen);
    if let Some(error) = &filter.error {
        let words = format!("Not applied: {error}.");
        problem(&words, &format!("Example: {}", filter.example), area, pen);
    }
}

/// Width of the text being typed, beside the accepted values.
const TYPED: u16 = 16;

fn value_line(value: &ValueInput, area: Rect, pen: &mut Pen<'_>) {
    let label = format!(" {} ", value.typed.label());
    let beside = width(&label) + TYPED + width(&value.accepts) <= area.width;
    let (hint, above) = if beside { (&*value.accepts, "") } else { ("", &*value.accepts) };
    super::overlay::input(&label, &value.input, hint, area, pen);
    let error = value.error.as_ref().map(|error| match value.typed {
        PromptKind::Row(_) => format!("Not found: {error}."),
        _ => format!("Not set: {error}."),
    });
    problem(&error.unwrap_or_default(), above, area, pen);
}

/// Shows the error and the accepted values above the line to type in, so that all three have
/// room.
fn problem(words: &str, example: &str, typed: Rect, pen: &mut Pen<'_>) {
    let above = |area: Rect| area.y.checked_sub(1).map(|y| Rect { y, ..area });
    let Some(last) = above(typed) else { return };
    let first = sentence(example, Role::Label, LINES, last, pen);
    let last = if example.is_empty() { Some(last) } else { above(first) };
    if let (Some(last), false) = (last, words.is_empty()) {
        sentence(words, Role::Warn, LINES, last, pen);
    }
}

/// Maximum number of lines of a sentence.
const LINES: usize = 3;

/// Writes a sentence that ends in this line and begins above it if it is long, up to a number of
/// lines; returns its rectangle.
fn sentence(words: &str, role: Role, most: usize, last: Rect, pen: &mut Pen<'_>) -> Rect {
    let cells = usize::from(last.width.saturating_sub(2));
    let lines: Vec<String> = wrapped(words, cells, role).iter().map(PaneLine::plain).collect();
    let room = most.min(usize::from(last.y) + 1);
    let (whole, rest) = lines.split_at(lines.len().min(room.saturating_sub(1)));
    let rest = clip(&rest.join(" "), cells, &pen.look);
    let shown = whole.iter().chain([&rest].into_iter().filter(|rest| !rest.is_empty()));
    let count = u16::try_from(shown.clone().count()).unwrap_or(1);
    let above = Rect { y: (last.y + 1).saturating_sub(count), height: count, ..last };
    pen.clear(above);
    for (line, y) in shown.zip(above.y..) {
        pen.write((above.x + 1, y), line, role, above.width);
    }
    above
}

/// The hints of the most useful keys.
fn hints(app: &App, pen: &mut Pen<'_>) {
    let area = app.layout.foot;
    let mut x = area.x + 1;
    let mut hints: Vec<Hint> =
        by_usefulness(app).into_iter().filter_map(|info| Hint::for_command(info, app)).collect();
    if is_minimal(app) {
        hints.insert(1.min(hints.len()), Hint::screens());
    }
    for hint in fitting(hints, area.width) {
        let here = Rect { x, width: hint.width(), height: 1, ..area };
        // Behind an overlay none of these keys works.
        let is_behind = !app.overlays.is_empty();
        let role = |role| if is_behind { Role::Faint } else { role };
        x += pen.write((x, area.y), &hint.key, role(Role::Accent), area.width) + 1;
        x += pen.write((x, area.y), hint.word, role(Role::Label), area.width) + 2;
        pen.hits.add(here, HitTarget::Command(hint.command));
    }
}

/// A key, and the word for its command.
struct Hint {
    command: UiCommand,
    key: String,
    word: &'static str,
}

impl Hint {
    /// The hint of an available command.
    fn for_command(info: &CommandInfo, app: &App) -> Option<Self> {
        let can_run = unavailable_reason(app, info.command).is_none();
        let (key, word) = (info.keys.first()?.words(), word(info, app)?);
        can_run.then_some(Self { command: info.command, key, word })
    }

    /// The hint for other screens, on terminals without the line of screens. A click on it opens the palette,
    /// which lists them.
    fn screens() -> Self {
        let ends = [SCREENS.first(), SCREENS.last()];
        let key = ends.map(|end| end.map_or_else(String::new, |screen| screen.number.to_string()));
        let key = key.join("-");
        Self { command: UiCommand::Palette, key, word: "screens" }
    }

    fn width(&self) -> u16 {
        width(&self.key) + 1 + width(self.word)
    }
}

/// The hints that fit side by side. Help and quit always stay.
fn fitting(mut hints: Vec<Hint>, width: u16) -> Vec<Hint> {
    let stays = |hint: &Hint| matches!(hint.command, UiCommand::Help | UiCommand::Quit);
    let needed = |hints: &[Hint]| hints.iter().map(|hint| hint.width() + 2).sum::<u16>();
    while needed(&hints) > width.saturating_add(1) {
        let Some(last) = hints.iter().rposition(|hint| !stays(hint)) else { break };
        hints.remove(last);
    }
    hints
}

/// All commands, most useful first: those that stop a running change, continue after a pause or mark results,
/// then those of a finding, of the lab and of the map.
fn by_usefulness(app: &App) -> Vec<&'static CommandInfo> {
    let (is_paused, is_at_end) = (is_paused(app), app.is_at_end());
    let resume = if is_at_end { UiCommand::MuchEarlier } else { UiCommand::Pause };
    let (busy, lab, finding) = (app.is_busy(), app.shows_lab(), app.is_on_finding());
    let place = |info: &&CommandInfo| match info.command {
        UiCommand::Job if busy => 0,
        UiCommand::Back if app.subject.is_some() => 0,
        UiCommand::Tag if lab => 0,
        command if is_paused && command == resume => 0,
        UiCommand::Help if lab => 1,
        UiCommand::Metric | UiCommand::Closer | UiCommand::Farther if app.is_on_map() => 2,
        UiCommand::Help if app.is_on_map() => 1,
        UiCommand::Open | UiCommand::Copy if finding => 1,
        UiCommand::Help if finding => 0,
        UiCommand::Earlier | UiCommand::Later if is_paused => 0,
        UiCommand::RunLoad if lab => 2,
        UiCommand::Open if lab => 3,
        UiCommand::WriteMode if lab => 4,
        UiCommand::Help => 3,
        UiCommand::NextSheet => 4,
        UiCommand::Quit => 6,
        _ => 5,
    };
    let mut commands: Vec<&CommandInfo> = COMMANDS.iter().collect();
    commands.sort_by_key(place);
    commands
}

/// Is the terminal too small for the line of screens?
fn is_minimal(app: &App) -> bool {
    layout::class(app.body_size()) == Class::Minimal
}

fn is_paused(app: &App) -> bool {
    matches!(app.source.time, Time::Paused(_))
}

/// The word for Enter in panes of the lab.
fn enter_word(pane: &str) -> Option<&'static str> {
    match pane {
        lab::SETTINGS => Some("change"),
        lab::RESULTS => Some("show"),
        _ => None,
    }
}

/// The current word for a command.
fn word(info: &CommandInfo, app: &App) -> Option<&'static str> {
    match (info.command, app.source.kind) {
        (UiCommand::Pause, SourceKind::Recording) if app.is_at_end() => None,
        (UiCommand::MuchEarlier, SourceKind::Recording) if app.is_at_end() => Some("back"),
        (UiCommand::Pause, SourceKind::Recording) if is_paused(app) => Some("play"),
        (UiCommand::Pause, SourceKind::Simulated) if is_paused(app) => Some("continue"),
        (UiCommand::Pause, _) if is_paused(app) => Some("go live"),
        // The line above says what is running.
        (UiCommand::Job, _) if app.is_busy() && is_minimal(app) => Some("stop"),
        (UiCommand::Job, _) if app.has_load() => Some("stop workload"),
        (UiCommand::Job, _) if app.is_busy() => Some("stop change"),
        (UiCommand::Back, _) if app.subject.is_some() => Some("back"),
        (UiCommand::Tag, _) if app.shows_lab() => Some(app.lab.marking()),
        (UiCommand::Open, _) if app.shows_lab() => {
            app.pane_info().and_then(|pane| enter_word(pane.id))
        }
        (UiCommand::Open, _) if app.shows_learn() => Some("begin"),
        (UiCommand::WriteMode, _) if app.shows_lab() && app.change.is_read_only() => Some("write"),
        (UiCommand::Filter, _) if app.shows_lab() => Some("find"),
        (UiCommand::NextSheet, _) if app.is_on_map() => Some("area"),
        (UiCommand::Open, _) if app.is_on_finding() => {
            Some(if fix::has_plan(app) { "plan" } else { "explain" })
        }
        (UiCommand::Copy, _) if fix::selected_fix(app).is_some() => Some("copy command"),
        (UiCommand::Earlier, _) if is_paused(app) => Some("back"),
        (UiCommand::Later, _) if is_paused(app) && !app.is_at_end() => Some("forward"),
        _ => info.foot,
    }
}
