//! The table `selection` in sentences.

use crate::columns::text::capitalize;
use crate::columns::units;
use crate::columns::verdict::describe_front;
use crate::derive::compression;
use crate::derive::headroom::ZramFill;
use crate::derive::selection::pitfalls::{self, Pitfall};
use crate::derive::selection::{self, FillPhase, NodeOrder, OrderedArea, Selection};
use crate::model::kernel::{AllocationOrder, Allocator, AllocatorEvidence, RotationUnit, SwapTier};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Reading, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// Amounts below this are called negligible instead of shown.
const NEGLIGIBLE: Bytes = Bytes(1 << 20);
/// Most steps in a sentence.
const MAX_STEPS: usize = 4;
/// Most areas that a sentence names: more than kernels allow, but captured trees may have any number.
const MAX_NAMES: usize = 32;

/// Describes the allocation rules, the next steps and the pitfalls, for one node or all, and for folios
/// of this many pages.
pub fn describe_selection(snapshot: &Snapshot, node: Option<u32>, folio: u64) -> Vec<String> {
    let Reading::Known(singly) = selection::for_pages(snapshot) else { return Vec::new() };
    let Reading::Known(selection) = selection::for_folios(snapshot, folio) else {
        return Vec::new();
    };
    let names = AreaNames::from_snapshot(snapshot);
    if names.0.is_empty() {
        return Vec::new();
    }
    let is_meant = |line: &&NodeOrder| node.is_none() || line.node.is_none() || line.node == node;
    let lines = selection.lines.iter().filter(is_meant);
    let pitfalls = pitfalls::find_pitfalls(snapshot, &singly);
    let next = lines.map(|line| next(snapshot, (&names, &pitfalls), (line, folio)));
    let pitfalls = pitfalls.iter().map(|pitfall| describe_pitfall(&names, pitfall));
    let tiers = describe_tiers(snapshot, &names);
    let mut rules = rules(snapshot, &selection, folio);
    if let Some(front) = describe_front(snapshot) {
        rules = format!("{rules} {front}");
    }
    std::iter::once(rules).chain(next).chain(tiers).chain(pitfalls).collect()
}

/// Names of the areas: the last part of the path if it is unique, otherwise the path.
pub(super) struct AreaNames(Vec<String>);

impl AreaNames {
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let areas = snapshot.areas();
        let short: Vec<Name> = areas.iter().map(|area| area.path.base()).collect();
        let mut counts: BTreeMap<&Name, usize> = BTreeMap::new();
        for base in &short {
            *counts.entry(base).or_default() += 1;
        }
        let name = |(area, base): (&SwapArea, &Name)| {
            if counts.get(base) == Some(&1) { base.safe() } else { area.path.safe() }
        };
        Self(areas.iter().zip(&short).map(name).collect())
    }

    fn get(&self, area: usize) -> &str {
        self.0.get(area).map_or("?", String::as_str)
    }

    fn all(&self, areas: &[usize]) -> String {
        joined_most(areas, |area| self.get(*area).to_owned())
    }
}

/// Joins words with commas and a final `and`.
fn joined(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Joins the words of these, but names only the first of many.
fn joined_most<T>(all: &[T], word: impl Fn(&T) -> String) -> String {
    let most = if all.len() > MAX_NAMES { MAX_NAMES - 1 } else { MAX_NAMES };
    let mut words: Vec<String> = all.iter().take(most).map(word).collect();
    if all.len() > most {
        words.push(format!("{} more", all.len() - most));
    }
    joined(&words)
}

fn rules(snapshot: &Snapshot, selection: &Selection, folio: u64) -> String {
    let policy = match selection.policy.get() {
        Ok(policy) => policy,
        Err(missing) => {
            return format!(
                "Unknown how this kernel rotates among areas of equal priority: {}.",
                missing.why()
            );
        }
    };
    let order = match policy.order {
        AllocationOrder::ByNode => {
            "Each NUMA node would allocate first from its own areas with default priority"
        }
        AllocationOrder::Alike => "All NUMA nodes use the same allocation order",
    };
    let turns = selection::policy::rotation_unit(snapshot);
    let turns = turns.known().map_or(policy.evidence, |(_, evidence)| *evidence);
    let known = if turns == policy.evidence {
        format!("source: {}", known_by(turns))
    } else {
        let (order, turns) = (known_by(policy.evidence), known_by(turns));
        format!("source: {order} for the order, {turns} for the rotation")
    };
    // An area alone in its group rotates with no other.
    let groups = selection
        .lines
        .iter()
        .flat_map(|line| line.places.chunk_by(|one, other| one.group == other.group));
    let alone = groups.clone().all(|group| group.len() == 1);
    let rotating = groups.filter(|group| alone || group.len() > 1);
    let rotation_unit = rotation_unit(policy, folio, rotating.flatten());
    format!("{order}; areas of equal priority rotate {rotation_unit}. {}", sentence(&known))
}

/// Describes after how many slots the kernel goes on to the next of these areas, as ROT-SLOTS has it.
fn rotation_unit<'a>(
    policy: &Allocator,
    folio: u64,
    places: impl Iterator<Item = &'a OrderedArea>,
) -> String {
    let slots: BTreeSet<u64> =
        places.filter_map(|place| place.turn_slots.known().copied()).collect();
    match (policy.rotation_unit, slots.first(), slots.last()) {
        (RotationUnit::Batch, ..) if folio > 1 => "per folio".to_owned(),
        (RotationUnit::Batch, Some(least), Some(most)) if least < most => {
            format!("every {least} to {most} slots")
        }
        (RotationUnit::Batch, _, Some(slots)) => format!("every {slots} slots"),
        (RotationUnit::Batch, _, None) => "per batch of slots".to_owned(),
        (RotationUnit::Cluster, _, Some(1)) => "per slot".to_owned(),
        (RotationUnit::Cluster, ..) => match policy.cluster_slots {
            Some(slots) => format!("per cluster ({slots} slots)"),
            None => "per cluster".to_owned(),
        },
    }
}

fn known_by(evidence: AllocatorEvidence) -> &'static str {
    match evidence {
        AllocatorEvidence::Types => "kernel type information",
        AllocatorEvidence::Priorities => "the priorities shown by the kernel",
        AllocatorEvidence::Symbols => "kernel symbol names",
        AllocatorEvidence::Release => "the kernel release alone (a patched kernel may differ)",
        AllocatorEvidence::Model => "the rules of the model",
    }
}

/// Prefix of a sentence: the node and the folio size, if they are special.
fn scope(snapshot: &Snapshot, node: Option<u32>, folio: u64) -> String {
    let on = node.map(|node| format!("on node {node}"));
    let folios = (folio > 1).then(|| {
        let bytes = selection::bytes(snapshot, folio);
        let size = bytes.known().map_or_else(|| format!("{folio} pages"), |b| units::size(*b));
        format!("in folios of {size}")
    });
    let scope: Vec<String> = [on, folios].into_iter().flatten().collect();
    if scope.is_empty() { String::new() } else { format!("{}: ", scope.join(", ")) }
}

/// Describes the next steps of the allocation.
fn next(
    snapshot: &Snapshot,
    (names, pitfalls): (&AreaNames, &[Pitfall]),
    (line, folio): (&NodeOrder, u64),
) -> String {
    let scope = scope(snapshot, line.node, folio);
    let amount = |phase: &FillPhase| {
        let bytes = selection::bytes(snapshot, phase.pages);
        bytes.known().map_or_else(|| format!("{} pages", phase.pages), |b| units::size(*b))
    };
    // Behind zswap an area gives the slot, and perhaps never gets the page.
    let is_behind =
        compression::zswap_front(snapshot).is_some_and(|front| front.is_on && front.takes_slots);
    let step = |(number, phase): (usize, &FillPhase)| {
        let next = if number == 0 { "the next" } else { "then" };
        let (amount, to) = (amount(phase), filling_areas(names, line, phase));
        match phase.shares.len() {
            _ if is_behind => format!("{next} {amount} get slots on {to}"),
            1 => format!("{next} {amount} go to {to}"),
            _ => format!("{next} {amount} are shared by {to}"),
        }
    };
    if let Some(phase) = line.phases.first().filter(|phase| is_refused(pitfalls, line, phase)) {
        let (amount, to) = (amount(phase), filling_areas(names, line, phase));
        let refused = "which refuses pages beyond its memory limit: they stay in memory";
        return sentence(&format!("{scope}the next {amount} are meant for {to}, {refused}"));
    }
    let all = line.phases.len();
    // Saying that one step is left out takes as many words as the step.
    let shown = if all <= MAX_STEPS + 1 { all } else { MAX_STEPS };
    let mut steps: Vec<String> = line.phases.iter().take(shown).enumerate().map(step).collect();
    let more = all - shown;
    if more > 0 {
        steps.push(format!("then {more} more steps follow"));
    }
    match (&line.unknown, steps.is_empty()) {
        (Some(missing), _) => steps.push(format!("what follows is unknown: {}", missing.why())),
        (None, true) => steps.push("all areas are full: nothing more is swapped out".to_owned()),
        (None, false) => steps.push("then all areas are full".to_owned()),
    }
    sentence(&format!("{scope}{}", steps.join("; ")))
}

/// Describes which area gets the next page and why, for each NUMA node if they differ.
pub fn describe_decision(snapshot: &Snapshot) -> Vec<String> {
    let Reading::Known(found) = selection::for_pages(snapshot) else { return Vec::new() };
    let names = AreaNames::from_snapshot(snapshot);
    let is_behind =
        compression::zswap_front(snapshot).is_some_and(|front| front.is_on && front.takes_slots);
    let to =
        if is_behind { "next page goes to zswap, its slot is on" } else { "next page goes to" };
    let decide = |line: &NodeOrder| {
        let scope = line.node.map_or_else(String::new, |node| format!("on node {node} "));
        let Some(phase) = line.phases.first() else {
            let why = line.unknown.as_ref().map(Missing::why);
            let full = || "all areas are full: nothing more is swapped out".to_owned();
            return sentence(&(scope + &why.map_or_else(full, |why| format!("unknown: {why}"))));
        };
        let areas = filling_areas(&names, line, phase);
        let places = phase.shares.iter().filter_map(|(place, _)| line.places.get(*place));
        let priority =
            places.clone().next().map_or_else(String::new, |place| place.effective.to_string());
        sentence(&match (phase.shares.len(), found.policy.known()) {
            (1, _) => format!(
                "{scope}the {to} {areas}: of the areas with free slots it has the highest priority ({priority})"
            ),
            (_, Some(policy)) => format!(
                "{scope}the {to} one of {areas}: they share the highest priority with free slots ({priority}), and rotate {}",
                rotation_unit(policy, 1, places)
            ),
            (_, None) => format!("{scope}the {to} one of {areas}: they share priority {priority}"),
        })
    };
    found.lines.iter().map(decide).collect()
}

/// Describes the swap tiers with their areas, if the kernel has some.
fn describe_tiers(snapshot: &Snapshot, names: &AreaNames) -> Option<String> {
    let areas = snapshot.swaps.reading.known()?;
    let tiers = snapshot.kernel.reading.known()?.swap_tiers.known()?;
    let describe = |tier: &SwapTier| {
        let in_tier = |area: &SwapArea| (tier.lowest..=tier.highest).contains(&area.priority);
        let places = areas.iter().enumerate().filter(|(_, area)| in_tier(area));
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        let names = if places.is_empty() { "no area".to_owned() } else { names.all(&places) };
        format!("{} ({names})", tier.name)
    };
    (!tiers.is_empty()).then(|| {
        format!(
            "Swap tiers: {}. The order is that of cgroups that may use all of these; for one cgroup: swapadm selection --cgroup PATH.",
            joined_most(tiers, describe)
        )
    })
}

/// Whether the only area of this phase refuses pages because of its limit.
fn is_refused(pitfalls: &[Pitfall], line: &NodeOrder, phase: &FillPhase) -> bool {
    let [(place, _)] = phase.shares.as_slice() else { return false };
    let area = line.places.get(*place).map(|place| place.area);
    let mut refusing =
        pitfalls.iter().filter(|pitfall| matches!(pitfall, Pitfall::LimitFirst { .. }));
    refusing.any(|pitfall| pitfall.areas().first() == area.as_ref())
}

/// Describes where the next pages go now and after a change; `None` if neither is known.
pub fn describe_change(now: &Snapshot, then: &Snapshot) -> Option<String> {
    let (before, after) = (next_areas(now)?, next_areas(then)?);
    if before != after {
        return Some(format!("now {before}; afterwards {after}"));
    }
    (after != UNKNOWN).then(|| format!("{after}, unchanged"))
}

const UNKNOWN: &str = "unknown";

/// The areas that get the next pages, per node where they differ.
fn next_areas(snapshot: &Snapshot) -> Option<String> {
    let found = selection::for_pages(snapshot).known().cloned()?;
    let names = AreaNames::from_snapshot(snapshot);
    let of_line = |line: &NodeOrder| {
        let on = line.node.map_or_else(String::new, |node| format!("on node {node} "));
        let to = match (line.phases.first(), &line.unknown) {
            (Some(phase), _) => filling_areas(&names, line, phase),
            (None, Some(_)) => UNKNOWN.to_owned(),
            (None, None) => "none".to_owned(),
        };
        on + &to
    };
    let lines: Vec<String> = found.lines.iter().map(of_line).collect();
    Some(lines.join(", "))
}

/// The areas of a phase, with their shares if there are several.
fn filling_areas(names: &AreaNames, line: &NodeOrder, phase: &FillPhase) -> String {
    let name = |place: usize| {
        let area = line.places.get(place).map(|place| place.area);
        area.map_or("?", |area| names.get(area)).to_owned()
    };
    let all = |show: &dyn Fn(&(usize, f64)) -> String| joined_most(&phase.shares, show);
    match phase.shares.as_slice() {
        [(place, _)] => name(*place),
        [(_, first), others @ ..] if others.iter().all(|(_, share)| same(*share, *first)) => {
            let part = part(phase.shares.len());
            format!("{}, {part} each", all(&|(place, _)| name(*place)))
        }
        _ => all(&|(place, share)| format!("{} ({})", name(*place), units::percent(*share))),
    }
}

fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

fn part(of: usize) -> String {
    match of {
        2 => "half".to_owned(),
        3 => "a third".to_owned(),
        4 => "a quarter".to_owned(),
        5 => "a fifth".to_owned(),
        _ => format!("1/{of}"),
    }
}

/// Adds a capital letter and a full stop.
fn sentence(text: &str) -> String {
    capitalize(text) + "."
}

/// A pitfall as one word for programs.
pub(super) fn pitfall_slug(pitfall: &Pitfall) -> &'static str {
    match pitfall {
        Pitfall::RotationalAmongEquals { .. } => "rotational-in-group",
        Pitfall::LastGroupFirst { .. } => "may-come-first",
        Pitfall::VirtualRotational { .. } => "counts-as-rotational",
        Pitfall::LimitFirst { .. } => "limit-refuses-pages",
        Pitfall::FilesSplit { .. } | Pitfall::RotationalSplit { .. } => "splits-folios",
        Pitfall::DefaultsTakeTurns { .. } | Pitfall::DefaultsCounted { .. } => "default-priority",
    }
}

/// Describes a pitfall: its effect and remedy.
pub(super) fn describe_pitfall(names: &AreaNames, pitfall: &Pitfall) -> String {
    let is = |areas: &[usize], one: &'static str, many: &'static str| {
        if areas.len() == 1 { one } else { many }
    };
    match pitfall {
        Pitfall::RotationalAmongEquals { areas, priority, share } => format!(
            "{} priority {priority} with areas that are not: per rotation {} one page while the others get a cluster, which amounts to {} of single pages{}. Huge folios are shared evenly. A different priority makes the order clear.",
            format_args!(
                "{} {}",
                names.all(areas),
                is(areas, "is rotational and shares", "are rotational and share")
            ),
            is(areas, "it gets", "each gets"),
            units::percent(*share),
            is(areas, "", " for each"),
        ),
        Pitfall::LastGroupFirst { areas } => format!(
            "A bug in kernels 7.1 and 7.2 can move one of {}, last in the allocation order, before all other areas until it is disabled. Different priorities avoid it.",
            names.all(areas)
        ),
        Pitfall::VirtualRotational { areas, files, others } => {
            let it = is(areas, "it", "them");
            let stays_off = match others.as_slice() {
                [] => String::new(),
                others => format!(
                    " VMA readahead stays off while {} {} rotational too.",
                    names.all(others),
                    is(others, "is", "are")
                ),
            };
            format!(
                "{} {}: the kernel treats {it} as rotational and turns VMA readahead off for all areas. If the storage behind {it} is not rotational, disable {it}, write 0 to {}, and enable {it} again.{stays_off}",
                names.all(areas),
                is(areas, "is on a virtual disk", "are on virtual disks"),
                joined_most(files, String::clone),
            )
        }
        Pitfall::LimitFirst { areas, filling, has_later_areas } => {
            describe_limit(&names.all(areas), filling, *has_later_areas)
        }
        Pitfall::FilesSplit { areas } => format!(
            "{} {}: large folios are split before swap-out.",
            names.all(areas),
            is(areas, "is a file", "are files"),
        ),
        Pitfall::RotationalSplit { areas } => format!(
            "{} {} as rotational by the kernel: it splits large folios before swap-out.",
            names.all(areas),
            is(areas, "is treated", "are treated"),
        ),
        Pitfall::DefaultsTakeTurns { areas, has_explicit } => format!(
            "{} {} the default priority: all such areas have -1 and are used round robin{}.",
            names.all(areas),
            is(areas, "has", "have"),
            if *has_explicit { " after all areas with an explicit priority" } else { "" },
        ),
        Pitfall::DefaultsCounted { areas, node_preferred, has_explicit } => format!(
            "{} {} the default priority: the kernel numbers such areas -2, -3 and so on in the order of activation and fills them one by one{}.{}",
            names.all(areas),
            is(areas, "has", "have"),
            if *has_explicit { ", after all areas with an explicit priority" } else { "" },
            describe_preferred(names, node_preferred),
        ),
    }
}

/// Describes the effect of a memory limit of zram.
fn describe_limit(name: &str, filling: &ZramFill, hides: bool) -> String {
    let free = units::size(filling.space);
    let takes = if filling.takes < NEGLIGIBLE {
        format!("can use hardly any of its free {free}: it is at")
    } else {
        let takes = units::size(filling.takes);
        format!("can use about {takes} of its free {free} before it reaches")
    };
    let below = if hides { " instead of going to lower areas" } else { "" };
    format!(
        "{name} {takes} its memory limit. The kernel still chooses it while it has free slots; refused pages keep their slot and stay in memory{below}. Raise the limit or shrink the area."
    )
}

/// Describes the areas that their own node prefers.
fn describe_preferred(names: &AreaNames, own: &[usize]) -> String {
    let each = match own {
        [] => return String::new(),
        [_] => "",
        _ => "each of ",
    };
    format!(
        " However, {each}{} counts as -1 on its own node: before other default priorities, and round robin with those of the same node. The kernel does not show this.",
        names.all(own)
    )
}
