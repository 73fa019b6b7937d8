//! `swapadm` and `swapadm watch`: the terminal interface, and the same screens as lines.

use super::stream::{self, Pace};
use crate::cli::args::{SettingsArgs, WatchArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{self, Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use crate::model::{civil, name};
use crate::report::table::{self, Look};
use crate::ui::app::{Kind, Start};
use crate::ui::host::{File, Host};
use crate::ui::look::Terminal;
use crate::ui::msg::Msg;
use crate::ui::settings::{Problem, Settings};
use crate::ui::{self, App, Ending, HitMap, Opening};
use nix::sys::signal::Signal;
use ratatui::layout::Size;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Open the interface, or print lines.
///
/// # Errors
/// When there is no terminal, or the source cannot be opened.
pub fn run(
    args: &WatchArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let (mut settings, problems) = options::load(environment, &args.settings)?;
    if let Some(screen) = &args.screen {
        settings.screen.clone_from(screen);
    }
    if args.plain {
        return plain(args, settings, &problems, source, environment);
    }
    if !environment.interactive {
        let why = "the interface needs a terminal: watch --plain prints lines, status one page";
        return Err(Failure::Usage(why.to_owned()));
    }
    let host = Files {
        config: options::settings_file(environment, &args.settings),
        kept: Mutex::new(settings.clone()),
        state: environment.state.clone(),
    };
    let opening = Opening {
        source: source.open()?,
        name: source_name(source),
        settings,
        problems: told(&problems, &args.settings, environment),
        terminal: terminal(environment),
        host: Arc::new(host),
    };
    match ui::run(opening).map_err(Failure::Output)? {
        Ending::Quit => Ok(Exit::Done),
        Ending::Lost => Ok(Exit::Failed),
        Ending::Signal(signal) => {
            ui::end_by(signal);
            // It is to be ignored; that the terminal is gone is as true.
            Ok(if signal == Signal::SIGHUP { Exit::Failed } else { Exit::Done })
        }
    }
}

/// What a recording or captured tree is called.
fn source_name(source: &SourceOptions) -> String {
    match source {
        SourceOptions::Root(root) if root.is_live() => String::new(),
        SourceOptions::Root(root) => name::safe_text(&root.folder().to_string_lossy()),
        SourceOptions::Recording { file, .. } => name::safe_text(&file.to_string_lossy()),
    }
}

/// Problems with the file of settings, with its name.
fn told(problems: &[Problem], args: &SettingsArgs, environment: &Environment) -> Vec<String> {
    let file = options::settings_file(environment, args).unwrap_or_default();
    let file = name::safe_text(&file.to_string_lossy());
    let tell = |problem: &Problem| match problem.line {
        Some(_) => format!("{file}, {problem}"),
        None => problem.to_string(),
    };
    problems.iter().map(tell).collect()
}

/// What the environment says of the terminal.
fn terminal(environment: &Environment) -> Terminal {
    let locale = [&environment.lc_all, &environment.lc_ctype, &environment.lang];
    Terminal {
        term: environment.term.clone().unwrap_or_default(),
        colorterm: environment.colorterm.clone().unwrap_or_default(),
        locale: locale.into_iter().flatten().next().cloned().unwrap_or_default(),
        device: String::new(),
    }
}

/// Files of the interface.
#[derive(Debug)]
struct Files {
    config: Option<PathBuf>,
    /// The settings as they were kept last, or as it began with them: only what was changed since
    /// is written.
    kept: Mutex<Settings>,
    state: Option<PathBuf>,
}

/// Recordings that begin in the same second get numbers.
const NAMES: std::ops::RangeInclusive<u32> = 1..=99;

impl Host for Files {
    fn save(&self, settings: &Settings) -> Result<String, String> {
        let Some(path) = &self.config else {
            return Err(
                "there is no file for settings: --no-config was given, or no home folder is known"
                    .to_owned(),
            );
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        options::save(path, &kept, settings).map_err(|failure| failure.to_string())?;
        kept.clone_from(settings);
        Ok(name::safe_text(&path.to_string_lossy()))
    }

    fn create(&self) -> Result<(File, String), String> {
        let Some(folder) = &self.state else {
            return Err("no home folder is known to put a recording into: use swapadm record FILE"
                .to_owned());
        };
        out::create_folders(folder).map_err(|failure| failure.to_string())?;
        let time = civil::text(Clock::Real.now().wall_ms);
        let time: String = time.chars().take(19).filter(|c| *c != ':' && *c != '-').collect();
        let mut failed = String::new();
        for number in NAMES {
            let more = if number == 1 { String::new() } else { format!("-{number}") };
            let path = folder.join(format!("{time}{more}.rec"));
            match out::create_new(&path, 0o600) {
                Ok(file) => return Ok((File::new(file), name::safe_text(&path.to_string_lossy()))),
                Err(failure) => failed = failure.to_string(),
            }
        }
        Err(failed)
    }
}

/// Cells that lines are made for where nobody says how wide they may be.
const WIDE: u16 = 200;

/// The same screen, sample by sample, as lines: for screen readers, logs and serial lines.
fn plain(
    args: &WatchArgs,
    settings: Settings,
    problems: &[Problem],
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    for problem in told(problems, &args.settings, environment) {
        out::remark(&problem);
    }
    let interval = format!("{}s", settings.interval.as_secs_f64());
    let pace = match source {
        SourceOptions::Root(root) if root.is_live() => Pace::new(Some(&interval), args.count)?,
        SourceOptions::Root(_) | SourceOptions::Recording { .. } => Pace::through(args.count),
    };
    let width = environment.width.and_then(|width| u16::try_from(width).ok()).unwrap_or(WIDE);
    let mut app = App::new(Start {
        // Whatever it comes from, each sample is shown as it comes.
        kind: Kind::Live,
        source: source_name(source),
        // High and wide enough for all panes of the screen.
        size: Size::new(WIDE.max(width), 1000),
        terminal: terminal(environment),
        settings,
        problems: vec![],
        now: Clock::Real.now(),
    });
    let parts = app.wants.all();
    let mut out = Out::new();
    let hits = HitMap::default();
    stream::run(source, parts, true, pace, |view| {
        let first = app.history.newest().is_none();
        let before = view.before.filter(|_| first);
        let snapshots = before.into_iter().chain([view.now]).cloned().collect();
        ui::update(&mut app, Msg::Snapshots(snapshots), &hits);
        out.lines(lines(&app, Look { width: Some(usize::from(width)), ..Look::default() }))
    })?;
    Ok(Exit::Done)
}

/// A screen as lines: the question and the time, then each pane.
fn lines(app: &App, look: Look) -> Vec<String> {
    let stamp = app.moment().map_or(0, |moment| moment.now.stamp.wall_ms);
    let time = civil::text(stamp);
    let time = time.split('.').next().unwrap_or_default();
    let mut lines = vec![format!("{time}Z  {}", app.shown().question)];
    for (place, _) in &app.plan.panes {
        let Some(pane) = app.state().and_then(|state| state.panes.get(*place)) else { continue };
        lines.push(format!("{}:", pane.info.title));
        match pane.sheets.get(pane.sheet) {
            Some(sheet) => {
                let table = sheet.rows().map_or_else(Vec::new, |rows| table::lines(rows, look));
                lines.extend(table.into_iter().map(|line| format!("  {line}")));
            }
            None => lines.extend(pane.lines.iter().map(|line| format!("  {}", line.plain()))),
        }
    }
    lines.push(String::new());
    lines
}
