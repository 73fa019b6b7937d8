//! A set of slots of an area. Only the parts of it that have any take memory.

use std::collections::BTreeMap;

/// Slots in one chunk, and the words that they take.
const CHUNK: u64 = 512;
const WORDS: usize = 8;

/// Slots, few or many, of areas of any size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotSet {
    chunks: BTreeMap<u64, [u64; WORDS]>,
    len: u64,
}

impl SlotSet {
    /// Put a slot in. Was it not in yet?
    pub fn insert(&mut self, slot: u64) -> bool {
        let words = self.chunks.entry(slot / CHUNK).or_default();
        let Some(word) = words.get_mut(usize::try_from(slot % CHUNK / 64).unwrap_or(0)) else {
            return false;
        };
        let bit = 1 << (slot % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        self.len += u64::from(is_new);
        is_new
    }

    /// Is a slot in it?
    pub fn has(&self, slot: u64) -> bool {
        let words = self.chunks.get(&(slot / CHUNK));
        let word = words.and_then(|words| words.get(usize::try_from(slot % CHUNK / 64).ok()?));
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// How many are in it.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Is none in it?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The last one; none in an empty set.
    pub fn last(&self) -> Option<u64> {
        let (chunk, words) = self.chunks.last_key_value()?;
        let (word, bits) = (0_u32..8).zip(words).rev().find(|(_, word)| **word != 0)?;
        Some(chunk * CHUNK + u64::from(word * 64 + bits.ilog2()))
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.chunks.iter().flat_map(|(chunk, words)| {
            let first = chunk * CHUNK;
            let in_chunk = (0..CHUNK)
                .zip(words.iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1)));
            in_chunk.filter_map(move |(slot, is_in)| is_in.then_some(first + slot))
        })
    }

    /// An estimate of the memory that it takes.
    pub fn bytes(&self) -> usize {
        // Nodes of the tree are about two thirds full.
        self.chunks.len() * size_of::<(u64, [u64; WORDS])>() * 3 / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_is_in_it_once() {
        let mut set = SlotSet::default();
        let slots = [0, 63, 64, 511, 512, u64::from(u32::MAX)];
        assert!(set.is_empty() && slots.iter().all(|slot| !set.has(*slot)));
        assert!(slots.iter().rev().all(|slot| set.insert(*slot)));
        assert!(slots.iter().all(|slot| !set.insert(*slot) && set.has(*slot)));
        assert_eq!(set.iter().collect::<Vec<_>>(), slots);
        assert_eq!(set.len(), 6);
        assert_eq!(set.last(), slots.last().copied());
        assert_eq!(SlotSet::default().last(), None);
        assert!(!set.has(1) && !set.has(513) && !set.has(575));
    }

    #[test]
    fn a_huge_area_takes_memory_for_what_is_in_it_only() {
        let mut set = SlotSet::default();
        (0..1000).for_each(|slot| {
            set.insert(slot << 20);
        });
        assert_eq!(set.len(), 1000);
        assert!(set.bytes() < 200_000);
    }
}
