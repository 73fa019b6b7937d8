//! Facts about a machine beyond its swap, which decide the swap that suits it.

use super::block::BlockDevice;
use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use super::zram;

/// The facts about a machine that only a proposal of swap needs.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Surroundings {
    /// Whether the machine is virtual.
    pub is_virtual: bool,
    /// Model of a board with a device tree; absent on other machines.
    pub board: Reading<String>,
    /// Whether the machine has a battery of its own.
    pub has_battery: bool,
    /// Why zram devices cannot be created now; known if they can.
    pub zram: Reading<()>,
    /// Whether zram-generator is installed.
    pub has_zram_generator: bool,
    /// Whether systemd-tmpfiles is installed.
    pub has_tmpfiles: bool,
    /// Places for a swap file, best first.
    pub places: Vec<SwapFilePlace>,
}

/// A service that sets up swap at boot by rules of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwapService {
    /// Name of its package.
    pub package: &'static str,
    /// Name without the type of the unit.
    pub unit: &'static str,
    /// The configuration.
    pub config: &'static str,
    /// The defaults of the package, where they are in a file.
    pub defaults: Option<&'static str>,
    /// Folders of files that are read after its configuration; of equal names, the last one counts.
    pub drop_ins: &'static [&'static str],
    /// Whether the service sets up zram devices.
    pub makes_zram: bool,
    /// Whether the service creates swap files.
    pub makes_files: bool,
}

impl SwapService {
    /// Whether the service may enable this area at boot.
    pub fn may_enable(&self, path: &Name) -> bool {
        let is_file = !path.as_bytes().starts_with(b"/dev/");
        (self.makes_zram && zram::device_number(path).is_some()) || (self.makes_files && is_file)
    }

    /// Says that the service enables this area at boot, and how to end that.
    pub fn explain(&self, path: &Name) -> String {
        format!(
            "{}: {unit}.service enables it at boot: systemctl disable --now {unit}",
            path.safe(),
            unit = self.unit
        )
    }
}

/// The known services.
pub const SWAP_SERVICES: [SwapService; 4] = [
    SwapService {
        package: "zram-tools",
        unit: "zramswap",
        config: "/etc/default/zramswap",
        defaults: None,
        drop_ins: &[],
        makes_zram: true,
        makes_files: false,
    },
    SwapService {
        package: "zram-config",
        unit: "zram-config",
        config: "/usr/bin/init-zram-swapping",
        defaults: None,
        drop_ins: &[],
        makes_zram: true,
        makes_files: false,
    },
    SwapService {
        package: "systemd-swap",
        unit: "systemd-swap",
        config: "/etc/systemd/swap.conf",
        defaults: Some("/usr/share/systemd-swap/swap-default.conf"),
        drop_ins: &[
            "/usr/lib/systemd/swap.conf.d",
            "/run/systemd/swap.conf.d",
            "/etc/systemd/swap.conf.d",
        ],
        makes_zram: true,
        makes_files: true,
    },
    SwapService {
        package: "dphys-swapfile",
        unit: "dphys-swapfile",
        config: "/etc/dphys-swapfile",
        defaults: None,
        drop_ins: &[],
        makes_zram: false,
        makes_files: true,
    },
];

/// File systems on which swap files are created, the usual ones first.
pub const SWAP_FILE_SYSTEMS: [&str; 5] = ["ext4", "xfs", "btrfs", "ext3", "ext2"];

/// A place for a swap file.
#[derive(Clone, Debug, PartialEq)]
pub struct SwapFilePlace {
    /// Path of the file, which does not exist yet.
    pub file: Name,
    /// Why no swap file can be there; known type of the file system if one can.
    pub filesystem: Reading<String>,
    /// Free space on the file system.
    pub free: Reading<Bytes>,
    /// Size of the file system.
    pub whole: Reading<Bytes>,
    /// The device of the file system.
    pub device: Reading<BlockDevice>,
}

/// Pages of processes, to find out how well the memory of this machine compresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySample {
    /// Size of a page in bytes.
    pub page_size: usize,
    /// Number of processes that the pages come from.
    pub processes: u64,
    /// The pages, one after the other.
    pub bytes: Vec<u8>,
}
