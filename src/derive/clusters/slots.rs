//! Words and signs for what is on a slot.

use crate::model::clusters::{Count, Slot, State, Stored, View};

/// What the signs of [`sign`] mean in a view.
pub const fn legend(view: View) -> &'static str {
    match view {
        View::Kernel => {
            ". free, 1 to 9 how often it is used, + more often, u used, z zeroes, c in the swap cache too, x not usable"
        }
        View::Stored => {
            ". nothing seen, u used, x not usable, s same, w written back, h huge, i idle"
        }
        View::Mapped => ". nothing seen, u used, x not usable",
    }
}

/// What is on it.
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
pub fn sign(slot: &Slot) -> char {
    match slot.state {
        State::Free => '.',
        State::Bad => 'x',
        State::Unknown => '?',
        State::Cached => 'c',
        State::Used if slot.zero == Some(true) => 'z',
        State::Used => slot.stored.as_ref().map_or_else(|| used(slot.count), mark),
    }
}

/// Views from outside do not count.
fn used(count: Option<Count>) -> char {
    match count {
        None => 'u',
        Some(Count::Exactly(count @ 1..=9)) => char::from(b'0' + count),
        Some(Count::Exactly(_) | Count::MoreThan(_)) => '+',
    }
}

fn mark(stored: &Stored) -> char {
    let marks = [(stored.written, 'w'), (stored.huge, 'h'), (stored.same, 's'), (stored.idle, 'i')];
    marks.iter().find(|(has, _)| *has > 0).map_or('u', |(_, sign)| *sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_has_one_sign() {
        let of = |state, count: Option<u8>, zero| {
            let count = count.map(Count::Exactly);
            sign(&Slot { state, count, zero, ..Slot::default() })
        };
        let signs = [
            of(State::Free, None, None),
            of(State::Bad, None, None),
            of(State::Unknown, None, None),
            of(State::Cached, Some(1), Some(true)),
            of(State::Used, Some(2), Some(true)),
            of(State::Used, Some(9), Some(false)),
            of(State::Used, Some(10), Some(false)),
            of(State::Used, None, None),
        ];
        assert_eq!(signs.iter().collect::<String>(), ".x?cz9+u");
        let count = Some(Count::MoreThan(62));
        assert_eq!(sign(&Slot { state: State::Used, count, ..Slot::default() }), '+');
        let stored =
            |stored| sign(&Slot { state: State::Used, stored: Some(stored), ..Slot::default() });
        let huge = Stored { huge: 1, idle: 1, ..Stored::default() };
        assert_eq!(stored(huge), 'h');
        assert_eq!(stored(Stored { written: 1, ..huge }), 'w');
        assert_eq!(stored(Stored { huge: 0, ..huge }), 'i');
        assert_eq!(stored(Stored::default()), 'u');
    }
}
