//! The cgroups that swapadm makes for loads: they limit memory, end their processes, and are removed.

use crate::lab::{remark, retry};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use swapadm::model::Bytes;
use swapadm::root::Root;
use swapadm::sys::{CgroupError, WorkloadCgroup, orphans, own_name};

const MIB: u64 = 1 << 20;
/// The file that lists the processes of a cgroup.
const PROCS: &str = "cgroup.procs";
/// Printed by an owner with a load in its cgroup, followed by the cgroup's folder.
const READY: &str = "caged in ";

/// A child that is killed with the test.
struct Guarded(Child);

impl Guarded {
    fn start(command: &mut Command) -> Result<Self, String> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        piped.spawn().map(Self).map_err(|error| format!("no {command:?}: {error}"))
    }

    /// Starts this test binary again with only this test.
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

    /// Waits for a line with this text; returns the rest of the line.
    fn hear(&mut self, wanted: &str) -> String {
        let mut lines = BufReader::new(self.0.stdout.as_mut().expect("its output"));
        let mut line = String::new();
        while lines.read_line(&mut line).expect("it answers") > 0 {
            if let Some((_, rest)) = line.split_once(wanted) {
                return rest.trim().to_owned();
            }
            line.clear();
        }
        panic!("the process ended without {wanted:?}")
    }

    /// The signal that ended it.
    fn end(&mut self) -> Option<i32> {
        self.0.wait().expect("our child process").signal()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Removes what killed runs left behind, and makes a cgroup.
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

/// All processes end with the cgroup, and the kernel has the requested limit.
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
    let three =
        || Some(()).filter(|()| assert_files(&cage, [PROCS; 2]).lines().count() == 3).ok_or(());
    retry(three).expect("child processes are in the cgroup as well");
    assert!(orphans(&root).is_empty(), "its owner runs");
    assert!(cage.memory().is_some());
    assert_eq!(cage.oom_kills(), Some(0), "no memory pressure");
    let folder = cage.path();
    cage.remove().expect("they end");
    assert_eq!(shell.end(), Some(9));
    assert!(!Path::new(&folder).exists());
    goes_when_it_is_dropped()
}

/// A cgroup that is dropped with a load in it leaves nothing.
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

/// A load that exceeds its limit is killed in its cgroup and counted.
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
    assert!(cage.ooms().is_none_or(|times| times > 0), "its own limit was exceeded");
    cage.remove().map_err(|error| error.to_string())
}

/// The load stays in memory even with swap enabled: version 1 counts both together.
fn swaps_nothing(cage: &WorkloadCgroup, limit: u64) {
    let limits = [("memory.memsw.limit_in_bytes", limit), ("memory.swap.max", 0)];
    let mut files =
        limits.map(|(file, limit)| (Path::new(&cage.path()).join(file), limit)).into_iter();
    // A kernel without either does not count swap.
    if let Some((file, limit)) = files.find(|(file, _)| file.exists()) {
        fs::write(file, limit.to_string()).expect("root sets a limit");
    }
}

/// A cgroup whose owner was killed is found and removed with its processes.
pub(crate) fn left_behind() -> Result<(), String> {
    drop(new_cgroup(64 * MIB)?);
    let root = Root::live();
    let mut owner = Guarded::start_test("lab_cgroups::owner")?;
    let folder = owner.hear(READY);
    assert!(orphans(&root).is_empty(), "its owner runs");
    owner.0.kill().expect("our child process");
    // Even before the owner's exit status was read.
    let found = || orphans(&root).into_iter().find(|orphan| orphan.path() == folder).ok_or(());
    let orphan = retry(found).expect("its owner has ended");
    assert_eq!(owner.end(), Some(9));
    assert_eq!(orphan.pids().len(), 1, "its load still runs");
    orphan.remove().expect("root may");
    assert!(!Path::new(&folder).exists());
    assert!(orphans(&root).is_empty());
    Ok(())
}

/// Features of version 2 only.
pub(crate) fn second() -> Result<(), String> {
    let cage = new_cgroup(64 * MIB)?;
    let file = |name: &str| fs::read_to_string(Path::new(&cage.path()).join(name));
    if file("memory.max").is_err() {
        remark("cgroup version 2: the memory controller is on version 1 here");
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

/// The memory controller of a cgroup, restored when dropped.
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

/// An unused controller is enabled only while a load cgroup exists.
fn is_switched_off_again(above: &Path, enabled: &dyn Fn() -> String) {
    let has = || enabled().split_whitespace().any(|word| word == "memory");
    let is_folder = |entry: fs::DirEntry| entry.path().is_dir();
    let used = fs::read_dir(above).expect("a group").flatten().any(is_folder);
    if has() && used {
        remark("disabling the memory controller: other cgroups may use it here");
        return;
    }
    let switch = Switch { file: above.join("cgroup.subtree_control"), was_on: has() };
    fs::write(&switch.file, "-memory").expect("the controller is unused");
    let made = new_cgroup(64 * MIB);
    let while_there = has();
    let other = Other::start();
    let removed = made.map(WorkloadCgroup::remove);
    let while_other = has() && other.limit().is_some();
    let gone = other.end_and_remove();
    let after = has();
    drop(switch);
    assert!(while_there && matches!(removed, Ok(Ok(()))), "{removed:?}");
    assert!(while_other, "the limit of the other cgroup stays while it exists");
    assert!(gone && !after, "it was off before");
}

/// A cgroup of another process, which is killed.
struct Other {
    owner: Guarded,
    folder: String,
}

impl Other {
    fn start() -> Self {
        let mut owner = Guarded::start_test("lab_cgroups::owner").expect("the program starts");
        let folder = owner.hear(READY);
        Self { owner, folder }
    }

    fn limit(&self) -> Option<String> {
        fs::read_to_string(Path::new(&self.folder).join("memory.max")).ok()
    }

    fn end_and_remove(mut self) -> bool {
        self.owner.0.kill().expect("our child process");
        let root = Root::live();
        let found = || orphans(&root).into_iter().find(|it| it.path() == self.folder).ok_or(());
        retry(found).is_ok_and(|orphan| orphan.remove().is_ok())
    }
}

/// Helper process: the owner of a cgroup, which is going to be killed. It holds a load, and waits.
#[test]
#[ignore = "helper process of another test"]
fn owner() {
    let root = Root::live();
    let name = own_name(&root).expect("we run");
    let cage = WorkloadCgroup::make(&root, &name, Bytes(64 * MIB)).expect("root makes a cgroup");
    let load = Guarded::start(Command::new("sleep").arg("600")).expect("the program starts");
    cage.add_process(load.pid()).expect("root moves a process");
    let mut out = std::io::stdout();
    let _ = out.write_all(format!("\n{READY}{}\n", cage.path()).as_bytes());
    let _ = out.flush();
    // Our parent ends: so do we, and the cgroup with us.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
