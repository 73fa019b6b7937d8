//! An independent reader of kernel memory, to compare with swapadm's.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;

const TYPES: &str = "/sys/kernel/btf/vmlinux";
/// Kinds of types, as numbered by `include/uapi/linux/btf.h`.
const ARRAY: u32 = 3;
const STRUCT: u32 = 4;
const SWP_USED: u64 = 1;

/// Kernel memory and its symbols and types.
pub(super) struct Kernel {
    core: File,
    /// Address, offset in the file, length.
    segments: Vec<[u64; 3]>,
    types: Types,
    /// The pointers to all areas.
    swap_info: u64,
    nr_swapfiles: u64,
}

impl Kernel {
    /// Opens kernel memory, or says what the kernel lacks.
    pub(super) fn open() -> Result<Self, String> {
        let core = File::open("/proc/kcore").map_err(|error| format!("/proc/kcore: {error}"))?;
        let symbols = fs::read_to_string("/proc/kallsyms").map_err(|error| error.to_string())?;
        let symbol = |name: &str| {
            let line = symbols.lines().find(|line| line.split(' ').nth(2) == Some(name));
            let address =
                line.and_then(|line| u64::from_str_radix(line.split(' ').next()?, 16).ok());
            address.filter(|address| *address != 0).ok_or(format!("/proc/kallsyms has no {name}"))
        };
        let (swap_info, nr_swapfiles) = (symbol("swap_info")?, symbol("nr_swapfiles")?);
        let types = Types::read()?;
        Ok(Self { segments: segments(&core), core, types, swap_info, nr_swapfiles })
    }

    pub(super) fn bytes(&self, address: u64, length: u64) -> Vec<u8> {
        let holds =
            |[start, _, size]: &&[u64; 3]| (*start..start.saturating_add(*size)).contains(&address);
        let [start, offset, _] = self.segments.iter().find(holds).expect("an address in memory");
        let mut bytes = vec![0; usize::try_from(length).expect("it fits into memory")];
        self.core.read_exact_at(&mut bytes, address - start + offset).expect("memory can be read");
        bytes
    }

    pub(super) fn word(&self, address: u64) -> u64 {
        u64::from_ne_bytes(self.bytes(address, 8).try_into().expect("eight bytes"))
    }

    /// The number in a member of up to eight bytes.
    pub(super) fn number(&self, address: u64, structure: &str, member: &str, bytes: usize) -> u64 {
        let at = self.member(structure, member).expect("this kernel has the member");
        self.word(address + at) & (u64::MAX >> (64 - 8 * bytes))
    }

    /// Offset of a member.
    pub(super) fn member(&self, structure: &str, member: &str) -> Option<u64> {
        self.types.member(structure, member).map(|(at, _)| at)
    }

    /// Number of elements of a member.
    pub(super) fn length(&self, structure: &str, member: &str) -> u64 {
        let (_, of) = self.types.member(structure, member).expect("this kernel has the member");
        self.types.elements(of)
    }

    pub(super) fn size(&self, structure: &str) -> u64 {
        let at = self.types.structures.get(structure).expect("this kernel has the structure");
        u64::from(self.types.word(at + 8))
    }

    /// The active areas, in the order of `/proc/swaps`.
    pub(super) fn areas(&self) -> Vec<u64> {
        let count = self.word(self.nr_swapfiles) & u64::from(u32::MAX);
        let areas = (0..count).map(|number| self.word(self.swap_info + 8 * number));
        let is_active = |area: &u64| {
            let number = |member, bytes| self.number(*area, "swap_info_struct", member, bytes);
            number("flags", 8) & SWP_USED != 0 && number("swap_file", 8) != 0
        };
        areas.filter(|area| *area != 0).filter(is_active).collect()
    }
}

/// The program headers of the core dump.
fn segments(core: &File) -> Vec<[u64; 3]> {
    let mut head = [0; 64];
    core.read_exact_at(&mut head, 0).expect("a header");
    let count = u16::from_ne_bytes([head[56], head[57]]);
    let header = |number: u64| {
        let mut bytes = [0; 56];
        core.read_exact_at(&mut bytes, 64 + 56 * number).expect("a program header");
        let word = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("a word"));
        // Type 1 is memory.
        (word(0) & 0xffff_ffff == 1).then(|| [word(16), word(8), word(40)])
    };
    (0..count.into()).filter_map(header).collect()
}

/// The types of this kernel: the file, and the offset of each type.
struct Types {
    bytes: Vec<u8>,
    names: usize,
    starts: Vec<usize>,
    /// Structures of swap, by name.
    structures: BTreeMap<String, usize>,
}

impl Types {
    fn read() -> Result<Self, String> {
        let bytes = fs::read(TYPES).map_err(|error| format!("{TYPES}: {error}"))?;
        let (starts, structures) = (Vec::new(), BTreeMap::new());
        let mut types = Self { bytes, names: 0, starts, structures };
        let [header, first, length, names] = [4, 8, 12, 16].map(|at| types.word(at) as usize);
        types.names = header + names;
        let (mut at, end) = (header + first, header + first + length);
        while at < end {
            types.starts.push(at);
            let name = types.name(at);
            if types.kind(at) == STRUCT && name.starts_with(b"swap_") {
                types.structures.insert(String::from_utf8_lossy(name).into_owned(), at);
            }
            at += 12 + types.behind(at);
        }
        Ok(types)
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_ne_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"))
    }

    fn kind(&self, at: usize) -> u32 {
        self.word(at + 4) >> 24 & 0x7f
    }

    /// Number of members, values or parameters.
    fn count(&self, at: usize) -> usize {
        (self.word(at + 4) & 0x00ff_ffff) as usize
    }

    /// Length of the data after the twelve common bytes.
    fn behind(&self, at: usize) -> usize {
        match self.kind(at) {
            // Integers, variables, declaration tags.
            1 | 14 | 17 => 4,
            ARRAY => 12,
            // Structures, unions, data sections, 64-bit enumerations.
            STRUCT | 5 | 15 | 19 => 12 * self.count(at),
            // Enumerations and prototypes.
            6 | 13 => 8 * self.count(at),
            _ => 0,
        }
    }

    fn name(&self, at: usize) -> &[u8] {
        let start = self.names + self.word(at) as usize;
        self.bytes[start..].split(|byte| *byte == 0).next().expect("a name")
    }

    /// Offset of a member, and the number of its type.
    fn member(&self, structure: &str, member: &str) -> Option<(u64, u32)> {
        let structure = self.structures.get(structure)?;
        let members = (0..self.count(*structure)).map(|number| structure + 12 + 12 * number);
        let at = members.into_iter().find(|at| self.name(*at) == member.as_bytes())?;
        Some((u64::from(self.word(at + 8) & 0x00ff_ffff) / 8, self.word(at + 4)))
    }

    fn elements(&self, number: u32) -> u64 {
        let at = self.starts[number as usize - 1];
        assert_eq!(self.kind(at), ARRAY, "an array has elements");
        u64::from(self.word(at + 12 + 8))
    }
}
