//! The file of a load: TOML, read strictly. A load that was not meant could take memory for
//! nothing, so whatever cannot be followed is told, all at once, and nothing runs.

mod change;
mod gather;
mod places;
mod rules;

pub use gather::{Start, no_key, no_toml, starts};
pub use places::{Elsewhere, Places};

use super::keys::{self, Draft, Key, Set, Without};
use crate::model::load::{Work, Workload};
use crate::model::name::safe_text;
use rules::Told;
use std::collections::BTreeMap;
use std::fmt;

/// Bytes that a file may have. Nobody types as many; a larger one is some other file.
pub const LARGEST: usize = 64 * 1024;
/// Errors that are told of one file. One with more of them is hardly a load.
const MOST: usize = 20;
/// Characters of the sentence about an error: what it quotes can be as long as the file.
const LONGEST: usize = 1000;
/// What stands in place of a file's name where something was said there.
const TYPED: &str = "on the command line";

/// Something that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The load it was said of, or that it was said on the command line.
    pub file: String,
    /// The line of the file, from 1 on, where there is one.
    pub line: Option<usize>,
    /// The key, where it is about one.
    pub key: Option<String>,
    /// What is wrong and what it could have been, safe for a terminal.
    pub text: String,
}

impl Wrong {
    /// What it is about: the file, and the line and the key if they are known.
    fn place(&self) -> String {
        let line = self.line.map(|line| format!(", line {line}")).unwrap_or_default();
        let key = self.key.as_ref().map(|key| format!(": {key}")).unwrap_or_default();
        format!("{}{line}{key}", self.file)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.text)
    }
}

/// The text of a load, and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What the load is called.
    pub name: String,
    /// What its file is called where something is wrong with it.
    pub file: String,
    /// The text.
    pub text: String,
}

impl Source {
    /// The load, with what is said otherwise on the command line.
    ///
    /// # Errors
    /// All that cannot be followed.
    pub fn load<S: AsRef<str>>(&self, changes: &[S]) -> Result<Workload, Vec<Wrong>> {
        let load = read_changed(&self.file, &self.text, changes)?;
        Ok(Workload { name: self.name.clone(), ..load })
    }

    /// Where each of its keys was said; changes not on the command line as a rule, but elsewhere.
    pub fn places<S: AsRef<str>>(&self, changes: &[S], elsewhere: Elsewhere<'_>) -> Places {
        Places::of(&self.file, &self.text, changes, elsewhere)
    }
}

/// Where something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the file, on this line if it is known.
    Line(Option<usize>),
    /// On the command line.
    Typed,
}

impl Place {
    const fn line(self) -> Option<usize> {
        match self {
            Self::Line(line) => line,
            Self::Typed => None,
        }
    }
}

/// What was said of a key, as it would be typed, or why it could not be typed.
#[derive(Clone, Debug)]
struct Said {
    text: Result<String, String>,
    place: Place,
}

/// What was said of a load, or of one work.
type Group = BTreeMap<&'static str, Said>;

/// What was said of one work, and where that begins.
#[derive(Debug)]
struct Part {
    place: Place,
    said: Group,
}

/// All that was said.
#[derive(Debug, Default)]
struct Found {
    top: Group,
    works: Vec<Part>,
}

/// Errors, as they are found.
struct Wrongs {
    file: String,
    list: Vec<Wrong>,
}

impl Wrongs {
    fn of(name: &str) -> Self {
        Self { file: safe_text(name), list: Vec::new() }
    }

    fn tell(&mut self, place: Place, key: Option<&str>, text: &str) {
        let mut text = safe_text(text);
        if let Some((end, _)) = text.char_indices().nth(LONGEST) {
            text.truncate(end);
            text.push_str("...");
        }
        let file = if place == Place::Typed { TYPED.to_owned() } else { self.file.clone() };
        let wrong = Wrong { file, line: place.line(), key: key.map(safe_text), text };
        // What is said of all works is wrong once, not once for each.
        if !self.list.contains(&wrong) {
            self.list.push(wrong);
        }
    }

    /// All of them, or the first ones and that there are more.
    fn told(mut self) -> Vec<Wrong> {
        if self.list.len() > MOST {
            self.list.truncate(MOST);
            self.tell(Place::Line(None), None, "more cannot be followed");
        }
        self.list
    }
}

/// The text of a file.
///
/// # Errors
/// When it is too large or is no text.
pub fn text<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Vec<Wrong>> {
    let wrong = |line, text: &str| {
        let mut wrongs = Wrongs::of(name);
        wrongs.tell(Place::Line(line), None, text);
        wrongs.told()
    };
    if bytes.len() > LARGEST {
        let text = format!("the file has more than {LARGEST} bytes: this is no load");
        return Err(wrong(None, &text));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        wrong(Some(line), "this is no text: a load is a text file in UTF-8")
    })
}

/// The line, from 1 on, of a byte.
fn line_of(bytes: &[u8], place: usize) -> usize {
    1 + bytes.iter().take(place).filter(|byte| **byte == b'\n').count()
}

/// The load that a file says.
///
/// # Errors
/// All that cannot be followed.
pub fn read(name: &str, text: &str) -> Result<Workload, Vec<Wrong>> {
    read_changed::<&str>(name, text, &[])
}

/// The load that a file says, with what is said otherwise on the command line, each as
/// `KEY=VALUE`: of all works, or as `2.KEY=VALUE` of the second. No value is what holds without
/// the key. What is said there of pattern, passes or seconds goes before what the file says along
/// with another one.
///
/// # Errors
/// All that cannot be followed.
pub fn read_changed<S: AsRef<str>>(
    name: &str,
    text: &str,
    changes: &[S],
) -> Result<Workload, Vec<Wrong>> {
    self::text(name, text.as_bytes())?;
    let mut wrongs = Wrongs::of(name);
    let Some(found) = found(text, changes, &mut wrongs) else { return Err(wrongs.told()) };
    let load = build(name, &found, &mut wrongs);
    if wrongs.list.is_empty() { Ok(load) } else { Err(wrongs.told()) }
}

/// All that was said; nothing where the file is not TOML.
fn found<S: AsRef<str>>(text: &str, changes: &[S], wrongs: &mut Wrongs) -> Option<Found> {
    let mut found = gather::gather(text, wrongs)?;
    for change in changes {
        change::apply(&mut found, change.as_ref(), wrongs);
    }
    Some(found)
}

fn build(name: &str, found: &Found, wrongs: &mut Wrongs) -> Workload {
    let mut load = keys::blank(name);
    let start = Place::Line(None);
    let mut all = true;
    for key in keys::KEYS {
        if let Set::Top(set) = key.set {
            all &= put(key, &found.top, start, wrongs, |text| set(&mut load, key.form, text));
        }
    }
    if all && let Some(told) = rules::of_load(&load) {
        tell(&told, (&[&found.top], start), wrongs);
    }
    let work = |part: &Part| work(part, &found.top, &load, wrongs);
    load.works = found.works.iter().filter_map(work).collect();
    load
}

/// Tell of two keys that do not go together, of the one that was said over what a file says if that
/// is so: the file is not wrong.
fn tell(told: &Told, (groups, start): (&[&Group], Place), wrongs: &mut Wrongs) {
    let said = |key: &str| groups.iter().find_map(|group| group.get(key)).map(|said| said.place);
    let place = said(told.key).unwrap_or(start);
    let typed = told.with.iter().find(|key| said(key) == Some(Place::Typed));
    match typed.filter(|_| place != Place::Typed) {
        None => wrongs.tell(place, Some(told.key), &told.text),
        Some(key) => {
            let line = said(told.key).and_then(Place::line);
            let line = line.map(|line| format!(" ({}, line {line})", wrongs.file));
            let (other, line) = (told.key, line.unwrap_or_default());
            let text = format!("it does not go with {other}{line}: {}", told.text);
            wrongs.tell(Place::Typed, Some(key), &text);
        }
    }
}

/// A work, if each of its values makes sense.
fn work(part: &Part, top: &Group, load: &Workload, wrongs: &mut Wrongs) -> Option<Work> {
    let mut draft = Draft::blank();
    let mut all = true;
    for key in keys::KEYS {
        if let Set::Work(set) = key.set {
            all &= put(key, &part.said, part.place, wrongs, |text| set(&mut draft, key.form, text));
        }
    }
    if !all {
        return None;
    }
    for told in rules::of_work(&draft, &part.said, load) {
        tell(&told, (&[&part.said, top], part.place), wrongs);
    }
    Some(draft.finished())
}

/// Set a key to what was said, or to what holds without that. Was it possible?
fn put(
    key: &Key,
    said: &Group,
    start: Place,
    wrongs: &mut Wrongs,
    set: impl FnOnce(&str) -> Result<(), String>,
) -> bool {
    let set = match (said.get(key.name), key.without) {
        (Some(said), _) => said.text.as_deref().map_err(Clone::clone).and_then(set),
        (None, Without::Is(text)) => set(text),
        (None, Without::Means(_)) => Ok(()),
        (None, Without::Refused) => Err(format!("it has to be said: use {}", key.form.takes())),
    };
    if let Err(text) = &set {
        wrongs.tell(place_of(said, key.name, start), Some(key.name), text);
    }
    set.is_ok()
}

/// Where a key was said, or where it could have been.
fn place_of(said: &Group, key: &str, start: Place) -> Place {
    said.get(key).map_or(start, |said| said.place)
}

#[cfg(test)]
mod tests;
