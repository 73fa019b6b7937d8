//! The facts about a machine that decide which swap suits it.

use super::choice::SetupRequest;
use super::profile::MachineProfile;
use super::ratio::RatioBasis;
use crate::change::machine::FULL_PARTS;
use crate::change::{BootConfig, ChangeAttempt, ObservedMachine};
use crate::columns::units::{percent, size};
use crate::derive::hibernation;
use crate::derive::programs;
use crate::derive::selection::policy::{self, Defaults};
use crate::derive::speed::{self, Speed};
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::config::NoEffect;
use crate::model::surroundings::{Surroundings, SwapFilePlace, SwapService};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::users::Process;
use crate::model::zram::Zswap;
use crate::model::{Bytes, Missing, Name, PartSet, Reading, Snapshot, part_set, zram};
use crate::probes::{candidate, memory_sample, surroundings};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Parts of the machine that a setup is proposed from.
pub const SETUP_PARTS: PartSet = FULL_PARTS.with(part_set![Layouts, Hibernation]);
/// Free space below which a file system is no place for a swap file.
const LEAST_FREE: Bytes = Bytes(1 << 30);
/// Largest share of the free space for a swap file, as a divisor.
const FREE_SHARE: u64 = 2;

/// The medium of an area, which decides what can enable it at boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AreaMedium {
    /// A file.
    File,
    /// A partition, which systemd may enable by its type.
    Partition,
    /// A loop device, which does not exist at boot.
    Loop,
    /// A disk or a file behind a network, which starts after swap is enabled at boot.
    Network,
    /// A device of any other kind.
    Device,
}

impl AreaMedium {
    fn recognize(kind: AreaKind, block: Option<&BlockDevice>, speed: Option<Speed>) -> Self {
        match (kind, block) {
            _ if speed == Some(Speed::Remote) => Self::Network,
            (AreaKind::File, _) => Self::File,
            (AreaKind::Partition, Some(block)) if block.kind == BlockKind::Loop => Self::Loop,
            (AreaKind::Partition, Some(block)) if block.parent.known().is_some() => Self::Partition,
            (AreaKind::Partition, _) => Self::Device,
        }
    }

    /// Whether the area can exist when swap is enabled at boot.
    pub(super) fn exists_at_boot(self) -> bool {
        !matches!(self, Self::Loop | Self::Network)
    }
}

/// An active area, or a new one of a setup.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AreaFacts {
    /// Path of the area.
    pub path: Name,
    /// The medium, which decides what can enable it at boot.
    pub medium: AreaMedium,
    /// Size.
    pub size: Bytes,
    /// Used space.
    pub used: Reading<Bytes>,
    /// The priority by which the kernel allocates: -1 for an area that comes first on its node.
    pub priority: i32,
    /// Speed class, if known.
    pub speed: Option<Speed>,
    /// Whether the disk claims to rotate without doing so, as virtio disks do.
    pub is_virtio: bool,
    /// Whether the area is on a flash card, which wears out after few writes.
    pub is_card: bool,
    /// Whether a file or a service enables it at boot, or that is unknown because no file can be read.
    pub is_configured: bool,
}

impl AreaFacts {
    /// Whether the area is on zram.
    pub(super) fn is_zram(&self) -> bool {
        self.speed == Some(Speed::Zram)
    }

    /// A new area, whose priority and speed class alone matter.
    pub(super) fn planned(path: Name, speed: Option<Speed>, priority: i32) -> Self {
        Self {
            path,
            medium: AreaMedium::Device,
            size: Bytes(0),
            used: Reading::Known(Bytes(0)),
            priority,
            speed,
            is_virtio: false,
            is_card: false,
            is_configured: false,
        }
    }
}

/// A place for a swap file that suits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaceFacts {
    /// Path of the file.
    pub file: Name,
    /// Largest size that suits.
    pub room: Bytes,
    /// Type of the file system.
    pub filesystem: String,
    /// Speed class, if known.
    pub speed: Option<Speed>,
    /// Whether the place is on a flash card, which wears out after few writes.
    pub is_card: bool,
    /// The priority by which the kernel allocates on a new file there, unless one is requested.
    pub default_priority: i32,
}

impl PlaceFacts {
    /// The file system and its disk.
    pub(super) fn describe(&self) -> String {
        let class = match self.speed {
            _ if self.is_card => "a flash card",
            Some(Speed::Solid) => "a solid state disk",
            Some(Speed::Rotational) => "a rotational disk",
            Some(Speed::Zram | Speed::Remote) | None => "a disk of unknown speed",
        };
        format!("{} on {class}", self.filesystem)
    }
}

/// The boot configuration of swap.
#[derive(Clone, Debug, Default)]
pub(super) struct SwapAtBoot {
    /// Areas that are enabled at boot.
    pub configured: Vec<Name>,
    /// Why kinds of it have no effect.
    pub without_effect: BTreeSet<NoEffect>,
    /// Services that set up swap by themselves.
    pub services: Vec<SwapService>,
}

/// The facts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SetupFacts {
    /// Memory of the machine.
    pub memory: Bytes,
    /// Page size.
    pub page_size: u64,
    /// CPUs, if known.
    pub cpus: Option<u64>,
    /// Kernel release, if known.
    pub release: Option<String>,
    /// Kind of machine.
    pub profile: MachineProfile,
    /// Why it is of that kind.
    pub profile_reason: String,
    /// Whether this is a virtual machine.
    pub is_virtual: bool,
    /// The active areas.
    pub areas: Vec<AreaFacts>,
    /// Why zram devices cannot be created now; known if they can.
    pub zram: Reading<()>,
    /// Algorithm of the zram device in use as swap.
    pub zram_algorithm: Option<String>,
    /// Algorithms of zram; empty if the kernel does not list them yet.
    pub algorithms: Vec<String>,
    /// Why kinds of boot configuration have no effect, each reason once.
    pub without_effect_at_boot: BTreeSet<NoEffect>,
    /// Whether zram-generator is installed.
    pub has_zram_generator: bool,
    /// Whether systemd-tmpfiles is installed.
    pub has_tmpfiles: bool,
    /// zswap, if the kernel has it.
    pub zswap: Option<Zswap>,
    /// The device that the machine resumes from after hibernation, if one is set.
    pub resume: Option<Name>,
    /// Why the machine may not resume with the present areas, if so.
    pub resume_problem: Option<String>,
    /// Services that set up swap by themselves at boot.
    pub services: Vec<SwapService>,
    /// The best place for a swap file, or why no place suits.
    pub place: Result<PlaceFacts, String>,
    /// The compression ratio.
    pub ratio: RatioBasis,
    /// `vm.swappiness`.
    pub swappiness: Reading<String>,
    /// `vm.page-cluster`.
    pub page_cluster: Reading<String>,
    /// The program that does not start while swap is active, if one runs.
    pub kubelet: Option<&'static str>,
}

impl SetupFacts {
    /// Reads the facts of a machine.
    pub(super) fn read(
        machine: &ObservedMachine<'_>,
        request: &SetupRequest,
    ) -> ChangeAttempt<Self> {
        let (root, snapshot) = (machine.root, &machine.snapshot);
        let around = surroundings::read(root);
        let filesystem = |area: &SwapArea| match area.kind {
            AreaKind::File => candidate::filesystem(root, &area.path).known().cloned(),
            AreaKind::Partition => None,
        };
        let filesystems: Vec<_> = machine.areas()?.iter().map(filesystem).collect();
        let boot = BootConfig::read_config(machine);
        let enabled = boot.entries.into_iter().filter(|(entry, _)| !entry.leaves_area_disabled());
        let at_boot = SwapAtBoot {
            configured: enabled.filter_map(|(_, path)| path).collect(),
            without_effect: boot.without_effect.into_iter().map(|(_, reason)| reason).collect(),
            services: surroundings::swap_services(root),
        };
        let sample = || {
            if !request.sample {
                return Reading::absent("no memory was sampled, as requested");
            }
            let table = snapshot.processes.reading.as_ref();
            table.map2(snapshot.page_size.clone(), |table, page| (table, page)).and_then(
                |(table, page)| {
                    let all: Vec<&Process> = table.processes.iter().map(|it| &**it).collect();
                    memory_sample::read(root, page, &all)
                },
            )
        };
        let ratio = RatioBasis::find(snapshot, sample);
        Self::from_parts(snapshot, &around, (&filesystems, &at_boot), ratio, request)
    }

    /// The facts in what was read.
    pub(super) fn from_parts(
        snapshot: &Snapshot,
        around: &Surroundings,
        (filesystems, at_boot): (&[Option<String>], &SwapAtBoot),
        ratio: RatioBasis,
        request: &SetupRequest,
    ) -> ChangeAttempt<Self> {
        let memory = snapshot.memory("MemTotal").into_result()?;
        let page_size = *snapshot.page_size.get()?;
        let kernel = snapshot.kernel.reading.known();
        let (profile, profile_reason) = match request.profile {
            Some(profile) => (profile, "as requested".to_owned()),
            None => MachineProfile::recognize(snapshot, around, memory),
        };
        let knob = |id: &str| {
            let knobs = snapshot.knobs.reading.as_ref();
            let found = |knobs: &Vec<crate::model::knob::KnobReading>| {
                let found = knobs.iter().find(|knob| knob.id == id);
                found.map_or_else(|| Reading::absent("no such setting"), |it| it.value.clone())
            };
            knobs.and_then(found)
        };
        let hibernation = snapshot.hibernation.reading.known();
        let asked = hibernation.and_then(|it| it.resume.known().or_else(|| it.asked.known()));
        Ok(Self {
            memory,
            page_size,
            cpus: kernel.and_then(|kernel| kernel.cpus.known().copied()),
            release: kernel.and_then(|kernel| kernel.release.known().cloned()),
            profile,
            profile_reason,
            is_virtual: around.is_virtual,
            areas: areas(snapshot, filesystems, at_boot)?,
            zram: around.zram.clone(),
            zram_algorithm: zram_algorithm(snapshot),
            algorithms: algorithms(snapshot),
            without_effect_at_boot: at_boot.without_effect.clone(),
            has_zram_generator: around.has_zram_generator,
            has_tmpfiles: around.has_tmpfiles,
            zswap: snapshot
                .zswap
                .reading
                .known()
                .filter(|it| it.enabled.known().is_some())
                .cloned(),
            resume: asked.cloned(),
            resume_problem: resume_problem(snapshot),
            services: at_boot.services.clone(),
            place: best_place(snapshot, &around.places),
            ratio,
            swappiness: knob("swappiness"),
            page_cluster: knob("page-cluster"),
            kubelet: programs::kubelet(snapshot),
        })
    }

    /// The size of all areas on zram; `None` without any.
    pub(super) fn zram_size(&self) -> Option<Bytes> {
        self.zram_areas().next().map(|_| self.zram_areas().map(|area| area.size).sum())
    }

    /// The areas on zram.
    pub(super) fn zram_areas(&self) -> impl Iterator<Item = &AreaFacts> {
        self.areas.iter().filter(|area| area.is_zram())
    }

    /// Whether zram is set up at boot, or can be.
    pub(super) fn has_zram_at_boot(&self) -> bool {
        self.has_zram_generator || self.zram_areas().any(|area| area.is_configured)
    }

    /// The size of all areas that are not on zram.
    pub(super) fn disk_size(&self) -> Bytes {
        self.disks().map(|area| area.size).sum()
    }

    /// The areas that are not on zram.
    pub(super) fn disks(&self) -> impl Iterator<Item = &AreaFacts> {
        self.areas.iter().filter(|area| !area.is_zram())
    }

    /// Whether all disk swap is on flash cards, which writes wear out. Where the disk of an area is not known, that of
    /// the best place for a file counts.
    pub(super) fn is_only_on_cards(&self) -> bool {
        let is_place_card = self.place.as_ref().is_ok_and(|place| place.is_card);
        let is_card = |area: &AreaFacts| area.is_card || area.speed.is_none() && is_place_card;
        self.disks().next().is_some() && self.disks().all(is_card)
    }

    /// Whether zswap stores pages now.
    pub(super) fn is_zswap_on(&self) -> bool {
        self.zswap.as_ref().is_some_and(|zswap| zswap.enabled == Reading::Known(true))
    }

    /// Whether zswap can write cold pages to the disk before its pool is full, and does not. On flash cards it should
    /// not.
    pub(super) fn is_shrinker_off(&self) -> bool {
        let shrinker = self.zswap.as_ref().map(|zswap| &zswap.shrinker_enabled);
        shrinker == Some(&Reading::Known(false)) && !self.is_only_on_cards()
    }

    /// The machine on one line.
    pub(super) fn describe(&self) -> String {
        let mut text = format!("{} of memory", size(self.memory));
        if let Some(cpus) = self.cpus {
            let _ = write!(text, ", {cpus} CPU{}", if cpus == 1 { "" } else { "s" });
        }
        text.push_str(if self.is_virtual { ", virtual machine" } else { "" });
        match (self.areas.is_empty(), &self.place) {
            (true, Ok(place)) => {
                let _ = write!(text, ", no swap, {}", place.describe());
            }
            (true, Err(_)) => text.push_str(", no swap"),
            (false, _) => {
                let all: Vec<String> = self.areas.iter().map(AreaFacts::describe).collect();
                let _ = write!(text, ", swap on {}", all.join(", "));
            }
        }
        match &self.resume {
            Some(device) => {
                let _ = write!(text, ", hibernates to {}", device.safe());
            }
            None => text.push_str(", no hibernation"),
        }
        text
    }
}

impl AreaFacts {
    fn describe(&self) -> String {
        let class = match self.speed {
            Some(Speed::Zram) => String::new(),
            Some(_) | None if self.is_virtio => ", virtio".to_owned(),
            Some(class) => format!(", {}", class.word()),
            None => ", unknown speed".to_owned(),
        };
        let share = |used: &Bytes| used.0 as f64 / self.size.0.max(1) as f64;
        let used = self.used.known().map(|used| format!("{} used", percent(share(used))));
        let used = used.unwrap_or_else(|| "use unknown".to_owned());
        format!("{} ({}{class}, {used})", self.path.safe(), size(self.size))
    }
}

fn areas(
    snapshot: &Snapshot,
    filesystems: &[Option<String>],
    at_boot: &SwapAtBoot,
) -> ChangeAttempt<Vec<AreaFacts>> {
    let areas = snapshot.swaps.reading.get()?;
    let blocks = snapshot.block.reading.known_items();
    let speeds = speed::compared_classes(areas.len(), blocks, filesystems);
    let defaults = policy::defaults(snapshot);
    let page = snapshot.page_size.known().copied().unwrap_or(0);
    let block = |place: usize| blocks.get(place).and_then(Reading::known);
    let rank = |place: usize, area: &SwapArea| {
        let node = block(place).and_then(|block| block.numa_node.known().copied());
        if policy::is_bound(&defaults, node, area.priority) { -1 } else { area.priority }
    };
    let is_unknown = matches!(snapshot.config.reading.missing(), Some(Missing::Failed(_)));
    let is_configured = |path: &Name| {
        let mut services = at_boot.services.iter();
        at_boot.configured.contains(path) || services.any(|service| service.may_enable(path))
    };
    let facts =
        |((place, area), (speed, is_virtio)): ((usize, &SwapArea), speed::ComparedSpeed)| {
            let speed = speed.known().copied();
            // The size of a device includes the page of its header.
            let header = if speed == Some(Speed::Zram) { Bytes(page) } else { Bytes(0) };
            AreaFacts {
                path: area.path.clone(),
                medium: AreaMedium::recognize(area.kind, block(place), speed),
                size: area.size.saturating_add(header),
                used: area.used.clone(),
                priority: rank(place, area),
                speed,
                is_virtio,
                is_card: block(place).is_some_and(is_card),
                is_configured: is_unknown || is_configured(&area.path),
            }
        };
    Ok(areas.iter().enumerate().zip(speeds).map(facts).collect())
}

/// Whether a device is on a flash card.
fn is_card(block: &BlockDevice) -> bool {
    let disks = block.disks.known_items();
    disks.iter().any(|disk| disk.starts_with("mmcblk"))
}

/// Why the machine may not resume with the present areas, if that is known.
fn resume_problem(snapshot: &Snapshot) -> Option<String> {
    let (summary, sentence) = hibernation::problem(snapshot).ok()??.describe(snapshot.areas());
    Some(format!("{summary}. {}", sentence.trim_end_matches('.')))
}

/// The algorithms of zram, which each device lists.
fn algorithms(snapshot: &Snapshot) -> Vec<String> {
    let devices = snapshot.zram.reading.known_items();
    let listed = devices.iter().find_map(|device| device.algorithm.known());
    listed.map_or_else(Vec::new, |choice| choice.offered.to_vec())
}

/// The algorithm of the first zram device that is swap.
fn zram_algorithm(snapshot: &Snapshot) -> Option<String> {
    let areas = snapshot.swaps.reading.known()?;
    let number = areas.iter().find_map(|area| zram::device_number(&area.path))?;
    let device =
        snapshot.zram.reading.known()?.iter().find(|it| it.name == format!("zram{number}"));
    Some(device?.algorithm.known()?.current.clone())
}

/// The best place for a swap file: solid state before others, then in the order given.
fn best_place(snapshot: &Snapshot, places: &[SwapFilePlace]) -> Result<PlaceFacts, String> {
    let mut fit = Vec::new();
    let mut refusals = Vec::new();
    for place in places {
        match place_facts(snapshot, place) {
            Ok(facts) => fit.push(facts),
            Err(why) => refusals.push(why),
        }
    }
    fit.sort_by_key(|place| (place.is_card, place.speed != Some(Speed::Solid)));
    fit.into_iter().next().ok_or_else(|| match refusals.first() {
        Some(why) => why.clone(),
        None => "no mounted file system was found".to_owned(),
    })
}

fn place_facts(snapshot: &Snapshot, place: &SwapFilePlace) -> Result<PlaceFacts, String> {
    let filesystem = place.filesystem.get().map_err(|missing| missing.why())?.clone();
    let free = *place.free.get().map_err(|missing| missing.why())?;
    if free < LEAST_FREE {
        return Err(format!("only {} are free for {}", size(free), place.file.safe()));
    }
    let speed = speed::speed_class(&place.device, Some(&filesystem)).known().copied();
    let device = place.device.known();
    let node = device.and_then(|device| device.numa_node.known().copied());
    let is_virtio = device.is_some_and(speed::is_virtio);
    Ok(PlaceFacts {
        file: place.file.clone(),
        room: Bytes(free.0 / FREE_SHARE),
        filesystem,
        // A virtio disk only claims to rotate.
        speed: if is_virtio { None } else { speed },
        is_card: device.is_some_and(is_card),
        default_priority: default_priority(snapshot, node),
    })
}

/// The priority by which the kernel allocates on a new area of this node without a requested one: up to 6.18 below all
/// others, but first on its node.
fn default_priority(snapshot: &Snapshot, node: Option<i32>) -> i32 {
    let defaults = policy::defaults(snapshot);
    if defaults == Reading::Known(Defaults::Alike) || policy::is_bound(&defaults, node, -1) {
        return -1;
    }
    let lowest = snapshot.areas().iter().map(|area| area.priority).min();
    lowest.unwrap_or(-1).min(-1) - 1
}
