//! Nothing but the program itself: an empty environment, in which no other program can be found.

use crate::areas;
use crate::file::{MIB, priority, text, title};
use crate::lab::Lab;
use crate::program;
use serde_json::Value;
use std::fs;

const UUID: &str = "5a9c0f3e-7b1d-4e62-8f40-00000ba4ec0d";

/// Carry a command out with nothing but a journal, and a search path without a program.
fn done(lab: &Lab, arguments: &[&str]) -> Value {
    let mut command = program::command(&lab.scratch.program(), arguments);
    command.args(["--yes", "--json"]).env_clear().env("PATH", "/nonexistent");
    command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    let told = program::json(&mut command);
    assert_eq!(told["outcome"]["end"], "done", "{arguments:?}: {told}");
    told
}

pub(crate) fn commands(lab: &Lab) -> Result<(), String> {
    let area = areas::new_loop(lab, 8 * MIB)?;
    let path = text(&area.path);
    done(lab, &["format", path, "--uuid", UUID, "--label", "swapadm-live-ba"]);
    assert_eq!(title(&area.path), (UUID.to_owned(), "swapadm-live-ba".to_owned()));
    done(lab, &["on", &format!("UUID={UUID}"), "--priority", "31000"]);
    assert_eq!(priority(&area.path), Some(31_000));
    done(lab, &["priority", &format!("{path}=31001")]);
    assert_eq!(priority(&area.path), Some(31_001));
    done(lab, &["off", path]);
    assert_eq!(priority(&area.path), None);
    let file = lab.scratch.file("swapfile");
    done(lab, &["file", "create", text(&file), "1M"]);
    assert_eq!(fs::symlink_metadata(&file).expect("a file").len(), MIB);
    done(lab, &["file", "remove", text(&file)]);
    assert!(!file.exists());
    Ok(())
}
