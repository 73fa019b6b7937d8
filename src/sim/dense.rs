//! Tables indexed by number, and the random numbers of the simulator.

use std::ops::{Index, IndexMut};

/// No entry of a table: no slot, cluster, folio or page.
pub const NONE: u32 = u32::MAX;

/// A table with entries for the numbers from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense<T>(Vec<T>);

impl<T> Dense<T> {
    /// A table without entries.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// Number of entries.
    pub fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Whether the table has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All entries, in order.
    pub fn entries(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// All entries, in order, in slices of this length.
    #[cfg(test)]
    pub(super) fn chunks(&self, len: u32) -> std::slice::Chunks<'_, T> {
        self.0.chunks(len as usize)
    }

    /// All entries, in order, to change them.
    pub fn entries_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Adds an entry, and returns its number.
    pub fn push(&mut self, value: T) -> u32 {
        let number = self.len();
        self.0.push(value);
        number
    }

    /// The entry with this number; `None` beyond the end.
    pub fn entry(&self, number: u32) -> Option<&T> {
        self.0.get(number as usize)
    }

    /// Removes all entries from this number on.
    pub fn truncate(&mut self, len: u32) {
        self.0.truncate(len as usize);
    }
}

impl<T: Clone> Dense<T> {
    /// A table with this many equal entries.
    pub fn filled(value: T, len: u32) -> Self {
        Self(vec![value; len as usize])
    }

    /// Adds entries of this value until there are `len`.
    pub(super) fn grow(&mut self, len: u32, value: T) {
        let len = (len as usize).max(self.0.len());
        self.0.resize(len, value);
    }

    /// Sets a run of entries, all of which exist.
    pub(super) fn fill_range(&mut self, first: u32, len: u32, value: &T) {
        let (first, end) = (first as usize, first as usize + len as usize);
        self.0.get_mut(first..end).expect(IN_RANGE).fill(value.clone());
    }
}

impl<T> FromIterator<T> for Dense<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

/// Why an index cannot be wrong: the numbers are made by the simulator, never by a file.
const IN_RANGE: &str =
    "numbers of slots, clusters, pages and folios come from the table they index";

impl<T> Index<u32> for Dense<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        self.0.get(number as usize).expect(IN_RANGE)
    }
}

impl<T> IndexMut<u32> for Dense<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        self.0.get_mut(number as usize).expect(IN_RANGE)
    }
}

/// Random numbers from a seed (splitmix64).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededRandom(u64);

impl SeededRandom {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        let scaled = (self.next_u64() >> 32) * u64::from(end);
        u32::try_from(scaled >> 32).unwrap_or(0)
    }

    /// A number from 0 up to, but not including, 1.
    pub fn share(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether an event of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        probability >= 1.0 || self.share() < probability
    }
}
