//! Plans: from a request to the steps that fulfil it. Planning reads areas and changes nothing.

pub mod order;
mod revert;
pub mod zram;

pub use revert::{Recovery, UnreadablePlan, plan_recovery, settle, undo};

use super::Step;
use super::journal::PlanPurpose;
use super::shell_quoted;
use super::step::activation_of;
use crate::model::Name;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::knob::CGROUP_KNOBS;
use crate::model::swaparea::{AreaKind, SwapArea};
use serde::Serialize;

/// A plan: the steps to do and the areas it relies on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plan {
    /// The title of the plan, without a final period.
    pub title: String,
    /// The purpose, which decides what follows the plan.
    pub purpose: PlanPurpose,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Is each step independent, so that a completed one stays when another fails?
    pub independent: bool,
    /// The active areas when the plan was made. The plan is void if those that matter to it have changed.
    pub relies_on: Vec<AreaState>,
}

impl Plan {
    /// Makes a plan without steps.
    pub fn without_steps(title: String) -> Self {
        Self { title, ..Self::default() }
    }

    /// Makes a plan that relies on the active areas.
    pub fn on_areas(areas: &[SwapArea], title: String, steps: Vec<Step>) -> Self {
        Self { title, steps, relies_on: current_areas(areas), ..Self::default() }
    }

    /// Does this plan do the same as an earlier one, on areas as that one expects them? The order of the steps and the words that
    /// [`Step::Order`] writes are ignored: the order depends on usage, and a word may contain a time.
    pub fn is_like(&self, earlier: &Self) -> bool {
        let alike = |step: &Step, other: &Step| match (step, other) {
            (Step::Order { .. }, Step::Order { .. }) => step.subject() == other.subject(),
            _ => step == other,
        };
        self.expects(&earlier.relies_on, &self.relies_on)
            && self.steps.len() == earlier.steps.len()
            && self.steps.iter().all(|step| earlier.steps.iter().any(|other| alike(step, other)))
    }

    /// Are the areas those that the plan expects, as far as it relies on them?
    pub fn expects(&self, expected: &[AreaState], now: &[AreaState]) -> bool {
        let disables = self.steps.iter().any(|step| step.disabled_area().is_some());
        let is_own = |path: &Name| self.steps.iter().any(|step| step.device() == *path);
        are_as_expected(is_own, disables, expected, now)
    }

    /// Can memory run short by the plan: does it disable areas, or limit cgroups?
    pub fn needs_memory(&self) -> bool {
        self.steps.iter().any(Step::needs_memory)
    }

    /// The areas that are disabled and enabled again: attributes that the kernel does not report
    /// are lost.
    pub fn reenabled_areas(&self) -> impl Iterator<Item = &Name> {
        let steps = self.steps.iter().enumerate();
        steps.filter_map(|(place, step)| {
            let path = &step.disabled_area()?.path;
            let mut later = self.steps.iter().skip(place).filter_map(Step::enabled_area);
            later.any(|area| area.path == *path).then_some(path)
        })
    }
}

/// An area and its priority, which must not change while a plan runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AreaState {
    /// Path of the area.
    pub path: Name,
    /// Priority. All default priorities count as equal, because the kernel renumbers them.
    pub priority: Priority,
}

/// The table that shows what a step changes.
fn table_of(subject: &Name) -> &'static str {
    let path = subject.as_bytes();
    let is_of_group = CGROUP_KNOBS.iter().any(|knob| path.ends_with(knob.id.as_bytes()));
    match path {
        _ if is_of_group => "cgroups",
        _ if path.starts_with(b"/sys/block/zram") => "zram",
        _ if path.starts_with(b"/proc/sys/") || path.starts_with(b"/sys/") => "knobs",
        _ if path.starts_with(b"/etc/") => "persist check",
        _ => "devices",
    }
}

/// Why no plan can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanRefusal {
    /// No active area has this name.
    #[error("{} is not an active swap area; to list active areas: swapadm devices", .0.safe())]
    NotActive(Name),
    /// The file of the area was deleted, so swapoff has no path to it.
    #[error("{} was deleted while active, and swapoff needs a path to it: restore a hard link to the file, or reboot", .0.safe())]
    Deleted(Name),
    /// The node of the device of the area was deleted, mostly because the device was removed.
    #[error("the node {} was deleted while its area was active. If the device is still connected, create the node again (udevadm trigger), or disable the area by another node of the device: swapoff NODE. If it was removed, the pages on it are lost, and only a reboot disables the area; processes with swap: swapadm processes", .0.safe())]
    NodeDeleted(Name),
    /// The area has changed since the plan with this number, which is to be undone.
    #[error("{} has changed since plan {plan}, which cannot be undone without losing the later change; to see its present state: swapadm {}; to list other plans: swapadm journal", .subject.safe(), table_of(.subject))]
    Changed {
        /// The number of the plan.
        plan: u64,
        /// The setting, file or area that has changed.
        subject: Name,
    },
    /// The file at this path is not the active one.
    #[error("{} is not the one that /proc/swaps lists by this path, which is active in another mount namespace, such as a container: run swapadm there to change that one, and rename this one to enable it", .0.safe())]
    OtherNamespace(Name),
    /// The machine was rebooted since.
    #[error("plan {0} ran before the last boot: nothing of it is left to undo")]
    OtherBoot(u64),
    /// No step of the plan is in effect.
    #[error("plan {0}: nothing to undo")]
    Nothing(u64),
    /// The plan was dismissed.
    #[error(
        "plan {0} was dismissed (swapadm recover --dismiss {0}), so it cannot be undone; for details: swapadm journal {0}"
    )]
    Dismissed(u64),
    /// The present state cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The area was named twice.
    #[error("{} is named twice: name each area once", .0.safe())]
    Twice(Name),
}

impl PlanRefusal {
    /// Whether nothing of the plan is in effect any more.
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Nothing(_) | Self::OtherBoot(_))
    }

    /// The refusal of an area without a path.
    fn deleted(area: &SwapArea) -> Self {
        match area.kind {
            AreaKind::File => Self::Deleted(area.path.clone()),
            AreaKind::Partition => Self::NodeDeleted(area.path.clone()),
        }
    }
}

/// The areas as a plan relies on them.
pub fn current_areas(areas: &[SwapArea]) -> Vec<AreaState> {
    let stands = |area: &SwapArea| AreaState {
        path: area.path.clone(),
        priority: Priority::from_shown(area.priority),
    };
    let mut all: Vec<AreaState> = areas.iter().map(stands).collect();
    all.sort();
    all
}

/// Compares the areas with those that are expected. A change relies on its own areas. While it disables one, it
/// relies on the others too: they take what is moved, and have an order. An area that somebody else has enabled
/// only makes room, unless it changes the order of default priorities.
pub fn are_as_expected(
    is_own: impl Fn(&Name) -> bool,
    disables: bool,
    expected: &[AreaState],
    now: &[AreaState],
) -> bool {
    let mut gone = expected.iter().filter(|area| !now.contains(area));
    let mut new = now.iter().filter(|area| !expected.contains(area));
    let is_missed = gone.any(|area| disables || is_own(&area.path));
    let is_in_the_way =
        new.any(|area| is_own(&area.path) || (disables && area.priority == Priority::Default));
    !is_missed && !is_in_the_way
}

/// Applies a step to the expected areas.
pub fn apply_step(step: &Step, standing: &mut Vec<AreaState>) {
    if let Some(area) = step.disabled_area() {
        standing.retain(|stands| stands.path != area.path);
    }
    if let Some(area) = step.enabled_area() {
        standing.push(AreaState { path: area.path.clone(), priority: area.priority });
        standing.sort();
    }
}

/// Plans new priorities. Areas that have theirs already are skipped. The emptiest areas come first:
/// they return empty and take the contents of the next ones. Areas with default priority return in
/// the requested order, which decides how the kernel fills them.
pub fn priorities(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    requests: &[(Name, Priority)],
) -> Result<Plan, PlanRefusal> {
    let defaults = requests.iter().filter(|(_, wish)| *wish == Priority::Default);
    let defaults: Vec<Name> = defaults.map(|(path, _)| path.clone()).collect();
    let misplaced = order::areas_to_renew(areas, &defaults);
    let mut changes = renewals(areas, discard, requests)?;
    changes.retain(|(area, step)| step.is_observable() || misplaced.contains(&&area.path));
    changes.sort_by_key(|(area, _)| (area.used_at_most(), area.path.clone()));
    number_in_order(&mut changes, &misplaced);
    Ok(renewed(areas, changes, requests))
}

/// Plans new priorities in exactly this order, which becomes that of the default priorities, and
/// includes areas that already have a default priority.
pub fn in_order(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    requests: &[(Name, Priority)],
) -> Result<Plan, PlanRefusal> {
    Ok(renewed(areas, renewals(areas, discard, requests)?, requests))
}

fn renewed(
    areas: &[SwapArea],
    changes: Vec<(&SwapArea, Step)>,
    wishes: &[(Name, Priority)],
) -> Plan {
    let steps = changes.into_iter().map(|(_, step)| step).collect();
    Plan::on_areas(areas, title(wishes), steps)
}

/// Each of these areas with the step that gives it its priority.
fn renewals<'a>(
    areas: &'a [SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    wishes: &[(Name, Priority)],
) -> Result<Vec<(&'a SwapArea, Step)>, PlanRefusal> {
    let renewal = |(area, (_, wish)): (&'a SwapArea, &(Name, Priority))| {
        let from = activation_of(area, discard(area));
        let to = Activation { priority: *wish, ..from.clone() };
        (area, Step::Renew { from, to })
    };
    let active = active_areas(areas, wishes.iter().map(|(path, _)| path))?;
    Ok(active.into_iter().zip(wishes).map(renewal).collect())
}

/// Exchanges the places of areas with default priorities so that they follow this order.
fn number_in_order(changes: &mut [(&SwapArea, Step)], order: &[&Name]) {
    let place = |area: &SwapArea| order.iter().position(|other| **other == area.path);
    let mut numbered: Vec<_> =
        changes.iter().filter(|(area, _)| place(area).is_some()).cloned().collect();
    numbered.sort_by_key(|(area, _)| place(area));
    let places = changes.iter_mut().filter(|(area, _)| place(area).is_some());
    for (change, next) in places.zip(numbered) {
        *change = next;
    }
}

/// Plans to drain areas: each is disabled and enabled again as it was. The emptiest areas come
/// first: they take the contents of the next ones. Data moved by one step stays moved if another
/// fails.
pub fn empty(
    areas: &[SwapArea],
    names: &[Name],
    discard: impl Fn(&SwapArea) -> Discard,
) -> Result<Plan, PlanRefusal> {
    let mut full = active_areas(areas, names.iter())?;
    full.sort_by_key(|area| (area.used_at_most(), area.path.clone()));
    let title = format!("drain {}", listed(full.iter().map(|area| &area.path)));
    let steps = full.iter().map(|area| Step::renew_unchanged(activation_of(area, discard(area))));
    let steps = steps.collect();
    Ok(Plan { independent: true, ..Plan::on_areas(areas, title, steps) })
}

/// Plans to disable areas. Those with the lowest priority come first, so that meanwhile the better
/// ones take what does not fit into memory.
pub fn off(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    names: &[Name],
) -> Result<Plan, PlanRefusal> {
    let mut leaving = active_areas(areas, names.iter())?;
    leaving.sort_by_key(|area| area.priority);
    let title = format!("disable {}", listed(names.iter()));
    let off = |area: &&SwapArea| Step::Off { area: activation_of(area, discard(area)) };
    Ok(Plan::on_areas(areas, title, leaving.iter().map(off).collect()))
}

/// Plans to enable areas. Active areas are skipped. With `apart`, the steps are independent: the
/// areas were not named one by one.
pub fn on(areas: &[SwapArea], wanted: &[Activation], apart: bool) -> Result<Plan, PlanRefusal> {
    let mut steps = Vec::new();
    for (place, wish) in wanted.iter().enumerate() {
        if wanted.iter().take(place).any(|other| other.path == wish.path) {
            return Err(PlanRefusal::Twice(wish.path.clone()));
        }
        if find(areas, &wish.path)?.is_none() {
            steps.push(Step::On { area: wish.clone() });
        }
    }
    let title = format!("enable {}", listed(wanted.iter().map(|wish| &wish.path)));
    Ok(Plan { independent: apart, ..Plan::on_areas(areas, title, steps) })
}

/// Is this the first of the steps that change the same thing?
pub fn is_first(steps: &[Step], place: usize) -> bool {
    is_only(steps.iter().take(place), steps.get(place))
}

/// Is this the last of the steps that change the same thing?
pub fn is_last(steps: &[Step], place: usize) -> bool {
    is_only(steps.iter().skip(place + 1), steps.get(place))
}

fn is_only<'s>(mut others: impl Iterator<Item = &'s Step>, step: Option<&Step>) -> bool {
    !others.any(|other| Some(other.subject()) == step.map(Step::subject))
}

fn listed<'n>(names: impl Iterator<Item = &'n Name>) -> String {
    let names: Vec<String> = names.map(shell_quoted).collect();
    if names.is_empty() { "swap areas".to_owned() } else { names.join(", ") }
}

fn title(wishes: &[(Name, Priority)]) -> String {
    let wish = |(path, priority): &(Name, Priority)| format!("{} to {priority}", path.safe());
    format!("priority of {}", wishes.iter().map(wish).collect::<Vec<_>>().join(", "))
}

/// The active areas of these paths, each named once and still there for swapoff.
fn active_areas<'a, 'n>(
    areas: &'a [SwapArea],
    names: impl Iterator<Item = &'n Name>,
) -> Result<Vec<&'a SwapArea>, PlanRefusal> {
    let mut found: Vec<&SwapArea> = Vec::new();
    for name in names {
        if found.iter().any(|area| area.path == *name) {
            return Err(PlanRefusal::Twice(name.clone()));
        }
        let area = find(areas, name)?.ok_or_else(|| PlanRefusal::NotActive(name.clone()))?;
        if area.deleted {
            return Err(PlanRefusal::deleted(area));
        }
        found.push(area);
    }
    Ok(found)
}

/// The active area of this path, if any; refused if the file here is too small to be that area.
pub(super) fn find<'a>(
    areas: &'a [SwapArea],
    path: &Name,
) -> Result<Option<&'a SwapArea>, PlanRefusal> {
    let found = areas.iter().find(|area| area.path == *path);
    let is_too_small = |area: &&SwapArea| area.file.is_some_and(|file| file.size <= area.size.0);
    match found.filter(is_too_small) {
        Some(_) => Err(PlanRefusal::OtherNamespace(path.clone())),
        None => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::{FileIdentity, testing};

    fn area(path: &str, priority: i32, used: u64) -> SwapArea {
        testing::area(path, priority, 1000, used)
    }

    fn wish(path: &str, priority: Priority) -> (Name, Priority) {
        (path.into(), priority)
    }

    #[test]
    fn emptiest_area_is_renewed_first_and_correct_areas_are_skipped() {
        let areas = [area("a", 5, 900), area("b", 5, 10), area("c", -2, 0)];
        let wishes = [
            wish("a", Priority::Set(7)),
            wish("b", Priority::Set(7)),
            wish("c", Priority::Default),
        ];
        let plan = priorities(&areas, |_| Discard::Pages, &wishes).unwrap();
        let paths: Vec<String> = plan.steps.iter().map(|step| step.subject().safe()).collect();
        assert_eq!(paths, ["b", "a"]);
        let Step::Renew { from, to } = &plan.steps[0] else { panic!() };
        assert_eq!((from.priority, to.priority), (Priority::Set(5), Priority::Set(7)));
        assert_eq!((from.discard, to.discard), (Discard::Pages, Discard::Pages));
        assert_eq!(plan.title, "priority of a to 7, b to 7, c to default");
    }

    #[test]
    fn a_plan_relies_on_its_own_areas_and_on_all_while_it_disables_one() {
        let expected = current_areas(&[area("a", 5, 0), area("b", 7, 0)]);
        let now: [(&str, &[SwapArea]); 5] = [
            ("own", &[area("a", 6, 0), area("b", 7, 0)]),
            ("another", &[area("a", 5, 0), area("b", 8, 0)]),
            ("gone", &[area("a", 5, 0)]),
            ("new", &[area("a", 5, 0), area("b", 7, 0), area("c", 9, 0)]),
            ("default", &[area("a", 5, 0), area("b", 7, 0), area("c", -2, 0)]),
        ];
        let changed = |disables| {
            let is_own = |path: &Name| *path == "a".into();
            let is_void =
                |areas| !are_as_expected(is_own, disables, &expected, &current_areas(areas));
            now.iter().filter(|(_, areas)| is_void(areas)).map(|it| it.0).collect::<Vec<_>>()
        };
        assert_eq!(changed(false), ["own"]);
        assert_eq!(changed(true), ["own", "another", "gone", "default"]);
    }

    #[test]
    fn a_plan_made_again_is_like_the_earlier_one_if_an_area_came_and_none_went() {
        let on = |areas: &[SwapArea]| {
            priorities(areas, |_| Discard::None, &[wish("a", Priority::Set(7))]).unwrap()
        };
        let one = on(&[area("a", 5, 0)]);
        let two = on(&[area("a", 5, 0), area("b", 9, 0)]);
        assert!(two.is_like(&one) && one.is_like(&one));
        assert!(!one.is_like(&two));
    }

    #[test]
    fn impossible_wishes_are_refused_by_name() {
        let mut gone = area("a", 5, 0);
        gone.deleted = true;
        let areas = [gone, area("b", 5, 0)];
        let refused = |wishes: &[_]| priorities(&areas, |_| Discard::None, wishes).unwrap_err();
        assert_eq!(refused(&[wish("a", Priority::Set(1))]), PlanRefusal::NodeDeleted("a".into()));
        assert_eq!(refused(&[wish("x", Priority::Set(1))]), PlanRefusal::NotActive("x".into()));
        let twice = [wish("b", Priority::Set(1)), wish("b", Priority::Set(2))];
        assert_eq!(refused(&twice), PlanRefusal::Twice("b".into()));
    }

    /// The path in /proc/swaps is that of a container, and the file here is too small to be its area.
    #[test]
    fn a_file_is_not_taken_for_the_area_of_another_namespace() {
        let file = |size| {
            let (device, inode, changed) = ((8, 1), 12, (0, 0));
            vec![SwapArea {
                file: Some(FileIdentity { device, inode, size, changed }),
                ..area("a", 5, 0)
            }]
        };
        let (priority, discard) = (Priority::Set(7), Discard::None);
        let own = Activation { path: "a".into(), priority, discard };
        let refused = |areas: &[SwapArea]| {
            let renew = priorities(areas, |_| Discard::None, &[wish("a", priority)]).err();
            [on(areas, std::slice::from_ref(&own), false).err(), renew]
        };
        let other = || Some(PlanRefusal::OtherNamespace("a".into()));
        assert_eq!(refused(&file(1000)), [other(), other()]);
        assert_eq!(refused(&file(1001)), [None, None]);
    }

    #[test]
    fn expected_areas_follow_the_steps() {
        let areas = [area("a", 5, 0), area("b", -3, 0)];
        let mut stands = current_areas(&areas);
        let plan = priorities(&areas, |_| Discard::None, &[wish("b", Priority::Set(9))]).unwrap();
        apply_step(&plan.steps[0], &mut stands);
        assert_eq!(stands, current_areas(&[area("a", 5, 1), area("b", 9, 0)]));
        apply_step(&plan.steps[0].inverse().unwrap(), &mut stands);
        assert_eq!(stands, current_areas(&[area("a", 5, 1), area("b", -2, 0)]));
    }
}
