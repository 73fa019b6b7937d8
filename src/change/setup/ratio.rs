//! The compression ratio of this machine: measured on a sample of memory, else on what is compressed now,
//! else assumed.

use crate::columns::units;
use crate::derive::compression;
use crate::derive::sample_ratio::{SampleRatio, sample_ratio};
use crate::model::surroundings::MemorySample;
use crate::model::{Bytes, Reading, Snapshot, whole};
use serde::Serialize;

/// With less compressed data, its ratio says little about the machine.
const ENOUGH: Bytes = Bytes(64 << 20);
/// A ratio below which compression saves hardly any memory.
const SAVING: f64 = 1.1;
/// With fewer sampled pages, their ratio says little.
const ENOUGH_PAGES: u64 = 32;
/// The ratio that the kernel's documentation of zram expects.
const ASSUMED: f64 = 2.0;

/// A compression ratio, and how it is known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatioBasis {
    /// Data divided by memory.
    pub ratio: f64,
    /// How it is known: `stored`, `sampled` or `assumed`.
    pub basis: &'static str,
    /// The ratio and its basis in words.
    pub text: String,
}

impl RatioBasis {
    /// The ratio by the best basis that there is.
    pub(super) fn find(
        snapshot: &Snapshot,
        sample: impl FnOnce() -> Reading<MemorySample>,
    ) -> Self {
        let sample = sample();
        let figures = sample.known().and_then(sample_ratio);
        let figures = figures.filter(|it| it.pages >= ENOUGH_PAGES);
        match (&sample, figures, Self::from_stored(snapshot)) {
            (Reading::Known(sample), Some(figures), stored) => {
                let sampled = Self::from_sample(sample, figures);
                let other = stored.filter(|stored| words(stored.ratio) != words(sampled.ratio));
                let other = other.map_or_else(String::new, |it| format!("; {}", it.text));
                Self { text: sampled.text + &other, ..sampled }
            }
            (_, None, Some(stored)) => stored,
            (Reading::Known(_), None, None) => Self::assumed("too little memory could be sampled"),
            (Reading::Missing { missing }, ..) => Self::assumed(&missing.why()),
        }
    }

    /// Says that compression saves hardly any memory, if so.
    pub(super) fn no_saving(&self) -> Option<String> {
        let text =
            || format!("zram would save hardly any memory: it compresses {:.2}:1 here", self.ratio);
        (self.ratio < SAVING).then(text)
    }

    fn from_stored(snapshot: &Snapshot) -> Option<Self> {
        let totals = compression::compressed_totals(snapshot);
        let (data, memory) = (*totals.data.known()?, *totals.memory.known()?);
        let ratio =
            (data >= ENOUGH && memory > Bytes(0)).then(|| data.0 as f64 / memory.0 as f64)?;
        let text = format!(
            "{}, measured on the {} that zram and zswap hold now",
            words(ratio),
            units::size(data)
        );
        Some(Self { ratio, basis: "stored", text })
    }

    fn from_sample(sample: &MemorySample, figures: SampleRatio) -> Self {
        let text = format!(
            "{}, measured with LZ4 on {} pages of {} processes; {} of the pages hold a single value and take no memory",
            words(figures.ratio),
            figures.pages,
            sample.processes,
            units::percent(figures.same),
        );
        Self { ratio: figures.ratio, basis: "sampled", text }
    }

    /// The assumed ratio, with the reason why it was not measured.
    pub(super) fn assumed(why: &str) -> Self {
        let text = format!(
            "{} for compression, as the kernel's documentation of zram assumes; not measured: {why}",
            words(ASSUMED)
        );
        Self { ratio: ASSUMED, basis: "assumed", text }
    }

    /// Data that memory of this size holds.
    pub(super) fn data_for(&self, memory: Bytes) -> Bytes {
        memory.times(self.ratio)
    }

    /// Memory that data of this size takes.
    pub(super) fn memory_for(&self, data: Bytes) -> Bytes {
        Bytes(whole(data.0 as f64 / self.ratio.max(0.1)))
    }
}

fn words(ratio: f64) -> String {
    format!("{ratio:.1}:1")
}
