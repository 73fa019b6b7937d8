//! Text tables of an experiment: a row for each case, the significant differences, and the
//! published figures.

use super::{Published, conclusion, published};
use crate::columns::tables::lab::comparison::{PLUS_MINUS, scattered};
use crate::columns::tables::lab::{self, comparison};
use crate::columns::{TextSection, TextTable, Unit, units};
use crate::derive::lab::{
    AreaUse, FigureComparison, FigureScope, RunFigure, areas, compare_cases, completed, figures,
    measured_figures,
};
use crate::derive::statistics::{DifferenceVerdict, MeanDifference, Summary};
pub use crate::model::experiment::USED;
use crate::model::experiment::{Case, Experiment, FactorValue};
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::model::{Bytes, Reading, whole};

/// The table of measurements.
pub fn measured(experiment: &Experiment) -> TextTable {
    let factors = factors(experiment);
    let columns = columns(experiment);
    let row = |(place, case): (usize, &Case)| {
        let names = factors.iter().map(|factor| case.value(factor).unwrap_or("-").to_owned());
        names.chain(columns.iter().map(|column| cell(column, place))).collect()
    };
    let heads = columns.iter().map(|it| it.head.clone());
    TextTable {
        names: factors.len(),
        heads: factors.iter().cloned().chain(heads).collect(),
        rows: experiment.cases.iter().enumerate().map(row).collect(),
        under: None,
    }
}

/// The factors, taken from the first case.
fn factors(experiment: &Experiment) -> Vec<String> {
    let first = experiment.cases.first().map_or(&[][..], |case| case.factors.as_slice());
    first.iter().map(|level| level.factor.clone()).collect()
}

/// Formats the cell of a case in a column.
pub(super) fn cell(column: &TableColumn, place: usize) -> String {
    match column.cells.get(place) {
        Some(TableCell::Figure(summary)) => summary.known().map_or_else(
            || "-".to_owned(),
            |summary| scattered(&summary.in_unit(column.shown_size)),
        ),
        Some(TableCell::Used(used, priority)) => {
            let used = used.known().map(|used| units::size(Bytes(whole(*used))));
            format!("{} {priority}", used.unwrap_or_else(|| "-".to_owned()))
        }
        None => "-".to_owned(),
    }
}

/// All parts of the report on an experiment: measurements, published figures, differences between
/// cases, and notes. `width` is that of a terminal, where lines end.
pub fn parts(
    experiment: &Experiment,
    published: Option<&Published>,
    width: Option<usize>,
) -> Vec<TextSection> {
    let mut parts = vec![TextSection { words: Vec::new(), sheet: Some(measured(experiment)) }];
    parts.extend(across_part(experiment));
    if let Some(published) = published {
        published::add(&mut parts, published, width);
    }
    parts.push(TextSection::words(machine_figures(experiment).into_iter().collect()));
    parts.push(TextSection::words(lab::run_notes(runs(experiment)).into_iter().collect()));
    parts.push(TextSection::words(incomplete_runs(experiment)));
    parts.extend(contrast_parts(&contrasts(experiment)));
    parts.push(TextSection::words(setup_part(experiment)));
    parts.extend(experiment.notes.iter().map(|note| TextSection::words(vec![note.clone()])));
    parts.retain(|part| part.sheet.is_some() || !part.words.is_empty());
    parts.into_iter().map(TextSection::safe).collect()
}

/// Formats all parts as lines.
pub fn lines(experiment: &Experiment, published: Option<&Published>, width: usize) -> Vec<String> {
    let mut parts = parts(experiment, published, Some(width));
    parts.extend(conclusion::section(experiment));
    let parts: Vec<Vec<String>> = parts.iter().map(|part| part.lines(width)).collect();
    parts.join(&String::new())
}

/// The columns with figures of the whole machine.
fn machine_figures(experiment: &Experiment) -> Option<String> {
    let mut columns = columns(experiment);
    columns.retain(|column| column.scope == Some(FigureScope::Machine));
    let heads: Vec<String> = columns.into_iter().map(|column| column.head).collect();
    (!heads.is_empty()).then(|| format!("Of the whole machine: {}.", heads.join(", ")))
}

/// The runs of all cases, each with the name of its case.
fn runs(experiment: &Experiment) -> impl Iterator<Item = (Option<String>, &Run)> {
    experiment.cases.iter().filter_map(|case| Some((Some(case.name.clone()), case.run.as_ref()?)))
}

/// Lists runs that did not finish, cases with missing runs, and why the experiment ended early.
fn incomplete_runs(experiment: &Experiment) -> Vec<String> {
    let mut lines = Vec::new();
    for case in &experiment.cases {
        let measured = case.run.as_ref().map_or(&[][..], |run| run.measured.as_slice());
        for (place, one) in measured.iter().enumerate() {
            let (name, number) = (&case.name, place + 1);
            match &one.end {
                RepetitionEnd::Done => {}
                RepetitionEnd::Stopped { why } => {
                    lines.push(format!("{name}: run {number} was stopped: {why}."));
                }
                RepetitionEnd::Failed { why } => {
                    lines.push(format!("{name}: run {number} FAILED: {why}."));
                }
            }
        }
        let wanted = experiment.repetitions as usize;
        if measured.len() < wanted {
            lines.push(format!("{}: {} of {wanted} runs were made.", case.name, measured.len()));
        }
    }
    lines.extend(experiment.why.iter().map(|why| format!("Ended early: {why}")));
    lines
}

/// Lists the machine and the settings of the runs.
fn setup_part(experiment: &Experiment) -> Vec<String> {
    let lines = lab::setup_lines(experiment);
    let title = (!lines.is_empty()).then(|| "It ran with:".to_owned());
    title.into_iter().chain(lines).collect()
}

/// Explains the comparisons.
fn legend() -> String {
    format!(
        "Changes are against the first value of the factor; pp are percentage points. {PLUS_MINUS} In brackets: below 1%, or no more than runs of the same case differ."
    )
}

/// The changes by each value of each factor.
fn contrast_parts(contrasts: &[Contrast]) -> Vec<TextSection> {
    let of_one = contrasts.chunk_by(|one, next| one.factor == next.factor);
    let part = |of_one: &[Contrast]| {
        let first = of_one.first()?;
        let title = format!("{}, against {}:", first.factor, first.against);
        Some(TextSection { words: vec![title], sheet: Some(contrast_sheet(first, of_one)) })
    };
    let mut parts: Vec<TextSection> = of_one.filter_map(part).collect();
    if !parts.is_empty() {
        parts.push(TextSection::words(vec![legend()]));
    }
    parts
}

fn contrast_sheet(first: &Contrast, all: &[Contrast]) -> TextTable {
    let others = first.others.iter().map(|level| level.factor.clone());
    let names: Vec<String> = [first.factor.clone()].into_iter().chain(others).collect();
    let row = |contrast: &Contrast| {
        let others = contrast.others.iter().map(|level| level.value.clone());
        let names = [contrast.value.clone()].into_iter().chain(others);
        names.chain(contrast.figures.iter().map(|row| describe_change(contrast, row))).collect()
    };
    TextTable {
        names: names.len(),
        heads: names.into_iter().chain(first.figures.iter().map(|it| it.head.clone())).collect(),
        rows: all.iter().map(row).collect(),
        under: None,
    }
}

/// Formats the change of a figure; in brackets if it is too small or may be noise.
fn describe_change(contrast: &Contrast, row: &FigureComparison) -> String {
    let Ok(difference) = row.difference().into_result() else { return "-".to_owned() };
    let by = comparison::change(row, &difference);
    match contrast.verdict(&difference) {
        DifferenceVerdict::NotUsed => DifferenceVerdict::NotUsed.word().to_owned(),
        DifferenceVerdict::NoDifferenceSeen | DifferenceVerdict::TooSmall => format!("({by})"),
        DifferenceVerdict::TooFew => "-".to_owned(),
        DifferenceVerdict::Higher | DifferenceVerdict::Lower => {
            let word = match row.is_better(difference.verdict) {
                Some(true) => "better",
                Some(false) => "worse",
                None => difference.verdict.word(),
            };
            format!("{by} {word}")
        }
    }
}

/// Prefixes of the figures that only some runs have.
const OPTIONAL_PREFIXES: [&str; 9] = [
    "uneven",
    "metadata",
    "latency_",
    "swpout_",
    "swpout_fallback_",
    "fail_rate_",
    "fail_early_",
    "fail_late_",
    "used_peak_",
];

/// Whether the columns of an experiment may name this figure.
pub fn is_valid_column(id: &str) -> bool {
    let always = measured_figures(&RepetitionResult::failed(String::new()));
    id == USED
        || always.iter().any(|figure| figure.id == id)
        || OPTIONAL_PREFIXES.iter().any(|beginning| id.starts_with(beginning))
}

/// Ends of the names of columns that JSON and CSV have for each figure, in addition to its mean.
pub const EXPORTED_ENDINGS: [&str; 4] = ["deviation", "count", "unit", "priority"];
/// The beginning of the names of columns about the setup of a run in JSON and CSV.
pub const SETUP_PREFIX: &str = "run_";

/// Whether a column of the JSON and CSV of an experiment can have this name.
pub fn is_exported_column(name: &str) -> bool {
    let ending = |ending: &&str| name.strip_suffix(ending)?.strip_suffix('_');
    let figure = EXPORTED_ENDINGS.iter().find_map(ending).unwrap_or(name);
    let is_area = |place: &str| place.bytes().all(|byte| byte.is_ascii_digit());
    name.starts_with(SETUP_PREFIX)
        || is_valid_column(figure)
        || figure.strip_prefix(USED).is_some_and(is_area)
}

/// The first of these columns that is a figure; `used` is not.
pub fn first_figure(columns: &[String]) -> Option<&str> {
    columns.iter().map(String::as_str).find(|id| *id != USED)
}

/// A column with its cell of each case.
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    /// The name for programs.
    pub id: String,
    /// The heading, with the unit.
    pub head: String,
    /// The subject of the figure; none if no run has it.
    pub scope: Option<FigureScope>,
    /// The unit for programs; none if no run has the figure.
    pub unit: Option<&'static str>,
    /// The size of the unit in the heading, in the unit for programs.
    pub shown_size: f64,
    /// The cells, case by case.
    pub cells: Vec<TableCell>,
}

/// The cell of a case in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell {
    /// A figure.
    Figure(Reading<Summary>),
    /// The bytes used of an area, and its priority.
    Used(Reading<f64>, i32),
}

impl TableCell {
    /// The mean of the runs, if measured.
    pub(super) fn mean(&self) -> Option<f64> {
        match self {
            Self::Figure(summary) => summary.known().map(|it| it.mean),
            Self::Used(used, _) => used.known().copied(),
        }
    }
}

/// All columns of the table of measurements.
pub fn columns(experiment: &Experiment) -> Vec<TableColumn> {
    experiment.columns.iter().flat_map(|id| columns_for(id, experiment)).collect()
}

/// The columns of a figure, or of the used areas.
pub(super) fn columns_for(id: &str, experiment: &Experiment) -> Vec<TableColumn> {
    if id == USED { used_columns(&experiment.cases) } else { vec![figure(id, experiment)] }
}

/// The columns that answer the question and were measured; without any, the first figure.
pub fn answers(experiment: &Experiment) -> Vec<&str> {
    let is_measured = |id: &&str| {
        let columns = columns_for(id, experiment);
        columns.iter().flat_map(|column| &column.cells).any(|cell| cell.mean().is_some())
    };
    let answers = experiment.answer.iter().map(String::as_str).filter(is_measured);
    let answers: Vec<&str> = answers.collect();
    if !answers.is_empty() {
        return answers;
    }
    let figures = || experiment.columns.iter().map(String::as_str).filter(|id| *id != USED);
    figures().find(is_measured).or_else(|| figures().next()).into_iter().collect()
}

/// The column of the picture: the first answer. A file that names none shows split folios or used areas, if it has them.
pub fn pictured(experiment: &Experiment) -> Option<&str> {
    let columns = || experiment.columns.iter().map(String::as_str);
    let usual = columns().find(|id| id.starts_with("fail_rate"));
    let usual = usual.or_else(|| columns().find(|id| *id == USED));
    let usual = usual.filter(|_| experiment.answer.is_empty());
    usual.or_else(|| answers(experiment).first().copied())
}

/// The column of a figure.
pub fn figure(id: &str, experiment: &Experiment) -> TableColumn {
    let found: Vec<Option<RunFigure>> =
        experiment.cases.iter().map(|case| find_figure(case, id)).collect();
    let known = found.iter().flatten().next();
    let summaries: Vec<Reading<Summary>> = found
        .iter()
        .map(|figure| {
            figure.as_ref().map_or_else(|| Reading::absent("not measured"), RunFigure::summary)
        })
        .collect();
    let means = summaries.iter().filter_map(|it| Some(it.known()?.mean));
    let largest = means.fold(0.0, f64::max);
    let shown = known.map(|figure| figure.measure.shown(largest));
    TableColumn {
        id: id.to_owned(),
        head: known.zip(shown).map_or_else(
            || id.to_owned(),
            |(figure, shown)| format!("{} {}", figure.head, shown.word),
        ),
        scope: known.map(|figure| figure.scope),
        unit: known.map(|figure| figure.measure.word()),
        shown_size: shown.map_or(1.0, |shown| shown.size),
        cells: summaries.into_iter().map(TableCell::Figure).collect(),
    }
}

fn find_figure(case: &Case, id: &str) -> Option<RunFigure> {
    figures(case.run.as_ref()?).into_iter().find(|figure| figure.id == id)
}

/// The columns of used areas, as many as in the case with the most areas.
fn used_columns(cases: &[Case]) -> Vec<TableColumn> {
    let uses: Vec<Vec<AreaUse<'_>>> =
        cases.iter().map(|case| shown_areas(case.run.as_ref())).collect();
    let most = uses.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |place: usize, uses: &Vec<AreaUse<'_>>| match uses.get(place) {
        Some(area) => TableCell::Used(area.peak.clone(), area.area.priority),
        None => TableCell::Figure(Reading::absent("the case has fewer areas")),
    };
    let column = |place: usize| TableColumn {
        id: format!("{USED}{place}"),
        head: format!("{USED}{place} PRIO"),
        scope: Some(FigureScope::Areas),
        unit: Some(Unit::Bytes.word()),
        shown_size: 1.0,
        cells: uses.iter().map(|uses| cell(place, uses)).collect(),
    };
    (0..most).map(column).collect()
}

/// Whether a page was written to the areas of a case, or to zswap in front of them. Unknown usage counts as use.
pub(super) fn uses_areas(case: &Case) -> bool {
    let shown = shown_areas(case.run.as_ref());
    let is_filled = |area: &AreaUse<'_>, measured: &RepetitionResult| {
        let over_time = measured.used.areas.iter().find(|it| it.path == area.area.path);
        let most = over_time.and_then(|it| it.used.iter().flatten().max());
        most.is_none_or(|most| *most > Bytes(0))
    };
    let is_used = |measured: &RepetitionResult| {
        measured.counters.get("zswpout").is_some_and(|pages| *pages > 0)
            || shown.iter().any(|area| is_filled(area, measured))
    };
    shown.is_empty()
        || completed_runs(case) == 0
        || case.run.iter().flat_map(completed).any(is_used)
}

fn shown_areas(run: Option<&Run>) -> Vec<AreaUse<'_>> {
    let Some(run) = run else { return Vec::new() };
    let has_own = run.machine.areas.iter().any(|area| area.ours);
    areas(run).into_iter().filter(|it| it.area.ours || !has_own).collect()
}

/// Two cases that differ in one factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// The factor.
    pub factor: String,
    /// The value in the second case.
    pub value: String,
    /// The value in the first case, the baseline.
    pub against: String,
    /// The other factors, which are equal in both.
    pub others: Vec<FactorValue>,
    /// The number of finished runs, in the case that has fewer.
    pub runs: usize,
    /// Whether both cases used their areas, which otherwise cannot be the reason of a difference.
    pub is_used: bool,
    /// The figures of the experiment's table.
    pub figures: Vec<FigureComparison>,
}

impl Contrast {
    /// The verdict on the difference of a figure.
    pub fn verdict(&self, difference: &MeanDifference) -> DifferenceVerdict {
        if self.is_used { difference.verdict } else { DifferenceVerdict::NotUsed }
    }
}

/// All contrasts with enough runs to compare.
pub fn contrasts(experiment: &Experiment) -> Vec<Contrast> {
    all_contrasts(experiment).into_iter().filter(|contrast| contrast.runs >= 2).collect()
}

/// All contrasts, including those without enough runs.
pub fn all_contrasts(experiment: &Experiment) -> Vec<Contrast> {
    let factors = experiment.cases.first().map_or(&[][..], |case| case.factors.as_slice());
    let all = factors.iter().flat_map(|first| {
        let is_base = |case: &&Case| case.value(&first.factor) == Some(first.value.as_str());
        experiment.cases.iter().filter(is_base).flat_map(move |base| {
            let others = experiment
                .cases
                .iter()
                .filter(move |case| differ_only_in(case, base, &first.factor));
            others.filter_map(move |case| contrast_of(experiment, &first.factor, (base, case)))
        })
    });
    all.collect()
}

/// Whether two cases differ in this factor only. Cases with different workloads cannot be compared.
fn differ_only_in(case: &Case, base: &Case, factor: &str) -> bool {
    let mut pairs = case.factors.iter().zip(&base.factors);
    let load = |case: &Case| case.run.as_ref().map(|run| run.workload.name.clone());
    let other_load = load(case).zip(load(base)).is_some_and(|(one, other)| one != other);
    case != base
        && !other_load
        && pairs.all(|(one, other)| (one == other) != (one.factor == factor))
}

fn contrast_of(
    experiment: &Experiment,
    factor: &str,
    (base, case): (&Case, &Case),
) -> Option<Contrast> {
    let is_shown = |row: &FigureComparison| experiment.columns.contains(&row.id) && row.id != USED;
    let figures = compare_cases(base.run.as_ref(), case.run.as_ref());
    Some(Contrast {
        factor: factor.to_owned(),
        value: case.value(factor)?.to_owned(),
        against: base.value(factor)?.to_owned(),
        others: case.factors.iter().filter(|it| it.factor != factor).cloned().collect(),
        runs: completed_runs(base).min(completed_runs(case)),
        is_used: uses_areas(base) && uses_areas(case),
        figures: figures.into_iter().filter(is_shown).collect(),
    })
}

/// The number of finished runs.
fn completed_runs(case: &Case) -> usize {
    case.run.iter().flat_map(completed).count()
}

/// The factors of a case except one.
type OtherLevels<'e> = Vec<&'e FactorValue>;

/// The second table, if requested and if the factor has several values.
fn across_part(experiment: &Experiment) -> Option<TextSection> {
    let factor = experiment.across.as_deref()?;
    let answer = answers(experiment).into_iter().find(|id| *id != USED);
    let id = answer.or_else(|| first_figure(&experiment.columns))?;
    let column = figure(id, experiment);
    let values = distinct(experiment.cases.iter().filter_map(|case| case.value(factor)));
    let rows = distinct(experiment.cases.iter().map(|case| other_levels(case, factor)));
    // All combinations must exist: a file written by others could have more gaps than cases.
    if values.len() < 2 || values.len() * rows.len() != experiment.cases.len() {
        return None;
    }
    let title = format!("{}, by {factor}:", column.head);
    let sheet = across_sheet(experiment, factor, (&column, &values, &rows));
    Some(TextSection { words: vec![title], sheet: Some(sheet) })
}

fn other_levels<'e>(case: &'e Case, factor: &str) -> OtherLevels<'e> {
    case.factors.iter().filter(|level| level.factor != factor).collect()
}

/// Removes repeated values.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut known, one| {
        if !known.contains(&one) {
            known.push(one);
        }
        known
    })
}

fn across_sheet(
    experiment: &Experiment,
    factor: &str,
    (column, values, rows): (&TableColumn, &[&str], &[OtherLevels<'_>]),
) -> TextTable {
    // With more than two values it would be unclear which change is meant.
    let contrasts = (values.len() == 2).then(|| contrasts(experiment));
    let row = |row: &OtherLevels<'_>| -> Vec<String> {
        let is_of = |case: &Case, value: &str| {
            case.value(factor) == Some(value) && other_levels(case, factor) == *row
        };
        let figure = |value: &&str| {
            let place = experiment.cases.iter().position(|case| is_of(case, value));
            place.map_or_else(|| "-".to_owned(), |place| cell(column, place))
        };
        let names = row.iter().map(|level| level.value.clone());
        let changes = contrasts.iter().map(|all| change_cell(all, factor, row, &column.id));
        names.chain(values.iter().map(figure)).chain(changes).collect()
    };
    let names = rows.first().map_or(&[][..], Vec::as_slice);
    let heads = names.iter().map(|level| level.factor.clone());
    let figures = values.iter().map(|value| format!("{factor} {value}"));
    TextTable {
        names: names.len(),
        heads: heads.chain(figures).chain(contrasts.iter().map(|_| "change".to_owned())).collect(),
        rows: rows.iter().map(row).collect(),
        under: None,
    }
}

/// Formats the change from the first value to the second.
fn change_cell(all: &[Contrast], factor: &str, row: &OtherLevels<'_>, id: &str) -> String {
    let is_row = |it: &&Contrast| it.factor == factor && it.others.iter().eq(row.iter().copied());
    let figure = all.iter().find(is_row).and_then(|contrast| {
        let row = contrast.figures.iter().find(|it| it.id == id)?;
        Some(describe_change(contrast, row))
    });
    figure.unwrap_or_else(|| "-".to_owned())
}

#[cfg(test)]
mod tests;
