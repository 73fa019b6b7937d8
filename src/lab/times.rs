//! How long a run has taken, and how long it and those that follow take yet.

use super::outlook::Outlook;
use super::workers::Stage;
use crate::model::load::{After, Work, Workload};

/// How long a repetition takes, and all of them, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    /// For how long this one has run.
    pub(super) elapsed: f64,
    /// For how long all of it has run, those before this one too.
    pub(super) taken: f64,
    /// How long all of it takes yet, those after this one too; none where nobody knows.
    pub(super) left: Option<f64>,
}

/// What a repetition takes yet, in seconds; none where nobody knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// What it is at.
    pub(super) phase: Option<f64>,
    /// What comes after that.
    pub(super) after: Option<f64>,
}

impl Times {
    /// Those of a repetition that has taken so many seconds: one that takes longer than it may is
    /// ended by then.
    pub(super) fn of(elapsed: f64, rest: Rest, (ahead, at_most): (&Outlook, f64)) -> Self {
        let rest = rest.phase.zip(rest.after).map(|(phase, after)| phase + after);
        let rest = rest.map(|rest| rest.min((at_most - elapsed).max(0.0)));
        Self { elapsed, taken: ahead.taken() + elapsed, left: ahead.left(elapsed, rest) }
    }
}

/// How long that takes which comes after all processes have come to this stage.
pub(super) fn after(load: &Workload, stage: Stage) -> Option<f64> {
    match (stage, load.after) {
        (Stage::Ended, _) => Some(0.0),
        // Nobody knows that before it is begun.
        (_, After::Swapoff) => None,
        (Stage::Ready, After::Nothing) => touching(load),
        // Giving memory back is short.
        (_, After::Nothing) => Some(0.0),
    }
}

/// How long touching takes, where the load says so.
fn touching(load: &Workload) -> Option<f64> {
    let each = |work: &Work| work.seconds.filter(|_| work.rounds == 1);
    let all: Option<Vec<f64>> = load.works.iter().map(each).collect();
    all?.into_iter().reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::outlook::Took;

    /// The second of three runs, of which the first took ten seconds.
    fn ahead() -> Outlook {
        let mut ahead = Outlook::of(vec![0; 3]);
        ahead.add(Took { seconds: 10.0, is_done: true });
        ahead
    }

    fn times(elapsed: f64, phase: Option<f64>, after: Option<f64>) -> Times {
        Times::of(elapsed, Rest { phase, after }, (&ahead(), 20.0))
    }

    #[test]
    fn what_is_left_is_that_of_this_run_and_of_those_that_follow() {
        let expected = Times { elapsed: 4.0, taken: 14.0, left: Some(3.0 + 2.0 + 10.0) };
        assert_eq!(times(4.0, Some(3.0), Some(2.0)), expected);
        let by_others = Some(6.0 + 10.0);
        assert_eq!(times(4.0, None, Some(2.0)).left, by_others);
        assert_eq!(times(4.0, Some(3.0), None).left, by_others);
    }

    #[test]
    fn what_takes_longer_than_it_may_is_ended_by_then() {
        assert_eq!(times(4.0, Some(90.0), Some(0.0)).left, Some(16.0 + 10.0));
        assert_eq!(times(20.5, Some(90.0), Some(0.0)).left, Some(0.0 + 10.0));
    }

    #[test]
    fn how_long_switching_off_takes_is_not_known_before() {
        let text = |after: &str| {
            format!("about = \"a\"\nafter = \"{after}\"\n[[work]]\nsize = \"1M\"\nseconds = 5\n")
        };
        let after = |word| {
            let load = crate::lab::load::file::read("a", &text(word)).unwrap();
            [Stage::Ready, Stage::Touched, Stage::Ended].map(|stage| after(&load, stage))
        };
        assert_eq!(after("nothing"), [Some(5.0), Some(0.0), Some(0.0)]);
        assert_eq!(after("swapoff"), [None, None, Some(0.0)]);
    }
}
