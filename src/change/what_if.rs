//! Predictions for a machine as it is, and with changes: a model is made from a snapshot, and runs.

use super::ObservedMachine;
use crate::actions::Step;
use crate::actions::plan::Plan;
use crate::columns::tables::selection::{CHANGED, NOW};
use crate::columns::tables::what_if::{AssumedGrowth, PredictedCase, WhatIfAnswer};
use crate::columns::units;
use crate::derive::traffic::{self, Direction};
use crate::derive::{SampleView, balance, cost, selection};
use crate::model::activation::{Activation, Priority};
use crate::model::candidate::{PathKind, Signature};
use crate::model::load::{MemoryAmount, Workload};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::zram::device_number;
use crate::model::{Bytes, Missing, Name, PartSet, Reading, Snapshot, name, part_set};
use crate::probes::block;
pub use crate::sim::areas::AreaSetup;
use crate::sim::assumed::{AssumedLoad, SwapTraffic};
use crate::sim::cost::SimDevice;
use crate::sim::describe::{LikeMachine, MAX_AREAS};
use crate::sim::machine::MachineSetup;
use crate::sim::policy::KernelPolicy;
pub use crate::sim::what_if::Watch;
use crate::sim::what_if::predict_watched;

/// The parts of a snapshot that a model is made from.
pub const MODEL_PARTS: PartSet =
    part_set![Kernel, Allocator, Swaps, Vmstat, Block, Meminfo, Knobs, Thp, Zswap, Numa];

/// A simulated machine like the one of a snapshot. The error says what the snapshot lacks.
pub fn like(now: &Snapshot) -> Result<LikeMachine, String> {
    let kernel = now.kernel.reading.known();
    let host = kernel.and_then(|kernel| kernel.hostname.known());
    let name = host.map_or_else(|| "this machine".to_owned(), |host| name::safe_text(host));
    let shown = selection::policy::allocator(now);
    MachineSetup::like(now, &name, shown.known())
        .map_err(|why| format!("no model of this machine: {why}"))
}

/// The model of a machine, and how the machine uses swap at present.
#[derive(Clone, Debug)]
pub struct ModelledMachine {
    /// The model.
    pub setup: MachineSetup,
    /// Sentences on what was missing or had to be changed.
    pub notes: Vec<String>,
    /// Used swap.
    pub used: Reading<Bytes>,
    /// Growth of used swap.
    pub growth: Reading<AssumedGrowth>,
    /// Available memory, of which limits of workloads are shares.
    pub available: Reading<Bytes>,
}

impl ModelledMachine {
    /// A model with the use of swap between two samples.
    pub fn new(LikeMachine { setup, notes }: LikeMachine, view: &SampleView<'_>) -> Self {
        let available = match &view.now.simulated {
            // Its own workload is replaced by the assumed one.
            Some(_) => Reading::not_sampled(),
            None => view.now.memory("MemAvailable"),
        };
        Self { setup, notes, used: used(view), growth: growth(view), available }
    }
}

/// A change of the modelled machine.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelChange {
    /// Model this kernel.
    Kernel(String),
    /// Give an area this priority.
    Priority(Name, Priority),
    /// Add an area, as typed: its size and device, such as `16G@nvme,priority=5`.
    Add(String),
    /// Make the steps of a plan. Inactive areas that it enables are known as far as they are listed.
    Plan(Box<Plan>, Vec<AreaSetup>),
}

impl ModelChange {
    /// Checks what was typed. Only the machine knows its nodes.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Kernel(kernel) => parse_kernel(kernel).map(drop),
            Self::Add(typed) => parse_area(typed, 1, u32::MAX).map(drop),
            Self::Priority(..) | Self::Plan(..) => Ok(()),
        }
    }

    /// The options of `swapadm what-if` for the change; none if it has no such options.
    pub fn options(&self) -> Option<String> {
        match self {
            Self::Kernel(kernel) => Some(format!("--kernel {kernel}")),
            Self::Priority(path, priority) => {
                Some(format!("--priority {}={priority}", name::shell_quoted(path)))
            }
            Self::Add(typed) => {
                Some(format!("--add {}", name::shell_quoted(&Name::from(typed.as_str()))))
            }
            Self::Plan(..) => None,
        }
    }
}

fn parse_kernel(kernel: &str) -> Result<KernelPolicy, String> {
    KernelPolicy::parse(kernel).map_err(|why| format!("--kernel: {why}"))
}

/// The load that a prediction assumes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LoadChoice {
    /// Processes that fill swap.
    #[default]
    Filling,
    /// The traffic between two samples.
    LikeNow,
    /// A workload, by its name or path.
    Workload(Name),
}

impl LoadChoice {
    /// Parses a typed choice.
    pub fn parse(text: &str) -> Self {
        match text {
            "fill" => Self::Filling,
            "now" => Self::LikeNow,
            named => Self::Workload(named.into()),
        }
    }

    /// Describes the choice at the end of a question.
    pub fn describe(&self) -> String {
        match self {
            Self::Filling => String::new(),
            Self::LikeNow => ", with traffic as now".to_owned(),
            Self::Workload(named) => format!(", under {}", named.safe()),
        }
    }

    /// The options of `swapadm what-if`.
    pub fn options(&self) -> String {
        match self {
            Self::Filling => String::new(),
            Self::LikeNow => " --like-now".to_owned(),
            Self::Workload(named) => format!(" --load {}", name::shell_quoted(named)),
        }
    }

    /// The load, with the traffic between two samples, or with the workload that is read.
    pub fn resolve(
        &self,
        view: &SampleView<'_>,
        read: impl FnOnce(&Name) -> Result<Workload, String>,
    ) -> Result<AssumedLoad, String> {
        Ok(match self {
            Self::Filling => AssumedLoad::Filling,
            Self::LikeNow => AssumedLoad::Traffic(traffic(view)?),
            Self::Workload(named) => AssumedLoad::Workload(Box::new(read(named)?)),
        })
    }
}

/// Predicts what the machine does under a load, as it is and with the changes. The error says what is wrong with a
/// change, or that the prediction was cancelled.
pub fn predict(
    machine: &ModelledMachine,
    changes: &[ModelChange],
    load: &AssumedLoad,
    watch: Watch<'_>,
) -> Result<WhatIfAnswer, String> {
    let load = &with_limit(load, &machine.available);
    let mut notes = machine.notes.clone();
    let then = changed(&machine.setup, changes, &mut notes)?;
    let setups = [(NOW, &machine.setup), (CHANGED, &then)];
    let count = if then == machine.setup { 1 } else { setups.len() };
    let mut cases = Vec::new();
    for (number, (name, setup)) in setups.into_iter().take(count).enumerate() {
        let part = &mut |share: f64| watch((number as f64 + share) / count as f64);
        let prediction = predict_watched(setup, load, part)?;
        for area in prediction.enlarged_areas() {
            let note = format!(
                "The area {} is too small beside the others for the scale of the model: it seems to fill later than it does.",
                area.path
            );
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let (used, growth) = (machine.used.clone(), machine.growth.clone());
        cases.push(PredictedCase { name, prediction, used, growth });
    }
    Ok(WhatIfAnswer { cases, notes })
}

/// The load, with its memory limit in bytes: the model does not know how much memory is available.
fn with_limit(load: &AssumedLoad, available: &Reading<Bytes>) -> AssumedLoad {
    let mut load = load.clone();
    if let (AssumedLoad::Workload(load), Reading::Known(available)) = (&mut load, available) {
        load.limit = MemoryAmount::Bytes(load.limit.resolve(*available));
    }
    load
}

/// The model with the changes.
fn changed(
    now: &MachineSetup,
    changes: &[ModelChange],
    notes: &mut Vec<String>,
) -> Result<MachineSetup, String> {
    let mut then = now.clone();
    let mut added = 0;
    for change in changes {
        match change {
            ModelChange::Kernel(kernel) => then.policy = parse_kernel(kernel)?,
            ModelChange::Priority(path, priority) => {
                // A new priority means swapoff and swapon: the area moves to the end of the list.
                let area = take(&mut then, path)
                    .ok_or_else(|| format!("{} is not in the model", path.safe()))?;
                then.areas.push(AreaSetup { priority: number(*priority), ..area });
            }
            ModelChange::Add(typed) => {
                added += 1;
                then.areas.push(parse_area(typed, added, then.nodes)?);
                if then.areas.len() > MAX_AREAS {
                    let typed = name::safe_text(typed);
                    return Err(format!(
                        "--add \"{typed}\": a kernel has at most {MAX_AREAS} swap areas, and with it this machine has more: add fewer areas"
                    ));
                }
            }
            ModelChange::Plan(plan, inactive) => carry_out(plan, inactive, &mut then, notes),
        }
    }
    Ok(then)
}

fn number(priority: Priority) -> Option<i32> {
    match priority {
        Priority::Set(number) => Some(i32::from(number)),
        Priority::Default => None,
    }
}

fn take(machine: &mut MachineSetup, path: &Name) -> Option<AreaSetup> {
    let place = machine.areas.iter().position(|area| area.path == path.safe())?;
    Some(machine.areas.remove(place))
}

/// Makes the steps of a plan that the model has.
fn carry_out(
    plan: &Plan,
    inactive: &[AreaSetup],
    machine: &mut MachineSetup,
    notes: &mut Vec<String>,
) {
    let mut known: Vec<AreaSetup> = inactive.iter().chain(&machine.areas).cloned().collect();
    let mut left_out = Vec::new();
    for step in &plan.steps {
        if let Some(created) = created_area(step) {
            // A file that is created again stays on its disk.
            let old = known.iter().rev().find(|area| area.path == created.path);
            let (device, node) =
                old.map_or((created.device, created.node), |it| (it.device, it.node));
            known.push(AreaSetup { device, node, ..created });
        }
        if let Some(area) = step.disabled_area() {
            take(machine, &area.path);
        }
        match step.enabled_area().map(|area| (area, enabled(&known, area))) {
            Some((_, Some(area))) => machine.areas.push(area),
            Some((area, None)) => left_out.push(format!("{}, of unknown size", area.path.safe())),
            None => {}
        }
        if let Step::Set { what, .. } | Step::Order { what, .. } = step {
            left_out.push(name::safe_text(what));
        }
    }
    if !left_out.is_empty() {
        let all = left_out.join("; ");
        notes.push(format!("The model leaves out some of the plan: {all}."));
    }
}

/// The area, as the plan enables it. What was created last counts.
fn enabled(known: &[AreaSetup], area: &Activation) -> Option<AreaSetup> {
    let setup = known.iter().rev().find(|setup| setup.path == area.path.safe())?.clone();
    Some(AreaSetup { priority: number(area.priority), ..setup })
}

/// The area that can be enabled after a step has created it.
fn created_area(step: &Step) -> Option<AreaSetup> {
    let (path, size, device) = match step {
        Step::Zram { number, to: Some(to), .. } => {
            (format!("/dev/zram{number}"), to.size, SimDevice::Zram)
        }
        Step::File { path, to: Some(to), .. } => (path.safe(), to.size, SimDevice::File),
        Step::Header { path, size, back: false, .. } if device_number(path).is_none() => {
            (path.safe(), *size, SimDevice::SolidState)
        }
        Step::Zram { .. }
        | Step::File { .. }
        | Step::Header { .. }
        | Step::On { .. }
        | Step::Off { .. }
        | Step::Renew { .. }
        | Step::Set { .. }
        | Step::Save { .. }
        | Step::Order { .. } => return None,
    };
    let slots = u32::try_from(size.0 / PAGE).unwrap_or(u32::MAX);
    Some(AreaSetup { path, device, slots, priority: None, node: None, discards: false })
}

/// The inactive areas that a plan enables, on the devices that hold them, as far as the plan creates them or they have a
/// swap header that can be read.
pub fn inactive_areas(machine: &ObservedMachine<'_>, plan: &Plan) -> Vec<AreaSetup> {
    let areas = machine.areas().unwrap_or_default();
    let enabled = plan.steps.iter().filter_map(Step::enabled_area);
    let inactive = enabled.filter(|wanted| areas.iter().all(|area| area.path != wanted.path));
    let created: Vec<AreaSetup> = plan.steps.iter().filter_map(created_area).collect();
    let setup = |wanted: &Activation| {
        let candidate = machine.candidate(&wanted.path);
        let created = created.iter().rev().find(|area| area.path == wanted.path.safe());
        let size = match (created, candidate.signature.known()) {
            (Some(area), _) => Bytes(u64::from(area.slots) * PAGE),
            (None, Some(Signature::Swap(header))) => {
                Bytes(u64::from(header.last_page).saturating_mul(header.page_size))
            }
            (None, _) => return None,
        };
        let is_file = created.is_some_and(|area| area.device == SimDevice::File)
            || candidate.thing.known() == Some(&PathKind::File);
        let kind = if is_file { AreaKind::File } else { AreaKind::Partition };
        let area = SwapArea { path: wanted.path.clone(), kind, ..cost::planned_area(size, "") };
        let device = if is_file {
            block::holding(machine.root, &area.path)
        } else {
            machine.target.view().device(&area)
        };
        Some(AreaSetup::like(&area, device.known(), &machine.snapshot))
    };
    inactive.filter_map(setup).collect()
}

/// Bytes of a page of the model.
const PAGE: u64 = 4096;
/// The most pages that an area of the model can have, with its header.
const MOST_PAGES: u64 = 1 << 32;
/// The smallest area: a few pages beside the header.
const SMALLEST: Bytes = Bytes(40 << 10);

/// Parses an area to add.
fn parse_area(typed: &str, number: usize, nodes: u32) -> Result<AreaSetup, String> {
    let refuse = |why: String| format!("--add \"{}\": {why}", name::safe_text(typed));
    let mut parts = typed.split(',');
    let first = parts.next().unwrap_or_default();
    let (size, device) = first.split_once('@').unwrap_or((first, ""));
    let word = if device == "nvme" { "ssd" } else { device };
    let device = SimDevice::WORDS.iter().find(|(known, _)| *known == word);
    let (_, device) = device.ok_or_else(|| {
        let known = SimDevice::WORDS.map(|(known, _)| known).join(", ");
        refuse(format!("use SIZE@DEVICE with {known} or nvme, such as 16G@nvme"))
    })?;
    let size = units::parse_size(size).filter(|size| *size >= SMALLEST);
    // Slots are u32: an area of 16T loses its last page.
    let pages = size.map(|size| size.0 / PAGE).filter(|pages| *pages <= MOST_PAGES);
    let slots = pages.map(|pages| u32::try_from(pages).unwrap_or(u32::MAX));
    let slots =
        slots.ok_or_else(|| refuse("use a size from 40K to 16T, such as 16G@nvme".to_owned()))?;
    let path = format!("+{number}:{first}");
    let mut area =
        AreaSetup { path, device: *device, slots, priority: None, node: None, discards: false };
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match (key, value.parse::<u32>()) {
            ("priority", Ok(value @ 0..=32767)) => area.priority = i32::try_from(value).ok(),
            ("node", Ok(value)) if value < nodes => area.node = Some(value),
            ("priority", _) => return Err(refuse("priority is from 0 to 32767".to_owned())),
            ("node", Ok(node)) => {
                return Err(refuse(format!("this machine has no NUMA node {node}")));
            }
            ("node", Err(_)) => {
                return Err(refuse("use a number for node, such as node=0".to_owned()));
            }
            (key, _) => return Err(refuse(format!("unknown key {key}: use priority or node"))),
        }
    }
    Ok(area)
}

/// Used swap of all areas, in bytes.
fn used_bytes(areas: &[SwapArea]) -> Reading<u64> {
    areas
        .iter()
        .fold(Reading::Known(0), |sum, area| sum.map2(area.used.clone(), |sum, used| sum + used.0))
}

/// Used swap of all areas.
pub fn used(view: &SampleView<'_>) -> Reading<Bytes> {
    view.now.swaps.reading.as_ref().and_then(|areas| used_bytes(areas)).map(Bytes)
}

/// How used swap changes in bytes per second; below 0 if it shrinks.
pub fn rise(view: &SampleView<'_>) -> Reading<f64> {
    view.rise(|snapshot| &snapshot.swaps, |areas| used_bytes(areas))
}

/// The swap traffic between two samples. Pages that zswap takes count, because they have slots too.
pub fn traffic(view: &SampleView<'_>) -> Result<SwapTraffic, String> {
    let missing = |missing: Missing| format!("--like-now: no swap traffic: {}", missing.why());
    let page = view.now.page_size.clone().into_result().map_err(missing)? as f64;
    let rate = |way| {
        let pages = traffic::pages_per_second(view, way).into_result();
        pages.map(|pages| pages * page).map_err(missing)
    };
    let (out, back) = (rate(Direction::Out)?, rate(Direction::In)?);
    let growth = rise(view).into_result().map_err(missing)?;
    let used = used(view).into_result().map_err(missing)?;
    if out <= 0.0 {
        return Err(
            "--like-now: nothing was swapped out while it was measured: repeat it under load, or assume a workload"
                .to_owned(),
        );
    }
    Ok(SwapTraffic { used, out, back, growth })
}

/// Parses a growth of used swap in bytes per second.
pub fn parse_rate(text: &str) -> Result<AssumedGrowth, String> {
    let size = units::parse_size(text).filter(|size| size.0 > 0);
    let refuse =
        || format!("--rate \"{}\": use a size per second, such as 10M", name::safe_text(text));
    Ok(AssumedGrowth { rate: size.ok_or_else(refuse)?.0 as f64, measured: None })
}

/// The growth of used swap, if it grows steadily.
fn growth(view: &SampleView<'_>) -> Reading<AssumedGrowth> {
    balance::total_growth(view).and_then(|growth| {
        let measured = Some(growth.seconds);
        growth.steady_rate().map(|rate| AssumedGrowth { rate, measured })
    })
}

#[cfg(test)]
mod tests;
