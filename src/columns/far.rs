//! How far a load is, in words: said alike on the line of a command and by the interface.

use super::units::{seconds, size};
use crate::model::Bytes;
use crate::model::swaparea::SwapArea;

/// How far a load is.
#[derive(Clone, Debug, PartialEq)]
pub struct Far {
    /// Which repetition, from 1 on.
    pub repetition: u32,
    /// Of how many.
    pub of: u32,
    /// For how long the repetition has run, in seconds.
    pub elapsed: f64,
    /// For how long all of it has run, those before this one too, in seconds.
    pub taken: f64,
    /// What is done, in a word or two.
    pub phase: &'static str,
    /// How much of that is done, from 0 to 1; none where nobody knows.
    pub share: Option<f64>,
    /// How long all of it takes yet, those after this one too, in seconds; none where nobody knows.
    pub left: Option<f64>,
    /// How many processes have done all of it.
    pub through: usize,
    /// How many there are.
    pub processes: usize,
}

/// What a number may lack of the one that it stands for.
const TINY: f64 = 1e-9;

impl Far {
    /// How much is done: of the work, where that is known, and of the processes elsewhere.
    pub fn part(&self) -> String {
        match self.share {
            // What is not yet done is not all of it; but 0.29 is a little less than 29 of 100.
            Some(share) => format!("{:.0}%", (share * 100.0 + TINY).floor()),
            None => format!("{}/{}", self.through, self.processes),
        }
    }

    /// All of it on one line, with what is used of areas and the memory of the cage.
    pub fn words(&self, areas: &[SwapArea], memory: Option<Bytes>) -> String {
        self.pieces(areas, memory).join("  ")
    }

    /// The pieces of that line: what matters most comes first.
    pub fn pieces(&self, areas: &[SwapArea], memory: Option<Bytes>) -> Vec<String> {
        let mut words = Vec::new();
        if self.of > 1 {
            words.push(format!("{}/{}", self.repetition, self.of));
        }
        words.push(format!("{} {}", self.phase, self.part()));
        let left = self.left.map(|left| format!(", about {} left", seconds(left.ceil())));
        words.push(seconds(self.taken.floor()) + &left.unwrap_or_default());
        let used = areas.iter().filter_map(|area| area.used.known().copied()).sum();
        words.push(format!("swap {}", size(used)));
        words.extend(memory.map(|memory| format!("cage {}", size(memory))));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;

    fn far(share: Option<f64>, left: Option<f64>) -> Far {
        let (phase, through, processes) = ("touching", 1, 4);
        let (elapsed, taken) = (10.0, 15.9);
        Far { repetition: 1, of: 1, elapsed, taken, phase, share, left, through, processes }
    }

    #[test]
    fn how_far_it_is_stands_on_one_line() {
        let areas = [area("a", 1, 100 << 20, 6 << 20), area("b", 1, 100 << 20, 2 << 20)];
        let words = |far: Far| far.words(&areas, Some(Bytes(48 << 20)));
        let known = words(far(Some(0.4), Some(17.2)));
        assert_eq!(known, "touching 40%  15s, about 18s left  swap 8M  cage 48M");
        let unknown = words(Far { repetition: 2, of: 3, ..far(None, None) });
        assert_eq!(unknown, "2/3  touching 1/4  15s  swap 8M  cage 48M");
        assert_eq!(far(Some(0.999), None).words(&[], None), "touching 99%  15s  swap 0B");
    }

    #[test]
    fn so_many_of_100_are_so_many_percent() {
        for number in 0..=100_u32 {
            let share = Some(f64::from(number) / 100.0);
            assert_eq!(far(share, None).part(), format!("{number}%"));
        }
        assert_eq!(far(Some(0.999_999), None).part(), "99%");
    }
}
