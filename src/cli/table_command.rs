//! Commands that print one table. A list defines them, because only names, arguments and examples differ.
//!
//! The arguments of a command are built only when it is typed: building all of them would take
//! longer than reading the machine.

use super::args::zram::ZramCommand;
use super::args::{AllArgs, ProcessArgs, RowArgs, SelectionArgs, SelectionRequest, keeping_about};
use crate::columns::{Spec, Unit, tables};
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Subcommand};

/// A command that prints one table.
struct TableCommandInfo {
    /// The name of the table and of its command.
    table: &'static str,
    /// One line for the list of commands.
    about: &'static str,
    /// Example command lines.
    examples: &'static str,
    /// Adds the arguments of the command.
    arguments: fn(Command) -> Command,
}

static TABLE_COMMANDS: &[TableCommandInfo] = &[
    TableCommandInfo {
        table: "devices",
        about: "Show swap areas: size, use, priority and backing device",
        examples: "swapadm devices\nswapadm devices -o +label,uuid --explain\nswapadm devices --interval 1            # with the traffic of each\nswapadm devices -J | jq '.tables.devices.rows[].used'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "groups",
        about: "Show priority groups, and how evenly each is used",
        examples: "swapadm groups\nswapadm groups --filter 'imbalance>10%'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "selection",
        about: "Show which area the kernel fills next, or would fill with other priorities",
        examples: "swapadm selection\nswapadm selection --node 1\nswapadm selection --folio 2M\nswapadm selection --with zram0=100,sda2=5    # changes nothing\nswapadm selection -o name,next_share,full_after,large_folios --json",
        arguments: selection_args,
    },
    TableCommandInfo {
        table: "zram",
        about: "Show zram devices and their compression ratios; subcommands change them",
        examples: "swapadm zram\nswapadm zram -o all --bytes\nswapadm zram --filter 'ratio<1.5'\nswapadm zram swap --size 50% --dry-run\nswapadm zram resize zram0 4G",
        arguments: zram_args,
    },
    TableCommandInfo {
        table: "zswap",
        about: "Show what zswap stores, and what it rejected",
        examples: "swapadm zswap\nswapadm zswap -o all --explain\nswapadm zswap --interval 1",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "mthp",
        about: "Show how often large folios are swapped out whole or split, by size",
        examples: "swapadm mthp\nswapadm mthp --interval 2 --filter 'swpout_rate>0 | fallback_rate>0'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "readahead",
        about: "Show the hit rate of swap readahead",
        examples: "swapadm readahead\nswapadm readahead --interval 5\nswapadm readahead -o all --json",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "paging",
        about: "Show swap traffic, page faults and reclaim",
        examples: "swapadm paging --interval 1\nswapadm paging --interval 1 --count 60 --csv > paging.csv\nswapadm paging -o pswpin,pswpout        # since boot",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "processes",
        about: "Show processes with pages in swap",
        examples: "swapadm processes\nswapadm processes 1234                  # one process, with its mappings\nswapadm processes --pss --sort -swap_pss\nswapadm processes --tree\nswapadm processes --users\nswapadm processes --filter 'user=postgres & swap>10M'",
        arguments: process_args,
    },
    TableCommandInfo {
        table: "cgroups",
        about: "Show swap, limits and pressure of cgroups",
        examples: "swapadm cgroups\nswapadm cgroups --all --sort path\nswapadm cgroups -o +swap_peak,swap_max_hits",
        arguments: all_args,
    },
    TableCommandInfo {
        table: "pressure",
        about: "Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)",
        examples: "swapadm pressure\nswapadm pressure --interval 1 --filter 'resource=memory'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "knobs",
        about: "Show kernel settings that control swapping, with range and default",
        examples: "swapadm knobs\nswapadm knobs --filter changed=yes\nswapadm knobs -o name,value,file",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "numa",
        about: "Show memory, swap cache and swap devices by NUMA node",
        examples: "swapadm numa\nswapadm numa -o +distance",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "sources",
        about: "Show which kernel files could be read, and how to make the others readable",
        examples: "swapadm sources\nswapadm sources --filter 'state!=ok'\nswapadm sources -o +files",
        arguments: row_args,
    },
];

fn row_args(command: Command) -> Command {
    table_args(command, RowArgs::augment_args)
}

fn all_args(command: Command) -> Command {
    table_args(command, AllArgs::augment_args)
}

/// Adds arguments to the command of a table, with an example of a filter that fits the table.
fn table_args(command: Command, add: fn(Command) -> Command) -> Command {
    let command = keeping_about(command, add);
    let Some(spec) = tables::find(command.get_name()) else { return command };
    let help = format!(
        "Show only matching rows, such as '{}'; & and | join conditions, a bare word matches any column",
        filter_example(spec)
    );
    command.mut_arg("filter", |filter| filter.help(help))
}

/// A filter for the first default column that has a number, or else for the key.
fn filter_example(spec: &Spec) -> String {
    let infos = (spec.infos)();
    let shown = spec.default.iter().filter_map(|id| infos.iter().find(|info| info.id == *id));
    let value = |unit| match unit {
        Unit::Bytes | Unit::BytesPerSecond => Some("1M"),
        Unit::Share => Some("10%"),
        Unit::Count => Some("1"),
        Unit::PerSecond => Some("100"),
        Unit::Integer
        | Unit::Ratio
        | Unit::Seconds
        | Unit::Number
        | Unit::Text
        | Unit::Flag
        | Unit::List
        | Unit::Moment => None,
    };
    let mut numbers = shown.filter_map(|info| Some(format!("{}>{}", info.id, value(info.unit)?)));
    numbers.next().unwrap_or_else(|| format!("{}~swap", spec.key))
}

/// Adds the arguments of the table, and the commands that change a device.
fn zram_args(command: Command) -> Command {
    let command = all_args(command).args_conflicts_with_subcommands(true);
    let command = command.disable_help_subcommand(true);
    keeping_about(command, ZramCommand::augment_subcommands)
        .subcommand_required(false)
        .arg_required_else_help(false)
}

fn selection_args(command: Command) -> Command {
    table_args(command, SelectionArgs::augment_args)
}

fn process_args(command: Command) -> Command {
    table_args(command, ProcessArgs::augment_args)
}

/// A table, with the options that were typed.
#[derive(Clone, Debug)]
pub struct TableCommand {
    /// The name of the table.
    pub table: &'static str,
    /// Rows, columns and output format.
    pub rows: RowArgs,
    /// Show empty rows too.
    pub all: bool,
    /// Show children below their parents.
    pub tree: bool,
    /// A change of a zram device, instead of printing the table.
    pub zram: Option<ZramCommand>,
    /// Options of `selection` only.
    pub selection: Option<SelectionRequest>,
    /// The only process to show, with its mappings.
    pub process: Option<u32>,
}

impl TableCommand {
    /// The command of a table, without the options that only some tables have.
    pub fn plain(table: &'static str, rows: RowArgs, all: bool) -> Self {
        Self { table, rows, all, tree: false, zram: None, selection: None, process: None }
    }
}

impl TableCommandInfo {
    fn command(&self) -> Command {
        let examples = self.examples.replace('\n', "\n  ");
        let command = Command::new(self.table).about(self.about);
        command.after_help(format!("Examples:\n  {examples}")).defer(self.arguments)
    }

    fn parse(&self, matches: &ArgMatches) -> Result<TableCommand, clap::Error> {
        let plain = |rows, all| TableCommand::plain(self.table, rows, all);
        match self.table {
            "zram" if matches.subcommand().is_some() => {
                let zram = Some(ZramCommand::from_arg_matches(matches)?);
                Ok(TableCommand { zram, ..plain(RowArgs::default(), false) })
            }
            "selection" => SelectionArgs::from_arg_matches(matches).map(|args| {
                let selection = Some(args.wish);
                TableCommand { selection, ..plain(args.rows, false) }
            }),
            "processes" => ProcessArgs::from_arg_matches(matches).map(processes),
            "cgroups" | "zram" => {
                AllArgs::from_arg_matches(matches).map(|args| plain(args.rows, args.all))
            }
            _ => RowArgs::from_arg_matches(matches).map(|rows| plain(rows, false)),
        }
    }
}

fn processes(args: ProcessArgs) -> TableCommand {
    let mut rows = args.rows;
    if args.pss {
        let more = "+swap_pss,+swap_mapped";
        let columns = rows.output.map_or(more.to_owned(), |columns| format!("{columns},{more}"));
        rows.output = Some(columns);
    }
    let table = if args.users { "users" } else { "processes" };
    let (tree, process) = (args.tree, args.pid);
    TableCommand { tree, process, ..TableCommand::plain(table, rows, args.all) }
}

impl Subcommand for TableCommand {
    fn augment_subcommands(command: Command) -> Command {
        TABLE_COMMANDS.iter().fold(command, |command, info| command.subcommand(info.command()))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        TABLE_COMMANDS.iter().any(|info| info.table == name)
    }
}

impl FromArgMatches for TableCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = matches.subcommand().and_then(|(name, matches)| {
            let info = TABLE_COMMANDS.iter().find(|info| info.table == name)?;
            Some(info.parse(matches))
        });
        named.unwrap_or_else(|| Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Query, Request};

    /// The example in the help of each table command is a filter that the table accepts.
    #[test]
    fn filter_examples_fit_their_tables() {
        for info in TABLE_COMMANDS {
            let spec = tables::find(info.table).unwrap();
            let example = filter_example(spec);
            let request = Request { filter: Some(example.clone()), ..Request::default() };
            assert!(Query::new(spec, &request).is_ok(), "{}: {example}", info.table);
            let mut command = info.command();
            let help = command.render_long_help().to_string();
            assert!(help.contains(&format!("such as '{example}'")), "{help}");
        }
    }
}
