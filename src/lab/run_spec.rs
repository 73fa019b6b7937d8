//! The specification of a run, and the plan of its temporary setup: swap areas and settings, which
//! are undone afterwards.

use super::guard::GuardLimits;
use crate::actions::plan::{Plan, zram};
use crate::actions::settings::SettingRefusal;
use crate::actions::{Step, settings, storage};
use crate::change::{ObservedMachine, new_uuid};
use crate::columns::units;
use crate::config::Problem;
use crate::lab::load::file::KeyLocations;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::Format;
use crate::model::load::{MemoryKind, OTHER_SIZES, WorkerGroup, Workload};
use crate::model::zram::{ZramSettings, device_path};
use crate::model::{Bytes, Name, Snapshot, worded_enum};

/// A workload, and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpec {
    /// The title of the run.
    pub title: String,
    /// The workload.
    pub workload: Workload,
    /// Where the keys of the workload are set, for errors; if known.
    pub locations: KeyLocations,
    /// The memory limit of all processes; none if the run puts the whole machine under pressure.
    pub limit: Option<Bytes>,
    /// The limit that the workload asks for, if it was lowered so that the excess fits into swap.
    pub lowered_from: Option<Bytes>,
    /// The memory that sizes given as shares refer to: the limit, or the available memory.
    pub whole: Bytes,
    /// The kernel that a simulated machine models, if not its own.
    pub policy: Option<String>,
    /// Temporary areas.
    pub devices: Vec<TemporaryArea>,
    /// The folder for temporary swap files.
    pub folder: Name,
    /// Settings that are changed for the run, with their values.
    pub settings: Vec<(String, String)>,
    /// The random seed.
    pub seed: u64,
    /// The number of repetitions.
    pub repetitions: u32,
    /// The limits that stop the run.
    pub guard: GuardLimits,
}

/// A temporary swap area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporaryArea {
    /// The kind of area.
    pub kind: TemporaryAreaKind,
    /// The size.
    pub size: Bytes,
    /// The compression algorithm of zram; none leaves the choice to the kernel.
    pub algorithm: Option<String>,
    /// The priority.
    pub priority: Priority,
    /// The discard policy.
    pub discard: Discard,
}

worded_enum! {
    /// The kind of a temporary area.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TemporaryAreaKind {
        /// A zram device.
        Zram = "zram",
        /// A swap file.
        File = "file",
    }
}

/// Rounds down to 64K, the largest page size: the kernel takes limits in whole pages.
pub(super) fn round_to_64k(bytes: Bytes) -> Bytes {
    Bytes(bytes.0 & !0xffff)
}

/// The default folder for temporary swap files, which is usually on a disk.
pub const FOLDER: &str = "/var/tmp";

impl RunSpec {
    /// The mean memory of one process of a group.
    pub fn size(&self, work: &WorkerGroup) -> Bytes {
        work.size.resolve(self.whole)
    }

    /// The memory of all processes, at most.
    pub fn total(&self) -> Bytes {
        self.workload.works.iter().map(|work| self.peak_size(work)).sum()
    }

    fn peak_size(&self, work: &WorkerGroup) -> Bytes {
        self.size(work).times(peak_factor(work))
    }

    /// The sizes of large folios with their settings, smallest first.
    pub fn folios(&self) -> Vec<(&str, &str)> {
        let sizes = self.workload.mthp.iter();
        let mut sizes: Vec<_> = sizes.map(|(size, word)| (size.as_str(), word.as_str())).collect();
        // `others` has no size, and comes last.
        sizes.sort_by_key(|(size, _)| units::parse_size(size).unwrap_or(Bytes(u64::MAX)));
        sizes
    }

    /// Plans the temporary setup of the run.
    pub fn plan(&self, machine: &ObservedMachine<'_>) -> Result<Plan, String> {
        let mut steps = self.plan_areas(machine)?;
        steps.extend(self.plan_settings(machine)?);
        let areas = machine.areas().map_err(|failure| failure.to_string())?;
        Ok(Plan::on_areas(areas, format!("set up a run of {}", self.title), steps))
    }

    fn plan_areas(&self, machine: &ObservedMachine<'_>) -> Result<Vec<Step>, String> {
        let is_made = |kind| self.devices.iter().any(|device| device.kind == kind);
        let numbers =
            is_made(TemporaryAreaKind::Zram).then(|| machine.free_zram_numbers()).transpose()?;
        let files =
            is_made(TemporaryAreaKind::File).then(|| machine.new_files(&self.folder, LABEL));
        let files = files.transpose()?;
        // Both are endless.
        let (mut numbers, mut files) = (numbers.into_iter().flatten(), files.into_iter().flatten());
        let mut steps = Vec::new();
        for device in &self.devices {
            let plan = match device.kind {
                TemporaryAreaKind::Zram => {
                    numbers.next().map(|number| device.plan_on_zram(machine, number))
                }
                TemporaryAreaKind::File => {
                    files.next().map(|path| device.plan_in_file(machine, &path))
                }
            };
            steps.extend(plan.transpose()?.into_iter().flat_map(|plan| plan.steps));
        }
        Ok(steps)
    }

    fn plan_settings(&self, machine: &ObservedMachine<'_>) -> Result<Vec<Step>, String> {
        if let Some(problem) = check_folio_sizes(&self.workload, &self.locations, &machine.snapshot)
        {
            return Err(problem.to_string());
        }
        let mut requests = Vec::new();
        let sizes = self.folios().into_iter().flat_map(|(size, word)| {
            let knobs = match size {
                OTHER_SIZES => other_sizes(&self.workload, &machine.snapshot),
                size => vec![size_knob(size)],
            };
            knobs.into_iter().map(|knob| (knob, word.to_owned()))
        });
        for (id, value) in self.settings.iter().cloned().chain(sizes) {
            let target = settings::target(&id, &machine.snapshot);
            requests.push((target.map_err(|refusal| refusal.to_string())?, value));
        }
        let plan = settings::set(&requests, &*machine.target.view());
        plan.map(|plan| plan.steps).map_err(|refusal| refusal.to_string())
    }
}

/// The largest memory of a group, as a multiple of the size of one process.
pub fn peak_factor(work: &WorkerGroup) -> f64 {
    // Each page that the child writes exists twice.
    let copies = if work.memory == MemoryKind::Forked && work.writes > 0.0 { 2.0 } else { 1.0 };
    (1.0 + work.vary) * copies * f64::from(work.processes)
}

impl TemporaryArea {
    fn plan_on_zram(&self, machine: &ObservedMachine<'_>, number: u64) -> Result<Plan, String> {
        let areas = machine.areas().map_err(|failure| failure.to_string())?;
        let (size, format) = self.format(machine)?;
        let disk =
            ZramSettings { size, algorithm: self.algorithm.clone(), ..ZramSettings::default() };
        Ok(zram::swap_on_zram(
            areas,
            (number, None, disk),
            format,
            self.activation(device_path(number)),
        ))
    }

    fn plan_in_file(&self, machine: &ObservedMachine<'_>, path: &Name) -> Result<Plan, String> {
        let areas = machine.areas().map_err(|failure| failure.to_string())?;
        let (size, format) = self.format(machine)?;
        let form = machine.file_form(path, format, size);
        Ok(storage::create(areas, path, form, Some(self.activation(path.clone()))))
    }

    /// The size in whole pages, and the swap header, which counts at most 2^32 - 1 pages.
    fn format(&self, machine: &ObservedMachine<'_>) -> Result<(Bytes, Format), String> {
        let page = *machine.snapshot.page_size.get().map_err(|missing| missing.why())?;
        let uuid = new_uuid().map_err(|failure| failure.to_string())?;
        let size = Bytes(self.size.0.div_ceil(page).saturating_mul(page));
        Ok((size, Format::new(size, page, uuid, Some(Name::from(LABEL)))?))
    }

    fn activation(&self, path: Name) -> Activation {
        Activation { path, priority: self.priority, discard: self.discard }
    }
}

/// The label of temporary areas, and the name of their files.
const LABEL: &str = "swapadm-lab";

/// Checks that a setting exists here and takes this value.
pub fn check_knob(id: &str, value: &str, machine: &ObservedMachine<'_>) -> Result<(), String> {
    let target = settings::target(id, &machine.snapshot).map_err(|refusal| refusal.to_string())?;
    let plan = settings::set(&[(target, value.to_owned())], &*machine.target.view());
    plan.map(drop).map_err(|refusal| {
        if let SettingRefusal::Unseen(_, missing) = &refusal {
            return missing.why();
        }
        if let SettingRefusal::Value(_, why) = refusal {
            return why;
        }
        refusal.to_string()
    })
}

/// Reports a folio size that is to be set but that this kernel does not have.
pub fn check_folio_sizes(
    load: &Workload,
    locations: &KeyLocations,
    snapshot: &Snapshot,
) -> Option<Problem> {
    let there = settable_sizes(snapshot)?;
    let is_there = |size: &str| units::parse_size(size).is_some_and(|it| there.contains(&it));
    let size = load.mthp.keys().find(|size| *size != OTHER_SIZES && !is_there(size))?;
    let there: Vec<String> = there.into_iter().map(units::size).collect();
    let why = format!("this kernel has no folios of {size}: use any of {}", there.join(", "));
    Some(locations.problem("mthp", &why))
}

/// The folio sizes that can be set here; some sizes have statistics only.
fn settable_sizes(snapshot: &Snapshot) -> Option<Vec<Bytes>> {
    let sizes = snapshot.thp.reading.known()?.sizes.known()?.iter();
    Some(sizes.filter(|folio| folio.enabled.known().is_some()).map(|folio| folio.size).collect())
}

/// The settings of all folio sizes that are not named.
fn other_sizes(load: &Workload, snapshot: &Snapshot) -> Vec<String> {
    let sizes = settable_sizes(snapshot).unwrap_or_default().into_iter();
    let is_named = |size: &Bytes| load.mthp.keys().any(|it| units::parse_size(it) == Some(*size));
    sizes.filter(|size| !is_named(size)).map(|size| size_knob(&units::size(size))).collect()
}

/// The setting of a folio size written as `64K` or `2M`.
fn size_knob(size: &str) -> String {
    let kib = units::parse_size(size).map_or(0, |bytes| bytes.0 / 1024);
    format!("thp.{kib}kB.enabled")
}

/// The areas that a plan enables.
pub fn temporary_areas(plan: &Plan) -> Vec<Name> {
    plan.steps.iter().filter_map(Step::enabled_area).map(|area| area.path.clone()).collect()
}
