//! The choices of a setup: which there are, what is requested, and what is proposed.

use super::profile::MachineProfile;
use crate::change::{ChangeAttempt, ChangeError};
use crate::columns::units::parse_size;
use crate::model::Bytes;
use crate::model::name::safe_text;
use crate::model::text::nearest_word;
use serde::Serialize;

/// Smallest size of zram or of a swap file.
const LEAST_SIZE: Bytes = Bytes(1 << 20);

/// A choice of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetupKey {
    /// Compressed swap: zram, zswap or none.
    Compression,
    /// Size of the zram device.
    Size,
    /// Compression algorithm.
    Algorithm,
    /// Swap on a disk.
    Disk,
    /// Priorities of the areas.
    Priorities,
    /// `vm.swappiness`.
    Swappiness,
    /// `vm.page-cluster`.
    PageCluster,
    /// Whether the setup is made at each boot.
    Boot,
}

impl SetupKey {
    /// All choices in order, each with its word, its heading and its values.
    pub const ALL: [(Self, &'static str, &'static str, &'static str); 8] = [
        (Self::Compression, "compression", "compressed swap", "zswap, zram or none"),
        (Self::Size, "size", "zram size", "a size of 1M or more, such as 4G"),
        (
            Self::Algorithm,
            "algorithm",
            "algorithm",
            "the compression algorithm, such as zstd, or default",
        ),
        (
            Self::Disk,
            "disk",
            "disk swap",
            "keep, none, or the size of a new swap file of 1M or more, such as 8G",
        ),
        (Self::Priorities, "priorities", "priorities", "tiered (faster areas first) or keep"),
        (Self::Swappiness, "swappiness", "swappiness", "0 to 200"),
        (Self::PageCluster, "page-cluster", "page-cluster", "0 (no readahead) to 31"),
        (Self::Boot, "boot", "at boot", "yes or no"),
    ];

    /// The word of the choice in commands and JSON.
    pub fn word(self) -> &'static str {
        self.texts().0
    }

    /// The heading of the choice.
    pub fn title(self) -> &'static str {
        self.texts().1
    }

    /// The accepted values, in words.
    pub fn values(self) -> &'static str {
        self.texts().2
    }

    /// Whether a value has the right form. What the machine allows is checked later.
    pub(super) fn accepts(self, value: &str) -> bool {
        let is_size = || parse_size(value).is_some_and(|size| size >= LEAST_SIZE);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        match self {
            Self::Compression => ["zswap", "zram", "none"].contains(&value),
            Self::Size => is_size(),
            Self::Algorithm => !value.is_empty() && value.chars().all(is_plain),
            Self::Disk => ["keep", "none"].contains(&value) || is_size(),
            Self::Priorities => ["tiered", "keep"].contains(&value),
            // Their range depends on the kernel.
            Self::Swappiness | Self::PageCluster => true,
            Self::Boot => ["yes", "no"].contains(&value),
        }
    }

    /// Refuses a value of the wrong form.
    pub(super) fn check(self, value: &str) -> Result<(), String> {
        if self.accepts(value) {
            return Ok(());
        }
        Err(format!("{} \"{}\": use {}", self.word(), safe_text(value), self.values()))
    }

    /// Why a setup can lack this choice.
    pub(super) fn why_unused(self) -> &'static str {
        match self {
            Self::Size => "there is no zram in this setup",
            Self::Algorithm => "nothing is compressed in this setup",
            Self::Priorities => "there are fewer than two areas in this setup",
            Self::Swappiness | Self::PageCluster | Self::Boot => "there is no swap in this setup",
            Self::Compression | Self::Disk => "this setup has no such choice",
        }
    }

    fn texts(self) -> (&'static str, &'static str, &'static str) {
        let found = Self::ALL.iter().find(|(key, ..)| *key == self);
        found.map_or(("", "", ""), |(_, word, title, values)| (*word, *title, *values))
    }
}

/// A requested setup: the kind of machine, and values of choices; everything else is proposed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SetupRequest {
    /// The kind of machine; `None` to find out.
    pub profile: Option<MachineProfile>,
    /// Values of choices, as typed.
    pub with: Vec<(SetupKey, String)>,
    /// Whether memory of processes is sampled for the compression ratio.
    pub sample: bool,
}

impl SetupRequest {
    /// Adds a choice such as `size=4G`.
    pub fn choose(&mut self, text: &str) -> ChangeAttempt<()> {
        let words = || SetupKey::ALL.iter().map(|(_, word, ..)| *word);
        let (word, value) = text.split_once('=').unwrap_or((text, ""));
        let key = SetupKey::ALL.iter().find(|(_, known, ..)| *known == word);
        let Some((key, _, _, values)) = key else {
            let near = nearest_word(word, words());
            let near = near.map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
            let all = words().collect::<Vec<_>>().join(", ");
            return Err(ChangeError::Usage(format!(
                "\"{}\" is not a choice{near}: use {all}",
                safe_text(word)
            )));
        };
        if value.is_empty() {
            return Err(ChangeError::Usage(format!(
                "{word} has no value: use {word}=VALUE, {values}"
            )));
        }
        key.check(value).map_err(ChangeError::Usage)?;
        self.set(*key, value.to_owned());
        Ok(())
    }

    /// Sets the value of a choice.
    pub fn set(&mut self, key: SetupKey, value: String) {
        self.with.retain(|(other, _)| *other != key);
        self.with.push((key, value));
    }

    /// Notes on requested values that have no effect.
    pub(super) fn unused<'a>(
        &'a self,
        choices: &'a [SetupChoice],
    ) -> impl Iterator<Item = SetupNote> + 'a {
        let is_unused = |key: SetupKey| choices.iter().all(|choice| choice.key != key);
        self.with.iter().filter(move |(key, _)| is_unused(*key)).map(|(key, value)| {
            let (word, value, why) = (key.word(), safe_text(value), key.why_unused());
            SetupNote { id: "unused", text: format!("{word}={value} has no effect: {why}") }
        })
    }

    /// The requested value of a choice.
    pub(super) fn value(&self, key: SetupKey) -> Option<&str> {
        self.with.iter().find(|(other, _)| *other == key).map(|(_, value)| value.as_str())
    }
}

/// A value that a choice can have, with the reason for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChoiceValue {
    /// The value.
    pub value: String,
    /// The reason, as a sentence without a period.
    pub reason: String,
}

/// A choice of a proposed setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetupChoice {
    /// The choice.
    pub key: SetupKey,
    /// The present value; none if there is nothing of the kind.
    pub now: Option<String>,
    /// The chosen value, with the reason.
    #[serde(flatten)]
    pub chosen: ChoiceValue,
    /// Whether the machine is changed for it.
    pub changes: bool,
    /// Cost in memory.
    pub cost: Option<String>,
    /// The configuration that applies it at boot.
    pub file: Option<&'static str>,
    /// Other values that are possible.
    pub others: Vec<ChoiceValue>,
    /// Index in `others` before which the chosen value belongs.
    #[serde(skip)]
    pub place: usize,
}

impl SetupChoice {
    /// The value and its reason, as `4G (now 2G): half of memory`; without `now` if the value stays.
    pub fn summary(&self) -> String {
        format!("{}: {}", self.value_words(), self.chosen.reason)
    }

    /// The value, with the present one if that differs.
    pub fn value_words(&self) -> String {
        let value = &self.chosen.value;
        let now = self.now.as_ref().filter(|now| *now != value);
        now.map_or_else(|| value.clone(), |now| format!("{value} (now {now})"))
    }

    /// The value before or after the chosen one, in the order of all values.
    pub fn neighbor(&self, back: bool) -> Option<&str> {
        let count = self.others.len();
        let before = self.place.checked_sub(1).or_else(|| count.checked_sub(1));
        let next = if back { before? } else { self.place.checked_rem(count)? };
        self.others.get(next).map(|other| other.value.as_str())
    }

    /// Cost, configuration at boot and other values, each on a line.
    pub fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.cost.iter().map(|cost| format!("memory: {cost}")));
        lines.extend(self.file.iter().map(|file| format!("at boot by {file}")));
        let key = self.key.word();
        let other = |other: &ChoiceValue| {
            format!("other choice, --with {key}={}: {}", other.value, other.reason)
        };
        lines.extend(self.others.iter().map(other));
        lines
    }
}

/// Something to know about a proposed setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetupNote {
    /// Name of the note in JSON.
    pub id: &'static str,
    /// The text of the note, in sentences.
    pub text: String,
}
