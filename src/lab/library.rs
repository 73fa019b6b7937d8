//! Workloads and experiments that can be named: built-in ones, and files of the user in two folders
//! next to the settings file. A file is named without its ending; built-in names take precedence.

use super::builtin::{self, Builtin};
use super::load::file::SourceText;
use crate::change::{ChangeAttempt, ChangeError};
use crate::config;
use crate::model::load::Workload;
use crate::model::name::safe_text;
use crate::model::text::did_you_mean;
use crate::model::{Missing, Reading, worded_enum};
use crate::root::Root;
use crate::sys::own_file;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The ending of the files.
const ENDING: &str = ".toml";

/// The files of a user.
#[derive(Clone, Debug)]
pub struct UserFiles {
    /// Workloads.
    pub loads: LibraryFolder,
    /// Experiments.
    pub experiments: LibraryFolder,
}

impl UserFiles {
    /// Finds the folders next to a settings file, if there is one.
    pub fn next_to(settings: Option<&Path>) -> Self {
        let beside = settings.and_then(Path::parent);
        let folder =
            |name: &str, kind| LibraryFolder { path: beside.map(|it| it.join(name)), kind };
        Self {
            loads: folder("loads", FileKind::Load),
            experiments: folder("experiments", FileKind::Experiment),
        }
    }
}

worded_enum! {
    /// The kind of files in a folder.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum FileKind {
        Load = "workload",
        Experiment = "experiment",
    }
}

/// A folder of user files, which may be missing, and the built-in ones of the same kind.
#[derive(Clone, Debug)]
pub struct LibraryFolder {
    /// None without a home folder.
    path: Option<PathBuf>,
    kind: FileKind,
}

/// A file of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// The name of the workload or the experiment.
    pub name: String,
    path: PathBuf,
}

impl UserFile {
    /// The path for messages.
    pub fn display_path(&self) -> String {
        safe_text(&self.path.to_string_lossy())
    }

    /// Reads the file.
    pub fn source(&self, of: &LibraryFolder) -> ChangeAttempt<SourceText> {
        of.read((self.name.clone(), self.display_path()), &self.path)
    }
}

impl LibraryFolder {
    /// Reads the text of a path (with a / or .toml) or of a name.
    pub fn source(&self, named: &OsStr) -> ChangeAttempt<SourceText> {
        let name = safe_text(&named.to_string_lossy());
        if !is_path(named) {
            return self.by_name(&name);
        }
        let path = Path::new(named);
        let stem = path.file_stem().filter(|_| self.kind == FileKind::Experiment);
        let called = stem.map(|stem| safe_text(&stem.to_string_lossy()));
        self.read((called.unwrap_or_else(|| name.clone()), name), path)
    }

    /// Reads the workload of a path or of a name, as it is in its file.
    pub fn workload(&self, named: &OsStr) -> ChangeAttempt<Workload> {
        Ok(self.source(named)?.load(&[])?.0)
    }

    /// Reads the text of a name.
    pub fn by_name(&self, name: &str) -> ChangeAttempt<SourceText> {
        match self.built_in(name) {
            Some(source) => Ok(source),
            None => self.find(name).ok_or_else(|| self.unknown_name(name))?.source(self),
        }
    }

    /// The built-in ones of the same kind.
    pub fn all_built_in(&self) -> &'static [Builtin] {
        match self.kind {
            FileKind::Load => builtin::LOADS,
            FileKind::Experiment => builtin::EXPERIMENTS,
        }
    }

    fn built_in(&self, name: &str) -> Option<SourceText> {
        builtin::find(self.all_built_in(), name).map(Builtin::source)
    }

    fn read(&self, (name, file): (String, String), path: &Path) -> ChangeAttempt<SourceText> {
        let (a, command) = match self.kind {
            FileKind::Load => ("a workload", "stress"),
            FileKind::Experiment => ("an experiment", "experiment"),
        };
        let rather = format!(
            "use {a} that swapadm {command} list shows, or a file in the form that swapadm {command} show prints"
        );
        read_text(path, (name, file), &rather)
    }

    /// Describes an unknown name, and lists the known ones.
    fn unknown_name(&self, name: &str) -> ChangeError {
        let safe = safe_text(name);
        let path = match self.kind {
            FileKind::Load => format!("{safe}.toml"),
            FileKind::Experiment => "mine.toml".to_owned(),
        };
        let (noun, known, own) = (self.kind.word(), self.all_built_in(), self.list().0);
        let all = known.iter().map(|it| it.name).chain(own.iter().map(|it| it.name.as_str()));
        let shown: Vec<String> = known.iter().map(Builtin::to_string).collect();
        let meant = did_you_mean(name, all);
        let the = if meant.is_empty() { ": the" } else { " The" };
        ChangeError::Usage(format!(
            "unknown {noun} \"{safe}\"{meant}{the} built-in ones are {}{}; for a file of your own give its path, such as ./{path}",
            shown.join(", "),
            self.describe_own_files(),
        ))
    }

    /// Lists all files by name, including those with a built-in name, or says why the folder cannot
    /// be read.
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

    /// Lists the names of the user's files, as the end of a sentence about the built-in ones.
    fn describe_own_files(&self) -> String {
        if let Err(why) = self.files() {
            return format!("; your own files could not be listed: {why}");
        }
        let names: Vec<String> = self.list().0.iter().map(|it| safe_text(&it.name)).collect();
        if names.is_empty() {
            return String::new();
        }
        format!("; your own are {}", names.join(", "))
    }

    /// Lists the files whose names are free, and remarks about the others.
    pub fn list(&self) -> (Vec<UserFile>, Vec<String>) {
        let files = match self.files() {
            Ok(files) => files,
            Err(why) => return (Vec::new(), vec![why]),
        };
        let (shadowed, own): (Vec<UserFile>, Vec<UserFile>) =
            files.into_iter().partition(|file| self.built_in(&file.name).is_some());
        let word = |file: UserFile| {
            format!(
                "{} has the name of the built-in {}: rename the file, or use its path",
                file.display_path(),
                safe_text(&file.name)
            )
        };
        (own, shadowed.into_iter().map(word).collect())
    }
}

/// Whether a file is named, by a path with a / or .toml, instead of something built in.
pub fn is_path(named: &OsStr) -> bool {
    named.as_bytes().contains(&b'/') || named.as_bytes().ends_with(ENDING.as_bytes())
}

/// Reads the text of a file, with the name of its content and its name in errors.
pub fn read_text(
    path: &Path,
    (name, file): (String, String),
    rather: &str,
) -> ChangeAttempt<SourceText> {
    let bytes = read_file(path, config::MAX_FILE_BYTES, rather)?;
    let text = config::decode(&file, &bytes).map_err(|problem| vec![problem])?.to_owned();
    Ok(SourceText { name, file, text })
}

/// Reads a file of this machine, up to one byte more than the largest size. `rather` says what to
/// use instead if this is not such a file.
pub fn read_file(path: &Path, largest: usize, rather: &str) -> ChangeAttempt<Vec<u8>> {
    let path = std::path::absolute(path).map_err(|error| ChangeError::file(path, error))?;
    match Root::live().read_head(&path, largest + 1) {
        Reading::Known(bytes) => Ok(bytes),
        Reading::Missing { missing: missing @ Missing::Absent(_) } => {
            Err(ChangeError::Usage(format!("{}: {rather}", missing.why())))
        }
        Reading::Missing { .. } if Root::live().names(&path).known().is_some() => {
            let shown = safe_text(&path.to_string_lossy());
            Err(ChangeError::Usage(format!("{shown} is a directory: {rather}")))
        }
        Reading::Missing { missing } => Err(missing.into()),
    }
}

/// The name of a workload or an experiment in a file. Hidden files have no name, nor do those that
/// look like an option or a path, which could not be typed.
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
        assert!(unknown("usemen").contains("\"usemen\"; did you mean usemem? The built-in"));
        assert!(unknown("x").ends_with("such as ./x.toml"));
        let why = experiments.by_name("ballance").unwrap_err().to_string();
        assert!(why.contains("balance (A)") && why.contains("./mine.toml"), "{why}");
        assert!(why.contains("; did you mean balance? The built-in"), "{why}");
        assert_eq!(experiments.by_name("a").unwrap().name, "balance");
    }
}
