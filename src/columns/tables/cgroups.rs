//! `cgroups`: swap, limits and memory pressure of cgroups.

use crate::columns::spec::Spec;
use crate::columns::value::Value;
use crate::derive::{SampleView, cgroups};
use crate::model::paging::{PsiLine, Stall};
use crate::model::subject::Container;
use crate::model::subject::{CgroupDetail, ContainerNames};
use crate::model::users::{Cgroup, CgroupTree, Limit, OOM_KILL};
use crate::model::{Bytes, Name, Reading, Shared, part_set};
use std::collections::BTreeMap;

table!(pub struct CgroupsTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// One cgroup.
pub struct Row<'v> {
    view: SampleView<'v>,
    group: &'v Cgroup,
    tree: &'v CgroupTree,
    /// This cgroup in the earlier sample.
    before: Option<&'v Cgroup>,
    left_out: u64,
    /// The details, if it is the cgroup that was read in detail.
    detail: Option<&'v CgroupDetail>,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<CgroupsTable>("cgroups", "cgroups", "path")
    .about("Swap usage, limits and memory pressure of each cgroup")
    .shows("swap,swap_max,memory,memory_max,limit_use,zswap,some10,swap_fail,path")
    .with_two("in_rate,out_rate")
    .sort("-swap,path")
    .only("swap>0", "without swap")
    .needs(part_set![Cgroups]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let before = view.before.and_then(|before| before.cgroups.reading.known());
    let before = before.map(|tree| &*tree.groups).unwrap_or_default();
    let before: BTreeMap<&Name, &Cgroup> =
        before.iter().map(|group| (&group.path, &**group)).collect();
    let subject = view.now.cgroup_detail().known().copied();
    view.now.cgroups.reading.as_ref().map(|tree| {
        let row = |group: &'v Shared<Cgroup>| Row {
            view: *view,
            group,
            tree,
            before: before.get(&group.path).copied(),
            left_out: tree.left_out,
            detail: subject.filter(|detail| detail.path == group.path),
        };
        tree.groups.iter().map(row).collect()
    })
}

impl Row<'_> {
    fn stat(&self, name: &str) -> Reading<u64> {
        cgroups::counter(self.group, name)
    }

    /// Anonymous memory: `anon`, or `rss` on version 1, which also includes huge pages and no files.
    fn anon(&self) -> Reading<Bytes> {
        match self.stat("rss") {
            Reading::Known(bytes) => Reading::Known(Bytes(bytes)),
            Reading::Missing { .. } => self.stat_bytes("anon"),
        }
    }

    fn stat_bytes(&self, name: &str) -> Reading<Bytes> {
        self.stat(name).map(Bytes)
    }

    /// A counter of `memory.events`, or of `memory.oom_control` on version 1.
    fn memory_event(&self, name: &str) -> Reading<u64> {
        self.group.events.as_ref().and_then(|events| events.get(name))
    }

    /// The container whose processes the cgroup holds.
    fn container(&self) -> Reading<Container> {
        Reading::or_absent(
            Container::from_path(&self.group.path),
            "the path is not that of a container",
        )
    }

    /// Details, which are read for one cgroup only.
    fn detail(&self) -> Reading<&CgroupDetail> {
        Reading::or_absent(
            self.detail,
            "read for one cgroup only: swapadm cgroup show PATH, or Enter on its row",
        )
    }

    /// A name that the container runtime has on disk.
    fn runtime_name(&self, of: fn(&ContainerNames) -> &Reading<Name>) -> Value {
        let names = self.detail().and_then(|detail| detail.container.as_ref());
        names.and_then(|names| of(names).clone()).into()
    }

    fn event(&self, name: &str) -> Reading<u64> {
        self.group.swap_events.as_ref().and_then(|events| events.get(name))
    }

    fn stall(&self, line: PsiLine) -> Reading<Stall> {
        self.group.pressure.as_ref().and_then(|pressure| pressure.line(line))
    }

    fn share(&self, line: PsiLine, average: impl Fn(&Stall) -> f64) -> Reading<f64> {
        self.stall(line).map(|stall| average(&stall) / 100.0)
    }

    fn waited(&self, line: PsiLine) -> Reading<f64> {
        self.stall(line).map(|stall| stall.total_us as f64 / 1e6)
    }

    /// Growth of a counter in `memory.stat` per second.
    fn per_second(&self, name: &str) -> Reading<f64> {
        cgroups::rate(&self.view, (self.before, self.group), name)
    }

    /// Growth of a counter of pages in bytes per second.
    fn rate(&self, name: &str) -> Reading<f64> {
        self.view.now.in_bytes(self.per_second(name))
    }
}

/// A limit as a value; "max" (unlimited) is a value and not a missing one.
fn limit(limit: &Reading<Limit>) -> Value {
    match limit.get() {
        Ok(Limit::Bytes(bytes)) => (*bytes).into(),
        Ok(Limit::Unlimited) => Value::Text("max".to_owned()),
        Err(missing) => Value::Missing(missing),
    }
}

const V2: &str = "memory.* (version 2)";
const BOTH: &str = "memory.swap.current, or total_swap of memory.stat on version 1";
const STAT: &str = "memory.stat";
const LIMITS: &str =
    "memory.current, memory.max, memory.high; memory.usage_in_bytes, memory.limit_in_bytes";
const EVENTS: &str = "memory.events";
const PATHS: &str = "the path of the cgroup";
const RUNTIMES: &str = "/var/lib/docker, /run/containerd, /run/containers and /var/lib/containers";
const PSI: &str = "memory.pressure";

/// Column of a `memory.stat` counter, named like the counter.
macro_rules! stat_column {
    ($id:literal, $head:literal, $since:literal) => {
        Column::counter($id, $head, |row| row.stat($id).into()).since($since)
    };
}

static COLUMNS: &[Column] = &[
    Column::bytes("swap", "SWAP", |row| row.group.swap_current.clone().into())
        .says("Swap used by the cgroup and its children.", BOTH),
    Column::bytes("swap_max", "SWAPMAX", |row| limit(&row.group.swap_max))
        .says("Swap limit; \"max\" in JSON means unlimited. Lowering it leaves pages in swap.", "memory.swap.max")
        .drop(3),
    Column::bytes("swap_high", "SWAPHIGH", |row| limit(&row.group.swap_high))
        .says("Swap usage above which the cgroup is throttled; \"max\" in JSON means never.", "memory.swap.high"),
    Column::bytes("swap_peak", "SWAPPEAK", |row| row.group.swap_peak.clone().into())
        .says("Highest swap usage so far.", "memory.swap.peak")
        .since("6.5"),
    Column::bytes("memory", "MEMORY", |row| row.group.memory_current.clone().into())
        .says("Memory used by the cgroup and its children.", "memory.current, memory.usage_in_bytes")
        .drop(1),
    Column::bytes("memory_peak", "MEMPEAK", |row| row.group.memory_peak.clone().into())
        .says(
            "Highest memory usage so far (version 2: 5.19 and later).",
            "memory.peak, memory.max_usage_in_bytes",
        ),
    Column::bytes("memory_max", "MEMMAX", |row| limit(&row.group.memory_max))
        .says("Memory limit; \"max\" in JSON means unlimited.", "memory.max, memory.limit_in_bytes")
        .drop(4),
    Column::bytes("memory_high", "MEMHIGH", |row| limit(&row.group.memory_high))
        .says("Memory usage above which the kernel throttles and reclaims; \"max\" in JSON means never.", "memory.high"),
    Column::bytes("memory_min", "MEMMIN", |row| limit(&row.group.memory_min))
        .says("Memory that is never reclaimed, even if the out-of-memory killer has to act; \"max\" in JSON means all.", "memory.min"),
    Column::bytes("memory_low", "MEMLOW", |row| limit(&row.group.memory_low))
        .says("Memory that is reclaimed only if nothing else is left; \"max\" in JSON means all.", "memory.low"),
    Column::flag("oom_group", "OOMGROUP", |row| row.group.oom_group.clone().into())
        .says("Whether the out-of-memory killer kills all processes of the cgroup together.", "memory.oom.group"),
    Column::bytes("limit", "LIMIT", |row| limit(&cgroups::limit(row.group)))
        .says("Effective memory limit: the lower of memory.max and memory.high; \"max\" in JSON means unlimited.", LIMITS),
    Column::share("limit_use", "LIMIT%", |row| cgroups::limit_use(row.group).into())
        .says("Memory usage as a share of the effective limit: memory / limit. Missing without a limit.", LIMITS)
        .drop(5),
    Column::bytes("memsw", "MEMSW", |row| row.group.memsw_current.clone().into())
        .says("Memory plus swap usage (version 1).", "memory.memsw.usage_in_bytes"),
    Column::bytes("memsw_peak", "MEMSWPEAK", |row| row.group.memsw_peak.clone().into())
        .says(
            "Highest memory plus swap usage so far (version 1).",
            "memory.memsw.max_usage_in_bytes",
        ),
    Column::bytes("memsw_max", "MEMSWMAX", |row| limit(&row.group.memsw_max))
        .says(
            "Limit on memory plus swap (version 1); \"max\" in JSON means unlimited.",
            "memory.memsw.limit_in_bytes",
        ),
    Column::counter("memsw_fail", "MEMSWFAIL", |row| row.group.memsw_failcnt.clone().into())
        .says("Number of times the memory plus swap limit was hit (version 1).", "memory.memsw.failcnt"),
    Column::count("swappiness", "SWAPPINESS", |row| row.group.swappiness.clone().into())
        .says("Swappiness of the cgroup (version 1).", "memory.swappiness"),
    Column::list("swap_tiers", "TIERS", |row| cgroups::swap_tiers(row.tree, row.group).into())
        .says("Swap tiers that it may use: those that its file and the files of its ancestors allow. Only kernels with swap tiers; no release has them yet.", "memory.swap.tiers.max"),
    Column::bytes("zswap", "ZSWAP", |row| row.group.zswap_current.clone().into())
        .says("Memory of its compressed pages in zswap; part of its memory usage.", "memory.zswap.current")
        .drop(5)
        .since("5.19"),
    Column::bytes("zswap_max", "ZSWAPMAX", |row| limit(&row.group.zswap_max))
        .says("Limit on zswap memory; \"max\" in JSON means unlimited.", "memory.zswap.max")
        .since("5.19"),
    Column::flag("zswap_writeback", "ZSWAPWB", |row| row.group.zswap_writeback.clone().into())
        .says("Whether zswap may write its pages back to a device.", "memory.zswap.writeback")
        .since("6.8"),
    Column::bytes("zswapped", "ZSWAPPED", |row| row.stat_bytes("zswapped").into())
        .says("Size of its pages in zswap before compression.", STAT)
        .since("5.19"),
    Column::bytes("zswap_incomp", "ZSWAPINCOMP", |row| row.stat_bytes("zswap_incomp").into())
        .says("Part of ZSWAPPED that is incompressible and stored uncompressed.", STAT)
        .since("7.2"),
    Column::bytes("swapcached", "SWAPCACHED", |row| row.stat_bytes("swapcached").into())
        .says("Pages in memory that still own a swap slot.", STAT)
        .since("5.12"),
    Column::bytes("anon", "ANON", |row| row.anon().into())
        .says("Anonymous memory, which can be swapped.", STAT),
    Column::bytes_per_second("in_rate", "IN/s", |row| row.rate("pswpin").into())
        .says("Read rate from swap devices: pswpin.", STAT)
        .drop(6)
        .since("6.18"),
    Column::bytes_per_second("out_rate", "OUT/s", |row| row.rate("pswpout").into())
        .says("Write rate to swap devices: pswpout.", STAT)
        .drop(6)
        .since("6.18"),
    stat_column!("pswpin", "PSWPIN", "6.18").says("Pages read from swap devices, in total.", STAT),
    stat_column!("pswpout", "PSWPOUT", "6.18").says("Pages written to swap devices, in total.", STAT),
    stat_column!("zswpin", "ZSWPIN", "5.19").says("Pages loaded from zswap, in total.", STAT),
    stat_column!("zswpout", "ZSWPOUT", "5.19").says("Pages stored in zswap, in total.", STAT),
    stat_column!("zswpwb", "ZSWPWB", "6.8").says("Pages written back from zswap to a device, in total.", STAT),
    Column::bytes("zswpwb_proactive", "ZSWPWB-ASKED", |row| {
        row.stat_bytes("zswpwb_proactive_b").into()
    })
    .grows()
    .says("Data written back from zswap on request (memory.reclaim with source=zswap), in total. No release has it yet.", STAT),
    stat_column!("swpin_zero", "ZEROIN", "6.12").says("Zero-filled pages swapped in without I/O, in total.", STAT),
    stat_column!("swpout_zero", "ZEROOUT", "6.12").says("Zero-filled pages swapped out without I/O, in total.", STAT),
    stat_column!("thp_swpout", "THPOUT", "6.12").says("Huge pages swapped out without splitting, in total.", STAT),
    stat_column!("thp_swpout_fallback", "THPSPLIT", "6.12").says("Huge pages split before swap-out, in total.", STAT),
    Column::counter("refaults", "REFAULTS", |row| row.stat(cgroups::REFAULTS).into())
        .says("Anonymous refaults, in total: pages swapped in whose eviction the kernel still remembered (workingset_refault_anon).", STAT),
    Column::per_second("refault_rate", "REFLT/s", |row| row.per_second(cgroups::REFAULTS).into())
        .says("Anonymous refaults per second: workingset_refault_anon.", STAT),
    Column::counter("scanned", "SCANNED", |row| row.stat("pgscan").into())
        .says("Pages scanned by reclaim, in total: pgscan.", STAT),
    Column::counter("reclaimed", "RECLAIMED", |row| row.stat("pgsteal").into())
        .says("Pages reclaimed, in total: pgsteal.", STAT),
    Column::counter("major_faults", "MAJFLT", |row| row.stat("pgmajfault").into())
        .says("Major faults, in total: pgmajfault.", STAT),
    Column::share("some10", "SOME10", |row| row.share(PsiLine::Some, |stall| stall.avg10).into())
        .says("PSI memory some: share of the last 10 seconds in which at least one task stalled on memory.", PSI)
        .drop(6),
    Column::share("some60", "SOME60", |row| row.share(PsiLine::Some, |stall| stall.avg60).into())
        .says("PSI memory some over the last 60 seconds.", PSI),
    Column::share("some300", "SOME300", |row| row.share(PsiLine::Some, |stall| stall.avg300).into())
        .says("PSI memory some over the last 300 seconds.", PSI),
    Column::seconds("some_total", "SOMETOTAL", |row| row.waited(PsiLine::Some).into())
        .says("PSI memory some: total stall time.", PSI)
    .grows(),
    Column::share("full10", "FULL10", |row| row.share(PsiLine::Full, |stall| stall.avg10).into())
        .says("PSI memory full: share of the last 10 seconds in which all tasks stalled on memory.", PSI),
    Column::share("full60", "FULL60", |row| row.share(PsiLine::Full, |stall| stall.avg60).into())
        .says("PSI memory full over the last 60 seconds.", PSI),
    Column::share("full300", "FULL300", |row| row.share(PsiLine::Full, |stall| stall.avg300).into())
        .says("PSI memory full over the last 300 seconds.", PSI),
    Column::seconds("full_total", "FULLTOTAL", |row| row.waited(PsiLine::Full).into())
        .says("PSI memory full: total stall time.", PSI)
    .grows(),
    Column::counter("swap_fail", "FAIL", |row| row.event("fail").into())
        .says("Failed swap-outs: no free swap, or at the swap limit.", "memory.swap.events")
        .drop(5),
    Column::counter("swap_max_hits", "MAXHIT", |row| row.event("max").into())
        .says("Failed swap-outs because of its swap limit.", "memory.swap.events"),
    Column::counter("swap_high_hits", "HIGHHIT", |row| row.event("high").into())
        .says("Number of times swap usage exceeded memory.swap.high.", "memory.swap.events"),
    Column::counter("oom_kills", "OOM-KILL", |row| cgroups::oom_kills(row.group).into())
        .says(
            "Processes killed by the kernel because memory or a limit was exhausted; version 2 includes child cgroups.",
            "memory.events; memory.oom_control",
        ),
    Column::count("own_oom_kills", "OWN-OOM", |row| {
        let events = row.detail().and_then(|detail| detail.local_events.as_ref());
        events.and_then(|events| events.get(OOM_KILL)).into()
    })
    .says("Processes of the cgroup itself that the kernel killed, without child cgroups. Only in swapadm cgroup show.", "memory.events.local"),
    Column::counter("low_hits", "LOWHIT", |row| row.memory_event("low").into())
        .says("Number of times it was reclaimed although below memory.low.", EVENTS),
    Column::counter("memory_high_hits", "MEMHIGHHIT", |row| row.memory_event("high").into())
        .says("Number of times its processes were throttled above memory.high.", EVENTS),
    Column::counter("memory_max_hits", "MEMMAXHIT", |row| row.memory_event("max").into())
        .says("Number of times its memory was about to exceed memory.max.", EVENTS),
    Column::counter("ooms", "OOM", |row| row.memory_event("oom").into())
        .says("Number of times its limit was reached and an allocation was about to fail.", EVENTS),
    Column::count("under_oom", "UNDER-OOM", |row| row.memory_event("under_oom").into())
        .says("Whether its processes wait because its memory is exhausted (1) or not (0) (version 1).", "memory.oom_control"),
    Column::text("runtime", "RUNTIME", |row| {
        let runtime = row.container().and_then(|container| Reading::or_absent(container.runtime.map(str::to_owned), "the path does not tell the runtime"));
        runtime.into()
    })
    .says("Container runtime: docker, containerd, crio or podman, by the path.", PATHS),
    Column::text("container", "CONTAINER", |row| row.container().map(|it| it.id).into())
        .says("Identifier of the container, by the path.", PATHS),
    Column::text("pod", "POD", |row| {
        let pod = row.container().and_then(|container| Reading::or_absent(container.pod, "the container is in no Kubernetes pod"));
        pod.into()
    })
    .says("UID of the Kubernetes pod of the container, by the path.", PATHS),
    Column::text("container_name", "CONTAINER-NAME", |row| row.runtime_name(|names| &names.name))
        .says("Name of the container in the files of its runtime. Only in swapadm cgroup show.", RUNTIMES),
    Column::text("pod_name", "POD-NAME", |row| row.runtime_name(|names| &names.pod))
        .says("Name of the pod in the files of the runtime. Only in swapadm cgroup show.", RUNTIMES),
    Column::text("namespace", "NAMESPACE", |row| row.runtime_name(|names| &names.namespace))
        .says("Kubernetes namespace of the pod in the files of the runtime. Only in swapadm cgroup show.", RUNTIMES),
    Column::count("not_read", "NOT-READ", |row| row.left_out.into())
        .says(
            "Number of cgroups that were not read because there are too many; the same number in every row.",
            "the directories below the mount",
        ),
    Column::text("path", "CGROUP", |row| row.group.path.clone().into())
        .says("Path of the cgroup below the mount.", V2),
];

column_ids! { id: CgroupsTable, SPEC;
    CONTAINER CONTAINER_NAME LOW_HITS MEMORY_HIGH_HITS MEMORY_LOW MEMORY_MAX_HITS MEMORY_MIN NAMESPACE OOMS OOM_KILLS OOM_GROUP OWN_OOM_KILLS POD POD_NAME RECLAIMED REFAULTS REFAULT_RATE RUNTIME SCANNED SWAPPINESS UNDER_OOM MEMSW_FAIL
    ANON FULL10 IN_RATE LIMIT LIMIT_USE MAJOR_FAULTS MEMORY MEMORY_HIGH MEMORY_MAX MEMORY_PEAK MEMSW MEMSW_MAX OUT_RATE PATH SOME10 SWAP SWAP_FAIL SWAP_MAX SWAP_MAX_HITS ZSWAP ZSWAPPED ZSWAP_MAX ZSWAP_WRITEBACK
}

#[cfg(test)]
mod tests;
