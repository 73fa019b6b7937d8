//! The pictures of the documents show what the program shows: they are made of its expected output.
//!
//! `docs/overview.svg` and `docs/chart.svg` are drawn by the program after a minute of a made-up load on a
//! captured machine. The pictures of lessons show a step with its result, and the picture of the tour is
//! that of `swapadm --machine laptop watch devices --count 20 --picture`, so both say SIMULATED. A block below
//! a remark such as `<!-- from tests/screens/overview.txt -->` holds the first page of that file.
//! `UPDATE_GOLDEN=1` writes all of them again.

#![allow(clippy::disallowed_methods, reason = "this test reads and writes documents")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a made-up load needs no exact numbers"
)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a file that cannot be read stops the test")]

use crate::common;

use common::screen::{Screen, snapshot};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use swapadm::learn::builtin_lessons;
use swapadm::model::paging::{Counters, Stall};
use swapadm::model::swaparea::SwapArea;
use swapadm::model::{Bytes, Reading, Snapshot};
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::msg::Msg;
use swapadm::ui::picture;
use swapadm::ui::theme::{Palette, Theme};

/// Each picture, with the keys that lead to what it shows, and its title.
const PICTURES: [(&str, &str, &str); 2] = [
    ("docs/overview.svg", "1", "The Overview of swapadm"),
    (
        "docs/chart.svg",
        "1 S-Tab S-Tab S-Tab Right Enter Left Left",
        "Swap-out over time in swapadm",
    ),
];
/// A picture of a lesson, with the keys from its first question on, and its title.
struct LessonPicture {
    path: &'static str,
    lesson: &'static str,
    keys: &'static str,
    title: &'static str,
}

const LESSON_PICTURES: [LessonPicture; 2] = [
    LessonPicture {
        path: "docs/lesson-priorities.svg",
        lesson: "priorities",
        keys: "b Space b",
        title: "A lesson of swapadm: what happens when the fastest area is full",
    },
    LessonPicture {
        path: "docs/lesson-clusters.svg",
        lesson: "clusters",
        keys: "b Space a 8",
        title: "A lesson of swapadm: clusters of a fragmented area on the Map",
    },
];
/// The picture of a demonstration: the file, and the arguments of the program.
const DEMO_PICTURE: (&str, &str) =
    ("docs/demo-waterfall.svg", "--machine laptop watch devices --count 20 --no-config");
const DOCUMENTS: [&str; 3] = ["README.md", "docs/tour.md", "docs/interface.md"];
/// The remark above a block, around the name of the file.
const REMARK: (&str, &str) = ("<!-- from ", " -->");

fn repository(path: &str) -> PathBuf {
    Path::new(option_env!("CARGO_MANIFEST_DIR").unwrap_or(".")).join(path)
}

fn read(path: &str) -> String {
    let text = fs::read_to_string(repository(path));
    text.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares a file with what it should hold, or writes it.
fn expect(path: &str, expected: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(repository(path), expected).unwrap();
    }
    let is_current = fs::read_to_string(repository(path)).is_ok_and(|text| text == expected);
    assert!(is_current, "{path} is not what the program shows: run with UPDATE_GOLDEN=1");
}

/// The lines of the first page of a file of expected output: up to the styles or the exit status.
fn first_page(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| line.starts_with("== "));
    let is_page = |line: &&str| !line.starts_with("-- ") && !line.starts_with("--- ");
    let mut page: Vec<&str> = lines.take_while(is_page).collect();
    while page.pop_if(|line| line.is_empty()).is_some() {}
    page
}

/// A document with its blocks filled from the files that their remarks name.
fn filled(document: &str) -> String {
    let mut lines = Vec::new();
    let mut rest = document.lines();
    while let Some(line) = rest.next() {
        lines.push(line.to_owned());
        let name = line.strip_prefix(REMARK.0).and_then(|it| it.strip_suffix(REMARK.1));
        let Some(name) = name else { continue };
        lines.extend(rest.by_ref().take(1).map(str::to_owned));
        lines.extend(first_page(&read(name)).into_iter().map(str::to_owned));
        lines.push("```".to_owned());
        rest.by_ref().find(|line| *line == "```");
    }
    lines.join("\n") + "\n"
}

/// Seconds of the load.
const SECONDS: u64 = 120;

/// A machine under a load that comes in two waves, and is stopped by an OOM kill.
fn under_load(second: u64) -> Snapshot {
    let mut now = snapshot("6.18-mixed-idle", 1000 + second);
    let swell = |at: u64, width: f64| {
        let far = (second as f64 - at as f64) / width;
        (-far * far).exp()
    };
    let load = 0.45f64.mul_add(swell(40, 14.0), swell(84, 18.0));
    let share = second as f64 / SECONDS as f64;
    let mut areas = now.swaps.reading.known().unwrap().clone();
    for (place, area) in areas.iter_mut().enumerate() {
        let used = [0.92, 0.88, 0.55, 0.21].get(place).copied().unwrap_or(0.0);
        let used = used * area.size.0 as f64 * (0.2 + 0.8 * (share * 1.4).min(1.0));
        area.used = Reading::Known(Bytes((used / 4096.0) as u64 * 4096));
    }
    // Meminfo counts in the same pages.
    let total = |of: fn(&SwapArea) -> u64| areas.iter().map(of).sum::<u64>() as f64;
    let free = 1.0 - total(|area| area.used.known().unwrap().0) / total(|area| area.size.0);
    let meminfo = now.meminfo.reading.known().unwrap();
    let all = *meminfo.get("SwapTotal").known().unwrap() as f64;
    let pairs = meminfo.iter().map(|(name, number)| {
        (name.into(), if name == "SwapFree" { (all * free) as u64 } else { number })
    });
    let meminfo = Counters::new("/proc/meminfo", pairs.collect());
    now.meminfo.reading = Reading::Known(meminfo).into();
    now.swaps.reading = Reading::Known(areas).into();
    let sum = |rate: f64| -> u64 {
        let each = (0..=second).map(|at| {
            let far = |middle: f64, width: f64| (-((at as f64 - middle) / width).powi(2)).exp();
            rate * 0.45f64.mul_add(far(40.0, 14.0), far(84.0, 18.0))
                * (1.0 + 0.2 * (at as f64 * 0.9).sin())
        });
        each.sum::<f64>() as u64
    };
    count(&mut now, "pswpout", sum(14_000.0));
    count(&mut now, "pswpin", sum(5_200.0));
    count(&mut now, "pgmajfault", sum(1_900.0));
    let kills = u64::from(second >= 96);
    count(&mut now, "oom_kill", kills);
    let mut tree = now.cgroups.reading.known().unwrap().clone();
    tree.oom_kills = tree.oom_kills.map(|before| before + kills);
    now.cgroups.reading = Reading::Known(tree).into();
    pressure(&mut now, load);
    now
}

/// Advances a counter of `/proc/vmstat`.
fn count(snapshot: &mut Snapshot, name: &str, by: u64) {
    let counters = snapshot.vmstat.reading.known().unwrap();
    let counted = counters
        .iter()
        .map(|(own, number)| (own.into(), if own == name { number + by } else { number }));
    let counted = Counters::new("/proc/vmstat", counted.collect());
    snapshot.vmstat.reading = Reading::Known(counted).into();
}

/// Sets the pressure on memory.
fn pressure(snapshot: &mut Snapshot, load: f64) {
    let mut psi = snapshot.psi.reading.known().unwrap().clone();
    if let Some(Reading::Known(memory)) = psi.get_mut("memory") {
        let stall = |avg10: f64| {
            Reading::Known(Stall { avg10, avg60: avg10 / 2.0, avg300: avg10 / 6.0, total_us: 0 })
        };
        (memory.some, memory.full) = (stall(load * 21.0), stall(load * 8.5));
    }
    snapshot.psi.reading = Reading::Known(psi).into();
}

#[test]
fn pictures_show_screens_of_the_program() {
    for (path, keys, title) in PICTURES {
        let mut screen = Screen::new(120, 40).look(GlyphTier::Full, Palette::True);
        for second in 0..=SECONDS {
            screen.send(Msg::Snapshots(vec![under_load(second)]));
        }
        let buffer = screen.keys(keys).draw();
        expect(path, &picture::svg(&buffer, title, Theme::Dark));
    }
}

#[test]
fn pictures_of_lessons_show_a_result_of_the_model() {
    for picture in LESSON_PICTURES {
        let mut screen = Screen::machines(&["6.18-mixed-idle"], 120, 40)
            .look(GlyphTier::Full, Palette::True)
            .keys("9 g");
        let place = builtin_lessons().iter().position(|it| it.name == picture.lesson).unwrap();
        (0..place).for_each(|_| screen.press("j"));
        screen.press("Enter");
        screen.press(picture.keys);
        let text = screen.text().join("\n");
        assert!(text.contains("SIMULATED"), "{}: {text}", picture.path);
        expect(picture.path, &picture::svg(&screen.draw(), picture.title, Theme::Dark));
    }
}

#[test]
fn the_picture_of_a_demonstration_is_that_of_the_program() {
    let (path, arguments) = DEMO_PICTURE;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("demo.svg");
    let output = Command::new(env!("CARGO_BIN_EXE_swapadm"))
        .args(arguments.split(' '))
        .arg("--picture")
        .arg(&file)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    expect(path, &fs::read_to_string(file).unwrap());
}

/// Every picture is in a document.
#[test]
fn every_picture_is_shown_by_a_document() {
    let documents: String = DOCUMENTS.map(read).concat();
    let lessons = LESSON_PICTURES.map(|picture| picture.path);
    let pictures = PICTURES.map(|(path, ..)| path).into_iter().chain(lessons);
    for path in pictures.chain([DEMO_PICTURE.0]) {
        let name = path.trim_start_matches("docs/");
        assert!(documents.contains(&format!("{name})")), "{path} is in no document");
    }
}

#[test]
fn blocks_show_the_output_of_the_program() {
    for path in DOCUMENTS {
        expect(path, &filled(&read(path)));
    }
    assert!(DOCUMENTS.iter().any(|path| read(path).contains(REMARK.0)), "no document has a block");
}

#[test]
fn pages_end_before_styles_and_status() {
    assert_eq!(first_page("== a 80x24\none\n\n two\n\n-- styles\naa\n"), ["one", "", " two"]);
    assert_eq!(first_page("one\n--- exit 0\n"), ["one"]);
}
