//! `/proc/PID/status`, scanned once and only as far as needed.

use crate::model::users::Process;
use crate::model::{Bytes, Name, Reading};
use crate::probes::scan;
use crate::root::parse_u64;

/// Reason why a kernel thread has neither swap nor resident memory.
const KERNEL_THREAD: &str = "a kernel thread has no memory of its own";
/// Reason why a zombie process has no memory.
const ENDED: &str = "the process has ended and has no memory";
/// Reason why the file of the main thread does not show the memory of a process.
const MAIN_THREAD_ENDED: &str = "its main thread has ended, and other threads continue";
/// Reason why a process with memory lacks one of the values.
const NO_LINE: &str = "/proc/PID/status has no such line on this kernel";

/// The fields found in the file.
#[derive(Default)]
struct Fields<'a> {
    name: &'a [u8],
    ended: bool,
    ppid: Option<u32>,
    uid: Option<u32>,
    rss: Option<u64>,
    shmem: Option<u64>,
    swap: Option<u64>,
    threads: Option<u64>,
}

/// Parses the status file of a process or a thread; none without parent and owner. The memory of a process counts as
/// unread where only its main thread has ended.
pub(super) fn parse(pid: u32, bytes: &[u8]) -> Option<Process> {
    let fields = fields(bytes);
    let why = match fields {
        Fields { ended: true, .. } => ENDED,
        Fields { rss: Some(_), .. } => NO_LINE,
        _ => KERNEL_THREAD,
    };
    let is_unread = fields.ended && fields.threads.is_some_and(|threads| threads > 1);
    let memory = |kib: Option<u64>| {
        if is_unread {
            return Reading::failed(MAIN_THREAD_ENDED);
        }
        Reading::or_absent(kib.map(Bytes::from_kib), why)
    };
    Some(Process {
        pid,
        ppid: fields.ppid?,
        uid: fields.uid?,
        comm: unescape(fields.name),
        swap: memory(fields.swap),
        rss: memory(fields.rss),
        shmem: memory(fields.shmem),
        major_faults: Reading::not_sampled(),
        cgroup: Reading::not_sampled(),
        command: Reading::not_sampled(),
        swap_pss: Reading::not_sampled(),
        swap_mapped: Reading::not_sampled(),
        thread: None,
    })
}

fn fields(bytes: &[u8]) -> Fields<'_> {
    let mut found = Fields::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        match line {
            [b'N', b'a', b'm', b'e', b':', b'\t', name @ ..] => found.name = name,
            [b'S', b't', b'a', b't', b'e', b':', b'\t', state, ..] => {
                found.ended = matches!(state, b'Z' | b'X');
            }
            [b'P', b'P', b'i', b'd', b':', rest @ ..] => found.ppid = small(word(rest, 0)),
            [b'U', b'i', b'd', b':', rest @ ..] => found.uid = small(word(rest, 1)),
            [b'V', b'm', b'R', b'S', b'S', b':', rest @ ..] => found.rss = word(rest, 0),
            [b'R', b's', b's', b'S', b'h', b'm', b'e', b'm', b':', rest @ ..] => {
                found.shmem = word(rest, 0);
            }
            [b'V', b'm', b'S', b'w', b'a', b'p', b':', rest @ ..] => {
                found.swap = word(rest, 0);
                break;
            }
            // This line follows the memory lines on every kernel: nothing of interest comes after it.
            [b'T', b'h', b'r', b'e', b'a', b'd', b's', b':', rest @ ..] => {
                found.threads = word(rest, 0);
                break;
            }
            _ => {}
        }
    }
    found
}

/// The number at this place of a line.
fn word(line: &[u8], place: usize) -> Option<u64> {
    parse_u64(scan::fields(line).nth(place)?)
}

fn small(number: Option<u64>) -> Option<u32> {
    u32::try_from(number?).ok()
}

/// Decodes a line feed as `\n` and a backslash as `\\`, as the kernel writes names.
fn unescape(name: &[u8]) -> Name {
    Name::new(scan::unescape(name, |text| match text {
        [b'n', tail @ ..] => Some((b'\n', tail)),
        [b'\\', tail @ ..] => Some((b'\\', tail)),
        _ => None,
    }))
}
