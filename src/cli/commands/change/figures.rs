//! Figures of a change: the pauses of swapoff, and a zram device before and after.

use crate::columns::units;
use crate::derive::compression::BD_UNIT;
use crate::model::zram::{BdStat, MmStat, ZramDevice};
use crate::model::{Bytes, Reading};
use crate::sys::process;
use serde::Serialize;
use std::time::Duration;

/// The number of pauses and their total time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Rests {
    count: u32,
    seconds: f64,
    /// When the present pause began, on the monotonic clock.
    #[serde(skip)]
    since: Option<Duration>,
}

impl Rests {
    /// Records whether swapoff is paused now.
    pub(super) fn observe(&mut self, rests: bool, now: Duration) {
        match (rests, self.since) {
            (true, None) => {
                self.count += 1;
                self.since = Some(now);
            }
            (false, Some(since)) => {
                self.seconds =
                    units::rounded(self.seconds + now.saturating_sub(since).as_secs_f64());
                self.since = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    /// The totals at the end of the change; none if there was no pause.
    pub(super) fn finish(mut self, now: Duration) -> Option<Self> {
        self.observe(false, now);
        (self.count > 0).then_some(self)
    }

    pub(super) fn words(&self) -> String {
        let Self { count, seconds, .. } = self;
        let times = if *count == 1 { "once" } else { &format!("{count} times") };
        let seconds = units::seconds(*seconds);
        format!("  paused {times}, for {seconds} in all, because of memory pressure")
    }
}

/// The time of a change of zram devices.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct ChangeCost {
    seconds: f64,
    /// CPU time of the helpers: the kernel recompresses in the process that asks for it.
    cpu_seconds: Option<f64>,
}

impl ChangeCost {
    /// The cost of a change since this time of the monotonic clock and this CPU time of ended children.
    pub(super) fn since(start: Duration, now: Duration, cpu: Option<Duration>) -> Self {
        let used = process::children_cpu().zip(cpu).map(|(now, then)| now.saturating_sub(then));
        Self {
            seconds: units::rounded(now.saturating_sub(start).as_secs_f64()),
            cpu_seconds: used.map(|used| units::rounded(used.as_secs_f64())),
        }
    }

    pub(super) fn words(&self) -> String {
        let cpu = self.cpu_seconds.map(|cpu| format!(", with {} of CPU time", units::seconds(cpu)));
        format!("  took {}{}", units::seconds(self.seconds), cpu.unwrap_or_default())
    }
}

/// A zram device before and after a change.
#[derive(Debug, Serialize)]
pub(super) struct ZramFigures {
    device: String,
    before: Option<DeviceFigures>,
    after: Option<DeviceFigures>,
}

/// The figures of a device, as far as they can be read.
#[derive(Debug, Serialize)]
struct DeviceFigures {
    mm: Reading<MmStat>,
    bd: Reading<BdStat>,
}

impl ZramFigures {
    pub(super) fn for_device(
        number: u64,
        before: &Reading<Vec<ZramDevice>>,
        after: &Reading<Vec<ZramDevice>>,
    ) -> Self {
        let device = format!("zram{number}");
        let held = |devices: &Reading<Vec<ZramDevice>>| {
            let found = devices.known()?.iter().find(|other| other.name == device)?;
            Some(DeviceFigures { mm: found.mm.clone(), bd: found.bd.clone() })
        };
        Self { before: held(before), after: held(after), device }
    }

    /// The differences in words.
    pub(super) fn words(&self) -> Vec<String> {
        let name = &self.device;
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return Vec::new() };
        let mut lines = Vec::new();
        match (&before.mm, &after.mm) {
            (Reading::Known(before), Reading::Known(after)) => {
                lines.extend(describe_difference(name, "memory", before.mem_used, after.mem_used));
                lines.extend(describe_difference(
                    name,
                    "compressed",
                    before.compr_data,
                    after.compr_data,
                ));
            }
            (_, Reading::Missing { missing }) => {
                lines.push(format!("  {name}  figures are not known: {}", missing.why()));
            }
            (Reading::Missing { .. }, _) => {}
        }
        if let (Reading::Known(before), Reading::Known(after)) = (&before.bd, &after.bd) {
            let pages = |count: u64| Bytes(count.saturating_mul(BD_UNIT));
            lines.extend(describe_difference(
                name,
                "written back",
                pages(before.count),
                pages(after.count),
            ));
        }
        lines
    }
}

fn describe_difference(name: &str, what: &str, before: Bytes, after: Bytes) -> Option<String> {
    let size = |bytes: Bytes| units::bytes(bytes.0 as f64);
    let (word, by) = match before.cmp(&after) {
        std::cmp::Ordering::Equal if what != "memory" => return None,
        std::cmp::Ordering::Equal => {
            return Some(format!("  {name}  {what} {}, as before", size(after)));
        }
        std::cmp::Ordering::Less => ("more", after.saturating_sub(before)),
        std::cmp::Ordering::Greater => ("less", before.saturating_sub(after)),
    };
    Some(format!("  {name}  {what} {}, {} {word} than before", size(after), size(by)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_said_as_far_as_it_is_known() {
        let at = Duration::from_secs;
        let cost = ChangeCost::since(at(1), at(4), process::children_cpu());
        assert!(cost.cpu_seconds.is_some());
        let known = ChangeCost { cpu_seconds: Some(2.0), ..cost };
        assert_eq!(known.words(), "  took 3s, with 2s of CPU time");
        assert_eq!(ChangeCost::since(at(1), at(4), None).words(), "  took 3s");
    }

    #[test]
    fn rests_are_counted_until_the_end() {
        let at = Duration::from_secs;
        let mut rests = Rests::default();
        assert_eq!(rests.finish(at(0)), None);
        for (second, resting) in [(1, true), (2, true), (4, false), (5, false), (6, true)] {
            rests.observe(resting, at(second));
        }
        let once = Rests { count: 1, ..Rests::default() }.words();
        assert!(once.starts_with("  paused once, for 0"), "{once}");
        let words = rests.finish(at(10)).unwrap().words();
        assert_eq!(words, "  paused 2 times, for 7s in all, because of memory pressure");
    }
}
