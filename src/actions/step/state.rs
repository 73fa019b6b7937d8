//! Whether a step was made, as the machine shows it.

use super::{Rewrites, State, Step, chosen, seen, zram};
use crate::actions::Look;
use crate::model::activation::Activation;
use crate::model::format::{FileForm, Patch};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Name};

impl Step {
    /// The step that puts right what is missing of this one, when all of its plan goes back.
    pub(in crate::actions) fn put_right(&self, look: &dyn Look) -> Result<Option<Self>, String> {
        if let Self::Zram { number, from, .. } = self {
            return Ok(Some(Self::zram(*number, seen(look.disk(*number))?, from.clone())));
        }
        Ok(self.rescue().map(|area| Self::On { area: area.clone() }))
    }

    /// How what it changes stands to it.
    ///
    /// # Errors
    /// When that cannot be seen; why not.
    pub fn state(&self, look: &dyn Look) -> Result<State, String> {
        match self {
            Self::On { .. } | Self::Off { .. } | Self::Renew { .. } => {
                seen(look.areas()).map(|areas| self.state_of_area(&areas))
            }
            Self::Set { file, from, to, .. } => {
                Ok(stands(&chosen(&seen(look.setting(file))?), from, to))
            }
            Self::Save { path, from, to } => Ok(stands(&seen(look.text(path))?, from, to)),
            Self::Zram { number, from, to, .. } => {
                let shown = seen(look.disk(*number))?;
                Ok(zram::state(from.as_ref(), to.as_ref(), shown.as_ref()))
            }
            Self::Order { .. } => Ok(State::Before),
            Self::Header { path, .. } => state_of_header(path, &self.rewrites(), look),
            Self::File { path, from, to } => state_of_file(path, (from, to), look),
        }
    }

    fn state_of_area(&self, areas: &[SwapArea]) -> State {
        let shown = areas.iter().find(|area| area.path == *self.subject());
        let shown = shown.map(|area| area.priority);
        let is = |wanted: Option<&Activation>| {
            wanted.zip(shown).is_some_and(|(wanted, shown)| wanted.priority.is_met_by(shown))
        };
        match (self.taken_off(), self.put_on(), shown) {
            (Some(_), Some(_), None) => State::Missing,
            (None, _, None) => State::Before,
            (Some(_), None, None) => State::After,
            (_, wanted, Some(_)) if is(wanted) && self.leaves_a_mark() => State::After,
            (wanted, _, Some(_)) if is(wanted) => State::Before,
            (_, _, Some(_)) => State::Other,
        }
    }
}

/// How something that is so stands to how it was and shall be.
fn stands<T: PartialEq>(is: &T, from: &T, to: &T) -> State {
    if is == to {
        State::After
    } else if is == from {
        State::Before
    } else {
        State::Other
    }
}

/// How the file stands to the step: by its size and its header, which come into being with it.
fn state_of_file(
    path: &Name,
    (from, to): (&Option<FileForm>, &Option<FileForm>),
    look: &dyn Look,
) -> Result<State, String> {
    let is = |form: &Option<FileForm>| match form {
        Some(form) => is_there(path, form, look),
        None => is_absent(path, look),
    };
    Ok(if is(to)? {
        State::After
    } else if is(from)? {
        State::Before
    } else {
        State::Other
    })
}

fn is_absent(path: &Name, look: &dyn Look) -> Result<bool, String> {
    let found = look.content(path, 0, 1);
    match found.missing() {
        Some(Missing::Absent(_)) => Ok(true),
        _ => seen(found).map(|_| false),
    }
}

fn is_there(path: &Name, form: &FileForm, look: &dyn Look) -> Result<bool, String> {
    let length = usize::try_from(form.format.page_size).unwrap_or(0);
    let found = look.content(path, 0, length);
    if let Some(Missing::Absent(_)) = found.missing() {
        return Ok(false);
    }
    // The last byte is there, and none behind it.
    let end = seen(look.content(path, form.size.0.saturating_sub(1), 2))?.len();
    Ok(end == 1 && form.format.is_in(&seen(found)?))
}

/// How a device stands to a header step: by its first page. What is not there yet, or not any
/// more, is as good as empty.
fn state_of_header(path: &Name, rewrites: &Rewrites, look: &dyn Look) -> Result<State, String> {
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
    use crate::model::Bytes;
    use crate::model::activation::{Discard, Priority};
    use crate::model::format::{Format, Uuid};
    use crate::model::swaparea::testing;

    fn on(priority: Priority) -> Activation {
        Activation { path: "/dev/a".into(), priority, discard: Discard::None }
    }

    fn active(priority: i32) -> Vec<SwapArea> {
        vec![testing::area("/dev/a", priority, 4096, 1024)]
    }

    fn state(step: &Step, areas: Vec<SwapArea>) -> State {
        step.state(&Still { areas, ..Still::default() }).unwrap()
    }

    #[test]
    fn a_step_knows_whether_it_was_made() {
        let renew = Step::Renew { from: on(Priority::Set(1)), to: on(Priority::Set(2)) };
        let states =
            [active(1), active(2), active(3), Vec::new()].map(|areas| state(&renew, areas));
        assert_eq!(states, [State::Before, State::After, State::Other, State::Missing]);
        assert_eq!(state(&renew.inverse().unwrap(), active(1)), State::After);
        let off = Step::Off { area: on(Priority::Default) };
        let states = [active(-2), Vec::new()].map(|areas| state(&off, areas));
        assert_eq!(states, [State::Before, State::After]);
        let back = off.inverse().unwrap();
        let states = [active(5), active(-2), Vec::new()].map(|areas| state(&back, areas));
        assert_eq!(states, [State::Other, State::After, State::Before]);
        assert_eq!((off.moves(&active(-2)), back.moves(&[])), (Bytes(1024), Bytes(0)));
    }

    #[test]
    fn an_area_that_is_only_emptied_shows_no_sign_and_needs_nothing_back() {
        let empty = Step::Renew { from: on(Priority::Set(1)), to: on(Priority::Set(1)) };
        let states = [active(1), active(2), Vec::new()].map(|areas| state(&empty, areas));
        assert_eq!(states, [State::Before, State::Other, State::Missing]);
        assert_eq!((empty.leaves_a_mark(), empty.inverse()), (false, None));
    }

    #[test]
    fn a_setting_is_what_the_kernel_says() {
        let set = Step::Set {
            what: "x".to_owned(),
            file: "/proc/x".into(),
            from: "1".to_owned(),
            to: "2".to_owned(),
        };
        let state = |value: &str| {
            let settings = [("/proc/x".into(), value.to_owned())].into();
            set.state(&Still { settings, ..Still::default() })
        };
        let states = ["1", "2", "3", "1 [2]"].map(|value| state(value).unwrap());
        assert_eq!(states, [State::Before, State::After, State::Other, State::After]);
        assert!(set.state(&Still::default()).is_err());
    }

    fn form(size: u64) -> FileForm {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(size), 4096, uuid, None).unwrap();
        FileForm { size: Bytes(size), format, nocow: false }
    }

    fn content(form: &FileForm) -> Vec<u8> {
        let mut content = form.format.page();
        content.resize(usize::try_from(form.size.0).unwrap(), 0);
        content
    }

    #[test]
    fn a_file_is_known_by_its_size_and_its_header() {
        let make = Step::File { path: "/s".into(), from: None, to: Some(form(50_000)) };
        let state = |step: &Step, content: Option<Vec<u8>>| {
            let contents = content.into_iter().map(|content| ("/s".into(), content)).collect();
            step.state(&Still { contents, ..Still::default() }).unwrap()
        };
        let contents = || {
            let mut cut = content(&form(50_000));
            cut.pop();
            [
                None,
                Some(content(&form(50_000))),
                Some(content(&form(60_000))),
                Some(cut),
                Some(vec![]),
            ]
        };
        let other = State::Other;
        let states = contents().map(|content| state(&make, content));
        assert_eq!(states, [State::Before, State::After, other, other, other]);
        let remove = make.inverse().unwrap();
        let states = contents().map(|content| state(&remove, content));
        assert_eq!(states, [State::After, State::Before, other, other, other]);
        assert!(make.formats() && !remove.formats() && make.lasts());
    }

    fn header() -> Format {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap()
    }

    fn state_of_content(step: &Step, content: Vec<u8>) -> State {
        let contents = [("/dev/a".into(), content)].into();
        step.state(&Still { contents, ..Still::default() }).unwrap()
    }

    #[test]
    fn the_first_page_tells_whether_it_was_written() {
        let old = vec![7; 4096];
        let mark = Patch { at: 65_600, bytes: b"_BHRfS_M".to_vec() };
        let was = vec![Patch { at: 0, bytes: old.clone() }, mark.clone()];
        let step = Step::format("/dev/a".into(), Bytes(1 << 20), header(), was);
        let contents = || [old.clone(), header().page(), vec![9; 4096]];
        let back = step.inverse().unwrap();
        let states = contents().map(|content| state_of_content(&step, content));
        assert_eq!(states, [State::Before, State::After, State::Other]);
        let states = contents().map(|content| state_of_content(&back, content));
        assert_eq!(states, [State::After, State::Before, State::Other]);
        assert_eq!(step.rewrites().to[1], mark.cleared());
        let places = |step: &Step| step.rewrites().to.iter().map(|it| it.at).collect::<Vec<_>>();
        assert_eq!((places(&step), places(&back)), (vec![0, 65_600], vec![65_600, 0]));
        assert_eq!(back.rewrites().to[0], mark);
        assert_eq!(back.inverse(), Some(step));
    }

    #[test]
    fn a_device_that_is_yet_to_be_made_is_as_before() {
        let step = Step::format_new("/dev/zram7".into(), Bytes(1 << 20), header());
        assert_eq!(step.state(&Still::default()), Ok(State::Before));
        assert_eq!(step.inverse().unwrap().state(&Still::default()), Ok(State::After));
        let contents = [("/dev/zram7".into(), vec![0; 4096])].into();
        assert_eq!(step.state(&Still { contents, ..Still::default() }), Ok(State::Before));
    }
}
