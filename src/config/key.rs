//! Descriptions of the keys of a kind of file.

#![expect(clippy::wildcard_enum_match_arm, reason = "most types have nothing of their own here")]

use super::value::ValueType;
use crate::model::text::did_you_mean;

/// The most keys that an error lists in place of an unknown one.
const MAX_LISTED_KEYS: usize = 40;

/// A key of a file.
pub struct KeySpec<T: 'static> {
    /// The name in its table; the key of an inner table begins with the table's name and a dot.
    pub name: &'static str,
    /// The name that it had in earlier versions, which files may still use.
    pub former: Option<&'static str>,
    /// The type of its value.
    pub takes: ValueType,
    /// The default, which applies if the file does not set the key.
    pub default: KeyDefault,
    /// The description.
    pub help: &'static str,
    /// Sets the value, or says why it is not valid.
    pub set: Set<T>,
    /// Returns the value as typed, if the interface can change the key.
    pub get: Option<Get<T>>,
    /// The names that can follow the key after a dot.
    pub names: KeyNames,
    /// The value of another key that this key needs.
    pub only_with: Option<(&'static str, &'static str)>,
    /// The environment variable that sets it.
    pub env: Option<&'static str>,
    /// The option that sets it.
    pub flag: Option<&'static str>,
}

/// Sets the value of a key.
pub(super) type Set<T> = fn(&mut T, &KeyInput<'_>) -> Result<(), String>;
/// Returns the value of a key; the second argument is the name after the dot.
pub(super) type Get<T> = fn(&T, &str) -> String;

/// The default of a key.
#[derive(Clone, Copy, Debug)]
pub enum KeyDefault {
    /// This value.
    Is(&'static str),
    /// A default that is described, because it is not a value.
    InWords(&'static str),
    /// The key has to be set.
    Required,
    /// The current value is left unchanged.
    Unchanged,
}

/// The names that can follow a key after a dot.
#[derive(Clone, Copy, Debug)]
pub enum KeyNames {
    /// None: the key itself has a value.
    No,
    /// Any name.
    Any,
    /// Any name, or a value of the key itself that lists all names.
    AnyOrAll,
    /// These names.
    OneOf(fn() -> Vec<&'static str>),
}

/// A value that is being set.
pub struct KeyInput<'a> {
    /// The type of the value.
    pub takes: ValueType,
    /// The name after the dot, if the key has names.
    pub name: &'a str,
    /// The value as typed.
    pub text: &'a str,
    /// The value as lists.
    pub rows: &'a [Vec<String>],
    /// The line of the file.
    pub line: Option<usize>,
}

impl KeyInput<'_> {
    /// Describes why the value is not valid.
    pub fn refuse(&self) -> String {
        self.takes.refuse(self.text)
    }

    /// Returns the value as a list.
    pub fn list(&self) -> Vec<String> {
        self.rows.first().cloned().unwrap_or_default()
    }
}

/// Creates a setter from a field and the method of [`ValueType`] that parses its value.
#[macro_export]
macro_rules! setter {
    ($($field:ident).+ = list) => {
        |to, it| {
            to.$($field).+ = it.list();
            Ok(())
        }
    };
    ($($field:ident).+ = Some(list)) => {
        |to, it| {
            to.$($field).+ = Some(it.list());
            Ok(())
        }
    };
    ($($field:ident).+ = $parse:ident) => {
        |to, it| it.takes.$parse(it.text).map(|value| to.$($field).+ = value)
    };
    ($($field:ident).+ = Some($parse:ident)) => {
        |to, it| it.takes.$parse(it.text).map(|value| to.$($field).+ = Some(value))
    };
    ($($field:ident).+ in $words:expr) => {
        |to, it| it.takes.word(it.text, &$words).map(|value| to.$($field).+ = value)
    };
}

impl<T> KeySpec<T> {
    /// Creates a key that has a value.
    pub const fn value(
        name: &'static str,
        takes: ValueType,
        default: KeyDefault,
        set: Set<T>,
    ) -> Self {
        let (help, get, names, only_with, env, flag) = ("", None, KeyNames::No, None, None, None);
        Self { name, former: None, takes, default, help, set, get, names, only_with, env, flag }
    }

    /// Sets the description.
    pub const fn says(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// Creates a table, or tables, with keys of their own.
    pub const fn table(
        name: &'static str,
        takes: ValueType,
        default: KeyDefault,
        help: &'static str,
    ) -> Self {
        Self::value(name, takes, default, |_, _| Ok(())).says(help)
    }

    /// Accepts a former name too.
    pub const fn formerly(self, name: &'static str) -> Self {
        Self { former: Some(name), ..self }
    }

    /// Restricts the key to a value of another key.
    pub const fn only_with(self, key: &'static str, value: &'static str) -> Self {
        Self { only_with: Some((key, value)), ..self }
    }

    /// Lets names follow the key.
    pub const fn names(self, names: KeyNames) -> Self {
        Self { names, ..self }
    }

    /// Lets the interface change the key.
    pub const fn get(self, get: Get<T>) -> Self {
        Self { get: Some(get), ..self }
    }

    /// Lets an environment variable and an option set the key.
    pub const fn set_by(self, env: Option<&'static str>, flag: Option<&'static str>) -> Self {
        Self { env, flag, ..self }
    }

    /// Whether this is a table with keys of its own.
    pub const fn is_table(&self) -> bool {
        matches!(self.takes, ValueType::Table(_) | ValueType::Tables(..))
    }

    /// Whether only names of the key can be set.
    pub const fn needs_name(&self) -> bool {
        matches!(self.names, KeyNames::Any | KeyNames::OneOf(_))
    }

    /// The name as the manual writes it.
    fn manual_name(&self) -> String {
        if self.needs_name() { format!("{}.NAME", self.name) } else { self.name.to_owned() }
    }

    /// Lists the paths of the key: one for each name.
    pub fn paths(&self) -> Vec<String> {
        match self.names {
            KeyNames::OneOf(names) => {
                names().iter().map(|name| format!("{}.{name}", self.name)).collect()
            }
            _ => vec![self.manual_name()],
        }
    }

    /// Finds the name after the dot in a path; empty if the path is the key itself.
    fn match_name<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.former == Some(path) {
            return Some("");
        }
        let rest = path.strip_prefix(self.name)?;
        let name = match rest.strip_prefix('.') {
            None if rest.is_empty() => return Some(""),
            None => return None,
            Some(name) => name,
        };
        let is_known = match self.names {
            KeyNames::No => false,
            KeyNames::Any | KeyNames::AnyOrAll => true,
            KeyNames::OneOf(names) => names().contains(&name),
        };
        (is_known && !name.is_empty()).then_some(name)
    }

    /// Sets the value from typed text.
    pub fn set_text(&self, to: &mut T, name: &str, text: &str) -> Result<(), String> {
        (self.set)(to, &KeyInput { takes: self.takes, name, text, rows: &[], line: None })
    }
}

/// The keys of one table, or of several tables with the same keys.
pub struct KeyGroup<T: 'static> {
    /// The names of the tables; empty for the top of the file.
    pub sections: &'static [&'static str],
    /// The heading in the manual.
    pub heading: &'static str,
    /// The keys.
    pub keys: &'static [KeySpec<T>],
}

/// All keys of a kind of file.
pub struct Schema<T: 'static> {
    /// The groups, in the order of the manual.
    pub groups: &'static [KeyGroup<T>],
    /// Whether errors name keys without their table.
    pub bare: bool,
    /// The largest file that is read; a larger one is certainly another kind of file.
    pub max_bytes: usize,
}

/// The default of a key that must be set.
pub const REQUIRED: &str = "required";

/// An entry of the manual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHelp {
    /// The heading of its table.
    pub heading: &'static str,
    /// The name.
    pub key: String,
    /// The valid values.
    pub takes: String,
    /// The default.
    pub default: String,
    /// The description.
    pub help: String,
}

impl KeyHelp {
    /// Describes what applies if the key is not set.
    pub fn describe_default(&self) -> String {
        match self.default.as_str() {
            REQUIRED => "Required".to_owned(),
            default => format!("Default: {default}"),
        }
    }
}

impl<T> Schema<T> {
    /// Lists the keys of a table.
    pub fn keys(&self, section: &str) -> impl Iterator<Item = &'static KeySpec<T>> {
        let groups = self.groups.iter().filter(move |group| group.sections.contains(&section));
        groups.flat_map(|group| group.keys)
    }

    /// Finds a key of a table, and the name after the dot.
    pub fn find<'p>(&self, section: &str, path: &'p str) -> Option<(&'static KeySpec<T>, &'p str)> {
        self.keys(section).find_map(|key| Some((key, key.match_name(path)?)))
    }

    /// Describes an unknown key, and suggests the nearest one.
    pub fn describe_unknown(&self, sections: &[&str], path: &str) -> String {
        let is_other =
            |group: &&KeyGroup<T>| group.keys.iter().any(|key| key.match_name(path).is_some());
        let other = self.groups.iter().find(is_other).map(|group| group.sections.first());
        let of_other = match other {
            None => String::new(),
            Some(None | Some(&"")) => return "put this key above all tables".to_owned(),
            Some(Some(section)) => format!("; {path} is a key of the table {section}"),
        };
        let keys = sections.iter().flat_map(|section| self.keys(section));
        let known: Vec<String> = keys.flat_map(KeySpec::paths).collect();
        let meant = did_you_mean(path, known.iter().map(String::as_str));
        // A longer list is in the manual.
        if known.len() > MAX_LISTED_KEYS {
            return format!("unknown key{meant}{of_other}");
        }
        format!("unknown key: use {}{meant}{of_other}", known.join(", "))
    }

    /// Describes an unknown table, and suggests the nearest one.
    pub fn describe_unknown_table(&self, name: &str) -> String {
        let keys = self.groups.iter().flat_map(|group| group.keys);
        let tables = keys.filter_map(|key| Some(key.name.split_once('.')?.0));
        let meant = did_you_mean(name, tables);
        format!("there is no such table, so none of its keys is known{meant}")
    }

    /// The name of a key in errors.
    pub fn display_name(&self, section: &str, path: &str) -> String {
        if self.bare || section.is_empty() { path.to_owned() } else { format!("{section}.{path}") }
    }

    /// Lists the entries of the manual.
    pub fn lines(&self) -> impl Iterator<Item = KeyHelp> {
        let keys = self
            .groups
            .iter()
            .flat_map(|group| group.keys.iter().map(move |key| (group.heading, key)));
        keys.map(|(heading, key)| KeyHelp {
            heading,
            key: key.manual_name(),
            takes: key.takes.describe(),
            default: match key.default {
                KeyDefault::Is("") => "empty",
                KeyDefault::Is(text) | KeyDefault::InWords(text) => text,
                KeyDefault::Required | KeyDefault::Unchanged => REQUIRED,
            }
            .to_owned(),
            help: match key.only_with {
                None => key.help.to_owned(),
                Some((other, value)) => {
                    format!("{}; only with {other} = {value}", key.help)
                }
            },
        })
    }
}
