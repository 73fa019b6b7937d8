//! When nobody waits any more for what takes long to read.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

/// Knows it.
pub trait CancelToken: Debug + Send + Sync {
    /// Is nobody waiting any more? Whoever asks ends what it reads where it is so.
    fn is_cancelled(&self) -> bool;
}

/// A mark that somebody sets.
impl CancelToken for AtomicBool {
    fn is_cancelled(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}
