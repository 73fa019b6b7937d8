//! `/sys/kernel/btf/vmlinux` (BTF): the kernel's own types, their sizes and the offsets of their members.
//!
//! Kernel: `kernel/bpf/sysfs_btf.c`, `include/uapi/linux/btf.h`; since 5.4, needs
//! `CONFIG_DEBUG_INFO_BTF`; readable by everyone. It has some 120000 types in 5 MB. Types and names are
//! passed over once in small pieces; only the offsets of every 64th type and of the requested types are
//! kept. Other types are read again when they are needed.
//!
//! Kernels under review can have their types in a module (`CONFIG_DEBUG_INFO_BTF=m`): until it is loaded the
//! file is absent, and the reason says so.
//!
//! Not done here: following pointers, or reading another byte order than that of this program. The content
//! may be anything: nothing is allocated by a number from the file, and each walk is bounded.

mod bytes;
mod shape;
#[cfg(test)]
pub(crate) mod testing;

pub use shape::{Bits, TypeMember};

use super::kernel_config;
use super::probe::BootCache;
use crate::model::{Missing, Reading};
use crate::root::Root;
use bytes::CachedFile;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The file of the kernel's own types, below the root; types of modules are beside it.
pub const FILE: &str = "sys/kernel/btf/vmlinux";
/// The option that builds types into the kernel, or into a module.
const OPTION: &str = "CONFIG_DEBUG_INFO_BTF";
const FOLDER: &str = "sys/kernel/btf";
/// Larger than the file of any kernel: Debian's has 5.5 MB.
const LARGEST: u64 = 32 << 20;

/// The types that probes read, where they exist: one pass finds them all.
pub static WANTED: [&str; 15] = [
    "swap_info_struct",
    "swap_cluster_info",
    "swap_cluster_flags",
    "swap_memcg_table",
    "swap_table",
    "percpu_cluster",
    "swap_sequential_cluster",
    "percpu_swap_cluster",
    "swap_slots_cache",
    "xarray",
    "xa_node",
    "mem_cgroup",
    "cgroup",
    "kernfs_node",
    "zram_table_entry",
];

const MAGIC: [u8; 2] = 0xeb9f_u16.to_ne_bytes();
/// Length of a header without later additions.
const HEADER: u32 = 24;
/// Length of a header that also locates the sizes of kinds, since 7.0.
const HEADER_WITH_SIZES: u32 = 32;
/// Length of the words at the start of each type: name, information, size or type.
const COMMON: usize = 12;
/// The offset of one in this many types is kept.
const STRIDE: usize = 64;

/// Kinds of types that can be requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// A structure.
    Struct,
    /// An enumeration of 32 or 64 bits.
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

/// Numbers of kinds in the file.
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
    /// Offset of the first of each [`STRIDE`] types. Numbers start at 1, since 0 stands for `void`.
    places: Vec<u32>,
    count: usize,
    /// The requested names, and the types that have them.
    wanted: &'static [&'static str],
    named: Vec<(usize, Head)>,
}

/// One type.
#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    types: &'a Types,
    head: Head,
}

/// The words at the start of a type.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Offset of the data after the common words.
    rest: usize,
    name: u32,
    kind: u32,
    /// Number of members, values or arguments that follow.
    count: u32,
    /// Whether members carry the width of a bit field.
    flag: bool,
    /// Size of the type, or the type it refers to.
    last: u32,
}

/// Evaluates types of the running kernel. A pass over all types takes longer than all other files of a sample, so there
/// is one on this machine.
pub fn read<T>(root: &Root, tell: impl FnOnce(&Types) -> Reading<T>) -> Reading<T> {
    static HERE: BootCache<Arc<Mutex<Types>>> = BootCache::new();
    let parse = || {
        opened(root, FILE).and_then(|bytes| match Types::parse(bytes, &WANTED, 0) {
            Ok(types) => {
                let checked = types.checked(|_| Reading::Known(()));
                checked.map(|()| Arc::new(Mutex::new(types)))
            }
            Err(why) => Reading::failed(format!("/{FILE} {why}")),
        })
    };
    HERE.get_or_read(root, (), parse)
        .and_then(|types| types.lock().unwrap_or_else(PoisonError::into_inner).checked(tell))
}

/// The size of a structure of a module, which may be built into the kernel. Types and names of a module are
/// numbered on from those of the kernel, so only sizes can be read.
pub fn struct_size(root: &Root, module: &str, name: &str) -> Reading<u64> {
    let size = |types: &Types| {
        let size = types.find(TypeKind::Struct, name).and_then(|found| found.size());
        let why = || Missing::absent(format!("this kernel has no struct {name}"));
        size.ok_or_else(why).into()
    };
    let file = format!("{FOLDER}/{module}");
    if !root.exists(&file) {
        return read(root, size);
    }
    opened(root, &file).and_then(|bytes| {
        let types = names_of_kernel(root).and_then(|names| {
            Types::parse(bytes, &WANTED, names)
                .map_err(|why| Missing::failed(format!("/{file} {why}")))
        });
        Reading::from(types).and_then(|types| types.checked(size))
    })
}

/// Length of the string section of the kernel's own types.
fn names_of_kernel(root: &Root) -> Result<usize, Missing> {
    let bytes = opened(root, FILE).into_result()?;
    let header = Header::parse(&bytes).map_err(|why| Missing::failed(format!("/{FILE} {why}")))?;
    Ok(header.strings.len())
}

/// Size of the file with the types of the kernel, or the reason why it is missing.
pub fn size(root: &Root) -> Reading<u64> {
    static IS_MODULE: BootCache<bool> = BootCache::new();
    let size = root.facts(FILE).map(|facts| facts.size);
    let is_module = || {
        let found = || kernel_config::option(root, OPTION).map(|value| value == "m");
        IS_MODULE.get_or_read(root, (), found).known() == Some(&true)
    };
    match size.missing() {
        Some(Missing::Absent(_)) if is_module() => Reading::absent(format!(
            "/{FILE} does not exist: this kernel has its type information in a module that is not loaded ({OPTION}=m)"
        )),
        _ => size,
    }
}

fn opened(root: &Root, file: &str) -> Reading<CachedFile> {
    let size = if file == FILE { size(root) } else { root.facts(file).map(|facts| facts.size) };
    size.and_then(|size| {
        let Some(len) = usize::try_from(size).ok().filter(|_| size <= LARGEST) else {
            return Reading::failed(format!(
                "/{file} has {size} bytes, more than any known kernel's types"
            ));
        };
        root.open_file(file).map(|file| CachedFile::new(Box::new(file), len))
    })
}

impl Types {
    /// Scans all types of a file; offsets of names start at this base. An error is the rest of a sentence
    /// about the file.
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

    /// Evaluates types, and fails if any read failed on the way: a missing type could then be a read error.
    fn checked<T>(&self, tell: impl FnOnce(&Self) -> Reading<T>) -> Reading<T> {
        let told = tell(self);
        match self.bytes.end_of_use() {
            Some(why) => Reading::failed(format!("cannot read /{FILE}: {why}")),
            None => told,
        }
    }

    /// Offset of the next type.
    fn behind(&self, head: Head) -> Result<Option<usize>, &'static str> {
        let more = extra(head.kind, head.count)
            .or_else(|| self.recorded_size(head))
            .ok_or("has types of a newer kind than this program knows")?;
        Ok(head.rest.checked_add(more))
    }

    /// Records the next type if it is requested.
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

    /// Number of types.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The type of this kind and name, which must be one of the requested names.
    pub fn find(&self, kind: TypeKind, name: &str) -> Option<Type<'_>> {
        let place = self.wanted.iter().position(|wanted| *wanted == name);
        debug_assert!(place.is_some(), "{name} was not requested");
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
            // Both fields grew in 7.x; files of older kernels have zeros in these bits.
            kind: info >> 24 & 0x7f,
            count: info & 0x00ff_ffff,
            flag: info >> 31 != 0,
            last: word(&common, 8)?,
        })
    }

    fn is_named(&self, name: u32, wanted: &str) -> bool {
        // Reads only as much as must be equal: the length of a name is unbounded.
        let mut own = vec![0; wanted.len() + 1];
        let place =
            usize::try_from(name).ok().and_then(|name| self.strings.start.checked_add(name));
        let end = |at: &usize| at.checked_add(own.len()).is_some_and(|end| end <= self.strings.end);
        let found = place.filter(end).and_then(|at| self.bytes.copy(at, &mut own));
        found.is_some() && own.strip_suffix(&[0]) == Some(wanted.as_bytes())
    }

    /// Length of the data of a type of an unknown kind, from the table of kind sizes (since 7.0).
    fn recorded_size(&self, head: Head) -> Option<usize> {
        let at = self.sizes.start.checked_add(usize::try_from(head.kind).ok()?.checked_mul(4)?)?;
        let mut told = [0; 2];
        self.bytes.copy(at, &mut told).filter(|()| at + 2 <= self.sizes.end)?;
        let [once, each] = told;
        let each = usize::from(each).checked_mul(usize::try_from(head.count).ok()?)?;
        usize::from(once).checked_add(each)
    }
}

const CUT: &str = "is truncated or damaged";

/// Offsets of the sections.
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
            return Err("is not BTF in the byte order of this machine");
        }
        if byte(2) != Some(1) {
            return Err("has a newer version than this program knows");
        }
        let len = bytes.word(4).filter(|len| *len >= HEADER).ok_or(CUT)?;
        let section = |at| section(bytes, len, at).ok_or(CUT);
        let sizes = if len >= HEADER_WITH_SIZES { section(24)? } else { 0..0 };
        Ok(Self { types: section(8)?, strings: section(16)?, sizes })
    }
}

/// A section: at this place the header gives its offset from the header's end and its length.
fn section(bytes: &CachedFile, header: u32, at: usize) -> Option<Range<usize>> {
    let start = usize::try_from(header.checked_add(bytes.word(at)?)?).ok()?;
    let end = start.checked_add(usize::try_from(bytes.word(at + 4)?).ok()?)?;
    (end <= bytes.len()).then_some(start..end)
}

/// Length of the data after the common words of a type; none for an unknown kind.
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
