//! Bytes of a file as text that can be turned back into the same bytes.
//!
//! Each byte that is no UTF-8, such as those of a Latin-1 comment, stands as one character of a
//! private range. Characters of that range that a file really has are taken for such bytes too, so
//! that nothing is ambiguous.

/// Stands for the byte 0; only bytes from 0x80 on can be no UTF-8.
const FIRST: u32 = 0x10_fe00;

/// The text for these bytes.
pub fn text_of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte(c) {
                Some(_) => text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(stand_in)),
                None => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().copied().map(stand_in));
    }
    text
}

/// The bytes that such a text stands for.
pub fn bytes_of_text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes
}

fn stand_in(byte: u8) -> char {
    char::from_u32(FIRST + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte that this character stands for.
fn byte(c: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(c).checked_sub(FIRST)?).ok()?;
    (byte >= 0x80).then_some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_back() {
        let private = "\u{10fe80}\u{10feff}".as_bytes();
        let every: Vec<u8> = (0..=255).collect();
        let latin = b"# f\xfcr Gro\xdfe \xe2\x82\n";
        for bytes in [&every[..], private, latin, "\u{20ac}\u{1f600}".as_bytes(), b""] {
            assert_eq!(bytes_of_text(&text_of_bytes(bytes)), bytes);
        }
        assert_eq!(text_of_bytes("gr\u{fc}n".as_bytes()), "gr\u{fc}n");
        assert_eq!(text_of_bytes(latin).lines().count(), 1);
    }
}
