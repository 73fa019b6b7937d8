//! The slots that are allocated next.
//!
//! Kernel: `mm/swapfile.c`. Up to 6.12 each area has a next slot per CPU and folio order; later each CPU
//! has a current area and slot per order, and an area on a device that seeks has one for all CPUs; without
//! clusters there is a single one. 0 means none.

use super::copy::AreaRecord;
use super::kernel::SwapInfoAccess;
use super::memory::{KernelMemory, ReadFault, bytes, number, value};
use super::symbols::{self, Symbols};
use crate::model::clusters::NextSlot;
use crate::model::{Missing, Reading};

/// More CPUs than any kernel supports.
const MOST: u64 = 8192;

/// The offsets of per-CPU variables.
pub(super) fn offsets(memory: &impl KernelMemory, symbols: &Symbols) -> Reading<Vec<u64>> {
    let Some((table, count)) = symbols.per_cpu_offset.zip(symbols.nr_cpu_ids) else {
        return unnamed("__per_cpu_offset and nr_cpu_ids").into();
    };
    let read = || -> Result<_, Missing> {
        let count = number(memory, count, 4)?;
        let len = usize::try_from(count).ok().filter(|_| count <= MOST);
        let why = || Missing::failed(format!("{count} processors are more than possible"));
        let bytes = bytes(memory, table, len.ok_or_else(why)? * 8)?;
        Ok(bytes.chunks_exact(8).map(value).collect())
    };
    read().into()
}

fn unnamed(what: &str) -> Missing {
    Missing::absent(format!("/{} does not have {what}", symbols::FILE))
}

/// Next slots by order, of one CPU or of all.
type Places = Vec<(Option<u32>, Vec<u64>)>;

/// The slots of an area that are allocated next.
pub(super) fn read(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    offsets: &Reading<Vec<u64>>,
    (address, area): (u64, &AreaRecord),
) -> Reading<Vec<NextSlot>> {
    let places = if area.is_by_slots() {
        let first = known.layout.area.next.map(|_| vec![(None, vec![area.next])]);
        first.ok_or_else(unknown)
    } else if area.percpu != 0 || area.is_sequential() {
        of_area(memory, known, offsets, area)
    } else {
        of_processors(memory, known, offsets, address)
    };
    let is_valid = |slot: &u64| (1..area.max).contains(slot);
    // No kernel has more orders than a byte can count.
    let of = |(cpu, slots): (Option<u32>, Vec<u64>)| {
        let slots = (0..=u8::MAX).zip(slots).filter(move |(_, slot)| is_valid(slot));
        slots.map(move |(order, slot)| NextSlot { cpu, order, slot })
    };
    places.map(|places| places.into_iter().flat_map(of).collect()).into()
}

fn unknown() -> Missing {
    Missing::absent("this kernel stores them in a form that swapadm does not know")
}

/// The next slots stored with the area.
fn of_area(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    offsets: &Reading<Vec<u64>>,
    area: &AreaRecord,
) -> Result<Places, Missing> {
    let table = known.layout.next.of_area.ok_or_else(unknown)?;
    let numbers = |start| Ok(table.numbers(&bytes(memory, start, table.end())?).collect());
    match (area.percpu, area.global) {
        (0, 0) => Err(unknown()),
        (0, global) => Ok(vec![(None, numbers(global)?)]),
        (own, _) => of_each(offsets, own, numbers),
    }
}

/// The next slots stored per CPU for all areas.
fn of_processors(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    offsets: &Reading<Vec<u64>>,
    address: u64,
) -> Result<Places, Missing> {
    let (areas, slots) = known.layout.next.of_all.ok_or_else(unknown)?;
    let symbol = known.symbols.percpu_swap_cluster;
    let symbol = symbol.ok_or_else(|| unnamed("percpu_swap_cluster"))?;
    of_each(offsets, symbol, |start| {
        let bytes = bytes(memory, start, areas.end().max(slots.end()))?;
        let own = areas.numbers(&bytes).zip(slots.numbers(&bytes));
        Ok(own.map(|(area, slot)| if area == address { slot } else { 0 }).collect())
    })
}

/// The per-CPU values, from the address to which each CPU's offset is added.
fn of_each(
    offsets: &Reading<Vec<u64>>,
    start: u64,
    numbers: impl Fn(u64) -> Result<Vec<u64>, ReadFault>,
) -> Result<Places, Missing> {
    let mut found = Vec::new();
    for (cpu, offset) in (0..).zip(offsets.get()?) {
        match numbers(start.wrapping_add(*offset)) {
            Ok(slots) => found.push((Some(cpu), slots)),
            // A CPU that is not present has no memory.
            Err(ReadFault::Nowhere) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    if found.is_empty() { Err(ReadFault::Nowhere.into()) } else { Ok(found) }
}

#[cfg(test)]
mod tests;
