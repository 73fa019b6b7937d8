//! Loads without root: they run where a cgroup was delegated to the user, and are refused elsewhere with
//! the reason and a remedy.

#![allow(clippy::unwrap_used, reason = "a document that is not as it should be fails the test")]

use crate::areas::{self, Area, Title};
use crate::in_lab;
use crate::lab::Lab;
use crate::loads::leftovers;
use crate::memory_limit::{self, MemoryLimit};
use crate::program::{NOBODY, command, describe_failure};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

const MIB: u64 = 1 << 20;
/// The file of version 2 that enables controllers for children.
const SWITCH: &str = "cgroup.subtree_control";
const LIMIT: u64 = 48 * MIB;
/// A load of twice its limit, without temporary swap.
const LOAD: [&str; 9] =
    ["stress", "run", "usemem", "--with", "size=24M", "--limit", "48M", "--yes", "--json"];

#[test]
fn without_root_a_load_runs_where_a_cgroup_is_delegated() {
    in_lab("without_root_a_load_runs_where_a_cgroup_is_delegated", |lab| {
        let user = User::new(lab)?;
        let tree = Tree::delegated(lab)?;
        user.runs_in(&tree);
        user.gets_no_temporary_swap(&tree);
        Ok(())
    });
}

#[test]
fn without_root_and_without_a_cgroup_a_load_is_refused() {
    in_lab("without_root_and_without_a_cgroup_a_load_is_refused", |lab| {
        User::new(lab)?.is_refused();
        Ok(())
    });
}

/// A cgroup as delegated by systemd: its owner runs in a child, and makes others beside it. Version 1 has
/// none of its files, and is delegated by changing the owner.
struct Tree {
    session: PathBuf,
    cage: MemoryLimit,
}

impl Tree {
    fn delegated(lab: &Lab) -> Result<Self, String> {
        let cage = MemoryLimit::new(lab, 256 * MIB)?;
        let switch = cage.folder.join(SWITCH);
        if switch.exists() {
            let why = |error| format!("{} takes no memory controller: {error}", switch.display());
            fs::write(&switch, "+memory").map_err(why)?;
        }
        let session = cage.folder.join("swapadm-live-session");
        lab.note("cgroup", &session);
        fs::create_dir(&session).map_err(|error| format!("{}: {error}", session.display()))?;
        let tree = Self { session, cage };
        for folder in [&tree.cage.folder, &tree.session] {
            let files =
                ["", "cgroup.procs", "cgroup.threads", SWITCH].map(|file| folder.join(file));
            files.iter().filter(|file| file.exists()).for_each(|file| give(file));
        }
        Ok(tree)
    }

    /// The load cgroups in it.
    fn load_cgroups(&self) -> Vec<PathBuf> {
        let entries =
            [&self.cage.folder, &self.session].map(|folder| fs::read_dir(folder).unwrap());
        let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        paths.filter(|path| name(path).starts_with("swapadm-lab")).collect()
    }

    /// Whether a load cgroup has processes and the requested limit.
    fn holds_a_load(&self) -> bool {
        self.load_cgroups().iter().any(|cage| {
            let says = |file: &str| fs::read_to_string(cage.join(file)).unwrap_or_default();
            let limits = ["memory.max", "memory.limit_in_bytes"].map(says);
            let limited = limits.iter().any(|limit| limit.trim() == LIMIT.to_string());
            limited && !says("cgroup.procs").is_empty()
        })
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        for folder in self.load_cgroups().iter().chain([&self.session]) {
            memory_limit::take_down(folder);
        }
    }
}

fn give(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).expect("root gives it away");
}

/// A user without rights, on a machine with swap.
struct User<'l> {
    lab: &'l Lab,
    state: PathBuf,
    _area: Area,
}

impl<'l> User<'l> {
    fn new(lab: &'l Lab) -> Result<Self, String> {
        let title = Title { label: "swapadm-live", uuid: "6d1c1c3e-51a5-4f2e-9d0c-3f5a7c3b9e10" };
        let area = areas::zram(lab, 256 * MIB, &title, 32_000)?;
        let state = lab.scratch.file("state");
        fs::create_dir(&state).map_err(|error| error.to_string())?;
        give(&state);
        Ok(Self { lab, state, _area: area })
    }

    /// The program as this user, which starts when it gets a line.
    fn waits(&self, more: &[&str]) -> Child {
        let mut command = command(Path::new("/bin/sh"), &["-c", "read line; exec \"$@\"", "sh"]);
        command.arg(self.lab.scratch.program()).args(LOAD).args(more);
        command.uid(NOBODY).gid(NOBODY).current_dir("/");
        command.env("XDG_STATE_HOME", &self.state).env("HOME", &self.state);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Starts a load in the session of a tree.
    fn begins(&self, tree: &Tree, more: &[&str]) -> Child {
        let mut child = self.waits(more);
        fs::write(tree.session.join("cgroup.procs"), child.id().to_string()).expect("root moves");
        child.stdin.take().expect("its input").write_all(b"go\n").expect("it listens");
        child
    }

    fn runs_in(&self, tree: &Tree) {
        let before = leftovers();
        let child = self.begins(tree, &[]);
        let running = std::thread::spawn(|| child.wait_with_output());
        let mut caged = false;
        while !running.is_finished() {
            caged |= tree.holds_a_load();
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = running.join().expect("it is a zombie").expect("our child process");
        let document = json_of_output(&output, 0);
        assert!(caged, "no load cgroup with processes was found in {}", tree.cage.folder.display());
        let run = &document["run"]["measured"][0];
        assert_eq!(run["tasks"].as_array().unwrap().len(), 4, "{run}");
        assert!(run["peak"].as_u64().is_none_or(|peak| peak <= LIMIT), "{}", run["peak"]);
        let out = run["counters"]["pswpout"].as_u64().unwrap();
        assert!(out >= LIMIT / areas::page_size(), "at least half was swapped out: {out}");
        assert_eq!((leftovers(), tree.load_cgroups()), (before, Vec::new()));
        self.keeps_the_result();
    }

    fn keeps_the_result(&self) {
        let folder = self.state.join("swapadm/results");
        let kept: Vec<_> = fs::read_dir(&folder).expect("a folder of results").flatten().collect();
        assert_eq!(kept.len(), 1, "{kept:?}");
        assert_eq!(kept[0].metadata().unwrap().uid(), NOBODY);
    }

    /// Areas and settings belong to the machine, whoever owns a cgroup.
    fn gets_no_temporary_swap(&self, tree: &Tree) {
        let before = leftovers();
        for wish in [["--zram", "64M"], ["--set", "swappiness=50"]] {
            let output = self.begins(tree, &wish).wait_with_output().expect("our child process");
            assert_check_refuses(
                &json_of_output(&output, 3),
                "rights",
                &["changing swap needs root"],
            );
        }
        assert_eq!((leftovers(), tree.load_cgroups()), (before, Vec::new()));
    }

    fn is_refused(&self) {
        let before = leftovers();
        let mut child = self.waits(&[]);
        child.stdin.take().expect("its input").write_all(b"go\n").expect("it listens");
        let output = child.wait_with_output().expect("our child process");
        let document = json_of_output(&output, 3);
        assert!(document["run"].is_null());
        let own = fs::read_to_string("/proc/self/cgroup").unwrap();
        let next = if own.contains(":memory:") { "version 1 cgroups" } else { "-p Delegate=yes" };
        let words =
            ["cannot create a cgroup for the workload", "cannot be written", "run as root", next];
        assert_check_refuses(&document, "cgroup-limit", &words);
        assert_eq!(leftovers(), before);
    }
}

/// The JSON output, with this exit status.
fn json_of_output(output: &Output, code: i32) -> Value {
    assert_eq!(output.status.code(), Some(code), "{}", describe_failure(output));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", describe_failure(output)))
}

/// Expects a check to refuse with these words.
fn assert_check_refuses(document: &Value, check: &str, words: &[&str]) {
    let checks = document["checks"].as_array().unwrap();
    let text = checks.iter().find(|found| found["id"] == check && found["verdict"] == "refuse");
    let text = text.unwrap_or_else(|| panic!("no {check} refuses: {checks:?}"))["text"].to_string();
    for word in words {
        assert!(text.contains(word), "{word:?} is not in {text}");
    }
}
