//! Changes on this machine: what is wanted meets the machine as it is, and is carried out. The
//! command line and the terminal interface both come through here.

mod draft;
mod execute;
pub mod drain_estimate;
mod live_view;
pub mod find;
pub mod format;
mod fstab;
pub mod intent;
mod boot_config;
mod machine;
mod order;
pub mod propose;
pub mod rebalance;
pub mod zram;

pub use execute::{ExecutionContext, IfChanged, execute, execute_temporarily, perform, plan_again};
pub use live_view::LiveMachine;
pub use fstab::SwaponOptions;
pub use intent::{Intent, Setting};
pub use boot_config::BootConfig;
pub use machine::ObservedMachine;
pub(crate) use machine::sample_parts;
pub use order::{OrderRepair, repair_after_interruption};
pub use propose::{ExecutionOptions, Proposal, propose, propose_rebalance};

use crate::actions::check::{Check, CheckVerdict};
use crate::actions::journal;
use crate::model::Missing;
use crate::model::format::Uuid;
use crate::model::kernel::Access;
use crate::probes;
use crate::root::Root;
use crate::sys::{self, Lock};
use std::io;
use std::path::{Path, PathBuf};

/// Why a change cannot even be tried.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
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
    /// What it depends on cannot be read, with what to do about that.
    #[error("{0}")]
    Unreadable(String),
    /// It makes no sense, on this machine or at all.
    #[error("{0}")]
    Usage(String),
    /// It cannot be done on this machine.
    #[error("{0}")]
    Refused(String),
    /// It cannot be done now.
    #[error("{0}")]
    Busy(String),
}

/// The lock and the journal of changes: of the machine, or of a user without rights on swap who
/// changes files of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    lock: PathBuf,
    /// The file of the journal.
    pub journal: PathBuf,
    /// Does it belong to a user, and not to the machine?
    pub is_private: bool,
}

impl Ledger {
    /// The ledger of the machine; `journal` replaces its usual path.
    pub fn for_machine(root: &Root, journal: Option<&Path>) -> Self {
        let journal = journal.map_or_else(|| root.journal_file(), Path::to_owned);
        Self { lock: root.lock_file(), journal, is_private: false }
    }

    /// The ledger of the machine, or, for a user without rights on swap, one in the folder `state`.
    /// The lock is never in `XDG_RUNTIME_DIR`, which cron and su do not set: a user would have two
    /// locks.
    pub fn choose(root: &Root, journal: Option<&Path>, state: Option<&Path>) -> Self {
        let is_ordinary = || {
            let rights = probes::access::rights(root);
            root.is_live() && rights.known().is_some_and(Access::is_unprivileged_user)
        };
        match state.filter(|_| is_ordinary()) {
            Some(state) => Self {
                lock: state.join("lock"),
                journal: journal.map_or_else(|| state.join("journal.jsonl"), Path::to_owned),
                is_private: true,
            },
            None => Self::for_machine(root, journal),
        }
    }

    /// Takes the lock on changes, or says who has it.
    ///
    /// # Errors
    /// When somebody else has it, or it cannot be asked for.
    pub fn lock(&self, root: &Root, title: &str) -> Result<Lock, ChangeError> {
        if !root.is_live() {
            return Err(ChangeError::Captured);
        }
        let path = self.lock.clone();
        if let Some(folder) = path.parent().filter(|_| self.is_private)
            && let Err(error) = sys::own_file::create_folders(folder)
        {
            return Err(ChangeError::File { path: folder.to_owned(), error });
        }
        let word = format!("pid {}: {title}", std::process::id());
        Lock::take(&path, &word).map_err(|held| match held {
            sys::LockError::HeldBy(who) => ChangeError::Held(crate::model::name::safe_text(&who)),
            sys::LockError::Failed(error) => ChangeError::File { path, error },
        })
    }
}

/// Take the lock on changes of the machine, or say who has it.
///
/// # Errors
/// When somebody else has it, or it cannot be asked for.
pub fn lock(root: &Root, title: &str) -> Result<Lock, ChangeError> {
    Ledger::for_machine(root, None).lock(root, title)
}

/// A UUID that nobody has. The kernel makes it, whatever machine is looked at.
///
/// # Errors
/// When the kernel does not.
pub fn new_uuid() -> Result<Uuid, ChangeError> {
    let made = Root::live().line("proc/sys/kernel/random/uuid");
    let made = made.into_result().map_err(ChangeError::Missing)?;
    Uuid::parse(&made).map_err(|why| ChangeError::Missing(Missing::failed(why)))
}

/// That somebody was killed who had lent a load something, which is there still; whoever asks holds
/// the lock, so that nobody is at it.
///
/// # Errors
/// That it is so, and what to do.
pub fn check_no_temporary_leftovers(root: &Root, path: &Path) -> Result<(), String> {
    let (Ok(boot), Ok(records)) = (boot(root), journal::read(path)) else { return Ok(()) };
    match records.iter().rev().find(|record| record.lent && record.is_open(&boot)) {
        Some(record) => Err(format!(
            "not all that was lent to an earlier run is given back, and what is measured now would tell of that as well (journal {}): swapadm recover gives it back",
            record.plan
        )),
        None => Ok(()),
    }
}

/// The same as a check, for whoever does not hold the lock: while somebody does, it is not known to
/// be left.
pub fn temporary_leftovers_check(root: &Root, path: &Path) -> Option<Check> {
    let why = check_no_temporary_leftovers(root, path).err()?;
    let _held = lock(root, "look at what is lent").ok()?;
    Some(Check::new("lent", CheckVerdict::Refuse, why))
}

/// Which start of the machine this is.
///
/// # Errors
/// When the kernel does not say.
pub fn boot(root: &Root) -> Result<String, ChangeError> {
    root.line("proc/sys/kernel/random/boot_id").into_result().map_err(ChangeError::Missing)
}
