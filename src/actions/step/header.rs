//! The step that writes a swap header: what it finds, and what it leaves.

use super::{State, Step, seen};
use crate::actions::Look;
use crate::model::format::{Format, Patch};
use crate::model::{Bytes, Missing, Name};

/// What is found in some places of a device, and what is written there, in this order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rewrites {
    /// What must be there.
    pub(crate) from: Vec<Patch>,
    /// What is put there.
    pub(crate) to: Vec<Patch>,
}

impl Step {
    /// Write this header on what has this size, where that stands now. The first page comes first.
    pub fn format(path: Name, size: Bytes, format: Format, was: Vec<Patch>) -> Self {
        Self::Header { path, size, format, was, back: false }
    }

    /// The same on a device that is new, and may not even be there yet: it holds zeros.
    pub fn format_new(path: Name, size: Bytes, format: Format) -> Self {
        let was = format.over_nothing();
        Self::format(path, size, format, was)
    }

    /// What a header step writes; nothing with all others. The first page tells how far it came:
    /// it is written first, and put back last.
    pub(crate) fn rewrites(&self) -> Rewrites {
        let Self::Header { format, was, back, .. } = self else {
            return Rewrites { from: Vec::new(), to: Vec::new() };
        };
        let page = Patch { at: 0, bytes: format.page() };
        let rest = was.iter().skip(1).map(Patch::cleared);
        let new: Vec<Patch> = std::iter::once(page).chain(rest).collect();
        let mut old = was.clone();
        if !back {
            return Rewrites { from: old, to: new };
        }
        let mut new = new;
        old.reverse();
        new.reverse();
        Rewrites { from: new, to: old }
    }
}

/// How a device stands to a header step: by its first page. What is not there yet, or not any
/// more, is as good as empty.
pub(super) fn state(path: &Name, rewrites: &Rewrites, look: &dyn Look) -> Result<State, String> {
    let first = |patches: &[Patch]| patches.iter().find(|patch| patch.at == 0).cloned();
    let (Some(from), Some(to)) = (first(&rewrites.from), first(&rewrites.to)) else {
        return Err(format!("the plan does not say what {} begins with", path.safe()));
    };
    let length = from.bytes.len().max(to.bytes.len());
    let found = look.content(path, 0, length);
    let is = match found.missing() {
        Some(Missing::Absent(_)) => vec![0; length],
        _ => seen(found)?,
    };
    let holds = |patch: &Patch| is.get(..patch.bytes.len()) == Some(&patch.bytes);
    Ok(if holds(&to) {
        State::After
    } else if holds(&from) {
        State::Before
    } else {
        State::Other
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::testing::Still;
    use crate::model::format::Uuid;

    fn format() -> Format {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap()
    }

    fn state_of(step: &Step, content: Vec<u8>) -> State {
        let contents = [("/dev/a".into(), content)].into();
        step.state(&Still { contents, ..Still::default() }).unwrap()
    }

    #[test]
    fn the_first_page_tells_whether_it_was_written() {
        let old = vec![7; 4096];
        let mark = Patch { at: 65_600, bytes: b"_BHRfS_M".to_vec() };
        let was = vec![Patch { at: 0, bytes: old.clone() }, mark.clone()];
        let step = Step::format("/dev/a".into(), Bytes(1 << 20), format(), was);
        let contents = || [old.clone(), format().page(), vec![9; 4096]];
        let back = step.inverse().unwrap();
        let states = contents().map(|content| state_of(&step, content));
        assert_eq!(states, [State::Before, State::After, State::Other]);
        let states = contents().map(|content| state_of(&back, content));
        assert_eq!(states, [State::After, State::Before, State::Other]);
        assert_eq!(step.rewrites().to[1], mark.cleared());
        let places = |step: &Step| step.rewrites().to.iter().map(|it| it.at).collect::<Vec<_>>();
        assert_eq!((places(&step), places(&back)), (vec![0, 65_600], vec![65_600, 0]));
        assert_eq!(back.rewrites().to[0], mark);
        assert_eq!(back.inverse(), Some(step));
    }

    #[test]
    fn a_device_that_is_yet_to_be_made_is_as_before() {
        let step = Step::format_new("/dev/zram7".into(), Bytes(1 << 20), format());
        assert_eq!(step.state(&Still::default()), Ok(State::Before));
        assert_eq!(step.inverse().unwrap().state(&Still::default()), Ok(State::After));
        let contents = [("/dev/zram7".into(), vec![0; 4096])].into();
        assert_eq!(step.state(&Still { contents, ..Still::default() }), Ok(State::Before));
    }
}
