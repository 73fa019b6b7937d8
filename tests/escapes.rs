//! Text from outside never reaches a terminal as it is: a hostile value in each place that is read, and every
//! command and screen that could show it.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the helpers of a test stop it"
)]

use crate::common;
mod places;

use common::screen::Screen;
use common::{sampled, swapadm, with_each};
use places::{FORGED, HOME, Hostile, MACHINE, Place, World};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::process::{Command, Output};
use swapadm::clock::Clock;
use swapadm::columns::TABLES;
use swapadm::model::name::is_unsafe;
use swapadm::model::{PartSet, Stamp};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::ui::msg::Msg;

/// Commands that read the machine.
const OF_MACHINE: &[&str] = &[
    "status",
    "status --json",
    "report --all",
    "report --json --all",
    "devices -o all",
    "processes --tree --all",
    "processes --users",
    "process 4243",
    "process show 4245 --all",
    "process show 4242 --json",
    "cgroup show /hog",
    "cgroup show @bytes --all",
    "cgroup show /docker-c0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0de.scope",
    "advise",
    "advise --json",
    "advise --rules",
    "metrics",
    "metrics --process @word --cgroup /@word",
    "selection",
    "selection --with /mnt/@bytes=5 -o all",
    "clusters --map",
    "cost --plan 4G",
    "sources -o all",
    "what-if --priority zram0=5",
    "what-if --json",
    "machine like-this",
    "save",
    "save --boot",
    "save --cgroups",
    "setup --dry-run",
    "setup --dry-run --json",
    "persist check",
    "persist check --json",
    "journal",
    "journal 1",
    "journal 2",
    "journal 3",
    "journal --json",
    "undo 1 --dry-run",
    "recover --dry-run",
    "recover --dry-run --json",
    "off --all --dry-run",
    "off --all --dry-run --json",
    "off /mnt/@bytes --dry-run",
    "on --all --dry-run",
    "on LABEL=@bytes --dry-run",
    "priority /mnt/@bytes=7 --dry-run --persist",
    "rebalance --check",
    "rebalance --dry-run --json",
    "set swappiness 10 --dry-run --persist",
    "reset page-cluster --dry-run --persist",
    "zram swap --size 64M --dry-run",
    "zram algorithm zram0 @word --dry-run",
    "zram algorithm zram1 foo --dry-run",
    "zram resize zram0 128M --dry-run --persist",
    "zram limit zram0 1G --dry-run --json",
    "zram upkeep --dry-run",
    "cgroup reclaim @bytes 1M --dry-run",
    "file create /mnt/@bytes 64M --dry-run",
    "file remove /mnt/@bytes --dry-run",
    "format /dev/nvme0n1 --label @bytes --dry-run",
    "stress run usemem --limit 16M --dry-run",
    "watch overview --plain --count 1",
    "watch devices --plain --count 1",
    "watch compression --plain --count 1",
    "watch mthp --plain --count 1",
    "watch paging --plain --count 1",
    "watch processes --plain --count 1",
    "watch map --plain --count 1",
    "watch processes --picture /dev/stdout --count 1",
];

/// Commands that read files of a person. Those that print a file as it is keep its tabs.
const OF_HOME: &[&str] = &[
    "watch overview --plain --count 1",
    "advise",
    "stress list",
    "stress list --json",
    "stress show own",
    "stress run own --limit 16M --dry-run",
    "stress run own --limit 16M --dry-run --json",
    "stress run bad --dry-run",
    "stress run nosuch --dry-run",
    "stress run own --on ~/machine.toml --no-keep --yes",
    "experiment list",
    "experiment list --json",
    "experiment show own",
    "experiment run own --dry-run",
    "experiment run bad --dry-run",
    "experiment run nosuch --dry-run",
    "learn --json",
    "learn show ~/lesson.toml",
    "learn check ~/lesson.toml",
    "learn check ~/bad-lesson.toml",
    "learn export ~/lesson.toml",
    "learn ~/lesson.toml --plain",
    "learn ~/bad-lesson.toml --plain",
    "machine show ~/machine.toml",
    "machine check ~/machine.toml",
    "machine check ~/bad-machine.toml",
    "--machine ~/machine.toml status",
    "--machine ~/machine.toml report --json",
    "--machine ~/machine.toml off --all --dry-run",
    "--machine ~/machine.toml watch devices --plain --count 1",
    "--machine ~/bad-machine.toml status",
    "what-if --load ~/config/swapadm/loads/own.toml",
    "apply ~/wanted.toml --diff",
    "apply ~/wanted.toml --dry-run",
    "apply ~/wanted.toml --dry-run --json",
    "apply ~/bad-wanted.toml --check",
    "zram upkeep --policy ~/bad-wanted.toml --dry-run",
    "rebalance custom ~/order --dry-run",
    "results",
    "results --json",
    "results --csv -o all",
    "results --markdown -o all",
    "results show 1 --all",
    "results show 1 --json",
    "results show 2",
    "results show 2 --json",
    "results show 3",
    "results show 4",
    "results compare 1 1",
    "results export 1 --format html",
    "results export 1 --format markdown",
    "results export 2 --format csv",
    "results remove 4 --yes",
    "--recording ~/x.rec status",
    "--recording ~/x.rec report --all",
    "--recording ~/x.rec report --json --all",
    "--recording ~/x.rec advise",
    "--recording ~/x.rec watch processes --plain --count 1",
    "replay ~/x.rec devices -o all",
    "replay ~/x.rec processes --csv -o all",
];

/// Formats of a table.
const FORMATS: [&str; 6] = ["-oall", "-oall --explain", "-oall --raw", "--csv", "--markdown", "-n"];

/// Commands with a hostile word in each place where one can be typed.
const TYPED: &[&str] = &[
    "@word",
    "report @word",
    "watch @word",
    "devices -o @word",
    "devices --sort @word",
    "devices --filter @word",
    "devices --filter name=@word",
    "devices --interval @word",
    "advise --explain @word",
    "advise --config @bytes",
    "process @word",
    "process show 99 --@word",
    "metrics --listen @word",
    "metrics --textfile /nosuch/@bytes",
    "clusters @word",
    "cost --plan @word",
    "what-if --kernel @word",
    "what-if --add @word",
    "what-if --load @bytes",
    "selection --folio @word",
    "selection --cgroup @bytes",
    "--sysroot @bytes status",
    "--machine @bytes status",
    "--recording @bytes status",
    "--recording ~/nosuch --at @word status",
    "replay @bytes",
    "capture /nosuch/@bytes",
    "record /nosuch/@bytes --interval @word",
    "setup --with @word --dry-run",
    "setup --with size=@word --dry-run",
    "apply @bytes --diff",
    "on @bytes --dry-run",
    "on zram0 --priority @word --dry-run",
    "off zram0 --force @word --timeout @word --dry-run",
    "priority @bytes=5 --dry-run",
    "priority zram0=@word --dry-run",
    "rebalance custom @bytes --dry-run",
    "set @word 1 --dry-run",
    "set swappiness @word --dry-run",
    "set memory.max 1G --cgroup @bytes --dry-run",
    "reset @word --dry-run",
    "undo @word",
    "journal @word",
    "zram add --size @word --dry-run",
    "zram add --algorithm @word --backing @bytes --dry-run",
    "zram remove @bytes --dry-run",
    "zram upkeep @bytes --policy @bytes --dry-run",
    "file create @bytes @word --dry-run",
    "file resize @bytes 1G --dry-run",
    "format @bytes --uuid @word --dry-run",
    "stress run @bytes --dry-run",
    "stress run usemem --with @word --set @word --zram @word --title @word --dry-run",
    "stress run usemem --with size=@word --dry-run",
    "stress run usemem --limit 16M --title @word --dry-run",
    "stress run usemem --file 1G --file-in @bytes --dry-run",
    "stress run usemem --on @bytes",
    "experiment run @bytes --dry-run",
    "experiment run balance --only @word --dry-run",
    "machine show @bytes",
    "machine check @bytes",
    "learn @bytes --plain",
    "learn check @bytes",
    "demo @word",
    "results show @bytes",
    "results show last~@word",
    "results -o @word",
    "results compare 1 @bytes",
    "results export 1 --to /nosuch/@bytes",
    "results remove @bytes",
];

/// Variables of the environment.
const VARIABLES: [&str; 16] = [
    "SWAPADM_ROOT",
    "SWAPADM_RESULTS",
    "SWAPADM_JOURNAL",
    "SWAPADM_INTERVAL",
    "SWAPADM_COLOR",
    "SWAPADM_THEME",
    "SWAPADM_GLYPHS",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "HOME",
    "TERM",
    "COLORTERM",
    "LC_ALL",
    "LANG",
    "COLUMNS",
    "LINES",
];

/// A word of a command line: `@word` and `@bytes` are hostile, `~` is the folder of the person.
fn argument(world: &World, typed: &str, it: &Hostile) -> OsString {
    for (mark, value) in [("@bytes", it.bytes()), ("@word", it.line().into_bytes())] {
        if let Some((start, end)) = typed.split_once(mark) {
            return OsString::from_vec([start.as_bytes(), &value, end.as_bytes()].concat());
        }
    }
    typed.strip_prefix("~/").map_or_else(|| typed.into(), |file| world.path(file).into())
}

fn program(world: &World) -> Command {
    let mut program = swapadm();
    program.env("SWAPADM_ROOT", world.machine.path()).current_dir(world.path(""));
    program.env("XDG_CONFIG_HOME", world.path("config")).env("XDG_STATE_HOME", world.path("state"));
    program
}

/// Expects an output without characters that could affect a terminal, and returns it. Files that are printed
/// as they are keep their tabs, and fields of CSV, which are quoted, their line ends.
fn safe(output: &Output, command: &str) -> String {
    let is_file = ["stress", "experiment", "learn", "machine"]
        .iter()
        .any(|it| command.starts_with(&format!("{it} show ")));
    let mut all = String::new();
    for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = str::from_utf8(bytes).unwrap_or_else(|error| {
            panic!("{command}: {stream}: {error}: {}", bytes.escape_ascii())
        });
        let allowed = |c: char| c == '\n' || c == '\t' && is_file && stream == "stdout";
        let line = text.lines().find(|line| {
            line.starts_with(FORGED) && !command.contains("csv")
                || line.chars().any(|c| is_unsafe(c) && !allowed(c))
        });
        assert!(line.is_none(), "{command}: {stream} has {line:?}");
        all.push_str(text);
    }
    assert!(!all.contains("panicked"), "{command}: {all}");
    all
}

/// The value of a place, with a word that is short enough for a label and stands nowhere else.
fn hostile(place: &Place) -> Hostile {
    let number =
        place.name.bytes().fold(7_u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    Hostile(format!("zq{number:04x}"))
}

/// Runs each of the commands on a world with hostile values in these places, and expects that they show each.
fn expect_safe_and_shown(places: &[&Place], commands: &[String]) {
    let world = world_of(places);
    let shown = std::sync::Mutex::new(BTreeSet::new());
    with_each(commands, |command| {
        let typed = Hostile("zqtype".to_owned());
        let arguments = command.split(' ').map(|word| argument(&world, word, &typed));
        let text = safe(&program(&world).args(arguments).output().unwrap(), command);
        let names = places.iter().filter(|place| text.contains(&hostile(place).0));
        shown.lock().unwrap().extend(names.map(|place| place.name));
    });
    let shown = shown.into_inner().unwrap();
    let expected: BTreeSet<_> =
        places.iter().filter(|it| it.is_printed).map(|it| it.name).collect();
    assert_eq!(shown, expected, "the places whose text is printed");
}

fn owned(commands: &[&str]) -> Vec<String> {
    commands.iter().map(|&command| command.to_owned()).collect()
}

/// Every table in each format: one of them for each table, or all.
fn tables() -> Vec<String> {
    let tables = TABLES.iter().enumerate().flat_map(|(number, spec)| {
        let formats = sampled(FORMATS.to_vec(), FORMATS.len(), number);
        formats.into_iter().map(|format| format!("report {} --all {format}", spec.name))
    });
    tables.collect()
}

fn world_of(places: &[&Place]) -> World {
    let world = World::new();
    for place in places {
        (place.plant)(&world, &hostile(place));
    }
    world
}

#[test]
fn hostile_files_of_a_machine_are_shown_escaped() {
    let places: Vec<&Place> = MACHINE.iter().collect();
    expect_safe_and_shown(&places, &[owned(OF_MACHINE), tables()].concat());
}

#[test]
fn hostile_files_of_a_person_are_shown_escaped() {
    expect_safe_and_shown(&HOME.iter().collect::<Vec<_>>(), &owned(OF_HOME));
}

/// One hostile value may hide another: an error ends a command before it reads on.
#[test]
#[ignore = "some minutes: each place alone, with every command"]
fn rubbish_in_each_place_alone_is_shown_escaped() {
    // A simulation takes seconds: only with all places at once.
    let is_quick = |command: &String| !command.starts_with("what-if");
    let mut commands = [owned(OF_MACHINE), tables()].concat();
    commands.retain(is_quick);
    for place in MACHINE {
        expect_safe_and_shown(&[place], &commands);
    }
    for place in HOME {
        expect_safe_and_shown(&[place], &owned(OF_HOME));
    }
}

#[test]
fn hostile_words_on_the_command_line_are_shown_escaped() {
    expect_safe_and_shown(&[], &owned(TYPED));
}

#[test]
fn a_hostile_environment_is_shown_escaped() {
    let world = world_of(&[]);
    let value = OsStr::from_bytes(&Hostile("zqset".to_owned()).bytes()).to_owned();
    with_each(&VARIABLES, |variable| {
        for command in ["status", "results", "journal", "watch devices --plain --count 1"] {
            let mut program = program(&world);
            let output = program.args(command.split(' ')).env(variable, &value).output().unwrap();
            safe(&output, &format!("{variable}: {command}"));
        }
    });
}

/// Keys that lead to every screen, and to the pages, menus and dialogs of a row.
const KEYS: &[&str] = &[
    "1",
    "1 +",
    "2",
    "2 Enter",
    "2 j Enter",
    "2 a",
    "2 G a",
    "2 G o",
    "3",
    "3 a",
    "4",
    "5",
    "6",
    "6 Enter",
    "6 j Enter",
    "6 ] Enter",
    "6 G Enter",
    "6 a",
    "6 t",
    "6 u",
    "7",
    "8",
    "8 G",
    "9",
    "?",
    ":",
    "/ z q",
    "F5",
    "s",
    "!",
];

#[test]
fn no_screen_shows_what_could_affect_a_terminal() {
    let world = world_of(&MACHINE.iter().collect::<Vec<_>>());
    let root = Root::at(world.machine.path()).unwrap();
    let snapshot = |second: u64| {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: 1_790_000_000_000 };
        probes::sample(&root, &Clock::at(stamp), PartSet::WHOLE)
    };
    let snapshots = [1000, 1001].map(snapshot);
    let mut shown = String::new();
    for (width, height) in [(80, 24), (200, 60)] {
        for keys in KEYS {
            let mut screen = Screen::new(width, height);
            for snapshot in &snapshots {
                screen.send(Msg::Snapshots(vec![snapshot.clone()]));
                screen.send(Msg::Tick(snapshot.stamp));
            }
            screen.press(keys);
            for line in screen.text() {
                assert!(!line.contains(is_unsafe), "{keys} at {width}x{height}: {line:?}");
                assert!(!line.trim_start().starts_with(FORGED), "{keys}: {line:?}");
                shown.push_str(&line);
            }
        }
    }
    for place in [&MACHINE[0], &MACHINE[2], &MACHINE[5]] {
        assert!(shown.contains(&hostile(place).0), "no screen shows {}", place.name);
    }
}
