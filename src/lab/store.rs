//! Where results are kept: a folder with a file of JSON for each run and for each experiment.
//!
//! Files are for people too: `12-balance.json`. The number is what the file is called by. What
//! is kept appears whole under its name or not at all, and two that are kept at the same moment get
//! different numbers. What others put there is read with bounds, and told where it makes no sense.

use super::LabError;
use crate::derive::lab::{ResultEntry, ResultSummary};
use crate::model::experiment::{self, ExperimentExtras, Experiment, StoredResult, Published};
use crate::model::name::safe_text;
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

/// No larger file is read: a run of an hour with hundreds of processes has less.
const MAX_FILE_BYTES: usize = 64 << 20;
/// Larger numbers are none that we gave.
const MAX_ID: u64 = u32::MAX as u64;
/// So many letters of a title stand in the name of a file.
const MAX_TITLE: usize = 48;
const ENDING: &str = ".json";
/// The ending of one that is written.
const NEW: &str = ".new";

/// The folder.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// A file of it.
#[derive(Clone, Debug)]
struct ResultFile {
    id: u64,
    name: Vec<u8>,
}

/// What can be kept.
pub trait Storable: serde::Serialize {
    /// Its number.
    fn id(&mut self) -> &mut u64;
    /// What it is called.
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

/// An experiment, with what its file says that others have published.
#[derive(serde::Serialize)]
pub struct ExperimentToStore<'e> {
    /// What was measured.
    #[serde(flatten)]
    pub experiment: &'e mut Experiment,
    /// What others have published.
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
    /// The one in this folder, which need not be there yet.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The one in a folder for what this program keeps, or in another one that is named.
    pub fn locate(state: Option<&Path>, named: Option<&Path>) -> Result<Self, LabError> {
        let own = || state.map(|state| state.join("results"));
        let folder = named.map(Path::to_owned).or_else(own);
        folder.map(|folder| Self { folder }).ok_or_else(|| {
            let why = "there is no folder to keep results in: set HOME, XDG_STATE_HOME or \
                       SWAPADM_RESULTS to an absolute path";
            LabError::Invalid(why.to_owned())
        })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keep it under the next number, which it is given too.
    pub fn save(&self, wanted: &mut impl Storable) -> Result<u64, LabError> {
        own_file::create_folders(&self.folder)
            .map_err(|error| LabError::file(&self.folder, error))?;
        self.remove_partial_files()?;
        let mut least = 1;
        loop {
            let newest = self.files()?.iter().map(|kept| kept.id).max().unwrap_or(0);
            let id = least.max(newest + 1);
            if id > MAX_ID {
                return Err(LabError::Invalid(format!(
                    "{}: no number is left for another result: move those with large numbers away",
                    safe_text(&self.folder.to_string_lossy())
                )));
            }
            if let Some(id) = self.save_as(wanted, id)? {
                return Ok(id);
            }
            least = id + 1;
        }
    }

    /// Remove what others began to write who were killed.
    fn remove_partial_files(&self) -> Result<(), LabError> {
        let names = self.names()?;
        for name in names.iter().filter(|name| is_partial_file(name)) {
            own_file::remove_leftover(&self.folder.join(OsStr::from_bytes(name)));
        }
        Ok(())
    }

    /// Under this number, if nobody else takes it. The file that is written into holds the number
    /// until it has its name: whoever comes later sees one of them.
    fn save_as(&self, wanted: &mut impl Storable, id: u64) -> Result<Option<u64>, LabError> {
        let new = self.folder.join(format!(".{id}{NEW}"));
        let claimed = own_file::lock_file(&new).map_err(|error| LabError::file(&new, error));
        let Some(file) = claimed? else { return Ok(None) };
        let kept = self.write(wanted, id, (file, &new));
        if !matches!(kept, Ok(true)) {
            *wanted.id() = 0;
            let _ = fs::remove_file(&new);
        }
        kept.map(|is_kept| is_kept.then_some(id))
    }

    /// Write it into this file and give that its name; not if the number has been taken.
    fn write(&self, wanted: &mut impl Storable, id: u64, new: (File, &Path)) -> Result<bool, LabError> {
        if self.files()?.iter().any(|kept| kept.id == id) {
            return Ok(false);
        }
        *wanted.id() = id;
        let path = self.folder.join(file_name(id, wanted.title()));
        let failed = |why: String| LabError::file(&path, why);
        let mut bytes = serde_json::to_vec(wanted).map_err(|error| failed(error.to_string()))?;
        bytes.push(b'\n');
        if bytes.len() > MAX_FILE_BYTES {
            let why =
                format!("it would have {} bytes, and no more than {MAX_FILE_BYTES} are read", bytes.len());
            return Err(failed(why));
        }
        let (mut file, new) = new;
        let written = file.write_all(&bytes).and_then(|()| file.sync_all());
        written.map_err(|error| failed(error.to_string()))?;
        own_file::rename(new, &path).map_err(|error| failed(error.to_string()))?;
        Ok(true)
    }

    /// All that is kept, newest first, each in short.
    pub fn list(&self) -> Result<Vec<ResultEntry>, LabError> {
        Ok(self.files()?.iter().map(|kept| self.entry(kept)).collect())
    }

    fn entry(&self, kept: &ResultFile) -> ResultEntry {
        ResultEntry {
            id: kept.id,
            file: Name::new(kept.name.clone()),
            short: self.load(kept).map(|kept| match &kept {
                StoredResult::Run(run) => ResultSummary::from_run(run),
                StoredResult::Experiment(experiment, _) => ResultSummary::from_experiment(experiment),
            }),
        }
    }

    /// What is kept under this number.
    pub fn read(&self, id: u64) -> Result<StoredResult, LabError> {
        let kept = self.find(id)?;
        let read = self.load(&kept).into_result();
        read.map_err(|missing| LabError::file(&self.path(&kept), missing.why()))
    }

    /// The run with this number.
    pub fn run(&self, id: u64) -> Result<Run, LabError> {
        expect_run(self.read(id)?)
    }

    /// The experiment with this number, if it is one that can be read.
    pub fn experiment(&self, id: u64) -> Option<Experiment> {
        match self.read(id).ok()? {
            StoredResult::Experiment(experiment, _) => Some(*experiment),
            StoredResult::Run(_) => None,
        }
    }

    /// The number of this run, if it is kept under that still, and not another one.
    pub fn stored_id(&self, run: &Run) -> Option<u64> {
        self.run(run.id).is_ok_and(|kept| kept == *run).then_some(run.id)
    }

    /// Is there something with this number, readable or not?
    pub fn check_exists(&self, id: u64) -> Result<(), LabError> {
        self.find(id).map(drop)
    }

    /// Remove what has this number.
    pub fn remove(&self, id: u64) -> Result<(), LabError> {
        let path = self.path(&self.find(id)?);
        fs::remove_file(&path).map_err(|error| LabError::file(&path, error))
    }

    /// The number of the newest result, or of the one so many before it.
    pub fn last(&self, before: usize) -> Result<u64, LabError> {
        let files = self.files()?;
        files.get(before).map(|kept| kept.id).ok_or_else(|| {
            let wanted = if before == 0 { "last".to_owned() } else { format!("last~{before}") };
            LabError::Invalid(format!("there is no result {wanted}; {}", self.describe_available(&files)))
        })
    }

    fn find(&self, id: u64) -> Result<ResultFile, LabError> {
        let files = self.files()?;
        let found = files.iter().find(|kept| kept.id == id).cloned();
        found.ok_or_else(|| {
            LabError::Invalid(format!("there is no result {id}; {}", self.describe_available(&files)))
        })
    }

    /// What this file holds. A word that stands for no file was meant to name a result.
    pub fn read_file(&self, path: &Path) -> Result<StoredResult, LabError> {
        const NAMED: &str = "a result is named by its number, by last or last~1, or by a file";
        let missing = match load(path).into_result() {
            Ok(kept) => return Ok(kept),
            Err(missing) => missing,
        };
        let word = path.to_string_lossy();
        if matches!(missing, Missing::Absent(_)) && !word.contains(['/', '.']) {
            let (word, which) = (safe_text(&word), self.describe_available(&self.files()?));
            let why =
                format!("there is no result {word}, and no file of that name; {which}; {NAMED}");
            return Err(LabError::Invalid(why));
        }
        Err(LabError::file(path, format!("{}; {NAMED}", missing.why())))
    }

    /// What there is instead.
    fn describe_available(&self, files: &[ResultFile]) -> String {
        const NAMED: usize = 12;
        let folder = safe_text(&self.folder.to_string_lossy());
        if files.is_empty() {
            return format!("none is kept in {folder}: swapadm stress keeps those of its runs");
        }
        let ids: Vec<String> = files.iter().take(NAMED).map(|kept| kept.id.to_string()).collect();
        let more = if files.len() > NAMED { " and older ones" } else { "" };
        format!("there are {}{more}: swapadm results lists them", ids.join(", "))
    }

    /// All files that are called as ours are, newest first.
    fn files(&self) -> Result<Vec<ResultFile>, LabError> {
        let kept =
            self.names()?.into_iter().filter_map(|name| Some(ResultFile { id: parse_id(&name)?, name }));
        let mut kept: Vec<ResultFile> = kept.collect();
        kept.sort_by(|a, b| b.id.cmp(&a.id).then_with(|| a.name.cmp(&b.name)));
        Ok(kept)
    }

    /// The names of all that is in the folder.
    fn names(&self) -> Result<Vec<Vec<u8>>, LabError> {
        let folder = absolute(&self.folder)?;
        match Root::live().names(&folder).into_result() {
            Ok(names) => Ok(names),
            Err(Missing::Absent(_)) => check_absent(&folder).map(|()| Vec::new()),
            Err(missing) => Err(LabError::Unreadable(missing.why())),
        }
    }

    fn path(&self, kept: &ResultFile) -> PathBuf {
        self.folder.join(OsStr::from_bytes(&kept.name))
    }

    fn load(&self, stored: &ResultFile) -> Reading<StoredResult> {
        // A file that somebody renamed is known by its new number.
        load(&self.path(stored)).map(|mut kept| {
            match &mut kept {
                StoredResult::Run(run) => run.id = stored.id,
                StoredResult::Experiment(experiment, _) => experiment.id = stored.id,
            }
            kept
        })
    }
}

/// A run, where nothing else will do.
pub fn expect_run(kept: StoredResult) -> Result<Run, LabError> {
    match kept {
        StoredResult::Run(run) => Ok(*run),
        StoredResult::Experiment(it, _) => Err(LabError::Invalid(format!(
            "{} is an experiment, and this takes a run: those of its cases are {}",
            safe_text(&it.title),
            it.run_numbers()
        ))),
    }
}

/// What a file holds, wherever it is.
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

/// The form of a document, which is looked at first: a later one may have another in all the rest.
#[derive(serde::Deserialize)]
struct DocumentHeader {
    schema: u32,
    /// Only an experiment has them.
    cases: Option<serde::de::IgnoredAny>,
    /// What others have published, which some of them have beside what was measured.
    published: Option<serde_json::Value>,
}

fn parse(bytes: &[u8]) -> Result<StoredResult, String> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(format!("it is larger than {MAX_FILE_BYTES} bytes"));
    }
    let form: DocumentHeader = serde_json::from_slice(bytes).map_err(|error| parse_failure(&error))?;
    let known = if form.cases.is_some() { experiment::SCHEMA } else { run::SCHEMA };
    if form.schema != known {
        return Err(format!(
            "it has form {}, and this swapadm reads form {known}: use the one that wrote it",
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

/// What stands beside what was measured. Where it makes no sense the rest is shown all the same.
fn parse_beside(published: Option<serde_json::Value>) -> ExperimentExtras {
    ExperimentExtras { published: published.and_then(|published| serde_json::from_value(published).ok()) }
}

fn parse_failure(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return format!("it is cut off: {error}");
    }
    format!("it is no result of swapadm: {}", safe_text(&error.to_string()))
}

fn absolute(path: &Path) -> Result<PathBuf, LabError> {
    own_file::resolve_links(path).map_err(|error| LabError::file(path, error))
}

/// In a folder that is not there nothing is kept yet; what is no folder is a mistake.
fn check_absent(folder: &Path) -> Result<(), LabError> {
    match fs::symlink_metadata(folder) {
        Ok(_) => Err(LabError::file(folder, "it is no folder")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(LabError::file(folder, error)),
    }
}

/// The number in the name of a file of ours.
fn parse_id(name: &[u8]) -> Option<u64> {
    let name = name.strip_suffix(ENDING.as_bytes())?;
    let digits = name.split(|byte| *byte == b'-').next()?;
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let id = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (1..=MAX_ID).contains(&id).then_some(id)
}

/// Is it the name of a file that one of ours is written into?
fn is_partial_file(name: &[u8]) -> bool {
    let digits = name.strip_prefix(b".").and_then(|rest| rest.strip_suffix(NEW.as_bytes()));
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// What something is kept as. Only plain letters of its title go there.
fn file_name(id: u64, title: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
    let title: String = title.chars().map(plain).take(MAX_TITLE).collect();
    match title.trim_matches(['-', '.']) {
        "" => format!("{id}{ENDING}"),
        title => format!("{id}-{title}{ENDING}"),
    }
}

/// Files by their names, as they were read last.
#[derive(Debug, Default)]
pub struct ResultCache(Mutex<BTreeMap<Vec<u8>, (FileStamp, ResultEntry)>>);

/// What tells a file from another one that has got its name: its number, its size and when it was
/// written.
type FileStamp = (u64, u64, i64, i64);

impl ResultCache {
    /// All that is kept, newest first, each in short.
    pub fn list(&self, store: &Store) -> Result<Vec<ResultEntry>, LabError> {
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
