//! The text of metrics: families, samples, labels.

use super::ColumnMetric;
use crate::columns::Info;
use crate::model::name::data_text;
use crate::model::worded_enum;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Form of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricFormat {
    /// `OpenMetrics` 1.0.
    OpenMetrics,
    /// Text format 0.0.4 of Prometheus, for readers that know no other.
    Prometheus,
}

impl MetricFormat {
    /// The media type in HTTP.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

worded_enum! {
    /// Type of a metric.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Kind {
        Counter = "counter",
        Gauge = "gauge",
    }
}

impl Kind {
    /// Name of the samples of a family.
    pub(super) fn sample_name(self, family: &str) -> String {
        match self {
            Self::Counter => format!("{family}_total"),
            Self::Gauge => family.to_owned(),
        }
    }
}

impl ColumnMetric {
    /// Meaning of the metric: that of its column, with names of columns in place of headings. A column of a
    /// rate is exported as what it counts.
    pub(super) fn help(&self) -> String {
        let meaning = self.info.meaning().replace("\"max\" in JSON means", "+Inf means");
        let meaning = with_column_names(&meaning, &self.columns);
        if self.info.needs_two_samples && self.kind == Kind::Counter {
            return meaning
                .replace(", per second", "")
                .replace(" per second", "")
                .replace("Share of time with", "Seconds with");
        }
        meaning
    }
}

/// A meaning with the names of these columns in place of their headings.
fn with_column_names(meaning: &str, columns: &[&Info]) -> String {
    let name = |word: &str| {
        let bare = word.trim_matches(['(', ')', ',', '.', ':', ';']);
        let column = columns.iter().find(|column| is_in_capitals(bare) && column.head == bare);
        column.map_or_else(|| word.to_owned(), |column| word.replace(bare, column.id))
    };
    meaning.split(' ').map(name).collect::<Vec<_>>().join(" ")
}

/// Whether a word is written as the headings of tables are, unlike the beginning of a sentence.
pub(super) fn is_in_capitals(word: &str) -> bool {
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    // A rate ends in "/s".
    letters > 1 && !word.trim_end_matches("/s").contains(|letter: char| letter.is_ascii_lowercase())
}

/// Labels of a sample, escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Labels(String);

impl Labels {
    /// These labels and one more.
    pub(super) fn with(&self, label: &str, value: &str) -> Self {
        let comma = if self.0.is_empty() { "" } else { "," };
        Self(format!("{}{comma}{label}=\"{}\"", self.0, escaped(&data_text(value), true)))
    }
}

/// Labels of rows, each different: rows with equal labels are numbered from the second one on.
pub(super) fn distinct(rows: impl Iterator<Item = Labels>) -> Vec<Labels> {
    let mut seen = BTreeMap::<Labels, u64>::new();
    let numbered = rows.map(|labels| {
        let count = seen.entry(labels.clone()).or_default();
        *count += 1;
        if *count == 1 { labels } else { labels.with("number", &count.to_string()) }
    });
    numbered.collect()
}

/// A text with escaped backslashes, line ends and quotes.
fn escaped(text: &str, quotes: bool) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n");
    if quotes { text.replace('"', "\\\"") } else { text }
}

/// Text of metrics, under construction.
#[derive(Debug)]
pub(super) struct MetricText {
    text: String,
    format: MetricFormat,
}

impl MetricText {
    pub(super) fn new(format: MetricFormat) -> Self {
        Self { text: String::new(), format }
    }

    /// Adds the metric of a column.
    pub(super) fn family(
        &mut self,
        metric: &ColumnMetric,
        samples: impl IntoIterator<Item = (Labels, String)>,
    ) {
        self.add((&metric.name, &metric.help()), metric.kind, metric.unit, samples);
    }

    /// Adds a gauge that no column has.
    pub(super) fn gauge(
        &mut self,
        head: (&str, &str),
        unit: &str,
        samples: impl IntoIterator<Item = (Labels, String)>,
    ) {
        self.add(head, Kind::Gauge, unit, samples);
    }

    /// Adds a metric, unless it has no sample.
    fn add(
        &mut self,
        (family, help): (&str, &str),
        kind: Kind,
        unit: &str,
        samples: impl IntoIterator<Item = (Labels, String)>,
    ) {
        let mut samples = samples.into_iter().peekable();
        if samples.peek().is_none() {
            return;
        }
        let name = kind.sample_name(family);
        let is_open = self.format == MetricFormat::OpenMetrics;
        let head = if is_open { family } else { &name };
        let text = &mut self.text;
        let _ = writeln!(text, "# TYPE {head} {}", kind.word());
        if is_open && !unit.is_empty() {
            let _ = writeln!(text, "# UNIT {head} {unit}");
        }
        let _ = writeln!(text, "# HELP {head} {}", escaped(help, is_open));
        for (Labels(labels), value) in samples {
            let (open, close) = if labels.is_empty() { ("", "") } else { ("{", "}") };
            let _ = writeln!(text, "{name}{open}{labels}{close} {value}");
        }
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> String {
        if self.format == MetricFormat::OpenMetrics {
            self.text.push_str("# EOF\n");
        }
        self.text
    }
}
