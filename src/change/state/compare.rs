//! Compares the present state with a wanted one: the differences, and the plan that removes them.

mod default_order;
mod zram_devices;

use super::{SETTINGS, StateArea, StateComparison, StateDifference, StateIntent};
use crate::actions::check::{BOOT, Check};
use crate::actions::persist::Goal;
use crate::actions::plan::Plan;
use crate::actions::{Step, settings};
use crate::change::draft::{DraftContext, PlanDraft};
use crate::change::format::{self as format_change, FormatIntent};
use crate::change::intent::{setting_error, target};
use crate::change::zram::{ZramChange, ZramIntent};
use crate::change::{
    BootConfig, ChangeAttempt, ChangeError, Intent, LiveMachine, ObservedMachine, Setting,
    SwaponOptions,
};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::candidate::PathKind;
use crate::model::config::ConfigEntry;
use crate::model::surroundings::SwapService;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Name, format, zram};
use crate::probes::{block, candidate, surroundings};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

const NO_LIMIT: &str = "max";

/// The plan that leads to a wanted state.
pub(in crate::change) fn draft(
    intent: &StateIntent,
    context: DraftContext<'_>,
) -> ChangeAttempt<PlanDraft> {
    let mut comparer = Comparer {
        machine: context.machine,
        intent,
        found: StateComparison::default(),
        named: Vec::new(),
        new_areas: 0,
        services: Vec::new(),
        off_at_boot: Vec::new(),
        notes: Vec::new(),
        phases: Phases::default(),
    };
    comparer.compare_settings()?;
    comparer.compare_zram()?;
    for area in &intent.wanted.areas {
        comparer.compare_area(area)?;
    }
    comparer.compare_others()?;
    comparer.find_services();
    comparer.into_draft(context)
}

/// A part of the plan.
enum PlanPart {
    /// The plan for an intent, with its goals for the boot.
    Intent(Intent),
    /// A swap file that gets another size, with the way it is enabled then.
    Resize(Bytes, Activation),
    /// Steps.
    Steps(Vec<Step>),
}

/// The parts of the plan in an order in which memory never lacks room: what adds room comes first, then
/// areas that are disabled for a moment, the emptiest first, and last those that go.
#[derive(Default)]
struct Phases {
    /// Other settings of the machine, and limits of cgroups that rise.
    set: Vec<(Setting, String)>,
    added: Vec<PlanPart>,
    changed: Vec<(Bytes, PlanPart)>,
    removed: Vec<PlanPart>,
    /// Settings after which memory can lack room: limits of cgroups that fall, and a strict limit of commitments.
    lowered: Vec<(Setting, String)>,
}

struct Comparer<'c, 'm> {
    machine: &'c ObservedMachine<'m>,
    intent: &'c StateIntent,
    found: StateComparison,
    /// The areas that the wanted state names.
    named: Vec<Name>,
    /// The number of new areas so far.
    new_areas: u8,
    /// The services that set up the same kind of swap at boot.
    services: Vec<SwapService>,
    /// Areas that are not wanted and not active, but would be at the next boot.
    off_at_boot: Vec<Name>,
    /// Notes on what the plan leaves out.
    notes: Vec<Check>,
    phases: Phases,
}

impl Comparer<'_, '_> {
    /// Plans all parts.
    fn into_draft(mut self, context: DraftContext<'_>) -> ChangeAttempt<PlanDraft> {
        let phases = std::mem::take(&mut self.phases);
        let Phases { mut set, added, mut changed, removed, mut lowered } = phases;
        // On version 1, the limit on memory and swap must never be below that on memory.
        // zswap is enabled with its compressor.
        let rank =
            |setting: &Setting| (setting.knob == "zswap.enabled", Reverse(setting.knob.clone()));
        set.sort_by_key(|(setting, _)| rank(setting));
        lowered.sort_by(|(one, _), (other, _)| one.knob.cmp(&other.knob));
        changed.sort_by_key(|(used, _)| *used);
        let settings = |all: Vec<_>| {
            (!all.is_empty()).then_some(PlanPart::Intent(Intent::Set(all))).into_iter()
        };
        let first = settings(set).chain(added).chain(changed.into_iter().map(|(_, part)| part));
        let title = "apply the wanted state".to_owned();
        let plan = Plan::on_areas(self.machine.areas()?, title, Vec::new());
        let mut all = PlanDraft::with_goals(plan, Vec::new());
        for part in first {
            all.add(part.draft(context)?);
        }
        let ordered = self.order_steps(&all.plan.steps)?;
        all.plan.steps.extend(ordered);
        for part in removed.into_iter().chain(settings(lowered)) {
            all.add(part.draft(context)?);
        }
        let Self { found, services, off_at_boot, notes, .. } = self;
        let units = services.iter().map(|it| format!("{}.service", it.unit));
        let goals = units.map(|unit| Goal::NeverStarted(Name::from(unit.as_str())));
        let off = off_at_boot.into_iter().map(Goal::Off);
        all.goals.get_or_insert_default().extend(goals.chain(off));
        all.notes.extend(notes);
        all.notes.extend(services.iter().map(service_note));
        let note = |text: &String| Check::warn("restart", text.clone());
        all.notes.extend(found.restart.iter().map(note));
        Ok(PlanDraft { state: Some(Box::new(found)), ..all })
    }

    fn differ(&mut self, subject: &str, key: &str, from: Option<String>, to: Option<String>) {
        if from != to {
            let (subject, key) = (subject.to_owned(), key.to_owned());
            self.found.differences.push(StateDifference { subject, key, from, to });
        }
    }

    /// Notes that an area is not active, with all of its wanted values.
    fn differ_in_all(&mut self, subject: &str, wanted: Vec<(&'static str, String)>) {
        self.differ(subject, "active", None, Some("true".to_owned()));
        for (key, value) in wanted {
            self.differ(subject, key, None, Some(value));
        }
    }

    /// A header for a new area.
    fn new_format(&mut self) -> FormatIntent {
        let uuid = self.intent.uuid(self.new_areas);
        self.new_areas = self.new_areas.wrapping_add(1);
        FormatIntent { page_size: None, uuid, label: None }
    }

    fn compare_settings(&mut self) -> ChangeAttempt<()> {
        let live = LiveMachine::new(self.machine.root);
        check_once(self.intent.wanted.settings.iter().map(|(setting, _)| describe(setting)))?;
        for (setting, wish) in &self.intent.wanted.settings {
            let target = target(self.machine, setting)?;
            let (from, to) =
                settings::values(&(target, wish.clone()), &live).map_err(setting_error)?;
            let falls = match &setting.group {
                Some(_) => amount(&to) < amount(&from),
                None => setting.knob == "overcommit_memory" && to == "2",
            };
            let phase = if falls { &mut self.phases.lowered } else { &mut self.phases.set };
            phase.push((setting.clone(), wish.clone()));
            let subject = setting.group.as_ref().map_or_else(|| SETTINGS.to_owned(), Name::safe);
            self.differ(&subject, &setting.knob, Some(from), Some(to));
        }
        Ok(())
    }

    fn find(&self, name: &Name) -> ChangeAttempt<Name> {
        self.machine.find_storage(OsStr::from_bytes(name.as_bytes())).map_err(ChangeError::Usage)
    }

    /// The path that the name of an area leads to.
    fn path_of(&self, area: &StateArea) -> ChangeAttempt<Name> {
        // An active area can have lost its name, as a deleted file has.
        if self.machine.areas()?.iter().any(|active| active.path == area.name) {
            return Ok(area.name.clone());
        }
        let found = self.find(&area.name);
        match (area.name.as_path().parent(), area.name.as_path().file_name()) {
            (Some(folder), Some(name)) if found.is_err() && area.size.is_some() => {
                if !area.name.as_path().is_absolute() {
                    let name = area.name.safe();
                    return Err(ChangeError::Usage(format!(
                        "\"{name}\": a swap file needs an absolute path, such as /swapfile"
                    )));
                }
                let folder = self.machine.new_folder(folder).map_err(ChangeError::Usage)?;
                Ok(Name::new(folder.join(name).as_os_str().as_bytes()))
            }
            _ => found,
        }
    }

    fn compare_area(&mut self, wanted: &StateArea) -> ChangeAttempt<()> {
        let path = self.path_of(wanted)?;
        let name = path.safe();
        if zram::device_number(&path).is_some() {
            return Err(ChangeError::Usage(format!(
                "{name} is on zram: describe it in a table [[zram]]"
            )));
        }
        if self.named.contains(&path) {
            return Err(named_twice(&name));
        }
        self.named.push(path.clone());
        match self.machine.areas()?.iter().find(|area| area.path == path) {
            Some(area) => self.compare_active(area, wanted)?,
            None => self.add_area(&path, wanted)?,
        }
        Ok(())
    }

    fn compare_active(&mut self, area: &SwapArea, wanted: &StateArea) -> ChangeAttempt<()> {
        let known = self.machine.known_discard(area);
        let discard = known.unwrap_or(Discard::None);
        let priority = Priority::from_shown(area.priority);
        let from = Activation { path: area.path.clone(), priority, discard };
        let page = *self.machine.snapshot.page_size.get()?;
        let whole = self.machine.swap_file_size(area)?;
        let wanted_size = wanted.size.map(|size| file_size(&area.path, size, page)).transpose()?;
        let resized = wanted_size.filter(|size| *size != whole);
        let to = Activation { priority: wanted.priority.unwrap_or(priority), ..from.clone() };
        let stays_enabled = resized.is_none() && to == from;
        let to_discard = self.possible_discard(area, wanted, known, stays_enabled);
        let to = Activation { discard: to_discard.unwrap_or(discard), ..to };
        if resized.is_some() && area.kind == AreaKind::Partition {
            return Err(device_has_size(&area.path));
        }
        let name = wanted.name.safe();
        self.differ(&name, "size", resized.map(|_| whole.exact()), resized.map(Bytes::exact));
        self.differ(&name, "priority", Some(priority.to_string()), Some(to.priority.to_string()));
        let [now, then] = [discard, to.discard].map(|it| Some(it.word().to_owned()));
        self.differ(&name, "discard", now, then);
        let is_same = resized.is_none() && from == to;
        if area.deleted && !is_same {
            self.found.restart.push(format!(
                "{} was deleted while active and stays as it is until the machine is restarted",
                area.path.safe()
            ));
            return Ok(());
        }
        let part = match resized {
            _ if is_same => enable(&area.path, wanted),
            Some(size) => PlanPart::Resize(size, to),
            None => PlanPart::Steps(vec![Step::Renew { from, to }]),
        };
        self.phases.changed.push((area.used_at_most(), part));
        if !is_same {
            self.phases.added.push(enable(&area.path, wanted));
        }
        Ok(())
    }

    /// The wanted discard policy, if it differs and the disk can discard. An area of unknown policy is not enabled
    /// anew for it.
    fn possible_discard(
        &mut self,
        area: &SwapArea,
        wanted: &StateArea,
        known: Option<Discard>,
        stays_enabled: bool,
    ) -> Option<Discard> {
        let wanted = wanted.discard.filter(|wanted| known != Some(*wanted))?;
        let block = block::read(self.machine.root, area).and_then(|device| device.discard_max);
        let why = match (known, block.known()) {
            (None, _) if stays_enabled => {
                "the kernel log no longer has its discard policy, which is left as it is"
            }
            (_, Some(Bytes(0))) if wanted != Discard::None => "its disk does not support discard",
            _ => return Some(wanted),
        };
        let text = format!("{}: {why}", area.path.safe());
        self.notes.push(Check::note("discard", text));
        None
    }

    /// Adds an area that is not active, and creates or resizes its file if necessary.
    fn add_area(&mut self, path: &Name, wanted: &StateArea) -> ChangeAttempt<()> {
        let page = *self.machine.snapshot.page_size.get()?;
        let size = wanted.size.map(|size| file_size(path, size, page)).transpose()?;
        self.differ_in_all(&wanted.name.safe(), wanted.keys());
        let Some(size) = size else {
            self.phases.added.push(enable(path, wanted));
            return Ok(());
        };
        let found = candidate::read(self.machine.root, path);
        let is_absent = matches!(found.thing.missing(), Some(Missing::Absent(_)));
        if is_absent {
            let format = self.new_format();
            let file = Intent::CreateFile(path.clone(), size, format, Some(wanted.options()));
            self.phases.added.push(PlanPart::Intent(file));
            return Ok(());
        }
        if matches!(found.thing.known(), Some(PathKind::Device { .. })) {
            return Err(device_has_size(path));
        }
        let is_right = found.swap_file_spec().is_some_and(|spec| spec.format.size() == size);
        if !is_right {
            self.phases.added.push(PlanPart::Intent(Intent::ResizeFile(path.clone(), size)));
        }
        self.phases.added.push(enable(path, wanted));
        Ok(())
    }

    /// Finds services that would set up other swap at boot than the wanted state.
    fn find_services(&mut self) {
        let wanted = &self.intent.wanted;
        let has_file = wanted.areas.iter().any(|area| area.size.is_some());
        let meets = |service: &SwapService| {
            wanted.only
                || (service.makes_zram && !wanted.zram.is_empty())
                || (service.makes_files && has_file)
        };
        self.services = surroundings::swap_services(self.machine.root);
        self.services.retain(meets);
    }

    /// Disables active areas that are not named, if only the named ones are wanted.
    fn compare_others(&mut self) -> ChangeAttempt<()> {
        let (areas, wanted) = (self.machine.areas()?, &self.intent.wanted);
        if !wanted.only {
            return Ok(());
        }
        let named = self.named.clone();
        let is_wanted = |path: &Name| {
            let number = zram::device_number(path);
            named.contains(path) || wanted.zram.iter().any(|device| Some(device.number) == number)
        };
        let at_boot = BootConfig::read_config(self.machine).entries.into_iter();
        let is_enabled =
            |entry: &ConfigEntry| !entry.is_generated() && !entry.leaves_area_disabled();
        let is_active = |path: &Name| areas.iter().any(|area| area.path == *path);
        for (entry, path) in at_boot.filter(|(entry, _)| is_enabled(entry)) {
            match (path, entry.area.known()) {
                (Some(path), _) if is_wanted(&path) || is_active(&path) => {}
                (Some(path), _) => self.off_at_boot.push(path),
                (None, Some(area)) => {
                    let (what, file) = (area.what.safe(), entry.file.safe());
                    let text =
                        format!("{what} in {file} stays as it is: no device has this name now");
                    self.notes.push(Check::note(BOOT, text));
                }
                (None, None) => {}
            }
        }
        let others = areas.iter().filter(|area| !is_wanted(&area.path));
        let (mut off, mut gone, mut devices) = (Vec::new(), Vec::new(), Vec::new());
        for area in others {
            self.differ(&area.path.safe(), "active", Some("true".to_owned()), None);
            if area.deleted {
                self.found.restart.push(format!(
                    "{} was deleted while active and stays active until the machine is restarted",
                    area.path.safe()
                ));
                continue;
            }
            match zram::device_number(&area.path) {
                Some(number) => devices.push(number),
                None if area.kind == AreaKind::File && self.can_remove(&area.path) => {
                    gone.push(PlanPart::Intent(Intent::RemoveFile(area.path.clone())));
                }
                None => off.push(area.path.clone()),
            }
        }
        let off = (!off.is_empty()).then_some(PlanPart::Intent(Intent::Off(off)));
        // Undone from the last to the first: a new device gets the lowest free number.
        devices.sort_unstable_by_key(|number| Reverse(*number));
        let devices = devices.into_iter().map(|number| {
            PlanPart::Intent(Intent::Zram(ZramIntent::Device(number, ZramChange::Retire)))
        });
        self.phases.removed.extend(off.into_iter().chain(devices).chain(gone));
        Ok(())
    }

    /// Whether an active swap file can be removed. Otherwise it stays, and a note says why.
    fn can_remove(&mut self, path: &Name) -> bool {
        let Err(why) = format_change::swap_file(self.machine, path) else { return true };
        let text = format!("{} is disabled but not removed: {why}", path.safe());
        self.notes.push(Check::note("file", text));
        false
    }
}

impl PlanPart {
    /// The plan of the part, with notes and goals for the boot.
    fn draft(self, context: DraftContext<'_>) -> ChangeAttempt<PlanDraft> {
        let (intent, enabled) = match self {
            Self::Steps(steps) => {
                let plan = Plan { steps, ..Plan::without_steps(String::new()) };
                return Ok(PlanDraft::from_plan(plan));
            }
            Self::Intent(intent) => (intent, None),
            Self::Resize(size, to) => (Intent::ResizeFile(to.path.clone(), size), Some(to)),
        };
        let mut draft = intent.draft(context)?;
        for step in &mut draft.plan.steps {
            if let (Step::On { area }, Some(to)) = (step, &enabled) {
                *area = to.clone();
            }
        }
        Ok(draft)
    }
}

impl StateArea {
    fn options(&self) -> SwaponOptions {
        SwaponOptions { priority: self.priority, discard: self.discard }
    }

    /// The values that are wanted, by key.
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let size = self.size.map(|size| ("size", size.exact()));
        let priority = self.priority.map(|priority| ("priority", priority.to_string()));
        let discard = self.discard.map(|discard| ("discard", discard.word().to_owned()));
        size.into_iter().chain(priority).chain(discard).collect()
    }
}

/// Refuses a name that comes twice.
fn check_once(names: impl Iterator<Item = String>) -> ChangeAttempt<()> {
    let mut known = BTreeSet::new();
    for name in names {
        if !known.insert(name.clone()) {
            return Err(named_twice(&name));
        }
    }
    Ok(())
}

/// Enables an area as wanted; one that is active already keeps that for the boot.
fn enable(path: &Name, wanted: &StateArea) -> PlanPart {
    PlanPart::Intent(Intent::On(vec![path.clone()], wanted.options()))
}

fn named_twice(name: &str) -> ChangeError {
    ChangeError::Usage(format!("{name} is named twice: name it once"))
}

/// The name of a setting, with its cgroup.
fn describe(setting: &Setting) -> String {
    let group = setting.group.as_ref().map(|group| format!(" of {}", group.safe()));
    format!("{}{}", setting.knob, group.unwrap_or_default())
}

fn device_has_size(path: &Name) -> ChangeError {
    let name = path.safe();
    ChangeError::Usage(format!("{name} is a device: size is for swap files and zram devices only"))
}

/// The size of a swap file as its header tells it, in whole pages.
fn file_size(path: &Name, size: Bytes, page: u64) -> ChangeAttempt<Bytes> {
    let pages = format::pages(size, page);
    let pages = pages.map_err(|why| ChangeError::Usage(format!("{}: {why}", path.safe())))?;
    Ok(Bytes(pages.saturating_mul(page)))
}

/// A limit as a number.
fn amount(value: &str) -> u64 {
    let unlimited = value == NO_LIMIT;
    if unlimited { u64::MAX } else { value.parse().unwrap_or(0) }
}

fn service_note(service: &SwapService) -> Check {
    let SwapService { package, unit, config, .. } = service;
    let text = format!(
        "{package} sets up swap at boot by its own configuration ({unit}.service, {config}). To leave it to swapadm: systemctl disable --now {unit}, or --persist, where all of the wanted swap can be set up at boot"
    );
    Check::warn(BOOT, text)
}
