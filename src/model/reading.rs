//! A value from the kernel, or the reason why it is missing.
//!
//! There is deliberately no `Default`: a missing value never becomes a zero.

use super::name::safe_text;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Why a value is missing. The texts are shared, because the same reason recurs in every sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// This kernel or machine does not provide it now; the text says what is absent.
    Absent(Arc<str>),
    /// Permission denied; the text names the file.
    Denied(Arc<str>),
    /// The read failed, or the data is invalid; the text says how.
    Failed(Arc<str>),
    /// The value was not requested in this sample.
    NotSampled,
    /// The value needs two samples, and there is only one.
    OneSample,
    /// The value needs more than two samples; the text says how many.
    FewSamples(Arc<str>),
}

impl Missing {
    /// A value that this kernel or machine does not provide.
    pub fn absent(why: impl Into<Arc<str>>) -> Self {
        Self::Absent(why.into())
    }

    /// A failed read or parse.
    pub fn failed(why: impl Into<Arc<str>>) -> Self {
        Self::Failed(why.into())
    }

    /// The more actionable of two reasons: permission denied comes first, because rights can be obtained;
    /// otherwise this one.
    pub fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Denied(_), _) => self,
            (_, Self::Denied(_)) => other,
            _ => self,
        }
    }

    /// The kind for scripts: `absent`, `denied`, `failed`, `not_sampled`, `one_sample` or
    /// `few_samples`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Absent(_) => "absent",
            Self::Denied(_) => "denied",
            Self::Failed(_) => "failed",
            Self::NotSampled => "not_sampled",
            Self::OneSample => "one_sample",
            Self::FewSamples(_) => "few_samples",
        }
    }

    /// The reason as text that is safe on a terminal, without its kind.
    pub fn why(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(why) | Self::Failed(why) | Self::FewSamples(why) => {
                f.write_str(&safe_text(why))
            }
            Self::Denied(path) => write!(f, "permission denied for {}", safe_text(path)),
            Self::NotSampled => f.write_str("not sampled for this report"),
            Self::OneSample => f.write_str("needs two samples"),
        }
    }
}

/// A value, or the reason why it is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reading<T> {
    /// No value: `{"missing": …}` in a recording.
    Missing {
        /// The reason.
        missing: Missing,
    },
    /// The value.
    Known(T),
}

impl<T> Reading<T> {
    /// A value that this kernel or machine does not provide.
    pub fn absent(why: impl Into<Arc<str>>) -> Self {
        Missing::absent(why).into()
    }

    /// A failed read or parse.
    pub fn failed(why: impl Into<Arc<str>>) -> Self {
        Missing::failed(why).into()
    }

    /// The value of an option; without one, the kernel or machine does not provide it.
    pub fn or_absent(value: Option<T>, why: impl Into<Arc<str>>) -> Self {
        value.map_or_else(|| Self::absent(why), Self::Known)
    }

    /// A part that was not requested.
    pub fn not_sampled() -> Self {
        Missing::NotSampled.into()
    }

    /// The value, if it is known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Missing { .. } => None,
        }
    }

    /// The reason, if the value is missing.
    pub fn missing(&self) -> Option<&Missing> {
        match self {
            Self::Known(_) => None,
            Self::Missing { missing } => Some(missing),
        }
    }

    /// Borrows the value as a `Result`, so that `?` passes the reason on.
    pub fn get(&self) -> Result<&T, Missing> {
        match self {
            Self::Known(value) => Ok(value),
            Self::Missing { missing } => Err(missing.clone()),
        }
    }

    /// Whether the kernel does not have it.
    pub fn is_absent(&self) -> bool {
        matches!(self.missing(), Some(Missing::Absent(_)))
    }

    /// Returns the default in place of a value that the kernel does not have.
    pub fn default_if_absent(self) -> Self
    where
        T: Default,
    {
        match self {
            Self::Missing { missing: Missing::Absent(_) } => Self::Known(T::default()),
            other @ (Self::Missing { .. } | Self::Known(_)) => other,
        }
    }

    /// Converts to a `Result`, so that `?` passes the reason on.
    pub fn into_result(self) -> Result<T, Missing> {
        match self {
            Self::Known(value) => Ok(value),
            Self::Missing { missing } => Err(missing),
        }
    }

    /// Maps the value and keeps the reason.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reading<U> {
        self.into_result().map(change).into()
    }

    /// Maps the value with a function that may itself give a reason.
    pub fn and_then<U>(self, change: impl FnOnce(T) -> Reading<U>) -> Reading<U> {
        match self {
            Self::Known(value) => change(value),
            Self::Missing { missing } => missing.into(),
        }
    }

    /// Combines two values; the first reason wins.
    pub fn map2<U, V>(self, other: Reading<U>, join: impl FnOnce(T, U) -> V) -> Reading<V> {
        self.and_then(|a| other.map(|b| join(a, b)))
    }

    /// Combines two values with a function that may itself give a reason; the first reason wins.
    pub fn and_then2<U, V>(
        self,
        other: Reading<U>,
        join: impl FnOnce(T, U) -> Reading<V>,
    ) -> Reading<V> {
        self.and_then(|a| other.and_then(|b| join(a, b)))
    }

    /// Borrows the value.
    pub fn as_ref(&self) -> Reading<&T> {
        match self {
            Self::Known(value) => Reading::Known(value),
            Self::Missing { missing } => missing.clone().into(),
        }
    }
}

impl<T> Reading<Vec<T>> {
    /// The items of a known list; none if it is missing.
    pub fn known_items(&self) -> &[T] {
        self.known().map_or(&[], Vec::as_slice)
    }
}

impl<T: Clone> Reading<&T> {
    /// Clones the value.
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

/// Reads a value or `{"missing": …}` directly: an untagged enum copies all text below it first, and again at each
/// level, which takes ten times the memory of a recording.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Reading<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadingVisitor(PhantomData))
    }
}

/// Maximum number of items of a list or map: more than any kernel has of what a reading lists.
pub const MAX_ITEMS: usize = 1 << 16;

struct ReadingVisitor<T>(PhantomData<T>);

/// Passes simple values on to the type of the value.
macro_rules! pass_on {
    ($($visit:ident($kind:ty);)*) => {$(
        fn $visit<E: serde::de::Error>(self, value: $kind) -> Result<Self::Value, E> {
            T::deserialize(value.into_deserializer()).map(Reading::Known)
        }
    )*};
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for ReadingVisitor<T> {
    type Value = Reading<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or the reason why it is missing")
    }

    pass_on! {
        visit_bool(bool);
        visit_i64(i64);
        visit_u64(u64);
        visit_f64(f64);
        visit_str(&str);
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        let items = Limited { first: None, items, left: MAX_ITEMS };
        T::deserialize(SeqAccessDeserializer::new(items)).map(Reading::Known)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let first = map.next_key::<String>()?;
        if first.as_deref() != Some("missing") {
            let items = Limited { first, items: map, left: MAX_ITEMS };
            return T::deserialize(MapAccessDeserializer::new(items)).map(Reading::Known);
        }
        let missing = map.next_value()?;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Reading::Missing { missing })
    }
}

/// A list or a map that ends with an error if it has too many items. The first key of a map is read already.
struct Limited<A> {
    first: Option<String>,
    items: A,
    left: usize,
}

/// The first key of a map. JSON has a key as text also where it is a number.
struct FirstKey<E>(String, PhantomData<E>);

/// Parses the key as a number.
macro_rules! numeric_key {
    ($($deserialize:ident $visit:ident;)*) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            visitor.$visit(self.0.parse().map_err(E::custom)?)
        }
    )*};
}

impl<'de, E: serde::de::Error> Deserializer<'de> for FirstKey<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_string(self.0)
    }

    numeric_key! {
        deserialize_u8 visit_u8;
        deserialize_u16 visit_u16;
        deserialize_u32 visit_u32;
        deserialize_u64 visit_u64;
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<A> Limited<A> {
    fn take_one<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.left = self.left.checked_sub(1).ok_or_else(|| E::custom("too many items"))?;
        Ok(())
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Limited<A> {
    type Error = A::Error;

    fn next_element_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<Option<V::Value>, A::Error> {
        self.take_one()?;
        self.items.next_element_seed(seed)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Limited<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        self.take_one()?;
        match self.first.take() {
            Some(first) => seed.deserialize(FirstKey(first, PhantomData)).map(Some),
            None => self.items.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.items.next_value_seed(seed)
    }
}

/// The value of a reading; if it is missing, returns from the function with the reason, as `?` does.
#[macro_export]
macro_rules! known {
    ($reading:expr) => {
        match $reading.into_result() {
            Ok(value) => value,
            Err(missing) => return missing.into(),
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_missing_list_has_no_items() {
        assert_eq!(Reading::Known(vec![1, 2]).known_items(), [1, 2]);
        assert!(Reading::<Vec<u64>>::not_sampled().known_items().is_empty());
    }

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

    fn read<T: serde::de::DeserializeOwned>(text: &[u8]) -> bool {
        serde_json::from_slice::<Reading<T>>(text).is_ok()
    }

    #[test]
    fn lists_and_maps_with_too_many_items_are_refused() {
        for (items, is_read) in [(MAX_ITEMS - 1, true), (MAX_ITEMS, false)] {
            let list = serde_json::to_vec(&vec![1; items]).unwrap();
            let map: BTreeMap<_, _> = (0..items).map(|item| (item, 1)).collect();
            let map = serde_json::to_vec(&map).unwrap();
            assert_eq!(read::<Vec<u64>>(&list), is_read);
            assert_eq!(read::<BTreeMap<String, u64>>(&map), is_read);
        }
    }

    #[test]
    fn keys_of_maps_may_be_numbers() {
        for count in 0..3 {
            let owners: BTreeMap<u16, u64> = (0..count).map(|owner| (owner, 1)).collect();
            let known = Reading::Known(owners);
            let text = serde_json::to_string(&known).unwrap();
            assert_eq!(serde_json::from_str::<Reading<_>>(&text).ok(), Some(known), "{text}");
        }
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
    fn an_option_and_two_readings_keep_their_reasons() {
        let quotient = |of: Option<u64>, by: u64| -> Reading<u64> {
            let by = known!(Reading::or_absent((by > 0).then_some(by), "by zero"));
            Reading::or_absent(of, "no number").map(|of| of / by)
        };
        assert_eq!(quotient(Some(6), 2), Reading::Known(3));
        assert_eq!(quotient(None, 2), Reading::absent("no number"));
        assert_eq!(quotient(None, 0), Reading::absent("by zero"));
        let both =
            |a, b| Reading::Known(a).and_then2(quotient(None, b), |a, b: u64| quotient(a, b));
        assert_eq!(both(Some(1), 1), Reading::absent("no number"));
    }

    #[test]
    fn the_first_reason_wins() {
        let none: Reading<u64> = Reading::absent("first");
        let sum = none.map2(Reading::<u64>::failed("second"), |a, b| a + b);
        assert_eq!(sum.missing(), Some(&Missing::absent("first")));
    }
}
