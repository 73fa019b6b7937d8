//! Parsers for numbers and switches in bytes.

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
