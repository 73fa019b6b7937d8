//! Arguments of `setup`.

use super::{ChangeArgs, risks};
use crate::change::setup::MachineProfile;
use clap::Args;
use clap::builder::PossibleValue;

/// `setup`.
#[derive(Args, Clone, Debug)]
#[command(
    mut_arg("force", |it| risks::force_option(it, "setup")),
    mut_arg("persist", |it| it.hide(true))
)]
pub struct SetupArgs {
    /// Kind of machine [default: guessed from battery, desktop, programs and board]
    #[arg(long, value_name = "KIND", value_parser = MachineProfile::ALL.map(|(_, word, about)| PossibleValue::new(word).help(about)))]
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
