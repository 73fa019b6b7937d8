//! Applies changes at boot, in the usual configuration files of the machine.
//!
//! Nothing is configured twice: if a file already configures an area or a setting, that file is
//! edited. Only otherwise a new entry is made: a line of `fstab`, or a file of ours in `sysctl.d`
//! or `tmpfiles.d`.

mod check;
mod edit;
mod files;
mod writers;

pub use check::{
    BootDifference, CheckedEntry, UnreadableConfig, ValueAtBoot, differences, unreadable_files,
};
pub use files::{BootArea, BootFiles, PersistRefusal, PersistResult};
pub use writers::disables_unit;

use super::{Step, shell_quoted};
use crate::model::Name;
use crate::model::activation::Activation;
use crate::model::block::loop_device;
use crate::model::zram::ZramSettings;
use files::{FileEdits, check_has_effect};

/// A goal for every boot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An area is enabled.
    On(BootArea),
    /// An area stays disabled.
    Off(Name),
    /// No entry sets up an area.
    Gone(Name),
    /// A zram device is created like this, and its swap is enabled like that.
    Zram(Name, ZramSettings, Option<Activation>),
    /// A kernel file gets this value.
    Setting(Name, String),
    /// Our files do not set this kernel file.
    Unset(Name),
    /// A service that sets up swap is not started.
    NeverStarted(Name),
}

/// The steps that apply goals at boot; none for goals already met.
pub fn steps(goals: &[Goal], files: &BootFiles<'_>) -> PersistResult<Vec<Step>> {
    let mut edits = FileEdits::new(files);
    for goal in goals {
        match goal {
            Goal::On(area) => {
                check_has_effect(&area.path, files)?;
                edits.write_area(area)?;
            }
            Goal::Off(path) => edits.disable_area(path)?,
            Goal::Gone(_) => {}
            Goal::Zram(path, disk, area) => {
                check_has_effect(path, files)?;
                edits.write_zram((path, disk), area.as_ref())?;
            }
            Goal::Setting(file, value) => edits.write_setting(file, value)?,
            Goal::NeverStarted(unit) => edits.disable_service(unit)?,
            Goal::Unset(file) => edits.remove_limit(&file.safe())?,
        }
    }
    let gone =
        goals.iter().filter_map(|goal| if let Goal::Gone(path) = goal { Some(path) } else { None });
    edits.remove_areas(gone)?;
    Ok(edits.steps())
}

/// Why a loop device is not enabled at boot, and what to do instead with the file behind it, if that is known.
pub fn describe_loop_at_boot(path: &Name, file: Option<&Name>) -> String {
    let is_whole = loop_device(path).as_ref() == Some(path);
    let file = file.filter(|file| is_whole && !file.as_bytes().ends_with(b" (deleted)"));
    let instead = match file.map(shell_quoted) {
        Some(file) => {
            let path = path.safe();
            format!(
                "Use the file behind it as a swap file: swapadm off {path}; losetup -d {path}; swapadm on {file} --persist"
            )
        }
        None => "Use a swap file, a partition or a disk".to_owned(),
    };
    format!(
        "{} is a loop device, which does not exist at boot: the boot would wait for it, or enable another device of this name. {instead}",
        path.safe()
    )
}

/// Why a network disk is not enabled at boot. systemd enables swap before it starts the network, whatever options fstab
/// has: `_netdev` is for mounts only, and with `nofail` the boot waits as well.
pub fn describe_network_at_boot(path: &Name) -> String {
    format!(
        "{} is a network disk, which is not connected yet when swap is enabled at boot: the boot would wait for it. Enable it from the service that connects it",
        path.safe()
    )
}

#[cfg(test)]
mod tests;
