//! Following a change or a run while it is executed, and reasons to stop one.

use crate::columns::units;
use nix::sys::signal::Signal;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// Follows an execution event by event, and may stop it.
pub trait Monitor<E> {
    /// Handles an event.
    fn event(&mut self, event: E) -> ControlFlow<StopReason>;
}

/// A monitor without an audience, which never stops an execution.
#[derive(Debug)]
pub struct Unattended;

impl<E> Monitor<E> for Unattended {
    fn event(&mut self, _: E) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }
}

/// Why an execution is stopped early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopReason {
    /// A signal arrived.
    Signal(Signal),
    /// A second interruption, while the first was being undone.
    Again,
    /// A person stopped it in the interface.
    Asked,
    /// The interface was closed.
    Left,
    /// The terminal of the interface is gone.
    TerminalGone,
    /// The time limit was exceeded.
    Timeout(Duration),
    /// PSI "full" of memory over the last 10 seconds, in percent.
    Pressure(f64),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(signal) => write!(f, "it was interrupted ({signal})"),
            Self::Again => f.write_str("it was interrupted again"),
            Self::Asked => f.write_str("you stopped it"),
            Self::Left => f.write_str("the interface was closed"),
            Self::TerminalGone => f.write_str("the terminal is gone"),
            Self::Timeout(most) => {
                write!(f, "it took longer than {}", units::seconds(most.as_secs_f64()))
            }
            Self::Pressure(full) => {
                write!(f, "memory PSI full was {full}% over the last 10 s")
            }
        }
    }
}
