//! The loads and experiments that can be named: built in, or files of a user in two folders beside
//! the file of settings. A file is known by its name there; what is built in keeps its names.

use super::LabError;
use super::builtin::{self, Builtin};
use super::load::file::SourceText;
use crate::config;
use crate::model::name::safe_text;
use crate::model::text::did_you_mean;
use crate::model::{Missing, Reading};
use crate::root::Root;
use crate::sys::own_file;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// How the name of such a file ends.
const ENDING: &str = ".toml";

/// The files of a user.
#[derive(Clone, Debug)]
pub struct UserFiles {
    /// Loads.
    pub loads: LibraryFolder,
    /// Experiments.
    pub experiments: LibraryFolder,
}

impl UserFiles {
    /// Those beside this file of settings, if there is one.
    pub fn next_to(settings: Option<&Path>) -> Self {
        let beside = settings.and_then(Path::parent);
        let folder = |name: &str, kind| LibraryFolder { path: beside.map(|it| it.join(name)), kind };
        Self {
            loads: folder("loads", FileKind::Load),
            experiments: folder("experiments", FileKind::Experiment),
        }
    }
}

/// What the files of a folder hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Load,
    Experiment,
}

impl FileKind {
    const fn noun(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Experiment => "experiment",
        }
    }
}

/// A folder of files, which need not be there, and what is built in of the same kind.
#[derive(Clone, Debug)]
pub struct LibraryFolder {
    /// Nothing without a home folder.
    path: Option<PathBuf>,
    kind: FileKind,
}

/// A file of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// The name it is known by.
    pub name: String,
    path: PathBuf,
}

impl UserFile {
    /// Its path, for people.
    pub fn display_path(&self) -> String {
        safe_text(&self.path.to_string_lossy())
    }

    /// Reads it.
    pub fn source(&self, of: &LibraryFolder) -> Result<SourceText, LabError> {
        of.read((self.name.clone(), self.display_path()), &self.path)
    }
}

impl LibraryFolder {
    /// The text that is named by a path (with a / or .toml), or by a name.
    pub fn source(&self, named: &OsStr) -> Result<SourceText, LabError> {
        let name = safe_text(&named.to_string_lossy());
        let bytes = named.as_bytes();
        if !bytes.contains(&b'/') && !bytes.ends_with(ENDING.as_bytes()) {
            return self.by_name(&name);
        }
        let path = Path::new(named);
        let stem = path.file_stem().filter(|_| self.kind == FileKind::Experiment);
        let called = stem.map(|stem| safe_text(&stem.to_string_lossy()));
        self.read((called.unwrap_or_else(|| name.clone()), name), path)
    }

    /// The text with this name.
    pub fn by_name(&self, name: &str) -> Result<SourceText, LabError> {
        match self.built_in(name) {
            Some(source) => Ok(source),
            None => self.find(name).ok_or_else(|| self.unknown_name(name))?.source(self),
        }
    }

    /// What is built in of the same kind.
    pub fn all_built_in(&self) -> &'static [Builtin] {
        match self.kind {
            FileKind::Load => builtin::LOADS,
            FileKind::Experiment => builtin::EXPERIMENTS,
        }
    }

    fn built_in(&self, name: &str) -> Option<SourceText> {
        builtin::find(self.all_built_in(), name).map(Builtin::source)
    }

    fn read(&self, (name, file): (String, String), path: &Path) -> Result<SourceText, LabError> {
        let (a, command) = match self.kind {
            FileKind::Load => ("a load", "stress"),
            FileKind::Experiment => ("an experiment", "experiment"),
        };
        let rather = format!(
            "{a} is one that is built in, as swapadm {command} list shows, or a file as swapadm {command} show prints one"
        );
        let bytes = read_file(path, config::MAX_FILE_BYTES, &rather)?;
        let text = config::decode(&file, &bytes).map_err(|problem| vec![problem])?.to_owned();
        Ok(SourceText { name, file, text })
    }

    /// That nothing has this name, and what there is.
    fn unknown_name(&self, name: &str) -> LabError {
        let safe = safe_text(name);
        let path = match self.kind {
            FileKind::Load => format!("{safe}.toml"),
            FileKind::Experiment => "mine.toml".to_owned(),
        };
        let (noun, known, own) = (self.kind.noun(), self.all_built_in(), self.list().0);
        let all = known.iter().map(|it| it.name).chain(own.iter().map(|it| it.name.as_str()));
        let shown: Vec<String> = known.iter().map(Builtin::to_string).collect();
        LabError::Invalid(format!(
            "there is no {noun} \"{safe}\": built in are {}{}; a file is named with its path, as ./{path}{}",
            shown.join(", "),
            self.describe_own_files(),
            did_you_mean(name, all)
        ))
    }

    /// All files, by their names, also those whose name is taken; or why the folder cannot be read.
    fn files(&self) -> Result<Vec<UserFile>, String> {
        let Some(folder) = &self.path else { return Ok(Vec::new()) };
        let real = own_file::resolve_links(folder).map_err(|error| {
            format!("{} cannot be read: {error}", safe_text(&folder.to_string_lossy()))
        })?;
        match Root::live().names(real).into_result() {
            Ok(names) => {
                let file = |name: &Vec<u8>| {
                    let name = name_of_file(name)?;
                    let path = folder.join(format!("{name}{ENDING}"));
                    Some(UserFile { name, path })
                };
                Ok(names.iter().filter_map(file).collect())
            }
            Err(Missing::Absent(_)) => Ok(Vec::new()),
            Err(missing) => Err(missing.why()),
        }
    }

    fn find(&self, name: &str) -> Option<UserFile> {
        self.list().0.into_iter().find(|file| file.name == name)
    }

    /// The names of the files, as the end of a sentence about what is built in.
    fn describe_own_files(&self) -> String {
        if let Err(why) = self.files() {
            return format!("; none of your own can be told: {why}");
        }
        let names: Vec<String> = self.list().0.iter().map(|it| safe_text(&it.name)).collect();
        if names.is_empty() {
            return String::new();
        }
        format!("; of your own there are {}", names.join(", "))
    }

    /// The files that have a name of their own, and remarks about the others.
    pub fn list(&self) -> (Vec<UserFile>, Vec<String>) {
        let files = match self.files() {
            Ok(files) => files,
            Err(why) => return (Vec::new(), vec![why]),
        };
        let (shadowed, own): (Vec<UserFile>, Vec<UserFile>) =
            files.into_iter().partition(|file| self.built_in(&file.name).is_some());
        let word = |file: UserFile| {
            format!(
                "{} is not known as {}, which is built in: give the file another name, or name its path",
                file.display_path(),
                safe_text(&file.name)
            )
        };
        (own, shadowed.into_iter().map(word).collect())
    }
}

/// Reads a file of this machine, but no more than one byte beyond the largest size. `rather` says
/// what should have been named if it is no such file.
pub fn read_file(path: &Path, largest: usize, rather: &str) -> Result<Vec<u8>, LabError> {
    let path = std::path::absolute(path).map_err(|error| LabError::file(path, error))?;
    match Root::live().read_head(&path, largest + 1) {
        Reading::Known(bytes) => Ok(bytes),
        Reading::Missing { missing: missing @ Missing::Absent(_) } => {
            Err(LabError::Invalid(format!("{}: {rather}", missing.why())))
        }
        Reading::Missing { .. } if Root::live().names(&path).known().is_some() => {
            let shown = safe_text(&path.to_string_lossy());
            Err(LabError::Invalid(format!("{shown} is a folder: {rather}")))
        }
        Reading::Missing { missing } => Err(LabError::Unreadable(missing.why())),
    }
}

/// The name that a file is known by. Hidden files have none, and neither has what looks like an
/// option or a path: it could not be typed.
fn name_of_file(file: &[u8]) -> Option<String> {
    let stem = std::str::from_utf8(file).ok()?.strip_suffix(ENDING)?;
    let is_name = !stem.is_empty() && !stem.starts_with(['.', '-']) && !stem.ends_with(ENDING);
    is_name.then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_that_can_be_typed() {
        for (file, name) in
            [("mine.toml", "mine"), ("my load.toml", "my load"), ("a.b.toml", "a.b")]
        {
            assert_eq!(name_of_file(file.as_bytes()).as_deref(), Some(name));
        }
        let others = [".toml", ".hidden.toml", "-x.toml", "x.toml.toml", "x.toml~", "x.txt", "x"];
        for file in others {
            assert_eq!(name_of_file(file.as_bytes()), None, "{file}");
        }
        assert_eq!(name_of_file(b"\xff.toml"), None);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let UserFiles { loads, experiments } = UserFiles::next_to(None);
        let unknown = |name: &str| loads.by_name(name).unwrap_err().to_string();
        assert!(unknown("usemen").ends_with("as ./usemen.toml; did you mean usemem?"));
        assert!(unknown("x").ends_with("as ./x.toml"));
        let why = experiments.by_name("ballance").unwrap_err().to_string();
        assert!(why.contains("balance (A)") && why.contains("./mine.toml"), "{why}");
        assert!(why.ends_with("; did you mean balance?"), "{why}");
        assert_eq!(experiments.by_name("a").unwrap().name, "balance");
    }
}
