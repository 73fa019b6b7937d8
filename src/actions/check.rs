//! Before a plan is carried out: will it do what is wanted, and what can go wrong? Pure: it sees a
//! snapshot that was just taken.

mod areas;
mod candidate;
mod config;
mod format;
mod place;
mod settings;
mod verdict;
pub mod zram;

pub use verdict::{Check, CheckVerdict};

use super::journal::Record;
use super::plan::{Plan, order};
use super::{Step, shell_quoted, storage};
use crate::columns::units::{self, size};
use crate::derive::drain::{self, Drain, DrainTarget, OverLimit, CommitAccounting};
use crate::model::candidate::{Candidate, NewFileTarget, FormatTarget};
use crate::model::kernel::{Access, CAP_SYS_ADMIN};
use crate::model::users::Cgroup;
use crate::model::zram::ZramUsers;
use crate::model::{Bytes, Name, Policy, Reading, Snapshot};

/// More than this of the room that there is makes it tight.
const TIGHT: f64 = 0.8;

/// The risks that can be taken by name.
pub const RISKS: [(&str, &str); 10] = [
    (
        "memory",
        "what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same",
    ),
    ("cgroup", "a control group at its limit may have to kill one of its processes"),
    ("reserve", "so much memory is set aside that processes may be killed for it"),
    ("promises", "processes may get no more memory, as too much is promised already"),
    ("signature", "what is on the device or in the file is overwritten"),
    ("image", "a machine that sleeps cannot be woken any more"),
    ("space", "the file system of a swap file is left with hardly any room"),
    ("folder", "others than root could put another file in the place of a swap file"),
    ("contents", "what is on a zram device is lost, though it is not swap"),
    ("limit", "a zram device may take less memory than it takes now, and fails to store more"),
];

/// What the checks need beside the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckInputs<'a> {
    /// What is to be put on.
    pub candidates: &'a [Candidate],
    /// What is to be formatted.
    pub targets: &'a [FormatTarget],
    /// The devices to which zram is to write pages back from now on.
    pub backings: &'a [FormatTarget],
    /// Where files are to be made.
    pub places: &'a [NewFileTarget],
    /// The zram devices that are to be reset.
    pub zram: &'a [ZramUsers],
    /// Areas of which nobody knows any more how they discard.
    pub unknown: &'a [Name],
    /// Files that nobody can write, with the reason.
    pub unwritable: &'a [(Name, String)],
    /// Files that are removed and have other names, with the number of all.
    pub linked: &'a [(Name, u64)],
    /// Those among them where a machine that is about to sleep saves its memory.
    pub resume: &'a [Name],
    /// Areas of the plan on loop devices with autoclear, each with the file of its device.
    pub autoclear: &'a [(Name, Reading<Name>)],
    /// Are we root of a user namespace only?
    pub nested: bool,
    /// Does the plan write only files that the asking user, who has no rights on swap, owns?
    pub own: bool,
    /// The risks that are taken.
    pub taken: &'a [String],
}

/// All that is to be said of a plan, on a machine that looks like this, with what is to be
/// switched on. Risks that are taken by name refuse nothing any more.
pub fn checks(plan: &Plan, snapshot: &Snapshot, beside: CheckInputs<'_>) -> Vec<Check> {
    let CheckInputs { candidates, targets, backings, places, zram, .. } = beside;
    let CheckInputs { unknown, unwritable, linked, resume, nested, taken, .. } = beside;
    let rights = match () {
        () if beside.own => Check::new("rights", CheckVerdict::Ok, "only your own files are written"),
        () if nested => nested_rights(),
        () => rights(snapshot),
    };
    // What only root can read is not worth a word to others.
    let may_look = rights.verdict != CheckVerdict::Refuse;
    let mut all = vec![rights];
    if may_look {
        all.extend(candidates.iter().flat_map(|it| candidate::checks(it, &snapshot.page_size)));
        all.extend(unknown_discard(plan, unknown));
        all.extend(resume.iter().map(resume_note));
        all.extend(targets.iter().flat_map(format::checks));
        all.extend(backings.iter().flat_map(format::backing));
    }
    all.extend(areas::check(plan, snapshot));
    all.extend(areas::autoclear(plan, beside.autoclear));
    all.extend(format::headers(plan, &snapshot.page_size));
    let unwritable = if may_look { unwritable } else { &[] };
    all.extend(settings::checks(plan, snapshot, unwritable));
    all.extend(places.iter().flat_map(place::checks));
    all.extend(linked.iter().map(place::linked_file));
    all.extend(config::still_named(plan, snapshot));
    all.extend(config::differs_at_boot(plan, snapshot, candidates));
    all.extend(zram::checks(plan, snapshot, zram));
    let drains = drains_of_plan(plan, snapshot);
    all.extend(drains.iter().map(fits_in_memory));
    if drains.iter().any(|(_, drain)| drain.known().is_none_or(|drain| drain.moves > Bytes(0))) {
        all.extend(cgroup_checks(snapshot, &drains));
        all.extend(pressure(snapshot));
    }
    all.extend(commitments(plan, snapshot));
    all.extend(renumbered(plan, snapshot));
    for check in &mut all {
        check.accept(taken);
    }
    all
}

/// What is to be said of a plan that takes back one of these: what the machine does not show, and
/// only its past tells.
pub fn refusals_of(
    plan: &Plan,
    undone: &Record,
    (records, boot): (&[Record], &str),
    taken: &[String],
) -> Vec<Check> {
    let was_on = |path: &Name| {
        let known = storage::was_enabled_since(records, undone.plan, path);
        (known || undone.boot == boot).then_some(known)
    };
    let of_step = |step: &Step| format::old_content_check(step, was_on(step.subject()));
    let mut all: Vec<Check> = plan.steps.iter().filter_map(of_step).collect();
    for check in &mut all {
        check.accept(taken);
    }
    let off = storage::areas_left_disabled(plan, undone).into_iter().map(|path| {
        let text = format!(
            "{} is made again, but stays off: what was on before the machine was started again is not known to belong on now; swapadm on {} switches it on",
            path.safe(),
            shell_quoted(path)
        );
        Check::new("off", CheckVerdict::Note, text)
    });
    all.extend(off);
    all
}

/// What refuses an area that is to be switched on. What only root can read is not worth a word to
/// others.
pub fn hindrance(candidate: &Candidate, snapshot: &Snapshot) -> Option<String> {
    if rights(snapshot).verdict == CheckVerdict::Refuse {
        return None;
    }
    let all = candidate::checks(candidate, &snapshot.page_size);
    all.into_iter().find(|check| check.verdict == CheckVerdict::Refuse).map(|check| check.text)
}

/// Does one of them refuse?
pub fn refuses(checks: &[Check]) -> bool {
    checks.iter().any(|check| check.verdict == CheckVerdict::Refuse)
}

const NOT_ROOT: &str = "only root may change swap (CAP_SYS_ADMIN): run it with sudo";
const OR_COPY: &str = ", or copy the commands";
const STRIPPED: &str = "this root lacks CAP_SYS_ADMIN, as in a container or a service that gave it up: run it outside, or give it that capability there";

/// May we change swap at all?
pub fn rights(snapshot: &Snapshot) -> Check {
    let access = snapshot.access.reading.as_ref();
    match access.and_then(|access| access.capabilities.clone()) {
        Reading::Known(mask) if mask & CAP_SYS_ADMIN != 0 => {
            Check::new("rights", CheckVerdict::Ok, "the right to administer swap is there")
        }
        Reading::Known(_) => {
            let access = snapshot.access.reading.known();
            let is_root = access.is_some_and(Access::is_root_without_sys_admin);
            let text = if is_root { STRIPPED.to_owned() } else { format!("{NOT_ROOT}{OR_COPY}") };
            Check::new("rights", CheckVerdict::Refuse, text)
        }
        Reading::Missing { missing } => Check::new(
            "rights",
            CheckVerdict::Warn,
            format!("whether we may change swap is not known: {}", missing.why()),
        ),
    }
}

/// The same check where no commands are printed that could be copied.
pub fn without_commands(check: Check) -> Check {
    let text = check.text.strip_suffix(OR_COPY).map(str::to_owned);
    Check { text: text.unwrap_or(check.text), ..check }
}

fn nested_rights() -> Check {
    Check::new(
        "rights",
        CheckVerdict::Refuse,
        "we are root of a user namespace only, as in a container: swap belongs to the whole machine, and only its own root may change it",
    )
}

fn resume_note(path: &Name) -> Check {
    let text = format!(
        "{} is where this machine saves its memory when it hibernates (/sys/power/resume): without it, it cannot",
        path.safe()
    );
    Check::new("resume", CheckVerdict::Warn, text)
}

/// The areas that are drained, with what is to be moved.
fn drains_of_plan<'a>(plan: &'a Plan, snapshot: &Snapshot) -> Vec<(&'a Step, Reading<Drain>)> {
    let steps: Vec<&Step> = plan.steps.iter().filter(|step| step.disabled_area().is_some()).collect();
    let leaves =
        |step: &&'a Step| DrainTarget { path: step.subject(), comes_back: step.enabled_area().is_some() };
    let leaving: Vec<DrainTarget<'_>> = steps.iter().map(leaves).collect();
    match drain::drains(snapshot, &leaving) {
        Reading::Known(drains) => {
            steps.into_iter().zip(drains.into_iter().map(Reading::Known)).collect()
        }
        Reading::Missing { missing } => {
            steps.into_iter().map(|step| (step, missing.clone().into())).collect()
        }
    }
}

/// Does what is on an area fit elsewhere?
fn fits_in_memory((step, drain): &(&Step, Reading<Drain>)) -> Check {
    let name = step.subject().safe();
    let drain = match drain {
        Reading::Known(drain) => drain,
        Reading::Missing { missing } => {
            let why = missing.why();
            let text = format!(
                "{name}: whether what is on it fits elsewhere is not known: {why}; take the risk with --force memory"
            );
            return Check::new("memory", CheckVerdict::Refuse, text);
        }
    };
    let (moves, memory) = (size(drain.moves), size(drain.memory));
    let others = size(drain.elsewhere);
    let room = format!("{memory} of memory and {others} beyond it on other areas");
    if !drain.fits() {
        let lacks = size(drain.moves.saturating_sub(drain.room()));
        let text = format!(
            "{name}: the {moves} on it do not fit into {room}: {lacks} are missing; add swap elsewhere, end what uses it, or take the risk with --force memory"
        );
        return Check::new("memory", CheckVerdict::Refuse, text);
    }
    let tight = drain.moves.0 as f64 > drain.room().0 as f64 * TIGHT;
    let verdict = if tight { CheckVerdict::Warn } else { CheckVerdict::Ok };
    let words = if tight { "fit just so into" } else { "fit into" };
    Check::new("memory", verdict, format!("{name}: the {moves} on it {words} {room}"))
}

/// Groups whose limit does not leave room for what comes back to them.
fn cgroup_checks(snapshot: &Snapshot, drains: &[(&Step, Reading<Drain>)]) -> Vec<Check> {
    let known = || drains.iter().filter_map(|(step, drain)| Some((*step, drain.known()?)));
    let moves = largest_concurrent_move(known());
    let drains: Vec<Drain> = known().map(|(_, drain)| *drain).collect();
    let over = drain::over_limits(snapshot, &drains, moves);
    let Some(OverLimit { groups, goes_on }) = over.known() else { return Vec::new() };
    let check = |(group, over): &(&Cgroup, Bytes)| {
        let (name, over) = (group.path.safe(), size(*over));
        let back =
            format!("control group {name} gets up to {over} more back than its limit lets it keep");
        if *goes_on {
            let text = format!("{back}, which goes to the other areas");
            return Check::new("cgroup", CheckVerdict::Note, text);
        }
        let text = format!(
            "{back}: the kernel may kill processes there; raise its limit, add swap elsewhere, or take the risk with --force cgroup"
        );
        Check::new("cgroup", CheckVerdict::Refuse, text)
    };
    groups.iter().map(check).collect()
}

/// What is in memory at one time, at most: all that is switched off, and what is renewed one by one.
fn largest_concurrent_move<'d>(drains: impl Iterator<Item = (&'d Step, &'d Drain)>) -> Bytes {
    let (mut off, mut renewed) = (Bytes(0), Bytes(0));
    for (step, drain) in drains {
        if step.enabled_area().is_some() {
            renewed = renewed.max(drain.moves);
        } else {
            off = off.saturating_add(drain.moves);
        }
    }
    off.saturating_add(renewed)
}

/// With strict accounting the kernel takes no area off that promises need.
fn commitments(plan: &Plan, snapshot: &Snapshot) -> Vec<Check> {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let Some(CommitAccounting { promised, limit }) = drain::strict_commit(snapshot) else { return Vec::new() };
    let taken = plan.steps.iter().filter(|step| step.disabled_area().is_some());
    // What has gone before counts no more.
    let mut limit_then = limit;
    let sizes = taken.filter_map(|step| {
        let area = areas.iter().find(|area| area.path == *step.subject())?;
        let refused = CommitAccounting { promised, limit: limit_then }.needs_area_of(area.size);
        if step.enabled_area().is_none() {
            limit_then = limit_then.saturating_sub(area.size);
        }
        refused.then_some(step.subject().safe())
    });
    let check = |name: String| {
        let text = format!(
            "{name}: overcommit_memory is 2, and {} of the {} that may be promised are: the kernel does not let it go; raise overcommit_ratio or add swap first, end what asked for so much, or take the risk with --force promises",
            size(promised),
            size(limit)
        );
        Check::new("promises", CheckVerdict::Refuse, text)
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
        "all tasks waited for memory in {} of the last 10 s: this makes it worse for as long as it lasts",
        units::percent(full)
    );
    Some(Check::new("pressure", CheckVerdict::Warn, text))
}

/// What the kernel does to the order of the areas that it numbers itself.
fn renumbered(plan: &Plan, snapshot: &Snapshot) -> Option<Check> {
    let numbered = order::default_order(snapshot.swaps.reading.known()?);
    let is_numbered = |step: &&Step| numbered.contains(step.subject());
    let step = plan.steps.iter().filter(|step| step.disabled_area().is_some()).find(is_numbered)?;
    if numbered.last() == Some(step.subject()) {
        return None;
    }
    let text = format!(
        "this kernel takes areas with default priorities in the order in which they were switched on: {} leaves its place, and those behind it move up by one",
        step.subject().safe()
    );
    Some(Check::new("renumbered", CheckVerdict::Note, text))
}

/// An option that would get lost.
fn unknown_discard(plan: &Plan, unknown: &[Name]) -> Vec<Check> {
    let lost = plan.comes_back().filter(|path| unknown.contains(path)).map(|path| {
        let name = path.safe();
        let text = format!(
            "{name}: whether it was switched on with discard is not known any more, as the kernel's log has lost it: it comes back without"
        );
        Check::new("discard", CheckVerdict::Warn, text)
    });
    lost.collect()
}

#[cfg(test)]
mod tests;
