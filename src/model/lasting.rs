//! Files that give settings of the kernel their values when the machine starts.

use super::name::Name;

/// What one line of such a file sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The file, with all links followed.
    pub file: Name,
    /// The line, from 1 on.
    pub line: u32,
    /// What it sets: a name such as `vm.swappiness`, or a file of the kernel.
    pub key: String,
    /// To what.
    pub value: String,
}

/// All of them, in the order in which they are carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasting {
    /// Of `sysctl.d`: of those with one key the last counts.
    pub sysctl: Vec<Assignment>,
    /// Of `tmpfiles.d`: of those with one key the first counts; none where nothing carries it out.
    pub tmpfiles: Option<Vec<Assignment>>,
    /// Is there a zram-generator?
    pub zram_generator: bool,
    /// Does systemd run this machine?
    pub systemd: bool,
    /// Which release of it is here, if that is known.
    pub systemd_release: Option<u32>,
}

impl Lasting {
    /// The line that counts for a setting of `/proc/sys`, by its name.
    pub fn sysctl(&self, key: &str) -> Option<&Assignment> {
        self.sysctl.iter().rfind(|it| it.key == key)
    }

    /// The line that counts for a file of `/sys`.
    pub fn tmpfile(&self, file: &str) -> Option<&Assignment> {
        self.tmpfiles.iter().flatten().find(|it| it.key == file)
    }
}

/// The name by which `sysctl` knows a file.
pub fn sysctl_name(file: &str) -> Option<String> {
    Some(file.strip_prefix("/proc/sys/")?.replace('/', "."))
}
