//! How the emptying of areas rested.

use crate::columns::units;
use crate::model::Stamp;
use serde::Serialize;

/// How often, and how long in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Rests {
    count: u32,
    seconds: f64,
    /// Since when it rests, if it does.
    #[serde(skip)]
    since: Option<Stamp>,
}

impl Rests {
    /// It rests now, or it does not.
    pub(super) fn see(&mut self, rests: bool, now: Stamp) {
        match (rests, self.since) {
            (true, None) => {
                self.count += 1;
                self.since = Some(now);
            }
            (false, Some(since)) => {
                self.seconds = units::rounded(self.seconds + now.seconds_since(since));
                self.since = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    /// All of it, when the change is over; nothing if it never rested.
    pub(super) fn ended(mut self, now: Stamp) -> Option<Self> {
        self.see(false, now);
        (self.count > 0).then_some(self)
    }

    pub(super) fn words(&self) -> String {
        let Self { count, seconds, .. } = self;
        let times = if *count == 1 { "once" } else { &format!("{count} times") };
        let seconds = units::seconds(*seconds);
        format!("  rested {times}, for {seconds} in all, while tasks waited for memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_are_counted_until_the_end() {
        let at = |seconds: u64| Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 };
        let mut rests = Rests::default();
        assert_eq!(rests.ended(at(0)), None);
        for (second, resting) in [(1, true), (2, true), (4, false), (5, false), (6, true)] {
            rests.see(resting, at(second));
        }
        let once = Rests { count: 1, ..Rests::default() }.words();
        assert!(once.starts_with("  rested once, for 0"), "{once}");
        let words = rests.ended(at(10)).unwrap().words();
        assert_eq!(words, "  rested 2 times, for 7s in all, while tasks waited for memory");
    }
}
