//! The store of results: a folder with a JSON file for each run and each experiment.
//!
//! Files are named for people: `12-balance.json`, where 12 is the number of the result. A file
//! appears complete or not at all, and two results stored at the same moment get different numbers.
//! Files of others in the folder are read with bounds, and errors in them are reported.

use crate::change::{ChangeAttempt, ChangeError};
use crate::derive::lab::{ResultEntry, ResultSummary};
use crate::model::experiment::{self, Experiment, ExperimentExtras, Published, StoredResult};
use crate::model::name::{explain_os_error, safe_text};
use crate::model::run::{self, Run};
use crate::model::{Missing, Name, Reading};
use crate::root::Root;
use crate::sys::own_file;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The largest file that is read: a run of an hour with hundreds of processes has less.
const MAX_FILE_BYTES: usize = 64 << 20;
/// The largest number of a result.
const MAX_ID: u64 = u32::MAX as u64;
/// Characters of the title in a file name.
const MAX_TITLE: usize = 48;
const ENDING: &str = ".json";
/// The ending of a file that is being written.
const NEW: &str = ".new";

/// The store of results.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// A file of the store.
#[derive(Clone, Debug)]
struct ResultFile {
    id: u64,
    name: Vec<u8>,
}

/// A result that can be stored.
pub trait Storable: serde::Serialize {
    /// The number.
    fn id(&mut self) -> &mut u64;
    /// The title.
    fn title(&self) -> &str;
}

impl Storable for Run {
    fn id(&mut self) -> &mut u64 {
        &mut self.id
    }

    fn title(&self) -> &str {
        &self.title
    }
}

/// An experiment with its published figures.
#[derive(serde::Serialize)]
pub struct ExperimentToStore<'e> {
    /// The measurements.
    #[serde(flatten)]
    pub experiment: &'e mut Experiment,
    /// The published figures.
    pub published: Option<&'e Published>,
}

impl Storable for ExperimentToStore<'_> {
    fn id(&mut self) -> &mut u64 {
        &mut self.experiment.id
    }

    fn title(&self) -> &str {
        &self.experiment.title
    }
}

impl Store {
    /// Uses this folder, which may not exist yet.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Uses the named folder, or else the default one inside the folder for state.
    pub fn locate(state: Option<&Path>, named: Option<&Path>) -> ChangeAttempt<Self> {
        let own = || state.map(|state| state.join("results"));
        let folder = named.map(Path::to_owned).or_else(own);
        folder.map(|folder| Self { folder }).ok_or_else(|| {
            let why = "there is no directory for results: set HOME, XDG_STATE_HOME or \
                       SWAPADM_RESULTS to an absolute path";
            ChangeError::Usage(why.to_owned())
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Checks that a result can be stored, before hours are spent on it.
    pub fn check_writable(&self) -> ChangeAttempt<()> {
        let probe = self.folder.join(format!(".0{NEW}"));
        let checked = own_file::create_folders(&self.folder).and_then(|()| {
            // Another process may be checking this folder.
            let Some(mut file) = own_file::lock_file(&probe)? else { return Ok(()) };
            let written = file.write_all(b"x");
            own_file::remove_file(&probe).and(written)
        });
        checked.map_err(|error| {
            let folder = safe_text(&self.folder.to_string_lossy());
            let why = explain_os_error(&error.to_string());
            ChangeError::Refused(format!(
                "the result could not be stored in {folder}: {why}; to run without storing it: --no-keep"
            ))
        })
    }

    /// Stores a result under the next number, which is also set in the result.
    pub fn save(&self, wanted: &mut impl Storable) -> ChangeAttempt<u64> {
        self.save_after(0, wanted)
    }

    /// Stores a result as [`save`](Self::save) does, and leaves this many numbers free before it.
    pub fn save_after(&self, free: u64, wanted: &mut impl Storable) -> ChangeAttempt<u64> {
        own_file::create_folders(&self.folder)
            .map_err(|error| ChangeError::file(&self.folder, error))?;
        self.remove_partial_files()?;
        let mut least = 1;
        loop {
            let newest = self.files()?.iter().map(|kept| kept.id).max().unwrap_or(0);
            let id = least.max(newest + 1 + free);
            if id > MAX_ID {
                return Err(ChangeError::Usage(format!(
                    "{}: no number is left for another result: move away the results with the largest numbers",
                    safe_text(&self.folder.to_string_lossy())
                )));
            }
            if let Some(id) = self.save_as(wanted, id)? {
                return Ok(id);
            }
            least = id + 1;
        }
    }

    /// Removes files that killed processes left unfinished.
    fn remove_partial_files(&self) -> ChangeAttempt<()> {
        let names = self.names()?;
        for name in names.iter().filter(|name| is_partial_file(name)) {
            own_file::remove_leftover(&self.folder.join(OsStr::from_bytes(name)));
        }
        Ok(())
    }

    /// Stores a result under this number, unless the number is taken by another result. The unfinished
    /// file reserves the number until it is renamed, so a later process sees one of the two.
    pub fn save_as(&self, wanted: &mut impl Storable, id: u64) -> ChangeAttempt<Option<u64>> {
        let new = self.folder.join(format!(".{id}{NEW}"));
        let claimed = own_file::lock_file(&new).map_err(|error| ChangeError::file(&new, error));
        let Some(file) = claimed? else { return Ok(None) };
        let before = std::mem::replace(wanted.id(), id);
        let kept = self.write(wanted, before == id, (file, &new));
        if !matches!(kept, Ok(true)) {
            *wanted.id() = before;
            let _ = own_file::remove_file(&new);
        }
        kept.map(|is_kept| is_kept.then_some(id))
    }

    /// Writes a result into this file and renames it, unless another result has its number. A result that
    /// is stored already is replaced.
    fn write(
        &self,
        wanted: &mut impl Storable,
        is_stored: bool,
        new: (File, &Path),
    ) -> ChangeAttempt<bool> {
        let id = *wanted.id();
        if !is_stored && self.files()?.iter().any(|kept| kept.id == id) {
            return Ok(false);
        }
        let path = self.folder.join(file_name(id, wanted.title()));
        let failed = |why: String| ChangeError::file(&path, why);
        let mut bytes = serde_json::to_vec(wanted).map_err(|error| failed(error.to_string()))?;
        bytes.push(b'\n');
        if bytes.len() > MAX_FILE_BYTES {
            let why = format!(
                "the result has {} bytes, more than the limit of {MAX_FILE_BYTES}",
                bytes.len()
            );
            return Err(failed(why));
        }
        let (mut file, new) = new;
        let written = file.write_all(&bytes).and_then(|()| file.sync_all());
        written.map_err(|error| failed(error.to_string()))?;
        own_file::rename(new, &path).map_err(|error| failed(error.to_string()))?;
        Ok(true)
    }

    /// Lists summaries of all results, newest first.
    pub fn list(&self) -> ChangeAttempt<Vec<ResultEntry>> {
        Ok(self.files()?.iter().map(|kept| self.entry(kept)).collect())
    }

    fn entry(&self, kept: &ResultFile) -> ResultEntry {
        ResultEntry {
            id: kept.id,
            file: Name::new(kept.name.clone()),
            short: self.load(kept).map(|kept| match &kept {
                StoredResult::Run(run) => ResultSummary::from_run(run),
                StoredResult::Experiment(experiment, _) => {
                    ResultSummary::from_experiment(experiment)
                }
            }),
        }
    }

    /// Reads the result with this number.
    pub fn read(&self, id: u64) -> ChangeAttempt<StoredResult> {
        let kept = self.find(id)?;
        let read = self.load(&kept).into_result();
        read.map_err(|missing| ChangeError::file(&self.path(&kept), missing.why()))
    }

    /// Reads the run with this number.
    pub fn run(&self, id: u64) -> ChangeAttempt<Run> {
        expect_run(self.read(id)?)
    }

    /// Reads the experiment with this number, if it is one.
    pub fn experiment(&self, id: u64) -> Option<Experiment> {
        match self.read(id).ok()? {
            StoredResult::Experiment(experiment, _) => Some(*experiment),
            StoredResult::Run(_) => None,
        }
    }

    /// The number of this run, if it is still stored under it.
    pub fn stored_id(&self, run: &Run) -> Option<u64> {
        self.run(run.id).is_ok_and(|kept| kept == *run).then_some(run.id)
    }

    /// Checks that a result with this number exists, readable or not.
    pub fn check_exists(&self, id: u64) -> ChangeAttempt<()> {
        self.find(id).map(drop)
    }

    /// Removes the result with this number.
    pub fn remove(&self, id: u64) -> ChangeAttempt<()> {
        let path = self.path(&self.find(id)?);
        own_file::remove_file(&path).map_err(|error| ChangeError::file(&path, error))
    }

    /// The number of the newest result, or of the n-th before it.
    pub fn last(&self, before: usize) -> ChangeAttempt<u64> {
        let files = self.files()?;
        files.get(before).map(|kept| kept.id).ok_or_else(|| {
            let wanted = if before == 0 { "last".to_owned() } else { format!("last~{before}") };
            self.no_result(&wanted, &files)
        })
    }

    fn find(&self, id: u64) -> ChangeAttempt<ResultFile> {
        let files = self.files()?;
        let found = files.iter().find(|kept| kept.id == id).cloned();
        found.ok_or_else(|| self.no_result(&id.to_string(), &files))
    }

    fn no_result(&self, wanted: &str, files: &[ResultFile]) -> ChangeError {
        let available = self.describe_available(files);
        ChangeError::Usage(format!("there is no result {wanted}; {available}"))
    }

    /// Reads a result file. A path without `/` and `.` that does not exist was probably meant as a
    /// number.
    pub fn read_file(&self, path: &Path) -> ChangeAttempt<StoredResult> {
        const NAMED: &str =
            "use the number of a result, last, last~1, or the path of a result file";
        let missing = match load(path).into_result() {
            Ok(kept) => return Ok(kept),
            Err(missing) => missing,
        };
        let word = path.to_string_lossy();
        if matches!(missing, Missing::Absent(_)) && !word.contains(['/', '.']) {
            let (word, which) = (safe_text(&word), self.describe_available(&self.files()?));
            let why = format!("there is no result {word} and no such file; {which}; {NAMED}");
            return Err(ChangeError::Usage(why));
        }
        Err(ChangeError::file(path, format!("{}; {NAMED}", missing.why())))
    }

    /// Describes the results that exist.
    fn describe_available(&self, files: &[ResultFile]) -> String {
        const NAMED: usize = 12;
        let folder = safe_text(&self.folder.to_string_lossy());
        if files.is_empty() {
            return format!("no results are stored in {folder}: swapadm stress run stores them");
        }
        let ids: Vec<String> = files.iter().take(NAMED).map(|kept| kept.id.to_string()).collect();
        let more = if files.len() > NAMED { " and older ones" } else { "" };
        format!("stored results: {}{more} (see swapadm results)", ids.join(", "))
    }

    /// Lists all files with names of results, newest first.
    fn files(&self) -> ChangeAttempt<Vec<ResultFile>> {
        let kept = self
            .names()?
            .into_iter()
            .filter_map(|name| Some(ResultFile { id: parse_id(&name)?, name }));
        let mut kept: Vec<ResultFile> = kept.collect();
        kept.sort_by(|a, b| b.id.cmp(&a.id).then_with(|| a.name.cmp(&b.name)));
        Ok(kept)
    }

    /// Lists the names of all files in the folder.
    fn names(&self) -> ChangeAttempt<Vec<Vec<u8>>> {
        let folder = absolute(&self.folder)?;
        match Root::live().names(&folder).into_result() {
            Ok(names) => Ok(names),
            Err(Missing::Absent(_)) => check_absent(&folder).map(|()| Vec::new()),
            Err(missing) => Err(missing.into()),
        }
    }

    fn path(&self, kept: &ResultFile) -> PathBuf {
        self.folder.join(OsStr::from_bytes(&kept.name))
    }

    fn load(&self, stored: &ResultFile) -> Reading<StoredResult> {
        // A renamed file has its new number.
        load(&self.path(stored)).map(|mut kept| {
            match &mut kept {
                StoredResult::Run(run) => run.id = stored.id,
                StoredResult::Experiment(experiment, _) => experiment.id = stored.id,
            }
            kept
        })
    }
}

/// Returns the run, or an error if the result is an experiment.
pub fn expect_run(kept: StoredResult) -> ChangeAttempt<Run> {
    match kept {
        StoredResult::Run(run) => Ok(*run),
        StoredResult::Experiment(it, _) => Err(ChangeError::Usage(format!(
            "{} is an experiment, but a run is needed: the runs of its cases are {}",
            safe_text(&it.title),
            it.run_numbers()
        ))),
    }
}

/// Reads a result file anywhere.
pub fn load(path: &Path) -> Reading<StoredResult> {
    let path = match absolute(path) {
        Ok(path) => path,
        Err(failure) => return Reading::failed(failure.to_string()),
    };
    Root::live().read_head(&path, MAX_FILE_BYTES + 1).and_then(|bytes| match parse(&bytes) {
        Ok(kept) => Reading::Known(kept),
        Err(why) => Reading::failed(why),
    })
}

/// The part of a document that is read first, because the rest depends on its version.
#[derive(serde::Deserialize)]
struct DocumentHeader {
    schema: u32,
    /// Present in experiments only.
    cases: Option<serde::de::IgnoredAny>,
    /// Figures published by others, stored with some experiments.
    published: Option<serde_json::Value>,
}

fn parse(bytes: &[u8]) -> Result<StoredResult, String> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(format!("the file is larger than {MAX_FILE_BYTES} bytes"));
    }
    let form: DocumentHeader =
        serde_json::from_slice(bytes).map_err(|error| parse_failure(&error))?;
    let known = if form.cases.is_some() { experiment::SCHEMA } else { run::SCHEMA };
    if form.schema != known {
        return Err(format!(
            "the file has format version {}, but this swapadm reads version {known}: use the swapadm that wrote it",
            form.schema
        ));
    }
    let kept = match form.cases {
        Some(_) => serde_json::from_slice(bytes)
            .map(|it| StoredResult::Experiment(Box::new(it), parse_beside(form.published))),
        None => serde_json::from_slice(bytes).map(|it| StoredResult::Run(Box::new(it))),
    };
    kept.map_err(|error| parse_failure(&error))
}

/// The published figures. If they are not valid, the rest of the result is shown without them.
fn parse_beside(published: Option<serde_json::Value>) -> ExperimentExtras {
    ExperimentExtras {
        published: published.and_then(|published| serde_json::from_value(published).ok()),
    }
}

fn parse_failure(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return format!("the file is incomplete: {error}");
    }
    format!("not a result of swapadm: {}", safe_text(&error.to_string()))
}

fn absolute(path: &Path) -> ChangeAttempt<PathBuf> {
    own_file::resolve_links(path).map_err(|error| ChangeError::file(path, error))
}

/// A missing folder is an empty store; anything other than a folder is an error.
fn check_absent(folder: &Path) -> ChangeAttempt<()> {
    match fs::symlink_metadata(folder) {
        Ok(_) => Err(ChangeError::file(folder, "not a directory")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(ChangeError::file(folder, error)),
    }
}

/// The number in the name of a result file.
fn parse_id(name: &[u8]) -> Option<u64> {
    let name = name.strip_suffix(ENDING.as_bytes())?;
    let digits = name.split(|byte| *byte == b'-').next()?;
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let id = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (1..=MAX_ID).contains(&id).then_some(id)
}

/// Whether this is the name of an unfinished file.
fn is_partial_file(name: &[u8]) -> bool {
    let digits = name.strip_prefix(b".").and_then(|rest| rest.strip_suffix(NEW.as_bytes()));
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// The name of a result file. Only plain characters of the title are used.
fn file_name(id: u64, title: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
    let title: String = title.chars().map(plain).take(MAX_TITLE).collect();
    match title.trim_matches(['-', '.']) {
        "" => format!("{id}{ENDING}"),
        title => format!("{id}-{title}{ENDING}"),
    }
}

/// Summaries of results by file name, kept between two listings.
#[derive(Debug, Default)]
pub struct ResultCache(Mutex<BTreeMap<Vec<u8>, (FileStamp, ResultEntry)>>);

/// Inode, size and modification time, which tell a file from another with the same name.
type FileStamp = (u64, u64, i64, i64);

impl ResultCache {
    /// Lists summaries of all results, newest first, and reads only new files.
    pub fn list(&self, store: &Store) -> ChangeAttempt<Vec<ResultEntry>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let files = store.files()?;
        known.retain(|name, _| files.iter().any(|kept| kept.name == *name));
        let mut entry = |kept: &ResultFile| {
            let mark = file_mark(store, kept);
            let same = known.get(&kept.name).filter(|(before, _)| Some(*before) == mark);
            if let Some((_, entry)) = same {
                return entry.clone();
            }
            let entry = store.entry(kept);
            known.extend(mark.map(|mark| (kept.name.clone(), (mark, entry.clone()))));
            entry
        };
        Ok(files.iter().map(&mut entry).collect())
    }
}

fn file_mark(store: &Store, kept: &ResultFile) -> Option<FileStamp> {
    let file = store.path(kept).metadata().ok()?;
    Some((file.ino(), file.size(), file.mtime(), file.mtime_nsec()))
}

#[cfg(test)]
mod tests;
