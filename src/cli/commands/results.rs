//! `swapadm results`: runs and experiments of the stress lab that are kept.

mod compare;
pub mod experiment;
mod form;

use crate::cli::args::results::{
    ChoiceArgs, ExportArgs, ExportForm, FormArgs, ListArgs, RemoveArgs, ResultsArgs,
    ResultsCommand, ShowArgs,
};
use crate::cli::commands::change::consent;
use crate::cli::exit::{Exit, Failure};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::columns::tables::lab;
use crate::derive::lab::RUN;
use crate::lab::store::{self, Store};
use crate::model::experiment::{Experiment, Kept};
use crate::model::name::safe_text;
use crate::model::run::Run;
use crate::report::html;
use serde::Serialize;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;

/// List, show, compare, export or remove results.
///
/// # Errors
/// When one is not there, cannot be read, or nothing can be written.
pub fn run(
    args: &ResultsArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    // Results are not those of a recording, and whoever names one is told so.
    source.root()?;
    let store = environment.store()?;
    match &args.command {
        None => list(&args.list, &store, environment),
        Some(ResultsCommand::List(args)) => list(args, &store, environment),
        Some(ResultsCommand::Show(args)) => show(args, &store, environment),
        Some(ResultsCommand::Compare(args)) => compare::compare(args, &store, environment),
        Some(ResultsCommand::Export(args)) => export(args, &store),
        Some(ResultsCommand::Remove(args)) => remove(args, &store, environment),
    }
}

fn list(args: &ListArgs, store: &Store, environment: &Environment) -> Result<Exit, Failure> {
    let mut request = args.form.request(&args.choice);
    // All of them are rows of one table, of which nothing is left out.
    request.all = true;
    let entries = store.list()?;
    let table = lab::of_entries(&entries, &request).map_err(Failure::Usage)?;
    form::print(&[table], "results", &args.form, environment)?;
    if entries.is_empty() && !args.form.json && !args.form.csv {
        let folder = safe_text(&store.folder().to_string_lossy());
        out::remark(&format!("no result is kept in {folder}"));
    }
    Ok(Exit::Done)
}

/// Print what a run has shown, as `results show` does.
///
/// # Errors
/// When it cannot be printed.
pub fn print(run: &Run, environment: &Environment) -> Result<(), Failure> {
    let form = FormArgs::default();
    let request = form.request(&ChoiceArgs::default());
    let tables = lab::of_run(run, &request).map_err(Failure::Usage)?;
    form::print(&tables, "results show", &form, environment)
}

fn show(args: &ShowArgs, store: &Store, environment: &Environment) -> Result<Exit, Failure> {
    match named(&args.run, store)? {
        Kept::Run(run) if args.published => return Err(of_no_run(&run)),
        Kept::Run(run) => {
            let request = args.form.request(&ChoiceArgs::default());
            let tables = lab::of_run(&run, &request).map_err(Failure::Usage)?;
            form::print(&tables, "results show", &args.form, environment)?;
        }
        Kept::Experiment(it, beside) => experiment::show(&it, &beside, args, environment)?,
    }
    Ok(Exit::Done)
}

/// That a run has no published figures.
fn of_no_run(run: &Run) -> Failure {
    Failure::Usage(format!(
        "--published: {} is a run, and what is published is of experiments: swapadm results says which results are one",
        safe_text(&run.title)
    ))
}

fn export(args: &ExportArgs, store: &Store) -> Result<Exit, Failure> {
    let kept: Result<Vec<Kept>, Failure> = args.runs.iter().map(|it| named(it, store)).collect();
    let text = text(kept?, args)?;
    match &args.to {
        None => Out::new().raw(&text)?,
        Some(path) => write(path, &text)?,
    }
    Ok(Exit::Done)
}

/// Experiments, or runs.
fn text(mut kept: Vec<Kept>, args: &ExportArgs) -> Result<String, Failure> {
    let experiments = kept.iter().map(|it| match it {
        Kept::Experiment(it, beside) => Some((&**it, beside)),
        Kept::Run(_) => None,
    });
    if let Some(experiments) = experiments.collect::<Option<Vec<_>>>() {
        return experiment::exported(&experiments, args.format, args.published);
    }
    let runs: Result<Vec<Run>, Failure> = kept.drain(..).map(|it| Ok(store::as_run(it)?)).collect();
    let runs = runs?;
    if let (true, [run, ..]) = (args.published, runs.as_slice()) {
        return Err(of_no_run(run));
    }
    match (args.format, runs.as_slice()) {
        (ExportForm::Html, runs) => html::page(runs).map_err(Failure::Nothing),
        (ExportForm::Markdown, runs) => form::markdown(runs),
        (ExportForm::Json, [run]) => json(&Exported { kind: RUN, run }),
        (ExportForm::Csv, [run]) => form::figures(run),
        (ExportForm::Json | ExportForm::Csv, _) => Err(holds_one("run")),
    }
}

/// That a form has no place for several.
fn holds_one(kind: &str) -> Failure {
    Failure::Usage(format!(
        "a file of JSON or CSV holds one {kind}: export them one by one, or with --format markdown or html"
    ))
}

/// A run for others, who are told what it is. It is read again as it is kept.
#[derive(Serialize)]
struct Exported<'r> {
    kind: &'static str,
    #[serde(flatten)]
    run: &'r Run,
}

fn json(document: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(document).map_err(std::io::Error::from)?;
    Ok(text + "\n")
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = out::create_new(path, 0o644)?.write_all(text.as_bytes());
    written.map_err(|error| Failure::file(path, error))
}

/// All are looked for before one is removed: `last` means the one that was last when it was typed.
/// An experiment goes with its runs, and not before that was said.
fn remove(args: &RemoveArgs, store: &Store, environment: &Environment) -> Result<Exit, Failure> {
    let id = |text: &OsStr| match place(text, store)? {
        Place::Kept(id) => Ok(id),
        Place::File(path) => Err(Failure::Usage(format!(
            "{} is no number of a result, nor last or last~1: files elsewhere are not removed",
            safe_text(&path.to_string_lossy())
        ))),
    };
    let ids: Result<Vec<u64>, Failure> = args.runs.iter().map(|run| id(run)).collect();
    let mut ids = ids?;
    for id in &ids {
        store.look_for(*id)?;
    }
    let experiments = ids.iter().filter_map(|id| store.experiment(*id));
    let experiments: Vec<Experiment> = experiments.collect();
    if !is_wanted(&experiments, args, environment)? {
        out::remark("nothing was removed");
        return Ok(Exit::Refused);
    }
    ids.extend(experiments.iter().flat_map(Experiment::runs).filter_map(|run| store.still(run)));
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        store.remove(id)?;
    }
    Ok(Exit::Done)
}

/// Shall experiments be removed with their runs?
fn is_wanted(
    experiments: &[Experiment],
    args: &RemoveArgs,
    environment: &Environment,
) -> Result<bool, Failure> {
    if experiments.is_empty() || args.yes {
        return Ok(true);
    }
    for it in experiments {
        let (title, runs) = (safe_text(&it.title), it.run_numbers());
        out::remark(&format!(
            "{} is the experiment {title}: its runs are removed with it: {runs}",
            it.id
        ));
    }
    if environment.interactive {
        return consent::question(&Interrupt::watch(false));
    }
    let why = "nobody can be asked here: say --yes to remove an experiment with its runs";
    Err(Failure::Usage(why.to_owned()))
}

/// What was typed for a result.
enum Place<'t> {
    /// One that is kept.
    Kept(u64),
    /// A file.
    File(&'t Path),
}

fn place<'t>(text: &'t OsStr, store: &Store) -> Result<Place<'t>, Failure> {
    let word = text.to_str().unwrap_or_default();
    if let Ok(id) = word.parse() {
        return Ok(Place::Kept(id));
    }
    let before = match word.strip_prefix("last") {
        Some("") => Some(0),
        Some(rest) => rest.strip_prefix('~').and_then(|before| before.parse().ok()),
        None => None,
    };
    before.map_or(Ok(Place::File(Path::new(text))), |before| Ok(Place::Kept(store.last(before)?)))
}

/// What was named.
fn named(text: &OsStr, store: &Store) -> Result<Kept, Failure> {
    match place(text, store)? {
        Place::Kept(id) => Ok(store.read(id)?),
        Place::File(path) => Ok(store.file(path)?),
    }
}
