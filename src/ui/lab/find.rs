//! What of the lists of the lab holds a word.

use super::{LOADS, Lab, RESULTS};
use crate::columns::Request;
use crate::columns::tables::lab::of_entries;

impl Lab {
    /// The list in which words are looked for from this pane: its own, or else that of results; none
    /// where there is nothing to look through.
    pub fn searchable(&self, pane: &str) -> Option<&'static str> {
        let lists = [(LOADS, !self.loads.is_empty()), (RESULTS, !self.kept().is_empty())];
        let full = lists.into_iter().rev().filter(|(_, is_full)| *is_full);
        full.clone()
            .find(|(list, _)| *list == pane)
            .or_else(|| full.clone().next())
            .map(|(list, _)| list)
    }

    /// Let keys act on the first of a list that holds this word; false where none does.
    pub(in crate::ui) fn seek(&mut self, list: &str, word: &str) -> bool {
        let word = word.trim().to_lowercase();
        let place = if list == LOADS { self.load_with(&word) } else { self.result_with(&word) };
        match place {
            Some(place) if list == LOADS => {
                self.shows_last &= !self.choose(place);
                true
            }
            Some(place) => {
                self.entry = place;
                true
            }
            None => false,
        }
    }

    fn load_with(&self, word: &str) -> Option<usize> {
        self.loads.iter().position(|load| load.name.to_lowercase().contains(word))
    }

    /// Any of its cells counts, as in other tables.
    fn result_with(&self, word: &str) -> Option<usize> {
        let request = Request { all: true, ..Request::default() };
        let (_, rows) = of_entries(self.kept(), &request).ok()?;
        let holds = |row: usize| {
            rows.infos.iter().any(|info| rows.text(row, info.id).to_lowercase().contains(word))
        };
        (0..rows.cells.len()).find(|row| holds(*row))
    }
}
