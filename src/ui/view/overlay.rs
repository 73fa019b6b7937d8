//! What lies above the screen.

use super::Pen;
use crate::columns::text;
use crate::ui::app::App;
use crate::ui::content::clip;
use crate::ui::hit::Target;
use crate::ui::overlay::{Input, Item, Menu, Overlay, Page, PageLine, Purpose};
use crate::ui::theme::Role;
use ratatui::layout::Rect;

/// Draw the uppermost page or list; lines to type in stand in the footer.
pub(super) fn overlays(app: &App, pen: &mut Pen<'_>) {
    let body = Rect { y: 0, height: app.plan.foot.y, ..Rect::new(0, 0, app.size.width, 0) };
    let above = app.overlays.iter().rev().find_map(|overlay| match overlay {
        Overlay::Page(page) => Some(Above::Page(page)),
        Overlay::Menu(menu) => Some(Above::Menu(menu)),
        Overlay::Filter(_) | Overlay::Value(_) => None,
    });
    match above {
        Some(Above::Page(page)) => draw_page(page, body, pen),
        Some(Above::Menu(menu)) => draw_menu(menu, body, pen),
        None => {}
    }
}

enum Above<'a> {
    Page(&'a Page),
    Menu(&'a Menu),
}

/// Clear a place in the middle and frame it; the inside comes back.
fn open(area: Rect, lines: usize, title: &str, hints: &str, pen: &mut Pen<'_>) -> Rect {
    let margin = if area.width >= 70 { 3 } else { 0 };
    let width = area.width.saturating_sub(2 * margin).min(110);
    let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2);
    let height = wanted.min(area.height).max(3.min(area.height));
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let place = Rect { x, y, width, height };
    pen.clear(place);
    pen.hits.add(Rect { height: area.height + 1, ..area }, Target::Overlay);
    let title = [(title.to_owned(), Role::Accent)];
    pen.frame(place, &title, hints, Role::Accent);
    Rect { x: x + 2, y: y + 1, width: width.saturating_sub(4), height: height.saturating_sub(2) }
}

fn draw_page(page: &Page, area: Rect, pen: &mut Pen<'_>) {
    let names = page.lines.iter().map(|line| text::width(&line.name)).max().unwrap_or(0).min(22);
    let cells =
        usize::from(area.width.min(110)).saturating_sub(if area.width >= 70 { 10 } else { 4 });
    let lines: Vec<(String, String, Role)> =
        page.lines.iter().flat_map(|line| broken(line, names, cells)).collect();
    let copy = if page.copy.is_some() { "   y copy" } else { "" };
    let next = if page.next.is_some() { "   ? signs and colours" } else { "" };
    let inner = open(area, lines.len(), &page.title, &format!("Esc close{copy}{next}"), pen);
    let most = lines.len().saturating_sub(usize::from(inner.height));
    let top = page.top.min(most);
    for ((name, words, role), y) in lines.iter().skip(top).zip(inner.y..inner.bottom()) {
        let taken = pen.write((inner.x, y), name, Role::Label, inner.width);
        let x = inner.x + if name.is_empty() { 0 } else { taken };
        let words = clip(words, usize::from(inner.right().saturating_sub(x)), &pen.look);
        pen.write((x, y), &words, *role, inner.right().saturating_sub(x));
    }
    if most > 0 {
        let more = format!(" {}-{} of {} ", top + 1, top + usize::from(inner.height), lines.len());
        pen.write_right((inner.right(), inner.bottom()), &more, Role::Faint);
    }
}

/// A line of a page, broken into as many as it takes.
fn broken(line: &PageLine, names: usize, cells: usize) -> Vec<(String, String, Role)> {
    let role = if line.faint { Role::Faint } else { Role::Text };
    if line.name.is_empty() {
        let wrapped = text::wrap(&line.text, cells.max(8));
        return wrapped.into_iter().map(|words| (String::new(), words, role)).collect();
    }
    let wrapped = text::wrap(&line.text, cells.saturating_sub(names + 2).max(8));
    let name = text::pad(&text::clip(&line.name, names), names + 2, false);
    let heads = std::iter::once(name).chain(std::iter::repeat(" ".repeat(names + 2)));
    heads.zip(wrapped).map(|(head, words)| (head, words, role)).collect()
}

fn draw_menu(menu: &Menu, area: Rect, pen: &mut Pen<'_>) {
    let found = menu.found();
    let (title, hints) = match menu.purpose {
        Purpose::Palette => ("Commands", "Enter do it   Esc close"),
        Purpose::Columns => ("Columns", "Enter show or hide   Esc done"),
        Purpose::Sort => ("Sort by", "Enter sort   Esc close"),
        Purpose::Settings => ("Settings", "Enter change   Esc close"),
    };
    let typing = usize::from(menu.typed.is_some());
    // The last lines say what the selected item is.
    let inner = open(area, found.len().max(3) + typing + 3, title, hints, pen);
    if let Some(input) = &menu.typed {
        self::input("> ", input, None, Rect { height: 1, ..inner }, pen);
    }
    let top = inner.y + u16::try_from(typing).unwrap_or(0);
    let help = inner.bottom().saturating_sub(2).max(top);
    let rows = usize::from(help.saturating_sub(top));
    let first = (menu.selected + 1).saturating_sub(rows);
    for ((place, item), y) in found.iter().enumerate().skip(first).zip(top..help) {
        let row = Rect { y, height: 1, ..inner };
        draw_item(item, row, place == menu.selected, pen);
        pen.hits.add(row, Target::Item(place));
    }
    let (words, role) = match (&menu.error, found.get(menu.selected)) {
        (Some(error), _) => (error.clone(), Role::Warn),
        (None, Some(Item { off: Some(why), .. })) => (format!("not now: {why}"), Role::Faint),
        (None, Some(item)) => (item.help.clone(), Role::Label),
        (None, None) => ("nothing fits".to_owned(), Role::Faint),
    };
    let wrapped = text::wrap(&words, usize::from(inner.width));
    for (line, y) in wrapped.iter().zip(help..inner.bottom()) {
        pen.write((inner.x, y), line, role, inner.width);
    }
}

fn draw_item(item: &Item, row: Rect, selected: bool, pen: &mut Pen<'_>) {
    let on = match item.on {
        Some(true) => "x ",
        Some(false) => "  ",
        None => "",
    };
    let sign = if selected { "> " } else { "  " };
    let role = if item.off.is_some() { Role::Faint } else { Role::Text };
    pen.write((row.x, row.y), &format!("{sign}{on}{}", item.name), role, row.width);
    let note = clip(&item.note, usize::from(row.width / 2), &pen.look);
    pen.write_right((row.right(), row.y), &note, Role::Label);
    if selected {
        pen.paint(row, Role::Selected);
    }
}

/// A line to type in, with what is wrong with it so far.
pub(super) fn input(
    label: &str,
    input: &Input,
    error: Option<&str>,
    area: Rect,
    pen: &mut Pen<'_>,
) {
    pen.clear(area);
    let start = area.x + pen.write((area.x, area.y), label, Role::Accent, area.width);
    // The end of what was typed stays in sight.
    let before: String = input.text.chars().take(input.cursor).collect();
    let room = usize::from(area.right().saturating_sub(start + 1));
    let skip = text::width(&before).saturating_sub(room);
    let shown: String = input.text.chars().skip(skip).collect();
    let end =
        start + pen.write((start, area.y), &shown, Role::Text, area.right().saturating_sub(start));
    let cursor = start
        .saturating_add(super::width(&before))
        .saturating_sub(u16::try_from(skip).unwrap_or(0));
    pen.paint(
        Rect { x: cursor.min(area.right().saturating_sub(1)), width: 1, height: 1, ..area },
        Role::Selected,
    );
    if let Some(error) = error {
        let x = end.max(cursor + 1) + 2;
        let words = clip(error, usize::from(area.right().saturating_sub(x)), &pen.look);
        pen.write((x, area.y), &words, Role::Warn, area.right().saturating_sub(x));
    }
}
