//! What is to be known of the swap headers that a plan writes.

use super::candidate::refuse;
use super::{Check, Verdict};
use crate::actions::Step;
use crate::actions::plan::Plan;
use crate::columns::units::size;
use crate::model::format::Format;
use crate::model::{Bytes, Name, Reading};

/// All that is to be said of them, on a kernel with pages of this size.
pub(super) fn checks(plan: &Plan, page_size: &Reading<u64>) -> Vec<Check> {
    let steps = plan.steps.iter().enumerate();
    let of_step = |(place, step): (usize, &Step)| {
        let (path, whole, format) = written(step)?;
        let mut later = plan.steps.iter().skip(place).filter_map(Step::put_on);
        let goes_on = later.any(|area| area.path == *path);
        let name = path.safe();
        let foreign = page_size.known().filter(|here| **here != format.page_size);
        let foreign = foreign.map(|here| foreign_pages(&name, format, *here, goes_on));
        let beyond = format.beyond(whole).map(|beyond| too_many(&name, format, beyond));
        Some(foreign.into_iter().chain(beyond))
    };
    steps.filter_map(of_step).flatten().collect()
}

/// The header that a step writes, and on what.
fn written(step: &Step) -> Option<(&Name, Bytes, &Format)> {
    if let Step::Header { path, size, format, back: false, .. } = step {
        return Some((path, *size, format));
    }
    let Step::File { path, to: Some(form), .. } = step else { return None };
    Some((path, form.size, &form.format))
}

fn foreign_pages(name: &str, format: &Format, here: u64, goes_on: bool) -> Check {
    let (there, here) = (size(Bytes(format.page_size)), size(Bytes(here)));
    let text = format!("{name} gets a header for pages of {there}, and this kernel has {here}");
    if goes_on {
        return refuse(
            "page-size",
            format!("{text}, which does not take it: leave out --page-size, or --on"),
        );
    }
    let text = format!("{text}: it can be switched on only where pages have that size");
    Check::new("page-size", Verdict::Warn, text)
}

fn too_many(name: &str, format: &Format, beyond: Bytes) -> Check {
    let text = format!(
        "{name}: a swap header can count {}, and the {} beyond stay unused: split it, to use those as well",
        size(format.size()),
        size(beyond)
    );
    Check::new("size", Verdict::Note, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::format::{FileForm, Uuid};

    fn said(page: u64, whole: u64, goes_on: bool) -> Vec<(&'static str, Verdict)> {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(whole), page, uuid, None).unwrap();
        let form = FileForm { size: Bytes(whole), format: format.clone(), nocow: false };
        let path = || Name::from("/s");
        let area = Activation { path: path(), priority: Priority::Default, discard: Discard::None };
        let on = || goes_on.then(|| Step::On { area: area.clone() });
        let of = |step: Step| {
            let steps = std::iter::once(step).chain(on()).collect();
            let plan = Plan { steps, ..Plan::none(String::new()) };
            let all = checks(&plan, &Reading::Known(4096));
            all.into_iter().map(|check| (check.id, check.verdict)).collect::<Vec<_>>()
        };
        let file = of(Step::File { path: path(), from: None, to: Some(form) });
        let header = of(Step::format_new(path(), Bytes(whole), format));
        assert_eq!(file, header);
        file
    }

    #[test]
    fn pages_of_other_machines_and_too_many_are_told() {
        assert_eq!(said(4096, 1 << 20, true), []);
        assert_eq!(said(65536, 1 << 20, false), [("page-size", Verdict::Warn)]);
        assert_eq!(said(65536, 1 << 20, true), [("page-size", Verdict::Refuse)]);
        assert_eq!(said(4096, 1 << 44, true), [("size", Verdict::Note)]);
        assert_eq!(said(4096, (1 << 44) - 4096, true), []);
    }
}
