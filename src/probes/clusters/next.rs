//! Where the next slots are taken.
//!
//! Kernel: `mm/swapfile.c`. Up to 6.12 each area has, for each processor, a slot for each order of folios;
//! since then each processor has the areas and slots that it is at, and an area on a device that
//! seeks has one for all processors; without clusters there is a single one. 0 stands for none.

use super::copy::Described;
use super::layout::{Layout, Table};
use super::memory::{Fault, Memory, bytes, number};
use super::symbols::Symbols;
use crate::model::clusters::Next;

/// More processors than any kernel is built for.
const MOST: u64 = 8192;

/// What is added to an address for each processor.
pub(super) fn offsets(memory: &impl Memory, symbols: &Symbols) -> Vec<u64> {
    let read = || {
        let (table, count) = symbols.per_cpu_offset.zip(symbols.nr_cpu_ids)?;
        let count = number(memory, count, 4).ok().filter(|count| *count <= MOST)?;
        let len = usize::try_from(count).ok()? * 8;
        let bytes = bytes(memory, table, len).ok()?;
        Some(bytes.chunks_exact(8).map(super::memory::value).collect())
    };
    read().unwrap_or_default()
}

/// Where slots of an area are taken next. What cannot be read is left out: a processor that is not there
/// has no memory.
pub(super) fn read(
    memory: &impl Memory,
    layout: &Layout,
    (symbols, offsets): (&Symbols, &[u64]),
    (address, area): (u64, &Described),
) -> Vec<Next> {
    let mut found = Vec::new();
    let mut keep = |cpu: Option<u32>, slots: Vec<u64>| {
        let valid = |slot: &u64| (1..area.max).contains(slot);
        // No kernel has more orders than a byte can count.
        let slots = (0..=u8::MAX).zip(slots).filter(|(_, slot)| valid(slot));
        found.extend(slots.map(|(order, slot)| Next { cpu, order, slot }));
    };
    if area.is_by_slots() {
        keep(None, vec![area.next]);
    } else if let Some(table) = layout.next.of_area {
        if area.percpu != 0 {
            for (cpu, offset) in (0..).zip(offsets) {
                keep(Some(cpu), numbers(memory, table, area.percpu.wrapping_add(*offset)));
            }
        } else if area.global != 0 && area.is_sequential() {
            keep(None, numbers(memory, table, area.global));
        }
    }
    if let Some(((areas, slots), symbol)) = layout.next.of_all.zip(symbols.percpu_swap_cluster) {
        for (cpu, offset) in (0..).zip(offsets) {
            let start = symbol.wrapping_add(*offset);
            let own = numbers(memory, areas, start).into_iter().map(|area| area == address);
            let slots = numbers(memory, slots, start);
            keep(Some(cpu), own.zip(slots).map(|(own, slot)| if own { slot } else { 0 }).collect());
        }
    }
    found
}

fn numbers(memory: &impl Memory, table: Table, start: u64) -> Vec<u64> {
    let read: Result<Vec<u8>, Fault> = bytes(memory, start, table.end());
    read.map(|bytes| table.numbers(&bytes).collect()).unwrap_or_default()
}
