//! `swapadm set` and `swapadm reset`.

use super::{Before, Change};
use crate::actions::settings::{self, Refusal, Target};
use crate::change::Eyes;
use crate::cli::args::{ResetArgs, SetArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::model::{Name, name};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// Give settings other values.
///
/// # Errors
/// When a setting or a value makes no sense, or the plan cannot be carried out.
pub fn run(
    args: &SetArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    super::empties_nothing(&args.change)?;
    let root = source.root()?;
    // Only groups have to be looked for.
    let before = if args.cgroup.is_some() { Before::of(root) } else { Before::at_rest(root) };
    let target = |(knob, value): (&str, &str)| {
        Ok((target(knob, args.cgroup.as_deref(), &before)?, value.to_owned()))
    };
    let wishes = pairs(&args.wishes)?.into_iter().map(target);
    let wishes: Vec<_> = wishes.collect::<Result<_, Failure>>()?;
    let eyes = Eyes::of(before.root());
    let plan = settings::set(&wishes, &eyes).map_err(failure)?;
    let goals = settings::goals(&wishes, &eyes).map_err(failure)?;
    Change::of(&before, plan, &args.change, environment).lasting(&goals)?.run()
}

/// Give settings their first values back.
///
/// # Errors
/// As above.
pub fn reset(
    args: &ResetArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    super::takes_no_risk(&args.change)?;
    super::empties_nothing(&args.change)?;
    let root = source.root()?;
    let before = if args.cgroup.is_some() { Before::of(root) } else { Before::at_rest(root) };
    let group = args.cgroup.as_deref();
    let targets = args.knobs.iter().map(|knob| target(knob, group, &before));
    let targets: Vec<Target> = targets.collect::<Result<_, _>>()?;
    let eyes = Eyes::of(before.root());
    let wishes = settings::defaults(&targets).map_err(failure)?;
    let plan = settings::reset(&wishes, &eyes).map_err(failure)?;
    let goals = settings::goals_of_reset(&wishes, &eyes).map_err(failure)?;
    Change::of(&before, plan, &args.change, environment).lasting(&goals)?.run()
}

/// `KNOB VALUE`, or any number of `KNOB=VALUE`.
fn pairs(words: &[String]) -> Result<Vec<(&str, &str)>, Failure> {
    if let [knob, value] = words
        && !knob.contains('=')
    {
        return Ok(vec![(knob, value)]);
    }
    words.iter().map(|word| pair(word)).collect()
}

fn pair(word: &str) -> Result<(&str, &str), Failure> {
    word.split_once('=').ok_or_else(|| {
        let shown = name::safe_text(word);
        Failure::Usage(format!(
            "\"{shown}\" has no value: such as swappiness 10, or swappiness=10 page-cluster=0"
        ))
    })
}

fn target(knob: &str, group: Option<&OsStr>, before: &Before<'_>) -> Result<Target, Failure> {
    let snapshot = &before.machine.snapshot;
    let target = match group {
        None => settings::target(knob, snapshot),
        Some(group) => settings::target_of_group(knob, &Name::new(group.as_bytes()), snapshot),
    };
    target.map_err(failure)
}

/// What cannot even be seen is no mistake of whoever typed it.
#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn failure(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Unseen(..) => Failure::Nothing(refusal.to_string()),
        Refusal::Unknown(..)
        | Refusal::NoGroup(_)
        | Refusal::NotOfGroups(..)
        | Refusal::OfRoot(_)
        | Refusal::Value(..)
        | Refusal::Twice(_)
        | Refusal::NoDefault(_) => Failure::Usage(refusal.to_string()),
    }
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
