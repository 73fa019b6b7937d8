//! State of each source: read completely, in part, or not at all.

use crate::model::snapshot::ClusterMaps;
use crate::model::{Missing, Part, Reading, Snapshot};
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
    let mut inside = BTreeMap::new();
    let whole = match snapshot.part_as_json(part) {
        Reading::Known(tree) => {
            collect(&tree, &mut inside);
            maps_of(snapshot, part).and_then(why_no_map).cloned()
        }
        Reading::Missing { missing } => Some(missing),
    };
    SourceOutcome { whole, inside }
}

/// Returns the maps of a view of clusters.
fn maps_of(snapshot: &Snapshot, part: Part) -> Option<&ClusterMaps> {
    let views = [
        (Part::KernelClusters, &snapshot.kernel_clusters),
        (Part::StoredClusters, &snapshot.stored_clusters),
        (Part::MappedClusters, &snapshot.mapped_clusters),
    ];
    views.into_iter().find(|(view, _)| *view == part).map(|(_, maps)| maps)
}

/// Returns the reason why a view of clusters was not read at all: it has no map.
fn why_no_map(maps: &ClusterMaps) -> Option<&Missing> {
    let mut reasons = maps.reading.known()?.iter().map(Reading::missing);
    reasons.next().flatten().filter(|_| reasons.all(|why| why.is_some()))
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
    use crate::model::clusters::{ClusterMap, ClusterView};
    use crate::model::paging::Thp;
    use crate::model::{Sampled, Stamp};

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
