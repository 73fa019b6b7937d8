//! The places from which text comes from outside, each with a way to write a hostile value there.

use crate::common::screen::snapshot;
use crate::common::{Machine, repository};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use swapadm::actions::journal::JournalLine;
use swapadm::model::Snapshot;
use swapadm::model::experiment::Experiment;
use swapadm::model::run::Run;
use swapadm::sampler::recording::RecordingWriter;
use tempfile::TempDir;

/// A captured machine, and the files of a person: settings, results, recordings, files given as arguments.
pub(crate) struct World {
    pub(crate) machine: Machine,
    home: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let machine = Machine::unpack("7.2-mixed-loaded");
        let world = Self { machine, home: tempfile::tempdir().unwrap() };
        world.machine.write("machine.toml", "page_size = 4096\n");
        world
    }

    pub(crate) fn path(&self, file: impl AsRef<Path>) -> PathBuf {
        self.home.path().join(file)
    }

    fn write(&self, file: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Sequences that clear the screen, change colors and the clipboard, in 7 and 8 bits; bell, carriage return
/// and backspace; characters that turn the direction around, have no width, or tag others.
const SEQUENCES: &str = "\u{1b}[2J\u{9b}31m\u{1b}]52;c;eHg=\u{7}\r\u{8}\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}\u{e0041}\u{7f}";
/// The start of a line that no command prints by itself.
pub(crate) const FORGED: &str = "forged line";

/// A hostile value, with a word that tells which one it is.
pub(crate) struct Hostile(pub(crate) String);

impl Hostile {
    /// Without blanks: one field of a line.
    pub(crate) fn word(&self) -> String {
        format!("{}{SEQUENCES}", self.0)
    }

    /// With a tab, and without line end.
    pub(crate) fn line(&self) -> String {
        format!("{}\t.", self.word())
    }

    pub(crate) fn text(&self) -> String {
        format!("{}\n{FORGED}", self.line())
    }

    /// Not UTF-8, with a sequence in 8 bits.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        [b"\xff\x9b2J", self.text().as_bytes()].concat()
    }

    /// Escaped as the kernel does in /proc/swaps and /proc/mounts: blanks only.
    fn octal(&self) -> Vec<u8> {
        let escape = |byte: u8| match byte {
            b' ' | b'\t' | b'\n' | b'\\' => format!("\\{byte:03o}").into_bytes(),
            _ => vec![byte],
        };
        self.bytes().into_iter().flat_map(escape).collect()
    }

    /// A string of TOML or JSON, without quotes.
    fn quoted(&self) -> String {
        let units: Vec<String> =
            self.text().encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        units.concat()
    }

    /// A string of TOML, without quotes: it has no surrogates.
    fn toml(&self) -> String {
        let characters: Vec<String> =
            self.text().chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
        characters.concat()
    }
}

/// A place, and whether a command prints what stands there.
pub(crate) struct Place {
    pub(crate) name: &'static str,
    pub(crate) plant: fn(&World, &Hostile),
    pub(crate) is_printed: bool,
}

const fn printed(name: &'static str, plant: fn(&World, &Hostile)) -> Place {
    Place { name, plant, is_printed: true }
}

/// A place whose text swapadm only compares or replaces by words of its own.
const fn silent(name: &'static str, plant: fn(&World, &Hostile)) -> Place {
    Place { name, plant, is_printed: false }
}

/// Adds to a file.
fn append(world: &World, file: &str, bytes: &[u8]) {
    let before = world.machine.bytes(file).unwrap_or_default();
    world.machine.write(file, [before.as_slice(), bytes].concat());
}

/// Copies the process of the machine, and replaces one of its files.
fn process(world: &World, pid: u32, file: &str, bytes: &[u8]) {
    for name in world.machine.names("proc/182") {
        let content = world.machine.bytes(format!("proc/182/{name}")).unwrap();
        world.machine.write(format!("proc/{pid}/{name}"), content);
    }
    world.machine.write(format!("proc/{pid}/{file}"), bytes);
}

fn between(start: &str, value: impl AsRef<[u8]>, end: &str) -> Vec<u8> {
    [start.as_bytes(), value.as_ref(), end.as_bytes()].concat()
}

/// A swap header of 4 KiB; its label has room for 16 bytes.
fn header(label: &[u8]) -> Vec<u8> {
    let mut page = vec![0; 4096];
    page[1024] = 1;
    page[1028..1032].copy_from_slice(&16_383_u32.to_le_bytes());
    page[1036..1052].copy_from_slice(b"\x1b]52;c;\x07\x9b2J\r\n\t\x07!");
    page[1052..1068].copy_from_slice(&label[..16]);
    page[4086..].copy_from_slice(b"SWAPSPACE2");
    page
}

/// Files of the machine.
pub(crate) const MACHINE: &[Place] = &[
    printed("path of an area", |world, it| {
        append(world, "proc/swaps", &between("/mnt/", it.octal(), " file 8160 4096 -3\n"));
    }),
    printed("path of a deleted area", |world, it| {
        let line = between("/mnt/", it.octal(), "\\040(deleted) file 8160 4096 -4\n");
        append(world, "proc/swaps", &line);
    }),
    printed("name of a process", |world, it| {
        let status = world.machine.text("proc/182/status").unwrap();
        let rest = status.split_once('\n').unwrap().1;
        process(world, 4242, "status", format!("Name:\t{}\n{rest}", it.line()).as_bytes());
    }),
    printed("command line", |world, it| {
        process(world, 4243, "cmdline", &between("/bin/", it.bytes(), "\0-x\0"));
    }),
    printed("cgroup of a process", |world, it| {
        process(world, 4244, "cgroup", &between("0::/", it.line(), "\n"));
    }),
    printed("name of a cgroup", |world, it| {
        let group = Path::new("sys/fs/cgroup").join(OsStr::from_bytes(&it.bytes()));
        for file in world.machine.names("sys/fs/cgroup/hog") {
            let content = world.machine.bytes(format!("sys/fs/cgroup/hog/{file}")).unwrap();
            world.machine.write(group.join(file), content);
        }
    }),
    printed("mapping of a process", |world, it| {
        let name = it.line();
        let map = format!(
            "00400000-00500000 rw-p 00000000 00:00 0 /{name}\nSize: 1024 kB\nSwap: 512 kB\n"
        );
        process(world, 4245, "smaps", map.as_bytes());
        let map = format!("00400000-00500000 rw-p 00000000 00:00 0 /{name}\n");
        world.machine.write("proc/4245/maps", map);
    }),
    printed("name of a container", |world, it| {
        let id = "c0de".repeat(16);
        let file = format!("var/lib/docker/containers/{id}/config.v2.json");
        world.machine.write(file, format!("{{\"Name\":\"/{}\"}}", it.quoted()));
        let group = format!("sys/fs/cgroup/docker-{id}.scope");
        world.machine.write(format!("{group}/memory.swap.current"), "4096\n");
    }),
    printed("mount point", |world, it| {
        let line = between("t /mnt/", it.octal(), " tmpfs rw 0 0\n");
        append(world, "proc/mounts", &line);
    }),
    printed("name of a user", |world, it| {
        append(world, "etc/passwd", &between("", it.line(), ":x:0:0::/:/bin/sh\n"));
    }),
    printed("name of the host", |world, it| {
        world.machine.write("proc/sys/kernel/hostname", it.line() + "\n");
    }),
    printed("release of the kernel", |world, it| {
        world.machine.write("proc/sys/kernel/osrelease", format!("7.2-{}\n", it.line()));
    }),
    printed("value of a setting", |world, it| {
        world.machine.write("proc/sys/vm/swappiness", format!("60{}\n", it.line()));
    }),
    printed("algorithm of a zram device", |world, it| {
        world.machine.write("sys/block/zram0/comp_algorithm", format!("lzo [{}] lz4\n", it.word()));
    }),
    printed("another algorithm of a zram device", |world, it| {
        world.machine.write("sys/block/zram1/comp_algorithm", format!("[lzo] {}\n", it.word()));
    }),
    printed("backing device", |world, it| {
        world.machine.write("sys/block/zram0/backing_dev", format!("/dev/{}\n", it.line()));
    }),
    printed("model of a disk", |world, it| {
        world.machine.write("sys/block/nvme0n1/device/model", it.line() + "\n");
    }),
    printed("scheduler", |world, it| {
        world.machine.write("sys/block/nvme0n1/queue/scheduler", format!("[{}]\n", it.word()));
    }),
    printed("compressor of zswap", |world, it| {
        world.machine.write("sys/module/zswap/parameters/compressor", it.line() + "\n");
    }),
    printed("mode of huge pages", |world, it| {
        let text = format!("[{}] never\n", it.word());
        world.machine.write("sys/kernel/mm/transparent_hugepage/enabled", text);
    }),
    printed("counter of the kernel", |world, it| {
        append(world, "proc/vmstat", &between("", it.word(), " 7\n"));
    }),
    printed("label of an area", |world, it| {
        world.machine.write("dev/nvme0n1", header(&between(&it.0, "\x1b[2J\u{9b}\r\t\n.", "")));
    }),
    printed("label in the database of udev", |world, it| {
        world.machine.write("sys/block/vda/dev", "254:0\n");
        let escaped: Vec<String> = it.word().bytes().map(|byte| format!("\\x{byte:02x}")).collect();
        let escaped = escaped.concat();
        let raw = it.line();
        let text = format!(
            "E:ID_FS_TYPE=swap\nE:ID_FS_LABEL={raw}\nE:ID_FS_LABEL_ENC={escaped}\nE:ID_FS_UUID={raw}\n"
        );
        world.machine.write("run/udev/data/b254:0", text);
    }),
    printed("source in fstab", |world, it| {
        append(world, "etc/fstab", &between("/dev/", it.octal(), " none swap sw 0 0\n"));
    }),
    printed("options in fstab", |world, it| {
        append(world, "etc/fstab", &between("/dev/vdz none swap sw,", it.word(), " 0 0\n"));
    }),
    printed("value in sysctl.d", |world, it| {
        world
            .machine
            .write("etc/sysctl.d/80.conf", format!("vm.watermark_scale_factor = 1{}\n", it.line()));
    }),
    printed("file name in sysctl.d", |world, it| {
        let file = [it.bytes().as_slice(), b".conf"].concat();
        let path = Path::new("etc/sysctl.d").join(OsStr::from_bytes(&file));
        world.machine.write(path, "vm.page-cluster = 1\n");
    }),
    printed("area of a unit", |world, it| {
        let text = between("[Swap]\nWhat=/dev/", it.word(), "\nPriority=5\n");
        world.machine.write("etc/systemd/system/dev-x.swap", text);
    }),
    printed("name of a unit", |world, it| {
        let file = [it.bytes().as_slice(), b".swap"].concat();
        let path = Path::new("etc/systemd/system").join(OsStr::from_bytes(&file));
        world.machine.write(path, "[Swap]\nWhat=/dev/vdy\nPriority=5\n");
    }),
    printed("zram-generator", |world, it| {
        let text = format!(
            "[zram0]\nzram-size = {}\ncompression-algorithm = x\n[zram1]\nzram-size = 64\ncompression-algorithm = {}\n",
            it.line(),
            it.line()
        );
        world.machine.write("etc/systemd/zram-generator.conf", text);
    }),
    printed("dphys-swapfile", |world, it| {
        world.machine.write("etc/rc3.d/S01dphys-swapfile", "");
        world.machine.write(
            "etc/dphys-swapfile",
            format!("CONF_SWAPFILE=/{}\nCONF_SWAPSIZE=100\n", it.word()),
        );
    }),
    printed("zram-tools", |world, it| {
        world.machine.write("etc/rc3.d/S01zramswap", "");
        world.machine.write("etc/default/zramswap", format!("ALGO={0}\nPERCENT={0}\n", it.word()));
    }),
    printed("journal", |world, it| {
        let lines = fs::read_to_string(repository("fuzz/seeds/journal/plans")).unwrap();
        let line = |line: &str| {
            let line = serde_json::from_str(line).unwrap();
            with_hostile_texts::<JournalLine>(line, it).to_string() + "\n"
        };
        let lines: String = lines.lines().map(line).collect();
        world.machine.write("var/lib/swapadm/journal.jsonl", lines);
    }),
];

/// A file of TOML in which every string is hostile.
fn toml_file(world: &World, file: &str, text: &str, it: &Hostile) {
    world.write(file, text.replace('@', &it.toml()));
}

/// Files of a person.
pub(crate) const HOME: &[Place] = &[
    printed("settings", |world, it| {
        let text = "theme = \"@\"\nhidden = [\"@\"]\n\"@\" = 1\n[columns]\ndevices = \"@\"\n[sort]\n\"@\" = \"x\"\n";
        toml_file(world, "config/swapadm/config.toml", text, it);
    }),
    silent("workload", |world, it| {
        let text = "about = \"@\"\nlimit = \"16M\"\n[[work]]\nsize = \"20M\"\n";
        toml_file(world, "config/swapadm/loads/own.toml", text, it);
    }),
    printed("keys and values of a workload", |world, it| {
        let text =
            "\"@\" = 1\nlimit = \"@\"\n[[work]]\nsize = \"@\"\npattern = \"@\"\n\"@\" = \"@\"\n";
        toml_file(world, "config/swapadm/loads/bad.toml", text, it);
    }),
    printed("name of a workload", |world, it| {
        let name = Path::new("config/swapadm/loads").join(it.text() + ".toml");
        world.write(name, "about = 'x'\n[[work]]\nsize = '20M'\n");
    }),
    printed("experiment", |world, it| {
        let text = "about = \"@\"\nquestion = \"@\"\nrepetitions = 1\ncolumns = ['system']\n[base]\nload = 'usemem'\ndevices = '1x64M'\n[[factor]]\nname = \"@\"\nkey = 'set.page-cluster'\nvalues = [0, 3]\n[[note]]\ntext = \"@\"\n";
        toml_file(world, "config/swapadm/experiments/own.toml", text, it);
    }),
    printed("keys and values of an experiment", |world, it| {
        let text = "\"@\" = 1\nabout = 'x'\nquestion = 'x'\ncolumns = [\"@\"]\n[base]\nload = \"@\"\ndevices = \"@\"\n[[factor]]\nname = 'x'\nkey = \"@\"\nvalues = [\"@\"]\n";
        toml_file(world, "config/swapadm/experiments/bad.toml", text, it);
    }),
    printed("lesson", |world, it| {
        let text = "title = \"@\"\nabout = \"@\"\nreal = \"@\"\nreal-about = \"@\"\n[machine]\nkernel = '6.12'\nmemory = '16M'\n[[machine.area]]\npath = '/dev/zram0'\ndevice = 'zram'\nsize = '16M'\n[[step]]\ntext = \"@\"\nask = \"@\"\nhints = [\"@\"]\nload = 'usemem'\nrun = 1\nlook = ['devices zram0 used']\nwhy = \"@\"\n[[step.answer]]\ntext = \"@\"\nwhen = ['devices zram0 used >= 0']\n[[step.answer]]\ntext = \"b @\"\nwhen = ['devices zram0 used < 0']\n";
        toml_file(world, "lesson.toml", text, it);
    }),
    printed("keys and values of a lesson", |world, it| {
        let text = "\"@\" = 1\ntitle = 'x'\n[machine]\nkernel = \"@\"\n[[step]]\ntext = \"{@}\"\nlook = [\"@\"]\nset = [\"@\"]\nload = \"@\"\n";
        toml_file(world, "bad-lesson.toml", text, it);
    }),
    silent("machine file", |world, it| {
        let text = "about = \"@\"\nkernel = '6.12'\nmemory = '64M'\nload = 'usemem'\n[[area]]\npath = \"/mnt/@\"\ndevice = 'ssd'\nsize = '16M'\n";
        toml_file(world, "machine.toml", text, it);
    }),
    printed("keys and values of a machine file", |world, it| {
        let text = "\"@\" = 1\nkernel = \"@\"\nmemory = \"@\"\nload = \"@\"\n[[area]]\npath = \"@\"\ndevice = \"@\"\nsize = \"@\"\n\"@\" = \"@\"\n";
        toml_file(world, "bad-machine.toml", text, it);
    }),
    printed("wanted state", |world, it| {
        let text = "[[area]]\nname = \"/mnt/@\"\npriority = 5\n[[cgroup]]\npath = \"/@\"\nmemory.swap.max = '1G'\n[[zram]]\ndevice = 'zram5'\nsize = '64M'\nalgorithm = \"@\"\n";
        toml_file(world, "wanted.toml", text, it);
    }),
    printed("keys and values of a wanted state", |world, it| {
        let text = "\"@\" = 1\n[settings]\n\"@\" = \"@\"\n[[area]]\nname = \"@\"\npriority = \"@\"\n[upkeep]\nage = \"@\"\n";
        toml_file(world, "bad-wanted.toml", text, it);
    }),
    printed("list of priorities", |world, it| {
        world.write("order", between("/mnt/", it.line(), " 5\n"));
    }),
    silent("progress in lessons", |world, it| {
        world.write("state/swapadm/learned", it.word() + " 1 1\n");
    }),
    printed("run", |world, it| {
        let run = fs::read(repository("fuzz/seeds/result/run")).unwrap();
        let run = with_hostile_texts::<Run>(serde_json::from_slice(&run).unwrap(), it);
        world.write("state/swapadm/results/1-x.json", run.to_string());
    }),
    printed("unknown word in a run", |world, it| {
        let run = fs::read_to_string(repository("fuzz/seeds/result/run")).unwrap();
        let run = run.replacen("anonymous", &it.quoted(), 1);
        world.write("state/swapadm/results/3-x.json", run);
    }),
    printed("name of a result", |world, it| {
        let name = format!("state/swapadm/results/4-{}.json", it.text());
        world.write(name, "{}");
    }),
    printed("experiment with results", |world, it| {
        let it = with_hostile_texts::<Experiment>(experiment(), it);
        world.write("state/swapadm/results/2-x.json", it.to_string());
    }),
    printed("recording", |world, it| {
        let snapshot = serde_json::to_value(snapshot("6.12-loaded", 1000)).unwrap();
        let snapshot = with_hostile_texts::<Snapshot>(snapshot, it);
        let mut recording = Vec::new();
        let mut writer = RecordingWriter::new(&mut recording).unwrap();
        writer.add(&serde_json::from_str(&snapshot.to_string()).unwrap()).unwrap();
        world.write("x.rec", recording);
    }),
];

/// An experiment of one case, with published figures.
fn experiment() -> Value {
    let run = fs::read(repository("fuzz/seeds/result/run")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    serde_json::json!({
        "schema": 1, "version": "0.1.0", "id": 2, "at_ms": 1_700_000_000_000_u64,
        "title": "x", "question": "x", "seed": 1, "repetitions": 2, "order": [0, 0],
        "columns": ["used", "system"], "across": "x", "notes": ["x"],
        "cases": [
            {"name": "a", "factors": [{"factor": "x", "value": "a"}], "run": run},
            {"name": "b", "factors": [{"factor": "x", "value": "b"}], "run": null},
        ],
        "why": "x",
    })
}

/// A document of this type, in which every text that can be anything is hostile.
fn with_hostile_texts<T: DeserializeOwned>(document: Value, it: &Hostile) -> Value {
    let mut texts = Vec::new();
    collect_texts(&document, "", &mut texts);
    let (mut planted, text) = (document, it.text());
    plant_texts::<T>(&mut planted, &texts, &text);
    assert!(planted.to_string().contains(&it.0), "no text can be changed");
    planted
}

/// The paths of all texts.
fn collect_texts(value: &Value, path: &str, texts: &mut Vec<String>) {
    match value {
        Value::String(_) => texts.push(path.to_owned()),
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                collect_texts(item, &format!("{path}/{place}"), texts);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect_texts(member, &format!("{path}/{name}"), texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Adds to those of the texts that may be anything. Words of a fixed set stay: halves of the list are tried
/// until only such a word is left.
fn plant_texts<T: DeserializeOwned>(document: &mut Value, texts: &[String], more: &str) {
    let mut planted = document.clone();
    for path in texts {
        let Some(Value::String(text)) = planted.pointer_mut(path) else { panic!("{path}") };
        text.push_str(more);
    }
    if serde_json::from_str::<T>(&planted.to_string()).is_ok() {
        *document = planted;
    } else if texts.len() > 1 {
        let (first, second) = texts.split_at(texts.len() / 2);
        plant_texts::<T>(document, first, more);
        plant_texts::<T>(document, second, more);
    }
}
