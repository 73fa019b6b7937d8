//! The actions on rows: one list for each kind of row.

mod kinds;

use super::app::{App, SourceKind};
use super::availability::unavailable_reason;
use super::change::{ChangeRequest, Intent, Setting};
use super::command::UiCommand;
use super::input::{PromptKind, ZramValue};
use super::overlay::{MenuChoice, MenuItem};
use super::page::TableRow;
use super::subject::{PROCESSES, cgroup_named};
use crate::change::ReclaimSource;
use crate::change::zram::{ZramChange, ZramIntent};
use crate::columns::units::size;
use crate::derive::recommended::{self, RecommendedSize};
use crate::model::knob::{self, CGROUP_KNOBS, CgroupKind};
use crate::model::name::safe_text;
use crate::model::subject::DetailTarget;
use crate::model::swaparea::SwapArea;
use crate::model::users::{CgroupVersion, Limit, Process};
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Name, zram};
use kinds::{ANYWHERE, KINDS};
use std::collections::BTreeSet;

/// The rows on which an action works.
struct SelectedRows {
    /// The names of the rows in the table.
    names: BTreeSet<String>,
    /// The swap areas of the rows.
    areas: Vec<Name>,
    /// The zram device of a single row.
    zram: Option<SelectedZram>,
    /// The cgroup of a single row, with the cgroup version.
    group: Option<(Name, CgroupVersion)>,
    /// Is it a single process with pages in swap?
    is_swapped: bool,
    /// Does the machine have any swap area?
    has_swap: bool,
    /// The imbalance from which a priority group counts as uneven, as for advice.
    uneven_from: f64,
}

/// The actions on the rows of some tables.
struct RowKind {
    /// The tables.
    tables: &'static [&'static str],
    /// The word for several marked rows.
    many: &'static str,
    /// The actions.
    actions: &'static [RowAction],
}

/// An action on rows.
struct RowAction {
    name: &'static str,
    help: &'static str,
    /// The equivalent command.
    command: &'static str,
    /// The choice that the action leads to; none where it does not apply.
    begin: fn(&SelectedRows) -> Option<MenuChoice>,
}

/// The choice of a complete intent.
fn known(intent: Intent) -> MenuChoice {
    MenuChoice::Plan(intent.into())
}

impl RowAction {
    /// An action that does what a command does.
    const fn new(
        name: &'static str,
        command: &'static str,
        begin: fn(&SelectedRows) -> Option<MenuChoice>,
    ) -> Self {
        Self { name, help: "", command, begin }
    }

    /// Sets the help.
    const fn says(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// The item of the action on these rows, if it applies.
    fn item(&self, rows: &SelectedRows) -> Option<MenuItem> {
        let choice = (self.begin)(rows)?;
        Some(MenuItem::new(self.name, self.help, choice).noted(self.command))
    }

    /// The item in the palette: named like its command, with its object and its current value.
    fn palette_item(&self, app: &App, rows: &SelectedRows, object: &str) -> Option<MenuItem> {
        let choice = (self.begin)(rows)?;
        let own = self.name.trim_end_matches("...");
        // `what-if --add 4G@zram` is typed as `what-if add 4G@zram`.
        let command = self.command.trim_start_matches("swapadm ").replace("what-if --", "what-if ");
        let name = match (&choice, command.split(' ').next()) {
            // `set swappiness 10` is typed as `swappiness 10`.
            (MenuChoice::Type(PromptKind::Kernel(Setting { group: None, .. })), _) => {
                object.to_owned()
            }
            (MenuChoice::Type(PromptKind::SwapFile), _) => "swap file".to_owned(),
            (_, Some("set")) => format!("{own} {object}"),
            _ => format!("{command} {object}"),
        };
        let now = match &choice {
            MenuChoice::Type(kind) => current_value(app, kind).unwrap_or_default(),
            _ => String::new(),
        };
        let also = format!("{own} {command}");
        Some(MenuItem::new(name.trim_end(), self.help, choice).noted(now).also(also))
    }
}

impl SelectedRows {
    /// The process or cgroup of a single row.
    fn subject(&self) -> Option<DetailTarget> {
        let name = self.names.first().filter(|_| self.names.len() == 1)?;
        name.parse().ok().map(DetailTarget::Process).or_else(|| cgroup_named(name))
    }

    /// The subject of the open page, unless a row of its table is focused; else the marked rows, or the
    /// selected row.
    fn from_app(app: &App) -> Self {
        if let Some((_, name)) = page_row(app) {
            return Self::from_names(app, BTreeSet::from([name]));
        }
        let Some(sheet) = app.table_of_actions() else {
            return Self::from_names(app, BTreeSet::new());
        };
        let names = if sheet.tagged.is_empty() {
            sheet.row_name.iter().cloned().collect()
        } else {
            sheet.tagged.clone()
        };
        Self::from_names(app, names)
    }

    /// The rows with these names.
    fn from_names(app: &App, names: BTreeSet<String>) -> Self {
        // Rows of zram devices are named without their folder.
        let is_meant = |area: &&SwapArea| {
            let is_zram = zram::device_number(&area.path).is_some();
            names.contains(&area.path.exact())
                || (is_zram && names.contains(&area.path.base().exact()))
        };
        let all = app.areas();
        let areas = all.iter().filter(is_meant).map(|area| area.path.clone()).collect();
        Self {
            areas,
            zram: SelectedZram::for_names(app, &names),
            group: group(app, &names),
            is_swapped: process(app, &names).is_some_and(|it| it.swap.known() > Some(&Bytes(0))),
            has_swap: !all.is_empty(),
            uneven_from: app.settings.policy.imbalance_warn,
            names,
        }
    }

    /// A choice that needs any swap area.
    fn with_swap(&self, choice: MenuChoice) -> Option<MenuChoice> {
        self.has_swap.then_some(choice)
    }

    /// The kernel setting of a single row.
    fn knob(&self) -> Option<Setting> {
        let knob = self.names.first().filter(|_| self.names.len() == 1)?;
        Some(Setting { knob: knob.clone(), group: None })
    }

    /// The choice to change a setting of the cgroup, if this cgroup version has it.
    fn for_cgroup(&self, knob: &str, version: CgroupVersion) -> Option<MenuChoice> {
        let (group, _) = self.group.as_ref().filter(|(_, own)| *own == version)?;
        // The root has no limits.
        if *group == Name::from("/") && knob != "memory.swappiness" {
            return None;
        }
        let setting = Setting { knob: knob.to_owned(), group: Some(group.clone()) };
        Some(MenuChoice::Type(PromptKind::Kernel(setting)))
    }

    /// A choice about the zram device.
    fn for_zram(&self, change: ZramChange) -> Option<MenuChoice> {
        let zram = self.zram.as_ref()?;
        Some(known(Intent::Zram(ZramIntent::Device(zram.number, change))))
    }

    /// The choice to type a value for the zram device.
    fn set_zram(&self, value: ZramValue) -> Option<MenuChoice> {
        let zram = self.zram.as_ref()?;
        Some(MenuChoice::Type(PromptKind::Zram(zram.name.clone(), value)))
    }

    /// The choice to type a value for a zram device with a backing device.
    fn set_backed_zram(&self, value: ZramValue) -> Option<MenuChoice> {
        self.zram.as_ref().filter(|zram| zram.is_backed)?;
        self.set_zram(value)
    }

    /// A choice about the areas, if there are any.
    fn for_areas(&self, choice: impl Fn(Vec<Name>) -> MenuChoice) -> Option<MenuChoice> {
        (!self.areas.is_empty()).then(|| choice(self.areas.clone()))
    }

    /// The words that name the rows.
    fn words(&self, many: &str) -> String {
        match (self.names.len(), self.names.first()) {
            (1, Some(name)) => {
                Name::from_exact(name).map_or_else(|_| safe_text(name), |it| it.safe())
            }
            (count, _) => format!("{count} marked {many}"),
        }
    }
}

/// A zram device.
struct SelectedZram {
    name: String,
    number: u64,
    /// Does it have a backing device?
    is_backed: bool,
}

impl SelectedZram {
    /// The zram device of a single row, if it is one or lies on one.
    fn for_names(app: &App, names: &BTreeSet<String>) -> Option<Self> {
        let row = names.first().filter(|_| names.len() == 1)?;
        let name = row.strip_prefix("/dev/").unwrap_or(row);
        let number = zram::device_number(&Name::from(format!("/dev/{name}").as_str()))?;
        let known = device(app, name).and_then(|device| device.backing_dev.known());
        Some(Self { name: name.to_owned(), number, is_backed: known.is_some() })
    }
}

/// The process of a single row.
fn process<'a>(app: &'a App, names: &BTreeSet<String>) -> Option<&'a Process> {
    let pid: u32 = names.first().filter(|_| names.len() == 1)?.parse().ok()?;
    let table = app.moment()?.now.processes.reading.known()?;
    table.processes.iter().find(|it| it.pid == pid).map(|it| &**it)
}

/// The cgroup of a single row: the row itself, or the cgroup of the process.
fn group(app: &App, names: &BTreeSet<String>) -> Option<(Name, CgroupVersion)> {
    let name = names.first().filter(|_| names.len() == 1)?;
    let tree = app.moment()?.now.cgroups.reading.known()?;
    let of_process = || process(app, names)?.cgroup.known().cloned();
    let own = Name::from_exact(name).ok().and_then(|path| tree.group(&path));
    let group = own.map(|group| group.path.clone()).or_else(of_process)?;
    Some((group, tree.version))
}

/// The subject of the list of actions, and its items.
pub fn menu(app: &App) -> (String, Vec<MenuItem>) {
    let rows = SelectedRows::from_app(app);
    let table = app.table_of_actions().map_or("", |sheet| sheet.query.spec.name);
    let table = page_row(app).map_or(table, |(table, _)| table);
    let kind = KINDS.iter().find(|kind| kind.tables.contains(&table));
    let of_rows = items_for(table, &rows);
    let about = match kind.filter(|_| !of_rows.is_empty()) {
        Some(kind) => rows.words(kind.many),
        None => "this machine".to_owned(),
    };
    let anywhere = ANYWHERE.iter().filter_map(|action| action.item(&rows)).chain(repair(app));
    (about, marked(app, of_rows.into_iter().chain(anywhere).collect()))
}

/// The actions on one row of a table.
pub fn on_row(app: &App, TableRow { table, row }: &TableRow) -> Vec<MenuItem> {
    items_for(table, &SelectedRows::from_names(app, BTreeSet::from([row.clone()])))
}

fn items_for(table: &str, rows: &SelectedRows) -> Vec<MenuItem> {
    let kind = KINDS.iter().find(|kind| kind.tables.contains(&table));
    let actions = kind.map_or(&[][..], |kind| kind.actions);
    actions.iter().filter_map(|action| action.item(rows)).collect()
}

/// The items, with the reason where the change is refused or can only be planned. Pages and the model change
/// nothing.
pub fn marked(app: &App, items: Vec<MenuItem>) -> Vec<MenuItem> {
    let mark = |item: MenuItem| {
        let changes = matches!(item.choice, MenuChoice::Plan(_) | MenuChoice::Type(_));
        if !changes || item.asks_what_if() {
            return item;
        }
        let off =
            unavailable_reason(app, UiCommand::SetUp).or_else(|| unmodelled(app, &item.choice));
        MenuItem { plan_only: app.change.blocked.clone(), ..item }.unavailable(off)
    };
    items.into_iter().map(mark).collect()
}

/// Why a simulated machine refuses a change, if so. A change of which a value is still to be typed is judged
/// without it.
fn unmodelled(app: &App, choice: &MenuChoice) -> Option<String> {
    if app.source.kind != SourceKind::Simulated {
        return None;
    }
    let intent = match choice {
        MenuChoice::Plan(ChangeRequest::Intent(intent)) => intent.clone(),
        MenuChoice::Type(PromptKind::Reclaim(group)) => {
            Intent::Reclaim(group.clone(), Bytes(0), ReclaimSource::Memory)
        }
        MenuChoice::Type(PromptKind::Zram(..) | PromptKind::ZramSwap | PromptKind::SwapFile) => {
            Intent::Setup(vec![])
        }
        _ => return None,
    };
    intent.check_modelled(false).err()
}

/// The row of the open page in its table, unless a row of such a table is focused.
fn page_row(app: &App) -> Option<(&'static str, String)> {
    let own = app.sheet().map_or("", |sheet| sheet.query.spec.name);
    app.subject.as_ref().map(DetailTarget::row).filter(|_| own != PROCESSES)
}

/// The actions that need no row, for the palette.
pub fn general(app: &App) -> Vec<MenuItem> {
    let rows = SelectedRows::from_names(app, BTreeSet::new());
    let items = ANYWHERE.iter().filter_map(|action| action.palette_item(app, &rows, ""));
    items.chain(repair(app)).collect()
}

/// The action that repairs interrupted changes: only a live machine has a journal of them.
fn repair(app: &App) -> Option<MenuItem> {
    app.is_live().then(recover)
}

/// The actions on one row of a table, for the palette.
pub fn for_object(app: &App, table: &str, row: &str, object: &str) -> Vec<MenuItem> {
    let rows = SelectedRows::from_names(app, BTreeSet::from([row.to_owned()]));
    let kind = KINDS.iter().find(|kind| kind.tables.contains(&table));
    let actions = kind.map_or(&[][..], |kind| kind.actions).iter();
    actions.filter_map(|action| action.palette_item(app, &rows, object)).collect()
}

/// The action that repairs interrupted changes.
pub fn recover() -> MenuItem {
    MenuItem::new(
        "repair interrupted changes",
        "Enable areas again that an interrupted change left disabled, for example after a crash.",
        known(Intent::Recover),
    )
    .noted("swapadm recover")
}

/// The state of a zram device.
fn device<'a>(app: &'a App, name: &str) -> Option<&'a ZramDevice> {
    let devices = app.moment()?.now.zram.reading.known()?;
    devices.iter().find(|device| device.name == name)
}

/// The size of memory.
fn memory(app: &App) -> Option<Bytes> {
    app.moment().and_then(|moment| moment.now.memory("MemTotal").known().copied())
}

/// The recommended size of new swap.
pub fn recommended(app: &App, kind: &PromptKind) -> Option<RecommendedSize> {
    match kind {
        PromptKind::ZramSwap => memory(app).map(recommended::zram),
        PromptKind::SwapFile => memory(app).map(recommended::file),
        _ => None,
    }
}

/// The command that creates the typed swap file: its path can be left out, and so can its size.
pub fn swap_file_command(app: &App, typed: &str) -> String {
    let is_taken = |path: &str| app.areas().iter().any(|area| area.path == Name::from(path));
    let numbered = (2..).map(|number| format!("/swapfile{number}"));
    let free = std::iter::once("/swapfile".to_owned()).chain(numbered).find(|path| !is_taken(path));
    let own = typed.starts_with(['/', '\'']);
    let path = if own { String::new() } else { free.unwrap_or_default() + " " };
    let size = recommended(app, &PromptKind::SwapFile).map(|it| it.size.exact());
    let size = size.filter(|_| own && !typed.contains(' ')).map(|size| format!(" {size}"));
    format!("file create {path}{typed}{} --on", size.unwrap_or_default())
}

/// The current value of what can be typed, if it has one.
pub fn current_value(app: &App, kind: &PromptKind) -> Option<String> {
    match kind {
        PromptKind::Priority(areas) | PromptKind::ModelPriority(areas) => {
            let of = |name: &Name| app.areas().iter().find(|area| area.path == *name);
            let now: Vec<String> =
                areas.iter().filter_map(|name| Some(of(name)?.priority.to_string())).collect();
            (!now.is_empty()).then(|| now.join(", "))
        }
        PromptKind::Kernel(Setting { knob, group: None }) => {
            let text = knob_text(app, knob)?;
            Some(knob::find(knob).map_or_else(|| text.to_owned(), |it| it.kind.shown_value(text)))
        }
        PromptKind::Kernel(Setting { knob, group: Some(group) }) => group_value(app, knob, group),
        PromptKind::Zram(name, value) => {
            let device = device(app, name)?;
            match value {
                ZramValue::Size => device.disksize.known().map(|bytes| size(*bytes)),
                ZramValue::Algorithm => device.algorithm.known().map(|it| it.current.clone()),
                ZramValue::Limit => device.mm.known().map(|mm| match mm.mem_limit {
                    Bytes(0) => "none".to_owned(),
                    bytes => size(bytes),
                }),
                ZramValue::Idle | ZramValue::Writeback => None,
            }
        }
        _ => None,
    }
}

/// The current value of a cgroup setting.
fn group_value(app: &App, knob: &str, group: &Name) -> Option<String> {
    let tree = app.moment()?.now.cgroups.reading.known()?;
    let group = tree.group(group)?;
    let limit = match knob {
        "memory.max" | "memory.limit_in_bytes" => &group.memory_max,
        "memory.swap.max" => &group.swap_max,
        "memory.memsw.limit_in_bytes" => &group.memsw_max,
        _ => return group.swappiness.known().map(u64::to_string),
    };
    Some(match limit.known()? {
        Limit::Unlimited => "max".to_owned(),
        Limit::Bytes(bytes) => size(*bytes),
    })
}

/// The text of a kernel setting.
fn knob_text<'a>(app: &'a App, id: &str) -> Option<&'a str> {
    let knobs = app.moment()?.now.knobs.reading.known()?;
    knobs.iter().find(|it| it.id == id)?.value.known().map(String::as_str)
}

/// The values that can be typed for a zram device; a new device has no name yet.
pub fn accepts_zram(app: &App, name: &str, value: ZramValue) -> String {
    let memory =
        memory(app).map_or_else(String::new, |memory| format!(", which is {}", size(memory)));
    match value {
        ZramValue::Size => format!("512M, 2G, or 50% of memory{memory}"),
        ZramValue::Limit => format!("512M, 2G, or 25% of memory{memory}; none for no limit"),
        ZramValue::Algorithm => {
            let choice = device(app, name).and_then(|device| device.algorithm.known());
            choice
                .map_or_else(|| "an algorithm such as zstd".to_owned(), |it| it.offered.join(", "))
        }
        ZramValue::Idle => "all, or a time: 90, 30m or 1h without use".to_owned(),
        ZramValue::Writeback => "idle, huge, huge_idle or incompressible".to_owned(),
    }
}

/// The values that a setting accepts, in words.
pub fn accepts(app: &App, setting: &Setting) -> String {
    if setting.group.is_some() {
        let knob = CGROUP_KNOBS.iter().find(|knob| knob.id == setting.knob);
        return match knob.map(|knob| knob.kind) {
            Some(CgroupKind::Plain(kind)) => kind.accepted_values(None),
            Some(CgroupKind::Limit) | None => "a size such as 512M or 2G; max for none".to_owned(),
        };
    }
    let text = knob_text(app, &setting.knob);
    let kind = knob::find(&setting.knob).map(|knob| knob.kind);
    kind.map_or_else(String::new, |kind| kind.accepted_values(text))
}
