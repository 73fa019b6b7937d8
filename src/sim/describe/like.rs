//! A machine file from the snapshot of a machine.

use super::super::cost::SimDevice;
use super::super::machine::MachineSetup;
use super::super::policy::{KernelPolicy, PRESETS};
use super::{AreaSetup, MAX_MEMORY, PAGE_BYTES, ZswapSetup, pages};
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Reading, Snapshot};

/// The numbers of a release such as 6.12.43-amd64.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The newest preset that is not newer than a release; the oldest one before that.
fn preset_for(release: &str) -> Option<&'static str> {
    let release = version(release)?;
    let is_older = |name: &&str| version(name).is_some_and(|preset| preset <= release);
    PRESETS.iter().rev().copied().find(is_older).or(PRESETS.first().copied())
}

impl MachineSetup {
    /// A machine with the kernel, memory, CPUs and areas of a snapshot. The error says what the snapshot
    /// lacks.
    pub fn like(snapshot: &Snapshot, name: &str) -> Result<Self, String> {
        let lacks = |part: &str, why: String| format!("no machine file: {part} is missing ({why})");
        let kernel =
            snapshot.kernel.reading.get().map_err(|missing| lacks("the kernel", missing.why()))?;
        let release =
            kernel.release.get().map_err(|missing| lacks("the release", missing.why()))?;
        let preset = preset_for(release).ok_or_else(|| {
            lacks("the kernel's version", format!("{release} does not begin with one"))
        })?;
        let memory = snapshot.memory("MemTotal");
        let memory = memory.get().map_err(|missing| lacks("MemTotal", missing.why()))?;
        let areas = snapshot.swaps.reading.get().map_err(|missing| lacks("swap", missing.why()))?;
        if areas.is_empty() {
            return Err(lacks("swap", "no area is enabled".to_owned()));
        }
        let nodes = snapshot.numa.reading.known().map_or(1, |nodes| nodes.len().max(1));
        let device = |place: usize| snapshot.block.reading.known()?.get(place)?.known();
        let areas = areas.iter().enumerate().map(|(place, area)| setup_of(area, device(place)));
        Ok(Self {
            name: name.to_owned(),
            about: format!("Like {name}, which ran kernel {release}."),
            policy: KernelPolicy::parse(preset).map_err(|error| error.to_string())?,
            memory_pages: pages(Bytes(memory.0.min(MAX_MEMORY))),
            cpus: kernel
                .cpus
                .known()
                .and_then(|cpus| u32::try_from(*cpus).ok())
                .unwrap_or(1)
                .max(1),
            nodes: u32::try_from(nodes).unwrap_or(1),
            page_cluster: page_cluster(snapshot).unwrap_or(3),
            folio_orders: folio_orders(snapshot),
            zswap: zswap(snapshot),
            areas: areas.collect(),
            seed: 1,
        })
    }
}

fn setup_of(area: &SwapArea, device: Option<&BlockDevice>) -> AreaSetup {
    let rotates = |device: &BlockDevice| device.rotational.known() == Some(&true);
    let kind = match device {
        _ if area.kind == AreaKind::File => SimDevice::File,
        Some(device) if matches!(device.kind, BlockKind::Zram | BlockKind::Ram) => SimDevice::Zram,
        Some(device) if rotates(device) => SimDevice::Rotational,
        Some(_) | None => SimDevice::SolidState,
    };
    let node = device.and_then(|device| device.numa_node.known());
    AreaSetup {
        path: area.path.safe(),
        device: kind,
        // The header takes a slot.
        slots: pages(Bytes(area.size.0.saturating_add(PAGE_BYTES))),
        // Only the kernel gives negative priorities.
        priority: (area.priority >= 0).then_some(area.priority),
        node: node.and_then(|node| u32::try_from(*node).ok()),
        discards: false,
    }
}

fn page_cluster(snapshot: &Snapshot) -> Option<u32> {
    let knobs = snapshot.knobs.reading.known()?;
    let knob = knobs.iter().find(|knob| knob.id == "page-cluster")?;
    knob.value.known()?.parse().ok().filter(|cluster| *cluster <= 31)
}

/// Orders of the folio sizes that are enabled for all mappings.
fn folio_orders(snapshot: &Snapshot) -> Vec<u8> {
    let Reading::Known(thp) = &*snapshot.thp.reading else { return Vec::new() };
    let all = thp.enabled.known().is_some_and(|choice| choice.current == "always");
    let sizes = thp.sizes.known().map_or(&[][..], Vec::as_slice);
    let enabled = sizes.iter().filter(|size| {
        size.enabled.known().is_some_and(|choice| {
            choice.current == "always" || (choice.current == "inherit" && all)
        })
    });
    let orders =
        enabled.filter_map(|size| u8::try_from((size.size.0 / PAGE_BYTES).checked_ilog2()?).ok());
    orders.filter(|order| (1..super::ORDERS).contains(order)).collect()
}

/// Settings of zswap, if it is enabled.
fn zswap(snapshot: &Snapshot) -> Option<ZswapSetup> {
    let zswap = snapshot.zswap.reading.known()?;
    let share = |percent: &Reading<u64>, default: u64| {
        percent.known().copied().unwrap_or(default).clamp(1, 100) as f64 / 100.0
    };
    (zswap.enabled.known() == Some(&true)).then(|| ZswapSetup {
        max_pool: share(&zswap.max_pool_percent, 20),
        accept: share(&zswap.accept_threshold_percent, 90),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::machine::Machine;
    use super::super::{builtin_machine, read_machine};
    use super::*;
    use crate::model::Stamp;

    #[test]
    fn the_newest_preset_up_to_a_release_is_taken() {
        for (release, preset) in [
            ("6.12.43+deb13-amd64", "6.12"),
            ("6.17.0", "6.12"),
            ("7.3.4", "7.2"),
            ("5.4.0-200-generic", "4.13"),
            ("3.10.0", "4.13"),
        ] {
            assert_eq!(preset_for(release), Some(preset), "{release}");
        }
        assert_eq!(preset_for("unknown"), None);
    }

    /// The snapshot of a simulated machine leads back to its file.
    #[test]
    fn a_machine_is_like_its_snapshot() {
        for name in ["two-nodes", "laptop", "small-disk"] {
            let setup = builtin_machine(name).unwrap().unwrap();
            let like = MachineSetup::like(&Machine::new(setup.clone()).snapshot(), name).unwrap();
            assert_eq!(like.areas, setup.areas);
            let figures = |setup: &MachineSetup| {
                (setup.memory_pages, setup.cpus, setup.nodes, setup.page_cluster)
            };
            assert_eq!(figures(&like), figures(&setup));
            assert_eq!(like.policy, setup.policy);
            assert_eq!(read_machine(name, "file", &like.to_toml()).unwrap(), like);
        }
    }

    #[test]
    fn a_snapshot_without_swap_is_refused_with_the_reason() {
        let empty = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let error = MachineSetup::like(&empty, "x").unwrap_err();
        assert!(error.starts_with("no machine file: the kernel is missing ("), "{error}");
    }
}
