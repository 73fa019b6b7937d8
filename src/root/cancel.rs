//! Cancellation of long reads.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a long read to stop.
pub trait CancelToken: Debug + Send + Sync {
    /// Returns whether the read was cancelled. Long reads ask now and then, and stop if so.
    fn is_cancelled(&self) -> bool;
}

/// A flag that another thread sets.
impl CancelToken for AtomicBool {
    fn is_cancelled(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}
