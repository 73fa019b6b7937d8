//! Sizes below nothing. A word that begins with a dash and a digit would be taken for options, and
//! what is wrong with it would not be told: it is the value of the option before it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// The options of loads and experiments that take a size.
const SIZES: [&str; 7] =
    ["--limit", "-l", "--zram", "-z", "--file", "--min-available", "--min-swap"];
/// The commands that have them.
const COMMANDS: [&str; 2] = ["stress", "experiment"];

/// The same arguments, as they are understood here.
pub fn understood(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut understood: Vec<OsString> = Vec::new();
    let (mut is_meant, mut is_over) = (false, false);
    for argument in arguments {
        is_over |= argument == "--";
        is_meant |= COMMANDS.iter().any(|command| argument == *command);
        let option = understood.last_mut().filter(|_| is_meant && !is_over && is_below(&argument));
        match option.filter(|option| SIZES.iter().any(|size| **option == *size)) {
            Some(option) => {
                option.push("=");
                option.push(argument);
            }
            None => understood.push(argument),
        }
    }
    understood
}

/// Is it a number below nothing, whatever follows?
fn is_below(argument: &OsStr) -> bool {
    matches!(argument.as_bytes(), [b'-', digit, ..] if digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::generate;

    fn words(typed: &str) -> Vec<String> {
        let words = understood(typed.split(' ').map(OsString::from));
        words.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn a_size_below_nothing_belongs_to_the_option_before_it() {
        assert_eq!(
            words("stress run x --limit -5M -z -1G"),
            ["stress", "run", "x", "--limit=-5M", "-z=-1G"]
        );
        for other in ["stress run --limit -l", "on -l -5M", "stress run -- --limit -5M"] {
            assert_eq!(words(other).join(" "), other);
        }
    }

    /// All that takes a size does, and nothing else is there that does not.
    #[test]
    fn all_options_of_sizes_are_known() {
        let cli = generate::command();
        let mut found = Vec::new();
        for name in COMMANDS {
            let command = cli.find_subcommand(name).and_then(|it| it.find_subcommand("run"));
            for it in command.unwrap().get_arguments() {
                let values = it.get_value_names().unwrap_or_default();
                if values.iter().any(|value| value.ends_with("SIZE")) {
                    found.extend(it.get_long().map(|long| format!("--{long}")));
                    found.extend(it.get_short().map(|short| format!("-{short}")));
                }
            }
        }
        found.sort();
        found.dedup();
        let mut known = SIZES;
        known.sort_unstable();
        assert_eq!(found, known);
    }
}
