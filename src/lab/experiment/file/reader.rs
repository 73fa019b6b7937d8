//! Values of TOML as text, with the lines on which they stand.

use crate::lab::experiment::keys::{self, Section};
use crate::lab::experiment::settings::Said;
use crate::model::name::safe_text;
use crate::stress::file::{Start, Wrong, no_key, starts};
use toml_edit::{Array, Item, TableLike, Value};

/// Errors that are told of one file.
const MOST: usize = 20;

/// A table, however it is written.
#[derive(Clone, Copy)]
pub(super) struct Table<'t> {
    keys: &'t dyn TableLike,
    section: Section,
    /// Where it begins; nothing of the whole file.
    line: Option<usize>,
}

impl<'t> Table<'t> {
    /// The whole file.
    pub(super) fn top(keys: &'t dyn TableLike) -> Self {
        Self { keys, section: Section::Top, line: None }
    }

    /// A key of it, as errors name that.
    pub(super) fn key(self, name: &str) -> String {
        self.section.key(name)
    }

    pub(super) fn has(self, key: &str) -> bool {
        self.keys.contains_key(key)
    }
}

/// Reads one file.
pub(super) struct Reader<'t> {
    name: String,
    text: &'t str,
    pub(super) wrongs: Vec<Wrong>,
}

impl<'t> Reader<'t> {
    pub(super) fn of(name: &str, text: &'t str) -> Self {
        Self { name: safe_text(name), text, wrongs: Vec::new() }
    }

    pub(super) fn tell(&mut self, line: Option<usize>, key: Option<&str>, text: &str) {
        let (key, text) = (key.map(safe_text), safe_text(text));
        let wrong = Wrong { file: self.name.clone(), line, key, text };
        if self.wrongs.len() < MOST && !self.wrongs.contains(&wrong) {
            self.wrongs.push(wrong);
        }
    }

    /// Was nothing told since there were so many wrongs?
    pub(super) fn is_well_since(&self, before: usize) -> bool {
        self.wrongs.len() == before
    }

    /// The line, from 1 on, of a byte.
    pub(super) fn line_of(&self, place: usize) -> usize {
        1 + self.text.bytes().take(place).filter(|byte| *byte == b'\n').count()
    }

    /// The line of a key, if it is there.
    pub(super) fn line(&self, table: Table<'_>, key: &str) -> Option<usize> {
        let span = table.keys.key(key).and_then(toml_edit::Key::span)?;
        Some(self.line_of(span.start))
    }

    /// Tell of a key of a table, where it stands or where it could.
    pub(super) fn tell_of(&mut self, table: Table<'_>, key: &str, text: &str) {
        let line = self.line(table, key).or(table.line);
        self.tell(line, Some(&table.key(key)), text);
    }

    /// Tell what a key takes, and that it is not this.
    pub(super) fn refuse(&mut self, table: Table<'_>, key: &str, what: &str) {
        let takes = keys::takes(table.section, key);
        self.tell_of(table, key, &format!("{what} is not possible: use {takes}"));
    }

    /// Tell of the type of a value.
    fn refuse_type(&mut self, table: Table<'_>, key: &str, item: &Item) {
        self.refuse(table, key, &format!("a value of type {}", item.type_name()));
    }

    /// Tell of a key that has to be said.
    pub(super) fn want(&mut self, table: Table<'_>, key: &str) {
        let takes = keys::takes(table.section, key);
        self.tell_of(table, key, &format!("it has to be said: use {takes}"));
    }

    /// Tell of keys that are none of these.
    pub(super) fn only(&mut self, table: Table<'_>) {
        let known = keys::names(table.section);
        let others = table.keys.iter().map(|(key, _)| key).filter(|key| !known.contains(key));
        others.for_each(|key| self.tell_of(table, key, &no_key(key, &known)));
    }

    /// A text, number or flag, if it is said.
    pub(super) fn text(&mut self, table: Table<'_>, key: &str) -> Option<Said> {
        let item = table.keys.get(key)?;
        let text = item.as_value().and_then(scalar);
        if text.is_none() {
            self.refuse_type(table, key, item);
        }
        text.map(|text| Said { text, line: self.line(table, key) })
    }

    /// Words, which have to be said.
    pub(super) fn words(&mut self, table: Table<'_>, key: &str) -> String {
        match table.keys.get(key) {
            Some(item) if item.as_str().is_none() => {
                self.refuse_type(table, key, item);
                String::new()
            }
            _ => self.needed(table, key),
        }
    }

    /// A text or a number that has to be said.
    pub(super) fn needed(&mut self, table: Table<'_>, key: &str) -> String {
        if !table.has(key) {
            self.want(table, key);
        }
        let said = self.text(table, key);
        if said.as_ref().is_some_and(|said| said.text.is_empty()) {
            self.refuse(table, key, "\"\"");
        }
        said.map(|said| said.text).unwrap_or_default()
    }

    /// A list of texts and numbers, if it is said.
    pub(super) fn list(&mut self, table: Table<'_>, key: &str) -> Option<Vec<String>> {
        let item = table.keys.get(key)?;
        let list = item.as_array().and_then(texts);
        if list.is_none() {
            self.refuse_list(table, key, item);
        }
        list
    }

    /// A list of such lists.
    pub(super) fn lists(&mut self, table: Table<'_>, key: &str) -> Option<Vec<Vec<String>>> {
        let Some(item) = table.keys.get(key) else {
            self.want(table, key);
            return None;
        };
        let lists = |rows: &Array| rows.iter().map(|row| row.as_array().and_then(texts)).collect();
        let lists = item.as_array().and_then(lists);
        if lists.is_none() {
            self.refuse_list(table, key, item);
        }
        lists
    }

    /// Tell of what is no list, or holds something else.
    fn refuse_list(&mut self, table: Table<'_>, key: &str, item: &Item) {
        if item.is_array() {
            return self.refuse(table, key, "what is in this list");
        }
        self.refuse_type(table, key, item);
    }

    /// Tell of what is no table, how its name is written above its keys.
    fn refuse_place(&mut self, of: Table<'_>, key: &str, [open, close]: [&str; 2]) {
        let name = of.key(key);
        self.tell_of(of, key, &format!("it has to be written {open}{name}{close}, above its keys"));
    }

    /// A table, if it is there.
    pub(super) fn table<'i>(
        &mut self,
        section: Section,
        of: Table<'i>,
        key: &str,
    ) -> Option<Table<'i>> {
        let keys = of.keys.get(key)?.as_table_like();
        if keys.is_none() {
            self.refuse_place(of, key, ["[", "]"]);
        }
        keys.map(|keys| Table { keys, section, line: self.line(of, key) })
    }

    /// Tables of the same name.
    pub(super) fn tables<'i>(
        &mut self,
        section: Section,
        of: Table<'i>,
        key: &str,
    ) -> Vec<Table<'i>> {
        let Some(item) = of.keys.get(key) else { return Vec::new() };
        let Some(found) = starts(item) else {
            self.refuse_place(of, key, ["[[", "]]"]);
            return Vec::new();
        };
        let table = |(start, keys): Start<'i>| {
            let line = start.map(|start| self.line_of(start));
            Table { keys, section, line }
        };
        found.into_iter().map(table).collect()
    }

    /// Keys and values of a table and of the tables in it, as `with.size`.
    pub(super) fn pairs(&mut self, table: Table<'_>) -> Vec<(String, Said)> {
        let mut pairs = Vec::new();
        let others = keys::names(table.section);
        for (key, item) in table.keys.iter().filter(|(key, _)| !others.contains(key)) {
            self.flatten(table, key.to_owned(), (item, self.line(table, key)), &mut pairs);
        }
        pairs
    }

    /// The values below a key, each with its name and its line.
    fn flatten(
        &mut self,
        table: Table<'_>,
        name: String,
        (item, line): (&Item, Option<usize>),
        pairs: &mut Vec<(String, Said)>,
    ) {
        if let Some(keys) = item.as_table_like() {
            let inner = Table { keys, ..table };
            for (key, item) in keys.iter() {
                let line = self.line(inner, key);
                self.flatten(table, format!("{name}.{key}"), (item, line), pairs);
            }
            return;
        }
        let Some(text) = item.as_value().and_then(scalar) else {
            let takes = keys::takes(table.section, &name);
            let kind = item.type_name();
            let why = format!("a value of type {kind} is not possible: use {takes}");
            return self.tell(line, Some(&table.key(&name)), &why);
        };
        pairs.push((name, Said { text, line }));
    }
}

/// What a value is as it would be typed.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::Boolean(flag) => Some(flag.value().to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::InlineTable(_) => None,
    }
}

fn texts(array: &Array) -> Option<Vec<String>> {
    array.iter().map(scalar).collect()
}
