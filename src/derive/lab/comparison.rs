//! Comparison of two runs.

use super::{Better, Measure, RunFigure, ShownUnit, figures};
use crate::derive::statistics::{DifferenceVerdict, Interval, MeanDifference, Summary};
use crate::model::Reading;
use crate::model::experiment::{Case, Experiment, StoredResult};
use crate::model::name::safe_text;
use crate::model::run::Run;

/// A figure of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureComparison {
    /// The case, when comparing experiments.
    pub case: Option<String>,
    /// The name for programs.
    pub id: String,
    /// The name for people.
    pub head: String,
    /// The unit.
    pub measure: Measure,
    /// Which direction is better.
    pub better: Better,
    /// The summary of the first run.
    pub first: Reading<Summary>,
    /// The summary of the second run.
    pub second: Reading<Summary>,
}

impl FigureComparison {
    /// Whether neither run has the figure.
    pub fn is_empty(&self) -> bool {
        self.first.known().is_none() && self.second.known().is_none()
    }

    /// Whether the figure is 0 in all repetitions of both.
    pub fn is_zero(&self) -> bool {
        let all =
            |it: &Reading<Summary>| it.known().is_some_and(|it| it.least == 0.0 && it.most == 0.0);
        all(&self.first) && all(&self.second)
    }

    /// The unit in which both runs are shown.
    pub fn shown(&self) -> ShownUnit {
        let means = [&self.first, &self.second].map(|it| it.known().map_or(0.0, |it| it.mean));
        self.measure.shown(means.into_iter().fold(0.0, f64::max))
    }

    /// The difference of the second run from the first.
    pub fn difference(&self) -> Reading<MeanDifference> {
        let both = self.first.as_ref().map2(self.second.as_ref(), |first, second| (first, second));
        both.map(|(first, second)| MeanDifference::between(first, second))
    }

    /// The difference as a share of the first.
    pub fn change(&self) -> Reading<f64> {
        let share = self.difference().map(|difference| difference.share);
        share.and_then(|share| Reading::or_absent(share, "the value of the first run is 0"))
    }

    /// One end of the confidence interval, as a share of the first.
    pub fn bound(
        &self,
        interval: fn(&MeanDifference) -> Option<Interval>,
        end: fn(&Interval) -> f64,
    ) -> Reading<f64> {
        self.difference().and_then(|difference| {
            let end = interval(&difference).as_ref().map(end);
            Reading::or_absent(
                end,
                "this needs two repetitions of each run, and a first value other than 0",
            )
        })
    }

    /// Whether the change is an improvement; none if it is neutral or there is no difference.
    pub fn is_better(&self, verdict: DifferenceVerdict) -> Option<bool> {
        let is_higher = match verdict {
            DifferenceVerdict::Higher => true,
            DifferenceVerdict::Lower => false,
            DifferenceVerdict::NoDifferenceSeen
            | DifferenceVerdict::TooSmall
            | DifferenceVerdict::TooFew
            | DifferenceVerdict::NotUsed => return None,
        };
        match self.better {
            Better::Higher => Some(is_higher),
            Better::Lower => Some(!is_higher),
            Better::Neither => None,
        }
    }
}

/// Compares all figures of two runs, in the order of the first.
pub fn compare_runs(first: &Run, second: &Run) -> Vec<FigureComparison> {
    compare_cases(Some(first), Some(second))
}

/// Compares two cases, which may be without runs.
pub fn compare_cases(first: Option<&Run>, second: Option<&Run>) -> Vec<FigureComparison> {
    let (firsts, seconds) = (first.map(figures), second.map(figures));
    let of = |figures: &Option<Vec<RunFigure>>, id: &str| {
        let Some(figures) = figures else { return Reading::absent("not measured") };
        let found = figures.iter().find(|figure| figure.id == id);
        Reading::or_absent(found, "this run does not have this figure").and_then(RunFigure::summary)
    };
    let known = |id: &str| firsts.iter().flatten().any(|other| other.id == id);
    let news = seconds.iter().flatten().filter(|figure| !known(&figure.id));
    let all = firsts.iter().flatten().chain(news);
    let row = |figure: &RunFigure| FigureComparison {
        case: None,
        id: figure.id.clone(),
        head: figure.head.clone(),
        measure: figure.measure,
        better: figure.better,
        first: of(&firsts, &figure.id),
        second: of(&seconds, &figure.id),
    };
    all.map(row).collect()
}

/// Two results of the same kind.
#[derive(Clone, Copy, Debug)]
pub enum ResultPair<'k> {
    /// Runs.
    Runs(&'k Run, &'k Run),
    /// Experiments, which have at least one case in common.
    Experiments(&'k Experiment, &'k Experiment),
}

impl<'k> ResultPair<'k> {
    /// Combines two results, or says why they cannot be compared.
    pub fn from_results(first: &'k StoredResult, second: &'k StoredResult) -> Result<Self, String> {
        match (first, second) {
            (StoredResult::Run(first), StoredResult::Run(second)) => Ok(Self::Runs(first, second)),
            (StoredResult::Experiment(first, _), StoredResult::Experiment(second, _)) => {
                Self::from_experiments(first, second)
            }
            (StoredResult::Run(run), StoredResult::Experiment(it, _))
            | (StoredResult::Experiment(it, _), StoredResult::Run(run)) => {
                Err(describe_kind_mismatch(it, run))
            }
        }
    }

    /// Combines two experiments, or says that they have no case in common.
    pub fn from_experiments(first: &'k Experiment, second: &'k Experiment) -> Result<Self, String> {
        if pair_cases(first, second)
            .iter()
            .any(|pair| pair.first.is_some() && pair.second.is_some())
        {
            return Ok(Self::Experiments(first, second));
        }
        Err(format!(
            "the two experiments have no case with the same name and settings: {}, and {}",
            describe_cases(first),
            describe_cases(second)
        ))
    }
}

/// Lists the cases of an experiment, and its factors.
fn describe_cases(experiment: &Experiment) -> String {
    let names: Vec<String> = experiment.cases.iter().map(|case| safe_text(&case.name)).collect();
    let levels = experiment.cases.first().map_or(&[][..], |case| &case.factors);
    let factors: Vec<String> = levels.iter().map(|level| safe_text(&level.factor)).collect();
    let of = if factors.is_empty() { "" } else { " of " };
    let title = safe_text(&experiment.title);
    format!("{title} has {}{of}{}", names.join(", "), factors.join(" and "))
}

/// Checks whether two results can be compared, and says why not.
pub fn check_comparable(first: &StoredResult, second: &StoredResult) -> Result<(), String> {
    ResultPair::from_results(first, second).map(drop)
}

fn describe_kind_mismatch(experiment: &Experiment, run: &Run) -> String {
    format!(
        "{} is an experiment, but {} is a run: compare two runs or two experiments; the runs of the experiment's cases are {}",
        safe_text(&experiment.title),
        safe_text(&run.title),
        experiment.run_numbers()
    )
}

/// A case of one or both of two experiments.
#[derive(Clone, Copy, Debug)]
pub struct CasePair<'e> {
    /// The name.
    pub name: &'e str,
    /// The case in the first experiment.
    pub first: Option<&'e Case>,
    /// The case in the second experiment.
    pub second: Option<&'e Case>,
}

impl<'e> CasePair<'e> {
    /// The runs of the case, where it has one.
    pub fn runs(&self) -> [Option<&'e Run>; 2] {
        [self.first, self.second].map(|case| case.and_then(|case| case.run.as_ref()))
    }

    /// Compares all figures of the two runs.
    pub fn compare(&self) -> Vec<FigureComparison> {
        let [first, second] = self.runs();
        let named = |row| FigureComparison { case: Some(self.name.to_owned()), ..row };
        compare_cases(first, second).into_iter().map(named).collect()
    }
}

/// Pairs the cases of two experiments by name and settings: first those of the first, then those
/// that only the second has. A name alone is not enough: many experiments have a case called
/// `default`.
pub fn pair_cases<'e>(first: &'e Experiment, second: &'e Experiment) -> Vec<CasePair<'e>> {
    let mut left: Vec<&Case> = second.cases.iter().collect();
    let of_first = |case: &'e Case| {
        let place = left.iter().position(|other| is_same(case, other));
        CasePair {
            name: &case.name,
            first: Some(case),
            second: place.map(|place| left.remove(place)),
        }
    };
    let mut pairs: Vec<CasePair<'e>> = first.cases.iter().map(of_first).collect();
    pairs.extend(left.into_iter().map(|case| CasePair {
        name: &case.name,
        first: None,
        second: Some(case),
    }));
    pairs
}

/// Whether two cases have the same name and the same settings, in any order.
fn is_same(first: &Case, second: &Case) -> bool {
    let has_all = || first.factors.iter().all(|level| second.factors.contains(level));
    first.name == second.name && first.factors.len() == second.factors.len() && has_all()
}

#[cfg(test)]
mod tests;
