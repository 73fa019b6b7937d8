//! Addresses of the kernel's variables from kernel memory, for kernels where `/proc/kallsyms` shows zeros.
//!
//! Kernel: the note `VMCOREINFO` of `/proc/kcore`, which since 6.0 has the address of the symbol table
//! (`kernel/vmcore_info.c`, up to 6.8 `kernel/crash_core.c`; `kernel/kallsyms.c`). Names are packed with a
//! table of 256 tokens; addresses are stored as 32 bits in one of three forms. The right form is the one
//! that gives the address of `_stext` in the note.

use super::memory::{KernelMemory, ReadFault, bytes, value};
use crate::model::Missing;
use crate::root::parse_hex;

/// Limits of the number of symbols and of the length of a name.
const MOST: u64 = 1 << 23;
const LONGEST: usize = 2048;
/// Bytes of names read at once.
const PIECE: usize = 1 << 16;
/// Number of tokens, and the limit of their length.
const TOKENS: usize = 256;
const LONGEST_TOKEN: usize = 128;

/// Addresses of the tables.
struct SymbolTables {
    names: u64,
    count: u64,
    tokens: u64,
    index: u64,
    offsets: u64,
    /// Up to some 6.x.
    base: Option<u64>,
    text: u64,
}

/// The address of each of these names, where found. Absent if the kernel lacks something; failed if its
/// memory could not be read, which may work later.
pub(super) fn addresses<const N: usize>(
    memory: &impl KernelMemory,
    note: &[u8],
    wanted: [&[u8]; N],
) -> Result<[Option<u64>; N], Missing> {
    let lacks = |what: &str| Missing::absent(format!("this kernel {what}"));
    let tables = SymbolTables::from_note(note)
        .ok_or_else(|| lacks("does not give the address of its symbols, as 6.0 and later do"))?;
    let read = |fault: ReadFault| match fault {
        ReadFault::Nowhere => lacks("has no symbol table at the given address"),
        ReadFault::Failed(_) => Missing::failed(format!("symbol table: {fault}")),
    };
    let places = places(memory, &tables, &[&wanted[..], &[b"_stext"]].concat()).map_err(read)?;
    let number = |place: u64| {
        let at = tables.offsets.wrapping_add(place * 4);
        bytes(memory, at, 4).map(|bytes| (at, value_of_4(&bytes)))
    };
    let (text, own) = places.split_last().ok_or_else(|| lacks("has no symbols"))?;
    let text = text.ok_or_else(|| lacks("has no _stext among its symbols"))?;
    let base = match tables.base {
        Some(base) => super::memory::number(memory, base, 8).map_err(read)?,
        None => 0,
    };
    let text = number(text).map_err(read)?;
    let form = FORMS.iter().find(|form| form(base, text) == tables.text);
    let form = form.ok_or_else(|| lacks("stores the addresses of symbols in an unknown form"))?;
    let mut found = [None; N];
    for (to, place) in found.iter_mut().zip(own) {
        *to = place.map(|place| Ok(form(base, number(place)?))).transpose().map_err(read)?;
    }
    Ok(found)
}

/// Computes an address from the base, and from a number and the address of that number.
type AddressForm = fn(u64, (u64, u32)) -> u64;

/// Relative to the base; the same with negative numbers relative and others absolute; relative to the
/// number's own address.
const FORMS: [AddressForm; 3] = [
    |base, (_, number)| base.wrapping_add(number.into()),
    |base, (_, number)| match number.cast_signed() {
        number if number < 0 => base.wrapping_add((-1 - i64::from(number)).cast_unsigned()),
        number => i64::from(number).cast_unsigned(),
    },
    |_, (at, number)| at.wrapping_add_signed(number.cast_signed().into()),
];

fn value_of_4(bytes: &[u8]) -> u32 {
    u32::try_from(value(bytes)).unwrap_or(0)
}

impl SymbolTables {
    fn from_note(note: &[u8]) -> Option<Self> {
        let symbol = |name: &str| {
            let start = format!("SYMBOL({name})=");
            let mut lines = note.split(|byte| *byte == b'\n');
            parse_hex(lines.find_map(|line| line.strip_prefix(start.as_bytes()))?)
        };
        Some(Self {
            names: symbol("kallsyms_names")?,
            count: symbol("kallsyms_num_syms")?,
            tokens: symbol("kallsyms_token_table")?,
            index: symbol("kallsyms_token_index")?,
            offsets: symbol("kallsyms_offsets")?,
            base: symbol("kallsyms_relative_base"),
            text: symbol("_stext")?,
        })
    }
}

/// The index of each name in the table.
fn places(
    memory: &impl KernelMemory,
    tables: &SymbolTables,
    wanted: &[&[u8]],
) -> Result<Vec<Option<u64>>, ReadFault> {
    let count = super::memory::number(memory, tables.count, 4)?.min(MOST);
    let tokens = tokens(memory, tables)?;
    let mut names = PackedNames { memory, at: tables.names, piece: Vec::new(), next: 0 };
    let mut places = vec![None; wanted.len()];
    let mut name = Vec::new();
    for nth in 0..count {
        names.unpack(&tokens, &mut name)?;
        // The first letter is the symbol type.
        let own = name.get(1..).unwrap_or_default();
        let found =
            places.iter_mut().zip(wanted).find(|(place, name)| place.is_none() && **name == own);
        if let Some((place, _)) = found {
            *place = Some(nth);
        }
    }
    Ok(places)
}

/// The tokens that names are made of.
fn tokens(memory: &impl KernelMemory, tables: &SymbolTables) -> Result<Vec<Vec<u8>>, ReadFault> {
    let starts = bytes(memory, tables.index, TOKENS * 2)?;
    let token = |start: &[u8]| {
        let at = tables.tokens.checked_add(value_of_2(start)).ok_or(ReadFault::Nowhere)?;
        let mut token = bytes(memory, at, LONGEST_TOKEN)?;
        let end = token.iter().position(|byte| *byte == 0).unwrap_or(token.len());
        token.truncate(end);
        Ok(token)
    };
    starts.chunks_exact(2).map(token).collect()
}

fn value_of_2(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u16::from_ne_bytes).into()
}

/// The packed names, one after the other.
struct PackedNames<'m, M> {
    memory: &'m M,
    /// Address of the next piece.
    at: u64,
    piece: Vec<u8>,
    next: usize,
}

impl<M: KernelMemory> PackedNames<'_, M> {
    fn byte(&mut self) -> Result<u8, ReadFault> {
        if self.next >= self.piece.len() {
            self.piece = bytes(self.memory, self.at, PIECE)?;
            self.at = self.at.checked_add(PIECE as u64).ok_or(ReadFault::Nowhere)?;
            self.next = 0;
        }
        let byte = self.piece.get(self.next).copied().ok_or(ReadFault::Nowhere)?;
        self.next += 1;
        Ok(byte)
    }

    /// Unpacks the next name, with its symbol type in front.
    fn unpack(&mut self, tokens: &[Vec<u8>], name: &mut Vec<u8>) -> Result<(), ReadFault> {
        name.clear();
        let first = self.byte()?;
        // Since 6.1 the highest bit marks a long name.
        let more = if first & 0x80 == 0 { 0 } else { usize::from(self.byte()?) << 7 };
        for _ in 0..usize::from(first & 0x7f) | more {
            let token = tokens.get(usize::from(self.byte()?)).ok_or(ReadFault::Nowhere)?;
            if name.len() <= LONGEST {
                name.extend(token);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
