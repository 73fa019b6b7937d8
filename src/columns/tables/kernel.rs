//! `kernel`: the kernel, and what it and these rights let us see.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::model::hibernation::Hibernation;
use crate::model::kernel::{Access, CgroupMode, Kernel as Facts};
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
    needs: PartSet::of(&[Part::Kernel, Part::Access]),
    infos: spec::infos::<Kernel>,
    cells: spec::cells::<Kernel>,
};

const HIBERNATION: PartSet = PartSet::of(&[Part::Hibernation]);

impl Table for Kernel {
    type Row<'v> = View<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<View<'v>>> {
        Reading::Known(vec![*view])
    }
}

fn kernel<T: Clone>(view: &View<'_>, fact: impl Fn(&Facts) -> &Reading<T>) -> Reading<T> {
    view.now.kernel.reading.as_ref().and_then(|kernel| fact(kernel).clone())
}

fn hibernation<T: Clone>(
    view: &View<'_>,
    fact: impl Fn(&Hibernation) -> &Reading<T>,
) -> Reading<T> {
    view.now.hibernation.reading.as_ref().and_then(|it| fact(it).clone())
}

fn access<T: Clone>(view: &View<'_>, fact: impl Fn(&Access) -> &Reading<T>) -> Reading<T> {
    view.now.access.reading.as_ref().and_then(|access| fact(access).clone())
}

static COLUMNS: &[Column<Kernel>] = &[
    Column {
        info: Info::new("hostname", "Machine", Unit::Text)
            .says("Name of the machine.", "/proc/sys/kernel/hostname"),
        get: |view| kernel(view, |kernel| &kernel.hostname).into(),
    },
    Column {
        info: Info::new("release", "Kernel", Unit::Text)
            .says("Release of the kernel.", "/proc/sys/kernel/osrelease"),
        get: |view| kernel(view, |kernel| &kernel.release).into(),
    },
    Column {
        info: Info::new("page_size", "Page", Unit::Bytes)
            .says("Size of a base page.", "sysconf; in a captured tree from meminfo and vmstat"),
        get: |view| view.now.page_size.clone().into(),
    },
    Column {
        info: Info::new("cpus", "Processors", Unit::Count)
            .says("Processors online.", "/sys/devices/system/cpu/online"),
        get: |view| kernel(view, |kernel| &kernel.cpus).into(),
    },
    Column {
        info: Info::new("uptime", "Up", Unit::Seconds).says("Time since boot.", "/proc/uptime"),
        get: |view| kernel(view, |kernel| &kernel.uptime_s).into(),
    },
    Column {
        info: Info::new("uid", "Our user", Unit::Count)
            .says("Effective user of this program.", "/proc/self/status"),
        get: |view| access(view, |access| &access.uid).into(),
    },
    Column {
        info: Info::new("capabilities", "Our capabilities", Unit::Count)
            .says("Effective capabilities of this program, as a bit mask.", "/proc/self/status"),
        get: |view| access(view, |access| &access.capabilities).into(),
    },
    Column {
        info: Info::new("cgroups", "cgroups", Unit::Text)
            .says("Which cgroup hierarchies are mounted: v1, v2, hybrid or none.", "/proc/mounts"),
        get: |view| {
            let word = |mode| match mode {
                CgroupMode::V1 => "v1",
                CgroupMode::V2 => "v2",
                CgroupMode::Hybrid => "hybrid",
                CgroupMode::None => "none",
            };
            access(view, |access| &access.cgroups).map(word).into()
        },
    },
    Column {
        info: Info::new("btf", "BTF", Unit::Bytes)
            .says("Size of the kernel's type information.", "/sys/kernel/btf/vmlinux"),
        get: |view| access(view, |access| &access.btf_bytes).into(),
    },
    Column {
        info: Info::new("kcore", "kcore", Unit::Flag)
            .says("Can kernel memory be opened for reading?", "/proc/kcore"),
        get: |view| access(view, |access| &access.kcore).into(),
    },
    Column {
        info: Info::new("kallsyms", "Symbol addresses", Unit::Flag)
            .says("Are the addresses of kernel symbols shown?", "/proc/kallsyms"),
        get: |view| access(view, |access| &access.kallsyms).into(),
    },
    Column {
        info: Info::new("kptr_restrict", "kptr_restrict", Unit::Count)
            .says("The setting that hides kernel addresses.", "/proc/sys/kernel/kptr_restrict"),
        get: |view| access(view, |access| &access.kptr_restrict).into(),
    },
    Column {
        info: Info::new("lockdown", "Lockdown", Unit::Text)
            .says("The lockdown mode in force.", "/sys/kernel/security/lockdown"),
        get: |view| access(view, |access| &access.lockdown).into(),
    },
    Column {
        info: Info::new("debugfs", "debugfs", Unit::Flag)
            .says("Is debugfs mounted, and may it be read?", "/proc/mounts, /sys/kernel/debug"),
        get: |view| access(view, |access| &access.debugfs).into(),
    },
    Column {
        info: Info::new("zram", "zram", Unit::Flag)
            .says("Can zram devices be made: is the module loaded?", "/sys/class/zram-control"),
        get: |view| access(view, |access| &access.zram).into(),
    },
    Column {
        info: Info::new("resume", "Resumes from", Unit::Text)
            .says(
                "The device that the machine resumes from after hibernation.",
                "/sys/power/resume",
            )
            .needs(HIBERNATION),
        get: |view| hibernation(view, |it| &it.resume).into(),
    },
    Column {
        info: Info::new("resume_offset", "Resumes at", Unit::Count)
            .says(
                "Where on it the first page of a swap file lies, in pages; 0 for a whole device.",
                "/sys/power/resume_offset",
            )
            .needs(HIBERNATION),
        get: |view| hibernation(view, |it| &it.resume_offset).into(),
    },
    Column {
        info: Info::new("resume_asked", "Asked to resume from", Unit::Text)
            .says("What the kernel was told at its start to resume from.", "/proc/cmdline")
            .needs(HIBERNATION),
        get: |view| hibernation(view, |it| &it.asked).into(),
    },
    Column {
        info: Info::new("image_size", "Hibernation image", Unit::Bytes)
            .says(
                "The size that the kernel tries to keep the image of a hibernation below.",
                "/sys/power/image_size",
            )
            .needs(HIBERNATION),
        get: |view| hibernation(view, |it| &it.image_size).into(),
    },
];
