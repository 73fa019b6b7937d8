//! Reads the published tables from `tables.toml`.

use super::PublishedTable;
use super::run::RunKeys;
use serde::Deserialize;
use std::sync::LazyLock;
use toml_edit::{DocumentMut, Value};

/// All tables. A test reads the file, so that it is valid here.
pub static TABLES: LazyLock<Vec<PublishedTable>> =
    LazyLock::new(|| read(include_str!("tables.toml")).unwrap_or_default());

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TablesFile {
    run: RunKeys,
    tables: Vec<PublishedTable>,
}

/// Reads a file of tables, and gives each case the keys that it does not set.
pub(super) fn read(text: &str) -> Result<Vec<PublishedTable>, String> {
    let file = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let file = json(&Value::InlineTable(file.as_table().clone().into_inline_table()));
    let mut file: TablesFile = serde_json::from_value(file).map_err(|error| error.to_string())?;
    for table in &mut file.tables {
        inherit(&mut table.run, &file.run);
        for group in &mut table.groups {
            inherit(&mut group.run, &table.run);
            if group.cases.is_empty() {
                group.cases.clone_from(&table.cases);
            }
            for case in &mut group.cases {
                let name = format!("{} {}", group.name, case.name);
                name.trim().clone_into(&mut case.name);
                inherit(&mut case.run, &group.run);
            }
        }
    }
    Ok(file.tables)
}

/// Adds the keys of `outer` that are not set.
fn inherit(keys: &mut RunKeys, outer: &RunKeys) {
    for (key, value) in outer {
        keys.entry(key).or_insert_with(|| value.clone());
    }
}

/// Converts TOML, for serde.
fn json(toml: &Value) -> serde_json::Value {
    match toml {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(value) => (*value.value()).into(),
        Value::Datetime(time) => time.value().to_string().into(),
        Value::Array(entries) => entries.iter().map(json).collect(),
        Value::InlineTable(keys) => {
            keys.iter().map(|(key, value)| (key.to_owned(), json(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_figure_of_the_tables_is_known() {
        let tables = read(include_str!("tables.toml")).unwrap();
        assert_eq!(tables.iter().map(|table| table.letter).collect::<String>(), "ABCDE");
        for group in tables.iter().flat_map(|table| &table.groups) {
            for case in &group.cases {
                case.experiment().unwrap_or_else(|why| panic!("{}: {why}", case.name));
            }
            for figure in &group.figures {
                assert!(figure.model.is_some() == figure.missing.is_empty(), "{}", figure.name);
            }
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        let text = include_str!("tables.toml");
        for (known, unknown) in [
            ("model = \"free_time\"", "model = \"free_tine\""),
            ("checks = [\"order\"]", "checks = [\"ordered\"]"),
            ("letter = \"B\"", "letters = \"B\""),
        ] {
            assert!(read(&text.replace(known, unknown)).is_err(), "{unknown}");
        }
        let tables = read(&text.replace("cpus = 2,", "cpu = 2,")).unwrap();
        let groups = tables.iter().flat_map(|table| &table.groups);
        assert!(groups.flat_map(|group| &group.cases).any(|case| case.experiment().is_err()));
    }
}
