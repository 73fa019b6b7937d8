//! Reads with a time limit, for files that may block for long.
//!
//! A read of `/proc/PID/cmdline` or `smaps_rollup` waits for the `mmap_lock` of that process, which a
//! machine that swaps hard holds for long. Such reads run on side threads. A thread that does not answer in
//! time is abandoned and replaced, and ends by itself when the kernel lets it go. The number of stuck
//! threads is limited; beyond it, reads fail at once. A blocked read cannot be cancelled.

use crate::clock::Clock;
use crate::model::{Missing, Reading};
use crate::root::{Root, shown};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Default time limit of a read.
pub(crate) const LIMIT: Duration = Duration::from_millis(20);
/// Time limit of all reads of a sample together, apart from the last ones begun.
const BUDGET: Duration = Duration::from_secs(5);
/// Files given to a thread at once.
const AT_ONCE: usize = 32;
/// Threads that work at the same time.
const WORKERS: usize = 2;
/// Threads that may be stuck at the same time.
const MOST_STUCK: usize = 8;
/// Answers that may be queued for the caller.
const AHEAD: usize = 16;

/// The threads of this process.
static POOL: LazyLock<Pool> = LazyLock::new(Pool::new);

type Job = Box<dyn FnOnce() + Send>;

/// Reads the first bytes of each of these files, in order and each within the limit. Files of a captured
/// tree hold no locks, and are read without a limit.
pub(crate) fn read_heads(
    root: &Root,
    paths: &[String],
    len: usize,
    limit: Duration,
) -> Vec<Reading<Vec<u8>>> {
    if !root.is_live() {
        return paths.iter().map(|path| root.read_head(path, len)).collect();
    }
    let begin = Clock::Real.now();
    let mut readings = Vec::with_capacity(paths.len());
    for some in paths.chunks(AT_ONCE) {
        if Clock::Real.now().seconds_since(begin) > BUDGET.as_secs_f64() {
            let late = |path: &String| NoAnswer::Budget.reason(path, limit).into();
            readings.extend(some.iter().map(late));
        } else {
            readings.extend(read_some(root, some, len, limit));
        }
    }
    readings
}

/// The files that [`read_head`] reads now.
static UNDER_WAY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Notified when a read of these ends.
static ENDED: Condvar = Condvar::new();

/// A read of one file: another one of the same file waits, or a slow device would take all threads.
struct HeadRead(PathBuf);

impl HeadRead {
    /// Begins a read; `None` if an earlier one is still under way after the limit.
    fn begin(path: &Path, limit: Duration) -> Option<Self> {
        let files = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut files, waited) = ENDED
            .wait_timeout_while(files, limit, |files| files.contains(path))
            .unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return None;
        }
        files.insert(path.to_owned());
        Some(Self(path.to_owned()))
    }
}

impl Drop for HeadRead {
    fn drop(&mut self) {
        UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
        ENDED.notify_all();
    }
}

/// Reads the first bytes of one file within the limit.
pub(crate) fn read_head(root: &Root, path: &Path, len: usize, limit: Duration) -> Reading<Vec<u8>> {
    if !root.is_live() {
        return root.read_head(path, len);
    }
    let late = |silence: NoAnswer| silence.reason(&path.to_string_lossy(), limit).into();
    let Some(read) = HeadRead::begin(path, limit) else { return late(NoAnswer::Late) };
    let (own, mut read) = (root.clone(), Some(read));
    let next = move || read.take().map(|read| own.read_head(&read.0, len));
    let mut answer = None;
    let keep = |head| {
        answer = Some(head);
        true
    };
    let ended = POOL.steps(limit, next, keep);
    answer.unwrap_or_else(|| late(ended.err().unwrap_or(NoAnswer::Died)))
}

/// Takes the steps of one long read of this file, each within the limit: see [`Pool::steps`].
pub(crate) fn read_steps<T: Send + 'static>(
    path: &str,
    limit: Duration,
    next: impl FnMut() -> Option<T> + Send + 'static,
    wants: impl FnMut(T) -> bool,
) -> Result<(), Missing> {
    POOL.steps(limit, next, wants).map_err(|silence| silence.reason(path, limit))
}

fn read_some(root: &Root, paths: &[String], len: usize, limit: Duration) -> Vec<Reading<Vec<u8>>> {
    let own = root.clone();
    let names: Arc<[String]> = paths.into();
    let read = move |path: &String| own.read_head(path, len);
    let answers = POOL.each(&names, limit, read);
    let flat = |(answer, path): (Result<Reading<Vec<u8>>, NoAnswer>, &String)| match answer {
        Ok(reading) => reading,
        Err(silence) => silence.reason(path, limit).into(),
    };
    answers.into_iter().zip(names.iter()).map(flat).collect()
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoAnswer {
    /// The answer did not come in time.
    Late,
    /// Too many threads are stuck, or all are busy.
    NoThread,
    /// The thread ended without an answer.
    Died,
    /// Earlier reads used up the time of the sample.
    Budget,
}

impl NoAnswer {
    fn reason(self, path: &str, limit: Duration) -> Missing {
        let path = shown(Path::new(path));
        let limit = limit.as_millis();
        Missing::failed(match self {
            Self::Late => format!("{path} did not answer within {limit} ms"),
            Self::NoThread => format!("{path} was not read: too many reads are stuck"),
            Self::Died => format!("the read of {path} ended without an answer"),
            Self::Budget => format!("{path} was skipped: earlier reads used up the time limit"),
        })
    }
}

/// Idle threads, and counters of the others.
struct Pool {
    state: Mutex<State>,
    /// Notified when a thread stops working.
    freed: Condvar,
    stuck: Arc<AtomicUsize>,
}

#[derive(Default)]
struct State {
    resting: Vec<Sender<Job>>,
    working: usize,
}

impl Pool {
    fn new() -> Self {
        Self { state: Mutex::default(), freed: Condvar::new(), stuck: Arc::default() }
    }

    /// Runs `work` on each item, each within the limit. One thread streams the answers, so that a long list
    /// needs few switches between threads.
    fn each<I, T, F>(&self, items: &Arc<[I]>, limit: Duration, work: F) -> Vec<Result<T, NoAnswer>>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: Fn(&I) -> T + Send + Sync + 'static,
    {
        let work = Arc::new(work);
        let enough = items.len();
        let mut answers = Vec::with_capacity(enough);
        while answers.len() < enough {
            let (items, work, mut at) = (Arc::clone(items), Arc::clone(&work), answers.len());
            let next = move || {
                let answer = work(items.get(at)?);
                at += 1;
                Some(answer)
            };
            let keep = |answer| {
                answers.push(Ok(answer));
                true
            };
            match self.steps(limit, next, keep) {
                Ok(()) => {}
                Err(NoAnswer::NoThread) => {
                    answers.resize_with(enough, || Err(NoAnswer::NoThread));
                }
                Err(silence) => answers.push(Err(silence)),
            }
        }
        // A thread can be late with nothing but the news that it has ended.
        answers.truncate(enough);
        answers
    }

    /// Takes the steps of one long task, each within the limit, until it ends or `wants` returns false. The
    /// first late step ends it.
    fn steps<T: Send + 'static>(
        &self,
        limit: Duration,
        mut next: impl FnMut() -> Option<T> + Send + 'static,
        mut wants: impl FnMut(T) -> bool,
    ) -> Result<(), NoAnswer> {
        let worker = self.take(limit).ok_or(NoAnswer::NoThread)?;
        // The end is sent as an answer too: a thread that died sends none.
        let stream = begin(&worker, move || Some(next()));
        let (silence, result) = loop {
            match stream.recv_timeout(limit) {
                Ok(None) => break (None, Ok(())),
                Ok(Some(answer)) => {
                    if !wants(answer) {
                        // The thread is still in the next step, which may take long.
                        break (Some(NoAnswer::Late), Ok(()));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    break (Some(NoAnswer::Died), Err(NoAnswer::Died));
                }
                Err(RecvTimeoutError::Timeout) => {
                    break (Some(NoAnswer::Late), Err(NoAnswer::Late));
                }
            }
        };
        self.return_worker(worker, silence);
        result
    }

    /// An idle thread, or a new one within the limit of threads.
    fn take(&self, limit: Duration) -> Option<Sender<Job>> {
        let mut state = self.lock();
        loop {
            if self.stuck.load(Ordering::Relaxed) >= MOST_STUCK {
                return None;
            }
            if let Some(worker) = state.resting.pop() {
                state.working += 1;
                return Some(worker);
            }
            if state.working < WORKERS {
                let worker = start(Arc::clone(&self.stuck))?;
                state.working += 1;
                return Some(worker);
            }
            let (guard, waited) =
                self.freed.wait_timeout(state, limit).unwrap_or_else(PoisonError::into_inner);
            if waited.timed_out() {
                return None;
            }
            state = guard;
        }
    }

    fn return_worker(&self, worker: Sender<Job>, silence: Option<NoAnswer>) {
        let mut state = self.lock();
        state.working = state.working.saturating_sub(1);
        match silence {
            None => state.resting.push(worker),
            // The thread ends when it finds its sender gone, and then updates the counter.
            Some(NoAnswer::Late) => {
                self.stuck.fetch_add(1, Ordering::Relaxed);
            }
            Some(NoAnswer::NoThread | NoAnswer::Died | NoAnswer::Budget) => {}
        }
        self.freed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn start(stuck: Arc<AtomicUsize>) -> Option<Sender<Job>> {
    let (sender, jobs) = mpsc::channel::<Job>();
    let run = move || {
        for job in jobs {
            job();
        }
        let _ = stuck.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
    };
    let thread = std::thread::Builder::new().name("side-read".to_owned());
    thread.spawn(run).ok().map(|_| sender)
}

/// Lets a thread take one step after the other; it stops when the receiver is gone.
fn begin<T: Send + 'static>(
    worker: &Sender<Job>,
    mut next: impl FnMut() -> Option<T> + Send + 'static,
) -> Receiver<T> {
    let (answers, stream) = mpsc::sync_channel(AHEAD);
    let job = move || {
        while let Some(answer) = next() {
            if answers.send(answer).is_err() {
                return;
            }
        }
    };
    // If the thread is gone, the other end of the stream is closed, and the caller notices it there.
    let _ = worker.send(Box::new(job));
    stream
}

#[cfg(test)]
mod tests;
