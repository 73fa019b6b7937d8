//! `pressure`: pressure stall information (PSI) of memory, I/O and CPU.

use crate::columns::spec::Spec;
use crate::derive::{SampleView, state};
use crate::model::paging::{PsiLine, Stall};
use crate::model::{Reading, part_set};

table!(pub struct PressureTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// The some or full line of a resource.
pub struct Row<'v> {
    view: SampleView<'v>,
    resource: &'v str,
    line: PsiLine,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<PressureTable>("pressure", "Pressure", "resource")
    .about("Pressure stall information (PSI): share of time in which tasks stalled on memory, I/O and CPU")
    .shows("resource,kind,avg10,avg60,avg300,total")
    .with_two("now")
    .needs(part_set![Psi]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    view.now.psi.reading.as_ref().map(|resources| {
        let lines =
            |resource: &'v String| PsiLine::ALL.map(|line| Row { view: *view, resource, line });
        resources.keys().flat_map(lines).collect()
    })
}

impl Row<'_> {
    fn stall(&self) -> Reading<Stall> {
        state::stall(&self.view, self.resource, self.line)
    }

    fn percent(&self, average: impl Fn(&Stall) -> f64) -> Reading<f64> {
        self.stall().map(|stall| average(&stall) / 100.0)
    }
}

const PSI: &str = "/proc/pressure/RESOURCE";

static COLUMNS: &[Column] = &[
    Column::text("resource", "RESOURCE", |row| row.resource.into())
        .says("Resource: memory, io, cpu or irq.", PSI),
    Column::text("kind", "KIND", |row| row.line.word().into())
        .says("Kind: some (at least one task stalled) or full (all tasks stalled).", PSI),
    Column::share("now", "NOW", |row| {
        state::stall_between(&row.view, row.resource, row.line).into()
    })
    .says("Share of the time between the samples in which tasks stalled.", PSI)
    .two(),
    Column::share("avg10", "10s", |row| row.percent(|stall| stall.avg10).into())
        .says("Share of the last 10 seconds in which tasks stalled.", PSI),
    Column::share("avg60", "60s", |row| row.percent(|stall| stall.avg60).into())
        .says("Share of the last 60 seconds in which tasks stalled.", PSI),
    Column::share("avg300", "300s", |row| row.percent(|stall| stall.avg300).into())
        .says("Share of the last 300 seconds in which tasks stalled.", PSI),
    Column::seconds("total", "TOTAL", |row| {
        row.stall().map(|stall| stall.total_us as f64 / 1e6).into()
    })
    .grows()
    .says("Total stall time since boot.", PSI),
];

column_ids! { id: PressureTable, SPEC;
    AVG10 KIND RESOURCE
}
