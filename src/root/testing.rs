//! Trees for tests: small machines with a few files.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::{ChildReader, Root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// A folder that looks like a machine; it is removed on drop.
#[derive(Debug)]
pub(crate) struct TestTree {
    dir: tempfile::TempDir,
}

impl TestTree {
    /// Creates an empty machine.
    pub(crate) fn new() -> Self {
        Self { dir: folder_in_memory() }
    }

    /// Creates a machine with these files.
    pub(crate) fn with<B: AsRef<[u8]>>(files: &[(&str, B)]) -> Self {
        let tree = Self::new();
        for (path, bytes) in files {
            tree.write(path, bytes);
        }
        tree
    }

    /// Writes a file and creates its parent folders.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.place(path), bytes).unwrap();
    }

    /// Creates a folder and its parents.
    pub(crate) fn folder(&self, path: &str) {
        fs::create_dir_all(self.dir.path().join(path)).unwrap();
    }

    /// Creates a link and its parent folders.
    pub(crate) fn link(&self, path: &str, target: &str) {
        std::os::unix::fs::symlink(target, self.place(path)).unwrap();
    }

    /// Returns the real path of the tree.
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the tree as a capture.
    pub(crate) fn root(&self) -> Root {
        Root::at(self.dir.path()).unwrap()
    }

    /// Returns the tree as a live machine.
    pub(crate) fn live(&self) -> Root {
        Root { live: true, ..self.root() }
    }

    fn place(&self, path: &str) -> PathBuf {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }
}

/// A temporary folder in memory if possible, because tests write thousands of small files.
fn folder_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

impl Root {
    /// Returns this root with a reader of its own for files that may block.
    pub(crate) fn with_child_reader(&self, child_reader: Arc<ChildReader>) -> Self {
        Self { child_reader, ..self.clone() }
    }
}

/// A reader whose helper takes up to seven requests and answers none. It names thread 4000000, which does not exist, so
/// that each request looks blocked in the kernel.
pub(crate) fn blocked_reader() -> Arc<ChildReader> {
    let script = r#"printf '\000\000\000\000+\000\000\000\000'; n=0
        while read -r request; do
            n=$((n + 1)); printf "\\00$n\\000\\000\\000+\\007\\000\\000\\0004000000"
        done"#;
    Arc::new(ChildReader::new(move || {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        command
    }))
}

/// Damages a valid file in many ways: truncates it, changes bytes, inserts bytes.
pub(crate) fn mangled(good: &[u8], rounds: usize, mut check: impl FnMut(&[u8])) {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..rounds {
        let mut bytes = good.to_vec();
        for _ in 0..4 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let place = usize::try_from(seed >> 33).unwrap() % bytes.len().max(1);
            match seed % 3 {
                0 => bytes.truncate(place),
                1 if !bytes.is_empty() => bytes[place] = seed.to_le_bytes()[6],
                _ => bytes.insert(place.min(bytes.len()), seed.to_le_bytes()[5]),
            }
        }
        check(&bytes);
    }
}
