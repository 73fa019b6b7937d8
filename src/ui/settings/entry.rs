//! Settings of both lists under one name each.

use super::form::Form;
use super::nearest::nearest;
use super::table::{PER_TABLE, SETTINGS, Setting, TableSetting};
use super::{Problem, Settings};
use crate::columns::{Spec, TABLES};

/// One key that the file can have.
#[derive(Clone, Copy)]
pub enum Entry {
    /// What is set once.
    Single(&'static Setting),
    /// What is set for a table.
    OfTable(&'static TableSetting, &'static Spec),
}

impl Entry {
    /// All of them, in the order of the manual.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_tables = |setting| TABLES.iter().map(move |spec| Self::OfTable(setting, spec));
        SETTINGS.iter().map(Self::Single).chain(PER_TABLE.iter().flat_map(of_tables))
    }

    /// The entry with this key, in this table of the file or in none.
    pub fn find(group: Option<&str>, name: &str) -> Option<Self> {
        Self::all().find(|entry| entry.path() == (group, name))
    }

    /// The sentence about a key that there is not: it names the nearest.
    pub(super) fn unknown(group: Option<&str>, name: &str) -> String {
        let typed = join(group, name);
        let keys: Vec<String> = Self::all().map(|entry| entry.key()).collect();
        let groups = keys.iter().filter_map(|key| Some(key.split_once('.')?.0));
        match nearest(&typed, keys.iter().map(String::as_str).chain(groups)) {
            Some(near) => format!("\"{typed}\" cannot be set; is it {near} that is meant?"),
            None => format!("\"{typed}\" cannot be set; the manual lists what can"),
        }
    }

    /// Is this a table of the file?
    pub fn is_group(name: &str) -> bool {
        Self::all().any(|entry| entry.path().0 == Some(name))
    }

    /// Its table in the file, if it is in one, and its key there.
    pub fn path(&self) -> (Option<&'static str>, &'static str) {
        match self {
            Self::Single(setting) => match setting.key.split_once('.') {
                Some((group, name)) => (Some(group), name),
                None => (None, setting.key),
            },
            Self::OfTable(setting, spec) => (Some(setting.group), spec.name),
        }
    }

    /// Its whole name: `interval`, `thresholds.use_warn`, `columns.devices`.
    pub fn key(&self) -> String {
        let (group, name) = self.path();
        join(group, name)
    }

    /// What it can be.
    pub fn form(&self) -> Form {
        match self {
            Self::Single(setting) => setting.form,
            Self::OfTable(setting, _) => setting.form,
        }
    }

    /// Its value as it would be typed; nothing where a table has its own choice.
    pub fn get(&self, settings: &Settings) -> String {
        match self {
            Self::Single(setting) => (setting.get)(settings),
            Self::OfTable(setting, spec) => {
                (setting.get)(settings).get(spec.name).cloned().unwrap_or_default()
            }
        }
    }

    /// Set it to what was typed; nothing leaves a table its own choice.
    ///
    /// # Errors
    /// A sentence that says what it could have been.
    pub fn set(&self, settings: &mut Settings, text: &str) -> Result<(), String> {
        let (setting, spec) = match self {
            Self::Single(setting) => return (setting.set)(settings, text),
            Self::OfTable(setting, spec) => (setting, spec),
        };
        if text.trim().is_empty() {
            (setting.get_mut)(settings).remove(spec.name);
            return Ok(());
        }
        (setting.check)(spec, text)?;
        (setting.get_mut)(settings).insert(spec.name.to_owned(), text.to_owned());
        Ok(())
    }

    /// The problem when what was typed somewhere cannot be followed.
    pub(super) fn problem(&self, line: Option<usize>, what: &str) -> Problem {
        Problem::at(line, &format!("{}: {what}", self.key()))
    }
}

fn join(group: Option<&str>, name: &str) -> String {
    group.map_or_else(|| name.to_owned(), |group| format!("{group}.{name}"))
}
