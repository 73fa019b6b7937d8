//! A figure over time on the whole screen, with a cursor.

use super::content::Origin;
use super::history::{History, RECORDED_COLUMNS, row_name};
use crate::columns::tables::{self, findings};
use crate::columns::{Query, Request};
use crate::model::Stamp;

/// A figure over time.
#[derive(Clone, Debug)]
pub struct ChartView {
    /// The figure.
    pub origin: Origin,
    /// The age of the step under the cursor.
    pub ago: usize,
    /// Samples in a step: an index of [`ZOOMS`].
    pub(super) zoom: usize,
    /// The values of a figure that is not recorded, oldest first, and the number of the next sample.
    pub(super) computed: Option<(Vec<(Stamp, f32)>, u64)>,
}

/// Samples in a step, at each zoom.
pub(super) const ZOOMS: [u32; 6] = [1, 2, 5, 10, 30, 60];
/// The oldest step that the cursor reaches.
pub(super) const OLDEST: usize = 20_000;
/// Maximum number of samples for which a figure is computed that is not recorded.
const COMPUTED: u64 = 660;

impl ChartView {
    /// The chart of a figure up to this sample; none if it is not a number.
    pub fn new(origin: Origin, history: &History, moment: u64) -> Option<Self> {
        if !origin.info.unit.is_number() || origin.table == findings::SPEC.name {
            return None;
        }
        let recorded = RECORDED_COLUMNS.iter().any(|of| of.has(origin.table, origin.info.id));
        let mut view = Self { origin, ago: 0, zoom: 0, computed: None };
        if !recorded {
            let (first, _) = history.span()?;
            view.computed = Some((vec![], first.max(moment.saturating_sub(COMPUTED))));
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
        let request = Request { columns, all: true, two_samples: true, ..Request::default() };
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
}
