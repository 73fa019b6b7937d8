//! What is to be said of two runs beside their figures.

use crate::columns::units::size;
use crate::model::run::{Area, Ending, Run};
use crate::model::{Bytes, numbered};

/// In what else two runs differ: what was run, where, and with which settings.
#[must_use]
pub fn unlike(first: &Run, second: &Run) -> Vec<String> {
    let text = |what: Option<&str>| what.unwrap_or("not known").to_owned();
    let [first_limit, second_limit] = sizes(first.limit.as_slice(), second.limit.as_slice());
    let [first_sizes, second_sizes] = sizes(&area_sizes(first), &area_sizes(second));
    let cpus = |run: &Run| text(run.machine.cpus.map(|cpus| cpus.to_string()).as_deref());
    let path = |it: &Area| it.path.exact();
    let kind = |it: &Area| {
        let kind = text(it.kind.as_deref());
        it.algorithm.as_ref().map_or(kind.clone(), |how| format!("{kind}/{how}"))
    };
    let priority = |it: &Area| it.priority.to_string();
    let mut both = vec![
        ("kernel", text(first.machine.kernel.as_deref()), text(second.machine.kernel.as_deref())),
        (
            "next area",
            text(first.machine.policy.as_deref()),
            text(second.machine.policy.as_deref()),
        ),
        ("processors", cpus(first), cpus(second)),
        ("memory limit", first_limit, second_limit),
        ("areas", areas(first, path), areas(second, path)),
        ("kinds of areas", areas(first, kind), areas(second, kind)),
        ("sizes of areas", first_sizes, second_sizes),
        ("priorities", areas(first, priority), areas(second, priority)),
        ("seed", first.seed.to_string(), second.seed.to_string()),
        ("load", first.workload.name.clone(), second.workload.name.clone()),
    ];
    let mut paths: Vec<&String> = first.settings.keys().chain(second.settings.keys()).collect();
    paths.sort_by_cached_key(|path| numbered::key(path));
    paths.dedup();
    let setting = |run: &Run, path: &String| text(run.settings.get(path).map(String::as_str));
    both.extend(
        paths.iter().map(|path| (path.as_str(), setting(first, path), setting(second, path))),
    );
    let unlike = both.into_iter().filter(|(_, first, second)| first != second);
    let lines = unlike.map(|(what, first, second)| format!("{what}: {first} in A, {second} in B"));
    // Loads of the same name can have been changed between.
    let changed = first.workload != second.workload && first.workload.name == second.workload.name;
    lines.chain(changed.then(|| "the load is called the same and is another".to_owned())).collect()
}

/// Something of each area.
fn areas(run: &Run, of: impl Fn(&Area) -> String) -> String {
    listed(run.machine.areas.iter().map(of))
}

fn area_sizes(run: &Run) -> Vec<Bytes> {
    run.machine.areas.iter().map(|area| area.size).collect()
}

/// Sizes of both; to the byte where they differ by less than is shown.
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

/// Why nothing can be compared, where one of them or both have no repetition that was done.
#[must_use]
pub fn nothing_in_both(first: &Run, second: &Run) -> Option<String> {
    let is_done = |run: &Run| run.measured.iter().any(|it| it.end == Ending::Done);
    let who = match (is_done(first), is_done(second)) {
        (true, true) => return None,
        (true, false) => "B has",
        (false, true) => "A has",
        (false, false) => "A and B have",
    };
    Some(format!("nothing was measured in both: {who} no repetition that was done"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs that tests of the program have.
    fn kept() -> [Run; 2] {
        let before = include_str!("../../../../tests/results/kept/1-before.json");
        let after = include_str!("../../../../tests/results/kept/2-after.json");
        [before, after].map(|text| serde_json::from_str(text).unwrap())
    }

    #[test]
    fn two_runs_are_told_apart_by_what_they_ran_on() {
        let [first, second] = kept();
        assert_eq!(unlike(&first, &first), Vec::<String>::new());
        let told = unlike(&first, &second);
        assert!(
            told.contains(&"next area: per node in A, round robin in B".to_owned()),
            "{told:?}"
        );
        let mut other = first.clone();
        other.settings.clear();
        other.workload.at_most = 1.0;
        let told = unlike(&first, &other);
        assert_eq!(told[0], "proc/sys/vm/page-cluster: 3 in A, not known in B");
        assert!(told[1].contains("is another"), "{told:?}");
    }

    #[test]
    fn settings_of_folios_stand_by_size() {
        let [first, _] = kept();
        let set = |word: &str| {
            let sizes =
                [1024, 128, 64].map(|kib| (format!("thp.{kib}kB.enabled"), word.to_owned()));
            Run { settings: sizes.into(), ..first.clone() }
        };
        let told = unlike(&set("never"), &set("always"));
        let sizes: Vec<&str> = told.iter().filter_map(|line| line.split('.').nth(1)).collect();
        assert_eq!(sizes, ["64kB", "128kB", "1024kB"]);
        assert_eq!(
            super::super::run::settings(&set("never"))[2],
            "thp.1024kB.enabled=never",
            "the table of a run has the same order"
        );
    }

    #[test]
    fn sizes_are_told_as_everywhere_and_to_the_byte_where_they_would_look_alike() {
        let [mut first, _] = kept();
        first.limit = Some(Bytes(64 << 20));
        let with = |limit| unlike(&first, &Run { limit, ..first.clone() });
        assert_eq!(with(Some(Bytes(1 << 30))), ["memory limit: 64M in A, 1G in B"]);
        assert_eq!(with(None), ["memory limit: 64M in A, none in B"]);
        let near = with(Some(Bytes((64 << 20) + 4096)));
        assert_eq!(near, ["memory limit: 67108864 bytes in A, 67112960 bytes in B"]);
        let mut second = first.clone();
        second.machine.areas.truncate(1);
        second.machine.areas[0].size = Bytes(3 << 29);
        let told = unlike(&first, &second);
        assert!(told.iter().any(|line| line.ends_with(", 1.5G in B")), "{told:?}");
    }

    #[test]
    fn what_was_not_done_cannot_be_compared() {
        let [first, second] = kept();
        assert_eq!(nothing_in_both(&first, &second), None);
        let none = Run { measured: Vec::new(), ..second.clone() };
        let mut stopped = second.clone();
        for measured in &mut stopped.measured {
            measured.end = Ending::Stopped { why: "x".to_owned() };
        }
        let told = |first, second| nothing_in_both(first, second).unwrap();
        assert_eq!(
            told(&first, &stopped),
            "nothing was measured in both: B has no repetition that was done"
        );
        assert!(told(&none, &second).contains(": A has no"));
        assert!(told(&none, &stopped).contains(": A and B have no"));
    }
}
