//! `swapadm stress`: workloads under a memory limit.

use super::session::{self, TypedSession, show};
use crate::cli::args::lab::{RunArgs, StressCommand};
use crate::cli::commands::listing;
use crate::cli::exit::{CommandError, CommandResult, Exit};
use crate::cli::options::{Environment, Invocation};
use crate::cli::out::{self, Out};
use crate::lab::load::file::KeyOverride;
use crate::lab::load::keys::KEYS;
use crate::lab::run_spec::TemporaryAreaKind;
use crate::lab::session::{AreaSpec, GuardSpec, LoadOptions, SessionSpec, Subject, spec};
use crate::model::activation::Priority;

/// Runs, lists, shows or explains workloads.
pub fn run(command: &StressCommand, invocation: &Invocation) -> CommandResult {
    match command {
        StressCommand::Run(args) => return parse(args)?.run(invocation),
        StressCommand::List { json } => list(*json, &invocation.environment)?,
        StressCommand::Show { load } => {
            Out::new().file(&invocation.environment.user_files().loads.by_name(load)?.text)?;
        }
        StressCommand::Keys => {
            let width = listing::listed_width(invocation.environment.width);
            Out::new().lines(listing::keys(KEYS.lines(), width))?;
        }
    }
    Ok(Exit::Done)
}

fn list(json: bool, environment: &Environment) -> CommandResult<()> {
    let (loads, others) = show::loads(&environment.user_files());
    for other in others {
        out::remark(&other);
    }
    let width = listing::listed_width(environment.width);
    listing::print(&loads, json, |load| load.lines(width))
}

/// Parses the arguments into a session.
pub(super) fn parse(args: &RunArgs) -> CommandResult<TypedSession<'_>> {
    let (guard, wait) = session::parse_limits(&args.change)?;
    let size = |option: &str, text: &Option<String>| {
        text.as_deref().map(|text| spec::parse_size_or_zero(option, text)).transpose()
    };
    let limit = args.limit.as_deref().map(|text| spec::parse_amount("limit", text)).transpose()?;
    let settings =
        args.set.iter().map(|text| spec::parse_setting(text)).collect::<Result<_, _>>()?;
    let folder = args.file_in.as_deref().map(spec::parse_folder).transpose()?;
    let options = LoadOptions {
        title: args.title.clone(),
        changes: args.with.iter().map(|text| KeyOverride::parse(text)).collect(),
        whole_machine: args.whole_machine,
        areas: areas(args)?,
        priority: args
            .priority
            .as_deref()
            .map(Priority::parse)
            .transpose()
            .map_err(CommandError::Usage)?,
        algorithm: args.algorithm.clone(),
        settings,
    };
    let spec = SessionSpec {
        named: args.load.clone(),
        subject: Subject::Load(options),
        limit,
        repetitions: Some(args.repeat),
        seed: args.seed,
        folder,
        guard: GuardSpec {
            available: size("min-available", &args.min_available)?,
            swap: size("min-swap", &args.min_swap)?,
            ..guard
        },
        risks: args.change.force.clone(),
        is_stored: !args.no_keep,
    };
    let usemem_lines = args.usemem_lines;
    Ok(TypedSession {
        spec,
        on: &args.on,
        change: &args.change,
        wait,
        usemem_lines,
        published: false,
    })
}

/// The requested temporary areas, those on zram first.
fn areas(args: &RunArgs) -> CommandResult<Vec<AreaSpec>> {
    let zram = args.zram.iter().map(|text| spec::parse_areas(TemporaryAreaKind::Zram, text));
    let file = args.file.iter().map(|text| spec::parse_areas(TemporaryAreaKind::File, text));
    Ok(zram.chain(file).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{Cli, Command};
    use crate::model::Bytes;
    use clap::Parser as _;

    fn typed(words: &[&str]) -> Result<RunArgs, String> {
        let all = ["swapadm", "stress", "run", "usemem"].iter().chain(words);
        let cli = Cli::try_parse_from(all).map_err(|error| error.to_string())?;
        let Some(Command::Stress(args)) = cli.command else { return Err(format!("{cli:?}")) };
        let StressCommand::Run(args) = args.into_inner().command else {
            return Err("another command than stress run".to_owned());
        };
        Ok(*args)
    }

    #[test]
    fn areas_are_made_on_zram_and_in_files() {
        let args = typed(&["--file", "1G", "--zram", "2x64M", "--priority", "5"]).unwrap();
        let two = AreaSpec { kind: TemporaryAreaKind::Zram, count: 2, size: Bytes(64 << 20) };
        let one = AreaSpec { kind: TemporaryAreaKind::File, count: 1, size: Bytes(1 << 30) };
        assert_eq!(areas(&args).unwrap(), [two, one]);
        let TypedSession { spec, .. } = parse(&args).unwrap();
        let Subject::Load(options) = spec.subject else { panic!("{spec:?}") };
        assert_eq!((options.priority, spec.folder), (Some(Priority::Set(5)), None));
        for alone in [["--priority", "5"], ["--file-in", "/srv"], ["--algorithm", "lz4"]] {
            assert!(typed(&alone).unwrap_err().contains("required"), "{alone:?}");
        }
    }
}
