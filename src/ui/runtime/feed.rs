//! The thread that takes snapshots. Reading the machine may block there; the screen never waits
//! for it.

use super::inbox::Inbox;
use crate::clock::Clock;
use crate::model::{PartSet, Snapshot, Stamp};
use crate::sampler::recording::Writer;
use crate::sampler::{Schedule, Source, Wants};
use crate::ui::host::{File, Host};
use crate::ui::msg::Msg;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the thread is asked to do.
#[derive(Debug)]
struct Orders {
    wants: Wants,
    interval: Duration,
    /// Do not wait for the next sample.
    at_once: bool,
    /// Read everything then, also what is not due.
    anew: bool,
    /// Is a recording to be written?
    record: bool,
    /// So many times more of a recording may be read.
    more: u32,
}

#[derive(Debug)]
struct Desk {
    orders: Mutex<Orders>,
    changed: Condvar,
}

/// A thread that takes snapshots.
#[derive(Debug)]
pub(super) struct Feed {
    desk: Arc<Desk>,
}

/// The second sample follows the first one soon: rates need two.
const SOON: Duration = Duration::from_millis(300);
/// Snapshots of a recording that are handed over together.
const BATCH: usize = 32;
/// Batches that are read of a recording before anybody asks for more.
const AHEAD: u32 = 64;

impl Feed {
    /// Begin. The thread ends with the program: it may be waiting for the kernel when the person
    /// leaves, and nobody should wait for that.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(
        source: Source,
        inbox: Inbox,
        host: Arc<dyn Host>,
        first: (Wants, Duration),
    ) -> std::io::Result<Self> {
        let (wants, interval) = first;
        let orders =
            Orders { wants, interval, at_once: false, anew: false, record: false, more: AHEAD };
        let desk = Arc::new(Desk { orders: Mutex::new(orders), changed: Condvar::new() });
        let worker = Worker {
            desk: Arc::clone(&desk),
            inbox,
            host,
            schedule: Schedule::default(),
            last: None,
            recorder: None,
        };
        std::thread::Builder::new().name("sampler".to_owned()).spawn(move || worker.run(source))?;
        Ok(Self { desk })
    }

    /// Sample these parts from now on, this often.
    pub(super) fn want(&self, wants: Wants, interval: Duration) {
        self.order(|orders| {
            // What a screen shows for the first time is wanted at once.
            let new = wants.shown.without(orders.wants.all());
            orders.at_once |= new != PartSet::NONE;
            (orders.wants, orders.interval) = (wants, interval);
        });
    }

    /// Sample now.
    pub(super) fn sample_now(&self) {
        self.order(|orders| (orders.anew, orders.at_once) = (true, true));
    }

    /// Begin or end a recording.
    pub(super) fn record(&self, record: bool) {
        self.order(|orders| (orders.record, orders.at_once) = (record, true));
    }

    /// Read more of a recording.
    pub(super) fn load_more(&self) {
        self.order(|orders| orders.more = orders.more.max(AHEAD));
    }

    fn order(&self, change: impl FnOnce(&mut Orders)) {
        change(&mut self.desk.orders());
        self.desk.changed.notify_all();
    }
}

impl Desk {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Worker {
    desk: Arc<Desk>,
    inbox: Inbox,
    host: Arc<dyn Host>,
    schedule: Schedule,
    /// The last snapshot, for parts that are not due yet; kept for recordings only.
    last: Option<Snapshot>,
    recorder: Option<(Writer<File>, String)>,
}

impl Worker {
    fn run(mut self, mut source: Source) {
        if matches!(source, Source::Replay(_)) {
            return self.load(&mut source);
        }
        let mut count = 0_u64;
        while let Some(snapshot) = self.sample(&mut source) {
            self.inbox.put_newest(snapshot);
            count += 1;
            self.wait(&mut source, count);
        }
        self.inbox.put(Msg::Ended(None));
    }

    fn sample(&mut self, source: &mut Source) -> Option<Snapshot> {
        let (wants, interval, record) = {
            let mut orders = self.desk.orders();
            orders.at_once = false;
            if std::mem::take(&mut orders.anew) {
                self.schedule.anew();
            }
            (orders.wants, orders.interval, orders.record)
        };
        let now = Clock::Real.now();
        let wants =
            if record { Wants { shown: wants.shown.with(PartSet::WHOLE), ..wants } } else { wants };
        // A captured tree and a made-up machine give what they have.
        let due = match source {
            Source::Live { .. } => self.schedule.due(wants, now, interval),
            Source::Captured { .. } => PartSet::WHOLE,
            Source::Replay(_) | Source::Made(_) => wants.all(),
        };
        let snapshot = source.next(due)?;
        self.record(&snapshot, record);
        Some(snapshot)
    }

    /// Wait until the next sample is due, or until somebody wants one at once.
    fn wait(&self, source: &mut Source, count: u64) {
        let interval = self.desk.orders().interval;
        let first = if count == 1 { SOON.min(interval) } else { interval };
        let due = match source {
            Source::Live { .. } => after(Clock::Real.now(), source.until_due(first)),
            Source::Captured { .. } | Source::Replay(_) | Source::Made(_) => {
                after(Clock::Real.now(), first)
            }
        };
        let mut orders = self.desk.orders();
        while !orders.at_once && orders.interval == interval {
            let now = Clock::Real.now();
            let left = Duration::from_nanos(due.boot_ns.saturating_sub(now.boot_ns));
            if left.is_zero() {
                break;
            }
            let waited = self.desk.changed.wait_timeout(orders, left);
            orders = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Write the snapshot into the recording that is wanted.
    fn record(&mut self, snapshot: &Snapshot, wanted: bool) {
        if !wanted {
            self.recorder = None;
            self.last = None;
            return;
        }
        if self.recorder.is_none() && !self.begin_recording() {
            return;
        }
        let mut whole = snapshot.clone();
        if let Some(last) = &self.last {
            whole.carry(last);
        }
        let added = self.recorder.as_mut().map(|(writer, _)| writer.add(&whole));
        self.last = Some(whole);
        if let Some(Err(error)) = added {
            self.desk.orders().record = false;
            self.recorder = None;
            self.inbox.put(Msg::RecordingFailed(error.to_string()));
        }
    }

    fn begin_recording(&mut self) -> bool {
        let begun = self.host.create().and_then(|(file, name)| {
            let writer = Writer::new(file).map_err(|error| format!("{name}: {error}"))?;
            Ok((writer, name))
        });
        match begun {
            Ok((writer, name)) => {
                self.recorder = Some((writer, name.clone()));
                self.inbox.put(Msg::Written(Ok(name)));
                true
            }
            Err(why) => {
                self.desk.orders().record = false;
                self.inbox.put(Msg::Written(Err(why)));
                false
            }
        }
    }

    /// Hand over a recording, batch by batch, as far as somebody wants to see it.
    fn load(&self, source: &mut Source) {
        let mut first = source.before_first(PartSet::WHOLE, false);
        loop {
            let mut batch: Vec<Snapshot> = first.take().into_iter().collect();
            batch.extend(std::iter::from_fn(|| source.next(PartSet::WHOLE)).take(BATCH));
            if batch.is_empty() {
                break;
            }
            self.inbox.put_all(batch);
            let mut orders = self.desk.orders();
            orders.more = orders.more.saturating_sub(1);
            while orders.more == 0 {
                let woken = self.desk.changed.wait(orders);
                orders = woken.unwrap_or_else(PoisonError::into_inner);
            }
        }
        let cut = match source {
            Source::Replay(replay) => {
                replay.cut().map(|why| format!("the recording is not whole: {why}"))
            }
            Source::Live { .. } | Source::Captured { .. } | Source::Made(_) => None,
        };
        self.inbox.put(Msg::Ended(cut));
    }
}

fn after(now: Stamp, wait: Duration) -> Stamp {
    let nanos = u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX);
    Stamp { boot_ns: now.boot_ns.saturating_add(nanos), ..now }
}
