//! `/etc/fstab`: lines of type `swap`.

use super::{Reader, line_number, option_priority, options, units};
use crate::model::Reading;
use crate::model::config::{ConfigKind, ConfiguredArea, NEVER, unit_of};
use crate::probes::{mounts, scan};
use std::path::Path;

pub(super) fn read(reader: &mut Reader<'_>) {
    let path = Path::new("etc/fstab");
    let Some(bytes) = reader.file(path, ConfigKind::Fstab) else {
        return;
    };
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if let Some(mut area) = parse(line) {
            // What stands beside a unit counts also where systemd makes the unit from this line.
            if units::is_kept_off(reader, &unit_of(&area.what)) {
                area.options.push(NEVER.to_owned());
            }
            let area = Reading::Known(area);
            reader.add(path, line_number(index), ConfigKind::Fstab, area);
        }
    }
}

/// What a line asks for; none for comments, other types, and lines that are cut off.
fn parse(line: &[u8]) -> Option<ConfiguredArea> {
    // Lines may end as elsewhere.
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
