//! Changes for the interface: the same plans, checks and lock as those of the commands.

mod wish;

use super::bounds;
use super::{find, history, last, next, off, on, place, priority, rebalance};
use crate::actions::check::{self, Check, Verdict};
use crate::actions::estimate::Forecast;
use crate::actions::journal::{self, End};
use crate::actions::monitor::Monitor;
use crate::actions::persist::Goal;
use crate::actions::plan::{self, Plan, Refusal};
use crate::actions::rebalance::Strategy;
use crate::actions::run::{Outcome, Progress};
use crate::actions::settings;
use crate::change::{self, ExecutionContext, Eyes, Machine, expect};
use crate::cli::exit::Failure;
use crate::cli::options::Environment;
use crate::lab::store::Known;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::{PartSet, Policy};
use crate::root::Root;
use crate::ui::change::{Changer, Intent, Manner, Past, Proposal, Setting, Way};
use std::ffi::OsStr;
use std::path::PathBuf;

/// The way from the interface to the machine.
#[derive(Debug)]
pub struct Door {
    pub(super) root: Root,
    pub(super) journal: PathBuf,
    pub(super) environment: Environment,
    /// The results that are listed.
    pub(super) kept: Known,
}

/// What a wish comes to.
#[derive(Debug)]
struct Wanted {
    plan: Plan,
    /// The plan that it takes back.
    undoes: Option<u64>,
    /// What of it can be so at every start.
    goals: Vec<Goal>,
    /// What is to be said of what it leaves out.
    said: Vec<Check>,
}

impl Wanted {
    fn once(plan: Plan) -> Self {
        Self::lasting(plan, Vec::new())
    }

    fn lasting(plan: Plan, goals: Vec<Goal>) -> Self {
        Self { plan, undoes: None, goals, said: Vec::new() }
    }
}

impl Door {
    /// To the machine behind this root.
    pub fn of(root: &Root, environment: &Environment) -> Self {
        let environment = environment.clone();
        let (root, journal) = (root.patient(), place(root, &environment));
        Self { root, journal, environment, kept: Known::default() }
    }

    /// What is wanted as a plan.
    fn plan(&self, machine: &Machine<'_>, intent: &Intent) -> Result<Wanted, Failure> {
        let refused = |refusal: Refusal| Failure::Usage(refusal.to_string());
        let areas = machine.areas()?;
        Ok(match intent {
            Intent::Off(names) => {
                let plan = plan::off(areas, machine.discards()?, names).map_err(refused)?;
                Wanted::lasting(plan, off::goals(names))
            }
            Intent::Priority(names, priority) => {
                let wishes: Vec<_> = names.iter().map(|name| (name.clone(), *priority)).collect();
                let plan = plan::priorities(areas, machine.discards()?, &wishes);
                Wanted::lasting(plan.map_err(refused)?, priority::goals(&wishes))
            }
            Intent::On(what) => {
                let path = find::storage(&self.root, OsStr::new(what))?;
                let (priority, discard) = (Priority::Default, Discard::None);
                let wanted = [Activation { path, priority, discard }];
                let plan = plan::on(areas, &wanted, false).map_err(refused)?;
                Wanted::lasting(plan, on::goals(machine, &wanted, (None, None)))
            }
            Intent::OnConfigured => {
                let asked = on::fstab::read(machine, (None, None))?;
                if asked.wanted.is_empty() {
                    let left = asked.checks().into_iter().map(|check| check.text);
                    let why: Vec<_> =
                        std::iter::once(asked.nothing().to_owned()).chain(left).collect();
                    return Err(Failure::Usage(why.join("; ")));
                }
                let plan = plan::on(areas, &asked.wanted, true).map_err(refused)?;
                Wanted { said: asked.checks(), ..Wanted::once(plan) }
            }
            Intent::Set(setting, value) => self.set(machine, setting, value.as_deref())?,
            Intent::Rebalance(way) => {
                let (strategy, word) = match way {
                    Way::Tiered => (Strategy::Tiered, "tiered"),
                    Way::Spread => (Strategy::Spread(Policy::DEFAULT.skew_warn), "spread"),
                };
                let plan = rebalance::found(&strategy, word, machine)?.plan;
                let goals = rebalance::goals(&plan);
                Wanted::lasting(plan, goals)
            }
            Intent::ZramSwap(size, uuid) => wish::zram(machine, &wish::swap(size)?, *uuid)?,
            Intent::Zram(device, wish) => wish::zram(machine, &wish::command(device, wish)?, None)?,
            Intent::Load(_) => {
                return Err(Failure::Usage("a load is run, rather than changed".to_owned()));
            }
            Intent::Undo(number) => self.undo(*number)?,
            Intent::Recover => {
                let past = self.read()?;
                if past.open() == 0 {
                    return Err(Failure::Usage("nothing was cut off".to_owned()));
                }
                let plan = plan::recover(&past.records, &Eyes::of(&self.root), &past.boot);
                Wanted::once(plan.map_err(refused)?)
            }
        })
    }

    /// Give a setting this value, or that of an untouched kernel.
    fn set(
        &self,
        machine: &Machine<'_>,
        setting: &Setting,
        value: Option<&str>,
    ) -> Result<Wanted, Failure> {
        let refused = |refusal: settings::Refusal| Failure::Usage(refusal.to_string());
        let (snapshot, eyes) = (&machine.snapshot, Eyes::of(&self.root));
        let target = match &setting.group {
            None => settings::target(&setting.knob, snapshot),
            Some(group) => settings::target_of_group(&setting.knob, group, snapshot),
        };
        let target = target.map_err(refused)?;
        let (plan, goals) = if let Some(value) = value {
            let wishes = [(target, value.to_owned())];
            (settings::set(&wishes, &eyes), settings::goals(&wishes, &eyes))
        } else {
            let wishes = settings::defaults(&[target]).map_err(refused)?;
            (settings::reset(&wishes, &eyes), settings::goals_of_reset(&wishes, &eyes))
        };
        Ok(Wanted::lasting(plan.map_err(refused)?, goals.map_err(refused)?))
    }

    fn undo(&self, number: Option<u64>) -> Result<Wanted, Failure> {
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
        Ok(Wanted { undoes: Some(record.plan), ..Wanted::once(plan) })
    }

    fn read(&self) -> Result<Past, Failure> {
        let records =
            journal::read(&self.journal).map_err(|error| Failure::file(&self.journal, error))?;
        Ok(Past { records, boot: change::boot(&self.root)? })
    }

    fn proposal(&self, intent: &Intent, manner: &Manner) -> Result<Proposal, Failure> {
        let costs = |machine: &Machine<'_>, plan: &Plan, past: &Past| {
            expect::forecasts(machine, plan, &past.records)
        };
        self.judged(intent, manner, costs)
    }

    /// What is proposed; what its steps cost is told by this, since trying that out takes time.
    fn judged(
        &self,
        intent: &Intent,
        manner: &Manner,
        costs: impl FnOnce(&Machine<'_>, &Plan, &Past) -> Vec<Forecast>,
    ) -> Result<Proposal, Failure> {
        if let Some(why) = bounds::hindrance(manner.limits, &self.root) {
            return Err(Failure::Usage(format!("a limit on waits {why}")));
        }
        let machine = Machine::of(&self.root);
        let Wanted { mut plan, undoes, goals, said } = self.plan(&machine, intent)?;
        if manner.lasting {
            last(&mut plan, &machine, &goals)?;
        }
        let mut checks = machine.checks(&plan, &manner.taken);
        checks.extend(said);
        // What cannot be read tells of nothing.
        let past =
            self.read().unwrap_or_else(|_| Past { records: Vec::new(), boot: String::new() });
        let undone = past.records.iter().find(|record| Some(record.plan) == undoes);
        if let Some(undone) = undone {
            let known = (past.records.as_slice(), past.boot.as_str());
            checks.extend(check::past(&plan, undone, known, &manner.taken));
        }
        if *intent == Intent::Recover {
            // It only puts on what was on: nothing stands against that but missing rights.
            checks.retain(|check| check.id == "rights");
        }
        let costs = costs(&machine, &plan, &past);
        Ok(Proposal {
            intent: wish::settled(intent, &plan),
            manner: manner.clone(),
            can_last: !goals.is_empty(),
            next: next::pages(&machine, &plan),
            plan,
            undoes,
            checks,
            costs,
            load: None,
        })
    }

    /// Do what was confirmed, on the machine as it is now: what was checked may have changed.
    fn change(
        &self,
        proposal: &Proposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<Outcome, Failure> {
        let Proposal { intent, manner, plan, undoes, .. } = proposal;
        let lock = change::lock(&self.root, &plan.title)?;
        // What was told of its costs stands.
        let again = self.judged(intent, manner, |_, _, _| proposal.costs.clone())?;
        if !again.plan.is_like(plan) {
            return Err(Failure::Busy(
                "swap was changed since the plan was made: have it made anew".to_owned(),
            ));
        }
        if let Some(check) = again.checks.iter().find(|it| it.verdict == Verdict::Refuse) {
            return Err(Failure::Busy(format!("not any more: {}", check.text)));
        }
        let open = self.read()?;
        let (root, journal) = (&self.root, self.journal.as_path());
        let context = ExecutionContext { root, lock: &lock, journal, limits: manner.limits };
        let outcome = if plan.steps.is_empty() {
            let last = open.records.last().map_or(0, |record| record.plan);
            // Only who recovers wants the order of plans that were cut off.
            let ordered =
                (*intent == Intent::Recover).then(|| change::put_back_after_cut(context, last));
            ordered.flatten().unwrap_or_else(|| Outcome::of(last, End::Recovered, None))
        } else {
            change::carry_out((plan, *undoes), context, monitor)?.beside(&proposal.costs)
        };
        if *intent == Intent::Recover && matches!(outcome.end, End::Done | End::Recovered) {
            let records = open.records.iter().filter(|record| record.is_open(&open.boot));
            let eyes = Eyes::of(&self.root);
            history::close(&self.journal, &open.boot, &records.collect::<Vec<_>>(), &eyes)?;
        }
        Ok(outcome)
    }
}

impl Changer for Door {
    fn barred(&self) -> Option<String> {
        if !self.root.is_live() {
            return Some("a captured tree cannot be changed".to_owned());
        }
        let rights = check::rights(&change::look(&self.root, PartSet::NONE));
        (rights.verdict == Verdict::Refuse)
            .then(|| "changing swap needs root (CAP_SYS_ADMIN)".to_owned())
    }

    fn propose(&self, intent: &Intent, manner: &Manner) -> Result<Proposal, String> {
        let proposal = if let Intent::Load(form) = intent {
            self.weighed(form)
        } else {
            self.proposal(intent, manner)
        };
        proposal.map_err(|failure| failure.to_string())
    }

    fn carry_out(
        &self,
        proposal: &Proposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<Outcome, String> {
        self.change(proposal, monitor).map_err(|failure| failure.to_string())
    }

    fn past(&self) -> Result<Past, String> {
        self.read().map_err(|failure| failure.to_string())
    }
}
