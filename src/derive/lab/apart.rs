//! Runs in which one process did most of what is summed up over all of them.

use super::{done, fixed};
use crate::derive::statistics::Summary;
use crate::model::run::{Measured, Run};
use std::collections::BTreeSet;

/// Processes that lie no further apart than this do the same, more or less.
const FAR: f64 = 10.0;

/// How many times as fast as the process in the middle of its group the fastest one touched its
/// memory, where they lie far apart: of all repetitions that came to their end the most.
pub fn apart(run: &Run) -> Option<f64> {
    let most = done(run).flat_map(of_groups).max_by(f64::total_cmp)?;
    (most > FAR).then_some(most)
}

/// The same of each group: others do other things.
fn of_groups(measured: &Measured) -> Vec<f64> {
    let groups: BTreeSet<u32> = measured.tasks.iter().map(|task| task.work).collect();
    let of_group = |group: u32| {
        let tasks = measured.tasks.iter().filter(|task| task.work == group);
        let rates = Summary::of(&tasks.filter_map(fixed::rate).collect::<Vec<_>>())?;
        (rates.median > 0.0).then(|| rates.most / rates.median)
    };
    groups.into_iter().filter_map(of_group).collect()
}
