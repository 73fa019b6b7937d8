//! What the table comes to, in words.

use crate::columns::units;
use crate::derive::headroom::ZramFill;
use crate::derive::selection::traps::{self, Trap};
use crate::derive::selection::{self, NodeOrder, FillPhase, Selection};
use crate::model::kernel::{Allocator, AllocatorEvidence, RotationUnit, AllocationOrder};
use crate::model::{Bytes, Name, Reading, Snapshot};

/// Less than this is not worth a figure.
const NEGLIGIBLE: Bytes = Bytes(1 << 20);
/// More steps than this nobody reads.
const MAX_STEPS: usize = 4;

/// By which rules areas are chosen, what happens next, and what does not go as it seems.
/// Of one node, where one is given, and for folios of so many pages.
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
    let traps = traps::find_traps(snapshot, &singly);
    let next = lines.map(|line| next(snapshot, (&names, &traps), (line, folio)));
    let traps = traps.iter().map(|trap| describe_trap(&names, trap));
    std::iter::once(rules(snapshot, &selection, folio)).chain(next).chain(traps).collect()
}

/// The areas as they are called: by the last part of their paths, where that is enough.
pub(super) struct AreaNames(Vec<String>);

impl AreaNames {
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
        let short: Vec<Name> = areas.iter().map(|area| area.path.base()).collect();
        let name = |(area, base): (&crate::model::swaparea::SwapArea, &Name)| {
            let is_one = short.iter().filter(|other| *other == base).count() == 1;
            if is_one { base.safe() } else { area.path.safe() }
        };
        Self(areas.iter().zip(&short).map(name).collect())
    }

    fn get(&self, area: usize) -> &str {
        self.0.get(area).map_or("?", String::as_str)
    }

    fn all(&self, areas: &[usize]) -> String {
        joined(&areas.iter().map(|area| self.get(*area).to_owned()).collect::<Vec<_>>())
    }
}

/// Words with an `and` between the last two.
fn joined(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

fn rules(snapshot: &Snapshot, selection: &Selection, folio: u64) -> String {
    let policy = match selection.policy.get() {
        Ok(policy) => policy,
        Err(missing) => {
            return format!(
                "How this kernel lets areas take turns is not known: {}.",
                missing.why()
            );
        }
    };
    let order = match policy.order {
        AllocationOrder::ByNode => {
            "Each NUMA node has an order of its own and prefers its own areas among those that were given no priority"
        }
        AllocationOrder::Alike => "All NUMA nodes have one order",
    };
    let turns = selection::policy::grain(snapshot);
    let turns = turns.known().map_or(policy.evidence, |(_, evidence)| *evidence);
    let known = if turns == policy.evidence {
        known_by(turns).to_owned()
    } else {
        let (order, turns) = (known_by(policy.evidence), known_by(turns));
        format!("as to the order, {order}; as to the turns, {turns}")
    };
    let grain = grain(policy, folio);
    format!("{order}; areas of one priority take turns {grain}. {}", sentence(&known))
}

fn grain(policy: &Allocator, folio: u64) -> String {
    match (policy.grain, policy.cluster_slots) {
        (RotationUnit::Batch, _) if folio > 1 => "folio by folio".to_owned(),
        (RotationUnit::Batch, _) => "by 64 slots".to_owned(),
        (RotationUnit::Cluster, Some(slots)) => format!("by clusters of {slots} slots"),
        (RotationUnit::Cluster, None) => "by clusters".to_owned(),
    }
}

fn known_by(evidence: AllocatorEvidence) -> &'static str {
    match evidence {
        AllocatorEvidence::Types => "the kernel's type information says so",
        AllocatorEvidence::Priorities => "the priorities that the kernel shows say so",
        AllocatorEvidence::Symbols => "the names of the kernel's symbols say so",
        AllocatorEvidence::Release => {
            "only its release says so, and whoever made the kernel may have changed it"
        }
    }
}

/// Where and of what something is told, before it is.
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

/// What happens next, one step after the other.
fn next(
    snapshot: &Snapshot,
    (names, traps): (&AreaNames, &[Trap]),
    (line, folio): (&NodeOrder, u64),
) -> String {
    let scope = scope(snapshot, line.node, folio);
    let amount = |phase: &FillPhase| {
        let bytes = selection::bytes(snapshot, phase.pages);
        bytes.known().map_or_else(|| format!("{} pages", phase.pages), |b| units::size(*b))
    };
    let step = |(number, phase): (usize, &FillPhase)| {
        let amount = amount(phase);
        let to = filling_areas(names, line, phase);
        match (number, phase.shares.len()) {
            (0, 1) => format!("the next {amount} go to {to}"),
            (0, _) => format!("the next {amount} are shared by {to}"),
            (_, 1) => format!("then {amount} go to {to}"),
            _ => format!("then {amount} are shared by {to}"),
        }
    };
    if let Some(phase) = line.phases.first().filter(|phase| is_refused(traps, line, phase)) {
        let (amount, to) = (amount(phase), filling_areas(names, line, phase));
        let refused = "which refuses what is beyond its limit: nothing goes further meanwhile";
        return sentence(&format!("{scope}the next {amount} are meant for {to}, {refused}"));
    }
    let all = line.phases.len();
    // One that is left out would take as many words as it has.
    let shown = if all <= MAX_STEPS + 1 { all } else { MAX_STEPS };
    let mut steps: Vec<String> = line.phases.iter().take(shown).enumerate().map(step).collect();
    let more = all - shown;
    if more > 0 {
        steps.push(format!("then it goes on in {more} more steps"));
    }
    match (&line.unknown, steps.is_empty()) {
        (Some(missing), _) => steps.push(format!("what follows is not known: {}", missing.why())),
        (None, true) => steps.push("all areas are full, and nothing more goes out".to_owned()),
        (None, false) => steps.push("then all is full".to_owned()),
    }
    sentence(&format!("{scope}{}", steps.join("; ")))
}

/// Does the only area that is to get them refuse some?
fn is_refused(traps: &[Trap], line: &NodeOrder, phase: &FillPhase) -> bool {
    let [(place, _)] = phase.shares.as_slice() else { return false };
    let area = line.places.get(*place).map(|place| place.area);
    let mut refusing = traps.iter().filter(|trap| matches!(trap, Trap::LimitFirst { .. }));
    refusing.any(|trap| trap.areas().first() == area.as_ref())
}

/// Which areas the next pages go to now, and which after a change; nothing where neither is known.
pub fn describe_change(now: &Snapshot, then: &Snapshot) -> Option<String> {
    let (before, after) = (next_areas(now)?, next_areas(then)?);
    if before != after {
        return Some(format!("now {before}; after it {after}"));
    }
    (after != UNKNOWN).then(|| format!("{after}, as now"))
}

const UNKNOWN: &str = "not known";

/// Which areas the next pages go to, on each node where they differ.
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

/// The areas that fill, with their shares where there are several.
fn filling_areas(names: &AreaNames, line: &NodeOrder, phase: &FillPhase) -> String {
    let name = |place: usize| {
        let area = line.places.get(place).map(|place| place.area);
        area.map_or("?", |area| names.get(area)).to_owned()
    };
    let all = |show: &dyn Fn(&(usize, f64)) -> String| {
        joined(&phase.shares.iter().map(show).collect::<Vec<_>>())
    };
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

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// A trap as one word, which programs can look for.
pub(super) fn trap_slug(trap: &Trap) -> &'static str {
    match trap {
        Trap::RotationalAmongEquals { .. } => "rotates-among-equals",
        Trap::LastGroupFirst { .. } => "may-be-first",
        Trap::VirtualRotational { .. } => "taken-for-rotating",
        Trap::LimitFirst { .. } => "refuses-by-limit",
        Trap::FilesSplit { .. } | Trap::RotationalSplit { .. } => "splits-folios",
        Trap::DefaultsTakeTurns { .. } | Trap::DefaultsCounted { .. } => "has-no-priority",
    }
}

/// A trap with what it does, and what helps.
pub(super) fn describe_trap(names: &AreaNames, trap: &Trap) -> String {
    let is = |areas: &[usize], one: &'static str, many: &'static str| {
        if areas.len() == 1 { one } else { many }
    };
    match trap {
        Trap::RotationalAmongEquals { areas, priority, share } => format!(
            "{} priority {priority} with areas that do not: at a turn {} a single page, where those get a cluster, which comes to {} of single pages{}. Huge folios alternate: each area that takes them gets as many. With another priority it would be clear when it is used.",
            format_args!(
                "{} {}",
                names.all(areas),
                is(areas, "rotates and shares", "rotate and share")
            ),
            is(areas, "it gets", "each gets"),
            units::percent(*share),
            is(areas, "", " for each"),
        ),
        Trap::LastGroupFirst { areas } => format!(
            "A defect of kernels 7.1 and 7.2 can put one of {}, the last in order, before all others, until it is switched off: different priorities avoid it.",
            names.all(areas)
        ),
        Trap::VirtualRotational { areas, files } => {
            let it = is(areas, "it", "them");
            format!(
                "{} {}, and the kernel takes {it} for rotating, so that it reads nothing ahead by address from any area. If what is behind {it} does not rotate, switch {it} off, write 0 to {}, and switch {it} on again.",
                names.all(areas),
                is(areas, "is on a virtual disk", "are on virtual disks"),
                joined(files),
            )
        }
        Trap::LimitFirst { areas, filling, hides } => describe_limit(&names.all(areas), filling, *hides),
        Trap::FilesSplit { areas } => format!(
            "{} {}: large folios are split before they go there.",
            names.all(areas),
            is(areas, "is a file", "are files"),
        ),
        Trap::RotationalSplit { areas } => format!(
            "{} {}: on this kernel large folios are split before they go there.",
            names.all(areas),
            is(areas, "counts as rotating", "count as rotating"),
        ),
        Trap::DefaultsTakeTurns { areas, last } => format!(
            "{} {} given no priority: -1 is what all such areas have, which take turns{}.",
            names.all(areas),
            is(areas, "was", "were"),
            if *last { " after all that were given one" } else { "" },
        ),
        Trap::DefaultsCounted { areas, own, last } => format!(
            "{} {} given no priority: the kernel counts such areas -2, -3 and so on as they are switched on, and fills one after the other{}.{}",
            names.all(areas),
            is(areas, "was", "were"),
            if *last { ", after all that were given one" } else { "" },
            describe_preferred(names, own),
        ),
    }
}

/// What comes of a limit on the memory of zram.
fn describe_limit(name: &str, filling: &ZramFill, hides: bool) -> String {
    let free = units::size(filling.space);
    let takes = if filling.takes < NEGLIGIBLE {
        format!("takes hardly any of the {free} that are free there: it is at")
    } else {
        let takes = units::size(filling.takes);
        format!("takes about {takes} of the {free} that are free there, and is then at")
    };
    let below = if hides { ", and goes to no area below" } else { "" };
    format!(
        "{name} {takes} the limit of its memory. It is chosen all the same while it has free slots: what it refuses keeps its slot and stays in memory{below}. A higher limit or a smaller area helps."
    )
}

/// What an area is called that a node prefers, and which order that makes.
fn describe_preferred(names: &AreaNames, own: &[usize]) -> String {
    let each = match own {
        [] => return String::new(),
        [_] => "",
        _ => "each of ",
    };
    format!(
        " But {each}{} counts as -1 on its own node, before the others that were given none, and those of one node take turns there: what the kernel shows does not tell that.",
        names.all(own)
    )
}
