//! The swap entries of fstab. Each line is independent: a bad one does not stop the others.

use super::{ChangeAttempt, ObservedMachine};
use crate::actions::check::{Check, CheckVerdict};
use crate::actions::shell_quoted;
use crate::model::Name;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::config::{ConfigKind, ConfiguredArea};
use crate::model::swaparea::SwapArea;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// The areas that the lines of fstab request.
#[derive(Debug, Default)]
pub(super) struct FstabRequest {
    /// The areas to enable.
    pub(super) wanted: Vec<Activation>,
    pub(super) skipped: Vec<SkippedLine>,
    /// The number of lines with `noauto`, which are not enabled at boot either.
    noauto: usize,
}

/// Why a line enables nothing, and whether that matters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SkippedLine {
    why: String,
    /// Does a required area stay disabled?
    matters: bool,
}

impl SkippedLine {
    fn from_area(area: &ConfiguredArea, why: String) -> Self {
        let may_fail = has_option(area, "nofail");
        let why = if may_fail { format!("{why} (nofail in fstab)") } else { why };
        Self { why, matters: !may_fail }
    }
}

impl FstabRequest {
    /// Checks about the skipped lines.
    pub(super) fn checks(&self) -> Vec<Check> {
        let check = |line: &SkippedLine| {
            let verdict = if line.matters { CheckVerdict::Warn } else { CheckVerdict::Note };
            Check { id: "fstab", verdict, text: format!("skipped: {}", line.why) }
        };
        self.skipped.iter().map(check).collect()
    }

    /// The text when there is nothing to enable.
    pub(super) fn empty_text(&self) -> &'static str {
        match (self.skipped.is_empty(), self.noauto) {
            (true, 0) => "fstab has no swap entries",
            (true, _) => "all swap entries of fstab have the option noauto: enable them by name",
            (false, _) => "no swap entry of fstab can be enabled",
        }
    }

    fn add_line(
        &mut self,
        machine: &ObservedMachine<'_>,
        area: &ConfiguredArea,
        options: SwaponOptions,
    ) {
        let path = match machine.find_storage(OsStr::from_bytes(area.what.as_bytes())) {
            Ok(path) => path,
            Err(failure) => return self.skipped.push(SkippedLine::from_area(area, failure)),
        };
        if self.wanted.iter().any(|other| other.path == path) {
            let what = area.what.safe();
            let why = format!("{what} again: an earlier line of fstab already names it");
            return self.skipped.push(SkippedLine { why, matters: false });
        }
        let active = machine.areas().ok().and_then(|all| all.iter().find(|it| it.path == path));
        if let Some(why) = active.and_then(|active| other_priority(active, area)) {
            return self.skipped.push(SkippedLine { why, matters: false });
        }
        if active.is_none()
            && let Some(why) = machine.hindrance(&path)
        {
            return self.skipped.push(SkippedLine::from_area(area, why));
        }
        let options = SwaponOptions {
            priority: area.requested_priority().or(options.priority),
            discard: requested_discard(area).or(options.discard),
        };
        self.wanted.push(options.activation(path));
    }
}

/// Options for enabling areas, where given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwaponOptions {
    /// Priority of the areas.
    pub priority: Option<Priority>,
    /// Discard option of the areas.
    pub discard: Option<Discard>,
}

impl SwaponOptions {
    /// How this area is enabled.
    pub(super) fn activation(self, path: Name) -> Activation {
        Activation {
            path,
            priority: self.priority.unwrap_or(Priority::Default),
            discard: self.discard.unwrap_or(Discard::None),
        }
    }
}

/// Reads the areas that fstab enables, except those marked `noauto`.
pub(super) fn read(
    machine: &ObservedMachine<'_>,
    options: SwaponOptions,
) -> ChangeAttempt<FstabRequest> {
    let entries = machine.snapshot.config.reading.get()?;
    let mut asked = FstabRequest::default();
    for entry in entries.iter().filter(|entry| entry.kind == ConfigKind::Fstab) {
        // Missing only where the file could not be read.
        let area = entry.area.get()?;
        if entry.disables_itself() {
            asked.noauto += 1;
        } else {
            asked.add_line(machine, area, options);
        }
    }
    Ok(asked)
}

/// Says that an active area has another priority than its line gives it, and how to change it.
fn other_priority(active: &SwapArea, line: &ConfiguredArea) -> Option<String> {
    let is_other = |wanted: &Priority| {
        matches!(wanted, Priority::Set(_)) && !wanted.matches_shown(active.priority)
    };
    let wanted = line.requested_priority().filter(is_other)?;
    Some(format!(
        "{} is active with priority {}, not {wanted}; to change it: swapadm priority {}={wanted}",
        active.path.safe(),
        active.priority,
        shell_quoted(&active.path)
    ))
}

fn has_option(area: &ConfiguredArea, option: &str) -> bool {
    area.options.iter().any(|other| other == option)
}

/// The discard option in a line of fstab. As in swapon, an unknown word means both kinds.
pub(super) fn requested_discard(area: &ConfiguredArea) -> Option<Discard> {
    area.options.iter().rev().find_map(|option| match option.split_once('=') {
        Some(("discard", word)) => Some(Discard::from_word(word).unwrap_or(Discard::Both)),
        None if option == "discard" => Some(Discard::Both),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::format::{Format, Uuid};
    use crate::model::{Bytes, Name, Reading};
    use crate::root::testing::TestTree;

    fn line(options: &str, priority: Reading<i32>) -> ConfiguredArea {
        let options = options.split(',').map(str::to_owned).collect();
        ConfiguredArea { what: Name::from("/x"), priority, options }
    }

    #[test]
    fn fstab_options_are_parsed_like_swapon() {
        let of = |number| line("x", Reading::Known(number)).requested_priority();
        assert_eq!([of(5), of(40_000)], [5, 32_767].map(|number| Some(Priority::Set(number))));
        // The default of the kernel, also where the command names a priority for all.
        assert_eq!(of(-1), Some(Priority::Default));
        let of = |options| requested_discard(&line(options, Reading::absent("none")));
        assert_eq!(
            [of("sw"), of("discard"), of("discard=pages,sw"), of("discard=page")],
            [None, Some(Discard::Both), Some(Discard::Pages), Some(Discard::Both)]
        );
        assert!(has_option(&line("sw,noauto", Reading::absent("none")), "noauto"));
    }

    /// A UUID with these last digits.
    fn uuid(last: u32) -> String {
        format!("5a9c0f3e-7b1d-4e62-8f40-{last:012}")
    }

    /// A formatted area.
    fn swap(last: u32) -> Vec<u8> {
        let uuid = Uuid::parse(&uuid(last)).unwrap();
        let mut bytes = Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap().page();
        bytes.resize(1 << 20, 0);
        bytes
    }

    fn tree(fstab: &str) -> TestTree {
        let tree = TestTree::with(&[
            ("good", swap(1)),
            ("last", swap(2)),
            ("dev/a", swap(7)),
            ("dev/b", swap(7)),
            ("bad", vec![0; 1 << 20]),
            ("later", swap(3)),
        ]);
        for name in ["a", "b"] {
            tree.write(&format!("sys/class/block/{name}/size"), "2048\n");
        }
        tree.write("etc/fstab", fstab);
        tree
    }

    /// The paths to enable, and the skipped lines with their weight.
    fn read_fstab(fstab: &str) -> (Vec<String>, Vec<(String, bool)>) {
        let tree = tree(fstab);
        let root = tree.root();
        let asked = read(&ObservedMachine::observe(&root), SwaponOptions::default()).unwrap();
        let wanted = asked.wanted.iter().map(|area| area.path.safe()).collect();
        (wanted, asked.skipped.into_iter().map(|line| (line.why, line.matters)).collect())
    }

    #[test]
    fn bad_fstab_line_does_not_stop_others() {
        let shared = uuid(7);
        let lines = [
            "/good none swap sw 0 0",
            "/bad none swap sw 0 0",
            "/bad none swap nofail 0 0",
            "/none none swap sw 0 0",
            "/none none swap sw,nofail 0 0",
            "/later none swap noauto 0 0",
            "/../good none swap pri=5 0 0",
            &format!("UUID={shared} none swap sw,nofail 0 0"),
            &format!("UUID={shared} none swap sw 0 0"),
            "/last none swap sw 0 0",
        ];
        let (wanted, left) = read_fstab(&lines.join("\n"));
        assert_eq!(wanted, ["/good", "/last"]);
        let expected = [
            ("/bad has no swap header", true),
            ("/bad has no swap header", false),
            ("/none is not in the captured tree", true),
            ("/none is not in the captured tree", false),
            ("/../good again: an earlier line", false),
            ("matches several devices: /dev/a, /dev/b", false),
            ("matches several devices: /dev/a, /dev/b", true),
        ];
        assert_eq!(left.len(), expected.len(), "{left:?}");
        for ((why, matters), (text, expected)) in left.iter().zip(expected) {
            assert!(why.contains(text), "{why}: {text}");
            assert_eq!(*matters, expected, "{why}");
        }
    }

    #[test]
    fn empty_fstab_and_unusable_lines_are_reported() {
        let of = |fstab: &str| {
            let tree = tree(fstab);
            let root = tree.root();
            let asked = read(&ObservedMachine::observe(&root), SwaponOptions::default()).unwrap();
            (
                asked.wanted.len(),
                asked.checks().iter().any(|check| check.verdict == CheckVerdict::Warn),
                asked.empty_text(),
            )
        };
        let none = "fstab has no swap entries";
        assert_eq!(of("/dev/sda1 / ext4 defaults 0 1\n"), (0, false, none));
        let noauto = "all swap entries of fstab have the option noauto: enable them by name";
        assert_eq!(of("/later none swap noauto 0 0\n"), (0, false, noauto));
        let nothing = "no swap entry of fstab can be enabled";
        assert_eq!(of("/bad none swap sw 0 0\n"), (0, true, nothing));
        assert_eq!(of("/bad none swap nofail 0 0\n"), (0, false, nothing));
    }

    #[test]
    fn active_area_is_not_checked_again() {
        let tree = tree("/bad none swap sw 0 0\n");
        let head = "Filename\tType\tSize\tUsed\tPriority\n";
        tree.write("proc/swaps", format!("{head}/bad file 1020 0 -2\n"));
        let root = tree.root();
        let asked = read(&ObservedMachine::observe(&root), SwaponOptions::default()).unwrap();
        assert_eq!((asked.wanted.len(), asked.skipped), (1, Vec::new()));
    }
}
