//! Runs or experiments as a self-contained HTML page with tables and plots.
//!
//! The tables are those of `results show`, and the plots show their figures. Colors follow the reader's
//! choice of light or dark.

mod picture;
mod plots;

use crate::columns::tables::lab;
use crate::columns::{ExtraRows, Info, Request, Rows, Spec, Style, TextSection, TextTable, Value};
use crate::derive::lab::{ResultPair, figure, with_stopped_runs};
use crate::model::experiment::Experiment;
use crate::model::name::safe_text;
use crate::model::run::Run;
use crate::model::text;
use plots::Plot;

/// The page of these runs. Fails if a plot cannot be drawn.
pub fn page(runs: &[Run]) -> Result<String, String> {
    let titles: Vec<String> = runs.iter().map(|run| run.title.clone()).collect();
    let mut parts = Vec::new();
    if runs.len() > 1 {
        parts.push("<h1>Runs</h1>\n".to_owned());
        let labelled = labelled(runs);
        parts.push(side_by_side(&labelled)?);
        parts.push(against_first(&runs_against_first(&labelled))?);
    }
    for run in runs {
        parts.push(section(run)?);
    }
    Ok(whole_page(&titles.join(", "), &parts.concat()))
}

/// An experiment, its answer in one sentence, and the sections of its report.
#[derive(Clone, Debug)]
pub struct ExperimentPage<'e> {
    /// The experiment.
    pub experiment: &'e Experiment,
    /// The answer; none if it compares nothing.
    pub answer: Option<String>,
    /// The column that the picture shows.
    pub pictured: Option<&'e str>,
    /// The sections below the answer.
    pub sections: Vec<TextSection>,
}

/// The page of experiments: the report, the cases side by side, and the run of each case. Several experiments
/// are compared first. Fails if a plot cannot be drawn.
pub fn experiments(all: &[ExperimentPage<'_>]) -> Result<String, String> {
    let titles: Vec<String> = all.iter().map(|it| it.experiment.title.clone()).collect();
    let mut parts = Vec::new();
    if all.len() > 1 {
        parts.push("<h1>Experiments</h1>\n".to_owned());
        let label = |(place, it): (usize, &ExperimentPage<'_>)| label(place, it.experiment.id);
        let labels: Vec<String> = all.iter().enumerate().map(label).collect();
        let item = |(label, it): (&String, &ExperimentPage<'_>)| {
            let began = began(&it.experiment.title, it.experiment.at_ms);
            format!("<li>{}</li>\n", escaped(&format!("{label} {began}")))
        };
        let list: String = labels.iter().zip(all).map(item).collect();
        parts.push(format!("<ul>\n{list}</ul>\n"));
        parts.push(against_first(&experiments_against_first(&labels, all))?);
    }
    for told in all {
        parts.push(experiment_section(told)?);
    }
    Ok(whole_page(&titles.join(", "), &parts.concat()))
}

/// Question, answer and picture first; then the figures, and the runs of the cases folded away.
fn experiment_section(page: &ExperimentPage<'_>) -> Result<String, String> {
    let ExperimentPage { experiment, answer, pictured, sections } = page;
    let title = escaped(&experiment.title);
    let question = escaped(&experiment.question);
    let mut parts = vec![format!("<h1>{title}</h1>\n<p class=\"question\">{question}</p>\n")];
    let answered = |answer: &String| format!("<p class=\"answer\">{}</p>\n", escaped(answer));
    parts.extend(answer.iter().map(answered));
    parts.extend(pictured.map(|id| picture::of_experiment(experiment, id)).transpose()?);
    parts.extend(sections.iter().map(part));
    let mut runs = vec![side_by_side(&cases(experiment))?];
    for run in experiment.runs() {
        runs.push(section(run)?);
    }
    let runs = runs.concat();
    parts.push(format!("<details>\n<summary>Runs of the cases</summary>\n{runs}</details>\n"));
    Ok(parts.concat())
}

fn whole_page(title: &str, body: &str) -> String {
    let (title, version) = (escaped(title), env!("CARGO_PKG_VERSION"));
    format!(
        "{HEAD}<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\
         <footer>swapadm {version}</footer>\n</body>\n</html>\n"
    )
}

const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"color-scheme\" content=\"light dark\">\n";

/// Beginning of a block that scrolls if its table is wider than the page.
const WIDE: &str = "<div class=\"wide\">\n";

/// Style sheet. Text in plots takes the color of the page instead of that of the drawing.
const STYLE: &str = "
:root { --ink: #1c1c1c; --paper: #ffffff; --line: #c8c8c8; --soft: #5a5a5a }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e4; --paper: #16181a; --line: #44484c; --soft: #a0a4a8 }
}
* { box-sizing: border-box }
body { color: var(--ink); background: var(--paper); font: 1rem/1.5 sans-serif; max-width: 80rem;
  margin: 0 auto; padding: 1rem clamp(.8rem, 3vw, 3rem); overflow-wrap: anywhere }
p, ul { max-width: 50rem }
.question { font-size: 1.15rem; color: var(--soft) }
.answer { font-size: clamp(1.2rem, 2.2vw, 1.7rem); font-weight: 600; line-height: 1.3 }
.side { display: grid; gap: 1rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)) }
.bars { display: grid; gap: .4rem .8rem; grid-template-columns: fit-content(45%) 1fr;
  align-items: center; margin: 0 0 1.5em; max-width: 60rem }
.bars div { display: flex; gap: .5rem; align-items: center }
.bars .bar { display: block; height: 1.3rem; min-width: 1px; background: #3b82c4; border-radius: 2px }
.bars .mean { white-space: nowrap; font-variant-numeric: tabular-nums }
.wide { overflow-x: auto; margin: 0 0 1.5em }
summary { cursor: pointer; font-size: 1.15rem; margin: 1rem 0 }
table { border-collapse: collapse }
th, td { padding: .2em .8em; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: normal }
th { color: var(--soft); font-weight: 600 }
td { max-width: 36rem }
.number { text-align: right; font-variant-numeric: tabular-nums }
td.number { white-space: nowrap }
figure { margin: 0 0 1.5em }
figcaption, footer { color: var(--soft) }
svg { width: 100%; max-width: 60rem; height: auto }
svg text { fill: var(--ink) }
.legend { white-space: nowrap }
.mark { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em }
";

/// A run with a short label.
type Labelled<'r> = (String, &'r Run);

fn labelled(runs: &[Run]) -> Vec<Labelled<'_>> {
    runs.iter().enumerate().map(|(place, run)| (label(place, run.id), run)).collect()
}

/// Label of a result: its number, or its position if it has none.
fn label(place: usize, id: u64) -> String {
    if id == 0 { format!("({})", place + 1) } else { id.to_string() }
}

/// The cases, labelled by name if all names fit below their bars, otherwise by number.
fn cases(experiment: &Experiment) -> Vec<Labelled<'_>> {
    let cases = experiment.cases.iter();
    let named = cases.filter_map(|case| Some((safe_text(&case.name), case.run.as_ref()?)));
    let named: Vec<Labelled<'_>> = named.collect();
    let longest = named.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    if longest * named.len() <= plots::LETTERS {
        return named;
    }
    let number = |(place, (_, run))| (format!("({})", place + 1), run);
    named.into_iter().enumerate().map(number).collect()
}

/// Bars of throughput, free latency and system time of all runs.
fn side_by_side(runs: &[Labelled<'_>]) -> Result<String, String> {
    let item = |(label, run): &Labelled<'_>| {
        format!("<li>{}</li>\n", escaped(&format!("{label} {}", called(run))))
    };
    let list: String = runs.iter().map(item).collect();
    let mut part = format!("<ul>\n{list}</ul>\n<div class=\"side\">\n");
    for id in ["throughput_sum", "free_mean", "system"] {
        let found = runs.iter().filter_map(|(label, run)| {
            let summary = figure(run, id)?.summary().into_result().ok()?;
            Some((label.clone(), summary.mean, summary.deviation))
        });
        let found: Vec<(String, f64, Option<f64>)> = found.collect();
        let largest = found.iter().map(|(_, mean, _)| *mean).fold(0.0, f64::max);
        let named = runs.iter().find_map(|(_, run)| figure(run, id));
        let Some(named) = named.filter(|_| !found.is_empty()) else { continue };
        let unit = named.measure.shown(largest);
        let caption = format!("{}, {}, with the standard deviation", named.head, unit.word);
        let scaled = |(label, mean, off): (String, f64, Option<f64>)| {
            plots::Bar::from((label, mean / unit.size, off.map(|off| off / unit.size)))
        };
        let bars: Vec<plots::Bar> = found.into_iter().map(scaled).collect();
        part += &drawn(&plots::bars(&caption, &bars)?);
    }
    Ok(part + "</div>\n")
}

/// A comparison with its title, or the reason why there is none.
type ComparisonWithFirst<'k> = (String, Result<ResultPair<'k>, String>);

/// Compares each other result with the first: differences in setup, and figures beyond the noise.
fn against_first(all: &[ComparisonWithFirst<'_>]) -> Result<String, String> {
    let mut parts = Vec::new();
    let mut below = None;
    for (title, both) in all {
        parts.push(format!("<h2>{}</h2>\n", escaped(title)));
        let both = match both {
            Ok(both) => both,
            Err(why) => {
                parts.push(paragraph(why));
                continue;
            }
        };
        let told = lab::compare_results(both, &Request::default())?;
        parts.extend(told.nothing.iter().map(|words| paragraph(words)));
        for (spec, rows) in [lab::differences_table(both)?].into_iter().chain(told.tables) {
            parts.extend(rows.title.iter().map(|title| format!("<h3>{}</h3>\n", escaped(title))));
            if !rows.cells.is_empty() {
                parts.push(table(spec, &rows));
            }
            parts.extend(left_out(spec, &rows));
            // Printed once, below the last table.
            below = rows.below.or(below);
        }
        parts.extend(told.below.map(|words| paragraph(&words)));
    }
    parts.extend(below.map(|words| paragraph(&words)));
    Ok(parts.concat())
}

/// Comparisons of each other run with the first.
fn runs_against_first<'r>(runs: &[Labelled<'r>]) -> Vec<ComparisonWithFirst<'r>> {
    let Some(((label, base), others)) = runs.split_first() else { return Vec::new() };
    let against = |(other, run): &Labelled<'r>| {
        (versus((label, &base.title), (other, &run.title)), Ok(ResultPair::Runs(base, run)))
    };
    others.iter().map(against).collect()
}

/// Comparisons of each other experiment with the first.
fn experiments_against_first<'e>(
    labels: &[String],
    all: &[ExperimentPage<'e>],
) -> Vec<ComparisonWithFirst<'e>> {
    let mut labelled = labels.iter().zip(all);
    let Some((label, ExperimentPage { experiment: base, .. })) = labelled.next() else {
        return Vec::new();
    };
    let against = |(other, page): (&String, &ExperimentPage<'e>)| {
        let it = page.experiment;
        (versus((label, &base.title), (other, &it.title)), ResultPair::from_experiments(base, it))
    };
    labelled.map(against).collect()
}

/// Title of a comparison.
fn versus((first, base): (&str, &str), (second, other): (&str, &str)) -> String {
    format!("A is {first} {base}, B is {second} {other}")
}

fn called(run: &Run) -> String {
    let kernel = run.machine.kernel.as_deref().unwrap_or("of unknown release");
    format!("{}, Linux {kernel}", began(&run.title, run.at_ms))
}

fn began(title: &str, at_ms: u64) -> String {
    format!("{title}, {}", text::format_date(at_ms))
}

fn section(run: &Run) -> Result<String, String> {
    let mut parts = vec![format!("<h1>{}</h1>\n", escaped(&run.title))];
    for (spec, rows) in lab::run_tables(run, &Request::default())? {
        if rows.cells.is_empty() {
            continue;
        }
        parts.push(format!("<h2>{}</h2>\n", escaped(spec.title)));
        parts.extend(plots::plots_for_table(&with_stopped_runs(run), spec.name)?.iter().map(drawn));
        parts.push(table(spec, &rows));
        parts.extend(left_out(spec, &rows));
        parts.extend(rows.below.iter().map(|words| paragraph(words)));
    }
    Ok(parts.concat())
}

/// Note on the rows that the page does not show.
fn left_out(spec: &Spec, rows: &Rows) -> Option<String> {
    let more = spec.left_out(rows.hidden)?;
    Some(paragraph(&format!("{}: {more}", spec.title)))
}

fn drawn(plot: &Plot) -> String {
    let mark = |(name, color): &(String, &'static str)| {
        let mark = format!("<span class=\"mark\" style=\"background:{color}\"></span>");
        format!("<span class=\"legend\">{mark}{}</span> ", escaped(name))
    };
    let marks: String = plot.marks.iter().map(mark).collect();
    let caption = format!("<figcaption>{}{marks}</figcaption>", escaped(&plot.caption));
    format!("<figure>\n{}\n{caption}\n</figure>\n", plot.svg)
}

fn table(spec: &Spec, rows: &Rows) -> String {
    match spec.style {
        Style::Record => record(rows),
        Style::Rows => {
            let heads: String = rows.infos.iter().map(|info| cell("th", info.head, info)).collect();
            let row = |row: &Vec<Value>| {
                let cells = row.iter().zip(&rows.infos);
                let cells =
                    cells.map(|(value, info)| cell("td", &value.human(info.unit, false), info));
                format!("<tr>{}</tr>\n", cells.collect::<String>())
            };
            let body: String = rows.cells.iter().map(row).collect();
            format!("{WIDE}<table>\n<tr>{heads}</tr>\n{body}</table>\n</div>\n")
        }
    }
}

fn part(part: &TextSection) -> String {
    let words = part.words.iter().map(|words| paragraph(words));
    words.chain(part.sheet.iter().map(sheet)).collect()
}

fn paragraph(words: &str) -> String {
    format!("<p>{}</p>\n", escaped(words))
}

fn sheet(sheet: &TextTable) -> String {
    let line = |tag: &str, row: &[String]| {
        let class = |place| if place < sheet.names { "" } else { " class=\"number\"" };
        let cells = row.iter().enumerate();
        let cells =
            cells.map(|(place, text)| format!("<{tag}{}>{}</{tag}>", class(place), escaped(text)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let title = |under: &ExtraRows| {
        format!("<tr><th colspan=\"{}\">{}</th></tr>\n", sheet.heads.len(), escaped(&under.title))
    };
    let under = sheet.under.iter().flat_map(|under| {
        [title(under)].into_iter().chain(under.rows.iter().map(|row| line("td", row)))
    });
    let body: String = sheet.rows.iter().map(|row| line("td", row)).chain(under).collect();
    format!("{WIDE}<table>\n{}{body}</table>\n</div>\n", line("th", &sheet.heads))
}

/// Heading and value on each line.
fn record(rows: &Rows) -> String {
    let pairs = rows.cells.iter().flat_map(|row| row.iter().zip(&rows.infos));
    let line = |(value, info): (&Value, &&'static Info)| {
        let value = escaped(&value.human(info.unit, false));
        format!("<tr><th>{}</th><td>{value}</td></tr>\n", escaped(info.head))
    };
    format!("{WIDE}<table>\n{}</table>\n</div>\n", pairs.map(line).collect::<String>())
}

fn cell(tag: &str, text: &str, info: &Info) -> String {
    let class = if info.unit.is_number() { " class=\"number\"" } else { "" };
    format!("<{tag}{class}>{}</{tag}>", escaped(text))
}

/// Escapes markup and invisible characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in safe_text(text).chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
