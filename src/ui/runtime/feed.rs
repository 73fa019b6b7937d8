//! The thread that takes snapshots. Reading the machine may block there; the screen never waits
//! for it.

use super::threads::{Host, Inbox, BackgroundJobs, Recorder};
use crate::clock::Clock;
use crate::model::{PartSet, Snapshot, Stamp};
use crate::sampler::{ClusterScanner, Schedule, SnapshotSource, WantedParts};
use crate::ui::msg::Msg;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// What the thread is asked to do.
#[derive(Debug)]
struct Orders {
    wants: WantedParts,
    interval: Duration,
    /// Do not wait for the next sample.
    at_once: bool,
    /// Clusters were looked through: tell of them at once.
    looked: bool,
    /// Read everything then, also what is not due.
    anew: bool,
    /// The recording that is to be written; each has a number of its own.
    record: Option<u64>,
    /// Recordings that were begun.
    begun: u64,
    /// So many times more of a recording may be read.
    more: u32,
}

#[derive(Debug)]
struct SharedOrders {
    orders: Mutex<Orders>,
    changed: Condvar,
}

/// A thread that takes snapshots.
#[derive(Debug)]
pub(super) struct Feed {
    desk: Arc<SharedOrders>,
    newest: watch::Receiver<Option<Snapshot>>,
    all: mpsc::Receiver<Msg>,
}

/// The second sample follows the first one soon: rates need two.
const SOON: Duration = Duration::from_millis(300);
/// Snapshots of a recording that are handed over together.
const BATCH: usize = 32;
/// Batches that are read of a recording before anybody asks for more: enough to play on, and not
/// so many that the first snapshots go before they were seen.
const AHEAD: u32 = 4;

impl Feed {
    /// Begin. The thread ends with the program: it may be waiting for the kernel when the person
    /// leaves, and nobody should wait for that.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(
        source: SnapshotSource,
        inbox: Inbox,
        host: Arc<dyn Host>,
        jobs: BackgroundJobs,
        (wants, interval): (WantedParts, Duration),
    ) -> std::io::Result<Self> {
        let orders = Orders {
            wants,
            interval,
            at_once: false,
            looked: false,
            anew: false,
            record: None,
            begun: 0,
            more: AHEAD,
        };
        let desk = Arc::new(SharedOrders { orders: Mutex::new(orders), changed: Condvar::new() });
        let (to_newest, newest) = watch::channel(None);
        let (to_all, all) = mpsc::channel(1);
        let worker = Worker {
            desk: Arc::clone(&desk),
            newest: to_newest,
            all: to_all,
            inbox,
            host,
            jobs,
            schedule: Schedule::default(),
            aside: ClusterScanner::default(),
            last: None,
            recorder: None,
        };
        std::thread::Builder::new().name("sampler".to_owned()).spawn(move || worker.run(source))?;
        Ok(Self { desk, newest, all })
    }

    /// What the thread took next. Of a machine that is the newest snapshot: whoever is slow sees no
    /// queue of old ones. Of a recording it is all of them.
    pub(super) async fn next(&mut self) -> Msg {
        tokio::select! {
            biased;
            Ok(()) = self.newest.changed() => {
                Msg::Snapshots(self.newest.borrow_and_update().iter().cloned().collect())
            }
            Some(message) = self.all.recv() => message,
            // It has ended.
            else => std::future::pending().await,
        }
    }

    /// Sample these parts from now on, this often.
    pub(super) fn set_wants(&self, wants: WantedParts, interval: Duration) {
        self.order(|orders| {
            // What a screen shows for the first time is wanted at once.
            let new = wants.shown.without(orders.wants.shown);
            orders.at_once |= new != PartSet::NONE;
            (orders.wants, orders.interval) = (wants, interval);
        });
    }

    /// Sample now.
    pub(super) fn sample_now(&self) {
        self.order(|orders| (orders.anew, orders.at_once) = (true, true));
    }

    /// Begin a recording, or end it.
    pub(super) fn record(&self, record: bool) {
        self.order(|orders| {
            orders.begun += u64::from(record);
            (orders.record, orders.at_once) = (record.then_some(orders.begun), true);
        });
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

impl SharedOrders {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wait until the next sample is due, or until somebody wants one at once. Samples keep their
    /// distance whatever each of them takes; one that is late is not made up for.
    fn wait(&self, began: Stamp, count: u64) -> Woken {
        let mut orders = self.orders();
        while !orders.at_once {
            let interval = until_next(count, orders.interval);
            let passed = Clock::Real.now().boot_ns.saturating_sub(began.boot_ns);
            let left = interval.saturating_sub(Duration::from_nanos(passed));
            if left.is_zero() {
                break;
            }
            if orders.looked {
                return Woken::ByLook;
            }
            let waited = self.changed.wait_timeout(orders, left);
            orders = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Woken::ForAll
    }
}

/// What a sample is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    /// Whatever is due.
    ForAll,
    /// What was found of clusters: the next sample is due when it was due before.
    ByLook,
}

/// The time from one sample to the next, after so many of them.
fn until_next(count: u64, interval: Duration) -> Duration {
    if count == 1 { SOON.min(interval) } else { interval }
}

struct Worker {
    desk: Arc<SharedOrders>,
    /// One that nobody took yet goes.
    newest: watch::Sender<Option<Snapshot>>,
    /// What nobody may miss: each is waited for until it is taken.
    all: mpsc::Sender<Msg>,
    inbox: Inbox,
    host: Arc<dyn Host>,
    jobs: BackgroundJobs,
    schedule: Schedule,
    aside: ClusterScanner,
    /// The last snapshot, for parts that are not due yet.
    last: Option<Snapshot>,
    /// What writes the recording, with its number.
    recorder: Option<(u64, Recorder)>,
}

impl Worker {
    fn run(mut self, mut source: SnapshotSource) {
        if matches!(source, SnapshotSource::Replay(_)) {
            return self.load(&mut source);
        }
        let mut count = 0_u64;
        let mut began = Clock::Real.now();
        let mut woken = Woken::ForAll;
        loop {
            let now = Clock::Real.now();
            let Some(snapshot) = self.sample(&mut source, now, count) else { break };
            self.newest.send_replace(Some(snapshot));
            if woken == Woken::ForAll {
                (began, count) = (now, count + 1);
            }
            woken = self.desk.wait(began, count);
        }
        self.hand_over(Msg::SourceEnded(None));
    }

    /// Read what is due; the rest stays as it was.
    fn sample(&mut self, source: &mut SnapshotSource, now: Stamp, count: u64) -> Option<Snapshot> {
        let (mut wants, interval, record) = self.orders();
        let interval = until_next(count, interval);
        if record.is_some() && self.recorder.is_none() {
            // A recording holds everything from its first snapshot on.
            self.schedule.reset();
        }
        if record.is_some() {
            wants.shown = wants.shown.with(PartSet::WHOLE);
        }
        // A captured tree and a made-up machine give what they have.
        let due = match source {
            SnapshotSource::Live { .. } => {
                self.scan_clusters(source, wants, (now, interval));
                self.schedule.due(wants.without(PartSet::CLUSTERS), now, interval)
            }
            SnapshotSource::Captured { .. } => PartSet::WHOLE.with(PartSet::CLUSTERS),
            SnapshotSource::Replay(_) | SnapshotSource::Synthetic(_) => wants.all(),
        };
        let mut snapshot = source.next(due)?;
        if let Some(last) = &self.last {
            snapshot.carry(last);
        }
        if wants.shown.only(PartSet::CLUSTERS) != PartSet::NONE {
            self.aside.fill_in(&mut snapshot);
        }
        if let Some(last) = &self.last {
            snapshot.share(last);
            let behind = snapshot.parts_without_new_areas(last);
            self.schedule.forget(behind);
            // Nobody should see an area without its facts for long.
            self.desk.orders().at_once |= behind.only(wants.all()) != PartSet::NONE;
        }
        self.last = Some(snapshot.clone());
        self.record(&snapshot, record);
        Some(snapshot)
    }

    /// Clusters take too long for everything else to wait for them.
    fn scan_clusters(&self, source: &SnapshotSource, wants: WantedParts, time: (Stamp, Duration)) {
        let desk = Arc::clone(&self.desk);
        let done = move || {
            desk.orders().looked = true;
            desk.changed.notify_all();
        };
        self.aside.scan_if_due(source, wants.shown.only(PartSet::CLUSTERS), time, done);
    }

    /// What is wanted now.
    fn orders(&mut self) -> (WantedParts, Duration, Option<u64>) {
        let mut orders = self.desk.orders();
        (orders.at_once, orders.looked) = (false, false);
        if std::mem::take(&mut orders.anew) {
            self.schedule.reset();
            self.aside.scan_again();
        }
        (orders.wants, orders.interval, orders.record)
    }

    /// Hand the snapshot to the recording that is wanted.
    fn record(&mut self, snapshot: &Snapshot, wanted: Option<u64>) {
        // One that was ended, or took another's place since the last sample, is through.
        self.recorder.take_if(|(number, _)| wanted != Some(*number));
        let Some(number) = wanted else { return };
        if self.recorder.is_none() {
            let (host, inbox) = (Arc::clone(&self.host), self.inbox.clone());
            match Recorder::start(host, inbox, self.jobs.subscribe()) {
                Ok(recorder) => self.recorder = Some((number, recorder)),
                Err(error) => return self.give_up_recording(number, Some(&error.to_string())),
            }
        }
        let added = self.recorder.as_ref().map(|(_, recorder)| recorder.add(snapshot.clone()));
        if let Some(Err(why)) = added {
            self.give_up_recording(number, why);
        }
    }

    fn give_up_recording(&mut self, number: u64, why: Option<&str>) {
        // Another may have been asked for meanwhile.
        self.desk.orders().record.take_if(|wanted| *wanted == number);
        self.recorder = None;
        if let Some(why) = why {
            self.inbox.put(Msg::RecordingFailed(why.to_owned()));
        }
    }

    /// Hand over a recording, batch by batch, as far as somebody wants to see it.
    fn load(&self, source: &mut SnapshotSource) {
        let mut first = source.baseline(PartSet::WHOLE, false);
        loop {
            let mut batch: Vec<Snapshot> = first.take().into_iter().collect();
            batch.extend(std::iter::from_fn(|| source.next(PartSet::WHOLE)).take(BATCH));
            if batch.is_empty() {
                break;
            }
            self.hand_over(Msg::Snapshots(batch));
            let mut orders = self.desk.orders();
            orders.more = orders.more.saturating_sub(1);
            while orders.more == 0 {
                let woken = self.desk.changed.wait(orders);
                orders = woken.unwrap_or_else(PoisonError::into_inner);
            }
        }
        let cut = match source {
            SnapshotSource::Replay(replay) => {
                replay.read_error().map(|why| format!("the recording is not whole: {why}"))
            }
            SnapshotSource::Live { .. } | SnapshotSource::Captured { .. } | SnapshotSource::Synthetic(_) => None,
        };
        self.hand_over(Msg::SourceEnded(cut));
    }

    /// Hand something over, and wait until there is room for it.
    fn hand_over(&self, message: Msg) {
        // Nobody is there to take it who has left.
        let _ = self.all.blocking_send(message);
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests measure the real pace")]
mod tests {
    use super::*;
    use crate::sampler::SyntheticSource;
    use crate::ui::File;
    use crate::ui::settings::Settings;
    use std::sync::mpsc::channel;
    use std::time::Instant;

    /// Keeps nothing.
    #[derive(Debug)]
    struct NullHost;

    impl Host for NullHost {
        fn save_problem(&self) -> Option<&'static str> {
            None
        }

        fn save(&self, _settings: &Settings) -> Result<String, String> {
            Err("there is nowhere to keep it".to_owned())
        }

        fn create_recording(&self) -> Result<(File, String), String> {
            Err("there is nowhere to keep it".to_owned())
        }
    }

    #[test]
    fn a_sample_after_a_cluster_scan_does_not_delay_the_next_one() {
        let (taken, samples) = channel();
        let made = SyntheticSource(Box::new(move |_| {
            taken.send(Instant::now()).ok()?;
            Some(Snapshot::empty(Clock::Real.now()))
        }));
        let second = Duration::from_secs(1);
        let feed = Feed::start(
            SnapshotSource::Synthetic(made),
            Inbox(mpsc::unbounded_channel().0),
            Arc::new(NullHost),
            BackgroundJobs::default(),
            (WantedParts::NOTHING, second),
        )
        .unwrap();
        let next = || samples.recv_timeout(second * 60).unwrap();
        next();
        let second_one = next();
        std::thread::sleep(second * 4 / 5);
        feed.order(|orders| orders.looked = true);
        let for_look = next();
        assert!(for_look - second_one < second, "it comes at once");
        // Counted from the look, it would come a whole second later.
        let after = next() - for_look;
        assert!(after < second * 9 / 10, "{after:?} later");
        let after = next() - second_one;
        assert!(after > second * 19 / 10, "{after:?}: then they keep their distance again");
    }
}
