//! Whoever sits before a run: sees how far it is, and may end it.

use crate::actions::monitor::StopReason;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Environment;
use crate::cli::progress::Line;
use crate::columns::units::size;
use crate::lab::runs::{Glance, Onlooker};
use std::ops::ControlFlow;

/// The eyes of the command line.
pub(super) struct Eyes<'a> {
    interrupt: &'a Interrupt,
    line: Line,
}

impl<'a> Eyes<'a> {
    pub(super) fn new(interrupt: &'a Interrupt, environment: &Environment) -> Self {
        Self { interrupt, line: Line::new(environment) }
    }

    /// Take the line of progress away.
    pub(super) fn clear(&mut self) {
        self.line.clear();
    }
}

impl Onlooker for Eyes<'_> {
    fn see(&mut self, glance: &Glance<'_>) -> ControlFlow<StopReason> {
        self.line.tell(&pieces(glance));
        match self.interrupt.came().first() {
            Some(signal) => ControlFlow::Break(StopReason::Signal(*signal)),
            None => ControlFlow::Continue(()),
        }
    }

    fn ended(&mut self) {
        let _ = self.interrupt.came();
    }
}

/// How far it is.
fn pieces(glance: &Glance<'_>) -> Vec<String> {
    let mut pieces = glance.far.pieces(glance.areas, glance.memory);
    pieces.extend(glance.available.map(|left| format!("{} available", size(left))));
    pieces
}
