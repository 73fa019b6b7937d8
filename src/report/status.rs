//! `status`: one page on the state of swap.
//!
//! Every figure is a cell of a table, so this page always agrees with the reports; only the sentences are
//! written here.

mod activity;
mod areas;

use super::table::{self, TableOptions};
use crate::columns::tables::{
    attribution, cgroups, devices, groups, headroom, kernel, mthp, paging, pressure, processes,
    readahead, status, zram, zswap,
};
use crate::columns::{ColumnId, Query, Request, Rows, Spec, Value, text, units};
use crate::derive::SampleView;
use crate::model::{Policy, Reading};

/// A table and some of its columns.
macro_rules! columns {
    ($table:ident: $($column:ident)*) => { (&$table::SPEC, &[$($table::id::$column),*]) };
}

/// The tables behind the page with their columns; an empty list means all.
static USED: &[(&Spec, &[ColumnId])] = &[
    columns!(status:),
    columns!(kernel: HOSTNAME RELEASE UPTIME),
    columns!(headroom:),
    columns!(zram: NAME DATA MEMORY MEMORY_RATIO AGE SAME ORIG SWAP_USED WRITTEN_BACK),
    columns!(zswap: ENABLED POOL STORED RATIO FILL USED_SHARE),
    columns!(paging: IN_RATE OUT_RATE MAJOR_FAULT_RATE DIRECT_SHARE REFAULT_RATE RECLAIMER STEAL_CGROUPS IN_SINCE_BOOT OUT_SINCE_BOOT),
    columns!(readahead: MODE ONLY_ZRAM WINDOW_LIMIT AHEAD_RATE HIT_RATE SHARE_OF_READS WASTED_RATE WINDOW HIT_RATE_BOOT SWAPOFF_RUNNING),
    columns!(pressure: RESOURCE KIND AVG10),
    columns!(mthp: SIZE FAIL_RATE SWPOUT_FALLBACK),
    columns!(processes: COMMAND PID USES BOUND),
    columns!(attribution: USED UNEXPLAINED UNEXPLAINED_MIN UNEXPLAINED_SHARE UNREADABLE),
    columns!(devices: NAME KIND PRIORITY SIZE USED USE IN_RATE OUT_RATE),
    columns!(groups: PRIORITY AREAS IMBALANCE BALANCE STATE),
    columns!(cgroups: PATH SWAP LIMIT LIMIT_USE SOME10 REFAULT_RATE),
];

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
        // A cgroup without swap can be the one at its limit.
        let filter =
            (spec.name == cgroups::SPEC.name).then(|| "swap>0 | limit_use>=95%".to_owned());
        Query::new(spec, &Request { columns, filter, two_samples: true, ..Request::default() })
    };
    USED.iter().map(query).collect()
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
        let mut lines = text::wrap_parts(self.title(), "  ", width);
        lines.push(String::new());
        for (head, sentence) in self.sentences() {
            lines.extend(text::heading_and_text(head, &sentence, (11, width.max(31))));
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
            parts.push(units::date_to_second(self.view.now.stamp.wall_ms));
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
        let number = |id| self.number(id, 0);
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

    fn has_swap(&self) -> bool {
        self.rows(&devices::SPEC).is_some_and(|rows| !rows.cells.is_empty())
    }

    fn table(&self, name: &str) -> Option<&Reading<Rows>> {
        self.tables.iter().find(|(spec, _)| spec.name == name).map(|(_, rows)| rows)
    }

    fn rows(&self, spec: &Spec) -> Option<&Rows> {
        self.table(spec.name)?.known()
    }

    fn failed(&self, spec: &Spec) -> Option<String> {
        self.table(spec.name)?.missing().map(ToString::to_string)
    }

    fn value(&self, column: ColumnId, row: usize) -> Option<&Value> {
        self.table(column.table)?.known()?.value(row, column)
    }

    /// The value of a column as a number, if it is known.
    fn number(&self, column: ColumnId, row: usize) -> Option<f64> {
        self.value(column, row).and_then(Value::number)
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
        // The limit is longer on a busy machine.
        let said = zram_sentence(&late);
        let start =
            "memory use of zram0 is unknown (/sys/block/zram0/mm_stat did not answer within ";
        let why = " ms: the kernel blocks the read, as during writeback or recompression of zram, or on a failed disk), memory use of zram1 is unknown";
        assert!(said.starts_with(start) && said.contains(why), "{said}");
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
