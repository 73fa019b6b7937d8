//! `--max-psi`: a swapoff that causes memory pressure is stopped and rolled back.

use crate::areas::{self, Area, Title};
use crate::change::{self, json_of, priority};
use crate::hog::Hog;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use crate::program::{self, describe_failure};
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;
const BEFORE: u16 = 32_000;
/// A priority that the areas never have.
const NEVER: u16 = 32_500;
const FILE: &str = "/proc/pressure/memory";
/// Time limit for pressure to appear.
const PATIENCE: Duration = Duration::from_mins(1);
/// Number of swapoffs that must be stopped in the middle.
const ENOUGH: u64 = 2;
/// Attempts to meet rising pressure.
const TRIES: usize = 20;

/// Two areas, and verifying loads in a cgroup that is too small for them.
struct PressureScene<'l> {
    hogs: [Hog; 2],
    _cage: MemoryLimit,
    areas: [Area; 2],
    lab: &'l Lab,
}

impl<'l> PressureScene<'l> {
    fn new(lab: &'l Lab) -> Result<Self, String> {
        let area = |title| areas::zram(lab, 160 * MIB, title, BEFORE);
        let areas = [area(&TITLES[0])?, area(&TITLES[1])?];
        let cage = MemoryLimit::new(lab, 48 * MIB)?;
        let mut hogs = [Hog::new(&cage), Hog::new(&cage)];
        for hog in &mut hogs {
            hog.fill(110);
        }
        Ok(Self { hogs, _cage: cage, areas, lab })
    }

    fn priorities(&self) -> [Option<i32>; 2] {
        [0, 1].map(|place: usize| priority(&self.areas[place].path))
    }

    /// Disables and enables both, unless PSI exceeds this limit.
    fn renew(&self, number: u16, most: f64) -> (Option<i32>, Value) {
        let wish = |area: &Area| format!("{}={number}", area.path.display());
        let [a, b] = self.areas.each_ref().map(wish);
        let most = format!("{most:.2}");
        let arguments = ["priority", &a, &b, "--max-psi", &most, "--yes", "--json"];
        let output =
            program::journalled(self.lab, &arguments).output().expect("the program starts");
        let document = serde_json::from_slice(&output.stdout);
        (output.status.code(), document.unwrap_or_else(|_| panic!("{}", describe_failure(&output))))
    }

    /// Whether the first step of the last plan was begun.
    fn had_begun(&self) -> bool {
        let plans = program::json(&mut program::journalled(self.lab, &["journal", "--json"]));
        let last = plans.as_array().and_then(|plans| plans.last()).expect("a plan");
        let events = last["events"].as_array().expect("events");
        events.iter().any(|event| event["event"] == "try" && event["back"] == false)
    }
}

/// Full PSI over the last 10 s.
fn waits() -> Option<f64> {
    let text = fs::read_to_string(FILE).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("full avg10="))?;
    line.split(' ').next()?.parse().ok()
}

/// Waits for this much PSI; returns the value.
fn wait_for(least: f64) -> Option<f64> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let now = waits()?;
        if now > least {
            return Some(now);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    None
}

/// Stopped: the reason is given, and both areas are enabled as before.
fn is_given_up(crowd: &PressureScene<'_>, document: &Value, before: [Option<i32>; 2]) {
    let outcome = &document["outcome"];
    let why = outcome["why"].as_str().unwrap_or_default();
    assert!(outcome["end"] == "undone" && why.contains("memory PSI full was"), "{outcome}");
    assert_eq!(crowd.priorities(), before, "{outcome}");
}

pub(crate) fn stops(lab: &Lab) -> Result<(), String> {
    if waits().is_none() {
        return Err(format!("{FILE} cannot be read"));
    }
    let _spare = change::spare(lab)?;
    let mut crowd = PressureScene::new(lab)?;
    let sums = crowd.hogs.each_mut().map(Hog::sum);
    crowd.hogs.iter_mut().for_each(Hog::guard);
    let Some(mut now) = wait_for(1.0) else {
        lab::remark("stopping a swapoff: a thrashing load causes no PSI here");
        return Ok(());
    };
    let mut given_up = 0;
    for number in (BEFORE + 1..).take(TRIES) {
        let before = crowd.priorities();
        let (code, document) = crowd.renew(number, now + 0.05);
        match code {
            Some(0) => assert_eq!(crowd.priorities(), [Some(i32::from(number)); 2]),
            Some(4) => {
                is_given_up(&crowd, &document, before);
                given_up += u64::from(crowd.had_begun());
            }
            other => panic!("{other:?}: {document}"),
        }
        if given_up == ENOUGH {
            break;
        }
        now = waits().unwrap_or(now);
    }
    lab::require_iterations(given_up, ENOUGH);
    // With too much PSI from the start, nothing is begun.
    if wait_for(1.0).is_some() {
        let before = crowd.priorities();
        let (code, document) = crowd.renew(NEVER, 0.0);
        assert_eq!(code, Some(4), "{document}");
        is_given_up(&crowd, &document, before);
        assert!(!crowd.had_begun(), "{document}");
    }
    for (hog, sum) in crowd.hogs.iter_mut().zip(&sums) {
        hog.rest_unchanged(sum);
    }
    let recovered = json_of(&mut program::journalled(lab, &["recover", "--json"]), 0);
    assert_eq!(recovered["steps"].as_array().map(Vec::len), Some(0), "nothing is left over");
    Ok(())
}

static TITLES: [Title; 2] = [
    Title { label: "swapadm-live-p0", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000b510c0de" },
    Title { label: "swapadm-live-p1", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000b511c0de" },
];
