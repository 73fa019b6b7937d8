//! What fits together and what does not. Each rule names the key that it is told of, and those that
//! it does not go with.

use super::Group;
use crate::model::load::{After, Amount, Memory, Workload};
use crate::stress::keys::{Draft, KEYS, Key, size_text};

/// Strides are of whole pages, and no page is smaller.
const PAGE: u64 = 4096;

/// A key and what is wrong with it.
pub(super) struct Told {
    pub(super) key: &'static str,
    /// What it does not go with: where one of these was said over what a file says, that is wrong.
    pub(super) with: &'static [&'static str],
    pub(super) text: String,
}

/// What does not fit in what is said of the whole load.
pub(super) fn of_load(load: &Workload) -> Option<Told> {
    let too_early = load.after == After::Swapoff && !load.free_together;
    too_early.then(|| {
        let text = "after = swapoff needs processes that hold their memory until then: let free be one of the words";
        Told { key: "together", with: &["after"], text: text.to_owned() }
    })
}

/// What does not fit in a work.
pub(super) fn of_work(draft: &Draft, said: &Group, load: &Workload) -> Vec<Told> {
    let mut all = other_patterns(draft, said);
    all.extend(forked(draft));
    all.extend(churn(draft));
    all.extend(stride(draft));
    all.extend(time(draft, load));
    all
}

/// Keys of patterns that the work does not have.
fn other_patterns(draft: &Draft, said: &Group) -> Vec<Told> {
    let told = |key: &Key| {
        let pattern = key.pattern.filter(|pattern| *pattern != draft.pattern)?;
        said.contains_key(key.name).then(|| {
            let text = format!(
                "it is for the pattern {pattern} only, and this work has {}: leave it out, or use the pattern {pattern}",
                draft.pattern
            );
            Told { key: key.name, with: &["pattern"], text }
        })
    };
    KEYS.iter().filter_map(told).collect()
}

fn forked(draft: &Draft) -> Vec<Told> {
    let mut all = Vec::new();
    let told = |key, text: &str| Told { key, with: &["memory"], text: text.to_owned() };
    if draft.work.memory != Memory::Forked {
        return all;
    }
    if draft.work.writes <= 0.0 {
        let text = "0% copies nothing, as forked memory is copied where it is written: use more, or another memory";
        all.push(told("writes", text));
    }
    if !draft.work.prefault {
        let text = "false leaves nothing to copy, as forked memory is filled before the child begins: use true, or another memory";
        all.push(told("prefault", text));
    }
    all
}

fn churn(draft: &Draft) -> Option<Told> {
    let memory = draft.work.memory;
    let (word, _) = Memory::WORDS.into_iter().find(|(_, other)| *other == memory)?;
    (draft.pattern == "churn" && memory != Memory::Anonymous).then(|| {
        let text = format!(
            "churn is for anonymous memory only, and this work has {word}: use another pattern, or the memory anonymous"
        );
        Told { key: "pattern", with: &["memory"], text }
    })
}

fn stride(draft: &Draft) -> Option<Told> {
    if draft.pattern != "strided" {
        return None;
    }
    let stride = draft.stride.0;
    let shown = size_text(stride);
    if !stride.is_multiple_of(PAGE) {
        let text = format!("{shown} is not a multiple of {}: use one", size_text(PAGE));
        return Some(Told { key: "stride", with: &[], text });
    }
    let Amount::Bytes(size) = draft.work.size else { return None };
    (stride > size.0).then(|| {
        let size = size_text(size.0);
        let text = format!("{shown} is more than the size, {size}: use {size} or less");
        Told { key: "stride", with: &["size"], text }
    })
}

fn time(draft: &Draft, load: &Workload) -> Option<Told> {
    let seconds = draft.work.seconds?;
    if draft.work.passes.is_some() {
        let text = "passes says already when the work ends: leave one of the two out";
        return Some(Told { key: "seconds", with: &["passes"], text: text.to_owned() });
    }
    let whole = seconds * f64::from(draft.work.rounds);
    (whole > load.at_most).then(|| {
        let text = format!(
            "all rounds of it take {whole} seconds, and the load is ended after {}: use less, or a larger at_most",
            load.at_most
        );
        Told { key: "seconds", with: &["rounds", "at_most"], text }
    })
}
