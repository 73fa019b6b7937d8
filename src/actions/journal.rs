//! What was changed, step by step: for a person, for taking it back, and for going on after a
//! crash.
//!
//! Steps that change the running kernel are not waited for on the disk: a machine that crashes
//! loses its swap settings with its memory, and a program that crashes loses nothing that it gave
//! to the kernel. What is written to a disk is another matter: that stays, and so must its line.

mod record;

pub use record::{End, Event, Line, ORDERING, Purpose, RECOVERY, Record, Stood, Tried};

use super::{Step, step};
use crate::model::Stamp;
use crate::sys::lines::{self, Lines};
use std::io;
use std::path::Path;
use std::time::Duration;

/// A journal with more lines than this is cut down to the last plans, so many of them.
const MOST: usize = 20_000;
const KEPT: usize = 1000;

/// The plans in these lines, oldest first. A line that is not whole tells nothing.
fn records(lines: &[String]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for line in lines.iter().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
        if let Event::Begin { title, purpose, steps, undoes, areas, lent } = line.event {
            let purpose = if purpose.is_change() { Purpose::of_title(&title) } else { purpose };
            records.push(Record {
                plan: line.plan,
                at_ms: line.at_ms,
                boot: line.boot,
                title,
                purpose,
                steps,
                undoes,
                areas,
                lent,
                events: Vec::new(),
            });
        } else if let Some(record) = records.iter_mut().rfind(|record| record.plan == line.plan) {
            record.events.push(line.event);
        }
    }
    records
}

/// The number of the last plan. Lines about earlier plans may stand behind its own, so only one
/// that begins a plan tells; and most lines need not be understood for that.
fn last_begun(lines: &[String]) -> Option<u64> {
    let begins = lines.iter().rev().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let mut begins = begins.filter(|line| matches!(line.event, Event::Begin { .. }));
    begins.next().map(|line| line.plan)
}

/// The lines of the last plans, and of those that need more.
fn recent(lines: Vec<String>, boot: &str) -> Vec<String> {
    let records = records(&lines);
    let first = records.iter().rev().nth(KEPT - 1).map_or(0, |record| record.plan);
    let open: Vec<u64> =
        records.iter().filter(|record| record.is_open(boot)).map(|record| record.plan).collect();
    let stays = |line: &String| {
        let line = serde_json::from_str::<Line>(line);
        line.is_ok_and(|line| line.plan >= first || open.contains(&line.plan))
    };
    lines.into_iter().filter(stays).collect()
}

/// All plans in the journal, oldest first.
///
/// # Errors
/// When it cannot be read, or has a step that no plan of this program makes.
pub fn read(path: &Path) -> io::Result<Vec<Record>> {
    let records = read_any(path)?;
    for record in &records {
        if let Some(step) = record.steps.iter().find(|step| !step::is_in_scope(step)) {
            let (plan, words) = (record.plan, step.words());
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "plan {plan} has a step that no plan of swapadm makes ({words}), so nothing in this journal is trusted: move the file away, and swapadm begins a new one"
                ),
            ));
        }
    }
    Ok(records)
}

/// All plans in the journal, whatever their steps: to be looked at, not carried out.
///
/// # Errors
/// When it cannot be read.
pub fn read_any(path: &Path) -> io::Result<Vec<Record>> {
    Ok(records(&lines::read(path)?))
}

/// The plan with this number.
///
/// # Errors
/// When there is none.
pub fn find(records: &[Record], number: u64) -> Result<&Record, String> {
    let found = records.iter().find(|record| record.plan == number);
    found.ok_or_else(|| format!("the journal has no plan {number}: swapadm journal lists them"))
}

/// The last plan of this start of the machine of which something stands that could be taken back;
/// none that takes another back itself, so that one undo after the other leads to the beginning.
pub fn last_standing<'r>(records: &'r [Record], boot: &str) -> Option<&'r Record> {
    let is_taken_back = |record: &Record| {
        let takes = |other: &Record| other.undoes == Some(record.plan);
        records.iter().any(|other| takes(other) && other.end() == Some(End::Done))
    };
    let stands = |record: &Record| {
        let standing = record.standing();
        let mut steps = standing.iter().filter_map(|number| record.steps.get(*number));
        steps.any(Step::leaves_a_mark)
    };
    records.iter().rev().find(|record| {
        let is_plain = record.undoes.is_none() && record.purpose != Purpose::Recovery;
        let is_plain = is_plain && record.end() != Some(End::Dismissed);
        record.boot == boot && is_plain && stands(record) && !is_taken_back(record)
    })
}

/// The journal, for as long as a plan is carried out.
#[derive(Debug)]
pub struct Journal {
    lines: Lines,
    plan: u64,
    boot: String,
    emptying: Duration,
}

impl Journal {
    /// Open it for the next plan.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn open(path: &Path, boot: &str) -> io::Result<Self> {
        let lines = lines::read(path)?;
        let last = last_begun(&lines);
        if lines.len() > MOST {
            lines::replace(path, &recent(lines, boot))?;
        }
        let plan = last.map_or(1, |last| last.saturating_add(1));
        let (lines, emptying) = (Lines::open(path)?, Duration::ZERO);
        Ok(Self { lines, plan, boot: boot.to_owned(), emptying })
    }

    /// The number of the plan.
    pub fn plan(&self) -> u64 {
        self.plan
    }

    /// Write down what happens.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn tell(&mut self, now: Stamp, event: Event) -> io::Result<()> {
        if let Event::Made { back: false, moved: 1.., seconds, .. } = event {
            self.emptying += Duration::try_from_secs_f64(seconds).unwrap_or_default();
        }
        self.tell_of(self.plan, now, event)
    }

    /// How long steps of the plan took that had something to move, those left out that took it back.
    pub fn emptying(&self) -> Duration {
        self.emptying
    }

    /// Wait until the disk has all of it: before something is changed that outlasts the boot.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn sync(&self) -> io::Result<()> {
        self.lines.sync()
    }

    /// The same of an earlier plan.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn tell_of(&mut self, plan: u64, now: Stamp, event: Event) -> io::Result<()> {
        let line = Line { plan, at_ms: now.wall_ms, boot: self.boot.clone(), event };
        self.lines.add(&serde_json::to_string(&line)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;
    use crate::model::activation::{Activation, Discard, Priority};

    fn begun(title: &str, steps: Vec<Step>) -> Event {
        Event::Begin {
            title: title.to_owned(),
            steps,
            undoes: None,
            areas: Vec::new(),
            purpose: Purpose::Change,
            lent: false,
        }
    }

    #[test]
    fn a_journal_of_earlier_says_nothing_of_areas_and_is_read() {
        let line = |areas: &str| {
            format!(
                r#"{{"plan":1,"at_ms":1,"boot":"x","event":"begin","title":"","steps":[],"undoes":null{areas}}}"#
            )
        };
        let of = |areas: &str| records(&[line(areas)]).remove(0).areas;
        assert_eq!(of(""), []);
        let stood = Stood { path: "/dev/a".into(), size: Bytes(8), priority: -2, kind: None };
        let said = format!(r#","areas":[{}]"#, serde_json::to_string(&stood).unwrap());
        assert_eq!(of(&said), [stood]);
    }

    #[test]
    fn purposes_are_written_and_those_of_0_1_0_follow_from_titles() {
        let line = |purpose: &str, title: &str| {
            format!(
                r#"{{"plan":1,"at_ms":1,"boot":"x","event":"begin","title":"{title}"{purpose},"steps":[],"undoes":null}}"#
            )
        };
        let of = |purpose: &str, title: &str| records(&[line(purpose, title)]).remove(0).purpose;
        assert_eq!(of("", RECOVERY), Purpose::Recovery);
        assert_eq!(of("", ORDERING), Purpose::Order);
        assert_eq!(of("", "off"), Purpose::Change);
        assert_eq!(of(r#","purpose":"recovery""#, "in other words"), Purpose::Recovery);
        let begin = Event::Begin {
            title: "in other words".to_owned(),
            purpose: Purpose::Order,
            steps: Vec::new(),
            undoes: None,
            areas: Vec::new(),
            lent: false,
        };
        assert!(serde_json::to_string(&begin).unwrap().contains(r#""purpose":"order""#));
    }

    #[test]
    fn the_journal_tells_what_became_of_each_plan() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let now = Stamp { boot_ns: 0, wall_ms: 7 };
        let area = Activation {
            path: "/dev/a".into(),
            priority: Priority::Default,
            discard: Discard::Once,
        };
        let begin = begun("off", vec![Step::Off { area }]);
        let mut first = Journal::open(&path, "boot").unwrap();
        first.tell(now, begin.clone()).unwrap();
        first.tell(now, Event::Try { step: 0, back: false }).unwrap();
        let mut second = Journal::open(&path, "boot").unwrap();
        assert_eq!((first.plan(), second.plan()), (1, 2));
        second.tell(now, begin).unwrap();
        second.tell(now, Event::End { end: End::Done, why: None }).unwrap();
        let records = read(&path).unwrap();
        let ends: Vec<_> = records.iter().map(|record| (record.plan, record.end())).collect();
        assert_eq!(ends, [(1, None), (2, Some(End::Done))]);
        assert_eq!(records[0].events, [Event::Try { step: 0, back: false }]);
    }

    #[test]
    fn one_undo_after_the_other_leads_to_the_beginning() {
        let area = Activation {
            path: "/dev/a".into(),
            priority: Priority::Default,
            discard: Discard::None,
        };
        let record = |plan, undoes, end| Record {
            plan,
            at_ms: 0,
            boot: "now".to_owned(),
            title: String::new(),
            steps: vec![Step::Off { area: area.clone() }],
            undoes,
            areas: Vec::new(),
            purpose: Purpose::Change,
            lent: false,
            events: vec![
                Event::Made { step: 0, back: false, moved: 0, seconds: 0.0 },
                Event::End { end, why: None },
            ],
        };
        let mut records = vec![record(1, None, End::Done), record(2, None, End::Done)];
        let last = |records: &[Record]| last_standing(records, "now").map(|record| record.plan);
        assert_eq!(last(&records), Some(2));
        records.push(record(3, Some(2), End::Undone));
        assert_eq!(last(&records), Some(2), "taking it back failed");
        records.push(record(4, Some(2), End::Done));
        assert_eq!(last(&records), Some(1));
        records.push(record(5, Some(1), End::Done));
        assert_eq!((last(&records), last_standing(&records, "another").is_none()), (None, true));
    }

    #[test]
    fn a_long_journal_keeps_the_last_plans_and_what_needs_more() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let now = Stamp { boot_ns: 0, wall_ms: 7 };
        let begin = || begun("", Vec::new());
        let end = || Event::End { end: End::Done, why: None };
        let mut journal = Journal::open(&path, "boot").unwrap();
        for plan in 1..=11_000 {
            journal.tell_of(plan, now, begin()).unwrap();
            if plan != 5 {
                journal.tell_of(plan, now, end()).unwrap();
            }
        }
        assert_eq!(Journal::open(&path, "boot").unwrap().plan(), 11_001);
        let kept: Vec<u64> = read(&path).unwrap().iter().map(|record| record.plan).collect();
        assert_eq!((kept.len(), kept[0], kept[1]), (KEPT + 1, 5, 10_001));
    }
}
