//! Finds the area that an argument names, active or not.

use crate::change::{self, ChangeTarget, ObservedMachine};
use crate::cli::exit::{CommandError, CommandResult, usage};
use crate::model::config::path_for;
use crate::model::name::safe_text;
use crate::model::swaparea::{AreaHeader, SwapArea};
use crate::model::{Name, Reading, Snapshot, text};
use crate::root::Root;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The active area with this path, name, label or UUID.
pub(super) fn active<'a>(
    machine: &'a ObservedMachine<'_>,
    what: &OsStr,
) -> CommandResult<&'a SwapArea> {
    find_among(machine.areas()?, &machine.snapshot, Some(machine.root), what)
}

/// The named area among these of a snapshot. There is no root if the snapshot comes from a recording.
pub(in crate::cli::commands) fn find_among<'a>(
    areas: &'a [SwapArea],
    snapshot: &Snapshot,
    root: Option<&Root>,
    what: &OsStr,
) -> CommandResult<&'a SwapArea> {
    let shown = safe_text(&what.to_string_lossy());
    let by_header = by_header(snapshot, what, areas).filter(|found| !found.is_empty());
    let mut found: Vec<&SwapArea> = by_header.unwrap_or_else(|| {
        // A link of udev leads to the device with a tag, also where its header cannot be read.
        let wanted = path_for(&Name::new(what.as_bytes()));
        let exact: Vec<_> = areas.iter().filter(|area| area.path == wanted).collect();
        if exact.is_empty() { by_name(root, wanted.as_path().as_os_str(), areas) } else { exact }
    });
    match (found.pop(), found.is_empty()) {
        (Some(area), true) => Ok(area),
        (Some(_), false) => {
            Err(usage(format!("\"{shown}\" matches several active areas: use the path of one")))
        }
        (None, _) => Err(usage(format!(
            "\"{shown}\" is not an active area{}{}",
            hint(areas, &shown),
            unread_header(snapshot, what)
        ))),
    }
}

/// The active areas, and the most similar one.
fn hint(areas: &[SwapArea], typed: &str) -> String {
    if areas.is_empty() {
        return ": this machine has no active swap area".to_owned();
    }
    let names: Vec<String> = areas.iter().take(8).map(|area| area.path.safe()).collect();
    let typed = typed.rsplit('/').next().unwrap_or_default();
    let short: Vec<String> = areas.iter().map(|area| area.path.base().safe()).collect();
    let near = text::did_you_mean(typed, short.iter().map(String::as_str));
    format!("; active: {}{near}", names.join(", "))
}

/// Why an area named by `UUID=` or `LABEL=` may be active all the same.
fn unread_header(snapshot: &Snapshot, what: &OsStr) -> String {
    let headers = &snapshot.headers.reading;
    let mut each = headers.known_items().iter().map(Reading::missing);
    let unread = headers.missing().or_else(|| each.find_map(|missing| missing));
    let unread = unread.filter(|_| is_tag(what)).map(|missing| safe_text(&missing.why()));
    unread.map(|why| format!("; a header could not be read: {why}")).unwrap_or_default()
}

/// Whether an argument has the form `UUID=` or `LABEL=`.
fn is_tag(what: &OsStr) -> bool {
    what.as_bytes().starts_with(b"UUID=") || what.as_bytes().starts_with(b"LABEL=")
}

/// The areas named by `UUID=` or `LABEL=`; none if the argument has neither form.
fn by_header<'a>(
    snapshot: &Snapshot,
    what: &OsStr,
    areas: &'a [SwapArea],
) -> Option<Vec<&'a SwapArea>> {
    let bytes = what.as_bytes();
    let is =
        |header: &AreaHeader| match (bytes.strip_prefix(b"UUID="), bytes.strip_prefix(b"LABEL=")) {
            (Some(uuid), _) => {
                header.uuid.known().is_some_and(|own| own.as_bytes().eq_ignore_ascii_case(uuid))
            }
            (_, Some(label)) => header.label.known().is_some_and(|own| own.as_bytes() == label),
            (None, None) => false,
        };
    if !is_tag(what) {
        return None;
    }
    let pairs = areas.iter().zip(snapshot.headers.reading.known_items());
    Some(pairs.filter(|(_, header)| header.known().is_some_and(is)).map(|(area, _)| area).collect())
}

/// The areas named by another path of their device or file, also relative to the current directory. A
/// plain name may also be the last part of a path.
fn by_name<'a>(root: Option<&Root>, what: &OsStr, areas: &'a [SwapArea]) -> Vec<&'a SwapArea> {
    let identity = |path: &Path| {
        let facts = root?.facts(path).known().copied();
        facts.map(|facts| facts.identity())
    };
    let path = root.and_then(|root| change::find::find_storage(root, what).ok());
    let own = path.and_then(|path| identity(path.as_path()));
    let same = |area: &&SwapArea| own.is_some() && identity(area.path.as_path()) == own;
    let same: Vec<_> = areas.iter().filter(same).collect();
    if !same.is_empty() || what.as_bytes().contains(&b'/') {
        return same;
    }
    let base = Name::new(what.as_bytes());
    areas.iter().filter(|area| area.path.base() == base).collect()
}

/// The device or file that is named, active or not, with all links followed.
pub(super) fn storage(machine: &ObservedMachine<'_>, what: &OsStr) -> CommandResult<Name> {
    let found = match machine.target {
        ChangeTarget::Files(_) => machine.find_storage(what),
        ChangeTarget::Simulated(simulated) => simulated.find(&what.to_string_lossy()),
    };
    found.map_err(CommandError::Usage)
}
