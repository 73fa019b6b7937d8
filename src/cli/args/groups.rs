//! Groups of commands: the order of commands in `--help`, in swapadm(8) and in the completions.

use crate::cli::options::Environment;
use crate::columns::text;
use clap::Command;

/// Commands that belong together.
#[derive(Clone, Copy, Debug)]
pub struct HelpGroup {
    /// The heading.
    pub title: &'static str,
    /// The names of the commands, in order.
    pub commands: &'static [&'static str],
}

/// All groups, in order. Every command is in exactly one of them.
pub const GROUPS: [HelpGroup; 7] = [
    HelpGroup {
        title: "Show",
        commands: &[
            "status",
            "devices",
            "groups",
            "zram",
            "zswap",
            "paging",
            "processes",
            "process",
            "cgroups",
            "cgroup",
            "pressure",
            "mthp",
            "readahead",
            "clusters",
            "numa",
            "knobs",
            "report",
            "metrics",
            "watch",
        ],
    },
    HelpGroup {
        title: "Explain",
        commands: &["advise", "selection", "what-if", "cost", "sources"],
    },
    HelpGroup {
        title: "Change",
        commands: &[
            "setup",
            "apply",
            "save",
            "on",
            "off",
            "priority",
            "rebalance",
            "set",
            "reset",
            "persist",
            "journal",
            "undo",
            "recover",
        ],
    },
    HelpGroup { title: "Lab", commands: &["stress", "experiment", "results", "machine"] },
    HelpGroup { title: "Learn", commands: &["learn", "demo"] },
    HelpGroup { title: "Record", commands: &["record", "replay", "capture"] },
    HelpGroup { title: "Files", commands: &["file", "format"] },
];

/// The longest line of the listing, as for the rest of the help.
pub(super) const MAX_WIDTH: usize = 100;

impl HelpGroup {
    /// The commands of this group, of the whole program.
    pub fn members<'c>(&self, program: &'c Command) -> impl Iterator<Item = &'c Command> {
        self.commands.iter().filter_map(|name| program.find_subcommand(name))
    }
}

/// The position of a command of the program in the list of all commands.
pub fn position(name: &str) -> usize {
    let mut all = GROUPS.iter().flat_map(|group| group.commands);
    all.position(|known| *known == name).unwrap_or(usize::MAX)
}

/// The program with a help that lists its commands by group. Commands are hidden from clap, which
/// would list all of them under one heading.
pub(super) fn with_listing(program: Command) -> Command {
    let environment = Environment::read();
    let width = environment.width.or(environment.typed_width());
    let width = width.unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let listing = listing(&program, width).join("\n");
    program
        .mut_subcommands(|command| command.hide(true))
        .override_usage("swapadm [OPTIONS] [COMMAND]")
        .help_template(format!(
            "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listing}\n{{all-args}}{{after-help}}"
        ))
}

/// The commands by group, in lines of at most `width` cells.
fn listing(program: &Command, width: usize) -> Vec<String> {
    let names = GROUPS.iter().flat_map(|group| group.commands);
    let lead = names.map(|name| name.len() + 4).max().unwrap_or(0);
    let room = width.saturating_sub(lead).max(20);
    let mut lines = Vec::new();
    for group in GROUPS {
        lines.push(format!("{}:", group.title));
        for command in group.members(program) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let head = format!("  {}", command.get_name());
            lines.extend(text::heading_and_text(&head, &about, (lead, lead + room)));
        }
        lines.push(String::new());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::generate;

    #[test]
    fn each_command_is_in_exactly_one_group() {
        let program = generate::command();
        let visible = program.get_subcommands().filter(|it| !it.is_hide_set());
        let mut visible: Vec<&str> =
            visible.map(Command::get_name).filter(|name| *name != "help").collect();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|group| group.commands).copied().collect();
        for (place, name) in grouped.iter().enumerate() {
            assert_eq!(position(name), place);
        }
        visible.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, visible);
    }

    #[test]
    fn the_help_lists_each_command_once_and_fits_its_width() {
        let program = generate::command();
        for width in [60, 80, 100] {
            let lines = listing(&program, width);
            assert!(lines.iter().all(|line| text::width(line) <= width), "{lines:?}");
            for group in GROUPS {
                assert!(lines.contains(&format!("{}:", group.title)));
                for name in group.commands {
                    let entries = lines.iter().filter(|line| {
                        line.strip_prefix("  ").and_then(|line| line.split(' ').next())
                            == Some(*name)
                    });
                    assert_eq!(entries.count(), 1, "{name}");
                }
            }
        }
        let help = with_listing(program).render_help().to_string();
        for part in ["\nShow:\n  status ", "\nFiles:\n  file ", "\nOptions:\n", "\nExamples:\n"] {
            assert!(help.contains(part), "no {part:?} in {help}");
        }
        assert!(!help.contains("Commands:"), "{help}");
    }
}
