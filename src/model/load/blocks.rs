//! Sizes of the blocks that `churn` allocates and frees, in the lab and in the simulated machine.

/// The sizes of folios; blocks use those from a page up to a share of the memory.
const SIZES: [u64; 8] =
    [4 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 2 << 20];
/// The largest block, as a fraction of the memory: one in this many.
const MAX_BLOCK_SHARE: u64 = 8;
/// The most blocks: each needs two mappings, its own and a gap to the next, and a process has at
/// most 65530 (`vm.max_map_count`).
pub const MAX_BLOCKS: u64 = 30_000;

/// The sizes of blocks in pages, of which all get the same share of the memory.
#[derive(Clone, Debug)]
pub struct BlockSizes(Vec<u64>);

impl BlockSizes {
    /// Sizes for this many pages, chosen so that there are not too many blocks.
    pub fn new(pages: u64, page_size: u64) -> Self {
        let most = (pages / MAX_BLOCK_SHARE).max(1);
        let mut sizes: Vec<u64> = SIZES.iter().map(|size| size / page_size.max(1)).collect();
        sizes.retain(|size| *size >= 1 && *size <= most);
        if sizes.is_empty() {
            sizes.push(1);
        }
        let mut sizes = Self(sizes);
        while pages / sizes.mean() > MAX_BLOCKS {
            if sizes.0.len() > 1 {
                sizes.0.remove(0);
            } else {
                sizes.0.iter_mut().for_each(|size| *size *= 2);
            }
        }
        sizes
    }

    /// Draws a size; `below` draws a number below its argument.
    pub fn draw(&self, below: impl FnOnce(u64) -> u64) -> u64 {
        let mut place = below(self.weights().sum::<u64>().max(1));
        for (size, weight) in self.0.iter().zip(self.weights()) {
            match place.checked_sub(weight) {
                Some(left) => place = left,
                None => return *size,
            }
        }
        1
    }

    /// The weight of each size: small blocks, which fragment an area, are not rare.
    fn weights(&self) -> impl Iterator<Item = u64> {
        let largest = self.0.last().copied().unwrap_or(1);
        self.0.iter().map(move |size| largest / size)
    }

    fn mean(&self) -> u64 {
        let largest = self.0.last().copied().unwrap_or(1);
        (largest * self.0.len() as u64 / self.weights().sum::<u64>().max(1)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_folios_that_fit() {
        assert_eq!(BlockSizes::new(64 * 8, 4096).0, [1, 4, 8, 16, 32, 64]);
        assert_eq!(BlockSizes::new(3, 4096).0, [1]);
        assert_eq!(BlockSizes::new(1 << 16, 65536).0, [2, 4, 8, 32]);
    }

    #[test]
    fn all_sizes_have_the_same_share_of_the_memory() {
        let sizes = BlockSizes::new(64 * 8, 4096);
        let mut pages = std::collections::BTreeMap::new();
        // Every number that can be drawn, once.
        for place in 0..sizes.weights().sum() {
            let size = sizes.draw(|_| place);
            *pages.entry(size).or_insert(0) += size;
        }
        assert_eq!(
            pages.into_iter().collect::<Vec<_>>(),
            sizes.0.iter().map(|size| (*size, 64)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn there_are_never_too_many_blocks() {
        for power in 0..40 {
            let pages = 1 << power;
            let sizes = BlockSizes::new(pages, 4096);
            assert!(pages / sizes.mean() <= MAX_BLOCKS, "{pages}: {sizes:?}");
            assert!(sizes.0.iter().all(|size| size.is_power_of_two()));
        }
    }
}
