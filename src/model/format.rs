//! The swap header, its UUID, and the bytes that it overwrites. Only this module knows the header layout.
//!
//! Kernel: `union swap_header` of `include/linux/swap.h`, the same in all versions.

use super::name::Name;
use super::units::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::fmt::Write as _;

/// Page sizes of supported machines.
pub const PAGES: [usize; 5] = [4096, 8192, 16384, 32768, 65536];
/// Magic bytes at the end of the first page.
pub const SWAP_MAGIC: &[u8] = b"SWAPSPACE2";
/// Offset of the version; the bytes before it are for a boot loader.
pub const VERSION: usize = 1024;
/// Offset of the number of the last page.
pub const LAST_PAGE: usize = 1028;
/// Offset of the number of bad pages.
pub const BAD_PAGES: usize = 1032;
/// Offset of the UUID (16 bytes).
pub const UUID: usize = 1036;
/// Offset of the label (16 bytes), after the UUID.
pub const LABEL: usize = 1052;
/// Length of the UUID and of the label.
pub const FIELD: usize = 16;
/// Minimum number of pages of an area, as in mkswap.
pub const MIN_PAGES: u64 = 10;

/// Contents of a swap header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// Page size.
    pub page_size: u64,
    /// Number of pages, including the header.
    pub pages: u32,
    /// The UUID.
    pub uuid: Option<Uuid>,
    /// The label.
    pub label: Option<Name>,
}

/// Number of pages of an area of this size, including the header. Fails if they are too few.
pub fn pages(size: Bytes, page_size: u64) -> Result<u64, String> {
    let pages = size.0 / page_size;
    if pages >= MIN_PAGES {
        return Ok(pages);
    }
    let least = MIN_PAGES * page_size / 1024;
    Err(format!(
        "{} bytes are too small for swap: use at least {MIN_PAGES} pages ({least} KiB)",
        size.0
    ))
}

impl Format {
    /// The header for an area of this size. Space beyond what the header can count stays unused. Fails if the
    /// area is too small or the label is not valid.
    pub fn new(
        size: Bytes,
        page_size: u64,
        uuid: Uuid,
        label: Option<Name>,
    ) -> Result<Self, String> {
        if !PAGES.iter().any(|known| *known as u64 == page_size) {
            return Err(format!(
                "page size {page_size} is not valid: use a power of two from {} to {}",
                PAGES[0], PAGES[4]
            ));
        }
        let pages = pages(size, page_size)?;
        if let Some(label) = &label {
            check_label(label)?;
        }
        let pages = u32::try_from(pages).unwrap_or(u32::MAX);
        Ok(Self { page_size, pages, uuid: Some(uuid), label })
    }

    /// Size of the area according to the header.
    pub fn size(&self) -> Bytes {
        Bytes(u64::from(self.pages).saturating_mul(self.page_size))
    }

    /// Space of a device of this size that stays unused because the header cannot count that many pages.
    pub fn unused_part(&self, size: Bytes) -> Option<Bytes> {
        let left = size.saturating_sub(self.size());
        (self.pages == u32::MAX && left.0 >= self.page_size).then_some(left)
    }

    /// Contents of the first page.
    pub fn page(&self) -> Vec<u8> {
        let length = usize::try_from(self.page_size).unwrap_or(0).clamp(PAGES[0], PAGES[4]);
        let mut page = vec![0; length];
        let mut put = |at: usize, bytes: &[u8]| {
            for (place, byte) in page.iter_mut().skip(at).zip(bytes) {
                *place = *byte;
            }
        };
        put(VERSION, &1_u32.to_ne_bytes());
        put(LAST_PAGE, &self.pages.saturating_sub(1).to_ne_bytes());
        if let Some(uuid) = &self.uuid {
            put(UUID, uuid.as_bytes());
        }
        if let Some(label) = &self.label {
            put(LABEL, label.as_bytes().get(..FIELD).unwrap_or(label.as_bytes()));
        }
        put(length - SWAP_MAGIC.len(), SWAP_MAGIC);
        page
    }

    /// Whether a first page contains this header, in either byte order; the kernel accepts both. The bytes
    /// for a boot loader are ignored.
    pub fn matches_page(&self, page: &[u8]) -> bool {
        let own = self.page();
        let same = |from: usize, to: usize| page.get(from..to) == own.get(from..to);
        let turned = own.get(VERSION..BAD_PAGES).map(|numbers| {
            let number = |number: &[u8]| number.iter().rev().copied().collect::<Vec<_>>();
            numbers.chunks(4).flat_map(number).collect::<Vec<_>>()
        });
        page.len() >= own.len()
            && (same(VERSION, BAD_PAGES) || page.get(VERSION..BAD_PAGES) == turned.as_deref())
            && same(UUID, LABEL + FIELD)
            && same(own.len() - SWAP_MAGIC.len(), own.len())
    }

    /// Patch that restores a first page of zeros.
    pub fn patch_over_zeros(&self) -> Vec<Patch> {
        vec![Patch { at: 0, bytes: vec![0; self.page().len()] }]
    }
}

/// Properties of a swap file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapFileSpec {
    /// Size.
    pub size: Bytes,
    /// Swap header.
    pub format: Format,
    /// Whether copy-on-write has to be disabled, as on btrfs.
    pub nocow: bool,
}

/// Checks a label. The error says why it is not valid.
pub fn check_label(label: &Name) -> Result<(), String> {
    let most = FIELD - 1;
    if label.as_bytes().is_empty() || label.as_bytes().contains(&0) {
        return Err(format!("the label is not valid: use 1 to {most} bytes without NUL"));
    }
    if label.as_bytes().len() > most {
        return Err(format!(
            "label \"{}\" has {} bytes: use at most {most}",
            label.safe(),
            label.as_bytes().len()
        ));
    }
    Ok(())
}

/// A UUID: 16 bytes, not all zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Uuid([u8; 16]);

impl Uuid {
    /// Creates a UUID from its bytes; `None` if all are zero.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: [u8; 16] = bytes.try_into().ok()?;
        bytes.iter().any(|byte| *byte != 0).then_some(Self(bytes))
    }

    /// Parses a UUID. The error shows the expected form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('-').collect();
        let formed = parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
            && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = u128::from_str_radix(&parts.concat(), 16).ok().filter(|_| formed);
        let uuid = number.and_then(|number| Self::from_bytes(&number.to_be_bytes()));
        uuid.ok_or_else(|| {
            format!(
                "UUID \"{text}\" is not valid: use the form 5a9c0f3e-7b1d-4e62-8f40-00000000c0de, not all zeros"
            )
        })
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, byte) in self.0.iter().enumerate() {
            let dash = if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(f, "{dash}{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Uuid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Uuid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// Saved bytes of a disk, with their offset, so that they can be restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// Offset.
    pub at: u64,
    /// The bytes. In the journal they are hex digits, with runs of zeros as a count in brackets.
    #[serde(serialize_with = "write", deserialize_with = "read")]
    pub bytes: Vec<u8>,
}

impl Patch {
    /// A patch of zeros at the same place.
    pub fn cleared(&self) -> Self {
        Self { at: self.at, bytes: vec![0; self.bytes.len()] }
    }

    /// Whether all bytes are zero.
    pub fn is_clear(&self) -> bool {
        self.bytes.iter().all(|byte| *byte == 0)
    }
}

/// Shortest run of zeros that is written as a count.
const MIN_ZERO_RUN: usize = 4;
/// Most bytes of a patch; a larger one is not valid.
const MAX_PATCH_BYTES: usize = 1 << 20;

fn text(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|byte| *byte == first).count();
        if *first == 0 && run >= MIN_ZERO_RUN {
            let _ = write!(text, "[{run}]");
            rest = rest.get(run..).unwrap_or_default();
        } else {
            let _ = write!(text, "{first:02x}");
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    text
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(run) = rest.strip_prefix('[') {
            let (run, after) = run.split_once(']')?;
            let end = bytes.len().checked_add(run.parse().ok()?)?;
            if end > MAX_PATCH_BYTES {
                return None;
            }
            bytes.resize(end, 0);
            rest = after;
        } else {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        }
    }
    Some(bytes)
}

fn write<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(bytes))
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    bytes(&text).ok_or_else(|| serde::de::Error::custom("the saved bytes are not valid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uuid() -> Uuid {
        Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap()
    }

    #[test]
    fn the_page_is_as_mkswap_writes_it() {
        let format = Format::new(Bytes(1 << 20), 4096, uuid(), Some("data".into())).unwrap();
        let page = format.page();
        assert_eq!((page.len(), format.size()), (4096, Bytes(1 << 20)));
        assert!(page[..1024].iter().all(|byte| *byte == 0));
        assert_eq!(page[1024..1032], [1_u32.to_ne_bytes(), 255_u32.to_ne_bytes()].concat());
        assert_eq!(page[1036..1040], [0x5a, 0x9c, 0x0f, 0x3e]);
        assert_eq!(page[1052..1068], *b"data\0\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!(page[4086..], *b"SWAPSPACE2");
        let used = [1024..1032, 1036..1056, 4086..4096];
        let rest = page.iter().enumerate().filter(|(at, _)| !used.iter().any(|r| r.contains(at)));
        assert!(rest.into_iter().all(|(_, byte)| *byte == 0));
    }

    #[test]
    fn a_header_matches_despite_a_boot_loader_before_it() {
        let format = Format::new(Bytes(1 << 20), 65536, uuid(), None).unwrap();
        let mut page = format.page();
        assert!(format.matches_page(&page));
        page[0] = 1;
        assert!(format.matches_page(&page) && !format.matches_page(&page[..4096]));
        for at in [LAST_PAGE, UUID, LABEL, 65530] {
            let mut other = page.clone();
            other[at] ^= 1;
            assert!(!format.matches_page(&other), "{at}");
        }
    }

    #[test]
    fn a_header_of_the_other_byte_order_matches() {
        let format = Format::new(Bytes(1 << 20), 4096, uuid(), None).unwrap();
        let mut page = format.page();
        page[VERSION..BAD_PAGES].copy_from_slice(
            &[1_u32.swap_bytes().to_ne_bytes(), 255_u32.swap_bytes().to_ne_bytes()].concat(),
        );
        assert!(format.matches_page(&page));
        page[LAST_PAGE] ^= 1;
        assert!(!format.matches_page(&page));
    }

    #[test]
    fn pages_beyond_the_header_limit_are_reported() {
        let most = u64::from(u32::MAX) * 4096;
        let beyond = |size| {
            let format = Format::new(Bytes(size), 4096, uuid(), None).unwrap();
            format.unused_part(Bytes(size)).map(|bytes| bytes.0)
        };
        assert_eq!(
            [most - 1, most, most + 4095, most + 4096].map(beyond),
            [None, None, None, Some(4096)]
        );
    }

    #[test]
    fn invalid_areas_are_refused() {
        let new = |size, page, label: Option<&str>| {
            Format::new(Bytes(size), page, uuid(), label.map(Name::from))
        };
        assert!(new(40_959, 4096, None).unwrap_err().contains("at least 10 pages"));
        assert_eq!(new(40_960, 4096, None).unwrap().pages, 10);
        for page in [0, 1000, 2048, 12_288, 131_072] {
            let refused = new(1 << 20, page, None).unwrap_err();
            assert!(refused.contains(&page.to_string()) && refused.contains("4096 to 65536"));
        }
        assert!(new(1 << 20, 4096, Some("123456789012345")).is_ok());
        for bad in ["1234567890123456", ""] {
            assert!(new(1 << 20, 4096, Some(bad)).unwrap_err().contains("15"), "{bad}");
        }
        assert_eq!(new(u64::MAX, 4096, None).unwrap().pages, u32::MAX);
    }

    #[test]
    fn a_uuid_is_read_as_it_is_shown() {
        let text = "5a9c0f3e-7b1d-4e62-8f40-00000000c0de";
        let uuid = Uuid::parse(&text.to_uppercase()).unwrap();
        assert_eq!((uuid.to_string().as_str(), uuid.as_bytes()[0]), (text, 0x5a));
        for wrong in [
            "",
            "x",
            "5a9c0f3e7b1d4e628f4000000000c0de",
            "5a9c0f3e-7b1d-4e62-8f40-00000000c0dg",
            "+a9c0f3e-7b1d-4e62-8f40-00000000c0de",
            "00000000-0000-0000-0000-000000000000",
        ] {
            assert!(Uuid::parse(wrong).unwrap_err().contains(wrong), "{wrong}");
        }
    }

    #[test]
    fn bytes_come_back_as_they_were_and_zeros_cost_nothing() {
        let mut page = vec![0; 4096];
        page[1024] = 1;
        page[1030..1034].copy_from_slice(&[0xff, 0, 0, 7]);
        assert_eq!(text(&page), "[1024]01[5]ff000007[3062]");
        assert_eq!(bytes(&text(&page)), Some(page));
        let every: Vec<u8> = (0..=255).collect();
        assert_eq!(bytes(&text(&every)), Some(every));
        assert_eq!(bytes(&text(&[])), Some(Vec::new()));
    }

    #[test]
    fn malformed_patch_text_is_refused() {
        for wrong in [
            "0",
            "xx",
            "[",
            "[9",
            "[-1]",
            "[99999999999]",
            "[x]",
            "\u{e4}1",
            "00[18446744073709551615]",
        ] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}
