//! Areas as tanks that fill, for the machine of a lesson.

use super::cells::{NAME, NEXT, NEXT_HEADING, PRIORITY, SHARE, SIZE, none, role};
use super::next;
use crate::columns::tables::devices::id as devices;
use crate::columns::text;
use crate::ui::content::PaneLine;
use crate::ui::pane_data::Facts;
use crate::ui::theme::Role;

/// Minimum width of a tank.
const TANK: usize = 8;

/// A line for each area, highest priority first: the tank, and its share of the next pages.
pub(in crate::ui::screens) fn tanks(facts: &Facts<'_>) -> Vec<PaneLine> {
    let count = facts.count("devices");
    if count == 0 {
        return none(facts, "devices");
    }
    let mut rows: Vec<usize> = (0..count).collect();
    let priority = |row: &usize| facts.number(devices::PRIORITY, *row).unwrap_or(f64::MIN);
    rows.sort_by(|a, b| priority(b).total_cmp(&priority(a)));
    let short = |row| facts.figure(devices::NAME, row).without_folder();
    let widths = (0..count).map(|row| text::width(short(row).words()));
    let name = widths.fold("AREA".len(), usize::max).min(NAME);
    let right = |text: &str, cells: usize| format!("{text:>cells$}");
    let heading = PaneLine::new().label(" ").label(right("PRIO", PRIORITY)).label("AREA");
    let heading = heading.min_width(name).label(right("USE%", SHARE));
    let heading = heading.fill().min_width(TANK).drops(3);
    let heading = heading.extra(4, right("USED", SIZE)).label(right(NEXT_HEADING, NEXT));
    let tank = |row: usize| {
        let figure = |column| facts.figure(column, row);
        let next_share = next::next_share(facts, row);
        let line = PaneLine::new().text(if next_share.is_some() { ">" } else { " " }, Role::Accent);
        let line = line.figure(figure(devices::PRIORITY).wide(PRIORITY));
        let area = short(row).as_role(role(facts, row)).exactly(name).left();
        let line = line.figure(area).figure(figure(devices::USE).wide(SHARE));
        let line = line.bar(vec![(facts.number(devices::USE, row), role(facts, row))]);
        let line = line.min_width(TANK).drops(3);
        let line = line.figure(figure(devices::USED).wide(SIZE).drops(4));
        match next_share {
            Some(share) => line.figure(share.wide(NEXT)),
            None => next::share(facts, line, row),
        }
    };
    std::iter::once(heading).chain(rows.into_iter().map(tank)).collect()
}
