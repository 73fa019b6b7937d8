//! Contents of pages: bytes that depend only on the seed and the number of the page, in whatever
//! order pages are filled, so that a workload can be repeated.

use super::Random;
use crate::model::load::PageContents;
use crate::root::Root;
use std::ops::Range;
use std::path::Path;

/// The most bytes of a file that are used.
const FILE_CAP: usize = 16 << 20;
/// The longest piece of noise. At this length lz4 and lzo-rle reach nearly the same size; shorter
/// pieces need more bookkeeping by each algorithm, and with longer ones it matters how soon each
/// notices that data compresses again.
const MAX_PIECE: usize = 128;
/// Compressed bytes per byte of noise in such pieces.
const NOISE_COST: f64 = 1.05;
/// Compressed bytes of a page in addition to noise, as a share: 30 bytes of 4096. These two
/// constants fit best to sizes measured with both algorithms on zram (`tests/live/ratios.rs`), for
/// pages of 4 KiB.
const PAGE_OVERHEAD: f64 = 30.0 / 4096.0;
/// The bytes of a word. Noise begins with words, and there is at least one.
const WORD: usize = 8;

/// The error for an empty file.
const EMPTY_FILE: &str = "the file is empty, so it cannot fill pages: name a file that has contents, \
                     or use other contents";

/// Checks whether pages can be filled with these contents on this machine. One byte of a file is
/// read.
pub fn check_usable(contents: &PageContents, root: &Root) -> Result<(), String> {
    let PageContents::File(path) = contents else { return Ok(()) };
    let is_empty = read_start(root, path, 1)?.is_empty();
    if is_empty { Err(format!("{contents}: {EMPTY_FILE}")) } else { Ok(()) }
}

/// Fills pages.
#[derive(Clone, Debug)]
pub struct Painter {
    page_size: u64,
    seed: u64,
    paint: Paint,
}

#[derive(Clone, Debug)]
enum Paint {
    Zero,
    Same,
    Words,
    /// Noise in these ranges, zeroes between them.
    Pieces(Vec<Range<usize>>),
    Noise,
    File {
        /// The number of bytes before they repeat.
        period: u64,
        /// The bytes, followed by those of one more page.
        bytes: Vec<u8>,
    },
}

impl Painter {
    /// Prepares contents for pages of this size. At most the first 16 MiB of a file are read.
    ///
    /// A ratio is data divided by what the algorithm of zram makes of it. zram stores a page
    /// uncompressed if it compresses badly: a ratio below about 1.15 becomes 1.
    pub fn new(contents: &PageContents, page_size: u64, seed: u64) -> Result<Self, String> {
        let paint = match contents {
            PageContents::Zero => Paint::Zero,
            PageContents::Same => Paint::Same,
            PageContents::Words => Paint::Words,
            PageContents::Ratio(ratio) => Paint::Pieces(pieces(*ratio, page_size)?),
            PageContents::Random => Paint::Noise,
            PageContents::File(path) => {
                let bytes = read_start(&Root::live(), path, FILE_CAP)?;
                return Self::from_bytes(&bytes, page_size, seed)
                    .map_err(|error| format!("{contents}: {error}"));
            }
        };
        Ok(Self { page_size, seed, paint })
    }

    /// Prepares contents that repeat these bytes, of which there must be at least one.
    pub fn from_bytes(bytes: &[u8], page_size: u64, seed: u64) -> Result<Self, String> {
        if bytes.is_empty() {
            return Err(EMPTY_FILE.to_owned());
        }
        let all = bytes.len().saturating_add(usize::try_from(page_size).unwrap_or(usize::MAX));
        let paint = Paint::File {
            period: bytes.len() as u64,
            bytes: bytes.iter().copied().cycle().take(all).collect(),
        };
        Ok(Self { page_size, seed, paint })
    }

    /// Fills a page completely.
    pub fn paint(&self, page: u64, into: &mut [u8]) {
        match &self.paint {
            Paint::Zero => into.fill(0),
            Paint::Same => into.fill(self.repeated_byte(page)),
            Paint::Words => count(into, page.wrapping_mul(self.page_size / WORD as u64)),
            Paint::Pieces(pieces) => {
                into.fill(0);
                let mut random = self.random(page);
                for piece in pieces {
                    if let Some(part) = into.get_mut(piece.clone()) {
                        noise(part, &mut random);
                    }
                }
            }
            Paint::Noise => noise(into, &mut self.random(page)),
            Paint::File { period, bytes } => {
                let begin = page.wrapping_mul(self.page_size) % period;
                let from = usize::try_from(begin).ok().and_then(|begin| bytes.get(begin..));
                let both = into.iter_mut().zip(from.unwrap_or_default());
                both.for_each(|(into, byte)| *into = *byte);
            }
        }
    }

    /// The random numbers of a page.
    const fn random(&self, page: u64) -> Random {
        Random::stream(self.seed, page)
    }

    /// The repeated byte of a page, which is not zero.
    #[expect(clippy::cast_possible_truncation, reason = "it is below 256")]
    const fn repeated_byte(&self, page: u64) -> u8 {
        1 + self.random(page).below(255) as u8
    }
}

/// Reads the first bytes of a file.
fn read_start(root: &Root, path: &str, most: usize) -> Result<Vec<u8>, String> {
    if !Path::new(path).is_absolute() {
        return Err(format!(
            "{}: a relative path is not valid: use the whole path, which begins with /",
            PageContents::File(path.to_owned())
        ));
    }
    root.read_head(path, most).into_result().map_err(|missing| {
        let file = PageContents::File(path.to_owned());
        format!(
            "{file}: pages cannot be filled from this file ({missing}): name a file that can be read"
        )
    })
}

/// The ranges of noise in a page for a compression ratio: pieces of nearly equal length at equal
/// distances, the first at the start of the page.
fn pieces(ratio: f64, page_size: u64) -> Result<Vec<Range<usize>>, String> {
    if !(ratio >= 1.0 && ratio.is_finite()) {
        return Err(format!(
            "{}: not a valid ratio: use a number of 1 or more, as in 3:1",
            PageContents::Ratio(ratio)
        ));
    }
    let page = usize::try_from(page_size).map_err(|error| format!("page size: {error}"))?;
    let share = (1.0 / ratio - PAGE_OVERHEAD) / NOISE_COST;
    let noise = to_whole_bytes(share * page as f64).clamp(WORD.min(page), page);
    let count = noise.div_ceil(MAX_PIECE).max(1);
    let piece = |number: usize| {
        let begin = page * number / count / WORD * WORD;
        let length = noise * (number + 1) / count - noise * number / count;
        begin..begin.saturating_add(length).min(page)
    };
    Ok((0..count).map(piece).collect())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "negative lengths become 0, and all are smaller than a page"
)]
const fn to_whole_bytes(length: f64) -> usize {
    length.round() as usize
}

/// Fills a slice with random bytes.
fn noise(into: &mut [u8], random: &mut Random) {
    let (words, rest) = into.as_chunks_mut();
    for word in words {
        *word = random.next().to_le_bytes();
    }
    for (byte, random) in rest.iter_mut().zip(random.next().to_le_bytes()) {
        *byte = random;
    }
}

/// Fills words with consecutive numbers.
fn count(into: &mut [u8], first: u64) {
    let (words, _) = into.as_chunks_mut();
    for (number, word) in (0..).zip(words) {
        *word = first.wrapping_add(number).to_ne_bytes();
    }
}

#[cfg(test)]
mod tests;
