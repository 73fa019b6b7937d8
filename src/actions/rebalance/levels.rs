//! Chooses priorities for levels of areas, so that as little as possible is moved.

use super::machine::ClassifiedArea;
use crate::model::activation::{MAX_PRIORITY, Priority};

/// Cost of disabling an area, besides moving its contents, in bytes: the kernel scans all
/// processes.
const CHANGE: u64 = 64 << 20;
/// New numbers are multiples of this where possible, to leave room between them.
const GAP: i32 = 10;

/// Areas that shall share one priority, with its possible values.
#[derive(Clone, Debug)]
pub(super) struct PriorityLevel<'m, 'a> {
    pub(super) members: Vec<&'m ClassifiedArea<'a>>,
    /// Numbers that some of them have already.
    pub(super) keep: Vec<u16>,
    /// Is a default priority possible, if only other default ones are below?
    pub(super) default: bool,
    /// Is a new number possible?
    pub(super) fresh: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberChoice {
    Keep(u16),
    Default,
    Fresh,
}

/// The priorities of these levels, which must fall from each level to the next. New numbers differ
/// from those taken. `None` if there is no solution.
pub(super) fn solve(levels: &[PriorityLevel<'_, '_>], taken: &[u16]) -> Option<Vec<Priority>> {
    let mut best = None;
    search(levels, taken, &mut Vec::new(), &mut best);
    best.map(|(_, priorities)| priorities)
}

/// Tries all choices: there are at most eight levels and few areas.
fn search(
    levels: &[PriorityLevel<'_, '_>],
    taken: &[u16],
    chosen: &mut Vec<NumberChoice>,
    best: &mut Option<(u64, Vec<Priority>)>,
) {
    let Some(level) = levels.get(chosen.len()) else {
        if let Some(priorities) = assign_numbers(chosen, taken) {
            let cost =
                levels.iter().zip(&priorities).map(|(level, to)| change_cost(level, *to)).sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                *best = Some((cost, priorities));
            }
        }
        return;
    };
    let keep = level.keep.iter().map(|number| NumberChoice::Keep(*number));
    let default = level.default.then_some(NumberChoice::Default);
    let fresh = level.fresh.then_some(NumberChoice::Fresh);
    // A number is more explicit than a default priority at equal cost.
    for choice in keep.chain(fresh).chain(default) {
        chosen.push(choice);
        search(levels, taken, chosen, best);
        chosen.pop();
    }
}

/// The cost of giving areas this priority.
fn change_cost(level: &PriorityLevel<'_, '_>, to: Priority) -> u64 {
    let change = |member: &&&ClassifiedArea<'_>| !to.matches_shown(member.area.priority);
    let changed = level.members.iter().filter(change);
    changed
        .map(|member| member.area.used_at_most().0.saturating_add(CHANGE))
        .fold(0, u64::saturating_add)
}

/// Puts new numbers between the kept ones, from the lowest up.
fn assign_numbers(chosen: &[NumberChoice], taken: &[u16]) -> Option<Vec<Priority>> {
    let mut found = Vec::new();
    let (mut floor, mut fresh) = (-1, 0);
    for choice in chosen.iter().rev() {
        match choice {
            NumberChoice::Default if floor < 0 && fresh == 0 => found.push(Priority::Default),
            NumberChoice::Default => return None,
            NumberChoice::Fresh => fresh += 1,
            NumberChoice::Keep(number) => {
                let ceiling = i32::from(*number);
                if ceiling <= floor {
                    return None;
                }
                found.extend(numbers_between(floor, ceiling, fresh, taken)?);
                found.push(Priority::Set(*number));
                (floor, fresh) = (ceiling, 0);
            }
        }
    }
    found.extend(numbers_between(floor, i32::from(MAX_PRIORITY) + 1, fresh, taken)?);
    found.reverse();
    Some(found)
}

/// Chooses this many numbers between two, lowest first.
fn numbers_between(floor: i32, ceiling: i32, count: usize, taken: &[u16]) -> Option<Vec<Priority>> {
    let free = || {
        let all = (floor + 1..ceiling).filter_map(|number| u16::try_from(number).ok());
        all.filter(|number| !taken.contains(number))
    };
    let round = |number: &u16| *number > 0 && i32::from(*number) % GAP == 0;
    let mut numbers: Vec<u16> = free().filter(round).take(count).collect();
    if numbers.len() < count {
        let all: Vec<u16> = free().collect();
        let nth = |nth: usize| all.get(nth * all.len() / (count + 1)).copied();
        if all.len() < count {
            return None;
        }
        numbers = (1..=count).filter_map(nth).collect();
    }
    Some(numbers.into_iter().map(Priority::Set).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use NumberChoice::{Default, Fresh, Keep};

    fn assigned(chosen: &[NumberChoice], taken: &[u16]) -> Option<Vec<String>> {
        let numbers = assign_numbers(chosen, taken)?;
        Some(numbers.iter().map(Priority::to_string).collect())
    }

    #[test]
    fn new_numbers_leave_gaps_where_they_can() {
        for (chosen, taken, wanted) in [
            (&[Fresh, Fresh, Fresh][..], &[][..], &["30", "20", "10"][..]),
            (&[Fresh, Fresh], &[10], &["30", "20"]),
            (&[Fresh, Keep(50), Fresh, Keep(5)], &[], &["60", "50", "10", "5"]),
            (&[Keep(7), Fresh, Keep(5)], &[], &["7", "6", "5"]),
            (&[Keep(9), Fresh], &[], &["9", "4"]),
            (&[Keep(2), Fresh, Fresh], &[], &["2", "1", "0"]),
            (&[Fresh, Keep(32766), Default], &[], &["32767", "32766", "default"]),
            (&[Keep(0), Default, Default], &[], &["0", "default", "default"]),
            (&[], &[], &[]),
        ] {
            let wanted: Vec<String> = wanted.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(assigned(chosen, taken), Some(wanted), "{chosen:?}");
        }
    }

    #[test]
    fn impossible_levels_have_no_solution() {
        for (chosen, taken) in [
            (&[Keep(5), Keep(5)][..], &[][..]),
            (&[Keep(4), Keep(5)], &[]),
            (&[Keep(6), Fresh, Keep(5)], &[]),
            (&[Keep(7), Fresh, Keep(5)], &[6]),
            (&[Fresh, Keep(32767)], &[]),
            (&[Keep(0), Fresh], &[]),
            (&[Default, Keep(0)], &[]),
            (&[Default, Fresh], &[]),
        ] {
            assert_eq!(assigned(chosen, taken), None, "{chosen:?}");
        }
    }
}
