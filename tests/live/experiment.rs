//! A small experiment: where pages go with default, equal and distinct priorities; nothing is left behind,
//! also when it is told to end.

use crate::lab::{Lab, kills, remark, retry};
use crate::loads::workers;
use crate::{areas, at_length, in_lab, program, reference};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Size of areas and memory. In smaller areas, clusters reserved per CPU are a large part.
const LIMIT: &str = "256M";

/// Memory of runs where only the end matters: earlier runs take less time.
const SHORT: &str = "96M";

/// Memory of runs with swap files on a disk, which is slower.
const FILES: &str = "64M";

/// The JSON schema of the output.
const FORM: &str = include_str!("../../schema/swapadm-experiment-run-2.schema.json");

/// Memory of runs that fragment an area: blocks of 2 MiB are a small part of it.
const FOLIOS: &str = "256M";

/// Bytes in a MiB as printed.
const MIB: f64 = 1_048_576.0;

/// Reason for a skipped test.
const LONG: &str =
    "folios that are split: it takes most of a minute, and is run with SWAPADM_KILLS=1";

/// The program with a journal and results of its own.
fn swapadm(lab: &Lab, arguments: &[&str]) -> Command {
    let mut command = program::journalled(lab, arguments);
    command.env("SWAPADM_RESULTS", lab.scratch.file("results"));
    command
}

/// Possible leftovers.
fn left() -> (Vec<String>, Vec<String>) {
    let areas = reference::swaps().into_iter().map(|area| area.name).collect();
    let names = |folder: &str, begin: &str| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(begin)).collect()
    };
    let mut made = names("/sys/block", "zram");
    made.extend(names("/var/tmp", "swapadm-"));
    made.extend(names("/sys/fs/cgroup", "swapadm-"));
    made.extend(names("/sys/fs/cgroup/memory", "swapadm-"));
    made.sort();
    (areas, made)
}

/// Use of each area of a case when the total was highest, in the kernel's order.
fn used(experiment: &Value, case: &str) -> Vec<f64> {
    let cases = experiment["cases"].as_array().expect("cases");
    let run = &cases.iter().find(|it| it["name"] == case).expect("this case")["run"];
    let areas = run["machine"]["areas"].as_array().expect("areas");
    let over_time = &run["measured"][0]["used"];
    let of = |path: &Value, moment: usize| {
        let all = over_time["areas"].as_array().expect("areas over time");
        let area = all.iter().find(|area| area["path"] == *path).expect("this area");
        area["used"][moment].as_f64().unwrap_or(0.0)
    };
    let ours: Vec<&Value> =
        areas.iter().filter(|it| it["ours"] == true).map(|it| &it["path"]).collect();
    let at = |moment: usize| -> Vec<f64> { ours.iter().map(|path| of(path, moment)).collect() };
    let sum = |moment: &usize| at(*moment).iter().sum::<f64>();
    let moments = over_time["at"].as_array().expect("moments").len();
    at((0..moments).max_by(|a, b| sum(a).total_cmp(&sum(b))).expect("a moment"))
}

fn share_of_first(used: &[f64]) -> f64 {
    used[0] / used.iter().sum::<f64>()
}

/// Largest difference of an even distribution: each CPU takes 2 MiB of an area at a time, and 22 % were
/// seen on a busy machine. Where one area fills first, it is 200 % or more.
const EVEN: f64 = 0.5;

fn uneven(used: &[f64]) -> f64 {
    let most = used.iter().copied().fold(0.0, f64::max);
    let least = used.iter().copied().fold(f64::MAX, f64::min);
    (most - least) * used.len() as f64 / used.iter().sum::<f64>()
}

/// Whether experiments can run here, or the reason why they cannot.
fn can_run(lab: &Lab) -> Result<(), String> {
    areas::load_zram();
    can(lab, "A", LIMIT)
}

fn can(lab: &Lab, experiment: &str, limit: &str) -> Result<(), String> {
    let arguments = ["experiment", "run", experiment, "--limit", limit, "--dry-run"];
    let output = swapadm(lab, &arguments).output().expect("the program starts");
    if output.status.success() {
        return Ok(());
    }
    Err(format!("the experiment cannot be run here: {}", program::describe_failure(&output)))
}

#[test]
fn equal_priorities_share_and_default_ones_do_as_the_kernel_does() {
    at_length("equal_priorities_share_and_default_ones_do_as_the_kernel_does", |lab| {
        can_run(lab)?;
        let before = left();
        let arguments =
            ["experiment", "run", "A", "--limit", LIMIT, "--repeat", "1", "--yes", "--json"];
        let document = program::json(&mut swapadm(lab, &arguments));
        assert_eq!(left(), before, "something was left behind");
        program::in_form(FORM, &document);
        let experiment = &document["experiment"];
        assert_eq!(experiment["cases"].as_array().map(Vec::len), Some(3), "{document}");
        let [default, equal, distinct] =
            ["default", "equal", "distinct"].map(|it| used(experiment, it));
        assert!(uneven(&equal) < EVEN, "equal: {equal:?}");
        assert!(share_of_first(&distinct) > 0.6, "distinct: {distinct:?}");
        let policy = &experiment["cases"][0]["run"]["machine"]["policy"];
        match policy.as_str() {
            Some("per NUMA node") => assert!(share_of_first(&default) > 0.6, "{default:?}"),
            Some("round robin") => assert!(uneven(&default) < EVEN, "{default:?}"),
            _ => {}
        }
        let kept = program::json(&mut swapadm(lab, &["results", "list", "--json"]));
        let rows = program::rows(&kept, "results");
        let kinds: Vec<&Value> = rows.iter().map(|row| &row["kind"]).collect();
        assert_eq!(kinds, ["experiment", "run", "run", "run"]);
        Ok(())
    });
}

/// Scripts find the fields of the document in the manual.
#[test]
fn the_documented_experiment_runs() {
    in_lab("the_documented_experiment_runs", |lab| {
        can_run(lab)?;
        let arguments = ["experiment", "run", "A", "--limit", LIMIT, "--dry-run", "--json"];
        let document = program::json(&mut swapadm(lab, &arguments));
        let page = include_str!("../../man/swapadm-experiment-run.8");
        let json = page.split(".SH ").find(|it| it.starts_with("JSON")).expect("a section JSON");
        let named = json.lines().filter_map(|line| line.strip_prefix("\\fB")?.strip_suffix("\\fR"));
        let named: BTreeSet<&str> = named.flat_map(|names| names.split(", ")).collect();
        let members = document.as_object().expect("an object").keys();
        assert_eq!(named, members.map(String::as_str).collect());
        Ok(())
    });
}

/// An experiment with many runs.
fn long(lab: &Lab) -> Child {
    let arguments =
        ["experiment", "run", "A", "--limit", SHORT, "--repeat", "9", "--yes", "--json"];
    swapadm(lab, &arguments).stdout(Stdio::piped()).spawn().expect("the program starts")
}

/// The output after an interruption.
fn interrupted(child: Child) -> Output {
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process number"));
    kill(pid, Signal::SIGINT).expect("the program runs");
    child.wait_with_output().expect("it ends")
}

/// How each run ended.
fn ends(document: &Value) -> Vec<&Value> {
    let cases = document["experiment"]["cases"].as_array().expect("cases");
    let measured = cases.iter().filter_map(|case| case["run"]["measured"].as_array());
    measured.flatten().map(|it| &it["end"]["end"]).collect()
}

#[test]
fn an_experiment_that_is_told_to_end_keeps_what_it_has() {
    at_length("an_experiment_that_is_told_to_end_keeps_what_it_has", |lab| {
        can_run(lab)?;
        let before = left();
        let child = long(lab);
        let journal = lab.scratch.file("journal");
        wait_for_plans(&journal, 3);
        // The load itself is running, and not only its setup.
        let is_at_work = || if workers(lab) < 3 { Err("no worker runs") } else { Ok(()) };
        let at_work = retry(is_at_work);
        let output = interrupted(child);
        at_work?;
        assert_eq!(output.status.code(), Some(4), "{}", program::describe_failure(&output));
        assert_eq!(left(), before, "something was left behind");
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(document["why"].as_str().is_some_and(|why| why.contains("SIGINT")), "{document}");
        program::in_form(FORM, &document);
        let ends = ends(&document);
        assert!(ends.iter().filter(|end| **end == "done").count() >= 2, "{ends:?}");
        assert!(ends.len() < 27, "{ends:?}");
        let kept = program::json(&mut swapadm(lab, &["results", "list", "--json"]));
        let end = format!("incomplete: {} of 27 runs", ends.len());
        assert_eq!(program::rows(&kept, "results")[0]["outcome"], end);
        let kept = program::json(&mut swapadm(lab, &["results", "show", "last", "--json"]));
        assert_eq!(kept["cases"], document["experiment"]["cases"]);
        for member in ["table_columns", "table", "changes"] {
            assert_eq!(kept[member], document[member], "{member}");
        }
        Ok(())
    });
}

#[test]
fn an_experiment_that_is_interrupted_says_so_also_where_nobody_reads() {
    in_lab("an_experiment_that_is_interrupted_says_so_also_where_nobody_reads", |lab| {
        can_run(lab)?;
        let before = left();
        let mut child = long(lab);
        wait_for_plans(&lab.scratch.file("journal"), 1);
        drop(child.stdout.take());
        let output = interrupted(child);
        assert_eq!(output.status.code(), Some(4), "{}", program::describe_failure(&output));
        assert_eq!(left(), before, "something was left behind");
        Ok(())
    });
}

/// The load is over by then, and the next one has not begun.
#[test]
fn an_experiment_that_is_interrupted_while_a_run_gives_back_ends_after_it() {
    at_length("an_experiment_that_is_interrupted_while_a_run_gives_back_ends_after_it", |lab| {
        can_run(lab)?;
        let before = left();
        let child = long(lab);
        let all = before.0.len() + 4;
        let mut came = false;
        for is_there in [|areas: usize, all: usize| areas == all, |areas, all| areas < all] {
            let is_over = Instant::now() + Duration::from_mins(1);
            came = is_there(reference::swaps().len(), all);
            while !came && Instant::now() < is_over {
                std::thread::sleep(Duration::from_millis(1));
                came = is_there(reference::swaps().len(), all);
            }
        }
        let output = interrupted(child);
        assert!(came, "temporary swap is created and removed");
        assert_eq!(output.status.code(), Some(4), "{}", program::describe_failure(&output));
        assert_eq!(left(), before, "something was left behind");
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["why"], "it was interrupted (SIGINT)");
        assert_eq!(ends(&document), ["done"], "{document}");
        Ok(())
    });
}

#[test]
fn an_experiment_that_is_killed_is_recovered() {
    at_length("an_experiment_that_is_killed_is_recovered", |lab| {
        can_run(lab)?;
        let before = left();
        let arguments = ["experiment", "run", "A", "--limit", SHORT, "--repeat", "9", "--yes"];
        let mut command = swapadm(lab, &arguments);
        let mut child = command.stdout(Stdio::null()).spawn().expect("the program starts");
        wait_for_plans(&lab.scratch.file("journal"), 2);
        while reference::swaps().len() < before.0.len() + 4 {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("the program runs");
        child.wait().expect("it ends");
        // The runs before are stored.
        let listed = program::output(&mut swapadm(lab, &["results", "list", "--json"]));
        let listed: Value = serde_json::from_str(&listed).expect("JSON");
        let newest = &listed["tables"]["results"]["rows"][0];
        assert_eq!(newest["kind"], "experiment", "{listed}");
        assert!(newest["repetitions"].as_u64() >= Some(1), "{listed}");
        assert!(newest["outcome"].as_str().is_some_and(|it| it.starts_with("incomplete: ")));
        // Leftovers would be measured as well.
        let only = ["--only", "priorities=equal", "--repeat", "1", "--yes"];
        let again = [&["experiment", "run", "A", "--limit", SHORT][..], &only].concat();
        for more in [&["--json"][..], &["--json", "--dry-run"]] {
            let refused = swapadm(lab, &again).args(more).output().expect("the program starts");
            let document: Value = serde_json::from_slice(&refused.stdout).expect("JSON");
            let checks = document["checks"].as_array().expect("checks");
            let temporary =
                checks.iter().find(|check| check["id"] == "temporary").expect("this check");
            assert_eq!((&temporary["verdict"], refused.status.code()), (&"refuse".into(), Some(3)));
            assert!(
                temporary["text"].as_str().is_some_and(|it| it.contains("run swapadm recover"))
            );
        }
        program::output(&mut swapadm(lab, &["recover", "--yes"]));
        // The next run removes the cgroup of a dead one.
        program::output(&mut swapadm(lab, &again));
        assert_eq!(left(), before, "something was left behind");
        Ok(())
    });
}

/// The value of the case in which a factor has this value.
fn figure(document: &Value, (factor, value): (&str, &str), column: &str) -> Option<f64> {
    let rows = document["table"].as_array().expect("a table");
    let row = rows.iter().find(|row| row[factor] == value).expect("this case");
    row.get(column).unwrap_or_else(|| panic!("no column {column}: {row}")).as_f64()
}

/// The experiment restricted to folios of all sizes. The guard stops runs in which the small area gets too
/// full: then the experiment is repeated.
fn fragmented(lab: &Lab) -> Value {
    let before = left();
    let mut ended = Value::Null;
    for _ in 0..3 {
        let mut command = swapadm(lab, &["experiment", "run", "D", "--limit", FOLIOS, "--json"]);
        command.args(["--only", "folios=64K to 2M", "--repeat", "1", "--yes"]);
        let output = command.output().expect("the program starts");
        assert_eq!(left(), before, "something was left behind");
        ended = serde_json::from_slice(&output.stdout).expect("a document");
        if output.status.success() {
            return ended;
        }
    }
    panic!("no run came to its end: {}", ended["experiment"]["cases"]);
}

/// An area with hardly more space than needed gets fragmented over time; a large one does not.
#[test]
fn large_folios_are_split_as_an_area_is_fragmented() {
    in_lab("large_folios_are_split_as_an_area_is_fragmented", |lab| {
        areas::load_zram();
        if kills().is_none() {
            remark(LONG);
            return Ok(());
        }
        can(lab, "D", FOLIOS)?;
        let document = fragmented(lab);
        let of = |area: &str, column: &str| figure(&document, ("area", area), column);
        if of("small", "swpout_fallback_64kB").is_none() {
            return Err("this kernel does not count folio splits".to_owned());
        }
        let [early, late] = ["fail_early_64kB", "fail_late_64kB"].map(|it| of("small", it));
        assert!(late > early.map(|early| early + 1.0), "{early:?} to {late:?} %");
        for column in ["fail_rate_64kB", "fail_rate_2048kB"] {
            let [small, large] = ["small", "large"].map(|area| of(area, column));
            assert!(small > large.map(|large| large + 1.0), "{column}: {small:?}, {large:?}");
        }
        Ok(())
    });
}

/// The time to release memory is measured by itself, for each way.
#[test]
fn swapped_memory_is_released_in_three_ways() {
    at_length("swapped_memory_is_released_in_three_ways", |lab| {
        areas::load_zram();
        can(lab, "E", FILES)?;
        let before = left();
        let arguments = ["experiment", "run", "E", "--limit", FILES, "--repeat", "1", "--yes"];
        let document = program::json(swapadm(lab, &arguments).arg("--json"));
        assert_eq!(left(), before, "something was left behind");
        for case in ["munmap", "exit", "swapoff"] {
            let figure = |column: &str| figure(&document, ("what is done", case), column);
            let free = figure("free_mean");
            assert!(free.is_some_and(|micros| micros > 1.0), "{case}: {free:?}");
            let switching = ["swapoff", "swapoff_rate", "swapoff_expected"].map(figure);
            let known = switching.iter().all(|figure| figure.is_some_and(|figure| figure > 0.0));
            let missing = switching.iter().all(Option::is_none);
            assert!(if case == "swapoff" { known } else { missing }, "{case}: {switching:?}");
            // A wrong unit is further off than any machine.
            let ratio = switching[0].zip(switching[2]).map(|(took, expected)| took / expected);
            assert!(ratio.is_none_or(|ratio| (0.1..10.0).contains(&ratio)), "{ratio:?}");
            let metadata = figure("metadata");
            assert!(metadata.is_some_and(|bytes| bytes > 0.0), "{case}: {metadata:?}");
        }
        Ok(())
    });
}

/// Pages stored by zswap still use slots of the area, and are never written there.
#[test]
fn zswap_keeps_slots_of_the_pages_it_stores() {
    at_length("zswap_keeps_slots_of_the_pages_it_stores", |lab| {
        if !Path::new("/sys/module/zswap").exists() {
            return Err("this kernel has no zswap".to_owned());
        }
        can(lab, "F", FILES)?;
        let before = left();
        let only = ["--only", "contents=3:1", "--repeat", "1", "--yes", "--json"];
        let mut command = swapadm(lab, &["experiment", "run", "F", "--limit", FILES]);
        let document = program::json(command.args(only));
        assert_eq!(left(), before, "something was left behind");
        let of = |zswap: &str, column: &str| figure(&document, ("zswap", zswap), column);
        let held = |zswap| ["zswap_pool", "zswap_blocked"].map(|it| of(zswap, it).unwrap_or(-1.0));
        let ([_, none], [pool, blocked]) = (held("N"), held("Y"));
        assert!((0.0..blocked / 10.0).contains(&none), "{none} MiB kept without zswap");
        let used: f64 = used(&document["experiment"], "Y 3:1").iter().sum::<f64>() / MIB;
        assert!((0.8..1.05).contains(&(blocked / used)), "{blocked} of {used} MiB are blocked");
        assert!((0.2..0.6).contains(&(pool / blocked)), "{pool} MiB for {blocked} MiB at 3:1");
        let [without, with] = ["N", "Y"].map(|zswap| of(zswap, "device_out").unwrap_or(f64::NAN));
        assert!(with < without / 10.0, "{with} pages are written, {without} without zswap");
        Ok(())
    });
}

/// The kernel reads ahead from a file, except with page-cluster 0.
#[test]
fn page_cluster_decides_what_is_read_ahead_from_a_file() {
    at_length("page_cluster_decides_what_is_read_ahead_from_a_file", |lab| {
        can(lab, "C", FILES)?;
        let before = left();
        let only = ["pattern=sequential", "memory=anonymous", "page-cluster=0,3"];
        let mut command = swapadm(lab, &["experiment", "run", "C", "--limit", FILES]);
        command.args(only.iter().flat_map(|only| ["--only", only]));
        let document = program::json(command.args(["--repeat", "1", "--yes", "--json"]));
        assert_eq!(left(), before, "something was left behind");
        let cases = document["experiment"]["cases"].as_array().expect("cases");
        let ahead = |cluster: &str| {
            let name = format!("sequential anonymous {cluster}");
            let run = &cases.iter().find(|case| case["name"] == *name).expect("this case")["run"];
            let area = &run["machine"]["areas"];
            let ours = area.as_array().expect("areas").iter().find(|area| area["ours"] == true);
            assert_eq!(ours.expect("an area of the run")["kind"], "file", "{area}");
            run["measured"][0]["counters"]["swap_ra"].as_u64().expect("swap_ra")
        };
        let (none, eight) = (ahead("0"), ahead("3"));
        assert!(eight > 1000 && none < eight / 50, "page-cluster 0: {none}, 3: {eight}");
        Ok(())
    });
}

/// The page-cluster matrix as published, with the published figures below: after the run, and when shown
/// again.
#[test]
fn published_figures_stand_below_the_same_columns() {
    at_length("published_figures_stand_below_the_same_columns", |lab| {
        can(lab, "C", FILES)?;
        let before = left();
        let mut command = swapadm(lab, &["experiment", "run", "C", "--limit", FILES, "--yes"]);
        command.args(["--only", "memory=anonymous", "--repeat", "1", "--published"]);
        let told = program::output(&mut command);
        assert_eq!(left(), before, "something was left behind");
        println!("{told}");
        let (_, ours) = told.split_once("Elapsed s, by page-cluster:\n").expect("the table exists");
        let (table, _) = ours.split_once("\nPublished: Elapsed time in s").expect("its machine");
        let (ours, theirs) = table.split_once("\n-- published").expect("theirs in one table");
        let numbers = |pattern: &str| -> Vec<f64> {
            let row = ours.lines().find(|line| line.starts_with(pattern)).expect("the row exists");
            row.split_whitespace().filter_map(|number| number.parse().ok()).collect()
        };
        assert_eq!([numbers("sequential").len(), numbers("random").len()], [3, 3], "{ours}");
        let row = theirs.lines().find(|line| line.starts_with("SSD, sequential  anonymous"));
        let at = |line: &str, digit: &str| line.find(digit).map(|start| start + digit.len());
        let head = ours.lines().find(|line| line.starts_with("pattern")).expect("headings");
        let end = at(head, " 4  detector").map(|end| end - "  detector".len());
        assert_eq!(row.map(|row| at(row, "216.14")), Some(end), "{table}");
        let again = program::output(&mut swapadm(lab, &["results", "show", "last", "--published"]));
        assert!(again.contains(table), "{again}");
        Ok(())
    });
}

#[test]
fn temporary_swap_file_is_removed_however_the_run_ends() {
    in_lab("temporary_swap_file_is_removed_however_the_run_ends", |lab| {
        can(lab, "C", FILES)?;
        let before = left();
        let begin = || {
            let load = ["stress", "run", "readahead", "--with", "passes=100000", "--limit", FILES];
            let mut command = swapadm(lab, &load);
            command.args(["--file", "2x48M", "--yes", "--no-keep"]).stdout(Stdio::null());
            command.spawn().expect("the program starts")
        };
        // Both areas, and then the process that uses them. A slow disk takes long.
        let at_work = || {
            let seen = || (left(), workers(lab));
            let is_there = |((areas, _), workers): &(_, usize)| {
                let areas: &Vec<String> = areas;
                areas.len() == before.0.len() + 2 && *workers == 2
            };
            let wanted = || Some(seen()).filter(|seen| is_there(seen)).map(drop).ok_or(());
            (0..9).find_map(|_| retry(wanted).ok()).ok_or_else(|| format!("at work: {:?}", seen()))
        };
        let mut child = begin();
        let first = at_work();
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process number"));
        kill(pid, Signal::SIGINT).expect("the program runs");
        assert_eq!(child.wait().expect("it ends").code(), Some(4));
        assert_eq!(left(), before, "something was left behind");
        first?;
        let mut child = begin();
        let second = at_work();
        child.kill().expect("the program runs");
        child.wait().expect("it ends");
        second?;
        assert_eq!(left().0.len(), before.0.len() + 2, "no plan was undone yet");
        program::output(&mut swapadm(lab, &["recover", "--yes"]));
        assert_eq!(left(), before, "something was left behind");
        Ok(())
    });
}

/// Waits until this many plans were begun.
fn wait_for_plans(journal: &Path, count: usize) {
    for _ in 0..6000 {
        let text = fs::read_to_string(journal).unwrap_or_default();
        if text.matches("\"begin\"").count() >= count {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the journal never had {count} plans");
}
