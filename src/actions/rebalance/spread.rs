//! Areas of one priority that hold more than their part are emptied.

use super::{Finding, Machine, Member, names, paths, size};
use crate::columns::units;
use crate::derive::balance::{self, Group};
use crate::model::{Bytes, Name, Reading};

/// Of the threshold: what is emptied at all is emptied until so little is left, so that the next
/// look does not find a skew just above it.
const AIM: f64 = 0.5;

/// What is uneven from this skew on, and the areas that are to be emptied for it.
pub(super) fn spread(machine: &Machine<'_>, threshold: f64) -> (Vec<Finding>, Vec<Name>) {
    let (mut findings, mut overfull) = (Vec::new(), Vec::new());
    for group in balance::groups(machine.areas) {
        let Some(finding) = uneven(machine, &group, threshold) else { continue };
        if finding.wrong {
            overfull.extend(finding.areas.iter().cloned());
        }
        findings.push(finding);
    }
    (findings, overfull)
}

fn uneven(machine: &Machine<'_>, group: &Group, threshold: f64) -> Option<Finding> {
    let members = group.members.iter().filter_map(|place| machine.members.get(*place));
    let members: Vec<&Member<'_>> = members.collect();
    if let (Some(missing), true) = (group.used.missing(), members.len() > 1) {
        let why = missing.why();
        let text = format!("whether priority {} is even is not known: {why}", group.priority);
        return Some(Finding::note("unknown", paths(&members), text));
    }
    let skew = group.skew.known().copied().filter(|skew| *skew >= threshold)?;
    let what = format!("the skew of priority {} is {}", group.priority, units::percent(skew));
    let one_class = members.windows(2).all(|pair| match pair {
        [a, b] => a.speed.known() == b.speed.known(),
        _ => true,
    });
    if !one_class || members.iter().any(|member| member.speed.known().is_none()) {
        let text = format!(
            "{what}, and stays so: its areas are not known to be of one speed, and the kernel does not fill those of several evenly; swapadm rebalance tiered comes first"
        );
        return Some(Finding::note("mixed", paths(&members), text));
    }
    let Some(best) = choose(&members, group, threshold, skew) else {
        let text = format!("{what}, and stays so: emptying areas would not make it more even");
        return Some(Finding::note("uneven", paths(&members), text));
    };
    Some(finding(&what, &members, group, &best, skew))
}

/// Areas to empty, by their place in the group, and the skew when what was on them has been swapped
/// out again.
struct Choice {
    emptied: Vec<usize>,
    skew: f64,
}

/// As few as bring the skew well below the threshold, those with the most above their part first;
/// none when that cannot be had.
fn choose(members: &[&Member<'_>], group: &Group, threshold: f64, now: f64) -> Option<Choice> {
    let ideal = group.ideal.known()?;
    let above =
        members.iter().zip(ideal).map(|(member, ideal)| member.used().saturating_sub(*ideal));
    let mut overfull: Vec<(Bytes, usize)> =
        above.enumerate().map(|(place, above)| (above, place)).collect();
    overfull.retain(|(above, _)| above.0 > balance::LITTLE);
    overfull.sort_by(|a, b| b.cmp(a));
    let places: Vec<usize> = overfull.into_iter().map(|(_, place)| place).collect();
    let mut best: Option<Choice> = None;
    for count in 1..=places.len() {
        let emptied = places.get(..count).unwrap_or_default().to_vec();
        let Reading::Known(skew) = refilled(members, &emptied) else { continue };
        if best.as_ref().is_none_or(|best| skew < best.skew) {
            best = Some(Choice { emptied, skew });
        }
        if skew <= threshold * AIM {
            break;
        }
    }
    best.filter(|best| best.skew < threshold && best.skew < now)
}

/// The skew when these were emptied, and what was on them went to all with room, in turns.
fn refilled(members: &[&Member<'_>], emptied: &[usize]) -> Reading<f64> {
    let sizes: Vec<Bytes> = members.iter().map(|member| member.area.size).collect();
    let left: Vec<Bytes> = left(members, emptied);
    let free: Vec<Bytes> =
        sizes.iter().zip(&left).map(|(size, left)| size.saturating_sub(*left)).collect();
    let again = balance::ideal(&free, moved(members, emptied));
    let used: Vec<Bytes> =
        left.iter().zip(again).map(|(left, again)| left.saturating_add(again)).collect();
    balance::skew(&sizes, &used)
}

/// What the members hold without what is on these.
fn left(members: &[&Member<'_>], emptied: &[usize]) -> Vec<Bytes> {
    let left = |(place, member): (usize, &&Member<'_>)| {
        if emptied.contains(&place) { Bytes(0) } else { member.used() }
    };
    members.iter().enumerate().map(left).collect()
}

fn moved(members: &[&Member<'_>], emptied: &[usize]) -> Bytes {
    emptied.iter().filter_map(|place| members.get(*place)).map(|member| member.used()).sum()
}

fn finding(what: &str, members: &[&Member<'_>], group: &Group, best: &Choice, now: f64) -> Finding {
    let overfull: Vec<&Member<'_>> =
        best.emptied.iter().filter_map(|place| members.get(*place).copied()).collect();
    let used = group.used.known().copied().unwrap_or(Bytes(0));
    let apart = Bytes(percent_of(used, now));
    Finding {
        id: "skew",
        wrong: true,
        text: format!(
            "{what}: {} of the {} on its {} areas would have to move to be even; {} more than {} part",
            size(apart),
            size(used),
            members.len(),
            holds(&overfull),
            if overfull.len() == 1 { "its" } else { "their" },
        ),
        better: Some(format!(
            "{} move into memory; as far as they are swapped out again they go to all {} areas in turns: a skew of {} if all of it is",
            size(moved(members, &best.emptied)),
            members.len(),
            units::percent(best.skew)
        )),
        areas: paths(&overfull),
        unit: Some("skew"),
        now: Some(units::rounded(now)),
        then: Some(units::rounded(best.skew)),
    }
}

fn holds(overfull: &[&Member<'_>]) -> String {
    let verb = if overfull.len() == 1 { "holds" } else { "hold" };
    format!("{} {verb}", names(overfull))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a size")]
fn percent_of(bytes: Bytes, share: f64) -> u64 {
    (bytes.0 as f64 * share) as u64
}
