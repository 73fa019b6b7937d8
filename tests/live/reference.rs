//! Reads the kernel and util-linux with code that shares nothing with swapadm.

use crate::program;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time limit for a quiet moment.
const PATIENCE: Duration = Duration::from_secs(30);

/// Compares at a quiet moment: the reference is read before and after, and the result counts only if both
/// are equal. `shown` returns none when the program could not read in time.
pub(crate) fn quiet<R, S>(
    what: &str,
    reference: impl Fn() -> R,
    shown: impl Fn() -> Option<S>,
) -> (R, S)
where
    R: PartialEq + Debug,
{
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let before = reference();
        let shown = shown();
        if let (Some(shown), true) = (shown, reference() == before) {
            return (before, shown);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} never held still for {} s: {:?}", PATIENCE.as_secs(), reference());
}

/// A line of /proc/swaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Swap {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) size: u64,
    pub(crate) used: u64,
    pub(crate) priority: i64,
}

/// `/proc/swaps`, in its order.
pub(crate) fn swaps() -> Vec<Swap> {
    text("/proc/swaps").lines().skip(1).map(swap).collect()
}

fn swap(line: &str) -> Swap {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let [name, kind, size, used, priority] = fields[..] else {
        panic!("/proc/swaps has a line {line:?}");
    };
    let kib = |text: &str| text.parse::<u64>().expect("a number") * 1024;
    Swap {
        name: name.replace("\\040", " ").replace("\\134", "\\"),
        kind: kind.to_owned(),
        size: kib(size),
        used: kib(used),
        priority: priority.parse().expect("a number"),
    }
}

/// The raw output of `swapon --show` with these columns, if available.
pub(crate) fn swapon_show(columns: &str) -> Option<Vec<String>> {
    let show = format!("--show={columns}");
    let text = program::tool("swapon", &[&show, "--bytes", "--raw", "--noheadings"])?;
    Some(text.lines().map(str::to_owned).collect())
}

/// The output of `zramctl` by device and column, if available.
pub(crate) fn zramctl() -> Option<Vec<BTreeMap<&'static str, String>>> {
    const COLUMNS: [&str; 11] = [
        "NAME",
        "DISKSIZE",
        "DATA",
        "COMPR",
        "ALGORITHM",
        "STREAMS",
        "ZERO-PAGES",
        "TOTAL",
        "MEM-LIMIT",
        "MEM-USED",
        "MIGRATED",
    ];
    let columns = format!("--output={}", COLUMNS.join(","));
    let text = program::tool("zramctl", &["--bytes", "--raw", "--noheadings", &columns])?;
    let device = |line: &str| COLUMNS.into_iter().zip(line.split(' ').map(str::to_owned)).collect();
    Some(text.lines().map(device).collect())
}

/// A file of counters such as /proc/vmstat: a name and a number per line.
pub(crate) fn counters(path: &str) -> BTreeMap<String, u64> {
    let line = |line: &str| {
        let (name, number) = line.split_once(' ')?;
        Some((name.to_owned(), number.trim().parse().ok()?))
    };
    text(path).lines().filter_map(line).collect()
}

/// The numbers in a file, such as `mm_stat` of a zram device.
pub(crate) fn numbers(path: &Path) -> Vec<u64> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// The lines of /proc/PID/status by name; none when the process is gone.
pub(crate) fn status(pid: u32) -> Option<BTreeMap<String, String>> {
    let text = fs::read(format!("/proc/{pid}/status")).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    Some(text.lines().filter_map(line).collect())
}

/// Bytes of a line such as `VmSwap: 12 kB`.
pub(crate) fn bytes(status: &BTreeMap<String, String>, name: &str) -> Option<u64> {
    let kib = status.get(name)?.strip_suffix(" kB")?.parse::<u64>().ok()?;
    Some(kib * 1024)
}

/// All processes with swap, and how much.
pub(crate) fn swapped_processes() -> BTreeMap<u64, u64> {
    let folder = fs::read_dir("/proc").expect("/proc is mounted");
    let pids = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let swap = |pid: u32| Some((u64::from(pid), bytes(&status(pid)?, "VmSwap")?));
    pids.filter_map(swap).filter(|(_, bytes)| *bytes > 0).collect()
}

/// Sectors read from and written to a device since boot.
pub(crate) fn sectors(device: &str) -> (u64, u64) {
    let text = text("/proc/diskstats");
    let mut lines = text.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let fields = lines.find(|fields| fields[2] == device);
    let fields = fields.unwrap_or_else(|| panic!("/proc/diskstats has no {device}"));
    (fields[5].parse().expect("a number"), fields[9].parse().expect("a number"))
}

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
