//! Parts of snapshots for tests.

use crate::model::swaparea::testing;
use crate::model::swaparea::{AreaKind, SwapArea};

/// An empty area of default priority.
pub(crate) fn area(path: &str, kind: AreaKind) -> SwapArea {
    SwapArea { kind, ..testing::area(path, -2, 4096, 0) }
}
