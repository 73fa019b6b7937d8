//! Which area a person means: one that is active, or one that is to be.

use super::Before;
use crate::cli::exit::Failure;
use crate::model::candidate::{Header, Signature};
use crate::model::swaparea::{AreaHeader, SwapArea};
use crate::model::{Name, Reading, name};
use crate::probes::candidate;
use crate::root::Root;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The active area with this path, name, label or UUID.
pub(super) fn active<'a>(before: &'a Before<'_>, what: &OsStr) -> Result<&'a SwapArea, Failure> {
    let areas = before.areas()?;
    let shown = name::safe_text(&what.to_string_lossy());
    let mut found: Vec<&SwapArea> = by_tag(before, what, areas).unwrap_or_else(|| {
        let wanted = Name::new(what.as_bytes());
        let exact: Vec<_> = areas.iter().filter(|area| area.path == wanted).collect();
        if exact.is_empty() { by_name(before, what, areas) } else { exact }
    });
    match (found.pop(), found.is_empty()) {
        (Some(area), true) => Ok(area),
        (Some(_), false) => Err(Failure::Usage(format!(
            "\"{shown}\" fits more than one active area: give the path of the one that is meant"
        ))),
        (None, _) => Err(Failure::Usage(format!("\"{shown}\" is no active area{}", hint(areas)))),
    }
}

/// What could have been meant.
fn hint(areas: &[SwapArea]) -> String {
    if areas.is_empty() {
        return ": there is none on this machine".to_owned();
    }
    let names: Vec<String> = areas.iter().take(8).map(|area| area.path.safe()).collect();
    format!("; active: {}", names.join(", "))
}

/// By `UUID=` or `LABEL=`; none when it has neither form.
fn by_tag<'a>(
    before: &Before<'_>,
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
    if !bytes.starts_with(b"UUID=") && !bytes.starts_with(b"LABEL=") {
        return None;
    }
    let headers = before.machine.snapshot.headers.reading.known().map_or(&[][..], Vec::as_slice);
    let pairs = areas.iter().zip(headers);
    Some(pairs.filter(|(_, header)| header.known().is_some_and(is)).map(|(area, _)| area).collect())
}

/// By another name of its device or file, also from the folder we are in; a name alone that is none
/// there may be the last part of a path.
fn by_name<'a>(before: &Before<'_>, what: &OsStr, areas: &'a [SwapArea]) -> Vec<&'a SwapArea> {
    let identity = |path: &Path| {
        let facts = before.root().facts(path).known().copied();
        facts.map(|facts| facts.identity())
    };
    let own = std::path::absolute(what).ok().and_then(|path| identity(&path));
    let same = |area: &&SwapArea| own.is_some() && identity(area.path.as_path()) == own;
    let same: Vec<_> = areas.iter().filter(same).collect();
    if !same.is_empty() || what.as_bytes().contains(&b'/') {
        return same;
    }
    let base = Name::new(what.as_bytes());
    areas.iter().filter(|area| area.path.base() == base).collect()
}

/// The device or file that is meant, whether it is active or not, with all links followed.
pub(super) fn storage(root: &Root, what: &OsStr) -> Result<Name, Failure> {
    let shown = name::safe_text(&what.to_string_lossy());
    let path = match tagged(root, what.as_bytes()) {
        None => PathBuf::from(what),
        Some(found) => match found.as_slice() {
            [path] => path.clone(),
            [] => return Err(Failure::Usage(format!("no device has {shown}"))),
            several => {
                let names: Vec<_> = several.iter().map(|path| path.display().to_string()).collect();
                return Err(Failure::Usage(format!(
                    "{shown} fits several devices: {}; give the path of the one that is meant, and another UUID to the other",
                    names.join(", ")
                )));
            }
        },
    };
    let path = std::path::absolute(&path).map_err(|error| Failure::file(&path, error))?;
    match root.real(&path).get() {
        Ok(real) => Ok(Name::new(real.as_os_str().as_bytes())),
        Err(missing) => Err(Failure::Usage(missing.why())),
    }
}

/// The devices with a tag such as `UUID=`; none if it is not one.
fn tagged(root: &Root, what: &[u8]) -> Option<Vec<PathBuf>> {
    let (tag, value) = what.split_at_checked(what.iter().position(|byte| *byte == b'=')?)?;
    let value = value.get(1..)?;
    let linked = |folder: &str| {
        let link = Path::new("dev/disk").join(folder).join(OsStr::from_bytes(value));
        root.exists(&link).then(|| Path::new("/").join(link)).into_iter().collect()
    };
    let is = |header: &Header| match tag {
        b"UUID" => {
            header.uuid.is_some_and(|own| own.to_string().as_bytes().eq_ignore_ascii_case(value))
        }
        _ => header.label.as_ref().is_some_and(|own| own.as_bytes() == value),
    };
    match tag {
        b"UUID" | b"LABEL" => Some(scan(root, is)),
        b"PARTUUID" => Some(linked("by-partuuid")),
        b"PARTLABEL" => Some(linked("by-partlabel")),
        _ => None,
    }
}

/// All devices of the machine whose swap header is such: a link of udev names only one of several.
fn scan(root: &Root, is: impl Fn(&Header) -> bool) -> Vec<PathBuf> {
    let names = root.names("sys/class/block");
    let names = names.known().map_or(&[][..], Vec::as_slice);
    let path = |name: &Vec<u8>| {
        // A slash in the name of a device is an exclamation mark there.
        let name: Vec<u8> =
            name.iter().map(|byte| if *byte == b'!' { b'/' } else { *byte }).collect();
        Name::new([b"/dev/", name.as_slice()].concat())
    };
    let last = names.iter().filter(|name| is_last(root, name));
    let candidates = last.map(path).map(|path| candidate::read(root, &path));
    let found = candidates.filter(|it| match it.signature.known() {
        Some(Signature::Swap(header)) => is(header),
        _ => false,
    });
    found.map(|it| it.path.as_path().to_owned()).collect()
}

/// Is this a device that holds something, and that no other device is made of? A disk of a mirror
/// shows the same header as the mirror.
fn is_last(root: &Root, name: &[u8]) -> bool {
    let folder = Path::new("sys/class/block").join(OsStr::from_bytes(name));
    let size = root.number(folder.join("size"));
    let holders = root.names(folder.join("holders"));
    size != Reading::Known(0) && holders.known().is_none_or(Vec::is_empty)
}
