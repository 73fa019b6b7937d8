//! Swap files that are to be made: under which names, and how their file system wants them.

use super::Machine;
use crate::model::format::{FileForm, Format};
use crate::model::{Bytes, Name};
use crate::probes::target;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

impl Machine<'_> {
    /// The names of new files in a folder, one after the other: the number of this process keeps
    /// them apart from those of others, and what is there already is passed over.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn new_files(
        &self,
        folder: &Name,
        beginning: &str,
    ) -> Result<impl Iterator<Item = Name> + '_, String> {
        let folder = self.new_folder(folder.as_path())?;
        let beginning = format!("{beginning}-{}", std::process::id());
        let path = move |number: u64| folder.join(format!("{beginning}-{number}"));
        let is_free =
            |path: &PathBuf| !self.root.exists(path) && self.root.link(path).known().is_none();
        Ok((1..).map(path).filter(is_free).map(|path| Name::new(path.as_os_str().as_bytes())))
    }

    /// The folder of a new file, with all links followed.
    ///
    /// # Errors
    /// When there is none.
    pub fn new_folder(&self, folder: &Path) -> Result<PathBuf, String> {
        self.root.real(folder).into_result().map_err(|missing| {
            format!("{}: make the folder first, or choose another", missing.why())
        })
    }

    /// A new file of this size.
    pub fn file_form(&self, path: &Name, format: Format, size: Bytes) -> FileForm {
        let place = target::place(self.root, path, size, Bytes(0));
        let nocow = place.filesystem.known().is_some_and(|kind| kind == "btrfs");
        FileForm { size, format, nocow }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::Tree;

    #[test]
    fn names_of_new_files_are_of_this_process_and_of_nothing_that_is_there() {
        let tree = Tree::new();
        let own = |number: u32| format!("data/lab-{}-{number}", std::process::id());
        tree.write(&own(1), "x");
        tree.write("data/other", "x");
        tree.link(&own(3), "nowhere");
        tree.link("short", "data");
        let root = tree.root();
        let machine = Machine::at_rest(&root);
        let names: Vec<Name> =
            machine.new_files(&"/short".into(), "lab").unwrap().take(2).collect();
        assert_eq!(names, [own(2), own(4)].map(|name| Name::from(format!("/{name}").as_str())));
        let why = machine.new_files(&"/none".into(), "lab").err().unwrap();
        assert!(why.contains("/none") && why.contains("choose another"), "{why}");
    }
}
