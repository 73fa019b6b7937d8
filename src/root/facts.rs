//! Metadata of files and file systems.

use nix::sys::statfs;
use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};

/// Kind, size and identity of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// Major and minor number of a block device.
    pub block_device: Option<(u32, u32)>,
    /// Major and minor number of the device that holds the file.
    pub on_device: (u32, u32),
    /// Size of a regular file.
    pub size: u64,
    /// Bytes allocated on the disk.
    pub allocated: u64,
    /// Whether it is a regular file.
    pub regular: bool,
    /// Whether it is a folder.
    pub folder: bool,
    /// Permission bits.
    pub mode: u32,
    /// User id of the owner.
    pub owner: u32,
    /// Inode number.
    pub inode: u64,
    /// Number of hard links.
    pub links: u64,
    /// Last status change (ctime), in seconds and nanoseconds.
    pub changed: (i64, i64),
}

impl FileFacts {
    /// Returns an identity independent of the name: the number of a block device, or device and inode of
    /// a file.
    pub fn identity(&self) -> (u32, u32, Option<u64>) {
        let ((major, minor), inode) = match self.block_device {
            Some(number) => (number, None),
            None => (self.on_device, Some(self.inode)),
        };
        (major, minor, inode)
    }
}

/// Use of a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Used bytes.
    pub used: u64,
    /// Total bytes; zero without a limit.
    pub size: u64,
    /// Bytes free for all users, without those reserved for root.
    pub free: u64,
    /// Whether it is a tmpfs.
    pub is_tmpfs: bool,
}

impl Usage {
    pub(super) fn from_statfs(stat: &statfs::Statfs) -> Self {
        let unit = u64::try_from(stat.block_size()).unwrap_or(0);
        let used = stat.blocks().saturating_sub(stat.blocks_free());
        Self {
            used: used.saturating_mul(unit),
            size: stat.blocks().saturating_mul(unit),
            free: stat.blocks_available().saturating_mul(unit),
            is_tmpfs: stat.filesystem_type() == statfs::TMPFS_MAGIC,
        }
    }
}

impl From<&Metadata> for FileFacts {
    fn from(data: &Metadata) -> Self {
        let split = |device: u64| {
            let major = nix::sys::stat::major(device);
            let minor = nix::sys::stat::minor(device);
            (u32::try_from(major).unwrap_or(u32::MAX), u32::try_from(minor).unwrap_or(u32::MAX))
        };
        Self {
            block_device: data.file_type().is_block_device().then(|| split(data.rdev())),
            on_device: split(data.dev()),
            size: data.len(),
            allocated: data.blocks().saturating_mul(512),
            regular: data.is_file(),
            folder: data.is_dir(),
            mode: data.mode() & 0o7777,
            owner: data.uid(),
            inode: data.ino(),
            links: data.nlink(),
            changed: (data.ctime(), data.ctime_nsec()),
        }
    }
}
