//! Steps in words.

use super::diff::{self, Change};
use super::{Step, zram};
use crate::columns::units;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::{Format, PAGES, Patch};
use crate::model::name::safe_text;
use crate::model::text::bytes_of_text;
use crate::model::{Bytes, Name};
use crate::sys::BACKUP;

impl Step {
    /// What it does, as a sentence without an end.
    pub fn words(&self) -> String {
        let name = self.subject().safe();
        match self {
            Self::On { area } => format!("switch {name} on {}", manner(area)),
            Self::Off { .. } => format!("switch {name} off"),
            Self::Renew { to, .. } => format!("take {name} off and put it on again {}", manner(to)),
            Self::Save { path, to: None, .. } => format!("remove {name}{}", counts(path)),
            Self::Save { path, from: None, .. } => {
                format!("write {name}, which is new{}", counts(path))
            }
            Self::Save { path, .. } => {
                let old = path.base().safe();
                format!("write {name}, and keep what it was as {old}{BACKUP}{}", counts(path))
            }
            Self::Set { what, from, to, .. } => {
                let [what, from, to] = [what, from, to].map(|text| safe_text(text));
                format!("set {what} to {to} (it is {from})")
            }
            Self::Zram { number, from, to, .. } => zram::words(*number, from.as_ref(), to.as_ref()),
            Self::Order { what, .. } => safe_text(what),
            Self::Header { format, back: false, .. } => {
                format!("write a swap header on {name}{}", title(format))
            }
            Self::Header { was, back: true, .. } if was.iter().all(Patch::is_clear) => {
                format!("wipe the swap header of {name}")
            }
            Self::Header { back: true, .. } => {
                format!("put back what was on {name} before its swap header")
            }
            Self::File { to: Some(form), .. } => {
                let size = units::bytes(form.size.0 as f64);
                format!("make the swap file {name} of {size}{}", title(&form.format))
            }
            Self::File { to: None, .. } => format!("remove the swap file {name}"),
        }
    }
}

/// When somebody reads a file, if that is not only at the next start.
fn counts(path: &Name) -> &'static str {
    if path.as_bytes().starts_with(b"/etc/systemd/system/") {
        " (systemd reads it at the next start, or when it is told systemctl daemon-reload)"
    } else {
        ""
    }
}

fn title(format: &Format) -> String {
    let label = format.label.as_ref().map(|label| format!(", label {}", label.safe()));
    let uuid = format.uuid.map(|uuid| format!(", UUID {uuid}"));
    let pages = (format.page_size != PAGES[0] as u64)
        .then(|| format!(", for pages of {}", units::size(Bytes(format.page_size))));
    [label, uuid, pages].into_iter().flatten().collect()
}

impl Step {
    /// What changes in a file, line by line.
    pub fn lines(&self) -> Vec<String> {
        let Self::Save { from, to, .. } = self else { return Vec::new() };
        let [from, to] = [from, to].map(|text| text.as_deref().unwrap_or_default());
        let line = |change| match change {
            Change::Less(_, line) => format!("- {}", Name::new(bytes_of_text(line)).safe()),
            Change::More(_, line) => format!("+ {}", Name::new(bytes_of_text(line)).safe()),
        };
        diff::lines(from, to).into_iter().map(line).collect()
    }
}

fn manner(area: &Activation) -> String {
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
