//! Two runs side by side.

use super::{Better, Figure, Measure, figures};
use crate::derive::statistics::{Difference, Interval, Summary, Verdict};
use crate::model::Reading;
use crate::model::run::{Area, Run};
use std::collections::BTreeSet;

/// A figure of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
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
    #[must_use]
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
#[must_use]
pub fn compared(first: &Run, second: &Run) -> Vec<Compared> {
    compared_cases(Some(first), Some(second))
}

/// The same of cases that need not have been reached.
#[must_use]
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
        id: figure.id.clone(),
        head: figure.head.clone(),
        measure: figure.measure,
        better: figure.better,
        first: of(&firsts, &figure.id),
        second: of(&seconds, &figure.id),
    };
    all.map(row).collect()
}

/// In what else two runs differ: what was run, where, and with which settings.
#[must_use]
pub fn unlike(first: &Run, second: &Run) -> Vec<String> {
    let text = |what: Option<&str>| what.unwrap_or("not known").to_owned();
    let limit = |run: &Run| match run.limit {
        Some(limit) => format!("{} bytes", limit.0),
        None => "none".to_owned(),
    };
    let cpus = |run: &Run| text(run.machine.cpus.map(|cpus| cpus.to_string()).as_deref());
    let path = |it: &Area| it.path.exact();
    let kind = |it: &Area| {
        let kind = text(it.kind.as_deref());
        it.algorithm.as_ref().map_or(kind.clone(), |how| format!("{kind}/{how}"))
    };
    let size = |it: &Area| it.size.0.to_string();
    let priority = |it: &Area| it.priority.to_string();
    let mut both = vec![
        ("kernel", text(first.machine.kernel.as_deref()), text(second.machine.kernel.as_deref())),
        (
            "next area",
            text(first.machine.policy.as_deref()),
            text(second.machine.policy.as_deref()),
        ),
        ("processors", cpus(first), cpus(second)),
        ("memory limit", limit(first), limit(second)),
        ("areas", areas(first, path), areas(second, path)),
        ("kinds of areas", areas(first, kind), areas(second, kind)),
        ("sizes of areas", areas(first, size), areas(second, size)),
        ("priorities", areas(first, priority), areas(second, priority)),
        ("seed", first.seed.to_string(), second.seed.to_string()),
        ("load", first.workload.name.clone(), second.workload.name.clone()),
    ];
    let paths: BTreeSet<&String> = first.settings.keys().chain(second.settings.keys()).collect();
    let setting = |run: &Run, path: &String| text(run.settings.get(path).map(String::as_str));
    both.extend(
        paths.iter().map(|path| (path.as_str(), setting(first, path), setting(second, path))),
    );
    let unlike = both.into_iter().filter(|(_, first, second)| first != second);
    let lines = unlike.map(|(what, first, second)| format!("{what}: {first} in A, {second} in B"));
    // Loads of the same name can have been changed between.
    let changed = first.workload != second.workload && first.workload.name == second.workload.name;
    lines.chain(changed.then(|| "the load is called the same and is another".to_owned())).collect()
}

/// Something of each area.
fn areas(run: &Run, of: impl Fn(&Area) -> String) -> String {
    run.machine.areas.iter().map(of).collect::<Vec<_>>().join(" ")
}
