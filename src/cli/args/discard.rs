//! Discards as swapon(8) takes them: with the word at once behind the letter. A letter that may
//! stand alone would have the word taken for more letters: `-dpages` for `-d -p ages`.

use crate::model::activation::Discard;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// The same arguments, as they are understood here.
pub fn understood(arguments: impl IntoIterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut is_over = false;
    arguments.into_iter().map(move |argument| {
        is_over |= argument == "--";
        match argument.as_bytes().strip_prefix(b"-d") {
            Some(word) if !is_over && is_word(word) => OsString::from_vec([b"-d=", word].concat()),
            _ => argument,
        }
    })
}

/// Is it a word for discards, or could it be meant for one? No priority but the default one is
/// made of letters.
fn is_word(word: &[u8]) -> bool {
    let is_known = Discard::WORDS.iter().any(|(known, _)| known.as_bytes() == word);
    let is_priority = word.strip_prefix(b"p").is_some_and(|rest| {
        !rest.is_empty() && rest != b"default" && rest.iter().all(u8::is_ascii_alphabetic)
    });
    is_known || is_priority
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{Cli, Command, OnArgs};
    use clap::Parser as _;

    fn on(typed: &[&str]) -> Result<OnArgs, String> {
        let words = ["swapadm", "on"].iter().chain(typed).map(OsString::from);
        let cli = Cli::try_parse_from(understood(words)).map_err(|error| error.to_string())?;
        let Some(Command::On(args)) = cli.command else { panic!("{cli:?}") };
        Ok(args.into_inner())
    }

    /// How it discards, its priority, and how many areas are named.
    fn said(typed: &[&str]) -> (Option<String>, Option<String>, usize) {
        let OnArgs { discard, priority, areas, .. } = on(typed).unwrap();
        (discard, priority, areas.len())
    }

    #[test]
    fn a_word_behind_the_letter_is_that_of_discards() {
        let some = |word: &str| Some(word.to_owned());
        for word in ["none", "once", "pages", "both"] {
            for typed in [format!("-d{word}"), format!("-d={word}"), format!("--discard={word}")] {
                assert_eq!(said(&[&typed, "/x"]), (some(word), None, 1), "{typed}");
            }
        }
        assert_eq!(said(&["-d", "/x"]), (some("both"), None, 1));
        assert_eq!(said(&["-dp5", "/x"]), (some("both"), some("5"), 1));
        assert_eq!(said(&["-dpdefault", "/x"]), (some("both"), some("default"), 1));
        assert_eq!(said(&["--", "-dpages"]), (None, None, 1));
    }

    #[test]
    fn a_word_that_is_none_is_not_taken_for_a_priority() {
        let error = on(&["-dpage", "/x"]).unwrap_err();
        assert!(error.contains("--discard") && error.contains("pages"), "{error}");
    }
}
