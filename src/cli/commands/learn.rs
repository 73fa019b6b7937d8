//! `swapadm learn` and `swapadm demo`: lessons and demonstrations on simulated machines.

use super::change::run_simulated;
use super::{listing, watch};
use crate::advice::AdviceReport;
use crate::cli::args::WatchArgs;
use crate::cli::args::learn::{DemoArgs, LearnArgs, LearnCommand};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::named_text::TextKind;
use crate::cli::options::Environment;
use crate::cli::out::{self, Out};
use crate::cli::simulated::SimulatedMachine;
use crate::clock::Clock;
use crate::columns::text;
use crate::lab::library::read_file;
use crate::lab::load::file::SourceText;
use crate::learn::demo::DEMOS;
use crate::learn::export::to_markdown;
use crate::learn::figure::StepRecord;
use crate::learn::file::{self, Lesson, read_lesson};
use crate::learn::player::{LessonLine, LineKind, Player, StepPhase, rehearse};
use crate::learn::progress::{self, LearnProgress};
use crate::learn::{LESSONS, builtin_lessons};
use crate::model::Policy;
use crate::report::advice as page;
use crate::sampler::{SnapshotSource, SyntheticSource};
use crate::ui::learn::{LearnState, reading_end};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Width of the names in the list.
const NAME_CELLS: usize = 16;
/// Name of the file of progress in the state directory.
const PROGRESS_FILE: &str = "lessons";

/// Lists, plays, prints, exports and checks lessons.
///
/// # Errors
/// A lesson does not exist or is not valid, or the output cannot be written.
pub fn run(args: &LearnArgs, environment: &Environment) -> CommandResult {
    let width = listing::listed_width(environment.width);
    match (&args.command, &args.named) {
        (None, None) => list(args.json, width, environment)?,
        (None, Some(named)) => return play(named, args, environment),
        (Some(LearnCommand::Show { named }), _) => {
            Out::new().file(&LESSON_TEXTS.find(named)?.text)?;
        }
        (Some(LearnCommand::Export { named, no_answers, seed }), _) => {
            let lesson = open(named)?;
            let text = to_markdown(&lesson, !no_answers, *seed).map_err(CommandError::Usage)?;
            Out::new().text(&text)?;
        }
        (Some(LearnCommand::Check { files }), _) => return check(files),
        (Some(LearnCommand::Keys), _) => Out::new().lines(listing::keys(file::keys(), width))?,
    }
    Ok(Exit::Done)
}

/// Lessons, built in or in a file.
const LESSON_TEXTS: TextKind = TextKind {
    what: "lesson",
    builtin: &LESSONS,
    rather: "use a lesson that swapadm learn lists, or a file as swapadm learn show prints",
};

fn invalid(problems: &[String]) -> CommandError {
    usage(problems.join("\nswapadm: "))
}

fn rehearsed(lesson: Arc<Lesson>) -> CommandResult<Arc<Lesson>> {
    rehearse(&lesson, run_simulated).map_err(usage)?;
    Ok(lesson)
}

/// Reads a lesson. One that is not built in is played first, so that its errors do not appear in the middle.
fn open(named: &OsStr) -> CommandResult<Arc<Lesson>> {
    let SourceText { name, file, text } = LESSON_TEXTS.find(named)?;
    let lesson = Arc::new(read_lesson(&name, &file, &text).map_err(|errors| invalid(&errors))?);
    let is_builtin = LESSONS.iter().any(|(known, _)| *known == file);
    if is_builtin { Ok(lesson) } else { rehearsed(lesson) }
}

/// Checks lessons one after the other, and prints the errors of all.
fn check(files: &[OsString]) -> CommandResult {
    listing::check(files, |named| {
        let source = LESSON_TEXTS.find(named)?;
        let lesson = read_lesson(&source.name, &source.file, &source.text);
        let lesson = rehearsed(Arc::new(lesson.map_err(|errors| invalid(&errors))?))?;
        Ok(format!("{} steps, played with 3 seeds", lesson.steps.len()))
    })
}

/// A lesson in the list.
#[derive(Serialize)]
struct ListedLesson<'a> {
    name: &'a str,
    title: &'a str,
    about: &'a str,
    steps: usize,
    done: usize,
    right: usize,
}

fn list(json: bool, width: usize, environment: &Environment) -> CommandResult<()> {
    let progress = read_progress(environment);
    let listed = |lesson: &'static Arc<Lesson>| {
        let progress::LessonProgress { done, right } = progress.get(&lesson.name);
        ListedLesson {
            name: &lesson.name,
            title: &lesson.title,
            about: &lesson.about,
            steps: lesson.steps.len(),
            done,
            right,
        }
    };
    let lessons: Vec<ListedLesson<'_>> = builtin_lessons().iter().map(listed).collect();
    let line = |lesson: &ListedLesson<'_>| {
        let state = match lesson.done {
            0 => String::new(),
            done => format!(" ({done} of {} steps done)", lesson.steps),
        };
        let words = format!("{}. {}{state}", lesson.title, lesson.about);
        listing::name_and_text(lesson.name, &words, (NAME_CELLS, width))
    };
    listing::print(&lessons, json, line)
}

/// The file of progress, if there is a home directory.
fn progress_file(environment: &Environment) -> Option<PathBuf> {
    Some(environment.state.as_ref()?.join(PROGRESS_FILE))
}

/// Progress as kept; empty without a file.
pub(super) fn read_progress(environment: &Environment) -> LearnProgress {
    let read = progress_file(environment).and_then(|path| {
        let bytes = read_file(&path, progress::MAX_BYTES, "").ok()?;
        String::from_utf8(bytes).ok()
    });
    read.map(|text| LearnProgress::parse(&text)).unwrap_or_default()
}

/// Keeps progress in a file that only its owner may read.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write_progress(state: &Path, text: &str) -> CommandResult<()> {
    out::create_folders(state)?;
    let path = state.join(PROGRESS_FILE);
    // A new file begins without content, because its mode is set when it is created.
    let _ = out::create_new(&path, 0o600);
    out::replace_file(&path, text)
}

fn play(named: &OsStr, args: &LearnArgs, environment: &Environment) -> CommandResult {
    let lesson = open(named)?;
    let player = Player::new(lesson, args.seed).map_err(CommandError::Usage)?;
    if args.plain || !environment.interactive {
        return play_plain(player, args.present, environment);
    }
    let mut learn = LearnState::new(read_progress(environment));
    (learn.present, learn.seed) = (args.present, args.seed);
    draw(player, learn, &WatchArgs::default(), environment)
}

/// Opens the interface for one lesson.
fn draw(
    player: Player,
    learn: LearnState,
    args: &WatchArgs,
    environment: &Environment,
) -> CommandResult {
    let (sample, name) = (player.sample(), player.lesson.name.clone());
    let samples = SyntheticSource(Box::new(move |_| Some(sample.clone())));
    let source = (SnapshotSource::Simulated(samples), name);
    let lesson = (LearnState { is_only: true, ..learn }, Some(Box::new(player)));
    watch::open_simulated(source, lesson, args, environment)
}

/// Opens the interface on a lesson that plays by itself, without progress.
fn play_by_itself(args: &DemoArgs, environment: &Environment) -> CommandResult {
    if !environment.interactive {
        return Err(usage(format!(
            "a demonstration needs a terminal: use swapadm learn export {} for questions and answers",
            args.name
        )));
    }
    let player = Player::new(open(OsStr::new(&args.name))?, None).map_err(CommandError::Usage)?;
    let due = Some(reading_end(&player, Clock::Real.now()));
    let learn = LearnState { present: true, due, ..LearnState::default() };
    let args = WatchArgs { settings: args.settings.clone(), ..WatchArgs::default() };
    draw(player, learn, &args, environment)
}

/// Opens the interface on the machine of a demonstration, or on a lesson.
///
/// # Errors
/// There is no terminal.
pub fn demo(args: &DemoArgs, environment: &Environment) -> CommandResult {
    let Some(demo) = DEMOS.iter().find(|demo| demo.name == args.name) else {
        return play_by_itself(args, environment);
    };
    if !environment.interactive {
        return Err(usage(format!(
            "a demonstration needs a terminal: use swapadm --machine {} watch {} --plain for lines",
            demo.machine, demo.screen
        )));
    }
    let machine = SimulatedMachine::read(OsStr::new(demo.machine), &environment.user_files())?;
    let mut learn = LearnState::new(read_progress(environment));
    learn.sentence = Some(demo.look);
    let (screen, settings) = (Some(demo.screen.to_owned()), args.settings.clone());
    let args = WatchArgs { screen, settings, ..WatchArgs::default() };
    let source = (machine.open()?, machine.named.clone());
    watch::open_simulated(source, (learn, None), &args, environment)
}

/// Plays a lesson in lines, with answers from standard input.
fn play_plain(mut player: Player, present: bool, environment: &Environment) -> CommandResult {
    let width = listing::listed_width(environment.width);
    let name = player.lesson.name.clone();
    Out::new().lines([format!("{}: {}", player.lesson.title, player.lesson.about)])?;
    let mut input = io::stdin().lock();
    loop {
        if player.phase == StepPhase::Before {
            let (number, count) = player.progress();
            Out::new().lines([String::new(), format!("Step {number} of {count}")])?;
        }
        print_lines(player.lines(), width)?;
        if player.phase == StepPhase::Finished {
            break;
        }
        let goes_on = if player.is_asking() {
            ask(&mut player, &mut input, width)?
        } else if player.is_repairing() {
            repair(&mut player, &mut input, width)?
        } else {
            player.advance().map_err(CommandError::Usage)?;
            true
        };
        if !goes_on {
            let (number, count) = player.progress();
            out::remark(&format!("stopped at step {number} of {count}"));
            break;
        }
    }
    let mut progress = read_progress(environment);
    if !present
        && progress.keep(&name, player.reached())
        && let Some(state) = &environment.state
    {
        write_progress(state, &progress.to_text())?;
    }
    Ok(Exit::Done)
}

/// Prints lines of a step.
fn print_lines(lines: Vec<LessonLine>, width: usize) -> CommandResult<()> {
    let lines = lines.into_iter().flat_map(|(kind, line)| {
        let is_indented = matches!(kind, LineKind::Answer | LineKind::Command | LineKind::Finding);
        let indent = if is_indented { "  " } else { "" };
        let wrapped = line.lines().flat_map(|line| text::wrap(line, width - indent.len()));
        wrapped.map(|line| format!("{indent}{line}")).collect::<Vec<_>>()
    });
    Out::new().lines(lines)
}

/// Reads an answer; false at the end of the input.
fn ask(player: &mut Player, input: &mut io::StdinLock<'_>, width: usize) -> CommandResult<bool> {
    loop {
        let letters = player.step().map(file::LessonStep::letters).unwrap_or_default();
        out::ask(&format!("Your prediction ({letters}; ? hint, = answer): "));
        let Some(line) = read_line(input)? else { return Ok(false) };
        let typed = line.as_str();
        let given = typed.chars().next().filter(|_| typed.chars().count() == 1);
        let answer = given.and_then(|letter| player.answer_of(letter));
        match (typed, answer) {
            ("?", _) => hint(player, width)?,
            ("=", _) | (_, Some(_)) => {
                player.run(answer).map_err(CommandError::Usage)?;
                return Ok(true);
            }
            ("q", _) => return Ok(false),
            _ => Out::new().lines([format!("Type {letters}; q stops.")])?,
        }
    }
}

/// The next line of the input without spaces around it; none at its end.
fn read_line(input: &mut io::StdinLock<'_>) -> CommandResult<Option<String>> {
    let mut line = String::new();
    if input.read_line(&mut line).map_err(CommandError::Output)? == 0 {
        out::remark("");
        return Ok(None);
    }
    Ok(Some(line.trim().to_owned()))
}

/// Prints the next hint.
fn hint(player: &mut Player, width: usize) -> CommandResult<()> {
    if !player.hint() {
        return Out::new().lines(["No more hints."]);
    }
    let last = player.lines().into_iter().rfind(|it| it.0 == LineKind::Hint);
    Out::new().lines(text::wrap(&last.map(|(_, words)| words).unwrap_or_default(), width))
}

/// Reads commands that repair the machine; false at the end of the input.
fn repair(player: &mut Player, input: &mut io::StdinLock<'_>, width: usize) -> CommandResult<bool> {
    while let Some(machine) = player.repaired_machine().filter(|_| player.is_repairing()) {
        out::ask("Your command (swapadm ...; ? hint, = solution, advise, restart, q): ");
        let Some(line) = read_line(input)? else { return Ok(false) };
        match line.strip_prefix("swapadm ").unwrap_or(&line).trim() {
            "" => {}
            "q" => return Ok(false),
            "?" => hint(player, width)?,
            "=" => drop(player.run(None).map_err(CommandError::Usage)?),
            "advise" => {
                let view = player.record().map(StepRecord::view);
                let report = |view| {
                    page::lines(view, &AdviceReport::from_view(view, &Policy::DEFAULT), Some(width))
                };
                Out::new().lines(view.as_ref().map(report).unwrap_or_default())?;
            }
            "restart" => {
                player.restart();
                return Ok(true);
            }
            command => match run_simulated(machine, command) {
                Ok(end) => {
                    Out::new().lines(text::wrap(&end, width))?;
                    player.run_on();
                    if player.is_repairing() {
                        print_lines(player.findings(), width)?;
                    }
                }
                Err(why) => Out::new().lines(text::wrap(&why, width))?,
            },
        }
    }
    Ok(true)
}
