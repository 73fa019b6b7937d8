//! Runs in which one process did nearly all of the work.

use crate::results::sample_runs::{experiment, runs};
use crate::results::{ResultFolder, text};
use swapadm::model::Bytes;
use swapadm::model::run::Run;

const SAID: &str = "One process stayed in memory and made far more accesses than the others";

/// The first process of the second repetition touches memory this many times as fast as the others.
fn faster(mut run: Run, times: u64) -> Run {
    let touched = &mut run.measured[1].tasks[0].touched;
    let others = run_rate(touched.bytes, touched.touch_ns) * times;
    touched.touch_ns = 10_000_000_000;
    touched.bytes = Bytes(others * 10);
    run
}

/// Bytes per second.
fn run_rate(bytes: Bytes, nanos: u64) -> u64 {
    bytes.0 * 1000 / (nanos / 1_000_000)
}

/// The output on one line.
fn stdout_on_one_line(folder: &ResultFolder, args: &[&str]) -> String {
    folder.stdout(args).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_process_that_stayed_in_memory_is_noted_below_the_figures() {
    let folder = ResultFolder::new();
    let [run, ..] = runs();
    assert!(!stdout_on_one_line(&folder, &["show", "1"]).contains(SAID));
    folder.write("most.json", text(&faster(run.clone(), 9)));
    assert!(
        !stdout_on_one_line(&folder, &["show", "most.json"]).contains(SAID),
        "not yet so many times"
    );
    folder.write("apart.json", text(&faster(run, 82)));
    let forms = [
        &["show", "apart.json"][..],
        &["show", "apart.json", "--markdown"],
        &["export", "apart.json", "--format", "html"],
    ];
    for form in forms {
        let said = stdout_on_one_line(&folder, form);
        let figures = said.find("Throughput, sum").unwrap();
        let place = said.find(&format!("{SAID} (83 times)")).unwrap_or_else(|| panic!("{said}"));
        assert!(place > figures && said.contains("Compare the pages swapped in"), "{said}");
    }
}

/// Groups of processes do different work, and are not compared with each other.
#[test]
fn processes_of_other_groups_are_not_compared() {
    let folder = ResultFolder::new();
    let [run, ..] = runs();
    let mut run = faster(run, 82);
    run.measured[1].tasks[0].work = 1;
    folder.write("apart.json", text(&run));
    assert!(!stdout_on_one_line(&folder, &["show", "apart.json"]).contains(SAID));
}

#[test]
fn comparisons_name_the_run_with_a_dominant_process() {
    let folder = ResultFolder::new();
    let [before, after, _] = runs();
    assert!(!stdout_on_one_line(&folder, &["compare", "1", "2"]).contains(SAID));
    folder.write("apart.json", text(&faster(after, 82)));
    let said = stdout_on_one_line(&folder, &["compare", "1", "apart.json"]);
    assert!(said.contains(&format!("{SAID} (83 times in B)")), "{said}");
    folder.write("too.json", text(&faster(before, 41)));
    for form in ["--markdown", "--all"] {
        let said = stdout_on_one_line(&folder, &["compare", "too.json", "apart.json", form]);
        assert!(said.contains(&format!("{SAID} (42 times in A; 83 times in B)")), "{said}");
    }
}

#[test]
fn an_experiment_names_the_cases_with_a_dominant_process() {
    let folder = ResultFolder::new();
    let mut one = experiment();
    folder.write("4-plain.json", text(&one));
    assert!(!stdout_on_one_line(&folder, &["show", "4"]).contains(SAID));
    one.cases[1].run = one.cases[1].run.take().map(|run| faster(run, 82));
    folder.write("5-apart.json", text(&one));
    for form in [&["show", "5"][..], &["export", "5", "--format", "html"]] {
        let said = stdout_on_one_line(&folder, form);
        assert!(said.contains(&format!("{SAID} (83 times in equal)")), "{said}");
    }
    let said = stdout_on_one_line(&folder, &["compare", "4", "5"]);
    assert!(said.contains(&format!("{SAID} (83 times in equal of B)")), "{said}");
    assert_eq!(said.matches(SAID).count(), 1, "{said}");
}
