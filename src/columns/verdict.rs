//! Verdicts from several columns, in words shared by the status page and the interface.

use super::tables::cgroups::id as cgroups_id;
use super::tables::devices::id as devices;
use super::tables::headroom::id as headroom_id;
use super::tables::paging::id as paging_id;
use super::tables::readahead::id as readahead;
use super::{ColumnId, Rows, Value, units};
use crate::derive::cgroups::AT_LIMIT;
use crate::derive::state::SwapState;
use crate::derive::{self, compression};
use crate::model::{Policy, Reading, Snapshot, worded_enum};

worded_enum! {
    /// Verdict on swap readahead.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ReadaheadVerdict {
        /// No swap is active.
        NoSwap = "no swap is active",
        /// Readahead is off.
        Off = "off: pages are read one at a time",
        /// All swap is on zram, and nothing was read ahead.
        NotNeeded = "not needed: all used swap is on zram",
        /// Nothing was read ahead between the samples.
        Idle = "idle: nothing is read ahead",
        /// Too few pages were read ahead for the hit rate to mean anything.
        TooFew = "too few pages read ahead for a verdict",
        /// The hit rate is low.
        Wasteful = "wasteful",
        /// The hit rate is good.
        Worthwhile = "effective",
        /// The figures are missing, or there is only one sample.
        Unknown = "unknown",
    }
}

impl ReadaheadVerdict {
    /// Judges a row of `readahead` with this number of areas, by the thresholds.
    pub fn judge(rows: Option<&Rows>, areas: Option<f64>, policy: &Policy) -> Self {
        let number = |column: ColumnId| rows?.value(0, column).and_then(Value::number);
        let is_off = || rows.is_some_and(|rows| rows.text(0, readahead::MODE) == "off");
        let are_few = || {
            let rate = number(readahead::AHEAD_RATE).unwrap_or(f64::INFINITY);
            derive::readahead::are_few(rate, number(readahead::SHARE_OF_READS), policy)
        };
        match number(readahead::HIT_RATE) {
            _ if areas == Some(0.0) => Self::NoSwap,
            _ if is_off() => Self::Off,
            Some(_) if are_few() => Self::TooFew,
            Some(success) if success < policy.readahead_low => Self::Wasteful,
            Some(_) => Self::Worthwhile,
            None if number(readahead::ONLY_ZRAM) == Some(1.0) => Self::NotNeeded,
            None if number(readahead::AHEAD_RATE) == Some(0.0) => Self::Idle,
            None => Self::Unknown,
        }
    }

    /// Whether the hit rate was judged.
    pub fn is_judged(self) -> bool {
        matches!(self, Self::Wasteful | Self::Worthwhile)
    }
}

/// The full areas of a group whose other areas have room; nothing if there are none.
pub fn full_areas(areas: &Rows, priority: &str) -> Option<String> {
    let number = |row: &usize, column: ColumnId| areas.value(*row, column).and_then(Value::number);
    let of_group =
        (0..areas.cells.len()).filter(|row| areas.text(*row, devices::PRIORITY) == priority);
    let is_full = |row: &usize| number(row, devices::USE).is_some_and(|used| used >= 1.0);
    let (full, open): (Vec<usize>, Vec<usize>) = of_group.partition(is_full);
    if full.is_empty() || open.is_empty() {
        return None;
    }
    let size = |row: &usize| number(row, devices::SIZE);
    let is_smaller = full.iter().all(|row| open.iter().all(|other| size(row) < size(other)));
    let names: Vec<String> = full.iter().map(|row| areas.text(*row, devices::NAME)).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let smaller = if is_smaller { "smaller, and " } else { "" };
    Some(format!("{} {verb} {smaller}full", names.join(", ")))
}

/// Cause of memory pressure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressureCause {
    /// The cgroup in this row of `cgroups` is at its limit, and so are this many others.
    AtLimit(usize, usize),
    /// Likely such a cgroup, but with one sample it is unknown who reclaims.
    LikelyAtLimit(usize, usize),
    /// Another cause, in words.
    Other(&'static str),
}

impl PressureCause {
    /// Finds the cause of this state in `paging`, `cgroups` and `headroom`, as far as the kernel shows it.
    pub fn diagnose(
        state: SwapState,
        [paging, cgroups, headroom]: [Option<&Rows>; 3],
        policy: &Policy,
    ) -> Option<Self> {
        if !state.waits() {
            return None;
        }
        let at_limit = || cgroups.map(|groups| at_limit(groups, policy));
        let number = |column| paging.and_then(|it| it.value(0, column)).and_then(Value::number);
        let likely = || match at_limit().filter(|_| number(paging_id::STEAL_CGROUPS) != Some(0.0)) {
            Some(Self::AtLimit(row, others)) => Some(Self::LikelyAtLimit(row, others)),
            _ => None,
        };
        // Reclaim for the machine may also free files only, or look for memory of one zone.
        let has_memory = || headroom.and_then(|it| is_memory_short(it, policy)) == Some(false);
        match paging?.text(0, paging_id::RECLAIMER).as_str() {
            _ if state == SwapState::AtCgroupLimit => at_limit(),
            "cgroups" => at_limit(),
            "tasks" if has_memory() => likely().or(Some(Self::Other(
                "tasks wait in direct reclaim, although memory is available",
            ))),
            "kswapd" if has_memory() => {
                likely().or(Some(Self::Other("kswapd is reclaiming, although memory is available")))
            }
            "tasks" => Some(Self::Other("RAM is short: tasks wait in direct reclaim")),
            "kswapd" => Some(Self::Other("RAM is short: kswapd is reclaiming")),
            _ if has_memory() => likely(),
            _ => None,
        }
    }
}

/// Whether little memory is available; none if that is unknown.
fn is_memory_short(headroom: &Rows, policy: &Policy) -> Option<bool> {
    let number = |column| headroom.value(0, column).and_then(Value::number);
    let (available, total) =
        number(headroom_id::MEM_AVAILABLE).zip(number(headroom_id::MEM_TOTAL))?;
    Some(derive::state::is_little(available, total, policy))
}

/// The cgroup at its limit whose tasks stall most; without PSI the one whose pages return from swap fastest, or else the
/// first one, which has the most swap as the rows are sorted. One whose tasks do not stall is full of page cache.
fn at_limit(groups: &Rows, policy: &Policy) -> PressureCause {
    let number = |row: usize, column| groups.value(row, column).and_then(Value::number);
    let stalls = |row: usize| number(row, cgroups_id::SOME10).unwrap_or(0.0);
    let returns = |row: usize| number(row, cgroups_id::REFAULT_RATE).unwrap_or(0.0);
    let most = |a: &usize, b: &usize| {
        stalls(*a).total_cmp(&stalls(*b)).then_with(|| returns(*a).total_cmp(&returns(*b)))
    };
    let may_stall = |row: &usize| {
        number(*row, cgroups_id::SOME10).is_none_or(|share| share >= policy.pressure_some)
    };
    let full = (0..groups.cells.len())
        .filter(|row| number(*row, cgroups_id::LIMIT_USE) >= Some(AT_LIMIT))
        .filter(may_stall);
    match full.clone().rev().max_by(most) {
        Some(row) => PressureCause::AtLimit(row, full.count() - 1),
        None => PressureCause::Other("cgroup reclaim only; RAM is not short"),
    }
}

/// Says what zswap in front of the areas means for them; nothing if no zswap stands there.
pub fn describe_front(snapshot: &Snapshot) -> Option<String> {
    let front = compression::zswap_front(snapshot)?;
    let slots = if front.takes_slots {
        "Areas only give the slots for such pages, and get the data when zswap writes it back or rejects it."
    } else {
        "With virtual swap, such pages take slots of areas only when zswap writes them back or rejects them."
    };
    let takes = if front.is_on { "is on and takes pages first" } else { "is off" };
    let holds = match (&front.stored, &front.used) {
        (Reading::Known(stored), Reading::Known(_)) if !front.takes_slots => {
            format!("it holds {}", units::size(*stored))
        }
        (Reading::Known(stored), Reading::Known(used)) => {
            let percent = front
                .share()
                .known()
                .map_or_else(String::new, |share| format!(" ({})", units::percent(*share)));
            format!(
                "it holds {} of the {} in swap{percent}",
                units::size(*stored),
                units::size(*used)
            )
        }
        (Reading::Missing { missing }, _) | (_, Reading::Missing { missing }) => {
            format!("how much it holds is unknown: {}", missing.why())
        }
    };
    Some(format!("zswap {takes}; {holds}. {slots}"))
}
