//! What a case sets: the load and what is said of it, the areas it is lent, knobs.

use crate::columns::units;
use crate::lab::wish::Kind;
use crate::model::Bytes;
use crate::model::activation::{Discard, MAX_PRIORITY, Priority};
use crate::model::load::Amount;
use crate::stress::keys::{LEAST_LIMIT, Line, MOST_BYTES, NEEDED, unitless};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Areas that can be lent to a run.
const MOST_DEVICES: usize = 32;
/// The priority of areas that all have the same.
const EQUAL: u16 = 100;

/// A key of settings.
struct Key {
    name: &'static str,
    /// Does it stand before the name of something, as in `set.page-cluster`?
    of_many: bool,
    takes: &'static str,
    without: &'static str,
    help: &'static str,
    /// Set it, of the thing with this name where there are many.
    put: fn(&mut Settings, &str, Said) -> Result<(), String>,
}

static KEYS: &[Key] = &[
    Key {
        name: "load",
        takes: "the name of a load, or the path of a file with one",
        without: NEEDED,
        help: "What is run",
        put: |to, _, said| named("load", &said.text).map(|_| to.load = Some(said)),
        of_many: false,
    },
    Key {
        name: "limit",
        takes: "a size of 8M or more beside 512K for each process, such as 512M, or a share of what is available up to 100%, such as 5%",
        without: "as the load has it",
        help: "The memory of all processes",
        put: |to, _, said| limit(&said.text).map(|limit| to.limit = Some(limit)),
        of_many: false,
    },
    Key {
        name: "devices",
        takes: "sizes such as 4x1G, or shares of the limit such as 4x100% or 1x50%,1x100%",
        without: "no area is made",
        help: "Areas that are made for a run",
        put: |to, _, said| devices(&said.text).map(|devices| to.devices = Some(devices)),
        of_many: false,
    },
    Key {
        name: "kind",
        takes: "zram, file, or one for each device such as zram,file",
        without: "zram",
        help: "What carries those areas",
        put: |to, _, said| Kinds::parse(&said.text).map(|kinds| to.kinds = Some(kinds)),
        of_many: false,
    },
    Key {
        name: "priorities",
        takes: "default, equal, distinct, or one for each device such as 5,5,0",
        without: "default",
        help: "How those areas are switched on",
        put: |to, _, said| Priorities::parse(&said.text).map(|all| to.priorities = Some(all)),
        of_many: false,
    },
    Key {
        name: "algorithm",
        takes: "a name that the kernel offers, such as lz4",
        without: "what the kernel chooses",
        help: "How areas on zram compress",
        put: |to, _, said| named("algorithm", &said.text).map(|name| to.algorithm = Some(name)),
        of_many: false,
    },
    Key {
        name: "discard",
        takes: "none, once, pages or both",
        without: "none",
        help: "Which discards those areas get",
        put: |to, _, said| discard(&said.text).map(|discard| to.discard = Some(discard)),
        of_many: false,
    },
    Key {
        name: "with",
        of_many: true,
        takes: "what swapadm stress keys says of that key, such as with.memory = \"shared\"",
        without: "as the load has it",
        help: "A key of the load, said otherwise",
        put: |to, of, said| {
            to.with.insert(of.to_owned(), said);
            Ok(())
        },
    },
    Key {
        name: "set",
        of_many: true,
        takes: "what swapadm knobs says of that knob, such as set.page-cluster = 0",
        without: "as the machine has it",
        help: "A knob that is set for a run",
        put: |to, of, said| {
            to.set.insert(of.to_owned(), said.text);
            Ok(())
        },
    },
];

impl Key {
    /// As it is written.
    fn written(&self) -> String {
        if self.of_many { format!("{}.NAME", self.name) } else { self.name.to_owned() }
    }
}

/// Their keys; those of a group are not among them.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).collect()
}

/// What a key takes, or what there is instead of it. A group such as `with` has keys of its own.
pub(super) fn takes(key: &str) -> String {
    let name = key.split_once('.').map_or(key, |(name, _)| name);
    match KEYS.iter().find(|known| known.name == name) {
        Some(known) if known.of_many && name == key => known.written(),
        Some(known) => known.takes.to_owned(),
        None => written(),
    }
}

/// What the manual says of them.
pub(super) fn lines(heading: &'static str) -> impl Iterator<Item = Line> {
    KEYS.iter().map(move |key| Line {
        heading,
        key: key.written(),
        takes: key.takes.to_owned(),
        default: key.without.to_owned(),
        help: key.help.to_owned(),
    })
}

/// Settings; what is not said of a case is as the base, the load or the machine has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Which load.
    pub load: Option<Said>,
    /// The memory of all processes.
    pub limit: Option<Amount>,
    /// The sizes of areas that are made; shares are of the limit.
    pub devices: Option<Vec<Amount>>,
    /// What carries them.
    pub kinds: Option<Kinds>,
    /// How they are switched on.
    pub priorities: Option<Priorities>,
    /// How those on zram compress.
    pub algorithm: Option<String>,
    /// Which discards they get.
    pub discard: Option<Discard>,
    /// What is said of the load, by its keys.
    pub with: BTreeMap<String, Said>,
    /// Knobs.
    pub set: BTreeMap<String, String>,
    /// On which line of the file a key was said.
    pub lines: BTreeMap<String, usize>,
}

/// Something that is looked into later, and where it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// The line of the file.
    pub line: Option<usize>,
}

/// What carries the areas that are made: one for all of them, or one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kinds(Vec<Kind>);

impl Kinds {
    /// As they are written.
    ///
    /// # Errors
    /// What they could have been.
    pub fn parse(text: &str) -> Result<Self, String> {
        let kind = |word: &str| {
            let found = Kind::WORDS.iter().find(|(known, _)| *known == word.trim());
            found.map(|(_, kind)| *kind).ok_or_else(|| {
                format!("\"{text}\" is not possible: use zram, file, or one for each device such as zram,file")
            })
        };
        text.split(',').map(kind).collect::<Result<_, _>>().map(Self)
    }

    /// That of one of the devices.
    pub fn of(&self, place: usize) -> Kind {
        self.0.get(place).or(self.0.first()).copied().unwrap_or(Kind::Zram)
    }

    /// Can they be those of so many areas? Where none is made they are those of none.
    ///
    /// # Errors
    /// That there are more or fewer.
    pub fn fit(&self, areas: usize) -> Result<(), String> {
        let kinds = self.0.len();
        if kinds == 1 || kinds == areas || areas == 0 {
            return Ok(());
        }
        let areas = counted(areas);
        Err(format!("{kinds} kinds for {areas}: say one, or one for each area"))
    }
}

fn counted(areas: usize) -> String {
    format!("{areas} {}", if areas == 1 { "area" } else { "areas" })
}

/// The priorities of the areas that are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Priorities {
    /// None is said.
    Default,
    /// All have the same.
    Equal,
    /// The first has the highest, each other one less than the one before.
    Distinct,
    /// These.
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
                    format!("\"{text}\" is not possible: use default, equal, distinct, or numbers from 0 to {MAX_PRIORITY}, one for each device")
                }),
        }
    }

    /// Are there as many as areas? Where none is made they are those of none.
    ///
    /// # Errors
    /// That there are more or fewer.
    pub fn fit(&self, areas: usize) -> Result<(), String> {
        let Self::Each(all) = self else { return Ok(()) };
        if all.len() == areas || areas == 0 {
            return Ok(());
        }
        let word = if all.len() == 1 { "priority" } else { "priorities" };
        let (count, areas) = (all.len(), counted(areas));
        Err(format!(
            "{count} {word} for {areas}: say one for each area, or default, equal or distinct"
        ))
    }

    /// That of one of so many devices.
    pub fn of(&self, place: usize, count: usize) -> Priority {
        let below = |place: usize| u16::try_from(count - place.min(count)).unwrap_or(0);
        match self {
            Self::Default => Priority::Default,
            Self::Equal => Priority::Set(EQUAL),
            Self::Distinct => Priority::Set(EQUAL + below(place)),
            Self::Each(all) => all.get(place).copied().unwrap_or(Priority::Default),
        }
    }
}

impl Settings {
    /// Set a key to what was said on this line.
    ///
    /// # Errors
    /// What it could have been.
    pub fn put(&mut self, key: &str, said: Said) -> Result<(), String> {
        self.lines.extend(said.line.map(|line| (key.to_owned(), line)));
        let (name, of) = key.split_once('.').map_or((key, None), |(name, of)| (name, Some(of)));
        let fits = |known: &&Key| {
            known.name == name && of.map_or(!known.of_many, |of| known.of_many && !of.is_empty())
        };
        let found = KEYS.iter().find(fits).ok_or_else(|| unknown(name))?;
        (found.put)(self, of.unwrap_or_default(), said)
    }

    /// How many areas are made.
    pub fn areas(&self) -> usize {
        self.devices.as_ref().map_or(0, Vec::len)
    }

    /// These, and where nothing is said, those.
    pub fn over(&self, base: &Self) -> Self {
        Self {
            load: self.load.clone().or_else(|| base.load.clone()),
            limit: self.limit.or(base.limit),
            devices: self.devices.clone().or_else(|| base.devices.clone()),
            kinds: self.kinds.clone().or_else(|| base.kinds.clone()),
            priorities: self.priorities.clone().or_else(|| base.priorities.clone()),
            algorithm: self.algorithm.clone().or_else(|| base.algorithm.clone()),
            discard: self.discard.or(base.discard),
            with: merged(&base.with, &self.with),
            set: merged(&base.set, &self.set),
            lines: merged(&base.lines, &self.lines),
        }
    }
}

/// What is said below, and what is said above it.
fn merged<T: Clone>(
    below: &BTreeMap<String, T>,
    above: &BTreeMap<String, T>,
) -> BTreeMap<String, T> {
    below.iter().chain(above).map(|(key, it)| (key.clone(), it.clone())).collect()
}

/// That there is no such key, or only several of that name.
fn unknown(name: &str) -> String {
    if KEYS.iter().any(|known| known.of_many && known.name == name) {
        return format!("it has keys of its own: use {}", takes(name));
    }
    format!("there is no such setting: use {}", written())
}

fn written() -> String {
    let names: Vec<String> = KEYS.iter().map(Key::written).collect();
    format!("some of {}", names.join(", "))
}

/// That a key does not take this.
fn refuse(key: &str, text: &str) -> String {
    format!("\"{text}\" is not possible: use {}", takes(key))
}

/// The name of something, which is looked up later.
fn named(key: &str, text: &str) -> Result<String, String> {
    if text.is_empty() { Err(refuse(key, text)) } else { Ok(text.to_owned()) }
}

fn limit(text: &str) -> Result<Amount, String> {
    amount((text, text), LEAST_LIMIT.0..=MOST_BYTES, 100.0)?.ok_or_else(|| refuse("limit", text))
}

/// An amount that is a part of what was said, or all of it; nothing where it is none of these.
fn amount(
    (said, text): (&str, &str),
    sizes: RangeInclusive<u64>,
    most: f64,
) -> Result<Option<Amount>, String> {
    if let Some(share) = text.strip_suffix('%') {
        let share = share.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= most);
        return Ok(share.map(|share| Amount::Share(share / 100.0)));
    }
    if let Some(why) = unitless(said, text, sizes.clone()) {
        return Err(why);
    }
    let has_unit = text.ends_with(|last: char| last.is_ascii_alphabetic());
    let fits = |bytes: &Bytes| has_unit && sizes.contains(&bytes.0);
    let bytes = units::parse_size(text).filter(fits);
    Ok(bytes.map(Amount::Bytes))
}

fn devices(text: &str) -> Result<Vec<Amount>, String> {
    let mut all = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (count, each) = match part.split_once('x') {
            Some((count, each)) => (count.parse::<usize>().unwrap_or(0), each),
            None => (1, part),
        };
        if !(1..=MOST_DEVICES).contains(&count) {
            return Err(format!(
                "\"{part}\" is not possible: use from 1 to {MOST_DEVICES} devices, such as 4x1G or 4x100%"
            ));
        }
        // What no header can count is told with the plan.
        let size = amount((part, each), 1..=u64::MAX, 10_000.0)?;
        let size = size.ok_or_else(|| refuse("devices", part))?;
        all.extend(std::iter::repeat_n(size, count));
    }
    if all.len() > MOST_DEVICES {
        return Err(format!(
            "\"{text}\" is not possible: no more than {MOST_DEVICES} devices can be made"
        ));
    }
    Ok(all)
}

fn discard(text: &str) -> Result<Discard, String> {
    let found = Discard::WORDS.iter().find(|(word, _)| *word == text);
    found
        .map(|(_, discard)| *discard)
        .ok_or_else(|| format!("\"{text}\" is not possible: use none, once, pages or both"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Said {
        Said { text: text.to_owned(), line: None }
    }

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::default();
        for (key, text) in pairs {
            settings.put(key, said(text)).unwrap();
        }
        settings
    }

    #[test]
    fn a_case_goes_over_the_base() {
        let base = settings(&[("load", "usemem"), ("with.size", "50%"), ("set.swappiness", "60")]);
        let case = settings(&[("with.size", "25%"), ("devices", "2x50%,1G")]).over(&base);
        assert_eq!(case.load, Some(said("usemem")));
        assert_eq!(case.with["size"].text, "25%");
        let sizes = [Amount::Share(0.5), Amount::Share(0.5), Amount::Bytes(Bytes(1 << 30))];
        assert_eq!(case.devices.unwrap(), sizes);
        assert_eq!(case.set["swappiness"], "60");
    }

    #[test]
    fn priorities_are_given_in_turn() {
        let of = |text: &str| -> Vec<String> {
            let priorities = Priorities::parse(text).unwrap();
            (0..3).map(|place| priorities.of(place, 3).to_string()).collect()
        };
        assert_eq!(of("default"), ["default", "default", "default"]);
        assert_eq!(of("equal"), ["100", "100", "100"]);
        assert_eq!(of("distinct"), ["103", "102", "101"]);
        assert_eq!(of("7, 7, 0"), ["7", "7", "0"]);
        let fit = |text: &str| [0, 3, 4].map(|areas| Priorities::parse(text).unwrap().fit(areas));
        assert_eq!(fit("equal"), [const { Ok(()) }; 3]);
        let [none, three, four] = fit("7,7,0");
        assert_eq!([none, three], [Ok(()), Ok(())]);
        assert!(four.unwrap_err().starts_with("3 priorities for 4 areas: say one for each area"));
    }

    #[test]
    fn a_kind_is_that_of_all_areas_or_of_one() {
        let of = |text: &str| [0, 1].map(|place| Kinds::parse(text).unwrap().of(place));
        assert_eq!(of("file"), [Kind::File; 2]);
        assert_eq!(of("zram, file"), [Kind::Zram, Kind::File]);
        let fit = |text: &str| [0, 1, 2, 4].map(|areas| Kinds::parse(text).unwrap().fit(areas));
        assert_eq!(fit("file"), [const { Ok(()) }; 4]);
        let [none, one, two, four] = fit("zram,file");
        assert_eq!([none, two], [Ok(()), Ok(())]);
        assert_eq!(one.unwrap_err(), "2 kinds for 1 area: say one, or one for each area");
        assert_eq!(four.unwrap_err(), "2 kinds for 4 areas: say one, or one for each area");
    }

    #[test]
    fn what_makes_no_sense_says_what_would() {
        let wrong = [
            ("limit", "5", "has no unit: say 5G"),
            ("limit", "200%", "up to 100%"),
            ("limit", "100000T", "\"100000T\" is not possible: use a size of 8M or more"),
            ("devices", "0x1G", "from 1 to 32"),
            ("devices", "20x1M,20x1M", "no more than 32"),
            ("devices", "1G, 4x", "\"4x\" is not possible: use sizes such as 4x1G"),
            ("kind", "disk", "zram, file"),
            ("kind", "", "zram, file"),
            ("priorities", "high", "default, equal, distinct"),
            ("discard", "yes", "none, once"),
            ("sizes", "1", "with.NAME"),
            ("with.", "1", "it has keys of its own: use with.NAME"),
        ];
        for (key, text, says) in wrong {
            let why = Settings::default().put(key, said(text)).unwrap_err();
            assert!(why.contains(says), "{key}: {why}");
        }
    }
}
