use super::*;
use crate::columns::Unit;
use crate::ui::glyphs::Tier;
use crate::ui::theme::Palette;

fn drawn(line: &Line, cells: usize) -> String {
    let look = Look::new(Tier::Ascii, Palette::Mono);
    let mut text = String::new();
    for placed in line.place(cells) {
        text += &" ".repeat(placed.x.saturating_sub(text::width(&text)));
        text.extend(placed.piece.draw(&look, placed.width).into_iter().map(|(part, _)| part));
    }
    text
}

fn line() -> Line {
    let history = vec![Some(0.0), Some(4.0), Some(8.0)];
    Line::new()
        .label("in")
        .cell("412", Role::In, 6)
        .history(history, None, Role::In)
        .text("ok", Role::Ok)
        .drops(3)
}

#[test]
fn bars_and_histories_take_what_is_left() {
    assert_eq!(drawn(&line(), 22), "in 412          059 ok");
    assert_eq!(drawn(&Line::new().bar(vec![(Some(0.5), Role::Ram)]), 8), "####....");
    let parts = vec![(Some(0.5), Role::Ram), (Some(0.25), Role::Disk)];
    assert_eq!(drawn(&Line::new().bar(parts), 8), "####==..");
}

#[test]
fn a_long_name_is_cut_before_words_go_and_again_when_they_are_gone() {
    let info: &'static Info = &const { Info::new("path", "PATH", Unit::Text) };
    let value = Value::Text("a".repeat(60));
    let name =
        Piece::figure(Origin { table: "cgroups", row: String::new(), info, value, span: None });
    let line = Line::new().figure(name).label("is full").label("of late").drops(1);
    assert_eq!(drawn(&line, 80), format!("{} is full of late", "a".repeat(60)));
    assert_eq!(drawn(&line, 44), format!("{}+ is full of late", "a".repeat(27)));
    assert_eq!(drawn(&line, 40), format!("{}+ is full", "a".repeat(27)));
    assert_eq!(drawn(&line, 20), format!("{}+ is full", "a".repeat(11)));
}

#[test]
fn where_a_line_ends_words_are_cut_with_a_sign_and_numbers_go() {
    let info: &'static Info = &const { Info::new("used", "USED", Unit::Bytes) };
    let origin = |value| Origin { table: "devices", row: String::new(), info, value, span: None };
    let number = Piece::figure(origin(Value::Whole(144 << 10)));
    let line = Line::new().label("holds").figure(number).label("of swap");
    assert_eq!(drawn(&line, 18), "holds 144K of swap");
    assert_eq!(drawn(&line, 16), "holds 144K of s+");
    assert_eq!(drawn(&line, 8), "holds");
    assert_eq!(drawn(&line, 4), "hol+");
}

#[test]
fn of_a_share_that_is_not_known_nothing_is_drawn() {
    assert_eq!(drawn(&Line::new().bar(vec![(None, Role::Ram)]), 8), "........");
    let parts = vec![(Some(0.5), Role::Ram), (None, Role::Ram), (Some(0.25), Role::Ram)];
    assert_eq!(drawn(&Line::new().bar(parts), 8), "####++..");
}

#[test]
fn a_narrow_line_loses_pieces_in_their_order_and_is_never_squeezed() {
    assert_eq!(drawn(&line(), 17), "in 412     059 ok");
    assert_eq!(drawn(&line(), 12), "in 412    ok");
    assert_eq!(drawn(&line(), 9), "in 412   ");
}

#[test]
fn a_key_is_the_sign_of_a_part() {
    let line = Line::new().key(1, Role::Ram).label("file").key(FREE, Role::Faint).label("free");
    assert_eq!(drawn(&line, 20), "= file . free");
}

#[test]
fn parts_that_signs_tell_apart_are_told_apart_in_words_too() {
    let line = Line::new().label("").key(0, Role::Ram).label("of programs").label("1G");
    let line = line.key(1, Role::Ram).label("of files").label("2G");
    assert_eq!(line.spoken(), "of programs 1G; of files 2G");
}

#[test]
fn what_follows_a_fill_stands_at_the_right() {
    let line = Line::new().label("a").fill().label("b");
    assert_eq!(drawn(&line, 9), "a       b");
}

#[test]
fn words_stay_whole_where_they_fit() {
    let lines = wrapped("one two /a/very/long", 7, Role::Text);
    let lines: Vec<String> = lines.iter().map(Line::plain).collect();
    assert_eq!(lines, ["one two", "/a/very", "/long"]);
}
