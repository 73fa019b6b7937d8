//! A workload as the keys of its file, to compare two workloads key by key.

use crate::columns::units;
use crate::model::Bytes;
use crate::model::load::{AccessPattern, MemoryAmount, WorkerGroup, Workload};

/// A key and its value.
type KeyValue = (String, String);

/// All keys of a workload with their values, group by group.
pub fn load_keys(load: &Workload) -> Vec<KeyValue> {
    let flags = [("start", load.start_together), ("free", load.free_together)];
    let together = flags.into_iter().filter_map(|(name, is_so)| is_so.then_some(name));
    let together: Vec<&str> = together.collect();
    let mthp: Vec<String> = load.mthp.iter().map(|(size, word)| format!("{size}={word}")).collect();
    let all = [
        ("limit", amount(load.limit)),
        ("together", together.join(",")),
        ("after", load.after.word().to_owned()),
        ("mthp", mthp.join(",")),
        ("at_most", seconds(load.at_most)),
    ];
    let all = all.into_iter().map(|(key, text)| (key.to_owned(), text));
    let works = (1..).zip(&load.works).flat_map(|(number, work)| {
        // Key names as in --with.
        let named = move |key: &str| match number {
            1 => key.to_owned(),
            _ => format!("{number}.{key}"),
        };
        group_keys(work).into_iter().map(move |(key, text)| (named(key), text))
    });
    all.chain(works).collect()
}

fn group_keys(work: &WorkerGroup) -> Vec<(&'static str, String)> {
    let cpus = work.cpus.iter().flatten().map(u32::to_string);
    let cpus: Vec<String> = cpus.collect();
    let mut keys = vec![
        ("processes", work.processes.to_string()),
        ("rounds", work.rounds.to_string()),
        ("size", amount(work.size)),
        ("vary", percent(work.vary)),
        ("memory", work.memory.word().to_owned()),
        ("pattern", work.order.word().to_owned()),
    ];
    keys.extend(pattern_keys(work.order));
    keys.extend([
        ("touch", work.touch.word().to_owned()),
        ("writes", percent(work.writes)),
        ("prefault", work.prefault.to_string()),
        ("passes", or_empty(work.passes.map(units::real))),
        ("seconds", or_empty(work.seconds.map(seconds))),
        ("pace", or_empty(work.pace.map(bytes))),
        ("contents", work.contents.to_string()),
        ("advice", work.advice.word().to_owned()),
        ("free", work.free.word().to_owned()),
        ("allocates", work.allocates.to_string()),
        ("cpus", cpus.join(",")),
        ("node", or_empty(work.node.map(|node| node.to_string()))),
    ]);
    keys
}

/// Keys that only one access pattern has.
fn pattern_keys(order: AccessPattern) -> Vec<(&'static str, String)> {
    match order {
        AccessPattern::Sequential | AccessPattern::Random | AccessPattern::Churn => Vec::new(),
        AccessPattern::Strided { stride } => vec![("stride", bytes(Bytes(stride)))],
        AccessPattern::Zipf { skew } => vec![("skew", units::real(skew))],
        AccessPattern::Phases { hot, hits, length } => {
            vec![("hot", percent(hot)), ("hits", percent(hits)), ("length", units::real(length))]
        }
    }
}

// Rounded values could look equal although they differ, so values are exact here.

fn amount(amount: MemoryAmount) -> String {
    match amount {
        MemoryAmount::Bytes(size) => bytes(size),
        MemoryAmount::Share(share) => percent(share),
    }
}

pub(super) fn bytes(size: Bytes) -> String {
    let text = units::size(size);
    if units::parse_size(&text) == Some(size) { text } else { format!("{} bytes", size.0) }
}

fn percent(share: f64) -> String {
    units::real(100.0 * share) + "%"
}

fn seconds(seconds: f64) -> String {
    units::real(seconds) + "s"
}

fn or_empty(text: Option<String>) -> String {
    text.unwrap_or_default()
}
