//! What can be done with the rows of each table: one list for each kind of row.

use super::app::App;
use super::change::{ChangeRequest, Intent, Setting, ZramRequest, ZramValue};
use super::input::PromptKind;
use super::overlay::{MenuChoice, MenuItem};
use crate::actions::rebalance::Strategy;
use crate::change::SwaponOptions;
use crate::columns::units::size;
use crate::model::knob::{self, CGROUP_KNOBS, CgroupKind};
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::users::CgroupVersion;
use crate::model::zram::ZramDevice;
use crate::model::{Name, Policy, zram};
use std::collections::BTreeSet;

/// The rows that are meant.
struct SelectedRows {
    /// Their names, as the table has them.
    names: BTreeSet<String>,
    /// The swap areas that they are, or stand for.
    areas: Vec<Name>,
    /// The zram device that the only one is, or lies on.
    zram: Option<SelectedZram>,
    /// The control group that the only one is, or belongs to, with the version of such groups.
    group: Option<(Name, CgroupVersion)>,
}

/// What can be done with the rows of some tables.
struct RowKind {
    /// The tables.
    tables: &'static [&'static str],
    /// Of many marked rows: what they are called.
    many: &'static str,
    /// What can be done.
    actions: &'static [RowAction],
}

/// Something that can be done with rows.
struct RowAction {
    name: &'static str,
    help: &'static str,
    /// The command that does the same.
    command: &'static str,
    /// What is wanted of these, or has to be typed first; nothing where it makes no sense.
    begin: fn(&SelectedRows) -> Option<MenuChoice>,
}

static KINDS: &[RowKind] = &[
    RowKind {
        tables: &["devices", "selection", "zram"],
        many: "areas",
        actions: &[
            RowAction {
                name: "switch off",
                help: "Move what is on it into memory and onto the other areas, and take it off.",
                command: "swapadm off",
                begin: |rows| rows.for_areas(|areas| known(Intent::Off(areas))),
            },
            RowAction {
                name: "priority...",
                help: "Give it another place in the order in which areas are filled. It is taken off for a moment, and emptied by that.",
                command: "swapadm priority",
                begin: |rows| rows.for_areas(|areas| MenuChoice::Type(PromptKind::Priority(areas))),
            },
            RowAction {
                name: "faster areas first",
                help: "Give each class of speed one priority, the faster ones above the slower ones; nothing where it is so.",
                command: "swapadm rebalance",
                begin: |rows| rows.for_areas(|_| known(Intent::Rebalance(Strategy::Tiered))),
            },
            RowAction {
                name: "spread what is on them",
                help: "Empty areas that hold more than those of the same priority, so that it spreads; nothing where they are even.",
                command: "swapadm rebalance spread",
                begin: |rows| rows.for_areas(|_| known(Intent::Rebalance(Strategy::Spread(SKEW)))),
            },
            RowAction {
                name: "size...",
                help: "Give the zram device another size. Swap on it is taken off, and comes back as it was.",
                command: "swapadm zram resize",
                begin: |rows| rows.set_zram(ZramValue::Size),
            },
            RowAction {
                name: "algorithm...",
                help: "Let the zram device compress otherwise. Swap on it is taken off, and comes back as it was.",
                command: "swapadm zram algorithm",
                begin: |rows| rows.set_zram(ZramValue::Algorithm),
            },
            RowAction {
                name: "memory limit...",
                help: "Limit the memory that the zram device takes, while it is in use.",
                command: "swapadm zram limit",
                begin: |rows| rows.set_zram(ZramValue::Limit),
            },
            RowAction {
                name: "compact",
                help: "Let the zram device give back memory that is lost between what it holds.",
                command: "swapadm zram compact",
                begin: |rows| rows.for_zram(ZramRequest::Compact),
            },
            RowAction {
                name: "mark as idle...",
                help: "Mark what the zram device holds as idle: all, or what was not used for so long.",
                command: "swapadm zram idle",
                begin: |rows| rows.set_backed_zram(ZramValue::Idle),
            },
            RowAction {
                name: "write back...",
                help: "Write pages of the zram device to its backing device: those that are idle, or do not compress.",
                command: "swapadm zram writeback",
                begin: |rows| rows.set_backed_zram(ZramValue::Writeback),
            },
            RowAction {
                name: "remove",
                help: "Remove the zram device; swap on it has to be switched off before.",
                command: "swapadm zram remove",
                begin: |rows| rows.for_zram(ZramRequest::Remove),
            },
        ],
    },
    RowKind {
        tables: &["knobs"],
        many: "settings",
        actions: &[
            RowAction {
                name: "set...",
                help: "Give the setting another value, until the machine starts the next time.",
                command: "swapadm set",
                begin: |rows| rows.knob().map(|setting| MenuChoice::Type(PromptKind::Kernel(setting))),
            },
            RowAction {
                name: "back to its default",
                help: "Give it the value that an untouched kernel has, where that is known.",
                command: "swapadm reset",
                begin: |rows| rows.knob().map(|setting| known(Intent::Reset(vec![setting]))),
            },
        ],
    },
    RowKind {
        tables: &["cgroups", "processes"],
        many: "rows",
        actions: &[
            RowAction {
                name: "limit its swap...",
                help: "Most swap that the control group may use: the one of the process, with all others in it.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.for_cgroup("memory.swap.max", CgroupVersion::V2),
            },
            RowAction {
                name: "limit its memory and swap...",
                help: "Most memory and swap together that the control group may use: the one of the process, with all others in it.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.for_cgroup("memory.memsw.limit_in_bytes", CgroupVersion::V1),
            },
            RowAction {
                name: "its swappiness...",
                help: "How readily pages of the control group are swapped.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.for_cgroup("memory.swappiness", CgroupVersion::V1),
            },
        ],
    },
];

/// Areas of one priority are uneven from this skew on.
const SKEW: f64 = Policy::DEFAULT.skew_warn;

/// The choice of a change that is known in full.
fn known(intent: Intent) -> MenuChoice {
    MenuChoice::Plan(intent.into())
}

/// What can be done wherever one is.
static ANYWHERE: &[(&str, &str, &str, MenuChoice)] = &[
    (
        "switch on...",
        "Switch an area on that has a swap header: type its path, UUID=... or LABEL=...",
        "swapadm on",
        MenuChoice::Type(PromptKind::Area),
    ),
    (
        "switch on what fstab names",
        "Switch on all areas of /etc/fstab that are not active.",
        "swapadm on --all",
        MenuChoice::Plan(ChangeRequest::Intent(Intent::OnConfigured(SwaponOptions {
            priority: None,
            discard: None,
        }))),
    ),
    (
        "new zram swap...",
        "Make a zram device, format it and switch it on: type its size.",
        "swapadm zram swap",
        MenuChoice::Type(PromptKind::ZramSwap),
    ),
];

impl SelectedRows {
    /// Those that are marked, or the selected one.
    fn from_app(app: &App) -> Self {
        let Some(sheet) = app.sheet() else {
            return Self { names: BTreeSet::new(), areas: Vec::new(), zram: None, group: None };
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
        Self { areas, zram: SelectedZram::for_names(app, &names), group: group(app, &names), names }
    }

    /// The setting that the only row is.
    fn knob(&self) -> Option<Setting> {
        let knob = self.names.first().filter(|_| self.names.len() == 1)?;
        Some(Setting { knob: knob.clone(), group: None })
    }

    /// A setting of the control group, if groups of this version have it here.
    fn for_cgroup(&self, knob: &str, version: CgroupVersion) -> Option<MenuChoice> {
        let (group, _) = self.group.as_ref().filter(|(_, own)| *own == version)?;
        let setting = Setting { knob: knob.to_owned(), group: Some(group.clone()) };
        Some(MenuChoice::Type(PromptKind::Kernel(setting)))
    }

    /// A choice about the zram device.
    fn for_zram(&self, request: ZramRequest) -> Option<MenuChoice> {
        let zram = self.zram.as_ref()?;
        Some(MenuChoice::Plan(ChangeRequest::Zram(zram.name.clone(), request)))
    }

    /// The choice to type what the zram device is given.
    fn set_zram(&self, value: ZramValue) -> Option<MenuChoice> {
        let zram = self.zram.as_ref()?;
        Some(MenuChoice::Type(PromptKind::Zram(zram.name.clone(), value)))
    }

    /// The same where it has a backing device.
    fn set_backed_zram(&self, value: ZramValue) -> Option<MenuChoice> {
        self.zram.as_ref().filter(|zram| zram.is_backed)?;
        self.set_zram(value)
    }

    /// A choice about the areas among them, if there are any.
    fn for_areas(&self, choice: impl Fn(Vec<Name>) -> MenuChoice) -> Option<MenuChoice> {
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

/// A zram device.
struct SelectedZram {
    name: String,
    /// Has it a device to write pages back to?
    is_backed: bool,
}

impl SelectedZram {
    /// The one that the only one of these rows is, or lies on.
    fn for_names(app: &App, names: &BTreeSet<String>) -> Option<Self> {
        let row = names.first().filter(|_| names.len() == 1)?;
        let name = row.strip_prefix("/dev/").unwrap_or(row);
        zram::device_number(&Name::from(format!("/dev/{name}").as_str()))?;
        let known = device(app, name).and_then(|device| device.backing_dev.known());
        Some(Self { name: name.to_owned(), is_backed: known.is_some() })
    }
}

/// What is known of a zram device.
fn device<'a>(app: &'a App, name: &str) -> Option<&'a ZramDevice> {
    let devices = app.moment()?.now.zram.reading.known()?;
    devices.iter().find(|device| device.name == name)
}

/// What can be typed for a value of a zram device; of one that is to be made where it has no name.
pub fn accepts_zram(app: &App, name: &str, value: ZramValue) -> String {
    let memory = app.moment().and_then(|moment| moment.now.memory("MemTotal").known().copied());
    let memory = memory.map_or_else(String::new, |memory| format!(", which is {}", size(memory)));
    match value {
        ZramValue::Size => format!("512M, 2G, or 50% of memory{memory}"),
        ZramValue::Limit => format!("512M, 2G, or 25% of memory{memory}; none for no limit"),
        ZramValue::Algorithm => {
            let choice = device(app, name).and_then(|device| device.algorithm.known());
            choice.map_or_else(|| "a name such as zstd".to_owned(), |it| it.offered.join(", "))
        }
        ZramValue::Idle => "all, or a time: 90, 30m or 1h without use".to_owned(),
        ZramValue::Writeback => "idle, huge, huge_idle or incompressible".to_owned(),
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
pub fn accepts(app: &App, setting: &Setting) -> String {
    if setting.group.is_some() {
        let knob = CGROUP_KNOBS.iter().find(|knob| knob.id == setting.knob);
        return match knob.map(|knob| knob.kind) {
            Some(CgroupKind::Plain(kind)) => kind.accepted_values(None),
            Some(CgroupKind::Limit) | None => "a size such as 512M or 2G; max for none".to_owned(),
        };
    }
    let now = app.moment().and_then(|moment| moment.now.knobs.reading.known());
    let reading = now.and_then(|knobs| knobs.iter().find(|it| it.id == setting.knob));
    let text = reading.and_then(|reading| reading.value.known());
    let kind = knob::find(&setting.knob).map(|knob| knob.kind);
    kind.map_or_else(String::new, |kind| kind.accepted_values(text.map(String::as_str)))
}

/// What actions are about, in words, and the actions.
pub fn menu(app: &App) -> (String, Vec<MenuItem>) {
    let rows = SelectedRows::from_app(app);
    let table = app.sheet().map_or("", |sheet| sheet.query.spec.name);
    let kind = KINDS.iter().find(|kind| kind.tables.contains(&table));
    let actions = kind.map_or(&[][..], |kind| kind.actions);
    let of_rows = actions.iter().filter_map(|action| {
        Some(item(action.name, action.help, action.command, (action.begin)(&rows)?))
    });
    let of_rows: Vec<MenuItem> = of_rows.collect();
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
pub fn recover() -> MenuItem {
    item(
        "put right what was cut off",
        "Put areas on again that a change left off when it was cut off, as by a crash.",
        "swapadm recover",
        known(Intent::Recover),
    )
}

fn item(name: &str, help: &str, command: &str, choice: MenuChoice) -> MenuItem {
    MenuItem {
        name: name.to_owned(),
        help: help.to_owned(),
        note: command.to_owned(),
        on: None,
        off: None,
        choice,
    }
}
