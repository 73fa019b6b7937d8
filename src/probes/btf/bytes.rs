//! Block cache of the BTF file: only a few blocks are in memory at a time.

use crate::root::OpenFile;
use std::cell::{Cell, RefCell};
use std::ffi::CStr;
use std::io;
use std::ops::Range;

/// A file that can be read at any offset.
pub(crate) trait ByteSource: std::fmt::Debug + Send {
    /// Fills the whole buffer from this offset; fails on a read error and at the end of the file.
    fn fill(&self, at: u64, into: &mut [u8]) -> io::Result<()>;
}

impl ByteSource for OpenFile {
    fn fill(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.fill_at(at, into)
    }
}

/// Bytes that sysfs returns per read.
const BLOCK: usize = 4096;
/// Number of cached blocks: types refer to distant types and names.
const BLOCKS: usize = 32;
/// Limit of the effort: more than a file of the largest size needs for one pass over its types.
const MOST_EFFORT: u32 = 4 << 20;
/// The effort of reading a block; that of copying from a cached one is 1.
const EFFORT_OF_BLOCK: u32 = 32;

/// A cached block with its number.
type Block = Option<(usize, Vec<u8>)>;

/// A file of a fixed length, read block by block; offsets past the end are absent.
#[derive(Debug)]
pub(super) struct CachedFile {
    source: Box<dyn ByteSource>,
    len: usize,
    blocks: RefCell<Vec<Block>>,
    /// Effort that is left of the limit.
    effort: Cell<u32>,
    /// The error of a failed read.
    fault: RefCell<Option<String>>,
}

impl CachedFile {
    pub(super) fn new(source: Box<dyn ByteSource>, len: usize) -> Self {
        let blocks = RefCell::new(vec![None; BLOCKS]);
        Self { source, len, blocks, effort: Cell::new(MOST_EFFORT), fault: RefCell::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Frees the cached blocks, and returns the error of a failed read: something absent may then be present after all.
    pub(super) fn end_of_use(&self) -> Option<String> {
        self.blocks.borrow_mut().fill(None);
        self.fault.take()
    }

    /// Fills the buffer from this offset without the cache, for data that is passed over once.
    pub(super) fn fill(&self, at: usize, into: &mut [u8]) -> Option<()> {
        self.end(at, into.len())?;
        let filled = self.source.fill(u64::try_from(at).ok()?, into);
        let note = |error: &io::Error| *self.fault.borrow_mut() = Some(error.to_string());
        filled.inspect_err(note).ok()
    }

    /// Fills a small buffer from this offset through the cache.
    pub(super) fn copy(&self, at: usize, into: &mut [u8]) -> Option<()> {
        let end = self.end(at, into.len())?;
        let mut at = at;
        while at < end {
            let left = end - at;
            let begin = into.len().checked_sub(left)?;
            at += self.copy_of_block(at, into.get_mut(begin..)?)?;
        }
        Some(())
    }

    pub(super) fn word(&self, at: usize) -> Option<u32> {
        let mut word = [0; 4];
        self.copy(at, &mut word)?;
        Some(u32::from_ne_bytes(word))
    }

    fn end(&self, at: usize, len: usize) -> Option<usize> {
        at.checked_add(len).filter(|end| *end <= self.len)
    }

    /// Copies as much as the block has from this offset.
    fn copy_of_block(&self, at: usize, into: &mut [u8]) -> Option<usize> {
        let number = at / BLOCK;
        let mut blocks = self.blocks.borrow_mut();
        let place = blocks.get_mut(number % BLOCKS)?;
        self.spend(1)?;
        if place.as_ref().is_none_or(|(held, _)| *held != number) {
            self.spend(EFFORT_OF_BLOCK)?;
            *place = Some((number, self.block(number)?));
        }
        let (_, block) = place.as_ref()?;
        let rest = block.get(at % BLOCK..)?;
        let len = rest.len().min(into.len());
        into.get_mut(..len)?.copy_from_slice(rest.get(..len)?);
        Some(len)
    }

    /// Takes this much of the effort that is left.
    fn spend(&self, effort: u32) -> Option<()> {
        let left = self.effort.get().checked_sub(effort);
        if left.is_none() {
            *self.fault.borrow_mut() = Some(
                "its types refer to each other more often than those of any kernel".to_owned(),
            );
        }
        self.effort.set(left?);
        Some(())
    }

    fn block(&self, number: usize) -> Option<Vec<u8>> {
        let at = number * BLOCK;
        let mut block = vec![0; self.len.checked_sub(at)?.min(BLOCK)];
        self.fill(at, &mut block)?;
        Some(block)
    }
}

/// Bytes scanned at a time.
const PIECE: usize = 16 << 10;

/// Offsets kept per name: the kernel's file has each name once.
const MOST: usize = 8;

/// Offsets of the wanted names, plus this base: names are scanned once, piece by piece. Names longer than a
/// piece are skipped.
pub(super) fn places(
    bytes: &CachedFile,
    names: Range<usize>,
    wanted: &[&str],
    before: usize,
) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new(); wanted.len()];
    // Most names are told from the wanted ones by their length.
    let lengths = wanted.iter().fold(0, |lengths, name| lengths | length_bit(name.len()));
    let mut buffer = vec![0; PIECE.min(names.len())];
    let mut at = names.start;
    let mut inside = false;
    while at < names.end {
        let len = buffer.len().min(names.end - at);
        let Some(piece) = buffer.get_mut(..len) else { break };
        if bytes.fill(at, piece).is_none() {
            break;
        }
        let mut passed = 0;
        while let Some(name) = piece.get(passed..).and_then(first) {
            if !std::mem::take(&mut inside) && lengths & length_bit(name.len()) != 0 {
                note(&mut found, wanted, name, before.saturating_add(at + passed - names.start));
            }
            passed += name.len() + 1;
        }
        // The next piece begins with the name that this piece cuts, unless the piece holds nothing else.
        inside |= passed == 0;
        at += if passed == 0 { len } else { passed };
    }
    found
}

/// The bit of a length in a set of lengths; that of the longest is shared.
fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

fn first(names: &[u8]) -> Option<&[u8]> {
    CStr::from_bytes_until_nul(names).ok().map(CStr::to_bytes)
}

fn note(found: &mut [Vec<u32>], wanted: &[&str], name: &[u8], at: usize) {
    let place = wanted.iter().position(|wanted| wanted.as_bytes() == name);
    let kept = place.and_then(|place| found.get_mut(place)).filter(|kept| kept.len() < MOST);
    if let Some(kept) = kept {
        kept.extend(u32::try_from(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_same_wherever_blocks_end() {
        let all: Vec<u8> = (0..3 * BLOCK + 7).map(|at| at.to_le_bytes()[0] ^ 0x5a).collect();
        let bytes = CachedFile::new(Box::new(all.clone()), all.len());
        for at in [0, BLOCK - 2, BLOCK, 2 * BLOCK - 1, 3 * BLOCK + 3] {
            let wanted = u32::from_ne_bytes(all[at..at + 4].try_into().unwrap());
            assert_eq!(bytes.word(at), Some(wanted), "{at}");
        }
        let mut most = vec![0; 2 * BLOCK + 9];
        bytes.copy(BLOCK - 2, &mut most).unwrap();
        assert_eq!(most, all[BLOCK - 2..][..most.len()]);
        for none in [all.len() - 3, all.len(), usize::MAX - 1] {
            assert_eq!(bytes.word(none), None, "{none}");
        }
        assert_eq!(bytes.fill(all.len() - 1, &mut [0; 2]), None);
    }

    fn find_places(names: &[u8], wanted: &[&str]) -> Vec<Vec<u32>> {
        let all = [&b"head"[..], names].concat();
        let range = 4..all.len();
        places(&CachedFile::new(Box::new(all.clone()), all.len()), range, wanted, 0)
    }

    #[test]
    fn names_are_found_where_they_begin() {
        let found =
            find_places(b"\0one\0three\0ree\0two\0one\0cut", &["two", "one", "ree", "cut", "no"]);
        assert_eq!(found, [vec![15], vec![1, 19], vec![11], vec![], vec![]]);
    }

    #[test]
    fn where_pieces_end_changes_nothing() {
        for before in PIECE - 6..PIECE + 2 {
            let names = [&vec![b'x'; before][..], b"\0name\0x\0"].concat();
            let at = u32::try_from(before + 1).unwrap();
            assert_eq!(find_places(&names, &["name", "x"]), [[at], [at + 5]], "{before}");
        }
        // The end of a long name does not count as a name.
        let names = [&vec![b'x'; PIECE][..], b"name\0"].concat();
        assert!(find_places(&names, &["name"])[0].is_empty());
        assert_eq!(find_places(&b"name\0".repeat(99), &["name"])[0].len(), MOST);
    }
}
