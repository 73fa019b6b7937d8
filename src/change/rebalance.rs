//! Rebalancing this machine: findings of a strategy, and the plan that corrects them.

use super::{ChangeAttempt, ChangeError, ObservedMachine};
use crate::actions::rebalance::{self, Rebalance, RebalanceFinding, RebalanceRefusal, Strategy};
use crate::model::block::BlockDevice;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::probes::candidate;
use crate::root::Root;

/// The findings of a strategy on a machine, and the plan that corrects them.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The strategy.
    pub strategy: Strategy,
    /// The findings and the plan.
    pub rebalance: Rebalance,
}

impl Diagnosis {
    /// The active areas whose priorities the strategy decides.
    pub(super) fn areas<'m>(
        &self,
        machine: &'m ObservedMachine<'_>,
    ) -> impl Iterator<Item = &'m SwapArea> {
        let is_decided = |area: &&SwapArea| match &self.strategy {
            Strategy::Spread(_) => false,
            Strategy::Custom(wishes) => wishes.iter().any(|(path, _)| *path == area.path),
            Strategy::Equal | Strategy::Tiered | Strategy::Numa => {
                let mut findings = self.rebalance.findings.iter();
                let is_left =
                    |finding: &RebalanceFinding| ["unknown", "zram"].contains(&finding.id);
                !findings.any(|finding| is_left(finding) && finding.areas.contains(&area.path))
            }
        };
        machine.snapshot.areas().iter().filter(is_decided)
    }
}

/// Applies a strategy to a machine.
pub fn diagnose(strategy: Strategy, machine: &ObservedMachine<'_>) -> ChangeAttempt<Diagnosis> {
    let block = |place: usize| machine.snapshot.block.reading.known()?.get(place)?.known();
    let filesystems: Vec<Option<String>> = machine
        .areas()?
        .iter()
        .enumerate()
        .map(|(place, area)| filesystem(machine.root, area, block(place)))
        .collect();
    let discards = machine.discards()?;
    let found = rebalance::rebalance(&strategy, &machine.snapshot, &filesystems, discards);
    let mut found = found.map_err(|refusal| match refusal {
        RebalanceRefusal::Plan(why) => ChangeError::Usage(why.to_string()),
        RebalanceRefusal::Numa(_) => ChangeError::Refused(refusal.to_string()),
    })?;
    let title = format!("rebalance {}", strategy.word());
    // Without steps, the title of the plan names no area.
    let is_idle = found.plan.steps.is_empty();
    found.plan.title = if is_idle { title } else { format!("{title}: {}", found.plan.title) };
    Ok(Diagnosis { strategy, rebalance: found })
}

/// The type of file system that a file is on, also behind a loop device.
fn filesystem(root: &Root, area: &SwapArea, block: Option<&BlockDevice>) -> Option<String> {
    let behind = block.and_then(|block| block.backing_file.known());
    let file = match area.kind {
        AreaKind::File => &area.path,
        AreaKind::Partition => behind?,
    };
    candidate::filesystem(root, file).known().cloned()
}
