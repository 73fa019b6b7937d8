//! Asks for confirmation of a plan.

use super::CommandContext;
use crate::actions::check::{self, Check};
use crate::cli::args::ChangeArgs;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::interrupt::Interrupt;
use crate::cli::out;
use std::io::{self, BufRead as _};

/// The answer to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// Confirmed, by the answer or by `--yes`.
    Given,
    /// The answer was no.
    Refused,
    /// Only shown, because of `--dry-run`.
    OnlyShown,
}

/// Asks for confirmation, unless an option already answers.
pub(super) fn ask(args: &ChangeArgs, before: &CommandContext<'_>) -> CommandResult<Consent> {
    if args.dry_run {
        return Ok(Consent::OnlyShown);
    }
    if args.yes {
        return Ok(Consent::Given);
    }
    if !before.environment.interactive || args.json {
        return Err(usage(
            "confirmation needs a terminal: use --yes to go ahead, or --dry-run to only see the plan",
        ));
    }
    let yes = ask_yes_no(&before.interrupt)?;
    Ok(if yes { Consent::Given } else { Consent::Refused })
}

/// Asks a yes-or-no question on the terminal.
///
/// # Errors
/// The answer cannot be read.
pub fn ask_yes_no(interrupt: &Interrupt) -> CommandResult<bool> {
    out::ask("Do it? [y/N] ");
    let mut answer = String::new();
    if interrupt.wait_for_input() {
        io::stdin().lock().read_line(&mut answer).map_err(CommandError::Output)?;
    }
    if answer.is_empty() {
        // The line of the question is still open.
        out::remark("");
    }
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Decides whether a session with these checks is run, and asks if necessary: none if it is, or else the exit
/// status of the command, which has only shown it.
pub(super) fn decide_run(
    args: &ChangeArgs,
    before: &CommandContext<'_>,
    checks: &[Check],
) -> CommandResult<Option<Exit>> {
    if check::refuses(checks) {
        return Ok(Some(Exit::Refused));
    }
    match ask(args, before)? {
        Consent::Given if before.root().is_live() => Ok(None),
        Consent::Given => Err(CommandError::Refused(
            "a captured tree cannot run workloads: --dry-run shows what would be run".to_owned(),
        )),
        Consent::OnlyShown => Ok(Some(Exit::Done)),
        Consent::Refused => {
            out::remark("nothing was run");
            Ok(Some(Exit::Refused))
        }
    }
}
