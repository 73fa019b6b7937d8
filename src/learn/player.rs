//! A lesson that is played: each step asks, runs the machine, and shows which answer is right.

use super::event::Conditions;
use super::figure::{Condition, QuotingText, StepRecord};
use super::file::{Lesson, LessonAnswer, LessonStep};
use super::machine::is_called;
use crate::model::Snapshot;
use crate::sim::machine::Machine;
use std::sync::Arc;

/// The most rounds until a share of swap is used.
const MAX_ROUNDS: u32 = 2_000_000;
/// The most seconds until an event.
const MAX_SECONDS: u32 = 60;
/// Seeds with which a lesson is tried, beside that of its machine.
const TRIED_SEEDS: [u64; 2] = [2, 1234];

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
#[derive(Clone, Debug)]
pub struct Player {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// The progress of the current step.
    pub phase: StepPhase,
    seed: Option<u64>,
    machine: Machine,
    /// The machine at the start of each step so far.
    starts: Vec<Machine>,
    /// The start, and the end of each step that has run.
    records: Vec<StepRecord>,
    /// The index of the current step.
    place: usize,
    /// The number of hints shown.
    hints: usize,
    /// Whether the prediction of each step was right.
    marks: Vec<Option<bool>>,
    /// How the machine ran on after the step.
    run_on: Option<RunOn>,
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
        let machine = lesson.machine.start(&[], seed)?;
        let records = vec![StepRecord::new(&machine, None, machine.snapshot())];
        let marks = vec![None; lesson.steps.len()];
        let (place, hints, phase, starts, run_on) = (0, 0, StepPhase::Before, Vec::new(), None);
        let mut player =
            Self { lesson, phase, seed, machine, starts, records, place, hints, marks, run_on };
        player.begin_step(0)?;
        Ok(player)
    }

    /// Begins a step with its machine, so that the screens show it while the step asks. Returns its sample if it is
    /// another machine than the one on the screens.
    fn begin_step(&mut self, place: usize) -> Result<Option<StepSamples>, String> {
        let set = self.lesson.steps.get(place).and_then(|step| step.set.clone());
        let run_on = self.run_on.take();
        let is_other = set.is_some() || run_on.is_some();
        if let Some(run_on) = run_on {
            self.machine = run_on.end;
        }
        if let Some(set) = &set {
            self.machine = self.lesson.machine.start(set, self.seed)?;
        }
        self.starts.push(self.machine.clone());
        (self.place, self.hints, self.phase) = (place, 0, StepPhase::Before);
        Ok(is_other.then(|| StepSamples { samples: vec![self.sample()], restarted: true }))
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

    /// The machine as it is now.
    pub fn sample(&self) -> Snapshot {
        self.machine.snapshot()
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
        let has_more =
            self.is_asking() && self.step().is_some_and(|step| self.hints < step.hints.len());
        self.hints += usize::from(has_more);
        has_more
    }

    /// Runs the step after an answer, or without one.
    ///
    /// # Errors
    /// The step cannot run; the machine stays as it was.
    pub fn run(&mut self, given: Option<usize>) -> Result<StepSamples, String> {
        let Some(step) = self.lesson.steps.get(self.place).cloned() else {
            return Err("the lesson has ended".to_owned());
        };
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
                self.reset_step();
                Err(why)
            }
        }
    }

    fn run_machine(&mut self, step: &LessonStep) -> Result<StepSamples, String> {
        if let Some(load) = &step.load {
            self.machine.start(load).map_err(|refusal| refusal.to_string())?;
        }
        if let Some(off) = &step.off {
            let areas = self.machine.swap.areas().entries();
            let place =
                (0..).zip(areas).find(|(_, area)| area.is_enabled && is_called(&area.setup, off));
            let area = place.map(|(place, _)| place);
            self.machine.swapoff(area.ok_or_else(|| format!("{off} is not enabled any more"))?);
        }
        let until = f64::from(self.machine.swap.total()) * step.used;
        let mut rounds = 0;
        while f64::from(self.machine.swap.used()) < until && rounds < MAX_ROUNDS {
            if !self.machine.step() {
                break;
            }
            rounds += 1;
        }
        let mut samples = vec![self.machine.snapshot()];
        for _ in 0..step.run {
            self.run_second();
            samples.push(self.machine.snapshot());
        }
        let now = self.machine.snapshot();
        let before = samples.len().checked_sub(2).and_then(|place| samples.get(place)).cloned();
        self.records.push(StepRecord::new(&self.machine, before, now));
        Ok(StepSamples { samples, restarted: false })
    }

    fn run_second(&mut self) {
        for _ in 0..self.machine.setup.rounds_per_second {
            // A round passes even without work.
            let _ = self.machine.step();
        }
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

    /// Runs the machine for one more second after a step.
    pub fn run_on(&mut self) -> Snapshot {
        self.keep_end(None);
        self.run_second();
        self.machine.snapshot()
    }

    /// Runs the machine after a step until something of interest happens, which the lines then say. Returns the
    /// samples of each second until then.
    pub fn run_to_event(&mut self) -> Vec<Snapshot> {
        self.keep_end(None);
        let before = Conditions::new(&self.machine);
        let rounds = self.machine.setup.rounds_per_second;
        let mut samples = Vec::new();
        let ended = (1..=rounds * MAX_SECONDS).find_map(|round| {
            let runs = self.machine.step();
            let event = before.event(&self.machine);
            if event.is_none() && runs && round.is_multiple_of(rounds) {
                samples.push(self.machine.snapshot());
            }
            event.or_else(|| (!runs).then(|| "All processes have ended.".to_owned()))
        });
        samples.push(self.machine.snapshot());
        let nothing = || format!("Nothing new in {MAX_SECONDS} s.");
        self.keep_end(Some(ended.unwrap_or_else(nothing)));
        samples
    }

    /// Keeps the machine at the end of the step, and the last event.
    fn keep_end(&mut self, event: Option<String>) {
        self.run_on.get_or_insert_with(|| RunOn { end: self.machine.clone(), event: None }).event =
            event;
    }

    /// Moves to the next step, or runs the current one if it has no question.
    ///
    /// # Errors
    /// The step cannot run.
    pub fn advance(&mut self) -> Result<Option<StepSamples>, String> {
        match self.phase {
            StepPhase::Finished => Ok(None),
            StepPhase::Before if self.is_asking() => Ok(None),
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

    /// Returns to the question of this step, or to the previous step. False at the beginning.
    pub fn back(&mut self) -> bool {
        if self.phase == StepPhase::Before {
            if self.place == 0 {
                return false;
            }
            self.starts.pop();
        }
        self.place = self.starts.len().saturating_sub(1);
        self.reset_step();
        true
    }

    /// Restores the machine as it was before the current step.
    fn reset_step(&mut self) {
        if let Some(start) = self.starts.last() {
            self.machine = start.clone();
        }
        self.records.truncate(self.place + 1);
        (self.phase, self.hints, self.run_on) = (StepPhase::Before, 0, None);
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
                let hints = step.hints.iter().take(self.hints);
                lines.extend(hints.map(|hint| (LineKind::Hint, format!("Hint: {hint}"))));
                lines
            }
            StepPhase::Shown { given, right } => self.result(step, given, right),
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
        let event = self.run_on.as_ref().and_then(|run_on| run_on.event.clone());
        lines.extend(event.map(|event| (LineKind::Event, event)));
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

/// The answers of a step with their letters.
pub(super) fn lettered(step: &LessonStep) -> impl Iterator<Item = LessonLine> {
    let answers = (0..).zip(&step.answers);
    answers.map(|(place, it)| (LineKind::Answer, format!("{}) {}", letter(place), it.text)))
}

/// The letter of an answer.
pub fn letter(place: usize) -> char {
    ('a'..='z').nth(place).unwrap_or('z')
}

/// Plays a lesson with several seeds, and lists what is wrong in it: a step that cannot run, an answer that no
/// figure decides, a text that quotes a figure that does not exist, answers that share an explanation although the
/// right one depends on the seed.
pub fn rehearse(lesson: &Arc<Lesson>) -> Result<(), String> {
    let first = rehearse_once(lesson, None)?;
    for seed in TRIED_SEEDS {
        let in_words = |why: String| format!("{why} (with the seed {seed})");
        let answers = rehearse_once(lesson, Some(seed)).map_err(in_words)?;
        let of_steps = (1..).zip(&lesson.steps).zip(first.iter().zip(&answers));
        for ((number, step), _) in of_steps.filter(|(_, (first, answer))| first != answer) {
            if step.answers.iter().any(|answer| answer.why.is_empty()) {
                let why = "another answer is right: explain each in a why of its own, or change the machine";
                let problem = step.place.problem(&format!("step {number}: {why}"));
                return Err(in_words(problem.to_string()));
            }
        }
    }
    Ok(())
}

/// Plays a lesson, and returns the right answer of each step, if it has one.
fn rehearse_once(lesson: &Arc<Lesson>, seed: Option<u64>) -> Result<Vec<Option<usize>>, String> {
    let mut player = Player::new(Arc::clone(lesson), seed)?;
    let mut answers = Vec::new();
    for (number, step) in (1..).zip(&lesson.steps) {
        let at = |why: String| step.place.problem(&format!("step {number}: {why}")).to_string();
        step.text.fill(&player.records).map_err(at)?;
        player.run(None).map_err(at)?;
        for text in step.answers.iter().map(|answer| &answer.why).chain([&step.why]) {
            text.fill(&player.records).map_err(at)?;
        }
        for figure in &step.look {
            figure.value(&player.records).map_err(at)?;
            figure.check_row(&player.records).map_err(at)?;
        }
        answers.push(match &player.phase {
            StepPhase::Shown { right, .. } => *right,
            StepPhase::Before | StepPhase::Finished => None,
        });
        let next = lesson.steps.get(number).unwrap_or(step);
        let at = |why: String| next.place.problem(&format!("step {}: {why}", number + 1));
        player.advance().map_err(|why| at(why).to_string())?;
    }
    Ok(answers)
}
