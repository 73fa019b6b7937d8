//! What is known of a file, and of the file system it lies on, without reading it.

use nix::sys::statfs;
use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};

/// What kind of file a path leads to, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// A block device's number, major and minor.
    pub block_device: Option<(u32, u32)>,
    /// The number of the device that the file lies on, major and minor.
    pub on_device: (u32, u32),
    /// Size of a regular file.
    pub size: u64,
    /// How much of it has a place on the disk.
    pub allocated: u64,
    /// Is it a regular file?
    pub regular: bool,
    /// Is it a folder?
    pub folder: bool,
    /// Who may do what with it.
    pub mode: u32,
    /// Whose it is.
    pub owner: u32,
    /// Its number on the device that it lies on.
    pub inode: u64,
    /// How many names it has.
    pub links: u64,
    /// When it was changed last, in seconds and nanoseconds.
    pub changed: (i64, i64),
}

impl FileFacts {
    /// What tells it from all others, whatever name it has: the number of a device, or the place
    /// of a file.
    pub fn identity(&self) -> (u32, u32, Option<u64>) {
        let ((major, minor), inode) = match self.block_device {
            Some(number) => (number, None),
            None => (self.on_device, Some(self.inode)),
        };
        (major, minor, inode)
    }
}

/// How full a file system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Bytes used.
    pub used: u64,
    /// Bytes in all; zero if it has no limit.
    pub size: u64,
    /// Bytes that are free for anybody: what is reserved for root is not.
    pub free: u64,
    /// Is it a tmpfs?
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
