//! What is said below the figures of runs in which one process did nearly all of it.

use crate::derive::lab;
use crate::model::name::safe_text;
use crate::model::run::Run;

/// In which of these runs one process stayed in memory, each with its name where there are several.
pub fn apart<'r>(runs: impl IntoIterator<Item = (Option<String>, &'r Run)>) -> Option<String> {
    let told: Vec<String> = runs.into_iter().filter_map(|(name, run)| times(name, run)).collect();
    (!told.is_empty()).then(|| {
        format!(
            "One process stayed in memory and touched far more often than the others ({}): the sum of throughput tells mostly of it; look at the pages swapped in.",
            told.join("; ")
        )
    })
}

fn times(name: Option<String>, run: &Run) -> Option<String> {
    let times = lab::apart(run)?;
    let name = name.map_or_else(String::new, |name| format!(" in {}", safe_text(&name)));
    Some(format!("{times:.0} times{name}"))
}
