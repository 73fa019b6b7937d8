//! The files that configure the machine at boot: their present and their wanted content.

use super::edit::with_setting;
use crate::actions::step::known_or_reason;
use crate::actions::{MachineView, Step};
use crate::model::Name;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::config::{ConfigEntry, PersistentSettings};
use std::collections::BTreeMap;

/// Our own file among those that change single settings of units and of zram-generator.
pub(super) const BESIDE: &[u8] = b"zz-swapadm.conf";
/// Files that change single settings of units.
const UNITS: &[u8] = b"/etc/systemd/system/";
/// Files of systemd that were made for this start only.
const GENERATED: &[u8] = b"/run/systemd/generator";

/// How an area is on at every start; what nobody says stays as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootArea {
    /// The area.
    pub path: Name,
    /// Its priority.
    pub priority: Option<Priority>,
    /// How it discards.
    pub discard: Option<Discard>,
}

impl From<&Activation> for BootArea {
    fn from(area: &Activation) -> Self {
        let Activation { path, priority, discard } = area.clone();
        Self { path, priority: Some(priority), discard: Some(discard) }
    }
}

/// What is known of the files.
#[expect(missing_debug_implementations, reason = "it holds what cannot be shown")]
pub struct BootFiles<'a> {
    /// What sets up areas, each with the path that it means, if that is known.
    pub entries: &'a [(ConfigEntry, Option<Name>)],
    /// What sets settings.
    pub lasting: &'a PersistentSettings,
    /// Where control groups are mounted, if that is known.
    pub groups: Option<&'a Name>,
    /// How `fstab` names a device by what stays the same.
    pub title: &'a dyn Fn(&Name) -> Option<String>,
    /// The files beside this one that come after it and are read together with it.
    pub later: &'a dyn Fn(&Name) -> Vec<Name>,
    /// What is in a file.
    pub look: &'a dyn MachineView,
}

/// Why it cannot be made to last; a sentence that says what to do instead.
pub type PersistRefusal = String;

/// The files as they shall be.
#[derive(Default)]
pub(super) struct FileEdits(BTreeMap<Name, (Option<String>, String)>);

impl FileEdits {
    /// Change a file, which may not be there yet.
    pub(super) fn edit(
        &mut self,
        look: &dyn MachineView,
        file: &Name,
        change: impl FnOnce(&str) -> String,
    ) -> Result<(), PersistRefusal> {
        self.try_edit(look, file, |text| Ok(change(text)))
    }

    /// The same where it may turn out that it cannot be.
    pub(super) fn try_edit(
        &mut self,
        look: &dyn MachineView,
        file: &Name,
        change: impl FnOnce(&str) -> Result<String, PersistRefusal>,
    ) -> Result<(), PersistRefusal> {
        let (was, text) = if let Some(edit) = self.0.remove(file) {
            edit
        } else {
            let was = known_or_reason(look.text(file))?;
            (was.clone(), was.unwrap_or_default())
        };
        let text = change(&text)?;
        self.0.insert(file.clone(), (was, text));
        Ok(())
    }

    pub(super) fn steps(self) -> Vec<Step> {
        let edits = self.0.into_iter().map(|(path, (was, text))| {
            // A file of ours beside others is there for what it says only.
            let is_idle = is_own_drop_in(&path) && text.trim().is_empty();
            (path, was, (!is_idle).then_some(text))
        });
        let changed = edits.filter(|(_, from, to)| from != to);
        changed.map(|(path, from, to)| Step::Save { path, from, to }).collect()
    }
}

/// What sets this area up; the last line of a file comes first, so that the numbers of the others
/// stay right. Units that were made from lines of `fstab` say nothing of their own.
pub(super) fn entries<'f>(path: &Name, files: &BootFiles<'f>) -> impl Iterator<Item = &'f ConfigEntry> {
    let own =
        files.entries.iter().filter(|(entry, _)| !entry.file.as_bytes().starts_with(GENERATED));
    let of_area = own.filter(move |(_, means)| means.as_ref() == Some(path));
    of_area.map(|(entry, _)| entry).rev()
}

/// Of files of this kind the last one counts: does none come after ours that says the same?
pub(super) fn check_is_last(
    ours: &Name,
    section: &str,
    keys: &[&str],
    files: &BootFiles<'_>,
) -> Result<(), PersistRefusal> {
    for file in (files.later)(ours) {
        let text = known_or_reason(files.look.text(&file))?.unwrap_or_default();
        let said = keys.iter().find(|key| with_setting(&text, section, key, None) != text);
        if let Some(key) = said {
            return Err(format!(
                "{} sets {key} after {} would: change it there, or give it a name that comes before",
                file.safe(),
                ours.safe()
            ));
        }
    }
    Ok(())
}

/// Is this a file of ours among those that change single settings?
pub(super) fn is_own_drop_in(file: &Name) -> bool {
    file.base().as_bytes() == BESIDE
}

/// Our file beside a unit.
pub(super) fn own_drop_in(unit: &Name) -> Name {
    Name::new([UNITS, unit.as_bytes(), b".d/", BESIDE].concat())
}
