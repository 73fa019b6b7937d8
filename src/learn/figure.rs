//! Figures of a simulated machine, conditions on them, and texts that quote them.
//!
//! A figure is a cell of a table (`devices zram0 used`), or a count of the model (`model slots-scanned`). It is
//! that at the end of the current step, unless `before` or `at N` precedes it.

use crate::columns::{Query, Request, Unit, Value, tables};
use crate::config::value::parse_bytes;
use crate::derive::SampleView;
use crate::model::text::did_you_mean;
use crate::model::{Missing, Reading, Snapshot};
use crate::sim::machine::Machine;

/// A count of the model that no table has.
#[derive(Debug)]
pub struct ModelFigure {
    /// Name.
    pub name: &'static str,
    /// Meaning.
    pub help: &'static str,
    unit: Unit,
    get: fn(&Machine) -> f64,
}

const fn count(name: &'static str, help: &'static str, get: fn(&Machine) -> f64) -> ModelFigure {
    ModelFigure { name, help, unit: Unit::Count, get }
}

/// All counts of the model.
pub static MODEL_FIGURES: [ModelFigure; 17] = [
    count("used-slots", "Slots in use, of all areas", |it| f64::from(it.swap.used())),
    count("whole-folios", "Large folios that were swapped out whole", |it| {
        sum(&it.counters.swpout[1..]) + sum(&it.counters.zswpout_folios[1..])
    }),
    count("split-folios", "Large folios that were split because no run of slots was free", |it| {
        sum(&it.counters.swpout_fallback[1..])
    }),
    count("clusters-scanned", "Clusters that allocations looked at", |it| {
        it.allocation_work().clusters_scanned as f64
    }),
    count("slots-scanned", "Slots that allocations looked at", |it| {
        it.allocation_work().slots_scanned as f64
    }),
    count("lock-waits", "Other CPUs that took the lock of an area in the same round", |it| {
        it.allocation_work().lock_waits as f64
    }),
    count("pages-read", "Pages that were read from areas", |it| it.counters.pswpin as f64),
    count("pages-written", "Pages that were written to areas", |it| it.counters.pswpout as f64),
    count("pages-read-ahead", "Pages that were read ahead", |it| it.counters.swap_ra as f64),
    count("hits", "Pages read ahead that were then accessed", |it| it.counters.swap_ra_hit as f64),
    count("major-faults", "Faults that had to read", |it| it.work.major_faults as f64),
    count("pages-stored", "Pages that zswap stored", |it| it.counters.zswpout as f64),
    count("pages-written-back", "Pages that zswap wrote back to areas", |it| {
        it.counters.zswpwb as f64
    }),
    count("entries-visited", "Page table entries that swapoff visited", |it| {
        it.work.entries_visited as f64
    }),
    count("free-lookups", "Look-ups while slots were freed", |it| it.work.free_lookups as f64),
    ModelFigure {
        name: "metadata",
        help: "Memory for the metadata of areas and of virtual slots",
        unit: Unit::Bytes,
        get: |it| it.metadata_bytes() as f64,
    },
    ModelFigure {
        name: "time",
        help: "Time estimated from the counted work with the built-in cost file; never measured",
        unit: Unit::Seconds,
        get: |it| it.elapsed_ns() / 1e9,
    },
];

fn sum(counts: &[u64]) -> f64 {
    counts.iter().sum::<u64>() as f64
}

/// The machine at the end of a step.
#[derive(Clone, Debug)]
pub struct StepRecord {
    before: Option<Snapshot>,
    now: Snapshot,
    model: Vec<f64>,
}

impl StepRecord {
    /// The machine now, with the sample before it for rates.
    pub fn new(machine: &Machine, before: Option<Snapshot>, now: Snapshot) -> Self {
        let model = MODEL_FIGURES.iter().map(|figure| (figure.get)(machine)).collect();
        Self { before, now, model }
    }

    /// The samples, oldest first.
    pub fn samples(&self) -> Vec<Snapshot> {
        self.before.iter().chain([&self.now]).cloned().collect()
    }

    /// The samples for tables and advice.
    pub fn view(&self) -> SampleView<'_> {
        SampleView { now: &self.now, before: self.before.as_ref() }
    }
}

/// The step that a figure is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// The current one.
    Now,
    /// The one before it.
    Before,
    /// The end of the step with this number; 0 is the start.
    Step(usize),
}

#[derive(Clone, Debug)]
enum FigureSource {
    Model(usize),
    Cell { query: Box<Query>, row: String },
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Figure {
    moment: Moment,
    source: FigureSource,
    /// The figure as typed.
    pub text: String,
}

impl Figure {
    /// Parses a figure.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::from_words(&text.split_whitespace().collect::<Vec<_>>())
    }

    fn from_words(words: &[&str]) -> Result<Self, String> {
        let text = words.join(" ");
        let (moment, rest) = match words {
            ["before", rest @ ..] => (Moment::Before, rest),
            ["at", number, rest @ ..] => {
                let step = number.parse().map_err(|_| {
                    format!("\"{number}\" is not the number of a step: use at N FIGURE")
                })?;
                (Moment::Step(step), rest)
            }
            rest => (Moment::Now, rest),
        };
        let source = match rest {
            ["model", name] => {
                let names = MODEL_FIGURES.iter().map(|figure| figure.name);
                let place = names.clone().position(|known| known == *name);
                FigureSource::Model(place.ok_or_else(|| {
                    let all = names.clone().collect::<Vec<_>>().join(", ");
                    format!(
                        "the model has no figure \"{name}\": use {all}{}",
                        did_you_mean(name, names)
                    )
                })?)
            }
            [table, row, column] => {
                let spec = tables::find(table).ok_or_else(|| unknown_table(table))?;
                let columns = Some((*column).to_owned());
                let request = Request { columns, all: true, ..Request::default() };
                let query = Box::new(Query::new(spec, &request)?);
                FigureSource::Cell { query, row: (*row).to_owned() }
            }
            _ => {
                return Err(format!(
                    "\"{text}\" is not a figure: use TABLE ROW COLUMN, such as devices zram0 used, or model NAME"
                ));
            }
        };
        Ok(Self { moment, source, text })
    }

    /// The last step whose end the figure needs.
    fn step(&self) -> Option<usize> {
        match self.moment {
            Moment::Step(step) => Some(step),
            Moment::Now | Moment::Before => None,
        }
    }

    /// The value with its unit; a missing value for a row that does not exist.
    pub fn value(&self, records: &[StepRecord]) -> Result<(Value, Unit), String> {
        let last = records.len().saturating_sub(1);
        let place = match self.moment {
            Moment::Now => Some(last),
            Moment::Before => last.checked_sub(1),
            Moment::Step(step) => Some(step),
        };
        let record = place.and_then(|place| records.get(place));
        let record = record.ok_or_else(|| format!("{}: this step has not run yet", self.text))?;
        match &self.source {
            FigureSource::Model(place) => {
                let unit = MODEL_FIGURES.get(*place).map_or(Unit::Count, |figure| figure.unit);
                let number = record.model.get(*place).copied().unwrap_or_default();
                Ok((Value::Real(number), unit))
            }
            FigureSource::Cell { query, row } => self.cell(query, row, record),
        }
    }

    fn cell(&self, query: &Query, row: &str, record: &StepRecord) -> Result<(Value, Unit), String> {
        let rows = match query.rows(&record.view()) {
            Reading::Known(rows) => rows,
            Reading::Missing { .. } => {
                return Err(format!("{}: the machine does not have this table", self.text));
            }
        };
        let unit = rows.infos.first().map_or(Unit::Text, |info| info.unit);
        let place = rows.keys.iter().position(|key| names_row(row, key));
        let value = place.and_then(|place| rows.cells.get(place)?.first());
        let absent = || Value::Missing(Missing::absent("this row does not exist"));
        Ok((value.cloned().unwrap_or_else(absent), unit))
    }

    /// Checks that its row exists at the end of a step, though perhaps not of this one.
    pub fn check_row(&self, records: &[StepRecord]) -> Result<(), String> {
        let FigureSource::Cell { query, row } = &self.source else { return Ok(()) };
        let has_row = |record: &StepRecord| {
            let rows = query.rows(&record.view());
            rows.known().is_some_and(|it| it.keys.iter().any(|key| names_row(row, key)))
        };
        if row == "-" || records.iter().any(has_row) {
            return Ok(());
        }
        Err(format!("{}: the table has no row \"{row}\"", self.text))
    }

    /// The value for people.
    pub fn human(&self, records: &[StepRecord]) -> Result<String, String> {
        let (value, unit) = self.value(records)?;
        if let (Value::Real(number), Unit::Count) = (&value, unit) {
            return Ok(format!("{number:.0}"));
        }
        Ok(value.human(unit, false))
    }

    /// The name for people: the row or the count, the column, and the step if it is another one.
    pub fn title(&self) -> String {
        let name = self.text.rsplit(' ').next().unwrap_or_default().replace(['-', '_'], " ");
        let name = match &self.source {
            FigureSource::Model(_) => name,
            FigureSource::Cell { row, .. } if row == "-" => name,
            FigureSource::Cell { row, .. } => format!("{row} {name}"),
        };
        match self.moment {
            Moment::Now => name,
            Moment::Before => format!("{name} before"),
            Moment::Step(step) => format!("{name} at step {step}"),
        }
    }
}

/// Whether a row with this key is meant by its name, the last part of it, or `-`.
fn names_row(row: &str, key: &Value) -> bool {
    let key = key.plain();
    row == "-" || key == row || key.rsplit('/').next() == Some(row)
}

fn unknown_table(name: &str) -> String {
    let names = tables::TABLES.iter().map(|spec| spec.name);
    format!(
        "there is no table \"{name}\": use {}, or model{}",
        names.clone().collect::<Vec<_>>().join(", "),
        did_you_mean(name, names)
    )
}

/// The comparison of a sign.
type Comparison = fn(f64, f64) -> bool;

const COMPARISONS: [(&str, Comparison); 7] = [
    ("<", |a, b| a < b),
    ("<=", |a, b| a <= b),
    (EQUAL, |a, b| (a - b).abs() < 1e-9),
    (DIFFERS, |a, b| (a - b).abs() >= 1e-9),
    (">=", |a, b| a >= b),
    (">", |a, b| a > b),
    ("~", |a, b| (a - b).abs() <= NEAR * a.abs().max(b.abs())),
];
/// The signs that can also compare words.
const EQUAL: &str = "=";
const DIFFERS: &str = "!=";
/// How far two values that are near each other may differ, as a share of the larger one.
const NEAR: f64 = 0.1;
/// The word for a row or value that does not exist.
const MISSING: &str = "missing";

/// A side of a comparison.
#[derive(Clone, Debug)]
enum Side {
    Number(f64),
    Word(String),
    /// A figure, multiplied.
    Figure(f64, Figure),
}

/// A condition: two sides and a comparison.
#[derive(Clone, Debug)]
pub struct Condition {
    left: Side,
    sign: &'static str,
    comparison: Comparison,
    right: Side,
}

impl Condition {
    /// Parses a condition such as `devices zram0 used > 2 x devices zram1 used`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let known = |word: &str| COMPARISONS.iter().find(|(sign, _)| *sign == word);
        let place = words.iter().position(|word| known(word).is_some());
        let found = place.and_then(|place| known(words.get(place)?)).copied();
        let (Some(place), Some((sign, comparison))) = (place, found) else {
            return Err(format!(
                "\"{text}\" is not a condition: use FIGURE COMPARISON FIGURE, with one of {}",
                COMPARISONS.map(|(sign, _)| sign).join(" ")
            ));
        };
        let (left, right) = words.split_at(place);
        Ok(Self {
            left: Side::parse(left)?,
            sign,
            comparison,
            right: Side::parse(right.get(1..).unwrap_or_default())?,
        })
    }

    /// Whether the condition holds at the end of the last record.
    pub fn holds(&self, records: &[StepRecord]) -> Result<bool, String> {
        if let (Side::Figure(_, figure), Side::Word(word)) = (&self.left, &self.right) {
            return self.compare_words(&figure.value(records)?.0, word);
        }
        let (left, right) = (self.left.number(records)?, self.right.number(records)?);
        Ok((self.comparison)(left, right))
    }

    fn compare_words(&self, value: &Value, word: &str) -> Result<bool, String> {
        let is_equal = match value.missing() {
            Some(_) => word == MISSING,
            None => value.plain() == word,
        };
        match self.sign {
            EQUAL => Ok(is_equal),
            DIFFERS => Ok(!is_equal),
            _ => Err(format!("words such as \"{word}\" can only be compared with = and !=")),
        }
    }

    /// The last step that the condition needs, if it names one.
    pub fn step(&self) -> Option<usize> {
        let step = |side: &Side| match side {
            Side::Figure(_, figure) => figure.step(),
            Side::Number(_) | Side::Word(_) => None,
        };
        step(&self.left).max(step(&self.right))
    }
}

impl Side {
    fn parse(words: &[&str]) -> Result<Self, String> {
        match words {
            [] => Err("a comparison needs a figure, a number or a word on both sides".to_owned()),
            [word] => Ok(number(word).map_or_else(|| Self::Word((*word).to_owned()), Self::Number)),
            [first, .., last] if first.starts_with('\'') && last.ends_with('\'') => {
                Ok(Self::Word(words.join(" ").trim_matches('\'').to_owned()))
            }
            ["at" | "before", ..] => Ok(Self::Figure(1.0, Figure::from_words(words)?)),
            [factor, "x", rest @ ..] => {
                let factor = number(factor)
                    .ok_or_else(|| format!("\"{factor}\" is not a number: use 2 x FIGURE"))?;
                Ok(Self::Figure(factor, Figure::from_words(rest)?))
            }
            words => Ok(Self::Figure(1.0, Figure::from_words(words)?)),
        }
    }

    fn number(&self, records: &[StepRecord]) -> Result<f64, String> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Word(word) => Err(format!("\"{word}\" is not a number")),
            Self::Figure(factor, figure) => {
                let value = figure.value(records)?.0;
                let number = value.number().map(|number| number * factor);
                number.ok_or_else(|| format!("{} is not a number here", figure.text))
            }
        }
    }
}

/// A number, a percentage or a size.
fn number(text: &str) -> Option<f64> {
    let share = || Some(text.strip_suffix('%')?.parse::<f64>().ok()? / 100.0);
    let size = || parse_bytes(text).map(|bytes| bytes as f64);
    let number = text.parse::<f64>().ok().or_else(share).or_else(size)?;
    number.is_finite().then_some(number)
}

/// A text that quotes figures in braces.
#[derive(Clone, Debug, Default)]
pub struct QuotingText(Vec<TextPart>);

#[derive(Clone, Debug)]
enum TextPart {
    Words(String),
    Figure(Figure),
}

impl QuotingText {
    /// Parses a text; line breaks become blanks, except for empty lines, which begin a paragraph.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim().split("\n\n").map(one_line).collect::<Vec<_>>().join("\n");
        let mut parts = Vec::new();
        let mut rest = text.as_str();
        while let Some((words, behind)) = rest.split_once('{') {
            let (figure, after) =
                behind.split_once('}').ok_or("a { needs a } behind the name of a figure")?;
            parts.push(TextPart::Words(words.to_owned()));
            parts.push(TextPart::Figure(Figure::parse(figure)?));
            rest = after;
        }
        parts.push(TextPart::Words(rest.to_owned()));
        Ok(Self(parts))
    }

    /// Whether there is any text.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|part| matches!(part, TextPart::Words(words) if words.is_empty()))
    }

    /// The text with the figures of these records.
    pub fn fill(&self, records: &[StepRecord]) -> Result<String, String> {
        let part = |part: &TextPart| match part {
            TextPart::Words(words) => Ok(words.clone()),
            TextPart::Figure(figure) => figure.human(records),
        };
        self.0.iter().map(part).collect()
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_conditions_are_checked_when_they_are_read() {
        let error = |text: &str| Condition::parse(text).unwrap_err();
        Condition::parse("devices zram0 used > 2 x before devices zram1 used").unwrap();
        Condition::parse("at 1 model split-folios >= 10").unwrap();
        Condition::parse("devices zram1 used = missing").unwrap();
        assert!(error("devices zram0 used").contains("with one of < <= ="));
        assert!(error("devises zram0 used > 1").contains("did you mean devices?"));
        assert!(error("devices zram0 usd > 1").contains("devices has no column \"usd\""));
        assert!(error("model slots > 1").contains("use used-slots, whole-folios, split-folios"));
        assert!(error("at x model used-slots > 1").contains("not the number of a step"));
        assert!(error("> 1").contains("on both sides"));
        assert!(QuotingText::parse("open { brace").is_err());
    }

    #[test]
    fn numbers_are_shares_and_sizes_too() {
        let texts = ["5", "50%", "16M", "x", "inf"].map(number);
        assert_eq!(texts, [Some(5.0), Some(0.5), Some(16_777_216.0), None, None]);
    }
}
