//! `counters`: every counter of `/proc/vmstat`, including those that this version does not know.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::model::{Reading, part_set};

table!(pub struct CountersTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// One counter.
pub struct Row<'v> {
    view: SampleView<'v>,
    name: &'v str,
    value: u64,
}

/// Definition of the table.
pub const SPEC: Spec =
    Spec::for_table::<CountersTable>("counters", "Memory management counters", "name")
        .long()
        .about("Every counter of /proc/vmstat and its rate")
        .shows("name,value")
        .with_two("rate")
        .needs(part_set![Vmstat]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    view.now
        .vmstat
        .reading
        .as_ref()
        .map(|vmstat| vmstat.iter().map(|(name, value)| Row { view: *view, name, value }).collect())
}

const VMSTAT: &str = "/proc/vmstat";

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.name.into())
        .says("Name of the counter in the kernel.", VMSTAT),
    Column::count("value", "VALUE", |row| row.value.into())
        .says("Count since boot; most names that begin with nr_ are current values.", VMSTAT),
    Column::per_second("rate", "RATE/s", |row| {
        let number = |vmstat: &crate::model::paging::Counters| vmstat.get(row.name);
        if is_state(row.name) {
            return row.view.rise(|snapshot| &snapshot.vmstat, number).into();
        }
        row.view.vmstat_rate(row.name).into()
    })
    .says("Change per second; negative if a current value (nr_*) fell.", VMSTAT),
];

/// Counters since boot whose names begin with `nr_` like current values.
const COUNTED: [&str; 5] = [
    "nr_vmscan_write",
    "nr_vmscan_immediate_reclaim",
    "nr_dirtied",
    "nr_written",
    "nr_throttled_written",
];

/// Whether a counter is a current value rather than a count since boot.
fn is_state(name: &str) -> bool {
    name == "workingset_nodes" || (name.starts_with("nr_") && !COUNTED.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn current_values_are_told_from_counts() {
        for name in ["nr_zspages", "workingset_nodes"] {
            assert!(is_state(name), "{name}");
        }
        for name in ["nr_written", "workingset_nodereclaim", "pswpin"] {
            assert!(!is_state(name), "{name}");
        }
    }
}
