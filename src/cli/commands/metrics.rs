//! `swapadm metrics`.

pub mod server;

use super::stream::{self, SampleSchedule};
use crate::cli::args::{MetricsArgs, SettingsArgs};
use crate::cli::exit::{CommandResult, Exit, usage};
use crate::cli::options::{self, Invocation};
use crate::cli::out::{self, Out};
use crate::model::name::safe_text;
use crate::model::{Name, Snapshot};
use crate::report::metrics::{MetricFormat, MetricSelection};
use std::ffi::OsStr;

/// Prints metrics, writes them to a file, or answers scrapes.
///
/// # Errors
/// The file cannot be written, or the address cannot be listened on.
pub fn run(args: &MetricsArgs, invocation: &Invocation) -> CommandResult {
    let cgroups = args.cgroup.iter().map(|path| cgroup_path(path)).collect::<CommandResult<_>>()?;
    let selection = MetricSelection { cgroups, processes: args.process.clone() };
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
    stream::run(&invocation.source, selection.needs(), true, once, |view| {
        remark_unknown_cgroups(&selection, view.now);
        match &args.textfile {
            Some(file) => {
                out::publish_file(file, &selection.text(view, &policy, MetricFormat::Prometheus))
            }
            None => Out::new().text(&selection.text(view, &policy, MetricFormat::OpenMetrics)),
        }
    })?;
    Ok(Exit::Done)
}

/// The path of a cgroup as tables have it: without a slash at its end.
fn cgroup_path(path: &str) -> CommandResult<String> {
    if !path.starts_with('/') {
        let path = safe_text(path);
        return Err(usage(format!(
            "--cgroup {path}: the path of a cgroup begins with a slash; did you mean /{path}?"
        )));
    }
    let trimmed = path.trim_end_matches('/');
    Ok(if trimmed.is_empty() { "/" } else { trimmed }.to_owned())
}

/// Prints a remark for each named cgroup that has no metrics now. It may be created later.
fn remark_unknown_cgroups(selection: &MetricSelection, now: &Snapshot) {
    for path in &selection.cgroups {
        let path = Name::from(path.as_str());
        let why = match now.cgroups.reading.get() {
            Ok(tree) if tree.group(&path).is_some() => continue,
            Ok(_) => "it does not exist now".to_owned(),
            Err(missing) => missing.why(),
        };
        out::remark(&format!("no cgroup {}: {why}, so its metrics are left out", path.safe()));
    }
}
