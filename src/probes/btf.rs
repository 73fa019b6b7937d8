//! `/sys/kernel/btf/vmlinux`: the kernel's own types, their sizes and where their members lie.
//!
//! Kernel: `kernel/bpf/sysfs_btf.c`, `include/uapi/linux/btf.h`; since 5.4, needs
//! `CONFIG_DEBUG_INFO_BTF`; readable by everyone. Some 120000 types in 5 MB. They are passed over once in
//! small pieces, and so are their names; what is kept is where each of some types begins, and where those
//! are that are asked for. The rest is read again where somebody looks there.
//!
//! What it does not do: follow pointers, or read other byte orders than that of this program. The
//! bytes may be anything: nothing is allocated by a number that stands in them, each walk is bounded.

mod bytes;
mod shape;
#[cfg(test)]
pub(crate) mod testing;

pub use shape::{Bits, TypeMember};

use crate::model::{Missing, Reading};
use crate::root::Root;
use bytes::CachedFile;
use std::ops::Range;

/// Where it is, below the root, with those of modules beside it.
pub const FILE: &str = "sys/kernel/btf/vmlinux";
const FOLDER: &str = "sys/kernel/btf";
/// More than any kernel has: Debian's has 5.5 MB.
const LARGEST: u64 = 64 << 20;

const MAGIC: [u8; 2] = 0xeb9f_u16.to_ne_bytes();
/// A header without anything that came later.
const HEADER: u32 = 24;
/// One that tells the sizes of kinds too, since 7.0.
const HEADER_WITH_SIZES: u32 = 32;
/// The words that each type begins with: name, information, size or type.
const COMMON: usize = 12;
/// Of so many types, only the place of the first is kept.
const STRIDE: usize = 64;

/// Kinds of types that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// A structure.
    Struct,
    /// An enumeration, of whatever width.
    Enum,
}

impl TypeKind {
    fn is(self, number: u32) -> bool {
        match self {
            Self::Struct => number == raw::STRUCT,
            Self::Enum => matches!(number, raw::ENUM | raw::ENUM64),
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
#[derive(Debug)]
pub struct Types {
    bytes: CachedFile,
    strings: Range<usize>,
    sizes: Range<usize>,
    /// Where the first of each [`STRIDE`] types begins: the very first has the number 1, since 0
    /// stands for none.
    places: Vec<u32>,
    count: usize,
    /// The names that are asked for, and what has them.
    wanted: &'static [&'static str],
    named: Vec<(usize, Head)>,
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

/// What the types of the running kernel of these names tell.
pub fn read<T>(
    root: &Root,
    wanted: &'static [&'static str],
    tell: impl FnOnce(&Types) -> Reading<T>,
) -> Reading<T> {
    opened(root, FILE).and_then(|bytes| match Types::parse(bytes, wanted, 0) {
        Ok(types) => types.checked(tell),
        Err(why) => Reading::failed(format!("/{FILE} {why}")),
    })
}

/// The size of a structure of a module, which may be built into the kernel. The types of a module are
/// numbered on from those of the kernel, and so are the places of their names: no more than sizes is known.
pub fn struct_size(root: &Root, module: &str, wanted: &'static [&'static str; 1]) -> Reading<u64> {
    let size = |types: &Types| {
        let size = types.find(TypeKind::Struct, wanted[0]).and_then(|found| found.size());
        let why = || Missing::absent(format!("the kernel's types have no struct {}", wanted[0]));
        size.ok_or_else(why).into()
    };
    let file = format!("{FOLDER}/{module}");
    if !root.exists(&file) {
        return read(root, wanted, size);
    }
    opened(root, &file).and_then(|bytes| {
        let types = names_of_kernel(root).and_then(|names| {
            Types::parse(bytes, wanted, names)
                .map_err(|why| Missing::failed(format!("/{file} {why}")))
        });
        Reading::from(types).and_then(|types| types.checked(size))
    })
}

/// How many bytes the names of the kernel's own types take.
fn names_of_kernel(root: &Root) -> Result<usize, Missing> {
    let bytes = opened(root, FILE).into_result()?;
    let header = Header::parse(&bytes).map_err(|why| Missing::failed(format!("/{FILE} {why}")))?;
    Ok(header.strings.len())
}

fn opened(root: &Root, file: &str) -> Reading<CachedFile> {
    root.facts(file).and_then(|facts| {
        let size = facts.size;
        let Some(len) = usize::try_from(size).ok().filter(|_| size <= LARGEST) else {
            return Reading::failed(format!("/{file} has {size} bytes, more than any kernel"));
        };
        root.open_file(file).map(|file| CachedFile::new(Box::new(file), len))
    })
}

impl Types {
    /// Pass over all types of a file, of which the places of names count from so many bytes before it.
    ///
    /// # Errors
    /// What is wrong with the bytes, as the rest of a sentence about the file.
    fn parse(
        bytes: CachedFile,
        wanted: &'static [&'static str],
        before: usize,
    ) -> Result<Self, &'static str> {
        let header = Header::parse(&bytes)?;
        let names = bytes::places(&bytes, header.strings.clone(), wanted, before);
        let mut types = Self {
            bytes,
            strings: header.strings,
            sizes: header.sizes,
            places: Vec::new(),
            count: 0,
            wanted,
            named: Vec::new(),
        };
        let mut at = header.types.start;
        while at < header.types.end {
            let head = types.head_at(at).ok_or(CUT)?;
            let next = types.behind(head)?;
            types.take(at, head, &names)?;
            at = next.filter(|at| *at <= header.types.end).ok_or(CUT)?;
        }
        Ok(types)
    }

    /// What they tell; nothing of that holds where a read failed on the way, also not that
    /// something is absent.
    fn checked<T>(&self, tell: impl FnOnce(&Self) -> Reading<T>) -> Reading<T> {
        let told = tell(self);
        match self.bytes.fault() {
            Some(why) => Reading::failed(format!("reading /{FILE}: {why}")),
            None => told,
        }
    }

    /// Where the type after this one begins.
    fn behind(&self, head: Head) -> Result<Option<usize>, &'static str> {
        let more = extra(head.kind, head.count)
            .or_else(|| self.recorded_size(head))
            .ok_or("has types of a kind that is newer than this program")?;
        Ok(head.rest.checked_add(more))
    }

    /// Keep of the next type what is asked for.
    fn take(&mut self, at: usize, head: Head, names: &[Vec<u32>]) -> Result<(), &'static str> {
        if self.count.is_multiple_of(STRIDE) {
            self.places.push(u32::try_from(at).map_err(|_| CUT)?);
        }
        self.count += 1;
        let kind = [TypeKind::Struct, TypeKind::Enum].into_iter().find(|kind| kind.is(head.kind));
        let name = || names.iter().position(|places| places.contains(&head.name));
        if let Some(kind) = kind
            && let Some(name) = name()
            && self.named(kind, name).is_none()
        {
            self.named.push((name, head));
        }
        Ok(())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The type of this kind and name, which is one of those that are asked for.
    pub fn find(&self, kind: TypeKind, name: &str) -> Option<Type<'_>> {
        let place = self.wanted.iter().position(|wanted| *wanted == name);
        debug_assert!(place.is_some(), "nobody asked for {name}");
        self.named(kind, place?).map(|head| Type { types: self, head })
    }

    fn named(&self, kind: TypeKind, name: usize) -> Option<Head> {
        let mut named = self.named.iter();
        named.find(|(of, head)| *of == name && kind.is(head.kind)).map(|(_, head)| *head)
    }

    fn head(&self, number: u32) -> Option<Head> {
        let place = usize::try_from(number).ok()?.checked_sub(1).filter(|it| *it < self.count)?;
        let start = usize::try_from(*self.places.get(place / STRIDE)?).ok()?;
        let mut head = self.head_at(start)?;
        for _ in 0..place % STRIDE {
            head = self.head_at(self.behind(head).ok()??)?;
        }
        Some(head)
    }

    fn head_at(&self, at: usize) -> Option<Head> {
        let mut common = [0; COMMON];
        self.bytes.copy(at, &mut common)?;
        let info = word(&common, 4)?;
        Some(Head {
            rest: at.checked_add(COMMON)?,
            name: word(&common, 0)?,
            // Both fields grew in 7.x; files of older kernels have zeros there.
            kind: info >> 24 & 0x7f,
            count: info & 0x00ff_ffff,
            flag: info >> 31 != 0,
            last: word(&common, 8)?,
        })
    }

    fn is_named(&self, name: u32, wanted: &str) -> bool {
        // No more of it is looked at than must be equal: nothing bounds how long a name is.
        let mut own = vec![0; wanted.len() + 1];
        let place =
            usize::try_from(name).ok().and_then(|name| self.strings.start.checked_add(name));
        let end = |at: &usize| at.checked_add(own.len()).is_some_and(|end| end <= self.strings.end);
        let found = place.filter(end).and_then(|at| self.bytes.copy(at, &mut own));
        found.is_some() && own.strip_suffix(&[0]) == Some(wanted.as_bytes())
    }

    /// What follows a type of an unknown kind: a later kernel tells it.
    fn recorded_size(&self, head: Head) -> Option<usize> {
        let at = self.sizes.start.checked_add(usize::try_from(head.kind).ok()?.checked_mul(4)?)?;
        let mut told = [0; 2];
        self.bytes.copy(at, &mut told).filter(|()| at + 2 <= self.sizes.end)?;
        let [once, each] = told;
        let each = usize::from(each).checked_mul(usize::try_from(head.count).ok()?)?;
        usize::from(once).checked_add(each)
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
    fn parse(bytes: &CachedFile) -> Result<Self, &'static str> {
        let byte = |at| {
            let mut byte = [0];
            bytes.copy(at, &mut byte).map(|()| byte[0])
        };
        if [byte(0), byte(1)] != MAGIC.map(Some) {
            return Err("does not hold types in the byte order of this machine");
        }
        if byte(2) != Some(1) {
            return Err("has a version that is newer than this program");
        }
        let len = bytes.word(4).filter(|len| *len >= HEADER).ok_or(CUT)?;
        let section = |at| section(bytes, len, at).ok_or(CUT);
        let sizes = if len >= HEADER_WITH_SIZES { section(24)? } else { 0..0 };
        Ok(Self { types: section(8)?, strings: section(16)?, sizes })
    }
}

/// A section, of which the header says at this place where it begins behind it, and how long it is.
fn section(bytes: &CachedFile, header: u32, at: usize) -> Option<Range<usize>> {
    let start = usize::try_from(header.checked_add(bytes.word(at)?)?).ok()?;
    let end = start.checked_add(usize::try_from(bytes.word(at + 4)?).ok()?)?;
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
