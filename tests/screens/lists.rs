//! The lists of the lab: search, layout, and scrolling.

use crate::MACHINES;
use crate::changes::{ARM, all, past};
use crate::common::screen::Screen;
use crate::experiments::tables;
use crate::lab::{entries, lab, message, ok, planned};
use ratatui::layout::Size;
use swapadm::actions::check::{Check, CheckVerdict};
use swapadm::columns::TextSection;
use swapadm::derive::lab::ResultEntry;
use swapadm::model::Reading;
use swapadm::ui::lab::{ExperimentTables, LOADS, LabResult, RESULTS};
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::overlay::Overlay;

/// The last line as drawn.
fn foot(screen: &mut Screen) -> String {
    screen.text().last().unwrap().clone()
}

/// Letters after a `/` select a row, and none of them acts as a key.
#[test]
fn a_search_selects_the_first_matching_row() {
    let mut screen = lab(80, 24, ok()).keys("/ R a n d");
    assert!(foot(&mut screen).contains("find Rand"), "{}", foot(&mut screen));
    assert_eq!(screen.app.lab.form.load, "random-write");
    screen.press("Enter");
    assert!(screen.app.overlays.is_empty());
    screen.press("/ x x Enter");
    assert!(
        all(&mut screen).contains("Not found: no row contains the text"),
        "{}",
        all(&mut screen)
    );
    screen.press("q Esc");
    assert!(screen.app.overlays.is_empty());
    assert_eq!(screen.app.lab.form.load, "random-write");
    // Without focus on a list, the results are searched and get the focus.
    assert_eq!(screen.app.pane_info().unwrap().id, LOADS);
    screen.press("Tab / b e f o r e Enter");
    assert_eq!(screen.app.pane_info().unwrap().id, RESULTS);
    assert_eq!(screen.app.lab.selected(), Some(1));
}

/// Saved runs with these titles.
fn titled(titles: &[&str]) -> Msg {
    let entries = (1..).zip(titles).map(|(id, title)| {
        let mut short = entries()[0].short.known().unwrap().clone();
        (*title).clone_into(&mut short.title);
        ResultEntry { id, file: "1.json".into(), short: Reading::Known(short) }
    });
    Msg::Results(Ok(entries.collect()))
}

/// Free space in a row goes to titles; those with equal beginnings lose their middle, not their end.
#[test]
fn titles_have_the_room_there_is_and_can_be_told_apart() {
    let titles = ["readahead: page-cluster 0", "readahead: page-cluster 3"];
    let mut screen = lab(80, 24, ok());
    screen.send(titled(&titles));
    let page = all(&mut screen);
    assert!(page.contains("cluster 0 ") && page.contains("cluster 3 "), "{page}");
    let mut screen = lab(160, 40, ok());
    screen.send(titled(&titles));
    let page = all(&mut screen);
    assert!(titles.iter().all(|title| page.contains(title)), "{page}");
}

/// The problems of a run can be read completely, and omitted text is indicated.
#[test]
fn a_text_that_is_cut_says_so_and_scrolls() {
    let checks = |count: usize| -> Vec<Check> {
        let words = |number| format!("the area number {number} may take pages of the load");
        (0..count).map(|number| Check::new("others", CheckVerdict::Warn, words(number))).collect()
    };
    let mut screen = lab(80, 24, checks(9));
    assert!(all(&mut screen).contains("Guard and run  7 of "), "{}", all(&mut screen));
    screen.press("S-Tab");
    assert!(all(&mut screen).contains("Guard and run  1-7 of "), "{}", all(&mut screen));
    screen.press("j");
    assert!(all(&mut screen).contains("Guard and run  2-8 of "), "{}", all(&mut screen));
    screen.press("G");
    let page = all(&mut screen);
    assert!(page.contains("Processes that touch their memory"), "{page}");
    screen.press("PgUp g");
    assert!(all(&mut screen).contains("the area number 0"), "{}", all(&mut screen));
    // Nothing is indicated where everything fits.
    let mut screen = lab(120, 40, checks(1)).keys("S-Tab");
    assert!(!all(&mut screen).contains("Guard and run  1-"), "{}", all(&mut screen));
}

/// Footers explain Enter and Space, and say that changes are forbidden.
#[test]
fn footers_show_the_keys_of_the_list() {
    let mut screen = lab(80, 24, ok());
    assert!(foot(&mut screen).contains("W write") && foot(&mut screen).contains(". run"));
    screen.press("Tab");
    assert!(foot(&mut screen).contains("Enter change"), "{}", foot(&mut screen));
    screen.press("Tab");
    let words = foot(&mut screen);
    assert!(words.contains("Enter show") && words.contains("Space mark"), "{words}");
    screen.press("Space g");
    assert!(foot(&mut screen).contains("Space unmark"), "{}", foot(&mut screen));
    screen.press(ARM);
    assert!(!foot(&mut screen).contains("W write"), "{}", foot(&mut screen));
}

/// After a load keys act on its result, wherever the focus was before.
#[test]
fn the_last_run_is_selected() {
    let mut screen = lab(80, 24, ok()).keys("Tab Tab G");
    assert_eq!(screen.app.lab.selected(), Some(1));
    screen.send(message(3));
    screen.send(message(4));
    assert_eq!(screen.app.lab.selected(), Some(2));
}

/// Published figures appear at the top, and can be hidden again, at any width.
#[test]
fn published_figures_can_be_toggled() {
    let LabResult::Experiment(known) = tables() else { panic!("it is an experiment") };
    let many = (0..40).map(|line| format!("line {line}")).collect();
    let (own, others) =
        (TextSection::words(many), TextSection::words(vec!["Published: elsewhere".to_owned()]));
    let published = Some(vec![own.clone(), others]);
    let found =
        LabResult::Experiment(Box::new(ExperimentTables { parts: vec![own], published, ..*known }));
    let mut screen = lab(80, 24, ok());
    screen.send(Msg::Result(Ok(found)));
    assert!(!all(&mut screen).contains("Published: elsewhere"), "{}", all(&mut screen));
    screen.press("p");
    let page = all(&mut screen);
    assert!(page.contains("Published: elsewhere") && page.contains("p own figures"), "{page}");
    screen.send(Msg::Resize(Size::new(60, 24)));
    let page = all(&mut screen);
    assert!(page.contains("with published") && page.contains("p own figures"), "{page}");
    screen.press("p");
    let page = all(&mut screen);
    assert!(!page.contains("elsewhere") && page.contains("p published"), "{page}");
}

/// Rows of tables are never wider than the terminal, also after a change of its size.
#[test]
fn results_are_laid_out_anew_for_another_width() {
    let page = |screen: &Screen| match screen.app.overlays.last() {
        Some(Overlay::Page(page)) => page.lines.clone(),
        _ => panic!("a result is shown"),
    };
    let shown = |width| {
        let mut screen = lab(width, 24, ok());
        screen.send(Msg::Result(Ok(tables())));
        screen
    };
    let mut screen = shown(80);
    screen.send(Msg::Resize(Size::new(22, 24)));
    assert_ne!(page(&shown(80)), page(&screen));
    assert_eq!(page(&shown(22)), page(&screen));
}

/// The reason for a refusal is visible when its dialog opens.
#[test]
fn a_refusal_is_visible() {
    for (width, height) in [(60, 16), (80, 24)] {
        let many = |number| Check::new("others", CheckVerdict::Ok, format!("this is so: {number}"));
        let mut checks: Vec<Check> = (0..20).map(many).collect();
        checks.push(Check::new("algorithm", CheckVerdict::Refuse, "there is no zstd here"));
        checks.extend((20..40).map(many));
        let mut screen = lab(width, height, ok()).keys(".");
        planned(&mut screen, checks);
        let page = all(&mut screen);
        assert!(page.contains("there is no zstd here"), "{width}x{height}: {page}");
        assert!(page.contains("Up Down scroll"), "{width}x{height}: {page}");
    }
}

/// A truncated line of a list is marked.
#[test]
fn a_long_entry_of_the_journal_is_cut_with_its_mark() {
    let mut known = past();
    for record in &mut known.records {
        record.title = "a title that is longer than any terminal is wide ".repeat(3);
    }
    let mut screen = Screen::machines(&MACHINES, 60, 16).keys("J");
    screen.send(Msg::JournalRead(Ok(known)));
    let page = all(&mut screen);
    let line = page.lines().find(|line| line.contains("a title")).unwrap();
    assert!(line.contains('…'), "{page}");
}

/// In the lab, e explains the selected workload, setting or result, and the pane that has none of them.
#[test]
fn the_lab_explains_what_is_selected() {
    let mut screen = lab(80, 24, ok());
    let name = screen.app.lab.form.load.clone();
    screen.press("e");
    let page = all(&mut screen);
    assert!(page.contains(&format!("Workload: {name}")), "{page}");
    assert!(page.contains(&format!("swapadm stress show {name}")), "{page}");
    screen.press("y Esc Tab e");
    let page = all(&mut screen);
    assert!(page.contains("Setting of the run: limit") && page.contains("--limit"), "{page}");
    screen.press("Esc Tab Tab e");
    let page = all(&mut screen);
    assert!(page.contains("Guard and run"), "{page}");
    let mut screen = lab(80, 24, ok()).keys("Tab Tab");
    let selected = screen.app.lab.selected().unwrap();
    screen.effects.clear();
    screen.press("e");
    assert_eq!(screen.effects, [Effect::Result(selected)]);
}
