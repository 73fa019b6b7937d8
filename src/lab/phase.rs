//! What a run is at, how far that is, and how long the rest of that takes.

use super::times::Times;
use super::workers::{Stage, Workers};
use crate::columns::Far;
use crate::model::Stamp;

/// Of what was done, nobody can tell by less than this share of all how long the rest takes.
const LEAST: f64 = 0.05;
/// Nor can they by what was done in less than so many seconds.
const SOON: f64 = 2.0;
/// What has told nothing for longer than so many seconds has slowed down: those that work tell how
/// far they are twice a second.
const SILENT: f64 = 1.5;

/// How far something was, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    share: f64,
    at: Stamp,
}

/// What is done, and how far that is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phase {
    name: &'static str,
    pub(super) begun: Stamp,
    through: usize,
    /// How much all have done on average.
    share: Option<f64>,
    /// How much whoever is farthest behind had done when that was first known: some begin before
    /// others, so that is not always the begin.
    from: Option<Mark>,
    /// How much that is now, and when it was new.
    told: Option<Mark>,
}

impl Phase {
    /// One that begins.
    pub(super) const fn begin(name: &'static str, begun: Stamp) -> Self {
        Self { name, begun, through: 0, share: None, from: None, told: None }
    }

    /// What these are at until they come to a stage is so far now.
    pub(super) fn see_crew(&mut self, crew: &Workers, stage: Stage, now: Stamp) {
        let through = crew.count() - crew.count_before(stage);
        self.see(through, (crew.share(stage), crew.least(stage)), now);
    }

    /// So many are through, and so much is done now: on average, and by whoever is farthest behind.
    /// It is over when that one is through.
    pub(super) fn see(
        &mut self,
        through: usize,
        (share, least): (Option<f64>, Option<f64>),
        now: Stamp,
    ) {
        (self.through, self.share) = (through, share);
        let is_old = self.told.map(|told| told.share) == least;
        if !is_old {
            self.told = least.map(|share| Mark { share, at: now });
        }
        self.from = self.from.or(self.told);
    }

    /// How far it is, in one of so many repetitions.
    pub(super) fn far(
        &self,
        (repetition, of): (u32, u32),
        Times { elapsed, taken, left }: Times,
        processes: usize,
    ) -> Far {
        Far {
            repetition,
            of,
            elapsed,
            taken,
            phase: self.name,
            share: self.share,
            left,
            through: self.through,
            processes,
        }
    }

    /// How long the rest takes, in seconds; none as long as nothing says so.
    pub(super) fn left(&self, now: Stamp) -> Option<f64> {
        let (from, told) = (self.from?, self.told?);
        let silent = now.seconds_since(told.at).min(SILENT);
        let time = now.seconds_since(from.at) - silent;
        let done = told.share - from.share;
        let left = (1.0 - told.share) * time / done - silent;
        // What should be over and is not takes nobody knows how long.
        let is_known = done >= LEAST && time >= SOON && (left > 0.0 || told.share >= 1.0);
        is_known.then(|| left.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Stamp {
        let since = std::time::Duration::from_secs_f64(100.0 + seconds);
        Stamp { boot_ns: u64::try_from(since.as_nanos()).unwrap(), wall_ms: 0 }
    }

    /// One in which whoever is farthest behind told this, each at its time.
    fn phase(told: &[(f64, f64)]) -> Phase {
        let mut phase = Phase::begin("touching", at(0.0));
        for (seconds, share) in told {
            phase.see(0, (Some(0.9), Some(*share)), at(*seconds));
        }
        phase
    }

    fn left(told: &[(f64, f64)], now: f64) -> Option<f64> {
        phase(told).left(at(now)).map(|left| (left * 1000.0).round() / 1000.0)
    }

    #[test]
    fn what_is_left_is_told_once_there_is_something_to_tell_it_by() {
        let first = (0.0, 0.0);
        assert_eq!(left(&[first, (12.0, 0.4)], 12.0), Some(18.0));
        assert_eq!(left(&[first, (12.0, 0.4)], 12.5), Some(17.5), "time passes between tellings");
        assert_eq!(left(&[first, (1.9, 0.4)], 1.9), None, "too soon");
        assert_eq!(left(&[first, (12.0, 0.04)], 12.0), None, "too little");
        assert_eq!(left(&[first, (12.0, 1.0)], 12.0), Some(0.0));
        assert_eq!(left(&[], 12.0), None);
    }

    #[test]
    fn what_was_done_before_it_began_took_no_time_of_it() {
        // A tenth of all in four seconds: that half of it was there at the begin says nothing.
        assert_eq!(left(&[(0.5, 0.5), (4.5, 0.6)], 4.5), Some(16.0));
        assert_eq!(left(&[(0.5, 0.5), (4.5, 0.54)], 4.5), None, "too little since then");
        assert_eq!(left(&[(3.0, 0.5), (4.5, 0.6)], 4.5), None, "too soon after that");
    }

    #[test]
    fn it_takes_as_long_as_whoever_is_farthest_behind() {
        let mut phase = Phase::begin("touching", at(0.0));
        phase.see(0, (Some(0.0), Some(0.0)), at(0.0));
        phase.see(1, (Some(0.625), Some(0.25)), at(10.0));
        assert_eq!(phase.left(at(10.0)), Some(30.0));
        let far = phase.far((2, 3), Times { elapsed: 30.0, taken: 70.0, left: Some(90.0) }, 2);
        assert_eq!((far.share, far.left), (Some(0.625), Some(90.0)));
        assert_eq!((far.elapsed, far.taken), (30.0, 70.0));
        assert_eq!((far.through, far.processes, far.repetition, far.of), (1, 2, 2, 3));
    }

    #[test]
    fn what_stands_still_takes_longer_and_is_never_about_to_end() {
        let told = [(0.0, 0.0), (9.0, 0.9)];
        assert_eq!(left(&told, 9.5), Some(0.5));
        assert_eq!(left(&told, 10.2), None, "it should be over");
        let told = [(0.0, 0.0), (6.0, 0.5)];
        let later: Vec<_> = [6.0, 7.0, 7.5, 8.5, 36.0].map(|now| left(&told, now)).into();
        assert_eq!(later, [Some(6.0), Some(5.0), Some(4.5), Some(5.5), Some(33.0)]);
    }

    #[test]
    fn what_becomes_unknown_has_no_end() {
        let mut phase = phase(&[(0.0, 0.0), (9.0, 0.5)]);
        phase.see(0, (None, None), at(9.5));
        assert_eq!((phase.share, phase.left(at(9.5))), (None, None));
    }
}
