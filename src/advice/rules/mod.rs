//! One rule in each file, each with a scenario in which it speaks and one close to it in which it
//! does not.

mod area_small;
mod boot_priority;
mod boot_stale;
mod discard;
mod folios_split;
mod fragmented;
mod hibernation;
mod idle;
mod metadata;
mod mixed_priority;
mod no_swap;
mod readahead_device;
mod readahead_wasted;
mod readahead_zram;
mod rotational_equal;
mod swap_full;
mod swapoff_fit;
mod swappiness;
mod thrashing;
mod unbalanced;
mod zram_behind;
mod zram_huge;
mod zram_limit;
mod zram_ratio;
mod zswap_zram;

use super::Rule;

/// All rules; of findings that are equally bad, those of the first come first.
pub static RULES: &[Rule] = &[
    thrashing::RULE,
    swap_full::RULE,
    no_swap::RULE,
    zram_limit::RULE,
    mixed_priority::RULE,
    zram_behind::RULE,
    rotational_equal::RULE,
    unbalanced::RULE,
    zswap_zram::RULE,
    zram_ratio::RULE,
    zram_huge::RULE,
    folios_split::RULE,
    readahead_wasted::RULE,
    readahead_device::RULE,
    readahead_zram::RULE,
    swappiness::RULE,
    swapoff_fit::RULE,
    metadata::RULE,
    area_small::RULE,
    fragmented::RULE,
    hibernation::RULE,
    discard::RULE,
    boot_priority::RULE,
    boot_stale::RULE,
    idle::RULE,
];
