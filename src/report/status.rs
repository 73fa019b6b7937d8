//! `status`: one page on the state of swap.
//!
//! Every figure is a cell of a table, so this page always agrees with the reports; only the sentences are
//! written here.

use super::table::{self, TableOptions};
use crate::advice;
use crate::columns::tables::{
    attribution, cgroups, devices, groups, headroom, kernel, mthp, paging, pressure, processes,
    readahead, status, zram, zswap,
};
use crate::columns::verdict::{PressureCause, ReadaheadVerdict};
use crate::columns::{ColumnId, Query, Request, Rows, Spec, Unit, Value, text, units};
use crate::derive::SampleView;
use crate::derive::attribution::SwapBound;
use crate::derive::selection::policy;
use crate::derive::state::{self, SwapState};
use crate::model::name::safe_text;
use crate::model::{Missing, PartSet, Policy, Reading};

/// A table and some of its columns.
macro_rules! columns {
    ($table:ident: $($column:ident)*) => { (&$table::SPEC, &[$($table::id::$column),*]) };
}

/// The tables behind the page with their columns; an empty list means all.
static USED: &[(&Spec, &[ColumnId])] = &[
    columns!(status:),
    columns!(kernel: HOSTNAME RELEASE UPTIME),
    columns!(headroom:),
    columns!(zram: NAME DATA MEMORY MEMORY_RATIO AGE SAME ORIG SWAP_USED),
    columns!(zswap: ENABLED POOL STORED RATIO FILL USED_SHARE),
    columns!(paging: IN_RATE OUT_RATE MAJOR_FAULTS DIRECT_SHARE REFAULTS RECLAIMER IN_SINCE_BOOT OUT_SINCE_BOOT),
    columns!(readahead: MODE ONLY_ZRAM WINDOW_LIMIT AHEAD_RATE HIT_RATE WASTED_RATE WINDOW HIT_RATE_BOOT SWAPOFF_RUNNING),
    columns!(pressure: RESOURCE KIND AVG10),
    columns!(mthp: SIZE FAIL_RATE SWPOUT_FALLBACK),
    columns!(processes: COMMAND PID USES BOUND),
    columns!(attribution: USED UNEXPLAINED UNREADABLE),
    columns!(devices: NAME KIND PRIORITY SIZE USED USE IN_RATE OUT_RATE),
    columns!(groups: PRIORITY AREAS IMBALANCE BALANCE STATE),
    columns!(cgroups: PATH SWAP LIMIT LIMIT_USE),
];

/// Bytes from which memory that zram saves entirely is mentioned.
const SMALL: f64 = 1_048_576.0;
/// The first kernel release that keeps zero-filled pages in a map of its own.
const ZERO_MAP: (u32, u32) = (6, 12);
/// Most processes and priority groups to name.
const MOST: usize = 4;

/// The page and the tables behind it.
pub struct StatusPage<'v> {
    view: SampleView<'v>,
    policy: Policy,
    tables: Vec<(&'static Spec, Reading<Rows>)>,
}

/// The queries behind the page. A test ensures that all columns exist, so they never fail.
pub fn queries() -> Result<Vec<Query>, String> {
    let query = |(spec, columns): &(&'static Spec, &[ColumnId])| {
        let names: Vec<&str> = columns.iter().map(|column| column.id).collect();
        let columns = Some(if names.is_empty() { "all".to_owned() } else { names.join(",") });
        Query::new(spec, &Request { columns, two: true, ..Request::default() })
    };
    USED.iter().map(query).collect()
}

/// The parts to sample.
pub fn needs(queries: &[Query]) -> PartSet {
    queries.iter().fold(PartSet::NONE, |needs, query| needs.with(query.needs()))
}

impl<'v> StatusPage<'v> {
    /// Runs the queries.
    pub fn new(view: SampleView<'v>, queries: &[Query], policy: Policy) -> Self {
        let ask = |query: &Query| (query.spec, query.rows_with_policy(&view, &policy));
        Self { view, tables: queries.iter().map(ask).collect(), policy }
    }

    /// The lines of the page.
    pub fn lines(&self, options: TableOptions) -> Vec<String> {
        let width = options.width.unwrap_or(80);
        let mut lines = text::wrap_parts(&self.title(), "  ", width);
        lines.push(String::new());
        for (head, sentence) in self.sentences() {
            let wrapped = text::wrap(&sentence, width.saturating_sub(11).max(20));
            let heads = std::iter::once(head).chain(std::iter::repeat(""));
            lines.extend(wrapped.iter().zip(heads).map(|(line, head)| format!("{head:<11}{line}")));
        }
        if let Some(devices) = self.rows(&devices::SPEC).filter(|devices| !devices.cells.is_empty())
        {
            lines.push(String::new());
            // Columns that do not fit are left out, although this page names all of them.
            let devices = Rows { named: vec![false; devices.infos.len()], ..devices.clone() };
            lines.extend(table::lines(&devices, options));
        }
        lines
    }

    fn title(&self) -> Vec<String> {
        let cell = |id| self.cell(id, 0);
        let (release, up) = (cell(kernel::id::RELEASE), cell(kernel::id::UPTIME));
        let is_unnamed =
            self.value(kernel::id::HOSTNAME, 0).is_none_or(|it| it.missing().is_some());
        let name =
            if is_unnamed { "host name unknown".to_owned() } else { cell(kernel::id::HOSTNAME) };
        let mut parts = vec![name, format!("kernel {release}"), format!("up {up}")];
        // A captured tree without a time stamp has no date.
        if self.view.now.stamp.has_date() {
            let taken = crate::model::text::format_date(self.view.now.stamp.wall_ms);
            parts.push(format!("{}Z", taken.split('.').next().unwrap_or_default()));
        }
        parts
    }

    fn sentences(&self) -> Vec<(&'static str, String)> {
        let mut sentences =
            vec![("State", self.state()), ("Memory", self.memory()), ("Swap", self.swap())];
        let cause = self.cause().map(|cause| ("Cause", cause));
        sentences.splice(1..1, cause);
        sentences.splice(1..1, self.interrupted().map(|change| ("Change", change)));
        sentences.extend(self.zram().map(|zram| ("zram", zram)));
        sentences.extend(self.zswap().map(|zswap| ("zswap", zswap)));
        if self.has_swap() {
            sentences.push(("Traffic", self.traffic()));
            sentences.push(("Readahead", self.readahead()));
        }
        sentences.push(("Pressure", self.pressure()));
        sentences.extend(self.folios().map(|folios| ("Folios", folios)));
        if self.has_swap() {
            sentences.push(("Processes", self.processes()));
            sentences.extend(self.balance().map(|balance| ("Balance", balance)));
        }
        sentences
    }

    /// The state in a word, and why.
    fn state(&self) -> String {
        let state = state::state(&self.view, &self.policy);
        let word = state.words();
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
            SwapState::Pressed => format!(
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
    fn interrupted(&self) -> Option<String> {
        let found = advice::interrupted_changes(&self.view);
        let fix = found.first()?.fix.clone()?;
        let changes: Vec<_> = found.into_iter().map(|finding| finding.summary).collect();
        Some(format!("{}; to repair: {fix}", changes.join("; ")))
    }

    /// The cause of memory pressure.
    fn cause(&self) -> Option<String> {
        if !state::state(&self.view, &self.policy).waits() {
            return None;
        }
        let (row, others) =
            match PressureCause::diagnose(self.rows(&paging::SPEC), self.rows(&cgroups::SPEC))? {
                PressureCause::AtLimit(row, others) => (row, others),
                PressureCause::Other(words) => return Some(words.to_owned()),
            };
        let others = match others {
            0 => String::new(),
            others => format!(" (other cgroups at their limits: {others})"),
        };
        let (path, limit) = (self.cell(cgroups::id::PATH, row), self.cell(cgroups::id::LIMIT, row));
        Some(format!("cgroup {path} is at its limit of {limit}{others}; RAM is not short"))
    }

    /// Swap traffic between the samples.
    fn moved(&self) -> String {
        let rate = |id| self.value(id, 0).and_then(Value::number);
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

    fn memory(&self) -> String {
        let cell = |id| self.cell(id, 0);
        format!(
            "{}, {} available",
            cell(headroom::id::MEM_TOTAL),
            cell(headroom::id::MEM_AVAILABLE)
        )
    }

    fn swap(&self) -> String {
        let cell = |id| self.cell(id, 0);
        // Without the list of areas the totals are still known.
        if self.rows(&devices::SPEC).is_some_and(|rows| rows.cells.is_empty()) {
            return "none".to_owned();
        }
        let number = |id| self.value(id, 0).and_then(Value::number);
        let share = match number(headroom::id::SWAP_USED).zip(number(headroom::id::SWAP_TOTAL)) {
            Some((used, total)) if total > 0.0 => {
                format!(" ({})", units::percent(used / total))
            }
            _ => String::new(),
        };
        let (total, used, free) = (
            cell(headroom::id::SWAP_TOTAL),
            cell(headroom::id::SWAP_USED),
            cell(headroom::id::SWAP_FREE),
        );
        let cached = match number(headroom::id::SWAP_CACHED) {
            Some(cached) if cached > 0.0 => {
                format!("; {} in the swap cache", cell(headroom::id::SWAP_CACHED))
            }
            _ => String::new(),
        };
        format!("{total}, {used} used{share}, {free} free{cached}")
    }

    fn zram(&self) -> Option<String> {
        let rows = self.rows(&zram::SPEC)?;
        let unread = |row: usize| {
            let missing = self.value(zram::id::MEMORY, row)?.missing()?;
            if let Missing::Failed(why) = missing { Some(why.clone()) } else { None }
        };
        let stored = |row: &usize| {
            let data = self.value(zram::id::DATA, *row).and_then(Value::number);
            unread(*row).is_some() || data.is_some_and(|data| data > 0.0)
        };
        let named: Vec<usize> = (0..rows.cells.len()).filter(stored).collect();
        let word = |row: &usize| {
            let cell = |id| self.cell(id, *row);
            if let Some(why) = unread(*row) {
                return format!("{} is unknown ({why})", cell(zram::id::NAME));
            }
            let age = self.value(zram::id::AGE, *row).and_then(Value::number);
            let age = age.filter(|age| *age > 0.0).map(|_| format!("{} ago", cell(zram::id::AGE)));
            let details = [self.ratio(zram::id::MEMORY_RATIO, *row), age];
            format!(
                "{} stores {} in {}{}{}",
                cell(zram::id::NAME),
                cell(zram::id::DATA),
                cell(zram::id::MEMORY),
                in_parentheses(details),
                self.without_memory(*row)
            )
        };
        let mut words: Vec<String> = named.iter().take(MOST).map(word).collect();
        if named.len() > MOST {
            words.push(format!("{} more", named.len() - MOST));
        }
        if words.is_empty() {
            return None;
        }
        let filling = self.value(headroom::id::ZRAM_FREE, 0).and_then(Value::number);
        words = vec![words.join(", ")];
        words.extend(filling.map(|_| self.filling()));
        Some(words.join("; "))
    }

    /// The used part of a zram device that takes no memory: same-filled pages, and since 6.12 zero-filled pages,
    /// which never reach it. Small amounts are slots that CPUs hold.
    fn without_memory(&self, row: usize) -> String {
        let number = |id| self.value(id, row).and_then(Value::number);
        let same = number(zram::id::SAME).filter(|same| *same >= SMALL);
        let same = same.map(|_| format!("{} of same-filled pages", self.cell(zram::id::SAME, row)));
        let has_zero_map = policy::release(self.view.now).known().is_some_and(|it| *it >= ZERO_MAP);
        let zero = number(zram::id::SWAP_USED).zip(number(zram::id::ORIG));
        let zero = zero.map(|(used, orig)| used - orig).filter(|zero| *zero >= SMALL);
        let zero = zero.filter(|_| has_zero_map);
        let zero = zero.map(|zero| format!("{} of zero-filled pages", units::bytes(zero)));
        let parts: Vec<String> = same.into_iter().chain(zero).collect();
        if parts.is_empty() { String::new() } else { format!(" and {}", parts.join(" and ")) }
    }

    /// A compression ratio, if it is known.
    fn ratio(&self, column: ColumnId, row: usize) -> Option<String> {
        let known = self.value(column, row).and_then(Value::number);
        known.map(|_| format!("ratio {}", self.cell(column, row)))
    }

    /// The memory for filling zram, and the part that memory limits make unusable.
    fn filling(&self) -> String {
        let cell = |id| self.cell(id, 0);
        let number = |id| self.value(id, 0).and_then(Value::number);
        let (free, refused, cost) = (
            cell(headroom::id::ZRAM_FREE),
            cell(headroom::id::ZRAM_REFUSED),
            cell(headroom::id::ZRAM_FILL_MEMORY),
        );
        if number(headroom::id::ZRAM_FREE) == Some(0.0) {
            return "full".to_owned();
        }
        let unknown = self.value(headroom::id::ZRAM_FILL_MEMORY, 0).and_then(Value::missing);
        if let Some(why) = unknown {
            return format!(
                "unknown how much memory filling the free {free} would take: {}",
                why.why()
            );
        }
        match number(headroom::id::ZRAM_REFUSED).filter(|beyond| *beyond > 0.0) {
            None => format!("filling the free {free} would take {cost} of memory"),
            beyond if beyond == number(headroom::id::ZRAM_FREE) => {
                format!(
                    "its memory limit makes the free {free} unusable: pages sent there stay in memory"
                )
            }
            Some(_) => format!(
                "its memory limit makes {refused} of the free {free} unusable; filling the rest would take {cost} of memory"
            ),
        }
    }

    fn zswap(&self) -> Option<String> {
        let cell = |id| self.cell(id, 0);
        let stored = self.value(zswap::id::STORED, 0).and_then(Value::number);
        let enabled = self.value(zswap::id::ENABLED, 0)?.number()?;
        let on = if enabled > 0.0 { "on" } else { "off" };
        Some(match stored {
            Some(stored) if stored > 0.0 => format!(
                "{on}, stores {} in {}{}, {} of its limit; {} of the used swap is there and not on the areas",
                cell(zswap::id::STORED),
                cell(zswap::id::POOL),
                in_parentheses([self.ratio(zswap::id::RATIO, 0)]),
                cell(zswap::id::FILL),
                cell(zswap::id::USED_SHARE)
            ),
            Some(_) => format!("{on}, empty"),
            None if enabled > 0.0 => format!("{on}, contents unknown"),
            None => on.to_owned(),
        })
    }

    fn traffic(&self) -> String {
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
            rate("major faults", paging::id::MAJOR_FAULTS),
            rate("refaults", paging::id::REFAULTS),
        )
    }

    fn readahead(&self) -> String {
        let cell = |id| self.cell(id, 0);
        let areas = self.value(status::id::AREAS, 0).and_then(Value::number);
        let low = self.policy.readahead_low;
        let verdict = ReadaheadVerdict::judge(self.rows(&readahead::SPEC), areas, low);
        let how = match verdict {
            ReadaheadVerdict::NoSwap | ReadaheadVerdict::Off | ReadaheadVerdict::NotNeeded => {
                return verdict.describe().to_owned();
            }
            ReadaheadVerdict::Idle | ReadaheadVerdict::Unknown => {
                let boot = self.value(readahead::id::HIT_RATE_BOOT, 0).and_then(Value::number);
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
            return format!("{}{how}", verdict.describe());
        }
        let (mode, limit) = (cell(readahead::id::MODE), cell(readahead::id::WINDOW_LIMIT));
        if verdict == ReadaheadVerdict::Unknown {
            return format!("{mode}, up to {limit} pages; hit rate unknown{how}");
        }
        format!("{}; {mode}, up to {limit} pages{how}", verdict.describe())
    }

    fn pressure(&self) -> String {
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
    fn folios(&self) -> Option<String> {
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

    fn processes(&self) -> String {
        let Some(rows) = self.rows(&processes::SPEC) else {
            return self.failed(&processes::SPEC).unwrap_or_default();
        };
        let unexplained = match self.value(attribution::id::UNEXPLAINED, 0) {
            Some(Value::Whole(0)) | None => String::new(),
            Some(Value::Missing(why)) => {
                format!("; unknown how much is not explained: {}", why.why())
            }
            Some(_) => {
                let rest = self.cell(attribution::id::UNEXPLAINED, 0);
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
            let most = SwapBound::Most.words();
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

    fn balance(&self) -> Option<String> {
        let rows = self.rows(&groups::SPEC)?;
        let word = |row: usize| {
            let skew = self.value(groups::id::IMBALANCE, row)?;
            skew.number()?;
            let cell = |id| self.cell(id, row);
            Some(format!(
                "priority {}: {} areas, {} (imbalance {}{})",
                cell(groups::id::PRIORITY),
                cell(groups::id::AREAS),
                cell(groups::id::BALANCE),
                cell(groups::id::IMBALANCE),
                self.full_areas(&cell(groups::id::PRIORITY))
            ))
        };
        let count = rows.cells.len();
        let mut words: Vec<String> = (0..count).filter_map(word).take(MOST).collect();
        let areas = |row| self.value(groups::id::AREAS, row).and_then(Value::number);
        let is_single = (0..count).all(|row| areas(row) == Some(1.0));
        let state = |row| self.value(groups::id::STATE, row);
        // NUMA nodes may prefer their own areas: the state of a group is unknown then.
        let has_order = (0..count).all(|row| state(row).is_some_and(|it| it.missing().is_none()));
        if count > 1 && has_order {
            words.push(if is_single {
                format!("{count} areas of different priority fill one by one")
            } else {
                format!("the {count} priority groups fill one by one")
            });
        }
        (!words.is_empty()).then(|| words.join("; "))
    }

    /// The full areas of a group whose other areas have room: they are smaller.
    fn full_areas(&self, priority: &str) -> String {
        let count = self.rows(&devices::SPEC).map_or(0, |rows| rows.cells.len());
        let of_group = (0..count).filter(|row| self.cell(devices::id::PRIORITY, *row) == priority);
        let is_full = |row: &usize| {
            let used = self.value(devices::id::USE, *row).and_then(Value::number);
            used.is_some_and(|used| used >= 1.0)
        };
        let (full, open): (Vec<usize>, Vec<usize>) = of_group.partition(is_full);
        if full.is_empty() || open.is_empty() {
            return String::new();
        }
        let names: Vec<String> =
            full.iter().map(|row| self.cell(devices::id::NAME, *row)).collect();
        let verb =
            if names.len() == 1 { "is full: it is smaller" } else { "are full: they are smaller" };
        format!("; {} {verb}", names.join(", "))
    }

    fn has_swap(&self) -> bool {
        self.rows(&devices::SPEC).is_some_and(|rows| !rows.cells.is_empty())
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

    fn table(&self, name: &str) -> Option<&Reading<Rows>> {
        self.tables.iter().find(|(spec, _)| spec.name == name).map(|(_, rows)| rows)
    }

    fn rows(&self, spec: &Spec) -> Option<&Rows> {
        self.table(spec.name)?.known()
    }

    fn failed(&self, spec: &Spec) -> Option<String> {
        self.table(spec.name)?.missing().map(|missing| safe_text(&missing.to_string()))
    }

    fn value(&self, column: ColumnId, row: usize) -> Option<&Value> {
        self.table(column.table)?.known()?.value(row, column)
    }

    fn cell(&self, column: ColumnId, row: usize) -> String {
        let rows = self.table(column.table).and_then(Reading::known);
        rows.map_or_else(|| "-".to_owned(), |rows| rows.text(row, column))
    }

    /// The tables behind the page, for JSON.
    pub fn into_tables(self) -> Vec<(&'static Spec, Reading<Rows>)> {
        self.tables
    }
}

/// These details in parentheses, behind what they belong to; nothing if there are none.
fn in_parentheses(details: impl IntoIterator<Item = Option<String>>) -> String {
    let known: Vec<String> = details.into_iter().flatten().collect();
    if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::derive::sources;
    use crate::model::{Part, Snapshot, Stamp};
    use crate::probes;
    use crate::root::Root;
    use crate::root::testing::{TestTree, blocked_reader};

    /// The zram devices of a machine at this second after boot.
    fn zram_at(root: &Root, second: u64) -> Snapshot {
        let clock = Clock::at(Stamp { boot_ns: second * 1_000_000_000, wall_ms: 0 });
        probes::sample(root, &clock, zram::SPEC.needs)
    }

    fn zram_sentence(snapshot: &Snapshot) -> String {
        StatusPage::new(SampleView::single(snapshot), &queries().unwrap(), Policy::DEFAULT)
            .zram()
            .unwrap()
    }

    #[test]
    fn zram_devices_that_do_not_answer_stay_in_the_report() {
        let tree = TestTree::with(&[
            ("sys/block/zram9/disksize", "0\n"),
            ("machine.toml", "page_size = 4096\n"),
        ]);
        for number in 0..4 {
            for (file, text) in [
                ("compressed_writeback", "0"),
                ("size", "524288\n"),
                ("disksize", "268435456\n"),
                ("initstate", "1\n"),
                ("mm_stat", "188743680 47185920 47185920 0 47185920 0 0 0 0\n"),
            ] {
                tree.write(&format!("sys/block/zram{number}/{file}"), text);
            }
        }
        let mut late = zram_at(&tree.live().with_child_reader(blocked_reader()), 5);
        let devices = late.zram.reading.known().unwrap();
        let sizes: Vec<_> = devices.iter().map(|device| &device.disksize).collect();
        assert_eq!(sizes[..4], [&Reading::Known(crate::model::Bytes(268_435_456)); 4]);
        let rows = |snapshot: &Snapshot| {
            let query = Query::new(&zram::SPEC, &Request::default()).unwrap();
            query.rows(&SampleView::single(snapshot)).into_result().unwrap()
        };
        assert_eq!((rows(&late).cells.len(), rows(&late).hidden), (4, 1));
        let why = "zram0 is unknown (/sys/block/zram0/mm_stat did not answer within 50 ms: the kernel blocks the read, as during writeback or recompression), zram1 is unknown";
        assert!(zram_sentence(&late).starts_with(why), "{}", zram_sentence(&late));
        assert_eq!(sources::outcome(&late, Part::Zram).state(), "partly");
        let earlier = zram_at(&tree.root(), 2);
        assert!(zram_sentence(&earlier).starts_with("zram0 stores 180M in 45M (ratio 4), "));
        late.keep_zram(&earlier);
        let kept = zram_sentence(&late);
        assert!(kept.starts_with("zram0 stores 180M in 45M (ratio 4, 3s ago), "), "{kept}");
        assert_eq!(sources::outcome(&late, Part::Zram).state(), "partly");
    }

    #[test]
    fn every_table_and_column_of_the_page_exists() {
        assert_eq!(queries().unwrap().len(), USED.len());
    }
}
