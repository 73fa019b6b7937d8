//! `swapadm save` and `swapadm apply` on captured machines: what was saved differs in nothing, and plans for
//! other setups.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]

mod common;

use common::{Machine, expect_file, repository, with_each_machine};
use std::fs;
use std::process::Output;

/// Runs `apply` with a file of this text.
fn apply(machine: &Machine, text: &str, options: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("swap.toml");
    fs::write(&file, text).unwrap();
    machine.run(&[&["apply", file.to_str().unwrap()], options].concat())
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn what_was_saved_changes_nothing() {
    with_each_machine(|machine| {
        let saved = machine.run(&["save"]);
        if !saved.status.success() {
            // A capture of a table alone has no areas.
            assert_eq!(saved.status.code(), Some(6), "{}: {}", machine.name, printed(&saved));
            return;
        }
        let text = String::from_utf8(saved.stdout).unwrap();
        let only = format!("only = true\n{text}");
        for option in ["--check", "--diff", "--dry-run"] {
            let output = apply(machine, &only, &[option]);
            let said = printed(&output);
            assert_eq!(output.status.code(), Some(0), "{} {option}: {said}\n{text}", machine.name);
            let nothing =
                if option == "--dry-run" { said.contains("othing to do") } else { said.is_empty() };
            assert!(nothing, "{} {option}: {said}", machine.name);
        }
    });
}

/// The text with all UUIDs replaced, because they are random.
fn masked(text: &str) -> String {
    let is_uuid =
        |word: &str| word.len() == 36 && word.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
    let mask = |word: &str| if is_uuid(word) { "UUID".to_owned() } else { word.to_owned() };
    let line = |line: &str| line.split(' ').map(mask).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn plans_on_captured_machines_are_as_expected() {
    let with_zram = Machine::unpack("7.2-noswap");
    with_zram.write("sys/class/zram-control/hot_add", "");
    let mixed = Machine::unpack("6.18-mixed-loaded");
    let zram = "[[zram]]\ndevice = \"zram0\"\nsize = \"512M\"\nalgorithm = \"lzo-rle\"\n";
    for (name, machine, text) in [
        ("new-zram", &with_zram, format!("{zram}\n[set]\nswappiness = 100\n")),
        ("zram-and-priorities", &mixed, format!("{zram}priority = 200\n[set]\npage-cluster = 0\n")),
        ("only", &mixed, "only = true\n[[zram]]\ndevice = \"zram0\"\nsize = \"256M\"\n".to_owned()),
        ("nothing", &mixed, String::new()),
    ] {
        let mut all = String::new();
        for option in ["--diff", "--check", "--dry-run"] {
            let output = apply(machine, &text, &[option]);
            let code = output.status.code().unwrap();
            all += &format!(
                "$ swapadm apply {option}\n{}exit status {code}\n\n",
                masked(&printed(&output))
            );
        }
        let path = repository(&format!("tests/apply/expected/{name}.txt"));
        expect_file(&path, &format!("{text}\n{all}"), "UPDATE_GOLDEN");
    }
}

#[test]
fn wrong_files_are_usage_errors_with_line_and_key() {
    let machine = Machine::shared("6.18-mixed-loaded");
    for (text, words) in [
        ("[[area]]\nname = \"/dev/none\"\n", "not in the captured tree"),
        ("[[area]]\nname = \"/dev/zram0\"\n", "[[zram]]"),
        ("[[zram]]\ndevice = \"zram7\"\nsize = \"1G\"\n", "cannot be created"),
        ("[set]\nswappiness = 999\n", "use 0 to 200"),
        ("[set]\ncolour = 1\n", "colour"),
        ("x = 1\n", "swap.toml:1: "),
    ] {
        let output = apply(&machine, text, &["--dry-run"]);
        let said = printed(&output);
        assert!([Some(2), Some(3)].contains(&output.status.code()), "{text}: {said}");
        assert!(said.contains(words), "{text}: {said}");
    }
}
