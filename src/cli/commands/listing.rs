//! Lists on the command line: text next to names, and the keys of a file.

use crate::cli::exit::{CommandResult, Exit};
use crate::cli::out::{self, Out};
use crate::columns::text;
use crate::config::KeyHelp;
use crate::model::name::safe_text;
use serde::Serialize;
use std::ffi::{OsStr, OsString};

/// The width of a line without a terminal, in cells.
const DEFAULT_WIDTH: usize = 80;
/// The narrowest and the widest layout of lists and plans; longer lines are hard to read.
const MIN_AND_MAX_WIDTH: (usize, usize) = (60, 120);

/// The width of lists and plans for a terminal of this width.
pub(super) fn listed_width(terminal: Option<usize>) -> usize {
    terminal.unwrap_or(DEFAULT_WIDTH).clamp(MIN_AND_MAX_WIDTH.0, MIN_AND_MAX_WIDTH.1)
}

/// Text next to a name, or below it if the name is too long.
pub(super) fn name_and_text(name: &str, words: &str, (lead, width): (usize, usize)) -> Vec<String> {
    if text::width(name) < lead {
        return text::heading_and_text(name, words, (lead, width));
    }
    [name.to_owned()].into_iter().chain(text::heading_and_text("", words, (lead, width))).collect()
}

/// Lists the keys of a file, table by table, in lines of this width.
pub(super) fn keys(lines: impl IntoIterator<Item = KeyHelp>, width: usize) -> Vec<String> {
    let mut told = Vec::new();
    let mut heading = "";
    for line in lines {
        if line.heading != heading {
            let gap = (!told.is_empty()).then(String::new);
            heading = line.heading;
            told.extend(gap.into_iter().chain([format!("{heading}:"), String::new()]));
        }
        let takes = text::wrap(&format!("{}: {}", line.key, line.takes), width - 4);
        let indent = |place| if place == 0 { "  " } else { "    " };
        told.extend(takes.iter().enumerate().map(|(place, line)| indent(place).to_owned() + line));
        let words = format!("{}. {}.", line.help, line.describe_default());
        told.extend(text::wrap(&words, width - 6).into_iter().map(|line| format!("      {line}")));
    }
    told
}

/// Prints a list as JSON, or the lines of each of its items.
pub(super) fn print<T: Serialize>(
    all: &[T],
    json: bool,
    lines: impl Fn(&T) -> Vec<String>,
) -> CommandResult<()> {
    if json {
        return Out::new().json(&all, true);
    }
    Out::new().lines(all.iter().flat_map(lines))
}

/// Checks files one after the other: prints what is said of a valid one, and the errors of all others.
pub(super) fn check(
    files: &[OsString],
    describe: impl Fn(&OsStr) -> CommandResult<String>,
) -> CommandResult {
    let mut worst = Exit::Done;
    for named in files {
        match describe(named) {
            Ok(valid) => {
                let shown = safe_text(&named.to_string_lossy());
                Out::new().lines([format!("{shown}: valid: {valid}")])?;
            }
            Err(error) => {
                out::complain(&error.to_string());
                worst = error.exit();
            }
        }
    }
    Ok(worst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::load::keys::KEYS;
    use crate::sim::describe;

    #[test]
    fn keys_fit_on_a_terminal() {
        for line in super::keys(KEYS.lines().chain(describe::keys()), DEFAULT_WIDTH) {
            assert!(text::width(&line) <= DEFAULT_WIDTH, "{line}");
        }
    }

    #[test]
    fn words_align_for_wide_names() {
        for name in ["load", "日本"] {
            let lines = name_and_text(name, "touches memory", (8, 18));
            let leads = lines.iter().zip(["touches", "memory"]);
            let leads: Vec<usize> =
                leads.map(|(line, word)| text::width(line.split_once(word).unwrap().0)).collect();
            assert_eq!(leads, [8, 8], "{lines:?}");
        }
    }
}
