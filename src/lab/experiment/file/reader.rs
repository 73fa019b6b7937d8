//! Values of TOML as text, with the lines on which they stand.

use crate::lab::experiment::keys::{self, Section};
use crate::lab::experiment::settings::Said;
use crate::model::name::safe_text;
use crate::stress::file::Wrong;
use toml_edit::{Array, Item, TableLike, Value};

/// Errors that are told of one file.
const MOST: usize = 20;

/// A table, however it is written.
pub(super) type Table<'t> = &'t dyn TableLike;

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
        let span = table.key(key).and_then(toml_edit::Key::span)?;
        Some(self.line_of(span.start))
    }

    /// Tell of keys that are none of these.
    pub(super) fn only(&mut self, table: Table<'_>, of: &str, section: Section) {
        let known = keys::names(section);
        let others = table.iter().map(|(key, _)| key).filter(|key| !known.contains(key));
        for key in others.map(str::to_owned).collect::<Vec<_>>() {
            let line = self.line(table, &key);
            let shown = if of.is_empty() { key } else { format!("{of}.{key}") };
            let text = format!("there is no such key: use some of {}", known.join(", "));
            self.tell(line, Some(&shown), &text);
        }
    }

    /// A text, number or flag, if it is said.
    pub(super) fn text(&mut self, table: Table<'_>, key: &str) -> Option<Said> {
        let item = table.get(key)?;
        let line = self.line(table, key);
        let text = item.as_value().and_then(scalar);
        if text.is_none() {
            let why = format!("a value of type {} is not possible: use a text", item.type_name());
            self.tell(line, Some(key), &why);
        }
        text.map(|text| Said { text, line })
    }

    /// A text that has to be said.
    pub(super) fn needed(&mut self, table: Table<'_>, key: &str, what: &str) -> String {
        if !table.contains_key(key) {
            self.tell(None, Some(key), &format!("it has to be said: {what}"));
        }
        let said = self.text(table, key);
        said.map(|said| said.text).unwrap_or_default()
    }

    /// A list of texts and numbers, if it is said.
    pub(super) fn list(&mut self, table: Table<'_>, key: &str) -> Option<Vec<String>> {
        let item = table.get(key)?;
        let list = item.as_array().and_then(texts);
        if list.is_none() {
            let line = self.line(table, key);
            self.tell(line, Some(key), "use a list of texts, such as [\"a\", \"b\"]");
        }
        list
    }

    /// A list of such lists.
    pub(super) fn lists(&mut self, table: Table<'_>, key: &str) -> Vec<Vec<String>> {
        let rows = table.get(key).and_then(Item::as_array);
        let rows = rows.and_then(|rows| {
            rows.iter().map(|row| row.as_array().and_then(texts)).collect::<Option<Vec<_>>>()
        });
        rows.unwrap_or_else(|| {
            let line = self.line(table, key);
            self.tell(line, Some(key), "use a list of lists of texts, one for each row");
            Vec::new()
        })
    }

    /// A table, if it is there.
    pub(super) fn table<'i>(&mut self, table: Table<'i>, key: &str) -> Option<Table<'i>> {
        let item = table.get(key)?;
        let found = item.as_table_like();
        if found.is_none() {
            let line = self.line(table, key);
            self.tell(line, Some(key), &format!("it has to be written [{key}], above its keys"));
        }
        found
    }

    /// Tables of the same name.
    pub(super) fn tables<'i>(&mut self, table: Table<'i>, key: &str) -> Vec<Table<'i>> {
        let Some(item) = table.get(key) else { return Vec::new() };
        let found: Option<Vec<Table<'i>>> = match item.as_array_of_tables() {
            Some(tables) => Some(tables.iter().map(|table| table as Table<'i>).collect()),
            None => item.as_array().and_then(|array| {
                let table = |value: &'i Value| value.as_inline_table().map(|it| it as Table<'i>);
                array.iter().map(table).collect()
            }),
        };
        found.unwrap_or_else(|| {
            let line = self.line(table, key);
            self.tell(line, Some(key), &format!("it has to be written [[{key}]], above its keys"));
            Vec::new()
        })
    }

    /// Keys and values of a table and of the tables in it, as `with.size`.
    pub(super) fn pairs(
        &mut self,
        table: Table<'_>,
        of: &str,
        others: &[&str],
    ) -> Vec<(String, Said)> {
        let mut pairs = Vec::new();
        for (key, item) in table.iter().filter(|(key, _)| !others.contains(key)) {
            if let Some(inner) = item.as_table_like() {
                let inner = self.pairs(inner, &format!("{of}.{key}"), &[]);
                pairs.extend(inner.into_iter().map(|(name, said)| (format!("{key}.{name}"), said)));
            } else {
                let said = self.text(table, key);
                pairs.extend(said.map(|said| (key.to_owned(), said)));
            }
        }
        pairs
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
