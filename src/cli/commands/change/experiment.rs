//! `swapadm experiment`: a workload in several cases that are compared.

mod policies;

use super::session::{self, TypedSession, show};
use crate::cli::args::lab::{ExperimentArgs, ExperimentCommand};
use crate::cli::commands::listing;
use crate::cli::exit::{CommandResult, Exit, usage};
use crate::cli::options::{Environment, Invocation};
use crate::cli::out::{self, Out};
use crate::lab::builtin::EXPERIMENTS;
use crate::lab::experiment::keys;
use crate::lab::session::{ExperimentOptions, SessionSpec, Subject, spec};
use std::ffi::OsStr;

/// Runs, lists, shows or explains experiments.
pub fn run(command: &ExperimentCommand, invocation: &Invocation) -> CommandResult {
    match command {
        ExperimentCommand::Run(args) if policies::is_named(&args.experiment) => {
            return policies::run(args, &invocation.environment);
        }
        ExperimentCommand::Run(args) => return parse(args)?.run(invocation),
        ExperimentCommand::List { json } => list(*json, &invocation.environment)?,
        ExperimentCommand::Show { experiment } if policies::is_named(OsStr::new(experiment)) => {
            return Err(usage(policies::NO_FILE));
        }
        ExperimentCommand::Show { experiment } => {
            Out::new()
                .file(&invocation.environment.user_files().experiments.by_name(experiment)?.text)?;
        }
        ExperimentCommand::Keys => {
            let width = listing::listed_width(invocation.environment.width);
            Out::new().lines(listing::keys(keys::lines(), width))?;
        }
    }
    Ok(Exit::Done)
}

fn list(json: bool, environment: &Environment) -> CommandResult<()> {
    let (mut all, others) = show::experiments(&environment.user_files());
    let policies = show::ListedExperiment::without_file(
        policies::NAME,
        (policies::QUESTION, policies::ABOUT),
        policies::cases(),
    );
    all.insert(EXPERIMENTS.len(), policies);
    for other in others {
        out::remark(&other);
    }
    let width = listing::listed_width(environment.width);
    listing::print(&all, json, |it| it.lines(width))
}

/// Parses the arguments into a session.
pub(super) fn parse(args: &ExperimentArgs) -> CommandResult<TypedSession<'_>> {
    let (guard, wait) = session::parse_limits(&args.change)?;
    let options = ExperimentOptions {
        scale: args.scale.map(spec::check_scale).transpose()?,
        kinds: args.kind.as_deref().map(spec::parse_kinds).transpose()?,
        only: args.only.iter().map(|text| spec::parse_choice(text)).collect(),
    };
    let spec = SessionSpec {
        named: args.experiment.clone(),
        subject: Subject::Experiment(options),
        limit: args.limit.as_deref().map(|text| spec::parse_amount("limit", text)).transpose()?,
        repetitions: args.repeat,
        seed: args.seed,
        folder: args.file_in.as_deref().map(spec::parse_folder).transpose()?,
        guard,
        risks: args.change.force.clone(),
        is_stored: !args.no_keep,
    };
    let published = args.published;
    Ok(TypedSession {
        spec,
        on: &args.on,
        change: &args.change,
        wait,
        usemem_lines: false,
        published,
    })
}
