//! The shell lines of a file change have the same effect as the step itself.

#![allow(clippy::disallowed_methods, reason = "the tests look at files by themselves")]
#![allow(clippy::unwrap_used, reason = "the helpers of a test stop it where something is wrong")]

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus};
use swapadm::actions::Step;
use swapadm::model::Name;
use swapadm::model::text::{bytes_to_text, text_to_bytes};

fn step(path: &Path, from: Option<&str>, to: Option<&str>) -> Step {
    Step::Save {
        path: Name::new(path.as_os_str().as_bytes()),
        from: from.map(str::to_owned),
        to: to.map(str::to_owned),
    }
}

/// Available shells with different rules for quotes, echo and printf.
fn shells() -> Vec<&'static str> {
    let is_here = |shell: &&str| run(shell, ":").is_ok_and(|status| status.success());
    ["/bin/sh", "dash", "bash", "busybox sh"].into_iter().filter(is_here).collect()
}

fn run(shell: &str, script: &str) -> std::io::Result<ExitStatus> {
    let (program, applet) = shell.split_once(' ').map_or((shell, None), |(a, b)| (a, Some(b)));
    let mut command = Command::new(program);
    command.args(applet).args(["-e", "-c", script]).env("LC_ALL", "C.UTF-8").status()
}

/// The file after a shell ran the lines of a step.
fn run_lines(shell: &str, from: Option<&str>, to: Option<&str>) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a file");
    if let Some(from) = from {
        fs::write(&path, text_to_bytes(from)).unwrap();
    }
    let script = step(&path, from, to).shell().join("\n");
    assert!(run(shell, &script).unwrap().success(), "{shell}: {script}");
    fs::read(&path).ok().map(|bytes| bytes_to_text(&bytes))
}

fn assert_same_result(shell: &str, texts: &[String]) {
    for from in texts {
        for to in texts.iter().map(String::as_str) {
            let made = run_lines(shell, Some(from), Some(to));
            assert_eq!(made.as_deref(), Some(to), "{shell}: {from:?} -> {to:?}");
        }
        assert_eq!(run_lines(shell, None, Some(from)).as_ref(), Some(from), "{shell}");
        assert_eq!(run_lines(shell, Some(from), None), None);
    }
}

#[test]
fn shell_lines_give_the_same_files() {
    let texts = [
        "one\n",
        "zero\none\nthree\n",
        "three\ntwo\none\n",
        "a\nb\none\nc\ntwo\nd\n",
        "  led by blanks\none\n\tand tabs \\040 'quoted' $HOME\ntwo\n",
        "UUID=x none swap sw,pri=5 0 0\n",
        "UUID=x none swap sw,pri=6,discard 0 0\n\n\n# end\n",
    ];
    for shell in shells() {
        assert_same_result(shell, &texts.map(str::to_owned));
    }
}

/// A pseudo-random choice that is the same in each run.
fn one_of<'t>(seed: &mut u64, all: &[&'t str]) -> &'t str {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let place = usize::try_from(*seed >> 33).unwrap() % all.len();
    all.get(place).unwrap()
}

/// A small file: lines from a small set, with LF or CR LF, and perhaps no end of the last line.
fn made_up(seed: &mut u64) -> String {
    let lines = [
        "",
        "one",
        "  two",
        "\tthree",
        "'4' \\040 $(x) `y` \"!\"",
        "\\",
        "%s -n",
        "-e /&\\&",
        "\u{e9}\u{1b}",
        "Latin-1: \u{10fefc}\u{10fedf} \\",
    ];
    let end = one_of(seed, &["\n", "\r\n"]);
    let count = one_of(seed, &["", ".", "..", "...", "....", "....."]).len();
    let mut text: String = (0..count).map(|_| one_of(seed, &lines).to_owned() + end).collect();
    if one_of(seed, &["whole", "cut"]) == "cut" {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

#[test]
fn shell_lines_give_the_same_small_files() {
    for shell in shells() {
        let mut seed = 7;
        for _ in 0..8 {
            let texts = [made_up(&mut seed), made_up(&mut seed), made_up(&mut seed)];
            assert_same_result(shell, &texts);
        }
    }
}
