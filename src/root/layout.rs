//! Where on its disk a file lies.

use super::ffi::{self, Extent};
use super::{Root, missing, open, shown};
use crate::model::Reading;
use nix::errno::Errno;
use std::path::Path;

/// `FIEMAP_EXTENT_LAST`.
const LAST: u32 = 0x1;
/// Pieces that are counted at most: more say nothing more.
const MOST: u64 = 1 << 16;

/// Answers that are asked for at most, however short each is.
const MOST_CALLS: u64 = 1 << 12;

/// How a file lies on its disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Pieces that do not go on where the last one ended.
    pub pieces: u64,
    /// Where on the disk the first byte is.
    pub first: u64,
}

impl Root {
    /// How a regular file lies on its disk; only a live machine knows.
    pub fn layout(&self, path: impl AsRef<Path>) -> Reading<Layout> {
        let path = path.as_ref();
        if !self.live {
            let path = shown(path);
            return Reading::absent(format!("a captured tree does not say where {path} lies"));
        }
        let file = match self.inside(path).and_then(|full| open(&full)) {
            Ok(file) => file,
            Err(error) => return missing(path, &error).into(),
        };
        if !file.metadata().is_ok_and(|facts| facts.is_file()) {
            return Reading::absent(format!("{} is no file here", shown(path)));
        }
        match layout_of(|from| ffi::extents(&file, from, false)) {
            Ok(Some(layout)) => Reading::Known(layout),
            Ok(None) => Reading::absent(format!("{} has no place on a disk", shown(path))),
            Err(Errno::EOPNOTSUPP | Errno::ENOTTY) => Reading::absent(format!(
                "the file system of {} does not tell where files lie",
                shown(path)
            )),
            Err(error) => missing(path, &error.into()).into(),
        }
    }
}

fn layout_of(extents: impl Fn(u64) -> Result<Vec<Extent>, Errno>) -> Result<Option<Layout>, Errno> {
    let mut layout: Option<Layout> = None;
    let (mut known, mut next) = (0, None);
    for _ in 0..MOST_CALLS {
        let found = extents(known)?;
        for extent in &found {
            let layout = layout.get_or_insert(Layout { pieces: 0, first: extent.place });
            layout.pieces += u64::from(next != Some((extent.at, extent.place)));
            let end = |from: u64| from.saturating_add(extent.length);
            next = Some((end(extent.at), end(extent.place)));
        }
        let end = next.map_or(0, |(end, _)| end);
        let is_last = found.last().is_none_or(|extent| extent.flags & LAST != 0);
        if is_last || end <= known || layout.is_some_and(|layout| layout.pieces >= MOST) {
            return Ok(layout);
        }
        known = end;
    }
    Ok(layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::Tree;
    use std::cell::Cell;

    fn extent(at: u64, place: u64, flags: u32) -> Extent {
        Extent { at, place, length: 5, flags, ..Extent::default() }
    }

    #[test]
    fn what_goes_on_where_the_last_one_ended_is_one_piece() {
        let all = [
            extent(0, 100, 0),
            extent(5, 105, 0),
            extent(10, 200, 0),
            extent(20, 210, 0),
            extent(25, 215, LAST),
        ];
        // The kernel gives a few at a time.
        let from = |known| Ok(all.iter().copied().filter(|it| it.at >= known).take(2).collect());
        assert_eq!(layout_of(from), Ok(Some(Layout { pieces: 3, first: 100 })));
        assert_eq!(layout_of(|_| Ok(vec![])), Ok(None));
        assert_eq!(layout_of(|_| Err(Errno::ENOTTY)), Err(Errno::ENOTTY));
    }

    #[test]
    fn a_file_without_end_is_not_counted_to_its_end() {
        let calls = Cell::new(0);
        let without_end = |known| {
            calls.set(calls.get() + 1);
            Ok((0..64).map(|nth| extent(known + nth * 5, nth * 7, 0)).collect())
        };
        assert_eq!(layout_of(without_end).unwrap().unwrap().pieces, MOST);
        assert_eq!(calls.get(), MOST / 64);
        calls.set(0);
        let in_order = |known| {
            calls.set(calls.get() + 1);
            Ok(vec![extent(known, known, 0)])
        };
        assert_eq!(layout_of(in_order).unwrap().unwrap().pieces, 1);
        assert_eq!(calls.get(), MOST_CALLS);
        let stuck = |_| Ok(vec![extent(0, 0, 0)]);
        assert_eq!(layout_of(stuck), Ok(Some(Layout { pieces: 2, first: 0 })));
    }

    #[test]
    fn only_a_live_machine_knows_where_files_lie() {
        let tree = Tree::with(&[("swap", [1_u8; 8192])]);
        assert_eq!(tree.root().layout("swap").missing().unwrap().kind(), "absent");
        assert_eq!(tree.live().layout("none").missing().unwrap().kind(), "absent");
    }
}
