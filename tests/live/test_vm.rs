//! A machine that was made for these tests and is thrown away: only there disks are written to as
//! they are, and memory is used up.

use crate::areas::{self, Title, sysfs};
use crate::lab::{OURS, retry};
use crate::program;
use std::fs;
use std::path::{Path, PathBuf};

/// What tests/kernels/vmtest.sh adds to the command line of the kernel with `VMTEST_NUMA`.
const MARK: &str = "swapadm.live";

/// A disk of the machine that is there to be used.
pub(crate) struct Disk {
    pub(crate) path: PathBuf,
    /// The NUMA node that it belongs to.
    pub(crate) node: i32,
}

/// Is this one?
pub(crate) fn is_test_vm() -> bool {
    let line = fs::read_to_string("/proc/cmdline").unwrap_or_default();
    line.split_whitespace().any(|word| word == MARK)
}

/// Its disks in the order of their nodes.
pub(crate) fn disks() -> Result<Vec<Disk>, String> {
    assert!(is_test_vm(), "nothing here is there to be used up");
    program::tool("modprobe", &["nvme"]);
    // Disks are looked for while others run on.
    let found = retry(|| Some(ours()).filter(|all| all.len() > 1).ok_or(()));
    found.map_err(|()| "there is no disk on each of several nodes".to_owned())
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
    /// Use it as swap until this is dropped.
    pub(crate) fn area(
        &self,
        size: u64,
        title: &Title,
        priority: u16,
    ) -> Result<areas::Area, String> {
        areas::on_disk(&self.path, size, title, priority)
    }
}
