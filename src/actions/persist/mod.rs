//! What shall be so at every start of the machine, written where the machine has such things.
//!
//! Nothing is set up twice: where a file says something about an area or a setting already, that
//! file changes. Only what nothing says anything about gets a place of its own: a line of `fstab`,
//! or a file of ours in `sysctl.d` or `tmpfiles.d`.

mod check;
mod edit;
mod files;
mod places;
mod sections;

pub use check::{Difference, differences};
pub use files::{Files, Refusal, Wish};
pub use places::leaves_alone;

use super::Step;
use crate::model::Name;
use crate::model::activation::Activation;
use crate::model::zram::Disk;
use files::Edits;

/// Something that shall be so at every start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An area is on.
    On(Wish),
    /// An area is left off.
    Off(Name),
    /// Nothing sets an area up any more.
    Gone(Name),
    /// A zram device is made like this, and its swap is on like that.
    Zram(Name, Disk, Option<Activation>),
    /// A file of the kernel says this.
    Setting(Name, String),
    /// We say nothing of this file of the kernel.
    Unset(Name),
}

/// The steps that make goals last; none for what does so already.
///
/// # Errors
/// When one cannot be made to last here.
pub fn steps(goals: &[Goal], files: &Files<'_>) -> Result<Vec<Step>, Refusal> {
    let mut edits = Edits::default();
    for goal in goals {
        match goal {
            Goal::On(area) => places::on(area, files, &mut edits)?,
            Goal::Off(path) => places::off(path, files, &mut edits)?,
            Goal::Gone(path) => places::gone(path, files, &mut edits)?,
            Goal::Zram(path, disk, area) => {
                places::generator::zram((path, disk), area.as_ref(), files, &mut edits)?;
            }
            Goal::Setting(file, value) => places::setting(file, value, files, &mut edits)?,
            Goal::Unset(file) => places::unset(file, files, &mut edits)?,
        }
    }
    Ok(edits.steps())
}

#[cfg(test)]
mod tests;
