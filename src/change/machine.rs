//! The machine as observed for a plan and its checks.

use super::{ChangeAttempt, ChangeTarget};
use crate::actions::check::{self, Check, CheckInputs, RIGHTS};
use crate::actions::plan::{self, Plan};
use crate::actions::{MachineView as _, Step, storage};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::candidate::{Candidate, FormatTarget, NewFileTarget};
use crate::model::format::{PAGES, Patch};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::zram::ZramUsers;
use crate::model::{Bytes, Name, PartSet, Reading, Snapshot, part_set};
use crate::probes::{self, block, candidate, hibernation, kmsg, layout, mounts, target};
use crate::root::Root;
use crate::sys;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Parts read before a change.
pub(super) const FULL_PARTS: PartSet = part_set![
    Kernel,
    Swaps,
    Headers,
    Meminfo,
    Psi,
    Block,
    Zram,
    Cgroups,
    Config,
    Knobs,
    Numa,
    Vmstat,
    Thp,
    Zswap,
    Processes,
    ProcessDetail
];

/// Parts read where nothing is moved.
const SETTINGS_PARTS: PartSet = part_set![Kernel, Swaps, Meminfo, Config, Knobs, Cgroups];

/// Parts read where areas are only enabled.
const ENABLE_PARTS: PartSet = part_set![Kernel, Swaps, Config];

/// The machine as observed for a plan.
#[derive(Debug)]
pub struct ObservedMachine<'a> {
    /// The machine.
    pub target: ChangeTarget<'a>,
    /// Root of the machine; that of a simulated one leads to no file.
    pub root: &'a Root,
    /// Snapshot of the machine.
    pub snapshot: Snapshot,
    /// Parts in the snapshot.
    pub(super) parts: PartSet,
    /// Discard options of the areas, read on first use.
    discards: OnceCell<Vec<Reading<Discard>>>,
}

impl<'a> ObservedMachine<'a> {
    /// Observes everything that a change may need.
    pub fn observe(target: impl Into<ChangeTarget<'a>>) -> Self {
        Self::observe_parts(target, FULL_PARTS)
    }

    /// Observes what matters where areas are only enabled.
    pub fn observe_for_enable(target: impl Into<ChangeTarget<'a>>) -> Self {
        Self::observe_parts(target, ENABLE_PARTS)
    }

    /// Observes what matters where nothing is moved: when settings change.
    pub fn observe_for_settings(target: impl Into<ChangeTarget<'a>>) -> Self {
        Self::observe_parts(target, SETTINGS_PARTS)
    }

    /// Observes these parts.
    pub(crate) fn observe_parts(target: impl Into<ChangeTarget<'a>>, parts: PartSet) -> Self {
        let target = target.into();
        let (root, snapshot) = (target.root(), target.sample(parts));
        Self { target, root, snapshot, parts, discards: OnceCell::new() }
    }

    /// The active areas.
    pub fn areas(&self) -> ChangeAttempt<&[SwapArea]> {
        Ok(self.snapshot.swaps.reading.get()?)
    }

    /// As zram takes a size or limit: the kernel rounds up to whole pages.
    pub(super) fn whole_pages(&self, bytes: Bytes) -> ChangeAttempt<Bytes> {
        let page = *self.snapshot.page_size.get()?;
        Ok(Bytes(bytes.0.div_ceil(page).saturating_mul(page)))
    }

    /// The size of an active swap file as its header says it. The kernel cannot use all pages of a fragmented file,
    /// so the size of the area can be smaller.
    pub(super) fn swap_file_size(&self, area: &SwapArea) -> ChangeAttempt<Bytes> {
        let page = *self.snapshot.page_size.get()?;
        let least = area.size.saturating_add(Bytes(page));
        let is_there = area.kind == AreaKind::File && !area.deleted;
        let spec = is_there.then(|| self.candidate(&area.path).swap_file_spec()).flatten();
        Ok(spec.map_or(least, |spec| spec.format.size().max(least)))
    }

    /// The discard option of each area. An option missing from the kernel log counts as none, with
    /// a warning by a check.
    pub fn discards(&self) -> ChangeAttempt<impl Fn(&SwapArea) -> Discard + '_> {
        self.areas()?;
        Ok(|area: &SwapArea| self.known_discard(area).unwrap_or(Discard::None))
    }

    /// How the area of this path is active, if it is.
    pub(super) fn activation(&self, path: &Name) -> ChangeAttempt<Option<Activation>> {
        let area = self.areas()?.iter().find(|area| area.path == *path);
        Ok(area.map(|area| Activation {
            path: path.clone(),
            priority: Priority::from_shown(area.priority),
            discard: self.known_discard(area).unwrap_or(Discard::None),
        }))
    }

    /// The discard option of an area, if the kernel log still has it.
    pub fn known_discard(&self, area: &SwapArea) -> Option<Discard> {
        let areas = self.snapshot.swaps.reading.known()?;
        let place = areas.iter().position(|other| other.path == area.path)?;
        self.known_discards().get(place)?.known().copied()
    }

    /// Discard options from the kernel log, read on first use: the log is long, and most plans do
    /// not need it.
    fn known_discards(&self) -> &[Reading<Discard>] {
        let areas = self.snapshot.areas();
        self.discards.get_or_init(|| match self.target {
            ChangeTarget::Files(root) => kmsg::discards(root, areas),
            ChangeTarget::Simulated(machine) => {
                areas.iter().map(|area| machine.discard(area)).collect()
            }
        })
    }

    /// The areas of a plan whose discard option is unknown, and whose devices may have one.
    fn areas_with_unknown_discard(&self, plan: &Plan) -> Vec<Name> {
        if plan.reenabled_areas().next().is_none() {
            return Vec::new();
        }
        let blocks = self.snapshot.block.reading.known();
        let cannot_discard = |place: &usize| {
            let block = blocks.and_then(|blocks| blocks.get(*place)?.known());
            block.is_some_and(|block| block.discard_max.known() == Some(&Bytes(0)))
        };
        let pairs = (0..).zip(self.snapshot.areas().iter().zip(self.known_discards()));
        let unknown = pairs
            .filter(|(place, (_, discard))| discard.known().is_none() && !cannot_discard(place));
        unknown.map(|(_, (area, _))| area.path.clone()).collect()
    }

    /// Why an area cannot be enabled; `None` if nothing prevents it, or if this process may not
    /// change swap.
    pub fn hindrance(&self, path: &Name) -> Option<String> {
        if is_nested(self.root) {
            return None;
        }
        check::hindrance(&self.candidate(path), &self.snapshot)
    }

    /// The device or file to enable.
    pub(super) fn candidate(&self, path: &Name) -> Candidate {
        match self.target {
            ChangeTarget::Files(root) => candidate::read(root, path),
            ChangeTarget::Simulated(machine) => machine.candidate(path),
        }
    }

    /// The numbers of new zram devices, one after the other: the kernel takes the lowest free
    /// number. The error says why this kernel cannot add devices.
    pub fn free_zram_numbers(&self) -> Result<impl Iterator<Item = u64> + '_, String> {
        // A captured tree does not contain the files that create devices.
        let is_capture = !self.root.is_live();
        if !is_capture && !self.root.exists("sys/class/zram-control") {
            return Err("zram is missing, or its module is not loaded (no /sys/class/zram-control): run modprobe zram num_devices=0".to_owned());
        }
        if !is_capture && !self.root.exists(plan::zram::MAKER) {
            return Err("this kernel cannot add zram devices (no hot_add in /sys/class/zram-control): load the module with num_devices=N".to_owned());
        }
        let devices = self.snapshot.zram.reading.get().map_err(|missing| missing.why())?;
        let is_free =
            |number: &u64| devices.iter().all(|device| device.name != format!("zram{number}"));
        Ok((0..).filter(is_free))
    }

    /// The checks of a plan, with these risks accepted by name.
    pub fn checks(&self, plan: &Plan, accepted: &[String]) -> Vec<Check> {
        let mut checks = self.checks_on(&self.snapshot, plan, accepted);
        if let ChangeTarget::Simulated(machine) = self.target {
            // Whoever simulates a machine may change it.
            checks.retain(|check| check.id != RIGHTS);
            checks.insert(0, machine.note());
        }
        checks
    }

    fn checks_on(&self, snapshot: &Snapshot, plan: &Plan, accepted: &[String]) -> Vec<Check> {
        let steps = plan.steps.iter().enumerate();
        // A device formatted by the plan is valid when the plan enables it.
        let enabled = steps
            .clone()
            .filter(|(place, step)| !storage::is_formatted(plan, *place, step.subject()));
        let (candidates, uncaptured): (Vec<Candidate>, Vec<Candidate>) = enabled
            .filter_map(|(_, step)| step.enabled_area())
            .map(|area| self.candidate(&area.path))
            .partition(|it| {
                self.root.is_live() || (it.thing.known().is_some() && !it.is_header_copy())
            });
        let targets: Vec<FormatTarget> = steps
            .clone()
            .filter_map(|(place, _)| self.format_target(snapshot, plan, place))
            .collect();
        let backings: Vec<FormatTarget> =
            steps.clone().filter_map(|(_, step)| self.new_backing_target(snapshot, step)).collect();
        let places: Vec<NewFileTarget> =
            steps.filter_map(|(place, step)| self.new_file_target(plan, place, step)).collect();
        let unwritable = self.protected_files(plan);
        let reset = plan.steps.iter().filter_map(Step::resets_device);
        let zram: Vec<ZramUsers> =
            reset.map(|number| probes::zram::users(self.root, number)).collect();
        let inputs = CheckInputs {
            candidates: &candidates,
            uncaptured: &uncaptured,
            targets: &targets,
            backings: &backings,
            places: &places,
            zram: &zram,
            unknown: &self.areas_with_unknown_discard(plan),
            unwritable: &unwritable,
            linked: &self.linked_files(plan),
            resume: &self.resume(plan),
            autoclear: &self.autoclear(snapshot, plan),
            failed_reads: &self.failed_reads(snapshot, plan),
            captured: !self.root.is_live(),
            nested: is_nested(self.root),
            own: self.writes_only_own_files(snapshot, plan),
            taken: accepted,
        };
        check::checks(plan, snapshot, inputs)
    }

    /// Does a plan only write swap headers, on regular files that the calling user owns? Always
    /// false for root.
    fn writes_only_own_files(&self, snapshot: &Snapshot, plan: &Plan) -> bool {
        let access = snapshot.access.reading.known().filter(|access| access.is_unprivileged_user());
        let Some(&uid) = access.and_then(|access| access.uid.known()) else { return false };
        let is_own = |step: &Step| {
            let facts = self.root.facts(step.subject().as_path());
            let is_theirs = facts.known().is_some_and(|it| it.regular && it.owner == uid);
            matches!(step, Step::Header { .. }) && is_theirs
        };
        self.root.is_live() && plan.steps.iter().all(is_own)
    }

    /// The areas that a plan disables whose loop devices disappear then, each with its file.
    fn autoclear(&self, snapshot: &Snapshot, plan: &Plan) -> Vec<(Name, Reading<Name>)> {
        let off = snapshot.areas().iter().filter(|area| {
            let mut disabled = plan.steps.iter().filter_map(Step::disabled_area);
            disabled.any(|disabled| disabled.path == area.path)
        });
        let file = |area: &SwapArea| Some((area.path.clone(), block::autoclear(self.root, area)?));
        off.filter_map(file).collect()
    }

    /// The areas with data that a plan disables and of which reads have failed.
    fn failed_reads(&self, snapshot: &Snapshot, plan: &Plan) -> Vec<(Name, u64)> {
        let is_empty = |path: &Name| {
            snapshot.areas().iter().any(|it| it.path == *path && it.used.known() == Some(&Bytes(0)))
        };
        let mut disabled: Vec<&Name> =
            plan.steps.iter().filter_map(Step::disabled_area).map(|area| &area.path).collect();
        disabled.retain(|path| !is_empty(path));
        if disabled.is_empty() {
            return Vec::new();
        }
        let view = self.target.view();
        let with_reads = disabled.into_iter().map(|path| (path.clone(), view.failed_reads(path)));
        with_reads.filter(|(_, reads)| *reads > 0).collect()
    }

    /// The target that a step formats, unless it is newly created or disabled earlier in the plan.
    fn format_target(
        &self,
        snapshot: &Snapshot,
        plan: &Plan,
        number: usize,
    ) -> Option<FormatTarget> {
        let step = plan.steps.get(number)?;
        let Step::Header { path, format, was, back: false, .. } = step else { return None };
        let mut before = plan.steps.iter().take(number).filter_map(Step::disabled_area);
        if before.any(|area| area.path == *path) {
            return None;
        }
        let target = self.target(snapshot, path, format.page_size);
        let is_missing = target.candidate.thing.is_absent();
        let is_new = is_missing && was.iter().all(Patch::is_clear);
        (!is_new).then_some(target)
    }

    /// The new backing device of a zram step, which is overwritten.
    fn new_backing_target(&self, snapshot: &Snapshot, step: &Step) -> Option<FormatTarget> {
        let Step::Zram { from, to: Some(to), .. } = step else { return None };
        let backing = to.backing.as_ref()?;
        let before = from.as_ref().and_then(|from| from.backing.as_ref());
        let page_size = snapshot.page_size.known().copied().unwrap_or(PAGES[0] as u64);
        (before != Some(backing)).then(|| self.target(snapshot, backing, page_size))
    }

    fn target(&self, snapshot: &Snapshot, path: &Name, page_size: u64) -> FormatTarget {
        let areas = snapshot.areas();
        target::read(self.root, path, areas, page_size)
    }

    /// The folder where a step creates a file, or lets one grow.
    fn new_file_target(&self, plan: &Plan, number: usize, step: &Step) -> Option<NewFileTarget> {
        let Step::File { path, from, to: Some(to) } = step else { return None };
        if from.as_ref().is_some_and(|from| from.size >= to.size) {
            return None;
        }
        let has = from.as_ref().map_or(Bytes(0), |from| self.allocated_bytes(path, from.size));
        let place = target::file_location(self.root, path, to.size);
        let taken_by = place.taken_by.clone().filter(|_| from.is_none());
        let made = storage::bytes_created_before(plan, number, path, |other, path| {
            let [one, other] = [path, other].map(|path| self.file_system(path));
            one == other
        });
        let free = place.free.clone().map(|free| free.saturating_sub(made));
        Some(NewFileTarget { has, taken_by, free, ..place })
    }

    /// The device of the file system of a file, or at least its folder: two files on one have the same.
    fn file_system(&self, path: &Name) -> (Option<(u32, u32)>, Option<PathBuf>) {
        let folder = path.as_path().parent().unwrap_or(path.as_path());
        match self.root.facts(folder).known() {
            Some(facts) => {
                let (major, minor, _) = facts.identity();
                (Some((major, minor)), None)
            }
            None => (None, Some(folder.to_owned())),
        }
    }

    /// Bytes allocated on disk for a file of this size.
    fn allocated_bytes(&self, path: &Name, size: Bytes) -> Bytes {
        let facts = self.root.facts(path.as_path());
        facts.known().map_or(size, |facts| Bytes(facts.allocated).min(size))
    }

    /// The files that a plan removes which have other hard links, with the number of links.
    fn linked_files(&self, plan: &Plan) -> Vec<(Name, u64)> {
        let removed = plan.steps.iter().filter_map(|step| {
            let Step::File { path, from: Some(_), to: None } = step else { return None };
            let links = self.root.facts(path.as_path()).known()?.links;
            (links > 1).then(|| (path.clone(), links))
        });
        removed.collect()
    }

    /// The areas that a plan disables, overwrites or removes and that are the hibernation device, each with whether
    /// that is certain.
    fn resume(&self, plan: &Plan) -> Vec<(Name, bool)> {
        let hibernation = hibernation::read(self.root);
        let Some((device, offset)) = hibernation.known().and_then(|it| {
            Some((it.resume.known()?, it.resume_offset.known().copied().unwrap_or(0)))
        }) else {
            return Vec::new();
        };
        let lost = plan.steps.iter().filter(|step| {
            let off = step.disabled_area().is_some() && step.enabled_area().is_none();
            off || matches!(step, Step::Header { back: false, .. } | Step::File { to: None, .. })
        });
        let names: BTreeSet<&Name> = lost.map(Step::subject).collect();
        let resumes = |name: &Name| Some((name.clone(), self.resumes_from(name, device, offset)?));
        names.into_iter().filter_map(resumes).collect()
    }

    /// `Some(true)` if the machine resumes from this device or file, `Some(false)` if it may, and `None` if it does not.
    fn resumes_from(&self, path: &Name, resume: &Name, offset: u64) -> Option<bool> {
        let is_file = self.root.facts(path.as_path()).known()?.regular;
        let read = if is_file { block::holding } else { block::at };
        if read(self.root, path).known()?.name.as_bytes() != resume.as_bytes() {
            return None;
        }
        let Some(first) = self.first_page(path, is_file) else {
            return (offset > 0).then_some(false);
        };
        (first == offset).then_some(true)
    }

    /// The first page of a device or file on its disk, if known.
    fn first_page(&self, path: &Name, is_file: bool) -> Option<u64> {
        if !is_file {
            return Some(0);
        }
        let page = *self.snapshot.page_size.known()?;
        layout::of_file(self.root, path.as_path()).known()?.first_page(page).known().copied()
    }

    /// The files of a plan that cannot be written, with the reason.
    fn protected_files(&self, plan: &Plan) -> Vec<(Name, String)> {
        let written = |step: &&Step| {
            use Step::{Order, Save, Set, Zram};
            matches!(step, Set { .. } | Save { .. } | Zram { .. } | Order { .. })
        };
        let reason = |step: &Step| {
            let file = step.subject().as_path();
            let mut checked = file;
            if matches!(step, Step::Save { .. }) {
                if self.root.link(file).known().is_some() {
                    let why =
                        format!("{} is a symbolic link: change its target", step.subject().safe());
                    return Some((step.subject().clone(), why));
                }
                if let Some(why) = protection_reason(self.root, file) {
                    return Some((step.subject().clone(), why));
                }
                // The file is replaced, or created in a folder that may be missing as well.
                checked = file.ancestors().skip(1).find(|folder| self.root.exists(folder))?;
            } else if matches!(step, Step::Zram { .. }) {
                // The device may be created by the plan.
                checked = file.ancestors().find(|folder| self.root.exists(folder))?;
            }
            let denied = self.root.may_write(checked).into_result().err()?;
            Some((step.subject().clone(), denied.why()))
        };
        plan.steps.iter().filter(written).filter_map(reason).collect()
    }
}

/// Why this file cannot be replaced; `None` if it can, or does not exist yet.
fn protection_reason(root: &Root, file: &Path) -> Option<String> {
    let name = Name::new(file.as_os_str().as_bytes());
    let mounts = mounts::read(root);
    if mounts.known().is_some_and(|all| all.iter().any(|mount| mount.point == name)) {
        return Some(format!(
            "{} is a mount point (container or bind mount) and cannot be replaced: change the mounted file",
            name.safe()
        ));
    }
    let why = if root.is_live() { sys::protection(file) } else { None };
    why.map(|why| format!("{} {why}", name.safe()))
}

/// Is this root of a user namespace only? The initial one maps all IDs to themselves.
fn is_nested(root: &Root) -> bool {
    let map = root.line("proc/self/uid_map");
    let words = |map: &String| map.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    map.known().is_some_and(|map| words(map) != ["0", "0", "4294967295"])
}

#[cfg(test)]
mod tests;
