//! Every change asks the kernel for exactly what its plan says, and for what the lock and the journal need: all
//! calls, also those that fail, with offset, length and mode.

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use crate::private_etc::PrivateEtc;
use crate::settings::{PRESSURE, SavedSettings};
use crate::tracer::{self, Call, Trace};
use crate::{at_length, file, full, program, zram};
use nix::errno::Errno;
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::Command;
use swapadm::model::format::Patch;

/// Changes of areas, files and settings, each after the one before. Words in capitals are names of the scene.
const AREAS: &[&str] = &[
    "format AREA --uuid UUID",
    "format AREA --label swapadm-live-tr",
    "undo LAST",
    "on AREA -p 31000 --persist --force loop",
    "on AREA -p 31000 --persist",
    "priority AREA=31001",
    "priority AREA=31002 --persist",
    "undo LAST",
    "off AREA --persist",
    "undo LAST",
    "off --all",
    "on --all",
    "set vfs_cache_pressure 101",
    "set vfs_cache_pressure=102 page-cluster=4 --persist",
    "undo LAST",
    "reset vfs_cache_pressure --persist",
    "set --cgroup GROUP LIMIT 96M",
    "undo LAST",
    "reset --cgroup GROUP LIMIT",
    "file create FILE 8M --on -p 30000",
    "file resize FILE 12M",
    "undo LAST",
    "file remove FILE",
    "undo LAST",
    "rebalance equal",
    "rebalance custom LIST",
    "apply WANTED --force folder --force space",
    "undo LAST",
    "priority AREA=29001",
    "recover",
];

/// Changes of zram.
const ZRAM: &[&str] = &[
    "zram add --size 8M --limit 6M",
    "zram limit ZRAM 4M",
    "undo LAST",
    "zram resize ZRAM 16M",
    "zram algorithm ZRAM ALGORITHM",
    "zram idle ZRAM",
    "zram compact ZRAM",
    "zram upkeep ZRAM --compact-from 0",
    "zram remove ZRAM",
    "undo LAST",
    "zram remove ZRAM",
    "zram swap --size 8M --priority 30000 --label swapadm-live-tr",
    "zram resize ZRAM 16M",
    "undo LAST",
    "rebalance tiered",
    "off ZRAM",
    "zram remove ZRAM",
    "setup --no-sample --with compression=zram --with size=64M --with disk=none --with swappiness=61",
    "undo LAST",
];

/// Changes that only some kernels have.
const WRITEBACK: &[&str] = &[
    "zram add --size 8M --backing AREA",
    "zram idle ZRAM",
    "zram writeback ZRAM idle",
    "zram writeback ZRAM huge --limit 4M",
    "zram remove ZRAM",
];
const RECOMPRESSION: &[&str] = &[
    "zram add --size 8M --algorithm lzo --second-algorithm zstd",
    "zram recompress ZRAM",
    "zram remove ZRAM",
];

/// Changes that move pages of a process.
const SWAP_IN: &[&str] = &["process swapin PID"];
const RECLAIM: &[&str] = &["cgroup reclaim GROUP 4M"];

/// Workloads, whose temporary areas and settings are plans in the journal.
const WORKLOADS: &[&str] = &[
    "stress run usemem --with size=12M --limit 24M --zram 64M --file 16M --set swappiness=61 --no-keep",
    "experiment run balance --only priorities=equal,distinct --limit 24M --repeat 1 --no-keep",
];

static TITLE: Title =
    Title { label: "swapadm-live-tr", uuid: "5a9c0f3e-7b1d-4e62-8f40-00007ace0de0" };

#[test]
fn the_calls_of_every_command_that_changes_are_compared() {
    let traced = [AREAS, ZRAM, WRITEBACK, RECOMPRESSION, SWAP_IN, RECLAIM, WORKLOADS].concat();
    for name in commands(&swapadm::cli::generate::command(), "") {
        let is_traced = traced.iter().any(|line| line.starts_with(&name));
        assert!(is_traced, "the calls of {name} are not compared");
    }
}

/// The commands that take the options of changes.
fn commands(command: &clap::Command, name: &str) -> Vec<String> {
    let own = command.get_arguments().any(|it| it.get_id() == "dry_run").then(|| name.to_owned());
    let more = command.get_subcommands().flat_map(|it| {
        let name = format!("{name} {}", it.get_name());
        commands(it, name.trim_start())
    });
    own.into_iter().chain(more).collect()
}

#[test]
fn the_calls_of_a_change_are_those_of_its_plan() {
    at_length("the_calls_of_a_change_are_those_of_its_plan", |lab| {
        let mut scene = Scene::new(lab, compare)?;
        scene.make_all()?;
        scene.make = compare_workload;
        scene.make(WORKLOADS)?;
        assert!(scene.differences.is_empty(), "{}", scene.differences.join("\n\n"));
        let (commands, calls) = scene.compared;
        println!("measured: {commands} commands, {calls} calls, each in its plan");
        Ok(())
    });
}

/// Makes a change, given as in the lists and as words of a command line.
type Make = fn(&mut Scene<'_>, &str, &[String]) -> Result<(), String>;

/// The devices and files of the changes, and the number of commands and calls so far.
pub(crate) struct Scene<'l> {
    pub(crate) lab: &'l Lab,
    make: Make,
    etc: PrivateEtc<'l>,
    names: Vec<(&'static str, String)>,
    cage: MemoryLimit,
    pub(crate) compared: (usize, usize),
    pub(crate) differences: Vec<String>,
    areas: [Area; 3],
    _settings: SavedSettings,
}

const MIB: u64 = 1 << 20;
const SETTINGS: [&str; 3] = [PRESSURE, "/proc/sys/vm/page-cluster", "/proc/sys/vm/swappiness"];

impl<'l> Scene<'l> {
    pub(crate) fn new(lab: &'l Lab, make: Make) -> Result<Self, String> {
        areas::are_ours_only()?;
        lab.has_room()?;
        let settings = SavedSettings::new(&SETTINGS);
        let etc =
            PrivateEtc::new(lab, &[("fstab", "# ours\n"), ("sysctl.d/10-theirs.conf", "\n")])?;
        let cage = MemoryLimit::new(lab, 64 * MIB)?;
        let algorithms = zram::algorithms(&areas::new_zram(lab)?);
        let area = areas::new_loop(lab, 48 * MIB)?;
        let device = zram::next(lab)?;
        let folder = lab.scratch.file("files");
        fs::create_dir_all(&folder).expect("a folder");
        let swapfile = Area::of_file(folder.join("swapfile"));
        lab.note("swapfile", &swapfile.path);
        let [area_path, file_path] = [&area, &swapfile].map(|it| file::text(&it.path).to_owned());
        let device_name = device.path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = |name: &str, text: String| {
            fs::write(lab.scratch.file(name), text).expect("a file");
            file::text(&lab.scratch.file(name)).to_owned()
        };
        let wanted = format!(
            "[[area]]\nname = \"{area_path}\"\npriority = 5\n[[area]]\nname = \"{file_path}\"\nsize = \"16M\"\n\
             [[zram]]\ndevice = \"{device_name}\"\nsize = \"8M\"\npriority = 77\n[settings]\nswappiness = 62\n"
        );
        let limit = if cage.version == 1 { "memory.limit_in_bytes" } else { "memory.max" };
        let names = vec![
            ("AREA", area_path.clone()),
            ("ALGORITHM", algorithms.into_iter().next_back().expect("algorithms")),
            ("FILE", file_path),
            ("GROUP", cage.path.clone()),
            ("LIMIT", limit.to_owned()),
            ("LIST", text("list", format!("{area_path} 29000\n"))),
            ("UUID", TITLE.uuid.to_owned()),
            ("WANTED", text("wanted.toml", wanted)),
            ("ZRAM", device_name),
        ];
        let areas = [area, device, swapfile];
        Ok(Self {
            lab,
            make,
            etc,
            names,
            cage,
            compared: (0, 0),
            differences: Vec::new(),
            areas,
            _settings: settings,
        })
    }

    /// Makes all changes.
    pub(crate) fn make_all(&mut self) -> Result<(), String> {
        for changes in [AREAS, ZRAM] {
            self.make(changes)?;
        }
        let probe = areas::new_zram(self.lab)?;
        let has = |file: &str| areas::sysfs(&probe.path).join(file).exists();
        let kinds = [("backing_dev", WRITEBACK), ("recomp_algorithm", RECOMPRESSION)];
        let kinds = kinds.map(|(file, changes)| (has(file), file, changes));
        drop(probe);
        for (is_there, file, changes) in kinds {
            if is_there {
                self.make(changes)?;
            } else {
                lab::remark(&format!("the calls of a change: this kernel has no {file} of zram"));
            }
        }
        self.move_pages()
    }

    /// Makes these changes one after the other.
    fn make(&mut self, changes: &[&str]) -> Result<(), String> {
        for line in changes {
            let words: Vec<String> = line.split(' ').map(|word| self.name(word)).collect();
            if *line == "recover" {
                self.interrupt();
            }
            (self.make)(self, line, &words)?;
        }
        Ok(())
    }

    /// A word, or what it names.
    fn name(&self, word: &str) -> String {
        let (name, more) = word
            .split_once('=')
            .map_or((word, String::new()), |(name, more)| (name, format!("={more}")));
        if name == "LAST" {
            return self.last_plan();
        }
        let named = self.names.iter().find(|(other, _)| *other == name);
        named.map_or_else(|| word.to_owned(), |(_, value)| format!("{value}{more}"))
    }

    /// The number of the last plan in the journal.
    pub(crate) fn last_plan(&self) -> String {
        let journal = fs::read_to_string(self.lab.scratch.file("journal")).expect("a journal");
        let last = journal.lines().last().map(serde_json::from_str::<Value>);
        last.expect("a plan").expect("JSON")["plan"].to_string()
    }

    /// The program with these words.
    pub(crate) fn swapadm(&self, words: &[String], more: &[&str]) -> Command {
        let words = words.iter().map(String::as_str).chain(more.iter().copied());
        self.etc.swapadm(&words.collect::<Vec<_>>())
    }

    /// All that the changes change, but contents of zram.
    pub(crate) fn state(&self) -> String {
        let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let [area, device, swapfile] = self.areas.each_ref().map(|it| it.path.as_path());
        let swaps = read("/proc/swaps".as_ref());
        let mut swaps: Vec<_> =
            swaps.lines().map(|line| word_at(line, 0) + &word_at(line, 4)).collect();
        swaps.sort();
        let settings = SETTINGS.map(|file| read(file.as_ref()));
        let of_zram = ["disksize", "comp_algorithm", "backing_dev"];
        let of_zram = of_zram.map(|file| read(&areas::sysfs(device).join(file)));
        let limit = word_at(&read(&areas::sysfs(device).join("mm_stat")), 3);
        let mut head = vec![0; 4096];
        let _ = File::open(area).and_then(|file| file.read_exact_at(&mut head, 0));
        // The label and the magic: the UUID is another one each time.
        let head = [&head[1052..1068], &head[4086..]].map(String::from_utf8_lossy);
        let size = fs::metadata(swapfile).map(|facts| facts.len()).ok();
        let folder = full::names(swapfile.parent().expect("a folder"));
        let mut etc = Command::new("grep");
        let etc = etc.args(["-r", "--exclude=*.swapadm-old", ""]).arg(&self.etc.etc).output();
        let etc = String::from_utf8(etc.expect("grep starts").stdout).expect("text");
        let mut etc: Vec<_> = etc.lines().collect();
        etc.sort_unstable();
        let cage = fs::read_to_string(self.cage.folder.join(self.name("LIMIT")));
        format!(
            "{swaps:?} {settings:?} {of_zram:?} {limit} {head:?} {size:?} {folder:?} {etc:?} {cage:?}"
        )
    }

    /// Compares the calls of a command with those that its plans need.
    fn compare(&mut self, line: &str, trace: &Trace, expected: Vec<String>, said: &str) {
        let (calls, expected) = self.calls(trace, expected);
        if !trace.output.status.success() || calls != expected {
            let difference = format!("{line}: {calls:#?}\nnot {expected:#?}\n{said}");
            self.differences.push(difference);
        }
        self.compared = (self.compared.0 + 1, self.compared.1 + calls.len());
    }

    /// The calls of a change, and those of its plans, without what depends on the kernel.
    fn calls(&self, trace: &Trace, mut expected: Vec<String>) -> (Vec<String>, Vec<String>) {
        let made = trace.calls.iter().filter(|call| !is_usual(call));
        let mut calls: Vec<String> = made.map(|call| word(self.lab, call)).collect();
        // The journal is opened once more to see whether more is to be done.
        while calls.last().is_some_and(|call| call == "open JOURNAL") {
            calls.pop();
        }
        // An algorithm that a device has already is not written.
        expected.retain(|call| !call.contains("/comp_algorithm") || calls.contains(call));
        // A file system that cannot allocate refuses it, and the file is written instead.
        let refused = trace.calls.iter().filter(|call| call.name == "allocate" && call.result < 0);
        let refused: Vec<String> = refused.map(|call| word(self.lab, call)).collect();
        if !refused.is_empty() {
            expected.retain(|call| !refused.contains(call));
            expected.dedup();
            calls.dedup();
        }
        // A write that fails while udev looks at a device is repeated.
        calls.dedup_by(|call, before| call == before && call.starts_with("open "));
        (calls, expected)
    }

    /// Leaves the journal and the area as if the program had been killed while the area was disabled.
    fn interrupt(&self) {
        let path = self.lab.scratch.file("journal");
        let journal = fs::read_to_string(&path).expect("a journal");
        let lines: Vec<&str> = journal.lines().collect();
        fs::write(&path, lines[..lines.len() - 2].join("\n") + "\n").expect("our journal");
        self.disable_area();
    }

    /// Disables the area, as the interrupted plan did.
    pub(crate) fn disable_area(&self) {
        let _ = areas::swapoff(&self.areas[0].path);
    }

    /// Brings pages of a process back to memory, and reclaims others.
    fn move_pages(&mut self) -> Result<(), String> {
        let _area = areas::zram(self.lab, 64 * MIB, &TITLE, 31_000)?;
        let mut hog = Hog::new(&self.cage);
        hog.fill(24);
        self.cage.squeeze(8 * MIB);
        self.cage.limit(64 * MIB).map_err(|error| error.to_string())?;
        assert!(self.cage.swap() > 4 * MIB, "pages are in swap");
        self.names.push(("PID", hog.pid().to_string()));
        self.make(SWAP_IN)?;
        if self.cage.folder.join("memory.reclaim").exists() {
            self.make(RECLAIM)
        } else {
            lab::remark("the calls of a change: these cgroups have no memory.reclaim");
            Ok(())
        }
    }
}

/// Makes a change, and compares its calls with those of its plan.
fn compare(scene: &mut Scene<'_>, line: &str, words: &[String]) -> Result<(), String> {
    let planned = scene.swapadm(words, &["--dry-run", "--json"]).output();
    let planned = planned.expect("the program starts");
    let mut command = scene.swapadm(words, &["--yes"]);
    let trace = tracer::run(&mut command, &scene.lab.scratch.file(""), None)?;
    let said = [&planned, &trace.output].map(program::describe_failure).concat();
    let plan: Value = serde_json::from_slice(&planned.stdout).expect("JSON");
    let mut expected = expected(&plan);
    if plan["title"] == "repair interrupted changes" {
        // The interrupted plan is closed too.
        let closed = ["open JOURNAL", "write JOURNAL made", "write JOURNAL end"];
        expected.extend(closed.map(str::to_owned));
    }
    scene.compare(line, &trace, expected, &said);
    Ok(())
}

/// Runs a workload, and compares its calls with those of the plans that it wrote to the journal.
fn compare_workload(scene: &mut Scene<'_>, line: &str, words: &[String]) -> Result<(), String> {
    let journal = scene.lab.scratch.file("journal");
    let read = || fs::read_to_string(&journal).expect("a journal");
    let before = read().lines().count();
    let mut command = scene.swapadm(words, &["--yes"]);
    let mut trace = tracer::run(&mut command, &scene.lab.scratch.file(""), None)?;
    trace.calls.retain(|call| !is_of_workload(call));
    let begun: Vec<Value> = read()
        .lines()
        .skip(before)
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|event| event["event"] == "begin")
        .collect();
    assert!(!begun.is_empty(), "{line}: no plan");
    let plans = begun.iter().flat_map(there_and_back);
    let expected = LOCKED.map(str::to_owned).into_iter().chain(plans).collect();
    let said = program::describe_failure(&trace.output);
    scene.compare(line, &trace, expected, &said);
    Ok(())
}

/// Is it a call on the cgroup of a workload, or of one of its processes on itself?
fn is_of_workload(call: &Call) -> bool {
    let ends = ["/cgroup.subtree_control", "/oom_score_adj"];
    call.path.contains("/swapadm-lab.") || ends.iter().any(|end| call.path.ends_with(end))
}

/// A word of a line.
fn word_at(line: &str, place: usize) -> String {
    line.split_whitespace().nth(place).unwrap_or_default().to_owned()
}

/// Is it an error that every change may meet? A leftover and a folder that are looked for, and a busy device.
fn is_usual(call: &Call) -> bool {
    let error = Errno::from_raw(i32::try_from(-call.result).unwrap_or(0));
    match call.name {
        _ if call.result >= 0 => false,
        "unlink" => error == Errno::ENOENT && call.path.ends_with(NEW),
        "mkdir" => error == Errno::EEXIST,
        "allocate" => error == Errno::EOPNOTSUPP,
        "open" | "write" => error == Errno::EBUSY,
        _ => false,
    }
}

/// A call in one line. The journal is shown by its events, and files of configuration by their names in /etc.
fn word(lab: &Lab, call: &Call) -> String {
    let text = |path: &str| {
        let path = path.replace(lab.scratch.file("etc").to_str().expect("text"), "/etc");
        path.replace(lab.scratch.file("journal").to_str().expect("text"), "JOURNAL")
    };
    let path = text(&call.path).replace("/run/swapadm.lock", "LOCK");
    // An open file has the path without links.
    let path = path.replace("/sys/devices/virtual/block/", "/sys/block/");
    let event = serde_json::from_str::<Value>(&call.text).unwrap_or_default();
    let more = if let Some(event) = event["event"].as_str() {
        event
    } else if call.path.ends_with(NEW) {
        return format!("{} {path} {:?}", call.name, call.text);
    } else if ["/proc/sys", "/sys"].iter().any(|it| path.starts_with(it)) || call.name == "swapon" {
        call.text.trim()
    } else if path == "LOCK" || path == "JOURNAL" {
        ""
    } else {
        &call.detail
    };
    format!("{} {path} {more}", call.name).trim_end().to_owned()
}

/// The calls that a plan needs; none if nothing is to be done.
fn expected(plan: &Value) -> Vec<String> {
    let steps = plan["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    if steps.is_empty() {
        return Vec::new();
    }
    LOCKED.map(str::to_owned).into_iter().chain(recorded(steps.iter().cloned())).collect()
}

const LOCKED: [&str; 3] = ["open LOCK", "write LOCK", "allocate LOCK"];

/// The calls of a temporary plan: its steps, and the same back.
fn there_and_back(plan: &Value) -> Vec<String> {
    let steps = plan["steps"].as_array().expect("steps");
    recorded(steps.iter().cloned().chain(steps.iter().rev().map(inverse)))
}

/// The step that undoes this one of a temporary plan.
fn inverse(step: &Value) -> Value {
    let mut back = step.clone();
    if step["kind"] == "on" {
        back["kind"] = "off".into();
    } else {
        back["from"] = step["to"].clone();
        back["to"] = step["from"].clone();
    }
    back
}

/// The calls of a plan with these steps, which are in the journal before and after each.
fn recorded(steps: impl Iterator<Item = Value>) -> Vec<String> {
    let mut calls = ["open JOURNAL", "write JOURNAL begin"].map(str::to_owned).to_vec();
    let mut any_lasts = false;
    for step in steps {
        any_lasts |= lasts(&step);
        calls.push("write JOURNAL try".to_owned());
        calls.extend(lasts(&step).then(|| "sync JOURNAL".to_owned()));
        calls.extend(of_step(&step));
        calls.push("write JOURNAL made".to_owned());
    }
    calls.push("write JOURNAL end".to_owned());
    calls.extend(any_lasts.then(|| "sync JOURNAL".to_owned()));
    calls
}

/// Does a step outlast a reboot? Contents of zram end with the memory.
fn lasts(step: &Value) -> bool {
    let is_on_zram = step["path"].as_str().is_some_and(|path| path.starts_with("/dev/zram"));
    matches!(step["kind"].as_str(), Some("save" | "header" | "file")) && !is_on_zram
}

/// A file of configuration before it is renamed.
const NEW: &str = ".swapadm-new";

/// The calls of one step.
fn of_step(step: &Value) -> Vec<String> {
    let path = |key: &str| step[key]["path"].as_str().unwrap_or_default().to_owned();
    let text = |key: &str| step[key].as_str().unwrap_or_default();
    let own = text("path");
    // A helper adds its PID to the lock.
    let helper = |calls: Vec<String>| {
        let lock = ["write LOCK", "allocate LOCK"].map(str::to_owned);
        [lock.to_vec(), calls].concat()
    };
    match step["kind"].as_str().expect("a kind") {
        "on" => vec![enabled(&step["area"])],
        "off" => helper(vec![format!("swapoff {}", path("area"))]),
        "renew" => helper(vec![format!("swapoff {}", path("from")), enabled(&step["to"])]),
        "set" => written(text("file"), text("to")),
        // Reading the memory of a process brings its pages back.
        "order" if text("word") == "swap-in" => helper(vec![format!("open {}", text("file"))]),
        "order" => helper(written(text("file"), text("word"))),
        "header" => rewritten(step),
        "save" => saved(step),
        "file" if step["to"].is_null() => {
            vec![format!("unlink {own}"), format!("sync {}", folder(own))]
        }
        "file" if !step["from"].is_null() => resized(step),
        "file" => {
            let (to, folder) = (&step["to"], folder(own));
            let [size, page] = [&to["size"], &to["format"]["page_size"]];
            let made = [
                format!("open {folder} 600"),
                format!("own {folder} 600"),
                format!("allocate {folder} {size} bytes at 0"),
                format!("write {folder} {page} bytes at 0"),
                format!("sync {folder}"),
                format!("link {folder} {own}"),
            ];
            made.into_iter().chain([format!("sync {folder}"), format!("sync {folder}")]).collect()
        }
        "zram" => of_zram(step),
        other => panic!("{other}"),
    }
}

/// A file grows before its header says so, and is cut off after that.
fn resized(step: &Value) -> Vec<String> {
    let path = step["path"].as_str().expect("a path");
    let [from, to] = ["from", "to"].map(|form| step[form]["size"].as_u64().expect("a size"));
    let page = &step["to"]["format"]["page_size"];
    let header = || [format!("write {path} {page} bytes at 0"), format!("sync {path}")];
    let size = if from < to {
        format!("allocate {path} {} bytes at {from}", to - from)
    } else {
        format!("allocate {path} {to} bytes")
    };
    let size = [size, format!("sync {path}")];
    let changed = if from < to { [size, header()] } else { [header(), size] };
    std::iter::once(format!("open {path}")).chain(changed.concat()).collect()
}

/// An area is enabled with the flags of `include/linux/swap.h`.
fn enabled(area: &Value) -> String {
    let priority = area["priority"]["set"].as_u64().map_or(0, |number| 0x8000 | number);
    let discard = match area["discard"].as_str().expect("discard") {
        "none" => 0,
        "once" => 0x3_0000,
        "pages" => 0x5_0000,
        _ => 0x1_0000,
    };
    format!("swapon {} {:#x}", area["path"].as_str().expect("a path"), priority | discard)
}

/// A word is written to a file of the kernel.
fn written(file: &str, word: &str) -> Vec<String> {
    vec![format!("open {file}"), format!("write {file} {}", word.trim()).trim_end().to_owned()]
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The places of a header, and of other signatures, are written.
fn rewritten(step: &Value) -> Vec<String> {
    let path = step["path"].as_str().expect("a path");
    let places: Vec<Patch> = serde_json::from_value(step["was"].clone()).expect("places");
    let writes =
        places.iter().map(|it| format!("write {path} {} bytes at {}", it.bytes.len(), it.at));
    std::iter::once(format!("open {path}")).chain(writes).chain([format!("sync {path}")]).collect()
}

/// A file of configuration is written under another name, after its backup, or removed.
fn saved(step: &Value) -> Vec<String> {
    let path = step["path"].as_str().expect("a path");
    let is_there = !step["from"].is_null();
    let new = format!("{path}{NEW}");
    let replace = |to: &str, text: &Value| {
        let owner = is_there.then_some("own");
        let calls = ["open", "write"].into_iter().chain(owner).chain(["own", "sync"]);
        let text = |call| if call == "write" { text.as_str().expect("a text") } else { "" };
        let calls = calls.map(|call| format!("{call} {new} {:?}", text(call)));
        calls.chain([format!("rename {new} {to}")]).collect::<Vec<_>>()
    };
    let backup = format!("{path}.swapadm-old");
    let mut calls = if is_there { replace(&backup, &step["from"]) } else { Vec::new() };
    if step["to"].is_null() {
        calls.push(format!("unlink {path}"));
    } else {
        calls.extend(replace(path, &step["to"]));
    }
    calls.push(format!("sync {}", folder(path)));
    calls
}

fn of_zram(step: &Value) -> Vec<String> {
    let control = "/sys/class/zram-control";
    let (from, to) = (&step["from"], &step["to"]);
    let number = step["number"].as_u64().expect("a number");
    let write = |file: &str, word: &Value| {
        let word = word.as_str().map_or_else(|| word.to_string(), str::to_owned);
        written(&format!("/sys/block/zram{number}/{file}"), &word)
    };
    if to.is_null() {
        return written(&format!("{control}/hot_remove"), &number.to_string());
    }
    let is_limited = |from: &Value| {
        let mut same = from.clone();
        same["limit"] = to["limit"].clone();
        same == *to
    };
    if is_limited(from) {
        return write("mem_limit", &to["limit"]);
    }
    let first = match from["size"].as_u64() {
        None => vec![format!("open {control}/hot_add")],
        Some(0) => Vec::new(),
        Some(_) => write("reset", &Value::from("1")),
    };
    let algorithm = write("comp_algorithm", &to["algorithm"]);
    let seconds = to["recompression"].as_array().into_iter().flatten().flat_map(|second| {
        let word =
            format!("algo={} priority={}", second[1].as_str().unwrap_or_default(), second[0]);
        write("recomp_algorithm", &Value::from(word))
    });
    let optional =
        [("backing_dev", "backing", Value::Null), ("mem_limit", "limit", Value::from(0))];
    let optional = optional.into_iter().filter(|(_, key, unset)| to[*key] != *unset);
    let optional = optional.flat_map(|(file, key, _)| write(file, &to[key]));
    let size = write("disksize", &to["size"]);
    first.into_iter().chain(algorithm).chain(seconds).chain(optional).chain(size).collect()
}
