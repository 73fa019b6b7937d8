//! The machine that a change is planned for and made on, and how the live one is observed.

use super::{ChangeError, SimulatedTarget};
use crate::actions::MachineView;
use crate::clock::Clock;
use crate::model::activation::Discard;
use crate::model::block::BlockDevice;
use crate::model::swaparea::SwapArea;
use crate::model::zram::{self, ZramSettings};
use crate::model::{Missing, Name, Part, PartSet, Reading, Sampled, Snapshot};
use crate::probes;
use crate::probes::kmsg::ReadErrors;
use crate::root::{Patience, Root};
use std::cell::RefCell;

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

/// Reads the machine anew on each request.
#[derive(Debug)]
pub struct LiveMachine<'a> {
    root: &'a Root,
    /// The areas at the last reading.
    seen: RefCell<Vec<SwapArea>>,
    read_errors: RefCell<ReadErrors>,
}

impl<'a> LiveMachine<'a> {
    /// The machine behind this root.
    pub fn new(root: &'a Root) -> Self {
        Self { root, seen: RefCell::default(), read_errors: RefCell::default() }
    }
}

impl MachineView for LiveMachine<'_> {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        let areas = probes::swaps::read_after(self.root, &self.seen.borrow());
        self.seen.replace(areas.known().cloned().unwrap_or_default());
        areas
    }

    fn discard(&self, area: &SwapArea) -> Reading<Discard> {
        let told = probes::kmsg::discards(self.root, std::slice::from_ref(area));
        told.into_iter().next().unwrap_or_else(|| Reading::absent("nothing was read"))
    }

    fn parts(&self, parts: &[Part]) -> Snapshot {
        probes::sample(
            &self.root.with_patience(Patience::SCREEN),
            &Clock::Real,
            parts.iter().copied().collect(),
        )
    }

    fn device(&self, area: &SwapArea) -> Reading<BlockDevice> {
        probes::block::read(self.root, area)
    }

    fn failed_reads(&self, path: &Name) -> u64 {
        self.read_errors.borrow_mut().of_area(self.root, path)
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        self.root.setting(file)
    }

    fn text(&self, file: &Name) -> Reading<Option<String>> {
        let path = file.as_path();
        match self.root.any_text(path.strip_prefix("/").unwrap_or(path)).into_result() {
            Ok(text) => Reading::Known(Some(text)),
            Err(Missing::Absent(_)) => Reading::Known(None),
            Err(missing) => missing.into(),
        }
    }

    fn disk(&self, number: u64) -> Reading<Option<ZramSettings>> {
        probes::zram::disk(self.root, number)
    }

    fn has_node(&self, number: u64) -> bool {
        let facts = self.root.facts(zram::device_path(number).as_path());
        let led_to = facts.known().and_then(|facts| facts.block_device);
        let text = self.root.line(format!("sys/block/zram{number}/dev"));
        led_to.is_some_and(|(major, minor)| {
            text.known().is_some_and(|is| *is == format!("{major}:{minor}"))
        })
    }

    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>> {
        self.root.read_part(path.as_path(), at, length)
    }
}
