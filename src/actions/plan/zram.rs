//! Plans for zram devices.

use super::{Plan, standing};
use crate::actions::{Step, step};
use crate::columns::units;
use crate::model::Name;
use crate::model::activation::Activation;
use crate::model::disk::{self, Disk};
use crate::model::format::Format;
use crate::model::swaparea::SwapArea;

/// The swap on a device that is set up anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Swap {
    /// How it is on, if it is.
    pub on: Option<Activation>,
    /// Its header.
    pub was: Format,
    /// The header that it gets.
    pub format: Format,
}

/// Make a device.
#[must_use]
pub fn make_zram(areas: &[SwapArea], number: u64, to: Disk) -> Plan {
    let title = format!("make zram{number}");
    steps(areas, title, vec![Step::zram(number, None, Some(to))])
}

/// Make a device, format it and switch it on.
#[must_use]
pub fn swap_on_zram(
    areas: &[SwapArea],
    (number, to): (u64, Disk),
    format: Format,
    on: Activation,
) -> Plan {
    let title = format!("swap on zram{number} of {}", units::bytes(to.size.0 as f64));
    let size = to.size;
    let all = vec![
        Step::zram(number, None, Some(to)),
        Step::format_new(on.path.clone(), size, format),
        Step::On { area: on },
    ];
    steps(areas, title, all)
}

/// Remove a device.
#[must_use]
pub fn remove_zram(areas: &[SwapArea], number: u64, from: Disk) -> Plan {
    let title = format!("remove zram{number}");
    steps(areas, title, vec![Step::zram(number, Some(from), None)])
}

/// Set a device up otherwise. Swap on it is taken off, and comes back as it was, with its label and
/// its UUID: its old header goes before the reset, so that going back finds each step as it left
/// it.
#[must_use]
pub fn change_zram(
    areas: &[SwapArea],
    (number, what): (u64, &str),
    (from, to): (Disk, Disk),
    swap: Option<Swap>,
) -> Plan {
    let title = format!("{what} of zram{number}");
    if to.is_met_by(&from) {
        return steps(areas, title, Vec::new());
    }
    let (old, new, alike) = (from.size, to.size, from.is_alike(&to));
    let change = Step::zram(number, Some(from), Some(to));
    let Some(swap) = swap.filter(|_| !alike) else {
        return steps(areas, title, vec![change]);
    };
    let path = disk::node(number);
    let off = swap.on.iter().map(|area| Step::Off { area: area.clone() });
    let mut all: Vec<Step> = off.collect();
    let was = swap.was.over_nothing();
    all.push(Step::Header { path: path.clone(), size: old, format: swap.was, was, back: true });
    all.push(change);
    all.push(Step::format_new(path, new, swap.format));
    all.extend(swap.on.map(|area| Step::On { area }));
    steps(areas, title, all)
}

/// What the kernel is told to do once, after what it needs for that.
#[must_use]
pub fn steps(areas: &[SwapArea], title: String, steps: Vec<Step>) -> Plan {
    Plan { title, steps, apart: false, relies_on: standing(areas) }
}

/// A file of a device.
#[must_use]
pub fn file(number: u64, file: &str) -> Name {
    step::zram::in_folder(number, file)
}
