//! What the interface needs of the program around it: files. It writes none itself.

use super::settings::Settings;
use std::fmt;
use std::io::{self, Write};

/// What the interface needs of the program around it.
pub trait Host: fmt::Debug + Send + Sync {
    /// Why settings cannot be kept at all, if that is so.
    fn unkept(&self) -> Option<&'static str>;

    /// Keep these settings; says in which file.
    ///
    /// # Errors
    /// A sentence that says why not.
    fn save(&self, settings: &Settings) -> Result<String, String>;

    /// Make a new file for a recording; says how it is called.
    ///
    /// # Errors
    /// A sentence that says why not.
    fn create(&self) -> Result<(File, String), String>;
}

/// A file that is being written.
pub struct File(Box<dyn Write + Send>);

impl File {
    /// Written into this.
    pub fn new(file: impl Write + Send + 'static) -> Self {
        Self(Box::new(file))
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("File")
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
