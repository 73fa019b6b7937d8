//! The machine that a change is planned for and made on.

use super::{ChangeError, LiveMachine, SimulatedTarget};
use crate::actions::MachineView;
use crate::clock::Clock;
use crate::model::{PartSet, Sampled, Snapshot};
use crate::probes;
use crate::root::Root;

/// A machine behind its files, live or captured, or a simulated one.
#[derive(Clone, Copy, Debug)]
pub enum ChangeTarget<'a> {
    /// A machine with files.
    Files(&'a Root),
    /// A simulated machine.
    Simulated(&'a SimulatedTarget),
}

impl<'a> From<&'a Root> for ChangeTarget<'a> {
    fn from(root: &'a Root) -> Self {
        Self::Files(root)
    }
}

impl<'a> From<&'a SimulatedTarget> for ChangeTarget<'a> {
    fn from(machine: &'a SimulatedTarget) -> Self {
        Self::Simulated(machine)
    }
}

impl<'a> ChangeTarget<'a> {
    /// The files of the machine; a simulated one has none.
    pub fn root(self) -> &'a Root {
        match self {
            Self::Files(root) => root,
            Self::Simulated(machine) => machine.root(),
        }
    }

    /// Takes a snapshot; of our access to the machine, only the capabilities matter.
    pub fn sample(self, parts: PartSet) -> Snapshot {
        match self {
            Self::Files(root) => {
                let mut snapshot = probes::sample(root, &Clock::Real, parts);
                let rights = probes::access::rights(root);
                snapshot.access = Sampled::new(Some(snapshot.stamp), rights);
                snapshot
            }
            Self::Simulated(machine) => machine.snapshot(),
        }
    }

    /// The machine as plans and steps see it.
    pub fn view(self) -> Box<dyn MachineView + 'a> {
        match self {
            Self::Files(root) => Box::new(LiveMachine::new(root)),
            Self::Simulated(machine) => Box::new(machine.clone()),
        }
    }

    /// The boot ID of the machine; a simulated one has booted for its session.
    ///
    /// # Errors
    /// The machine has no boot ID.
    pub fn boot(self) -> Result<String, ChangeError> {
        match self {
            Self::Files(root) => super::boot(root),
            Self::Simulated(_) => Ok(SimulatedTarget::BOOT.to_owned()),
        }
    }
}
