//! The values and events of a figure over time, for the sample on screen.

use super::app::App;
use super::chart::{Chart, ChartSeries, Scale};
use super::chart_view::{ChartView, OLDEST, ZOOMS};
use super::content::Origin;
use super::events::MachineEvent;
use super::history::{SeriesKey, track_values};
use super::theme::Role;
use std::time::Duration;

impl ChartView {
    /// The time of one step.
    pub fn step(&self, app: &App) -> Duration {
        let one = app.moment_number().map_or(app.interval, |number| app.step(number));
        one * ZOOMS.get(self.zoom).copied().unwrap_or(1)
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
        let values = if let Some((values, _)) = &self.computed {
            let newest = values.iter().rev().copied();
            let past = newest.filter(|(at, _)| at.boot_ns <= now.now.stamp.boot_ns);
            track_values(past, now.now.stamp, step, steps)
        } else {
            let Origin { table, row, info, .. } = &self.origin;
            let key = SeriesKey { table, row: row.clone(), column: info.id };
            app.source.history.track(&key, number, step, steps)
        };
        let series = ChartSeries { values, role: Role::Accent };
        let chart = Chart::new(series, Scale::Round, self.origin.info.unit, step);
        let marks = app.source.events.marks(now.now.stamp, step, steps);
        Chart { marks, cursor: Some(self.ago), ..chart }
    }

    /// The events of this many steps, nearest to the cursor first.
    pub fn events<'a>(&self, app: &'a App, steps: usize) -> Vec<&'a MachineEvent> {
        let Some(now) = app.moment().map(|moment| moment.now.stamp) else { return vec![] };
        let step = self.step(app).as_secs_f64().max(0.001);
        let age = |event: &&MachineEvent| now.seconds_since(event.at) / step;
        let is_shown =
            |event: &&MachineEvent| event.at.boot_ns <= now.boot_ns && age(event) < steps as f64;
        let mut shown: Vec<&MachineEvent> = app.source.events.iter().filter(is_shown).collect();
        let far = |event: &MachineEvent| (age(&event) - self.ago as f64).abs();
        shown.sort_by(|a, b| far(a).total_cmp(&far(b)));
        shown
    }
}
