//! Pieces of snapshots for tests.

use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Name, Reading};

/// An empty area of default priority.
pub(crate) fn area(path: &str, kind: AreaKind) -> SwapArea {
    SwapArea {
        path: Name::from(path),
        deleted: false,
        kind,
        size: Bytes(4096),
        used: Reading::Known(Bytes(0)),
        priority: -2,
        wraps: 0,
    }
}
