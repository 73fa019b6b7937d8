//! Loads before they run: those that must fail are refused before anything is created, and a plan shows
//! unusual settings.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]
#![allow(dead_code, reason = "other tests use the rest of what is common")]

use crate::common;

use common::{Machine, swapadm};
use std::fs;
use std::path::Path;
use std::process::Output;

/// The plan of a load in a file, on this machine, which is not changed.
fn planned(load: &str, more: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("mine.toml"), load).unwrap();
    let arguments = [&["stress", "run", "./mine.toml", "--zram", "64M", "--dry-run"], more];
    swapadm().current_dir(dir.path()).args(arguments.concat()).output().unwrap()
}

/// The load is refused with these words, ignoring line breaks.
fn refused(output: &Output, words: &str) {
    let told = [&output.stdout[..], &output.stderr[..]].concat();
    let told = String::from_utf8_lossy(&told);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(matches!(output.status.code(), Some(2 | 3)), "{words}: {told}");
    assert!(told.contains(words), "{words}: {told}");
}

const SMALL: &str = "limit = \"16M\"\n\n[[work]]\nsize = \"20M\"\n";

#[test]
fn a_content_file_must_exist() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().join("empty");
    fs::write(&empty, "").unwrap();
    let fifo = dir.path().join("fifo");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRUSR).unwrap();
    let paths = [Path::new("/nonexistent"), dir.path(), &empty, &fifo];
    for path in paths {
        let contents = format!("file:{}", path.display());
        let load = format!("{SMALL}contents = \"{contents}\"\n");
        let words = format!("./mine.toml:5: contents: {contents}: ");
        let output = planned(&load, &[]);
        refused(&output, &words);
        refused(&output, "name a file that");
        // Options have no line.
        let typed = planned(SMALL, &["--with", &format!("contents={contents}")]);
        refused(&typed, &format!("on the command line: contents: {contents}: "));
    }
    let full = dir.path().join("full");
    fs::write(&full, "something").unwrap();
    let load = format!("{SMALL}contents = \"file:{}\"\n", full.display());
    let told = planned(&load, &[]);
    let told = String::from_utf8_lossy(&told.stdout);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("pages hold the contents of ") && !told.contains("name a file that"),
        "{told}"
    );
}

/// Its paths are those of another machine.
#[test]
fn a_captured_machine_opens_no_file_of_this_machine() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let with = ["stress", "run", "usemem", "--dry-run", "--with", "contents=file:/nonexistent"];
    let told = machine.run(&with);
    let told = String::from_utf8_lossy(&told.stdout);
    assert!(!told.contains("pages cannot be filled"), "{told}");
}

#[test]
fn guards_that_would_end_a_run_at_once_are_refused() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let run = |more: &[&str]| {
        let first = ["stress", "run", "usemem", "--dry-run"];
        machine.run(&[&first, more].concat())
    };
    refused(&run(&["--timeout", "0"]), "--timeout \"0\": a run needs a time above 0");
    let experiment = machine.run(&["experiment", "run", "A", "--dry-run", "--timeout", "0s"]);
    refused(&experiment, "--timeout \"0s\": a run needs a time above 0");
    refused(&run(&["--min-swap", "900G"]), "--min-swap 900G: ");
    refused(&run(&["--min-available", "900G"]), "--min-available 900G: ");
    let allowed = [
        ["--min-swap", "1M"],
        ["--min-swap", "0"],
        ["--min-swap", "0K"],
        ["--min-available", "0G"],
        ["--timeout", "1ms"],
        ["--max-psi", "0"],
    ];
    for allowed in allowed {
        let told = run(&allowed);
        let why = String::from_utf8_lossy(&told.stderr);
        assert!(!why.contains(allowed[0]), "{allowed:?}: {why}");
        let told = String::from_utf8_lossy(&told.stdout);
        assert!(!told.contains("at once"), "{allowed:?}: {told}");
    }
}

#[test]
fn swap_that_is_too_small_names_what_was_typed() {
    let machine = Machine::shared("7.2-numa2-loaded");
    for (option, typed) in [("--zram", "1K"), ("--file", "2x1K")] {
        let output = machine.run(&["stress", "run", "usemem", option, typed, "--dry-run"]);
        refused(&output, &format!("{option} \"{typed}\": "));
        refused(&output, "too small for swap: use at least 10 pages (40 KiB)");
    }
}

/// A header counts at most 16T in pages of 4K: the message has the requested size.
#[test]
fn a_size_beyond_the_header_limit_is_named_as_typed() {
    let machine = Machine::unpack("7.2-numa2-loaded");
    machine.write("sys/class/zram-control/hot_add", "");
    machine.write("var/tmp/x", "");
    for (option, lent) in [("--zram", " with 100T"), ("--file", " of 100T, label")] {
        let output = machine.run(&["stress", "run", "usemem", option, "100T", "--dry-run"]);
        refused(&output, lent);
    }
    let table = machine.run(&["stress", "run", "usemem", "--zram", "100T", "--dry-run"]);
    refused(&table, "the page table of a zram device of 100T takes at least 400G");
    let experiment = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
        devices = '100T'\n[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.toml");
    fs::write(&path, experiment).unwrap();
    let output = machine.run(&["experiment", "run", path.to_str().unwrap(), "--dry-run"]);
    refused(&output, "the page table of a zram device of 100T takes at least 400G");
}

#[test]
fn binding_to_a_missing_cpu_or_node_names_the_line() {
    let load = format!("{SMALL}cpus = \"8191\"\n");
    refused(&planned(&load, &[]), "./mine.toml:5: cpus: CPU 8191 does not exist: ");
    let load = format!("{SMALL}node = 1023\n");
    refused(&planned(&load, &[]), "./mine.toml:5: node: node 1023 does not exist: ");
}

/// A folio size that this kernel lacks names the available sizes.
#[test]
fn an_unknown_folio_size_lists_the_available_sizes() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let dir = tempfile::tempdir().unwrap();
    let told = |file: &str, text: &str, command: [&str; 3]| {
        fs::write(dir.path().join(file), text).unwrap();
        let mut command = machine.command(&command);
        let output = command.current_dir(dir.path()).arg("--dry-run").output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let says = "mthp: this kernel has no folios of 4G: use any of ";
    let load = format!("mthp = {{ 4G = \"always\" }}\n{SMALL}");
    let of_load = told("mine.toml", &load, ["stress", "run", "./mine.toml"]);
    assert!(of_load.contains(&format!("./mine.toml:1: {says}")), "{of_load}");
    assert!(of_load.contains("16K") && of_load.contains("64K"), "{of_load}");
    let experiment = |with: &str| {
        let head = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\n";
        let rest = "[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";
        let text = format!("{head}load = './mine.toml'\n{with}{rest}");
        told("own.toml", &text, ["experiment", "run", "./own.toml"])
    };
    let of_its_load = experiment("");
    assert!(of_its_load.contains(&format!("./mine.toml:1: {says}")), "{of_its_load}");
    assert_eq!(of_its_load.lines().count(), 1, "{of_its_load}");
    let of_own = experiment("with.mthp = '4G=never'\n");
    assert!(of_own.contains(&format!("./own.toml:6: with.{says}")), "{of_own}");
}

/// A limit that is too low is refused in the same way everywhere, before anything is shown.
#[test]
fn a_limit_below_the_minimum_is_refused_first() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let dir = tempfile::tempdir().unwrap();
    let told = |limits: [&str; 2], command: &[&str]| {
        let load = format!("limit = \"{}\"\n[[work]]\nprocesses = 4\nsize = \"20M\"\n", limits[0]);
        fs::write(dir.path().join("mine.toml"), load).unwrap();
        let experiment = format!(
            "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = './mine.toml'\n\
            {}[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n",
            limits[1]
        );
        fs::write(dir.path().join("own.toml"), experiment).unwrap();
        let output = machine.command(command).current_dir(dir.path()).arg("--dry-run").output();
        let output = output.unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let (run, own) = (["stress", "run", "./mine.toml"], ["experiment", "run", "./own.toml"]);
    let typed =
        |of: [&'static str; 3], limit: &'static str| [&of[..], &["--limit", limit]].concat();
    let few = "is too little for 4 processes, which need 10M for themselves: use 10M or more";
    let least = "\"4M\" is not valid: use a size of 8M or more";
    for (limits, command, place, why) in [
        (["4M", ""], run.to_vec(), "./mine.toml:1: limit: ", least),
        (["9M", ""], run.to_vec(), "./mine.toml:1: limit: 9M ", few),
        (["1G", ""], typed(run, "4M"), "--limit: 4M ", few),
        (["1G", ""], typed(run, "9M"), "--limit: 9M ", few),
        (["9M", ""], own.to_vec(), "./mine.toml:1: limit: 9M ", few),
        (["1G", "limit = '4M'\n"], own.to_vec(), "./own.toml:6: base.limit: ", least),
        (["1G", "limit = '9M'\n"], own.to_vec(), "./own.toml:6: limit: 9M ", few),
        (["1G", ""], typed(own, "9M"), "--limit: 9M ", few),
    ] {
        let told = told(limits, &command);
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.contains(&format!("{place}{why}")), "{place}{why}: {told}");
    }
}

/// Without commands that could be copied.
#[test]
fn without_root_only_useful_advice_is_given() {
    let machine = Machine::unpack("7.2-numa2-loaded");
    let status = machine.text("proc/self/status").unwrap();
    let of = |line: &str| match line.split_once(':') {
        Some(("Uid", _)) => "Uid:\t1000\t1000\t1000\t1000\n".to_owned(),
        Some(("CapEff", _)) => "CapEff:\t0000000000000000\n".to_owned(),
        _ => format!("{line}\n"),
    };
    machine.write("proc/self/status", status.lines().map(of).collect::<String>());
    let run = ["stress", "run", "usemem", "--set", "swappiness=10", "--dry-run"];
    let output = machine.run(&run);
    refused(&output, "changing swap needs root (CAP_SYS_ADMIN): run it with sudo");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(!told.contains("copy"), "{told}");
    refused(
        &machine.run(&["off", "--all", "--dry-run"]),
        "run it with sudo, or run the commands below as root",
    );
}

/// The printed plan on one line, on a captured machine.
fn shown(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let machine = Machine::shared("7.2-numa2-loaded");
    let mut command = machine.command(arguments);
    let output = command.current_dir(dir.path()).arg("--dry-run").output().unwrap();
    let told = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&told).split_whitespace().collect::<Vec<_>>().join(" ")
}

const UNUSUAL: &str = "prefault = false\nvary = \"5%\"\npace = \"2M\"\ncpus = \"0\"\nnode = 0\n";
const CLAUSES: [&str; 5] = [
    "memory is not prefaulted",
    "sizes vary randomly by up to 5%",
    "at most 2M per second and process",
    "bound to CPUs 0",
    "memory on node 0",
];

#[test]
fn a_plan_shows_unusual_process_settings() {
    let run = |load: &str| shown(&[("mine.toml", load)], &["stress", "run", "./mine.toml"]);
    let usual = run(SMALL);
    assert!(usual.contains("pages hold a different number in each word memory limit "), "{usual}");
    let told = run(&format!("together = \"free\"\n{SMALL}{UNUSUAL}"));
    for clause in CLAUSES {
        assert!(told.contains(clause) && !usual.contains(clause), "{clause}: {told}");
    }
    let emptied = run(&format!("after = \"swapoff\"\n{SMALL}"));
    assert!(
        emptied.contains("at end swapoff of its temporary areas while processes hold"),
        "{emptied}"
    );
    assert!(!usual.contains("swapoff of its"), "{usual}");
    assert!(
        told.contains("waits processes start without waiting for each other memory limit"),
        "{told}"
    );
}

#[test]
fn an_experiment_shows_process_settings_once_or_per_case() {
    let load = format!("{SMALL}{UNUSUAL}");
    let head = "about = \"x\"\nquestion = \"y?\"\ncolumns = [\"elapsed\"]\n";
    let base = "[base]\nload = \"./load.toml\"\n";
    let factor = "[[factor]]\nname = \"waiting\"\nkey = \"with.together\"\n\
                  values = [\"start,free\", \"none\"]\n";
    let files = [("load.toml", load.as_str()), ("mine.toml", &[head, base, factor].concat())];
    let told = shown(&files, &["experiment", "run", "./mine.toml"]);
    for clause in CLAUSES {
        assert_eq!(told.matches(clause).count(), 1, "{clause}: {told}");
    }
    assert!(told.contains("none: processes start and free their memory without waiting"), "{told}");
}

/// An experiment with invalid settings names their lines, each once.
#[test]
fn an_invalid_experiment_value_is_refused_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
        devices = '64M'\nset.swapines = 5\nwith.sze = '5%'\n[[factor]]\nname = 'f'\n\
        key = 'set.page-cluster'\nvalues = [0, 'x']\n";
    fs::write(dir.path().join("mine.toml"), text).unwrap();
    let run = ["experiment", "run", "./mine.toml", "--dry-run"];
    let output = swapadm().current_dir(dir.path()).args(run).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let says = [
        "./mine.toml:8: with.sze: unknown key",
        "./mine.toml:7: set.swapines: unknown setting \"swapines\" (did you mean swappiness?)",
        "./mine.toml:12: set.page-cluster: \"x\" is not valid on this kernel: use ",
    ];
    for says in says {
        assert_eq!(told.matches(says).count(), 1, "{says}: {told}");
    }
    assert_eq!((told.lines().count(), output.status.code()), (3, Some(2)), "{told}");
}

#[test]
fn a_negative_size_is_named_as_such() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let told = |what: &[&str], option: &str, typed: &str| {
        let output = machine.run(&[what, &[option, typed, "--dry-run"]].concat());
        refused(&output, &format!("\"{typed}\": a size cannot be negative"));
    };
    for typed in ["-5M", "-5", "-2x5M"] {
        for option in ["--limit", "-l", "--zram", "-z", "--file", "--min-available", "--min-swap"] {
            told(&["stress", "run", "usemem"], option, typed);
        }
        for option in ["--limit", "-l"] {
            told(&["experiment", "run", "A"], option, typed);
        }
    }
    told(&["stress", "run", "usemem"], "--zram", "2x-5M");
}
