//! Steps as lines for a shell.

use super::{Step, zram};
use crate::model::Name;
use crate::model::activation::{Activation, Priority};
use std::fmt::Write as _;

impl Step {
    /// The same as lines for a shell.
    #[must_use]
    pub fn shell(&self) -> Vec<String> {
        match self {
            Self::On { area } => vec![on(area)],
            Self::Off { area } => vec![off(area)],
            Self::Renew { from, to } => vec![off(from), on(to)],
            Self::Set { file, to, .. } => vec![echo(to, file)],
            Self::Zram { number, from, to, .. } => zram::shell(*number, from.as_ref(), to.as_ref()),
            Self::Order { file, word, .. } => vec![echo(word, file)],
        }
    }
}

pub(super) fn echo(word: &str, file: &Name) -> String {
    format!("echo {} > {}", quoted(&Name::new(word.as_bytes())), quoted(file))
}

fn off(area: &Activation) -> String {
    format!("swapoff {}", quoted(&area.path))
}

fn on(area: &Activation) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::activation::Discard;

    #[test]
    fn the_shell_gets_what_it_takes() {
        let mut area = Activation {
            path: "/mnt/a b'c".into(),
            priority: Priority::Set(5),
            discard: Discard::Pages,
        };
        let lines = Step::On { area: area.clone() }.shell();
        assert_eq!(lines, ["swapon --priority 5 --discard=pages '/mnt/a b'\\''c'"]);
        area.path = Name::new(*b"/x\x1b\xff'");
        assert_eq!(Step::Off { area }.shell(), ["swapoff $'/x\\x1b\\xff\\''"]);
        let set = Step::Set {
            what: "x".to_owned(),
            file: "/sys/x y".into(),
            from: "1".to_owned(),
            to: "2 3".to_owned(),
        };
        assert_eq!(set.shell(), ["echo '2 3' > '/sys/x y'"]);
    }
}
