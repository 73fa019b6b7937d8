//! Whoever sits before an experiment: sees how far it is, and may end it.

use crate::actions::run::Go;
use crate::cli::interrupt::{self, Interrupt};
use crate::cli::out;
use crate::clock::Clock;
use crate::columns::units::{self, size};
use crate::lab::runs::{Glance, Onlooker};
use crate::model::{Bytes, Stamp};

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
    /// Is there somebody to tell?
    told: bool,
    way: &'a Way,
    /// The case that is run.
    name: &'a str,
    line: String,
}

impl<'a> Eyes<'a> {
    pub(super) fn new(
        interrupt: &'a Interrupt,
        told: bool,
        (way, name): (&'a Way, &'a str),
    ) -> Self {
        Self { interrupt, told, way, name, line: String::new() }
    }

    /// Take the line of progress away.
    pub(super) fn clear(&mut self) {
        if !self.line.is_empty() {
            out::progress("");
            self.line.clear();
        }
    }
}

impl Onlooker for Eyes<'_> {
    fn see(&mut self, glance: &Glance<'_>) -> Go {
        let line = words(self.way, self.name, glance);
        if self.told && line != self.line {
            out::progress(&line);
            self.line = line;
        }
        match self.interrupt.came().first() {
            Some(signal) => Go::Stop(interrupt::why(*signal)),
            None => Go::On,
        }
    }

    fn ended(&mut self) {
        let _ = self.interrupt.came();
    }
}

/// How far it is, on one line.
fn words(way: &Way, name: &str, glance: &Glance<'_>) -> String {
    let used: Bytes = glance.areas.iter().filter_map(|area| area.used.known().copied()).sum();
    let mut words = vec![format!("{}/{} {name}", way.number, way.of)];
    words.push(format!("{} {}/{}", glance.phase, glance.through, glance.processes));
    words.push(units::seconds(glance.elapsed.floor()));
    words.push(format!("swap {}", size(used)));
    let left = way.left(glance.elapsed);
    words.extend(left.map(|left| format!("about {} left", units::seconds(left.ceil()))));
    words.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_by_what_runs_took() {
        let begun = Stamp { boot_ns: 0, wall_ms: 0 };
        let way = |number, taken| Way { number, of: 9, begun, taken };
        assert_eq!(way(1, 0.0).left(5.0), None);
        assert_eq!(way(4, 30.0).left(4.0), Some(56.0));
        assert_eq!(way(9, 80.0).left(90.0), Some(0.0));
    }
}
