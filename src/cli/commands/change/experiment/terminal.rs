//! Whoever sits before the runs of an experiment.

use super::super::Before;
use super::super::show::Looker;
use super::course::{Audience, Next, Work};
use super::onlooker::Eyes;
use crate::actions::monitor::StopReason;
use crate::change;
use crate::cli::options::Environment;
use crate::lab::run_with_setup::RunOutcome;

/// A person at a terminal, or nobody.
pub(super) struct Person<'a> {
    pub(super) before: &'a Before<'a>,
    pub(super) environment: &'a Environment,
}

impl Audience for Person<'_> {
    fn stops(&mut self) -> Option<StopReason> {
        let _ = self.before.interrupt.came();
        self.before.interrupt.asked().map(StopReason::Signal)
    }

    fn attend(&mut self, next: &Next<'_>, work: Work<'_>) -> Result<RunOutcome, change::Failure> {
        let name = &next.case.values.name;
        let looker = Looker::new(next.lent, &self.before.interrupt, self.environment);
        let mut looker = looker.lending(Some(next.way.words(name)));
        let mut eyes = Eyes::new(&self.before.interrupt, self.environment, (next.way, name));
        let came = work(&mut looker, &mut eyes);
        eyes.clear();
        looker.clear();
        came
    }
}
