//! What a change of a zram device came to, in numbers.

use crate::columns::units;
use crate::derive::compression::BD_UNIT;
use crate::model::zram::{BdStat, MmStat, ZramDevice};
use crate::model::{Bytes, Reading};
use serde::Serialize;

/// A device before and after.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    device: String,
    before: Option<Held>,
    after: Option<Held>,
}

/// What a device holds, as far as it says so.
#[derive(Debug, Serialize)]
struct Held {
    mm: Reading<MmStat>,
    bd: Reading<BdStat>,
}

impl Figures {
    pub(super) fn of(
        number: u64,
        before: &Reading<Vec<ZramDevice>>,
        after: &Reading<Vec<ZramDevice>>,
    ) -> Self {
        let device = format!("zram{number}");
        let held = |devices: &Reading<Vec<ZramDevice>>| {
            let found = devices.known()?.iter().find(|other| other.name == device)?;
            Some(Held { mm: found.mm.clone(), bd: found.bd.clone() })
        };
        Self { before: held(before), after: held(after), device }
    }

    /// What has changed.
    pub(super) fn words(&self) -> Vec<String> {
        let name = &self.device;
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return Vec::new() };
        let mut lines = Vec::new();
        match (&before.mm, &after.mm) {
            (Reading::Known(before), Reading::Known(after)) => {
                lines.extend(change(name, "memory", before.mem_used, after.mem_used));
                lines.extend(change(name, "compressed", before.compr_data, after.compr_data));
            }
            (_, Reading::Missing { missing }) => {
                lines.push(format!("  {name}  what it holds now is not known: {}", missing.why()));
            }
            (Reading::Missing { .. }, _) => {}
        }
        if let (Reading::Known(before), Reading::Known(after)) = (&before.bd, &after.bd) {
            let pages = |count: u64| Bytes(count.saturating_mul(BD_UNIT));
            lines.extend(change(name, "written back", pages(before.count), pages(after.count)));
        }
        lines
    }
}

fn change(name: &str, what: &str, before: Bytes, after: Bytes) -> Option<String> {
    let size = |bytes: Bytes| units::bytes(bytes.0 as f64);
    let (word, by) = match before.cmp(&after) {
        std::cmp::Ordering::Equal if what != "memory" => return None,
        std::cmp::Ordering::Equal => {
            return Some(format!("  {name}  {what} {}, as before", size(after)));
        }
        std::cmp::Ordering::Less => ("more", after.saturating_sub(before)),
        std::cmp::Ordering::Greater => ("less", before.saturating_sub(after)),
    };
    Some(format!("  {name}  {what} {}, {} {word} than before", size(after), size(by)))
}
