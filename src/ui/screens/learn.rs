//! The learn screen: lessons with progress, and the lesson that is played.

use super::lab::mark;
use super::{Band, Facts, Height, Pane, PaneLine, Role, Screen, text};
use crate::learn::builtin_lessons;
use crate::learn::file::LessonStep;
use crate::model::text::counted;
use crate::ui::learn::LESSONS;

/// The pane of the selected lesson, or of the one that is played.
const LESSON: &str = "lesson";

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "learn",
    number: '9',
    name: "Learn",
    question: "How does swap work, and why?",
    answer: Pane::answer(answer)
        .about("How many lessons are done."),
    panes: &[
        Pane::facts(LESSONS, "Lessons", lessons)
            .about("Lessons on simulated machines, with the steps done so far. Enter begins the selected one; nothing on this machine is read or changed. Each step asks for a prediction before it shows the result."),
        Pane::facts(LESSON, "Lesson", lesson)
            .about("The selected lesson with its questions, or the step of the one that is played. F1 lists the keys of lessons. The screens 1 to 8 show the simulated machine meanwhile, and 9 again its areas as tanks, with the decision of the kernel."),
    ],
    bands: &[Band { panes: &[(LESSONS, 55), (LESSON, 45)], height: Height::Rest }],
    wide: &[Band { panes: &[(LESSONS, 40), (LESSON, 60)], height: Height::Rest }],
};

fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    if let Some((title, step)) = facts.learn.title() {
        return vec![PaneLine::new().text(format!("{title}: {step}."), Role::Text)];
    }
    let lessons = builtin_lessons();
    let is_done = |name: &str, steps| facts.learn.progress.get(name).done >= steps;
    let done = lessons.iter().filter(|it| is_done(&it.name, it.steps.len())).count();
    let words = format!("{done} of {} lessons done.", lessons.len());
    vec![PaneLine::new().text(words, Role::Text).extra(1, "Enter begins the selected one.")]
}

/// Width of the steps done behind a title.
const STEPS: usize = 5;

fn lessons(facts: &Facts<'_>) -> Vec<PaneLine> {
    let line = |(place, lesson): (usize, &std::sync::Arc<crate::learn::file::Lesson>)| {
        let (sign, role) = mark(facts, place == facts.learn.selected);
        let (done, steps) = (facts.learn.progress.get(&lesson.name).done, lesson.steps.len());
        let state = if done == 0 { String::new() } else { format!("{}/{steps}", done.min(steps)) };
        let room = facts.width.saturating_sub(STEPS + 6);
        let title = text::clip(&lesson.title, room);
        PaneLine::new()
            .text(sign, role)
            .cell(format!("{:>2}", place + 1), Role::Label, 2)
            .cell(title, role, room)
            .cell(state, if done >= steps { Role::Ok } else { Role::Label }, STEPS)
    };
    builtin_lessons().iter().enumerate().map(line).collect()
}

fn lesson(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.learn.player.is_some() {
        return facts.learn.lines(facts.width);
    }
    let Some(lesson) = builtin_lessons().get(facts.learn.selected) else { return vec![] };
    let machine = match lesson.machine.setup(&[], None) {
        Ok(it) => {
            let (kernel, validation) = (&it.policy.name, it.policy.validation());
            format!("Machine: SIMULATED, kernel {kernel} ({validation}), {} areas.", it.areas.len())
        }
        Err(why) => why,
    };
    let asked = lesson.steps.iter().filter(|step| !step.answers.is_empty()).count();
    let steps = counted(lesson.steps.len(), "step");
    let predictions = counted(asked, "prediction");
    let repairs = lesson.steps.iter().any(LessonStep::is_repair);
    let repair = if repairs { ", and a repair by hand" } else { "" };
    let steps = format!("{steps}: {predictions}{repair}.");
    let mut lines = facts.wrapped(&lesson.title, Role::Accent);
    let mut add = |words: &str, role| lines.extend(facts.wrapped(words, role));
    for words in [&lesson.about, &machine, &steps] {
        add(words, Role::Text);
    }
    add("The same on a real machine:", Role::Label);
    add(&lesson.real, Role::Accent);
    for step in lesson.steps.iter().filter(|step| !step.ask.is_empty()) {
        add(&step.ask, Role::Label);
        step.answers.iter().for_each(|answer| add(&format!("- {}", answer.text), Role::Text));
    }
    lines
}
