//! What the figures of several columns come to, in words: said alike by the status page and the
//! interface.

use super::tables::cgroups::id as cgroups_id;
use super::tables::paging::id as paging_id;
use super::tables::readahead::id as readahead;
use super::{ColumnId, Rows, Value};
use crate::derive::cgroups::AT_LIMIT;

/// Does reading ahead pay?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadaheadVerdict {
    /// There is nothing to read from.
    NoSwap,
    /// It is turned off.
    Off,
    /// All is on zram, and nothing was read ahead.
    NotNeeded,
    /// Nothing was read ahead between the samples.
    Idle,
    /// Too few of the pages were used.
    Wasteful,
    /// Enough of them were.
    Worthwhile,
    /// It could not be read, or there is one sample only.
    Unknown,
}

impl ReadaheadVerdict {
    /// The verdict on a row of `readahead`, where there are so many areas, and where a smaller
    /// share of pages that were used than `low` is too few.
    pub fn judge(rows: Option<&Rows>, areas: Option<f64>, low: f64) -> Self {
        let number = |column: ColumnId| rows?.value(0, column).and_then(Value::number);
        let is_off = || rows.is_some_and(|rows| rows.text(0, readahead::MODE) == "off");
        match number(readahead::SUCCESS) {
            _ if areas == Some(0.0) => Self::NoSwap,
            _ if is_off() => Self::Off,
            Some(success) if success < low => Self::Wasteful,
            Some(_) => Self::Worthwhile,
            None if number(readahead::ONLY_ZRAM) == Some(1.0) => Self::NotNeeded,
            None if number(readahead::AHEAD_RATE) == Some(0.0) => Self::Idle,
            None => Self::Unknown,
        }
    }

    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::NoSwap => "no swap is active",
            Self::Off => "off: pages come in one at a time",
            Self::NotNeeded => "not needed: zram is read page by page",
            Self::Idle => "nothing is read ahead now",
            Self::Wasteful => "wastes",
            Self::Worthwhile => "pays",
            Self::Unknown => "not known for now",
        }
    }
}

/// Who is short of memory where tasks wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressureCause {
    /// The control group in this row of `cgroups` is at its limit, and so are so many others.
    AtLimit(usize, usize),
    /// Somebody without a name, in words.
    Other(&'static str),
}

impl PressureCause {
    /// The cause that `paging` and `cgroups` show, as far as the kernel tells. The groups stand by
    /// what they have in swap: the first that is at its limit has most.
    pub fn diagnose(paging: Option<&Rows>, cgroups: Option<&Rows>) -> Option<Self> {
        match paging?.text(0, paging_id::RECLAIMER).as_str() {
            "control groups" => cgroups.map(at_limit),
            "tasks" => Some(Self::Other("RAM is short: tasks have to free memory themselves")),
            "kswapd" => Some(Self::Other("RAM is short: kswapd has to free it")),
            _ => None,
        }
    }
}

fn at_limit(groups: &Rows) -> PressureCause {
    let used = |row: &usize| groups.value(*row, cgroups_id::LIMIT_USE).and_then(Value::number);
    let mut full = (0..groups.cells.len()).filter(|row| used(row) >= Some(AT_LIMIT));
    match full.next() {
        Some(row) => PressureCause::AtLimit(row, full.count()),
        None => PressureCause::Other("control groups free memory of theirs; RAM is not short"),
    }
}
