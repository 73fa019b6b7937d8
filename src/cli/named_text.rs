//! Texts that are built in and have a name, or are in a file: machines and lessons.

use super::exit::{CommandError, CommandResult, usage};
use crate::lab::library;
use crate::lab::load::file::SourceText;
use crate::model::name::safe_text;
use crate::model::text::did_you_mean;
use std::ffi::OsStr;
use std::path::Path;

/// A kind of texts.
pub(super) struct TextKind {
    /// Noun for the thing that such a text describes, such as machine.
    pub(super) what: &'static str,
    /// The built-in ones by name.
    pub(super) builtin: &'static [(&'static str, &'static str)],
    /// Advice where a file cannot be read.
    pub(super) rather: &'static str,
}

impl TextKind {
    /// Finds a built-in text by name, or reads a path (with a / or .toml).
    pub(super) fn find(&self, named: &OsStr) -> CommandResult<SourceText> {
        let shown = safe_text(&named.to_string_lossy());
        if !library::is_path(named) {
            let found = self.builtin.iter().find(|(name, _)| *name == shown);
            let (name, text) = found.ok_or_else(|| self.unknown(&shown))?;
            let (name, text) = ((*name).to_owned(), (*text).to_owned());
            return Ok(SourceText { file: name.clone(), name, text });
        }
        let path = Path::new(named);
        let stem = path.file_stem().map(|stem| safe_text(&stem.to_string_lossy()));
        let name = stem.unwrap_or_else(|| shown.clone());
        Ok(library::read_text(path, (name, shown), self.rather)?)
    }

    fn unknown(&self, name: &str) -> CommandError {
        let what = self.what;
        let names: Vec<&str> = self.builtin.iter().map(|(name, _)| *name).collect();
        let meant = did_you_mean(name, names.iter().copied());
        // A name with a dot is most likely that of a file.
        let path = if name.contains('.') { format!("./{name}") } else { format!("./{name}.toml") };
        usage(format!(
            "unknown {what} \"{name}\": the built-in ones are {}; for a {what} file use its path, such as {path}{meant}",
            names.join(", ")
        ))
    }
}
