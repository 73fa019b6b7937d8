//! What is to be run, and what the run is lent for it: areas and settings, by a plan that is taken
//! back afterwards.

use super::rails::Rails;
use crate::actions::Step;
use crate::actions::plan::{self, Plan, zram};
use crate::actions::settings;
use crate::change::{Eyes, Machine, new_uuid};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::disk::{self, Disk};
use crate::model::format::Format;
use crate::model::load::{Memory, Work, Workload};
use crate::model::{Bytes, Name};

/// A load, and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What it is called.
    pub title: String,
    /// The load.
    pub workload: Workload,
    /// The memory that it may take; none where the whole machine is put under pressure.
    pub limit: Option<Bytes>,
    /// What processes take their shares of: the limit, or the memory that is available.
    pub whole: Bytes,
    /// Swap on zram that is made for the run.
    pub devices: Vec<Device>,
    /// Knobs that are set for the run, and to what.
    pub settings: Vec<(String, String)>,
    /// What all chance comes from.
    pub seed: u64,
    /// How often it is run.
    pub repetitions: u32,
    /// What ends it.
    pub rails: Rails,
}

/// Swap on a zram device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its size.
    pub size: Bytes,
    /// How it compresses; none where the kernel may choose.
    pub algorithm: Option<String>,
    /// How it is switched on.
    pub priority: Priority,
    /// Which discards it gets.
    pub discard: Discard,
}

impl Wish {
    /// The memory of one process of a group, on average.
    #[must_use]
    pub fn size(&self, work: &Work) -> Bytes {
        work.size.of(self.whole)
    }

    /// The memory of all processes at most.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.workload.works.iter().map(|work| self.largest(work)).sum()
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size is no less than nothing, and too much becomes the most"
    )]
    fn largest(&self, work: &Work) -> Bytes {
        Bytes((self.size(work).0 as f64 * most(work)) as u64)
    }

    /// What the run is lent.
    ///
    /// # Errors
    /// Why the machine cannot lend that.
    pub fn plan(&self, machine: &Machine<'_>) -> Result<Plan, String> {
        let mut steps = self.areas(machine)?;
        steps.extend(self.set(machine)?);
        Ok(Plan {
            title: format!("lend the load {} what it needs", self.title),
            steps,
            apart: false,
            relies_on: plan::standing(machine.areas().map_err(|failure| failure.to_string())?),
        })
    }

    fn areas(&self, machine: &Machine<'_>) -> Result<Vec<Step>, String> {
        if self.devices.is_empty() {
            return Ok(Vec::new());
        }
        let areas = machine.areas().map_err(|failure| failure.to_string())?;
        let page = *machine.snapshot.page_size.get().map_err(|missing| missing.why())?;
        let mut steps = Vec::new();
        for (device, number) in self.devices.iter().zip(machine.new_zram()?) {
            let uuid = new_uuid().map_err(|failure| failure.to_string())?;
            let size = Bytes(device.size.0.div_ceil(page).saturating_mul(page));
            let format = Format::new(size, page, uuid, Some(Name::from(LABEL)))?;
            let disk = Disk { size, algorithm: device.algorithm.clone(), ..Disk::default() };
            let (path, priority, discard) = (disk::node(number), device.priority, device.discard);
            let on = Activation { path, priority, discard };
            steps.extend(zram::swap_on_zram(areas, (number, disk), format, on).steps);
        }
        Ok(steps)
    }

    fn set(&self, machine: &Machine<'_>) -> Result<Vec<Step>, String> {
        let mut wishes = Vec::new();
        let sizes = self.workload.mthp.iter().map(|(size, word)| (size_knob(size), word.clone()));
        for (id, value) in self.settings.iter().cloned().chain(sizes) {
            let target = settings::target(&id, &machine.snapshot);
            wishes.push((target.map_err(|refusal| refusal.to_string())?, value));
        }
        let plan = settings::set(&wishes, &Eyes::of(machine.root));
        plan.map(|plan| plan.steps).map_err(|refusal| refusal.to_string())
    }
}

/// How many times the size of one process a group takes at most.
#[must_use]
pub fn most(work: &Work) -> f64 {
    // Each page that a child writes is there twice.
    let copies =
        if work.memory == Memory::Forked { 1.0 + work.writes.min(1.0).ceil() } else { 1.0 };
    (1.0 + work.vary) * copies * f64::from(work.processes)
}

/// What areas are called that are made for a run.
const LABEL: &str = "swapadm-lab";

/// The knob of a size of folios that is written as `64K` or `2M`.
fn size_knob(size: &str) -> String {
    let kib = crate::columns::units::parse_size(size).map_or(0, |bytes| bytes.0 / 1024);
    format!("thp.{kib}kB.enabled")
}

/// The areas that a plan puts on.
#[must_use]
pub fn lent_areas(plan: &Plan) -> Vec<Name> {
    plan.steps.iter().filter_map(Step::put_on).map(|area| area.path.clone()).collect()
}
