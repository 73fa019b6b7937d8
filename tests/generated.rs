//! Generated documents in the repository match the program's output.
//!
//! `UPDATE_GENERATED=1 cargo test --test suite generated::` rewrites them.
#![allow(clippy::disallowed_methods, reason = "this test compares files of the repository")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use swapadm::cli::args::groups::GROUPS;

fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn generate(what: &str, into: &Path) {
    let run = Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .args(["generate", what, "--out"])
        .arg(into)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

fn compare(what: &str) {
    let kept = repository(what);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        generate(what, &kept);
    }
    let made = tempfile::tempdir().unwrap();
    generate(what, made.path());
    assert_eq!(names(made.path()), names(&kept), "other files in {what}/ than are generated");
    for name in names(made.path()) {
        let same =
            fs::read(made.path().join(&name)).unwrap() == fs::read(kept.join(&name)).unwrap();
        assert!(
            same,
            "{what}/{name} is not current: UPDATE_GENERATED=1 cargo test --test suite generated::"
        );
    }
}

#[test]
fn the_manual_is_current() {
    compare("man");
}

#[test]
fn the_completions_are_current() {
    compare("completions");
}

#[test]
fn the_schema_is_current() {
    compare("schema");
}

#[test]
fn the_page_on_fidelity_is_current() {
    let made = tempfile::tempdir().unwrap();
    generate("fidelity", made.path());
    let (name, kept) = ("FIDELITY.md", repository("docs"));
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::copy(made.path().join(name), kept.join(name)).unwrap();
    }
    let texts = [made.path().join(name), kept.join(name)].map(|it| fs::read_to_string(it).unwrap());
    assert!(
        texts[0] == texts[1],
        "docs/{name} is not current: UPDATE_GENERATED=1 cargo test --test suite generated::"
    );
    let of_pages: Vec<&str> =
        texts[0].lines().filter(|line| line.contains("single pages without slot")).collect();
    let wrong: Vec<&&str> =
        of_pages.iter().filter(|line| !line.ends_with("| 0 | holds |")).collect();
    assert!(
        of_pages.len() == 8 && wrong.is_empty(),
        "single pages always get a slot: {of_pages:#?}"
    );
}

#[test]
fn every_command_has_a_page_with_examples() {
    let help = Command::new(env!("CARGO_BIN_EXE_swapadm")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands: Vec<&str> = GROUPS.iter().flat_map(|group| group.commands).copied().collect();
    for command in &commands {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not in {help}");
    }
    for command in commands {
        let page = fs::read_to_string(repository("man").join(format!("swapadm-{command}.8")));
        assert!(page.unwrap().contains(".SH EXAMPLES"), "{command} has no examples");
    }
}

/// A manual page without roff markup.
fn plain(name: &str) -> String {
    fs::read_to_string(repository("man").join(name)).unwrap().replace('\\', "")
}

#[test]
fn pages_name_only_pages_that_are_there() {
    let pages = names(&repository("man"));
    let named = |page: &String| -> Vec<String> {
        let text = plain(page);
        let words = text.split(|letter: char| !letter.is_alphanumeric() && !"-()".contains(letter));
        let named = words.filter_map(|word| {
            let word = word.trim_start_matches('(');
            ["8", "7"].into_iter().find_map(|section| {
                let (name, _) = word.split_once(&format!("({section})"))?;
                Some(format!("{name}.{section}"))
            })
        });
        named.filter(|name| name.starts_with("swapadm")).collect()
    };
    let all: Vec<String> = pages.iter().flat_map(named).collect();
    assert!(all.len() > pages.len(), "{all:?}");
    let is_there = |name: &String| pages.contains(name);
    let dangling: BTreeSet<&String> = all.iter().filter(|name| !is_there(name)).collect();
    assert!(dangling.is_empty(), "{dangling:?}");
}

#[test]
fn every_changing_command_documents_its_exit_status() {
    let changing: Vec<String> = names(&repository("man"))
        .into_iter()
        .filter(|page| plain(page).contains("--dry-runfR"))
        .collect();
    assert!(changing.len() >= 20, "{changing:?}");
    for page in changing {
        for title in [".SH JSON", ".SH \"EXIT STATUS\"", ".SH EXAMPLES"] {
            assert!(plain(&page).contains(title), "{page} lacks {title}");
        }
    }
}
