//! Whoever sits before an experiment: sees how far it is, and may end it.

use crate::actions::monitor::StopReason;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Environment;
use crate::cli::progress::Line;
use crate::clock::Clock;
use crate::columns::Far;
use crate::lab::outlook::{Outlook, Took};
use crate::lab::runs::{Glance, Onlooker};
use crate::model::Stamp;
use crate::model::name::safe_text;
use std::ops::ControlFlow;

/// How far an experiment is.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// Which run, from 1 on.
    number: usize,
    /// Of how many.
    of: usize,
    /// When that one began to be lent what it needs.
    begun: Stamp,
    ahead: Outlook,
}

impl Way {
    /// Before the first run of these cases.
    pub(super) fn of(order: &[usize]) -> Self {
        let ahead = Outlook::of(order.to_vec());
        Self { number: 0, of: order.len(), begun: Clock::Real.now(), ahead }
    }

    /// Another run begins.
    pub(super) fn next(&mut self) {
        self.number += 1;
        self.begun = Clock::Real.now();
    }

    /// It is over, and what it was lent is given back.
    pub(super) fn over(&mut self, is_done: bool) {
        let seconds = Clock::Real.now().seconds_since(self.begun);
        self.ahead.add(Took { seconds, is_done });
    }

    /// Which run it is, from 1 on.
    pub(super) const fn number(&self) -> usize {
        self.number
    }

    /// Of how many.
    pub(super) const fn all(&self) -> usize {
        self.of
    }

    /// Which run it is of how many, and of which case.
    pub(super) fn words(&self, name: &str) -> String {
        format!("run {}/{} {}", self.number, self.of, safe_text(name))
    }

    /// How far a run is, with the times of all runs and of what lending takes before each.
    pub(super) fn far(&self, far: &Far, now: Stamp) -> Far {
        let elapsed = now.seconds_since(self.begun);
        let taken = self.ahead.taken() + elapsed;
        Far { taken, left: self.ahead.left(elapsed, far.left), ..far.clone() }
    }
}

/// The eyes of the command line.
pub(super) struct Eyes<'a> {
    interrupt: &'a Interrupt,
    line: Line,
    way: &'a Way,
    /// The case that is run.
    name: &'a str,
}

impl<'a> Eyes<'a> {
    pub(super) fn new(
        interrupt: &'a Interrupt,
        environment: &Environment,
        (way, name): (&'a Way, &'a str),
    ) -> Self {
        Self { interrupt, line: Line::new(environment), way, name }
    }

    /// Take the line of progress away.
    pub(super) fn clear(&mut self) {
        self.line.clear();
    }
}

impl Onlooker for Eyes<'_> {
    fn see(&mut self, glance: &Glance<'_>) -> ControlFlow<StopReason> {
        self.line.tell(&pieces(self.way, self.name, (glance, Clock::Real.now())));
        match self.interrupt.came().first() {
            Some(signal) => ControlFlow::Break(StopReason::Signal(*signal)),
            None => ControlFlow::Continue(()),
        }
    }

    fn ended(&mut self) {
        let _ = self.interrupt.came();
    }
}

/// How far it is now.
fn pieces(way: &Way, name: &str, (glance, now): (&Glance<'_>, Stamp)) -> Vec<String> {
    let mut pieces = vec![way.words(name)];
    pieces.extend(way.far(&glance.far, now).pieces(glance.areas, None));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(number: usize, took: &[f64]) -> Way {
        let mut ahead = Outlook::of(vec![0; 9]);
        for seconds in took {
            ahead.add(Took { seconds: *seconds, is_done: true });
        }
        Way { number, of: 9, begun: at(0), ahead }
    }

    fn at(seconds: u64) -> Stamp {
        Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 }
    }

    #[test]
    fn the_times_are_those_of_all_runs() {
        let (phase, share, left) = ("touching", Some(0.4), None);
        let (through, processes) = (0, 1);
        let (elapsed, taken) = (4.0, 4.0);
        let far =
            Far { repetition: 1, of: 1, elapsed, taken, phase, share, left, through, processes };
        let words_at = |seconds, way: &Way, name, left| {
            let far = Far { left, ..far.clone() };
            let glance =
                Glance { far, areas: &[], memory: None, available: None, free: None, waits: None };
            pieces(way, name, (&glance, at(seconds))).join("  ")
        };
        let words = |way: &Way, name, left| words_at(4, way, name, left);
        let first = way(1, &[]);
        assert_eq!(words(&first, "disk", None), "run 1/9 disk  touching 40%  4s  swap 0B");
        let all = "run 1/9 disk  touching 40%  4s, about 86s left  swap 0B";
        assert_eq!(words(&first, "disk", Some(6.0)), all, "as long as the first");
        let later = "run 4/9 disk  touching 40%  34s, about 56s left  swap 0B";
        assert_eq!(words(&way(4, &[10.0; 3]), "disk", Some(6.0)), later);
        let told = "run 4/9 disk  touching 40%  36s, about 56s left  swap 0B";
        let tens = way(4, &[10.0; 3]);
        assert_eq!(words_at(6, &tens, "disk", Some(6.0)), told, "two seconds for lending");
        let told = "run 4/9 disk  touching 40%  36s, about 54s left  swap 0B";
        assert_eq!(words_at(6, &tens, "disk", None), told, "as those before it, with that");
        assert_eq!(way(2, &[]).words("disk"), "run 2/9 disk");
        assert!(!words(&first, "di\x1b[2Jsk", None).contains('\x1b'));
    }
}
