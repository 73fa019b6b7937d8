//! What is to be run, and what the run is lent for it: areas and settings, by a plan that is taken
//! back afterwards.

use super::guard::GuardLimits;
use crate::actions::plan::{self, Plan, zram};
use crate::actions::settings::SettingRefusal;
use crate::actions::{Step, settings, storage};
use crate::change::{LiveMachine, ObservedMachine, new_uuid};
use crate::columns::units;
use crate::config::Problem;
use crate::lab::load::file::KeyLocations;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::Format;
use crate::model::load::{MemoryKind, OTHER_SIZES, WorkerGroup, Workload};
use crate::model::zram::{ZramSettings, device_path};
use crate::model::{Bytes, Name, Snapshot};

/// A load, and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpec {
    /// What it is called.
    pub title: String,
    /// The load.
    pub workload: Workload,
    /// Where things were said of its works, where that is known.
    pub places: KeyLocations,
    /// The memory that it may take; none where the whole machine is put under pressure.
    pub limit: Option<Bytes>,
    /// What processes take their shares of: the limit, or the memory that is available.
    pub whole: Bytes,
    /// Areas that are made for the run.
    pub devices: Vec<TemporaryArea>,
    /// The folder in which files for such areas are made.
    pub folder: Name,
    /// Knobs that are set for the run, and to what.
    pub settings: Vec<(String, String)>,
    /// What all chance comes from.
    pub seed: u64,
    /// How often it is run.
    pub repetitions: u32,
    /// What ends it.
    pub guard: GuardLimits,
}

/// An area that is made for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporaryArea {
    /// What carries it.
    pub kind: TemporaryAreaKind,
    /// Its size.
    pub size: Bytes,
    /// How zram compresses it; none where the kernel may choose.
    pub algorithm: Option<String>,
    /// How it is switched on.
    pub priority: Priority,
    /// Which discards it gets.
    pub discard: Discard,
}

/// What carries an area that is made for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporaryAreaKind {
    /// A zram device, from which the kernel reads at once: nothing is read ahead there.
    Zram,
    /// A file, and so the disk below it.
    File,
}

impl TemporaryAreaKind {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 2] = [("zram", Self::Zram), ("file", Self::File)];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Zram => Self::WORDS[0].0,
            Self::File => Self::WORDS[1].0,
        }
    }
}

/// The kernel takes limits in whole pages, of which the largest have 64K.
pub(super) fn whole_pages(bytes: Bytes) -> Bytes {
    Bytes(bytes.0 & !0xffff)
}

/// Where files are made if nobody says another place: what is there lies on a disk as a rule.
pub const FOLDER: &str = "/var/tmp";

impl RunSpec {
    /// The memory of one process of a group, on average.
    pub fn size(&self, work: &WorkerGroup) -> Bytes {
        work.size.resolve(self.whole)
    }

    /// The memory of all processes at most.
    pub fn total(&self) -> Bytes {
        self.workload.works.iter().map(|work| self.peak_size(work)).sum()
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size is no less than nothing, and too much becomes the most"
    )]
    fn peak_size(&self, work: &WorkerGroup) -> Bytes {
        Bytes((self.size(work).0 as f64 * peak_factor(work)) as u64)
    }

    /// What is set of large folios: each size and its word, the smallest first.
    pub fn folios(&self) -> Vec<(&str, &str)> {
        let sizes = self.workload.mthp.iter();
        let mut sizes: Vec<_> = sizes.map(|(size, word)| (size.as_str(), word.as_str())).collect();
        // Others have no size, and come last.
        sizes.sort_by_key(|(size, _)| units::parse_size(size).unwrap_or(Bytes(u64::MAX)));
        sizes
    }

    /// What the run is lent.
    ///
    /// # Errors
    /// Why the machine cannot lend that.
    pub fn plan(&self, machine: &ObservedMachine<'_>) -> Result<Plan, String> {
        let mut steps = self.plan_areas(machine)?;
        steps.extend(self.plan_settings(machine)?);
        let relies_on = plan::current_areas(machine.areas().map_err(|failure| failure.to_string())?);
        let title = format!("lend the load {} what it needs", self.title);
        Ok(Plan { steps, relies_on, ..Plan::without_steps(title) })
    }

    fn plan_areas(&self, machine: &ObservedMachine<'_>) -> Result<Vec<Step>, String> {
        let is_made = |kind| self.devices.iter().any(|device| device.kind == kind);
        let numbers = is_made(TemporaryAreaKind::Zram).then(|| machine.new_zram()).transpose()?;
        let files = is_made(TemporaryAreaKind::File).then(|| machine.new_files(&self.folder, LABEL));
        let files = files.transpose()?;
        let (mut numbers, mut files) = (numbers.into_iter().flatten(), files.into_iter().flatten());
        let mut steps = Vec::new();
        for device in &self.devices {
            let plan = match device.kind {
                TemporaryAreaKind::Zram => numbers.next().map(|number| device.plan_on_zram(machine, number)),
                TemporaryAreaKind::File => files.next().map(|path| device.plan_in_file(machine, &path)),
            };
            steps.extend(plan.transpose()?.into_iter().flat_map(|plan| plan.steps));
        }
        Ok(steps)
    }

    fn plan_settings(&self, machine: &ObservedMachine<'_>) -> Result<Vec<Step>, String> {
        if let Some(problem) = check_folio_sizes(&self.workload, &self.places, &machine.snapshot) {
            return Err(problem.to_string());
        }
        let mut wishes = Vec::new();
        let sizes = self.folios().into_iter().flat_map(|(size, word)| {
            let knobs = match size {
                OTHER_SIZES => other_sizes(&self.workload, &machine.snapshot),
                size => vec![size_knob(size)],
            };
            knobs.into_iter().map(|knob| (knob, word.to_owned()))
        });
        for (id, value) in self.settings.iter().cloned().chain(sizes) {
            let target = settings::target(&id, &machine.snapshot);
            wishes.push((target.map_err(|refusal| refusal.to_string())?, value));
        }
        let plan = settings::set(&wishes, &LiveMachine::new(machine.root));
        plan.map(|plan| plan.steps).map_err(|refusal| refusal.to_string())
    }
}

/// How many times the size of one process a group takes at most.
pub fn peak_factor(work: &WorkerGroup) -> f64 {
    // Each page that a child writes is there twice.
    let copies =
        if work.memory == MemoryKind::Forked { 1.0 + work.writes.min(1.0).ceil() } else { 1.0 };
    (1.0 + work.vary) * copies * f64::from(work.processes)
}

impl TemporaryArea {
    fn plan_on_zram(&self, machine: &ObservedMachine<'_>, number: u64) -> Result<Plan, String> {
        let areas = machine.areas().map_err(|failure| failure.to_string())?;
        let (size, format) = self.format(machine)?;
        let disk = ZramSettings { size, algorithm: self.algorithm.clone(), ..ZramSettings::default() };
        Ok(zram::swap_on_zram(areas, (number, disk), format, self.activation(device_path(number))))
    }

    fn plan_in_file(&self, machine: &ObservedMachine<'_>, path: &Name) -> Result<Plan, String> {
        let areas = machine.areas().map_err(|failure| failure.to_string())?;
        let (size, format) = self.format(machine)?;
        let form = machine.file_form(path, format, size);
        Ok(storage::create(areas, path, form, Some(self.activation(path.clone()))))
    }

    /// The size in whole pages, and the header: of an area that is larger than it can count it
    /// speaks of less.
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

/// What areas are called that are made for a run, and their files.
const LABEL: &str = "swapadm-lab";

/// Can this knob be set so here?
///
/// # Errors
/// Why not, and what it takes.
pub fn check_knob(id: &str, value: &str, machine: &ObservedMachine<'_>) -> Result<(), String> {
    let target = settings::target(id, &machine.snapshot).map_err(|refusal| refusal.to_string())?;
    let plan = settings::set(&[(target, value.to_owned())], &LiveMachine::new(machine.root));
    plan.map(drop).map_err(|refusal| {
        if let SettingRefusal::Value(_, why) | SettingRefusal::Unseen(_, why) = refusal {
            return why;
        }
        refusal.to_string()
    })
}

/// That this kernel has no folios of a size that is to be set, and which it has.
pub fn check_folio_sizes(load: &Workload, places: &KeyLocations, snapshot: &Snapshot) -> Option<Problem> {
    let there = settable_sizes(snapshot)?;
    let is_there = |size: &str| units::parse_size(size).is_some_and(|it| there.contains(&it));
    let size = load.mthp.keys().find(|size| *size != OTHER_SIZES && !is_there(size))?;
    let there: Vec<String> = there.into_iter().map(units::size).collect();
    let why = format!("this kernel has no folios of {size}: use some of {}", there.join(", "));
    Some(places.problem("mthp", &why))
}

/// The sizes of folios that can be set here: of some there are only statistics.
fn settable_sizes(snapshot: &Snapshot) -> Option<Vec<Bytes>> {
    let sizes = snapshot.thp.reading.known()?.sizes.known()?.iter();
    Some(sizes.filter(|folio| folio.enabled.known().is_some()).map(|folio| folio.size).collect())
}

/// The knobs of all sizes of folios that are there and not named.
fn other_sizes(load: &Workload, snapshot: &Snapshot) -> Vec<String> {
    let sizes = settable_sizes(snapshot).unwrap_or_default().into_iter();
    let is_named = |size: &Bytes| load.mthp.keys().any(|it| units::parse_size(it) == Some(*size));
    sizes.filter(|size| !is_named(size)).map(|size| size_knob(&units::size(size))).collect()
}

/// The knob of a size of folios that is written as `64K` or `2M`.
fn size_knob(size: &str) -> String {
    let kib = units::parse_size(size).map_or(0, |bytes| bytes.0 / 1024);
    format!("thp.{kib}kB.enabled")
}

/// The areas that a plan puts on.
pub fn temporary_areas(plan: &Plan) -> Vec<Name> {
    plan.steps.iter().filter_map(Step::enabled_area).map(|area| area.path.clone()).collect()
}
