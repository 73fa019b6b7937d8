//! Paging data: named counters, pressure stall information, and huge pages.

use super::reading::Reading;
use super::shared::Shared;
use super::units::Bytes;
use crate::worded_enum;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Named numbers from one file, such as `/proc/vmstat`, sorted by name.
///
/// Unknown counters of later kernels are kept too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Names, which all samples share.
    pub(super) names: Shared<CounterNames>,
    /// Values, parallel to the names.
    pub(super) values: Box<[u64]>,
}

/// The constant part of a file of counters.
#[derive(Clone, Debug)]
pub(super) struct CounterNames {
    /// The file, for the reason if a name is missing.
    pub(super) source: Box<str>,
    pub(super) names: Box<[Box<str>]>,
    /// The place of each name of the file, in its order.
    pub(super) places: Box<[usize]>,
}

/// The order in the file does not matter.
impl PartialEq for CounterNames {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.names == other.names
    }
}

impl Eq for CounterNames {}

/// Serialized form of counters: pairs of name and number.
#[derive(Serialize, Deserialize)]
struct WrittenCounters<S, N> {
    source: S,
    values: Vec<(N, u64)>,
}

impl Counters {
    /// Creates counters from pairs in any order; the first of two equal names wins.
    pub fn new(source: impl Into<Box<str>>, values: Vec<(Box<str>, u64)>) -> Self {
        let mut lines: Vec<_> = values.into_iter().enumerate().collect();
        lines.sort_by(|(_, a), (_, b)| a.0.cmp(&b.0));
        lines.dedup_by(|(_, later), (_, first)| later.0 == first.0);
        let mut places = vec![0; lines.len()];
        for (place, (line, _)) in lines.iter().enumerate() {
            if let Some(of_line) = places.get_mut(*line) {
                *of_line = place;
            }
        }
        let (names, values): (Vec<_>, Vec<_>) = lines.into_iter().map(|(_, pair)| pair).unzip();
        let (source, names, places) = (source.into(), names.into(), places.into());
        Self { names: Shared::new(CounterNames { source, names, places }), values: values.into() }
    }

    /// Returns the counters of a later reading, which share the names of this one; none if it has others, or in
    /// another order.
    pub fn with_numbers<'a>(&self, pairs: impl Iterator<Item = (&'a str, u64)>) -> Option<Self> {
        let mut values = self.values.clone();
        let mut places = self.names.places.iter();
        for (name, value) in pairs {
            let place = *places.next()?;
            let is_same = self.names.names.get(place).is_some_and(|known| known.as_ref() == name);
            *values.get_mut(place).filter(|_| is_same)? = value;
        }
        places.next().is_none().then(|| Self { names: self.names.clone(), values })
    }

    /// The counter with this name, or the reason that the file does not have it.
    pub fn get(&self, name: &str) -> Reading<u64> {
        match self.find(name) {
            Some(value) => Reading::Known(value),
            None => Reading::absent(self.describe_lack(name)),
        }
    }

    /// A file of the kernel may have more on another one; a model has not.
    fn describe_lack(&self, name: &str) -> String {
        let source = &self.names.source;
        let kernel = if source.starts_with('/') { " on this kernel" } else { "" };
        format!("{source} has no {name}{kernel}")
    }

    /// The sum of all counters with this prefix, or the reason that there are none.
    pub fn sum_with_prefix(&self, prefix: &str) -> Reading<u64> {
        let start = self.names.names.partition_point(|name| name.as_ref() < prefix);
        let matching = self.iter().skip(start);
        let mut matching = matching.take_while(|(name, _)| name.starts_with(prefix)).peekable();
        if matching.peek().is_none() {
            return Reading::absent(self.describe_lack(&format!("{prefix}*")));
        }
        Reading::Known(matching.fold(0, |sum, (_, value)| sum.saturating_add(value)))
    }

    /// All pairs, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.names.iter().map(Box::as_ref).zip(self.values.iter().copied())
    }

    /// Whether there are no counters.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn find(&self, name: &str) -> Option<u64> {
        self.values.get(self.position(name)?).copied()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.names.names.binary_search_by(|key| key.as_ref().cmp(name)).ok()
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
    /// Share of the last 10 s in which tasks stalled, in percent.
    pub avg10: f64,
    /// Share of the last 60 s, in percent.
    pub avg60: f64,
    /// Share of the last 300 s, in percent.
    pub avg300: f64,
    /// Total stall time since boot, in microseconds.
    pub total_us: u64,
}

/// Pressure stall information of one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pressure {
    /// At least one task stalled.
    pub some: Reading<Stall>,
    /// All runnable tasks stalled.
    pub full: Reading<Stall>,
}

worded_enum! {
    /// A line of a pressure file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PsiLine {
        /// At least one task stalled.
        Some = "some",
        /// All non-idle tasks stalled at once.
        Full = "full",
    }
}

impl Pressure {
    /// A line of the file.
    pub fn line(&self, line: PsiLine) -> Reading<Stall> {
        match line {
            PsiLine::Some => self.some.clone(),
            PsiLine::Full => self.full.clone(),
        }
    }
}

/// A file that lists words with the current one in brackets: `always [madvise] never`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BracketedChoice {
    /// The word in brackets.
    pub current: String,
    /// All words, in the order of the file.
    pub offered: Shared<Vec<String>>,
}

impl BracketedChoice {
    /// Parses words with one in brackets.
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
    /// Setting for anonymous memory: `always`, `inherit`, `madvise` or `never`.
    pub enabled: Reading<BracketedChoice>,
    /// Setting for shared memory.
    pub shmem_enabled: Reading<BracketedChoice>,
    /// All files of its `stats` folder: folios of this size since boot.
    pub stats: Reading<Counters>,
}

impl MthpSize {
    /// A counter of its statistics.
    pub fn stat(&self, name: &str) -> Reading<u64> {
        self.stats.as_ref().and_then(|stats| stats.get(name))
    }
}

/// All of `/sys/kernel/mm/transparent_hugepage`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thp {
    /// Setting for anonymous memory.
    pub enabled: Reading<BracketedChoice>,
    /// How hard a page fault tries to allocate a huge page.
    pub defrag: Reading<BracketedChoice>,
    /// Setting for shared memory.
    pub shmem_enabled: Reading<BracketedChoice>,
    /// Size of the largest (PMD-mapped) huge page.
    pub pmd_size: Reading<Bytes>,
    /// Folio sizes, smallest first; absent on kernels without per-size control (6.7 and older).
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
        let model = Counters::new("the model of /proc/vmstat", Vec::new());
        let missing = model.sum_with_prefix("pgscan_");
        assert_eq!(missing, Reading::absent("the model of /proc/vmstat has no pgscan_*"));
    }

    #[test]
    fn numbers_of_a_later_reading_need_the_same_names() {
        let first = counters();
        let later = [("pswpin", 9), ("allocstall_dma", 2), ("allocstall_normal", 4)];
        let counted = first.with_numbers(later.into_iter()).unwrap();
        assert_eq!(counted.get("pswpin"), Reading::Known(9));
        assert!(Shared::ptr_eq(&first.names, &counted.names));
        let renamed = [("pswpin", 9), ("allocstall_dma", 2), ("allocstall_movable", 4)];
        assert_eq!(first.with_numbers(renamed.into_iter()), None);
        assert_eq!(first.with_numbers(later.into_iter().take(2)), None, "one name is gone");
        let more = later.into_iter().chain([("pswpin", 9)]);
        assert_eq!(first.with_numbers(more), None, "one name twice");
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
