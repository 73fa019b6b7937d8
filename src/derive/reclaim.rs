//! Reclaim: who reclaims memory, and whether for the machine or for cgroups.
//!
//! The counters by kind of page (`pgsteal_anon`, `pgsteal_file`) include reclaim for cgroups. Those by
//! reclaimer (`pgsteal_kswapd`, `pgsteal_direct`) leave it out before 7.2; the difference is what was
//! reclaimed for cgroups. Since 7.2 they include it, as `pgsteal_direct` at limits and as `pgsteal_proactive` by
//! `memory.reclaim`; `allocstall` still counts only direct reclaim for the machine, so that without it all direct
//! reclaim was for cgroups.

use super::view::SampleView;
use crate::model::kernel::Release;
use crate::model::{Reading, worded_enum};

/// The first release whose counters by reclaimer include reclaim for cgroups.
const COUNTS_CGROUPS: Release = Release(7, 2);

/// Who reclaims for the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReclaimKind {
    /// kswapd, in the background.
    Kswapd,
    /// Direct reclaim: a task that needs memory reclaims it and waits.
    Direct,
}

/// Pages reclaimed per second, by reclaimer.
struct ReclaimRates {
    kswapd: f64,
    /// Direct reclaim for the machine. Since 7.2 it may include that for cgroups.
    tasks: f64,
    /// khugepaged, and writes to `reclaim` of a node; since 7.2 also to `memory.reclaim` of cgroups.
    others: f64,
    cgroups: Reading<f64>,
    /// The least that was reclaimed for cgroups.
    cgroups_least: f64,
}

/// Returns pages per second by reclaimer.
fn reclaim_rates(view: &SampleView<'_>) -> Reading<ReclaimRates> {
    let rate = |name| view.vmstat_rate(name);
    let optional = |name| rate(name).default_if_absent();
    let machine = rate("pgsteal_kswapd").map2(rate("pgsteal_direct"), |a, b| (a, b));
    let others = optional("pgsteal_khugepaged").map2(optional("pgsteal_proactive"), |a, b| a + b);
    let all = rate("pgsteal_anon").map2(rate("pgsteal_file"), |anon, file| anon + file);
    machine.map2(others, |(kswapd, direct), others| {
        if view.now.release().known().is_none_or(|release| *release < COUNTS_CGROUPS) {
            // The counters are not read atomically: slightly negative means zero.
            let cgroups = all.map(|all| (all - kswapd - direct - others).max(0.0));
            let cgroups_least = cgroups.known().copied().unwrap_or_default();
            return ReclaimRates { kswapd, tasks: direct, others, cgroups, cgroups_least };
        }
        let stalls = view.vmstat_sum_change("allocstall_");
        let is_for_cgroups = stalls.known().is_some_and(|stalls| stalls.by == 0);
        let cgroups = stalls.and_then(|stalls| match stalls.by {
            0 if others > 0.0 => Reading::absent(
                "khugepaged, or a write to the reclaim file of a node or to memory.reclaim of a cgroup, reclaimed too, and this kernel counts both together",
            ),
            0 => Reading::Known(direct),
            _ => Reading::absent(
                "tasks reclaimed for the machine too, and this kernel counts both together",
            ),
        });
        let (tasks, cgroups_least) = if is_for_cgroups { (0.0, direct) } else { (direct, 0.0) };
        ReclaimRates { kswapd, tasks, others, cgroups, cgroups_least }
    })
}

/// Returns reclaimed pages as a share of scanned pages, for one kind of reclaim (`kswapd`, `direct`).
pub fn efficiency(view: &SampleView<'_>, kind: &str) -> Reading<f64> {
    let by = |name: String| view.vmstat_change(&name).map(|change| change.by);
    let (stolen, scanned) = (by(format!("pgsteal_{kind}")), by(format!("pgscan_{kind}")));
    stolen.and_then2(scanned, |stolen, scanned| match scanned {
        0 => Reading::absent(format!("{kind} scanned nothing between the samples")),
        _ => Reading::Known(stolen as f64 / scanned as f64),
    })
}

/// Returns the share of one kind in the pages reclaimed for the machine by kswapd and direct reclaim.
pub fn reclaim_share(view: &SampleView<'_>, by: ReclaimKind) -> Reading<f64> {
    reclaim_rates(view).and_then(|rates| {
        let own = if by == ReclaimKind::Kswapd { rates.kswapd } else { rates.tasks };
        match rates.kswapd + rates.tasks {
            all if all > 0.0 => Reading::Known(own / all),
            _ => rates.nothing_by_kswapd_and_tasks(),
        }
    })
}

impl ReclaimRates {
    /// Returns the reason why neither kswapd nor direct reclaim reclaimed anything for the machine.
    fn nothing_by_kswapd_and_tasks<T>(&self) -> Reading<T> {
        if self.cgroups.known() > Some(&0.0) {
            return Reading::absent(
                "all pages reclaimed between the samples were reclaimed for cgroups",
            );
        }
        if self.others > 0.0 {
            return Reading::absent(
                "khugepaged or a write to a reclaim file reclaimed between the samples, not kswapd nor tasks that need memory",
            );
        }
        Reading::absent("nothing was reclaimed between the samples")
    }
}

/// Returns pages per second reclaimed for cgroups: at their limits, or by a write to `memory.reclaim`.
pub fn reclaimed_in_cgroups(view: &SampleView<'_>) -> Reading<f64> {
    reclaim_rates(view).and_then(|rates| rates.cgroups)
}

worded_enum! {
    /// The cause of reclaim, which shows where memory is short.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Reclaimer {
        /// Cgroups at their own limits, while the machine has memory.
        Cgroups = "cgroups",
        /// Tasks in direct reclaim on the whole machine.
        Tasks = "tasks",
        /// kswapd, in the background.
        Kswapd = "kswapd",
    }
}

/// Share of all reclaimed pages from which on cgroups count as the cause.
const MOSTLY: f64 = 0.9;

/// Returns what causes reclaim.
pub fn reclaimer(view: &SampleView<'_>) -> Reading<Reclaimer> {
    reclaim_rates(view).and_then(|rates| {
        let groups = rates.cgroups_least;
        let all = groups + rates.kswapd + rates.tasks + rates.others;
        if groups > 0.0 && groups >= MOSTLY * all {
            return Reading::Known(Reclaimer::Cgroups);
        }
        match (rates.tasks > 0.0, rates.kswapd > 0.0) {
            (true, _) => Reading::Known(Reclaimer::Tasks),
            (false, true) => Reading::Known(Reclaimer::Kswapd),
            (false, false) => rates.nothing_by_kswapd_and_tasks(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::{Sampled, Snapshot, Stamp};

    /// A sample of the counters `pgsteal_NAME`, and of `allocstall_normal`.
    fn sample(release: &str, second: u64, steals: &[(&str, u64)], stalls: u64) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let mut snapshot = Snapshot::empty(stamp);
        let steals = steals.iter().map(|(name, value)| (format!("pgsteal_{name}").into(), *value));
        let counters = steals.chain([("allocstall_normal".into(), stalls)]).collect();
        let vmstat = Counters::new("/proc/vmstat", counters);
        snapshot.vmstat = Sampled::new(Some(stamp), Reading::Known(vmstat));
        let unknown = || Reading::absent("not in this test");
        let kernel = crate::model::kernel::Kernel {
            release: Reading::Known(release.to_owned()),
            hostname: unknown(),
            cpus: Reading::absent("not in this test"),
            uptime_s: Reading::absent("not in this test"),
            swap_tiers: Reading::not_sampled(),
        };
        snapshot.kernel = Sampled::new(Some(stamp), Reading::Known(kernel));
        snapshot
    }

    const NAMES: [&str; 6] = ["anon", "file", "kswapd", "direct", "khugepaged", "proactive"];

    /// Calls `check` with samples two seconds apart.
    fn between<T>(
        release: &str,
        steals: [u64; 6],
        stalls: u64,
        check: impl Fn(&SampleView<'_>) -> T,
    ) -> T {
        let named = |values: [u64; 6]| [0, 1, 2, 3, 4, 5].map(|at: usize| (NAMES[at], values[at]));
        let before = sample(release, 1, &named([0; 6]), 0);
        let now = sample(release, 3, &named(steals), stalls);
        check(&SampleView { now: &now, before: Some(&before) })
    }

    #[test]
    fn the_shares_of_reclaim_add_up_to_one_unless_there_was_none() {
        let share = |steals, by| between("6.12.1", steals, 1, |view| reclaim_share(view, by));
        let [kswapd, direct] = [ReclaimKind::Kswapd, ReclaimKind::Direct];
        assert_eq!(share([40, 0, 30, 10, 0, 0], kswapd), Reading::Known(0.75));
        assert_eq!(share([40, 0, 30, 10, 0, 0], direct), Reading::Known(0.25));
        assert_eq!(share([0; 6], direct).missing().unwrap().kind(), "absent");
        let why = share([80, 40, 0, 0, 0, 0], direct).missing().unwrap().why();
        assert!(why.contains("for cgroups"), "{why}");
        let why = share([8, 0, 0, 0, 8, 0], direct).missing().unwrap().why();
        assert!(why.contains("khugepaged"), "{why}");
    }

    #[test]
    fn before_7_2_cgroup_reclaim_is_the_rest_of_all_reclaim() {
        let groups = |steals| between("6.18.2", steals, 0, reclaimed_in_cgroups);
        assert_eq!(groups([80, 40, 30, 10, 0, 0]), Reading::Known(40.0));
        assert_eq!(groups([80, 40, 30, 10, 20, 60]), Reading::Known(0.0));
        let who = |steals| between("6.12.1", steals, 1, reclaimer);
        assert_eq!(who([80, 40, 30, 10, 0, 0]), Reading::Known(Reclaimer::Tasks));
        assert_eq!(who([80, 40, 30, 0, 0, 0]), Reading::Known(Reclaimer::Kswapd));
        assert_eq!(who([80, 40, 6, 6, 0, 0]), Reading::Known(Reclaimer::Cgroups));
        assert_eq!(who([0; 6]).missing().unwrap().kind(), "absent");
    }

    #[test]
    fn since_7_2_direct_reclaim_without_stalled_allocations_is_that_of_cgroups() {
        let steals = [80, 40, 0, 120, 0, 0];
        for release in ["7.2.13", "7.3.4-amd64"] {
            assert_eq!(between(release, steals, 0, reclaimer), Reading::Known(Reclaimer::Cgroups));
            assert_eq!(between(release, steals, 0, reclaimed_in_cgroups), Reading::Known(60.0));
            let share =
                between(release, steals, 0, |view| reclaim_share(view, ReclaimKind::Direct));
            assert_eq!(share.missing().unwrap().kind(), "absent");
            assert_eq!(between(release, steals, 7, reclaimer), Reading::Known(Reclaimer::Tasks));
            // memory.reclaim of cgroups is counted with the reclaim files of nodes.
            let written = [80, 40, 0, 0, 0, 120];
            let groups = between(release, written, 0, reclaimed_in_cgroups);
            assert!(groups.missing().unwrap().why().contains("memory.reclaim"), "{groups:?}");
            assert!(between(release, written, 0, reclaimer).missing().is_some());
            let mostly = between(release, [80, 41, 0, 120, 0, 1], 0, reclaimer);
            assert_eq!(mostly, Reading::Known(Reclaimer::Cgroups));
            let both = between(release, steals, 7, reclaimed_in_cgroups);
            assert!(both.missing().unwrap().why().contains("together"), "{both:?}");
        }
        assert_eq!(between("6.12.1", steals, 0, reclaimer), Reading::Known(Reclaimer::Tasks));
    }
}
