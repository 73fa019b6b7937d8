//! The worker processes of a load, from their task to their end.

#![allow(clippy::disallowed_methods, reason = "tests start programs, and look at processes")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use swapadm::clock::Clock;
use swapadm::lab::load::file;
use swapadm::model::Bytes;
use swapadm::model::load::{
    AccessPattern, FreeMethod, MemoryKind, PageContents, Task, TaskCommand, TaskMessage,
};
use swapadm::model::run::TouchStats;
use swapadm::sys::process::{
    ExitCause, WORK, Worker, WorkerAnswer, WorkerExit, page_size, processors,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_swapadm");
/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_mins(1);

/// A task of this many pages that writes them in order, once.
fn task(pages: u64) -> Task {
    let page_size = page_size().unwrap();
    let size = Bytes(pages * page_size);
    let text = "about = 'a task'\n[[work]]\nsize = '1M'\nprefault = false";
    let work = file::read("task", text).unwrap().works.remove(0);
    Task { number: 0, seed: 1, size, page_size, work, begun_ns: Clock::Real.nanos() }
}

/// A task that does not end by itself.
fn endless(pages: u64) -> Task {
    let mut task = task(pages);
    (task.work.passes, task.work.seconds) = (None, Some(3600.0));
    task
}

fn start(task: &Task) -> Worker {
    let mut worker = Worker::start_from(Path::new(PROGRAM), None).unwrap();
    worker.send(&serde_json::to_string(task).unwrap()).unwrap();
    worker
}

/// The next message, except for progress; none at the end.
fn next_report(worker: &mut Worker) -> Option<TaskMessage> {
    next_with_shares(worker).0
}

/// The next message, with the progress reported before it.
fn next_with_shares(worker: &mut Worker) -> (Option<TaskMessage>, Vec<f64>) {
    let mut shares = Vec::new();
    loop {
        match line(worker) {
            Some(TaskMessage::Far { share }) => shares.push(share),
            told => return (told, shares),
        }
    }
}

/// The next message of any kind.
fn line(worker: &mut Worker) -> Option<TaskMessage> {
    let end = Instant::now() + PATIENCE;
    loop {
        match worker.read_answer().unwrap() {
            WorkerAnswer::Line(line) => return Some(serde_json::from_str(&line).unwrap()),
            WorkerAnswer::Closed => return None,
            WorkerAnswer::Nothing => {
                assert!(Instant::now() < end, "nothing is told");
                sleep(Duration::from_millis(1));
            }
        }
    }
}

fn touched(worker: &mut Worker) -> TouchStats {
    assert_eq!(next_report(worker), Some(TaskMessage::Ready));
    worker.signal_go(TaskCommand::Touch).unwrap();
    match next_report(worker) {
        Some(TaskMessage::Touched(touched)) => *touched,
        other => panic!("{other:?}"),
    }
}

/// The reported time to free memory, and the exit.
fn freed(worker: &mut Worker) -> (Option<u64>, WorkerExit) {
    worker.signal_go(TaskCommand::Free).unwrap();
    let Some(TaskMessage::Freed { free_ns }) = next_report(worker) else {
        panic!("it frees nothing")
    };
    assert_eq!(next_report(worker), None);
    (free_ns, worker.end().unwrap())
}

/// Runs a task from begin to end.
fn run(task: &Task) -> TouchStats {
    let mut worker = start(task);
    let touched = touched(&mut worker);
    let (_, ended) = freed(&mut worker);
    assert_eq!(ended.how, ExitCause::Exited(0));
    touched
}

fn failure(task: &Task) -> String {
    let mut worker = start(task);
    loop {
        match next_report(&mut worker) {
            Some(TaskMessage::Ready) => worker.signal_go(TaskCommand::Touch).unwrap(),
            Some(TaskMessage::Failed { why }) => {
                assert_eq!(worker.end().unwrap().how, ExitCause::Exited(1));
                return why;
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_task_is_done_and_reported() {
    let task = task(1000);
    let mut worker = start(&task);
    let touched = touched(&mut worker);
    assert_eq!((touched.touches, touched.bytes), (1000, task.size));
    assert_eq!(touched.latency.all.count(), 1000);
    let sampled = touched.latency.none.count()
        + touched.latency.minor.count()
        + touched.latency.major.count();
    assert_eq!(sampled, 1000 / u64::from(touched.latency.sampled));
    assert!(touched.touch_ns > 0 && touched.since_begin_ns > touched.touch_ns);
    assert!(touched.own_ns > 0.0 && touched.fill_ns.is_none());
    let status = fs::read_to_string(format!("/proc/{}/status", worker.pid())).unwrap();
    let rss = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap().to_owned();
    let kib: u64 = rss.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kib * 1024 >= task.size.0, "it holds its memory until it is told: {rss}");
    let first = fs::read_to_string(format!("/proc/{}/oom_score_adj", worker.pid())).unwrap();
    assert_eq!(first.trim(), "1000");
    let (free_ns, ended) = freed(&mut worker);
    assert!(free_ns.unwrap() > 0);
    assert_eq!(ended.how, ExitCause::Exited(0));
    assert!(ended.minor >= touched.touches && ended.user + ended.system > Duration::ZERO);
}

#[test]
fn the_same_seed_does_the_same_and_another_does_not() {
    let mut orders = vec![
        AccessPattern::Random,
        AccessPattern::Zipf { skew: 0.9 },
        AccessPattern::Phases { hot: 0.1, hits: 0.9, length: 0.5 },
        AccessPattern::Churn,
    ];
    for order in orders.drain(..) {
        let mut task = task(4096);
        task.work.order = order;
        task.work.contents = PageContents::Random;
        (task.work.writes, task.work.prefault) = (0.5, true);
        let sums = |task: &Task| {
            let touched = run(task);
            (touched.touches, touched.places, touched.painted)
        };
        let first = sums(&task);
        assert_eq!(first, sums(&task), "{order:?}");
        task.seed = 2;
        let other = sums(&task);
        assert!(other.1 != first.1 && other.2 != first.2, "{order:?}");
        (task.seed, task.number) = (1, 1);
        let other = sums(&task);
        assert!(other.1 != first.1 && other.2 != first.2, "{order:?}");
    }
}

#[test]
fn each_kind_of_memory_is_available() {
    for memory in [MemoryKind::Anonymous, MemoryKind::Shared, MemoryKind::Memfd, MemoryKind::Forked]
    {
        for order in [AccessPattern::Sequential, AccessPattern::Churn] {
            for free in [FreeMethod::Unmap, FreeMethod::Exit] {
                let mut task = task(512);
                (task.work.memory, task.work.order, task.work.free) = (memory, order, free);
                let mut worker = start(&task);
                let done = touched(&mut worker);
                assert!(done.touches >= 512, "{memory:?} {order:?}");
                let (free_ns, ended) = freed(&mut worker);
                assert_eq!(
                    (free_ns.is_none(), ended.how),
                    (free == FreeMethod::Exit, ExitCause::Exited(0))
                );
            }
        }
    }
}

#[test]
fn a_forked_child_has_copies_of_its_own() {
    let mut task = task(2000);
    task.work.memory = MemoryKind::Forked;
    let mut worker = start(&task);
    let done = touched(&mut worker);
    assert!(done.fill_ns.is_some());
    let children = children(worker.pid());
    assert_eq!(children.len(), 1);
    let (_, ended) = freed(&mut worker);
    // Each page was filled by the parent, and copied when the child wrote it.
    assert!(ended.minor >= 4000, "those of the child are among them: {}", ended.minor);
    assert!(children.iter().all(|child| is_gone(*child)));
}

#[test]
fn rounds_are_processes_one_after_another() {
    let mut task = task(600);
    (task.work.rounds, task.work.vary) = (7, 0.5);
    for free in [FreeMethod::Unmap, FreeMethod::Exit] {
        task.work.free = free;
        let mut worker = start(&task);
        let done = touched(&mut worker);
        let (fewest, most) = (7 * 300, 7 * 900);
        assert!((fewest..most).contains(&done.touches) && done.touches != 7 * 600);
        assert_eq!(done.latency.all.count(), done.touches);
        let (free_ns, ended) = freed(&mut worker);
        assert!(free_ns.unwrap() > 0);
        assert!(ended.minor >= done.touches, "those of children are among them");
    }
    let sums = |task: &Task| {
        let touched = run(task);
        (touched.touches, touched.places, touched.painted)
    };
    let first = sums(&task);
    assert_eq!(first, sums(&task));
    task.seed = 2;
    assert_ne!(first, sums(&task));
}

#[test]
fn memory_varies_by_chance_within_its_bounds() {
    let mut sizes = Vec::new();
    for number in 0..6 {
        let mut task = task(1000);
        (task.number, task.work.vary) = (number, 0.2);
        sizes.push(run(&task).touches);
    }
    assert!(sizes.iter().all(|size| (800..=1200).contains(size)), "{sizes:?}");
    sizes.sort_unstable();
    sizes.dedup();
    assert!(sizes.len() >= 5, "{sizes:?}");
}

#[test]
fn it_ends_after_its_time_and_does_not_exceed_its_pace() {
    let mut task = endless(64);
    task.work.seconds = Some(0.3);
    task.work.pace = Some(Bytes(1000 * task.page_size));
    let done = run(&task);
    let time = Duration::from_nanos(done.touch_ns);
    assert!(time <= Duration::from_secs(1), "{time:?}");
    assert!((200..=302).contains(&done.touches), "{}", done.touches);
    assert!(done.latency.all.quantile(0.5).unwrap() < 900_000, "sleeping is not in it");
}

/// Progress of a single process, of a forked child, and of children one after another.
#[test]
fn progress_is_reported_while_it_runs() {
    let mut tasks = endless_touches();
    for (task, seconds) in tasks.iter_mut().zip([2.8, 2.8, 1.9]) {
        task.work.seconds = Some(seconds);
    }
    tasks[2].work.rounds = 2;
    let mut workers = tasks.map(|task| start(&task));
    for worker in &mut workers {
        assert_eq!(next_report(worker), Some(TaskMessage::Ready));
        worker.signal_go(TaskCommand::Touch).unwrap();
    }
    // Each of two children reports three times, and the start of the second is reported too.
    for (worker, least) in workers.iter_mut().zip([3, 3, 6]) {
        let (told, shares) = next_with_shares(worker);
        assert!(matches!(told, Some(TaskMessage::Touched(_))), "{told:?}");
        // Half a second apart; a busy machine may be late.
        assert!((least..least + 3).contains(&shares.len()), "{shares:?}");
        assert!(shares.is_sorted_by(|one, next| one < next), "{shares:?}");
        assert!(shares[0] > 0.1 && shares[0] < 0.5, "{shares:?}");
        assert!(shares.last().is_some_and(|last| (0.5..=1.0).contains(last)), "{shares:?}");
        freed(worker);
    }
}

/// Process lists show a short name and a command line.
#[test]
fn the_worker_and_its_children_have_descriptive_names() {
    for task in endless_touches() {
        let mut worker = start(&task);
        assert_eq!(next_report(&mut worker), Some(TaskMessage::Ready));
        worker.signal_go(TaskCommand::Touch).unwrap();
        sleep(Duration::from_millis(100));
        let mut all = children(worker.pid());
        assert_eq!(
            all.len(),
            usize::from(task.work.rounds > 1 || task.work.memory == MemoryKind::Forked)
        );
        all.push(worker.pid());
        for pid in all {
            let read = |file| fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap();
            assert_eq!(read("comm"), "swapadm-load\n");
            assert!(read("cmdline").starts_with("swapadm-load\0__work\0"), "{}", read("cmdline"));
        }
    }
}

#[test]
fn impossible_tasks_are_reported() {
    let mut too_large = task(1);
    too_large.size = Bytes(1 << 60);
    assert!(failure(&too_large).contains("make the load smaller"));
    let mut aimless = task(1);
    (aimless.work.passes, aimless.work.seconds) = (None, None);
    assert!(failure(&aimless).contains("set one of them"));
    let mut elsewhere = task(1);
    elsewhere.page_size *= 4;
    assert!(failure(&elsewhere).contains("but this machine has pages of"));
    let mut nowhere = task(1);
    nowhere.work.cpus = Some(vec![1023]);
    assert!(failure(&nowhere).contains("cannot bind to CPU 1023"));
    let mut fileless = task(1);
    fileless.work.contents = PageContents::File("/no/such/file".to_owned());
    assert!(failure(&fileless).contains("/no/such/file"));
    let mut in_child = task(1);
    (in_child.size, in_child.work.rounds) = (Bytes(1 << 60), 2);
    assert!(failure(&in_child).contains("make the load smaller"));
    let mut worker = Worker::start_from(Path::new(PROGRAM), None).unwrap();
    worker.send("{}").unwrap();
    let Some(TaskMessage::Failed { why }) = next_report(&mut worker) else {
        panic!("it should have failed")
    };
    assert!(why.contains("the task is not valid"), "{why}");
}

#[test]
fn it_stays_on_its_processor() {
    let mut task = endless(64);
    (task.number, task.work.cpus) = (3, Some(vec![0]));
    let mut worker = start(&task);
    assert_eq!(next_report(&mut worker), Some(TaskMessage::Ready));
    assert_eq!(processors_of(worker.pid()), "0");
    worker.kill();
    assert_eq!(worker.end().unwrap().how, ExitCause::Killed(nix::sys::signal::Signal::SIGKILL));
}

/// The processors that a process may run on, as printed by the kernel.
fn processors_of(pid: i32) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:\t"));
    line.unwrap_or_else(|| panic!("{status}")).to_owned()
}

#[test]
fn it_stays_on_its_first_processor_until_the_start() {
    let mine = processors_of(std::process::id().try_into().unwrap());
    let cpu = *processors().last().unwrap();
    let (mut filled, mut rounds) = (endless(256), endless(256));
    filled.work.prefault = true;
    rounds.work.rounds = 2;
    for task in [endless(256), filled, rounds] {
        let mut worker = Worker::start_from(Path::new(PROGRAM), Some(cpu)).unwrap();
        assert_eq!(processors_of(worker.pid()), cpu.to_string());
        worker.send(&serde_json::to_string(&task).unwrap()).unwrap();
        assert_eq!(next_report(&mut worker), Some(TaskMessage::Ready));
        let waits = processors_of(worker.pid());
        assert!(waits.parse::<u32>().is_ok(), "it waits on {waits}");
        assert!(task.work.prefault || waits == cpu.to_string(), "from {cpu} to {waits}");
        worker.signal_go(TaskCommand::Touch).unwrap();
        let end = Instant::now() + PATIENCE;
        while processors_of(worker.pid()) != mine {
            assert!(
                Instant::now() < end,
                "the area stays enabled: {}",
                processors_of(worker.pid())
            );
            sleep(Duration::from_millis(1));
        }
    }
}

/// Three endless tasks: a single process, a process with a forked child, a child of many.
fn endless_touches() -> [Task; 3] {
    let (mut forked, mut rounds) = (endless(256), endless(256));
    forked.work.memory = MemoryKind::Forked;
    rounds.work.rounds = 5;
    [endless(256), forked, rounds]
}

#[test]
fn a_worker_without_a_parent_ends() {
    for task in endless_touches() {
        for until in ["the task", "the start", "touching"] {
            let mut teller = Parent::start(None);
            if until != "the task" {
                teller.tell(&format!("{}\n", serde_json::to_string(&task).unwrap()));
                assert_eq!(teller.hear(), "{\"told\":\"ready\"}");
            }
            if until == "touching" {
                teller.tell("t");
                sleep(Duration::from_millis(200));
            }
            let all = teller.with_children();
            drop(teller.process.stdin.take());
            await_gone(&all, until);
        }
    }
}

#[test]
fn a_worker_dies_with_its_parent() {
    for task in endless_touches() {
        let mut teller = Parent::start(Some("sh"));
        let worker: i32 = teller.hear().parse().unwrap();
        teller.tell(&format!("{}\n", serde_json::to_string(&task).unwrap()));
        assert_eq!(teller.hear(), "{\"told\":\"ready\"}");
        teller.tell("t");
        sleep(Duration::from_millis(200));
        let mut all = children(worker);
        all.push(worker);
        // The input stays open: we have the other end.
        teller.process.kill().unwrap();
        await_gone(&all, "its parent was killed");
        teller.process.wait().unwrap();
    }
}

/// A child of another parent does not begin.
#[test]
fn a_wrong_parent_pid_ends_the_worker() {
    let mut command = Command::new(PROGRAM);
    command.arg(WORK).arg("1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// A worker controlled through plain pipes.
struct Parent {
    process: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Parent {
    /// Starts it directly, or by a shell that prints its PID first.
    fn start(shell: Option<&str>) -> Self {
        let mut command = match shell {
            None => {
                let mut command = Command::new(PROGRAM);
                command.arg(WORK).arg(std::process::id().to_string());
                command
            }
            Some(shell) => {
                let mut command = Command::new(shell);
                let script = "exec 3<&0; \"$0\" \"$1\" $$ <&3 & echo $!; wait";
                command.args(["-c", script, PROGRAM, WORK]);
                command
            }
        };
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, output }
    }

    fn tell(&mut self, text: &str) {
        self.process.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn with_children(&self) -> Vec<i32> {
        let worker = i32::try_from(self.process.id()).unwrap();
        let mut all = children(worker);
        all.push(worker);
        all
    }
}

impl Drop for Parent {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn children(pid: i32) -> Vec<i32> {
    let path = format!("/proc/{pid}/task/{pid}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().map(|child| child.parse().unwrap()).collect()
}

/// Whether it has ended, even as a zombie.
fn is_gone(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
}

fn await_gone(all: &[i32], why: &str) {
    let end = Instant::now() + Duration::from_secs(1);
    while !all.iter().all(|pid| is_gone(*pid)) {
        assert!(Instant::now() < end, "{all:?} still run after {why}");
        sleep(Duration::from_millis(5));
    }
}
