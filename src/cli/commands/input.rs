//! Files that a person names for a command to read.

use crate::cli::exit::Failure;
use crate::lab::library;
use crate::model::name::safe_text;
use std::io::{self, Read as _};
use std::path::Path;

/// As it is shown.
pub fn shown(path: &Path) -> String {
    safe_text(&path.to_string_lossy())
}

/// What is in a file of this machine, or on the input when it is called `-`, but no more than one
/// byte beyond so many. What it should have been is said where there is none.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path, largest: usize, rather: &str) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let most = largest as u64 + 1;
        io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(Failure::Output)?;
        return Ok(bytes);
    }
    Ok(library::read_file(path, largest, rather)?)
}
