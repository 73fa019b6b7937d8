//! `swapadm metrics`.

pub mod server;

use super::stream::{self, SampleSchedule};
use crate::cli::args::{MetricsArgs, SettingsArgs};
use crate::cli::exit::{CommandResult, Exit, usage};
use crate::cli::options::{self, Invocation};
use crate::cli::out::{self, Out};
use crate::model::name::safe_text;
use crate::report::metrics::{MetricFormat, MetricSelection};
use std::ffi::OsStr;

/// Prints metrics, writes them to a file, or answers scrapes.
///
/// # Errors
/// The file cannot be written, or the address cannot be listened on.
pub fn run(args: &MetricsArgs, invocation: &Invocation) -> CommandResult {
    let selection =
        MetricSelection { cgroups: args.cgroup.clone(), processes: args.process.clone() };
    let (policy, problems) = options::policy(&invocation.environment, &SettingsArgs::default())?;
    options::remark_problems(&problems);
    if let Some(address) = args.listen {
        server::run(address, server::Scraper::new(invocation.source.open()?, selection, policy))?;
        return Ok(Exit::Done);
    }
    if let Some(file) = &args.textfile
        && file.extension() != Some(OsStr::new("prom"))
    {
        return Err(usage(format!(
            "--textfile {}: node_exporter reads only files with a name that ends in .prom",
            safe_text(&file.to_string_lossy())
        )));
    }
    let once = SampleSchedule::new(None, None)?;
    stream::run(&invocation.source, selection.needs(), true, once, |view| match &args.textfile {
        Some(file) => {
            out::publish_file(file, &selection.text(view, &policy, MetricFormat::Prometheus))
        }
        None => Out::new().text(&selection.text(view, &policy, MetricFormat::OpenMetrics)),
    })?;
    Ok(Exit::Done)
}
