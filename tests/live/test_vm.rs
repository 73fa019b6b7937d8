//! A virtual machine made for these tests and thrown away: only there are disks written to directly, and
//! memory exhausted.

use crate::areas::{self, Title, sysfs};
use crate::lab::{OURS, retry};
use crate::program;
use std::fs;
use std::path::{Path, PathBuf};

/// The kernel parameter added by tests/kernels/vmtest.sh with `VMTEST_NUMA`.
const MARK: &str = "swapadm.live";

/// A disk of the machine for tests.
pub(crate) struct Disk {
    pub(crate) path: PathBuf,
    /// Its NUMA node.
    pub(crate) node: i32,
}

/// Whether this is such a machine.
pub(crate) fn is_test_vm() -> bool {
    let line = fs::read_to_string("/proc/cmdline").unwrap_or_default();
    line.split_whitespace().any(|word| word == MARK)
}

/// The disks in the order of their nodes.
pub(crate) fn disks() -> Result<Vec<Disk>, String> {
    assert!(is_test_vm(), "this is a machine for such tests");
    program::tool("modprobe", &["nvme"]);
    // The kernel may still be detecting disks.
    let found = retry(|| Some(ours()).filter(|all| all.len() > 1).ok_or(()));
    found.map_err(|()| "several nodes with a disk each are missing".to_owned())
}

fn ours() -> Vec<Disk> {
    let names = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let disk = |name: &Path| {
        let file = |file: &str| fs::read_to_string(sysfs(name).join(file)).ok();
        let path = Path::new("/dev").join(name);
        let is = file("device/serial")?.starts_with(OURS) && path.exists();
        let node = file("device/numa_node")?.trim().parse().ok()?;
        is.then_some(Disk { path, node })
    };
    let mut all: Vec<Disk> = names.filter_map(|it| disk(Path::new(&it.file_name()))).collect();
    all.sort_by_key(|disk| disk.node);
    all
}

impl Disk {
    /// Uses it as swap until this is dropped.
    pub(crate) fn area(
        &self,
        size: u64,
        title: &Title,
        priority: u16,
    ) -> Result<areas::Area, String> {
        areas::on_disk(&self.path, size, title, priority)
    }
}
