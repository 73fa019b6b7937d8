//! What the kernel tells of paging: named counters, pressure stalls, and huge pages.

use super::reading::Reading;
use super::shared::Shared;
use super::units::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Named numbers from one file, such as `/proc/vmstat`, sorted by name.
///
/// All of them are kept, also those that this version does not know: a later kernel's counter is
/// in the snapshot before the program learns what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// The same in each sample, as long as the kernel adds none.
    pub(super) names: Shared<CounterNames>,
    /// As many as names.
    pub(super) values: Box<[u64]>,
}

/// What stays of a file while its numbers change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CounterNames {
    /// The file, for the reason when a name is not in it.
    pub(super) source: Box<str>,
    pub(super) names: Box<[Box<str>]>,
}

/// How counters are written: each name beside its number.
#[derive(Serialize, Deserialize)]
struct WrittenCounters<S, N> {
    source: S,
    values: Vec<(N, u64)>,
}

impl Counters {
    /// From pairs in any order; the first of two equal names counts.
    pub fn new(source: impl Into<Box<str>>, mut values: Vec<(Box<str>, u64)>) -> Self {
        values.sort_by(|a, b| a.0.cmp(&b.0));
        values.dedup_by(|later, first| later.0 == first.0);
        let (names, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
        let names = Shared::new(CounterNames { source: source.into(), names: names.into() });
        Self { names, values: values.into() }
    }

    /// The number with this name, or that the file has none.
    pub fn get(&self, name: &str) -> Reading<u64> {
        match self.find(name) {
            Some(value) => Reading::Known(value),
            None => Reading::absent(format!("{} has no {name} on this kernel", self.names.source)),
        }
    }

    /// The sum of all whose name starts with this, or that there is none.
    pub fn sum_with_prefix(&self, prefix: &str) -> Reading<u64> {
        let start = self.names.names.partition_point(|name| name.as_ref() < prefix);
        let matching = self.iter().skip(start);
        let mut matching = matching.take_while(|(name, _)| name.starts_with(prefix)).peekable();
        if matching.peek().is_none() {
            let source = &self.names.source;
            return Reading::absent(format!("{source} has no {prefix}* on this kernel"));
        }
        Reading::Known(matching.fold(0, |sum, (_, value)| sum.saturating_add(value)))
    }

    /// All pairs, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.names.iter().map(Box::as_ref).zip(self.values.iter().copied())
    }

    /// Is nothing in it?
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn find(&self, name: &str) -> Option<u64> {
        let found = self.names.names.binary_search_by(|key| key.as_ref().cmp(name)).ok()?;
        self.values.get(found).copied()
    }
}

impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = WrittenCounters { source: &self.names.source, values: self.iter().collect() };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = WrittenCounters::<Box<str>, Box<str>>::deserialize(deserializer)?;
        Ok(Self::new(written.source, written.values))
    }
}

/// One line of a pressure file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stall {
    /// Share of the last 10 s in which tasks waited, in percent.
    pub avg10: f64,
    /// The same over 60 s.
    pub avg60: f64,
    /// The same over 300 s.
    pub avg300: f64,
    /// Time waited since boot, in microseconds.
    pub total_us: u64,
}

/// Pressure stall information of one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pressure {
    /// At least one task waited.
    pub some: Reading<Stall>,
    /// All tasks that could run waited.
    pub full: Reading<Stall>,
}

/// A file that offers words and marks one: `always [madvise] never`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BracketedChoice {
    /// The one in brackets.
    pub current: String,
    /// All of them, in the file's order.
    pub offered: Shared<Vec<String>>,
}

impl BracketedChoice {
    /// Words with one in brackets.
    pub fn parse(text: &str) -> Option<Self> {
        let mut current = None;
        let mut offered = Vec::new();
        for word in text.split_ascii_whitespace() {
            let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
            if let Some(inner) = inner {
                current = Some(inner.to_owned());
            }
            offered.push(inner.unwrap_or(word).to_owned());
        }
        Some(Self { current: current?, offered: offered.into() })
    }
}

/// One folio size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MthpSize {
    /// The size of the folio.
    pub size: Bytes,
    /// For anonymous memory: `always`, `inherit`, `madvise` or `never`.
    pub enabled: Reading<BracketedChoice>,
    /// For shared memory.
    pub shmem_enabled: Reading<BracketedChoice>,
    /// Every file of its `stats` folder, in folios of this size since boot.
    pub stats: Reading<Counters>,
}

/// All of `/sys/kernel/mm/transparent_hugepage`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thp {
    /// When huge pages are used.
    pub enabled: Reading<BracketedChoice>,
    /// How hard a fault tries to get one.
    pub defrag: Reading<BracketedChoice>,
    /// When shared memory uses them.
    pub shmem_enabled: Reading<BracketedChoice>,
    /// Size of the largest, the one that fills a page table.
    pub pmd_size: Reading<Bytes>,
    /// By size, smallest first; absent on kernels without per-size control (6.7 and older).
    pub sizes: Reading<Vec<MthpSize>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters() -> Counters {
        let pairs = [("pswpin", 3), ("allocstall_dma", 1), ("allocstall_normal", 4)];
        Counters::new("/proc/vmstat", pairs.map(|(name, value)| (name.into(), value)).to_vec())
    }

    #[test]
    fn a_name_that_is_not_there_is_absent_and_says_where() {
        let missing = counters().get("swap_ra");
        assert_eq!(missing, Reading::absent("/proc/vmstat has no swap_ra on this kernel"));
    }

    #[test]
    fn a_recording_holds_each_name_beside_its_number() {
        let text = r#"{"source":"/proc/vmstat","values":[["allocstall_dma",1],["allocstall_normal",4],["pswpin",3]]}"#;
        assert_eq!(serde_json::to_string(&counters()).unwrap(), text);
        assert_eq!(serde_json::from_str::<Counters>(text).unwrap(), counters());
    }

    #[test]
    fn families_are_summed_by_prefix() {
        assert_eq!(counters().sum_with_prefix("allocstall_"), Reading::Known(5));
        assert!(counters().sum_with_prefix("zswp").missing().is_some());
    }
}
