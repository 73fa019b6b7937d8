//! The risks that the checks of each command can name, which are the values of its `--force`.

use crate::actions::check::RISKS;
use clap::Arg;
use clap::builder::PossibleValue;

/// Risks of disabling an area.
const LEAVING: &[&str] = &["memory", "cgroup", "overcommit", "reads"];
/// Risks of overwriting data.
const OVERWRITING: &[&str] = &["signature", "image"];
/// Risks of creating a file.
const PLACING: &[&str] = &["space", "folder"];
/// Risks of resetting a zram device.
const RESETTING: &[&str] = &["memory", "cgroup", "overcommit", "reads", "contents"];

/// Risks of setting up swap, which may disable areas and create others.
const SETTING_UP: &[&str] = &[
    "memory",
    "cgroup",
    "overcommit",
    "reads",
    "contents",
    "signature",
    "image",
    "space",
    "folder",
];

/// The risks of each command, by the steps of its plans. `undo` and `apply` are missing: their plans can
/// have any step, and so have all risks.
const COMMANDS: [(&str, &[&str]); 27] = [
    ("on", &[]),
    ("off", LEAVING),
    ("priority", LEAVING),
    ("rebalance", LEAVING),
    ("setup", SETTING_UP),
    ("format", OVERWRITING),
    ("file create", &["signature", "image", "space", "folder"]),
    ("file resize", &["memory", "cgroup", "overcommit", "reads", "signature", "space", "folder"]),
    ("file remove", LEAVING),
    ("set", &["cgroup", "reserve", "overcommit"]),
    ("reset", &[]),
    ("recover", &[]),
    ("stress run", PLACING),
    ("experiment run", PLACING),
    ("zram swap", OVERWRITING),
    ("zram add", OVERWRITING),
    ("zram remove", RESETTING),
    ("zram resize", &["memory", "cgroup", "overcommit", "reads", "contents", "signature"]),
    ("zram algorithm", &["memory", "cgroup", "overcommit", "reads", "contents", "signature"]),
    ("zram limit", &["limit"]),
    ("zram compact", &[]),
    ("zram idle", &[]),
    ("zram writeback", &[]),
    ("zram recompress", &[]),
    ("zram upkeep", &[]),
    ("process swapin", &[]),
    ("cgroup reclaim", &[]),
];

/// The risks that can be accepted with this command.
pub(super) fn risks_for(command: &str) -> Vec<(&'static str, &'static str)> {
    let own = COMMANDS.iter().find(|(name, _)| *name == command).map(|(_, own)| *own);
    let all = RISKS.into_iter();
    all.filter(|(risk, _)| own.is_none_or(|own| own.contains(risk))).collect()
}

/// The option `--force` of this command. A command without risks hides the option, and says why it
/// refuses it.
pub(super) fn force_option(force: Arg, command: &str) -> Arg {
    let own = risks_for(command);
    if own.is_empty() {
        return force.hide(true);
    }
    let value = |(risk, what)| PossibleValue::new(risk).help(what);
    force.value_parser(own.into_iter().map(value).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::generate::command;
    use clap::Command;

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
        // And undo and apply.
        assert_eq!(all.len(), COMMANDS.len() + 2, "{all:?}");
        for (name, risks) in &all {
            let own: Vec<&str> = risks_for(name).iter().map(|(risk, _)| *risk).collect();
            assert_eq!(*risks, own, "{name}");
        }
        assert_eq!(risks_for("undo"), RISKS);
    }

    #[test]
    fn every_risk_is_known_and_used_by_a_command() {
        let known = |risk: &str| RISKS.iter().any(|(known, _)| *known == risk);
        for (name, own) in COMMANDS {
            assert!(own.iter().all(|risk| known(risk)), "{name}: {own:?}");
        }
        for (risk, _) in RISKS {
            assert!(COMMANDS.iter().any(|(_, own)| own.contains(&risk)), "{risk}");
        }
    }
}
