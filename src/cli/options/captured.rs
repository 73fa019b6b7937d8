//! The captured tree that was asked for, or what was meant instead.

use crate::cli::exit::Failure;
use crate::model::name::safe_text;
use crate::root::Root;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Folders that are named as what could have been meant.
const MOST_NAMED: usize = 3;

/// Open a captured tree. A folder that holds nothing of a machine is a slip: every figure would be
/// missing, each with a reason of its own.
pub(super) fn tree(dir: &Path) -> Result<Root, Failure> {
    let root = Root::at(dir).map_err(|error| Failure::file(dir, refused(&error)))?;
    if holds_machine(&root) {
        return Ok(root);
    }
    let why = format!("has neither proc nor sys; {}", rather(&below(dir, &root)));
    Err(Failure::file(dir, why))
}

fn refused(error: &io::Error) -> String {
    let is_file = error.kind() == io::ErrorKind::NotADirectory;
    let rather = if is_file { "; a recording is read with --recording" } else { "" };
    format!("cannot be used as a captured tree: {error}{rather}")
}

fn holds_machine(root: &Root) -> bool {
    root.exists("proc") || root.exists("sys")
}

/// The folders in it that hold a machine.
fn below(dir: &Path, root: &Root) -> Vec<PathBuf> {
    let names = root.names("").known().cloned().unwrap_or_default();
    let folders = names.iter().map(|name| dir.join(OsStr::from_bytes(name)));
    let machines = folders.filter(|folder| Root::at(folder).is_ok_and(|root| holds_machine(&root)));
    machines.take(MOST_NAMED + 1).collect()
}

/// What to do instead.
fn rather(folders: &[PathBuf]) -> String {
    let (named, more) = folders.split_at(folders.len().min(MOST_NAMED));
    let named: Vec<String> =
        named.iter().map(|folder| safe_text(&folder.to_string_lossy())).collect();
    if named.is_empty() {
        return "swapadm capture makes a folder that has both".to_owned();
    }
    let more = if more.is_empty() { "" } else { ", or another folder in it" };
    format!("did you mean {}{more}?", named.join(" or "))
}
