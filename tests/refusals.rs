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

use common::{Machine, answers, repository, swapadm};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::process::{Output, Stdio};

fn fails(output: &Output, code: i32, word: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert!(errors.contains(word), "{errors}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_folder_that_is_no_captured_tree_is_refused() {
    let missing = swapadm().args(["--sysroot", "/nonexistent", "status"]).output().unwrap();
    fails(&missing, 6, "/nonexistent: cannot be used as a captured tree");
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = swapadm().arg("--sysroot").arg(file.path()).arg("status").output().unwrap();
    fails(&output, 6, "use --recording for a recording");
    let recording = swapadm().arg("--recording").arg(file.path()).arg("status").output().unwrap();
    fails(&recording, 6, "not a recording");
    let machine = Machine::empty();
    fs::create_dir(machine.path().join("proc")).unwrap();
    fails(&machine.run(&["devices"]), 6, "/proc/swaps does not exist");
}

#[test]
fn a_masked_unit_is_named_as_such() {
    let machine = Machine::unpack("6.12-zram-writeback");
    machine.write("etc/fstab", "/dev/zram0 none swap pri=5 0 0\n");
    machine.write("etc/systemd/system/dev-zram0.swap", "");
    let output = machine.run(&["priority", "zram0=7", "--persist", "--dry-run"]);
    fails(&output, 3, "dev-zram0.swap is masked: run systemctl unmask dev-zram0.swap first");
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
        &["recover"][..],
        &["reset", "swappiness"],
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
        (&["on", "zram0"], "memory", "loop"),
        (&["off", "zram0"], "signature", "memory, cgroup, overcommit, reads"),
        (&["format", "/x"], "memory", "signature, image"),
        (&["file", "create", "/x", "1G"], "contents", "signature, image, space, folder"),
    ] {
        let has = format!("[possible values: {has}]");
        fails(&machine.run(&[command, &["--force", risk]].concat()), 2, &has);
    }
    for command in ["reset", "recover", "zram compact", "zram idle", "zram writeback"] {
        let page = format!("man/swapadm-{}.8", command.replace(' ', "-"));
        let help = swapadm().args(command.split(' ')).arg("--help").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let page = fs::read_to_string(repository(&page)).unwrap();
        assert!(help.contains("--dry-run") && !help.contains("--force"), "{help}");
        assert!(page.contains("dry\\-run") && !page.contains("\\-\\-force\\fR"), "{page}");
    }
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

/// A path that becomes too long below the directory stands for a full disk.
#[test]
fn a_capture_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut path = folder.path().to_owned();
    while path.as_os_str().len() < 3700 {
        path.push("x".repeat(200));
    }
    path.push("x".repeat(4070 - path.as_os_str().len()));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let machine = Machine::shared("6.12-mixed-loaded");
    let output = machine.command(&["capture"]).arg(&path).output().unwrap();
    assert_ne!(output.status.code(), Some(0));
    assert!(!path.exists(), "{output:?}");
}

/// Otherwise every figure would be missing, without a hint at the wrong folder.
#[test]
fn a_folder_without_a_machine_is_refused_and_the_right_one_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let make = |name: &str| fs::create_dir_all(folder.path().join(name)).unwrap();
    let refused = |what: &str| {
        for command in [&["status"][..], &["capture", "x"], &["watch", "--plain"], &[]] {
            let mut started = swapadm();
            let output = started.arg("--sysroot").arg(folder.path()).args(command).output();
            fails(&output.unwrap(), 6, &format!("{path}: has neither proc nor sys; {what}\n"));
        }
    };
    make("other/etc");
    refused("swapadm capture creates a directory that has both");
    make("one/proc");
    refused(&format!("did you mean {path}/one?"));
    make("two/sys");
    refused(&format!("did you mean {path}/one or {path}/two?"));
    make("x/proc");
    make("y/proc");
    let three = format!("{path}/one or {path}/two or {path}/x");
    refused(&format!("did you mean {three}, or another directory in it?"));
}

/// A captured tree comes from anywhere: its links must not show files of this machine.
#[test]
fn links_that_lead_out_of_the_tree_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let swaps = "Filename Type Size Used Priority\n/swap-of-this-machine file 8 4 -2\n";
    fs::write(outside.path().join("swaps"), swaps).unwrap();
    let absolute = outside.path().join("swaps");
    let up = format!("{}{}", "../".repeat(40), absolute.display());
    for target in [absolute.as_path(), Path::new(&up), Path::new("/dev/zero")] {
        let machine = Machine::empty();
        fs::create_dir(machine.path().join("proc")).unwrap();
        std::os::unix::fs::symlink(target, machine.path().join("proc/swaps")).unwrap();
        fails(&machine.run(&["devices"]), 6, "/proc/swaps: it leads out of the captured tree");
    }
}

#[test]
fn a_swap_area_that_is_a_link_to_a_device_is_not_read() {
    let machine = Machine::empty();
    machine.write("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 8 4 1\n");
    fs::create_dir(machine.path().join("dev")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", machine.path().join("dev/sda2")).unwrap();
    let report = machine.stdout(&["devices", "-o", "all", "--json"]);
    assert!(report.contains("/dev/sda2: it leads out of the captured tree"), "{report}");
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

#[test]
fn a_closed_pipe_is_no_failure() {
    let machine = Machine::shared("host-cgroup-v1");
    for args in [&["report", "--json", "--all"][..], &["report"], &["sources", "-o", "all"]] {
        let mut command = machine.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn an_output_that_is_full_is_a_failure() {
    let machine = Machine::shared("7.2-mixed-loaded");
    for args in [&["report", "--json"][..], &["status"], &["devices", "--csv"], &["--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = machine.command(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{args:?}: {errors}");
        assert!(errors.contains("space"), "{args:?}: {errors}");
    }
}

#[test]
fn a_recording_on_a_full_disk_is_a_failure_and_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let Some(_mounted) = Tmpfs::mount(dir.path()) else {
        println!("skipped: mounting a small tmpfs takes root");
        return;
    };
    let file = dir.path().join("swap.rec");
    let output = swapadm()
        .args(["record", "--interval", "0.01", "--count", "2000"])
        .arg(&file)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{errors}");
    assert!(errors.contains("space"), "{errors}");
    let read =
        swapadm().arg("--recording").arg(&file).args(["--at", "first", "status"]).output().unwrap();
    answers(&read, "what was recorded before the disk was full");
}

/// A file system of 64 KiB, unmounted when dropped.
struct Tmpfs(PathBuf);

impl Tmpfs {
    fn mount(at: &Path) -> Option<Self> {
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "swapadm-test"]).arg(at);
        let mounted = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        mounted.then(|| Self(at.to_owned()))
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

/// Scripts that read JSON get failures in JSON too, in one document.
#[test]
fn json_output_contains_the_refusal() {
    let machine = Machine::shared("6.12-mixed-loaded");
    let cases: [&[&str]; 7] = [
        &["off", "/dev/nosuch"],
        &["priority", "/dev/zram0=40000"],
        &["on", "/no/such"],
        &["set", "nosuch", "1"],
        &["reset", "min_free_kbytes"],
        &["file", "resize", "/nosuch", "1G"],
        &["zram", "remove", "zram99"],
    ];
    for arguments in cases {
        let output = machine.run(&[arguments, &["--json", "--dry-run"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code > 1), "{arguments:?}: {errors}");
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let error = told["error"].as_str().unwrap();
        assert!(errors.contains(error), "{arguments:?}: {error:?} is not in {errors:?}");
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

/// A load that cannot run as requested is refused before anything is created.
#[test]
fn a_load_binding_must_exist() {
    let machine = Machine::shared("7.2-numa2-loaded");
    for (with, words) in [
        (
            "cpus=999",
            "on the command line: cpus: CPU 999 does not exist: this machine has CPUs 0,1",
        ),
        ("node=5", "on the command line: node: node 5 does not exist: this machine has nodes 0, 1"),
    ] {
        let arguments = ["stress", "run", "usemem", "--dry-run", "--with", with];
        let output = machine.run(&arguments);
        let told = String::from_utf8_lossy(&output.stdout);
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(3) && told.contains(words), "{told}");
    }
}

#[test]
fn invalid_loads_and_experiments_are_refused_as_typed() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let knob = "unknown setting \"swapiness\" (did you mean swappiness?)";
    let cases = [
        (&["stress", "run", "usemen"][..], "; did you mean usemem?"),
        (&["stress", "run", "usemem", "--zram", "4x1"], "--zram \"4x1\" is not valid: use a size"),
        (&["stress", "run", "usemem", "--set", "swapiness=10"], knob),
        (&["experiment", "run", "A", "--kind", "zram,file"], "2 kinds for 4 areas: use one"),
        (
            &["experiment", "run", "A", "--file-in", "/tmp"],
            "--file-in: the experiment has no swap file",
        ),
        (&["experiment", "run", "A", "--only", "x=y"], "has no factor x: it has priorities="),
    ];
    for (arguments, words) in cases {
        fails(&machine.run(&[arguments, &["--dry-run"]].concat()), 2, words);
    }
}

/// A number below 0 is not taken for an option.
#[test]
fn a_number_below_the_minimum_names_the_minimum() {
    let load = |option: &'static str| ["stress", "run", "usemem", option, "-1"];
    let cases = [
        (load("--repeat"), "--repeat <N>': use a whole number from 1 to 1000"),
        (load("--seed"), "--seed <N>': use a whole number from 0 to"),
        (load("--limit"), "--limit \"-1\": a size cannot be negative"),
        (load("--zram"), "--zram \"-1\": a size cannot be negative"),
        (load("--file"), "--file \"-1\": a size cannot be negative"),
        (load("--min-swap"), "--min-swap \"-1\": a size cannot be negative"),
        (
            ["experiment", "run", "A", "--repeat", "-1"],
            "--repeat <N>': use a whole number from 1 to 1000",
        ),
        (["experiment", "run", "A", "--seed", "-1"], "--seed <N>': use a whole number"),
        (["experiment", "run", "A", "--limit", "-1"], "--limit \"-1\": a size cannot be negative"),
        (["experiment", "run", "A", "--scale", "-1"], "--scale -1: use a number from 0.001"),
    ];
    let machine = Machine::shared("7.2-numa2-loaded");
    for (arguments, words) in cases {
        fails(&machine.run(&arguments), 2, words);
    }
}

/// The plan of an experiment in a file, on a machine with swap.
fn experiment(text: &str, arguments: &[&str]) -> Output {
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    let head = "about = 'a'\nquestion = 'q'\ncolumns = ['system']\n[base]\nload = 'usemem'\n";
    fs::write(file.path(), format!("{head}{text}")).unwrap();
    let arguments = [&["experiment", "run", file.path().to_str().unwrap()][..], arguments];
    Machine::shared("6.12-mixed-loaded").run(&[&arguments.concat()[..], &["--dry-run"]].concat())
}

const FACTOR: &str = "[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60, 100]\n";

#[test]
fn an_algorithm_is_for_areas_on_zram() {
    let text = format!("devices = '2x100%'\nalgorithm = 'lz4'\n{FACTOR}");
    let words = "--kind: algorithm of case 1: only zram compresses";
    fails(&experiment(&text, &["--kind", "file"]), 2, words);
    fails(
        &experiment(&format!("kind = 'file'\n{text}"), &[]),
        2,
        ":8: algorithm: case 1: only zram",
    );
}

#[test]
fn run_limits_are_shown_once_or_per_case() {
    let told = |text: &str| {
        let told = experiment(text, &[]).stdout;
        String::from_utf8_lossy(&told).into_owned()
    };
    let other = told(&format!(
        "[[factor]]\nname = 't'\nkey = 'with.at_most'\nvalues = ['1m', '3m']\n{FACTOR}"
    ));
    let alike = told(&format!("with.at_most = '1m'\n{FACTOR}"));
    assert!(alike.contains("\n          run time above 60s\n"), "{alike}");
    let named =
        ["1m 1, 1m 60, 1m 100: run time above 60s", "3m 1, 3m 60, 3m 100: run time above 3m"];
    for named in named {
        assert!(other.contains(&format!("\n          {named}")), "{other}");
    }
    assert_eq!(other.matches("available memory below").count(), 1, "{other}");
}

/// Reported before anything runs.
#[test]
fn absent_published_figures_are_not_announced() {
    let output = experiment(FACTOR, &["--published"]);
    fails(&output, 2, " has no published figures: add a table [published]");
}

/// The limits of a run do not limit the experiment.
#[test]
fn an_experiment_says_how_long_all_its_runs_may_take() {
    let output = experiment(FACTOR, &["--repeat", "2", "--timeout", "5m"]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("\n  guard (stops a run)\n") && told.contains("run time above 5m00s"));
    assert!(told.contains("\n  at most 30m00s for all runs"), "{told}");
}

#[test]
fn a_file_size_limit_is_an_error_and_not_a_crash() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let file = machine.path().join("report");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 0; exec \"$0\" --sysroot \"$1\" devices > \"$2\""]);
    command.arg(env!("CARGO_BIN_EXE_swapadm")).args([machine.path(), &file]);
    fails(&command.output().unwrap(), 6, "cannot write the output: File too large");
}

#[test]
fn missing_kernel_options_are_refused() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let _ = std::fs::remove_file(machine.path().join("sys/block/zram0/backing_dev"));
    machine.write("sys/class/zram-control/hot_add", "1\n");
    let output = machine.run(&["zram", "swap", "--backing", "/dev/vda", "--dry-run"]);
    fails(&output, 3, "a backing device for zram needs a kernel built with CONFIG_ZRAM");
}

/// Files that a capture does not contain are not looked for on this machine, nor said to be missing.
#[test]
fn a_captured_tree_is_not_mixed_with_this_machine() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let said = |args: &[&str]| {
        let args: Vec<&str> = args.iter().chain(&["--dry-run"]).copied().collect();
        let output = machine.run(&args);
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for args in [&["priority", "ram0=5"][..], &["rebalance"]] {
        let text = said(args);
        assert!(text.contains("/dev/ram0: the capture has no such device node or file"), "{text}");
        assert!(!text.contains("does not exist") && !text.contains("REFUSED"), "{text}");
    }
    let text = said(&["zram", "swap", "--size", "64M"]);
    assert!(text.contains("zram2") && !text.contains("missing"), "{text}");
    let text = said(&["on", "ram9"]);
    assert!(text.contains("/ram9 is not in the captured tree"), "{text}");
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
