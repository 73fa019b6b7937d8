//! Will what is on an area fit elsewhere when the area is taken off?
//!
//! All that is on it comes back to memory. What memory cannot hold must go to the other areas,
//! and the kernel swaps nothing out anywhere until the rest of the drained area fits on those.
//! zram gives memory back as it is emptied, and takes memory as it fills.

use super::{compression, headroom};
use crate::model::cgroup::{Cgroup, Limit};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Reading, Snapshot};

/// One of several areas that are taken off one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving<'a> {
    /// The area.
    pub path: &'a Name,
    /// Is it put on again before the next is taken off?
    pub comes_back: bool,
}

/// What is on it, and what there is for that when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// What must be moved.
    pub moves: Bytes,
    /// Memory that can be had for it.
    pub memory: Bytes,
    /// What the other areas can take, less the memory that zram among them needs for that.
    pub elsewhere: Bytes,
    /// What is free on the other areas: as long as that is less than what is to be moved, the
    /// kernel swaps nothing out.
    pub free: Bytes,
}

impl Drain {
    /// What there is for it in all.
    #[must_use]
    pub fn room(&self) -> Bytes {
        self.memory.saturating_add(self.elsewhere)
    }

    /// Does it fit at all?
    #[must_use]
    pub fn fits(&self) -> bool {
        self.moves <= self.room()
    }
}

/// All of them, in order; the reason if something is not known that counts.
#[must_use]
pub fn drains(snapshot: &Snapshot, leaving: &[Leaving<'_>]) -> Reading<Vec<Drain>> {
    let areas = match snapshot.swaps.reading.get() {
        Ok(areas) => areas,
        Err(missing) => return missing.into(),
    };
    let each = leaving.iter().enumerate().filter_map(|(place, leaves)| {
        let area = areas.iter().find(|area| area.path == *leaves.path)?;
        Some(one(snapshot, areas, area, leaving.get(..place).unwrap_or_default()))
    });
    each.map(Reading::into_result).collect::<Result<Vec<_>, _>>().into()
}

fn one(
    snapshot: &Snapshot,
    areas: &[SwapArea],
    area: &SwapArea,
    before: &[Leaving<'_>],
) -> Reading<Drain> {
    let gone = |other: &SwapArea| before.iter().find(|leaves| *leaves.path == other.path);
    // Those before it are in memory now, at worst.
    let moved = areas.iter().filter(|other| gone(other).is_some());
    let spent = moved.map(|other| grown(snapshot, other).into_result());
    let spent: Reading<Bytes> = spent.sum::<Result<Bytes, _>>().into();
    let others = areas.iter().filter(|other| other.path != area.path);
    let free = others.map(|other| {
        let free = match gone(other) {
            Some(Leaving { comes_back: false, .. }) => Bytes(0),
            Some(_) => other.size,
            None => other.used.get().map(|used| other.size.saturating_sub(*used))?,
        };
        Ok((free, worth(snapshot, other, free)))
    });
    let free: Vec<(Bytes, Bytes)> = match free.collect::<Result<_, Missing>>() {
        Ok(free) => free,
        Err(missing) => return missing.into(),
    };
    let elsewhere: Bytes = free.iter().map(|(_, worth)| *worth).sum();
    let free = free.iter().map(|(free, _)| *free).sum();
    // What those before it left no memory for has gone to the other areas.
    let memory = snapshot
        .memory("MemAvailable")
        .map2(spent, |memory, spent| (memory.saturating_sub(spent), spent.saturating_sub(memory)));
    let room = memory.map(|(memory, lacking)| (memory, elsewhere.saturating_sub(lacking)));
    let back = given_back(snapshot, area);
    let room = room.map(|(memory, elsewhere)| (memory.saturating_add(back), elsewhere));
    area.used.clone().map2(room, |moves, (memory, elsewhere)| Drain {
        moves,
        memory,
        elsewhere,
        free,
    })
}

/// By how much memory is less when all that is on an area is in it.
fn grown(snapshot: &Snapshot, area: &SwapArea) -> Reading<Bytes> {
    let back = given_back(snapshot, area);
    area.used.clone().map(|used| used.saturating_sub(back))
}

/// The memory that an area itself takes, and gives back: none unless it is on zram, and none is
/// promised while zram does not answer.
fn given_back(snapshot: &Snapshot, area: &SwapArea) -> Bytes {
    let devices = snapshot.zram.reading.known().map_or(&[][..], Vec::as_slice);
    let device = devices.iter().find(|device| compression::carries(device, area));
    device.and_then(|device| device.mm.known()).map_or(Bytes(0), |mm| mm.mem_used)
}

/// What so much space on an area is worth: on zram less the memory that it takes to fill it. As
/// long as nothing is known of its ratio it is worth nothing.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are positive")]
fn worth(snapshot: &Snapshot, area: &SwapArea, space: Bytes) -> Bytes {
    let on_zram = snapshot
        .zram
        .reading
        .known()
        .is_some_and(|devices| devices.iter().any(|device| compression::carries(device, area)));
    if !on_zram {
        return space;
    }
    let ratio = headroom::memory_ratio(snapshot).known().copied().unwrap_or(1.0);
    let saved = 1.0 - 1.0 / ratio.max(1.0);
    Bytes((space.0 as f64 * saved) as u64)
}

/// By how much a group is over its limit when as much comes back to it as can. Memory of files is
/// given up before that.
#[must_use]
pub fn over_limit(group: &Cgroup, moves: Bytes) -> Option<Bytes> {
    let Limit::Bytes(limit) = group.memory_max.known()? else { return None };
    let back = group.swap_current.known()?.min(&moves);
    let files = ["inactive_file", "active_file"].map(|name| {
        let stat = group.stat.known();
        let value = |name: &str| stat?.get(name).known().copied();
        value(&format!("total_{name}")).or_else(|| value(name)).unwrap_or(0)
    });
    let memory = group.memory_current.known()?.saturating_sub(Bytes(files.iter().sum()));
    let over = memory.saturating_add(*back).saturating_sub(*limit);
    (over > Bytes(0)).then_some(over)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::snapshot::testing::with_memory;
    use crate::model::swaparea::testing;

    use crate::model::Sampled;

    fn area(path: &str, size: u64, used: u64) -> SwapArea {
        testing::area(path, 1, size << 10, used << 10)
    }

    fn machine(available: u64, areas: Vec<SwapArea>) -> Snapshot {
        let mut snapshot = with_memory(&[("MemAvailable", available)]);
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        snapshot
    }

    #[test]
    fn what_is_on_an_area_goes_to_memory_and_to_the_other_areas() {
        let snapshot = machine(100, vec![area("/a", 500, 300), area("/b", 500, 350)]);
        let (a, b) = ("/a".into(), "/b".into());
        let off = |path| Leaving { path, comes_back: false };
        let kib = |moves, memory, elsewhere, free| Drain {
            moves: Bytes::from_kib(moves),
            memory: Bytes::from_kib(memory),
            elsewhere: Bytes::from_kib(elsewhere),
            free: Bytes::from_kib(free),
        };
        let alone = drains(&snapshot, &[off(&a)]);
        assert_eq!(alone, Reading::Known(vec![kib(300, 100, 150, 150)]));
        assert!(!alone.known().unwrap()[0].fits());
        // An area that comes back empty takes what the next one holds.
        let back = Leaving { path: &a, comes_back: true };
        let both = drains(&snapshot, &[back, off(&b)]);
        assert_eq!(both.known().unwrap()[1], kib(350, 0, 300, 500));
        let third =
            machine(100, vec![area("/a", 500, 300), area("/b", 500, 350), area("/c", 500, 0)]);
        let last = drains(&third, &[off(&a), off(&b)]);
        assert_eq!(
            last.known().unwrap()[1],
            kib(350, 0, 300, 500),
            "what is on c by then is not free"
        );
        let none_left = drains(&snapshot, &[off(&a), off(&b)]);
        assert_eq!(none_left.known().unwrap()[1], kib(350, 0, 0, 0));
    }

    #[test]
    fn without_its_figures_nothing_is_promised() {
        let mut snapshot = machine(100, vec![area("/a", 500, 300)]);
        snapshot.meminfo = Sampled::none();
        let path = "/a".into();
        assert!(
            drains(&snapshot, &[Leaving { path: &path, comes_back: true }]).missing().is_some()
        );
    }
}
