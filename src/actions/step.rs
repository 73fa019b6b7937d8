//! The changes that plans are made of.

mod diff;
mod scope;
mod shell;
mod state;
mod describe;

pub(super) mod zram;

pub use crate::model::name::shell_quoted;
pub(super) use scope::{file_of_size, is_in_scope};

use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::{SwapFileSpec, Format, Patch};
use crate::model::paging::BracketedChoice;
use crate::model::swaparea::SwapArea;
use crate::model::zram::{ZramSettings, sysfs_folder, device_number};
use crate::model::{Bytes, Name, Reading};
use serde::{Deserialize, Serialize};

/// One change, which is made whole or not at all, as far as the kernel lets us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Step {
    /// Switch an area on.
    On {
        /// How.
        area: Activation,
    },
    /// Switch an area off.
    Off {
        /// How it was on.
        area: Activation,
    },
    /// Take an area off and put it on again, which is the only way to change how it is on, and to
    /// empty it.
    Renew {
        /// How it was on.
        from: Activation,
        /// How it shall be.
        to: Activation,
    },
    /// Give a setting of the kernel another value.
    Set {
        /// What a person calls it.
        what: String,
        /// The kernel's file.
        file: Name,
        /// What it was, in the kernel's words.
        from: String,
        /// What it shall be, in the same.
        to: String,
    },
    /// Write a file that sets the machine up when it starts.
    Save {
        /// The file.
        path: Name,
        /// What is in it; nothing if it is not there.
        from: Option<String>,
        /// What shall be in it; nothing if it shall go.
        to: Option<String>,
    },
    /// Make a zram device, set it up anew, or remove it. What is on it is lost, unless only its
    /// limit changes.
    Zram {
        /// Its number.
        number: u64,
        /// Its folder in sysfs, which names it: its node is the name of the area on it.
        folder: Name,
        /// How it was set up; none: it was not there.
        from: Option<ZramSettings>,
        /// How it shall be; none: it goes.
        to: Option<ZramSettings>,
    },
    /// Have the kernel do something once, of which nothing can be seen or taken back afterwards.
    Order {
        /// What a person calls it.
        what: String,
        /// The kernel's file.
        file: Name,
        /// What is written into it.
        word: String,
    },
    /// Write a swap header, or put back what was there before it.
    Header {
        /// The device or file.
        path: Name,
        /// How large it must be.
        size: Bytes,
        /// What the header says.
        format: Format,
        /// What stands, or stood, in all places that are written: the first page, and marks of
        /// others that are wiped.
        was: Vec<Patch>,
        /// Is it put back?
        back: bool,
    },
    /// Make a swap file, header and all, or remove one.
    File {
        /// The file.
        path: Name,
        /// What it was; nothing if there was none.
        from: Option<SwapFileSpec>,
        /// What it shall be; nothing if there shall be none.
        to: Option<SwapFileSpec>,
    },
}

/// What is found in some places of a device, and what is written there, in this order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderRewrite {
    /// What must be there.
    pub(crate) from: Vec<Patch>,
    /// What is put there.
    pub(crate) to: Vec<Patch>,
}

/// How what a step changes stands to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// As before the step.
    Before,
    /// As after it.
    After,
    /// It is off, and belongs on; of a zram device: it was reset, and is not set up.
    Missing,
    /// As neither: somebody else changed it.
    Other,
}

impl Step {
    /// What it changes: an area, a file of the kernel, or the folder of a device.
    pub fn subject(&self) -> &Name {
        match self {
            Self::On { area } | Self::Off { area } | Self::Renew { to: area, .. } => &area.path,
            Self::Set { file, .. } | Self::Order { file, .. } => file,
            Self::Zram { folder, .. } => folder,
            Self::Save { path, .. } | Self::Header { path, .. } | Self::File { path, .. } => path,
        }
    }

    /// A zram device that changes from one set-up to another.
    pub fn zram(number: u64, from: Option<ZramSettings>, to: Option<ZramSettings>) -> Self {
        Self::Zram { number, folder: sysfs_folder(number), from, to }
    }

    /// The area that it takes off, be it for a moment.
    pub fn disabled_area(&self) -> Option<&Activation> {
        let (Self::Off { area } | Self::Renew { from: area, .. }) = self else { return None };
        Some(area)
    }

    /// The area that is on when it is made.
    pub fn enabled_area(&self) -> Option<&Activation> {
        let (Self::On { area } | Self::Renew { to: area, .. }) = self else { return None };
        Some(area)
    }

    /// The number of the zram device that it resets or removes.
    pub fn resets_device(&self) -> Option<u64> {
        let Self::Zram { number, from: Some(from), to, .. } = self else { return None };
        (!to.as_ref().is_some_and(|to| from.eq_except_limit(to))).then_some(*number)
    }

    /// Does it change which areas are on, or how?
    pub fn is_of_areas(&self) -> bool {
        self.disabled_area().is_some() || self.enabled_area().is_some()
    }

    /// Can the machine show whether it was made? An area that was only emptied looks as before.
    pub fn leaves_trace(&self) -> bool {
        !matches!(self, Self::Renew { from, to } if from == to)
            && !matches!(self, Self::Order { .. })
    }

    /// The step that takes this one back; none where nothing is left to take back.
    pub fn inverse(&self) -> Option<Self> {
        if !self.leaves_trace() {
            return None;
        }
        Some(match self.clone() {
            Self::On { area } => Self::Off { area },
            Self::Off { area } => Self::On { area },
            Self::Renew { from, to } => Self::Renew { from: to, to: from },
            Self::Set { what, file, from, to } => Self::Set { what, file, from: to, to: from },
            Self::Save { path, from, to } => Self::Save { path, from: to, to: from },
            Self::Zram { number, folder, from, to } => {
                Self::Zram { number, folder, from: to, to: from }
            }
            Self::Order { .. } => return None,
            Self::Header { path, size, format, was, back } => {
                Self::Header { path, size, format, was, back: !back }
            }
            Self::File { path, from, to } => Self::File { path, from: to, to: from },
        })
    }

    /// Does it stay when the machine is started again?
    pub fn outlasts_boot(&self) -> bool {
        // What is on zram goes with the memory.
        let on_zram = device_number(self.subject()).is_some();
        matches!(self, Self::Header { .. } | Self::File { .. } | Self::Save { .. }) && !on_zram
    }

    /// How the area must be on for the step to be put right where it is missing.
    pub fn rescue(&self) -> Option<&Activation> {
        self.enabled_area().and(self.disabled_area())
    }

    /// Does it leave something that can be switched on, whatever was there before?
    pub fn formats(&self) -> bool {
        matches!(self, Self::Header { back: false, .. } | Self::File { to: Some(_), .. })
    }

    /// Write this header on what has this size, where that stands now. The first page comes first.
    pub fn format(path: Name, size: Bytes, format: Format, was: Vec<Patch>) -> Self {
        Self::Header { path, size, format, was, back: false }
    }

    /// The same on a device that is new, and may not even be there yet: it holds zeros.
    pub fn format_new(path: Name, size: Bytes, format: Format) -> Self {
        let was = format.patch_over_zeros();
        Self::format(path, size, format, was)
    }

    /// What a header step writes; nothing with all others. The first page tells how far it came:
    /// it is written first, and put back last.
    pub(crate) fn rewrites(&self) -> HeaderRewrite {
        let Self::Header { format, was, back, .. } = self else {
            return HeaderRewrite { from: Vec::new(), to: Vec::new() };
        };
        let page = Patch { at: 0, bytes: format.page() };
        let rest = was.iter().skip(1).map(Patch::cleared);
        let new: Vec<Patch> = std::iter::once(page).chain(rest).collect();
        let mut old = was.clone();
        if !back {
            return HeaderRewrite { from: old, to: new };
        }
        let mut new = new;
        old.reverse();
        new.reverse();
        HeaderRewrite { from: new, to: old }
    }

    /// What must be moved off the area.
    pub fn moves(&self, areas: &[SwapArea]) -> Bytes {
        let Some(taken) = self.disabled_area() else { return Bytes(0) };
        let shown = areas.iter().find(|area| area.path == taken.path);
        shown.and_then(|area| area.used.known().copied()).unwrap_or(Bytes(0))
    }
}

/// Of several words that a file offers, the one that is set; else all of its text.
pub(super) fn current_choice(text: &str) -> String {
    BracketedChoice::parse(text).map_or_else(|| text.to_owned(), |choice| choice.current)
}

/// What was seen, or why it was not.
pub(super) fn known_or_reason<T>(reading: Reading<T>) -> Result<T, String> {
    reading.into_result().map_err(|missing| missing.why())
}

/// How an area is on, as far as the kernel shows it.
pub(super) fn activation_of(area: &SwapArea, discard: Discard) -> Activation {
    Activation { path: area.path.clone(), priority: Priority::from_shown(area.priority), discard }
}
