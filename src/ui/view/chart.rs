//! Drawing a figure over time on the whole screen.

use super::{App, HitTarget, Pen, Rect, Role, Size, TextPart, safe_text, units};
use crate::columns::{Value, tables};
use crate::model::text;
use crate::ui::chart::{Chart, ChartPart};
use crate::ui::chart_view::ChartView;
use crate::ui::events::MachineEvent;

/// Maximum number of events listed.
const EVENTS: u16 = 4;
/// Height from which events are listed.
const LISTED: u16 = 14;

pub(super) fn chart(app: &App, view: &ChartView, size: Size, pen: &mut Pen<'_>) {
    let head = u16::from(size.height >= 10);
    let place = Rect::new(0, head, size.width, size.height.saturating_sub(1 + head));
    pen.clear(place);
    pen.hits.add(Rect::new(0, 0, size.width, size.height), HitTarget::Outside);
    pen.hits.add(place, HitTarget::Overlay);
    let hints = "Left Right cursor   [ ] time   e explain   ? keys   Esc close";
    pen.frame(place, title(view), hints, Role::Accent);
    let inner = Rect::new(
        place.x + 2,
        place.y + 1,
        place.width.saturating_sub(4),
        place.height.saturating_sub(2),
    );
    let cells = usize::from(inner.width);
    let steps = Chart::plot_cells(ChartPart::Time, cells) * pen.look.glyphs.values_in_cell();
    let chart = view.chart(app, steps);
    let events = view.events(app, steps);
    let room = if inner.height >= LISTED { EVENTS } else { 0 };
    let listed = room.min(u16::try_from(events.len()).unwrap_or(0));
    let rows = usize::from(inner.height.saturating_sub(2 + listed));
    let parts = (0..rows).map(|row| ChartPart::Row(row, rows)).chain([ChartPart::Time]);
    let mut y = inner.y;
    for part in parts {
        let mut x = inner.x;
        for (words, role) in chart.draw(part, &pen.look, cells) {
            x += pen.write((x, y), &words, role, inner.right().saturating_sub(x));
        }
        y += 1;
    }
    under_cursor(app, view, (&chart, steps), Rect { y, height: 1, ..inner }, pen);
    for (event, y) in events.iter().take(usize::from(listed)).zip(y + 1..) {
        event_line(event, Rect { y, height: 1, ..inner }, pen);
    }
}

/// The figure, its row, and what it means where there is room.
fn title(view: &ChartView) -> Vec<TextPart> {
    let origin = &view.origin;
    let table = tables::find(origin.table).map_or("", |spec| spec.title);
    let row =
        if origin.row.is_empty() { String::new() } else { format!(" {}", origin.row_words()) };
    let unit = format!("  {}", origin.info.unit.word());
    vec![
        TextPart::new(format!("{table}{row}: {}", origin.info.head), Role::Accent),
        TextPart::new(unit, Role::Label).drops(1),
    ]
}

/// The time and value under the cursor, and the range of all values in the time shown.
fn under_cursor(
    app: &App,
    view: &ChartView,
    (chart, steps): (&Chart, usize),
    row: Rect,
    pen: &mut Pen<'_>,
) {
    let values = chart.series.first().map_or(&[][..], |series| series.values.as_slice());
    let value = values.len().checked_sub(1 + view.ago).and_then(|place| values.get(place)).copied();
    let words = |value: f64| Value::Real(value).human(chart.unit, false);
    let now = app.moment().map_or(0, |moment| moment.now.stamp.wall_ms);
    let ago = view.step(app) * u32::try_from(view.ago).unwrap_or(u32::MAX);
    let at = now.saturating_sub(u64::try_from(ago.as_millis()).unwrap_or(u64::MAX));
    let value = value.flatten().map_or_else(|| "not measured".to_owned(), words);
    let range = view.range(app, steps).map(|(least, mean, most)| {
        format!("  min {}  mean {}  max {}", words(least), words(mean), words(most))
    });
    let mut parts = vec![
        TextPart::new(format!("{}  ", text::format_time_of_day(at)), Role::Label),
        TextPart::new(value, Role::Accent),
        TextPart::new(view.describe_maximum(app), Role::Label).drops(3),
        TextPart::new(format!("  {} ago", units::seconds(ago.as_secs_f64())), Role::Label).drops(2),
    ];
    parts.extend(range.map(|range| TextPart::new(range, Role::Label).drops(1)));
    pen.title(row.x, row.y, row.width, parts);
}

/// An event, as the mark below the chart shows it.
fn event_line(event: &MachineEvent, row: Rect, pen: &mut Pen<'_>) {
    let (sign, role) = event.kind.sign();
    let parts = vec![
        TextPart::new(sign.to_string(), role),
        TextPart::new(format!(" {}  ", text::format_time_of_day(event.at.wall_ms)), Role::Label),
        TextPart::new(format!("{}: ", event.kind.word()), Role::Label).drops(1),
        TextPart::new(safe_text(&event.words), Role::Text),
    ];
    pen.title(row.x, row.y, row.width, parts);
}
