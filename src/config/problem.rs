//! Errors in files, with the place of each.

use crate::model::name::safe_text;
use std::fmt;

/// Errors that are reported of one file. One with more of them is hardly of this kind.
const MAX_PROBLEMS: usize = 20;
/// Characters of an error: the value that it quotes can be as long as the file.
const MAX_TEXT: usize = 1000;

/// Where a key is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyLocation {
    /// The file, or what else sets it.
    pub file: String,
    /// The line, from 1 on, if it is in a file.
    pub line: Option<usize>,
    /// The key.
    pub key: Option<String>,
}

impl KeyLocation {
    /// Names a file, or what else sets keys.
    pub fn in_file(file: &str) -> Self {
        Self { file: safe_text(file), ..Self::default() }
    }

    /// Adds a line.
    pub fn at_line(&self, line: Option<usize>) -> Self {
        Self { line, ..self.clone() }
    }

    /// Adds a key.
    pub fn with_key(&self, key: &str) -> Self {
        Self { key: Some(safe_text(key)), ..self.clone() }
    }

    /// Reports an error here.
    pub fn problem(&self, text: &str) -> Problem {
        let mut text = safe_text(text);
        if let Some((end, _)) = text.char_indices().nth(MAX_TEXT) {
            text.truncate(end);
            text.push_str("...");
        }
        Problem { place: self.clone(), text }
    }
}

impl fmt::Display for KeyLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

/// An error in a file, or in what was typed in place of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is.
    pub place: KeyLocation,
    /// The sentence: what is wrong, and what to use instead.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KeyLocation { file, line, key } = &self.place;
        match (file.is_empty(), line) {
            (false, _) => write!(f, "{}: ", self.place)?,
            (true, Some(line)) => write!(f, "line {line}: ")?,
            (true, None) => {}
        }
        key.iter().try_for_each(|key| write!(f, "{key}: "))?;
        f.write_str(&self.text)
    }
}

/// All errors of a file.
#[derive(Debug)]
pub struct Problems {
    file: KeyLocation,
    list: Vec<Problem>,
}

impl Problems {
    /// Begins with no error.
    pub fn in_file(file: &str) -> Self {
        Self { file: KeyLocation::in_file(file), list: Vec::new() }
    }

    /// The file as a whole.
    pub const fn file(&self) -> &KeyLocation {
        &self.file
    }

    /// Counts the errors.
    pub const fn count(&self) -> usize {
        self.list.len()
    }

    /// Adds an error. One that is the same for several tables is added once.
    pub fn add(&mut self, place: &KeyLocation, text: &str) {
        let problem = place.problem(text);
        if !self.list.contains(&problem) {
            self.list.push(problem);
        }
    }

    /// Gives the result if there are no errors, or all errors in the order of their lines: no more
    /// than some, and that there are more.
    pub fn into_result<T>(self, result: T) -> Result<T, Vec<Problem>> {
        if self.list.is_empty() { Ok(result) } else { Err(self.into_list()) }
    }

    /// Lists the errors in the order of their lines: no more than some, and that there are more.
    pub fn into_list(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|problem| problem.place.line.unwrap_or(usize::MAX));
        if self.list.len() > MAX_PROBLEMS {
            self.list.truncate(MAX_PROBLEMS);
            self.list.push(self.file.problem("there are more errors"));
        }
        self.list
    }
}
