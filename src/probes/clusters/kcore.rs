//! `/proc/kcore`: kernel memory in the form of a core dump.
//!
//! Kernel: `fs/proc/kcore.c`, `CONFIG_PROC_KCORE`; opening it needs `CAP_SYS_RAWIO`, and no lockdown in
//! confidentiality mode. Its program headers give the file offset of each address range. Unmapped memory
//! reads as zeros.

use super::memory::{KernelMemory, ReadFault};
use crate::model::{Missing, Reading};
use crate::probes::access;
use crate::root::{OpenFile, Root};

/// The file below the root.
pub(super) const FILE: &str = "proc/kcore";
const CAP_SYS_RAWIO: u32 = 17;

/// The header of a 64-bit core dump, in this machine's byte order.
const HEADER: usize = 64;
const MAGIC: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, if cfg!(target_endian = "big") { 2 } else { 1 }];
const CORE: u16 = 4;
/// A program header.
const PROGRAM: usize = 56;
const LOAD: u32 = 1;
const NOTES: u32 = 4;
/// Limit of the length of all notes.
const LONGEST_NOTES: u64 = 1 << 20;

/// Kernel memory.
#[derive(Debug)]
pub(super) struct Kcore {
    file: OpenFile,
    /// Segments by address.
    segments: Vec<Segment>,
    /// The notes in the file.
    notes: Option<Segment>,
}

/// A range of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Segment {
    start: u64,
    len: u64,
    offset: u64,
}

/// Opens kernel memory.
pub(super) fn open(root: &Root) -> Reading<Kcore> {
    match access::kernel_memory(root).into_result() {
        Ok(_) => root.open_file(FILE).and_then(|file| match headers(&file) {
            Some((segments, notes)) => Reading::Known(Kcore { file, segments, notes }),
            None => Reading::failed(format!("/{FILE} is not a core dump of this machine")),
        }),
        Err(Missing::Denied(path)) => denied(root).unwrap_or(Missing::Denied(path)).into(),
        Err(missing) => missing.into(),
    }
}

/// Why even root may not open it.
fn denied(root: &Root) -> Option<Missing> {
    let rights = access::rights(root).into_result().ok()?;
    if rights.uid.known() != Some(&0) {
        return None;
    }
    if rights.capabilities.known().is_some_and(|mask| mask >> CAP_SYS_RAWIO & 1 == 0) {
        return Some(Missing::absent(format!(
            "/{FILE} needs CAP_SYS_RAWIO, which root lacks here, as in a container: run swapadm on the host"
        )));
    }
    match access::lockdown(root) {
        Reading::Known(mode) => (mode == "confidentiality").then(|| {
            Missing::absent(format!(
                "kernel lockdown (confidentiality) forbids opening /{FILE}: boot without it, if your policy allows"
            ))
        }),
        // Nothing else refuses it to root with this capability.
        Reading::Missing { .. } => Some(Missing::absent(format!(
            "opening /{FILE} is forbidden, as by kernel lockdown (confidentiality); its mode is unknown here: mount securityfs on /sys/kernel/security to see it"
        ))),
    }
}

/// The ranges of memory by address, and the notes.
fn headers(file: &OpenFile) -> Option<(Vec<Segment>, Option<Segment>)> {
    let mut header = [0; HEADER];
    file.fill_at(0, &mut header).ok()?;
    let right = header.starts_with(&MAGIC) && half(&header, 16)? == CORE;
    if !right || usize::from(half(&header, 54)?) != PROGRAM {
        return None;
    }
    let mut table = vec![0; usize::from(half(&header, 56)?) * PROGRAM];
    file.fill_at(long(&header, 32)?, &mut table).ok()?;
    let of = |kind| table.chunks_exact(PROGRAM).filter_map(move |header| segment(header, kind));
    let mut segments: Vec<_> = of(LOAD).collect();
    segments.sort_unstable();
    let notes = of(NOTES).next();
    Some((segments, notes))
}

/// A program header of this type.
fn segment(header: &[u8], wanted: u32) -> Option<Segment> {
    let kind = header.get(..4)?.try_into().ok().map(u32::from_ne_bytes)?;
    // Notes have no length in memory.
    let len = long(header, if wanted == NOTES { 32 } else { 40 })?;
    let (offset, start) = (long(header, 8)?, long(header, 16)?);
    start.checked_add(len)?;
    offset.checked_add(len)?;
    (kind == wanted).then_some(Segment { start, len, offset })
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_ne_bytes)
}

/// A length in a note, up to the limit of all notes.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes)?;
    usize::try_from(word).ok().filter(|word| *word as u64 <= LONGEST_NOTES)
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_ne_bytes)
}

impl Kcore {
    /// The content of the note of this name; empty if there is none.
    pub(super) fn note(&self, name: &[u8]) -> Result<Vec<u8>, ReadFault> {
        let len = |notes: Segment| usize::try_from(notes.len).ok();
        let notes = self.notes.filter(|notes| notes.len <= LONGEST_NOTES);
        let Some((notes, len)) = notes.and_then(|notes| Some((notes, len(notes)?))) else {
            return Ok(Vec::new());
        };
        let mut all = vec![0; len];
        self.fill(notes.offset, &mut all)?;
        Ok(named(&all, name).unwrap_or_default().to_vec())
    }

    fn fill(&self, at: u64, into: &mut [u8]) -> Result<(), ReadFault> {
        self.file.fill_at(at, into).map_err(|error| ReadFault::Failed(error.to_string()))
    }

    /// The file offset of these bytes, if one segment has them all.
    fn place(&self, address: u64, len: usize) -> Option<u64> {
        let after = self.segments.partition_point(|segment| segment.start <= address);
        let segment = self.segments.get(after.checked_sub(1)?)?;
        let inside = address - segment.start;
        let end = inside.checked_add(u64::try_from(len).ok()?)?;
        (end <= segment.len).then(|| segment.offset + inside)
    }
}

impl KernelMemory for Kcore {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault> {
        let place = self.place(address, into.len()).ok_or(ReadFault::Nowhere)?;
        self.fill(place, into)
    }
}

/// The content of the note of this name.
fn named<'n>(notes: &'n [u8], name: &[u8]) -> Option<&'n [u8]> {
    let mut rest = notes;
    loop {
        let (called, told) = (word(rest, 0)?, word(rest, 4)?);
        // Name and content begin at multiples of four bytes.
        let from = 12_usize.checked_add(called.next_multiple_of(4))?;
        let own = rest.get(12..12 + called)?;
        if own.strip_suffix(b"\0").unwrap_or(own) == name {
            return rest.get(from..from.checked_add(told)?);
        }
        rest = rest.get(from.checked_add(told.next_multiple_of(4))?..)?;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::root::testing::{TestTree, mangled};

    /// A core dump with these ranges of memory.
    pub(in super::super) fn dump(parts: &[(u64, &[u8])]) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[1], &[0; 9], &CORE.to_ne_bytes()].concat();
        bytes.resize(32, 0);
        bytes.extend(64_u64.to_ne_bytes());
        bytes.resize(54, 0);
        bytes.extend(56_u16.to_ne_bytes());
        bytes.extend(u16::try_from(parts.len()).unwrap().to_ne_bytes());
        bytes.resize(64, 0);
        let mut offset = (HEADER + PROGRAM * parts.len()) as u64;
        for (start, part) in parts {
            bytes.extend(LOAD.to_ne_bytes());
            bytes.extend([0; 4]);
            for word in [offset, *start, 0, part.len() as u64, part.len() as u64, 0] {
                bytes.extend(word.to_ne_bytes());
            }
            offset += part.len() as u64;
        }
        bytes.extend(parts.iter().flat_map(|(_, part)| *part));
        // Smaller files are taken for masked.
        bytes.resize(bytes.len().max(4096), 0);
        bytes
    }

    const HIGH: u64 = 0xff11_0000_0000_0000;

    fn opened(bytes: &[u8]) -> Reading<Kcore> {
        open(&TestTree::with(&[(FILE, bytes)]).root())
    }

    #[test]
    fn notes_are_found_by_their_names() {
        let note = |name: &[u8], text: &[u8]| {
            let len = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap().to_ne_bytes();
            let padded = |bytes: &[u8]| {
                [bytes, &vec![0; bytes.len().next_multiple_of(4) - bytes.len()]].concat()
            };
            [&len(name)[..], &len(text), &[0; 4], &padded(name), &padded(text)].concat()
        };
        let notes = [note(b"CORE\0", b"12345"), note(b"VMCOREINFO\0", b"A=1\nB=2\n")].concat();
        let mut bytes = dump(&[(HIGH, &notes)]);
        bytes[HEADER..HEADER + 4].copy_from_slice(&NOTES.to_ne_bytes());
        let kcore = opened(&bytes).into_result().unwrap();
        assert_eq!(kcore.note(b"VMCOREINFO").unwrap(), b"A=1\nB=2\n");
        let len = |kcore: &Kcore, name: &[u8]| kcore.note(name).map(|note| note.len());
        assert_eq!((len(&kcore, b"CORE"), len(&kcore, b"VMCORE")), (Ok(5), Ok(0)));
        assert_eq!(len(opened(&two()).known().unwrap(), b"CORE"), Ok(0));
        let whole = bytes.clone();
        for at in HEADER + PROGRAM..HEADER + PROGRAM + notes.len() {
            bytes.copy_from_slice(&whole);
            bytes[at] = 0xff;
            let _whatever = opened(&bytes).known().map(|kcore| kcore.note(b"VMCOREINFO"));
        }
    }

    fn two() -> Vec<u8> {
        dump(&[(HIGH + 100, b"behind"), (HIGH, b"before")])
    }

    #[test]
    fn memory_is_where_its_headers_say() {
        let kcore = opened(&two()).into_result().unwrap();
        let read = |at, len| super::super::memory::bytes(&kcore, at, len);
        assert_eq!(read(HIGH + 2, 4).unwrap(), b"fore");
        assert_eq!(read(HIGH + 100, 6).unwrap(), b"behind");
        for (at, len) in [(HIGH, 7), (HIGH + 99, 2), (HIGH + 106, 1), (0, 1), (u64::MAX, 8)] {
            assert_eq!(read(at, len), Err(ReadFault::Nowhere), "{at:x} {len}");
        }
    }

    #[test]
    fn a_mangled_dump_never_panics() {
        let good = two();
        mangled(&good, 1000, |bytes| {
            // Damage where it matters: what is behind is memory.
            let all = [bytes.get(..176).unwrap_or(bytes), &good[176..]].concat();
            if let Reading::Known(kcore) = opened(&all) {
                for at in [0, HIGH, HIGH + 101, u64::MAX - 2] {
                    let _whatever = kcore.read(at, &mut [0; 4]);
                }
            }
        });
    }

    #[test]
    fn other_content_is_reported() {
        for bad in [vec![0; 8192], [&b"\x7fELF\x01"[..], &[0; 8192]].concat()] {
            let why = opened(&bad).missing().unwrap().to_string();
            assert!(why.contains("is not a core dump"), "{why}");
        }
        let masked = opened(b"").missing().unwrap().to_string();
        assert!(masked.contains("masked"), "{masked}");
    }

    #[test]
    fn a_denied_open_gives_the_reason() {
        let why = |status: &str, mode: &str| {
            let files = [("proc/self/status", status), ("sys/kernel/security/lockdown", mode)];
            denied(&TestTree::with(&files).root()).map(|missing| missing.to_string())
        };
        let open = "none integrity confidentiality\n".replace("none", "[none]");
        let locked =
            open.replace("[none]", "none").replace("confi", "[confi").replace("ity\n", "ity]\n");
        let root = "Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n";
        assert_eq!(why("Uid:\t1\t1\t1\t1\nCapEff:\t0\n", &locked), None, "to be root is enough");
        assert!(why("Uid:\t0\t0\n\nCapEff:\t0001ffff\n", &open).unwrap().contains("CAP_SYS_RAWIO"));
        assert!(why(root, &locked).unwrap().contains("kernel lockdown"));
        assert_eq!(why(root, &open), None);
    }
}
