//! Random plans with random faults, kills and changes by others: whatever happens, recovery leads to the old or
//! the new state of everything that the plan changes, and undo to the old one.

use super::machine::content_of;
use super::*;
use crate::actions::plan::undo;
use crate::actions::testing::mortal::{
    Accident, BOOT, DISK_ERRORS, Fate, Interruption, Random, open_records, recover, run_mortal,
    sequences,
};
use crate::model::format::{Format, Patch, Uuid};
use crate::model::zram;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Somebody else changes one thing before the operation with this number, from 0, or two readings of
/// it fail then.
#[derive(Clone, Copy, Debug)]
struct Meddling {
    before: usize,
    seed: u64,
    is_unreadable: bool,
}

impl Meddling {
    /// Happens to the machine if its time has come.
    fn meet(self, operation: usize, machine: &FakeMachine) {
        if operation != self.before {
            return;
        }
        let random = &mut Random(self.seed);
        if self.is_unreadable {
            let files = [pick_subject(random), SWAPS.into()];
            machine.unreadable.replace(Some((random.pick(&files).clone(), 2)));
        } else {
            meddle(random, machine);
        }
    }
}

/// All that plans of these tests change.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MachineState {
    areas: BTreeMap<Name, i32>,
    settings: BTreeMap<Name, String>,
    texts: BTreeMap<Name, String>,
    /// Digests of the contents of devices and files.
    contents: BTreeMap<Name, u64>,
    disks: BTreeMap<u64, ZramSettings>,
}

impl MachineState {
    fn read(machine: &FakeMachine) -> Self {
        let (areas, contents) = (machine.areas.borrow(), machine.contents.borrow());
        Self {
            areas: areas.iter().map(|area| (area.path.clone(), area.priority)).collect(),
            settings: machine.settings.borrow().clone(),
            texts: machine.texts.borrow().clone(),
            contents: contents.iter().map(|(path, bytes)| (path.clone(), digest(bytes))).collect(),
            disks: machine.disks.borrow().clone(),
        }
    }

    fn after(mut self, steps: &[Step]) -> Self {
        for step in steps {
            if let Some(area) = step.disabled_area() {
                self.areas.remove(&area.path);
            }
            if let Some(area) = step.enabled_area() {
                let Priority::Set(priority) = area.priority else { panic!("{area:?}") };
                self.areas.insert(area.path.clone(), i32::from(priority));
            }
            if let Step::Set { file, to, .. } = step {
                self.settings.insert(file.clone(), to.clone());
            }
            match step {
                Step::Save { path, to, .. } => put(&mut self.texts, path, to.clone()),
                Step::Zram { number, to, .. } => put(&mut self.disks, number, to.clone()),
                Step::File { path, to, .. } => {
                    put(&mut self.contents, path, to.as_ref().map(|to| digest(&content_of(to))));
                }
                Step::Header { path, format, .. } => {
                    put(&mut self.contents, path, Some(digest(&format.page())));
                }
                Step::On { .. }
                | Step::Off { .. }
                | Step::Renew { .. }
                | Step::Set { .. }
                | Step::Order { .. } => {}
            }
        }
        self
    }

    /// Describes this subject: its priority, value, text, content or setup.
    fn describe_subject(&self, subject: &Name) -> String {
        let (area, setting) = (self.areas.get(subject), self.settings.get(subject));
        let disk = self.disks.iter().find(|(number, _)| zram::sysfs_folder(**number) == *subject);
        let (text, content) = (self.texts.get(subject), self.contents.get(subject));
        format!("{area:?} {setting:?} {text:?} {content:?} {disk:?}")
    }
}

fn put<K: Ord + Clone, V>(things: &mut BTreeMap<K, V>, name: &K, to: Option<V>) {
    match to {
        Some(to) => drop(things.insert(name.clone(), to)),
        None => drop(things.remove(name)),
    }
}

/// The form of all swap files of these tests.
fn file_form() -> SwapFileSpec {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let size = Bytes(1 << 16);
    SwapFileSpec { size, format: Format::new(size, 4096, uuid, None).unwrap(), nocow: false }
}

/// The length and the first page, in short, because the states of a failed sequence are printed.
fn digest(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (content.len(), content.iter().take(4096).collect::<Vec<_>>()).hash(&mut hasher);
    hasher.finish()
}

fn activation(path: &Name, priority: i32) -> Activation {
    let priority = Priority::Set(u16::try_from(priority).unwrap());
    Activation { path: path.clone(), priority, discard: Discard::None }
}

/// A machine whose areas all have explicit priorities: the kernel would renumber others.
fn machine(random: &mut Random) -> FakeMachine {
    let machine = FakeMachine::with(None);
    for area in machine.areas.borrow_mut().iter_mut() {
        area.priority = i32::try_from(random.below(9)).unwrap();
    }
    machine.texts.borrow_mut().insert("t".into(), "old".to_owned());
    machine.disks.borrow_mut().insert(0, disk(1 << 20, "lzo"));
    let contents = [("dev".into(), vec![7; 16]), ("gone".into(), content_of(&file_form()))];
    machine.contents.borrow_mut().extend(contents);
    machine
}

fn disk(size: u64, algorithm: &str) -> ZramSettings {
    let algorithm = Some(algorithm.to_owned());
    ZramSettings { size: Bytes(size), algorithm, ..ZramSettings::default() }
}

/// A step that is neither of an area nor of a setting or a text.
fn storage_step(random: &mut Random, subject: &Name, machine: &FakeMachine) -> Option<Step> {
    let form = file_form();
    let path = subject.clone();
    Some(match &*subject.safe() {
        "dev" => Step::Header {
            path,
            size: form.size,
            was: vec![Patch { at: 0, bytes: machine.contents.borrow()[subject].clone() }],
            format: form.format,
            back: false,
        },
        "gone" => {
            let size = Bytes(form.size.0 * 2);
            let format = Format { pages: form.format.pages * 2, ..form.format.clone() };
            let resized = SwapFileSpec { size, format, ..form.clone() };
            Step::File { path, from: Some(form), to: random.pick(&[None, Some(resized)]).clone() }
        }
        "made" => Step::File { path, from: None, to: Some(form) },
        name => {
            let number = name.strip_prefix("/sys/block/zram")?.parse().unwrap();
            let from = machine.disks.borrow().get(&number).cloned();
            let limited = from.clone().map(|from| ZramSettings { limit: Bytes(4096), ..from });
            let others = [Some(disk(2 << 20, "zstd")), limited, None];
            let to = match from {
                Some(_) => random.pick(&others).clone(),
                None => Some(disk(1 << 21, "lzo")),
            };
            Step::Zram { number, folder: path, from, to }
        }
    })
}

/// One to five steps on different subjects.
fn steps(random: &mut Random, machine: &FakeMachine) -> Vec<Step> {
    let state = MachineState::read(machine);
    let only_areas = random.below(2) == 0;
    let mut subjects = vec!["a", "b", "c", "d", "e"];
    if !only_areas {
        subjects.extend(["x", "y", "t", "u", "dev", "gone", "made"]);
        subjects.extend(["/sys/block/zram0", "/sys/block/zram1"]);
    }
    let mut steps = Vec::new();
    for _ in 0..=random.below(5) {
        let subject = Name::from(subjects.remove(random.below(subjects.len())));
        if let Some(step) = storage_step(random, &subject, machine) {
            steps.push(step);
            continue;
        }
        let to = i32::try_from(20 + random.below(5)).unwrap();
        steps.push(match (state.areas.get(&subject), state.settings.get(&subject)) {
            (Some(priority), _) if random.below(4) == 0 => {
                Step::Off { area: activation(&subject, *priority) }
            }
            (Some(priority), _) => {
                Step::Renew { from: activation(&subject, *priority), to: activation(&subject, to) }
            }
            (None, Some(from)) => {
                // The kernel refuses "no", and rounds 5.
                let to = (*random.pick(&["2", "3", "no", "5"])).to_owned();
                Step::Set { what: subject.safe(), file: subject, from: from.clone(), to }
            }
            (None, None) if subject == Name::from("e") => {
                Step::On { area: activation(&subject, to) }
            }
            (None, None) => {
                let from = state.texts.get(&subject).cloned();
                let to = (from.is_none() || random.below(2) == 0).then(|| "new".to_owned());
                Step::Save { path: subject, from, to }
            }
        });
    }
    steps
}

fn is_rounded(step: &Step) -> bool {
    matches!(step, Step::Set { to, .. } if to == "5")
}

/// The thing that somebody else changes.
fn pick_subject(random: &mut Random) -> Name {
    Name::from(*random.pick(&["a", "b", "c", "d", "x", "y", "t"]))
}

/// Somebody else changes one thing.
fn meddle(random: &mut Random, machine: &FakeMachine) -> Name {
    let subject = pick_subject(random);
    let mut settings = machine.settings.borrow_mut();
    if let Some(setting) = settings.get_mut(&subject) {
        "9".clone_into(setting);
    } else if subject == Name::from("t") {
        machine.texts.borrow_mut().insert(subject.clone(), "theirs".to_owned());
    } else if random.below(3) == 0 {
        machine.remove(&subject);
    } else if let Some(area) =
        machine.areas.borrow_mut().iter_mut().find(|area| area.path == subject)
    {
        area.priority = 99;
    }
    subject
}

/// The faults, kills and changes by others that meet one plan.
#[derive(Debug)]
struct Sequence {
    steps: Vec<Step>,
    fault: Option<(usize, Fault)>,
    fate: Fate,
    meddling: Option<Meddling>,
    /// The thing that somebody else changed after the plan.
    meddled: Option<Name>,
}

impl Sequence {
    /// Whether a step can fail, so that an undo can fail too.
    fn can_fail(&self) -> bool {
        self.fault.is_some() || self.meddling.is_some() || self.fate.can_fail()
    }
}

fn sequence(seed: u64) {
    let random = &mut Random(seed);
    let mut machine = machine(random);
    let old = MachineState::read(&machine);
    let steps = steps(random, &machine);
    let fault = (random.below(2) == 0).then(|| (random.below(6), *random.pick(&FAULTS)));
    let interruption = (random.below(3) > 0).then(|| Interruption::draw(random, 7));
    let meddling = (random.below(3) == 0).then(|| Meddling {
        before: random.below(7),
        seed,
        // A reported value that cannot be read counts as set, even if the kernel rounded it.
        is_unreadable: random.below(2) == 0 && !steps.iter().any(is_rounded),
    });
    let fate = Fate {
        interruption,
        journal_room: (random.below(6) == 0).then(|| random.below(12)),
        patience: if random.below(3) == 0 { 1 + random.below(6) } else { 0 },
    };
    let mut sequence = Sequence { steps, fault, fate, meddling, meddled: None };
    machine.fault = sequence.fault;
    let relies_on = machine.current_areas();
    let plan = Plan {
        steps: sequence.steps.clone(),
        relies_on,
        ..Plan::without_steps("a sequence".to_owned())
    };
    let store = JournalStore::in_memory();
    let outcome = run_mortal(&machine, (&store, &plan, None), &fate, &|operation| {
        if let Some(meddling) = meddling {
            meddling.meet(operation, &machine);
        }
    });
    // Whatever made the step fail is over.
    machine.fault = None;
    machine.unreadable.take();
    sequence.meddled = (random.below(5) == 0).then(|| meddle(random, &machine));
    recover(&machine, &store, random);
    let now = MachineState::read(&machine);
    let new = old.clone().after(&sequence.steps);
    let what =
        format!("seed {seed}: {sequence:?}\n{outcome:?}\nold {old:?}\nnew {new:?}\nnow {now:?}");
    assert_eq!(open_records(&store), [], "{what}");
    let theirs = sequence.meddling.filter(|it| !it.is_unreadable);
    let others_changed = |subject: &Name| {
        sequence.meddled.as_ref() == Some(subject)
            || theirs.is_some_and(|it| pick_subject(&mut Random(it.seed)) == *subject)
            || matches!(sequence.fault, Some((_, Fault::Meddled)))
                && now.areas.get(subject) == Some(&99)
    };
    let subjects = old.areas.keys().chain(old.settings.keys());
    let subjects = subjects.chain(old.texts.keys()).chain(sequence.steps.iter().map(Step::subject));
    for subject in subjects.filter(|subject| !others_changed(subject)) {
        let is = now.describe_subject(subject);
        let may_be = [old.describe_subject(subject), new.describe_subject(subject)];
        assert!(may_be.contains(&is), "{}: {is}\n{what}", subject.safe());
    }
    let is_untouched = sequence.meddled.is_none()
        && theirs.is_none()
        && !matches!(sequence.fault, Some((_, Fault::Meddled)));
    if is_untouched {
        // Of a plan that changes only areas, recovery leaves the steps that are made, and enables all areas; an
        // undo that failed may have left any of them.
        let are_of_areas = sequence.steps.iter().all(Step::is_of_areas);
        let is_prefix = |made: usize| {
            let steps = sequence.steps[..made].iter().filter(|step| step.enabled_area().is_some());
            now == old.clone().after(&steps.cloned().collect::<Vec<_>>())
        };
        let is_known = now == old
            || now == new
            || (are_of_areas && (sequence.can_fail() || (1..=sequence.steps.len()).any(is_prefix)));
        assert!(is_known, "neither the old state nor the new one\n{what}");
    }
    if is_untouched {
        undo_leads_back(&machine, &store, &old, &what);
    }
}

/// Whatever is in effect of the plan can be undone.
fn undo_leads_back(machine: &FakeMachine, store: &JournalStore, old: &MachineState, what: &str) {
    let records = journal::read_unchecked(store).unwrap();
    if let Some(record) = journal::undoable(&records, BOOT).next() {
        let plan = undo(record, machine, BOOT).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
        let outcome =
            run_mortal(machine, (store, &plan, Some(record.plan)), &Fate::default(), &|_| {});
        assert_eq!(outcome.map(|outcome| outcome.end), Some(PlanEnd::Done), "undo\n{what}");
    }
    assert_eq!(MachineState::read(machine), *old, "after undo\n{what}");
}

#[test]
fn recovery_after_anything_leads_to_the_old_or_the_new_state() {
    let sequences = sequences(2_500);
    (0..sequences).for_each(sequence);
    println!("measured: {sequences} sequences, no failure");
}

/// A plan that writes in every way: an area, a setting, configuration files that exist or not, a header, and
/// swap files.
fn plan_of_every_write(machine: &FakeMachine) -> Plan {
    let form = file_form();
    // Few bytes, because each of the journal is one case of a test.
    let was = vec![Patch { at: 0, bytes: machine.contents.borrow()[&"dev".into()].clone() }];
    let steps = vec![
        Step::Set { what: "x".into(), file: "x".into(), from: "1".into(), to: "2".into() },
        Step::Save { path: "t".into(), from: Some("old".into()), to: Some("new".into()) },
        Step::Save { path: "u".into(), from: None, to: Some("new".into()) },
        Step::Header {
            path: "dev".into(),
            size: form.size,
            format: form.format.clone(),
            was,
            back: false,
        },
        Step::File { path: "made".into(), from: None, to: Some(form.clone()) },
        Step::File { path: "gone".into(), from: Some(form), to: None },
        Step::On { area: activation(&"e".into(), 5) },
        Step::Renew { from: activation(&"a".into(), 3), to: activation(&"a".into(), 4) },
    ];
    let relies_on = machine.current_areas();
    Plan { steps, relies_on, ..Plan::without_steps("every write".to_owned()) }
}

/// The end of the plan of every write, and that of its repair.
#[derive(Debug)]
struct Course {
    outcome: Option<ChangeOutcome>,
    /// The length of the journal before the repair.
    journal_bytes: usize,
    /// The states before and after the plan, and after its repair.
    states: [MachineState; 3],
    steps: Vec<Step>,
}

/// Carries out the plan of every write with an accident, and repairs it with what is kept of the journal.
fn with_accident(interruption: Option<Interruption>, kept_bytes: usize) -> Course {
    let random = &mut Random(1);
    let machine = machine(random);
    machine.areas.borrow_mut().iter_mut().for_each(|area| area.priority = 3);
    let plan = plan_of_every_write(&machine);
    let old = MachineState::read(&machine);
    let store = JournalStore::in_memory();
    let fate = Fate { interruption, ..Fate::default() };
    let outcome = run_mortal(&machine, (&store, &plan, None), &fate, &|_| {});
    let left = MachineState::read(&machine);
    let journal_bytes = cut(&store, kept_bytes);
    recover(&machine, &store, random);
    assert_eq!(open_records(&store), [], "{interruption:?} {kept_bytes}");
    let states = [old, left, MachineState::read(&machine)];
    Course { outcome, journal_bytes, states, steps: plan.steps }
}

/// Cuts off a journal after this many bytes, and returns its length before.
fn cut(store: &JournalStore, bytes: usize) -> usize {
    let JournalStore::Memory(lines) = store else { panic!("{store:?}") };
    let mut lines = lines.lock().unwrap();
    let mut length = 0;
    for line in lines.iter_mut() {
        let room = bytes.saturating_sub(length);
        // A line ends with a newline.
        length += line.len() + 1;
        line.truncate(room);
    }
    lines.retain(|line| !line.is_empty());
    length
}

#[test]
fn a_journal_that_ends_at_any_byte_leads_to_the_old_state_or_the_new_one() {
    let whole = with_accident(None, usize::MAX);
    let [old, new, _] = &whole.states;
    assert_ne!(old, new);
    let (mut written, mut cases) = (0, 0);
    for (at, is_after_effect) in (0..=whole.steps.len()).flat_map(|at| [(at, false), (at, true)]) {
        let kill = Some(Interruption { at, accident: Accident::Kill, is_after_effect });
        let length = with_accident(kill, usize::MAX).journal_bytes;
        for kept in written..=length {
            let [_, left, repaired] = with_accident(kill, kept).states;
            cases += 1;
            let is_known = [old, new].contains(&&repaired);
            assert!(is_known, "{kill:?}, {kept} of {length} bytes: {left:?}\n{repaired:?}");
        }
        written = length;
    }
    assert_eq!(written, whole.journal_bytes);
    println!("measured: {cases} journals of up to {written} bytes, no failure");
}

#[test]
fn an_error_at_any_write_leaves_the_old_state_or_the_new_one() {
    let Course { outcome, states: [old, new, _], steps, .. } = with_accident(None, usize::MAX);
    assert_eq!(outcome.map(|outcome| outcome.end), Some(PlanEnd::Done));
    for error in DISK_ERRORS {
        for is_after_effect in [false, true] {
            for (at, step) in steps.iter().enumerate() {
                let accident = Accident::Error(error);
                let interruption = Interruption { at, accident, is_after_effect };
                let course = with_accident(Some(interruption), usize::MAX);
                let [_, left, repaired] = course.states;
                let outcome = course.outcome.expect("nobody killed it");
                let what = format!("{interruption:?}: {outcome:?}");
                match outcome.end {
                    PlanEnd::Done => assert_eq!(left, new, "{what}"),
                    PlanEnd::Undone => assert_eq!(left, old, "{what}"),
                    PlanEnd::Partial
                    | PlanEnd::Recovered
                    | PlanEnd::Restored
                    | PlanEnd::Dismissed => {
                        assert!(repaired == old || repaired == new, "{what}: {repaired:?}");
                    }
                }
                let why = outcome.why.expect(&what);
                assert!(why.contains(&step.subject().safe()), "which file: {what}");
                assert!(why.contains([':', '(']), "why, and what next: {what}");
            }
        }
    }
}
