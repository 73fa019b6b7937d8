//! Reads that may block for long, with a time limit.
//!
//! A read of `/proc/PID/cmdline` or `smaps_rollup` waits for the `mmap_lock` of that process, and
//! a machine that swaps hard holds it for long: just when somebody looks. Such reads are done by
//! side threads. One that does not answer in time is given up and replaced, and ends by itself
//! when the kernel lets it go; so that these cannot pile up, there is a bound on how many may be
//! stuck, and beyond it reads fail at once. A blocked read cannot be cancelled.

use crate::clock::Clock;
use crate::model::{Missing, Reading};
use crate::root::{Root, shown};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a read may take when nothing else is said.
pub(crate) const LIMIT: Duration = Duration::from_millis(20);
/// How long all reads of a sample may take together, apart from the last ones begun.
const BUDGET: Duration = Duration::from_secs(5);
/// Files given to a thread at once.
const AT_ONCE: usize = 32;
/// Threads that work at the same time.
const WORKERS: usize = 2;
/// Threads that may be stuck at the same time.
const MOST_STUCK: usize = 8;
/// Answers that may wait for the caller.
const AHEAD: usize = 16;

/// The threads of this program.
static POOL: LazyLock<Pool> = LazyLock::new(Pool::new);

type Job = Box<dyn FnOnce() + Send>;

/// Read the first bytes of each of these files, each within the limit, in their order. The files
/// of a captured tree hold no locks, and are read without a limit.
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

/// Take the steps of one long read of this file, each within the limit: see [`Pool::steps`].
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
    /// It did not come in time.
    Late,
    /// Too many threads are stuck, or all are at work for others.
    NoThread,
    /// The thread ended without an answer.
    Died,
    /// Those before it took too long together.
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
            Self::Budget => format!("{path} was left out: those before it took too long together"),
        })
    }
}

/// Threads that are at rest, and how many are not.
struct Pool {
    state: Mutex<State>,
    /// Told when a thread stops working.
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

    /// Work on each item, each within the limit. Answers stream back from one thread, so that a
    /// long list costs few switches between threads.
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
            let Some(worker) = self.take(limit) else {
                answers.resize_with(enough, || Err(NoAnswer::NoThread));
                break;
            };
            let (items, work, mut at) = (Arc::clone(items), Arc::clone(&work), answers.len());
            let next = move || {
                let answer = work(items.get(at)?);
                at += 1;
                Some(answer)
            };
            let stream = begin(&worker, next);
            let silence = collect(&stream, limit, enough, &mut answers);
            self.return_worker(worker, silence);
            answers.extend(silence.map(Err));
        }
        answers
    }

    /// Take the steps of one long work, each within the limit, until it has no more or its answers
    /// are not wanted any more: `wants` says so. The first step that is late ends it.
    fn steps<T: Send + 'static>(
        &self,
        limit: Duration,
        mut next: impl FnMut() -> Option<T> + Send + 'static,
        mut wants: impl FnMut(T) -> bool,
    ) -> Result<(), NoAnswer> {
        let worker = self.take(limit).ok_or(NoAnswer::NoThread)?;
        // The end is an answer too: a thread that died gives none.
        let stream = begin(&worker, move || Some(next()));
        let silence = loop {
            match stream.recv_timeout(limit) {
                Ok(answer) => {
                    if !answer.is_some_and(&mut wants) {
                        break None;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break Some(NoAnswer::Died),
                Err(RecvTimeoutError::Timeout) => break Some(NoAnswer::Late),
            }
        };
        self.return_worker(worker, silence);
        silence.map_or(Ok(()), Err)
    }

    /// A thread at rest, or a new one if there may be one more.
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
            // Its thread ends when it finds the sender gone, and then counts itself out.
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

/// Let a thread take one step after the other; it stops when nobody listens any more.
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
    // If the thread is gone, so is the stream's other end, and the caller learns it there.
    let _ = worker.send(Box::new(job));
    stream
}

/// Take answers until there are enough, or why the next one did not come.
fn collect<T>(
    stream: &Receiver<T>,
    limit: Duration,
    enough: usize,
    answers: &mut Vec<Result<T, NoAnswer>>,
) -> Option<NoAnswer> {
    while answers.len() < enough {
        match stream.recv_timeout(limit) {
            Ok(answer) => answers.push(Ok(answer)),
            Err(RecvTimeoutError::Timeout) => return Some(NoAnswer::Late),
            Err(RecvTimeoutError::Disconnected) => return Some(NoAnswer::Died),
        }
    }
    None
}

#[cfg(test)]
mod tests;
