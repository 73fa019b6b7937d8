//! The kernel and the machine, and what it and these rights let us see.

use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// Which cgroup hierarchies are mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CgroupMode {
    /// Version 1 only.
    V1,
    /// Version 2 only.
    V2,
    /// Both.
    Hybrid,
    /// None.
    None,
}

/// The kernel and the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// As `uname -r` prints it.
    pub release: Reading<String>,
    /// The machine's name.
    pub hostname: Reading<String>,
    /// Processors that are online.
    pub cpus: Reading<u64>,
    /// Seconds since boot.
    pub uptime_s: Reading<f64>,
}

/// Our rights, and which views into the kernel are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Our effective user.
    pub uid: Reading<u32>,
    /// Our effective capabilities, as the kernel's bit mask.
    pub capabilities: Reading<u64>,
    /// Size of the kernel's type information (BTF).
    pub btf_bytes: Reading<u64>,
    /// Can kernel memory be opened for reading?
    pub kcore: Reading<bool>,
    /// Are the addresses of the kernel's symbols shown? Whether data symbols are among them is not
    /// looked at: that takes reading more than 10 MB.
    pub kallsyms: Reading<bool>,
    /// The setting that hides kernel addresses.
    pub kptr_restrict: Reading<u64>,
    /// The lockdown mode in force.
    pub lockdown: Reading<String>,
    /// Is debugfs mounted and may it be read?
    pub debugfs: Reading<bool>,
    /// Which cgroup hierarchies are mounted.
    pub cgroups: Reading<CgroupMode>,
    /// Can zram devices be made: is it in the kernel, or its module loaded?
    #[serde(default = "Reading::not_sampled")]
    pub zram: Reading<bool>,
}

/// The bit of `CAP_SYS_ADMIN` among capabilities.
pub const SYS_ADMIN: u64 = 1 << 21;

impl Access {
    /// Is this a root who may not change swap, as in a container?
    pub fn is_stripped(&self) -> bool {
        let lacks = self.capabilities.known().is_some_and(|mask| mask & SYS_ADMIN == 0);
        lacks && self.uid.known() == Some(&0)
    }

    /// Our rights alone.
    pub fn rights(uid: Reading<u32>, capabilities: Reading<u64>) -> Self {
        Self {
            uid,
            capabilities,
            btf_bytes: Reading::not_sampled(),
            kcore: Reading::not_sampled(),
            kallsyms: Reading::not_sampled(),
            kptr_restrict: Reading::not_sampled(),
            lockdown: Reading::not_sampled(),
            debugfs: Reading::not_sampled(),
            zram: Reading::not_sampled(),
            cgroups: Reading::not_sampled(),
        }
    }
}
