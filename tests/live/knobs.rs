//! Each kind of setting: its file is checked before, after, and after undo.

use crate::change::json_of;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use crate::program;
use crate::settings::{SavedSettings, says};
use std::fs;
use std::path::Path;

const SIZES: &str = "/sys/kernel/mm/transparent_hugepage";

/// A setting of zswap.
macro_rules! zswap {
    ($name:literal) => {
        concat!("/sys/module/zswap/parameters/", $name)
    };
}

/// Harmless settings, each with its file, two values, and its default on an untouched kernel where known.
const KNOBS: [(&str, &str, [&str; 2], Option<&str>); 7] = [
    ("page-cluster", "/proc/sys/vm/page-cluster", ["2", "4"], Some("3")),
    ("swappiness", "/proc/sys/vm/swappiness", ["59", "61"], Some("60")),
    ("watermark_scale_factor", "/proc/sys/vm/watermark_scale_factor", ["11", "12"], Some("10")),
    ("vma_ra_enabled", "/sys/kernel/mm/swap/vma_ra_enabled", ["false", "true"], Some("true")),
    ("zswap.max_pool_percent", zswap!("max_pool_percent"), ["19", "21"], Some("20")),
    (
        "zswap.accept_threshold_percent",
        zswap!("accept_threshold_percent"),
        ["89", "91"],
        Some("90"),
    ),
    ("zswap.shrinker_enabled", zswap!("shrinker_enabled"), ["N", "Y"], None),
];

/// Carries out a change; returns its plan, if there was anything to do.
fn done(lab: &Lab, arguments: &[&str]) -> Option<String> {
    let arguments = [arguments, &["--yes", "--json"]].concat();
    let done = json_of(&mut program::journalled(lab, &arguments), 0);
    let outcome = &done["outcome"];
    if outcome.is_null() {
        return None;
    }
    assert_eq!(outcome["end"], "done", "{done}");
    Some(outcome["journal"].to_string())
}

pub(crate) fn of_all_kinds(lab: &Lab) {
    for (id, file, values, default) in KNOBS {
        if Path::new(file).exists() {
            goes_and_comes_back(lab, id, file, values, default);
        } else {
            lab::remark(&format!("{id}: this kernel has no {file}"));
        }
    }
    reserve(lab);
    of_zswap(lab);
    let Some((id, file)) = size_of_pages() else {
        return lab::remark("sizes of huge pages: this kernel has no settings for them");
    };
    goes_and_comes_back(lab, &id, &file, ["madvise", "inherit"], None);
}

/// Raises the memory reserve a little: too much would kill processes.
fn reserve(lab: &Lab) {
    let file = "/proc/sys/vm/min_free_kbytes";
    let now: u64 = says(file).parse().expect("a number");
    let [a, b] = [now + 4, now + 8].map(|kib| kib.to_string());
    goes_and_comes_back(lab, "min_free_kbytes", file, [&a, &b], None);
}

/// Enables zswap, and changes its algorithm to another available one.
fn of_zswap(lab: &Lab) {
    let [switch, compressor] = [zswap!("enabled"), zswap!("compressor")];
    if !Path::new(switch).exists() {
        return lab::remark("zswap: not in this kernel");
    }
    goes_and_comes_back(lab, "zswap.enabled", switch, ["N", "Y"], None);
    let all = fs::read_to_string("/proc/crypto").unwrap_or_default();
    let has = |name: &&str| all.lines().any(|line| line.split(": ").nth(1) == Some(name));
    let names: Vec<&str> = COMPRESSORS.into_iter().filter(has).collect();
    let Some([a, b]) = names.first_chunk() else {
        return lab::remark(&format!("zswap.compressor: this kernel has only {names:?} loaded"));
    };
    goes_and_comes_back(lab, "zswap.compressor", compressor, [a, b], None);
}

const COMPRESSORS: [&str; 5] = ["lzo", "lzo-rle", "lz4", "zstd", "deflate"];

/// The setting of one folio size, other than PMD-sized.
fn size_of_pages() -> Option<(String, String)> {
    let mut names: Vec<String> = fs::read_dir(SIZES)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(SIZES).join(name).join("enabled").exists())
        .collect();
    names.sort();
    let name = names.first()?;
    let size = name.strip_prefix("hugepages-")?;
    Some((format!("thp.{size}.enabled"), format!("{SIZES}/{name}/enabled")))
}

fn goes_and_comes_back(lab: &Lab, id: &str, file: &str, values: [&str; 2], default: Option<&str>) {
    let _kept = SavedSettings::new(&[file]);
    let old = says(file);
    let new = if old == values[0] { values[1] } else { values[0] };
    let wish = format!("{id}={new}");
    done(lab, &["set", &wish, "--dry-run"]);
    assert_eq!(says(file), old, "{id}: a dry run changes nothing");
    let plan = done(lab, &["set", &wish]).expect("a plan");
    assert_eq!(says(file), new, "{id}");
    assert_eq!(done(lab, &["set", &wish]), None, "{id}: an existing state is left alone");
    done(lab, &["undo", &plan]);
    assert_eq!(says(file), old, "{id}: taken back");
    if let Some(default) = default {
        // Another value than the current one, where that is the default.
        fs::write(file, if values[0] == default { values[1] } else { values[0] })
            .expect("root may");
        done(lab, &["reset", id]);
        assert_eq!(says(file), default, "{id}: its first value");
    } else {
        let refused =
            program::journalled(lab, &["reset", id, "--yes"]).output().expect("the program starts");
        let said = program::describe_failure(&refused);
        assert!(
            refused.status.code() == Some(2) && said.contains("depends on the machine"),
            "{said}"
        );
    }
}

/// Limits and swappiness of a cgroup, on either version.
pub(crate) fn of_groups(lab: &Lab) -> Result<(), String> {
    let cage = MemoryLimit::new(lab, 64 << 20)?;
    let wishes = [
        ("memory.memsw.limit_in_bytes", "100M", "104857600"),
        ("memory.swappiness", "17", "17"),
        ("memory.swap.max", "100M", "104857600"),
        ("memory.swap.high", "90M", "94371840"),
        ("memory.zswap.max", "50M", "52428800"),
        ("memory.zswap.writeback", "0", "0"),
    ];
    let mut met = 0;
    for (knob, wish, then) in wishes {
        let file = cage.folder.join(knob);
        if !file.exists() {
            continue;
        }
        met += 1;
        let file = file.to_str().expect("text");
        let old = says(file);
        let group = ["set", "--cgroup", &cage.path, knob, wish];
        let plan = done(lab, &group).expect("a plan");
        assert_eq!(says(file), then, "{knob}");
        done(lab, &["undo", &plan]);
        assert_eq!(says(file), old, "{knob}: taken back");
        if ["limit_in_bytes", "max", "high"].iter().any(|end| knob.ends_with(end)) {
            done(lab, &group);
            done(lab, &["reset", "--cgroup", &cage.path, knob]);
            // The cgroup has no zswap files.
            let first = if knob == "memory.zswap.max" { "max" } else { &old };
            assert_eq!(says(file), first, "{knob}: a new group has no limit");
        }
    }
    if met == 0 { Err("cgroups have no swap settings here".to_owned()) } else { Ok(()) }
}

/// Settings of a failed test are restored.
pub(crate) fn are_kept_on_panic() {
    let (_, file, values, _) = KNOBS[0];
    let old = says(file);
    let new = if old == values[0] { values[1] } else { values[0] };
    let failed = std::panic::catch_unwind(|| {
        let _kept = SavedSettings::new(&[file]);
        fs::write(file, new).expect("root may");
        assert_eq!(says(file), new);
        std::panic::resume_unwind(Box::new("as a test that fails"));
    });
    assert!(failed.is_err());
    assert_eq!(says(file), old);
}
