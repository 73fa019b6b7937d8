use super::*;
use crate::actions::testing::FixedView;
use crate::model::Bytes;
use crate::model::activation::{Discard, Priority};
use crate::model::format::{Format, SwapFileSpec, Uuid};
use crate::model::zram::ZramSettings;
use std::slice;

fn record(plan: u64, steps: Vec<Step>, events: Vec<Event>) -> Record {
    Record { plan, boot: "now".to_owned(), steps, events, ..Record::default() }
}

fn activation(path: &str, priority: u16) -> Activation {
    let priority = Priority::Set(priority);
    Activation { path: path.into(), priority, discard: Discard::None }
}

fn renew(path: &str, from: u16, to: u16) -> Step {
    Step::Renew { from: activation(path, from), to: activation(path, to) }
}

/// The priorities with which recovery enables areas, when none is active.
fn recovered_areas(records: &[Record]) -> Vec<(String, Priority)> {
    let plan = plan_recovery(records, &FixedView::default(), "now").unwrap().plan;
    let mut put_on: Vec<_> = plan
        .steps
        .iter()
        .map(|step| {
            let Step::On { area } = step else { panic!("{step:?}") };
            (area.path.safe(), area.priority)
        })
        .collect();
    put_on.sort();
    put_on
}

const AHEAD: Event = Event::Try { step: 0, back: false };
const BACK: Event = Event::Try { step: 0, back: true };

fn failed_event() -> Event {
    Event::Failed { step: 0, why: String::new() }
}

fn end_event(end: PlanEnd) -> Event {
    Event::End { end, why: None }
}

#[test]
fn interrupted_step_is_completed() {
    let a = |priority| vec![("a".to_owned(), Priority::Set(priority))];
    let one = |events| recovered_areas(&[record(1, vec![renew("a", 1, 2)], events)]);
    assert_eq!(one(vec![]), [], "it was never tried");
    assert_eq!(one(vec![AHEAD]), a(2));
    assert_eq!(one(vec![AHEAD, failed_event()]), a(1));
    assert_eq!(one(vec![AHEAD, BACK]), a(1));
    assert_eq!(one(vec![AHEAD, failed_event(), end_event(PlanEnd::Partial)]), a(1));
    assert_eq!(one(vec![AHEAD, end_event(PlanEnd::Done)]), [], "the plan was completed");
    let off = Step::Off { area: activation("a", 3) };
    assert_eq!(recovered_areas(&[record(1, vec![off.clone()], vec![AHEAD])]), a(3));
    let other = Record { boot: "before".to_owned(), ..record(1, vec![off], vec![AHEAD]) };
    assert_eq!(recovered_areas(&[other]), [], "the machine was rebooted since");
}

#[test]
fn step_completed_at_interruption_can_be_undone_after_recovery() {
    let interrupted = record(1, vec![set_step("x")], vec![AHEAD]);
    let closed = record(1, vec![set_step("x")], vec![AHEAD, end_event(PlanEnd::Recovered)]);
    let with = |value: &str| {
        let settings = [(Name::from("x"), value.to_owned())].into();
        FixedView { settings, ..FixedView::default() }
    };
    let back = Ok(vec![set_step("x").inverse().unwrap()]);
    for record in [&interrupted, &closed] {
        let undone = |value| undo(record, &with(value), "now").map(|plan| plan.steps);
        assert_eq!(undone("2"), back);
        assert_eq!(undone("1"), Err(PlanRefusal::Nothing(1)), "the step was not done");
    }
    let made = |back| Event::Made { step: 0, back, moved: 0, seconds: 0.0 };
    assert_eq!(settle(&interrupted, &with("2")), [made(false)]);
    assert_eq!(settle(&interrupted, &with("1")), []);
    let going_back = record(1, vec![set_step("x")], vec![AHEAD, made(false), BACK]);
    assert_eq!(settle(&going_back, &with("1")), [made(true)]);
    assert_eq!(undo(&going_back, &with("1"), "now"), Err(PlanRefusal::Nothing(1)));
}

#[test]
fn settings_of_removed_cgroups_hold_up_no_recovery() {
    let limit = "/sys/fs/cgroup/gone/memory.max";
    let both = vec![set_step(limit), set_step("x")];
    let partly = |steps: Vec<Step>| {
        let tried = [AHEAD, Event::Try { step: 1, back: false }, end_event(PlanEnd::Partial)];
        record(2, steps, tried.to_vec())
    };
    let cut = record(1, vec![renew("a", 1, 2)], vec![AHEAD]);
    assert_eq!(
        recovered_areas(&[cut.clone(), partly(vec![set_step(limit), set_step(limit)])]).len(),
        1
    );
    let settings = [(Name::from("x"), "2".to_owned())].into();
    let look = FixedView { settings, ..FixedView::default() };
    let plan = plan_recovery(&[cut, partly(both)], &look, "now").unwrap().plan;
    assert!(plan.steps.contains(&set_step("x").inverse().unwrap()), "{:?}", plan.steps);
}

#[test]
fn an_area_that_is_on_again_does_not_take_back_that_it_was_off() {
    let on = Activation { discard: Discard::Pages, ..activation("a", 1) };
    let steps = vec![Step::Off { area: activation("a", 1) }, Step::On { area: on }, set_step("x")];
    let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
    let tried = |step| Event::Try { step, back: false };
    let events = vec![tried(0), made(0), tried(1), made(1), tried(2)];
    let areas = vec![crate::model::swaparea::testing::area("a", 1, 1, 0)];
    let settings = [(Name::from("x"), "1".to_owned())].into();
    let look = FixedView { areas, settings, ..FixedView::default() };
    assert_eq!(settle(&record(1, steps, events), &look), []);
}

/// Disabling the area before does not hide what became of the file.
#[test]
fn a_file_that_was_formatted_since_is_not_removed() {
    let steps = vec![file_step(None, Some(1 << 20)), Step::On { area: activation("s", 1) }];
    let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
    let record = record(3, steps, vec![made(0), made(1), end_event(PlanEnd::Done)]);
    let areas = vec![crate::model::swaparea::testing::area("s", 1, 1 << 20, 0)];
    let on = |look| FixedView { areas: areas.clone(), ..look };
    let undone = undo(&record, &on(with_file(1 << 20)), "now").unwrap();
    assert_eq!(undone.steps.len(), 2);
    let other = undo(&record, &on(with_file(2 << 20)), "now");
    assert_eq!(other, Err(PlanRefusal::Changed { plan: 3, subject: "s".into() }));
}

/// A resize that was killed at its last step, and rolled back: the area is active as before, as it would be afterwards.
#[test]
fn nothing_is_in_effect_of_a_device_that_was_rolled_back() {
    let area = || activation("s", 1);
    let resize = file_step(Some(1 << 20), Some(2 << 20));
    let steps = vec![Step::Off { area: area() }, resize, Step::On { area: area() }];
    let tried = |step| Event::Try { step, back: false };
    let made = |step, back| Event::Made { step, back, moved: 0, seconds: 0.0 };
    let events = vec![tried(0), made(0, false), tried(1), made(1, false), tried(2)];
    let record = record(1, steps, events);
    let settled = |size| {
        let areas = vec![crate::model::swaparea::testing::area("s", 1, size, 0)];
        settle(&record, &FixedView { areas, ..with_file(size) })
    };
    assert_eq!(settled(1 << 20), [made(0, true), made(1, true)]);
    assert_eq!(settled(2 << 20), [made(2, false)], "the last step was completed unnoticed");

    let disk = |algorithm: &str| ZramSettings {
        size: Bytes(8 << 20),
        algorithm: Some(algorithm.to_owned()),
        ..ZramSettings::default()
    };
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let format = Format::new(Bytes(8 << 20), 4096, uuid, None).unwrap();
    let area = || activation("/dev/zram3", 1);
    let steps = vec![
        Step::Off { area: area() },
        Step::zram(3, Some(disk("lzo")), Some(disk("zstd"))),
        Step::format_new("/dev/zram3".into(), Bytes(8 << 20), format.clone()),
        Step::On { area: area() },
    ];
    let all = (0..3).flat_map(|step| [tried(step), made(step, false)]).chain([tried(3)]);
    let record = Record { steps, events: all.collect(), ..record };
    let areas = vec![crate::model::swaparea::testing::area("/dev/zram3", 1, 8 << 20, 0)];
    let contents = [("/dev/zram3".into(), format.page())].into();
    let look =
        FixedView { areas, contents, disks: [(3, disk("lzo"))].into(), ..FixedView::default() };
    assert_eq!(settle(&record, &look), [0, 1, 2].map(|step| made(step, true)));
}

/// A file that was left half resized is a swap file, so that somebody can enable it.
#[test]
fn a_half_resized_file_is_repaired_whoever_left_it() {
    let area = || activation("s", 1);
    let resize = file_step(Some(2 << 20), Some(1 << 20));
    let back = resize.inverse().unwrap();
    let steps = vec![Step::Off { area: area() }, resize, Step::On { area: area() }];
    let tried = |step| Event::Try { step, back: false };
    let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
    let mut look = with_file(1 << 20);
    look.contents.get_mut(&Name::from("s")).unwrap().resize(3 << 19, 0);
    let recovered = |records: &[Record], look: &FixedView| {
        plan_recovery(records, look, "now").unwrap().plan.steps
    };
    // The first repair was interrupted while the file grew again.
    let first = record(1, steps.clone(), vec![tried(0), made(0), tried(1), made(1), tried(2)]);
    let repair = Record {
        purpose: PlanPurpose::Recovery,
        is_independent: true,
        ..record(2, vec![back.clone(), Step::On { area: area() }], vec![tried(0)])
    };
    let on = Step::On { area: area() };
    assert_eq!(recovered(&[first, repair], &look), [back.clone(), on.clone()]);
    // Somebody has enabled it meanwhile.
    let cut = record(1, steps, vec![tried(0), made(0), tried(1)]);
    let areas = vec![crate::model::swaparea::testing::area("s", 1, 1 << 20, 0)];
    let look = FixedView { areas, ..look };
    let off = Step::Off { area: area() };
    assert_eq!(recovered(slice::from_ref(&cut), &look), [off, back, on]);
    let is_on = Event::Made { step: 0, back: true, moved: 0, seconds: 0.0 };
    assert_eq!(settle(&cut, &look), [is_on], "the file is neither resized nor as before");
}

/// Otherwise undoing it would make the device again.
#[test]
fn nothing_is_left_of_a_device_that_was_removed() {
    let zram = Step::zram(3, None, Some(ZramSettings::default()));
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let format = Format::new(Bytes(8 << 20), 4096, uuid, None).unwrap();
    let header = Step::format_new("/dev/zram3".into(), Bytes(8 << 20), format);
    let steps = vec![zram, header, Step::On { area: activation("/dev/zram3", 1) }];
    let made = |step, back| Event::Made { step, back, moved: 0, seconds: 0.0 };
    let events = (0..3).flat_map(|step| [Event::Try { step, back: false }, made(step, false)]);
    let record = record(1, steps, events.collect());
    assert_eq!(settle(&record, &FixedView::default()), [0, 1, 2].map(|step| made(step, true)));
}

#[test]
fn orders_leave_nothing_to_repair() {
    let order =
        Step::Order { what: String::new(), file: "/proc/7/mem".into(), word: "x".to_owned() };
    let events = || vec![AHEAD, failed_event(), end_event(PlanEnd::Partial)];
    assert!(!record(1, vec![order.clone()], events()).is_open("now"));
    assert!(record(1, vec![order, set_step("x")], events()).is_open("now"));
}

#[test]
fn a_plan_that_was_dismissed_is_neither_recovered_nor_undone() {
    let renewed = renew("a", 1, 2);
    let record = record(1, vec![renewed], vec![AHEAD, end_event(PlanEnd::Dismissed)]);
    assert_eq!(recovered_areas(slice::from_ref(&record)), []);
    assert_eq!(undo(&record, &FixedView::default(), "now"), Err(PlanRefusal::Dismissed(1)));
}

#[test]
fn last_plan_decides_for_each_area() {
    let cut = record(1, vec![renew("a", 1, 2)], vec![AHEAD]);
    let later = record(2, vec![renew("a", 2, 7)], vec![AHEAD]);
    let put_on = recovered_areas(&[cut.clone(), later]);
    assert_eq!(put_on, [("a".to_owned(), Priority::Set(7))]);
    let off = Step::Off { area: activation("a", 1) };
    let wanted = record(2, vec![off], vec![AHEAD, end_event(PlanEnd::Done)]);
    assert_eq!(recovered_areas(&[cut.clone(), wanted]), [], "it was disabled on purpose");
    let again = Step::On { area: activation("a", 2) };
    for events in [vec![AHEAD], vec![AHEAD, failed_event(), end_event(PlanEnd::Partial)]] {
        let put_on = recovered_areas(&[cut.clone(), record(2, vec![again.clone()], events)]);
        assert_eq!(put_on, [("a".to_owned(), Priority::Set(2))], "a failed recovery");
    }
}

fn set_step(file: &str) -> Step {
    let [what, from, to] = [file, "1", "2"].map(str::to_owned);
    Step::Set { what, file: file.into(), from, to }
}

/// Recovery steps for an interrupted plan that changes two settings.
fn settings_recovered(is: [&str; 2], events: Vec<Event>) -> Vec<Step> {
    let settings = ["x", "y"].map(Name::from).into_iter().zip(is.map(str::to_owned)).collect();
    let look = FixedView { settings, ..FixedView::default() };
    plan_recovery(&[record(1, vec![set_step("x"), set_step("y")], events)], &look, "now")
        .unwrap()
        .plan
        .steps
}

#[test]
fn mixed_plan_is_rolled_back_unless_complete() {
    let try_of = |step| Event::Try { step, back: false };
    let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
    let back = |file| set_step(file).inverse().unwrap();
    let cut = vec![try_of(0), made(0), try_of(1)];
    assert_eq!(settings_recovered(["2", "1"], cut.clone()), [back("x")]);
    let unrecorded = settings_recovered(["1", "2"], cut.clone());
    assert_eq!(unrecorded, [back("y")], "the journal had no room for the undo of the first step");
    assert_eq!(settings_recovered(["2", "2"], cut), [], "the plan was complete");
    let all = vec![try_of(0), made(0), try_of(1), made(1)];
    assert_eq!(settings_recovered(["1", "2"], all), [], "somebody set the first one back");
    assert_eq!(settings_recovered(["2", "1"], vec![try_of(0)]), [back("x")]);
    assert_eq!(settings_recovered(["1", "1"], vec![try_of(0)]), []);
    let going_back = vec![try_of(0), made(0), Event::Try { step: 0, back: true }];
    assert_eq!(settings_recovered(["2", "1"], going_back.clone()), [back("x")]);
    assert_eq!(settings_recovered(["1", "1"], going_back.clone()), []);
    // The step was completed, though this could not be seen at the time.
    let failed = vec![try_of(0), failed_event(), end_event(PlanEnd::Partial)];
    assert_eq!(settings_recovered(["2", "1"], failed.clone()), [back("x")]);
    assert_eq!(settings_recovered(["1", "1"], failed), []);
    let gone = Event::Made { step: 0, back: true, moved: 0, seconds: 0.0 };
    let back_again = [going_back, vec![gone, end_event(PlanEnd::Partial)]].concat();
    assert_eq!(
        settings_recovered(["2", "1"], back_again),
        [],
        "somebody else has changed it since"
    );
}

#[test]
fn independent_steps_that_were_done_stay() {
    let events = vec![made_event(0, false), Event::Failed { step: 1, why: String::new() }];
    let partial = [events, vec![end_event(PlanEnd::Partial)]].concat();
    let renewed = vec![set_step("x"), renew("a", 1, 2)];
    let recovered = |is_independent, is_temporary| {
        let record = record(1, renewed.clone(), partial.clone());
        let record = Record { is_temporary, is_independent, ..record };
        let settings = [(Name::from("x"), "2".to_owned())].into();
        let look = FixedView { settings, ..FixedView::default() };
        plan_recovery(&[record], &look, "now").unwrap().plan.steps
    };
    let (on, back) = (Step::On { area: activation("a", 1) }, set_step("x").inverse().unwrap());
    assert_eq!(recovered(true, false), slice::from_ref(&on));
    assert_eq!(recovered(false, false), [on.clone(), back.clone()]);
    assert_eq!(recovered(true, true), [on, back], "a temporary plan goes as a whole");
}

#[test]
fn an_unreadable_plan_does_not_keep_others_from_recovery() {
    let tried = vec![AHEAD, end_event(PlanEnd::Partial)];
    let hidden = record(2, vec![set_step("hidden"), set_step("y")], tried.clone());
    let known = record(1, vec![set_step("x"), set_step("y")], tried);
    let settings = [(Name::from("x"), "2".to_owned())].into();
    let look = FixedView { settings, ..FixedView::default() };
    let recovery = plan_recovery(&[known, hidden], &look, "now").unwrap();
    assert_eq!(recovery.plan.steps, [set_step("x").inverse().unwrap()]);
    let told: Vec<String> = recovery.unreadable.iter().map(UnreadablePlan::describe).collect();
    assert_eq!(told, ["plan 2 is not repaired: no such setting"]);
}

fn made_event(step: usize, back: bool) -> Event {
    Event::Made { step, back, moved: 0, seconds: 0.0 }
}

#[test]
fn steps_that_somebody_has_undone_are_left_out() {
    let on = |path| Step::On { area: activation(path, 3) };
    let events = vec![made_event(0, false), made_event(1, false), end_event(PlanEnd::Done)];
    let enabled = record(1, vec![on("a"), on("b")], events.clone());
    let moved = record(1, vec![renew("a", 1, 3), renew("b", 1, 3)], events);
    let undone = |record: &Record, priorities: &[(&str, i32)]| {
        let area = |&(path, priority): &(&str, i32)| {
            crate::model::swaparea::testing::area(path, priority, 1 << 20, 0)
        };
        let areas = priorities.iter().map(area).collect();
        undo(record, &FixedView { areas, ..FixedView::default() }, "now").map(|plan| plan.steps)
    };
    assert_eq!(undone(&enabled, &[("b", 3)]), Ok(vec![on("b").inverse().unwrap()]));
    assert_eq!(undone(&moved, &[("b", 3)]), Ok(vec![renew("b", 3, 1)]), "a stays disabled");
    for record in [&enabled, &moved] {
        assert_eq!(undone(record, &[]), Err(PlanRefusal::Nothing(1)));
        let changed = Err(PlanRefusal::Changed { plan: 1, subject: "a".into() });
        assert_eq!(undone(record, &[("a", 4), ("b", 3)]), changed);
    }
}

/// The file comes back, and stays disabled as somebody left it.
#[test]
fn a_resized_file_that_somebody_disabled_stays_disabled() {
    let off = Step::Off { area: activation("s", 1) };
    let resized = [file_step(Some(1 << 20), None), file_step(None, Some(2 << 20))];
    let steps = [&[off.clone()][..], &resized, &[off.inverse().unwrap()]].concat();
    let mut events: Vec<Event> = (0..4).map(|step| made_event(step, false)).collect();
    events.push(end_event(PlanEnd::Done));
    let plan = undo(&record(1, steps, events), &with_file(2 << 20), "now").unwrap();
    assert_eq!(plan.steps, [file_step(Some(2 << 20), None), file_step(None, Some(1 << 20))]);
}

#[test]
fn a_later_plan_that_was_undone_decides_nothing() {
    let cut = record(1, vec![set_step("x"), set_step("y")], vec![made_event(0, false)]);
    let [what, from, to] = ["x", "2", "3"].map(str::to_owned);
    let later = Step::Set { what, file: "x".into(), from, to };
    let recovered = |events| {
        let settings = [("x", "2"), ("y", "1")].map(|(file, is)| (file.into(), is.to_owned()));
        let look = FixedView { settings: settings.into(), ..FixedView::default() };
        let records = [cut.clone(), record(2, vec![later.clone()], events)];
        plan_recovery(&records, &look, "now").unwrap().plan.steps
    };
    let back = set_step("x").inverse().unwrap();
    let undone = vec![AHEAD, made_event(0, false), BACK, made_event(0, true)];
    let undone = [undone, vec![end_event(PlanEnd::Undone)]].concat();
    assert_eq!(recovered(undone), slice::from_ref(&back));
    let failed = vec![AHEAD, failed_event(), end_event(PlanEnd::Undone)];
    assert_eq!(recovered(failed), [back]);
    let done = vec![AHEAD, made_event(0, false), end_event(PlanEnd::Done)];
    assert_eq!(recovered(done), [], "somebody has set 2 again since");
}

#[test]
fn a_value_that_was_set_again_after_its_undo_is_not_of_the_plan() {
    let undone = vec![AHEAD, made_event(0, false), BACK, made_event(0, true)];
    let partial = [undone, vec![end_event(PlanEnd::Partial)]].concat();
    let settings = [(Name::from("x"), "2".to_owned())].into();
    let look = FixedView { settings, ..FixedView::default() };
    assert_eq!(settle(&record(1, vec![set_step("x")], partial), &look), []);
}

#[test]
fn only_what_outlasts_the_boot_is_read_after_a_reboot() {
    let save = Step::Save { path: "/etc/fstab".into(), from: None, to: Some("new".into()) };
    let events = vec![AHEAD, made_event(0, false), Event::Try { step: 1, back: false }];
    let steps = vec![save.clone(), set_step("of a cgroup that is gone")];
    let cut = Record { boot: "before".to_owned(), ..record(1, steps, events) };
    let texts = [("/etc/fstab".into(), "new".to_owned())].into();
    let plan = undo(&cut, &FixedView { texts, ..FixedView::default() }, "now").unwrap();
    assert_eq!(plan.steps, [save.inverse().unwrap()]);
}

#[test]
fn files_of_one_name_in_two_folders_are_two_files() {
    let make = |path: &str| {
        let Step::File { from, to, .. } = file_step(None, Some(1 << 20)) else { panic!() };
        Step::File { path: path.into(), from, to }
    };
    let steps = vec![make("/a/s"), make("/b/s"), set_step("x")];
    let cut = record(1, steps, vec![made_event(0, false), made_event(1, false)]);
    let mut look = with_file(1 << 20);
    let content = look.contents.remove(&Name::from("s")).unwrap();
    look.contents.insert("/b/s".into(), content);
    let plan = plan_recovery(&[cut], &look, "now").unwrap().plan;
    assert_eq!(plan.steps, [make("/b/s").inverse().unwrap()], "the other one is gone");
}

fn file_step(from: Option<u64>, to: Option<u64>) -> Step {
    let form = |size: u64| {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(size), 4096, uuid, None).unwrap();
        SwapFileSpec { size: Bytes(size), format, nocow: false }
    };
    Step::File { path: "s".into(), from: from.map(form), to: to.map(form) }
}

/// A machine on which the file of that step exists.
fn with_file(size: u64) -> FixedView {
    let Step::File { to: Some(form), .. } = file_step(None, Some(size)) else { panic!() };
    let mut content = form.format.page();
    content.resize(usize::try_from(size).unwrap(), 0);
    FixedView { contents: [("s".into(), content)].into(), ..FixedView::default() }
}

#[test]
fn disk_changes_are_rolled_back_after_reboot() {
    let try_of = |step| Event::Try { step, back: false };
    let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
    let creation = file_step(None, Some(1 << 20));
    let steps = vec![creation.clone(), Step::On { area: activation("s", 1) }];
    let look = with_file(1 << 20);
    let cut = |events| Record { boot: "before".to_owned(), ..record(1, steps.clone(), events) };
    let remove = creation.inverse().unwrap();
    for events in [vec![try_of(0)], vec![try_of(0), made(0), try_of(1)]] {
        let plan = plan_recovery(&[cut(events)], &look, "now").unwrap().plan;
        assert_eq!(plan.steps, slice::from_ref(&remove));
    }
    let whole = vec![try_of(0), made(0), try_of(1), made(1), end_event(PlanEnd::Done)];
    assert_eq!(plan_recovery(&[cut(whole.clone())], &look, "now").unwrap().plan.steps, []);
    assert_eq!(undo(&cut(whole), &look, "now").unwrap().steps, [remove]);
    let off =
        Record { boot: "before".to_owned(), ..record(1, vec![renew("a", 1, 2)], vec![made(0)]) };
    assert_eq!(undo(&off, &look, "now"), Err(PlanRefusal::OtherBoot(1)));
}

/// The kernel does not remove the file of an active area.
#[test]
fn a_file_that_somebody_enabled_is_disabled_before_it_is_removed() {
    let creation = file_step(None, Some(1 << 20));
    let steps = vec![creation.clone(), Step::On { area: activation("s", 1) }, set_step("x")];
    let cut = record(1, steps, vec![AHEAD, made_event(0, false)]);
    let areas = vec![crate::model::swaparea::testing::area("s", 7, 1 << 20, 0)];
    let settings = [(Name::from("x"), "1".to_owned())].into();
    let look = FixedView { areas, settings, ..with_file(1 << 20) };
    let plan = plan_recovery(&[cut], &look, "now").unwrap().plan;
    let off = Step::Off { area: activation("s", 7) };
    assert_eq!(plan.steps, [off, creation.inverse().unwrap()]);
}

#[test]
fn only_the_first_step_on_a_file_checks_its_state() {
    let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
    let steps = vec![file_step(Some(1 << 20), None), file_step(None, Some(2 << 20))];
    let done = record(1, steps, vec![made(0), made(1), end_event(PlanEnd::Done)]);
    let plan = undo(&done, &with_file(2 << 20), "now").unwrap();
    assert_eq!(plan.steps, [file_step(Some(2 << 20), None), file_step(None, Some(1 << 20))]);
    let other = undo(&done, &with_file(3 << 20), "now");
    assert_eq!(other, Err(PlanRefusal::Changed { plan: 1, subject: "s".into() }));
    let told = |path: &str| PlanRefusal::Changed { plan: 7, subject: path.into() }.to_string();
    assert!(told("/sys/fs/cgroup/a/memory.swap.max").contains("swapadm cgroups;"));
    assert!(told("/proc/sys/vm/swappiness").contains("swapadm knobs;"));
    assert!(told("/sys/block/zram3").contains("swapadm zram;"));
    assert!(
        told("/dev/vda").contains("since plan 7,") && told("/dev/vda").contains("swapadm devices;")
    );
}
