//! `swapadm persist check`.

use crate::actions::persist::{BootDifference, UnreadableConfig, differences, unreadable_files};
use crate::change::{BootConfig, ObservedMachine, why_config_unreadable, why_settings_unknown};
use crate::cli::args::PersistCommand;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::options::SourceOptions;
use crate::cli::out::Out;
use crate::model::name::safe_text;
use crate::probes::surroundings;
use serde::Serialize;

/// The version of the format of `--json`.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct DifferencesDocument<'a> {
    schema: u32,
    differences: &'a [BootDifference],
    unreadable: &'a [UnreadableConfig],
}

/// Prints the differences between the running machine and its configuration files.
///
/// # Errors
/// The output cannot be written.
pub fn run(command: PersistCommand, source: &SourceOptions) -> CommandResult {
    let PersistCommand::Check { json, .. } = command;
    let machine = ObservedMachine::observe(source.root()?);
    let (found, unread) = if let Some(why) = why_config_unreadable(&machine) {
        (Vec::new(), vec![UnreadableConfig { file: "/etc".into(), why }])
    } else {
        let start = BootConfig::read_config(&machine);
        let entries = start.checked_entries(&machine);
        let services = surroundings::swap_services(machine.root);
        let unknown = why_settings_unknown(machine.root);
        let lasting = unknown.is_none().then_some(&start.lasting);
        let found =
            differences(&machine.snapshot, &entries, lasting, &services, &start.without_effect);
        (found, unreadable_files(&entries).into_iter().chain(unknown).collect())
    };
    let mut out = Out::new();
    if json {
        let document =
            DifferencesDocument { schema: SCHEMA, differences: &found, unreadable: &unread };
        out.json(&document, true)?;
    } else if found.is_empty() && unread.is_empty() {
        out.lines(["Nothing will differ after the next boot.".to_owned()])?;
    } else {
        out.lines(unread.iter().map(unreadable_line))?;
        out.lines(found.iter().flat_map(lines))?;
    }
    Ok(match (found.is_empty(), unread.is_empty()) {
        (true, true) => Exit::Done,
        (true, false) => Exit::Failed,
        (false, _) => Exit::Wrong,
    })
}

fn unreadable_line(unread: &UnreadableConfig) -> String {
    let (file, why) = (unread.file.safe(), safe_text(&unread.why));
    format!("{file}: unknown what it sets up at boot: {why}")
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
