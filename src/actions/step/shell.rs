//! Steps as lines for a shell.

use super::{Step, zram};
use crate::model::Name;
use crate::model::activation::{Activation, Priority};
use crate::model::format::Format;
use crate::model::patch::Patch;
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
            Self::Header { path, format, was, back: false, .. } => {
                let over = was.iter().any(|kept| !kept.is_clear());
                vec![mkswap(path, format, over)]
            }
            Self::Header { path, was, back: true, .. } => {
                let name = quoted(path);
                was.iter().rev().map(|kept| put_back(&name, kept)).collect()
            }
        }
    }
}

pub(super) fn echo(word: &str, file: &Name) -> String {
    format!("echo {} > {}", quoted(&Name::new(word.as_bytes())), quoted(file))
}

/// Over what is there, where something is.
fn mkswap(path: &Name, format: &Format, over: bool) -> String {
    let mut words = vec!["mkswap".to_owned()];
    words.extend(over.then(|| "--force".to_owned()));
    words.extend(format.label.as_ref().map(|label| format!("--label {}", quoted(label))));
    words.extend(format.uuid.map(|uuid| format!("--uuid {uuid}")));
    words.push(quoted(path));
    words.join(" ")
}

/// Bytes in their place: what a shell can write, if they are few. The rest is in the journal.
/// Bytes in their place, as far as a line can say them. The rest is in the journal.
fn put_back(name: &str, kept: &Patch) -> String {
    let (at, length) = (kept.at, kept.bytes.len());
    if kept.is_clear() {
        return format!("dd if=/dev/zero of={name} bs=1 seek={at} count={length} conv=notrunc");
    }
    format!("# the {length} bytes that the journal keeps go back to byte {at} of {name}")
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
    use crate::model::Bytes;
    use crate::model::activation::Discard;
    use crate::model::uuid::Uuid;

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

    #[test]
    fn a_header_is_made_by_mkswap_and_what_was_there_is_kept() {
        let uuid = "5a9c0f3e-7b1d-4e62-8f40-00000000c0de";
        let label = Some(Name::from("a b"));
        let format = Format::new(Bytes(1 << 20), 4096, Uuid::parse(uuid).unwrap(), label).unwrap();
        let new = Step::format_new("/dev/a".into(), Bytes(1 << 20), format.clone());
        assert_eq!(new.shell(), [format!("mkswap --label 'a b' --uuid {uuid} /dev/a")]);
        let zeros = "dd if=/dev/zero of=/dev/a bs=1 seek=0 count=4096 conv=notrunc";
        assert_eq!(new.inverse().unwrap().shell(), [zeros]);
        let was = vec![Patch { at: 0, bytes: vec![1; 4096] }];
        let over = Step::format("/dev/a".into(), Bytes(1 << 20), format, was);
        assert!(over.shell()[0].starts_with("mkswap --force "));
        assert!(over.inverse().unwrap().shell()[0].starts_with("# the 4096 bytes"));
    }
}
