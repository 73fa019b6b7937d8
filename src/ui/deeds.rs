//! What can be done with the rows of each table: one list for each kind of row.

use super::app::App;
use super::change::Intent;
use super::overlay::{Choice, Item, Typed};
use crate::model::Name;
use crate::model::swaparea::SwapArea;
use std::collections::BTreeSet;

/// Something that can be done with rows.
struct Deed {
    name: &'static str,
    help: &'static str,
    /// The command that does the same.
    command: &'static str,
    /// What is wanted of these areas, or has to be typed first.
    begin: fn(Vec<Name>) -> Choice,
}

/// With swap areas.
static AREAS: &[Deed] = &[
    Deed {
        name: "switch off",
        help: "Move what is on it into memory and onto the other areas, and take it off.",
        command: "swapadm off",
        begin: |areas| Choice::Plan(Intent::Off(areas)),
    },
    Deed {
        name: "priority...",
        help: "Give it another place in the order in which areas are filled. It is taken off for a moment, and emptied by that.",
        command: "swapadm priority",
        begin: |areas| Choice::Type(Typed::Priority(areas)),
    },
];

/// Tables whose rows are swap areas, or stand for one.
const OF_AREAS: [&str; 2] = ["devices", "zram"];

/// What can be done wherever one is.
static ANYWHERE: &[(&str, &str, &str, Choice)] = &[
    (
        "switch on...",
        "Switch an area on that has a swap header: type its path, UUID=... or LABEL=...",
        "swapadm on",
        Choice::Type(Typed::Area),
    ),
    (
        "switch on what fstab names",
        "Switch on all areas of /etc/fstab that are not active.",
        "swapadm on --all",
        Choice::Plan(Intent::OnConfigured),
    ),
    (
        "put right what was cut off",
        "Put areas on again that a change left off when it was cut off, as by a crash.",
        "swapadm recover",
        Choice::Plan(Intent::Recover),
    ),
];

/// The rows that actions are about: those that are marked, or the selected one.
fn rows(app: &App) -> BTreeSet<String> {
    let Some(sheet) = app.sheet() else { return BTreeSet::new() };
    if sheet.tagged.is_empty() {
        return sheet.row_name.iter().cloned().collect();
    }
    sheet.tagged.clone()
}

/// The areas among them.
fn areas(app: &App) -> Vec<Name> {
    let of_areas = app.sheet().is_some_and(|sheet| OF_AREAS.contains(&sheet.query.spec.name));
    let Some(moment) = app.moment().filter(|_| of_areas) else { return Vec::new() };
    let rows = rows(app);
    let is_meant = |area: &&SwapArea| {
        [area.path.exact(), area.path.base().exact()].iter().any(|name| rows.contains(name))
    };
    let areas = moment.now.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    areas.iter().filter(is_meant).map(|area| area.path.clone()).collect()
}

/// What actions are about, in words, and the actions.
#[must_use]
pub fn menu(app: &App) -> (String, Vec<Item>) {
    let areas = areas(app);
    let about = match areas.as_slice() {
        [] => "this machine".to_owned(),
        [area] => area.safe(),
        areas => format!("{} marked areas", areas.len()),
    };
    let item = |name: &str, help: &str, command: &str, choice| Item {
        name: name.to_owned(),
        help: help.to_owned(),
        note: command.to_owned(),
        on: None,
        off: None,
        choice,
    };
    let of_row = AREAS.iter().filter(|_| !areas.is_empty());
    let of_row =
        of_row.map(|deed| item(deed.name, deed.help, deed.command, (deed.begin)(areas.clone())));
    let anywhere = ANYWHERE
        .iter()
        .map(|(name, help, command, choice)| item(name, help, command, choice.clone()));
    (about, of_row.chain(anywhere).collect())
}
