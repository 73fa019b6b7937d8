//! Removes names from a capture: of the host, users, programs, cgroups and files.
//!
//! A name has one substitute everywhere, so that references between files stay valid.

use super::CaptureTree;
use crate::model::format;
use crate::probes::{self, mounts, swaps};
use crate::root::Traced;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

/// Names with the numbers of their substitutes.
#[derive(Default)]
struct Names {
    known: BTreeMap<Vec<u8>, usize>,
}

/// The names in a capture.
struct Scrub {
    groups: Names,
    files: Names,
    /// Mount points of cgroups, longest first.
    mounts: Vec<PathBuf>,
    /// The kernel's names of block devices.
    devices: BTreeSet<OsString>,
}

/// Usual mount point of cgroups.
const CGROUPS: &str = "sys/fs/cgroup";
/// Folders with files that people write: they are left out.
const WRITTEN: [&str; 4] = ["etc", "usr", "lib", "run"];
/// Files without any name that people chose. A file that is neither listed here nor changed by
/// [`Scrub::content`] is left out, so that the files of a new probe are reviewed before they are included.
const NAMELESS: [&str; 54] = [
    "proc/uptime",
    "proc/stat",
    "proc/meminfo",
    "proc/vmstat",
    "proc/diskstats",
    "proc/kallsyms",
    "proc/zoneinfo",
    "proc/pressure/*",
    "proc/sysvipc/shm",
    "proc/sys/vm/*",
    "proc/sys/kernel/osrelease",
    "proc/sys/kernel/kptr_restrict",
    "sys/block/*/size",
    "sys/block/*/dev",
    "sys/block/*/*/size",
    "sys/block/*/*/dev",
    "sys/block/*/queue/rotational",
    "sys/block/*/queue/discard_max_bytes",
    "sys/block/*/queue/scheduler",
    "sys/block/*/device/numa_node",
    "sys/block/*/device/device/numa_node",
    "sys/block/*/device/model",
    "sys/block/zram*/initstate",
    "sys/block/zram*/disksize",
    "sys/block/zram*/mm_stat",
    "sys/block/zram*/io_stat",
    "sys/block/zram*/bd_stat",
    "sys/block/zram*/debug_stat",
    "sys/block/zram*/comp_algorithm",
    "sys/block/zram*/recomp_algorithm",
    "sys/block/zram*/max_comp_streams",
    "sys/block/zram*/writeback_limit",
    "sys/block/zram*/writeback_limit_enable",
    "sys/block/zram*/writeback_batch_size",
    "sys/block/zram*/compressed_writeback",
    "sys/devices/system/cpu/online",
    "sys/devices/system/node/node*/cpulist",
    "sys/devices/system/node/node*/distance",
    "sys/devices/system/node/node*/meminfo",
    "sys/devices/system/node/node*/vmstat",
    "sys/fs/cgroup/**/cgroup.controllers",
    "sys/fs/cgroup/**/memory.*",
    "sys/kernel/debug/zswap/*",
    "sys/kernel/mm/lru_gen/*",
    "sys/kernel/mm/swap/vma_ra_enabled",
    "sys/kernel/mm/numa/demotion_enabled",
    "sys/kernel/mm/transparent_hugepage/*",
    "sys/kernel/mm/transparent_hugepage/khugepaged/*",
    "sys/kernel/mm/transparent_hugepage/hugepages-*/enabled",
    "sys/kernel/mm/transparent_hugepage/hugepages-*/shmem_enabled",
    "sys/kernel/mm/transparent_hugepage/hugepages-*/stats/*",
    "sys/kernel/security/lockdown",
    "sys/module/zswap/parameters/*",
    "sys/power/*",
];
/// File systems of the kernel itself.
const KERNEL_KINDS: [&str; 8] =
    ["proc", "sysfs", "cgroup", "cgroup2", "debugfs", "devtmpfs", "securityfs", "tracefs"];
/// Mount points that every machine has.
const COMMON_POINTS: [&str; 5] = ["/", "/dev", "/dev/shm", "/run", "/tmp"];
/// Mount options that are kept: read-only or not, and the controllers of a cgroup mount.
const OPTIONS: [&str; 17] = [
    "rw",
    "ro",
    "blkio",
    "cpu",
    "cpuacct",
    "cpuset",
    "devices",
    "freezer",
    "hugetlb",
    "io",
    "memory",
    "misc",
    "net_cls",
    "net_prio",
    "perf_event",
    "pids",
    "rdma",
];

/// Removes names from a tree.
pub(super) fn scrub(tree: &mut CaptureTree) {
    let mut scrub = Scrub {
        groups: Names::default(),
        files: Names::default(),
        mounts: cgroup_mounts(tree),
        devices: devices(tree),
    };
    for (path, traced) in std::mem::take(tree) {
        if WRITTEN.iter().any(|top| path.starts_with(top)) {
            continue;
        }
        let path = scrub.scrubbed_path(&path, matches!(traced, Traced::Folder));
        if let Some(traced) = scrub.scrub_entry(&path, traced) {
            tree.insert(path, traced);
        }
    }
}

/// Returns the mount points of cgroups below `/sys`, with the usual one, longest first.
fn cgroup_mounts(tree: &CaptureTree) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from(CGROUPS)];
    for table in ["proc/mounts", "proc/self/mounts"] {
        let Some(Traced::Bytes(bytes)) = tree.get(Path::new(table)) else { continue };
        for line in bytes.split(|byte| *byte == b'\n') {
            let mut fields = line.split(|byte| *byte == b' ').skip(1);
            if let (Some(at), Some(b"cgroup" | b"cgroup2")) = (fields.next(), fields.next()) {
                let at = mounts::unescape(at);
                found.extend(at.as_path().strip_prefix("/").ok().map(Path::to_owned));
            }
        }
    }
    found.retain(|mount| mount.starts_with("sys"));
    found.sort_by_key(|mount| std::cmp::Reverse(mount.as_os_str().len()));
    found
}

/// Returns the kernel's names of disks and partitions.
fn devices(tree: &CaptureTree) -> BTreeSet<OsString> {
    let mut names = BTreeSet::new();
    for (path, traced) in tree {
        let is_link = matches!(traced, Traced::Link(_));
        if let (true, Ok(name)) = (is_link, path.strip_prefix("sys/class/block")) {
            names.insert(name.as_os_str().to_owned());
        }
        let Ok(below) = path.strip_prefix("sys/block") else { continue };
        let mut parts = below.iter();
        let (Some(disk), part) = (parts.next(), parts.next()) else { continue };
        let is_part = |part: &&OsStr| part.as_bytes().starts_with(disk.as_bytes());
        names.extend(part.filter(is_part).map(OsStr::to_owned));
        names.insert(disk.to_owned());
    }
    names
}

impl Scrub {
    /// Returns the path of a file in the scrubbed capture.
    fn scrubbed_path(&mut self, path: &Path, is_folder: bool) -> PathBuf {
        let below = |mount: &PathBuf| Some((mount.clone(), path.strip_prefix(mount).ok()?));
        if let Some((mount, below)) = self.mounts.iter().find_map(below) {
            return mount.join(self.group_file(below, is_folder));
        }
        if ["", "dev", "proc", "sys"].iter().any(|top| path == Path::new(top))
            || path.starts_with("proc")
            || path.starts_with("sys")
        {
            return path.to_owned();
        }
        let new = self.file(Path::new("/").join(path).as_os_str().as_bytes());
        let new = PathBuf::from(OsString::from_vec(new));
        new.strip_prefix("/").map_or(new.clone(), Path::to_owned)
    }

    /// Replaces the names of folders below a cgroup mount; the last part is a file of the kernel.
    fn group_file(&mut self, below: &Path, is_folder: bool) -> PathBuf {
        match (below.parent(), below.file_name()) {
            (Some(folder), Some(file)) if !is_folder && is_kernel_file(file.as_bytes()) => {
                self.groups.path(folder).join(file)
            }
            _ => self.groups.path(below),
        }
    }

    /// Returns what is kept of an entry, if anything.
    fn scrub_entry(&mut self, path: &Path, traced: Traced) -> Option<Traced> {
        match traced {
            Traced::Bytes(bytes) => self.content(path, &bytes).map(Traced::Bytes),
            Traced::Link(target) => stays_in_sys(path, &target).then_some(Traced::Link(target)),
            Traced::Folder => self.is_harmless_folder(path).then_some(Traced::Folder),
            Traced::Error(error) => {
                let is_kernels = path.starts_with("proc") || path.starts_with("sys");
                (!is_kernels || probes::is_declared(path)).then_some(Traced::Error(error))
            }
        }
    }

    /// Returns whether a folder is a parent of a declared file, or has a replaced name.
    fn is_harmless_folder(&self, path: &Path) -> bool {
        let is_kernels = path.starts_with("proc") || path.starts_with("sys");
        let depth = path.iter().count();
        let leads = |pattern: &&str| {
            let start: Vec<&str> = pattern.split('/').take(depth).collect();
            probes::matches_pattern(&start.join("/"), path)
        };
        !is_kernels
            || self.mounts.iter().any(|mount| path.starts_with(mount))
            || probes::PROBES.iter().flat_map(|probe| probe.files).any(leads)
    }

    fn content(&mut self, path: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
        let text = path.to_string_lossy();
        if let Some((pid, file)) = process_file(&text) {
            return self.process_content(pid, file, bytes);
        }
        Some(match text.as_ref() {
            "proc/sys/kernel/hostname" => b"host\n".to_vec(),
            "proc/swaps" => each_line(bytes, |line| self.swap_line(line)),
            "proc/mounts" => each_line(bytes, |line| mount_line(line, &mut self.files)),
            text if probes::matches_pattern("sys/block/zram*/backing_dev", Path::new(text)) => {
                self.backing(bytes)
            }
            text if probes::matches_pattern("sys/block/*/loop/backing_file", Path::new(text)) => {
                b"/file\n".to_vec()
            }
            text if probes::matches_pattern("sys/block/*/dm/name", Path::new(text)) => {
                b"mapped\n".to_vec()
            }
            _ if is_nameless(path) => bytes.to_vec(),
            text if text.starts_with("proc/") || text.starts_with("sys/") => return None,
            _ if bytes.ends_with(format::SWAP_MAGIC) => without_labels(bytes),
            _ => return None,
        })
    }

    fn process_content(&mut self, pid: &str, file: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        Some(match file {
            "mounts" => each_line(bytes, |line| mount_line(line, &mut self.files)),
            "cmdline" if bytes.is_empty() => Vec::new(),
            "cmdline" => format!("process{pid}\0").into_bytes(),
            "status" => each_line(bytes, |line| {
                let name = line.starts_with(b"Name:");
                if name { format!("Name:\tp{pid}").into_bytes() } else { line.to_vec() }
            }),
            "stat" => stat_line(bytes, pid),
            "smaps_rollup" => rollup(bytes),
            "cgroup" => each_line(bytes, |line| cgroup_line(line, &mut self.groups)),
            _ => return None,
        })
    }

    /// Returns the substitute for the path of a file or device; the kernel's device names stay.
    fn file(&mut self, path: &[u8]) -> Vec<u8> {
        let Some(below) = path.strip_prefix(b"/dev/") else {
            return self.files.substitute("/file", path);
        };
        let last = below.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        if self.devices.contains(OsStr::from_bytes(last)) {
            return [b"/dev/", last].concat();
        }
        self.files.substitute("/dev/device", path)
    }

    /// Replaces the path in a line of /proc/swaps; the mark of a deleted file stays.
    fn swap_line(&mut self, line: &[u8]) -> Vec<u8> {
        let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
        let (path, rest) = line.split_at(end);
        if !path.starts_with(b"/") {
            // lxcfs shows the total of a container in a row "none".
            let is_known = [b"Filename".as_slice(), b"none"].contains(&path);
            return if is_known { line.to_vec() } else { Vec::new() };
        }
        let (unescaped, deleted) = swaps::unescape(path);
        let mark: &[u8] = if deleted { b"\\040(deleted)" } else { b"" };
        [&self.file(unescaped.as_bytes()), mark, rest].concat()
    }

    fn backing(&mut self, bytes: &[u8]) -> Vec<u8> {
        match bytes.trim_ascii_end() {
            b"none" => bytes.to_vec(),
            path => [self.file(path).as_slice(), b"\n"].concat(),
        }
    }
}

pub(super) fn is_nameless(path: &Path) -> bool {
    NAMELESS.iter().any(|pattern| probes::matches_pattern(pattern, path))
}

/// Returns whether a link, followed by its text, ends below `sys`. Devices with links in `sys/block` are
/// virtual, and `sys/block` itself contains links to them.
fn stays_in_sys(path: &Path, target: &Path) -> bool {
    let folder = path.parent().unwrap_or(path);
    let mut at = match folder.strip_prefix("sys/block") {
        Ok(below) => Path::new("sys/devices/virtual/block").join(below),
        Err(_) => folder.to_owned(),
    };
    for part in target.components() {
        match part {
            Component::Normal(name) => at.push(name),
            Component::ParentDir => {
                at.pop();
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return false,
        }
        if !at.starts_with("sys") {
            return false;
        }
    }
    true
}

/// Splits the path of a file of a process or of a thread into process id and file name.
fn process_file(path: &str) -> Option<(&str, &str)> {
    let (pid, file) = path.strip_prefix("proc/")?.split_once('/')?;
    let is_process =
        pid == "self" || !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit());
    let of_thread = file.strip_prefix("task/").and_then(|rest| rest.split_once('/'));
    is_process.then_some((pid, of_thread.map_or(file, |(_, file)| file)))
}

fn each_line(bytes: &[u8], change: impl FnMut(&[u8]) -> Vec<u8>) -> Vec<u8> {
    bytes.split(|byte| *byte == b'\n').map(change).collect::<Vec<_>>().join(&b'\n')
}

/// Removes names from a mount line: the kernel's own file systems keep their mount points.
fn mount_line(line: &[u8], files: &mut Names) -> Vec<u8> {
    let mut fields = line.split(|byte| *byte == b' ').skip(1);
    let (Some(at), Some(kind), Some(options)) = (fields.next(), fields.next(), fields.next())
    else {
        return Vec::new();
    };
    let point =
        if keeps_mount_point(at, kind) { at.to_vec() } else { files.substitute("/mount", at) };
    // The name of a FUSE program follows the dot.
    let kind = kind.split(|byte| *byte == b'.').next().unwrap_or_default();
    [b"none".as_slice(), &point, kind, &kept_options(options), b"0", b"0"].join(&b' ')
}

/// Returns whether a mount point is kept: the `/proc` of a container is below a folder with a chosen name.
fn keeps_mount_point(at: &[u8], kind: &[u8]) -> bool {
    let path = Path::new(OsStr::from_bytes(at));
    let is_usual = ["/proc", "/sys", "/dev"].iter().any(|top| path.starts_with(top));
    let is_kernels = KERNEL_KINDS.iter().any(|known| known.as_bytes() == kind);
    (is_kernels && is_usual) || COMMON_POINTS.iter().any(|known| known.as_bytes() == at)
}

fn kept_options(options: &[u8]) -> Vec<u8> {
    let is_size =
        |value: &[u8]| value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'%');
    let is_kept = |option: &&[u8]| {
        OPTIONS.iter().any(|known| known.as_bytes() == *option)
            || option.strip_prefix(b"size=").is_some_and(is_size)
    };
    let kept: Vec<&[u8]> = options.split(|byte| *byte == b',').filter(is_kept).collect();
    if kept.is_empty() { b"none".to_vec() } else { kept.join(&b',') }
}

/// Replaces the command name, which is between the first and the last parenthesis and may contain any.
fn stat_line(bytes: &[u8], pid: &str) -> Vec<u8> {
    let open = bytes.iter().position(|byte| *byte == b'(');
    let close = bytes.iter().rposition(|byte| *byte == b')');
    let before = open.and_then(|open| bytes.get(..open));
    let after = close.and_then(|close| bytes.get(close + 1..));
    match (before, after) {
        (Some(before), Some(after)) => {
            [before, format!("(p{pid})").as_bytes(), &without_addresses(after)].concat()
        }
        _ => Vec::new(),
    }
}

/// Replaces addresses by zero in the fields after the name, which start with field 3.
fn without_addresses(after: &[u8]) -> Vec<u8> {
    // Field 3 follows the space after the parenthesis.
    let fields = after.split(|byte| *byte == b' ').zip(2..);
    let field = |(field, number): (&[u8], u32)| match number {
        26..=30 | 35 | 45..=51 => b"0".to_vec(),
        _ => field.to_vec(),
    };
    fields.map(field).collect::<Vec<_>>().join(&b' ')
}

/// Replaces the first line, which contains the address range of the process.
fn rollup(bytes: &[u8]) -> Vec<u8> {
    each_line(bytes, |line| {
        let is_range = line.ends_with(b"[rollup]");
        if is_range {
            b"00000000-00000000 ---p 00000000 00:00 0 [rollup]".to_vec()
        } else {
            line.to_vec()
        }
    })
}

/// Replaces names in a line like `4:memory:/user.slice/alice`: everything after the second colon is a path.
/// A hierarchy without controllers has a name.
fn cgroup_line(line: &[u8], groups: &mut Names) -> Vec<u8> {
    let mut parts = line.splitn(3, |byte| *byte == b':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(number), Some(controllers), Some(path)) => {
            let controllers = match controllers.strip_prefix(b"name=") {
                Some(name) if name != b"systemd" => groups.substitute("name=g", name),
                _ => controllers.to_vec(),
            };
            let path = Path::new(OsStr::from_bytes(path));
            let path = groups.path(path).into_os_string().into_vec();
            [number, &controllers, &path].join(&b':')
        }
        _ => Vec::new(),
    }
}

/// Removes label and UUID from the header of a swap area, and the bytes before it.
fn without_labels(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for range in [0..format::VERSION, format::UUID..format::LABEL + format::FIELD] {
        if let Some(part) = bytes.get_mut(range) {
            part.fill(0);
        }
    }
    bytes
}

impl Names {
    /// Returns the substitute of a name: always the same for a name.
    fn substitute(&mut self, prefix: &str, name: &[u8]) -> Vec<u8> {
        let next = self.known.len();
        let number = *self.known.entry(name.to_vec()).or_insert(next);
        format!("{prefix}{number}").into_bytes()
    }

    /// Replaces every part of a path.
    fn path(&mut self, path: &Path) -> PathBuf {
        let mut part = |part: Component<'_>| {
            let name = part.as_os_str();
            let chosen = matches!(part, Component::Normal(_));
            if chosen {
                OsString::from_vec(self.substitute("g", name.as_bytes()))
            } else {
                name.to_owned()
            }
        };
        path.components().map(&mut part).collect()
    }
}

/// Returns whether a name is a file of the cgroup file system, and not chosen by people.
fn is_kernel_file(name: &[u8]) -> bool {
    let families = ["memory.", "cgroup."].map(str::as_bytes);
    families.iter().any(|family| name.starts_with(family))
}
