//! The sampling thread. Reading the machine may block it; the screen never waits for it.

use super::threads::{BackgroundJobs, Host, Inbox, Recorder};
use crate::clock::Clock;
use crate::model::subject::DetailTarget;
use crate::model::{PartSet, Snapshot, Stamp};
use crate::sampler::{ClusterScanner, Schedule, SnapshotSource, SubjectReader, WantedParts};
use crate::ui::msg::Msg;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// The orders to the thread.
#[derive(Debug)]
struct Orders {
    wants: WantedParts,
    interval: Duration,
    /// The process or cgroup to read in detail.
    subject: Option<DetailTarget>,
    /// Sample at once.
    at_once: bool,
    /// A cluster scan has finished: sample at once.
    looked: bool,
    /// Read all parts then, even those that are not due.
    anew: bool,
    /// The number of the recording to write, if any.
    record: Option<u64>,
    /// The number of recordings so far.
    begun: u64,
    /// How many more batches of a recording may be read.
    more: u32,
}

#[derive(Debug)]
struct SharedOrders {
    orders: Mutex<Orders>,
    changed: Condvar,
}

/// The sampling thread.
#[derive(Debug)]
pub(super) struct Feed {
    desk: Arc<SharedOrders>,
    newest: watch::Receiver<Option<Snapshot>>,
    all: mpsc::Receiver<Msg>,
}

/// The second sample follows soon after the first, because rates need two.
const SOON: Duration = Duration::from_millis(300);
/// Samples of a recording in a batch.
const BATCH: usize = 32;
/// Batches of a recording that are read in advance: enough to play, but few enough that the first
/// samples stay in the history.
const AHEAD: u32 = 4;

impl Feed {
    /// Starts the thread. It ends with the program: it may be waiting for the kernel when the person quits.
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
            subject: None,
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
            subject_reader: SubjectReader::default(),
            last: None,
            recorder: None,
        };
        std::thread::Builder::new().name("sampler".to_owned()).spawn(move || worker.run(source))?;
        Ok(Self { desk, newest, all })
    }

    /// The next message of the thread: for a live machine the newest sample, without a queue of old ones;
    /// for a recording all samples.
    pub(super) async fn next(&mut self) -> Msg {
        tokio::select! {
            biased;
            Ok(()) = self.newest.changed() => {
                Msg::Snapshots(self.newest.borrow_and_update().iter().cloned().collect())
            }
            Some(message) = self.all.recv() => message,
            // The thread has ended.
            else => std::future::pending().await,
        }
    }

    /// Samples these parts from now on, at this interval.
    pub(super) fn set_wants(&self, wants: WantedParts, interval: Duration) {
        self.order(|orders| {
            // Parts shown for the first time are sampled at once.
            let new = wants.shown.without(orders.wants.shown);
            orders.at_once |= new != PartSet::NONE;
            (orders.wants, orders.interval) = (wants, interval);
        });
    }

    /// Reads this process or cgroup in detail from now on.
    pub(super) fn set_subject(&self, subject: Option<DetailTarget>) {
        self.order(|orders| {
            orders.at_once |= subject.is_some();
            orders.subject = subject;
        });
    }

    /// Samples now.
    pub(super) fn sample_now(&self) {
        self.order(|orders| (orders.anew, orders.at_once) = (true, true));
    }

    /// Starts or stops a recording.
    pub(super) fn record(&self, record: bool) {
        self.order(|orders| {
            orders.begun += u64::from(record);
            (orders.record, orders.at_once) = (record.then_some(orders.begun), true);
        });
    }

    /// Reads more of a recording.
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

    /// Waits until the next sample is due or requested. Samples keep their interval whatever each of them
    /// takes; a late one is not made up for.
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

/// Why a sample is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    /// A sample that is due.
    ForAll,
    /// A sample with the result of a cluster scan: the next sample is due as before.
    ByLook,
}

/// The time to the next sample, after this many samples.
fn until_next(count: u64, interval: Duration) -> Duration {
    if count == 1 { SOON.min(interval) } else { interval }
}

struct Worker {
    desk: Arc<SharedOrders>,
    /// The newest sample; an untaken one is replaced.
    newest: watch::Sender<Option<Snapshot>>,
    /// Messages that must not be lost: each is waited for.
    all: mpsc::Sender<Msg>,
    inbox: Inbox,
    host: Arc<dyn Host>,
    jobs: BackgroundJobs,
    schedule: Schedule,
    aside: ClusterScanner,
    subject_reader: SubjectReader,
    /// The last sample, for parts that are not due yet.
    last: Option<Snapshot>,
    /// The recorder, with the number of its recording.
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

    /// Reads the parts that are due; the others stay as they were.
    fn sample(&mut self, source: &mut SnapshotSource, now: Stamp, count: u64) -> Option<Snapshot> {
        let (mut wants, interval, record) = self.orders();
        let interval = until_next(count, interval);
        if record.is_some() && self.recorder.is_none() {
            // A recording contains all parts from its first sample on.
            self.schedule.reset();
        }
        if record.is_some() {
            wants.shown = wants.shown.with(PartSet::WHOLE);
        }
        // Captured trees and synthetic machines have fixed parts.
        let due = match source {
            SnapshotSource::Live { .. } => {
                self.scan_clusters(source, wants, (now, interval));
                self.schedule.due(wants.without(PartSet::CLUSTERS), now, interval)
            }
            SnapshotSource::Captured { .. } => PartSet::WHOLE.with(PartSet::CLUSTERS),
            SnapshotSource::Replay(_)
            | SnapshotSource::Simulated(_)
            | SnapshotSource::Synthetic(_) => wants.all(),
        };
        let mut snapshot = source.next(due)?;
        if let Some(last) = &self.last {
            snapshot.carry(last);
        }
        if wants.shown.only(PartSet::CLUSTERS) != PartSet::NONE {
            self.aside.fill_in(&mut snapshot);
        }
        self.read_subject(source, &mut snapshot);
        if let Some(last) = &self.last {
            snapshot.share(last);
            let behind = snapshot.parts_without_new_areas(last);
            self.schedule.forget(behind);
            // An area should not stay without its details for long.
            self.desk.orders().at_once |= behind.only(wants.all()) != PartSet::NONE;
        }
        self.last = Some(snapshot.clone());
        self.record(&snapshot, record);
        Some(snapshot)
    }

    /// Adds the details of the process or cgroup whose page is open.
    fn read_subject(&self, source: &SnapshotSource, snapshot: &mut Snapshot) {
        let subject = self.desk.orders().subject.clone();
        self.subject_reader.fill_in(source, subject.as_ref(), snapshot, self.look_done());
    }

    /// The callback of a read in another thread: the next sample has its result.
    fn look_done(&self) -> impl FnOnce() + Send + 'static {
        let desk = Arc::clone(&self.desk);
        move || {
            desk.orders().looked = true;
            desk.changed.notify_all();
        }
    }

    /// Scans clusters in another thread, because that takes too long for all other parts to wait.
    fn scan_clusters(&self, source: &SnapshotSource, wants: WantedParts, time: (Stamp, Duration)) {
        let views = wants.shown.only(PartSet::CLUSTERS);
        self.aside.scan_if_due(source, views, time, self.look_done());
    }

    /// The current orders.
    fn orders(&mut self) -> (WantedParts, Duration, Option<u64>) {
        let mut orders = self.desk.orders();
        (orders.at_once, orders.looked) = (false, false);
        if std::mem::take(&mut orders.anew) {
            self.schedule.reset();
            self.aside.scan_again();
        }
        (orders.wants, orders.interval, orders.record)
    }

    /// Passes the sample to the current recording.
    fn record(&mut self, snapshot: &Snapshot, wanted: Option<u64>) {
        // A recording that was stopped or replaced since the last sample ends here.
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
        // Another recording may have been started meanwhile.
        self.desk.orders().record.take_if(|wanted| *wanted == number);
        self.recorder = None;
        if let Some(why) = why {
            self.inbox.put(Msg::RecordingFailed(why.to_owned()));
        }
    }

    /// Sends the samples of a recording batch by batch, as far as they are wanted.
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
        let damage = match source {
            SnapshotSource::Replay(replay) => replay.damage(),
            _ => None,
        };
        let damage = damage.map(|why| format!("the recording is incomplete: {why}"));
        self.hand_over(Msg::SourceEnded(damage));
    }

    /// Sends a message, and waits until there is room for it.
    fn hand_over(&self, message: Msg) {
        // After the interface has ended, nobody receives it.
        let _ = self.all.blocking_send(message);
    }
}

#[allow(clippy::disallowed_methods, reason = "tests measure the real pace")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::SimulatedTarget;
    use crate::cli::commands::change::MachineEngine;
    use crate::cli::options::Environment;
    use crate::columns::export::{TableExport, TableFormat};
    use crate::sampler::SyntheticSource;
    use crate::ui::File;
    use crate::ui::change::ChangeEngine;
    use crate::ui::settings::Settings;
    use std::sync::mpsc::channel;
    use std::time::Instant;

    /// A host that saves nothing.
    #[derive(Debug)]
    struct NullHost;

    impl Host for NullHost {
        fn save_problem(&self) -> Option<&'static str> {
            None
        }

        fn save(&self, _settings: &Settings) -> Result<String, String> {
            Err("nowhere to save it".to_owned())
        }

        fn lesson_engine(&self, machine: &SimulatedTarget) -> Arc<dyn ChangeEngine> {
            Arc::new(MachineEngine::for_simulated(machine, &Environment::default()))
        }

        fn create_recording(&self) -> Result<(File, String), String> {
            Err("nowhere to save it".to_owned())
        }

        fn write_recording(&self, _: &[Snapshot]) -> Result<String, String> {
            Err("nowhere to save it".to_owned())
        }

        fn format_table(&self, _: &TableExport, _: TableFormat) -> Result<String, String> {
            Err("no format".to_owned())
        }

        fn save_table(&self, _: &TableExport, _: TableFormat) -> Result<String, String> {
            Err("nowhere to save it".to_owned())
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
        assert!(for_look - second_one < second, "the sample comes at once");
        // Counted from the scan, it would come a whole second later.
        let after = next() - for_look;
        assert!(after < second * 9 / 10, "{after:?} later");
        let after = next() - second_one;
        assert!(after > second * 19 / 10, "{after:?}: later samples keep their interval again");
    }
}
