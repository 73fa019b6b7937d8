//! The values and events of a figure over time, for the sample on screen.

use super::app::App;
use super::chart::{Chart, ChartSeries, Scale};
use super::chart_view::{ChartView, OLDEST, ZOOMS};
use super::content::Origin;
use super::events::MachineEvent;
use super::history::{SeriesKey, track_values};
use super::theme::Role;
use crate::columns::units;
use crate::model::Stamp;
use std::time::Duration;

impl ChartView {
    /// The time of one step.
    pub fn step(&self, app: &App) -> Duration {
        let one = app.moment_number().map_or(app.interval, |number| app.step(number));
        one * ZOOMS.get(self.zoom).copied().unwrap_or(1)
    }

    /// Says that the value of a step with several samples is their maximum; empty if each step has one sample.
    pub fn describe_maximum(&self, app: &App) -> String {
        if self.zoom == 0 {
            return String::new();
        }
        format!(" at most in {}", units::seconds(self.step(app).as_secs_f64()))
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
        let values = self.newest_first(app, number, now.now.stamp);
        let values = track_values(values, now.now.stamp, step, steps);
        let series = ChartSeries { values, role: Role::Accent };
        let chart = Chart::new(series, Scale::Round, self.origin.info.unit, step);
        let marks = app.source.events.marks(now.now.stamp, step, steps);
        Chart { marks, cursor: Some(self.ago), ..chart }
    }

    /// The measured values up to a sample, newest first.
    fn newest_first<'a>(
        &'a self,
        app: &'a App,
        number: u64,
        until: Stamp,
    ) -> Box<dyn Iterator<Item = (Stamp, f32)> + 'a> {
        if let Some((values, _)) = &self.computed {
            let newest = values.iter().rev().copied();
            return Box::new(newest.filter(move |(at, _)| at.boot_ns <= until.boot_ns));
        }
        let Origin { table, row, info, .. } = &self.origin;
        let key = SeriesKey { table, row: row.clone(), column: info.id };
        Box::new(app.source.history.newest_first(&key, number))
    }

    /// The least value, the mean and the largest value of all samples in this many steps. The steps themselves
    /// hold the largest value of several samples.
    pub fn range(&self, app: &App, steps: usize) -> Option<(f64, f64, f64)> {
        let (number, now) = app.moment_number().zip(app.moment())?;
        let now = now.now.stamp;
        let span = self.step(app).as_secs_f64() * steps as f64;
        let values = self.newest_first(app, number, now);
        let shown = values.take_while(|(at, _)| now.seconds_since(*at) < span);
        let known = shown.map(|(_, value)| f64::from(value)).filter(|value| !value.is_nan());
        let (mut count, mut sum, mut least, mut most) = (0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for value in known {
            count += 1;
            sum += value;
            (least, most) = (least.min(value), most.max(value));
        }
        (count > 0).then(|| (least, sum / f64::from(count), most))
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
