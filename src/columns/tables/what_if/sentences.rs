//! Sentences about what the model predicts.

use super::{PredictedCase, fallback_share};
use crate::columns::{text, units};
use crate::model::{Bytes, Reading};
use crate::sim::assumed::AssumedLoad;
use crate::sim::policy::SelectionPolicy;
use crate::sim::what_if::{AreaPrediction, FULL};

/// Describes the order in which a machine fills its areas.
fn describe_order(case: &PredictedCase) -> String {
    let setup = &case.prediction.setup;
    let kernel = &setup.policy.name;
    let by_node = setup.nodes > 1 && setup.policy.selection == SelectionPolicy::PerNode;
    let mut areas: Vec<&AreaPrediction> = case.prediction.areas.iter().collect();
    areas.sort_by_key(|area| area.position.unwrap_or(u64::MAX));
    let groups = areas.chunk_by(|one, other| one.position == other.position);
    let (mut parts, mut empty) = (Vec::new(), Vec::new());
    for (number, group) in groups.enumerate() {
        let names: Vec<&str> = group.iter().map(|area| area.path.as_str()).collect();
        let together = match (names.len(), by_node) {
            (..=1, _) => "",
            (_, false) => " together",
            (_, true) => " together (each NUMA node begins with its own, so that shares differ)",
        };
        let names = names.join(", ");
        match (number, group.iter().filter_map(|area| area.begins).min()) {
            (_, None) => empty.extend(group.iter().map(|area| area.path.as_str())),
            (0, _) => parts.push(format!("{names} first{together}")),
            (_, Some(begins)) => parts
                .push(format!("{names}{together} once {} of swap are in use", units::size(begins))),
        }
    }
    let order = match (parts.as_slice(), empty.as_slice()) {
        ([], []) => "no swap area".to_owned(),
        ([], _) => "no area is used".to_owned(),
        (_, []) => parts.join(", then "),
        (_, [one]) => format!("{}; {one} stays empty", parts.join(", then ")),
        _ => format!("{}; {} stay empty", parts.join(", then "), empty.join(", ")),
    };
    format!("{} (model of kernel {kernel}): {order}.", text::capitalize(case.name))
}

/// Describes how full swap is at the peak of a workload, and whether processes are killed; none for other loads.
fn describe_peak(case: &PredictedCase) -> Option<String> {
    let share = case.peak_of_workload()?;
    let peak = if share < FULL {
        let (peak, size) = (units::size(case.peak()), units::size(case.size()));
        format!("at most {peak} of {size} of swap are in use")
    } else {
        format!("swap is full ({})", units::percent(share))
    };
    let killed = match case.prediction.killed {
        0 => String::new(),
        1 => ", and 1 process is killed".to_owned(),
        killed => format!(", and {killed} processes are killed"),
    };
    Some(format!("{}: {peak}{killed}.", text::capitalize(case.name)))
}

/// Describes when memory or its limit is full before swap is; none if swap fills first.
fn describe_full_memory(case: &PredictedCase) -> Option<String> {
    let used = case.prediction.memory_full?;
    let time = case.time_until(Reading::Known(used)).into_result();
    let time = time.map_or_else(|_| String::new(), |time| format!(" in {},", units::seconds(time)));
    // What zram stores is compressed too, but no part of the limit.
    let reason = if case.prediction.is_limit_full {
        "the pool of zswap counts towards it".to_owned()
    } else {
        format!("compressed pages take {} of it", units::size(case.prediction.compressed))
    };
    Some(format!(
        "{}: {}{time} once {} of {} of swap are in use: {reason}.",
        text::capitalize(case.name),
        case.full_memory(),
        units::size(used),
        units::size(case.size()),
    ))
}

/// Describes when swap is full.
pub(super) fn describe_times(cases: &[PredictedCase]) -> String {
    let time = |case: &PredictedCase| match case.full_in().into_result() {
        _ if case.size() == Bytes(0) => {
            Ok(format!("{}: there is no swap.", text::capitalize(case.name)))
        }
        Ok(seconds) => Ok(format!(
            "{}: all swap is full in {}.",
            text::capitalize(case.name),
            units::seconds(seconds)
        )),
        Err(missing) => Err(missing.why()),
    };
    let said = |case| {
        describe_peak(case).or_else(|| describe_full_memory(case)).map_or_else(|| time(case), Ok)
    };
    match cases.iter().map(said).collect::<Result<Vec<String>, String>>() {
        Ok(times) => {
            let is_timed = |case: &&PredictedCase| {
                case.full_in().known().is_some() || case.prediction.memory_full.is_some()
            };
            let growth = cases.iter().find(is_timed).and_then(|case| case.growth.known());
            let assumed = growth.map(|growth| format!("Assumed growth: {}.", growth.describe()));
            times.into_iter().chain(assumed).collect::<Vec<_>>().join(" ")
        }
        Err(why) => format!("The time until swap is full is unknown: {why}."),
    }
}

/// The conclusions: order, times, and whether folios are split.
pub(super) fn describe(cases: &[PredictedCase]) -> Vec<String> {
    let mut sentences: Vec<String> = cases.iter().map(describe_order).collect();
    sentences.push(describe_times(cases));
    let has_traffic =
        |case: &PredictedCase| matches!(case.prediction.assumed, AssumedLoad::Traffic(_));
    if cases.iter().any(has_traffic) {
        sentences.push(
            "Large folios: traffic is modelled page by page, so splits are unknown.".to_owned(),
        );
    } else if cases.iter().all(|case| case.prediction.folios.is_empty()) {
        sentences.push("Large folios: no size is enabled, so none is split.".to_owned());
    } else if cases.iter().all(|case| case.prediction.assumed == AssumedLoad::Filling) {
        sentences.push(
            "Large folios: counted in another run, in which short processes come and go until seven tenths of swap are \
             in use."
                .to_owned(),
        );
    }
    sentences.extend(cases.iter().flat_map(describe_few_folios));
    sentences
}

/// Describes which sizes have too few folios for a share.
fn describe_few_folios(case: &PredictedCase) -> impl Iterator<Item = String> {
    case.prediction.folios.iter().filter_map(|folios| {
        let missing = fallback_share(folios).into_result().err()?;
        let (name, size) = (text::capitalize(case.name), units::size(folios.size));
        Some(format!("{name}: FALLBACK% of {size}: {}.", missing.why()))
    })
}

/// Describes how the models of all cases were validated, each kernel once.
fn describe_validations(cases: &[PredictedCase]) -> String {
    let policies = cases.iter().map(|case| &case.prediction.setup.policy);
    let mut sentences: Vec<String> = policies
        .map(|policy| format!("{}.", text::capitalize(&policy.describe_validation())))
        .collect();
    sentences.dedup();
    sentences.join(" ")
}

/// Describes the limits of the model.
pub(super) fn describe_limits(cases: &[PredictedCase]) -> String {
    let scale = cases.iter().map(|case| case.prediction.scale).max().unwrap_or(1);
    let small = if scale > 1 {
        format!(" Areas are modelled at 1/{scale} of their size.")
    } else {
        String::new()
    };
    let models = if cases.len() == 1 { "The model begins" } else { "Both models begin" };
    let load = cases.first().map_or(&AssumedLoad::Filling, |case| &case.prediction.assumed);
    let has_limit = cases.iter().any(|case| case.prediction.setup.limit_pages.is_some());
    let compresses = |case: &PredictedCase| {
        case.prediction.setup.has_zram() || case.prediction.setup.zswap.is_some()
    };
    let contents = match load {
        AssumedLoad::Filling if cases.iter().any(compresses) => {
            " Pages of the model compress to a third, on zram and in zswap."
        }
        AssumedLoad::Traffic(_) if cases.iter().any(compresses) => {
            " Memory is not modelled with traffic, so zram and zswap take pages even if real memory would be full."
        }
        AssumedLoad::Filling | AssumedLoad::Workload(_) | AssumedLoad::Traffic(_) => "",
    };
    format!(
        "SIMULATED: {} {models} with empty areas. {} A real change moves what is in swap first.{small}{contents}",
        describe_validations(cases),
        describe_load_limits(load, has_limit)
    )
}

/// A rate in bytes.
pub(super) fn rate(bytes: f64) -> String {
    format!("{}/s", units::bytes(bytes))
}

/// Describes what the model does not know about the load.
fn describe_load_limits(load: &AssumedLoad, has_limit: bool) -> String {
    match load {
        AssumedLoad::Filling => {
            "The workload is that of the model, not your processes: their order and the contents \
             of their pages may give other figures."
                .to_owned()
        }
        AssumedLoad::Workload(load) => format!(
            "The workload {} runs alone, under {} memory limit: other processes, and the speed of devices, are not \
             modelled.",
            load.name,
            if has_limit { "the machine's" } else { "its" }
        ),
        AssumedLoad::Traffic(traffic) => format!(
            "Traffic is as measured: {} out and {} in, used swap changes by {}{}. The model takes slots at these \
             rates until swap is full or was written four times; it does not know which pages return, and draws \
             freed slots at random.",
            rate(traffic.out),
            rate(traffic.back),
            if traffic.growth < 0.0 { "-" } else { "+" },
            rate(traffic.growth.abs()),
        ),
    }
}
