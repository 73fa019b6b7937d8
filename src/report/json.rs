//! JSON output: base units; missing values are null, with the reason in `missing`.
//!
//! Keys are in column order. A name that is not UTF-8 is escaped, and its column listed in `escaped`. The schema is in `schema/`.

use crate::columns::{Info, Rows, Spec, Unit, Value};
use crate::derive::SampleView;
use crate::model::{Missing, Reading, Snapshot, text};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::json;

/// The version of JSON schemas.
pub const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Version of the schema. It increases when a key is removed or changes its meaning, not when one is added.
pub const SCHEMA: u32 = 2;

/// A document of tables from a snapshot.
pub struct ReportDocument<'d> {
    /// The command.
    pub command: &'d str,
    /// The snapshot.
    pub snapshot: &'d Snapshot,
    /// Seconds between the two samples, when there were two.
    pub seconds: Option<f64>,
    /// The tables, each under its name.
    pub tables: Vec<(&'d Spec, Reading<Rows>)>,
    /// Whether to include the snapshot itself, as in recordings.
    pub whole: bool,
}

impl<'d> ReportDocument<'d> {
    /// The document of a command, without the snapshot itself.
    pub fn new(
        command: &'d str,
        view: &SampleView<'d>,
        tables: Vec<(&'d Spec, Reading<Rows>)>,
    ) -> Self {
        Self { command, snapshot: view.now, seconds: view.seconds(), tables, whole: false }
    }
}

impl Serialize for ReportDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("command", self.command)?;
        if let Some(machine) = &self.snapshot.simulated {
            map.serialize_entry("simulated", machine)?;
        }
        let stamp = self.snapshot.stamp;
        let date = stamp.has_date().then(|| text::format_date(stamp.wall_ms));
        map.serialize_entry("sampled_at", &date)?;
        map.serialize_entry("interval_s", &self.seconds)?;
        map.serialize_entry("sampling_cost", &self.snapshot.cost)?;
        map.serialize_entry("tables", &Tables(&self.tables))?;
        if self.whole {
            map.serialize_entry("snapshot", self.snapshot)?;
        }
        map.end()
    }
}

/// A document of tables from stored results.
pub struct ResultsDocument<'d> {
    /// The command.
    pub command: &'d str,
    /// The tables.
    pub tables: &'d [(&'static Spec, Rows)],
}

impl Serialize for ResultsDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("command", self.command)?;
        map.serialize_entry("tables", &StoredTables(self.tables))?;
        map.end()
    }
}

struct StoredTables<'d>(&'d [(&'static Spec, Rows)]);

impl Serialize for StoredTables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(spec, rows)| (spec.name, Table::known(rows))))
    }
}

struct Tables<'d>(&'d [(&'d Spec, Reading<Rows>)]);

impl Serialize for Tables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(spec, rows)| {
            (spec.name, rows.get().map_or_else(|missing| Table::missing(&missing), Table::known))
        }))
    }
}

#[derive(Serialize)]
struct Table<'d> {
    rows: Option<Body<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Reason>,
}

impl<'d> Table<'d> {
    fn known(rows: &'d Rows) -> Self {
        Self { rows: Some(Body(rows)), hidden: Some(rows.hidden), missing: None }
    }

    fn missing(missing: &Missing) -> Self {
        Self { rows: None, hidden: None, missing: Some(missing.into()) }
    }
}

struct Body<'d>(&'d Rows);

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids: Vec<&str> = self.0.infos.iter().map(|info| info.id).collect();
        serializer.collect_seq(self.0.cells.iter().map(|cells| JsonRow { ids: &ids, cells }))
    }
}

/// A row, with the reasons for missing values.
pub struct JsonRow<'d> {
    /// Names of its columns.
    pub ids: &'d [&'d str],
    /// The cells.
    pub cells: &'d [Value],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (id, value) in self.ids.iter().zip(self.cells) {
            map.serialize_entry(id, &value.json())?;
        }
        if self.cells.iter().any(|value| value.missing().is_some()) {
            map.serialize_entry("missing", &Reasons(self))?;
        }
        let cells = self.ids.iter().zip(self.cells);
        let escaped: Vec<&str> =
            cells.filter(|(_, value)| value.is_escaped_in_json()).map(|(id, _)| *id).collect();
        if !escaped.is_empty() {
            map.serialize_entry("escaped", &escaped)?;
        }
        map.end()
    }
}

struct Reasons<'d>(&'d JsonRow<'d>);

impl Serialize for Reasons<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.0.ids.iter().zip(self.0.cells);
        serializer
            .collect_map(cells.filter_map(|(id, value)| Some((id, Reason::from(value.missing()?)))))
    }
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    why: String,
}

impl From<&Missing> for Reason {
    fn from(missing: &Missing) -> Self {
        Self { kind: missing.kind(), why: missing.why() }
    }
}

/// The JSON schema of documents of tables, generated from the columns.
pub fn schema(tables: &[Spec]) -> serde_json::Value {
    let more = json!({
        "simulated": { "type": "string", "description": "Name of the machine, only if it is SIMULATED: all figures come from a model." },
        "sampled_at": { "type": ["string", "null"], "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$", "description": "Time of the snapshot, UTC; null if it has no date: that of a simulated machine, or of a captured tree without a time." },
        "interval_s": { "type": ["number", "null"], "description": "Seconds between the two samples for rates; null with one sample." },
        "sampling_cost": {
            "type": "object",
            "description": "Cost of taking the snapshot, in microseconds.",
            "required": ["wall_us", "cpu_us"],
            "properties": { "wall_us": { "type": "integer" }, "cpu_us": { "type": "integer" } },
        },
        "snapshot": {
            "type": "object",
            "description": "Only in report: all data that was read, as in a recording. A missing value is an object with the key missing. The format depends on the program version.",
        },
    });
    let required = ["schema", "command", "sampled_at", "interval_s", "sampling_cost", "tables"];
    document_schema("What swapadm prints with --json", &required, tables, more)
}

/// The JSON schema of tables from stored results.
pub fn results_schema(tables: &[&Spec]) -> serde_json::Value {
    let title = "What swapadm results prints with --json";
    document_schema(title, &["schema", "command", "tables"], tables.iter().copied(), json!({}))
}

/// The JSON schema of documents with a command, tables and more properties.
fn document_schema<'s>(
    title: &str,
    required: &[&str],
    tables: impl IntoIterator<Item = &'s Spec>,
    more: serde_json::Value,
) -> serde_json::Value {
    let tables = tables.into_iter().map(|spec| (spec.name.to_owned(), table_schema(spec)));
    let own = json!({
        "schema": { "const": SCHEMA },
        "command": { "type": "string", "description": "The command." },
        "tables": {
            "type": "object",
            "additionalProperties": false,
            "properties": tables.collect::<serde_json::Value>(),
        },
    });
    json!({
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": merged(own, more),
        "$defs": { "reason": reason_schema() },
    })
}

/// The keys of both objects.
fn merged(first: serde_json::Value, second: serde_json::Value) -> serde_json::Value {
    let keys = |object| serde_json::from_value::<serde_json::Map<_, _>>(object).unwrap_or_default();
    keys(first).into_iter().chain(keys(second)).collect()
}

/// The JSON schema of the reason for a missing value.
fn reason_schema() -> serde_json::Value {
    json!({
        "type": "object",
        "required": ["kind", "why"],
        "additionalProperties": false,
        "properties": {
            "kind": { "enum": ["absent", "denied", "failed", "not_sampled", "one_sample", "few_samples"] },
            "why": { "type": "string" },
        },
    })
}

fn table_schema(spec: &Spec) -> serde_json::Value {
    let columns = (spec.infos)().iter().map(|info| (info.id, column_schema(info))).collect();
    let more = json!({
        "missing": {
            "type": "object",
            "description": "Reasons for null values of this row, by column name.",
            "additionalProperties": { "$ref": "#/$defs/reason" },
        },
        "escaped": {
            "type": "array",
            "description": "Columns of this row with a name that is not UTF-8. Such a name is written with \\xNN for each byte that is not, and \\\\ for a backslash, as printf %b reads it; all other names are exact.",
            "items": { "type": "string" },
        },
    });
    let keys = merged(columns, more);
    json!({
        "type": "object",
        "description": spec.about,
        "required": ["rows"],
        "additionalProperties": false,
        "properties": {
            "rows": {
                "type": ["array", "null"],
                "items": { "type": "object", "additionalProperties": false, "properties": keys },
            },
            "hidden": { "type": "integer", "description": "Number of rows hidden by default; --all shows them." },
            "missing": { "$ref": "#/$defs/reason" },
        },
    })
}

fn column_schema(info: &Info) -> serde_json::Value {
    let types = match info.unit {
        // A limit can also be the text "max" (unlimited).
        Unit::Bytes => json!(["number", "string", "null"]),
        Unit::BytesPerSecond
        | Unit::PerSecond
        | Unit::Share
        | Unit::Ratio
        | Unit::Seconds
        | Unit::Number => json!(["number", "null"]),
        Unit::Count | Unit::Integer => json!(["integer", "null"]),
        Unit::Text | Unit::Moment => json!(["string", "null"]),
        Unit::Flag => json!(["boolean", "null"]),
        Unit::List => json!(["array", "null"]),
    };
    json!({ "type": types, "description": format!("{} Unit: {}.", info.meaning(), info.unit.word()) })
}
