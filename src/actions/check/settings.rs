//! Checks of changed kernel settings.

use super::Check;
use crate::actions::plan::Plan;
use crate::actions::settings::wanted_values;
use crate::columns::units;
use crate::columns::units::size;
use crate::model::kernel::Release;
use crate::model::users::{Cgroup, CgroupVersion};
use crate::model::{Bytes, Name, Reading, Shared, Snapshot};

/// Maximum share of the available memory that may be reserved.
const MOST_RESERVED: f64 = 0.5;

/// Divisors of total memory that may be reserved at most, and without a warning.
const MOST_OF_MEMORY: u64 = 3;
const MUCH_OF_MEMORY: u64 = 10;

/// Protection time for pages, in milliseconds, that needs no warning; and the maximum.
const LONG: u64 = 1000;
const TOO_LONG: u64 = 60_000;

/// All checks of the settings of a plan; `unwritable` has the files that cannot be written.
pub(super) fn checks(
    plan: &Plan,
    snapshot: &Snapshot,
    unwritable: &[(Name, String)],
) -> Vec<Check> {
    let refuse = |(_, why): &(Name, String)| Check::refuse("writable", why.as_str());
    let of_root = wanted_values(plan).find_map(|(what, _)| {
        if what == "swappiness" { swappiness_of_cgroups(snapshot) } else { None }
    });
    let known = wanted_values(plan).filter_map(|(what, to)| match what {
        "min_free_kbytes" => reserve_check(to, snapshot),
        "overcommit_memory" => overcommit_check(to, snapshot),
        "zswap.enabled" => large_pages(to, snapshot),
        "swappiness" => generations(snapshot),
        "lru_gen_min_ttl_ms" => protection_check(to),
        _ => None,
    });
    unwritable.iter().map(refuse).chain(known).chain(of_root).collect()
}

/// Checks memory that would be reserved: it is missing elsewhere at once.
fn reserve_check(to: &str, snapshot: &Snapshot) -> Option<Check> {
    let wanted = Bytes::from_kib(to.parse().ok()?);
    let now = snapshot.knobs.reading.known()?.iter().find(|knob| knob.id == "min_free_kbytes")?;
    let now = Bytes::from_kib(now.value.known()?.parse().ok()?);
    let available = *snapshot.memory("MemAvailable").known()?;
    if let Reading::Known(memory) = snapshot.memory("MemTotal")
        && wanted.0 / 1024 >= memory.0 / 1024 / MOST_OF_MEMORY
    {
        let text = format!(
            "min_free_kbytes: {} of {} would be kept free: at a third of memory or more, the kernel reclaims endlessly and kills processes. Set a lower value, or accept with --force reserve",
            size(wanted),
            size(memory)
        );
        return Some(Check::refuse("reserve", text));
    }
    let more = wanted.saturating_sub(now);
    if (more.0 as f64) <= available.0 as f64 * MOST_RESERVED {
        return large_reserve(wanted, now, snapshot);
    }
    let text = format!(
        "min_free_kbytes: {} more would be reserved, but only {} are available: the kernel would kill processes. Reserve at most half of that, or accept with --force reserve",
        size(more),
        size(available)
    );
    Some(Check::refuse("reserve", text))
}

/// Warns of a reserve that is possible, but larger than any machine needs.
fn large_reserve(wanted: Bytes, now: Bytes, snapshot: &Snapshot) -> Option<Check> {
    let memory = *snapshot.memory("MemTotal").known()?;
    let is_large = wanted > now && wanted.0 >= memory.0 / MUCH_OF_MEMORY;
    let text = format!(
        "min_free_kbytes: {} of {} would be kept free, which is unusually much: the kernel then swaps although this memory is free",
        size(wanted),
        size(memory)
    );
    is_large.then(|| Check::warn("reserve", text))
}

/// Checks strict overcommit: allocations fail as soon as more is committed than allowed.
fn overcommit_check(to: &str, snapshot: &Snapshot) -> Option<Check> {
    let (Reading::Known(limit), Reading::Known(promised)) =
        (snapshot.memory("CommitLimit"), snapshot.memory("Committed_AS"))
    else {
        return None;
    };
    if to != "2" || promised < limit {
        return None;
    }
    let text = format!(
        "overcommit_memory: {} are committed already and only {} would be allowed: all allocations would fail. Raise overcommit_ratio or add swap first, or accept with --force overcommit",
        size(promised),
        size(limit)
    );
    Some(Check::refuse("overcommit", text))
}

/// Checks a long working set protection: instead of reclaiming, the kernel kills.
fn protection_check(to: &str) -> Option<Check> {
    let ms: u64 = to.parse().ok()?;
    let text = format!(
        "lru_gen_min_ttl_ms: memory used in the last {} is never swapped out; when memory runs short, a process is killed instead. A common value is 1000",
        units::seconds(ms as f64 / 1000.0)
    );
    match ms {
        0..=LONG => None,
        ms if ms <= TOO_LONG => Some(Check::warn("reserve", text)),
        _ => Some(Check::refuse("reserve", text)),
    }
}

/// The first release that swaps large folios in.
const LARGE_SWAP_IN: Release = Release(6, 12);

fn large_pages(to: &str, snapshot: &Snapshot) -> Option<Check> {
    let is_old = snapshot.release().known().is_some_and(|it| *it < LARGE_SWAP_IN);
    let text = "once zswap is enabled, the kernel reads large folios back page by page until the next boot, even if zswap is disabled again";
    (to == "Y" && !is_old).then(|| Check::note("zswap", text))
}

/// Notes cgroups that a swappiness does not reach: on version 1 each has its own.
fn swappiness_of_cgroups(snapshot: &Snapshot) -> Option<Check> {
    let tree = snapshot.cgroups.reading.known()?;
    let has_own = |group: &&Shared<Cgroup>| {
        group.path.as_bytes() != b"/" && group.swappiness.known().is_some()
    };
    let count = tree.groups.iter().filter(has_own).count();
    let text = format!(
        "swappiness applies to the root cgroup only: {count} cgroups have a swappiness of their own (cgroup version 1). To change one: swapadm set --cgroup CGROUP memory.swappiness VALUE"
    );
    let is_version_1 = tree.version == CgroupVersion::V1 && count > 0;
    is_version_1.then(|| Check::note("cgroup", text))
}

fn generations(snapshot: &Snapshot) -> Option<Check> {
    let knob = snapshot.knobs.reading.known()?.iter().find(|knob| knob.id == "lru_gen")?;
    let mask = knob.value.known()?;
    let on = u64::from_str_radix(mask.strip_prefix("0x")?, 16).ok()? & 1 == 1;
    let text = "lru_gen is on: small changes to swappiness then have less effect";
    on.then(|| Check::note("lru_gen", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::Step;
    use crate::actions::check::CheckVerdict;
    use crate::model::knob::KnobReading;
    use crate::model::snapshot::testing::with_memory;
    use crate::model::users::CgroupTree;
    use crate::model::users::testing::unknown;
    use crate::model::{Sampled, Stamp};

    fn plan(what: &str, to: &str) -> Plan {
        let [what, from, to] = [what, "?", to].map(str::to_owned);
        let steps = vec![Step::Set { file: what.as_str().into(), what, from, to }];
        Plan { steps, ..Plan::without_steps(String::new()) }
    }

    fn verdicts(what: &str, to: &str) -> Vec<(&'static str, CheckVerdict)> {
        verdicts_with_memory(
            what,
            to,
            &[("MemAvailable", 1000), ("CommitLimit", 500), ("Committed_AS", 600)],
        )
    }

    fn verdicts_with_memory(
        what: &str,
        to: &str,
        memory: &[(&str, u64)],
    ) -> Vec<(&'static str, CheckVerdict)> {
        let mut snapshot = with_memory(memory);
        let knob = |(id, value): (&str, &str)| KnobReading {
            id: id.to_owned(),
            value: Reading::Known(value.to_owned()),
        };
        let knobs = [("min_free_kbytes", "100"), ("lru_gen", "0x0007")].map(knob);
        snapshot.knobs = Sampled::new(None, Reading::Known(knobs.to_vec()));
        let all = checks(&plan(what, to), &snapshot, &[]);
        all.into_iter().map(|check| (check.id, check.verdict)).collect()
    }

    #[test]
    fn value_that_would_stall_the_machine_is_refused() {
        assert_eq!(verdicts("min_free_kbytes", "600"), []);
        assert_eq!(verdicts("min_free_kbytes", "601"), [("reserve", CheckVerdict::Refuse)]);
        let idle = [("MemTotal", 3000), ("MemAvailable", 2900)];
        let refused = [("reserve", CheckVerdict::Refuse)];
        let warned = [("reserve", CheckVerdict::Warn)];
        assert_eq!(verdicts_with_memory("min_free_kbytes", "299", &idle), []);
        assert_eq!(verdicts_with_memory("min_free_kbytes", "300", &idle), warned);
        assert_eq!(verdicts_with_memory("min_free_kbytes", "999", &idle), warned);
        assert_eq!(
            verdicts_with_memory("min_free_kbytes", "100", &[("MemTotal", 500), idle[1]]),
            []
        );
        let odd = [("MemTotal", 3002), ("MemAvailable", 2900)];
        assert_eq!(verdicts_with_memory("min_free_kbytes", "1000", &odd), refused);
        assert_eq!(verdicts_with_memory("min_free_kbytes", "1000", &idle), refused);
        assert_eq!(verdicts("lru_gen_min_ttl_ms", "1000"), []);
        assert_eq!(verdicts("lru_gen_min_ttl_ms", "60000"), [("reserve", CheckVerdict::Warn)]);
        assert_eq!(verdicts("lru_gen_min_ttl_ms", "60001"), [("reserve", CheckVerdict::Refuse)]);
        assert_eq!(verdicts("overcommit_memory", "1"), []);
        assert_eq!(verdicts("overcommit_memory", "2"), [("overcommit", CheckVerdict::Refuse)]);
    }

    #[test]
    fn risky_values_are_reported() {
        assert_eq!(verdicts("zswap.enabled", "Y"), [("zswap", CheckVerdict::Note)]);
        assert_eq!(verdicts("zswap.enabled", "N"), []);
        let noted = |release| {
            let mut snapshot = with_memory(&[]);
            snapshot.kernel = crate::derive::selection::policy::testing::kernel(release);
            checks(&plan("zswap.enabled", "Y"), &snapshot, &[]).len()
        };
        assert_eq!([noted("6.11.9"), noted("6.12.1")], [0, 1], "where large folios come back");
        assert_eq!(verdicts("swappiness", "10"), [("lru_gen", CheckVerdict::Note)]);
    }

    /// Version 1 gives each cgroup a swappiness of its own.
    #[test]
    fn swappiness_that_no_cgroup_takes_is_noted() {
        let texts = |version| -> Vec<String> {
            let group = |path: &str| {
                let swappiness = Reading::Known(60);
                Shared::new(Cgroup { swappiness, ..unknown(path) })
            };
            let mut snapshot = with_memory(&[]);
            let tree = CgroupTree {
                version,
                mount: "/cg".into(),
                groups: ["/", "/a", "/b"].map(group).into(),
                left_out: 0,
                oom_kills: Reading::not_sampled(),
            };
            snapshot.cgroups = Sampled::new(None, Reading::Known(tree));
            let all = checks(&plan("swappiness", "10"), &snapshot, &[]);
            all.into_iter().map(|check| check.text).collect()
        };
        assert_eq!(texts(CgroupVersion::V2), [""; 0]);
        let [text] = &texts(CgroupVersion::V1)[..] else {
            panic!("{:?}", texts(CgroupVersion::V1))
        };
        assert!(text.contains("2 cgroups have a swappiness of their own"), "{text}");
    }

    #[test]
    fn read_only_setting_is_refused() {
        let snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let unwritable = [("/sys/x".into(), "/sys/x: read-only".to_owned())];
        let all = checks(&plan("x", "1"), &snapshot, &unwritable);
        assert_eq!(all, [Check::refuse("writable", "/sys/x: read-only")]);
    }
}
