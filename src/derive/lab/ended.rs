//! How what was measured ended, in a word for programs.

use crate::model::run::{Ending, Measured};
use serde::Serialize;

/// How repetitions ended, from the best on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// All that were wanted came to their end.
    Done,
    /// One was stopped, or they were before the last one.
    Stopped,
    /// One failed.
    Failed,
}

impl Ended {
    /// How these ended, of which so many were wanted; none where there was none.
    pub fn of(measured: &[&Measured], wanted: usize) -> Option<Self> {
        let is_any = |is: fn(&Ending) -> bool| measured.iter().any(|it| is(&it.end));
        if measured.is_empty() {
            return None;
        }
        Some(if is_any(|end| matches!(end, Ending::Failed { .. })) {
            Self::Failed
        } else if measured.len() < wanted || is_any(|end| matches!(end, Ending::Stopped { .. })) {
            Self::Stopped
        } else {
            Self::Done
        })
    }
}

/// Why the first of them that was not done ended so.
pub fn why_not_done<'m>(measured: &[&'m Measured]) -> Option<&'m str> {
    measured.iter().find_map(|measured| match &measured.end {
        Ending::Done => None,
        Ending::Stopped { why } | Ending::Failed { why } => Some(why.as_str()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::run::Run;

    #[test]
    fn a_word_says_how_all_of_them_ended() {
        let text = include_str!("../../../tests/results/kept/1-before.json");
        let run: Run = serde_json::from_str(text).unwrap();
        let with = |ends: &[Ending]| -> Vec<Measured> {
            let one = |end: &Ending| Measured { end: end.clone(), ..run.measured[0].clone() };
            ends.iter().map(one).collect()
        };
        let stopped = Ending::Stopped { why: "it was interrupted (SIGINT)".to_owned() };
        let failed = Ending::Failed { why: "a process was killed".to_owned() };
        let of = |ends: &[Ending], wanted| {
            let measured = with(ends);
            let measured: Vec<&Measured> = measured.iter().collect();
            (Ended::of(&measured, wanted), why_not_done(&measured).map(str::to_owned))
        };
        assert_eq!(of(&[], 2), (None, None));
        assert_eq!(of(&[Ending::Done, Ending::Done], 2), (Some(Ended::Done), None));
        assert_eq!(of(&[Ending::Done], 2), (Some(Ended::Stopped), None));
        let (end, why) = of(&[Ending::Done, stopped.clone()], 2);
        assert_eq!(
            (end, why.as_deref()),
            (Some(Ended::Stopped), Some("it was interrupted (SIGINT)"))
        );
        assert_eq!(of(&[stopped, failed], 2).0, Some(Ended::Failed));
    }
}
