//! `kernel`: the kernel, the machine, and what is accessible with the current rights.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::model::kernel::CgroupMode;
use crate::model::{PartSet, Reading, part_set};

table!(
    pub struct KernelTable: SampleView<'v>, Column, COLUMNS,
    |view, _| Reading::Known(vec![*view])
);

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<KernelTable>("kernel", "Kernel", "release")
    .about("The kernel, the machine, and what is accessible with the current rights")
    .shows("hostname,release,page_size,cpus,uptime,uid,cgroups,btf,kcore,kallsyms,lockdown,debugfs")
    .record()
    .needs(part_set![Kernel, Access]);

const HIBERNATION: PartSet = part_set![Hibernation];

static COLUMNS: &[Column] = &[
    Column::text("hostname", "Machine", |view| view.now.kernel.value(|it| &it.hostname).into())
        .says("Host name.", "/proc/sys/kernel/hostname"),
    Column::text("release", "Kernel", |view| view.now.kernel.value(|it| &it.release).into())
        .says("Kernel release.", "/proc/sys/kernel/osrelease"),
    Column::bytes("page_size", "Page size", |view| view.now.page_size.clone().into())
        .says("Size of a base page.", "sysconf; in a captured tree from meminfo and vmstat"),
    Column::count("cpus", "CPUs", |view| view.now.kernel.value(|it| &it.cpus).into())
        .says("Number of CPUs online.", "/sys/devices/system/cpu/online"),
    Column::seconds("uptime", "Uptime", |view| view.now.kernel.value(|it| &it.uptime_s).into())
        .says("Time since boot.", "/proc/uptime"),
    Column::count("uid", "User ID", |view| view.now.access.value(|it| &it.uid).into())
        .says("Effective user ID of this program.", "/proc/self/status"),
    Column::count("capabilities", "Capabilities", |view| {
        view.now.access.value(|it| &it.capabilities).into()
    })
    .says("Effective capabilities of this program, as a bit mask.", "/proc/self/status"),
    Column::text("cgroups", "cgroups", |view| {
        view.now.access.value(|it| &it.cgroups).map(CgroupMode::word).into()
    })
    .says("Mounted cgroup hierarchies: v1, v2, hybrid or none.", "/proc/mounts"),
    Column::bytes("btf", "BTF", |view| view.now.access.value(|it| &it.btf_bytes).into())
        .says("Size of the kernel type information (BTF).", "/sys/kernel/btf/vmlinux"),
    Column::flag("kcore", "kcore", |view| view.now.access.value(|it| &it.kcore).into())
        .says("Whether kernel memory can be read.", "/proc/kcore"),
    Column::flag("kallsyms", "Symbol addresses", |view| {
        view.now.access.value(|it| &it.kallsyms).into()
    })
    .says("Whether addresses of kernel symbols are visible.", "/proc/kallsyms"),
    Column::count("kptr_restrict", "kptr_restrict", |view| {
        view.now.access.value(|it| &it.kptr_restrict).into()
    })
    .says("Sysctl that hides kernel addresses.", "/proc/sys/kernel/kptr_restrict"),
    Column::text("lockdown", "Lockdown", |view| view.now.access.value(|it| &it.lockdown).into())
        .says("Active lockdown mode.", "/sys/kernel/security/lockdown"),
    Column::flag("debugfs", "debugfs", |view| view.now.access.value(|it| &it.debugfs).into())
        .says("Whether debugfs is mounted and readable.", "/proc/mounts, /sys/kernel/debug"),
    Column::flag("zram", "zram", |view| view.now.access.value(|it| &it.zram).into())
        .says("Whether zram devices can be created: the module is loaded.", "/sys/class/zram-control"),
    Column::flag("virtual_swap", "Virtual swap", |view| {
        view.now.access.value(|it| &it.virtual_swap).into()
    })
    .says("Whether the kernel has virtual swap (CONFIG_VSWAP): a page gets a slot on an area only when it is written there, and cgroups are charged from then on. No release has it yet.", "/boot/config-RELEASE"),
    Column::text("resume", "Resume device", |view| {
        view.now.hibernation.value(|it| &it.resume).into()
    })
        .says("Device from which the kernel resumes after hibernation.", "/sys/power/resume")
        .needs(HIBERNATION),
    Column::count("resume_offset", "Resume offset", |view| {
        view.now.hibernation.value(|it| &it.resume_offset).into()
    })
    .says(
        "Position of the first page of a swap file on the resume device, in pages; 0 for a whole device.",
        "/sys/power/resume_offset",
    )
    .needs(HIBERNATION),
    Column::text("resume_requested", "Requested resume device", |view| {
        view.now.hibernation.value(|it| &it.asked).into()
    })
    .says("Value of resume= on the kernel command line.", "/proc/cmdline")
    .needs(HIBERNATION),
    Column::bytes("image_size", "Hibernation image", |view| {
        view.now.hibernation.value(|it| &it.image_size).into()
    })
    .says("Size limit that the kernel aims at for the hibernation image.", "/sys/power/image_size")
    .needs(HIBERNATION),
];

column_ids! { id: KernelTable, SPEC;
    HOSTNAME RELEASE UID UPTIME
}
