//! `knobs`: settings that steer swapping.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::{Unit, Value};
use crate::derive::View;
use crate::model::knob::{self, Knob, KnobReading, Release};
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct Knobs;

/// A knob with its setting.
pub struct Row<'v> {
    view: View<'v>,
    knob: &'static Knob,
    reading: &'v KnobReading,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "knobs",
    title: "Settings",
    about: "Settings that steer swapping, with their range and default",
    style: Style::Rows,
    default: &["name", "value", "default", "range", "changed"],
    with_two: &[],
    key: "name",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Kernel, Part::Knobs]),
    infos: spec::infos::<Knobs>,
    cells: spec::cells::<Knobs>,
};

impl Table for Knobs {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        view.now.knobs.reading.as_ref().map(|readings| {
            let row = |reading: &'v KnobReading| {
                knob::find(&reading.id).map(|knob| Row { view: *view, knob, reading })
            };
            readings.iter().filter_map(row).collect()
        })
    }
}

impl Row<'_> {
    fn range(&self) -> String {
        let release =
            self.view.now.kernel.reading.as_ref().and_then(|kernel| kernel.release.clone());
        let release = release.known().and_then(|release| Release::parse(release));
        let text = self.reading.value.known().map(String::as_str);
        self.knob.kind_on(release).takes(text)
    }

    fn value(&self) -> Reading<String> {
        self.reading.value.as_ref().map(|text| self.knob.kind.setting(text))
    }

    fn default(&self) -> Reading<String> {
        match self.knob.default {
            Some(default) => Reading::Known(default.to_owned()),
            None => Reading::absent("the kernel chooses it by the machine and its configuration"),
        }
    }
}

static COLUMNS: &[Column<Knobs>] = &[
    Column {
        info: Info::new("name", "KNOB", Unit::Text).says("Its name.", "the file in FILE"),
        get: |row| row.knob.id.into(),
    },
    Column {
        info: Info::new("value", "VALUE", Unit::Text)
            .says("What it is set to, as the kernel prints it.", "the file in FILE"),
        get: |row| row.value().into(),
    },
    Column {
        info: Info::new("default", "DEFAULT", Unit::Text).says(
            "What an untouched kernel has; missing where that depends on the machine.",
            "the kernel's source",
        ),
        get: |row| row.default().into(),
    },
    Column {
        info: Info::new("range", "RANGE", Unit::Text)
            .says("What it takes on a kernel of this release.", "the kernel's source")
            .drop(4),
        get: |row| row.range().into(),
    },
    Column {
        info: Info::new("changed", "CHANGED", Unit::Flag)
            .says("Does it differ from the default?", "the file in FILE")
            .drop(3),
        get: |row| {
            let both = row.value().map2(row.default(), |value, default| value != default);
            Value::from(both)
        },
    },
    Column {
        info: Info::new("file", "FILE", Unit::Text).says("Its file.", "the file itself").drop(6),
        get: |row| format!("/{}", row.knob.file).into(),
    },
    Column {
        info: Info::new("help", "WHAT", Unit::Text)
            .says("What it does.", "the kernel's documentation")
            .drop(5),
        get: |row| row.knob.help.into(),
    },
];
