//! What rules find on a test machine.

use super::TestMachine;
use crate::actions::rebalance::{Strategy, rebalance};
use crate::advice::{AdviceReport, EvidenceCell, Finding, find_rule};
use crate::cli::args::{Cli, Command, RebalanceArgs, StrategyName};
use crate::columns::tables::findings::FigureSource;
use crate::derive::view::SampleView;
use crate::model::activation::Discard;
use crate::model::{Policy, Snapshot, Stamp};
use clap::Parser as _;
use std::collections::BTreeSet;
use std::time::Duration;

impl TestMachine {
    /// Returns all findings with the default thresholds.
    pub(in crate::advice) fn advice(&self) -> AdviceReport {
        self.advice_by(&Policy::DEFAULT)
    }

    /// Returns the findings when the second sample is this many seconds after the first.
    pub(in crate::advice) fn advice_after(&self, seconds: f64) -> AdviceReport {
        let (before, mut now) = (self.at(1), self.at(2));
        let passed = Duration::from_secs_f64(seconds).as_nanos();
        let passed = u64::try_from(passed).expect("a test is short");
        now.stamp.boot_ns = before.stamp.boot_ns + passed;
        AdviceReport::from_view(&SampleView { now: &now, before: Some(&before) }, &Policy::DEFAULT)
    }

    /// Returns the findings with these thresholds.
    pub(in crate::advice) fn advice_by(&self, policy: &Policy) -> AdviceReport {
        let (before, now) = (self.at(1), self.at(2));
        let view = SampleView { now: &now, before: Some(&before) };
        let advice = AdviceReport::from_view(&view, policy);
        for finding in &advice.findings {
            assert_evidence(&view, finding);
        }
        let names: BTreeSet<String> = advice.findings.iter().map(Finding::name).collect();
        assert_eq!(names.len(), advice.findings.len(), "{names:?}");
        advice
    }

    /// Returns severity, name and fix of each finding of a rule.
    pub(in crate::advice) fn findings_of(
        &self,
        rule: &str,
    ) -> Vec<(&'static str, String, Option<String>)> {
        assert!(find_rule(rule).is_some(), "{rule}");
        let advice = self.advice();
        assert!(!advice.unjudged.iter().any(|(id, _)| *id == rule), "{advice:?}");
        let found = advice.findings.into_iter().filter(|finding| finding.rule == rule);
        found.map(|it| (it.severity.word(), it.name(), it.fix)).collect()
    }

    /// Returns the explanation of the first finding of a rule.
    pub(in crate::advice) fn sentence(&self, rule: &str) -> String {
        let mut findings = self.advice().findings.into_iter();
        findings.find(|finding| finding.rule == rule).map(|it| it.sentence).unwrap_or_default()
    }

    /// Returns the state of a rule in the table `rules`.
    pub(in crate::advice) fn state(&self, rule: &str) -> String {
        let (before, now) = (self.at(1), self.at(2));
        let evidence = EvidenceCell::for_row("rules", rule, "state");
        let view = SampleView { now: &now, before: Some(&before) };
        let figure = FigureSource::new(view).figure(&evidence);
        figure.map_or_else(String::new, |figure| figure.value.plain())
    }

    /// Returns the severities of the findings of a rule.
    pub(in crate::advice) fn severities(&self, rule: &str) -> Vec<&'static str> {
        self.findings_of(rule).into_iter().map(|(severity, ..)| severity).collect()
    }

    /// Returns the values of the evidence of a rule.
    pub(in crate::advice) fn evidence_values(&self, rule: &str) -> Vec<String> {
        let (before, now) = (self.at(1), self.at(2));
        let view = SampleView { now: &now, before: Some(&before) };
        let found = AdviceReport::from_view(&view, &Policy::DEFAULT).findings.into_iter();
        let evidence = found.filter(|it| it.rule == rule).flat_map(|it| it.evidence);
        let source = FigureSource::new(view);
        evidence
            .filter_map(|evidence| source.figure(&evidence))
            .map(|figure| figure.value.plain())
            .collect()
    }

    /// Returns whether the rule has findings, but none with a fix.
    pub(in crate::advice) fn has_no_command(&self, rule: &str) -> bool {
        !self.severities(rule).is_empty() && self.fixes(rule).is_empty()
    }

    /// Returns the fixes of the findings of a rule.
    pub(in crate::advice) fn fixes(&self, rule: &str) -> Vec<String> {
        self.findings_of(rule).into_iter().filter_map(|(.., fix)| fix).collect()
    }
}

/// Checks that the evidence of a finding is known and that its fix is a valid command that changes
/// something.
fn assert_evidence(view: &SampleView<'_>, finding: &Finding) {
    let name = finding.name();
    let source = FigureSource::new(*view);
    for evidence in &finding.evidence {
        let figure = source.figure(evidence).map(|figure| figure.value);
        assert!(figure.is_some_and(|value| value.missing().is_none()), "{name}: {evidence:?}");
    }
    if let Some(fix) = &finding.fix {
        let cli = Cli::try_parse_from(fix.split(' '));
        assert!(cli.is_ok(), "{name}: {fix}");
        if let Ok(Cli { command: Some(Command::Rebalance(args)), .. }) = cli {
            let strategy = strategy(&args);
            let plan = rebalance(&strategy, view.now, &[], |_| Discard::None).unwrap();
            assert!(plan.is_wrong(), "{name}: {fix} would change nothing");
        }
    }
}

/// Returns the strategy of a `swapadm rebalance` command.
fn strategy(args: &RebalanceArgs) -> Strategy {
    let skew = args.skew.as_deref().map(|percent| percent.parse::<f64>().unwrap() / 100.0);
    match args.strategy {
        StrategyName::Spread => Strategy::Spread(skew.unwrap_or(Policy::DEFAULT.imbalance_warn)),
        StrategyName::Tiered => Strategy::Tiered,
        StrategyName::Equal => Strategy::Equal,
        StrategyName::Numa => Strategy::Numa,
        StrategyName::Custom => panic!("advice has no file"),
    }
}

/// Returns the advice for a machine without any readable file.
pub(in crate::advice) fn advice_without_data() -> AdviceReport {
    let snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    AdviceReport::from_view(&SampleView::single(&snapshot), &Policy::DEFAULT)
}
