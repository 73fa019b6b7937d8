//! The journal of changes: read by people, by undo, and by recover after a crash.
//!
//! Steps that change only the running kernel are not synced to disk: a crash of the machine loses
//! its swap settings anyway, and a crash of this program leaves what the kernel was given. Changes
//! on disk survive a crash, so their journal lines must as well.

mod record;

pub use record::{
    Event, JournalLine, ORDERING, PlanEnd, PlanPurpose, RECOVERY, Record, RecordedArea,
    StepDirection, UPKEEP,
};

use super::step;
use crate::model::Stamp;
use crate::model::name::{explain_os_error, safe_text};
use crate::model::swaparea::FailedReads;
use crate::sys::lines::{self, LineFile};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A journal with more lines than this is cut down to its last [`PLANS_TO_KEEP`] plans, or, if they are
/// longer, to those in half of these lines.
const MAX_LINES: usize = 20_000;
const PLANS_TO_KEEP: usize = 1000;

/// Parses the plans in these lines, oldest first. Incomplete lines are skipped.
fn parse_records(lines: &[String]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for line in lines.iter().filter_map(|line| serde_json::from_str::<JournalLine>(line).ok()) {
        if let Event::Begin { title, purpose, steps, undoes, areas, is_temporary, is_independent } =
            line.event
        {
            let purpose =
                if purpose.is_change() { PlanPurpose::from_title(&title) } else { purpose };
            records.push(Record {
                plan: line.plan,
                at_ms: line.at_ms,
                boot: line.boot,
                title,
                purpose,
                steps,
                undoes,
                areas,
                is_temporary,
                is_independent,
                events: Vec::new(),
            });
        } else if let Some(record) = records.iter_mut().rfind(|record| record.plan == line.plan) {
            record.events.push(line.event);
        }
    }
    records
}

/// The number of the last plan. Lines about earlier plans may follow its own, and the line that begins it may be
/// damaged; reading from the end, up to one that begins a plan, parses few lines.
fn last_plan_number(lines: &[String]) -> Option<u64> {
    let mut last = None;
    for line in lines.iter().rev().filter_map(|line| serde_json::from_str::<JournalLine>(line).ok())
    {
        last = last.max(Some(line.plan));
        if matches!(line.event, Event::Begin { .. }) {
            break;
        }
    }
    last
}

/// Says which lines of the journal cannot be read, if any.
pub fn describe_unreadable_lines(store: &JournalStore) -> Option<String> {
    let lines = store.lines().ok()?;
    let is_damaged = |(_, line): &(usize, &String)| {
        !line.is_empty() && serde_json::from_str::<JournalLine>(line).is_err()
    };
    let mut damaged = (1..).zip(&lines).filter(is_damaged);
    let (first, _) = damaged.next()?;
    let (path, more) = (safe_text(&store.path().to_string_lossy()), damaged.count());
    let which = match more {
        0 => format!("line {first} of the journal {path}"),
        more => format!("{} lines of the journal {path}, from line {first} on,", more + 1),
    };
    Some(format!(
        "{which} cannot be read: what was recorded there is neither listed nor undone nor repaired"
    ))
}

/// The lines of the last plans and of all plans that still need recovery.
fn recent_lines(lines: Vec<String>, boot: &str) -> Vec<String> {
    let records = parse_records(&lines);
    let mut room = MAX_LINES / 2;
    let fits = |record: &&Record| {
        let left = room.checked_sub(record.events.len() + 1);
        room = left.unwrap_or(0);
        left.is_some()
    };
    let newest = records.last();
    let kept = records.iter().rev().take(PLANS_TO_KEEP).take_while(fits).last();
    let first = kept.or(newest).map_or(0, |record| record.plan);
    let open: Vec<u64> =
        records.iter().filter(|record| record.is_open(boot)).map(|record| record.plan).collect();
    let stays = |line: &String| {
        let line = serde_json::from_str::<JournalLine>(line);
        line.is_ok_and(|line| line.plan >= first || open.contains(&line.plan))
    };
    lines.into_iter().filter(stays).collect()
}

/// Where a journal is kept.
#[derive(Clone, Debug)]
pub enum JournalStore {
    /// In a file.
    File(PathBuf),
    /// In memory, for a session on a simulated machine.
    Memory(Arc<Mutex<Vec<String>>>),
}

impl From<&Path> for JournalStore {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl JournalStore {
    /// An empty journal in memory.
    pub fn in_memory() -> Self {
        Self::Memory(Arc::default())
    }

    /// The path, or words in its place, for messages.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Memory(_) => Path::new("journal of this session"),
        }
    }

    fn lines(&self) -> io::Result<Vec<String>> {
        match self {
            Self::File(path) => lines::read(path),
            Self::Memory(lines) => Ok(lines.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }
}

/// Reads all plans of the journal, oldest first. Fails on a step that no plan of this program
/// makes.
pub fn read(store: &JournalStore) -> io::Result<Vec<Record>> {
    let records = read_unchecked(store)?;
    for record in &records {
        if let Some(step) = record.steps.iter().find(|step| !step::is_in_scope(step)) {
            let (plan, words) = (record.plan, step.describe());
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "plan {plan} has a step that swapadm never makes ({words}), so this journal cannot be trusted: move the file away, and swapadm starts a new one"
                ),
            ));
        }
    }
    Ok(records)
}

/// Reads all plans of the journal without checking their steps: for display only, never to be
/// executed.
pub fn read_unchecked(store: &JournalStore) -> io::Result<Vec<Record>> {
    Ok(parse_records(&store.lines()?))
}

/// Finds the plan with this number.
pub fn find(records: &[Record], number: u64) -> Result<&Record, String> {
    let found = records.iter().find(|record| record.plan == number);
    found.ok_or_else(|| format!("the journal has no plan {number}; to list plans: swapadm journal"))
}

/// The plans with steps still in effect by the journal, last first; of an earlier boot, those with steps that outlast it.
/// Plans that undo another one are skipped, so that repeated undo walks back to the first plan.
pub fn undoable<'r>(records: &'r [Record], boot: &str) -> impl Iterator<Item = &'r Record> {
    let is_taken_back = |record: &Record| {
        let takes = |other: &Record| other.undoes == Some(record.plan);
        records.iter().any(|other| takes(other) && other.end() == Some(PlanEnd::Done))
    };
    let stands = move |record: &Record| {
        let is_of_this_boot = record.boot == boot;
        let standing = record.steps_in_effect();
        let mut steps = standing.iter().filter_map(|number| record.steps.get(*number));
        steps.any(|step| step.inverse().is_some() && (is_of_this_boot || step.outlasts_boot()))
    };
    records.iter().rev().filter(move |record| {
        let is_plain = record.undoes.is_none() && record.purpose != PlanPurpose::Recovery;
        let is_plain = is_plain && record.end() != Some(PlanEnd::Dismissed);
        is_plain && stands(record) && !is_taken_back(record)
    })
}

/// The value of a kernel setting before the first plan of this boot that changed it; `None` if none did.
pub fn value_at_boot(records: &[Record], boot: &str, file: &str) -> Option<String> {
    let of_boot = records.iter().filter(|record| record.boot == boot);
    let mut tried = of_boot.flat_map(|record| {
        let steps = (0..).zip(&record.steps);
        steps.filter_map(|(number, step)| record.last_direction(number).and(Some(step)))
    });
    tried.find_map(|step| {
        let step::Step::Set { file: own, from, .. } = step else { return None };
        (own.as_bytes() == file.as_bytes()).then(|| from.clone())
    })
}

/// The journal, open for writing while a plan is executed.
#[derive(Debug)]
pub struct Journal {
    store: JournalStore,
    /// The file of the store, if it is one.
    file: Option<LineFile>,
    /// Lines that could not be written, which the next one follows: without them, undo would leave out steps.
    unwritten: Vec<String>,
    plan: u64,
    boot: String,
    /// Total time of the steps that moved data, without those that undo others.
    pub(crate) emptying: Duration,
    /// The failed reads of this plan.
    pub(crate) failed_reads: Vec<FailedReads>,
    /// How many events there is room for, in tests.
    #[cfg(test)]
    pub(crate) room: usize,
}

impl Journal {
    /// Opens the journal for the next plan.
    pub fn open(store: &JournalStore, boot: &str) -> io::Result<Self> {
        let lines = store.lines()?;
        let last = last_plan_number(&lines);
        let plan = last.map_or(1, |last| last.saturating_add(1));
        let mut file = None;
        if let JournalStore::File(path) = store {
            if lines.len() > MAX_LINES {
                lines::replace(path, &recent_lines(lines, boot))?;
            }
            file = Some(LineFile::open(path)?);
        }
        Ok(Self {
            store: store.clone(),
            file,
            unwritten: Vec::new(),
            plan,
            boot: boot.to_owned(),
            emptying: Duration::ZERO,
            failed_reads: Vec::new(),
            #[cfg(test)]
            room: usize::MAX,
        })
    }

    /// The number of the plan.
    pub fn plan(&self) -> u64 {
        self.plan
    }

    /// The sentence for an event that could not be written.
    pub fn explain(&self, error: &io::Error) -> String {
        let path = safe_text(&self.store.path().to_string_lossy());
        format!("cannot write the journal {path}: {}", explain_os_error(&error.to_string()))
    }

    /// Appends an event of this plan.
    pub fn append(&mut self, now: Stamp, event: Event) -> io::Result<()> {
        if let Event::Made { back: false, moved: 1.., seconds, .. } = event {
            self.emptying += Duration::try_from_secs_f64(seconds).unwrap_or_default();
        }
        if let Event::FailedReads(failed) = &event {
            self.failed_reads.push(failed.clone());
        }
        self.append_for(self.plan, now, event)
    }

    /// Waits until the journal is on disk: before a change that outlasts the boot.
    pub fn sync(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), LineFile::sync)
    }

    /// Appends an event of an earlier plan.
    pub fn append_for(&mut self, plan: u64, now: Stamp, event: Event) -> io::Result<()> {
        // What cannot be recorded first is not made; a line that says so later would be untrue.
        let is_announced = matches!(event, Event::Begin { .. } | Event::Try { back: false, .. });
        let line = JournalLine { plan, at_ms: now.wall_ms, boot: self.boot.clone(), event };
        let line = serde_json::to_string(&line)?;
        #[cfg(test)]
        {
            let full = io::Error::from(io::ErrorKind::StorageFull);
            self.room = self.room.checked_sub(1).ok_or(full)?;
        }
        if let Some(file) = &mut self.file {
            self.unwritten.push(line);
            while let Some(line) = self.unwritten.first() {
                if let Err(error) = file.append(line) {
                    if is_announced {
                        self.unwritten.pop();
                    }
                    return Err(error);
                }
                self.unwritten.remove(0);
            }
        } else if let JournalStore::Memory(lines) = &self.store {
            lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::Step;
    use crate::model::Bytes;
    use crate::model::activation::{Activation, Discard, Priority};

    fn begin_event(title: &str, steps: Vec<Step>) -> Event {
        Event::Begin {
            title: title.to_owned(),
            steps,
            undoes: None,
            areas: Vec::new(),
            purpose: PlanPurpose::Change,
            is_temporary: false,
            is_independent: false,
        }
    }

    #[test]
    fn damaged_lines_are_named_and_their_numbers_not_used_again() {
        let line = |plan, event| {
            let line = JournalLine { plan, at_ms: 1, boot: "x".to_owned(), event };
            serde_json::to_string(&line).unwrap()
        };
        let begin = || line(1, begin_event("", Vec::new()));
        let damaged = begin().replace("\"plan\":1", "\"plan\":\0");
        let tried = line(2, Event::Try { step: 0, back: false });
        let lines = vec![begin(), damaged, tried, "garbage".to_owned()];
        assert_eq!(last_plan_number(&lines), Some(2));
        let store = |lines| JournalStore::Memory(Arc::new(Mutex::new(lines)));
        assert_eq!(describe_unreadable_lines(&store(vec![begin(), String::new()])), None);
        let said = describe_unreadable_lines(&store(lines)).unwrap();
        assert!(said.starts_with("2 lines") && said.contains("from line 2 on"), "{said}");
    }

    #[test]
    fn old_journal_without_areas_is_readable() {
        let line = |areas: &str| {
            format!(
                r#"{{"plan":1,"at_ms":1,"boot":"x","event":"begin","title":"","steps":[],"undoes":null{areas}}}"#
            )
        };
        let of = |areas: &str| parse_records(&[line(areas)]).remove(0).areas;
        assert_eq!(of(""), []);
        let stood =
            RecordedArea { path: "/dev/a".into(), size: Bytes(8), priority: -2, kind: None };
        let said = format!(r#","areas":[{}]"#, serde_json::to_string(&stood).unwrap());
        assert_eq!(of(&said), [stood]);
    }

    #[test]
    fn purposes_are_stored_and_derived_from_titles_of_0_1_0() {
        let line = |purpose: &str, title: &str| {
            format!(
                r#"{{"plan":1,"at_ms":1,"boot":"x","event":"begin","title":"{title}"{purpose},"steps":[],"undoes":null}}"#
            )
        };
        let of =
            |purpose: &str, title: &str| parse_records(&[line(purpose, title)]).remove(0).purpose;
        assert_eq!(of("", RECOVERY), PlanPurpose::Recovery);
        assert_eq!(of("", ORDERING), PlanPurpose::Order);
        assert_eq!(of("", UPKEEP), PlanPurpose::Upkeep);
        assert_eq!(of("", "off"), PlanPurpose::Change);
        assert_eq!(of(r#","purpose":"recovery""#, "in other words"), PlanPurpose::Recovery);
        for name in ["lent", "temporary"] {
            let record = parse_records(&[line(&format!(r#","{name}":true"#), "run")]).remove(0);
            assert!(record.is_temporary, "{name}");
        }
        let begin = Event::Begin {
            title: "in other words".to_owned(),
            purpose: PlanPurpose::Order,
            steps: Vec::new(),
            undoes: None,
            areas: Vec::new(),
            is_temporary: false,
            is_independent: false,
        };
        assert!(serde_json::to_string(&begin).unwrap().contains(r#""purpose":"order""#));
    }

    #[test]
    fn journal_records_how_each_plan_ended() {
        let dir = tempfile::tempdir().unwrap();
        let path = JournalStore::File(dir.path().join("journal"));
        let now = Stamp { boot_ns: 0, wall_ms: 7 };
        let area = Activation {
            path: "/dev/a".into(),
            priority: Priority::Default,
            discard: Discard::Once,
        };
        let begin = begin_event("off", vec![Step::Off { area }]);
        let mut first = Journal::open(&path, "boot").unwrap();
        first.append(now, begin.clone()).unwrap();
        first.append(now, Event::Try { step: 0, back: false }).unwrap();
        let mut second = Journal::open(&path, "boot").unwrap();
        assert_eq!((first.plan(), second.plan()), (1, 2));
        second.append(now, begin).unwrap();
        second.append(now, Event::End { end: PlanEnd::Done, why: None }).unwrap();
        let records = read(&path).unwrap();
        let ends: Vec<_> = records.iter().map(|record| (record.plan, record.end())).collect();
        assert_eq!(ends, [(1, None), (2, Some(PlanEnd::Done))]);
        assert_eq!(records[0].events, [Event::Try { step: 0, back: false }]);
    }

    #[test]
    fn a_line_that_could_not_be_written_comes_before_the_next_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let store = JournalStore::File(path.clone());
        let now = Stamp { boot_ns: 0, wall_ms: 7 };
        let mut journal = Journal::open(&store, "boot").unwrap();
        journal.append(now, begin_event("set", Vec::new())).unwrap();
        let made = Event::Made { step: 0, back: false, moved: 0, seconds: 0.0 };
        let file = journal.file.replace(LineFile::read_only(&path).unwrap());
        journal.append(now, made.clone()).unwrap_err();
        let tried = Event::Try { step: 1, back: false };
        journal.append(now, tried).expect_err("its step is not made then");
        journal.file = file;
        let end = Event::End { end: PlanEnd::Done, why: None };
        journal.append(now, end.clone()).unwrap();
        assert_eq!(read(&store).unwrap()[0].events, [made, end]);
    }

    #[test]
    fn repeated_undo_walks_back_to_the_first_plan() {
        let area = Activation {
            path: "/dev/a".into(),
            priority: Priority::Default,
            discard: Discard::None,
        };
        let record = |plan, undoes, end| Record {
            plan,
            at_ms: 0,
            boot: "now".to_owned(),
            steps: vec![Step::Off { area: area.clone() }],
            undoes,
            events: vec![
                Event::Made { step: 0, back: false, moved: 0, seconds: 0.0 },
                Event::End { end, why: None },
            ],
            ..Record::default()
        };
        let mut records = vec![record(1, None, PlanEnd::Done), record(2, None, PlanEnd::Done)];
        let last = |records: &[Record]| undoable(records, "now").next().map(|record| record.plan);
        assert_eq!(last(&records), Some(2));
        records.push(record(3, Some(2), PlanEnd::Undone));
        assert_eq!(last(&records), Some(2), "the undo failed");
        records.push(record(4, Some(2), PlanEnd::Done));
        assert_eq!(last(&records), Some(1));
        records.push(record(5, Some(1), PlanEnd::Done));
        assert_eq!((last(&records), undoable(&records, "another").count()), (None, 0));
    }

    #[test]
    fn a_setting_had_the_value_that_the_first_plan_of_the_boot_found() {
        let set = |from: &str, to: &str| {
            let [what, from, to] = ["x", from, to].map(str::to_owned);
            Step::Set { what, file: "/x".into(), from, to }
        };
        let record = |boot: &str, events, step| Record {
            boot: boot.to_owned(),
            steps: vec![step],
            events,
            ..Record::default()
        };
        let tried = || vec![Event::Try { step: 0, back: false }];
        let records = [
            record("before", tried(), set("1", "2")),
            record("now", Vec::new(), set("3", "4")),
            record("now", tried(), set("5", "6")),
            record("now", tried(), set("6", "7")),
        ];
        assert_eq!(value_at_boot(&records, "now", "/x"), Some("5".to_owned()));
        assert_eq!(value_at_boot(&records, "now", "/y"), None);
    }

    #[test]
    fn long_journal_keeps_recent_and_open_plans() {
        let dir = tempfile::tempdir().unwrap();
        let path = JournalStore::File(dir.path().join("journal"));
        let now = Stamp { boot_ns: 0, wall_ms: 7 };
        let begin = || begin_event("", Vec::new());
        let end = || Event::End { end: PlanEnd::Done, why: None };
        let mut journal = Journal::open(&path, "boot").unwrap();
        for plan in 1..=11_000 {
            journal.append_for(plan, now, begin()).unwrap();
            if plan != 5 {
                journal.append_for(plan, now, end()).unwrap();
            }
        }
        assert_eq!(Journal::open(&path, "boot").unwrap().plan(), 11_001);
        let kept: Vec<u64> = read(&path).unwrap().iter().map(|record| record.plan).collect();
        assert_eq!((kept.len(), kept[0], kept[1]), (PLANS_TO_KEEP + 1, 5, 10_001));
    }

    #[test]
    fn long_plans_leave_room_for_others() {
        let store = JournalStore::in_memory();
        let mut journal = Journal::open(&store, "boot").unwrap();
        let now = Stamp { boot_ns: 0, wall_ms: 7 };
        for plan in 1..=1000 {
            journal.append_for(plan, now, begin_event("", Vec::new())).unwrap();
            for step in 0..20 {
                journal.append_for(plan, now, Event::Try { step, back: false }).unwrap();
            }
            journal.append_for(plan, now, Event::End { end: PlanEnd::Done, why: None }).unwrap();
        }
        let kept = parse_records(&recent_lines(store.lines().unwrap(), "boot"));
        assert_eq!((kept.len(), kept[0].plan), (MAX_LINES / 2 / 22, 547));
    }
}
