//! The test laboratory: one test at a time, and nothing left behind.
//!
//! Every object is noted before it is created, in the journal, which is the lock file. The notes of a
//! killed run tell the next run what to remove; each object must also look like ours, since its name may
//! belong to somebody else by now.

use crate::{areas, devices_in_use, file, mapped, memory_limit, program};
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Prefix of everything that tests create: labels, folders, the cgroup.
pub(crate) const OURS: &str = "swapadm-live";

/// The lock, and the folder for files of a test.
pub(crate) struct Lab {
    /// Declared before the journal, so that it is removed before the next test enters.
    pub(crate) scratch: Scratch,
    journal: Journal,
}

/// The lock file, with notes of created objects.
struct Journal(File);

/// A folder that every user may enter, with a copy of the program in it.
pub(crate) struct Scratch(PathBuf);

impl Lab {
    /// Waits for the lock and removes leftovers of earlier runs.
    pub(crate) fn enter() -> Result<Self, String> {
        if !nix::unistd::geteuid().is_root() {
            return Err("this needs root".to_owned());
        }
        let journal = Journal::open()?;
        journal.take_down();
        let scratch = Scratch::new(&journal);
        Ok(Self { scratch, journal })
    }

    /// Whether a swap file would leave as much space free as its plan demands.
    pub(crate) fn has_room(&self) -> Result<(), String> {
        let disk = nix::sys::statvfs::statvfs(&self.scratch.0).expect("the folder exists");
        let (free, whole) = (disk.blocks_available(), disk.blocks());
        let wanted = (whole * disk.fragment_size() / 20).min(1 << 30) + (64 << 20);
        let place = self.scratch.0.display();
        let lacks = || format!("{place} has less than {} MiB free", wanted >> 20);
        (free * disk.fragment_size() >= wanted).then_some(()).ok_or_else(lacks)
    }

    /// Notes an object before it is created.
    pub(crate) fn note(&self, kind: &str, what: &Path) {
        self.journal.note(kind, what);
    }
}

impl Scratch {
    fn new(journal: &Journal) -> Self {
        let path = std::env::temp_dir().join(format!("{OURS}-{}", std::process::id()));
        journal.note("folder", &path);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder for files");
        let scratch = Self(path);
        // The program also runs as nobody, who may not reach the build folder.
        fs::set_permissions(&scratch.0, PermissionsExt::from_mode(0o755)).expect("our folder");
        fs::copy(program::built(), scratch.program()).expect("a copy of the program");
        scratch
    }

    /// The program under test.
    pub(crate) fn program(&self) -> PathBuf {
        self.0.join("swapadm")
    }

    /// A path for a file.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The number of kills with which all tests do all they can.
pub(crate) const ALL_KILLS: u64 = 200;

/// The number of kills that `SWAPADM_KILLS` asks for.
pub(crate) fn kills() -> Option<u64> {
    std::env::var("SWAPADM_KILLS").ok().and_then(|kills| kills.parse().ok())
}

/// Number of interruptions: few when all tests are run, many with 200 kills, and a share of them with fewer.
pub(crate) fn rounds(seldom: u64, often: u64) -> u64 {
    kills().map_or(seldom, |kills| (often * kills / ALL_KILLS).clamp(seldom.min(often), often))
}

/// Requires enough interruptions during a change. On a slow machine the right time is hard to meet: too few
/// fail only with `SWAPADM_KILLS`, none fails where all tests are required.
pub(crate) fn require_iterations(cut: u64, wanted: u64) {
    let needed = match kills() {
        Some(_) => wanted,
        None => u64::from(is_required()),
    };
    assert!(cut >= needed, "too few were cut off in the middle: {cut}, not {needed}");
    if cut < wanted {
        remark(&format!("interruptions: only {cut} in the middle, which is not enough"));
    }
}

/// Whether long tests are allowed.
pub(crate) fn has_time() -> bool {
    is_required() || kills().is_some()
}

/// Runs a test whose loads run for a fixed time, which an emulated machine cannot: only with
/// `SWAPADM_KILLS`.
pub(crate) fn when_time_allows(name: &str, test: impl FnOnce(&Lab) -> Result<(), String>) {
    if kills().is_some() {
        crate::in_lab(name, test);
    } else {
        remark(&format!("{name}: a long test, run only with SWAPADM_KILLS=200"));
    }
}

/// Says why a test is skipped; past the capture of the test runner, so that it is visible.
pub(crate) fn skip(name: &str, reason: &str) {
    let text = format!("skip: {name}: {reason}\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
    assert!(!is_required(), "skipped although required: {reason}");
}

/// Whether every test must run.
fn is_required() -> bool {
    std::env::var_os("SWAPADM_LIVE_REQUIRE").is_some_and(|value| value == "1")
}

/// Says why a part of a test is skipped.
pub(crate) fn remark(text: &str) {
    let _ = std::io::stderr().write_all(format!("skip: {text}\n").as_bytes());
}

/// Retries for at most ten seconds.
pub(crate) fn retry<T, E>(mut work: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    for _ in 0..100 {
        if let Ok(done) = work() {
            return Ok(done);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    work()
}

impl Journal {
    /// Opens and locks the journal.
    fn open() -> Result<Self, String> {
        let path = std::env::temp_dir().join("swapadm-root-tests.lock");
        let shown = path.display();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600);
        let file = options.custom_flags(nix::libc::O_NOFOLLOW).open(&path);
        let file = file.map_err(|error| format!("the lock {shown} cannot be opened: {error}"))?;
        let owner = file.metadata().map_err(|error| error.to_string())?.uid();
        // Notes of another user must not tell root what to remove.
        if owner != 0 {
            return Err(format!("{shown} belongs to user {owner}"));
        }
        file.lock().map_err(|error| format!("{shown} cannot be locked: {error}"))?;
        Ok(Self(file))
    }

    fn note(&self, kind: &str, what: &Path) {
        let note = format!("{} {kind} {}\n", boot(), what.display());
        (&self.0).write_all(note.as_bytes()).expect("the journal accepts notes");
    }

    /// The notes since boot, last first.
    fn notes(&self) -> Vec<(String, PathBuf)> {
        let mut text = String::new();
        let read = (&self.0).seek(SeekFrom::Start(0));
        let _ = read.and_then(|_| (&self.0).read_to_string(&mut text));
        let boot = boot();
        let note = |line: &str| {
            let (kind, what) = line.strip_prefix(&boot)?.strip_prefix(' ')?.split_once(' ')?;
            Some((kind.to_owned(), PathBuf::from(what)))
        };
        text.lines().rev().filter_map(note).filter(|(_, what)| is_ours_by_name(what)).collect()
    }

    /// Removes leftovers of earlier runs.
    fn take_down(&self) {
        for (kind, what) in self.notes() {
            let text = format!("cleaning up an earlier run: {kind} {}\n", what.display());
            let _ = std::io::stderr().write_all(text.as_bytes());
            match kind.as_str() {
                "cgroup" => memory_limit::take_down(&what),
                "zram" => areas::take_down_old_zram(&what),
                "mount" => file::unmount(&what),
                "mapped" => mapped::take_down(),
                "array" => devices_in_use::take_down_array(&what),
                "swapfile" => areas::take_down_file(&what),
                "folder" => drop(fs::remove_dir_all(&what)),
                _ => {}
            }
        }
        areas::take_down_loops();
        let _ = self.0.set_len(0);
    }
}

impl Drop for Journal {
    /// All guards are dropped by now. Anything they could not remove stays noted for the next run.
    fn drop(&mut self) {
        if self.notes().iter().all(|(_, what)| !what.exists()) {
            let _ = self.0.set_len(0);
        }
    }
}

/// Device numbers mean nothing after a reboot.
fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

/// Devices are checked when they are removed.
fn is_ours_by_name(what: &Path) -> bool {
    what.starts_with("/dev")
        || what.components().any(|part| part.as_os_str().to_string_lossy().starts_with(OURS))
}
