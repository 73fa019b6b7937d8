//! `swapadm what-if`: what the model of this machine does, now and with changes.

use super::change::areas::parse_priority;
use super::change::find;
use super::machine::{self, PARTS};
use super::selection::{check_named_once, rejoin_commas};
use super::stream::{self, SampleSchedule};
use crate::change::ChangeError;
use crate::cli::args::machine::WhatIfArgs;
use crate::cli::exit::{CommandError, Exit};
use crate::cli::options::{Environment, Invocation, SourceOptions};
use crate::cli::out::{self, Out};
use crate::cli::progress::ProgressLine;
use crate::columns::tables::selection::{CHANGED, NOW};
use crate::columns::tables::what_if::{self, PredictedCase};
use crate::columns::{text, units};
use crate::derive::SampleView;
use crate::derive::traffic::{self, Direction};
use crate::model::activation::Priority;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Part, PartSet, Reading, name};
use crate::report::json::ReportDocument;
use crate::report::table::{self, TableOptions};
use crate::sim::areas::AreaSetup;
use crate::sim::assumed::{AssumedLoad, SwapTraffic};
use crate::sim::cost::SimDevice;
use crate::sim::machine::MachineSetup;
use crate::sim::policy::KernelPolicy;
use crate::sim::what_if::predict_with;
use std::ffi::OsStr;

/// Prints what the model does.
///
/// # Errors
/// The arguments are wrong, or the machine could not be read.
pub fn run(args: &WhatIfArgs, invocation: &Invocation) -> Result<Exit, CommandError> {
    let parts = PARTS.with(PartSet::from_parts(&[Part::Headers, Part::Vmstat]));
    let mut load = read_load(args, &invocation.environment)?;
    let mut line = ProgressLine::new(&invocation.environment);
    let mut schedule = SampleSchedule::new(None, None)?;
    if args.like_now {
        check_has_traffic(&invocation.source)?;
        if matches!(&invocation.source, SourceOptions::Root(_)) {
            schedule = SampleSchedule::new(Some(MEASURED), Some(1))?;
            line.tell(&[format!("measuring swap traffic for {MEASURED}")]);
        }
    }
    stream::run(&invocation.source, parts, true, schedule, |view| {
        line.clear();
        let (now, notes) = match &invocation.source {
            SourceOptions::Machine(machine) => (machine.setup.clone(), Vec::new()),
            SourceOptions::Root(_) | SourceOptions::Recording { .. } => {
                let machine = machine::like(view)?;
                (machine.setup, machine.notes)
            }
        };
        if args.like_now {
            load = AssumedLoad::Traffic(traffic_between_samples(view)?);
        }
        let then = change(args, &now, view, &invocation.source)?;
        let growth = growth(args, view)?;
        let case = |name, setup: &MachineSetup| -> Result<PredictedCase, CommandError> {
            let prediction = predict_with(setup, &load).map_err(CommandError::Usage)?;
            Ok(PredictedCase { name, prediction, used: used(view), growth: growth.clone() })
        };
        let mut cases = vec![case(NOW, &now)?];
        if then != now {
            cases.push(case(CHANGED, &then)?);
        }
        print(args, &cases, &notes, view, &invocation.environment)
    })?;
    line.clear();
    Ok(Exit::Done)
}

/// How long traffic is measured.
const MEASURED: &str = "3s";

/// The workload of `--load`.
fn read_load(args: &WhatIfArgs, environment: &Environment) -> Result<AssumedLoad, CommandError> {
    let Some(named) = &args.load else { return Ok(AssumedLoad::Filling) };
    let load =
        environment.user_files().loads.source(named)?.load(&[]).map_err(ChangeError::from)?.0;
    Ok(AssumedLoad::Workload(Box::new(load)))
}

/// Checks that there is traffic to assume: a captured tree is a single moment.
fn check_has_traffic(source: &SourceOptions) -> Result<(), CommandError> {
    match source {
        SourceOptions::Root(root) if !root.is_live() => Err(CommandError::Usage(
            "--like-now: a captured tree is a single moment and has no traffic: use a recording, or --load LOAD"
                .to_owned(),
        )),
        SourceOptions::Root(_) | SourceOptions::Recording { .. } | SourceOptions::Machine(_) => Ok(()),
    }
}

/// The swap traffic between two samples. Pages that zswap takes count, because they have slots too.
fn traffic_between_samples(view: &SampleView<'_>) -> Result<SwapTraffic, CommandError> {
    let missing = |missing: Missing| {
        CommandError::NoData(format!("--like-now: no swap traffic: {}", missing.why()))
    };
    let page = view.now.page_size.clone().into_result().map_err(missing)? as f64;
    let rate = |way| {
        let pages = traffic::pages_per_second(view, way).into_result();
        pages.map(|pages| pages * page).map_err(missing)
    };
    let (out, back) = (rate(Direction::Out)?, rate(Direction::In)?);
    let rise = view.rise(|snapshot| &snapshot.swaps, |areas| used_bytes(areas));
    let growth = rise.into_result().map_err(missing)?;
    let used = used(view).into_result().map_err(missing)?;
    if out <= 0.0 {
        return Err(CommandError::NoData(
            "--like-now: nothing was swapped out while it was measured: repeat it under load, or use --load LOAD"
                .to_owned(),
        ));
    }
    Ok(SwapTraffic { used, out, back, growth })
}

/// The machine with the changes that were asked for.
fn change(
    args: &WhatIfArgs,
    now: &MachineSetup,
    view: &SampleView<'_>,
    source: &SourceOptions,
) -> Result<MachineSetup, CommandError> {
    let mut then = now.clone();
    if let Some(kernel) = &args.kernel {
        let policy = KernelPolicy::parse(kernel);
        then.policy = policy.map_err(|why| CommandError::Usage(format!("--kernel: {why}")))?;
    }
    let areas = view.now.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let root = source.root().ok();
    let find_area = |area: &OsStr| find::find_among(areas, view.now, root, area);
    let wishes = rejoin_commas(&args.priority);
    let wishes = wishes.iter().map(|wish| parse_priority(wish, find_area));
    let wishes = wishes.collect::<Result<Vec<(Name, Priority)>, CommandError>>()?;
    check_named_once(&wishes)?;
    for (path, priority) in wishes {
        // A new priority means swapoff and swapon: the area moves to the end of the list.
        let place = then.areas.iter().position(|area| area.path == path.safe());
        let Some(place) = place else {
            return Err(CommandError::Usage(format!("{} is not in the model", path.safe())));
        };
        let area = then.areas.remove(place);
        let priority = match priority {
            Priority::Set(number) => Some(i32::from(number)),
            Priority::Default => None,
        };
        then.areas.push(AreaSetup { priority, ..area });
    }
    for (number, text) in (1..).zip(&args.add) {
        let area = parse_area(text, number, then.nodes).map_err(CommandError::Usage)?;
        then.areas.push(area);
    }
    Ok(then)
}

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
    let device = SimDevice::from_word(word).ok_or_else(|| {
        let known = SimDevice::ALL.map(SimDevice::word).join(", ");
        refuse(format!("use SIZE@DEVICE with {known} or nvme, such as 16G@nvme"))
    })?;
    let size = units::parse_size(size).filter(|size| *size >= SMALLEST);
    // Slots are u32: an area of 16T loses its last page.
    let pages = size.map(|size| size.0 / 4096).filter(|pages| *pages <= MOST_PAGES);
    let slots = pages.map(|pages| u32::try_from(pages).unwrap_or(u32::MAX));
    let slots =
        slots.ok_or_else(|| refuse("use a size from 40K to 16T, such as 16G".to_owned()))?;
    let path = format!("+{number}:{first}");
    let mut area = AreaSetup { path, device, slots, priority: None, node: None, discards: false };
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match (key, value.parse::<u32>()) {
            ("priority", Ok(value @ 0..=32767)) => area.priority = i32::try_from(value).ok(),
            ("node", Ok(value)) if value < nodes => area.node = Some(value),
            ("priority", _) => return Err(refuse("priority is from 0 to 32767".to_owned())),
            ("node", _) => return Err(refuse(format!("node is from 0 to {}", nodes - 1))),
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

fn used(view: &SampleView<'_>) -> Reading<Bytes> {
    view.now.swaps.reading.as_ref().and_then(|areas| used_bytes(areas)).map(Bytes)
}

/// The growth of used swap in bytes per second: as typed, or measured.
fn growth(args: &WhatIfArgs, view: &SampleView<'_>) -> Result<Reading<f64>, CommandError> {
    let Some(text) = &args.rate else {
        let rise = view.rise(|snapshot| &snapshot.swaps, |areas| used_bytes(areas));
        return Ok(rise.and_then(|rate| {
            if rate > 0.0 {
                Reading::Known(rate)
            } else {
                Reading::absent("used swap does not grow")
            }
        }));
    };
    let size = units::parse_size(text).filter(|size| size.0 > 0);
    let size = size.ok_or_else(|| {
        let text = name::safe_text(text);
        CommandError::Usage(format!("--rate \"{text}\": use a size per second, such as 10M"))
    })?;
    Ok(Reading::Known(size.0 as f64))
}

fn print(
    args: &WhatIfArgs,
    cases: &[PredictedCase],
    notes: &[String],
    view: &SampleView<'_>,
    environment: &Environment,
) -> Result<(), CommandError> {
    let columns = args.json.then_some("all");
    let tables = what_if::tables(cases, columns).map_err(CommandError::Usage)?;
    if args.json {
        let tables = tables.into_iter().map(|(spec, rows)| (spec, Reading::Known(rows))).collect();
        let (snapshot, seconds) = (view.now, view.seconds());
        let document =
            ReportDocument { command: "what-if", snapshot, seconds, tables, whole: false };
        return Out::new().json(&document, true);
    }
    let width = out::text_width(environment.width);
    let look =
        TableOptions { bytes: args.bytes, width: environment.width, ..TableOptions::default() };
    let mut lines = Vec::new();
    let mut words = what_if::describe(cases);
    for (_, rows) in tables.iter().filter(|(_, rows)| !rows.cells.is_empty()) {
        lines.extend(table::lines(rows, look));
        lines.push(String::new());
    }
    words.push(what_if::describe_limits(cases));
    words.extend((!notes.is_empty()).then(|| notes.join(" ")));
    let paragraphs: Vec<_> = words.iter().map(|words| text::wrap(words, width)).collect();
    let empty_line = String::new();
    lines.extend(paragraphs.join(&empty_line));
    Out::new().lines(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_to_add_has_size_and_device() {
        let area = parse_area("16G@nvme,priority=5,node=1", 1, 2).unwrap();
        assert_eq!((area.slots, area.device), (4 << 20, SimDevice::SolidState));
        assert_eq!(parse_area("16T@ssd", 1, 1).unwrap().slots, u32::MAX);
        assert_eq!(
            (area.priority, area.node, area.path.as_str()),
            (Some(5), Some(1), "+1:16G@nvme")
        );
        for (typed, why) in [
            ("16G", "SIZE@DEVICE"),
            ("16G@tape", "zram, ssd, disk, file, file-on-disk or nvme"),
            ("1K@ssd", "from 40K to 16T"),
            ("99T@ssd", "from 40K to 16T"),
            ("17T@ssd", "from 40K to 16T"),
            ("1G@ssd,node=2", "node is from 0 to 1"),
            ("1G@ssd,priority=-3", "priority is from 0 to 32767"),
            ("1G@ssd,speed=9", "unknown key speed"),
        ] {
            let error = parse_area(typed, 1, 2).unwrap_err();
            assert!(error.contains(why), "{typed}: {error}");
        }
    }
}
