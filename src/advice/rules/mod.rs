//! Rules by subject: each rule is a declaration and a function. Its tests hold a scenario that it reports
//! and a similar one that it does not.

mod boot;
mod cgroup_swap;
mod fill;
mod folios;
mod hibernation;
mod interrupted;
mod memory;
mod order;
mod pressure;
mod readahead;
mod space;
mod zram;

pub use interrupted::interrupted_changes;

use super::Rule;

/// Rules whose subjects grow in number while a machine runs: cgroups and numbers of changes.
pub const UNBOUNDED_SUBJECTS: [&str; 3] =
    [cgroup_swap::OOM_KILLS.id, cgroup_swap::CGROUP_SWAP.id, interrupted::INTERRUPTED.id];

/// All rules. Findings of equal severity and certainty are listed in this order.
pub static RULES: &[Rule] = &[
    pressure::MEMORY_PRESSURE,
    cgroup_swap::OOM_KILLS,
    cgroup_swap::CGROUP_SWAP,
    interrupted::INTERRUPTED,
    space::SWAP_FULL,
    space::NO_SWAP,
    zram::ZRAM_LIMIT,
    order::MIXED_PRIORITY,
    order::FASTER_BEHIND,
    order::ROTATIONAL_EQUAL,
    fill::ONE_BY_ONE,
    fill::UNBALANCED,
    fill::LRU_INVERSION,
    memory::ZSWAP_ZRAM,
    memory::ZSWAP_BYPASSED,
    zram::ZRAM_RATIO,
    zram::ZRAM_HUGE,
    folios::FOLIOS_SPLIT,
    readahead::READAHEAD_WASTED,
    readahead::READAHEAD_DEVICE,
    readahead::READAHEAD_ZRAM,
    pressure::SWAPPINESS,
    space::SWAPOFF_FIT,
    memory::METADATA,
    space::AREA_SMALL,
    folios::FRAGMENTED,
    hibernation::HIBERNATION,
    boot::DISCARD,
    boot::BOOT_PRIORITY,
    boot::BOOT_STALE,
    pressure::IDLE,
];
