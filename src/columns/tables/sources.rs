//! `sources`: what this kernel and these rights let us see.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::sources::{self, Outcome};
use crate::model::source::SourceFacts;
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct Sources;

/// A source and what came of it.
pub struct Row<'v> {
    facts: &'v SourceFacts,
    outcome: Outcome,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "sources",
    title: "Sources",
    about: "What this kernel and these rights let us see, and what to do about the rest",
    style: Style::Rows,
    default: &["source", "state", "denied", "failed", "absent", "why", "remedy"],
    with_two: &[],
    key: "source",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::WHOLE.without(PartSet::of(&[Part::ProcessDetail])),
    infos: spec::infos::<Sources>,
    cells: spec::cells::<Sources>,
};

impl Table for Sources {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
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

static COLUMNS: &[Column<Sources>] = &[
    Column {
        info: Info::new("source", "SOURCE", Unit::Text).says("Name of the source.", ALL),
        get: |row| row.facts.id.clone().into(),
    },
    Column {
        info: Info::new("state", "STATE", Unit::Text).says(
            "ok; partly, when some of it was denied or failed; absent, denied or failed, when nothing could be read.",
            ALL,
        ),
        get: |row| row.outcome.state().into(),
    },
    Column {
        info: Info::new("denied", "DENIED", Unit::Count)
            .says("Values that these rights do not let us read.", ALL)
            .drop(3),
        get: |row| row.outcome.count("denied").into(),
    },
    Column {
        info: Info::new("failed", "FAILED", Unit::Count)
            .says("Values that made no sense or could not be read.", ALL)
            .drop(3),
        get: |row| row.outcome.count("failed").into(),
    },
    Column {
        info: Info::new("absent", "ABSENT", Unit::Count)
            .says("Values that this kernel or machine does not offer.", ALL)
            .drop(4),
        get: |row| row.outcome.count("absent").into(),
    },
    Column {
        info: Info::new("absences", "ABSENCES", Unit::List)
            .says("Each reason why a value is absent, once: what this kernel or machine does not offer.", ALL)
            .drop(8),
        get: |row| {
            let absent = row.outcome.inside.values().filter(|(missing, _)| missing.kind() == "absent");
            absent.map(|(missing, _)| missing.why()).collect::<Vec<_>>().into()
        },
    },
    Column {
        info: Info::new("about", "TELLS", Unit::Text).says("What it tells.", ALL).drop(7),
        get: |row| row.facts.about.clone().into(),
    },
    Column {
        info: Info::new("why", "WHY", Unit::Text)
            .says("Why it could not be read whole: the first reason.", ALL)
            .drop(2),
        get: |row| row.why().into(),
    },
    Column {
        info: Info::new("remedy", "WHAT-TO-DO", Unit::Text)
            .says("What to do about it.", ALL)
            .drop(1),
        get: |row| row.remedy().into(),
    },
    Column {
        info: Info::new("files", "FILES", Unit::List)
            .says("The files it reads; * stands for one name, ** for any depth.", ALL)
            .drop(8),
        get: |row| row.facts.files.clone().into(),
    },
];
