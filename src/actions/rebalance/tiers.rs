//! The equal and tiered strategies: one priority per speed class, and faster classes above slower
//! ones with their chosen differences.

use super::levels::{self, PriorityLevel};
use super::machine::{
    ClassifiedArea, ClassifiedMachine, LEFT_UNCHANGED, RebalanceFinding, StrategyResult, names,
    paths,
};
use crate::columns::units::size;
use crate::derive::speed::{self, Speed};
use crate::model::Bytes;
use crate::model::activation::Priority;
use std::cmp::Ordering;

/// The areas of a speed class.
type SpeedClass<'m, 'a> = Vec<&'m ClassifiedArea<'a>>;
/// The new priorities of areas.
type Targets<'m, 'a> = Vec<(&'m ClassifiedArea<'a>, Priority)>;

/// Gives each class one priority; classes keep their order, but no slower class comes level with a
/// faster one or above it.
pub(super) fn plan_equal(machine: &ClassifiedMachine<'_>) -> StrategyResult {
    let classes = machine.areas_by_class();
    let is_uneven = classes.iter().any(|class| ranks(class).len() > 1);
    let targets = if is_uneven { targets_in_order(machine, &classes) } else { Vec::new() };
    let mut findings: Vec<RebalanceFinding> =
        classes.iter().filter_map(|class| uneven_finding(class, &targets)).collect();
    findings.extend(pushed_note(&classes, &targets));
    findings.extend(remaining_problems(&classes, &targets).into_iter().map(|finding| {
        let text = format!("{}. To change that: swapadm rebalance tiered", finding.text);
        RebalanceFinding::note(finding.id, finding.areas, text)
    }));
    findings.extend(machine.notes_on_unknown(|_| LEFT_UNCHANGED));
    StrategyResult { findings, wishes: changed_priorities(&targets) }
}

/// Problems that remain after the plan.
fn remaining_problems(
    classes: &[SpeedClass<'_, '_>],
    targets: &Targets<'_, '_>,
) -> Vec<RebalanceFinding> {
    let then: Vec<Vec<ClassifiedArea<'_>>> =
        classes.iter().map(|class| members_after(class, targets)).collect();
    let then: Vec<SpeedClass<'_, '_>> = then.iter().map(|class| class.iter().collect()).collect();
    let still = mixed_findings(&then);
    let is_still = |finding: &RebalanceFinding| {
        let has_all =
            |later: &RebalanceFinding| finding.areas.iter().all(|a| later.areas.contains(a));
        still.iter().any(has_all)
    };
    // An inversion left now existed before, between whole classes.
    let inverted = inverted_finding(&then).into_iter();
    inverted.chain(mixed_findings(classes).into_iter().filter(is_still)).collect()
}

/// The areas of a class with their new priorities.
fn members_after<'a>(
    class: &SpeedClass<'_, 'a>,
    targets: &Targets<'_, 'a>,
) -> Vec<ClassifiedArea<'a>> {
    let then = |member: &&ClassifiedArea<'a>| {
        let target = targets.iter().find(|(other, _)| other.area.path == member.area.path);
        let (rank, is_bound) = match target {
            Some((_, Priority::Set(number))) => (i32::from(*number), false),
            Some((_, Priority::Default)) if !member.is_default() => (i32::MIN, false),
            Some((_, Priority::Default)) | None => (member.rank, member.is_bound),
        };
        ClassifiedArea { rank, is_bound, ..(*member).clone() }
    };
    class.iter().map(then).collect()
}

/// Puts faster classes above slower ones; priorities that somebody chose in a class stay different.
pub(super) fn plan_tiered(machine: &ClassifiedMachine<'_>) -> StrategyResult {
    let classes = machine.areas_by_class();
    let mut findings = Vec::new();
    let mut targets = Vec::new();
    let speed_and_rank = |member: &&ClassifiedArea<'_>| Some((*member.speed.known()?, member.rank));
    let ranked: Vec<(Speed, i32)> = classes.iter().flatten().filter_map(speed_and_rank).collect();
    let mut are_kept = true;
    if speed::priority_fault(&ranked).is_some() {
        let parts: Vec<SpeedClass<'_, '_>> = classes.iter().flat_map(parts).collect();
        are_kept = parts.len() <= MAX_LEVELS;
        let parts = if are_kept { parts } else { classes.clone() };
        let mut levels: Vec<_> = parts.iter().map(level_of_class).collect();
        allow_default(machine, &mut levels);
        targets = solve_targets(machine, &levels);
        findings.extend(inverted_finding(&classes));
        findings.extend(mixed_findings(&classes));
        findings.extend(parts.iter().filter_map(|part| uneven_finding(part, &targets)));
    }
    let several = classes.iter().filter(|class| are_kept && parts(class).len() > 1);
    findings.extend(several.map(chosen_note));
    findings.extend(machine.notes_on_unknown(|_| LEFT_UNCHANGED));
    StrategyResult { findings, wishes: changed_priorities(&targets) }
}

/// The areas of a class by the priorities that somebody chose, with all default ones together.
fn parts<'m, 'a>(class: &SpeedClass<'m, 'a>) -> Vec<SpeedClass<'m, 'a>> {
    let chosen = |area: &ClassifiedArea<'_>| area.rank.max(-1);
    let mut priorities: Vec<i32> = class.iter().map(|area| chosen(area)).collect();
    priorities.sort_unstable_by(|a, b| b.cmp(a));
    priorities.dedup();
    let at = |priority: i32| class.iter().filter(|it| chosen(it) == priority).copied().collect();
    priorities.into_iter().map(at).collect()
}

/// A note on a class whose priorities somebody chose.
fn chosen_note(class: &SpeedClass<'_, '_>) -> RebalanceFinding {
    let listed: Vec<String> = class.iter().map(|member| member.describe()).collect();
    let text = format!(
        "areas of equal speed have several priorities, and those that somebody chose are kept: {}. To make them equal: swapadm rebalance equal",
        listed.join(", ")
    );
    RebalanceFinding::note("uneven", paths(class), text)
}

/// The most levels, as all choices for them are tried.
const MAX_LEVELS: usize = 8;

/// Compares a slower class with a faster one: below, level or above. By the highest priorities of
/// both, and by the best case for the faster one.
fn compare_ranks(slower: &SpeedClass<'_, '_>, faster: &SpeedClass<'_, '_>) -> (Ordering, Ordering) {
    let (slower, faster) = (ranks(slower), ranks(faster));
    (slower.first().cmp(&faster.first()), slower.last().cmp(&faster.first()))
}

/// The level of each class: by its highest priority, but never level with a faster class or above
/// it where some of its areas are below some of that class.
fn heights(classes: &[SpeedClass<'_, '_>]) -> Vec<usize> {
    let count = classes.len();
    let pairs = || (0..count).flat_map(|slower| (0..slower).map(move |faster| (slower, faster)));
    let far = |heights: &Vec<usize>| {
        let mut far = 0;
        for (slower, faster) in pairs() {
            let (top, least) = compare_ranks(classes.get(slower)?, classes.get(faster)?);
            let stands = heights.get(slower).cmp(&heights.get(faster));
            if stands != Ordering::Less && stands != least {
                return None;
            }
            far += (stands as i8).abs_diff(top as i8);
        }
        Some(far)
    };
    // There are at most four classes.
    let all = (0..count.pow(4)).map(|mut number| {
        let mut height = |_| (number % count, number /= count).0;
        (0..count).map(&mut height).collect::<Vec<_>>()
    });
    let possible = all.filter_map(|heights| Some((far(&heights)?, heights)));
    possible.min().map(|(_, heights)| heights).unwrap_or_default()
}

/// Gives each class its highest present priority if possible, without putting a class at a wrong
/// level.
fn targets_in_order<'m, 'a>(
    machine: &ClassifiedMachine<'_>,
    classes: &[SpeedClass<'m, 'a>],
) -> Targets<'m, 'a> {
    let heights = heights(classes);
    let mut different = heights.clone();
    different.sort_unstable_by(|a, b| b.cmp(a));
    different.dedup();
    let of = |height: &usize| {
        let all = classes.iter().zip(&heights).filter(|(_, own)| *own == height);
        level_of_class(&all.flat_map(|(class, _)| class).copied().collect())
    };
    let mut levels: Vec<PriorityLevel<'_, '_>> = different.iter().map(of).collect();
    allow_default(machine, &mut levels);
    // Its highest number, or else another of its numbers, or else a new one.
    let mut highest = levels.clone();
    for (level, height) in highest.iter_mut().zip(&different) {
        let of_level = || classes.iter().zip(&heights).filter(|(_, own)| *own == height);
        let has_all = |rank: &i32| of_level().all(|(class, _)| ranks(class).contains(rank));
        level.fresh = level.keep.is_empty();
        level.default &= level.fresh;
        level.keep.retain(|number| has_all(&i32::from(*number)));
        level.keep.truncate(1);
    }
    let mut own = levels.clone();
    for level in &mut own {
        level.fresh = level.keep.is_empty();
    }
    let taken = taken_numbers(machine);
    let all = [highest, own, levels];
    let found = all.iter().find_map(|levels| Some((levels, levels::solve(levels, &taken)?)));
    found.map(|(levels, found)| targets(levels, &found)).unwrap_or_default()
}

/// A level that may keep each of its numbers, or get a new one.
fn level_of_class<'m, 'a>(class: &SpeedClass<'m, 'a>) -> PriorityLevel<'m, 'a> {
    let keep = ranks(class).into_iter().filter_map(|rank| u16::try_from(rank).ok()).collect();
    PriorityLevel { members: class.clone(), keep, default: false, fresh: true }
}

/// Allows default priorities for the lowest levels: those that have them already in falling order,
/// and the last one also if its areas would all get the same.
fn allow_default(machine: &ClassifiedMachine<'_>, levels: &mut [PriorityLevel<'_, '_>]) {
    let mut below: Option<Option<i32>> = None;
    for level in levels.iter_mut().rev() {
        let has_it = level.members.iter().all(|member| member.is_default());
        let own = match ranks(&level.members).as_slice() {
            [rank] if has_it => Some(*rank),
            _ => None,
        };
        let alone = matches!(level.members.as_slice(), [member] if member.node.is_none());
        let gets_it = below.is_none()
            && machine.defaults.known().is_some()
            && (machine.defaults_rotate() || alone);
        level.default = match (own, below) {
            (Some(_), None) => true,
            (Some(rank), Some(Some(below))) => rank > below,
            // An area enabled without a number comes last, unless defaults are used round robin.
            (Some(_), Some(None)) => !machine.defaults_rotate(),
            (None, _) => gets_it,
        };
        if !level.default {
            return;
        }
        below = Some(own);
    }
}

fn solve_targets<'m, 'a>(
    machine: &ClassifiedMachine<'_>,
    levels: &[PriorityLevel<'m, 'a>],
) -> Targets<'m, 'a> {
    let found = levels::solve(levels, &taken_numbers(machine)).unwrap_or_default();
    targets(levels, &found)
}

fn targets<'m, 'a>(levels: &[PriorityLevel<'m, 'a>], found: &[Priority]) -> Targets<'m, 'a> {
    let pairs = levels.iter().zip(found);
    pairs.flat_map(|(level, to)| level.members.iter().map(|member| (*member, *to))).collect()
}

/// Numbers of areas left alone, which no other area may get.
fn taken_numbers(machine: &ClassifiedMachine<'_>) -> Vec<u16> {
    let unknown = machine.members.iter().filter(|member| member.speed.known().is_none());
    unknown.filter_map(|member| u16::try_from(member.rank).ok()).collect()
}

fn changed_priorities(targets: &Targets<'_, '_>) -> Vec<(crate::model::Name, Priority)> {
    let unmet = targets.iter().filter(|(member, to)| !to.matches_shown(member.area.priority));
    unmet.map(|(member, to)| (member.area.path.clone(), *to)).collect()
}

/// The distinct priorities, highest first.
fn ranks(members: &[&ClassifiedArea<'_>]) -> Vec<i32> {
    let mut ranks: Vec<i32> = members.iter().map(|member| member.rank).collect();
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    ranks.dedup();
    ranks
}

/// A finding for a class with several priorities.
fn uneven_finding(
    class: &SpeedClass<'_, '_>,
    targets: &Targets<'_, '_>,
) -> Option<RebalanceFinding> {
    let first = class.first()?;
    let ranks = ranks(class);
    if ranks.len() < 2 {
        return None;
    }
    let word = first.speed.known()?.word();
    let listed: Vec<String> = ranks.iter().map(ToString::to_string).collect();
    let shown = listed.join(", ");
    let (_, to) = targets.iter().find(|(member, _)| member.area.path == first.area.path)?;
    let highest = ranks.first().and_then(|rank| u16::try_from(*rank).ok());
    let why = match (highest, to) {
        (None, Priority::Set(_)) if class.iter().all(|member| member.is_default()) => {
            ", because up to kernel 6.18 no two areas can have the same default priority".to_owned()
        }
        (Some(highest), to) if *to < Priority::Set(highest) => {
            format!(", because {highest} would leave some of them before faster areas")
        }
        _ => String::new(),
    };
    Some(RebalanceFinding {
        id: "uneven",
        wrong: true,
        text: format!(
            "the {} {word} areas have {} priorities ({shown}), so those of higher priority fill first; in this order: {}",
            class.len(),
            ranks.len(),
            names(class)
        ),
        better: Some(format!(
            "all get priority {to}{why}: {}{}",
            describe_sharing(class, *to),
            unbind_warning(class, *to)
        )),
        areas: paths(class),
        unit: Some("priorities"),
        now: Some(ranks.len() as f64),
        then: Some(1.0),
    })
}

/// Says how many areas share the load then, and how many share it now. Full areas take no part in it, unless the
/// plan disables and enables them: then they are empty.
fn describe_sharing(class: &SpeedClass<'_, '_>, to: Priority) -> String {
    let has_room = |member: &&&ClassifiedArea<'_>| member.free() > Bytes(0);
    let is_renewed = |member: &ClassifiedArea<'_>| match to {
        Priority::Set(number) => member.rank != i32::from(number),
        Priority::Default => true,
    };
    let open: SpeedClass<'_, '_> = class.iter().filter(has_room).copied().collect();
    let top = ranks(&open).first().copied();
    let now = open.iter().filter(|member| Some(member.rank) == top).count();
    let (open, full): (SpeedClass<'_, '_>, SpeedClass<'_, '_>) =
        class.iter().partition(|member| has_room(member) || is_renewed(member));
    match (open.len(), full.as_slice()) {
        (all, []) => format!("{all} areas share the load instead of {now}"),
        (all, full) if all > now => {
            let verb = if full.len() == 1 { "is" } else { "are" };
            let names = names(full);
            format!("{all} areas share the load instead of {now} ({names} {verb} full)")
        }
        (_, full) => format!("they share the load once {} has free space", names(full)),
    }
}

/// Says what is lost when areas of NUMA nodes get a number.
fn unbind_warning(class: &SpeedClass<'_, '_>, to: Priority) -> String {
    let bound = |member: &&&ClassifiedArea<'_>| member.rank != member.area.priority;
    let bound: SpeedClass<'_, '_> = class.iter().filter(bound).copied().collect();
    match (bound.as_slice(), to) {
        ([], _) | (_, Priority::Default) => String::new(),
        _ => format!("; {} no longer preferred by the own NUMA node", names(&bound)),
    }
}

/// A note on classes with one priority that get another one to keep the order.
fn pushed_note(
    classes: &[SpeedClass<'_, '_>],
    targets: &Targets<'_, '_>,
) -> Option<RebalanceFinding> {
    let even = classes.iter().filter(|class| ranks(class).len() == 1).flatten();
    let moves = |member: &&ClassifiedArea<'_>| {
        let own = |(other, to): &&(&ClassifiedArea<'_>, Priority)| {
            other.area.path == member.area.path && !to.matches_shown(member.area.priority)
        };
        targets.iter().any(|target| own(&target))
    };
    let others: Vec<&ClassifiedArea<'_>> = even.copied().filter(moves).collect();
    if others.is_empty() {
        return None;
    }
    let text =
        format!("{} gets a new priority too, so that speed classes stay in order", names(&others));
    Some(RebalanceFinding::note("order", paths(&others), text))
}

/// Findings for priorities shared by several classes.
fn mixed_findings(classes: &[SpeedClass<'_, '_>]) -> Vec<RebalanceFinding> {
    let all: Vec<&ClassifiedArea<'_>> = classes.iter().flatten().copied().collect();
    let at = |rank: i32| {
        let members: Vec<&ClassifiedArea<'_>> =
            all.iter().filter(|member| member.rank == rank).copied().collect();
        let has = |class: &&SpeedClass<'_, '_>| class.iter().any(|member| member.rank == rank);
        let count = classes.iter().filter(has).count();
        (count > 1).then(|| mixed_finding(&members, rank, count))
    };
    ranks(&all).into_iter().filter_map(at).collect()
}

fn mixed_finding(members: &[&ClassifiedArea<'_>], rank: i32, classes: usize) -> RebalanceFinding {
    let listed: Vec<String> = members.iter().map(|member| member.describe()).collect();
    RebalanceFinding {
        id: "mixed",
        wrong: true,
        text: format!(
            "areas of {classes} speed classes share priority {rank}, so pages go to slower ones while faster ones have room: {}",
            listed.join(", ")
        ),
        better: Some("faster areas fill first, slower ones after them".to_owned()),
        areas: paths(members),
        unit: Some("classes"),
        now: Some(classes as f64),
        then: Some(1.0),
    }
}

/// Says which areas fill before the slowest of those that fill too early now.
fn describe_order_after(classes: &[SpeedClass<'_, '_>], early: &[&ClassifiedArea<'_>]) -> String {
    let is_early = |member: &&ClassifiedArea<'_>| {
        early.iter().any(|other| other.area.path == member.area.path)
    };
    let slowest = classes.iter().rposition(|class| class.iter().any(&is_early));
    let before = classes.get(..slowest.unwrap_or(0)).unwrap_or_default();
    let open: Vec<&ClassifiedArea<'_>> =
        before.iter().flatten().copied().filter(|member| member.free() > Bytes(0)).collect();
    let after =
        slowest.and_then(|place| classes.get(place)).map_or_else(String::new, |it| names(it));
    if open.is_empty() {
        return "faster areas fill first".to_owned();
    }
    let free = size(open.iter().map(|member| member.free()).sum());
    format!("faster areas fill first: the next {free} go to {}, then to {after}", names(&open))
}

/// A finding for slower areas that fill before faster ones.
fn inverted_finding(classes: &[SpeedClass<'_, '_>]) -> Option<RebalanceFinding> {
    let (mut early, mut late) = (SpeedClass::new(), SpeedClass::new());
    for (place, class) in classes.iter().enumerate() {
        let (faster, slower) = (classes.get(..place), classes.get(place + 1..));
        let any = |others: Option<&[SpeedClass<'_, '_>]>, is: &dyn Fn(i32) -> bool| {
            others.is_some_and(|others| others.iter().flatten().any(|other| is(other.rank)))
        };
        early.extend(class.iter().filter(|m| any(faster, &|rank| rank < m.rank)));
        late.extend(class.iter().filter(|m| any(slower, &|rank| rank > m.rank)));
    }
    if early.is_empty() {
        return None;
    }
    let free = size(late.iter().map(|member| member.free()).sum());
    let used: Bytes = early.iter().map(|member| member.area.used_at_most()).sum();
    let shown = |members: &[&ClassifiedArea<'_>]| {
        members.iter().map(|member| member.describe()).collect::<Vec<_>>().join(", ")
    };
    let so_far = if used == Bytes(0) {
        "nothing is on the slower areas yet".to_owned()
    } else {
        format!(
            "{} of slots are used on slower areas while {free} are free on faster ones",
            size(used)
        )
    };
    Some(RebalanceFinding {
        id: "inverted",
        wrong: true,
        text: format!(
            "slower areas are filled before faster ones: {} before {}; {so_far}",
            shown(&early),
            shown(&late)
        ),
        better: Some(describe_order_after(classes, &early)),
        areas: paths(&early),
        unit: Some("areas filled too early"),
        now: Some(early.len() as f64),
        then: Some(0.0),
    })
}
