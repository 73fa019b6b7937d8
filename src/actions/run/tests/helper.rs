//! Helpers that do nothing by themselves.

use crate::sys::{Report, Running};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// A helper with this report, which is asked for it so often in vain.
pub(super) struct Ended {
    pub(super) report: Report,
    pub(super) waits: usize,
    pub(super) heeds: bool,
    /// How often one was told to stop.
    pub(super) stops: Rc<Cell<usize>>,
}

impl Running for Ended {
    fn wait(&mut self, _time: Duration) -> Option<Report> {
        match self.waits.checked_sub(1) {
            None => Some(self.report),
            Some(waits) => {
                self.waits = waits;
                None
            }
        }
    }
    fn stop(&mut self) {
        self.stops.set(self.stops.get() + 1);
        if self.heeds {
            self.waits = 0;
        }
    }
}
