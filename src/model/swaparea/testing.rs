use super::{AreaKind, SwapArea};
use crate::{Bytes, Name, Reading};

/// An active device with this size and used space.
pub fn area(path: &str, priority: i32, size: u64, used: u64) -> SwapArea {
    SwapArea {
        path: Name::from(path),
        deleted: false,
        kind: AreaKind::Partition,
        size: Bytes(size),
        used: Reading::Known(Bytes(used)),
        priority,
        wraps: 0,
        file: None,
    }
}
