//! The cost of reading the clusters of the largest area whose slots fit into memory: up to a TiB, on an
//! empty device.

use super::is_shown;
use crate::areas;
use crate::metadata::{TITLE, large};
use crate::{in_lab, program, syscalls};
use serde_json::Value;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

/// Lower than any other priority.
const PRIORITY: u16 = 0;
/// Slots of a few clusters.
const SMALL: u64 = 64 << 20;
/// Bytes of memory per cluster, including the printed table: 192 MiB for 16 TiB, the largest area of any
/// kernel.
const EACH: u64 = 24;
/// Seconds of CPU time for a TiB: ten times the need of a machine that is not emulated.
const LONG: f64 = 1.0;
/// The difference between two runs of a program.
const NOISE: u64 = 2 << 20;

#[test]
fn clusters_of_a_large_area_take_little_memory() {
    in_lab("clusters_of_a_large_area_take_little_memory", |_| {
        if !is_shown() {
            return Ok(());
        }
        let size = large().ok_or("the metadata format of this kernel is unknown")?;
        let least = look_at_size(SMALL)?;
        let most = look_at_size(size)?;
        let clusters = most.row["clusters"].as_u64().expect("a number");
        println!(
            "{} GiB, {clusters} clusters: read in {} s; {} KiB of memory, {} KiB for {} MiB",
            size >> 30,
            most.row["cpu_time"],
            most.memory >> 10,
            least.memory >> 10,
            SMALL >> 20
        );
        assert_eq!(most.row["free"].as_u64(), Some(clusters - 1), "all but that of the header");
        let took = most.row["cpu_time"].as_f64().expect("a time");
        assert!(took < LONG, "{took} s for {clusters} clusters");
        let more = most.memory.saturating_sub(least.memory);
        assert!(more <= clusters * EACH + NOISE, "{more} bytes for {clusters} clusters");
        Ok(())
    });
}

/// The row of an area, and the memory needed for it.
struct Look {
    row: Value,
    memory: u64,
}

fn look_at_size(size: u64) -> Result<Look, String> {
    let area = areas::sparse_loop(size)?;
    areas::write_header(&area.path, &TITLE, size);
    areas::use_it(&area, PRIORITY)?;
    Ok(look(&area.path))
}

#[expect(clippy::zombie_processes, reason = "it is waited for by what tells of its memory")]
fn look(area: &Path) -> Look {
    let arguments = ["clusters", "--json", "--view", "kernel", "-o", "all"];
    let mut command = program::command(&program::built(), &arguments);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut text = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut text).expect("text");
    let memory = syscalls::most_memory(&child).expect("it ends well");
    let rows = program::rows(&serde_json::from_str(&text).expect("JSON"), "clusters");
    let name = area.to_string_lossy();
    let row = rows.into_iter().find(|row| row["name"] == *name).expect("its row");
    Look { row, memory }
}
