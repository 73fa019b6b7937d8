//! Two runs or two experiments side by side.

use super::{form, named};
use crate::cli::args::results::CompareArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::Environment;
use crate::cli::out;
use crate::columns::tables::lab;
use crate::derive::lab::Both;
use crate::lab::store::Store;
use crate::model::experiment::Experiment;
use crate::model::run::Run;
use crate::model::text;

/// Print how they differ.
pub(super) fn compare(
    args: &CompareArgs,
    store: &Store,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let (first, second) = (named(&args.first, store)?, named(&args.second, store)?);
    let both = Both::of(&first, &second).map_err(Failure::Usage)?;
    let request = args.form.request(&args.choice);
    let print = |tables: &[lab::Table]| {
        form::print(tables, "results compare", &args.form, environment).map(|()| Exit::Done)
    };
    if args.form.json || args.form.csv {
        let table = lab::in_one(&both, &request).map_err(Failure::Usage)?;
        // A file of CSV holds one table.
        let beside = args.form.json.then(|| lab::beside(&both)).transpose();
        let beside = beside.map_err(Failure::Usage)?;
        return print(&[table].into_iter().chain(beside).collect::<Vec<_>>());
    }
    let told = lab::of_both(&both, &request).map_err(Failure::Usage)?;
    let lines: Vec<String> =
        called(&both).into_iter().chain(told.lines).chain(told.nothing.clone()).collect();
    form::head(&lines, args.form.markdown, out::text_width(environment.width))?;
    if !told.nothing.is_empty() && told.tables.iter().all(|(_, rows)| rows.cells.is_empty()) {
        form::remarks(&told.tables);
        return Ok(Exit::Done);
    }
    let exit = print(&told.tables)?;
    form::foot(told.below.as_deref(), args.form.markdown, out::text_width(environment.width))?;
    Ok(exit)
}

/// What A and B are.
fn called(both: &Both<'_>) -> [String; 2] {
    let [first, second] = match *both {
        Both::Runs(first, second) => [first, second].map(of_run),
        Both::Experiments(first, second) => [first, second].map(of_experiment),
    };
    [format!("A: {first}"), format!("B: {second}")]
}

fn of_run(run: &Run) -> String {
    in_words(run.id, &run.title, run.at_ms) + &format!("{} repetitions", run.measured.len())
}

fn of_experiment(it: &Experiment) -> String {
    in_words(it.id, &it.title, it.at_ms) + &format!("{} cases", it.cases.len())
}

/// One of them in a few words; its number where it has one.
fn in_words(id: u64, title: &str, at_ms: u64) -> String {
    let when = text::date(at_ms);
    match id {
        0 => format!("{title}, {when}, "),
        id => format!("{id} {title}, {when}, "),
    }
}
