//! Experiments in the lab: chosen, configured, confirmed, watched run by run and shown, without a machine
//! to run them on.

use crate::changes::{ARM, all, foot};
use crate::common::screen::{Screen, page};
use crate::common::{expect_file, repository};
use crate::lab::{MIB, entries, loads, ok, proposal, requested_check, run_view};
use crate::{MACHINES, SIZES};
use ratatui::layout::{Rect, Size};
use std::time::Duration;
use swapadm::actions::check::Check;
use swapadm::actions::plan::Plan;
use swapadm::actions::run::Progress;
use swapadm::columns::{TextSection, TextTable};
use swapadm::derive::lab::ResultEntry;
use swapadm::model::{Bytes, Reading};
use swapadm::ui::change::AnyProposal;
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::lab::{
    ExperimentTables, Form, LabResult, LabState, PlannedCases, PlannedRun, RunStart, Runnable,
    RunnableKind, SessionProposal, SessionReport,
};
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::theme::Palette;

/// Loads and experiments: five built-in ones, and one of the user.
pub(crate) fn all_kinds() -> Vec<Runnable> {
    let letters = [Some("A"), Some("B"), Some("C"), Some("D"), Some("E"), None];
    let names = ["balance", "nodes", "readahead", "folios", "freeing", "zswap", "mine"];
    let experiment = |(letter, name): (_, &str)| Runnable {
        what: RunnableKind::Experiment,
        letter,
        name: name.into(),
        about: "Where do pages go? Processes fill areas. 3 cases, 3 times each.".into(),
    };
    let more =
        (0..7).map(|number| Runnable { name: format!("load-{number}"), ..loads().remove(0) });
    let loads = loads().into_iter().chain(more);
    loads.chain(letters.into_iter().zip(names).map(experiment)).collect()
}

/// A saved experiment.
pub(crate) fn tables() -> LabResult {
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let sheet = TextTable {
        names: 1,
        heads: row(["priorities", "system s", "MiB/s"]),
        rows: vec![row(["default", "1.52+-0.11", "412"]), row(["equal", "1.49+-0.09", "433"])],
        under: None,
    };
    let words = "equal against default: MiB/s 5.1% more +- 2.2%, better.".to_owned();
    LabResult::Experiment(Box::new(ExperimentTables {
        id: 5,
        title: "balance".to_owned(),
        question: "Where do pages go?".to_owned(),
        published: Some(vec![TextSection::words(vec!["Published, on other machines:".to_owned()])]),
        parts: vec![
            TextSection { words: Vec::new(), sheet: Some(sheet) },
            TextSection::words(vec![words]),
        ],
        runs: "3, 4".to_owned(),
    }))
}

/// The answer of the machine for an experiment.
fn of_cases(form: &Form, checks: Vec<Check>) -> SessionProposal {
    let of_load = proposal(form, checks);
    let names = ["default", "equal"];
    let case =
        |name: &str| format!("{name}: usemem, 4 x 128M in 256M, 4 x 256M on zram, priority {name}");
    let cases = PlannedCases {
        names: names.map(str::to_owned).into(),
        order: "each 3 times, 6 in all, in random order (seed 1)".to_owned(),
        at_most: "1h00m for all runs, plus the setup between them".to_owned(),
        areas: Some("4 x 256M on zram".to_owned()),
        needs_setup: true,
    };
    let terms = PlannedRun {
        runs: names.map(case).into(),
        memory_limit: "256M of memory for each run, in a cgroup of its own".to_owned(),
        limit: None,
        at_most: 3600.0,
        cases: Some(cases),
        ..of_load.terms
    };
    let plan = Plan { steps: Vec::new(), ..of_load.plan };
    let title = format!("run the experiment {}", form.load);
    SessionProposal { plan: Plan { title, ..plan }, costs: Vec::new(), terms, ..of_load }
}

pub(crate) fn next(number: usize) -> RunStart {
    RunStart {
        number,
        of: 6,
        case: Some("equal".to_owned()),
        names: vec!["/dev/zram9".to_owned(), "/dev/zram9".to_owned()],
        limit: Some(Bytes(256 * MIB)),
        at_most: 600.0,
    }
}

/// The lab with all loads, and the first experiment selected.
fn experiments(width: u16, height: u16) -> Screen {
    let mut screen = Screen::machines(&MACHINES, width, height);
    screen.app.lab = LabState::with_loads(all_kinds());
    let mut screen = screen.keys("7 g");
    weigh_cases(&mut screen, ok());
    screen.send(Msg::Results(Ok(entries())));
    screen
}

fn weigh_cases(screen: &mut Screen, checks: Vec<Check>) {
    let (number, form) = requested_check(screen);
    assert_eq!(form.what, RunnableKind::Experiment);
    screen.send(Msg::Prepared(number, Ok(Box::new(of_cases(&form, checks)))));
}

fn confirmed(width: u16, height: u16) -> Screen {
    let mut screen = experiments(width, height).keys(ARM).keys("Enter");
    let (number, form) = (screen.app.change.asked, screen.app.lab.form.clone());
    let proposal = AnyProposal::Session(of_cases(&form, ok()));
    screen.send(Msg::Planned(number, Ok(Box::new(proposal))));
    screen
}

/// In the second run of six.
fn experiment_running(width: u16, height: u16) -> Screen {
    let mut screen = confirmed(width, height).keys("Tab Enter");
    screen.send(Msg::RunStarted(next(1)));
    screen.send(Msg::RunProgress(run_view(9.0, 60)));
    screen.send(Msg::RunStarted(next(2)));
    for step in 0..40_u32 {
        screen.send(Msg::RunProgress(run_view(f64::from(step) * 0.25, u64::from(step) + 5)));
    }
    screen
}

fn experiment_finished(width: u16, height: u16) -> Screen {
    let mut screen = experiment_running(width, height);
    let told = "6 of 6 runs were made. Stored as result 5; the runs of its cases are results 3, 4.";
    let ran = SessionReport { result: Some(tables()), summary: told.to_owned(), well: true };
    screen.send(Msg::SessionEnded(Ok(Box::new(ran))));
    weigh_cases(&mut screen, ok());
    screen
}

#[test]
fn experiments_match_their_golden_file() {
    let mut pages = Vec::new();
    for (width, height) in SIZES {
        let mut add = |title: &str, screen: &mut Screen| pages.push(page(title, screen));
        let mut both = Screen::machines(&MACHINES, width, height);
        both.app.lab = LabState::with_loads(all_kinds());
        add("both kinds", &mut both.keys("7"));
        add("experiment", &mut experiments(width, height));
        add("its settings", &mut experiments(width, height).keys("Tab j l"));
        add("its dialog", &mut confirmed(width, height));
        add("its run", &mut experiment_running(width, height));
        add("after it", &mut experiment_finished(width, height));
        add("its table", &mut experiment_finished(width, height).keys("Enter"));
    }
    expect_file(&repository("tests/screens/experiments.txt"), &pages.concat(), "UPDATE_GOLDEN");
}

#[test]
fn a_plain_terminal_has_all_their_signs() {
    for screen in [experiments(80, 24), experiment_running(80, 24), experiment_finished(80, 24)] {
        let mut screen = screen.look(GlyphTier::Ascii, Palette::Mono);
        let odd = all(&mut screen).chars().find(|c| !c.is_ascii());
        assert_eq!(odd, None, "{}", all(&mut screen));
    }
}

#[test]
fn no_size_is_too_small_or_too_large_for_an_experiment() {
    for mut screen in [
        experiments(80, 24),
        confirmed(80, 24),
        experiment_running(80, 24),
        experiment_finished(80, 24),
    ] {
        let sizes = (1..=140).step_by(3).flat_map(|w| [1, 2, 6, 10, 24, 40].map(|h| (w, h)));
        for (width, height) in sizes {
            screen.send(Msg::Resize(Size::new(width, height)));
            assert_eq!(screen.draw().area, Rect::new(0, 0, width, height));
        }
    }
}

/// With experiments above the loads, the first load is selected, and headings count as lines.
#[test]
fn loads_of_one_kind_share_a_heading() {
    for (width, height) in SIZES {
        let mut screen = Screen::machines(&MACHINES, width, height);
        screen.app.lab = LabState::with_loads(all_kinds());
        screen.press("7");
        assert!(all(&mut screen).contains("> usemem"), "{}", all(&mut screen));
        let keys = [
            ("g", "> A balance"),
            ("j j", "> C readahead"),
            ("G", "> load-6"),
            ("g k", "> A balance"),
        ];
        for (keys, chosen) in keys {
            screen.press(keys);
            assert!(all(&mut screen).contains(chosen), "{keys}: {}", all(&mut screen));
        }
    }
    let mut screen = Screen::machines(&MACHINES, 80, 24);
    screen.app.lab = LabState::with_loads(all_kinds());
    screen.press("7");
    let page = all(&mut screen);
    assert!(page.contains("experiments") && page.contains("workloads"), "{page}");
}

#[test]
fn an_experiment_is_set_by_the_fields_of_its_command() {
    let mut screen = experiments(80, 24).keys("Tab");
    let page = all(&mut screen);
    for name in ["limit", "scale", "repeat", "seed", "only", "kind"] {
        assert!(page.contains(name), "{name}: {page}");
    }
    assert!(!page.contains("algorithm"), "{page}");
    screen.press("l j l");
    assert_eq!(requested_check(&screen).1.command(), "swapadm experiment run balance --scale=0.1");
    screen.press("j j j Enter p r i o r i t i e s = e q u a l Enter");
    let command = "swapadm experiment run balance --scale=0.1 --only=priorities=equal";
    assert_eq!(requested_check(&screen).1.command(), command);
    // A load has other fields, which start with their defaults.
    screen.press("S-Tab G Tab");
    assert_eq!(screen.app.lab.field, 0);
    assert_eq!(requested_check(&screen).1.command(), "swapadm stress run load-6");
}

/// The experiment itself has no temporary swap, but its cases have.
#[test]
fn an_experiment_with_temporary_swap_needs_rights() {
    let mut screen = confirmed(80, 24);
    let page = all(&mut screen);
    let told = "for each run: 4 x 256M on zram";
    assert!(page.contains("Run the experiment balance") && page.contains(told), "{page}");
    assert!(page.contains("each 3 times, 6 in all"), "{page}");
    screen.press("y");
    let copied = Effect::Copy("swapadm experiment run balance".to_owned());
    assert!(screen.effects.contains(&copied), "{:?}", screen.effects);
    screen.app.change.blocked = Some("changing swap needs root (CAP_SYS_ADMIN)".to_owned());
    screen.press("Tab Enter");
    assert!(!screen.effects.iter().any(|effect| matches!(effect, Effect::Run(_))));
    assert!(foot(&mut screen).contains("needs root"), "{}", foot(&mut screen));
}

/// On the smallest terminal with a complete screen: the risks are visible before the dialog.
#[test]
fn the_guard_of_an_experiment_shows_its_limit_and_areas() {
    let mut screen = experiments(80, 24);
    let (number, form) = requested_check(&screen);
    screen.send(Msg::Prepared(number, Ok(Box::new(of_cases(&form, Vec::new())))));
    let page = all(&mut screen);
    let told =
        ["256M of memory for each run", "4 x 256M on zram", "run time above 10m", "6 in all"];
    for words in told {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn an_experiment_is_shown_run_by_run_and_can_be_stopped() {
    let mut screen = experiment_running(80, 24);
    let page = all(&mut screen);
    assert!(page.contains("2/6") && page.contains("equal") && page.contains("touching"), "{page}");
    let course = screen.app.change.job.as_ref().unwrap().load.as_ref().unwrap();
    assert_eq!(course.memory.values().len(), 40, "the first run is not drawn with it");
    screen.press("2");
    let page = all(&mut screen);
    assert!(page.contains("RUN    balance 2/6 equal: touching 39%"), "{page}");
    screen.send(Msg::RunStarted(next(3)));
    let (since, elapsed, total, left) = (Duration::ZERO, Duration::ZERO, Bytes(0), Bytes(0));
    let progress = Progress { step: 1, is_undo: false, since, elapsed, total, left, pause: None };
    screen.send(Msg::Progress(progress));
    let page = all(&mut screen);
    assert!(page.contains("balance 3/6 equal: 2/2 /dev/zram9"), "{page}");
    screen.effects.clear();
    screen.press("F9 c");
    assert_eq!(screen.effects, [Effect::Stop]);
    let told = "2 of 6 runs were made. Ended early: you stopped it.";
    let ran = SessionReport { result: Some(tables()), summary: told.to_owned(), well: false };
    screen.send(Msg::SessionEnded(Ok(Box::new(ran))));
    assert!(!screen.app.is_busy());
    screen.press("Esc 7");
    let page = all(&mut screen);
    assert!(page.contains("you stopped it") && page.contains("1.52+-0.11"), "{page}");
}

#[test]
fn published_figures_follow_measured_ones() {
    let mut screen = experiment_finished(80, 24);
    assert!(all(&mut screen).contains("p there adds published results"), "{}", all(&mut screen));
    screen.press("Enter");
    assert!(all(&mut screen).contains("p published"), "{}", all(&mut screen));
    screen.press("p");
    let page = all(&mut screen);
    assert!(page.contains("Published, on other machines:"), "{page}");
    assert!(page.contains("Where do pages go?"), "{page}");
    // An experiment without published figures has no such page.
    let LabResult::Experiment(known) = tables() else { panic!("it is an experiment") };
    let unknown = LabResult::Experiment(Box::new(ExperimentTables { published: None, ..*known }));
    screen.press("Esc");
    screen.send(Msg::Result(Ok(unknown)));
    assert!(!all(&mut screen).contains("p published"), "{}", all(&mut screen));
}

#[test]
fn kept_experiments_are_shown_and_compared() {
    let mut screen = experiment_finished(80, 24).keys("Enter");
    let page = all(&mut screen);
    assert!(page.contains("5 balance") && page.contains("default     1.52+-0.11"), "{page}");
    let mut short = entries()[0].short.known().unwrap().clone();
    short.kind = "experiment";
    let entry = |id| ResultEntry {
        id,
        file: "5-balance.json".into(),
        short: Reading::Known(short.clone()),
    };
    screen.press("Esc");
    screen.send(Msg::Results(Ok(vec![entry(6), entry(5)])));
    screen.press("S-Tab c");
    assert_eq!(screen.effects.last(), Some(&Effect::Compare([6, 5])), "with the last from here");
    screen.press("Enter");
    assert_eq!(screen.effects.last(), Some(&Effect::Result(6)));
    screen.send(Msg::Result(Ok(tables())));
    let page = all(&mut screen);
    assert!(page.contains("Where do pages go?") && page.contains("cases: 3, 4."), "{page}");
}
