//! A value that the kernel gave, or the reason why it did not.
//!
//! There is deliberately no `Default`: a value that is missing can never turn into a zero.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Why a value is missing. Each variant carries what a person needs to know next. The same reason
/// comes back with every sample, so that samples can hold it together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// This kernel, machine or moment does not offer it; the text says what is not there.
    Absent(Arc<str>),
    /// It is there, but these rights do not let us read it; the text names the file.
    Denied(Arc<str>),
    /// It is there and was read, but it made no sense or the read failed; the text says how.
    Failed(Arc<str>),
    /// Nobody asked for it in this sample.
    NotSampled,
    /// It compares two samples, and there is only one.
    OneSample,
}

impl Missing {
    /// Something that this kernel or machine does not offer.
    pub fn absent(why: impl Into<Arc<str>>) -> Self {
        Self::Absent(why.into())
    }

    /// A read or parse that went wrong.
    pub fn failed(why: impl Into<Arc<str>>) -> Self {
        Self::Failed(why.into())
    }

    /// Of two reasons why something is not known, the one to act on first: rights can be had, another
    /// kernel hardly. Else it is this one.
    pub fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Denied(_), _) => self,
            (_, Self::Denied(_)) => other,
            _ => self,
        }
    }

    /// The one word for scripts: `absent`, `denied`, `failed`, `not_sampled` or `one_sample`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Absent(_) => "absent",
            Self::Denied(_) => "denied",
            Self::Failed(_) => "failed",
            Self::NotSampled => "not_sampled",
            Self::OneSample => "one_sample",
        }
    }

    /// The reason in words, without its kind.
    pub fn why(&self) -> String {
        match self {
            Self::Absent(why) | Self::Failed(why) => why.to_string(),
            Self::Denied(path) => format!("{path} cannot be read with these rights"),
            Self::NotSampled => "this report did not need it".to_owned(),
            Self::OneSample => "a rate compares two samples, and a captured tree or the start of a recording has only one".to_owned(),
        }
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.kind().replace('_', " "), self.why())
    }
}

/// A value, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reading<T> {
    /// Why there is no value. First, so that a recording's `{"missing": …}` is tried before `T`.
    Missing {
        /// The reason.
        missing: Missing,
    },
    /// The value as the kernel gave it.
    Known(T),
}

impl<T> Reading<T> {
    /// Something that this kernel or machine does not offer.
    pub fn absent(why: impl Into<Arc<str>>) -> Self {
        Missing::absent(why).into()
    }

    /// A read or parse that went wrong.
    pub fn failed(why: impl Into<Arc<str>>) -> Self {
        Missing::failed(why).into()
    }

    /// A part that nobody asked for.
    pub fn not_sampled() -> Self {
        Missing::NotSampled.into()
    }

    /// The value, if there is one.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Missing { .. } => None,
        }
    }

    /// The reason, if there is no value.
    pub fn missing(&self) -> Option<&Missing> {
        match self {
            Self::Known(_) => None,
            Self::Missing { missing } => Some(missing),
        }
    }

    /// Borrow as a `Result`, so that `?` carries the reason along.
    ///
    /// # Errors
    /// The reason, when there is no value.
    pub fn get(&self) -> Result<&T, Missing> {
        match self {
            Self::Known(value) => Ok(value),
            Self::Missing { missing } => Err(missing.clone()),
        }
    }

    /// As a `Result`, so that `?` carries the reason along.
    ///
    /// # Errors
    /// The reason, when there is no value.
    pub fn into_result(self) -> Result<T, Missing> {
        match self {
            Self::Known(value) => Ok(value),
            Self::Missing { missing } => Err(missing),
        }
    }

    /// Change the value and keep the reason.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reading<U> {
        self.into_result().map(change).into()
    }

    /// Change the value by a step that can itself find nothing.
    pub fn and_then<U>(self, change: impl FnOnce(T) -> Reading<U>) -> Reading<U> {
        match self {
            Self::Known(value) => change(value),
            Self::Missing { missing } => missing.into(),
        }
    }

    /// Combine two values; the first reason wins.
    pub fn map2<U, V>(self, other: Reading<U>, join: impl FnOnce(T, U) -> V) -> Reading<V> {
        self.and_then(|a| other.map(|b| join(a, b)))
    }

    /// Borrow the inside.
    pub fn as_ref(&self) -> Reading<&T> {
        match self {
            Self::Known(value) => Reading::Known(value),
            Self::Missing { missing } => missing.clone().into(),
        }
    }
}

impl<T: Clone> Reading<&T> {
    /// Own the inside.
    pub fn cloned(self) -> Reading<T> {
        self.map(Clone::clone)
    }
}

impl<T> From<Missing> for Reading<T> {
    fn from(missing: Missing) -> Self {
        Self::Missing { missing }
    }
}

impl<T> From<Result<T, Missing>> for Reading<T> {
    fn from(result: Result<T, Missing>) -> Self {
        match result {
            Ok(value) => Self::Known(value),
            Err(missing) => missing.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_value_survives_serialisation_and_never_becomes_zero() {
        let readings: Vec<Reading<u64>> = vec![
            Reading::Known(0),
            Reading::absent("no such file"),
            Missing::Denied("/proc/kcore".into()).into(),
            Reading::failed("torn"),
            Reading::not_sampled(),
        ];
        let text = serde_json::to_string(&readings).unwrap();
        let back: Vec<Reading<u64>> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, readings);
        assert_eq!(text.matches('0').count(), 1, "only the real zero is a zero: {text}");
    }

    #[test]
    fn permission_denied_comes_before_other_reasons() {
        let (absent, failed) = (Missing::absent("no file"), Missing::failed("torn"));
        let denied = |path: &str| Missing::Denied(path.into());
        assert_eq!(absent.clone().or(denied("/a")), denied("/a"));
        assert_eq!(denied("/a").or(absent.clone()), denied("/a"));
        assert_eq!(denied("/a").or(denied("/b")), denied("/a"));
        assert_eq!(absent.clone().or(failed), absent);
    }

    #[test]
    fn the_first_reason_wins() {
        let none: Reading<u64> = Reading::absent("first");
        let sum = none.map2(Reading::<u64>::failed("second"), |a, b| a + b);
        assert_eq!(sum.missing(), Some(&Missing::absent("first")));
    }
}
