//! Experiments for the interface: the same cases, checks, lock, journal and results as those of
//! the command.

use super::super::stress::door::{Again, Eyes, captured, proposal, sentences, told, understood};
use super::super::{Door, Limits};
use super::course::{Audience, Course, Made, Next, Work};
use super::onlooker::Way;
use super::ready::{Case, Ready};
use super::{kept, show};
use crate::actions::check::Check;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::Plan;
use crate::actions::run::Progress;
use crate::change::{self, Machine};
use crate::cli::args::Command;
use crate::cli::args::experiment::{ExperimentArgs, ExperimentCommand};
use crate::cli::exit::{Exit, Failure};
use crate::clock::Clock;
use crate::lab::experiment::{Published, table};
use crate::lab::library::UserFiles;
use crate::lab::run_with_setup::RunOutcome;
use crate::model::experiment::Experiment;
use crate::model::run::Ending;
use crate::ui::change::Proposal;
use crate::ui::lab::{self, Cases, Form, Found, Glance, Observer, Ran, Tables, Terms, of_fields};
use std::ops::ControlFlow;

/// What is set on the screen, as the command takes it.
fn args(form: &Form) -> Result<ExperimentArgs, Failure> {
    if let Command::Experiment(typed) = understood(form)?
        && let ExperimentCommand::Run(args) = typed.into_inner().command
    {
        return Ok(*args);
    }
    Err(Failure::Usage(format!("{} runs no experiment", form.command())))
}

/// The experiments that can be named, as the screen lists them.
pub(in crate::cli::commands::change) fn experiments(own: &UserFiles) -> Vec<lab::Load> {
    let (listed, _) = show::listed(own);
    listed.iter().map(show::Listed::entry).collect()
}

/// All that was measured, as the screen shows it.
pub(in crate::cli::commands::change) fn tables(
    experiment: &Experiment,
    published: Option<&Published>,
) -> Tables {
    Tables {
        id: experiment.id,
        title: experiment.title.clone(),
        question: experiment.question.clone(),
        parts: table::parts(experiment, None, None),
        published: published.map(|published| table::parts(experiment, Some(published), None)),
        runs: experiment.run_numbers(),
    }
}

/// An experiment on the machine as it is.
struct Wanted {
    ready: Ready,
    plan: Plan,
    checks: Vec<Check>,
    lends: bool,
}

impl Again for Wanted {
    const CHANGED: &str =
        "swap or the experiment was changed since this was planned: have it planned anew";

    fn of(form: &Form, own: &UserFiles, machine: &Machine<'_>) -> Result<Self, Failure> {
        let told = |failure| told(form.what, failure);
        let args = args(form).map_err(told)?;
        let limits = Limits::of_run(&args.change)?;
        let ready = Ready::of(&args, machine, limits, own).map_err(told)?;
        let captured = (!machine.root.is_live()).then(captured);
        let checks = ready.checks(machine).map_err(told)?.into_iter().chain(captured);
        let checks = checks.map(|it| Check { text: of_fields(form.what, &it.text), ..it });
        // All cases are planned on the same areas.
        let first = ready.cases.first().and_then(|case| case.lent(machine).ok());
        let relies_on = first.map(|lent| lent.relies_on).unwrap_or_default();
        let plan = Plan::none(format!("run the experiment {}", ready.plan.name));
        Ok(Self {
            plan: Plan { relies_on, ..plan },
            checks: checks.collect(),
            lends: ready.is_lent_anything(machine),
            ready,
        })
    }

    fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// Are the same cases lent the same on a machine that is the same? Sizes are shares of what is
    /// available, and that is never the same.
    fn is_like(&self, proposal: &Proposal) -> bool {
        let names = |case: &Case| case.values.name.clone();
        let cases = proposal.load.as_ref().and_then(|terms| terms.cases.as_ref());
        self.plan.relies_on == proposal.plan.relies_on
            && cases.is_some_and(|cases| {
                cases.lends == self.lends
                    && cases.names == self.ready.cases.iter().map(names).collect::<Vec<_>>()
            })
    }
}

impl Wanted {
    fn terms(&self) -> Terms {
        let cases = &self.ready.cases;
        Terms {
            runs: cases.iter().map(show::case_words).collect(),
            cage: show::cage_words(&self.ready),
            limit: None,
            rails: self.ready.rails(),
            at_most: self.ready.at_most(),
            cases: Some(Cases {
                names: cases.iter().map(|case| case.values.name.clone()).collect(),
                order: show::order_words(&self.ready),
                at_most: show::most_words(&self.ready),
                areas: show::areas_words(&self.ready),
                lends: self.lends,
            }),
        }
    }
}

impl Door {
    /// How an experiment would be run.
    pub(in crate::cli::commands::change) fn experiment(
        &self,
        form: &Form,
    ) -> Result<Proposal, Failure> {
        let wanted = Wanted::of(form, &self.environment.user_files(), &Machine::of(&self.root))?;
        let terms = wanted.terms();
        Ok(proposal(form, wanted.plan, terms, wanted.checks))
    }

    /// Run what was confirmed. The lock is held until the last run has given back what it was lent.
    pub(in crate::cli::commands::change) fn conduct_all(
        &self,
        (proposal, form): (&Proposal, &Form),
        monitor: &mut dyn Monitor<Progress>,
        observer: &mut dyn Observer,
    ) -> Result<Ran, Failure> {
        let (wanted, lock) = self.again::<Wanted>((proposal, form))?;
        let place = self.place(lock.as_ref());
        let mut screen = Screen { monitor, observer };
        let mut made = Course::new(place, &wanted.ready).run(&mut screen);
        let unkept = kept(&mut made.experiment, &wanted.ready, &self.environment).err();
        let published = wanted.ready.plan.published.as_ref();
        Ok(ran(&made, published, unkept.map(|failure| failure.to_string())))
    }
}

/// What came of all runs.
fn ran(made: &Made, published: Option<&Published>, unkept: Option<String>) -> Ran {
    let experiment = &made.experiment;
    let count = experiment.measured().count();
    let done = experiment.measured().filter(|measured| measured.end == Ending::Done).count();
    let runs = format!("{done} of {} runs came to their end", experiment.wanted());
    let early = experiment.why.as_ref().map(|why| format!("It ended early: {why}"));
    let kept = (experiment.id > 0).then(|| {
        let id = experiment.id;
        format!(
            "Kept as the result {id}, and the runs of its cases as {}",
            experiment.run_numbers()
        )
    });
    let unkept = unkept.map(|why| format!("Not all results are kept: {why}"));
    let words = [Some(runs), early, kept, unkept].into_iter().flatten();
    let told = sentences(words);
    let found = (count > 0).then(|| Found::Experiment(Box::new(tables(experiment, published))));
    Ran { found, told, well: made.exit() == Exit::Done }
}

/// The interface, looking on.
struct Screen<'a> {
    monitor: &'a mut dyn Monitor<Progress>,
    observer: &'a mut dyn Observer,
}

impl Audience for Screen<'_> {
    fn stops(&mut self) -> Option<StopReason> {
        self.observer.stops()
    }

    fn attend(&mut self, next: &Next<'_>, work: Work<'_>) -> Result<RunOutcome, change::Failure> {
        let Next { way, case, lent } = next;
        self.observer.begins(lab::Next {
            number: way.number(),
            of: way.all(),
            case: case.values.name.clone(),
            names: lent.steps.iter().map(|step| step.subject().safe()).collect(),
            limit: case.wish.limit,
            at_most: case.wish.rails.at_most,
        });
        let mut observer = OfAll { observer: self.observer, way };
        work(self.monitor, &mut Eyes(&mut observer))
    }
}

/// The interface, told of a run with the times of all runs.
struct OfAll<'a> {
    observer: &'a mut dyn Observer,
    way: &'a Way,
}

impl Observer for OfAll<'_> {
    fn glance(&mut self, glance: Glance) -> ControlFlow<StopReason> {
        self.observer.glance(Glance { far: self.way.far(&glance.far, Clock::Real.now()), ..glance })
    }

    fn begins(&mut self, next: lab::Next) {
        self.observer.begins(next);
    }

    fn stops(&mut self) -> Option<StopReason> {
        self.observer.stops()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::check::Verdict;
    use crate::cli::options::Environment;
    use crate::columns::text;
    use crate::derive::lab::Ended;
    use crate::lab::run_with_setup::RunContext;
    use crate::model::run::{Ending, Run};
    use crate::root::testing::Tree;
    use crate::ui::lab::{Field, What};

    #[test]
    fn what_is_typed_on_the_screen_is_what_the_command_takes() {
        let mut form = Form::of(What::Experiment, "readahead");
        form.set(Field::Scale, "0.25");
        form.set(Field::Only, "memory=shared page-cluster=0,3");
        form.set(Field::Kind, "file");
        let args = args(&form).unwrap();
        assert_eq!((args.scale, args.kind.as_deref()), (Some(0.25), Some("file")));
        assert_eq!(args.only, ["memory=shared", "page-cluster=0,3"]);
        assert_eq!(args.limit, None, "a scale takes the place of a limit");
    }

    fn wanted(form: &Form) -> Result<Wanted, Failure> {
        let meminfo = "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n";
        let swaps = "Filename\tType\tSize\tUsed\tPriority\n";
        let tree = Tree::with(&[
            ("machine.toml", "page_size = 4096\n"),
            ("proc/meminfo", meminfo),
            ("proc/swaps", swaps),
            ("sys/block/sda/size", "1000\n"),
            ("sys/class/zram-control/hot_add", "0\n"),
        ]);
        let root = tree.root();
        Wanted::of(form, &Environment::default().user_files(), &Machine::of(&root))
    }

    #[test]
    fn what_would_be_run_is_told_case_by_case() {
        let mut form = Form::of(What::Experiment, "balance");
        form.set(Field::Repeat, "2");
        let wanted = wanted(&form).unwrap();
        let terms = wanted.terms();
        let cases = terms.cases.unwrap();
        assert_eq!(cases.names, ["default", "equal", "distinct"]);
        assert!(terms.runs[1].starts_with("equal: usemem, "), "{:?}", terms.runs);
        assert!(cases.order.starts_with("each 2 times, 6 in all"), "{}", cases.order);
        assert!(cases.lends && terms.rails.len() > 2 && terms.at_most > 0.0);
        let areas = cases.areas.as_deref().unwrap_or_default();
        assert!(areas.starts_with("4 x ") && areas.ends_with(" on zram"), "{areas}");
        assert!(terms.cage.starts_with("each run in a cgroup of its own with "), "{}", terms.cage);
        let captured = wanted.checks.iter().find(|check| check.id == "captured").unwrap();
        assert_eq!(captured.verdict, Verdict::Refuse);
    }

    #[test]
    fn a_plan_is_as_wide_as_the_terminal() {
        let wanted = wanted(&Form::of(What::Experiment, "balance")).unwrap();
        let longest = |width| {
            let lines = show::plan(&wanted.ready, &wanted.checks, width);
            lines.iter().map(|line| text::width(line)).max().unwrap_or(0)
        };
        for width in [60, 80, 120] {
            let longest = longest(width);
            assert!((width - 12..=width).contains(&longest), "{longest} of {width}");
        }
    }

    /// Somebody who looks on, and may have asked for an end before the first run.
    struct Leaving {
        asks: bool,
        begun: usize,
    }

    impl Audience for Leaving {
        fn stops(&mut self) -> Option<StopReason> {
            self.asks.then_some(StopReason::Asked)
        }

        fn attend(&mut self, _: &Next<'_>, _: Work<'_>) -> Result<RunOutcome, change::Failure> {
            self.begun += 1;
            Ok(RunOutcome { run: None, lent: None })
        }
    }

    /// An experiment on a captured machine, on which each run is refused.
    fn made(leaving: &mut Leaving) -> Made {
        let mut form = Form::of(What::Experiment, "balance");
        form.set(Field::Repeat, "1");
        let wanted = wanted(&form).unwrap();
        let tree = Tree::with(&[("proc/swaps", "")]);
        let (root, journal) = (tree.root(), std::path::Path::new("none"));
        let place = RunContext { root: &root, lock: None, journal };
        Course::new(place, &wanted.ready).run(leaving)
    }

    #[test]
    fn no_run_begins_after_an_end_was_asked_for() {
        let mut leaving = Leaving { asks: true, begun: 0 };
        let made = made(&mut leaving);
        assert_eq!((leaving.begun, made.exit()), (0, Exit::Undone));
        assert_eq!(made.early, Some(Ended::Stopped));
        let ran = ran(&made, None, None);
        let told = "0 of 3 runs came to their end. It ended early: you stopped it.";
        assert_eq!((ran.told.as_str(), ran.well, ran.found), (told, false, None));
    }

    #[test]
    fn what_could_not_go_on_failed_and_was_not_stopped() {
        let mut made = made(&mut Leaving { asks: false, begun: 0 });
        assert_eq!((made.early, made.end()), (Some(Ended::Failed), None), "nothing ran");
        let text = include_str!("../../../../../tests/results/kept/1-before.json");
        let run: Run = serde_json::from_str(text).unwrap();
        assert!(run.measured.iter().all(|measured| measured.end == Ending::Done));
        made.experiment.cases[0].run = Some(run.clone());
        assert_eq!(made.end(), Some(Ended::Failed), "some of its runs");
        made.early = Some(Ended::Stopped);
        assert_eq!(made.end(), Some(Ended::Stopped));
        for case in &mut made.experiment.cases {
            case.run = Some(run.clone());
        }
        made.early = Some(Ended::Failed);
        assert_eq!(made.end(), Some(Ended::Failed), "not all was given back");
        made.early = None;
        assert_eq!(made.end(), Some(Ended::Done));
    }

    #[test]
    fn what_makes_no_sense_is_told_in_the_words_of_the_screen() {
        let why = |field, text: &str| {
            let mut form = Form::of(What::Experiment, "balance");
            form.set(field, text);
            wanted(&form).err().unwrap().to_string()
        };
        for (field, text, said) in [
            (Field::Limit, "5", "field cage \"5\""),
            (Field::Scale, "9999", "field scale 9999"),
            (Field::Only, "colour=red", "field only \"colour=red\": balance has no factor colour"),
            (Field::Kind, "paper", "field kind "),
            (Field::Repeat, "often", "often"),
        ] {
            let why = why(field, text);
            assert!(why.contains(said) && !why.contains("--"), "{why}");
        }
    }
}
