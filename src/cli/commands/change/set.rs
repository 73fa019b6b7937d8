//! `swapadm set` and `swapadm reset`.

use crate::change::{Intent, Setting};
use crate::cli::args::{ResetArgs, SetArgs};
use crate::cli::exit::{CommandResult, usage};
use crate::model::{Name, name};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// The intent of `set`.
pub(super) fn set_intent(args: &SetArgs) -> CommandResult<Intent> {
    let group = args.cgroup.as_deref();
    let settings = pairs(&args.settings)?.into_iter();
    let settings = settings.map(|(knob, value)| (setting(knob, group), value.to_owned()));
    Ok(Intent::Set(settings.collect()))
}

/// The intent of `reset`.
pub(super) fn reset_intent(args: &ResetArgs) -> Intent {
    let group = args.cgroup.as_deref();
    Intent::Reset(args.knobs.iter().map(|knob| setting(knob, group)).collect())
}

fn setting(knob: &str, group: Option<&OsStr>) -> Setting {
    Setting { knob: knob.to_owned(), group: group.map(|group| Name::new(group.as_bytes())) }
}

/// Parses `KNOB VALUE`, or any number of `KNOB=VALUE`.
fn pairs(words: &[String]) -> CommandResult<Vec<(&str, &str)>> {
    if let [knob, value] = words
        && !knob.contains('=')
    {
        return Ok(vec![(knob, value)]);
    }
    words.iter().map(|word| pair(word)).collect()
}

fn pair(word: &str) -> CommandResult<(&str, &str)> {
    word.split_once('=').ok_or_else(|| {
        let shown = name::safe_text(word);
        usage(format!(
            "\"{shown}\" has no value: use swappiness 10, or swappiness=10 page-cluster=0"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knob_and_its_value_may_be_two_words_or_one() {
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            pairs(&words).map(|pairs| pairs.into_iter().map(|(a, b)| format!("{a}|{b}")).collect())
        };
        let fine: Vec<String> = of(&["a", "1"]).unwrap();
        assert_eq!(fine, ["a|1"]);
        assert_eq!(of(&["a=1", "b=2=3"]).unwrap(), ["a|1", "b|2=3"]);
        for wrong in [&["a"][..], &["a", "1", "b"], &["a=1", "b"]] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
    }
}
