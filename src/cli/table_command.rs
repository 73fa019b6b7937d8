//! The commands that print one table: all alike, so they are a list and not code.
//!
//! Their arguments are built only when one of them is typed: building all of them would take
//! longer than reading the machine.

use super::args::zram::ZramCommand;
use super::args::{AllArgs, ProcessArgs, RowArgs, SelectionArgs, SelectionRequest, keeping_about};
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Subcommand};

/// A command that prints one table.
struct TableCommandInfo {
    /// The table, and the name of the command.
    table: &'static str,
    /// What it tells, for the list of commands.
    about: &'static str,
    /// Lines to try.
    examples: &'static str,
    /// What can be typed after it.
    arguments: fn(Command) -> Command,
}

static TABLE_COMMANDS: &[TableCommandInfo] = &[
    TableCommandInfo {
        table: "devices",
        about: "Swap areas: size, use, priority, what carries them",
        examples: "swapadm devices\nswapadm devices -o +label,uuid --explain\nswapadm devices --interval 1            # with what goes in and out of each\nswapadm devices -J | jq '.tables.devices.rows[].used'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "groups",
        about: "The areas of each priority, and how evenly they are used",
        examples: "swapadm groups\nswapadm groups --filter 'skew>10%'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "selection",
        about: "Which area is next, by the rules of this kernel, and which would be",
        examples: "swapadm selection\nswapadm selection --node 1\nswapadm selection --folio 2M\nswapadm selection --with zram0=100,sda2=5    # before anything is changed\nswapadm selection -o name,share,full_after,large --json",
        arguments: selection_args,
    },
    TableCommandInfo {
        table: "zram",
        about: "zram devices: what they hold in how much memory; and changing them",
        examples: "swapadm zram\nswapadm zram -o all --bytes\nswapadm zram --filter 'ratio<1.5'\nswapadm zram swap --size 50% --dry-run\nswapadm zram resize zram0 4G",
        arguments: zram_args,
    },
    TableCommandInfo {
        table: "zswap",
        about: "zswap: what it holds, and what it turned away",
        examples: "swapadm zswap\nswapadm zswap -o all --explain\nswapadm zswap --interval 1",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "mthp",
        about: "Large folios by size: how often they are swapped whole or must be split",
        examples: "swapadm mthp\nswapadm mthp --interval 2 --filter 'swpout_rate>0 | fallback_rate>0'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "readahead",
        about: "Swap readahead: does it pay?",
        examples: "swapadm readahead\nswapadm readahead --interval 5\nswapadm readahead -o all --json",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "paging",
        about: "Traffic to and from swap, faults and reclaim",
        examples: "swapadm paging --interval 1\nswapadm paging --interval 1 --count 60 --csv > paging.csv\nswapadm paging -o pswpin,pswpout        # since boot",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "processes",
        about: "Processes with pages in swap",
        examples: "swapadm processes\nswapadm processes --pss --sort -swap_pss\nswapadm processes --tree\nswapadm processes --users\nswapadm processes --filter 'user=postgres & swap>10M'",
        arguments: process_args,
    },
    TableCommandInfo {
        table: "cgroups",
        about: "Control groups: swap, limits and pressure",
        examples: "swapadm cgroups\nswapadm cgroups --all --sort path\nswapadm cgroups -o +swap_peak,swap_max_hits",
        arguments: all_args,
    },
    TableCommandInfo {
        table: "pressure",
        about: "The share of time in which tasks waited for memory, I/O and processors",
        examples: "swapadm pressure\nswapadm pressure --interval 1 --filter 'resource=memory'",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "knobs",
        about: "Settings that steer swapping, with range and default",
        examples: "swapadm knobs\nswapadm knobs --filter changed=yes\nswapadm knobs -o name,value,file",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "numa",
        about: "Memory, swap cache and swap devices by NUMA node",
        examples: "swapadm numa\nswapadm numa -o +distance",
        arguments: row_args,
    },
    TableCommandInfo {
        table: "sources",
        about: "What this kernel and these rights let swapadm see, and what to do about the rest",
        examples: "swapadm sources\nswapadm sources --filter 'state!=ok'\nswapadm sources -o +files",
        arguments: row_args,
    },
];

fn row_args(command: Command) -> Command {
    keeping_about(command, RowArgs::augment_args)
}

fn all_args(command: Command) -> Command {
    keeping_about(command, AllArgs::augment_args)
}

/// The table, or one of the commands that change a device.
fn zram_args(command: Command) -> Command {
    let command = all_args(command).args_conflicts_with_subcommands(true);
    let command = command.disable_help_subcommand(true);
    keeping_about(command, ZramCommand::augment_subcommands)
        .subcommand_required(false)
        .arg_required_else_help(false)
}

fn selection_args(command: Command) -> Command {
    keeping_about(command, SelectionArgs::augment_args)
}

fn process_args(command: Command) -> Command {
    keeping_about(command, ProcessArgs::augment_args)
}

/// A table with what was asked of it.
#[derive(Clone, Debug)]
pub struct TableCommand {
    /// Its name.
    pub table: &'static str,
    /// Rows and columns.
    pub rows: RowArgs,
    /// Also rows that hold nothing.
    pub all: bool,
    /// Children below their parents.
    pub tree: bool,
    /// What is done instead of printing it.
    pub zram: Option<ZramCommand>,
    /// What is asked of the order of areas.
    pub selection: Option<SelectionRequest>,
}

impl TableCommand {
    /// A table and nothing else.
    pub fn plain(table: &'static str, rows: RowArgs, all: bool) -> Self {
        Self { table, rows, all, tree: false, zram: None, selection: None }
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
    TableCommand { tree: args.tree, ..TableCommand::plain(table, rows, args.all) }
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
