//! Append-only files of lines.

use super::own_file;
use nix::sys::stat::{FileStat, fstat, stat};
use nix::unistd::geteuid;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Mode bits for writing by others, and the sticky bit that keeps users from removing each other's
/// files in a shared folder.
const OTHERS_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;

/// Maximum number of bytes read, from the end: swapadm never writes a longer journal, and plans to
/// repair come last.
const READ_CAP: u64 = 64 << 20;

/// A file to which whole lines are appended.
#[derive(Debug)]
pub struct LineFile {
    file: File,
}

impl LineFile {
    /// Opens a file for appending; creates it and its folder if missing, for the owner only.
    pub fn open(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            own_file::create_folders(folder)?;
        }
        check_folder(path)?;
        let mut options = OpenOptions::new();
        let file = open(options.read(true).append(true).create(true).mode(0o600), path)?;
        Ok(Self { file })
    }

    /// A file whose lines cannot be written.
    #[cfg(test)]
    pub(crate) fn read_only(path: &Path) -> io::Result<Self> {
        Ok(Self { file: open(OpenOptions::new().read(true), path)? })
    }

    /// Appends a whole line, after ending one that a crash may have left unfinished. The line
    /// survives this process, though not a crash of the machine.
    pub fn append(&mut self, line: &str) -> io::Result<()> {
        let begin = if ends_with_newline(&self.file)? { "" } else { "\n" };
        self.file.write_all(format!("{begin}{line}\n").as_bytes())
    }

    /// Waits until all lines are on disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Replaces all lines of a file. On failure the file stays as it is, and nothing is left beside it.
pub fn replace(path: &Path, lines: &[String]) -> io::Result<()> {
    let mut new = path.to_path_buf().into_os_string();
    new.push(".new");
    let new = Path::new(&new);
    let _ = fs::remove_file(new);
    let written = write_all(new, lines).and_then(|()| fs::rename(new, path));
    if written.is_err() {
        let _ = fs::remove_file(new);
    }
    written
}

fn write_all(path: &Path, lines: &[String]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = open(options.write(true).create_new(true).mode(0o600), path)?;
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Reads all lines of a file, or the last ones of an oversized file; none if it is missing.
pub fn read(path: &Path) -> io::Result<Vec<String>> {
    let mut file = match open(OpenOptions::new().read(true), path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let skipped = file.metadata()?.len().saturating_sub(READ_CAP);
    let mut bytes = Vec::new();
    if skipped > 0 {
        file.seek(SeekFrom::Start(skipped))?;
    }
    file.take(READ_CAP).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // After a skip, the first line is incomplete.
    let cut = usize::from(skipped > 0);
    Ok(text.lines().skip(cut).map(str::to_owned).collect())
}

/// Opens a file that no other user can have written, because recovery does what it says.
#[expect(clippy::disallowed_methods, reason = "these files are our own, not the machine's")]
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK).open(path)?;
    check_folder(path)?;
    check_owner(&fstat(&file)?, "it", false)?;
    Ok(file)
}

fn check_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = own_file::resolve_links(folder.unwrap_or(Path::new(".")))?;
    check_owner(&stat(&folder)?, "its directory", true)
}

/// Refuses a file or folder that others own or can write. In a folder with the sticky bit, such as
/// /tmp, others cannot replace our file.
fn check_owner(facts: &FileStat, what: &str, is_folder: bool) -> io::Result<()> {
    let why = if facts.st_uid != 0 && facts.st_uid != geteuid().as_raw() {
        format!("{what} is owned by user {}", facts.st_uid)
    } else if facts.st_mode & OTHERS_WRITE != 0 && !(is_folder && facts.st_mode & STICKY != 0) {
        format!("{what} can be written by others (mode {:04o})", facts.st_mode & 0o7777)
    } else {
        return Ok(());
    };
    let kind = io::ErrorKind::PermissionDenied;
    Err(io::Error::new(kind, format!("{why}, so the journal cannot be trusted: use another file")))
}

fn ends_with_newline(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::FileExt as _;
    let Some(last) = file.metadata()?.len().checked_sub(1) else { return Ok(true) };
    let mut byte = [0];
    file.read_exact_at(&mut byte, last)?;
    Ok(byte == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, chown};

    #[test]
    fn lines_after_a_truncated_line_stay_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b");
        assert_eq!(read(&path).unwrap(), Vec::<String>::new());
        LineFile::open(&path).unwrap().append("one").unwrap();
        let mut lines = LineFile::open(&path).unwrap();
        lines.file.write_all(b"tw").unwrap();
        lines.append("three").unwrap();
        lines.append("four").unwrap();
        assert_eq!(read(&path).unwrap(), ["one", "tw", "three", "four"]);
        replace(&path, &["five".to_owned()]).unwrap();
        LineFile::open(&path).unwrap().append("six").unwrap();
        assert_eq!(read(&path).unwrap(), ["five", "six"]);
    }

    #[test]
    fn failed_replacement_keeps_a_file_of_any_name() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["journal", "journal.new", ".new"] {
            let path = dir.path().join(name);
            LineFile::open(&path).unwrap().append("one").unwrap();
            // A directory in place of the new file cannot be removed.
            let blocking = dir.path().join(format!("{name}.new"));
            fs::create_dir(&blocking).unwrap();
            replace(&path, &["two".to_owned()]).unwrap_err();
            assert_eq!(read(&path).unwrap(), ["one"], "{name}");
            fs::remove_dir(&blocking).unwrap();
            replace(&path, &["two".to_owned()]).unwrap();
            assert_eq!(read(&path).unwrap(), ["two"], "{name}");
            fs::remove_file(&path).unwrap();
        }
        fs::remove_dir(dir.path()).expect("nothing is left in it");
    }

    #[test]
    fn end_of_an_oversized_file_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("b");
        let mut lines = LineFile::open(&path).unwrap();
        lines.file.set_len(READ_CAP + 1).unwrap();
        lines.append("one").unwrap();
        lines.append("two").unwrap();
        assert_eq!(read(&path).unwrap(), ["one", "two"]);
    }

    #[test]
    fn a_journal_behind_a_link_of_another_user_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, link) = (dir.path().join("a"), dir.path().join("b"));
        fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        LineFile::open(&link.join("own")).unwrap();
        // Only root can change the owner.
        if std::os::unix::fs::lchown(&link, Some(4711), None).is_ok() {
            let said = LineFile::open(&link.join("journal")).unwrap_err().to_string();
            assert!(said.contains("a symbolic link of user 4711"), "{said}");
            assert!(!folder.join("journal").exists());
        }
    }

    #[test]
    fn file_owned_or_writable_by_others_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, path) = (dir.path().join("a"), dir.path().join("a/b"));
        LineFile::open(&path).unwrap().append("one").unwrap();
        let refused = || [read(&path).err(), LineFile::open(&path).err()];
        let mode = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode));
        let says = |words: &str| {
            let said = refused().map(|error| error.expect(words).to_string());
            assert!(said.iter().all(|it| it.contains(words)), "{said:?}");
        };
        mode(&path, 0o620).unwrap();
        says("it can be written by others (mode 0620)");
        mode(&path, 0o600).unwrap();
        mode(&folder, 0o777).unwrap();
        says("its directory can be written by others (mode 0777)");
        mode(&folder, 0o1777).unwrap();
        assert!(refused().iter().all(Option::is_none), "nobody replaces files of others there");
        mode(&folder, 0o755).unwrap();
        // Only root can change the owner.
        if chown(&path, Some(4711), None).is_ok() {
            says("it is owned by user 4711");
            chown(&path, Some(0), None).unwrap();
            chown(&folder, Some(4711), None).unwrap();
            says("its directory is owned by user 4711");
        }
    }
}
