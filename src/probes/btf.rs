//! `/sys/kernel/btf/vmlinux`: the kernel's own types, their sizes and where their members lie.
//!
//! Kernel: `kernel/bpf/sysfs_btf.c`, `include/uapi/linux/btf.h`; since 5.4, needs
//! `CONFIG_DEBUG_INFO_BTF`; readable by everyone. Some 120000 types in 5 MB. They are passed over once,
//! and only where each begins is kept; a type is looked for when somebody asks for it.
//!
//! What it does not do: follow pointers, or read other byte orders than that of this program. The
//! bytes may be anything: nothing is allocated by a number that stands in them, each walk is bounded.

mod shape;
#[cfg(test)]
pub(crate) mod testing;

pub use shape::{Bits, Member};

use crate::model::Reading;
use crate::root::Root;
use std::ops::Range;

/// Where it is, below the root.
pub const FILE: &str = "sys/kernel/btf/vmlinux";
/// More than any kernel has: Debian's has 5.5 MB.
const LARGEST: u64 = 64 << 20;

const MAGIC: [u8; 2] = 0xeb9f_u16.to_ne_bytes();
/// A header without anything that came later.
const HEADER: u32 = 24;
/// One that tells the sizes of kinds too, since 7.0.
const HEADER_WITH_SIZES: u32 = 32;
/// The words that each type begins with: name, information, size or type.
const COMMON: usize = 12;

/// Kinds of types that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A structure.
    Struct,
    /// An enumeration, of whatever width.
    Enum,
    /// A function.
    Func,
    /// A variable of each processor: of others there is nothing.
    Var,
}

impl Kind {
    fn is(self, number: u32) -> bool {
        match self {
            Self::Struct => number == raw::STRUCT,
            Self::Enum => matches!(number, raw::ENUM | raw::ENUM64),
            Self::Func => number == raw::FUNC,
            Self::Var => number == raw::VAR,
        }
    }
}

/// Kinds as they stand in the file.
mod raw {
    pub(super) const INT: u32 = 1;
    pub(super) const PTR: u32 = 2;
    pub(super) const ARRAY: u32 = 3;
    pub(super) const STRUCT: u32 = 4;
    pub(super) const UNION: u32 = 5;
    pub(super) const ENUM: u32 = 6;
    pub(super) const FWD: u32 = 7;
    pub(super) const TYPEDEF: u32 = 8;
    pub(super) const VOLATILE: u32 = 9;
    pub(super) const CONST: u32 = 10;
    pub(super) const RESTRICT: u32 = 11;
    pub(super) const FUNC: u32 = 12;
    pub(super) const FUNC_PROTO: u32 = 13;
    pub(super) const VAR: u32 = 14;
    pub(super) const DATASEC: u32 = 15;
    pub(super) const FLOAT: u32 = 16;
    pub(super) const DECL_TAG: u32 = 17;
    pub(super) const TYPE_TAG: u32 = 18;
    pub(super) const ENUM64: u32 = 19;
}

/// All types of a kernel.
#[derive(Clone, Debug)]
pub struct Types {
    bytes: Vec<u8>,
    strings: Range<usize>,
    /// Where each type begins: the first has the number 1, since 0 stands for none.
    places: Vec<u32>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    types: &'a Types,
    head: Head,
}

/// How a type begins.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Where what follows the common words begins.
    rest: usize,
    name: u32,
    kind: u32,
    /// How many members, values or arguments follow.
    count: u32,
    /// Members carry the width of their bits.
    flag: bool,
    /// Its size, or the type it is made of.
    last: u32,
}

/// Read the types of the running kernel.
pub fn read(root: &Root) -> Reading<Types> {
    root.facts(FILE).and_then(|facts| {
        let size = facts.size;
        let Some(len) = usize::try_from(size).ok().filter(|_| size <= LARGEST) else {
            return Reading::failed(format!("/{FILE} has {size} bytes, more than any kernel"));
        };
        root.read_part(FILE, 0, len).and_then(|bytes| match Types::parse(bytes) {
            Ok(types) => Reading::Known(types),
            Err(why) => Reading::failed(format!("/{FILE} {why}")),
        })
    })
}

impl Types {
    /// Find where each type begins.
    ///
    /// # Errors
    /// What is wrong with the bytes, as the rest of a sentence about the file.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, &'static str> {
        let header = Header::of(&bytes)?;
        let mut types = Self { places: Vec::new(), strings: header.strings, bytes };
        let mut at = header.types.start;
        while at < header.types.end {
            let head = types.head_at(at).ok_or(CUT)?;
            let more = extra(head.kind, head.count)
                .or_else(|| types.told_size(&header.sizes, head))
                .ok_or("has types of a kind that is newer than this program")?;
            types.places.push(u32::try_from(at).map_err(|_| CUT)?);
            at = head.rest.checked_add(more).filter(|at| *at <= header.types.end).ok_or(CUT)?;
        }
        Ok(types)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The type of this kind and name.
    #[must_use]
    pub fn find(&self, kind: Kind, name: &str) -> Option<Type<'_>> {
        self.heads()
            .find(|head| kind.is(head.kind) && self.is_named(head.name, name))
            .map(|head| Type { types: self, head })
    }

    /// The value of a constant of any enumeration, many of which have no name.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<i64> {
        let mut enums = self.heads().filter(|head| Kind::Enum.is(head.kind));
        enums.find_map(|head| Type { types: self, head }.value(name))
    }

    fn heads(&self) -> impl Iterator<Item = Head> + '_ {
        self.places.iter().filter_map(|at| self.head_at(usize::try_from(*at).ok()?))
    }

    fn head(&self, number: u32) -> Option<Head> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.head_at(usize::try_from(*self.places.get(place)?).ok()?)
    }

    fn head_at(&self, at: usize) -> Option<Head> {
        let info = word(&self.bytes, at.checked_add(4)?)?;
        Some(Head {
            rest: at.checked_add(COMMON)?,
            name: word(&self.bytes, at)?,
            // Both fields grew in 7.x; files of older kernels have zeros there.
            kind: info >> 24 & 0x7f,
            count: info & 0x00ff_ffff,
            flag: info >> 31 != 0,
            last: word(&self.bytes, at.checked_add(8)?)?,
        })
    }

    fn is_named(&self, name: u32, wanted: &str) -> bool {
        // No more of it is looked at than must be equal: nothing bounds how long a name is.
        let rest = self.rest(name).and_then(|rest| rest.strip_prefix(wanted.as_bytes()));
        rest.is_some_and(|rest| rest.first().is_none_or(|byte| *byte == 0))
    }

    /// All names from this one on.
    fn rest(&self, name: u32) -> Option<&[u8]> {
        self.bytes.get(self.strings.clone())?.get(usize::try_from(name).ok()?..)
    }

    /// What follows a type of an unknown kind: a later kernel tells it.
    fn told_size(&self, sizes: &Range<usize>, head: Head) -> Option<usize> {
        let at = usize::try_from(head.kind).ok()?.checked_mul(4)?;
        let told = self.bytes.get(sizes.clone())?.get(at..)?;
        let [once, each, ..] = told else { return None };
        let each = usize::from(*each).checked_mul(usize::try_from(head.count).ok()?)?;
        usize::from(*once).checked_add(each)
    }
}

const CUT: &str = "is cut off or damaged";

/// Where the sections are.
struct Header {
    types: Range<usize>,
    strings: Range<usize>,
    sizes: Range<usize>,
}

impl Header {
    fn of(bytes: &[u8]) -> Result<Self, &'static str> {
        if bytes.get(..2) != Some(&MAGIC) {
            return Err("does not hold types in the byte order of this machine");
        }
        if bytes.get(2) != Some(&1) {
            return Err("has a version that is newer than this program");
        }
        let len = word(bytes, 4).filter(|len| *len >= HEADER).ok_or(CUT)?;
        let section = |at| section(bytes, len, at).ok_or(CUT);
        let sizes = if len >= HEADER_WITH_SIZES { section(24)? } else { 0..0 };
        Ok(Self { types: section(8)?, strings: section(16)?, sizes })
    }
}

/// A section, of which the header says at this place where it begins behind it, and how long it is.
fn section(bytes: &[u8], header: u32, at: usize) -> Option<Range<usize>> {
    let start = usize::try_from(header.checked_add(word(bytes, at)?)?).ok()?;
    let end = start.checked_add(usize::try_from(word(bytes, at + 4)?).ok()?)?;
    (end <= bytes.len()).then_some(start..end)
}

/// The bytes that follow the common words of a type; none for an unknown kind.
fn extra(kind: u32, count: u32) -> Option<usize> {
    let count = usize::try_from(count).ok()?;
    match kind {
        raw::INT | raw::VAR | raw::DECL_TAG => Some(4),
        raw::ARRAY => Some(12),
        raw::STRUCT | raw::UNION | raw::DATASEC | raw::ENUM64 => count.checked_mul(12),
        raw::ENUM | raw::FUNC_PROTO => count.checked_mul(8),
        raw::PTR
        | raw::FWD
        | raw::TYPEDEF
        | raw::VOLATILE
        | raw::CONST
        | raw::RESTRICT
        | raw::FUNC
        | raw::FLOAT
        | raw::TYPE_TAG => Some(0),
        _ => None,
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    word.try_into().ok().map(u32::from_ne_bytes)
}

#[cfg(test)]
mod tests;
