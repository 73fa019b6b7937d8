//! Documents made from the definitions of the program: manual pages, completions and JSON schemas.

use super::args::{Cli, GenerateArgs, Generated, groups};
use super::commands::change::schemas;
use super::commands::results::experiment::schema as experiment;
use super::exit::{CommandError, Exit};
use super::{manual, out};
use crate::columns::TABLES;
use crate::columns::tables::lab::LAB_TABLES;
use crate::model;
use crate::report::json;
use clap::CommandFactory as _;
use clap_complete::Shell;
use std::io;
use std::path::Path;

/// A generated document: its file name and its content.
pub type GeneratedFile = (String, Vec<u8>);

/// Writes the documents into a directory.
///
/// # Errors
/// A file cannot be written.
pub fn run(args: &GenerateArgs) -> Result<Exit, CommandError> {
    let made = match args.what {
        Generated::Man => manual::pages().map_err(CommandError::from)?,
        Generated::Completions => completions(),
        Generated::Schema => schemas()?,
    };
    for (name, bytes) in made {
        out::write_file(&args.out.join(Path::new(&name)), &bytes)?;
    }
    Ok(Exit::Done)
}

/// The parser of the program, completely built.
pub fn command() -> clap::Command {
    let mut command = Cli::command();
    // Building fills in what clap adds by itself, such as --help on every command.
    command.build();
    command
}

/// Completions for each shell.
pub fn completions() -> Vec<GeneratedFile> {
    let offered = without_hidden(&command());
    let shells = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell];
    let made = |shell: Shell| {
        let mut bytes = Vec::new();
        clap_complete::generate(shell, &mut offered.clone(), "swapadm", &mut bytes);
        let generator: &dyn clap_complete::Generator = &shell;
        (generator.file_name("swapadm"), bytes)
    };
    shells.into_iter().map(made).collect()
}

/// A copy of the command without hidden parts, which some completion generators would include. Global
/// options are part of each command by now, so that single commands can hide them.
fn without_hidden(command: &clap::Command) -> clap::Command {
    let name = command.get_name().to_owned();
    let by_clap = |id: &str| ["help", "version"].contains(&id);
    let args = command.get_arguments().filter(|it| !it.is_hide_set());
    let args: Vec<_> = args.filter(|it| !by_clap(it.get_id().as_str())).cloned().collect();
    // Options may require a group of arguments.
    let is_offered = |id: &clap::Id| args.iter().any(|it| it.get_id() == id);
    let groups: Vec<_> =
        command.get_groups().filter(|it| it.get_args().all(is_offered)).cloned().collect();
    let below = command.get_subcommands().filter(|it| !it.is_hide_set());
    let mut below: Vec<_> =
        below.filter(|it| !by_clap(it.get_name())).map(without_hidden).collect();
    if name == "swapadm" {
        below.sort_by_key(|it| groups::position(it.get_name()));
    }
    let about = command.get_about().cloned().unwrap_or_default();
    let version = command.get_version().map(str::to_owned);
    let args = args.into_iter().map(|it| it.global(false));
    let copy = clap::Command::new(name).about(about).args(args).groups(groups);
    let copy =
        copy.subcommands(below).disable_help_subcommand(command.is_disable_help_subcommand_set());
    match version {
        Some(version) => copy.version(version),
        None => copy,
    }
}

fn schemas() -> Result<Vec<GeneratedFile>, CommandError> {
    let made = |(name, schema): (String, serde_json::Value)| {
        let mut bytes = serde_json::to_vec_pretty(&schema).map_err(io::Error::from)?;
        bytes.push(b'\n');
        Ok((format!("{name}.schema.json"), bytes))
    };
    let tables = (format!("swapadm-{}", json::SCHEMA), json::schema(TABLES));
    let changes = (format!("swapadm-change-{}", schemas::SCHEMA), schemas::schema());
    let results = (format!("swapadm-results-{}", json::SCHEMA), json::results_schema(LAB_TABLES));
    let experiments =
        (format!("swapadm-experiment-{}", model::experiment::SCHEMA), experiment::schema());
    let stress = (
        format!("swapadm-stress-run-{}", schemas::lab::DOCUMENT_SCHEMA),
        schemas::lab::stress_schema(),
    );
    let run = format!("swapadm-experiment-run-{}", schemas::lab::DOCUMENT_SCHEMA);
    let run = (run, schemas::lab::experiment_schema());
    [tables, changes, results, experiments, stress, run].into_iter().map(made).collect()
}
