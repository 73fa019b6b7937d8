//! A figure with the values of one factor beside each other, as results are often published: a row
//! for each combination of the other factors.

use super::columns::{self, Column};
use super::contrasts::{Contrast, contrasts};
use super::table::{cell, change};
use crate::columns::{Part, Sheet};
use crate::model::experiment::{Case, Experiment, Level};

/// The factors of a case but one.
type Others<'e> = Vec<&'e Level>;

/// That table, where one is wanted and there is more than one value.
pub(super) fn part(experiment: &Experiment) -> Option<Part> {
    let factor = experiment.across.as_deref()?;
    let column = columns::figure(columns::first(&experiment.columns)?, experiment);
    let values = distinct(experiment.cases.iter().filter_map(|case| case.value(factor)));
    let rows = distinct(experiment.cases.iter().map(|case| others(case, factor)));
    // All combinations are there, or it is no file of ours, and gaps could outnumber the cases.
    if values.len() < 2 || values.len() * rows.len() != experiment.cases.len() {
        return None;
    }
    let title = format!("{}, by {factor}:", column.head);
    let sheet = sheet(experiment, factor, (&column, &values, &rows));
    Some(Part { words: vec![title], sheet: Some(sheet) })
}

fn others<'e>(case: &'e Case, factor: &str) -> Others<'e> {
    case.factors.iter().filter(|level| level.factor != factor).collect()
}

/// Each once, in their order.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut known, one| {
        if !known.contains(&one) {
            known.push(one);
        }
        known
    })
}

fn sheet(
    experiment: &Experiment,
    factor: &str,
    (column, values, rows): (&Column, &[&str], &[Others<'_>]),
) -> Sheet {
    // Of more than two values it would not be clear which change is meant.
    let contrasts = (values.len() == 2).then(|| contrasts(experiment));
    let row = |row: &Others<'_>| -> Vec<String> {
        let is_of = |case: &Case, value: &str| {
            case.value(factor) == Some(value) && others(case, factor) == *row
        };
        let figure = |value: &&str| {
            let place = experiment.cases.iter().position(|case| is_of(case, value));
            place.map_or_else(|| "-".to_owned(), |place| cell(column, place))
        };
        let names = row.iter().map(|level| level.value.clone());
        let changes = contrasts.iter().map(|all| changed(all, factor, row, &column.id));
        names.chain(values.iter().map(figure)).chain(changes).collect()
    };
    let names = rows.first().map_or(&[][..], Vec::as_slice);
    let heads = names.iter().map(|level| level.factor.clone());
    let figures = values.iter().map(|value| format!("{factor} {value}"));
    Sheet {
        names: names.len(),
        heads: heads.chain(figures).chain(contrasts.iter().map(|_| "change".to_owned())).collect(),
        rows: rows.iter().map(row).collect(),
        under: None,
    }
}

/// What changes from the first value to the second.
fn changed(all: &[Contrast], factor: &str, row: &Others<'_>, id: &str) -> String {
    let is_row = |it: &&Contrast| it.factor == factor && it.others.iter().eq(row.iter().copied());
    let figures = all.iter().find(is_row).map_or(&[][..], |it| it.figures.as_slice());
    figures.iter().find(|it| it.id == id).map_or_else(|| "-".to_owned(), change)
}
