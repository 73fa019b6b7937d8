//! Metrics for Prometheus, made from the columns: `OpenMetrics` 1.0, or the older text format that the
//! textfile collector of `node_exporter` reads.
//!
//! Rates are never exported: the counter behind a rate is, and the server derives the rate. Missing values
//! are left out. No label has values that grow in number while a machine runs: cgroups and processes are
//! exported only if they are named.

mod text;

pub use text::MetricFormat;

use crate::advice::UNBOUNDED_SUBJECTS;
use crate::columns::{Info, Spec, Unit, Value, tables, units};
use crate::derive::SampleView;
use crate::model::{Bytes, Missing, Name, PartSet, Policy};
use std::collections::BTreeMap;
use text::{Kind, Labels, MetricText};

/// A table whose numbers are exported.
struct MetricTable {
    /// The table.
    table: &'static str,
    /// The name in names of metrics: `swapadm_NAME_COLUMN_UNIT`.
    name: &'static str,
    /// The labels of each row, and the columns with their values.
    labels: &'static [(&'static str, &'static str)],
    /// Columns of words, each exported as a gauge whose label is the current word.
    states: &'static [&'static str],
    /// Columns that are not exported: those that another metric or label has, and expensive ones.
    without: &'static [&'static str],
}

const fn table(table: &'static str) -> MetricTable {
    MetricTable { table, name: table, labels: &[], states: &[], without: &[] }
}

/// The exported tables, in the order of the output.
static METRIC_TABLES: &[MetricTable] = &[
    MetricTable {
        states: &["state", "severity"],
        // All but the number of areas and of interrupted changes is in headroom, groups and pressure.
        without: &[
            "swap_total",
            "swap_used",
            "use",
            "swap_cached",
            "mem_total",
            "mem_available",
            "memory_some",
            "memory_full",
            "io_some",
            "io_full",
            "imbalance",
            "zram_data",
            "zram_memory",
            "zswap_stored",
            "zswap_pool",
        ],
        ..table("status")
    },
    MetricTable {
        name: "area",
        labels: &[("area", "name"), ("kind", "kind"), ("priority", "priority"), ("node", "node")],
        without: &["share", "discard_max", "extents", "first_page", "header_page"],
        ..table("devices")
    },
    MetricTable {
        name: "group",
        labels: &[("priority", "priority")],
        states: &["state", "balance"],
        ..table("groups")
    },
    table("headroom"),
    MetricTable { labels: &[("device", "name")], states: &["algorithm"], ..table("zram") },
    // The limit in bytes is there too.
    MetricTable { states: &["compressor"], without: &["max_pool_percent"], ..table("zswap") },
    MetricTable { states: &["enabled", "shmem_enabled", "defrag"], ..table("thp") },
    MetricTable { labels: &[("size", "size")], states: &["enabled"], ..table("mthp") },
    MetricTable {
        states: &["mode"],
        without: &[
            "ahead_boot",
            "hits_boot",
            "hit_rate_boot",
            "wasted_boot",
            "share_of_reads_boot",
            "window_boot",
        ],
        ..table("readahead")
    },
    MetricTable {
        // The counters of rates, in bytes.
        without: &[
            "pswpin",
            "pswpout",
            "zswpin",
            "zswpout",
            "zswpwb",
            "swpin_zero",
            "swpout_zero",
            "pgmajfault",
            "oom_kill",
            "in_since_boot",
            "out_since_boot",
        ],
        ..table("paging")
    },
    MetricTable { labels: &[("resource", "resource"), ("kind", "kind")], ..table("pressure") },
    MetricTable { name: "node", labels: &[("node", "node")], ..table("numa") },
    MetricTable { name: "knob", labels: &[("knob", "name")], states: &["value"], ..table("knobs") },
    MetricTable { name: "rule", labels: &[("rule", "rule")], states: &["state"], ..table("rules") },
];

/// The table of cgroups, exported for those that are named.
static CGROUPS: MetricTable = MetricTable {
    name: "cgroup",
    labels: &[("cgroup", "path")],
    without: &["not_read", "own_oom_kills"],
    ..table("cgroups")
};

/// The gauges of processes that are named, and the columns that they add up.
const PROCESS_SUMS: [(&str, &str); 2] = [
    ("swap", "Swap of all processes with this name; pages shared after fork count for each."),
    ("rss", "Memory of all processes with this name; shared pages count for each."),
];
const PROCESS_COUNT: (&str, &str) = ("swapadm_processes", "Number of processes with this name.");
const FINDINGS: (&str, &str) =
    ("swapadm_findings", "Findings of a rule by severity, certainty and subject.");
const BUILD: (&str, &str) =
    ("swapadm_build_info", "Version of swapadm, and the name of a simulated machine, as labels.");
const COST: (&str, &str) =
    ("swapadm_sample_cpu_seconds", "CPU time of swapadm for reading these figures.");

/// The bytes of the name of a process that the kernel keeps.
const MAX_COMM: usize = 15;

/// Cgroups and processes to export, which are not exported unless they are named.
#[derive(Clone, Debug, Default)]
pub struct MetricSelection {
    /// Paths of cgroups.
    pub cgroups: Vec<String>,
    /// Names of processes.
    pub processes: Vec<String>,
}

/// An exported column: its metric, and its index in the table.
struct ColumnMetric {
    name: String,
    kind: Kind,
    unit: &'static str,
    info: &'static Info,
    place: usize,
    /// All columns of the table.
    columns: Vec<&'static Info>,
}

impl MetricTable {
    fn spec(&self) -> Option<&'static Spec> {
        tables::find(self.table)
    }

    /// The exported columns of numbers.
    fn numbers(&self, spec: &Spec) -> Vec<ColumnMetric> {
        let infos = (spec.infos)().into_iter().enumerate();
        let infos = infos.filter(|(_, info)| !self.without.contains(&info.id));
        let infos = infos.filter(|(_, info)| self.labels.iter().all(|(_, id)| *id != info.id));
        infos.filter_map(|(place, info)| self.number(spec, place, info)).collect()
    }

    fn number(&self, spec: &Spec, place: usize, info: &'static Info) -> Option<ColumnMetric> {
        let is_number = info.unit.is_number() || info.unit == Unit::Flag;
        let is_level = is_number && !info.needs_two_samples;
        if !info.counter && !is_level {
            return None;
        }
        let kind = if info.counter { Kind::Counter } else { Kind::Gauge };
        let unit = base_unit(info);
        let id = info.id.trim_end_matches("_rate");
        let id = if info.counter { id.trim_end_matches("total") } else { id };
        let mut name = format!("swapadm_{}_{id}", self.name);
        name.truncate(name.trim_end_matches('_').len());
        if !unit.is_empty() && !name.ends_with(&format!("_{unit}")) {
            name = format!("{name}_{unit}");
        }
        Some(ColumnMetric { name, kind, unit, info, place, columns: (spec.infos)() })
    }

    /// The exported columns of words.
    fn words(&self, spec: &Spec) -> Vec<ColumnMetric> {
        let infos = (spec.infos)().into_iter().enumerate();
        let infos = infos.filter(|(_, info)| self.states.contains(&info.id));
        let metric = |(place, info): (usize, &'static Info)| ColumnMetric {
            name: format!("swapadm_{}_{}", self.name, info.id),
            kind: Kind::Gauge,
            unit: "",
            info,
            place,
            columns: (spec.infos)(),
        };
        infos.map(metric).collect()
    }

    /// The parts of a snapshot that its metrics need.
    fn needs(&self) -> PartSet {
        let Some(spec) = self.spec() else { return PartSet::NONE };
        let infos = (spec.infos)();
        let labels =
            self.labels.iter().filter_map(|(_, id)| infos.get(spec.find(id).ok()?).copied());
        let metrics = self.numbers(spec).into_iter().chain(self.words(spec));
        let infos = labels.chain(metrics.map(|metric| metric.info));
        infos.fold(spec.needs, |needs, info| needs.with(info.needs))
    }

    /// Writes the metrics of the rows whose first label passes.
    fn write(
        &self,
        text: &mut MetricText,
        sample: &MetricSample<'_>,
        passes: &dyn Fn(&str) -> bool,
    ) {
        let Some(spec) = self.spec() else { return };
        let (numbers, words) = (self.numbers(spec), self.words(spec));
        let labels = self.labels.iter().filter_map(|(_, id)| spec.find(id).ok());
        let metrics = numbers.iter().chain(&words).map(|metric| metric.place);
        let places: Vec<usize> = labels.chain(metrics).collect();
        let Some(rows) = sample.cells(spec, &places) else { return };
        let first = |row: &Vec<Value>| row.first().is_none_or(|value| passes(&value.plain()));
        let rows: Vec<_> = rows.iter().filter(|row| first(row)).collect();
        let rows: Vec<_> =
            rows.iter().map(|row| row.split_at(self.labels.len().min(row.len()))).collect();
        let keys = text::distinct(rows.iter().map(|(keys, _)| self.row_labels(keys)));
        for (index, metric) in numbers.iter().enumerate() {
            let cells = rows.iter().map(|(_, cells)| cells.get(index));
            let samples = keys.iter().zip(cells);
            let samples = samples.filter_map(|(key, cell)| Some((key.clone(), number(cell?)?)));
            text.family(metric, samples);
        }
        for (index, metric) in (numbers.len()..).zip(&words) {
            let cells = rows.iter().map(|(_, cells)| cells.get(index));
            let samples = keys.iter().zip(cells).filter_map(|(key, cell)| {
                let cell = cell.filter(|cell| cell.missing().is_none())?;
                Some((key.with(metric.info.id, &cell.plain()), "1".to_owned()))
            });
            text.family(metric, samples);
        }
    }

    fn row_labels(&self, keys: &[Value]) -> Labels {
        let labels = self.labels.iter().zip(keys);
        let known = labels.filter(|(_, value)| value.missing().is_none());
        known.fold(Labels::default(), |labels, ((label, _), value)| {
            labels.with(label, &label_text(label, value))
        })
    }
}

/// The text of a label; sizes as people write them.
fn label_text(label: &str, value: &Value) -> String {
    if let (Value::Whole(bytes), "size") = (value, label) {
        return units::exact(Bytes(*bytes));
    }
    value.plain()
}

/// The base unit of a column, as in the name of its metric. The counter of a share of time is a time.
fn base_unit(info: &Info) -> &'static str {
    match info.unit {
        Unit::Bytes | Unit::BytesPerSecond => "bytes",
        Unit::Share if info.counter => "seconds",
        Unit::Share | Unit::Ratio => "ratio",
        Unit::Seconds => "seconds",
        Unit::Count
        | Unit::PerSecond
        | Unit::Integer
        | Unit::Number
        | Unit::Text
        | Unit::Flag
        | Unit::List
        | Unit::Moment => "",
    }
}

/// A value as the number of a sample; none if it is missing or no number.
fn number(value: &Value) -> Option<String> {
    match value {
        Value::Real(real) if !real.is_finite() => None,
        Value::Whole(_) | Value::Integer(_) | Value::Real(_) | Value::Flag(_) => {
            Some(value.plain())
        }
        // A limit that is not set.
        Value::Text(text) if text == "max" => Some("+Inf".to_owned()),
        Value::Text(_) | Value::Name(_) | Value::List(_) | Value::Missing(_) => None,
    }
}

/// The figures to export.
struct MetricSample<'s> {
    view: &'s SampleView<'s>,
    policy: &'s Policy,
}

impl MetricSample<'_> {
    fn cells(&self, spec: &Spec, places: &[usize]) -> Option<Vec<Vec<Value>>> {
        (spec.totals)(self.view, self.policy, places).into_result().ok()
    }

    /// The cells of columns in each row of a table.
    fn rows<const N: usize>(&self, table: &str, ids: [&str; N]) -> Vec<[Value; N]> {
        let Some(spec) = tables::find(table) else { return Vec::new() };
        let places: Vec<usize> = ids.iter().filter_map(|id| spec.find(id).ok()).collect();
        let rows = self.cells(spec, &places).unwrap_or_default();
        rows.into_iter().filter_map(|row| row.try_into().ok()).collect()
    }

    /// The number of findings with the same labels.
    fn findings(&self, text: &mut MetricText) {
        let mut counts = BTreeMap::<Labels, u64>::new();
        for [rule, severity, certainty, subject] in
            self.rows("findings", ["rule", "severity", "certainty", "subject"])
        {
            let rule = rule.plain();
            let labels = Labels::default()
                .with("rule", &rule)
                .with("severity", &severity.plain())
                .with("certainty", &certainty.plain());
            let is_bounded = !UNBOUNDED_SUBJECTS.contains(&rule.as_str());
            let subject = Some(subject).filter(|it| is_bounded && it.missing().is_none());
            let labels = match subject {
                Some(subject) => labels.with("subject", &subject.plain()),
                None => labels,
            };
            *counts.entry(labels).or_default() += 1;
        }
        let samples = counts.into_iter().map(|(labels, count)| (labels, count.to_string()));
        text.gauge(FINDINGS, "", samples);
    }

    /// The sums over processes with the same name, where all are known.
    fn processes(&self, text: &mut MetricText, names: &[String]) {
        if self.view.now.processes.reading.missing().is_some() {
            return;
        }
        let rows = self.rows("processes", ["name", "swap", "rss"]);
        let sums: BTreeMap<String, (u64, [Option<u64>; 2])> =
            names.iter().map(|name| (exact(name.as_bytes()), process_sums(&rows, name))).collect();
        let labels = |name: &str| Labels::default().with("name", name);
        let counts = sums.iter().map(|(name, (count, _))| (labels(name), count.to_string()));
        text.gauge(PROCESS_COUNT, "", counts);
        for (index, (id, help)) in PROCESS_SUMS.iter().enumerate() {
            let known =
                sums.iter().filter_map(|(name, (_, sum))| Some((name, (*sum.get(index)?)?)));
            let samples = known.map(|(name, bytes)| (labels(name), bytes.to_string()));
            text.gauge((&format!("swapadm_process_{id}_bytes"), help), "bytes", samples);
        }
    }
}

/// The number of processes with a name, of which the kernel keeps the beginning only, and their swap and memory.
fn process_sums(rows: &[[Value; 3]], name: &str) -> (u64, [Option<u64>; 2]) {
    let bytes = name.as_bytes();
    let names = [exact(bytes), exact(bytes.get(..MAX_COMM).unwrap_or(bytes))];
    let (mut count, mut sums) = (0, [Some(0); 2]);
    for [_, figures @ ..] in rows.iter().filter(|[own, ..]| names.contains(&own.plain())) {
        count += 1;
        for (sum, value) in sums.iter_mut().zip(figures) {
            // A process that has ended and waits for its parent has no memory.
            let bytes = if let Value::Whole(bytes) = value {
                Some(*bytes)
            } else {
                matches!(value, Value::Missing(Missing::Absent(_))).then_some(0)
            };
            *sum = sum.zip(bytes).map(|(sum, bytes): (u64, u64)| sum.saturating_add(bytes));
        }
    }
    (count, sums)
}

/// A name as the cells of tables have it.
fn exact(name: &[u8]) -> String {
    Name::new(name).exact()
}

impl MetricSelection {
    /// The parts of a snapshot that the metrics need.
    pub fn needs(&self) -> PartSet {
        let needs = METRIC_TABLES
            .iter()
            .fold(tables::findings::SPEC.needs, |needs, table| needs.with(table.needs()));
        let needs = if self.cgroups.is_empty() { needs } else { needs.with(CGROUPS.needs()) };
        let processes =
            if self.processes.is_empty() { PartSet::NONE } else { tables::processes::SPEC.needs };
        needs.with(processes)
    }

    /// The metrics of a view.
    pub fn text(&self, view: &SampleView<'_>, policy: &Policy, format: MetricFormat) -> String {
        let mut text = MetricText::new(format);
        let sample = MetricSample { view, policy };
        let version = Labels::default().with("version", env!("CARGO_PKG_VERSION"));
        let version = match &view.now.simulated {
            Some(name) => version.with("simulated", name),
            None => version,
        };
        text.gauge(BUILD, "", [(version, "1".to_owned())]);
        for table in METRIC_TABLES {
            table.write(&mut text, &sample, &|_| true);
        }
        sample.findings(&mut text);
        if !self.cgroups.is_empty() {
            let paths: Vec<String> =
                self.cgroups.iter().map(|path| exact(path.as_bytes())).collect();
            CGROUPS.write(&mut text, &sample, &|path| paths.iter().any(|named| named == path));
        }
        if !self.processes.is_empty() {
            sample.processes(&mut text, &self.processes);
        }
        let cost = units::real(view.now.cost.cpu_us as f64 / 1e6);
        text.gauge(COST, "seconds", [(Labels::default(), cost)]);
        text.finish()
    }
}

/// All metrics with their descriptions, for the manual: the name, the type with labels, and the meaning.
pub fn described() -> Vec<(String, String)> {
    let of_table = |table: &MetricTable| {
        let Some(spec) = table.spec() else { return Vec::new() };
        let labels: Vec<&str> = table.labels.iter().map(|(label, _)| *label).collect();
        let entry = |metric: ColumnMetric, more: Option<&'static str>| {
            let labels: Vec<&str> = labels.iter().copied().chain(more).collect();
            let labels = if labels.is_empty() {
                String::new()
            } else {
                format!("{{{}}}", labels.join(", "))
            };
            let name = metric.kind.sample_name(&metric.name);
            (format!("{name}{labels}"), format!("{}. {}", metric.kind.word(), metric.help()))
        };
        let numbers = table.numbers(spec).into_iter().map(|metric| entry(metric, None));
        let words = table.words(spec).into_iter().map(|metric| {
            let label = metric.info.id;
            entry(metric, Some(label))
        });
        numbers.chain(words).collect()
    };
    METRIC_TABLES.iter().chain([&CGROUPS]).flat_map(of_table).collect()
}

#[cfg(test)]
mod tests;
