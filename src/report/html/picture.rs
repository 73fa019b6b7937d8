//! The picture that answers the question of an experiment, below its answer.

use super::{drawn, escaped, plots};
use crate::columns::tables::lab::comparison::scattered;
use crate::derive::lab::{self, RunFigure, figure};
use crate::derive::statistics::Summary;
use crate::model::experiment::{Case, Experiment, USED};
use crate::model::name::safe_text;
use crate::model::run::{RepetitionResult, Run};

/// Kinds of pictures.
enum Picture {
    /// The used space of each area over time, case beside case.
    Used,
    /// The share of large folios that were split, by size.
    FailRates,
    /// The first figure of the experiment, by case.
    Figure,
}

fn kind(id: &str) -> Picture {
    match id {
        USED => Picture::Used,
        rate if rate.starts_with("fail_") => Picture::FailRates,
        _ => Picture::Figure,
    }
}

/// The picture of a column of an experiment; empty if nothing was measured.
pub(super) fn of_experiment(experiment: &Experiment, id: &str) -> Result<String, String> {
    let runs: Vec<(&Case, &Run)> =
        experiment.cases.iter().filter_map(|case| Some((case, case.run.as_ref()?))).collect();
    let plots = match kind(id) {
        Picture::Used => used(&runs)?,
        Picture::FailRates => fail_rates(&runs)?,
        Picture::Figure => Vec::new(),
    };
    if plots.is_empty() {
        return Ok(figure_bars(id, &runs));
    }
    let plots: String = plots.iter().map(drawn).collect();
    Ok(format!("<div class=\"side\">\n{plots}</div>\n"))
}

fn used(runs: &[(&Case, &Run)]) -> Result<Vec<plots::Plot>, String> {
    let measured = runs.iter().filter_map(|(case, run)| Some((case, lab::completed(run).next()?)));
    let measured: Vec<_> = measured.filter(|(_, it)| !it.used.areas.is_empty()).collect();
    let most = measured.iter().map(|(_, it)| plots::most_used(it)).fold(0.0, f64::max);
    let plot = |(case, it): &(&&Case, &RepetitionResult)| {
        let plot = plots::used_up_to(it, most)?;
        let caption = format!("{}: used space of each area over time:", safe_text(&case.name));
        Ok(plots::Plot { caption, ..plot })
    };
    measured.iter().map(plot).collect()
}

fn fail_rates(runs: &[(&Case, &Run)]) -> Result<Vec<plots::Plot>, String> {
    let plot = |(case, run): &(&Case, &Run)| {
        let named = |plot: plots::Plot| {
            let caption = format!("{}: {}", safe_text(&case.name), plot.caption);
            plots::Plot { caption, ..plot }
        };
        Ok(plots::fail_rates(run)?.map(named))
    };
    let plots: Result<Vec<Option<plots::Plot>>, String> = runs.iter().map(plot).collect();
    Ok(plots?.into_iter().flatten().collect())
}

/// Bars of a figure, with the names of the cases and the means. They are part of the page instead of
/// a drawing, so that their text keeps its size on a narrow screen.
fn figure_bars(id: &str, runs: &[(&Case, &Run)]) -> String {
    let found = runs.iter().filter_map(|(case, run)| {
        let figure = figure(run, id)?;
        let summary = figure.summary().into_result().ok()?;
        Some((case, figure, summary))
    });
    let found: Vec<_> = found.collect();
    let most = found.iter().map(|(_, _, summary)| summary.mean).fold(0.0, f64::max);
    let Some((_, first, _)) = found.first() else { return String::new() };
    let unit = first.measure.shown(most);
    let bar = |(case, _, summary): &(&&Case, RunFigure, Summary)| {
        let share = if most > 0.0 { (summary.mean / most).clamp(0.0, 1.0) } else { 0.0 };
        format!(
            "<span>{}</span><div><span class=\"bar\" style=\"width:{:.1}%\"></span><span class=\"mean\">{}</span></div>\n",
            escaped(&case.name),
            70.0 * share,
            escaped(&scattered(&summary.in_unit(unit.size)))
        )
    };
    let bars: String = found.iter().map(bar).collect();
    let head = format!("{}, {}", first.head, unit.word);
    let caption = format!("{head}: mean of each case and its standard deviation");
    format!(
        "<figure>\n<div class=\"bars\">\n{bars}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
        escaped(&caption)
    )
}
