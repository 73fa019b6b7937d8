//! The pages that zram devices store, and the memory that they take.

use super::access::PAGE_BYTES;

/// Compressed pages above this size are stored as they are, in a whole page: zsmalloc would use one for them anyway.
/// On 6.18, pages that compress to 3614 bytes are stored compressed.
const LARGEST_COMPRESSED: u64 = 3632;

/// The pages that a zram device stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ZramStore {
    /// Stored pages, including same-filled ones.
    pub(super) pages: u32,
    /// Pages of one repeated value, which take no memory.
    pub(super) same: u32,
    /// Pages that are stored as they are.
    pub(super) huge: u32,
    /// Memory for all pages. zsmalloc takes a few percent more, as it has objects of fixed sizes.
    pub(super) bytes: u64,
    /// Most memory so far.
    pub(super) peak: u64,
}

/// Memory for a page of this compressed size.
pub(super) fn memory(compressed: u64) -> u64 {
    if compressed > LARGEST_COMPRESSED { PAGE_BYTES } else { compressed }
}

impl ZramStore {
    /// Stores a page of this compressed size; 0 for a same-filled one.
    pub(super) fn add(&mut self, compressed: u64) {
        self.pages += 1;
        self.same += u32::from(compressed == 0);
        self.huge += u32::from(compressed > LARGEST_COMPRESSED);
        self.bytes += memory(compressed);
        self.peak = self.peak.max(self.bytes);
    }

    /// Frees a stored page of this compressed size.
    pub(super) fn remove(&mut self, compressed: u64) {
        self.pages -= 1;
        self.same -= u32::from(compressed == 0);
        self.huge -= u32::from(compressed > LARGEST_COMPRESSED);
        self.bytes -= memory(compressed);
    }
}
