//! Whoever sits before an experiment: sees how far it is, and may end it.

use crate::actions::run::Go;
use crate::cli::interrupt::{self, Interrupt};
use crate::cli::options::Environment;
use crate::cli::progress::Line;
use crate::clock::Clock;
use crate::columns::units;
use crate::lab::runs::{Glance, Onlooker};
use crate::model::Stamp;
use crate::model::name::safe_text;

/// How far an experiment is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Which run, from 1 on.
    number: usize,
    /// Of how many.
    of: usize,
    begun: Stamp,
    /// How long all runs before this one took, in seconds.
    taken: f64,
}

impl Way {
    /// Before the first of so many runs.
    pub(super) fn of(of: usize) -> Self {
        Self { number: 0, of, begun: Clock::Real.now(), taken: 0.0 }
    }

    /// Another run begins.
    pub(super) fn next(&mut self) {
        self.number += 1;
        self.taken = Clock::Real.now().seconds_since(self.begun);
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

    /// How long the rest may take, by what a run took so far; this one runs for so long.
    fn left(&self, elapsed: f64) -> Option<f64> {
        let before = self.number.checked_sub(1).filter(|before| *before > 0)?;
        let each = self.taken / before as f64;
        let rest = (self.of - before) as f64;
        Some((each * rest - elapsed).max(0.0))
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
    fn see(&mut self, glance: &Glance<'_>) -> Go {
        self.line.tell(&pieces(self.way, self.name, glance));
        match self.interrupt.came().first() {
            Some(signal) => Go::Stop(interrupt::why(*signal)),
            None => Go::On,
        }
    }

    fn ended(&mut self) {
        let _ = self.interrupt.came();
    }
}

/// How far it is. Where there is no room for all of it, it is the time of all runs that goes first.
fn pieces(way: &Way, name: &str, glance: &Glance<'_>) -> Vec<String> {
    let mut pieces = vec![way.words(name)];
    pieces.extend(glance.far.pieces(glance.areas, None));
    let all = way.left(glance.far.elapsed).map(|left| units::seconds(left.ceil()));
    pieces.extend(all.map(|left| format!("all runs: about {left} left")));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Far;

    #[test]
    fn what_is_left_is_told_by_what_runs_took() {
        let begun = Stamp { boot_ns: 0, wall_ms: 0 };
        let way = |number, taken| Way { number, of: 9, begun, taken };
        assert_eq!(way(1, 0.0).left(5.0), None);
        assert_eq!(way(4, 30.0).left(4.0), Some(56.0));
        assert_eq!(way(9, 80.0).left(90.0), Some(0.0));
        let (phase, share, left) = ("touching", Some(0.4), Some(6.0));
        let (through, processes) = (0, 1);
        let (elapsed, since) = (4.0, 4.0);
        let far =
            Far { repetition: 1, of: 1, elapsed, since, phase, share, left, through, processes };
        let glance =
            Glance { far, areas: &[], memory: None, available: None, free: None, waits: None };
        let first = "run 1/9 disk  touching 40%  4s, about 6s left  swap 0B";
        let words = |way, name| pieces(&way, name, &glance).join("  ");
        assert_eq!(words(way(1, 0.0), "disk"), first);
        let later =
            "run 4/9 disk  touching 40%  4s, about 6s left  swap 0B  all runs: about 56s left";
        assert_eq!(words(way(4, 30.0), "disk"), later);
        assert_eq!(way(2, 0.0).words("disk"), "run 2/9 disk");
        assert!(!words(way(1, 0.0), "di\x1b[2Jsk").contains('\x1b'));
    }
}
