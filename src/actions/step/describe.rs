//! Descriptions of steps.

use super::shell::{LineChange, changed_lines};
use super::{Step, zram};
use crate::columns::units;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::{Format, PAGES, Patch};
use crate::model::knob::{self, CGROUP_KNOBS, CgroupKind, UNLIMITED};
use crate::model::name::safe_text;
use crate::model::text::text_to_bytes;
use crate::model::{Bytes, Name};
use crate::sys::BACKUP;

impl Step {
    /// Describes what the step does, without a final period.
    pub fn describe(&self) -> String {
        let name = self.subject().safe();
        match self {
            Self::On { area } => format!("enable {name} {}", describe_options(area)),
            Self::Off { .. } => format!("disable {name}"),
            Self::Renew { to, .. } => {
                format!("disable {name} and enable it again {}", describe_options(to))
            }
            Self::Save { path, to: None, .. } => format!("remove {name}{}", unit_of(path)),
            Self::Save { path, from: None, .. } => {
                format!("create {name}{}", unit_of(path))
            }
            Self::Save { path, .. } => {
                let old = path.base().safe();
                format!("write {name}, keeping the old one as {old}{BACKUP}{}", unit_of(path))
            }
            Self::Set { what, from, to, .. } => {
                let stored = [from, to].map(|value| safe_text(value));
                let shown = [from, to].map(|value| safe_text(&shown_value(what, value)));
                // Sizes that differ by less than they are rounded to.
                let [from, to] = if shown[0] == shown[1] { stored } else { shown };
                format!("set {} to {to} (now {from})", safe_text(what))
            }
            Self::Zram { number, from, to, .. } => {
                zram::describe(*number, from.as_ref(), to.as_ref())
            }
            Self::Order { what, .. } => safe_text(what),
            Self::Header { format, back: false, .. } => {
                format!("write a swap header on {name}{}", describe_label(format))
            }
            Self::Header { was, back: true, .. } if was.iter().all(Patch::is_clear) => {
                format!("wipe the swap header of {name}")
            }
            Self::Header { back: true, .. } => {
                format!("restore what was on {name} before its swap header")
            }
            Self::File { from: Some(from), to: Some(to), .. } => {
                let [from, to] = [from, to].map(|form| units::bytes(form.size.0 as f64));
                format!("resize swap file {name} from {from} to {to}")
            }
            Self::File { to: Some(form), .. } => {
                let size = units::bytes(form.size.0 as f64);
                format!("create swap file {name} of {size}{}", describe_label(&form.format))
            }
            Self::File { to: None, .. } => format!("remove swap file {name}"),
        }
    }
}

/// The value of a setting for people.
fn shown_value(what: &str, value: &str) -> String {
    let id = what.split_once(" of ").map_or(what, |(id, _)| id);
    let of_group = || CGROUP_KNOBS.iter().find(|knob| knob.id == id).map(|knob| knob.kind);
    match knob::find(id).map(|knob| CgroupKind::Plain(knob.kind)).or_else(of_group) {
        Some(CgroupKind::Plain(kind)) => kind.shown_value(value),
        Some(CgroupKind::Limit) => match value.parse::<u64>() {
            Ok(limit) if limit < UNLIMITED => units::size(Bytes(limit)),
            Err(_) if value != "max" => value.to_owned(),
            _ => "unlimited".to_owned(),
        },
        None => value.to_owned(),
    }
}

/// Says when a file is read, if not only at boot.
fn unit_of(path: &Name) -> &'static str {
    if path.as_bytes().starts_with(b"/etc/systemd/system/") {
        " (systemd reads it at the next boot, or after systemctl daemon-reload)"
    } else {
        ""
    }
}

fn describe_label(format: &Format) -> String {
    let label = format.label.as_ref().map(|label| format!(", label {}", label.safe()));
    let uuid = format.uuid.map(|uuid| format!(", UUID {uuid}"));
    let pages = (format.page_size != PAGES[0] as u64)
        .then(|| format!(", for pages of {}", units::size(Bytes(format.page_size))));
    [label, uuid, pages].into_iter().flatten().collect()
}

impl Step {
    /// The changed lines of a file.
    pub fn lines(&self) -> Vec<String> {
        let Self::Save { from, to, .. } = self else { return Vec::new() };
        let [from, to] = [from, to].map(|text| text.as_deref().unwrap_or_default());
        let line = |change| match change {
            LineChange::Less(_, line) => format!("- {}", Name::new(text_to_bytes(line)).safe()),
            LineChange::More(_, line) => format!("+ {}", Name::new(text_to_bytes(line)).safe()),
        };
        changed_lines(from, to).into_iter().map(line).collect()
    }
}

fn describe_options(area: &Activation) -> String {
    let discard = match area.discard {
        Discard::None => String::new(),
        Discard::Once | Discard::Pages | Discard::Both => {
            format!(", discard {}", area.discard.word())
        }
    };
    match area.priority {
        Priority::Default => format!("with a default priority{discard}"),
        Priority::Set(number) => format!("with priority {number}{discard}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_settings_are_those_that_people_type() {
        for (what, value, shown) in [
            ("memory.max of /hog", "104857600", "100M"),
            ("memory.swap.max of /a of b", "max", "unlimited"),
            ("memory.memsw.limit_in_bytes of /", "9223372036854771712", "unlimited"),
            ("memory.swappiness of /", "60", "60"),
            ("memory.zswap.writeback of /", "0", "off"),
            ("zswap.enabled", "N", "off"),
            ("vma_ra_enabled", "true", "on"),
            ("min_free_kbytes", "67584", "67584"),
            ("thp.64kB.enabled", "madvise", "madvise"),
        ] {
            assert_eq!(shown_value(what, value), shown, "{what}");
        }
    }
}
