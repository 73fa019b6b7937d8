//! Arguments of commands that make changes.

use super::HiddenSource as _;
use super::change_options::{ChangeOptions as _, staying_max_psi, staying_timeout};
use crate::actions::check::RISKS;
use crate::change::setup::MachineProfile;
use crate::model::activation::Discard;
use crate::model::worded_enum;
use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of all changes.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Changing", hide_recording())]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that is there or not")]
pub struct ChangeArgs {
    /// Show the plan, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    pub yes: bool,
    /// Print the plan and its outcome as JSON
    #[arg(long, short = 'J')]
    pub json: bool,
    /// Accept a risk that a check names
    #[arg(long, value_name = "RISK", value_parser = RISKS.map(|(risk, what)| PossibleValue::new(risk).help(what)))]
    pub force: Vec<String>,
    /// Also apply the change at boot
    #[arg(long)]
    pub persist: bool,
    /// Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer);
    /// data that was already moved stays in memory
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)
    #[arg(long, value_name = "PERCENT")]
    pub max_psi: Option<String>,
    /// Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)
    #[arg(long, value_name = "PERCENT")]
    pub pace: Option<String>,
    /// Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again;
    /// stop if the new plan differs from the one shown, unless --yes is given
    #[arg(long, value_name = "TIME")]
    pub wait: Option<String>,
}

/// `on`.
#[derive(Args, Clone, Debug)]
#[command(change_options("on"))]
pub struct OnArgs {
    /// Areas to enable: a path, UUID=, LABEL=, PARTUUID= or PARTLABEL=
    #[arg(value_name = "AREA", required_unless_present = "all", conflicts_with = "all")]
    pub areas: Vec<OsString>,
    /// Enable all swap areas in /etc/fstab, except those marked noauto
    #[arg(long, short)]
    pub all: bool,
    /// Priority: 0 to 32767, or default (assigned by the kernel)
    #[arg(long, short, value_name = "N", allow_hyphen_values = true)]
    pub priority: Option<String>,
    /// Discard policy (TRIM): none, once, pages or both; both if no WHEN is given
    #[arg(long, short, value_name = "WHEN", num_args = 0..=1, default_missing_value = "both", require_equals = true, value_parser = Discard::WORDS.map(|(word, _)| word))]
    pub discard: Option<String>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `off`.
#[derive(Args, Clone, Debug)]
#[command(change_options("off"))]
pub struct OffArgs {
    /// Areas to disable: a path, a name, LABEL= or UUID=
    #[arg(value_name = "AREA", required_unless_present = "all", conflicts_with = "all")]
    pub areas: Vec<OsString>,
    /// Disable all active areas
    #[arg(long, short)]
    pub all: bool,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `journal`.
#[derive(Args, Clone, Debug)]
#[command(hide_recording())]
pub struct JournalArgs {
    /// Show only this plan, with all its events
    #[arg(value_name = "PLAN", value_parser = plan_number)]
    pub plan: Option<u64>,
    /// Print JSON
    #[arg(long, short = 'J')]
    pub json: bool,
}

/// Parses the number of a plan in the journal.
fn plan_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "use the number of a plan: swapadm journal lists them".to_owned())
}

/// `undo`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("persist", |it| it.hide(true)))]
pub struct UndoArgs {
    /// Number of the plan in the journal; without it, the last one still in effect
    #[arg(value_name = "PLAN", value_parser = plan_number)]
    pub plan: Option<u64>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `recover`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("persist", |it| it.hide(true)))]
#[command(mut_arg("timeout", staying_timeout), mut_arg("max_psi", staying_max_psi))]
pub struct RecoverArgs {
    /// Close this plan without repairing it, if its area is gone for good; swapadm journal lists the
    /// numbers of plans
    #[arg(long, value_name = "PLAN", value_parser = plan_number)]
    pub dismiss: Option<u64>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `priority`.
#[derive(Args, Clone, Debug)]
#[command(change_options("priority"))]
pub struct PriorityArgs {
    /// Areas and their new priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or
    /// default (the kernel chooses; up to Linux 6.18, areas with default fill in the order given here)
    #[arg(value_name = "AREA=N", required = true)]
    pub changes: Vec<OsString>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `rebalance`.
#[derive(Args, Clone, Debug)]
#[command(change_options("rebalance"))]
pub struct RebalanceArgs {
    /// How to rebalance
    #[arg(value_enum, value_name = "STRATEGY", default_value = "tiered")]
    pub strategy: StrategyName,
    /// With custom: a file with AREA PRIORITY or AREA=PRIORITY on each line; # begins a comment; - is
    /// stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<OsString>,
    /// Only check: exit status 1 if rebalancing is needed, else 0; needs no root
    #[arg(long, conflicts_with_all = ["dry_run", "yes", "force", "persist", "timeout", "max_psi", "pace", "wait"])]
    pub check: bool,
    /// With spread: correct an imbalance of PERCENT or more; swapadm groups shows it [default: 20]
    #[arg(long, value_name = "PERCENT")]
    pub skew: Option<String>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

worded_enum! {
    /// The strategies of `rebalance`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
    pub enum StrategyName {
        /// Give all areas of a speed class the highest priority that one of them has; classes keep their
        /// present order
        Equal = "equal",
        /// zram above solid state above rotational above network; areas of a class that have default priorities get
        /// a common one
        Tiered = "tiered",
        /// Give default priorities, so that CPUs prefer areas of their own NUMA node (kernels up to 6.18)
        Numa = "numa",
        /// Disable and enable areas that hold more than their share, so that their data spreads over all areas
        /// of their priority
        Spread = "spread",
        /// Set the priorities listed in a file
        Custom = "custom",
    }
}

/// The label, UUID and page size in a swap header.
#[derive(Args, Clone, Debug, Default)]
pub struct HeaderArgs {
    /// Label, at most 15 bytes
    #[arg(long, short = 'L', value_name = "NAME")]
    pub label: Option<OsString>,
    /// UUID, instead of a random one
    #[arg(long, short = 'U', value_name = "UUID")]
    pub uuid: Option<String>,
    /// Page size of the machine that will use the area, 4096 to 65536 [default: that of this machine]
    #[arg(long, value_name = "SIZE")]
    pub page_size: Option<String>,
}

/// `format`.
#[derive(Args, Clone, Debug)]
#[command(change_options("format"))]
pub struct FormatArgs {
    /// Device or file to format: a path, UUID=, LABEL=, PARTUUID= or PARTLABEL=
    #[arg(value_name = "AREA", value_hint = ValueHint::FilePath)]
    pub area: OsString,
    /// Label, UUID and page size.
    #[command(flatten)]
    pub title: HeaderArgs,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `file`.
#[derive(Clone, Debug, Subcommand)]
pub enum FileCommand {
    /// Create a swap file; --on also enables it
    #[command(change_options("file create"))]
    Create(FileCreateArgs),
    /// Resize a swap file, keeping label and UUID; an active one is disabled meanwhile
    #[command(change_options("file resize"))]
    Resize {
        /// Swap file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: OsString,
        /// New size, such as 512M, 4GiB or 4GB
        #[arg(value_name = "SIZE")]
        size: String,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Remove a swap file; an active one is disabled first
    #[command(change_options("file remove"))]
    Remove {
        /// Swap file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: OsString,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
}

impl FileCommand {
    /// Options of changes.
    pub fn change(&self) -> &ChangeArgs {
        match self {
            Self::Create(args) => &args.change,
            Self::Resize { change, .. } | Self::Remove { change, .. } => change,
        }
    }
}

/// `file create`.
#[derive(Args, Clone, Debug)]
pub struct FileCreateArgs {
    /// File to create, on ext4, xfs or btrfs
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: OsString,
    /// Size, such as 512M, 4GiB or 4GB (M and MiB are powers of 1024, MB of 1000)
    #[arg(value_name = "SIZE")]
    pub size: String,
    /// Label, UUID and page size.
    #[command(flatten)]
    pub title: HeaderArgs,
    /// Also enable it as swap
    #[arg(long)]
    pub on: bool,
    /// Priority: 0 to 32767, or default (assigned by the kernel)
    #[arg(long, short, value_name = "N", allow_hyphen_values = true, requires = "on")]
    pub priority: Option<String>,
    /// Discard policy (TRIM): none, once, pages or both; both if no WHEN is given
    #[arg(long, short, value_name = "WHEN", num_args = 0..=1, default_missing_value = "both", require_equals = true, requires = "on", value_parser = Discard::WORDS.map(|(word, _)| word))]
    pub discard: Option<String>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `set`.
#[derive(Args, Clone, Debug)]
#[command(change_options("set"))]
pub struct SetArgs {
    /// Setting and its value, or several as KNOB=VALUE
    #[arg(value_name = "KNOB VALUE", required = true, allow_negative_numbers = true)]
    pub settings: Vec<String>,
    /// Change settings of this cgroup, such as memory.swap.max
    #[arg(long, value_name = "GROUP")]
    pub cgroup: Option<OsString>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `reset`.
#[derive(Args, Clone, Debug)]
#[command(change_options("reset"))]
pub struct ResetArgs {
    /// Settings to reset
    #[arg(value_name = "KNOB", required = true)]
    pub knobs: Vec<String>,
    /// Remove limits of this cgroup, such as memory.swap.max
    #[arg(long, value_name = "GROUP")]
    pub cgroup: Option<OsString>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// Commands of `persist`.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum PersistCommand {
    /// Compare the running machine with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d
    #[command(hide_recording())]
    Check {
        /// Print JSON
        #[arg(long, short = 'J')]
        json: bool,
    },
}

/// `apply`.
#[derive(Args, Clone, Debug)]
#[command(change_options("apply"))]
pub struct ApplyArgs {
    /// File with the wanted state in TOML or JSON, or - for standard input [default: /etc/swapadm/wanted.toml or wanted.json]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Change nothing; exit with 1 if something differs
    #[arg(long, conflicts_with_all = ["yes", "dry_run"])]
    pub check: bool,
    /// Change nothing, and show present (-) and wanted (+) values; exit with 1 if something differs
    #[arg(long, conflicts_with_all = ["yes", "dry_run", "json"])]
    pub diff: bool,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `save`.
#[derive(Args, Clone, Debug)]
#[command(hide_recording())]
pub struct SaveArgs {
    /// Print the state after the next boot, as configuration files have it
    #[arg(long)]
    pub boot: bool,
    /// Include the limits of cgroups
    #[arg(long, conflicts_with = "boot")]
    pub cgroups: bool,
}

/// `setup`.
#[derive(Args, Clone, Debug)]
#[command(change_options("setup"))]
pub struct SetupArgs {
    /// Kind of machine [default: guessed from battery, desktop, programs and board]
    #[arg(long, value_name = "KIND", value_parser = MachineProfile::ALL.map(|kind| PossibleValue::new(kind.word()).help(kind.description())))]
    pub profile: Option<String>,
    /// Choose a value, such as compression=zram, size=4G, disk=8G or boot=no; can be repeated
    #[arg(long, value_name = "CHOICE=VALUE")]
    pub with: Vec<String>,
    /// Do not read memory of processes to measure the compression ratio
    #[arg(long)]
    pub no_sample: bool,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_plan_number_names_the_journal() {
        assert_eq!(plan_number("12"), Ok(12));
        for wrong in ["x", "", "-1", "1.5"] {
            let told = plan_number(wrong).unwrap_err();
            assert!(told.contains("swapadm journal"), "{wrong}: {told}");
        }
    }
}
