//! Members and sizes of types, and values of enumerations.

use super::{Head, Type, TypeKind, Types, raw};

/// Limit of typedefs and qualifiers inside each other.
const DEEPEST: u32 = 32;
/// Limit of members visited for one query: the largest structure of a kernel has some hundreds.
const MOST: u32 = 200_000;
/// The size of a pointer.
const POINTER: u64 = size_of::<usize>() as u64;

/// Position of a member in its structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeMember {
    /// Offset in bytes.
    pub at: u64,
    /// Size in bytes; for a bit field, of the bytes that contain it.
    pub size: u64,
    /// Number of elements of an array.
    pub length: Option<u32>,
    /// The bits of a bit field; none for a plain member.
    pub bits: Option<Bits>,
}

/// A bit field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Number of bits below it, in the byte order of this machine.
    pub shift: u32,
    /// Number of bits.
    pub width: u32,
}

/// A member as in the file.
#[derive(Clone, Copy, Debug)]
struct RawMember {
    /// Offset in bits.
    bit: u64,
    /// Width in bits; 0 for a plain member.
    width: u32,
    /// Number of its type.
    number: u32,
}

impl Type<'_> {
    /// Size in bytes.
    pub fn size(&self) -> Option<u64> {
        self.types.size_of(self.head, DEEPEST)
    }

    /// Finds a member, also inside an anonymous structure. A path such as `list.prio` enters named members
    /// and the first element of an array.
    pub fn member(&self, path: &str) -> Option<TypeMember> {
        let mut left = MOST;
        let mut holder = self.head;
        let mut before = 0_u64;
        let mut steps = path.split('.').peekable();
        while let Some(step) = steps.next() {
            let found = self.types.member_of(holder, step, DEEPEST, &mut left)?;
            before = before.checked_add(found.bit)?;
            if steps.peek().is_none() {
                return self.types.place(RawMember { bit: before, ..found });
            }
            holder = self.types.element(found.number)?;
        }
        None
    }

    /// The value of a constant of this enumeration.
    pub fn value(&self, name: &str) -> Option<i64> {
        let (types, head) = (self.types, self.head);
        let wide = head.kind == raw::ENUM64;
        if !TypeKind::Enum.is(head.kind) {
            return None;
        }
        let size = if wide { 12 } else { 8 };
        let place = |nth: u32| head.rest.checked_add(usize::try_from(nth).ok()?.checked_mul(size)?);
        let named = |at: &usize| {
            types.bytes.word(*at).is_some_and(|constant| types.is_named(constant, name))
        };
        let at = (0..head.count).map_while(place).find(named)?;
        let low = types.bytes.word(at + 4)?;
        if wide {
            let high = types.bytes.word(at + 8)?;
            return Some((u64::from(high) << 32 | u64::from(low)).cast_signed());
        }
        Some(if head.flag { i64::from(low.cast_signed()) } else { i64::from(low) })
    }
}

impl Types {
    /// Finds a member of this name here or in an anonymous part, up to this depth.
    fn member_of(&self, holder: Head, name: &str, depth: u32, left: &mut u32) -> Option<RawMember> {
        let deeper = depth.checked_sub(1)?;
        if name.is_empty() || !matches!(holder.kind, raw::STRUCT | raw::UNION) {
            return None;
        }
        for nth in 0..holder.count {
            *left = left.checked_sub(1)?;
            let (text, found) = self.nth(holder, nth)?;
            if self.is_named(text, name) {
                return Some(found);
            }
            if self.is_named(text, "") {
                let part = self.without_modifiers(found.number);
                let inner = part.and_then(|part| self.member_of(part, name, deeper, left));
                if let Some(inner) = inner {
                    return Some(RawMember { bit: found.bit.checked_add(inner.bit)?, ..inner });
                }
            }
        }
        None
    }

    fn nth(&self, holder: Head, nth: u32) -> Option<(u32, RawMember)> {
        let at = holder.rest.checked_add(usize::try_from(nth).ok()?.checked_mul(12)?)?;
        let place = self.bytes.word(at + 8)?;
        let (bit, width) =
            if holder.flag { (place & 0x00ff_ffff, place >> 24) } else { (place, 0) };
        let number = self.bytes.word(at + 4)?;
        Some((self.bytes.word(at)?, RawMember { bit: bit.into(), width, number }))
    }

    fn place(&self, found: RawMember) -> Option<TypeMember> {
        if found.width > 0 {
            return bits(found);
        }
        let head = self.without_modifiers(found.number)?;
        let length = (head.kind == raw::ARRAY).then(|| self.bytes.word(head.rest + 8)).flatten();
        Some(TypeMember {
            at: found.bit / 8,
            size: self.size_of(head, DEEPEST)?,
            length,
            bits: None,
        })
    }

    /// The type behind typedefs, `const` and other qualifiers.
    fn without_modifiers(&self, number: u32) -> Option<Head> {
        let mut head = self.head(number)?;
        for _ in 0..DEEPEST {
            if !stands_for_another(head.kind) {
                return Some(head);
            }
            head = self.head(head.last)?;
        }
        None
    }

    /// The type behind typedefs and qualifiers; for an array, the type of its elements.
    fn element(&self, number: u32) -> Option<Head> {
        let mut head = self.without_modifiers(number)?;
        for _ in 0..DEEPEST {
            if head.kind != raw::ARRAY {
                return Some(head);
            }
            head = self.without_modifiers(self.bytes.word(head.rest)?)?;
        }
        None
    }

    fn size_of(&self, head: Head, left: u32) -> Option<u64> {
        let left = left.checked_sub(1)?;
        match head.kind {
            raw::INT | raw::STRUCT | raw::UNION | raw::ENUM | raw::ENUM64 | raw::FLOAT => {
                Some(head.last.into())
            }
            raw::PTR => Some(POINTER),
            raw::ARRAY => {
                let element = self.without_modifiers(self.bytes.word(head.rest)?)?;
                let length = self.bytes.word(head.rest + 8)?;
                self.size_of(element, left)?.checked_mul(length.into())
            }
            kind if stands_for_another(kind) => self.size_of(self.head(head.last)?, left),
            _ => None,
        }
    }
}

fn stands_for_another(kind: u32) -> bool {
    matches!(
        kind,
        raw::TYPEDEF | raw::VOLATILE | raw::CONST | raw::RESTRICT | raw::TYPE_TAG | raw::VAR
    )
}

/// The bytes that contain a bit field.
fn bits(found: RawMember) -> Option<TypeMember> {
    let at = found.bit / 8;
    let below = u32::try_from(found.bit % 8).ok()?;
    let size = u64::from((below + found.width).div_ceil(8));
    let all = u32::try_from(size * 8).ok()?;
    let shift = if cfg!(target_endian = "big") { all - below - found.width } else { below };
    Some(TypeMember { at, size, length: None, bits: Some(Bits { shift, width: found.width }) })
}
