//! What was typed, and what it means here: the environment, the terminal and the arguments put
//! together.

use super::args::{RowArgs, SourceArgs};
use super::exit::Failure;
use super::out;
use crate::columns::Request;
use crate::model::civil;
use crate::report::table::Look;
use crate::root::Root;
use crate::sampler::Source;
use crate::sampler::recording::Reader;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the program reads from around it.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `SWAPADM_ROOT`.
    pub sysroot: Option<PathBuf>,
    /// Cells in a line of the terminal; none when the output is not one.
    pub width: Option<usize>,
}

impl Environment {
    /// Look around.
    #[expect(clippy::disallowed_methods, reason = "this is the place that reads the environment")]
    pub fn read() -> Self {
        let sysroot = std::env::var_os("SWAPADM_ROOT").filter(|root| !root.is_empty());
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal = std::io::stdout().is_terminal();
        let width = terminal.then(|| columns.or_else(terminal_width).unwrap_or(80));
        Self { sysroot: sysroot.map(PathBuf::from), width }
    }
}

/// The width that the terminal on standard output says it has.
fn terminal_width() -> Option<usize> {
    let (columns, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(columns.0)).filter(|columns| *columns > 0)
}

/// Where snapshots come from.
#[derive(Clone, Debug)]
pub enum SourceOptions {
    /// The live machine or a captured tree.
    Root(Root),
    /// A recording, from a moment on.
    Recording {
        /// The file.
        file: PathBuf,
        /// The moment.
        at: At,
    },
}

/// A moment in a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// The first snapshot.
    First,
    /// The last one.
    Last,
    /// So many seconds after the first.
    AfterStart(f64),
    /// So many seconds before the last.
    BeforeEnd(f64),
    /// A date and time, in milliseconds since 1970.
    Date(u64),
    /// A time of the day of the first snapshot, in milliseconds since midnight, UTC.
    TimeOfDay(u64),
}

impl At {
    /// Understand `--at`.
    ///
    /// # Errors
    /// A sentence that says what it could have been.
    pub fn parse(text: &str) -> Result<Self, String> {
        let seconds = |text: &str| duration(text).map(|time| time.as_secs_f64());
        let understood = match text {
            "first" => Some(Self::First),
            "last" => Some(Self::Last),
            _ => text
                .strip_prefix('+')
                .and_then(seconds)
                .map(Self::AfterStart)
                .or_else(|| text.strip_prefix('-').and_then(seconds).map(Self::BeforeEnd))
                .or_else(|| civil::parse(text).map(Self::Date))
                .or_else(|| civil::parse_time(text).map(Self::TimeOfDay)),
        };
        understood.ok_or_else(|| {
            format!("\"{text}\" is no moment: use first, last, +90s, -5m, 07:25:00 or 2026-11-21T07:25:00 (UTC)")
        })
    }

    /// Has a recording come to this moment? `first` and `last` are its ends.
    fn reached(self, wall_ms: u64, first: u64, last: u64) -> bool {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive, and a float cast saturates"
        )]
        let millis = |seconds: f64| (seconds * 1000.0) as u64;
        match self {
            Self::First => true,
            Self::Last => wall_ms >= last,
            Self::AfterStart(seconds) => wall_ms >= first.saturating_add(millis(seconds)),
            Self::BeforeEnd(seconds) => wall_ms >= last.saturating_sub(millis(seconds)),
            Self::Date(date) => wall_ms >= date,
            Self::TimeOfDay(time) => wall_ms >= first / 86_400_000 * 86_400_000 + time,
        }
    }
}

impl SourceOptions {
    /// Put the arguments and the environment together.
    ///
    /// # Errors
    /// When a captured tree cannot be opened, or `--at` makes no sense.
    pub fn resolve(args: SourceArgs, environment: &Environment) -> Result<Self, Failure> {
        if let Some(file) = args.recording {
            let at = args.at.as_deref().unwrap_or("last");
            return Ok(Self::Recording { file, at: At::parse(at).map_err(Failure::Usage)? });
        }
        match args.sysroot.or_else(|| environment.sysroot.clone()) {
            Some(dir) => match Root::at(&dir) {
                Ok(root) => Ok(Self::Root(root)),
                Err(error) => {
                    Err(Failure::file(&dir, format!("cannot be used as a captured tree: {error}")))
                }
            },
            None => Ok(Self::Root(Root::live())),
        }
    }

    /// The root, for commands that read files and no recording.
    ///
    /// # Errors
    /// When it is a recording.
    pub fn root(&self) -> Result<&Root, Failure> {
        match self {
            Self::Root(root) => Ok(root),
            Self::Recording { .. } => {
                Err(Failure::Usage("this command reads a machine, not a recording".to_owned()))
            }
        }
    }

    /// Begin to take snapshots.
    ///
    /// # Errors
    /// When a recording cannot be read or has nothing at that moment.
    pub fn open(&self) -> Result<Source, Failure> {
        match self {
            Self::Root(root) => Ok(Source::of(root.clone())),
            Self::Recording { file, at } => from_recording(file, *at),
        }
    }
}

/// Open a recording for reading.
///
/// # Errors
/// When it is not one.
#[expect(
    clippy::disallowed_methods,
    reason = "a recording is the person's file, not the machine's"
)]
pub fn open_recording(file: &Path) -> Result<Reader<BufReader<File>>, Failure> {
    let opened = File::open(file).map_err(|error| Failure::file(file, error))?;
    Reader::new(BufReader::new(opened)).map_err(|error| Failure::file(file, error))
}

fn from_recording(file: &Path, at: At) -> Result<Source, Failure> {
    let mut reader = open_recording(file)?;
    let mut all: VecDeque<_> = reader.by_ref().collect();
    if let Some(why) = reader.cut() {
        out::remark(&format!("{}: cut off after {} snapshots ({why})", file.display(), all.len()));
    }
    let first = all.front().map_or(0, |snapshot| snapshot.stamp.wall_ms);
    let last = all.back().map_or(0, |snapshot| snapshot.stamp.wall_ms);
    let mut before = None;
    while let Some(snapshot) = all.front() {
        if at.reached(snapshot.stamp.wall_ms, first, last) {
            return Ok(Source::Replay { snapshots: all, before });
        }
        before = all.pop_front().map(Box::new);
    }
    let end = civil::text(last);
    Err(Failure::file(file, format!("has nothing at or after that moment; it ends at {end}")))
}

/// A length of time: `2`, `0.5s`, `300ms`, `5m`, `1h`.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    Duration::try_from_secs_f64(number * factor).ok()
}

/// How rows are asked for and shown.
impl RowArgs {
    /// The request to a table.
    #[must_use]
    pub fn request(&self, all: bool, tree: bool) -> Request {
        Request {
            columns: self.output.clone(),
            filter: self.filter.clone(),
            sort: self.sort.clone(),
            all,
            tree,
            two: self.interval.is_some(),
        }
    }

    /// How a table is printed.
    #[must_use]
    pub fn look(&self, environment: &Environment) -> Look {
        Look {
            bytes: self.bytes,
            noheadings: self.noheadings,
            raw: self.raw,
            width: environment.width,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(At::parse("+90s"), Ok(At::AfterStart(90.0)));
        assert_eq!(At::parse("-5m"), Ok(At::BeforeEnd(300.0)));
        assert_eq!(At::parse("07:25"), Ok(At::TimeOfDay(26_700_000)));
        assert_eq!(At::parse("2026-11-21T07:25:00Z"), Ok(At::Date(1_795_245_900_000)));
        assert!(At::parse("soon").unwrap_err().contains("+90s"));
        assert!(At::parse("+-5").is_err() && At::parse("+nan").is_err());
    }

    #[test]
    fn lengths_of_time() {
        let parsed = ["2", "0.5s", "300ms", "1h", "-1", "nan", "1e99", "5x"].map(duration);
        let known = [2.0, 0.5, 0.3, 3600.0].map(|seconds| Some(Duration::from_secs_f64(seconds)));
        assert_eq!(parsed, [known[0], known[1], known[2], known[3], None, None, None, None]);
    }
}
