//! Changes on this machine: a request is planned on the machine as it is, checked and executed. The
//! command line and the terminal interface both use this module.

mod boot_config;
mod draft;
pub mod drain_estimate;
mod execute;
pub mod find;
pub mod format;
mod fstab;
pub mod intent;
mod machine;
mod move_pages;
mod order;
pub mod propose;
pub mod rebalance;
pub mod setup;
mod simulated;
pub mod state;
mod target;
pub mod what_if;
pub mod zram;

pub use boot_config::{BootConfig, why_config_unreadable, why_settings_unknown};
pub use execute::{
    ExecutionContext, IfChanged, execute, execute_replanned, execute_temporarily, plan_again,
};
pub use fstab::SwaponOptions;
pub use intent::{Intent, Setting};
pub use machine::ObservedMachine;
pub use move_pages::ReclaimSource;
pub use order::{OrderRepair, repair_after_interruption};
pub use propose::{ExecutionOptions, Proposal, propose, propose_rebalance};
pub use simulated::SimulatedTarget;
pub use target::{ChangeTarget, LiveMachine};

use crate::actions::check::Check;
use crate::actions::journal::{self, JournalStore};
use crate::actions::plan::PlanRefusal;
use crate::clock::Clock;
use crate::model::format::Uuid;
use crate::model::kernel::Access;
use crate::model::name::{explain_os_error, safe_text};
use crate::model::{Missing, Reading};
use crate::probes;
use crate::root::Root;
use crate::sys::{self, Lock};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a change, or a run of the lab, cannot be tried.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The root is a captured tree.
    #[error("a captured tree cannot be changed; to see the plan: --dry-run")]
    Captured,
    /// Another process is changing swap.
    #[error("another swapadm is changing swap ({0})")]
    Held(String),
    /// A file of swapadm cannot be used.
    #[error("{}: {}", safe_text(&path.to_string_lossy()), safe_text(what))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The error.
        what: String,
    },
    /// A required value cannot be read.
    #[error("{}", .0.why())]
    Missing(Missing),
    /// A required value cannot be read, with advice.
    #[error("{0}")]
    Unreadable(String),
    /// The request makes no sense, here or anywhere.
    #[error("{0}")]
    Usage(String),
    /// The change is not possible on this machine.
    #[error("{0}")]
    Refused(String),
    /// The change is not possible now.
    #[error("{0}")]
    Busy(String),
}

/// The value of an attempt at a change, or why it cannot be tried.
pub type ChangeAttempt<T> = Result<T, ChangeError>;

impl From<PlanRefusal> for ChangeError {
    fn from(refusal: PlanRefusal) -> Self {
        Self::Usage(refusal.to_string())
    }
}

impl From<Missing> for ChangeError {
    fn from(missing: Missing) -> Self {
        Self::Missing(missing)
    }
}

impl ChangeError {
    /// An error of a file.
    pub fn file(path: &Path, what: impl std::fmt::Display) -> Self {
        Self::File { path: path.to_owned(), what: explain_os_error(&what.to_string()) }
    }
}

/// The lock and the journal of changes: of the machine, or of an unprivileged user who changes own
/// files.
#[derive(Clone, Debug)]
pub struct Ledger {
    lock: PathBuf,
    /// The journal.
    pub journal: JournalStore,
    /// Does it belong to a user instead of the machine?
    pub is_private: bool,
}

impl Ledger {
    /// The ledger of the machine; `journal` replaces its usual path.
    pub fn for_machine(root: &Root, journal: Option<&Path>) -> Self {
        let journal = journal.map_or_else(|| root.journal_file(), Path::to_owned);
        Self { lock: root.lock_file(), journal: JournalStore::File(journal), is_private: false }
    }

    /// The ledger of the machine, or, for an unprivileged user, one in the folder `state`. The lock
    /// is never in `XDG_RUNTIME_DIR`, which cron and su do not set: a user would have two locks.
    pub fn choose(root: &Root, journal: Option<&Path>, state: Option<&Path>) -> Self {
        let is_ordinary = || {
            let rights = probes::access::rights(root);
            root.is_live() && rights.known().is_some_and(Access::is_unprivileged_user)
        };
        match state.filter(|_| is_ordinary()) {
            Some(state) => Self {
                lock: state.join("lock"),
                journal: JournalStore::File(
                    journal.map_or_else(|| state.join("journal.jsonl"), Path::to_owned),
                ),
                is_private: true,
            },
            None => Self::for_machine(root, journal),
        }
    }

    /// Whether another swapadm is making a change.
    pub fn is_held(&self, root: &Root) -> bool {
        root.is_locked(&self.lock) == Reading::Known(true)
    }

    /// Takes the lock on changes; the error says who holds it.
    pub fn lock(&self, root: &Root, title: &str) -> ChangeAttempt<Lock> {
        if !root.is_live() {
            return Err(ChangeError::Captured);
        }
        let path = self.lock.clone();
        if let Some(folder) = path.parent().filter(|_| self.is_private)
            && let Err(error) = sys::own_file::create_folders(folder)
        {
            return Err(ChangeError::file(folder, error));
        }
        Lock::take(&path, title).map_err(|held| match held {
            sys::LockError::HeldBy(who) => ChangeError::Held(safe_text(&who)),
            sys::LockError::Failed(error) => ChangeError::file(&path, error),
        })
    }

    /// Takes the lock, and waits this long for another process to release it. `pause` waits a moment
    /// before the next try, and says whether to give up.
    pub fn lock_within(
        &self,
        (root, title): (&Root, &str),
        wait: Duration,
        mut pause: impl FnMut() -> bool,
    ) -> ChangeAttempt<Lock> {
        let begun = Clock::Real.now();
        loop {
            let who = match self.lock(root, title) {
                Err(ChangeError::Held(who)) => who,
                other => return other,
            };
            if Clock::Real.now().seconds_since(begun) >= wait.as_secs_f64() {
                return Err(ChangeError::Held(who));
            }
            if pause() {
                return Err(ChangeError::Busy(format!("interrupted while waiting for {who}")));
            }
        }
    }
}

/// Takes the lock on changes of the machine; the error says who holds it.
pub fn lock(root: &Root, title: &str) -> ChangeAttempt<Lock> {
    Ledger::for_machine(root, None).lock(root, title)
}

/// A new random UUID from the running kernel, even for a captured machine.
pub fn new_uuid() -> ChangeAttempt<Uuid> {
    let made = Root::live().line("proc/sys/kernel/random/uuid");
    Uuid::parse(&made.into_result()?).map_err(|why| ChangeError::Missing(Missing::failed(why)))
}

/// Fails if temporary changes of a killed run are still in effect, and says how to undo them. The
/// caller holds the lock, so no run is active.
pub fn check_no_temporary_leftovers(root: &Root, journal: &JournalStore) -> Result<(), String> {
    let (Ok(boot), Ok(records)) = (boot(root), journal::read(journal)) else { return Ok(()) };
    match records.iter().rev().find(|record| record.is_temporary && record.is_open(&boot)) {
        Some(record) => Err(format!(
            "temporary changes of an earlier run are still in effect and would distort measurements (journal {}): run swapadm recover to undo them",
            record.plan
        )),
        None => Ok(()),
    }
}

/// The check for temporary leftovers, for callers without the lock: while somebody holds it, a run
/// may still be active.
pub fn temporary_leftovers_check(root: &Root, journal: &JournalStore) -> Option<Check> {
    let why = check_no_temporary_leftovers(root, journal).err()?;
    let _held = lock(root, "check for temporary changes").ok()?;
    Some(Check::refuse("temporary", why))
}

/// The boot ID of the machine.
pub fn boot(root: &Root) -> ChangeAttempt<String> {
    Ok(root.line("proc/sys/kernel/random/boot_id").into_result()?)
}
