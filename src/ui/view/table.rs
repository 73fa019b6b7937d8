//! A table in a pane.

use super::Pen;
use super::parts::Part;
use crate::columns::{Info, Rows, Value, text};
use crate::ui::app::App;
use crate::ui::content::clip;
use crate::ui::hit::Target;
use crate::ui::sheet::{GAP, MARGIN, SheetState};
use crate::ui::theme::Role;
use crate::ui::thresholds;
use ratatui::layout::Rect;

/// Draw headings and the rows in sight.
pub(super) fn table(app: &App, sheet: &SheetState, pane: usize, area: Rect, pen: &mut Pen<'_>) {
    let Some(rows) = sheet.rows() else {
        let why = sheet.shown.as_ref().and_then(|shown| Some(shown.missing()?.to_string()));
        let why = crate::model::name::safe_text(&why.unwrap_or_default());
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

/// What a table without rows says.
fn nothing(sheet: &SheetState, rows: &Rows) -> String {
    let others = sheet.query.spec.only.map_or("", |only| only.others);
    match (rows.filtered, rows.hidden) {
        (0, 0) => "nothing to show".to_owned(),
        (0, hidden) => format!("nothing to show; {hidden} {others}: * shows them"),
        (filtered, _) => format!("none of {filtered} passes the filter: Esc clears it"),
    }
}

/// What stands behind the name in the title: order, filter, rows left out, marks.
///
/// That rows are marked or filtered out stays: who forgets it misreads the table. Of a long filter
/// the end is cut, so it comes last.
pub(super) fn notes(sheet: &SheetState) -> Vec<Part> {
    let Some(rows) = sheet.rows() else { return vec![] };
    let count = rows.cells.len();
    let mut notes = vec![];
    if !sheet.tagged.is_empty() {
        notes.push(Part::new(format!("  {} marked", sheet.tagged.len()), Role::Tagged));
        notes.push(Part::new(sum(sheet, rows), Role::Tagged).drops(3));
    }
    if sheet.request.filter.is_none() && count > sheet.height {
        let last = (sheet.top + sheet.height).min(count);
        let range = format!("  {}-{last} of {count}", sheet.top + 1);
        notes.push(Part::new(range, Role::Label).drops(1));
    }
    if rows.hidden > 0 {
        let others = sheet.query.spec.only.map_or("left out", |only| only.others);
        notes.push(Part::new(format!("  {} {others}", rows.hidden), Role::Label).drops(2));
    }
    if let Some(filter) = &sheet.request.filter {
        let of = count + rows.filtered;
        notes.push(Part::new(format!("  {count} of {of} /{filter}"), Role::Warn));
    }
    notes
}

/// The sum of the sorted column over the marked rows, where that is something that adds up.
fn sum(sheet: &SheetState, rows: &Rows) -> String {
    let Some(info) = sheet.sort_id().and_then(|id| rows.infos.get(rows.place(id)?)) else {
        return String::new();
    };
    let adds_up = matches!(info.unit, crate::columns::Unit::Bytes | crate::columns::Unit::Count);
    if !adds_up || info.id == sheet.query.spec.key {
        return String::new();
    }
    let marked = (0..rows.cells.len())
        .filter(|row| sheet.name_of(*row).is_some_and(|name| sheet.tagged.contains(&name)));
    let total: f64 = marked.filter_map(|row| rows.value(row, info.id)?.number()).sum();
    format!(", {} {}", info.head, Value::Real(total).human(info.unit, false))
}

struct Drawing<'a> {
    app: &'a App,
    sheet: &'a SheetState,
    rows: &'a Rows,
    pane: usize,
    area: Rect,
}

impl Drawing<'_> {
    fn headings(&self, pen: &mut Pen<'_>) {
        let glyphs = pen.look.glyphs;
        let mut x = self.area.x + cells(MARGIN);
        for (column, (place, width)) in self.sheet.columns.iter().enumerate() {
            let Some(info) = self.rows.infos.get(*place) else { continue };
            let sorted = self.rows.sorted.filter(|(sorted, _)| sorted == place);
            let role = if sorted.is_some() { Role::Accent } else { Role::Label };
            let head = text::pad(info.head, *width, info.unit.is_number());
            let here = self.here(x, self.area.y, *width);
            pen.write((x, self.area.y), &head, role, here.width);
            if let Some((_, descending)) = sorted {
                // In the gap before numbers, behind texts.
                let [rising, falling] = glyphs.sorted;
                let sign = if descending { falling } else { rising };
                let at = if info.unit.is_number() {
                    (x + cells(*width)).saturating_sub(super::width(info.head) + 1)
                } else {
                    x + super::width(info.head)
                };
                if at < self.area.right() {
                    pen.write((at, self.area.y), sign, Role::Accent, 1);
                }
            }
            pen.hits.add(here, Target::Heading { pane: self.pane, column });
            x = x.saturating_add(cells(width + GAP));
        }
    }

    fn row(&self, row: usize, y: u16, pen: &mut Pen<'_>) {
        let Some(values) = self.rows.cells.get(row) else { return };
        let selected = self.is_focused() && self.sheet.row == row;
        let tagged = self.sheet.name_of(row).is_some_and(|name| self.sheet.tagged.contains(&name));
        let mut x = self.area.x + cells(MARGIN);
        for (column, (place, width)) in self.sheet.columns.iter().enumerate() {
            let here = self.here(x, y, *width);
            x = x.saturating_add(cells(width + GAP));
            let Some(value) = values.get(*place).zip(self.rows.infos.get(*place)) else { continue };
            self.cell(value, here, tagged, pen);
            if selected && column == self.sheet.column() {
                pen.paint(here, Role::Accent);
            }
            let target = Target::Cell { pane: self.pane, row, column };
            let with_gap = Rect { width: here.width + cells(GAP), ..here };
            pen.hits.add(with_gap.intersection(self.area), target);
        }
        self.signs(y, selected, tagged, pen);
    }

    /// A value, and its mark.
    fn cell(&self, value: (&Value, &&Info), here: Rect, tagged: bool, pen: &mut Pen<'_>) {
        let (value, info) = value;
        let judged =
            thresholds::role(self.sheet.query.spec.name, info, value, &self.app.settings.policy);
        let role = match judged {
            _ if self.app.stale().is_some() => Role::Faint,
            Role::Text if tagged => Role::Tagged,
            role => role,
        };
        let width = usize::from(here.width);
        let words = clip(&value.human(info.unit, false), width, &pen.look);
        let words = text::pad(&words, width, info.unit.is_number());
        pen.write((here.x, here.y), &words, role, here.width);
        // The mark for those who see no colours stands in the gap, and never on the frame.
        let gap = cells(GAP).min(self.area.right().saturating_sub(here.right()));
        pen.write((here.right(), here.y), thresholds::mark(role), role, gap);
    }

    /// What stands before a row, and its colour.
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

    /// The cells of a column in this line. The last one may be longer than what is left.
    fn here(&self, x: u16, y: u16, width: usize) -> Rect {
        let width = cells(width).min(self.area.right().saturating_sub(x));
        Rect { x, y, width, height: 1 }
    }
}

fn cells(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}
