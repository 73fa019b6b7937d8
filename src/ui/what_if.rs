//! Questions to the model of the machine on screen, and its answers as pages.

use super::change::ChangeEngine;
use super::page::{PageContent, PageLine, TextPage};
use super::theme::Role;
use crate::change::what_if::{self, MODEL_PARTS, ModelledMachine};
pub use crate::change::what_if::{AreaSetup, ModelChange, Watch};
use crate::columns::lines::TableOptions;
use crate::columns::tables::what_if::WhatIfAnswer;
use crate::derive::SampleView;
use crate::model::Snapshot;

/// A question to the model of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfQuestion {
    /// The question in words.
    pub title: String,
    /// The changes; empty for the machine as it is.
    pub changes: Vec<ModelChange>,
    /// The sample on screen, which has the use of swap.
    pub now: Snapshot,
    /// Each part as it was read the previous time.
    pub before: Option<Snapshot>,
    /// Is the model made from a new sample? Samples of a running machine have only what the screen shows.
    pub needs_sample: bool,
}

impl WhatIfQuestion {
    /// The command that gives the same answer; none if it has no such options.
    pub fn command(&self) -> Option<String> {
        let options = self.changes.iter().map(|change| Some(format!(" {}", change.options()?)));
        Some(format!("swapadm what-if{}", options.collect::<Option<String>>()?))
    }

    /// Asks the model, which may take seconds. The error says why there is no answer.
    pub fn ask(
        self,
        engine: Option<&dyn ChangeEngine>,
        watch: Watch<'_>,
    ) -> Result<WhatIfPage, String> {
        let engine = engine.filter(|_| self.needs_sample);
        let sample = engine.map(|engine| engine.sample(MODEL_PARTS));
        let like = what_if::like(sample.as_ref().unwrap_or(&self.now))?;
        let view = SampleView { now: &self.now, before: self.before.as_ref() };
        let machine = ModelledMachine::new(like, &view);
        let answer = what_if::predict(&machine, &self.changes, watch)?;
        Ok(WhatIfPage { command: self.command(), title: self.title, answer })
    }
}

/// An answer of the model, from which a page is laid out.
#[derive(Clone, Debug)]
pub struct WhatIfPage {
    /// The question in words.
    pub title: String,
    /// The command that gives the same answer, if there is one.
    pub command: Option<String>,
    /// The answer.
    pub answer: WhatIfAnswer,
}

impl WhatIfPage {
    /// The page for this width: conclusions, tables, and what the model does not know.
    pub fn page(&self, cells: usize) -> TextPage {
        let options = TableOptions { width: Some(cells), ..TableOptions::default() };
        let tables = self.answer.table_lines(options);
        let conclusions = self.answer.conclusions().into_iter().map(PageLine::text);
        let limits = self.answer.limits().into_iter();
        let limits = limits.map(|words| PageLine::text(words).as_role(Role::Label));
        let command = self.command.iter().map(|line| PageLine::named("by hand", line));
        let lines = conclusions
            .chain([PageLine::text("")])
            .chain(tables.into_iter().map(PageLine::text))
            .chain(limits)
            .chain(command);
        let page = TextPage::new(self.title.clone(), lines.collect());
        let content = Some(Box::new(PageContent::WhatIf(self.clone())));
        TextPage { copy: self.command.clone(), content, ..page }
    }
}

/// A question that the model is working on.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Its number: the answer has the same.
    pub number: u64,
    /// The question in words.
    pub title: String,
    /// The share of the work that is done.
    pub share: f64,
}
