//! The grammar of `--filter`.
//!
//! ```text
//! or     := and ('|' and)*
//! and    := not ('&' not)*
//! not    := '!' not | '(' or ')' | test
//! test   := COLUMN OP VALUE | WORD
//! OP     := = != > >= < <= ~ !~        (~ : contains, whatever the case)
//! VALUE  := 1.5G | 30% | 20ms | "any text" | 'any text' | any-text | -   (- : missing)
//! ```
//! A bare word is looked for in all that is shown of the row. Comparing with something that is missing is
//! never true, except with `-`.

use super::spec::Spec;
use super::units;
use super::value::{Unit, Value};
use std::cmp::Ordering;

/// A filter that has been understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Both.
    And(Box<Filter>, Box<Filter>),
    /// Either.
    Or(Box<Filter>, Box<Filter>),
    /// Not.
    Not(Box<Filter>),
    /// A column compared with a value.
    Test {
        /// The column's place among all of its table.
        column: usize,
        /// How it is compared.
        op: Op,
        /// With what.
        with: Operand,
    },
    /// A word anywhere in a text of the row, in lower case.
    Word(String),
}

/// How a cell is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// The same.
    Equal,
    /// Not the same.
    NotEqual,
    /// More.
    Greater,
    /// More or the same.
    GreaterEqual,
    /// Less.
    Less,
    /// Less or the same.
    LessEqual,
    /// Holds the text.
    Contains,
    /// Does not hold the text.
    ContainsNot,
}

/// What a cell is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A number in base units.
    Number(f64),
    /// A text.
    Text(String),
    /// A moment, as far as it was typed: `2026-11-21` is all of that day.
    Moment(String),
    /// That there is no value.
    Missing,
}

/// Operators, longer ones first so that `>=` is not read as `>`.
const OPS: [(&str, Op); 9] = [
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

/// More than any filter that a person writes: each term is a level of the tree.
const MAX_TERMS: u32 = 256;
/// Deeper than any filter that a person writes; shallow enough for any stack.
const MAX_DEPTH: u32 = 64;

impl Filter {
    /// Understand a filter for this table, of which these columns are shown.
    ///
    /// # Errors
    /// A sentence that says where it goes wrong.
    pub fn parse(spec: &Spec, shown: &[usize], text: &str) -> Result<Self, String> {
        let mut parser = Parser { spec, shown, rest: text, depth: 0, terms: 0 };
        let filter = parser.or()?;
        match parser.rest.trim_start() {
            "" => Ok(filter),
            rest => Err(format!("in the filter, \"{rest}\" does not belong: use & | ! and ( )")),
        }
    }

    /// The columns it names; a bare word looks at whatever is shown.
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

    /// Does this row pass? `cell` gives the value of a column, `texts` all texts for bare words.
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

/// Does this value hold this text, which is in lower case?
pub fn contains_text(value: &Value, lower: &str) -> bool {
    match value {
        Value::Text(_) | Value::Name(_) | Value::List(_) => {
            value.plain().to_lowercase().contains(lower)
        }
        Value::Whole(_) | Value::Integer(_) | Value::Real(_) | Value::Flag(_) => {
            value.plain().contains(lower)
        }
        Value::Missing(_) => false,
    }
}

fn test(value: &Value, op: Op, with: &Operand) -> bool {
    match (value.missing(), with) {
        (missing, Operand::Missing) => missing.is_some() != (op == Op::NotEqual),
        (Some(_), _) => false,
        (None, Operand::Number(number)) => {
            value.number().is_some_and(|value| ordered(op, value.total_cmp(number)))
        }
        (None, Operand::Text(text)) => {
            let order = value.plain().as_str().cmp(text);
            let holds = contains_text(value, &text.to_lowercase());
            ordered(op, order) || (op == Op::Contains && holds) || (op == Op::ContainsNot && !holds)
        }
        (None, Operand::Moment(typed)) => is_at(&value.plain(), typed) == (op == Op::Equal),
    }
}

/// Is this moment the one that was typed, as far as that goes?
fn is_at(moment: &str, typed: &str) -> bool {
    let typed = typed.strip_suffix('Z').unwrap_or(typed);
    // Minute 2 is not in minute 25; but a fraction is cut where one likes.
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
        Op::Contains | Op::ContainsNot => false,
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
            return Err("the filter is nested too deeply or has too many terms".to_owned());
        }
        let filter = if self.take("!") {
            Filter::Not(Box::new(self.not()?))
        } else if self.take("(") {
            let inner = self.or()?;
            if !self.take(")") {
                return Err(match self.rest {
                    "" => "in the filter, a ) is missing at the end".to_owned(),
                    rest => format!("in the filter, a ) is missing before \"{rest}\""),
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
                let with = self.word()?;
                return Ok(Filter::Test { column, op, with: self.operand(column, op, with)? });
            }
        }
        Ok(Filter::Word(left.to_lowercase()))
    }

    fn operand(&self, column: usize, op: Op, text: String) -> Result<Operand, String> {
        if text == "-" {
            return Ok(Operand::Missing);
        }
        let Some(info) = (self.spec.infos)().get(column).copied() else {
            return Ok(Operand::Text(text));
        };
        let by_text = !info.unit.is_number() && info.unit != Unit::Flag;
        if by_text && matches!(op, Op::Greater | Op::GreaterEqual | Op::Less | Op::LessEqual) {
            return Err(format!("in the filter, {} holds text: use = != ~ or !~", info.id));
        }
        // As it is shown to people it has a space there.
        let is_moment = info.unit == Unit::Moment;
        let text = if is_moment { text.replace(' ', "T") } else { text };
        if is_moment && matches!(op, Op::Equal | Op::NotEqual) {
            return Ok(Operand::Moment(text));
        }
        if by_text || matches!(op, Op::Contains | Op::ContainsNot) {
            return Ok(Operand::Text(text));
        }
        let number = units::parse(&text, info.unit);
        number.map(Operand::Number).ok_or_else(|| {
            format!(
                "in the filter, {} holds {}, and \"{text}\" is not that",
                info.id,
                info.unit.word()
            )
        })
    }

    /// A word in quotes, or up to the next sign.
    fn word(&mut self) -> Result<String, String> {
        self.rest = self.rest.trim_start();
        if let Some(quote) = self.rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let quoted = self.rest.strip_prefix(quote).unwrap_or_default();
            let (word, rest) = quoted
                .split_once(quote)
                .ok_or_else(|| format!("in the filter, a closing {quote} is missing"))?;
            self.rest = rest;
            return Ok(word.to_owned());
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || "&|!()=<>~\"".contains(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if word.is_empty() {
            return Err(match rest {
                "" => "the filter ends where a word should come".to_owned(),
                _ => format!("in the filter, a word should come before \"{rest}\""),
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
