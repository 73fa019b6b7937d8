//! Files that swapadm writes: who may read them, even if the umask takes no rights away, and that a link of
//! another user leads nowhere.

#![allow(clippy::disallowed_methods, reason = "the test looks at what was written")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]
#![allow(clippy::print_stdout, reason = "a skipped test says why")]

mod common;

use common::{Machine, repository, swapadm};
use nix::sys::stat::{Mode, umask};
use nix::unistd::geteuid;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use swapadm::actions::journal::{Journal, JournalStore};
use swapadm::cli::options;
use swapadm::sys::{Lock, LockError};
use swapadm::ui::settings::Settings;
use tempfile::TempDir;

/// Writes something below a folder. The error is what a person reads.
type Write = fn(&Path) -> Result<(), String>;

/// Files that commands write: the path below a folder, the mode, and the command.
const FILES: [(&str, u32, Write); 11] = [
    ("state/swapadm/results/1-SIMULATED-laptop--usemem.json", 0o600, |at| {
        run(at, "stress run usemem --on laptop --with rounds=1 --yes")
    }),
    ("state/swapadm/lessons", 0o600, |at| run(at, "learn priorities --plain")),
    ("x.rec", 0o600, |at| run(at, "record x.rec --count 1")),
    ("tree/proc/swaps", 0o600, |at| run(at, "capture tree")),
    ("scrubbed/machine.toml", 0o600, |at| run(at, "capture --scrub scrubbed")),
    ("journal/j", 0o600, |at| {
        let journal = Journal::open(&JournalStore::File(at.join("journal/j")), "boot");
        journal.map(drop).map_err(|error| error.to_string())
    }),
    ("lock", 0o600, |at| match Lock::take(&at.join("lock"), "test") {
        Ok(_) => Ok(()),
        Err(LockError::Failed(error)) => Err(error.to_string()),
        Err(LockError::HeldBy(who)) => Err(who),
    }),
    // Files that a person or a service makes for others, and settings.
    ("run.html", 0o644, |at| {
        fs::copy(repository("fuzz/seeds/result/run"), at.join("run.json")).unwrap();
        run(at, "results export ./run.json --format html --to run.html")
    }),
    ("x.svg", 0o644, |at| run(at, "watch overview --picture x.svg")),
    ("x.prom", 0o644, |at| run(at, "metrics --textfile x.prom")),
    ("config/swapadm/config.toml", 0o644, |at| {
        let changed = Settings { mouse: false, ..Settings::default() };
        let file = at.join("config/swapadm/config.toml");
        options::save(&file, &Settings::default(), &changed)
            .map(|saved| assert!(saved))
            .map_err(|error| error.to_string())
    }),
];

/// Runs a command in a folder, on a captured machine; answers questions with the first choice.
fn run(at: &Path, command: &str) -> Result<(), String> {
    let machine = Machine::shared("6.12-loaded");
    let mut program = swapadm();
    if !command.starts_with("record") {
        program.env("SWAPADM_ROOT", machine.path());
    }
    program.env("XDG_STATE_HOME", at.join("state")).env("XDG_CONFIG_HOME", at.join("config"));
    program.current_dir(at).args(command.split(' '));
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    // The program may end without reading all.
    let _ = child.stdin.take().unwrap().write_all("a\n".repeat(40).as_bytes());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(format!("{command}: {said}")) }
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    (folder, path)
}

fn mode(path: &Path) -> u32 {
    let facts = fs::symlink_metadata(path);
    facts.unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode()
        & 0o7777
}

/// The folders that were made for a file.
fn folders_above<'p>(top: &Path, file: &'p Path) -> impl Iterator<Item = &'p Path> {
    file.ancestors().skip(1).take_while({
        let top = top.to_owned();
        move |folder| *folder != top
    })
}

/// Sets the umask, which all tests of this process share, until the guard is dropped.
fn with_umask(mask: u32) -> MutexGuard<'static, ()> {
    static UMASK: Mutex<()> = Mutex::new(());
    let guard = UMASK.lock().unwrap_or_else(PoisonError::into_inner);
    umask(Mode::from_bits_truncate(mask));
    guard
}

#[test]
fn files_with_more_than_anybody_may_read_are_private_under_any_umask() {
    for (mask, (name, expected, write)) in
        [0, 0o077].iter().flat_map(|mask| FILES.map(|it| (mask, it)))
    {
        let _umask = with_umask(*mask);
        let (_folder, top) = folder();
        write(&top).unwrap();
        let file = top.join(name);
        // The service that reads metrics from a file is of another user.
        let mask = if name == "x.prom" { 0 } else { *mask };
        assert_eq!(mode(&file), expected & !mask, "{name}");
        for folder in folders_above(&top, &file) {
            assert_eq!(mode(folder), 0o700, "{}", folder.display());
        }
    }
}

/// A folder as /tmp, in which user 65534 made `name` a link to a folder or file of somebody else.
fn with_planted_link(name: &OsStr, is_folder: bool) -> (TempDir, PathBuf) {
    let (folder, top) = folder();
    fs::set_permissions(&top, fs::Permissions::from_mode(0o1777)).unwrap();
    fs::create_dir(top.join("precious")).unwrap();
    let target = if is_folder { "precious" } else { "precious/new" };
    symlink(target, top.join(name)).unwrap();
    lchown(top.join(name), Some(65534), Some(65534)).unwrap();
    (folder, top)
}

#[test]
fn nothing_is_written_through_a_link_of_another_user() {
    if !geteuid().is_root() {
        println!("skipped: only root can make links of others");
        return;
    }
    let _umask = with_umask(0);
    for (name, _, write) in FILES {
        let first = Path::new(name).iter().next().unwrap();
        let is_folder = Path::new(name).iter().count() > 1;
        for is_folder in [is_folder, true] {
            let (_folder, top) = with_planted_link(first, is_folder);
            let result = write(&top);
            let made = fs::read_dir(top.join("precious")).unwrap().count();
            assert_eq!(made, 0, "{name}: something was written through the link: {result:?}");
            assert!(fs::symlink_metadata(top.join(first)).unwrap().is_symlink(), "{name}");
        }
    }
}

/// The folder of results is looked at before anything in it is read or removed.
#[test]
fn results_behind_a_link_of_another_user_are_neither_listed_nor_removed() {
    if !geteuid().is_root() {
        println!("skipped: only root can make links of others");
        return;
    }
    let (_folder, top) = with_planted_link(OsStr::new("link"), true);
    fs::copy(repository("fuzz/seeds/result/run"), top.join("precious/1-x.json")).unwrap();
    fs::write(top.join("precious/.7.new"), "").unwrap();
    for command in [
        "results",
        "results show 1",
        "results remove 1 --yes",
        "stress run usemem --on laptop --with rounds=1 --yes",
    ] {
        let mut program = swapadm();
        program.env("SWAPADM_RESULTS", top.join("link")).args(command.split(' '));
        let output = program.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("is a symbolic link of user 65534"), "{command}: {said}");
        assert_eq!(fs::read_dir(top.join("precious")).unwrap().count(), 2, "{command}");
    }
}
