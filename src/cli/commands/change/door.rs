//! Changes for the interface: the same plans, checks and lock as those of the commands.

use super::{find, history, on, place, rebalance};
use crate::actions::Step;
use crate::actions::check::{self, Verdict};
use crate::actions::estimate::Estimate;
use crate::actions::journal::{self, End};
use crate::actions::plan::{self, Plan, Refusal};
use crate::actions::rebalance::Strategy;
use crate::actions::run::{Outcome, Watcher};
use crate::actions::settings;
use crate::change::{self, Eyes, Machine};
use crate::cli::exit::Failure;
use crate::cli::options::Environment;
use crate::clock::Clock;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::{Part, Policy};
use crate::probes;
use crate::root::Root;
use crate::ui::change::{Changer, Intent, Past, Proposal, Setting, Way};
use std::ffi::OsStr;
use std::path::PathBuf;

/// The way from the interface to the machine.
#[derive(Debug)]
pub struct Door {
    root: Root,
    journal: PathBuf,
}

impl Door {
    /// To the machine behind this root.
    #[must_use]
    pub fn of(root: &Root, environment: &Environment) -> Self {
        Self { root: root.patient(), journal: place(root, environment) }
    }

    /// What is wanted as a plan, and the plan that it takes back.
    fn plan(&self, machine: &Machine<'_>, intent: &Intent) -> Result<(Plan, Option<u64>), Failure> {
        let refused = |refusal: Refusal| Failure::Usage(refusal.to_string());
        let areas = machine.areas()?;
        let plan = match intent {
            Intent::Off(names) => plan::off(areas, machine.discards()?, names),
            Intent::Priority(names, priority) => {
                let wishes: Vec<_> = names.iter().map(|name| (name.clone(), *priority)).collect();
                plan::priorities(areas, machine.discards()?, &wishes)
            }
            Intent::On(what) => {
                let path = find::storage(&self.root, OsStr::new(what))?;
                let (priority, discard) = (Priority::Default, Discard::None);
                plan::on(areas, &[Activation { path, priority, discard }], false)
            }
            Intent::OnConfigured => {
                let (wanted, _) = on::of_fstab(machine, (None, None))?;
                plan::on(areas, &wanted, true)
            }
            Intent::Set(setting, value) => {
                return self.set(machine, setting, value.as_deref()).map(|plan| (plan, None));
            }
            Intent::Rebalance(way) => {
                let (strategy, word) = match way {
                    Way::Tiered => (Strategy::Tiered, "tiered"),
                    Way::Spread => (Strategy::Spread(Policy::DEFAULT.skew_warn), "spread"),
                };
                return Ok((rebalance::found(&strategy, word, machine)?.plan, None));
            }
            Intent::Undo(number) => return self.undo(*number),
            Intent::Recover => {
                let past = self.read()?;
                if past.open() == 0 {
                    return Err(Failure::Usage("nothing was cut off".to_owned()));
                }
                plan::recover(&past.records, &Eyes::of(&self.root), &past.boot)
            }
        };
        Ok((plan.map_err(refused)?, None))
    }

    /// Give a setting this value, or that of an untouched kernel.
    fn set(
        &self,
        machine: &Machine<'_>,
        setting: &Setting,
        value: Option<&str>,
    ) -> Result<Plan, Failure> {
        let refused = |refusal: settings::Refusal| Failure::Usage(refusal.to_string());
        let snapshot = &machine.snapshot;
        let target = match &setting.group {
            None => settings::target(&setting.knob, snapshot),
            Some(group) => settings::target_of_group(&setting.knob, group, snapshot),
        };
        let target = target.map_err(refused)?;
        let wishes = match value {
            Some(value) => vec![(target, value.to_owned())],
            None => settings::defaults(&[target]).map_err(refused)?,
        };
        settings::set(&wishes, &Eyes::of(&self.root)).map_err(refused)
    }

    fn undo(&self, number: Option<u64>) -> Result<(Plan, Option<u64>), Failure> {
        let Past { records, boot } = self.read()?;
        let record = match number {
            Some(number) => history::find(&records, number)?,
            None => journal::last_standing(&records, &boot).ok_or_else(|| {
                Failure::Usage(
                    "nothing that was changed could be taken back: J lists it".to_owned(),
                )
            })?,
        };
        let plan = plan::undo(record, &Eyes::of(&self.root), &boot)
            .map_err(|refusal| Failure::Usage(refusal.to_string()))?;
        Ok((plan, Some(record.plan)))
    }

    fn read(&self) -> Result<Past, Failure> {
        let records =
            journal::read(&self.journal).map_err(|error| Failure::file(&self.journal, error))?;
        Ok(Past { records, boot: change::boot(&self.root)? })
    }

    fn proposal(&self, intent: &Intent, taken: &[String]) -> Result<Proposal, Failure> {
        let machine = Machine::of(&self.root);
        let (plan, undoes) = self.plan(&machine, intent)?;
        let mut checks = machine.checks(&plan, taken);
        // What cannot be read tells of nothing.
        let past =
            self.read().unwrap_or_else(|_| Past { records: Vec::new(), boot: String::new() });
        let undone = past.records.iter().find(|record| Some(record.plan) == undoes);
        if let Some(undone) = undone {
            checks.extend(check::past(&plan, undone, (&past.records, &past.boot), taken));
        }
        if *intent == Intent::Recover {
            // It only puts on what was on: nothing stands against that but missing rights.
            checks.retain(|check| check.id == "rights");
        }
        let areas = machine.areas()?;
        let cost = |step: &Step| {
            let moves = step.moves(areas);
            (moves, Estimate::of(step, moves, &past.records))
        };
        let costs = plan.steps.iter().map(cost).collect();
        Ok(Proposal { intent: intent.clone(), taken: taken.to_vec(), plan, undoes, checks, costs })
    }

    /// Do what was confirmed, on the machine as it is now: what was checked may have changed.
    fn change(
        &self,
        proposal: &Proposal,
        watcher: &mut dyn Watcher,
    ) -> Result<(u64, Outcome), Failure> {
        let Proposal { intent, taken, plan, undoes, .. } = proposal;
        let lock = change::lock(&self.root, &plan.title)?;
        let again = self.proposal(intent, taken)?;
        if again.plan != *plan {
            return Err(Failure::Busy(
                "swap was changed since the plan was made: have it made anew".to_owned(),
            ));
        }
        if let Some(check) = again.checks.iter().find(|it| it.verdict == Verdict::Refuse) {
            return Err(Failure::Busy(format!("not any more: {}", check.text)));
        }
        let open = self.read()?;
        let outcome = if plan.steps.is_empty() {
            let last = open.records.last().map_or(0, |record| record.plan);
            let (end, remark) = (End::Recovered, None);
            (last, Outcome { end, why: None, undoable: true, remark })
        } else {
            let root = (&self.root, &lock);
            change::carry_out((plan, *undoes), root, &self.journal, watcher)?
        };
        if *intent == Intent::Recover && matches!(outcome.1.end, End::Done | End::Recovered) {
            let records = open.records.iter().filter(|record| record.is_open(&open.boot));
            history::close(&self.journal, &open.boot, &records.collect::<Vec<_>>())?;
        }
        Ok(outcome)
    }
}

impl Changer for Door {
    fn barred(&self) -> Option<String> {
        if !self.root.is_live() {
            return Some("a captured tree cannot be changed".to_owned());
        }
        let snapshot =
            probes::sample(&self.root, &Clock::Real, [Part::Access].into_iter().collect());
        let rights = check::rights(&snapshot);
        (rights.verdict == Verdict::Refuse)
            .then(|| "changing swap needs root (CAP_SYS_ADMIN)".to_owned())
    }

    fn propose(&self, intent: &Intent, taken: &[String]) -> Result<Proposal, String> {
        self.proposal(intent, taken).map_err(|failure| failure.to_string())
    }

    fn carry_out(
        &self,
        proposal: &Proposal,
        watcher: &mut dyn Watcher,
    ) -> Result<(u64, Outcome), String> {
        self.change(proposal, watcher).map_err(|failure| failure.to_string())
    }

    fn past(&self) -> Result<Past, String> {
        self.read().map_err(|failure| failure.to_string())
    }
}
