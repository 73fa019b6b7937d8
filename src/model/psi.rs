//! Pressure stall information.

use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// One line of a pressure file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stall {
    /// Share of the last 10 s in which tasks waited, in percent.
    pub avg10: f64,
    /// The same over 60 s.
    pub avg60: f64,
    /// The same over 300 s.
    pub avg300: f64,
    /// Time waited since boot, in microseconds.
    pub total_us: u64,
}

/// One resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pressure {
    /// At least one task waited.
    pub some: Reading<Stall>,
    /// All tasks that could run waited.
    pub full: Reading<Stall>,
}
