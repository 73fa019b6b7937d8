//! `swapadm` and `swapadm watch`: the terminal interface, and its screens as lines.

use super::change::MachineEngine;
use super::learn::{read_progress, write_progress};
use super::picture;
use super::plain;
use super::stream;
use super::table::unknown;
use crate::change::SimulatedTarget;
use crate::cli::args::WatchArgs;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{self, Environment, Invocation, SourceOptions};
use crate::cli::out;
use crate::clock::Clock;
use crate::columns::export::{TableExport, TableFormat};
use crate::columns::{Rows, tables};
use crate::config::Problem;
use crate::learn::player::Player;
use crate::model::{Reading, Snapshot, name, text};
use crate::report::json::ReportDocument;
use crate::report::{csv, markdown};
use crate::sampler::SnapshotSource;
use crate::sampler::recording::RecordingWriter;
use crate::ui::change::ChangeEngine;
use crate::ui::learn::LearnState;
use crate::ui::settings::Settings;
use crate::ui::{self, ExitReason, Opening};
use crate::ui::{File, Host};
use nix::sys::signal::Signal;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Opens the interface, or prints its screens as lines.
///
/// # Errors
/// There is no terminal, or the source cannot be opened.
pub fn run(args: &WatchArgs, invocation: &Invocation) -> CommandResult {
    let (settings, problems) = load(args, &invocation.environment)?;
    let name = source_name(&invocation.source);
    if let Some(file) = &args.picture {
        let samples = plain::Samples { count: args.count, source: &invocation.source, name };
        return picture::run(samples, settings, file, args.size.into());
    }
    if args.plain || invocation.environment.is_dumb_terminal() {
        if !args.plain {
            out::remark("this terminal cannot draw: printing lines, as with watch --plain");
        }
        options::remark_problems(&problems);
        let engine = engine(invocation)?;
        let samples = plain::Samples { count: args.count, source: &invocation.source, name };
        let terminal = invocation.environment.terminal.clone();
        return plain::run(samples, settings, terminal, engine.as_deref());
    }
    if !invocation.environment.interactive {
        let why =
            "the interface needs a terminal: use watch --plain for lines, or status for one page";
        return Err(usage(why));
    }
    stream::reach_first_sample(&invocation.source)?;
    let learn = LearnState::new(read_progress(&invocation.environment));
    let source = (invocation.source.open()?, name);
    let loaded = (settings, problems);
    open(source, engine(invocation)?, (learn, None), loaded, (args, &invocation.environment))
}

/// The settings of the interface and the problems of their file, with the screen of the command line.
fn load(args: &WatchArgs, environment: &Environment) -> CommandResult<LoadedSettings> {
    let (mut settings, problems) = options::load(environment, &args.settings)?;
    if let Some(screen) = &args.screen {
        settings.screen.clone_from(screen);
    }
    Ok((settings, problems))
}

type LoadedSettings = (Settings, Vec<Problem>);

/// The files of the interface.
fn files(args: &WatchArgs, settings: &Settings, environment: &Environment) -> Arc<dyn Host> {
    Arc::new(Files {
        config: options::settings_file(environment, &args.settings),
        unkept: unkept(args, environment),
        kept: Mutex::new(settings.clone()),
        environment: environment.clone(),
    })
}

/// Opens the interface on a simulated machine: for a lesson, or for a demonstration on a screen.
///
/// # Errors
/// The terminal cannot be used.
pub(super) fn open_simulated(
    source: (SnapshotSource, String),
    lesson: (LearnState, Option<Box<Player>>),
    args: &WatchArgs,
    environment: &Environment,
) -> CommandResult {
    open(source, None, lesson, load(args, environment)?, (args, environment))
}

/// Runs the interface until it ends.
fn open(
    (source, name): (SnapshotSource, String),
    engine: Option<Arc<dyn ChangeEngine>>,
    (learn, lesson): (LearnState, Option<Box<Player>>),
    (settings, problems): LoadedSettings,
    (args, environment): (&WatchArgs, &Environment),
) -> CommandResult {
    let opening = Opening {
        source,
        name,
        host: files(args, &settings, environment),
        settings,
        problems: problems.iter().map(ToString::to_string).collect(),
        terminal: environment.terminal.clone(),
        engine,
        learn,
        lesson,
    };
    let report = ui::run(opening).map_err(CommandError::Output)?;
    if let Some(told) = &report.message {
        out::remark(told);
    }
    match report.reason {
        ExitReason::Quit => Ok(Exit::Done),
        ExitReason::Lost => Ok(Exit::Failed),
        ExitReason::Signal(signal) => {
            ui::end_by(signal);
            // SIGHUP may be ignored by this process; the terminal is gone all the same.
            Ok(if signal == Signal::SIGHUP { Exit::Failed } else { Exit::Done })
        }
    }
}

/// The engine that changes the machine on the screen, unless it is recorded.
fn engine(invocation: &Invocation) -> CommandResult<Option<Arc<dyn ChangeEngine>>> {
    let engine = match &invocation.source {
        SourceOptions::Root(root) => MachineEngine::new(root, &invocation.environment),
        SourceOptions::Machine(machine) => {
            MachineEngine::for_simulated(machine.target()?, &invocation.environment)
        }
        SourceOptions::Recording { .. } => return Ok(None),
    };
    Ok(Some(Arc::new(engine)))
}

/// The name of a recording, captured tree or simulated machine.
fn source_name(source: &SourceOptions) -> String {
    match source {
        SourceOptions::Root(root) if root.is_live() => String::new(),
        SourceOptions::Root(root) => name::safe_text(&root.folder().to_string_lossy()),
        SourceOptions::Recording { file, .. } => name::safe_text(&file.to_string_lossy()),
        SourceOptions::Machine(machine) => machine.named.clone(),
    }
}

/// The reason why settings cannot be stored, if they cannot.
fn unkept(args: &WatchArgs, environment: &Environment) -> Option<&'static str> {
    match options::settings_file(environment, &args.settings) {
        Some(_) => None,
        None if args.settings.look.no_config => Some("--no-config was given"),
        None => Some("the home directory is not known; use --config FILE"),
    }
}

/// The files of the interface.
#[derive(Debug)]
struct Files {
    config: Option<PathBuf>,
    /// The reason why there is no settings file.
    unkept: Option<&'static str>,
    /// The settings as last stored, or as at the start: only changes since are written.
    kept: Mutex<Settings>,
    environment: Environment,
}

/// A path as text for a terminal.
fn shown(path: &Path) -> String {
    name::safe_text(&path.to_string_lossy())
}

/// Numbers of files that begin in the same second.
const NAMES: std::ops::RangeInclusive<u32> = 1..=99;

impl Host for Files {
    fn save_problem(&self) -> Option<&'static str> {
        self.unkept
    }

    fn save(&self, settings: &Settings) -> Result<String, String> {
        let Some(path) = &self.config else {
            return Err(format!("settings are not saved: {}", self.unkept.unwrap_or_default()));
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let saved = options::save(path, &kept, settings).map_err(|failure| failure.to_string())?;
        kept.clone_from(settings);
        if !saved {
            return Ok("nothing to save: no setting was changed here".to_owned());
        }
        Ok(format!("settings saved to {}", shown(path)))
    }

    fn save_progress(&self, text: &str) -> Result<(), String> {
        let state = self.environment.state.as_deref();
        let state = state.ok_or("the home directory is not known: set XDG_STATE_HOME")?;
        write_progress(state, text).map_err(|failure| failure.to_string())
    }

    fn lesson_engine(&self, machine: &SimulatedTarget) -> Arc<dyn ChangeEngine> {
        Arc::new(MachineEngine::for_simulated(machine, &self.environment))
    }

    fn create_recording(&self) -> Result<(File, String), String> {
        let (file, path) = self.create(".rec", "swapadm record FILE")?;
        Ok((Box::new(file), shown(&path)))
    }

    fn write_recording(&self, snapshots: &[Snapshot]) -> Result<String, String> {
        let (file, path) = self.create(".rec", "swapadm record FILE")?;
        let write = || {
            let mut writer = RecordingWriter::new(file)?;
            snapshots.iter().try_for_each(|snapshot| writer.add(snapshot))
        };
        write().map_err(|error| remove_unfinished(&path, error))?;
        Ok(shown(&path))
    }

    fn format_table(&self, table: &TableExport, format: TableFormat) -> Result<String, String> {
        format_table(table, format).map_err(|failure| failure.to_string())
    }

    fn save_table(&self, table: &TableExport, format: TableFormat) -> Result<String, String> {
        let text = self.format_table(table, format)?;
        let option = format.word().to_lowercase();
        let instead = format!("swapadm report {} --{option}", table.table);
        let ending = format!("-{}.{}", table.table, format.ending());
        let (mut file, path) = self.create(&ending, &instead)?;
        file.write_all(text.as_bytes()).map_err(|error| remove_unfinished(&path, error))?;
        Ok(shown(&path))
    }
}

/// The text of a table in a format: the same as the command of the table prints.
///
/// # Errors
/// The table cannot be written as JSON.
fn format_table(export: &TableExport, format: TableFormat) -> CommandResult<String> {
    let spec = tables::find(export.table).ok_or_else(|| unknown(export.table))?;
    let TableExport { rows, snapshot, seconds, .. } = export;
    match format {
        TableFormat::Csv => Ok(csv::table(rows)),
        TableFormat::Json => out::json_text(&ReportDocument {
            command: spec.name,
            snapshot,
            seconds: *seconds,
            tables: vec![(spec, Reading::Known(rows.clone()))],
            whole: false,
        }),
        TableFormat::Markdown => {
            let simulated = snapshot.simulated.as_deref();
            let title =
                simulated.map(|machine| format!("{}: simulated machine {machine}", spec.title));
            let rows = Rows { title, ..rows.clone() };
            Ok(markdown::table(spec, &rows, true, false))
        }
    }
}

/// Removes a file that could not be written, because it would be taken for a whole one; returns the error in words.
fn remove_unfinished(path: &Path, error: io::Error) -> String {
    let _ = fs::remove_file(path);
    CommandError::file(path, error).to_string()
}

impl Files {
    /// Creates a file named after the time, with this ending; returns it with its path. The error names
    /// the command to use instead.
    fn create(&self, ending: &str, instead: &str) -> Result<(fs::File, PathBuf), String> {
        let Some(folder) = &self.environment.state else {
            return Err(format!(
                "the home directory is not known: set XDG_STATE_HOME, or use {instead}"
            ));
        };
        let elsewhere = |failure: CommandError| {
            format!("{failure}; set XDG_STATE_HOME to another directory, or use {instead}")
        };
        out::create_folders(folder).map_err(elsewhere)?;
        let time = text::format_date(Clock::Real.now().wall_ms);
        let time: String = time.chars().take(19).filter(|c| *c != ':' && *c != '-').collect();
        let mut failed = String::new();
        for number in NAMES {
            let more = if number == 1 { String::new() } else { format!("-{number}") };
            let path = folder.join(format!("{time}{more}{ending}"));
            match out::create_new(&path, 0o600) {
                Ok(file) => return Ok((file, path)),
                Err(failure) => failed = elsewhere(failure),
            }
        }
        Err(failed)
    }
}
