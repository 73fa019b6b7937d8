//! The laboratory: one test at a time, and nothing left behind.
//!
//! What a test makes is first noted in the journal, which is the lock file itself. The notes of a
//! run that was killed tell the next one what to take down; each thing must in addition look like
//! ours, since its name may belong to somebody else by now.

use crate::{areas, memory_limit, file, devices_in_use, program};
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Everything of ours is called so: labels, folders, the cgroup.
pub(crate) const OURS: &str = "swapadm-live";

/// The lock, and the folder for files of a test.
pub(crate) struct Lab {
    /// Before the journal, so that it is gone when the next test enters.
    pub(crate) scratch: Scratch,
    journal: Journal,
}

/// The lock file, with notes of what is being made.
struct Journal(File);

/// A folder that everybody may enter, with a copy of the program in it.
pub(crate) struct Scratch(PathBuf);

impl Lab {
    /// Wait for our turn and clean up what is left of earlier runs.
    pub(crate) fn enter() -> Result<Self, String> {
        if !nix::unistd::geteuid().is_root() {
            return Err("this needs root".to_owned());
        }
        let journal = Journal::open()?;
        journal.take_down();
        let scratch = Scratch::new(&journal);
        Ok(Self { scratch, journal })
    }

    /// Note what is about to be made.
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
        // The program runs as nobody too, who may not reach the folder it was built in.
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

/// How often something is cut off: seldom when all tests are run, often where `SWAPADM_KILLS` says
/// that this is what they are run for.
pub(crate) fn rounds(seldom: u64, often: u64) -> u64 {
    if std::env::var_os("SWAPADM_KILLS").is_some() { often } else { seldom }
}

/// Too few that were cut off in the middle say nothing. On a slow machine moments are hard to meet:
/// that fails only where cutting off is what the tests are run for. None fails where all must run.
pub(crate) fn require_iterations(cut: u64, wanted: u64) {
    let needed = match std::env::var_os("SWAPADM_KILLS") {
        Some(_) => wanted,
        None => u64::from(is_required()),
    };
    assert!(cut >= needed, "too few were cut off in the middle: {cut}, not {needed}");
    if cut < wanted {
        remark(&format!("being cut off: {cut} in the middle, which says little"));
    }
}

/// May tests take long?
pub(crate) fn has_time() -> bool {
    is_required() || std::env::var_os("SWAPADM_KILLS").is_some()
}

/// Run a test that takes long and has loads run for so many seconds, which an emulated machine cannot:
/// only where `SWAPADM_KILLS` says that there is time.
pub(crate) fn when_time_allows(name: &str, test: impl FnOnce(&Lab) -> Result<(), String>) {
    if std::env::var_os("SWAPADM_KILLS").is_some() {
        crate::in_lab(name, test);
    } else {
        remark(&format!("{name}: it takes long, and is run with SWAPADM_KILLS=200"));
    }
}

/// Say why a test is not run; past the capture of the test runner, so that it is seen.
pub(crate) fn skip(name: &str, reason: &str) {
    let text = format!("skip: {name}: {reason}\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
    assert!(!is_required(), "skipped where it must run: {reason}");
}

/// Is nothing to be left out?
fn is_required() -> bool {
    std::env::var_os("SWAPADM_LIVE_REQUIRE").is_some_and(|value| value == "1")
}

/// Say why a part of a test is left out.
pub(crate) fn remark(text: &str) {
    let _ = std::io::stderr().write_all(format!("skip: {text}\n").as_bytes());
}

/// Try until it works, for at most ten seconds.
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
    /// Open and lock it.
    fn open() -> Result<Self, String> {
        let path = std::env::temp_dir().join("swapadm-root-tests.lock");
        let shown = path.display();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600);
        let file = options.custom_flags(nix::libc::O_NOFOLLOW).open(&path);
        let file = file.map_err(|error| format!("the lock {shown} cannot be opened: {error}"))?;
        let owner = file.metadata().map_err(|error| error.to_string())?.uid();
        // Somebody else's notes must not tell root what to take down.
        if owner != 0 {
            return Err(format!("{shown} belongs to user {owner}"));
        }
        file.lock().map_err(|error| format!("{shown} cannot be locked: {error}"))?;
        Ok(Self(file))
    }

    fn note(&self, kind: &str, what: &Path) {
        let note = format!("{} {kind} {}\n", boot(), what.display());
        (&self.0).write_all(note.as_bytes()).expect("the journal takes notes");
    }

    /// What was noted since the machine was started, last first.
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

    /// Remove what earlier runs left behind.
    fn take_down(&self) {
        for (kind, what) in self.notes() {
            let text = format!("cleaning up an earlier run: {kind} {}\n", what.display());
            let _ = std::io::stderr().write_all(text.as_bytes());
            match kind.as_str() {
                "cgroup" => memory_limit::take_down(&what),
                "zram" => areas::take_down_old_zram(&what),
                "mount" => file::unmount(&what),
                "mapped" => devices_in_use::take_down_mapped(),
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
    /// All guards are gone by now. What they could not remove stays noted for the next run.
    fn drop(&mut self) {
        if self.notes().iter().all(|(_, what)| !what.exists()) {
            let _ = self.0.set_len(0);
        }
    }
}

/// Numbers of devices mean nothing after a boot.
fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

/// Devices are looked at when they are taken down.
fn is_ours_by_name(what: &Path) -> bool {
    what.starts_with("/dev")
        || what.components().any(|part| part.as_os_str().to_string_lossy().starts_with(OURS))
}
