//! The order of areas whose priorities the kernel gives itself.
//!
//! Up to 6.18 it numbers them downwards from -2 as they are switched on, and takes the first until
//! it is full; what goes off and on, even if only because a swapoff was stopped, becomes the last. Later kernels give all of them -1 and take them in turns.

use super::{Discard, Plan, Step, shown, standing};
use crate::model::Name;
use crate::model::swaparea::SwapArea;
use std::cmp::Reverse;

/// What later kernels give all of them. Earlier ones keep this number for other things.
const SHARED: i32 = -1;

/// Those areas, first the one that is taken first; none where they are taken in turns.
#[must_use]
pub fn of(areas: &[SwapArea]) -> Vec<Name> {
    let mut own: Vec<&SwapArea> = areas.iter().filter(|area| area.priority < 0).collect();
    if own.iter().any(|area| area.priority == SHARED) {
        return Vec::new();
    }
    own.sort_by_key(|area| Reverse(area.priority));
    own.into_iter().map(|area| area.path.clone()).collect()
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

/// Put the areas back into the order in which they were before a plan that was stopped or failed,
/// where it was this plan, and nobody else, that brought them out of it.
#[must_use]
pub fn restored(
    plan: &Plan,
    (before, now): (&[SwapArea], &[SwapArea]),
    discard: impl Fn(&SwapArea) -> Discard,
) -> Option<Plan> {
    let (was, is) = (of(before), of(now));
    let ours = |name: &Name| plan.steps.iter().any(|step| step.subject() == name);
    let others = |names: &[Name]| -> Vec<Name> {
        names.iter().filter(|name| !ours(name)).cloned().collect()
    };
    if others(&was) != others(&is) {
        return None;
    }
    let anew = misplaced(now, &was);
    let areas = anew.iter().map(|name| now.iter().find(|area| area.path == **name));
    let renew = |area: &SwapArea| {
        let from = shown(area, discard(area));
        Step::Renew { to: from.clone(), from }
    };
    let steps: Vec<Step> = areas.collect::<Option<Vec<_>>>()?.into_iter().map(renew).collect();
    let title = "put default priorities back into their order".to_owned();
    (!steps.is_empty()).then(|| Plan { title, steps, apart: false, relies_on: standing(now) })
}

#[cfg(test)]
mod tests {
    use super::super::priorities;
    use super::*;
    use crate::model::activation::Priority;
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

    #[test]
    fn what_a_plan_brought_out_of_order_goes_back() {
        let plan = |letter: &str| Plan {
            steps: vec![Step::Off { area: shown(&area(letter, -2, 8, 8), Discard::None) }],
            ..Plan::none(String::new())
        };
        let before = areas("abcx", &[-2, -3, -4, 7]);
        let back = |letter: &str, now: &[i32]| {
            let now = areas("abcx", now);
            restored(&plan(letter), (&before, &now), |_| Discard::None).map(|plan| subjects(&plan))
        };
        assert_eq!(back("a", &[-4, -2, -3, 7]).as_deref(), Some("bc"));
        assert_eq!(back("b", &[-2, -4, -3, 7]).as_deref(), Some("c"));
        assert_eq!(back("a", &[-2, -3, -4, 7]), None, "nothing has changed");
        assert_eq!(back("a", &[-3, -4, -2, 7]), None, "somebody else has changed it");
    }
}
