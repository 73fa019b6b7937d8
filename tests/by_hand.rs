//! The lines for a shell do what the steps do.

#![allow(clippy::disallowed_methods, reason = "the tests look at files by themselves")]
#![allow(clippy::unwrap_used, reason = "the helpers of a test stop it where something is wrong")]

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;
use swapadm::actions::Step;
use swapadm::model::Name;

fn step(path: &Path, from: Option<&str>, to: Option<&str>) -> Step {
    Step::Save {
        path: Name::new(path.as_os_str().as_bytes()),
        from: from.map(str::to_owned),
        to: to.map(str::to_owned),
    }
}

/// What a file holds when a shell was given the lines of a step.
fn by_hand(from: Option<&str>, to: Option<&str>) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a file");
    if let Some(from) = from {
        fs::write(&path, from).unwrap();
    }
    for line in step(&path, from, to).shell() {
        let status = Command::new("/bin/sh").args(["-c", &line]).status().unwrap();
        assert!(status.success(), "{line}");
    }
    fs::read_to_string(&path).ok()
}

#[test]
fn files_come_out_the_same() {
    let texts = [
        "one\n",
        "one\ntwo\nthree\n",
        "zero\none\nthree\n",
        "three\ntwo\none\n",
        "a\nb\none\nc\ntwo\nd\n",
        "  led by blanks\none\n\tand tabs \\040 'quoted' $HOME\ntwo\n",
        "UUID=x none swap sw,pri=5 0 0\n",
        "UUID=x none swap sw,pri=6,discard 0 0\n\n\n# end\n",
    ];
    for from in texts {
        for to in texts {
            assert_eq!(by_hand(Some(from), Some(to)).as_deref(), Some(to), "{from:?} -> {to:?}");
        }
        assert_eq!(by_hand(None, Some(from)).as_deref(), Some(from));
        assert_eq!(by_hand(Some(from), None), None);
    }
}
