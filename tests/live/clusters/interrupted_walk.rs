//! A stream that is told to end during a walk of page tables: it ends at once, and omits the incomplete
//! sample.

use crate::areas::{self, Title};
use crate::hog::Hog;
use crate::lab::retry;
use crate::memory_limit::MemoryLimit;
use crate::{in_lab, program, signals};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;
/// Higher than any other priority, so that the load goes to our area only.
const PRIORITY: u16 = 32_000;
/// Number of processes, so that the walk continues after the first.
const HOGS: usize = 6;
/// Time limit for its end.
const SOON: Duration = Duration::from_millis(500);
/// Time limit for catching it during a walk.
const PATIENCE: Duration = Duration::from_mins(1);
static TITLE: Title =
    Title { label: "swapadm-live-e", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000e00de0" };

#[test]
fn a_stream_is_ended_in_the_middle_of_a_walk() {
    in_lab("a_stream_is_ended_in_the_middle_of_a_walk", |lab| {
        signals::heard();
        let _area = areas::zram(lab, 256 * MIB, &TITLE, PRIORITY)?;
        let cage = MemoryLimit::new(lab, 32 * MIB)?;
        let mut hogs: Vec<Hog> = (0..HOGS).map(|_| Hog::new(&cage)).collect();
        for hog in &mut hogs {
            hog.fill(24);
        }
        let first = hogs.iter().map(Hog::pid).min().expect("there are some");
        let mut stream = Stream::begin();
        stream.stop_in(first);
        // Nothing more is printed while it is stopped.
        thread::sleep(Duration::from_millis(100));
        let shown = stream.shown();
        let start = Instant::now();
        stream.tell(Signal::SIGINT);
        stream.tell(Signal::SIGCONT);
        let status = stream.child.wait().expect("it belongs to the test");
        println!("ended in {:?}, {shown} shown", start.elapsed());
        assert!(start.elapsed() < SOON && status.success(), "{:?}, {status}", start.elapsed());
        stream.reader.take().expect("once").join().expect("it reads to the end");
        assert_eq!(stream.shown(), shown, "no sample that is not whole");
        Ok(())
    });
}

/// The program, and the number of samples it has shown.
struct Stream {
    child: Child,
    shown: Arc<AtomicUsize>,
    reader: Option<thread::JoinHandle<()>>,
}

impl Stream {
    fn begin() -> Self {
        let arguments = ["clusters", "--view", "tables", "--interval", "10ms", "--json"];
        let mut command = program::command(&program::built(), &arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let shown = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&shown);
        let reader = thread::spawn(move || {
            for _ in output.lines().map_while(Result::ok) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        Self { child, shown, reader: Some(reader) }
    }

    fn shown(&self) -> usize {
        self.shown.load(Ordering::Relaxed)
    }

    fn tell(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().try_into().expect("a number"));
        kill(pid, signal).expect("the program runs");
    }

    /// Stops it during the walk of this process, but not in its first sample.
    fn stop_in(&self, pid: u32) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if self.shown() == 0 || !self.reads(pid) {
                continue;
            }
            self.tell(Signal::SIGSTOP);
            retry(|| self.is_stopped().then_some(()).ok_or("it does not stop".to_owned()))
                .expect("it stops");
            if self.reads(pid) {
                return;
            }
            self.tell(Signal::SIGCONT);
        }
        panic!("it was never caught in the page tables of {pid}");
    }

    fn reads(&self, pid: u32) -> bool {
        let table = format!("/proc/{pid}/pagemap");
        let files =
            fs::read_dir(format!("/proc/{}/fd", self.child.id())).expect("the program runs");
        let mut paths = files.flatten().filter_map(|file| fs::read_link(file.path()).ok());
        paths.any(|path| path.as_os_str() == table.as_str())
    }

    fn is_stopped(&self) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))
            .expect("the program runs");
        stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
