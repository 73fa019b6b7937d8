//! Memory of real kernels for tests, recorded while swap was loaded.

use super::kernel::{self, SwapInfoAccess};
use super::layout::SwapLayout;
use super::memory::{KernelMemory, ReadFault};
use super::symbols::Symbols;
use crate::clock::Clock;
use crate::model::Reading;
use crate::model::clusters::ClusterMap;
use crate::model::swaparea::SwapArea;
use crate::probes::btf::testing::{Builder, parsed};
use crate::probes::btf::{Types, WANTED};
use crate::probes::swaps;
use crate::root::testing::TestTree;
use std::collections::HashMap;

/// A recording of three areas at the same time. The second area that existed is no longer in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded {
    pub(super) release: &'static str,
    /// The structures, in the form of [`Builder::from_text`].
    pub(super) types: &'static str,
    /// Lines of `sym NAME ADDRESS` and of `r ADDRESS BYTES`.
    memory: &'static str,
    /// `/proc/swaps`.
    pub(super) swaps: &'static str,
}

macro_rules! recorded {
    ($release:literal) => {
        Recorded {
            release: $release,
            types: include_str!(concat!("../../../tests/kcore/", $release, ".types")),
            memory: include_str!(concat!("../../../tests/kcore/", $release, ".memory")),
            swaps: include_str!(concat!("../../../tests/kcore/", $release, ".swaps")),
        }
    };
}

pub(super) static RECORDED: [Recorded; 4] =
    [recorded!("6.1"), recorded!("6.12"), recorded!("6.18"), recorded!("7.2")];

pub(super) fn recorded(release: &str) -> &'static Recorded {
    RECORDED.iter().find(|recorded| recorded.release == release).unwrap()
}

impl SwapInfoAccess {
    /// The address of the struct of the n-th area that ever existed.
    pub(super) fn area(&self, memory: &MemoryImage, number: u64) -> u64 {
        memory.long(self.symbols.swap_info + 8 * number)
    }
}

/// Memory byte by byte; other addresses cannot be read.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryImage(HashMap<u64, u8>);

impl MemoryImage {
    pub(super) fn set(&mut self, address: u64, bytes: &[u8]) {
        self.0.extend((address..).zip(bytes.iter().copied()));
    }

    /// All recorded addresses.
    pub(super) fn places(&self) -> Vec<u64> {
        let mut places: Vec<_> = self.0.keys().copied().collect();
        places.sort_unstable();
        places
    }

    pub(super) fn long(&self, address: u64) -> u64 {
        super::memory::number(self, address, 8).unwrap()
    }
}

impl KernelMemory for MemoryImage {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault> {
        for (nth, byte) in (0..).zip(into) {
            let place = address.checked_add(nth).ok_or(ReadFault::Nowhere)?;
            *byte = *self.0.get(&place).ok_or(ReadFault::Nowhere)?;
        }
        Ok(())
    }
}

/// The types of a recorded kernel.
pub(super) fn types(recorded: &Recorded) -> Types {
    parsed(Builder::from_text(recorded.types), &WANTED).unwrap()
}

impl Recorded {
    pub(super) fn known(&self) -> SwapInfoAccess {
        let hex = |text: &str| u64::from_str_radix(text, 16).unwrap();
        let find = |wanted: &str| {
            let mut words = self.memory.lines().map(|line| line.split(' ').collect::<Vec<_>>());
            words.find(|words| words[..2] == ["sym", wanted]).map(|words| hex(words[2]))
        };
        let symbols = Symbols {
            swap_info: find("swap_info").unwrap(),
            nr_swapfiles: find("nr_swapfiles").unwrap(),
            per_cpu_offset: find("__per_cpu_offset"),
            nr_cpu_ids: find("nr_cpu_ids"),
            percpu_swap_cluster: find("percpu_swap_cluster"),
            mem_cgroup_private_ids: find("mem_cgroup_private_ids"),
        };
        SwapInfoAccess { symbols, layout: SwapLayout::from_types(&types(self), 512).unwrap() }
    }

    pub(super) fn memory(&self) -> MemoryImage {
        let mut memory = MemoryImage::default();
        for line in self.memory.lines().filter_map(|line| line.strip_prefix("r ")) {
            let (address, digits) = line.split_once(' ').unwrap();
            let digit = |digit: &u8| char::from(*digit).to_digit(16).unwrap();
            let byte = |pair: &[u8]| u8::try_from(digit(&pair[0]) * 16 + digit(&pair[1])).unwrap();
            let bytes: Vec<u8> = digits.as_bytes().chunks(2).map(byte).collect();
            memory.set(u64::from_str_radix(address, 16).unwrap(), &bytes);
        }
        memory
    }

    pub(super) fn rows(&self) -> Vec<SwapArea> {
        let tree = TestTree::with(&[("proc/swaps", self.swaps)]);
        swaps::read(&tree.root()).into_result().unwrap()
    }
}

/// The clusters of the areas with these rows.
pub(super) fn of_areas(
    memory: &impl KernelMemory,
    clock: &Clock,
    known: &SwapInfoAccess,
    rows: &[SwapArea],
    page: u64,
) -> Reading<Vec<Reading<ClusterMap>>> {
    let bound = kernel::match_rows(memory, known, rows, page);
    bound.map(|areas| kernel::maps(memory, clock, known, areas))
}
