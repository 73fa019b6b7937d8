//! A figure over time on the whole screen, with a cursor.

use super::app::App;
use super::chart::{Chart, ChartSeries, Scale};
use super::content::Origin;
use super::events::MachineEvent;
use super::history::{History, RECORDED_COLUMNS, SeriesKey, row_name, track_values};
use super::theme::Role;
use crate::columns::{Query, Request, tables};
use crate::model::Stamp;
use std::time::Duration;

/// A figure over time.
#[derive(Clone, Debug)]
pub struct ChartView {
    /// The figure.
    pub origin: Origin,
    /// The age of the step under the cursor.
    pub ago: usize,
    /// Samples in a step: an index of [`ZOOMS`].
    zoom: usize,
    /// The values of a figure that is not recorded, oldest first, and the number of the next sample.
    computed: Option<(Vec<(Stamp, f32)>, u64)>,
}

/// Samples in a step, at each zoom.
const ZOOMS: [u32; 6] = [1, 2, 5, 10, 30, 60];
/// The oldest step that the cursor reaches.
const OLDEST: usize = 20_000;
/// Maximum number of samples for which a figure is computed that is not recorded.
const COMPUTED: u64 = 660;

impl ChartView {
    /// The chart of a figure; none if it is not a number.
    pub fn new(origin: Origin, history: &History) -> Option<Self> {
        if !origin.info.unit.is_number() || origin.table == "findings" {
            return None;
        }
        let recorded = RECORDED_COLUMNS.iter().any(|of| of.has(origin.table, origin.info.id));
        let mut view = Self { origin, ago: 0, zoom: 0, computed: None };
        if !recorded {
            let (first, last) = history.span()?;
            view.computed = Some((vec![], first.max(last.saturating_sub(COMPUTED))));
            view.follow(history);
        }
        Some(view)
    }

    /// Adds the values of new samples.
    pub fn follow(&mut self, history: &History) {
        let (Some((values, next)), Some((_, last))) = (&mut self.computed, history.span()) else {
            return;
        };
        let columns = Some(self.origin.info.id.to_owned());
        let request = Request { columns, all: true, two: true, ..Request::default() };
        let spec = tables::find(self.origin.table);
        let Some(query) = spec.and_then(|spec| Query::new(spec, &request).ok()) else { return };
        for moment in (*next..=last).filter_map(|number| history.get(number)) {
            let view = moment.view();
            let rows = query.rows(&view).into_result().ok();
            let value = rows.as_ref().and_then(|rows| {
                let named = |key| row_name(query.spec, key) == self.origin.row;
                let row = rows.keys.iter().position(named)?;
                rows.value(row, self.origin.info.id)?.number()
            });
            #[expect(clippy::cast_possible_truncation, reason = "a picture needs no more")]
            values.push((view.now.stamp, value.map_or(f32::NAN, |value| value as f32)));
        }
        *next = last + 1;
    }

    /// The time of one step.
    pub fn step(&self, app: &App) -> Duration {
        let one = app.moment_number().map_or(app.interval, |number| app.step(number));
        one * ZOOMS.get(self.zoom).copied().unwrap_or(1)
    }

    /// Shows a longer or a shorter time.
    pub fn zoom(&mut self, out: bool) {
        let before = ZOOMS.get(self.zoom).copied().unwrap_or(1);
        let last = ZOOMS.len() - 1;
        self.zoom = if out { (self.zoom + 1).min(last) } else { self.zoom.saturating_sub(1) };
        // The cursor stays at its time.
        let after = ZOOMS.get(self.zoom).copied().unwrap_or(1);
        self.ago =
            self.ago * usize::try_from(before).unwrap_or(1) / usize::try_from(after).unwrap_or(1);
    }

    /// Moves the cursor back in time.
    pub fn earlier(&mut self, steps: usize) {
        self.ago = (self.ago + steps).min(OLDEST);
    }

    /// Moves the cursor forward in time.
    pub fn later(&mut self, steps: usize) {
        self.ago = self.ago.saturating_sub(steps);
    }

    /// Moves the cursor to the oldest known value.
    pub fn to_oldest(&mut self, app: &App) {
        self.ago = self.chart(app, OLDEST).known_steps().saturating_sub(1);
    }

    /// The chart of this many steps.
    pub fn chart(&self, app: &App, steps: usize) -> Chart {
        let step = self.step(app);
        let Some((number, now)) = app.moment_number().zip(app.moment()) else {
            let series = ChartSeries { values: vec![], role: Role::Accent };
            return Chart::new(series, Scale::Round, self.origin.info.unit, step);
        };
        let values = match &self.computed {
            Some((values, _)) => {
                let newest = values.iter().rev().copied();
                let past = newest.filter(|(at, _)| at.boot_ns <= now.now.stamp.boot_ns);
                track_values(past, now.now.stamp, step, steps)
            }
            None => {
                let Origin { table, row, info, .. } = &self.origin;
                let key = SeriesKey { table, row: row.clone(), column: info.id };
                app.history.track(&key, number, step, steps)
            }
        };
        let series = ChartSeries { values, role: Role::Accent };
        let chart = Chart::new(series, Scale::Round, self.origin.info.unit, step);
        let marks = app.events.marks(now.now.stamp, step, steps);
        Chart { marks, cursor: Some(self.ago), ..chart }
    }

    /// The events of this many steps, nearest to the cursor first.
    pub fn events<'a>(&self, app: &'a App, steps: usize) -> Vec<&'a MachineEvent> {
        let Some(now) = app.moment().map(|moment| moment.now.stamp) else { return vec![] };
        let step = self.step(app).as_secs_f64().max(0.001);
        let age = |event: &&MachineEvent| now.seconds_since(event.at) / step;
        let is_shown =
            |event: &&MachineEvent| event.at.boot_ns <= now.boot_ns && age(event) < steps as f64;
        let mut shown: Vec<&MachineEvent> = app.events.iter().filter(is_shown).collect();
        let far = |event: &MachineEvent| (age(&event) - self.ago as f64).abs();
        shown.sort_by(|a, b| far(a).total_cmp(&far(b)));
        shown
    }
}
