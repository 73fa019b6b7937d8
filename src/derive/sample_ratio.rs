//! How well pages compress: the size of each page with LZ4, the fastest algorithm of zram, and the memory
//! that the kernel's allocator gives it. zstd compresses better, so this ratio is a lower bound for it.

use crate::model::surroundings::MemorySample;

/// Shortest repetition that LZ4 encodes.
const MIN_MATCH: usize = 4;
/// A repetition begins at least so many bytes before the end, and ends so many before it.
const LAST_BEGIN: usize = 12;
const LAST_END: usize = 5;
/// Numbers from which a length takes more bytes.
const NIBBLE: usize = 15;
/// Bits of the table of places.
const TABLE_BITS: u32 = 12;
/// A page that does not compress below so many of 4096 parts is stored as it is.
const HUGE: usize = 3264;
const PARTS: usize = 4096;
/// Sizes in memory are multiples of this.
const CLASS: usize = 16;

/// How well a sample of memory compresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleRatio {
    /// Data divided by memory, without pages of one value.
    pub ratio: f64,
    /// Share of the pages that hold one value, which take no memory.
    pub same: f64,
    /// Number of pages.
    pub pages: u64,
}

/// Compresses a sample; `None` if it has no page that compresses or not, because all hold one value.
pub fn sample_ratio(sample: &MemorySample) -> Option<SampleRatio> {
    let size = sample.page_size.max(1);
    let (mut memory, mut stored, mut same) = (0_usize, 0_usize, 0_u32);
    for page in sample.bytes.chunks_exact(size) {
        if is_same_filled(page) {
            same += 1;
            continue;
        }
        stored += size;
        memory += stored_size(compressed_size(page), size);
    }
    let pages = sample.bytes.len() / size;
    (memory > 0).then(|| SampleRatio {
        ratio: stored as f64 / memory as f64,
        same: f64::from(same) / pages as f64,
        pages: pages as u64,
    })
}

/// The memory for a page of this compressed size.
fn stored_size(compressed: usize, page: usize) -> usize {
    if compressed * PARTS >= HUGE * page { page } else { compressed.next_multiple_of(CLASS) }
}

/// Whether a page repeats one word of eight bytes.
fn is_same_filled(page: &[u8]) -> bool {
    let mut words = page.chunks(8);
    let first = words.next();
    words.all(|word| Some(word) == first)
}

/// The size of a block that LZ4 makes of these bytes.
fn compressed_size(bytes: &[u8]) -> usize {
    let mut table = vec![0_usize; 1 << TABLE_BITS];
    let (mut at, mut anchor, mut size) = (0, 0, 0);
    while at + LAST_BEGIN < bytes.len() {
        let Some(word) = word(bytes, at) else { break };
        let Some(slot) = table.get_mut(hash(word)) else { break };
        // Positions are stored plus one, so that zero means unset.
        let before = std::mem::replace(slot, at + 1).checked_sub(1);
        let Some(before) = before.filter(|before| self::word(bytes, *before) == Some(word)) else {
            at += 1;
            continue;
        };
        let most = bytes.len().saturating_sub(LAST_END + at);
        let pairs = bytes.iter().skip(at).zip(bytes.iter().skip(before)).take(most);
        let length = pairs.take_while(|(one, other)| one == other).count();
        if length < MIN_MATCH {
            at += 1;
            continue;
        }
        // A token, the literals before, the distance, and what the lengths take beyond the token.
        let literals = at - anchor;
        size += 1 + literals + more_bytes(literals) + 2 + more_bytes(length - MIN_MATCH);
        at += length;
        anchor = at;
    }
    let literals = bytes.len() - anchor;
    size + 1 + literals + more_bytes(literals)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + MIN_MATCH)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn hash(word: u32) -> usize {
    (word.wrapping_mul(2_654_435_761) >> (u32::BITS - TABLE_BITS)) as usize
}

/// Bytes that a length takes beyond the token.
fn more_bytes(length: usize) -> usize {
    if length < NIBBLE { 0 } else { 1 + (length - NIBBLE) / 255 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes without repetitions.
    fn noise(len: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[3]
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn blocks_have_the_size_that_the_format_gives_them() {
        // One literal, a match of the rest without the last five bytes: token, literal, distance,
        // length in 16 bytes; then a token and five literals.
        assert_eq!(compressed_size(&[7; 4096]), 1 + 1 + 2 + 16 + 1 + 5);
        // No match: a token, 17 bytes of length, and all literals.
        assert_eq!(compressed_size(&noise(4096)), 4096 + 1 + 17);
        assert_eq!(compressed_size(b"abc"), 4);
        assert_eq!(compressed_size(b""), 1);
        let half = [noise(2048), vec![0; 2048]].concat();
        assert!((2048..2100).contains(&compressed_size(&half)), "{}", compressed_size(&half));
    }

    #[test]
    fn pages_of_one_value_take_no_memory_and_noise_takes_all() {
        let sample =
            |bytes: Vec<u8>| sample_ratio(&MemorySample { page_size: 4096, processes: 1, bytes });
        assert_eq!(sample(vec![0; 8192]), None);
        assert_eq!(sample(Vec::new()), None);
        let noisy = sample([noise(4096), vec![5; 4096]].concat()).unwrap();
        assert_eq!((noisy.ratio, noisy.same, noisy.pages), (1.0, 0.5, 2));
        let text = (0..).flat_map(|i: u32| format!("line {i} of a text; ").into_bytes());
        let text = sample(text.take(4096).collect()).unwrap();
        assert!((2.0..6.0).contains(&text.ratio), "{text:?}");
    }
}
