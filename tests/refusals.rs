//! Refusals and their messages: invalid captured trees, invalid arguments, closed or full outputs.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "the helpers of a test stop it, and a skipped test says why"
)]

use crate::common;
mod lab;
mod output;
mod recovery;
mod trees;

use common::{Machine, answers, repository, swapadm};
use std::fs;
use std::process::Output;

fn fails(output: &Output, code: i32, word: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert!(errors.contains(word) && errors.ends_with('\n'), "{errors:?}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// A change that is impossible on this machine is refused: it is neither a mistake in the command nor a file that
/// cannot be read.
#[test]
fn a_change_that_this_machine_lacks_is_refused() {
    for (name, line) in [
        ("6.1-loaded", "set thp.shrink_underused=on"),
        ("6.1-loaded", "zram writeback zram0"),
        ("6.1-loaded", "zram recompress zram0"),
        ("6.12-mixed-loaded", "cgroup reclaim /hog 1M --source zswap"),
        ("host-cgroup-v1", "cgroup reclaim / 1M"),
    ] {
        let words: Vec<&str> = line.split(' ').chain(["--dry-run"]).collect();
        let output = Machine::shared(name).run(&words);
        assert_eq!(output.status.code(), Some(3), "{line}: {}", errors(&output));
    }
    let simulated = ["set", "swappiness=10", "--machine", "laptop", "--dry-run"];
    fails(&swapadm().args(simulated).output().unwrap(), 3, "not simulated");
    let machine = Machine::unpack("6.12-noswap");
    fs::remove_file(machine.path().join("proc/swaps")).unwrap();
    fails(&machine.run(&["rebalance", "--dry-run"]), 3, "/proc/swaps does not exist");
    fails(&machine.run(&["save"]), 6, "/proc/swaps does not exist");
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_masked_unit_is_named_as_such() {
    let machine = Machine::unpack("6.12-zram-writeback");
    machine.write("etc/fstab", "/dev/zram0 none swap pri=5,x-systemd.makefs 0 0\n");
    machine.write("etc/systemd/system/dev-zram0.swap", "");
    let output = machine.run(&["priority", "zram0=7", "--persist", "--dry-run"]);
    fails(&output, 3, "dev-zram0.swap is masked: run systemctl unmask dev-zram0.swap first");
}

/// The main thread of a process has ended: its files show no memory, and on version 1 the root cgroup.
#[test]
fn a_process_without_its_main_thread_returns_by_another_thread() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    for file in ["status", "cgroup"] {
        let bytes = machine.bytes(format!("proc/219/{file}")).unwrap();
        machine.write(format!("proc/219/task/220/{file}"), bytes);
    }
    machine.write("proc/219/cgroup", "4:memory:/\n");
    let ended = "Name:\tx\nState:\tZ (zombie)\nPPid:\t1\nUid:\t0\t0\t0\t0\nThreads:\t2\n";
    machine.write("proc/219/status", ended);
    let plan = || machine.run(&["process", "swapin", "219", "--dry-run"]);
    let refused = String::from_utf8(plan().stdout).unwrap();
    assert!(refused.contains("cgroup /hog, whose limit of 64M"), "{refused}");
    machine.write("sys/fs/cgroup/hog/memory.max", "max\n");
    let commands = String::from_utf8(plan().stdout).unwrap();
    let files = ["if=/proc/219/task/220/mem", "< /proc/219/task/220/maps"];
    assert!(files.iter().all(|file| commands.contains(file)), "{commands}");
}

#[test]
fn an_area_without_a_readable_header_is_found_by_its_link() {
    let machine = Machine::unpack("6.12-zram-writeback");
    let off = ["off", "UUID=1-2", "--dry-run"];
    fails(&machine.run(&off), 2, "a header could not be read: ");
    machine.write("dev/zram0", "");
    let links = machine.path().join("dev/disk/by-uuid");
    fs::create_dir_all(&links).unwrap();
    std::os::unix::fs::symlink("../../zram0", links.join("1-2")).unwrap();
    let output = machine.run(&off);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("Plan: disable /dev/zram0"),
        "{output:?}"
    );
}

/// Options without effect are rejected.
#[test]
fn unused_options_are_refused() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let refused = |args: &[&str], word: &str| fails(&machine.run(args), 2, word);
    refused(
        &["recover", "--persist"],
        "--persist: recover always restores the files that apply at boot too",
    );
    for command in [
        &["reset", "swappiness"][..],
        &["zram", "compact", "zram0"],
        &["zram", "idle", "zram0"],
        &["zram", "writeback", "zram0"],
        &["zram", "recompress", "zram0"],
    ] {
        let args = [command, &["--force", "memory"]].concat();
        refused(&args, "--force: this command has no risk to accept");
    }
    for command in [
        &["on", "/dev/zram0"][..],
        &["on", "--all"],
        &["set", "swappiness", "10"],
        &["reset", "swappiness"],
        &["format", "/dev/zram0"],
        &["file", "create", "/swapfile", "1G"],
        &["zram", "add"],
        &["zram", "swap"],
        &["zram", "limit", "zram0", "1G"],
        &["zram", "compact", "zram0"],
        &["zram", "idle", "zram0"],
        &["zram", "writeback", "zram0"],
        &["zram", "recompress", "zram0"],
    ] {
        refused(&[command, &["--pace", "5"]].concat(), "--pace: this command does not disable");
    }
    for option in ["--explain", "--timestamp", "--noheadings", "--count=2"] {
        refused(&["processes", "1", option], "cannot be used with");
    }
    refused(&["setup", "--persist", "--dry-run"], "--persist: setup has a choice for it");
    for option in [
        &["--persist"][..],
        &["--force", "memory"],
        &["--timeout", "1m"],
        &["--max-psi", "5"],
        &["--pace", "5"],
        &["--wait", "5"],
    ] {
        refused(&[&["rebalance", "--check"], option].concat(), "cannot be used with");
    }
}

/// A risk that no check of the command can report is rejected.
#[test]
fn only_applicable_risks_are_accepted() {
    let machine = Machine::shared("7.2-numa2-loaded");
    for (command, risk, has) in [
        (&["set", "swappiness", "10"][..], "contents", "cgroup, reserve, overcommit"),
        (&["zram", "limit", "zram0", "1G"], "image", "limit"),
        (&["on", "zram0"], "memory", "loop, network"),
        (&["off", "zram0"], "signature", "memory, cgroup, overcommit, reads"),
        (&["format", "/x"], "memory", "signature, image"),
        (&["file", "create", "/x", "1G"], "contents", "signature, image, space, folder"),
    ] {
        let has = format!("[possible values: {has}]");
        fails(&machine.run(&[command, &["--force", risk]].concat()), 2, &has);
    }
    for command in ["reset", "zram compact", "zram idle", "zram writeback"] {
        let page = format!("man/swapadm-{}.8", command.replace(' ', "-"));
        let help = swapadm().args(command.split(' ')).arg("--help").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let page = fs::read_to_string(repository(&page)).unwrap();
        assert!(help.contains("--dry-run") && !help.contains("--force"), "{help}");
        assert!(page.contains("dry\\-run") && !page.contains("\\-\\-force\\fR"), "{page}");
    }
}

/// The kernel would write nothing.
#[test]
fn writeback_beyond_a_used_up_limit_is_refused() {
    let machine = Machine::unpack("6.12-zram-writeback");
    machine.write("sys/block/zram0/writeback_limit", "0\n");
    let writeback = |more: &[&str]| {
        machine.run(&[&["zram", "writeback", "zram0", "idle", "--dry-run"], more].concat())
    };
    machine.write("sys/block/zram0/writeback_limit_enable", "0\n");
    answers(&writeback(&[]), "without a limit");
    machine.write("sys/block/zram0/writeback_limit_enable", "1\n");
    fails(&writeback(&[]), 3, "the writeback limit of zram0 is used up: allow more with --limit");
    answers(&writeback(&["--limit", "1M"]), "with another limit");
}

#[test]
fn a_device_without_swap_is_not_persisted() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let output = machine.run(&["zram", "add", "--size", "1G", "--persist", "--dry-run"]);
    fails(&output, 2, "zram-generator creates swap on each of its devices");
    let help = swapadm().args(["zram", "add", "--help"]).output().unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("--persist"));
}

/// Needs no lock, which a captured tree does not have.
#[test]
fn a_dry_run_of_recover_reads_a_captured_tree() {
    let machine = Machine::unpack("7.2-numa2-loaded");
    machine.write("proc/sys/kernel/random/boot_id", "0b7a1f9e-2c1d-4c55-8f40-0000000000b0\n");
    let shown = machine.run(&["recover", "--dry-run", "--json"]);
    answers(&shown, "recover --dry-run");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("\"steps\": []"), "{shown:?}");
    fails(
        &machine.run(&["recover"]),
        2,
        "a captured tree cannot be changed; to see the plan: --dry-run",
    );
}

/// Lists without rows say so, and leave standard output to scripts.
#[test]
fn an_empty_journal_is_said_to_be_empty() {
    let tree = tempfile::tempdir().unwrap();
    let journal = tree.path().join("journal");
    let output = swapadm().arg("journal").env("SWAPADM_JOURNAL", journal).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "no change was recorded yet\n");
}

/// Options that would always be refused are missing from help and completions.
#[test]
fn changing_commands_offer_no_recording() {
    let shell = fs::read_to_string(repository("completions/swapadm.fish")).unwrap();
    for command in [
        &["on", "/x"][..],
        &["rebalance", "--check"],
        &["zram", "compact", "zram0"],
        &["file", "remove", "/x"],
        &["journal"],
        &["persist", "check"],
        &["capture", "/x"],
        &["record", "/x"],
    ] {
        let help = swapadm().args([command, &["--help"]].concat()).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        // A captured tree does not change, so it cannot be recorded.
        let reads_trees = command[0] != "record";
        assert_eq!(help.contains("--sysroot"), reads_trees, "{help}");
        assert!(!help.contains("--recording <FILE>"), "{help}");
        for args in [
            &[&["--recording", "/x"], command].concat(),
            &[command, &["--recording", "/x"]].concat(),
        ] {
            let output = swapadm().args(args).output().unwrap();
            fails(&output, 2, "reads a machine, not a recording: leave --recording out");
        }
        let using = format!("using_subcommand {}", command[0]);
        let offers = |option: &str| {
            let lines = shell.lines().filter(|line| line.contains(&using));
            lines.clone().any(|line| line.contains(&format!(" -l {option} ")))
        };
        // Without one of its subcommands, zram is a table.
        assert_eq!(offers("sysroot"), reads_trees, "{command:?}");
        assert!(command[0] == "zram" || !offers("recording"), "{command:?}");
    }
}

#[test]
fn a_refusal_names_the_word_and_the_tree_that_it_is_about() {
    let machine = Machine::shared("6.12-mixed-loaded");
    let limit = machine.run(&["zram", "limit", "zram0", "0", "--dry-run"]);
    fails(&limit, 2, "to remove the limit: none");
    let file = machine.run(&["file", "create", "/nowhere/x/swap", "8M", "--dry-run"]);
    fails(&file, 2, "the captured tree has no /nowhere/x: make this plan on the machine itself");
}

#[test]
fn nonsense_arguments_are_refused_with_a_reason() {
    let machine = Machine::shared("7.2-mixed-loaded");
    for (args, word) in [
        (&["devices", "-o", "nosuch"][..], "nosuch"),
        (&["devices", "--filter", "nosuch>1"], "nosuch"),
        (&["devices", "--filter", "used>"], "missing at the end"),
        (&["devices", "--filter", "(used>1"], "filter"),
        (&["devices", "--sort", "nosuch"], "nosuch"),
        (&["devices", "--interval", "soon"], "soon"),
        (&["devices", "--interval", "0"], "interval"),
        (&["devices", "--interval", "1", "--count", "0"], "0"),
        (&["report", "nosuch"], "nosuch"),
        (&["nosuch"], "nosuch"),
        (&["status", "-o", "nosuch"], "nosuch"),
        (&["devices", "--count", "2"], "--interval"),
        (&["devices", "--filter", "name>5"], "text"),
        (&["report", "-o", "used"], "one table"),
        (&["record", "/nonexistent/x"], "does not change"),
    ] {
        fails(&machine.run(args), 2, word);
    }
}

/// A refusal names the problem, its place, and where to look next.
#[test]
fn a_refusal_names_what_is_wrong_and_the_next_step() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("dev/zram0", "");
    let cases: [(&[&str], i32, &str); 7] = [
        (&["on", "/dev/zram0", "-p", "7"], 2, "to change it: swapadm priority /dev/zram0=7"),
        (&["on", "/dev/zram0", "-p7", "--persist"], 2, "/dev/zram0=7 --persist"),
        (
            &["set", "memory.swap.max", "1G", "--cgroup", "/"],
            2,
            "name another one (to list them: swapadm",
        ),
        (
            &["priority", "/dev/zram0=40000"],
            2,
            "/dev/zram0: priority \"40000\" is not valid: use 0",
        ),
        (&["set", "swappiness", "300"], 2, "0 to 200; to see valid values: swapadm knobs"),
        (&["undo", "x"], 2, "'[PLAN]': use the number of a plan: swapadm journal lists them"),
        (&["on", "--all", "--persist", "--dry-run"], 2, "in fstab already"),
    ];
    for (arguments, code, words) in cases {
        fails(&machine.run(arguments), code, words);
    }
}

#[test]
fn missing_kernel_options_are_refused() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let _ = std::fs::remove_file(machine.path().join("sys/block/zram0/backing_dev"));
    machine.write("sys/class/zram-control/hot_add", "1\n");
    let output = machine.run(&["zram", "swap", "--backing", "/dev/vda", "--dry-run"]);
    fails(&output, 3, "a backing device for zram needs a kernel built with CONFIG_ZRAM");
}

/// The note on the next steps is left out if the plan is refused.
#[test]
fn a_refused_plan_does_not_say_what_is_left_to_do() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let checks = |size: &str| {
        let create = ["file", "create", "/swapfile", size, "--dry-run", "--json"];
        let output = machine.run(&create);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        document["checks"].as_array().unwrap().clone()
    };
    let checks = checks("900G");
    assert!(checks.iter().any(|check| check["verdict"] == "refuse"), "{checks:?}");
    assert!(!checks.iter().any(|check| check["id"] == "next"), "{checks:?}");
}
