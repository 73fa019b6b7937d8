//! Named numbers from one file, such as `/proc/vmstat`.
//!
//! All of them are kept, also those that this version does not know: a later kernel's counter is
//! in the snapshot before the program learns what it means.

use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// Names and numbers of one file, sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// The file, for the reason when a name is not in it.
    source: Box<str>,
    values: Vec<(Box<str>, u64)>,
}

impl Counters {
    /// From pairs in any order; the first of two equal names counts.
    pub fn new(source: impl Into<Box<str>>, mut values: Vec<(Box<str>, u64)>) -> Self {
        values.sort_by(|a, b| a.0.cmp(&b.0));
        values.dedup_by(|later, first| later.0 == first.0);
        Self { source: source.into(), values }
    }

    /// The number with this name, or that the file has none.
    #[must_use]
    pub fn get(&self, name: &str) -> Reading<u64> {
        match self.find(name) {
            Some(value) => Reading::Known(value),
            None => Reading::absent(format!("{} has no {name} on this kernel", self.source)),
        }
    }

    /// The sum of all whose name starts with this, or that there is none.
    #[must_use]
    pub fn sum_of(&self, prefix: &str) -> Reading<u64> {
        let start = self.values.partition_point(|(name, _)| name.as_ref() < prefix);
        let matching = self.values.iter().skip(start);
        let mut matching = matching.take_while(|(name, _)| name.starts_with(prefix)).peekable();
        if matching.peek().is_none() {
            return Reading::absent(format!("{} has no {prefix}* on this kernel", self.source));
        }
        Reading::Known(matching.fold(0, |sum, (_, value)| sum.saturating_add(*value)))
    }

    /// All pairs, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.values.iter().map(|(name, value)| (name.as_ref(), *value))
    }

    /// Is nothing in it?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn find(&self, name: &str) -> Option<u64> {
        let found = self.values.binary_search_by(|(key, _)| key.as_ref().cmp(name)).ok()?;
        self.values.get(found).map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters() -> Counters {
        let pairs = [("pswpin", 3), ("allocstall_dma", 1), ("allocstall_normal", 4)];
        Counters::new("/proc/vmstat", pairs.map(|(name, value)| (name.into(), value)).to_vec())
    }

    #[test]
    fn a_name_that_is_not_there_is_absent_and_says_where() {
        let missing = counters().get("swap_ra");
        assert_eq!(missing, Reading::absent("/proc/vmstat has no swap_ra on this kernel"));
    }

    #[test]
    fn families_are_summed_by_prefix() {
        assert_eq!(counters().sum_of("allocstall_"), Reading::Known(5));
        assert!(counters().sum_of("zswp").missing().is_some());
    }
}
