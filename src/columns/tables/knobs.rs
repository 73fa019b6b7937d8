//! `knobs`: kernel settings that control swapping.

use crate::columns::spec::Spec;
use crate::columns::value::Value;
use crate::derive::SampleView;
use crate::model::knob::{self, Knob, KnobReading};
use crate::model::{Reading, part_set};

table!(pub struct KnobsTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// A knob with its current value.
pub struct Row<'v> {
    view: SampleView<'v>,
    knob: &'static Knob,
    reading: &'v KnobReading,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<KnobsTable>("knobs", "Settings", "name")
    .about("Kernel settings that control swapping, with range and default")
    .shows("name,value,default,range,changed")
    .needs(part_set![Kernel, Knobs]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    view.now.knobs.reading.as_ref().map(|readings| {
        let row = |reading: &'v KnobReading| {
            knob::find(&reading.id).map(|knob| Row { view: *view, knob, reading })
        };
        readings.iter().filter_map(row).collect()
    })
}

impl Row<'_> {
    fn range(&self) -> String {
        let release = self.view.now.release().known().copied();
        let text = self.reading.value.known().map(String::as_str);
        let page_size = self.view.now.page_size.known().copied();
        self.knob.kind_for(release, page_size).accepted_values(text)
    }

    fn value(&self) -> Reading<String> {
        self.reading.value.as_ref().map(|text| self.knob.kind.current_value(text))
    }

    fn default(&self) -> Reading<String> {
        Reading::or_absent(
            self.knob.default.map(str::to_owned),
            "the default depends on the machine and the kernel configuration",
        )
    }
}

static COLUMNS: &[Column] = &[
    Column::text("name", "KNOB", |row| row.knob.id.into())
        .says("Name of the setting.", "the file in FILE"),
    Column::text("value", "VALUE", |row| row.value().into())
        .says("Current value, as printed by the kernel.", "the file in FILE"),
    Column::text("default", "DEFAULT", |row| row.default().into())
        .says("Kernel default; missing if it depends on the machine.", "the kernel's source"),
    Column::text("range", "RANGE", |row| row.range().into())
        .says("Accepted values on this kernel release.", "the kernel's source")
        .drop(4),
    Column::flag("changed", "CHANGED", |row| {
        let both = row.value().map2(row.default(), |value, default| value != default);
        Value::from(both)
    })
    .says("Whether the value differs from the default.", "the file in FILE")
    .drop(3),
    Column::text("file", "FILE", |row| format!("/{}", row.knob.file).into())
        .says("File of the setting.", "the file itself"),
    Column::text("description", "DESCRIPTION", |row| row.knob.help.into())
        .says("Effect of the setting.", "the kernel's documentation"),
];

column_ids! { id: KnobsTable, SPEC;
    DEFAULT FILE DESCRIPTION NAME RANGE VALUE
}
