//! Output byte by byte: signs, colors, the clipboard, and output without a terminal.

use crate::common::{Machine, screen::snapshot, swapadm};
use crate::terminal::open_screen;
use crate::terminal::pty::{Start, Terminal};
use nix::unistd::geteuid;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use swapadm::model::clusters::{Cluster, ClusterMap, ClusterView, List};
use swapadm::model::{Reading, Sampled};
use swapadm::sampler::recording::RecordingWriter;
use swapadm::ui::screens::SCREENS;

/// Visits all screens, and quits.
fn tour(start: Start) -> Vec<u8> {
    let mut terminal = start.open();
    for place in (0..SCREENS.len()).rev() {
        terminal.press(&SCREENS[place].number.to_string(), &open_screen(place));
    }
    terminal.press("?", "Help: Is swap helping or hurting?");
    terminal.keys("\x1b");
    terminal.wait_without("Help: Is swap helping or hurting?");
    terminal.keys("q");
    assert!(terminal.ended().success());
    std::mem::take(&mut terminal.raw)
}

/// On the same machine each time.
fn captured(more: &[&str]) -> Start {
    let machine = Machine::shared("6.18-mixed-loaded");
    let arguments = [&["--sysroot", machine.path().to_str().unwrap()], more].concat();
    Start::swapadm(&arguments)
}

/// Numbers in sequences that choose a color.
fn colors(raw: &[u8]) -> Vec<u32> {
    let text = String::from_utf8_lossy(raw).into_owned();
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && !";:".contains(c))?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    let numbers: Vec<u32> = sequences
        .flat_map(|numbers| {
            numbers.split([';', ':']).filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()
        })
        .collect();
    // 39, 49 and 59 are the terminal's default colors.
    numbers.into_iter().filter(|number| *number >= 30 && ![39, 49, 59].contains(number)).collect()
}

#[test]
fn only_what_the_terminal_can_show_is_written() {
    let cases = [
        ("nothing said", captured(&[]), false, true),
        ("NO_COLOR", captured(&[]).env("NO_COLOR", "1"), false, false),
        ("TERM=vt100", captured(&[]).env("TERM", "vt100"), true, false),
        ("LC_ALL=C", captured(&[]).env("LC_ALL", "C"), true, true),
        ("--ascii", captured(&["--ascii"]), true, true),
        ("all", captured(&["--ascii"]).env("NO_COLOR", "1").env("TERM", "vt100"), true, false),
    ];
    for (name, start, ascii, colored) in cases {
        let raw = tour(start);
        assert_eq!(raw.is_ascii(), ascii, "{name}");
        assert_eq!(!colors(&raw).is_empty(), colored, "{name}: {:?}", colors(&raw));
    }
}

#[test]
fn a_dumb_terminal_gets_the_printed_page() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let page = machine.stdout(&["status"]);
    assert_eq!(machine.stdout(&[]), page);
    let mut terminal = captured(&[]).env("TERM", "dumb").open();
    assert!(terminal.ended().success());
    let text = String::from_utf8_lossy(&terminal.raw).replace("\r\n", "\n");
    assert_eq!(text, page);
}

/// Nobody could leave an interface that reads no keys.
#[test]
fn without_input_or_term_the_page_is_printed() {
    let page = Machine::shared("6.18-mixed-loaded").stdout(&["status"]);
    let without = |redirect: &str| {
        let command = format!("exec \"$@\" {redirect}");
        captured(&[]).with_wrapper(&["sh", "-c", &command, "sh"])
    };
    let unset = captured(&[]).with_wrapper(&["env", "-u", "TERM"]);
    for start in [without("</dev/null"), without("<&-"), unset, captured(&[]).env("TERM", "")] {
        let mut terminal = start.open();
        assert!(terminal.ended().success());
        assert_eq!(String::from_utf8_lossy(&terminal.raw).replace("\r\n", "\n"), page);
    }
}

#[test]
fn watch_without_a_terminal_says_what_to_do() {
    let output = swapadm().arg("watch").output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("watch --plain") && errors.contains("status"), "{errors}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_terminal_that_can_only_print_gets_lines() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let lines = machine.stdout(&["watch", "devices", "--plain"]);
    let mut terminal = captured(&["watch", "devices"]).env("TERM", "dumb").size(400, 60).open();
    assert!(terminal.ended().success());
    let text = String::from_utf8_lossy(&terminal.raw).replace("\r\n", "\n");
    let (remark, rest) = text.split_once('\n').unwrap();
    assert!(remark.contains("printing lines, as with watch --plain"), "{remark}");
    assert_eq!(rest, lines);
    assert!(!text.contains('\x1b'), "{text}");
}

/// With a screen reader each line is complete, and unchanged lines are not repeated.
#[test]
fn plain_lines_are_complete_and_show_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("four.rec");
    let mut writer = RecordingWriter::new(fs::File::create(&file).unwrap()).unwrap();
    let idle_then = [["6.18-mixed-idle"; 2], ["6.18-mixed-loaded"; 2]].concat();
    for (second, machine) in (1000..).zip(idle_then) {
        writer.add(&snapshot(machine, second)).unwrap();
    }
    let said = |screen: &str| {
        let mut command = swapadm();
        command.arg("--recording").arg(&file).args(["watch", screen, "--plain"]);
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        output.trim_end().split("\n\n").map(str::to_owned).collect::<Vec<_>>()
    };
    let paging = said("paging");
    let devices = said("devices");
    for samples in [&paging, &devices] {
        assert!(samples.len() >= 3, "{samples:?}");
        let first = samples[0].lines().next().unwrap();
        assert!(first.contains("Z  ") && first.ends_with('?'), "{first}");
        assert_eq!(samples.iter().filter(|sample| sample.contains('?')).count(), 1);
        for line in samples.iter().flat_map(|sample| sample.lines().skip(1)) {
            let (pane, words) = line.split_once(": ").unwrap();
            assert!(!pane.is_empty() && !words.contains("!!") && !words.contains(" - "), "{line}");
        }
    }
    assert!(paging[0].contains("\nSettings: KNOB swappiness, VALUE 60, DEFAULT 60, "));
    assert!(paging[1].contains("\nSettings: as before"), "{}", paging[1]);
    let last = devices.last().unwrap();
    assert!(last.contains("USE% 100%, IN/s"), "{last}");
    assert!(devices[0].contains("Balance by priority: PRIO AREA"), "{}", devices[0]);
    assert!(!last.contains("Balance by priority: PRIO AREA"), "{last}");
    assert!(last.contains("Balance by priority: warning: /dev/vda, PITFALLS "), "{last}");
    assert!(last.contains("Balance by priority: PRIO 100, NAME /dev/zram0, STATE full"), "{last}");
}

/// Encodes as terminals expect.
fn base64(bytes: &[u8]) -> String {
    let digit = |number: u32| {
        let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        char::from(digits[usize::try_from(number & 63).unwrap()])
    };
    let group = |bytes: &[u8]| {
        let number = (0..3)
            .fold(0, |sum, place| sum << 8 | u32::from(bytes.get(place).copied().unwrap_or(0)));
        let shown = bytes.len() + 1;
        let digits = [18, 12, 6, 0].map(|shift| digit(number >> shift));
        digits.iter().take(shown).collect::<String>() + &"=".repeat(4 - shown)
    };
    bytes.chunks(3).map(group).collect()
}

/// The text copied according to the footer, which must match the sequence to the terminal.
#[track_caller]
fn copied(terminal: &mut Terminal) -> String {
    terminal.press("y", "copied \"");
    let text = terminal.text();
    let (_, said) = text.split_once("copied \"").unwrap();
    let said = said.split_once("\" if your terminal").unwrap().0.to_owned();
    let sequence = format!("\x1b]52;c;{}\x1b\\", base64(said.as_bytes()));
    terminal.wait(&sequence.escape_debug().to_string(), |terminal| {
        String::from_utf8_lossy(&terminal.raw).contains(&sequence)
    });
    terminal.keys("k");
    terminal.wait_without("copied \"");
    said
}

#[test]
fn a_figure_is_copied_with_its_exact_value() {
    assert_eq!(base64(b"/dev/zram0"), "L2Rldi96cmFtMA==");
    let mut terminal = captured(&[]).size(120, 40).open();
    terminal.press("2", "> /dev/zram0");
    // Keys begin with the column that rows are sorted by.
    assert_eq!(copied(&mut terminal), "100");
    terminal.keys("hh");
    assert_eq!(copied(&mut terminal), "/dev/zram0");
    let machine = Machine::shared("6.18-mixed-loaded");
    let sizes = machine.json(&["devices", "--json", "-o", "name,size"]);
    let size = &sizes["tables"]["devices"]["rows"][0]["size"];
    // Name, kind, priority, size.
    terminal.keys("lll");
    assert_eq!(copied(&mut terminal), size.to_string());
    // The whole table is copied for people.
    terminal.press("E", "Export: Swap areas, ");
    terminal.press("y", "copied the table as Markdown if your terminal allows OSC 52");
    let start = "\x1b]52;c;".to_owned() + &base64(b"### Swap areas\n\n| NAME | KIND ");
    terminal.wait(&start.escape_debug().to_string(), |terminal| {
        String::from_utf8_lossy(&terminal.raw).contains(&start)
    });
    terminal.keys("q");
    assert!(terminal.ended().success());
}

#[test]
fn without_root_one_note_says_so() {
    // The user nobody may not reach the build folder.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("swapadm");
    fs::copy(env!("CARGO_BIN_EXE_swapadm"), &program).unwrap();
    let start = Start::program(&program, &[]).size(120, 40);
    let start = if geteuid().is_root() { start.user(65534) } else { start };
    let mut terminal = start.open();
    terminal.wait_for(" not root: values that need root are shown as ?");
    terminal.keys("2");
    terminal.wait_without("not root");
    terminal.press("1", &open_screen(0));
    // The next samples bring no news.
    let clock = |terminal: &Terminal| terminal.text().lines().next().map(str::to_owned);
    for _ in 0..2 {
        let before = clock(&terminal);
        terminal.wait("another sample", |terminal| clock(terminal) != before);
        assert!(!terminal.text().contains("not root"));
    }
    terminal.keys("6");
    terminal.wait_for("PID");
    println!("{}", terminal.text());
    terminal.keys("q");
    assert!(terminal.ended().success());
}

/// Without the map, numbers show where pages are.
#[test]
fn the_plain_map_gives_numbers_for_each_area() {
    let mut snapshot = snapshot("6.18-mixed-loaded", 1000);
    let areas = snapshot.swaps.reading.known().unwrap().len();
    let cluster = |place: u16| {
        let (taken, list) = if place < 25 { (512, List::Full) } else { (0, List::Free) };
        Cluster { taken, list: Some(list), order: Some(0) }
    };
    let map = ClusterMap {
        view: ClusterView::Kernel,
        cluster_slots: 512,
        slots: 512 * 100,
        counted: None,
        reserved: 1,
        clusters: (0..100).map(cluster).collect(),
        stored: vec![],
        ages: None,
        owners: Reading::not_sampled(),
        names: BTreeMap::new(),
        next: Reading::not_sampled(),
        partial: Some("a part is missing".to_owned()),
        cost_us: 1200,
    };
    let maps = vec![Reading::Known(map); areas];
    snapshot.kernel_clusters = Sampled::new(Some(snapshot.stamp), Reading::Known(maps));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.rec");
    let mut writer = RecordingWriter::new(fs::File::create(&file).unwrap()).unwrap();
    for second in 0..2 {
        let mut later = snapshot.clone();
        later.stamp.boot_ns += second * 1_000_000_000;
        writer.add(&later).unwrap();
    }
    drop(writer);
    let mut command = swapadm();
    command.arg("--recording").arg(&file).args(["watch", "map", "--plain"]);
    let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let said: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("Cluster map: NAME /dev/zram0, "))
        .collect();
    for words in [
        "CLUSTERS 100",
        "L-FREE 75",
        "L-FULL 25",
        "RUN 150M",
        "VIEW kernel",
        "CPU-TIME 1.2ms",
        "read 1s ago",
    ] {
        assert!(said.iter().any(|line| line.contains(words)), "{words}: {text}");
    }
    assert!(said.iter().any(|line| line.contains("INCOMPLETE a part is missing")), "{text}");
    let tenths = "/dev/zram0, taken in 10 parts from its beginning: 100%, 100%, 50%, 0%, 0%, ";
    assert!(text.contains(tenths), "{text}");
    assert!(said.iter().any(|line| line.contains("FOLIO 64K")), "{text}");
}
