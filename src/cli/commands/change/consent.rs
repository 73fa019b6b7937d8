//! The yes of a person, without which nothing is changed.

use super::CommandContext;
use crate::actions::check::{self, Check};
use crate::cli::args::ChangeArgs;
use crate::cli::exit::{Exit, CommandError};
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Environment;
use crate::cli::out;
use std::io::{self, BufRead as _};

/// What was said to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// Do it.
    Given,
    /// The person does not want it.
    Refused,
    /// It was only to be shown.
    OnlyShown,
}

/// Ask, if somebody is there who was not asked already.
pub(super) fn ask(
    args: &ChangeArgs,
    environment: &Environment,
    interrupt: &Interrupt,
) -> Result<Consent, CommandError> {
    if args.dry_run {
        return Ok(Consent::OnlyShown);
    }
    if args.yes {
        return Ok(Consent::Given);
    }
    if !environment.interactive || args.json {
        return Err(CommandError::Usage(
            "nobody can be asked here: say --yes to do it, or --dry-run to see the plan only"
                .to_owned(),
        ));
    }
    let yes = ask_yes_no(interrupt)?;
    Ok(if yes { Consent::Given } else { Consent::Refused })
}

/// Ask a person, who is there.
///
/// # Errors
/// When the answer cannot be read.
pub fn ask_yes_no(interrupt: &Interrupt) -> Result<bool, CommandError> {
    out::ask("Do it? [y/N] ");
    let mut answer = String::new();
    if interrupt.wait_for_input() {
        io::stdin().lock().read_line(&mut answer).map_err(CommandError::Output)?;
    }
    if answer.is_empty() {
        // Nobody ended the line of the question.
        out::remark("");
    }
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Shall a load run that was shown?
pub(super) enum RunDecision {
    /// Yes.
    Yes,
    /// No: it was only to be shown, or a check refuses it; the command ends so.
    Shown(Exit),
    /// No: the person does not want it.
    No,
}

/// Ask whether a load shall run of which these checks were made.
pub(super) fn decide_run(
    args: &ChangeArgs,
    environment: &Environment,
    before: &CommandContext<'_>,
    checks: &[Check],
) -> Result<RunDecision, CommandError> {
    if check::refuses(checks) {
        return Ok(RunDecision::Shown(Exit::Refused));
    }
    match ask(args, environment, &before.interrupt)? {
        Consent::Given => {}
        Consent::OnlyShown => return Ok(RunDecision::Shown(Exit::Done)),
        Consent::Refused => {
            out::remark("nothing was run");
            return Ok(RunDecision::No);
        }
    }
    if before.root().is_live() {
        return Ok(RunDecision::Yes);
    }
    Err(CommandError::Refused(
        "a captured tree runs nothing: --dry-run shows what would be run".to_owned(),
    ))
}
