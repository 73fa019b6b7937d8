//! The rule of `src/lib.rs`: which top-level module (room) may use which, where paths are written, and which
//! files are read.

#![allow(clippy::disallowed_methods, reason = "this test reads the sources")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "the helpers of a test stop it where they meet something unknown"
)]

mod circles;
use crate::common;
mod names;

use common::{Machine, repository, with_each_machine};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use swapadm::clock::Clock;
use swapadm::model::{Part, Reading, Stamp};
use swapadm::probes::{self, PROBES};
use swapadm::root::{Root, Trace, Traced};

/// A source file without comments and tests.
struct Source {
    /// The path below `src`.
    path: PathBuf,
    code: String,
}

impl Source {
    /// The top-level module: the first part of the path.
    fn room(&self) -> String {
        let first = self.path.iter().next().unwrap();
        Path::new(first).file_stem().unwrap().to_str().unwrap().to_owned()
    }

    /// How many `super` lead to the crate.
    fn depth(&self) -> usize {
        let parts = self.path.iter().count();
        if self.path.file_name() == Some(OsStr::new("mod.rs")) { parts - 1 } else { parts }
    }
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(&repository("src"), &mut files);
    let below = |file: &PathBuf| file.strip_prefix(repository("src")).unwrap().to_owned();
    let tests = |file: &PathBuf| {
        let stem = file.file_stem().unwrap();
        let is_for_tests = file.iter().any(|part| part == "testing");
        stem == "tests" || stem == "testing" || is_for_tests
    };
    let read = |file: &PathBuf| Source {
        path: below(file),
        code: code_of(&fs::read_to_string(file).unwrap()),
    };
    files.iter().filter(|file| !tests(file)).map(read).collect()
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn code_of(text: &str) -> String {
    let text = text.split("\nmod tests {").next().unwrap();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// The rooms that each room may use; none where it may use all.
fn allowed_rooms() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = fs::read_to_string(repository("src/lib.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | [`"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_end_matches(['|', ' ']).split('|').map(str::trim).collect();
        let room = cells[0].trim_end_matches("`]").trim_start_matches("mod@").to_owned();
        let may = match *cells.last().unwrap() {
            "all" => None,
            "nothing" => Some(BTreeSet::new()),
            names => Some(names.split(", ").map(str::to_owned).collect()),
        };
        (room, may)
    })
    .collect()
}

/// The rooms that a source uses, by `crate::` or by enough of `super::`.
fn used(source: &Source) -> BTreeSet<String> {
    let code = &source.code;
    let mut rooms = BTreeSet::new();
    for (place, _) in code.match_indices("crate::") {
        rooms.extend(names_at(&code[place + "crate::".len()..]));
    }
    let chain = "super::".repeat(source.depth());
    for (place, _) in code.match_indices(&chain) {
        rooms.extend(names_at(&code[place + chain.len()..]));
    }
    rooms
}

/// The name at the start of a path, or the names of a group in braces.
fn names_at(rest: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = rest.strip_prefix('{') else { return vec![word(rest)] };
    let mut depth = 0;
    let mut names = vec![word(group.trim_start())];
    for (place, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(word(group[place + 1..].trim_start())),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn every_room_uses_only_the_rooms_on_its_line() {
    let rule = allowed_rooms();
    assert!(rule.len() >= 9, "the table of src/lib.rs was not understood: {rule:?}");
    for source in sources() {
        let room = source.room();
        if room == "main" || room == "lib" {
            continue;
        }
        let may = rule.get(&room).unwrap_or_else(|| panic!("src/lib.rs has no line for {room}"));
        let Some(may) = may else { continue };
        for other in used(&source) {
            let allowed = other == room || may.contains(&other) || !rule.contains_key(&other);
            assert!(allowed, "src/{}: {room} may not use {other}", source.path.display());
        }
    }
}

#[test]
fn the_table_names_every_room() {
    let text = fs::read_to_string(repository("src/lib.rs")).unwrap();
    let room = |line: &str| {
        let (_, name) = line.split_once("mod ").or_else(|| line.split_once(" as "))?;
        Some(name.strip_suffix(';')?.to_owned())
    };
    let rooms: BTreeSet<String> =
        text.lines().filter(|line| line.starts_with("pub")).filter_map(room).collect();
    assert_eq!(rooms, allowed_rooms().into_keys().collect());
}

/// Reads that may block in the kernel run in threads or processes without the async runtime.
#[test]
fn only_the_interface_uses_tokio() {
    for source in sources() {
        let may = ["waiting", "ui", "cli"].contains(&source.room().as_str());
        let waits = source.code.contains("tokio::");
        assert!(may || !waits, "src/{}: waits with tokio", source.path.display());
    }
}

/// The files with system calls that no library wraps safely.
const UNSAFE: [&str; 4] = ["ffi.rs", "ffi/files.rs", "ffi/memory.rs", "ffi/process.rs"];

/// Whether the code has this word outside of texts and comments.
fn has_word(code: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    circles::without_texts(code)
        .lines()
        .map(|line| line.split("//").next().unwrap())
        .any(|line| line.split(|c| !is_part(c)).any(|part| part == word))
}

#[test]
fn unsafe_code_is_in_one_room_that_says_why() {
    let with = |word| {
        let files = sources().into_iter().filter(|source| has_word(&source.code, word));
        files.map(|source| source.path.to_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(with("unsafe"), UNSAFE.map(str::to_owned).into());
    // The modules below ffi.rs are under its attribute.
    assert_eq!(with("unsafe_code"), ["ffi.rs"].map(str::to_owned).into());
    for source in sources().iter().filter(|source| used(source).contains("ffi")) {
        let only_reads = !source.code.replace("crate::ffi::files::", "").contains("crate::ffi");
        let may = source.room() == "sys" || (source.room() == "root" && only_reads);
        assert!(may, "src/{}: only sys may use ffi, and root ffi::files", source.path.display());
    }
    let manifest = fs::read_to_string(repository("Cargo.toml")).unwrap();
    assert!(manifest.lines().any(|line| line == "unsafe_code = \"deny\""));
}

const TOPS: [&str; 7] = ["\"/proc", "\"/sys", "\"/etc", "\"/dev", "\"/run", "\"/usr", "\"/var"];
/// Functions and macros that open, list or examine their arguments.
const OPENERS: [&str; 20] = [
    ".read(",
    ".read_into(",
    ".read_head(",
    ".text(",
    ".line(",
    ".number(",
    ".switch(",
    ".names(",
    ".entries(",
    ".link(",
    ".facts(",
    ".exists(",
    ".usage(",
    ".can_open(",
    ".join(",
    "::open(",
    "Path::new(",
    "PathBuf::from(",
    "statfs(",
    "statvfs(",
];

/// Absolute paths appear only in texts for people: messages, help and sources of columns. No reading
/// function outside of `root` gets one; probes, whose only such texts are messages, contain none that could
/// be a path. Byte strings are compared with the kernel's output.
#[test]
fn only_root_resolves_paths() {
    for source in sources().iter().filter(|source| source.room() != "root") {
        for top in TOPS {
            for (place, _) in source.code.match_indices(top) {
                let mut before = source.code[..place].trim_end();
                while let Some(less) =
                    before.strip_suffix('&').or_else(|| before.strip_suffix("format!("))
                {
                    before = less.trim_end();
                }
                let literal = source.code[place + 1..].split('"').next().unwrap();
                let opened = OPENERS.iter().any(|opener| before.ends_with(opener));
                let bare = source.room() == "probes"
                    && literal.matches('/').count() > 1
                    && !literal.contains([' ', '{'])
                    && !before.ends_with('b');
                let path = source.path.display();
                assert!(!opened && !bare, "src/{path}: \"{literal}\" is an absolute path");
            }
        }
    }
}

/// Files that act when read, and files that are expensive to read.
const FORBIDDEN: [&str; 6] =
    ["hot_add", "hot_remove", "compact", "clear_refs", "reset", "stat_refresh"];

fn is_forbidden(path: &str) -> bool {
    FORBIDDEN.iter().any(|end| path == *end || path.ends_with(&format!("/{end}")))
}

#[test]
fn no_source_names_a_file_that_does_something_when_read() {
    // Code that cannot read files may name them: steps consist of such names, and `sys` writes them.
    let reads = |source: &&Source| !["cli", "actions"].contains(&source.room().as_str());
    for source in sources().iter().filter(reads) {
        let literals = source.code.split('"').skip(1).step_by(2);
        for literal in literals.filter(|literal| literal.contains('/')) {
            assert!(!is_forbidden(literal), "src/{}: \"{literal}\"", source.path.display());
        }
    }
    let patterns = PROBES.iter().flat_map(|probe| probe.files);
    for pattern in patterns {
        assert!(!is_forbidden(pattern), "{pattern}");
    }
}

#[test]
fn patterns_fit_as_they_are_explained() {
    let fits = |pattern: &str, path: &str| probes::matches_pattern(pattern, Path::new(path));
    assert!(fits("a/**/memory.*", "a/memory.stat") && fits("a/**/memory.*", "a/b/c/memory.max"));
    assert!(fits("a/*.swap.d/*.conf", "a/x.swap.d/y.conf") && !fits("a/*", "a/b/c"));
    assert!(!fits("a/**/memory.*", "a/b/cpu.stat"));
}

/// Everything that a complete sample reads of a machine, and the paths of its swap areas.
fn reads(machine: &Machine) -> (Vec<String>, Vec<PathBuf>) {
    let trace = Arc::new(Trace::default());
    let root = Root::at(machine.path()).unwrap().traced(Arc::clone(&trace));
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let snapshot = probes::sample(&root, &clock, Part::ALL.into_iter().collect());
    let areas = match &*snapshot.swaps.reading {
        Reading::Known(areas) => areas.iter().map(|area| area.path.as_path().to_owned()).collect(),
        Reading::Missing { .. } => Vec::new(),
    };
    let traced = trace.take().into_iter();
    let files = traced.filter(|(_, traced)| !matches!(traced, Traced::Folder));
    let names = files.map(|(path, _)| String::from_utf8_lossy(path.as_os_str().as_bytes()).into());
    (names.collect(), areas)
}

#[test]
fn every_file_read_is_declared_by_a_probe_and_harmless() {
    with_each_machine(|machine| {
        let (files, areas) = reads(machine);
        for file in files {
            assert!(!is_forbidden(&file), "{}: read {file}", machine.name);
            let declared = probes::is_declared(Path::new(&file));
            let area = areas.contains(&Path::new("/").join(&file));
            assert!(declared || area, "{}: no probe declares {file}", machine.name);
        }
    });
}
