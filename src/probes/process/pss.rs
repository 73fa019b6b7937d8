//! `/proc/PID/smaps_rollup`: swap of all mappings together, by walking page tables.

use crate::model::users::Process;
use crate::model::{Bytes, Reading};
use crate::probes::{deadline, scan};
use crate::root::{Root, parse_u64};
use std::time::Duration;

/// Walking the page tables of a large process takes its time.
const LIMIT: Duration = Duration::from_millis(200);
/// The file is about 1 KiB.
const CAP: usize = 16 << 10;

/// Fill in `swap_pss` and `swap_mapped` of these processes.
pub(super) fn fill(root: &Root, processes: &mut [&mut Process]) {
    let path = |process: &&mut Process| format!("proc/{}/smaps_rollup", process.pid);
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
