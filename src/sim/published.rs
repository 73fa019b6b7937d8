//! Published experiments of kernel developers: their figures, and what the model gives for each of them.
//!
//! The tables in `published/tables.toml` are the only definition: the report, the tests and docs/FIDELITY.md are
//! made from it. Figures of other machines are not expected to be equal: a check compares the order of cases, or
//! a figure that does not depend on the machine.

mod run;

use run::{Outcome, PublishedRun, RunKeys};
use serde::Deserialize;
use std::sync::LazyLock;
use toml_edit::{DocumentMut, Value};

/// Share by which two published figures have to differ to count as an order.
pub const PUBLISHED_NOISE: f64 = 0.05;
/// Share by which two figures of the model have to differ to count as an order.
pub const MODEL_NOISE: f64 = 0.01;
/// Factor between two shares of the same order of magnitude.
const MAGNITUDE: f64 = 10.0;
/// Shares in percent below this count as 0.
const NEGLIGIBLE: f64 = 0.05;

/// A table of published figures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTable {
    /// The letter, which is that of the built-in experiment too.
    pub letter: char,
    /// Title.
    pub title: String,
    /// The published text.
    pub source: String,
    /// Machine and workload of the publication, and what is simulated instead.
    pub setup: String,
    /// How many times the usual size figures are judged at too: what holds at one size only is not reproduced.
    also_at: Option<f64>,
    /// Reasons for figures that differ.
    #[serde(default)]
    pub differences: String,
    run: RunKeys,
    /// Cases of the groups that have none.
    #[serde(default)]
    cases: Vec<PublishedCase>,
    groups: Vec<CaseGroup>,
}

/// Cases that are compared with one another.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseGroup {
    /// Begin of the names of its cases.
    #[serde(default)]
    name: String,
    #[serde(default)]
    run: RunKeys,
    /// Why its cases are not simulated.
    not_simulated: Option<String>,
    #[serde(default)]
    cases: Vec<PublishedCase>,
    figures: Vec<PublishedFigure>,
}

/// A case of a publication.
#[derive(Clone, Debug, Deserialize)]
struct PublishedCase {
    name: String,
    #[serde(flatten)]
    run: RunKeys,
}

impl PublishedCase {
    /// The run that is simulated.
    fn experiment(&self) -> Result<PublishedRun, String> {
        serde_json::from_value(self.run.clone().into()).map_err(|error| error.to_string())
    }
}

/// A figure, with its values in the cases of its group.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedFigure {
    name: String,
    #[serde(default)]
    unit: String,
    published: PublishedValues,
    model: Option<ModelFigure>,
    /// Why the model cannot give it.
    #[serde(default)]
    missing: String,
    /// Places of the cases from whose figures the simulated machine was inferred.
    #[serde(default)]
    inferred: Vec<usize>,
    checks: Vec<FigureCheck>,
}

/// Published values, one for each case.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum PublishedValues {
    Numbers(Vec<f64>),
    /// Folios that were swapped out whole, and folios that were split.
    Folios(Vec<(f64, f64)>),
    Texts(Vec<String>),
    /// Only a statement was published.
    Statement(String),
}

/// Figures of the model.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ModelFigure {
    Priorities,
    /// The order of the areas for the CPUs of a node.
    Order(u32),
    /// Used of an area.
    Used(usize),
    /// The share of folios of an order that were split.
    SplitFolios(usize),
    ElapsedTime,
    SystemTime,
    FreeTime,
    Accesses,
    Throughput,
    FreeLookups,
    EntriesVisited,
    LockWaits,
    ClustersScanned,
    SwapFull,
    Metadata,
    Slots,
}

impl ModelFigure {
    fn value(self, run: &Outcome) -> FigureValue {
        let number = match self {
            Self::Priorities => return FigureValue::Text(run.priorities()),
            Self::Order(node) => return FigureValue::Text(run.order(node)),
            Self::Used(area) => run.used(area),
            Self::SplitFolios(order) => run.fallback_percent(order),
            Self::ElapsedTime => run.busy_s,
            Self::SystemTime => run.system_s,
            Self::FreeTime => run.free_s,
            Self::Accesses => run.accesses_per_second(),
            Self::Throughput => run.megabytes_per_second(),
            Self::FreeLookups => run.free_lookups as f64,
            Self::EntriesVisited => run.entries_visited as f64,
            Self::LockWaits => run.machine.allocation_work().lock_waits as f64,
            Self::ClustersScanned => run.machine.allocation_work().clusters_scanned as f64,
            Self::SwapFull => run.machine.counters.swap_full as f64,
            Self::Metadata => run.metadata_mib,
            Self::Slots => f64::from(run.slots),
        };
        FigureValue::Number(number)
    }
}

/// A condition on the figures of the model.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FigureCheck {
    /// The order of the cases is the published one.
    Order,
    /// Differs from the published value by at most this.
    Within(Vec<f64>),
    /// Has the order of magnitude of the published share.
    Magnitude,
    /// A text that is as published.
    Same,
    /// The ratio of this case to another one is in this range.
    Ratio { case: usize, to: usize, least: f64, most: f64 },
    /// Is 0.
    Zero,
}

/// A value of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureValue {
    /// A number in the unit of the figure.
    Number(f64),
    /// A text.
    Text(String),
}

impl FigureValue {
    /// The number, unless it is a text.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

/// Whether a figure of the model agrees with the published one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// All checks hold.
    Holds,
    /// A check fails.
    Differs(String),
    /// All checks hold at the usual size, and not at another one.
    DependsOnSize(String),
    /// The simulated machine was made to have this figure.
    Inferred,
    /// The published figures are too close to one another for an order.
    NoOrder,
    /// The model does not give it.
    Missing,
}

/// A published figure beside that of the model.
#[derive(Clone, Debug)]
pub struct ComparedFigure {
    /// The table.
    pub table: &'static PublishedTable,
    /// The case.
    pub case: &'static str,
    /// The figure.
    pub figure: &'static str,
    /// The unit.
    pub unit: &'static str,
    /// The published value; the error is what was published instead of a value.
    pub published: Result<FigureValue, &'static str>,
    /// The value of the model, or why it is missing.
    pub model: Result<FigureValue, String>,
    /// The published value divided by that of the first case.
    pub published_ratio: Option<f64>,
    /// The value of the model divided by that of the first case.
    pub model_ratio: Option<f64>,
    /// Whether both agree.
    pub agreement: Agreement,
}

/// The number of cases that are simulated for these tables.
pub fn count_runs(tables: &[&'static PublishedTable]) -> usize {
    let count = |table: &&'static PublishedTable| {
        let groups = table.groups.iter().filter(|group| group.not_simulated.is_none());
        let sizes = if table.also_at.is_some() { 2 } else { 1 };
        groups.map(|group| group.cases.len()).sum::<usize>() * sizes
    };
    tables.iter().map(count).sum()
}

/// Simulates all cases of a table, at `scale` times the usual size, and compares each figure. `begins` hears
/// the name of each case that is simulated.
pub fn compare(
    table: &'static PublishedTable,
    scale: f64,
    begins: &mut dyn FnMut(&str),
) -> Vec<ComparedFigure> {
    let mut compared = simulate(table, scale, begins);
    let Some(factor) = table.also_at else { return compared };
    let others = simulate(table, scale * factor, begins);
    for (figure, other) in compared.iter_mut().zip(others) {
        if let (Agreement::Holds, Agreement::Differs(what)) = (&figure.agreement, other.agreement) {
            figure.agreement =
                Agreement::DependsOnSize(format!("at {factor} times it DIFFERS: {what}"));
        }
    }
    compared
}

fn simulate(
    table: &'static PublishedTable,
    scale: f64,
    begins: &mut dyn FnMut(&str),
) -> Vec<ComparedFigure> {
    let mut compared = Vec::new();
    for group in &table.groups {
        let outcome = |case: &PublishedCase| {
            if let Some(why) = &group.not_simulated {
                return Err(why.clone());
            }
            begins(&case.name);
            case.experiment()?.run(scale)
        };
        let outcomes: Vec<Result<Outcome, String>> = group.cases.iter().map(outcome).collect();
        for figure in &group.figures {
            compared.extend(figure.compare(table, &group.cases, &outcomes));
        }
    }
    compared
}

impl PublishedFigure {
    fn compare(
        &'static self,
        table: &'static PublishedTable,
        cases: &'static [PublishedCase],
        outcomes: &[Result<Outcome, String>],
    ) -> Vec<ComparedFigure> {
        let model: Vec<_> = outcomes.iter().map(|outcome| self.model_value(outcome)).collect();
        let published: Vec<_> = (0..cases.len()).map(|place| self.published_value(place)).collect();
        let both = Values { published: numbers(&published), model: numbers(&model) };
        let values = cases.iter().zip(published.clone()).zip(model.clone()).enumerate();
        values
            .map(|(place, ((case, published), model))| ComparedFigure {
                table,
                case: &case.name,
                figure: &self.name,
                unit: &self.unit,
                published_ratio: ratio(&both.published, place, 0),
                model_ratio: ratio(&both.model, place, 0),
                agreement: self.judge(place, &both, (&published, &model)),
                published,
                model,
            })
            .collect()
    }

    fn model_value(&self, outcome: &Result<Outcome, String>) -> Result<FigureValue, String> {
        let model = self.model.ok_or_else(|| self.missing.clone())?;
        outcome.as_ref().map(|outcome| model.value(outcome)).map_err(Clone::clone)
    }

    fn published_value(&self, place: usize) -> Result<FigureValue, &str> {
        let number = match &self.published {
            PublishedValues::Numbers(values) => values.get(place).copied(),
            PublishedValues::Folios(values) => {
                values.get(place).map(|(whole, split)| split * 100.0 / (whole + split))
            }
            PublishedValues::Texts(values) => {
                return values.get(place).cloned().map(FigureValue::Text).ok_or("not published");
            }
            PublishedValues::Statement(statement) => return Err(statement),
        };
        number.map(FigureValue::Number).ok_or("not published")
    }

    fn judge(
        &self,
        place: usize,
        both: &Values,
        (published, model): (&Result<FigureValue, &str>, &Result<FigureValue, String>),
    ) -> Agreement {
        if model.is_err() {
            return Agreement::Missing;
        }
        if self.inferred.contains(&place) {
            return Agreement::Inferred;
        }
        let checks = self.checks.iter().map(|check| match check {
            FigureCheck::Same => same(published.as_ref().ok(), model.as_ref().ok()),
            FigureCheck::Order => both.check_order(place),
            FigureCheck::Within(most) => both.check_distance(place, most),
            FigureCheck::Magnitude => both.check_magnitude(place),
            FigureCheck::Ratio { case, .. } if *case != place => Agreement::NoOrder,
            FigureCheck::Ratio { to, least, most, .. } => {
                both.check_ratio(place, *to, (*least, *most))
            }
            FigureCheck::Zero => holds_if(both.model_at(place) == Some(0.0), "not 0"),
        });
        // A difference weighs more than what holds.
        let rank = |agreement: &Agreement| match agreement {
            Agreement::Differs(_) => 2,
            Agreement::Holds => 1,
            Agreement::DependsOnSize(_)
            | Agreement::Inferred
            | Agreement::NoOrder
            | Agreement::Missing => 0,
        };
        checks.max_by_key(rank).unwrap_or(Agreement::NoOrder)
    }
}

fn holds_if(holds: bool, why: &str) -> Agreement {
    if holds { Agreement::Holds } else { Agreement::Differs(why.to_owned()) }
}

fn same(published: Option<&FigureValue>, model: Option<&FigureValue>) -> Agreement {
    holds_if(published == model, "not the same")
}

/// The numbers of a figure, one for each case.
struct Values {
    published: Vec<Option<f64>>,
    model: Vec<Option<f64>>,
}

fn numbers<E>(values: &[Result<FigureValue, E>]) -> Vec<Option<f64>> {
    values.iter().map(|value| value.as_ref().ok().and_then(FigureValue::number)).collect()
}

/// The value of a case divided by that of another one.
fn ratio(values: &[Option<f64>], place: usize, to: usize) -> Option<f64> {
    let (value, base) = ((*values.get(place)?)?, (*values.get(to)?)?);
    (base != 0.0).then(|| value / base)
}

/// The order of two values, if they differ by more than this share.
fn order(first: f64, second: f64, noise: f64) -> std::cmp::Ordering {
    if (first - second).abs() <= noise * first.abs().max(second.abs()) {
        return std::cmp::Ordering::Equal;
    }
    first.total_cmp(&second)
}

impl Values {
    fn model_at(&self, place: usize) -> Option<f64> {
        self.model.get(place).copied().flatten()
    }

    fn published_at(&self, place: usize) -> Option<f64> {
        self.published.get(place).copied().flatten()
    }

    /// Both values of a case.
    fn pair(&self, place: usize) -> Option<(f64, f64)> {
        self.published_at(place).zip(self.model_at(place))
    }

    /// Whether the case has the published order with each other one.
    fn check_order(&self, place: usize) -> Agreement {
        let Some((published, model)) = self.pair(place) else { return Agreement::Missing };
        let mut has_order = false;
        for other in (0..self.published.len()).filter(|other| *other != place) {
            let Some((other_published, other_model)) = self.pair(other) else { continue };
            let expected = order(published, other_published, PUBLISHED_NOISE);
            if expected.is_eq() {
                continue;
            }
            has_order = true;
            if order(model, other_model, MODEL_NOISE) != expected {
                return Agreement::Differs("order".to_owned());
            }
        }
        if has_order { Agreement::Holds } else { Agreement::NoOrder }
    }

    fn check_distance(&self, place: usize, most: &[f64]) -> Agreement {
        let both = self.pair(place).zip(most.get(place));
        both.map_or(Agreement::Missing, |((published, model), most)| {
            holds_if((published - model).abs() <= *most, "more than 3 points of all used swap")
        })
    }

    fn check_magnitude(&self, place: usize) -> Agreement {
        let Some((published, model)) = self.pair(place) else { return Agreement::Missing };
        let is_zero = |share: f64| share < NEGLIGIBLE;
        let holds = match (is_zero(published), is_zero(model)) {
            (false, false) => {
                let times = model / published;
                (1.0 / MAGNITUDE..=MAGNITUDE).contains(&times)
            }
            (published, model) => published == model,
        };
        holds_if(holds, "order of magnitude")
    }

    fn check_ratio(&self, place: usize, to: usize, (least, most): (f64, f64)) -> Agreement {
        let ratio = ratio(&self.model, place, to);
        ratio.map_or(Agreement::Missing, |ratio| {
            let range = if least > 0.0 {
                format!("{least:.1} to {most:.1}")
            } else {
                format!("{most:.1} at most")
            };
            holds_if(
                (least..=most).contains(&ratio),
                &format!("{ratio:.2} times, published {range}"),
            )
        })
    }
}

// Reading the tables.

/// All tables. A test reads the file, so that it is valid here.
pub static TABLES: LazyLock<Vec<PublishedTable>> =
    LazyLock::new(|| read(include_str!("published/tables.toml")).unwrap_or_default());

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TablesFile {
    run: RunKeys,
    tables: Vec<PublishedTable>,
}

/// Reads a file of tables, and gives each case the keys that it does not set.
fn read(text: &str) -> Result<Vec<PublishedTable>, String> {
    let file = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let file = json(&Value::InlineTable(file.as_table().clone().into_inline_table()));
    let mut file: TablesFile = serde_json::from_value(file).map_err(|error| error.to_string())?;
    for table in &mut file.tables {
        inherit(&mut table.run, &file.run);
        for group in &mut table.groups {
            inherit(&mut group.run, &table.run);
            if group.cases.is_empty() {
                group.cases.clone_from(&table.cases);
            }
            for case in &mut group.cases {
                let name = format!("{} {}", group.name, case.name);
                name.trim().clone_into(&mut case.name);
                inherit(&mut case.run, &group.run);
            }
        }
    }
    Ok(file.tables)
}

/// Adds the keys of `outer` that are not set.
fn inherit(keys: &mut RunKeys, outer: &RunKeys) {
    for (key, value) in outer {
        keys.entry(key).or_insert_with(|| value.clone());
    }
}

/// Converts TOML, for serde.
fn json(toml: &Value) -> serde_json::Value {
    match toml {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(value) => (*value.value()).into(),
        Value::Datetime(time) => time.value().to_string().into(),
        Value::Array(entries) => entries.iter().map(json).collect(),
        Value::InlineTable(keys) => {
            keys.iter().map(|(key, value)| (key.to_owned(), json(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(published: &[f64], model: &[f64]) -> Values {
        let known = |values: &[f64]| values.iter().copied().map(Some).collect();
        Values { published: known(published), model: known(model) }
    }

    #[test]
    fn close_published_figures_have_no_order() {
        let values = values(&[100.0, 103.0, 50.0], &[7.0, 6.0, 6.02]);
        let differs = Agreement::Differs("order".to_owned());
        assert_eq!(values.check_order(0), Agreement::Holds);
        assert_eq!(values.check_order(1), differs, "the model has both within its noise");
        assert_eq!(values.check_order(2), differs);
        assert_eq!(
            super::tests::values(&[1.0, 1.01], &[1.0, 9.0]).check_order(0),
            Agreement::NoOrder
        );
    }

    #[test]
    fn magnitudes_are_a_factor_of_ten() {
        let values = values(&[1.0, 1.0, 0.0, 0.0], &[9.0, 11.0, 0.01, 1.0]);
        let results = [0, 1, 2, 3].map(|place| values.check_magnitude(place) == Agreement::Holds);
        assert_eq!(results, [true, false, true, false]);
    }

    #[test]
    fn a_figure_without_a_case_is_missing_with_its_reason() {
        let table = &TABLES[2];
        let unknown = table.groups.last().unwrap();
        let why = unknown.not_simulated.clone().unwrap();
        let outcomes: Vec<_> = unknown.cases.iter().map(|_| Err(why.clone())).collect();
        let figure = unknown.figures[0].compare(table, &unknown.cases, &outcomes);
        assert!(figure.iter().all(|it| it.agreement == Agreement::Missing), "{figure:?}");
        assert!(figure[0].model.as_ref().unwrap_err().contains("not published"));
    }

    #[test]
    fn every_table_has_a_source_and_values_for_each_case() {
        for table in &*TABLES {
            assert!(table.source.len() > 30 && table.setup.ends_with('.'), "{}", table.letter);
            for group in &table.groups {
                for figure in &group.figures {
                    let count = match &figure.published {
                        PublishedValues::Numbers(values) => values.len(),
                        PublishedValues::Folios(values) => values.len(),
                        PublishedValues::Texts(values) => values.len(),
                        PublishedValues::Statement(_) => group.cases.len(),
                    };
                    assert_eq!(count, group.cases.len(), "{} {}", table.letter, figure.name);
                }
            }
        }
        assert!(count_runs(&TABLES.iter().collect::<Vec<_>>()) > 50);
    }
}

#[cfg(test)]
mod read_tests {
    use super::*;

    #[test]
    fn every_key_and_figure_of_the_tables_is_known() {
        let tables = read(include_str!("published/tables.toml")).unwrap();
        assert_eq!(tables.iter().map(|table| table.letter).collect::<String>(), "ABCDE");
        for group in tables.iter().flat_map(|table| &table.groups) {
            for case in &group.cases {
                case.experiment().unwrap_or_else(|why| panic!("{}: {why}", case.name));
            }
            for figure in &group.figures {
                assert!(figure.model.is_some() == figure.missing.is_empty(), "{}", figure.name);
            }
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        let text = include_str!("published/tables.toml");
        for (known, unknown) in [
            ("model = \"free_time\"", "model = \"free_tine\""),
            ("checks = [\"order\"]", "checks = [\"ordered\"]"),
            ("letter = \"B\"", "letters = \"B\""),
        ] {
            assert!(read(&text.replace(known, unknown)).is_err(), "{unknown}");
        }
        let tables = read(&text.replace("cpus = 2,", "cpu = 2,")).unwrap();
        let groups = tables.iter().flat_map(|table| &table.groups);
        assert!(groups.flat_map(|group| &group.cases).any(|case| case.experiment().is_err()));
    }
}
