//! Parses commands that are typed or made in the interface.

use crate::change::{ChangeTarget, ExecutionOptions, Intent, ObservedMachine};
use crate::cli::args::{self, Cli};
use crate::cli::commands::change::{TypedLimits, intents};
use crate::cli::exit::{CommandResult, usage};
use crate::model::name::safe_text;
use std::ffi::OsString;

/// A command that changes the machine, as it would be typed in a shell after the name of the program.
pub(super) fn command(
    machine: &ObservedMachine<'_>,
    text: &str,
) -> CommandResult<(Intent, ExecutionOptions)> {
    let words = shell_words(text)
        .ok_or_else(|| usage(format!("{}: run it in a shell, y copies it", safe_text(text))))?;
    let typed = parse_words(std::iter::once(OsString::from("swapadm")).chain(words))?;
    let command = typed.command.as_ref();
    let change =
        command.map(|command| intents::intent(machine, command, |_| {})).transpose()?.flatten();
    let Some((intent, args)) = change else {
        // In a shell, the command shows the real machine.
        let instead = match machine.target {
            ChangeTarget::Files(_) => "run it in a shell",
            ChangeTarget::Simulated(_) => "type a command that changes the simulated machine",
        };
        return Err(usage(format!("{} changes nothing: {instead}", safe_text(text))));
    };
    let limits = TypedLimits::from_args(args, machine.root)?.kept;
    let accepted_risks = args.force.clone();
    Ok((intent, ExecutionOptions { accepted_risks, persist: args.persist, limits }))
}

/// Parses the words of a command line. The message of the parser is in one line.
pub(in crate::cli::commands::change) fn parse_words(
    words: impl Iterator<Item = OsString>,
) -> CommandResult<Cli> {
    let words: Vec<_> = args::split_discards(args::join_negative_sizes(words)).collect();
    args::parse(&words).map_err(|error| usage(in_one_line(&error)))
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

/// The message of the parser in one line, without its prefix and its hints.
fn in_one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let message = text.trim_start_matches("error: ").lines().take_while(|line| !line.is_empty());
    message.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::zram::WRITEBACK;
    use crate::root::testing::TestTree;
    use crate::ui::input::ZramValue;

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
    fn typed_values_of_zram_devices_are_read_as_commands() {
        let tree = TestTree::new();
        tree.write("proc/meminfo", "MemTotal: 1048576 kB\n");
        let root = tree.root();
        let machine = ObservedMachine::observe(&root);
        let refused = |text: &str| command(&machine, text).unwrap_err().to_string();
        let why = refused(&ZramValue::Writeback.command("zram0", "old"));
        assert!(WRITEBACK.iter().all(|known| why.contains(known)), "{why}");
        for (typed, named) in [("2G zstd", "'zstd'"), ("2G --none", "'--none'")] {
            let why = refused(&format!("zram swap --size {typed}"));
            assert!(why.contains(named) && !why.contains('\n'), "{typed}: {why}");
        }
    }
}
