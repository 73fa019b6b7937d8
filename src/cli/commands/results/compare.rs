//! `swapadm results compare`: two runs or two experiments side by side.

use super::{form, read_named};
use crate::cli::args::results::CompareArgs;
use crate::cli::exit::{CommandError, CommandResult, Exit};
use crate::cli::options::Environment;
use crate::cli::out;
use crate::columns::tables::lab;
use crate::derive::lab::{ResultPair, describe_repetitions};
use crate::lab::store::Store;
use crate::model::experiment::Experiment;
use crate::model::run::Run;
use crate::model::text;

/// Prints the comparison.
pub(super) fn compare(
    args: &CompareArgs,
    store: &Store,
    environment: &Environment,
) -> CommandResult {
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
    let when = text::format_date(at_ms);
    match id {
        0 => format!("{title}, {when}, "),
        id => format!("{id} {title}, {when}, "),
    }
}
