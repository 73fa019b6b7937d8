//! `on --all` and `off --all`, with an fstab of our own.

use crate::areas::{self, Area, Title};
use crate::change::{json_of, priority};
use crate::lab::{self, Lab};
use crate::private_etc::PrivateEtc;
use crate::{program, syscalls};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

const SIZE: u64 = 8 << 20;
/// Priority of the area that is enabled from the start, and its priority in fstab.
const IS_ON: u16 = 31_100;

/// Areas that fstab names in all ways, and a private /etc; the areas are dropped first.
struct Machine<'l> {
    uuid: Area,
    label: Area,
    path: Area,
    noauto: Area,
    active: Area,
    file: Option<Area>,
    room: PrivateEtc<'l>,
}

impl<'l> Machine<'l> {
    fn new(lab: &'l Lab) -> Result<Self, String> {
        let room = PrivateEtc::new(lab, &[])?;
        let on_loop = |place: usize| {
            let area = areas::new_loop_on(lab, &format!("backing{place}"), SIZE)?;
            areas::write_header(&area.path, &TITLES[place], SIZE);
            Ok::<_, String>(area)
        };
        let active = on_loop(4)?;
        syscalls::swapon(&active.path, IS_ON).map_err(|error| error.to_string())?;
        let file = areas::file(lab, SIZE, &TITLES[5], IS_ON);
        if let Err(reason) = &file {
            lab::remark(&format!("a swap file in fstab: {reason}"));
        }
        let file = file.ok();
        if let Some(file) = &file {
            syscalls::swapoff(&file.path).expect("it was on");
        }
        let machine = Self {
            uuid: on_loop(0)?,
            label: on_loop(1)?,
            path: on_loop(2)?,
            noauto: on_loop(3)?,
            active,
            file,
            room,
        };
        machine.room.write("fstab", &machine.lines());
        Ok(machine)
    }

    /// An fstab with typical comments, blanks and quotes.
    fn lines(&self) -> String {
        let mut lines = vec![
            "# swap of all kinds".to_owned(),
            "proc /proc proc defaults 0 0".to_owned(),
            String::new(),
            format!("UUID=\"{}\"  none  swap  sw,pri=31004,discard=once 0 0", TITLES[0].uuid),
            format!(
                "LABEL=\"{}\"\tswap\tswap\tdefaults,discard=pages",
                TITLES[1].label.replace(' ', "\\040")
            ),
            "/no/such/device none swap sw,pri=9 0 0".to_owned(),
            format!("UUID={} none swap sw,nofail 0 0", "00000000-1111-2222-3333-444444444444"),
            format!("{} swap swap discard,pri=40000 0 0", text(&self.path.path)),
            format!("{} none swap noauto,pri=31003 0 0", text(&self.noauto.path)),
            format!("{} none swap pri=31099 0 0", text(&self.active.path)),
        ];
        lines.extend(
            self.file.as_ref().map(|file| format!("{} none swap pri=31001", text(&file.path))),
        );
        lines.join("\n") + "\n"
    }

    /// The current priorities: each area has its own, except the one with the default priority.
    fn priorities(&self) -> [Option<i32>; 5] {
        let of = |area: &Area| priority(&area.path);
        [&self.uuid, &self.label, &self.path, &self.noauto, &self.active].map(of)
    }

    fn file(&self) -> Option<i32> {
        self.file.as_ref().and_then(|file| priority(&file.path))
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// The options of each step that enables an area.
fn requested_changes(document: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let steps = document["steps"].as_array().expect("steps").iter();
    steps.map(|step| (word(&step["area"]["path"]), word(&step["area"]["discard"]))).collect()
}

/// Each line is handled separately: failures are reported, the others continue; then all are disabled.
pub(crate) fn all(lab: &Lab) -> Result<(), String> {
    let others =
        fs::read_to_string("/proc/swaps").expect("the file is readable").lines().count() > 1;
    let machine = Machine::new(lab)?;
    let before = machine.priorities();
    let shown = machine.room.json_of(&["on", "--all", "--dry-run"], 5);
    assert!(shown.contains("/no/such/device") && shown.contains("nofail"), "{shown}");
    assert_eq!(machine.priorities(), before, "a dry run changes nothing");

    let done = while_one_is_held(&machine);
    let [uuid, label, path, noauto, active] = machine.priorities();
    assert_eq!([uuid, path], [Some(31_004), Some(32_767)], "{done}");
    assert!(
        label < Some(0) && label.is_some(),
        "without pri= the kernel chooses a priority: {label:?}"
    );
    assert_eq!([noauto, active], [None, Some(i32::from(IS_ON))], "{done}");
    assert_eq!(machine.file(), machine.file.as_ref().map(|_| 31_001));
    let mut expected = vec![
        (text(&machine.uuid.path), "once"),
        (text(&machine.label.path), "pages"),
        (text(&machine.path.path), "both"),
    ];
    expected.extend(machine.file.as_ref().map(|file| (text(&file.path), "none")));
    let asked = requested_changes(&done);
    assert_eq!(
        asked.iter().map(|(path, how)| (path.as_str(), how.as_str())).collect::<Vec<_>>(),
        expected
    );
    for (path, how) in expected {
        in_log(path, how);
    }
    left_out(&done);

    // Active areas are left alone; missing ones are reported again.
    let again = json_of(&mut machine.room.swapadm(&["on", "--all", "--yes", "--json"]), 5);
    assert_eq!(again["steps"].as_array().map(Vec::len), Some(0), "{again}");
    left_out(&again);
    off(&machine, others);
    Ok(())
}

/// A line that the kernel refuses unexpectedly is reported, and succeeds in a second attempt. Returns the
/// first document.
fn while_one_is_held(machine: &Machine<'_>) -> Value {
    let mut options = OpenOptions::new();
    let held = options.read(true).custom_flags(nix::libc::O_EXCL).open(&machine.path.path);
    let held = held.expect("the lock is free");
    let on = ["on", "--all", "--yes", "--json"];
    let done = json_of(&mut machine.room.swapadm(&on), 5);
    assert_eq!(done["outcome"]["end"], "partial", "{done}");
    let why = done["outcome"]["why"].as_str().unwrap_or_default();
    assert!(why.contains(text(&machine.path.path)), "{why}");
    assert_eq!(machine.priorities()[2], None);
    assert_eq!(machine.priorities()[0], Some(31_004), "the other lines are carried out: {done}");
    assert_eq!(machine.file(), machine.file.as_ref().map(|_| 31_001), "{done}");
    drop(held);
    let later = json_of(&mut machine.room.swapadm(&on), 5);
    assert_eq!(later["outcome"]["end"], "done", "{later}");
    assert_eq!(
        requested_changes(&later),
        [(text(&machine.path.path).to_owned(), "both".to_owned())]
    );
    done
}

/// Areas that stay disabled are reported with their severity.
fn left_out(document: &Value) {
    let checks = document["checks"].as_array().expect("checks").iter();
    let left: Vec<(&str, &str)> = checks
        .filter(|check| check["id"] == "fstab")
        .filter_map(|check| Some((check["verdict"].as_str()?, check["text"].as_str()?)))
        .collect();
    let is = |verdict, word| left.iter().any(|(is, text)| *is == verdict && text.contains(word));
    assert!(is("warn", "/no/such/device") && is("note", "00000000-1111"), "{left:?}");
    assert!(is("note", "is active with priority 31100"), "{left:?}");
    assert_eq!(left.len(), 3, "{left:?}");
}

/// The discard mode according to the kernel log.
fn in_log(path: &str, how: &str) {
    let Some(log) = program::tool("dmesg", &[]) else {
        return lab::remark("discard modes: no dmesg");
    };
    let on = format!(" swap on {path}.  Priority:");
    let Some(line) = log.lines().rfind(|line| line.contains(&on)) else {
        return lab::remark("discard modes: not in the log");
    };
    let flags = line.split_once(" across:").map_or("", |(_, rest)| rest);
    let flags = flags.split(' ').nth(1).unwrap_or_default();
    let expected = match how {
        "once" => "Ds",
        "pages" => "Dc",
        "both" => "Dsc",
        _ => "",
    };
    assert_eq!(flags.trim_start_matches("SS").trim_end_matches("FS"), expected, "{line}");
}

/// Disables all areas if all are ours; otherwise only the plan is checked.
fn off(machine: &Machine<'_>, others: bool) {
    let shown = json_of(&mut machine.room.swapadm(&["off", "--all", "--dry-run", "--json"]), 0);
    let count = 4 + usize::from(machine.file.is_some());
    let steps = shown["steps"].as_array().map_or(0, Vec::len);
    if others {
        assert!(steps > count, "{shown}");
        return lab::remark("off --all: this machine has other swap areas");
    }
    assert_eq!(steps, count, "{shown}");
    // The plan needs no other areas: the content fits into memory.
    let done = json_of(&mut machine.room.swapadm(&["off", "--all", "--yes", "--json"]), 0);
    assert_eq!(done["outcome"]["end"], "done", "{done}");
    assert_eq!((machine.priorities(), machine.file()), ([None; 5], None));
    let plan = done["outcome"]["journal"].to_string();
    json_of(&mut machine.room.swapadm(&["undo", &plan, "--yes", "--json"]), 0);
    let [uuid, label, path, noauto, active] = machine.priorities();
    assert_eq!([uuid, path], [Some(31_004), Some(32_767)]);
    assert_eq!([noauto, active], [None, Some(i32::from(IS_ON))]);
    assert!(label < Some(0) && label.is_some(), "{label:?}");
    for (area, how) in [(&machine.uuid, "once"), (&machine.label, "pages"), (&machine.path, "both")]
    {
        in_log(text(&area.path), how);
    }
    json_of(&mut machine.room.swapadm(&["off", "--all", "--yes", "--json"]), 0);
    assert_eq!(machine.priorities(), [None; 5]);
}

static TITLES: [Title; 6] = [
    Title { label: "swapadm-live-f0", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000f00c0de" },
    Title { label: "swapadm-live f1", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000f01c0de" },
    Title { label: "swapadm-live-f2", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000f02c0de" },
    Title { label: "swapadm-live-f3", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000f03c0de" },
    Title { label: "swapadm-live-f4", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000f04c0de" },
    Title { label: "swapadm-live-f5", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000f05c0de" },
];
