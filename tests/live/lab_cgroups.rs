//! The cages that swapadm itself makes for loads: they hold, they end what is in them, and they go.

use crate::lab::{retry, remark};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use swapadm::model::Bytes;
use swapadm::root::Root;
use swapadm::sys::{WorkloadCgroup, CgroupError, orphans, own_name};

const MIB: u64 = 1 << 20;
/// The file that lists the processes of a group.
const PROCS: &str = "cgroup.procs";
/// What an owner says when it has a load in its cage; behind it stands the cage's folder.
const READY: &str = "caged in ";

/// A child that is killed with the test.
struct Guarded(Child);

impl Guarded {
    fn start(command: &mut Command) -> Result<Self, String> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        piped.spawn().map(Self).map_err(|error| format!("no {command:?}: {error}"))
    }

    /// This program once more, with only this to run.
    fn start_test(test: &str) -> Result<Self, String> {
        let me = std::env::current_exe().expect("our own path");
        let arguments = ["--exact", test, "--ignored", "--nocapture", "--test-threads=1"];
        Self::start(Command::new(me).args(arguments))
    }

    fn pid(&self) -> i32 {
        i32::try_from(self.0.id()).expect("numbers of processes are small")
    }

    fn tell(&mut self, line: &str) {
        let input = self.0.stdin.as_mut().expect("its input");
        input.write_all(line.as_bytes()).expect("it listens");
    }

    /// Wait for a line with this in it; what follows there.
    fn hear(&mut self, wanted: &str) -> String {
        let mut lines = BufReader::new(self.0.stdout.as_mut().expect("its output"));
        let mut line = String::new();
        while lines.read_line(&mut line).expect("it answers") > 0 {
            if let Some((_, rest)) = line.split_once(wanted) {
                return rest.trim().to_owned();
            }
            line.clear();
        }
        panic!("it ended without saying {wanted:?}")
    }

    /// Which signal ended it.
    fn end(&mut self) -> Option<i32> {
        self.0.wait().expect("it is our child").signal()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Remove what earlier runs left that were killed, and make one of our own.
fn new_cgroup(limit: u64) -> Result<WorkloadCgroup, String> {
    let root = Root::live();
    for orphan in orphans(&root) {
        orphan.remove().map_err(|error| error.to_string())?;
    }
    let name = own_name(&root).map_err(|error| error.to_string())?;
    match WorkloadCgroup::make(&root, &name, Bytes(limit)) {
        Err(error @ CgroupError::NoController(_)) => Err(error.to_string()),
        made => Ok(made.expect("root makes a cgroup")),
    }
}

fn assert_files(cage: &WorkloadCgroup, files: [&str; 2]) -> String {
    let files = files.map(|file| Path::new(&cage.path()).join(file));
    let text = files.iter().find_map(|file| fs::read_to_string(file).ok());
    text.expect("a cgroup has one of them").trim().to_owned()
}

/// All that is in a cage ends with it, and the kernel has the limit that was asked for.
pub(crate) fn hold() -> Result<(), String> {
    let cage = new_cgroup(64 * MIB)?;
    let files = ["memory.limit_in_bytes", "memory.max"];
    assert_eq!(assert_files(&cage, files), (64 * MIB).to_string());
    assert_eq!(cage.limit(), Some(Bytes(64 * MIB)));
    let root = Root::live();
    let name = own_name(&root).expect("we run");
    let again = WorkloadCgroup::make(&root, &name, Bytes(MIB));
    assert!(matches!(again, Err(CgroupError::Exists(_))), "{again:?}");
    let mut shell =
        Guarded::start(Command::new("sh").args(["-c", "read line; sleep 600 & sleep 600 & wait"]))?;
    cage.add_process(shell.pid()).expect("root moves a process");
    shell.tell("go\n");
    let three = || Some(()).filter(|()| assert_files(&cage, [PROCS; 2]).lines().count() == 3).ok_or(());
    retry(three).expect("what it starts is in the cage as well");
    assert!(orphans(&root).is_empty(), "its owner runs");
    assert!(cage.memory().is_some());
    assert_eq!(cage.oom_kills(), Some(0), "nobody wants for memory");
    let folder = cage.path();
    cage.remove().expect("they end");
    assert_eq!(shell.end(), Some(9));
    assert!(!Path::new(&folder).exists());
    goes_when_it_is_dropped()
}

/// A cage that is dropped with a load in it leaves nothing.
fn goes_when_it_is_dropped() -> Result<(), String> {
    let cage = new_cgroup(64 * MIB)?;
    let mut load = Guarded::start(Command::new("sleep").arg("600"))?;
    cage.add_process(load.pid()).expect("root moves a process");
    let folder = cage.path();
    drop(cage);
    assert_eq!(load.end(), Some(9));
    assert!(!Path::new(&folder).exists());
    Ok(())
}

/// A load that wants more than it may have is killed in its cage, and that is counted.
pub(crate) fn limit() -> Result<(), String> {
    let cage = new_cgroup(48 * MIB)?;
    swaps_nothing(&cage, 48 * MIB);
    let mut load = Guarded::start_test("hog")?;
    load.hear("hog: ready");
    cage.add_process(load.pid()).expect("root moves a process");
    load.tell("fill 16\n");
    load.hear("hog: fill");
    let memory = cage.memory().expect("it is counted");
    // One page of sixteen is never written to, and has no memory.
    assert!((14 * MIB..=48 * MIB).contains(&memory.0), "{memory:?}");
    load.tell("fill 64\n");
    assert_eq!(load.end(), Some(9));
    assert!(cage.oom_kills().is_some_and(|kills| kills > 0), "{:?}", cage.oom_kills());
    assert!(cage.peak().is_none_or(|peak| peak.0 <= 48 * MIB), "{:?}", cage.peak());
    assert!(cage.ooms().is_none_or(|times| times > 0), "its own limit left no memory");
    cage.remove().map_err(|error| error.to_string())
}

/// What is in it stays in memory, also where swap is on: version 1 counts both together.
fn swaps_nothing(cage: &WorkloadCgroup, limit: u64) {
    let limits = [("memory.memsw.limit_in_bytes", limit), ("memory.swap.max", 0)];
    let mut files =
        limits.map(|(file, limit)| (Path::new(&cage.path()).join(file), limit)).into_iter();
    // A kernel without either counts no swap.
    if let Some((file, limit)) = files.find(|(file, _)| file.exists()) {
        fs::write(file, limit.to_string()).expect("root sets a limit");
    }
}

/// What an owner left behind who was killed is found, and removed with what still runs in it.
pub(crate) fn left_behind() -> Result<(), String> {
    drop(new_cgroup(64 * MIB)?);
    let root = Root::live();
    let mut owner = Guarded::start_test("cages::owner")?;
    let folder = owner.hear(READY);
    assert!(orphans(&root).is_empty(), "its owner runs");
    owner.0.kill().expect("it is our child");
    // Before anybody has looked at how it ended, too.
    let found = || orphans(&root).into_iter().find(|orphan| orphan.path() == folder).ok_or(());
    let orphan = retry(found).expect("its owner has ended");
    assert_eq!(owner.end(), Some(9));
    assert_eq!(orphan.pids().len(), 1, "its load still runs");
    orphan.remove().expect("root may");
    assert!(!Path::new(&folder).exists());
    assert!(orphans(&root).is_empty());
    Ok(())
}

/// What only version 2 has.
pub(crate) fn second() -> Result<(), String> {
    let cage = new_cgroup(64 * MIB)?;
    let file = |name: &str| fs::read_to_string(Path::new(&cage.path()).join(name));
    if file("memory.max").is_err() {
        remark("version 2 of cgroups: the memory controller is on version 1 here");
        return Ok(());
    }
    let words = ["memory.max", "memory.oom.group"]
        .map(|name| file(name).expect("version 2 has it").trim().to_owned());
    assert_eq!(words, [(64 * MIB).to_string(), "1".to_owned()]);
    let above = Path::new(&cage.path()).parent().expect("a group above").to_owned();
    let enabled = || fs::read_to_string(above.join("cgroup.subtree_control")).expect("it has one");
    let before = enabled();
    assert!(before.split_whitespace().any(|word| word == "memory"), "{before}");
    cage.remove().map_err(|error| error.to_string())?;
    is_switched_off_again(&above, &enabled);
    Ok(())
}

/// The memory controller of a group, which is as it was when this goes.
struct Switch {
    file: PathBuf,
    was_on: bool,
}

impl Drop for Switch {
    fn drop(&mut self) {
        if self.was_on {
            let _ = fs::write(&self.file, "+memory");
        }
    }
}

/// Where nobody uses the controller, it is on only as long as a cage is there.
fn is_switched_off_again(above: &Path, enabled: &dyn Fn() -> String) {
    let has = || enabled().split_whitespace().any(|word| word == "memory");
    let is_folder = |entry: fs::DirEntry| entry.path().is_dir();
    let used = fs::read_dir(above).expect("a group").flatten().any(is_folder);
    if has() && used {
        remark("taking the memory controller back: other groups may use it here");
        return;
    }
    let switch = Switch { file: above.join("cgroup.subtree_control"), was_on: has() };
    fs::write(&switch.file, "-memory").expect("nobody uses it");
    let made = new_cgroup(64 * MIB);
    let while_there = has();
    let other = Other::start();
    let removed = made.map(WorkloadCgroup::remove);
    let while_other = has() && other.limit().is_some();
    let gone = other.end_and_remove();
    let after = has();
    drop(switch);
    assert!(while_there && matches!(removed, Ok(Ok(()))), "{removed:?}");
    assert!(while_other, "the other one's limit stays as long as that is there");
    assert!(gone && !after, "it was off before");
}

/// A cage of another process, which is killed.
struct Other {
    owner: Guarded,
    folder: String,
}

impl Other {
    fn start() -> Self {
        let mut owner = Guarded::start_test("cages::owner").expect("it starts");
        let folder = owner.hear(READY);
        Self { owner, folder }
    }

    fn limit(&self) -> Option<String> {
        fs::read_to_string(Path::new(&self.folder).join("memory.max")).ok()
    }

    fn end_and_remove(mut self) -> bool {
        self.owner.0.kill().expect("it is our child");
        let root = Root::live();
        let found = || orphans(&root).into_iter().find(|it| it.path() == self.folder).ok_or(());
        retry(found).is_ok_and(|orphan| orphan.remove().is_ok())
    }
}

/// Not a test: the owner of a cage, which is going to be killed. It holds a load, and waits.
#[test]
#[ignore = "a test above starts it itself"]
fn owner() {
    let root = Root::live();
    let name = own_name(&root).expect("we run");
    let cage = WorkloadCgroup::make(&root, &name, Bytes(64 * MIB)).expect("root makes a cgroup");
    let load = Guarded::start(Command::new("sleep").arg("600")).expect("it starts");
    cage.add_process(load.pid()).expect("root moves a process");
    let mut out = std::io::stdout();
    let _ = out.write_all(format!("\n{READY}{}\n", cage.path()).as_bytes());
    let _ = out.flush();
    // Whoever started us ends: then so do we, and the cage with us.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
