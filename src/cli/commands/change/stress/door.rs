//! Loads for the interface: the same wishes, checks, lock, journal and results as those of the
//! command.

use super::super::{Door, cages};
use super::{checks, show, wishes};
use crate::actions::Step;
use crate::actions::check::{Check, Verdict};
use crate::actions::estimate::{Forecast, Past};
use crate::actions::plan::Plan;
use crate::actions::run::{Go, Watcher};
use crate::change::{self, Machine};
use crate::cli::args::stress::{RunArgs, StressCommand};
use crate::cli::args::{Cli, Command};
use crate::cli::commands::results::store::Store;
use crate::cli::exit::Failure;
use crate::derive::lab::Entry;
use crate::lab::conduct::{Came, Place, conduct};
use crate::lab::runs::{self, Onlooker};
use crate::lab::wish::Wish;
use crate::model::run::Run;
use crate::stress::builtin::builtin;
use crate::ui::change::{Intent, Manner, Proposal};
use crate::ui::lab::{Form, Glance, Laboratory, Load, Observer, Ran, Terms, of_fields};
use clap::Parser as _;

/// What is set on the screen, as the command takes it.
fn args(form: &Form) -> Result<RunArgs, Failure> {
    let words = ["swapadm", "stress", "run"].map(str::to_owned).into_iter().chain(form.words());
    let understood = Cli::try_parse_from(words).map_err(|error| {
        let told = error.to_string();
        let why = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Failure::Usage(why.to_owned())
    })?;
    match understood.command {
        Some(Command::Stress { command: StressCommand::Run(args), .. }) => Ok(*args),
        _ => Err(Failure::Usage(format!("{} runs no load", form.command()))),
    }
}

/// What is wrong with what was set, in the words of the screen.
fn told(failure: Failure) -> Failure {
    if let Failure::Usage(why) = failure { Failure::Usage(of_fields(&why)) } else { failure }
}

/// That there is nothing behind a captured tree that could run.
fn captured() -> Check {
    Check::new("captured", Verdict::Refuse, "a captured tree runs nothing")
}

/// A load on the machine as it is.
struct Wanted {
    wish: Wish,
    plan: Plan,
    checks: Vec<Check>,
}

impl Wanted {
    fn of(form: &Form, machine: &Machine<'_>) -> Result<Self, Failure> {
        let wish = args(form).and_then(|args| wishes::wish(&args, machine)).map_err(told)?;
        let plan = wish.plan(machine).map_err(Failure::Usage)?;
        let plan = Plan { title: format!("run the load {}", wish.title), ..plan };
        let told = |check: Check| Check { text: of_fields(&check.text), ..check };
        let captured = (!machine.root.is_live()).then(captured);
        let checks = checks(&wish, &plan, machine, &[]).into_iter().chain(captured);
        let checks = checks.map(told).collect();
        Ok(Self { wish, plan, checks })
    }

    fn terms(&self) -> Terms {
        let wish = &self.wish;
        Terms {
            runs: wish.workload.works.iter().map(|work| show::work_words(wish, work)).collect(),
            cage: show::cage_words(wish),
            limit: wish.limit,
            rails: wish.rails.words(wish.limit.is_some()),
            at_most: wish.rails.at_most,
        }
    }

    /// Is the same lent on a machine that is the same? What is drawn by chance differs.
    fn is_lent_like(&self, plan: &Plan) -> bool {
        let own = self.plan.steps.iter().map(Step::subject);
        self.plan.relies_on == plan.relies_on && own.eq(plan.steps.iter().map(Step::subject))
    }
}

impl Door {
    /// How a load would be run.
    pub(in crate::cli::commands::change) fn load(&self, form: &Form) -> Result<Proposal, Failure> {
        let machine = Machine::of(&self.root);
        let wanted = Wanted::of(form, &machine)?;
        let known = Past::of(&machine.snapshot, &[]);
        let cost = |step: &Step| Forecast::of(step, &known);
        Ok(Proposal {
            intent: Intent::Load(form.clone()),
            manner: Manner::default(),
            can_last: false,
            undoes: None,
            costs: wanted.plan.steps.iter().map(cost).collect(),
            load: Some(wanted.terms()),
            plan: wanted.plan,
            checks: wanted.checks,
        })
    }

    /// Run what was confirmed, on the machine as it is now: what was checked may have changed.
    fn conduct(
        &self,
        proposal: &Proposal,
        watcher: &mut dyn Watcher,
        observer: &mut dyn Observer,
    ) -> Result<Ran, Failure> {
        let Intent::Load(form) = &proposal.intent else {
            return Err(Failure::Usage("that is no load".to_owned()));
        };
        if !self.root.is_live() {
            return Err(Failure::Refused("a captured tree runs nothing".to_owned()));
        }
        let lends = !proposal.plan.steps.is_empty();
        let lock = lends.then(|| change::lock(&self.root, &proposal.plan.title)).transpose()?;
        if lends {
            change::nothing_lent(&self.root, &self.journal).map_err(Failure::Busy)?;
        }
        let wanted = Wanted::of(form, &Machine::of(&self.root))?;
        if let Some(check) = wanted.checks.iter().find(|it| it.verdict == Verdict::Refuse) {
            return Err(Failure::Busy(format!("not any more: {}", check.text)));
        }
        if !wanted.is_lent_like(&proposal.plan) {
            let why = "swap was changed since the plan was made: have it made anew";
            return Err(Failure::Busy(why.to_owned()));
        }
        cages::remove_quietly(&self.root);
        let place = Place { root: &self.root, lock: lock.as_ref(), journal: &self.journal };
        let mut eyes = Eyes(observer);
        let mut came = conduct((&wanted.wish, &wanted.plan), place, watcher, &mut eyes)?;
        Ok(self.told(&mut came))
    }

    /// Keep what was measured, and say how it ended.
    fn told(&self, came: &mut Came) -> Ran {
        let kept = came.run.as_mut().map(|run| {
            if run.is_empty() {
                return Err(show::NOTHING.to_owned());
            }
            self.store()?.keep(run).map_err(|failure| failure.to_string())
        });
        let unkept = kept.as_ref().and_then(|kept| kept.as_ref().err()).cloned();
        let words = show::ended(came, kept.and_then(Result::ok));
        let words = words.into_iter().chain(unkept).filter(|words| !words.is_empty());
        let well = super::exit(came) == crate::cli::exit::Exit::Done;
        let sentence = |words: String| words.trim_end_matches('.').to_owned() + ".";
        let told: Vec<String> = words.map(sentence).collect();
        Ran { told: told.join(" "), well, run: came.run.take() }
    }

    fn store(&self) -> Result<Store, String> {
        Store::of(&self.environment).map_err(|failure| failure.to_string())
    }
}

/// The eyes of the interface.
struct Eyes<'a>(&'a mut dyn Observer);

impl Onlooker for Eyes<'_> {
    fn see(&mut self, glance: &runs::Glance<'_>) -> Go {
        self.0.glance(Glance {
            repetition: glance.repetition,
            of: glance.of,
            phase: glance.phase,
            elapsed: glance.elapsed,
            through: glance.through,
            processes: glance.processes,
            areas: glance.areas.to_vec(),
            memory: glance.memory,
        })
    }
}

impl Laboratory for Door {
    fn loads(&self) -> Vec<Load> {
        let about = |known| show::about(known).ok();
        let load = |known: &'static crate::stress::builtin::Builtin| {
            Some(Load { name: known.name.to_owned(), about: about(known)? })
        };
        builtin().filter_map(load).collect()
    }

    fn run(
        &self,
        proposal: &Proposal,
        watcher: &mut dyn Watcher,
        observer: &mut dyn Observer,
    ) -> Result<Ran, String> {
        self.conduct(proposal, watcher, observer).map_err(|failure| failure.to_string())
    }

    fn results(&self) -> Result<Vec<Entry>, String> {
        self.store()?.list().map_err(|failure| failure.to_string())
    }

    fn result(&self, id: u64) -> Result<Run, String> {
        self.store()?.run(id).map_err(|failure| failure.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::Tree;
    use crate::ui::lab::{FIELDS, Field};

    /// Every field is an option of the command, with what is usual there and what is typed.
    #[test]
    fn what_is_set_on_the_screen_is_what_the_command_takes() {
        let mut form = Form::of("usemem");
        form.set(Field::Zram, "2x64M");
        for info in FIELDS {
            for _ in 0..12 {
                form.turn(info.field, false);
                assert!(args(&form).is_ok(), "{}: {:?}", info.name, form.words());
            }
        }
        form.set(Field::Zram, "2x64M 1G");
        form.set(Field::Priority, "7");
        form.set(Field::Set, "page-cluster=0 swappiness=5");
        let args = args(&form).unwrap();
        assert_eq!((args.zram, args.priority.as_str()), (vec!["2x64M".into(), "1G".into()], "7"));
        assert_eq!(args.set, ["page-cluster=0", "swappiness=5"]);
    }

    #[test]
    fn what_is_refused_names_fields_and_no_options() {
        let meminfo = "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n";
        let swaps = "Filename\tType\tSize\tUsed\tPriority\n";
        let tree = Tree::with(&[("proc/meminfo", meminfo), ("proc/swaps", swaps)]);
        let root = tree.root();
        let machine = Machine::of(&root);
        let mut form = Form::of("usemem");
        let wanted = Wanted::of(&form, &machine).unwrap();
        let areas = wanted.checks.iter().find(|check| check.id == "areas").unwrap();
        let said = &areas.text;
        let captured = wanted.checks.iter().find(|check| check.id == "captured").unwrap();
        assert_eq!(captured.verdict, Verdict::Refuse);
        assert!(said.contains("field zram 1G") && said.contains("field file 1G"), "{said}");
        form.set(Field::Limit, "5");
        let why = Wanted::of(&form, &machine).err().unwrap().to_string();
        assert!(why.contains("field cage \"5\"") && !why.contains("--"), "{why}");
    }

    #[test]
    fn what_makes_no_sense_is_told_in_a_sentence() {
        let mut form = Form::of("usemem");
        form.set(Field::Repeat, "often");
        let why = args(&form).unwrap_err().to_string();
        assert!(why.contains("often") && !why.contains('\n'), "{why}");
    }
}
