//! A logarithmic axis of times in microseconds.

use crate::columns::units;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// A range of whole powers of ten.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Decades {
    from: i32,
    to: i32,
}

/// Up to this many decades there is room for lines between them.
const FEW: i32 = 3;

impl Decades {
    /// The decades that cover this range.
    pub(in super::super) fn around(least: f64, most: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "it is within what a number can be")]
        let whole = |decade: f64| decade as i32;
        // A picosecond is less than any clock shows.
        let from = whole(least.max(1e-6).log10().floor());
        let to = whole(most.max(1e-6).log10().ceil());
        Self { from, to: to.max(from + 1) }
    }

    /// Positions of the grid lines.
    pub(in super::super) fn lines(self) -> Vec<f64> {
        let between: &[f64] = if self.to - self.from <= FEW { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decade = |at: i32| between.iter().map(move |times| times * 10_f64.powi(at));
        (self.from..self.to).flat_map(decade).chain([10_f64.powi(self.to)]).collect()
    }

    /// Label of a grid line.
    pub(in super::super) fn word(micros: f64) -> String {
        if micros < 0.9995 {
            format!("{}ns", units::short(micros * 1e3))
        } else {
            units::seconds(micros / 1e6)
        }
    }

    fn share(self, micros: f64) -> f64 {
        let decades = micros.max(1e-6).log10() - f64::from(self.from);
        (decades / f64::from(self.to - self.from)).clamp(0.0, 1.0)
    }
}

impl Ranged for Decades {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, micros: &f64, (from, to): (i32, i32)) -> i32 {
        #[expect(clippy::cast_possible_truncation, reason = "it is no further than the drawing")]
        let along = (self.share(*micros) * f64::from(to - from)).round() as i32;
        from + along
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.lines() }
    }

    fn range(&self) -> Range<f64> {
        10_f64.powi(self.from)..10_f64.powi(self.to)
    }
}
