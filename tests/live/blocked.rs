//! Statistics of a zram device that block during writeback, as on 7.x kernels: readers sleep until it is
//! over, and no signal ends them.

use crate::areas::{self, Area, Title};
use crate::hog::Noise;
use crate::lab::{self, Lab, retry};
use crate::program::{self, describe_failure, table};
use crate::tables_agree::{answered, row_of};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;
/// More than any attempt fills.
const DISK: u64 = 256 * MIB;
const BACKING: u64 = 208 * MIB;
/// MiB to write back: more if a smaller writeback was over too soon.
const ATTEMPTS: [u64; 2] = [128, 192];
/// Time limit of a command beyond four times of what it takes while nothing blocks.
const SOON: Duration = Duration::from_secs(3);
/// Enough time for reading a file that does not block.
const ENOUGH: Duration = Duration::from_millis(300);

const COMMANDS: [&[&str]; 4] =
    [&["zram", "--json", "-o", "all"], &["devices"], &["status"], &["report", "--json"]];
/// Columns from `mm_stat`.
const FIGURES: [&str; 9] = [
    "orig",
    "compressed",
    "memory",
    "limit",
    "memory_max",
    "same",
    "compacted",
    "huge",
    "huge_since",
];

static TITLE: Title =
    Title { label: "swapadm-live-wb", uuid: "c3d2e1f0-5a4b-4c3d-9e2f-00000002c0de" };

/// A device with a backing disk; fields are dropped in this order.
struct Device {
    writeback: Writeback,
    zram: Area,
    _backing: Area,
}

/// The writeback, and readers that wait for it.
#[derive(Default)]
struct Writeback {
    thread: Option<JoinHandle<io::Result<()>>>,
    readers: Vec<JoinHandle<()>>,
}

/// Every command ends soon during the writeback, and says what it could not read.
pub(crate) fn delays_nothing_else(lab: &Lab) -> Result<(), String> {
    let Some(mut device) = Device::new(lab)? else {
        lab::remark("blocking statistics: without compressed_writeback this kernel does not block");
        return Ok(());
    };
    let before = report();
    let within = COMMANDS.map(|arguments| SOON + 4 * output_and_time(arguments, None).1);
    let (zram, report) = device.outputs_while_blocked(within)?;
    device.has_no_figures(&zram);
    lacks_only_zram_figures(&before, &report);
    device.figures_come_back();
    Ok(())
}

fn report() -> Value {
    program::json(&mut program::command(&program::built(), &["report", "--json"]))
}

impl Device {
    /// None on a kernel whose statistics do not block.
    fn new(lab: &Lab) -> Result<Option<Self>, String> {
        let zram = areas::new_zram(lab)?;
        let sysfs = areas::sysfs(&zram.path);
        if !sysfs.join("compressed_writeback").exists() {
            return Ok(None);
        }
        let backing = areas::new_loop(lab, BACKING)?;
        let name = backing.path.to_string_lossy();
        fs::write(sysfs.join("backing_dev"), name.as_bytes()).expect("zram takes a disk");
        fs::write(sysfs.join("writeback_batch_size"), "1").expect("it writes page by page");
        areas::give_size(&zram, DISK, &TITLE)?;
        Ok(Some(Self { writeback: Writeback::default(), zram, _backing: backing }))
    }

    /// The output of `zram` and `report` while the statistics block.
    fn outputs_while_blocked(&mut self, within: [Duration; 4]) -> Result<(Value, Value), String> {
        for mib in ATTEMPTS {
            self.fill(mib);
            self.writeback.start(&areas::sysfs(&self.zram.path));
            let seen = self.outputs_if_blocked(within);
            self.writeback.finish();
            if let Some(seen) = seen {
                return Ok(seen);
            }
        }
        Err("the writeback ended before all commands had run".to_owned())
    }

    fn outputs_if_blocked(&mut self, within: [Duration; 4]) -> Option<(Value, Value)> {
        if !self.blocks() {
            return None;
        }
        let outputs = [0, 1, 2, 3]
            .map(|place: usize| output_and_time(COMMANDS[place], Some(within[place])).0);
        // The writeback holds the lock until its end: all readers had to wait.
        self.writeback.runs().then(|| (json(&outputs[0]), json(&outputs[3])))
    }

    /// Incompressible pages, so that the writeback takes long.
    fn fill(&self, mib: u64) {
        let file = OpenOptions::new().write(true).open(&self.zram.path).expect("our device opens");
        let mut noise = Noise::default();
        let mut block = vec![0; 1 << 20];
        // The first block has the header.
        for number in 1..=mib {
            noise.scatter(&mut block);
            file.write_all_at(&block, number * MIB).expect("our device takes pages");
        }
        file.sync_all().expect("the pages are in zram");
    }

    /// Whether a reader of the statistics blocks.
    fn blocks(&mut self) -> bool {
        let file = self.figures();
        let reader = std::thread::spawn(|| drop(fs::read(file)));
        let start = Instant::now();
        while start.elapsed() < ENOUGH {
            if reader.is_finished() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.writeback.readers.push(reader);
        true
    }

    fn figures(&self) -> PathBuf {
        areas::sysfs(&self.zram.path).join("mm_stat")
    }

    fn has_no_figures(&self, document: &Value) {
        let rows = program::rows(document, "zram");
        let row = self.row(&rows);
        // The block layer has the size, so the row stays without --all.
        assert_eq!((row["disksize"].as_u64(), &row["initialised"]), (Some(DISK), &true.into()));
        for column in FIGURES {
            let reason = &row["missing"][column];
            assert!(row[column].is_null(), "{column} out of nothing: {row}");
            assert_eq!(reason["kind"], "failed", "{column}: {reason}");
            let why = reason["why"].as_str().unwrap_or_default();
            assert!(why.contains("did not answer within"), "{column}: unclear: {why}");
        }
    }

    fn figures_come_back(&self) {
        let shown = || answered(table("zram", &["--all", "-o", "all"])).ok_or("late");
        let rows = retry(shown).expect("an answer in time");
        let row = self.row(&rows);
        for column in FIGURES {
            assert!(row[column].is_u64(), "{column} does not come back: {row}");
        }
        let written = row["written_back"].as_u64();
        assert!(written.is_some_and(|bytes| bytes > 64 * MIB), "not written back: {row}");
    }

    fn row<'r>(&self, rows: &'r [Value]) -> &'r Value {
        let name = self.zram.path.file_name().unwrap_or_default().to_string_lossy();
        row_of(rows, "name", &name.into())
    }
}

impl Writeback {
    /// Writes back all pages.
    fn start(&mut self, sysfs: &Path) {
        fs::write(sysfs.join("idle"), "all").expect("pages can be marked");
        let file = sysfs.join("writeback");
        self.thread = Some(std::thread::spawn(move || {
            let start = Instant::now();
            let result = fs::write(file, "idle");
            println!("writeback took {} ms", start.elapsed().as_millis());
            result
        }));
    }

    fn runs(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Waits for the end of the writeback.
    fn finish(&mut self) {
        let result = self.end();
        assert!(matches!(result, Some(Ok(Ok(())))), "writeback failed: {result:?}");
    }

    fn end(&mut self) -> Option<std::thread::Result<io::Result<()>>> {
        let result = self.thread.take().map(JoinHandle::join);
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
        result
    }
}

impl Drop for Writeback {
    /// The device cannot be removed before.
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Runs a command until it has ended and its outputs are closed.
fn output_and_time(arguments: &[&str], within: Option<Duration>) -> (Output, Duration) {
    let mut command = program::command(&program::built(), arguments);
    let (sender, receiver) = mpsc::channel();
    let start = Instant::now();
    std::thread::spawn(move || sender.send(command.output()));
    let output = receiver.recv_timeout(within.unwrap_or(Duration::from_mins(2)));
    let Ok(output) = output else {
        panic!("{arguments:?} has not ended after {} ms", start.elapsed().as_millis());
    };
    let output = output.expect("the program starts");
    let took = start.elapsed();
    assert!(output.status.success(), "{arguments:?} failed: {}", describe_failure(&output));
    println!("{arguments:?} took {} ms", took.as_millis());
    (output, took)
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// All tables are present as before, and only values from zram are missing.
fn lacks_only_zram_figures(before: &Value, during: &Value) {
    assert_eq!(tables(during), tables(before));
    let (before, during) = (gaps(before), gaps(during));
    let lost = during.difference(&before);
    let others: Vec<_> = lost.filter(|(table, column)| !is_of_zram(table, column)).collect();
    assert!(others.is_empty(), "these are unrelated to the device: {others:?}");
}

fn is_of_zram(table: &str, column: &str) -> bool {
    let kept = table == "headroom" && column.starts_with("compress");
    table == "zram" || column.starts_with("zram_") || kept
}

/// Each table, and whether it has rows.
fn tables(document: &Value) -> Vec<(&String, bool)> {
    let tables = document["tables"].as_object().expect("tables");
    tables.iter().map(|(name, table)| (name, table["rows"].is_array())).collect()
}

/// Columns with a failed value in some row.
fn gaps(document: &Value) -> BTreeSet<(String, String)> {
    let mut gaps = BTreeSet::new();
    for (name, table) in document["tables"].as_object().expect("tables") {
        for row in table["rows"].as_array().into_iter().flatten() {
            let missing = row["missing"].as_object().into_iter().flatten();
            let failed = missing.filter(|(_, reason)| reason["kind"] == "failed");
            gaps.extend(failed.map(|(column, _)| (name.clone(), column.clone())));
        }
    }
    gaps
}
