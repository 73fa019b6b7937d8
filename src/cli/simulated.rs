//! Simulated machines on the command line: built-in ones and machine files, with the workloads that they name.

use super::exit::{CommandResult, usage};
use super::named_text::TextKind;
use crate::change::{ChangeError, SimulatedTarget};
use crate::lab::library::UserFiles;
use crate::lab::load::file::{KeyOverride, SourceText};
use crate::model::PartSet;
use crate::model::load::Workload;
use crate::model::name::safe_text;
use crate::sampler::{SnapshotSource, SyntheticSource};
use crate::sim::cost::{CostModel, DEFAULT_COSTS};
use crate::sim::describe::{BUILTIN_MACHINES, read_machine};
use crate::sim::machine::MachineSetup;
use crate::sim::machine::RunningMachine;
use std::cell::OnceCell;
use std::ffi::OsStr;

/// A simulated machine, read and valid.
#[derive(Clone, Debug)]
pub struct SimulatedMachine {
    /// The machine.
    pub setup: MachineSetup,
    /// How it was named.
    pub named: String,
    load: Option<Workload>,
    /// Cells that its progress line may take; `None` without a terminal.
    pub cells: Option<usize>,
    /// The session on the machine, once it has begun.
    session: OnceCell<SimulatedTarget>,
}

/// Machines, built in or in a file.
const MACHINES: TextKind = TextKind {
    what: "machine",
    builtin: &BUILTIN_MACHINES,
    rather: "name a built-in machine (to list them: swapadm machine list) or a machine file; a captured tree is read with --sysroot",
};

/// Cost files.
const COSTS: TextKind = TextKind {
    what: "cost file",
    builtin: &[("builtin", DEFAULT_COSTS)],
    rather: "to print the built-in cost file: swapadm machine costs",
};

/// Finds a built-in machine by name, or reads a path (with a / or .toml).
///
/// # Errors
/// There is no such machine, or the file cannot be read.
pub fn find_machine(named: &OsStr) -> CommandResult<SourceText> {
    MACHINES.find(named)
}

impl SimulatedMachine {
    /// Reads a machine and the workload that it names.
    ///
    /// # Errors
    /// There is no such machine, or a file is not valid.
    pub fn read(named: &OsStr, files: &UserFiles) -> CommandResult<Self> {
        let source = find_machine(named)?;
        let refuse = |problems: Vec<String>| usage(problems.join("\nswapadm: "));
        let mut setup = read_machine(&source.name, &source.file, &source.text).map_err(refuse)?;
        if let Some(file) = &setup.cost_file {
            let costs = COSTS.find(OsStr::new(file))?;
            setup.costs = CostModel::read(&costs.file, &costs.text).map_err(refuse)?;
        }
        let load = |name: &String| -> CommandResult<Workload> {
            let changes: Vec<_> =
                setup.load_changes.iter().map(|it| KeyOverride::parse(it)).collect();
            let text = files.loads.source(OsStr::new(name))?;
            Ok(text.load(&changes).map_err(ChangeError::from)?.0)
        };
        let load = setup.load.as_ref().map(load).transpose();
        let load = load.map_err(|error| usage(format!("{}: load: {error}", source.file)))?;
        Ok(Self {
            setup,
            named: safe_text(&named.to_string_lossy()),
            load,
            cells: None,
            session: OnceCell::new(),
        })
    }

    /// The machine in time.
    ///
    /// # Errors
    /// The workload does not fit into the simulator.
    pub fn start(&self) -> CommandResult<RunningMachine> {
        RunningMachine::new(self.setup.clone(), self.load.as_ref())
            .map_err(|refusal| usage(format!("{}: load: {refusal}", self.named)))
    }

    /// The session on the machine, which samples and changes share.
    ///
    /// # Errors
    /// The workload does not fit into the simulator.
    pub fn target(&self) -> CommandResult<&SimulatedTarget> {
        if let Some(session) = self.session.get() {
            return Ok(session);
        }
        let session = SimulatedTarget::new(self.start()?);
        Ok(self.session.get_or_init(|| session))
    }

    /// Lets the machine reach its first sample, with reports of the share that it has reached.
    ///
    /// # Errors
    /// The workload does not fit into the simulator.
    pub fn begin(&self, report: &mut dyn FnMut(f64)) -> CommandResult<()> {
        self.target()?.begin(report);
        Ok(())
    }

    /// The source of its snapshots.
    ///
    /// # Errors
    /// The workload does not fit into the simulator.
    pub fn open(&self) -> CommandResult<SnapshotSource> {
        let session = self.target()?.clone();
        let next = move |_: PartSet| Some(session.next_sample());
        Ok(SnapshotSource::Simulated(SyntheticSource(Box::new(next))))
    }
}
