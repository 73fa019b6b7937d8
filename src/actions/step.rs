//! The changes that plans are made of.

use crate::model::activation::{Activation, Discard, Priority};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

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
}

/// How an area stands to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As before the step.
    Before,
    /// As after it.
    After,
    /// It is off, and belongs on.
    Missing,
    /// As neither: somebody else changed it.
    Other,
}

impl Step {
    /// The area.
    #[must_use]
    pub fn path(&self) -> &Name {
        match self {
            Self::On { area } | Self::Off { area } | Self::Renew { to: area, .. } => &area.path,
        }
    }

    /// The step that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        match self.clone() {
            Self::On { area } => Self::Off { area },
            Self::Off { area } => Self::On { area },
            Self::Renew { from, to } => Self::Renew { from: to, to: from },
        }
    }

    /// How the area must be on for the step to be put right where it is missing.
    #[must_use]
    pub fn rescue(&self) -> Option<&Activation> {
        match self {
            Self::On { .. } | Self::Off { .. } => None,
            Self::Renew { from, .. } => Some(from),
        }
    }

    /// How the area stands to it.
    #[must_use]
    pub fn state(&self, areas: &[SwapArea]) -> State {
        let shown = areas.iter().find(|area| area.path == *self.path()).map(|area| area.priority);
        let is = |wanted: &Activation| shown.is_some_and(|shown| wanted.priority.is_met_by(shown));
        match self {
            Self::On { .. } if shown.is_none() => State::Before,
            Self::Off { .. } if shown.is_none() => State::After,
            Self::Renew { .. } if shown.is_none() => State::Missing,
            Self::On { area } | Self::Renew { to: area, .. } if is(area) => State::After,
            Self::Off { area } | Self::Renew { from: area, .. } if is(area) => State::Before,
            Self::On { .. } | Self::Off { .. } | Self::Renew { .. } => State::Other,
        }
    }

    /// What must be moved off the area.
    #[must_use]
    pub fn moves(&self, areas: &[SwapArea]) -> Bytes {
        match self {
            Self::On { .. } => Bytes(0),
            Self::Off { area } | Self::Renew { from: area, .. } => {
                let shown = areas.iter().find(|other| other.path == area.path);
                shown.and_then(|area| area.used.known().copied()).unwrap_or(Bytes(0))
            }
        }
    }

    /// The same as lines for a shell.
    #[must_use]
    pub fn shell(&self) -> Vec<String> {
        let off = |area: &Activation| format!("swapoff {}", quoted(&area.path));
        match self {
            Self::On { area } => vec![swapon(area)],
            Self::Off { area } => vec![off(area)],
            Self::Renew { from, to } => vec![off(from), swapon(to)],
        }
    }
}

fn swapon(area: &Activation) -> String {
    let mut words = vec!["swapon".to_owned()];
    if let Priority::Set(number) = area.priority {
        words.push(format!("--priority {number}"));
    }
    words.extend(area.discard.option().map(str::to_owned));
    words.push(quoted(&area.path));
    words.join(" ")
}

/// A name as a shell takes it.
fn quoted(name: &Name) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:@%,".contains(byte);
    if !name.as_bytes().is_empty() && name.as_bytes().iter().all(plain) {
        return name.safe();
    }
    match std::str::from_utf8(name.as_bytes()) {
        Ok(text) if name.safe() == text => format!("'{}'", text.replace('\'', "'\\''")),
        _ => ansi_quoted(name.as_bytes()),
    }
}

/// The form for names that no terminal could show as they are.
fn ansi_quoted(bytes: &[u8]) -> String {
    let mut text = String::from("$'");
    for byte in bytes {
        match byte {
            b'\'' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text.push('\'');
    text
}

/// How an area is on, as far as the kernel shows it.
#[must_use]
pub(super) fn shown(area: &SwapArea, discard: Discard) -> Activation {
    Activation { path: area.path.clone(), priority: Priority::of(area.priority), discard }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing;

    fn on(priority: Priority) -> Activation {
        Activation { path: "/dev/a".into(), priority, discard: Discard::None }
    }

    fn active(priority: i32) -> Vec<SwapArea> {
        vec![testing::area("/dev/a", priority, 4096, 1024)]
    }

    #[test]
    fn a_step_knows_whether_it_was_made() {
        let renew = Step::Renew { from: on(Priority::Set(1)), to: on(Priority::Set(2)) };
        let states = [active(1), active(2), active(3), Vec::new()].map(|areas| renew.state(&areas));
        assert_eq!(states, [State::Before, State::After, State::Other, State::Missing]);
        assert_eq!(renew.inverse().state(&active(1)), State::After);
        let off = Step::Off { area: on(Priority::Default) };
        assert_eq!([off.state(&active(-2)), off.state(&[])], [State::Before, State::After]);
        assert_eq!(off.inverse().state(&active(5)), State::Other);
        assert_eq!((off.moves(&active(-2)), off.inverse().moves(&[])), (Bytes(1024), Bytes(0)));
    }

    #[test]
    fn the_shell_gets_what_it_takes() {
        let mut area = on(Priority::Set(5));
        area.discard = Discard::Pages;
        area.path = "/mnt/a b'c".into();
        let lines = Step::On { area: area.clone() }.shell();
        assert_eq!(lines, ["swapon --priority 5 --discard=pages '/mnt/a b'\\''c'"]);
        area.path = Name::new(*b"/x\x1b\xff'");
        assert_eq!(Step::Off { area }.shell(), ["swapoff $'/x\\x1b\\xff\\''"]);
    }
}
