//! The bytes of the file: a few blocks are held at a time, never all of it.

use crate::root::Held;
use std::cell::RefCell;
use std::io;

/// A file that can be read from any place on.
pub(crate) trait Source: std::fmt::Debug {
    /// Fill all of it from there on.
    ///
    /// # Errors
    /// When the read failed, or the file ends before.
    fn fill(&self, at: u64, into: &mut [u8]) -> io::Result<()>;
}

impl Source for Held {
    fn fill(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.fill_at(at, into)
    }
}

/// What the kernel gives at once of a file in sysfs.
const BLOCK: usize = 4096;
/// Blocks that are held: types refer to such as lie far from them, and their names do too.
const BLOCKS: usize = 32;

/// A block, by its number.
type Block = Option<(usize, Vec<u8>)>;

/// So many bytes of a file; what is asked for behind them is not there.
#[derive(Debug)]
pub(super) struct Bytes {
    source: Box<dyn Source>,
    len: usize,
    blocks: RefCell<Vec<Block>>,
    /// Why a read failed, if one did.
    fault: RefCell<Option<String>>,
}

impl Bytes {
    pub(super) fn new(source: Box<dyn Source>, len: usize) -> Self {
        Self { source, len, blocks: RefCell::new(vec![None; BLOCKS]), fault: RefCell::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Why a read failed, if one did: what seemed not to be there may be there then.
    pub(super) fn fault(&self) -> Option<String> {
        self.fault.borrow().clone()
    }

    /// Fill all of it from there on, past the blocks: for what is passed over once.
    pub(super) fn fill(&self, at: usize, into: &mut [u8]) -> Option<()> {
        self.end(at, into.len())?;
        let filled = self.source.fill(u64::try_from(at).ok()?, into);
        let note = |error: &io::Error| *self.fault.borrow_mut() = Some(error.to_string());
        filled.inspect_err(note).ok()
    }

    /// The same of a few bytes that are asked for here and there.
    pub(super) fn copy(&self, at: usize, into: &mut [u8]) -> Option<()> {
        let end = self.end(at, into.len())?;
        let mut at = at;
        while at < end {
            let place = end - at;
            let begin = into.len().checked_sub(place)?;
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

    /// As much as lies in the block there.
    fn copy_of_block(&self, at: usize, into: &mut [u8]) -> Option<usize> {
        let number = at / BLOCK;
        let mut blocks = self.blocks.borrow_mut();
        let place = blocks.get_mut(number % BLOCKS)?;
        if place.as_ref().is_none_or(|(held, _)| *held != number) {
            *place = Some((number, self.block(number)?));
        }
        let (_, block) = place.as_ref()?;
        let rest = block.get(at % BLOCK..)?;
        let len = rest.len().min(into.len());
        into.get_mut(..len)?.copy_from_slice(rest.get(..len)?);
        Some(len)
    }

    fn block(&self, number: usize) -> Option<Vec<u8>> {
        let at = number * BLOCK;
        let mut block = vec![0; self.len.checked_sub(at)?.min(BLOCK)];
        self.fill(at, &mut block)?;
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_same_wherever_blocks_end() {
        let all: Vec<u8> = (0..3 * BLOCK + 7).map(|at| at.to_le_bytes()[0] ^ 0x5a).collect();
        let bytes = Bytes::new(Box::new(all.clone()), all.len());
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
}
