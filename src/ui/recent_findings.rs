//! Recent findings: each stays for a few seconds, because one that came and went with every sample could
//! not be read.

use super::history::{History, HistoryEntry};
use crate::advice::{AdviceReport, Finding, RULES, Severity};
use crate::columns::tables::findings;
use crate::columns::{Query, Rows};
use crate::derive::SampleView;
use crate::model::{Policy, Reading, Stamp};
use std::collections::BTreeMap;

/// Seconds that a finding stays after it last applied: PSI averages are updated every two seconds, and
/// a finding should outlast one update.
const HOLD_SECONDS: f64 = 4.0;

/// The rule about an idle machine. It is reported only after this time without activity.
const CALM: &str = "idle";

/// The findings of samples, each judged once.
#[derive(Debug, Default)]
pub struct RecentFindings {
    /// The thresholds used.
    policy: Option<Policy>,
    moments: BTreeMap<u64, AdviceReport>,
}

impl RecentFindings {
    /// Judges the samples that count for this one, oldest first, and forgets the others. Returns the problems
    /// that appeared, with the time of the sample: those that no earlier one has.
    pub fn judge(
        &mut self,
        history: &History,
        number: u64,
        policy: &Policy,
    ) -> Vec<(Stamp, String)> {
        if self.policy.as_ref() != Some(policy) {
            *self = Self { policy: Some(policy.clone()), ..Self::default() };
        }
        let mut lately: Vec<_> = recent_entries(history, number).collect();
        lately.reverse();
        self.moments.retain(|moment, _| lately.iter().any(|(number, _)| number == moment));
        let mut new = Vec::new();
        for (number, moment) in lately {
            if self.moments.contains_key(&number) {
                continue;
            }
            let report = AdviceReport::from_view(&moment.view(), policy);
            let earlier = || self.moments.range(..number).map(|(_, report)| report);
            let known = |finding: &Finding| {
                let mut others = earlier().flat_map(|report| &report.findings);
                others.any(|other| other.has_same_name(finding))
            };
            // Before the first sample, nothing is known to be new.
            if earlier().next().is_some() {
                let is_problem = |finding: &&Finding| finding.severity < Severity::Note;
                let problems = report.findings.iter().filter(is_problem);
                let stamp = moment.now.stamp;
                new.extend(problems.filter(|it| !known(it)).map(|it| (stamp, it.summary.clone())));
            }
            self.moments.insert(number, report);
        }
        new
    }

    /// The rows of the table of findings for the newest judged sample.
    pub fn rows(&self, query: &Query, history: &History) -> Reading<Rows> {
        let newest = self.moments.last_key_value().and_then(|(number, _)| history.get(*number));
        let Some(newest) = newest else { return Reading::not_sampled() };
        let rows = || findings::rows_from_findings(query, self.current(history));
        newest.now.swaps.reading.as_ref().map(|_| rows())
    }

    /// The newest finding with this name.
    pub fn finding(&self, name: &str) -> Option<&Finding> {
        let mut findings = self.moments.values().rev().flat_map(|report| &report.findings);
        findings.find(|finding| finding.name() == name)
    }

    /// The current findings, worst first, each with the samples that its figures come from.
    fn current<'h>(&self, history: &'h History) -> Vec<(Finding, SampleView<'h>)> {
        let mut standing: Vec<(&Finding, u64)> = Vec::new();
        for (number, advice) in self.moments.iter().rev() {
            for finding in advice.findings.iter().filter(|finding| self.still_holds(finding)) {
                let same = standing.iter_mut().find(|(other, _)| other.has_same_name(finding));
                match same {
                    None => standing.push((finding, *number)),
                    // A finding worsens at once, but improves only after some seconds.
                    Some(worse) if finding.severity < worse.0.severity => {
                        *worse = (finding, *number);
                    }
                    Some(_) => {}
                }
            }
        }
        let rule = |finding: &Finding| RULES.iter().position(|rule| rule.id == finding.rule);
        standing.sort_by_key(|(it, _)| (it.severity, it.certainty, rule(it)));
        let with_view = |(finding, number): (&Finding, u64)| {
            Some((finding.clone(), history.get(number)?.view()))
        };
        standing.into_iter().filter_map(with_view).collect()
    }

    /// Does the finding still apply? An idle machine must be idle in every judged sample.
    fn still_holds(&self, finding: &Finding) -> bool {
        let denied = |advice: &AdviceReport| {
            let said = advice.findings.iter().any(|other| other.rule == finding.rule);
            !said && advice.unjudged.iter().all(|(rule, _)| *rule != finding.rule)
        };
        finding.rule != CALM || !self.moments.values().any(denied)
    }
}

/// The samples that count for one: itself, and those shortly before with the same areas, because
/// findings about other areas are obsolete.
fn recent_entries(history: &History, number: u64) -> impl Iterator<Item = (u64, &HistoryEntry)> {
    let this = history.get(number);
    let first = history.span().map_or(number, |(first, _)| first);
    let moments = (first..=number).rev().filter_map(|at| Some((at, history.get(at)?)));
    moments.take_while(move |(_, moment)| {
        this.is_some_and(|this| {
            let age = this.now.stamp.seconds_since(moment.now.stamp);
            age <= HOLD_SECONDS && areas(this) == areas(moment)
        })
    })
}

fn areas(moment: &HistoryEntry) -> Option<Vec<impl PartialEq>> {
    let areas = moment.now.swaps.reading.known()?.iter();
    Some(areas.map(|area| (area.identity(), area.priority)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::{Counters, Pressure, Stall};
    use crate::model::swaparea::SwapArea;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Snapshot, Stamp};
    use crate::ui::history::Bounds;

    /// A machine with these areas, this much of 100 units of memory available, and this many pages swapped
    /// in since boot.
    fn machine(second: u64, areas: Vec<SwapArea>, available: u64, pages: u64) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let at = Some(stamp);
        let counters = |file, pairs: &[(&str, u64)]| {
            let pairs = pairs.iter().map(|(name, number)| ((*name).into(), *number)).collect();
            Sampled::new(at, Reading::Known(Counters::new(file, pairs)))
        };
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.page_size = Reading::Known(4096);
        snapshot.swaps = Sampled::new(at, Reading::Known(areas));
        let memory = [("MemTotal", 100), ("MemAvailable", available)];
        snapshot.meminfo = counters("/proc/meminfo", &memory);
        snapshot.vmstat = counters("/proc/vmstat", &[("pswpin", pages), ("pswpout", 0)]);
        let rest = Stall { avg10: 0.0, avg60: 0.0, avg300: 0.0, total_us: 0 };
        let rest = Pressure { some: Reading::Known(rest), full: Reading::Known(rest) };
        let psi = [("memory".to_owned(), Reading::Known(rest))];
        snapshot.psi = Sampled::new(at, Reading::Known(psi.into()));
        snapshot
    }

    /// A machine with an area that is nearly full, or empty.
    fn full(second: u64, is_full: bool) -> Snapshot {
        machine(second, vec![area("/a", 1, 1000, if is_full { 900 } else { 0 })], 50, 0)
    }

    /// The severity of the finding of a rule at each sample.
    fn severities(snapshots: impl IntoIterator<Item = Snapshot>, rule: &str) -> Vec<&'static str> {
        let mut history = History::new(Bounds::LIVE);
        snapshots.into_iter().for_each(|snapshot| history.push(snapshot));
        let (first, last) = history.span().unwrap();
        let mut found = RecentFindings::default();
        let mut at = |number| {
            found.judge(&history, number, &Policy::DEFAULT);
            let standing = found.current(&history);
            let own = standing.iter().find(|(finding, _)| finding.rule == rule);
            own.map_or("-", |(finding, _)| finding.severity.word())
        };
        let forth: Vec<_> = (first..=last).map(&mut at).collect();
        let mut back: Vec<_> = (first..=last).rev().map(&mut at).collect();
        back.reverse();
        assert_eq!(forth, back, "going back shows the same");
        forth
    }

    #[test]
    fn a_finding_stays_for_some_seconds_after_it_last_held() {
        let shown = severities((0..10).map(|second| full(second, second % 8 == 1)), "swap-full");
        assert_eq!(shown, ["-", "warn", "warn", "warn", "warn", "warn", "-", "-", "-", "warn"]);
    }

    #[test]
    fn findings_worsen_at_once_and_improve_later() {
        let of = |second| {
            let available = if second == 1 { 1 } else { 50 };
            machine(second, vec![area("/a", 1, 1000, 960)], available, 0)
        };
        let shown = severities((0..7).map(of), "swap-full");
        assert_eq!(shown, ["warn", "crit", "crit", "crit", "crit", "crit", "warn"]);
    }

    #[test]
    fn idle_is_found_only_after_some_idle_seconds() {
        let of = |second| {
            let pages = u64::from(second >= 2) * 7;
            machine(second, vec![area("/a", 1, 1000, 500)], 50, pages)
        };
        let shown = severities((0..9).map(of), CALM);
        assert_eq!(shown, ["-", "note", "-", "-", "-", "-", "-", "note", "note"]);
    }

    #[test]
    fn slow_sampling_shows_the_current_findings() {
        let snapshots = [(0, true), (10, false), (20, true)].map(|(at, is)| full(at, is));
        assert_eq!(severities(snapshots, "swap-full"), ["warn", "-", "warn"]);
    }

    #[test]
    fn findings_about_removed_areas_are_dropped() {
        let small = || area("/a", 1, 1000, 0);
        let areas = [vec![], vec![small()], vec![small()], vec![]];
        let of = |(second, areas)| machine(second, areas, 5, 0);
        assert_eq!(severities((0..).zip(areas).map(of), "no-swap"), ["warn", "-", "-", "warn"]);
        let lower = SwapArea { priority: 0, ..area("/a", 1, 1000, 0) };
        let after = [full(0, true), machine(1, vec![lower], 50, 0)];
        assert_eq!(severities(after, "swap-full"), ["warn", "-"]);
    }

    #[test]
    fn a_finding_is_new_only_after_samples_without_it() {
        let mut history = History::new(Bounds::LIVE);
        // Too far apart to be judged together; at 20 s and 22 s the area is full, at 23 s no longer.
        for (second, is_full) in [(0, false), (20, true), (22, true), (23, false), (24, true)] {
            history.push(full(second, is_full));
        }
        let mut found = RecentFindings::default();
        let mut new = |number| found.judge(&history, number, &Policy::DEFAULT).len();
        assert_eq!([new(3), new(2), new(4)], [0, 0, 0], "going back, it ended and did not appear");
        let mut found = RecentFindings::default();
        found.judge(&history, 1, &Policy::DEFAULT);
        let [early, late] = [0, 3].map(|second| full(30 + second, second > 0));
        history.push(early);
        history.push(late);
        let new = found.judge(&history, 6, &Policy::DEFAULT);
        assert_eq!(new.len(), 1, "it appeared between two samples that are judged at once");
    }

    #[test]
    fn changed_thresholds_judge_again() {
        let mut history = History::new(Bounds::LIVE);
        history.push(machine(0, vec![], 50, 0));
        let mut found = RecentFindings::default();
        found.judge(&history, 0, &Policy::DEFAULT);
        assert!(found.current(&history).is_empty());
        found.judge(&history, 0, &Policy { memory_low: 0.6, ..Policy::DEFAULT });
        assert_eq!(found.current(&history)[0].0.rule, "no-swap");
    }
}
