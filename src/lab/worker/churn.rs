//! Blocks of memory that are allocated and freed: each is a mapping of the size and alignment of a
//! folio, so that it is freed and swapped as one. This fragments an area.

use super::Random;
use super::messages::WorkerStop;
use super::page_toucher::PageToucher;
use super::touch::TouchPass;
use crate::model::Bytes;
use crate::model::load::{BlockSizes, FolioAdvice, MAX_BLOCKS, MemoryKind, Task};
use crate::sys::memory::Mapping;

/// Blocks whose total size stays within the memory of the task.
#[derive(Debug)]
pub(super) struct Churn {
    kind: MemoryKind,
    advice: FolioAdvice,
    page_size: u64,
    sizes: BlockSizes,
    blocks: Vec<Block>,
    /// The limit of all blocks together, in pages.
    pages: u64,
    /// Pages of all blocks now.
    held: u64,
    /// The size of the next block, in pages. It is kept until there is room: drawing again would
    /// soon leave only small blocks.
    next_size: u64,
    /// The number of the next page that is filled.
    next_page: u64,
    random: Random,
}

#[derive(Debug)]
struct Block {
    memory: Mapping,
    /// The number of its first page, counted over all blocks so far.
    first: u64,
}

impl Churn {
    /// Starts without blocks.
    pub(super) fn new(task: &Task, pages: u64, random: &mut Random) -> Self {
        let mut churn = Self {
            kind: task.work.memory,
            advice: task.work.advice,
            page_size: task.page_size,
            sizes: BlockSizes::new(pages, task.page_size),
            blocks: Vec::new(),
            pages,
            held: 0,
            next_size: 1,
            next_page: 0,
            random: Random::new(random.next()),
        };
        churn.draw_size();
        churn
    }

    /// Draws the size of the next block.
    fn draw_size(&mut self) {
        self.next_size = self.sizes.draw(|end| self.random.below(end));
    }

    /// Chooses a random block.
    fn random_block(&mut self) -> usize {
        usize::try_from(self.random.below(self.blocks.len().max(1) as u64)).unwrap_or(0)
    }

    /// Allocates and fills blocks until the next does not fit. Returns whether to continue.
    pub(super) fn grow(&mut self, pass: &mut TouchPass<'_>) -> Result<bool, WorkerStop> {
        while self.held + self.next_size <= self.pages && (self.blocks.len() as u64) < MAX_BLOCKS {
            let size = self.next_size;
            let bytes = Bytes(size * self.page_size);
            let memory = Mapping::block(self.kind, bytes).map_err(WorkerStop::failed)?;
            memory.advise(self.advice).map_err(WorkerStop::failed)?;
            let mut block = Block { memory, first: self.next_page };
            self.next_page += size;
            self.held += size;
            self.draw_size();
            let go_on = block.each_page(pass, PageToucher::paint_new)?;
            self.blocks.push(block);
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts the pages of all blocks.
    #[cfg(test)]
    pub(super) fn held(&self) -> u64 {
        self.blocks.iter().map(|block| block.memory.pages()).sum()
    }

    /// Frees a block.
    fn shrink(&mut self) {
        let place = self.random_block();
        if place < self.blocks.len() {
            let block = self.blocks.swap_remove(place);
            self.held -= block.memory.pages();
        }
    }

    /// Touches blocks, or replaces them.
    pub(super) fn touch(&mut self, pass: &mut TouchPass<'_>) -> Result<(), WorkerStop> {
        let mut go_on = self.grow(pass)?;
        while go_on {
            go_on = if self.random.below(2) == 0 {
                self.shrink();
                self.grow(pass)?
            } else {
                let place = self.random_block();
                match self.blocks.get_mut(place) {
                    Some(block) => block.each_page(pass, PageToucher::touch)?,
                    None => self.grow(pass)?,
                }
            };
        }
        Ok(())
    }
}

impl Block {
    /// Applies `work` to each page, and measures it. Returns whether to continue.
    fn each_page(
        &mut self,
        pass: &mut TouchPass<'_>,
        work: impl Fn(&mut PageToucher, &mut Mapping, u64, u64) -> Result<(), WorkerStop>,
    ) -> Result<bool, WorkerStop> {
        pass.meter.resume();
        for at in 0..self.memory.pages() {
            let page = self.first + at;
            pass.meter.begin_touch();
            work(pass.hand, &mut self.memory, at, page)?;
            let now = pass.meter.end_touch(page);
            if !pass.limits.should_continue(&mut pass.meter, now)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
