//! `swapadm capture`, `swapadm record` and `swapadm replay`.

use super::stream::{self, SampleSchedule};
use super::table::{Printer, REPLAYED, unknown};
use super::{clusters, watch};
use crate::cli::args::{CaptureArgs, RecordArgs, ReplayArgs, RowArgs, SettingsArgs, WatchArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{Environment, Invocation, SourceOptions};
use crate::cli::out;
use crate::clock::Clock;
use crate::columns::{Query, Request, tables, units};
use crate::derive::SampleView;
use crate::model::{PartSet, name};
use crate::root::Traced;
use crate::sampler::ReplayStart;
use crate::sampler::capture::{self, CaptureTree};
use crate::sampler::recording::RecordingWriter;
use crate::sys::{self, own_file};
use std::ops::Bound;
use std::path::Path;

/// Captures the machine in a new directory.
///
/// # Errors
/// The directory exists already, or a file cannot be written; then the directory is removed again, or only its contents if
/// it is in a folder of somebody else: root without the right to override permissions cannot remove it from there.
pub fn capture(args: &CaptureArgs, source: &SourceOptions) -> CommandResult {
    let root = source.root()?;
    out::create_folder(&args.dir)?;
    sys::drop_rights_to_change();
    let tree = capture::capture(root, &Clock::Real, args.scrub);
    write(args, &tree).inspect_err(|_| out::remove_folder(&args.dir))?;
    let count = |kind: fn(&Traced) -> bool| tree.values().filter(|traced| kind(traced)).count();
    let files = count(|traced| matches!(traced, Traced::Bytes(_)));
    let errors = count(|traced| matches!(traced, Traced::Error(_)));
    let unread = match errors {
        0 => String::new(),
        errors => format!("; {errors} could not be read (reasons are in machine.toml)"),
    };
    let dir = name::safe_text(&args.dir.to_string_lossy());
    out::remark(&format!("{dir}: {files} files{unread}. Read it with swapadm --sysroot {dir}"));
    Ok(Exit::Done)
}

fn write(args: &CaptureArgs, tree: &CaptureTree) -> CommandResult<()> {
    for (path, traced) in tree {
        let to = args.dir.join(path);
        // Paths below a path follow it directly.
        let mut after = tree.range::<Path, _>((Bound::Excluded(path.as_path()), Bound::Unbounded));
        let is_folder = after.next().is_some_and(|(other, _)| other.starts_with(path));
        match traced {
            Traced::Folder => out::create_folders(&to)?,
            Traced::Bytes(bytes) => {
                out::create_parents(&to)?;
                out::write_new(&to, 0o600, bytes)?;
            }
            // A link to a directory from which files were read becomes that directory.
            Traced::Link(target) if !is_folder => {
                out::create_parents(&to)?;
                out::create_link(&to, target)?;
            }
            Traced::Link(_) | Traced::Error(_) => {}
        }
    }
    Ok(())
}

/// Records until the count is reached or a signal arrives. Snapshots already written stay readable.
///
/// # Errors
/// The file exists already or cannot be written, or the source is a captured tree.
pub fn record(args: &RecordArgs, source: &SourceOptions) -> CommandResult {
    if !matches!(source, SourceOptions::Machine(_)) && !source.root()?.is_live() {
        let why = "a captured tree does not change: record reads this machine or a simulated one";
        return Err(usage(why));
    }
    let pace = SampleSchedule::new(Some(&args.interval), args.count)?;
    // It contains names and command lines of other users' processes.
    let file = out::create_new(&args.file, 0o600)?;
    let mut count: u64 = 0;
    let failed = |error: std::io::Error, count: u64| {
        if count == 0 {
            // It is no recording yet. The earlier error is the one to report.
            let _ = own_file::remove_file(&args.file);
            return CommandError::file(&args.file, error);
        }
        let why = format!("{error}; the {count} snapshots before are readable");
        CommandError::file(&args.file, why)
    };
    let mut writer = RecordingWriter::new(file).map_err(|error| failed(error, 0))?;
    sys::drop_rights_to_change();
    let shown = name::safe_text(&args.file.to_string_lossy());
    if args.count.is_none() {
        let every = units::seconds(pace.interval().as_secs_f64());
        out::remark(&format!("{shown}: recording every {every} until Ctrl-C"));
    }
    let ended = stream::run(source, PartSet::WHOLE, false, pace, |view| {
        writer.add(view.now).map_err(|error| failed(error, count))?;
        count += 1;
        Ok(())
    });
    // Without the right to override permissions, root cannot remove it from a folder of somebody else.
    if count == 0 && own_file::remove_file(&args.file).is_err() && args.file.exists() {
        out::remark(&format!("{shown} has no snapshot: remove it"));
    }
    ended?;
    out::remark(&format!("{shown}: {count} snapshots"));
    Ok(Exit::Done)
}

/// Opens a recording in the interface, or prints a table for each snapshot.
///
/// # Errors
/// The file is not a recording, or the output cannot be written.
pub fn replay(args: &ReplayArgs, environment: &Environment) -> CommandResult {
    if args.rows.interval.is_some() {
        let why = "a recording keeps the interval of its snapshots: use replay without --interval";
        return Err(usage(why));
    }
    let source = SourceOptions::Recording { file: args.file.clone(), at: ReplayStart::First };
    if environment.interactive && !asks_for_table(args) {
        let settings = SettingsArgs { interval: None, look: args.look.clone() };
        let watch = WatchArgs { settings, ..WatchArgs::default() };
        let invocation = Invocation { source, environment: environment.clone() };
        return watch::run(&watch, &invocation);
    }
    sys::drop_rights_on_machine();
    let table = args.table.as_deref().unwrap_or(REPLAYED);
    let spec = tables::find(table).ok_or_else(|| unknown(table))?;
    let request = Request { two_samples: true, ..args.rows.request(false, false) };
    let query = Query::new(spec, &request).map_err(CommandError::Usage)?;
    let pace = SampleSchedule::whole_recording(args.rows.count);
    let rows = with_times(&args.rows);
    let mut printer = Printer::new(&rows, pace, environment)?;
    let reads_clusters = query.needs().only(PartSet::CLUSTERS) == PartSet::CLUSTERS;
    let mut remarks_made = Vec::new();
    stream::run(&source, query.needs(), query.needs_two_samples(), pace, |view| {
        let now = clusters::explain_recording(view.now, &source);
        printer.print(&query, &SampleView { now: &now, before: view.before })?;
        if reads_clusters && !args.rows.has_table_only() {
            clusters::remark_unknown(&now, &mut remarks_made);
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

/// The options of rows, with the time of each sample where people read it.
fn with_times(rows: &RowArgs) -> RowArgs {
    let is_for_scripts = rows.csv || rows.raw || rows.noheadings;
    RowArgs { timestamp: rows.timestamp || !is_for_scripts, ..rows.clone() }
}

/// Whether options were typed that the interface does not have.
fn asks_for_table(args: &ReplayArgs) -> bool {
    let RowArgs { json, bytes, count, .. } = args.rows;
    args.table.is_some() || args.rows.asks_for_rows() || json || bytes || count.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    #[test]
    fn options_of_tables_are_used_or_refused_on_a_terminal() {
        let rows = |rows| ReplayArgs { rows, ..ReplayArgs::default() };
        let count = RowArgs { count: Some(5), ..RowArgs::default() };
        assert!(asks_for_table(&rows(count)));
        assert!(asks_for_table(&rows(RowArgs { bytes: true, ..RowArgs::default() })));
        assert!(!asks_for_table(&ReplayArgs::default()));
        let paced = rows(RowArgs { interval: Some("1".to_owned()), ..RowArgs::default() });
        let terminal = Environment { interactive: true, ..Environment::default() };
        let why = replay(&paced, &terminal).unwrap_err();
        assert!(matches!(why, CommandError::Usage(_)), "{why:?}");
    }

    #[test]
    fn captures_are_private() {
        let dir = tempfile::tempdir().unwrap();
        let args = CaptureArgs { dir: dir.path().join("machine"), scrub: false };
        out::create_folder(&args.dir).unwrap();
        let bytes = Traced::Bytes(b"x".to_vec());
        let tree: CaptureTree = [
            (PathBuf::from("etc"), Traced::Folder),
            (PathBuf::from("proc/7/cmdline"), bytes.clone()),
            (PathBuf::from("machine.toml"), bytes),
        ]
        .into();
        write(&args, &tree).unwrap();
        let mode = |path: &str| {
            let file = std::path::absolute(args.dir.join(path)).unwrap();
            file.symlink_metadata().unwrap().permissions().mode() & 0o777
        };
        let folders = ["", "etc", "proc", "proc/7"].map(mode);
        assert_eq!(folders, [0o700; 4]);
        assert_eq!([mode("proc/7/cmdline"), mode("machine.toml")], [0o600; 2]);
    }
}
