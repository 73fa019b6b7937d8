//! Checks of drains: room for the contents of areas, limits of cgroups, pressure and commitments.

use super::{CGROUP, Check, CheckVerdict};
use crate::actions::Step;
use crate::actions::plan::Plan;
use crate::columns::units::{self, size};
use crate::derive::drain::{self, CommitAccounting, Drain, DrainTarget, KeptBy, OverLimit};
use crate::model::candidate::Candidate;
use crate::model::users::Cgroup;
use crate::model::zram::device_number;
use crate::model::{Bytes, Missing, Name, Policy, Reading, Snapshot};
use std::cmp::Reverse;

/// Share of the available room above which a fit is tight.
const TIGHT: f64 = 0.8;

/// Checks the areas that a plan drains.
pub(super) fn checks(plan: &Plan, snapshot: &Snapshot, candidates: &[Candidate]) -> Vec<Check> {
    let drains = drains_of_plan(plan, snapshot, candidates);
    let mut all: Vec<Check> = drains.iter().map(fits_in_memory).collect();
    if drains.iter().any(|(_, drain)| drain.known().is_none_or(|drain| drain.moves > Bytes(0))) {
        all.extend(cgroup_checks(snapshot, &drains));
        all.extend(pressure(snapshot));
    }
    all.extend(commitments(plan, snapshot, candidates));
    all
}

/// The areas that are drained, each with what it moves.
fn drains_of_plan<'a>(
    plan: &'a Plan,
    snapshot: &Snapshot,
    candidates: &[Candidate],
) -> Vec<(&'a Step, Reading<Drain>)> {
    let all = plan.steps.iter().enumerate();
    let (places, steps): (Vec<usize>, Vec<&Step>) =
        all.filter(|(_, step)| step.disabled_area().is_some()).unzip();
    let leaves = |(step, place): (&&'a Step, &usize)| DrainTarget {
        path: step.subject(),
        comes_back: step.enabled_area().is_some(),
        // On zram, room may take as much memory as it gives, so it does not count.
        added: size_added_before(plan, *place, (snapshot, candidates), |path| {
            device_number(path).is_none()
        }),
    };
    let leaving: Vec<DrainTarget<'_>> = steps.iter().zip(&places).map(leaves).collect();
    match drain::drains(snapshot, &leaving) {
        Reading::Known(drains) => {
            steps.into_iter().zip(drains.into_iter().map(Reading::Known)).collect()
        }
        Reading::Missing { missing } => {
            steps.into_iter().map(|step| (step, missing.clone().into())).collect()
        }
    }
}

/// Size of the areas that a plan enables before this step, that were not active, and that count.
fn size_added_before(
    plan: &Plan,
    place: usize,
    (snapshot, candidates): (&Snapshot, &[Candidate]),
    counts: impl Fn(&Name) -> bool,
) -> Bytes {
    let areas = snapshot.areas();
    let is_new = |path: &Name| counts(path) && !areas.iter().any(|area| area.path == *path);
    let before = || plan.steps.iter().take(place);
    let size = |path: &Name| {
        let made = before().filter(|step| step.device() == *path).find_map(|step| {
            if let Step::File { to: Some(form), .. } = step {
                Some(form.size)
            } else if let Step::Zram { to: Some(disk), .. } = step {
                Some(disk.size)
            } else {
                None
            }
        });
        let found = candidates.iter().find(|found| found.path == *path);
        made.or_else(|| found?.size.known().copied()).unwrap_or(Bytes(0))
    };
    let enabled = before().filter_map(|step| {
        let Step::On { area } = step else { return None };
        is_new(&area.path).then(|| size(&area.path))
    });
    enabled.sum()
}

/// Do the contents of an area fit elsewhere?
fn fits_in_memory((step, drain): &(&Step, Reading<Drain>)) -> Check {
    let name = step.subject().safe();
    let drain = match drain {
        Reading::Known(drain) => drain,
        Reading::Missing { missing } => {
            let why = missing.why();
            let text = format!(
                "{name}: cannot tell whether its contents fit elsewhere: {why}. To proceed anyway: --force memory"
            );
            return Check::refuse("memory", text);
        }
    };
    let (moves, room) = (size(drain.moves), describe_room(drain));
    if !drain.fits() {
        let lacks = size(drain.moves.saturating_sub(drain.room()));
        let text = format!(
            "{name}: {moves} to move, but only {room} are free: {lacks} too little. Add swap on a disk that stays enabled, stop processes, or accept with --force memory"
        );
        return Check::refuse("memory", text);
    }
    let tight = drain.moves.0 as f64 > drain.room().0 as f64 * TIGHT;
    let verdict = if tight { CheckVerdict::Warn } else { CheckVerdict::Ok };
    let words = if tight { "just fits into" } else { "fits into" };
    let text = if drain.moves == Bytes(0) {
        format!("{name} is empty: nothing to move")
    } else {
        format!("{name}: {moves} to move, {words} {room}")
    };
    Check::new("memory", verdict, text)
}

/// The room for the contents of an area, with what it consists of.
fn describe_room(drain: &Drain) -> String {
    let available = size(drain.memory.saturating_sub(drain.freed));
    let mut parts = vec![format!("{available} of available memory")];
    if drain.freed > Bytes(0) {
        parts.push(format!("{} that swapoff frees", size(drain.freed)));
    }
    if drain.elsewhere > Bytes(0) {
        parts.push(format!("{} on other areas", size(drain.elsewhere)));
    }
    let room = parts.join(" + ");
    let needed = drain.free.saturating_sub(drain.elsewhere);
    if needed == Bytes(0) {
        return room;
    }
    let (free, needed) = (size(drain.free), size(needed));
    if drain.elsewhere == Bytes(0) {
        return format!(
            "{room} (the {free} free on other areas do not count: filling them takes about as much memory)"
        );
    }
    format!("{room} ({free} are free there, but filling them takes about {needed} of memory)")
}

/// Cgroups whose limit has no room for what returns to them.
fn cgroup_checks(snapshot: &Snapshot, drains: &[(&Step, Reading<Drain>)]) -> Vec<Check> {
    let drains: Vec<Drain> =
        drains.iter().filter_map(|(_, drain)| drain.known().copied()).collect();
    let moves = drain::most_held(&drains);
    let over = drain::over_limits(snapshot, &drains);
    let over = match &over {
        Reading::Known(over) => over,
        // Without the memory controller there are no limits.
        Reading::Missing { missing: Missing::Absent(_) } => return Vec::new(),
        Reading::Missing { missing } => {
            let why = missing.why();
            let text = format!(
                "cannot tell whether the limits of cgroups have room for what returns to them: {why}. To proceed anyway: --force cgroup"
            );
            return vec![Check::refuse(CGROUP, text)];
        }
    };
    let (verdict, effect) = if over.goes_on() {
        (
            CheckVerdict::Note,
            "the excess moves to the other areas, which have room, and takes additional time"
                .to_owned(),
        )
    } else {
        (CheckVerdict::Refuse, why_kills(over))
    };
    let all: Bytes = drains.iter().map(|drain| drain.moves).sum();
    // Areas that are enabled again are moved one after the other.
    let at_a_time = if moves < all { " at most" } else { "" };
    let mut groups: Vec<(&Cgroup, Bytes)> = over.groups.clone();
    groups.sort_by_key(|(_, over)| Reverse(*over));
    let back = match groups.as_slice() {
        [] => return Vec::new(),
        [(group, over)] => {
            let (name, over) = (group.path.safe(), size(*over));
            format!("cgroup {name} would exceed its limit by {over}{at_a_time}")
        }
        _ => {
            let named = groups.iter().take(MOST_CGROUPS).map(|(group, _)| group.path.safe());
            let list = named.collect::<Vec<_>>().join(", ");
            let more = match groups.len().saturating_sub(MOST_CGROUPS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "{}{at_a_time} would return to {} cgroups, whose limits have no room ({list}{more})",
                size(moves),
                groups.len()
            )
        }
    };
    vec![Check::new(CGROUP, verdict, format!("{back}: {effect}"))]
}

/// The consequence of a move that exceeds the limit of a cgroup, and what to do.
pub(in crate::actions) fn why_kills(over: &OverLimit<'_>) -> String {
    match over.kept_by {
        Some(KeptBy::Swappiness) => "with a swappiness of 0 the kernel swaps nothing out there, and may kill processes. Raise the swappiness or the limit, or accept with --force cgroup".to_owned(),
        Some(KeptBy::SwapMax) => "its swap limit (memory.swap.max, or that of a cgroup above) lets it swap out less than that again, so the kernel may kill processes there. Raise one of the limits, or accept with --force cgroup".to_owned(),
        None => {
            let (free, needed) = (size(over.free), size(over.needed));
            let shared = match over.shared {
                Bytes(0) => String::new(),
                shared => format!(
                    " and {} for pages that processes share after a fork (such a page keeps its slot until it has returned to all of them)",
                    size(shared)
                ),
            };
            format!(
                "the excess can only go to other areas, which would need {needed} of free space for it, with a reserve{shared}, and have {free}, so the kernel may kill processes there. Raise the limit, add swap that stays enabled, or accept with --force cgroup"
            )
        }
    }
}

/// The number of cgroups over their limit that are named, those with the largest excess first.
const MOST_CGROUPS: usize = 8;

/// With strict overcommit accounting the kernel keeps areas that commitments need.
fn commitments(plan: &Plan, snapshot: &Snapshot, candidates: &[Candidate]) -> Vec<Check> {
    let areas = snapshot.areas();
    let Some(CommitAccounting { promised, limit }) = drain::strict_commit(snapshot) else {
        return Vec::new();
    };
    let ends_strictness = |step: &Step| matches!(step, Step::Set { file, to, .. } if file.base() == "overcommit_memory".into() && to != "2");
    let strict = plan.steps.iter().enumerate().take_while(|(_, step)| !ends_strictness(step));
    let taken = strict.filter(|(_, step)| step.disabled_area().is_some());
    // Areas disabled by earlier steps no longer count, and those that were enabled do.
    let mut gone = Bytes(0);
    let sizes = taken.filter_map(|(place, step)| {
        let area = areas.iter().find(|area| area.path == *step.subject())?;
        let added = size_added_before(plan, place, (snapshot, candidates), |_| true);
        let limit = limit.saturating_add(added).saturating_sub(gone);
        let refused = CommitAccounting { promised, limit }.needs_area_of(area.size);
        if step.enabled_area().is_none() {
            gone = gone.saturating_add(area.size);
        }
        refused.then_some(step.subject().safe())
    });
    let check = |name: String| {
        let text = format!(
            "{name}: overcommit_memory is 2 and {} of {} are committed, so the kernel refuses swapoff. Raise overcommit_ratio, add swap, stop processes, or accept with --force overcommit",
            size(promised),
            size(limit)
        );
        Check::refuse("overcommit", text)
    };
    sizes.map(check).collect()
}

fn pressure(snapshot: &Snapshot) -> Option<Check> {
    let memory = snapshot.psi.reading.known()?.get("memory")?.known()?;
    let full = memory.full.known()?.avg10 / 100.0;
    if full < Policy::DEFAULT.pressure_full {
        return None;
    }
    let text = format!(
        "memory PSI full was {} over the last 10 s: the change makes it worse while it runs",
        units::percent(full)
    );
    Some(Check::warn("pressure", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_that_needs_memory_is_shown_with_that() {
        let drain = Drain {
            moves: Bytes(1),
            held: Bytes(1),
            memory: Bytes(686 << 20),
            freed: Bytes(67 << 20),
            elsewhere: Bytes(87 << 20),
            free: Bytes(254 << 20),
        };
        assert_eq!(
            describe_room(&drain),
            "619M of available memory + 67M that swapoff frees + 87M on other areas (254M are free there, but filling them takes about 167M of memory)"
        );
    }
}
