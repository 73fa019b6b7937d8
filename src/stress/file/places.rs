//! Where things were said of works. What only the machine can refuse is found after the file was
//! read, and its line is to be told then too.

use super::{Found, Part, Said, Wrongs};
use std::collections::BTreeMap;

/// Where each key was said, of each work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    works: Vec<BTreeMap<&'static str, String>>,
}

impl Places {
    /// Of a load that was understood, from what it was read from.
    #[must_use]
    pub fn of<S: AsRef<str>>(name: &str, text: &str, changes: &[S]) -> Self {
        let mut wrongs = Wrongs::of(name);
        let found = super::found(text, changes, &mut wrongs).unwrap_or_default();
        Self { works: works(&found, name) }
    }

    /// What is wrong with a key of a work, which are counted from 1 on, with the place of that.
    #[must_use]
    pub fn wrong(&self, number: usize, key: &str, text: &str) -> String {
        let work = number.checked_sub(1).and_then(|place| self.works.get(place));
        match work.and_then(|keys| keys.get(key)) {
            Some(place) => format!("{place}: {text}"),
            None => format!("work {number}: {key}: {text}"),
        }
    }
}

/// The places of each work, as errors name them.
fn works(found: &Found, name: &str) -> Vec<BTreeMap<&'static str, String>> {
    let place_of = |(key, said): (&&'static str, &Said)| {
        let mut wrongs = Wrongs::of(name);
        wrongs.tell(said.place, Some(key), "");
        wrongs.list.pop().map(|wrong| (*key, wrong.place()))
    };
    let of_work = |part: &Part| part.said.iter().filter_map(place_of).collect();
    found.works.iter().map(of_work).collect()
}
