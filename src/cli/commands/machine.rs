//! `swapadm machine`: simulated machines and their files.

use super::what_if::like;
use super::{listing, stream};
use crate::change::what_if::MODEL_PARTS;
use crate::cli::args::machine::MachineCommand;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::options::{Environment, Invocation};
use crate::cli::out::Out;
use crate::cli::simulated::{SimulatedMachine, find_machine};
use crate::lab::experiment::settings::count_areas;
use crate::model::Bytes;
use crate::sim::cost::DEFAULT_COSTS;
use crate::sim::describe::{self, BUILTIN_MACHINES};
use crate::sim::machine::MachineSetup;
use serde::Serialize;
use std::ffi::{OsStr, OsString};

/// The width of the names in the list.
const NAME_CELLS: usize = 16;

/// Lists, shows, checks and writes machine files.
///
/// # Errors
/// A machine does not exist or is not valid, or the output cannot be written.
pub fn run(command: &MachineCommand, invocation: &Invocation) -> CommandResult {
    let width = listing::listed_width(invocation.environment.width);
    match command {
        MachineCommand::List { json, .. } => list(*json, width, &invocation.environment)?,
        MachineCommand::Show { named, .. } => Out::new().file(&find_machine(named)?.text)?,
        MachineCommand::Check { files, .. } => return check(files, &invocation.environment),
        MachineCommand::LikeThis => {
            let pace = stream::SampleSchedule::new(None, None)?;
            stream::run(&invocation.source, MODEL_PARTS, false, pace, |view| {
                Out::new().text(&like(&invocation.source, view)?.to_toml())
            })?;
        }
        MachineCommand::Costs => Out::new().text(DEFAULT_COSTS)?,
        MachineCommand::Keys => Out::new().lines(listing::keys(describe::keys(), width))?,
    }
    Ok(Exit::Done)
}

/// A machine in the list.
#[derive(Serialize)]
struct ListedMachine {
    name: &'static str,
    about: String,
    kernel: String,
    validation: String,
    memory: Bytes,
    swap: Bytes,
    cpus: u32,
    nodes: u32,
}

fn list(json: bool, width: usize, environment: &Environment) -> CommandResult<()> {
    let files = environment.user_files();
    let listed = |name: &'static str| -> CommandResult<ListedMachine> {
        let MachineSetup { about, policy, memory_pages, areas, cpus, nodes, .. } =
            SimulatedMachine::read(OsStr::new(name), &files)?.setup;
        let bytes = |pages: u64| Bytes(pages * 4096);
        let swap = bytes(areas.iter().map(|area| u64::from(area.slots)).sum());
        let memory = bytes(memory_pages.into());
        let (validation, kernel) = (policy.validation(), policy.name);
        Ok(ListedMachine { name, about, kernel, validation, memory, swap, cpus, nodes })
    };
    let machines: Vec<_> =
        BUILTIN_MACHINES.iter().map(|(name, _)| listed(name)).collect::<CommandResult<_>>()?;
    let lines = |it: &ListedMachine| {
        let text = format!("{} Kernel {} ({}).", it.about, it.kernel, it.validation);
        listing::name_and_text(it.name, &text, (NAME_CELLS, width))
    };
    listing::print(&machines, json, lines)
}

/// Checks that machines can be started.
fn check(machines: &[OsString], environment: &Environment) -> CommandResult {
    let files = environment.user_files();
    listing::check(machines, |named| {
        let machine = SimulatedMachine::read(named, &files)?;
        machine.start()?;
        let MachineSetup { policy, areas, .. } = machine.setup;
        Ok(format!("kernel {}, {}", policy.name, count_areas(areas.len())))
    })
}
