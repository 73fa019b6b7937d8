//! `/boot/config-RELEASE`: the options that the running kernel was built with.
//!
//! Distributions install it with the kernel; readable by everyone. A container and a captured tree lack it.
//! Not done here: `/proc/config.gz`, which needs `CONFIG_IKCONFIG_PROC` and is compressed.

use super::scan::LineSplitter;
use crate::model::{Missing, Reading};
use crate::root::Root;

/// The file, for the lists of files that probes read.
pub(super) const FILES: &str = "boot/config-*";
/// Bytes read at once, and the longest line that matters.
const PIECE: usize = 64 << 10;
const LONGEST: usize = 128;
/// More than the file of any kernel: Debian's has 300 KB.
const MOST_PIECES: usize = 64;

/// Returns the value of an option, such as `y` or `m`; `n` if the file does not set it.
pub(super) fn option(root: &Root, name: &str) -> Reading<String> {
    let release = root.line("proc/sys/kernel/osrelease");
    release.and_then(|release| {
        let file = format!("boot/config-{release}");
        if release.contains('/') || !root.exists(&file) {
            return Reading::absent(format!("/{file} does not exist"));
        }
        search(root, &file, name).map(|found| found.unwrap_or_else(|| "n".to_owned())).into()
    })
}

/// Searches a file for the line `NAME=VALUE`.
fn search(root: &Root, file: &str, name: &str) -> Result<Option<String>, Missing> {
    let mut pieces = root.chunks(file, PIECE)?;
    let mut lines = LineSplitter::new(LONGEST);
    let mut found = None;
    let mut each = |line: &[u8]| {
        let value = line.strip_prefix(name.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
        if let Some(value) = value {
            found = Some(String::from_utf8_lossy(value).into_owned());
        }
    };
    for _ in 0..MOST_PIECES {
        let piece = pieces.next_chunk()?;
        if piece.is_empty() {
            break;
        }
        lines.feed(piece, &mut each);
    }
    lines.end(each);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    fn value(config: &str) -> Reading<String> {
        let files = [("proc/sys/kernel/osrelease", "7.4.0\n"), ("boot/config-7.4.0", config)];
        option(&TestTree::with(&files).root(), "CONFIG_VSWAP")
    }

    #[test]
    fn an_option_has_its_value_or_is_not_set() {
        let long = "#\n".repeat(100_000);
        for (config, expected) in [
            ("CONFIG_VSWAP=y\n".to_owned(), "y"),
            (format!("{long}CONFIG_VSWAP=m"), "m"),
            ("CONFIG_VSWAP_X=y\n# CONFIG_VSWAP is not set\n".to_owned(), "n"),
            (String::new(), "n"),
        ] {
            assert_eq!(value(&config), Reading::Known(expected.to_owned()));
        }
    }

    #[test]
    fn without_its_file_the_options_are_unknown() {
        let without = TestTree::with(&[("proc/sys/kernel/osrelease", "7.4.0\n")]);
        let missing = option(&without.root(), "CONFIG_VSWAP").missing().cloned().unwrap();
        let (kind, why) = (missing.kind(), missing.why());
        assert_eq!((kind, why.as_str()), ("absent", "/boot/config-7.4.0 does not exist"));
    }
}
