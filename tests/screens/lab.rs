//! The lab: loads chosen, configured, confirmed, watched and stopped, without a machine to run them on.

use crate::changes::{ARM, all, foot};
use crate::common::screen::{Screen, page, snapshot};
use crate::common::{expect_file, repository, sampled};
use crate::experiments::{next, tables};
use crate::{MACHINES, SIZES};
use ratatui::layout::{Rect, Size};
use swapadm::actions::check::{Check, CheckVerdict};
use swapadm::actions::estimate::{self, Forecast};
use swapadm::actions::plan::{Plan, zram};

use swapadm::derive::lab::{ResultEntry, ResultSummary};
use swapadm::model::activation::{Activation, Discard, Priority};
use swapadm::model::experiment::StoredResult;
use swapadm::model::format::{Format, Uuid};
use swapadm::model::run::Run;
use swapadm::model::swaparea::SwapArea;
use swapadm::model::zram::{ZramSettings, device_path};
use swapadm::model::{Bytes, Reading};
use swapadm::ui::app::SourceKind;
use swapadm::ui::change::AnyProposal;
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::lab::{
    ComparedResults, Form, FormField, LabResult, LabState, PlannedRun, RunProgress, RunView,
    Runnable, RunnableKind, SessionProposal, SessionReport,
};
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::theme::Palette;

pub(crate) const MIB: u64 = 1 << 20;

pub(crate) fn loads() -> Vec<Runnable> {
    let load = |(name, about): (&str, &str)| Runnable {
        what: RunnableKind::Load,
        letter: None,
        name: name.into(),
        about: about.into(),
    };
    [
        ("usemem", "Processes that touch their memory once, page after page, and free it."),
        ("random-write", "Processes that write at random, over and over."),
        ("leak", "A process that takes more and more memory, until it is ended."),
    ]
    .map(load)
    .into()
}

pub(crate) fn run(file: &str) -> LabResult {
    LabResult::Run(Box::new(kept(file)))
}

/// Two runs, compared.
pub(crate) fn both() -> ComparedResults {
    Box::new(["1-before.json", "2-after.json"].map(|file| StoredResult::Run(Box::new(kept(file)))))
}

/// A saved run.
fn kept(file: &str) -> Run {
    let path = repository("tests/results/kept").join(file);
    #[expect(clippy::disallowed_methods, reason = "a document that is made up for tests")]
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

pub(crate) fn entries() -> Vec<ResultEntry> {
    let entry = |file: &str| {
        let run = kept(file);
        ResultEntry {
            id: run.id,
            file: file.into(),
            short: Reading::Known(ResultSummary::from_run(&run)),
        }
    };
    ["2-after.json", "1-before.json"].map(entry).into()
}

/// The answer of the machine under load.
pub(crate) fn proposal(form: &Form, checks: Vec<Check>) -> SessionProposal {
    let now = snapshot(MACHINES[1], 1001);
    let areas = now.swaps.reading.known().unwrap();
    let size = Bytes(64 * MIB);
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-0000000110de").unwrap();
    let format = Format::new(size, 4096, uuid, Some("swapadm-lab".into())).unwrap();
    let disk = ZramSettings { size, ..ZramSettings::default() };
    let path = device_path(9);
    let on = Activation { path, priority: Priority::Default, discard: Discard::None };
    let lent = zram::swap_on_zram(areas, (9, None, disk), format, on);
    let known = estimate::DrainHistory::from_snapshot(&now, &[]);
    let terms = PlannedRun {
        runs: vec!["4 processes of 24M anonymous memory, sequentially".to_owned()],
        memory_limit: "48M of memory, in a cgroup of its own".to_owned(),
        limit: Some(Bytes(48 * MIB)),
        guard: vec![
            "PSI full above 20% for 5 s while the whole machine reclaims".to_owned(),
            "available memory below 100M".to_owned(),
            "run time above 10m".to_owned(),
        ],
        at_most: 600.0,
        cases: None,
        ..PlannedRun::default()
    };
    SessionProposal {
        form: form.clone(),
        costs: lent.steps.iter().map(|step| Forecast::for_step(step, &known)).collect(),
        plan: Plan { title: format!("run the workload {}", form.load), ..lent },
        checks,
        terms,
    }
}

pub(crate) fn ok() -> Vec<Check> {
    let others = "other areas are active and may take pages of the workload: /dev/zram0";
    vec![
        Check::new("others", CheckVerdict::Warn, others),
        Check::new("rights", CheckVerdict::Ok, "root"),
    ]
}

fn refused() -> Vec<Check> {
    let why = "no swap is active, and the run creates no area: add --zram 1G for temporary swap on zram, which is removed afterwards";
    vec![Check::new("areas", CheckVerdict::Refuse, why)]
}

/// Number of kinds of messages about loads.
pub(crate) const MESSAGES: usize = 10;

/// One message of this kind.
pub(crate) fn message(kind: usize) -> Msg {
    let form = Form::new(RunnableKind::Load, "usemem");
    match kind {
        0 => Msg::Prepared(1, Ok(Box::new(proposal(&form, ok())))),
        1 => Msg::Prepared(2, Err("that makes no sense".to_owned())),
        2 => Msg::RunProgress(run_view(2.0, 9)),
        3 => Msg::SessionEnded(Ok(Box::new(session_report()))),
        4 => Msg::Results(Ok(entries())),
        5 => Msg::RunStarted(next(2)),
        6 => Msg::Result(Ok(tables())),
        7 => Msg::Compared(Ok(both())),
        8 => Msg::Comparable([1, 2], Err("that is no run".to_owned())),
        _ => Msg::Planned(3, Ok(Box::new(AnyProposal::Session(proposal(&form, ok()))))),
    }
}

/// The lab before any answer.
fn opened(width: u16, height: u16) -> Screen {
    let mut screen = Screen::machines(&MACHINES, width, height);
    screen.app.lab = LabState::with_loads(loads());
    screen.keys("7")
}

/// The lab with all answers.
pub(crate) fn lab(width: u16, height: u16, checks: Vec<Check>) -> Screen {
    let mut screen = opened(width, height);
    answer(&mut screen, checks);
    screen.send(Msg::Results(Ok(entries())));
    screen
}

/// With all workloads and experiments, and saved results.
pub(crate) fn lab_of(mut screen: Screen) -> Screen {
    screen.app.lab = LabState::with_loads(crate::experiments::all_kinds());
    screen.send(Msg::Results(Ok(entries())));
    screen
}

/// Answers the last request about a load.
pub(crate) fn answer(screen: &mut Screen, checks: Vec<Check>) {
    let (number, form) = requested_check(screen);
    screen.send(Msg::Prepared(number, Ok(Box::new(proposal(&form, checks)))));
}

pub(crate) fn requested_check(screen: &Screen) -> (u64, Form) {
    let asked = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Prepare(number, form) => Some((*number, form.clone())),
        _ => None,
    });
    asked.expect("the machine was asked")
}

/// The dialog before a run.
pub(crate) fn planned(screen: &mut Screen, checks: Vec<Check>) {
    let asked = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::PlanSession(number, form) => Some((*number, form.clone())),
        _ => None,
    });
    let (number, form) = asked.expect("a plan was asked for");
    let proposal = AnyProposal::Session(proposal(&form, checks));
    screen.send(Msg::Planned(number, Ok(Box::new(proposal))));
}

pub(crate) fn run_view(elapsed: f64, used: u64) -> RunView {
    let area = |now: &SwapArea, used| SwapArea { used: Reading::Known(Bytes(used)), ..now.clone() };
    let now = snapshot(MACHINES[1], 1001);
    let first = &now.swaps.reading.known().unwrap()[0];
    let own = SwapArea { path: "/dev/zram9".into(), size: Bytes(64 * MIB), ..first.clone() };
    let progress = RunProgress {
        repetition: 1,
        of: 1,
        elapsed,
        taken: elapsed,
        phase: "touching",
        share: Some(elapsed / 25.0),
        left: (elapsed >= 2.0).then_some(25.0 - elapsed),
        through: 1,
        processes: 4,
    };
    RunView {
        progress,
        areas: vec![area(first, 300 * MIB), area(&own, used * MIB)],
        memory: Some(Bytes(47 * MIB)),
        available: None,
    }
}

/// With a load that has run for some seconds.
pub(crate) fn running(width: u16, height: u16) -> Screen {
    let mut screen = lab(width, height, ok()).keys(ARM).keys("Enter");
    planned(&mut screen, ok());
    screen.press("Tab Enter");
    assert!(screen.effects.iter().any(|effect| matches!(effect, Effect::Run(_))));
    for step in 0..40_u32 {
        screen.send(Msg::RunProgress(run_view(f64::from(step) * 0.25, u64::from(step) + 5)));
    }
    screen
}

fn session_report() -> SessionReport {
    let told = "Done (plan 3): all was given back. Stored as result 2: swapadm results show 2";
    SessionReport { result: Some(run("2-after.json")), summary: told.to_owned(), well: true }
}

pub(crate) fn finished(width: u16, height: u16) -> Screen {
    let mut screen = running(width, height);
    screen.send(Msg::SessionEnded(Ok(Box::new(session_report()))));
    answer(&mut screen, ok());
    screen.send(Msg::Results(Ok(entries())));
    screen
}

#[test]
fn the_lab_matches_its_golden_file() {
    let mut pages = Vec::new();
    for (width, height) in SIZES {
        let mut add = |title: &str, screen: &mut Screen| pages.push(page(title, screen));
        add("idle", &mut lab(width, height, ok()));
        add("settings", &mut lab(width, height, ok()).keys("Tab l j l"));
        add("refused", &mut lab(width, height, refused()).keys("S-Tab"));
        let mut screen = lab(width, height, ok()).keys(ARM).keys("Enter");
        planned(&mut screen, ok());
        add("confirm", &mut screen);
        add("running", &mut running(width, height));
        add("elsewhere", &mut running(width, height).keys("1"));
        add("way", &mut running(width, height).keys("F9"));
        add("quit", &mut running(width, height).keys("q"));
        add("finished", &mut finished(width, height));
        let mut screen = finished(width, height).keys("S-Tab j c");
        screen.send(Msg::Compared(Ok(both())));
        add("compared", &mut screen);
        add("marked", &mut lab(width, height, ok()).keys("S-Tab S-Tab Space"));
        add("shown", &mut finished(width, height).keys("Enter"));
    }
    expect_file(&repository("tests/screens/runs.txt"), &pages.concat(), "UPDATE_GOLDEN");
}

#[test]
fn a_plain_terminal_has_all_its_signs() {
    for screen in [lab(80, 24, ok()), running(80, 24), finished(80, 24)] {
        let mut screen = screen.look(GlyphTier::Ascii, Palette::Mono);
        let odd = all(&mut screen).chars().find(|c| !c.is_ascii());
        assert_eq!(odd, None, "{}", all(&mut screen));
    }
}

#[test]
fn no_size_is_too_small_or_too_large_for_a_load() {
    for mut screen in [lab(80, 24, refused()), running(80, 24), finished(80, 24)] {
        for (number, keys) in ["", "Tab", "Tab", "Tab", "F9"].into_iter().enumerate() {
            screen.press(keys);
            let sizes = (1..=140).step_by(3).flat_map(|w| [1, 2, 6, 10, 24, 40].map(|h| (w, h)));
            for (width, height) in sampled(sizes.collect(), 5, number) {
                screen.send(Msg::Resize(Size::new(width, height)));
                assert_eq!(screen.draw().area, Rect::new(0, 0, width, height));
            }
        }
    }
}

/// With any number of loads, the selected one is visible.
#[test]
fn the_selection_stays_visible() {
    let mut screen = opened(40, 10);
    let load = |number| Runnable { name: format!("load-{number}"), ..loads().remove(0) };
    screen.app.lab = LabState::with_loads((0..30).map(load).collect());
    for (keys, chosen) in [("G", 29), ("k k", 27), ("PgUp", 17), ("g", 0), ("PgDn j", 11)] {
        screen.press(keys);
        let page = all(&mut screen);
        assert!(page.contains(&format!("> load-{chosen}")), "{keys}: {page}");
    }
}

#[test]
fn a_changed_choice_is_checked_again_and_old_answers_are_dropped() {
    let mut screen = lab(80, 24, ok());
    let (first, form) = requested_check(&screen);
    assert_eq!((first, form.load.as_str()), (1, "usemem"));
    screen.press("j");
    let (second, form) = requested_check(&screen);
    assert_eq!((second, form.load.as_str()), (2, "random-write"));
    assert!(all(&mut screen).contains("reading the machine"));
    let old = proposal(&form, refused());
    screen.send(Msg::Prepared(first, Ok(Box::new(old))));
    assert!(!all(&mut screen).contains("REFUSED"), "{}", all(&mut screen));
    screen.send(Msg::Prepared(second, Err("--limit \"x\" is no size".to_owned())));
    assert!(all(&mut screen).contains("is no size"), "{}", all(&mut screen));
    // Other screens request nothing, and on return the machine is checked again.
    screen.effects.clear();
    screen.press("1 j");
    let asks = |screen: &Screen| {
        screen.effects.iter().filter(|effect| matches!(effect, Effect::Prepare(..))).count()
    };
    assert_eq!(asks(&screen), 0);
    screen.press("7");
    assert_eq!(asks(&screen), 1);
}

#[test]
fn settings_are_cycled_and_typed() {
    let mut screen = lab(80, 24, ok()).keys("Tab l");
    assert_eq!(screen.app.lab.form.get(FormField::Limit), Some("64M"));
    screen.press("h h");
    assert_eq!(screen.app.lab.form.get(FormField::Limit), Some("50%"));
    screen.press("j Enter 2 x 6 4 M Enter");
    assert_eq!(
        requested_check(&screen).1.command(),
        "swapadm stress run usemem --limit=50% --zram=2x64M"
    );
    screen.press("Enter ^u Enter");
    assert_eq!(requested_check(&screen).1.get(FormField::Zram), None);
    screen.press("G l");
    assert!(foot(&mut screen).contains("press Enter to type"));
    for end in ["g", "k k", "G", "j j j"] {
        screen.press(end);
        assert!(all(&mut screen).contains("> "), "{end}");
    }
}

/// Options for an input are shown completely: beside it, or above it.
#[test]
fn long_field_values_are_not_cut() {
    for width in [80, 100, 160] {
        let mut screen = lab(width, 24, ok()).keys("Tab Enter");
        let page = all(&mut screen).replace('\n', " ");
        let words: Vec<&str> = page.split_whitespace().collect();
        let told =
            "memory limit of all its processes: 512M, or 25% of available memory; empty: default";
        assert!(words.join(" ").contains(told), "{width}: {page}");
    }
}

#[test]
fn a_load_runs_only_in_write_mode_confirmed_and_allowed() {
    let runs =
        |screen: &Screen| screen.effects.iter().any(|effect| matches!(effect, Effect::Run(_)));
    let mut screen = lab(80, 24, ok()).keys("Enter");
    planned(&mut screen, ok());
    screen.press("Tab Enter");
    assert!(foot(&mut screen).starts_with("read-only mode: W enables"), "{}", foot(&mut screen));
    assert!(!runs(&screen));
    screen.press("y");
    let copied = Effect::Copy("swapadm stress run usemem".to_owned());
    assert!(screen.effects.contains(&copied), "{:?}", screen.effects);
    screen.press("W Enter");
    assert!(runs(&screen) && screen.app.is_busy() && screen.app.has_load());
    let mut screen = lab(80, 24, refused()).keys(ARM).keys("Enter");
    planned(&mut screen, refused());
    assert!(all(&mut screen).contains("Run: refused"), "{}", all(&mut screen));
    screen.press("Tab Enter");
    assert!(!runs(&screen));
    let mut screen = lab(80, 24, ok());
    screen.app.change.blocked = Some("changing swap needs root (CAP_SYS_ADMIN)".to_owned());
    screen.press("Enter");
    planned(&mut screen, ok());
    assert!(all(&mut screen).contains("by hand"), "{}", all(&mut screen));
    screen.press("Tab Enter");
    assert!(foot(&mut screen).contains("y copies") && !runs(&screen));
}

/// The load changes nothing: its checks decide, with rights or without.
#[test]
fn a_load_without_temporary_swap_needs_no_rights() {
    let runs =
        |screen: &Screen| screen.effects.iter().any(|effect| matches!(effect, Effect::Run(_)));
    let with = |checks: Vec<Check>| {
        let mut screen = lab(80, 24, ok());
        screen.app.change.blocked = Some("changing swap needs root (CAP_SYS_ADMIN)".to_owned());
        screen.press("Enter");
        let mut proposal = proposal(&screen.app.lab.form, checks);
        (proposal.plan.steps, proposal.costs) = (Vec::new(), Vec::new());
        let number = screen.app.change.asked;
        screen.send(Msg::Planned(number, Ok(Box::new(AnyProposal::Session(proposal)))));
        screen
    };
    let mut screen = with(ok());
    assert!(!all(&mut screen).contains("not possible"), "{}", all(&mut screen));
    screen.press("Tab Enter");
    assert!(runs(&screen) && screen.app.has_load(), "{}", foot(&mut screen));
    let mut screen = with(refused());
    assert!(all(&mut screen).contains("Run: refused"), "{}", all(&mut screen));
    screen.press("Tab Enter");
    assert!(!runs(&screen));
}

#[test]
fn a_running_load_is_visible_everywhere_and_can_be_stopped() {
    let mut screen = running(80, 24);
    let page = all(&mut screen);
    assert!(page.contains("/dev/zram9") && page.contains("9s, about 16s left"), "{page}");
    screen.press("2");
    let page = all(&mut screen);
    assert!(
        page.contains("RUN    usemem: touching 39%  9s, about 16s left  swap 344M  cgroup 47M"),
        "{page}"
    );
    screen.effects.clear();
    screen.press("F9 c");
    assert_eq!(screen.effects, [Effect::Stop]);
    assert!(all(&mut screen).contains("stopping: usemem"), "{}", all(&mut screen));
    let told = "Run 1 was stopped: you stopped it.";
    let ran = SessionReport { summary: told.to_owned(), well: false, ..session_report() };
    screen.send(Msg::SessionEnded(Ok(Box::new(ran))));
    assert!(!screen.app.is_busy());
    assert!(all(&mut screen).contains(told), "{}", all(&mut screen));
}

/// Unknown progress shows neither an empty bar nor a time left.
#[test]
fn a_load_without_progress_shows_its_processes() {
    let mut screen = running(80, 24);
    for (share, part) in [(None, " 1/4 10s"), (Some(0.1), " 10% ")] {
        let now = run_view(10.0, 9);
        let progress = RunProgress { share, left: None, ..now.progress };
        screen.send(Msg::RunProgress(RunView { progress, ..now }));
        let page = all(&mut screen);
        let line = page.lines().find(|line| line.contains("│ touching")).unwrap();
        assert!(line.contains(part) && line.contains("10s of at most 10m00s"), "{line}");
    }
}

/// The time beside the bar is that of the whole session, not of the bar's phase.
#[test]
fn the_remaining_time_covers_the_whole_session() {
    let mut screen = running(80, 24);
    let now = run_view(12.0, 9);
    let progress =
        RunProgress { taken: 72.0, share: Some(0.4), left: Some(90.0), of: 4, ..now.progress };
    screen.send(Msg::RunProgress(RunView { progress, ..now }));
    let page = all(&mut screen);
    let line = page.lines().find(|line| line.contains(": touching")).unwrap();
    assert!(line.contains(" 40% ") && line.contains("72s, about 90s left"), "{line}");
}

/// A second load can be planned but not run: the dialog names the running one, and how to stop it.
#[test]
fn a_second_load_cannot_start_while_one_runs() {
    let mut screen = running(80, 24).keys(".");
    planned(&mut screen, ok());
    let page = all(&mut screen);
    assert!(page.contains("( Run: busy, F9 then c stops the other )"), "{page}");
    let told = "usemem is running: F9 shows it, c there stops it";
    assert_eq!(foot(&mut screen), told);
    screen.effects.clear();
    screen.press("Tab Enter");
    assert_eq!(screen.effects, []);
    assert!(foot(&mut screen).contains(told), "{}", foot(&mut screen));
    screen.press("F9 c");
    assert_eq!(screen.effects, [Effect::Stop]);
    screen.send(Msg::SessionEnded(Ok(Box::new(session_report()))));
    screen.press("Esc");
    let page = all(&mut screen);
    assert!(page.contains("[ Run ]"), "it can be run now: {page}");
}

#[test]
fn quitting_during_a_load_needs_confirmation() {
    let mut screen = running(80, 24);
    screen.effects.clear();
    screen.press("q");
    assert!(all(&mut screen).contains("A workload is running"), "{}", all(&mut screen));
    screen.press("Tab Tab Enter");
    assert_eq!(screen.effects, [Effect::Stop]);
    screen.send(Msg::SessionEnded(Err("it was ended before it began".to_owned())));
    assert!(screen.effects.contains(&Effect::Quit));
}

/// A newcomer finds in the last lines how to stop the load, and no cut numbers.
#[test]
fn the_stop_key_is_visible_and_no_number_is_cut() {
    for width in 40..=120 {
        let page = all(&mut running(width, 24));
        let lines: Vec<&str> = page.lines().collect();
        assert!(lines[lines.len() - 1].contains("F9 stop"), "{width}: {page}");
        let line = lines[lines.len() - 2];
        assert!(!line.contains('…'), "{width}: {line}");
    }
}

#[test]
fn a_source_that_cannot_run_loads_says_so() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys(".");
    assert!(foot(&mut screen).contains("screen 7"), "{}", foot(&mut screen));
    screen.press("7 .");
    assert!(foot(&mut screen).contains("workloads need a live machine"), "{}", foot(&mut screen));
    assert!(!screen.effects.iter().any(|effect| matches!(effect, Effect::Plan(..))));
}

/// The program looks at this machine, which is not the simulated one.
#[test]
fn on_a_simulated_machine_the_lab_says_where_workloads_run() {
    let mut screen = Screen::machines(&MACHINES, 80, 24);
    screen.app.source.kind = SourceKind::Simulated;
    screen.app.lab = LabState::with_loads(loads());
    screen.press("7");
    let text = all(&mut screen);
    assert!(text.contains("swapadm stress run LOAD --on MACHINE"), "{text}");
    assert!(!screen.effects.iter().any(|effect| matches!(effect, Effect::Prepare(..))));
}
