//! `swapadm record`: snapshots into a file.

use super::stream::{self, Pace};
use crate::cli::args::RecordArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::SourceOptions;
use crate::cli::out;
use crate::model::{Part, PartSet};
use crate::sampler::recording::Writer;

/// Everything but what walks page tables, and the details of processes without swap.
const RECORDED: &[Part] = &[
    Part::Kernel,
    Part::Access,
    Part::Swaps,
    Part::Headers,
    Part::Meminfo,
    Part::Vmstat,
    Part::Psi,
    Part::Diskstats,
    Part::Block,
    Part::Zram,
    Part::Zswap,
    Part::Thp,
    Part::Knobs,
    Part::Numa,
    Part::Config,
    Part::Processes,
    Part::ProcessDetail,
    Part::Cgroups,
    Part::Shm,
    Part::Sources,
];

/// Record until the count is reached or somebody stops it; what was written stays readable.
///
/// # Errors
/// When the file is there already, or cannot be written any more.
pub fn run(args: &RecordArgs, source: &SourceOptions) -> Result<Exit, Failure> {
    let pace = Pace::new(Some(&args.interval), args.count)?;
    // It holds names and command lines of other people's processes.
    let file = out::create_new(&args.file, 0o600)?;
    let failed = |error| Failure::file(&args.file, error);
    let mut writer = Writer::new(file).map_err(failed)?;
    let mut count: u64 = 0;
    stream::run(source, PartSet::of(RECORDED), false, pace, |view| {
        writer.add(view.now).map_err(failed)?;
        count += 1;
        Ok(())
    })?;
    out::remark(&format!("{}: {count} snapshots", args.file.display()));
    Ok(Exit::Done)
}
