//! The grammar of `--filter`.
//!
//! ```text
//! or     := and ('|' and)*
//! and    := not ('&' not)*
//! not    := '!' not | '(' or ')' | test
//! test   := COLUMN OP VALUE | WORD
//! OP     := = != > >= < <= ~ !~ =^     (~ : contains, whatever the case; =^ : begins with)
//! VALUE  := 1.5G | 30% | 20ms | "any text" | 'any text' | any-text | -   (- : missing)
//! ```
//! A bare word is searched in all shown cells of the row. A comparison with a missing value is false, except
//! `=` and `!=` with an unquoted `-`.

use super::spec::Spec;
use super::units;
use super::value::{Unit, Value};
use std::cmp::Ordering;

/// A parsed filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Both filters match.
    And(Box<Filter>, Box<Filter>),
    /// At least one filter matches.
    Or(Box<Filter>, Box<Filter>),
    /// The filter does not match.
    Not(Box<Filter>),
    /// A column compared with a value.
    Test {
        /// Index of the column in its table.
        column: usize,
        /// The operator.
        op: Op,
        /// The operand.
        with: Operand,
    },
    /// A word anywhere in a text of the row; stored in lower case.
    Word(String),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `~`: contains the text.
    Contains,
    /// `!~`: does not contain the text.
    ContainsNot,
    /// `=^`: begins with the text.
    Begins,
}

/// The operand of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A number in base units.
    Number(f64),
    /// A text.
    Text(String),
    /// A time as far as it was typed: `2026-11-21` is the whole day.
    Moment(String),
    /// No value (`-`).
    Missing,
}

/// Operators, longer ones first so that `>=` is not read as `>`.
const OPS: [(&str, Op); 10] = [
    ("=^", Op::Begins),
    ("==", Op::Equal),
    (">=", Op::GreaterEqual),
    ("<=", Op::LessEqual),
    ("!=", Op::NotEqual),
    ("!~", Op::ContainsNot),
    ("=", Op::Equal),
    (">", Op::Greater),
    ("<", Op::Less),
    ("~", Op::Contains),
];

/// Most terms of a filter: each term is a level of the tree.
const MAX_TERMS: u32 = 256;
/// Deepest nesting of a filter, shallow enough for any stack.
const MAX_DEPTH: u32 = 64;

impl Filter {
    /// Parses a filter for this table with these columns shown. The error says where it is wrong.
    pub fn parse(spec: &Spec, shown: &[usize], text: &str) -> Result<Self, String> {
        let mut parser = Parser { spec, shown, rest: text, depth: 0, terms: 0 };
        let filter = parser.or()?;
        match parser.rest.trim_start() {
            "" => Ok(filter),
            rest => Err(format!("filter: unexpected \"{rest}\"; combine terms with & | ! and ( )")),
        }
    }

    /// The columns that the filter names; a bare word searches the shown columns.
    pub fn columns(&self) -> Vec<usize> {
        match self {
            Self::And(a, b) | Self::Or(a, b) => {
                let mut columns = a.columns();
                columns.extend(b.columns());
                columns
            }
            Self::Not(inner) => inner.columns(),
            Self::Test { column, .. } => vec![*column],
            Self::Word(_) => Vec::new(),
        }
    }

    /// Whether a row passes. `cell` gives the value of a column, `texts` searches all texts for a bare word.
    pub fn accepts<'v>(
        &self,
        cell: &dyn Fn(usize) -> Option<&'v Value>,
        texts: &dyn Fn(&str) -> bool,
    ) -> bool {
        match self {
            Self::And(a, b) => a.accepts(cell, texts) && b.accepts(cell, texts),
            Self::Or(a, b) => a.accepts(cell, texts) || b.accepts(cell, texts),
            Self::Not(inner) => !inner.accepts(cell, texts),
            Self::Test { column, op, with } => {
                cell(*column).is_some_and(|value| test(value, *op, with))
            }
            Self::Word(word) => texts(word),
        }
    }
}

/// A filter for rows whose column is this text, or lies below it as a path does; none if it cannot be quoted.
pub fn at_or_below(column: &str, path: &str) -> Option<String> {
    let quote = ['"', '\''].into_iter().find(|quote| !path.contains(*quote))?;
    let below = path.strip_suffix('/').unwrap_or(path);
    Some(format!("{column}={quote}{path}{quote} | {column}=^{quote}{below}/{quote}"))
}

/// Whether a value contains this text, given in lower case.
pub fn contains_text(value: &Value, lower: &str) -> bool {
    match value {
        Value::Text(_) | Value::Name(_) | Value::List(_) => {
            texts(value).iter().any(|text| text.to_lowercase().contains(lower))
        }
        Value::Whole(_) | Value::Integer(_) | Value::Real(_) | Value::Flag(_) => {
            value.plain().contains(lower)
        }
        Value::Missing(_) => false,
    }
}

/// Whether a cell of this unit shows this text, given in lower case. A number also matches in base units, as a
/// whole.
pub fn shows_text(value: &Value, unit: Unit, lower: &str) -> bool {
    if value.number().is_none() {
        return contains_text(value, lower);
    }
    value.human(unit, false).to_lowercase().contains(lower) || value.plain() == lower
}

/// The texts of a value that an operand may match: a name also as tables show it.
fn texts(value: &Value) -> Vec<String> {
    let shown = if let Value::Name(name) = value { Some(name.safe()) } else { None };
    std::iter::once(value.plain()).chain(shown).collect()
}

/// The word for no limit, which is larger than every number.
const UNLIMITED: &str = "max";

fn test(value: &Value, op: Op, with: &Operand) -> bool {
    match (value.missing(), with) {
        (missing, Operand::Missing) => missing.is_some() != (op == Op::NotEqual),
        (Some(_), _) => false,
        (None, Operand::Number(number)) => {
            let unlimited = (value.plain() == UNLIMITED).then_some(f64::INFINITY);
            let value = value.number().or(unlimited);
            value.is_some_and(|value| ordered(op, value.total_cmp(number)))
        }
        (None, Operand::Text(text)) => {
            let holds = contains_text(value, &text.to_lowercase());
            let texts = texts(value);
            match op {
                Op::Contains => holds,
                Op::ContainsNot => !holds,
                Op::Begins => texts.iter().any(|it| it.starts_with(text)),
                Op::Equal => texts.contains(text),
                Op::NotEqual => !texts.contains(text),
                Op::Greater | Op::GreaterEqual | Op::Less | Op::LessEqual => {
                    ordered(op, value.plain().cmp(text))
                }
            }
        }
        (None, Operand::Moment(typed)) => is_at(&value.plain(), typed) == (op == Op::Equal),
    }
}

/// Whether a time matches the typed beginning of a time.
fn is_at(moment: &str, typed: &str) -> bool {
    let typed = typed.strip_suffix('Z').unwrap_or(typed);
    // Minute 2 does not match minute 25, but a fraction of a second may be cut anywhere.
    let ends = |rest: &str| typed.contains('.') || !rest.starts_with(|c: char| c.is_ascii_digit());
    moment.strip_prefix(typed).is_some_and(ends)
}

fn ordered(op: Op, order: Ordering) -> bool {
    match op {
        Op::Equal => order == Ordering::Equal,
        Op::NotEqual => order != Ordering::Equal,
        Op::Greater => order == Ordering::Greater,
        Op::GreaterEqual => order != Ordering::Less,
        Op::Less => order == Ordering::Less,
        Op::LessEqual => order != Ordering::Greater,
        Op::Contains | Op::ContainsNot | Op::Begins => false,
    }
}

struct Parser<'a> {
    spec: &'a Spec,
    shown: &'a [usize],
    rest: &'a str,
    depth: u32,
    terms: u32,
}

impl Parser<'_> {
    fn or(&mut self) -> Result<Filter, String> {
        let mut left = self.and()?;
        while self.take("|") {
            left = Filter::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Filter, String> {
        let mut left = self.not()?;
        while self.take("&") {
            left = Filter::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Filter, String> {
        self.depth += 1;
        self.terms += 1;
        if self.depth > MAX_DEPTH || self.terms > MAX_TERMS {
            return Err("filter: nested too deeply, or too many terms".to_owned());
        }
        let filter = if self.take("!") {
            Filter::Not(Box::new(self.not()?))
        } else if self.take("(") {
            let inner = self.or()?;
            if !self.take(")") {
                return Err(match self.rest {
                    "" => "filter: missing ) at the end".to_owned(),
                    rest => format!("filter: missing ) before \"{rest}\""),
                });
            }
            inner
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(filter)
    }

    fn test(&mut self) -> Result<Filter, String> {
        let left = self.word()?;
        for (sign, op) in OPS {
            if self.take(sign) {
                let column = self.spec.find_shown(&left, self.shown)?;
                let is_bare = !self.rest.trim_start().starts_with(['"', '\'']);
                let with = self.word()?;
                let is_missing = is_bare && with == "-" && matches!(op, Op::Equal | Op::NotEqual);
                let with =
                    if is_missing { Operand::Missing } else { self.operand(column, op, with)? };
                return Ok(Filter::Test { column, op, with });
            }
        }
        Ok(Filter::Word(left.to_lowercase()))
    }

    fn operand(&self, column: usize, op: Op, text: String) -> Result<Operand, String> {
        let Some(info) = (self.spec.infos)().get(column).copied() else {
            return Ok(Operand::Text(text));
        };
        let by_text = !info.unit.is_number() && info.unit != Unit::Flag;
        if by_text && matches!(op, Op::Greater | Op::GreaterEqual | Op::Less | Op::LessEqual) {
            return Err(format!("filter: {} is a text column: use = != ~ !~ or =^", info.id));
        }
        // Tables for people show a space instead of the T.
        let is_moment = info.unit == Unit::Moment;
        let text = if is_moment { text.replace(' ', "T") } else { text };
        if is_moment && matches!(op, Op::Equal | Op::NotEqual) {
            return Ok(Operand::Moment(text));
        }
        if by_text || matches!(op, Op::Contains | Op::ContainsNot | Op::Begins) {
            return Ok(Operand::Text(text));
        }
        let is_percent = |number: f64| info.unit == Unit::Share && number > 1.0;
        if let Some(number) = text.parse::<f64>().ok().filter(|number| is_percent(*number)) {
            let (id, share) = (info.id, units::real(number / 100.0));
            return Err(format!("filter: {id} is a share from 0 to 1: use {text}% or {share}"));
        }
        let unlimited = text == UNLIMITED && info.unit == Unit::Bytes;
        let number = if unlimited { Some(f64::INFINITY) } else { units::parse(&text, info.unit) };
        number.map(Operand::Number).ok_or_else(|| {
            format!(
                "filter: {} is a column of {}, and \"{text}\" is not valid for it",
                info.id,
                info.unit.word()
            )
        })
    }

    /// A quoted word, or a word up to the next operator.
    fn word(&mut self) -> Result<String, String> {
        self.rest = self.rest.trim_start();
        if let Some(quote) = self.rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let quoted = self.rest.strip_prefix(quote).unwrap_or_default();
            let (word, rest) = quoted
                .split_once(quote)
                .ok_or_else(|| format!("filter: missing closing {quote}"))?;
            self.rest = rest;
            return Ok(word.to_owned());
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || "&|!()=<>~\"".contains(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if word.is_empty() {
            return Err(match rest {
                "" => "filter: a column or value is missing at the end".to_owned(),
                _ => format!("filter: a column or value is missing before \"{rest}\""),
            });
        }
        self.rest = rest;
        Ok(word.to_owned())
    }

    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(sign) {
            // `!` before `=` or `~` belongs to an operator.
            Some(after) if sign == "!" && after.starts_with(['=', '~']) => false,
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests;
