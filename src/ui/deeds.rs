//! What can be done with the rows of each table: one list for each kind of row.

use super::app::App;
use super::change::{Intent, Setting, Way};
use super::overlay::{Choice, Item, Typed};
use crate::model::Name;
use crate::model::cgroup::CgroupVersion;
use crate::model::knob::{self, CGROUP_KNOBS, CgroupKind};
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use std::collections::BTreeSet;

/// The rows that are meant.
struct Rows {
    /// Their names, as the table has them.
    names: BTreeSet<String>,
    /// The swap areas that they are, or stand for.
    areas: Vec<Name>,
    /// The control group that the only one is, or belongs to, with the version of such groups.
    group: Option<(Name, CgroupVersion)>,
}

/// What can be done with the rows of some tables.
struct Kind {
    /// The tables.
    tables: &'static [&'static str],
    /// Of many marked rows: what they are called.
    many: &'static str,
    /// What can be done.
    deeds: &'static [Deed],
}

/// Something that can be done with rows.
struct Deed {
    name: &'static str,
    help: &'static str,
    /// The command that does the same.
    command: &'static str,
    /// What is wanted of these, or has to be typed first; nothing where it makes no sense.
    begin: fn(&Rows) -> Option<Choice>,
}

static KINDS: &[Kind] = &[
    Kind {
        tables: &["devices", "zram"],
        many: "areas",
        deeds: &[
            Deed {
                name: "switch off",
                help: "Move what is on it into memory and onto the other areas, and take it off.",
                command: "swapadm off",
                begin: |rows| rows.of_areas(|areas| Choice::Plan(Intent::Off(areas))),
            },
            Deed {
                name: "priority...",
                help: "Give it another place in the order in which areas are filled. It is taken off for a moment, and emptied by that.",
                command: "swapadm priority",
                begin: |rows| rows.of_areas(|areas| Choice::Type(Typed::Priority(areas))),
            },
            Deed {
                name: "faster areas first",
                help: "Give each class of speed one priority, the faster ones above the slower ones; nothing where it is so.",
                command: "swapadm rebalance",
                begin: |rows| rows.of_areas(|_| Choice::Plan(Intent::Rebalance(Way::Tiered))),
            },
            Deed {
                name: "spread what is on them",
                help: "Empty areas that hold more than those of the same priority, so that it spreads; nothing where they are even.",
                command: "swapadm rebalance spread",
                begin: |rows| rows.of_areas(|_| Choice::Plan(Intent::Rebalance(Way::Spread))),
            },
        ],
    },
    Kind {
        tables: &["knobs"],
        many: "settings",
        deeds: &[
            Deed {
                name: "set...",
                help: "Give the setting another value, until the machine starts the next time.",
                command: "swapadm set",
                begin: |rows| rows.knob().map(|setting| Choice::Type(Typed::Kernel(setting))),
            },
            Deed {
                name: "back to its default",
                help: "Give it the value that an untouched kernel has, where that is known.",
                command: "swapadm reset",
                begin: |rows| rows.knob().map(|setting| Choice::Plan(Intent::Set(setting, None))),
            },
        ],
    },
    Kind {
        tables: &["cgroups", "processes"],
        many: "rows",
        deeds: &[
            Deed {
                name: "limit its swap...",
                help: "Most swap that the control group may use: the one of the process, with all others in it.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.of_group("memory.swap.max", CgroupVersion::V2),
            },
            Deed {
                name: "limit its memory and swap...",
                help: "Most memory and swap together that the control group may use: the one of the process, with all others in it.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.of_group("memory.memsw.limit_in_bytes", CgroupVersion::V1),
            },
            Deed {
                name: "its swappiness...",
                help: "How readily pages of the control group are swapped.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.of_group("memory.swappiness", CgroupVersion::V1),
            },
        ],
    },
];

/// What can be done wherever one is.
static ANYWHERE: &[(&str, &str, &str, Choice)] = &[
    (
        "switch on...",
        "Switch an area on that has a swap header: type its path, UUID=... or LABEL=...",
        "swapadm on",
        Choice::Type(Typed::Area),
    ),
    (
        "switch on what fstab names",
        "Switch on all areas of /etc/fstab that are not active.",
        "swapadm on --all",
        Choice::Plan(Intent::OnConfigured),
    ),
];

impl Rows {
    /// Those that are marked, or the selected one.
    fn of(app: &App) -> Self {
        let Some(sheet) = app.sheet() else {
            return Self { names: BTreeSet::new(), areas: Vec::new(), group: None };
        };
        let names = if sheet.tagged.is_empty() {
            sheet.row_name.iter().cloned().collect()
        } else {
            sheet.tagged.clone()
        };
        let is_meant = |area: &&SwapArea| {
            [area.path.exact(), area.path.base().exact()].iter().any(|name| names.contains(name))
        };
        let areas = app.moment().and_then(|moment| moment.now.swaps.reading.known());
        let areas = areas.map_or(&[][..], Vec::as_slice).iter().filter(is_meant);
        let areas = areas.map(|area| area.path.clone()).collect();
        Self { areas, group: group(app, &names), names }
    }

    /// The setting that the only row is.
    fn knob(&self) -> Option<Setting> {
        let knob = self.names.first().filter(|_| self.names.len() == 1)?;
        Some(Setting { knob: knob.clone(), group: None })
    }

    /// A setting of the control group, if groups of this version have it here.
    fn of_group(&self, knob: &str, version: CgroupVersion) -> Option<Choice> {
        let (group, _) = self.group.as_ref().filter(|(_, own)| *own == version)?;
        let setting = Setting { knob: knob.to_owned(), group: Some(group.clone()) };
        Some(Choice::Type(Typed::Kernel(setting)))
    }

    /// A choice about the areas among them, if there are any.
    fn of_areas(&self, choice: impl Fn(Vec<Name>) -> Choice) -> Option<Choice> {
        (!self.areas.is_empty()).then(|| choice(self.areas.clone()))
    }

    /// What they are called.
    fn words(&self, many: &str) -> String {
        match (self.names.len(), self.names.first()) {
            (1, Some(name)) => safe_text(name),
            (count, _) => format!("{count} marked {many}"),
        }
    }
}

/// The control group that the only one of these rows is, or belongs to.
fn group(app: &App, names: &BTreeSet<String>) -> Option<(Name, CgroupVersion)> {
    let name = names.first().filter(|_| names.len() == 1)?;
    let now = &app.moment()?.now;
    let tree = now.cgroups.reading.known()?;
    let of_process = || {
        let table = now.processes.reading.known()?;
        let process = table.processes.iter().find(|it| it.pid.to_string() == *name)?;
        process.cgroup.known().cloned()
    };
    let own = tree.groups.iter().find(|group| group.path.exact() == *name);
    let group = own.map(|group| group.path.clone()).or_else(of_process)?;
    Some((group, tree.version))
}

/// What a setting takes, in words.
#[must_use]
pub fn accepts(app: &App, setting: &Setting) -> String {
    if setting.group.is_some() {
        let knob = CGROUP_KNOBS.iter().find(|knob| knob.id == setting.knob);
        return match knob.map(|knob| knob.kind) {
            Some(CgroupKind::Plain(kind)) => kind.takes(None),
            Some(CgroupKind::Limit) | None => "a size such as 512M or 2G; max for none".to_owned(),
        };
    }
    let now = app.moment().and_then(|moment| moment.now.knobs.reading.known());
    let reading = now.and_then(|knobs| knobs.iter().find(|it| it.id == setting.knob));
    let text = reading.and_then(|reading| reading.value.known());
    let kind = knob::find(&setting.knob).map(|knob| knob.kind);
    kind.map_or_else(String::new, |kind| kind.takes(text.map(String::as_str)))
}

/// What actions are about, in words, and the actions.
#[must_use]
pub fn menu(app: &App) -> (String, Vec<Item>) {
    let rows = Rows::of(app);
    let table = app.sheet().map_or("", |sheet| sheet.query.spec.name);
    let kind = KINDS.iter().find(|kind| kind.tables.contains(&table));
    let deeds = kind.map_or(&[][..], |kind| kind.deeds);
    let of_rows = deeds
        .iter()
        .filter_map(|deed| Some(item(deed.name, deed.help, deed.command, (deed.begin)(&rows)?)));
    let of_rows: Vec<Item> = of_rows.collect();
    let about = match kind.filter(|_| !of_rows.is_empty()) {
        Some(kind) => rows.words(kind.many),
        None => "this machine".to_owned(),
    };
    let anywhere = ANYWHERE
        .iter()
        .map(|(name, help, command, choice)| item(name, help, command, choice.clone()));
    // Of what is captured nobody knows what was cut off.
    let last = app.is_live().then(recover);
    (about, of_rows.into_iter().chain(anywhere).chain(last).collect())
}

/// What puts right what was cut off.
#[must_use]
pub fn recover() -> Item {
    item(
        "put right what was cut off",
        "Put areas on again that a change left off when it was cut off, as by a crash.",
        "swapadm recover",
        Choice::Plan(Intent::Recover),
    )
}

fn item(name: &str, help: &str, command: &str, choice: Choice) -> Item {
    Item {
        name: name.to_owned(),
        help: help.to_owned(),
        note: command.to_owned(),
        on: None,
        off: None,
        choice,
    }
}
