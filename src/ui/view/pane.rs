//! One pane: its frame or title, and what is in it.

use super::Pen;
use crate::ui::app::App;
use crate::ui::content::{Line, What};
use crate::ui::hit::Target;
use crate::ui::layout;
use crate::ui::pane::PaneState;
use crate::ui::theme::Role;
use ratatui::layout::Rect;

/// Draw a pane.
pub(super) fn pane(app: &App, place: usize, area: Rect, pen: &mut Pen<'_>) {
    let Some(state) = app.state() else { return };
    let Some(pane) = state.panes.get(place) else { return };
    let focused = state.focus == place;
    pen.hits.add(area, Target::Pane(place));
    let title = title(app, pane, focused);
    if app.plan.framed {
        let role = if focused { Role::Accent } else { Role::Faint };
        pen.frame(area, &title, "", role);
    } else {
        let line = pen.look.glyphs.lines.sides[0].repeat(usize::from(area.width));
        pen.write((area.x, area.y), &line, Role::Faint, area.width);
        pen.title(area.x, area.y, area.width, &title);
        others(state.panes.len(), place, area, pen);
    }
    sheet_targets(pane, place, area, app.plan.framed, pen);
    let inner = layout::inside(area, app.plan.framed);
    if app.moment().is_none() {
        pen.write((inner.x, inner.y), "reading the machine", Role::Faint, inner.width);
        return;
    }
    match pane.sheets.get(pane.sheet) {
        Some(sheet) => super::table::table(app, sheet, place, inner, pen),
        None => facts(app, pane, place, layout::lines(area, app.plan.framed), pen),
    }
}

/// Where one pane alone is shown: that there are others, and how to get to them.
fn others(count: usize, place: usize, area: Rect, pen: &mut Pen<'_>) {
    if count > 1 && area.width >= 60 {
        let words = format!(" {} of {count}: Tab ", place + 1);
        let x = area.right().saturating_sub(super::width(&words));
        pen.write((x, area.y), &words, Role::Label, area.width);
    }
}

/// The title: the name, the tables to choose from, what is left out, and the age.
fn title(app: &App, pane: &PaneState, focused: bool) -> Vec<(String, Role)> {
    let own = if focused { Role::Accent } else { Role::Text };
    let mut parts = vec![(pane.info.title.to_owned(), own)];
    if pane.sheets.len() > 1 {
        for (place, sheet) in pane.sheets.iter().enumerate() {
            let shown = place == pane.sheet;
            let name = sheet.info.name;
            let words = if shown { format!(" [{name}]") } else { format!("  {name} ") };
            parts.push((words, if shown { own } else { Role::Label }));
        }
    }
    if let Some(sheet) = pane.sheets.get(pane.sheet) {
        parts.extend(super::table::notes(sheet));
    }
    if let Some(age) = app.stale() {
        let age = crate::columns::units::seconds(age.as_secs_f64());
        parts.push((format!("  ~ {age} old"), Role::Warn));
    }
    parts
}

/// The names of tables in a title can be clicked.
fn sheet_targets(pane: &PaneState, place: usize, area: Rect, framed: bool, pen: &mut Pen<'_>) {
    if pane.sheets.len() < 2 {
        return;
    }
    let mut x = area.x + if framed { 3 } else { 1 } + super::width(pane.info.title);
    for (sheet, state) in pane.sheets.iter().enumerate() {
        let width = super::width(state.info.name) + 3;
        let here = Rect { x, width, height: 1, ..area }.intersection(area);
        pen.hits.add(here, Target::Sheet { pane: place, sheet });
        x = x.saturating_add(width);
    }
}

fn facts(app: &App, pane: &PaneState, place: usize, area: Rect, pen: &mut Pen<'_>) {
    let focused = app.state().is_some_and(|state| state.focus == place);
    let mut figure = 0;
    for (line, y) in pane.visible_lines().into_iter().zip(area.y..area.bottom()) {
        let row = Rect { y, height: 1, ..area };
        figure = draw_line(pen, line, row, &Cursor { app, pane, place, focused, figure });
    }
}

/// Which figure of which pane comes next, and which one keys act on.
struct Cursor<'a> {
    app: &'a App,
    pane: &'a PaneState,
    place: usize,
    focused: bool,
    figure: usize,
}

/// Draw a line; says which figure comes after it.
fn draw_line(pen: &mut Pen<'_>, line: &Line, row: Rect, cursor: &Cursor<'_>) -> usize {
    let mut figure = cursor.figure;
    let look = pen.look;
    let shown = line.place(usize::from(row.width));
    for placed in &shown {
        let cells = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
        let mut x = row.x.saturating_add(cells(placed.x));
        let end = x.saturating_add(cells(placed.width)).min(row.right());
        let here = Rect { x, width: end.saturating_sub(x), ..row };
        for (words, role) in placed.piece.draw(&look, placed.width) {
            let role = if cursor.app.stale().is_some() { Role::Faint } else { role };
            x += pen.write((x, row.y), &words, role, end.saturating_sub(x));
        }
        if matches!(placed.piece.what, What::Figure(..)) {
            // Figures that did not fit are counted too: the state knows nothing of widths.
            figure = place_of(line, placed.piece).map_or(figure, |place| cursor.figure + place);
            pen.hits.add(here, Target::Figure { pane: cursor.place, figure });
            if cursor.focused && cursor.pane.figure == figure {
                pen.paint(here, Role::Selected);
            }
        }
    }
    cursor.figure + line.figures().count()
}

/// The place of a figure among those of its line.
fn place_of(line: &Line, piece: &crate::ui::content::Piece) -> Option<usize> {
    line.figures().position(|figure| std::ptr::eq(figure, piece))
}
