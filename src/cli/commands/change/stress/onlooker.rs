//! Whoever sits before a run: sees how far it is, and may end it.

use crate::actions::run::Go;
use crate::cli::interrupt::{self, Interrupt};
use crate::cli::out;
use crate::columns::units::{self, size};
use crate::lab::runs::{Glance, Onlooker};
use crate::model::Bytes;

/// The eyes of the command line.
pub(super) struct Eyes<'a> {
    interrupt: &'a Interrupt,
    /// Is there somebody to tell?
    told: bool,
    line: String,
}

impl<'a> Eyes<'a> {
    pub(super) fn new(interrupt: &'a Interrupt, told: bool) -> Self {
        Self { interrupt, told, line: String::new() }
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
        let line = words(glance);
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
fn words(glance: &Glance<'_>) -> String {
    let used: Bytes = glance.areas.iter().filter_map(|area| area.used.known().copied()).sum();
    let mut words = Vec::new();
    if glance.of > 1 {
        words.push(format!("{}/{}", glance.repetition, glance.of));
    }
    words.push(format!("{} {}/{}", glance.phase, glance.through, glance.processes));
    words.push(units::seconds(glance.elapsed.floor()));
    words.push(format!("swap {}", size(used)));
    words.extend(glance.memory.map(|memory| format!("cage {}", size(memory))));
    words.extend(glance.available.map(|left| format!("{} available", size(left))));
    words.join("  ")
}
