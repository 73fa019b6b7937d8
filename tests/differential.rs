//! Compares the output for each machine with a second reading of the raw files.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the helpers of a test stop it where a fixture is not as it should be"
)]

use crate::common;

use common::{Machine, rows, with_each_machine};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use swapadm::clock::Clock;
use swapadm::columns::{Query, Request, tables};
use swapadm::derive::SampleView;
use swapadm::model::{Part, PartSet, Snapshot, Stamp};
use swapadm::probes;
use swapadm::root::Root;

/// Parses lines of a name, an optional colon and a number.
fn numbers(machine: &Machine, path: &str) -> BTreeMap<String, u64> {
    let text = machine.text(path).unwrap_or_default();
    let pairs = text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let name = words.next()?.trim_end_matches(':').to_owned();
        Some((name, words.next()?.parse().ok()?))
    });
    pairs.collect()
}

/// The numbers of a file that contains nothing else.
fn columns(machine: &Machine, path: &str) -> Option<Vec<u64>> {
    let text = machine.text(path)?;
    Some(text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect())
}

fn number(machine: &Machine, path: &str) -> Option<u64> {
    machine.text(path)?.trim().parse().ok()
}

fn sum(rows: &[Value], column: &str) -> u64 {
    rows.iter().map(|row| row[column].as_u64().unwrap()).sum()
}

/// The rows of `/proc/swaps`: path as printed, type, size, used, priority.
fn areas(machine: &Machine) -> Vec<Vec<String>> {
    let text = machine.text("proc/swaps").unwrap();
    let rows = text.lines().skip(1);
    rows.map(|row| row.split([' ', '\t']).filter(|w| !w.is_empty()).map(str::to_owned).collect())
        .collect()
}

#[test]
fn areas_are_those_of_proc_swaps_and_add_up_to_meminfo() {
    with_each_machine(|machine| {
        let report = machine.report();
        let devices = rows(&report, "devices");
        let areas = areas(machine);
        assert_eq!(devices.len(), areas.len(), "{}", machine.name);
        for area in &areas {
            let name = area[0].replace("\\040", " ").replace("\\134", "\\");
            let row = devices.iter().find(|row| row["name"] == name.as_str());
            let row = row.unwrap_or_else(|| panic!("{}: no row for {name}", machine.name));
            let kib = |place: usize| area[place].parse::<u64>().unwrap() * 1024;
            assert_eq!(row["type"], area[1].as_str(), "{}: {name}", machine.name);
            assert_eq!((&row["size"], &row["used"]), (&json!(kib(2)), &json!(kib(3))));
            assert_eq!(row["priority"], json!(area[4].parse::<i64>().unwrap()));
            assert_eq!(row["free"], json!(kib(2) - kib(3)));
        }
        let meminfo = numbers(machine, "proc/meminfo");
        let Some(total) = meminfo.get("SwapTotal") else { return };
        assert_eq!(sum(devices, "size"), total * 1024, "{}", machine.name);
        let used = (total - meminfo["SwapFree"]) * 1024;
        assert!(
            sum(devices, "used").abs_diff(used) <= rotation_unit(&report, areas.len()),
            "{}: areas hold {}, meminfo says {used}",
            machine.name,
            sum(devices, "used")
        );
    });
}

/// Allowed difference: up to 6.12 each CPU caches twice 64 slots. The two files are read one after the
/// other, but these machines were idle.
fn rotation_unit(report: &Value, areas: usize) -> u64 {
    let kernel = &rows(report, "kernel")[0];
    let old =
        kernel["release"].as_str().is_some_and(|r| r.starts_with("6.1.") || r.starts_with("6.12."));
    let cpus = kernel["cpus"].as_u64().unwrap_or(1);
    if old && areas > 0 { 128 * cpus * 4096 } else { 0 }
}

#[test]
fn groups_add_up_to_the_areas_and_shares_to_one() {
    with_each_machine(|machine| {
        let report = machine.report();
        let devices = rows(&report, "devices");
        let groups = rows(&report, "groups");
        assert_eq!(sum(groups, "used"), sum(devices, "used"), "{}", machine.name);
        assert_eq!(sum(groups, "size"), sum(devices, "size"), "{}", machine.name);
        for group in groups.iter().filter(|group| group["used"] != json!(0)) {
            let members: Vec<_> =
                devices.iter().filter(|row| row["priority"] == group["priority"]).collect();
            let shares: f64 = members.iter().map(|row| row["share"].as_f64().unwrap()).sum();
            assert!((shares - 1.0).abs() < 1e-5, "{}: shares add up to {shares}", machine.name);
            let ideal: u64 = members.iter().map(|row| row["equal_share"].as_u64().unwrap()).sum();
            let used = group["used"].as_u64().unwrap();
            assert!(ideal.abs_diff(used) <= members.len() as u64, "{}: {ideal}", machine.name);
        }
    });
}

#[test]
fn zram_matches_its_statistics() {
    with_each_machine(|machine| {
        let report = machine.report();
        let names = machine.names("sys/block");
        let devices: Vec<_> = names.iter().filter(|name| name.starts_with("zram")).collect();
        let rows = rows(&report, "zram");
        assert_eq!(rows.len(), devices.len(), "{}", machine.name);
        for (row, name) in rows.iter().zip(devices) {
            assert_eq!(row["name"], name.as_str());
            one_zram(machine, row, &format!("sys/block/{name}"));
        }
    });
}

fn one_zram(machine: &Machine, row: &Value, folder: &str) {
    const PAGE: u64 = 4096;
    let whose = &machine.name;
    let mm = columns(machine, &format!("{folder}/mm_stat")).unwrap();
    let expected = [
        ("orig", mm[0]),
        ("compressed", mm[1]),
        ("memory", mm[2]),
        ("memory_max", mm[4]),
        ("same", mm[5] * PAGE),
        ("compacted", mm[6] * PAGE),
        ("huge", mm[7] * PAGE),
        ("huge_since", mm[8] * PAGE),
        ("overhead", mm[2] - mm[1]),
        ("disksize", number(machine, &format!("{folder}/disksize")).unwrap()),
    ];
    for (column, value) in expected {
        assert_eq!(row[column], json!(value), "{whose} {folder}: {column}");
    }
    let limit = if mm[3] == 0 { json!("max") } else { json!(mm[3]) };
    assert_eq!(row["limit"], limit, "{whose} {folder}");
    let io = columns(machine, &format!("{folder}/io_stat")).unwrap();
    let columns_of_io = ["failed_reads", "failed_writes", "invalid_io", "notify_free"];
    for (column, value) in columns_of_io.into_iter().zip(io) {
        if column == "invalid_io" && !whose.starts_with("6.1-") {
            let why = row["missing"][column]["why"].as_str().unwrap_or_default();
            assert!(why.contains("always prints 0") && value == 0, "{whose} {folder}: {row}");
            continue;
        }
        assert_eq!(row[column], json!(value), "{whose} {folder}: {column}");
    }
    let bd = columns(machine, &format!("{folder}/bd_stat")).unwrap_or(vec![0; 3]);
    if row["written_back"].is_u64() {
        let expected = [bd[0] * 4096, bd[1], bd[2]].map(|number| json!(number));
        let columns = ["written_back", "bd_reads", "bd_writes"].map(|c| row[c].clone());
        // Reads and writes are counted in pages of 4 KiB, as in the kernel.
        assert_eq!(columns, expected, "{whose} {folder}");
    }
    let held = mm[0] - mm[5] * PAGE - bd[0] * 4096;
    assert_eq!(row["data"], json!(held), "{whose} {folder}: data");
    close(&row["ratio"], held, mm[1]);
    // With little data the ratio is meaningless and absent.
    close(&row["memory_ratio"], held, if held < 1 << 20 { 0 } else { mm[2] });
}

/// A quotient, or none with a divisor of zero.
fn close(value: &Value, above: u64, below: u64) {
    if below == 0 {
        assert!(value.is_null(), "{value} for {above}/{below}");
        return;
    }
    let expected = above as f64 / below as f64;
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-5, "{value} is not {expected}");
}

#[test]
fn counters_are_every_line_of_vmstat() {
    with_each_machine(|machine| {
        let report = machine.report();
        let raw = numbers(machine, "proc/vmstat");
        let table: BTreeMap<String, u64> = rows(&report, "counters")
            .iter()
            .map(|row| (row["name"].as_str().unwrap().to_owned(), row["value"].as_u64().unwrap()))
            .collect();
        assert_eq!(table, raw, "{}", machine.name);
        for row in rows(&report, "paging") {
            for name in ["pswpin", "pswpout", "zswpin", "zswpout", "swpin_zero", "pgmajfault"] {
                assert_eq!(row[name].as_u64(), raw.get(name).copied(), "{}: {name}", machine.name);
            }
            if !raw.is_empty() {
                let out = ["pswpout", "zswpout", "swpout_zero"].map(|n| raw.get(n).unwrap_or(&0));
                // Pages written back by zswap were stored by it before: they do not count twice.
                let back = raw.get("zswpwb").unwrap_or(&0);
                let pages = out.into_iter().sum::<u64>() - back;
                assert_eq!(row["out_since_boot"], json!(pages * 4096), "{}", machine.name);
            }
        }
    });
}

/// The folders below `proc` with a numeric name.
fn pids(machine: &Machine) -> Vec<String> {
    let names = machine.names("proc").into_iter();
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).collect()
}

#[test]
fn processes_match_their_status_files() {
    with_each_machine(|machine| {
        let report = machine.report();
        let table = rows(&report, "processes");
        let mut swap = 0;
        for pid in pids(machine) {
            let number: u64 = pid.parse().unwrap();
            let status = numbers(machine, &format!("proc/{pid}/status"));
            let row = table.iter().find(|row| row["pid"] == json!(number)).unwrap();
            // A kernel thread has neither, which is not zero.
            let bytes = |field| status.get(field).map_or(Value::Null, |kib| json!(kib * 1024));
            assert_eq!(row["swap"], bytes("VmSwap"), "{} {pid}", machine.name);
            assert_eq!(row["rss"], bytes("VmRSS"), "{} {pid}", machine.name);
            swap += row["swap"].as_u64().unwrap_or(0);
            let rollup = numbers(machine, &format!("proc/{pid}/smaps_rollup"));
            if let (Some(pss), Some(swapped)) = (rollup.get("SwapPss"), row["swap_pss"].as_u64()) {
                assert_eq!(swapped, pss * 1024, "{} {pid}", machine.name);
            }
        }
        assert_eq!(sum(rows(&report, "users"), "swap"), swap, "{}", machine.name);
        for row in rows(&report, "attribution").iter().filter(|row| row["processes"].is_u64()) {
            assert_eq!(row["processes"], json!(swap), "{}", machine.name);
        }
    });
}

#[test]
fn folio_sizes_have_the_numbers_of_their_files() {
    const FOLDER: &str = "sys/kernel/mm/transparent_hugepage";
    with_each_machine(|machine| {
        let report = machine.report();
        let names = machine.names(FOLDER);
        let sizes = names.iter().filter(|name| name.starts_with("hugepages-"));
        let table = rows(&report, "mthp");
        assert_eq!(table.len(), sizes.clone().count(), "{}", machine.name);
        for name in sizes {
            let kib = name.trim_start_matches("hugepages-").trim_end_matches("kB");
            let size = json!(kib.parse::<u64>().unwrap() * 1024);
            let row = table.iter().find(|row| row["size"] == size).unwrap();
            let stats = format!("{FOLDER}/{name}/stats");
            for file in machine.names(&stats) {
                let raw = number(machine, &format!("{stats}/{file}")).unwrap();
                let shown = row.get(&file).filter(|value| !value.is_null());
                assert!(shown.is_none_or(|v| *v == json!(raw)), "{} {name}: {file}", machine.name);
            }
            for (column, value) in row.as_object().unwrap() {
                let there = machine.bytes(format!("{stats}/{column}")).is_some();
                assert!(!there || !value.is_null(), "{} {name}: {column}", machine.name);
            }
        }
    });
}

#[test]
fn pressure_matches_its_files() {
    with_each_machine(|machine| {
        let report = machine.report();
        for row in rows(&report, "pressure").iter().filter(|row| !row["total"].is_null()) {
            let resource = row["resource"].as_str().unwrap();
            let text = machine.text(format!("proc/pressure/{resource}")).unwrap();
            let line = text.lines().find(|line| line.starts_with(row["kind"].as_str().unwrap()));
            let field = |name: &str| -> f64 {
                let mut words = line.unwrap().split(' ').filter_map(|word| word.split_once('='));
                words.find(|(key, _)| *key == name).unwrap().1.parse().unwrap()
            };
            for average in ["avg10", "avg60", "avg300"] {
                let share = row[average].as_f64().unwrap();
                assert!((share - field(average) / 100.0).abs() < 1e-6, "{}", machine.name);
            }
            let total = row["total"].as_f64().unwrap();
            assert!((total - field("total") / 1e6).abs() < 1e-6, "{}", machine.name);
        }
    });
}

#[test]
fn knobs_have_the_text_of_their_files() {
    with_each_machine(|machine| {
        let report = machine.report();
        for row in rows(&report, "knobs") {
            let file = row["file"].as_str().unwrap().trim_start_matches('/');
            let chosen = |text: &str| {
                let inner = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
                json!(inner.map_or(text.trim(), |(word, _)| word))
            };
            let raw = machine.text(file).map_or(Value::Null, |text| chosen(&text));
            assert_eq!(row["value"], raw, "{}: {file}", machine.name);
        }
    });
}

#[test]
fn cgroups_have_the_numbers_of_their_files() {
    with_each_machine(|machine| {
        let report = machine.report();
        for row in rows(&report, "cgroups") {
            let path = row["path"].as_str().unwrap();
            let second = machine.bytes("sys/fs/cgroup/cgroup.controllers").is_some();
            let folder = if second { "sys/fs/cgroup" } else { "sys/fs/cgroup/memory" };
            let folder = format!("{folder}{path}");
            let stat = numbers(machine, &format!("{folder}/memory.stat"));
            let file = |name: &str| number(machine, &format!("{folder}/{name}")).map(|n| json!(n));
            let shown = |column: &str| Some(row[column].clone()).filter(|v| !v.is_null());
            let whole = |name: &str| {
                stat.get(&format!("total_{name}")).or(stat.get(name)).map(|n| json!(n))
            };
            assert_eq!(shown("major_faults"), whole("pgmajfault"), "{} {path}", machine.name);
            assert_eq!(shown("swapcached"), whole("swapcached"), "{} {path}", machine.name);
            assert_eq!(shown("anon"), whole("rss").or(whole("anon")), "{} {path}", machine.name);
            if second && path != "/" {
                assert_eq!(shown("swap"), file("memory.swap.current"), "{} {path}", machine.name);
                assert_eq!(shown("memory"), file("memory.current"), "{} {path}", machine.name);
                assert_eq!(shown("zswap"), file("memory.zswap.current"), "{} {path}", machine.name);
            } else if !second {
                assert_eq!(shown("swap"), whole("swap"), "{} {path}", machine.name);
                assert_eq!(shown("memsw"), file("memory.memsw.usage_in_bytes"), "{path}");
            }
        }
    });
}

#[test]
fn memory_and_nodes_match_meminfo() {
    with_each_machine(|machine| {
        let report = machine.report();
        let meminfo = numbers(machine, "proc/meminfo");
        let bytes = |field: &str| meminfo.get(field).map_or(Value::Null, |kib| json!(kib * 1024));
        for row in rows(&report, "headroom") {
            assert_eq!(row["mem_total"], bytes("MemTotal"), "{}", machine.name);
            assert_eq!(row["mem_available"], bytes("MemAvailable"), "{}", machine.name);
            assert_eq!(row["swap_free"], bytes("SwapFree"), "{}", machine.name);
            assert_eq!(row["swap_cached"], bytes("SwapCached"), "{}", machine.name);
        }
        for row in rows(&report, "zswap") {
            assert_eq!(row["stored"], bytes("Zswapped"), "{}", machine.name);
            assert_eq!(row["pool"], bytes("Zswap"), "{}", machine.name);
        }
        for row in rows(&report, "numa") {
            let node = format!("sys/devices/system/node/node{}/meminfo", row["node"]);
            let text = machine.text(node).unwrap();
            let field = |name: &str| -> Value {
                let line = text.lines().find(|line| line.contains(&format!(" {name}: ")));
                let kib = line.unwrap().split_ascii_whitespace().nth(3).unwrap();
                json!(kib.parse::<u64>().unwrap() * 1024)
            };
            assert_eq!(row["total"], field("MemTotal"), "{}", machine.name);
            assert_eq!(row["anon"], field("AnonPages"), "{}", machine.name);
        }
    });
}

#[test]
fn every_cell_is_a_value_or_has_a_reason() {
    with_each_machine(|machine| {
        let report = machine.report();
        for spec in tables::TABLES {
            let table = &report["tables"][spec.name];
            // Values that take long to read are tested by name.
            if spec.single_subject || spec.needs.only(PartSet::CLUSTERS) != PartSet::NONE {
                assert!(table.is_null(), "{}: {} was not named", machine.name, spec.name);
                continue;
            }
            assert!(table.is_object(), "{}: no table {}", machine.name, spec.name);
            if table["rows"].is_null() {
                assert!(table["missing"]["why"].is_string(), "{} {}", machine.name, spec.name);
            }
            for row in rows(&report, spec.name) {
                for info in (spec.infos)() {
                    let value = row.get(info.id).unwrap_or_else(|| panic!("no {}", info.id));
                    let why = row["missing"][info.id]["why"].as_str();
                    assert_eq!(
                        value.is_null(),
                        why.is_some_and(|why| !why.is_empty()),
                        "{}: {}.{}",
                        machine.name,
                        spec.name,
                        info.id
                    );
                }
            }
        }
    });
}

fn sample(machine: &Machine, seconds: u64) -> Snapshot {
    let root = Root::at(machine.path()).unwrap();
    let stamp = Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: seconds * 1000 };
    probes::sample(&root, &Clock::at(stamp), Part::ALL.into_iter().collect())
}

/// The value of a column in the row with this key.
fn cell(view: &SampleView<'_>, table: &str, column: &str, key: &str) -> Value {
    let spec = tables::find(table).unwrap();
    let columns = Some(format!("{},{column}", spec.key));
    let query =
        Query::new(spec, &Request { columns, all: true, two_samples: true, ..Request::default() });
    let rows = query.unwrap().rows(view).into_result().unwrap();
    let row = rows.cells.iter().find(|cells| cells[0].plain() == key);
    row.unwrap_or_else(|| panic!("{table} has no {key}"))[1].json()
}

/// Changes every number of a line of counters by its position.
fn changed(line: &str, change: impl Fn(usize) -> u64) -> String {
    let words = line.split_ascii_whitespace().enumerate();
    let words = words.map(|(place, word)| match word.parse::<u64>() {
        Ok(number) => (number + change(place)).to_string(),
        Err(_) => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ") + "\n"
}

#[test]
fn rates_are_the_growth_of_the_files_in_a_second() {
    let machine = Machine::unpack("7.2-mixed-loaded");
    let first = sample(&machine, 100);
    let diskstats = machine.text("proc/diskstats").unwrap();
    // Major and minor stay; then reads, merged, sectors, milliseconds, and the same of writes.
    let growth = [0, 0, 0, 40, 0, 2000, 80, 10, 0, 500, 5, 0, 1000];
    let grown: String = diskstats
        .lines()
        .map(|line| changed(line, |place| growth.get(place).copied().unwrap_or(0)))
        .collect();
    machine.write("proc/diskstats", grown);
    let vmstat = machine.text("proc/vmstat").unwrap();
    machine.write("proc/vmstat", vmstat.lines().map(|l| changed(l, |_| 300)).collect::<String>());
    let second = sample(&machine, 102);
    let view = SampleView { now: &second, before: Some(&first) };
    let device = |column| cell(&view, "devices", column, "/dev/nvme0n1").as_f64().unwrap();
    let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{value}");
    near(device("in_rate"), 2000.0 * 512.0 / 2.0);
    near(device("out_rate"), 500.0 * 512.0 / 2.0);
    near(device("read_wait"), 0.080 / 40.0);
    near(device("write_wait"), 0.005 / 10.0);
    near(device("busy"), 0.5);
    for name in ["pswpin", "pswpout", "swap_ra", "nr_swapcached"] {
        near(cell(&view, "counters", "rate", name).as_f64().unwrap(), 150.0);
    }
}

/// Columns of rates, with the counters behind them, that only some kernels have.
const RARE_RATES: [(&str, &[&str]); 14] = [
    ("rotated_anon", &["pgrotate_anon"]),
    ("rotated_file", &["pgrotate_file"]),
    ("scan_proactive", &["pgscan_proactive"]),
    ("steal_proactive", &["pgsteal_proactive"]),
    ("scan_khugepaged", &["pgscan_khugepaged"]),
    ("steal_khugepaged", &["pgsteal_khugepaged"]),
    ("demotions", &["pgdemote_kswapd", "pgdemote_direct", "pgdemote_khugepaged"]),
    ("promotions", &["pgpromote_success"]),
    ("activations", &["workingset_activate_anon"]),
    ("restores", &["workingset_restore_anon"]),
    ("restores_file", &["workingset_restore_file"]),
    ("refault_rate", &["workingset_refault_anon"]),
    ("io_in", &["nrswpin"]),
    ("io_out", &["nrswpout"]),
];
/// Tables and columns of counters since boot, with their counters.
const RARE_TOTALS: [(&str, &str, &str); 3] = [
    ("paging", "ksm_swpin_copy", "ksm_swpin_copy"),
    ("thp", "split_unused", "thp_underused_split_page"),
    ("thp", "collapse_refused", "thp_scan_exceed_swap_pte"),
];
/// Columns of memory, with their fields.
const RARE_MEMORY: [(&str, &str); 3] =
    [("mem_gpu", "GPUActive"), ("mem_gpu_reclaimable", "GPUReclaim"), ("mem_balloon", "Balloon")];

/// A file without the lines of these names.
fn without(machine: &Machine, file: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    let text = machine.text(file).unwrap();
    let name = |line: &str| line.split([' ', ':']).next().unwrap_or_default().to_owned();
    let others = text.lines().filter(|line| !is_left_out(&name(line)));
    others.flat_map(|line| [line, "\n"]).collect()
}

/// The value of a column in the only row of a table.
fn only_row(view: &SampleView<'_>, table: &str, column: &str) -> swapadm::columns::Value {
    let columns = Some(column.to_owned());
    let request = Request { columns, all: true, two_samples: true, ..Request::default() };
    let query = Query::new(tables::find(table).unwrap(), &request).unwrap();
    query.rows(view).into_result().unwrap().cells[0][0].clone()
}

/// Each column of a counter that only some kernels have shows it, and says so where the kernel does not have it.
#[test]
fn rarer_counters_are_shown_where_the_kernel_has_them() {
    let machine = Machine::unpack("7.2-mixed-loaded");
    let rates = RARE_RATES.iter().flat_map(|(_, names)| names.iter().copied());
    let counters: Vec<&str> = rates.chain(RARE_TOTALS.map(|(_, _, counter)| counter)).collect();
    let vmstat = without(&machine, "proc/vmstat", |name| {
        name.starts_with("pgdemote_") || counters.contains(&name)
    });
    let meminfo = without(&machine, "proc/meminfo", |name| {
        RARE_MEMORY.iter().any(|(_, field)| *field == name)
    });
    // Each has another value: the number times its place.
    let write = |number: u64| {
        let lines =
            (1..).zip(&counters).map(|(place, name)| format!("{name} {}\n", number * place));
        machine.write("proc/vmstat", vmstat.clone() + &lines.collect::<String>());
        let fields = (1..).zip(RARE_MEMORY);
        let lines = fields.map(|(place, (_, field))| format!("{field}: {} kB\n", number * place));
        machine.write("proc/meminfo", meminfo.clone() + &lines.collect::<String>());
    };
    write(100);
    let first = sample(&machine, 100);
    write(300);
    let second = sample(&machine, 102);
    let view = SampleView { now: &second, before: Some(&first) };
    let place = |counter: &str| {
        f64::from(u8::try_from(counters.iter().position(|it| *it == counter).unwrap() + 1).unwrap())
    };
    for (column, names) in RARE_RATES {
        let sum: f64 = names.iter().map(|name| place(name)).sum();
        assert_eq!(only_row(&view, "paging", column).number(), Some(100.0 * sum), "{column}");
    }
    for (table, column, counter) in RARE_TOTALS {
        let shown = only_row(&view, table, column).number();
        assert_eq!(shown, Some(300.0 * place(counter)), "{column}");
    }
    for ((column, _), place) in RARE_MEMORY.iter().zip([1.0, 2.0, 3.0]) {
        let shown = only_row(&view, "headroom", column).number();
        assert_eq!(shown, Some(300.0 * 1024.0 * place), "{column}");
    }
    machine.write("proc/vmstat", vmstat.as_str());
    machine.write("proc/meminfo", meminfo.as_str());
    let (first, second) = (sample(&machine, 100), sample(&machine, 102));
    let view = SampleView { now: &second, before: Some(&first) };
    let rates = RARE_RATES.iter().map(|(column, _)| ("paging", *column));
    let totals = RARE_TOTALS.iter().map(|(table, column, _)| (*table, *column));
    let memory = RARE_MEMORY.iter().map(|(column, _)| ("headroom", *column));
    for (table, column) in rates.chain(totals).chain(memory) {
        let why = only_row(&view, table, column).missing().map(ToString::to_string);
        assert!(why.as_ref().is_some_and(|why| why.contains(" has no ")), "{column}: {why:?}");
    }
}
