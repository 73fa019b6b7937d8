//! The spread strategy: drains overfull areas of a priority group where the predicted gain is worth
//! it (`derive/spread.rs`), so that repeated runs converge.

use super::machine::{ClassifiedArea, ClassifiedMachine, RebalanceFinding, names, paths};
use crate::columns::units;
use crate::columns::units::size;
use crate::derive::SampleView;
use crate::derive::balance::{self, PriorityGroup};
use crate::derive::spread::{self, FolioImbalance, SpreadChoice, SpreadVerdict};
use crate::model::{Bytes, Name, Policy, Reading};

/// Findings for groups with at least this imbalance, and the areas to drain.
pub(super) fn find_overfull(
    machine: &ClassifiedMachine<'_>,
    threshold: f64,
) -> (Vec<RebalanceFinding>, Vec<Name>) {
    let (mut findings, mut overfull) = (Vec::new(), Vec::new());
    for group in balance::groups(machine.areas) {
        let Some(finding) = judge_group(machine, &group, threshold) else { continue };
        if finding.wrong {
            overfull.extend(finding.areas.iter().cloned());
        }
        findings.push(finding);
    }
    (findings, overfull)
}

fn judge_group(
    machine: &ClassifiedMachine<'_>,
    group: &PriorityGroup,
    threshold: f64,
) -> Option<RebalanceFinding> {
    let members = group.members.iter().filter_map(|place| machine.members.get(*place));
    let members: Vec<&ClassifiedArea<'_>> = members.collect();
    if let (Some(missing), true) = (group.used.missing(), members.len() > 1) {
        let why = missing.why();
        let text = format!("priority {}: unknown imbalance: {why}", group.priority);
        return Some(RebalanceFinding::note("unknown", paths(&members), text));
    }
    let of_members: Vec<_> =
        members.iter().map(|member| (member.area, member.speed.known().copied())).collect();
    let view = SampleView::single(machine.snapshot);
    let limits = (threshold, Policy::DEFAULT.often);
    let verdict = spread::judge(&view, &of_members, group, limits);
    let skew = *group.imbalance.known()?;
    let what = format!("the imbalance of priority {} is {}", group.priority, units::percent(skew));
    let (id, why) = match verdict {
        SpreadVerdict::Balanced => return None,
        SpreadVerdict::Drain(best) => {
            return Some(skew_finding(&what, &members, group, &best, skew));
        }
        SpreadVerdict::SeveralSpeeds => (
            "mixed",
            "areas of different or unknown speed fill unevenly. First run: swapadm rebalance tiered"
                .to_owned(),
        ),
        SpreadVerdict::Folios(cause) => ("skew", describe_folios(&cause)),
        SpreadVerdict::Stays => ("skew", "draining areas would not improve it".to_owned()),
    };
    Some(RebalanceFinding::note(id, paths(&members), format!("{what} and stays so: {why}")))
}

/// Explains an imbalance that large folios cause and that cannot be removed.
fn describe_folios(cause: &FolioImbalance) -> String {
    let whole = "large folios go whole to block devices, but are split for files";
    match &cause.part {
        Reading::Known(part) => format!(
            "{whole}: {} of all swap-out since boot was whole, and the devices hold {} more than their share",
            units::percent(*part),
            size(cause.beyond)
        ),
        Reading::Missing { missing } => {
            format!("{whole}, and the amount swapped out whole is unknown: {}", missing.why())
        }
    }
}

fn skew_finding(
    what: &str,
    members: &[&ClassifiedArea<'_>],
    group: &PriorityGroup,
    best: &SpreadChoice,
    now: f64,
) -> RebalanceFinding {
    let overfull: Vec<&ClassifiedArea<'_>> =
        best.emptied.iter().filter_map(|place| members.get(*place).copied()).collect();
    let used = group.used.known().copied().unwrap_or(Bytes(0));
    let (verb, part) = if overfull.len() == 1 { ("holds", "its") } else { ("hold", "their") };
    let count = members.len();
    RebalanceFinding {
        id: "skew",
        wrong: true,
        text: format!(
            "{what}: {} on {count} areas, {} of it misplaced; {} {verb} more than {part} share",
            size(used),
            size(used.times(now)),
            names(&overfull),
        ),
        better: Some(describe_gain(best, count)),
        areas: paths(&overfull),
        unit: Some("skew"),
        now: Some(units::rounded(now)),
        then: Some(units::rounded(best.imbalance)),
    }
}

fn describe_gain(best: &SpreadChoice, count: usize) -> String {
    let kept = format!("{} return to memory", size(best.kept));
    let pushed = format!(
        "{} move to the other areas, since memory or a cgroup has no room",
        size(best.pushed)
    );
    let skew = units::percent(best.imbalance);
    let again = format!("when swapped out again, they spread over all {count}: imbalance {skew}");
    match (best.kept, best.pushed) {
        (_, Bytes(0)) => format!("{kept}; {again}"),
        (Bytes(0), _) => format!("{pushed}: imbalance {skew}"),
        (_, _) => format!("{pushed}, and {kept}; {again}"),
    }
}
