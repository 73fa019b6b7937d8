//! Completions for each shell, with columns, areas and settings as values.
//!
//! The generators of clap offer fixed words only. A word that begins with `%` stands for what a shell finds
//! out by itself, and is replaced in the finished script: `%columns-TABLE` for a list of columns, and
//! `%names-TABLE` for the names in a table of this machine.

use crate::cli::args::groups;
use crate::columns::{TABLES, tables};
use crate::learn::LESSONS;
use clap::ValueHint;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

/// Completions for each shell.
pub(super) fn for_shells(program: &clap::Command) -> Vec<(String, Vec<u8>)> {
    let offered = without_hidden(program, &[]);
    let shells = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell];
    let made = |shell: Shell| {
        let mut bytes = Vec::new();
        clap_complete::generate(shell, &mut offered.clone(), "swapadm", &mut bytes);
        let generator: &dyn clap_complete::Generator = &shell;
        let script = String::from_utf8_lossy(&bytes).into_owned();
        (generator.file_name("swapadm"), with_lookups(shell, script, &offered).into_bytes())
    };
    shells.into_iter().map(made).collect()
}

/// A copy of the command without hidden parts, which some completion generators would include. Global
/// options are part of each command by now, so that single commands can hide them.
fn without_hidden(command: &clap::Command, above: &[&str]) -> clap::Command {
    let name = command.get_name().to_owned();
    let path = [above, &[name.as_str()]].concat();
    let by_clap = |id: &str| ["help", "version"].contains(&id);
    let args = command.get_arguments().filter(|it| !it.is_hide_set());
    let args: Vec<_> = args.filter(|it| !by_clap(it.get_id().as_str())).cloned().collect();
    // Options may require a group of arguments.
    let is_offered = |id: &clap::Id| args.iter().any(|it| it.get_id() == id);
    let groups: Vec<_> =
        command.get_groups().filter(|it| it.get_args().all(is_offered)).cloned().collect();
    let below = command.get_subcommands().filter(|it| !it.is_hide_set());
    let mut below: Vec<_> =
        below.filter(|it| !by_clap(it.get_name())).map(|it| without_hidden(it, &path)).collect();
    if name == "swapadm" {
        below.sort_by_key(|it| groups::position(it.get_name()));
    }
    let about = command.get_about().cloned().unwrap_or_default();
    let version = command.get_version().map(str::to_owned);
    let args = args.into_iter().map(|it| with_words(&path, it.global(false)));
    let copy = clap::Command::new(name.clone()).about(about).args(args).groups(groups);
    let copy =
        copy.subcommands(below).disable_help_subcommand(command.is_disable_help_subcommand_set());
    match version {
        Some(version) => copy.version(version),
        None => copy,
    }
}

/// The argument with the words that are offered for its value. Options that take neither a file nor such
/// words offer nothing: a shell would offer files.
fn with_words(path: &[&str], it: clap::Arg) -> clap::Arg {
    if !it.get_num_args().is_some_and(|it| it.takes_values())
        || !it.get_possible_values().is_empty()
    {
        return it;
    }
    if matches!(path, [_, "learn"] | [_, "learn", "show" | "export"]) && it.is_positional() {
        return it.value_parser(PossibleValuesParser::new(LESSONS.map(|(name, _)| name)));
    }
    match stand_in(path, &it) {
        Some(word) => it.value_parser(PossibleValuesParser::new([word])),
        None if !it.is_positional() && it.get_value_hint() == ValueHint::Unknown => {
            it.value_hint(ValueHint::Other)
        }
        None => it,
    }
}

/// The word that stands for what a shell finds out by itself.
fn stand_in(path: &[&str], it: &clap::Arg) -> Option<String> {
    let name = it.get_value_names()?.first()?.as_str();
    match (path, name, it.get_id().as_str()) {
        ([_, table], "COLS", _) if tables::find(table).is_some() => {
            Some(format!("%columns-{table}"))
        }
        ([_, "off" | "priority" | "clusters"], "AREA" | "AREA=N", _)
        | ([_, "selection"], "AREA=N", _) => Some("%names-devices".to_owned()),
        ([_, "zram", _], _, "device") => Some("%names-zram".to_owned()),
        ([_, "set" | "reset"], _, _) if it.is_positional() => Some("%names-knobs".to_owned()),
        _ => None,
    }
}

/// The script with functions in place of the words that stand for something.
fn with_lookups(shell: Shell, script: String, program: &clap::Command) -> String {
    if shell == Shell::Bash {
        in_bash(script)
    } else if shell == Shell::Zsh {
        in_zsh(script)
    } else if shell == Shell::Fish {
        in_fish(script, program)
    } else {
        script
    }
}

/// The tables of which columns are offered.
fn listed_tables() -> impl Iterator<Item = (String, String)> {
    TABLES.iter().map(|spec| {
        let ids: Vec<&str> = (spec.infos)().iter().map(|info| info.id).collect();
        (format!("%columns-{}", spec.name), ids.join(" "))
    })
}

/// The tables of which names are offered.
const NAMED: [&str; 3] = ["devices", "zram", "knobs"];

/// Prints the names in a table, without those that a shell would need quoted.
const NAMES: &str = "swapadm $1 --raw --noheadings --output name 2>/dev/null | grep -v '[\\\\\"]'";

fn in_bash(mut script: String) -> String {
    for (word, ids) in listed_tables() {
        let offered = format!("$(compgen -W \"{word}\" -- \"${{cur}}\")");
        script = script.replace(&offered, &format!("$(_swapadm_list \"{ids}\" \"${{cur}}\")"));
    }
    for table in NAMED {
        script = script.replace(&format!("%names-{table}"), &format!("$(_swapadm_names {table})"));
    }
    format!(
        "# Completes the last word of a list such as name,-used or +size.\n_swapadm_list() {{\n    local head=\"\" last=\"$2\"\n    [[ \"$last\" == *,* ]] && head=\"${{last%,*}},\" && last=\"${{last##*,}}\"\n    [[ \"$last\" == [+-]* ]] && head=\"$head${{last:0:1}}\" && last=\"${{last:1}}\"\n    compgen -P \"$head\" -W \"$1\" -- \"$last\"\n}}\n\n_swapadm_names() {{\n    {NAMES}\n}}\n\n{script}"
    )
}

fn in_zsh(mut script: String) -> String {
    for (word, ids) in listed_tables() {
        script = script.replace(&format!("({word})"), &format!(" _values -s , column {ids}"));
    }
    for table in NAMED {
        let names = format!("($(_swapadm_names {table}))");
        script = script.replace(&format!("(%names-{table})"), &names);
    }
    let functions = format!("_swapadm_names() {{\n    {NAMES}\n}}\n\n_swapadm() {{");
    zsh_groups(&script).unwrap_or(script).replacen("_swapadm() {", &functions, 1)
}

/// The script with a list for each group of commands, in order: its heading is shown if zstyle has group-name and
/// format. The arguments of the function would put all of them into one list.
fn zsh_groups(script: &str) -> Option<String> {
    let (before, rest) =
        script.split_once("_swapadm_commands() {\n    local commands; commands=(\n")?;
    let (list, after) =
        rest.split_once("    )\n    _describe -t commands 'swapadm commands' commands \"$@\"\n")?;
    let describe = |title: &str, commands: &[&str]| {
        let is_member =
            |line: &&str| commands.iter().any(|name| line.starts_with(&format!("'{name}:")));
        let lines: Vec<&str> = list.lines().filter(is_member).collect();
        let (lines, tag) = (lines.join("\n"), title.to_lowercase());
        format!(
            "    commands=(\n{lines}\n    )\n    _describe -V -t {tag}-commands '{title}' commands && ret=0\n"
        )
    };
    let groups = groups::GROUPS.iter().map(|group| describe(group.title, group.commands));
    let groups: String = groups.chain([describe("Help", &["help"])]).collect();
    Some(format!(
        "{before}_swapadm_commands() {{\n    local commands ret=1\n{groups}    return ret\n{after}"
    ))
}

/// The script with all commands in one list that keeps its order, as fish sorts separate ones.
fn fish_in_order(script: &str) -> String {
    const COMMAND: &str = "complete -c swapadm -n \"__fish_swapadm_needs_command\" -f -a \"";
    let commands = script.lines().filter_map(|line| line.strip_prefix(COMMAND));
    let commands: Vec<String> = commands.map(|line| line.replacen("\" -d ", "\\t", 1)).collect();
    let listed = COMMAND.replace("-f", "-f -k") + &commands.join("\n") + "\"";
    let others = script.lines().filter(|line| !line.starts_with(COMMAND));
    others.chain([listed.as_str(), ""]).collect::<Vec<_>>().join("\n")
}

fn in_fish(mut script: String, program: &clap::Command) -> String {
    for (word, ids) in listed_tables() {
        script = script.replace(&format!("{word}\\t''"), &format!("(__swapadm_list {ids})"));
    }
    for table in NAMED {
        let names = format!("(__swapadm_names {table})");
        script = script.replace(&format!("%names-{table}\\t''"), &names);
    }
    script = fish_in_order(&script);
    for command in program.get_subcommands() {
        script += &fish_words(command);
    }
    format!(
        "# Completes the last word of a list such as name,-used or +size.\nfunction __swapadm_list\n    set -l head (commandline -ct | string replace -r '^--?[a-z]+=' '' | string match -r '^(?:.*,)?[+-]?')\n    for word in $argv\n        echo $head$word\n    end\nend\n\nfunction __swapadm_names\n    {}\nend\n\n{script}",
        NAMES.replace("$1", "$argv[1]")
    )
}

/// The words for arguments without an option, which the generator for fish leaves out.
fn fish_words(command: &clap::Command) -> String {
    let offered = |it: &clap::Arg| {
        let words = it.get_possible_values();
        let words: Vec<&str> = words.iter().map(clap::builder::PossibleValue::get_name).collect();
        let words = match words.as_slice() {
            [] => return None,
            [one] => match one.strip_prefix("%names-") {
                Some(table) => format!("(__swapadm_names {table})"),
                None => (*one).to_owned(),
            },
            words => words.join(" "),
        };
        let name = command.get_name();
        Some(format!(
            "complete -c swapadm -n \"__fish_swapadm_using_subcommand {name}\" -f -a \"{words}\"\n"
        ))
    };
    command.get_positionals().filter_map(offered).collect()
}
