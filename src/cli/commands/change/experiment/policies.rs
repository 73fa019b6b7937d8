//! `swapadm experiment run policies`: published experiments of kernel developers beside the simulated machine.

use crate::cli::args::lab::ExperimentArgs;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::Environment;
use crate::cli::out::ProgressLine;
use crate::cli::out::{self, Out};
use crate::columns::tables::lab::published as page;
use crate::columns::text;
use crate::lab::session::spec;
use crate::report::json::ResultsDocument;
use crate::report::table::{self, TableOptions};
use crate::sim::published::{ComparedFigure, PublishedTable, TABLES, compare, count_runs};
use std::ffi::OsStr;

/// The name of the experiment.
pub(super) const NAME: &str = "policies";
/// The question.
pub(super) const QUESTION: &str =
    "Does the simulated machine reproduce what kernel developers published about swap policies?";
/// The description.
pub(super) const ABOUT: &str = "Compares the published tables A to E with the model, figure by figure. It needs no root and changes nothing.";
/// Why it has no file.
pub(super) const NO_FILE: &str = "policies compares published tables with the simulated machine and has no file: use swapadm experiment run policies";

/// Whether an experiment is this one.
pub(super) fn is_named(name: &OsStr) -> bool {
    name == NAME
}

/// The number of its cases.
pub(super) fn cases() -> usize {
    count_runs(&TABLES.iter().collect::<Vec<_>>())
}

/// Simulates the cases, and prints each published figure beside that of the model.
pub(super) fn run(args: &ExperimentArgs, environment: &Environment) -> CommandResult {
    refuse_others(args)?;
    let tables = choose(&args.only)?;
    let scale = args.scale.map(spec::check_scale).transpose()?.unwrap_or(1.0);
    if args.change.dry_run && args.change.json {
        let why = "--json: policies prints its figures as JSON, not its plan: leave out --dry-run";
        return Err(CommandError::Usage(why.to_owned()));
    }
    if args.change.dry_run {
        Out::new().lines(
            tables
                .iter()
                .map(|it| format!("{}: {} runs of the model", page::title(it), count_runs(&[it]))),
        )?;
        return Ok(Exit::Done);
    }
    let all = count_runs(&tables);
    let mut line = ProgressLine::new(environment);
    let mut begun = 0;
    let mut parts = Vec::new();
    for table in tables {
        let figures = compare(table, scale, &mut |case| {
            begun += 1;
            line.tell(&[format!("{begun}/{all} {}", table.letter), case.to_owned()]);
        });
        parts.push((table, figures));
    }
    line.clear();
    print(&parts, args.change.json, environment)?;
    Ok(Exit::Done)
}

/// Refuses options that only runs of workloads have.
fn refuse_others(args: &ExperimentArgs) -> CommandResult<()> {
    let change = &args.change;
    let given = [
        ("--limit", args.limit.is_some()),
        ("--kind", args.kind.is_some()),
        ("--file-in", args.file_in.is_some()),
        ("--repeat", args.repeat.is_some()),
        ("--seed", args.seed != 1),
        ("--published", args.published),
        ("--no-keep", args.no_keep),
        ("--on", !args.on.is_empty()),
        ("--force", !change.force.is_empty()),
        ("--persist", change.persist),
        ("--timeout", change.timeout.is_some()),
        ("--max-psi", change.max_psi.is_some()),
        ("--wait", change.wait.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(usage(format!(
            "{option} does not apply to policies, which runs on its own simulated machines: use --only table=A, --scale, --dry-run or --json"
        ))),
    }
}

/// The tables that were asked for.
fn choose(only: &[String]) -> CommandResult<Vec<&'static PublishedTable>> {
    let mut tables: Vec<&PublishedTable> = TABLES.iter().collect();
    for typed in only {
        let choice = spec::parse_choice(typed);
        let is_known = |value: &String| TABLES.iter().any(|it| value == &it.letter.to_string());
        if choice.factor != "table" || !choice.values.iter().all(is_known) {
            let letters: Vec<String> = TABLES.iter().map(|it| it.letter.to_string()).collect();
            let letters = letters.join(",");
            return Err(usage(format!("--only \"{choice}\": {NAME} has table={letters}")));
        }
        tables.retain(|it| choice.values.contains(&it.letter.to_string()));
    }
    Ok(tables)
}

fn print(
    parts: &[(&'static PublishedTable, Vec<ComparedFigure>)],
    json: bool,
    environment: &Environment,
) -> CommandResult<()> {
    let all: Vec<ComparedFigure> = parts.iter().flat_map(|(_, it)| it.clone()).collect();
    if json {
        let tables = [page::table(&all, true).map_err(CommandError::Usage)?];
        let document = ResultsDocument { command: "experiment run policies", tables: &tables };
        return Out::new().json(&document, true);
    }
    let width = out::text_width(environment.width);
    let look = TableOptions { width: environment.width, ..TableOptions::default() };
    let paragraph = |words: &str| {
        text::wrap(words, width).into_iter().chain([String::new()]).collect::<Vec<_>>()
    };
    let mut lines = Vec::new();
    for (part, figures) in parts {
        lines.extend(paragraph(&page::title(part)));
        lines.extend(page::introduction(part).iter().flat_map(|words| paragraph(words)));
        let (_, rows) = page::table(figures, false).map_err(CommandError::Usage)?;
        lines.extend(table::lines(&rows, look));
        lines.push(String::new());
        lines.extend(page::remarks(part, figures).iter().flat_map(|words| paragraph(words)));
    }
    lines.extend(paragraph(&page::legend()));
    lines.extend(text::wrap(&page::summary(&all), width));
    Out::new().lines(lines)
}
