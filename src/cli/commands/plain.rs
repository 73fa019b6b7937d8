//! `swapadm watch --plain`: the screens as lines, for screen readers, logs and serial consoles.
//!
//! A screen reader reads one line at a time, so each line names its pane and its figures. Lines that
//! do not change are printed once.

use super::stream::{self, SampleSchedule};
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::options::SourceOptions;
use crate::cli::out::Out;
use crate::clock::Clock;
use crate::columns::tables::clusters::id as clusters_id;
use crate::columns::tables::clusters::orders::id as orders;
use crate::columns::tables::status;
use crate::columns::{Info, Rows, Value, units};
use crate::derive::{SampleView, clusters};
use crate::model::Snapshot;
use crate::model::clusters::ClusterMap;
use crate::model::name::safe_text;
use crate::ui::app::{AppInit, SourceKind};
use crate::ui::appearance::TerminalInfo;
use crate::ui::change::ChangeEngine;
use crate::ui::content::PaneLine;
use crate::ui::lab::{LabEngine, LabState};
use crate::ui::msg::{Effect, Msg};
use crate::ui::pane::PaneState;
use crate::ui::screens::map::MAP;
use crate::ui::settings::Settings;
use crate::ui::table_query::{TableQuery, ask};
use crate::ui::table_state::TableState;
use crate::ui::{self, App, HitMap, thresholds};
use ratatui::layout::Size;

/// A size in which all panes of a screen fit.
const SIZE: Size = Size::new(200, 1000);

/// The samples that are printed.
pub(super) struct Samples<'a> {
    /// The number of samples, if limited.
    pub(super) count: Option<u64>,
    /// The source of the samples.
    pub(super) source: &'a SourceOptions,
    /// The name of the source.
    pub(super) name: String,
}

/// Prints the screen for each sample.
pub(super) fn run(
    samples: Samples<'_>,
    settings: Settings,
    terminal: TerminalInfo,
    engine: Option<&dyn ChangeEngine>,
) -> CommandResult {
    let Samples { count, source, name } = samples;
    let interval = format!("{}s", settings.interval.as_secs_f64());
    let pace = match source {
        SourceOptions::Root(root) if root.is_live() => {
            SampleSchedule::new(Some(&interval), count)?.with_longer_pauses()
        }
        SourceOptions::Machine(_) => SampleSchedule::new(Some(&interval), count)?,
        SourceOptions::Root(_) | SourceOptions::Recording { .. } => {
            SampleSchedule::whole_recording(count)
        }
    };
    let mut app = App::new(AppInit {
        // Each sample is shown as it arrives, also from a recording.
        kind: SourceKind::Live,
        source: name,
        size: SIZE,
        terminal,
        settings,
        problems: vec![],
        now: Clock::Real.now(),
    });
    app.lab = LabState::with_loads(engine.map_or_else(Vec::new, LabEngine::loads));
    let parts = app.wants.all();
    let (mut out, mut said, hits) = (Out::new(), Vec::new(), HitMap::default());
    stream::run(source, parts, true, pace, |view| {
        let first = app.source.history.newest().is_none();
        let before = view.before.filter(|_| first);
        let snapshots = before.into_iter().chain([view.now]).cloned().collect();
        let (effects, _) = ui::update(&mut app, Msg::Snapshots(snapshots), &hits);
        for message in effects.into_iter().filter_map(|effect| answer(effect, engine?)) {
            ui::update(&mut app, message, &hits);
        }
        let panes = spoken_panes(&app);
        let lines = lines(&app, &panes, &said);
        said = panes;
        out.lines(lines)
    })?;
    Ok(Exit::Done)
}

/// Answers questions of the interface: how a workload would be run, and which results are stored.
fn answer(effect: Effect, engine: &dyn ChangeEngine) -> Option<Msg> {
    if let Effect::Prepare(number, form) = effect {
        return Some(Msg::Prepared(number, engine.prepare(&form).map(Box::new)));
    }
    (effect == Effect::Results).then(|| Msg::Results(engine.results()))
}

/// A pane as lines of text.
struct SpokenPane {
    title: &'static str,
    lines: Vec<SpokenLine>,
}

#[derive(PartialEq)]
struct SpokenLine {
    words: String,
    /// Whether the line has a figure. Lines without one are printed once.
    figure: bool,
}

/// The lines of a sample: time, state and panes, without lines already printed for the previous sample.
fn lines(app: &App, panes: &[SpokenPane], said: &[SpokenPane]) -> Vec<String> {
    let mut lines = vec![head(app, said.is_empty())];
    for (place, pane) in panes.iter().enumerate() {
        let before = said.get(place).map_or(&[][..], |said| &said.lines);
        if !before.is_empty() && pane.lines == before {
            lines.push(format!("{}: as before", pane.title));
            continue;
        }
        let new = |line: &&SpokenLine| line.figure || !before.contains(line);
        let new = pane.lines.iter().filter(new);
        lines.extend(new.map(|line| format!("{}: {}", pane.title, line.words)));
    }
    lines.push(String::new());
    lines
}

fn head(app: &App, first: bool) -> String {
    let stamp = app.moment().map_or(0, |moment| moment.now.stamp.wall_ms);
    let time = units::date_to_second(stamp);
    let state = app.title.first_words(status::id::STATE);
    let state = if state == "-" { "state unknown" } else { &state };
    let question = if first { format!("  {}", app.shown().question) } else { String::new() };
    format!("{time}  {state}{question}")
}

/// The answer, and all panes except those about the selected row of a table, as no row can be selected here.
fn spoken_panes(app: &App) -> Vec<SpokenPane> {
    let has_table =
        app.state().is_some_and(|state| state.panes.iter().any(|pane| !pane.sheets.is_empty()));
    let asks =
        |pane: &&PaneState| pane.info.lines.is_none() || !has_table || !pane.info.asks.is_empty();
    let panes = app.layout.panes.iter().filter_map(|(place, _)| app.state()?.panes.get(*place));
    let answer = app.state().and_then(|state| state.answer.as_ref());
    let shown = answer.into_iter().chain(panes.filter(asks));
    shown
        .map(|pane| SpokenPane { title: pane.info.title, lines: spoken_lines(app, pane) })
        .collect()
}

fn spoken_lines(app: &App, pane: &PaneState) -> Vec<SpokenLine> {
    if let Some(sheet) = pane.sheets.get(pane.sheet) {
        return rows(app, sheet);
    }
    let heard = app.moment().filter(|_| pane.info.id == MAP);
    let heard = heard.map_or_else(Vec::new, |moment| map_lines(app, &moment.view()));
    if !heard.is_empty() {
        return heard;
    }
    let line = |line: &PaneLine| SpokenLine {
        words: line.spoken(),
        figure: line.figures().next().is_some(),
    };
    pane.lines.iter().map(line).filter(|line| !line.words.is_empty()).collect()
}

/// The rows of a table, each as headings with values.
fn rows(app: &App, sheet: &TableState) -> Vec<SpokenLine> {
    let sentence = |words: String| vec![SpokenLine { words, figure: false }];
    let Some(rows) = sheet.rows() else {
        let missing = sheet.shown.as_ref().and_then(|shown| shown.missing());
        return sentence(
            missing.map_or_else(String::new, |missing| safe_text(&missing.to_string())),
        );
    };
    if rows.cells.is_empty() {
        return sentence("nothing to show".to_owned());
    }
    let row = |cells: &Vec<Value>| {
        let cells = cells.iter().zip(&rows.infos);
        let words: Vec<String> =
            cells.map(|(value, info)| cell(app, sheet.info.table, value, info)).collect();
        SpokenLine { words: words.join(", "), figure: true }
    };
    rows.cells.iter().map(row).collect()
}

fn cell(app: &App, table: &str, value: &Value, info: &Info) -> String {
    if value.missing().is_some() {
        return format!("{} missing", info.head);
    }
    let mark = thresholds::words(app.role(table, info, value));
    format!("{} {}{mark}", info.head, value.human(info.unit, false))
}

/// The number of parts in which the use of an area is printed.
const PARTS: usize = 10;
/// The columns that are printed for each area.
const OF_AREA: TableQuery = ask!(clusters_id: NAME CLUSTERS CLUSTER_SIZE FREE PARTLY FULL LIST_FREE LIST_NONFULL LIST_FRAG LIST_FULL LIST_DISCARD LIST_NONE LARGEST_RUN FRAGMENTATION VIEW NOT_COVERED COVERAGE INCOMPLETE_REASON CPU_TIME);
const OF_ORDER: TableQuery = ask!(orders: NAME SIZE FITS BOUND USABLE_SHARE CLUSTERS);

/// The map as lines; empty if no clusters are known.
fn map_lines(app: &App, view: &SampleView<'_>) -> Vec<SpokenLine> {
    let areas = table_lines(app, view, OF_AREA);
    let maps = (0..areas.len()).map(|place| clusters::best_view(view.now, place));
    let known = maps.zip(areas).enumerate().filter_map(|(place, (map, words))| {
        let map = map.known().copied()?;
        Some([words + &age(view.now, map), where_used(view.now, place, map)])
    });
    let mut all: Vec<String> = known.flatten().collect();
    if !all.is_empty() {
        all.extend(table_lines(app, view, OF_ORDER));
    }
    all.into_iter().map(|words| SpokenLine { words, figure: true }).collect()
}

/// The rows of a table, each as headings with the values that are known.
fn table_lines(app: &App, view: &SampleView<'_>, asked: TableQuery) -> Vec<String> {
    let rows = asked.query().and_then(|query| query.rows(view).into_result().ok());
    rows.map_or_else(Vec::new, |rows| {
        (0..rows.cells.len()).map(|row| row_line(app, asked.table(), &rows, row)).collect()
    })
}

fn row_line(app: &App, table: &str, rows: &Rows, row: usize) -> String {
    let cells = rows.cells.get(row).into_iter().flatten().zip(&rows.infos);
    let known = cells.filter(|(value, _)| value.missing().is_none());
    known.map(|(value, info)| cell(app, table, value, info)).collect::<Vec<_>>().join(", ")
}

/// The used share of each part of an area.
fn where_used(now: &Snapshot, place: usize, map: &ClusterMap) -> String {
    let parts = clusters::cells(map, PARTS);
    let shares: Vec<String> = parts.iter().map(|part| units::percent(part.share())).collect();
    let name = now.areas().get(place).map_or_else(String::new, |area| area.path.safe());
    let count = parts.len();
    let page = now.page_size.known().copied().unwrap_or(0);
    let sees = clusters::if_enough_visible(map, page).known().is_some();
    let taken = if sees { "taken" } else { "seen taken" };
    format!("{name}, {taken} in {count} parts from its beginning: {}", shares.join(", "))
}

/// The age of a map.
fn age(now: &Snapshot, map: &ClusterMap) -> String {
    let read = clusters::read_at(now, map.view);
    let age = read.map_or(0.0, |read| now.stamp.seconds_since(read));
    format!(", read {} ago", units::seconds(age.round()))
}
