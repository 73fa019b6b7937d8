//! Does what is said of the areas of a case go together? It can be said in different tables: what
//! counts is what a case has.

use super::matrix::Combination;
use super::settings::Kinds;
use crate::lab::run_spec::Kind;

/// Something that was said of areas, and cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The key that says it.
    pub key: &'static str,
    /// On which line of the file.
    pub line: Option<usize>,
    /// In which case, and why not.
    pub why: String,
}

/// What carries the areas of a case, if that is said.
pub type Carried<'c> = &'c dyn Fn(&'c Combination) -> Option<&'c Kinds>;

/// The first that does not fit in these cases.
///
/// # Errors
/// What it is.
pub fn fits<'c>(cases: &'c [Combination], carried: Carried<'c>) -> Result<(), Misfit> {
    for case in cases {
        let areas = case.settings.areas();
        let kinds = carried(case).map_or(Ok(()), |kinds| kinds.fit(areas));
        kinds.map_err(|why| misfit("kind", case, &why))?;
        let priorities = case.settings.priorities.as_ref();
        let priorities = priorities.map_or(Ok(()), |priorities| priorities.fit(areas));
        priorities.map_err(|why| misfit("priorities", case, &why))?;
    }
    let is_on_zram = |case: &'c Combination| {
        let kind = |place| carried(case).map_or(Kind::Zram, |kinds| kinds.of(place));
        (0..case.settings.areas()).any(|place| kind(place) == Kind::Zram)
    };
    // What the base says may be for some of the cases only.
    let has_use = cases.iter().any(is_on_zram);
    let is_void = |case: &'c Combination| {
        let said = if has_use { &case.own } else { &case.settings };
        said.algorithm.is_some() && !is_on_zram(case)
    };
    match cases.iter().find(|case| is_void(case)) {
        Some(case) => Err(misfit("algorithm", case, NO_ZRAM)),
        None => Ok(()),
    }
}

const NO_ZRAM: &str = "it is how areas on zram compress, and none is made on zram: leave it out, or say zram for the kind of one or more";

fn misfit(key: &'static str, case: &Combination, why: &str) -> Misfit {
    let line = case.settings.lines.get(key).copied();
    Misfit { key, line, why: format!("{}: {why}", case.name) }
}
