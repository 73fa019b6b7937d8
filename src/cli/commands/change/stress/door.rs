//! Loads for the interface: the same wishes, checks, lock, journal and results as those of the
//! command.

use super::super::{Door, cages, experiment};
use super::{checks, show, wishes};
use crate::actions::Step;
use crate::actions::check::{Check, Verdict};
use crate::actions::estimate::{Forecast, Past};
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::Plan;
use crate::actions::run::Progress;
use crate::change::{self, Machine};
use crate::cli::args::stress::{RunArgs, StressCommand};
use crate::cli::args::{Cli, Command};
use crate::cli::exit::Failure;
use crate::derive::lab::{Entry, comparable};
use crate::lab::experiment::builtin;
use crate::lab::library::UserFiles;
use crate::lab::run_spec::RunSpec;
use crate::lab::run_with_setup::{RunContext, RunOutcome, run_with_setup};
use crate::lab::runs::{self, Onlooker};
use crate::lab::store::Store;
use crate::model::kept::Kept;
use crate::sys::Lock;
use crate::ui::change::{Intent, Manner, Proposal};
use crate::ui::lab::{
    Compared, Form, Found, Glance, Laboratory, Load, Observer, Pair, Ran, Terms, What, of_fields,
};
use clap::Parser as _;
use std::ops::ControlFlow;

/// What is set on the screen, as the command takes it.
fn args(form: &Form) -> Result<RunArgs, Failure> {
    if let Command::Stress(typed) = understood(form)?
        && let StressCommand::Run(args) = typed.into_inner().command
    {
        return Ok(*args);
    }
    Err(Failure::Usage(format!("{} runs no load", form.command())))
}

/// The command that does what is set on the screen.
pub(in crate::cli::commands::change) fn understood(form: &Form) -> Result<Command, Failure> {
    let words = form.what.command().into_iter().map(str::to_owned).chain(form.words());
    let understood = Cli::try_parse_from(words).map_err(|error| {
        let told = error.to_string();
        let why = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Failure::Usage(why.to_owned())
    })?;
    understood.command.ok_or_else(|| Failure::Usage(format!("{} runs nothing", form.command())))
}

/// What is wrong with what was set, in the words of the screen.
pub(in crate::cli::commands::change) fn told(what: What, failure: Failure) -> Failure {
    if let Failure::Usage(why) = failure { Failure::Usage(of_fields(what, &why)) } else { failure }
}

/// That there is nothing behind a captured tree that could run.
pub(in crate::cli::commands::change) fn captured() -> Check {
    Check::new("captured", Verdict::Refuse, "a captured tree runs nothing")
}

/// What can be made anew from what is set on the screen, once it was confirmed.
pub(in crate::cli::commands::change) trait Again: Sized {
    /// What is told where it is not the same any more.
    const CHANGED: &str;

    /// On the machine as it is.
    fn of(form: &Form, own: &UserFiles, machine: &Machine<'_>) -> Result<Self, Failure>;

    /// What is to be said of it.
    fn checks(&self) -> &[Check];

    /// Is it what was confirmed, on a machine that is the same?
    fn is_like(&self, proposal: &Proposal) -> bool;
}

/// A load on the machine as it is.
struct Wanted {
    wish: RunSpec,
    plan: Plan,
    checks: Vec<Check>,
}

impl Again for Wanted {
    const CHANGED: &str = "swap was changed since the plan was made: have it made anew";

    fn of(form: &Form, own: &UserFiles, machine: &Machine<'_>) -> Result<Self, Failure> {
        let wish = args(form)
            .and_then(|args| wishes::wish(&args, own, machine))
            .map_err(|failure| told(form.what, failure))?;
        let plan = wish.plan(machine).map_err(Failure::Usage)?;
        let plan = Plan { title: format!("run the load {}", wish.title), ..plan };
        let told = |check: Check| Check { text: of_fields(form.what, &check.text), ..check };
        let captured = (!machine.root.is_live()).then(captured);
        let checks = checks(&wish, &plan, machine, &[]).into_iter().chain(captured);
        let checks = checks.map(told).collect();
        Ok(Self { wish, plan, checks })
    }

    fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// Is the same lent? What is drawn by chance differs.
    fn is_like(&self, proposal: &Proposal) -> bool {
        let lent = &proposal.plan;
        let own = self.plan.steps.iter().map(Step::subject);
        self.plan.relies_on == lent.relies_on && own.eq(lent.steps.iter().map(Step::subject))
    }
}

impl Wanted {
    fn terms(&self) -> Terms {
        let wish = &self.wish;
        Terms {
            runs: wish.workload.works.iter().map(|work| show::work_words(wish, work)).collect(),
            cage: show::cage_words(wish),
            limit: wish.limit,
            rails: wish.rails.words(wish.limit.is_some()),
            at_most: wish.rails.at_most,
            cases: None,
        }
    }
}

/// What is shown before anything is run.
pub(in crate::cli::commands::change) fn proposal(
    form: &Form,
    plan: Plan,
    terms: Terms,
    checks: Vec<Check>,
) -> Proposal {
    Proposal {
        intent: Intent::Load(form.clone()),
        manner: Manner::default(),
        can_last: false,
        next: None,
        undoes: None,
        costs: Vec::new(),
        load: Some(terms),
        plan,
        checks,
    }
}

/// Does anything stand against what was confirmed, on the machine as it is now?
fn stands_against(checks: &[Check]) -> Result<(), Failure> {
    match checks.iter().find(|check| check.verdict == Verdict::Refuse) {
        Some(check) => Err(Failure::Busy(format!("not any more: {}", check.text))),
        None => Ok(()),
    }
}

/// Each of these as a sentence.
pub(in crate::cli::commands::change) fn sentences(words: impl Iterator<Item = String>) -> String {
    let sentence = |words: String| words.trim_end_matches('.').to_owned() + ".";
    words.map(sentence).collect::<Vec<_>>().join(" ")
}

impl Door {
    /// How a load or an experiment would be run.
    pub(in crate::cli::commands::change) fn weighed(
        &self,
        form: &Form,
    ) -> Result<Proposal, Failure> {
        match form.what {
            What::Load => self.load(form),
            What::Experiment => self.experiment(form),
        }
    }

    fn load(&self, form: &Form) -> Result<Proposal, Failure> {
        let machine = Machine::of(&self.root);
        let wanted = Wanted::of(form, &self.environment.user_files(), &machine)?;
        let known = Past::of(&machine.snapshot, &[]);
        let cost = |step: &Step| Forecast::of(step, &known);
        let costs = wanted.plan.steps.iter().map(cost).collect();
        let terms = wanted.terms();
        Ok(Proposal { costs, ..proposal(form, wanted.plan, terms, wanted.checks) })
    }

    /// Run what was confirmed.
    fn conduct(
        &self,
        (proposal, form): (&Proposal, &Form),
        monitor: &mut dyn Monitor<Progress>,
        observer: &mut dyn Observer,
    ) -> Result<Ran, Failure> {
        let (wanted, lock) = self.again::<Wanted>((proposal, form))?;
        let place = self.place(lock.as_ref());
        let mut eyes = Eyes(observer);
        let mut came = run_with_setup((&wanted.wish, &wanted.plan), place, monitor, &mut eyes)?;
        Ok(self.told(&mut came))
    }

    /// What was confirmed, on the machine as it is now: what was checked may have changed. With the
    /// lock, under which that was looked at.
    pub(in crate::cli::commands::change) fn again<W: Again>(
        &self,
        (proposal, form): (&Proposal, &Form),
    ) -> Result<(W, Option<Lock>), Failure> {
        let lock = self.locked(proposal)?;
        let wanted = W::of(form, &self.environment.user_files(), &Machine::of(&self.root))?;
        stands_against(wanted.checks())?;
        if !wanted.is_like(proposal) {
            return Err(Failure::Busy(W::CHANGED.to_owned()));
        }
        cages::remove_quietly(&self.root);
        Ok((wanted, lock))
    }

    /// Where it is run.
    pub(in crate::cli::commands::change) fn place<'p>(
        &'p self,
        lock: Option<&'p Lock>,
    ) -> RunContext<'p> {
        RunContext { root: &self.root, lock, journal: &self.journal }
    }

    /// The lock, where something is lent: nothing may be that another run was lent.
    fn locked(&self, proposal: &Proposal) -> Result<Option<Lock>, Failure> {
        if !self.root.is_live() {
            return Err(Failure::Refused("a captured tree runs nothing".to_owned()));
        }
        if proposal.is_lent_nothing() {
            return Ok(None);
        }
        let lock = change::lock(&self.root, &proposal.plan.title)?;
        change::nothing_lent(&self.root, &self.journal).map_err(Failure::Busy)?;
        Ok(Some(lock))
    }

    /// Keep what was measured, and say how it ended.
    fn told(&self, came: &mut RunOutcome) -> Ran {
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
        let told = sentences(words);
        let found = came.run.take().map(|run| Found::Run(Box::new(run)));
        Ran { found, told, well }
    }

    fn store(&self) -> Result<Store, String> {
        self.environment.store().map_err(|failure| failure.to_string())
    }
}

/// The eyes of the interface.
pub(in crate::cli::commands::change) struct Eyes<'a>(
    pub(in crate::cli::commands::change) &'a mut dyn Observer,
);

impl Onlooker for Eyes<'_> {
    fn see(&mut self, glance: &runs::Glance<'_>) -> ControlFlow<StopReason> {
        self.0.glance(Glance {
            far: glance.far.clone(),
            areas: glance.areas.to_vec(),
            memory: glance.memory,
        })
    }
}

impl Laboratory for Door {
    fn loads(&self) -> Vec<Load> {
        let own = self.environment.user_files();
        let load = |load: &show::Load| {
            let (name, about) = (load.name.clone(), load.words());
            Load { what: What::Load, letter: None, name, about }
        };
        let experiments = experiment::door::experiments(&own).into_iter();
        experiments.chain(show::loads(&own).0.iter().map(load)).collect()
    }

    fn run(
        &self,
        proposal: &Proposal,
        monitor: &mut dyn Monitor<Progress>,
        observer: &mut dyn Observer,
    ) -> Result<Ran, String> {
        let Intent::Load(form) = &proposal.intent else {
            return Err("that is no load".to_owned());
        };
        let ran = match form.what {
            What::Experiment => self.conduct_all((proposal, form), monitor, observer),
            What::Load => self.conduct((proposal, form), monitor, observer),
        };
        ran.map_err(|failure| failure.to_string())
    }

    fn results(&self) -> Result<Vec<Entry>, String> {
        self.kept.list(&self.store()?).map_err(|failure| failure.to_string())
    }

    fn result(&self, id: u64) -> Result<Found, String> {
        let kept = self.store()?.read(id).map_err(|failure| failure.to_string())?;
        Ok(match kept {
            Kept::Run(run) => Found::Run(run),
            Kept::Experiment(it, beside) => {
                let published = builtin::published(&it, &beside);
                let tables = experiment::door::tables(&it, published.as_ref());
                Found::Experiment(Box::new(tables))
            }
        })
    }

    fn compare(&self, [first, second]: Pair) -> Result<Compared, String> {
        let store = self.store()?;
        let read = |id| store.read(id).map_err(|failure| failure.to_string());
        let (first, second) = (read(first)?, read(second)?);
        comparable(&first, &second)?;
        Ok(Box::new([first, second]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::options::Environment;
    use crate::columns::text;
    use crate::root::testing::Tree;
    use crate::ui::lab::Field;

    /// Every field is an option of the command, with what is usual there.
    #[test]
    fn what_is_set_on_the_screen_is_what_the_command_takes() {
        for (what, name) in [(What::Load, "usemem"), (What::Experiment, "readahead")] {
            let mut form = Form::of(what, name);
            form.set(Field::Zram, "2x64M");
            for info in what.fields() {
                for _ in 0..12 {
                    form.turn(info.field, false);
                    assert!(understood(&form).is_ok(), "{}: {:?}", info.name, form.words());
                }
            }
        }
    }

    #[test]
    fn what_is_typed_on_the_screen_is_what_the_command_takes() {
        let mut form = Form::of(What::Load, "usemem");
        form.set(Field::Zram, "2x64M 1G");
        form.set(Field::Priority, "7");
        form.set(Field::Set, "page-cluster=0 swappiness=5");
        let args = args(&form).unwrap();
        assert_eq!((args.zram, args.priority.as_str()), (vec!["2x64M".into(), "1G".into()], "7"));
        assert_eq!(args.set, ["page-cluster=0", "swappiness=5"]);
    }

    /// A machine without swap.
    fn tree() -> Tree {
        let meminfo = "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n";
        let swaps = "Filename\tType\tSize\tUsed\tPriority\n";
        Tree::with(&[("proc/meminfo", meminfo), ("proc/swaps", swaps)])
    }

    #[test]
    fn what_is_refused_names_fields_and_no_options() {
        let tree = tree();
        let root = tree.root();
        let machine = Machine::of(&root);
        let mut form = Form::of(What::Load, "usemem");
        let own = Environment::default().user_files();
        let wanted = Wanted::of(&form, &own, &machine).unwrap();
        let areas = wanted.checks.iter().find(|check| check.id == "areas").unwrap();
        let said = &areas.text;
        let captured = wanted.checks.iter().find(|check| check.id == "captured").unwrap();
        assert_eq!(captured.verdict, Verdict::Refuse);
        assert!(said.contains("field zram 1G") && said.contains("field file 1G"), "{said}");
        form.set(Field::Limit, "5");
        let why = Wanted::of(&form, &own, &machine).err().unwrap().to_string();
        assert!(why.contains("field cage \"5\"") && !why.contains("--"), "{why}");
    }

    #[test]
    fn a_plan_is_as_wide_as_the_terminal() {
        let tree = tree();
        let (root, own) = (tree.root(), Environment::default().user_files());
        let form = Form::of(What::Load, "usemem");
        let wanted = Wanted::of(&form, &own, &Machine::of(&root)).unwrap();
        for width in [60, 80, 120] {
            let lines = show::plan(&wanted.wish, &wanted.plan, &wanted.checks, width);
            let longest = lines.iter().map(|line| text::width(line)).max().unwrap_or(0);
            assert!((width - 12..=width).contains(&longest), "{longest} of {width}: {lines:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_told_in_a_sentence() {
        let mut form = Form::of(What::Load, "usemem");
        form.set(Field::Repeat, "often");
        let why = args(&form).unwrap_err().to_string();
        assert!(why.contains("often") && !why.contains('\n'), "{why}");
    }
}
