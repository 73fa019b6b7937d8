//! Runs as one page: tables and plots, and nothing that has to be fetched or run.
//!
//! The tables are those of `results show`, the plots are drawn from the same figures. Colours are
//! left to the reader's choice of light or dark.

mod plots;

use crate::columns::tables::lab;
use crate::columns::{Info, Request, Rows, Spec, Style, Value};
use crate::derive::lab::figure;
use crate::model::civil;
use crate::model::name::safe_text;
use crate::model::run::Run;
use plots::Plot;

/// The page.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn page(runs: &[Run]) -> Result<String, String> {
    let titles: Vec<String> = runs.iter().map(|run| run.title.clone()).collect();
    let title = escaped(&titles.join(", "));
    let mut parts = vec![
        HEAD.to_owned(),
        format!("<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"),
    ];
    if runs.len() > 1 {
        parts.push(side_by_side(runs)?);
    }
    for run in runs {
        parts.push(section(run)?);
    }
    let version = env!("CARGO_PKG_VERSION");
    parts.push(format!("<footer>swapadm {version}</footer>\n</body>\n</html>\n"));
    Ok(parts.concat())
}

const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"color-scheme\" content=\"light dark\">\n";

/// Words of a plot take the colour of the page: what the drawing says of them comes after this.
const STYLE: &str = "
:root { --ink: #1c1c1c; --paper: #ffffff; --line: #c8c8c8; --soft: #5a5a5a }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e4; --paper: #16181a; --line: #44484c; --soft: #a0a4a8 }
}
body { color: var(--ink); background: var(--paper); font: 15px/1.5 sans-serif; max-width: 60em;
  margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; margin: 0 0 1.5em }
th, td { padding: .2em .8em; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: anywhere }
th { color: var(--soft); font-weight: 600; overflow-wrap: normal }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
figure { margin: 0 0 1.5em }
figcaption, footer { color: var(--soft) }
svg { max-width: 100%; height: auto }
svg text { fill: var(--ink) }
.mark { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em }
";

/// Throughput and free latency of all runs.
fn side_by_side(runs: &[Run]) -> Result<String, String> {
    let item = |(place, run)| {
        format!("<li>{}</li>\n", escaped(&format!("{} {}", label(place, run), called(run))))
    };
    let list: String = runs.iter().enumerate().map(item).collect();
    let mut part = format!("<h1>Runs</h1>\n<ul>\n{list}</ul>\n");
    for id in ["throughput_sum", "free_mean", "system"] {
        let found = runs.iter().enumerate().filter_map(|(place, run)| {
            let summary = figure(run, id)?.summary().into_result().ok()?;
            Some((label(place, run), summary.mean, summary.deviation))
        });
        let bars: Vec<plots::Bar> = found.map(plots::Bar::from).collect();
        let named = runs.iter().find_map(|run| figure(run, id));
        let Some(named) = named.filter(|_| !bars.is_empty()) else { continue };
        let caption =
            format!("{}, {}, with the standard deviation", named.head, named.measure.word());
        part += &drawn(&plots::bars(&caption, &bars)?);
    }
    Ok(part)
}

/// What a run is called where there is little room.
fn label(place: usize, run: &Run) -> String {
    match run.id {
        0 => format!("({})", place + 1),
        id => id.to_string(),
    }
}

fn called(run: &Run) -> String {
    let kernel = run.machine.kernel.as_deref().unwrap_or("of an unknown release");
    format!("{}, {}, Linux {kernel}", run.title, civil::text(run.at_ms))
}

fn section(run: &Run) -> Result<String, String> {
    let mut parts = vec![format!("<h1>{}</h1>\n", escaped(&run.title))];
    for (spec, rows) in lab::of_run(run, &Request::default())? {
        if rows.cells.is_empty() {
            continue;
        }
        parts.push(format!("<h2>{}</h2>\n", escaped(spec.title)));
        parts.extend(plots::of_table(run, spec.name)?.iter().map(drawn));
        parts.push(table(spec, &rows));
    }
    Ok(parts.concat())
}

fn drawn(plot: &Plot) -> String {
    let mark = |(name, color): &(String, &'static str)| {
        format!("<span class=\"mark\" style=\"background:{color}\"></span>{}", escaped(name))
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
            format!("<table>\n<tr>{heads}</tr>\n{body}</table>\n")
        }
    }
}

/// Heading and value on each line.
fn record(rows: &Rows) -> String {
    let pairs = rows.cells.iter().flat_map(|row| row.iter().zip(&rows.infos));
    let line = |(value, info): (&Value, &&'static Info)| {
        let value = escaped(&value.human(info.unit, false));
        format!("<tr><th>{}</th><td>{value}</td></tr>\n", escaped(info.head))
    };
    format!("<table>\n{}</table>\n", pairs.map(line).collect::<String>())
}

fn cell(tag: &str, text: &str, info: &Info) -> String {
    let class = if info.unit.is_number() { " class=\"number\"" } else { "" };
    format!("<{tag}{class}>{}</{tag}>", escaped(text))
}

/// Text with everything taken literally that would be markup, and nothing in it that is unseen.
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
