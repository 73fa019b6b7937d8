//! Rates of steady traffic, compared with their counters.

use crate::program::{self, command};
use crate::reference::sectors;
use crate::scene::Scene;
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

const SECTOR: u64 = 512;
/// Traffic is uneven: at least this part of the average must be in the rates.
const LEAST: f64 = 0.4;
/// A rate uses the times at which its own file was read, which on a busy machine differ by milliseconds
/// from the times of the samples.
const MOST: f64 = 1.1;

/// Reads and writes of both zram devices.
pub(crate) fn follow_diskstats(scene: &Scene<'_>) {
    let names = scene.pair.each_ref().map(|area| name(&area.path));
    let (begun, before) = (Instant::now(), names.each_ref().map(|name| sectors(name)));
    let document = measured();
    let seconds = document["interval_s"].as_f64().expect("two samples");
    assert!((1.9..20.0).contains(&seconds), "the samples are two seconds apart: {seconds}");
    let after = names.each_ref().map(|name| sectors(name));
    let share = seconds / begun.elapsed().as_secs_f64();
    for ((device, before), after) in names.iter().zip(before).zip(after) {
        let rows = program::rows(&document, "devices");
        let row = rows.iter().find(|row| row["device"] == device.as_str()).expect("our device");
        within(row, "in_rate", (seconds, share), after.0 - before.0);
        within(row, "out_rate", (seconds, share), after.1 - before.1);
        assert!(row["busy"].is_number() && row["growth"].is_number(), "{row}");
    }
}

fn measured() -> Value {
    let arguments =
        ["devices", "--json", "-o", "all", "--bytes", "--interval", "2", "--count", "1"];
    program::json(&mut command(&program::built(), &arguments))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The traffic between the samples is part of the traffic between our readings, roughly in proportion to
/// time.
fn within(row: &Value, column: &str, (seconds, share): (f64, f64), sectors: u64) {
    let rate = row[column].as_f64().unwrap_or_else(|| panic!("{column} is missing: {row}"));
    let (shown, all) = (rate * seconds, (sectors * SECTOR) as f64);
    assert!(rate > 0.0, "{column} does not change: {row}");
    assert!(shown <= all * MOST, "{column}: {shown} bytes of {all}");
    assert!(shown >= all * share * LEAST, "{column}: {shown} bytes of {all} in {share} of it");
}
