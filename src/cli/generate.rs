//! Documents made from the definitions of the program: manual pages, completions, JSON schemas, and the page on
//! the fidelity of the simulated machine.

mod completions;
mod fidelity;

use super::args::{Cli, GenerateArgs, Generated};
use super::commands::change::schemas;
use super::commands::results::experiment::schema as experiment;
use super::exit::{CommandError, Exit};
use super::{manual, out};
use crate::columns::TABLES;
use crate::columns::tables::lab::LAB_TABLES;
use crate::model;
use crate::report::json;
use clap::CommandFactory as _;
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
        Generated::Fidelity => vec![fidelity::page().map_err(CommandError::Usage)?],
    };
    for (name, bytes) in made {
        out::replace_file(&args.out.join(Path::new(&name)), &bytes)?;
    }
    Ok(Exit::Done)
}

/// Completions for each shell.
pub fn completions() -> Vec<GeneratedFile> {
    completions::for_shells(&command())
}

/// The parser of the program, completely built.
pub fn command() -> clap::Command {
    let mut command = Cli::command();
    // Building fills in what clap adds by itself, such as --help on every command.
    command.build();
    command
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
