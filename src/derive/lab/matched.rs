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
    /// Experiments, which have a case of the same name.
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
        let cases = |it: &Experiment| {
            let names: Vec<String> = it.cases.iter().map(|case| safe_text(&case.name)).collect();
            format!("{} has {}", safe_text(&it.title), names.join(", "))
        };
        Err(format!(
            "the two experiments have no case of the same name: {}, and {}",
            cases(first),
            cases(second)
        ))
    }
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
    #[must_use]
    pub fn runs(&self) -> [Option<&'e Run>; 2] {
        [self.first, self.second].map(|case| case.and_then(|case| case.run.as_ref()))
    }

    /// All its figures that one of the two has.
    #[must_use]
    pub fn compared(&self) -> Vec<Compared> {
        let [first, second] = self.runs();
        let named = |row| Compared { case: Some(self.name.to_owned()), ..row };
        compared_cases(first, second).into_iter().map(named).collect()
    }
}

/// All cases by their names: those of the first, then those that only the second has.
#[must_use]
pub fn pairs<'e>(first: &'e Experiment, second: &'e Experiment) -> Vec<Pair<'e>> {
    let of = |experiment: &'e Experiment, name: &str| {
        experiment.cases.iter().find(|case| case.name == name)
    };
    let firsts = first.cases.iter();
    let news = second.cases.iter().filter(|case| of(first, &case.name).is_none());
    let pair = |case: &'e Case| Pair {
        name: &case.name,
        first: of(first, &case.name),
        second: of(second, &case.name),
    };
    firsts.chain(news).map(pair).collect()
}
