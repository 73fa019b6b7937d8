//! Plans that move pages by hand: a process back to memory, cold memory of a cgroup out to swap.

use super::draft::PlanDraft;
use super::{ChangeAttempt, ChangeError, ObservedMachine};
use crate::actions::check::{Check, CheckVerdict};
use crate::actions::plan::Plan;
use crate::actions::{FROM_ZSWAP, RECLAIM, Step, shell_quoted};
use crate::columns::units::size;
use crate::derive::drain;
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion, Limit, Process};
use crate::model::{Bytes, Name, Reading};
use crate::probes;
use crate::root::Root;
use crate::sys::SWAP_IN;

/// The count of `memory.stat` for zswap that was written back on request.
const ASKED_OF_ZSWAP: &str = "zswpwb_proactive_b";
/// The name of the checks for room, which cannot be forced.
const ROOM: &str = "room";

/// The source of the pages that `cgroup reclaim` frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReclaimSource {
    /// Cold pages, to swap or to their files.
    Memory,
    /// Pages of the zswap pool, to the areas behind it.
    Zswap,
}

/// Plans to bring the private pages of a process back to memory.
pub(super) fn swap_in(machine: &ObservedMachine<'_>, pid: u32) -> ChangeAttempt<PlanDraft> {
    let process = probes::process::read_status(machine.root, pid).into_result().map_err(|why| {
        ChangeError::Usage(format!("process {pid} cannot be read: {}", why.why()))
    })?;
    let name = format!("process {pid} ({})", process.comm.safe());
    let swapped = match process.swap.get() {
        Ok(swap) if swap.0 > 0 => *swap,
        Ok(_) => {
            let title = format!("bring {name} back: it has no private pages in swap");
            return Ok(PlanDraft::from_plan(Plan::without_steps(title)));
        }
        Err(missing) => return Err(ChangeError::Usage(format!("{name}: {}", missing.why()))),
    };
    let what = format!("bring {} of {name} back to memory", size(swapped));
    let file = Name::from(format!("/{}/mem", process.memory_folder()).as_str());
    let step = Step::Order { what: what.clone(), file, word: SWAP_IN.to_owned() };
    let plan = Plan::on_areas(machine.areas()?, what, vec![step]);
    let notes = std::iter::once(fits_in_memory(machine, swapped))
        .chain(fits_in_cgroups(machine, &process, swapped))
        .chain([Check::note(
            "shared",
            "only private pages come back; shared memory in swap stays there until it is used",
        )]);
    let notes = notes.collect();
    Ok(PlanDraft { notes, ..PlanDraft::from_plan(plan) })
}

fn fits_in_memory(machine: &ObservedMachine<'_>, swapped: Bytes) -> Check {
    let snapshot = &machine.snapshot;
    let both = snapshot.memory("MemAvailable").map2(drain::reserve(snapshot), |a, b| (a, b));
    let (verdict, text) = match both.get() {
        Ok((available, reserve)) if swapped.0.saturating_add(reserve.0) <= available.0 => {
            let text =
                format!("{} return to {} of available memory", size(swapped), size(*available));
            (CheckVerdict::Ok, text)
        }
        Ok((available, reserve)) => (
            CheckVerdict::Refuse,
            format!(
                "{} would return, and only {} are available, of which {} stay in reserve: free memory first",
                size(swapped),
                size(*available),
                size(*reserve)
            ),
        ),
        Err(missing) => {
            (CheckVerdict::Refuse, format!("available memory is unknown: {}", missing.why()))
        }
    };
    Check::new(ROOM, verdict, text)
}

/// The cgroups above a process whose limit leaves no room.
fn fits_in_cgroups(machine: &ObservedMachine<'_>, process: &Process, swapped: Bytes) -> Vec<Check> {
    let unknown =
        |why: String| vec![Check::warn(ROOM, format!("limits of its cgroup are unknown: {why}"))];
    let tree = match machine.snapshot.cgroups.reading.get() {
        Ok(tree) => tree,
        Err(missing) => return unknown(missing.why()),
    };
    let own = match process.cgroup.get() {
        Ok(own) => own,
        Err(missing) => return unknown(missing.why()),
    };
    let is_above = |group: &&Cgroup| own.as_path().starts_with(group.path.as_path());
    let above = tree.groups.iter().map(|group| &**group).filter(is_above);
    let check = |group: &Cgroup| {
        let unread = || Some(unknown(drain::unknown_room(group, swapped)?.why()));
        without_room(group, tree.version, swapped).map(|refusal| vec![refusal]).or_else(unread)
    };
    above.filter_map(check).flatten().collect()
}

/// Refuses what the limit has no room for. Above memory.high a cgroup is only slowed down, and the kernel
/// drops file pages first.
fn without_room(group: &Cgroup, version: CgroupVersion, swapped: Bytes) -> Option<Check> {
    // Where the kernel does not count the swap of cgroups, all of it can be of this one.
    let back = group.swap_current.known().map_or(swapped, |own| swapped.min(*own));
    let over = drain::excess(group, back)?;
    let (Limit::Bytes(limit), memory) = (group.memory_max.known()?, group.memory_current.known()?)
    else {
        return None;
    };
    let room = swapped.saturating_sub(over);
    let knob = match version {
        CgroupVersion::V1 => "memory.limit_in_bytes",
        CgroupVersion::V2 => "memory.max",
    };
    let more = memory.saturating_add(swapped).exact();
    let text = format!(
        "{} would return to cgroup {}, whose limit of {} leaves room for {}. Raise it first: swapadm set --cgroup {} {knob} {more}",
        size(swapped),
        group.path.safe(),
        size(*limit),
        size(room),
        shell_quoted(&group.path)
    );
    Some(Check::refuse(ROOM, text))
}

/// Plans to reclaim memory of a cgroup.
pub(super) fn reclaim(
    machine: &ObservedMachine<'_>,
    path: &Name,
    wanted: Bytes,
    source: ReclaimSource,
) -> ChangeAttempt<PlanDraft> {
    let tree = machine.snapshot.cgroups.reading.get()?;
    let group = tree.group(path).ok_or_else(|| {
        ChangeError::Usage(format!("no cgroup \"{}\"; to list them: swapadm cgroups", path.safe()))
    })?;
    let file = reclaim_file(machine.root, tree, path)?;
    let (what, word) = match source {
        ReclaimSource::Memory => {
            (format!("reclaim {} of cgroup {}", size(wanted), path.safe()), wanted.0.to_string())
        }
        ReclaimSource::Zswap => {
            check_zswap_can_be_asked(group)?;
            let what = format!("write {} of cgroup {} from zswap", size(wanted), path.safe());
            (what, format!("{}{FROM_ZSWAP}", wanted.0))
        }
    };
    let step = Step::Order { what: what.clone(), file, word };
    let plan = Plan::on_areas(machine.areas()?, what, vec![step]);
    let notes = match source {
        ReclaimSource::Memory => reclaim_notes(machine, group, wanted),
        ReclaimSource::Zswap => {
            less_than_wanted(&group.zswap_current, wanted).into_iter().collect()
        }
    };
    Ok(PlanDraft { notes, ..PlanDraft::from_plan(plan) })
}

/// A kernel that can write zswap back on request also counts what it wrote.
fn check_zswap_can_be_asked(group: &Cgroup) -> ChangeAttempt<()> {
    let written = group.stat.as_ref().and_then(|stat| stat.get(ASKED_OF_ZSWAP));
    match written {
        Reading::Known(_) => Ok(()),
        Reading::Missing { .. } => Err(ChangeError::Refused(format!(
            "this kernel does not write zswap back on request: memory.stat has no {ASKED_OF_ZSWAP}, and no release has it yet. Leave out --source"
        ))),
    }
}

fn reclaim_file(root: &Root, tree: &CgroupTree, path: &Name) -> ChangeAttempt<Name> {
    if tree.version == CgroupVersion::V1 {
        return Err(ChangeError::Refused(
            "cgroup version 1 cannot reclaim a part of a cgroup: memory.reclaim is of version 2, and memory.force_empty empties all of it. Lower memory.limit_in_bytes instead".to_owned(),
        ));
    }
    let below = path.as_bytes().strip_suffix(b"/").unwrap_or(path.as_bytes());
    let file = Name::new([tree.mount.as_bytes(), below, b"/", RECLAIM.as_bytes()].concat());
    let seen = file.as_path().strip_prefix("/").unwrap_or(file.as_path());
    // A captured tree has no files that can only be written.
    if root.is_live() && !root.exists(seen) {
        return Err(ChangeError::Refused(format!(
            "{} does not exist: it came with Linux 5.19",
            file.safe()
        )));
    }
    Ok(file)
}

fn reclaim_notes(machine: &ObservedMachine<'_>, group: &Cgroup, wanted: Bytes) -> Vec<Check> {
    let mut notes = Vec::from_iter(less_than_wanted(&group.memory_current, wanted));
    let free = machine.snapshot.memory("SwapFree");
    if free == Reading::Known(Bytes(0)) {
        let text = "no swap is free: only file cache can be reclaimed";
        notes.push(Check::warn("swap", text));
    }
    let text = "pages that are needed soon come back, and the processes wait for them meanwhile";
    notes.push(Check::note("cold", text));
    notes
}

fn less_than_wanted(used: &Reading<Bytes>, wanted: Bytes) -> Option<Check> {
    let used = used.known().filter(|used| wanted > **used)?;
    let text = format!("the cgroup uses only {}: less will be reclaimed", size(*used));
    Some(Check::warn("less", text))
}

/// The process or cgroup whose pages a plan moves.
#[derive(Clone, Copy, Debug)]
pub(super) enum MovedSubject<'a> {
    Process(u32),
    Cgroup(&'a Name),
}

/// Memory and swap of what a plan moves.
#[derive(Debug)]
pub(super) struct Moved {
    memory: Reading<Bytes>,
    swap: Reading<Bytes>,
}

impl Moved {
    /// Reads the figures of a process or cgroup.
    pub(super) fn read(root: &Root, moved: &MovedSubject<'_>) -> Option<Self> {
        match moved {
            MovedSubject::Process(pid) => {
                let process = probes::process::read_status(root, *pid).into_result().ok()?;
                Some(Self { memory: process.rss, swap: process.swap })
            }
            MovedSubject::Cgroup(path) => {
                let tree = probes::cgroup::read(root).into_result().ok()?;
                let group = tree.group(path)?;
                let (memory, swap) = (group.memory_current.clone(), group.swap_current.clone());
                Some(Self { memory, swap })
            }
        }
    }

    /// The change from these figures to later ones, in a sentence.
    pub(super) fn to(&self, after: &Self) -> String {
        let text = |reading: &Reading<Bytes>| {
            reading.known().map_or_else(|| "-".to_owned(), |it| size(*it))
        };
        let change = |name, before, after| format!("{name} {} -> {}", text(before), text(after));
        let memory = change("Memory", &self.memory, &after.memory);
        let swap = change("swap", &self.swap, &after.swap);
        format!("{memory}, {swap}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::users::testing::unknown;

    #[test]
    fn only_the_hard_limit_refuses_and_file_pages_make_room() {
        let group = |files: u64, high: Limit| {
            let stat = [("inactive_file", files), ("active_file", 0)];
            let stat = stat.map(|(name, bytes)| (name.into(), bytes)).to_vec();
            Cgroup {
                memory_current: Reading::Known(Bytes(100)),
                memory_max: Reading::Known(Limit::Bytes(Bytes(120))),
                memory_high: Reading::Known(high),
                swap_current: Reading::Known(Bytes(50)),
                stat: Reading::Known(Counters::new("/cg/memory.stat", stat)),
                ..unknown("/a")
            }
        };
        let refused = |group: &Cgroup| without_room(group, CgroupVersion::V2, Bytes(50));
        assert!(refused(&group(0, Limit::Unlimited)).unwrap().text.contains("room for 20B"));
        assert_eq!(refused(&group(90, Limit::Unlimited)), None);
        assert_eq!(refused(&group(90, Limit::Bytes(Bytes(10)))), None);
        let uncounted =
            Cgroup { swap_current: Reading::absent("swapaccount=0"), ..group(0, Limit::Unlimited) };
        assert!(refused(&uncounted).is_some());
    }
}
