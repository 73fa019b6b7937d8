//! Charts of the used space of areas during a run, one below the other.

use super::appearance::Appearance;
use super::chart::{Chart, ChartPart, ChartSeries, Scale};
use super::theme::Role;
use crate::columns::{Unit, text, units};
use crate::derive::lab;
use crate::model::Bytes;
use crate::model::run::{Run, UsedOverTime};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Rows of the chart of an area. With fewer, a chart in one line shows more.
const CHART_ROWS: RangeInclusive<usize> = 3..=4;

/// The used space of an area during a run.
pub(super) struct AreaCurve<'a> {
    /// The name at its chart.
    pub name: String,
    /// The used space at this share of the run, from 0 to below 1.
    pub used_at: Box<dyn Fn(f64) -> Option<f64> + 'a>,
    /// The upper end of the scale.
    pub most: f64,
}

/// Charts of the areas, the axis below, and an empty line, in this many cells and rows. `axis` draws the axis in a
/// number of cells.
pub(super) fn chart_lines(
    curves: Vec<AreaCurve<'_>>,
    axis: impl FnOnce(usize) -> String,
    look: &Appearance,
    (cells, rows): (usize, usize),
) -> Vec<String> {
    let names = curves.iter().map(|curve| text::width(&curve.name)).max().unwrap_or(0) + 1;
    let cells = cells.saturating_sub(names);
    let Some(rows) = rows.checked_div(curves.len()) else { return Vec::new() };
    let rows = rows.min(*CHART_ROWS.end());
    let parts: Vec<ChartPart> = if CHART_ROWS.contains(&rows) {
        (0..rows).map(|row| ChartPart::Row(row, rows)).collect()
    } else {
        vec![ChartPart::Line]
    };
    let plot = parts.first().map_or(0, |part| Chart::plot_cells(*part, cells));
    let steps = plot * look.glyphs.values_in_cell();
    let mut lines = Vec::new();
    for AreaCurve { mut name, used_at, most } in curves {
        let values = (0..steps).map(|step| used_at(step as f64 / steps as f64)).collect();
        let series = ChartSeries { values, role: Role::Disk };
        let chart = Chart::new(series, Scale::UpTo(most), Unit::Bytes, Duration::ZERO);
        for part in &parts {
            let drawn = chart.draw(*part, look, cells).into_iter().map(|(words, _)| words);
            let line =
                text::pad(&std::mem::take(&mut name), names, false) + &drawn.collect::<String>();
            lines.push(line.trim_end().to_owned());
        }
    }
    let margin = if parts.len() > 1 { names + cells - plot } else { names };
    lines.extend([" ".repeat(margin) + &axis(plot), String::new()]);
    lines
}

/// The charts of a run: the used space of each area during its first completed repetition, on one scale.
pub fn run_lines(run: &Run, look: &Appearance, size: (usize, usize)) -> Vec<String> {
    let Some(measured) = lab::completed(run).next() else { return Vec::new() };
    let UsedOverTime { at, areas, .. } = &measured.used;
    let used = areas.iter().flat_map(|area| area.used.iter().flatten());
    let (Some(end), Some(Bytes(most @ 1..))) = (at.last(), used.max()) else { return Vec::new() };
    let curves = areas.iter().map(|area| {
        let used_at = move |share: f64| {
            let place = at.iter().take_while(|time| **time <= share * end).count();
            area.used.get(place.saturating_sub(1)).copied().flatten().map(|used| used.0 as f64)
        };
        let name = area.path.base().safe();
        AreaCurve { name, used_at: Box::new(used_at), most: *most as f64 }
    });
    let head = "Used space of each area during the first completed repetition:".to_owned();
    let axis = |cells: usize| {
        let end = units::seconds(*end);
        text::pad("0s", cells.saturating_sub(text::width(&end)), false) + &end
    };
    let lines = chart_lines(curves.collect(), axis, look, size);
    std::iter::once(head).chain(lines).collect()
}
