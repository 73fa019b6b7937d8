//! Captured machines with one changing file.

use super::Check;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use swapadm::root::Root;
use tempfile::TempDir;

/// A folder that looks like a machine, and is deleted with this value.
pub(super) struct Tree {
    folder: TempDir,
    /// Private: a closure that takes only this field would leave the folder to be deleted before its first call.
    root: Root,
}

impl Tree {
    /// Creates a machine with these files, and the page size.
    pub(super) fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let root = Root::at(folder.path()).expect("the folder was just created");
        let tree = Self { folder, root };
        tree.file("machine.toml", b"page_size = 4096\n");
        for (path, bytes) in files {
            tree.file(path, bytes);
        }
        tree
    }

    /// The machine.
    pub(super) fn root(&self) -> &Root {
        &self.root
    }

    /// Creates a file and its folders.
    pub(super) fn file(&self, path: &str, bytes: &[u8]) -> ChangingFile {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("there is space");
        let file = File::create(path).expect("there is space");
        let file = ChangingFile(file);
        file.set(bytes);
        file
    }

    /// Creates a link and its folders.
    pub(super) fn link(&self, path: &str, target: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("there is space");
        std::os::unix::fs::symlink(target, path).expect("the path is new");
    }
}

/// A file whose content is replaced in place, which is faster than creating it again.
pub(super) struct ChangingFile(File);

impl ChangingFile {
    /// Replaces the content.
    pub(super) fn set(&self, bytes: &[u8]) {
        self.0.set_len(bytes.len() as u64).expect("there is space");
        self.write(0, bytes);
    }

    /// Writes a part.
    pub(super) fn write(&self, at: u64, bytes: &[u8]) {
        let links = self.0.metadata().expect("an open file has them").nlink();
        assert!(links > 0, "the file was deleted: no parser would see the input");
        self.0.write_all_at(bytes, at).expect("there is space");
    }
}

/// Reads a machine whose file at this path is the input.
pub(super) fn with_input(path: &str, files: &[(&str, &[u8])], read: fn(&Root)) -> Check {
    let tree = Tree::new(files);
    let file = tree.file(path, b"");
    Box::new(move |input| {
        file.set(input);
        read(tree.root());
    })
}
