//! Parses the arguments of the program. Only the part of the parser that a command needs is built, and
//! words that clap alone would misread are joined or split before.

use super::{Cli, Command, SettingsArgs, SourceArgs, groups};
use crate::model::activation::Discard;
use crate::model::text;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error};
use clap::{Args as _, CommandFactory as _, FromArgMatches as _, Subcommand as _};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// Parses the arguments of the program, the first of which is its name.
///
/// A parser that knows only the named command accepts nearly all command lines. What it refuses,
/// and requests for help, are parsed again by the complete parser, which words the message.
pub fn parse(arguments: &[OsString]) -> Result<Cli, Error> {
    let moved = move_options_behind(arguments);
    let arguments = moved.as_deref().unwrap_or(arguments);
    let matches = single_command_parser(arguments).try_get_matches_from(arguments);
    match matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches)) {
        Ok(cli) => Ok(cli),
        Err(_) => match with_show(arguments) {
            Some(arguments) => parse(&arguments),
            None => parse_completely(arguments),
        },
    }
}

/// Completes `process PID` and `cgroup /PATH` with `show`; `None` for anything else.
fn with_show(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let is_subject = |command: &OsString, name: &OsString| match name.as_bytes() {
        [b'0'..=b'9', ..] => command == "process",
        [b'/', ..] => command == "cgroup",
        _ => false,
    };
    let place = arguments.windows(2).position(|pair| match pair {
        [command, name] => is_subject(command, name),
        _ => false,
    })?;
    let mut complete = arguments.to_vec();
    complete.insert(place + 1, "show".into());
    Some(complete)
}

/// Parses the arguments with all commands, and lists these by group in help.
fn parse_completely(arguments: &[OsString]) -> Result<Cli, Error> {
    let mut program = groups::with_listing(Cli::command());
    let mut matches = program.try_get_matches_from_mut(arguments).map_err(with_hint)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut program))
}

/// The options that may be typed before a command: where to read from, and those of the interface.
fn root_parser() -> clap::Command {
    SettingsArgs::augment_args(SourceArgs::augment_args(clap::Command::new("swapadm")))
}

/// Moves options of the interface from before the command behind it, because they belong to commands. Other options
/// of [`root_parser`] mean the same in both places. `None` if there is nothing to move.
fn move_options_behind(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let (program, mut rest) = arguments.split_first()?;
    let is_option = |word: &OsString| word.as_bytes().starts_with(b"-");
    if !rest.first().is_some_and(is_option) {
        return None;
    }
    let (root, settings) =
        (root_parser(), SettingsArgs::augment_args(clap::Command::new("swapadm")));
    let (mut kept, mut moved) = (Vec::new(), Vec::new());
    while let Some(option) = rest.first().filter(|word| is_option(word)) {
        let option = option.to_str()?;
        let (words, more) = rest.split_at_checked(count_words(&root, option)?)?;
        let is_setting = count_words(&settings, option).is_some();
        let list = if is_setting { &mut moved } else { &mut kept };
        list.extend_from_slice(words);
        rest = more;
    }
    let (command, rest) = rest.split_first()?;
    let is_command = command.to_str().is_some_and(Command::has_subcommand);
    let words = || {
        let [program, command] = [program, command].map(std::slice::from_ref);
        [program, &kept, command, &moved, rest].concat()
    };
    (is_command && !moved.is_empty()).then(words)
}

/// The number of words of an option with its value; `None` if the parser has no such option.
fn count_words(parser: &clap::Command, option: &str) -> Option<usize> {
    let short = option.get(..2).filter(|_| !option.starts_with("--"));
    let name = short.unwrap_or_else(|| option.split('=').next().unwrap_or(option));
    let is_joined = name.len() < option.len();
    let is_meant = |argument: &&clap::Arg| {
        let long = argument.get_long().map(|long| format!("--{long}"));
        let short = argument.get_short().map(|short| format!("-{short}"));
        [long, short].iter().flatten().any(|known| known == name)
    };
    let argument = parser.get_arguments().find(is_meant)?;
    Some(if argument.get_action().takes_values() && !is_joined { 2 } else { 1 })
}

/// Keeps only the nearest of the commands that clap suggests for an unknown one, and none that is unlike. A
/// process or cgroup in place of a command is probably to be shown. An option of the interface is named as such.
fn with_hint(mut error: Error) -> Error {
    let typed_as = |kind| match error.get(kind) {
        Some(ContextValue::String(typed)) => Some(typed.clone()),
        _ => None,
    };
    let settings = || SettingsArgs::augment_args(clap::Command::new("swapadm"));
    let is_setting = |option: &String| count_words(&settings(), option).is_some();
    if let Some(option) = typed_as(ContextKind::InvalidArg).filter(is_setting) {
        // A similar name of this command and its usage would mislead.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        return suggest(
            error,
            &format!("it is an option of the interface: 'swapadm watch {option}'"),
        );
    }
    let Some(typed) = typed_as(ContextKind::InvalidSubcommand) else { return error };
    if typed == "explain" {
        // Commands that are spelled alike would mislead.
        error.remove(ContextKind::SuggestedSubcommand);
        return suggest(error, "to explain the rule of a finding: 'swapadm advise --explain RULE'");
    }
    if let Some(ContextValue::Strings(all)) = error.remove(ContextKind::SuggestedSubcommand)
        && let Some(nearest) = text::begun_or_nearest(&typed, all.iter().map(String::as_str))
    {
        let nearest = ContextValue::Strings(vec![nearest.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, nearest);
    } else {
        // An empty list of hints would be printed as an empty line.
        error.remove(ContextKind::Suggested);
    }
    error
}

/// Adds a tip to an error.
fn suggest(mut error: Error, tip: &str) -> Error {
    let tips = vec![StyledStr::from(tip.to_owned())];
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

/// The parser of the first command that is named, without the others.
fn single_command_parser(arguments: &[OsString]) -> clap::Command {
    let root = root_parser();
    let mut names = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let Some(name) = names.find(|name| Command::has_subcommand(name)) else { return root };
    let mut all = Command::augment_subcommands(clap::Command::new("swapadm"));
    match all.find_subcommand_mut(name) {
        Some(command) => root.subcommand(std::mem::take(command)),
        None => root,
    }
}

/// Splits a discard policy from the option letter before it, as swapon(8) accepts both in one word.
/// Clap would read `-dpages` as `-d -p ages`, since the value of `-d` is optional.
pub fn split_discards(
    arguments: impl IntoIterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut is_over = false;
    arguments.into_iter().map(move |argument| {
        is_over |= argument == "--";
        match argument.as_bytes().strip_prefix(b"-d") {
            Some(word) if !is_over && is_discard(word) => {
                OsString::from_vec([b"-d=", word].concat())
            }
            _ => argument,
        }
    })
}

/// Whether a word is a discard policy, or was probably meant as one: of all priorities, only
/// `default` is made of letters.
fn is_discard(word: &[u8]) -> bool {
    let is_known = Discard::WORDS.iter().any(|(known, _)| known.as_bytes() == word);
    let is_priority = word.strip_prefix(b"p").is_some_and(|rest| {
        !rest.is_empty() && rest != b"default" && rest.iter().all(u8::is_ascii_alphabetic)
    });
    is_known || is_priority
}

/// Options of workloads and experiments that take a size.
const SIZE_OPTIONS: [&str; 7] =
    ["--limit", "-l", "--zram", "-z", "--file", "--min-available", "--min-swap"];
/// Commands that have these options.
const SIZE_COMMANDS: [&str; 2] = ["stress", "experiment"];

/// Joins negative sizes with the option before them. Clap would read a word such as `-5M` as options, and its
/// message would not name the size as the mistake.
pub fn join_negative_sizes(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut understood: Vec<OsString> = Vec::new();
    let (mut is_meant, mut is_over) = (false, false);
    for argument in arguments {
        is_over |= argument == "--";
        is_meant |= SIZE_COMMANDS.iter().any(|command| argument == *command);
        let option =
            understood.last_mut().filter(|_| is_meant && !is_over && is_negative(&argument));
        match option.filter(|option| SIZE_OPTIONS.iter().any(|size| **option == *size)) {
            Some(option) => {
                option.push("=");
                option.push(argument);
            }
            None => understood.push(argument),
        }
    }
    understood
}

/// Whether an argument begins like a negative number.
fn is_negative(argument: &OsStr) -> bool {
    matches!(argument.as_bytes(), [b'-', digit, ..] if digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{Cli, Command, OnArgs};
    use crate::cli::generate;
    use clap::Parser as _;

    fn on(typed: &[&str]) -> Result<OnArgs, String> {
        let words = ["swapadm", "on"].iter().chain(typed).map(OsString::from);
        let cli = Cli::try_parse_from(split_discards(words)).map_err(|error| error.to_string())?;
        let Some(Command::On(args)) = cli.command else { panic!("{cli:?}") };
        Ok(args.into_inner())
    }

    /// The discard policy, the priority, and the number of areas.
    fn parse_on(typed: &[&str]) -> (Option<String>, Option<String>, usize) {
        let OnArgs { discard, priority, areas, .. } = on(typed).unwrap();
        (discard, priority, areas.len())
    }

    #[test]
    fn process_or_cgroup_alone_is_shown() {
        let command = |words: &[&str]| {
            let words = words.iter().map(OsString::from).collect::<Vec<_>>();
            parse(&words).map(|cli| format!("{:?}", cli.command)).map_err(|error| error.to_string())
        };
        let typed = ["swapadm", "--sysroot", "/x", "process", "12", "--json"];
        let complete = ["swapadm", "--sysroot", "/x", "process", "show", "12", "--json"];
        assert_eq!(command(&typed), command(&complete));
        assert!(command(&complete).is_ok());
        let cgroup = command(&["swapadm", "cgroup", "/a"]);
        assert_eq!(cgroup, command(&["swapadm", "cgroup", "show", "/a"]));
        assert!(cgroup.is_ok());
        let refused = command(&["swapadm", "process", "12", "--nonsense"]).unwrap_err();
        assert!(refused.contains("--nonsense"), "{refused}");
        assert!(command(&["swapadm", "process", "x"]).unwrap_err().contains("'x'"));
    }

    #[test]
    fn options_of_the_interface_are_named_as_such() {
        let words = ["swapadm", "status", "--config", "x"].map(OsString::from);
        let error = parse(&words).unwrap_err().to_string();
        assert!(error.contains("swapadm watch --config"), "{error}");
        assert!(!error.contains("--recording"), "{error}");
    }

    #[test]
    fn discard_word_may_follow_its_letter() {
        let some = |word: &str| Some(word.to_owned());
        for word in ["none", "once", "pages", "both"] {
            for typed in [format!("-d{word}"), format!("-d={word}"), format!("--discard={word}")] {
                assert_eq!(parse_on(&[&typed, "/x"]), (some(word), None, 1), "{typed}");
            }
        }
        assert_eq!(parse_on(&["-d", "/x"]), (some("both"), None, 1));
        assert_eq!(parse_on(&["-dp5", "/x"]), (some("both"), some("5"), 1));
        assert_eq!(parse_on(&["-dpdefault", "/x"]), (some("both"), some("default"), 1));
        assert_eq!(parse_on(&["--", "-dpages"]), (None, None, 1));
    }

    #[test]
    fn misspelt_discard_is_not_a_priority() {
        let error = on(&["-dpage", "/x"]).unwrap_err();
        assert!(error.contains("--discard") && error.contains("pages"), "{error}");
    }

    /// The start of the program would otherwise take twice as long, for arguments that nobody typed.
    #[test]
    fn only_the_arguments_of_the_typed_command_are_built() {
        let mut command = Cli::command();
        command.try_get_matches_from_mut(["swapadm", "devices", "--bytes"]).unwrap();
        let own = |it: &&clap::Command| {
            let is_own = it.get_name() != "help";
            is_own
                && it
                    .get_arguments()
                    .any(|argument| !argument.is_global_set() && argument.get_id() != "help")
        };
        let built: Vec<&str> =
            command.get_subcommands().filter(own).map(clap::Command::get_name).collect();
        assert_eq!(built, ["devices"]);
    }

    fn words(typed: &str) -> Vec<String> {
        let words = join_negative_sizes(typed.split(' ').map(OsString::from));
        words.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn negative_size_belongs_to_its_option() {
        assert_eq!(
            words("stress run x --limit -5M -z -1G"),
            ["stress", "run", "x", "--limit=-5M", "-z=-1G"]
        );
        for other in ["stress run --limit -l", "on -l -5M", "stress run -- --limit -5M"] {
            assert_eq!(words(other).join(" "), other);
        }
    }

    #[test]
    fn all_options_of_sizes_are_known() {
        let cli = generate::command();
        let mut found = Vec::new();
        for name in SIZE_COMMANDS {
            let command = cli.find_subcommand(name).and_then(|it| it.find_subcommand("run"));
            for it in command.unwrap().get_arguments() {
                let values = it.get_value_names().unwrap_or_default();
                if values.iter().any(|value| value.ends_with("SIZE")) {
                    found.extend(it.get_long().map(|long| format!("--{long}")));
                    found.extend(it.get_short().map(|short| format!("-{short}")));
                }
            }
        }
        found.sort();
        found.dedup();
        let mut known = SIZE_OPTIONS;
        known.sort_unstable();
        assert_eq!(found, known);
    }

    /// The words of a shell command, up to a comment, pipe or redirection.
    fn shell_words(line: &str) -> Vec<OsString> {
        let (mut words, mut is_quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            match letter {
                '\'' => is_quoted = !is_quoted,
                '#' | '|' | '>' if !is_quoted => break,
                ' ' if !is_quoted => words.push(String::new()),
                letter => words.last_mut().unwrap().push(letter),
            }
        }
        words.into_iter().filter(|word| !word.is_empty()).map(OsString::from).collect()
    }

    /// The examples of a command and of its subcommands.
    fn examples(command: &clap::Command) -> Vec<String> {
        let own = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let own = own.lines().filter_map(|line| line.strip_prefix("  ").map(str::to_owned));
        own.chain(command.get_subcommands().flat_map(examples)).collect()
    }

    /// The examples of all commands, with each option that may be typed before a command.
    #[test]
    fn an_option_means_the_same_before_and_after_the_command() {
        const OPTIONS: &[&[&str]] = &[
            &["--sysroot", "/nowhere"],
            &["--recording=x"],
            &["--machine", "laptop", "--at", "first"],
            &["--color", "never"],
            &["--theme=dark", "--glyphs", "vt"],
            &["--ascii", "--no-mouse"],
            &["--screen", "devices"],
            &["--config", "x"],
            &["--no-config"],
            &["--interval", "5"],
            &["-i", "5"],
            &["-i5"],
        ];
        let program = generate::command();
        // A message names the usage of the command before the mistake.
        let understood =
            |words: &[OsString]| parse(words).map(|cli| format!("{cli:?}")).map_err(|_| ());
        for line in examples(&program) {
            let words = shell_words(&line);
            let Some((first, rest)) = words.split_first().filter(|_| line.starts_with("swapadm "))
            else {
                continue;
            };
            assert!(parse(&words).is_ok(), "{line}");
            let mut command = &program;
            let is_name = |word: &&OsString| match command.find_subcommand(word) {
                Some(inner) => {
                    command = inner;
                    true
                }
                None => false,
            };
            let count = rest.iter().take_while(is_name).count();
            let (names, end) = rest.split_at(count);
            for typed in OPTIONS.iter().filter(|_| !names.is_empty()) {
                let typed: Vec<OsString> = typed.iter().map(OsString::from).collect();
                let place = |parts: [&[OsString]; 3]| {
                    understood(&[std::slice::from_ref(first), &parts.concat()].concat())
                };
                let (before, after) = (place([&typed, names, end]), place([names, &typed, end]));
                assert_eq!(before, after, "{line} {typed:?}");
            }
        }
    }

    #[test]
    fn a_mistake_about_a_process_or_cgroup_names_the_next_command() {
        for (line, hint) in [
            ("process 1x", "use a process ID: swapadm processes --all lists them"),
            ("process bash", "'bash'"),
            ("cgroup shwo", "'show'"),
            ("process show bash", "use a process ID: swapadm processes --all lists them"),
            ("processes bash", "use a process ID: swapadm processes --all lists them"),
        ] {
            let error = parse(&shell_words(&format!("swapadm {line}"))).unwrap_err().to_string();
            assert!(error.contains(hint), "{line}: {error}");
        }
    }

    #[test]
    fn commands_that_open_the_interface_take_its_options() {
        for command in ["watch", "demo", "replay x"] {
            for line in [format!("--color 16 {command}"), format!("{command} --color 16")] {
                assert!(parse(&shell_words(&format!("swapadm {line}"))).is_ok(), "{line}");
            }
        }
    }

    #[test]
    fn every_example_parses() {
        let documents = [
            include_str!("../../../README.md"),
            include_str!("../../../docs/tour.md"),
            include_str!("../../../docs/interface.md"),
        ];
        // Every second part between backticks is code, in a line as in a block.
        let code = documents.iter().flat_map(|text| text.split('`').skip(1).step_by(2));
        let documents = code.flat_map(str::lines).map(str::to_owned);
        let lines: Vec<String> = documents.chain(examples(&generate::command())).collect();
        let is_command = |line: &&String| line.starts_with("swapadm ");
        let commands: Vec<&String> = lines.iter().filter(is_command).collect();
        assert!(commands.len() > 150, "{}", commands.len());
        for command in commands {
            let typed: Vec<_> = split_discards(join_negative_sizes(shell_words(command))).collect();
            let understood = parse(&typed);
            assert!(understood.is_ok(), "{command}: {}", understood.unwrap_err());
        }
    }
}
