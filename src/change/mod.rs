//! Changes on this machine: what is wanted meets the machine as it is, and is carried out. The
//! command line and the terminal interface both come through here.

mod eyes;

pub use eyes::Eyes;

use crate::actions::Step;
use crate::actions::check::{self, Beside, Check};
use crate::actions::journal::Journal;
use crate::actions::plan::{self, Plan};
use crate::actions::run::{Outcome, Runner, Watcher};
use crate::clock::Clock;
use crate::model::activation::Discard;
use crate::model::candidate::Candidate;
use crate::model::disk::Held;
use crate::model::swaparea::SwapArea;
use crate::model::uuid::Uuid;
use crate::model::{Missing, Name, Part, PartSet, Reading, Snapshot};
use crate::probes::{self, candidate, kmsg};
use crate::root::Root;
use crate::sys::{self, Lock, Real};
use std::io;
use std::path::{Path, PathBuf};

/// What is looked at before anything is changed.
const PARTS: [Part; 11] = [
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
];

/// Why a change cannot even be tried.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The root is a captured tree.
    #[error("a captured tree cannot be changed: --dry-run shows the plan")]
    Captured,
    /// Somebody else is changing swap.
    #[error("another swapadm is changing swap ({0})")]
    Held(String),
    /// A file of our own cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// What everything depends on cannot be read.
    #[error("{}", .0.why())]
    Missing(Missing),
}

/// The machine as a plan is made for it.
#[derive(Debug)]
pub struct Machine<'a> {
    /// Where it is.
    pub root: &'a Root,
    /// How it looks.
    pub snapshot: Snapshot,
    /// How the areas discard, as far as that is known.
    discards: Vec<Reading<Discard>>,
    /// The areas of which it is not.
    unknown: Vec<Name>,
}

impl<'a> Machine<'a> {
    /// Look at it.
    #[must_use]
    pub fn of(root: &'a Root) -> Self {
        let snapshot = look(root);
        let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
        let discards = kmsg::discards(root, areas);
        let pairs = areas.iter().zip(&discards);
        let unknown = pairs.filter(|(_, discard)| discard.known().is_none());
        let unknown = unknown.map(|(area, _)| area.path.clone()).collect();
        Self { root, snapshot, discards, unknown }
    }

    /// The active areas.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn areas(&self) -> Result<&[SwapArea], Failure> {
        match self.snapshot.swaps.reading.get() {
            Ok(areas) => Ok(areas),
            Err(missing) => Err(Failure::Missing(missing.clone())),
        }
    }

    /// How areas discard. What the log has lost, nobody asked for as a rule; a check says so.
    ///
    /// # Errors
    /// When the areas cannot be read.
    pub fn discards(&self) -> Result<impl Fn(&SwapArea) -> Discard + '_, Failure> {
        let areas = self.areas()?;
        Ok(move |area: &SwapArea| {
            let place = areas.iter().position(|other| other.path == area.path);
            let known = place.and_then(|place| self.discards.get(place)?.known().copied());
            known.unwrap_or(Discard::None)
        })
    }

    /// What is to be said of a plan, with risks that are taken by name.
    #[must_use]
    pub fn checks(&self, plan: &Plan, taken: &[String]) -> Vec<Check> {
        self.checks_on(&self.snapshot, plan, taken)
    }

    /// The same on the machine as it looks now.
    #[must_use]
    pub fn checks_again(&self, plan: &Plan, taken: &[String]) -> Vec<Check> {
        self.checks_on(&look(self.root), plan, taken)
    }

    fn checks_on(&self, snapshot: &Snapshot, plan: &Plan, taken: &[String]) -> Vec<Check> {
        let put_on = plan.steps.iter().filter_map(Step::put_on);
        let is_there = put_on.filter(|area| !plan::formats(plan, &area.path));
        let candidates: Vec<Candidate> =
            is_there.map(|area| candidate::read(self.root, &area.path)).collect();
        let reset = plan.steps.iter().filter_map(Step::is_reset);
        let zram: Vec<Held> = reset.map(|number| probes::held::read(self.root, number)).collect();
        check::checks(
            plan,
            snapshot,
            Beside { candidates: &candidates, zram: &zram, unknown: &self.unknown, taken },
        )
    }
}

fn look(root: &Root) -> Snapshot {
    probes::sample(root, &Clock::Real, PARTS.into_iter().collect::<PartSet>())
}

/// Take the lock on changes, or say who has it.
///
/// # Errors
/// When somebody else has it, or it cannot be asked for.
pub fn lock(root: &Root, title: &str) -> Result<Lock, Failure> {
    if !root.is_live() {
        return Err(Failure::Captured);
    }
    let path = root.lock_file();
    let word = format!("pid {}: {title}", std::process::id());
    Lock::take(&path, &word).map_err(|held| match held {
        sys::Held::By(who) => Failure::Held(crate::model::name::safe_text(&who)),
        sys::Held::Failed(error) => Failure::File { path, error },
    })
}

/// Carry a plan out, which may take another back; says which plan of the journal it is.
///
/// # Errors
/// When it cannot even be begun.
pub fn carry_out(
    (plan, undoes): (&Plan, Option<u64>),
    (root, lock): (&Root, &Lock),
    journal: &Path,
    watcher: &mut dyn Watcher,
) -> Result<(u64, Outcome), Failure> {
    let sys = Real::of(root, lock).ok_or(Failure::Captured)?;
    let opened = Journal::open(journal, &boot(root)?);
    let mut journal = opened.map_err(|error| Failure::File { path: journal.to_owned(), error })?;
    let number = journal.plan();
    let mut runner = Runner {
        sys: &sys,
        look: &Eyes::of(root),
        journal: &mut journal,
        clock: &Clock::Real,
        watcher,
    };
    Ok((number, runner.run(plan, undoes)))
}

/// A UUID that nobody has. The kernel makes it, whatever machine is looked at.
///
/// # Errors
/// When the kernel does not.
pub fn new_uuid() -> Result<Uuid, Failure> {
    let made = Root::live().line("proc/sys/kernel/random/uuid");
    let made = made.into_result().map_err(Failure::Missing)?;
    Uuid::parse(&made).map_err(|why| Failure::Missing(Missing::failed(why)))
}

/// Which start of the machine this is.
///
/// # Errors
/// When the kernel does not say.
pub fn boot(root: &Root) -> Result<String, Failure> {
    root.line("proc/sys/kernel/random/boot_id").into_result().map_err(Failure::Missing)
}
