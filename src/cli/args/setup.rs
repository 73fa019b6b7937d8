//! Arguments of `setup`.

use super::change_options::ChangeOptions as _;
use super::{ChangeArgs, NoRecording};
use crate::change::setup::MachineProfile;
use clap::builder::PossibleValue;
use clap::{Args, ValueHint};
use std::path::PathBuf;

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
pub struct SaveArgs {
    /// Print the state after the next boot, as configuration files have it
    #[arg(long)]
    pub boot: bool,
    /// Include the limits of cgroups
    #[arg(long, conflicts_with = "boot")]
    pub cgroups: bool,
    /// Hides the options of recordings.
    #[command(flatten)]
    pub source: NoRecording,
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
