//! Loads and experiments of the user: files beside the settings, known by their names.

#![allow(clippy::disallowed_methods, reason = "tests build their own folders")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]
#![allow(dead_code, reason = "other tests use the rest of what is common")]

use crate::common;

use common::swapadm;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;

const LOAD: &str = "about = \"Mine.\"\nlimit = \"16M\"\n\n[[work]]\nsize = \"20M\"\n";
const BROKEN: &str = "limit = \"16M\"\n\n[[work]]\nsize = \"20\"\npattern = \"zigzag\"\n";
const EXPERIMENT: &str = "about = 'Few.'\nquestion = 'What?'\nrepetitions = 1\n\
    columns = ['system']\n[base]\nload = 'mine'\ndevices = '1x64M'\n\
    [[factor]]\nname = 'cluster'\nkey = 'set.page-cluster'\nvalues = [0, 3]\n";

/// A configuration folder with files in it.
struct ConfigHome(TempDir);

impl ConfigHome {
    fn with(files: &[(&str, &str)]) -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = home.file(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        home
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join("swapadm").join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = swapadm();
        command.env("XDG_CONFIG_HOME", self.0.path()).args(args).output().unwrap()
    }

    /// Both outputs of a command that must succeed.
    fn run_ok(&self, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        let [out, errors] = [output.stdout, output.stderr].map(|it| words(&it));
        assert!(output.status.success(), "{args:?}: {errors}");
        (out, errors)
    }

    fn listed(&self, what: &str) -> Vec<Value> {
        let output = self.run(&[what, "list", "--json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The error message of a command that must be refused.
    fn refusal_of(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        words(&output.stderr)
    }
}

/// Text without line breaks.
fn words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn named<'l>(list: &'l [Value], name: &str) -> &'l Value {
    list.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{name}: {list:?}"))
}

#[test]
fn loads_are_known_by_their_names() {
    let home = ConfigHome::with(&[("loads/mine.toml", LOAD), ("loads/.hidden.toml", LOAD)]);
    let file = home.file("loads/mine.toml");
    let list = home.listed("stress");
    assert_eq!(list.len(), 11);
    assert_eq!(named(&list, "usemem")["file"], Value::Null);
    let mine = named(&list, "mine");
    assert_eq!((&mine["about"], &mine["wrong"]), (&"Mine.".into(), &Value::Null));
    assert_eq!(mine["file"], file.to_str().unwrap());
    let (shown, _) = home.run_ok(&["stress", "list"]);
    assert!(shown.contains("mine Mine. From "), "{shown}");
    let printed = home.run(&["stress", "show", "mine"]).stdout;
    assert_eq!(String::from_utf8(printed).unwrap(), LOAD);
    let run = home.run(&["stress", "run", "mine", "--zram", "64M", "--dry-run"]);
    assert!(words(&run.stdout).starts_with("Workload: mine runs 1 process of 20M"));
    let mut elsewhere = swapadm();
    elsewhere.env("XDG_CONFIG_HOME", "").env("HOME", home.0.path());
    let output = elsewhere.args(["stress", "show", "mine"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let below = home.0.path().join(".config");
    fs::create_dir(&below).unwrap();
    fs::rename(home.file(""), below.join("swapadm")).unwrap();
    // A relative XDG_CONFIG_HOME is ignored, as the standard requires.
    let mut elsewhere = swapadm();
    elsewhere.env("XDG_CONFIG_HOME", "not/absolute").env("HOME", home.0.path());
    let output = elsewhere.args(["stress", "show", "mine"]).output().unwrap();
    assert!(output.status.success());
}

#[test]
fn experiments_are_known_by_name_and_refer_to_loads_by_name() {
    let files = [("loads/mine.toml", LOAD), ("experiments/few.toml", EXPERIMENT)];
    let home = ConfigHome::with(&files);
    let list = home.listed("experiment");
    let few = named(&list, "few");
    assert_eq!((&few["letter"], &few["cases"]), (&Value::Null, &2.into()));
    assert_eq!(few["file"], home.file("experiments/few.toml").to_str().unwrap());
    assert_eq!(named(&list, "balance")["file"], Value::Null);
    let printed = home.run(&["experiment", "show", "few"]).stdout;
    assert_eq!(String::from_utf8(printed).unwrap(), EXPERIMENT);
    let run = home.run(&["experiment", "run", "few", "--dry-run"]);
    let told = words(&run.stdout);
    assert!(told.starts_with("Experiment: few What? cases 0: mine, 20M with limit 16M"), "{told}");
}

/// A broken file does not affect others, and all its errors are shown when it is run.
#[test]
fn broken_files_are_listed_with_what_is_wrong() {
    let files = [
        ("loads/mine.toml", LOAD),
        ("loads/broken.toml", BROKEN),
        ("experiments/bad.toml", "about = 'x'\n"),
    ];
    let home = ConfigHome::with(&files);
    fs::create_dir(home.file("loads/folder.toml")).unwrap();
    nix::unistd::mkfifo(&home.file("loads/fifo.toml"), nix::sys::stat::Mode::S_IRUSR).unwrap();
    fs::write(home.file("loads/binary.toml"), b"\xff\xfe").unwrap();
    let list = home.listed("stress");
    let path = home.file("loads/broken.toml");
    let first = format!("{}:4: size: ", path.display());
    for (name, first) in [("broken", first.as_str()), ("binary", ":1: not UTF-8 text")] {
        let it = named(&list, name);
        assert_eq!(it["about"], Value::Null, "{name}");
        assert!(it["wrong"].as_str().unwrap().contains(first), "{it}");
    }
    for name in ["folder", "fifo"] {
        assert!(named(&list, name)["wrong"].is_string(), "{name}");
    }
    let (told, _) = home.run_ok(&["stress", "list"]);
    assert!(told.contains(&format!("broken cannot be run: {first}")), "{told}");
    assert!(!told.contains("zigzag"), "only the first: {told}");
    let why = home.refusal_of(&["stress", "run", "broken", "--dry-run"]);
    assert!(why.contains(":4: size: ") && why.contains(":5: pattern: "), "{why}");
    let bad = named(&home.listed("experiment"), "bad").clone();
    assert!(bad["wrong"].as_str().unwrap().contains("bad.toml: question: "), "{bad}");
    assert_eq!((&bad["about"], &bad["cases"]), (&Value::Null, &Value::Null));
    let why = home.refusal_of(&["experiment", "run", "bad", "--dry-run"]);
    assert!(why.contains("question: ") && why.contains("columns: "), "{why}");
}

#[test]
fn built_in_names_cannot_be_overridden() {
    let files = [
        ("loads/usemem.toml", BROKEN),
        ("experiments/balance.toml", "x"),
        ("experiments/a.toml", EXPERIMENT),
    ];
    let home = ConfigHome::with(&files);
    assert_eq!((home.listed("stress").len(), home.listed("experiment").len()), (10, 7));
    let (_, told) = home.run_ok(&["stress", "list"]);
    assert!(told.contains("usemem.toml has the name of the built-in usemem"), "{told}");
    let (_, told) = home.run_ok(&["experiment", "list"]);
    for name in ["balance", "a"] {
        assert!(told.contains(&format!("has the name of the built-in {name}")), "{told}");
    }
    let (shown, _) = home.run_ok(&["stress", "show", "usemem"]);
    assert!(!shown.contains("zigzag"), "{shown}");
    let (shown, _) = home.run_ok(&["experiment", "show", "a"]);
    assert!(shown.contains("four areas"), "{shown}");
    // A built-in name hides it everywhere.
    let why = home.refusal_of(&["stress", "run", "usemm", "--dry-run"]);
    assert!(!why.contains("your own are") && why.contains("; did you mean usemem?"), "{why}");
}

#[test]
fn a_mistyped_name_suggests_user_files() {
    let files = [("loads/my-load.toml", LOAD), ("experiments/few.toml", EXPERIMENT)];
    let home = ConfigHome::with(&files);
    let why = home.refusal_of(&["stress", "run", "my-laod", "--dry-run"]);
    assert!(
        why.contains("fork-cow; your own are my-load; for a file of your own give its path"),
        "{why}"
    );
    assert!(why.contains("; did you mean my-load?"), "{why}");
    let why = home.refusal_of(&["experiment", "show", "fiw"]);
    assert!(why.contains("your own are few") && why.contains("; did you mean few?"));
    let why = home.refusal_of(&["experiment", "run", "few", "--dry-run"]);
    assert!(why.contains("few.toml:6: load: unknown workload \"mine\""), "{why}");
}
