//! Snapshots one after the other: once, or every so many seconds.

use crate::cli::exit::Failure;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{self, SourceOptions};
use crate::cli::out;
use crate::derive::View;
use crate::model::{PartSet, Snapshot, name};
use crate::sampler::{self, Source};
use std::time::Duration;

/// How far apart the two samples of a single report are.
const WINDOW: Duration = Duration::from_millis(500);
/// Shorter than this a sample costs more than it tells.
const SHORTEST: Duration = Duration::from_millis(10);

/// How often, and how many times.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Time between two; none for a single report.
    interval: Option<Duration>,
    /// How many, if it ends by itself.
    count: Option<u64>,
    /// Does it wait longer after what takes long?
    gentle: bool,
}

impl Pace {
    /// Understand `--interval` and `--count`.
    ///
    /// # Errors
    /// A sentence that says what an interval can be.
    pub fn new(interval: Option<&str>, count: Option<u64>) -> Result<Self, Failure> {
        let parse = |text: &str| {
            let time = options::duration(text).filter(|time| *time >= SHORTEST);
            time.ok_or_else(|| {
                Failure::Usage(format!("\"{text}\" is no interval: use seconds, such as 1, 0.5 or 500ms (at least 10ms)"))
            })
        };
        if let (None, Some(_)) = (interval, count) {
            return Err(Failure::Usage("--count goes with --interval".to_owned()));
        }
        Ok(Self { interval: interval.map(parse).transpose()?, count, gentle: false })
    }

    /// All that a recording holds, or so many.
    pub fn through(count: Option<u64>) -> Self {
        Self { interval: Some(Duration::ZERO), count, gentle: false }
    }

    /// With a longer pause after looks at clusters, which nobody has asked for at each sample.
    pub fn gently(self) -> Self {
        Self { gentle: true, ..self }
    }

    /// The time from the sample with these parts to the next one.
    fn after(self, interval: Duration, parts: PartSet, sample: &Snapshot) -> Duration {
        if self.gentle && parts.only(PartSet::CLUSTERS) != PartSet::NONE {
            return interval.max(sampler::pause(Duration::from_micros(sample.cost.wall_us)));
        }
        interval
    }

    /// Does it go on?
    pub fn repeats(self) -> bool {
        self.interval.is_some()
    }
}

/// Take snapshots and hand each to `show`, with what its rates are measured against when `two` asks
/// for it.
///
/// # Errors
/// What `show` or the source says.
pub fn run(
    source: &SourceOptions,
    parts: PartSet,
    two: bool,
    pace: Pace,
    show: impl FnMut(&View<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    run_closer(source, Reads { parts, two, closer: &|_| PartSet::NONE }, pace, show)
}

/// What is read for each snapshot.
pub struct Reads<'r> {
    /// These parts.
    pub parts: PartSet,
    /// Is it compared with one before?
    pub two: bool,
    /// What more, when those have been seen.
    pub closer: &'r dyn Fn(&View<'_>) -> PartSet,
}

/// The same, with a second look at what the first left open.
///
/// # Errors
/// What `show` or the source says.
pub fn run_closer(
    source: &SourceOptions,
    Reads { parts, two, closer }: Reads<'_>,
    pace: Pace,
    mut show: impl FnMut(&View<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut from = source.open()?;
    remark_early(source, &from);
    let interrupt = Interrupt::watch(pace.repeats());
    if let Source::Live { root, .. } = &mut from {
        *root = interrupt.ends(root);
    }
    let interval = pace.interval.unwrap_or(WINDOW);
    let mut last: Option<Snapshot> = None;
    let mut before = None;
    if two {
        let _ = from.until_due(Duration::ZERO);
        before = from.earlier();
        last = from.before_first(parts, pace.repeats());
        if last.is_some() && interrupt.within(from.until_due(interval)) {
            return Ok(());
        }
    }
    let mut shown = 0;
    while let Some(mut now) = from.next(parts) {
        if interrupt.has_ended() {
            break;
        }
        // A recording of the interface holds parts that were carried over from one to the next.
        before = last.map(|last| now.earlier(&last, before.as_ref()));
        let more = closer(&View { now: &now, before: before.as_ref() });
        from.look_closer(more, &mut now);
        show(&View { now: &now, before: before.as_ref() })?;
        shown += 1;
        let enough = !pace.repeats() || pace.count.is_some_and(|count| shown >= count);
        if enough || interrupt.within(from.until_due(pace.after(interval, parts, &now))) {
            break;
        }
        last = Some(now);
    }
    remark_cut(source, &from, shown);
    Ok(())
}

/// Say it when a recording begins after the moment asked for.
fn remark_early(source: &SourceOptions, from: &Source) {
    if let (SourceOptions::Recording { file, .. }, Source::Replay(replay)) = (source, from)
        && let Some(begin) = replay.begins_later()
    {
        let file = name::safe_text(&file.to_string_lossy());
        out::remark(&format!("swapadm: {file}: it begins later, at {begin}"));
    }
}

/// Say it when a recording was cut off.
fn remark_cut(source: &SourceOptions, from: &Source, shown: u64) {
    if let (SourceOptions::Recording { file, .. }, Source::Replay(replay)) = (source, from)
        && let Some(why) = replay.cut()
    {
        let file = name::safe_text(&file.to_string_lossy());
        out::remark(&format!("swapadm: {file}: {why}; {shown} shown from before that"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::view::Change;
    use crate::model::paging::Counters;
    use crate::model::{Missing, Part, Reading, Sampled, Stamp};
    use crate::root::testing::Tree;
    use crate::sampler::Moment;
    use crate::sampler::recording::Writer;
    use nix::sys::signal::{Signal, raise};

    fn at(second: u64) -> Stamp {
        Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 }
    }

    /// A recording as the interface makes it: a snapshot each second, and a part that was read
    /// every third second and grew by six times its second.
    fn recording() -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = Writer::new(file.reopen().unwrap()).unwrap();
        for second in 0..9 {
            let read = second / 3 * 3;
            let counters = Counters::new("/proc/vmstat", vec![("pswpin".into(), read * 6)]);
            let mut snapshot = Snapshot::empty(at(second));
            snapshot.vmstat = Sampled::new(Some(at(read)), Reading::Known(counters));
            writer.add(&snapshot).unwrap();
        }
        file
    }

    fn rates(moment: Moment, pace: Pace) -> Vec<Reading<f64>> {
        let recording = recording();
        let source = SourceOptions::Recording { file: recording.path().to_owned(), at: moment };
        let mut rates = Vec::new();
        run(&source, PartSet::WHOLE, true, pace, |view| {
            rates.push(view.vmstat_change("pswpin").map(Change::per_second));
            Ok(())
        })
        .unwrap();
        rates
    }

    #[test]
    fn looks_at_clusters_that_take_long_are_further_apart() {
        let mut sample = Snapshot::empty(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
        sample.cost.wall_us = 200_000;
        let second = Duration::from_secs(1);
        let pace = Pace { interval: Some(second), count: None, gentle: false };
        let after = |pace: Pace, parts| pace.after(second, parts, &sample).as_secs();
        assert_eq!(after(pace, PartSet::CLUSTERS), 1, "it was asked for");
        assert_eq!(after(pace.gently(), PartSet::CLUSTERS), 10);
        assert_eq!(after(pace.gently(), PartSet::NONE), 1);
    }

    /// How many samples of these parts are shown to somebody who asks for the end before the first.
    fn shown_though_asked_to_end(part: Part) -> u64 {
        let tree = Tree::with(&[
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
        let parts = PartSet::of(&[Part::Swaps, part]);
        let pace = Pace { interval: Some(Duration::ZERO), count: Some(9), gentle: false };
        let mut shown = 0;
        run(&source, parts, false, pace, |_| {
            shown += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(interrupt.came(), [Signal::SIGTERM]);
        shown
    }

    #[test]
    fn a_signal_ends_a_walk_of_page_tables_which_is_not_shown_then() {
        assert_eq!(shown_though_asked_to_end(Part::MappedClusters), 0);
        assert_eq!(shown_though_asked_to_end(Part::Meminfo), 1, "it was not cut off");
    }

    #[test]
    fn a_carried_part_is_compared_with_its_own_read_before() {
        let once = Pace { interval: None, count: None, gentle: false };
        for second in 3..9 {
            assert_eq!(rates(Moment::Date(second * 1000), once), [Reading::Known(6.0)], "{second}");
        }
        assert_eq!(rates(Moment::Date(2000), once), [Missing::OneSample.into()]);
    }

    #[test]
    fn a_stream_goes_on_with_the_rates_of_carried_parts() {
        let rates = rates(Moment::First, Pace::through(None));
        let none: Reading<f64> = Missing::OneSample.into();
        assert_eq!(rates[..2], [none.clone(), none]);
        assert_eq!(rates[2..], vec![Reading::Known(6.0); 6]);
        let middle = super::tests::rates(Moment::Date(5000), Pace::through(Some(2)));
        assert_eq!(middle, vec![Reading::Known(6.0); 2]);
    }
}
