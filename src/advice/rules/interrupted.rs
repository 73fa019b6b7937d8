//! Rule about changes by swapadm that were interrupted.

use crate::advice::areas::short_names;
use crate::advice::finding::cells;
use crate::advice::{Finding, Rule, RuleResult};
use crate::derive::SampleView;
use crate::model::swaparea::InterruptedPlan;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Policy, name, part_set};

/// Reports an interrupted change.
pub(super) const INTERRUPTED: Rule =
    Rule::new("interrupted", "a change by swapadm was interrupted", interrupted)
        .about("Reported if the journal has a change of this boot that was interrupted, for example because swapadm was killed, or that was left partly done. Areas that it disabled may still be disabled. swapadm recover repairs it, or dismisses it with --dismiss. A change that is carried out now is not reported.")
        .needs(part_set![Swaps, Interrupted]);

fn interrupted(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let plans = view.now.interrupted.reading.get()?;
    let areas = view.now.swaps.reading.get()?;
    Ok(plans.iter().map(|plan| interrupted_finding(plan, areas)).collect())
}

fn interrupted_finding(plan: &InterruptedPlan, areas: &[SwapArea]) -> Finding {
    let gone = plan.areas.iter().filter(|path| areas.iter().all(|area| area.path != **path));
    let gone: Vec<String> = gone.map(Name::safe).collect();
    let verb = if gone.len() > 1 { "are" } else { "is" };
    let (number, title) = (plan.plan, name::safe_text(&plan.title));
    let left = match short_names(gone) {
        names if names.is_empty() => names,
        names => format!(", and {names} {verb} still disabled"),
    };
    let sentence = "This change began and was not completed. The repair restores what it changed.";
    let summary = format!("change {number} was interrupted{left}: {title}");
    Finding::warn(INTERRUPTED.id, summary, sentence)
        .with_subject(number.to_string())
        .shown_by(cells("status", ["interrupted"]))
        .fixed_by("swapadm recover")
}

/// Returns the findings about interrupted changes.
pub fn interrupted_changes(view: &SampleView<'_>) -> Vec<Finding> {
    interrupted(view, &Policy::DEFAULT).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::INTERRUPTED;
    use crate::advice::testing::TestMachine;
    use crate::model::swaparea::InterruptedPlan;

    #[test]
    fn an_interrupted_change_is_reported_with_the_areas_that_it_left_disabled() {
        let disk = TestMachine::default().disk("sda", 5, (1000, 0));
        let with = |areas: &[&str]| {
            let areas = areas.iter().map(|path| (*path).into()).collect();
            InterruptedPlan { plan: 12, title: "off /dev/sdb".to_owned(), areas }
        };
        assert_eq!(disk.severities(INTERRUPTED.id), [""; 0]);
        let of = |areas: &[&str]| {
            let mut machine = TestMachine::default().disk("sda", 5, (1000, 0));
            machine.interrupted = vec![with(areas)];
            let findings = machine.advice().findings.into_iter();
            findings.filter(|it| it.rule == INTERRUPTED.id).map(|it| it.summary).collect::<Vec<_>>()
        };
        assert_eq!(of(&["/dev/sda"]), ["change 12 was interrupted: off /dev/sdb"]);
        let left = "change 12 was interrupted, and /dev/sdb is still disabled: off /dev/sdb";
        assert_eq!(of(&["/dev/sda", "/dev/sdb"]), [left]);
    }
}
