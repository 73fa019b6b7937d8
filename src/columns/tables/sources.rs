//! `sources`: what this kernel and these rights let us see.

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::sources::{self, SourceOutcome};
use crate::model::parts::SourceFacts;
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct SourcesTable;

/// A source and what came of it.
pub struct Row<'v> {
    facts: &'v SourceFacts,
    outcome: SourceOutcome,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<SourcesTable>("sources", "Sources", "source")
    .about("What this kernel and these rights let us see, and what to do about the rest")
    .shows(&["source", "state", "denied", "failed", "absent", "why", "remedy"])
    .needs(PartSet::WHOLE.without(PartSet::from_parts(&[Part::ProcessDetail])));

impl Table for SourcesTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        view.now.sources.reading.as_ref().map(|all| {
            let row = |facts: &'v SourceFacts| Row {
                facts,
                outcome: sources::outcome(view.now, facts.part),
            };
            all.iter().map(row).collect()
        })
    }
}

impl Row<'_> {
    /// The reason for the whole, or the gravest reason inside.
    fn why(&self) -> Reading<String> {
        if let Some(missing) = &self.outcome.whole {
            return Reading::Known(missing.to_string());
        }
        let of_kind = |kind: &str| {
            let mut reasons = self.outcome.inside.values().map(|(missing, _)| missing);
            reasons.find(|missing| missing.kind() == kind).map(ToString::to_string)
        };
        match of_kind("denied").or_else(|| of_kind("failed")) {
            Some(why) => Reading::Known(why),
            None => Reading::absent("nothing was denied and nothing failed"),
        }
    }

    fn remedy(&self) -> Reading<String> {
        match self.outcome.state() {
            "ok" => Reading::absent("there is nothing to do"),
            _ => Reading::Known(self.facts.remedy.clone()),
        }
    }
}

const ALL: &str = "the files in FILES";

type Column = spec::Column<SourcesTable>;

static COLUMNS: &[Column] = &[
    Column::text("source", "SOURCE", |row| row.facts.id.clone().into())
        .says("Name of the source.", ALL),
    Column::text("state", "STATE", |row| row.outcome.state().into())
        .says("ok; partly, when some of it was denied or failed; absent, denied or failed, when nothing could be read.", ALL),
    Column::count("denied", "DENIED", |row| row.outcome.count("denied").into())
        .says("Values that these rights do not let us read.", ALL)
        .drop(3),
    Column::count("failed", "FAILED", |row| row.outcome.count("failed").into())
        .says("Values that made no sense or could not be read.", ALL)
        .drop(3),
    Column::count("absent", "ABSENT", |row| row.outcome.count("absent").into())
        .says("Values that this kernel or machine does not offer.", ALL)
        .drop(4),
    Column::list("absences", "ABSENCES", |row| {
        let absent = row.outcome.inside.values().filter(|(missing, _)| missing.kind() == "absent");
        absent.map(|(missing, _)| missing.why()).collect::<Vec<_>>().into()
    })
    .says("Each reason why a value is absent, once: what this kernel or machine does not offer.", ALL)
    .drop(8),
    Column::text("about", "TELLS", |row| row.facts.about.clone().into())
        .says("What it tells.", ALL)
        .drop(7),
    Column::text("why", "WHY", |row| row.why().into())
        .says("Why it could not be read whole: the first reason.", ALL)
        .drop(2),
    Column::text("remedy", "WHAT-TO-DO", |row| row.remedy().into())
        .says("What to do about it.", ALL)
        .drop(1),
    Column::list("files", "FILES", |row| row.facts.files.clone().into())
        .says("The files it reads; * stands for one name, ** for any depth.", ALL)
        .drop(8),
];
