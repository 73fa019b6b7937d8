//! `setup_differences`: how the setups of two runs or experiments differ.

use super::common::{KEPT, not_in_snapshots};
use super::load::load_keys;
use crate::columns::spec::Spec;
use crate::columns::units::size;
use crate::derive::lab;
use crate::model::run::{RepetitionEnd, Run, RunArea};
use crate::model::{Bytes, text};

table!(
    pub struct SetupDifferencesTable: SetupDifference, Column, COLUMNS,
    |_, _| not_in_snapshots()
);

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<SetupDifferencesTable>("setup_differences", "Setup differences", "item")
    .about("Differences in setup between two runs or experiments: machine, settings, workload keys, and cases that only one has")
    .shows("item,first,second");

static COLUMNS: &[Column] = &[
    Column::text("item", "ITEM", |row| row.what.clone().into())
        .says("Item that differs: of the machine, a setting, a workload key, or the state of a case. Cases in brackets if it differs only in some.", KEPT),
    Column::text("first", "A", |row| row.first.clone().into())
        .says("Value in A.", KEPT),
    Column::text("second", "B", |row| row.second.clone().into())
        .says("Value in B.", KEPT),
];

/// An item of the setup that may differ between two results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupDifference {
    what: String,
    first: String,
    second: String,
}

impl SetupDifference {
    pub(super) fn new((what, [first, second]): (&str, [String; 2])) -> Self {
        Self { what: what.to_owned(), first, second }
    }

    /// The difference limited to these cases.
    pub(super) fn in_cases(self, names: &[&str]) -> Self {
        Self { what: format!("{} ({})", self.what, names.join(", ")), ..self }
    }

    pub(super) fn differs(&self) -> bool {
        self.first != self.second
    }

    pub(super) fn line(&self) -> String {
        format!("{}: {} in A, {} in B", self.what, self.first, self.second)
    }
}

/// The setup differences of two runs, line by line.
pub fn difference_lines(first: &Run, second: &Run) -> Vec<String> {
    rows(first, second).iter().map(SetupDifference::line).collect()
}

/// The setup differences of two runs, as rows.
pub(super) fn rows(first: &Run, second: &Run) -> Vec<SetupDifference> {
    let mut rows = machine_differences(first, second);
    rows.extend(load_differences(first, second));
    rows.extend(setting_differences(first, second));
    rows.retain(SetupDifference::differs);
    rows
}

fn machine_differences(first: &Run, second: &Run) -> Vec<SetupDifference> {
    let both = |of: &dyn Fn(&Run) -> String| [of(first), of(second)];
    let path = |it: &RunArea| it.path.exact();
    let priority = |it: &RunArea| it.priority.to_string();
    let cpus = |run: &Run| run.machine.cpus.map(|cpus| cpus.to_string());
    let [first_page, second_page] = [first, second].map(|run| run.machine.page_size.map(Bytes));
    let all = [
        ("page size", sizes(first_page.as_slice(), second_page.as_slice())),
        ("kernel", both(&|run| text(run.machine.kernel.as_deref()))),
        ("allocation", both(&|run| text(run.machine.policy.as_deref()))),
        ("CPUs", both(&|run| text(cpus(run).as_deref()))),
        ("memory limit", sizes(first.limit.as_slice(), second.limit.as_slice())),
        ("areas", both(&|run| areas(run, path))),
        ("kinds of areas", both(&|run| areas(run, carrier))),
        ("sizes of areas", sizes(&area_sizes(first), &area_sizes(second))),
        ("priorities", both(&|run| areas(run, priority))),
        ("seed", both(&|run| run.seed.to_string())),
        ("workload", both(&|run| run.workload.name.clone())),
        ("swapped pages counted for", both(&|run| scope(run, "swapped_out"))),
        ("PSI measured for", both(&|run| scope(run, "stall_full"))),
    ];
    all.into_iter().map(SetupDifference::new).collect()
}

/// The subject of a figure of a run.
fn scope(run: &Run, id: &str) -> String {
    text(lab::figure(run, id).map(|figure| figure.scope.word()))
}

/// Differences of the workloads, key by key: a workload may have changed under its name.
fn load_differences(first: &Run, second: &Run) -> Vec<SetupDifference> {
    let keys = [first, second].map(|run| load_keys(&run.workload));
    let names = named(keys.iter().flatten().map(|(key, _)| key));
    let said = |keys: &[(String, String)], name: &str| {
        let found = keys.iter().find(|(key, text)| key == name && !text.is_empty());
        found.map_or_else(|| "not set".to_owned(), |(_, text)| text.clone())
    };
    let row =
        |name: &&String| SetupDifference::new((name, keys.each_ref().map(|keys| said(keys, name))));
    names.iter().map(row).collect()
}

fn setting_differences(first: &Run, second: &Run) -> Vec<SetupDifference> {
    let mut paths = named(first.settings.keys().chain(second.settings.keys()));
    paths.sort_by_cached_key(|path| text::natural_order(path));
    let setting = |run: &Run, path: &str| text(run.settings.get(path).map(String::as_str));
    let row = |path: &&String| {
        SetupDifference::new((path, [first, second].map(|run| setting(run, path))))
    };
    paths.iter().map(row).collect()
}

/// The names without duplicates, in order.
fn named<'n>(all: impl Iterator<Item = &'n String>) -> Vec<&'n String> {
    let mut known = std::collections::BTreeSet::new();
    all.filter(|name| known.insert(*name)).collect()
}

fn text(what: Option<&str>) -> String {
    what.unwrap_or("unknown").to_owned()
}

/// Kind of device of an area, with the algorithm of zram.
pub(super) fn carrier(area: &RunArea) -> String {
    let kind = text(area.kind.as_deref());
    area.algorithm.as_ref().map_or(kind.clone(), |how| format!("{kind}/{how}"))
}

/// A fact of each area, as a list.
fn areas(run: &Run, of: impl Fn(&RunArea) -> String) -> String {
    listed(run.machine.areas.iter().map(of))
}

fn area_sizes(run: &Run) -> Vec<Bytes> {
    run.machine.areas.iter().map(|area| area.size).collect()
}

/// The sizes of both runs; exact to the byte if they differ but would look equal.
fn sizes(first: &[Bytes], second: &[Bytes]) -> [String; 2] {
    let both = |word: fn(Bytes) -> String| {
        [first, second].map(|sizes| listed(sizes.iter().map(|bytes| word(*bytes))))
    };
    let [short, other] = both(size);
    if first != second && short == other {
        return both(|bytes| format!("{} bytes", bytes.0));
    }
    [short, other]
}

fn listed(all: impl Iterator<Item = String>) -> String {
    let text = all.collect::<Vec<_>>().join(" ");
    if text.is_empty() { "none".to_owned() } else { text }
}

/// Why two runs cannot be compared: one or both have no completed repetition.
pub fn why_not_comparable(first: &Run, second: &Run) -> Option<String> {
    why_cases_not_comparable([Some(first), Some(second)])
}

/// Why two cases cannot be compared; a case may have no run.
pub(super) fn why_cases_not_comparable(runs: [Option<&Run>; 2]) -> Option<String> {
    let is_done =
        |run: &Run| run.measured.iter().any(|measured| measured.end == RepetitionEnd::Done);
    let [first, second] = runs.map(|run| run.is_some_and(is_done));
    let who = match (first, second) {
        (true, true) => return None,
        (true, false) => "B has",
        (false, true) => "A has",
        (false, false) => "A and B have",
    };
    Some(format!("nothing to compare: {who} no completed repetition"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::load::{AccessPattern, MemoryAmount, Workload};

    /// The stored runs of the tests.
    fn kept() -> [Run; 2] {
        let before = include_str!("../../../../tests/results/kept/1-before.json");
        let after = include_str!("../../../../tests/results/kept/2-after.json");
        [before, after].map(|text| serde_json::from_str(text).unwrap())
    }

    #[test]
    fn differences_of_machine_and_settings_are_listed() {
        let [first, second] = kept();
        assert_eq!(difference_lines(&first, &first), Vec::<String>::new());
        let told = difference_lines(&first, &second);
        assert!(
            told.contains(&"allocation: per node in A, round robin in B".to_owned()),
            "{told:?}"
        );
        let mut other = first.clone();
        other.settings.clear();
        other.workload.at_most = 1.0;
        let told = difference_lines(&first, &other);
        assert_eq!(told[0], "at_most: 600s in A, 1s in B");
        assert_eq!(told[1], "proc/sys/vm/page-cluster: 3 in A, unknown in B");
    }

    #[test]
    fn folio_settings_are_sorted_by_size() {
        let [first, _] = kept();
        let set = |word: &str| {
            let sizes =
                [1024, 128, 64].map(|kib| (format!("thp.{kib}kB.enabled"), word.to_owned()));
            Run { settings: sizes.into(), ..first.clone() }
        };
        let told = difference_lines(&set("never"), &set("always"));
        let sizes: Vec<&str> = told.iter().filter_map(|line| line.split('.').nth(1)).collect();
        assert_eq!(sizes, ["64kB", "128kB", "1024kB"]);
        assert_eq!(
            super::super::run::settings(&set("never"))[2],
            "thp.1024kB.enabled=never",
            "the table of a run has the same order"
        );
    }

    #[test]
    fn sizes_that_would_look_equal_are_shown_to_the_byte() {
        let [mut first, _] = kept();
        first.limit = Some(Bytes(64 << 20));
        let with = |limit| difference_lines(&first, &Run { limit, ..first.clone() });
        assert_eq!(with(Some(Bytes(1 << 30))), ["memory limit: 64M in A, 1G in B"]);
        assert_eq!(with(None), ["memory limit: 64M in A, none in B"]);
        let near = with(Some(Bytes((64 << 20) + 4096)));
        assert_eq!(near, ["memory limit: 67108864 bytes in A, 67112960 bytes in B"]);
        let mut second = first.clone();
        second.machine.areas.truncate(1);
        second.machine.areas[0].size = Bytes(3 << 29);
        let told = difference_lines(&first, &second);
        assert!(told.iter().any(|line| line.ends_with(", 1.5G in B")), "{told:?}");
    }

    #[test]
    fn load_values_that_round_alike_are_shown_exactly() {
        let [first, _] = kept();
        let told = |change: fn(&mut Workload, bool)| {
            let of = |is_second| {
                let mut run = first.clone();
                change(&mut run.workload, is_second);
                run
            };
            difference_lines(&of(false), &of(true))
        };
        let size = told(|load, is_second| {
            let size = Bytes(if is_second { 1060 << 20 } else { 1 << 30 });
            load.works[0].size = MemoryAmount::Bytes(size);
        });
        assert_eq!(size, ["size: 1G in A, 1111490560 bytes in B"]);
        let share = told(|load, is_second| {
            load.works[0].size = MemoryAmount::Share(if is_second { 0.254 } else { 0.25 });
        });
        assert_eq!(share, ["size: 25% in A, 25.4% in B"]);
        let writes = told(|load, is_second| {
            load.works[0].writes = if is_second { 0.104 } else { 0.1 };
        });
        assert_eq!(writes, ["writes: 10% in A, 10.4% in B"]);
        let at_most =
            told(|load, is_second| load.at_most = if is_second { 3659.0 } else { 3600.0 });
        assert_eq!(at_most, ["at_most: 3600s in A, 3659s in B"]);
        let pace = told(|load, is_second| {
            load.works[0].pace = Some(Bytes(if is_second { (1 << 30) + 1 } else { 1 << 30 }));
        });
        assert_eq!(pace, ["pace: 1G in A, 1073741825 bytes in B"]);
        let stride = told(|load, is_second| {
            load.works[0].order =
                AccessPattern::Strided { stride: if is_second { 1_048_575 } else { 1 << 20 } };
        });
        assert_eq!(stride, ["stride: 1M in A, 1048575 bytes in B"]);
    }

    #[test]
    fn runs_without_a_finished_repetition_cannot_be_compared() {
        let [first, second] = kept();
        assert_eq!(why_not_comparable(&first, &second), None);
        let none = Run { measured: Vec::new(), ..second.clone() };
        let mut stopped = second.clone();
        for measured in &mut stopped.measured {
            measured.end = RepetitionEnd::Stopped { why: "x".to_owned() };
        }
        let told = |first, second| why_not_comparable(first, second).unwrap();
        assert_eq!(told(&first, &stopped), "nothing to compare: B has no completed repetition");
        assert!(told(&none, &second).contains(": A has no"));
        assert!(told(&none, &stopped).contains(": A and B have no"));
    }
}
