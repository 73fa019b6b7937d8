//! One pane: its frame or title, and what is in it.

use super::Pen;
use super::parts::{self, Part};
use crate::ui::app::App;
use crate::ui::command::Command;
use crate::ui::content::{self, Line, What};
use crate::ui::hit::Target;
use crate::ui::layout;
use crate::ui::pane::PaneState;
use crate::ui::sheet::SheetState;
use crate::ui::theme::Role;
use ratatui::layout::Rect;

/// Draw a pane.
pub(super) fn pane(app: &App, place: usize, area: Rect, pen: &mut Pen<'_>) {
    let Some(state) = app.state() else { return };
    let Some(pane) = state.panes.get(place) else { return };
    let focused = state.focus == place;
    pen.hits.add(area, Target::Pane(place));
    if app.plan.framed {
        let role = if focused { Role::Accent } else { Role::Faint };
        let title = title(app, pane, place, area.width.saturating_sub(6));
        pen.frame(area, title, "", role);
    } else {
        rule(app, pane, place, area, pen);
    }
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

/// The title of a pane without a frame, on a line, and the way to the other panes.
fn rule(app: &App, pane: &PaneState, place: usize, area: Rect, pen: &mut Pen<'_>) {
    let line = pen.look.glyphs.lines.sides[0].repeat(usize::from(area.width));
    pen.write((area.x, area.y), &line, Role::Faint, area.width);
    let others = others(app.state().map_or(0, |state| state.panes.len()), place, area.width);
    let left = area.width.saturating_sub(super::width(&others));
    let short = title(app, pane, place, left.saturating_sub(2));
    // That rows are marked or filtered out matters more than where other panes are.
    let sheet = pane.sheets.get(pane.sheet);
    let chosen =
        sheet.is_some_and(|sheet| !sheet.tagged.is_empty() || sheet.request.filter.is_some());
    if !chosen || area.width >= 60 || parts::fit(&short, 0, left.saturating_sub(2)) {
        pen.title(area.x, area.y, left, short);
        let here = Rect { x: area.x + left, width: area.width - left, height: 1, ..area };
        pen.write((here.x, here.y), &others, Role::Label, here.width);
        pen.hits.add(here, Target::Command(Command::NextPane));
    } else {
        let long = title(app, pane, place, area.width.saturating_sub(2));
        pen.title(area.x, area.y, area.width, long);
    }
}

/// Where one pane alone is shown: that there are others, and how to get to them.
fn others(count: usize, place: usize, cells: u16) -> String {
    let of = if cells < 60 { "/" } else { " of " };
    if count < 2 { String::new() } else { format!(" {}{of}{count}: Tab ", place + 1) }
}

/// The title: the name, the tables to choose from, the age, what is marked and left out.
fn title(app: &App, pane: &PaneState, place: usize, cells: u16) -> Vec<Part> {
    let focused = app.state().is_some_and(|state| state.focus == place);
    let own = if focused { Role::Accent } else { Role::Text };
    let with = |names: Vec<Part>| {
        let mut parts = vec![Part::new(pane.info.title, own)];
        parts.extend(names);
        parts.extend(app.stale().map(|age| {
            let age = crate::columns::units::seconds(age.as_secs_f64());
            Part::new(format!("  ~ {age} old"), Role::Warn)
        }));
        parts.extend(pane.sheets.get(pane.sheet).map(super::table::notes).unwrap_or_default());
        parts.extend(pane.range().map(|range| Part::new(format!("  {range}"), Role::Label)));
        parts
    };
    let long = with(all_tables(pane, place, own));
    if parts::fit(&long, 0, cells) { long } else { with(this_table(pane, place, own)) }
}

/// The names of all tables.
fn all_tables(pane: &PaneState, place: usize, own: Role) -> Vec<Part> {
    if pane.sheets.len() < 2 {
        return vec![];
    }
    let name = |(sheet, state): (usize, &SheetState)| {
        let name = state.info.name;
        let (words, role) = if sheet == pane.sheet {
            (format!(" [{name}]"), own)
        } else {
            (format!("  {name} "), Role::Label)
        };
        Part::new(words, role).leads_to(Target::Sheet { pane: place, sheet })
    };
    pane.sheets.iter().enumerate().map(name).collect()
}

/// The name of the table that is shown, and how to get to the others.
fn this_table(pane: &PaneState, place: usize, own: Role) -> Vec<Part> {
    let count = pane.sheets.len();
    let Some(shown) = pane.sheets.get(pane.sheet).filter(|_| count > 1) else { return vec![] };
    let next = Target::Sheet { pane: place, sheet: (pane.sheet + 1) % count };
    let more = format!("  {} of {count}: ]", pane.sheet + 1);
    vec![
        Part::new(format!(" [{}]", shown.info.name), own),
        Part::new(more, Role::Label).drops(4).leads_to(next),
    ]
}

fn facts(app: &App, pane: &PaneState, place: usize, area: Rect, pen: &mut Pen<'_>) {
    let focused = app.state().is_some_and(|state| state.focus == place);
    let mut figure = pane.figures_above();
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
        if let What::Shades(content::Row { first: Some(first), .. }) = placed.piece.what {
            let spot = |(cell, x)| (Rect { x, width: 1, ..here }, cell);
            for (area, cell) in (first..).zip(here.x..here.right()).map(spot) {
                pen.hits.add(area, Target::Spot { pane: cursor.place, cell });
            }
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
