//! What stands in a file: of each key its value, as it would be typed, and its line.

use super::{Found, Group, Part, Place, Said, Wrongs, line_of};
use crate::model::near::question;
use crate::stress::keys::{Form, KEYS, Key, Section};
use toml_edit::{Array, Document, Item, Table, TableLike, TomlError, Value};

/// Works that a file may have.
const MOST_WORKS: usize = 64;
/// What each work is called in the file.
const WORK: &str = "work";
/// What the parser says of a key that was said before.
const DOUBLED: &str = "duplicate key";

/// All that a file says; nothing where it is not TOML.
pub(super) fn gather(text: &str, wrongs: &mut Wrongs) -> Option<Found> {
    let parsed = Document::parse(text).map_err(|error| {
        let (line, key, what) = no_toml(text, &error);
        wrongs.tell(Place::Line(line), key.as_deref(), &what);
    });
    let document = parsed.ok()?;
    let mut reader = Reader { text, wrongs, found: Found::default() };
    reader.root(document.as_table());
    Some(reader.found)
}

/// Why a text is no TOML: the line and the key, where it is about one, and what is wrong.
pub fn no_toml(text: &str, error: &TomlError) -> (Option<usize>, Option<String>, String) {
    let line = error.span().map(|span| line_of(text.as_bytes(), span.start));
    let key = error.span().and_then(|span| text.get(span)).filter(|key| !key.is_empty());
    match key.filter(|_| error.message() == DOUBLED) {
        Some(key) => {
            let key = key.trim_matches(['"', '\'']).to_owned();
            (line, Some(key), "it is said twice: leave one of them out".to_owned())
        }
        None => (line, None, format!("this is not TOML: {}", error.message())),
    }
}

struct Reader<'t, 'w> {
    text: &'t str,
    wrongs: &'w mut Wrongs,
    found: Found,
}

impl Reader<'_, '_> {
    fn root(&mut self, root: &Table) {
        let mut top = Group::new();
        for (name, item) in root {
            let place = self.place_in(root, name);
            if name == WORK {
                self.works(item, place);
            } else {
                self.entry((Section::Top, &mut top), name, item, place);
            }
        }
        self.found.top = top;
        if !root.contains_key(WORK) {
            let text =
                "there is nothing to do: a load has one [[work]] or more, each with its size";
            self.wrongs.tell(Place::Line(None), None, text);
        }
    }

    fn works(&mut self, item: &Item, place: Place) {
        let Some(tables) = starts(item).filter(|tables| !tables.is_empty()) else {
            let text = "it has to be written [[work]], above the keys of each group of processes";
            return self.wrongs.tell(place, Some(WORK), text);
        };
        if tables.len() > MOST_WORKS {
            let text = format!("there are {} of them: use no more than {MOST_WORKS}", tables.len());
            return self.wrongs.tell(place, Some(WORK), &text);
        }
        for (span, table) in tables {
            let line = span.map(|start| line_of(self.text.as_bytes(), start));
            let mut said = Group::new();
            for (name, item) in table.iter() {
                let place = self.place_in(table, name);
                self.entry((Section::Work, &mut said), name, item, place);
            }
            self.found.works.push(Part { place: Place::Line(line), said });
        }
    }

    fn entry(&mut self, to: (Section, &mut Group), name: &str, item: &Item, place: Place) {
        let (section, group) = to;
        let key = match known(section, name) {
            Ok(key) => key,
            Err(text) => return self.wrongs.tell(place, Some(name), &text),
        };
        let text = match (key.form, item.as_table_like()) {
            (Form::Sizes(_), Some(table)) => self.folios(key, table).map(Ok),
            _ => Some(typed(item, key.form)),
        };
        if let Some(text) = text {
            group.insert(key.name, Said { text, place });
        }
    }

    /// A table of sizes as it would be typed; nothing where it is empty or wrong.
    fn folios(&mut self, key: &Key, table: &dyn TableLike) -> Option<String> {
        let mut all = Vec::new();
        for (size, item) in table.iter() {
            let place = self.place_in(table, size);
            let one = item.as_str().map(|word| format!("{size}={word}"));
            let one = one.ok_or_else(|| no_type(item.type_name(), key.form));
            match one.and_then(|one| key.form.folio(&one).map(|_| one)) {
                Ok(one) => all.push(one),
                Err(text) => self.wrongs.tell(place, Some(&format!("{}.{size}", key.name)), &text),
            }
        }
        (!all.is_empty()).then(|| all.join(","))
    }

    fn place_in(&self, table: &dyn TableLike, name: &str) -> Place {
        let span = table.key(name).and_then(toml_edit::Key::span);
        Place::Line(span.map(|span| line_of(self.text.as_bytes(), span.start)))
    }
}

/// The key with this name in this section, or what is said where there is none.
pub(super) fn known(section: Section, name: &str) -> Result<&'static Key, String> {
    match Key::find(name) {
        Some(key) if key.section() == section => Ok(key),
        Some(_) => Err(match section {
            Section::Top => "it is said of processes: put it below a line [[work]]",
            Section::Work => "it is said of the whole load: put it above the first [[work]]",
        }
        .to_owned()),
        None => Err(unknown(name, |key| key.section() == section)),
    }
}

/// The sentence about a key that there is not.
pub(super) fn unknown(name: &str, fits: impl Fn(&Key) -> bool) -> String {
    let all = KEYS.iter().filter(|key| fits(key)).map(|key| key.name);
    no_key(name, &all.collect::<Vec<_>>())
}

/// The same, with the keys that there are.
pub fn no_key(name: &str, known: &[&str]) -> String {
    let meant = question(name, known.iter().copied());
    format!("there is no such key: use some of {}{meant}", known.join(", "))
}

/// One of several tables of a name, and the byte where it begins.
pub type Start<'i> = (Option<usize>, &'i dyn TableLike);

/// The tables of a name, as `[[work]]`; nothing where it is something else.
pub fn starts(item: &Item) -> Option<Vec<Start<'_>>> {
    match item.as_array_of_tables() {
        Some(tables) => Some(tables.iter().map(headed).collect()),
        None => item.as_array()?.iter().map(inline).collect(),
    }
}

fn headed(table: &Table) -> Start<'_> {
    (table.span().map(|span| span.start), table)
}

fn inline(value: &Value) -> Option<Start<'_>> {
    let table = value.as_inline_table()?;
    Some((table.span().map(|span| span.start), table))
}

fn no_type(name: &str, form: Form) -> String {
    format!("a value of type {name} is not possible: use {}", form.takes())
}

/// A value of the file as it would be typed elsewhere.
fn typed(item: &Item, form: Form) -> Result<String, String> {
    let typed = match (item.as_value(), form) {
        (Some(Value::String(text)), _) => Some(text.value().clone()),
        (Some(Value::Boolean(flag)), Form::Flag) => Some(flag.value().to_string()),
        (_, Form::Text(_) | Form::Flag) => None,
        (Some(Value::Integer(number)), _) => Some(number.value().to_string()),
        (Some(Value::Float(number)), _) => Some(number.value().to_string()),
        (Some(Value::Array(array)), Form::Any(_) | Form::Cpus) => list(array),
        _ => None,
    };
    typed.ok_or_else(|| no_type(item.type_name(), form))
}

fn list(array: &Array) -> Option<String> {
    let word = |value: &Value| match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Array(_)
        | Value::InlineTable(_) => None,
    };
    array.iter().map(word).collect::<Option<Vec<_>>>().map(|words| words.join(","))
}
