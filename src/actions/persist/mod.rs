//! What shall be so at every start of the machine, written where the machine has such things.
//!
//! Nothing is set up twice: where a file says something about an area or a setting already, that
//! file changes. Only what nothing says anything about gets a place of its own: a line of `fstab`,
//! or a file of ours in `sysctl.d` or `tmpfiles.d`.

mod check;
mod edit;
mod files;
mod writers;
mod sections;

pub use check::{BootDifference, differences};
pub use files::{BootFiles, PersistRefusal, BootArea};
pub use writers::leaves_alone;

use super::Step;
use crate::model::Name;
use crate::model::activation::Activation;
use crate::model::zram::ZramSettings;
use files::FileEdits;

/// Something that shall be so at every start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An area is on.
    On(BootArea),
    /// An area is left off.
    Off(Name),
    /// Nothing sets an area up any more.
    Gone(Name),
    /// A zram device is made like this, and its swap is on like that.
    Zram(Name, ZramSettings, Option<Activation>),
    /// A file of the kernel says this.
    Setting(Name, String),
    /// We say nothing of this file of the kernel.
    Unset(Name),
}

/// The steps that make goals last; none for what does so already.
///
/// # Errors
/// When one cannot be made to last here.
pub fn steps(goals: &[Goal], files: &BootFiles<'_>) -> Result<Vec<Step>, PersistRefusal> {
    let mut edits = FileEdits::default();
    for goal in goals {
        match goal {
            Goal::On(area) => writers::write_area(area, files, &mut edits)?,
            Goal::Off(path) => writers::disable_area(path, files, &mut edits)?,
            Goal::Gone(path) => writers::remove_area(path, files, &mut edits)?,
            Goal::Zram(path, disk, area) => {
                writers::generator::write_zram((path, disk), area.as_ref(), files, &mut edits)?;
            }
            Goal::Setting(file, value) => writers::write_setting(file, value, files, &mut edits)?,
            Goal::Unset(file) => writers::remove_setting(file, files, &mut edits)?,
        }
    }
    Ok(edits.steps())
}

#[cfg(test)]
mod tests;
