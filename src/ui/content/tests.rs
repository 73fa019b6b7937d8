use super::*;
use crate::columns::{Info, Unit, Value};
use crate::ui::appearance::Appearance;
use crate::ui::glyphs::GlyphTier;
use crate::ui::theme::Palette;
use std::time::Duration;

fn drawn(line: &PaneLine, cells: usize) -> String {
    let look = Appearance::new(GlyphTier::Ascii, Palette::Mono);
    let mut text = String::new();
    for placed in line.place(cells) {
        text += &" ".repeat(placed.x.saturating_sub(text::width(&text)));
        text.extend(placed.draw(&look).into_iter().map(|(part, _)| part));
    }
    text
}

fn line() -> PaneLine {
    let values = vec![Some(0.0), Some(4.0), Some(8.0)];
    let series = chart::ChartSeries { values, role: Role::In };
    let chart = Chart::new(series, chart::Scale::UpTo(8.0), Unit::Count, Duration::default());
    PaneLine::new()
        .label("in")
        .cell("412", Role::In, 6)
        .history(chart)
        .text("ok", Role::Ok)
        .drops(3)
}

#[test]
fn bars_and_histories_fill_the_remaining_width() {
    assert_eq!(drawn(&line(), 31), "in 412          _+@ 0-8      ok");
    assert_eq!(drawn(&PaneLine::new().bar(vec![(Some(0.5), Role::Ram)]), 8), "####....");
    let parts = vec![(Some(0.5), Role::Ram), (Some(0.25), Role::Disk)];
    assert_eq!(drawn(&PaneLine::new().bar(parts), 8), "####==..");
}

#[test]
fn long_names_are_cut_before_and_after_words_are_dropped() {
    let info: &'static Info = &const { Info::new("path", "PATH", Unit::Text) };
    let value = Value::Text("a".repeat(60));
    let name =
        Piece::figure(Origin { table: "cgroups", row: String::new(), info, value, span: None });
    let line = PaneLine::new().figure(name).label("is full").extra(1, "of late");
    assert_eq!(drawn(&line, 80), format!("{} is full of late", "a".repeat(60)));
    assert_eq!(drawn(&line, 44), format!("{}+ is full of late", "a".repeat(27)));
    assert_eq!(drawn(&line, 40), format!("{}+ is full", "a".repeat(27)));
    assert_eq!(drawn(&line, 20), format!("{}+ is full", "a".repeat(11)));
}

#[test]
fn at_the_end_of_a_line_words_are_clipped_and_numbers_dropped() {
    let info: &'static Info = &const { Info::new("used", "USED", Unit::Bytes) };
    let origin = |value| Origin { table: "devices", row: String::new(), info, value, span: None };
    let number = Piece::figure(origin(Value::Whole(144 << 10)));
    let line = PaneLine::new().label("holds").figure(number).label("of swap");
    assert_eq!(drawn(&line, 18), "holds 144K of swap");
    assert_eq!(drawn(&line, 16), "holds 144K of+  ");
    assert_eq!(drawn(&line, 8), "holds");
    assert_eq!(drawn(&line, 4), "hol+");
}

#[test]
fn an_unknown_share_draws_nothing() {
    assert_eq!(drawn(&PaneLine::new().bar(vec![(None, Role::Ram)]), 8), "........");
    let parts = vec![(Some(0.5), Role::Ram), (None, Role::Ram), (Some(0.25), Role::Ram)];
    assert_eq!(drawn(&PaneLine::new().bar(parts), 8), "####++..");
}

#[test]
fn narrow_lines_drop_pieces_by_rank() {
    assert_eq!(drawn(&line(), 17), "in 412    ok");
    assert_eq!(drawn(&line(), 12), "in 412    ok");
    assert_eq!(drawn(&line(), 9), "in 412   ");
}

#[test]
fn a_line_does_not_end_with_a_comma() {
    let info: &'static Info = &const { Info::new("splits", "SPLITS", Unit::Count) };
    let value = Value::Whole(7);
    let splits =
        Piece::figure(Origin { table: "mthp", row: String::new(), info, value, span: None });
    let line = PaneLine::new().label("splits").figure(splits.before_next()).extra(1, "failed");
    assert_eq!(drawn(&line, 20), "splits 7, failed");
    assert_eq!(drawn(&line, 12), "splits 7");
}

#[test]
fn a_key_shows_the_sign_of_its_bar_part() {
    let line = PaneLine::new().key(1, Role::Ram).label("file").key(FREE, Role::Faint).label("free");
    assert_eq!(drawn(&line, 20), "= file . free");
}

#[test]
fn spoken_lines_separate_the_parts_of_a_bar() {
    let line = PaneLine::new().label("").key(0, Role::Ram).label("of programs").label("1G");
    let line = line.key(1, Role::Ram).label("of files").label("2G");
    assert_eq!(line.spoken(), "of programs 1G; of files 2G");
}

/// Marks are not read aloud: a text that begins with one begins with its word.
#[test]
fn spoken_lines_begin_with_the_word_of_their_mark() {
    let spoken = |mark: &str, text: &str| {
        (
            PaneLine::new().text(format!("{mark} {text}"), Role::Warn).spoken(),
            PaneLine::new().text(mark, Role::Warn).text(text, Role::Warn).spoken(),
        )
    };
    for (mark, word) in [("!!", "critical"), ("!", "warning"), (".", "note")] {
        let wanted = format!("{word}: full");
        assert_eq!(spoken(mark, "full"), (wanted.clone(), wanted));
    }
}

#[test]
fn pieces_after_a_fill_are_right_aligned() {
    let line = PaneLine::new().label("a").fill().label("b");
    assert_eq!(drawn(&line, 9), "a       b");
}

#[test]
fn wrapping_keeps_words_whole() {
    let lines = wrapped("one two /a/very/long", 7, Role::Text);
    let lines: Vec<String> = lines.iter().map(PaneLine::plain).collect();
    assert_eq!(lines, ["one two", "/a/very", "/long"]);
}
