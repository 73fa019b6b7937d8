//! `kernel`: the kernel, and what it and these rights let us see.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::model::kernel::{CgroupMode, Kernel as Facts};
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct Kernel;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "kernel",
    title: "Kernel",
    about: "The kernel, the machine, and what it and these rights let us see",
    style: Style::Record,
    default: &[
        "hostname",
        "release",
        "page_size",
        "cpus",
        "uptime",
        "uid",
        "cgroups",
        "btf",
        "kcore",
        "kallsyms",
        "lockdown",
        "debugfs",
    ],
    with_two: &[],
    key: "release",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Kernel]),
    infos: spec::infos::<Kernel>,
    cells: spec::cells::<Kernel>,
};

impl Table for Kernel {
    type Row<'v> = &'v Facts;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<&'v Facts>> {
        view.now.kernel.reading.as_ref().map(|kernel| vec![kernel])
    }
}

static COLUMNS: &[Column<Kernel>] = &[
    Column {
        info: Info::new("hostname", "Machine", Unit::Text)
            .says("Name of the machine.", "/proc/sys/kernel/hostname"),
        get: |kernel| kernel.hostname.clone().into(),
    },
    Column {
        info: Info::new("release", "Kernel", Unit::Text)
            .says("Release of the kernel.", "/proc/sys/kernel/osrelease"),
        get: |kernel| kernel.release.clone().into(),
    },
    Column {
        info: Info::new("page_size", "Page", Unit::Bytes)
            .says("Size of a base page.", "sysconf; in a captured tree from meminfo and vmstat"),
        get: |kernel| kernel.page_size.clone().into(),
    },
    Column {
        info: Info::new("cpus", "Processors", Unit::Count).says("Processors online.", "/proc/stat"),
        get: |kernel| kernel.cpus.clone().into(),
    },
    Column {
        info: Info::new("uptime", "Up", Unit::Seconds).says("Time since boot.", "/proc/uptime"),
        get: |kernel| kernel.uptime_s.clone().into(),
    },
    Column {
        info: Info::new("uid", "Our user", Unit::Count)
            .says("Effective user of this program.", "/proc/self/status"),
        get: |kernel| kernel.uid.clone().into(),
    },
    Column {
        info: Info::new("capabilities", "Our capabilities", Unit::Count)
            .says("Effective capabilities of this program, as a bit mask.", "/proc/self/status"),
        get: |kernel| kernel.capabilities.clone().into(),
    },
    Column {
        info: Info::new("cgroups", "cgroups", Unit::Text)
            .says("Which cgroup hierarchies are mounted: v1, v2, hybrid or none.", "/proc/mounts"),
        get: |kernel| {
            let word = |mode| match mode {
                CgroupMode::V1 => "v1",
                CgroupMode::V2 => "v2",
                CgroupMode::Hybrid => "hybrid",
                CgroupMode::None => "none",
            };
            kernel.cgroups.clone().map(word).into()
        },
    },
    Column {
        info: Info::new("btf", "BTF", Unit::Bytes)
            .says("Size of the kernel's type information.", "/sys/kernel/btf/vmlinux"),
        get: |kernel| kernel.btf_bytes.clone().into(),
    },
    Column {
        info: Info::new("kcore", "kcore", Unit::Flag)
            .says("Can kernel memory be opened for reading?", "/proc/kcore"),
        get: |kernel| kernel.kcore.clone().into(),
    },
    Column {
        info: Info::new("kallsyms", "Symbol addresses", Unit::Flag)
            .says("Are the addresses of kernel symbols shown?", "/proc/kallsyms"),
        get: |kernel| kernel.kallsyms.clone().into(),
    },
    Column {
        info: Info::new("kptr_restrict", "kptr_restrict", Unit::Count)
            .says("The setting that hides kernel addresses.", "/proc/sys/kernel/kptr_restrict"),
        get: |kernel| kernel.kptr_restrict.clone().into(),
    },
    Column {
        info: Info::new("lockdown", "Lockdown", Unit::Text)
            .says("The lockdown mode in force.", "/sys/kernel/security/lockdown"),
        get: |kernel| kernel.lockdown.clone().into(),
    },
    Column {
        info: Info::new("debugfs", "debugfs", Unit::Flag)
            .says("Is debugfs mounted, and may it be read?", "/proc/mounts, /sys/kernel/debug"),
        get: |kernel| kernel.debugfs.clone().into(),
    },
];
