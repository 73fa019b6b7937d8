//! The command line: arguments, commands, and the documents generated from them.

pub mod args;
pub mod commands;
pub mod exit;
pub mod generate;
pub mod interrupt;
pub mod manual;
mod named_text;
pub mod options;
pub mod out;
pub mod schemas;
pub mod simulated;
pub mod table_command;

use crate::sys;
use args::subject::{CgroupCommand, ProcessCommand};
use args::{Cli, Command, CommandArgs, SettingsArgs, WatchArgs};
use exit::{CommandError, CommandResult, Exit, usage};
use options::{Environment, Invocation, SourceOptions};
use std::ffi::OsString;

/// Runs the program with these arguments, printing to the standard streams.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments = args::split_discards(args::join_negative_sizes(arguments));
    let arguments: Vec<OsString> = arguments.collect();
    if let [_, only] = &*arguments
        && ["-V", "--version"].iter().any(|version| only == version)
    {
        return print(concat!("swapadm ", env!("CARGO_PKG_VERSION"), "\n"));
    }
    let cli = match args::parse(&arguments) {
        Ok(cli) => cli,
        Err(error) => return print_clap_error(&error),
    };
    let environment = Environment::read();
    match dispatch(cli, environment) {
        Ok(exit) => exit,
        Err(CommandError::BrokenPipe) => Exit::Done,
        Err(failure) => {
            out::complain(&failure.to_string());
            failure.exit()
        }
    }
}

fn dispatch(cli: Cli, environment: Environment) -> CommandResult {
    let command = match cli.command {
        // Without a command, a terminal gets the interface and a pipe the status page.
        None if environment.interactive || cli.settings != SettingsArgs::default() => {
            let settings = cli.settings.clone();
            Command::Watch(WatchArgs { settings, ..WatchArgs::default() }.into())
        }
        None => Command::Status(CommandArgs::default()),
        Some(command) => command,
    };
    if let Some(spec) = commands::table::table_to_explain(&command) {
        return commands::table::explain_columns(spec, &environment);
    }
    if let (Some(own), true) = (command.source_of_its_own(), cli.source.is_given()) {
        return Err(usage(format!("{own}: leave --sysroot, --recording and --machine out")));
    }
    let change = command.change();
    let (changes, json) = (change.is_some(), change.is_some_and(|change| change.json));
    let result = SourceOptions::resolve(cli.source, command.goes_on(), &environment)
        .map(|source| if changes { source.patient() } else { source })
        .and_then(|source| carry_out(&command, &Invocation { source, environment }));
    if let (true, Err(failure)) = (json, &result) {
        let is_of_lab = matches!(command, Command::Stress(_) | Command::Experiment(_));
        commands::change::print_failure_json(failure, is_of_lab);
    }
    result
}

fn carry_out(command: &Command, invocation: &Invocation) -> CommandResult {
    if command.only_prints() && invocation.source.is_stored() {
        // Whoever made the files may have prepared them.
        sys::drop_rights_on_machine();
    }
    match command {
        Command::Status(args) => commands::report::status(args, invocation),
        Command::Advise(args) => commands::advise::run(args, invocation),
        Command::Report(args) => commands::report::run(args, invocation),
        Command::Metrics(args) => commands::metrics::run(args, invocation),
        Command::Clusters(args) => commands::clusters::run(args, invocation),
        Command::Cost(args) => commands::cost::run(args, invocation),
        Command::Capture(args) => commands::recording::capture(args, &invocation.source),
        Command::Record(args) => commands::recording::record(args, &invocation.source),
        Command::Replay(args) => commands::recording::replay(args, &invocation.environment),
        Command::Watch(args) => commands::watch::run(args, invocation),
        Command::Off(_)
        | Command::Format(_)
        | Command::File(_)
        | Command::Priority(_)
        | Command::Set(_)
        | Command::Reset(_) => commands::change::intents::run(command, invocation),
        Command::On(args) => commands::change::areas::on(args, invocation),
        Command::Apply(args) => commands::change::state::apply(args, invocation),
        Command::Save(args) => commands::change::state::save(args, &invocation.source),
        Command::Process(args) => match &args.command {
            ProcessCommand::Show(args) => commands::subject::process(args, invocation),
            ProcessCommand::Swapin { .. } => commands::change::intents::run(command, invocation),
        },
        Command::Cgroup(args) => match &args.command {
            CgroupCommand::Show(args) => commands::subject::cgroup(args, invocation),
            CgroupCommand::Reclaim(_) => commands::change::intents::run(command, invocation),
        },
        Command::Journal(args) => commands::change::history::journal(args, invocation),
        Command::Undo(args) => commands::change::history::undo(args, invocation),
        Command::Recover(args) => commands::change::history::recover(args, invocation),
        Command::Results(args) => commands::results::run(args, invocation),
        Command::Persist(args) => commands::persist::run(args.command, invocation),
        Command::Rebalance(args) => commands::change::rebalance::run(args, invocation),
        Command::Setup(args) => commands::change::setup::run(args, invocation),
        Command::Stress(args) => commands::change::stress::run(&args.command, invocation),
        Command::Experiment(args) => commands::change::experiment::run(&args.command, invocation),
        Command::Machine(args) => commands::machine::run(&args.command, invocation),
        Command::WhatIf(args) => commands::what_if::run(args, invocation),
        Command::Learn(args) => commands::learn::run(args, &invocation.environment),
        Command::Demo(args) => commands::learn::demo(args, &invocation.environment),
        Command::Generate(args) => generate::run(args),
        Command::Table(table) => match (&table.zram, &table.selection, table.process) {
            (Some(_), ..) => commands::change::intents::run(command, invocation),
            (_, Some(wish), _) => commands::selection::run(table, wish, invocation),
            (.., Some(pid)) => commands::subject::mappings_of(pid, &table.rows, invocation),
            _ => commands::table::run(table, invocation),
        },
    }
}

/// Prints what clap reports. Help and version are no errors; everything else is.
fn print_clap_error(error: &clap::Error) -> Exit {
    let text = error.render();
    let text = text.to_string();
    if error.use_stderr() {
        // All messages begin with the name of the program.
        let words = text.strip_prefix("error: ");
        out::complain_raw(&words.map_or_else(|| text.clone(), |words| format!("swapadm: {words}")));
        return Exit::Usage;
    }
    print(&text)
}

fn print(text: &str) -> Exit {
    match out::Out::new().text(text) {
        Ok(()) | Err(CommandError::BrokenPipe) => Exit::Done,
        Err(failure) => {
            out::complain(&failure.to_string());
            failure.exit()
        }
    }
}
