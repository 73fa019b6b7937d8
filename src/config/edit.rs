//! Changes values in the text of a file, and leaves everything else as it is.

#![expect(clippy::wildcard_enum_match_arm, reason = "most types have nothing of their own here")]

use super::problem::{KeyLocation, Problem};
use super::reader::{MAX_FILE_BYTES, parse};
use super::value::ValueType;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

/// A key and its new value.
pub struct Edit {
    /// The key; a dot separates its table from its name.
    pub path: String,
    /// The type.
    pub takes: ValueType,
    /// The value as typed.
    pub text: String,
}

/// Sets keys in the text of a file. Comments, order and unknown keys stay.
pub fn edit(file: &str, old: &str, edits: &[Edit]) -> Result<String, Problem> {
    let mut document = parse(file, old, MAX_FILE_BYTES)?.into_mut();
    if edits.is_empty() {
        return Ok(old.to_owned());
    }
    // A file with comments only: new keys go below them.
    let is_empty = document.is_empty();
    if is_empty {
        document.set_trailing("");
    }
    for edit in edits {
        put(&mut document, edit)
            .map_err(|text| KeyLocation::in_file(file).with_key(&edit.path).problem(&text))?;
    }
    let new = document.to_string();
    if !is_empty {
        return Ok(new);
    }
    let end = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
    Ok([old, end, &new].concat())
}

fn put(document: &mut DocumentMut, edit: &Edit) -> Result<(), String> {
    let (group, name) = match edit.path.split_once('.') {
        Some((group, name)) => (Some(group), name),
        None => (None, edit.path.as_str()),
    };
    let table: &mut dyn TableLike = match group {
        None => document.as_table_mut(),
        Some(group) => {
            let item = document.entry(group).or_insert_with(|| Item::Table(Table::new()));
            item.as_table_like_mut().ok_or_else(|| {
                format!("{group} is not a table in this file: write it as [{group}]")
            })?
        }
    };
    let mut new = value(edit);
    match table.get_mut(name) {
        None => drop(table.insert(name, Item::Value(new))),
        Some(Item::Value(value)) => {
            *new.decor_mut() = value.decor().clone();
            *value = new;
        }
        Some(_) => return Err(edit.takes.refuse("table")),
    }
    Ok(())
}

/// Converts a typed value to a value of the file.
fn value(edit: &Edit) -> Value {
    use ValueType as T;
    let (takes, text) = (edit.takes, edit.text.as_str());
    let value = match takes {
        T::Seconds(..) | T::Fraction | T::Number(..) => takes.number(text).ok().map(|number| {
            number.to_string().parse::<i64>().map_or_else(|_| number.into(), Value::from)
        }),
        T::Flag => takes.flag(text).ok().map(Value::from),
        T::NotAll(_) => takes
            .some_words(text)
            .ok()
            .map(|words| Value::Array(words.into_iter().collect::<Array>())),
        _ => None,
    };
    value.unwrap_or_else(|| Value::from(text))
}
