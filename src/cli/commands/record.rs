//! `swapadm record`: snapshots into a file.

use super::stream::{self, Pace};
use crate::cli::args::RecordArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::SourceOptions;
use crate::cli::out;
use crate::model::{PartSet, name};
use crate::sampler::recording::Writer;

/// Record until the count is reached or somebody stops it (Ctrl-C); what was written stays readable.
///
/// # Errors
/// When the file is there already, cannot be written any more, or there is no live machine.
pub fn run(args: &RecordArgs, source: &SourceOptions) -> Result<Exit, Failure> {
    if !source.root()?.is_live() {
        let why = "a captured tree never changes: record takes snapshots of this machine";
        return Err(Failure::Usage(why.to_owned()));
    }
    let pace = Pace::new(Some(&args.interval), args.count)?;
    // It holds names and command lines of other people's processes.
    let file = out::create_new(&args.file, 0o600)?;
    let mut count: u64 = 0;
    let failed = |error: std::io::Error, count: u64| {
        Failure::file(&args.file, format!("{error}; {count} snapshots before that can be read"))
    };
    let mut writer = Writer::new(file).map_err(|error| failed(error, 0))?;
    let shown = name::safe_text(&args.file.to_string_lossy());
    if args.count.is_none() {
        out::remark(&format!("{shown}: a snapshot every {}, until Ctrl-C", args.interval));
    }
    stream::run(source, PartSet::WHOLE, false, pace, |view| {
        writer.add(view.now).map_err(|error| failed(error, count))?;
        count += 1;
        Ok(())
    })?;
    out::remark(&format!("{shown}: {count} snapshots"));
    Ok(Exit::Done)
}
