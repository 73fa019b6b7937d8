//! State of each source: read completely, in part, or not at all.

use crate::model::snapshot::ClusterMaps;
use crate::model::{Missing, Part, Reading, Sampled, Snapshot};
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of reading one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOutcome {
    /// Why nothing of it could be read; `None` if something was read.
    pub whole: Option<Missing>,
    /// Reasons for missing values inside the part, with their number.
    pub inside: BTreeMap<String, (Missing, u64)>,
}

impl SourceOutcome {
    /// Returns how many values inside are missing for this kind of reason.
    pub fn count(&self, kind: &str) -> u64 {
        let of_kind = self.inside.values().filter(|(missing, _)| missing.kind() == kind);
        of_kind.map(|(_, count)| count).sum()
    }

    /// Returns `ok`, `partly`, or the kind of the reason why nothing was read. Values that this kernel does
    /// not have do not count: only denied and failed values make a source `partly`.
    pub fn state(&self) -> &'static str {
        match &self.whole {
            Some(missing) => missing.kind(),
            None if self.count("denied") + self.count("failed") > 0 => "partly",
            None => "ok",
        }
    }
}

/// Returns the result of reading a part of this snapshot.
pub fn outcome(snapshot: &Snapshot, part: Part) -> SourceOutcome {
    match part {
        Part::Kernel => outcome_of(&snapshot.kernel),
        Part::Access => outcome_of(&snapshot.access),
        Part::Swaps => outcome_of(&snapshot.swaps),
        Part::Headers => outcome_of(&snapshot.headers),
        Part::Layouts => outcome_of(&snapshot.layouts),
        Part::Hibernation => outcome_of(&snapshot.hibernation),
        Part::Meminfo => outcome_of(&snapshot.meminfo),
        Part::Vmstat => outcome_of(&snapshot.vmstat),
        Part::Psi => outcome_of(&snapshot.psi),
        Part::Diskstats => outcome_of(&snapshot.diskstats),
        Part::Block => outcome_of(&snapshot.block),
        Part::Zram | Part::ZramDetail => outcome_of(&snapshot.zram),
        Part::Zswap => outcome_of(&snapshot.zswap),
        Part::Thp => outcome_of(&snapshot.thp),
        Part::Knobs => outcome_of(&snapshot.knobs),
        Part::Numa => outcome_of(&snapshot.numa),
        Part::Config => outcome_of(&snapshot.config),
        Part::Interrupted => outcome_of(&snapshot.interrupted),
        Part::Processes | Part::ProcessDetail | Part::ProcessPss | Part::ProcessAll => {
            outcome_of(&snapshot.processes)
        }
        Part::Cgroups => outcome_of(&snapshot.cgroups),
        Part::Shm => outcome_of(&snapshot.shm),
        Part::Sources => outcome_of(&snapshot.sources),
        Part::Allocator => outcome_of(&snapshot.allocator),
        Part::KernelClusters => outcome_of_maps(&snapshot.kernel_clusters),
        Part::StoredClusters => outcome_of_maps(&snapshot.stored_clusters),
        Part::MappedClusters => outcome_of_maps(&snapshot.mapped_clusters),
        Part::Subject => outcome_of(&snapshot.subject),
    }
}

fn outcome_of<T: Serialize>(part: &Sampled<T>) -> SourceOutcome {
    let mut inside = BTreeMap::new();
    if let Reading::Known(part) = &*part.reading {
        // A part is plain data, so it can be serialized; if not, nothing is reported.
        if let Ok(tree) = serde_json::to_value(part) {
            collect(&tree, &mut inside);
        }
    }
    SourceOutcome { whole: part.reading.missing().cloned(), inside }
}

/// Returns the result of reading a view of clusters. A view without any map was not read at all.
fn outcome_of_maps(maps: &ClusterMaps) -> SourceOutcome {
    let all = maps.reading.known().map_or(&[][..], Vec::as_slice);
    let mut reasons = all.iter().map(Reading::missing);
    let why = reasons.next().flatten().filter(|_| reasons.all(|why| why.is_some()));
    let outcome = outcome_of(maps);
    SourceOutcome { whole: outcome.whole.or_else(|| why.cloned()), ..outcome }
}

/// Collects missing readings: objects with the single key `missing`, at any depth.
fn collect(tree: &serde_json::Value, found: &mut BTreeMap<String, (Missing, u64)>) {
    match tree {
        serde_json::Value::Object(map) => {
            let alone = map.get("missing").filter(|_| map.len() == 1);
            let missing: Option<Missing> =
                alone.and_then(|missing| serde_json::from_value(missing.clone()).ok());
            match missing {
                Some(missing) if missing != Missing::NotSampled => {
                    found.entry(missing.to_string()).or_insert((missing, 0)).1 += 1;
                }
                Some(_) => {}
                None => map.values().for_each(|inner| collect(inner, found)),
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|inner| collect(inner, found)),
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::clusters::testing::map;
    use crate::model::Stamp;
    use crate::model::clusters::{ClusterMap, ClusterView};
    use crate::model::paging::Thp;

    #[test]
    fn reasons_inside_a_part_are_found_and_what_is_not_offered_is_no_lack() {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 1, wall_ms: 1 });
        let mut thp = Thp {
            enabled: Reading::absent("x"),
            defrag: Reading::absent("x"),
            shmem_enabled: Reading::not_sampled(),
            pmd_size: Reading::absent("y"),
            sizes: Reading::Known(vec![]),
        };
        let state = |thp: &Thp, snapshot: &mut Snapshot| {
            snapshot.thp = Sampled::new(None, Reading::Known(thp.clone()));
            outcome(snapshot, Part::Thp)
        };
        let all_absent = state(&thp, &mut snapshot);
        assert_eq!((all_absent.state(), all_absent.count("absent")), ("ok", 3));
        thp.pmd_size = Missing::Denied("/sys/x".into()).into();
        assert_eq!(state(&thp, &mut snapshot).state(), "partly");
        assert_eq!(outcome(&snapshot, Part::Zram).state(), "not_sampled");
    }

    #[test]
    fn a_view_without_any_map_is_named_with_its_reason() {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 1, wall_ms: 1 });
        let mut state = |maps: Vec<Reading<ClusterMap>>| {
            snapshot.kernel_clusters = Sampled::new(None, Reading::Known(maps));
            let outcome = outcome(&snapshot, Part::KernelClusters);
            (outcome.state(), outcome.whole.map(|missing| missing.why()))
        };
        let none = || Reading::absent("no layout of this kernel");
        let known = Reading::Known(map(ClusterView::Kernel, vec![]));
        let why = Some("no layout of this kernel".to_owned());
        assert_eq!(state(vec![none(), none()]), ("absent", why));
        assert_eq!(state(vec![none(), known]), ("ok", None));
        assert_eq!(state(vec![]), ("ok", None));
    }
}
