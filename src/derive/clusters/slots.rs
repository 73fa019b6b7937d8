//! Words and signs for what is on a slot.

use crate::model::clusters::{Slot, State, Stored};

/// What the signs of [`sign`] mean.
pub const LEGEND: &str = ". free, 1 to 9 how often it is used, + more often, u used, z zeroes, c in the swap cache too, x not usable; of zram: s same, w written back, h huge, i idle";

/// What is on it.
#[must_use]
pub fn state(slot: &Slot) -> &'static str {
    match slot.state {
        State::Free => "free",
        State::Used => "used",
        State::Cached => "cached",
        State::Bad => "not usable",
        State::Unknown => "unknown",
    }
}

/// One sign for all of it: what is rarest comes first.
#[must_use]
pub fn sign(slot: &Slot) -> char {
    match slot.state {
        State::Free => '.',
        State::Bad => 'x',
        State::Unknown => '?',
        State::Cached => 'c',
        State::Used if slot.zero == Some(true) => 'z',
        State::Used => slot.stored.as_ref().map_or_else(|| used(slot), mark),
    }
}

/// Views from outside do not count; where the kernel counts and there is none, it has no room for it.
fn used(slot: &Slot) -> char {
    match slot.count {
        Some(count @ 1..=9) => char::from(b'0' + count),
        Some(_) => '+',
        None => 'u',
    }
}

fn mark(stored: &Stored) -> char {
    let marks = [(stored.written, 'w'), (stored.huge, 'h'), (stored.same, 's'), (stored.idle, 'i')];
    marks.iter().find(|(has, _)| *has > 0).map_or('u', |(_, sign)| *sign)
}
