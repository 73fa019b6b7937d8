//! What the cases of an experiment ran with: columns of the table of a run, which is where they are
//! defined.

use super::run::{RunTable, SPEC};
use super::{Rows, ask};
use crate::columns::{Info, Request, Value};
use crate::model::experiment::Experiment;
use crate::model::run::Run;

/// Those columns.
const COLUMNS: &str = "kernel,policy,memory,cpus,limit,areas,settings";

/// What a run ran with, in a row.
///
/// # Errors
/// Never: the columns are there.
pub fn setup(run: &Run) -> Result<Rows, String> {
    let request = Request { columns: Some(COLUMNS.to_owned()), ..Request::default() };
    ask::<RunTable>(&SPEC, &request, &[run]).map(|(_, rows)| rows)
}

/// What all cases ran with, each in a line; where they differ, the values of all of them.
pub fn setup_lines(experiment: &Experiment) -> Vec<String> {
    let rows: Vec<Rows> = experiment.runs().filter_map(|run| setup(run).ok()).collect();
    let Some(first) = rows.first() else { return Vec::new() };
    let cells = |place: usize| -> Vec<&Value> {
        rows.iter().filter_map(|rows| rows.cells.first()?.get(place)).collect()
    };
    let line = |(place, info): (usize, &&'static Info)| {
        format!("{}: {}", info.head, in_words(&cells(place), info))
    };
    first.infos.iter().enumerate().map(line).collect()
}

/// What is the same in all cases, and then what is not.
fn in_words(values: &[&Value], info: &Info) -> String {
    let items: Vec<Vec<String>> = values.iter().map(|value| items(value, info)).collect();
    let mut alike: Vec<&str> = Vec::new();
    let mut by_case: Vec<&str> = Vec::new();
    for item in items.iter().flatten() {
        let is_alike = items.iter().all(|of_case| of_case.contains(item));
        let known = if is_alike { &mut alike } else { &mut by_case };
        if !known.contains(&item.as_str()) {
            known.push(item);
        }
    }
    let by_case = (!by_case.is_empty()).then(|| format!("by case {}", by_case.join(", ")));
    let alike = (!alike.is_empty()).then(|| alike.join(", "));
    alike.into_iter().chain(by_case).collect::<Vec<_>>().join("; ")
}

fn items(value: &Value, info: &Info) -> Vec<String> {
    if let Value::List(items) = value
        && !items.is_empty()
    {
        return items.clone();
    }
    vec![value.human(info.unit, false)]
}
