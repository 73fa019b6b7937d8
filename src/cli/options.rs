//! Options resolved from the arguments, the environment and the terminal.

mod settings;

use super::args::{RowArgs, SourceArgs};
use super::exit::{CommandError, CommandResult, usage};
use super::simulated::SimulatedMachine;
use crate::change::ChangeTarget;
use crate::columns::Request;
pub use crate::columns::units::duration;
use crate::lab::library::UserFiles;
use crate::lab::store::Store;
use crate::model::name::safe_text;
use crate::model::text;
use crate::report::table::TableOptions;
use crate::root::{Patience, Root};
use crate::sampler::{Replay, ReplayStart, SnapshotSource};
use crate::sys;
use crate::ui::appearance::TerminalInfo;
use crate::ui::settings::SETTINGS;
use settings::own_path;
pub use settings::{load, policy, remark_problems, resolve, save, settings_file};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The environment of the program. An empty variable counts as unset.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `SWAPADM_ROOT`.
    pub sysroot: Option<PathBuf>,
    /// Width of the terminal in cells; none if the output is not a terminal.
    pub width: Option<usize>,
    /// Whether input and output are a terminal that can draw.
    pub interactive: bool,
    /// The directory for results, recordings and a private journal, if there is a home directory.
    pub state: Option<PathBuf>,
    /// The path of the settings file, if there is a home directory.
    pub config: Option<PathBuf>,
    /// `SWAPADM_RESULTS`.
    pub results: Option<PathBuf>,
    /// `SWAPADM_JOURNAL`.
    pub journal: Option<PathBuf>,
    /// The variables that set a setting of the interface.
    pub settings: BTreeMap<&'static str, String>,
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// The terminal. `COLUMNS` and `LINES` have no effect unless they are numbers above 0.
    pub terminal: TerminalInfo,
}

impl Environment {
    /// The cells that a progress line may take; `None` without a terminal.
    pub fn progress_cells(&self) -> Option<usize> {
        // Some terminals wrap after the last cell, and the wrapped line would stay.
        let width = self.width.map(|width| width.saturating_sub(1));
        width.filter(|_| self.interactive)
    }

    /// The store of results; an error without a home directory.
    pub fn store(&self) -> CommandResult<Store> {
        Ok(Store::locate(self.state.as_deref(), self.results.as_deref())?)
    }

    /// The workloads and experiments of the user.
    pub fn user_files(&self) -> UserFiles {
        UserFiles::next_to(self.config.as_deref())
    }

    /// Reads the environment of this process.
    #[expect(clippy::disallowed_methods, reason = "this is the place that reads the environment")]
    pub fn read() -> Self {
        let is_ours =
            |name: &str| !["SWAPADM_", "XDG_", "HOME"].iter().any(|it| name.starts_with(it));
        let privileged = sys::is_privileged();
        let may = |name: &&str| !privileged || is_ours(name);
        let environment =
            Self::from_variables(|name| Some(name).filter(may).and_then(std::env::var_os));
        let width = width_of(&std::io::stdout(), environment.typed_width());
        let terminal = width.is_some();
        let interactive = terminal && std::io::stdin().is_terminal() && !environment.is_dumb();
        Self { width, interactive, ..environment }
    }

    /// Whether the output is a terminal that can only print.
    pub fn is_dumb_terminal(&self) -> bool {
        self.width.is_some() && self.is_dumb()
    }

    fn is_dumb(&self) -> bool {
        ["", "dumb"].contains(&self.terminal.term.as_str())
    }

    /// The width in `COLUMNS`.
    pub fn typed_width(&self) -> Option<usize> {
        self.terminal.columns.map(usize::from)
    }

    /// The environment that these variables give.
    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        let text = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        let path = |name| variable(name).map(PathBuf::from);
        let cells = |name| text(name)?.parse().ok().filter(|cells| *cells > 0);
        let settings = SETTINGS.iter().filter_map(|setting| setting.env);
        Self {
            sysroot: path("SWAPADM_ROOT"),
            width: None,
            interactive: false,
            state: own_path(path("XDG_STATE_HOME"), (path("HOME"), ".local/state"), "swapadm"),
            config: own_path(
                path("XDG_CONFIG_HOME"),
                (path("HOME"), ".config"),
                "swapadm/config.toml",
            ),
            results: path("SWAPADM_RESULTS"),
            journal: path("SWAPADM_JOURNAL").map(|path| std::path::absolute(&path).unwrap_or(path)),
            settings: settings.filter_map(|name| Some((name, text(name)?))).collect(),
            no_color: variable("NO_COLOR").is_some(),
            terminal: TerminalInfo {
                term: text("TERM").unwrap_or_default(),
                colorterm: text("COLORTERM").unwrap_or_default(),
                locale: ["LC_ALL", "LC_CTYPE", "LANG"]
                    .into_iter()
                    .find_map(text)
                    .unwrap_or_default(),
                device: String::new(),
                columns: cells("COLUMNS"),
                lines: cells("LINES"),
            },
        }
    }
}

/// Width of an output in cells, if it is a terminal: `COLUMNS`, or the size that it reports.
fn width_of(output: &(impl IsTerminal + AsFd), typed: Option<usize>) -> Option<usize> {
    let own = || terminal_size::terminal_size_of(output).map(|(columns, _)| usize::from(columns.0));
    let own = || own().filter(|columns| *columns > 0);
    output.is_terminal().then(|| typed.or_else(own).unwrap_or(80))
}

/// Width of standard error in cells; none if it is not a terminal.
pub fn width_of_remarks() -> Option<usize> {
    width_of(&std::io::stderr(), typed_width())
}

/// Width of standard output in cells; none if it is not a terminal.
pub fn width_of_output() -> Option<usize> {
    width_of(&std::io::stdout(), typed_width())
}

/// The width in `COLUMNS`.
#[expect(clippy::disallowed_methods, reason = "this is the place that reads the environment")]
fn typed_width() -> Option<usize> {
    Environment::from_variables(|name| std::env::var_os(name)).typed_width()
}

/// An invocation of the program: the source that it reads, and its environment.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The source of snapshots.
    pub source: SourceOptions,
    /// The environment.
    pub environment: Environment,
}

/// The source of snapshots.
#[derive(Clone, Debug)]
pub enum SourceOptions {
    /// The live machine or a captured tree.
    Root(Root),
    /// A recording, from a point in time on.
    Recording {
        /// The file.
        file: PathBuf,
        /// The point in time.
        at: ReplayStart,
    },
    /// A simulated machine.
    Machine(Box<SimulatedMachine>),
}

/// Parses `--at`.
///
/// # Errors
/// A sentence with the accepted forms.
pub fn parse_moment(text: &str) -> Result<ReplayStart, String> {
    let seconds = |text: &str| duration(text).map(|time| time.as_secs_f64());
    let understood = match text {
        "first" => Some(ReplayStart::First),
        "last" => Some(ReplayStart::Last),
        _ => text
            .strip_prefix('+')
            .and_then(seconds)
            .map(ReplayStart::AfterStart)
            .or_else(|| text.strip_prefix('-').and_then(seconds).map(ReplayStart::BeforeEnd))
            .or_else(|| text::parse_date(text).map(ReplayStart::Date))
            .or_else(|| text::parse_time(text).map(ReplayStart::TimeOfDay)),
    };
    understood.ok_or_else(|| {
        format!("\"{text}\" is not a time: use first, last, +90s, -5m, 07:25:00 or 2026-11-21T07:25:00 (UTC)")
    })
}

/// The error for a moment without a recording.
const AT_NEEDS_RECORDING: &str = "--at needs --recording: swapadm --recording FILE --at TIME status reports on that time, and without a report the interface opens there; replay begins at the start";

impl SourceOptions {
    /// Whether the source is a recording or a captured tree.
    pub fn is_stored(&self) -> bool {
        match self {
            Self::Root(root) => !root.is_live(),
            Self::Recording { .. } => true,
            Self::Machine(_) => false,
        }
    }

    /// Resolves the arguments and the environment. A command that repeats begins at the start of a
    /// recording, any other shows its end.
    ///
    /// # Errors
    /// A captured tree or machine file cannot be read, or `--at` is wrong.
    pub fn resolve(
        args: SourceArgs,
        goes_on: bool,
        environment: &Environment,
    ) -> CommandResult<Self> {
        if let Some(file) = args.recording {
            let at = args.at.as_deref().unwrap_or(if goes_on { "first" } else { "last" });
            return Ok(Self::Recording {
                file,
                at: parse_moment(at).map_err(CommandError::Usage)?,
            });
        }
        if args.at.is_some() {
            return Err(usage(AT_NEEDS_RECORDING));
        }
        if let Some(named) = args.machine {
            let mut machine = SimulatedMachine::read(&named, &environment.user_files())?;
            machine.cells = environment.progress_cells();
            return Ok(Self::Machine(Box::new(machine)));
        }
        match args.sysroot.or_else(|| environment.sysroot.clone()) {
            Some(dir) => captured_tree(&dir).map(Self::Root),
            None => Ok(Self::Root(match &environment.journal {
                Some(journal) => Root::live().with_journal(journal.clone()),
                None => Root::live(),
            })),
        }
    }

    /// The source for plans, which wait longer for slow reads than reports do.
    pub fn patient(self) -> Self {
        match self {
            Self::Root(root) => Self::Root(root.with_patience(Patience::PLAN)),
            other @ (Self::Recording { .. } | Self::Machine(_)) => other,
        }
    }

    /// The root, for commands that need a machine with files.
    ///
    /// # Errors
    /// The source is a recording or a simulated machine.
    pub fn root(&self) -> CommandResult<&Root> {
        match self {
            Self::Root(root) => Ok(root),
            Self::Recording { .. } => {
                let why = "this command reads a machine, not a recording: leave --recording out, or name a captured tree with --sysroot DIR";
                Err(usage(why))
            }
            Self::Machine(_) => {
                let why = "this command does not work on a simulated machine: leave --machine out, or name a captured tree with --sysroot DIR";
                Err(usage(why))
            }
        }
    }

    /// The machine of a command that changes one.
    ///
    /// # Errors
    /// The source is a recording.
    pub fn target(&self) -> CommandResult<ChangeTarget<'_>> {
        match self {
            Self::Machine(machine) => Ok(machine.target()?.into()),
            Self::Root(_) | Self::Recording { .. } => Ok(self.root()?.into()),
        }
    }

    /// Opens the source of snapshots.
    ///
    /// # Errors
    /// A recording cannot be read, or has no snapshot at that time.
    pub fn open(&self) -> CommandResult<SnapshotSource> {
        match self {
            Self::Root(root) => Ok(SnapshotSource::from_root(root.clone())),
            Self::Recording { file, at } => {
                let replay =
                    Replay::open(file, *at).map_err(|error| CommandError::file(file, error))?;
                Ok(SnapshotSource::Replay(Box::new(replay)))
            }
            Self::Machine(machine) => machine.open(),
        }
    }
}

impl RowArgs {
    /// Whether options were typed that only a table has.
    pub fn asks_for_rows(&self) -> bool {
        let chosen = self.output.is_some() || self.sort.is_some() || self.filter.is_some();
        chosen
            || self.timestamp
            || self.csv
            || self.markdown
            || self.raw
            || self.noheadings
            || self.help_columns
            || self.explain
    }

    /// Whether only the table is printed, without sentences below it.
    pub fn has_table_only(&self) -> bool {
        self.json || self.csv || self.markdown || self.raw
    }

    /// The request to a table.
    pub fn request(&self, all: bool, tree: bool) -> Request {
        Request {
            columns: self.output.clone(),
            filter: self.filter.clone(),
            sort: self.sort.clone(),
            all,
            tree,
            two_samples: self.interval.is_some(),
            on_process_page: false,
        }
    }

    /// The layout of a table.
    pub fn look(&self, environment: &Environment) -> TableOptions {
        TableOptions {
            bytes: self.bytes,
            noheadings: self.noheadings,
            raw: self.raw,
            by_name: false,
            width: environment.width,
        }
    }
}

/// The number of directories that are suggested at most.
const MOST_NAMED: usize = 3;

/// Opens a captured tree. A directory without kernel files is refused: every figure would be missing,
/// each with a reason of its own.
fn captured_tree(dir: &Path) -> CommandResult<Root> {
    let root =
        Root::at(dir).map_err(|error| CommandError::file(dir, describe_open_error(&error)))?;
    if holds_machine(&root) {
        return Ok(root);
    }
    let why = format!("has neither proc nor sys; {}", suggest(&machines_below(dir, &root)));
    Err(CommandError::file(dir, why))
}

fn describe_open_error(error: &io::Error) -> String {
    let is_file = error.kind() == io::ErrorKind::NotADirectory;
    let rather = if is_file { "; use --recording for a recording" } else { "" };
    format!("cannot be used as a captured tree: {error}{rather}")
}

fn holds_machine(root: &Root) -> bool {
    root.exists("proc") || root.exists("sys")
}

/// The subdirectories that are captured trees.
fn machines_below(dir: &Path, root: &Root) -> Vec<PathBuf> {
    let names = root.names("").known().cloned().unwrap_or_default();
    let folders = names.iter().map(|name| dir.join(OsStr::from_bytes(name)));
    let machines = folders.filter(|folder| Root::at(folder).is_ok_and(|root| holds_machine(&root)));
    machines.take(MOST_NAMED + 1).collect()
}

/// A suggestion in place of a wrong directory.
fn suggest(folders: &[PathBuf]) -> String {
    let (named, more) = folders.split_at(folders.len().min(MOST_NAMED));
    let named: Vec<String> =
        named.iter().map(|folder| safe_text(&folder.to_string_lossy())).collect();
    if named.is_empty() {
        return "swapadm capture creates a directory that has both".to_owned();
    }
    let more = if more.is_empty() { "" } else { ", or another directory in it" };
    format!("did you mean {}{more}?", named.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(parse_moment("+90s"), Ok(ReplayStart::AfterStart(90.0)));
        assert_eq!(parse_moment("-5m"), Ok(ReplayStart::BeforeEnd(300.0)));
        assert_eq!(parse_moment("07:25"), Ok(ReplayStart::TimeOfDay(26_700_000)));
        assert_eq!(parse_moment("2026-11-21T07:25:00Z"), Ok(ReplayStart::Date(1_795_245_900_000)));
        assert!(parse_moment("soon").unwrap_err().contains("+90s"));
        assert!(parse_moment("+-5").is_err() && parse_moment("+nan").is_err());
    }

    #[test]
    fn lengths_of_time() {
        let parsed = ["2", "0.5s", "300ms", "1h", "-1", "nan", "1e99", "5x"].map(duration);
        let known = [2.0, 0.5, 0.3, 3600.0]
            .map(|seconds| Some(std::time::Duration::from_secs_f64(seconds)));
        assert_eq!(parsed, [known[0], known[1], known[2], known[3], None, None, None, None]);
    }
}
