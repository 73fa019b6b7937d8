//! Every figure shown in a pane is a cell of a row that the pane requested.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the helpers of a test stop it"
)]

use crate::common;

use common::screen::Screen;
use common::{Machine, swapadm};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use swapadm::clock::Clock;
use swapadm::columns::tables;
use swapadm::model::{PartSet, Snapshot, Stamp};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::sampler::recording::RecordingWriter;
use swapadm::sampler::{Schedule, WantedParts};
use swapadm::ui::content::{Origin, PaneLine};
use swapadm::ui::msg::Msg;
use swapadm::ui::overlay::Overlay;
use tempfile::NamedTempFile;

const MACHINES: [&str; 3] = ["6.1", "6.18-mixed", "7.2-zswap"];
const KEYS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "6 ]", "6 ] ]", "6 ] ] ]"];

#[test]
fn every_shown_figure_was_requested_by_its_pane() {
    let mut wrong = BTreeSet::new();
    for machine in MACHINES {
        let machines = [format!("{machine}-idle"), format!("{machine}-loaded")];
        let machines = machines.each_ref().map(String::as_str);
        for keys in KEYS {
            for (width, height) in [(80, 24), (120, 40)] {
                wrong.extend(unrequested_figures(
                    &Screen::machines(&machines, width, height).keys(keys),
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn unrequested_figures(screen: &Screen) -> Vec<String> {
    let panes = &screen.app.state().unwrap().panes;
    let figures = panes.iter().flat_map(|pane| &pane.lines).flat_map(PaneLine::figures);
    let origins = figures.filter_map(|figure| figure.origin());
    let wrong = origins.filter(|origin| {
        let why = origin.value.missing().map(ToString::to_string);
        why.is_some_and(|why| why.contains("the row does not exist"))
    });
    wrong.map(|origin| format!("{}: {}", origin.table, origin.info.id)).collect()
}

/// The explanation of a figure: its lines by name.
fn explained(screen: &Screen) -> Vec<(String, String)> {
    match screen.app.overlays.last() {
        Some(Overlay::Page(page)) => {
            page.lines.iter().map(|line| (line.name.clone(), line.text.clone())).collect()
        }
        _ => panic!("nothing is explained"),
    }
}

fn line(explained: &[(String, String)], name: &str) -> String {
    explained.iter().find(|(line, _)| line == name).map(|(_, text)| text.clone()).unwrap()
}

/// The keys of a table of settings select the value, not the changed flag; a table that is sorted by the name of
/// its rows selects the name.
#[test]
fn keys_begin_with_a_value() {
    let loaded = ["6.18-mixed-idle", "6.18-mixed-loaded"];
    for (keys, wanted) in [("5 Tab Tab Tab", "value"), ("5 Tab Tab", "resource"), ("2", "priority")]
    {
        let screen = Screen::machines(&loaded, 120, 40).keys(keys);
        assert_eq!(screen.app.pane().unwrap().origin().unwrap().info.id, wanted, "{keys}");
    }
}

#[test]
fn an_explanation_names_the_file_of_the_row() {
    let loaded = ["6.18-mixed-idle", "6.18-mixed-loaded"];
    let source = |keys: &str| {
        let screen = Screen::machines(&loaded, 120, 40).keys(keys).keys("e");
        line(&explained(&screen), "From")
    };
    let screen = Screen::machines(&loaded, 120, 40).keys("5 Tab Tab Tab");
    let knob = screen.app.sheet().unwrap().row_name.clone().unwrap();
    assert_eq!(source("5 Tab Tab Tab"), format!("/proc/sys/vm/{knob}"));
    assert_eq!(source("5 Tab Tab"), "/proc/pressure/memory");
    let screen = Screen::machines(&loaded, 120, 40).keys("6");
    let process = screen.app.sheet().unwrap().row_name.clone().unwrap();
    assert_eq!(source("6 h h h h h h h h l"), format!("/proc/{process}/status"));
}

/// Columns and lines that are hidden or do not fit can still be explained.
#[test]
fn the_palette_explains_hidden_figures() {
    let loaded = ["6.18-mixed-idle", "6.18-mixed-loaded"];
    for (keys, name) in [("2", "UUID"), ("6", "SWAPMAP"), ("2 Tab", "NAMES of -2")] {
        let mut screen = Screen::machines(&loaded, 60, 16).keys(keys);
        let drawn = screen.text().join("\n");
        assert!(!drawn.contains(name), "{drawn}");
        screen.press(":");
        screen.send(Msg::Paste(format!("explain {name}")));
        screen.press("Enter");
        let Some(Overlay::Page(page)) = screen.app.overlays.last() else { panic!("{name}") };
        let head = name.split(' ').next().unwrap();
        assert!(page.title.starts_with(&format!("{head}: ")), "{}", page.title);
    }
}

/// A rate over half a minute differs from the rate over one second of the command.
#[test]
fn an_explanation_names_the_time_that_a_rate_is_of() {
    let mut machines = ["6.18-mixed-idle"; 40];
    machines[39] = "6.18-mixed-loaded";
    let mut screen = Screen::machines(&machines, 60, 16).keys("2 Tab");
    let figures = screen.app.pane().unwrap().figures();
    let growth = figures.iter().position(|figure| figure.origin().unwrap().info.id == "growth");
    screen.press(&"j ".repeat(growth.unwrap()));
    screen.press("e");
    let lines = explained(&screen);
    let named = |(_, text): &(String, String)| text.contains("over the last 30 seconds");
    assert!(lines.iter().any(named), "{lines:?}");
    let screen = Screen::machines(&machines, 120, 40).keys("2 e");
    assert!(!explained(&screen).iter().any(|(name, _)| name == "Over"));
}

/// A machine that becomes busy three seconds before the end. Each part is read as often as by the interface
/// and carried over in between: processes one second before the end and four.
fn with_carried_parts() -> Vec<Snapshot> {
    let roots = ["6.18-mixed-idle", "6.18-mixed-loaded"]
        .map(|machine| Root::at(Machine::shared(machine).path()).unwrap());
    let mut schedule = Schedule::default();
    let wants = WantedParts { shown: PartSet::WHOLE, background: PartSet::NONE };
    let mut snapshots: Vec<Snapshot> = vec![];
    for second in 0..=40 {
        let stamp = Stamp {
            boot_ns: (1000 + second) * 1_000_000_000,
            wall_ms: 1_790_000_000_000 + second * 1000,
        };
        let due = schedule.due(wants, stamp, Duration::from_secs(1));
        let root = &roots[usize::from(second > 37)];
        let mut snapshot = probes::sample(root, &Clock::at(stamp), due);
        if let Some(last) = snapshots.last() {
            snapshot.carry(last);
        }
        snapshots.push(snapshot);
    }
    snapshots
}

/// The output of the commands for the last sample of a recording: all rows, by name.
struct Printed {
    recording: NamedTempFile,
    tables: BTreeMap<&'static str, Vec<(String, Vec<String>)>>,
}

impl Printed {
    fn from_snapshots<'s>(snapshots: impl IntoIterator<Item = &'s Snapshot>) -> Self {
        let recording = NamedTempFile::new().unwrap();
        let mut writer = RecordingWriter::new(recording.reopen().unwrap()).unwrap();
        for snapshot in snapshots {
            writer.add(snapshot).unwrap();
        }
        Self { recording, tables: BTreeMap::new() }
    }

    /// The texts of this column in all rows with this name.
    fn words(&mut self, table: &'static str, row: &str, column: &str) -> Vec<String> {
        let spec = tables::find(table).unwrap();
        let place = (spec.infos)().iter().position(|info| info.id == column).unwrap();
        let recording = self.recording.path();
        let rows = self.tables.entry(table).or_insert_with(|| {
            // Sizes that serve as row names are in bytes.
            let names = print(recording, table, &["-o", spec.key, "--bytes"]);
            let names = names.into_iter().map(|mut words| words.remove(0));
            names.zip(print(recording, table, &["-o", "all"])).collect()
        });
        // The name of a row may already be escaped.
        let names = [escaped(row), row.replace(' ', "\\x20")];
        let is_it = |(name, _): &&(String, Vec<String>)| row.is_empty() || names.contains(name);
        rows.iter().filter(is_it).map(|(_, words)| words[place].clone()).collect()
    }
}

/// All rows of a table, as words without blanks.
fn print(recording: &Path, table: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut command = swapadm();
    command.arg("--recording").arg(recording).args(["--at", "last", "report", table, "--all"]);
    let output = command.args(["--raw", "--noheadings"]).args(columns).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

fn escaped(words: &str) -> String {
    if words.is_empty() {
        "\"\"".to_owned()
    } else {
        words.replace('\\', "\\\\").replace(' ', "\\x20")
    }
}

/// All figures of a screen: those of its lines, and the cells of its tables.
fn origins(screen: &Screen) -> Vec<Origin> {
    let panes = &screen.app.state().unwrap().panes;
    let shown = screen.app.layout.panes.iter().map(|(place, _)| &panes[*place]);
    let mut origins = vec![];
    for pane in shown {
        let figures = pane.lines.iter().flat_map(PaneLine::figures);
        origins.extend(figures.filter_map(|figure| figure.origin().cloned()));
        if let Some(sheet) = pane.sheets.get(pane.sheet) {
            let rows = sheet.rows().unwrap();
            for (row, cells) in rows.cells.iter().enumerate() {
                let row = sheet.name_of(row).unwrap();
                origins.extend(cells.iter().zip(&rows.infos).map(|(value, info)| Origin {
                    table: sheet.query.spec.name,
                    row: row.clone(),
                    info,
                    value: value.clone(),
                    span: None,
                }));
            }
        }
    }
    origins
}

/// Also where parts are older than the sample, and for rates over half a minute: such a rate equals the
/// command's for two samples as far apart.
#[test]
fn carried_and_averaged_figures_match_the_commands() {
    let snapshots = with_carried_parts();
    let mut screen = Screen::new(160, 60);
    for snapshot in &snapshots {
        screen.send(Msg::Snapshots(vec![snapshot.clone()]));
        screen.send(Msg::Tick(snapshot.stamp));
    }
    let mut each = Printed::from_snapshots(&snapshots);
    let mut apart = Printed::from_snapshots([&snapshots[10], &snapshots[40]]);
    let (mut seen, mut trends) = (0, 0);
    for keys in KEYS {
        screen.press(keys);
        for Origin { table, row, info, value, span } in origins(&screen) {
            let printed = if span.is_some() { &mut apart } else { &mut each };
            let wanted = printed.words(table, &row, info.id);
            let shown = escaped(&value.human(info.unit, false));
            // A finding stays on the screen for a while after it has gone.
            let is_past = table == "findings" && wanted.is_empty();
            assert!(
                is_past || wanted.contains(&shown) || wanted.is_empty() && shown == "-",
                "{keys}: {table}.{} of {row}, {span:?}: screen {shown}, command {wanted:?}",
                info.id
            );
            seen += 1;
            trends += usize::from(span.is_some());
        }
    }
    assert!(seen > 500 && trends > 1, "{seen} figures, {trends} of half a minute");
}
