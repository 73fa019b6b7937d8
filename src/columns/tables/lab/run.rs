//! `run`: a run, its machine, settings and workload.

use super::common::{KEPT, fill_table, not_in_snapshots};
use super::setup_differences::carrier;
use crate::columns::spec::Spec;
use crate::columns::{Info, Request, Rows, Value, units};
use crate::derive::lab::{self, FigureScope};
use crate::derive::traffic::Direction;
use crate::model::Reading;
use crate::model::experiment::Experiment;
use crate::model::load::{FolioAdvice, MemoryAmount, WorkerGroup};
use crate::model::name::safe_text;
use crate::model::run::{Run, RunArea};
use crate::model::text;

table!(pub struct RunTable: &'v Run, Column, COLUMNS, |_, _| not_in_snapshots());

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<RunTable>("run", "Run", "id")
    .about("The workload of a run, its machine and its settings")
    .shows("title,conclusion,description,started,repetitions,outcome,kernel,allocation_policy,memory,cpus,page_size,limit,processes,worker_groups,settings,seed")
    .record();

/// The settings as PATH=VALUE, those of large folios sorted by size.
pub(super) fn settings(run: &Run) -> Vec<String> {
    let mut settings: Vec<_> = run.settings.iter().collect();
    settings.sort_by_cached_key(|(path, _)| text::natural_order(path));
    settings.iter().map(|(path, value)| format!("{path}={value}")).collect()
}

/// Describes one worker group in a line.
fn work(work: &WorkerGroup) -> String {
    let mut said = vec![
        format!("{} x {}", work.processes, amount_of_limit(work.size)),
        work.memory.word().to_owned(),
        work.order.word().to_owned(),
        format!("{} accesses", work.touch.word()),
        format!("{} writes", units::percent(work.writes)),
        format!("contents {}", work.contents),
        format!("freed by {}", work.free.word()),
    ];
    if work.rounds > 1 {
        said.push(format!("{} rounds", work.rounds));
    }
    if work.prefault {
        said.push("prefaulted".to_owned());
    }
    said.extend(work.passes.map(|passes| format!("passes {passes}")));
    said.extend(work.seconds.map(|seconds| format!("for {}", units::seconds(seconds))));
    said.extend(work.pace.map(|pace| format!("at most {}/s", units::size(pace))));
    if work.advice != FolioAdvice::None {
        said.push(format!("{} folios", work.advice.word()));
    }
    said.join(", ")
}

/// Describes an area in one word, like a setting.
fn area(area: &RunArea) -> String {
    // The kernel reserves the first page of an area, so sizes are not round.
    let size = units::bytes(area.size.0 as f64);
    format!("{}={}:{size}:{}", area.path.exact(), carrier(area), area.priority)
}

/// The run in one sentence.
fn conclusion(run: &Run) -> Reading<String> {
    let seen = lab::with_stopped_runs(run);
    let figures = lab::figures(&seen);
    let mean = |id: &str| {
        let figure = figures.iter().find(|figure| figure.id == id)?;
        figure.summary().known().map(|summary| summary.mean)
    };
    let Some(elapsed) = mean("elapsed") else {
        return Reading::absent("no repetition was measured");
    };
    let page = run.machine.page_size.map(|size| size as f64);
    let is_of_machine = |id: &str| {
        let mut of_machine = figures.iter().filter(|it| it.scope == FigureScope::Machine);
        of_machine.any(|figure| figure.id == id)
    };
    let place = if is_of_machine("swapped_out") { " on the whole machine" } else { "" };
    let moved = |id: &str, way: &str| {
        let bytes = units::bytes(mean(id)? * page?);
        Some(format!("{bytes} swapped {way}"))
    };
    let swap = match (mean("swapped_in"), mean("swapped_out")) {
        (Some(0.0), Some(0.0)) => vec![Some("nothing was swapped".to_owned())],
        _ => vec![moved("swapped_in", "in"), moved("swapped_out", "out").map(|it| it + place)],
    };
    let rate =
        mean("throughput_sum").map(|rate| format!("throughput {} MiB/s", units::short(rate)));
    let stall = mean("stall_full").filter(|stall| *stall > 0.0).map(|stall| {
        let of = if is_of_machine("stall_full") { " of the machine" } else { "" };
        format!("all tasks{of} stalled for {}", units::seconds(stall))
    });
    let parts: Vec<String> = swap.into_iter().chain([rate, stall]).flatten().collect();
    let repetitions = lab::describe_repetitions(&seen);
    let repeated = if lab::planned_repetitions(run) == 1 {
        String::new()
    } else if lab::completed(&seen).count() == 1 {
        format!(" ({repetitions})")
    } else {
        format!(" (means of {repetitions})")
    };
    let time = units::seconds(elapsed);
    Reading::Known(format!(
        "{}{repeated}.",
        [vec![format!("In {time}")], parts].concat().join(", ")
    ))
}

fn ended(run: &Run) -> String {
    let end = lab::describe_end(run);
    if lab::is_cut_short(run) {
        format!("{end}; the figures cover the time until then")
    } else {
        end
    }
}

fn amount_of_limit(amount: MemoryAmount) -> String {
    match amount {
        MemoryAmount::Bytes(_) => self::amount(amount),
        MemoryAmount::Share(_) => format!("{} of the limit", self::amount(amount)),
    }
}

/// An amount as in the file of a workload.
fn amount(amount: MemoryAmount) -> String {
    match amount {
        MemoryAmount::Bytes(bytes) => units::size(bytes),
        MemoryAmount::Share(share) => units::percent(share),
    }
}

static COLUMNS: &[Column] = &[
    Column::count("id", "Number", |run| run.id.into())
        .says("Number of the stored result; 0 if it is not stored.", KEPT),
    Column::text("title", "Title", |run| run.title.clone().into()).says("Title of the run.", KEPT),
    Column::text("conclusion", "Conclusion", |run| conclusion(run).into())
        .says("The run in one sentence: time, bytes swapped in and out, throughput and PSI full; means of several repetitions.", KEPT),
    Column::text("description", "Description", |run| run.workload.about.clone().into())
        .says("Purpose of the workload.", KEPT),
    Column::text("started", "Started", |run| text::format_date(run.at_ms).into())
        .says("Start time, UTC.", KEPT),
    Column::count("repetitions", "Repetitions", |run| (run.measured.len() as u64).into())
        .says("Number of repetitions.", KEPT),
    Column::text("outcome", "Outcome", |run| ended(run).into()).says("Outcome of the run.", KEPT),
    Column::text("kernel", "Kernel", |run| {
        Reading::or_absent(run.machine.kernel.clone(), "the release was not read").into()
    })
    .says("Kernel release.", KEPT),
    Column::text("allocation_policy", "Allocation", |run| {
        Reading::or_absent(run.machine.policy.clone(), "the allocation policy of this kernel is unknown").into()
    })
    .says("How the kernel chooses among areas of equal priority.", KEPT),
    Column::bytes("memory", "Memory", |run| {
        Reading::or_absent(run.machine.memory, "the memory of the machine was not read").into()
    })
    .says("Total memory of the machine.", KEPT),
    Column::count("cpus", "CPUs", |run| {
        Reading::or_absent(run.machine.cpus, "the number of CPUs was not read").into()
    })
    .says("Number of CPUs of the machine.", KEPT),
    Column::bytes("page_size", "Page size", |run| {
        Reading::or_absent(run.machine.page_size.map(crate::model::Bytes), "the page size was not read").into()
    })
    .says("Page size.", KEPT),
    Column::bytes("limit", "Memory limit", |run| Reading::or_absent(run.limit, "no limit: the whole machine was under pressure").into())
        .says("Memory limit of the workload.", KEPT),
    Column::count("processes", "Processes", |run| {
        run.workload.works.iter().map(|work| u64::from(work.processes)).sum::<u64>().into()
    })
    .says("Number of concurrent processes.", KEPT),
    Column::list("worker_groups", "Worker groups", |run| {
        run.workload.works.iter().map(work).collect::<Vec<_>>().into()
    })
    .says("Each worker group: number and size of processes, kind of memory, access pattern, page contents.", KEPT),
    Column::text("workload", "Workload", |run| run.workload.name.clone().into())
        .says("Name of the workload.", KEPT),
    Column::list("settings", "Settings", |run| settings(run).into())
        .says("Kernel settings as PATH=VALUE.", KEPT),
    Column::list("areas", "Areas", |run| {
        run.machine.areas.iter().map(area).collect::<Vec<_>>().into()
    })
    .says("Areas: path, kind of device with the zram algorithm, size and priority.", KEPT),
    Column::count("seed", "Seed", |run| run.seed.into()).says("Random seed.", KEPT),
    Column::text("version", "Written by", |run| run.version.clone().into())
        .says("Version of swapadm that wrote the result.", KEPT),
];

/// The columns of the setup of a run.
const SETUP_COLUMNS: &str = "kernel,allocation_policy,memory,cpus,limit,areas,settings";

/// The setup of a run as a row.
pub fn setup(run: &Run) -> Result<Rows, String> {
    let request = Request { columns: Some(SETUP_COLUMNS.to_owned()), ..Request::default() };
    fill_table::<RunTable>(&SPEC, &request, &[run]).map(|(_, rows)| rows)
}

/// The setup of all cases, a line for each column; with the values of all cases where they differ.
pub fn setup_lines(experiment: &Experiment) -> Vec<String> {
    let rows: Vec<Rows> = experiment.runs().filter_map(|run| setup(run).ok()).collect();
    let Some(first) = rows.first() else { return Vec::new() };
    let cells = |place: usize| -> Vec<&Value> {
        rows.iter().filter_map(|rows| rows.cells.first()?.get(place)).collect()
    };
    let line = |(place, info): (usize, &&'static Info)| {
        format!("{}: {}", info.head, in_words(&cells(place), info))
    };
    first.infos.iter().enumerate().map(line).collect()
}

/// The values that all cases share, then those that differ by case.
fn in_words(values: &[&Value], info: &Info) -> String {
    let items: Vec<Vec<String>> = values.iter().map(|value| items(value, info)).collect();
    let mut alike: Vec<&str> = Vec::new();
    let mut by_case: Vec<&str> = Vec::new();
    for item in items.iter().flatten() {
        let is_alike = items.iter().all(|of_case| of_case.contains(item));
        let known = if is_alike { &mut alike } else { &mut by_case };
        if !known.contains(&item.as_str()) {
            known.push(item);
        }
    }
    let by_case = (!by_case.is_empty()).then(|| format!("by case {}", by_case.join(", ")));
    let alike = (!alike.is_empty()).then(|| alike.join(", "));
    alike.into_iter().chain(by_case).collect::<Vec<_>>().join("; ")
}

fn items(value: &Value, info: &Info) -> Vec<String> {
    if let Value::List(items) = value
        && !items.is_empty()
    {
        return items.clone();
    }
    vec![value.human(info.unit, false)]
}

/// Notes on runs, with their names if there are several: that one process stayed in memory, and that other programs
/// swapped meanwhile.
pub fn run_notes<'r>(runs: impl IntoIterator<Item = (Option<String>, &'r Run)>) -> Option<String> {
    let runs: Vec<_> = runs.into_iter().collect();
    let each = |note: fn(&Run) -> Option<String>| {
        let named = |(name, run): &(Option<String>, &Run)| {
            let name =
                name.as_ref().map_or_else(String::new, |it| format!(" in {}", safe_text(it)));
            Some(note(run)? + &name)
        };
        let all: Vec<String> = runs.iter().filter_map(named).collect();
        (!all.is_empty()).then(|| all.join("; "))
    };
    let resident = each(times).map(|all| {
        format!(
            "One process stayed in memory and made far more accesses than the others ({all}), so it dominates the total throughput. Compare the pages swapped in instead."
        )
    });
    let others = each(others).map(|all| {
        format!(
            "Other programs swapped meanwhile ({all}): figures of the whole machine and of areas include that."
        )
    });
    let notes: Vec<String> = resident.into_iter().chain(others).collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

fn times(run: &Run) -> Option<String> {
    lab::rate_ratio(run).map(|times| format!("{times:.0} times"))
}

/// The bytes that other programs swapped out and in.
fn others(run: &Run) -> Option<String> {
    let ways = [("out", Direction::Out), ("in", Direction::In)].into_iter();
    let ways = ways.filter_map(|(word, way)| Some((word, lab::bytes_of_others(run, way)?)));
    let ways: Vec<String> = ways.map(|(word, it)| format!("{} {word}", units::bytes(it))).collect();
    (!ways.is_empty()).then(|| ways.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::run::RepetitionEnd;

    #[test]
    fn the_conclusion_counts_the_repetitions_that_it_shows() {
        let text = include_str!("../../../../tests/results/kept/1-before.json");
        let mut run: Run = serde_json::from_str(text).unwrap();
        let end = |run: &Run| conclusion(run).into_result().unwrap();
        let stop = |run: &mut Run, place: usize| {
            run.measured[place].end = RepetitionEnd::Stopped { why: "no memory".to_owned() };
        };
        assert!(end(&run).ends_with(" (means of 3 repetitions)."), "{}", end(&run));
        stop(&mut run, 2);
        assert!(end(&run).ends_with(" (means of 2 of 3 repetitions)."), "{}", end(&run));
        stop(&mut run, 1);
        assert!(end(&run).ends_with(" (1 of 3 repetitions)."), "{}", end(&run));
        run.measured.truncate(1);
        run.repetitions = Some(1);
        assert!(!end(&run).contains("repetition"), "{}", end(&run));
        stop(&mut run, 0);
        assert!(!end(&run).contains("repetition"), "{}", end(&run));
    }
}
