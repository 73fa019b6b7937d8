//! Rules by subject: each rule is a declaration and a function. Its tests hold a scenario that it reports
//! and a similar one that it does not.

mod balance;
mod boot;
mod folios;
mod hibernation;
mod memory;
mod order;
mod pressure;
mod readahead;
mod space;
mod zram;

use super::Rule;

/// All rules. Findings of equal severity and certainty are listed in this order.
pub static RULES: &[Rule] = &[
    pressure::THRASHING,
    space::SWAP_FULL,
    space::NO_SWAP,
    zram::ZRAM_LIMIT,
    order::MIXED_PRIORITY,
    order::ZRAM_BEHIND,
    order::ROTATIONAL_EQUAL,
    balance::UNBALANCED,
    memory::ZSWAP_ZRAM,
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
