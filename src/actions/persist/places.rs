//! Where the machine has what shall last.

use super::edit::{
    added, field, options_off, options_on, with_line, with_options, with_setting, with_value,
    without_line,
};
use super::{Edits, Files, Refusal};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::disk::Disk;
use crate::model::lasting::sysctl_name;
use crate::model::{Bytes, Name};

const FSTAB: &str = "/etc/fstab";
/// Our own files in folders where each program has one; the first that comes late enough is taken.
const OURS: [&str; 3] = ["90-swapadm.conf", "99-zz-swapadm.conf", "zzz-swapadm.conf"];
const TMPFILES: &str = "/etc/tmpfiles.d/swapadm.conf";
const GENERATOR: &str = "/etc/systemd/zram-generator.conf";
const GENERATOR_BESIDE: &str = "/etc/systemd/zram-generator.conf.d/50-swapadm.conf";
/// Files of systemd that were made for this start only.
const GENERATED: &[u8] = b"/run/systemd/generator";
const UNITS: &[u8] = b"/etc/systemd/";

/// What sets this area up. Units that were made from lines of `fstab` say nothing of their own.
fn entry<'f>(path: &Name, files: &Files<'f>) -> Option<&'f ConfigEntry> {
    let own =
        files.entries.iter().filter(|(entry, _)| !entry.file.as_bytes().starts_with(GENERATED));
    let mut of_area = own.filter(|(_, means)| means.as_ref() == Some(path));
    of_area.next().map(|(entry, _)| entry)
}

pub(super) fn on(area: &Activation, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let Some(entry) = entry(&area.path, files) else { return new_line(area, files, edits) };
    match entry.kind {
        ConfigKind::Fstab => edits.edit(files.look, &entry.file, |text| {
            with_options(text, entry.line, |options| options_on(area, options))
        }),
        ConfigKind::SystemdSwap => unit(area, entry, files, edits),
        ConfigKind::ZramGenerator => generator(area, entry, files, edits),
    }
}

/// A line of its own, by what stays the same when devices are found in another order.
fn new_line(area: &Activation, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let name = area.path.safe();
    if area.path.base().as_bytes().starts_with(b"zram") {
        return Err(format!(
            "{name} is made anew at each start, and nothing sets it up: swapadm zram swap --persist makes one with zram-generator"
        ));
    }
    let path = std::str::from_utf8(area.path.as_bytes()).map_err(|_| {
        format!("{name} has a name that is no text: write its line of {FSTAB} by hand")
    })?;
    let what = (files.uuid)(&area.path).map_or_else(|| field(path), |uuid| format!("UUID={uuid}"));
    let options = options_on(area, vec!["sw".to_owned()]).join(",");
    edits.edit(files.look, &FSTAB.into(), |text| {
        added(text, &format!("{what} none swap {options} 0 0"))
    })
}

/// The unit itself where it is the administrator's, or a file beside it that changes one setting.
fn unit(
    area: &Activation,
    entry: &ConfigEntry,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let number = match area.priority {
        Priority::Set(number) => Some(number.to_string()),
        Priority::Default => None,
    };
    let options = match area.discard {
        Discard::None => None,
        Discard::Both => Some("discard".to_owned()),
        Discard::Once | Discard::Pages => Some(format!("discard={}", area.discard.word())),
    };
    let set = |text: &str| {
        let text = with_setting(text, "Swap", "Priority", number.as_deref());
        with_setting(&text, "Swap", "Options", options.as_deref())
    };
    if entry.file.as_bytes().starts_with(UNITS) {
        return edits.edit(files.look, &entry.file, set);
    }
    let unit = entry.file.base();
    let beside = [b"/etc/systemd/system/", unit.as_bytes(), b".d/50-swapadm.conf"].concat();
    edits.edit(files.look, &Name::new(beside), |text| {
        // An empty value takes back what the unit says.
        let text = with_setting(text, "Swap", "Priority", Some(number.as_deref().unwrap_or("")));
        with_setting(&text, "Swap", "Options", options.as_deref())
    })
}

fn generator(
    area: &Activation,
    entry: &ConfigEntry,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let device = area.path.base().safe();
    let priority = number_of(area)?;
    edits.edit(files.look, &generators(Some(entry)), |text| {
        with_setting(text, &device, "swap-priority", Some(&priority))
    })
}

fn number_of(area: &Activation) -> Result<String, Refusal> {
    match area.priority {
        Priority::Set(number) => Ok(number.to_string()),
        Priority::Default => Err(format!(
            "{}: zram-generator always asks for a priority; give it a number",
            area.path.safe()
        )),
    }
}

/// The file of zram-generator that is ours to change: a drop-in where the other is not.
fn generators(entry: Option<&ConfigEntry>) -> Name {
    match entry {
        None => GENERATOR.into(),
        Some(entry) if entry.file.as_bytes().starts_with(UNITS) => entry.file.clone(),
        Some(_) => GENERATOR_BESIDE.into(),
    }
}

/// A section of zram-generator; without it nobody makes zram devices at the start.
pub(super) fn zram(
    (path, disk): (&Name, &Disk),
    area: Option<&Activation>,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let entry = entry(path, files).filter(|entry| entry.kind == ConfigKind::ZramGenerator);
    let device = path.base().safe();
    if entry.is_none() && !files.lasting.zram_generator {
        return Err(format!(
            "{device} is made anew at each start only by zram-generator, which is not here: install it, or make the device from a script of the machine"
        ));
    }
    let mib = |size: Bytes| (size > Bytes(0)).then(|| size.0.div_ceil(1 << 20).to_string());
    let priority = area.map(number_of).transpose()?;
    let settings = [
        ("zram-size", mib(disk.size)),
        ("compression-algorithm", disk.algorithm.clone()),
        ("zram-resident-limit", mib(disk.limit)),
    ];
    edits.edit(files.look, &generators(entry), |text| {
        let mut text = text.to_owned();
        for (key, value) in settings {
            text = with_setting(&text, &device, key, value.as_deref());
        }
        if priority.is_some() {
            text = with_setting(&text, &device, "swap-priority", priority.as_deref());
        }
        text
    })
}

/// What is removed must not be looked for at the start.
pub(super) fn gone(path: &Name, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    match entry(path, files) {
        Some(entry) if entry.kind == ConfigKind::Fstab => {
            edits.edit(files.look, &entry.file, |text| without_line(text, entry.line))
        }
        Some(_) => off(path, files, edits),
        None => Ok(()),
    }
}

pub(super) fn off(path: &Name, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let Some(entry) = entry(path, files) else { return Ok(()) };
    let (name, file) = (path.safe(), entry.file.safe());
    match entry.kind {
        ConfigKind::Fstab => {
            edits.edit(files.look, &entry.file, |text| with_options(text, entry.line, options_off))
        }
        ConfigKind::SystemdSwap => Err(format!(
            "{name} is set up by {file}: systemctl mask {} keeps it off",
            entry.file.base().safe()
        )),
        ConfigKind::ZramGenerator => Err(format!(
            "{name} is set up by {file}: take its section out there, or set zram-size = 0 in it"
        )),
    }
}

pub(super) fn setting(
    file: &Name,
    value: &str,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let path = file.safe();
    if let Some(key) = sysctl_name(&path) {
        return sysctl(&key, value, files, edits);
    }
    if path.starts_with("/sys/fs/cgroup") {
        return Err(format!(
            "{path} goes with its control group: set it where that is made, with systemd by systemctl set-property"
        ));
    }
    let Some(lines) = &files.lasting.tmpfiles else {
        return Err(format!(
            "{path}: there is no systemd-tmpfiles here that could write it at each start; write it from a script of the machine"
        ));
    };
    match lines.iter().rfind(|it| it.key == path) {
        Some(counts) if counts.file.as_bytes().starts_with(b"/etc/") => {
            edits.edit(files.look, &counts.file, |text| {
                with_line(text, counts.line, &tmpfile(&path, value))
            })
        }
        _ => edits.edit(files.look, &TMPFILES.into(), |text| added(text, &tmpfile(&path, value))),
    }
}

fn tmpfile(path: &str, value: &str) -> String {
    format!("w {path} - - - - {value}")
}

fn sysctl(key: &str, value: &str, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let counts = files.lasting.sysctl(key);
    if let Some(counts) = counts.filter(|it| it.file.as_bytes().starts_with(b"/etc/")) {
        return edits
            .edit(files.look, &counts.file, |text| with_value(text, counts.line, '=', value));
    }
    // It has to come after what sets it now.
    let last = counts.map(|it| it.file.base());
    let late = |ours: &&str| last.as_ref().is_none_or(|last| ours.as_bytes() > last.as_bytes());
    let ours = OURS.into_iter().find(late).unwrap_or(OURS[2]);
    let file = Name::new(format!("/etc/sysctl.d/{ours}").into_bytes());
    edits.edit(files.look, &file, |text| added(text, &format!("{key} = {value}")))
}
