//! The files that configure the machine at boot: their present and their wanted content.

use super::edit::with_setting;
use crate::actions::step::known_or_reason;
use crate::actions::{MachineView, Step, shell_quoted};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::config::{ConfigEntry, ConfigKind, NoEffect, PersistentSettings};
use crate::model::surroundings::SwapService;
use crate::model::{Name, zram};
use std::collections::BTreeMap;

/// The name of our drop-ins for units and zram-generator.
pub(super) const BESIDE: &[u8] = b"zz-swapadm.conf";
/// Folder of unit drop-ins, in which `systemctl mask` hides a unit by an empty one.
pub(super) const UNITS: &[u8] = b"/etc/systemd/system/";

/// An area as enabled at boot; unset options stay as the file has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootArea {
    /// Path of the area.
    pub path: Name,
    /// The priority.
    pub priority: Option<Priority>,
    /// Discard option.
    pub discard: Option<Discard>,
}

impl From<&Activation> for BootArea {
    fn from(area: &Activation) -> Self {
        let Activation { path, priority, discard } = area.clone();
        Self { path, priority: Some(priority), discard: Some(discard) }
    }
}

/// The configuration files as read.
#[expect(missing_debug_implementations, reason = "it holds what cannot be shown")]
pub struct BootFiles<'a> {
    /// Entries that set up areas, each with the path it refers to, if known.
    pub entries: &'a [(ConfigEntry, Option<Name>)],
    /// Files that set kernel settings.
    pub lasting: &'a PersistentSettings,
    /// Kinds of entries that have no effect, each with the reason.
    pub without_effect: &'a [(ConfigKind, NoEffect)],
    /// Services that set up swap at boot.
    pub services: &'a [SwapService],
    /// Mount point of cgroups, if known.
    pub groups: Option<&'a Name>,
    /// Gives the stable name of a device for `fstab`.
    pub title: &'a dyn Fn(&Name) -> Option<String>,
    /// Whether init scripts start services, which no drop-in disables.
    pub runs_init_scripts: bool,
    /// Gives the files that are read after this one, together with it.
    pub later: &'a dyn Fn(&Name) -> Vec<Name>,
    /// Reads a file.
    pub look: &'a dyn MachineView,
}

/// Why a goal cannot be applied at boot, with what to do instead.
pub type PersistRefusal = String;

/// The result of a part of applying a goal at boot.
pub type PersistResult<T> = Result<T, PersistRefusal>;

/// The configuration files as read, and those that are edited, with old and new content.
pub(super) struct FileEdits<'a> {
    pub(super) files: &'a BootFiles<'a>,
    edited: BTreeMap<Name, (Option<String>, String)>,
}

impl<'a> FileEdits<'a> {
    /// No edits of these files yet.
    pub(super) fn new(files: &'a BootFiles<'a>) -> Self {
        Self { files, edited: BTreeMap::new() }
    }

    /// Edits a file, which may not exist yet.
    pub(super) fn edit(
        &mut self,
        file: &Name,
        change: impl FnOnce(&str) -> String,
    ) -> PersistResult<()> {
        self.try_edit(file, |text| Ok(change(text)))
    }

    /// Edits a file where the change may fail.
    pub(super) fn try_edit(
        &mut self,
        file: &Name,
        change: impl FnOnce(&str) -> PersistResult<String>,
    ) -> PersistResult<()> {
        let (was, text) = if let Some(edit) = self.edited.remove(file) {
            edit
        } else {
            let was = known_or_reason(self.files.look.text(file))?;
            (was.clone(), was.unwrap_or_default())
        };
        let text = change(&text)?;
        self.edited.insert(file.clone(), (was, text));
        Ok(())
    }

    pub(super) fn steps(self) -> Vec<Step> {
        let edits = self.edited.into_iter().map(|(path, (was, text))| {
            // An empty drop-in of ours is removed.
            let is_idle = is_own_drop_in(&path) && text.trim().is_empty();
            (path, was, (!is_idle).then_some(text))
        });
        let changed = edits.filter(|(_, from, to)| from != to);
        changed.map(|(path, from, to)| Step::Save { path, from, to }).collect()
    }
}

/// Entries that set up this area; the last line of a file comes first, so that the numbers of
/// earlier lines stay valid. Units generated from `fstab` are skipped.
pub(super) fn entries<'f>(
    path: &Name,
    files: &BootFiles<'f>,
) -> impl Iterator<Item = &'f ConfigEntry> {
    let own = files.entries.iter().filter(|(entry, _)| !entry.is_generated());
    let of_area = own.filter(move |(_, means)| means.as_ref() == Some(path));
    of_area.map(|(entry, _)| entry).rev()
}

/// Checks that an entry of this area, or a new one, has an effect at boot.
pub(super) fn check_has_effect(path: &Name, files: &BootFiles<'_>) -> PersistResult<()> {
    let entries: Vec<_> = entries(path, files).collect();
    let is_effective = entries.iter().any(|entry| entry.no_effect.is_none());
    let (cause, entry) = match entries.first() {
        Some(first) => (first.no_effect.filter(|_| !is_effective), Some(*first)),
        None => (cause_for_new(path, files.without_effect), None),
    };
    let Some(cause) = cause else { return Ok(()) };
    let (path, reason, fix) = (path.safe(), cause.reason(), fix_for(cause, entry));
    Err(format!("an entry for {path} has no effect at boot: {reason}. To change that: {fix}"))
}

/// Why a new entry of this area would have no effect at boot, if so.
pub(super) fn cause_for_new(
    path: &Name,
    without_effect: &[(ConfigKind, NoEffect)],
) -> Option<NoEffect> {
    let is_zram = zram::device_number(path).is_some();
    let wanted = if is_zram { ConfigKind::ZramGenerator } else { ConfigKind::Fstab };
    without_effect.iter().find(|(kind, _)| *kind == wanted).map(|(_, cause)| *cause)
}

/// How to give an entry an effect at boot. A new entry, which has no file yet, never has a cause that needs it.
pub(super) fn fix_for(cause: NoEffect, entry: Option<&ConfigEntry>) -> String {
    let without = |option| format!("remove {option} from the kernel command line");
    let of_file =
        |show: fn(&Name) -> String| entry.map_or_else(String::new, |entry| show(&entry.file));
    match cause {
        NoEffect::NothingStartsUnit => {
            format!("systemctl enable {}", of_file(|unit| shell_quoted(&unit.base())))
        }
        NoEffect::TargetMasked => "systemctl unmask swap.target".to_owned(),
        NoEffect::SwapOption => without("systemd.swap=0"),
        NoEffect::FstabOption => without("fstab=no"),
        NoEffect::ZramOption => without("systemd.zram=0"),
        NoEffect::Container => "set up swap on the host".to_owned(),
        NoEffect::MemoryLimit => format!("raise host-memory-limit in {}", of_file(Name::safe)),
        NoEffect::NoGenerator => "install zram-generator".to_owned(),
        NoEffect::NoDevice => {
            let what = entry.and_then(|entry| entry.area.known()).map(|area| &area.what);
            format!(
                "remove the line from {}, install zram-generator, and run swapadm on {} --persist",
                of_file(Name::safe),
                what.map_or_else(String::new, shell_quoted)
            )
        }
    }
}

/// Checks that no file that sorts after ours sets one of these keys: the last file counts.
pub(super) fn check_is_last(
    ours: &Name,
    section: &str,
    keys: &[&str],
    files: &BootFiles<'_>,
) -> PersistResult<()> {
    for file in (files.later)(ours) {
        let text = known_or_reason(files.look.text(&file))?.unwrap_or_default();
        let said = keys.iter().find(|key| with_setting(&text, section, key, None) != text);
        if let Some(key) = said {
            return Err(format!(
                "{} sets {key} later than {} would: change it there, or rename it so that it sorts earlier",
                file.safe(),
                ours.safe()
            ));
        }
    }
    Ok(())
}

/// Is this one of our drop-ins?
pub(super) fn is_own_drop_in(file: &Name) -> bool {
    file.base().as_bytes() == BESIDE
}

/// Our drop-in for a unit.
pub(super) fn own_drop_in(unit: &Name) -> Name {
    Name::new([UNITS, unit.as_bytes(), b".d/", BESIDE].concat())
}
