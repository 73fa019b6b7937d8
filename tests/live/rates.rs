//! Rates of traffic that goes on, against the counters they come from.

use crate::program::{self, command};
use crate::reference::sectors;
use crate::scene::Scene;
use serde_json::Value;
use std::path::Path;

const SECTOR: u64 = 512;
/// Between the readings around it and the program's own lies its start, and the traffic is not
/// even: this part of what the readings tell must be in the rates.
const LEAST: f64 = 0.3;
/// A rate is computed from the moments at which its own file was read, which on a busy machine are
/// some milliseconds further apart, or less far, than the two samples as a whole.
const MOST: f64 = 1.1;

/// In and out of both zram devices.
pub(crate) fn follow_diskstats(scene: &Scene<'_>) {
    let names = scene.pair.each_ref().map(|area| name(&area.path));
    let before = names.each_ref().map(|name| sectors(name));
    let document = measured();
    let seconds = document["seconds"].as_f64().expect("two samples");
    assert!((1.9..20.0).contains(&seconds), "the samples are two seconds apart: {seconds}");
    for (device, before) in names.iter().zip(before) {
        let after = sectors(device);
        let rows = program::rows(&document, "devices");
        let row = rows.iter().find(|row| row["device"] == device.as_str()).expect("our device");
        within(row, "in_rate", seconds, after.0 - before.0);
        within(row, "out_rate", seconds, after.1 - before.1);
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

/// What flowed between the samples is part of what flowed between our readings.
fn within(row: &Value, column: &str, seconds: f64, sectors: u64) {
    let rate = row[column].as_f64().unwrap_or_else(|| panic!("{column} is missing: {row}"));
    let (shown, all) = (rate * seconds, (sectors * SECTOR) as f64);
    assert!(rate > 0.0, "{column} stands still: {row}");
    assert!(shown <= all * MOST, "{column}: {shown} bytes of {all}");
    assert!(shown >= all * LEAST, "{column}: {shown} bytes of {all}");
}
