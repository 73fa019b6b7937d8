//! `swapadm save` and `swapadm apply` on this machine: from one state to another, seen by the kernel, made
//! again, undone, and killed in the middle.

use crate::areas::{self, Area, Title, listed};
use crate::file::{self, MIB};
use crate::hog::Hog;
use crate::killed::{Dice, Victim, kill_victim};
use crate::lab::{Lab, require_iterations, rounds};
use crate::memory_limit::MemoryLimit;
use crate::{at_length, in_lab};
use crate::{program, zram};
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_file_leads_to_its_state_and_undo_back() {
    in_lab("a_file_leads_to_its_state_and_undo_back", pairs);
}

/// By default a few pairs of random states; `SWAPADM_KILLS=200` makes them 500.
#[test]
fn random_states_lead_to_others_and_back() {
    at_length("random_states_lead_to_others_and_back", random_pairs);
}

/// Kills at random moments, while a process has memory in swap that it verifies.
#[test]
fn an_apply_that_is_killed_loses_nothing_and_is_made_again() {
    at_length("an_apply_that_is_killed_loses_nothing_and_is_made_again", kills);
}

/// The states of kills, each with room for what is in swap.
const WITH_ROOM: [usize; 4] = [1, 2, 3, 4];

fn kills(lab: &Lab) -> Result<(), String> {
    let scene = Scene::new(lab)?;
    let wanted = Wanted::new(lab, scene.states());
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
        let (code, said) = file::run(lab, &["recover", "--yes", "--wait", "60"]);
        assert_eq!(code, Some(0), "{round}: {said}");
        wanted.apply(to);
        assert_eq!(wanted.check(to), Some(0), "{round}: {}", listed());
        assert_eq!(hog.sum(), sum, "{round}: a byte differs");
    }
    require_iterations(interrupted, rounds / 4);
    // The kernel may spare pages that were used just now.
    assert!(in_swap > 0, "nothing was ever in swap");
    println!("measured: {rounds} kills, {interrupted} of them in the middle, no byte lost");
    drop(hog);
    wanted.apply(0);
    assert_eq!(listed(), "");
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

/// A change by the file of a state.
struct Wanted<'l> {
    lab: &'l Lab,
    files: Vec<String>,
}

impl<'l> Wanted<'l> {
    fn new(lab: &'l Lab, states: impl IntoIterator<Item = String>) -> Self {
        let files = (0..).zip(states).map(|(number, text)| {
            let path = lab.scratch.file(&format!("state{number}.toml"));
            fs::write(&path, format!("only = true\n{text}")).expect("a file");
            file::text(&path).to_owned()
        });
        Self { lab, files: files.collect() }
    }

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
    devices: [Area; 2],
    swapfile: Area,
}

impl Scene {
    fn new(lab: &Lab) -> Result<Self, String> {
        areas::are_ours_only()?;
        lab.has_room()?;
        let settings = Settings(settings());
        let zram = zram::next(lab)?;
        let devices =
            [areas::new_loop(lab, 16 * MIB)?, areas::new_loop_on(lab, "other", 16 * MIB)?];
        for (device, uuid) in devices.iter().zip([file::UUID, OTHER_UUID]) {
            areas::write_header(&device.path, &Title { label: "swapadm-live-ap", uuid }, 16 * MIB);
        }
        let swapfile = Area::of_file(lab.scratch.file("swapfile"));
        lab.note("swapfile", &swapfile.path);
        Ok(Self { _settings: settings, zram, devices, swapfile })
    }

    fn area(&self, device: usize, more: &str) -> String {
        format!("[[area]]\nname = \"{}\"\n{more}\n", self.devices[device].path.display())
    }

    fn file(&self, size: u64, more: &str) -> String {
        let path = self.swapfile.path.display();
        format!("[[area]]\nname = \"{path}\"\nsize = \"{size}M\"\n{more}\n")
    }

    fn zram(&self, size: u64, more: &str) -> String {
        let name = self.zram.path.file_name().expect("a name").display();
        format!("[[zram]]\ndevice = \"{name}\"\nsize = \"{size}M\"\n{more}\n")
    }

    fn states(&self) -> [String; 7] {
        [
            String::new(),
            self.area(0, "priority = 5")
                + &self.zram(32, "priority = 77")
                + &set("swappiness = 61"),
            self.file(24, "priority = 9") + &self.area(0, "priority = \"default\""),
            self.file(16, "priority = 9")
                + &self.zram(48, "priority = 70")
                + &set("page-cluster = 1\nswappiness = 62"),
            self.zram(48, "priority = 60\nlimit = \"16M\""),
            self.area(0, "priority = 6\ndiscard = \"pages\""),
            self.area(0, "priority = 7\ndiscard = \"once\""),
        ]
    }

    /// Any of the areas with any of their properties, and settings.
    fn random_state(&self, dice: &mut Dice, algorithms: &[String]) -> String {
        let sizes = [16, 24, 32];
        let mut text = String::new();
        for device in 0..self.devices.len() {
            if dice.below(3) > 0 {
                let discard = ["", "\ndiscard = \"pages\"", "\ndiscard = \"once\""];
                text += &self.area(device, &(priority(dice) + *dice.one_of(&discard)));
            }
        }
        if dice.below(2) == 0 {
            text += &self.file(*dice.one_of(&sizes), &priority(dice));
        }
        if dice.below(2) == 0 {
            let limit = ["", "\nlimit = \"16M\""];
            let algorithm = format!("\nalgorithm = \"{}\"", dice.one_of(algorithms));
            let more = priority(dice) + *dice.one_of(&limit) + &algorithm;
            text += &self.zram(*dice.one_of(&sizes), &more);
        }
        if dice.below(2) == 0 {
            let (swappiness, cluster) = (40 + dice.below(60), dice.below(6));
            let settings = format!("swappiness = {swappiness}\npage-cluster = {cluster}");
            text += &set(&settings);
        }
        text
    }
}

fn set(text: &str) -> String {
    format!("[settings]\n{text}\n")
}

const OTHER_UUID: &str = "5eed0023-0000-4000-8000-000000000002";

/// Often the same as that of another area.
fn priority(dice: &mut Dice) -> String {
    match dice.below(5) {
        0 => "priority = \"default\"".to_owned(),
        number => format!("priority = {number}"),
    }
}

/// From random states to others, by the kernel's own lists.
fn random_pairs(lab: &Lab) -> Result<(), String> {
    let algorithms = zram::algorithms(&areas::new_zram(lab)?);
    let scene = Scene::new(lab)?;
    let mut dice = Dice::new();
    let states: Vec<_> =
        (0..=rounds(4, 500)).map(|_| scene.random_state(&mut dice, &algorithms)).collect();
    let wanted = Wanted::new(lab, states);
    let mut changed = 0;
    for to in 0..wanted.files.len() {
        if wanted.check(to) == Some(1) {
            lead_there_and_back(&wanted, to);
            changed += 1;
        }
    }
    require_iterations(changed, rounds(4, 500) / 2);
    println!("measured: {changed} pairs on real areas, no failure");
    fs::write(&wanted.files[0], "only = true\n").expect("a file");
    wanted.apply(0);
    assert_eq!(listed(), "");
    Ok(())
}

fn pairs(lab: &Lab) -> Result<(), String> {
    let scene = Scene::new(lab)?;
    let wanted = Wanted::new(lab, scene.states());
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
        assert_eq!(wanted.check(state), Some(0), "{}", listed());
    }
    wanted.apply(0);
    assert_eq!(listed(), "");
    assert!(!areas::sysfs(&scene.zram.path).exists(), "it was removed");
    assert!(!scene.swapfile.path.exists(), "a file that is not wanted is removed");
    Ok(())
}

/// From the state before to this one, again, back, and there to stay.
fn lead_there_and_back(wanted: &Wanted<'_>, to: usize) {
    let before = (listed(), settings());
    assert_eq!(wanted.check(to), Some(1), "{to}: it differs");
    assert_eq!((listed(), settings()), before, "--check changes nothing");
    let made = wanted.apply(to);
    assert_eq!(made["changed"], true, "{made:#}");
    assert!(made["differences"].as_array().is_some_and(|all| !all.is_empty()), "{made:#}");
    program::in_form(FORM, &made);
    assert_eq!(wanted.check(to), Some(0), "{to}: {}", listed());
    let again = wanted.apply(to);
    assert_eq!(
        (&again["changed"], &again["steps"]),
        (&Value::Bool(false), &Value::Array(Vec::new()))
    );
    let after = listed();
    let undone = file::undo(wanted.lab, &made);
    assert_eq!(settings(), before.1, "{made:#}");
    let is_told = undone["outcome"]["remark"].is_string();
    // Under pressure the order of default priorities is not restored at once, and a remark says so.
    assert!(listed() == before.0 || is_told, "{} {undone:#}", before.0);
    assert_eq!(without_order(&listed()), without_order(&before.0), "{made:#}");
    wanted.apply(to);
    assert_eq!(without_order(&listed()), without_order(&after));
}

/// The areas without the numbers that the kernel gives to those with default priority.
fn without_order(areas: &str) -> Vec<&str> {
    let area = |line| str::rsplit_once(line, " -").map_or(line, |(area, _)| area);
    areas.lines().map(area).collect()
}
