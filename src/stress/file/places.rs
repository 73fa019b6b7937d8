//! Where things were said of a load. What only the machine can refuse is found after the file was
//! read, and its line is to be told then too.

use super::{Found, Group, Place, Wrong, Wrongs};
use std::collections::BTreeMap;

/// Where each key was said, of the whole load and of each work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    top: Keys,
    works: Vec<Keys>,
}

/// For each key an error about it, of which only the text is missing.
type Keys = BTreeMap<&'static str, Wrong>;

/// Where a key was said that is not said in the file, if that is not the command line.
pub type Elsewhere<'e> = &'e dyn Fn(&str) -> Option<Wrong>;

impl Places {
    /// Of a load that was understood, from what it was read from.
    pub(super) fn of<S: AsRef<str>>(
        name: &str,
        text: &str,
        changes: &[S],
        elsewhere: Elsewhere<'_>,
    ) -> Self {
        let found = super::found(text, changes, &mut Wrongs::of(name)).unwrap_or_default();
        let Found { top, works } = found;
        let of_work = |(number, said): (usize, &Group)| {
            let of_it = |key: &str| elsewhere(&format!("{number}.{key}"));
            let place = |key: &str| of_it(key).or_else(|| elsewhere(key));
            keys(name, said, &place)
        };
        let works = (1..).zip(works.iter().map(|part| &part.said)).map(of_work).collect();
        Self { top: keys(name, &top, elsewhere), works }
    }

    /// What is wrong with a key of the whole load.
    pub fn wrong(&self, key: &str, text: &str) -> Wrong {
        with_text(self.top.get(key), ("the load", key), text)
    }

    /// What is wrong with a key of a work, which are counted from 1 on.
    pub fn wrong_of_work(&self, number: usize, key: &str, text: &str) -> Wrong {
        let work = number.checked_sub(1).and_then(|place| self.works.get(place));
        with_text(work.and_then(|keys| keys.get(key)), (&format!("work {number}"), key), text)
    }
}

fn with_text(place: Option<&Wrong>, (of, key): (&str, &str), text: &str) -> Wrong {
    let place = place.cloned().unwrap_or_else(|| Wrong {
        file: of.to_owned(),
        line: None,
        key: Some(key.to_owned()),
        text: String::new(),
    });
    Wrong { text: text.to_owned(), ..place }
}

fn keys(name: &str, group: &Group, elsewhere: Elsewhere<'_>) -> Keys {
    let place_of = |key: &'static str, place: Place| {
        let mut wrongs = Wrongs::of(name);
        wrongs.tell(place, Some(key), "");
        let here = wrongs.list.pop();
        let other = if place == Place::Typed { elsewhere(key) } else { None };
        other.or(here).map(|wrong| (key, wrong))
    };
    group.iter().filter_map(|(key, said)| place_of(key, said.place)).collect()
}
