//! The order of areas whose priorities the kernel gives itself.
//!
//! Up to 6.18 it numbers them downwards from -2 as they are switched on, and takes the first until
//! it is full; what goes off and on, even if only because a swapoff was stopped, becomes the last. Later kernels give all of them -1 and take them in turns.

use super::{Discard, Plan, Priority, Step, shown, standing};
use crate::actions::journal::{End, ORDERING, Purpose, Record};
use crate::model::Name;
use crate::model::swaparea::SwapArea;
use std::cmp::Reverse;

/// What later kernels give all of them. Earlier ones keep this number for other things.
const SHARED: i32 = -1;

/// Those areas, first the one that is taken first; none where they are taken in turns.
pub fn of(areas: &[SwapArea]) -> Vec<Name> {
    numbered(areas.iter().map(|area| (&area.path, area.priority)))
}

fn numbered<'n>(areas: impl Iterator<Item = (&'n Name, i32)>) -> Vec<Name> {
    let mut own: Vec<_> = areas.filter(|(_, priority)| *priority < 0).collect();
    if own.iter().any(|(_, priority)| *priority == SHARED) {
        return Vec::new();
    }
    own.sort_by_key(|(_, priority)| Reverse(*priority));
    own.into_iter().map(|(path, _)| path.clone()).collect()
}

/// Which of these have to go on anew, one behind the other, for them to be taken in this order.
pub(super) fn misplaced<'n>(areas: &[SwapArea], wanted: &'n [Name]) -> Vec<&'n Name> {
    let now = of(areas);
    if now.is_empty() {
        let is_default =
            |name: &Name| areas.iter().any(|area| area.path == *name && area.priority < 0);
        return wanted.iter().filter(|name| !is_default(name)).collect();
    }
    let mut last = None;
    let is_right = |name: &&Name| {
        let place = now.iter().position(|other| other == *name);
        place.is_some() && place > std::mem::replace(&mut last, place)
    };
    wanted.iter().skip_while(is_right).collect()
}

/// The order in which the areas were before some plan, with what was put on on purpose since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    order: Vec<Name>,
    /// What plans have tried to take off or put on since.
    touched: Vec<Name>,
}

/// The order that there would be since a plan began, had the kernel not changed it; none where the
/// journal does not say how it was. What was taken back, or was only put on again, keeps its place.
pub fn kept(records: &[Record], since: u64, boot: &str) -> Option<Kept> {
    let is_later = |record: &&Record| record.plan >= since && record.boot == boot;
    let records: Vec<&Record> = records.iter().filter(is_later).collect();
    let first = records.first().filter(|first| first.plan == since && !first.areas.is_empty())?;
    let stood = first.areas.iter().map(|area| (&area.path, area.priority));
    let mut kept = Kept { order: numbered(stood), touched: Vec::new() };
    for record in &records {
        let tried = record.steps.iter().enumerate();
        let tried =
            tried.filter(|(place, step)| step.is_of_areas() && record.tried(*place).is_some());
        kept.touched.extend(tried.map(|(_, step)| step.subject().clone()));
        let steps: Vec<usize> = match record.purpose {
            // It leads to the order of an earlier one of these.
            Purpose::Order if record.plan != since => continue,
            // When it was cut off, its steps say the order.
            Purpose::Order => (0..record.steps.len()).collect(),
            Purpose::Change | Purpose::Recovery if is_of_no_account(record, &records) => continue,
            Purpose::Change | Purpose::Recovery => record.standing(),
        };
        for step in steps.iter().filter_map(|place| record.steps.get(*place)) {
            kept.follow(step, record.end() == Some(End::Done));
        }
    }
    Some(kept)
}

/// Was a plan taken back by one of these, does it take one of them back, or put on what others left?
fn is_of_no_account(record: &Record, records: &[&Record]) -> bool {
    let takes_back =
        |by: &Record, other: &Record| by.undoes == Some(other.plan) && by.end() == Some(End::Done);
    let is_back = |other: &&Record| takes_back(other, record) || takes_back(record, other);
    record.purpose == Purpose::Recovery || records.iter().any(is_back)
}

impl Kept {
    /// What a step that stands meant: an area with a default priority goes on behind all others. One
    /// that a plan left off which did not come to its end is put on again.
    fn follow(&mut self, step: &Step, ended: bool) {
        let on = step.put_on().filter(|area| area.priority == Priority::Default);
        let off = step.taken_off().filter(|_| ended);
        if let Some(area) = on.or(off) {
            self.order.retain(|path| *path != area.path);
        }
        self.order.extend(on.map(|area| area.path.clone()));
    }

    /// In which order the areas that are on now belong; none where they are in it, and where somebody
    /// else has brought others into another one.
    pub fn wanted(&self, now: &[SwapArea]) -> Option<Vec<Name>> {
        let is = of(now);
        let known = self.order.iter().filter(|path| is.contains(path));
        let new = is.iter().filter(|path| !self.order.contains(path));
        let wanted: Vec<Name> = known.chain(new).cloned().collect();
        let others = |names: &[Name]| -> Vec<Name> {
            names.iter().filter(|path| !self.touched.contains(path)).cloned().collect()
        };
        (wanted != is && others(&wanted) == others(&is)).then_some(wanted)
    }
}

/// Put the areas into this order.
pub fn restored(
    wanted: &[Name],
    now: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
) -> Option<Plan> {
    let anew = misplaced(now, wanted);
    let areas = anew.iter().map(|name| now.iter().find(|area| area.path == **name));
    let renew = |area: &SwapArea| {
        let from = shown(area, discard(area));
        Step::Renew { to: from.clone(), from }
    };
    let steps: Vec<Step> = areas.collect::<Option<Vec<_>>>()?.into_iter().map(renew).collect();
    let (relies_on, purpose) = (standing(now), Purpose::Order);
    let title = ORDERING.to_owned();
    (!steps.is_empty()).then(|| Plan { purpose, steps, relies_on, ..Plan::none(title) })
}

#[cfg(test)]
mod tests {
    use super::super::priorities;
    use super::*;
    use crate::actions::journal::{Event, Stood};
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

    /// Whose priority becomes a default one when all of these are named so, in order.
    fn renewed(now: &[SwapArea], wanted: &str) -> String {
        let wishes: Vec<_> =
            names(wanted).into_iter().map(|name| (name, Priority::Default)).collect();
        subjects(&priorities(now, |_| Discard::None, &wishes).unwrap())
    }

    #[test]
    fn default_priorities_follow_the_order_of_the_wishes() {
        let now = areas("abcx", &[-2, -3, -4, 7]);
        assert_eq!(renewed(&now, "abc"), "");
        assert_eq!(renewed(&now, "ac"), "");
        assert_eq!(renewed(&now, "ca"), "a");
        assert_eq!(renewed(&now, "cab"), "ab");
        assert_eq!(renewed(&now, "bxc"), "xc");
        assert_eq!(renewed(&now, "xa"), "xa");
        let turns = areas("abx", &[-1, -1, 7]);
        assert_eq!(renewed(&turns, "bax"), "x", "they are taken in turns");
    }

    /// What is done about areas after these plans.
    fn back(records: &[Record], now: &[SwapArea]) -> Option<String> {
        let wanted = kept(records, 1, "now")?.wanted(now)?;
        restored(&wanted, now, |_| Discard::None).map(|plan| subjects(&plan))
    }

    /// A plan that found the areas a, b and c in this order, and x besides, with what became of its
    /// steps.
    fn record(plan: u64, order: &str, steps: &[(Step, bool)], end: Option<End>) -> Record {
        let mut stood = Stood::all(&areas(order, &[-2, -3, -4, -5]), |_| None);
        stood.push(Stood { path: "x".into(), size: Bytes(8), priority: 7, kind: None });
        let event = |(step, (_, made)): (usize, &(Step, bool))| match made {
            true => Event::Made { step, back: false, moved: 0, seconds: 0.0 },
            false => Event::Try { step, back: false },
        };
        Record {
            plan,
            at_ms: 0,
            boot: "now".to_owned(),
            title: String::new(),
            steps: steps.iter().map(|(step, _)| step.clone()).collect(),
            undoes: None,
            areas: stood,
            purpose: Purpose::Change,
            lent: false,
            events: (steps.iter().enumerate().map(event))
                .chain(end.map(|end| Event::End { end, why: None }))
                .collect(),
        }
    }

    fn off(letter: &str) -> Step {
        Step::Off { area: shown(&area(letter, -2, 8, 8), Discard::None) }
    }

    fn renew(letter: &str, from: i32, to: i32) -> Step {
        let [from, to] = [from, to].map(|number| shown(&area(letter, number, 8, 8), Discard::None));
        Step::Renew { from, to }
    }

    #[test]
    fn what_a_plan_brought_out_of_order_goes_back() {
        let stopped = |letter: &str, now: &[i32]| {
            let record = record(1, "abc", &[(off(letter), false)], Some(End::Undone));
            back(&[record], &areas("abcx", now))
        };
        assert_eq!(stopped("a", &[-4, -2, -3, 7]).as_deref(), Some("bc"));
        assert_eq!(stopped("b", &[-2, -4, -3, 7]).as_deref(), Some("c"));
        assert_eq!(stopped("a", &[-2, -3, -4, 7]), None, "nothing has changed");
        assert_eq!(stopped("a", &[-3, -4, -2, 7]), None, "somebody else has changed it");
        assert_eq!(stopped("a", &[-1, -1, -1, 7]), None, "they are taken in turns");
        let unknown = Record {
            areas: Vec::new(),
            ..record(1, "abc", &[(off("a"), false)], Some(End::Undone))
        };
        assert_eq!(back(&[unknown], &areas("abcx", &[-4, -2, -3, 7])), None, "nobody knows");
        let untried = Record {
            events: Vec::new(),
            ..record(1, "abc", &[(off("a"), false)], Some(End::Undone))
        };
        assert_eq!(back(&[untried], &areas("abcx", &[-4, -2, -3, 7])), None, "it was not us");
    }

    #[test]
    fn what_stands_of_a_plan_that_ended_in_part_stays_behind() {
        let steps = [(renew("a", -2, -2), true), (renew("b", -3, 5), true), (off("c"), false)];
        let ended = [record(1, "abcd", &steps, Some(End::Partial))];
        assert_eq!(back(&ended, &areas("dacb", &[-2, -3, -4, 5])).as_deref(), Some("da"));
        assert_eq!(back(&ended, &areas("cdab", &[-2, -3, -4, 5])), None);
    }

    #[test]
    fn what_was_cut_off_and_put_on_again_goes_to_its_place() {
        let cut = record(1, "abc", &[(off("a"), true), (off("b"), false)], None);
        let mut recovery = record(2, "", &[], None);
        recovery.purpose = Purpose::Recovery;
        recovery.steps = vec![off("a").inverse().unwrap(), off("b").inverse().unwrap()];
        recovery.events = (0..2)
            .map(|step| Event::Made { step, back: false, moved: 0, seconds: 0.0 })
            .chain([Event::End { end: End::Done, why: None }])
            .collect();
        let records = [cut, recovery];
        assert_eq!(back(&records, &areas("cab", &[-2, -3, -4])).as_deref(), Some("c"));
        let mut ordering = record(3, "cab", &[(renew("c", -2, -2), false)], None);
        ordering.purpose = Purpose::Order;
        let [cut, recovery] = records;
        let records = [cut, recovery, ordering.clone()];
        assert_eq!(back(&records, &areas("cab", &[-2, -3, -4])).as_deref(), Some("c"));
        // When its cause was dealt with, it says itself where it leads.
        let alone = [Record { plan: 1, ..ordering }];
        assert_eq!(back(&alone, &areas("cab", &[-2, -3, -4])).as_deref(), Some("c"));
        assert_eq!(back(&alone, &areas("abc", &[-2, -3, -4])), None);
    }

    #[test]
    fn what_is_taken_back_leads_to_the_order_of_before_and_later_plans_count() {
        let done = record(1, "abc", &[(renew("a", -2, 5), true)], Some(End::Done));
        let undo = |plan| Record {
            undoes: Some(1),
            ..record(plan, "bc", &[(renew("a", 5, -2), true)], Some(End::Done))
        };
        let now = |letters| areas(letters, &[-2, -3, -4]);
        assert_eq!(back(&[done.clone(), undo(2)], &now("bca")).as_deref(), Some("bc"));
        let later = record(2, "bc", &[(renew("b", -2, -2), true)], Some(End::Done));
        assert_eq!(back(&[done.clone(), later, undo(3)], &now("cba")).as_deref(), Some("cb"));
        let gone = record(2, "bc", &[(off("b"), true)], Some(End::Done));
        let on = off("b").inverse().unwrap();
        let again = record(3, "c", &[(on, true)], Some(End::Done));
        assert_eq!(back(&[done, gone, again, undo(4)], &now("cba")).as_deref(), Some("cb"));
    }
}
