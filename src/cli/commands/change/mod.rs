//! Commands that change swap. What is wanted becomes a plan; all of them show it, check it, ask,
//! carry it out and tell what came of it in the same way.

mod consent;
mod find;
pub mod form;
pub mod history;
pub mod off;
pub mod on;
pub mod priority;
pub mod rebalance;
mod show;

use crate::actions::Step;
use crate::actions::check::{self, Beside, Check, Verdict};
use crate::actions::journal::{End, Journal};
use crate::actions::plan::Plan;
use crate::actions::run::{Outcome, Runner};
use crate::cli::args::ChangeArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{self, Environment};
use crate::cli::out::{self, Out};
use crate::clock::Clock;
use crate::model::activation::Discard;
use crate::model::candidate::Candidate;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Part, PartSet, Reading, Snapshot, name};
use crate::probes::{self, candidate, kmsg};
use crate::root::Root;
use crate::sys::{Held, Lock, Real};
use consent::Consent;
use show::{Looker, Story};
use std::path::PathBuf;
use std::time::Duration;

/// What is looked at before areas are changed.
const PARTS: [Part; 12] = [
    Part::Kernel,
    Part::Access,
    Part::Swaps,
    Part::Headers,
    Part::Meminfo,
    Part::Psi,
    Part::Block,
    Part::Zram,
    Part::Cgroups,
    Part::Config,
    Part::Knobs,
    Part::Numa,
];

/// A plan that was made longer ago is checked once more before it is carried out.
const OLD: f64 = 1.0;

/// The machine as a plan is made for it.
#[derive(Debug)]
struct Before<'a> {
    root: &'a Root,
    /// First of all: threads and helpers that begin later leave signals to it as well.
    interrupt: Interrupt,
    snapshot: Snapshot,
    /// How the areas discard, as far as that is known.
    discards: Vec<Reading<Discard>>,
    /// The areas of which it is not.
    unknown: Vec<Name>,
}

impl<'a> Before<'a> {
    fn of(root: &'a Root) -> Self {
        let interrupt = Interrupt::guard();
        let snapshot = look(root);
        let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
        let discards = kmsg::discards(root, areas);
        let pairs = areas.iter().zip(&discards);
        let unknown = pairs.filter(|(_, discard)| discard.known().is_none());
        let unknown = unknown.map(|(area, _)| area.path.clone()).collect();
        Self { root, interrupt, snapshot, discards, unknown }
    }

    /// The active areas.
    fn areas(&self) -> Result<&[SwapArea], Failure> {
        match self.snapshot.swaps.reading.get() {
            Ok(areas) => Ok(areas),
            Err(missing) => Err(Failure::Nothing(missing.why())),
        }
    }
}

fn look(root: &Root) -> Snapshot {
    probes::sample(root, &Clock::Real, PARTS.into_iter().collect::<PartSet>())
}

/// A plan on its way.
#[derive(Debug)]
struct Change<'a> {
    before: &'a Before<'a>,
    plan: Plan,
    /// The plan that it takes back.
    undoes: Option<u64>,
    /// Why it is made.
    story: Option<Story<'a>>,
    args: &'a ChangeArgs,
    environment: &'a Environment,
}

impl<'a> Change<'a> {
    /// A plan that takes no other back.
    fn of(
        before: &'a Before<'a>,
        plan: Plan,
        args: &'a ChangeArgs,
        environment: &'a Environment,
    ) -> Self {
        Self { before, plan, undoes: None, story: None, args, environment }
    }

    /// Show the plan, and carry it out if that is wanted and nothing stands against it.
    fn run(&self) -> Result<Exit, Failure> {
        let limits = Limits::of(self.args, self.before.root)?;
        let mut out = Out::new();
        if self.plan.steps.is_empty() {
            show::nothing(&mut out, &self.plan, self.args.json)?;
            return Ok(Exit::Done);
        }
        let mut checks = self.checks(&self.before.snapshot);
        if let Err(failure) = self.show(&mut out, &checks)
            && !self.args.yes
        {
            // Nobody reads what is asked.
            return Err(Failure::Busy(format!("nothing was done: {failure}")));
        }
        if check::refuses(&checks) {
            self.tell(&mut out, &checks, None);
            return Ok(Exit::Refused);
        }
        match consent::ask(self.args, self.environment, &self.before.interrupt)? {
            Consent::Given => {}
            Consent::OnlyShown => {
                self.finish(&mut out, &checks, None)?;
                return Ok(Exit::Done);
            }
            Consent::Refused => {
                out::remark("nothing was done");
                return Ok(Exit::Refused);
            }
        }
        let held = lock(self.before, &self.plan.title, limits.wait)?;
        if Clock::Real.now().seconds_since(self.before.snapshot.stamp) > OLD {
            checks = self.checks(&look(self.before.root));
            if let Some(why) = checks.iter().find(|check| check.verdict == Verdict::Refuse) {
                return Err(Failure::Busy(format!("not any more: {}", why.text)));
            }
        }
        let outcome = self.carry_out(&limits, &held)?;
        self.tell(&mut out, &checks, Some(&outcome));
        Ok(exit_of(outcome.1.end))
    }

    /// What is to be said of the plan on a machine that looks like this.
    fn checks(&self, snapshot: &Snapshot) -> Vec<Check> {
        let put_on = self.plan.steps.iter().filter(|step| !matches!(step, Step::Off { .. }));
        let candidates: Vec<Candidate> =
            put_on.map(|step| candidate::read(self.before.root, step.path())).collect();
        let (unknown, taken) = (&self.before.unknown, &self.args.force);
        check::checks(&self.plan, snapshot, Beside { candidates: &candidates, unknown, taken })
    }

    /// Show the plan to a person.
    fn show(&self, out: &mut Out, checks: &[Check]) -> Result<(), Failure> {
        if self.args.json {
            return Ok(());
        }
        show::findings(out, self.story.map_or(&[], |story| story.findings))?;
        show::plan(out, &self.plan, checks, &self.before.snapshot)
    }

    /// Carry it out; says which plan of the journal it is.
    fn carry_out(&self, limits: &Limits, lock: &Lock) -> Result<(u64, Outcome), Failure> {
        let root = self.before.root;
        let Some(sys) = Real::of(root, lock) else {
            let why = "a captured tree cannot be changed: --dry-run shows the plan";
            return Err(Failure::Usage(why.to_owned()));
        };
        let path = place(root, self.environment);
        let opened = Journal::open(&path, &history::boot(root)?);
        let mut journal = opened.map_err(|error| Failure::file(&path, error))?;
        let number = journal.plan();
        let around = (root, &self.before.interrupt);
        let mut looker = Looker::new(&self.plan, around, *limits, self.environment);
        let mut runner = Runner {
            sys: &sys,
            look: &|| probes::swaps::read(root),
            journal: &mut journal,
            clock: &Clock::Real,
            watcher: &mut looker,
        };
        let outcome = runner.run(&self.plan, self.undoes);
        looker.clear();
        Ok((number, outcome))
    }

    /// Tell what came of it. That nobody reads it changes nothing of that.
    fn tell(&self, out: &mut Out, checks: &[Check], outcome: Option<&(u64, Outcome)>) {
        match self.finish(out, checks, outcome) {
            Ok(()) | Err(Failure::BrokenPipe) => {}
            Err(failure) => out::complain(&failure.to_string()),
        }
    }

    fn finish(
        &self,
        out: &mut Out,
        checks: &[Check],
        outcome: Option<&(u64, Outcome)>,
    ) -> Result<(), Failure> {
        if self.args.json {
            let mut document = show::document(&self.plan, checks, outcome);
            document.story = self.story;
            return out.json(&document, true);
        }
        let Some((number, outcome)) = outcome else { return Ok(()) };
        let areas = probes::swaps::read(self.before.root);
        let areas = areas.known().map_or(&[][..], Vec::as_slice);
        show::outcome(out, &self.plan, *number, outcome, areas)
    }
}

/// When it gives up.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    timeout: Option<Duration>,
    max_psi: Option<f64>,
    wait: Duration,
}

impl Limits {
    fn of(args: &ChangeArgs, root: &Root) -> Result<Self, Failure> {
        let time = |option: &str, text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => options::duration(text).map(Some).ok_or_else(|| {
                Failure::Usage(format!("--{option} \"{text}\" is no time: such as 90, 500ms or 5m"))
            }),
        };
        let max_psi = args.max_psi.as_deref().map(|text| {
            let share = text.trim_end_matches('%').parse::<f64>().ok();
            share.filter(|share| (0.0..=100.0).contains(share)).ok_or_else(|| {
                Failure::Usage(format!("--max-psi \"{text}\" is no percentage from 0 to 100"))
            })
        });
        if args.max_psi.is_some()
            && let Some(missing) = probes::psi::read(root).missing()
        {
            return Err(Failure::Usage(format!("--max-psi cannot be kept: {}", missing.why())));
        }
        Ok(Self {
            timeout: time("timeout", &args.timeout)?,
            max_psi: max_psi.transpose()?,
            wait: time("wait", &args.wait)?.unwrap_or_default(),
        })
    }
}

/// How often it is asked whether the lock is free.
const ASK: Duration = Duration::from_millis(100);

/// Take the lock, or say who has it.
fn lock(before: &Before<'_>, title: &str, wait: Duration) -> Result<Lock, Failure> {
    if !before.root.is_live() {
        let why = "a captured tree cannot be changed: --dry-run shows the plan";
        return Err(Failure::Usage(why.to_owned()));
    }
    let path = before.root.lock_file();
    let word = format!("pid {}: {title}", std::process::id());
    let begun = Clock::Real.now();
    loop {
        let who = match Lock::take(&path, &word) {
            Ok(lock) => return Ok(lock),
            Err(Held::Failed(error)) => return Err(Failure::file(&path, error)),
            Err(Held::By(who)) => name::safe_text(&who),
        };
        if Clock::Real.now().seconds_since(begun) >= wait.as_secs_f64() {
            return Err(Failure::Busy(format!(
                "another swapadm is changing swap ({who}); wait for it with --wait 60"
            )));
        }
        if before.interrupt.within(ASK) {
            return Err(Failure::Busy(format!("interrupted while waiting for {who}")));
        }
    }
}

/// Where the journal is.
fn place(root: &Root, environment: &Environment) -> PathBuf {
    environment.journal.clone().unwrap_or_else(|| root.journal_file())
}

fn exit_of(end: End) -> Exit {
    match end {
        End::Done | End::Recovered => Exit::Done,
        End::Undone => Exit::Undone,
        End::Partial => Exit::Partial,
    }
}

/// How areas discard. What the log has lost, nobody asked for as a rule; a check says so.
fn discards<'b>(before: &'b Before<'_>) -> Result<impl Fn(&SwapArea) -> Discard + 'b, Failure> {
    let areas = before.areas()?;
    Ok(move |area: &SwapArea| {
        let place = areas.iter().position(|other| other.path == area.path);
        let known = place.and_then(|place| before.discards.get(place)?.known().copied());
        known.unwrap_or(Discard::None)
    })
}
