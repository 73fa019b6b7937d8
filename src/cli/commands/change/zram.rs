//! `swapadm zram COMMAND`.

mod amount;
mod device;

use super::{Before, Change};
use crate::actions::persist::Goal;
use crate::actions::plan::{self, Plan};
use crate::actions::{Look as _, Step};
use crate::change::{Eyes, new_uuid};
use crate::cli::args::zram::{
    ZramAddArgs, ZramAlgorithmArgs, ZramCommand, ZramDeviceArgs, ZramIdleArgs, ZramLimitArgs,
    ZramRecompressArgs, ZramResizeArgs, ZramSetup, ZramSwapArgs, ZramWritebackArgs,
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
use crate::model::{Bytes, Name};
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
    let before = Before::of(source.root()?);
    let (plan, number) = planned(&before, command)?;
    let goal = goal(&before, &plan, number);
    let change = Change::of(&before, plan, command.change(), environment);
    let change = Change { zram: Some(number), ..change };
    match goal {
        Some(goal) => change.lasting(&[goal])?.run(),
        None => change.run(),
    }
}

/// The plan, and the number of the device.
fn planned(before: &Before<'_>, command: &ZramCommand) -> Result<(Plan, u64), Failure> {
    match command {
        ZramCommand::Add(args) => add(before, args),
        ZramCommand::Swap(args) => swap(before, args),
        ZramCommand::Remove(args) => remove(before, args),
        ZramCommand::Resize(args) => resize(before, args),
        ZramCommand::Algorithm(args) => algorithm(before, args),
        ZramCommand::Limit(args) => limit(before, args),
        ZramCommand::Compact(args) => compact(before, args),
        ZramCommand::Idle(args) => idle(before, args),
        ZramCommand::Writeback(args) => writeback(before, args),
        ZramCommand::Recompress(args) => recompress(before, args),
    }
}

/// What a plan comes to that can be so at every start; orders leave nothing.
fn goal(before: &Before<'_>, plan: &Plan, number: u64) -> Option<Goal> {
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
        None => Eyes::of(before.root()).disk(number).known().cloned().flatten(),
    };
    let area = plan.steps.iter().rev().find_map(Step::put_on).cloned();
    Some(disk.map_or(Goal::Gone(node.clone()), |disk| Goal::Zram(node, disk, area)))
}

fn add(before: &Before<'_>, args: &ZramAddArgs) -> Result<(Plan, u64), Failure> {
    let number = device::next(before)?;
    let amount = Amount::of(before)?;
    let size = args.size.as_deref().map(|text| amount.whole("--size", text)).transpose()?;
    if size.is_none() && (args.setup.limit.is_some() || args.setup.backing.is_some()) {
        return Err(usage(
            "--limit and --backing go with --size: the device is not set up without",
        ));
    }
    let to = set_up(before, &args.setup, size.unwrap_or(Bytes(0)))?;
    Ok((plan::zram::make_zram(before.areas()?, number, to), number))
}

fn swap(before: &Before<'_>, args: &ZramSwapArgs) -> Result<(Plan, u64), Failure> {
    let number = device::next(before)?;
    let amount = Amount::of(before)?;
    let size = amount.whole("--size", &args.size)?;
    let label = args.label.as_ref().map(|label| Name::new(label.as_bytes()));
    let uuid = new_uuid()?;
    let format = Format::new(size, amount.page, uuid, label).map_err(Failure::Usage)?;
    let to = set_up(before, &args.setup, size)?;
    let area = Activation {
        path: disk::node(number),
        priority: Priority::parse(&args.priority).map_err(Failure::Usage)?,
        discard: args.discard.as_deref().and_then(on::discard_of).unwrap_or(Discard::None),
    };
    Ok((plan::zram::swap_on_zram(before.areas()?, (number, to), format, area), number))
}

/// A new device of this size, as it was asked for.
fn set_up(before: &Before<'_>, setup: &ZramSetup, size: Bytes) -> Result<Disk, Failure> {
    let amount = Amount::of(before)?;
    let offered = |name: &String| device::offered(before, None, name).map(|()| name.clone());
    let limit = setup.limit.as_deref().map(|text| amount.whole("--limit", text)).transpose()?;
    let backing = setup.backing.as_ref();
    let second = setup.second_algorithm.as_ref();
    if let Some(name) = second {
        device::needs(before, "recomp_algorithm", &format!("a second algorithm ({name})"))?;
    }
    if backing.is_some() {
        device::needs(before, "backing_dev", "a backing device")?;
    }
    Ok(Disk {
        size,
        algorithm: setup.algorithm.as_ref().map(offered).transpose()?,
        recompression: second.map(|name| (1, name.clone())).into_iter().collect(),
        limit: limit.unwrap_or(Bytes(0)),
        backing: backing.map(|backing| find::storage(before.root(), backing)).transpose()?,
    })
}

fn remove(before: &Before<'_>, args: &ZramDeviceArgs) -> Result<(Plan, u64), Failure> {
    let Device { number, disk } = Device::find(before, &args.device)?;
    Ok((plan::zram::remove_zram(before.areas()?, number, disk), number))
}

fn resize(before: &Before<'_>, args: &ZramResizeArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(before, &args.device)?;
    let size = Amount::of(before)?.whole("the size", &args.size)?;
    let to = Disk { size, ..device.disk.clone() };
    Ok((changed(before, "size", &device, to)?, device.number))
}

fn algorithm(before: &Before<'_>, args: &ZramAlgorithmArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(before, &args.device)?;
    device::offered(before, Some(device.number), &args.algorithm)?;
    let to = Disk { algorithm: Some(args.algorithm.clone()), ..device.disk.clone() };
    Ok((changed(before, "algorithm", &device, to)?, device.number))
}

fn limit(before: &Before<'_>, args: &ZramLimitArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(before, &args.device)?;
    let limit = match args.limit.as_str() {
        "none" => Bytes(0),
        text => Amount::of(before)?.whole("the limit", text)?,
    };
    let to = Disk { limit, ..device.disk.clone() };
    Ok((changed(before, "memory limit", &device, to)?, device.number))
}

fn changed(before: &Before<'_>, what: &str, device: &Device, to: Disk) -> Result<Plan, Failure> {
    let from = device.disk.clone();
    let swap = if from.is_alike(&to) { None } else { device.swap(before, to.size)? };
    Ok(plan::zram::change_zram(before.areas()?, (device.number, what), (from, to), swap))
}

/// A plan that gives a device this order, after steps that it needs.
fn ordered(
    before: &Before<'_>,
    number: u64,
    mut steps: Vec<Step>,
    (file, word, what): (&str, String, String),
) -> Result<(Plan, u64), Failure> {
    let title = what.clone();
    steps.push(order(number, file, word, what));
    Ok((plan::zram::steps(before.areas()?, title, steps), number))
}

fn order(number: u64, file: &str, word: String, what: String) -> Step {
    Step::Order { what, file: plan::zram::file(number, file), word }
}

fn compact(before: &Before<'_>, args: &ZramDeviceArgs) -> Result<(Plan, u64), Failure> {
    let number = Device::find(before, &args.device)?.in_use()?;
    let what = format!("compact zram{number}");
    ordered(before, number, Vec::new(), ("compact", "1".to_owned(), what))
}

fn idle(before: &Before<'_>, args: &ZramIdleArgs) -> Result<(Plan, u64), Failure> {
    let number = Device::find(before, &args.device)?.in_use()?;
    let Some(text) = &args.age else {
        let what = format!("mark all that zram{number} holds as idle");
        return ordered(before, number, Vec::new(), ("idle", "all".to_owned(), what));
    };
    let age = options::duration(text).ok_or_else(|| {
        let shown = safe_text(text);
        usage(&format!("--age \"{shown}\" is no time: such as 90, 30m or 1h"))
    })?;
    // Some kernels take more than that for less than nothing, and mark everything.
    let up = before.machine.snapshot.stamp.boot_ns / 1_000_000_000;
    let seconds = age.as_secs().min(up);
    if seconds < age.as_secs() {
        out::remark(&format!(
            "--age {}: the machine runs for {} only, which is taken instead",
            safe_text(text),
            units::seconds(up as f64)
        ));
    }
    let for_long = units::seconds(seconds as f64);
    let what = format!("mark what zram{number} holds, and was not used for {for_long}, as idle");
    ordered(before, number, Vec::new(), ("idle", seconds.to_string(), what))
}

fn writeback(before: &Before<'_>, args: &ZramWritebackArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(before, &args.device)?;
    device::needs(before, "writeback", "writing back")?;
    let number = device.in_use()?;
    if device.disk.backing.is_none() {
        return Err(usage(&format!(
            "zram{number} has no backing device, which it gets before its size: swapadm zram add --size SIZE --backing DEV makes one with it"
        )));
    }
    let mut steps = Vec::new();
    if let Some(text) = &args.limit {
        let limit = Amount::of(before)?.bytes("--limit", text)?;
        let what = format!("let zram{number} write back {} at most", size(limit));
        let pages = (limit.0 / BD_UNIT).to_string();
        steps.push(order(number, "writeback_limit", pages, what));
        steps.extend(enabled(before, number)?);
    }
    let what = format!("write {} pages of zram{number} back", args.pages);
    ordered(before, number, steps, ("writeback", args.pages.clone(), what))
}

/// The step that puts the limit on writing back in force, if it is not.
fn enabled(before: &Before<'_>, number: u64) -> Result<Option<Step>, Failure> {
    use crate::actions::Look as _;
    let file = plan::zram::file(number, "writeback_limit_enable");
    let is = crate::change::Eyes::of(before.root()).setting(&file);
    let from = is.into_result().map_err(|missing| Failure::Nothing(missing.why()))?;
    let what = format!("whether zram{number} heeds that limit");
    let step = Step::Set { what, file, from: from.clone(), to: "1".to_owned() };
    Ok((from != "1").then_some(step))
}

fn recompress(before: &Before<'_>, args: &ZramRecompressArgs) -> Result<(Plan, u64), Failure> {
    let device = Device::find(before, &args.device)?;
    device::needs(before, "recompress", "compressing once more")?;
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
    ordered(before, number, Vec::new(), ("recompress", word, what))
}

fn usage(text: &str) -> Failure {
    Failure::Usage(text.to_owned())
}
