//! What pages hold: bytes that follow from the seed and the number of the page alone, in whatever
//! order pages are painted, so that a load can be had again.

use super::Random;
use crate::model::load::PageContents;
use crate::root::Root;
use std::ops::Range;
use std::path::Path;

/// So much of a file is used at most.
const FILE_CAP: usize = 16 << 20;
/// Pieces of noise are at most so long. With such long ones lz4 and lzo-rle come to nearly the same
/// size; with shorter ones what each needs to tell where pieces end counts, and with longer ones how
/// soon each notices that it may compress again.
const MAX_PIECE: usize = 128;
/// What a byte of noise costs where it lies in such pieces.
const NOISE_COST: f64 = 1.05;
/// What a page costs besides noise, as a share of it: 30 bytes of 4096. These two are what fits best
/// to sizes measured with both algorithms on zram (`tests/live/ratios.rs`), for pages of 4 KiB.
const PAGE_OVERHEAD: f64 = 30.0 / 4096.0;
/// The bytes of a word: noise begins with words, and there is at least one.
const WORD: usize = 8;

/// What is said of a file that is empty.
const EMPTY_FILE: &str = "there are no bytes in it to fill pages with: name a file that holds some, \
                     or other contents";

/// Can pages be filled with these contents on this machine? Of a file one byte is read.
///
/// # Errors
/// Why not, and what would do.
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
    /// Noise in these places, zeroes between.
    Pieces(Vec<Range<usize>>),
    Noise,
    File {
        /// How many bytes there are before all begins again.
        period: u64,
        /// These, and from the beginning again until there is a page more.
        bytes: Vec<u8>,
    },
}

impl Painter {
    /// For such contents and pages of such a size. A file is read here: no more than its first
    /// 16 MiB.
    ///
    /// A ratio is that of what zram stores to what its algorithm makes of it. zram keeps a page
    /// whole that compresses badly: a ratio below about 1.15 becomes 1 there.
    ///
    /// # Errors
    /// What is wrong with the contents: a ratio that is none, or a file that cannot be used.
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

    /// For pages that hold these bytes again and again.
    ///
    /// # Errors
    /// There is not a single one.
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

    /// Write all of this page, whatever it held.
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

    /// The chance of this page.
    const fn random(&self, page: u64) -> Random {
        Random::stream(self.seed, page)
    }

    /// The one value of this page, which is not zero.
    #[expect(clippy::cast_possible_truncation, reason = "it is below 256")]
    const fn repeated_byte(&self, page: u64) -> u8 {
        1 + self.random(page).below(255) as u8
    }
}

/// The bytes that a file begins with, so many at most.
fn read_start(root: &Root, path: &str, most: usize) -> Result<Vec<u8>, String> {
    if !Path::new(path).is_absolute() {
        return Err(format!(
            "{}: only a path that begins with / is taken: write the file's whole path",
            PageContents::File(path.to_owned())
        ));
    }
    root.read_head(path, most).into_result().map_err(|missing| {
        let file = PageContents::File(path.to_owned());
        format!("{file}: pages cannot be filled from it, {missing}: name a file that can be read")
    })
}

/// Where the noise of a page is that shall compress to one part in so many: in pieces of nearly the
/// same length, the first at the very beginning, each as far from the next.
fn pieces(ratio: f64, page_size: u64) -> Result<Vec<Range<usize>>, String> {
    if !(ratio >= 1.0 && ratio.is_finite()) {
        return Err(format!(
            "{}: nothing compresses to that: a ratio is a number from 1 on, as in 3:1",
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
    reason = "less than nothing becomes nothing, and it is less than a page"
)]
const fn to_whole_bytes(length: f64) -> usize {
    length.round() as usize
}

/// Random bytes.
fn noise(into: &mut [u8], random: &mut Random) {
    let (words, rest) = into.as_chunks_mut();
    for word in words {
        *word = random.next().to_le_bytes();
    }
    for (byte, random) in rest.iter_mut().zip(random.next().to_le_bytes()) {
        *byte = random;
    }
}

/// Each word its number, from this one on.
fn count(into: &mut [u8], first: u64) {
    let (words, _) = into.as_chunks_mut();
    for (number, word) in (0..).zip(words) {
        *word = first.wrapping_add(number).to_ne_bytes();
    }
}

#[cfg(test)]
mod tests;
