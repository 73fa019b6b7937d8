//! Lessons that are tried before a person plays them.

use super::super::file::{Lesson, LessonStep};
use super::{Player, StepPhase};
use crate::change::SimulatedTarget;
use std::sync::Arc;

/// Plans a command on a simulated machine and carries it out. Returns what it did, or why it was refused.
pub type RunCommand = fn(&SimulatedTarget, &str) -> Result<String, String>;

/// Seeds with which a lesson is tried, beside that of its machine.
const TRIED_SEEDS: [u64; 2] = [2, 1234];

/// Plays a lesson with several seeds, and lists what is wrong in it: a step that cannot run, an answer that no
/// figure decides, a text that quotes a figure that does not exist, answers that share an explanation although the
/// right one depends on the seed, a machine that needs no repair, or is not repaired by the solution.
pub fn rehearse(lesson: &Arc<Lesson>, run: RunCommand) -> Result<(), String> {
    rehearse_with(lesson, TRIED_SEEDS, run)
}

/// [`rehearse`] with these seeds.
pub(in crate::learn) fn rehearse_with(
    lesson: &Arc<Lesson>,
    seeds: impl IntoIterator<Item = u64>,
    run: RunCommand,
) -> Result<(), String> {
    let first = rehearse_once(lesson, None, run)?;
    for seed in seeds {
        let in_words = |why: String| format!("{why} (with the seed {seed})");
        let answers = rehearse_once(lesson, Some(seed), run).map_err(in_words)?;
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
fn rehearse_once(
    lesson: &Arc<Lesson>,
    seed: Option<u64>,
    run: RunCommand,
) -> Result<Vec<Option<usize>>, String> {
    let mut player = Player::new(Arc::clone(lesson), seed)?;
    let mut answers = Vec::new();
    for (number, step) in (1..).zip(&lesson.steps) {
        let at = |why: String| step.place.problem(&format!("step {number}: {why}")).to_string();
        step.text.fill(&player.records).map_err(at)?;
        if step.is_repair() {
            player.carry_out_solution(step, run).map_err(at)?;
        } else {
            player.run_step(None).map_err(at)?;
        }
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

impl Player {
    /// Carries out the solution of a repair.
    fn carry_out_solution(&mut self, step: &LessonStep, run: RunCommand) -> Result<(), String> {
        // Time alone repairs nothing.
        self.run_on();
        if !self.is_repairing() {
            return Err("advise finds nothing to repair on this machine".to_owned());
        }
        for command in &step.solution {
            run(&self.target, command).map_err(|why| format!("solution: {command}: {why}"))?;
            self.run_on();
        }
        let left: Vec<&str> = self.left.iter().map(|finding| finding.rule).collect();
        if left.is_empty() {
            return Ok(());
        }
        Err(format!("after the solution, advise still finds {}", left.join(", ")))
    }
}
