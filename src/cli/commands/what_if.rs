//! `swapadm what-if`: what the model of this machine does, now and with changes.

use super::change::find;
use super::selection::parse_priorities;
use super::stream::{self, SampleSchedule};
use crate::change::what_if::{self, MODEL_PARTS, ModelChange, ModelledMachine};
use crate::cli::args::SettingsArgs;
use crate::cli::args::machine::WhatIfArgs;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{self, Environment, Invocation, SourceOptions};
use crate::cli::out::ProgressLine;
use crate::cli::out::{self, Out};
use crate::columns::tables::what_if::WhatIfAnswer;
use crate::columns::text;
use crate::derive::SampleView;
use crate::model::{Reading, part_set};
use crate::report::json::ReportDocument;
use crate::report::table::TableOptions;
use crate::sim::assumed::AssumedLoad;
use crate::sim::describe::LikeMachine;
use crate::ui::what_if::chart_lines;
use std::ffi::OsStr;

/// Prints what the model does.
///
/// # Errors
/// The arguments are wrong, or the machine could not be read.
pub fn run(args: &WhatIfArgs, invocation: &Invocation) -> CommandResult {
    let parts = MODEL_PARTS.with(part_set![Headers]);
    let mut load = read_load(args, &invocation.environment)?;
    let mut progress = ProgressLine::new(&invocation.environment);
    let mut schedule = SampleSchedule::new(None, None)?;
    if args.like_now {
        check_has_traffic(&invocation.source)?;
    }
    let is_live = matches!(&invocation.source, SourceOptions::Root(root) if root.is_live());
    let is_simulated = matches!(&invocation.source, SourceOptions::Machine(_));
    let mut left = 1;
    // A workload says by itself how swap grows.
    let needs_growth = args.rate.is_none() && args.load.is_none();
    if is_live && (args.like_now || needs_growth) {
        left = SAMPLES;
        schedule = SampleSchedule::new(Some(INTERVAL), Some(SAMPLES))?;
        let what = if args.like_now { "traffic and growth" } else { "growth" };
        progress.tell(&[format!("measuring the {what} of swap for 12s (--rate assumes a growth)")]);
    } else if is_simulated && needs_growth && !args.like_now {
        left = SIMULATED_SAMPLES;
        schedule = SampleSchedule::new(Some(SIMULATED_INTERVAL), Some(SIMULATED_SAMPLES))?;
    }
    stream::run(&invocation.source, parts, true, schedule, |view| {
        // A wrong argument is reported at the first sample.
        let changes = changes(args, view, &invocation.source)?;
        left -= 1;
        if left > 0 {
            return Ok(());
        }
        progress.clear();
        let like = like(&invocation.source, view)?;
        if args.like_now {
            load = AssumedLoad::Traffic(what_if::traffic(view).map_err(CommandError::NoData)?);
        }
        let mut machine = ModelledMachine::new(like, view);
        if let Some(rate) = &args.rate {
            machine.growth =
                Reading::Known(what_if::parse_rate(rate).map_err(CommandError::Usage)?);
        }
        let answer = what_if::predict(&machine, &changes, &load, &mut |_| true);
        print(args, &answer.map_err(CommandError::Usage)?, view, &invocation.environment)
    })?;
    progress.clear();
    Ok(Exit::Done)
}

/// The machine of the source: a simulated one as it is, else one like it.
pub(super) fn like(source: &SourceOptions, view: &SampleView<'_>) -> CommandResult<LikeMachine> {
    match source {
        SourceOptions::Machine(machine) => {
            Ok(LikeMachine { setup: machine.setup.clone(), notes: Vec::new() })
        }
        SourceOptions::Root(_) | SourceOptions::Recording { .. } => {
            what_if::like(view.now).map_err(CommandError::NoData)
        }
    }
}

/// The time between two samples, for which traffic is measured.
const INTERVAL: &str = "3s";
/// Samples after the first one: growth needs five in ten seconds.
const SAMPLES: u64 = 4;
/// Samples of a simulated machine are a simulated second apart, whatever the interval.
const SIMULATED_INTERVAL: &str = "10ms";
const SIMULATED_SAMPLES: u64 = 10;

/// The workload of `--load`.
fn read_load(args: &WhatIfArgs, environment: &Environment) -> CommandResult<AssumedLoad> {
    let Some(named) = &args.load else { return Ok(AssumedLoad::Filling) };
    Ok(AssumedLoad::Workload(Box::new(environment.user_files().loads.workload(named)?)))
}

/// Checks that there is traffic to assume: a captured tree is a single moment.
fn check_has_traffic(source: &SourceOptions) -> CommandResult<()> {
    match source {
        SourceOptions::Root(root) if !root.is_live() => Err(usage(
            "--like-now: a captured tree is a single moment and has no traffic: use a recording, or --load LOAD",
        )),
        SourceOptions::Root(_) | SourceOptions::Recording { .. } | SourceOptions::Machine(_) => {
            Ok(())
        }
    }
}

/// The changes that were asked for.
fn changes(
    args: &WhatIfArgs,
    view: &SampleView<'_>,
    source: &SourceOptions,
) -> CommandResult<Vec<ModelChange>> {
    let root = source.root().ok();
    let find_area = |area: &OsStr| find::find_among(view.now.areas(), view.now, root, area);
    let wishes = parse_priorities(&args.priority, find_area)?;
    let kernel = args.kernel.iter().cloned().map(ModelChange::Kernel);
    let priorities = wishes.into_iter().map(|(path, wish)| ModelChange::Priority(path, wish));
    let added = args.add.iter().cloned().map(ModelChange::Add);
    Ok(kernel.chain(priorities).chain(added).collect())
}

/// Rows for all charts together.
const CHART_ROWS: usize = 12;

fn print(
    args: &WhatIfArgs,
    answer: &WhatIfAnswer,
    view: &SampleView<'_>,
    environment: &Environment,
) -> CommandResult<()> {
    if args.json {
        let tables = answer.tables(Some("all")).map_err(CommandError::Usage)?;
        let tables = tables.into_iter().map(|(spec, rows)| (spec, Reading::Known(rows))).collect();
        return Out::new().json(&ReportDocument::new("what-if", view, tables), true);
    }
    let width = out::text_width(environment.width);
    let look =
        TableOptions { bytes: args.bytes, width: environment.width, ..TableOptions::default() };
    let mut lines = answer.table_lines(look);
    let words = answer.conclusions().into_iter().chain(answer.limits());
    let paragraphs: Vec<_> = words.map(|words| text::wrap(&words, width)).collect();
    let empty_line = String::new();
    let (settings, _) = options::resolve("", environment, &SettingsArgs::default())?;
    let appearance = settings.look(&environment.terminal);
    lines.extend(chart_lines(answer, &appearance, (width, CHART_ROWS)));
    lines.extend(paragraphs.join(&empty_line));
    Out::new().lines(lines)
}
