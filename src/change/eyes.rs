//! The machine as steps see it.

use crate::actions::Look;
use crate::clock::Clock;
use crate::model::disk::{self, Disk};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Name, Reading};
use crate::probes;
use crate::root::Root;
use std::time::Duration;

/// How often, and how long in between, a device is asked that does not answer.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(50);

/// Reads what it is asked for, each time anew.
#[derive(Clone, Copy, Debug)]
pub struct Eyes<'a> {
    root: &'a Root,
}

impl<'a> Eyes<'a> {
    /// Of the machine behind this root.
    #[must_use]
    pub fn of(root: &'a Root) -> Self {
        Self { root }
    }
}

impl Look for Eyes<'_> {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        probes::swaps::read(self.root)
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        let path = file.as_path();
        let text = self.root.line(path.strip_prefix("/").unwrap_or(path));
        text.map(|text| chosen(&text).unwrap_or(&text).to_owned())
    }

    fn disk(&self, number: u64) -> Reading<Option<Disk>> {
        // On a busy machine an answer may be late; a plan can wait where a screen cannot.
        for _ in 0..TRIES {
            match probes::zram::disk(self.root, number) {
                Reading::Missing { missing: Missing::Failed(_) } => Clock::Real.sleep(PAUSE),
                Reading::Missing { missing } => return missing.into(),
                Reading::Known(disk) => return Reading::Known(disk),
            }
        }
        probes::zram::disk(self.root, number)
    }

    fn has_node(&self, number: u64) -> bool {
        let facts = self.root.facts(disk::node(number).as_path());
        let led_to = facts.known().and_then(|facts| facts.block_device);
        let text = self.root.line(format!("sys/block/zram{number}/dev"));
        led_to.is_some_and(|(major, minor)| {
            text.known().is_some_and(|is| *is == format!("{major}:{minor}"))
        })
    }

    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>> {
        self.root.read_part(path.as_path(), at, length)
    }
}

/// The one that stands in brackets.
fn chosen(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('[')?;
    rest.split_once(']').map(|(chosen, _)| chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::Tree;

    #[test]
    fn of_a_choice_what_is_chosen_counts() {
        let tree = Tree::with(&[("sys/x", "lzo [zstd] lz4\n"), ("proc/y", "60\n")]);
        let eyes = tree.root();
        let is = |file: &str| Eyes::of(&eyes).setting(&file.into());
        assert_eq!(is("/sys/x"), Reading::Known("zstd".to_owned()));
        assert_eq!(is("/proc/y"), Reading::Known("60".to_owned()));
        assert!(is("/sys/z").missing().is_some());
    }
}
