//! `kernel`: the kernel, the machine, and what is accessible with the current rights.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::model::kernel::{Access, CgroupMode, Hibernation, Kernel as Facts};
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

fn kernel<T: Clone>(view: &SampleView<'_>, fact: impl Fn(&Facts) -> &Reading<T>) -> Reading<T> {
    view.now.kernel.reading.as_ref().and_then(|kernel| fact(kernel).clone())
}

fn hibernation<T: Clone>(
    view: &SampleView<'_>,
    fact: impl Fn(&Hibernation) -> &Reading<T>,
) -> Reading<T> {
    view.now.hibernation.reading.as_ref().and_then(|it| fact(it).clone())
}

fn access<T: Clone>(view: &SampleView<'_>, fact: impl Fn(&Access) -> &Reading<T>) -> Reading<T> {
    view.now.access.reading.as_ref().and_then(|access| fact(access).clone())
}

static COLUMNS: &[Column] = &[
    Column::text("hostname", "Machine", |view| kernel(view, |kernel| &kernel.hostname).into())
        .says("Host name.", "/proc/sys/kernel/hostname"),
    Column::text("release", "Kernel", |view| kernel(view, |kernel| &kernel.release).into())
        .says("Kernel release.", "/proc/sys/kernel/osrelease"),
    Column::bytes("page_size", "Page size", |view| view.now.page_size.clone().into())
        .says("Size of a base page.", "sysconf; in a captured tree from meminfo and vmstat"),
    Column::count("cpus", "CPUs", |view| kernel(view, |kernel| &kernel.cpus).into())
        .says("Number of CPUs online.", "/sys/devices/system/cpu/online"),
    Column::seconds("uptime", "Uptime", |view| kernel(view, |kernel| &kernel.uptime_s).into())
        .says("Time since boot.", "/proc/uptime"),
    Column::count("uid", "User ID", |view| access(view, |access| &access.uid).into())
        .says("Effective user ID of this program.", "/proc/self/status"),
    Column::count("capabilities", "Capabilities", |view| {
        access(view, |access| &access.capabilities).into()
    })
    .says("Effective capabilities of this program, as a bit mask.", "/proc/self/status"),
    Column::text("cgroups", "cgroups", |view| {
        access(view, |access| &access.cgroups).map(CgroupMode::word).into()
    })
    .says("Mounted cgroup hierarchies: v1, v2, hybrid or none.", "/proc/mounts"),
    Column::bytes("btf", "BTF", |view| access(view, |access| &access.btf_bytes).into())
        .says("Size of the kernel type information (BTF).", "/sys/kernel/btf/vmlinux"),
    Column::flag("kcore", "kcore", |view| access(view, |access| &access.kcore).into())
        .says("Whether kernel memory can be read.", "/proc/kcore"),
    Column::flag("kallsyms", "Symbol addresses", |view| {
        access(view, |access| &access.kallsyms).into()
    })
    .says("Whether addresses of kernel symbols are visible.", "/proc/kallsyms"),
    Column::count("kptr_restrict", "kptr_restrict", |view| {
        access(view, |access| &access.kptr_restrict).into()
    })
    .says("Sysctl that hides kernel addresses.", "/proc/sys/kernel/kptr_restrict"),
    Column::text("lockdown", "Lockdown", |view| access(view, |access| &access.lockdown).into())
        .says("Active lockdown mode.", "/sys/kernel/security/lockdown"),
    Column::flag("debugfs", "debugfs", |view| access(view, |access| &access.debugfs).into())
        .says("Whether debugfs is mounted and readable.", "/proc/mounts, /sys/kernel/debug"),
    Column::flag("zram", "zram", |view| access(view, |access| &access.zram).into())
        .says("Whether zram devices can be created: the module is loaded.", "/sys/class/zram-control"),
    Column::flag("virtual_swap", "Virtual swap", |view| {
        access(view, |access| &access.virtual_swap).into()
    })
    .says("Whether the kernel has virtual swap (CONFIG_VSWAP): a page gets a slot on an area only when it is written there, and cgroups are charged from then on. No release has it yet.", "/boot/config-RELEASE"),
    Column::text("resume", "Resume device", |view| hibernation(view, |it| &it.resume).into())
        .says("Device from which the kernel resumes after hibernation.", "/sys/power/resume")
        .needs(HIBERNATION),
    Column::count("resume_offset", "Resume offset", |view| {
        hibernation(view, |it| &it.resume_offset).into()
    })
    .says(
        "Position of the first page of a swap file on the resume device, in pages; 0 for a whole device.",
        "/sys/power/resume_offset",
    )
    .needs(HIBERNATION),
    Column::text("resume_requested", "Requested resume device", |view| {
        hibernation(view, |it| &it.asked).into()
    })
    .says("Value of resume= on the kernel command line.", "/proc/cmdline")
    .needs(HIBERNATION),
    Column::bytes("image_size", "Hibernation image", |view| {
        hibernation(view, |it| &it.image_size).into()
    })
    .says("Size limit that the kernel aims at for the hibernation image.", "/sys/power/image_size")
    .needs(HIBERNATION),
];

column_ids! { id: KernelTable, SPEC;
    HOSTNAME RELEASE UID UPTIME
}
