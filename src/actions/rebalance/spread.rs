//! Areas of one priority that hold more than their part are emptied.
//!
//! What comes of that is foretold step by step. What finds room in memory stays there, and goes to
//! all areas in turns if it is swapped out again. What does not, since a control group is at its
//! limit or memory is short, goes to the other areas while one is emptied, and that one comes back
//! with nothing on it: of two areas, the other one then holds all. So nothing is emptied unless it
//! is foretold to be more even by an amount that is worth it, which also brings a timer to rest.

use super::{Finding, Machine, Member, names, paths};
use crate::columns::units;
use crate::columns::units::size;
use crate::derive::balance::{self, Group};
use crate::derive::defaults;
use crate::derive::drain;
use crate::derive::speed::Speed;
use crate::model::swaparea::AreaKind;
use crate::model::thp::MthpSize;
use crate::model::{Bytes, Missing, Name, Reading, Snapshot};

/// Of the threshold: what is emptied at all is emptied until so little is left, so that the next
/// look does not find a skew just above it.
const AIM: f64 = 0.5;
/// Of the threshold: it must get better by so much.
const WORTH: f64 = 0.25;

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
    if !are_of_one_class(&members) {
        let text = format!(
            "{what}, and stays so: its areas are not known to be of one speed, and the kernel does not fill those of several evenly; swapadm rebalance tiered comes first"
        );
        return Some(Finding::note("mixed", paths(&members), text));
    }
    if let Some(why) = explained(machine, &members, group, threshold) {
        let text = format!("{what}, and stays so: {why}");
        return Some(Finding::note("uneven", paths(&members), text));
    }
    let Some(best) = choose(machine, &members, group, threshold, skew) else {
        let text = format!("{what}, and stays so: emptying areas would not make it more even");
        return Some(Finding::note("uneven", paths(&members), text));
    };
    Some(finding(&what, &members, group, &best, skew))
}

fn are_of_one_class(members: &[&Member<'_>]) -> bool {
    let first = members.first().and_then(|member| member.speed.known());
    first.is_some() && members.iter().all(|member| member.speed.known() == first)
}

/// Why areas are not to be even, where large folios make it so: those go whole to areas that are
/// block devices, and never to files. What is uneven beside that is not explained by it.
fn explained(
    machine: &Machine<'_>,
    members: &[&Member<'_>],
    group: &Group,
    threshold: f64,
) -> Option<String> {
    let (used, ideal) = (group.used.known()?, group.ideal.known()?);
    let (mut above, mut more, mut less) = (0, 0, 0);
    for (member, ideal) in members.iter().zip(ideal) {
        let over = member.used().saturating_sub(*ideal).0;
        above += over;
        if takes_large(machine, member) {
            more += over;
            less += ideal.saturating_sub(member.used()).0;
        }
    }
    // What those hold together beyond their part, and what is uneven among them.
    let beyond = more.saturating_sub(less);
    let rest = above.saturating_sub(beyond) as f64 / used.0 as f64;
    let is_all = members.iter().all(|member| takes_large(machine, member));
    if is_all || beyond == 0 || rest >= threshold {
        return None;
    }
    let whole = "large folios go whole to block devices, and to files only in pieces";
    match large(machine.snapshot) {
        Reading::Known(large) if large.0 < beyond => None,
        Reading::Known(large) => Some(format!(
            "{whole}: of {} that were swapped out so since the machine was started, {} can lie on those of its areas that are no files",
            size(large),
            size(Bytes(beyond))
        )),
        Reading::Missing { missing } => Some(format!(
            "{whole}, and how much was swapped out so is not known: {}",
            missing.why()
        )),
    }
}

/// Does the kernel put large folios on it? On what rotates it does so after 6.12 only.
fn takes_large(machine: &Machine<'_>, member: &Member<'_>) -> bool {
    let release = defaults::release(machine.snapshot);
    let is_old = release.known().is_some_and(|release| *release <= (6, 12));
    let rotates = member.speed.known() == Some(&Speed::Rotational);
    member.area.kind == AreaKind::Partition && !(rotates && is_old)
}

/// How much was swapped out in large folios that were not split: of all sizes, or of the largest
/// alone where the kernel counts no others.
fn large(snapshot: &Snapshot) -> Reading<Bytes> {
    let whole = |size: &MthpSize| {
        let of = |name: &str| or_none(size.stats.as_ref().and_then(|stats| stats.get(name)));
        let folios = of("swpout").map2(of("zswpout"), u64::saturating_add);
        folios.map(|folios| folios.saturating_mul(size.size.0)).into_result()
    };
    let thp = snapshot.thp.reading.as_ref();
    let all = thp.clone().and_then(|thp| thp.sizes.clone()).and_then(|sizes| {
        let all: Result<u64, Missing> = sizes.iter().map(whole).sum();
        all.into()
    });
    let mut largest = or_none(snapshot.counter("thp_swpout"));
    if largest != Reading::Known(0) {
        let size = thp.and_then(|thp| thp.pmd_size.clone());
        largest = largest.map2(size, |folios, size| folios.saturating_mul(size.0));
    }
    or_none(all).map2(largest, |all, largest| Bytes(all.max(largest)))
}

/// What the kernel does not count, it does not do.
fn or_none(count: Reading<u64>) -> Reading<u64> {
    match count.missing() {
        Some(Missing::Absent(_)) => Reading::Known(0),
        Some(_) | None => count,
    }
}

/// Areas to empty, by their place in the group, and what is foretold.
#[derive(Clone, Debug)]
struct Choice {
    emptied: Vec<usize>,
    /// What goes to the other areas at once, since memory has no room for it.
    pushed: Bytes,
    /// What goes into memory.
    kept: Bytes,
    /// The skew when that has been swapped out again.
    skew: f64,
}

/// As few as bring the skew well below the threshold, those with the most above their part first,
/// or those that come nearest to it; none when it does not get better.
fn choose(
    machine: &Machine<'_>,
    members: &[&Member<'_>],
    group: &Group,
    threshold: f64,
    now: f64,
) -> Option<Choice> {
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
        let emptied = places.get(..count).unwrap_or_default();
        let Some(choice) = foretold(machine, members, emptied) else { continue };
        let is_enough = choice.skew <= threshold * AIM;
        if best.as_ref().is_none_or(|best| choice.skew < best.skew) {
            best = Some(choice);
        }
        if is_enough {
            break;
        }
    }
    best.filter(|best| best.skew <= now - threshold * WORTH)
}

/// What comes of emptying these, in the order of the plan.
fn foretold(machine: &Machine<'_>, members: &[&Member<'_>], emptied: &[usize]) -> Option<Choice> {
    let sizes: Vec<Bytes> = members.iter().map(|member| member.area.size).collect();
    let mut used: Vec<Bytes> = members.iter().map(|member| member.used()).collect();
    let mut order = emptied.to_vec();
    order.sort_by_key(|place| members.get(*place).map(|member| (member.used(), &member.area.path)));
    let (mut pushed, mut kept) = (Bytes(0), Bytes(0));
    for place in order {
        let on_it = std::mem::take(used.get_mut(place)?);
        let push = without_room(machine, kept.saturating_add(on_it)).min(on_it);
        fill(&sizes, &mut used, push, Some(place));
        pushed = pushed.saturating_add(push);
        kept = kept.saturating_add(on_it.saturating_sub(push));
    }
    fill(&sizes, &mut used, kept, None);
    let skew = *balance::skew(&sizes, &used).known()?;
    Some(Choice { emptied: emptied.to_vec(), pushed, kept, skew })
}

/// Put so much more on areas, in turns, but for one that is off.
fn fill(sizes: &[Bytes], used: &mut [Bytes], more: Bytes, off: Option<usize>) {
    let pairs = sizes.iter().zip(used.iter()).enumerate();
    let free = pairs.map(
        |(place, (size, used))| {
            if off == Some(place) { Bytes(0) } else { size.saturating_sub(*used) }
        },
    );
    let free: Vec<Bytes> = free.collect();
    for (used, more) in used.iter_mut().zip(balance::ideal(&free, more)) {
        *used = used.saturating_add(more);
    }
}

/// How much of what comes into memory has no room there: in the machine's, or in that which control
/// groups may take.
fn without_room(machine: &Machine<'_>, moved: Bytes) -> Bytes {
    let tree = machine.snapshot.cgroups.reading.known();
    let groups = tree.map_or(&[][..], |tree| &*tree.groups);
    let over = groups.iter().filter_map(|group| drain::over_limit(group, moved)).sum::<Bytes>();
    let memory = machine.snapshot.memory("MemAvailable").known().copied().unwrap_or(moved);
    over.max(moved.saturating_sub(memory)).min(moved)
}

fn finding(what: &str, members: &[&Member<'_>], group: &Group, best: &Choice, now: f64) -> Finding {
    let overfull: Vec<&Member<'_>> =
        best.emptied.iter().filter_map(|place| members.get(*place).copied()).collect();
    let used = group.used.known().copied().unwrap_or(Bytes(0));
    let (verb, part) = if overfull.len() == 1 { ("holds", "its") } else { ("hold", "their") };
    let count = members.len();
    Finding {
        id: "skew",
        wrong: true,
        text: format!(
            "{what}: of the {} on its {count} areas {} would have to move to be even; {} {verb} more than {part} part",
            size(used),
            size(Bytes(share_of(used, now))),
            names(&overfull),
        ),
        better: Some(better(best, count)),
        areas: paths(&overfull),
        unit: Some("skew"),
        now: Some(units::rounded(now)),
        then: Some(units::rounded(best.skew)),
    }
}

fn better(best: &Choice, count: usize) -> String {
    let kept = format!("{} move into memory", size(best.kept));
    let pushed = format!(
        "{} move to the other areas, since memory or a control group has no room",
        size(best.pushed)
    );
    let skew = units::percent(best.skew);
    let again = format!(
        "as far as they are swapped out again they go to all {count} in turns: a skew of {skew}, if all of them are"
    );
    match (best.kept, best.pushed) {
        (_, Bytes(0)) => format!("{kept}; {again}"),
        (Bytes(0), _) => format!("{pushed}: a skew of {skew}"),
        (_, _) => format!("{pushed}, and {kept}; {again}"),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a size")]
fn share_of(bytes: Bytes, share: f64) -> u64 {
    (bytes.0 as f64 * share) as u64
}
