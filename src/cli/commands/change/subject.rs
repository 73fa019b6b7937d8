//! `swapadm process swapin` and `swapadm cgroup reclaim`.

use super::{CommandContext, carry_out};
use crate::change::{Intent, ObservedMachine};
use crate::cli::args::ChangeArgs;
use crate::cli::args::subject::{CgroupReclaimArgs, ProcessSwapInArgs};
use crate::cli::exit::{CommandError, Exit};
use crate::cli::options::Invocation;
use crate::columns::units;
use crate::model::Name;
use crate::model::name::safe_text;
use std::os::unix::ffi::OsStrExt as _;

/// Brings the pages of a process back.
///
/// # Errors
/// There is no such process, or the plan cannot be carried out.
pub fn swap_in(args: &ProcessSwapInArgs, invocation: &Invocation) -> Result<Exit, CommandError> {
    move_pages(Intent::SwapIn(args.pid), &args.change, invocation)
}

/// Reclaims memory of a cgroup.
///
/// # Errors
/// There is no such cgroup, or the plan cannot be carried out.
pub fn reclaim(args: &CgroupReclaimArgs, invocation: &Invocation) -> Result<Exit, CommandError> {
    move_pages(reclaim_intent(args)?, &args.change, invocation)
}

fn move_pages(
    intent: Intent,
    change: &ChangeArgs,
    invocation: &Invocation,
) -> Result<Exit, CommandError> {
    let root = invocation.source.root()?;
    let before = CommandContext::new(&invocation.environment, root, ObservedMachine::observe);
    carry_out(&before, intent, change)
}

/// The intent of `cgroup reclaim`.
pub(super) fn reclaim_intent(args: &CgroupReclaimArgs) -> Result<Intent, CommandError> {
    let size = units::parse_size(&args.size).filter(|size| size.0 > 0).ok_or_else(|| {
        let shown = safe_text(&args.size);
        CommandError::Usage(format!(
            "\"{shown}\" is not a size: use a number with K, M, G or T, such as 200M"
        ))
    })?;
    Ok(Intent::Reclaim(Name::new(args.path.as_bytes()), size))
}
