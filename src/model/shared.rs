//! Data shared by several snapshots.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Deref;
use std::sync::Arc;

/// An immutable value of which any number of snapshots can share one copy.
///
/// It does not implement [`AsRef`], so that `.as_ref()` on it stays that of the [`super::Reading`] inside.
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Creates a value with one holder.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// Whether two share one copy. Equal values may be separate copies.
    pub fn ptr_eq(a: &Self, b: &Self) -> bool {
        Arc::ptr_eq(&a.0, &b.0)
    }

    /// The value, if it has no other holder.
    pub(super) fn get_mut(shared: &mut Self) -> Option<&mut T> {
        Arc::get_mut(&mut shared.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Self::ptr_eq(self, other) || **self == **other
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_is_the_same_and_an_equal_value_is_not() {
        let (one, other) = (Shared::new(vec![1]), Shared::new(vec![1]));
        assert!(Shared::ptr_eq(&one, &one.clone()));
        assert_eq!(one, other);
        assert!(!Shared::ptr_eq(&one, &other));
        assert_ne!(one, Shared::new(vec![2]));
    }

    #[test]
    fn it_reads_and_writes_like_what_it_holds() {
        let shared: Shared<Vec<u32>> = serde_json::from_str("[1,2]").unwrap();
        assert_eq!(serde_json::to_string(&shared).unwrap(), "[1,2]");
        assert_eq!(format!("{shared:?}"), "[1, 2]");
    }
}
