//! docs/FIDELITY.md: published figures beside those of the simulated machine, and what was compared with kernels.

use super::GeneratedFile;
use crate::columns::tables::lab::published as page;
use crate::report::markdown;
use crate::sim::policy::{
    COMPARED, COMPARED_KERNELS, COUNTED, COUNTED_KERNEL, LISTED, LISTED_KERNEL, PRESETS,
};
use crate::sim::published::{ComparedFigure, TABLES, compare};
use std::fmt::Write as _;

/// Begin of the document.
const INTRODUCTION: &str = "\
# Fidelity of the simulated machine

`swapadm generate fidelity --out docs` writes this page. `swapadm experiment run policies` prints the tables;
`--scale TIMES` makes the machines larger.

## Running kernels

The tests in tests/live/selection place the same areas and the same workload on the running kernel and in the model.
For `random_machines_share_as_predicted` the model answers before the kernel runs: 16 random machines, with two to four
areas of all kinds, sizes and priorities, and a workload of single pages or huge folios.
";

/// Checks of the model against kernels, and the kernels with which each was made.
const CHECKS: [(&str, &[&str]); 5] = [
    ("order of areas and Used", &COMPARED_KERNELS),
    ("lists of clusters", &[LISTED_KERNEL]),
    ("split folios", &[COUNTED_KERNEL]),
    ("readahead and hits", &[COUNTED_KERNEL]),
    ("zswap", &[]),
];

/// The document.
pub(super) fn page() -> Result<GeneratedFile, String> {
    let mut text = format!("{INTRODUCTION}{COMPARED}.\n\n{COUNTED}.\n\n{LISTED}.\n\n");
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads = CHECKS.map(|(check, _)| check.to_owned());
    text += &row(&[&["kernel".to_owned()][..], &heads].concat());
    text += &row(&vec!["---".to_owned(); CHECKS.len() + 1]);
    for preset in PRESETS {
        let cell = |(_, kernels): (&str, &[&str])| {
            if kernels.contains(&preset) { "compared" } else { "not validated" }.to_owned()
        };
        text += &row(&[&[preset.to_owned()][..], &CHECKS.map(cell)].concat());
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
