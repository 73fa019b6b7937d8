//! `swapadm results`: stored runs and experiments of the stress lab.

pub mod experiment;
mod form;

use crate::cli::args::SettingsArgs;
use crate::cli::args::results::{
    CompareArgs, ExportArgs, ExportForm, ListArgs, RemoveArgs, ResultsArgs, ResultsCommand,
    ResultsFilterArgs, ResultsOutputArgs, ShowArgs,
};
use crate::cli::commands::change::consent;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{self, Environment, Invocation};
use crate::cli::out::{self, Out};
use crate::columns::tables::lab;
use crate::derive::lab::{RUN, ResultPair, describe_repetitions};
use crate::lab::store::{self, Store};
use crate::model::experiment::{Experiment, StoredResult};
use crate::model::name::safe_text;
use crate::model::run::Run;
use crate::model::text::format_date;
use crate::report::html;
use crate::ui::area_charts::run_lines;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::Path;

/// Lists, shows, compares, exports or removes results.
///
/// # Errors
/// A result does not exist or cannot be read, or the output cannot be written.
pub fn run(args: &ResultsArgs, invocation: &Invocation) -> CommandResult {
    let store = invocation.environment.store()?;
    match &args.command {
        None => list(&args.list, &store, &invocation.environment),
        Some(ResultsCommand::List(args)) => list(args, &store, &invocation.environment),
        Some(ResultsCommand::Show(args)) => show(args, &store, &invocation.environment),
        Some(ResultsCommand::Compare(args)) => compare(args, &store, &invocation.environment),
        Some(ResultsCommand::Export(args)) => export(args, &store),
        Some(ResultsCommand::Remove(args)) => remove(args, &store, &invocation.environment),
    }
}

/// Rows for all charts of a run.
const CHART_ROWS: usize = 12;

fn list(args: &ListArgs, store: &Store, environment: &Environment) -> CommandResult {
    let mut request = args.form.request(&args.choice);
    // The list hides no rows.
    request.all = true;
    let entries = store.list()?;
    let table = lab::results_table(&entries, &request).map_err(CommandError::Usage)?;
    form::print(&[table], "results", &args.form, environment)?;
    if entries.is_empty() && !args.form.json && !args.form.csv {
        let folder = safe_text(&store.folder().to_string_lossy());
        out::remark(&format!("no results in {folder}"));
    }
    Ok(Exit::Done)
}

/// Prints a run, as `results show` does.
///
/// # Errors
/// The output cannot be written.
pub fn print(run: &Run, environment: &Environment) -> CommandResult<()> {
    print_as(run, &ResultsOutputArgs::default(), environment)
}

fn print_as(run: &Run, form: &ResultsOutputArgs, environment: &Environment) -> CommandResult<()> {
    let request = form.request(&ResultsFilterArgs::default());
    let tables = lab::run_tables(run, &request).map_err(CommandError::Usage)?;
    form::print(&tables, "results show", form, environment)?;
    if form.json || form.csv || form.markdown {
        return Ok(());
    }
    let (settings, _) = options::resolve("", environment, &SettingsArgs::default())?;
    let size = (out::text_width(environment.width), CHART_ROWS);
    let mut charts = run_lines(run, &settings.look(&environment.terminal), size);
    // The empty line belongs above them.
    if let Some(last) = charts.pop() {
        charts.insert(0, last);
    }
    Out::new().lines(charts)
}

fn show(args: &ShowArgs, store: &Store, environment: &Environment) -> CommandResult {
    match read_named(&args.run, store)? {
        StoredResult::Run(run) if args.published => return Err(published_needs_experiment(&run)),
        StoredResult::Run(run) => {
            print_as(&run, &args.form, environment)?;
        }
        StoredResult::Experiment(it, beside) => experiment::show(&it, &beside, args, environment)?,
    }
    Ok(Exit::Done)
}

/// The error of `--published` with a run.
fn published_needs_experiment(run: &Run) -> CommandError {
    usage(format!(
        "--published: {} is a run, and only experiments have published figures: swapadm results lists both",
        safe_text(&run.title)
    ))
}

fn export(args: &ExportArgs, store: &Store) -> CommandResult {
    let kept: CommandResult<Vec<StoredResult>> =
        args.runs.iter().map(|it| read_named(it, store)).collect();
    let text = text(kept?, args)?;
    match &args.to {
        None => Out::new().text(&text)?,
        Some(path) => out::write_new(path, 0o644, text.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// The text of exported experiments or runs.
fn text(mut kept: Vec<StoredResult>, args: &ExportArgs) -> CommandResult<String> {
    let experiments = kept.iter().map(|it| match it {
        StoredResult::Experiment(it, beside) => Some((&**it, beside)),
        StoredResult::Run(_) => None,
    });
    if let Some(experiments) = experiments.collect::<Option<Vec<_>>>() {
        return experiment::exported(&experiments, args.format, args.published);
    }
    let runs: CommandResult<Vec<Run>> =
        kept.drain(..).map(|it| Ok(store::expect_run(it)?)).collect();
    let runs = runs?;
    if let (true, [run, ..]) = (args.published, runs.as_slice()) {
        return Err(published_needs_experiment(run));
    }
    match (args.format, runs.as_slice()) {
        (ExportForm::Html, runs) => html::page(runs).map_err(CommandError::NoData),
        (ExportForm::Markdown, runs) => form::markdown(runs),
        (ExportForm::Json, [run]) => json(&Exported { kind: RUN, run }),
        (ExportForm::Csv, [run]) => form::figures(run),
        (ExportForm::Json | ExportForm::Csv, _) => Err(single_only("run")),
    }
}

/// The error of a format that has room for one result only.
fn single_only(kind: &str) -> CommandError {
    usage(format!(
        "JSON and CSV have room for one {kind}: export them one by one, or use --format markdown or html"
    ))
}

/// An exported run: the stored run with its kind.
#[derive(Serialize)]
struct Exported<'r> {
    kind: &'static str,
    #[serde(flatten)]
    run: &'r Run,
}

fn json(document: &impl Serialize) -> CommandResult<String> {
    let text = serde_json::to_string_pretty(document).map_err(std::io::Error::from)?;
    Ok(text + "\n")
}

/// Removes results. All are looked up before one is removed, so that `last` means the one that was last
/// at the start. An experiment is removed with its runs, after a question.
fn remove(args: &RemoveArgs, store: &Store, environment: &Environment) -> CommandResult {
    let id = |text: &OsStr| match parse_result_name(text, store)? {
        ResultName::Kept(id) => Ok(id),
        ResultName::File(path) => Err(usage(format!(
            "{} is not the number of a result: use a number, last or last~1 (exported files are not removed)",
            safe_text(&path.to_string_lossy())
        ))),
    };
    let ids: CommandResult<Vec<u64>> = args.runs.iter().map(|run| id(run)).collect();
    let mut ids = ids?;
    for id in &ids {
        store.check_exists(*id)?;
    }
    let experiments = ids.iter().filter_map(|id| store.experiment(*id));
    let experiments: Vec<Experiment> = experiments.collect();
    if !confirm_removal(&experiments, args, environment)? {
        out::remark("nothing was removed");
        return Ok(Exit::Refused);
    }
    ids.extend(
        experiments.iter().flat_map(Experiment::runs).filter_map(|run| store.stored_id(run)),
    );
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        store.remove(id)?;
    }
    Ok(Exit::Done)
}

/// Asks whether experiments may be removed with their runs.
fn confirm_removal(
    experiments: &[Experiment],
    args: &RemoveArgs,
    environment: &Environment,
) -> CommandResult<bool> {
    if experiments.is_empty() || args.yes {
        return Ok(true);
    }
    for it in experiments {
        let (title, runs) = (safe_text(&it.title), it.run_numbers());
        out::remark(&format!(
            "{} is the experiment {title}; its runs will be removed too: {runs}",
            it.id
        ));
    }
    if environment.interactive {
        return consent::ask_yes_no(&Interrupt::watch(false));
    }
    Err(usage("confirmation needs a terminal: use --yes to remove an experiment with its runs"))
}

/// The name of a result, as typed.
enum ResultName<'t> {
    /// A stored result.
    Kept(u64),
    /// A file.
    File(&'t Path),
}

fn parse_result_name<'t>(text: &'t OsStr, store: &Store) -> CommandResult<ResultName<'t>> {
    let word = text.to_str().unwrap_or_default();
    if let Ok(id) = word.parse() {
        return Ok(ResultName::Kept(id));
    }
    let before = match word.strip_prefix("last") {
        Some("") => Some(0),
        Some(rest) => rest.strip_prefix('~').and_then(|before| before.parse().ok()),
        None => None,
    };
    before.map_or(Ok(ResultName::File(Path::new(text))), |before| {
        Ok(ResultName::Kept(store.last(before)?))
    })
}

/// Reads the named result.
fn read_named(text: &OsStr, store: &Store) -> CommandResult<StoredResult> {
    match parse_result_name(text, store)? {
        ResultName::Kept(id) => Ok(store.read(id)?),
        ResultName::File(path) => Ok(store.read_file(path)?),
    }
}

/// Prints the comparison.
fn compare(args: &CompareArgs, store: &Store, environment: &Environment) -> CommandResult {
    let (first, second) = (read_named(&args.first, store)?, read_named(&args.second, store)?);
    let both = ResultPair::from_results(&first, &second).map_err(CommandError::Usage)?;
    let request = args.form.request(&args.choice);
    let print = |tables: &[lab::FilledTable]| {
        form::print(tables, "results compare", &args.form, environment).map(|()| Exit::Done)
    };
    if args.form.json || args.form.csv {
        let table = lab::compare_in_one_table(&both, &request).map_err(CommandError::Usage)?;
        // CSV has room for one table only.
        let beside = args.form.json.then(|| lab::differences_table(&both)).transpose();
        let beside = beside.map_err(CommandError::Usage)?;
        return print(&[table].into_iter().chain(beside).collect::<Vec<_>>());
    }
    let told = lab::compare_results(&both, &request).map_err(CommandError::Usage)?;
    let lines: Vec<String> =
        describe_both(&both).into_iter().chain(told.lines).chain(told.nothing.clone()).collect();
    form::head(&lines, args.form.markdown, out::text_width(environment.width))?;
    if !told.nothing.is_empty() && told.tables.iter().all(|(_, rows)| rows.cells.is_empty()) {
        form::remarks(&told.tables);
        return Ok(Exit::Done);
    }
    let exit = print(&told.tables)?;
    form::foot(told.below.as_deref(), args.form.markdown, out::text_width(environment.width))?;
    Ok(exit)
}

/// The lines that name A and B.
fn describe_both(both: &ResultPair<'_>) -> [String; 2] {
    let [first, second] = match *both {
        ResultPair::Runs(first, second) => [first, second].map(describe_run),
        ResultPair::Experiments(first, second) => [first, second].map(describe_experiment),
    };
    [format!("A: {first}"), format!("B: {second}")]
}

fn describe_run(run: &Run) -> String {
    in_words(run.id, &run.title, run.at_ms) + &describe_repetitions(run)
}

fn describe_experiment(it: &Experiment) -> String {
    in_words(it.id, &it.title, it.at_ms) + &format!("{} cases", it.cases.len())
}

/// The number of a result if it is stored, its title and its date.
fn in_words(id: u64, title: &str, at_ms: u64) -> String {
    let when = format_date(at_ms);
    match id {
        0 => format!("{title}, {when}, "),
        id => format!("{id} {title}, {when}, "),
    }
}
