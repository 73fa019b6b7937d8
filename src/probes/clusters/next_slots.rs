//! Where the next slots are taken.
//!
//! Kernel: `mm/swapfile.c`. Up to 6.12 each area has, for each processor, a slot for each order of folios;
//! since then each processor has the areas and slots that it is at, and an area on a device that
//! seeks has one for all processors; without clusters there is a single one. 0 stands for none.

use super::copy::AreaRecord;
use super::kernel::SwapInfoAccess;
use super::memory::{ReadFault, KernelMemory, bytes, number, value};
use super::symbols::{self, Symbols};
use crate::model::clusters::NextSlot;
use crate::model::{Missing, Reading};

/// More processors than any kernel is built for.
const MOST: u64 = 8192;

/// What is added to an address for each processor.
pub(super) fn offsets(memory: &impl KernelMemory, symbols: &Symbols) -> Reading<Vec<u64>> {
    let Some((table, count)) = symbols.per_cpu_offset.zip(symbols.nr_cpu_ids) else {
        return unnamed("__per_cpu_offset and nr_cpu_ids").into();
    };
    let read = || -> Result<_, Missing> {
        let count = number(memory, count, 4)?;
        let len = usize::try_from(count).ok().filter(|_| count <= MOST);
        let why = || Missing::failed(format!("{count} processors are more than there can be"));
        let bytes = bytes(memory, table, len.ok_or_else(why)? * 8)?;
        Ok(bytes.chunks_exact(8).map(value).collect())
    };
    read().into()
}

fn unnamed(what: &str) -> Missing {
    Missing::absent(format!("/{} does not name {what}", symbols::FILE))
}

/// Slots by order, of a processor; or of all of them.
type Places = Vec<(Option<u32>, Vec<u64>)>;

/// Where slots of an area are taken next.
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
    Missing::absent("this kernel keeps them in a form that this program does not know")
}

/// Those that are kept with the area.
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

/// Those that processors keep, whatever the area.
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

/// Those of each processor, from the address to which its own offset is added.
fn of_each(
    offsets: &Reading<Vec<u64>>,
    start: u64,
    numbers: impl Fn(u64) -> Result<Vec<u64>, ReadFault>,
) -> Result<Places, Missing> {
    let mut found = Vec::new();
    for (cpu, offset) in (0..).zip(offsets.get()?) {
        match numbers(start.wrapping_add(*offset)) {
            Ok(slots) => found.push((Some(cpu), slots)),
            // A processor that is not there has no memory.
            Err(ReadFault::Nowhere) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    if found.is_empty() { Err(ReadFault::Nowhere.into()) } else { Ok(found) }
}

#[cfg(test)]
mod tests;
