//! Settings of a case: the workload and its overrides, temporary areas, and kernel settings.

use super::keys::ExperimentDraft;
use crate::config::value::{MAX_BYTES, amount};
use crate::config::{self, KeyDefault as D, KeyInput, KeyNames, REQUIRED, ValueType as T, setter};
use crate::lab::load::keys::MIN_LIMIT;
use crate::lab::run_spec::TemporaryAreaKind;
use crate::model::activation::{Discard, MAX_PRIORITY, Priority};
use crate::model::load::MemoryAmount;
use crate::sim::policy::KernelPolicy;
use std::collections::BTreeMap;

type Key = config::KeySpec<ExperimentDraft>;

/// The most temporary areas of a run.
const MAX_DEVICES: usize = 32;
/// The priority of areas with equal priority.
const EQUAL_PRIORITY: u16 = 100;

const LOAD: T = T::Other(|| "the name of a workload, or the path of its file".to_owned());
const POLICY: T = T::Other(|| {
    "a kernel as in machine files, such as 6.12 or 6.12+scan-one (swapadm machine keys)".to_owned()
});
const LIMIT: T = T::Other(|| {
    "a size of 8M or more plus 512K for each process, such as 512M, or a share of available memory up to 100%, such as 5%".to_owned()
});
const DEVICES: T = T::Other(|| {
    "sizes such as 4x1G, or shares of the limit such as 4x100% or 1x50%,1x100%".to_owned()
});
const KIND: T = T::Other(|| "zram, file, or one per device such as zram,file".to_owned());
const PRIORITIES: T =
    T::Other(|| "default, equal, distinct, or one per device such as 5,5,0".to_owned());
const ALGORITHM: T = T::Other(|| "a compression algorithm of the kernel, such as lz4".to_owned());
const WITH: T = T::Other(|| {
    "a value that swapadm stress keys lists for that key, such as with.memory = \"shared\""
        .to_owned()
});
const SET: T = T::Other(|| {
    "a value that swapadm knobs lists for that knob, such as set.page-cluster = 0".to_owned()
});

/// The keys of settings.
pub(super) static SETTINGS_KEYS: &[Key] = &[
    Key::value("load", LOAD, D::InWords(REQUIRED), |to, it| {
        it.takes.text(it.text)?;
        to.value.settings.load = Some(LocatedText::from_input(it));
        Ok(())
    })
    .says("The workload to run"),
    Key::value("limit", LIMIT, D::InWords("the limit of the workload"), |to, it| {
        let sizes = MIN_LIMIT.0..=MAX_BYTES;
        let limit = amount((it.text, it.text), sizes, f64::MIN_POSITIVE..=100.0)?;
        to.value.settings.limit = Some(limit.ok_or_else(|| it.refuse())?);
        Ok(())
    })
    .says("Memory limit of all processes together"),
    Key::value("devices", DEVICES, D::InWords("no temporary area"), |to, it| {
        to.value.settings.devices = Some(devices(it)?);
        Ok(())
    })
    .says("Temporary swap areas of a run"),
    Key::value("kind", KIND, D::InWords("zram"), |to, it| {
        to.value.settings.kinds = Some(TemporaryAreaKinds::parse(it.text)?);
        Ok(())
    })
    .says("Kind of the temporary areas"),
    Key::value(
        "priorities",
        PRIORITIES,
        D::InWords("default; for a single area, above all active areas"),
        |to, it| {
            to.value.settings.priorities = Some(Priorities::parse(it.text)?);
            Ok(())
        },
    )
    .says("Priorities of the temporary areas"),
    Key::value(
        "algorithm",
        ALGORITHM,
        D::InWords("the kernel's choice"),
        setter!(value.settings.algorithm = Some(text)),
    )
    .says("Compression algorithm of areas on zram"),
    Key::value(
        "discard",
        T::Word(|| Discard::WORDS.map(|(word, _)| word).to_vec()),
        D::InWords("none"),
        |to, it| {
            to.value.settings.discard = Some(it.takes.word(it.text, &Discard::WORDS)?);
            Ok(())
        },
    )
    .says("Discard policy of the temporary areas"),
    Key::value("policy", POLICY, D::InWords("the kernel of the machine"), |to, it| {
        it.takes.text(it.text)?;
        KernelPolicy::parse(it.text)?;
        to.value.settings.policy = Some(it.text.to_owned());
        Ok(())
    })
    .says("Kernel that is modelled; only on simulated machines, with --on"),
    Key::value("with", WITH, D::InWords("the value of the workload"), |to, it| {
        to.value.settings.with.insert(it.name.to_owned(), LocatedText::from_input(it));
        Ok(())
    })
    .says("Override of a key of the workload")
    .names(KeyNames::Any),
    Key::value("set", SET, D::InWords("the current value"), |to, it| {
        to.value.settings.set.insert(it.name.to_owned(), it.text.to_owned());
        Ok(())
    })
    .says("Knob that is changed for a run")
    .names(KeyNames::Any),
];

/// The settings of a case. Missing ones are taken from the base, the workload or the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseSettings {
    /// The workload.
    pub load: Option<LocatedText>,
    /// The kernel that a simulated machine models.
    pub policy: Option<String>,
    /// The memory limit of all processes.
    pub limit: Option<MemoryAmount>,
    /// The sizes of the temporary areas; shares are of the limit.
    pub devices: Option<Vec<MemoryAmount>>,
    /// The kinds of the areas.
    pub kinds: Option<TemporaryAreaKinds>,
    /// The priorities of the areas.
    pub priorities: Option<Priorities>,
    /// The compression algorithm of zram areas.
    pub algorithm: Option<String>,
    /// The discard policy of the areas.
    pub discard: Option<Discard>,
    /// Overrides of keys of the workload.
    pub with: BTreeMap<String, LocatedText>,
    /// Kernel settings.
    pub set: BTreeMap<String, String>,
    /// The line of the file where each key is set.
    pub lines: BTreeMap<String, usize>,
}

/// A text that is parsed later, and where it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedText {
    /// The text.
    pub text: String,
    /// The line of the file.
    pub line: Option<usize>,
}

impl LocatedText {
    fn from_input(it: &KeyInput<'_>) -> Self {
        Self { text: it.text.to_owned(), line: it.line }
    }
}

/// The kinds of the temporary areas: one for all, or one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporaryAreaKinds(Vec<TemporaryAreaKind>);

impl TemporaryAreaKinds {
    /// Parses a list of kinds.
    pub fn parse(text: &str) -> Result<Self, String> {
        let kind = |word: &str| {
            TemporaryAreaKind::from_word(word.trim()).ok_or_else(|| {
                format!(
                    "\"{text}\" is not valid: use zram, file, or one per device such as zram,file"
                )
            })
        };
        text.split(',').map(kind).collect::<Result<_, _>>().map(Self)
    }

    /// The kind of one area.
    pub fn for_area(&self, place: usize) -> TemporaryAreaKind {
        self.0.get(place).or(self.0.first()).copied().unwrap_or(TemporaryAreaKind::Zram)
    }

    /// Checks that the number of kinds fits the number of areas. Without areas any number fits.
    pub fn check_count(&self, areas: usize) -> Result<(), String> {
        let kinds = self.0.len();
        if kinds == 1 || kinds == areas || areas == 0 {
            return Ok(());
        }
        let areas = count_areas(areas);
        Err(format!("{kinds} kinds for {areas}: use one, or one for each area"))
    }
}

/// Describes a number of areas.
pub fn count_areas(areas: usize) -> String {
    format!("{areas} {}", if areas == 1 { "area" } else { "areas" })
}

/// The priorities of the temporary areas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Priorities {
    /// The kernel's default.
    Default,
    /// Equal priorities.
    Equal,
    /// The first area has the highest priority, and each further one a priority lower by one.
    Distinct,
    /// These priorities.
    Each(Vec<Priority>),
}

impl Priorities {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "default" => Ok(Self::Default),
            "equal" => Ok(Self::Equal),
            "distinct" => Ok(Self::Distinct),
            _ => text
                .split(',')
                .map(|one| Priority::parse(one.trim()))
                .collect::<Result<_, _>>()
                .map(Self::Each)
                .map_err(|_| {
                    format!("\"{text}\" is not valid: use default, equal, distinct, or numbers from 0 to {MAX_PRIORITY}, one per device")
                }),
        }
    }

    /// Checks that the number of priorities fits the number of areas. Without areas any number
    /// fits.
    pub fn check_count(&self, areas: usize) -> Result<(), String> {
        let Self::Each(all) = self else { return Ok(()) };
        if all.len() == areas || areas == 0 {
            return Ok(());
        }
        let word = if all.len() == 1 { "priority" } else { "priorities" };
        let (count, areas) = (all.len(), count_areas(areas));
        Err(format!(
            "{count} {word} for {areas}: use one for each area, or default, equal or distinct"
        ))
    }

    /// The priority of one of `count` areas.
    pub fn for_area(&self, place: usize, count: usize) -> Priority {
        let below = |place: usize| u16::try_from(count - place.min(count)).unwrap_or(0);
        match self {
            Self::Default => Priority::Default,
            Self::Equal => Priority::Set(EQUAL_PRIORITY),
            Self::Distinct => Priority::Set(EQUAL_PRIORITY + below(place)),
            Self::Each(all) => all.get(place).copied().unwrap_or(Priority::Default),
        }
    }
}

impl CaseSettings {
    /// The number of temporary areas.
    pub fn area_count(&self) -> usize {
        self.devices.as_ref().map_or(0, Vec::len)
    }

    /// Fills missing settings from a base.
    pub fn merge_over(&self, base: &Self) -> Self {
        Self {
            load: self.load.clone().or_else(|| base.load.clone()),
            policy: self.policy.clone().or_else(|| base.policy.clone()),
            limit: self.limit.or(base.limit),
            devices: self.devices.clone().or_else(|| base.devices.clone()),
            kinds: self.kinds.clone().or_else(|| base.kinds.clone()),
            priorities: self.priorities.clone().or_else(|| base.priorities.clone()),
            algorithm: self.algorithm.clone().or_else(|| base.algorithm.clone()),
            discard: self.discard.or(base.discard),
            with: merge_maps(&base.with, &self.with),
            set: merge_maps(&base.set, &self.set),
            lines: merge_maps(&base.lines, &self.lines),
        }
    }
}

/// Merges two maps; `above` takes precedence.
fn merge_maps<T: Clone>(
    below: &BTreeMap<String, T>,
    above: &BTreeMap<String, T>,
) -> BTreeMap<String, T> {
    below.iter().chain(above).map(|(key, it)| (key.clone(), it.clone())).collect()
}

fn devices(it: &KeyInput<'_>) -> Result<Vec<MemoryAmount>, String> {
    let mut all = Vec::new();
    for part in it.text.split(',').map(str::trim) {
        let (count, each) = match part.split_once('x') {
            Some((count, each)) => (count.parse::<usize>().unwrap_or(0), each),
            None => (1, part),
        };
        if !(1..=MAX_DEVICES).contains(&count) {
            return Err(format!(
                "\"{part}\" is not valid: use from 1 to {MAX_DEVICES} devices, such as 4x1G or 4x100%"
            ));
        }
        // A size that no swap header can count is reported with the plan.
        let size = amount((part, each), 1..=u64::MAX, f64::MIN_POSITIVE..=10_000.0)?;
        let size = size.ok_or_else(|| it.takes.refuse(part))?;
        all.extend(std::iter::repeat_n(size, count));
    }
    if all.len() > MAX_DEVICES {
        let text = it.text;
        return Err(format!("\"{text}\" is not valid: use no more than {MAX_DEVICES} devices"));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::keys::KEYS;
    use super::*;
    use crate::config::Content;
    use crate::model::Bytes;

    fn set_key(draft: &mut ExperimentDraft, key: &str, text: &str) -> Result<(), String> {
        KEYS.set("base", key, (&Content::from_text(text), None), draft)
    }

    fn settings(pairs: &[(&str, &str)]) -> CaseSettings {
        let mut draft = ExperimentDraft::default();
        for (key, text) in pairs {
            set_key(&mut draft, key, text).unwrap();
        }
        draft.value.settings
    }

    #[test]
    fn a_case_overrides_the_base() {
        let base = settings(&[("load", "usemem"), ("with.size", "50%"), ("set.swappiness", "60")]);
        let case = settings(&[("with.size", "25%"), ("devices", "2x50%,1G")]).merge_over(&base);
        assert_eq!(case.load.unwrap().text, "usemem");
        assert_eq!(case.with["size"].text, "25%");
        let sizes = [
            MemoryAmount::Share(0.5),
            MemoryAmount::Share(0.5),
            MemoryAmount::Bytes(Bytes(1 << 30)),
        ];
        assert_eq!(case.devices.unwrap(), sizes);
        assert_eq!(case.set["swappiness"], "60");
    }

    #[test]
    fn priorities_are_assigned_in_order() {
        let of = |text: &str| -> Vec<String> {
            let priorities = Priorities::parse(text).unwrap();
            (0..3).map(|place| priorities.for_area(place, 3).to_string()).collect()
        };
        assert_eq!(of("default"), ["default", "default", "default"]);
        assert_eq!(of("equal"), ["100", "100", "100"]);
        assert_eq!(of("distinct"), ["103", "102", "101"]);
        assert_eq!(of("7, 7, 0"), ["7", "7", "0"]);
        let fit =
            |text: &str| [0, 3, 4].map(|areas| Priorities::parse(text).unwrap().check_count(areas));
        assert_eq!(fit("equal"), [const { Ok(()) }; 3]);
        let [none, three, four] = fit("7,7,0");
        assert_eq!([none, three], [Ok(()), Ok(())]);
        assert!(four.unwrap_err().starts_with("3 priorities for 4 areas: use one for each area"));
    }

    #[test]
    fn kinds_are_for_all_areas_or_one_each() {
        let of = |text: &str| {
            [0, 1].map(|place| TemporaryAreaKinds::parse(text).unwrap().for_area(place))
        };
        assert_eq!(of("file"), [TemporaryAreaKind::File; 2]);
        assert_eq!(of("zram, file"), [TemporaryAreaKind::Zram, TemporaryAreaKind::File]);
        let fit = |text: &str| {
            [0, 1, 2, 4].map(|areas| TemporaryAreaKinds::parse(text).unwrap().check_count(areas))
        };
        assert_eq!(fit("file"), [const { Ok(()) }; 4]);
        let [none, one, two, four] = fit("zram,file");
        assert_eq!([none, two], [Ok(()), Ok(())]);
        assert_eq!(one.unwrap_err(), "2 kinds for 1 area: use one, or one for each area");
        assert_eq!(four.unwrap_err(), "2 kinds for 4 areas: use one, or one for each area");
    }

    #[test]
    fn errors_name_valid_values() {
        let wrong = [
            ("limit", "5", "has no unit: use 5G"),
            ("limit", "200%", "up to 100%"),
            ("limit", "100000T", "\"100000T\" is not valid: use a size of 8M or more"),
            ("devices", "0x1G", "from 1 to 32"),
            ("devices", "20x1M,20x1M", "no more than 32"),
            ("devices", "1G, 4x", "\"4x\" is not valid: use sizes such as 4x1G"),
            ("kind", "disk", "zram, file"),
            ("kind", "", "zram, file"),
            ("priorities", "high", "default, equal, distinct"),
            ("discard", "yes", "none, once"),
            ("sizes", "1", "with.NAME"),
            ("with.", "1", "unknown key: use "),
        ];
        for (key, text, says) in wrong {
            let why = set_key(&mut ExperimentDraft::default(), key, text).unwrap_err();
            assert!(why.contains(says), "{key}: {why}");
        }
    }
}
