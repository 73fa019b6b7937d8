//! Names with numbers in them, in the order of the numbers: `128kB` before `1024kB`.

/// What such names are sorted by.
pub fn key(name: &str) -> impl Ord + use<'_> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let pieces = name.as_bytes().chunk_by(move |one, next| is_digit(one) == is_digit(next));
    pieces.map(Piece::of).collect::<Vec<_>>()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'n> {
    Number(u64),
    Text(&'n [u8]),
}

impl<'n> Piece<'n> {
    fn of(bytes: &'n [u8]) -> Self {
        if !bytes.iter().all(u8::is_ascii_digit) {
            return Self::Text(bytes);
        }
        let digits = bytes.iter().map(|byte| u64::from(byte - b'0'));
        let number =
            digits.fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(digit));
        Self::Number(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_such() {
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_by_key(|name| key(name));
            names
        };
        let sizes = vec!["thp.64kB.enabled", "thp.128kB.enabled", "thp.1024kB.enabled"];
        assert_eq!(sorted(sizes.iter().rev().copied().collect()), sizes);
        let names = vec!["", "2", "10", "a", "a2", "a2b", "a10", "page-cluster", "thp.enabled"];
        assert_eq!(sorted(names.iter().rev().copied().collect()), names);
        let huge = "9".repeat(40);
        assert!(key("1") < key(&huge));
    }
}
