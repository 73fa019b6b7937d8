//! A lesson that is played: each step asks, runs the machine, and shows which answer is right, or is repaired by hand.

mod rehearse;
mod repair;

#[cfg(test)]
pub(super) use rehearse::rehearse_with;
pub use rehearse::{RunCommand, rehearse};

use super::figure::{Condition, QuotingText, StepRecord};
use super::file::{Lesson, LessonAnswer, LessonStep};
use super::machine::is_called;
use crate::advice::Finding;
use crate::change::SimulatedTarget;
use crate::model::Snapshot;
use crate::model::clusters::List;
use crate::sim::areas::SwapSpace;
use crate::sim::machine::Machine;
use std::sync::Arc;

/// The most rounds until a share of swap is used.
const MAX_ROUNDS: u32 = 2_000_000;
/// The most seconds until an event.
const MAX_SECONDS: u32 = 60;

/// The progress of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepPhase {
    /// The step waits for an answer, or for the person to go on.
    Before,
    /// The step has run.
    Shown {
        /// The answer that was given; none if it was only revealed.
        given: Option<usize>,
        /// The right answer, if there was a question.
        right: Option<usize>,
    },
    /// All steps are done.
    Finished,
}

/// The kind of a line of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Text.
    Text,
    /// A question.
    Question,
    /// An answer to choose.
    Answer,
    /// A hint.
    Hint,
    /// A finding of advise that is left to repair.
    Finding,
    /// The prediction was right.
    Right,
    /// The prediction was wrong.
    Wrong,
    /// A figure, with its name.
    Figure,
    /// The event at which the machine stopped.
    Event,
    /// A command.
    Command,
}

/// A line of a lesson, which may be long.
pub type LessonLine = (LineKind, String);

/// Samples of a step that has run.
#[derive(Debug)]
pub struct StepSamples {
    /// The samples, oldest first.
    pub samples: Vec<Snapshot>,
    /// Whether the machine started again.
    pub restarted: bool,
}

/// A lesson that is played.
#[derive(Debug)]
pub struct Player {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// The progress of the current step.
    pub phase: StepPhase,
    seed: Option<u64>,
    /// The machine, which changes by hand share.
    target: SimulatedTarget,
    /// The machine at the start of each step so far.
    starts: Vec<Machine>,
    /// The start, and the end of each step that has run; a repair has a record of the broken machine and of now.
    records: Vec<StepRecord>,
    /// The index of the current step.
    place: usize,
    /// The number of hints shown.
    hints: usize,
    /// Whether the prediction of each step was right.
    marks: Vec<Option<bool>>,
    /// How the machine ran on after the step.
    run_on: Option<RunOn>,
    /// The findings that are left, in a step that is repaired by hand.
    left: Vec<Finding>,
}

/// A machine that ran on after a step, to be looked at: the next step begins where the step ended, or other answers
/// could be right.
#[derive(Clone, Debug)]
struct RunOn {
    /// The machine at the end of the step.
    end: Machine,
    /// The event at which the machine stopped.
    event: Option<String>,
}

impl Player {
    /// A lesson at its first step.
    ///
    /// # Errors
    /// The machine does not fit into the simulator.
    pub fn new(lesson: Arc<Lesson>, seed: Option<u64>) -> Result<Self, String> {
        let lesson = match seed {
            Some(seed) => Arc::new(lesson.with_sizes(seed)?),
            None => lesson,
        };
        let machine = lesson.machine.start(&[], seed)?;
        let records = vec![StepRecord::new(&machine, None, machine.snapshot())];
        let mut player = Self {
            marks: vec![None; lesson.steps.len()],
            lesson,
            phase: StepPhase::Before,
            seed,
            target: SimulatedTarget::resumed(machine),
            starts: Vec::new(),
            records,
            place: 0,
            hints: 0,
            run_on: None,
            left: Vec::new(),
        };
        player.begin_step(0)?;
        Ok(player)
    }

    /// Begins a step with its machine, so that the screens show it while the step asks. A machine to repair runs
    /// first. Returns the samples that are new on the screens.
    fn begin_step(&mut self, place: usize) -> Result<Option<StepSamples>, String> {
        let lesson = Arc::clone(&self.lesson);
        let step = lesson.steps.get(place);
        let end = self.run_on.take().map(|run_on| run_on.end);
        let set = step.and_then(|step| step.set.as_deref());
        let other = set.map(|set| lesson.machine.start(set, self.seed)).transpose()?.or(end);
        let restarted = other.is_some();
        if let Some(machine) = other {
            self.target = SimulatedTarget::resumed(machine);
        }
        self.records.truncate(place + 1);
        let mut samples: Vec<_> = restarted.then(|| self.sample()).into_iter().collect();
        if let Some(step) = step.filter(|step| step.is_repair()) {
            samples.extend(self.run_machine(step)?.samples);
        }
        self.starts.push(self.target.with(|machine| machine.clone()));
        (self.place, self.hints, self.phase) = (place, 0, StepPhase::Before);
        self.judge();
        Ok((!samples.is_empty()).then_some(StepSamples { samples, restarted }))
    }

    /// The current step; none at the end.
    pub fn step(&self) -> Option<&LessonStep> {
        self.lesson.steps.get(self.place).filter(|_| self.phase != StepPhase::Finished)
    }

    /// The number of the current step, and the number of all steps.
    pub fn progress(&self) -> (usize, usize) {
        let count = self.lesson.steps.len();
        ((self.place + 1).min(count), count)
    }

    /// The numbers of finished steps and of right predictions.
    pub fn reached(&self) -> (usize, usize) {
        let done = match self.phase {
            StepPhase::Before => self.place,
            StepPhase::Shown { .. } => self.place + 1,
            StepPhase::Finished => self.lesson.steps.len(),
        };
        (done, self.marks.iter().filter(|mark| **mark == Some(true)).count())
    }

    /// The figures at the end of the last step, or of a machine that is repaired now.
    pub fn record(&self) -> Option<&StepRecord> {
        self.records.last()
    }

    /// The machine as it is now.
    pub fn sample(&self) -> Snapshot {
        self.target.with(|machine| machine.snapshot())
    }

    /// Whether the step waits for a prediction.
    pub fn is_asking(&self) -> bool {
        self.phase == StepPhase::Before && self.step().is_some_and(|step| !step.answers.is_empty())
    }

    /// The answer with this letter.
    pub fn answer_of(&self, letter: char) -> Option<usize> {
        let place = ('a'..='z').position(|known| known == letter.to_ascii_lowercase())?;
        let count = self.step().filter(|_| self.is_asking())?.answers.len();
        (place < count).then_some(place)
    }

    /// Shows the next hint. False after the last one.
    pub fn hint(&mut self) -> bool {
        let is_waiting = self.is_asking() || self.is_repairing();
        let has_more =
            is_waiting && self.step().is_some_and(|step| self.hints < step.all_hints().count());
        self.hints += usize::from(has_more);
        has_more
    }

    /// Runs the step after an answer, or without one. A repair is given up for its solution.
    ///
    /// # Errors
    /// The step cannot run; the machine stays as it was.
    pub fn run(&mut self, given: Option<usize>) -> Result<StepSamples, String> {
        let seed = self.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
        let at = format!("lesson {}, step {}{seed}", self.lesson.name, self.place + 1);
        self.run_step(given).map_err(|why| format!("{at}: {why}"))
    }

    fn run_step(&mut self, given: Option<usize>) -> Result<StepSamples, String> {
        let Some(step) = self.lesson.steps.get(self.place).cloned() else {
            return Err("the lesson has ended".to_owned());
        };
        if step.is_repair() {
            self.phase = StepPhase::Shown { given: None, right: None };
            return Ok(StepSamples { samples: Vec::new(), restarted: false });
        }
        let ran = self.run_machine(&step).and_then(|samples| {
            let right = (!step.answers.is_empty()).then(|| self.right_answer(&step)).transpose()?;
            Ok((samples, right))
        });
        match ran {
            Ok((samples, right)) => {
                if let Some(mark) = self.marks.get_mut(self.place) {
                    *mark = mark.or(given.map(|given| Some(given) == right));
                }
                self.phase = StepPhase::Shown { given, right };
                Ok(samples)
            }
            Err(why) => {
                self.restart();
                Err(why)
            }
        }
    }

    fn run_machine(&mut self, step: &LessonStep) -> Result<StepSamples, String> {
        let mut samples = vec![self.target.with(|machine| start_step(machine, step))?];
        samples.extend((0..step.run).map(|_| self.run_second()));
        let before = samples.len().checked_sub(2).and_then(|place| samples.get(place)).cloned();
        self.add_record(before);
        Ok(StepSamples { samples, restarted: false })
    }

    /// Keeps the figures of the machine as it is now.
    fn add_record(&mut self, before: Option<Snapshot>) {
        let record = |machine: &mut Machine| StepRecord::new(machine, before, machine.snapshot());
        self.records.push(self.target.with(record));
    }

    fn run_second(&self) -> Snapshot {
        self.target.with(|machine| {
            for _ in 0..machine.setup.rounds_per_second {
                // A round passes even without work.
                let _ = machine.step();
            }
            machine.snapshot()
        })
    }

    /// The answer whose conditions hold.
    fn right_answer(&self, step: &LessonStep) -> Result<usize, String> {
        let holds = |answer: &LessonAnswer| -> Result<bool, String> {
            let all = |it: &Condition| it.holds(&self.records);
            let when = answer.when.iter().map(all).collect::<Result<Vec<bool>, String>>()?;
            Ok(answer.right || (!when.is_empty() && when.into_iter().all(|holds| holds)))
        };
        let answers = step.answers.iter().map(holds).collect::<Result<Vec<bool>, String>>()?;
        let mut right = (0..).zip(answers).filter(|(_, holds)| *holds).map(|(place, _)| place);
        match (right.next(), right.next()) {
            (Some(one), None) => Ok(one),
            (None, _) => Err("no answer is right: check the conditions".to_owned()),
            (Some(one), Some(other)) => {
                Err(format!("answers {} and {} are both right", letter(one), letter(other)))
            }
        }
    }

    /// Runs the machine for one more second after a step, or during a repair, which advise then judges.
    pub fn run_on(&mut self) -> Snapshot {
        if self.repaired_machine().is_some() {
            return self.judge_later();
        }
        self.keep_end(None);
        self.run_second()
    }

    /// Runs the machine after a step until something of interest happens, which the lines then say. Returns the
    /// samples of each second until then.
    pub fn run_to_event(&mut self) -> Vec<Snapshot> {
        self.keep_end(None);
        let mut samples = Vec::new();
        let ended = self.target.with(|machine| {
            let before = Conditions::new(machine);
            let rounds = machine.setup.rounds_per_second;
            (1..=rounds * MAX_SECONDS).find_map(|round| {
                let runs = machine.step();
                let event = before.event(machine);
                if event.is_none() && runs && round.is_multiple_of(rounds) {
                    samples.push(machine.snapshot());
                }
                event.or_else(|| (!runs).then(|| "All processes have ended.".to_owned()))
            })
        });
        samples.push(self.sample());
        let nothing = || format!("Nothing new in {MAX_SECONDS} s.");
        self.keep_end(Some(ended.unwrap_or_else(nothing)));
        samples
    }

    /// Keeps the machine at the end of the step, and the last event.
    fn keep_end(&mut self, event: Option<String>) {
        let end = || RunOn { end: self.target.with(|machine| machine.clone()), event: None };
        self.run_on.get_or_insert_with(end).event = event;
    }

    /// Moves to the next step, or runs the current one if it has no question.
    ///
    /// # Errors
    /// The step cannot run.
    pub fn advance(&mut self) -> Result<Option<StepSamples>, String> {
        match self.phase {
            StepPhase::Finished => Ok(None),
            StepPhase::Before if self.is_asking() || self.is_repairing() => Ok(None),
            StepPhase::Before => self.run(None).map(Some),
            StepPhase::Shown { .. } => {
                let next = self.place + 1;
                if next < self.lesson.steps.len() {
                    return self.begin_step(next);
                }
                (self.place, self.hints, self.phase) = (next, 0, StepPhase::Finished);
                Ok(None)
            }
        }
    }

    /// Returns to the question of this step or to its broken machine, or to the previous step. False at the beginning.
    pub fn back(&mut self) -> bool {
        if self.phase == StepPhase::Before && self.changes().is_empty() {
            if self.place == 0 {
                return false;
            }
            self.starts.pop();
        }
        self.place = self.starts.len().saturating_sub(1);
        self.restart();
        true
    }

    /// Restores the machine as it was before the current step.
    pub fn restart(&mut self) {
        if let Some(start) = self.starts.last() {
            self.target = SimulatedTarget::resumed(start.clone());
        }
        (self.phase, self.hints, self.run_on) = (StepPhase::Before, 0, None);
        self.records.truncate(self.place + 1 + usize::from(self.is_repairing()));
        self.judge();
    }

    /// The lines of the current step.
    pub fn lines(&self) -> Vec<LessonLine> {
        let Some(step) = self.step() else { return self.ending() };
        match self.phase {
            StepPhase::Before | StepPhase::Finished => {
                let mut lines = vec![(LineKind::Text, self.fill(&step.text))];
                if !step.ask.is_empty() {
                    lines.push((LineKind::Question, step.ask.clone()));
                }
                lines.extend(lettered(step));
                if step.is_repair() {
                    lines.extend(self.findings());
                }
                let hints = step.all_hints().take(self.hints);
                lines.extend(hints.map(|hint| (LineKind::Hint, format!("Hint: {hint}"))));
                lines
            }
            StepPhase::Shown { given, right } => {
                let repair = step.is_repair().then(|| self.repair(step));
                // What a repaired machine shows is not true of one that is still broken.
                let result = self.left.is_empty().then(|| self.result(step, given, right));
                let event = self.run_on.as_ref().and_then(|run_on| run_on.event.clone());
                let event = event.map(|event| (LineKind::Event, event));
                repair.into_iter().chain(result).flatten().chain(event).collect()
            }
        }
    }

    fn result(
        &self,
        step: &LessonStep,
        given: Option<usize>,
        right: Option<usize>,
    ) -> Vec<LessonLine> {
        let mut lines = Vec::new();
        let answer =
            |place: Option<usize>| place.and_then(|place| Some((place, step.answers.get(place)?)));
        if let Some((place, answer)) = answer(right) {
            let words = format!("{}) {}", letter(place), answer.text);
            lines.push(match given {
                Some(given) if given == place => (LineKind::Right, format!("Right: {words}")),
                Some(given) => {
                    (LineKind::Wrong, format!("Not {}. The answer is {words}", letter(given)))
                }
                None => (LineKind::Text, format!("The answer is {words}")),
            });
        }
        let wrong = answer(given.filter(|_| given != right));
        let texts = [wrong, answer(right)].into_iter().flatten().map(|(_, answer)| &answer.why);
        for text in texts.chain([&step.why]).filter(|text| !text.is_empty()) {
            lines.push((LineKind::Text, self.fill(text)));
        }
        let figures = step.look.iter().map(|figure| {
            let value = figure.human(&self.records).unwrap_or_else(|_| "-".to_owned());
            format!("{}: {value}", figure.title())
        });
        // The machine beside the figures shows a later moment once it has run on.
        let moment = self.run_on.as_ref().map(|_| match right {
            Some(_) => "At the answer:".to_owned(),
            None => "At the end of the step:".to_owned(),
        });
        if !step.look.is_empty() {
            let figures: Vec<String> = moment.into_iter().chain(figures).collect();
            lines.push((LineKind::Figure, figures.join("   ")));
        }
        lines
    }

    fn ending(&self) -> Vec<LessonLine> {
        let asked = self.lesson.steps.iter().filter(|step| !step.answers.is_empty()).count();
        let (_, right) = self.reached();
        let mut lines = vec![
            (LineKind::Right, format!("Done: {right} of {asked} predictions were right.")),
            (LineKind::Text, "The same on a real machine:".to_owned()),
            (LineKind::Command, self.lesson.real.clone()),
        ];
        if !self.lesson.real_about.is_empty() {
            lines.push((LineKind::Text, self.lesson.real_about.clone()));
        }
        lines
    }

    fn fill(&self, text: &QuotingText) -> String {
        text.fill(&self.records).unwrap_or_else(|why| format!("({why})"))
    }
}

/// Starts what the step brings, and runs the machine until the share of swap is used.
fn start_step(machine: &mut Machine, step: &LessonStep) -> Result<Snapshot, String> {
    if let Some(load) = &step.load {
        machine.start(load)?;
    }
    if let Some(off) = &step.off {
        let areas = (0..).zip(machine.swap.areas().entries());
        let mut enabled = areas.filter(|(_, area)| area.is_enabled && is_called(&area.setup, off));
        let place = enabled.next().map(|(place, _)| place);
        drop(enabled);
        machine.swapoff(place.ok_or_else(|| format!("{off} is not enabled any more"))?);
    }
    let until = f64::from(machine.swap.total()) * step.used;
    let mut rounds = 0;
    while f64::from(machine.swap.used()) < until && rounds < MAX_ROUNDS && machine.step() {
        rounds += 1;
    }
    Ok(machine.snapshot())
}

/// The answers of a step with their letters.
pub(super) fn lettered(step: &LessonStep) -> impl Iterator<Item = LessonLine> {
    let answers = (0..).zip(&step.answers);
    answers.map(|(place, it)| (LineKind::Answer, format!("{}) {}", letter(place), it.text)))
}

/// The letter of an answer.
pub fn letter(place: usize) -> char {
    ('a'..='z').nth(place).unwrap_or('z')
}

/// A condition of an area whose beginning is an event, and its words behind the name of the area.
type AreaEvent = (fn(&SwapSpace) -> bool, &'static str);
/// A condition of the machine whose beginning is an event, and its sentence.
type MachineEvent = (fn(&Machine) -> bool, &'static str);

static AREA_EVENTS: [AreaEvent; 3] = [
    (SwapSpace::is_full, "is full"),
    (|area| area.used() > 0, "gets its first page"),
    (
        |area| area.cluster_states().all(|it| it.list.is_some_and(|list| list != List::Free)),
        "has no free cluster left",
    ),
];

static MACHINE_EVENTS: [MachineEvent; 4] = [
    (|it| it.counters.oom_kill > 0, "A process was killed: memory and swap are full"),
    (
        |it| it.counters.swpout_fallback.iter().any(|count| *count > 0),
        "A large folio was split for the first time",
    ),
    (|it| it.counters.pswpin + it.counters.zswpin > 0, "A page is read back for the first time"),
    (|it| it.counters.zswpwb > 0, "zswap writes a page to an area for the first time"),
];

/// The conditions that hold on a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Conditions(Vec<bool>);

impl Conditions {
    /// The conditions that hold now.
    fn new(machine: &Machine) -> Self {
        let areas = machine.swap.areas().entries();
        let areas =
            areas.flat_map(|area| AREA_EVENTS.map(|(holds, _)| area.is_enabled && holds(area)));
        Self(areas.chain(MACHINE_EVENTS.map(|(holds, _)| holds(machine))).collect())
    }

    /// The event since these conditions; none if no other condition holds now.
    fn event(&self, machine: &Machine) -> Option<String> {
        let Self(now) = Self::new(machine);
        let place = self.0.iter().zip(&now).position(|(before, now)| !before && *now)?;
        let area = machine.swap.areas().entries().nth(place / AREA_EVENTS.len());
        let of_area = AREA_EVENTS.get(place % AREA_EVENTS.len());
        if let Some((area, (_, words))) = area.zip(of_area) {
            return Some(format!("{} {words}.", area.setup.path));
        }
        let of_areas = machine.swap.areas().entries().len() * AREA_EVENTS.len();
        MACHINE_EVENTS.get(place - of_areas).map(|(_, words)| format!("{words}."))
    }
}
