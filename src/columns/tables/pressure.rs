//! `pressure`: how long tasks waited for memory, I/O and processors.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::model::psi::{Pressure as Facts, Stall};
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct Pressure;

/// One line of one resource.
pub struct Row<'v> {
    view: View<'v>,
    resource: &'v str,
    full: bool,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "pressure",
    title: "Pressure",
    about: "The share of time in which tasks waited for memory, I/O and processors",
    style: Style::Rows,
    default: &["resource", "kind", "avg10", "avg60", "avg300", "total"],
    with_two: &["now"],
    key: "resource",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Psi]),
    infos: spec::infos::<Pressure>,
    cells: spec::cells::<Pressure>,
};

impl Table for Pressure {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        view.now.psi.reading.as_ref().map(|resources| {
            let lines = |resource: &'v String| {
                [false, true].map(|full| Row { view: *view, resource, full })
            };
            resources.keys().flat_map(lines).collect()
        })
    }
}

impl Row<'_> {
    fn stall(&self) -> Reading<Stall> {
        self.view.now.psi.reading.as_ref().and_then(|psi| self.line(psi))
    }

    fn line(&self, psi: &std::collections::BTreeMap<String, Reading<Facts>>) -> Reading<Stall> {
        let Some(pressure) = psi.get(self.resource) else {
            return Reading::not_sampled();
        };
        let line = |pressure: &Facts| {
            if self.full { pressure.full.clone() } else { pressure.some.clone() }
        };
        pressure.as_ref().and_then(line)
    }

    fn percent(&self, average: impl Fn(&Stall) -> f64) -> Reading<f64> {
        self.stall().map(|stall| average(&stall) / 100.0)
    }
}

const PSI: &str = "/proc/pressure/RESOURCE";

static COLUMNS: &[Column<Pressure>] = &[
    Column {
        info: Info::new("resource", "RESOURCE", Unit::Text).says("What was waited for.", PSI),
        get: |row| row.resource.into(),
    },
    Column {
        info: Info::new("kind", "KIND", Unit::Text)
            .says("some: at least one task waited; full: no task could go on.", PSI),
        get: |row| if row.full { "full" } else { "some" }.into(),
    },
    Column {
        info: Info::new("now", "NOW", Unit::Share)
            .says("Share of the time between the samples.", PSI)
            .two(),
        get: |row| {
            let change = row
                .view
                .change(|snapshot| &snapshot.psi, |psi| row.line(psi).map(|stall| stall.total_us));
            change.map(|waited| waited.per_second() / 1e6).into()
        },
    },
    Column {
        info: Info::new("avg10", "10s", Unit::Share).says("Share of the last 10 seconds.", PSI),
        get: |row| row.percent(|stall| stall.avg10).into(),
    },
    Column {
        info: Info::new("avg60", "60s", Unit::Share).says("Share of the last 60 seconds.", PSI),
        get: |row| row.percent(|stall| stall.avg60).into(),
    },
    Column {
        info: Info::new("avg300", "300s", Unit::Share).says("Share of the last 300 seconds.", PSI),
        get: |row| row.percent(|stall| stall.avg300).into(),
    },
    Column {
        info: Info::new("total", "TOTAL", Unit::Seconds).says("Time waited since boot.", PSI),
        get: |row| row.stall().map(|stall| stall.total_us as f64 / 1e6).into(),
    },
];
