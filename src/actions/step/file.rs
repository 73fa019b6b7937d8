//! The step that makes a swap file, or removes one.

use super::{State, Step, seen};
use crate::actions::Look;
use crate::model::format::FileForm;
use crate::model::{Missing, Name};

impl Step {
    /// Does it leave something that can be switched on, whatever was there before?
    pub fn formats(&self) -> bool {
        matches!(self, Self::Header { back: false, .. } | Self::File { to: Some(_), .. })
    }
}

/// How the file stands to the step: by its size and its header, which come into being with it.
pub(super) fn state(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::testing::Still;
    use crate::model::Bytes;
    use crate::model::format::{Format, Uuid};

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
}
