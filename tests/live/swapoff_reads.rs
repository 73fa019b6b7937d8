//! Pages per read during swapoff, which depends on the kernel, compared with the reported number.

mod estimates;

use crate::areas::{self, Area, Title, page_size};
use crate::hog::Hog;
use crate::lab::{Lab, retry};
use crate::memory_limit::MemoryLimit;
use crate::{at_length, program};
use serde_json::Value;
use std::fs;
use swapadm::derive::swapoff;
use swapadm::model::{Part, PartSet};
use swapadm::{clock::Clock, probes, root::Root};

const MIB: u64 = 1 << 20;
/// More than the load has: incompressible pages are written as they are.
const SIZE: u64 = 128 * MIB;
const LOAD: u64 = 96;
const KEPT: u64 = 32 * MIB;
/// Bytes of a sector in the kernel's device statistics.
const SECTOR: u64 = 512;
static TITLE: Title =
    Title { label: "swapadm-live-re", uuid: "5a9c0f3e-7b1d-4e62-8f40-00008ead50de" };

#[test]
fn a_swapoff_reads_the_reported_number_of_pages_at_once() {
    at_length("a_swapoff_reads_the_reported_number_of_pages_at_once", |lab| {
        let area = areas::on_loop(lab, SIZE, &TITLE, 32_000)?;
        let cage = MemoryLimit::new(lab, KEPT)?;
        let mut hog = Hog::new(&cage);
        hog.noise(LOAD);
        assert!(cage.swap() > LOAD / 2 * MIB, "swapped out: {}", cage.swap());
        cage.lift();
        is_tried(lab, &area);
        let reads = swapoff::reads(&machine()).expect("this kernel is known");
        assert!(reads[0].part > 0.9, "all of it is private: {reads:?}");
        let (before, pages) = read(&area);
        retry(|| areas::swapoff(&area.path)).map_err(|error| error.to_string())?;
        let (after, all) = read(&area);
        let brings = (all - pages) as f64 / (after - before) as f64;
        println!("{brings:.2} pages a read, {:.2} said", reads[0].brings);
        let ratio = brings / reads[0].brings;
        assert!((0.8..1.25).contains(&ratio), "{brings:.2} pages a read: {reads:?}");
        Ok(())
    });
}

/// An area that was never disabled has an estimate from trial reads. A trial that takes too long gives
/// none, as on a busy machine: one of three succeeds.
fn is_tried(lab: &Lab, area: &Area) {
    let path = area.path.to_str().expect("text");
    let estimate = || {
        let output = program::journalled(lab, &["off", path, "--dry-run", "--json"]).output();
        let document: Value =
            serde_json::from_slice(&output.expect("the program starts").stdout).expect("JSON");
        document["estimate"].clone()
    };
    let tried = (0..3).map(|_| estimate()).find(|estimate| estimate["basis"] == "tried");
    let tried = tried.expect("one of three attempts is in time");
    assert!(tried["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{tried}");
}

fn machine() -> swapadm::model::Snapshot {
    let parts = PartSet::from_parts(&[Part::Kernel, Part::Knobs, Part::Processes]);
    probes::sample(&Root::live(), &Clock::Real, parts)
}

/// Number of reads of the device since its creation, and of pages read.
fn read(area: &Area) -> (u64, u64) {
    let text = fs::read_to_string(areas::sysfs(&area.path).join("stat")).expect("statistics");
    let figure = |at| text.split_whitespace().nth(at).and_then(|word| word.parse::<u64>().ok());
    let sectors = figure(2).expect("sectors");
    (figure(0).expect("reads"), sectors * SECTOR / page_size())
}
