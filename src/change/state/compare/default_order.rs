//! The order of areas with default priorities in a wanted state. Kernels up to 6.18 number such areas in the
//! order of their activation, and fill them one by one.

use super::zram_devices::device_name;
use super::{Comparer, SETTINGS};
use crate::actions::{Step, plan};
use crate::change::{ChangeAttempt, ChangeError};
use crate::derive::selection::policy;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::kernel::AllocationOrder;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, zram};

impl Comparer<'_, '_> {
    /// The steps that bring areas with default priority into the wanted order, which is their order of
    /// activation: after the other steps, each area that is out of order is disabled and enabled again.
    pub(super) fn order_steps(&mut self, steps: &[Step]) -> ChangeAttempt<Vec<Step>> {
        let wanted = self.wanted_order()?;
        let order = policy::order(&self.machine.snapshot);
        if order.known().is_none_or(|(order, _)| *order != AllocationOrder::ByNode) {
            return Ok(Vec::new());
        }
        // A deleted area cannot be enabled again.
        let areas: Vec<SwapArea> =
            self.machine.areas()?.iter().filter(|it| !it.deleted).cloned().collect();
        let now = plan::order::default_order(&areas);
        let mut then = now.clone();
        for step in steps {
            if let Some(area) = step.disabled_area() {
                then.retain(|path| *path != area.path);
            }
            let on = step.enabled_area().filter(|area| area.priority == Priority::Default);
            then.extend(on.map(|area| area.path.clone()));
        }
        let wanted: Vec<Name> = wanted.into_iter().filter(|path| then.contains(path)).collect();
        let late = plan::order::out_of_order(&then, &wanted);
        if !late.is_empty() {
            let names = |all: &[Name]| {
                let all = all.iter().filter(|path| wanted.contains(path)).map(Name::safe);
                Some(all.collect::<Vec<_>>().join(", "))
            };
            self.differ(SETTINGS, "default-order", names(&now), names(&wanted));
        }
        let renew = |path: &Name| Ok(Step::renew_unchanged(self.activation(path, steps)?));
        late.into_iter().map(renew).collect()
    }

    /// The wanted order of areas with default priority, by path.
    fn wanted_order(&self) -> ChangeAttempt<Vec<Name>> {
        let wanted = &self.intent.wanted;
        let path = |name: &Name| {
            let device =
                wanted.zram.iter().find(|device| name.safe() == device_name(device.number));
            if let Some(device) = device {
                return Ok(zram::device_path(device.number));
            }
            match wanted.areas.iter().find(|area| area.name == *name) {
                Some(area) => self.path_of(area),
                None => Err(ChangeError::Usage(format!(
                    "default-order: {} is not an area of this file: name it as its table does",
                    name.safe()
                ))),
            }
        };
        wanted.order.iter().map(path).collect()
    }

    /// How an area is enabled after these steps.
    fn activation(&self, path: &Name, steps: &[Step]) -> ChangeAttempt<Activation> {
        let mut enabled = steps.iter().rev().filter_map(Step::enabled_area);
        if let Some(area) = enabled.find(|area| area.path == *path) {
            return Ok(area.clone());
        }
        let area = self.machine.areas()?.iter().find(|area| area.path == *path);
        let discard = area.and_then(|area| self.machine.known_discard(area));
        let discard = discard.unwrap_or(Discard::None);
        Ok(Activation { path: path.clone(), priority: Priority::Default, discard })
    }
}
