//! Where the machine has what shall last.

use super::edit::{
    added, field, is_swap, options_off, options_on, with_argument, with_options, with_setting,
    with_value, without_line,
};
use super::{Edits, Files, Refusal, Wish, seen};
use crate::actions::quoted;
use crate::model::activation::{Activation, Priority};
use crate::model::config::{ConfigEntry, ConfigKind};
use crate::model::disk::Disk;
use crate::model::lasting::{Assignment, sysctl_name};
use crate::model::{Bytes, Name};

const FSTAB: &str = "/etc/fstab";
/// Our own files in folders where each program has one; the first that comes late enough is taken.
const OURS: [&str; 3] = ["90-swapadm.conf", "99-zz-swapadm.conf", "zzz-swapadm.conf"];
const TMPFILES: [&str; 2] = ["swapadm.conf", "00-swapadm.conf"];
/// Our own file among those that change single settings of units and of zram-generator.
const BESIDE: &[u8] = b"zz-swapadm.conf";
/// Files of systemd that were made for this start only.
const GENERATED: &[u8] = b"/run/systemd/generator";

/// What sets this area up; the last line of a file comes first, so that the numbers of the others
/// stay right. Units that were made from lines of `fstab` say nothing of their own.
fn entries<'f>(path: &Name, files: &Files<'f>) -> impl Iterator<Item = &'f ConfigEntry> {
    let own =
        files.entries.iter().filter(|(entry, _)| !entry.file.as_bytes().starts_with(GENERATED));
    let of_area = own.filter(move |(_, means)| means.as_ref() == Some(path));
    of_area.map(|(entry, _)| entry).rev()
}

/// Which of several lines counts depends on who reads them: so all say the same.
pub(super) fn on(area: &Wish, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    if entries(&area.path, files).next().is_none() {
        return new_line(area, files, edits);
    }
    for entry in entries(&area.path, files) {
        match entry.kind {
            ConfigKind::Fstab => fstab(entry, files, edits, |text| {
                with_options(text, entry.line, |options| options_on(area, options))
            }),
            ConfigKind::SystemdSwap => unit(area, entry, files, edits),
            ConfigKind::ZramGenerator => generator(area, files, edits),
        }?;
    }
    Ok(())
}

/// Change the line of an entry, if it is still the one that was read.
fn fstab(
    entry: &ConfigEntry,
    files: &Files<'_>,
    edits: &mut Edits,
    change: impl FnOnce(&str) -> String,
) -> Result<(), Refusal> {
    edits.try_edit(files.look, &entry.file, |text| {
        let what = entry.area.known().map(|area| &area.what);
        if what.is_some_and(|what| is_swap(text, entry.line, what)) {
            return Ok(change(text));
        }
        Err(format!(
            "line {} of {} is not the one any more that sets up {}: somebody else changes the file; try again",
            entry.line,
            entry.file.safe(),
            what.map(Name::safe).unwrap_or_default()
        ))
    })
}

/// A line of its own, by what stays the same when devices are found in another order.
fn new_line(area: &Wish, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let name = area.path.safe();
    if area.path.base().as_bytes().starts_with(b"zram") {
        return Err(format!(
            "{name} is made anew at each start, and nothing sets it up: swapadm zram swap --persist makes one with zram-generator"
        ));
    }
    let path = std::str::from_utf8(area.path.as_bytes()).map_err(|_| {
        format!("{name} has a name that is no text: write its line of {FSTAB} by hand")
    })?;
    let what = (files.title)(&area.path).unwrap_or_else(|| field(path));
    let options = options_on(area, vec!["sw".to_owned()]).join(",");
    edits.edit(files.look, &FSTAB.into(), |text| {
        added(text, &format!("{what} none swap {options} 0 0"))
    })
}

/// A file beside the unit that changes single settings, and comes after others that do. What the
/// unit says is not read again when it is changed: so its own lines are left alone.
fn unit(
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
    let is_priority = |option: &String| option.starts_with("pri=");
    let mut options = options_on(area, said.to_vec());
    options.retain(|option| !is_priority(option));
    let changes = said.iter().any(is_priority) || area.discard.is_some();
    let unit = entry.file.base();
    let beside = Name::new([b"/etc/systemd/system/", unit.as_bytes(), b".d/", BESIDE].concat());
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

/// Of files of this kind the last one counts: does none come after ours that says the same?
fn is_last(ours: &Name, section: &str, keys: &[&str], files: &Files<'_>) -> Result<(), Refusal> {
    for file in (files.later)(ours) {
        let text = seen(files.look.text(&file))?.unwrap_or_default();
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

fn generator(area: &Wish, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let Some(priority) = area.priority else { return Ok(()) };
    let (device, priority) = (area.path.base().safe(), number_of(&area.path, priority)?);
    is_last(&generators(), &device, &["swap-priority"], files)?;
    edits.edit(files.look, &generators(), |text| {
        with_setting(text, &device, "swap-priority", Some(&priority))
    })
}

fn number_of(path: &Name, priority: Priority) -> Result<String, Refusal> {
    match priority {
        Priority::Set(number) => Ok(number.to_string()),
        Priority::Default => Err(format!(
            "{}: zram-generator always asks for a priority; give it a number",
            path.safe()
        )),
    }
}

/// A drop-in that comes after others. Of the main files only one is read: a new one in `/etc` would
/// take away what that of the distribution sets up.
fn generators() -> Name {
    Name::new([b"/etc/systemd/zram-generator.conf.d/", BESIDE].concat())
}

/// A section of zram-generator; without it nobody makes zram devices at the start.
pub(super) fn zram(
    (path, disk): (&Name, &Disk),
    area: Option<&Activation>,
    files: &Files<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let is_set_up = entries(path, files).any(|entry| entry.kind == ConfigKind::ZramGenerator);
    let device = path.base().safe();
    if !is_set_up && !files.lasting.zram_generator {
        return Err(format!(
            "{device} is made anew at each start only by zram-generator, which is not here: install it, or make the device from a script of the machine"
        ));
    }
    let Some(area) = area.filter(|_| disk.size > Bytes(0)) else {
        return Err(format!(
            "{device}: zram-generator makes swap of each device; one that is something else has to be made from a script of the machine"
        ));
    };
    if !disk.recompression.is_empty() || disk.backing.is_some() {
        return Err(format!(
            "{device}: a second algorithm and a backing device are not written for zram-generator: add recompression or writeback-device to its section by hand"
        ));
    }
    let mib = |size: Bytes| (size > Bytes(0)).then(|| size.0.div_ceil(1 << 20).to_string());
    let priority = number_of(&area.path, area.priority)?;
    let settings = [
        ("zram-size", mib(disk.size)),
        ("compression-algorithm", disk.algorithm.clone()),
        // Left out, the limit of another file of the machine would count.
        ("zram-resident-limit", Some(disk.limit.0.div_ceil(1 << 20).to_string())),
    ];
    let keys = settings.each_ref().map(|(key, _)| *key);
    is_last(&generators(), &device, &[&keys[..], &["swap-priority"]].concat(), files)?;
    edits.edit(files.look, &generators(), |text| {
        let mut text = text.to_owned();
        for (key, value) in settings {
            text = with_setting(&text, &device, key, value.as_deref());
        }
        with_setting(&text, &device, "swap-priority", Some(&priority))
    })
}

/// What is removed must not be looked for at the start.
pub(super) fn gone(path: &Name, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    for entry in entries(path, files) {
        match entry.kind {
            ConfigKind::Fstab => {
                fstab(entry, files, edits, |text| without_line(text, entry.line))?;
            }
            ConfigKind::SystemdSwap | ConfigKind::ZramGenerator => {
                return Err(by_hand(path, entry));
            }
        }
    }
    Ok(())
}

pub(super) fn off(path: &Name, files: &Files<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    if entries(path, files).next().is_none() {
        return Err(format!(
            "{}: nothing that is known here sets it up at the start, so nothing can be told to leave it off; without --persist it is off until then",
            path.safe()
        ));
    }
    for entry in entries(path, files) {
        match entry.kind {
            ConfigKind::Fstab => {
                fstab(entry, files, edits, |text| with_options(text, entry.line, options_off))?;
            }
            ConfigKind::SystemdSwap | ConfigKind::ZramGenerator => {
                return Err(by_hand(path, entry));
            }
        }
    }
    Ok(())
}

/// How a person keeps off what no line of ours can.
fn by_hand(path: &Name, entry: &ConfigEntry) -> Refusal {
    let (name, file) = (path.safe(), entry.file.safe());
    if entry.kind == ConfigKind::SystemdSwap {
        let unit = quoted(&entry.file.base());
        return format!("{name} is set up by {file}: systemctl mask {unit} keeps it off");
    }
    format!("{name} is set up by {file}: take its section out there, or set zram-size = 0 in it")
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
    // Of several lines the first one counts.
    match lines.iter().find(|it| it.key == path) {
        Some(counts) if counts.file.as_bytes().starts_with(b"/etc/") => {
            edits.edit(files.look, &counts.file, |text| with_argument(text, counts.line, value))
        }
        counts => {
            let first = counts.map(|it| it.file.base());
            let early =
                |ours: &&str| first.as_ref().is_none_or(|first| ours.as_bytes() < first.as_bytes());
            let ours = TMPFILES.into_iter().find(early).ok_or_else(|| overruled(&path, counts))?;
            let file = Name::new(format!("/etc/tmpfiles.d/{ours}").into_bytes());
            edits.edit(files.look, &file, |text| added(text, &tmpfile(&path, value)))
        }
    }
}

/// Of several lines one counts, and it is that of a file no name of ours overrules.
fn overruled(key: &str, by: Option<&Assignment>) -> Refusal {
    let file = by.map_or_else(|| "another file".to_owned(), |by| by.file.safe());
    format!("{file} sets {key}, and no file of ours would overrule it: change it there")
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
    let ours = OURS.into_iter().find(late).ok_or_else(|| overruled(key, counts))?;
    let file = Name::new(format!("/etc/sysctl.d/{ours}").into_bytes());
    edits.edit(files.look, &file, |text| added(text, &format!("{key} = {value}")))
}
