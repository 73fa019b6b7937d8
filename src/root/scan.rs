//! Parsers for numbers, switches, lines and escapes in bytes.

/// Parses a decimal number; `None` if it is empty, too large or has other characters.
pub fn parse_u64(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() {
        return None;
    }
    bytes.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// Parses a hexadecimal number; `None` if it is empty, too large or has other characters.
pub fn parse_hex(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() {
        return None;
    }
    bytes.iter().try_fold(0_u64, |number, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        Some(number.checked_mul(16)? | u64::from(digit))
    })
}

/// Parses a switch in any spelling of the kernel: `1`, `0`, `Y`, `N`, `true`, `false`, `on` or `off`.
pub fn parse_switch(bytes: &[u8]) -> Option<bool> {
    match bytes {
        b"1" | b"Y" | b"y" | b"true" | b"on" => Some(true),
        b"0" | b"N" | b"n" | b"false" | b"off" => Some(false),
        _ => None,
    }
}

/// The fields of a line, split at spaces and tabs only, since names may hold any other byte.
pub(crate) fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|field| !field.is_empty())
}

/// The lines of a file, without empty ones.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

/// Decodes escapes: `decode` gets the text after a backslash, and returns the byte and the rest of the text if
/// it is one.
pub(crate) fn unescape(text: &[u8], decode: impl Fn(&[u8]) -> Option<(u8, &[u8])>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = if byte == b'\\' { decode(tail) } else { None };
        let (byte, tail) = escaped.unwrap_or((byte, tail));
        bytes.push(byte);
        rest = tail;
    }
    bytes
}

/// Decodes the `\xNN` that udev and the kernel log write.
pub(crate) fn hex_escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let [b'x', high, low, tail @ ..] = text else { return None };
    Some((u8::try_from(parse_hex(&[*high, *low])?).ok()?, tail))
}

/// Decodes the `\NNN` that tables of the kernel have for blanks and backslashes.
pub(crate) fn octal_escape(text: &[u8]) -> Option<(u8, &[u8])> {
    match text {
        [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', tail @ ..] => {
            Some((((a - b'0') << 6) | ((b - b'0') << 3) | (c - b'0'), tail))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_that_fit() {
        assert_eq!(parse_u64(b"18446744073709551615"), Some(u64::MAX));
        for bad in [&b""[..], b"18446744073709551616", b"-1", b"1 ", b"0x1", b"1k"] {
            assert_eq!(parse_u64(bad), None, "{bad:?}");
        }
        assert_eq!(parse_hex(b"ffffFFFF00000000"), Some(u64::MAX << 32));
        for bad in [&b""[..], b"10000000000000000", b"-1", b"1 ", b"0x1", b"g"] {
            assert_eq!(parse_hex(bad), None, "{bad:?}");
        }
    }
}
