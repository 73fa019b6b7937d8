//! Manners of the command line: names are exact, suggestions name the near word first, and no input makes the
//! output endless. tests/escapes.rs tests that what it prints is safe on a terminal.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "the helpers of a test stop it, and a skipped test says why"
)]

use crate::common;

use common::{Machine, repository, rows, swapadm, with_each_machine};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use swapadm::cli::generate;
use swapadm::clock::Clock;
use swapadm::columns::{TABLES, text};
use swapadm::derive::SampleView;
use swapadm::model::{Part, Policy, Stamp};
use swapadm::probes;
use swapadm::report::status::{self, StatusPage};
use swapadm::report::table::TableOptions;
use swapadm::root::Root;

/// The names of areas as jq and as printf of bash give them back lead to files that exist.
#[test]
fn json_and_raw_carry_the_exact_name() {
    let tools = ["jq", "bash"].map(|tool| Command::new(tool).arg("--version").output().is_ok());
    if tools != [true, true] {
        println!("skipped: jq or bash is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let names: [&[u8]; 5] = [b"a\\tb", b"a\tb", b"new\nline", b"la\xfftin\\x", b"sp ace\\\\"];
    let machine = Machine::unpack("6.12-idle");
    for name in names {
        fs::write(folder.path().join(OsStr::from_bytes(name)), "").unwrap();
    }
    let mut bytes = b"Filename Type Size Used Priority\n".to_vec();
    for name in names {
        for byte in folder.path().join(OsStr::from_bytes(name)).as_os_str().as_bytes() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\\' => bytes.extend(format!("\\{byte:03o}").bytes()),
                byte => bytes.push(*byte),
            }
        }
        bytes.extend(b" file 8160 0 -2\n");
    }
    machine.write("proc/swaps", bytes);
    let program = env!("CARGO_BIN_EXE_swapadm");
    let script = r#"
        all=0
        while read -r row; do
            name=$(jq -r '.name + "."' <<<"$row"); name=${name%.}
            if jq -e .escaped <<<"$row" >/dev/null; then printf -v name %b "$name"; fi
            test -e "$name" && all=$((all + 1))
        done < <("$0" --sysroot "$1" devices --json | jq -c '.tables.devices.rows[]')
        while read -r word; do
            printf -v name %b "$word"
            test -e "$name" && all=$((all + 1))
        done < <("$0" --sysroot "$1" devices --raw --noheadings --output name)
        echo $all"#;
    let mut bash = Command::new("bash");
    let output = bash.args(["-c", script, program]).arg(machine.path()).output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(found.trim(), (2 * names.len()).to_string(), "{errors}");
}

fn errors(args: &[&str]) -> String {
    let output = swapadm().args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_near_word_comes_first() {
    for (args, near) in [
        (&["devcies"][..], "'devices'"),
        (&["stat"], "'status'"),
        (&["explain"], "'swapadm advise --explain RULE'"),
        (&["zram", "algoritm"], "'algorithm'"),
        (&["report", "devcies"], "; did you mean devices? All tables: "),
        (&["devices", "-o", "usde"], "; did you mean used? All columns: "),
        (&["devices", "--sort", "nmae"], "; did you mean name? All columns: "),
        (&["advise", "--explain", "memory-presure"], "; did you mean memory-pressure? All rules: "),
        (&["set", "swapiness", "4"], "did you mean swappiness?"),
        (&["watch", "overveiw"], "'overview'"),
        (&["stress", "run", "usemen"], "\"usemen\"; did you mean usemem? The built-in ones are "),
    ] {
        let told = errors(args);
        assert!(told.contains(near), "{args:?}: {told}");
    }
    for (typed, unlike) in [
        ("devcies", "advise"),
        ("completions", "selection"),
        ("nosuch", "knobs"),
        ("explain", "experiment"),
    ] {
        assert!(
            !errors(&[typed]).contains(unlike),
            "an unrelated command is suggested for {typed}"
        );
    }
}

#[test]
fn the_help_of_report_lists_the_tables() {
    for command in ["report", "replay"] {
        let help = swapadm().args([command, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for spec in TABLES {
            let is_listed =
                [",", "]", " "].iter().any(|end| help.contains(&format!("{}{end}", spec.name)));
            assert!(is_listed, "{command} --help does not list {}", spec.name);
        }
    }
}

/// The completions that bash offers for the last of these words.
fn completed(machine: &Machine, words: &[&str]) -> Vec<String> {
    let script = r#"
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _swapadm "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let folder = tempfile::tempdir().unwrap();
    symlink(env!("CARGO_BIN_EXE_swapadm"), folder.path().join("swapadm")).unwrap();
    let mut path = folder.path().as_os_str().to_owned().into_vec();
    path.extend(b":/usr/bin:/bin");
    let mut bash = Command::new("bash");
    bash.args(["-c", script, "bash"]).arg(repository("completions/swapadm.bash")).args(words);
    bash.env("PATH", OsStr::from_bytes(&path)).env("SWAPADM_ROOT", machine.path());
    let output = bash.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}");
    lines.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_columns_rules_tables_areas_and_settings() {
    let machine = Machine::shared("7.2-numa2-loaded");
    for (words, offered) in [
        (&["swapadm", "devices", "-o", "us"][..], &["used", "use"][..]),
        (&["swapadm", "devices", "--output", "+size,-us"], &["+size,-used", "+size,-use"]),
        (&["swapadm", "zram", "--sort", "name,rat"], &["name,ratio"]),
        (&["swapadm", "advise", "--explain", "memory-p"], &["memory-pressure"]),
        (&["swapadm", "report", "clusters"], &["clusters"]),
        (&["swapadm", "report", "x", "headr"], &["headroom"]),
        (&["swapadm", "off", "--yes", "/dev/nvme0"], &["/dev/nvme0n1"]),
        (&["swapadm", "priority", "--yes", "/dev/zr"], &["/dev/zram0"]),
        (&["swapadm", "set", "--yes", "swapp"], &["swappiness"]),
        (&["swapadm", "reset", "--yes", "page-c"], &["page-cluster"]),
        (&["swapadm", "off", "--timeout", ""], &[""]),
    ] {
        assert_eq!(completed(&machine, words), offered, "{words:?}");
    }
}

#[test]
fn no_completion_keeps_a_stand_in() {
    for (name, bytes) in generate::completions() {
        let script = String::from_utf8(bytes).unwrap();
        assert!(!script.contains("%columns-") && !script.contains("%names-"), "{name}");
    }
    for (shell, script) in [("zsh", "_swapadm"), ("fish", "swapadm.fish")] {
        let mut checked = Command::new(shell);
        match checked.arg("-n").arg(repository("completions").join(script)).output() {
            Ok(output) => assert!(output.status.success(), "{output:?}"),
            Err(error) => println!("skipped: {shell}: {error}"),
        }
    }
}

/// Both shells sort, unless told to keep the order.
#[test]
fn completions_list_commands_by_group() {
    let script = |file: &str| fs::read_to_string(repository("completions").join(file)).unwrap();
    let help = swapadm().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (zsh, fish) = (script("_swapadm"), script("swapadm.fish"));
    let mut offered = fish.split("-f -k -a \"").nth(1).unwrap().lines();
    let groups = help.lines().skip_while(|line| *line != "Show:");
    for line in groups.take_while(|line| *line != "Options:").filter(|line| !line.is_empty()) {
        let word = line.split_whitespace().next().unwrap();
        if let Some(title) = word.strip_suffix(':').filter(|_| !line.starts_with(' ')) {
            let tag = title.to_lowercase();
            assert!(zsh.contains(&format!("_describe -V -t {tag}-commands '{title}' ")), "{line}");
        } else {
            assert!(offered.next().unwrap().starts_with(&format!("{word}\\t'")), "{line}");
        }
    }
    assert_eq!(
        offered.next(),
        Some("help\\t'Print this message or the help of the given subcommand(s)'\"")
    );
}

#[test]
fn the_status_page_never_cuts_a_figure() {
    let queries = status::queries().unwrap();
    with_each_machine(|machine| {
        let root = Root::at(machine.path()).unwrap();
        let clock = Clock::at(Stamp { boot_ns: 1_000_000_000, wall_ms: 1_795_245_900_123 });
        let now = probes::sample(&root, &clock, Part::ALL.into_iter().collect());
        let page = StatusPage::new(SampleView::single(&now), &queries, Policy::default());
        let lines =
            |width| page.lines(TableOptions { width: Some(width), ..TableOptions::default() });
        let areas = now.swaps.reading.known().map_or(0, Vec::len);
        for width in [40, 60, 80] {
            let lines = lines(width);
            let wide: Vec<_> = lines.iter().filter(|line| text::width(line) > width).collect();
            assert!(wide.is_empty(), "{} at {width}: {wide:?}", machine.name);
            assert!(!lines.iter().any(|line| line.ends_with('+')), "{} at {width}", machine.name);
            let rows = lines.iter().rev().take_while(|line| !line.is_empty()).count();
            assert!(areas == 0 || rows == areas + 1, "{} at {width}: {lines:?}", machine.name);
        }
        let told = lines(60).join(" ");
        for wrong in ["ratio -", "free 0B would", "- to 1"] {
            assert!(!told.contains(wrong), "{}: {told}", machine.name);
        }
    });
}

/// A captured tree may have any number of areas: the output grows with their number, and not with its square.
#[test]
fn reports_on_many_areas_name_only_some_of_them_in_a_sentence() {
    let machine = |count: i64| {
        let machine = Machine::unpack("6.12-idle");
        let mut swaps = "Filename Type Size Used Priority\n".to_owned();
        for area in 0..count {
            writeln!(swaps, "/mnt/swap{area} file 65428 {} {}", area % 7, -2 - area).unwrap();
        }
        machine.write("proc/swaps", swaps);
        machine
    };
    let (few, many) = (machine(30), machine(60));
    for args in [
        &["selection"][..],
        &["selection", "--json", "-oall"],
        &["advise"],
        &["advise", "--json"],
        &["cost", "--json", "-oall"],
        &["status"],
    ] {
        let [few, many] = [&few, &many].map(|machine| machine.run(args).stdout.len());
        assert!(
            few > 0 && many < few * 5 / 2,
            "{args:?}: {few} bytes, and {many} for twice as many"
        );
    }
}

#[test]
fn the_plan_for_many_full_cgroups_is_short() {
    let machine = Machine::unpack("6.12-loaded");
    for number in 0..300 {
        let group = Path::new("sys/fs/cgroup").join(format!("g{number:04}"));
        for (file, content) in [
            ("memory.max", "1048576\n".to_owned()),
            ("memory.current", "1048576\n".to_owned()),
            ("memory.swap.current", format!("{}\n", 4_194_304 + number * 4096)),
            ("memory.stat", "anon 1048576\ninactive_file 0\nactive_file 0\n".to_owned()),
        ] {
            machine.write(group.join(file), content);
        }
    }
    let output = machine.run(&["off", "--all", "--dry-run"]);
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.lines().count() < 80, "{} lines", told.lines().count());
    // The largest come first, and all others are counted, with the one of the machine itself.
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("would return to 301 cgroups"), "{words}");
    assert!(words.contains("(/hog, /g0299, "), "{words}");
    assert!(words.contains(" and 293 more): the excess can only go to other areas"), "{words}");
}

/// The output of a command on one line.
fn words_of(machine: &Machine, arguments: &[&str]) -> String {
    let output = machine.run(arguments);
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_status_page_names_what_is_unknown_full_or_without_memory() {
    for (machine, parts) in [
        (
            "7.2-mixed-loaded",
            &[
                "host name unknown kernel 7.2",
                "at cgroup limit: PSI memory some 22%, full 22% in the last 10s; swap rates need two samples",
                "zram0 stores 51.2M in 27.3M (ratio 1.88), and 9.4M of same-filled pages and 3.4M of zero-filled or cached pages in no memory",
                "cluster readahead, up to 8 pages; hit rate unknown",
                "priority 50: 2 areas, even (imbalance 0%; /dev/nb0 is smaller, and full)",
            ][..],
        ),
        (
            "6.12-loaded",
            &[
                "4 areas of different priority fill one by one",
                "the rest of the used swap is unknown: tmpfs was not read: ",
            ],
        ),
        (
            "6.18-numa2-loaded",
            &["unknown how much memory filling the free 96M would take: ", "labtool (PID "],
        ),
    ] {
        let text = words_of(&Machine::unpack(machine), &["status"]);
        for part in parts {
            assert!(text.contains(part), "{machine}: {part:?} is not in {text}");
        }
    }
    let cached = Machine::unpack("6.12-zram-writeback");
    let zero = "13.4M of zero-filled pages";
    assert!(words_of(&cached, &["status"]).contains(zero));
    cached.write("sys/devices/system/cpu/online", "0-31\n");
    assert!(!words_of(&cached, &["status"]).contains(zero), "32 CPUs may hold 16M");
    let nodes = words_of(&Machine::unpack("6.18-numa2-loaded"), &["status"]);
    assert!(!nodes.contains("one by one"), "nodes prefer their own areas: {nodes}");
}

/// The figures of zswap on the page are in the row of the table too, also on kernels before 5.16, which count it only in
/// debugfs. Traffic that such a kernel does not count is missing there, not zero.
#[test]
fn the_status_row_has_the_zswap_of_its_page() {
    for (name, is_old) in [("7.2-zswap-loaded", false), ("6.1-zswap-loaded", true)] {
        let machine = Machine::unpack(name);
        let without = |file: &str, words: &[&str]| {
            let text = machine.text(file).unwrap();
            let lines = text.lines().filter(|line| !words.iter().any(|it| line.starts_with(it)));
            machine.write(file, lines.collect::<Vec<_>>().join("\n") + "\n");
        };
        if is_old {
            without("proc/vmstat", &["zswpin ", "zswpout ", "zswpwb "]);
            without("proc/meminfo", &["Zswap:", "Zswapped:"]);
        }
        let page = machine.stdout(&["status"]);
        let row = machine.stdout(&["status", "--bytes"]);
        assert!(row.starts_with("STATE "), "no page with rounded sizes: {row}");
        let said = page.lines().find(|line| line.contains("zswap") && line.contains("stores"));
        assert!(said.is_some(), "{name}: {page}");
        let document = machine.json(&["status", "--json"]);
        let status = &rows(&document, "status")[0];
        let zswap = &rows(&machine.json(&["zswap", "--json"]), "zswap")[0].clone();
        for (column, own) in [("zswap_stored", "stored"), ("zswap_pool", "pool")] {
            assert!(status[column].as_u64() > Some(0), "{name}: {column}: {status}");
            assert_eq!(status[column], zswap[own], "{name}: {column}");
        }
        let traffic = ["report", "paging", "--json", "-o", "zswap_in,zswap_out,zswpin,zswpout"];
        let document = machine.json(&traffic);
        let paging = &rows(&document, "paging")[0];
        for column in ["zswpin", "zswpout"] {
            assert_eq!(paging[column].is_null(), is_old, "{name}: {column}: {paging}");
            let why = paging["missing"][column]["why"].as_str();
            assert_eq!(why.is_some_and(|why| why.contains(column)), is_old, "{name}: {paging}");
        }
    }
}

#[test]
fn a_capture_without_etc_or_zram_is_not_taken_for_the_machine() {
    let machine = Machine::unpack("6.18-noswap");
    let setup = words_of(&machine, &["setup", "--dry-run"]);
    let end = "Nothing to do: no swap is proposed, for the reasons above";
    assert!(setup.ends_with(end) && setup.contains("the machine stays without swap:"), "{setup}");
    let board = words_of(&machine, &["setup", "--dry-run", "--profile", "small-board"]);
    assert!(board.starts_with("Proposal for this machine, as a small board ("), "{board}");
    // A capture cannot be made readable.
    let sources = machine.json(&["sources", "--json", "-o", "source,state,remedy"]);
    for source in rows(&sources, "sources").iter().filter(|row| row["state"] == "absent") {
        let remedy = source["remedy"].as_str().unwrap();
        assert!(remedy.starts_with("as root, run swapadm capture DIR again; if"), "{source}");
    }
    assert!(setup.contains("zram is not available") && !setup.contains("page-cluster"), "{setup}");
    let zram = words_of(&machine, &["zram", "swap", "--size", "256M", "--dry-run"]);
    let note = "note the capture shows no zram device: if the zram module is not loaded there";
    assert!(zram.contains(note), "{zram}");
    let machine = Machine::unpack("7.2-mixed-loaded");
    let rules = words_of(&machine, &["advise"]);
    assert!(rules.contains("boot-priority"), "{rules}");
    assert!(rules.contains("this capture has no /etc"), "{rules}");
    let setup = words_of(&machine, &["setup", "--dry-run"]);
    assert!(!setup.contains("create /etc") && !setup.contains("no known file"), "{setup}");
    assert!(
        setup.contains("warning nothing is set up at boot: this capture has no /etc"),
        "{setup}"
    );
}

#[test]
fn a_closed_output_is_an_error() {
    for command in ["devices", "--version", "status", "report --json", "--help"] {
        let script = format!("exec \"$0\" {command} >&-");
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &script, env!("CARGO_BIN_EXE_swapadm")]).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{command}: {told}");
        assert!(told.contains("cannot write the output: Bad file descriptor"), "{told}");
    }
    let null = swapadm().arg("devices").stdout(Stdio::null()).output().unwrap();
    assert!(null.status.success(), "{null:?}");
}

/// Statistics files stay open between samples, and must leave room for all others.
#[test]
fn a_stream_manages_with_few_open_files() {
    let mut shell = Command::new("sh");
    let few = "ulimit -n 48 && exec \"$0\" mthp --interval 0.1 --count 3";
    let output = shell.args(["-c", few, env!("CARGO_BIN_EXE_swapadm")]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("Too many open files"), "{errors}");
}

#[test]
fn recordings_say_their_interval_with_its_unit() {
    let folder = tempfile::tempdir().unwrap();
    let mut recording = swapadm();
    let file = folder.path().join("x.rec");
    recording.arg("record").arg(&file).args(["--interval", "0.5"]).stderr(Stdio::piped());
    let child = recording.spawn().unwrap();
    let start = Instant::now();
    while !file.exists() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let process = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    // A test run in the background ignores SIGINT, and so do its children.
    nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGTERM).unwrap();
    let told = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(told.contains("recording every 500ms until Ctrl-C"), "{told}");
}

#[test]
fn a_settings_file_is_ignored_as_a_whole_or_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.toml");
    let remark = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let output = swapadm().args(["advise", "--config"]).arg(&file).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let (whole, line) = (remark("x=["), remark("interval = \"x\"\n"));
    assert!(whole.contains("the whole file is ignored") && !whole.contains("this line"), "{whole}");
    assert!(line.contains("; this line has no effect"), "{line}");
}

#[test]
fn colors_can_be_demanded() {
    let machine = Machine::shared("6.12-idle");
    let args = ["watch", "--plain", "--count", "1", "--color", "always"];
    assert!(machine.run(&args).status.success());
    assert!(errors(&["watch", "--color", "sometimes"]).contains("always"));
}

/// Options that a command always refuses are missing from its help.
#[test]
fn options_without_use_are_not_offered() {
    for (command, hidden) in [
        ("replay", &["--interval", "--sysroot", "--recording", "--at"][..]),
        ("record", &["--sysroot", "--recording", "--at"]),
    ] {
        let help = swapadm().args([command, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let own = help.split("Examples:").next().unwrap();
        for option in hidden {
            assert!(!own.contains(option), "{command} --help lists {option}");
        }
    }
    for line in [
        "replay x",
        "machine keys",
        "machine costs",
        "results",
        "results list",
        "results show 1",
        "results compare 1 2",
        "results export 1",
        "results remove 1",
        "stress list",
        "stress show usemem",
        "stress keys",
        "experiment list",
        "experiment show spread",
        "experiment keys",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        for source in [["--sysroot", "/"], ["--machine", "laptop"]] {
            let told = errors(&[&words[..], &source[..]].concat());
            assert!(told.contains("leave --sysroot, --recording and --machine out"), "{told}");
        }
        let names = words.iter().take_while(|word| word.parse::<u8>().is_err() && **word != "x");
        let help = swapadm().args(names).arg("--help").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        assert!(!help.contains("--sysroot"), "{line}: {help}");
    }
    let told = errors(&["replay", "x", "paging", "--interval", "1"]);
    assert!(told.contains("use replay without --interval"), "{told}");
}
