//! Captured machines, recordings, and files of the user.

use crate::common::{Machine, screen::snapshot};
use crate::terminal::open_screen;
use crate::terminal::pty::{PATIENCE, Start};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use swapadm::clock::Clock;
use swapadm::model::PartSet;
use swapadm::probes;
use swapadm::root::Root;
use swapadm::sampler::recording::{RecordingReader, RecordingWriter};

/// The path as text, for an argument.
fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_captured_machine_opens_as_any_other() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let mut terminal = Start::swapadm(&["--sysroot", word(machine.path())]).size(120, 40).open();
    terminal.wait_for("  captured  ");
    terminal.press("2", &open_screen(1));
    terminal.wait_for("> /dev/zram0");
    terminal.press("Z", "a captured tree has only one sample");
    terminal.press("R", "recordings need a live machine");
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// Three samples, a second apart.
fn recording(path: &Path) {
    let mut writer = RecordingWriter::new(fs::File::create(path).unwrap()).unwrap();
    let machines = ["6.18-mixed-idle", "6.18-mixed-loaded", "6.18-mixed-idle"];
    for (second, machine) in (1000..).zip(machines) {
        writer.add(&snapshot(machine, second)).unwrap();
    }
}

#[test]
fn a_recording_is_played_and_gone_through() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.rec");
    recording(&file);
    let mut terminal = Start::swapadm(&["replay", word(&file)]).size(120, 40).open();
    // A recording plays by itself, and stops at its end.
    terminal.wait_for("  REPLAY  2 of 3  every 1s  ");
    terminal.wait_for("end of the recording");
    terminal.wait_for("  REPLAY END  3 of 3  B back  ");
    terminal.press("(", "  REPLAY PAUSED  2 of 3  Z plays  every 1s  ");
    terminal.wait_for("257M");
    terminal.press("(", "  REPLAY PAUSED  1 of 3  ");
    terminal.press("(", "this is the oldest sample");
    terminal.press(")", "  REPLAY PAUSED  2 of 3  ");
    terminal.press("-", "  Z plays  every 2s  ");
    terminal.press("Z", "  REPLAY  3 of 3  every 2s  ");
    terminal.press("Z", "  REPLAY END  ");
    terminal.press("R", "recordings need a live machine");
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// The model runs beside the screen, without root, an engine or a live machine.
#[test]
fn the_model_answers_about_a_recording_and_a_captured_machine() {
    let machine = Machine::unpack("6.18-idle");
    let areas = "/dev/zram0 partition 8188 0 100\n/dev/zram1 partition 4092 0 5\n";
    machine.write("proc/swaps", format!("Filename Type Size Used Priority\n{areas}"));
    let sample = probes::sample(&Root::at(machine.path()).unwrap(), &Clock::Real, PartSet::WHOLE);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.rec");
    RecordingWriter::new(fs::File::create(&file).unwrap()).unwrap().add(&sample).unwrap();
    for source in [["replay", word(&file)], ["--sysroot", word(machine.path())]] {
        let mut terminal = Start::swapadm(&source).size(120, 40).open();
        terminal.wait_for("next pages");
        terminal.press(":what-if add 9M@zram", "Enter asks for 9M@zram");
        terminal.keys("\r");
        terminal.wait_within(PATIENCE * 3, "the answer", |terminal| {
            terminal.text().contains("Changed (model of kernel 6.18)")
        });
        terminal.keys("\x1b");
        terminal.wait_without("Changed (model");
        terminal.keys("q");
        assert!(terminal.ended().success());
    }
}

/// The recordings below the home of the user.
fn recordings(home: &Path) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(home.join("state/swapadm")) else { return vec![] };
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn what_is_recorded_can_be_replayed() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal =
        Start::swapadm(&["--interval", "0.2"]).size(120, 40).home(home.path()).open();
    terminal.wait_for("  live 200ms  ");
    terminal.press("R", "recording to ");
    terminal.wait_for("  REC  ");
    let written = || {
        let bytes = fs::read(recordings(home.path()).first()?).ok()?;
        Some(RecordingReader::new(std::io::Cursor::new(&bytes)).ok()?.count())
    };
    terminal.wait("three moments", |_| written().is_some_and(|moments| moments >= 3));
    terminal.press("R", "the recording is in ");
    terminal.wait_without("  REC  ");
    terminal.keys("q");
    assert!(terminal.ended().success());
    let files = recordings(home.path());
    assert_eq!(files.len(), 1, "{files:?}");
    let mut replay = Start::swapadm(&["replay", word(&files[0])]).size(120, 40).open();
    replay.wait_for("  REPLAY ");
    replay.wait_without("reading the machine");
    replay.keys("q");
    assert!(replay.ended().success());
}

/// The files of a table are those that the command of the table prints, and only their owner reads them.
#[test]
fn a_table_is_written_as_it_is_shown() {
    let home = tempfile::tempdir().unwrap();
    let machine = Machine::shared("6.18-mixed-loaded");
    let start = Start::swapadm(&["--sysroot", word(machine.path())]).size(120, 40);
    let mut terminal = start.home(home.path()).open();
    terminal.press("6", &open_screen(5));
    terminal.press("/swap>1M & name~o\r", "1 of 1 ");
    for format in ["CSV", "JSON", "Markdown"] {
        terminal.press(&format!(":table as {format}"), &format!("> save table as {format}"));
        terminal.press("\r", "table written to ");
        terminal.keys("k");
        terminal.wait_without("table written to ");
    }
    terminal.keys("q");
    assert!(terminal.ended().success());
    let files = recordings(home.path());
    assert_eq!(files.len(), 3, "{files:?}");
    let text = |ending: &str| {
        let is_wanted = |file: &&PathBuf| word(file).ends_with(&format!("-processes.{ending}"));
        let file = files.iter().find(is_wanted).unwrap();
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::read_to_string(file).unwrap()
    };
    let csv = text("csv");
    let columns = csv.lines().next().unwrap().to_owned();
    let query = ["processes", "-o", &columns, "--filter", "swap>1M & name~o"];
    assert!(csv.lines().count() > 1 && columns.starts_with("pid,name,"), "{csv}");
    assert_eq!(csv, machine.stdout(&[&query[..], &["--csv"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&text("json")).unwrap();
    let printed = machine.json(&[&query[..], &["--json"]].concat());
    assert_eq!(json["tables"]["processes"]["rows"], printed["tables"]["processes"]["rows"]);
    let table = machine.stdout(&[&query[..], &["--markdown"]].concat());
    let page = text("md");
    assert!(page.ends_with(&table) && page.starts_with("### "), "{page}\n{table}");
}

#[test]
fn settings_are_kept() {
    let home = tempfile::tempdir().unwrap();
    let start = || Start::swapadm(&[]).size(120, 40).home(home.path()).open();
    let mut terminal = start();
    terminal.wait_for("  live 1s  ");
    terminal.press("\x1bOQ", "> save settings");
    terminal.press("\r", "nothing to save: no setting was changed here");
    terminal.press("-", "  live 2s  ");
    terminal.press("\x1bOQ", "> save settings");
    terminal.press("\r", "settings saved to ");
    terminal.keys("q");
    assert!(terminal.ended().success());
    let file = home.path().join("config/swapadm/config.toml");
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept.lines().any(|line| line == "interval = 2"), "{kept}");
    let mut again = start();
    again.wait_for("  live 2s  ");
    again.keys("q");
    assert!(again.ended().success());
    assert_eq!(fs::read_to_string(&file).unwrap(), kept);
}

#[test]
fn unsaved_settings_are_reported_with_a_remedy() {
    let home = tempfile::tempdir().unwrap();
    // A file in place of a folder: root could write to any folder.
    fs::write(home.path().join("state"), "").unwrap();
    let start = Start::swapadm(&["--no-config"]).size(120, 40).home(home.path());
    let mut terminal = start.open();
    terminal.press("R", "set XDG_STATE_HOME to another directory, or use swapadm record FILE");
    assert!(terminal.text().contains(word(&home.path().join("state/swapadm"))));
    terminal.press("2", &open_screen(1));
    terminal.keys("E");
    terminal.press("\r", "set XDG_STATE_HOME to another directory, or use swapadm report");
    terminal.wait_for(" devices --csv");
    terminal.press("\x1bOQ", "> save settings");
    terminal.wait_for("unavailable: --no-config was given");
    terminal.keys("\rj");
    terminal.wait_for("> interval");
    // Also where another line is explained below.
    assert!(terminal.text().contains(" cannot be saved "), "{}", terminal.text());
    terminal.keys("\x1b");
    terminal.wait_without("save settings");
    terminal.keys("q");
    assert!(terminal.ended().success());
    assert!(!home.path().join("config").exists());
}

#[test]
fn a_broken_settings_file_is_reported_and_stops_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("config/swapadm");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "interval = 5\ncolour = \"never\"\n").unwrap();
    let mut terminal = Start::swapadm(&[]).size(120, 40).home(home.path()).open();
    terminal.wait_for("Problems in the settings file");
    terminal.wait_for("config.toml:2");
    terminal.keys("\x1b");
    terminal.wait_without("Problems in the settings file");
    terminal.wait_for("  live 5s  ");
    terminal.press("2", &open_screen(1));
    terminal.keys("q");
    assert!(terminal.ended().success());
}
