//! Why a process of a workload has ended. A signal does not say who sent it, but the kernel counts
//! the processes that it kills for lack of memory.
//!
//! Kernel: `mm/oom_kill.c`, `mm/memcontrol.c`. `oom_kill` of a cgroup counts all processes in it
//! that were killed, whatever ran out of memory. `oom` counts how often the cgroup's own limit was
//! the cause, on version 2 only. `allocstall` shows whether the machine itself ran out: it reclaims
//! before it kills, and reclaim for a cgroup is not counted there. If it did reclaim, that may have
//! been for any process.

use super::workers::LostWorker;
use crate::columns::units::size;
use crate::model::run::RepetitionEnd;
use crate::model::{Bytes, Reading, Snapshot};
use crate::sys::WorkloadCgroup;

/// Counters of vmstat for the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OomCounters {
    /// Processes that the kernel killed for lack of memory.
    kills: Option<u64>,
    /// Direct reclaims of the machine itself.
    reclaims: Option<u64>,
}

impl OomCounters {
    /// Reads the counters of a snapshot.
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let vmstat = snapshot.vmstat.reading.as_ref();
        let known = |count: Reading<u64>| count.known().copied();
        Self {
            kills: known(vmstat.clone().and_then(|vmstat| vmstat.get("oom_kill"))),
            reclaims: known(vmstat.and_then(|vmstat| vmstat.sum_with_prefix("allocstall_"))),
        }
    }

    /// The increase up to a later reading.
    fn increase_to(self, now: Self) -> Self {
        let more = |before: Option<u64>, now: Option<u64>| now?.checked_sub(before?);
        Self { kills: more(self.kills, now.kills), reclaims: more(self.reclaims, now.reclaims) }
    }
}

/// Counters of the cgroup since it was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CgroupOomCounters {
    /// The processes that were killed for lack of memory.
    kills: Option<u64>,
    /// How often its own limit was the cause.
    limits: Option<u64>,
}

impl CgroupOomCounters {
    fn read(cgroup: &WorkloadCgroup) -> Self {
        Self { kills: cgroup.oom_kills(), limits: cgroup.ooms() }
    }
}

/// The cause of a lack of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KillCause {
    /// The limit of the cgroup.
    OwnLimit,
    /// The cgroup or an ancestor of it.
    OwnLimitOrAncestor,
    /// The cgroup, an ancestor of it, or the machine.
    Any,
    /// An ancestor of the cgroup.
    Ancestor,
    /// The machine or an ancestor of the cgroup.
    OutsideCgroup,
    /// Nothing: the process was killed for another reason.
    Other,
    /// Unknown: the kernel has no such counter.
    Unknown,
}

impl KillCause {
    fn classify(cgroup: Option<CgroupOomCounters>, machine: OomCounters) -> Self {
        let kills = cgroup.map_or(machine.kills, |cgroup| cgroup.kills);
        match (kills, cgroup) {
            (None, _) => Self::Unknown,
            (Some(0), _) => Self::Other,
            (Some(_), None) => Self::OutsideCgroup,
            (Some(_), Some(cage)) => match (cage.limits, machine.reclaims) {
                (Some(0), Some(0)) => Self::Ancestor,
                (Some(0), _) => Self::OutsideCgroup,
                (Some(_), _) => Self::OwnLimit,
                (None, Some(0)) => Self::OwnLimitOrAncestor,
                (None, _) => Self::Any,
            },
        }
    }

    /// Whether the limit of the cgroup may be the cause.
    fn may_be_cgroup_limit(self) -> bool {
        matches!(self, Self::OwnLimit | Self::OwnLimitOrAncestor | Self::Any)
    }

    fn describe(self, in_cgroup: bool) -> Option<&'static str> {
        match self {
            Self::OwnLimit => Some("its cgroup ran out of memory at its limit"),
            Self::OwnLimitOrAncestor => Some(
                "its cgroup or a parent cgroup ran out of memory (cgroup version 1 does not record which)",
            ),
            Self::Any => Some(
                "its cgroup, a parent cgroup or the machine ran out of memory (cgroup version 1 does not record which)",
            ),
            Self::Ancestor => {
                Some("a parent cgroup ran out of memory; the limit of this run was not reached")
            }
            Self::OutsideCgroup if in_cgroup => Some(
                "the machine or a parent cgroup ran out of memory; the limit of this run was not reached",
            ),
            Self::OutsideCgroup => Some(
                "the kernel killed processes for lack of memory meanwhile, on the machine or in a cgroup",
            ),
            Self::Other => Some("but the kernel counted no kill for lack of memory"),
            Self::Unknown => None,
        }
    }
}

/// Describes the end of a run that has lost a process. `free` is the free swap at the last sample.
pub(super) fn describe_end(
    lost: LostWorker,
    cgroup: Option<&WorkloadCgroup>,
    (before, now): (OomCounters, OomCounters),
    free: Option<Bytes>,
) -> RepetitionEnd {
    let cause = KillCause::classify(cgroup.map(CgroupOomCounters::read), before.increase_to(now));
    add_free_swap(end_for_cause(lost, cause, cgroup.is_some()), cause, free)
}

/// Adds how much swap was free to the end of a run that the kernel killed for lack of memory: little of it is always
/// said, plenty only if the limit of the cgroup may be the cause.
fn add_free_swap(mut end: RepetitionEnd, cause: KillCause, free: Option<Bytes>) -> RepetitionEnd {
    let was_oom_kill = !matches!(cause, KillCause::Other | KillCause::Unknown);
    let hint = match free.filter(|_| was_oom_kill) {
        Some(Bytes(0)) => "; swap was full".to_owned(),
        Some(free) if free < ENOUGH_SWAP => {
            format!("; only {} of swap was free shortly before", size(free))
        }
        Some(free) if cause.may_be_cgroup_limit() => free_swap_hint(free),
        _ => return end,
    };
    if let RepetitionEnd::Stopped { why } | RepetitionEnd::Failed { why } = &mut end {
        why.push_str(&hint);
    }
    end
}

/// Below this, swap may have been full a moment later.
const ENOUGH_SWAP: Bytes = Bytes(16 << 20);

/// Explains a kill despite free swap: all pages that the kernel scanned were in use, and it gives
/// up after some attempts. [`StatRefresher`](crate::sys::StatRefresher) makes it scan all of them.
fn free_swap_hint(free: Bytes) -> String {
    format!(
        "; {} of swap was free: the kernel gives up when all memory of a small cgroup is in use while it reclaims. Use a higher limit or fewer processes",
        size(free)
    )
}

fn end_for_cause(lost: LostWorker, cause: KillCause, in_cgroup: bool) -> RepetitionEnd {
    // A process that ended by itself was not killed.
    let words = cause.describe(in_cgroup).filter(|_| cause != KillCause::Other || lost.killed);
    let why = match words {
        Some(words) if cause == KillCause::Other => format!("{}, {words}", lost.why),
        Some(words) => format!("{}: {words}", lost.why),
        None => lost.why,
    };
    // Stopping a workload at its limit is the purpose of the cgroup.
    if cause.may_be_cgroup_limit() {
        RepetitionEnd::Stopped { why }
    } else {
        RepetitionEnd::Failed { why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::{Sampled, Stamp};

    fn machine(kills: u64, searches: u64) -> OomCounters {
        OomCounters { kills: Some(kills), reclaims: Some(searches) }
    }

    fn classify(kills: Option<u64>, limits: Option<u64>, machine: OomCounters) -> KillCause {
        KillCause::classify(Some(CgroupOomCounters { kills, limits }), machine)
    }

    fn why(cause: KillCause, killed: bool) -> (bool, String) {
        let lost = LostWorker { why: "process 3 was killed by SIGKILL".to_owned(), killed };
        match end_for_cause(lost, cause, true) {
            RepetitionEnd::Stopped { why } => (true, why),
            RepetitionEnd::Failed { why } => (false, why),
            RepetitionEnd::Done => panic!("it is lost"),
        }
    }

    #[test]
    fn the_cgroup_limit_is_the_cause_only_if_it_was_hit() {
        assert_eq!(classify(Some(4), Some(1), machine(4, 0)), KillCause::OwnLimit);
        assert_eq!(
            classify(Some(4), Some(1), machine(4, 9)),
            KillCause::OwnLimit,
            "the machine may reclaim at the same time"
        );
        assert_eq!(classify(Some(4), Some(0), machine(4, 9)), KillCause::OutsideCgroup);
        assert_eq!(classify(Some(4), Some(0), machine(4, 0)), KillCause::Ancestor);
        let (stopped, said) = why(KillCause::OwnLimit, true);
        assert!(stopped && said.ends_with(": its cgroup ran out of memory at its limit"), "{said}");
        let (stopped, said) = why(KillCause::OutsideCgroup, true);
        let wanted = "process 3 was killed by SIGKILL: the machine or a parent cgroup ran out of memory; the limit of this run was not reached";
        assert_eq!((stopped, said.as_str()), (false, wanted));
    }

    #[test]
    fn cgroup_version_1_is_told_apart_by_reclaim() {
        assert_eq!(classify(Some(1), None, machine(1, 0)), KillCause::OwnLimitOrAncestor);
        assert_eq!(classify(Some(1), None, machine(1, 1)), KillCause::Any);
        assert!(why(KillCause::OwnLimitOrAncestor, true).0 && why(KillCause::Any, true).0);
    }

    #[test]
    fn a_kill_by_somebody_else_is_not_oom() {
        // The kernel killed another process, when the machine ran out of memory.
        assert_eq!(classify(Some(0), Some(0), machine(5, 5)), KillCause::Other);
        let (stopped, said) = why(KillCause::Other, true);
        let wanted =
            "process 3 was killed by SIGKILL, but the kernel counted no kill for lack of memory";
        assert_eq!((stopped, said.as_str()), (false, wanted));
        assert_eq!(why(KillCause::Other, false).1, "process 3 was killed by SIGKILL");
    }

    #[test]
    fn without_a_cgroup_the_machine_is_the_cause() {
        assert_eq!(KillCause::classify(None, machine(2, 3)), KillCause::OutsideCgroup);
        assert_eq!(KillCause::classify(None, machine(0, 3)), KillCause::Other);
        let blind = OomCounters { kills: None, reclaims: None };
        assert_eq!(KillCause::classify(None, blind), KillCause::Unknown);
        assert_eq!(classify(None, None, machine(2, 3)), KillCause::Unknown);
        assert!(
            KillCause::OutsideCgroup.describe(false).is_some_and(|words| !words.contains("limit"))
        );
        assert_eq!(
            why(KillCause::Unknown, true),
            (false, "process 3 was killed by SIGKILL".to_owned())
        );
    }

    #[test]
    fn free_swap_after_an_oom_kill_is_reported() {
        let end = |cause: KillCause, free| {
            let lost = LostWorker { why: "it was killed".to_owned(), killed: true };
            match add_free_swap(end_for_cause(lost, cause, true), cause, free) {
                RepetitionEnd::Stopped { why } | RepetitionEnd::Failed { why } => why,
                RepetitionEnd::Done => panic!("it is lost"),
            }
        };
        let plenty = Some(Bytes(95 << 20));
        assert!(end(KillCause::OwnLimit, plenty).contains("; 95M of swap was free: "));
        assert!(!end(KillCause::OwnLimit, Some(Bytes(1 << 20))).contains("of swap was free: "));
        assert!(!end(KillCause::OwnLimit, None).contains("free"));
        for cause in [KillCause::OwnLimit, KillCause::OutsideCgroup, KillCause::Ancestor] {
            assert!(end(cause, Some(Bytes(0))).ends_with("; swap was full"), "{cause:?}");
            let said = end(cause, Some(Bytes(3 << 20)));
            assert!(said.ends_with("; only 3M of swap was free shortly before"), "{said}");
        }
        assert!(!end(KillCause::Other, Some(Bytes(0))).contains("swap"));
        assert!(!end(KillCause::OutsideCgroup, plenty).contains("of swap was free"));
    }

    #[test]
    fn earlier_kills_are_ignored() {
        let seen = |kills, searches| {
            let names = ["oom_kill", "allocstall_normal", "allocstall_movable"].map(Box::from);
            let values = [kills, searches, 1];
            let counters = Counters::new("vmstat", names.into_iter().zip(values).collect());
            let now = Stamp { boot_ns: 0, wall_ms: 0 };
            let vmstat = Sampled::new(Some(now), Reading::Known(counters));
            OomCounters::from_snapshot(&Snapshot { vmstat, ..Snapshot::empty(now) })
        };
        assert_eq!(seen(7, 2).increase_to(seen(9, 2)), machine(2, 0));
        let none = OomCounters::from_snapshot(&Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 }));
        assert_eq!(seen(7, 2).increase_to(none), OomCounters { kills: None, reclaims: None });
    }
}
