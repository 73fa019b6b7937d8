//! Questions and answers of a lesson as Markdown.

use super::file::Lesson;
use super::player::{LineKind, Player, lettered};
use std::fmt::Write as _;
use std::sync::Arc;

/// The lesson as Markdown: all questions, and if wanted the answers, which the model gives.
///
/// # Errors
/// A step cannot run.
pub fn to_markdown(
    lesson: &Arc<Lesson>,
    answers: bool,
    seed: Option<u64>,
) -> Result<String, String> {
    let mut player = Player::new(Arc::clone(lesson), seed)?;
    let lesson = Arc::clone(&player.lesson);
    let mut text = format!("# {}\n\n{}\n", lesson.title, lesson.about);
    for (number, step) in (1..).zip(&lesson.steps) {
        let _ = write!(text, "\n## Step {number}\n");
        for (kind, line) in player.lines() {
            if kind != LineKind::Answer {
                let _ = write!(text, "\n{}\n", line.replace('\n', "\n\n"));
            }
        }
        text.push_str(if step.answers.is_empty() { "" } else { "\n" });
        for (_, line) in lettered(step) {
            let _ = writeln!(text, "- {line}");
        }
        player.run(None)?;
        if answers {
            for (_, line) in player.lines() {
                let _ = write!(text, "\n> {}\n", line.replace('\n', "\n\n> "));
            }
        }
        player.advance()?;
    }
    let _ = write!(text, "\n## On a real machine\n\n    {}\n", lesson.real);
    if !lesson.real_about.is_empty() {
        let _ = write!(text, "\n{}\n", lesson.real_about);
    }
    Ok(text)
}
