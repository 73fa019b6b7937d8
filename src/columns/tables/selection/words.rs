//! What the table comes to, in words.

use crate::columns::units;
use crate::derive::headroom::Filling;
use crate::derive::selection::traps::{self, Trap};
use crate::derive::selection::{self, Line, Phase, Selection};
use crate::model::kernel::{Allocator, Evidence, Grain, Order};
use crate::model::{Bytes, Name, Reading, Snapshot};

/// Less than this is not worth a figure.
const HARDLY: Bytes = Bytes(1 << 20);
/// More steps than this nobody reads.
const STEPS: usize = 4;

/// By which rules areas are chosen, what happens next, and what does not go as it seems.
/// Of one node, where one is given, and for folios of so many pages.
pub fn words(snapshot: &Snapshot, node: Option<u32>, folio: u64) -> Vec<String> {
    let Reading::Known(singly) = selection::of(snapshot) else { return Vec::new() };
    let Reading::Known(selection) = selection::of_folios(snapshot, folio) else {
        return Vec::new();
    };
    let names = Names::of(snapshot);
    if names.0.is_empty() {
        return Vec::new();
    }
    let is_meant = |line: &&Line| node.is_none() || line.node.is_none() || line.node == node;
    let lines = selection.lines.iter().filter(is_meant);
    let traps = traps::of(snapshot, &singly);
    let next = lines.map(|line| next(snapshot, (&names, &traps), (line, folio)));
    let traps = traps.iter().map(|trap| trapped(&names, trap));
    std::iter::once(rules(snapshot, &selection, folio)).chain(next).chain(traps).collect()
}

/// The areas as they are called: by the last part of their paths, where that is enough.
pub(super) struct Names(Vec<String>);

impl Names {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
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
        Order::ByNode => {
            "Each NUMA node has an order of its own and prefers its own areas among those that were given no priority"
        }
        Order::Alike => "All NUMA nodes have one order",
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
        (Grain::Batch, _) if folio > 1 => "folio by folio".to_owned(),
        (Grain::Batch, _) => "by 64 slots".to_owned(),
        (Grain::Cluster, Some(slots)) => format!("by clusters of {slots} slots"),
        (Grain::Cluster, None) => "by clusters".to_owned(),
    }
}

fn known_by(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Types => "the kernel's type information says so",
        Evidence::Priorities => "the priorities that the kernel shows say so",
        Evidence::Symbols => "the names of the kernel's symbols say so",
        Evidence::Release => {
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
    (names, traps): (&Names, &[Trap]),
    (line, folio): (&Line, u64),
) -> String {
    let scope = scope(snapshot, line.node, folio);
    let amount = |phase: &Phase| {
        let bytes = selection::bytes(snapshot, phase.pages);
        bytes.known().map_or_else(|| format!("{} pages", phase.pages), |b| units::size(*b))
    };
    let step = |(number, phase): (usize, &Phase)| {
        let amount = amount(phase);
        let to = takers(names, line, phase);
        match (number, phase.shares.len()) {
            (0, 1) => format!("the next {amount} go to {to}"),
            (0, _) => format!("the next {amount} are shared by {to}"),
            (_, 1) => format!("then {amount} go to {to}"),
            _ => format!("then {amount} are shared by {to}"),
        }
    };
    if let Some(phase) = line.phases.first().filter(|phase| is_refused(traps, line, phase)) {
        let (amount, to) = (amount(phase), takers(names, line, phase));
        let refused = "which refuses what is beyond its limit: nothing goes further meanwhile";
        return sentence(&format!("{scope}the next {amount} are meant for {to}, {refused}"));
    }
    let all = line.phases.len();
    // One that is left out would take as many words as it has.
    let shown = if all <= STEPS + 1 { all } else { STEPS };
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
fn is_refused(traps: &[Trap], line: &Line, phase: &Phase) -> bool {
    let [(place, _)] = phase.shares.as_slice() else { return false };
    let area = line.places.get(*place).map(|place| place.area);
    let mut refusing = traps.iter().filter(|trap| matches!(trap, Trap::LimitFirst { .. }));
    refusing.any(|trap| trap.areas().first() == area.as_ref())
}

/// Which areas the next pages go to now, and which after a change; nothing where neither is known.
pub fn changed(now: &Snapshot, then: &Snapshot) -> Option<String> {
    let (before, after) = (taken(now)?, taken(then)?);
    if before != after {
        return Some(format!("now {before}; after it {after}"));
    }
    (after != UNKNOWN).then(|| format!("{after}, as now"))
}

const UNKNOWN: &str = "not known";

/// Which areas the next pages go to, on each node where they differ.
fn taken(snapshot: &Snapshot) -> Option<String> {
    let found = selection::of(snapshot).known().cloned()?;
    let names = Names::of(snapshot);
    let of_line = |line: &Line| {
        let on = line.node.map_or_else(String::new, |node| format!("on node {node} "));
        let to = match (line.phases.first(), &line.unknown) {
            (Some(phase), _) => takers(&names, line, phase),
            (None, Some(_)) => UNKNOWN.to_owned(),
            (None, None) => "none".to_owned(),
        };
        on + &to
    };
    let lines: Vec<String> = found.lines.iter().map(of_line).collect();
    Some(lines.join(", "))
}

/// The areas that fill, with their shares where there are several.
fn takers(names: &Names, line: &Line, phase: &Phase) -> String {
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
pub(super) fn short(trap: &Trap) -> &'static str {
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
pub(super) fn trapped(names: &Names, trap: &Trap) -> String {
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
        Trap::LimitFirst { areas, filling, hides } => refusing(&names.all(areas), filling, *hides),
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
            preferred(names, own),
        ),
    }
}

/// What comes of a limit on the memory of zram.
fn refusing(name: &str, filling: &Filling, hides: bool) -> String {
    let free = units::size(filling.space);
    let takes = if filling.takes < HARDLY {
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
fn preferred(names: &Names, own: &[usize]) -> String {
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
