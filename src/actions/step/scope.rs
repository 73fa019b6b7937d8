//! The files that each kind of step may change: a journal that names others was not written by
//! swapadm.

use super::Step;
use crate::model::knob::{CGROUP_KNOBS, KNOBS};
use crate::model::{Name, zram};
use crate::sys::{SWAP_IN, process_folder};
use std::path::{Component, Path};

/// Files of a zram device that orders are written to, and the one setting that goes with them.
const ZRAM: [&str; 6] =
    ["compact", "idle", "recompress", "writeback", "writeback_limit", "writeback_limit_enable"];

/// Does a step change only files that its kind may change?
pub(in crate::actions) fn is_in_scope(step: &Step) -> bool {
    let path = step.subject().as_path();
    let is_plain =
        path.components().all(|it| matches!(it, Component::RootDir | Component::Normal(_)));
    let is_of_kind = match step {
        Step::Set { .. } => is_setting(path) || is_of_zram(path),
        Step::Order { file, word, .. } => {
            is_of_zram(path) || is_reclaim(path, word) || is_swap_in(file, word)
        }
        Step::Save { .. } => is_boot_config(path),
        Step::Zram { number, folder, .. } => *folder == zram::sysfs_folder(*number),
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
pub(in crate::actions) fn file_of_size(id: &str) -> Option<Name> {
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
pub(in crate::actions) fn is_boot_config(path: &Path) -> bool {
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
