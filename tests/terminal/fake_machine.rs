//! The interface on a fake machine: one that panics, and one that does not answer.
//!
//! The program has no option for that: this test binary runs the interface itself, and starts itself on the
//! terminal for it.

use crate::common::Machine;
use crate::terminal::open_screen;
use crate::terminal::pty::{Modes, Start, Terminal};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use swapadm::change::SimulatedTarget;
use swapadm::cli::commands::change::MachineEngine;
use swapadm::cli::options::Environment;
use swapadm::clock::Clock;
use swapadm::columns::export::{TableExport, TableFormat};
use swapadm::model::{PartSet, Snapshot};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::sampler::recording::RecordingReader;
use swapadm::sampler::{SnapshotSource, SyntheticSource};
use swapadm::ui::appearance;
use swapadm::ui::change::ChangeEngine;
use swapadm::ui::settings::Settings;
use swapadm::ui::{self, ExitReason, Opening};
use swapadm::ui::{File, Host};
use tempfile::TempDir;

/// Waits until the test allows to continue.
fn wait_for_answer() {
    let answer = std::env::var_os("ANSWER").unwrap();
    while !Path::new(&answer).exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A disk that blocks until the test allows it, except for the first line of a recording.
#[derive(Debug)]
struct SlowDisk(PathBuf);

impl SlowDisk {
    fn open(&self, name: &str) -> fs::File {
        fs::OpenOptions::new().create(true).append(true).open(self.0.join(name)).unwrap()
    }
}

impl Host for SlowDisk {
    fn save_problem(&self) -> Option<&'static str> {
        None
    }

    /// Each line of the file is a saved interval.
    fn save(&self, settings: &Settings) -> Result<String, String> {
        let mut file = self.open("saved");
        if file.metadata().unwrap().len() == 0 && settings.interval == Duration::from_secs(2) {
            wait_for_answer();
        }
        writeln!(file, "{}", settings.interval.as_secs()).unwrap();
        Ok("settings saved".to_owned())
    }

    fn lesson_engine(&self, machine: &SimulatedTarget) -> Arc<dyn ChangeEngine> {
        Arc::new(MachineEngine::for_simulated(machine, &Environment::default()))
    }

    fn create_recording(&self) -> Result<(File, String), String> {
        Ok((Box::new(SlowFile(self.open("recording"))), "recording".to_owned()))
    }

    fn write_recording(&self, _: &[Snapshot]) -> Result<String, String> {
        Err("no room".to_owned())
    }

    fn format_table(&self, _: &TableExport, _: TableFormat) -> Result<String, String> {
        Err("no format".to_owned())
    }

    fn save_table(&self, _: &TableExport, _: TableFormat) -> Result<String, String> {
        Err("nowhere to save it".to_owned())
    }
}

/// A file on that disk.
struct SlowFile(fs::File);

impl Write for SlowFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.metadata()?.len() > 0 {
            wait_for_answer();
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Runs the interface on a machine with this action before each sample, given the number of earlier
/// samples.
fn interface(before_sample: fn(usize)) {
    let root = Root::at(Machine::shared("6.18-mixed-loaded").path()).unwrap();
    let mut samples = 0;
    let made = move |_| {
        before_sample(samples);
        samples += 1;
        Some(probes::sample(&root, &Clock::Real, PartSet::WHOLE))
    };
    let terminal = appearance::TerminalInfo {
        term: "xterm-256color".to_owned(),
        locale: "C.UTF-8".to_owned(),
        ..appearance::TerminalInfo::default()
    };
    let opening = Opening {
        source: SnapshotSource::Synthetic(SyntheticSource(Box::new(made))),
        name: String::new(),
        settings: Settings::default(),
        problems: vec![],
        terminal,
        host: Arc::new(SlowDisk(std::env::var_os("HOME").unwrap().into())),
        engine: None,
        learn: ui::learn::LearnState::default(),
        lesson: None,
    };
    assert_eq!(ui::run(opening).unwrap().reason, ExitReason::Quit);
}

/// Starts this test binary on a terminal with only this test.
fn start(name: &str) -> Start {
    let name = format!("terminal::fake_machine::{name}");
    let arguments = ["--ignored", "--exact", &name, "--nocapture", "--test-threads=1"];
    Start::program(std::env::current_exe().unwrap(), &arguments)
}

#[test]
#[ignore = "helper process of another test"]
fn breaks() {
    interface(|samples| assert!(samples == 0, "the made-up machine broke"));
}

#[test]
#[ignore = "helper process of another test"]
fn never_answers() {
    interface(|_| wait_for_answer());
}

#[test]
#[ignore = "helper process of another test"]
fn does_not_answer_again() {
    interface(|samples| {
        if samples > 0 {
            wait_for_answer();
        }
    });
}

#[test]
#[ignore = "helper process of another test"]
fn answers_at_once() {
    interface(|_| {});
}

#[test]
fn a_panic_restores_the_terminal_before_its_message() {
    let mut terminal = start("breaks").in_shell().open();
    let settings = terminal.line_settings();
    terminal.wait_for("left with 134");
    assert_eq!(terminal.modes(), Modes::REST);
    assert!(terminal.line_settings() == settings);
    assert!(terminal.text().contains("\nthe made-up machine broke\n"), "{}", terminal.text());
    let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
    assert!(raw.contains("\x1b[?1049h"), "it was never opened");
    assert!(raw.rfind('\x1b') < raw.find("panicked at"), "something was drawn after the message");
}

/// Keys, and the text that appears for each, or with an exclamation mark disappears.
fn answers() -> Vec<(&'static str, String)> {
    let mut keys = vec![
        ("2", open_screen(1)),
        ("j", "> /dev/zram1".to_owned()),
        ("k", "> /dev/zram0".to_owned()),
        ("3", open_screen(2)),
        ("4", open_screen(3)),
        ("5", open_screen(4)),
        ("6", open_screen(5)),
        ("2", open_screen(1)),
    ];
    for (key, shown) in [
        ("?", "─ Help: "),
        ("e", "Command"),
        (":", "─ Commands, areas"),
        ("/x", " filter x"),
        ("\x1bOQ", "─ Settings "),
    ] {
        keys.push((key, shown.to_owned()));
        keys.push(("\x1b", format!("!{shown}")));
    }
    keys.extend([("1", open_screen(0)), ("6", open_screen(5))]);
    keys
}

/// A start that waits for the first sample would take as long as the machine has processes.
#[test]
fn the_first_frame_does_not_wait_for_the_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let answer = folder.path().join("answer");
    let mut terminal = start("never_answers").env("ANSWER", &answer).size(100, 30).open();
    terminal.wait_for(&open_screen(0));
    assert!(!terminal.text().contains("zram0"), "{}", terminal.text());
    fs::write(&answer, "").unwrap();
    terminal.wait_for("zram0");
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// The interface never waits for the kernel; the time to answer keys is measured by a benchmark.
#[test]
fn an_unresponsive_kernel_does_not_block_the_interface() {
    let folder = tempfile::tempdir().unwrap();
    let answer = folder.path().join("answer");
    let mut terminal = start("does_not_answer_again").env("ANSWER", &answer).size(100, 30).open();
    terminal.wait_for("/dev/zram0");
    terminal.wait_for(" old");
    let answers = answers();
    assert_eq!(answers.len(), 20);
    for (key, shown) in answers {
        terminal.keys(key);
        match shown.strip_prefix('!') {
            Some(gone) => terminal.wait_without(gone),
            None => terminal.wait_for(&shown),
        }
    }
    // The titles show since when data is missing.
    terminal.press("1", &open_screen(0));
    let titles = |terminal: &Terminal| {
        let text = terminal.text();
        let titles = text.lines().filter(|line| line.contains('╭'));
        titles.map(|line| line.matches('╭').count()).sum::<usize>()
    };
    let marked = |terminal: &Terminal| {
        let text = terminal.text();
        let titles = text.lines().filter(|line| line.contains('╭'));
        titles.map(|line| line.matches("  ~ ").count()).sum::<usize>()
    };
    assert!(titles(&terminal) > 1);
    assert_eq!(marked(&terminal), titles(&terminal), "{}", terminal.text());
    fs::write(&answer, "").unwrap();
    terminal.wait_without(" old");
    assert_eq!(marked(&terminal), 0);
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// The interface with a disk that writes once there is a file at the second path.
fn on_slow_disk() -> (TempDir, PathBuf, Terminal) {
    let home = tempfile::tempdir().unwrap();
    let answer = home.path().join("answer");
    let start = start("answers_at_once").env("ANSWER", &answer).home(home.path());
    let mut terminal = start.size(100, 30).open();
    terminal.wait_for("  live 1s  ");
    (home, answer, terminal)
}

/// Quitting does not wait for the disk, but all samples until then are written.
#[test]
fn a_recording_is_complete_when_the_user_quits() {
    let (home, answer, mut terminal) = on_slow_disk();
    terminal.press("+++", "  live 100ms  ");
    terminal.press("R", "recording to ");
    // At least two seconds on its clock: many samples that the disk has not accepted.
    for _ in 0..3 {
        let clock = |terminal: &Terminal| {
            let text = terminal.text();
            let first = text.lines().next()?;
            first.split_whitespace().find(|word| word.ends_with('Z')).map(str::to_owned)
        };
        let before = clock(&terminal);
        terminal.wait("the clock goes on", |terminal| clock(terminal) != before);
    }
    terminal.keys("q");
    terminal.wait("the terminal is given back", |terminal| terminal.modes() == Modes::REST);
    fs::write(&answer, "").unwrap();
    assert!(terminal.ended().success());
    let bytes = fs::read(home.path().join("recording")).unwrap();
    let mut reader = RecordingReader::new(std::io::Cursor::new(&bytes)).unwrap();
    let moments = reader.by_ref().count();
    assert!(
        moments >= 5 && reader.read_error().is_none(),
        "{moments} moments, {:?}",
        reader.read_error()
    );
}

/// The last saved setting wins, however long the disk takes for earlier ones.
#[test]
fn settings_are_saved_in_the_order_of_change() {
    let (home, answer, mut terminal) = on_slow_disk();
    for interval in ["2s", "5s"] {
        terminal.press("-", &format!("  live {interval}  "));
        terminal.press("\x1bOQ", "> save settings");
        terminal.keys("\r");
        terminal.wait_without("> save settings");
    }
    fs::write(&answer, "").unwrap();
    terminal.wait_for("settings saved");
    terminal.keys("q");
    assert!(terminal.ended().success());
    assert_eq!(fs::read_to_string(home.path().join("saved")).unwrap(), "2\n5\n");
}
