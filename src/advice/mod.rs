//! Advice: what is wrong with the swap of a machine, and what to do about it.
//!
//! A [`Rule`] checks for one problem. It sees the samples and what is derived from them, and changes
//! nothing. The text of a finding has no figures: they are given as [`EvidenceCell`], which names table
//! cells, so that advice cannot disagree with the reports.

mod areas;
mod finding;
pub mod rules;
#[cfg(test)]
mod testing;

pub use finding::{Certainty, EvidenceCell, Finding, Rule, RuleOutcome, RuleResult, Severity};
pub use rules::{RULES, UNBOUNDED_SUBJECTS, interrupted_changes};

use crate::derive::SampleView;
use crate::model::{Missing, PartSet, Policy};

/// All findings, and the rules that could not be judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdviceReport {
    /// The findings, worst first.
    pub findings: Vec<Finding>,
    /// The rules that could not be judged, and why.
    pub unjudged: Vec<(&'static str, Missing)>,
    /// The rules for a feature that this machine does not have, and what it lacks.
    pub inapplicable: Vec<(&'static str, Missing)>,
}

impl AdviceReport {
    /// Runs all rules.
    pub fn from_view(view: &SampleView<'_>, policy: &Policy) -> Self {
        let mut advice = Self::default();
        for rule in RULES {
            match rule.outcome(view, policy) {
                RuleOutcome::Judged(found) => advice.findings.extend(found),
                RuleOutcome::NotApplicable(missing) => advice.inapplicable.push((rule.id, missing)),
                RuleOutcome::Unjudged(missing) => advice.unjudged.push((rule.id, missing)),
            }
        }
        if view.now.simulated.is_some() {
            // A simulated machine never boots again, and refuses the option.
            let fixes = advice.findings.iter_mut().filter_map(|finding| finding.fix.as_mut());
            fixes.for_each(|fix| *fix = fix.replace(" --persist", ""));
        }
        // A stable sort: equal findings stay in the order of the rules.
        advice.findings.sort_by_key(|finding| (finding.severity, finding.certainty));
        advice
    }

    /// Returns the worst severity; `Note` without findings.
    pub fn worst(&self) -> Severity {
        self.findings.iter().map(|finding| finding.severity).min().unwrap_or(Severity::Note)
    }

    /// Returns whether there is a finding worse than a note.
    pub fn is_wrong(&self) -> bool {
        self.worst() != Severity::Note
    }
}

/// Returns the parts that all rules together need.
pub const fn needs() -> PartSet {
    let (mut needs, mut rules) = (PartSet::NONE, RULES);
    while let [rule, others @ ..] = rules {
        needs = needs.with(rule.needs);
        rules = others;
    }
    needs
}

/// Earlier ids of rules, with the present ones.
const FORMER_IDS: [(&str, &str); 2] =
    [("thrashing", "memory-pressure"), ("zram-behind", "faster-behind")];

/// Returns the rule with this id, or with this former id.
pub fn find_rule(id: &str) -> Option<&'static Rule> {
    let former = FORMER_IDS.iter().find(|(former, _)| *former == id);
    let id = former.map_or(id, |(_, id)| id);
    RULES.iter().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::testing::{TestMachine, advice_without_data};
    use super::*;
    use crate::model::Part;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_has_a_name_of_its_own_and_says_what_it_does() {
        let mut seen = BTreeSet::new();
        for rule in RULES {
            let plain = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(rule.id.chars().all(plain) && seen.insert(rule.id), "{}", rule.id);
            assert!(rule.about.ends_with('.') && !rule.title.ends_with('.'), "{}", rule.id);
            assert!(rule.needs != PartSet::NONE, "{}", rule.id);
            let marked =
                rule.about.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
            let marked: BTreeSet<&str> = marked.collect();
            assert_eq!(marked, rule.thresholds.iter().copied().collect(), "{}", rule.id);
        }
    }

    #[test]
    fn the_worst_comes_first_and_notes_are_not_faults() {
        let idle = TestMachine::default().zram("zram0", 100, (1000, 500));
        let advice = idle.advice();
        assert!(!advice.findings.is_empty() && !advice.is_wrong(), "{advice:?}");
        let full =
            TestMachine::default().zram("zram0", 100, (1000, 999)).disk("sda", 100, (1000, 999));
        let severities: Vec<_> = full.advice().findings.iter().map(|it| it.severity).collect();
        assert!(severities.is_sorted() && full.advice().is_wrong(), "{severities:?}");
    }

    #[test]
    fn unreadable_parts_are_reported_and_absent_features_are_not() {
        let machine = || TestMachine::default().disk("sda", 5, (1000, 500));
        let ids = |machine: TestMachine| -> Vec<_> {
            machine.advice().unjudged.into_iter().map(|(id, _)| id).collect()
        };
        assert_eq!(ids(machine()), [""; 0], "zram and large folios are absent here");
        assert_eq!(ids(machine().without(Part::Psi)), ["memory-pressure", "idle"]);
        let blind = ids(machine().without(Part::Meminfo));
        assert!(["swap-full", "metadata"].iter().all(|id| blind.contains(id)), "{blind:?}");
        assert!(ids(machine().without(Part::Vmstat)).contains(&"swappiness"));
    }

    #[test]
    fn former_ids_find_their_rules() {
        for (former, id) in FORMER_IDS {
            assert!(RULES.iter().all(|rule| rule.id != former), "{former}");
            assert_eq!(find_rule(former).map(|rule| rule.id), Some(id));
        }
    }

    #[test]
    fn without_data_no_rule_is_judged_and_nothing_is_found() {
        let advice = advice_without_data();
        assert_eq!(advice.findings, []);
        let unjudged: Vec<_> = advice.unjudged.iter().map(|(id, _)| *id).collect();
        assert_eq!(unjudged, RULES.iter().map(|rule| rule.id).collect::<Vec<_>>());
    }
}
