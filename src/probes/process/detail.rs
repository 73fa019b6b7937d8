//! Faults, cgroup, command line and shares of swap of one process.

use crate::model::users::Process;
use crate::model::{Bytes, Missing, Name, Reading};
use crate::probes::{deadline, scan};
use crate::root::{Root, parse_u64, parsed};
use std::time::Duration;

/// How much of a command line is read: more than any screen shows.
pub(super) const COMMAND_CAP: usize = 4096;

/// Reads the major faults: field 12 of `stat`.
pub(super) fn major_faults(root: &Root, pid: u32, buffer: &mut Vec<u8>) -> Reading<u64> {
    let path = format!("proc/{pid}/stat");
    if let Err(missing) = root.record_into(&path, buffer) {
        return missing.into();
    }
    parsed(&path, "the fields of /proc/PID/stat", buffer, parse_faults)
}

pub(super) fn parse_faults(bytes: &[u8]) -> Option<u64> {
    stat_field(bytes, 12)
}

/// A field of `stat`, by its number in proc(5), from the third on. The name, field 2, is in parentheses and may
/// hold any byte, including parentheses: fields are counted from the last one.
pub(super) fn stat_field(bytes: &[u8], number: usize) -> Option<u64> {
    let end = bytes.iter().rposition(|byte| *byte == b')')?;
    let after = bytes.get(end + 1..)?;
    // The state, field 3, comes first.
    parse_u64(scan::fields(after).nth(number.checked_sub(3)?)?)
}

/// Reads the cgroup of the memory controller. On version 1 a main thread that has ended is in the root cgroup.
pub(super) fn cgroup(root: &Root, process: &Process, buffer: &mut Vec<u8>) -> Reading<Name> {
    let path = format!("{}/cgroup", process.memory_folder());
    if let Err(missing) = root.record_into(&path, buffer) {
        return missing.into();
    }
    match parse_cgroup(buffer) {
        Some(group) => Reading::Known(Name::new(group)),
        None => Reading::absent(format!("/{path} has no cgroup of the memory controller")),
    }
}

/// Lines are `number:controllers:path`: version 1's line with `memory`, or else version 2's, `0::`.
pub(super) fn parse_cgroup(bytes: &[u8]) -> Option<&[u8]> {
    let mut unified = None;
    for line in scan::lines(bytes) {
        let mut parts = line.splitn(3, |byte| *byte == b':');
        let (Some(number), Some(controllers), Some(path)) =
            (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if controllers.split(|byte| *byte == b',').any(|c| c == b"memory") {
            return Some(path);
        }
        if number == b"0" && controllers.is_empty() {
            unified = Some(path);
        }
    }
    unified
}

/// Joins the arguments, which end in NUL each, into one line.
pub(super) fn command(bytes: Reading<Vec<u8>>) -> Reading<Name> {
    bytes.and_then(|mut bytes| {
        let blank = |byte: &u8| matches!(byte, 0 | b' ');
        let end = bytes.iter().rposition(|byte| !blank(byte));
        bytes.truncate(end.map_or(0, |last| last + 1));
        for byte in &mut bytes {
            if *byte == 0 {
                *byte = b' ';
            }
        }
        if bytes.is_empty() {
            return Missing::absent(
                "no command line: a kernel thread, or a process that has ended",
            )
            .into();
        }
        Reading::Known(Name::new(bytes))
    })
}

/// Walking the page tables of a large process takes long.
const LIMIT: Duration = Duration::from_millis(200);
/// The file is about 1 KiB.
const CAP: usize = 16 << 10;

/// Fills in `swap_pss` and `swap_mapped` of these processes.
pub(super) fn fill(root: &Root, processes: &mut [&mut Process]) {
    let path = |process: &&mut Process| format!("{}/smaps_rollup", process.memory_folder());
    let paths: Vec<String> = processes.iter().map(path).collect();
    let texts = deadline::read_heads(root, &paths, CAP, LIMIT);
    for (process, text) in processes.iter_mut().zip(texts) {
        let field = |name: &str| text.as_ref().and_then(|text| field(text, name));
        process.swap_mapped = field("Swap:");
        process.swap_pss = field("SwapPss:");
    }
}

pub(super) fn field(text: &[u8], name: &str) -> Reading<Bytes> {
    if text.is_empty() {
        return Reading::absent("a process without memory has no mappings");
    }
    let value = scan::lines(text).find_map(|line| {
        let mut fields = scan::fields(line);
        (fields.next()? == name.as_bytes()).then(|| parse_u64(fields.next()?))
    });
    match value {
        Some(Some(kib)) => Reading::Known(Bytes::from_kib(kib)),
        Some(None) => Reading::failed(format!("{name} of smaps_rollup is not a number")),
        None => Reading::absent(format!("smaps_rollup has no {name} line on this kernel")),
    }
}
