//! Saved results in the lab: listed, shown, marked and compared.

use crate::changes::{all, foot};
use crate::common::screen::Screen;
use crate::lab::{both, entries, finished, lab, ok};
use crate::monkey::at;
use swapadm::derive::lab::ResultEntry;
use swapadm::model::Reading;
use swapadm::ui::msg::{Effect, Msg};

#[test]
fn results_are_shown_and_compared() {
    let mut screen = lab(120, 40, ok()).keys("c");
    assert!(foot(&mut screen).contains("mark a result with Space"), "{}", foot(&mut screen));
    let mut screen = finished(120, 40).keys("c");
    assert!(foot(&mut screen).contains("this is the last run itself"), "{}", foot(&mut screen));
    screen.press("S-Tab j c");
    assert_eq!(screen.effects.last(), Some(&Effect::Compare([1, 2])));
    screen.send(Msg::Compared(Ok(both())));
    let page = all(&mut screen);
    assert!(page.contains("1 before and 2 after") && page.contains("better"), "{page}");
    screen.press("Esc Enter");
    assert_eq!(screen.effects.last(), Some(&Effect::Result(1)));
    screen.send(Msg::Result(Err("1-before.json: it is cut off".to_owned())));
    assert!(foot(&mut screen).contains("it is cut off"));
}

/// Whether they were run from here or not.
#[test]
fn any_two_results_are_marked_and_compared() {
    let mut screen = lab(80, 24, ok()).keys("Space");
    assert!(foot(&mut screen).contains("Tab to them"), "{}", foot(&mut screen));
    screen.press("S-Tab S-Tab g Space");
    assert!(all(&mut screen).contains(" * 2 after"), "{}", all(&mut screen));
    screen.press("c");
    assert_eq!(screen.effects.last(), Some(&Effect::Compare([2, 1])));
    screen.press("k c");
    assert_eq!(screen.effects.last(), Some(&Effect::Compare([2, 1])), "it is the marked one");
    assert!(foot(&mut screen).contains("the marked result itself"), "{}", foot(&mut screen));
    // Two marks select both, wherever the focus is.
    screen.press("U G Space k Space c");
    assert_eq!(screen.effects.last(), Some(&Effect::Compare([1, 2])));
    screen.press("U");
    assert!(screen.app.lab.marked.is_empty());
    // A removed result is not marked.
    screen.press("Space");
    screen.send(Msg::Results(Ok(vec![entries().remove(0)])));
    assert!(screen.app.lab.marked.is_empty());
}

/// Another run is saved meanwhile: c and Enter still act on the same result.
#[test]
fn the_selection_survives_new_results() {
    let mut screen = lab(80, 24, ok());
    let entry = |id| ResultEntry { id, ..entries().remove(0) };
    screen.send(Msg::Results(Ok([3, 2, 1].map(entry).into())));
    screen.press("S-Tab S-Tab j");
    screen.send(Msg::Results(Ok([4, 3, 2, 1].map(entry).into())));
    assert_eq!(screen.app.lab.selected(), Some(2));
    // The newest is the run that has just ended.
    screen.press("g");
    screen.send(Msg::Results(Ok([5, 4, 3].map(entry).into())));
    assert_eq!(screen.app.lab.selected(), Some(5));
}

/// Number of requests for the list of saved results.
fn listings(screen: &Screen) -> usize {
    screen.effects.iter().filter(|effect| **effect == Effect::Results).count()
}

#[test]
fn the_list_of_results_is_refreshed_while_shown() {
    let mut screen = lab(80, 24, ok());
    assert_eq!(listings(&screen), 1);
    for (second, asked) in [(1003, 1), (1006, 2), (1012, 2)] {
        screen.send(Msg::Tick(at(second)));
        assert_eq!(listings(&screen), asked, "{second}: one answer at a time is awaited");
    }
    screen.send(Msg::Results(Ok(entries())));
    screen.send(Msg::Tick(at(1015)));
    assert_eq!(listings(&screen), 3);
    screen.send(Msg::Results(Ok(entries())));
    screen.press("1");
    screen.send(Msg::Tick(at(1030)));
    assert_eq!(listings(&screen), 3, "it is invisible elsewhere");
    screen.press("7");
    assert_eq!(listings(&screen), 4, "and back here it may be another one");
}

/// Two results are read once for a comparison, and kept while no new result appears.
#[test]
fn an_unchanged_list_changes_nothing() {
    let mut screen = lab(80, 24, ok()).keys("S-Tab S-Tab Space");
    screen.send(Msg::Comparable([2, 1], Err("these have nothing in common".to_owned())));
    let before = screen.effects.len();
    screen.send(Msg::Results(Ok(entries())));
    assert_eq!(screen.effects.len(), before);
    assert!(screen.app.lab.comparable().is_err());
}

#[test]
fn a_removed_result_is_reported_and_leaves_the_list() {
    let mut screen = lab(80, 24, ok()).keys("S-Tab S-Tab j Enter");
    assert_eq!(screen.effects.last(), Some(&Effect::Result(1)));
    screen.send(Msg::Result(Err("there is no result 1; there are 2".to_owned())));
    assert_eq!(screen.effects.last(), Some(&Effect::Results));
    assert!(foot(&mut screen).contains("there is no result 1"), "{}", foot(&mut screen));
    screen.send(Msg::Results(Ok(vec![entries().remove(0)])));
    assert!(!all(&mut screen).contains("1 before"), "{}", all(&mut screen));
    assert!(foot(&mut screen).contains("there is no result 1"), "it can still be read");
}

#[test]
fn a_third_mark_replaces_the_oldest() {
    let mut screen = lab(80, 24, ok()).keys("S-Tab S-Tab");
    let entry = |id| ResultEntry { id, ..entries().remove(0) };
    screen.send(Msg::Results(Ok([9, 8, 7].map(entry).into())));
    screen.press("Space Space Space");
    assert_eq!(screen.app.lab.marked, [8, 7]);
    screen.press("c");
    assert_eq!(screen.effects.last(), Some(&Effect::Compare([8, 7])));
}

/// Another result with the same number.
fn anew(entry: ResultEntry) -> ResultEntry {
    ResultEntry { file: "anew.json".into(), ..entry }
}

/// The interface checks whether a comparison is possible, and shows the reason where keys are.
#[test]
fn an_impossible_comparison_is_disabled_with_a_reason() {
    let mut screen = lab(80, 24, ok()).keys("S-Tab S-Tab Space");
    assert_eq!(screen.effects.last(), Some(&Effect::Comparable([2, 1])));
    assert!(all(&mut screen).contains("c compare"), "{}", all(&mut screen));
    let why = "before is an experiment, and after is a run";
    screen.send(Msg::Comparable([7, 8], Err("of others".to_owned())));
    assert!(all(&mut screen).contains("c compare"), "{}", all(&mut screen));
    screen.send(Msg::Comparable([2, 1], Err(why.to_owned())));
    assert!(!all(&mut screen).contains("c compare"), "{}", all(&mut screen));
    screen.effects.clear();
    screen.press("c");
    assert_eq!(screen.effects, []);
    assert!(foot(&mut screen).contains(why), "{}", foot(&mut screen));
    screen.press("? G");
    assert!(all(&mut screen).contains(&format!("c: {why}")), "{}", all(&mut screen));
    // After a change of the list nothing is known.
    screen.press("Esc");
    screen.send(Msg::Results(Ok(entries().into_iter().map(anew).collect())));
    assert_eq!(screen.effects.last(), Some(&Effect::Comparable([2, 1])));
    assert!(all(&mut screen).contains("c compare"), "{}", all(&mut screen));
}

/// Each answer reads two results: a held key requests one after the other, and outdated requests are
/// skipped.
#[test]
fn one_request_runs_and_the_newest_is_next() {
    let mut screen = lab(80, 24, ok()).keys("S-Tab S-Tab");
    let entry = |id| ResultEntry { id, ..entries().remove(0) };
    screen.send(Msg::Results(Ok([9, 8, 7, 6].map(entry).into())));
    let asked = |screen: &mut Screen| -> Vec<Effect> {
        screen.effects.drain(..).filter(|it| matches!(it, Effect::Comparable(_))).collect()
    };
    screen.press("Space Down Down");
    assert_eq!(asked(&mut screen), [Effect::Comparable([9, 8])]);
    screen.send(Msg::Comparable([9, 8], Ok(())));
    assert_eq!(asked(&mut screen), [Effect::Comparable([9, 6])]);
    // An answer for an older list is dropped.
    screen.send(Msg::Results(Ok([9, 8, 7, 6].map(entry).map(anew).into())));
    assert_eq!(asked(&mut screen), []);
    screen.send(Msg::Comparable([9, 6], Err("of before".to_owned())));
    assert_eq!(asked(&mut screen), [Effect::Comparable([9, 6])]);
    assert!(all(&mut screen).contains("c compare"), "{}", all(&mut screen));
    screen.send(Msg::Comparable([9, 6], Ok(())));
    assert_eq!(asked(&mut screen), []);
}

/// With any titles and outcomes, no row is wider than its pane.
#[test]
fn results_fit_their_pane() {
    for (title, end) in [("readahead: random anonymous 4", "1 of 1 stopped"), ("a", "done")] {
        let mut screen = lab(80, 24, ok());
        let mut short = entries()[0].short.known().unwrap().clone();
        (short.title, short.end) = (title.to_owned(), end.to_owned());
        let entry = ResultEntry { short: Reading::Known(short), ..entries().remove(0) };
        screen.send(Msg::Results(Ok(vec![entry])));
        let page = all(&mut screen);
        let rows: Vec<&str> = page.lines().skip(4).take(2).collect();
        assert!(rows.iter().all(|row| !row.contains('…')), "{page}");
        assert!(
            rows[0].contains(" OUTCOME ") && rows[1].contains(end.split(" stop").next().unwrap()),
            "{page}"
        );
    }
}
