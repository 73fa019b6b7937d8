//! The order of areas with default priorities.
//!
//! Kernels up to 6.18 number them downwards from -2 as they are enabled, and fill the first before
//! the next; an area that is disabled and enabled again becomes the last, even if a swapoff was
//! only stopped. Later kernels give all of them -1 and use them round robin.

use super::{Discard, Plan, Priority, Step, activation_of};
use crate::actions::journal::{ORDERING, PlanEnd, PlanPurpose, Record};
use crate::model::Name;
use crate::model::swaparea::SwapArea;
use std::cmp::Reverse;

/// The one default priority of later kernels. Earlier ones use this number for other purposes.
const SHARED_DEFAULT: i32 = -1;

/// Areas with default priorities in allocation order; empty where the kernel uses them round robin.
pub fn default_order(areas: &[SwapArea]) -> Vec<Name> {
    order_by_number(areas.iter().map(|area| (&area.path, area.priority)))
}

fn order_by_number<'n>(areas: impl Iterator<Item = (&'n Name, i32)>) -> Vec<Name> {
    let mut own: Vec<_> = areas.filter(|(_, priority)| *priority < 0).collect();
    if own.iter().any(|(_, priority)| *priority == SHARED_DEFAULT) {
        return Vec::new();
    }
    own.sort_by_key(|(_, priority)| Reverse(*priority));
    own.into_iter().map(|(path, _)| path.clone()).collect()
}

/// The areas that must be enabled anew, one after the other, so that these are in this order: all from the
/// first one on that is not behind the one before it.
pub fn out_of_order<'n>(now: &[Name], wanted: &'n [Name]) -> Vec<&'n Name> {
    let mut last = None;
    let is_right = |name: &&Name| {
        let place = now.iter().position(|other| other == *name);
        place.is_some() && place > std::mem::replace(&mut last, place)
    };
    wanted.iter().skip_while(is_right).collect()
}

/// The areas that must be renewed, one after the other, to get this allocation order.
pub(super) fn areas_to_renew<'n>(areas: &[SwapArea], wanted: &'n [Name]) -> Vec<&'n Name> {
    let now = default_order(areas);
    if now.is_empty() {
        let is_default =
            |name: &Name| areas.iter().any(|area| area.path == *name && area.priority < 0);
        return wanted.iter().filter(|name| !is_default(name)).collect();
    }
    out_of_order(&now, wanted)
}

/// The order of areas before some plan, updated by what was enabled on purpose since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedOrder {
    order: Vec<Name>,
    /// Areas that plans have tried to disable or enable since.
    touched: Vec<Name>,
}

/// Reconstructs the order that a plan found, as it would be had the kernel not changed it; `None`
/// if the journal does not have it. Areas that were undone or only enabled again keep their place.
pub fn reconstruct_order(records: &[Record], since: u64, boot: &str) -> Option<RecordedOrder> {
    let is_later = |record: &&Record| record.plan >= since && record.boot == boot;
    let records: Vec<&Record> = records.iter().filter(is_later).collect();
    let first = records.first().filter(|first| first.plan == since && !first.areas.is_empty())?;
    let stood = first.areas.iter().map(|area| (&area.path, area.priority));
    let mut kept = RecordedOrder { order: order_by_number(stood), touched: Vec::new() };
    for record in &records {
        let tried = record.steps.iter().enumerate();
        let tried = tried
            .filter(|(place, step)| step.is_of_areas() && record.last_direction(*place).is_some());
        kept.touched.extend(tried.map(|(_, step)| step.subject().clone()));
        let steps: Vec<usize> = match record.purpose {
            // This plan restores the order of an earlier one.
            PlanPurpose::Order if record.plan != since => continue,
            // An interrupted plan: its steps are the order.
            PlanPurpose::Order => (0..record.steps.len()).collect(),
            PlanPurpose::Change | PlanPurpose::Recovery | PlanPurpose::Upkeep => {
                if is_cancelled_out(record, &records) {
                    continue;
                }
                record.steps_in_effect()
            }
        };
        for step in steps.iter().filter_map(|place| record.steps.get(*place)) {
            kept.apply_step(step, record.end() == Some(PlanEnd::Done));
        }
    }
    Some(kept)
}

/// Was this plan undone by another one, does it undo one, or does it repair what others left?
fn is_cancelled_out(record: &Record, records: &[&Record]) -> bool {
    let takes_back = |by: &Record, other: &Record| {
        by.undoes == Some(other.plan) && by.end() == Some(PlanEnd::Done)
    };
    let is_back = |other: &&Record| takes_back(other, record) || takes_back(record, other);
    record.purpose == PlanPurpose::Recovery || records.iter().any(is_back)
}

impl RecordedOrder {
    /// Applies a completed step: an area that gets a default priority becomes the last. An area
    /// that an unfinished plan left disabled will be enabled again, and keeps its place.
    fn apply_step(&mut self, step: &Step, ended: bool) {
        let on = step.enabled_area().filter(|area| area.priority == Priority::Default);
        let off = step.disabled_area().filter(|_| ended);
        if let Some(area) = on.or(off) {
            self.order.retain(|path| *path != area.path);
        }
        self.order.extend(on.map(|area| area.path.clone()));
    }

    /// The order in which the active areas belong; `None` if they are in it, or if somebody else
    /// has reordered areas that no plan touched.
    pub fn order_to_restore(&self, now: &[SwapArea]) -> Option<Vec<Name>> {
        let is = default_order(now);
        let known = self.order.iter().filter(|path| is.contains(path));
        let new = is.iter().filter(|path| !self.order.contains(path));
        let wanted: Vec<Name> = known.chain(new).cloned().collect();
        let others = |names: &[Name]| -> Vec<Name> {
            names.iter().filter(|path| !self.touched.contains(path)).cloned().collect()
        };
        (wanted != is && others(&wanted) == others(&is)).then_some(wanted)
    }
}

/// Plans to put the areas into this order.
pub fn restore_plan(
    wanted: &[Name],
    now: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
) -> Option<Plan> {
    let anew = areas_to_renew(now, wanted);
    let areas = anew.iter().map(|name| now.iter().find(|area| area.path == **name));
    let renew = |area: &SwapArea| Step::renew_unchanged(activation_of(area, discard(area)));
    let steps: Vec<Step> = areas.collect::<Option<Vec<_>>>()?.into_iter().map(renew).collect();
    let plan = Plan::on_areas(now, ORDERING.to_owned(), steps);
    (!plan.steps.is_empty()).then_some(Plan { purpose: PlanPurpose::Order, ..plan })
}

#[cfg(test)]
mod tests {
    use super::super::priorities;
    use super::*;
    use crate::actions::journal::{Event, RecordedArea};
    use crate::model::Bytes;
    use crate::model::swaparea::testing::area;

    /// Areas named by letters, with these priorities.
    fn areas(letters: &str, numbers: &[i32]) -> Vec<SwapArea> {
        let named = letters.chars().zip(numbers);
        named.map(|(letter, number)| area(&letter.to_string(), *number, 1000, 10)).collect()
    }

    fn names(letters: &str) -> Vec<Name> {
        letters.chars().map(|letter| Name::from(letter.to_string().as_str())).collect()
    }

    fn subjects(plan: &Plan) -> String {
        plan.steps.iter().map(|step| step.subject().safe()).collect()
    }

    /// Areas that are renewed when all of these get a default priority in this order.
    fn renewed_subjects(now: &[SwapArea], wanted: &str) -> String {
        let wishes: Vec<_> =
            names(wanted).into_iter().map(|name| (name, Priority::Default)).collect();
        subjects(&priorities(now, |_| Discard::None, &wishes).unwrap())
    }

    #[test]
    fn default_priorities_follow_the_requested_order() {
        let now = areas("abcx", &[-2, -3, -4, 7]);
        assert_eq!(renewed_subjects(&now, "abc"), "");
        assert_eq!(renewed_subjects(&now, "ac"), "");
        assert_eq!(renewed_subjects(&now, "ca"), "a");
        assert_eq!(renewed_subjects(&now, "cab"), "ab");
        assert_eq!(renewed_subjects(&now, "bxc"), "xc");
        assert_eq!(renewed_subjects(&now, "xa"), "xa");
        let turns = areas("abx", &[-1, -1, 7]);
        assert_eq!(renewed_subjects(&turns, "bax"), "x", "they are used round robin");
    }

    /// Areas that are renewed to restore the order after these plans.
    fn restored_subjects(records: &[Record], now: &[SwapArea]) -> Option<String> {
        let wanted = reconstruct_order(records, 1, "now")?.order_to_restore(now)?;
        restore_plan(&wanted, now, |_| Discard::None).map(|plan| subjects(&plan))
    }

    /// A plan that found the areas a, b and c in this order, and x with a set priority; each step
    /// has a flag for whether it was done.
    fn record(plan: u64, order: &str, steps: &[(Step, bool)], end: Option<PlanEnd>) -> Record {
        let mut stood = RecordedArea::from_areas(&areas(order, &[-2, -3, -4, -5]), |_| None);
        stood.push(RecordedArea { path: "x".into(), size: Bytes(8), priority: 7, kind: None });
        let event = |(step, (_, made)): (usize, &(Step, bool))| match made {
            true => Event::Made { step, back: false, moved: 0, seconds: 0.0 },
            false => Event::Try { step, back: false },
        };
        Record {
            plan,
            boot: "now".to_owned(),
            steps: steps.iter().map(|(step, _)| step.clone()).collect(),
            areas: stood,
            events: (steps.iter().enumerate().map(event))
                .chain(end.map(|end| Event::End { end, why: None }))
                .collect(),
            ..Record::default()
        }
    }

    fn off(letter: &str) -> Step {
        Step::Off { area: activation_of(&area(letter, -2, 8, 8), Discard::None) }
    }

    fn renew(letter: &str, from: i32, to: i32) -> Step {
        let [from, to] =
            [from, to].map(|number| activation_of(&area(letter, number, 8, 8), Discard::None));
        Step::Renew { from, to }
    }

    #[test]
    fn order_disturbed_by_a_plan_is_restored() {
        let stopped = |letter: &str, now: &[i32]| {
            let record = record(1, "abc", &[(off(letter), false)], Some(PlanEnd::Undone));
            restored_subjects(&[record], &areas("abcx", now))
        };
        assert_eq!(stopped("a", &[-4, -2, -3, 7]).as_deref(), Some("bc"));
        assert_eq!(stopped("b", &[-2, -4, -3, 7]).as_deref(), Some("c"));
        assert_eq!(stopped("a", &[-2, -3, -4, 7]), None, "nothing has changed");
        assert_eq!(stopped("a", &[-3, -4, -2, 7]), None, "somebody else has changed it");
        assert_eq!(stopped("a", &[-1, -1, -1, 7]), None, "they are used round robin");
        let unknown = Record {
            areas: Vec::new(),
            ..record(1, "abc", &[(off("a"), false)], Some(PlanEnd::Undone))
        };
        assert_eq!(
            restored_subjects(&[unknown], &areas("abcx", &[-4, -2, -3, 7])),
            None,
            "the journal has no order"
        );
        let untried = Record {
            events: Vec::new(),
            ..record(1, "abc", &[(off("a"), false)], Some(PlanEnd::Undone))
        };
        assert_eq!(
            restored_subjects(&[untried], &areas("abcx", &[-4, -2, -3, 7])),
            None,
            "no step was tried"
        );
    }

    #[test]
    fn completed_steps_of_a_partial_plan_keep_their_order() {
        let steps = [(renew("a", -2, -2), true), (renew("b", -3, 5), true), (off("c"), false)];
        let ended = [record(1, "abcd", &steps, Some(PlanEnd::Partial))];
        assert_eq!(
            restored_subjects(&ended, &areas("dacb", &[-2, -3, -4, 5])).as_deref(),
            Some("da")
        );
        assert_eq!(restored_subjects(&ended, &areas("cdab", &[-2, -3, -4, 5])), None);
    }

    #[test]
    fn areas_enabled_by_recovery_return_to_their_place() {
        let cut = record(1, "abc", &[(off("a"), true), (off("b"), false)], None);
        let mut recovery = record(2, "", &[], None);
        recovery.purpose = PlanPurpose::Recovery;
        recovery.steps = vec![off("a").inverse().unwrap(), off("b").inverse().unwrap()];
        recovery.events = (0..2)
            .map(|step| Event::Made { step, back: false, moved: 0, seconds: 0.0 })
            .chain([Event::End { end: PlanEnd::Done, why: None }])
            .collect();
        let records = [cut, recovery];
        assert_eq!(restored_subjects(&records, &areas("cab", &[-2, -3, -4])).as_deref(), Some("c"));
        let mut ordering = record(3, "cab", &[(renew("c", -2, -2), false)], None);
        ordering.purpose = PlanPurpose::Order;
        let [cut, recovery] = records;
        let records = [cut, recovery, ordering.clone()];
        assert_eq!(restored_subjects(&records, &areas("cab", &[-2, -3, -4])).as_deref(), Some("c"));
        // Without the plan it followed, the order plan itself gives the order.
        let alone = [Record { plan: 1, ..ordering }];
        assert_eq!(restored_subjects(&alone, &areas("cab", &[-2, -3, -4])).as_deref(), Some("c"));
        assert_eq!(restored_subjects(&alone, &areas("abc", &[-2, -3, -4])), None);
    }

    #[test]
    fn undo_restores_the_order_and_respects_later_plans() {
        let done = record(1, "abc", &[(renew("a", -2, 5), true)], Some(PlanEnd::Done));
        let undo = |plan| Record {
            undoes: Some(1),
            ..record(plan, "bc", &[(renew("a", 5, -2), true)], Some(PlanEnd::Done))
        };
        let now = |letters| areas(letters, &[-2, -3, -4]);
        assert_eq!(restored_subjects(&[done.clone(), undo(2)], &now("bca")).as_deref(), Some("bc"));
        let later = record(2, "bc", &[(renew("b", -2, -2), true)], Some(PlanEnd::Done));
        assert_eq!(
            restored_subjects(&[done.clone(), later, undo(3)], &now("cba")).as_deref(),
            Some("cb")
        );
        let gone = record(2, "bc", &[(off("b"), true)], Some(PlanEnd::Done));
        let on = off("b").inverse().unwrap();
        let again = record(3, "c", &[(on, true)], Some(PlanEnd::Done));
        assert_eq!(
            restored_subjects(&[done, gone, again, undo(4)], &now("cba")).as_deref(),
            Some("cb")
        );
    }
}
