//! What several measurements say together, and whether two such series differ by more than their
//! noise.
//!
//! Two series are compared by Welch's t: it takes neither the same number of measurements nor the
//! same spread on both sides. Quantiles of t are computed from the incomplete beta function, to
//! more digits than anybody shows.

mod student;

/// How sure an interval is.
const SURE: f64 = 0.95;

/// What some measurements of one thing come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many there are; no less than one.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// How far they scatter: the sample standard deviation; none of a single one.
    pub deviation: Option<f64>,
    /// The one in the middle.
    pub median: f64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Summary {
    /// Of these; none without any, or where one is no number.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let count = values.len();
        let mut sorted = values.to_owned();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        let upper = *sorted.get(count / 2)?;
        let lower = *sorted.get((count - 1) / 2)?;
        Some(Self { count, mean, deviation, median: f64::midpoint(lower, upper), least, most })
    }

    /// The square of how far the mean itself is off; none of a single measurement.
    fn error_squared(&self) -> Option<f64> {
        self.deviation.map(|deviation| deviation.powi(2) / self.count as f64)
    }
}

/// From where to where something lies, with a certainty of 95 percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// No less.
    pub low: f64,
    /// No more.
    pub high: f64,
}

impl Interval {
    fn has(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The same in other units.
    pub fn over(self, unit: f64) -> Self {
        let (a, b) = (self.low / unit, self.high / unit);
        Self { low: a.min(b), high: a.max(b) }
    }
}

/// What a comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference can well be noise.
    NoDifferenceSeen,
    /// The second is higher.
    Higher,
    /// The second is lower.
    Lower,
    /// Fewer than two measurements on a side: how much is noise is not known.
    TooFew,
}

impl Verdict {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoDifferenceSeen => "no difference seen",
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::TooFew => "too few runs",
        }
    }

    /// Each of them, with what it means.
    pub const ALL: [(Self, &'static str); 4] = [
        (
            Self::NoDifferenceSeen,
            "The interval holds 0: such a difference is seen between runs of the same as well.",
        ),
        (Self::Higher, "All of the interval is above 0: the second is higher."),
        (Self::Lower, "All of the interval is below 0: the second is lower."),
        (
            Self::TooFew,
            "One of the two was measured fewer than two times: how much is noise is not known.",
        ),
    ];
}

/// By how much the second of two series differs from the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The second mean less the first.
    pub by: f64,
    /// Where that lies; none with too few measurements.
    pub interval: Option<Interval>,
    /// The same as a share of the first mean; none where that is 0.
    pub share: Option<f64>,
    /// Where the share lies, the first mean taken as exact.
    pub share_interval: Option<Interval>,
    /// What that says.
    pub verdict: Verdict,
}

impl Difference {
    /// Between the first and the second.
    pub fn between(first: &Summary, second: &Summary) -> Self {
        let by = second.mean - first.mean;
        let interval = interval(first, second, by);
        let unit = Some(first.mean.abs()).filter(|mean| *mean > 0.0);
        let verdict = match interval {
            None => Verdict::TooFew,
            Some(interval) if interval.has(0.0) => Verdict::NoDifferenceSeen,
            Some(_) if by > 0.0 => Verdict::Higher,
            Some(_) => Verdict::Lower,
        };
        let share = unit.map(|unit| by / unit);
        let share_interval = interval.zip(unit).map(|(interval, unit)| interval.over(unit));
        Self { by, interval, share, share_interval, verdict }
    }
}

/// Where the difference lies, by Welch.
fn interval(first: &Summary, second: &Summary, by: f64) -> Option<Interval> {
    let (a, b) = (first.error_squared()?, second.error_squared()?);
    let error = (a + b).sqrt();
    if error <= 0.0 {
        // Neither side scatters at all.
        return Some(Interval { low: by, high: by });
    }
    let freedom = |square: f64, count: usize| square.powi(2) / (count - 1) as f64;
    // The shares of the whole, so that squares of tiny errors do not vanish.
    let (a, b) = (a / (a + b), b / (a + b));
    let freedom = 1.0 / (freedom(a, first.count) + freedom(b, second.count));
    let width = student::quantile(f64::midpoint(1.0, SURE), freedom) * error;
    Some(Interval { low: by - width, high: by + width })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(values: &[f64]) -> Summary {
        Summary::of(values).unwrap()
    }

    fn is_near(value: f64, wanted: f64) {
        assert!((value - wanted).abs() <= 1e-4 * wanted.abs().max(1e-3), "{value}, not {wanted}");
    }

    #[test]
    fn mean_deviation_and_median() {
        let of = summary(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((of.count, of.least, of.most), (8, 2.0, 9.0));
        is_near(of.mean, 5.0);
        is_near(of.deviation.unwrap(), (32.0_f64 / 7.0).sqrt());
        is_near(of.median, 4.5);
        is_near(summary(&[3.0, 1.0, 2.0]).median, 2.0);
    }

    #[test]
    fn one_has_no_deviation_and_none_no_mean() {
        assert_eq!(summary(&[5.0]).deviation, None);
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
    }

    /// Worked out by hand: t = 2.455 with 24.99 degrees of freedom, of which the table has 2.0596.
    #[test]
    fn a_known_pair_of_series_by_welch() {
        let first = [
            27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7,
            21.4,
        ];
        let second = [
            27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5,
            24.4,
        ];
        let (first, second) = (summary(&first), summary(&second));
        let found = Difference::between(&first, &second);
        is_near(found.by, 2.166_666_7);
        let interval = found.interval.unwrap();
        assert_eq!(found.verdict, Verdict::Higher);
        assert!((interval.low - 0.3493).abs() < 1e-3, "{interval:?}");
        assert!((interval.high - 3.9841).abs() < 1e-3, "{interval:?}");
        let share = found.share_interval.unwrap();
        is_near(share.low * first.mean, interval.low);
        is_near(found.share.unwrap(), found.by / first.mean);
        assert_eq!(Difference::between(&second, &first).verdict, Verdict::Lower);
    }

    #[test]
    fn noise_is_no_difference() {
        let found = Difference::between(&summary(&[10.0, 12.0, 11.0]), &summary(&[11.0, 13.0]));
        assert_eq!(found.verdict, Verdict::NoDifferenceSeen);
        assert!(found.interval.unwrap().has(found.by));
    }

    #[test]
    fn a_single_measurement_proves_nothing() {
        let found = Difference::between(&summary(&[10.0]), &summary(&[100.0, 101.0]));
        assert_eq!((found.verdict, found.interval), (Verdict::TooFew, None));
        is_near(found.share.unwrap(), 9.05);
    }

    #[test]
    fn what_does_not_scatter_differs_or_does_not() {
        let (one, other) = (summary(&[1.0, 1.0]), summary(&[2.0, 2.0]));
        assert_eq!(Difference::between(&one, &other).verdict, Verdict::Higher);
        assert_eq!(Difference::between(&one, &one).verdict, Verdict::NoDifferenceSeen);
        let nothing = Difference::between(&summary(&[0.0, 0.0]), &other);
        assert_eq!((nothing.share, nothing.share_interval), (None, None));
    }

    #[test]
    fn a_share_of_what_is_negative_keeps_its_direction() {
        let found = Difference::between(&summary(&[-2.0, -2.0]), &summary(&[-1.0, -1.0]));
        assert_eq!((found.verdict, found.share), (Verdict::Higher, Some(0.5)));
    }
}
