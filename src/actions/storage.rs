//! Plans that format devices, and that create, resize and remove swap files.

use super::journal::Record;
use super::plan::{self, Plan, PlanRefusal};
use super::step::activation_of;
use super::{MachineView, Step, StepState};
use crate::columns::units;
use crate::model::activation::{Activation, Discard};
use crate::model::format::{Format, Patch, SwapFileSpec};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name};

/// Plans to write a header, replacing `was`.
pub fn format(
    areas: &[SwapArea],
    path: &Name,
    size: Bytes,
    format: Format,
    was: Vec<Patch>,
) -> Plan {
    let title = format!("format {} as swap", path.safe());
    Plan::on_areas(areas, title, vec![Step::format(path.clone(), size, format, was)])
}

/// Plans to create a swap file and, if requested, enable it.
pub fn create(areas: &[SwapArea], path: &Name, form: SwapFileSpec, on: Option<Activation>) -> Plan {
    let size = units::bytes(form.size.0 as f64);
    let then = if on.is_some() { ", and enable it" } else { "" };
    let title = format!("create swap file {} of {size}{then}", path.safe());
    let make = Step::File { path: path.clone(), from: None, to: Some(form) };
    let on = on.map(|area| Step::On { area });
    Plan::on_areas(areas, title, std::iter::once(make).chain(on).collect())
}

/// Plans to remove a swap file, which is disabled first.
pub fn remove(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    path: &Name,
    form: SwapFileSpec,
) -> Result<Plan, PlanRefusal> {
    let title = format!("remove swap file {}", path.safe());
    let active = active(areas, discard, path)?;
    let off = active.map(|area| Step::Off { area });
    let remove = Step::File { path: path.clone(), from: Some(form), to: None };
    Ok(Plan::on_areas(areas, title, off.into_iter().chain([remove]).collect()))
}

/// Plans to resize a swap file, which is disabled meanwhile.
pub fn resize(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    path: &Name,
    [from, to]: [SwapFileSpec; 2],
) -> Result<Plan, PlanRefusal> {
    let sizes = [&from, &to].map(|form| units::bytes(form.size.0 as f64));
    let title = format!("resize swap file {} from {} to {}", path.safe(), sizes[0], sizes[1]);
    if from == to {
        return Ok(Plan::on_areas(areas, title, Vec::new()));
    }
    let active = active(areas, discard, path)?;
    let path = || path.clone();
    let mut steps: Vec<Step> = active.clone().map(|area| Step::Off { area }).into_iter().collect();
    steps.push(Step::File { path: path(), from: Some(from), to: Some(to) });
    steps.extend(active.map(|area| Step::On { area }));
    Ok(Plan::on_areas(areas, title, steps))
}

/// Does an earlier step make this a swap area?
pub fn is_formatted(plan: &Plan, number: usize, path: &Name) -> bool {
    plan.steps.iter().take(number).any(|step| step.formats() && step.subject() == path)
}

/// The space that earlier steps take on the same file system for files that they create or let grow.
pub fn bytes_created_before(
    plan: &Plan,
    number: usize,
    path: &Name,
    share_file_system: impl Fn(&Name, &Name) -> bool,
) -> Bytes {
    let made = plan.steps.iter().take(number).filter_map(|step| {
        let Step::File { path: other, from, to: Some(to) } = step else { return None };
        let had = from.as_ref().map_or(Bytes(0), |from| from.size);
        (other != path && share_file_system(other, path)).then(|| to.size.saturating_sub(had))
    });
    made.sum()
}

/// Adds steps that disable areas while their files are removed or resized, or their headers wiped: areas that are active
/// now although the plan left them disabled, or the plan ended with an earlier boot. Files are enabled again if they come
/// back.
pub(super) fn with_areas_off(
    steps: Vec<Step>,
    areas: &[SwapArea],
    look: &dyn MachineView,
) -> Vec<Step> {
    let paths = |area: fn(&Step) -> Option<&Activation>| -> Vec<Name> {
        steps.iter().filter_map(area).map(|area| area.path.clone()).collect()
    };
    let (disabled, enabled) = (paths(Step::disabled_area), paths(Step::enabled_area));
    let is_left = |area: &&SwapArea| !area.deleted && !disabled.contains(&area.path);
    let on: Vec<&SwapArea> = areas.iter().filter(is_left).collect();
    let find = |path: &Name| {
        let area = on.iter().find(|area| area.path == *path)?;
        Some(activation_of(area, look.discard(area).into_result().unwrap_or(Discard::None)))
    };
    let mut all = Vec::new();
    for step in steps {
        if let Step::File { path, from: Some(_), .. } | Step::Header { path, back: true, .. } =
            &step
        {
            all.extend(find(path).map(|area| Step::Off { area }));
        }
        let comes_back =
            matches!(&step, Step::File { to: Some(_), .. }) && !enabled.contains(step.subject());
        let again = if comes_back { find(step.subject()) } else { None };
        all.push(step);
        all.extend(again.map(|area| Step::On { area }));
    }
    all
}

/// The steps that repair a plan after a reboot: a file that was active before is enabled; an area
/// enabled at boot on a file that is complete stays.
pub(super) fn after_reboot(
    record: &Record,
    steps: Vec<Step>,
    areas: &[SwapArea],
    look: &dyn MachineView,
) -> Vec<Step> {
    let is_of_old = |step: &Step| matches!(step, Step::File { from: Some(_), .. });
    let is_on = |step: &Step| areas.iter().any(|area| area.path == *step.subject());
    let mut lasting = record.steps.iter().filter(|step| step.outlasts_boot());
    let is_complete = lasting.all(|step| step.state(look) == Ok(StepState::After));
    if is_complete && steps.iter().any(|step| is_of_old(step) && is_on(step)) {
        return Vec::new();
    }
    let mut steps = with_areas_off(steps, areas, look);
    let standing = record.steps_in_effect();
    let off = standing.iter().filter_map(|number| record.steps.get(*number)?.disabled_area());
    let comes_back = |area: &&Activation| {
        let own = || steps.iter().filter(|step| *step.subject() == area.path);
        own().any(Step::formats) && !own().any(|step| step.enabled_area().is_some())
    };
    let again: Vec<Step> =
        off.filter(comes_back).map(|area| Step::On { area: area.clone() }).collect();
    steps.extend(again);
    steps
}

/// The files that a plan restores and leaves disabled, although the undone plan found them active.
pub fn areas_left_disabled<'p>(plan: &'p Plan, undone: &Record) -> Vec<&'p Name> {
    let was_on = |path: &Name| {
        let mut off = undone.steps.iter().filter_map(Step::disabled_area);
        off.any(|area| area.path == *path)
    };
    let goes_on = |path: &Name| {
        let mut on = plan.steps.iter().filter_map(Step::enabled_area);
        on.any(|area| area.path == *path)
    };
    let made = plan.steps.iter().filter_map(|step| {
        let Step::File { path, to: Some(_), .. } = step else { return None };
        Some(path)
    });
    made.filter(|path| was_on(path) && !goes_on(path)).collect()
}

/// Was this area enabled since a plan, according to the journal?
pub fn was_enabled_since(records: &[Record], plan: u64, path: &Name) -> bool {
    let later = records.iter().filter(|record| record.plan > plan);
    let mut tried = later.flat_map(|record| {
        let steps = record.steps.iter().enumerate();
        steps.filter_map(|(number, step)| record.last_direction(number).and(step.enabled_area()))
    });
    tried.any(|area| area.path == *path)
}

/// How the area is active, if it is.
fn active(
    areas: &[SwapArea],
    discard: impl Fn(&SwapArea) -> Discard,
    path: &Name,
) -> Result<Option<Activation>, PlanRefusal> {
    match plan::find(areas, path)? {
        Some(area) if area.deleted => Err(PlanRefusal::Deleted(path.clone())),
        area => Ok(area.map(|area| activation_of(area, discard(area)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::journal::Event;
    use crate::actions::plan::plan_recovery;
    use crate::actions::testing::FixedView;
    use crate::model::activation::Priority;
    use crate::model::format::Uuid;
    use crate::model::swaparea::testing;

    fn form(size: u64) -> SwapFileSpec {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(size), 4096, uuid, Some("x".into())).unwrap();
        SwapFileSpec { size: Bytes(size), format, nocow: false }
    }

    fn kinds(plan: &Plan) -> Vec<&'static str> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "no other is expected")]
        let kind = |step: &Step| match step {
            Step::Off { .. } => "off",
            Step::On { area } if area.priority == Priority::Set(7) => "on",
            Step::File { to: None, .. } => "remove",
            Step::File { from: Some(_), .. } => "resize",
            Step::File { .. } => "make",
            _ => "other",
        };
        plan.steps.iter().map(kind).collect()
    }

    fn make(size: u64) -> Step {
        Step::File { path: "/s".into(), from: None, to: Some(form(size)) }
    }

    fn plan_from_steps(steps: Vec<Step>) -> Plan {
        Plan { steps, ..Plan::without_steps(String::new()) }
    }

    /// A record in which the first `made` of the `tried` steps were done.
    fn record(steps: Vec<Step>, made: usize, tried: usize) -> Record {
        let try_of = |step| Event::Try { step, back: false };
        let done = |step| [try_of(step), Event::Made { step, back: false, moved: 0, seconds: 0.0 }];
        let events = (0..made).flat_map(done).chain((made..tried).map(try_of)).collect();
        Record { plan: 1, boot: "before".to_owned(), steps, events, ..Record::default() }
    }

    #[test]
    fn earlier_files_on_the_file_system_use_its_space() {
        let make =
            |path: &str| Step::File { path: path.into(), from: None, to: Some(form(50_000)) };
        let plan =
            Plan::on_areas(&[], String::new(), ["/a/1", "/a/2", "/b/1", "/a/3"].map(make).to_vec());
        let is_same = |one: &Name, other: &Name| one.as_bytes()[1] == other.as_bytes()[1];
        let beside =
            |number| bytes_created_before(&plan, number, plan.steps[number].subject(), is_same).0;
        assert_eq!([0, 1, 2, 3].map(beside), [0, 50_000, 0, 100_000]);
    }

    #[test]
    fn area_enabled_by_others_is_disabled_before_removal() {
        let on = [testing::area("/s", 7, 1 << 20, 0)];
        let back = || make(1 << 20).inverse().unwrap();
        let kinds = |steps, areas: &[SwapArea]| {
            kinds(&plan_from_steps(with_areas_off(steps, areas, &FixedView::default())))
        };
        assert_eq!(kinds(vec![back()], &on), ["off", "remove"]);
        assert_eq!(kinds(vec![back()], &[]), ["remove"]);
        assert_eq!(kinds(vec![back(), make(2 << 20)], &on), ["off", "remove", "make", "on"]);
        let off = Step::Off { area: activation_of(&on[0], Discard::None) };
        assert_eq!(kinds(vec![off, back()], &on), ["off", "remove"], "it is off only once");
    }

    #[test]
    fn area_enabled_by_others_is_enabled_again() {
        let on = [testing::area("/s", 7, 1 << 20, 0)];
        let look =
            FixedView { discards: [("/s".into(), Discard::Pages)].into(), ..FixedView::default() };
        let back = vec![make(1 << 20).inverse().unwrap(), make(2 << 20)];
        let steps = with_areas_off(back, &on, &look);
        let again = steps.iter().find_map(Step::enabled_area).unwrap();
        assert_eq!((again.priority, again.discard), (Priority::Set(7), Discard::Pages));
    }

    #[test]
    fn restored_file_is_enabled_after_reboot_unless_active() {
        let path = Name::from("/s");
        let on = [testing::area("/s", 7, 1 << 20, 0)];
        let forms = [form(1 << 20), form(2 << 20)];
        let resize = resize(&on, |_| Discard::None, &path, forms).unwrap().steps;
        let kinds = |size: usize, made, steps, areas: &[SwapArea]| {
            let mut content = form(2 << 20).format.page();
            content.resize(size, 0);
            let contents = [(path.clone(), content)].into();
            let look = FixedView { contents, ..FixedView::default() };
            let record = record(resize.clone(), made, made + 1);
            kinds(&plan_from_steps(after_reboot(&record, steps, areas, &look)))
        };
        let back = || vec![resize[1].inverse().unwrap()];
        assert_eq!(kinds(2 << 20, 2, back(), &[]), ["resize", "on"]);
        assert_eq!(kinds(2 << 20, 2, back(), &on), Vec::<&str>::new(), "fstab has switched it on");
        assert_eq!(kinds(3 << 19, 1, back(), &on), ["off", "resize", "on"], "it is half resized");
        assert_eq!(kinds(1 << 20, 1, vec![], &[]), Vec::<&str>::new());
    }

    #[test]
    fn temporary_files_are_removed_after_reboot() {
        let file = |name: &str| {
            let on = activation_of(&testing::area(name, 7, 1 << 20, 0), Discard::None);
            create(&[], &name.into(), form(1 << 20), Some(on)).steps
        };
        let steps = [file("/a"), file("/b")].concat();
        let temporary = Record { is_temporary: true, ..record(steps, 4, 4) };
        let mut content = form(1 << 20).format.page();
        content.resize(1 << 20, 0);
        let contents = ["/a", "/b"].map(|name| (name.into(), content.clone()));
        let look = FixedView { contents: contents.into(), ..FixedView::default() };
        let back = plan_recovery(&[temporary], &look, "after").unwrap().plan;
        assert_eq!(kinds(&back), ["remove", "remove"]);
    }

    #[test]
    fn restored_file_that_stays_disabled_is_reported() {
        let on = [testing::area("/s", 7, 1 << 20, 0)];
        let gone = remove(&on, |_| Discard::None, &"/s".into(), form(1 << 20)).unwrap().steps;
        let [off, removed] = [0, 1].map(|place: usize| gone[place].clone());
        let back = removed.inverse().unwrap();
        let told = |steps, done: Vec<Step>| {
            areas_left_disabled(&plan_from_steps(steps), &record(done, 2, 2)).len()
        };
        assert_eq!(told(vec![back.clone()], gone.clone()), 1);
        assert_eq!(told(vec![back.clone(), off.inverse().unwrap()], gone), 0);
        assert_eq!(told(vec![back], vec![removed]), 0, "it was off");
    }

    #[test]
    fn journal_shows_which_areas_were_enabled_since() {
        let area = activation_of(&testing::area("/s", 7, 1 << 20, 0), Discard::None);
        let is = |plan, made, tried| {
            let records =
                [record(vec![make(1 << 20), Step::On { area: area.clone() }], made, tried)];
            was_enabled_since(&records, plan, &"/s".into())
        };
        assert!(is(0, 2, 2) && is(0, 1, 2), "nobody knows what an attempt came to");
        assert!(!is(1, 2, 2) && !is(0, 1, 1), "before, or never tried");
    }

    #[test]
    fn active_file_is_disabled_while_resized() {
        let path = Name::from("/s");
        let active = [testing::area("/s", 7, 1 << 20, 0)];
        let forms = || [form(1 << 20), form(2 << 20)];
        let resized =
            |areas: &[SwapArea], forms| resize(areas, |_| Discard::Pages, &path, forms).unwrap();
        assert_eq!(kinds(&resized(&active, forms())), ["off", "resize", "on"]);
        assert_eq!(kinds(&resized(&[], forms())), ["resize"]);
        assert_eq!(kinds(&resized(&active, [form(1 << 20), form(1 << 20)])), Vec::<&str>::new());
        let gone = remove(&active, |_| Discard::None, &path, form(1 << 20)).unwrap();
        assert_eq!(kinds(&gone), ["off", "remove"]);
        let mut deleted = active;
        deleted[0].deleted = true;
        let refused = remove(&deleted, |_| Discard::None, &path, form(1 << 20));
        assert_eq!(refused, Err(PlanRefusal::Deleted(path)));
    }
}
