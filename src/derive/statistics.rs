//! Statistics: summaries of measurements, and whether two series differ by more than their noise.
//!
//! Two series are compared by Welch's t-test, which needs neither equal numbers of measurements nor equal
//! variances. Quantiles of t are computed from the incomplete beta function, to more digits than are shown.

use crate::model::worded_enum;

/// Confidence level of intervals.
const SURE: f64 = 0.95;
/// Smallest difference that gets a verdict, as a share of the first mean. Kernel developers report 3% of
/// throughput as a difference, and system times 0.4% apart as equal. Repetitions of a simulated case hardly vary:
/// without this, each rounding of the model would be a difference.
pub const LEAST_SHARE: f64 = 0.01;

/// Summary of repeated measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of measurements, at least one.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// Sample standard deviation; `None` for a single measurement.
    pub deviation: Option<f64>,
    /// Median.
    pub median: f64,
    /// Minimum.
    pub least: f64,
    /// Maximum.
    pub most: f64,
    /// Share of a value by which each can be off, because it was not measured exactly.
    pub accuracy: f64,
}

impl Summary {
    /// Summarizes these values; `None` without values, or if one is not finite.
    pub fn from_values(values: &[f64]) -> Option<Self> {
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
        let median = f64::midpoint(lower, upper);
        Some(Self { count, mean, deviation, median, least, most, accuracy: 0.0 })
    }

    /// The summary in a unit of this size.
    #[must_use]
    pub fn in_unit(&self, size: f64) -> Self {
        Self {
            count: self.count,
            mean: self.mean / size,
            deviation: self.deviation.map(|deviation| deviation / size),
            median: self.median / size,
            least: self.least / size,
            most: self.most / size,
            accuracy: self.accuracy,
        }
    }

    /// Returns the squared standard error of the mean; `None` for a single measurement.
    fn error_squared(&self) -> Option<f64> {
        self.deviation.map(|deviation| deviation.powi(2) / self.count as f64)
    }
}

/// A confidence interval of 95 percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    fn has(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Divides both ends by a unit.
    pub fn scaled_by(self, unit: f64) -> Self {
        let (a, b) = (self.low / unit, self.high / unit);
        Self { low: a.min(b), high: a.max(b) }
    }
}

worded_enum! {
    /// Result of a comparison.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DifferenceVerdict {
        /// The difference may be noise.
        NoDifferenceSeen = "no difference seen",
        /// The second mean is higher.
        Higher = "higher",
        /// The second mean is lower.
        Lower = "lower",
        /// The means differ by less than [`LEAST_SHARE`].
        TooSmall = "below 1%",
        /// Fewer than two measurements on one side: the noise is unknown.
        TooFew = "too few runs",
        /// The areas of a case were not used, so that they cannot be the reason of a difference.
        NotUsed = "not used",
    }
}

impl DifferenceVerdict {
    /// All results with their explanations.
    pub const MEANINGS: [(Self, &'static str); 6] = [
        (
            Self::NoDifferenceSeen,
            "The interval contains 0: equal cases differ by this much as well.",
        ),
        (Self::Higher, "The whole interval is above 0: the second mean is higher."),
        (Self::Lower, "The whole interval is below 0: the second mean is lower."),
        (
            Self::TooSmall,
            "The interval excludes 0, but the means differ by less than 1% of the first.",
        ),
        (Self::TooFew, "One case has fewer than two measurements: the noise is unknown."),
        (
            Self::NotUsed,
            "In experiments: no page was written to the areas of one of the two cases.",
        ),
    ];
}

/// Difference of the means of two series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanDifference {
    /// Second mean less first mean.
    pub by: f64,
    /// The confidence interval; `None` with too few measurements.
    pub interval: Option<Interval>,
    /// Difference as a share of the first mean; `None` if that mean is 0.
    pub share: Option<f64>,
    /// Confidence interval of the share, with the first mean taken as exact.
    pub share_interval: Option<Interval>,
    /// Result of the comparison.
    pub verdict: DifferenceVerdict,
}

impl MeanDifference {
    /// Compares the second series with the first.
    pub fn between(first: &Summary, second: &Summary) -> Self {
        let by = second.mean - first.mean;
        let interval = interval(first, second, by);
        let unit = Some(first.mean.abs()).filter(|mean| *mean > 0.0);
        let share = unit.map(|unit| by / unit);
        let verdict = match interval {
            None => DifferenceVerdict::TooFew,
            Some(interval) if interval.has(0.0) => DifferenceVerdict::NoDifferenceSeen,
            Some(_) if share.is_some_and(|it| it.abs() < LEAST_SHARE) => {
                DifferenceVerdict::TooSmall
            }
            Some(_) if by > 0.0 => DifferenceVerdict::Higher,
            Some(_) => DifferenceVerdict::Lower,
        };
        let share_interval = interval.zip(unit).map(|(interval, unit)| interval.scaled_by(unit));
        Self { by, interval, share, share_interval, verdict }
    }
}

/// Computes the confidence interval of the difference by Welch's t-test, and widens it by the accuracy of the
/// values: repetitions are off alike, so that it does not show in their variance.
fn interval(first: &Summary, second: &Summary, by: f64) -> Option<Interval> {
    let (a, b) = (first.error_squared()?, second.error_squared()?);
    let off = |it: &Summary| it.accuracy * it.mean.abs();
    let width = off(first).max(off(second)) + chance_width((a, first), (b, second));
    Some(Interval { low: by - width, high: by + width })
}

/// Half the width of the confidence interval, from squared standard errors.
fn chance_width((a, first): (f64, &Summary), (b, second): (f64, &Summary)) -> f64 {
    let error = (a + b).sqrt();
    if error <= 0.0 {
        // Neither side has any variance.
        return 0.0;
    }
    let freedom = |square: f64, count: usize| square.powi(2) / (count - 1) as f64;
    // Relative shares, so that squares of tiny errors do not vanish.
    let (a, b) = (a / (a + b), b / (a + b));
    let freedom = 1.0 / (freedom(a, first.count) + freedom(b, second.count));
    quantile(f64::midpoint(1.0, SURE), freedom) * error
}

/// Number of bisection steps, enough for the last digit.
const HALVINGS: u32 = 200;
/// Maximum number of terms of the continued fraction, more than it ever needs.
const MOST_TERMS: u32 = 500;
/// Relative change of a term at which the fraction has converged.
const EXACT: f64 = 1e-15;
/// Lower bound of divisors.
const TINY: f64 = 1e-300;
/// Maximum degrees of freedom: t then equals the normal distribution to all relevant digits, and larger
/// values would only lose precision.
const MOST_FREEDOM: f64 = 1e7;

/// Returns the quantile of t for this probability, from 0.5 to less than 1.
pub(super) fn quantile(chance: f64, freedom: f64) -> f64 {
    let freedom = freedom.min(MOST_FREEDOM);
    let (mut low, mut high) = (0.0, 1.0);
    while below(high, freedom) < chance && high < 1e12 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if below(middle, freedom) < chance { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Returns the probability that t is below a non-negative value.
fn below(value: f64, freedom: f64) -> f64 {
    let square = value * value;
    let tails =
        beta((freedom / (freedom + square), square / (freedom + square)), freedom / 2.0, 0.5);
    1.0 - tails / 2.0
}

/// Returns the regularized incomplete beta function of x; `rest` is 1 - x.
fn beta((x, rest): (f64, f64), a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    let log = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * rest.ln();
    let front = log.exp();
    // The fraction converges fast on one side only; the other side follows by symmetry.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(rest, b, a) / b
    }
}

/// Evaluates the continued fraction of the incomplete beta function by Lentz's method.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let kept = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut above = 1.0;
    let mut below = 1.0 / kept(1.0 - (a + b) * x / (a + 1.0));
    let mut result = below;
    for number in (1..=MOST_TERMS).map(f64::from) {
        let place = a + 2.0 * number;
        let even = number * (b - number) * x / ((place - 1.0) * place);
        let odd = -(a + number) * (a + b + number) * x / (place * (place + 1.0));
        let mut last = 1.0;
        for term in [even, odd] {
            below = 1.0 / kept(1.0 + term * below);
            above = kept(1.0 + term / above);
            last = above * below;
            result *= last;
        }
        if (last - 1.0).abs() < EXACT {
            break;
        }
    }
    result
}

/// Returns the logarithm of the gamma function of a positive number by Stirling's series.
fn log_gamma(number: f64) -> f64 {
    // The series is exact for large numbers: smaller ones are shifted up.
    let mut shifted = number;
    let mut product = 1.0;
    while shifted < 15.0 {
        product *= shifted;
        shifted += 1.0;
    }
    let inverse = 1.0 / shifted;
    let square = inverse * inverse;
    let series =
        inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0)));
    let half_log = 0.5 * (2.0 * std::f64::consts::PI).ln();
    (shifted - 0.5) * shifted.ln() - shifted + half_log + series - f64::ln(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(values: &[f64]) -> Summary {
        Summary::from_values(values).unwrap()
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
        assert_eq!(Summary::from_values(&[]), None);
        assert_eq!(Summary::from_values(&[1.0, f64::NAN]), None);
    }

    /// Computed by hand: t = 2.455 with 24.99 degrees of freedom, quantile 2.0596 in printed tables.
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
        let found = MeanDifference::between(&first, &second);
        is_near(found.by, 2.166_666_7);
        let interval = found.interval.unwrap();
        assert_eq!(found.verdict, DifferenceVerdict::Higher);
        assert!((interval.low - 0.3493).abs() < 1e-3, "{interval:?}");
        assert!((interval.high - 3.9841).abs() < 1e-3, "{interval:?}");
        let share = found.share_interval.unwrap();
        is_near(share.low * first.mean, interval.low);
        is_near(found.share.unwrap(), found.by / first.mean);
        assert_eq!(MeanDifference::between(&second, &first).verdict, DifferenceVerdict::Lower);
    }

    #[test]
    fn noise_is_no_difference() {
        let found = MeanDifference::between(&summary(&[10.0, 12.0, 11.0]), &summary(&[11.0, 13.0]));
        assert_eq!(found.verdict, DifferenceVerdict::NoDifferenceSeen);
        assert!(found.interval.unwrap().has(found.by));
    }

    #[test]
    fn a_single_measurement_proves_nothing() {
        let found = MeanDifference::between(&summary(&[10.0]), &summary(&[100.0, 101.0]));
        assert_eq!((found.verdict, found.interval), (DifferenceVerdict::TooFew, None));
        is_near(found.share.unwrap(), 9.05);
    }

    #[test]
    fn what_does_not_scatter_differs_or_does_not() {
        let (one, other) = (summary(&[1.0, 1.0]), summary(&[2.0, 2.0]));
        assert_eq!(MeanDifference::between(&one, &other).verdict, DifferenceVerdict::Higher);
        assert_eq!(
            MeanDifference::between(&one, &one).verdict,
            DifferenceVerdict::NoDifferenceSeen
        );
        let nothing = MeanDifference::between(&summary(&[0.0, 0.0]), &other);
        assert_eq!((nothing.share, nothing.share_interval), (None, None));
    }

    /// Repetitions of a simulated case can be identical, so that the interval has no width.
    #[test]
    fn a_difference_needs_a_least_size() {
        for (first, second, verdict) in [
            ([1000.0; 2], [1009.0; 2], "below 1%"),
            ([1000.0; 2], [991.0; 2], "below 1%"),
            ([1000.0; 2], [1010.0; 2], "higher"),
            ([1000.0; 2], [989.0; 2], "lower"),
            ([1000.0; 2], [1000.0; 2], "no difference seen"),
            ([995.0, 1005.0], [1004.0, 1014.0], "no difference seen"),
            ([-1000.0; 2], [-1009.0; 2], "below 1%"),
            ([0.0; 2], [0.001; 2], "higher"),
        ] {
            let found = MeanDifference::between(&summary(&first), &summary(&second));
            assert_eq!(found.verdict.word(), verdict, "{first:?} {second:?}");
        }
    }

    #[test]
    fn a_share_of_what_is_negative_keeps_its_direction() {
        let found = MeanDifference::between(&summary(&[-2.0, -2.0]), &summary(&[-1.0, -1.0]));
        assert_eq!((found.verdict, found.share), (DifferenceVerdict::Higher, Some(0.5)));
    }

    /// Values of printed tables, two-sided, for 95 and 99 percent.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, of_95, of_99) in [
            (1.0, 12.706_204_736, 63.656_741_163),
            (2.0, 4.302_652_730, 9.924_843_201),
            (3.0, 3.182_446_305, 5.840_909_310),
            (4.0, 2.776_445_105, 4.604_094_871),
            (5.0, 2.570_581_836, 4.032_142_984),
            (10.0, 2.228_138_852, 3.169_272_673),
            (30.0, 2.042_272_456, 2.749_995_654),
            (120.0, 1.979_930_405, 2.617_421_145),
            (f64::INFINITY, 1.959_963_985, 2.575_829_304),
        ] {
            let found = (quantile(0.975, freedom), quantile(0.995, freedom));
            assert!((found.0 - of_95).abs() < 1e-6, "{freedom}: {}, not {of_95}", found.0);
            assert!((found.1 - of_99).abs() < 1e-6, "{freedom}: {}, not {of_99}", found.1);
        }
    }

    #[test]
    fn freedom_between_whole_numbers_lies_between() {
        let middle = quantile(0.975, 4.5);
        assert!(middle < quantile(0.975, 4.0) && middle > quantile(0.975, 5.0), "{middle}");
    }

    #[test]
    fn gamma_of_whole_numbers_is_the_factorial() {
        assert!((log_gamma(5.0) - 24.0_f64.ln()).abs() < 1e-12);
        assert!((log_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-12);
        assert!(log_gamma(1.0).abs() < 1e-12);
    }
}
