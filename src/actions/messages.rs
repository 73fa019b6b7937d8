//! Texts about plans, their progress and their outcome, shared by the command line and the
//! interface.

use super::check::failed_reads_text;
use super::estimate::{DrainTime, Forecast};
use super::journal::{Event, PlanEnd, Record};
use super::limits::DrainPause;
use super::run::{ChangeOutcome, Progress};
use super::{Step, shell_quoted};
use crate::columns::units::{self, size};
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::users::OomKilled;
use crate::model::{Bytes, Name};
use std::fmt::Write as _;

/// Describes a step and how much data it moves, if known.
pub fn describe_step(step: &Step, moves: Option<Bytes>) -> String {
    match moves {
        None | Some(Bytes(0)) => step.describe(),
        Some(moves) => format!("{} ({} to move)", step.describe(), size(moves)),
    }
}

/// Totals what the steps of a plan move and how long that takes, if several steps move data.
pub fn describe_total(costs: &[Forecast]) -> Option<String> {
    let moving = costs.iter().filter(|cost| cost.moves != Some(Bytes(0)));
    if moving.count() < 2 {
        return None;
    }
    let all = Forecast::sum(costs);
    let moves = all.moves.map_or_else(|| "an unknown amount".to_owned(), size);
    let time = all.time.describe_time().unwrap_or_else(|| "time unknown".to_owned());
    Some(format!("Total: {moves} to move, {time}"))
}

/// Describes how a plan ended, and what to do next.
pub fn describe_outcome(outcome: &ChangeOutcome) -> String {
    let number = outcome.plan;
    let why = safe_text(outcome.why.as_deref().unwrap_or_default());
    let told = match outcome.end {
        PlanEnd::Done if outcome.undoable => {
            format!("Done (journal {number}; to undo: swapadm undo {number})")
        }
        PlanEnd::Done => format!("Done (journal {number})"),
        PlanEnd::Restored => format!("All temporary changes were undone (journal {number})"),
        PlanEnd::Recovered => "Done: nothing to repair, and the journal records it".to_owned(),
        PlanEnd::Dismissed => format!(
            "Plan {number} is dismissed: swapadm recover now ignores it, and it cannot be undone ({why})"
        ),
        PlanEnd::Undone => format!("NOT DONE: {why}."),
        PlanEnd::Partial => {
            let next = if outcome.only_orders {
                "Nothing to repair: what was done stays."
            } else {
                "To repair: swapadm recover."
            };
            format!("PARTLY DONE: {why}. To see what was done: swapadm journal {number}. {next}")
        }
    };
    let told = match (&outcome.remark, outcome.end) {
        (
            Some(remark),
            PlanEnd::Done | PlanEnd::Recovered | PlanEnd::Restored | PlanEnd::Dismissed,
        ) => {
            format!("{told}. {remark}")
        }
        (Some(remark), _) => format!("{told} {remark}"),
        (None, PlanEnd::Undone) if outcome.failed_reads.is_empty() => {
            format!("{told} Everything is as it was.")
        }
        (None, _) => told,
    };
    let emptied = outcome.emptied.filter(|_| outcome.end == PlanEnd::Done).map(DrainTime::describe);
    let killed = outcome.killed.iter().map(|killed| format!("{}.", describe_kills(killed)));
    let failed =
        outcome.failed_reads.iter().map(|it| format!("{}.", failed_reads_text(&it.area, it.reads)));
    let unrecorded = outcome.unrecorded.as_ref().map(|why| {
        let why = safe_text(why);
        format!(
            "The plan has ended, but counts as interrupted until swapadm recover closes it: {why}."
        )
    });
    let more: Vec<String> =
        emptied.into_iter().chain(killed).chain(failed).chain(unrecorded).collect();
    if more.is_empty() {
        return told;
    }
    format!("{}. {}", told.trim_end_matches('.'), more.join(" "))
}

/// Says how many processes the kernel's OOM killer killed, without a final period.
fn describe_kills(killed: &OomKilled) -> String {
    let OomKilled { cgroup, processes } = killed;
    let of = cgroup.as_ref().map_or(String::new(), |path| format!(" of cgroup {}", path.safe()));
    let (noun, verb) = if *processes == 1 { ("process", "was") } else { ("processes", "were") };
    format!("{processes} {noun}{of} {verb} killed by the kernel for lack of memory")
}

/// Lists the default priorities of other areas that the kernel renumbered during a change, which may change the
/// order in which areas are filled.
pub fn describe_renumbering(
    before: &[SwapArea],
    after: &[SwapArea],
    is_changed: impl Fn(&Name) -> bool,
) -> Vec<String> {
    let other = |area: &SwapArea| {
        let was = before.iter().find(|other| other.path == area.path)?.priority;
        let moved = was < 0 && area.priority < 0 && was != area.priority;
        moved.then(|| {
            let (name, is) = (area.path.safe(), area.priority);
            format!("  {name}  priority {is}, was {was}: renumbered by the kernel")
        })
    };
    after.iter().filter(|area| !is_changed(&area.path)).filter_map(other).collect()
}

/// Says that the order of default priorities was restored after a plan, and in which journal entry.
pub fn order_restored(number: u64) -> String {
    format!(
        "The order of default priorities, which the kernel had changed, was restored (journal \
         {number})."
    )
}

/// Says that the order of default priorities has changed, why it was not restored, and which
/// command restores it. Without `order` there is no such command.
pub fn order_not_restored(end: PlanEnd, order: &[Name], moves: Bytes, why: Option<&str>) -> String {
    let which = match end {
        PlanEnd::Undone | PlanEnd::Restored => {
            "All areas are active as before, but the kernel now fills those"
        }
        PlanEnd::Done | PlanEnd::Partial | PlanEnd::Recovered | PlanEnd::Dismissed => {
            "The kernel now fills areas"
        }
    };
    let left = why.map_or_else(String::new, |why| format!("; not restored: {}", safe_text(why)));
    let head = format!("{which} with default priorities in another order{left}");
    if order.is_empty() {
        return head;
    }
    let (moves, command) = (size(moves), priority_command(order));
    format!("{head}. To restore it, moving {moves}: {command}")
}

/// Says that `recover` would restore the order of default priorities.
pub fn order_pending(order: &[Name], moves: Bytes) -> String {
    format!(
        "The kernel now fills areas with default priorities in another order; recover would \
             restore it, moving {}: {}",
        size(moves),
        priority_command(order)
    )
}

/// The command that puts areas into this order.
fn priority_command(order: &[Name]) -> String {
    let wish = |name: &Name| shell_quoted(&Name::new([name.as_bytes(), b"=default"].concat()));
    let wishes: Vec<String> = order.iter().map(wish).collect();
    format!("swapadm priority {}", wishes.join(" "))
}

/// Progress of a plan on one line; `names` are the subjects of its steps.
pub fn progress_line(names: &[String], progress: &Progress) -> String {
    let name = names.get(progress.step).map_or("", String::as_str);
    let moved = progress.total.saturating_sub(progress.left);
    let back = if progress.is_undo { "undo: " } else { "" };
    let mut line = format!("{}/{} {back}{name}", progress.step + 1, names.len());
    if progress.total > Bytes(0) {
        let _ = write!(line, "  {} of {}", size(moved), size(progress.total));
    }
    if let Some(DrainPause { psi_full, pace }) = progress.pause {
        let _ = write!(line, "  paused: PSI full {psi_full}%, above {pace}%");
    } else if let Some(rate) = rate(progress) {
        let left = units::seconds(progress.left.0 as f64 / rate);
        let _ = write!(line, "  {}/s  {left} left", units::bytes(rate));
    }
    line
}

/// Bytes per second moved since the step began.
fn rate(progress: &Progress) -> Option<f64> {
    let moved = progress.total.saturating_sub(progress.left);
    let seconds = progress.elapsed.as_secs_f64();
    (moved > Bytes(0) && seconds > 0.0).then(|| moved.0 as f64 / seconds)
}

/// One line about a plan of the journal.
pub fn record_line(record: &Record) -> String {
    let (when, title) = (units::date(record.at_ms), title_with_kills(record));
    format!("{:>4}  {when}  {:<9}  {title}", record.plan, end_word(record.end()))
}

/// The title of a plan, with the processes that were killed while it ran.
pub fn title_with_kills(record: &Record) -> String {
    let title = safe_text(&record.title);
    let killed = record.events.iter().filter_map(|event| {
        let Event::Killed(killed) = event else { return None };
        Some(killed.processes)
    });
    match killed.sum::<u64>() {
        0 => title,
        count => format!("{title}  ({count} killed for lack of memory)"),
    }
}

/// One or two words for how a plan ended.
pub fn end_word(end: Option<PlanEnd>) -> &'static str {
    end.map_or("open", PlanEnd::word)
}

/// All events of a plan, one per line.
pub fn describe_record(record: &Record) -> Vec<String> {
    let mut lines = vec![record_line(record)];
    let step = |number: &usize| record.steps.get(*number).map_or_else(String::new, Step::describe);
    for (place, event) in record.events.iter().enumerate() {
        lines.push(match event {
            Event::Begin { .. } => continue,
            Event::Try { step: number, back } => {
                let back = if *back { "undo: " } else { "" };
                let later = record.events.get(place..).unwrap_or_default();
                let is_open = later.iter().all(|event| !event.ends(*number));
                let end = if is_open && record.end().is_some() { ": interrupted" } else { "" };
                format!("      {back}{}{end}", step(number))
            }
            Event::Made { moved, seconds, .. } => {
                let moved = size(Bytes(*moved));
                format!("        done in {}, {moved} moved", units::seconds(*seconds))
            }
            Event::Failed { why, .. } => format!("        failed: {}", safe_text(why)),
            Event::Killed(killed) => format!("      {}", self::describe_kills(killed)),
            Event::FailedReads(it) => format!("        {}", failed_reads_text(&it.area, it.reads)),
            Event::End { end: how, why } => {
                let why =
                    why.as_deref().map_or(String::new(), |why| format!(": {}", safe_text(why)));
                format!("      {}{why}", end_word(Some(*how)))
            }
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::estimate::{Estimate, EstimateBasis};
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::swaparea::testing::area;
    use std::time::Duration;

    #[test]
    fn renumbered_default_priorities_are_listed() {
        let areas = |numbers: [i32; 4]| {
            let names = ["a", "b", "c", "d"].into_iter().zip(numbers);
            names.map(|(name, number)| area(name, number, 8, 0)).collect::<Vec<_>>()
        };
        // An area whose swapoff was stopped became the last.
        let lines =
            describe_renumbering(&areas([-2, -3, 5, 7]), &areas([-3, -2, 6, -4]), |_| false);
        let first: Vec<&str> = lines.iter().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(first, ["  a  priority -3, was -2", "  b  priority -2, was -3"]);
    }

    #[test]
    fn moves_of_several_steps_are_totalled() {
        let cost = |moves, seconds| Forecast {
            moves: Some(Bytes(moves)),
            time: Estimate::Known {
                rate: 1.0,
                seconds,
                basis: EstimateBasis::Timed { drained: true },
                is_least: false,
            },
        };
        assert_eq!(
            describe_total(&[cost(1 << 20, 1.0), Forecast::NONE]),
            None,
            "its step shows it"
        );
        let two = [cost(1 << 20, 1.5), Forecast::NONE, cost(2 << 20, 2.0)];
        assert_eq!(describe_total(&two).unwrap(), "Total: 3M to move, about 3.5s (2.1s to 7s)");
        let unknown = Forecast { moves: Some(Bytes(1 << 20)), time: Estimate::Unknown };
        let said = describe_total(&[two[0], unknown]).unwrap();
        assert_eq!(said, "Total: 2M to move, time unknown");
    }

    #[test]
    fn outcome_says_how_long_draining_took() {
        let told = |end, why: Option<&str>| {
            let emptied = DrainTime::from_duration(Duration::from_millis(1500))
                .map(|it| it.with_expected(Some(2.0)));
            let why = why.map(str::to_owned);
            describe_outcome(&ChangeOutcome { emptied, ..ChangeOutcome::ended(7, end, why) })
        };
        let took = "Done (journal 7). Draining took 1.5s (estimated 2s).";
        assert_eq!(told(PlanEnd::Done, None), took);
        assert!(!told(PlanEnd::Undone, Some("no")).contains("Draining"), "it was undone");
    }

    #[test]
    fn oom_kills_are_listed_for_every_outcome() {
        let killed = [(Some("/a b"), 1), (None, 27)];
        let killed =
            killed.map(|(path, processes)| OomKilled { cgroup: path.map(Name::from), processes });
        for (end, why) in [(PlanEnd::Done, None), (PlanEnd::Undone, Some("no".to_owned()))] {
            let outcome =
                ChangeOutcome { killed: killed.to_vec(), ..ChangeOutcome::ended(7, end, why) };
            let said = super::describe_outcome(&outcome);
            let words = "1 process of cgroup /a b was killed by the kernel for lack of memory. 27 processes were killed by";
            assert!(said.contains(words), "{said}");
        }
        let event = Event::Killed(killed[0].clone());
        let text = serde_json::to_string(&event).unwrap();
        assert_eq!(text, r#"{"event":"killed","cgroup":"/a b","processes":1}"#);
        assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
        let record = Record { events: vec![event.clone(), event], ..Record::default() };
        assert!(record_line(&record).ends_with("(2 killed for lack of memory)"));
    }

    #[test]
    fn what_was_begun_and_not_ended_is_marked() {
        let step = |step| Event::Try { step, back: false };
        let made = Event::Made { step: 0, back: false, moved: 0, seconds: 1.0 };
        let end = Event::End { end: PlanEnd::Recovered, why: None };
        let area = |path: &str| Activation {
            path: path.into(),
            priority: Priority::Set(1),
            discard: Discard::None,
        };
        let steps = ["/dev/a", "/dev/b"].map(|path| Step::Off { area: area(path) }).to_vec();
        let marked = |events| {
            let lines =
                describe_record(&Record { steps: steps.clone(), events, ..Record::default() });
            lines.into_iter().filter(|line| line.ends_with(": interrupted")).count()
        };
        let running = vec![step(0), made, step(1)];
        assert_eq!(marked(running.clone()), 0, "it may still be carried out");
        assert_eq!(marked([running, vec![end]].concat()), 1);
    }

    #[test]
    fn rate_and_eta_appear_once_data_has_moved() {
        let mut how_far = Progress {
            step: 0,
            is_undo: false,
            total: Bytes(100 << 20),
            left: Bytes(100 << 20),
            since: Duration::from_secs(10),
            elapsed: Duration::from_secs(2),
            pause: None,
        };
        let names = ["/dev/a".to_owned(), "/dev/b".to_owned()];
        assert_eq!(progress_line(&names, &how_far), "1/2 /dev/a  0B of 100M");
        (how_far.left, how_far.elapsed) = (Bytes(60 << 20), Duration::from_secs(4));
        assert_eq!(progress_line(&names, &how_far), "1/2 /dev/a  40M of 100M  10M/s  6s left");
        how_far.pause = Some(DrainPause { psi_full: 12.5, pace: 5.0 });
        let rests = "1/2 /dev/a  40M of 100M  paused: PSI full 12.5%, above 5%";
        assert_eq!(progress_line(&names, &how_far), rests);
        how_far.pause = None;
        (how_far.is_undo, how_far.elapsed) = (true, Duration::ZERO);
        assert_eq!(progress_line(&names, &how_far), "1/2 undo: /dev/a  40M of 100M");
    }
}
