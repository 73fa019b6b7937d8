//! Stored experiments in each output format. Text is the same as after `experiment run`.

pub mod document;

use super::form;
use crate::cli::args::results::{ExportForm, ResultsOutputArgs, ShowArgs};
use crate::cli::exit::{CommandError, CommandResult, usage};
use crate::cli::options::Environment;
use crate::cli::out::{self, Out};
use crate::columns::{TextSection, text};
use crate::lab::builtin;
use crate::lab::experiment::conclusion::sentence;
use crate::lab::experiment::{Published, table};
use crate::model::experiment::{Experiment, ExperimentExtras};
use crate::model::name::safe_text;
use crate::report::html::{self, ExperimentPage};
use crate::report::markdown;
use document::ExperimentExport;

/// Prints an experiment.
pub(super) fn show(
    experiment: &Experiment,
    beside: &ExperimentExtras,
    args: &ShowArgs,
    environment: &Environment,
) -> CommandResult<()> {
    let ResultsOutputArgs { bytes, explain, all, .. } = args.form;
    for (option, is_given) in [("--bytes", bytes), ("--explain", explain), ("--all", all)] {
        if is_given {
            let why = format!("{option} applies to runs, and this is an experiment");
            return Err(CommandError::Usage(why));
        }
    }
    let mut out = Out::new();
    let published = published(experiment, beside, args.published)?;
    if args.form.json {
        return out.json(&ExperimentExport::for_experiment(experiment, beside), true);
    }
    if args.form.csv || args.form.markdown {
        let form = if args.form.csv { ExportForm::Csv } else { ExportForm::Markdown };
        return out.text(&exported(&[(experiment, beside)], form, args.published)?);
    }
    let width = out::text_width(environment.width);
    form::head(&[experiment.title.clone(), experiment.question.clone()], false, width)?;
    out.lines(table::lines(experiment, published.as_ref(), width))?;
    let runs = format!("The runs of its cases are results {}.", experiment.run_numbers());
    out.lines([String::new()].into_iter().chain(text::wrap(&runs, width)))
}

/// The published figures of an experiment, if requested.
fn published(
    experiment: &Experiment,
    beside: &ExperimentExtras,
    is_wanted: bool,
) -> CommandResult<Option<Published>> {
    if !is_wanted {
        return Ok(None);
    }
    let published = builtin::published(experiment, beside);
    published.map(Some).ok_or_else(|| {
        usage(format!(
            "--published: {} has no published figures: only experiments A to E of swapadm experiment list have, and experiments whose file had [published] when they were run",
            safe_text(&experiment.title)
        ))
    })
}

/// An experiment, with the data stored beside it.
type Shown<'e> = (&'e Experiment, &'e ExperimentExtras);

/// The experiments in an export format, with published figures if requested.
pub(super) fn exported(
    all: &[Shown<'_>],
    form: ExportForm,
    is_published: bool,
) -> CommandResult<String> {
    match (form, all) {
        (ExportForm::Markdown, all) => {
            let pages: CommandResult<Vec<String>> =
                all.iter().map(|it| markdown_of(*it, is_published)).collect();
            pages.map(|pages| pages.concat())
        }
        (ExportForm::Html, all) => {
            let told = all.iter().map(|it| {
                let sections = parts(*it, is_published)?;
                let pictured = table::pictured(it.0);
                Ok(ExperimentPage { experiment: it.0, answer: sentence(it.0), pictured, sections })
            });
            let told: CommandResult<Vec<_>> = told.collect();
            html::experiments(&told?).map_err(CommandError::NoData)
        }
        (ExportForm::Json, [(it, beside)]) => {
            published(it, beside, is_published)?;
            super::json(&ExperimentExport::for_experiment(it, beside))
        }
        (ExportForm::Csv, [(it, beside)]) => {
            published(it, beside, is_published)?;
            comma_separated(it, is_published)
        }
        (ExportForm::Json | ExportForm::Csv, _) => Err(super::single_only("experiment")),
    }
}

fn parts((it, beside): Shown<'_>, is_published: bool) -> CommandResult<Vec<TextSection>> {
    let published = published(it, beside, is_published)?;
    Ok(table::parts(it, published.as_ref(), None))
}

fn comma_separated(experiment: &Experiment, is_published: bool) -> CommandResult<String> {
    if is_published {
        let why =
            "--published: CSV has room for one table only: use --format markdown, html or json";
        return Err(usage(why));
    }
    Ok(document::comma_separated(experiment))
}

fn markdown_of(shown: Shown<'_>, is_published: bool) -> CommandResult<String> {
    let words = [&shown.0.title, &shown.0.question].map(|words| markdown::item(&safe_text(words)));
    let parts = parts(shown, is_published)?;
    let answer = sentence(shown.0).map(|answer| TextSection::words(vec![answer]).safe());
    let told: String = answer.iter().chain(&parts).map(markdown::part).collect();
    Ok(words.join("\n") + "\n\n" + &told)
}
