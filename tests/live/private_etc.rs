//! A private `/etc` for several commands.

use crate::lab::Lab;
use crate::mounts::{Mount, Mounts};
use crate::program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The namespace, and the folder that is `/etc` in it.
pub(crate) struct PrivateEtc<'l> {
    lab: &'l Lab,
    /// The folder of `/etc`.
    pub(crate) etc: PathBuf,
    mounts: Mounts,
}

impl<'l> PrivateEtc<'l> {
    /// Creates an `/etc` with only these files.
    pub(crate) fn new(lab: &'l Lab, files: &[(&str, &str)]) -> Result<Self, String> {
        let etc = lab.scratch.file("etc");
        let _ = fs::remove_dir_all(&etc);
        fs::create_dir_all(&etc).expect("a folder");
        let mounts = Mounts::new(&[Mount::Bind(&etc, Path::new("/etc"))])?;
        let room = Self { lab, etc, mounts };
        for (name, text) in files {
            room.write(name, text);
        }
        Ok(room)
    }

    /// Writes a file below `/etc`.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.etc.join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    /// The content of a file below `/etc`; none if missing.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.etc.join(name)).ok()
    }

    /// The program in the namespace.
    pub(crate) fn swapadm(&self, arguments: &[&str]) -> Command {
        self.mounts.swapadm(self.lab, arguments)
    }

    /// Both outputs, with this exit status.
    pub(crate) fn json_of(&self, arguments: &[&str], code: i32) -> String {
        let output = self.swapadm(arguments).output().expect("the program starts");
        let said = program::describe_failure(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        said
    }
}
