//! What shall be so at every start of the machine, written where the machine has such things.
//!
//! Nothing is set up twice: where a file says something about an area or a setting already, that
//! file changes. Only what nothing says anything about gets a place of its own: a line of `fstab`,
//! or a file of ours in `sysctl.d` or `tmpfiles.d`.

mod check;
mod edit;
mod places;
mod sections;

pub use check::{Difference, differences};
pub use places::leaves_alone;

use super::step::seen;
use super::{Look, Step};
use crate::model::Name;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::config::{ConfigEntry, Lasting};
use crate::model::zram::Disk;
use std::collections::BTreeMap;

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

/// How an area is on at every start; what nobody says stays as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The area.
    pub path: Name,
    /// Its priority.
    pub priority: Option<Priority>,
    /// How it discards.
    pub discard: Option<Discard>,
}

impl From<&Activation> for Wish {
    fn from(area: &Activation) -> Self {
        let Activation { path, priority, discard } = area.clone();
        Self { path, priority: Some(priority), discard: Some(discard) }
    }
}

/// What is known of the files.
#[expect(missing_debug_implementations, reason = "it holds what cannot be shown")]
pub struct Files<'a> {
    /// What sets up areas, each with the path that it means, if that is known.
    pub entries: &'a [(ConfigEntry, Option<Name>)],
    /// What sets settings.
    pub lasting: &'a Lasting,
    /// Where control groups are mounted, if that is known.
    pub groups: Option<&'a Name>,
    /// How `fstab` names a device by what stays the same.
    pub title: &'a dyn Fn(&Name) -> Option<String>,
    /// The files beside this one that come after it and are read together with it.
    pub later: &'a dyn Fn(&Name) -> Vec<Name>,
    /// What is in a file.
    pub look: &'a dyn Look,
}

/// Why it cannot be made to last; a sentence that says what to do instead.
pub type Refusal = String;

/// The files as they shall be.
#[derive(Default)]
struct Edits(BTreeMap<Name, (Option<String>, String)>);

impl Edits {
    /// Change a file, which may not be there yet.
    fn edit(
        &mut self,
        look: &dyn Look,
        file: &Name,
        change: impl FnOnce(&str) -> String,
    ) -> Result<(), Refusal> {
        self.try_edit(look, file, |text| Ok(change(text)))
    }

    /// The same where it may turn out that it cannot be.
    fn try_edit(
        &mut self,
        look: &dyn Look,
        file: &Name,
        change: impl FnOnce(&str) -> Result<String, Refusal>,
    ) -> Result<(), Refusal> {
        let (was, text) = if let Some(edit) = self.0.remove(file) {
            edit
        } else {
            let was = seen(look.text(file))?;
            (was.clone(), was.unwrap_or_default())
        };
        let text = change(&text)?;
        self.0.insert(file.clone(), (was, text));
        Ok(())
    }

    fn steps(self) -> Vec<Step> {
        let edits = self.0.into_iter().map(|(path, (was, text))| {
            // A file of ours beside others is there for what it says only.
            let is_idle = places::is_beside(&path) && text.trim().is_empty();
            (path, was, (!is_idle).then_some(text))
        });
        let changed = edits.filter(|(_, from, to)| from != to);
        changed.map(|(path, from, to)| Step::Save { path, from, to }).collect()
    }
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
