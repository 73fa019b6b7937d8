//! Lessons on simulated machines: each step asks for a prediction, runs the model, and compares.
//!
//! Which answer is right follows from figures of the run, so a lesson cannot contradict the model.
//!
//! | file | contents |
//! |---|---|
//! | [`mod@file`] | lesson files: keys, reader, errors |
//! | [`figure`] | figures, conditions, texts that quote figures |
//! | `machine` | the machine of a lesson, with changed keys |
//! | [`player`] | a lesson that is played |
//! | [`progress`] | progress in lessons |
//! | [`export`] | questions and answers as Markdown |
//! | [`demo`] | demonstrations |

pub mod demo;
pub mod export;
pub mod figure;
pub mod file;
mod machine;
pub mod player;
pub mod progress;

use file::{Lesson, read_lesson};
use std::sync::{Arc, OnceLock};

macro_rules! lesson {
    ($name:literal) => {
        ($name, include_str!(concat!("lessons/", $name, ".toml")))
    };
}

/// The built-in lessons with their files, in order.
pub static LESSONS: [(&str, &str); 10] = [
    lesson!("defaults"),
    lesson!("priorities"),
    lesson!("nodes"),
    lesson!("rotational"),
    lesson!("clusters"),
    lesson!("readahead"),
    lesson!("zswap"),
    lesson!("virtual-swap"),
    lesson!("thrashing"),
    lesson!("repair"),
];

/// Reads the built-in lessons once; a test finds those that are not valid.
pub fn builtin_lessons() -> &'static [Arc<Lesson>] {
    static READ: OnceLock<Vec<Arc<Lesson>>> = OnceLock::new();
    READ.get_or_init(|| {
        let read = LESSONS.iter().filter_map(|(name, text)| read_lesson(name, name, text).ok());
        read.map(Arc::new).collect()
    })
}

#[cfg(test)]
mod tests;
