//! Comparison of two experiments: figures of each case that both have, and differences in setup.

use super::setup_differences::{self, SetupDifference};
use super::{ComparisonReport, FilledTable, comparison_table, run_notes};
use crate::columns::Request;
use crate::columns::Rows;
use crate::derive::lab::{CasePair, FigureComparison, pair_cases};
use crate::model::experiment::{Case, Experiment, USED};
use crate::model::run::Run;

/// Note below the comparison of experiments.
const SHOWN: &str =
    "The figures are those that the tables of the two experiments show; --all shows every figure.";

/// Compares each case that both experiments have in its own table.
pub(super) fn compare_experiments(
    first: &Experiment,
    second: &Experiment,
    request: &Request,
) -> Result<ComparisonReport, String> {
    let is_chosen = !request.all && request.filter.is_none();
    let pairs = in_both(first, second);
    let below = run_notes(pairs.iter().flat_map(runs));
    let mut told =
        ComparisonReport { lines: lines(first, second), nothing: vec![], tables: vec![], below };
    for pair in pairs {
        let mut rows = pair.compare();
        rows.retain(|row| !is_chosen || is_shown(row, [first, second]));
        let (spec, rows) = comparison_table(rows, request)?;
        let nothing = setup_differences::why_cases_not_comparable(pair.runs())
            .filter(|_| rows.cells.is_empty());
        told.nothing.extend(nothing.map(|why| format!("{}: {why}", pair.name)));
        told.tables.push((spec, Rows { title: Some(pair.name.to_owned()), ..rows }));
    }
    say_once(&mut told.tables, is_chosen);
    Ok(told)
}

/// The runs of a case, each with its name and side.
fn runs<'e>(pair: &CasePair<'e>) -> impl Iterator<Item = (Option<String>, &'e Run)> + use<'e> {
    let name = pair.name;
    let both = pair.runs().into_iter().zip(["A", "B"]);
    both.filter_map(move |(run, side)| Some((Some(format!("{name} of {side}")), run?)))
}

/// Keeps the note below the last table with rows only.
fn say_once(tables: &mut [FilledTable], is_chosen: bool) {
    let mut below = tables.iter_mut().rev().filter_map(|(_, rows)| rows.below.as_mut());
    if let Some(words) = below.next().filter(|_| is_chosen) {
        *words = format!("{words} {SHOWN}");
    }
    let last = tables.iter().rposition(|(_, rows)| rows.below.is_some());
    for (place, (_, rows)) in tables.iter_mut().enumerate() {
        rows.below = rows.below.take().filter(|_| Some(place) == last);
    }
}

/// Compares all figures of all cases that both experiments have.
pub(super) fn compared(first: &Experiment, second: &Experiment) -> Vec<FigureComparison> {
    in_both(first, second).iter().flat_map(CasePair::compare).collect()
}

fn in_both<'e>(first: &'e Experiment, second: &'e Experiment) -> Vec<CasePair<'e>> {
    let mut pairs = pair_cases(first, second);
    pairs.retain(|pair| pair.first.is_some() && pair.second.is_some());
    pairs
}

/// Whether the table of one of the experiments shows this figure, or the areas that it belongs to.
fn is_shown(row: &FigureComparison, experiments: [&Experiment; 2]) -> bool {
    let is_used = row.id == "uneven" || row.id.starts_with("used_peak_");
    let mut columns = experiments.iter().flat_map(|it| &it.columns);
    columns.any(|id| *id == row.id || (is_used && id == USED))
}

fn lines(first: &Experiment, second: &Experiment) -> Vec<String> {
    experiment_differences(first, second).iter().map(SetupDifference::line).collect()
}

/// Differences in the setup of two experiments: title, question, repetitions, cases that one of them
/// lacks, and the setup of the runs.
pub(super) fn experiment_differences(
    first: &Experiment,
    second: &Experiment,
) -> Vec<SetupDifference> {
    let both = |of: fn(&Experiment) -> String| [of(first), of(second)];
    let pairs = pair_cases(first, second);
    let own = [
        ("experiment", both(|it| it.title.clone())),
        ("question", both(|it| it.question.clone())),
        ("repetitions", both(|it| it.repetitions.to_string())),
    ];
    let mut rows: Vec<SetupDifference> = own.into_iter().map(SetupDifference::new).collect();
    rows.extend(pairs.iter().map(|pair| {
        let states = [pair.first, pair.second].map(|case| state(case).to_owned());
        SetupDifference::new((&format!("case {}", pair.name), states))
    }));
    rows.extend(run_differences(&pairs));
    rows.retain(SetupDifference::differs);
    rows
}

fn state(case: Option<&Case>) -> &'static str {
    match case.map(|case| &case.run) {
        Some(Some(_)) => "measured",
        Some(None) => "not measured",
        None => "absent",
    }
}

/// Setup differences of the runs: those of all cases once, those of some cases with their names.
fn run_differences(pairs: &[CasePair<'_>]) -> Vec<SetupDifference> {
    let measured = |pair: &CasePair<'_>| match pair.runs() {
        [Some(first), Some(second)] => setup_differences::rows(first, second),
        _ => Vec::new(),
    };
    let all = pairs.iter().filter(|pair| pair.runs().iter().all(Option::is_some)).count();
    let mut found: Vec<(SetupDifference, Vec<&str>)> = Vec::new();
    for pair in pairs {
        for row in measured(pair) {
            match found.iter_mut().find(|(known, _)| *known == row) {
                Some((_, names)) => names.push(pair.name),
                None => found.push((row, vec![pair.name])),
            }
        }
    }
    let named = |(row, names): (SetupDifference, Vec<&str>)| {
        if names.len() == all { row } else { row.in_cases(&names) }
    };
    found.into_iter().map(named).collect()
}
