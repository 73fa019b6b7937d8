//! An `/etc` of our own that stays for several commands: a mount namespace that a shell holds.
//!
//! What is switched on in it has its proper name for as long as it is held, and another one after
//! that: so areas have to go before it does.

use crate::lab::{Lab, OURS};
use crate::{program, syscalls};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The namespace, and the folder that is `/etc` there.
pub(crate) struct Room<'l> {
    lab: &'l Lab,
    /// What `/etc` is in it.
    pub(crate) etc: PathBuf,
    holder: Child,
}

impl<'l> Room<'l> {
    /// With these files in `/etc`, and no others.
    pub(crate) fn new(lab: &'l Lab, files: &[(&str, &str)]) -> Result<Self, String> {
        let etc = lab.scratch.file("etc");
        let _ = fs::remove_dir_all(&etc);
        fs::create_dir_all(&etc).expect("a folder");
        let script = format!("mount -o bind {} /etc && echo {OURS} && read end", etc.display());
        let mut holder = Command::new("unshare")
            .args(["-m", "/bin/sh", "-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("unshare cannot be run: {error}"))?;
        let mut answer = String::new();
        let output = holder.stdout.take().expect("a pipe");
        let _ = BufReader::new(output).read_line(&mut answer);
        let room = Self { lab, etc, holder };
        if answer.trim() != OURS {
            return Err("no mount namespace can be made".to_owned());
        }
        for (name, text) in files {
            room.write(name, text);
        }
        Ok(room)
    }

    /// Put a file below `/etc`.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.etc.join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    /// What a file below `/etc` says; nothing where there is none.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.etc.join(name)).ok()
    }

    /// The program, in the namespace.
    pub(crate) fn swapadm(&self, arguments: &[&str]) -> Command {
        let namespace = format!("/proc/{}/ns/mnt", self.holder.id());
        let namespace = File::open(namespace).expect("it is held");
        let mut command = program::journalled(self.lab, arguments);
        syscalls::enter(&mut command, namespace);
        command
    }

    /// What it says on both outputs, after it ended so.
    pub(crate) fn said(&self, arguments: &[&str], code: i32) -> String {
        let output = self.swapadm(arguments).output().expect("it starts");
        let said = program::complaint(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        said
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}
