//! `swapadm zram COMMAND`.

mod amount;
mod device;

use super::{Before, Change};
use crate::actions::persist::Goal;
use crate::actions::plan::{self, Plan};
use crate::actions::{Look as _, Step};
use crate::change::{Eyes, Machine, new_uuid};
use crate::cli::args::zram::{
    ZramAddArgs, ZramAlgorithmArgs, ZramAreaArgs, ZramCommand, ZramDeviceArgs, ZramIdleArgs,
    ZramLimitArgs, ZramRecompressArgs, ZramResizeArgs, ZramSetup, ZramWritebackArgs,
};
use crate::cli::commands::change::{find, on};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{self, Environment, SourceOptions};
use crate::cli::out;
use crate::columns::units::{self, size};
use crate::derive::compression::BD_UNIT;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::disk::{self, Disk};
use crate::model::format::Format;
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::uuid::Uuid;
use crate::model::{Bytes, Name};
use crate::root::Root;
use amount::Amount;
use device::Device;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;

/// Do what was typed.
///
/// # Errors
/// When it makes no sense, this kernel cannot do it, or the plan cannot be carried out.
pub fn run(
    command: &ZramCommand,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    if matches!(command, ZramCommand::Add(args) if args.change.persist) {
        return Err(usage(
            "--persist: zram-generator, which makes zram devices at the start, makes swap of each: swapadm zram swap --persist makes one that lasts, anything else a script of the machine has to make",
        ));
    }
    if is_order(command) {
        super::takes_no_risk(command.change())?;
    }
    if !may_empty(command) {
        super::empties_nothing(command.change())?;
    }
    let before = Before::of(source.root()?);
    let ground = Ground::of(&before.machine, out::remark);
    let (plan, number) = planned(ground, command)?;
    let goal = goal(&before.machine, &plan, number);
    let change = Change::of(&before, plan, command.change(), environment);
    let change = Change { zram: Some(number), ..change };
    match goal {
        Some(goal) => change.lasting(&[goal])?.run(),
        None => change.run(),
    }
}

/// What a wish is held against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    machine: &'a Machine<'a>,
    /// Told what else is to be said of it.
    say: fn(&str),
    /// What a new area gets; one that nobody has if it is none.
    uuid: Option<Uuid>,
}

impl<'a> Ground<'a> {
    pub(super) fn of(machine: &'a Machine<'a>, say: fn(&str)) -> Self {
        Self { machine, say, uuid: None }
    }

    /// The same plan again: the area is to have this UUID.
    pub(super) fn with(self, uuid: Uuid) -> Self {
        Self { uuid: Some(uuid), ..self }
    }

    fn root(self) -> &'a Root {
        self.machine.root
    }

    /// The active areas.
    fn areas(self) -> Result<&'a [SwapArea], Failure> {
        Ok(self.machine.areas()?)
    }
}

/// Does it only tell the kernel to do something with what a device holds?
fn is_order(command: &ZramCommand) -> bool {
    match command {
        ZramCommand::Compact(_)
        | ZramCommand::Idle(_)
        | ZramCommand::Writeback(_)
        | ZramCommand::Recompress(_) => true,
        ZramCommand::Add(_)
        | ZramCommand::Swap(_)
        | ZramCommand::Remove(_)
        | ZramCommand::Resize(_)
        | ZramCommand::Algorithm(_)
        | ZramCommand::Limit(_) => false,
    }
}

/// Does it take an area off that is on the device?
fn may_empty(command: &ZramCommand) -> bool {
    match command {
        ZramCommand::Remove(_) | ZramCommand::Resize(_) | ZramCommand::Algorithm(_) => true,
        ZramCommand::Add(_)
        | ZramCommand::Swap(_)
        | ZramCommand::Limit(_)
        | ZramCommand::Compact(_)
        | ZramCommand::Idle(_)
        | ZramCommand::Writeback(_)
        | ZramCommand::Recompress(_) => false,
    }
}

/// The plan, and the number of the device.
pub(super) fn planned(ground: Ground<'_>, command: &ZramCommand) -> Result<(Plan, u64), Failure> {
    match command {
        ZramCommand::Add(args) => add(ground, args),
        ZramCommand::Swap(args) => swap(ground, &args.area),
        ZramCommand::Remove(args) => remove(ground, args),
        ZramCommand::Resize(args) => resize(ground, args),
        ZramCommand::Algorithm(args) => algorithm(ground, args),
        ZramCommand::Limit(args) => limit(ground, args),
        ZramCommand::Compact(args) => compact(ground, args),
        ZramCommand::Idle(args) => idle(ground, args),
        ZramCommand::Writeback(args) => writeback(ground, args),
        ZramCommand::Recompress(args) => recompress(ground, args),
    }
}

/// What a plan comes to that can be so at every start; orders leave nothing.
pub(super) fn goal(machine: &Machine<'_>, plan: &Plan, number: u64) -> Option<Goal> {
    if plan.steps.iter().any(|step| matches!(step, Step::Order { .. })) {
        return None;
    }
    let set_up = plan.steps.iter().rev().find_map(|step| {
        let Step::Zram { to, .. } = step else { return None };
        Some(to.clone())
    });
    let node = disk::node(number);
    let disk = match set_up {
        Some(to) => to,
        // It is so already.
        None => Eyes::of(machine.root).disk(number).known().cloned().flatten(),
    };
    let put_on = plan.steps.iter().rev().find_map(Step::put_on).cloned();
    let area = put_on.or_else(|| stays(machine, plan, &node));
    Some(disk.map_or(Goal::Gone(node.clone()), |disk| Goal::Zram(node, disk, area)))
}

/// The area on a device that is on, and that a plan does not take off.
fn stays(machine: &Machine<'_>, plan: &Plan, node: &Name) -> Option<Activation> {
    if plan.steps.iter().any(|step| step.taken_off().is_some()) {
        return None;
    }
    let area = machine.areas().ok()?.iter().find(|area| area.path == *node)?;
    let discard = machine.known_discard(area).unwrap_or(Discard::None);
    Some(Activation { path: node.clone(), priority: Priority::of(area.priority), discard })
}

fn add(ground: Ground<'_>, args: &ZramAddArgs) -> Result<(Plan, u64), Failure> {
    let number = device::next(ground)?;
    let amount = Amount::of(ground)?;
    let size = args.size.as_deref().map(|text| amount.whole("the size", text)).transpose()?;
    if size.is_none() && (args.setup.limit.is_some() || args.setup.backing.is_some()) {
        return Err(usage(
            "--limit and --backing go with --size: the device is not set up without",
        ));
    }
    let to = set_up(ground, &args.setup, size.unwrap_or(Bytes(0)))?;
    Ok((plan::zram::make_zram(ground.areas()?, number, to), number))
}

fn swap(ground: Ground<'_>, args: &ZramAreaArgs) -> Result<(Plan, u64), Failure> {
    let number = device::next(ground)?;
    let amount = Amount::of(ground)?;
    let size = amount.whole("the size", &args.size)?;
    let label = args.label.as_ref().map(|label| Name::new(label.as_bytes()));
    let uuid = ground.uuid.map_or_else(new_uuid, Ok)?;
    let format = Format::new(size, amount.page, uuid, label).map_err(Failure::Usage)?;
    let to = set_up(ground, &args.setup, size)?;
    let area = Activation {
        path: disk::node(number),
        priority: Priority::parse(&args.priority).map_err(Failure::Usage)?,
        discard: args.discard.as_deref().and_then(on::discard_of).unwrap_or(Discard::None),
    };
    Ok((plan::zram::swap_on_zram(ground.areas()?, (number, to), format, area), number))
}

/// A new device of this size, as it was asked for.
fn set_up(ground: Ground<'_>, setup: &ZramSetup, size: Bytes) -> Result<Disk, Failure> {
    let amount = Amount::of(ground)?;
    let offered = |name: &String| device::offered(ground, None, name).map(|()| name.clone());
    let limit = setup.limit.as_deref().map(|text| amount.whole("--limit", text)).transpose()?;
    let backing = setup.backing.as_ref();
    let second = setup.second_algorithm.as_ref();
    if let Some(name) = second {
        device::needs(ground, "recomp_algorithm", &format!("a second algorithm ({name})"))?;
    }
    if backing.is_some() {
        device::needs(ground, "backing_dev", "a backing device")?;
    }
    Ok(Disk {
        size,
        algorithm: setup.algorithm.as_ref().map(offered).transpose()?,
        recompression: second.map(|name| (1, name.clone())).into_iter().collect(),
        limit: limit.unwrap_or(Bytes(0)),
        backing: backing.map(|backing| find::storage(ground.root(), backing)).transpose()?,
    })
}

fn remove(ground: Ground<'_>, args: &ZramDeviceArgs) -> Result<(Plan, u64), Failure> {
    let Device { number, disk } = Device::find(ground, &args.device)?;
    Ok((plan::zram::remove_zram(ground.areas()?, number, disk), number))
}

fn resize(ground: Ground<'_>, args: &ZramResizeArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(ground, &args.device)?;
    let size = Amount::of(ground)?.whole("the size", &args.size)?;
    let to = Disk { size, ..device.disk.clone() };
    Ok((changed(ground, "size", &device, to)?, device.number))
}

fn algorithm(ground: Ground<'_>, args: &ZramAlgorithmArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(ground, &args.device)?;
    device::offered(ground, Some(device.number), &args.algorithm)?;
    let to = Disk { algorithm: Some(args.algorithm.clone()), ..device.disk.clone() };
    Ok((changed(ground, "algorithm", &device, to)?, device.number))
}

fn limit(ground: Ground<'_>, args: &ZramLimitArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(ground, &args.device)?;
    let limit = match args.limit.as_str() {
        "none" => Bytes(0),
        text => Amount::of(ground)?.whole("the limit", text)?,
    };
    let to = Disk { limit, ..device.disk.clone() };
    Ok((changed(ground, "memory limit", &device, to)?, device.number))
}

fn changed(ground: Ground<'_>, what: &str, device: &Device, to: Disk) -> Result<Plan, Failure> {
    let from = device.disk.clone();
    let swap = if from.is_alike(&to) { None } else { device.swap(ground, to.size)? };
    Ok(plan::zram::change_zram(ground.areas()?, (device.number, what), (from, to), swap))
}

/// A plan that gives a device this order, after steps that it needs.
fn ordered(
    ground: Ground<'_>,
    number: u64,
    mut steps: Vec<Step>,
    (file, word, what): (&str, String, String),
) -> Result<(Plan, u64), Failure> {
    let title = what.clone();
    steps.push(order(number, file, word, what));
    Ok((plan::zram::steps(ground.areas()?, title, steps), number))
}

fn order(number: u64, file: &str, word: String, what: String) -> Step {
    Step::Order { what, file: plan::zram::file(number, file), word }
}

fn compact(ground: Ground<'_>, args: &ZramDeviceArgs) -> Result<(Plan, u64), Failure> {
    let number = Device::find(ground, &args.device)?.in_use()?;
    let what = format!("compact zram{number}");
    ordered(ground, number, Vec::new(), ("compact", "1".to_owned(), what))
}

fn idle(ground: Ground<'_>, args: &ZramIdleArgs) -> Result<(Plan, u64), Failure> {
    let number = Device::find(ground, &args.device)?.in_use()?;
    let Some(text) = &args.age else {
        let what = format!("mark all that zram{number} holds as idle");
        return ordered(ground, number, Vec::new(), ("idle", "all".to_owned(), what));
    };
    let age = options::duration(text).ok_or_else(|| {
        let shown = safe_text(text);
        usage(&format!("the age \"{shown}\" is no time: such as 90, 30m or 1h"))
    })?;
    // Some kernels take more than that for less than nothing, and mark everything.
    let up = ground.machine.snapshot.stamp.boot_ns / 1_000_000_000;
    let seconds = age.as_secs().min(up);
    if seconds < age.as_secs() {
        (ground.say)(&format!(
            "the age {}: the machine runs for {} only, which is taken instead",
            safe_text(text),
            units::seconds(up as f64)
        ));
    }
    let for_long = units::seconds(seconds as f64);
    let what = format!("mark what zram{number} holds, and was not used for {for_long}, as idle");
    ordered(ground, number, Vec::new(), ("idle", seconds.to_string(), what))
}

fn writeback(ground: Ground<'_>, args: &ZramWritebackArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(ground, &args.device)?;
    device::needs(ground, "writeback", "writing back")?;
    let number = device.in_use()?;
    if device.disk.backing.is_none() {
        return Err(usage(&format!(
            "zram{number} has no backing device, which it gets before its size: swapadm zram add --size SIZE --backing DEV makes one with it"
        )));
    }
    let mut steps = Vec::new();
    if let Some(text) = &args.limit {
        let limit = Amount::of(ground)?.bytes("--limit", text)?;
        let what = format!("let zram{number} write back {} at most", size(limit));
        let pages = (limit.0 / BD_UNIT).to_string();
        steps.push(order(number, "writeback_limit", pages, what));
        steps.extend(enabled(ground, number)?);
    }
    let what = format!("write {} pages of zram{number} back", args.pages);
    ordered(ground, number, steps, ("writeback", args.pages.clone(), what))
}

/// The step that puts the limit on writing back in force, if it is not.
fn enabled(ground: Ground<'_>, number: u64) -> Result<Option<Step>, Failure> {
    use crate::actions::Look as _;
    let file = plan::zram::file(number, "writeback_limit_enable");
    let is = crate::change::Eyes::of(ground.root()).setting(&file);
    let from = is.into_result().map_err(|missing| Failure::Nothing(missing.why()))?;
    let what = format!("whether zram{number} heeds that limit");
    let step = Step::Set { what, file, from: from.clone(), to: "1".to_owned() };
    Ok((from != "1").then_some(step))
}

fn recompress(ground: Ground<'_>, args: &ZramRecompressArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(ground, &args.device)?;
    device::needs(ground, "recompress", "compressing once more")?;
    let number = device.in_use()?;
    let has: Vec<&str> = device.disk.recompression.iter().map(|(_, name)| name.as_str()).collect();
    if has.is_empty() {
        return Err(usage(&format!(
            "zram{number} has no second algorithm, which it gets before its size: swapadm zram add --size SIZE --second-algorithm NAME makes one with it"
        )));
    }
    let mut word = format!("type={}", args.pages);
    if let Some(threshold) = args.threshold {
        let _ = write!(word, " threshold={threshold}");
    }
    if let Some(name) = &args.algorithm {
        if !has.contains(&name.as_str()) {
            let (shown, has) = (safe_text(name), has.join(", "));
            return Err(usage(&format!("zram{number} was not given \"{shown}\": it has {has}")));
        }
        let _ = write!(word, " algo={name}");
    }
    let what = format!("compress {} pages of zram{number} once more", args.pages);
    ordered(ground, number, Vec::new(), ("recompress", word, what))
}

fn usage(text: &str) -> Failure {
    Failure::Usage(text.to_owned())
}
