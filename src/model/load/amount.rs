//! An amount of memory as a load tells it: of bytes, or of a share of something else.

use crate::model::Bytes;
use serde::{Deserialize, Serialize};

/// How much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Amount {
    /// So many bytes.
    Bytes(Bytes),
    /// A share: of the memory limit for the memory of processes, of the memory that is available
    /// for the limit itself.
    Share(f64),
}

impl Amount {
    /// In bytes, where a whole is so large.
    pub fn of(self, whole: Bytes) -> Bytes {
        match self {
            Self::Bytes(bytes) => bytes,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a share is no less than nothing, and too much becomes the most"
            )]
            Self::Share(share) => Bytes((whole.0 as f64 * share) as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_whole() {
        assert_eq!(Amount::Share(1.5).of(Bytes(1000)), Bytes(1500));
        assert_eq!(Amount::Bytes(Bytes(7)).of(Bytes(1000)), Bytes(7));
    }
}
