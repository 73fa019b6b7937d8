use super::*;
use crate::root::testing::TestTree;

const PAGE: u64 = 4096;

fn painter(contents: &PageContents, seed: u64) -> Painter {
    Painter::new(contents, PAGE, seed).unwrap()
}

/// A page; its old contents must not remain.
fn page(painter: &Painter, number: u64) -> Vec<u8> {
    let mut bytes = vec![0xa5; 4096];
    painter.paint(number, &mut bytes);
    bytes
}

fn word(bytes: &[u8], place: usize) -> u64 {
    u64::from_ne_bytes(bytes[place * 8..][..8].try_into().unwrap())
}

#[test]
fn the_seed_and_the_number_decide_in_any_order() {
    for contents in [PageContents::Ratio(3.0), PageContents::Random, PageContents::Same] {
        let all = |seed| -> Vec<Vec<u8>> {
            (0..50).map(|number| page(&painter(&contents, seed), number)).collect()
        };
        let first = all(1);
        assert_eq!(first, all(1), "{contents}");
        assert_ne!(first, all(2), "{contents}");
        assert!(first.windows(2).any(|pair| pair[0] != pair[1]), "{contents}");
        let same = painter(&contents, 1);
        for number in (0..50).rev() {
            assert_eq!(page(&same, number), first[usize::try_from(number).unwrap()]);
        }
    }
}

#[test]
fn words_hold_their_numbers() {
    let bytes = page(&painter(&PageContents::Words, 1), 3);
    for place in 0..512 {
        assert_eq!(word(&bytes, place), 3 * 512 + place as u64);
    }
}

#[test]
fn same_filled_pages_are_not_zero() {
    assert!(page(&painter(&PageContents::Zero, 1), 7).iter().all(|byte| *byte == 0));
    let same = painter(&PageContents::Same, 1);
    for number in 0..2000 {
        let bytes = page(&same, number);
        assert!(bytes[0] != 0 && bytes.iter().all(|byte| *byte == bytes[0]));
    }
}

#[test]
fn noise_fills_the_whole_page() {
    let bytes = page(&painter(&PageContents::Random, 1), 0);
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    assert!(counts.iter().all(|count| (1..50).contains(count)), "{counts:?}");
}

#[test]
fn noise_and_zeroes_alternate() {
    for (ratio, noise) in [(1.0, 3872), (1.5, 2572), (2.0, 1922), (3.0, 1272), (20.0, 166)] {
        let bytes = page(&painter(&PageContents::Ratio(ratio), 9), 5);
        assert_ne!(word(&bytes, 0), 0, "the first word is not zero");
        let zeroes = 4096 - bytes.iter().filter(|byte| **byte != 0).count();
        // One in 256 bytes of noise is zero too.
        let wanted = 4096 - noise + noise / 256;
        assert!(zeroes.abs_diff(wanted) < 25, "{ratio}:1 has {zeroes} zeroes");
    }
    let places = pieces(2.0, PAGE).unwrap();
    assert_eq!(places.len(), 16);
    assert!(places.iter().all(|piece| (110..=128).contains(&piece.len()) && piece.start % 8 == 0));
    assert!(places.windows(2).all(|pair| pair[0].end < pair[1].start));
}

#[test]
fn a_high_ratio_is_not_a_single_value() {
    for ratio in [130.0, 1e6, f64::MAX] {
        let bytes = page(&painter(&PageContents::Ratio(ratio), 1), 1);
        assert_ne!(word(&bytes, 0), word(&bytes, 1));
        assert!(bytes[8..].iter().all(|byte| *byte == 0) || ratio < 1000.0);
    }
}

#[test]
fn invalid_ratios_are_refused() {
    for ratio in [0.0, 0.99, -3.0, f64::NAN, f64::INFINITY] {
        let error = Painter::new(&PageContents::Ratio(ratio), PAGE, 1).unwrap_err();
        assert!(error.contains(":1: not a valid ratio"), "{error}");
    }
}

#[test]
fn pages_of_other_sizes_are_filled_too() {
    for size in [0, 1, 8, 100, 16384, 65536] {
        for contents in [PageContents::Ratio(2.0), PageContents::Ratio(1e9), PageContents::Random] {
            let painter = Painter::new(&contents, size, 1).unwrap();
            let mut bytes = vec![0; usize::try_from(size).unwrap()];
            painter.paint(1, &mut bytes);
            assert_eq!(bytes.iter().any(|byte| *byte != 0), size > 0, "{contents}, {size}");
        }
    }
}

#[test]
fn a_file_is_repeated() {
    let bytes: Vec<u8> = (0..=250).collect();
    let painter = Painter::from_bytes(&bytes, PAGE, 1).unwrap();
    for number in [0, 1, 2, 1000] {
        let wanted = bytes.iter().cycle().skip(usize::try_from(number * PAGE % 251).unwrap());
        assert!(page(&painter, number).iter().eq(wanted.take(4096)), "page {number}");
    }
    let long: Vec<u8> = (0..10_000_u32).map(|number| number.to_le_bytes()[1]).collect();
    let painter = Painter::from_bytes(&long, PAGE, 1).unwrap();
    assert_eq!(page(&painter, 1), long[4096..8192]);
    assert!(Painter::from_bytes(&[], PAGE, 1).unwrap_err().contains("is empty"));
}

#[test]
fn a_file_is_read_within_bounds_or_refused_with_the_reason() {
    let tree = TestTree::new();
    tree.write("tmp/some", "some bytes");
    assert_eq!(read_start(&tree.root(), "/tmp/some", FILE_CAP).unwrap(), b"some bytes");
    tree.write("tmp/large", "x".repeat(FILE_CAP + 1));
    assert_eq!(read_start(&tree.root(), "/tmp/large", FILE_CAP).unwrap().len(), FILE_CAP);
    for (path, reason) in [("tmp/some", "begins with /"), ("/tmp/none", "name a file")] {
        let error = read_start(&tree.root(), path, FILE_CAP).unwrap_err();
        assert!(error.contains(reason) && error.contains(path), "{error}");
    }
    assert!(Painter::new(&PageContents::File("/none/here".to_owned()), PAGE, 1).is_err());
}
