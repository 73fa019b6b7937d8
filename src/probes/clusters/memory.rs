//! Access to kernel memory, and numbers in it.

use crate::probes::btf::{Bits, TypeMember};

/// Bytes of one read, so that the kernel is not busy with one copy for long.
const CHUNK: usize = 1 << 20;

/// Memory that is read by kernel address.
pub(super) trait KernelMemory {
    /// Fills the buffer with the bytes at this address.
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault>;
}

/// Why memory was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReadFault {
    /// The address is outside of kernel memory.
    Nowhere,
    /// The read failed.
    Failed(String),
}

impl std::fmt::Display for ReadFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nowhere => f.write_str(
                "a pointer leads outside of kernel memory, perhaps because its structure was freed: try again",
            ),
            Self::Failed(why) => {
                write!(f, "cannot read kernel memory (/proc/kcore): {why}; try again")
            }
        }
    }
}

/// Reads bytes at an address; the caller bounds the length.
pub(super) fn bytes(
    memory: &impl KernelMemory,
    address: u64,
    len: usize,
) -> Result<Vec<u8>, ReadFault> {
    let mut bytes = vec![0; len];
    memory.read(address, &mut bytes)?;
    Ok(bytes)
}

/// Reads a number of up to 64 bits.
pub(super) fn number(
    memory: &impl KernelMemory,
    address: u64,
    size: usize,
) -> Result<u64, ReadFault> {
    let bytes = bytes(memory, address, size.min(8))?;
    Ok(value(&bytes))
}

/// Reads an array part by part, and passes each part on with the index of its first item. Nothing is kept,
/// so a false length costs no memory.
pub(super) fn in_chunks(
    memory: &impl KernelMemory,
    address: u64,
    items: (u64, usize),
    mut each: impl FnMut(u64, &[u8]),
) -> Result<(), ReadFault> {
    let (count, size) = items;
    let at_once = (CHUNK / size.max(1)).max(1);
    let mut buffer = vec![0; at_once * size];
    let mut first = 0;
    while first < count {
        let now = usize::try_from(count - first).unwrap_or(usize::MAX).min(at_once);
        let place = first.checked_mul(size as u64).and_then(|bytes| address.checked_add(bytes));
        let part = buffer.get_mut(..now * size).ok_or(ReadFault::Nowhere)?;
        memory.read(place.ok_or(ReadFault::Nowhere)?, part)?;
        each(first, part);
        first += now as u64;
    }
    Ok(())
}

/// A number in a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberField {
    /// Offset in bytes.
    pub(super) at: usize,
    size: usize,
    bits: Option<Bits>,
}

impl NumberField {
    /// A numeric member.
    pub(super) fn from_member(member: TypeMember) -> Option<Self> {
        let at = usize::try_from(member.at).ok()?;
        let size = usize::try_from(member.size).ok().filter(|size| (1..=8).contains(size))?;
        Some(Self { at, size, bits: member.bits })
    }

    /// Whether the field lies within a structure of this size.
    pub(super) fn fits(self, size: usize) -> bool {
        self.at.checked_add(self.size).is_some_and(|end| end <= size)
    }

    /// The number in these bytes of the structure; 0 past their end.
    pub(super) fn get(self, bytes: &[u8]) -> u64 {
        let own = bytes.get(self.at..).and_then(|rest| rest.get(..self.size)).unwrap_or_default();
        let value = value(own);
        match self.bits {
            None => value,
            Some(bits) => value >> bits.shift.min(63) & !(u64::MAX << bits.width.min(63)),
        }
    }

    /// Reads the number from a structure at this address.
    pub(super) fn read(self, memory: &impl KernelMemory, address: u64) -> Result<u64, ReadFault> {
        let at = address.checked_add(self.at as u64).ok_or(ReadFault::Nowhere)?;
        let own = bytes(memory, at, self.size)?;
        Ok(Self { at: 0, ..self }.get(&own))
    }

    /// The number with its sign.
    pub(super) fn signed(self, bytes: &[u8]) -> i64 {
        let unused = 64 - 8 * u32::try_from(self.size).unwrap_or(8).clamp(1, 8);
        self.get(bytes).cast_signed() << unused >> unused
    }
}

/// The number of these bytes. Millions are read per view, so the usual sizes have a fast path.
pub(super) fn value(bytes: &[u8]) -> u64 {
    if let [only] = *bytes {
        return only.into();
    }
    if let Ok(bytes) = bytes.try_into() {
        return u16::from_ne_bytes(bytes).into();
    }
    if let Ok(bytes) = bytes.try_into() {
        return u32::from_ne_bytes(bytes).into();
    }
    bytes.try_into().map_or_else(|_| odd_value(bytes), u64::from_ne_bytes)
}

fn odd_value(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    let start = if cfg!(target_endian = "big") { 8 - bytes.len().min(8) } else { 0 };
    for (to, from) in word.iter_mut().skip(start).zip(bytes) {
        *to = *from;
    }
    u64::from_ne_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(at: u64, size: u64, bits: Option<Bits>) -> NumberField {
        NumberField::from_member(TypeMember { at, size, length: None, bits }).unwrap()
    }

    #[test]
    fn numbers_have_their_size_and_sign() {
        let bytes = [1, 0, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0x80];
        assert_eq!(field(2, 2, None).signed(&bytes), -2);
        assert_eq!(field(2, 2, None).get(&bytes), 0xfffe);
        assert_eq!(field(0, 8, None).signed(&bytes), -131_071);
        assert_eq!(field(8, 1, None).signed(&bytes), -128);
        assert_eq!(field(8, 2, None).get(&bytes), 0, "past the end");
        let bits = Some(Bits { shift: 0, width: 24 });
        assert_eq!(field(1, 3, bits).get(&bytes), 0x00ff_fe00);
        assert!(field(1, 8, None).fits(9) && !field(2, 8, None).fits(9));
    }

    struct FakeMemory(Vec<u8>);

    impl KernelMemory for FakeMemory {
        fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault> {
            let start = usize::try_from(address).unwrap();
            let found = self.0.get(start..start + into.len()).ok_or(ReadFault::Nowhere)?;
            into.copy_from_slice(found);
            Ok(())
        }
    }

    #[test]
    fn long_arrays_come_in_parts() {
        let memory = FakeMemory((0..=u8::MAX).cycle().take(3 * CHUNK).collect());
        let mut seen = Vec::new();
        let count = (CHUNK / 24 * 2 + 5) as u64;
        in_chunks(&memory, 7, (count, 24), |first, part| seen.push((first, part.len()))).unwrap();
        let one = CHUNK / 24;
        assert_eq!(seen, [(0, one * 24), (one as u64, one * 24), (2 * one as u64, 5 * 24)]);
        let too_many = in_chunks(&memory, 0, (u64::MAX, 24), |_, _| {});
        assert_eq!(too_many, Err(ReadFault::Nowhere));
    }
}
