//! Swap tiers: named ranges of priorities, and the tiers that a cgroup may use.
//!
//! Kernel: patches under review, in no release yet (`mm/swap_tier.c`). `/sys/kernel/mm/swap/tiers` has one
//! line for each tier: name, index, lowest and highest priority. The file `memory.swap.tiers.max` of a cgroup
//! has `max` or `0` behind the name of each tier; the effective choice is also limited by its ancestors.

use super::scan;
use crate::model::Reading;
use crate::model::kernel::SwapTier;
use crate::root::{Root, parsed};
use std::path::Path;

/// The file with all tiers.
pub(super) const FILE: &str = "sys/kernel/mm/swap/tiers";

/// Reads all tiers.
pub(super) fn read(root: &Root) -> Reading<Vec<SwapTier>> {
    if !root.exists(FILE) {
        return Reading::absent("this kernel has no swap tiers");
    }
    let is_heading = |line: &&[u8]| scan::fields(line).nth(1).is_some_and(|it| it == b"Idx");
    let tiers = |bytes: &[u8]| {
        scan::lines(bytes).filter(|line| !is_heading(line)).map(parse_tier).collect()
    };
    let wanted = "name, index and two priorities of each tier";
    root.read(FILE).and_then(|bytes| parsed(FILE, wanted, &bytes, tiers))
}

/// Parses a line such as `fast 0 10 32767`.
fn parse_tier(line: &[u8]) -> Option<SwapTier> {
    let mut fields = scan::fields(line).map(|field| std::str::from_utf8(field).ok());
    let name = fields.next()??.to_owned();
    fields.next()??.parse::<u32>().ok()?;
    let mut priority = || fields.next()??.parse().ok();
    let (lowest, highest) = (priority()?, priority()?);
    (lowest <= highest).then_some(SwapTier { name, lowest, highest })
}

/// Reads the tiers that the file of a cgroup allows.
pub(super) fn allowed(root: &Root, path: &Path) -> Reading<Vec<String>> {
    let choices = |bytes: &[u8]| scan::lines(bytes).map(parse_choice).collect();
    let choices: Reading<Vec<(String, bool)>> =
        root.read(path).and_then(|bytes| parsed(path, "max or 0 for each tier", &bytes, choices));
    choices.map(|choices| {
        let allowed = choices.into_iter().filter(|(_, is_allowed)| *is_allowed);
        allowed.map(|(name, _)| name).collect()
    })
}

/// Parses a line such as `fast max` or `fast 0`.
fn parse_choice(line: &[u8]) -> Option<(String, bool)> {
    let mut fields = scan::fields(line);
    let name = std::str::from_utf8(fields.next()?).ok()?;
    match fields.next()? {
        b"max" => Some((name.to_owned(), true)),
        b"0" => Some((name.to_owned(), false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::{TestTree, mangled};

    const FULL: &str = "Name Idx PrioStart PrioEnd\nfast 0 100 32767\nslow 1 -1 99\n";

    fn tiers(text: &[u8]) -> Reading<Vec<SwapTier>> {
        read(&TestTree::with(&[(FILE, text)]).root())
    }

    fn tier(name: &str, lowest: i32, highest: i32) -> SwapTier {
        SwapTier { name: name.to_owned(), lowest, highest }
    }

    #[test]
    fn tiers_are_read_with_and_without_a_heading() {
        let both = Reading::Known(vec![tier("fast", 100, 32767), tier("slow", -1, 99)]);
        assert_eq!(tiers(FULL.as_bytes()), both);
        assert_eq!(tiers(b"fast 0 100 32767\nslow\t1\t-1\t99"), both);
        assert_eq!(tiers(b"fast 0 5 5"), Reading::Known(vec![tier("fast", 5, 5)]));
        assert_eq!(tiers(b""), Reading::Known(vec![]));
        for bad in
            ["fast", "fast 0 100", "fast x 1 2", "fast 0 9 1", "fast 0 1 many", "\u{ff} \u{ff}"]
        {
            assert_eq!(tiers(bad.as_bytes()).missing().unwrap().kind(), "failed", "{bad}");
        }
        mangled(FULL.as_bytes(), 300, |bytes| drop(tiers(bytes)));
    }

    #[test]
    fn a_kernel_without_tiers_says_so() {
        let missing = read(&TestTree::new().root()).missing().cloned().unwrap();
        assert_eq!((missing.kind(), &*missing.why()), ("absent", "this kernel has no swap tiers"));
    }

    #[test]
    fn a_cgroup_allows_the_tiers_with_max() {
        let of =
            |text: &str| allowed(&TestTree::with(&[("sys/t", text)]).root(), Path::new("sys/t"));
        assert_eq!(of("fast max\nslow 0\n"), Reading::Known(vec!["fast".to_owned()]));
        assert_eq!(of("fast 0\nslow 0\n"), Reading::Known(vec![]));
        for bad in ["fast", "fast 1", "fast maximum", "max"] {
            assert_eq!(of(bad).missing().unwrap().kind(), "failed", "{bad}");
        }
    }
}
