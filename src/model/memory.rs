//! Sharing of memory between snapshots, and the memory that a snapshot takes beyond that.
//!
//! A live view keeps hundreds of similar snapshots: see [`super::Snapshot::share`].

use super::block::{BlockDevice, BlockKind, Disk, DiskStats, Disks};
use super::clusters::{Cluster, ClusterMap, NextSlot, SlotOwner, ZramStored};
use super::config::{ConfigEntry, ConfigKind, ConfiguredArea, NoEffect};
use super::kernel::{Access, Allocator, CgroupMode, Hibernation, Kernel, NumaNode, SwapTier};
use super::knob::KnobReading;
use super::paging::{BracketedChoice, CounterNames, Counters, MthpSize, Pressure, Stall, Thp};
use super::parts::{Part, SourceFacts};
use super::shared::Shared;
use super::subject::{
    CgroupDetail, ContainerNames, LruGeneration, NodeMemory, ProcessDetail, SubjectDetail,
    ThreadWaits,
};
use super::swaparea::InterruptedPlan;
use super::swaparea::{AreaHeader, AreaKind, FileIdentity, FileLayout, SwapArea};
use super::users::{
    Cgroup, CgroupTree, CgroupVersion, Limit, NamedMapping, Process, ProcessTable, SharedMemory,
    SysvSegment, Tmpfs,
};
use super::zram::{BdStat, DebugStat, IoStat, KeptFigures, MmStat, ZramDevice, Zswap};
use super::{Bytes, Missing, Name, Pages, Reading};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// Data that can share heap memory with an earlier sample of it.
pub(super) trait HeapSize {
    /// Shares everything that equals `last`.
    fn share(&mut self, _last: &Self) {}

    /// Estimated heap memory that is not shared with `last`.
    fn own_bytes(&self, last: Option<&Self>) -> usize;
}

/// Size of an allocation of this many bytes.
fn block(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) }
}

/// Size of the reference counts of an `Arc`.
const COUNTS: usize = 2 * size_of::<usize>();

/// Implements [`HeapSize`] for types without heap memory.
macro_rules! flat {
    ($($kind:ty),* $(,)?) => {$(
        impl HeapSize for $kind {
            fn own_bytes(&self, _last: Option<&Self>) -> usize {
                0
            }
        }
    )*};
}

/// Implements [`HeapSize`] field by field. A forgotten field does not compile.
macro_rules! fields {
    ($($kind:ident { $($field:ident),* $(,)? })*) => {$(
        impl HeapSize for $kind {
            fn share(&mut self, last: &Self) {
                let Self { $($field),* } = self;
                $($field.share(&last.$field);)*
            }

            fn own_bytes(&self, last: Option<&Self>) -> usize {
                let Self { $($field),* } = self;
                0 $(+ $field.own_bytes(last.map(|last| &last.$field)))*
            }
        }
    )*};
}

flat!(bool, i32, u32, u64, usize, f64, Bytes, Pages, Limit, Part, Stall, DiskStats, SysvSegment);
flat!(BlockKind, CgroupMode, CgroupVersion, ConfigKind, AreaKind, BdStat, IoStat, DebugStat);
flat!(
    LruGeneration,
    Allocator,
    Cluster,
    NextSlot,
    ZramStored,
    Option<FileIdentity>,
    Option<u32>,
    Option<NoEffect>,
    Option<KeptFigures>
);

fields! {
    Access {
        uid, capabilities, btf_bytes, kcore, kallsyms, kptr_restrict, lockdown, debugfs, cgroups,
        zram, virtual_swap,
    }
    AreaHeader { label, uuid, page_size }
    BlockDevice {
        name, kind, parent, disks, size, rotational, discard_max, numa_node, scheduler, model,
        backing_file, dm_name,
    }
    Cgroup {
        path, memory_current, memory_peak, memory_max, memory_high, memory_min, memory_low, oom_group, swap_current, swap_max,
        swap_high, swap_peak, swap_events, events, memsw_current, memsw_peak, memsw_max, memsw_failcnt,
        zswap_current, zswap_max, zswap_writeback, swappiness, swap_tiers, stat, pressure,
    }
    BracketedChoice { current, offered }
    CgroupDetail { path, local_events, nodes, generations, container }
    ContainerNames { name, pod, namespace }
    ConfigEntry { file, line, kind, area, leads_to, no_effect, from_command_line }
    ConfiguredArea { what, priority, options }
    Counters { names, values }
    Disk { name, stats }
    FileLayout { extents, first }
    Hibernation { resume, resume_offset, image_size, asked }
    InterruptedPlan { plan, title, areas }
    Kernel { release, hostname, cpus, uptime_s, swap_tiers }
    SwapTier { name, lowest, highest }
    KnobReading { id, value }
    MmStat {
        orig_data, compr_data, mem_used, mem_limit, mem_used_max, same_pages, pages_compacted,
        huge_pages, huge_pages_since,
    }
    NamedMapping { name, count, size, rss, pss, swap, swap_pss }
    NodeMemory { node, anon, inactive_anon, file, swap_cached }
    ProcessDetail { process, pss, waits, mappings }
    MthpSize { size, enabled, shmem_enabled, stats }
    CounterNames { source, names, places }
    NumaNode { id, cpus, distance, meminfo, vmstat, watermarks }
    Pressure { some, full }
    Process {
        pid, ppid, uid, comm, swap, rss, shmem, major_faults, cgroup, command, swap_pss,
        swap_mapped, thread,
    }
    SharedMemory { tmpfs, sysv, shmem }
    SourceFacts { id, part, about, files, remedy }
    SwapArea { path, deleted, kind, size, used, priority, wraps, file }
    ThreadWaits { run_ns, block_ns, swap_ns }
    Thp { enabled, defrag, shmem_enabled, pmd_size, sizes }
    Tmpfs { mount, used, size }
    ZramDevice {
        name, initialised, disksize, algorithm, recomp_algorithms, max_comp_streams, backing_dev,
        writeback_limit, writeback_limit_enable, writeback_batch_size, compressed_writeback, mm,
        io, bd, debug, entry, kept,
    }
    Zswap {
        enabled, compressor, zpool, max_pool_percent, accept_threshold_percent, shrinker_enabled,
        same_filled_pages_enabled, non_same_filled_pages_enabled, debug,
    }
}

impl HeapSize for SubjectDetail {
    fn share(&mut self, last: &Self) {
        match (self, last) {
            (Self::Process(detail), Self::Process(last)) => detail.share(last),
            (Self::Cgroup(detail), Self::Cgroup(last)) => detail.share(last),
            _ => {}
        }
    }

    fn own_bytes(&self, _last: Option<&Self>) -> usize {
        match self {
            Self::Process(detail) => block(size_of::<ProcessDetail>()) + detail.own_bytes(None),
            Self::Cgroup(detail) => block(size_of::<CgroupDetail>()) + detail.own_bytes(None),
        }
    }
}

/// Clusters change too often to be shared individually.
impl HeapSize for ClusterMap {
    fn own_bytes(&self, _last: Option<&Self>) -> usize {
        let owners = self.owners.known().map_or(0, BTreeMap::len);
        let names = self.names.values();
        block(self.clusters.capacity() * size_of::<Cluster>())
            + block(self.stored.capacity() * size_of::<ZramStored>())
            + block(self.next.known().map_or(0, Vec::capacity) * size_of::<NextSlot>())
            + owners * size_of::<(u16, u64)>() * 3 / 2
            + names
                .map(|owner| size_of::<(u16, SlotOwner)>() + owner.path.own_bytes(None))
                .sum::<usize>()
            + self.partial.as_ref().map_or(0, |text| text.own_bytes(None))
    }
}

impl HeapSize for ProcessTable {
    fn share(&mut self, last: &Self) {
        share_list(&mut self.processes, &last.processes, |process| &process.pid);
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        let last = last.map_or(&[][..], |last| &last.processes);
        list_bytes(&self.processes, last, |process| &process.pid)
            + self.users.own_bytes(None)
            + self.swap_used.own_bytes(None)
            + self.swap_cached.own_bytes(None)
    }
}

impl HeapSize for CgroupTree {
    fn share(&mut self, last: &Self) {
        share_list(&mut self.groups, &last.groups, |group| &group.path);
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        let last = last.map_or(&[][..], |last| &last.groups);
        list_bytes(&self.groups, last, |group| &group.path)
            + self.mount.own_bytes(None)
            + self.oom_kills.own_bytes(None)
    }
}

impl HeapSize for Disks {
    fn share(&mut self, last: &Self) {
        share_list(&mut self.0, &last.0, |disk| &disk.name);
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        list_bytes(&self.0, last.map_or(&[], |last| &last.0), |disk| &disk.name)
    }
}

/// Shares the items of a list with those of the same key.
fn share_list<T: HeapSize + PartialEq, K: Eq + Hash>(
    things: &mut [Shared<T>],
    last: &[Shared<T>],
    key: fn(&T) -> &K,
) {
    let last = by_key(last, key);
    for thing in things {
        if let Some(last) = last.get(key(thing)) {
            thing.share(last);
        }
    }
}

/// Memory of a list beyond the items that it shares.
fn list_bytes<T: HeapSize + PartialEq, K: Eq + Hash>(
    things: &[Shared<T>],
    last: &[Shared<T>],
    key: fn(&T) -> &K,
) -> usize {
    let last = by_key(last, key);
    let own = things.iter().map(|thing| thing.own_bytes(last.get(key(thing)).copied()));
    block(size_of_val(things)) + own.sum::<usize>()
}

fn by_key<T, K: Eq + Hash>(things: &[Shared<T>], key: fn(&T) -> &K) -> HashMap<&K, &Shared<T>> {
    things.iter().map(|thing| (key(thing), thing)).collect()
}

impl<T: HeapSize + PartialEq> HeapSize for Shared<T> {
    fn share(&mut self, last: &Self) {
        if Self::ptr_eq(self, last) {
            return;
        }
        if **self == **last {
            *self = last.clone();
        } else if let Some(value) = Self::get_mut(self) {
            // A value that others hold too stays as it is: a copy would take more than it saves.
            value.share(last);
        }
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        if last.is_some_and(|last| Self::ptr_eq(self, last)) {
            return 0;
        }
        let value: &T = self;
        block(COUNTS + size_of::<T>()) + value.own_bytes(last.map(|last| &**last))
    }
}

impl<T: HeapSize> HeapSize for Reading<T> {
    fn share(&mut self, last: &Self) {
        match (self, last) {
            (Self::Known(value), Self::Known(last)) => value.share(last),
            (Self::Missing { missing }, Self::Missing { missing: last }) => missing.share(last),
            _ => {}
        }
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        match self {
            Self::Known(value) => value.own_bytes(last.and_then(Self::known)),
            Self::Missing { missing } => missing.own_bytes(last.and_then(Self::missing)),
        }
    }
}

impl HeapSize for Missing {
    fn share(&mut self, last: &Self) {
        if self == last {
            self.clone_from(last);
        }
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        let same =
            |text: &Arc<str>| last.and_then(reason).is_some_and(|last| Arc::ptr_eq(text, last));
        match reason(self) {
            Some(text) if !same(text) => block(COUNTS + text.len()),
            _ => 0,
        }
    }
}

/// The text of a reason, if it has one.
fn reason(missing: &Missing) -> Option<&Arc<str>> {
    match missing {
        Missing::Absent(text)
        | Missing::Denied(text)
        | Missing::Failed(text)
        | Missing::FewSamples(text) => Some(text),
        Missing::NotSampled | Missing::OneSample => None,
    }
}

impl HeapSize for Name {
    fn own_bytes(&self, _last: Option<&Self>) -> usize {
        block(self.as_bytes().len())
    }
}

impl HeapSize for Box<str> {
    fn own_bytes(&self, _last: Option<&Self>) -> usize {
        block(self.len())
    }
}

impl HeapSize for String {
    fn own_bytes(&self, _last: Option<&Self>) -> usize {
        block(self.capacity())
    }
}

impl<A: HeapSize, B: HeapSize> HeapSize for (A, B) {
    fn own_bytes(&self, _last: Option<&Self>) -> usize {
        self.0.own_bytes(None) + self.1.own_bytes(None)
    }
}

/// Shares by position: after an insertion, less is shared.
impl<T: HeapSize> HeapSize for [T] {
    fn share(&mut self, last: &Self) {
        for (item, last) in self.iter_mut().zip(last) {
            item.share(last);
        }
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        let last = |place: usize| last?.get(place);
        self.iter().enumerate().map(|(place, item)| item.own_bytes(last(place))).sum()
    }
}

impl<T: HeapSize> HeapSize for Box<[T]> {
    fn own_bytes(&self, last: Option<&Self>) -> usize {
        block(size_of_val::<[T]>(self)) + (**self).own_bytes(last.map(|last| &**last))
    }
}

impl<T: HeapSize> HeapSize for Vec<T> {
    fn share(&mut self, last: &Self) {
        self.as_mut_slice().share(last);
    }

    fn own_bytes(&self, last: Option<&Self>) -> usize {
        let items = self.as_slice().own_bytes(last.map(Vec::as_slice));
        block(self.capacity() * size_of::<T>()) + items
    }
}

impl<V: HeapSize> HeapSize for BTreeMap<String, V> {
    fn own_bytes(&self, _last: Option<&Self>) -> usize {
        // Tree nodes are about two thirds full.
        let nodes = self.len() * size_of::<(String, V)>() * 3 / 2;
        let inside = self.iter().map(|(key, value)| key.own_bytes(None) + value.own_bytes(None));
        nodes + inside.sum::<usize>()
    }
}
