//! Documents made from the definitions of the program: manual pages, completions, JSON schemas, and the page on
//! the fidelity of the simulated machine.

mod completions;

use super::args::{Cli, GenerateArgs, Generated};
use super::exit::{CommandError, CommandResult, Exit};
use super::schemas::WRITTEN;
use super::{manual, out};
use crate::columns::TABLES;
use crate::columns::tables::lab::{LAB_TABLES, published as page};
use crate::learn::file;
use crate::report::{json, markdown};
use crate::sim::comparison::{COMPARISONS, MISSED, describe_captures, describe_random_machines};
use crate::sim::describe;
use crate::sim::policy::PRESETS;
use crate::sim::published;
use clap::CommandFactory as _;
use std::fmt::Write as _;
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
        Generated::Fidelity => vec![fidelity().map_err(CommandError::Usage)?],
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
    let of_tables = of_tables.map(|(name, schema)| (format!("{name}-{}", json::SCHEMA), schema));
    let of_files = [
        ("swapadm-machine-1", "A simulated machine", describe::json_schema()),
        ("swapadm-lesson-1", "A lesson", file::json_schema()),
    ];
    let of_files = of_files.map(|(name, title, mut schema)| {
        if let Some(members) = schema.as_object_mut() {
            members.insert("$schema".to_owned(), json::DRAFT.into());
            members.insert("title".to_owned(), title.into());
        }
        (name.to_owned(), schema)
    });
    let made = of_tables.into_iter().chain(of_files).map(|(name, schema)| {
        let mut bytes = serde_json::to_vec_pretty(&schema).map_err(io::Error::from)?;
        bytes.push(b'\n');
        Ok((name, bytes))
    });
    let named = |(name, bytes)| (format!("{name}.schema.json"), bytes);
    made.chain(written).map(|file| file.map(named)).collect()
}

/// Begin of docs/FIDELITY.md.
const INTRODUCTION: &str = "\
# Fidelity of the simulated machine

`swapadm generate fidelity --out docs` writes this page. `swapadm experiment run policies` prints the tables;
`--scale TIMES` makes the machines larger.

## Running kernels

The tests in tests/live/selection place the same areas and the same workload on the running kernel and in the model.
";

/// docs/FIDELITY.md: published figures beside those of the simulated machine, and what was compared with kernels.
fn fidelity() -> Result<GeneratedFile, String> {
    let results = COMPARISONS.iter().map(|it| it.result).filter(|result| !result.is_empty());
    let mut text = format!("{INTRODUCTION}\n{}\n\n", results.collect::<Vec<_>>().join("\n\n"));
    let _ = writeln!(text, "Random machines {}. {MISSED}\n", describe_random_machines());
    let _ = writeln!(text, "{}\n", describe_captures());
    let row = |first: &str, cells: &[&str]| format!("| {first} | {} |\n", cells.join(" | "));
    text += &row("kernel", &COMPARISONS.map(|it| it.figures));
    text += &row("---", &["---"; COMPARISONS.len()]);
    for preset in PRESETS {
        let cells = COMPARISONS
            .map(|it| if it.kernels.contains(&preset) { "compared" } else { "not validated" });
        text += &row(preset, &cells);
    }
    text += "\nVirtual swap was not merged, so it cannot be compared with a kernel of a release: not validated.\n";
    let _ = writeln!(text, "\n## Published experiments\n\n{}\n", page::legend());
    let parts: Vec<_> = published::TABLES
        .iter()
        .map(|table| (table, published::compare(table, 1.0, &mut |_| {})))
        .collect();
    let all: Vec<published::ComparedFigure> = parts.iter().flat_map(|(_, it)| it.clone()).collect();
    let _ = writeln!(text, "{}", page::summary(&all));
    for (part, figures) in &parts {
        let _ = writeln!(text, "\n### {}\n", page::title(part));
        text += &page::introduction(part).map(|words| words + "\n\n").concat();
        let (spec, rows) = page::table(figures, false)?;
        text += &markdown::table(spec, &rows, false, false);
        for remark in page::remarks(part, figures) {
            let _ = writeln!(text, "\n{remark}");
        }
    }
    Ok(("FIDELITY.md".to_owned(), text.into_bytes()))
}
