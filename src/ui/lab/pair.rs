//! Two kept results that are compared.

use super::{Found, Lab};
use crate::derive::lab::Entry;
use crate::model::kept::Kept;
use std::borrow::Cow;

/// Their numbers: what is compared with, and what is compared.
pub type Pair = [u64; 2];

/// Two results that were read to be compared.
pub type Compared = Box<[Kept; 2]>;

/// Why something cannot be compared.
type Why = Cow<'static, str>;

impl Lab {
    /// Mark the result that keys act on, or take its mark away; of three marks the oldest goes.
    pub fn mark(&mut self) {
        let Some(id) = self.selected() else { return };
        let before = self.marked.len();
        self.marked.retain(|marked| *marked != id);
        if self.marked.len() == before {
            self.marked.push(id);
            self.marked.drain(..self.marked.len().saturating_sub(2));
        }
        self.entry = (self.entry + 1).min(self.kept().len().saturating_sub(1));
    }

    /// What marking would do to the result that keys act on.
    pub fn marking(&self) -> &'static str {
        let is_marked = self.selected().is_some_and(|id| self.marked.contains(&id));
        if is_marked { "unmark" } else { "mark" }
    }

    /// These are kept now. Keys act on the one they did, unless that was the newest.
    pub(in crate::ui) fn relist(&mut self, entries: Result<Vec<Entry>, String>) {
        if self.entries.as_ref() == Some(&entries) {
            return;
        }
        let selected = self.selected().filter(|_| self.entry > 0);
        self.entries = Some(entries);
        let kept: Vec<u64> = self.kept().iter().map(|entry| entry.id).collect();
        let place = kept.iter().position(|id| Some(*id) == selected);
        self.entry = place.unwrap_or(self.entry).min(kept.len().saturating_sub(1));
        self.marked.retain(|id| kept.contains(id));
        self.judged = None;
    }

    /// The two results that would be compared.
    ///
    /// # Errors
    /// When there are no two.
    pub fn pair(&self) -> Result<Pair, Why> {
        let selected = self.selected().ok_or("no result is selected to compare with")?;
        let last = self.last_found().map(Found::id).filter(|id| *id > 0);
        match (self.marked.as_slice(), last) {
            ([first, second], _) => Ok([*first, *second]),
            ([first], _) if *first != selected => Ok([*first, selected]),
            ([_], _) => Err("that is the marked result itself: select another one in Results".into()),
            (_, Some(last)) if last != selected => Ok([selected, last]),
            (_, Some(_)) => {
                Err("that is the run itself: select another one in Results, or mark one".into())
            }
            (_, None) => Err("nothing was run from here yet: mark a result with Space, then select the other one".into()),
        }
    }

    /// The two results that would be compared, as far as nothing is known to stand against it.
    ///
    /// # Errors
    /// When there are no two, or these cannot be compared.
    pub fn comparable(&self) -> Result<Pair, Why> {
        let pair = self.pair()?;
        match &self.judged {
            Some((judged, Err(why))) if *judged == pair => Err(why.clone().into()),
            _ => Ok(pair),
        }
    }
}
