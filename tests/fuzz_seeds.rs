//! All fuzz targets on their seeds and on random changes of these: keeps targets and seeds valid between runs of
//! `fuzz/run.sh`, and needs no other toolchain.
//!
//! `SWAPADM_FUZZ=100000 cargo test --test suite fuzz_seeds:: -- --nocapture` tries as many inputs for each target, and
//! `SWAPADM_FUZZ_TARGETS=swaps,btf` only for these.

#![allow(
    clippy::disallowed_methods,
    reason = "the test reads seeds, its environment and the clock"
)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed input should stop the test")]

#[path = "../fuzz/targets/mod.rs"]
mod targets;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use targets::mutate::Mutator;
use targets::{TARGETS, Target};

/// Inputs for each target, if the environment gives no number.
const FEW: u64 = 200;
/// The limit for one input, as of `fuzz/run.sh`.
const LONGEST: Duration = Duration::from_secs(10);

fn seeds_folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds"))
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let paths = files(&seeds_folder().join(target.name));
    let seeds: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.iter().all(|seed| seed.len() <= target.longest), "{}", target.name);
    seeds
}

/// Tries an input. One that fails is kept in a file.
fn try_input(target: &Target, check: &mut targets::Check, input: &[u8]) {
    let began = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| check(input)));
    if result.is_err() || began.elapsed() > LONGEST {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-failed", target.name));
        fs::write(&file, input).unwrap();
        panic!("target {} failed on {}", target.name, file.display());
    }
}

#[test]
fn every_parser_takes_its_seeds_and_their_beginnings() {
    let mut count = 0;
    for target in TARGETS {
        let mut check = (target.open)();
        for seed in seeds(target) {
            count += 1;
            for part in 0..=8 {
                try_input(target, &mut check, &seed[..seed.len() * part / 8]);
            }
        }
    }
    println!("measured: {} targets, {count} seeds, no failure", TARGETS.len());
}

#[test]
fn every_parser_takes_changed_seeds() {
    let count = env::var("SWAPADM_FUZZ").map_or(FEW, |text| text.parse().unwrap());
    let start = env::var("SWAPADM_FUZZ_START").map_or(1, |text| text.parse().unwrap());
    let only = env::var("SWAPADM_FUZZ_TARGETS").ok();
    let is_chosen = |target: &&Target| {
        only.as_ref().is_none_or(|names| names.split(',').any(|name| name == target.name))
    };
    let chosen: Vec<&Target> = TARGETS.iter().filter(is_chosen).collect();
    for target in &chosen {
        let (mut check, seeds) = ((target.open)(), seeds(target));
        let mut mutator = Mutator::new(start);
        let began = Instant::now();
        for _ in 0..count {
            try_input(target, &mut check, &mutator.input(&seeds, target.longest));
        }
        let per_second = count as f64 / began.elapsed().as_secs_f64();
        println!("{} {count} inputs, {per_second:.0} a second", target.name);
    }
    let inputs = count * chosen.len() as u64;
    println!("measured: {inputs} inputs of {} targets, no failure", chosen.len());
}

#[test]
fn each_target_has_seeds_and_each_folder_a_target() {
    let targets: BTreeSet<PathBuf> =
        TARGETS.iter().map(|target| seeds_folder().join(target.name)).collect();
    assert_eq!(files(seeds_folder()), targets);
}
