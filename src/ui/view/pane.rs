//! Drawing a pane: its frame or title, and its table or lines.

use super::pen::fit;
use super::{
    App, HitTarget, PanePart, Pen, Rect, Role, TextPart, UiCommand, clip, safe_text, text, width,
};
use crate::columns::{Info, Rows, Value};
use crate::ui::chart::ChartPart;
use crate::ui::content::{self, PaneLine, PieceContent, Placed};
use crate::ui::pane::PaneState;
use crate::ui::table_state::{GAP, MARGIN, TableState};
use crate::ui::{command, layout, thresholds};

/// Draws a pane.
pub(super) fn pane(app: &App, place: usize, area: Rect, pen: &mut Pen<'_>) {
    let Some(state) = app.state() else { return };
    let Some(pane) = state.panes.get(place) else { return };
    let focused = state.focus == place;
    pen.hits.add(area, HitTarget::Pane(place, PanePart::Rest));
    if app.layout.framed {
        let role = if focused { Role::Accent } else { Role::Faint };
        let title = title(app, pane, place, area.width.saturating_sub(6));
        pen.frame(area, title, "", role);
    } else {
        rule(app, pane, place, area, pen);
    }
    let inner = layout::inside(area, app.layout.framed);
    if app.moment().is_none() {
        pen.write((inner.x, inner.y), "reading the machine", Role::Faint, inner.width);
        return;
    }
    match pane.sheets.get(pane.sheet) {
        Some(sheet) => table(app, sheet, place, inner, pen),
        None => facts(app, pane, place, layout::lines(area, app.layout.framed), pen),
    }
}

/// Draws the answer above the panes.
pub(super) fn answer(app: &App, pen: &mut Pen<'_>) {
    let area = app.layout.answer;
    let answer = app.state().and_then(|state| state.answer.as_ref());
    let line = answer.filter(|_| area.height > 0).and_then(|answer| answer.lines.first());
    let row = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    for placed in line.map(|line| line.place(usize::from(row.width))).unwrap_or_default() {
        write_piece(app, &placed, row, pen);
    }
}

/// Writes a piece in its place of a line; returns its rectangle.
fn write_piece(app: &App, placed: &Placed<'_>, row: Rect, pen: &mut Pen<'_>) -> Rect {
    let mut x = row.x.saturating_add(cells(placed.x));
    let end = x.saturating_add(cells(placed.width)).min(row.right());
    let here = Rect { x, width: end.saturating_sub(x), ..row };
    for (words, role) in placed.draw(&pen.look) {
        let role = if app.stale().is_some() { Role::Faint } else { role };
        x += pen.write((x, row.y), &words, role, end.saturating_sub(x));
    }
    here
}

/// The title line of a pane without a frame, with the way to the other panes.
fn rule(app: &App, pane: &PaneState, place: usize, area: Rect, pen: &mut Pen<'_>) {
    let line = pen.look.glyphs.lines.sides[0].repeat(usize::from(area.width));
    pen.write((area.x, area.y), &line, Role::Faint, area.width);
    let others = others(app.state().map_or(0, |state| state.panes.len()), place, area.width);
    let left = area.width.saturating_sub(width(&others));
    let short = title(app, pane, place, left.saturating_sub(2));
    // Marks and filters matter more than the other panes.
    let sheet = pane.sheets.get(pane.sheet);
    let chosen =
        sheet.is_some_and(|sheet| !sheet.tagged.is_empty() || sheet.request.filter.is_some());
    if !chosen || area.width >= 60 || fit(&short, 0, left.saturating_sub(2)) {
        pen.title(area.x, area.y, left, short);
        let here = Rect { x: area.x + left, width: area.width - left, height: 1, ..area };
        pen.write((here.x, here.y), &others, Role::Label, here.width);
        pen.hits.add(here, HitTarget::Command(UiCommand::NextPane));
    } else {
        let long = title(app, pane, place, area.width.saturating_sub(2));
        pen.title(area.x, area.y, area.width, long);
    }
}

/// The number of panes and the key to the next one, where only one pane is shown.
fn others(count: usize, place: usize, cells: u16) -> String {
    let of = if cells < 60 { "/" } else { " of " };
    if count < 2 { String::new() } else { format!(" {}{of}{count}: Tab ", place + 1) }
}

/// The title: name, tables, age, marks and hidden rows.
fn title(app: &App, pane: &PaneState, place: usize, cells: u16) -> Vec<TextPart> {
    let focused = app.state().is_some_and(|state| state.focus == place);
    let own = if focused { Role::Accent } else { Role::Text };
    let with = |names: Vec<TextPart>| {
        let mut parts = vec![TextPart::new(pane.info.title, own)];
        parts.extend(names);
        parts.extend(app.stale().map(|age| {
            let age = crate::columns::units::seconds(age.as_secs_f64());
            TextPart::new(format!("  ~ {age} old"), Role::Warn)
        }));
        parts.extend(pane.sheets.get(pane.sheet).map(table_notes).unwrap_or_default());
        parts.extend(areas_left_out(pane));
        parts.extend(span(app, pane, place));
        parts.extend(pane.range().map(|range| TextPart::new(format!("  {range}"), Role::Label)));
        parts
    };
    let long = with(all_tables(pane, place, own));
    if fit(&long, 0, cells) { long } else { with(this_table(pane, place, own)) }
}

/// The number of areas for which there is no room, and the key to all of them.
fn areas_left_out(pane: &PaneState) -> Option<TextPart> {
    let words = match pane.areas_left_out() {
        0 => return None,
        1 => "1 more area".to_owned(),
        count => format!("{count} more areas"),
    };
    let devices = UiCommand::Screen(1);
    let key = command::find(devices)?.key_words();
    let part = TextPart::new(format!("  {words}: key {key}"), Role::Label);
    Some(part.leads_to(HitTarget::Command(devices)))
}

/// The time that the charts of one line show; charts of several rows name it themselves.
fn span(app: &App, pane: &PaneState, place: usize) -> Option<TextPart> {
    let area = app.layout.panes.iter().find(|(pane, _)| *pane == place)?.1;
    let width = usize::from(layout::lines(area, app.layout.framed).width);
    let line = |line: &&PaneLine| {
        let placed = line.place(width);
        placed.iter().find_map(|placed| match &placed.piece.what {
            PieceContent::Chart(chart, ChartPart::Line) => {
                chart.span(ChartPart::Line, &app.look, placed.width)
            }
            _ => None,
        })
    };
    let span = pane.visible_lines().iter().filter_map(line).max()?;
    let words = crate::columns::units::seconds(span.as_secs_f64());
    Some(TextPart::new(format!("  past {words}"), Role::Label).drops(5))
}

/// The names of all tables.
fn all_tables(pane: &PaneState, place: usize, own: Role) -> Vec<TextPart> {
    if pane.sheets.len() < 2 {
        return vec![];
    }
    let name = |(sheet, state): (usize, &TableState)| {
        let name = state.info.name;
        let (words, role) = if sheet == pane.sheet {
            (format!(" [{name}]"), own)
        } else {
            (format!("  {name} "), Role::Label)
        };
        TextPart::new(words, role).leads_to(HitTarget::Pane(place, PanePart::Sheet(sheet)))
    };
    pane.sheets.iter().enumerate().map(name).collect()
}

/// The name of the visible table, and the key to the others.
fn this_table(pane: &PaneState, place: usize, own: Role) -> Vec<TextPart> {
    let count = pane.sheets.len();
    let Some(shown) = pane.sheets.get(pane.sheet).filter(|_| count > 1) else { return vec![] };
    let next = HitTarget::Pane(place, PanePart::Sheet((pane.sheet + 1) % count));
    let more = format!("  {} of {count}: ]", pane.sheet + 1);
    vec![
        TextPart::new(format!(" [{}]", shown.info.name), own),
        TextPart::new(more, Role::Label).drops(4).leads_to(next),
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

/// The next figure to draw in a pane, and the selected one.
struct Cursor<'a> {
    app: &'a App,
    pane: &'a PaneState,
    place: usize,
    focused: bool,
    figure: usize,
}

/// Draws a line; returns the number of its next figure.
fn draw_line(pen: &mut Pen<'_>, line: &PaneLine, row: Rect, cursor: &Cursor<'_>) -> usize {
    let mut figure = cursor.figure;
    for placed in &line.place(usize::from(row.width)) {
        let here = write_piece(cursor.app, placed, row, pen);
        if let PieceContent::Shades(content::MapRow { first: Some(first), .. }) = placed.piece.what
        {
            let spot = |(cell, x)| (Rect { x, width: 1, ..here }, cell);
            for (area, cell) in (first..).zip(here.x..here.right()).map(spot) {
                pen.hits.add(area, HitTarget::Pane(cursor.place, PanePart::MapCell(cell)));
            }
        }
        if matches!(placed.piece.what, PieceContent::Figure(..)) {
            // Figures that did not fit are counted as well, because the state does not know widths.
            figure = place_of(line, placed.piece).map_or(figure, |place| cursor.figure + place);
            pen.hits.add(here, HitTarget::Pane(cursor.place, PanePart::Figure(figure)));
            if cursor.focused && cursor.pane.figure == figure {
                pen.paint(here, Role::Selected);
            }
        }
    }
    cursor.figure + line.figures().count()
}

/// The index of a figure in its line.
fn place_of(line: &PaneLine, piece: &crate::ui::content::Piece) -> Option<usize> {
    line.figures().position(|figure| std::ptr::eq(figure, piece))
}

/// Draws the headings and the visible rows.
fn table(app: &App, sheet: &TableState, pane: usize, area: Rect, pen: &mut Pen<'_>) {
    let Some(rows) = sheet.rows() else {
        let why = sheet.shown.as_ref().and_then(|shown| Some(shown.missing()?.to_string()));
        let why = safe_text(&why.unwrap_or_default());
        for (line, y) in text::wrap(&why, usize::from(area.width)).iter().zip(area.y..area.bottom())
        {
            pen.write((area.x, y), line, Role::Faint, area.width);
        }
        return;
    };
    let drawing = Drawing { app, sheet, rows, pane, area };
    drawing.headings(pen);
    let height = usize::from(area.height.saturating_sub(1));
    let last = rows.cells.len().min(sheet.top + height);
    for (row, y) in (sheet.top..last).zip(area.y + 1..) {
        drawing.row(row, y, pen);
    }
    if rows.cells.is_empty() && area.height > 1 {
        pen.write(
            (area.x + 2, area.y + 1),
            &nothing(sheet, rows),
            Role::Faint,
            area.width.saturating_sub(2),
        );
    }
}

/// The message of an empty table.
fn nothing(sheet: &TableState, rows: &Rows) -> String {
    let others = sheet.query.spec.only.map_or("", |only| only.others);
    match (rows.filtered, rows.hidden) {
        (0, 0) => "nothing to show".to_owned(),
        (0, hidden) => format!("nothing to show; {hidden} {others}: * shows them"),
        (filtered, _) => format!("the filter hides all {filtered}: Esc clears it"),
    }
}

/// The notes behind the name in the title: order, filter, hidden rows, marks.
///
/// Marks and filters are never dropped, because the table would be misread without them. A long filter
/// is cut at its end, so it comes last.
fn table_notes(sheet: &TableState) -> Vec<TextPart> {
    let Some(rows) = sheet.rows() else { return vec![] };
    let count = rows.cells.len();
    let mut notes = vec![];
    if !sheet.tagged.is_empty() {
        let (marked, shown) = (sheet.tagged.len(), marked_rows(sheet, rows).count());
        let others = if shown < marked { format!(", {shown} shown") } else { String::new() };
        notes.push(TextPart::new(format!("  {marked} marked{others}"), Role::Tagged));
        if shown > 0 {
            notes.push(TextPart::new(sum(sheet, rows), Role::Tagged).drops(1));
        }
    }
    if sheet.request.filter.is_none() && count > sheet.height {
        let last = (sheet.top + sheet.height).min(count);
        let range = format!("  {}-{last} of {count}", sheet.top + 1);
        notes.push(TextPart::new(range, Role::Label).drops(3));
    }
    if rows.hidden > 0 {
        let others = sheet.query.spec.only.map_or("left out", |only| only.others);
        notes.push(TextPart::new(format!("  +{} {others}", rows.hidden), Role::Label).drops(4));
    }
    if sheet.hidden_columns() > 0 {
        let hidden = sheet.hidden_columns();
        let more = format!("  +{hidden} column{} (key l)", if hidden == 1 { "" } else { "s" });
        notes.push(TextPart::new(more, Role::Label).drops(2));
    }
    if let Some(filter) = &sheet.request.filter {
        let of = count + rows.filtered;
        notes.push(TextPart::new(format!("  {count} of {of} /{filter}"), Role::Warn));
    }
    notes
}

/// The marked rows that are shown.
fn marked_rows(sheet: &TableState, rows: &Rows) -> impl Iterator<Item = usize> {
    let is_marked =
        |row: &usize| sheet.name_of(*row).is_some_and(|name| sheet.tagged.contains(&name));
    (0..rows.cells.len()).filter(is_marked)
}

/// The sum of the sorted column over the marked rows that are shown, if it can be summed.
fn sum(sheet: &TableState, rows: &Rows) -> String {
    let Some(info) = sheet.sort_id().and_then(|id| rows.infos.get(rows.place(id)?)) else {
        return String::new();
    };
    let adds_up = matches!(info.unit, crate::columns::Unit::Bytes | crate::columns::Unit::Count);
    if !adds_up || info.id == sheet.query.spec.key {
        return String::new();
    }
    let marked = marked_rows(sheet, rows);
    let total: f64 = marked.filter_map(|row| rows.value(row, info.id)?.number()).sum();
    format!(", {} {}", info.head, Value::Real(total).human(info.unit, false))
}

struct Drawing<'a> {
    app: &'a App,
    sheet: &'a TableState,
    rows: &'a Rows,
    pane: usize,
    area: Rect,
}

impl Drawing<'_> {
    fn headings(&self, pen: &mut Pen<'_>) {
        let glyphs = pen.look.glyphs;
        let mut x = self.area.x + cells(MARGIN);
        for (column, (place, room)) in self.sheet.columns.iter().enumerate() {
            let Some(info) = self.rows.infos.get(*place) else { continue };
            let sorted = self.rows.sorted.filter(|(sorted, _)| sorted == place);
            let role = if sorted.is_some() { Role::Accent } else { Role::Label };
            let head = text::pad(info.head, *room, info.unit.is_number());
            let here = self.here(x, self.area.y, *room);
            pen.write((x, self.area.y), &head, role, here.width);
            if let Some((_, descending)) = sorted {
                // In the gap before numbers, behind texts.
                let [rising, falling] = glyphs.sorted;
                let sign = if descending { falling } else { rising };
                let at = if info.unit.is_number() {
                    (x + cells(*room)).saturating_sub(width(info.head) + 1)
                } else {
                    x + width(info.head)
                };
                if at < self.area.right() {
                    pen.write((at, self.area.y), sign, Role::Accent, 1);
                }
            }
            pen.hits.add(here, HitTarget::Pane(self.pane, PanePart::Heading(column)));
            x = x.saturating_add(cells(room + GAP));
        }
    }

    fn row(&self, row: usize, y: u16, pen: &mut Pen<'_>) {
        let Some(values) = self.rows.cells.get(row) else { return };
        let selected = self.is_focused() && self.sheet.row == row;
        let name = self.sheet.name_of(row).unwrap_or_default();
        let tagged = self.sheet.tagged.contains(&name);
        let mut x = self.area.x + cells(MARGIN);
        for (column, (place, room)) in self.sheet.columns.iter().enumerate() {
            let here = self.here(x, y, *room);
            x = x.saturating_add(cells(room + GAP));
            let Some(value) = values.get(*place).zip(self.rows.infos.get(*place)) else { continue };
            self.cell(&name, value, (here, tagged), pen);
            if selected && column == self.sheet.column() {
                pen.paint(here, Role::Accent);
            }
            let target = HitTarget::Pane(self.pane, PanePart::Cell { row, column });
            let with_gap = Rect { width: here.width + cells(GAP), ..here };
            pen.hits.add(with_gap.intersection(self.area), target);
        }
        self.signs(y, selected, tagged, pen);
    }

    /// Draws a value and its mark.
    fn cell(
        &self,
        row: &str,
        (value, info): (&Value, &&Info),
        (here, tagged): (Rect, bool),
        pen: &mut Pen<'_>,
    ) {
        let judged = self.app.role(self.sheet.query.spec.name, info, value);
        let role = match judged {
            _ if self.app.stale().is_some() => Role::Faint,
            Role::Text if tagged => Role::Tagged,
            role => role,
        };
        let width = usize::from(here.width);
        let words = content::value_words(self.sheet.query.spec.name, row, info, value);
        let is_name = info.id == self.sheet.query.spec.key;
        let cut = if is_name { content::clip_name } else { clip };
        let words = cut(&words, width, &pen.look);
        let words = text::pad(&words, width, info.unit.is_number());
        pen.write((here.x, here.y), &words, role, here.width);
        // The mark is drawn in the gap, never on the frame.
        let gap = cells(GAP).min(self.area.right().saturating_sub(here.right()));
        pen.write((here.right(), here.y), thresholds::mark(role), role, gap);
    }

    /// Draws the marks before a row, and its color.
    fn signs(&self, y: u16, selected: bool, tagged: bool, pen: &mut Pen<'_>) {
        let sign = match (selected, tagged) {
            (true, true) => ">*",
            (true, false) => "> ",
            (false, true) => " *",
            (false, false) => "  ",
        };
        pen.write((self.area.x, y), sign, Role::Tagged, cells(MARGIN));
        if selected {
            pen.paint(Rect { y, height: 1, ..self.area }, Role::Selected);
        }
    }

    fn is_focused(&self) -> bool {
        self.app.state().is_some_and(|state| state.focus == self.pane)
    }

    /// The rectangle of a column in this line. The last one may extend to the end.
    fn here(&self, x: u16, y: u16, width: usize) -> Rect {
        let width = cells(width).min(self.area.right().saturating_sub(x));
        Rect { x, y, width, height: 1 }
    }
}

fn cells(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}
