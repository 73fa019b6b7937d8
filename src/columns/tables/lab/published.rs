//! `published`: the published figures of kernel developers beside those of the simulated machine.

use super::common::{fill_table, not_in_snapshots};
use super::{FilledTable, all_columns_and_rows};
use crate::columns::spec::Spec;
use crate::columns::{Request, Value, units};
use crate::derive::lab::Measure;
use crate::model::Reading;
use crate::sim::published::{
    Agreement, ComparedFigure, FigureValue, MODEL_NOISE, PUBLISHED_NOISE, PublishedTable,
};

table!(
    pub struct PublishedFiguresTable: &'v ComparedFigure, Column, COLUMNS,
    |_, _| not_in_snapshots()
);

/// Definition of the table.
pub const SPEC: Spec =
    Spec::for_table::<PublishedFiguresTable>("published", "Published experiments", "case")
        .about("Figures that kernel developers published beside those of the simulated machine, and whether both agree")
        .shows("case,figure,published,model,agreement");

/// Source of the published columns.
const TEXT: &str = "the published text";
/// Source of the other columns.
const MODEL: &str = "the simulated machine";

/// A figure with its unit.
fn written(value: &FigureValue, unit: &str) -> String {
    match value {
        FigureValue::Text(text) => text.clone(),
        FigureValue::Number(number) if unit == Measure::Seconds.word() => {
            let shown = Measure::Seconds.shown(*number);
            format!("{} {}", units::number(*number / shown.size), shown.word)
        }
        FigureValue::Number(number) => {
            format!("{} {unit}", units::number(*number)).trim_end().to_owned()
        }
    }
}

fn published(row: &ComparedFigure) -> Reading<&FigureValue> {
    row.published.as_ref().map_or_else(|why| Reading::absent(*why), Reading::Known)
}

fn model(row: &ComparedFigure) -> Reading<&FigureValue> {
    row.model.as_ref().map_or_else(|why| Reading::absent(why.as_str()), Reading::Known)
}

fn number(value: Reading<&FigureValue>) -> Value {
    value.and_then(|value| Reading::or_absent(value.number(), "the figure is a text")).into()
}

fn ratio(ratio: Option<f64>) -> Value {
    Reading::or_absent(ratio, "one of both figures is 0 or missing").into()
}

fn agreement(row: &ComparedFigure) -> String {
    match &row.agreement {
        Agreement::Holds => "holds".to_owned(),
        Agreement::Differs(what) => format!("DIFFERS: {what}"),
        Agreement::DependsOnSize(what) => format!("holds at this size only; {what}"),
        Agreement::Inferred => "the simulated machine is inferred from it".to_owned(),
        Agreement::NoOrder => "no order published".to_owned(),
        Agreement::Missing => "not reproduced".to_owned(),
    }
}

static COLUMNS: &[Column] = &[
    Column::text("table", "TABLE", |row| row.table.letter.to_string().into())
        .says("Letter of the published table, which is that of the experiment too.", TEXT),
    Column::text("case", "CASE", |row| row.case.into()).says("Case.", TEXT),
    Column::text("figure", "FIGURE", |row| row.figure.into()).says("Figure.", TEXT),
    Column::text("unit", "UNIT", |row| row.unit.into()).says("Unit of the figure.", TEXT),
    Column::text("published", "PUBLISHED", |row| {
        published(row).map(|value| written(value, row.unit)).into()
    })
    .says("Published value, with its unit.", TEXT),
    Column::text("model", "MODEL", |row| model(row).map(|value| written(value, row.unit)).into())
        .says("Value of the simulated machine, with its unit. Times are estimates, computed from the costs that swapadm machine costs shows, for a machine that is smaller than the published one.", MODEL),
    Column::number("published_value", "PUBLISHED VALUE", |row| number(published(row)))
        .says("Published value in the unit of the figure.", TEXT),
    Column::number("model_value", "MODEL VALUE", |row| number(model(row)))
        .says("Value of the simulated machine in the unit of the figure.", MODEL),
    Column::ratio("published_ratio", "PUBLISHED RATIO", |row| ratio(row.published_ratio))
        .says("Published value divided by that of the first case of the same figure.", TEXT),
    Column::ratio("model_ratio", "MODEL RATIO", |row| ratio(row.model_ratio))
        .says("Value of the simulated machine divided by that of the first case of the same figure.", MODEL),
    Column::text("agreement", "AGREEMENT", |row| agreement(row).into())
        .says("Whether the figures of the simulated machine have the published order, range or value.", MODEL),
    Column::text("source", "SOURCE", |row| row.table.source.as_str().into())
        .says("Published text of the row.", TEXT),
];

/// The table with these figures. Fails if a column is not known.
pub fn table(figures: &[ComparedFigure], all_columns: bool) -> Result<FilledTable, String> {
    let rows: Vec<&ComparedFigure> = figures.iter().collect();
    let request = if all_columns {
        all_columns_and_rows()
    } else {
        Request { all: true, ..Request::default() }
    };
    fill_table::<PublishedFiguresTable>(&SPEC, &request, &rows)
}

/// The heading of a published table.
pub fn title(table: &PublishedTable) -> String {
    format!("{}. {}", table.letter, table.title)
}

/// Paragraphs between the heading and the rows of a published table.
pub fn introduction(table: &PublishedTable) -> [String; 2] {
    [format!("Published: {}.", table.source), table.setup.clone()]
}

/// Paragraphs below the rows: reasons for missing figures, and why figures differ.
pub fn remarks(table: &PublishedTable, figures: &[ComparedFigure]) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    for figure in figures {
        if let Err(why) = &figure.model {
            let remark = format!("Not reproduced: {}: {why}.", figure.figure);
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
    }
    let is_difference =
        |it: &Agreement| matches!(it, Agreement::Differs(_) | Agreement::DependsOnSize(_));
    let differs = figures.iter().any(|it| is_difference(&it.agreement));
    remarks.extend((differs && !table.differences.is_empty()).then(|| table.differences.clone()));
    remarks
}

/// Counts the results, in a sentence.
pub fn summary(figures: &[ComparedFigure]) -> String {
    let count = |is: fn(&Agreement) -> bool| figures.iter().filter(|it| is(&it.agreement)).count();
    format!(
        "{} figures: {} hold, {} differ, {} hold at one size only, {} are those from which the machine was inferred, {} have no published order, {} are not reproduced.",
        figures.len(),
        count(|it| *it == Agreement::Holds),
        count(|it| matches!(it, Agreement::Differs(_))),
        count(|it| matches!(it, Agreement::DependsOnSize(_))),
        count(|it| *it == Agreement::Inferred),
        count(|it| *it == Agreement::NoOrder),
        count(|it| *it == Agreement::Missing),
    )
}

/// The meaning of a figure that holds.
pub fn legend() -> String {
    format!(
        "SIMULATED. Figures of other machines are not expected to be equal. A figure holds if its cases have the published order (published figures less than {:.0} % apart have none, figures of the model less than {:.0} % apart count as equal), or if it has the published value, range or order of magnitude where that does not depend on the machine. Times of the model are estimates of the built-in cost file for a smaller machine: compare ratios. No cost and no rule of the model was fitted to these tables; figures from which the machine itself was inferred are not judged. Some tables are simulated at a second size too: a figure that holds at the first one only is marked.",
        PUBLISHED_NOISE * 100.0,
        MODEL_NOISE * 100.0
    )
}
