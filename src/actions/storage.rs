//! Plans that format, and that make, resize and remove swap files.

use super::Step;
use super::plan::{Plan, Refusal, standing};
use super::step::shown;
use crate::columns::units;
use crate::model::activation::{Activation, Discard};
use crate::model::format::{FileForm, Format};
use crate::model::patch::Patch;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name};

/// Write a header on something of this size, where that stands now.
#[must_use]
pub fn format(
    areas: &[SwapArea],
    path: &Name,
    size: Bytes,
    format: Format,
    was: Vec<Patch>,
) -> Plan {
    let title = format!("format {} as swap", path.safe());
    plan(areas, title, vec![Step::format(path.clone(), size, format, was)])
}

/// Make a swap file, and perhaps switch it on.
#[must_use]
pub fn create(areas: &[SwapArea], path: &Name, form: FileForm, on: Option<Activation>) -> Plan {
    let size = units::bytes(form.size.0 as f64);
    let then = if on.is_some() { ", and switch it on" } else { "" };
    let title = format!("make the swap file {} of {size}{then}", path.safe());
    let make = Step::File { path: path.clone(), from: None, to: Some(form) };
    let on = on.map(|area| Step::On { area });
    plan(areas, title, std::iter::once(make).chain(on).collect())
}

/// Remove a swap file, which is switched off before.
///
/// # Errors
/// When it has no name any more.
pub fn remove(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    path: &Name,
    form: FileForm,
) -> Result<Plan, Refusal> {
    let title = format!("remove the swap file {}", path.safe());
    let active = active(areas, discard, path)?;
    let off = active.map(|area| Step::Off { area });
    let remove = Step::File { path: path.clone(), from: Some(form), to: None };
    Ok(plan(areas, title, off.into_iter().chain([remove]).collect()))
}

/// Give a swap file another size. What an area that is off holds is worth nothing: so the old file
/// goes, which makes room, and a new one with the same label and UUID takes its place.
///
/// # Errors
/// When it has no name any more.
pub fn resize(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    path: &Name,
    [from, to]: [FileForm; 2],
) -> Result<Plan, Refusal> {
    let sizes = [&from, &to].map(|form| units::bytes(form.size.0 as f64));
    let title = format!("resize the swap file {} from {} to {}", path.safe(), sizes[0], sizes[1]);
    if from == to {
        return Ok(plan(areas, title, Vec::new()));
    }
    let active = active(areas, discard, path)?;
    let path = || path.clone();
    let mut steps: Vec<Step> = active.clone().map(|area| Step::Off { area }).into_iter().collect();
    steps.push(Step::File { path: path(), from: Some(from), to: None });
    steps.push(Step::File { path: path(), from: None, to: Some(to) });
    steps.extend(active.map(|area| Step::On { area }));
    Ok(plan(areas, title, steps))
}

/// Does a step before that one make swap of this?
#[must_use]
pub fn is_formatted(plan: &Plan, number: usize, path: &Name) -> bool {
    plan.steps.iter().take(number).any(|step| step.formats() && step.subject() == path)
}

/// How large the file is that a step before that one removes from there.
#[must_use]
pub fn removed(plan: &Plan, number: usize, path: &Name) -> Option<Bytes> {
    plan.steps.iter().take(number).rev().find_map(|step| {
        let Step::File { path: other, from: Some(form), to: None } = step else { return None };
        (other == path).then_some(form.size)
    })
}

fn plan(areas: &[SwapArea], title: String, steps: Vec<Step>) -> Plan {
    Plan { title, steps, apart: false, relies_on: standing(areas) }
}

/// How it is active, if it is.
fn active(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    path: &Name,
) -> Result<Option<Activation>, Refusal> {
    match areas.iter().find(|area| area.path == *path) {
        Some(area) if area.deleted => Err(Refusal::Deleted(path.clone())),
        area => Ok(area.map(|area| shown(area, discard(area)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::activation::Priority;
    use crate::model::swaparea::testing;
    use crate::model::uuid::Uuid;

    fn form(size: u64) -> FileForm {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(size), 4096, uuid, Some("x".into())).unwrap();
        FileForm { size: Bytes(size), format, nocow: false }
    }

    fn kinds(plan: &Plan) -> Vec<&'static str> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "no other is expected")]
        let kind = |step: &Step| match step {
            Step::Off { .. } => "off",
            Step::On { area } if area.priority == Priority::Set(7) => "on",
            Step::File { to: None, .. } => "remove",
            Step::File { .. } => "make",
            _ => "other",
        };
        plan.steps.iter().map(kind).collect()
    }

    #[test]
    fn a_file_that_is_on_is_off_while_it_is_replaced() {
        let path = Name::from("/s");
        let active = [testing::area("/s", 7, 1 << 20, 0)];
        let forms = || [form(1 << 20), form(2 << 20)];
        let resized =
            |areas: &[SwapArea], forms| resize(areas, |_| Discard::Pages, &path, forms).unwrap();
        assert_eq!(kinds(&resized(&active, forms())), ["off", "remove", "make", "on"]);
        assert_eq!(kinds(&resized(&[], forms())), ["remove", "make"]);
        assert_eq!(kinds(&resized(&active, [form(1 << 20), form(1 << 20)])), Vec::<&str>::new());
        let gone = remove(&active, |_| Discard::None, &path, form(1 << 20)).unwrap();
        assert_eq!(kinds(&gone), ["off", "remove"]);
        let mut deleted = active;
        deleted[0].deleted = true;
        let refused = remove(&deleted, |_| Discard::None, &path, form(1 << 20));
        assert_eq!(refused, Err(Refusal::Deleted(path)));
    }
}
