//! The zram commands, compared with sysfs and /proc/swaps.

use crate::areas::{self, Area, sysfs};
use crate::change::{json_of, priority};
use crate::hog::Noise;
use crate::lab::{self, Lab, retry, rounds};
use crate::lock_waiting;
use crate::mapped::Mapped;
use crate::program;
use crate::scene::Scene;
use crate::{at_length, in_lab};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn zram_devices_are_made_changed_and_removed() {
    in_lab("zram_devices_are_made_changed_and_removed", commands);
}

#[test]
fn zram_commands_that_cannot_be_carried_out_are_refused() {
    in_lab("zram_commands_that_cannot_be_carried_out_are_refused", refused);
}

#[test]
fn a_round_of_upkeep_frees_memory_and_says_what_it_leaves_out() {
    in_lab("a_round_of_upkeep_frees_memory_and_says_what_it_leaves_out", upkeep);
}

#[test]
fn a_round_of_upkeep_recompresses_and_says_what_it_cost() {
    in_lab("a_round_of_upkeep_recompresses_and_says_what_it_cost", recompression);
}

#[test]
fn swap_on_zram_that_is_cut_off_is_rolled_back() {
    at_length("swap_on_zram_that_is_cut_off_is_rolled_back", killed);
}

const MIB: u64 = 1 << 20;
const LABEL: &str = "swapadm-live-zs";

/// The program with a journal of its own.
fn swapadm(lab: &Lab, arguments: &[&str]) -> Command {
    let mut command = program::command(&lab.scratch.program(), arguments);
    command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    command
}

/// Carries out a command; returns its JSON output.
fn done(lab: &Lab, arguments: &[&str]) -> Value {
    let told = json_of(&mut swapadm(lab, &[arguments, &["--yes", "--json"]].concat()), 0);
    assert!(told["outcome"].is_null() || told["outcome"]["end"] == "done", "{told}");
    told
}

/// Runs a command; returns the exit status and the messages on one line.
fn said(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().expect("the program starts");
    let said = program::describe_failure(&output);
    (output.status.code(), said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The next zram device, removed with the test.
pub(crate) fn next(lab: &Lab) -> Result<Area, String> {
    // Loads the module if necessary.
    drop(areas::new_zram(lab)?);
    let plan = json_of(&mut swapadm(lab, &["zram", "add", "--dry-run", "--json"]), 0);
    let number = plan["steps"][0]["number"].as_u64().expect("a number");
    Ok(areas::adopt_zram(lab, number))
}

fn file(area: &Area, name: &str) -> String {
    let text = fs::read_to_string(sysfs(&area.path).join(name)).unwrap_or_default();
    text.trim().to_owned()
}

/// The current algorithm.
fn algorithm(area: &Area) -> String {
    let text = file(area, "comp_algorithm");
    let chosen = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    chosen.map(|(chosen, _)| chosen.to_owned()).unwrap_or_default()
}

/// The available algorithms.
pub(crate) fn algorithms(area: &Area) -> Vec<String> {
    let text = file(area, "comp_algorithm");
    text.split_whitespace().map(|word| word.trim_matches(['[', ']']).to_owned()).collect()
}

/// Another available algorithm.
fn other_algorithm(area: &Area) -> String {
    let chosen = algorithm(area);
    algorithms(area).into_iter().find(|other| *other != chosen).expect("several algorithms")
}

fn limit(area: &Area) -> Option<u64> {
    file(area, "mm_stat").split_whitespace().nth(3)?.parse().ok()
}

fn name(area: &Area) -> String {
    area.path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn undo(lab: &Lab, made: &Value) {
    done(lab, &["undo", &made["outcome"]["journal"].to_string()]);
}

pub(crate) fn commands(lab: &Lab) -> Result<(), String> {
    let area = next(lab)?;
    let dev = name(&area);
    let made = done(lab, &["zram", "add", "--size", "16M", "--limit", "8M"]);
    assert_eq!((file(&area, "disksize"), limit(&area)), ((16 * MIB).to_string(), Some(8 * MIB)));
    assert!(area.path.exists(), "its node is there");
    undo(lab, &made);
    assert!(!sysfs(&area.path).exists(), "undo removes it");
    let probe = areas::new_zram(lab)?;
    let other = other_algorithm(&probe);
    drop(probe);
    done(lab, &["zram", "add", "--size", "5000", "--algorithm", &other]);
    let page = areas::page_size();
    assert_eq!(file(&area, "disksize"), (5000_u64.div_ceil(page) * page).to_string());
    assert_eq!(algorithm(&area), other);
    let sized = done(lab, &["zram", "resize", &dev, "32M"]);
    assert_eq!((file(&area, "disksize"), algorithm(&area)), ((32 * MIB).to_string(), other));
    let same = done(lab, &["zram", "resize", &dev, "32M"]);
    assert_eq!(same["steps"].as_array().map(Vec::len), Some(0), "an existing state is left alone");
    let limited = done(lab, &["zram", "limit", &dev, "4M"]);
    assert_eq!(limit(&area), Some(4 * MIB));
    undo(lab, &limited);
    assert_eq!(limit(&area), Some(0));
    fill(&area, 0..8);
    let compacted = done(lab, &["zram", "compact", &dev]);
    let figures = &compacted["zram"]["after"]["mm"];
    // On a slow machine they may come too late for this message.
    let late = figures["missing"].is_object();
    assert!(late || figures["orig_data"].as_u64() > Some(7 * MIB), "{compacted}");
    done(lab, &["zram", "idle", &dev]);
    let twice = compacted["outcome"]["journal"].to_string();
    assert_eq!(said(swapadm(lab, &["undo", &twice, "--yes"])).0, Some(2), "nothing to undo");
    contents(lab, &area);
    undo(lab, &sized);
    let removed = done(lab, &["zram", "remove", &dev]);
    assert!(!sysfs(&area.path).exists());
    undo(lab, &removed);
    assert_eq!(file(&area, "disksize"), (5000_u64.div_ceil(page) * page).to_string());
    done(lab, &["zram", "remove", &format!("/dev/{dev}")]);
    assert_eq!(said(swapadm(lab, &["zram"])).0, Some(0), "the table is still there");
    Ok(())
}

/// Content other than swap is not discarded by mistake.
fn contents(lab: &Lab, area: &Area) {
    let dev = name(area);
    let (code, text) = said(swapadm(lab, &["zram", "resize", &dev, "8M", "--yes"]));
    assert!(
        code == Some(3) && text.contains("data other than swap") && text.contains("--force"),
        "{text}"
    );
    assert_eq!(file(area, "disksize"), (32 * MIB).to_string());
    let (code, text) = said(swapadm(lab, &["zram", "limit", &dev, "64K", "--yes"]));
    assert!(code == Some(3) && text.contains("writes to it would fail"), "{text}");
    done(lab, &["zram", "resize", &dev, "8M", "--force", "contents"]);
    assert_eq!(file(area, "disksize"), (8 * MIB).to_string());
    done(lab, &["zram", "resize", &dev, "32M"]);
}

/// Fills these MiB with incompressible data.
fn fill(area: &Area, mibs: std::ops::Range<u64>) {
    fill_masked(area, mibs, u8::MAX);
}

/// Writes random bytes of the bits in this mask.
fn fill_masked(area: &Area, mibs: std::ops::Range<u64>, mask: u8) {
    let file = OpenOptions::new().write(true).open(&area.path).expect("our device opens");
    let mut noise = Noise::default();
    let mut block = vec![0; 1 << 20];
    for mib in mibs {
        noise.scatter(&mut block);
        for byte in &mut block {
            *byte &= mask;
        }
        file.write_all_at(&block, mib * MIB).expect("our device takes pages");
    }
    file.sync_all().expect("the pages are in zram");
}

pub(crate) fn refused(lab: &Lab) -> Result<(), String> {
    let area = next(lab)?;
    let dev = name(&area);
    done(lab, &["zram", "swap", "--size", "16M", "--priority", "9", "--label", LABEL]);
    let before = (areas::listed(), file(&area, "disksize"));
    let cases: [(i32, &[&str], &[&str]); 9] = [
        (2, &["zram", "remove", "zram4711"], &["\"zram4711\" is not a zram device", &dev]),
        (2, &["zram", "resize", "/dev/null", "1G"], &["\"/dev/null\" is not a zram device"]),
        (2, &["zram", "resize", &dev, "much"], &["\"much\"", "512M or 2G", "such as 50%"]),
        (2, &["zram", "resize", &dev, "4096"], &["at least 10 pages"]),
        (
            2,
            &["zram", "algorithm", &dev, "nosuch"],
            &["no zram algorithm \"nosuch\"", &algorithm(&area)],
        ),
        (2, &["zram", "swap", "--label", "a-label-of-16-b."], &["at most 15"]),
        (2, &["zram", "swap", "--priority", "40000"], &["0 to 32767"]),
        (2, &["zram", "idle", &dev, "--age", "soon"], &["\"soon\"", "1h"]),
        (3, &["zram", "remove", &dev], &["is active swap", "swapadm off"]),
    ];
    for (code, arguments, words) in cases {
        let (ended, text) = said(swapadm(lab, &[arguments, &["--yes"]].concat()));
        assert_eq!(ended, Some(code), "{arguments:?}: {text}");
        for word in words {
            assert!(text.contains(word), "{arguments:?}: {word:?} is not in {text}");
        }
    }
    let after = (areas::listed(), file(&area, "disksize"));
    assert_eq!(after, before, "nothing was changed");
    for (word, needed) in [("writeback", "WRITEBACK"), ("recompress", "MULTI_COMP")] {
        if !sysfs(&area.path).join(word).exists() {
            let (code, text) = said(swapadm(lab, &["zram", word, &dev]));
            assert!(code == Some(3) && text.contains(needed), "{text}");
        }
    }
    let mut nobody = swapadm(lab, &["zram", "limit", &dev, "8M", "--yes"]);
    nobody.uid(program::NOBODY).gid(program::NOBODY).current_dir("/");
    let (code, text) = said(nobody);
    assert!(code == Some(3) && text.contains("needs root") && text.contains("mem_limit"), "{text}");
    let mut nobody = swapadm(lab, &["zram", "resize", &dev, "32M", "--yes"]);
    nobody.uid(program::NOBODY).gid(program::NOBODY).current_dir("/");
    let (code, text) = said(nobody);
    assert!(code == Some(3) && text.contains("needs root") && text.contains("disksize"), "{text}");
    open(lab, &area);
    Ok(())
}

/// A process with the device open is named; a late one stops the change without effect.
fn open(lab: &Lab, area: &Area) {
    let dev = name(area);
    done(lab, &["off", &dev]);
    let held = File::open(&area.path).expect("our device opens");
    let (code, text) = said(swapadm(lab, &["zram", "remove", &dev, "--yes"]));
    let me = format!("process {}", std::process::id());
    assert!(code == Some(3) && text.contains("is open in") && text.contains(&me), "{text}");
    drop(held);
    let size = file(area, "disksize");
    // Opened between the checks and the change: while somebody else has the lock.
    let lock = lock_waiting::lock();
    let child = swapadm(lab, &["zram", "remove", &dev, "--yes", "--wait", "20", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    std::thread::sleep(Duration::from_millis(700));
    let held = File::open(&area.path).expect("our device opens");
    drop(lock);
    let output = child.expect("the program starts").wait_with_output().expect("it ends");
    let text = program::describe_failure(&output);
    assert!(matches!(output.status.code(), Some(3 | 4)) && text.contains("is open in"), "{text}");
    assert_eq!(file(area, "disksize"), size);
    drop(held);
    comes_back(lab, area);
}

/// Undo of a removal, and then of the `off` before it, brings back the area with its header.
fn comes_back(lab: &Lab, area: &Area) {
    let dev = name(area);
    let header = || fs::read(&area.path).map(|bytes| bytes[..4096].to_vec()).ok();
    let before = header();
    done(lab, &["zram", "remove", &dev]);
    done(lab, &["undo"]);
    assert!(before.is_some() && header() == before, "the header is there again");
    done(lab, &["undo"]);
    assert_eq!(priority(&area.path), Some(9));
    done(lab, &["off", &dev]);
    done(lab, &["zram", "remove", &dev]);
}

/// The content of a device moves elsewhere while it is set up again.
pub(crate) fn under_load(scene: &mut Scene<'_>) {
    let lab = scene.lab;
    let sum = scene.hog.sum();
    let (dev, path) = (name(&scene.pair[0]), scene.pair[0].path.clone());
    let [size, was] = [file(&scene.pair[0], "disksize"), algorithm(&scene.pair[0])];
    let other = other_algorithm(&scene.pair[0]);
    let head = || {
        let mut head = vec![0; 64];
        let device = File::open(&path).expect("our device opens");
        device.read_exact_at(&mut head, 1036).expect("a header");
        head[..32].to_vec()
    };
    let title = head();
    scene.hog.guard();
    let resized = done(lab, &["zram", "resize", &dev, "96M"]);
    let kinds: Vec<&str> = resized["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .filter_map(|it| it["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["off", "header", "zram", "header", "on"]);
    assert_eq!(file(&scene.pair[0], "disksize"), (96 * MIB).to_string());
    assert_eq!((priority(&path), head()), (Some(32_000), title.clone()), "as it was on");
    let changed = done(lab, &["zram", "algorithm", &dev, &other]);
    assert_eq!((algorithm(&scene.pair[0]), priority(&path)), (other, Some(32_000)));
    scene.hog.rest_unchanged(&sum);
    undo(lab, &changed);
    undo(lab, &resized);
    assert_eq!([file(&scene.pair[0], "disksize"), algorithm(&scene.pair[0])], [size, was]);
    assert_eq!((priority(&path), head()), (Some(32_000), title));
    assert_eq!(scene.hog.sum(), sum, "no byte differs");
}

/// The content of a device stays during actions on it, and when it reaches its limit: the kernel then keeps
/// in memory what it cannot write.
pub(crate) fn told_under_load(scene: &mut Scene<'_>) {
    let lab = scene.lab;
    let area = &scene.pair[1];
    let dev = name(area);
    let sum = scene.hog.sum();
    scene.hog.guard();
    let holds = figure(area, "mm_stat", 0);
    assert!(holds > 16 * MIB, "the load is on it: {holds}");
    done(lab, &["zram", "compact", &dev]);
    done(lab, &["zram", "idle", &dev]);
    done(lab, &["zram", "limit", &dev, "256M"]);
    assert_eq!((limit(area), figure(area, "io_stat", 1)), (Some(256 * MIB), 0));
    let half = (figure(area, "mm_stat", 2) / 2).to_string();
    let less = ["zram", "limit", &dev, &half];
    let (code, text) = said(swapadm(lab, &[&less[..], &["--yes"]].concat()));
    assert!(code == Some(3) && text.contains("writes to it would fail"), "{text}");
    assert_eq!(limit(area), Some(256 * MIB), "a refusal changes nothing");
    let tight = done(lab, &[&less[..], &["--force", "limit"]].concat());
    let fails = || if figure(area, "io_stat", 1) > 0 { Ok(()) } else { Err(file(area, "io_stat")) };
    assert_eq!(retry(fails), Ok(()), "it takes no more");
    undo(lab, &tight);
    assert_eq!((limit(area), priority(&area.path)), (Some(256 * MIB), Some(32_000)));
    scene.hog.rest_unchanged(&sum);
}

/// A number in a file of a device.
pub(crate) fn figure(area: &Area, name: &str, place: usize) -> u64 {
    let text = file(area, name);
    let figure = text.split_whitespace().nth(place).and_then(|it| it.parse().ok());
    figure.unwrap_or_else(|| panic!("{name}: {text}"))
}

/// Number of interruptions required in the middle.
const ENOUGH: usize = 2;

/// Kills after this many journal lines: before and after each step.
pub(crate) fn killed(lab: &Lab) -> Result<(), String> {
    let area = next(lab)?;
    let before = areas::listed();
    let journal = lab.scratch.file("journal");
    let lines = || fs::read(&journal).map_or(0, |text| text.split(|byte| *byte == b'\n').count());
    let arguments =
        ["zram", "swap", "--size", "16M", "--priority", "9", "--label", LABEL, "--yes", "--json"];
    let mut rolled_back = 0;
    let usual = rounds(9, 27);
    for round in 0..3 * usual {
        // On a busy machine the middle is rarely met: more are interrupted.
        if round >= usual && rolled_back >= ENOUGH {
            break;
        }
        let begun = lines();
        let mut child =
            swapadm(lab, &arguments).stdout(Stdio::null()).spawn().expect("the program starts");
        let since = Instant::now();
        // The line of the plan, then two for each step: at its begin and end.
        let wanted = begun + 1 + usize::try_from(round % 9).expect("small");
        while lines() < wanted && since.elapsed() < Duration::from_secs(10) {}
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
        let _ = kill(pid, Signal::SIGKILL);
        let _ = child.wait();
        let told = json_of(&mut swapadm(lab, &["recover", "--yes", "--wait", "60", "--json"]), 0);
        rolled_back += told["steps"].as_array().map_or(0, Vec::len);
        if priority(&area.path) == Some(9) {
            // The command was complete before the kill.
            done(lab, &["off", &name(&area)]);
            done(lab, &["zram", "remove", &name(&area)]);
        }
        if sysfs(&area.path).exists() {
            let journal = fs::read_to_string(&journal).unwrap_or_default();
            let last: Vec<&str> = journal.lines().skip(begun.saturating_sub(1)).collect();
            let shows = ["disksize", "comp_algorithm", "mm_stat"].map(|name| file(&area, name));
            panic!("round {round}: {told}\n{}\n{shows:?}", last.join("\n"));
        }
        assert_eq!(areas::listed(), before, "round {round}");
    }
    lab::require_iterations(rolled_back as u64, ENOUGH as u64);
    Ok(())
}

/// Upkeep of a device that cannot write back.
fn upkeep(lab: &Lab) -> Result<(), String> {
    let area = next(lab)?;
    let dev = name(&area);
    done(lab, &["zram", "add", "--size", "64M"]);
    fill(&area, 0..24);
    let nothing = done(lab, &["zram", "upkeep", &dev, "--compact-from", "100", "--budget", "4M"]);
    assert_eq!(nothing["steps"].as_array().map(Vec::len), Some(0), "{nothing}");
    let notes = nothing["checks"].to_string();
    let can = sysfs(&area.path).join("backing_dev").exists();
    let why = if can { "it has no backing device" } else { "built without CONFIG_ZRAM_WRITEBACK" };
    assert!(notes.contains(why), "{notes}");
    assert!(notes.contains("second algorithm") || notes.contains("MULTI_COMP"), "{notes}");
    let compacted = done(lab, &["zram", "upkeep", &dev, "--compact-from", "0"]);
    assert_eq!(compacted["steps"][0]["word"], "1", "{compacted}");
    assert_eq!(compacted["zram"]["device"], dev.as_str(), "{compacted}");
    done(lab, &["zram", "remove", &dev, "--force", "contents"]);
    Ok(())
}

/// Upkeep compresses huge pages again with a second algorithm.
fn recompression(lab: &Lab) -> Result<(), String> {
    let probe = areas::new_zram(lab)?;
    if !sysfs(&probe.path).join("recomp_algorithm").exists() {
        lab::remark("recompression: this kernel was built without CONFIG_ZRAM_MULTI_COMP");
        return Ok(());
    }
    drop(probe);
    let area = next(lab)?;
    let dev = name(&area);
    let add = ["zram", "add", "--size", "64M", "--algorithm", "lzo", "--second-algorithm", "zstd"];
    done(lab, &add);
    // Without repeated sequences lzo does not compress them, but zstd encodes bytes of few values in fewer bits.
    fill_masked(&area, 0..24, 0x1f);
    let huge = || file(&area, "mm_stat").split_whitespace().nth(7).map(str::to_owned);
    let before: u64 = huge().and_then(|pages| pages.parse().ok()).expect("huge pages");
    assert!(before > 0, "{}", file(&area, "mm_stat"));
    let round = done(lab, &["zram", "upkeep", &dev, "--compact-from", "100"]);
    assert!(round["steps"].to_string().contains("type=huge"), "{round}");
    let forecast = format!("{dev}: {before} huge pages: recompression");
    assert!(round["checks"].to_string().contains(&forecast), "{round}");
    let compressed = |when: &str| round["zram"][when]["mm"]["compr_data"].as_u64();
    assert!(compressed("after") < compressed("before"), "{round}");
    let [seconds, cpu] = ["seconds", "cpu_seconds"].map(|key| round["cost"][key].as_f64());
    assert!(cpu > Some(0.0) && seconds > Some(0.0), "{round}");
    done(lab, &["zram", "remove", &dev, "--force", "contents"]);
    Ok(())
}

/// A round of upkeep writes back no more than the budget, and the next one nothing on the same day.
fn budget(lab: &Lab, area: &Area, count: &dyn Fn() -> Option<u64>) {
    let dev = name(area);
    let before = count().expect("a count");
    let round = ["zram", "upkeep", &dev, "--age", "1s", "--budget", "4M"];
    let first = done(lab, &round);
    let limit = sysfs(&area.path).join("writeback_limit");
    let more = count().expect("a count") - before;
    assert!((1..=1024).contains(&more), "{more} pages: {first}");
    assert_eq!(file(area, "writeback_limit"), "0", "the budget is used up");
    let second = done(lab, &round);
    assert!(second["checks"].to_string().contains("budget of the day is used up"), "{second}");
    assert_eq!(count(), Some(before + more));
    // What is left of a budget is used without another grant.
    fs::write(limit, "256").expect("a limit");
    let third = done(lab, &round);
    assert!(!third["steps"].to_string().contains("writeback_limit"), "{third}");
    assert_eq!(count(), Some(before + more + 256), "{third}");
    fs::write(sysfs(&area.path).join("writeback_limit_enable"), "0").expect("no limit");
}

/// Whether this kernel has writeback; otherwise the reason is checked.
pub(crate) fn writes_back(lab: &Lab) -> Result<bool, String> {
    let probe = areas::new_zram(lab)?;
    let can = sysfs(&probe.path).join("backing_dev").exists();
    if !can {
        lab::remark("writeback: this kernel was built without CONFIG_ZRAM_WRITEBACK");
    }
    Ok(can)
}

/// A backing device that becomes full, and one that fails: the cause is named, what was written is counted, and the
/// journal is complete.
pub(crate) fn writeback_fails(lab: &Lab) -> Result<(), String> {
    let small = areas::new_loop(lab, MIB)?;
    let written = cannot_write_back(lab, &small.path, "the backing device is full", || Ok(()))?;
    assert!((1..=MIB / areas::page_size()).contains(&written), "{written} pages");
    drop(small);
    match Mapped::new(lab, 48 * MIB) {
        Ok(mapped) => {
            let fail = || mapped.fail();
            let why = "or the backing device failed";
            assert_eq!(cannot_write_back(lab, &mapped.path, why, fail)?, 0);
            mapped.be_healthy()
        }
        Err(reason) => {
            lab::remark(&format!("writeback to a device that fails: {reason}"));
            Ok(())
        }
    }
}

/// Fails to write back to a device, and returns the number of pages on it.
fn cannot_write_back(
    lab: &Lab,
    behind: &Path,
    why: &str,
    prepare: impl Fn() -> Result<(), String>,
) -> Result<u64, String> {
    let area = next(lab)?;
    let dev = name(&area);
    let behind = behind.to_string_lossy();
    done(lab, &["zram", "add", "--size", "64M", "--backing", &behind]);
    fill(&area, 0..8);
    prepare()?;
    let (code, text) = said(swapadm(lab, &["zram", "writeback", &dev, "huge", "--yes"]));
    assert!(code != Some(0) && text.contains(why), "{code:?}: {text}");
    let (code, text) = said(swapadm(lab, &["recover", "--yes"]));
    assert_eq!(code, Some(0), "{text}");
    let count = file(&area, "bd_stat").split_whitespace().next().and_then(|it| it.parse().ok());
    done(lab, &["zram", "remove", &dev, "--force", "contents"]);
    Ok(count.expect("a count"))
}

/// Writes pages back to a backing device.
pub(crate) fn writeback(lab: &Lab) -> Result<(), String> {
    let area = next(lab)?;
    let backing = areas::new_loop(lab, 48 * MIB)?;
    let behind = backing.path.to_string_lossy().into_owned();
    let dev = name(&area);
    done(lab, &["zram", "add", "--size", "64M", "--backing", &behind]);
    fill(&area, 0..24);
    done(lab, &["zram", "idle", &dev]);
    let (code, text) =
        said(swapadm(lab, &["zram", "writeback", &dev, "huge", "--limit", "2K", "--yes"]));
    assert!(code == Some(2) && text.contains("units of 4K"), "{text}");
    let limited = done(lab, &["zram", "writeback", &dev, "huge", "--limit", "4M"]);
    let count = || file(&area, "bd_stat").split_whitespace().next().and_then(|it| it.parse().ok());
    assert!(
        count().is_some_and(|pages: u64| pages > 0 && pages <= 1100),
        "{}",
        file(&area, "bd_stat")
    );
    let figures = &limited["zram"]["after"]["bd"];
    assert!(figures["missing"].is_object() || figures["count"].as_u64() > Some(0), "{limited}");
    undo(lab, &limited);
    assert_eq!(file(&area, "writeback_limit_enable"), "0");
    budget(lab, &area, &count);
    done(lab, &["zram", "writeback", &dev, "idle"]);
    assert!(count() > Some(4000), "{}", file(&area, "bd_stat"));
    let plain = areas::new_zram(lab)?;
    fs::write(sysfs(&plain.path).join("disksize"), "16M").expect("a size");
    let (code, text) = said(swapadm(lab, &["zram", "writeback", &name(&plain)]));
    assert!(code == Some(3) && text.contains("has no backing device"), "{text}");
    // udev may still be reading it.
    let removed = retry(|| {
        let (code, text) =
            said(swapadm(lab, &["zram", "remove", &dev, "--yes", "--force", "contents"]));
        if code == Some(0) { Ok(()) } else { Err(text) }
    });
    assert_eq!(removed, Ok(()));
    Ok(())
}
