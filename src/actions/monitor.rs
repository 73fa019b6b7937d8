//! Following a change or a load while it is carried out, and why one is stopped.

use crate::columns::units;
use nix::sys::signal::Signal;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// Follows what is carried out, event by event, and may stop it.
pub trait Monitor<E> {
    /// Takes note of an event.
    fn event(&mut self, event: E) -> ControlFlow<StopReason>;
}

/// Why something is stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopReason {
    /// This signal came.
    Signal(Signal),
    /// Whoever had interrupted it did so again while it was taken back.
    Again,
    /// A person stopped it from the interface.
    Asked,
    /// The interface was left.
    Left,
    /// The terminal of the interface is gone.
    TerminalGone,
    /// It took longer than it may.
    Timeout(Duration),
    /// All tasks waited for memory in this percentage of the last 10 seconds.
    Pressure(f64),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(signal) => write!(f, "it was interrupted ({signal})"),
            Self::Again => f.write_str("it was interrupted again"),
            Self::Asked => f.write_str("you stopped it"),
            Self::Left => f.write_str("the interface was left"),
            Self::TerminalGone => f.write_str("the terminal is gone"),
            Self::Timeout(most) => {
                write!(f, "it took longer than {}", units::seconds(most.as_secs_f64()))
            }
            Self::Pressure(full) => {
                write!(f, "all tasks waited for memory in {full}% of the last 10 s")
            }
        }
    }
}
