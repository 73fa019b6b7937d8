//! Parses what is typed in the interface: values for zram devices, and whole commands.

use crate::change::zram::{ZramChange, ZramIntent};
use crate::change::{ExecutionOptions, Intent, ObservedMachine};
use crate::cli::args;
use crate::cli::args::zram::{WRITEBACK, ZramAreaArgs};
use crate::cli::commands::change::zram::ZramParser;
use crate::cli::commands::change::{TypedLimits, intents};
use crate::cli::exit::{CommandError, usage};
use crate::model::name::safe_text;
use crate::ui::change::{ZramRequest, ZramValue};
use clap::Parser;
use std::ffi::{OsStr, OsString};

/// A command that changes the machine, as it would be typed in a shell after the name of the program.
pub(super) fn command(
    machine: &ObservedMachine<'_>,
    text: &str,
) -> Result<(Intent, ExecutionOptions), CommandError> {
    let words = shell_words(text)
        .ok_or_else(|| usage(format!("{}: run it in a shell, y copies it", safe_text(text))))?;
    let words = std::iter::once(OsString::from("swapadm")).chain(words);
    let words: Vec<_> = args::split_discards(args::join_negative_sizes(words)).collect();
    let typed = args::parse(&words).map_err(|error| usage(first_line(&error)))?;
    let command = typed.command.as_ref();
    let change =
        command.map(|command| intents::intent(machine, command, |_| {})).transpose()?.flatten();
    let Some((intent, args)) = change else {
        return Err(usage(format!("{} changes nothing: run it in a shell", safe_text(text))));
    };
    let limits = TypedLimits::from_args(args, machine.root)?.kept;
    let accepted_risks = args.force.clone();
    Ok((intent, ExecutionOptions { accepted_risks, persist: args.persist, limits }))
}

/// The words of a command line with plain words, single quotes and backslashes; none if it needs a shell.
fn shell_words(line: &str) -> Option<Vec<OsString>> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            _ if is_quoted => word.get_or_insert_default().push(letter),
            ' ' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().push(letters.next()?),
            '"' | '$' | '`' | '|' | '>' | '<' | ';' | '&' => return None,
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (!is_quoted).then(|| words.into_iter().map(OsString::from).collect())
}

/// The first line of a message of the parser, without its prefix.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// A new area as typed: its size, followed by options of `zram swap`.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct TypedArea {
    #[command(flatten)]
    area: ZramAreaArgs,
}

/// A new device with swap on it.
pub(super) fn swap(typed: ZramParser<'_>, text: &str) -> Result<ZramIntent, CommandError> {
    typed.swap(&area(text)?)
}

/// A new area as it was typed.
fn area(text: &str) -> Result<ZramAreaArgs, CommandError> {
    let words = std::iter::once("--size").chain(text.split_whitespace());
    let understood = TypedArea::try_parse_from(words).map_err(|error| {
        usage(format!("{}; options of zram swap may follow the size", first_line(&error)))
    })?;
    Ok(understood.area)
}

/// A change of a device.
pub(super) fn device(
    typed: ZramParser<'_>,
    device: &str,
    request: &ZramRequest,
) -> Result<ZramIntent, CommandError> {
    let change = match request {
        ZramRequest::Compact => ZramChange::Compact,
        ZramRequest::Remove => ZramChange::Remove,
        ZramRequest::Set(value, text) => match value {
            ZramValue::Size => ZramChange::Resize(typed.size(text)?),
            ZramValue::Algorithm => ZramChange::Algorithm(text.clone()),
            ZramValue::Limit => ZramChange::Limit(typed.limit(text)?),
            ZramValue::Idle => {
                let age = Some(text).filter(|text| *text != "all");
                ZramChange::Idle(age.map(|text| typed.age(text)).transpose()?)
            }
            ZramValue::Writeback => ZramChange::Writeback { pages: pages(text)?, limit: None },
        },
    };
    typed.device(OsStr::new(device), change)
}

/// The kind of pages, as the kernel calls it.
fn pages(typed: &str) -> Result<String, CommandError> {
    if WRITEBACK.contains(&typed) {
        return Ok(typed.to_owned());
    }
    let (shown, known) = (safe_text(typed), WRITEBACK.join(", "));
    Err(usage(format!("pages \"{shown}\" are not valid: use {known}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::zram::PRIORITY;
    use crate::root::testing::TestTree;

    #[test]
    fn commands_are_split_as_a_shell_would() {
        let split = |line| {
            let words = shell_words(line)?;
            Some(words.iter().map(|word| word.to_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(split("off  zram0 ").unwrap(), ["off", "zram0"]);
        assert_eq!(
            split(r"priority '/mnt/sp ace'=5 ''").unwrap(),
            ["priority", "/mnt/sp ace=5", ""]
        );
        assert_eq!(split(r"off 'it'\''s'").unwrap(), ["off", "it's"]);
        for other in ["off \"$(printf 'a')\"", "off 'a", "off a; reboot", "off a > b", "off \\"] {
            assert_eq!(split(other), None, "{other}");
        }
    }

    #[test]
    fn options_that_a_command_does_not_take_are_refused() {
        let tree = TestTree::new();
        let root = tree.root();
        let machine = ObservedMachine::observe(&root);
        let refused = |text| command(&machine, text).unwrap_err().to_string();
        let why = "this command does not disable areas, so there is nothing to pause";
        assert_eq!(refused("set swappiness=10 --pace 5"), format!("--pace: {why}"));
        let why = "--force: this command has no risk to accept";
        assert_eq!(refused("zram compact zram0 --force memory"), why);
    }

    #[test]
    fn pages_to_write_back_are_those_that_the_command_takes() {
        let refused = pages("old").unwrap_err().to_string();
        for known in WRITEBACK {
            assert_eq!(pages(known).unwrap(), known);
            assert!(refused.contains(known), "{refused}");
        }
    }

    #[test]
    fn a_new_area_is_typed_as_its_size_and_options() {
        let understood = |typed| match area(typed) {
            Ok(area) => Ok((area.size, area.setup.algorithm.unwrap_or_default(), area.priority)),
            Err(error) => Err(error.to_string()),
        };
        let area = |size: &str, algorithm: &str, priority: &str| {
            Ok((size.to_owned(), algorithm.to_owned(), priority.to_owned()))
        };
        assert_eq!(understood("2G"), area("2G", "", PRIORITY));
        assert_eq!(understood(" 50%  -a zstd --priority 7"), area("50%", "zstd", "7"));
        for (typed, named) in
            [("2G zstd", "'zstd'"), ("2G --yes", "'--yes'"), ("--label x", "--size")]
        {
            let why = understood(typed).unwrap_err();
            assert!(why.contains(named) && !why.contains('\n'), "{typed}: {why}");
        }
    }
}
