//! The file: TOML, read as far as it makes sense, and changed without touching the rest of it.

use super::entry::Entry;
use super::form::Form;
use super::{Problem, Settings};
use crate::columns::units;
use toml_edit::{Array, Document, DocumentMut, Item, Key, Table, TableLike, Value};

/// Bytes that a file may have. Nobody types as many; a larger one is some other file.
pub const LARGEST: usize = 64 * 1024;
/// Problems that are told of one file. One with more of them is hardly ours.
const MOST: usize = 20;

/// The text of a file.
///
/// # Errors
/// When it is too large or is no text.
pub fn text(bytes: &[u8]) -> Result<&str, Problem> {
    if bytes.len() > LARGEST {
        return Err(Problem::new(&format!("the file has more than {LARGEST} bytes: not read")));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        Problem::at(Some(line), "this is no text, so nothing in the file counts")
    })
}

/// What the file says, over the defaults. What cannot be followed is told and stays at its
/// default.
pub fn read(text: &str) -> (Settings, Vec<Problem>) {
    let mut reader = Reader { text, settings: Settings::default(), problems: Vec::new() };
    match parse(text) {
        Ok(document) => reader.root(document.as_table()),
        Err(problem) => reader.problems.push(problem),
    }
    (reader.settings, reader.problems)
}

fn parse(file: &str) -> Result<Document<&str>, Problem> {
    text(file.as_bytes())?;
    Document::parse(file).map_err(|error| {
        let line = error.span().map(|span| line_of(file.as_bytes(), span.start));
        let what = format!("this is not TOML, so nothing in the file counts: {}", error.message());
        Problem::at(line, &what)
    })
}

/// The line, from 1 on, of a byte.
fn line_of(bytes: &[u8], place: usize) -> usize {
    1 + bytes.iter().take(place).filter(|byte| **byte == b'\n').count()
}

struct Reader<'t> {
    text: &'t str,
    settings: Settings,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn root(&mut self, root: &Table) {
        for (name, item) in root {
            let line = self.line(root.key(name));
            match item.as_table_like() {
                Some(table) if Entry::is_group(name) => self.group(name, table),
                None if Entry::is_group(name) => {
                    self.tell(|| Problem::at(line, &no_table(name)));
                }
                _ => self.entry(None, name, item, line),
            }
        }
    }

    fn group(&mut self, group: &str, table: &dyn TableLike) {
        for (name, item) in table.iter() {
            let line = self.line(table.key(name));
            self.entry(Some(group), name, item, line);
        }
    }

    fn entry(&mut self, group: Option<&str>, name: &str, item: &Item, line: Option<usize>) {
        let Some(entry) = Entry::find(group, name) else {
            return self.tell(|| Problem::at(line, &Entry::unknown(group, name)));
        };
        let typed = typed(item, entry.form());
        let set = typed.and_then(|typed| entry.set(&mut self.settings, &typed));
        if let Err(what) = set {
            self.tell(|| entry.problem(line, &what));
        }
    }

    fn tell(&mut self, problem: impl FnOnce() -> Problem) {
        match self.problems.len() {
            0..MOST => self.problems.push(problem()),
            MOST => self.problems.push(Problem::new("more in the file cannot be followed")),
            _ => {}
        }
    }

    fn line(&self, key: Option<&Key>) -> Option<usize> {
        let span = key?.span()?;
        Some(line_of(self.text.as_bytes(), span.start))
    }
}

fn no_table(group: &str) -> String {
    format!("{group} has to be a table: [{group}]")
}

/// A value of the file as it would be typed elsewhere.
fn typed(item: &Item, form: Form) -> Result<String, String> {
    let scalar = |value: &Value| match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::Boolean(flag) => Some(flag.value().to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::InlineTable(_) => None,
    };
    let typed = match (item.as_array(), form) {
        (Some(array), Form::Any(_)) => {
            array.iter().map(scalar).collect::<Option<Vec<_>>>().map(|words| words.join(","))
        }
        _ => item.as_value().and_then(scalar),
    };
    typed.ok_or_else(|| form.refuse(item.type_name()))
}

/// The text of a file that says these settings: `old`, with the values changed that differ from
/// what it says, and with those added that it does not say and that differ from `defaults`.
/// Comments, order and what is unknown stay.
///
/// # Errors
/// When `old` is no TOML, or has something else where a value has to go: the file is then better
/// left as it is.
pub fn write(old: &str, settings: &Settings, defaults: &Settings) -> Result<String, Problem> {
    let mut document = parse(old)?.into_mut();
    let (said, _) = read(old);
    // A file of comments alone: what is added goes below them.
    let alone = document.is_empty();
    if alone {
        document.set_trailing("");
    }
    let mut changed = false;
    for entry in Entry::all() {
        let before = if is_said(&document, &entry) { &said } else { defaults };
        let value = entry.get(settings);
        if value != entry.get(before) {
            put(&mut document, &entry, &value)?;
            changed = true;
        }
    }
    Ok(match (changed, alone) {
        (false, _) => old.to_owned(),
        (true, true) => below(old, &document.to_string()),
        (true, false) => document.to_string(),
    })
}

/// The text of a file that says what was changed between two settings, and nothing of what else
/// they hold: that can come from the environment or from flags, which are for one run only.
///
/// # Errors
/// As for [`write()`].
pub fn carry(old: &str, from: &Settings, to: &Settings) -> Result<String, Problem> {
    let (mut said, _) = read(old);
    for entry in Entry::all() {
        let value = entry.get(to);
        if value != entry.get(from) {
            entry.set(&mut said, &value).map_err(|what| entry.problem(None, &what))?;
        }
    }
    write(old, &said, &Settings::default())
}

fn below(comments: &str, keys: &str) -> String {
    let end = if comments.is_empty() || comments.ends_with('\n') { "" } else { "\n" };
    format!("{comments}{end}{keys}")
}

fn is_said(document: &DocumentMut, entry: &Entry) -> bool {
    let (group, name) = entry.path();
    let Some(group) = group else { return document.contains_key(name) };
    let table = document.get(group).and_then(Item::as_table_like);
    table.is_some_and(|table| table.contains_key(name))
}

fn put(document: &mut DocumentMut, entry: &Entry, typed: &str) -> Result<(), Problem> {
    let (group, name) = entry.path();
    let table: &mut dyn TableLike = match group {
        None => document.as_table_mut(),
        Some(group) => {
            let item = document.entry(group).or_insert_with(|| Item::Table(Table::new()));
            item.as_table_like_mut().ok_or_else(|| Problem::new(&no_table(group)))?
        }
    };
    let new = value(entry.form(), typed);
    match table.get_mut(name) {
        None => drop(table.insert(name, Item::Value(new))),
        Some(Item::Value(value)) => replace(value, new),
        Some(_) => return Err(entry.problem(None, &entry.form().refuse("table"))),
    }
    Ok(())
}

/// Change a value and leave what stands around it.
fn replace(value: &mut Value, mut new: Value) {
    *new.decor_mut() = value.decor().clone();
    *value = new;
}

/// What is typed elsewhere, as a value of the file.
fn value(form: Form, typed: &str) -> Value {
    let number = || {
        let number = form.number(typed).ok()?;
        Some(units::real(number).parse::<i64>().map_or_else(|_| number.into(), Value::from))
    };
    let value = match form {
        Form::Seconds(..) | Form::Share | Form::Number(..) => number(),
        Form::Flag => typed.parse::<bool>().ok().map(Value::from),
        Form::Any(_) => {
            form.any(typed).ok().map(|words| Value::Array(words.into_iter().collect::<Array>()))
        }
        Form::Word(_) | Form::Columns | Form::Order => None,
    };
    value.unwrap_or_else(|| Value::from(typed))
}
