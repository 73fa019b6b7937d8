//! The interface and the exporter for a long time, while devices come and go under load: memory stays flat, and
//! no file stays open. `SWAPADM_SOAK` is the time in seconds.

use crate::areas::{self, Title};
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::pty::{Start, Terminal};
use crate::{lab, program};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

static TITLE: Title =
    Title { label: "swapadm-live-so", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000005045" };
/// How much memory may grow after the first fifth of the time.
const GROWTH: u64 = 1 << 20;
/// The screens, by the key and the text of their tab.
const SCREENS: [(&str, &str); 7] = [
    ("1", "[1 Overview]"),
    ("2", "[2 Devices]"),
    ("3", "[3 Compress"),
    ("4", "[4 mTHP]"),
    ("5", "[5 Paging]"),
    ("6", "[6 Proc"),
    ("8", "[8 Map]"),
];

#[test]
fn memory_stays_flat_and_no_file_stays_open() {
    const NAME: &str = "memory_stays_flat_and_no_file_stays_open";
    let Some(seconds) = std::env::var("SWAPADM_SOAK").ok().and_then(|text| text.parse().ok())
    else {
        return lab::remark(&format!(
            "{NAME}: run only with SWAPADM_SOAK=3600, the time in seconds"
        ));
    };
    crate::at_terminal(NAME, |lab| {
        let mut exporter = Exporter::start(lab);
        let mut terminal = interface(lab);
        let pids = [terminal.leader().as_raw().unsigned_abs(), exporter.child.id()];
        let mut uses: [Vec<ProcessUse>; 2] = [Vec::new(), Vec::new()];
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(seconds) {
            come_and_go(lab, &mut terminal, &mut exporter)?;
            for (pid, uses) in pids.iter().zip(&mut uses) {
                uses.push(ProcessUse::read(*pid));
            }
        }
        terminal.keys("\x03");
        assert!(terminal.ended().success());
        let names = ["the interface", "the exporter"];
        let growth = names.iter().zip(&uses).map(|(name, uses)| assert_flat(name, uses));
        let growth = growth.max().unwrap_or_default() >> 10;
        println!("measured: {seconds} s at 100 ms: {growth} KiB more at most, no file left open");
        Ok(())
    });
}

fn interface(lab: &Lab) -> Terminal {
    let start = Start::program(lab.scratch.program(), &["watch", "--interval", "0.1"]);
    let mut terminal = start.size(120, 40).open();
    terminal.wait_for("[1 Overview]");
    terminal
}

/// A device is made and enabled, a load is swapped out to it, and both go away; meanwhile all screens are shown.
fn come_and_go(lab: &Lab, terminal: &mut Terminal, exporter: &mut Exporter) -> Result<(), String> {
    let area = areas::zram(lab, 64 << 20, &TITLE, 32_000)?;
    let cage = MemoryLimit::new(lab, 32 << 20)?;
    let mut load = Hog::new(&cage);
    for (key, tab) in SCREENS {
        terminal.press(key, tab);
        load.fill(8);
        exporter.scrape();
    }
    drop(load);
    drop(cage);
    drop(area);
    terminal.press("1", "[1 Overview]");
    Ok(())
}

/// `swapadm metrics --listen`.
struct Exporter {
    child: Child,
    address: String,
}

impl Exporter {
    fn start(lab: &Lab) -> Self {
        let mut command = program::command(&lab.scratch.program(), &["metrics", "--listen", "0"]);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("its messages")).lines();
        let address = lines.find_map(|line| {
            let line = line.expect("text");
            let (_, rest) = line.split_once("listening on http://")?;
            Some(rest.trim_end_matches("/metrics").to_owned())
        });
        Self { child, address: address.expect("an address") }
    }

    fn scrape(&self) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        let request = b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        stream.write_all(request).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Memory of its own and open files of a process.
#[derive(Clone, Copy, Debug)]
struct ProcessUse {
    bytes: u64,
    files: usize,
}

impl ProcessUse {
    fn read(pid: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
        let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kib = anonymous.and_then(|text| text.trim().strip_suffix(" kB"));
        let kib: u64 = kib.expect("its memory").parse().expect("a number");
        let files = fs::read_dir(format!("/proc/{pid}/fd")).expect("its files").count();
        Self { bytes: kib * 1024, files }
    }
}

/// The last fifth of the time needs no more than the second fifth; returns by how many bytes the memory grew.
fn assert_flat(name: &str, uses: &[ProcessUse]) -> u64 {
    let fifth = uses.len() / 5;
    assert!(fifth > 0, "{} rounds are too few", uses.len());
    let [early, late] = [&uses[fifth..2 * fifth], &uses[uses.len() - fifth..]];
    let most = |part: &[ProcessUse]| part.iter().map(|it| it.bytes).max().expect("samples");
    let fewest = |part: &[ProcessUse]| part.iter().map(|it| it.files).min().expect("samples");
    println!(
        "{name}: {} rounds; memory at most {} and then {} KiB, files at least {} and then {}",
        uses.len(),
        most(early) >> 10,
        most(late) >> 10,
        fewest(early),
        fewest(late)
    );
    assert!(most(late) <= most(early) + GROWTH, "the memory of {name} grows");
    assert!(fewest(late) <= fewest(early), "{name} leaves files open");
    most(late).saturating_sub(most(early))
}
