//! `swapadm persist check`.

use crate::actions::persist::{Difference, differences};
use crate::change::{Machine, Start};
use crate::cli::args::PersistCommand;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::SourceOptions;
use crate::cli::out::Out;
use serde::Serialize;

/// The version of the form of what `--json` prints.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    differences: &'a [Difference],
}

/// Tell where the running machine and the files that set it up differ.
///
/// # Errors
/// When the output cannot be written.
pub fn run(command: PersistCommand, source: &SourceOptions) -> Result<Exit, Failure> {
    let PersistCommand::Check { json, .. } = command;
    let machine = Machine::of(source.root()?);
    let start = Start::of(&machine);
    let found = differences(&machine.snapshot, &start.entries, &start.lasting);
    let mut out = Out::new();
    if json {
        out.json(&Document { schema: SCHEMA, differences: &found }, true)?;
    } else if found.is_empty() {
        out.lines(["at the next start all will be as it is now".to_owned()])?;
    } else {
        out.lines(found.iter().flat_map(lines))?;
    }
    Ok(if found.is_empty() { Exit::Done } else { Exit::Wrong })
}

fn lines(difference: &Difference) -> [String; 2] {
    let Difference { what, now, then, file, line, fix } = difference;
    let place = match (file, line) {
        (Some(file), Some(line)) => format!(" ({}:{line})", file.safe()),
        (Some(file), None) => format!(" ({})", file.safe()),
        (None, _) => String::new(),
    };
    [format!("{what}: {now} now, at the next start {then}{place}"), format!("    {fix}")]
}
