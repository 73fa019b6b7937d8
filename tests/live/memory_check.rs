//! An area whose content does not fit into memory is not disabled: the check refuses it by arithmetic.

use crate::areas::{self, Area, Title};
use crate::change::priority;
use crate::hog::Hog;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use crate::mounts::{self, Mount};
use crate::program;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

const MIB: u64 = 1 << 20;
/// With more memory than this, swapping out more than fits takes too long.
const SMALL: u64 = 2048;
const MEMINFO: &str = "/proc/meminfo";
static TITLE: Title =
    Title { label: "swapadm-live-fi", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000f175c0de" };

/// An area with this many MiB of a load, whose memory limit is removed afterwards.
struct FullArea {
    _hog: Hog,
    _cage: MemoryLimit,
    area: Area,
}

impl FullArea {
    fn new(lab: &Lab, mib: u64, fill: impl FnOnce(&mut Hog)) -> Result<Self, String> {
        let area = areas::zram(lab, 2 * mib * MIB, &TITLE, 32_000)?;
        let cage = MemoryLimit::new(lab, 32 * MIB)?;
        let mut hog = Hog::new(&cage);
        fill(&mut hog);
        assert!(cage.swap() > mib / 2 * MIB, "swapped out: {}", cage.swap());
        cage.lift();
        Ok(Self { _hog: hog, _cage: cage, area })
    }

    /// The check refuses, and only the expected check.
    fn is_refused(&self, output: &Output) {
        let said = program::describe_failure(output);
        assert_eq!(output.status.code(), Some(3), "{said}");
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let checks = document["checks"].as_array().expect("checks").iter();
        let refused: Vec<&Value> = checks.filter(|it| it["verdict"] == "refuse").collect();
        let [check] = refused.as_slice() else { panic!("{said}") };
        let text = check["text"].as_str().unwrap_or_default();
        assert_eq!(check["id"], "memory", "{said}");
        for word in [self.path(), "to move, but only", "too little", "Add swap"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        assert_eq!(document["outcome"], Value::Null, "{said}");
        assert_eq!(priority(&self.area.path), Some(32_000), "the area is enabled as before");
    }

    fn path(&self) -> &str {
        self.area.path.to_str().expect("text")
    }
}

/// Available memory according to the kernel, in MiB.
fn available() -> u64 {
    let text = fs::read_to_string(MEMINFO).expect("the file is readable");
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.expect("there is a figure") / 1024
}

/// More data is on the area than the machine has memory: pages of one value, which zram stores for free,
/// and which need a page each when they come back.
pub(crate) fn refused_when_memory_is_short(lab: &Lab) -> Result<(), String> {
    let memory = available();
    if memory > SMALL {
        lab::remark(&format!("zram content beyond memory: {memory} MiB take too long to fill"));
        return Ok(());
    }
    let more = memory + memory / 4;
    let full = FullArea::new(lab, more, |hog| hog.level(more))?;
    for command in [&["off", full.path()][..], &["priority", &format!("{}=31000", full.path())]] {
        let arguments = [command, &["--yes", "--json"]].concat();
        full.is_refused(
            &program::journalled(lab, &arguments).output().expect("the program starts"),
        );
    }
    Ok(())
}

/// The same where the kernel reports hardly any available memory.
pub(crate) fn refused_by_masked_meminfo(lab: &Lab) -> Result<(), String> {
    areas::are_ours_only()?;
    let full = FullArea::new(lab, 96, |hog| hog.fill(96))?;
    let off = ["off", full.path(), "--yes", "--json"];
    let told = |mib: u64| {
        let text = fs::read_to_string(MEMINFO).expect("the file is readable");
        let line = |line: &str| match line.strip_prefix("MemAvailable:") {
            Some(_) => format!("MemAvailable: {} kB\n", mib * 1024),
            None => format!("{line}\n"),
        };
        let file = lab.scratch.file("meminfo");
        fs::write(&file, text.lines().map(line).collect::<String>()).expect("a file");
        mounts::behind(lab, &[Mount::Bind(&file, Path::new(MEMINFO))], &off)
    };
    full.is_refused(&told(4)?);
    // Only the reported memory was the reason.
    let done = told(available())?;
    assert_eq!(done.status.code(), Some(0), "{}", program::describe_failure(&done));
    assert_eq!(priority(&full.area.path), None);
    Ok(())
}
