//! A machine with hidden files, as in containers: everything still answers, with reasons.

use crate::areas::{self, Title};
use crate::file::{self, MIB, UUID};
use crate::lab::Lab;
use crate::mounts::{Mount, behind};
use crate::program::describe_failure;
use serde_json::Value;
use std::path::Path;

/// Hidden files and a hidden folder.
fn masks() -> [Mount<'static>; 3] {
    let hidden = |file| Mount::Bind(Path::new("/dev/null"), Path::new(file));
    [hidden("/proc/swaps"), hidden("/proc/vmstat"), Mount::Empty(Path::new("/sys/kernel/mm"))]
}

/// The masks of runc, without those of files that this machine lacks.
fn masks_of_containers() -> Vec<Mount<'static>> {
    let hidden = ["/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list"];
    let files = hidden.map(|file| (file, Mount::Bind(Path::new("/dev/null"), Path::new(file))));
    let folders = ["/proc/acpi", "/proc/scsi", "/sys/firmware"];
    let folders = folders.map(|folder| (folder, Mount::Empty(Path::new(folder))));
    let fixed = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger", "/sys"];
    let fixed = fixed.map(|place| (place, Mount::ReadOnly(Path::new(place))));
    // A mount on /sys hides those below it.
    let all = fixed.into_iter().chain(folders).chain(files);
    all.filter(|(place, _)| Path::new(place).exists()).map(|(_, mount)| mount).collect()
}

/// `report --json` succeeds, and gives a reason for each missing table.
pub(crate) fn report(lab: &Lab) -> Result<(), String> {
    explained_report(lab, &masks_of_containers())?;
    let document = explained_report(lab, &masks())?;
    let tables = &document["tables"];
    assert!(tables["devices"]["rows"].is_null(), "areas out of nothing: {}", tables["devices"]);
    let why = tables["devices"]["missing"]["why"].as_str().unwrap_or_default();
    assert!(why.contains("/proc/swaps") && why.ends_with("is empty"), "unclear: {why}");
    let counter = &tables["paging"]["rows"][0];
    assert!(counter["pswpin"].is_null(), "a counter out of nothing: {counter}");
    Ok(())
}

/// The whole report behind these mounts, in which all that is missing has a reason.
fn explained_report(lab: &Lab, masks: &[Mount<'_>]) -> Result<Value, String> {
    let output = behind(lab, masks, &["report", "--json"])?;
    assert_eq!(output.status.code(), Some(0), "{}", describe_failure(&output));
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let tables = document["tables"].as_object().expect("tables");
    for (name, table) in tables {
        if table["rows"].is_null() {
            reasoned(name, &table["missing"]);
        }
        for row in table["rows"].as_array().into_iter().flatten() {
            each_null_has_a_reason(name, row);
        }
    }
    Ok(document)
}

/// Without kernel types, symbols or memory, as in containers and in kernels built without them, the order of areas has
/// another source, and the clusters in kernel memory are missing because of the hidden file.
pub(crate) fn kernel_internals(lab: &Lab) -> Result<(), String> {
    let area = areas::new_loop(lab, 8 * MIB)?;
    areas::write_header(&area.path, &Title { label: "swapadm-live-mk", uuid: UUID }, 8 * MIB);
    areas::enable(&area.path, 31_000)?;
    let files = ["/sys/kernel/btf/vmlinux", "/proc/kallsyms", "/proc/kcore"];
    for file in files.into_iter().filter(|file| Path::new(file).exists()) {
        let masks = [Mount::Bind(Path::new("/dev/null"), Path::new(file))];
        let output = behind(lab, &masks, &["selection"])?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{file}: {}", describe_failure(&output));
        let row = text.lines().find(|line| line.contains(file::text(&area.path)));
        assert!(row.is_some_and(|row| row.contains(" 31000 ")), "{file}: {text}");
        let is_by_types = text.contains("Source: kernel type information");
        assert!(!is_by_types || file != files[0], "{file}: {text}");
        let output = behind(lab, &masks, &["clusters", "--view", "kernel", "--json"])?;
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let why = document.to_string();
        // Where there is no kernel memory, nothing else is looked for.
        let named = if Path::new(files[2]).exists() { file } else { files[2] };
        assert!(why.contains(named), "{file}: {why}");
    }
    Ok(())
}

/// A missing table is a failure of its command, in one line; other commands work.
pub(crate) fn commands(lab: &Lab) -> Result<(), String> {
    let output = behind(lab, &masks(), &["devices"])?;
    assert_eq!(output.status.code(), Some(6), "{}", describe_failure(&output));
    assert_eq!(output.stdout, b"");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.starts_with("swapadm: ") && error.lines().count() == 1, "{error}");
    for arguments in [&["status"][..], &["zram"], &["knobs"], &["sources"], &["processes"]] {
        let output = behind(lab, &masks(), arguments)?;
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", describe_failure(&output));
    }
    Ok(())
}

fn each_null_has_a_reason(table: &str, row: &Value) {
    for (column, value) in row.as_object().expect("a row") {
        if value.is_null() {
            reasoned(&format!("{table}.{column}"), &row["missing"][column]);
        }
    }
}

fn reasoned(what: &str, reason: &Value) {
    let kinds = ["absent", "denied", "failed", "few_samples", "not_sampled", "one_sample"];
    assert!(reason["kind"].as_str().is_some_and(|kind| kinds.contains(&kind)), "{what}: {reason}");
    assert!(reason["why"].as_str().is_some_and(|why| why.len() > 5), "{what}: {reason}");
}
