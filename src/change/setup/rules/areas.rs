//! Disk swap, and the priorities of areas.

use super::compressed::{CARD, is_far_below, rounded, slots_without_zram};
use super::{Compression, DiskChoice, KEEP, NONE, Rules, TIERED, ValueList};
use crate::change::setup::choice::{SetupChoice, SetupKey};
use crate::change::setup::facts::{AreaFacts, PlaceFacts, SetupFacts};
use crate::change::setup::profile::MachineProfile;
use crate::columns::units::{exact, parse_size, size};
use crate::derive::metadata::Metadata;
use crate::derive::speed::{self, PriorityFault, Speed};
use crate::model::Bytes;

const GIB: u64 = 1 << 30;
/// Smallest swap file that is proposed.
const LEAST_FILE: Bytes = Bytes(256 << 20);

impl Rules<'_> {
    /// Disk swap with this kind of compression.
    pub(super) fn disk(&self, kind: Compression) -> Result<(SetupChoice, DiskChoice), String> {
        let facts = self.facts;
        let names: Vec<String> = facts.disks().map(|area| area.path.safe()).collect();
        let list =
            if names.is_empty() { self.new_disk(kind) } else { self.present_disk(&names, kind) };
        let choice = list.choose(self.request, |text| match text {
            KEEP => Err("there is no disk swap to keep".to_owned()),
            _ => facts.place.as_ref().map(|_| ()).map_err(Clone::clone),
        })?;
        let disk = match choice.chosen.value.as_str() {
            KEEP => DiskChoice::Keep,
            NONE => DiskChoice::None,
            text => parse_size(text).map_or(DiskChoice::None, DiskChoice::File),
        };
        let is_file = matches!(disk, DiskChoice::File(_));
        let cost = if let DiskChoice::File(size) = disk { self.metadata(size) } else { None };
        Ok((SetupChoice { cost, file: is_file.then_some("fstab"), ..choice }, disk))
    }

    fn present_disk(&self, names: &[String], kind: Compression) -> ValueList {
        let facts = self.facts;
        let keep = match facts.resume.as_ref() {
            Some(device) => {
                format!("{} as now; hibernation writes to {}", names.join(", "), device.safe())
            }
            None => format!("{} as now", names.join(", ")),
        };
        let list = ValueList::new(SetupKey::Disk, Some(KEEP.to_owned()));
        let list = match &facts.place {
            Ok(place) => {
                let more = format!("a swap file {} in addition", place.file.safe());
                let needed = self.file_for_zswap().filter(|_| kind == Compression::Zswap);
                if let Some(file) = needed {
                    let now = size(facts.disk_size());
                    let why = format!("{more}: zswap holds no more than the {now} there are");
                    list.with(exact(file), why).with(KEEP, keep)
                } else {
                    let file = self.file_size(place, Compression::Zswap);
                    list.with(KEEP, keep).with(exact(file), more)
                }
            }
            Err(_) => list.with(KEEP, keep),
        };
        let others = if kind == Compression::Zram { " and to zram" } else { "" };
        let why = format!(
            "its contents move to memory{others}; without a disk, hibernation is impossible"
        );
        list.with(NONE, why)
    }

    fn new_disk(&self, kind: Compression) -> ValueList {
        let facts = self.facts;
        let list = ValueList::new(SetupKey::Disk, Some(NONE.to_owned()));
        let place = match &facts.place {
            Ok(place) => place,
            Err(why) => return list.with(NONE, why.clone()),
        };
        let file = self.file_size(place, kind);
        let where_to = format!("{} on {}", place.file.safe(), place.describe());
        let is_wanted = match kind {
            Compression::Zswap => true,
            Compression::None => !place.is_card,
            Compression::Zram => false,
        };
        let is_wanted = is_wanted && facts.kubelet.is_none() && file >= LEAST_FILE;
        if is_wanted {
            let why =
                format!("{where_to}: {}, {}", self.size_rule(place, kind), self.file_reason(kind));
            let double = rounded(Bytes(file.0 * 2));
            return list
                .with(exact(file), why)
                .with_if(double <= place.room, &exact(double), "holds more")
                .with(NONE, "no disk space is used, and no page waits for a disk");
        }
        let none = match (facts.kubelet, kind) {
            (Some(program), _) => format!("{program} does not start while swap is active"),
            (None, Compression::Zram) => {
                "zram alone: no page waits for a disk, and the disk is not worn".to_owned()
            }
            (None, Compression::None) if place.is_card => CARD.to_owned(),
            (None, Compression::Zswap | Compression::None) => {
                format!("only {} suit at {}", size(place.room), place.file.safe())
            }
        };
        let behind = format!(
            "{where_to}, for what zram does not hold; later pages then go to the disk even if they are used more (LRU inversion)"
        );
        list.with(NONE, none).with_if(file >= LEAST_FILE, &exact(file), behind)
    }

    /// How the size of a swap file follows from memory.
    fn size_rule(&self, place: &PlaceFacts, kind: Compression) -> String {
        let (divisor, most) = self.file_share(kind);
        let share = match divisor {
            1 => "as much as memory",
            2 => "half of memory",
            4 => "a quarter of memory",
            _ => "an eighth of memory",
        };
        let wanted = self.facts.memory.0 / divisor;
        match wanted {
            _ if wanted.clamp(GIB, most) > place.room.0 => "half of the free space".to_owned(),
            _ if wanted > most => format!("{share}, at most {}", size(Bytes(most))),
            _ if wanted < GIB => format!("{share}, at least {}", size(Bytes(GIB))),
            _ => share.to_owned(),
        }
    }

    fn file_reason(&self, kind: Compression) -> String {
        match (kind, self.facts.profile) {
            (Compression::Zswap, _) => {
                "which must be large enough for every swapped page, also those that zswap holds"
                    .to_owned()
            }
            (_, MachineProfile::Database) => "for memory that is never needed again".to_owned(),
            _ => "for memory that is hardly used".to_owned(),
        }
    }

    /// The size of a swap file that suits: zswap needs room on the disk for all that it holds.
    fn file_size(&self, place: &PlaceFacts, kind: Compression) -> Bytes {
        let (divisor, most) = self.file_share(kind);
        let wanted = (self.facts.memory.0 / divisor).clamp(GIB, most);
        rounded(Bytes(wanted).min(place.room))
    }

    /// The size of a swap file that zswap needs beside the present disk swap, if it needs one and there is a place.
    pub(super) fn file_for_zswap(&self) -> Option<Bytes> {
        let place = self.facts.place.as_ref().ok().filter(|place| !place.is_card)?;
        let (now, usual) = (self.facts.disk_size(), self.file_size(place, Compression::Zswap));
        let lacking = slots_without_zram(self.facts).saturating_sub(now);
        let lacking = Bytes(lacking.0.next_multiple_of(GIB));
        let is_needed = is_far_below(now, usual) || lacking > Bytes(0);
        is_needed.then(|| usual.max(lacking.min(rounded(place.room))))
    }

    /// The share of memory for a swap file, as a divisor, and its largest size.
    fn file_share(&self, kind: Compression) -> (u64, u64) {
        let (divisor, gib) = match (self.facts.profile, kind) {
            (MachineProfile::Database, _) => (8, 8),
            (MachineProfile::SmallBoard, _) => (1, 4),
            (_, Compression::Zswap) => (2, 16),
            (_, Compression::Zram | Compression::None) => (4, 8),
        };
        (divisor, gib * GIB)
    }

    /// Memory that the kernel needs for an area of this size.
    fn metadata(&self, area: Bytes) -> Option<String> {
        let facts = self.facts;
        let of = |used| {
            let release = facts.release.as_deref()?;
            Some(Metadata::for_area(release, facts.page_size, (area, used)).known()?.all())
        };
        let (empty, full) = (of(Bytes(0))?, of(area)?);
        Some(format!("{} for its metadata, {} when full", size(empty), size(full)))
    }

    /// The priorities; none with fewer than two areas.
    pub(super) fn priorities(
        &self,
        kind: Compression,
        disk: DiskChoice,
    ) -> Result<Option<SetupChoice>, String> {
        let facts = self.facts;
        let has_new_zram = kind == Compression::Zram && facts.zram_areas().next().is_none();
        let areas = areas_after(facts, (kind, disk), NewPriorities::default());
        if areas.len() < 2 {
            return Ok(None);
        }
        let gain = gain_of_tiers(&areas).or(has_new_zram.then_some(FASTER_FIRST));
        let now = if gain.is_some() { KEEP } else { TIERED };
        let why =
            gain.unwrap_or("as now: no slower area is known to be filled before a faster one");
        let list = ValueList::new(SetupKey::Priorities, Some(now.to_owned()))
            .with(TIERED, why)
            .with(KEEP, "present areas keep theirs; new zram gets 100, and a new file the lowest");
        let parse = list.refuse_others();
        Ok(Some(list.choose(self.request, parse)?))
    }
}

/// Priorities of the new areas of a setup.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct NewPriorities {
    /// Priority of a new zram device.
    pub zram: u16,
    /// Priority of a new swap file; `None` for the kernel's default.
    pub file: Option<u16>,
}

impl Default for NewPriorities {
    fn default() -> Self {
        Self { zram: 100, file: None }
    }
}

/// The present areas that stay in a setup.
pub(in super::super) fn remaining_areas(
    facts: &SetupFacts,
    (kind, disk): (Compression, DiskChoice),
) -> impl Iterator<Item = &AreaFacts> {
    facts.areas.iter().filter(move |area| {
        if area.is_zram() { kind == Compression::Zram } else { disk != DiskChoice::None }
    })
}

/// The areas of a setup: those that stay and the new ones.
pub(in super::super) fn areas_after(
    facts: &SetupFacts,
    (kind, disk): (Compression, DiskChoice),
    new: NewPriorities,
) -> Vec<AreaFacts> {
    let mut areas: Vec<AreaFacts> = remaining_areas(facts, (kind, disk)).cloned().collect();
    if kind == Compression::Zram && facts.zram_areas().next().is_none() {
        let speed = Some(Speed::Zram);
        areas.push(AreaFacts::planned("/dev/zram".into(), speed, new.zram.into()));
    }
    if let (DiskChoice::File(_), Ok(place)) = (disk, &facts.place) {
        let priority = new.file.map_or(place.default_priority, i32::from);
        areas.push(AreaFacts::planned(place.file.clone(), place.speed, priority));
    }
    areas
}

const FASTER_FIRST: &str = "faster areas are filled before slower ones";

/// The gain from priorities by speed; none where they have no fault.
pub(in super::super) fn gain_of_tiers(areas: &[AreaFacts]) -> Option<&'static str> {
    let known = areas.iter().filter_map(|area| Some((area.speed?, area.priority)));
    let known: Vec<(Speed, i32)> = known.collect();
    speed::priority_fault(&known).map(|fault| match fault {
        PriorityFault::SlowerFirst => FASTER_FIRST,
        PriorityFault::OneByOne => {
            "areas of one speed share the load instead of filling one by one"
        }
    })
}
