//! The laboratory: one test at a time, and nothing left behind.
//!
//! What a test makes is first noted in the journal, which is the lock file itself. The notes of a
//! run that was killed tell the next one what to take down; each thing must in addition look like
//! ours, since its name may belong to somebody else by now.

use crate::{areas, cage, program};
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Everything of ours is called so: labels, folders, the cgroup.
pub(crate) const OURS: &str = "swapadm-live";

/// The lock, and the folder for files of a test.
pub(crate) struct Lab {
    /// Before the lock, so that it is gone when the next test enters.
    pub(crate) scratch: Scratch,
    journal: File,
}

/// A folder that everybody may enter, with a copy of the program in it.
pub(crate) struct Scratch(PathBuf);

impl Lab {
    /// Wait for our turn and clean up what is left of earlier runs.
    pub(crate) fn enter() -> Result<Self, String> {
        if !nix::unistd::geteuid().is_root() {
            return Err("this needs root".to_owned());
        }
        let mut journal = open_journal()?;
        journal.lock().map_err(|error| format!("the lock cannot be taken: {error}"))?;
        take_down(&mut journal);
        let scratch = Scratch::new(&mut journal);
        Ok(Self { scratch, journal })
    }

    /// Note what is about to be made.
    pub(crate) fn note(&self, kind: &str, what: &Path) {
        write_note(&self.journal, kind, what);
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // All guards are gone by now, so there is nothing left to take down. The lock goes with
        // the file.
        let _ = self.journal.set_len(0);
    }
}

impl Scratch {
    fn new(journal: &mut File) -> Self {
        let path = std::env::temp_dir().join(format!("{OURS}-{}", std::process::id()));
        write_note(journal, "folder", &path);
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

/// Say why a test is not run; past the capture of the test runner, so that it is seen.
pub(crate) fn skip(name: &str, reason: &str) {
    let text = format!("skip: {name}: {reason}\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
    let required = std::env::var_os("SWAPADM_LIVE_REQUIRE").is_some_and(|value| value == "1");
    assert!(!required, "skipped where it must run: {reason}");
}

/// Say why a part of a test is left out.
pub(crate) fn remark(text: &str) {
    let _ = std::io::stderr().write_all(format!("skip: {text}\n").as_bytes());
}

/// Try until it works, for at most ten seconds.
pub(crate) fn patiently<T, E>(mut work: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    for _ in 0..100 {
        if let Ok(done) = work() {
            return Ok(done);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    work()
}

fn open_journal() -> Result<File, String> {
    let path = std::env::temp_dir().join("swapadm-root-tests.lock");
    let shown = path.display();
    let open = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(nix::libc::O_NOFOLLOW)
        .open(&path);
    let file = open.map_err(|error| format!("the lock {shown} cannot be opened: {error}"))?;
    let owner = file.metadata().map_err(|error| error.to_string())?.uid();
    // Somebody else's notes must not tell root what to take down.
    if owner == 0 { Ok(file) } else { Err(format!("{shown} belongs to user {owner}")) }
}

/// Numbers of devices mean nothing after a boot.
fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

fn write_note(mut journal: &File, kind: &str, what: &Path) {
    let note = format!("{} {kind} {}\n", boot(), what.display());
    journal.write_all(note.as_bytes()).expect("the journal takes notes");
}

fn take_down(journal: &mut File) {
    let mut text = String::new();
    let _ = journal.read_to_string(&mut text);
    let boot = boot();
    let mut notes: Vec<_> = text.lines().filter_map(|line| note(line, &boot)).collect();
    // What was made last goes first.
    notes.reverse();
    for (kind, what) in notes.iter().filter(|(_, what)| is_ours_by_name(what)) {
        let _ = std::io::stderr().write_all(
            format!("cleaning up an earlier run: {kind} {}\n", what.display()).as_bytes(),
        );
        match *kind {
            "cgroup" => cage::take_down(what),
            "zram" => areas::take_down_zram(what),
            "swapfile" => areas::take_down_file(what),
            "folder" => drop(fs::remove_dir_all(what)),
            _ => {}
        }
    }
    areas::take_down_loops();
    journal.set_len(0).and_then(|()| journal.seek(SeekFrom::Start(0))).expect("a journal");
}

fn note<'t>(line: &'t str, boot: &str) -> Option<(&'t str, PathBuf)> {
    let (kind, what) = line.strip_prefix(boot)?.strip_prefix(' ')?.split_once(' ')?;
    Some((kind, PathBuf::from(what)))
}

/// Devices are looked at when they are taken down.
fn is_ours_by_name(what: &Path) -> bool {
    what.starts_with("/dev")
        || what.components().any(|part| part.as_os_str().to_string_lossy().starts_with(OURS))
}
