//! Figures that are drawn as histories: computed once for each snapshot, whatever is on screen, so
//! that their past is there when somebody looks.

use super::pane_data;
use crate::columns::{Query, Request, Spec, Style, Value, tables};
use crate::derive::View;
use crate::model::{PartSet, Stamp};
use std::collections::{BTreeMap, VecDeque};

/// Which figure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The table.
    pub table: &'static str,
    /// The row, by the value of the table's key.
    pub row: String,
    /// The column.
    pub column: &'static str,
}

/// The tables and columns that are kept. They need only what is read every second.
pub const KEPT: &[(&str, &str)] = &[
    ("status", "swap_used,mem_available,memory_some,memory_full,io_some,io_full"),
    (
        "paging",
        "in_rate,out_rate,major_faults,refaults,refaults_file,scan_kswapd,scan_direct,steal_cgroups,stalls",
    ),
    ("readahead", "ahead_rate,success,wasted_rate"),
    ("devices", "used,in_rate,out_rate"),
    ("zram", "memory"),
    ("headroom", "kept,kept_memory"),
    ("zswap", "pool,out_rate,writeback_rate"),
    ("mthp", "swpout_rate,fallback_rate"),
];

/// The values of all figures that are kept, NaN where none is known. They take little, and stay
/// when the moments that they were computed from have to go.
#[derive(Debug)]
pub struct Series {
    queries: Vec<Query>,
    needs: PartSet,
    rings: BTreeMap<Key, VecDeque<f32>>,
    /// When each value was measured.
    stamps: VecDeque<Stamp>,
}

impl Default for Series {
    fn default() -> Self {
        let query = |(table, columns): &(&str, &str)| {
            let request = Request { columns: Some((*columns).to_owned()), ..Request::default() };
            Query::new(tables::find(table)?, &request).ok()
        };
        let queries: Vec<Query> = KEPT.iter().filter_map(query).collect();
        let needs = pane_data::needs(&queries);
        Self { queries, needs, rings: BTreeMap::new(), stamps: VecDeque::new() }
    }
}

impl Series {
    /// The parts that have to be sampled for all of them.
    pub fn needs(&self) -> PartSet {
        self.needs
    }

    /// Add the values of this view.
    pub fn push(&mut self, view: &View<'_>) {
        let past = self.stamps.len();
        self.stamps.push_back(view.now.stamp);
        for query in &self.queries {
            let Ok(rows) = query.rows(view).into_result() else { continue };
            for (cells, row) in rows.cells.iter().zip(&rows.keys) {
                for (value, info) in cells.iter().zip(&rows.infos) {
                    let (table, row, column) =
                        (query.spec.name, row_name(query.spec, row), info.id);
                    let ring = self.rings.entry(Key { table, row, column }).or_default();
                    // A row that was not there before has no past.
                    ring.resize(past, f32::NAN);
                    ring.push_back(value.number().map_or(f32::NAN, single));
                }
            }
        }
        for ring in self.rings.values_mut() {
            ring.resize(past + 1, f32::NAN);
        }
    }

    /// Forget the oldest value of each; a figure of which nothing is known goes.
    pub fn forget_oldest(&mut self) {
        self.stamps.pop_front();
        for ring in self.rings.values_mut() {
            ring.pop_front();
        }
        self.rings.retain(|_, ring| ring.iter().any(|value| !value.is_nan()));
    }

    /// How many values each has.
    pub fn length(&self) -> usize {
        self.stamps.len()
    }

    /// The values of one figure, newest first, and when they were measured; without so many of the
    /// newest.
    pub fn back(&self, key: &Key, without: usize) -> impl Iterator<Item = (Stamp, f32)> {
        let end = self.length().saturating_sub(without);
        let values = self.rings.get(key).map(|ring| ring.range(..end).copied());
        let stamps = self.stamps.range(..end).copied();
        values.into_iter().flat_map(move |values| stamps.clone().zip(values).rev())
    }
}

/// What tells a row from the others of its table: nothing where there is only one.
pub fn row_name(spec: &Spec, key: &Value) -> String {
    if spec.style == Style::Record { String::new() } else { key.plain() }
}

/// Enough for a picture, and half as much to keep.
#[expect(clippy::cast_possible_truncation, reason = "a picture needs no more")]
fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kept_figure_is_a_column() {
        assert_eq!(Series::default().queries.len(), KEPT.len());
    }
}
