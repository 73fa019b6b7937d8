//! Pages and lists above the screen, and lines to type in.

use super::pen::{HINTS, fitting_hints};
use super::{HitTarget, Pen, Rect, Role, Size, TextPage, TextPart, clip, text, width};
use crate::ui::content::clip_words;
use crate::ui::input::TextInput;
use crate::ui::overlay::{Menu, MenuChoice, MenuItem, MenuPurpose};
use crate::ui::page::{self, PageRow, PageTarget};
use crate::ui::row_page::RowPage;

/// Clears and frames a rectangle in the middle; returns its inside.
pub(super) fn open(
    size: Size,
    lines: usize,
    title: Vec<TextPart>,
    hints: &str,
    pen: &mut Pen<'_>,
) -> Rect {
    let place = page::place(size, lines);
    pen.clear(place);
    pen.hits.add(Rect::new(0, 0, size.width, size.height), HitTarget::Outside);
    pen.hits.add(place, HitTarget::Overlay);
    pen.frame(place, title, hints, Role::Accent);
    page::inside(size, lines)
}

pub(super) fn draw_page(page: &TextPage, size: Size, pen: &mut Pen<'_>) {
    let rows = page.rows(size);
    let copy = if page.copy.is_some() { "   y copy" } else { "" };
    let enter = match &page.enter {
        Some(PageTarget::Plan(_)) => "Enter plan   ",
        Some(PageTarget::Row(_)) => "Enter show it   ",
        None => "",
    };
    let time = page.row().map(RowPage::time);
    let time = time.map(|(words, role)| TextPart::new(format!("  {words}"), role));
    let title = std::iter::once(TextPart::new(page.title.clone(), Role::Accent)).chain(time);
    let next = page.next.as_ref().map(|turn| format!("   {} {}", turn.key, turn.words));
    let next = next.unwrap_or_default();
    let load = if page.answer().is_some() { "   l load   r growth" } else { "" };
    let actions = if page.subject.is_some() { "   a actions" } else { "" };
    let hints = format!("{enter}Esc close{copy}{actions}{load}{next}");
    let last = page.last_top(size);
    let shown = usize::from(page::inside(size, rows.len()).height);
    let range = describe_range((page.top, last), shown, rows.len());
    let room = page::place(size, rows.len()).width.saturating_sub(HINTS + width(&range));
    let inner = open(size, rows.len(), title.collect(), &fitting_hints(&hints, room), pen);
    draw_rows(&rows, (page.top, last), shown, inner, pen);
}

/// Describes which rows are shown from the top one on; empty if these are all.
fn describe_range((top, last): (usize, usize), height: usize, count: usize) -> String {
    let top = top.min(last);
    if last > 0 { format!(" {}-{} of {count} ", top + 1, top + height) } else { String::new() }
}

/// Draws this many rows of a text from the top one on, and which they are if there are more.
pub(super) fn draw_rows(
    rows: &[PageRow<'_>],
    (top, last): (usize, usize),
    height: usize,
    inner: Rect,
    pen: &mut Pen<'_>,
) {
    for (row, y) in rows.iter().skip(top.min(last)).take(height).zip(inner.y..) {
        draw_row(row, Rect { y, height: 1, ..inner }, pen);
    }
    let range = describe_range((top, last), height, rows.len());
    pen.write_right((inner.right(), inner.bottom()), &range, Role::Faint);
}

/// Draws as many rows as an area has lines.
pub(super) fn draw_lines(rows: &[PageRow<'_>], area: Rect, pen: &mut Pen<'_>) {
    for (row, y) in rows.iter().zip(area.y..area.bottom()) {
        draw_row(row, Rect { y, height: 1, ..area }, pen);
    }
}

fn draw_row(row: &PageRow<'_>, area: Rect, pen: &mut Pen<'_>) {
    let x = area.x + pen.write((area.x, area.y), &row.name, Role::Label, area.width);
    let room = area.right().saturating_sub(x);
    let words = clip(&row.words, usize::from(room), &pen.look);
    pen.write((x, area.y), &words, row.line.role, room);
}

pub(super) fn draw_menu(menu: &Menu, size: Size, pen: &mut Pen<'_>) {
    let found = menu.matching_items();
    let (title, hints) = heading(menu);
    let title = vec![TextPart::new(title, Role::Accent)];
    let typing = usize::from(menu.typed.is_some());
    // The last lines describe the selected item.
    let inner = open(size, found.len().max(3) + typing + 3, title, hints, pen);
    if let Some(input) = &menu.typed {
        self::input("> ", input, "", Rect { height: 1, ..inner }, pen);
    }
    let top = inner.y + u16::try_from(typing).unwrap_or(0);
    let help = inner.bottom().saturating_sub(2).max(top);
    let rows = usize::from(help.saturating_sub(top));
    let first = (menu.selected + 1).saturating_sub(rows);
    for ((place, item), y) in found.iter().enumerate().skip(first).zip(top..help) {
        let row = Rect { y, height: 1, ..inner };
        draw_item(item, row, place == menu.selected, pen);
        pen.hits.add(row, HitTarget::Item(place));
    }
    let about = Rect { y: help, height: inner.bottom().saturating_sub(help), ..inner };
    draw_about(menu, found.get(menu.selected).copied(), about, pen);
}

/// The title and the key hints of a list.
fn heading(menu: &Menu) -> (String, &'static str) {
    let title = match menu.purpose {
        MenuPurpose::Palette => "Commands, areas, settings, findings, processes".to_owned(),
        MenuPurpose::Columns => {
            let shown = menu.items.iter().filter(|item| item.on == Some(true)).count();
            format!("Columns: {shown} of {} shown", menu.items.len())
        }
        MenuPurpose::Sort => "Sort by".to_owned(),
        MenuPurpose::Export => format!("Export: {}", menu.about),
        MenuPurpose::Settings => "Settings".to_owned(),
        MenuPurpose::Actions => format!("Actions: {}", menu.about),
        MenuPurpose::Journal => "Journal of changes".to_owned(),
        MenuPurpose::Prediction => "Predict".to_owned(),
    };
    let hints = match menu.purpose {
        MenuPurpose::Palette => "Enter run   Esc close",
        MenuPurpose::Columns if menu.is_searched() => "Enter show or hide   Esc done",
        MenuPurpose::Columns => "Space show or hide   Esc done",
        MenuPurpose::Sort => "Enter sort   Esc close",
        MenuPurpose::Export => "Enter save or copy   y copy   Esc close",
        MenuPurpose::Settings => "Enter change   Left Right choose   Esc close",
        MenuPurpose::Actions => action_hints(menu.matching_items().get(menu.selected).copied()),
        MenuPurpose::Journal => "Enter details   u undo   Esc close",
        MenuPurpose::Prediction => "a letter predicts   Enter takes this one   Esc close",
    };
    (title, hints)
}

/// The key hints for the selected action.
fn action_hints(selected: Option<&MenuItem>) -> &'static str {
    match selected {
        Some(MenuItem { off: None, choice, .. }) => match choice {
            _ if selected.is_some_and(MenuItem::asks_what_if) => "Enter ask the model   Esc close",
            MenuChoice::Plan(_) | MenuChoice::Type(_) => "Enter show the plan   Esc close",
            _ => "Enter choose   Esc close",
        },
        Some(_) | None => "Esc close",
    }
}

/// The error of the last choice, or the description of the selected item.
fn draw_about(menu: &Menu, selected: Option<&MenuItem>, area: Rect, pen: &mut Pen<'_>) {
    let (words, role) = match (&menu.error, selected) {
        (Some(error), _) => (error.clone(), Role::Warn),
        (None, Some(MenuItem { off: Some(why), .. })) => {
            (format!("unavailable: {why}"), Role::Faint)
        }
        (None, Some(item)) if menu.purpose == MenuPurpose::Palette => {
            (menu.preview(item), Role::Label)
        }
        (None, Some(item)) => match &item.plan_only {
            Some(why) => (format!("{PLAN_ONLY}: {why}. {}", item.help), Role::Label),
            None => (item.help.clone(), Role::Label),
        },
        (None, None) => ("no match".to_owned(), Role::Faint),
    };
    let cells = usize::from(area.width);
    let wrapped = text::wrap(&words, cells);
    let last = usize::from(area.height).saturating_sub(1).min(wrapped.len());
    let (whole, rest) = wrapped.split_at(last);
    let rest = clip_words(&rest.join(" "), cells, &pen.look);
    for (line, y) in whole.iter().chain([&rest]).zip(area.y..area.bottom()) {
        pen.write((area.x, y), line, role, area.width);
    }
}

/// The mark of items whose plan can be shown, but not carried out.
const PLAN_ONLY: &str = "plan only";

/// Minimum width of a note.
const LEAST_NOTE: u16 = 6;

fn draw_item(item: &MenuItem, row: Rect, selected: bool, pen: &mut Pen<'_>) {
    let on = match item.on {
        Some(true) => "[x] ",
        Some(false) => "[ ] ",
        None => "",
    };
    let sign = if selected { "> " } else { "  " };
    let (role, mark) = match item {
        MenuItem { off: Some(_), .. } => (Role::Faint, "  (unavailable)".to_owned()),
        MenuItem { plan_only: Some(_), .. } => (Role::Text, format!("  ({PLAN_ONLY})")),
        _ => (Role::Text, String::new()),
    };
    let name = format!("{sign}{on}{}{mark}", item.name);
    let name = clip(&name, usize::from(row.width), &pen.look);
    let taken = pen.write((row.x, row.y), &name, role, row.width);
    // The name has precedence: a note that does not fit is left out.
    let room = row.width.saturating_sub(taken + 2);
    if room >= LEAST_NOTE.min(width(&item.note)) {
        let note = clip(&item.note, usize::from(room), &pen.look);
        pen.write_right((row.right(), row.y), &note, Role::Label);
    }
    if selected {
        pen.paint(row, Role::Selected);
    }
}

/// A line to type in, followed by the accepted values if there is room.
pub(super) fn input(label: &str, input: &TextInput, hint: &str, area: Rect, pen: &mut Pen<'_>) {
    pen.clear(area);
    let start = area.x + pen.write((area.x, area.y), label, Role::Accent, area.width);
    let room = area.right().saturating_sub(start);
    let (shown, cells) = input.window(usize::from(room));
    let end = start + pen.write((start, area.y), shown, Role::Text, room);
    let cursor = start.saturating_add(u16::try_from(cells).unwrap_or(u16::MAX));
    let cursor = cursor.min(area.right().saturating_sub(1));
    pen.paint(Rect { x: cursor, width: 1, height: 1, ..area }, Role::Selected);
    let x = end.max(cursor + 1) + 2;
    let left = area.right().saturating_sub(x);
    pen.write((x, area.y), &clip(hint, usize::from(left), &pen.look), Role::Label, left);
}
