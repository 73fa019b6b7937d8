//! From what is wanted to the steps that lead there. Pure: a plan sees areas, and changes nothing.

mod revert;
pub mod order;
pub mod zram;

pub use revert::{plan_recovery, settle, undo};

use super::Step;
use super::journal::PlanPurpose;
use super::step::activation_of;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name};
use serde::Serialize;

/// What is to be done, and what it relies on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// What it is for, as a sentence without an end.
    pub title: String,
    /// Its purpose, which decides what follows it.
    pub purpose: PlanPurpose,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Does each step stand for itself, so that what one made stays where another fails?
    pub apart: bool,
    /// The areas that were active when it was made. It is void when others are.
    pub relies_on: Vec<AreaState>,
}

impl Plan {
    /// One without steps.
    pub fn without_steps(title: String) -> Self {
        Self {
            title,
            purpose: PlanPurpose::Change,
            steps: Vec::new(),
            apart: false,
            relies_on: Vec::new(),
        }
    }
}

impl Plan {
    /// Does another one do the same to the same areas? The order follows what is on them, and a
    /// word to the kernel may hold a time: both change from one moment to the next.
    pub fn is_like(&self, other: &Self) -> bool {
        let alike = |step: &Step, other: &Step| match (step, other) {
            (Step::Order { .. }, Step::Order { .. }) => step.subject() == other.subject(),
            _ => step == other,
        };
        self.relies_on == other.relies_on
            && self.steps.len() == other.steps.len()
            && self.steps.iter().all(|step| other.steps.iter().any(|other| alike(step, other)))
    }

    /// The areas that are off for a moment: whatever the kernel does not tell of them is lost.
    pub fn comes_back(&self) -> impl Iterator<Item = &Name> {
        let steps = self.steps.iter().enumerate();
        steps.filter_map(|(place, step)| {
            let path = &step.disabled_area()?.path;
            let mut later = self.steps.iter().skip(place).filter_map(Step::enabled_area);
            later.any(|area| area.path == *path).then_some(path)
        })
    }
}

/// An area and its priority: what must not change behind our back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AreaState {
    /// The area.
    pub path: Name,
    /// Its priority. All that the kernel gave count as one: it renumbers those itself.
    pub priority: Priority,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanRefusal {
    /// No area has this name.
    #[error("{} is not active: swapadm devices lists what is", .0.safe())]
    NotActive(Name),
    /// The area has no name any more by which the kernel could be told of it.
    #[error("{} was deleted, and the kernel takes no area off without a path to it: link it back into place, or restart", .0.safe())]
    Deleted(Name),
    /// It is not as the plan that is to be taken back left it.
    #[error("{} was changed since: what it was before cannot be put back without undoing that; swapadm devices shows how it is now", .0.safe())]
    Changed(Name),
    /// The machine was started again since.
    #[error(
        "plan {0} was carried out before the machine was last started: nothing of it is left to take back"
    )]
    OtherBoot(u64),
    /// None of it stands.
    #[error("plan {0} left nothing to take back")]
    Nothing(u64),
    /// It was dismissed.
    #[error(
        "plan {0} was dismissed (swapadm recover --dismiss {0}), so it cannot be undone: swapadm journal {0} shows what it did and why it was dismissed"
    )]
    Dismissed(u64),
    /// It cannot be seen how it stands.
    #[error("{0}")]
    Unreadable(String),
    /// It was named twice.
    #[error("{} is named twice", .0.safe())]
    Twice(Name),
}

/// The areas as a plan relies on them.
pub fn current_areas(areas: &[SwapArea]) -> Vec<AreaState> {
    let stands =
        |area: &SwapArea| AreaState { path: area.path.clone(), priority: Priority::from_shown(area.priority) };
    let mut all: Vec<AreaState> = areas.iter().map(stands).collect();
    all.sort();
    all
}

/// How those stand after a step.
pub fn apply_step(step: &Step, standing: &mut Vec<AreaState>) {
    if let Some(area) = step.disabled_area() {
        standing.retain(|stands| stands.path != area.path);
    }
    if let Some(area) = step.enabled_area() {
        standing.push(AreaState { path: area.path.clone(), priority: area.priority });
        standing.sort();
    }
}

/// Give areas other priorities. Areas that have theirs already are left alone. Those with the
/// least on them come first: they come back empty and take what the next ones hold. Those that the
/// kernel shall number come back in the order of the wishes, as that decides which it takes first.
///
/// # Errors
/// When an area is not active, or could not be put on again.
pub fn priorities(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    wishes: &[(Name, Priority)],
) -> Result<Plan, PlanRefusal> {
    let defaults = wishes.iter().filter(|(_, wish)| *wish == Priority::Default);
    let defaults: Vec<Name> = defaults.map(|(path, _)| path.clone()).collect();
    let misplaced = order::areas_to_renew(areas, &defaults);
    let mut changes = renewals(areas, discard, wishes)?;
    changes.retain(|(area, step)| step.leaves_trace() || misplaced.contains(&&area.path));
    changes.sort_by_key(|(area, _)| (used(area), area.path.clone()));
    number_in_order(&mut changes, &misplaced);
    Ok(renewed(areas, changes, wishes))
}

/// The same in this order, which is that of the priorities that the kernel will give them; also
/// those that have a default one already.
///
/// # Errors
/// When an area is not active, or could not be put on again.
pub fn in_order(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    wishes: &[(Name, Priority)],
) -> Result<Plan, PlanRefusal> {
    Ok(renewed(areas, renewals(areas, discard, wishes)?, wishes))
}

fn renewed(
    areas: &[SwapArea],
    changes: Vec<(&SwapArea, Step)>,
    wishes: &[(Name, Priority)],
) -> Plan {
    let steps = changes.into_iter().map(|(_, step)| step).collect();
    Plan { steps, relies_on: current_areas(areas), ..Plan::without_steps(title(wishes)) }
}

/// Each of these areas, with the step that gives it its priority.
fn renewals<'a>(
    areas: &'a [SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    wishes: &[(Name, Priority)],
) -> Result<Vec<(&'a SwapArea, Step)>, PlanRefusal> {
    let renewal = |(place, (path, wish)): (usize, &(Name, Priority))| {
        if wishes.iter().take(place).any(|(other, _)| other == path) {
            return Err(PlanRefusal::Twice(path.clone()));
        }
        let area = active(areas, path)?;
        if area.deleted {
            return Err(PlanRefusal::Deleted(path.clone()));
        }
        let from = activation_of(area, discard(area));
        let to = Activation { priority: *wish, ..from.clone() };
        Ok((area, Step::Renew { from, to }))
    };
    wishes.iter().enumerate().map(renewal).collect()
}

/// Let those that the kernel numbers change places, so that they come in this order.
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

/// Empty areas: each is taken off and put on again as it was. Those with the least on them come
/// first: they take what the next ones hold. What one of them has moved stays where another fails.
///
/// # Errors
/// When an area is not active, or could not be put on again.
pub fn empty(
    areas: &[SwapArea],
    names: &[Name],
    discard: impl Fn(&SwapArea) -> Discard,
) -> Result<Plan, PlanRefusal> {
    let mut full = Vec::new();
    for name in names {
        let area = active(areas, name)?;
        if area.deleted {
            return Err(PlanRefusal::Deleted(name.clone()));
        }
        full.push(area);
    }
    full.sort_by_key(|area| (used(area), area.path.clone()));
    let renew = |area: &&SwapArea| {
        let from = activation_of(area, discard(area));
        Step::Renew { to: from.clone(), from }
    };
    let names: Vec<&Name> = full.iter().map(|area| &area.path).collect();
    let title = format!("empty {}", listed(&names));
    let steps = full.iter().map(renew).collect();
    Ok(Plan { steps, apart: true, relies_on: current_areas(areas), ..Plan::without_steps(title) })
}

/// Switch areas off. Those with the lowest priority come first: as long as it lasts, the better
/// ones take what does not fit into memory.
///
/// # Errors
/// When an area is not active, or named twice.
pub fn off(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    names: &[Name],
) -> Result<Plan, PlanRefusal> {
    let mut leaving = Vec::new();
    for (place, name) in names.iter().enumerate() {
        if names.iter().take(place).any(|other| other == name) {
            return Err(PlanRefusal::Twice(name.clone()));
        }
        let area = active(areas, name)?;
        if area.deleted {
            return Err(PlanRefusal::Deleted(name.clone()));
        }
        leaving.push(area);
    }
    leaving.sort_by_key(|area| area.priority);
    let title = format!("switch {} off", listed(&names.iter().collect::<Vec<_>>()));
    let off = |area: &&SwapArea| Step::Off { area: activation_of(area, discard(area)) };
    let steps = leaving.iter().map(off).collect();
    Ok(Plan { steps, relies_on: current_areas(areas), ..Plan::without_steps(title) })
}

/// Switch areas on. Those that are active already are left alone. Each stands for itself if they
/// were not named one by one.
///
/// # Errors
/// When one is named twice.
pub fn on(areas: &[SwapArea], wanted: &[Activation], apart: bool) -> Result<Plan, PlanRefusal> {
    let mut steps = Vec::new();
    for (place, wish) in wanted.iter().enumerate() {
        if wanted.iter().take(place).any(|other| other.path == wish.path) {
            return Err(PlanRefusal::Twice(wish.path.clone()));
        }
        if !areas.iter().any(|area| area.path == wish.path) {
            steps.push(Step::On { area: wish.clone() });
        }
    }
    let names: Vec<&Name> = wanted.iter().map(|wish| &wish.path).collect();
    let title = format!("switch {} on", listed(&names));
    Ok(Plan { steps, apart, relies_on: current_areas(areas), ..Plan::without_steps(title) })
}

/// Is this the first of the steps that change the same thing?
pub fn is_first(steps: &[Step], place: usize) -> bool {
    is_only(steps.iter().take(place), steps.get(place))
}

/// Is it the last of them?
pub fn is_last(steps: &[Step], place: usize) -> bool {
    is_only(steps.iter().skip(place + 1), steps.get(place))
}

fn is_only<'s>(mut others: impl Iterator<Item = &'s Step>, step: Option<&Step>) -> bool {
    !others.any(|other| Some(other.subject()) == step.map(Step::subject))
}

fn listed(names: &[&Name]) -> String {
    if names.is_empty() {
        return "no area".to_owned();
    }
    names.iter().map(|name| name.safe()).collect::<Vec<_>>().join(", ")
}

fn title(wishes: &[(Name, Priority)]) -> String {
    let wish = |(path, priority): &(Name, Priority)| format!("{} to {priority}", path.safe());
    format!("priority of {}", wishes.iter().map(wish).collect::<Vec<_>>().join(", "))
}

fn active<'a>(areas: &'a [SwapArea], path: &Name) -> Result<&'a SwapArea, PlanRefusal> {
    let found = areas.iter().find(|area| area.path == *path);
    found.ok_or_else(|| PlanRefusal::NotActive(path.clone()))
}

fn used(area: &SwapArea) -> Bytes {
    area.used.known().copied().unwrap_or(area.size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing;

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
    fn impossible_wishes_are_refused_by_name() {
        let mut gone = area("a", 5, 0);
        gone.deleted = true;
        let areas = [gone, area("b", 5, 0)];
        let refused = |wishes: &[_]| priorities(&areas, |_| Discard::None, wishes).unwrap_err();
        assert_eq!(refused(&[wish("a", Priority::Set(1))]), PlanRefusal::Deleted("a".into()));
        assert_eq!(refused(&[wish("x", Priority::Set(1))]), PlanRefusal::NotActive("x".into()));
        let twice = [wish("b", Priority::Set(1)), wish("b", Priority::Set(2))];
        assert_eq!(refused(&twice), PlanRefusal::Twice("b".into()));
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
