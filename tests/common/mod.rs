//! Captured machines, and the real program run on them.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "helpers for tests: each test file uses some, and a wrong fixture should stop it"
)]
#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

pub mod form;
pub mod schema;
pub mod screen;

use nix::sys::statvfs::statvfs;
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// The ending of a captured machine's file.
const PACKED: &str = ".tar.zst";

/// A folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The names of all captured machines.
pub fn machine_names() -> Vec<String> {
    let entries = fs::read_dir(repository("tests/machines")).unwrap();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(PACKED).map(str::to_owned))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "tests/machines holds no machine");
    names
}

/// The number of random events that `SWAPADM_EVENTS` asks for. Tests of samples then try everything.
pub fn events() -> Option<usize> {
    let events = std::env::var("SWAPADM_EVENTS").ok()?;
    Some(events.parse().unwrap_or_else(|_| panic!("SWAPADM_EVENTS={events} is no number")))
}

/// Every item if `SWAPADM_EVENTS` is set, otherwise each of so many of them, beginning at a different one
/// for each number.
pub fn sampled<T>(items: Vec<T>, apart: usize, number: usize) -> Vec<T> {
    if events().is_some() {
        return items;
    }
    items.into_iter().skip(number % apart).step_by(apart).collect()
}

/// A temporary folder, in memory if there is enough: tests write thousands of small files.
pub fn folder_in_memory() -> TempDir {
    const NEEDED: u64 = 1 << 30;
    let memory = Path::new("/dev/shm");
    let room = statvfs(memory).map_or(0, |it| it.blocks_available() * it.fragment_size());
    let folder = if room < NEEDED { TempDir::new() } else { TempDir::new_in(memory) };
    folder.or_else(|_| TempDir::new()).unwrap()
}

/// Runs a test on every machine, in parallel. The trees are shared between tests: nothing may be written to
/// them.
pub fn with_each_machine(work: impl Fn(&Machine) + Sync) {
    with_each(&machine_names(), |name| work(&Machine::shared(name)));
}

/// Runs a test on every item, in parallel; reports all failures together.
pub fn with_each<T: Sync + std::fmt::Debug>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result =
                        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(item)));
                    if result.is_err() {
                        failed.lock().unwrap().push(format!("{item:?}"));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "failed for {failed:?}; see above");
}

/// A captured machine, unpacked.
#[derive(Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    tree: PathBuf,
    /// Removes the tree when dropped, unless it is shared.
    own: Option<TempDir>,
}

impl Machine {
    /// A copy of the machine with this name that may be changed.
    pub fn unpack(name: &str) -> Self {
        let dir = folder_in_memory();
        unpack_into(&packed(name), dir.path());
        Self::own(name, dir)
    }

    /// The machine with this name, unpacked once for all tests, for reading only.
    pub fn shared(name: &str) -> Self {
        let packed = packed(name);
        let mut hasher = DefaultHasher::new();
        packed.hash(&mut hasher);
        let machines = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machines");
        let tree = machines.join(format!("{name}-{:016x}", hasher.finish()));
        if !tree.exists() {
            fs::create_dir_all(&machines).unwrap();
            let fresh = TempDir::new_in(&machines).unwrap();
            unpack_into(&packed, fresh.path());
            // Another test may have unpacked it meanwhile: its tree is as good.
            if fs::rename(fresh.path(), &tree).is_ok() {
                let _ = fresh.keep();
            }
        }
        Self { name: name.to_owned(), tree, own: None }
    }

    /// A machine without files.
    pub fn empty() -> Self {
        Self::own("empty", folder_in_memory())
    }

    fn own(name: &str, dir: TempDir) -> Self {
        Self { name: name.to_owned(), tree: dir.path().to_owned(), own: Some(dir) }
    }

    /// The tree.
    pub fn path(&self) -> &Path {
        &self.tree
    }

    /// The bytes of a file, if it exists.
    pub fn bytes(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        fs::read(self.path().join(path)).ok()
    }

    /// The text of a file, if it exists.
    pub fn text(&self, path: impl AsRef<Path>) -> Option<String> {
        self.bytes(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The names in a folder, sorted; empty if it does not exist.
    pub fn names(&self, path: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path().join(path)) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// All files, below the tree.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        walk(self.path(), &mut files);
        let below = |file: &PathBuf| file.strip_prefix(self.path()).unwrap().to_owned();
        let mut files: Vec<_> = files.iter().map(below).collect();
        files.sort();
        files
    }

    /// Writes a file and its parent folders.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        assert!(self.own.is_some(), "{} is shared with other tests", self.name);
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The program, set to read this machine.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = swapadm();
        command.arg("--sysroot").arg(self.path()).args(args);
        command
    }

    /// Runs the program on this machine.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The output of the program for this machine; it must succeed.
    pub fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} {args:?}: {}: {errors}", self.name, output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    /// The JSON output of the program for this machine.
    pub fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.stdout(args)).unwrap()
    }

    /// All tables with all columns and rows; cached for shared machines.
    pub fn report(&self) -> Arc<Value> {
        static REPORTS: Mutex<BTreeMap<PathBuf, Arc<Value>>> = Mutex::new(BTreeMap::new());
        let known = REPORTS.lock().unwrap().get(&self.tree).cloned();
        if let Some(report) = known.filter(|_| self.own.is_none()) {
            return report;
        }
        let report = Arc::new(self.json(&["report", "--json", "--all"]));
        REPORTS.lock().unwrap().insert(self.tree.clone(), Arc::clone(&report));
        report
    }
}

fn packed(name: &str) -> Vec<u8> {
    fs::read(repository(&format!("tests/machines/{name}{PACKED}"))).unwrap()
}

fn unpack_into(packed: &[u8], dir: &Path) {
    let plain = StreamingDecoder::new(packed).unwrap();
    tar::Archive::new(plain).unpack(dir).unwrap();
}

/// The real program, without environment variables that affect it.
pub fn swapadm() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swapadm"));
    command.env_remove("SWAPADM_ROOT").env_remove("COLUMNS").stdin(Stdio::null());
    command
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}

/// The rows of a table of a document; empty if the table could not be read.
pub fn rows<'d>(document: &'d Value, table: &str) -> &'d [Value] {
    document["tables"][table]["rows"].as_array().map_or(&[], Vec::as_slice)
}

/// Compares with a golden file, or rewrites it when the variable is set.
pub fn expect_file(path: &Path, actual: &str, variable: &str) {
    if std::env::var_os(variable).is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return;
    }
    let line = first_difference(&expected, actual);
    let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
    panic!(
        "{}:{}: is not what the program prints ({variable}=1 rewrites it)\nexpected: {}\nprinted:  {}",
        path.display(),
        line + 1,
        at(&expected),
        at(actual)
    );
}

fn first_difference(a: &str, b: &str) -> usize {
    let same = a.lines().zip(b.lines()).take_while(|(a, b)| a == b);
    same.count()
}

/// Expects an answer or an error message, and never a panic.
pub fn answers(output: &Output, what: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(6) => assert!(errors.starts_with("swapadm: "), "{what}: {errors}"),
        code => panic!("{what}: {code:?}: {errors}"),
    }
    assert!(!errors.contains("panicked"), "{what}: {errors}");
}

/// The text with all UUIDs replaced, because they are random.
pub fn masked(text: &str) -> String {
    let is_uuid =
        |word: &str| word.len() == 36 && word.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
    let mask = |word: &str| {
        let bare = word.trim_end_matches(',');
        if is_uuid(bare) { word.replace(bare, "UUID") } else { word.to_owned() }
    };
    let line = |line: &str| line.split(' ').map(mask).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}
