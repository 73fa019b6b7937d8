//! docs/FIDELITY.md: published figures beside those of the simulated machine, and what was compared with kernels.

use super::GeneratedFile;
use crate::columns::tables::lab::published as page;
use crate::report::markdown;
use crate::sim::comparison::{COMPARISONS, MISSED, describe_captures, describe_random_machines};
use crate::sim::policy::PRESETS;
use crate::sim::published::{ComparedFigure, TABLES, compare};
use std::fmt::Write as _;

/// Begin of the document.
const INTRODUCTION: &str = "\
# Fidelity of the simulated machine

`swapadm generate fidelity --out docs` writes this page. `swapadm experiment run policies` prints the tables;
`--scale TIMES` makes the machines larger.

## Running kernels

The tests in tests/live/selection place the same areas and the same workload on the running kernel and in the model.
";

/// The document.
pub(super) fn page() -> Result<GeneratedFile, String> {
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
    let parts: Vec<_> =
        TABLES.iter().map(|table| (table, compare(table, 1.0, &mut |_| {}))).collect();
    let all: Vec<ComparedFigure> = parts.iter().flat_map(|(_, it)| it.clone()).collect();
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
