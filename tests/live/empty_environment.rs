//! The program alone: an empty environment, in which no other program can be found.

use crate::areas;
use crate::file::{MIB, priority, text, title};
use crate::lab::Lab;
use crate::program;
use crate::settings::{PRESSURE, SavedSettings, says};
use crate::zram;
use serde_json::Value;
use std::fs;
use std::process::Command;

const UUID: &str = "5a9c0f3e-7b1d-4e62-8f40-00000ba4ec0d";

/// The program with nothing but a journal, and an empty search path.
fn alone(lab: &Lab, arguments: &[&str]) -> Command {
    let mut command = program::command(&lab.scratch.program(), arguments);
    command.args(["--yes", "--json"]).env_clear().env("PATH", "/nonexistent");
    command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    command
}

/// Carries out a command in that environment.
fn done(lab: &Lab, arguments: &[&str]) -> Value {
    let told = program::json(&mut alone(lab, arguments));
    assert_eq!(told["outcome"]["end"], "done", "{arguments:?}: {told}");
    told
}

pub(crate) fn commands(lab: &Lab) -> Result<(), String> {
    lab.has_room()?;
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
    done(lab, &["file", "resize", text(&file), "2M"]);
    assert_eq!(fs::symlink_metadata(&file).expect("a file").len(), 2 * MIB);
    done(lab, &["file", "remove", text(&file)]);
    assert!(!file.exists());
    settings(lab);
    on_zram(lab)
}

/// A setting is changed and undone, and nothing is left to recover.
fn settings(lab: &Lab) {
    let _kept = SavedSettings::new(&[PRESSURE]);
    let old = says(PRESSURE);
    let set = done(lab, &["set", "vfs_cache_pressure=113"]);
    assert_eq!(says(PRESSURE), "113");
    done(lab, &["undo", &set["outcome"]["journal"].to_string()]);
    assert_eq!(says(PRESSURE), old);
    let recovered = program::json(&mut alone(lab, &["recover"]));
    assert_eq!(recovered["steps"], Value::Array(Vec::new()), "{recovered}");
}

fn on_zram(lab: &Lab) -> Result<(), String> {
    let device = zram::next(lab)?;
    done(lab, &["zram", "swap", "--size", "8M", "--priority", "31002"]);
    assert_eq!(priority(&device.path), Some(31_002));
    done(lab, &["off", text(&device.path)]);
    done(lab, &["zram", "remove", text(&device.path)]);
    assert_eq!((priority(&device.path), device.path.exists()), (None, false));
    Ok(())
}
