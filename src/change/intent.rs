//! Requested changes as plain data, and the plans for them.
//!
//! A command or a screen turns what was typed into an [`Intent`]. Nothing in it is random or read
//! again later, so the same intent gives the same plan as long as the machine does not change.

use super::draft::{DraftContext, LEFT_OUT, PlanDraft, priorities_at_boot};
use super::fstab::{self, SwaponOptions};
use super::state::{self, StateIntent};
use super::zram::{self, ZramIntent};
use super::{ChangeAttempt, ChangeError, ObservedMachine, format, move_pages, rebalance};
use crate::actions::check::{self, Check};
use crate::actions::journal::{self, JournalStore, Record};
use crate::actions::persist::{BootArea, Goal};
use crate::actions::plan::{self, Plan};
use crate::actions::rebalance::Strategy;
use crate::actions::{settings, shell_quoted, storage};
use crate::columns::units;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::swaparea::SwapArea;
use crate::model::users::Limit;
use crate::model::{Bytes, Missing, Name};

/// A requested change.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Disable these areas.
    Off(Vec<Name>),
    /// Enable these areas, all with the same options.
    On(Vec<Name>, SwaponOptions),
    /// Enable all areas in fstab, with these options where its lines have none.
    OnConfigured(SwaponOptions),
    /// Set the priorities of areas.
    Priorities(Vec<(Name, Priority)>),
    /// Set kernel settings.
    Set(Vec<(Setting, String)>),
    /// Reset kernel settings to their defaults.
    Reset(Vec<Setting>),
    /// Rebalance areas.
    Rebalance(Strategy),
    /// Write a swap header.
    Format(Name, format::FormatIntent),
    /// Create a swap file of this size, and enable it if requested.
    CreateFile(Name, Bytes, format::FormatIntent, Option<SwaponOptions>),
    /// Resize a swap file.
    ResizeFile(Name, Bytes),
    /// Remove a swap file.
    RemoveFile(Name),
    /// Create, change or remove a zram device.
    Zram(ZramIntent),
    /// Several changes as one plan: the setup of swap on this machine.
    Setup(Vec<Intent>),
    /// Make a state of swap as a whole.
    State(Box<StateIntent>),
    /// Bring the private pages of a process back to memory.
    SwapIn(u32),
    /// Reclaim this many bytes of a cgroup.
    Reclaim(Name, Bytes, move_pages::ReclaimSource),
    /// Undo a plan of the journal; `None` for the last one still in effect.
    Undo(Option<u64>),
    /// Repair interrupted changes.
    Recover,
}

/// A kernel setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name of the setting.
    pub knob: String,
    /// The cgroup it belongs to; `None` for the whole machine.
    pub group: Option<Name>,
}

impl Intent {
    /// Refuses changes that the model does not have.
    pub fn check_modelled(&self, persist: bool) -> Result<(), String> {
        if persist {
            let why = "--persist: a simulated machine never boots again: leave --persist out";
            return Err(why.to_owned());
        }
        match self {
            Self::On(_, SwaponOptions { discard: Some(Discard::Once | Discard::Both), .. }) => {
                Err("a simulated machine discards freed clusters or nothing: use --discard=pages, or leave it out".to_owned())
            }
            Self::On(..)
            | Self::Off(_)
            | Self::Priorities(_)
            | Self::Set(_)
            | Self::Reset(_)
            | Self::Rebalance(_)
            | Self::Undo(_)
            | Self::Recover => Ok(()),
            Self::OnConfigured(_)
            | Self::Format(..)
            | Self::CreateFile(..)
            | Self::ResizeFile(..)
            | Self::RemoveFile(_)
            | Self::Zram(_)
            | Self::State(_)
            | Self::SwapIn(_)
            | Self::Reclaim(..)
            | Self::Setup(_) => Err(
                "a simulated machine can only enable and disable areas and change priorities and settings: what-if --add \
                 adds an area"
                    .to_owned(),
            ),
        }
    }

    /// The plan for the intent on a machine.
    pub(super) fn draft(&self, context: DraftContext<'_>) -> ChangeAttempt<PlanDraft> {
        let DraftContext { machine, journal, accepted_risks } = context;
        let areas = machine.areas()?;
        Ok(match self {
            Self::Off(names) => {
                let plan = plan::off(areas, machine.discards()?, names)?;
                PlanDraft::with_goals(plan, names.iter().cloned().map(Goal::Off).collect())
            }
            Self::On(names, options) => on(machine, names, *options)?,
            Self::OnConfigured(options) => {
                let asked = fstab::read(machine, *options)?;
                let notes = asked.checks();
                if asked.wanted.is_empty() {
                    let plan = Plan::without_steps(asked.empty_text().to_owned());
                    return Ok(PlanDraft { notes, ..PlanDraft::from_plan(plan) });
                }
                let plan = plan::on(areas, &asked.wanted, true)?;
                PlanDraft { notes, ..PlanDraft::from_plan(plan) }
            }
            Self::Priorities(wishes) => {
                let plan = plan::priorities(areas, machine.discards()?, wishes);
                PlanDraft::with_goals(plan?, priorities_at_boot(wishes.iter().cloned()))
            }
            Self::Set(wishes) => set(machine, wishes)?,
            Self::Reset(settings) => reset(machine, settings)?,
            Self::Rebalance(strategy) => {
                PlanDraft::from_diagnosis(&rebalance::diagnose(strategy.clone(), machine)?, machine)
            }
            Self::Format(path, wanted) => format::format(machine, path, wanted)?,
            Self::CreateFile(path, size, wanted, on) => {
                format::create(machine, (path, *size), wanted, *on)?
            }
            Self::ResizeFile(path, size) => format::resize(machine, path, *size)?,
            Self::RemoveFile(path) => format::remove(machine, path)?,
            Self::Zram(wanted) => zram::draft(wanted, context)?,
            Self::Setup(parts) => several(parts, context)?,
            Self::State(wanted) => state::draft(wanted, context)?,
            Self::SwapIn(pid) => move_pages::swap_in(machine, *pid)?,
            Self::Reclaim(group, size, source) => {
                move_pages::reclaim(machine, group, *size, *source)?
            }
            Self::Undo(number) => {
                let records = read(journal)?;
                let boot = machine.target.boot()?;
                let damage = || journal::describe_unreadable_lines(journal);
                let undo = |record| (record, plan::undo(record, &*machine.target.view(), &boot));
                let found = match number {
                    Some(number) => journal::find(&records, *number).map(undo),
                    None => journal::undoable(&records, &boot)
                        .map(undo)
                        .find(|(_, plan)| !matches!(plan, Err(refusal) if refusal.is_over()))
                        .ok_or_else(|| {
                            let damage = damage().map(|text| format!("; {text}"));
                            let nothing = "Nothing to undo: no change is in effect";
                            format!("{nothing}{}", damage.unwrap_or_default())
                        }),
                };
                let (record, plan) = found.map_err(ChangeError::Usage)?;
                let plan = plan?;
                let mut notes =
                    check::refusals_of(&plan, record, (&records, &boot), accepted_risks);
                notes.extend(damage().map(|text| Check::warn("journal", text)));
                notes.extend(other_areas(machine, &plan, record));
                PlanDraft { undoes: Some(record.plan), notes, ..PlanDraft::from_plan(plan) }
            }
            Self::Recover => {
                let records = read(journal)?;
                let boot = machine.target.boot()?;
                let recovery = plan::plan_recovery(&records, &*machine.target.view(), &boot);
                let plan::Recovery { plan, unreadable } =
                    recovery.map_err(|refusal| ChangeError::Unreadable(refusal.to_string()))?;
                let note = |it: &plan::UnreadablePlan| Check::warn(LEFT_OUT, it.describe());
                let notes = unreadable.iter().map(note).collect();
                PlanDraft { notes, ..PlanDraft::from_plan(plan) }
            }
        })
    }
}

/// Refuses to enable another area than the undone plan has disabled, which has the path by now.
fn other_areas(machine: &ObservedMachine<'_>, plan: &Plan, undone: &Record) -> Vec<Check> {
    let steps = plan.steps.iter().enumerate();
    let enabled =
        steps.filter(|(place, step)| !storage::is_formatted(plan, *place, step.subject()));
    let enabled = enabled.filter_map(|(_, step)| step.enabled_area());
    let refusal = |area: &Activation| {
        let was = undone.areas.iter().find(|was| was.path == area.path)?.size;
        let now = machine.candidate(&area.path).header_size()?;
        // The kernel cannot use all pages of a fragmented file.
        let is_other = now < was || now.saturating_sub(was) > Bytes(was.0 / 8);
        is_other.then(|| {
            let (name, was, now) = (area.path.safe(), units::size(was), units::size(now));
            let path = shell_quoted(&area.path);
            Check::refuse(
                "path",
                format!("{name} is another area than plan {} has disabled: it has {now} instead of {was}; to enable it: swapadm on {path}", undone.plan),
            )
        })
    };
    enabled.filter_map(refusal).collect()
}

fn read(store: &JournalStore) -> ChangeAttempt<Vec<Record>> {
    let failed = |error| ChangeError::file(store.path(), error);
    journal::read(store).map_err(failed)
}

fn on(
    machine: &ObservedMachine<'_>,
    names: &[Name],
    options: SwaponOptions,
) -> ChangeAttempt<PlanDraft> {
    let wanted: Vec<Activation> =
        names.iter().map(|path| options.activation(path.clone())).collect();
    let plan = plan::on(machine.areas()?, &wanted, false)?;
    let goals = wanted.iter().map(|area| Goal::On(boot_area(machine, area, options))).collect();
    Ok(PlanDraft::with_goals(plan, goals))
}

/// How an area is enabled at boot: as requested, else as now, else as a file says.
fn boot_area(machine: &ObservedMachine<'_>, area: &Activation, options: SwaponOptions) -> BootArea {
    let active = machine.areas().ok().and_then(|all| all.iter().find(|it| it.path == area.path));
    let shown = active.map(|active| Priority::from_shown(active.priority));
    let known = active.and_then(|active| machine.known_discard(active));
    BootArea {
        path: area.path.clone(),
        priority: options.priority.or(shown),
        discard: options.discard.or(known),
    }
}

/// The plan for several intents, each planned on the machine as it is now: none of them may need what
/// another one makes.
fn several(parts: &[Intent], context: DraftContext<'_>) -> ChangeAttempt<PlanDraft> {
    let areas = context.machine.areas()?;
    let plan = Plan::on_areas(areas, "set up swap".to_owned(), Vec::new());
    let mut all = PlanDraft::with_goals(plan, Vec::new());
    for part in parts {
        all.add(part.draft(context)?);
    }
    Ok(all)
}

/// Refuses other options for areas that are active already, and names the command that changes
/// them.
pub fn refuse_other_options(
    machine: &ObservedMachine<'_>,
    names: &[Name],
    options: SwaponOptions,
    persist: bool,
) -> ChangeAttempt<Vec<String>> {
    let mut remarks = Vec::new();
    for area in machine.areas()?.iter().filter(|area| names.contains(&area.path)) {
        let known = options.discard.and_then(|_| machine.known_discard(area));
        remarks.extend(active_with_other_options(area, known, options, persist)?);
    }
    Ok(remarks)
}

/// Refuses other options for one area whose discard is known. A different discard can be set for
/// the next boot alone, with a note.
fn active_with_other_options(
    area: &SwapArea,
    known: Option<Discard>,
    options: SwaponOptions,
    persist: bool,
) -> ChangeAttempt<Option<String>> {
    let (name, typed, number) = (area.path.safe(), shell_quoted(&area.path), area.priority);
    if let Some(to) = options.priority.filter(|to| !to.matches_shown(number)) {
        let lasting = if persist { " --persist" } else { "" };
        return Err(ChangeError::Usage(format!(
            "{name} is active already, with priority {number}; to change it: swapadm priority {typed}={to}{lasting}"
        )));
    }
    let (Some(to), Some(is)) = (options.discard, known.filter(|is| Some(*is) != options.discard))
    else {
        return Ok(None);
    };
    let (to, is) = (to.word(), is.word());
    let why = format!("{name} is active already, with discard {is}");
    if persist {
        return Ok(Some(format!(
            "{why}, and stays so until reboot: {to} is set for the next boot"
        )));
    }
    Err(ChangeError::Usage(format!("{why}: for {to}, disable it first (swapadm off {typed})")))
}

fn set(machine: &ObservedMachine<'_>, wishes: &[(Setting, String)]) -> ChangeAttempt<PlanDraft> {
    let wishes = &with_memory_and_swap(machine, wishes);
    let target =
        |(setting, value): &(Setting, String)| Ok((target(machine, setting)?, value.clone()));
    let wishes: Vec<_> = wishes.iter().map(target).collect::<ChangeAttempt<_>>()?;
    let view = machine.target.view();
    let plan = settings::set(&wishes, &*view).map_err(setting_error)?;
    Ok(PlanDraft::with_goals(plan, settings::goals(&wishes, &*view).map_err(setting_error)?))
}

/// The settings, with both limits of version 1 in the order that the kernel takes: memory plus swap may not be lower
/// than memory. Where it has to be raised and is not named, the room for swap stays as it is.
fn with_memory_and_swap(
    machine: &ObservedMachine<'_>,
    wishes: &[(Setting, String)],
) -> Vec<(Setting, String)> {
    let mut all = Vec::with_capacity(wishes.len());
    let find = |knob: &str, setting: &Setting| {
        let wanted = Setting { knob: knob.to_owned(), group: setting.group.clone() };
        wishes.iter().find(|(named, _)| *named == wanted)
    };
    for wish @ (setting, value) in wishes {
        if setting.knob == MEMSW && find(MEMORY, setting).is_some() {
            // It stands beside that one.
            continue;
        }
        let raised = || raised(machine, setting, value);
        let (first, then) = match find(MEMSW, setting) {
            _ if setting.knob != MEMORY => (None, None),
            Some(both) if raised().is_some() => (Some(both.clone()), None),
            Some(both) => (None, Some(both.clone())),
            None => {
                let both = Setting { knob: MEMSW.to_owned(), group: setting.group.clone() };
                (raised().map(|value| (both, value)), None)
            }
        };
        all.extend(first.into_iter().chain([wish.clone()]).chain(then));
    }
    all
}

/// The limits of version 1.
const MEMORY: &str = "memory.limit_in_bytes";
const MEMSW: &str = "memory.memsw.limit_in_bytes";

/// The limit on memory plus swap for this memory limit, if it has to be raised.
fn raised(machine: &ObservedMachine<'_>, setting: &Setting, value: &str) -> Option<String> {
    let tree = machine.snapshot.cgroups.reading.known()?;
    let group = tree.group(setting.group.as_ref()?)?;
    let Limit::Bytes(both) = *group.memsw_max.known()? else { return None };
    let Some(wanted) = units::parse_size(value) else {
        return ["max", "none"].contains(&value).then(|| "max".to_owned());
    };
    let swap = match group.memory_max.known()? {
        Limit::Bytes(memory) => both.saturating_sub(*memory),
        Limit::Unlimited => Bytes(0),
    };
    (wanted > both).then(|| wanted.0.saturating_add(swap.0).to_string())
}

fn reset(machine: &ObservedMachine<'_>, settings: &[Setting]) -> ChangeAttempt<PlanDraft> {
    // Without a limit on memory plus swap, the one on memory can be lifted.
    let mut settings: Vec<&Setting> = settings.iter().collect();
    settings.sort_by_key(|setting| setting.knob != MEMSW);
    let targets = settings.into_iter().map(|setting| target(machine, setting));
    let targets: Vec<_> = targets.collect::<Result<_, _>>()?;
    let view = machine.target.view();
    let wishes = settings::defaults(&targets).map_err(setting_error)?;
    let plan = settings::reset(&wishes, &*view).map_err(setting_error)?;
    Ok(PlanDraft::with_goals(plan, settings::reset_goals(&wishes, &*view).map_err(setting_error)?))
}

pub(super) fn target(
    machine: &ObservedMachine<'_>,
    setting: &Setting,
) -> ChangeAttempt<settings::SettingTarget> {
    let (knob, snapshot) = (&setting.knob, &machine.snapshot);
    let target = match &setting.group {
        None => settings::target(knob, snapshot),
        Some(group) => settings::cgroup_target(knob, group, snapshot),
    };
    target.map_err(setting_error)
}

/// Distinguishes settings that this machine lacks, unreadable ones, and a mistake in the request.
pub(super) fn setting_error(refusal: settings::SettingRefusal) -> ChangeError {
    let why = refusal.to_string();
    let settings::SettingRefusal::Unseen(_, missing) = refusal else {
        return ChangeError::Usage(why);
    };
    let is_absent = matches!(missing, Missing::Absent(_));
    if is_absent { ChangeError::Refused(why) } else { ChangeError::Unreadable(why) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing;
    use crate::root::testing::TestTree;

    /// The kernel refuses the other order.
    #[test]
    fn limits_of_version_1_are_set_in_the_order_that_fits() {
        let tree = TestTree::with(&[
            ("proc/mounts", "c /cg cgroup rw,memory 0 0\n"),
            ("cg/a/memory.limit_in_bytes", "50000000\n"),
            ("cg/a/memory.memsw.limit_in_bytes", "80000000\n"),
        ]);
        let root = tree.root();
        let machine = ObservedMachine::observe_for_settings(&root);
        let order = |memory: &str, both: &str| {
            let wish = |knob: &str, value: &str| {
                (Setting { knob: knob.to_owned(), group: Some("/a".into()) }, value.to_owned())
            };
            let named = [wish(MEMORY, memory), wish(MEMSW, both)];
            let orders = [named.clone(), [named[1].clone(), named[0].clone()]];
            orders.map(|wishes| {
                let all = with_memory_and_swap(&machine, &wishes);
                all.into_iter().map(|(setting, _)| setting.knob).collect::<Vec<_>>()
            })
        };
        assert_eq!(order("100M", "120M"), [[MEMSW, MEMORY], [MEMSW, MEMORY]]);
        assert_eq!(order("20M", "30M"), [[MEMORY, MEMSW], [MEMORY, MEMSW]]);
    }

    #[test]
    fn active_area_with_other_options_gets_the_command_to_change_it() {
        let area = testing::area("/dev/a b", 5, 100, 0);
        let said = |priority: Option<&str>, discard, persist| {
            let priority = priority.map(|text| Priority::parse(text).unwrap());
            let options = SwaponOptions { priority, discard };
            let told = active_with_other_options(&area, Some(Discard::Once), options, persist);
            told.map_err(|failure| failure.to_string())
        };
        let told = |persist| said(Some("7"), Some(Discard::Pages), persist).unwrap_err();
        assert!(
            told(false).ends_with("to change it: swapadm priority '/dev/a b'=7"),
            "{}",
            told(false)
        );
        assert!(told(true).ends_with("'/dev/a b'=7 --persist"), "{}", told(true));
        let told = said(Some("5"), Some(Discard::Pages), false).unwrap_err();
        assert!(told.contains("disable it first"), "{told}");
        let told = said(Some("5"), Some(Discard::Pages), true).unwrap().unwrap();
        assert!(told.ends_with(
            "with discard once, and stays so until reboot: pages is set for the next boot"
        ));
        assert_eq!(said(Some("5"), Some(Discard::Once), true), Ok(None));
        assert_eq!(said(None, None, false), Ok(None));
    }
}
