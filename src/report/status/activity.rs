//! Sentences about what happens: state, traffic, readahead, pressure, folios and processes.

use super::{MOST, StatusPage};
use crate::advice;
use crate::columns::tables::{
    attribution, cgroups, devices, headroom, mthp, paging, pressure, processes, readahead, status,
};
use crate::columns::verdict::{PressureCause, ReadaheadVerdict};
use crate::columns::{Unit, Value, text};
use crate::derive::attribution::SwapBound;
use crate::derive::state::{self, SwapState};

/// Share of the used swap below which an unexplained rest is not told: processes and areas are read one after the other,
/// while pages move.
const NOTEWORTHY: f64 = 0.01;

impl StatusPage<'_> {
    /// The state in a word, and why.
    pub(super) fn state(&self) -> String {
        let state = state::state(&self.view, &self.policy);
        let word = state.word();
        if !self.has_swap() {
            return match self.failed(&devices::SPEC) {
                Some(why) => format!("{word}: {why}"),
                None => format!("{word}: no area is active"),
            };
        }
        let share = |id| self.cell(id, 0);
        let pressure = match state {
            SwapState::Thrashing => {
                let share = share(status::id::MEMORY_FULL);
                format!("PSI memory full {share} in the last 10s")
            }
            SwapState::Pressed | SwapState::AtCgroupLimit => format!(
                "PSI memory some {}, full {} in the last 10s",
                share(status::id::MEMORY_SOME),
                share(status::id::MEMORY_FULL)
            ),
            _ if self.failed(&pressure::SPEC).is_some() => "pressure unknown".to_owned(),
            SwapState::NoSwap
            | SwapState::Idle
            | SwapState::SwappingIn
            | SwapState::SwappingOut
            | SwapState::Swapping
            | SwapState::Unknown => String::new(),
        };
        let off = self.value(readahead::id::SWAPOFF_RUNNING, 0) == Some(&Value::Flag(true));
        let off = if off { "; a swapoff is running" } else { "" };
        // What the state follows from comes first.
        let parts = match (self.moved(), pressure) {
            (moved, pressure) if pressure.is_empty() => moved,
            (moved, pressure) if state.waits() => format!("{pressure}; {moved}"),
            (moved, pressure) => format!("{moved}; {pressure}"),
        };
        format!("{word}: {parts}{off}")
    }

    /// The changes that were interrupted.
    pub(super) fn interrupted(&self) -> Option<String> {
        let found = advice::interrupted_changes(&self.view);
        let fix = found.first()?.fix.clone()?;
        let changes: Vec<_> = found.into_iter().map(|finding| finding.summary).collect();
        Some(format!("{}; to repair: {fix}", changes.join("; ")))
    }

    /// The cause of memory pressure.
    pub(super) fn cause(&self) -> Option<String> {
        let state = state::state(&self.view, &self.policy);
        let tables = [&paging::SPEC, &cgroups::SPEC, &headroom::SPEC].map(|spec| self.rows(spec));
        let cause = PressureCause::diagnose(state, tables, &self.policy)?;
        let ((row, others), likely, end) = match cause {
            PressureCause::AtLimit(row, others) => ((row, others), "", "; RAM is not short"),
            PressureCause::LikelyAtLimit(row, others) => ((row, others), "likely: ", ""),
            PressureCause::Other(words) => return Some(words.to_owned()),
        };
        let others = match others {
            0 => String::new(),
            others => format!(" (other cgroups at their limits: {others})"),
        };
        let (path, limit) = (self.cell(cgroups::id::PATH, row), self.cell(cgroups::id::LIMIT, row));
        Some(format!("{likely}cgroup {path} is at its limit of {limit}{others}{end}"))
    }

    /// Swap traffic between the samples.
    fn moved(&self) -> String {
        let rate = |id| self.number(id, 0);
        let moved = rate(status::id::IN_RATE).zip(rate(status::id::OUT_RATE));
        let Some(seconds) = self.view.seconds() else {
            return "swap rates need two samples".to_owned();
        };
        let directions = match moved {
            None => {
                let rates = [status::id::IN_RATE, status::id::OUT_RATE];
                let why = rates.iter().find_map(|id| self.value(*id, 0)?.missing());
                let why = why.map_or_else(String::new, |why| format!(" ({})", why.why()));
                return format!("swap traffic unknown{why}");
            }
            Some((0.0, 0.0)) => "no swap traffic",
            Some((_, 0.0)) => "swap-in only",
            Some((0.0, _)) => "swap-out only",
            Some(_) => "swap-in and swap-out",
        };
        format!("{directions} in the last {seconds:.1}s")
    }

    pub(super) fn traffic(&self) -> String {
        let cell = |id| self.cell(id, 0);
        if self.view.before.is_none() {
            return format!(
                "since boot: in {}, out {}",
                cell(paging::id::IN_SINCE_BOOT),
                cell(paging::id::OUT_SINCE_BOOT)
            );
        }
        let direct = match self.value(paging::id::DIRECT_SHARE, 0) {
            Some(Value::Real(_)) => {
                format!("; direct reclaim {}", cell(paging::id::DIRECT_SHARE))
            }
            _ => String::new(),
        };
        let rate = |words: &str, id| match self.value(id, 0).and_then(Value::missing) {
            Some(_) => format!("{words} unknown"),
            None => format!("{words} {}/s", cell(id)),
        };
        format!(
            "{}, {}; {}, {}{direct}",
            rate("in", paging::id::IN_RATE),
            rate("out", paging::id::OUT_RATE),
            rate("major faults", paging::id::MAJOR_FAULT_RATE),
            rate("refaults", paging::id::REFAULT_RATE),
        )
    }

    pub(super) fn readahead(&self) -> String {
        let cell = |id| self.cell(id, 0);
        let areas = self.number(status::id::AREAS, 0);
        let verdict = ReadaheadVerdict::judge(self.rows(&readahead::SPEC), areas, &self.policy);
        let how = match verdict {
            ReadaheadVerdict::NoSwap | ReadaheadVerdict::Off | ReadaheadVerdict::NotNeeded => {
                return verdict.word().to_owned();
            }
            ReadaheadVerdict::Idle | ReadaheadVerdict::TooFew | ReadaheadVerdict::Unknown => {
                let boot = self.number(readahead::id::HIT_RATE_BOOT, 0);
                boot.map_or_else(String::new, |_| {
                    format!("; hit rate since boot {}", cell(readahead::id::HIT_RATE_BOOT))
                })
            }
            ReadaheadVerdict::Wasteful | ReadaheadVerdict::Worthwhile => format!(
                "; hit rate {}, {}/s wasted, window {} pages",
                cell(readahead::id::HIT_RATE),
                cell(readahead::id::WASTED_RATE),
                cell(readahead::id::WINDOW)
            ),
        };
        if self.value(readahead::id::MODE, 0).and_then(Value::missing).is_some() {
            return format!("{}{how}", verdict.word());
        }
        let (mode, limit) = (cell(readahead::id::MODE), cell(readahead::id::WINDOW_LIMIT));
        if verdict == ReadaheadVerdict::Unknown {
            return format!("{mode}, up to {limit} pages; hit rate unknown{how}");
        }
        format!("{}; {mode}, up to {limit} pages{how}", verdict.word())
    }

    pub(super) fn pressure(&self) -> String {
        if let Some(why) = self.failed(&pressure::SPEC) {
            return why;
        }
        let cell = |resource, kind| match self.pressure_of(resource, kind) {
            Some(value) => value.human(Unit::Share, false),
            None => "-".to_owned(),
        };
        let both = |resource| {
            format!("{resource}: some {}, full {}", cell(resource, "some"), cell(resource, "full"))
        };
        format!("{}; {} (last 10s)", both("memory"), both("io"))
    }

    /// Folio sizes of which some were split.
    pub(super) fn folios(&self) -> Option<String> {
        let rows = self.rows(&mthp::SPEC)?;
        let word = |row: usize| {
            let split = self.value(mthp::id::SWPOUT_FALLBACK, row)?.number()?;
            let cell = |id| self.cell(id, row);
            (split > 0.0).then(|| format!("{} {}", cell(mthp::id::SIZE), cell(mthp::id::FAIL_RATE)))
        };
        let words: Vec<String> = (0..rows.cells.len()).filter_map(word).collect();
        (!words.is_empty())
            .then(|| format!("split before swap-out since boot: {}", words.join(", ")))
    }

    fn unexplained_share(&self) -> f64 {
        let share = self.value(attribution::id::UNEXPLAINED_SHARE, 0).and_then(Value::number);
        share.unwrap_or(1.0)
    }

    pub(super) fn processes(&self) -> String {
        let Some(rows) = self.rows(&processes::SPEC) else {
            return self.failed(&processes::SPEC).unwrap_or_default();
        };
        let unexplained = match self.value(attribution::id::UNEXPLAINED, 0) {
            Some(Value::Whole(0)) | None => String::new(),
            Some(Value::Whole(_)) if self.unexplained_share() < NOTEWORTHY => String::new(),
            Some(Value::Missing(why)) => {
                format!("; the rest of the used swap is unknown: {}", why.why())
            }
            Some(_) => {
                let rest = match self.value(attribution::id::UNEXPLAINED_MIN, 0) {
                    // All of it may be pages in the swap cache, which has no owner, or shared memory.
                    Some(Value::Whole(0) | Value::Missing(_)) | None => {
                        format!("up to {}", self.cell(attribution::id::UNEXPLAINED, 0))
                    }
                    Some(_) => {
                        format!("at least {}", self.cell(attribution::id::UNEXPLAINED_MIN, 0))
                    }
                };
                format!(
                    "; {rest} of the used swap is not explained by processes and tmpfs: see swapadm report attribution"
                )
            }
        };
        if rows.cells.is_empty() {
            return format!("no process has private pages in swap{unexplained}");
        }
        let program = |row| {
            let command = self.cell(processes::id::COMMAND, row);
            let program = command.split(' ').next().unwrap_or_default();
            program.rsplit('/').next().unwrap_or(program).to_owned()
        };
        let shown = 0..rows.cells.len().min(MOST);
        let word = |row| {
            let name = program(row);
            let is_named_twice = shown.clone().any(|other| other != row && program(other) == name);
            let pid = format!(" (PID {})", self.cell(processes::id::PID, row));
            let pid = if is_named_twice { pid } else { String::new() };
            let most = SwapBound::Most.word();
            let most = if self.cell(processes::id::BOUND, row) == most { " at most" } else { "" };
            format!("{}{pid}{most} {}", text::clip(&name, 20), self.cell(processes::id::USES, row))
        };
        let words: Vec<String> = shown.clone().map(word).collect();
        let more = match rows.cells.len() {
            all if all > MOST => format!(" and {} more", all - MOST),
            _ => String::new(),
        };
        format!("{}{more}{unexplained}", words.join(", "))
    }

    fn pressure_of(&self, resource: &str, kind: &str) -> Option<&Value> {
        let rows = self.rows(&pressure::SPEC)?;
        let is = |row: usize, id, word: &str| {
            self.value(id, row).is_some_and(|value| value.plain() == word)
        };
        let row = (0..rows.cells.len()).find(|row| {
            is(*row, pressure::id::RESOURCE, resource) && is(*row, pressure::id::KIND, kind)
        })?;
        self.value(pressure::id::AVG10, row)
    }
}
