//! How long all runs take yet: the one that runs now, and those that follow.

use std::collections::BTreeSet;

/// Runs one after the other, of which some are over.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// Which case each run is of.
    order: Vec<usize>,
    /// Those that are over, in that order.
    over: Vec<Took>,
}

/// A run that is over.
#[derive(Clone, Copy, Debug)]
pub struct Took {
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Did it come to its end? What was stopped says nothing of how long others take.
    pub is_done: bool,
}

impl Outlook {
    /// Before the first run of these cases.
    pub const fn of(order: Vec<usize>) -> Self {
        Self { order, over: Vec::new() }
    }

    /// Another one is over.
    pub fn add(&mut self, took: Took) {
        self.over.push(took);
    }

    /// How long those took that are over, in seconds.
    pub fn taken(&self) -> f64 {
        self.over.iter().map(|took| took.seconds).sum()
    }

    /// How long all of them take yet, in seconds. The one that runs has taken so many and takes so
    /// many more, where that is known. None as long as nothing says so.
    pub fn left(&self, elapsed: f64, rest: Option<f64>) -> Option<f64> {
        let (now, later) = self.order.get(self.over.len()..)?.split_first()?;
        if !self.is_told() {
            return None;
        }
        // What should be over and is not takes nobody knows how long.
        let usual = |case| self.usual(case).map(|all| all - elapsed).filter(|left| *left >= 0.0);
        let rest = rest.or_else(|| usual(*now))?;
        let each = |case: &usize| self.usual(*case).unwrap_or(elapsed + rest);
        Some(rest + later.iter().map(each).sum::<f64>())
    }

    /// Were half of the cases begun? Cases may take unlike times: the first ones say nothing of the
    /// others.
    fn is_told(&self) -> bool {
        let cases = |order: &[usize]| order.iter().copied().collect::<BTreeSet<_>>().len();
        let begun = self.order.get(..=self.over.len()).map_or(0, cases);
        2 * begun >= cases(&self.order)
    }

    /// How long a run of a case takes, by those of the same case, or else by all that came to their
    /// end.
    fn usual(&self, case: usize) -> Option<f64> {
        let done = self.order.iter().zip(&self.over).filter(|(_, took)| took.is_done);
        let alike = done.clone().filter(|(of, _)| **of == case);
        mean(alike.map(|(_, took)| took.seconds))
            .or_else(|| mean(done.map(|(_, took)| took.seconds)))
    }
}

fn mean(seconds: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = seconds.clone().count();
    (count > 0).then(|| seconds.sum::<f64>() / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(order: &[usize], took: &[f64]) -> Outlook {
        let mut outlook = Outlook::of(order.to_vec());
        for seconds in took {
            outlook.add(Took { seconds: *seconds, is_done: true });
        }
        outlook
    }

    #[test]
    fn nothing_is_told_as_long_as_nothing_is_known() {
        assert_eq!(after(&[0, 0, 0], &[]).left(5.0, None), None);
        assert_eq!(after(&[0], &[]).left(5.0, Some(3.0)), Some(3.0), "that is all");
    }

    #[test]
    fn those_that_follow_take_as_long_as_the_first_one() {
        assert_eq!(after(&[0, 0, 0], &[]).left(5.0, Some(3.0)), Some(3.0 + 8.0 + 8.0));
        assert_eq!(after(&[0, 0, 0], &[10.0]).left(4.0, Some(3.0)), Some(3.0 + 10.0));
        assert_eq!(after(&[0, 0, 0], &[10.0]).left(4.0, None), Some(6.0 + 10.0));
        assert_eq!(after(&[0, 0], &[10.0]).left(10.0, None), Some(0.0));
        assert_eq!(after(&[0, 0], &[10.0]).left(14.0, None), None, "it should be over");
    }

    #[test]
    fn a_run_takes_as_long_as_others_of_its_case() {
        let quick_and_slow = [0, 1, 1, 0, 2];
        let outlook = after(&quick_and_slow, &[2.0, 20.0]);
        assert_eq!(
            outlook.left(5.0, None),
            Some(15.0 + 2.0 + 11.0),
            "of the last nothing is known"
        );
        assert!((outlook.taken() - 22.0).abs() < 1e-9);
    }

    #[test]
    fn what_was_stopped_says_nothing_of_others() {
        let mut outlook = after(&[0, 0, 1, 0], &[10.0]);
        outlook.add(Took { seconds: 2.0, is_done: false });
        assert_eq!(outlook.left(4.0, None), Some(6.0 + 10.0));
        assert!((outlook.taken() - 12.0).abs() < 1e-9, "but it took its time");
        let mut outlook = after(&[0, 0], &[]);
        outlook.add(Took { seconds: 2.0, is_done: false });
        assert_eq!(outlook.left(1.0, None), None);
    }

    #[test]
    fn the_first_cases_say_nothing_of_many_others() {
        let order = [3, 0, 1, 2, 4, 3];
        assert_eq!(after(&order, &[]).left(1.0, Some(1.0)), None, "one of five");
        assert_eq!(after(&order, &[2.0]).left(1.0, Some(1.0)), None, "two of five");
        assert_eq!(after(&order, &[2.0, 2.0]).left(1.0, Some(1.0)), Some(7.0));
    }

    #[test]
    fn all_are_over_at_last() {
        assert_eq!(after(&[0], &[2.0]).left(0.0, None), None);
    }
}
