//! Where the names that are asked for stand among all of them.

use super::bytes::Bytes;
use std::ffi::CStr;
use std::ops::Range;

/// Bytes that are looked through at a time.
const PIECE: usize = 16 << 10;

/// Places of one name that are kept: the kernel's file has each name once.
const MOST: usize = 8;

/// Where each of these begins, counted from so many bytes before the first: names are passed over once, a
/// piece at a time. One that is longer than a piece is none of them.
pub(super) fn places(
    bytes: &Bytes,
    names: Range<usize>,
    wanted: &[&str],
    before: usize,
) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new(); wanted.len()];
    let mut buffer = vec![0; PIECE.min(names.len())];
    let mut at = names.start;
    let mut inside = false;
    while at < names.end {
        let len = buffer.len().min(names.end - at);
        let Some(piece) = buffer.get_mut(..len) else { break };
        if bytes.fill(at, piece).is_none() {
            break;
        }
        let mut passed = 0;
        while let Some(name) = piece.get(passed..).and_then(first) {
            if !std::mem::take(&mut inside) {
                note(&mut found, wanted, name, before.saturating_add(at + passed - names.start));
            }
            passed += name.len() + 1;
        }
        // The next piece begins with the name that this one cuts, unless it has no other.
        inside |= passed == 0;
        at += if passed == 0 { len } else { passed };
    }
    found
}

fn first(names: &[u8]) -> Option<&[u8]> {
    CStr::from_bytes_until_nul(names).ok().map(CStr::to_bytes)
}

fn note(found: &mut [Vec<u32>], wanted: &[&str], name: &[u8], at: usize) {
    let place = wanted.iter().position(|wanted| wanted.as_bytes() == name);
    let kept = place.and_then(|place| found.get_mut(place)).filter(|kept| kept.len() < MOST);
    if let Some(kept) = kept {
        kept.extend(u32::try_from(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[u8], wanted: &[&str]) -> Vec<Vec<u32>> {
        let all = [&b"head"[..], names].concat();
        let range = 4..all.len();
        places(&Bytes::new(Box::new(all.clone()), all.len()), range, wanted, 0)
    }

    #[test]
    fn names_are_found_where_they_begin() {
        let found = of(b"\0one\0three\0ree\0two\0one\0cut", &["two", "one", "ree", "cut", "no"]);
        assert_eq!(found, [vec![15], vec![1, 19], vec![11], vec![], vec![]]);
    }

    #[test]
    fn where_pieces_end_changes_nothing() {
        for before in PIECE - 6..PIECE + 2 {
            let names = [&vec![b'x'; before][..], b"\0name\0x\0"].concat();
            let at = u32::try_from(before + 1).unwrap();
            assert_eq!(of(&names, &["name", "x"]), [[at], [at + 5]], "{before}");
        }
        // The end of a long name is no name.
        let names = [&vec![b'x'; PIECE][..], b"name\0"].concat();
        assert!(of(&names, &["name"])[0].is_empty());
        assert_eq!(of(&b"name\0".repeat(99), &["name"])[0].len(), MOST);
    }
}
