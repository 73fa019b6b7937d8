//! Compares the tables with the kernel and util-linux, to the byte.

use crate::lab::retry;
use crate::program::{self, NOBODY, rows, table};
use crate::reference::{self, quiet};
use crate::scene::Scene;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// Areas of equal priority must be used evenly.
pub(crate) fn pair_is_balanced(scene: &Scene<'_>) {
    let (swaps, groups) =
        quiet("/proc/swaps", reference::swaps, || Some(table("groups", &["-o", "all"])));
    let mut pair = scene.pair.iter().map(|area| used(&swaps, &area.path));
    let (first, second) = (pair.next().unwrap_or(0), pair.next().unwrap_or(0));
    assert!(first > 0 && second > 0, "one area of the pair is unused: {first} and {second}");
    let group = &groups[0];
    assert_eq!(group["areas"], 2, "the pair has the highest priority: {group}");
    assert_eq!(group["used"], first + second);
    let skew = group["imbalance"].as_f64().expect("a skew");
    let expected = first.abs_diff(second) as f64 / 2.0 / (first + second) as f64;
    assert!((skew - expected).abs() < 1e-3, "{skew} should be {expected}");
    assert!(skew < 0.1, "{first} and {second} are out of balance");
}

fn used(swaps: &[reference::Swap], path: &Path) -> u64 {
    let name = path.to_string_lossy();
    let area = swaps.iter().find(|area| area.name == name);
    area.unwrap_or_else(|| panic!("{name} is not in {swaps:?}")).used
}

/// `devices`, in both forms.
pub(crate) fn devices(scene: &Scene<'_>) {
    devices_as_json(scene);
    devices_as_swapon_shows_them();
}

fn devices_as_json(scene: &Scene<'_>) {
    let arguments = ["-o", "all", "--sort", "name"];
    let shown = || Some(table("devices", &[&arguments[..], &["--bytes"]].concat()));
    let (mut swaps, shown) = quiet("/proc/swaps", reference::swaps, shown);
    swaps.sort_by(|a, b| a.name.cmp(&b.name));
    let facts = |area: &reference::Swap| {
        json!([area.name, area.kind, area.size, area.used, area.priority, area.size - area.used])
    };
    let columns = ["name", "type", "size", "used", "priority", "free"];
    let picked = |row: &Value| columns.iter().map(|column| row[column].clone()).collect();
    let expected: Vec<Value> = swaps.iter().map(facts).collect();
    let found: Vec<Value> = shown.iter().map(picked).collect();
    assert_eq!(found, expected);
    let ours = scene.titles();
    assert_eq!(ours.len(), 3 + usize::from(scene.file.is_some()));
    for (path, kind, title) in ours {
        let row = row_of(&shown, "name", &path.to_string_lossy().into());
        assert_eq!(row["kind"], kind);
        assert_eq!(row["label"], title.label);
        assert_eq!(row["uuid"], title.uuid);
        assert_eq!(row["header_page"], crate::areas::page_size());
        assert!(number(row, "used") > 0, "the load fills all areas: {row}");
    }
}

fn devices_as_swapon_shows_them() {
    let reference = || reference::swapon_show("NAME,TYPE,SIZE,USED,PRIO,UUID");
    if reference().is_none() {
        return crate::lab::remark("comparison with swapon --show: not available");
    }
    // Sorting by `name` last would do too; swapon prints in the kernel's order.
    let (expected, mut shown) =
        quiet("swapon --show", reference, || Some(raw("name,type,size,used,priority,uuid")));
    let mut expected = expected.unwrap_or_default();
    expected.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, expected);
    // Programs differ in how they print labels with blanks and non-ASCII letters in raw form: only plain
    // labels are compared.
    let plain = |lines: Vec<String>| -> Vec<String> {
        let label = |line: &String| line.ends_with("swapadm-live-0") || line.ends_with("-16c");
        let mut lines: Vec<_> = lines.into_iter().filter(label).collect();
        lines.sort_unstable();
        lines
    };
    let labels = plain(reference::swapon_show("NAME,LABEL").unwrap_or_default());
    assert_eq!(plain(raw("name,label")), labels);
    assert!(!labels.is_empty());
}

/// The lines of `devices` in raw form.
fn raw(columns: &str) -> Vec<String> {
    let arguments = ["devices", "--bytes", "--raw", "--noheadings", "-o", columns];
    let text = program::output(&mut program::command(&program::built(), &arguments));
    text.lines().map(str::to_owned).collect()
}

/// `zram`, against sysfs and `zramctl`.
pub(crate) fn zram(scene: &Scene<'_>) {
    let shown = || answered(table("zram", &["--all", "-o", "all", "--bytes"]));
    let (devices, shown) = quiet("zram", zram_in_sysfs, shown);
    assert_eq!(shown.len(), devices.len());
    for (name, facts) in &devices {
        let row = row_of(&shown, "name", &name.as_str().into());
        for (column, expected) in facts {
            assert_eq!(&row[column], expected, "{column} of {name}");
        }
    }
    for area in &scene.pair {
        let name = area.path.file_name().unwrap_or_default().to_string_lossy();
        derived(row_of(&shown, "name", &name.into()));
    }
    zram_as_zramctl_shows_it();
}

/// On 7.x kernels a child process reads the statistics, and on a slow machine it may time out: then the
/// values are missing with that reason, and the read is repeated.
pub(crate) fn answered(rows: Vec<Value>) -> Option<Vec<Value>> {
    let late = |row: &Value| row["missing"].to_string().contains("did not answer");
    if rows.iter().any(late) { None } else { Some(rows) }
}

type ZramFacts = BTreeMap<&'static str, Value>;

fn zram_in_sysfs() -> Vec<(String, ZramFacts)> {
    let folder = std::fs::read_dir("/sys/block").expect("/sys is mounted");
    let names = folder.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("zram")).collect();
    names.sort_unstable();
    names.into_iter().map(|name| (name.clone(), zram_facts(&name))).collect()
}

fn zram_facts(name: &str) -> ZramFacts {
    let folder = Path::new("/sys/block").join(name);
    let numbers = |file: &str| reference::numbers(&folder.join(file));
    let page = crate::areas::page_size();
    let (mm, io) = (numbers("mm_stat"), numbers("io_stat"));
    let mut facts = ZramFacts::from([
        ("disksize", json!(numbers("disksize")[0])),
        ("orig", json!(mm[0])),
        ("compressed", json!(mm[1])),
        ("memory", json!(mm[2])),
        ("limit", shown_limit(mm[3])),
        ("memory_max", json!(mm[4])),
        ("same", json!(mm[5] * page)),
        ("compacted", json!(mm[6] * page)),
        ("huge", json!(mm[7] * page)),
        ("failed_reads", json!(io[0])),
        ("failed_writes", json!(io[1])),
        ("notify_free", json!(io[3])),
        ("initialised", json!(numbers("initstate")[0] == 1)),
    ]);
    facts.insert("huge_since", mm.get(8).map_or(Value::Null, |pages| json!(pages * page)));
    let swaps = reference::swaps();
    let area = swaps.iter().find(|area| area.name == format!("/dev/{name}"));
    facts.insert("swap_used", area.map_or(Value::Null, |area| json!(area.used)));
    facts.insert("swap_priority", area.map_or(Value::Null, |area| json!(area.priority)));
    facts
}

/// Derived columns must follow from the others.
fn derived(row: &Value) {
    let data = number(row, "data");
    assert_eq!(data, number(row, "orig") - number(row, "same"));
    assert_eq!(number(row, "overhead"), number(row, "memory") - number(row, "compressed"));
    let expected = data as f64 / number(row, "compressed") as f64;
    let ratio = row["ratio"].as_f64().expect("a ratio");
    assert!((ratio - expected).abs() < 1e-3, "{ratio} should be {expected}");
    assert!(ratio > 1.3 && ratio < 6.0, "the load compresses by about two: {ratio}");
}

fn zram_as_zramctl_shows_it() {
    if reference::zramctl().is_none() {
        return crate::lab::remark("comparison with zramctl: not installed");
    }
    let shown = || answered(table("zram", &["--all", "-o", "all"]));
    let (devices, shown) = quiet("zramctl", reference::zramctl, shown);
    let page = crate::areas::page_size();
    for device in devices.into_iter().flatten() {
        let name = device["NAME"].trim_start_matches("/dev/");
        let row = row_of(&shown, "name", &name.into());
        let pages = ["ZERO-PAGES", "MIGRATED"];
        for (theirs, ours) in ZRAMCTL {
            let unit = if pages.contains(&theirs) { page } else { 1 };
            let number = device[theirs].parse::<u64>().expect("a number") * unit;
            let expected = if ours == "limit" { shown_limit(number) } else { json!(number) };
            assert_eq!(row[ours], expected, "{ours} of {name}");
        }
        assert_eq!(row["algorithm"], device["ALGORITHM"].as_str());
        // Without the file, zramctl counts the processors itself.
        if !row["streams"].is_null() {
            assert_eq!(row["streams"].to_string(), device["STREAMS"]);
        }
    }
}

/// The memory limit that `zram` shows for that of the kernel, where 0 is unlimited.
fn shown_limit(bytes: u64) -> Value {
    if bytes == 0 { json!("max") } else { json!(bytes) }
}

const ZRAMCTL: [(&str, &str); 8] = [
    ("DISKSIZE", "disksize"),
    ("DATA", "orig"),
    ("COMPR", "compressed"),
    ("TOTAL", "memory"),
    ("MEM-LIMIT", "limit"),
    ("MEM-USED", "memory_max"),
    ("ZERO-PAGES", "same"),
    ("MIGRATED", "compacted"),
];

/// `paging`: counters under the kernel's own names.
pub(crate) fn paging() {
    const NAMES: [&str; 7] =
        ["pswpin", "pswpout", "zswpin", "zswpout", "swpin_zero", "swpout_zero", "oom_kill"];
    let reference = || {
        let all = reference::counters("/proc/vmstat");
        NAMES.map(|name| all.get(name).copied())
    };
    let columns = NAMES.join(",");
    let (expected, shown) =
        quiet("/proc/vmstat", reference, || Some(table("paging", &["-o", &columns])));
    for (name, expected) in NAMES.into_iter().zip(expected) {
        assert_eq!(shown[0][name], json!(expected), "{name}");
        let reason = shown[0]["missing"][name]["kind"].as_str();
        assert_eq!(reason, expected.is_none().then_some("absent"), "{name}");
    }
    assert!(number(&shown[0], "pswpout") > 0, "the load swaps");
}

fn number(row: &Value, column: &str) -> u64 {
    row[column].as_u64().unwrap_or_else(|| panic!("{column} is missing: {row}"))
}

/// `processes`: the load and its numbers.
pub(crate) fn processes(scene: &Scene<'_>) {
    let shown = || Some(table("processes", &["-o", "all"]));
    let (expected, found) = quiet("VmSwap of all", reference::swapped_processes, shown);
    let pair = |row: &Value| (number(row, "pid"), number(row, "swap"));
    let found: BTreeMap<u64, u64> = found.iter().map(pair).collect();
    assert_eq!(found, expected);
    let pid = scene.hog.pid();
    let filter = format!("pid={pid}");
    let shown = || Some(table("processes", &["-o", "all", "--filter", &filter]));
    let (status, shown) = quiet("the load", || reference::status(pid), shown);
    let status = status.expect("the load is alive");
    let row = &shown[0];
    for (column, name) in [("swap", "VmSwap"), ("rss", "VmRSS"), ("shmem", "RssShmem")] {
        assert_eq!(row[column], json!(reference::bytes(&status, name)), "{name}");
    }
    assert_eq!(row["name"], status["Name"].as_str());
    assert_eq!(row["ppid"], std::process::id());
    assert_eq!(row["uid"], 0);
    assert!(row["cgroup"].as_str().is_some_and(|path| path.ends_with(crate::lab::OURS)), "{row}");
    assert!(number(row, "swap") > 32 << 20, "most of the load is in swap: {row}");
    mappings(pid);
}

/// `processes PID`: the mappings of a process whose swap is all private hold what the kernel counts.
fn mappings(pid: u32) {
    let arguments = ["processes", &pid.to_string(), "--json"];
    let shown = || Some(program::json(&mut program::command(&program::built(), &arguments)));
    let (status, shown) = quiet("the mappings", || reference::status(pid), shown);
    let mappings = rows(&shown, "mappings");
    let swap: u64 = mappings.iter().map(|row| number(row, "swap")).sum();
    assert_eq!(json!(swap), json!(reference::bytes(&status.expect("alive"), "VmSwap")));
    assert_eq!(rows(&shown, "processes")[0]["pid"], pid);
}

/// `cgroups`: the numbers of the load's cgroup.
pub(crate) fn cgroups(scene: &Scene<'_>) {
    let reference = || (scene.cage.swap(), scene.cage.memory());
    let shown = || Some(table("cgroups", &["-o", "all"]));
    let ((swap, memory), shown) = quiet("the cgroup", reference, shown);
    let row = row_of(&shown, "path", &scene.cage.path.as_str().into());
    assert_eq!(row["swap"], swap);
    assert_eq!(row["memory"], memory);
    assert_eq!(row["memory_max"], 64 << 20);
    assert!(swap > 32 << 20, "the cgroup contains the load: {row}");
}

/// Without privileges every value is either the same or missing with its reason.
pub(crate) fn nobody_sees_the_same_or_the_reason(scene: &Scene<'_>) {
    for name in ["devices", "zram", "groups"] {
        let own = || answered(table(name, &["-o", "all"])).ok_or("late");
        let read = || retry(own).expect("an answer in time");
        let (expected, found) = quiet(name, read, || answered(table_of_nobody(scene, name)));
        assert_eq!(found.len(), expected.len());
        for (mine, theirs) in found.iter().zip(&expected) {
            same_or_reason(mine, theirs);
        }
    }
    for row in table_of_nobody(scene, "devices") {
        for column in ["label", "uuid"] {
            let kind = row["missing"][column]["kind"].as_str();
            assert!(row[column].is_string() || kind == Some("denied"), "{column}: {row}");
        }
    }
    let mut report = as_nobody(scene, &["report", "--json"]);
    assert!(program::json(&mut report)["tables"]["devices"]["rows"].is_array());
    program::output(&mut as_nobody(scene, &["status"]));
}

fn as_nobody(scene: &Scene<'_>, arguments: &[&str]) -> Command {
    let mut command = program::command(&scene.lab.scratch.program(), arguments);
    command.uid(NOBODY).gid(NOBODY).current_dir("/");
    command
}

fn table_of_nobody(scene: &Scene<'_>, table: &str) -> Vec<Value> {
    let arguments = [table, "--json", "-o", "all"];
    rows(&program::json(&mut as_nobody(scene, &arguments)), table)
}

fn same_or_reason(mine: &Value, theirs: &Value) {
    let theirs_by_name = theirs.as_object().expect("a row");
    for (column, value) in mine.as_object().expect("a row") {
        if column == "missing" || Some(value) == theirs_by_name.get(column) {
            continue;
        }
        assert!(value.is_null(), "{column} is {value} for user nobody: {theirs}");
        let reason = &mine["missing"][column];
        assert_eq!(reason["kind"], "denied", "{column}: {reason}");
        assert!(reason["why"].as_str().is_some_and(|why| why.len() > 10), "{column}: {reason}");
    }
}

pub(crate) fn row_of<'r>(rows: &'r [Value], column: &str, value: &Value) -> &'r Value {
    let found = rows.iter().find(|row| &row[column] == value);
    found.unwrap_or_else(|| panic!("no row with {column} {value} in {rows:?}"))
}
