//! Kernel settings: changed, undone, and refused where necessary.

use crate::areas::{self, Title};
use crate::change;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::mounts::{self, Mount};
use crate::program::{self, describe_failure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Two harmless settings.
pub(crate) const PRESSURE: &str = "/proc/sys/vm/vfs_cache_pressure";
const BOOST: &str = "/proc/sys/vm/watermark_boost_factor";

/// Restores settings; of several words the chosen one.
pub(crate) struct SavedSettings(Vec<(String, String)>);

impl SavedSettings {
    pub(crate) fn new(files: &[&str]) -> Self {
        Self(files.iter().map(|file| ((*file).to_owned(), says(file))).collect())
    }
}

impl Drop for SavedSettings {
    fn drop(&mut self) {
        for (file, value) in &self.0 {
            let _ = fs::write(file, value);
        }
    }
}

/// The value of a file; of several words the chosen one.
pub(crate) fn says(file: &str) -> String {
    let text = text(Path::new(file));
    let chosen = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    chosen.map_or(text.as_str(), |(chosen, _)| chosen).to_owned()
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).expect("the file is readable").trim().to_owned()
}

fn swapadm(lab: &Lab, arguments: &[&str]) -> Command {
    let mut command = program::command(&lab.scratch.program(), arguments);
    command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    command
}

fn ends(lab: &Lab, arguments: &[&str], code: i32) -> Output {
    let output = swapadm(lab, arguments).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", describe_failure(&output));
    output
}

/// Two settings are changed together, undone together, and reset to their defaults.
pub(crate) fn are_set_and_taken_back(lab: &Lab) {
    let _kept = SavedSettings::new(&[PRESSURE, BOOST]);
    let old = [PRESSURE, BOOST].map(|file| text(Path::new(file)));
    let wishes = ["vfs_cache_pressure=117", "watermark_boost_factor=14000"];
    ends(lab, &["set", wishes[0], wishes[1], "--dry-run"], 0);
    assert_eq!(text(Path::new(PRESSURE)), old[0], "a dry run changes nothing");
    let done = program::json(&mut swapadm(lab, &["set", wishes[0], wishes[1], "--yes", "--json"]));
    assert_eq!(done["outcome"]["end"], "done", "{done}");
    assert_eq!([PRESSURE, BOOST].map(|file| text(Path::new(file))), ["117", "14000"]);
    let again = program::json(&mut swapadm(lab, &["set", wishes[0], "--yes", "--json"]));
    assert_eq!(again["steps"].as_array().map(Vec::len), Some(0), "an existing state is left alone");
    ends(lab, &["undo", "1", "--yes"], 0);
    assert_eq!([PRESSURE, BOOST].map(|file| text(Path::new(file))), old);
    fs::write(PRESSURE, "117").expect("root may");
    ends(lab, &["reset", "vfs_cache_pressure", "--yes"], 0);
    assert_eq!(text(Path::new(PRESSURE)), "100");
}

/// Undo does not overwrite a later change by somebody else.
pub(crate) fn of_others_are_left_alone(lab: &Lab) {
    let _kept = SavedSettings::new(&[PRESSURE]);
    ends(lab, &["set", "vfs_cache_pressure", "118", "--yes"], 0);
    fs::write(PRESSURE, "119").expect("root may");
    let journal: Value = program::json(&mut swapadm(lab, &["journal", "--json"]));
    let last = journal.as_array().expect("plans").len().to_string();
    let refused = ends(lab, &["undo", &last, "--yes"], 2);
    assert!(
        describe_failure(&refused).contains("has changed since"),
        "{}",
        describe_failure(&refused)
    );
    assert_eq!(text(Path::new(PRESSURE)), "119");
}

/// The limit of a cgroup, on either version.
pub(crate) fn of_groups(lab: &Lab) -> Result<(), String> {
    let cage = MemoryLimit::new(lab, 64 << 20)?;
    let knob = ["memory.memsw.limit_in_bytes", "memory.swap.max"]
        .into_iter()
        .find(|knob| cage.folder.join(knob).exists())
        .ok_or("cgroups have no swap limit here")?;
    let file = cage.folder.join(knob);
    let old = text(&file);
    ends(lab, &["set", "--cgroup", &cage.path, knob, "100M", "--yes"], 0);
    assert_eq!(text(&file), (100 << 20).to_string());
    ends(lab, &["set", "--cgroup", &cage.path, knob, "max", "--yes"], 0);
    assert_eq!(text(&file), old);
    let refused = ends(lab, &["set", "--cgroup", "/no/such", knob, "1G", "--dry-run"], 2);
    assert!(describe_failure(&refused).contains("no cgroup \"/no/such\""));
    // Version 1 rejects a value below the memory limit.
    if knob.contains("memsw") {
        let refused = ends(lab, &["set", "--cgroup", &cage.path, knob, "1M", "--yes"], 3);
        let why = describe_failure(&refused);
        assert!(why.contains("cannot be below it"), "{why}");
        assert_eq!(text(&file), old);
    }
    Ok(())
}

/// A read-only file system is detected before anything is tried.
pub(crate) fn read_only(lab: &Lab) -> Result<(), String> {
    let before = text(Path::new(PRESSURE));
    let mask = [Mount::ReadOnly(Path::new("/proc/sys"))];
    let output = mounts::behind(lab, &mask, &["set", "vfs_cache_pressure", "120", "--yes"])?;
    assert_eq!(output.status.code(), Some(3), "{}", describe_failure(&output));
    assert!(describe_failure(&output).contains("read-only"), "{}", describe_failure(&output));
    assert_eq!(text(Path::new(PRESSURE)), before);
    // A device in use would be left disabled if the failed write were noticed late.
    let area = areas::zram(lab, 32 << 20, &OWN, 31_500)?;
    let device = area.path.to_str().expect("its path is text");
    let mask = [Mount::ReadOnly(Path::new("/sys"))];
    for command in [&["zram", "resize", device, "48M"][..], &["zram", "compact", device]] {
        let output = mounts::behind(lab, &mask, &[command, &["--yes"]].concat())?;
        let said = describe_failure(&output);
        assert_eq!(output.status.code(), Some(3), "{command:?}: {said}");
        assert!(said.contains("read-only"), "{command:?}: {said}");
        assert_eq!(change::priority(&area.path), Some(31_500));
    }
    Ok(())
}

static OWN: Title =
    Title { label: "swapadm-live-ro", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000500c0d" };

/// Recover refuses a journal that belongs to another user, and a step that no plan makes.
pub(crate) fn of_a_forged_journal_are_not_written(lab: &Lab) {
    let victim = lab.scratch.file("victim");
    fs::write(&victim, "1").expect("a file");
    let boot = text(Path::new("/proc/sys/kernel/random/boot_id"));
    let step = format!(
        r#"{{"kind":"set","what":"x","file":"{}","from":"0","to":"1"}}"#,
        victim.to_str().expect("text")
    );
    let head = format!(r#"{{"plan":1,"at_ms":1,"boot":"{boot}","event":"#);
    let other = step.replace("victim", "other");
    let begin = format!(r#"{head}"begin","title":"x","steps":[{step},{other}],"undoes":null}}"#);
    let made = format!(r#"{head}"made","step":0,"back":false,"moved":0,"seconds":0.0}}"#);
    let journal = lab.scratch.file("journal");
    fs::write(&journal, format!("{begin}\n{made}\n")).expect("a journal");
    std::os::unix::fs::chown(&journal, Some(program::NOBODY), None).expect("root may");
    let recover = ["recover", "--yes"];
    let said = describe_failure(&ends(lab, &recover, 6));
    assert!(said.contains("is owned by user 65534"), "{said}");
    std::os::unix::fs::chown(&journal, Some(0), None).expect("root may");
    for arguments in [&recover[..], &["undo", "1", "--yes"]] {
        let said = describe_failure(&ends(lab, arguments, 6));
        assert!(said.contains("a step that swapadm never makes"), "{said}");
    }
    assert_eq!(text(&victim), "1", "nothing was written");
}

/// With elevated rights, environment variables name no files.
pub(crate) fn environment_names_no_files_for_others(lab: &Lab) {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let program = lab.scratch.program();
    let journal = |command: &mut Command| {
        command.uid(program::NOBODY).env("SWAPADM_ROOT", "/nowhere");
        command.output().expect("the program starts").status.success()
    };
    assert!(!journal(&mut swapadm(lab, &["devices"])), "the request names a missing tree");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).expect("our copy");
    let done = journal(&mut swapadm(lab, &["devices"]));
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("our copy");
    assert!(done, "with rights of root the environment is passed over");
}
