//! Two runs side by side.

use super::{Better, Figure, Measure, figures};
use crate::derive::statistics::{Difference, Interval, Summary, Verdict};
use crate::model::Reading;
use crate::model::run::Run;

/// A figure of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The case of two experiments; none of two runs.
    pub case: Option<String>,
    /// Its name for programs.
    pub id: String,
    /// What it is called.
    pub head: String,
    /// What its numbers count.
    pub measure: Measure,
    /// Which direction is wished for.
    pub better: Better,
    /// What it comes to in the first run.
    pub first: Reading<Summary>,
    /// The same in the second.
    pub second: Reading<Summary>,
}

impl Compared {
    /// Has neither of them such a figure?
    pub fn is_empty(&self) -> bool {
        self.first.known().is_none() && self.second.known().is_none()
    }

    /// Is it 0 in both, in each of their repetitions?
    pub fn is_zero(&self) -> bool {
        let all =
            |it: &Reading<Summary>| it.known().is_some_and(|it| it.least == 0.0 && it.most == 0.0);
        all(&self.first) && all(&self.second)
    }

    /// By how much the second differs from the first.
    pub fn difference(&self) -> Reading<Difference> {
        let both = self.first.as_ref().map2(self.second.as_ref(), |first, second| (first, second));
        both.map(|(first, second)| Difference::between(first, second))
    }

    /// The difference as a share of the first.
    pub fn change(&self) -> Reading<f64> {
        let share = self.difference().map(|difference| difference.share);
        share.and_then(|share| super::or_absent(share, "the first is 0"))
    }

    /// One end of an interval.
    pub fn bound(
        &self,
        interval: fn(&Difference) -> Option<Interval>,
        end: fn(&Interval) -> f64,
    ) -> Reading<f64> {
        self.difference().and_then(|difference| {
            let end = interval(&difference).as_ref().map(end);
            super::or_absent(
                end,
                "that takes two repetitions on each side, and a first that is not 0",
            )
        })
    }

    /// Is that what people wish for? None where nobody wishes, or nothing differs.
    pub fn is_better(&self, verdict: Verdict) -> Option<bool> {
        let is_higher = match verdict {
            Verdict::Higher => true,
            Verdict::Lower => false,
            Verdict::NoDifferenceSeen | Verdict::TooFew => return None,
        };
        match self.better {
            Better::Higher => Some(is_higher),
            Better::Lower => Some(!is_higher),
            Better::Neither => None,
        }
    }
}

/// All figures that one of them has, in the order of the first.
pub fn compared(first: &Run, second: &Run) -> Vec<Compared> {
    compared_cases(Some(first), Some(second))
}

/// The same of cases that need not have been reached.
pub fn compared_cases(first: Option<&Run>, second: Option<&Run>) -> Vec<Compared> {
    let (firsts, seconds) = (first.map(figures), second.map(figures));
    let of = |figures: &Option<Vec<Figure>>, id: &str| {
        let Some(figures) = figures else { return Reading::absent("it was not measured") };
        let found = figures.iter().find(|figure| figure.id == id);
        found.map_or_else(|| Reading::absent("this run has no such figure"), Figure::summary)
    };
    let known = |id: &str| firsts.iter().flatten().any(|other| other.id == id);
    let news = seconds.iter().flatten().filter(|figure| !known(&figure.id));
    let all = firsts.iter().flatten().chain(news);
    let row = |figure: &Figure| Compared {
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
