//! Charts: values over time with their scale, drawn in as many rows as there is room for.

use super::appearance::Appearance;
use super::events::EventKind;
use super::glyphs::level;
use super::theme::Role;
use crate::columns::{Unit, Value, text, units};
use std::time::Duration;

/// Values over time: one or more series, stacked from the bottom, each with one value for each step.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The series, lowest first, each with its oldest value first.
    pub series: Vec<ChartSeries>,
    /// The value at the top.
    pub scale: Scale,
    /// The unit of the values.
    pub unit: Unit,
    /// The time of one step; zero if unknown.
    pub step: Duration,
    /// Events, each with its age in steps.
    pub marks: Vec<(usize, EventKind)>,
    /// The step under the cursor, by its age.
    pub cursor: Option<usize>,
    /// Why there is no value, if so: shown in place of the values.
    pub missing: Option<String>,
}

/// A series of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartSeries {
    /// The values, oldest first; none where nothing was measured.
    pub values: Vec<Option<f64>>,
    /// The color.
    pub role: Role,
}

impl ChartSeries {
    /// The values less those of a part that they include, so that they can be stacked on that part.
    pub fn beyond(self, part: &[Option<f64>]) -> Self {
        let beyond = |(whole, part): (Option<f64>, &Option<f64>)| {
            whole.map(|whole| (whole - part.unwrap_or(0.0)).max(0.0))
        };
        Self { values: self.values.into_iter().zip(part).map(beyond).collect(), ..self }
    }
}

/// The value at the top of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// This value, such as the size of an area.
    UpTo(f64),
    /// A round number above all values, but not less than the smallest that is worth a picture.
    Round,
}

impl Scale {
    /// The scale up to a value, if it is known.
    pub fn up_to(top: Option<f64>) -> Self {
        top.map_or(Self::Round, Self::UpTo)
    }
}

/// The part of a chart that a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartPart {
    /// The whole chart in one line, followed by its scale.
    Line,
    /// One row: its number from the top, from 0, and the number of all rows.
    Row(usize, usize),
    /// The time below the rows, with events and the largest value.
    Time,
}

/// Width of the scale behind a chart of one line, with the blank before it.
const SCALE: usize = 9;
/// Width of the scale beside the rows, without the line between them.
const LABEL: usize = 6;
/// Minimum width of a chart of either form: its scale, and five cells.
pub const MIN_WIDTH: usize = 5 + SCALE;
/// Width from which the largest value is shown below a chart.
const MAXIMUM: usize = 34;

/// Words with the role of each part, from left to right.
pub type DrawnLine = Vec<(String, Role)>;
/// The values of each series on top of those below it, oldest first.
type Sums = [Vec<Option<f64>>];

impl Chart {
    /// A chart of one series.
    pub fn new(series: ChartSeries, scale: Scale, unit: Unit, step: Duration) -> Self {
        Self { series: vec![series], scale, unit, step, marks: vec![], cursor: None, missing: None }
    }

    /// The number of steps from the oldest known value on.
    pub fn known_steps(&self) -> usize {
        let known = |series: &ChartSeries| {
            let first = series.values.iter().position(Option::is_some);
            first.map_or(0, |first| series.values.len() - first)
        };
        self.series.iter().map(known).max().unwrap_or(0)
    }

    /// The number of cells that show values in a part of this width.
    pub fn plot_cells(part: ChartPart, cells: usize) -> usize {
        cells.saturating_sub(if part == ChartPart::Line { SCALE } else { LABEL + 1 })
    }

    /// The time from the oldest value in a part of this width to the newest; none if the time of a step is unknown,
    /// or if there is only one value.
    pub fn span(&self, part: ChartPart, look: &Appearance, cells: usize) -> Option<Duration> {
        let steps = Self::plot_cells(part, cells) * look.glyphs.values_in_cell();
        let steps = steps.min(self.known_steps().saturating_sub(1));
        let span = self.step * u32::try_from(steps).unwrap_or(u32::MAX);
        (!span.is_zero()).then_some(span)
    }

    /// Draws a part in this width.
    pub fn draw(&self, part: ChartPart, look: &Appearance, cells: usize) -> DrawnLine {
        let plot = Self::plot_cells(part, cells);
        let seen = self.window(plot * look.glyphs.values_in_cell());
        let why = self.missing.as_ref().filter(|_| self.known_steps() == 0);
        match part {
            ChartPart::Line if why.is_some_and(|why| text::width(why) <= cells) => {
                vec![(text::pad(why.map_or("", String::as_str), cells, false), Role::Faint)]
            }
            ChartPart::Row(row, _) if let Some(why) = why => {
                let lines = text::wrap(why, plot);
                let words = lines.get(row).map_or("", String::as_str);
                let indent = " ".repeat(LABEL + 1);
                vec![(indent + &text::pad(words, plot, false), Role::Faint)]
            }
            ChartPart::Line => self.line(&seen, look),
            ChartPart::Row(row, rows) => self.row((row, rows), &seen, look),
            ChartPart::Time => self.time(&seen, look, plot),
        }
    }

    /// The sums of the series at each visible step: of the first one, of the first two, and so on.
    fn window(&self, steps: usize) -> Vec<Vec<Option<f64>>> {
        let shown = |values: &[Option<f64>]| {
            let values = values.get(values.len().saturating_sub(steps)..).unwrap_or_default();
            let missing = steps - values.len();
            std::iter::repeat_n(None, missing).chain(values.iter().copied()).collect::<Vec<_>>()
        };
        let mut sums: Vec<Vec<Option<f64>>> = Vec::new();
        for series in &self.series {
            let mut own = shown(&series.values);
            if let Some(below) = sums.last() {
                for (own, below) in own.iter_mut().zip(below) {
                    *own = match (*own, *below) {
                        (Some(own), Some(below)) => Some(own + below),
                        (own, below) => own.or(below),
                    };
                }
            }
            sums.push(own);
        }
        sums
    }

    /// The value at the top.
    fn top(&self, sums: &Sums) -> f64 {
        match self.scale {
            Scale::UpTo(top) => top,
            Scale::Round => round_up(maximum(sums).unwrap_or(0.0), self.unit),
        }
    }

    fn words(&self, value: f64) -> String {
        Value::Real(value).human(self.unit, false)
    }

    fn line(&self, sums: &Sums, look: &Appearance) -> DrawnLine {
        let top = self.top(sums);
        let role = self.series.last().map_or(Role::Text, |series| series.role);
        let mut drawn = match sums {
            [only] => vec![(look.glyphs.history(only, top), role)],
            _ => self.row_cells((0, 1), sums, top, look),
        };
        // Without any value a scale would be taken for one.
        let is_known = sums.iter().flatten().any(Option::is_some);
        let scale = if is_known { format!(" 0-{}", self.words(top)) } else { String::new() };
        drawn.push((text::pad(&text::clip(&scale, SCALE), SCALE, false), Role::Label));
        drawn
    }

    fn row(&self, (row, rows): (usize, usize), sums: &Sums, look: &Appearance) -> DrawnLine {
        let top = self.top(sums);
        let label = match row {
            0 => self.words(top),
            _ if row + 1 == rows => "0".to_owned(),
            _ if rows >= 4 && row * 2 == rows => self.words(top / 2.0),
            _ => String::new(),
        };
        let [_, standing] = look.glyphs.lines.sides;
        let mut drawn = vec![
            (text::pad(&text::clip(&label, LABEL), LABEL, true), Role::Label),
            (standing.to_owned(), Role::Faint),
        ];
        drawn.extend(self.row_cells((row, rows), sums, top, look));
        drawn
    }

    /// The cells of a row, joined where neighbours have the same role.
    fn row_cells(
        &self,
        (row, rows): (usize, usize),
        sums: &Sums,
        top: f64,
        look: &Appearance,
    ) -> DrawnLine {
        let glyphs = look.glyphs;
        let levels = glyphs.row_levels();
        let base = (rows - 1 - row.min(rows - 1)) * levels;
        let steps = sums.first().map_or(0, Vec::len);
        let each = glyphs.values_in_cell();
        let lit = |place: usize| -> Vec<Option<usize>> {
            let level = |sum: &Vec<Option<f64>>| {
                let value = sum.get(place).copied().flatten()?;
                Some(level(value, top, rows * levels).saturating_sub(base).min(levels))
            };
            sums.iter().map(level).collect()
        };
        let mut drawn: DrawnLine = Vec::new();
        for cell in 0..steps / each.max(1) {
            let columns: Vec<Vec<Option<usize>>> =
                (0..each).map(|place| lit(cell * each + place)).collect();
            let (sign, own) = glyphs.stacked(&columns, base == 0);
            let role = self.series.get(own).map_or(Role::Text, |series| series.role);
            let last = self.cursor.and_then(|ago| (steps / each).checked_sub(1 + ago / each));
            let role = if last == Some(cell) { Role::Selected } else { role };
            push_sign(&mut drawn, sign, role);
        }
        drawn
    }

    /// The time below the rows: the span below its oldest value, events at their places, and the largest value.
    fn time(&self, sums: &Sums, look: &Appearance, plot: usize) -> DrawnLine {
        let each = look.glyphs.values_in_cell();
        let span = self.span(ChartPart::Time, look, plot + LABEL + 1);
        let first = span
            .map_or_else(String::new, |span| format!("-{}", units::seconds(span.as_secs_f64())));
        let largest = maximum(sums).filter(|_| plot >= MAXIMUM);
        let largest = largest.map_or_else(String::new, |most| format!("max {}", self.words(most)));
        let mut line = vec![(' ', Role::Label); plot];
        let cell =
            |(ago, kind): &(usize, EventKind)| Some((plot.checked_sub(1 + ago / each)?, *kind));
        let marks: Vec<(usize, EventKind)> = self.marks.iter().filter_map(cell).collect();
        let mut taken: Vec<usize> = marks.iter().map(|(cell, _)| *cell).collect();
        for (words, start) in [
            ("now", plot.saturating_sub(3)),
            (first.as_str(), plot.saturating_sub(self.known_steps().div_ceil(each))),
            (&largest, plot.saturating_sub(largest.len()) / 2),
        ] {
            // A word that a mark or another word would cut or touch is left out.
            let place = start..start + words.len();
            if taken.iter().any(|cell| (start.saturating_sub(1)..=place.end).contains(cell)) {
                continue;
            }
            line.iter_mut().skip(start).zip(words.chars()).for_each(|(cell, sign)| cell.0 = sign);
            taken.extend(place);
        }
        for (cell, sign) in line.iter_mut().enumerate() {
            let here =
                marks.iter().filter(|(place, _)| *place == cell).map(|(_, kind)| *kind).min();
            *sign = here.map_or(*sign, EventKind::sign);
        }
        let mut drawn: DrawnLine = vec![(" ".repeat(LABEL + 1), Role::Label)];
        for (sign, role) in line {
            push_sign(&mut drawn, sign, role);
        }
        drawn
    }
}

/// Adds a character to runs of equal roles.
fn push_sign(runs: &mut DrawnLine, sign: char, role: Role) {
    match runs.last_mut() {
        Some((words, before)) if *before == role => words.push(sign),
        _ => runs.push((sign.to_string(), role)),
    }
}

/// The largest sum.
fn maximum(sums: &Sums) -> Option<f64> {
    sums.last()?.iter().flatten().copied().max_by(f64::total_cmp)
}

/// A round number that is not below a value: 1 or 1.5 times a power of two for bytes, else 1, 2, 3 or 5
/// times a power of ten. Small values are not magnified to the full height.
fn round_up(value: f64, unit: Unit) -> f64 {
    let (least, most) = match unit {
        Unit::Bytes => (f64::from(1 << 20), f64::INFINITY),
        Unit::BytesPerSecond => (f64::from(1 << 16), f64::INFINITY),
        Unit::Share => (0.1, 1.0),
        _ => (10.0, f64::INFINITY),
    };
    let value = if value.is_finite() { value.max(least) } else { least };
    let (steps, base): (&[f64], f64) = if matches!(unit, Unit::Bytes | Unit::BytesPerSecond) {
        (&[1.0, 1.5, 2.0], value.log2().floor().exp2())
    } else {
        (&[1.0, 2.0, 3.0, 5.0, 10.0], 10.0_f64.powf(value.log10().floor()))
    };
    let mut round = steps.iter().map(|step| step * base);
    let above = round.find(|round| *round >= value * (1.0 - 1e-9)).unwrap_or(value);
    if value <= most { above.min(most) } else { above }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::glyphs::GlyphTier;
    use crate::ui::theme::Palette;

    fn chart(series: &[&[f64]], scale: Scale) -> Chart {
        let one = |(place, values): (usize, &&[f64])| ChartSeries {
            values: values.iter().map(|value| Some(*value)).collect(),
            role: if place == 0 { Role::Out } else { Role::In },
        };
        let series = series.iter().enumerate().map(one).collect();
        Chart {
            series,
            scale,
            unit: Unit::Count,
            step: Duration::from_secs(1),
            marks: vec![],
            cursor: None,
            missing: None,
        }
    }

    fn drawn(chart: &Chart, part: ChartPart, tier: GlyphTier, cells: usize) -> String {
        let look = Appearance::new(tier, Palette::Mono);
        chart.draw(part, &look, cells).into_iter().map(|(words, _)| words).collect()
    }

    #[test]
    fn the_scale_is_round_and_small_values_stay_small() {
        let rate = |kib: f64| units::bytes(round_up(kib * 1024.0, Unit::BytesPerSecond));
        assert_eq!([0.1, 80.0, 257.0 * 1024.0].map(rate), ["64K", "96K", "384M"]);
        assert_eq!(
            [0.16, 0.7].map(|it| units::percent(round_up(it, Unit::Share))),
            ["20%", "100%"]
        );
        let count = |it| units::short(round_up(it, Unit::Count));
        assert_eq!([0.0, 11.0, 20.0, 21.0].map(count), ["10", "20", "20", "30"]);
    }

    #[test]
    fn a_line_ends_with_its_scale() {
        let line = drawn(
            &chart(&[&[0.0, 5.0, 18.0]], Scale::Round),
            ChartPart::Line,
            GlyphTier::Ascii,
            14,
        );
        assert_eq!(line, "  _:% 0-20    ");
        let line =
            drawn(&chart(&[&[8.0]], Scale::UpTo(8.0)), ChartPart::Line, GlyphTier::Ascii, 14);
        assert_eq!(line, "    @ 0-8     ");
    }

    #[test]
    fn rows_have_a_scale_and_stack_their_series() {
        let chart = chart(&[&[10.0, 5.0, 0.0], &[0.0, 5.0, 10.0]], Scale::UpTo(10.0));
        let rows: Vec<String> =
            (0..4).map(|row| drawn(&chart, ChartPart::Row(row, 4), GlyphTier::Ascii, 10)).collect();
        assert_eq!(rows, ["    10|#++", "      |#++", "     5|##+", "     0|##+"]);
        let rows: Vec<String> =
            (0..2).map(|row| drawn(&chart, ChartPart::Row(row, 2), GlyphTier::Full, 9)).collect();
        assert_eq!(rows[0].chars().count(), 9, "{rows:?}");
    }

    #[test]
    fn the_time_axis_names_the_span_the_maximum_and_events() {
        let mut chart = chart(&[&[1.0; 60]], Scale::Round);
        chart.marks =
            vec![(30, EventKind::OomKill), (30, EventKind::Change), (3, EventKind::Change)];
        let axis = drawn(&chart, ChartPart::Time, GlyphTier::Blocks, 47);
        assert_eq!(axis, "       -40s     X       max 1              o   ");
        let short = drawn(&chart, ChartPart::Time, GlyphTier::Blocks, 17);
        assert!(!short.contains("max"), "{short}");
    }
}
