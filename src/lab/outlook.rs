//! How long all runs take yet: the one that runs now, and those that follow.

/// Runs one after the other, of which some are over.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// Which case each run is of.
    order: Vec<usize>,
    /// How long those took that are over, in seconds.
    took: Vec<f64>,
}

impl Outlook {
    /// Before the first run of these cases.
    #[must_use]
    pub const fn of(order: Vec<usize>) -> Self {
        Self { order, took: Vec::new() }
    }

    /// Another one is over, and took so many seconds.
    pub fn add(&mut self, seconds: f64) {
        self.took.push(seconds);
    }

    /// How long those took that are over, in seconds.
    #[must_use]
    pub fn taken(&self) -> f64 {
        self.took.iter().sum()
    }

    /// How long all of them take yet, in seconds. The one that runs has taken so many and takes so
    /// many more, where that is known. None as long as nothing says so.
    #[must_use]
    pub fn left(&self, elapsed: f64, rest: Option<f64>) -> Option<f64> {
        let (now, later) = self.order.get(self.took.len()..)?.split_first()?;
        let usual = |case| self.usual(case).map(|seconds| (seconds - elapsed).max(0.0));
        let rest = rest.or_else(|| usual(*now))?;
        let each = |case: &usize| self.usual(*case).unwrap_or(elapsed + rest);
        Some(rest + later.iter().map(each).sum::<f64>())
    }

    /// How long a run of a case takes, by those of the same case, or else by all that are over.
    fn usual(&self, case: usize) -> Option<f64> {
        let alike = self.order.iter().zip(&self.took).filter(|(of, _)| **of == case);
        mean(alike.map(|(_, took)| *took)).or_else(|| mean(self.took.iter().copied()))
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
            outlook.add(*seconds);
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
        assert_eq!(after(&[0, 0], &[10.0]).left(14.0, None), Some(0.0), "it should be over");
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
    fn all_are_over_at_last() {
        assert_eq!(after(&[0], &[2.0]).left(0.0, None), None);
    }
}
