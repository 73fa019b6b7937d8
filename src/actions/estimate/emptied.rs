//! What emptying areas took in the end, beside what was said of it before.

use crate::columns::units;
use std::time::Duration;

/// How long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emptied {
    /// All areas of the plan that held something, one after the other.
    pub took: Duration,
    /// What had been expected, where anything was.
    pub expected: Option<Duration>,
}

impl Emptied {
    /// After a plan; nothing where none of its areas held anything.
    pub fn after(took: Duration) -> Option<Self> {
        (took > Duration::ZERO).then_some(Self { took, expected: None })
    }

    /// The same, beside what a forecast had said.
    pub fn beside(self, expected: Option<f64>) -> Self {
        let expected = expected.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Self { expected, ..self }
    }

    /// In a sentence.
    pub fn words(self) -> String {
        let time = |duration: Duration| units::seconds(duration.as_secs_f64());
        let took = time(self.took);
        match self.expected {
            Some(expected) => format!("Emptying took {took}, and {} was expected.", time(expected)),
            None => format!("Emptying took {took}; nothing had told how long it would."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_expected_stands_beside_what_it_took() {
        assert_eq!(Emptied::after(Duration::ZERO), None, "nothing was emptied");
        let emptied = Emptied::after(Duration::from_millis(1500)).unwrap();
        let words = emptied.beside(Some(2.0)).words();
        assert_eq!(words, "Emptying took 1.5s, and 2s was expected.");
        for unknown in [None, Some(f64::NAN), Some(-1.0)] {
            let words = emptied.beside(unknown).words();
            assert_eq!(words, "Emptying took 1.5s; nothing had told how long it would.");
        }
    }
}
