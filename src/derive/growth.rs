//! Growth of used swap: one estimate for the tables, the status page, the panes and advice.
//!
//! Used space rises in bursts, and a rate between two samples says nothing about the next minute. The estimate looks at
//! about half a minute, or at the last few samples if they are farther apart (`Snapshot::swaps_past`): it is the median of
//! the mean rates from each sample until now, and at most the mean rate since the highest level before. While used space
//! does not grow, it is the mean rate of the last [`RECENT`] seconds. No forecast is made from less than [`SAMPLES`]
//! samples: the rate is then that since the sample before.

use super::SampleView;
use crate::model::snapshot::PAST_STEP_SECS;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading, Sampled};

/// Minimum number of samples for a forecast.
const SAMPLES: usize = 5;
/// Minimum seconds that they must cover.
const SPAN: f64 = 9.5;
/// Used space counts as growing only if it is above all that it was this many seconds ago and earlier.
const RECENT: f64 = 3.5;
/// Growth that would take longer than this many seconds to fill what is free is noise.
const SLOW: f64 = 3600.0;
/// Growth of this many bytes per second is never noise.
const FAST: f64 = 1_048_576.0;
/// Growth of fewer bytes per second than this is always noise: where little is free, pages come and go.
const LEAST: f64 = 32_768.0;

/// Growth of used space.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// Bytes per second; negative if it shrinks.
    pub rate: f64,
    /// Whether used space grows, in the whole window and in the last [`RECENT`] seconds. A single rise counts as growth
    /// for [`RECENT`] seconds, and a rise to a level that was reached before does not. Missing as long as there are too
    /// few samples to tell.
    pub is_growing: Reading<bool>,
    /// The seconds for which used space was observed.
    pub seconds: f64,
}

impl Growth {
    /// Returns the rate if used space grows.
    pub fn steady_rate(&self) -> Reading<f64> {
        self.is_growing.clone().and_then(|growing| {
            if growing {
                Reading::Known(self.rate)
            } else {
                Reading::absent("used space does not grow steadily, or would take over an hour to fill the rest")
            }
        })
    }

    /// Returns in how many seconds this much free space is used.
    pub fn fills(&self, free: Bytes) -> Reading<f64> {
        self.steady_rate().map(|rate| free.0 as f64 / rate)
    }
}

/// Estimates the growth of a level of the areas, such as the used space of some of them. Samples in which it
/// is unknown end the window.
pub fn estimate(
    view: &SampleView<'_>,
    size: Bytes,
    level: impl Fn(&Vec<SwapArea>) -> Reading<u64>,
) -> Reading<Growth> {
    let last_rate = view.rise(|snapshot| &snapshot.swaps, &level);
    let used = view.now.swaps.reading.as_ref().and_then(&level);
    last_rate.map2(used, |last_rate, used| {
        from_rates(last_rate, &rates_until_now(view, &level), size.saturating_sub(Bytes(used)))
    })
}

/// Returns the seconds from each past sample until now, latest first, and the mean growth per second in them.
fn rates_until_now(
    view: &SampleView<'_>,
    level: &impl Fn(&Vec<SwapArea>) -> Reading<u64>,
) -> Vec<(f64, f64)> {
    let known = |areas: &Sampled<Vec<SwapArea>>| {
        let level = areas.reading.as_ref().and_then(level);
        Some((areas.at?, *level.known()? as f64))
    };
    let Some((end, now)) = known(&view.now.swaps) else { return Vec::new() };
    let before = view.before.into_iter();
    // A sample that did not read the areas repeats those of an earlier one, which is among the past ones too:
    // it counts once.
    let past = before.flat_map(|it| {
        let older = it.swaps_past.iter().rev().filter(|past| past.at != it.swaps.at);
        std::iter::once(&it.swaps).chain(older)
    });
    let rate = |(at, then)| {
        let seconds = end.seconds_since(at);
        (seconds, (now - then) / seconds)
    };
    past.map_while(known).map(rate).filter(|(seconds, _)| *seconds > 0.0).collect()
}

fn from_rates(last_rate: f64, rates: &[(f64, f64)], free: Bytes) -> Growth {
    let seconds = rates.last().map_or(0.0, |(seconds, _)| *seconds);
    if rates.len() + 1 < SAMPLES || seconds < SPAN {
        let span = SPAN.ceil();
        let why = format!("needs at least {SAMPLES} samples in {span:.0} seconds or more");
        let is_growing = Missing::FewSamples(why.into()).into();
        return Growth { rate: last_rate, is_growing, seconds };
    }
    let earlier = || rates.iter().filter(|(seconds, _)| *seconds >= RECENT);
    let recent = earlier().next().map_or(last_rate, |(_, rate)| *rate);
    // Where used space rises and falls by turns, it grows only if it exceeds its highest level before, from which the rise
    // until now is the smallest. The true peak may lie between two past samples, above both by what used space rises in
    // one step: growth has to exceed that too.
    let rise = |(seconds, rate): &(f64, f64)| seconds * rate;
    let highest = earlier().min_by(|one, other| rise(one).total_cmp(&rise(other)));
    let exceeds = highest.filter(|highest| rise(highest) > recent * PAST_STEP_SECS);
    let mut sorted: Vec<f64> = rates.iter().map(|(_, rate)| *rate).collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(recent);
    let noise = (free.0 as f64 / SLOW).clamp(LEAST, FAST);
    let lasting = exceeds.map_or(0.0, |(_, rate)| median.min(*rate));
    let grows = lasting >= noise;
    let rate = if grows { lasting } else { recent };
    Growth { rate, is_growing: Reading::Known(grows), seconds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Snapshot, Stamp};

    const MIB: u64 = 1 << 20;
    /// Size of the area.
    const SIZE: u64 = 1024 * MIB;

    fn machine(millis: u64, used: u64) -> Snapshot {
        let stamp = Stamp { boot_ns: millis * 1_000_000, wall_ms: millis };
        let mut snapshot = Snapshot::empty(stamp);
        let areas = vec![area("/dev/a", 0, SIZE, used * MIB)];
        snapshot.swaps = Sampled::new(Some(stamp), Reading::Known(areas));
        snapshot
    }

    /// The estimate after samples at this distance with these MiB used.
    fn after(millis: u64, used: impl IntoIterator<Item = u64>) -> Reading<Growth> {
        let mut samples = (1..).zip(used).map(|(step, used)| machine(step * millis, used));
        let mut last = samples.next().unwrap();
        let mut before: Option<Snapshot> = None;
        for now in samples {
            before = Some(now.earlier(&last, before.as_ref()));
            last = now;
        }
        let view = SampleView { now: &last, before: before.as_ref() };
        let used = |areas: &Vec<SwapArea>| areas[0].used.clone().map(|used| used.0);
        estimate(&view, Bytes(SIZE), used)
    }

    /// The verdict in words, with the rate in MiB per second.
    fn words(growth: &Reading<Growth>) -> String {
        let Some(growth) = growth.known() else { return "unknown".to_owned() };
        match growth.is_growing.known() {
            None => "not known yet".to_owned(),
            Some(false) => "flat".to_owned(),
            Some(true) => format!("{:.0} MiB/s", growth.rate / MIB as f64),
        }
    }

    #[test]
    fn each_course_has_its_verdict() {
        let flat = |seconds| std::iter::repeat_n(720, seconds);
        let ramp = |from: u64, seconds: u64, step: u64| (0..seconds).map(move |s| from + s * step);
        let bursts = |seconds: u64| (0..seconds).map(|second| second / 10 * 44);
        let sawtooth = |seconds: u64| (0..seconds).map(|second| second % 10 * 20);
        let scenarios: [(&str, Vec<u64>, &str); 13] = [
            ("one sample", vec![5], "unknown"),
            ("two samples", vec![5, 49], "not known yet"),
            ("nine seconds", ramp(0, 10, 5).collect(), "not known yet"),
            ("ten seconds", ramp(0, 11, 5).collect(), "5 MiB/s"),
            ("a minute", ramp(0, 60, 5).collect(), "5 MiB/s"),
            ("flat after a rise", ramp(0, 20, 36).chain(flat(10)).collect(), "flat"),
            ("flat for five seconds", ramp(0, 20, 36).chain(flat(6)).collect(), "flat"),
            ("always flat", flat(40).collect(), "flat"),
            ("shrinking", (0..30).map(|second| 900 - second).collect(), "flat"),
            ("just after a burst", bursts(31).collect(), "6 MiB/s"),
            ("five seconds after a burst", bursts(36).collect(), "flat"),
            ("at the top of a sawtooth", sawtooth(40).collect(), "flat"),
            ("in the middle of a sawtooth", sawtooth(36).collect(), "flat"),
        ];
        for (name, used, expected) in scenarios {
            assert_eq!(words(&after(1000, used)), expected, "{name}");
        }
    }

    /// A sample taken early for another screen carries the areas over.
    #[test]
    fn a_reading_that_was_carried_over_counts_once() {
        let mut before = machine(12_000, 60);
        before.swaps_past = [(4000, 20), (8000, 40), (12_000, 60)]
            .map(|(millis, used)| machine(millis, used).swaps)
            .to_vec();
        let now = machine(16_000, 80);
        let used = |areas: &Vec<SwapArea>| areas[0].used.clone().map(|used| used.0);
        let estimate =
            estimate(&SampleView { now: &now, before: Some(&before) }, Bytes(SIZE), used);
        assert_eq!(words(&estimate), "not known yet", "four samples");
    }

    #[test]
    fn a_rise_within_a_second_is_growth() {
        let rise = std::iter::repeat_n(100, 30).chain([144]);
        let growth = after(1000, rise).known().cloned().unwrap();
        assert_eq!(growth.is_growing, Reading::Known(true));
    }

    #[test]
    fn faster_and_slower_sampling_agree() {
        for (millis, count) in [(200, 150), (1000, 30), (5000, 10), (60_000, 10)] {
            let used = (0..count).map(|step| step * millis / 1000);
            let growth = after(millis, used).known().cloned().unwrap();
            assert_eq!(growth.is_growing, Reading::Known(true), "{millis} ms");
            let rate = growth.rate / MIB as f64;
            assert!((0.7..1.3).contains(&rate), "{millis} ms: {rate}");
        }
    }

    #[test]
    fn time_to_full_needs_growth() {
        let free = Bytes(100 * MIB);
        let fills = |used: Vec<u64>| after(1000, used).and_then(|growth| growth.fills(free));
        assert_eq!(fills((0..20).map(|second| second * 5).collect()), Reading::Known(20.0));
        // The last 44 MiB are full in a minute, although the rate is small beside the size.
        let slow = (0..20).map(|step| 960 + step * 4).collect::<Vec<_>>();
        let nearly_full = after(5000, slow).and_then(|growth| growth.fills(Bytes(44 * MIB)));
        assert!((50.0..60.0).contains(nearly_full.known().unwrap()), "{nearly_full:?}");
        assert!(fills(vec![720; 20]).missing().unwrap().why().contains("does not grow"));
        assert!(fills(vec![1, 2]).missing().unwrap().why().contains("5 samples"));
    }
}
