//! What fits together and what does not. Each rule names the key that it is reported at, and those
//! that it does not go with.

use crate::config::Section;
use crate::lab::load::keys::{Draft, KEYS, WORK};
use crate::model::Bytes;
use crate::model::load::{After, Amount, Memory, Workload};

/// Strides are of whole pages, and no page is smaller.
const PAGE: Bytes = Bytes(4096);

/// A key and what is wrong with it.
pub(super) struct Conflict {
    pub(super) key: &'static str,
    /// Keys that it does not go with: one of these that was changed over the file is wrong.
    pub(super) with: &'static [&'static str],
    pub(super) text: String,
}

impl Conflict {
    fn new(key: &'static str, with: &'static [&'static str], text: impl Into<String>) -> Self {
        Self { key, with, text: text.into() }
    }
}

/// Finds what does not fit in the whole load.
pub(super) fn of_load(load: &Workload) -> Option<Conflict> {
    let too_early = load.after == After::Swapoff && !load.free_together;
    let text = "after = swapoff needs processes that hold their memory until then: let free be one of the words";
    too_early.then(|| Conflict::new("together", &["after"], text))
}

/// Finds what does not fit in a work.
pub(super) fn of_work(draft: &Draft, section: &Section) -> Vec<Conflict> {
    let mut all = other_patterns(draft, section);
    all.extend(forked(draft));
    all.extend(churn(draft));
    all.extend(stride(draft));
    all.extend(time(draft));
    all
}

/// Finds keys of patterns that the work does not have.
fn other_patterns(draft: &Draft, section: &Section) -> Vec<Conflict> {
    let set = KEYS.keys(WORK).filter(|key| section.entries.contains_key(key.name));
    let conflict = |key: &crate::config::Key<Draft>| {
        let (_, pattern) = key.only_with.filter(|(_, pattern)| *pattern != draft.pattern)?;
        let text = format!(
            "it is for the pattern {pattern} only, and this work has {}: leave it out, or use the pattern {pattern}",
            draft.pattern
        );
        Some(Conflict::new(key.name, &["pattern"], text))
    };
    set.filter_map(conflict).collect()
}

fn forked(draft: &Draft) -> Vec<Conflict> {
    if draft.work.memory != Memory::Forked {
        return Vec::new();
    }
    let writes = "0% copies nothing, as forked memory is copied where it is written: use more, or another memory";
    let prefault = "false leaves nothing to copy, as forked memory is filled before the child begins: use true, or another memory";
    let all = [
        (draft.work.writes <= 0.0, "writes", writes),
        (!draft.work.prefault, "prefault", prefault),
    ];
    let wrong = all.into_iter().filter(|(is_wrong, ..)| *is_wrong);
    wrong.map(|(_, key, text)| Conflict::new(key, &["memory"], text)).collect()
}

fn churn(draft: &Draft) -> Option<Conflict> {
    let memory = draft.work.memory;
    (draft.pattern == "churn" && memory != Memory::Anonymous).then(|| {
        let text = format!(
            "churn is for anonymous memory only, and this work has {}: use another pattern, or the memory anonymous",
            memory.word()
        );
        Conflict::new("pattern", &["memory"], text)
    })
}

fn stride(draft: &Draft) -> Option<Conflict> {
    if draft.pattern != "strided" {
        return None;
    }
    let (stride, shown) = (draft.stride, draft.stride.exact());
    if !stride.0.is_multiple_of(PAGE.0) {
        let text = format!("{shown} is not a multiple of {}: use one", PAGE.exact());
        return Some(Conflict::new("stride", &[], text));
    }
    let Amount::Bytes(size) = draft.work.size else { return None };
    (stride > size).then(|| {
        let size = size.exact();
        let text = format!("{shown} is more than the size, {size}: use {size} or less");
        Conflict::new("stride", &["size"], text)
    })
}

fn time(draft: &Draft) -> Option<Conflict> {
    let seconds = draft.work.seconds?;
    if draft.work.passes.is_some() {
        let text = "passes says already when the work ends: leave one of the two out";
        return Some(Conflict::new("seconds", &["passes"], text));
    }
    let whole = seconds * f64::from(draft.work.rounds);
    let most = draft.load.at_most;
    (whole > most).then(|| {
        let text = format!(
            "all rounds of it take {whole} seconds, and the load is ended after {most}: use less, or a larger at_most"
        );
        Conflict::new("seconds", &["rounds", "at_most"], text)
    })
}
