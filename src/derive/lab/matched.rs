//! Two results side by side: which can be compared, and which cases of two experiments belong
//! together.

use super::{Compared, compared_cases};
use crate::model::experiment::{Case, Experiment};
use crate::model::kept::Kept;
use crate::model::name::safe_text;
use crate::model::run::Run;

/// Two results of the same kind.
#[derive(Clone, Copy, Debug)]
pub enum Both<'k> {
    /// Runs.
    Runs(&'k Run, &'k Run),
    /// Experiments, which have a case in common.
    Experiments(&'k Experiment, &'k Experiment),
}

impl<'k> Both<'k> {
    /// These two.
    ///
    /// # Errors
    /// A sentence that says why they cannot be compared.
    pub fn of(first: &'k Kept, second: &'k Kept) -> Result<Self, String> {
        match (first, second) {
            (Kept::Run(first), Kept::Run(second)) => Ok(Self::Runs(first, second)),
            (Kept::Experiment(first, _), Kept::Experiment(second, _)) => {
                Self::experiments(first, second)
            }
            (Kept::Run(run), Kept::Experiment(it, _))
            | (Kept::Experiment(it, _), Kept::Run(run)) => Err(of_two_kinds(it, run)),
        }
    }

    /// Experiments that have something in common.
    ///
    /// # Errors
    /// That they have not.
    pub fn experiments(first: &'k Experiment, second: &'k Experiment) -> Result<Self, String> {
        if pairs(first, second).iter().any(|pair| pair.first.is_some() && pair.second.is_some()) {
            return Ok(Self::Experiments(first, second));
        }
        Err(format!(
            "the two experiments have no case of the same name that sets the same: {}, and {}",
            cases(first),
            cases(second)
        ))
    }
}

/// Which cases an experiment has, and of which factors.
fn cases(experiment: &Experiment) -> String {
    let names: Vec<String> = experiment.cases.iter().map(|case| safe_text(&case.name)).collect();
    let levels = experiment.cases.first().map_or(&[][..], |case| &case.factors);
    let factors: Vec<String> = levels.iter().map(|level| safe_text(&level.factor)).collect();
    let of = if factors.is_empty() { "" } else { " of " };
    let title = safe_text(&experiment.title);
    format!("{title} has {}{of}{}", names.join(", "), factors.join(" and "))
}

/// Can these two be compared?
///
/// # Errors
/// A sentence that says why they cannot.
pub fn comparable(first: &Kept, second: &Kept) -> Result<(), String> {
    Both::of(first, second).map(drop)
}

fn of_two_kinds(experiment: &Experiment, run: &Run) -> String {
    format!(
        "{} is an experiment and {} a run: two runs are compared, or two experiments; the runs of the experiment's cases are {}",
        safe_text(&experiment.title),
        safe_text(&run.title),
        experiment.run_numbers()
    )
}

/// A case that one of two experiments has, or both of them.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'e> {
    /// What it is called.
    pub name: &'e str,
    /// As the first has it.
    pub first: Option<&'e Case>,
    /// As the second has it.
    pub second: Option<&'e Case>,
}

impl<'e> Pair<'e> {
    /// Its runs, where it was reached.
    pub fn runs(&self) -> [Option<&'e Run>; 2] {
        [self.first, self.second].map(|case| case.and_then(|case| case.run.as_ref()))
    }

    /// All its figures that one of the two has.
    pub fn compared(&self) -> Vec<Compared> {
        let [first, second] = self.runs();
        let named = |row| Compared { case: Some(self.name.to_owned()), ..row };
        compared_cases(first, second).into_iter().map(named).collect()
    }
}

/// All cases by their names and what they set: those of the first, then those that only the second
/// has. A name alone says little: many experiments call a case `default`.
pub fn pairs<'e>(first: &'e Experiment, second: &'e Experiment) -> Vec<Pair<'e>> {
    let mut left: Vec<&Case> = second.cases.iter().collect();
    let of_first = |case: &'e Case| {
        let place = left.iter().position(|other| is_same(case, other));
        Pair { name: &case.name, first: Some(case), second: place.map(|place| left.remove(place)) }
    };
    let mut pairs: Vec<Pair<'e>> = first.cases.iter().map(of_first).collect();
    pairs.extend(left.into_iter().map(|case| Pair {
        name: &case.name,
        first: None,
        second: Some(case),
    }));
    pairs
}

/// Are these called the same, and set the same, in whatever order?
fn is_same(first: &Case, second: &Case) -> bool {
    let has_all = || first.factors.iter().all(|level| second.factors.contains(level));
    first.name == second.name && first.factors.len() == second.factors.len() && has_all()
}

#[cfg(test)]
mod tests;
