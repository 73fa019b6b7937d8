//! `/proc/pressure` (PSI): how long tasks stalled on memory, I/O, CPU and interrupts.
//!
//! Kernel: `kernel/sched/psi.c`, needs `CONFIG_PSI`, and `psi=0` hides it; readable by everyone.
//! `irq` came with 6.1 and has no `some` line; `cpu` has had a `full` line since 5.13.

use super::{Probe, ReadInterval, scan};
use crate::model::paging::{Pressure, Stall};
use crate::model::{Part, Reading};
use crate::root::{Root, parsed, shown, unexpected};
use std::collections::BTreeMap;
use std::path::Path;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Psi,
    id: "psi",
    tier: ReadInterval::Fast,
    files: &["proc/pressure/*"],
    about: "Time in which tasks stalled on memory, I/O and CPU (PSI)",
    remedy: "boot with psi=1; the kernel needs CONFIG_PSI",
};

/// The resources that kernels report.
const RESOURCES: [&str; 4] = ["cpu", "io", "irq", "memory"];

/// Reads all resources that this kernel reports.
pub fn read(root: &Root) -> Reading<BTreeMap<String, Reading<Pressure>>> {
    root.names("proc/pressure").map(|names| {
        let is_there = |name: &&str| names.iter().any(|other| other == name.as_bytes());
        let read = |name: &str| (name.to_owned(), pressure(root, format!("proc/pressure/{name}")));
        RESOURCES.into_iter().filter(is_there).map(read).collect()
    })
}

/// Reads one pressure file; cgroups have them too.
pub fn pressure(root: &Root, path: impl AsRef<Path>) -> Reading<Pressure> {
    let path = path.as_ref();
    root.read(path).and_then(|bytes| {
        let line = |kind: &str| stall_line(path, kind, &bytes);
        let pressure = Pressure { some: line("some"), full: line("full") };
        // Some files have only one of the lines.
        if pressure.some.is_absent() && pressure.full.is_absent() {
            return unexpected(path, "a line that begins with \"some\" or \"full\"", &bytes);
        }
        Reading::Known(pressure)
    })
}

fn stall_line(path: &Path, kind: &str, bytes: &[u8]) -> Reading<Stall> {
    let is_kind = |line: &&[u8]| scan::fields(line).next() == Some(kind.as_bytes());
    let Some(line) = scan::lines(bytes).find(is_kind) else {
        return match bytes.trim_ascii() {
            [] => Reading::failed(format!("{} is empty", shown(path))),
            _ => Reading::absent(format!("{} has no \"{kind}\" line on this kernel", shown(path))),
        };
    };
    parsed(path, "avg10=, avg60=, avg300= and total=", line, parse_stall)
}

fn parse_stall(line: &[u8]) -> Option<Stall> {
    let line = std::str::from_utf8(line).ok()?;
    let value = |key: &str| line.split(' ').find_map(|field| field.strip_prefix(key));
    let percent = |key: &str| value(key)?.parse().ok().filter(|share: &f64| share.is_finite());
    Some(Stall {
        avg10: percent("avg10=")?,
        avg60: percent("avg60=")?,
        avg300: percent("avg300=")?,
        total_us: value("total=")?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernel() {
        let stall = parse_stall(b"some avg10=1.50 avg60=0.25 avg300=0.00 total=1234").unwrap();
        assert_eq!(stall, Stall { avg10: 1.5, avg60: 0.25, avg300: 0.0, total_us: 1234 });
    }

    #[test]
    fn rubbish_is_rejected() {
        for bad in ["some", "some avg10=nan avg60=0 avg300=0 total=1", "some avg10=1 total=2"] {
            assert_eq!(parse_stall(bad.as_bytes()), None, "{bad}");
        }
    }
}
