//! `swapadm persist check`.

use super::change::ledger;
use crate::actions::journal::{self, Record};
use crate::actions::persist::{
    BootDifference, UnreadableConfig, ValueAtBoot, differences, unreadable_files,
};
use crate::change::{
    self, BootConfig, ObservedMachine, why_config_unreadable, why_settings_unknown,
};
use crate::cli::args::PersistCommand;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::options::{Environment, Invocation};
use crate::cli::out::Out;
use crate::model::name::safe_text;
use crate::probes::surroundings;
use crate::root::Root;
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
pub fn run(command: PersistCommand, invocation: &Invocation) -> CommandResult {
    let PersistCommand::Check { json } = command;
    let machine = ObservedMachine::observe(invocation.source.root()?);
    // Without the active areas, all entries would seem to be off.
    machine.areas()?;
    let (found, unread) = if let Some(why) = why_config_unreadable(&machine) {
        (Vec::new(), vec![UnreadableConfig { file: "/etc".into(), why }])
    } else {
        let start = BootConfig::read_config(&machine);
        let entries = start.checked_entries(&machine);
        let services = surroundings::swap_services(machine.root);
        let unknown = why_settings_unknown(machine.root);
        let (records, boot) = records_and_boot(machine.root, &invocation.environment);
        let at_boot = |file: &str| journal::value_at_boot(&records, &boot, file);
        let at_boot: ValueAtBoot<'_> = &at_boot;
        let settings = unknown.is_none().then_some((&start.lasting, at_boot));
        let found =
            differences(&machine.snapshot, &entries, settings, &services, &start.without_effect);
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

/// The plans in the journal, and the ID of this boot; nothing where they cannot be read.
fn records_and_boot(root: &Root, environment: &Environment) -> (Vec<Record>, String) {
    let records = journal::read_unchecked(&ledger(root, environment).journal).unwrap_or_default();
    (records, change::boot(root).unwrap_or_default())
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
    let what = what.safe();
    [format!("{what}: now {now}; after the next boot: {then}{place}"), format!("    {fix}")]
}
