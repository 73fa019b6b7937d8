//! Parts shared by all probes: their description, and a cache for facts that stay the same until the next
//! boot.

use crate::model::{Missing, Part, Reading, Sampled, Stamp};
use crate::root::Root;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// How often a live view reads a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadInterval {
    /// Every second: cheap and changing.
    Fast,
    /// Every three seconds: costly, or slowly changing.
    Medium,
    /// On request only.
    OnDemand,
}

/// Description of a probe.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The part of the snapshot that it fills.
    pub part: Part,
    /// The name in reports.
    pub id: &'static str,
    /// How often a live view runs it.
    pub tier: ReadInterval,
    /// The files it reads, below the root; `*` stands for one name, `**` for any depth.
    pub files: &'static [&'static str],
    /// The content, in one sentence.
    pub about: &'static str,
    /// The remedy when it is missing or denied.
    pub remedy: &'static str,
}

/// A reading with its time.
pub(super) fn sampled<T>(at: Stamp, reading: Reading<T>) -> Sampled<T> {
    Sampled::new(Some(at), reading)
}

/// A cached reading, and the circumstances under which it was read.
#[derive(Debug)]
pub(super) struct BootCache<T, K = ()>(Mutex<Option<(K, Reading<T>)>>);

impl<T: Clone, K: PartialEq> BootCache<T, K> {
    /// Creates an empty cache.
    pub(super) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Reads through the cache on this machine; captured trees are always read.
    pub(super) fn get_or_read(
        &self,
        root: &Root,
        now: K,
        find: impl FnOnce() -> Reading<T>,
    ) -> Reading<T> {
        if root.is_live() && root.folder() == Path::new("/") { self.get(now, find) } else { find() }
    }

    /// Reads through the cache as long as the circumstances stay the same, such as the facts of a file.
    pub(super) fn get_while_same(
        &self,
        root: &Root,
        now: K,
        find: impl FnOnce() -> Reading<T>,
    ) -> Reading<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take_if(|(then, _)| *then != now);
        self.get_or_read(root, now, find)
    }

    /// Returns the cached reading or reads anew: an absent value stays absent under the same circumstances,
    /// and a failed read is always repeated.
    fn get(&self, now: K, find: impl FnOnce() -> Reading<T>) -> Reading<T> {
        let lasts = |found: &Reading<T>, then: &K| match found.missing() {
            None => true,
            Some(missing) => *then == now && !matches!(missing, Missing::Failed(_)),
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((then, found)) if lasts(found, then) => found.clone(),
            _ => kept.insert((now, find())).1.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_again_only_where_they_can_change() {
        let hidden = || Reading::absent("hidden");
        let (kept, mut looks) = (BootCache::new(), 0);
        let mut get = |shown, found: Reading<u8>| {
            let find = || {
                looks += 1;
                found
            };
            (kept.get(shown, find).known().is_some(), looks)
        };
        assert_eq!(get(2, Reading::failed("for once")), (false, 1));
        assert_eq!(get(2, hidden()), (false, 2));
        assert_eq!(get(2, Reading::Known(1)), (false, 2), "it is kept");
        assert_eq!(get(1, Reading::Known(1)), (true, 3), "addresses are shown now");
        assert_eq!(get(2, hidden()), (true, 3));
    }

    #[test]
    fn a_file_is_read_again_after_it_changed() {
        let (kept, mut reads) = (BootCache::new(), 0);
        let mut read = |size| {
            let find = || {
                reads += 1;
                Reading::Known(size)
            };
            (kept.get_while_same(&Root::live(), size, find).known().copied(), reads)
        };
        assert_eq!([read(7), read(7), read(8)], [(Some(7), 1), (Some(7), 1), (Some(8), 2)]);
    }

    #[test]
    fn captured_trees_are_never_cached() {
        let (tree, kept) = (crate::root::testing::TestTree::new(), BootCache::new());
        let of = |found| kept.get_or_read(&tree.root(), (), || Reading::Known(found));
        assert_eq!((of(1), of(2)), (Reading::Known(1), Reading::Known(2)));
    }
}
