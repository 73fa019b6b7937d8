//! Which cases are compared with which: each value of a factor with its first, where all other
//! factors are the same.

use super::columns::USED;
use crate::derive::lab::{Compared, compared_cases};
use crate::model::experiment::{Case, Experiment, Level};
use crate::model::run::Ending;

/// Two cases that differ in one factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// The factor.
    pub factor: String,
    /// Its value in the second case.
    pub value: String,
    /// Its first value.
    pub against: String,
    /// The other factors, which are the same in both.
    pub others: Vec<Level>,
    /// How many runs of the case that has fewer came to their end.
    pub runs: usize,
    /// The figures of the experiment's table.
    pub figures: Vec<Compared>,
}

/// All of them that were measured often enough to say something.
pub fn contrasts(experiment: &Experiment) -> Vec<Contrast> {
    all(experiment).into_iter().filter(|contrast| contrast.runs >= 2).collect()
}

/// All of them, also where a case was not reached.
pub fn all(experiment: &Experiment) -> Vec<Contrast> {
    let factors = experiment.cases.first().map_or(&[][..], |case| case.factors.as_slice());
    let all = factors.iter().flat_map(|first| {
        let is_base = |case: &&Case| case.value(&first.factor) == Some(first.value.as_str());
        experiment.cases.iter().filter(is_base).flat_map(move |base| {
            let others =
                experiment.cases.iter().filter(move |case| differ(case, base, &first.factor));
            others.filter_map(move |case| contrast(experiment, &first.factor, (base, case)))
        })
    });
    all.collect()
}

/// Do two cases differ in this factor and in no other? Other loads do other things: neither is the
/// better one.
fn differ(case: &Case, base: &Case, factor: &str) -> bool {
    let mut pairs = case.factors.iter().zip(&base.factors);
    let load = |case: &Case| case.run.as_ref().map(|run| run.workload.name.clone());
    let other_load = load(case).zip(load(base)).is_some_and(|(one, other)| one != other);
    case != base
        && !other_load
        && pairs.all(|(one, other)| (one == other) != (one.factor == factor))
}

fn contrast(
    experiment: &Experiment,
    factor: &str,
    (base, case): (&Case, &Case),
) -> Option<Contrast> {
    let is_shown = |row: &Compared| experiment.columns.contains(&row.id) && row.id != USED;
    let figures = compared_cases(base.run.as_ref(), case.run.as_ref());
    Some(Contrast {
        factor: factor.to_owned(),
        value: case.value(factor)?.to_owned(),
        against: base.value(factor)?.to_owned(),
        others: case.factors.iter().filter(|it| it.factor != factor).cloned().collect(),
        runs: done(base).min(done(case)),
        figures: figures.into_iter().filter(is_shown).collect(),
    })
}

/// How often it came to its end.
fn done(case: &Case) -> usize {
    let measured = case.run.iter().flat_map(|run| &run.measured);
    measured.filter(|measured| measured.end == Ending::Done).count()
}
