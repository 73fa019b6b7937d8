//! Metrics of captured machines, in both formats, in a file and over HTTP.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    reason = "the helpers of a test stop it"
)]
#![allow(dead_code, reason = "other tests use the rest of what is common")]

use crate::common;
mod grammar;
mod server;

use common::{Machine, with_each_machine};
use grammar::{Family, families};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

fn metrics(machine: &Machine) -> Vec<Family> {
    families(&machine.stdout(&["metrics"]))
}

/// The samples of a family as `LABELS VALUE`.
fn samples<'f>(families: &'f [Family], name: &str) -> Vec<&'f str> {
    let family = families.iter().find(|family| family.name == name);
    family.map(|family| family.samples.iter().map(String::as_str).collect()).unwrap_or_default()
}

#[test]
fn metrics_of_each_machine_follow_the_grammar() {
    with_each_machine(|machine| {
        let families = metrics(machine);
        let names: Vec<&str> = families.iter().map(|family| family.name.as_str()).collect();
        assert!(names.contains(&"swapadm_build_info"), "{}: {names:?}", machine.name);
    });
}

#[test]
fn values_are_those_of_the_tables() {
    let machine = Machine::shared("7.2-mixed-loaded");
    let families = metrics(&machine);
    let report = machine.report();
    let rows = report["tables"]["devices"]["rows"].as_array().unwrap();
    let sizes = samples(&families, "swapadm_area_size_bytes");
    assert_eq!(sizes.len(), rows.len());
    for row in rows {
        let (name, size) = (row["name"].as_str().unwrap(), &row["size"]);
        let (kind, priority) = (row["kind"].as_str().unwrap(), &row["priority"]);
        // Escaped once as in CSV, so that it can be reversed, and once as a label.
        let name = name.replace('\\', "\\\\\\\\");
        let labels = format!("area=\"{name}\",kind=\"{kind}\",priority=\"{priority}\"");
        assert!(
            sizes.iter().any(|it| it.starts_with(&labels) && it.ends_with(&format!(" {size}"))),
            "{labels} {size}: {sizes:?}"
        );
    }
    let vmstat = machine.text("proc/vmstat").unwrap();
    let killed = vmstat.lines().find_map(|line| line.strip_prefix("oom_kill ")).unwrap();
    assert_eq!(samples(&families, "swapadm_paging_oom_kill"), [format!(" {killed}")]);
    let psi = machine.text("proc/pressure/memory").unwrap();
    let total: f64 = psi.lines().next().unwrap().split("total=").nth(1).unwrap().parse().unwrap();
    let stalled = samples(&families, "swapadm_pressure_seconds");
    let line =
        stalled.iter().find(|it| it.starts_with("resource=\"memory\",kind=\"some\" ")).unwrap();
    let value: f64 = line.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((value - total / 1e6).abs() < 1e-5, "{line}: {total}");
}

#[test]
fn missing_values_are_left_out() {
    let machine = Machine::unpack("6.18-mixed-loaded");
    let before = metrics(&machine);
    assert!(!samples(&before, "swapadm_paging_oom_kill").is_empty());
    assert!(!samples(&before, "swapadm_headroom_mem_available_bytes").is_empty());
    let vmstat = machine.text("proc/vmstat").unwrap();
    let kept: Vec<&str> = vmstat.lines().filter(|line| !line.starts_with("oom_kill")).collect();
    machine.write("proc/vmstat", kept.join("\n") + "\n");
    fs::remove_file(machine.path().join("proc/meminfo")).unwrap();
    let after = metrics(&machine);
    assert!(samples(&after, "swapadm_paging_oom_kill").is_empty());
    assert!(samples(&after, "swapadm_headroom_mem_available_bytes").is_empty());
    assert!(!samples(&after, "swapadm_area_used_bytes").is_empty());
}

/// A machine whose swap files have names that no format expects, two of them the same.
fn hostile() -> Machine {
    let machine = Machine::unpack("6.18-mixed-loaded");
    let swaps = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n\
        /a\"b\\134c\\012d{e=\"f\"}\\040g                file\t\t1024\t\t8\t\t-2\n\
        /old\\040(deleted)                          file\t\t1024\t\t8\t\t-3\n\
        /old\\040(deleted)                          file\t\t2048\t\t8\t\t-3\n";
    let mut bytes = swaps.as_bytes().to_vec();
    bytes.extend_from_slice(b"/bytes\xff\xfe\xe2\x80\xae\x1b[2J file 1024 8 -4\n");
    machine.write("proc/swaps", bytes);
    machine
}

#[test]
fn hostile_names_are_escaped_and_equal_ones_numbered() {
    let machine = hostile();
    let text = machine.stdout(&["metrics"]);
    assert!(!text.contains(['\x1b', '\u{202e}']), "{text}");
    let families = families(&text);
    let sizes = samples(&families, "swapadm_area_size_bytes");
    assert_eq!(sizes.len(), 4, "{sizes:?}");
    assert!(
        sizes.iter().any(|it| it.starts_with(r#"area="/a\"b\\\\c\nd{e=\"f\"} g","#)),
        "{sizes:?}"
    );
    let second = sizes.iter().filter(|it| it.contains("number=\"2\"")).count();
    assert_eq!(second, 1, "{sizes:?}");
    check_with_promtool(&machine);
}

#[test]
fn findings_are_counted_by_rule_and_subject() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let families = metrics(&machine);
    let report = machine.report();
    let found = report["tables"]["findings"]["rows"].as_array().unwrap();
    assert!(!found.is_empty());
    let counted = samples(&families, "swapadm_findings");
    let sum: u64 =
        counted.iter().map(|it| it.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, found.len() as u64, "{counted:?}");
    for finding in found {
        let rule = format!("rule=\"{}\"", finding["rule"].as_str().unwrap());
        assert!(counted.iter().any(|it| it.starts_with(&rule)), "{rule}: {counted:?}");
    }
}

#[test]
fn cgroups_and_processes_are_exported_only_by_name() {
    let machine = Machine::shared("7.2-mixed-loaded");
    let plain = machine.stdout(&["metrics"]);
    assert!(!plain.contains("swapadm_cgroup_") && !plain.contains("swapadm_process"));
    let report = machine.report();
    let row = |table: &str| report["tables"][table]["rows"][0].clone();
    let (cgroup, process) = (row("cgroups"), row("processes"));
    let (path, name) = (cgroup["path"].as_str().unwrap(), process["name"].as_str().unwrap());
    let named = machine.stdout(&["metrics", "--cgroup", path, "--process", name]);
    let families = families(&named);
    let swap = samples(&families, "swapadm_cgroup_swap_bytes");
    assert_eq!(swap, [format!("cgroup=\"{path}\" {}", cgroup["swap"])]);
    let rows = report["tables"]["processes"]["rows"].as_array().unwrap();
    let alike: Vec<_> = rows.iter().filter(|row| row["name"] == name).collect();
    let sum: u64 = alike.iter().map(|row| row["rss"].as_u64().unwrap()).sum();
    assert_eq!(samples(&families, "swapadm_process_rss_bytes"), [format!("name=\"{name}\" {sum}")]);
    let count = samples(&families, "swapadm_processes");
    assert_eq!(count, [format!("name=\"{name}\" {}", alike.len())]);
}

#[test]
fn a_cgroup_with_a_backslash_is_exported_by_its_own_path() {
    let machine = Machine::unpack("7.2-mixed-loaded");
    let report = machine.report();
    let path = report["tables"]["cgroups"]["rows"][0]["path"].as_str().unwrap();
    let folder = machine.path().join("sys/fs/cgroup");
    let renamed = format!("{path}\\x2db.slice");
    std::fs::rename(folder.join(&path[1..]), folder.join(&renamed[1..])).unwrap();
    let text = machine.stdout(&["metrics", "--cgroup", &renamed]);
    assert!(text.contains("swapadm_cgroup_swap_bytes{"), "{renamed}");
}

/// Debian's promtool, if it is installed.
fn promtool() -> Option<Command> {
    let named = std::env::var_os("PROMTOOL").unwrap_or_else(|| "promtool".into());
    let mut asked = Command::new(&named);
    let asked = asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let is_there = asked.status().is_ok_and(|status| status.success());
    is_there.then(|| Command::new(named))
}

fn check_with_promtool(machine: &Machine) {
    let Some(mut promtool) = promtool() else {
        eprintln!("skipped: promtool of the package prometheus is not installed");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("swapadm.prom");
    machine.stdout(&["metrics", "--textfile", file.to_str().unwrap()]);
    let checked =
        promtool.args(["check", "metrics"]).stdin(fs::File::open(&file).unwrap()).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr).into_owned()
        + &String::from_utf8_lossy(&checked.stdout);
    assert!(checked.status.success() && said.trim().is_empty(), "{}: {said}", machine.name);
}

#[test]
fn promtool_has_no_complaint_about_any_machine() {
    with_each_machine(check_with_promtool);
}

fn write(machine: &Machine, file: &Path) -> std::process::Output {
    machine.run(&["metrics", "--textfile", file.to_str().unwrap()])
}

#[test]
fn the_textfile_is_replaced_as_a_whole() {
    let machine = Machine::shared("6.18-zswap-loaded");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("swapadm.prom");
    fs::write(&file, "old").unwrap();
    let old = fs::File::open(&file).unwrap();
    assert!(write(&machine, &file).status.success());
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\n# TYPE swapadm_paging_oom_kill_total counter\n"), "{text}");
    assert!(!text.contains("# EOF") && !text.contains("# UNIT"), "{text}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o644);
    assert_eq!(std::io::read_to_string(old).unwrap(), "old", "a reader keeps what it opened");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file stays");
}

#[test]
fn a_textfile_that_nobody_would_read_is_refused() {
    let machine = Machine::shared("6.18-loaded");
    for file in ["-", "/nowhere/swap.txt"] {
        let output = machine.run(&["metrics", "--textfile", file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("ends in .prom"));
    }
}

#[test]
fn problems_of_the_settings_file_are_printed() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("swapadm")).unwrap();
    fs::write(home.path().join("swapadm/config.toml"), "unheard_of = 1\n").unwrap();
    let machine = Machine::shared("6.18-loaded");
    let output = machine.command(&["metrics"]).env("XDG_CONFIG_HOME", home.path()).output();
    let said = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    assert!(said.contains("settings: ") && said.contains("unheard_of"), "{said}");
}

#[test]
fn the_textfile_follows_no_link() {
    let machine = Machine::shared("6.18-zswap-loaded");
    let dir = tempfile::tempdir().unwrap();
    let victim = dir.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    symlink(&victim, dir.path().join("link.prom")).unwrap();
    fs::create_dir(dir.path().join("real")).unwrap();
    symlink(dir.path().join("real"), dir.path().join("folder")).unwrap();
    for refused in ["link.prom", "folder/x.prom"] {
        let output = write(&machine, &dir.path().join(refused));
        assert_eq!(output.status.code(), Some(6), "{refused}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("symbolic link"), "{said}");
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(fs::read_dir(dir.path().join("real")).unwrap().count(), 0);
    assert_eq!(write(&machine, &dir.path().join("none/x.prom")).status.code(), Some(6));
    fs::create_dir(dir.path().join("folder.prom")).unwrap();
    assert_eq!(write(&machine, &dir.path().join("folder.prom")).status.code(), Some(6));
}

#[test]
fn a_named_cgroup_is_found_or_said_to_be_missing() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let relative = machine.run(&["metrics", "--cgroup", "hog"]);
    let errors = String::from_utf8_lossy(&relative.stderr);
    assert_eq!(relative.status.code(), Some(2), "{errors}");
    assert!(errors.contains("did you mean /hog?"), "{errors}");
    assert_eq!(machine.run(&["metrics", "--cgroup", ""]).status.code(), Some(2));
    let swap = |path: &str| {
        let output = machine.run(&["metrics", "--cgroup", path]);
        assert!(output.status.success());
        let families = families(std::str::from_utf8(&output.stdout).unwrap());
        let swap = samples(&families, "swapadm_cgroup_swap_bytes").len();
        (swap, String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(swap("/hog"), (1, String::new()));
    assert_eq!(swap("/hog/"), (1, String::new()));
    let (none, remark) = swap("/nope");
    assert!(none == 0 && remark.contains("no cgroup /nope"), "{remark}");
}

#[test]
fn processes_that_do_not_run_are_counted_as_zero() {
    let machine = Machine::unpack("6.18-mixed-loaded");
    let status =
        "Name:\tsystemd-journal\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmRSS:\t8 kB\nVmSwap:\t8 kB\n";
    machine.write("proc/99/status", status);
    let counts = |name: &str| {
        let families = families(&machine.stdout(&["metrics", "--process", name]));
        samples(&families, "swapadm_processes")
            .iter()
            .map(|it| (*it).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(counts("no-such"), [r#"name="no-such" 0"#]);
    assert_eq!(counts("systemd-journal"), [r#"name="systemd-journal" 1"#]);
    // The kernel keeps 15 bytes of a name.
    assert_eq!(counts("systemd-journald"), [r#"name="systemd-journald" 1"#]);
    fs::remove_file(machine.path().join("proc/99/status")).unwrap();
}
