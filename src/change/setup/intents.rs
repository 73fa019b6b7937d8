//! From the chosen values to the changes that make them.

use super::facts::{AreaFacts, AreaMedium, SetupFacts};
use super::rules::areas::{NewPriorities, areas_after, gain_of_tiers, remaining_areas};
use super::rules::{ChosenSetup, Compression, DiskChoice};
use crate::actions::rebalance::Strategy;
use crate::change::format::FormatIntent;
use crate::change::zram::{ZramChange, ZramIntent, ZramParameters};
use crate::change::{ChangeAttempt, ChangeError, Intent, Setting, SwaponOptions};
use crate::derive::speed::Speed;
use crate::model::activation::{MAX_PRIORITY, Priority};
use crate::model::{Bytes, Name, zram};

/// The distance of a new zram device from the highest priority that there is.
const STEP: u16 = 10;

/// The changes, in the order in which they are made.
pub(super) fn intents(facts: &SetupFacts, chosen: &ChosenSetup) -> ChangeAttempt<Vec<Intent>> {
    let mut all = Vec::new();
    all.extend(set(zswap_settings(facts, chosen)));
    all.extend(zram(facts, chosen)?);
    if let (DiskChoice::File(size), Ok(place)) = (chosen.disk, &facts.place) {
        let priority = new_priorities(facts, chosen).0.file.map(Priority::Set);
        let on = Some(SwaponOptions { priority, discard: None });
        all.push(Intent::CreateFile(place.file.clone(), size, FormatIntent::new()?, on));
    }
    all.extend(off(facts, chosen));
    all.extend(at_boot(facts, chosen));
    all.extend(priorities(facts, chosen));
    all.extend(set(settings(chosen)));
    Ok(all)
}

fn set(settings: Vec<(&'static str, String)>) -> Option<Intent> {
    let setting =
        |(knob, value): (&str, String)| (Setting { knob: knob.to_owned(), group: None }, value);
    let all: Vec<_> = settings.into_iter().map(setting).collect();
    (!all.is_empty()).then_some(Intent::Set(all))
}

fn settings(chosen: &ChosenSetup) -> Vec<(&'static str, String)> {
    let wishes = [("swappiness", &chosen.swappiness), ("page-cluster", &chosen.page_cluster)];
    wishes.into_iter().filter_map(|(knob, value)| Some((knob, value.clone()?))).collect()
}

/// zswap in front of zram would compress twice.
fn zswap_settings(facts: &SetupFacts, chosen: &ChosenSetup) -> Vec<(&'static str, String)> {
    if facts.zswap.is_none() {
        return Vec::new();
    }
    let (is_on, wanted) = (facts.is_zswap_on(), chosen.compression == Compression::Zswap);
    let mut all = Vec::new();
    if wanted {
        all.extend(chosen.algorithm.clone().map(|name| ("zswap.compressor", name)));
        let is_off = facts.is_shrinker_off();
        all.extend(is_off.then(|| ("zswap.shrinker_enabled", "true".to_owned())));
    }
    // Without disk swap, zswap does nothing.
    let is_idle = chosen.compression == Compression::None && facts.disks().next().is_none();
    if is_on != wanted && !is_idle {
        all.push(("zswap.enabled", wanted.to_string()));
    }
    all
}

fn zram(facts: &SetupFacts, chosen: &ChosenSetup) -> ChangeAttempt<Option<Intent>> {
    let (Compression::Zram, Some(size)) = (chosen.compression, chosen.size) else {
        return Ok(None);
    };
    let Some(area) = facts.zram_areas().next() else {
        return new_zram(facts, chosen, size).map(Some);
    };
    let number = zram::device_number(&area.path);
    let resized = (Some(size) != facts.zram_size()).then_some(ZramChange::Resize(size));
    let changed = chosen.algorithm.clone().map(ZramChange::Algorithm);
    let count = facts.zram_areas().count();
    match (number, resized, changed) {
        (_, Some(_), _) | (_, _, Some(_)) if count > 1 => Err(ChangeError::Usage(format!(
            "setup changes size and algorithm of one zram device, and {count} are in use: change each with swapadm zram resize and swapadm zram algorithm"
        ))),
        (_, Some(_), Some(_)) => Err(ChangeError::Usage(format!(
            "size and algorithm of {} change one after the other: choose one of them, then run swapadm setup again",
            area.path.safe()
        ))),
        (Some(number), Some(change), None) | (Some(number), None, Some(change)) => {
            Ok(Some(Intent::Zram(ZramIntent::Device(number, change))))
        }
        (None, ..) | (Some(_), None, None) => Ok(None),
    }
}

fn new_zram(facts: &SetupFacts, chosen: &ChosenSetup, size: Bytes) -> ChangeAttempt<Intent> {
    let number = new_priorities(facts, chosen).0.zram;
    let setup = ZramParameters {
        size: Some(size),
        algorithm: chosen.algorithm.clone(),
        ..ZramParameters::default()
    };
    let options = SwaponOptions { priority: Some(Priority::Set(number)), discard: None };
    Ok(Intent::Zram(ZramIntent::Swap(None, setup, FormatIntent::new()?, options)))
}

/// The areas that are no longer wanted. A zram device is reset as well, to free the memory for its table.
fn off(facts: &SetupFacts, chosen: &ChosenSetup) -> Vec<Intent> {
    let (zram, disks): (Vec<_>, Vec<_>) = facts.areas.iter().partition(|area| area.is_zram());
    let disks: Vec<Name> = disks.into_iter().map(|area| area.path.clone()).collect();
    let retire = |area: &AreaFacts| {
        let number = zram::device_number(&area.path)?;
        Some(Intent::Zram(ZramIntent::Device(number, ZramChange::Retire)))
    };
    let mut all = Vec::new();
    if chosen.compression != Compression::Zram {
        all.extend(zram.into_iter().filter_map(retire));
    }
    if chosen.disk == DiskChoice::None && !disks.is_empty() {
        all.push(Intent::Off(disks));
    }
    all
}

/// Whether all disk swap is on partitions that no file enables at boot, and stays like that: systemd may then enable
/// them by their type, which it does only while fstab has no swap.
pub(super) fn is_left_to_systemd(facts: &SetupFacts, chosen: &ChosenSetup) -> bool {
    let is_unlisted =
        |area: &AreaFacts| area.medium == AreaMedium::Partition && !area.is_configured;
    chosen.disk == DiskChoice::Keep
        && facts.disks().all(is_unlisted)
        && priorities(facts, chosen).is_none()
}

/// The areas that stay and that no file enables at boot.
fn at_boot(facts: &SetupFacts, chosen: &ChosenSetup) -> Option<Intent> {
    let is_left = is_left_to_systemd(facts, chosen);
    let stays = |area: &&AreaFacts| {
        if area.is_zram() {
            chosen.compression == Compression::Zram && facts.has_zram_generator
        } else {
            chosen.disk != DiskChoice::None && !is_left && area.medium.exists_at_boot()
        }
    };
    let all = facts.areas.iter().filter(stays).filter(|area| !area.is_configured);
    let names: Vec<Name> = all.map(|area| area.path.clone()).collect();
    (chosen.boot && !names.is_empty()).then(|| Intent::On(names, SwaponOptions::default()))
}

/// New priorities of the areas that stay.
fn priorities(facts: &SetupFacts, chosen: &ChosenSetup) -> Option<Intent> {
    let areas = areas_after(facts, chosen.areas(), NewPriorities::default());
    let kept = remaining_areas(facts, chosen.areas()).count();
    let is_wrong = chosen.tiered && gain_of_tiers(&areas).is_some();
    if kept == areas.len() {
        // Those that leave are not in the way of the others.
        let all_stay = kept == facts.areas.len();
        return (is_wrong && all_stay).then_some(Intent::Rebalance(Strategy::Tiered));
    }
    let moved = new_priorities(facts, chosen).1;
    (!moved.is_empty()).then_some(Intent::Rebalance(Strategy::Custom(moved)))
}

/// The priorities of new areas, and those that present areas get to make way for them: a rebalance does not know areas
/// that do not exist yet.
fn new_priorities(
    facts: &SetupFacts,
    chosen: &ChosenSetup,
) -> (NewPriorities, Vec<(Name, Priority)>) {
    let usual = NewPriorities::default();
    if !chosen.tiered {
        return (usual, Vec::new());
    }
    let remaining = || remaining_areas(facts, chosen.areas());
    let highest = remaining().filter_map(|area| u16::try_from(area.priority).ok()).max();
    let above = highest.filter(|highest| *highest >= usual.zram);
    let zram = above.map_or(usual.zram, |highest| highest.saturating_add(STEP).min(MAX_PRIORITY));
    let by_speed =
        facts.place.as_ref().ok().and_then(|place| Some(priority_of_class(place.speed?)));
    for file in [None, by_speed] {
        let new = NewPriorities { zram, file };
        if gain_of_tiers(&areas_after(facts, chosen.areas(), new)).is_none() {
            return (new, Vec::new());
        }
    }
    // An area of unknown speed keeps its priority.
    let kept = remaining().filter(|area| area.speed.is_none());
    let kept = kept.filter_map(|area| u16::try_from(area.priority).ok()).max();
    let above = kept.map_or(0, |kept| kept.saturating_add(STEP).min(MAX_PRIORITY));
    let zram = usual.zram.max(above);
    let moved = remaining().filter_map(|area| {
        let class = priority_of_class(area.speed?);
        Some((area.path.clone(), Priority::Set(if area.is_zram() { zram } else { class })))
    });
    (NewPriorities { zram, file: by_speed }, moved.collect())
}

/// The priority of an area where the present ones leave no number between them.
fn priority_of_class(speed: Speed) -> u16 {
    match speed {
        Speed::Zram => NewPriorities::default().zram,
        Speed::Solid => 30,
        Speed::Rotational => 20,
        Speed::Remote => 10,
    }
}
