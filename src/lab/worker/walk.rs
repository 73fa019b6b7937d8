//! Which page is touched next: the orders of [`Order`] as numbers of pages, without an end.
//!
//! The next page costs no more than some nanoseconds and no memory, however many pages there are:
//! what is measured is the kernel.

mod scatter;
mod zipf;

use super::Random;
use crate::model::load::Order;
use scatter::Scatter;
use zipf::Zipf;

/// A way through the pages of a memory.
#[derive(Clone, Debug)]
pub struct Walk {
    pages: u64,
    random: Random,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Sequential { next: u64 },
    Strided(Strides),
    Random,
    Zipf(Zipf, Scatter),
    Phases(Phases, Scatter),
}

impl Walk {
    /// Through so many pages of such a size; what is left to chance is decided by the seed. A memory
    /// without pages is walked like one of a single page. Blocks that churn are no pages: whoever
    /// asks for those here gets any.
    pub fn new(order: &Order, pages: u64, page_size: u64, seed: u64) -> Self {
        let pages = pages.max(1);
        let mut random = Random::new(seed);
        let way = match *order {
            Order::Sequential => Way::Sequential { next: 0 },
            Order::Strided { stride } => Way::Strided(Strides::new(stride, pages, page_size)),
            Order::Random | Order::Churn => Way::Random,
            Order::Zipf { skew } => {
                Way::Zipf(Zipf::new(pages, skew), Scatter::new(pages, &mut random))
            }
            Order::Phases { hot, hits, length } => {
                Way::Phases(Phases::new(pages, hot, hits, length), Scatter::new(pages, &mut random))
            }
        };
        Self { pages, random, way }
    }

    /// The number of the next page, from 0 on.
    #[inline]
    pub fn next_page(&mut self) -> u64 {
        match &mut self.way {
            Way::Sequential { next } => {
                let page = *next;
                *next = if page + 1 == self.pages { 0 } else { page + 1 };
                page
            }
            Way::Strided(strides) => strides.next(self.pages),
            Way::Random => self.random.below(self.pages),
            Way::Zipf(zipf, scatter) => scatter.place(zipf.rank(&mut self.random)),
            Way::Phases(phases, scatter) => {
                scatter.place(phases.next(self.pages, &mut self.random))
            }
        }
    }
}

/// Pages a stride apart, then those behind them, until each was there once.
#[derive(Clone, Debug)]
struct Strides {
    /// In pages.
    stride: u64,
    /// Where this round began.
    begin: u64,
    next: u64,
}

impl Strides {
    fn new(stride: u64, pages: u64, page_size: u64) -> Self {
        let stride = stride.checked_div(page_size).unwrap_or(1);
        Self { stride: stride.clamp(1, pages), begin: 0, next: 0 }
    }

    #[inline]
    const fn next(&mut self, pages: u64) -> u64 {
        let page = self.next;
        self.next += self.stride;
        if self.next >= pages {
            self.begin = if self.begin + 1 == self.stride { 0 } else { self.begin + 1 };
            self.next = self.begin;
        }
        page
    }
}

/// A hot set that moves on when its time is over. It stands together here and is scattered over the
/// memory afterwards, so that what is near a hot page is not hot for that.
#[derive(Clone, Debug)]
struct Phases {
    /// Pages of the hot set: at least one.
    hot: u64,
    /// The share of touches that goes there.
    hits: f64,
    /// Touches of a phase: at least one.
    length: u64,
    /// Those that are left of this one.
    left: u64,
    /// The first page of the hot set.
    begin: u64,
}

impl Phases {
    fn new(pages: u64, hot: f64, hits: f64, length: f64) -> Self {
        let hot = share(pages, hot).clamp(1, pages);
        let length = share(pages, length).max(1);
        Self { hot, hits, length, left: length, begin: 0 }
    }

    #[inline]
    fn next(&mut self, pages: u64, random: &mut Random) -> u64 {
        if self.left == 0 {
            self.left = self.length;
            self.begin = wrap(self.begin + self.hot, pages);
        }
        self.left -= 1;
        let cold = pages - self.hot;
        let page = if cold == 0 || random.unit() < self.hits {
            random.below(self.hot)
        } else {
            self.hot + random.below(cold)
        };
        wrap(self.begin + page, pages)
    }
}

/// A number below twice as many as there are pages, counted around.
const fn wrap(page: u64, pages: u64) -> u64 {
    if page >= pages { page - pages } else { page }
}

/// So large a part of all pages, to the nearest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share is no less than nothing, and too much becomes the most"
)]
fn share(pages: u64, share: f64) -> u64 {
    (pages as f64 * share).round() as u64
}

#[cfg(test)]
mod tests;
