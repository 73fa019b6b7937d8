//! Creating, changing and removing zram devices.

pub mod device;
pub mod upkeep;

use super::draft::{DraftContext, PlanDraft};
use super::format::FormatIntent;
use super::fstab::SwaponOptions;
use super::{ChangeAttempt, ChangeError, LiveMachine, ObservedMachine, find};
use crate::actions::persist::Goal;
use crate::actions::plan::zram::SwapOnZram;
use crate::actions::plan::{self, Plan};
use crate::actions::{MachineView as _, Step};
use crate::columns::units::{self, size};
use crate::derive::compression::BD_UNIT;
use crate::model::activation::{Activation, Priority};
use crate::model::kernel::Release;
use crate::model::name::safe_text;
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, zram};
use device::ZramTarget;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use upkeep::UpkeepIntent;

/// A change of zram devices.
#[derive(Clone, Debug, PartialEq)]
pub enum ZramIntent {
    /// Create a device; one without a size is not set up.
    Add(ZramParameters),
    /// Create the next device, or set up the one with this number, which is new or not set up; format
    /// it and enable it as swap.
    Swap(Option<u64>, ZramParameters, FormatIntent, SwaponOptions),
    /// Change the device with this number, or give it an order.
    Device(u64, ZramChange),
    /// A round of upkeep.
    Upkeep(UpkeepIntent),
}

/// The setup of a new device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ZramParameters {
    /// Disk size.
    pub size: Option<Bytes>,
    /// Compression algorithm; `None` for the kernel's default.
    pub algorithm: Option<String>,
    /// Second algorithm, for recompression.
    pub second_algorithm: Option<String>,
    /// Memory limit.
    pub limit: Option<Bytes>,
    /// Backing device for writeback: a path, or a tag such as `UUID=`.
    pub backing: Option<Name>,
}

/// A change of one device.
#[derive(Clone, Debug, PartialEq)]
pub enum ZramChange {
    /// Remove the device.
    Remove,
    /// Change its size.
    Resize(Bytes),
    /// Change its algorithm.
    Algorithm(String),
    /// Change all of its settings, and the priority of the area on it.
    SetUp(ZramSettings, Option<Priority>),
    /// Disable swap on it, and remove it.
    Retire,
    /// Set its memory limit; 0 removes it.
    Limit(Bytes),
    /// Compact its memory.
    Compact,
    /// Mark pages idle that were unused for this many seconds, or all.
    Idle(Option<u64>),
    /// Write these pages to the backing device, and limit further writeback.
    Writeback {
        /// Which pages, as a word of the kernel.
        pages: String,
        /// Maximum number of bytes written.
        limit: Option<Bytes>,
    },
    /// Recompress these pages.
    Recompress {
        /// Which pages, as a word of the kernel.
        pages: String,
        /// Only pages larger than this when compressed, in bytes.
        threshold: Option<u64>,
        /// Which of its algorithms to use.
        algorithm: Option<String>,
    },
}

/// The plan for the change.
pub(super) fn draft(wanted: &ZramIntent, context: DraftContext<'_>) -> ChangeAttempt<PlanDraft> {
    let machine = context.machine;
    let (plan, number) = match wanted {
        ZramIntent::Upkeep(wanted) => return upkeep::draft(wanted, context),
        ZramIntent::Add(setup) => add(machine, setup)?,
        ZramIntent::Swap(number, setup, format, options) => {
            let number = number.map_or_else(|| device::next(machine), Ok)?;
            (swap(machine, (number, setup), format, *options)?, number)
        }
        ZramIntent::Device(number, change) => {
            (ZramTarget::from_number(machine, *number)?.plan_change(change)?, *number)
        }
    };
    // zram-generator makes every device it creates a swap device.
    let goal = match wanted {
        ZramIntent::Add(_) | ZramIntent::Upkeep(_) => None,
        ZramIntent::Swap(..) | ZramIntent::Device(..) => goal(machine, &plan, number)?,
    };
    let goals = goal.map(|goal| vec![goal]);
    Ok(PlanDraft { goals, zram: vec![number], ..PlanDraft::from_plan(plan) })
}

/// The device and its area after the plan, as a goal for the boot; orders have none.
fn goal(machine: &ObservedMachine<'_>, plan: &Plan, number: u64) -> ChangeAttempt<Option<Goal>> {
    if plan.steps.iter().any(|step| matches!(step, Step::Order { .. })) {
        return Ok(None);
    }
    let set_up = plan.steps.iter().rev().find_map(|step| {
        let Step::Zram { to, .. } = step else { return None };
        Some(to.clone())
    });
    let node = zram::device_path(number);
    let disk = match set_up {
        Some(to) => to,
        // Already so.
        None => LiveMachine::new(machine.root).disk(number).into_result()?,
    };
    let put_on = plan.steps.iter().rev().find_map(Step::enabled_area).cloned();
    let is_disabled = plan.steps.iter().any(|step| step.disabled_area().is_some());
    let area = match put_on {
        None if !is_disabled => machine.activation(&node)?,
        area => area,
    };
    Ok(Some(disk.map_or(Goal::Gone(node.clone()), |disk| Goal::Zram(node, disk, area))))
}

fn add(machine: &ObservedMachine<'_>, setup: &ZramParameters) -> ChangeAttempt<(Plan, u64)> {
    let number = device::next(machine)?;
    if setup.size.is_none() && (setup.limit.is_some() || setup.backing.is_some()) {
        return Err(usage_error("--limit and --backing need --size"));
    }
    let to = resolve_settings(machine, setup)?;
    Ok((plan::zram::make_zram(machine.areas()?, number, to), number))
}

fn swap(
    machine: &ObservedMachine<'_>,
    (number, setup): (u64, &ZramParameters),
    format: &FormatIntent,
    options: SwaponOptions,
) -> ChangeAttempt<Plan> {
    let from = LiveMachine::new(machine.root).disk(number).known().cloned().flatten();
    let node = zram::device_path(number);
    let to = resolve_settings(machine, setup)?;
    let format = format.with_size(machine, &node, to.size)?;
    let area = options.activation(node);
    Ok(plan::zram::swap_on_zram(machine.areas()?, (number, from, to), format, area))
}

/// Why pages cannot be marked as idle by their age.
const AGE_UNSUPPORTED: &str =
    "this kernel marks all pages as idle at once; kernels from 5.16 on mark them by age";

/// Does the kernel mark pages as idle by their age? An unknown release is tried.
fn takes_age(machine: &ObservedMachine<'_>) -> bool {
    machine.snapshot.release().known().is_none_or(|release| *release >= Release(5, 16))
}

/// The priority of the second algorithm: that of the first is 0.
const SECOND_PRIORITY: u64 = 1;

/// The settings of a new device, if this kernel supports them.
fn resolve_settings(
    machine: &ObservedMachine<'_>,
    setup: &ZramParameters,
) -> ChangeAttempt<ZramSettings> {
    let offered = |name: &String| device::check_offered(machine, None, name).map(|()| name.clone());
    let second = setup.second_algorithm.as_ref();
    if let Some(name) = second {
        device::check_has_file(
            machine,
            "recomp_algorithm",
            &format!("a second algorithm ({name})"),
        )?;
    }
    if setup.backing.is_some() {
        device::check_has_file(machine, "backing_dev", "a backing device")?;
    }
    let storage =
        |what: &Name| find::find_storage(machine.root, OsStr::from_bytes(what.as_bytes()));
    let backing = setup.backing.as_ref().map(storage);
    Ok(ZramSettings {
        size: machine.whole_pages(setup.size.unwrap_or(Bytes(0)))?,
        algorithm: setup.algorithm.as_ref().map(offered).transpose()?,
        recompression: second
            .map(|name| offered(name).map(|name| (SECOND_PRIORITY, name)))
            .transpose()?
            .into_iter()
            .collect(),
        limit: machine.whole_pages(setup.limit.unwrap_or(Bytes(0)))?,
        backing: backing.transpose().map_err(ChangeError::Usage)?,
    })
}

impl ZramTarget<'_> {
    /// The plan that changes a device or gives it an order.
    fn plan_change(&self, change: &ZramChange) -> ChangeAttempt<Plan> {
        let disk = || self.disk.clone();
        match change {
            ZramChange::Remove => {
                // A header that could not be written again is lost, as a check says.
                let swap = self.swap(self.disk.size).ok().flatten();
                self.remove(swap.filter(|swap| swap.on.is_none()))
            }
            ZramChange::Resize(size) => {
                let size = self.machine.whole_pages(*size)?;
                self.reset_and_set_up("size", ZramSettings { size, ..disk() })
            }
            ZramChange::Algorithm(name) => {
                device::check_offered(self.machine, Some(self.number), name)?;
                let to = ZramSettings { algorithm: Some(name.clone()), ..disk() };
                self.reset_and_set_up("algorithm", to)
            }
            ZramChange::SetUp(to, priority) => self.set_up_again(to, *priority),
            ZramChange::Retire => self.remove(self.swap(self.disk.size)?),
            ZramChange::Limit(limit) => {
                let limit = self.machine.whole_pages(*limit)?;
                self.reset_and_set_up("memory limit", ZramSettings { limit, ..disk() })
            }
            ZramChange::Compact => {
                let what = format!("compact memory of zram{}", self.in_use()?);
                self.plan_with_order(Vec::new(), "compact", "1".to_owned(), what)
            }
            ZramChange::Idle(age) => self.idle(*age),
            ZramChange::Writeback { pages, limit } => self.writeback(pages, *limit),
            ZramChange::Recompress { pages, threshold, algorithm } => {
                self.recompress(pages, *threshold, algorithm.as_deref())
            }
        }
    }

    /// Changes all settings of a device with active swap, and its priority.
    fn set_up_again(&self, to: &ZramSettings, priority: Option<Priority>) -> ChangeAttempt<Plan> {
        if let Some(name) = &to.algorithm {
            device::check_offered(self.machine, Some(self.number), name)?;
        }
        // Only a reset needs the header.
        let is_reset = !self.disk.eq_except_limit(to);
        let swap = if is_reset { self.swap(to.size)? } else { None };
        let from = self.machine.activation(&zram::device_path(self.number))?;
        let what = (self.number, "size, algorithm and limit");
        let disks = (self.disk.clone(), to.clone());
        let mut plan = plan::zram::change_zram(self.machine.areas()?, what, disks, swap);
        let Some(from) = from else { return Ok(plan) };
        let to = Activation { priority: priority.unwrap_or(from.priority), ..from.clone() };
        match plan.steps.iter_mut().find(|step| matches!(step, Step::On { .. })) {
            Some(on) => *on = Step::On { area: to },
            None if from != to => plan.steps.push(Step::Renew { from, to }),
            None => {}
        }
        Ok(plan)
    }

    /// Disables swap on a device, wipes its header so that undo finds each step as it left it, and removes it.
    fn remove(&self, swap: Option<SwapOnZram>) -> ChangeAttempt<Plan> {
        let disk = self.disk.clone();
        let mut steps = Vec::new();
        if let Some(SwapOnZram { on, was: format, .. }) = swap {
            steps.extend(on.map(|area| Step::Off { area }));
            let (path, was) = (zram::device_path(self.number), format.patch_over_zeros());
            steps.push(Step::Header { path, size: disk.size, format, was, back: true });
        }
        steps.push(Step::zram(self.number, Some(disk), None));
        let title = format!("remove zram{}", self.number);
        Ok(Plan::on_areas(self.machine.areas()?, title, steps))
    }

    fn reset_and_set_up(&self, what: &str, to: ZramSettings) -> ChangeAttempt<Plan> {
        let from = self.disk.clone();
        let swap = if from.eq_except_limit(&to) { None } else { self.swap(to.size)? };
        Ok(plan::zram::change_zram(self.machine.areas()?, (self.number, what), (from, to), swap))
    }

    /// A plan that gives an order, after the steps it needs.
    fn plan_with_order(
        &self,
        mut steps: Vec<Step>,
        file: &str,
        word: String,
        what: String,
    ) -> ChangeAttempt<Plan> {
        steps.push(order(self.number, file, word, what.clone()));
        Ok(Plan::on_areas(self.machine.areas()?, what, steps))
    }

    fn idle(&self, age: Option<u64>) -> ChangeAttempt<Plan> {
        let number = self.in_use()?;
        let (word, what) = match age {
            None => ("all".to_owned(), format!("mark all pages of zram{number} idle")),
            Some(_) if !takes_age(self.machine) => {
                return Err(ChangeError::Refused(format!("zram{number}: {AGE_UNSUPPORTED}")));
            }
            Some(seconds) => {
                let long = units::seconds(seconds as f64);
                let what = format!("mark pages of zram{number} unused for {long} idle");
                (seconds.to_string(), what)
            }
        };
        self.plan_with_order(Vec::new(), "idle", word, what)
    }

    fn writeback(&self, pages: &str, limit: Option<Bytes>) -> ChangeAttempt<Plan> {
        device::check_has_file(self.machine, "backing_dev", "writeback")?;
        let number = self.in_use()?;
        if self.disk.backing.is_none() {
            return Err(ChangeError::Refused(format!(
                "zram{number} has no backing device, which must be set before the size: swapadm zram add --size SIZE --backing DEV creates a device with one"
            )));
        }
        if upkeep::is_backing_full(self) {
            return Err(ChangeError::Busy(format!(
                "the backing device of zram{number} is full: its space becomes free as the pages on it are used or freed. For more, remove zram{number}, and create a device with a larger backing device (swapadm zram add --size SIZE --backing DEV)"
            )));
        }
        let look = LiveMachine::new(self.machine.root);
        let reads = |file: &str, value: &str| {
            let setting = look.setting(&plan::zram::device_file(number, file));
            setting.known().is_some_and(|is| is == value)
        };
        if limit.is_none() && reads("writeback_limit_enable", "1") && reads("writeback_limit", "0")
        {
            return Err(ChangeError::Busy(format!(
                "the writeback limit of zram{number} is used up: allow more with --limit SIZE"
            )));
        }
        let mut steps = Vec::new();
        if let Some(limit) = limit {
            if limit.0 < BD_UNIT {
                return Err(usage_error(&format!(
                    "--limit {}: too small, because the kernel counts in units of {}",
                    size(limit),
                    size(Bytes(BD_UNIT))
                )));
            }
            let what = format!("limit writeback of zram{number} to {}", size(limit));
            let units = (limit.0 / BD_UNIT).to_string();
            steps.push(order(number, "writeback_limit", units, what));
            steps.extend(enable_limit_step(self.machine, number)?);
        }
        let what = format!("write back {pages} pages of zram{number}");
        self.plan_with_order(steps, "writeback", pages.to_owned(), what)
    }

    fn recompress(
        &self,
        pages: &str,
        threshold: Option<u64>,
        algorithm: Option<&str>,
    ) -> ChangeAttempt<Plan> {
        device::check_has_file(self.machine, "recomp_algorithm", "recompression")?;
        let number = self.in_use()?;
        let has: Vec<&str> =
            self.disk.recompression.iter().map(|(_, name)| name.as_str()).collect();
        if has.is_empty() {
            return Err(ChangeError::Refused(format!(
                "zram{number} has no second algorithm, which must be set before the size: swapadm zram add --size SIZE --second-algorithm NAME creates a device with one"
            )));
        }
        let mut word = format!("type={pages}");
        if let Some(threshold) = threshold {
            let _ = write!(word, " threshold={threshold}");
        }
        if let Some(name) = algorithm {
            if !has.contains(&name) {
                let (shown, has) = (safe_text(name), has.join(", "));
                return Err(usage_error(&format!(
                    "zram{number} has no algorithm \"{shown}\": it has {has}"
                )));
            }
            let _ = write!(word, " algo={name}");
        }
        let what = format!("recompress {pages} pages of zram{number}");
        self.plan_with_order(Vec::new(), "recompress", word, what)
    }
}

fn order(number: u64, file: &str, word: String, what: String) -> Step {
    Step::Order { what, file: plan::zram::device_file(number, file), word }
}

/// The step that enables the writeback limit, if it is not enabled.
fn enable_limit_step(machine: &ObservedMachine<'_>, number: u64) -> ChangeAttempt<Option<Step>> {
    let file = plan::zram::device_file(number, "writeback_limit_enable");
    let current = LiveMachine::new(machine.root).setting(&file);
    let from = current.into_result()?;
    let what = format!("writeback_limit_enable of zram{number}");
    let step = Step::Set { what, file, from: from.clone(), to: "1".to_owned() };
    Ok((from != "1").then_some(step))
}

fn usage_error(text: &str) -> ChangeError {
    ChangeError::Usage(text.to_owned())
}
