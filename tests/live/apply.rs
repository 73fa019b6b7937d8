//! `swapadm save` and `swapadm apply` on this machine: from one state to another, seen by the kernel, made
//! again, undone, and killed in the middle.

use crate::areas::{self, Area, Title};
use crate::file::{self, MIB};
use crate::hog::Hog;
use crate::in_lab;
use crate::killed::{Dice, Victim, kill_victim};
use crate::lab::{Lab, require_iterations, rounds};
use crate::memory_limit::MemoryLimit;
use crate::{program, zram};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_file_leads_to_its_state_and_undo_back() {
    in_lab("a_file_leads_to_its_state_and_undo_back", pairs);
}

/// Kills at random moments, while a process has memory in swap that it verifies.
#[test]
fn an_apply_that_is_killed_loses_nothing_and_is_made_again() {
    in_lab("an_apply_that_is_killed_loses_nothing_and_is_made_again", kills);
}

/// The states of kills, each with room for what is in swap.
const WITH_ROOM: [usize; 4] = [1, 2, 3, 4];

fn kills(lab: &Lab) -> Result<(), String> {
    let (_scene, wanted) = scene(lab)?;
    wanted.apply(WITH_ROOM[0]);
    let cage = MemoryLimit::new(lab, 64 * MIB)?;
    let mut hog = Hog::new(&cage);
    hog.fill(22);
    let sum = hog.sum();
    let mut dice = Dice::new();
    let (mut state, mut interrupted, mut in_swap) = (0, 0, 0);
    let mut pick = |sides: usize| usize::try_from(dice.below(sides as u64)).expect("small");
    let rounds = rounds(6, 50);
    for round in 0..rounds {
        state = (state + 1 + pick(WITH_ROOM.len() - 1)) % WITH_ROOM.len();
        let to = WITH_ROOM[state];
        // With room above, so that what returns for a moment is not refused.
        cage.squeeze(16 * MIB);
        cage.limit(64 * MIB).expect("the first limit");
        in_swap += u64::from(cage.swap() > 4 * MIB);
        let mut command = program::journalled(lab, &wanted.arguments(to));
        command.args(["--yes", "--json"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(pick(250) as u64));
        kill_victim(&child, [Victim::Program, Victim::Helper, Victim::Both][pick(3)]);
        interrupted += u64::from(!child.wait().expect("it ends").success());
        let (code, said) = file::run(lab, &["recover", "--wait", "60"]);
        assert_eq!(code, Some(0), "{round}: {said}");
        wanted.apply(to);
        assert_eq!(wanted.check(to), Some(0), "{round}: {}", swaps());
        assert_eq!(hog.sum(), sum, "{round}: a byte differs");
    }
    require_iterations(interrupted, rounds / 4);
    // The kernel may spare pages that were used just now.
    assert!(in_swap > 0, "nothing was ever in swap");
    drop(hog);
    wanted.apply(0);
    assert_eq!(swaps(), "");
    Ok(())
}

const SETTINGS: [&str; 2] = ["/proc/sys/vm/swappiness", "/proc/sys/vm/page-cluster"];
/// The scratch folder is below one that every user may write to.
const RISKS: [&str; 4] = ["--force", "folder", "--force", "space"];

const FORM: &str = include_str!("../../schema/swapadm-change-1.schema.json");

/// Settings that get these values back.
struct Settings([String; 2]);

impl Drop for Settings {
    fn drop(&mut self) {
        for (file, value) in SETTINGS.into_iter().zip(&self.0) {
            let _ = fs::write(file, value);
        }
    }
}

fn settings() -> [String; 2] {
    SETTINGS.map(|file| fs::read_to_string(file).expect("a setting"))
}

fn swaps() -> String {
    let text = fs::read_to_string("/proc/swaps").expect("the list of areas");
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// The states, each of which only is wanted.
fn states(device: &Path, swapfile: &Path, zram: &str) -> [String; 7] {
    let (device, swapfile) = (device.display(), swapfile.display());
    let area = |more: &str| format!("[[area]]\nname = \"{device}\"\n{more}\n");
    let file =
        |size: u64| format!("[[area]]\nname = \"{swapfile}\"\nsize = \"{size}M\"\npriority = 9\n");
    let zram = |size: u64, more: &str| {
        format!("[[zram]]\ndevice = \"{zram}\"\nsize = \"{size}M\"\n{more}\n")
    };
    let set = |text: &str| format!("[settings]\n{text}\n");
    [
        String::new(),
        area("priority = 5") + &zram(32, "priority = 77") + &set("swappiness = 61"),
        file(24) + &area("priority = \"default\""),
        file(16) + &zram(48, "priority = 70") + &set("page-cluster = 1\nswappiness = 62"),
        zram(48, "priority = 60\nlimit = \"16M\""),
        area("priority = 6\ndiscard = \"pages\""),
        area("priority = 7\ndiscard = \"once\""),
    ]
    .map(|text| format!("only = true\n{text}"))
}

/// A change by the file of a state.
struct Wanted<'l> {
    lab: &'l Lab,
    files: Vec<String>,
}

impl Wanted<'_> {
    fn arguments(&self, state: usize) -> Vec<&str> {
        ["apply", &self.files[state]].into_iter().chain(RISKS).collect()
    }

    fn apply(&self, state: usize) -> Value {
        let told = program::json(
            program::journalled(self.lab, &self.arguments(state)).args(["--yes", "--json"]),
        );
        let end = &told["outcome"]["end"];
        assert!(told["outcome"].is_null() || end == "done", "{state}: {told:#}");
        told
    }

    /// The exit status of `--check`.
    fn check(&self, state: usize) -> Option<i32> {
        file::run(self.lab, &["apply", &self.files[state], "--check"]).0
    }
}

/// Areas of the states, and what gives the machine its own state back.
struct Scene {
    _settings: Settings,
    zram: Area,
    _device: Area,
    swapfile: Area,
}

fn scene(lab: &Lab) -> Result<(Scene, Wanted<'_>), String> {
    if !swaps().is_empty() {
        return Err("this machine has swap of its own, which would not be wanted".to_owned());
    }
    let settings = Settings(settings());
    let zram = zram::next(lab)?;
    let device = areas::new_loop(lab, 16 * MIB)?;
    let title = Title { label: "swapadm-live-ap", uuid: file::UUID };
    areas::write_header(&device.path, &title, 16 * MIB);
    let swapfile = Area::of_file(lab.scratch.file("swapfile"));
    lab.note("swapfile", &swapfile.path);
    let name = zram.path.file_name().expect("a name").to_string_lossy().into_owned();
    let files = (0..).zip(states(&device.path, &swapfile.path, &name)).map(|(number, text)| {
        let path = lab.scratch.file(&format!("state{number}.toml"));
        fs::write(&path, text).expect("a file");
        file::text(&path).to_owned()
    });
    let wanted = Wanted { lab, files: files.collect() };
    Ok((Scene { _settings: settings, zram, _device: device, swapfile }, wanted))
}

fn pairs(lab: &Lab) -> Result<(), String> {
    let (scene, wanted) = scene(lab)?;
    for to in 1..wanted.files.len() {
        lead_there_and_back(&wanted, to);
    }
    let saved = lab.scratch.file("saved.toml");
    let text = program::output(&mut program::journalled(lab, &["save"]));
    fs::write(&saved, format!("only = true\n{text}")).expect("a file");
    assert!(text.contains(file::UUID), "the name is one that lasts: {text}");
    assert_eq!(file::run(lab, &["apply", file::text(&saved), "--check"]).0, Some(0), "{text}");
    // A kill at some step, recovery, and the same state again.
    for (number, state) in [(1, 3), (3, 2), (6, 4)] {
        file::cut_off(lab, &wanted.arguments(state), number);
        wanted.apply(state);
        assert_eq!(wanted.check(state), Some(0), "{}", swaps());
    }
    wanted.apply(0);
    assert_eq!(swaps(), "");
    assert!(!areas::sysfs(&scene.zram.path).exists(), "it was removed");
    assert!(!scene.swapfile.path.exists(), "a file that is not wanted is removed");
    Ok(())
}

/// From the state before to this one, again, back, and there to stay.
fn lead_there_and_back(wanted: &Wanted<'_>, to: usize) {
    let before = (swaps(), settings());
    assert_eq!(wanted.check(to), Some(1), "{to}: it differs");
    assert_eq!((swaps(), settings()), before, "--check changes nothing");
    let made = wanted.apply(to);
    assert_eq!(made["changed"], true, "{made:#}");
    assert!(made["differences"].as_array().is_some_and(|all| !all.is_empty()), "{made:#}");
    program::in_form(FORM, &made);
    assert_eq!(wanted.check(to), Some(0), "{to}: {}", swaps());
    let again = wanted.apply(to);
    assert_eq!(
        (&again["changed"], &again["steps"]),
        (&Value::Bool(false), &Value::Array(Vec::new()))
    );
    let after = swaps();
    file::undo(wanted.lab, &made);
    assert_eq!((swaps(), settings()), before, "{made:#}");
    wanted.apply(to);
    assert_eq!(swaps(), after);
}
