//! Errors in files, with their locations.

use crate::model::name::safe_text;
use std::fmt;

/// The most errors reported for a file. A file with more of them is probably of another kind.
const MAX_PROBLEMS: usize = 20;
/// The most characters of an error, because the quoted value can be as long as the file.
const MAX_TEXT: usize = 1000;

/// The location of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyLocation {
    /// The file, or another source such as the command line.
    pub file: String,
    /// The line, from 1 on, in a file.
    pub line: Option<usize>,
    /// The key.
    pub key: Option<String>,
}

impl KeyLocation {
    /// A location in a file or another source.
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

    /// Creates an error at this location.
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

/// An error in a file, or in a value typed in place of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The location.
    pub place: KeyLocation,
    /// The error, and what to use instead.
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
    /// The errors that are shown, and one more to know that there are more.
    list: Vec<Problem>,
    count: usize,
}

impl Problems {
    /// Starts without errors.
    pub fn in_file(file: &str) -> Self {
        Self { file: KeyLocation::in_file(file), list: Vec::new(), count: 0 }
    }

    /// The file as a whole.
    pub const fn file(&self) -> &KeyLocation {
        &self.file
    }

    /// The number of errors, including those that are not listed.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Adds an error, unless it is already listed, as for several tables with the same error.
    pub fn add(&mut self, place: &KeyLocation, text: &str) {
        self.count += 1;
        // A large file may have any number of errors, each of which is compared with all listed ones.
        if self.list.len() > MAX_PROBLEMS {
            return;
        }
        let problem = place.problem(text);
        if !self.list.contains(&problem) {
            self.list.push(problem);
        }
    }

    /// Returns the result if there are no errors, or else the errors.
    pub fn into_result<T>(self, result: T) -> Result<T, Vec<Problem>> {
        if self.list.is_empty() { Ok(result) } else { Err(self.into_list()) }
    }

    /// Lists the errors by line, up to a limit, which is mentioned.
    pub fn into_list(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|problem| problem.place.line.unwrap_or(usize::MAX));
        if self.list.len() > MAX_PROBLEMS {
            self.list.truncate(MAX_PROBLEMS);
            self.list.push(self.file.problem("there are more errors"));
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_are_not_shown_are_counted_and_not_kept() {
        let mut problems = Problems::in_file("f");
        for line in 1..=1000 {
            let place = problems.file().at_line(Some(line));
            problems.add(&place, "wrong");
        }
        assert_eq!((problems.count(), problems.list.len()), (1000, MAX_PROBLEMS + 1));
        let shown = problems.into_list();
        assert_eq!(shown.len(), MAX_PROBLEMS + 1);
        assert_eq!(shown.last().unwrap().text, "there are more errors");
    }
}
