//! `swapadm learn` and `swapadm demo` on the command line.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use swapadm::cli::generate;
use swapadm::learn::LESSONS;
use swapadm::learn::builtin_lessons;

/// Runs the program with this input, and its state in a directory.
fn run(state: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .env_remove("HOME")
        .env("XDG_STATE_HOME", state)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn lessons_are_played_in_lines_and_progress_is_private() {
    let state = tempfile::tempdir().unwrap();
    let played = text(&run(state.path(), &["learn", "priorities"], "b\n?\nz\nb\na\nb\n"));
    for words in [
        "Step 1 of 5",
        "Right: b) only zram0",
        "Hint: The kernel has no",
        "Type a, b or c; q stops.",
        "Step 5 of 5",
        "Done: 4 of 4 predictions",
        "swapadm groups",
    ] {
        assert!(played.contains(words), "{words}: {played}");
    }
    let file = state.path().join("swapadm/lessons");
    assert_eq!(fs::read_to_string(&file).unwrap(), "priorities 5 4\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let listed = text(&run(state.path(), &["learn"], ""));
    assert!(
        listed.split_whitespace().collect::<Vec<_>>().join(" ").contains("(5 of 5 steps done)"),
        "{listed}"
    );
    // The end of the input stops, and less progress than before is not kept.
    let stopped = run(state.path(), &["learn", "priorities", "--plain"], "a\n");
    assert!(String::from_utf8_lossy(&stopped.stderr).contains("stopped at step 2 of 5"));
    assert!(text(&stopped).contains("Not a. The answer is b)"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "priorities 5 4\n");
}

#[test]
fn a_machine_is_repaired_in_lines() {
    let state = tempfile::tempdir().unwrap();
    let input = "b\nmend it\noff zram0\nswapadm on nvme0n1p3\nundo\nrestart\n?\n?\nadvise\n\non nvme0n1p3\nrebalance\nswapadm set zswap.enabled=off\n";
    let played = text(&run(state.path(), &["learn", "repair"], input));
    let mut rest = played.as_str();
    for words in [
        "Right: b)",
        "advise finds 3 problems. Repair them:\n  swap is nearly full (swap-full)\n",
        "unrecognized subcommand 'mend'",
        "REFUSED: /dev/zram0: ",
        "3 problems are left:",
        "3 problems are left:",
        "advise finds 3 problems. Repair them:",
        "Hint: Nothing can be moved",
        "Hint: swapadm on nvme0n1p3",
        "WARNINGS",
        "certainty: certain; figures: status.use",
        "Repaired with 3 changes: enable /dev/nvme0n1p3; rebalance tiered: ",
        "Done: 1 of 1 predictions",
    ] {
        let after = rest.split_once(words);
        rest = after.unwrap_or_else(|| panic!("{words}: {rest}\n{played}")).1;
    }
    let kept = || fs::read_to_string(state.path().join("swapadm/lessons")).unwrap();
    assert_eq!(kept(), "repair 2 1\n");
    let given_up = text(&run(state.path(), &["learn", "repair"], "=\n=\n"));
    assert!(
        given_up.contains("The solution:\n  swapadm on nvme0n1p3 --priority 50\n"),
        "{given_up}"
    );
    let refused = text(&run(state.path(), &["learn", "repair"], "b\nswapadm devices\n=\n"));
    assert!(refused.contains("devices changes nothing: type a command"), "{refused}");
    let stopped = run(state.path(), &["learn", "repair"], "=\nq\n");
    assert!(String::from_utf8_lossy(&stopped.stderr).contains("stopped at step 2 of 2"));
}

/// The kernels of the last step of a lesson, one below the other.
#[test]
fn a_text_keeps_its_lines() {
    let state = tempfile::tempdir().unwrap();
    let played = text(&run(state.path(), &["learn", "defaults", "--present"], "=\n=\n=\n=\n"));
    let exported = text(&run(state.path(), &["learn", "export", "defaults"], ""));
    for kernel in ["4.13", "6.12", "7.2"] {
        assert!(played.contains(&format!("\n{kernel}: zram0 -")), "{played}");
        assert!(exported.contains(&format!("\n\n> {kernel}: zram0 -")), "{exported}");
    }
}

#[test]
fn a_presentation_keeps_no_progress() {
    let state = tempfile::tempdir().unwrap();
    text(&run(state.path(), &["learn", "nodes", "--present"], "=\n=\n=\n=\n"));
    assert!(!state.path().join("swapadm").exists());
}

#[test]
fn lessons_are_listed_shown_exported_and_checked() {
    let state = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run(state.path(), arguments, "");
    let listed: serde_json::Value =
        serde_json::from_str(&text(&run(&["learn", "--json"]))).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), LESSONS.len());
    let file = state.path().join("mine.toml");
    fs::write(&file, text(&run(&["learn", "show", "zswap"]))).unwrap();
    let file = file.to_str().unwrap();
    assert!(
        text(&run(&["learn", "check", file, "zswap"]))
            .contains("valid: 3 steps, played with 3 seeds")
    );
    let questions = text(&run(&["learn", "export", file, "--no-answers", "--seed", "9"]));
    assert!(questions.contains("- a) ") && !questions.contains("The answer is"));
    assert!(text(&run(&["learn", "keys"])).contains("model NAME"));
    fs::write(file, "title = 5\n").unwrap();
    let broken = run(&["learn", "check", file]);
    assert_eq!(broken.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&broken.stderr).into_owned();
    assert!(
        errors.contains("mine.toml:1: title: a value of type integer is not valid"),
        "{errors}"
    );
    let unknown = run(&["learn", "zswop"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("did you mean zswap?"));
}

/// Two lessons that were written by hand from swapadm-learn-keys(8) and swapadm-machine-keys(8) alone, with right
/// and wrong answers.
#[test]
fn lessons_written_from_the_manual_are_valid_and_can_be_played() {
    let state = tempfile::tempdir().unwrap();
    for (file, right, wrong) in [
        ("tests/learn/unequal.toml", ["b", "a", "b"].as_slice(), ["a", "b", "c"].as_slice()),
        ("tests/learn/window.toml", &["a", "b"], &["c", "a"]),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let path = path.to_str().unwrap();
        let steps = right.len();
        let checked = text(&run(state.path(), &["learn", "check", path], ""));
        let valid = format!("valid: {steps} steps, played with 3 seeds");
        assert!(checked.contains(&valid), "{checked}");
        let play = |answers: &[&str]| {
            let input = answers.join("\n") + "\n";
            text(&run(state.path(), &["learn", path, "--plain"], &input))
        };
        let (well, badly) = (play(right), play(wrong));
        assert!(well.contains(&format!("Done: {steps} of {steps} predictions")), "{well}");
        assert_eq!(badly.matches("The answer is ").count(), steps, "{badly}");
        assert!(badly.contains("Done: 0 of"), "{badly}");
    }
}

#[test]
fn demonstrations_need_a_terminal() {
    let state = tempfile::tempdir().unwrap();
    let refused = run(state.path(), &["demo", "waterfall"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("swapadm --machine laptop watch devices")
    );
    for lesson in builtin_lessons() {
        let refused = run(state.path(), &["demo", &lesson.name], "");
        let export = format!("swapadm learn export {}", lesson.name);
        assert!(String::from_utf8_lossy(&refused.stderr).contains(&export), "{}", lesson.name);
    }
    assert_eq!(run(state.path(), &["demo", "nothing"], "").status.code(), Some(2));
}

/// The command at the end of a lesson is one of this version.
#[test]
fn commands_at_the_end_of_lessons_exist() {
    for lesson in builtin_lessons() {
        let words = lesson.real.split_whitespace();
        let parsed = generate::command().try_get_matches_from(words);
        assert!(parsed.is_ok(), "{}: {}", lesson.name, lesson.real);
    }
}
