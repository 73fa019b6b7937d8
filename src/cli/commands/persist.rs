//! `swapadm persist check`.

use crate::actions::persist::{BootDifference, differences};
use crate::change::{BootConfig, ObservedMachine};
use crate::cli::args::PersistCommand;
use crate::cli::exit::{CommandError, Exit};
use crate::cli::options::SourceOptions;
use crate::cli::out::Out;
use serde::Serialize;

/// The version of the format of `--json`.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct DifferencesDocument<'a> {
    schema: u32,
    differences: &'a [BootDifference],
}

/// Prints the differences between the running machine and its configuration files.
///
/// # Errors
/// The output cannot be written.
pub fn run(command: PersistCommand, source: &SourceOptions) -> Result<Exit, CommandError> {
    let PersistCommand::Check { json, .. } = command;
    let machine = ObservedMachine::observe(source.root()?);
    let start = BootConfig::read_config(&machine);
    let found = differences(&machine.snapshot, &start.entries, &start.lasting);
    let mut out = Out::new();
    if json {
        out.json(&DifferencesDocument { schema: SCHEMA, differences: &found }, true)?;
    } else if found.is_empty() {
        out.lines(["Nothing will differ after the next boot.".to_owned()])?;
    } else {
        out.lines(found.iter().flat_map(lines))?;
    }
    Ok(if found.is_empty() { Exit::Done } else { Exit::Wrong })
}

fn lines(difference: &BootDifference) -> [String; 2] {
    let BootDifference { what, now, then, file, line, fix } = difference;
    let place = match (file, line) {
        (Some(file), Some(line)) => format!(" ({}:{line})", file.safe()),
        (Some(file), None) => format!(" ({})", file.safe()),
        (None, _) => String::new(),
    };
    [format!("{what}: now {now}; after the next boot: {then}{place}"), format!("    {fix}")]
}
