//! The options of changes that not every command takes: `--force` with the risks that its checks can name,
//! `--pace` and `--persist`.

use crate::actions::check::RISKS;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Command};
use std::ffi::OsStr;

/// Groups of risks.
type Risks = &'static [&'static [&'static str]];

/// Risks of disabling an area.
const LEAVING: &[&str] = &["memory", "cgroup", "overcommit", "reads"];
/// Risks of setting up an area at boot.
const AT_BOOT: &[&str] = &["loop", "network"];
/// Risks of overwriting data.
const OVERWRITING: &[&str] = &["signature", "image"];
/// Risks of creating a file.
const PLACING: &[&str] = &["space", "folder"];
/// Risk of resetting a zram device that is not active.
const RESETTING: &[&str] = &["contents"];
/// Risks of setting up a zram device anew.
const SETTING_UP_ANEW: Risks = &[LEAVING, RESETTING, &["signature"]];

/// The options of commands that disable areas, whose changes can be made at boot too.
const PACE_AND_PERSIST: &[&str] = &["pace", "persist"];

/// Each command with its groups of risks, by the steps of its plans, and its further options. `undo`, `recover`
/// and `apply` are missing: their plans can have any step.
const COMMANDS: [(&str, Risks, &[&str]); 26] = [
    ("on", &[AT_BOOT], &["persist"]),
    ("off", &[LEAVING], PACE_AND_PERSIST),
    ("priority", &[LEAVING, AT_BOOT], PACE_AND_PERSIST),
    ("rebalance", &[LEAVING, AT_BOOT], PACE_AND_PERSIST),
    ("setup", &[LEAVING, RESETTING, OVERWRITING, PLACING, AT_BOOT], &["pace"]),
    ("format", &[OVERWRITING], &[]),
    ("file create", &[OVERWRITING, PLACING], &["persist"]),
    ("file resize", &[LEAVING, &["signature"], PLACING], &["pace"]),
    ("file remove", &[LEAVING], PACE_AND_PERSIST),
    ("set", &[&["cgroup", "reserve", "overcommit"]], &["persist"]),
    ("reset", &[], &["persist"]),
    ("stress run", &[PLACING], &[]),
    ("experiment run", &[PLACING], &[]),
    ("zram swap", &[OVERWRITING], &["persist"]),
    ("zram add", &[OVERWRITING], &[]),
    ("zram remove", &[RESETTING], &["persist"]),
    ("zram resize", SETTING_UP_ANEW, PACE_AND_PERSIST),
    ("zram algorithm", SETTING_UP_ANEW, PACE_AND_PERSIST),
    ("zram limit", &[&["limit"]], &["persist"]),
    ("zram compact", &[], &[]),
    ("zram idle", &[], &[]),
    ("zram writeback", &[], &[]),
    ("zram recompress", &[], &[]),
    ("zram upkeep", &[], &[]),
    ("process swapin", &[], &[]),
    ("cgroup reclaim", &[], &[]),
];

/// Commands that write orders, whose effect stays when they are stopped.
const STAYING: [&str; 7] = [
    "zram compact",
    "zram idle",
    "zram writeback",
    "zram recompress",
    "zram upkeep",
    "process swapin",
    "cgroup reclaim",
];

/// The option `--timeout` of a command that rolls nothing back.
pub(super) fn staying_timeout(timeout: Arg) -> Arg {
    timeout.help("Stop after TIME (in seconds, or such as 5m); what is done stays")
}

/// The option `--max-psi` of a command that rolls nothing back.
pub(super) fn staying_max_psi(max_psi: Arg) -> Arg {
    max_psi.help("Stop when PSI \"full\" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)")
}

/// Commands that also plan changes of simulated machines.
const MODELLED: [&str; 6] = ["on", "off", "priority", "rebalance", "set", "reset"];

/// The risks that can be accepted with this command.
fn risks_for(command: &str) -> Vec<(&'static str, &'static str)> {
    let own = COMMANDS.iter().find(|(name, ..)| *name == command).map(|(_, own, _)| own.concat());
    let all = RISKS.into_iter();
    all.filter(|(risk, _)| own.as_ref().is_none_or(|own| own.contains(risk))).collect()
}

/// Fits the options of changes to a command.
pub(super) trait ChangeOptions {
    /// Hides the options that the command of this name does not take. They are still parsed, to say why they
    /// are refused.
    fn change_options(self, name: &str) -> Self;
}

impl ChangeOptions for Command {
    fn change_options(self, name: &str) -> Self {
        let further = COMMANDS.iter().find(|(known, ..)| *known == name);
        let further = further.map_or(PACE_AND_PERSIST, |(.., further)| *further);
        let command = self.mut_arg("force", |it| force_option(it, name));
        let command = command.mut_arg("machine", |it| it.hide(!MODELLED.contains(&name)));
        let command = if STAYING.contains(&name) {
            command.mut_arg("timeout", staying_timeout).mut_arg("max_psi", staying_max_psi)
        } else {
            command
        };
        let pace = "--pace: this command does not disable areas, so there is nothing to pause";
        let refuse_pace = |it: Arg| it.hide(true).value_parser(Refused(pace));
        let command =
            if further.contains(&"pace") { command } else { command.mut_arg("pace", refuse_pace) };
        // Why a change cannot be persistent depends on the command, which says so itself.
        let hide = |it: Arg| it.hide(true);
        if further.contains(&"persist") { command } else { command.mut_arg("persist", hide) }
    }
}

/// The option `--force` of this command.
fn force_option(force: Arg, command: &str) -> Arg {
    let own = risks_for(command);
    if own.is_empty() {
        return force
            .hide(true)
            .value_parser(Refused("--force: this command has no risk to accept"));
    }
    let value = |(risk, what)| PossibleValue::new(risk).help(what);
    force.value_parser(own.into_iter().map(value).collect::<Vec<_>>())
}

/// Refuses each value with this reason.
#[derive(Clone, Copy)]
struct Refused(&'static str);

impl TypedValueParser for Refused {
    type Value = String;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, _: &OsStr) -> Result<String, Error> {
        Err(Error::raw(ErrorKind::ValueValidation, format_args!("{}\n", self.0)).with_cmd(command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::generate::command;

    /// All commands with the risks that they offer.
    fn offered(command: &Command, above: &str) -> Vec<(String, Vec<String>)> {
        let mut all = Vec::new();
        for below in command.get_subcommands().filter(|it| it.get_name() != "help") {
            let name = format!("{above} {}", below.get_name()).trim_start().to_owned();
            let force = below.get_arguments().find(|it| it.get_id() == "force");
            all.extend(force.map(|force| {
                let risks = force.get_possible_values();
                let risks = risks.iter().map(|risk| risk.get_name().to_owned());
                let is_offered = !force.is_hide_set();
                (name.clone(), if is_offered { risks.collect() } else { Vec::new() })
            }));
            all.extend(offered(below, &name));
        }
        all
    }

    #[test]
    fn each_command_offers_the_risks_that_it_has() {
        let all = offered(&command(), "");
        // And undo, recover and apply.
        assert_eq!(all.len(), COMMANDS.len() + 3, "{all:?}");
        for (name, risks) in &all {
            let own: Vec<&str> = risks_for(name).iter().map(|(risk, _)| *risk).collect();
            assert_eq!(*risks, own, "{name}");
        }
        assert_eq!(risks_for("undo"), RISKS);
    }

    #[test]
    fn every_risk_is_known_and_used_by_a_command() {
        let known = |risk: &str| RISKS.iter().any(|(known, _)| *known == risk);
        for (name, own, _) in COMMANDS {
            assert!(own.concat().iter().all(|risk| known(risk)), "{name}: {own:?}");
        }
        for (risk, _) in RISKS {
            assert!(COMMANDS.iter().any(|(_, own, _)| own.concat().contains(&risk)), "{risk}");
        }
    }
}
