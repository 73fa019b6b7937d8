use super::super::memory::value;
use super::super::testing::{MemoryImage, recorded};
use super::*;
use std::cell::Cell;

/// As many slots as the kernel can count: 16 TiB of pages of 4 KiB.
const SLOTS: u64 = 1 << 32;
/// An address range without other data.
const ARRAY: u64 = 0x7000_0000_0000_0000;
/// Limits of memory per cluster, and of one read, in bytes.
const EACH: usize = 8;
const AT_ONCE: usize = 1 << 20;

/// A recorded kernel with an area whose clusters are all free, except for that of the header.
struct Vast {
    rest: MemoryImage,
    /// A free cluster, and that of the header.
    free: Vec<u8>,
    header: Vec<u8>,
    most: Cell<usize>,
}

impl KernelMemory for Vast {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault> {
        if !(ARRAY..=ARRAY + SLOTS).contains(&address) {
            return self.rest.read(address, into);
        }
        self.most.set(self.most.get().max(into.len()));
        into.chunks_exact_mut(self.free.len()).for_each(|one| one.copy_from_slice(&self.free));
        if address == ARRAY {
            into[..self.header.len()].copy_from_slice(&self.header);
        }
        Ok(())
    }
}

#[test]
fn the_largest_possible_area_takes_little_memory() {
    let recorded = recorded("7.2");
    let (mut rest, known) = (recorded.memory(), recorded.known());
    let (layout, form) = (&known.layout.area, &known.layout.cluster);
    let area = known.area(&rest, 2);
    for (field, word) in [(layout.clusters, ARRAY), (layout.used, 0)] {
        rest.set(area + field.at as u64, &word.to_ne_bytes());
    }
    for (field, count) in [(layout.max, u32::MAX), (layout.pages, u32::MAX - 1)] {
        rest.set(area + field.at as u64, &count.to_ne_bytes());
    }
    let cluster = |taken: u16, list: u8| {
        let mut one = vec![0; form.size];
        one[form.count.at..form.count.at + 2].copy_from_slice(&taken.to_ne_bytes());
        one[form.flags.at] = list;
        one
    };
    let (free, header) = (cluster(0, 1), cluster(2, 2));
    assert_eq!(value(&free[form.flags.at..=form.flags.at]), 1);
    let memory = Vast { rest, free, header, most: Cell::new(0) };
    let copy = copy(&memory, &known.layout, area).unwrap();
    let count = copy.clusters.len();
    assert_eq!((count as u64, copy.partial), (SLOTS.div_ceil(512), None));
    let kept = copy.clusters.capacity() * size_of::<Cluster>() + copy.tables.capacity() * 16;
    assert!(kept <= count * EACH, "{kept} bytes for {count} clusters");
    assert!(memory.most.get() <= AT_ONCE, "{} bytes at once", memory.most.get());
}
