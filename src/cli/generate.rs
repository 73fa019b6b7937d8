//! Documents made from the definitions of the program: manual pages, completions, JSON schemas, and the page on
//! the fidelity of the simulated machine.

mod completions;
mod fidelity;

use super::args::{Cli, GenerateArgs, Generated};
use super::exit::{CommandError, CommandResult, Exit};
use super::schemas::WRITTEN;
use super::{manual, out};
use crate::columns::TABLES;
use crate::columns::tables::lab::LAB_TABLES;
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
pub fn run(args: &GenerateArgs) -> CommandResult {
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

fn schemas() -> CommandResult<Vec<GeneratedFile>> {
    let written = WRITTEN.iter().map(|schema| Ok((schema.name.to_owned(), schema.text.into())));
    let of_tables =
        [("swapadm", json::schema(TABLES)), ("swapadm-results", json::results_schema(LAB_TABLES))];
    let made = of_tables.into_iter().map(|(name, schema)| {
        let mut bytes = serde_json::to_vec_pretty(&schema).map_err(io::Error::from)?;
        bytes.push(b'\n');
        Ok((format!("{name}-{}", json::SCHEMA), bytes))
    });
    let named = |(name, bytes)| (format!("{name}.schema.json"), bytes);
    made.chain(written).map(|file| file.map(named)).collect()
}
