//! Reads the file of a workload, in strict TOML. A wrong workload could fill memory for nothing, so
//! all errors are reported at once, and nothing runs.

use super::keys::{DEFAULT_PATTERN, KEYS, LoadDraft, WORK};
use crate::config::{Content, KeyEntry, KeyLocation, KeySpec, Problem, Problems, Section};
use crate::model::Bytes;
use crate::model::load::{AfterTouching, MemoryAmount, MemoryKind, WorkerGroup, Workload};
use std::collections::BTreeMap;

/// The location of an override on the command line.
const COMMAND_LINE: &str = "on the command line";

/// The text of a workload, experiment, machine or lesson, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The name of the thing that the text describes.
    pub name: String,
    /// The name of the file in errors.
    pub file: String,
    /// The text.
    pub text: String,
}

impl SourceText {
    /// Reads the workload with some keys overridden, and the location of each key.
    pub fn load(&self, changes: &[KeyOverride]) -> Result<(Workload, KeyLocations), Vec<Problem>> {
        let (load, places) = read_changed(&self.file, &self.text, changes)?;
        Ok((Workload { name: self.name.clone(), ..load }, places))
    }
}

/// An override of a key: for all works, or as `2.KEY` for the second. An empty value restores the
/// default.
#[derive(Clone, Debug)]
pub struct KeyOverride {
    /// The key.
    pub key: String,
    /// The value; none if the text has no `=`.
    pub value: Option<String>,
    /// The location that errors name.
    pub place: KeyLocation,
}

impl KeyOverride {
    /// Parses `KEY=VALUE` as typed.
    pub fn parse(text: &str) -> Self {
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim().to_owned())),
            None => (text, None),
        };
        Self { key: key.to_owned(), value, place: KeyLocation::in_file(COMMAND_LINE).with_key(key) }
    }
}

/// The locations of the keys of a workload, for errors that are found on the machine after the file
/// was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyLocations(BTreeMap<(usize, &'static str), KeyLocation>);

impl KeyLocations {
    fn collect(top: &Section) -> Self {
        let sections = std::iter::once(top).chain(top.tables(WORK)).enumerate();
        let places = sections.flat_map(|(number, section)| {
            section.entries.values().map(move |entry| {
                let place = if entry.is_change {
                    entry.place.clone()
                } else {
                    entry.place.with_key(entry.key)
                };
                ((number, entry.key), place)
            })
        });
        Self(places.collect())
    }

    /// Reports an error in a key of the whole workload.
    pub fn problem(&self, key: &'static str, text: &str) -> Problem {
        self.problem_of_work(0, key, text)
    }

    /// Reports an error in a key of a work, counted from 1.
    pub fn problem_of_work(&self, number: usize, key: &'static str, text: &str) -> Problem {
        let of = if number == 0 { "the workload".to_owned() } else { format!("work {number}") };
        let place = self.0.get(&(number, key)).cloned();
        place.unwrap_or_else(|| KeyLocation::in_file(&of).with_key(key)).problem(text)
    }
}

/// Reads a workload.
pub fn read(name: &str, text: &str) -> Result<Workload, Vec<Problem>> {
    read_changed(name, text, &[]).map(|(load, _)| load)
}

/// Reads a workload with some keys overridden, and the location of each key.
pub fn read_changed(
    name: &str,
    text: &str,
    changes: &[KeyOverride],
) -> Result<(Workload, KeyLocations), Vec<Problem>> {
    let mut problems = Problems::in_file(name);
    let Some(mut top) = KEYS.read(text, &mut problems) else { return Err(problems.into_list()) };
    for change in changes {
        if let Err(text) = apply(&mut top, change) {
            problems.add(&change.place, &text);
        }
    }
    let load = build(name, &top, &mut problems);
    problems.into_result((load, KeyLocations::collect(&top)))
}

fn build(name: &str, top: &Section, problems: &mut Problems) -> Workload {
    let mut draft = LoadDraft::new(name);
    if KEYS.fill(top, &mut draft, problems)
        && let Some(conflict) = conflict_of_load(&draft.load)
    {
        report(&conflict, &[top], problems);
    }
    let works = top.tables(WORK).filter_map(|section| work(section, top, &draft, problems));
    let works = works.collect();
    Workload { works, ..draft.load }
}

/// Reads a work, if all its values are valid.
fn work(
    section: &Section,
    top: &Section,
    draft: &LoadDraft,
    problems: &mut Problems,
) -> Option<WorkerGroup> {
    let mut draft = draft.clone();
    if !KEYS.fill(section, &mut draft, problems) {
        return None;
    }
    for conflict in conflicts_of_work(&draft, section) {
        report(&conflict, &[section, top], problems);
    }
    Some(draft.into_work())
}

/// Reports two keys that conflict. If one of them is an override, the error is reported there: the
/// file alone is valid.
fn report(conflict: &Conflict, sections: &[&Section], problems: &mut Problems) {
    let find = |key: &str| {
        sections.iter().find_map(|section| section.entries.values().find(|it| it.key == key))
    };
    let own = find(conflict.key);
    let changed = conflict.with.iter().filter_map(|key| find(key)).find(|entry| entry.is_change);
    match (own, changed) {
        (own, Some(changed)) if own.is_none_or(|own| !own.is_change) => {
            let at = own.map(|own| format!(" ({})", own.place)).unwrap_or_default();
            let text = format!("conflicts with {}{at}: {}", conflict.key, conflict.text);
            problems.add(&changed.place, &text);
        }
        (Some(own), _) => problems.add(&own.place, &conflict.text),
        (None, _) => {
            let place = sections.first().map(|section| section.place.with_key(conflict.key));
            problems.add(&place.unwrap_or_default(), &conflict.text);
        }
    }
}

/// Overrides a key of the workload, or of one or all of its works.
fn apply(top: &mut Section, change: &KeyOverride) -> Result<(), String> {
    let Some(value) = &change.value else {
        let text = &change.key;
        return Err(format!("\"{text}\" has no value: use KEY=VALUE, such as size=1G"));
    };
    let (number, name) = match change.key.split_once('.') {
        Some((number, name)) => (Some(number), name),
        None => (None, change.key.as_str()),
    };
    if let Some((key, _)) = KEYS.find(WORK, name) {
        let count = top.tables(WORK).count();
        let number = number.map(|number| work_number(number, name, count)).transpose()?;
        for (place, work) in (1..).zip(&mut top.sections) {
            if number.is_none_or(|number| number == place) {
                set(work, key.name, value, &change.place);
            }
        }
        return Ok(());
    }
    match (KEYS.find("", name).filter(|(key, _)| !key.is_table()), number) {
        (Some((key, _)), None) => {
            set(top, key.name, value, &change.place);
            Ok(())
        }
        (Some(_), Some(_)) => {
            Err(format!("this key applies to the whole workload: use {name}=VALUE"))
        }
        (None, Some(_)) => Err(KEYS.describe_unknown(&[WORK], name)),
        (None, None) => Err(KEYS.describe_unknown(&["", WORK], name)),
    }
}

/// Parses the number of a work.
fn work_number(number: &str, name: &str, count: usize) -> Result<usize, String> {
    let found = number.parse::<usize>().ok().filter(|number| (1..=count).contains(number));
    found.ok_or_else(|| match count {
        1 => format!("there is no work \"{number}\", only one: use {name}=VALUE"),
        _ => format!("there is no work \"{number}\": use a number from 1 to {count}"),
    })
}

/// Sets a key in place of the file's value. An empty value removes it.
fn set(section: &mut Section, key: &'static str, value: &str, place: &KeyLocation) {
    section.entries.retain(|_, entry| entry.key != key);
    let is_default = value.is_empty();
    if !is_default {
        let (content, place) = (Ok(Content::from_text(value)), place.clone());
        section.entries.insert(key.to_owned(), KeyEntry { key, content, place, is_change: true });
    }
    let pattern = if is_default { DEFAULT_PATTERN } else { value };
    // Keys of the file that belong to another pattern or another end of the work are removed.
    let is_for_another = |other: &str| match key {
        "pattern" => {
            let only = KEYS.find(WORK, other).and_then(|(other, _)| other.only_with);
            only.is_some_and(|(_, needed)| needed != pattern)
        }
        "seconds" => !is_default && other == "passes",
        "passes" => !is_default && other == "seconds",
        _ => false,
    };
    section.entries.retain(|_, entry| entry.is_change || !is_for_another(entry.key));
}

/// Strides are multiples of the smallest page size.
const MIN_PAGE: Bytes = Bytes(4096);

/// A key that conflicts with others.
struct Conflict {
    key: &'static str,
    /// The other keys; if one of them is an override, the error is reported there.
    with: &'static [&'static str],
    text: String,
}

impl Conflict {
    fn new(key: &'static str, with: &'static [&'static str], text: impl Into<String>) -> Self {
        Self { key, with, text: text.into() }
    }
}

/// Finds conflicts in the whole workload.
fn conflict_of_load(load: &Workload) -> Option<Conflict> {
    let too_early = load.after == AfterTouching::Swapoff && !load.free_together;
    let text = "after = swapoff needs processes that hold their memory until then: add free";
    too_early.then(|| Conflict::new("together", &["after"], text))
}

/// Finds conflicts in a work.
fn conflicts_of_work(draft: &LoadDraft, section: &Section) -> Vec<Conflict> {
    let mut all = other_patterns(draft, section);
    all.extend(check_forked(draft));
    all.extend(check_churn(draft));
    all.extend(check_stride(draft));
    all.extend(check_duration(draft));
    all.extend(check_rounds(draft));
    all
}

/// Finds parameters of patterns that the work does not have.
fn other_patterns(draft: &LoadDraft, section: &Section) -> Vec<Conflict> {
    let set = KEYS.keys(WORK).filter(|key| section.entries.contains_key(key.name));
    let conflict = |key: &KeySpec<LoadDraft>| {
        let (_, pattern) = key.only_with.filter(|(_, pattern)| *pattern != draft.pattern)?;
        let text = format!(
            "this key needs the pattern {pattern}, but this work has {}: remove it, or use the pattern {pattern}",
            draft.pattern
        );
        Some(Conflict::new(key.name, &["pattern"], text))
    };
    set.filter_map(conflict).collect()
}

fn check_forked(draft: &LoadDraft) -> Vec<Conflict> {
    if draft.work.memory != MemoryKind::Forked {
        return Vec::new();
    }
    let writes = "0% copies nothing, because forked memory is copied only where it is written: use more, or another memory";
    let prefault = "false leaves nothing to copy, because forked memory is filled before the child starts: use true, or another memory";
    let all = [
        (draft.work.writes <= 0.0, "writes", writes),
        (!draft.work.prefault, "prefault", prefault),
    ];
    let wrong = all.into_iter().filter(|(is_wrong, ..)| *is_wrong);
    wrong.map(|(_, key, text)| Conflict::new(key, &["memory"], text)).collect()
}

fn check_churn(draft: &LoadDraft) -> Option<Conflict> {
    let memory = draft.work.memory;
    (draft.pattern == "churn" && memory != MemoryKind::Anonymous).then(|| {
        let text = format!(
            "churn needs anonymous memory, but this work has {}: use another pattern, or memory = anonymous",
            memory.word()
        );
        Conflict::new("pattern", &["memory"], text)
    })
}

fn check_stride(draft: &LoadDraft) -> Option<Conflict> {
    if draft.pattern != "strided" {
        return None;
    }
    let (stride, shown) = (draft.stride, draft.stride.exact());
    if !stride.0.is_multiple_of(MIN_PAGE.0) {
        let text = format!("{shown} is not a multiple of {}: use a multiple", MIN_PAGE.exact());
        return Some(Conflict::new("stride", &[], text));
    }
    let MemoryAmount::Bytes(size) = draft.work.size else { return None };
    (stride > size).then(|| {
        let size = size.exact();
        let text = format!("{shown} is more than the size, {size}: use {size} or less");
        Conflict::new("stride", &["size"], text)
    })
}

fn check_duration(draft: &LoadDraft) -> Option<Conflict> {
    let seconds = draft.work.seconds?;
    if draft.work.passes.is_some() {
        let text = "passes already sets the end of the work: remove one of the two";
        return Some(Conflict::new("seconds", &["passes"], text));
    }
    let whole = seconds * f64::from(draft.work.rounds);
    let most = draft.load.at_most;
    (whole > most).then(|| {
        let text = format!(
            "all rounds take {whole} seconds, but the run is stopped after {most}: use fewer seconds or a larger at_most"
        );
        Conflict::new("seconds", &["rounds", "at_most"], text)
    })
}

fn check_rounds(draft: &LoadDraft) -> Option<Conflict> {
    let frees_too_early = draft.load.after == AfterTouching::Swapoff && draft.work.rounds > 1;
    let text = "after = swapoff needs processes that hold their memory until then, and each of several rounds frees it: use 1";
    frees_too_early.then(|| Conflict::new("rounds", &["after"], text))
}

#[cfg(test)]
mod tests;
