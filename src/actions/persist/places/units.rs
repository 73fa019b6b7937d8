//! Units of systemd that set up swap.

use super::{beside, is_last};
use crate::actions::persist::edit::{options_on, with_setting};
use crate::actions::persist::sections::{kept_off, not_kept_off, takes_conditions_back};
use crate::actions::persist::{Edits, Files, Refusal, Wish, seen};
use crate::model::Name;
use crate::model::activation::Priority;
use crate::model::config::{ConfigEntry, NEVER, unit_of};

/// A file beside the unit that changes single settings, and comes after others that do. What the
/// unit says is not read again when it is changed: so its own lines are left alone.
pub(super) fn on(
    area: &Wish,
    entry: &ConfigEntry,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let number = area.priority.map(|priority| match priority {
        Priority::Set(number) => number.to_string(),
        // An empty value takes back what the unit says.
        Priority::Default => String::new(),
    });
    let said = entry.area.known().map_or(&[][..], |area| &area.options);
    let said: Vec<String> = said.iter().filter(|option| *option != NEVER).cloned().collect();
    let is_priority = |option: &String| option.starts_with("pri=");
    let mut options = options_on(area, said.clone());
    options.retain(|option| !is_priority(option));
    let changes = said.iter().any(is_priority) || area.discard.is_some();
    let beside = beside(&entry.file.base());
    if entry.leaves_off() {
        given_back(&entry.file, files, edits)?;
    }
    is_last(&beside, "Swap", &["Priority", "Options"], files)?;
    edits.edit(files.look, &beside, |text| {
        let mut text = text.to_owned();
        if number.is_some() {
            text = with_setting(&text, "Swap", "Priority", number.as_deref());
        }
        if changes && options != said {
            text = with_setting(&text, "Swap", "Options", Some(&options.join(",")));
        }
        text
    })
}

/// Take back that a unit is never started, where we said so.
pub(super) fn given_back(unit: &Name, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let beside = beside(&unit.base());
    // As it is on the disk: a line of fstab and a unit may have it taken out twice.
    let text = seen(files.look.text(&beside))?.unwrap_or_default();
    if not_kept_off(&text) == text {
        return Err(format!(
            "{} is never started, by {NEVER} in it or in a file beside it that is not ours: take that line out there",
            unit.safe()
        ));
    }
    edits.edit(files.look, &beside, not_kept_off)
}

/// A unit that others make for this gets what stands beside its name: there we may once have kept
/// one off that is gone by now.
pub(super) fn not_left_off(
    what: &Name,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    edits.edit(files.look, &beside(&unit_of(what)), not_kept_off)
}

/// systemd passes over a unit of which a condition is not met: nothing fails that wants it. A unit
/// that stands in `/etc` could not be masked.
pub(super) fn off(
    entry: &ConfigEntry,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    if entry.leaves_off() {
        return Ok(());
    }
    let beside = beside(&entry.file.base());
    for file in (files.later)(&beside) {
        let text = seen(files.look.text(&file))?.unwrap_or_default();
        if takes_conditions_back(&text) {
            return Err(format!(
                "{} takes back the conditions of {}, which would keep the unit off: change it there, or give it a name that comes before",
                file.safe(),
                beside.safe()
            ));
        }
    }
    edits.edit(files.look, &beside, kept_off)
}
