//! Cycles of files inside a room: a reader of one file of a cycle has to read all of them.
//!
//! File A uses file B where A names an item defined in B: in a `use`, or by a path in its code. A name is
//! followed through modules and re-exports to the file that defines it, so a parent that only declares and
//! re-exports its children uses none of them, and a file that takes an item from the parent uses the child.
//! `mod` and the `use` of a module are no edge; paths that begin with the module are. A re-export counts
//! where the file itself writes the name. Methods and fields are not seen, nor are tests, which may use
//! anything.

use super::{Source, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Limit of files in a cycle: a parent and two parts of it.
const LARGEST: usize = 3;

/// A name that a file takes from elsewhere.
struct Import {
    name: String,
    path: Vec<String>,
    is_public: bool,
}

struct Module {
    file: String,
    room: String,
    imports: Vec<Import>,
    /// The code without its `use` declarations.
    code: String,
}

/// Modules by their paths: `["ui", "view"]`.
type Modules = BTreeMap<Vec<String>, Module>;

fn modules() -> Modules {
    let library = |source: &Source| source.path != Path::new("main.rs");
    sources()
        .into_iter()
        .filter(library)
        .map(|source| (module_path(&source), module(&source)))
        .collect()
}

fn module_path(source: &Source) -> Vec<String> {
    let path = source.path.with_extension("");
    let mut parts: Vec<String> =
        path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if ["mod", "lib"].contains(&parts.last().unwrap().as_str()) {
        parts.pop();
    }
    parts
}

/// The code without what is in quotes: words of messages use nothing.
pub(super) fn without_texts(code: &str) -> String {
    code.replace("'\"'", "").replace("\\\"", "").split('"').step_by(2).collect()
}

fn module(source: &Source) -> Module {
    let (mut imports, mut code) = (Vec::new(), String::new());
    let source_code = without_texts(&source.code);
    let mut lines = source_code.lines();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            let item = lines.find(|line| !line.starts_with([' ', '#', ')'])).unwrap_or_default();
            // A test module ends with a brace at the indentation of its beginning.
            if item.ends_with('{') {
                lines.find(|line| *line == "}");
            }
            continue;
        }
        if line.ends_with(';') && line.split(' ').rev().nth(1) == Some("mod") {
            continue;
        }
        let text = line.trim_start();
        let Some(place) = text.find("use ").filter(|place| is_visibility(&text[..*place])) else {
            code.push_str(line);
            code.push('\n');
            continue;
        };
        let mut tree = text[place + "use ".len()..].to_owned();
        while !tree.contains(';') {
            tree.push_str(lines.next().unwrap().trim());
        }
        expand(&[], tree.trim_end_matches(';'), place > 0, &mut imports);
    }
    let file = source.path.display().to_string();
    Module { file, room: source.room(), imports, code }
}

fn is_visibility(text: &str) -> bool {
    text.is_empty() || text == "pub " || text.starts_with("pub(") && text.ends_with(") ")
}

/// The names that the tree of a `use` brings in: `a::{b, c as d}` are `a::b` and `a::c`.
fn expand(before: &[String], tree: &str, is_public: bool, imports: &mut Vec<Import>) {
    let tree = tree.trim();
    let mut path = before.to_vec();
    if let Some(place) = tree.find('{') {
        path.extend(
            tree[..place].split("::").map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned),
        );
        for branch in branches(tree[place + 1..].strip_suffix('}').unwrap()) {
            expand(&path, branch, is_public, imports);
        }
    } else if !tree.is_empty() {
        let (names, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        path.extend(names.split("::").map(str::trim).map(str::to_owned));
        path.pop_if(|last| last == "self");
        let Some(last) = path.last() else { return };
        let name = if alias.is_empty() { last.as_str() } else { alias.trim() };
        imports.push(Import { name: name.to_owned(), path: path.clone(), is_public });
    }
}

/// The parts of a group between its top-level commas.
fn branches(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (place, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&group[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    found.push(&group[start..]);
    found
}

/// The module that defines the item of a path as written in the module `at`. None where the path leads out
/// of the library or to a module instead of an item.
fn definer(modules: &Modules, at: &[String], path: &[String], steps: usize) -> Option<Vec<String>> {
    let mut here = at.to_vec();
    for (place, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" => here.clear(),
            "self" => {}
            "super" => drop(here.pop()),
            _ => {
                let child = [here.as_slice(), std::slice::from_ref(name)].concat();
                if modules.contains_key(&child) {
                    here = child;
                } else if let Some(import) = import_of(modules, &here, name) {
                    let further = [&import.path, &path[place + 1..]].concat();
                    return (steps > 0).then(|| definer(modules, &here, &further, steps - 1))?;
                } else {
                    let is_own = place > 0 && here.len() + place > 0;
                    return is_own.then_some(here);
                }
            }
        }
    }
    None
}

fn import_of<'a>(modules: &'a Modules, here: &[String], name: &str) -> Option<&'a Import> {
    let imports = &modules.get(here)?.imports;
    let brings = |import: &&Import| {
        let target = &import.path[..import.path.len() - 1];
        let child = [here, target].concat();
        import.name == name
            || import.name == "*" && modules.get(&child).is_some_and(|m| defines(m, name))
    };
    imports.iter().find(brings)
}

fn defines(module: &Module, name: &str) -> bool {
    words(&module.code).any(|(word, before)| {
        word == name
            && ["struct", "enum", "fn", "const", "trait", "type"]
                .iter()
                .any(|kind| before.ends_with(kind))
    })
}

/// The words of the code, each with the text before it.
fn words(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut place = 0;
    std::iter::from_fn(move || {
        let start = place + code[place..].find(is_word)?;
        let end = code[start..].find(|c| !is_word(c)).map_or(code.len(), |len| start + len);
        place = end;
        Some((&code[start..end], code[..start].trim_end()))
    })
}

/// Paths of at least two names in the code.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let pieces = code.split(|c| !is_part(c)).filter(|piece| piece.contains("::"));
    let names =
        |piece: &str| piece.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
    pieces.map(names).filter(|path: &Vec<String>| path.len() > 1).collect()
}

/// The modules of its room that a module uses.
fn used(modules: &Modules, at: &Vec<String>, module: &Module) -> BTreeSet<Vec<String>> {
    let written = |import: &&Import| {
        !import.is_public || words(&module.code).any(|(word, _)| word == import.name)
    };
    let imports = module.imports.iter().filter(written).map(|import| import.path.clone());
    let all = imports.chain(paths(&module.code));
    let definers = all.filter_map(|path| definer(modules, at, &path, 16));
    let in_room = |other: &Vec<String>| {
        other != at && modules.get(other).is_some_and(|other| other.room == module.room)
    };
    definers.filter(in_room).collect()
}

#[test]
fn no_large_cycle_of_files() {
    let modules = modules();
    let uses: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> =
        modules.iter().map(|(path, module)| (path, used(&modules, path, module))).collect();
    assert!(uses.values().map(BTreeSet::len).sum::<usize>() > 500, "uses were not understood");
    let reached = |from: &Vec<String>| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(path) = open.pop() {
            open.extend(uses[&path].iter().filter(|next| seen.insert((*next).clone())).cloned());
        }
        seen
    };
    let reach: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> =
        modules.keys().map(|path| (path, reached(path))).collect();
    for (path, module) in &modules {
        let circle: Vec<&str> = reach[path]
            .iter()
            .filter(|other| reach[other].contains(path))
            .map(|other| modules[other].file.as_str())
            .collect();
        assert!(circle.len() <= LARGEST, "{}: a circle of files: {circle:?}", module.file);
    }
}
