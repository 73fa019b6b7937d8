//! `sources`: what is readable on this kernel with the current rights.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::sources::{self, SourceOutcome};
use crate::model::parts::SourceFacts;
use crate::model::{PartSet, Reading, part_set};

table!(pub struct SourcesTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// A source and its outcome.
pub struct Row<'v> {
    facts: &'v SourceFacts,
    outcome: SourceOutcome,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<SourcesTable>("sources", "Sources", "source")
    .about("Data sources: what is readable on this kernel with the current rights, and how to get the rest")
    .shows("source,state,denied,failed,absent,why,remedy")
    .needs(PartSet::WHOLE.without(part_set![ProcessDetail]));

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    view.now.sources.reading.as_ref().map(|all| {
        let row =
            |facts: &'v SourceFacts| Row { facts, outcome: sources::outcome(view.now, facts.part) };
        all.iter().map(row).collect()
    })
}

impl Row<'_> {
    /// The reason why the whole source failed, or the most severe reason inside it.
    fn why(&self) -> Reading<String> {
        if let Some(missing) = &self.outcome.whole {
            return Reading::Known(missing.to_string());
        }
        let of_kind = |kind: &str| {
            let mut reasons = self.outcome.inside.values().map(|(missing, _)| missing);
            reasons.find(|missing| missing.kind() == kind).map(ToString::to_string)
        };
        Reading::or_absent(of_kind("denied").or_else(|| of_kind("failed")), "everything was read")
    }

    fn remedy(&self) -> Reading<String> {
        match self.outcome.state() {
            "ok" => Reading::absent("no remedy is needed"),
            "not_sampled" if PartSet::CLUSTERS.has(self.facts.part) => {
                Reading::Known(format!("swapadm clusters reads it; if not: {}", self.facts.remedy))
            }
            _ => Reading::Known(self.facts.remedy.clone()),
        }
    }
}

const ALL: &str = "the files in FILES";

static COLUMNS: &[Column] = &[
    Column::text("source", "SOURCE", |row| row.facts.id.clone().into())
        .says("Name of the source.", ALL),
    Column::text("state", "STATE", |row| row.outcome.state().into())
        .says("State: ok, partly (some of it was denied or failed), absent, denied or failed (nothing was read), or not_sampled (this report does not read it).", ALL),
    Column::count("denied", "DENIED", |row| row.outcome.count("denied").into())
        .says("Number of values without permission to read.", ALL)
        .drop(3),
    Column::count("failed", "FAILED", |row| row.outcome.count("failed").into())
        .says("Number of values that were invalid or could not be read.", ALL)
        .drop(3),
    Column::count("absent", "ABSENT", |row| row.outcome.count("absent").into())
        .says("Number of values that this kernel or machine does not provide.", ALL)
        .drop(4),
    Column::list("absent_reasons", "ABSENT-WHY", |row| {
        let absent = row.outcome.inside.values().filter(|(missing, _)| missing.kind() == "absent");
        absent.map(|(missing, _)| missing.why()).collect::<Vec<_>>().into()
    })
    .says("Reasons why values are absent, each once.", ALL),
    Column::text("description", "DESCRIPTION", |row| row.facts.about.clone().into())
        .says("Content of the source.", ALL),
    Column::text("why", "WHY", |row| row.why().into())
        .says("First reason why the source is incomplete.", ALL)
        .drop(2),
    Column::text("remedy", "REMEDY", |row| row.remedy().into())
        .says("How to make it readable.", ALL)
        .drop(1),
    Column::list("files", "FILES", |row| row.facts.files.clone().into())
        .says("Files of the source; * matches one name, ** any depth.", ALL),
];
