//! Plots of runs, as SVG.

use crate::columns::tables::lab::figures;
use crate::columns::units;
use crate::derive::lab;
use crate::model::Bytes;
use crate::model::run::{RepetitionResult, Run};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use std::ops::Range;

/// A plot with its caption.
pub(super) struct Plot {
    /// Caption.
    pub caption: String,
    /// Drawing as SVG.
    pub svg: String,
    /// Legend: name and color.
    pub marks: Vec<(String, &'static str)>,
}

/// A bar with its error.
pub(super) struct Bar {
    label: String,
    height: f64,
    off: f64,
}

impl From<(String, f64, Option<f64>)> for Bar {
    fn from((label, height, off): (String, f64, Option<f64>)) -> Self {
        Self { label, height, off: off.unwrap_or(0.0) }
    }
}

/// Colors that are distinguishable on white and on black, for the drawing and as text.
const COLORS: [(RGBColor, &str); 8] = [
    (RGBColor(0x3b, 0x82, 0xc4), "#3b82c4"),
    (RGBColor(0xd9, 0x77, 0x06), "#d97706"),
    (RGBColor(0x2e, 0x9e, 0x6b), "#2e9e6b"),
    (RGBColor(0xc0, 0x50, 0x8f), "#c0508f"),
    (RGBColor(0x8a, 0x6f, 0xd1), "#8a6fd1"),
    (RGBColor(0xa8, 0x96, 0x20), "#a89620"),
    (RGBColor(0xc8, 0x4c, 0x4c), "#c84c4c"),
    (RGBColor(0x3a, 0x9c, 0xa8), "#3a9ca8"),
];
/// Color of lines and axes, for light and dark pages.
const GRAY: RGBColor = RGBColor(0x80, 0x80, 0x80);
const SIZE: (u32, u32) = (560, 260);
/// Font of labels, large enough on a phone, which shrinks a drawing to its width.
const LABELS: (&str, u32) = ("sans-serif", 15);
/// Number of letters that fit below a plot.
pub(super) const LETTERS: usize = 56;
/// Most points of a line.
const POINTS: usize = 1500;
/// Largest value on an axis; larger values are not measurements.
const LARGEST: f64 = 1e18;

type Canvas<'d> = DrawingArea<SVGBackend<'d>, Shift>;
type DrawResult = Result<(), String>;
/// Points of a piece of a line without gaps.
type Line = Vec<(f64, f64)>;

/// An axis from 0 with explicit grid lines.
struct Axis {
    end: f64,
    lines: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let along = (value / self.end).clamp(0.0, 1.0) * f64::from(to - from);
        #[expect(clippy::cast_possible_truncation, reason = "it is no further than the drawing")]
        let along = along.round() as i32;
        from + along
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.lines.clone() }
    }

    fn range(&self) -> Range<f64> {
        0.0..self.end
    }
}

/// The plots above a table of a run.
pub(super) fn plots_for_table(run: &Run, table: &str) -> Result<Vec<Plot>, String> {
    let plot = if table == figures::AREAS.name {
        lab::completed(run).next().map(used).transpose()?
    } else if table == figures::LATENCY.name {
        touches(run)?
    } else if table == figures::FOLIOS.name {
        let over_time = lab::completed(run).next().map(fail_rates_over_time).transpose()?.flatten();
        return Ok(fail_rates(run)?.into_iter().chain(over_time).collect());
    } else {
        None
    };
    Ok(plot.into_iter().collect())
}

fn color(place: usize) -> (RGBColor, &'static str) {
    COLORS.get(place % COLORS.len()).copied().unwrap_or((GRAY, "#808080"))
}

fn draw(with: impl FnOnce(&Canvas<'_>) -> DrawResult) -> Result<String, String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        with(&area)?;
        area.present().map_err(plot_error)?;
    }
    Ok(svg)
}

fn plot_error(error: impl std::fmt::Display) -> String {
    format!("a plot cannot be drawn: {error}")
}

/// The lines of the used space of each area.
fn used_lines(measured: &RepetitionResult) -> Vec<Vec<Line>> {
    let over_time = &measured.used;
    over_time.areas.iter().map(|area| without_gaps(&over_time.at, &area.used)).collect()
}

/// The most that an area had in use.
pub(super) fn most_used(measured: &RepetitionResult) -> f64 {
    corner(&used_lines(measured)).1
}

/// Plot of the used space of each area during the first completed repetition.
fn used(measured: &RepetitionResult) -> Result<Plot, String> {
    used_up_to(measured, most_used(measured))
}

/// Plot of the used space of each area, with an axis that is long enough for this much.
pub(super) fn used_up_to(measured: &RepetitionResult, most: f64) -> Result<Plot, String> {
    let over_time = &measured.used;
    let lines = used_lines(measured);
    let y = Axis { end: length(most), lines: sizes(length(most)) };
    let svg = draw_lines(&lines, y, &|used| units::bytes(*used))?;
    let caption = "Used space of each area during the first completed repetition:".to_owned();
    let names = over_time.areas.iter().map(|area| area.path.safe());
    Ok(Plot { caption, svg, marks: marks(names) })
}

/// Legend with a color for each name.
fn marks(names: impl Iterator<Item = String>) -> Vec<(String, &'static str)> {
    names.enumerate().map(|(place, name)| (name, color(place).1)).collect()
}

/// Maximum x and y of the points.
fn corner(lines: &[Vec<Line>]) -> (f64, f64) {
    let points = lines.iter().flatten().flatten();
    points.fold((0.0, 0.0), |(x, y): (f64, f64), at| (x.max(at.0), y.max(at.1)))
}

/// Draws lines over time, each of pieces, with labels for the y axis.
fn draw_lines(
    lines: &[Vec<Line>],
    y: Axis,
    height: &dyn Fn(&f64) -> String,
) -> Result<String, String> {
    draw(|area| {
        let mut chart = ChartBuilder::on(area);
        chart.margin(10).margin_right(30).x_label_area_size(30).y_label_area_size(60);
        let end = length(corner(lines).0);
        let mut chart = chart.build_cartesian_2d(0.0..end, y).map_err(plot_error)?;
        let mut mesh = chart.configure_mesh();
        mesh.label_style(LABELS)
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRAY.mix(0.25))
            .axis_style(GRAY);
        mesh.x_label_formatter(&|at| units::seconds(*at));
        mesh.y_label_formatter(height).draw().map_err(plot_error)?;
        for (place, pieces) in lines.iter().enumerate() {
            let style = ShapeStyle::from(color(place).0).stroke_width(2);
            let lines = pieces.iter().map(|piece| PathElement::new(piece.clone(), style));
            chart.draw_series(lines).map_err(plot_error)?;
            // A line of one point is invisible: draw a dot.
            let lone = pieces.iter().filter(|piece| piece.len() == 1).flatten();
            let dots = lone.map(|at| Circle::new(*at, 2, color(place).0.filled()));
            chart.draw_series(dots).map_err(plot_error)?;
        }
        Ok(())
    })
}

/// Pieces of a line, with gaps while the area was disabled.
fn without_gaps(at: &[f64], used: &[Option<Bytes>]) -> Vec<Line> {
    let every = at.len() / POINTS + 1;
    let point = |(at, used): (&f64, &Option<Bytes>)| {
        used.map(|used| (at.clamp(0.0, LARGEST), (used.0 as f64).min(LARGEST)))
    };
    pieces(at.iter().zip(used).step_by(every).map(point))
}

/// Splits points into pieces at missing points.
fn pieces(points: impl Iterator<Item = Option<(f64, f64)>>) -> Vec<Line> {
    let mut pieces: Vec<Line> = vec![Vec::new()];
    for point in points {
        match (point, pieces.last_mut()) {
            (Some(point), Some(piece)) => piece.push(point),
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// End of an axis; positive even if all values are 0.
fn length(most: f64) -> f64 {
    if most > 0.0 { most.min(LARGEST) * 1.05 } else { 1.0 }
}

/// Grid lines for sizes up to this one: multiples of a power of two.
fn sizes(most: f64) -> Vec<f64> {
    const STEPS: f64 = 4.0;
    let step = (most / STEPS).max(1.0).log2().floor().exp2();
    let counts = (0..16).map(f64::from);
    counts.map(|count| count * step).take_while(|size| *size <= most).collect()
}

/// Plot of the latency distribution of memory accesses: all, major faults and minor faults.
fn touches(run: &Run) -> Result<Option<Plot>, String> {
    let kinds = lab::touch_latencies(run).into_iter().filter(|it| it.kind != "none");
    let kinds: Vec<lab::TouchLatency> = kinds.filter(|it| it.took.count() > 0).collect();
    let boxes: Vec<Vec<[(f64, f64); 2]>> = kinds.iter().map(shares).collect();
    let corners = || boxes.iter().flatten().flatten();
    let Some(least) = corners().map(|at| at.0).reduce(f64::min) else { return Ok(None) };
    let (most, high) =
        corners().fold((0.0, 0.0), |(x, y): (f64, f64), at| (x.max(at.0), y.max(at.1)));
    let svg = draw(|area| {
        let mut chart = ChartBuilder::on(area);
        chart.margin(10).margin_right(30).x_label_area_size(30).y_label_area_size(60);
        let x = Decades::around(least, most);
        let mut chart = chart.build_cartesian_2d(x, 0.0..length(high)).map_err(plot_error)?;
        let mut mesh = chart.configure_mesh();
        mesh.label_style(LABELS)
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRAY.mix(0.25))
            .axis_style(GRAY);
        mesh.x_label_formatter(&|micros| Decades::word(*micros));
        mesh.y_label_formatter(&|share| format!("{}%", units::number(*share)));
        mesh.draw().map_err(plot_error)?;
        for (place, boxes) in boxes.iter().enumerate() {
            let style = color(place).0.mix(0.6).filled();
            let bars = boxes.iter().map(|corners| Rectangle::new(*corners, style));
            chart.draw_series(bars).map_err(plot_error)?;
        }
        Ok(())
    })?;
    let marks = kinds.iter().enumerate();
    let marks = marks.map(|(place, it)| (it.kind.to_owned(), color(place).1)).collect();
    let caption = "Latency of memory accesses, in percent of each kind:".to_owned();
    Ok(Some(Plot { caption, svg, marks }))
}

/// Bars of a histogram: range in microseconds, and share in percent.
fn shares(touches: &lab::TouchLatency) -> Vec<[(f64, f64); 2]> {
    let all = touches.took.count() as f64;
    let corners = |(largest, count): (u64, u64)| {
        let right = largest.max(1) as f64 / 1e3;
        // Buckets are sixteenths of a power of two.
        [(right / (1.0 + 1.0 / 16.0), 0.0), (right, 100.0 * count as f64 / all)]
    };
    touches.took.filled().map(corners).collect()
}

/// Plot of the failure rate of each folio size.
pub(super) fn fail_rates(run: &Run) -> Result<Option<Plot>, String> {
    let known =
        lab::folios(run).into_iter().filter_map(|it| Some((it.size, *it.fail_rate.known()?)));
    let bars: Vec<Bar> =
        known.map(|(size, rate)| Bar::from((units::size(size), 100.0 * rate, None))).collect();
    if bars.is_empty() {
        return Ok(None);
    }
    self::bars("Large folios split before swap-out, by size, in percent", &bars).map(Some)
}

/// Plot of the failure rates over time during the first completed repetition.
fn fail_rates_over_time(measured: &RepetitionResult) -> Result<Option<Plot>, String> {
    let sizes = lab::fail_rates_over_time(measured);
    let lines: Vec<Vec<Line>> = sizes.iter().map(|(_, rates)| in_percent(rates)).collect();
    if lines.iter().flatten().flatten().next().is_none() {
        return Ok(None);
    }
    let y = Axis { end: 105.0, lines: (0..=4).map(|quarter| f64::from(quarter) * 25.0).collect() };
    let svg = draw_lines(&lines, y, &|rate| format!("{}%", units::number(*rate)))?;
    let caption = "Large folios split before swap-out, in percent per twentieth of the first completed repetition:";
    let marks = marks(sizes.iter().map(|(size, _)| units::size(*size)));
    Ok(Some(Plot { caption: caption.to_owned(), svg, marks }))
}

/// Pieces of a line, with gaps while nothing was swapped out.
fn in_percent(rates: &lab::Rates) -> Vec<Line> {
    let point =
        |(at, rate): &(f64, Option<f64>)| rate.map(|rate| (at.clamp(0.0, LARGEST), 100.0 * rate));
    let points: Vec<Option<(f64, f64)>> = rates.iter().map(point).collect();
    pieces(points.into_iter())
}

/// Draws bars side by side, each in a field of width 1.
pub(super) fn bars(caption: &str, bars: &[Bar]) -> Result<Plot, String> {
    let most = bars.iter().map(|bar| bar.height + bar.off).fold(0.0, f64::max);
    let middle = |place: usize| place as f64 + 0.5;
    let svg = draw(|area| {
        let mut chart = ChartBuilder::on(area);
        chart.margin(10).x_label_area_size(30).y_label_area_size(80);
        let middles: Vec<f64> = (0..bars.len()).map(middle).collect();
        let x = Axis { end: bars.len() as f64, lines: middles };
        let mut chart = chart.build_cartesian_2d(x, 0.0..length(most)).map_err(plot_error)?;
        let label = |at: &f64| {
            let bar = bars.iter().enumerate().find(|(place, _)| middle(*place) >= *at);
            bar.map(|(_, bar)| bar.label.clone()).unwrap_or_default()
        };
        let mut mesh = chart.configure_mesh();
        mesh.label_style(LABELS)
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRAY.mix(0.25));
        mesh.axis_style(GRAY).x_labels(bars.len()).x_label_formatter(&label);
        mesh.y_label_formatter(&|height| units::number(*height)).draw().map_err(plot_error)?;
        let bodies = bars.iter().enumerate().map(|(place, bar)| {
            let (left, right) = (middle(place) - 0.25, middle(place) + 0.25);
            let corners = [(left, 0.0), (right, bar.height.min(LARGEST))];
            Rectangle::new(corners, color(0).0.mix(0.8).filled())
        });
        chart.draw_series(bodies).map_err(plot_error)?;
        let scattered = bars.iter().enumerate().filter(|(_, bar)| bar.off > 0.0);
        let whiskers = scattered.flat_map(|(place, bar)| whisker(middle(place), bar));
        let style = ShapeStyle::from(color(1).0).stroke_width(2);
        let whiskers = whiskers.map(|line| PathElement::new(line, style));
        chart.draw_series(whiskers).map_err(plot_error)?;
        Ok(())
    })?;
    Ok(Plot { caption: caption.to_owned(), svg, marks: Vec::new() })
}

/// Error bar: a line from minimum to maximum with a cross line at each end.
fn whisker(middle: f64, bar: &Bar) -> [Line; 3] {
    let [low, high] =
        [bar.height - bar.off, bar.height + bar.off].map(|height| height.clamp(0.0, LARGEST));
    let across = |height: f64| vec![(middle - 0.05, height), (middle + 0.05, height)];
    [vec![(middle, low), (middle, high)], across(low), across(high)]
}

/// A range of whole powers of ten.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decades {
    from: i32,
    to: i32,
}

/// Up to this many decades there is room for lines between them.
const FEW: i32 = 3;

impl Decades {
    /// The decades that cover this range.
    pub(super) fn around(least: f64, most: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "it is within what a number can be")]
        let whole = |decade: f64| decade as i32;
        // A picosecond is less than any clock shows.
        let from = whole(least.max(1e-6).log10().floor());
        let to = whole(most.max(1e-6).log10().ceil());
        Self { from, to: to.max(from + 1) }
    }

    /// Positions of the grid lines.
    pub(super) fn lines(self) -> Vec<f64> {
        let between: &[f64] = if self.to - self.from <= FEW { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decade = |at: i32| between.iter().map(move |times| times * 10_f64.powi(at));
        (self.from..self.to).flat_map(decade).chain([10_f64.powi(self.to)]).collect()
    }

    /// Label of a grid line.
    pub(super) fn word(micros: f64) -> String {
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
