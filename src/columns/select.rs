//! Column selection (`-o NAME,NAME`, `-o +NAME,-NAME`, `-o all`), fitting columns into a line, and sorting.

use super::column::Info;
use super::spec::Spec;
use super::value::{Unit, Value};
use std::cmp::Ordering;

/// The words of a list such as `NAME,-NAME`.
pub fn column_names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// The chosen columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenColumns {
    /// Indices of the columns in their table, in display order.
    pub places: Vec<usize>,
    /// Which of them were requested by name.
    pub named: Vec<bool>,
}

/// Selects columns.
///
/// A list that begins with `+name` or `-name` starts from the defaults: `+name` and later plain names add a
/// column, `-name` removes one. `all` means every column. `two` says that two samples are taken anyway.
/// The error names the unknown column.
pub fn columns(spec: &Spec, choice: Option<&str>, two: bool) -> Result<ChosenColumns, String> {
    let words: Vec<&str> = choice.into_iter().flat_map(column_names).collect();
    let starts_anew = words.first().is_some_and(|word| !word.starts_with(['+', '-']));
    let mut places = if starts_anew { Vec::new() } else { defaults(spec, two)? };
    let mut asked = Vec::new();
    for word in words {
        if let Some(name) = word.strip_prefix('-') {
            // A removed name is looked up among the shown columns, an added one among all.
            let taken = named(spec, name, &places)?;
            places.retain(|place| !taken.contains(place));
            continue;
        }
        for place in named(spec, word.strip_prefix('+').unwrap_or(word), &[])? {
            asked.push(place);
            if starts_anew && !places.contains(&place) {
                places.push(place);
            } else if !places.contains(&place) {
                add(spec, &mut places, place);
            }
        }
    }
    if places.is_empty() {
        return Err(format!("no column of {} is left: select at least one", spec.name));
    }
    let named = places.iter().map(|place| asked.contains(place)).collect();
    Ok(ChosenColumns { places, named })
}

fn defaults(spec: &Spec, two: bool) -> Result<Vec<usize>, String> {
    let mut places: Vec<usize> =
        column_names(spec.default).map(|id| spec.find(id)).collect::<Result<_, _>>()?;
    for id in column_names(spec.with_two).filter(|_| two) {
        add(spec, &mut places, spec.find(id)?);
    }
    Ok(places)
}

/// Adds a column at the end, but before a final text column of the defaults: such texts are long, and only
/// the last column can be cut.
fn add(spec: &Spec, places: &mut Vec<usize>, place: usize) {
    let infos = (spec.infos)();
    let last = places.last().and_then(|last| infos.get(*last));
    let ends = |info: &Info| {
        column_names(spec.default).last() == Some(info.id)
            && matches!(info.unit, Unit::Text | Unit::List)
    };
    let before = usize::from(last.is_some_and(|info| ends(info)));
    places.insert(places.len() - before, place);
}

fn named(spec: &Spec, name: &str, shown: &[usize]) -> Result<Vec<usize>, String> {
    if name.eq_ignore_ascii_case("all") {
        return Ok((0..(spec.infos)().len()).collect());
    }
    spec.find_shown(name, shown).map(|place| vec![place])
}

/// A sort column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// Index of the column in its table.
    pub column: usize,
    /// Whether the order is descending.
    pub descending: bool,
}

/// Parses sort keys such as `NAME,-NAME` with these columns shown; without a list, the defaults of the table.
/// The error names the unknown column.
pub fn sort_keys(spec: &Spec, list: Option<&str>, shown: &[usize]) -> Result<Vec<SortKey>, String> {
    // The defaults of the table are names, never headings.
    let shown = if list.is_some() { shown } else { &[] };
    let key = |word: &str| {
        let name = word.strip_prefix(['-', '+']).unwrap_or(word);
        Ok(SortKey { column: spec.find_shown(name, shown)?, descending: word.starts_with('-') })
    };
    list.or(spec.sort).into_iter().flat_map(column_names).map(key).collect()
}

/// Compares two rows by the first key in which they differ. Missing values come last in either direction.
pub fn compare<'v>(
    keys: &[SortKey],
    a: impl Fn(usize) -> Option<&'v Value>,
    b: impl Fn(usize) -> Option<&'v Value>,
) -> Ordering {
    for key in keys {
        let (Some(a), Some(b)) = (a(key.column), b(key.column)) else {
            continue;
        };
        let order = match (key.descending, a.missing().or(b.missing())) {
            (true, None) => b.compare(a),
            _ => a.compare(b),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Available width of a line.
#[derive(Clone, Copy, Debug)]
pub struct LineWidth {
    /// Terminal cells in a line; `None` means unlimited.
    pub cells: Option<usize>,
    /// Terminal cells between two columns.
    pub gap: usize,
}

/// The last column is cut to this width before a column is dropped.
const MIN_LAST_COLUMN: usize = 12;

/// The columns that fit, dropping those with the highest `drop` first. Columns requested by name stay, even
/// if they exceed the line.
pub fn fitting(
    mut kept: Vec<usize>,
    infos: &[&'static Info],
    named: &[bool],
    widths: &[usize],
    room: LineWidth,
) -> Vec<usize> {
    let Some(cells) = room.cells else { return kept };
    let is_named = |place: &usize| named.get(*place) == Some(&true);
    let order = |place: &usize| infos.get(*place).map_or(0, |info| info.drop);
    while minimum_width(&kept, infos, widths, room.gap) > cells {
        let can_go = kept.iter().copied().filter(|place| order(place) > 0 && !is_named(place));
        let Some(first) = can_go.max_by_key(order) else { break };
        kept.retain(|place| *place != first);
    }
    kept
}

/// The minimum width of these columns; the last one can be cut if it is text.
pub fn minimum_width(
    kept: &[usize],
    infos: &[&'static Info],
    widths: &[usize],
    gap: usize,
) -> usize {
    let width = |place: &usize| {
        let full = widths.get(*place).copied().unwrap_or(0);
        let is_text = infos.get(*place).is_some_and(|info| !info.unit.is_number());
        if is_text && kept.last() == Some(place) { full.min(MIN_LAST_COLUMN) } else { full }
    };
    let gaps = gap * kept.len().saturating_sub(1);
    kept.iter().map(width).sum::<usize>() + gaps
}
