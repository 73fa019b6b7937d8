//! Commands that print one table. A list defines them, because only names and arguments differ.
//!
//! The arguments of a command are built only when it is typed: building all of them would take
//! longer than reading the machine.

use super::args::zram::ZramCommand;
use super::args::{AllArgs, ProcessArgs, RowArgs, SelectionArgs, SelectionRequest, with_arguments};
use crate::columns::select::column_names;
use crate::columns::{Spec, Unit, tables};
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Subcommand};

/// A command that prints one table.
struct TableCommandInfo {
    /// The name of the table and of its command.
    table: &'static str,
    /// One line for the list of commands.
    about: &'static str,
}

const fn shows(table: &'static str, about: &'static str) -> TableCommandInfo {
    TableCommandInfo { table, about }
}

static TABLE_COMMANDS: &[TableCommandInfo] = &[
    shows("devices", "Show swap areas: size, use, priority and backing device"),
    shows("groups", "Show priority groups, and how evenly each is used"),
    shows(
        "selection",
        "Show which area the kernel fills next, or would fill with other priorities",
    ),
    shows("zram", "Show zram devices and their compression ratios; subcommands change them"),
    shows("zswap", "Show what zswap stores, and what it rejected"),
    shows("mthp", "Show how often large folios are swapped out whole or split, by size"),
    shows("readahead", "Show the hit rate of swap readahead"),
    shows("paging", "Show swap traffic, page faults and reclaim"),
    shows("processes", "Show processes with pages in swap"),
    shows("cgroups", "Show swap, limits and pressure of cgroups"),
    shows("pressure", "Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)"),
    shows("knobs", "Show kernel settings that control swapping, with range and default"),
    shows("numa", "Show memory, swap cache and swap devices by NUMA node"),
    shows("sources", "Show which kernel files could be read, and how to make the others readable"),
];

/// The function that adds the arguments of the command of a table.
fn arguments(table: &str) -> fn(Command) -> Command {
    match table {
        "selection" => SelectionArgs::augment_args,
        "zram" => zram_args,
        "processes" => ProcessArgs::augment_args,
        "cgroups" => AllArgs::augment_args,
        _ => RowArgs::augment_args,
    }
}

/// Adds arguments to the command of a table, with an example of a filter that fits the table.
fn add_arguments(command: Command) -> Command {
    let info = TABLE_COMMANDS.iter().find(|info| info.table == command.get_name());
    let Some((info, spec)) = info.zip(tables::find(command.get_name())) else { return command };
    let help = format!(
        "Show only matching rows, such as '{}'; & and | join conditions, a bare word matches any column",
        filter_example(spec)
    );
    with_arguments(command, arguments(info.table)).mut_arg("filter", |filter| filter.help(help))
}

/// A filter for the first default column that has a number, or else for the key.
fn filter_example(spec: &Spec) -> String {
    let infos = (spec.infos)();
    let shown = column_names(spec.default).filter_map(|id| infos.iter().find(|info| info.id == id));
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
    let command = AllArgs::augment_args(command).args_conflicts_with_subcommands(true);
    let command = ZramCommand::augment_subcommands(command);
    command.subcommand_required(false).arg_required_else_help(false)
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
        Command::new(self.table).about(self.about).defer(add_arguments)
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
