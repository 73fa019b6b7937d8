//! Why a process of a load is gone. A signal does not say who sent it, but the kernel counts whom
//! it killed for want of memory.
//!
//! Kernel: `mm/oom_kill.c`, `mm/memcontrol.c`. `oom_kill` of a cgroup counts all in it that were
//! killed so, whoever ran out of memory. That it was the group's own limit is counted as `oom`, on
//! version 2 only. That it was not the machine shows in `allocstall`: before it kills, it looks for
//! memory itself, and what is done for a group is not counted there. Where it did look, that may
//! have been for anybody.

use super::workers::Lost;
use crate::columns::units::size;
use crate::model::run::Ending;
use crate::model::{Bytes, Reading, Snapshot};
use crate::sys::Cgroup;

/// What vmstat counts on the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Whom the kernel killed for want of memory.
    kills: Option<u64>,
    /// How often the machine itself looked for memory.
    searches: Option<u64>,
}

impl Counts {
    /// At this moment.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let vmstat = snapshot.vmstat.reading.as_ref();
        let known = |count: Reading<u64>| count.known().copied();
        Self {
            kills: known(vmstat.clone().and_then(|vmstat| vmstat.get("oom_kill"))),
            searches: known(vmstat.and_then(|vmstat| vmstat.sum_of("allocstall_"))),
        }
    }

    /// How many more there are now.
    fn until(self, now: Self) -> Self {
        let more = |before: Option<u64>, now: Option<u64>| now?.checked_sub(before?);
        Self { kills: more(self.kills, now.kills), searches: more(self.searches, now.searches) }
    }
}

/// What a cage counts, from its begin on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Caged {
    /// Who of it was killed for want of memory.
    kills: Option<u64>,
    /// How often its own limit left none.
    limits: Option<u64>,
}

impl Caged {
    fn of(cage: &Cgroup) -> Self {
        Self { kills: cage.oom_kills(), limits: cage.ooms() }
    }
}

/// Who had no memory for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// Its cage.
    Cage,
    /// Its cage or a group that this is in.
    CageOrAbove,
    /// Its cage, a group that this is in, or the machine.
    Any,
    /// A group that the cage is in.
    Above,
    /// The machine, or a group that the cage is in.
    Outside,
    /// Nobody: it was killed for something else.
    Other,
    /// The kernel does not tell.
    Unknown,
}

impl Cause {
    fn of(cage: Option<Caged>, machine: Counts) -> Self {
        let kills = cage.map_or(machine.kills, |cage| cage.kills);
        match (kills, cage) {
            (None, _) => Self::Unknown,
            (Some(0), _) => Self::Other,
            (Some(_), None) => Self::Outside,
            (Some(_), Some(cage)) => match (cage.limits, machine.searches) {
                (Some(0), Some(0)) => Self::Above,
                (Some(0), _) => Self::Outside,
                (Some(_), _) => Self::Cage,
                (None, Some(0)) => Self::CageOrAbove,
                (None, _) => Self::Any,
            },
        }
    }

    /// May it have been the cage's limit?
    fn is_of_cage(self) -> bool {
        matches!(self, Self::Cage | Self::CageOrAbove | Self::Any)
    }

    fn words(self, is_caged: bool) -> Option<&'static str> {
        match self {
            Self::Cage => Some("the kernel found no memory for it in its cage"),
            Self::CageOrAbove => Some(
                "the kernel found no memory for it in its cage, or in a group above that: version 1 of cgroups does not tell which",
            ),
            Self::Any => Some(
                "the kernel found no memory for it in its cage, in a group above that, or on the machine: version 1 of cgroups does not tell which",
            ),
            Self::Above => Some("a group above the cage, not the cage's limit, ran out of memory"),
            Self::Outside if is_caged => Some(
                "the machine or a group above the cage, not the cage's limit, ran out of memory",
            ),
            Self::Outside => Some(
                "meanwhile the kernel killed for want of memory, on the machine or in a group on it",
            ),
            Self::Other => Some("not for want of memory as far as the kernel counts"),
            Self::Unknown => None,
        }
    }
}

/// How a run ends that has lost a process, with the swap that was free when it was last looked at.
pub(super) fn ending(
    lost: Lost,
    cage: Option<&Cgroup>,
    (before, now): (Counts, Counts),
    free: Option<Bytes>,
) -> Ending {
    let cause = Cause::of(cage.map(Caged::of), before.until(now));
    with_room(told(lost, cause, cage.is_some()), cause, free)
}

/// What is to be known where there was swap for it.
fn with_room(end: Ending, cause: Cause, free: Option<Bytes>) -> Ending {
    match (end, free) {
        (Ending::Stopped { why }, Some(free)) if cause.is_of_cage() && free >= PLENTY => {
            Ending::Stopped { why: why + &in_vain(free) }
        }
        (end, _) => end,
    }
}

/// With less than that, swap may have been full a moment later.
const PLENTY: Bytes = Bytes(16 << 20);

/// Where the kernel killed although there was room: all that it looked at was in use, and it gives up
/// after some tries. That it looks everywhere is seen to, see [`Fresh`](crate::sys::Fresh).
fn in_vain(free: Bytes) -> String {
    format!(
        "; {} of swap were free: where all memory of a small cage is in use whenever the kernel looks, it gives up: a higher limit or fewer processes help",
        size(free)
    )
}

fn told(lost: Lost, cause: Cause, is_caged: bool) -> Ending {
    // Who ended by itself was not killed by anybody.
    let words = cause.words(is_caged).filter(|_| cause != Cause::Other || lost.killed);
    let why = match words {
        Some(words) if cause == Cause::Other => format!("{}, {words}", lost.why),
        Some(words) => format!("{}: {words}", lost.why),
        None => lost.why,
    };
    // To end what does not fit is what a cage is for.
    if cause.is_of_cage() { Ending::Stopped { why } } else { Ending::Failed { why } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::{Sampled, Stamp};

    fn machine(kills: u64, searches: u64) -> Counts {
        Counts { kills: Some(kills), searches: Some(searches) }
    }

    fn of(kills: Option<u64>, limits: Option<u64>, machine: Counts) -> Cause {
        Cause::of(Some(Caged { kills, limits }), machine)
    }

    fn why(cause: Cause, killed: bool) -> (bool, String) {
        let lost = Lost { why: "process 3 was killed by SIGKILL".to_owned(), killed };
        match told(lost, cause, true) {
            Ending::Stopped { why } => (true, why),
            Ending::Failed { why } => (false, why),
            Ending::Done => panic!("it is lost"),
        }
    }

    #[test]
    fn the_limit_of_the_cage_is_to_blame_only_where_it_left_no_memory() {
        assert_eq!(of(Some(4), Some(1), machine(4, 0)), Cause::Cage);
        assert_eq!(of(Some(4), Some(1), machine(4, 9)), Cause::Cage, "others may need memory too");
        assert_eq!(of(Some(4), Some(0), machine(4, 9)), Cause::Outside);
        assert_eq!(of(Some(4), Some(0), machine(4, 0)), Cause::Above);
        let (stopped, said) = why(Cause::Cage, true);
        assert!(stopped && said.ends_with("found no memory for it in its cage"), "{said}");
        let (stopped, said) = why(Cause::Outside, true);
        let wanted = "process 3 was killed by SIGKILL: the machine or a group above the cage, not the cage's limit, ran out of memory";
        assert_eq!((stopped, said.as_str()), (false, wanted));
    }

    #[test]
    fn version_1_does_not_count_its_limit_but_a_machine_that_runs_out_looks_for_memory() {
        assert_eq!(of(Some(1), None, machine(1, 0)), Cause::CageOrAbove);
        assert_eq!(of(Some(1), None, machine(1, 1)), Cause::Any);
        assert!(why(Cause::CageOrAbove, true).0 && why(Cause::Any, true).0);
    }

    #[test]
    fn who_was_killed_by_somebody_did_not_want_memory() {
        // Somebody else was, for whom the machine had none.
        assert_eq!(of(Some(0), Some(0), machine(5, 5)), Cause::Other);
        let (stopped, said) = why(Cause::Other, true);
        let wanted =
            "process 3 was killed by SIGKILL, not for want of memory as far as the kernel counts";
        assert_eq!((stopped, said.as_str()), (false, wanted));
        assert_eq!(why(Cause::Other, false).1, "process 3 was killed by SIGKILL");
    }

    #[test]
    fn without_a_cage_the_machine_counts_and_what_is_missing_blames_nobody() {
        assert_eq!(Cause::of(None, machine(2, 3)), Cause::Outside);
        assert_eq!(Cause::of(None, machine(0, 3)), Cause::Other);
        let blind = Counts { kills: None, searches: None };
        assert_eq!(Cause::of(None, blind), Cause::Unknown);
        assert_eq!(of(None, None, machine(2, 3)), Cause::Unknown);
        assert!(Cause::Outside.words(false).is_some_and(|words| !words.contains("cage")));
        assert_eq!(
            why(Cause::Unknown, true),
            (false, "process 3 was killed by SIGKILL".to_owned())
        );
    }

    #[test]
    fn a_kernel_that_gives_up_on_a_cage_with_swap_free_is_told_so() {
        let end = |cause: Cause, free| {
            let lost = Lost { why: "it was killed".to_owned(), killed: true };
            match with_room(told(lost, cause, true), cause, free) {
                Ending::Stopped { why } | Ending::Failed { why } => why,
                Ending::Done => panic!("it is lost"),
            }
        };
        let plenty = Some(Bytes(95 << 20));
        assert!(end(Cause::Cage, plenty).contains("; 95M of swap were free: "));
        assert!(!end(Cause::Cage, Some(Bytes(1 << 20))).contains("were free"));
        assert!(!end(Cause::Cage, None).contains("were free"));
        assert!(!end(Cause::Outside, plenty).contains("were free"));
    }

    #[test]
    fn what_happened_before_the_run_does_not_count() {
        let seen = |kills, searches| {
            let names = ["oom_kill", "allocstall_normal", "allocstall_movable"].map(Box::from);
            let values = [kills, searches, 1];
            let counters = Counters::new("vmstat", names.into_iter().zip(values).collect());
            let now = Stamp { boot_ns: 0, wall_ms: 0 };
            let vmstat = Sampled::new(Some(now), Reading::Known(counters));
            Counts::of(&Snapshot { vmstat, ..Snapshot::empty(now) })
        };
        assert_eq!(seen(7, 2).until(seen(9, 2)), machine(2, 0));
        let none = Counts::of(&Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 }));
        assert_eq!(seen(7, 2).until(none), Counts { kills: None, searches: None });
    }
}
