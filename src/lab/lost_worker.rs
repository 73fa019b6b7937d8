//! Why a process of a load is gone. A signal does not say who sent it, but the kernel counts whom
//! it killed for want of memory.
//!
//! Kernel: `mm/oom_kill.c`, `mm/memcontrol.c`. `oom_kill` of a cgroup counts all in it that were
//! killed so, whoever ran out of memory. That it was the group's own limit is counted as `oom`, on
//! version 2 only. That it was not the machine shows in `allocstall`: before it kills, it looks for
//! memory itself, and what is done for a group is not counted there. Where it did look, that may
//! have been for anybody.

use super::workers::LostWorker;
use crate::columns::units::size;
use crate::model::run::RepetitionEnd;
use crate::model::{Bytes, Reading, Snapshot};
use crate::sys::WorkloadCgroup;

/// What vmstat counts on the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OomCounters {
    /// Whom the kernel killed for want of memory.
    kills: Option<u64>,
    /// How often the machine itself looked for memory.
    reclaims: Option<u64>,
}

impl OomCounters {
    /// At this moment.
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let vmstat = snapshot.vmstat.reading.as_ref();
        let known = |count: Reading<u64>| count.known().copied();
        Self {
            kills: known(vmstat.clone().and_then(|vmstat| vmstat.get("oom_kill"))),
            reclaims: known(vmstat.and_then(|vmstat| vmstat.sum_with_prefix("allocstall_"))),
        }
    }

    /// How many more there are now.
    fn increase_to(self, now: Self) -> Self {
        let more = |before: Option<u64>, now: Option<u64>| now?.checked_sub(before?);
        Self { kills: more(self.kills, now.kills), reclaims: more(self.reclaims, now.reclaims) }
    }
}

/// What a cage counts, from its begin on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CgroupOomCounters {
    /// Who of it was killed for want of memory.
    kills: Option<u64>,
    /// How often its own limit left none.
    limits: Option<u64>,
}

impl CgroupOomCounters {
    fn read(cgroup: &WorkloadCgroup) -> Self {
        Self { kills: cgroup.oom_kills(), limits: cgroup.ooms() }
    }
}

/// Who had no memory for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KillCause {
    /// Its cage.
    OwnLimit,
    /// Its cage or a group that this is in.
    OwnLimitOrAncestor,
    /// Its cage, a group that this is in, or the machine.
    Any,
    /// A group that the cage is in.
    Ancestor,
    /// The machine, or a group that the cage is in.
    OutsideCgroup,
    /// Nobody: it was killed for something else.
    Other,
    /// The kernel does not tell.
    Unknown,
}

impl KillCause {
    fn classify(cgroup: Option<CgroupOomCounters>, machine: OomCounters) -> Self {
        let kills = cgroup.map_or(machine.kills, |cage| cage.kills);
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

    /// May it have been the cage's limit?
    fn may_be_cgroup_limit(self) -> bool {
        matches!(self, Self::OwnLimit | Self::OwnLimitOrAncestor | Self::Any)
    }

    fn describe(self, in_cgroup: bool) -> Option<&'static str> {
        match self {
            Self::OwnLimit => Some("the kernel found no memory for it in its cage"),
            Self::OwnLimitOrAncestor => Some(
                "the kernel found no memory for it in its cage, or in a group above that: version 1 of cgroups does not tell which",
            ),
            Self::Any => Some(
                "the kernel found no memory for it in its cage, in a group above that, or on the machine: version 1 of cgroups does not tell which",
            ),
            Self::Ancestor => Some("a group above the cage, not the cage's limit, ran out of memory"),
            Self::OutsideCgroup if in_cgroup => Some(
                "the machine or a group above the cage, not the cage's limit, ran out of memory",
            ),
            Self::OutsideCgroup => Some(
                "meanwhile the kernel killed for want of memory, on the machine or in a group on it",
            ),
            Self::Other => Some("not for want of memory as far as the kernel counts"),
            Self::Unknown => None,
        }
    }
}

/// How a run ends that has lost a process, with the swap that was free when it was last looked at.
pub(super) fn describe_end(
    lost: LostWorker,
    cgroup: Option<&WorkloadCgroup>,
    (before, now): (OomCounters, OomCounters),
    free: Option<Bytes>,
) -> RepetitionEnd {
    let cause = KillCause::classify(cgroup.map(CgroupOomCounters::read), before.increase_to(now));
    add_free_swap(end_for_cause(lost, cause, cgroup.is_some()), cause, free)
}

/// What is to be known where there was swap for it.
fn add_free_swap(end: RepetitionEnd, cause: KillCause, free: Option<Bytes>) -> RepetitionEnd {
    match (end, free) {
        (RepetitionEnd::Stopped { why }, Some(free)) if cause.may_be_cgroup_limit() && free >= ENOUGH_SWAP => {
            RepetitionEnd::Stopped { why: why + &free_swap_hint(free) }
        }
        (end, _) => end,
    }
}

/// With less than that, swap may have been full a moment later.
const ENOUGH_SWAP: Bytes = Bytes(16 << 20);

/// Where the kernel killed although there was room: all that it looked at was in use, and it gives up
/// after some tries. That it looks everywhere is seen to, see [`Fresh`](crate::sys::Fresh).
fn free_swap_hint(free: Bytes) -> String {
    format!(
        "; {} of swap were free: where all memory of a small cage is in use whenever the kernel looks, it gives up: a higher limit or fewer processes help",
        size(free)
    )
}

fn end_for_cause(lost: LostWorker, cause: KillCause, in_cgroup: bool) -> RepetitionEnd {
    // Who ended by itself was not killed by anybody.
    let words = cause.describe(in_cgroup).filter(|_| cause != KillCause::Other || lost.killed);
    let why = match words {
        Some(words) if cause == KillCause::Other => format!("{}, {words}", lost.why),
        Some(words) => format!("{}: {words}", lost.why),
        None => lost.why,
    };
    // To end what does not fit is what a cage is for.
    if cause.may_be_cgroup_limit() { RepetitionEnd::Stopped { why } } else { RepetitionEnd::Failed { why } }
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
        assert_eq!(classify(Some(4), Some(1), machine(4, 9)), KillCause::OwnLimit, "others may need memory too");
        assert_eq!(classify(Some(4), Some(0), machine(4, 9)), KillCause::OutsideCgroup);
        assert_eq!(classify(Some(4), Some(0), machine(4, 0)), KillCause::Ancestor);
        let (stopped, said) = why(KillCause::OwnLimit, true);
        assert!(stopped && said.ends_with("found no memory for it in its cage"), "{said}");
        let (stopped, said) = why(KillCause::OutsideCgroup, true);
        let wanted = "process 3 was killed by SIGKILL: the machine or a group above the cage, not the cage's limit, ran out of memory";
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
        // Somebody else was, for whom the machine had none.
        assert_eq!(classify(Some(0), Some(0), machine(5, 5)), KillCause::Other);
        let (stopped, said) = why(KillCause::Other, true);
        let wanted =
            "process 3 was killed by SIGKILL, not for want of memory as far as the kernel counts";
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
        assert!(KillCause::OutsideCgroup.describe(false).is_some_and(|words| !words.contains("cage")));
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
        assert!(end(KillCause::OwnLimit, plenty).contains("; 95M of swap were free: "));
        assert!(!end(KillCause::OwnLimit, Some(Bytes(1 << 20))).contains("were free"));
        assert!(!end(KillCause::OwnLimit, None).contains("were free"));
        assert!(!end(KillCause::OutsideCgroup, plenty).contains("were free"));
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
