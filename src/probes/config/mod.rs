//! Files that set up swap at boot: `/etc/fstab`, systemd `.swap` units, zram-generator.
//!
//! No kernel interface: formats of util-linux, systemd and zram-generator; usually readable by everyone. A
//! file hides files of the same name in folders of lower precedence, and drop-ins are merged, as the
//! programs themselves do. A unit that systemd generated from a line of `fstab` is shown with that line.
//! Not done here: specifiers (`%`), and other tools that set up swap, such as zramctl in a script.

mod no_effect;
mod reader;
mod units;
mod zram_generator;

use super::{Probe, ReadInterval, cmdline};
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea, NEVER_STARTED, unit_name_for};
use crate::model::{Missing, Part, Reading};
use crate::probes::{mounts, scan};
use crate::root::Root;
pub use no_effect::kinds_without_effect;
pub(super) use reader::layers;
use reader::{ConfigReader, MOST_FILES, line_number, option_priority, options};
use std::path::Path;
pub use units::drop_in_folders;
pub(super) use units::is_masked;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Config,
    id: "config",
    tier: ReadInterval::OnDemand,
    files: &[
        "etc/fstab",
        "lib",
        cmdline::PATH,
        "proc/meminfo",
        no_effect::CONTAINER,
        "etc/systemd/system/swap.target",
        "etc/systemd/system/*.swap",
        "etc/systemd/system/*swap.d/*.conf",
        "run/systemd/system/*.swap",
        "run/systemd/system/*swap.d/*.conf",
        "run/systemd/generator/*.swap",
        "run/systemd/generator/*swap.d/*.conf",
        "run/systemd/generator.late/*.swap",
        "run/systemd/generator.late/*swap.d/*.conf",
        "usr/local/lib/systemd/system/*.swap",
        "usr/local/lib/systemd/system/*swap.d/*.conf",
        "usr/lib/systemd/system/*.swap",
        "usr/lib/systemd/system/*swap.d/*.conf",
        "lib/systemd/system/*.swap",
        "lib/systemd/system/*swap.d/*.conf",
        "etc/systemd/zram-generator.conf",
        "etc/systemd/zram-generator.conf.d/*.conf",
        "run/systemd/zram-generator.conf",
        "run/systemd/zram-generator.conf.d/*.conf",
        "usr/local/lib/systemd/zram-generator.conf",
        "usr/local/lib/systemd/zram-generator.conf.d/*.conf",
        "usr/lib/systemd/zram-generator.conf",
        "usr/lib/systemd/zram-generator.conf.d/*.conf",
    ],
    about: "Swap that is set up at boot: fstab, systemd units, zram-generator",
    remedy: "run as root if the files are not readable by all",
};

/// Why a capture says nothing, or too little, about the files of its machine.
const WITHOUT_ETC: &str = "this capture has no /etc";

/// Reads all files. A missing file gives no entry; an unreadable one gives an entry with the reason. A capture
/// without `/etc` says nothing about the files of its machine.
pub fn read(root: &Root) -> Reading<Vec<ConfigEntry>> {
    let mut reader = ConfigReader { root, files_left: MOST_FILES, entries: Vec::new() };
    fstab(&mut reader);
    units::read(&mut reader);
    zram_generator::read(&mut reader);
    no_effect::mark(root, &mut reader.entries);
    if !root.is_live() && !root.exists("etc") {
        let missing = Missing::failed(WITHOUT_ETC);
        if reader.entries.is_empty() {
            return missing.into();
        }
        reader.add(Path::new("etc"), 0, ConfigKind::Fstab, missing.into());
    }
    Reading::Known(reader.entries)
}

/// `/etc/fstab`: lines of type `swap`.
fn fstab(reader: &mut ConfigReader<'_>) {
    let path = Path::new("etc/fstab");
    let Some(bytes) = reader.file(path, ConfigKind::Fstab) else {
        return;
    };
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if let Some(mut area) = fstab_line(line) {
            // Drop-ins of a unit also apply where systemd generates the unit from this line.
            if units::is_disabled(reader, &unit_name_for(&area.what)) {
                area.options.push(NEVER_STARTED.to_owned());
            }
            let area = Reading::Known(area);
            reader.add(path, line_number(index), ConfigKind::Fstab, area);
        }
    }
}

/// Parses a line of fstab; none for comments, other types, and truncated lines.
fn fstab_line(line: &[u8]) -> Option<ConfiguredArea> {
    // Lines may end in CR LF.
    let mut fields = scan::fields(line.strip_suffix(b"\r").unwrap_or(line));
    let what = fields.next().filter(|what| !what.starts_with(b"#"))?;
    if fields.nth(1)? != b"swap" {
        return None;
    }
    let options = options(fields.next().unwrap_or_default());
    Some(ConfiguredArea {
        what: mounts::unescape(what),
        priority: option_priority(&options),
        options,
    })
}

#[cfg(test)]
mod tests;
