//! Student's t: which value is exceeded with which chance.

/// Halving so often finds a value to the last digit.
const HALVINGS: u32 = 200;
/// More than the continued fraction ever needs.
const MOST_TERMS: u32 = 500;
/// When terms change nothing any more.
const EXACT: f64 = 1e-15;
/// Keeps a divisor from being nothing.
const TINY: f64 = 1e-300;
/// Of so many degrees of freedom, t is the normal distribution to all digits that count; with
/// more, the fraction would only lose some.
const MOST_FREEDOM: f64 = 1e7;

/// The value that t stays below with this chance, from one half up to less than 1.
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

/// The chance that t is below a value that is not negative.
fn below(value: f64, freedom: f64) -> f64 {
    let square = value * value;
    let tails =
        beta((freedom / (freedom + square), square / (freedom + square)), freedom / 2.0, 0.5);
    1.0 - tails / 2.0
}

/// The regularized incomplete beta function of a number and what it lacks to 1.
fn beta((x, rest): (f64, f64), a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    let log = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * rest.ln();
    let front = log.exp();
    // The fraction converges fast on one side only; the other follows by symmetry.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(rest, b, a) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz.
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

/// The logarithm of the gamma function of a number above 0, by the series of Stirling.
fn log_gamma(number: f64) -> f64 {
    // The series is exact for large numbers: smaller ones are led back to those.
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

    /// As printed tables have them, for 95 and for 99 percent on both sides.
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
