//! Arguments of the commands that change something.

use super::{NoRecording, risks};
use crate::actions::check::RISKS;
use crate::model::activation::Discard;
use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;

/// How something is changed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Changing")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that is there or not")]
pub struct ChangeArgs {
    /// Show the plan, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
    /// The plan and what came of it as JSON
    #[arg(long, short = 'J')]
    pub json: bool,
    /// Take a risk that a check names
    #[arg(long, value_name = "RISK", value_parser = RISKS.map(|(risk, what)| PossibleValue::new(risk).help(what)))]
    pub force: Vec<String>,
    /// Let it be so at every start of the machine too
    #[arg(long)]
    pub persist: bool,
    /// Give up after so long (90, 500ms or 5m), and put everything back, however long that takes
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels
    /// with PSI)
    #[arg(long, value_name = "PERCENT")]
    pub max_psi: Option<String>,
    /// While an area is emptied, rest as long as all tasks wait for memory in more than this
    /// percentage of 10 seconds (kernels with PSI), and go on when they do not
    #[arg(long, value_name = "PERCENT")]
    pub pace: Option<String>,
    /// Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made
    /// anew
    #[arg(long, value_name = "TIME")]
    pub wait: Option<String>,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

/// `on`.
#[derive(Args, Clone, Debug)]
#[command(
    mut_arg("pace", |it| it.hide(true)),
    mut_arg("force", |it| risks::force_option(it, "on"))
)]
pub struct OnArgs {
    /// Areas: a path, UUID=, LABEL=, PARTUUID= or PARTLABEL=
    #[arg(value_name = "AREA", required_unless_present = "all", conflicts_with = "all")]
    pub areas: Vec<OsString>,
    /// All that /etc/fstab names, but for those marked noauto
    #[arg(long, short)]
    pub all: bool,
    /// From 0 to 32767, or default
    #[arg(long, short, value_name = "N", allow_hyphen_values = true)]
    pub priority: Option<String>,
    /// Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)
    #[arg(long, short, value_name = "WHEN", num_args = 0..=1, default_missing_value = "both", require_equals = true, value_parser = Discard::WORDS.map(|(word, _)| word))]
    pub discard: Option<String>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `off`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("force", |it| risks::force_option(it, "off")))]
pub struct OffArgs {
    /// Areas: a path, a name, LABEL= or UUID=
    #[arg(value_name = "AREA", required_unless_present = "all", conflicts_with = "all")]
    pub areas: Vec<OsString>,
    /// All that are active
    #[arg(long, short)]
    pub all: bool,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `journal`.
#[derive(Args, Clone, Debug)]
pub struct JournalArgs {
    /// Only this plan, with all that happened
    #[arg(value_name = "PLAN", value_parser = plan_number)]
    pub plan: Option<u64>,
    /// JSON
    #[arg(long, short = 'J')]
    pub json: bool,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

/// The number of a plan in the journal.
fn plan_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "plans have numbers, which swapadm journal lists".to_owned())
}

/// `undo`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("persist", |it| it.hide(true)))]
pub struct UndoArgs {
    /// The plan, by its number in the journal
    #[arg(value_name = "PLAN", value_parser = plan_number)]
    pub plan: u64,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `recover`.
#[derive(Args, Clone, Debug)]
#[command(
    mut_arg("persist", |it| it.hide(true)),
    mut_arg("force", |it| risks::force_option(it, "recover")),
    mut_arg("yes", |it| it.hide(true))
)]
pub struct RecoverArgs {
    /// Close this plan of the journal without repairing it, as when its area is gone for good; its
    /// number is shown by swapadm journal
    #[arg(long, value_name = "PLAN", value_parser = plan_number)]
    pub dismiss: Option<u64>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `priority`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("force", |it| risks::force_option(it, "priority")))]
pub struct PriorityArgs {
    /// Areas and their new priorities: a path, a name, LABEL= or UUID=; 0 to 32767, or default
    /// (up to Linux 6.18 such areas are used in the order in which they are named here)
    #[arg(value_name = "AREA=N", required = true)]
    pub wishes: Vec<OsString>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `rebalance`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("force", |it| risks::force_option(it, "rebalance")))]
pub struct RebalanceArgs {
    /// What is wanted
    #[arg(value_enum, value_name = "STRATEGY", default_value = "tiered")]
    pub strategy: StrategyName,
    /// With custom: lines AREA PRIORITY or AREA=PRIORITY, # begins a remark; - is the input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<OsString>,
    /// Only look: exit status 1 when something is wrong, 0 when not; needs no rights
    #[arg(long, conflicts_with_all = ["dry_run", "yes", "force", "persist", "timeout", "max_psi", "pace", "wait"])]
    pub check: bool,
    /// With spread: from which skew on, in percent of what is on areas of one priority; 20 if not said
    #[arg(long, value_name = "PERCENT")]
    pub skew: Option<String>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The strategies of `rebalance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyName {
    /// One priority within each class of speed, the highest in it; classes stay where they are
    Equal,
    /// zram, then solid state, then rotational, then network; one priority each
    Tiered,
    /// Default priorities, on kernels up to 6.18 that then prefer areas of the own NUMA node
    Numa,
    /// Empty areas that hold more than their part, so that it spreads over those of one priority
    Spread,
    /// The priorities of a file
    Custom,
}

impl StrategyName {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Tiered => "tiered",
            Self::Numa => "numa",
            Self::Spread => "spread",
            Self::Custom => "custom",
        }
    }
}

/// What the header of an area says.
#[derive(Args, Clone, Debug, Default)]
pub struct HeaderArgs {
    /// Its label, of at most 15 bytes
    #[arg(long, short = 'L', value_name = "NAME")]
    pub label: Option<OsString>,
    /// Its UUID, instead of a random one
    #[arg(long, short = 'U', value_name = "UUID")]
    pub uuid: Option<String>,
    /// For a machine whose pages have this size, from 4096 to 65536
    #[arg(long, value_name = "SIZE")]
    pub page_size: Option<String>,
}

/// `format`.
#[derive(Args, Clone, Debug)]
#[command(
    mut_arg("persist", |it| it.hide(true)),
    mut_arg("pace", |it| it.hide(true)),
    mut_arg("force", |it| risks::force_option(it, "format"))
)]
pub struct FormatArgs {
    /// The device or file: a path, UUID=, LABEL=, PARTUUID= or PARTLABEL=
    #[arg(value_name = "AREA", value_hint = ValueHint::FilePath)]
    pub area: OsString,
    /// How it is called.
    #[command(flatten)]
    pub title: HeaderArgs,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `file`.
#[derive(Clone, Debug, Subcommand)]
pub enum FileCommand {
    /// Make a swap file, and perhaps switch it on
    #[command(
        after_help = "Examples:\n  swapadm file create /swapfile 4G --on\n  swapadm file create /var/swap/one 512M --label spare --dry-run",
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "file create"))
    )]
    Create(FileCreateArgs),
    /// Give a swap file another size, with the same label and UUID; one that is on is off meanwhile
    #[command(
        after_help = "Examples:\n  swapadm file resize /swapfile 8G",
        mut_arg("force", |it| risks::force_option(it, "file resize")),
        mut_arg("persist", |it| it.hide(true))
    )]
    Resize(FileResizeArgs),
    /// Remove a swap file; one that is on is switched off first
    #[command(
        after_help = "Examples:\n  swapadm file remove /swapfile --dry-run",
        mut_arg("force", |it| risks::force_option(it, "file remove"))
    )]
    Remove(FileRemoveArgs),
}

impl FileCommand {
    /// How it is done.
    pub fn change(&self) -> &ChangeArgs {
        match self {
            Self::Create(args) => &args.change,
            Self::Resize(args) => &args.change,
            Self::Remove(args) => &args.change,
        }
    }
}

/// `file create`.
#[derive(Args, Clone, Debug)]
pub struct FileCreateArgs {
    /// The file to make, on ext4, xfs or btrfs
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: OsString,
    /// How large, such as 512M, 4GiB or 4GB (M and MiB are powers of 1024, MB of 1000)
    #[arg(value_name = "SIZE")]
    pub size: String,
    /// How it is called.
    #[command(flatten)]
    pub title: HeaderArgs,
    /// Switch it on as well
    #[arg(long)]
    pub on: bool,
    /// From 0 to 32767, or default
    #[arg(long, short, value_name = "N", allow_hyphen_values = true, requires = "on")]
    pub priority: Option<String>,
    /// Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)
    #[arg(long, short, value_name = "WHEN", num_args = 0..=1, default_missing_value = "both", require_equals = true, requires = "on", value_parser = Discard::WORDS.map(|(word, _)| word))]
    pub discard: Option<String>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `file resize`.
#[derive(Args, Clone, Debug)]
pub struct FileResizeArgs {
    /// The swap file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: OsString,
    /// How large it shall be
    #[arg(value_name = "SIZE")]
    pub size: String,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `file remove`.
#[derive(Args, Clone, Debug)]
pub struct FileRemoveArgs {
    /// The swap file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: OsString,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `set`.
#[derive(Args, Clone, Debug)]
#[command(
    mut_arg("pace", |it| it.hide(true)),
    mut_arg("force", |it| risks::force_option(it, "set"))
)]
pub struct SetArgs {
    /// A setting and its value, or several as KNOB=VALUE
    #[arg(value_name = "KNOB VALUE", required = true, allow_negative_numbers = true)]
    pub wishes: Vec<String>,
    /// Settings of this control group, such as memory.swap.max
    #[arg(long, value_name = "GROUP")]
    pub cgroup: Option<OsString>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `reset`.
#[derive(Args, Clone, Debug)]
#[command(
    mut_arg("pace", |it| it.hide(true)),
    mut_arg("force", |it| risks::force_option(it, "reset"))
)]
pub struct ResetArgs {
    /// Settings
    #[arg(value_name = "KNOB", required = true)]
    pub knobs: Vec<String>,
    /// Limits of this control group, such as memory.swap.max: none any more
    #[arg(long, value_name = "GROUP")]
    pub cgroup: Option<OsString>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// What can be done about it.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum PersistCommand {
    /// Compare what runs with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d
    #[command(
        after_help = "Examples:\n  swapadm persist check\n  swapadm persist check --json | jq -r '.differences[].fix'"
    )]
    Check {
        /// As JSON
        #[arg(long, short = 'J')]
        json: bool,
        /// It reads no recording.
        #[command(flatten)]
        source: NoRecording,
    },
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
