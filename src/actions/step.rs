//! Steps: the changes that plans are made of.

mod describe;
mod shell;
mod state;
pub(super) mod zram;

use crate::actions::MachineView;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::{Format, Patch, SwapFileSpec};
use crate::model::knob::{CGROUP_KNOBS, KNOBS};
pub use crate::model::name::shell_quoted;
use crate::model::paging::BracketedChoice;
use crate::model::swaparea::SwapArea;
use crate::model::zram::{ZramSettings, device_number, device_path, sysfs_folder};
use crate::model::{Bytes, Name, Reading};
use crate::sys::{SWAP_IN, process_folder};
use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// One change, done completely or not at all, as far as the kernel permits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Step {
    /// Enable an area.
    On {
        /// How the area becomes active.
        area: Activation,
    },
    /// Disable an area.
    Off {
        /// How the area was active.
        area: Activation,
    },
    /// Disable an area and enable it again: the only way to change its options, or to drain it.
    Renew {
        /// How the area was active.
        from: Activation,
        /// How the area becomes active.
        to: Activation,
    },
    /// Change a kernel setting.
    Set {
        /// Name of the setting for people.
        what: String,
        /// File of the setting.
        file: Name,
        /// Old value, as the kernel writes it.
        from: String,
        /// New value, as the kernel writes it.
        to: String,
    },
    /// Write a configuration file that is read at boot.
    Save {
        /// Path of the file.
        path: Name,
        /// Old content; `None` if the file does not exist.
        from: Option<String>,
        /// New content; `None` to remove the file.
        to: Option<String>,
    },
    /// Create, set up again or remove a zram device. Its contents are lost, unless only its limit
    /// changes.
    Zram {
        /// Number of the device.
        number: u64,
        /// The sysfs folder, which names the step; its node is the name of the area on it.
        folder: Name,
        /// Old setup; `None` if the device did not exist.
        from: Option<ZramSettings>,
        /// New setup; `None` to remove the device.
        to: Option<ZramSettings>,
    },
    /// Give the kernel a one-time order, whose effect can neither be seen nor undone.
    Order {
        /// Description for people.
        what: String,
        /// File of the order.
        file: Name,
        /// Word written to the file.
        word: String,
    },
    /// Write a swap header, or restore what it replaced.
    Header {
        /// Path of the device or file.
        path: Name,
        /// Size that it must have.
        size: Bytes,
        /// Content of the header.
        format: Format,
        /// Old content of all places written: the first page, and signatures of others that are
        /// wiped.
        was: Vec<Patch>,
        /// Is the old content restored?
        back: bool,
    },
    /// Create a swap file with its header, or remove one.
    File {
        /// Path of the file.
        path: Name,
        /// Old form; `None` if it did not exist.
        from: Option<SwapFileSpec>,
        /// New form; `None` to remove it.
        to: Option<SwapFileSpec>,
    },
}

/// The bytes that must be found in some places of a device, and those written there, in this order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderRewrite {
    /// Expected bytes.
    pub(crate) from: Vec<Patch>,
    /// New bytes.
    pub(crate) to: Vec<Patch>,
}

/// The state of a step's subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// As before the step.
    Before,
    /// As after the step.
    After,
    /// An area is disabled that belongs on, or a zram device was reset and not set up.
    Missing,
    /// Neither: somebody else changed it.
    Other,
}

impl StepState {
    /// The state of a value that is as after the step, as before it, or neither.
    fn from_matches(is_after: bool, is_before: bool) -> Self {
        match (is_after, is_before) {
            (true, _) => Self::After,
            (false, true) => Self::Before,
            (false, false) => Self::Other,
        }
    }
}

impl Step {
    /// The subject: path of an area, a kernel file, or the folder of a device.
    pub fn subject(&self) -> &Name {
        match self {
            Self::On { area } | Self::Off { area } | Self::Renew { to: area, .. } => &area.path,
            Self::Set { file, .. } | Self::Order { file, .. } => file,
            Self::Zram { folder, .. } => folder,
            Self::Save { path, .. } | Self::Header { path, .. } | Self::File { path, .. } => path,
        }
    }

    /// Was the cgroup of a setting removed, and the change with it?
    pub(in crate::actions) fn is_gone(&self, look: &dyn MachineView) -> bool {
        self.limit_of_cgroup().is_some_and(|file| look.setting(file).is_absent())
    }

    /// The file of the cgroup that the step limits.
    fn limit_of_cgroup(&self) -> Option<&Name> {
        let Self::Set { file, .. } = self else { return None };
        let name = file.base();
        CGROUP_KNOBS.iter().any(|knob| name.as_bytes() == knob.id.as_bytes()).then_some(file)
    }

    /// Can memory run short by the step: does it disable an area, or limit a cgroup?
    pub(super) fn needs_memory(&self) -> bool {
        self.disabled_area().is_some() || self.limit_of_cgroup().is_some()
    }

    /// The device or file that the step is about: one name for a zram device, its folder and its node.
    pub fn device(&self) -> Name {
        if let Self::Zram { number, .. } = self {
            return device_path(*number);
        }
        self.subject().clone()
    }

    /// A step that changes a zram device from one setup to another.
    pub fn zram(number: u64, from: Option<ZramSettings>, to: Option<ZramSettings>) -> Self {
        Self::Zram { number, folder: sysfs_folder(number), from, to }
    }

    /// Disables an area and enables it again as it was.
    pub fn renew_unchanged(area: Activation) -> Self {
        Self::Renew { from: area.clone(), to: area }
    }

    /// The area that the step disables, even if only for a moment.
    pub fn disabled_area(&self) -> Option<&Activation> {
        let (Self::Off { area } | Self::Renew { from: area, .. }) = self else { return None };
        Some(area)
    }

    /// The area that is active after the step.
    pub fn enabled_area(&self) -> Option<&Activation> {
        let (Self::On { area } | Self::Renew { to: area, .. }) = self else { return None };
        Some(area)
    }

    /// The number of the zram device that the step resets or removes.
    pub fn resets_device(&self) -> Option<u64> {
        let Self::Zram { number, from: Some(from), to, .. } = self else { return None };
        (!to.as_ref().is_some_and(|to| from.eq_except_limit(to))).then_some(*number)
    }

    /// Does the step change which areas are active, or their options?
    pub fn is_of_areas(&self) -> bool {
        self.disabled_area().is_some() || self.enabled_area().is_some()
    }

    /// Can the machine show whether the step was done? An area that was drained, or discards in another way,
    /// looks as before.
    pub fn is_observable(&self) -> bool {
        !matches!(self, Self::Renew { from, to } if from.priority == to.priority)
            && !matches!(self, Self::Order { .. })
    }

    /// Are all of these steps orders? Orders leave nothing that could be repaired.
    pub fn are_orders(steps: &[Self]) -> bool {
        !steps.is_empty() && steps.iter().all(|step| matches!(step, Self::Order { .. }))
    }

    /// The step that undoes this one; `None` if there is nothing to undo.
    pub fn inverse(&self) -> Option<Self> {
        Some(match self.clone() {
            Self::On { area } => Self::Off { area },
            Self::Off { area } => Self::On { area },
            Self::Renew { from, to } if from == to => return None,
            Self::Renew { from, to } => Self::Renew { from: to, to: from },
            Self::Set { what, file, from, to } => Self::Set { what, file, from: to, to: from },
            Self::Save { path, from, to } => Self::Save { path, from: to, to: from },
            Self::Zram { number, folder, from, to } => {
                Self::Zram { number, folder, from: to, to: from }
            }
            Self::Order { .. } => return None,
            Self::Header { path, size, format, was, back } => {
                Self::Header { path, size, format, was, back: !back }
            }
            Self::File { path, from, to } => Self::File { path, from: to, to: from },
        })
    }

    /// Does the step give a swap file another size?
    pub(super) fn is_resize(&self) -> bool {
        matches!(self, Self::File { from: Some(_), to: Some(_), .. })
    }

    /// Does the step replace a text: that of a setting or of a file?
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Set { .. } | Self::Save { .. })
    }

    /// Does the change outlast a reboot?
    pub fn outlasts_boot(&self) -> bool {
        // Contents of zram end with the memory.
        let on_zram = device_number(self.subject()).is_some();
        matches!(self, Self::Header { .. } | Self::File { .. } | Self::Save { .. }) && !on_zram
    }

    /// How the area must be enabled to repair the step if it was left disabled.
    pub fn rescue(&self) -> Option<&Activation> {
        self.enabled_area().and(self.disabled_area())
    }

    /// Does the step leave a swap header, whatever was there before?
    pub fn formats(&self) -> bool {
        matches!(self, Self::Header { back: false, .. } | Self::File { to: Some(_), .. })
    }

    /// A step that writes this header where `was` stands now. The first page comes first.
    pub fn format(path: Name, size: Bytes, format: Format, was: Vec<Patch>) -> Self {
        Self::Header { path, size, format, was, back: false }
    }

    /// A step that writes this header on a new device, which may not exist yet and holds zeros.
    pub fn format_new(path: Name, size: Bytes, format: Format) -> Self {
        let was = format.patch_over_zeros();
        Self::format(path, size, format, was)
    }

    /// Returns the patches that a header step writes; empty for all other steps. The first page is
    /// written first and restored last, so it shows how far the step came.
    pub(crate) fn rewrites(&self) -> HeaderRewrite {
        let Self::Header { format, was, back, .. } = self else {
            return HeaderRewrite { from: Vec::new(), to: Vec::new() };
        };
        let page = Patch { at: 0, bytes: format.page() };
        let rest = was.iter().skip(1).map(Patch::cleared);
        let mut new: Vec<Patch> = std::iter::once(page).chain(rest).collect();
        let mut old = was.clone();
        if !back {
            return HeaderRewrite { from: old, to: new };
        }
        old.reverse();
        new.reverse();
        HeaderRewrite { from: new, to: old }
    }

    /// Bytes that must be moved off the area.
    pub fn moves(&self, areas: &[SwapArea]) -> Bytes {
        let Some(taken) = self.disabled_area() else { return Bytes(0) };
        let shown = areas.iter().find(|area| area.path == taken.path);
        shown.and_then(|area| area.used.known().copied()).unwrap_or(Bytes(0))
    }
}

/// The selected word of a file that lists several; otherwise all of its text.
pub(super) fn current_choice(text: &str) -> String {
    BracketedChoice::parse(text).map_or_else(|| text.to_owned(), |choice| choice.current)
}

/// The value of a reading, or the reason why it is missing.
pub(super) fn known_or_reason<T>(reading: Reading<T>) -> Result<T, String> {
    reading.into_result().map_err(|missing| missing.why())
}

/// How an area is active, as far as the kernel shows it.
pub(super) fn activation_of(area: &SwapArea, discard: Discard) -> Activation {
    Activation { path: area.path.clone(), priority: Priority::from_shown(area.priority), discard }
}

/// Files of a zram device that orders are written to, and the one setting that goes with them.
const ZRAM: [&str; 6] =
    ["compact", "idle", "recompress", "writeback", "writeback_limit", "writeback_limit_enable"];

/// Does a step change only files that its kind may change?
pub(super) fn is_in_scope(step: &Step) -> bool {
    let path = step.subject().as_path();
    let is_plain =
        path.components().all(|it| matches!(it, Component::RootDir | Component::Normal(_)));
    let is_of_kind = match step {
        Step::Set { .. } => is_setting(path) || is_of_zram(path),
        Step::Order { file, word, .. } => {
            is_of_zram(path) || is_reclaim(path, word) || is_swap_in(file, word)
        }
        Step::Save { .. } => is_boot_config(path),
        Step::Zram { number, folder, .. } => *folder == sysfs_folder(*number),
        Step::On { .. }
        | Step::Off { .. }
        | Step::Renew { .. }
        | Step::Header { .. }
        | Step::File { .. } => true,
    };
    path.is_absolute() && is_plain && is_of_kind
}

/// Prefix of the folders for each size of huge pages.
const SIZES: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-";

/// The file of a setting for one size of huge pages, such as `thp.64kB.enabled`.
pub(super) fn file_of_size(id: &str) -> Option<Name> {
    let (size, file) = id.strip_prefix("thp.")?.split_once("kB.")?;
    let is_known = ["enabled", "shmem_enabled"].contains(&file);
    let is_number = size.parse::<u64>().is_ok() && !size.starts_with(['0', '+']);
    (is_known && is_number).then(|| Name::new(format!("{SIZES}{size}kB/{file}").into_bytes()))
}

/// Is this the file of a setting that can be changed?
fn is_setting(path: &Path) -> bool {
    let below = path.strip_prefix("/").unwrap_or(path);
    let of_size = || {
        let (size, file) = path.to_str()?.strip_prefix(SIZES)?.split_once("kB/")?;
        file_of_size(&format!("thp.{size}kB.{file}"))
    };
    let is_of_group = CGROUP_KNOBS.iter().any(|knob| path.file_name() == Some(knob.id.as_ref()));
    KNOBS.iter().any(|knob| below == Path::new(knob.file)) || of_size().is_some() || is_of_group
}

/// Does an order reclaim this many bytes of a cgroup?
fn is_reclaim(path: &Path, word: &str) -> bool {
    let amount = word.strip_suffix(FROM_ZSWAP).unwrap_or(word);
    let is_number = !amount.is_empty() && amount.bytes().all(|byte| byte.is_ascii_digit());
    path.file_name() == Some(RECLAIM.as_ref()) && is_number
}

/// The text behind the number of bytes where only zswap is asked for them.
pub const FROM_ZSWAP: &str = " source=zswap";

/// The file of a cgroup whose memory is reclaimed by writing a number of bytes.
pub const RECLAIM: &str = "memory.reclaim";

/// Does an order bring the pages of a process back?
fn is_swap_in(file: &Name, word: &str) -> bool {
    word == SWAP_IN && process_folder(file).is_some()
}

fn is_of_zram(path: &Path) -> bool {
    let folder = path.parent().and_then(|it| it.strip_prefix("/sys/block").ok()?.to_str());
    let number = folder.and_then(|folder| folder.strip_prefix("zram"));
    let is_device = number.is_some_and(|number| number.parse::<u32>().is_ok());
    is_device && ZRAM.iter().any(|file| path.file_name() == Some(file.as_ref()))
}

/// Is this fstab, or a file of sysctl, systemd-tmpfiles, zram-generator or a systemd unit?
pub(super) fn is_boot_config(path: &Path) -> bool {
    let is_conf = path.extension().is_some_and(|it| it == "conf");
    path.as_os_str() == "/etc/fstab" || (is_conf && path.starts_with("/etc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_out_of_scope_are_rejected() {
        let set = |file: &str| Step::Set {
            what: String::new(),
            file: file.into(),
            from: String::new(),
            to: String::new(),
        };
        let save = |path: &str| Step::Save { path: path.into(), from: None, to: None };
        let order = |file: &str| Step::Order {
            what: String::new(),
            file: file.into(),
            word: String::new(),
        };
        let ours = [
            set("/proc/sys/vm/swappiness"),
            set("/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled"),
            set("/sys/fs/cgroup/a.slice/memory.swap.max"),
            set("/sys/block/zram0/writeback_limit_enable"),
            order("/sys/block/zram12/recompress"),
            Step::Order {
                what: String::new(),
                file: "/proc/7/mem".into(),
                word: SWAP_IN.to_owned(),
            },
            Step::Order {
                what: String::new(),
                file: "/sys/fs/cgroup/a/memory.reclaim".into(),
                word: "4096".to_owned(),
            },
            Step::Order {
                what: String::new(),
                file: "/sys/fs/cgroup/a/memory.reclaim".into(),
                word: "4096 source=zswap".to_owned(),
            },
            save("/etc/fstab"),
            save("/etc/sysctl.d/90-swapadm.conf"),
            Step::zram(3, None, None),
        ];
        for step in ours {
            assert!(is_in_scope(&step), "{step:?}");
        }
        let foreign = [
            set("/proc/sys/kernel/core_pattern"),
            set("/proc/sys/vm/../kernel/core_pattern"),
            set("/sys/kernel/mm/transparent_hugepage/hugepages-64kB/../enabled"),
            set("proc/sys/vm/swappiness"),
            order("/sys/block/sda/recompress"),
            order("/proc/7/mem"),
            order("/sys/fs/cgroup/a/memory.reclaim"),
            order("/sys/block/zram0/reset"),
            save("/etc/shadow"),
            save("/etc/cron.d/x"),
            save("/etc/../root/x.conf"),
            save("/root/x.conf"),
            Step::Zram { number: 3, folder: Name::from("/sys/block/sda"), from: None, to: None },
        ];
        for step in foreign {
            assert!(!is_in_scope(&step), "{step:?}");
        }
    }
}
