//! Random changes of seeds, for runs without libFuzzer. The same number gives the same inputs.

/// Words at which parsers tend to go wrong.
const WORDS: [&[u8]; 24] = [
    b"0",
    b"-1",
    b"+5",
    b"4294967296",
    b"9223372036854775808",
    b"18446744073709551615",
    b"18446744073709551616",
    b"1e999",
    b"0.1",
    b"%",
    b"\n",
    b" ",
    b"\t",
    b"=",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b".",
    b"\0",
    b"\xff",
    "\u{e4}".as_bytes(),
    "\u{202e}".as_bytes(),
];
const MOST_CHANGES: usize = 6;

/// Makes inputs from seeds.
pub struct Mutator {
    state: u64,
}

impl Mutator {
    pub fn new(number: u64) -> Self {
        Self { state: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    /// A random number below this one; 0 if that is 0.
    fn below(&mut self, most: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 11).unwrap_or(0).checked_rem(most).unwrap_or(0)
    }

    /// The next input of at most this length.
    pub fn input(&mut self, seeds: &[Vec<u8>], longest: usize) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(MOST_CHANGES) {
            self.change(&mut bytes, seeds);
        }
        bytes.truncate(longest);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(bytes.len() + 1);
        let end = at + self.below((bytes.len() - at).min(32) + 1);
        match self.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 if at < bytes.len() => bytes[at] = u8::try_from(self.below(256)).unwrap_or(0),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            4 => {
                let other = &seeds[self.below(seeds.len())];
                let from = self.below(other.len() + 1);
                let to = from + self.below((other.len() - from).min(64) + 1);
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            5 => bytes.truncate(at),
            6 => self.change_number(bytes, at),
            _ => {
                let word = WORDS[self.below(WORDS.len())];
                bytes.splice(at..end.min(at + 4), word.iter().copied());
            }
        }
    }

    /// Replaces the next digits by another number.
    fn change_number(&mut self, bytes: &mut Vec<u8>, at: usize) {
        let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit) else { return };
        let from = at + from;
        let digits = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let word = WORDS[self.below(8)];
        bytes.splice(from..from + digits, word.iter().copied());
    }
}
