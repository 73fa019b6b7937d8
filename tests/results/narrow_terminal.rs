//! Tables on a terminal of 80 columns, and the notes below them.

use crate::results::sample_runs::runs;
use crate::results::{ResultFolder, text};
use swapadm::columns::tables::lab;
use swapadm::columns::{Request, Rows, Style};
use swapadm::lab::store::Store;
use swapadm::model::Bytes;
use swapadm::model::run::{RepetitionEnd, Run};
use swapadm::report::table::{TableOptions, lines};

fn on_80_cells(rows: &Rows) -> Vec<String> {
    on(80, rows)
}

fn on(cells: usize, rows: &Rows) -> Vec<String> {
    lines(rows, TableOptions { width: Some(cells), ..TableOptions::default() })
}

#[test]
fn no_table_passes_the_edge_of_a_terminal() {
    let [before, after, _] = runs();
    for cells in [60, 80, 120] {
        let mut tables = lab::run_tables(&before, &Request::default()).unwrap();
        tables.push(lab::compare_runs(&before, &after, &Request::default()).unwrap());
        tables.retain(|(spec, _)| spec.style == Style::Rows);
        for (spec, rows) in &tables {
            let lines = on(cells, rows);
            let wide: Vec<&String> = lines.iter().filter(|line| line.len() > cells).collect();
            assert!(wide.is_empty(), "{} on {cells}: {wide:#?}", spec.name);
        }
    }
}

#[test]
fn figures_that_are_compared_keep_their_units() {
    let [before, after, _] = runs();
    let (_, rows) = lab::compare_runs(&before, &after, &Request::default()).unwrap();
    let lines = on_80_cells(&rows);
    assert!(lines.iter().all(|line| line.len() <= 80), "{lines:#?}");
    let line = |name: &str| lines.iter().find(|line| line.starts_with(name)).unwrap();
    assert!(line("Throughput, sum MiB/s").contains("+25.0+-3.2%"), "{lines:#?}");
    assert!(line("Free latency, mean us").contains("lower: better"), "{lines:#?}");
}

#[test]
fn results_keep_their_kind_and_when_they_began() {
    let folder = ResultFolder::new();
    let entries = Store::in_folder(folder.0.path()).list().unwrap();
    let (_, rows) = lab::results_table(&entries, &Request::default()).unwrap();
    let head = on_80_cells(&rows).swap_remove(0);
    assert!(
        ["KIND", "STARTED", "TITLE", "OUTCOME"].iter().all(|name| head.contains(name)),
        "{head}"
    );
}

#[test]
fn sparse_sampling_of_touches_is_noted() {
    let said = "The kind of fault is determined for one in 64 accesses";
    let folder = ResultFolder::new();
    for form in [&["show", "1"][..], &["export", "1", "--format", "html"]] {
        assert_eq!(folder.stdout(form).matches(said).count(), 1, "{form:?}");
    }
    let [mut run, ..] = runs();
    for task in run.measured.iter_mut().flat_map(|it| &mut it.tasks) {
        task.touched.latency.sampled = 1;
    }
    folder.write("all.json", text(&run));
    let shown = folder.stdout(&["show", "all.json"]);
    assert!(shown.contains("(latency)") && !shown.contains("kind of fault"), "{shown}");
}

#[test]
fn below_a_comparison_stands_what_its_signs_mean() {
    let folder = ResultFolder::new();
    for form in [&["compare", "1", "2"][..], &["compare", "1", "2", "--markdown"]] {
        let printed = folder.stdout(form).replace('\n', " ");
        assert!(printed.contains("after a change the 95% confidence interval"), "{printed}");
    }
    let lines = folder.stdout(&["compare", "1", "2"]);
    let below = lines.split("\n\n").last().unwrap();
    assert!(below.lines().all(|line| line.len() <= 80), "{below}");
    assert!(!folder.stdout(&["compare", "1", "2", "--csv"]).contains("after a mean"));
}

#[test]
fn a_run_stopped_before_any_sample_is_empty() {
    let [done, mut stopped, _] = runs();
    assert!(!done.is_empty());
    for measured in &mut stopped.measured {
        measured.end = RepetitionEnd::Stopped { why: "it was interrupted (SIGINT)".to_owned() };
        measured.tasks.clear();
    }
    assert!(!stopped.is_empty(), "its areas were seen over time");
    stopped.measured.iter_mut().for_each(|it| it.used.at = vec![0.0, 0.02]);
    assert!(stopped.is_empty(), "nothing was seen but its begin and its end");
    stopped.measured.iter_mut().for_each(|it| it.used.at = vec![0.0, 0.01, 0.02, 0.03]);
    assert!(stopped.is_empty(), "a few looks at its areas tell nothing");
    stopped.measured[0].end = RepetitionEnd::Failed { why: "a process was killed".to_owned() };
    assert!(!stopped.is_empty(), "the kill is reported");
    stopped.measured.iter_mut().for_each(|it| it.elapsed = None);
    assert!(stopped.is_empty(), "no process was ever started");
    assert!(Run { measured: Vec::new(), ..done }.is_empty());
}

/// Also with long figures that are nearly equal.
#[test]
fn both_means_fit_80_columns() {
    let [mut before, mut after, _] = runs();
    for (run, by) in [(&mut before, 17_537.0), (&mut after, 33_929.0)] {
        for (measured, more) in run.measured.iter_mut().zip([0.1, 3.3, 5.7]) {
            measured.elapsed = Some(by + more);
            measured.swapoff = Some(2.6205 + more / 1e4);
            measured.switched_off = Some(Bytes(300 << 20));
        }
    }
    let (_, rows) = lab::compare_runs(&before, &after, &Request::default()).unwrap();
    let lines = on_80_cells(&rows);
    let heads: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(heads, ["FIGURE", "A", "B", "B-A", "VERDICT"], "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("Swapoff rate MiB/s")), "{lines:#?}");
}
