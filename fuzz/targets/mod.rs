//! The fuzz targets: one for each parser of bytes that do not come from this program, or that others could have
//! changed. Used by cargo-fuzz, and by `tests/fuzz_seeds.rs` with the seeds only.
//!
//! A target passes if the parser returns, whatever it returns. Where swapadm also writes the format, what was
//! read is written and read again, and both must be equal.

#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::disallowed_methods,
    reason = "a target stops at the first error, and builds its own files"
)]

mod disks;
mod documents;
mod kernel;
pub mod mutate;
mod tree;

/// Parses an input.
pub type Check = Box<dyn FnMut(&[u8])>;

/// A parser, and how it is called.
pub struct Target {
    /// Name, and folder of the seeds.
    pub name: &'static str,
    /// The longest useful input, in bytes.
    pub longest: usize,
    /// Creates the files that the parser needs besides the input.
    pub open: fn() -> Check,
}

const fn target(name: &'static str, longest: usize, open: fn() -> Check) -> Target {
    Target { name, longest, open }
}

/// All targets.
pub static TARGETS: &[Target] = &[
    target("swaps", 1024, kernel::swaps),
    target("vmstat", 1024, kernel::vmstat),
    target("meminfo", 1024, kernel::meminfo),
    target("pressure", 512, kernel::pressure),
    target("diskstats", 1024, kernel::diskstats),
    target("process_status", 2048, kernel::process_status),
    target("zram_statistics", 1024, kernel::zram_statistics),
    target("block_state", 1024, kernel::block_state),
    target("pagemap", 512, kernel::pagemap),
    target("btf", 4096, kernel::btf),
    target("kallsyms", 2048, kernel::kallsyms),
    target("kcore", 20_000, kernel::kcore),
    target("swap_header", 8192, disks::swap_header),
    target("superblocks", 1024, disks::superblocks),
    target("partition_table", 4096, disks::partition_table),
    target("fstab", 1024, kernel::fstab),
    target("swap_unit", 1024, kernel::swap_unit),
    target("zram_generator", 1024, kernel::zram_generator),
    target("command_line", 1024, kernel::command_line),
    target("service_config", 1024, kernel::service),
    target("zram_tools", 1024, kernel::zram_tools),
    target("dphys_swapfile", 1024, kernel::dphys_swapfile),
    target("sysctl", 1024, kernel::sysctl),
    target("swap_tiers", 512, kernel::swap_tiers),
    target("kernel_log", 512, kernel::kernel_log),
    target("mounts", 1024, kernel::mounts),
    target("mappings", 2048, kernel::mappings),
    target("cgroup", 2048, kernel::cgroup),
    target("workload", 4096, documents::workload),
    target("experiment", 4096, documents::experiment),
    target("settings", 4096, documents::settings),
    target("state", 4096, documents::state),
    target("machine", 4096, documents::machine),
    target("costs", 4096, documents::costs),
    target("lesson", 8192, documents::lesson),
    target("progress", 1024, documents::progress),
    target("recording", 4096, documents::recording),
    target("snapshot", 20_000, documents::snapshot),
    target("result", 20_000, documents::result),
    target("journal", 8192, documents::journal),
    target("filter", 512, documents::filter),
    target("name", 512, documents::name),
    target("http", 512, documents::http),
];
