//! Small BTF files for tests.

use super::bytes::{ByteSource, CachedFile};
use super::{MAGIC, Types, raw};
use std::collections::BTreeMap;
use std::io;

impl ByteSource for Vec<u8> {
    fn fill(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let own = usize::try_from(at).ok().and_then(|at| self.get(at..)?.get(..into.len()));
        into.copy_from_slice(own.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Parses these bytes and looks for the types of these names.
pub(crate) fn parsed(bytes: Vec<u8>, wanted: &'static [&str]) -> Result<Types, &'static str> {
    let len = bytes.len();
    Types::parse(CachedFile::new(Box::new(bytes), len), wanted, 0)
}

/// Builds a BTF file type by type; each gets the next number, from 1 on.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    types: Vec<u8>,
    strings: Vec<u8>,
    count: u32,
    /// Integer types by size, added when first needed.
    ints: BTreeMap<u32, u32>,
}

/// A member: its name, type, offset in bits, and width of a bit field.
pub(crate) type MemberOf<'a> = (&'a str, u32, u32, u32);

impl Builder {
    pub(crate) fn new() -> Self {
        Self { strings: vec![0], ..Self::default() }
    }

    /// Adds any type: its kind, name, number of parts, last common word, and the rest.
    pub(crate) fn add(&mut self, kind: u32, name: &str, parts: (u32, u32), rest: &[u32]) -> u32 {
        let (count, last) = parts;
        let name = self.string(name);
        for word in [name, kind << 24 | count, last].iter().chain(rest) {
            self.types.extend(word.to_ne_bytes());
        }
        self.count += 1;
        self.count
    }

    pub(crate) fn int(&mut self, size: u32) -> u32 {
        if let Some(number) = self.ints.get(&size) {
            return *number;
        }
        let number = self.add(raw::INT, &format!("int{size}"), (0, size), &[size * 8]);
        self.ints.insert(size, number);
        number
    }

    pub(crate) fn array(&mut self, of: u32, length: u32) -> u32 {
        let index = self.int(4);
        self.add(raw::ARRAY, "", (0, 0), &[of, index, length])
    }

    pub(crate) fn structure(&mut self, name: &str, size: u32, members: &[MemberOf<'_>]) -> u32 {
        self.members(raw::STRUCT, name, size, members)
    }

    pub(crate) fn union(&mut self, name: &str, size: u32, members: &[MemberOf<'_>]) -> u32 {
        self.members(raw::UNION, name, size, members)
    }

    fn members(&mut self, kind: u32, name: &str, size: u32, members: &[MemberOf<'_>]) -> u32 {
        let flag = members.iter().any(|member| member.3 > 0);
        let mut words = Vec::new();
        for (name, number, bit, width) in members {
            words.extend([self.string(name), *number, width << 24 | bit]);
        }
        let count = u32::try_from(members.len()).unwrap();
        self.add(kind | u32::from(flag) << 7, name, (count, size), &words)
    }

    pub(crate) fn enumeration(&mut self, name: &str, values: &[(&str, i32)]) -> u32 {
        let words: Vec<_> = values
            .iter()
            .flat_map(|(name, value)| [self.string(name), value.cast_unsigned()])
            .collect();
        let count = u32::try_from(values.len()).unwrap();
        self.add(raw::ENUM | 1 << 7, name, (count, 4), &words)
    }

    /// Builds types from a text. A line that is not indented begins a type with `struct NAME SIZE` or `enum
    /// NAME`; the others are its parts: `NAME bitBITS WIDTH` for bit fields, `NAME BYTES SIZE` and `NAME
    /// BYTES SIZE*LENGTH` for other members, `NAME VALUE` for an enumeration.
    pub(crate) fn from_text(text: &str) -> Vec<u8> {
        let mut builder = Self::new();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
        for group in lines.chunk_by(|_, next| next[0].is_empty()) {
            match &group[0][..] {
                ["struct", name, size] => builder.add_struct(name, size, &group[1..]),
                ["enum", name] => builder.add_enum(name, &group[1..]),
                other => panic!("{other:?}"),
            }
        }
        builder.build()
    }

    fn add_struct(&mut self, name: &str, size: &str, parts: &[Vec<&str>]) {
        let number = |text: &str| text.parse::<u32>().unwrap();
        let mut members = Vec::new();
        for part in parts {
            let (name, at, size) = (part[1], part[2], part[3]);
            members.push(match (at.strip_prefix("bit"), size.split_once('*')) {
                (Some(bit), _) => (name, self.int(4), number(bit), number(size)),
                (None, Some((size, length))) => {
                    let element = self.int(number(size));
                    (name, self.array(element, number(length)), number(at) * 8, 0)
                }
                (None, None) => (name, self.int(number(size)), number(at) * 8, 0),
            });
        }
        self.structure(name, number(size), &members);
    }

    fn add_enum(&mut self, name: &str, parts: &[Vec<&str>]) {
        let values: Vec<_> = parts.iter().map(|part| (part[1], part[2].parse().unwrap())).collect();
        self.enumeration(name, &values);
    }

    pub(crate) fn build(&self) -> Vec<u8> {
        self.with_sizes(&[])
    }

    /// Builds the file of a kernel module: names are numbered on from those of the kernel.
    pub(crate) fn build_on(mut self, kernel: &Self) -> Vec<u8> {
        let before = u32::try_from(kernel.strings.len()).unwrap();
        for one in self.types.chunks_exact_mut(super::COMMON) {
            let name = u32::from_ne_bytes(one[..4].try_into().unwrap()) + before;
            one[..4].copy_from_slice(&name.to_ne_bytes());
        }
        self.build()
    }

    /// Builds the file with the section that gives the sizes of kinds.
    pub(crate) fn with_sizes(&self, sizes: &[u8]) -> Vec<u8> {
        let len = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap();
        let (types, strings) = (len(&self.types), len(&self.strings));
        let mut words = vec![0, types, types, strings];
        if !sizes.is_empty() {
            words.extend([types + strings, len(sizes)]);
        }
        let header = 8 + 4 * u32::try_from(words.len()).unwrap();
        let mut bytes = [&MAGIC[..], &[1, 0], &header.to_ne_bytes()].concat();
        bytes.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
        [&bytes[..], &self.types, &self.strings, sizes].concat()
    }

    fn string(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let at = u32::try_from(self.strings.len()).unwrap();
        self.strings.extend(text.as_bytes());
        self.strings.push(0);
        at
    }
}
