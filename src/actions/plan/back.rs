//! The way back: what takes a plan back, and what puts right what was cut off.

use super::{Plan, Refusal, is_first, standing};
use crate::actions::journal::{End, Event, Purpose, RECOVERY, Record, Tried};
use crate::actions::{Look, State, Step, step, storage};
use crate::model::Name;
use crate::model::activation::Activation;

/// Take back what stands of a plan.
///
/// # Errors
/// When nothing of it stands, or somebody changed it since.
pub fn undo(record: &Record, look: &dyn Look, boot: &str) -> Result<Plan, Refusal> {
    if record.end() == Some(End::Dismissed) {
        return Err(Refusal::Dismissed(record.plan));
    }
    let is_boot = record.boot == boot;
    let made = standing_now(record, look).map_err(Refusal::Unseen)?;
    let made = made.iter().rev().filter_map(|number| record.steps.get(*number));
    // What was done to a kernel ended with it; what was written to a disk is there still.
    let left = made.filter(|step| is_boot || step.lasts());
    let steps: Vec<Step> = left.filter_map(Step::inverse).collect();
    if steps.is_empty() {
        let (number, nothing) = (record.plan, Refusal::Nothing);
        return Err(if is_boot { nothing(number) } else { Refusal::OtherBoot(number) });
    }
    for (place, step) in steps.iter().enumerate() {
        // What an earlier one of these steps changes is not yet as a later one finds it.
        if is_first(&steps, place) && step.state(look).map_err(Refusal::Unseen)? != State::Before {
            return Err(Refusal::Changed(step.subject().clone()));
        }
    }
    let title = format!("take back plan {}: {}", record.plan, record.title);
    let areas = step::seen(look.areas()).map_err(Refusal::Unseen)?;
    let steps = storage::off_meanwhile(steps, &areas, look);
    Ok(Plan { steps, relies_on: standing(&areas), ..Plan::none(title) })
}

/// The steps of a plan that stand. Of the one that was under way when the plan was interrupted, the
/// machine tells: also after `recover` closed the plan without a word of it.
fn standing_now(record: &Record, look: &dyn Look) -> Result<Vec<usize>, String> {
    let mut standing = record.standing();
    let Some(number) = record.unsettled() else { return Ok(standing) };
    let Some(step) = record.steps.get(number) else { return Ok(standing) };
    let state = step.state(look)?;
    if state == State::Before {
        standing.retain(|other| *other != number);
    } else if state == State::After && !standing.contains(&number) {
        standing.push(number);
    }
    Ok(standing)
}

/// Events that record what the machine shows of the steps of an interrupted plan, where its own
/// events say something else: they belong before its end, so that it can be undone.
pub fn settle(record: &Record, look: &dyn Look) -> Vec<Event> {
    let standing = record.standing();
    let tried = |number: usize| record.tried(number).is_some();
    let steps = record.steps.iter().enumerate();
    let steps = steps.filter(|(number, step)| tried(*number) && step.leaves_a_mark());
    let differs = |(step, made): (usize, &Step)| {
        let back = match (standing.contains(&step), made.state(look)) {
            (false, Ok(State::After)) => false,
            (true, Ok(State::Before)) => true,
            _ => return None,
        };
        Some(Event::Made { step, back, moved: 0, seconds: 0.0 })
    };
    steps.filter_map(differs).collect()
}

/// Put right what plans left behind that were cut off, or could not be taken back; what a recovery was
/// to put right that was cut off itself is looked at anew. An area that is
/// off is put on again, as the last plan says that touched it; a plan that changed more than areas
/// is taken back, unless all of it was made and meant to stay.
///
/// # Errors
/// When it cannot be seen how things stand.
pub fn recovery(records: &[Record], look: &dyn Look, boot: &str) -> Result<Plan, Refusal> {
    let areas = step::seen(look.areas()).map_err(Refusal::Unseen)?;
    let mut decided: Vec<&Name> = Vec::new();
    let mut steps = Vec::new();
    for record in records.iter().rev() {
        let (open, is_boot) = (record.is_open(boot), record.boot == boot);
        let of_areas = !record.lent && record.steps.iter().all(Step::is_of_areas);
        if (!open && !is_boot) || (open && !of_areas && record.purpose == Purpose::Recovery) {
            continue;
        }
        let mut more = if open && !of_areas {
            let steps = rolled_back(record, look, is_boot).map_err(Refusal::Unseen)?;
            if is_boot { steps } else { storage::restarted(record, steps, &areas, look) }
        } else {
            let missing = |step: &Step| !areas.iter().any(|area| area.path == *step.subject());
            put_on(record, &|step| open && missing(step))
        };
        more.retain(|step| !decided.contains(&step.subject()));
        steps.extend(more);
        decided.extend(decides(record).map(|(_, step, _)| step.subject()));
    }
    let (relies_on, purpose) = (standing(&areas), Purpose::Recovery);
    Ok(Plan { purpose, steps, apart: true, relies_on, ..Plan::none(RECOVERY.to_owned()) })
}

/// The steps of a plan that were tried, last first, and which way they went. What was not put on,
/// as by a recovery that was cut off itself, decides nothing.
fn decides(record: &Record) -> impl Iterator<Item = (usize, &Step, Tried)> {
    let standing = record.standing();
    record.steps.iter().enumerate().rev().filter_map(move |(number, step)| {
        let in_vain = matches!(step, Step::On { .. }) && !standing.contains(&number);
        record.tried(number).filter(|_| !in_vain).map(|tried| (number, step, tried))
    })
}

/// The steps that put areas on again which a plan left off.
fn put_on(record: &Record, is_left: &dyn Fn(&Step) -> bool) -> Vec<Step> {
    let left = decides(record).filter(|(_, step, _)| is_left(step));
    let wanted = left.filter_map(|(_, step, tried)| wanted(step, tried));
    wanted.map(|area| Step::On { area: area.clone() }).collect()
}

/// The steps that take a plan back of which some steps stand, but not all. After the machine was
/// started again only those are left that last.
fn rolled_back(record: &Record, look: &dyn Look, is_boot: bool) -> Result<Vec<Step>, String> {
    let mut stands = record.standing();
    let mut steps = Vec::new();
    let left = |step: &Step| is_boot || step.lasts();
    for (number, step) in record.steps.iter().enumerate().rev().filter(|(_, step)| left(step)) {
        // What was under way when it was cut off, or failed: the machine tells how far it came. It
        // may have been made all the same, where nobody could see that.
        let under_way = record.under_way() == Some(number);
        if record.tried(number).is_none() || (stands.contains(&number) && !under_way) {
            continue;
        }
        stands.retain(|other| *other != number);
        match step.state(look)? {
            State::After if !record.went_back(number) => stands.push(number),
            State::Missing => steps.extend(step.put_right(look)?),
            State::Before | State::After | State::Other => {}
        }
    }
    if stands.len() == record.steps.len() && !record.lent {
        return Ok(Vec::new());
    }
    let stands = stands.iter().rev().filter_map(|number| record.steps.get(*number));
    let stands = stands.filter(|step| left(step));
    for step in stands.filter_map(Step::inverse) {
        // The folder of a zram device and its node have one name.
        let same = |before: &Step| before.subject().base() == step.subject().base();
        let goes_on = steps.iter().any(same);
        // A recovery that was cut off may have taken it back already, or somebody has decided since.
        match step.state(look)? {
            _ if goes_on => steps.push(step),
            State::Before => steps.push(step),
            State::Missing => steps.extend(
                step.inverse().and_then(|made| made.put_right(look).transpose()).transpose()?,
            ),
            State::After | State::Other => {}
        }
    }
    Ok(steps)
}

/// How the area of a step that was tried belongs on, when nothing more comes of its plan. What was
/// under way is brought to its end; what had failed, or was being taken back, goes back.
fn wanted(step: &Step, tried: Tried) -> Option<&Activation> {
    let from = step.taken_off()?;
    match tried {
        Tried::Ahead => Some(step.put_on().unwrap_or(from)),
        Tried::Back => Some(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::testing::Still;
    use crate::model::Bytes;
    use crate::model::activation::{Discard, Priority};
    use crate::model::format::{FileForm, Format, Uuid};
    use std::slice;

    fn record(plan: u64, steps: Vec<Step>, events: Vec<Event>) -> Record {
        let title = String::new();
        Record {
            plan,
            at_ms: 0,
            boot: "now".to_owned(),
            title,
            steps,
            undoes: None,
            areas: Vec::new(),
            purpose: Purpose::Change,
            lent: false,
            events,
        }
    }

    fn activation(path: &str, priority: u16) -> Activation {
        let priority = Priority::Set(priority);
        Activation { path: path.into(), priority, discard: Discard::None }
    }

    fn renew(path: &str, from: u16, to: u16) -> Step {
        Step::Renew { from: activation(path, from), to: activation(path, to) }
    }

    /// With which priorities areas are put on again, of which none is on.
    fn recovered(records: &[Record]) -> Vec<(String, Priority)> {
        let plan = recovery(records, &Still::default(), "now").unwrap();
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

    fn failed() -> Event {
        Event::Failed { step: 0, why: String::new() }
    }

    fn ended(end: End) -> Event {
        Event::End { end, why: None }
    }

    #[test]
    fn what_was_cut_off_goes_where_it_was_going() {
        let a = |priority| vec![("a".to_owned(), Priority::Set(priority))];
        let one = |events| recovered(&[record(1, vec![renew("a", 1, 2)], events)]);
        assert_eq!(one(vec![]), [], "it was never tried");
        assert_eq!(one(vec![AHEAD]), a(2));
        assert_eq!(one(vec![AHEAD, failed()]), a(1));
        assert_eq!(one(vec![AHEAD, BACK]), a(1));
        assert_eq!(one(vec![AHEAD, failed(), ended(End::Partial)]), a(1));
        assert_eq!(one(vec![AHEAD, ended(End::Done)]), [], "it came to its end");
        let off = Step::Off { area: activation("a", 3) };
        assert_eq!(recovered(&[record(1, vec![off.clone()], vec![AHEAD])]), a(3));
        let other = Record { boot: "before".to_owned(), ..record(1, vec![off], vec![AHEAD]) };
        assert_eq!(recovered(&[other]), [], "the machine was started again since");
    }

    #[test]
    fn what_was_made_when_its_plan_was_interrupted_can_be_undone_after_recovery() {
        let interrupted = record(1, vec![set("x")], vec![AHEAD]);
        let closed = record(1, vec![set("x")], vec![AHEAD, ended(End::Recovered)]);
        let with = |value: &str| {
            let settings = [(Name::from("x"), value.to_owned())].into();
            Still { settings, ..Still::default() }
        };
        let back = Ok(vec![set("x").inverse().unwrap()]);
        for record in [&interrupted, &closed] {
            let undone = |value| undo(record, &with(value), "now").map(|plan| plan.steps);
            assert_eq!(undone("2"), back);
            assert_eq!(undone("1"), Err(Refusal::Nothing(1)), "it was not made");
        }
        let made = |back| Event::Made { step: 0, back, moved: 0, seconds: 0.0 };
        assert_eq!(settle(&interrupted, &with("2")), [made(false)]);
        assert_eq!(settle(&interrupted, &with("1")), []);
        let going_back = record(1, vec![set("x")], vec![AHEAD, made(false), BACK]);
        assert_eq!(settle(&going_back, &with("1")), [made(true)]);
        assert_eq!(undo(&going_back, &with("1"), "now"), Err(Refusal::Nothing(1)));
    }

    #[test]
    fn a_plan_that_was_dismissed_is_neither_recovered_nor_undone() {
        let renewed = renew("a", 1, 2);
        let record = record(1, vec![renewed], vec![AHEAD, ended(End::Dismissed)]);
        assert_eq!(recovered(slice::from_ref(&record)), []);
        assert_eq!(undo(&record, &Still::default(), "now"), Err(Refusal::Dismissed(1)));
    }

    #[test]
    fn of_each_area_the_last_plan_decides() {
        let cut = record(1, vec![renew("a", 1, 2)], vec![AHEAD]);
        let later = record(2, vec![renew("a", 2, 7)], vec![AHEAD]);
        let put_on = recovered(&[cut.clone(), later]);
        assert_eq!(put_on, [("a".to_owned(), Priority::Set(7))]);
        let off = Step::Off { area: activation("a", 1) };
        let wanted = record(2, vec![off], vec![AHEAD, ended(End::Done)]);
        assert_eq!(recovered(&[cut.clone(), wanted]), [], "it was switched off on purpose");
        let again = Step::On { area: activation("a", 2) };
        for events in [vec![AHEAD], vec![AHEAD, failed(), ended(End::Partial)]] {
            let put_on = recovered(&[cut.clone(), record(2, vec![again.clone()], events)]);
            assert_eq!(put_on, [("a".to_owned(), Priority::Set(2))], "a recovery in vain");
        }
    }

    fn set(file: &str) -> Step {
        let [what, from, to] = [file, "1", "2"].map(str::to_owned);
        Step::Set { what, file: file.into(), from, to }
    }

    /// What is done about a plan that changes two settings and was cut off.
    fn settings_recovered(is: [&str; 2], events: Vec<Event>) -> Vec<Step> {
        let settings = ["x", "y"].map(Name::from).into_iter().zip(is.map(str::to_owned)).collect();
        let look = Still { settings, ..Still::default() };
        recovery(&[record(1, vec![set("x"), set("y")], events)], &look, "now").unwrap().steps
    }

    #[test]
    fn a_plan_of_more_than_areas_is_taken_back_unless_all_of_it_stands() {
        let try_of = |step| Event::Try { step, back: false };
        let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
        let back = |file| set(file).inverse().unwrap();
        let cut = vec![try_of(0), made(0), try_of(1)];
        assert_eq!(settings_recovered(["2", "1"], cut.clone()), [back("x")]);
        assert_eq!(settings_recovered(["2", "2"], cut), [], "all of it was made");
        assert_eq!(settings_recovered(["2", "1"], vec![try_of(0)]), [back("x")]);
        assert_eq!(settings_recovered(["1", "1"], vec![try_of(0)]), []);
        let going_back = vec![try_of(0), made(0), Event::Try { step: 0, back: true }];
        assert_eq!(settings_recovered(["2", "1"], going_back.clone()), [back("x")]);
        assert_eq!(settings_recovered(["1", "1"], going_back.clone()), []);
        // It was made after all, which nobody could see then.
        let failed = vec![try_of(0), failed(), ended(End::Partial)];
        assert_eq!(settings_recovered(["2", "1"], failed.clone()), [back("x")]);
        assert_eq!(settings_recovered(["1", "1"], failed), []);
        let gone = Event::Made { step: 0, back: true, moved: 0, seconds: 0.0 };
        let back_again = [going_back, vec![gone, ended(End::Partial)]].concat();
        assert_eq!(
            settings_recovered(["2", "1"], back_again),
            [],
            "somebody else has decided since"
        );
    }

    fn file(from: Option<u64>, to: Option<u64>) -> Step {
        let form = |size: u64| {
            let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
            let format = Format::new(Bytes(size), 4096, uuid, None).unwrap();
            FileForm { size: Bytes(size), format, nocow: false }
        };
        Step::File { path: "s".into(), from: from.map(form), to: to.map(form) }
    }

    /// A machine on which the file of such a step is there.
    fn with_file(size: u64) -> Still {
        let Step::File { to: Some(form), .. } = file(None, Some(size)) else { panic!() };
        let mut content = form.format.page();
        content.resize(usize::try_from(size).unwrap(), 0);
        Still { contents: [("s".into(), content)].into(), ..Still::default() }
    }

    #[test]
    fn what_was_written_to_a_disk_is_taken_back_after_a_restart_too() {
        let try_of = |step| Event::Try { step, back: false };
        let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
        let creation = file(None, Some(1 << 20));
        let steps = vec![creation.clone(), Step::On { area: activation("s", 1) }];
        let look = with_file(1 << 20);
        let cut = |events| Record { boot: "before".to_owned(), ..record(1, steps.clone(), events) };
        let remove = creation.inverse().unwrap();
        for events in [vec![try_of(0)], vec![try_of(0), made(0), try_of(1)]] {
            let plan = recovery(&[cut(events)], &look, "now").unwrap();
            assert_eq!(plan.steps, slice::from_ref(&remove));
        }
        let whole = vec![try_of(0), made(0), try_of(1), made(1), ended(End::Done)];
        assert_eq!(recovery(&[cut(whole.clone())], &look, "now").unwrap().steps, []);
        assert_eq!(undo(&cut(whole), &look, "now").unwrap().steps, [remove]);
        let off = Record {
            boot: "before".to_owned(),
            ..record(1, vec![renew("a", 1, 2)], vec![made(0)])
        };
        assert_eq!(undo(&off, &look, "now"), Err(Refusal::OtherBoot(1)));
    }

    #[test]
    fn of_steps_on_one_file_only_the_first_must_find_it_as_it_was_left() {
        let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
        let steps = vec![file(Some(1 << 20), None), file(None, Some(2 << 20))];
        let done = record(1, steps, vec![made(0), made(1), ended(End::Done)]);
        let plan = undo(&done, &with_file(2 << 20), "now").unwrap();
        assert_eq!(plan.steps, [file(Some(2 << 20), None), file(None, Some(1 << 20))]);
        let other = undo(&done, &with_file(3 << 20), "now");
        assert_eq!(other, Err(Refusal::Changed("s".into())));
    }
}
