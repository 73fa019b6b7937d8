//! Where the kernel's variables are, from its own memory, where `/proc/kallsyms` shows zeros in place of
//! addresses.
//!
//! Kernel: the note `VMCOREINFO` of `/proc/kcore`, which tells since 6.0 where the table of all symbols is
//! (`kernel/vmcore_info.c`, up to 6.8 `kernel/crash_core.c`; `kernel/kallsyms.c`). Names are packed by a
//! table of 256 pieces; addresses are kept as 32 bits in one of three ways, of which the one is right by which
//! `_stext` comes out where the note has it.

use super::memory::{ReadFault, KernelMemory, bytes, value};
use crate::model::Missing;

/// More symbols than any kernel has, and longer names.
const MOST: u64 = 1 << 23;
const LONGEST: usize = 2048;
/// Names are read in pieces of so many bytes.
const PIECE: usize = 1 << 16;
/// Pieces of names, and the longest.
const TOKENS: usize = 256;
const LONGEST_TOKEN: usize = 128;

/// Where the tables are.
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

/// The address of each of these names, as far as it is found.
///
/// # Errors
/// What is missing of this kernel; or that its memory was not read, which may be otherwise another time.
pub(super) fn addresses<const N: usize>(
    memory: &impl KernelMemory,
    note: &[u8],
    wanted: [&[u8]; N],
) -> Result<[Option<u64>; N], Missing> {
    let lacks = |what: &str| Missing::absent(format!("this kernel {what}"));
    let tables = SymbolTables::from_note(note)
        .ok_or_else(|| lacks("does not tell where its symbols are, as 6.0 and later do"))?;
    let read = |fault: ReadFault| match fault {
        ReadFault::Nowhere => lacks("does not have its table of symbols where it says"),
        ReadFault::Failed(_) => Missing::failed(format!("its table of symbols: {fault}")),
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
    let form = form
        .ok_or_else(|| lacks("keeps the addresses of its symbols in a form that is not known"))?;
    let mut found = [None; N];
    for (to, place) in found.iter_mut().zip(own) {
        *to = place.map(|place| Ok(form(base, number(place)?))).transpose().map_err(read)?;
    }
    Ok(found)
}

/// An address from the base, and from a number with the place where it stands.
type AddressForm = fn(u64, (u64, u32)) -> u64;

/// From the base; the same where what is not below it is itself an address; from where the number stands.
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
            let digits = lines.find_map(|line| line.strip_prefix(start.as_bytes()))?;
            u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
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

/// At which place of the table each name stands.
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
        // The first letter is the kind.
        let own = name.get(1..).unwrap_or_default();
        let found =
            places.iter_mut().zip(wanted).find(|(place, name)| place.is_none() && **name == own);
        if let Some((place, _)) = found {
            *place = Some(nth);
        }
    }
    Ok(places)
}

/// The pieces that names are made of.
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

/// Packed names, one behind the other.
struct PackedNames<'m, M> {
    memory: &'m M,
    /// Where the next piece begins.
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

    /// The next name with its kind before it.
    fn unpack(&mut self, tokens: &[Vec<u8>], name: &mut Vec<u8>) -> Result<(), ReadFault> {
        name.clear();
        let first = self.byte()?;
        // Since 6.1 long names say so by the highest bit.
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
