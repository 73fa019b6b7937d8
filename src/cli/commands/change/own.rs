//! Loads and experiments of one's own: files in two folders beside the one of settings, each known
//! by its name there. What is built in keeps its names.

use crate::cli::options::Environment;
use crate::cli::out;
use crate::lab::experiment;
use crate::lab::load;
use crate::model::Missing;
use crate::model::name::safe_text;
use crate::root::Root;
use std::path::{Path, PathBuf};

/// How the name of such a file ends.
const ENDING: &str = ".toml";

/// All that a person has.
#[derive(Clone, Debug)]
pub(super) struct Own {
    /// Loads.
    pub(super) loads: Shelf,
    /// Experiments.
    pub(super) experiments: Shelf,
}

impl Own {
    /// What this environment leads to.
    pub(super) fn of(environment: &Environment) -> Self {
        let beside = environment.config.as_deref().and_then(Path::parent);
        let folder = |name: &str| beside.map(|folder| folder.join(name));
        Self {
            loads: Shelf {
                folder: folder("loads"),
                is_built_in: |name| load::builtin::builtin().any(|known| known.name == name),
            },
            experiments: Shelf {
                folder: folder("experiments"),
                is_built_in: |name| experiment::builtin::find(name).is_some(),
            },
        }
    }
}

/// A folder of files, which need not be there.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    /// None without a home folder.
    folder: Option<PathBuf>,
    /// Does what is built in have this name?
    is_built_in: fn(&str) -> bool,
}

/// A file in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnFile {
    /// What it is known by.
    pub(super) name: String,
    /// Where it is.
    pub(super) path: PathBuf,
}

impl OwnFile {
    /// Where it is, for people.
    pub(super) fn shown(&self) -> String {
        safe_text(&self.path.to_string_lossy())
    }
}

impl Shelf {
    /// All files, by their names, also those whose name is taken.
    ///
    /// # Errors
    /// Why the folder cannot be read, where it is there.
    fn files(&self) -> Result<Vec<OwnFile>, String> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let real = out::behind_links(folder).map_err(|error| {
            format!("{} cannot be read: {error}", safe_text(&folder.to_string_lossy()))
        })?;
        match Root::live().names(real).into_result() {
            Ok(names) => {
                let file = |name: &Vec<u8>| {
                    let name = known_as(name)?;
                    let path = folder.join(format!("{name}{ENDING}"));
                    Some(OwnFile { name, path })
                };
                Ok(names.iter().filter_map(file).collect())
            }
            Err(Missing::Absent(_)) => Ok(Vec::new()),
            Err(missing) => Err(missing.why()),
        }
    }

    /// The one of this name.
    pub(super) fn find(&self, name: &str) -> Option<OwnFile> {
        self.listed().0.into_iter().find(|file| file.name == name)
    }

    /// The names of all.
    pub(super) fn names(&self) -> Vec<String> {
        self.listed().0.into_iter().map(|file| file.name).collect()
    }

    /// Which there are, behind those that are built in; nothing where there is none.
    pub(super) fn words(&self) -> String {
        if let Err(why) = self.files() {
            return format!("; none of your own can be told: {why}");
        }
        let names: Vec<String> = self.names().iter().map(|name| safe_text(name)).collect();
        if names.is_empty() {
            return String::new();
        }
        format!("; of your own there are {}", names.join(", "))
    }

    /// Those that have a name of their own, and what is to be said of the others.
    pub(super) fn listed(&self) -> (Vec<OwnFile>, Vec<String>) {
        let files = match self.files() {
            Ok(files) => files,
            Err(why) => return (Vec::new(), vec![why]),
        };
        let (shadowed, own): (Vec<OwnFile>, Vec<OwnFile>) =
            files.into_iter().partition(|file| (self.is_built_in)(&file.name));
        let word = |file: OwnFile| {
            format!(
                "{} is not known as {}, which is built in: give the file another name, or name its path",
                file.shown(),
                safe_text(&file.name)
            )
        };
        (own, shadowed.into_iter().map(word).collect())
    }
}

/// What a file of this name is known by. Hidden files are none, and what looks like an option or
/// like a path could not be typed.
fn known_as(file: &[u8]) -> Option<String> {
    let stem = std::str::from_utf8(file).ok()?.strip_suffix(ENDING)?;
    let is_name = !stem.is_empty() && !stem.starts_with(['.', '-']) && !stem.ends_with(ENDING);
    is_name.then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_what_can_be_typed() {
        for (file, name) in
            [("mine.toml", "mine"), ("my load.toml", "my load"), ("a.b.toml", "a.b")]
        {
            assert_eq!(known_as(file.as_bytes()).as_deref(), Some(name));
        }
        let others = [".toml", ".hidden.toml", "-x.toml", "x.toml.toml", "x.toml~", "x.txt", "x"];
        for file in others {
            assert_eq!(known_as(file.as_bytes()), None, "{file}");
        }
        assert_eq!(known_as(b"\xff.toml"), None);
    }
}
