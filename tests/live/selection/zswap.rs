//! Pages in zswap, in front of an area on a disk, beside those of the model.

use super::counters::CountedCase;
use super::{AreaMedium, TOP};
use crate::lab::when_time_allows;
use crate::settings::{SavedSettings, says};
use serde_json::Value;
use std::fs;
use std::path::Path;

const ENABLED: &str = "/sys/module/zswap/parameters/enabled";
const MAX_POOL: &str = "/sys/module/zswap/parameters/max_pool_percent";

/// Largest difference of a share.
const NEAR_SHARE: f64 = 0.02;
/// Largest difference in points while the pool is full: writeback depends on when the worker of the kernel gets a CPU.
const NEAR_SHARE_FULL: f64 = 0.1;

#[test]
fn pages_are_in_zswap_as_predicted() {
    when_time_allows("pages_are_in_zswap_as_predicted", |lab| {
        if !Path::new(ENABLED).exists() {
            return Err("this kernel has no zswap".to_owned());
        }
        if says(ENABLED) == "Y" {
            return Err("zswap is enabled: pages of this machine would be moved".to_owned());
        }
        let _before = SavedSettings::new(&[ENABLED, MAX_POOL]);
        fs::write(ENABLED, "Y").map_err(|error| format!("zswap: {error}"))?;
        let mut far = Vec::new();
        for (max_pool, mib, with, most) in [
            ("20", 96, ["contents=2:1", "pattern=sequential"], NEAR_SHARE),
            ("20", 96, ["contents=2:1", "pattern=random"], NEAR_SHARE),
            // A page that does not compress is stored as it is, and the pool fills.
            ("1", 320, ["contents=random", "pattern=sequential"], NEAR_SHARE_FULL),
        ] {
            fs::write(MAX_POOL, max_pool).map_err(|error| format!("max_pool_percent: {error}"))?;
            let case = CountedCase {
                area: AreaMedium::Solid.spec(mib, TOP),
                mib,
                with: &["advice=small", "prefault=true", "passes=2", "touch=word"],
            };
            let runs = case.run(lab, &with)?;
            println!("{mib} MiB, {with:?}, max_pool_percent {max_pool}:");
            for share in SHARES {
                let [measured, predicted] = [&runs.measured, &runs.predicted].map(share.value);
                let line = format!(
                    "{}: {:.1} %, predicted {:.1} %",
                    share.name,
                    measured * 100.0,
                    predicted * 100.0
                );
                println!("  {line}");
                if (measured - predicted).abs() > most {
                    far.push(format!("{with:?}: {line}"));
                }
            }
        }
        assert!(far.is_empty(), "{far:?}");
        Ok(())
    });
}

/// A share that is compared.
struct ComparedShare {
    name: &'static str,
    value: fn(&Value) -> f64,
}

const SHARES: [ComparedShare; 5] = [
    ComparedShare {
        name: "pages in zswap, of the slots in use",
        value: |run| run["zswap"]["blocked"].as_u64().unwrap_or(0) as f64 / used(run),
    },
    ComparedShare {
        name: "pages that went to zswap, of all that were swapped out",
        value: |run| count(run, "zswpout") / swapped_out(run),
    },
    ComparedShare {
        name: "pages that zswap wrote back, of all that were swapped out",
        value: |run| count(run, "zswpwb") / swapped_out(run),
    },
    ComparedShare {
        name: "pages that came from zswap, of all that were swapped in",
        value: |run| count(run, "zswpin") / (count(run, "zswpin") + count(run, "pswpin")),
    },
    ComparedShare {
        name: "major faults, of all pages that were swapped in",
        value: |run| count(run, "pgmajfault") / (count(run, "zswpin") + count(run, "pswpin")),
    },
];

fn swapped_out(run: &Value) -> f64 {
    count(run, "zswpout") + count(run, "pswpout") - count(run, "zswpwb")
}

fn count(run: &Value, counter: &str) -> f64 {
    run["counters"][counter].as_u64().unwrap_or(0) as f64
}

/// The largest use of the area.
fn used(run: &Value) -> f64 {
    let over_time = run["used"]["areas"][0]["used"].as_array().expect("the area over time");
    over_time.iter().filter_map(Value::as_u64).max().expect("a sample") as f64
}
