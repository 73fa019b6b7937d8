//! Reads a file into the values of its keys.

use super::json;
use super::key::{KeyDefault, KeyInput, KeyNames, KeySpec, Schema};
use super::problem::{KeyLocation, Problem, Problems};
use super::value::ValueType;
use std::collections::BTreeMap;
use toml_edit::{Array, Document, Item, Table, TableLike, TomlError, Value};

/// The largest file of most kinds.
pub const MAX_FILE_BYTES: usize = 64 * 1024;

/// A value of the file.
#[derive(Clone, Debug, std::default::Default, PartialEq, Eq)]
pub struct Content {
    /// The value as typed; elements of a list are separated by commas.
    pub text: String,
    /// The value as lists.
    pub rows: Vec<Vec<String>>,
}

impl Content {
    /// Creates a value from typed text.
    pub fn from_text(text: &str) -> Self {
        Self { text: text.to_owned(), rows: Vec::new() }
    }
}

/// A key that is set.
#[derive(Clone, Debug)]
pub struct KeyEntry {
    /// The name of the key.
    pub key: &'static str,
    /// The value, or why its type is not valid.
    pub content: Result<Content, String>,
    /// The location.
    pub place: KeyLocation,
    /// Whether it overrides the file.
    pub is_change: bool,
}

/// A table of the file.
#[derive(Clone, Debug, std::default::Default)]
pub struct Section {
    /// The name, with dots; empty for the top of the file.
    pub name: String,
    /// The location.
    pub place: KeyLocation,
    /// The keys by path.
    pub entries: BTreeMap<String, KeyEntry>,
    /// The tables inside.
    pub sections: Vec<Self>,
}

impl Section {
    /// Lists the inner tables with this name.
    pub fn tables(&self, name: &str) -> impl Iterator<Item = &Self> {
        self.sections.iter().filter(move |section| section.name == name)
    }

    /// The location of a key, or where it could be set.
    pub fn location_of(&self, key: &str) -> KeyLocation {
        let entry = self.entries.get(key);
        entry.map_or_else(|| self.place.with_key(key), |entry| entry.place.clone())
    }

    fn entries_of<'s>(&'s self, key: &'s str) -> impl Iterator<Item = (&'s String, &'s KeyEntry)> {
        self.entries.iter().filter(move |(_, entry)| entry.key == key)
    }
}

/// Decodes the bytes of a file of most kinds.
pub fn decode<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Problem> {
    decode_up_to(file, bytes, MAX_FILE_BYTES)
}

/// Decodes the bytes of a file that has at most this many.
pub fn decode_up_to<'b>(file: &str, bytes: &'b [u8], most: usize) -> Result<&'b str, Problem> {
    let place = KeyLocation::in_file(file);
    if bytes.len() > most {
        return Err(place.problem(&format!("the file is larger than {most} bytes: not read")));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let line = line_number(bytes, error.valid_up_to());
        place.at_line(Some(line)).problem("not UTF-8 text: the file was not read")
    })
}

/// The line number of a byte, from 1 on.
fn line_number(bytes: &[u8], place: usize) -> usize {
    1 + bytes.iter().take(place).filter(|byte| **byte == b'\n').count()
}

/// Parses TOML of at most this many bytes.
pub(super) fn parse<'t>(
    file: &str,
    text: &'t str,
    most: usize,
) -> Result<Document<&'t str>, Problem> {
    decode_up_to(file, text.as_bytes(), most)?;
    Document::parse(text).map_err(|error| not_toml(file, text, &error))
}

/// Describes why a text is not TOML.
fn not_toml(file: &str, text: &str, error: &TomlError) -> Problem {
    let line = error.span().map(|span| line_number(text.as_bytes(), span.start));
    let place = KeyLocation::in_file(file).at_line(line);
    let key = error.span().and_then(|span| text.get(span)).filter(|key| !key.is_empty());
    match key.filter(|_| error.message().starts_with("duplicate key")) {
        Some(key) => place
            .with_key(key.trim_matches(['"', '\'']))
            .problem("this key is set twice: remove one of them"),
        None => place.problem(&format!("this is not TOML: {}", error.message())),
    }
}

impl<T> Schema<T> {
    /// Reads a file; none if it is neither TOML nor JSON.
    pub fn read(&self, text: &str, problems: &mut Problems) -> Option<Section> {
        let file = problems.file().clone();
        let toml = json::is_json(text).then(|| json::to_toml(&file.file, text)).transpose();
        let read = toml.and_then(|toml| {
            let text = toml.as_deref().unwrap_or(text);
            let document = parse(&file.file, text, self.max_bytes)?;
            let inner = document.get(json::DOCUMENT).and_then(Item::as_table_like);
            let table = inner.filter(|_| toml.is_some()).unwrap_or(document.as_table());
            let line_ends = text.match_indices('\n').map(|(place, _)| place).collect();
            let is_json = toml.is_some();
            let mut reader = Reader { schema: self, line_ends, file, problems, is_json };
            Ok(reader.section("", None, table))
        });
        read.map_err(|problem| problems.add(&problem.place, &problem.text)).ok()
    }

    /// Sets all keys of a table to their values, or to their defaults. Returns whether all are
    /// valid.
    pub fn fill(&self, section: &Section, to: &mut T, problems: &mut Problems) -> bool {
        let before = problems.count();
        for key in self.keys(&section.name) {
            let mut is_given = section.tables(&join(&section.name, key.name)).next().is_some();
            for (path, entry) in section.entries_of(key.name) {
                is_given = true;
                if let Err(text) = entry.set(key, path, to) {
                    problems.add(&entry.place, &text);
                }
            }
            if !is_given && let Err(text) = key.use_default(to) {
                let place = section.place.with_key(&self.display_name(&section.name, key.name));
                problems.add(&place, &text);
            }
        }
        problems.count() == before
    }

    /// Sets one key of a table.
    pub fn set(
        &self,
        section: &str,
        path: &str,
        (content, line): (&Content, Option<usize>),
        to: &mut T,
    ) -> Result<(), String> {
        let (key, name) =
            self.find(section, path).ok_or_else(|| self.describe_unknown(&[section], path))?;
        if key.needs_name() && name.is_empty() {
            return Err(needs_name(key.name));
        }
        let (text, rows) = (content.text.as_str(), content.rows.as_slice());
        (key.set)(to, &KeyInput { takes: key.takes, name, text, rows, line })
    }
}

impl<T> KeySpec<T> {
    fn use_default(&self, to: &mut T) -> Result<(), String> {
        match self.default {
            KeyDefault::Is(text) => self.set_text(to, "", text),
            KeyDefault::InWords(_) | KeyDefault::Unchanged => Ok(()),
            KeyDefault::Required => {
                Err(format!("this key is required: use {}", self.takes.describe()))
            }
        }
    }
}

impl KeyEntry {
    fn set<T>(&self, key: &KeySpec<T>, path: &str, to: &mut T) -> Result<(), String> {
        let content = self.content.as_ref().map_err(Clone::clone)?;
        let name = path.strip_prefix(key.name).map_or("", |rest| rest.trim_start_matches('.'));
        let (text, rows) = (content.text.as_str(), content.rows.as_slice());
        (key.set)(to, &KeyInput { takes: key.takes, name, text, rows, line: self.place.line })
    }
}

struct Reader<'r, T: 'static> {
    schema: &'r Schema<T>,
    /// Where each line of the file ends.
    line_ends: Vec<usize>,
    file: KeyLocation,
    problems: &'r mut Problems,
    /// Whether the file is JSON, where a dot belongs to a name.
    is_json: bool,
}

impl<T> Reader<'_, T> {
    fn section(&mut self, name: &str, start: Option<usize>, table: &dyn TableLike) -> Section {
        let place = self.file.at_line(start);
        let mut section = Section { name: name.to_owned(), place, ..Section::default() };
        self.keys(&mut section, table, "");
        section
    }

    /// Reads the keys of a table, and those of tables that only group keys.
    fn keys(&mut self, section: &mut Section, table: &dyn TableLike, above: &str) {
        for (name, item) in table.iter() {
            let path = join(above, name);
            let line = table.key(name).and_then(toml_edit::Key::span);
            let line = line.map(|span| self.line(span.start));
            let place =
                self.file.at_line(line).with_key(&self.schema.display_name(&section.name, &path));
            let found = self.schema.find(&section.name, &path);
            if found.is_some() && name.contains('.') && !self.is_json {
                // A dot inside quotes does not start a table.
                self.problems
                    .add(&place, &format!("unknown key; did you mean {path} without quotes?"));
                continue;
            }
            match (found, item.as_table_like()) {
                (Some((key, _)), _) if key.is_table() => self.tables(section, key, item, place),
                (
                    Some((
                        KeySpec {
                            names: KeyNames::Any | KeyNames::AnyOrAll | KeyNames::OneOf(_),
                            ..
                        },
                        _,
                    )),
                    Some(table),
                ) => {
                    self.keys(section, table, &path);
                }
                (Some((key, name)), _) => {
                    let needs_name = key.needs_name() && name.is_empty();
                    let content = if needs_name {
                        Err(self::needs_name(&path))
                    } else {
                        content(item, key.takes)
                    };
                    let entry = KeyEntry { key: key.name, content, place, is_change: false };
                    if key.former == Some(path.as_str()) {
                        // The present name has precedence over the former one.
                        section.entries.entry(key.name.to_owned()).or_insert(entry);
                    } else {
                        section.entries.insert(path, entry);
                    }
                }
                (None, Some(table)) if self.is_group(section, &path) => {
                    self.keys(section, table, &path);
                }
                (None, None) if self.is_group(section, &path) => {
                    self.problems.add(&place, &needs_name(&path));
                }
                (None, Some(_)) => {
                    self.problems.add(&place, &self.schema.describe_unknown_table(&path));
                }
                (None, None) => {
                    let text = self.schema.describe_unknown(&[&section.name], &path);
                    self.problems.add(&place, &text);
                }
            }
        }
    }

    /// Whether this table only groups keys.
    fn is_group(&self, section: &Section, path: &str) -> bool {
        let is_in =
            |key: &KeySpec<T>| key.name.strip_prefix(path).is_some_and(|it| it.starts_with('.'));
        self.schema.keys(&section.name).any(is_in)
    }

    fn tables(&mut self, section: &mut Section, key: &KeySpec<T>, item: &Item, place: KeyLocation) {
        let name = join(&section.name, key.name);
        let wrong = match (key.takes, table_starts(item)) {
            (ValueType::Tables(most, _), Some(tables)) if tables.len() > most => {
                format!("there are {} tables: use no more than {most}", tables.len())
            }
            (ValueType::Tables(..), Some(tables)) => {
                for (start, table) in tables {
                    let start = start.map(|start| self.line(start));
                    section.sections.push(self.section(&name, start, table));
                }
                return;
            }
            (ValueType::Tables(..), None) if self.is_json => {
                "write it as a list of objects".to_owned()
            }
            (ValueType::Tables(..), None) => format!("write it as [[{name}]], above its keys"),
            _ => match item.as_table_like() {
                Some(table) => {
                    section.sections.push(self.section(&name, place.line, table));
                    return;
                }
                None => format!("write it as [{name}], above its keys"),
            },
        };
        let entry = KeyEntry { key: key.name, content: Err(wrong), place, is_change: false };
        section.entries.insert(key.name.to_owned(), entry);
    }

    fn line(&self, place: usize) -> usize {
        1 + self.line_ends.partition_point(|end| *end < place)
    }
}

fn needs_name(path: &str) -> String {
    format!("this is a table: use {path}.NAME, or a line [{path}] above its keys")
}

fn join(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}

/// Lists the tables of a name, each with the byte where it starts; none if the item is not an array
/// of tables.
fn table_starts(item: &Item) -> Option<Vec<(Option<usize>, &dyn TableLike)>> {
    fn headed(table: &Table) -> (Option<usize>, &dyn TableLike) {
        (table.span().map(|span| span.start), table)
    }
    fn inline(value: &Value) -> Option<(Option<usize>, &dyn TableLike)> {
        let table = value.as_inline_table()?;
        Some((table.span().map(|span| span.start), table))
    }
    match item.as_array_of_tables() {
        Some(tables) => Some(tables.iter().map(headed).collect()),
        None => item.as_array()?.iter().map(inline).collect(),
    }
}

/// Converts a value to text as typed, if its type is valid for the key.
fn content(item: &Item, takes: ValueType) -> Result<Content, String> {
    use ValueType as T;
    let content = match (takes, item.as_value()) {
        (T::Text | T::Line(_), Some(Value::String(text))) => Some(Content::from_text(text.value())),
        (T::Rows(_), Some(Value::Array(array))) => {
            let rows = array.iter().map(|row| row.as_array().and_then(list));
            rows.collect::<Option<_>>().map(|rows| Content { text: String::new(), rows })
        }
        (T::List(_) | T::Words(_) | T::NotAll(_) | T::Cpus, Some(Value::Array(array))) => {
            list(array).map(|list| Content { text: list.join(","), rows: vec![list] })
        }
        (T::Text | T::Line(_) | T::List(_) | T::Rows(_), _) => None,
        (_, value) => value.and_then(scalar).as_deref().map(Content::from_text),
    };
    content.ok_or_else(|| {
        format!("a value of type {} is not valid: use {}", item.type_name(), takes.describe())
    })
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::Boolean(flag) => Some(flag.value().to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::InlineTable(_) => None,
    }
}

fn list(array: &Array) -> Option<Vec<String>> {
    array.iter().map(scalar).collect()
}
