//! Checks of a plan before it is executed: whether it will work, and what can go wrong. Pure: reads
//! a fresh snapshot.

mod areas;
mod candidate;
mod config;
mod drains;
mod format;
mod limits;
mod place;
mod settings;
mod verdict;
pub mod zram;

use super::journal::Record;
use super::plan::{Plan, order};
use super::{Step, shell_quoted, storage};
use crate::model::activation::{Activation, Priority};
use crate::model::candidate::{Candidate, FormatTarget, NewFileTarget};
use crate::model::kernel::{Access, CAP_SYS_ADMIN};
use crate::model::zram::ZramUsers;
use crate::model::{Name, Reading, Snapshot};
pub use areas::{READS, failed_reads_text};
pub(super) use drains::why_kills;
pub use verdict::{Check, CheckVerdict};

/// The name of the check of cgroup limits, and of the risk.
pub const CGROUP: &str = "cgroup";

/// The ID of notes on the next boot.
pub const BOOT: &str = "boot";
/// The ID of notes on what to do next.
pub const NEXT: &str = "next";
/// The check of the privilege to change swap. What it refuses can be done by hand as root.
pub const RIGHTS: &str = "rights";

/// The risk of setting up a loop device at boot.
pub const LOOP: &str = "loop";

/// The risk of setting up a network disk at boot.
pub const NETWORK: &str = "network";

/// The risks that can be accepted by name.
pub const RISKS: [(&str, &str); 13] = [
    (
        "memory",
        "the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed",
    ),
    (CGROUP, "the kernel may kill processes in a cgroup that is at its limit"),
    (
        "reserve",
        "processes may be killed because the kernel keeps too much memory free or protected",
    ),
    ("overcommit", "allocations may fail because too much memory is committed already"),
    (
        "reads",
        "pages that a failing device cannot read are lost, and the kernel kills the processes that use them",
    ),
    ("signature", "the contents of the device or file are overwritten"),
    ("image", "a hibernated system can no longer be resumed"),
    ("space", "the file system of a swap file is left almost full"),
    ("folder", "users other than root could replace the swap file"),
    ("contents", "data on a zram device that is not used as swap is lost"),
    ("limit", "a zram device gets a limit below its present memory use, so writes to it fail"),
    (
        LOOP,
        "a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name",
    ),
    (
        NETWORK,
        "a network disk is not connected yet when swap is enabled at boot: the boot waits for it",
    ),
];

/// Inputs of the checks besides the snapshot.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckInputs<'a> {
    /// Areas to enable.
    pub candidates: &'a [Candidate],
    /// Areas to enable that a captured tree does not contain.
    pub uncaptured: &'a [Candidate],
    /// Devices and files to format.
    pub targets: &'a [FormatTarget],
    /// New backing devices for zram writeback.
    pub backings: &'a [FormatTarget],
    /// Folders where files will be created.
    pub places: &'a [NewFileTarget],
    /// zram devices to be reset.
    pub zram: &'a [ZramUsers],
    /// Areas whose discard option is unknown.
    pub unknown: &'a [Name],
    /// Files that cannot be written, with the reason.
    pub unwritable: &'a [(Name, String)],
    /// Files to be removed that have other hard links, with the number of links.
    pub linked: &'a [(Name, u64)],
    /// Hibernation devices among the areas of the plan, each with whether that is certain.
    pub resume: &'a [(Name, bool)],
    /// Areas of the plan on loop devices with autoclear, each with its backing file.
    pub autoclear: &'a [(Name, Reading<Name>)],
    /// Areas with data that the plan disables, each with the number of its failed reads.
    pub failed_reads: &'a [(Name, u64)],
    /// Is this a captured or simulated machine, on which no plan can be carried out?
    pub captured: bool,
    /// Is this root of a user namespace only?
    pub nested: bool,
    /// Does the plan write only files owned by the calling, unprivileged user?
    pub own: bool,
    /// The accepted risks.
    pub taken: &'a [String],
}

/// All checks of a plan. Accepted risks no longer refuse.
pub fn checks(plan: &Plan, snapshot: &Snapshot, beside: CheckInputs<'_>) -> Vec<Check> {
    let CheckInputs { candidates, targets, backings, places, zram, .. } = beside;
    let CheckInputs { unknown, unwritable, linked, resume, nested, taken, .. } = beside;
    let rights = match () {
        () if beside.own => Check::ok(RIGHTS, "only your own files are changed"),
        () if nested => nested_rights(),
        () => rights(snapshot),
    };
    // Checks that need root to read would only confuse other users.
    let may_look = rights.verdict != CheckVerdict::Refuse;
    let rights = if beside.captured && may_look { shown_only() } else { rights };
    let mut all = vec![rights];
    if may_look {
        all.extend(candidates.iter().filter_map(candidate::linked));
        all.extend(candidates.iter().flat_map(|it| candidate::checks(it, &snapshot.page_size)));
        all.extend(candidate::uncaptured_note(beside.uncaptured));
        all.extend(unknown_discard(plan, unknown, beside.captured));
        all.extend(resume.iter().map(resume_note));
        all.extend(targets.iter().flat_map(|it| format::checks(it, plan)));
        all.extend(backings.iter().flat_map(format::backing));
        all.extend(backings.iter().filter_map(|it| zram::taken_backing(it, snapshot)));
    }
    all.extend(areas::check(plan, snapshot));
    all.extend(areas::autoclear(plan, beside.autoclear));
    all.extend(beside.failed_reads.iter().map(|(path, reads)| areas::failed_reads(path, *reads)));
    all.extend(format::headers(plan, &snapshot.page_size));
    let unwritable = if may_look { unwritable } else { &[] };
    all.extend(settings::checks(plan, snapshot, unwritable));
    all.extend(limits::checks(plan, snapshot));
    all.extend(places.iter().flat_map(place::checks));
    all.extend(linked.iter().map(place::linked_file));
    all.extend(config::still_named(plan, snapshot));
    all.extend(config::differs_at_boot(plan, snapshot, candidates));
    all.extend(zram::checks(plan, snapshot, zram));
    all.extend(zram::unknown_module(plan, snapshot).filter(|_| beside.captured));
    all.extend(drains::checks(plan, snapshot, candidates));
    all.extend(renumbered(plan, snapshot));
    for check in &mut all {
        check.accept(taken);
    }
    all
}

/// Checks of a plan that undoes another one, from the journal instead of the machine.
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
            "{} is created again but stays disabled, because the machine was rebooted since; to enable it: swapadm on {}",
            path.safe(),
            shell_quoted(path)
        );
        Check::note("off", text)
    });
    all.extend(off);
    all
}

/// Why an area cannot be enabled. Checks that need root to read are left out for other users.
pub fn hindrance(candidate: &Candidate, snapshot: &Snapshot) -> Option<String> {
    if rights(snapshot).verdict == CheckVerdict::Refuse {
        return None;
    }
    let all = candidate::checks(candidate, &snapshot.page_size);
    all.into_iter().find(|check| check.verdict == CheckVerdict::Refuse).map(|check| check.text)
}

/// Does any check refuse?
pub fn refuses(checks: &[Check]) -> bool {
    checks.iter().any(|check| check.verdict == CheckVerdict::Refuse)
}

const NOT_ROOT: &str = "changing swap needs root (CAP_SYS_ADMIN): run it with sudo";
const OR_COPY: &str = ", or run the commands below as root";
const STRIPPED: &str = "root lacks CAP_SYS_ADMIN here, as in a container or a restricted service: run swapadm outside, or grant that capability";

/// Checks the privilege to change swap.
pub fn rights(snapshot: &Snapshot) -> Check {
    let access = snapshot.access.reading.as_ref();
    match access.and_then(|access| access.capabilities.clone()) {
        Reading::Known(mask) if mask & CAP_SYS_ADMIN != 0 => {
            Check::ok(RIGHTS, "CAP_SYS_ADMIN is present")
        }
        Reading::Known(_) => {
            let access = snapshot.access.reading.known();
            let is_root = access.is_some_and(Access::is_root_without_sys_admin);
            let text = if is_root { STRIPPED.to_owned() } else { format!("{NOT_ROOT}{OR_COPY}") };
            Check::refuse(RIGHTS, text)
        }
        Reading::Missing { missing } => Check::warn(
            RIGHTS,
            format!("cannot tell whether changing swap is permitted: {}", missing.why()),
        ),
    }
}

/// Removes the advice to copy commands, where none are printed.
pub fn without_commands(check: Check) -> Check {
    let text = check.text.strip_suffix(OR_COPY).map(str::to_owned);
    Check { text: text.unwrap_or(check.text), ..check }
}

/// The note in place of rights, which the reader of a capture may not have on that machine.
fn shown_only() -> Check {
    let text = "not this machine: the plan is only shown, and permissions are not checked";
    Check::note(RIGHTS, text)
}

fn nested_rights() -> Check {
    Check::refuse(
        RIGHTS,
        "this is root of a user namespace only, as in a container: swap belongs to the whole machine, so run swapadm as root of the host",
    )
}

fn resume_note((path, is_certain): &(Name, bool)) -> Check {
    let is = if *is_certain { "is" } else { "may be" };
    let text = format!(
        "{} {is} the hibernation device of this machine (/sys/power/resume): without it, hibernation fails",
        path.safe()
    );
    Check::warn("resume", text)
}

/// The effect on the order of areas with default priorities: of those that the plan leaves enabled, and gives no
/// other priority.
fn renumbered(plan: &Plan, snapshot: &Snapshot) -> Option<Check> {
    let numbered = order::default_order(snapshot.swaps.reading.known()?);
    let is_default = |area: &Activation| area.priority == Priority::Default;
    let last = |path: &Name| {
        plan.steps.iter().rev().find(|step| step.is_of_areas() && step.subject() == path)
    };
    let keeps_number = |path: &Name| last(path).and_then(Step::enabled_area).is_none_or(is_default);
    let stays =
        |path: &Name| last(path).is_none_or(|step| step.enabled_area().is_some_and(is_default));
    let moves_others = |step: &&Step| {
        let place = numbered.iter().position(|path| path == step.subject());
        let after = place.and_then(|place| numbered.get(place + 1..)).unwrap_or_default();
        keeps_number(step.subject()) && after.iter().any(stays)
    };
    let step =
        plan.steps.iter().filter(|step| step.disabled_area().is_some()).find(moves_others)?;
    let text = format!(
        "this kernel fills areas with default priorities in the order they were enabled: {} comes last when it is enabled again, and those after it move up",
        step.subject().safe()
    );
    Some(Check::note("renumbered", text))
}

/// Warns of discard options that would be lost.
fn unknown_discard(plan: &Plan, unknown: &[Name], captured: bool) -> Option<Check> {
    let lost = plan.reenabled_areas().filter(|path| unknown.contains(path)).cloned();
    let lost: Vec<Name> = lost.collect();
    let enabled = |path: &Name| {
        plan.steps.iter().filter_map(Step::enabled_area).find(|area| area.path == *path)
    };
    let (area, priority) = match lost.first().filter(|_| lost.len() == 1).and_then(enabled) {
        Some(only) => (shell_quoted(&only.path), only.priority.to_string()),
        None => ("AREA".to_owned(), "N".to_owned()),
    };
    let names = candidate::join_names(&lost);
    let why = if captured { "is not here" } else { "no longer says so" };
    let text = format!(
        "{names}: unknown whether discard is enabled, because the kernel log {why}. The plan enables areas without it; if you want discard, run afterwards: swapadm off {area}, then swapadm on --discard --priority {priority} {area}"
    );
    (!lost.is_empty()).then(|| Check::warn("discard", text))
}

#[cfg(test)]
mod tests;
