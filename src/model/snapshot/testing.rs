use super::{Counters, Sampled, Snapshot, Stamp};
use crate::Reading;

/// A machine with only these fields of `/proc/meminfo`, in KiB.
pub fn with_memory(fields: &[(&str, u64)]) -> Snapshot {
    let fields = fields.iter().map(|(name, kib)| ((*name).into(), *kib)).collect();
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let meminfo = Counters::new("/proc/meminfo", fields);
    snapshot.meminfo = Sampled::new(None, Reading::Known(meminfo));
    snapshot
}
