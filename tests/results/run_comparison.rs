//! Rows of a comparison, and the form of its numbers.

use crate::results::sample_runs::runs;
use crate::results::{ResultFolder, text};
use swapadm::columns::tables::lab;
use swapadm::model::Bytes;
use swapadm::model::load::{AccessPattern, MemoryAmount};

/// The first column of a comparison's table.
fn shown(folder: &ResultFolder, args: &[&str]) -> Vec<String> {
    let printed = folder.stdout(&[&["compare", "1", "2"], args].concat());
    let table = printed.split_once("\nFIGURE").map_or("", |(_, table)| table);
    let table = table.split("\n\n").next().unwrap_or_default();
    table.lines().skip(1).map(|line| line.split("  ").next().unwrap().to_owned()).collect()
}

#[test]
fn a_filter_matches_the_shown_text() {
    let folder = ResultFolder::new();
    let rows = shown(&folder, &["--filter", "figure~latency"]);
    assert!(rows.contains(&"Free latency, mean us".to_owned()), "{rows:?}");
    let others: Vec<&String> =
        rows.iter().filter(|it| !it.to_lowercase().contains("latency")).collect();
    assert!(others.is_empty(), "{others:?}");
    // Programs see the column ids.
    let ids = folder.stdout(&["compare", "1", "2", "--csv", "--filter", "figure~latency_minor"]);
    assert!(ids.lines().skip(1).all(|line| line.starts_with("latency_minor")), "{ids}");
    let figures = folder.json(&["compare", "1", "2", "--json", "--filter", "figure=elapsed"]);
    assert_eq!(figures["tables"]["comparison"]["rows"].as_array().unwrap().len(), 1);
}

#[test]
fn a_filter_brings_no_rows_that_hold_nothing() {
    let folder = ResultFolder::new();
    let minor = ["--filter", "figure~minor"];
    assert_eq!(shown(&folder, &minor), ["Minor faults count"]);
    let all = shown(&folder, &[&minor[..], &["--all"]].concat());
    assert!(all.contains(&"Minor fault p50 us".to_owned()), "{all:?}");
}

/// Two runs in which nothing was read from swap.
fn idle() -> ResultFolder {
    let folder = ResultFolder::new();
    for (name, mut run) in ["1-before.json", "2-after.json"].into_iter().zip(runs()) {
        for measured in &mut run.measured {
            measured.counters.insert("pswpin".to_owned(), 0);
        }
        folder.write(name, text(&run));
    }
    folder
}

#[test]
fn rows_of_zero_are_left_out_and_counted() {
    let folder = idle();
    let is_there = |args: &[&str]| shown(&folder, args).contains(&"Swapped in pages".to_owned());
    assert!(!is_there(&[]));
    assert!(is_there(&["--all"]) && is_there(&["--filter", "figure~swapped"]));
    let output = folder.run(&["compare", "1", "2"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("that are 0 in both, or missing in one of the two"), "{said}");
    let rows =
        folder.json(&["compare", "1", "2", "--json"])["tables"]["comparison"]["rows"].clone();
    let zero = |id: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["figure"] == id).unwrap();
        row["both_zero"].clone()
    };
    assert_eq!((zero("swapped_in"), zero("swapped_out")), (true.into(), false.into()));
}

#[test]
fn shares_are_compared_in_percentage_points() {
    let printed = ResultFolder::new().stdout(&["compare", "1", "2"]);
    let line = |name: &str| printed.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("zram0 at peak %").contains("  -52+-0 pp  "), "{printed}");
    assert!(line("64kB failures %").contains("  -20+-0 pp  "), "{printed}");
    assert!(line("Elapsed s").contains("  -20.0+-2.3%  "), "{printed}");
    assert!(printed.contains("in\npercentage points (pp)"), "{printed}");
}

/// Percent of almost zero would be a meaningless number.
#[test]
fn large_growth_is_shown_as_a_factor() {
    let folder = idle();
    let [mut second, ..] = runs();
    for measured in &mut second.measured {
        measured.counters.insert("pswpin".to_owned(), 146_000);
    }
    let mut first = second.clone();
    for (measured, count) in first.measured.iter_mut().zip([0, 3, 0]) {
        measured.counters.insert("pswpin".to_owned(), count);
    }
    folder.write("none.json", text(&first));
    folder.write("many.json", text(&second));
    let compare = ["compare", "none.json", "many.json"];
    for form in [&compare[..], &[&compare[..], &["--markdown"]].concat()] {
        let printed = folder.stdout(form);
        let line = printed.lines().find(|line| line.contains("Swapped in pages")).unwrap();
        assert!(line.contains("146k times") && !line.contains("M%"), "{printed}");
    }
    let printed = folder.stdout(&["compare", "many.json", "none.json"]);
    assert!(printed.contains("  -100.0+-0.1%  "), "less is no more than all of it: {printed}");
}

#[test]
fn load_differences_are_listed_key_by_key() {
    let folder = ResultFolder::new();
    let [first, ..] = runs();
    let mut second = first.clone();
    second.workload.at_most = 60.0;
    second.workload.works[0].size = MemoryAmount::Bytes(Bytes(96 << 20));
    second.workload.works[0].order = AccessPattern::Zipf { skew: 0.9 };
    folder.write("one.json", text(&first));
    folder.write("other.json", text(&second));
    let compare = ["compare", "one.json", "other.json"];
    let printed = folder.stdout(&compare);
    let told =
        ["at_most: ", "size: 50M in A, 96M in B", "pattern: ", "skew: not set in A, 0.9 in B"];
    for line in told {
        assert!(printed.lines().any(|it| it.starts_with(line)), "{line}: {printed}");
    }
    let rows =
        folder.json(&[&compare[..], &["--json"]].concat())["tables"]["setup_differences"]["rows"]
            .clone();
    let size = rows.as_array().unwrap().iter().find(|row| row["item"] == "size").unwrap();
    assert_eq!((&size["first"], &size["second"]), (&"50M".into(), &"96M".into()));
    let page = folder.stdout(&["export", "one.json", "other.json", "--format", "html"]);
    assert!(page.contains("<td>size</td><td>50M</td><td>96M</td>"), "{page}");
}

/// Every key of a load file is compared.
#[test]
fn every_key_of_a_load_is_compared() {
    let [run, ..] = runs();
    let mut said: Vec<String> = Vec::new();
    let phases = AccessPattern::Phases { hot: 0.1, hits: 0.9, length: 1.0 };
    for order in
        [AccessPattern::Strided { stride: 4096 }, AccessPattern::Zipf { skew: 1.0 }, phases]
    {
        let mut load = run.workload.clone();
        load.works.truncate(1);
        load.works[0].order = order;
        said.extend(lab::load_keys(&load).into_iter().map(|(key, _)| key));
    }
    let about = "about";
    let missing: Vec<String> = swapadm::lab::load::keys::KEYS
        .lines()
        .map(|line| line.key)
        .filter(|key| key != about && key != "work" && !said.contains(key))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Several runs on one page are compared with the first one, as by the command.
#[test]
fn a_page_of_several_runs_says_what_differs_by_more_than_noise() {
    let folder = ResultFolder::new();
    let page = folder.stdout(&["export", "1", "2", "--format", "html"]);
    assert!(page.contains("<td>Elapsed s</td>") && page.contains("<td>lower: better</td>"));
    assert!(page.contains("after a change the 95% confidence interval"), "the signs are explained");
    let alone = folder.stdout(&["export", "1", "--format", "html"]);
    assert!(!alone.contains("lower: better"));
}
