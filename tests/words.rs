//! The language of the program: no text that people read holds a word of the list in `words/phrases.rs`,
//! and doc comments begin with the thing that they describe. CONTRIBUTING.md has the rules.

#![allow(clippy::disallowed_methods, reason = "this test reads the sources")]
#![allow(clippy::unwrap_used, reason = "a file that cannot be read should stop the test")]

mod documents;
mod find;
mod phrases;
mod scanner;
mod text;

use find::{Found, forbidden_in};
use phrases::{EXCEPTIONS, PHRASES, STARTS};
use std::fs;
use std::path::{Path, PathBuf};
use text::Text;

/// The documents, besides all that is below the folders of `FOLDERS`.
const DOCUMENTS: [&str; 7] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "tests/machines/README.md",
    "tests/kernels/README.md",
    "benches/size.md",
];
const FOLDERS: [&str; 12] = [
    "docs",
    "man",
    "completions",
    "fleet",
    "packaging",
    "schema",
    "benches",
    "src/lab/load/builtin",
    "src/lab/experiment/builtin",
    "src/learn/lessons",
    "src/sim/machines",
    "src/sim/published",
];
/// The endings of files in these folders that are no text, or that hold code.
const OTHERS: [&str; 3] = ["svg", "png", "rs"];

fn repository() -> &'static Path {
    Path::new(option_env!("CARGO_MANIFEST_DIR").unwrap_or("."))
}

/// All files below a folder, in the order of their names.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|it| ending == *it))
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(repository()).unwrap_or(path).display().to_string()
}

/// True for files that hold only tests.
fn is_test_file(path: &Path) -> bool {
    path.with_extension("").iter().any(|part| {
        let part = part.to_string_lossy();
        part == "tests" || part == "testing" || part.ends_with("_tests")
    })
}

/// The source files with their texts, without tests.
fn sources() -> Vec<(String, Vec<Text>)> {
    let root = repository().join("src");
    let files = files_below(&root).into_iter();
    let files = files.filter(|path| has_ending(path, &["rs"]));
    let files = files.filter(|path| !is_test_file(path.strip_prefix(&root).unwrap()));
    files.map(|path| (name_of(&path), scanner::texts(&fs::read_to_string(path).unwrap()))).collect()
}

/// The documents, manual pages and completions as texts.
fn documents() -> Vec<(String, Text)> {
    let mut files: Vec<PathBuf> = DOCUMENTS.iter().map(|name| repository().join(name)).collect();
    files.extend(FOLDERS.iter().flat_map(|folder| files_below(&repository().join(folder))));
    files.retain(|path| !has_ending(path, &OTHERS));
    let read = |path: PathBuf| {
        let content = fs::read_to_string(&path).unwrap();
        let is_manual = has_ending(&path, &["7", "8"]);
        let content = if is_manual { documents::without_roff(&content) } else { content };
        (name_of(&path), Text::plain(&content))
    };
    files.into_iter().map(read).collect()
}

/// All places at which a forbidden phrase stands, exceptions included.
fn all_found() -> Vec<(String, Found)> {
    let mut all = Vec::new();
    for (file, texts) in sources() {
        let literals = texts.iter().filter(|text| text.is_literal());
        let found = literals.flat_map(forbidden_in);
        all.extend(found.map(|found| (file.clone(), found)));
    }
    for (file, text) in documents() {
        all.extend(forbidden_in(&text).into_iter().map(|found| (file.clone(), found)));
    }
    all
}

#[test]
fn no_text_holds_a_forbidden_phrase() {
    let excepted = |file: &str, phrase: &str| {
        EXCEPTIONS.iter().any(|it| it.phrase == phrase && file.starts_with(it.file))
    };
    let lines: Vec<String> = all_found()
        .into_iter()
        .filter(|(file, found)| !excepted(file, found.phrase))
        .map(|(file, found)| {
            format!("{file}:{}: \"{}\"; instead: {}", found.line, found.phrase, found.instead)
        })
        .collect();
    assert!(lines.is_empty(), "{} forbidden phrases:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn every_exception_is_needed() {
    let all = all_found();
    for exception in EXCEPTIONS {
        let needed = all.iter().any(|(file, found)| {
            found.phrase == exception.phrase && file.starts_with(exception.file)
        });
        let (file, phrase) = (exception.file, exception.phrase);
        assert!(needed, "{file} does not hold \"{phrase}\": remove the exception");
        assert!(!exception.reason.is_empty(), "{file}: the exception gives no reason");
    }
}

#[test]
fn doc_comments_begin_with_the_thing() {
    let mut lines = Vec::new();
    for (file, texts) in sources() {
        for text in texts.iter().filter(|text| !text.is_literal()) {
            if let Some(start) = STARTS.iter().find(|start| text.begins_with(start)) {
                lines.push(format!("{file}:{}: begins with \"{start}\"", text.first_line()));
            }
        }
    }
    assert!(
        lines.is_empty(),
        "{} doc comments do not begin with the thing:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

/// A page that says which test holds what must name tests that there are.
#[test]
fn tests_named_on_the_page_of_threats_exist() {
    let page = fs::read_to_string(repository().join("docs/threats.md")).unwrap();
    let sources: Vec<String> = ["src", "tests"]
        .iter()
        .flat_map(|folder| files_below(&repository().join(folder)))
        .filter(|path| has_ending(path, &["rs"]))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let rows = page.lines().filter(|line| line.starts_with("| ")).skip(1);
    let mut count = 0;
    for row in rows {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        count += names.len();
        for name in names {
            let function = format!("fn {name}()");
            assert!(sources.iter().any(|source| source.contains(&function)), "no test {name}");
        }
    }
    println!("measured: {count} tests named, each exists");
}

/// The index of the house leads to files that exist.
#[test]
fn files_named_in_documents_exist() {
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/journeys.md", "docs/RELIABILITY.md"] {
        let text = fs::read_to_string(repository().join(page)).unwrap();
        let is_file = |word: &&str| {
            let folders = ["src/", "tests/", "docs/", "benches/"];
            folders.iter().any(|folder| word.starts_with(folder)) && !word.contains([' ', '*', '{'])
        };
        // A name in capitals stands for any.
        let is_any = |path: &str| path.contains("NAME") || path.contains("SUBJECT");
        let quoted = text.split('`').skip(1).step_by(2).filter(is_file);
        let paths: Vec<&str> = quoted.filter(|path| !is_any(path)).collect();
        assert!(paths.len() > 5, "{page} names {} files", paths.len());
        for path in paths {
            assert!(repository().join(path).exists(), "{page}: there is no {path}");
        }
    }
}

#[test]
fn everything_is_read() {
    let sources = sources();
    let count = |is_literal: bool| -> usize {
        let texts = sources.iter().flat_map(|(_, texts)| texts);
        texts.filter(|text| text.is_literal() == is_literal).count()
    };
    assert!(sources.len() > 300, "{} source files", sources.len());
    assert!(count(true) > 5000, "{} string literals", count(true));
    assert!(count(false) > 2000, "{} doc comments", count(false));
    let documents = documents();
    for folder in FOLDERS {
        let is_inside = |(name, _): &(String, Text)| Path::new(name).starts_with(folder);
        assert!(documents.iter().any(is_inside), "no document in {folder}");
    }
    assert!(documents.len() > 200, "{} documents", documents.len());
    assert!(PHRASES.iter().all(|group| !group.say.is_empty() && !group.phrases.is_empty()));
}
