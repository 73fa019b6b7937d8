//! `findings`: problems that advice found, and their fixes.

use crate::advice::{self, AdviceReport, EvidenceCell, Finding};
use crate::columns::column::Info;
use crate::columns::query::{Query, Request};
use crate::columns::rows::Rows;
use crate::columns::spec::Spec;
use crate::columns::value::{Unit, Value};
use crate::derive::SampleView;
use crate::model::{Missing, Policy, Reading};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

table!(pub struct FindingsTable: Row<'v>, Column, COLUMNS, |view, policy| rows(view, policy));

/// A finding, and where its figures come from.
pub struct Row<'v> {
    finding: Finding,
    source: Rc<FigureSource<'v>>,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<FindingsTable>("findings", "Findings", "name")
    .about("Problems and notes, worst first, with the figures behind them and the command that fixes them")
    .shows("severity,rule,summary,fix")
    .needs(advice::needs());

fn rows<'v>(view: &SampleView<'v>, policy: &Policy) -> Reading<Vec<Row<'v>>> {
    // Without the list of areas almost no rule can be evaluated: "no finding" would mislead.
    view.now.swaps.reading.as_ref().map(|_| {
        let findings = AdviceReport::from_view(view, policy).findings.into_iter();
        let source = Rc::new(FigureSource::new(*view));
        findings.map(|finding| Row { finding, source: Rc::clone(&source) }).collect()
    })
}

/// The rows of findings from several points in time, each with its own view.
pub fn rows_from_findings(query: &Query, found: Vec<(Finding, SampleView<'_>)>) -> Rows {
    let row = |(finding, view)| Row { finding, source: Rc::new(FigureSource::new(view)) };
    let rows: Vec<_> = found.into_iter().map(row).collect();
    query.rows_from::<FindingsTable>(&rows)
}

/// A figure behind a finding: its table, row and column, and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct FindingFigure {
    /// The table.
    pub table: &'static str,
    /// The row for people; empty if the table has only one.
    pub row: String,
    /// The column.
    pub info: &'static Info,
    /// The value.
    pub value: Value,
}

impl FindingFigure {
    /// Name of the figure: TABLE.COLUMN.
    pub fn name(&self) -> String {
        format!("{}.{}", self.table, self.info.id)
    }

    /// The row and the value, with the unit that a table shows in its heading.
    pub fn value_with_row(&self) -> String {
        let (value, unit) = (self.value.human(self.info.unit, false), self.info.unit);
        let is_rate = matches!(unit, Unit::BytesPerSecond | Unit::PerSecond);
        let unit = match (is_rate, unit == Unit::Ratio) {
            _ if self.value.missing().is_some() => "",
            (true, _) => "/s",
            (_, true) => " to 1",
            (false, false) => "",
        };
        if self.row.is_empty() { value + unit } else { format!("{} {value}{unit}", self.row) }
    }

    /// The figure in one line: column, row and value.
    pub fn words(&self) -> String {
        format!("{} {}", self.name(), self.value_with_row())
    }
}

/// The tables with the figures behind findings. Each column is computed once, however many findings name it.
pub struct FigureSource<'v> {
    view: SampleView<'v>,
    columns: RefCell<FigureColumns>,
}

/// Columns by table and name; none for one that is not there.
type FigureColumns = BTreeMap<(&'static str, &'static str), Option<Rc<FigureColumn>>>;

/// A column of a table.
struct FigureColumn {
    info: &'static Info,
    key_unit: Unit,
    /// The key and the value of each row.
    rows: Vec<(Value, Value)>,
    /// The first row with each key.
    by_key: BTreeMap<String, usize>,
}

impl<'v> FigureSource<'v> {
    /// A source of figures of these samples.
    pub fn new(view: SampleView<'v>) -> Self {
        Self { view, columns: RefCell::default() }
    }

    /// Looks up the figure that an evidence names in its table.
    pub fn figure(&self, evidence: &EvidenceCell) -> Option<FindingFigure> {
        let name = (evidence.table, evidence.column);
        let known = self.columns.borrow().get(&name).cloned();
        let column = known.unwrap_or_else(|| {
            let column = FigureColumn::compute(&self.view, evidence).map(Rc::new);
            self.columns.borrow_mut().insert(name, column.clone());
            column
        })?;
        let is_single = evidence.row.is_empty();
        let place = if is_single { 0 } else { *column.by_key.get(&evidence.row)? };
        let (key, value) = column.rows.get(place)?;
        let row = if is_single { String::new() } else { key.human(column.key_unit, false) };
        Some(FindingFigure { table: evidence.table, row, info: column.info, value: value.clone() })
    }
}

impl FigureColumn {
    fn compute(view: &SampleView<'_>, evidence: &EvidenceCell) -> Option<Self> {
        let spec = super::find(evidence.table)?;
        let columns = Some(evidence.column.to_owned());
        let query = Query::new(spec, &Request { columns, all: true, ..Request::default() }).ok()?;
        let rows = query.rows(view).into_result().ok()?;
        let key = spec.find(spec.key).ok()?;
        let mut by_key = BTreeMap::new();
        for (place, key) in rows.keys.iter().enumerate() {
            by_key.entry(key.plain()).or_insert(place);
        }
        let value = |place| rows.value(place, evidence.column).cloned();
        let values = (0..rows.cells.len()).map_while(value);
        Some(Self {
            info: rows.infos.first().copied()?,
            key_unit: (spec.infos)().get(key)?.unit,
            rows: rows.keys.iter().cloned().zip(values).collect(),
            by_key,
        })
    }
}

fn figures(row: &Row<'_>) -> Vec<String> {
    let figure = |evidence| row.source.figure(evidence);
    row.finding.evidence.iter().filter_map(figure).map(|figure| figure.words()).collect()
}

const RULES: &str = "the figures of the rule";

static COLUMNS: &[Column] = &[
    Column::text("severity", "SEVERITY", |row| row.finding.severity.word().into())
        .says("Severity: crit (harm now or soon), warn (costs speed or memory, or will fail one day), note (information).", RULES)
        .two(),
    Column::text("rule", "RULE", |row| row.finding.rule.into())
        .says("Rule that found it; see swapadm advise --explain RULE.", RULES)
        .drop(3),
    Column::text("subject", "SUBJECT", |row| match &row.finding.subject {
        Some(about) => about.as_str().into(),
        None => Value::Missing(Missing::absent("the finding is about the machine as a whole")),
    })
    .says("Area or priority that the finding is about, for rules that can find several.", RULES),
    Column::text("name", "NAME", |row| row.finding.name().into())
        .says("Rule and subject, which identify the finding.", RULES),
    Column::text("certainty", "CERTAINTY", |row| row.finding.certainty.word().into())
        .says("Certainty: certain (the figures prove it), likely (other causes are improbable), hint (possible).", RULES),
    Column::text("summary", "SUMMARY", |row| row.finding.summary.as_str().into())
        .says("The finding in one line.", RULES),
    Column::text("explanation", "EXPLANATION", |row| row.finding.sentence.as_str().into())
        .says("What the finding means, and what to do about it.", RULES),
    Column::list("evidence", "EVIDENCE", |row| figures(row).into())
        .says("Figures behind the finding: TABLE.COLUMN, row and value.", RULES),
    Column::text("fix", "FIX", |row| match &row.finding.fix {
        Some(fix) => fix.as_str().into(),
        None => Value::Missing(Missing::absent("no swapadm command fixes it")),
    })
    .says("Command that fixes it, if there is one.", RULES)
    .drop(4),
];

column_ids! { id: FindingsTable, SPEC;
    CERTAINTY EVIDENCE EXPLANATION FIX RULE SEVERITY SUMMARY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_outside_a_table_have_their_unit() {
        let words = |table: &str, column: &str, value: Value| {
            let spec = crate::columns::tables::find(table).unwrap();
            let info = (spec.infos)()[spec.find(column).unwrap()];
            FindingFigure { table: spec.name, row: String::new(), info, value }.words()
        };
        let real = || Value::Real(2048.0);
        assert_eq!(words("paging", "in_rate", real()), "paging.in_rate 2K/s");
        assert_eq!(words("paging", "refault_rate", real()), "paging.refault_rate 2048/s");
        assert_eq!(words("zram", "ratio", Value::Real(1.5)), "zram.ratio 1.5 to 1");
        assert_eq!(words("status", "swap_used", Value::Whole(2048)), "status.swap_used 2K");
        let missing = Value::Missing(Missing::OneSample);
        assert_eq!(words("paging", "in_rate", missing), "paging.in_rate -");
    }
}
