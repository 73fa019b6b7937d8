//! Random machines and loads: what the model predicts for each is known before the kernel runs it. `SWAPADM_SEED`
//! draws other cases, as `.ci/weekly` does each day: a fixed seed tells a change of the model from bad luck.

use super::builtin;
use super::{AreaMedium, TOP, TestArea, look};
use crate::areas::{self, Area};
use crate::lab::{Lab, when_time_allows};
use crate::program;
use serde_json::Value;
use std::fs;
use swapadm::sim::dense::SeededRandom;

/// Cases, and how many of them must be predicted within `NEAR`.
const CASES: u64 = 16;
const NEAR_CASES: usize = 14;
/// Largest difference between the predicted and the measured share of an area.
const NEAR: f64 = 0.03;
/// Most memory of a load in MiB, beside its limit.
const MOST_SWAP: u64 = 240;

/// Memory limit of the load in MiB.
const LIMIT_MIB: u64 = 48;

/// Areas and a load of one process that writes its memory once.
struct BlindCase {
    areas: Vec<TestArea>,
    mib: u64,
    advice: &'static str,
}

#[test]
fn random_machines_share_as_predicted() {
    when_time_allows("random_machines_share_as_predicted", |lab| {
        let seed = seed();
        println!("SWAPADM_SEED={seed}");
        let mut random = SeededRandom::new(seed);
        let cases: Vec<BlindCase> = (0..CASES).map(|_| BlindCase::draw(&mut random)).collect();
        let mut near = 0;
        for (number, case) in (1..).zip(&cases) {
            let difference = case.run(lab, number)?;
            near += usize::from(difference <= NEAR);
        }
        println!("measured: {near} of {CASES} cases are within {:.0} points", NEAR * 100.0);
        assert!(near >= NEAR_CASES, "only {near} of {CASES} cases are within the limit");
        Ok(())
    });
}

/// The seed that is set, or that of the published figures.
fn seed() -> u64 {
    let set = std::env::var("SWAPADM_SEED").ok().and_then(|seed| seed.parse().ok());
    set.unwrap_or(20_261_127)
}

impl BlindCase {
    fn draw(random: &mut SeededRandom) -> Self {
        let are_equal = below(random, 5) < 2;
        let areas: Vec<TestArea> = (0..2 + below(random, 3))
            .map(|_| {
                let kind = match below(random, 10) {
                    0..5 => AreaMedium::Zram,
                    5..7 => AreaMedium::Solid,
                    7..9 => AreaMedium::Rotating,
                    _ => AreaMedium::File,
                };
                let lower = if are_equal { 0 } else { below(random, 3) };
                kind.spec(48 + 8 * below(random, 15), TOP - u16::try_from(lower).expect("small"))
            })
            .collect();
        let capacity: u64 = areas.iter().map(|area| area.mib).sum();
        let swapped = (capacity * (40 + below(random, 40)) / 100).min(MOST_SWAP);
        let advice = ["small", "small", "large"][usize::try_from(below(random, 3)).expect("small")];
        Self { areas, mib: LIMIT_MIB + swapped, advice }
    }

    /// The largest difference of a share.
    fn run(&self, lab: &Lab, number: u64) -> Result<f64, String> {
        let areas = self.areas.iter().enumerate().map(|(place, area)| area.area(lab, place));
        let _areas: Vec<Area> = areas.collect::<Result<_, _>>()?;
        let before = look();
        let file = std::env::temp_dir().join("swapadm-live-blind.toml");
        fs::write(&file, self.like_this(lab)).map_err(|error| error.to_string())?;
        let with = [
            "processes=1".into(),
            format!("size={}M", self.mib),
            format!("advice={}", self.advice),
        ];
        let mut command =
            program::journalled(lab, &["stress", "run", "usemem", "--no-keep", "--yes", "--json"]);
        command.args(with.iter().flat_map(|with| ["--with", with]));
        command.args(["--limit", &format!("{}M", self.limit()), "--on"]).arg(&file);
        let predicted = samples(&builtin::measured(&mut command)?);
        let _ = fs::remove_file(&file);
        // The kernel kills now and then in a small cgroup although swap is free.
        let run = || builtin::run(lab, "usemem", &with);
        let measured = run().or_else(|_| run()).or_else(|_| run())?;
        let measured = builtin::most(&before, &measured);
        let total: u64 = measured.iter().sum();
        let nearest =
            predicted.into_iter().min_by_key(|held| held.iter().sum::<u64>().abs_diff(total));
        let shares = [nearest.expect("a sample"), measured].map(|held| shares_of(&held));
        let difference =
            shares[0].iter().zip(&shares[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let percent = |shares: &[f64]| {
            let shares: Vec<String> =
                shares.iter().map(|share| format!("{:.1}", share * 100.0)).collect();
            shares.join(" ")
        };
        let areas: Vec<String> = self.areas.iter().map(ToString::to_string).collect();
        println!(
            "case {number}: {}; {} folios, {} MiB swapped: predicted {}, measured {} %, {:.1} points apart",
            areas.join(", "),
            self.advice,
            total * areas::page_size() / super::MIB,
            percent(&shares[0]),
            percent(&shares[1]),
            difference * 100.0
        );
        Ok(difference)
    }

    /// A memory limit in MiB with which the model swaps out more than this machine, if swap has room: how much of its
    /// limit a load can take is not the model's.
    fn limit(&self) -> u64 {
        (LIMIT_MIB - 28).max((self.mib + 4).saturating_sub(self.capacity()))
    }

    fn capacity(&self) -> u64 {
        self.areas.iter().map(|area| area.mib).sum()
    }

    /// A model of this machine as it is, with memory for the load and all that zram can store.
    fn like_this(&self, lab: &Lab) -> String {
        let memory = self.limit() + self.capacity();
        let file = program::output(&mut program::journalled(lab, &["machine", "like-this"]));
        let others = ["memory ", "rounds-per-second ", "load "];
        let kept = file.lines().filter(|line| !others.iter().any(|other| line.starts_with(other)));
        let kept: Vec<&str> = kept.collect();
        format!("memory = \"{memory}M\"\nrounds-per-second = 200\n{}\n", kept.join("\n"))
    }
}

/// Pages of each area at each moment of a simulated run.
fn samples(measured: &Value) -> Vec<Vec<u64>> {
    let areas = measured["used"]["areas"].as_array().expect("areas over time");
    let moments = measured["used"]["at"].as_array().expect("moments").len();
    let pages =
        |area: &Value, moment: usize| area["used"][moment].as_u64().unwrap_or_default() / 4096;
    (0..moments).map(|moment| areas.iter().map(|area| pages(area, moment)).collect()).collect()
}

fn shares_of(held: &[u64]) -> Vec<f64> {
    let total = held.iter().sum::<u64>().max(1) as f64;
    held.iter().map(|pages| *pages as f64 / total).collect()
}

/// A number below `end`. The remainder, because the cases of a seed stay as they were drawn.
fn below(random: &mut SeededRandom, end: u64) -> u64 {
    random.next_u64() % end
}
