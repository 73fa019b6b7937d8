//! Two experiments side by side: a comparison for each case that both have, and what else differs.

use super::unlike::{self, Unlike};
use super::{Table, Told, apart, comparison_of};
use crate::columns::Request;
use crate::columns::Rows;
use crate::derive::lab::{Compared, Pair, pairs};
use crate::model::experiment::{Case, Experiment, USED};
use crate::model::run::Run;

/// What is said below them beyond the words of every comparison.
const SHOWN: &str = "Figures are those of the tables of the two experiments: --all shows all that the runs of their cases have.";

/// Each case that both have, in a table of its own.
pub(super) fn told(
    first: &Experiment,
    second: &Experiment,
    request: &Request,
) -> Result<Told, String> {
    let is_chosen = !request.all && request.filter.is_none();
    let pairs = in_both(first, second);
    let below = apart(pairs.iter().flat_map(runs));
    let mut told = Told { lines: lines(first, second), nothing: vec![], tables: vec![], below };
    for pair in pairs {
        let mut rows = pair.compared();
        rows.retain(|row| !is_chosen || is_shown(row, [first, second]));
        let (spec, rows) = comparison_of(rows, request)?;
        let nothing = unlike::nothing(pair.runs()).filter(|_| rows.cells.is_empty());
        told.nothing.extend(nothing.map(|why| format!("{}: {why}", pair.name)));
        told.tables.push((spec, Rows { title: Some(pair.name.to_owned()), ..rows }));
    }
    say_once(&mut told.tables, is_chosen);
    Ok(told)
}

/// The runs of a case, each with its name.
fn runs<'e>(pair: &Pair<'e>) -> impl Iterator<Item = (Option<String>, &'e Run)> + use<'e> {
    let name = pair.name;
    let both = pair.runs().into_iter().zip(["A", "B"]);
    both.filter_map(move |(run, side)| Some((Some(format!("{name} of {side}")), run?)))
}

/// What stands below all of them alike stands below the last that is shown.
fn say_once(tables: &mut [Table], is_chosen: bool) {
    let mut below = tables.iter_mut().rev().filter_map(|(_, rows)| rows.below.as_mut());
    if let Some(words) = below.next().filter(|_| is_chosen) {
        *words = format!("{words} {SHOWN}");
    }
    let last = tables.iter().rposition(|(_, rows)| rows.below.is_some());
    for (place, (_, rows)) in tables.iter_mut().enumerate() {
        rows.below = rows.below.take().filter(|_| Some(place) == last);
    }
}

/// All figures of all cases that both have.
pub(super) fn compared(first: &Experiment, second: &Experiment) -> Vec<Compared> {
    in_both(first, second).iter().flat_map(Pair::compared).collect()
}

fn in_both<'e>(first: &'e Experiment, second: &'e Experiment) -> Vec<Pair<'e>> {
    let mut pairs = pairs(first, second);
    pairs.retain(|pair| pair.first.is_some() && pair.second.is_some());
    pairs
}

/// Does the table of one of them have this figure, or that of areas, which it is a figure of?
fn is_shown(row: &Compared, experiments: [&Experiment; 2]) -> bool {
    let is_used = row.id == "uneven" || row.id.starts_with("used_peak_");
    let mut columns = experiments.iter().flat_map(|it| &it.columns);
    columns.any(|id| *id == row.id || (is_used && id == USED))
}

fn lines(first: &Experiment, second: &Experiment) -> Vec<String> {
    unlike_of(first, second).iter().map(Unlike::line).collect()
}

/// In what else two experiments differ: what they are, which cases one of them lacks, and in what
/// the runs of the others do.
pub(super) fn unlike_of(first: &Experiment, second: &Experiment) -> Vec<Unlike> {
    let both = |of: fn(&Experiment) -> String| [of(first), of(second)];
    let pairs = pairs(first, second);
    let own = [
        ("experiment", both(|it| it.title.clone())),
        ("question", both(|it| it.question.clone())),
        ("repetitions", both(|it| it.repetitions.to_string())),
    ];
    let mut rows: Vec<Unlike> = own.into_iter().map(Unlike::of).collect();
    rows.extend(pairs.iter().map(|pair| {
        let states = [pair.first, pair.second].map(|case| state(case).to_owned());
        Unlike::of((&format!("case {}", pair.name), states))
    }));
    rows.extend(of_runs(&pairs));
    rows.retain(Unlike::differs);
    rows
}

fn state(case: Option<&Case>) -> &'static str {
    match case.map(|case| &case.run) {
        Some(Some(_)) => "measured",
        Some(None) => "not measured",
        None => "not there",
    }
}

/// What differs in all cases alike is said once, what differs in some of them with their names.
fn of_runs(pairs: &[Pair<'_>]) -> Vec<Unlike> {
    let measured = |pair: &Pair<'_>| match pair.runs() {
        [Some(first), Some(second)] => unlike::rows(first, second),
        _ => Vec::new(),
    };
    let all = pairs.iter().filter(|pair| pair.runs().iter().all(Option::is_some)).count();
    let mut found: Vec<(Unlike, Vec<&str>)> = Vec::new();
    for pair in pairs {
        for row in measured(pair) {
            match found.iter_mut().find(|(known, _)| *known == row) {
                Some((_, names)) => names.push(pair.name),
                None => found.push((row, vec![pair.name])),
            }
        }
    }
    let named = |(row, names): (Unlike, Vec<&str>)| {
        if names.len() == all { row } else { row.in_cases(&names) }
    };
    found.into_iter().map(named).collect()
}
