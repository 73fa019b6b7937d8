//! `status`: the one-page answer to "how is my swap?".
//!
//! Every figure is a cell of some table, so this page cannot disagree with the reports; only the
//! sentences are made here.

use super::table::{self, Look};
use crate::columns::verdict::{Cause, Readahead};
use crate::columns::{Query, Request, Rows, Unit, Value, tables, text, units};
use crate::derive::View;
use crate::derive::state::{self, State};
use crate::model::name::safe_text;
use crate::model::{PartSet, Policy, Reading};

/// The tables that the page is made of, with the columns it takes.
const USED: &[(&str, &str)] = &[
    ("status", "all"),
    ("kernel", "hostname,release,uptime"),
    ("headroom", "all"),
    ("zram", "name,data,memory,memory_ratio"),
    ("zswap", "enabled,pool,stored,ratio,fill"),
    ("paging", "in_rate,out_rate,major_faults,direct_share,refaults,reclaimer,in_boot,out_boot"),
    (
        "readahead",
        "mode,only_zram,limit,ahead_rate,success,wasted_rate,window,success_boot,swapoff",
    ),
    ("pressure", "resource,kind,avg10"),
    ("mthp", "size,fail_rate,swpout_fallback"),
    ("processes", "command,swap"),
    ("attribution", "used,unexplained,unreadable"),
    ("devices", "name,kind,priority,size,used,use,in_rate,out_rate"),
    ("groups", "priority,areas,skew"),
    ("cgroups", "path,swap,limit,limit_use"),
];

/// Most processes and priorities named.
const MOST: usize = 4;

/// All that the page is made of.
pub struct Page<'v> {
    view: View<'v>,
    tables: Vec<(&'static str, Reading<Rows>)>,
}

/// The queries behind the page.
///
/// # Errors
/// Never, unless a table lost a column that the page takes; a test guards that.
pub fn queries() -> Result<Vec<Query>, String> {
    let query = |(table, columns): &(&str, &str)| {
        let spec = tables::find(table).ok_or_else(|| format!("there is no table {table}"))?;
        let columns = Some((*columns).to_owned());
        Query::new(spec, &Request { columns, two: true, ..Request::default() })
    };
    USED.iter().map(query).collect()
}

/// The parts that have to be sampled.
pub fn needs(queries: &[Query]) -> PartSet {
    queries.iter().fold(PartSet::NONE, |needs, query| needs.with(query.needs()))
}

impl<'v> Page<'v> {
    /// Ask all questions.
    pub fn new(view: View<'v>, queries: &[Query]) -> Self {
        let ask = |query: &Query| (query.spec.name, query.rows(&view));
        Self { view, tables: queries.iter().map(ask).collect() }
    }

    /// The page, line by line.
    pub fn lines(&self, look: Look) -> Vec<String> {
        let width = look.width.unwrap_or(80);
        let mut lines = vec![self.title(), String::new()];
        for (head, sentence) in self.sentences() {
            let wrapped = text::wrap(&sentence, width.saturating_sub(11).max(20));
            let heads = std::iter::once(head).chain(std::iter::repeat(""));
            lines.extend(wrapped.iter().zip(heads).map(|(line, head)| format!("{head:<11}{line}")));
        }
        if let Some(devices) = self.rows("devices").filter(|devices| !devices.cells.is_empty()) {
            lines.push(String::new());
            lines.extend(table::lines(devices, look));
        }
        lines.into_iter().map(|line| text::clip(&line, width)).collect()
    }

    fn title(&self) -> String {
        let cell = |id| self.cell("kernel", 0, id);
        let (name, release, up) = (cell("hostname"), cell("release"), cell("uptime"));
        let machine = format!("{name}  kernel {release}  up {up}");
        // A captured tree that does not say when it was taken is of no date.
        match self.view.now.stamp.wall_ms {
            0 => machine,
            wall_ms => {
                let taken = crate::model::text::date(wall_ms);
                let seconds = taken.split('.').next().unwrap_or_default();
                format!("{machine}  {seconds}Z")
            }
        }
    }

    fn sentences(&self) -> Vec<(&'static str, String)> {
        let mut sentences =
            vec![("State", self.state()), ("Memory", self.memory()), ("Swap", self.swap())];
        let cause = self.cause().map(|cause| ("Cause", cause));
        sentences.splice(1..1, cause);
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

    /// One word for how it is, and why.
    fn state(&self) -> String {
        let state = state::state(&self.view);
        let word = state.words();
        if !self.has_swap() {
            return match self.failed("devices") {
                Some(why) => format!("{word}: {why}"),
                None => format!("{word}: no area is active"),
            };
        }
        let share = |id| self.cell("status", 0, id);
        let waits = match state {
            State::Thrashing => {
                let share = share("memory_full");
                format!("; in {share} of the last 10s no task could go on for want of memory")
            }
            State::Pressed => {
                format!("; in {} of the last 10s a task waited for memory", share("memory_some"))
            }
            _ if self.failed("pressure").is_some() => "; pressure is not known here".to_owned(),
            State::NoSwap | State::Quiet | State::Working | State::Unknown => String::new(),
        };
        let off = self.value("readahead", 0, "swapoff") == Some(&Value::Flag(true));
        let off = if off { "; a swapoff is running" } else { "" };
        format!("{word}: {}{waits}{off}", self.moved())
    }

    /// Who is short of memory where tasks wait for it.
    fn cause(&self) -> Option<String> {
        if !state::state(&self.view).waits() {
            return None;
        }
        let (row, others) = match Cause::of(self.rows("paging"), self.rows("cgroups"))? {
            Cause::AtLimit(row, others) => (row, others),
            Cause::Other(words) => return Some(words.to_owned()),
        };
        let others = match others {
            0 => String::new(),
            others => format!(" and {others} more at theirs"),
        };
        let (path, limit) = (self.cell("cgroups", row, "path"), self.cell("cgroups", row, "limit"));
        Some(format!("cgroup {path} is at its limit of {limit}{others}; RAM is not short"))
    }

    /// What was swapped between the samples.
    fn moved(&self) -> String {
        let rate = |id| self.value("status", 0, id).and_then(Value::number);
        let moved = rate("in_rate").zip(rate("out_rate"));
        let Some(seconds) = self.view.seconds() else {
            return "one sample does not tell what is swapped now".to_owned();
        };
        let ways = match moved {
            None => return "what was swapped is not known".to_owned(),
            Some((0.0, 0.0)) => "nothing was swapped in or out",
            Some((_, 0.0)) => "pages came in from swap and none went out",
            Some((0.0, _)) => "pages went out to swap and none came in",
            Some(_) => "pages went out to swap and came in again",
        };
        format!("{ways} in the last {seconds:.1}s")
    }

    fn memory(&self) -> String {
        let cell = |id| self.cell("headroom", 0, id);
        format!("{}, {} available", cell("mem_total"), cell("mem_available"))
    }

    fn swap(&self) -> String {
        let cell = |id| self.cell("headroom", 0, id);
        // Without the list of areas the sum is known all the same.
        if self.rows("devices").is_some_and(|rows| rows.cells.is_empty()) {
            return "none".to_owned();
        }
        let number = |id| self.value("headroom", 0, id).and_then(Value::number);
        let share = match number("swap_used").zip(number("swap_total")) {
            Some((used, total)) if total > 0.0 => {
                format!(" ({})", units::percent(used / total))
            }
            _ => String::new(),
        };
        let (total, used, free) = (cell("swap_total"), cell("swap_used"), cell("swap_free"));
        let cached = match number("swap_cached") {
            Some(cached) if cached > 0.0 => {
                format!("; {} of it in memory too", cell("swap_cached"))
            }
            _ => String::new(),
        };
        format!("{total}, {used} used{share}, {free} free{cached}")
    }

    fn zram(&self) -> Option<String> {
        let rows = self.rows("zram")?;
        let stored = |row: &usize| {
            let data = self.value("zram", *row, "data").and_then(Value::number);
            data.is_some_and(|data| data > 0.0)
        };
        let named: Vec<usize> = (0..rows.cells.len()).filter(stored).collect();
        let word = |row: &usize| {
            let cell = |id| self.cell("zram", *row, id);
            format!(
                "{} keeps {} in {} ({} to 1)",
                cell("name"),
                cell("data"),
                cell("memory"),
                cell("memory_ratio")
            )
        };
        let mut words: Vec<String> = named.iter().take(MOST).map(word).collect();
        if named.len() > MOST {
            words.push(format!("{} more", named.len() - MOST));
        }
        if words.is_empty() {
            return None;
        }
        let filling = self.value("headroom", 0, "zram_free").and_then(Value::number);
        words = vec![words.join(", ")];
        words.extend(filling.map(|_| self.filling()));
        Some(words.join("; "))
    }

    /// What filling the free zram would take, and what limits do not let it take.
    fn filling(&self) -> String {
        let cell = |id| self.cell("headroom", 0, id);
        let number = |id| self.value("headroom", 0, id).and_then(Value::number);
        let (free, beyond, cost) = (cell("zram_free"), cell("zram_beyond"), cell("zram_cost"));
        match number("zram_beyond").filter(|beyond| *beyond > 0.0) {
            None => format!("filling the free {free} would take {cost} of memory"),
            beyond if beyond == number("zram_free") => {
                format!(
                    "its limit refuses all of the free {free}, and what is to go there stays in memory"
                )
            }
            Some(_) => format!(
                "its limit refuses {beyond} of the free {free}; filling the rest would take {cost} of memory"
            ),
        }
    }

    fn zswap(&self) -> Option<String> {
        let cell = |id| self.cell("zswap", 0, id);
        let stored = self.value("zswap", 0, "stored").and_then(Value::number);
        let enabled = self.value("zswap", 0, "enabled")?.number()?;
        let on = if enabled > 0.0 { "on" } else { "off" };
        Some(match stored {
            Some(stored) if stored > 0.0 => format!(
                "{on}, keeps {} in {} ({} to 1), {} of its limit",
                cell("stored"),
                cell("pool"),
                cell("ratio"),
                cell("fill")
            ),
            Some(_) => format!("{on}, keeps nothing"),
            None if enabled > 0.0 => format!("{on}, what it keeps is not known"),
            None => on.to_owned(),
        })
    }

    fn traffic(&self) -> String {
        let cell = |id| self.cell("paging", 0, id);
        if self.view.before.is_none() {
            return format!("since boot in {}, out {}", cell("in_boot"), cell("out_boot"));
        }
        let direct = match self.value("paging", 0, "direct_share") {
            Some(Value::Real(_)) => format!("; tasks reclaim {} themselves", cell("direct_share")),
            _ => String::new(),
        };
        format!(
            "in {}/s, out {}/s; major faults {}/s, early refaults {}/s{direct}",
            cell("in_rate"),
            cell("out_rate"),
            cell("major_faults"),
            cell("refaults"),
        )
    }

    fn readahead(&self) -> String {
        let cell = |id| self.cell("readahead", 0, id);
        let areas = self.value("status", 0, "areas").and_then(Value::number);
        let low = Policy::DEFAULT.readahead_low;
        let verdict = Readahead::of(self.rows("readahead"), areas, low);
        let how = match verdict {
            Readahead::NoSwap | Readahead::Off | Readahead::NotNeeded => {
                return verdict.words().to_owned();
            }
            Readahead::Nothing | Readahead::Unknown => {
                let boot = self.value("readahead", 0, "success_boot").and_then(Value::number);
                boot.map_or_else(String::new, |_| {
                    format!("; success since boot {}", cell("success_boot"))
                })
            }
            Readahead::Wastes | Readahead::Pays => format!(
                "; success {}, {}/s wasted, window {} pages",
                cell("success"),
                cell("wasted_rate"),
                cell("window")
            ),
        };
        format!("{}; {}, up to {} pages{how}", verdict.words(), cell("mode"), cell("limit"))
    }

    fn pressure(&self) -> String {
        if let Some(why) = self.failed("pressure") {
            return why;
        }
        let cell = |resource, kind| match self.pressure_of(resource, kind) {
            Some(value) => value.human(Unit::Share, false),
            None => "-".to_owned(),
        };
        let both = |resource| {
            format!("{resource}: some {}, full {}", cell(resource, "some"), cell(resource, "full"))
        };
        format!("{}; {} (of the last 10s)", both("memory"), both("io"))
    }

    /// Only sizes of which some were split: others need no word.
    fn folios(&self) -> Option<String> {
        let rows = self.rows("mthp")?;
        let word = |row: usize| {
            let split = self.value("mthp", row, "swpout_fallback")?.number()?;
            let cell = |id| self.cell("mthp", row, id);
            (split > 0.0).then(|| format!("{} {}", cell("size"), cell("fail_rate")))
        };
        let words: Vec<String> = (0..rows.cells.len()).filter_map(word).collect();
        (!words.is_empty())
            .then(|| format!("split instead of swapped whole, since boot: {}", words.join(", ")))
    }

    fn processes(&self) -> String {
        let Some(rows) = self.rows("processes") else {
            return self.failed("processes").unwrap_or_default();
        };
        let unexplained = match self.value("attribution", 0, "unexplained") {
            Some(Value::Whole(0)) | None => String::new(),
            Some(_) => {
                let rest = self.cell("attribution", 0, "unexplained");
                format!("; {rest} of the used swap is unexplained by processes and tmpfs")
            }
        };
        if rows.cells.is_empty() {
            return format!("none has private pages in swap{unexplained}");
        }
        let word = |row| {
            let command = self.cell("processes", row, "command");
            let program = command.split(' ').next().unwrap_or_default();
            let program = program.rsplit('/').next().unwrap_or(program);
            format!("{} {}", text::clip(program, 20), self.cell("processes", row, "swap"))
        };
        let words: Vec<String> = (0..rows.cells.len().min(MOST)).map(word).collect();
        let more = match rows.cells.len() {
            all if all > MOST => format!(" and {} more", all - MOST),
            _ => String::new(),
        };
        format!("{}{more}{unexplained}", words.join(", "))
    }

    fn balance(&self) -> Option<String> {
        let rows = self.rows("groups")?;
        let word = |row: usize| {
            let skew = self.value("groups", row, "skew")?;
            skew.number()?;
            let cell = |id| self.cell("groups", row, id);
            Some(format!(
                "priority {}: {} areas, skew {}",
                cell("priority"),
                cell("areas"),
                cell("skew")
            ))
        };
        let words: Vec<String> = (0..rows.cells.len()).filter_map(word).take(MOST).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }

    fn has_swap(&self) -> bool {
        self.rows("devices").is_some_and(|rows| !rows.cells.is_empty())
    }

    fn pressure_of(&self, resource: &str, kind: &str) -> Option<&Value> {
        let rows = self.rows("pressure")?;
        let is = |row: usize, id, word: &str| {
            self.value("pressure", row, id).is_some_and(|value| value.plain() == word)
        };
        let row = (0..rows.cells.len())
            .find(|row| is(*row, "resource", resource) && is(*row, "kind", kind))?;
        self.value("pressure", row, "avg10")
    }

    fn table(&self, name: &str) -> Option<&Reading<Rows>> {
        self.tables.iter().find(|(table, _)| *table == name).map(|(_, rows)| rows)
    }

    fn rows(&self, name: &str) -> Option<&Rows> {
        self.table(name)?.known()
    }

    fn failed(&self, name: &str) -> Option<String> {
        self.table(name)?.missing().map(|missing| safe_text(&missing.to_string()))
    }

    fn value(&self, table: &str, row: usize, id: &str) -> Option<&Value> {
        self.rows(table)?.value(row, id)
    }

    fn cell(&self, table: &str, row: usize, id: &str) -> String {
        self.rows(table).map_or_else(|| "-".to_owned(), |rows| rows.text(row, id))
    }

    /// The tables behind the page, for JSON.
    pub fn into_tables(self) -> Vec<(&'static str, Reading<Rows>)> {
        self.tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_and_column_of_the_page_exists() {
        assert_eq!(queries().unwrap().len(), USED.len());
    }
}
