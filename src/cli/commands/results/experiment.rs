//! Experiments that are kept, in each form: for people as their command told them.

pub mod document;
pub mod schema;

use super::form;
use crate::cli::args::results::{ExportForm, ShowArgs};
use crate::cli::exit::Failure;
use crate::cli::options::Environment;
use crate::cli::out::Out;
use crate::columns::text;
use crate::lab::experiment::{Published, builtin, table};
use crate::model::experiment::{Beside, Experiment};
use crate::model::name::safe_text;
use crate::report::{html, markdown};
use document::Document;

/// Cells of a line where there is no terminal.
const WIDTH: usize = 80;
/// The narrowest terminal that is written for.
const NARROW: usize = 40;

/// Cells of a line.
pub fn width(terminal: Option<usize>) -> usize {
    terminal.unwrap_or(WIDTH).max(NARROW)
}

/// The numbers of the runs of its cases.
pub fn numbers(experiment: &Experiment) -> String {
    let ids = experiment.runs().filter(|run| run.id > 0).map(|run| run.id.to_string());
    let ids: Vec<String> = ids.collect();
    if ids.is_empty() { "not kept".to_owned() } else { ids.join(", ") }
}

/// Print what it has shown.
pub(super) fn show(
    (experiment, beside): (&Experiment, &Beside),
    args: &ShowArgs,
    environment: &Environment,
) -> Result<(), Failure> {
    let mut out = Out::new();
    let published = published(experiment, beside, args.published)?;
    if args.form.json {
        return out.json(&Document::of(experiment, beside), true);
    }
    if args.form.csv || args.form.markdown {
        let form = if args.form.csv { ExportForm::Csv } else { ExportForm::Markdown };
        return out.raw(&exported((experiment, beside), form, args.published)?);
    }
    let width = width(environment.width);
    form::head(&[experiment.title.clone(), experiment.question.clone()], false, width)?;
    out.lines(table::lines(experiment, published.as_ref(), width))?;
    let runs = format!("The runs of its cases as results: {}.", numbers(experiment));
    out.lines([String::new()].into_iter().chain(text::wrap(&runs, width)))
}

/// What others have published of it, where that is asked for.
fn published(
    experiment: &Experiment,
    beside: &Beside,
    is_wanted: bool,
) -> Result<Option<Published>, Failure> {
    if !is_wanted {
        return Ok(None);
    }
    let published = builtin::published(experiment, beside);
    published.map(Some).ok_or_else(|| {
        Failure::Usage(format!(
            "--published: of {} no published figures are known: those of experiments that are built in, as swapadm experiment list shows them, always are, and those that a file has in [published] are kept with its result",
            safe_text(&experiment.title)
        ))
    })
}

/// All of it, in a form for a file, with what others have published where that is asked for.
pub(super) fn exported(
    (experiment, beside): (&Experiment, &Beside),
    form: ExportForm,
    is_published: bool,
) -> Result<String, Failure> {
    let published = published(experiment, beside, is_published)?;
    let parts = || table::parts(experiment, published.as_ref());
    match form {
        ExportForm::Json => super::json(&Document::of(experiment, beside)),
        ExportForm::Csv if is_published => Err(Failure::Usage(
            "--published: a file of CSV holds one table: use --format markdown, html or json"
                .to_owned(),
        )),
        ExportForm::Csv => Ok(document::comma_separated(experiment)),
        ExportForm::Markdown => {
            let head = format!("{}\n", markdown::item(&safe_text(&experiment.title)))
                + &format!("{}\n\n", markdown::item(&safe_text(&experiment.question)));
            Ok(head + &parts().iter().map(markdown::part).collect::<String>())
        }
        ExportForm::Html => html::experiment(experiment, &parts()).map_err(Failure::Nothing),
    }
}
