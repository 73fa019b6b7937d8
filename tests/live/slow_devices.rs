//! Areas on devices that answer late, and on a machine that has no time.

use crate::areas::{self, Title};
use crate::change::{json_of, priority};
use crate::file;
use crate::lab::{self, when_time_allows};
use crate::mapped::MappedScene;
use crate::program::{self, describe_failure};
use crate::signals;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const PRIORITY: u16 = 32_000;
/// Longer than any report takes, even on an emulated machine.
const VERY_LATE: u64 = 120_000;
/// Threads for each CPU that never sleep.
const BUSY: usize = 4;

static TITLE: Title =
    Title { label: "swapadm-live-busy", uuid: "c3d2e1f0-5a4b-4c3d-9e2f-00000004b057" };

/// Threads that take the CPUs from everything else until they are dropped.
struct BusyMachine {
    ends: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyMachine {
    fn new() -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let spin = || {
            let ends = Arc::clone(&ends);
            std::thread::spawn(move || while !ends.load(Ordering::Relaxed) {})
        };
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (0..BUSY * cpus).map(|_| spin()).collect();
        Self { ends, threads }
    }
}

impl Drop for BusyMachine {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Where statistics of zram can block, a helper reads them, and it has to wait for a CPU here.
#[test]
fn a_busy_machine_hides_no_zram_device() {
    crate::in_lab("a_busy_machine_hides_no_zram_device", |lab| {
        let zram = |number| areas::zram(lab, 16 << 20, &TITLE, PRIORITY - number);
        let areas = [zram(0)?, zram(1)?, zram(2)?, zram(3)?];
        let _busy = BusyMachine::new();
        // A command takes up to 20 s on an emulated machine.
        for round in 0..lab::rounds(2, 10) {
            let begun = Instant::now();
            let rows = program::table("zram", &["-o", "all"]);
            println!("round {round} took {} ms", begun.elapsed().as_millis());
            for area in &areas {
                let name = area.path.file_name().expect("a name").to_string_lossy();
                let row = rows.iter().find(|row| row["name"] == *name);
                let row = row.unwrap_or_else(|| panic!("{name} is not in round {round}"));
                assert!(row["orig"].is_u64() && row["memory"].is_u64(), "{row}");
            }
        }
        let status = &program::table("status", &[])[0];
        assert!(status["zram_data"].is_u64() && status["zram_memory"].is_u64(), "{status}");
        Ok(())
    });
}

#[test]
fn reports_do_not_wait_for_a_device_that_answers_late() {
    when_time_allows("reports_do_not_wait_for_a_device_that_answers_late", |lab| {
        let scene = MappedScene::new(lab, PRIORITY, &[4])?;
        let path = file::text(&scene.device.path);
        let label = || {
            let rows = program::table("devices", &["-o", "name,used,label"]);
            rows.into_iter().find(|row| row["name"] == path).expect("its row")
        };
        assert_eq!(label()["label"], "swapadm-live-dm");
        scene.device.delay(VERY_LATE)?;
        // The header is read from the device again.
        fs::write("/proc/sys/vm/drop_caches", "1").map_err(|error| error.to_string())?;
        for arguments in [&["status"][..], &["devices"], &["devices", "-o", "all"], &["advise"]] {
            let begun = Instant::now();
            let output = program::command(&program::built(), arguments).output();
            let output = output.expect("the program starts");
            let took = begun.elapsed();
            assert!(output.status.success(), "{arguments:?}: {}", describe_failure(&output));
            println!("{arguments:?} took {} ms", took.as_millis());
            assert!(took < Duration::from_millis(VERY_LATE * 3 / 4), "{arguments:?}: {took:?}");
        }
        let row = label();
        let why = row["missing"]["label"]["why"].as_str().unwrap_or_default();
        assert!(row["label"].is_null() && why.contains("did not answer within"), "{row}");
        assert!(row["used"].as_u64() > Some(0), "{row}");
        scene.device.be_healthy()?;
        assert_eq!(label()["label"], "swapadm-live-dm");
        Ok(())
    });
}

#[test]
fn a_swapoff_of_a_slow_device_ends_when_told() {
    when_time_allows("a_swapoff_of_a_slow_device_ends_when_told", |lab| {
        signals::heard();
        let mut scene = MappedScene::new(lab, PRIORITY, &[2; 10])?;
        let sums = scene.sums();
        scene.device.delay(50)?;
        let path = file::text(&scene.device.path);
        let off = |more: &[&str]| {
            program::journalled(lab, &[&["off", path, "--yes", "--json"], more].concat())
        };
        let mut told = off(&[]);
        let child = told.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the program starts");
        let begun = Instant::now();
        while crate::change::helper(&child).is_none() && begun.elapsed() < Duration::from_secs(20) {
        }
        std::thread::sleep(Duration::from_millis(500));
        let asked = Instant::now();
        let _ = kill(Pid::from_raw(i32::try_from(child.id()).expect("a number")), Signal::SIGINT);
        let output = child.wait_with_output().expect("it ends");
        let took = asked.elapsed();
        assert_eq!(output.status.code(), Some(4), "{}", describe_failure(&output));
        println!("interrupted after {} ms", took.as_millis());
        assert_eq!(priority(&scene.device.path), Some(32_000));

        // The time limit of the plan holds.
        let asked = Instant::now();
        let output = off(&["--timeout", "1s"]).output().expect("the program starts");
        let limited = asked.elapsed();
        assert_eq!(output.status.code(), Some(4), "{}", describe_failure(&output));
        println!("limited to 1 s, ended after {} ms", limited.as_millis());
        assert_eq!(priority(&scene.device.path), Some(32_000));

        let begun = Instant::now();
        let done = json_of(&mut off(&[]), 0);
        let whole = begun.elapsed();
        println!("{} MiB took {} ms", scene.moved >> 20, whole.as_millis());
        assert_eq!(done["outcome"]["end"], "done", "{done}");
        // The kernel stops between two processes, of which each has a tenth.
        let most = whole / 2 + Duration::from_secs(5);
        assert!(took < most && limited < most, "{took:?} and {limited:?} of {whole:?}");
        scene.device.be_healthy()?;
        scene.are_unchanged(&sums);
        Ok(())
    });
}

#[test]
fn the_time_of_a_slow_device_is_unknown_at_first_and_then_as_measured() {
    let name = "the_time_of_a_slow_device_is_unknown_at_first_and_then_as_measured";
    when_time_allows(name, |lab| {
        let mut scene = MappedScene::new(lab, PRIORITY, &[12])?;
        let path = file::text(&scene.device.path).to_owned();
        let run = |arguments: &[&str]| json_of(&mut program::journalled(lab, arguments), 0);
        scene.device.delay(20)?;
        let dry = ["off", &path, "--dry-run", "--json"];
        let first = run(&dry);
        assert_eq!(first["estimate"]["basis"], "unknown", "{first}");
        let done = run(&["off", &path, "--yes", "--json"]);
        run(&["undo", &done["outcome"]["journal"].to_string(), "--yes", "--json"]);
        scene.device.be_healthy()?;
        scene.fill_again();
        scene.device.delay(20)?;
        let second = run(&dry);
        assert_eq!(second["estimate"]["basis"], "measured", "{second}");
        let again = run(&["off", &path, "--yes", "--json"]);
        let seconds = |it: &serde_json::Value| it.as_f64().expect("a number");
        let estimated = seconds(&second["estimate"]["seconds"]);
        let took = seconds(&again["outcome"]["seconds"]);
        println!("first {}, estimated {estimated} s, took {took} s", done["outcome"]["seconds"]);
        assert!(took < estimated * 3.0 && estimated < took * 3.0, "{second} {again}");
        scene.device.be_healthy()
    });
}
