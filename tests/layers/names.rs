//! The names of types and functions: a public type name stands for one thing, and a function is called by
//! what it does. CONTRIBUTING.md has the rules.

use super::{collect, repository, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;

/// Names that several types of one room have, where everybody writes the path: at most `MOST_SHARED`.
const SHARED: [&str; 1] = [
    // Of `columns/tables`: what a row of the table is made of.
    "Row",
];
const MOST_SHARED: usize = 20;

/// Names of functions that say nothing about what the function does.
const EMPTY_NAMES: [&str; 4] = ["of", "told", "found", "seen"];

/// The name of the public type that a line of code defines.
fn public_type(line: &str) -> Option<String> {
    let line = line.trim_start();
    let rest = line.strip_prefix("table!(").unwrap_or(line).strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')')?.1,
        None => rest,
    };
    let mut words = rest.strip_prefix(' ')?.split(' ');
    let kinds = ["struct", "enum", "trait", "type", "union"];
    words.find(|word| *word != "unsafe").filter(|word| kinds.contains(word))?;
    let is_letter = |c: &char| c.is_alphanumeric() || *c == '_';
    let name: String = words.next()?.chars().take_while(is_letter).collect();
    (!name.is_empty()).then_some(name)
}

/// Public type names with the rooms and files that define them.
fn public_types() -> BTreeMap<String, Vec<(String, String)>> {
    let mut types: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for source in sources() {
        for name in source.code.lines().filter_map(public_type) {
            let file = source.path.display().to_string();
            types.entry(name).or_default().push((source.room(), file));
        }
    }
    types
}

#[test]
fn a_public_type_name_is_used_once() {
    let types = public_types();
    assert!(types.len() > 500, "only {} public types were found", types.len());
    assert!(SHARED.len() <= MOST_SHARED, "too many shared names: {SHARED:?}");
    let mut lines = Vec::new();
    for (name, places) in types.iter().filter(|(_, places)| places.len() > 1) {
        let rooms: BTreeSet<&str> = places.iter().map(|(room, _)| room.as_str()).collect();
        if rooms.len() > 1 || !SHARED.contains(&name.as_str()) {
            let files: Vec<String> = places.iter().map(|(_, file)| format!("src/{file}")).collect();
            lines.push(format!("{name}: {}", files.join(", ")));
        }
    }
    assert!(
        lines.is_empty(),
        "{} names stand for several types:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

#[test]
fn shared_names_are_needed() {
    let types = public_types();
    for name in SHARED {
        let places = types.get(name).map_or(0, Vec::len);
        assert!(places > 1, "{name} is the name of {places} types: take it out of the list");
    }
}

/// The name of the function that a line defines.
fn function(line: &str) -> Option<String> {
    let is_letter = |c: &char| c.is_alphanumeric() || *c == '_';
    let mut rest = line.trim_start();
    if let Some(public) = rest.strip_prefix("pub") {
        rest = public.strip_prefix('(').and_then(|it| it.split_once(')')).map_or(public, |it| it.1);
        rest = rest.strip_prefix(' ')?;
    }
    for word in ["const ", "async ", "unsafe ", "extern \"C\" "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    Some(rest.strip_prefix("fn ")?.chars().take_while(is_letter).collect())
}

#[test]
fn functions_are_called_by_what_they_do() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        collect(&repository(folder), &mut files);
    }
    files.retain(|file| file.extension() == Some(OsStr::new("rs")));
    let mut lines = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (at, line) in text.lines().enumerate() {
            let name = function(line).filter(|name| EMPTY_NAMES.contains(&name.as_str()));
            if let Some(name) = name {
                let path = file.strip_prefix(repository("")).unwrap_or(&file).display();
                lines.push(format!("{path}:{}: fn {name}", at + 1));
            }
        }
    }
    assert!(
        lines.is_empty(),
        "{} functions have a name that says nothing:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

#[test]
fn definitions_are_recognized() {
    let found = |line: &str| public_type(line).unwrap_or_default();
    assert_eq!(found("pub struct Area<'a> {"), "Area");
    assert_eq!(found("table!(pub struct AreaTable: Row<'v>, Column"), "AreaTable");
    assert_eq!(found("    pub(crate) enum Kind {"), "Kind");
    assert_eq!(found("pub(in crate::ui) type Rows = Vec<Row>;"), "Rows");
    assert_eq!(found("pub(super) trait Watch: Send {"), "Watch");
    for other in
        ["struct Own;", "pub fn of() {}", "pub use a::Area;", "public struct X", "pub mod x;"]
    {
        assert_eq!(found(other), "");
    }
    assert_eq!(function("    pub(super) const fn of<T>() {}").as_deref(), Some("of"));
    assert_eq!(function("fn told(&self);").as_deref(), Some("told"));
    assert_eq!(function("// fn seen() {}"), None);
}
