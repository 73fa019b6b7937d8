//! How often a run is looked at: often at first, so that one of less than a second is seen too, and
//! ever less often until a quarter of a second lies between two looks.
//!
//! What is looked at that often are the areas alone, which are a few files, and for few seconds: a
//! long run costs no more than a short one beside the looks that it always had.

use std::time::Duration;

/// How often what processes tell is taken, and the onlooker is asked, once the run is under way.
pub(super) const TICK: Duration = Duration::from_millis(50);
/// How often the whole machine is looked at, in seconds.
pub(super) const PACE: f64 = 0.25;
/// No look comes sooner after another, in seconds.
const LEAST: f64 = 0.02;
/// As many looks as this lie in a time that is as long as the run was until then.
const LOOKS: f64 = 20.0;

/// How many seconds lie between two looks at the areas, that long after the begin.
pub(super) fn between(since_begin: f64) -> f64 {
    (since_begin / LOOKS).clamp(LEAST, PACE)
}

/// How long what processes tell is waited for, that long after the begin.
pub(super) fn tick(since_begin: f64) -> Duration {
    Duration::from_secs_f64(between(since_begin)).min(TICK)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When a run of so many seconds is looked at, with so much between two looks.
    fn looks(seconds: f64, between: impl Fn(f64) -> f64) -> usize {
        let next = |at: &f64| Some(at + between(*at));
        std::iter::successors(Some(0.0), next).take_while(|at| *at < seconds).count() - 1
    }

    #[test]
    fn a_run_of_less_than_a_second_is_seen_often() {
        assert!(looks(0.1, between) >= 4);
        assert!(looks(0.5, between) >= 23);
    }

    #[test]
    fn a_long_run_is_not_looked_at_more_often_than_before() {
        for seconds in [10.0, 600.0, 86_400.0] {
            let even = looks(seconds, |_| PACE);
            let more = looks(seconds, between) - even;
            assert!(more <= 53, "{more} more in {seconds} s");
            let even = looks(seconds, |_| TICK.as_secs_f64());
            let more = looks(seconds, |at| tick(at).as_secs_f64()) - even;
            assert!(more <= 21, "processes are waited for {more} more times in {seconds} s");
        }
        assert_eq!(looks(600.0, between) - looks(10.0, between), 590 * 4, "then it is even");
    }
}
