//! The pictures of the documents show what the program shows: they are made of its expected output.
//!
//! `docs/overview.svg` is drawn from a screen of `tests/screens`. A block below a remark such as
//! `<!-- from tests/screens/overview.txt -->` holds the first page of that file. `UPDATE_GOLDEN=1` writes
//! both again.

#![allow(clippy::disallowed_methods, reason = "this test reads and writes documents")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a file that cannot be read stops the test")]

#[path = "showcase/picture.rs"]
mod picture;

use std::fs;
use std::path::{Path, PathBuf};

const SCREEN: &str = "tests/screens/overview.txt";
const PICTURE: &str = "docs/overview.svg";
const DOCUMENTS: [&str; 3] = ["README.md", "docs/tour.md", "docs/interface.md"];
/// The remark above a block, around the name of the file.
const REMARK: (&str, &str) = ("<!-- from ", " -->");

fn repository(path: &str) -> PathBuf {
    Path::new(option_env!("CARGO_MANIFEST_DIR").unwrap_or(".")).join(path)
}

fn read(path: &str) -> String {
    let text = fs::read_to_string(repository(path));
    text.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares a file with what it should hold, or writes it.
fn expect(path: &str, expected: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(repository(path), expected).unwrap();
    }
    let is_current = fs::read_to_string(repository(path)).is_ok_and(|text| text == expected);
    assert!(is_current, "{path} is not what the program shows: run with UPDATE_GOLDEN=1");
}

/// The lines of the first page of a file of expected output: up to the styles or the exit status.
fn first_page(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| line.starts_with("== "));
    let is_page = |line: &&str| !line.starts_with("-- ") && !line.starts_with("--- ");
    let mut page: Vec<&str> = lines.take_while(is_page).collect();
    while page.pop_if(|line| line.is_empty()).is_some() {}
    page
}

/// A document with its blocks filled from the files that their remarks name.
fn filled(document: &str) -> String {
    let mut lines = Vec::new();
    let mut rest = document.lines();
    while let Some(line) = rest.next() {
        lines.push(line.to_owned());
        let name = line.strip_prefix(REMARK.0).and_then(|it| it.strip_suffix(REMARK.1));
        let Some(name) = name else { continue };
        lines.extend(rest.by_ref().take(1).map(str::to_owned));
        lines.extend(first_page(&read(name)).into_iter().map(str::to_owned));
        lines.push("```".to_owned());
        rest.by_ref().find(|line| *line == "```");
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_picture_shows_a_screen_of_the_program() {
    expect(PICTURE, &picture::svg(&read(SCREEN)));
}

#[test]
fn blocks_show_the_output_of_the_program() {
    for path in DOCUMENTS {
        expect(path, &filled(&read(path)));
    }
    assert!(DOCUMENTS.iter().any(|path| read(path).contains(REMARK.0)), "no document has a block");
}

#[test]
fn pages_end_before_styles_and_status() {
    assert_eq!(first_page("== a 80x24\none\n\n two\n\n-- styles\naa\n"), ["one", "", " two"]);
    assert_eq!(first_page("one\n--- exit 0\n"), ["one"]);
}
