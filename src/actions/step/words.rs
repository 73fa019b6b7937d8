//! Steps in words.

use super::{Step, zram};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::name::safe_text;

impl Step {
    /// What it does, as a sentence without an end.
    #[must_use]
    pub fn words(&self) -> String {
        let name = self.subject().safe();
        match self {
            Self::On { area } => format!("switch {name} on {}", manner(area)),
            Self::Off { .. } => format!("switch {name} off"),
            Self::Renew { to, .. } => format!("take {name} off and put it on again {}", manner(to)),
            Self::Set { what, from, to, .. } => {
                let [what, from, to] = [what, from, to].map(|text| safe_text(text));
                format!("set {what} to {to} (it is {from})")
            }
            Self::Zram { number, from, to, .. } => zram::words(*number, from.as_ref(), to.as_ref()),
            Self::Order { what, .. } => safe_text(what),
        }
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
