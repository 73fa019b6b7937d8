//! Takes snapshots once or repeatedly, and hands each to a printer.

use crate::cli::exit::{CommandResult, usage};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{self, SourceOptions};
use crate::cli::out;
use crate::cli::out::ProgressLine;
use crate::columns::units;
use crate::derive::SampleView;
use crate::model::{PartSet, Snapshot, name};
use crate::sampler::{self, SnapshotSource};
use crate::sys;
use std::time::Duration;

/// Time between the two samples of a single report.
const WINDOW: Duration = Duration::from_millis(500);
/// The shortest interval: sampling more often costs more than it shows.
const SHORTEST: Duration = Duration::from_millis(10);
/// The most by which a sample of a recording may be earlier than its interval.
const MAX_EARLY: Duration = Duration::from_millis(100);

/// The interval and the number of samples.
#[derive(Clone, Copy, Debug)]
pub struct SampleSchedule {
    /// Time between two samples; none for a single report.
    interval: Option<Duration>,
    /// The number of samples, if limited.
    count: Option<u64>,
    /// Whether pauses are longer after slow samples.
    gentle: bool,
}

impl SampleSchedule {
    /// Parses `--interval` and `--count`.
    ///
    /// # Errors
    /// The interval is not valid, or is missing beside a count.
    pub fn new(interval: Option<&str>, count: Option<u64>) -> CommandResult<Self> {
        let parse = |text: &str| {
            let time = options::duration(text).filter(|time| *time >= SHORTEST);
            time.ok_or_else(|| {
                usage(format!("--interval \"{text}\" is not valid: use seconds, such as 1, 0.5 or 500ms (at least 10ms)"))
            })
        };
        if let (None, Some(_)) = (interval, count) {
            return Err(usage("--count needs --interval"));
        }
        Ok(Self { interval: interval.map(parse).transpose()?, count, gentle: false })
    }

    /// All snapshots of a recording, or the first `count`.
    pub fn whole_recording(count: Option<u64>) -> Self {
        Self { interval: Some(Duration::ZERO), count, gentle: false }
    }

    /// Makes pauses longer after scans of clusters, for screens where nobody asked for them.
    pub fn with_longer_pauses(self) -> Self {
        Self { gentle: true, ..self }
    }

    /// The time from the sample with these parts to the next one.
    fn after(self, interval: Duration, parts: PartSet, sample: &Snapshot) -> Duration {
        if self.gentle && parts.only(PartSet::CLUSTERS) != PartSet::NONE {
            return interval.max(sampler::scan_pause(Duration::from_micros(sample.cost.wall_us)));
        }
        interval
    }

    /// Whether a sample of a recording is too soon after the last one. Samples are not exactly as far apart as they
    /// were to be.
    fn is_early(self, last: &Snapshot, now: &Snapshot) -> bool {
        let interval = self.interval.unwrap_or_default();
        let shortest = interval.saturating_sub(MAX_EARLY.min(interval / 20));
        let since = now.stamp.boot_ns.checked_sub(last.stamp.boot_ns);
        since.is_some_and(|since| Duration::from_nanos(since) < shortest)
    }

    /// The time between two samples.
    pub fn interval(self) -> Duration {
        self.interval.unwrap_or(WINDOW)
    }

    /// Whether samples are taken until a signal arrives.
    fn is_endless(self) -> bool {
        self.repeats() && self.count.is_none()
    }

    /// Whether more than one sample is taken.
    pub fn repeats(self) -> bool {
        self.interval.is_some()
    }
}

/// Takes snapshots and hands each to `show`, with the previous sample if `two_samples` is set.
///
/// # Errors
/// Those of `show` and of the source.
pub fn run(
    source: &SourceOptions,
    parts: PartSet,
    two_samples: bool,
    pace: SampleSchedule,
    show: impl FnMut(&SampleView<'_>) -> CommandResult<()>,
) -> CommandResult<()> {
    run_closer(source, SampleRequest { parts, two_samples, closer: &|_| PartSet::NONE }, pace, show)
}

/// The parts to read for each snapshot.
pub struct SampleRequest<'r> {
    /// The parts to read.
    pub parts: PartSet,
    /// Whether a previous sample is needed.
    pub two_samples: bool,
    /// Further parts, chosen by what the first ones show.
    pub closer: &'r dyn Fn(&SampleView<'_>) -> PartSet,
}

/// Takes snapshots as [`run`] does, and reads further parts if the first ones call for it.
///
/// # Errors
/// Those of `show` and of the source.
pub fn run_closer(
    source: &SourceOptions,
    SampleRequest { parts, two_samples, closer }: SampleRequest<'_>,
    pace: SampleSchedule,
    mut show: impl FnMut(&SampleView<'_>) -> CommandResult<()>,
) -> CommandResult<()> {
    if pace.is_endless() && matches!(source, SourceOptions::Root(root) if root.is_live()) {
        sys::drop_rights_to_change();
    }
    let mut from = source.open()?;
    remark_recording(source, &from);
    remark_simulated(source);
    reach_first_sample(source)?;
    let interrupt = Interrupt::watch(pace.repeats());
    if let SnapshotSource::Live { root, .. } = &mut from {
        *root = interrupt.cancellable(root);
    }
    // The samples of a simulated machine are a simulated second apart.
    let window = if matches!(from, SnapshotSource::Simulated(_)) { Duration::ZERO } else { WINDOW };
    let interval = pace.interval.unwrap_or(window);
    let is_recording = matches!(from, SnapshotSource::Replay(_));
    let mut last: Option<Snapshot> = None;
    let mut before = None;
    if two_samples {
        let _ = from.time_until_due(Duration::ZERO);
        before = from.before_baseline();
        last = from.baseline(parts, pace.repeats());
        if last.is_some() && interrupt.wait(from.time_until_due(interval)) {
            return Ok(());
        }
    }
    let mut shown = 0;
    while let Some(mut now) = from.next(parts) {
        if interrupt.has_cut_short() {
            break;
        }
        let is_early = |last: &Snapshot| is_recording && pace.is_early(last, &now);
        if last.as_ref().is_some_and(is_early) {
            if interrupt.wait(Duration::ZERO) {
                break;
            }
            continue;
        }
        if let Some(last) = &last {
            now.keep_zram(last);
        }
        // A recording of the interface has parts that were copied from one snapshot to the next.
        before = last.map(|last| now.earlier(&last, before.as_ref()));
        let more = closer(&SampleView { now: &now, before: before.as_ref() });
        from.add_parts(more, &mut now);
        show(&SampleView { now: &now, before: before.as_ref() })?;
        shown += 1;
        let enough = !pace.repeats() || pace.count.is_some_and(|count| shown >= count);
        if enough || interrupt.wait(from.time_until_due(pace.after(interval, parts, &now))) {
            break;
        }
        last = Some(now);
    }
    Ok(())
}

/// Prints remarks if a recording is damaged, or begins after the requested time.
fn remark_recording(source: &SourceOptions, from: &SnapshotSource) {
    let (SourceOptions::Recording { file, .. }, SnapshotSource::Replay(replay)) = (source, from)
    else {
        return;
    };
    let file = name::safe_text(&file.to_string_lossy());
    if let Some(damage) = replay.damage() {
        out::remark(&format!("swapadm: {file}: {damage}"));
    }
    if let Some(begin) = replay.late_start() {
        out::remark(&format!("swapadm: {file}: the recording begins later, at {begin}"));
    }
}

/// Lets a simulated machine reach its first sample, with a line of progress.
///
/// # Errors
/// The workload does not fit into the simulator.
pub(super) fn reach_first_sample(source: &SourceOptions) -> CommandResult<()> {
    let SourceOptions::Machine(machine) = source else { return Ok(()) };
    let mut line = ProgressLine::with_cells(machine.cells);
    let filled = units::percent(machine.setup.used_at_start);
    machine.begin(&mut |share| {
        let done = units::percent(share);
        line.tell(&[format!("simulating until {filled} of swap is used: {done} done")]);
    })?;
    line.clear();
    Ok(())
}

/// Prints a remark if all figures come from a model.
fn remark_simulated(source: &SourceOptions) {
    if let SourceOptions::Machine(machine) = source {
        let (name, policy) = (name::safe_text(&machine.setup.name), &machine.setup.policy);
        let (kernel, validation) = (&policy.name, policy.validation());
        out::remark(&format!(
            "SIMULATED machine {name}: all figures come from a model of kernel {kernel} ({validation})"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::{Missing, Part, Reading, Sampled, Stamp};
    use crate::root::testing::TestTree;
    use crate::sampler::ReplayStart;
    use crate::sampler::recording::RecordingWriter;
    use nix::sys::signal::{Signal, raise};

    fn at(second: u64) -> Stamp {
        Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 }
    }

    /// A recording as the interface makes it: a snapshot each second, with a counter that was read
    /// every third second and grows by six a second.
    fn recording() -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = RecordingWriter::new(file.reopen().unwrap()).unwrap();
        for second in 0..9 {
            let read = second / 3 * 3;
            let counters = Counters::new("/proc/vmstat", vec![("pswpin".into(), read * 6)]);
            let mut snapshot = Snapshot::empty(at(second));
            snapshot.vmstat = Sampled::new(Some(at(read)), Reading::Known(counters));
            writer.add(&snapshot).unwrap();
        }
        file
    }

    fn rates(moment: ReplayStart, pace: SampleSchedule) -> Vec<Reading<f64>> {
        let recording = recording();
        let source = SourceOptions::Recording { file: recording.path().to_owned(), at: moment };
        let mut rates = Vec::new();
        run(&source, PartSet::WHOLE, true, pace, |view| {
            rates.push(view.vmstat_rate("pswpin"));
            Ok(())
        })
        .unwrap();
        rates
    }

    #[test]
    fn slow_cluster_scans_are_spaced_out() {
        let mut sample = Snapshot::empty(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
        sample.cost.wall_us = 200_000;
        let second = Duration::from_secs(1);
        let pace = SampleSchedule { interval: Some(second), count: None, gentle: false };
        let after = |pace: SampleSchedule, parts| pace.after(second, parts, &sample).as_secs();
        assert_eq!(after(pace, PartSet::CLUSTERS), 1, "it was asked for");
        assert_eq!(after(pace.with_longer_pauses(), PartSet::CLUSTERS), 10);
        assert_eq!(after(pace.with_longer_pauses(), PartSet::NONE), 1);
    }

    /// The number of samples of these parts shown if a signal arrives before the first.
    fn shown_after_signal(part: Part) -> u64 {
        let tree = TestTree::with(&[
            ("proc/swaps", "Filename Type Size Used Priority\n/dev/zram0 partition 4092 8 5\n"),
            ("proc/meminfo", "SwapTotal: 8 kB\n"),
            ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"),
            ("proc/7/status", "Name:\tx\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmSwap:\t8 kB\n"),
            ("proc/7/maps", "10000-18000 rw-p 00000000 00:00 0\n"),
            ("proc/7/pagemap", ""),
        ]);
        let interrupt = Interrupt::watch(true);
        raise(Signal::SIGTERM).unwrap();
        let source = SourceOptions::Root(tree.live());
        let parts = PartSet::from_parts(&[Part::Swaps, part]);
        let pace = SampleSchedule { interval: Some(Duration::ZERO), count: Some(9), gentle: false };
        let mut shown = 0;
        run(&source, parts, false, pace, |_| {
            shown += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(interrupt.take_signals(), [Signal::SIGTERM]);
        shown
    }

    #[test]
    fn signal_discards_an_unfinished_page_table_walk() {
        assert_eq!(shown_after_signal(Part::MappedClusters), 0);
        assert_eq!(shown_after_signal(Part::Meminfo), 1, "it was not cut off");
    }

    #[test]
    fn carried_parts_compare_with_their_last_read() {
        let once = SampleSchedule { interval: None, count: None, gentle: false };
        for second in 3..9 {
            assert_eq!(
                rates(ReplayStart::Date(second * 1000), once),
                [Reading::Known(6.0)],
                "{second}"
            );
        }
        assert_eq!(rates(ReplayStart::Date(2000), once), [Missing::OneSample.into()]);
    }

    #[test]
    fn a_stream_goes_on_with_the_rates_of_carried_parts() {
        let rates = rates(ReplayStart::First, SampleSchedule::whole_recording(None));
        let none: Reading<f64> = Missing::OneSample.into();
        assert_eq!(rates[..2], [none.clone(), none]);
        assert_eq!(rates[2..], vec![Reading::Known(6.0); 6]);
        let middle =
            super::tests::rates(ReplayStart::Date(5000), SampleSchedule::whole_recording(Some(2)));
        assert_eq!(middle, vec![Reading::Known(6.0); 2]);
    }

    /// Samples of a recording are a second apart here, and its counter is read every three seconds.
    #[test]
    fn samples_of_a_recording_before_the_interval_are_skipped() {
        let pace = |millis| SampleSchedule {
            interval: Some(Duration::from_millis(millis)),
            count: None,
            gentle: false,
        };
        assert_eq!(rates(ReplayStart::First, pace(3000)), vec![Reading::Known(6.0); 2]);
        assert_eq!(rates(ReplayStart::First, pace(3100)).len(), 2, "3 s are almost 3.1 s");
        assert_eq!(rates(ReplayStart::First, pace(1000)).len(), 8);
        assert_eq!(rates(ReplayStart::First, pace(10)).len(), 8);
    }
}
