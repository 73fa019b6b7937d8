//! Which columns: `-o NAME,NAME`, `-o +NAME,-NAME`, `-o all`, and which of them fit into a line; and how
//! rows are sorted.

use super::spec::{Info, Spec};
use super::value::{Unit, Value};
use std::cmp::Ordering;

/// The chosen columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenColumns {
    /// Their places among all, in the order to show them.
    pub places: Vec<usize>,
    /// Which of them were asked for by name, rather than being among the defaults.
    pub named: Vec<bool>,
}

/// Choose columns.
///
/// A list that begins with `+name` or `-name` starts from the defaults: the first adds to them, as
/// plain names after it do, the second takes away. `all` stands for every column. `two` says that
/// two samples are taken anyway.
///
/// # Errors
/// A sentence that names the wrong column.
pub fn columns(spec: &Spec, choice: Option<&str>, two: bool) -> Result<ChosenColumns, String> {
    let words = choice.into_iter().flat_map(|list| list.split(','));
    let words: Vec<&str> = words.map(str::trim).filter(|word| !word.is_empty()).collect();
    let starts_anew = words.first().is_some_and(|word| !word.starts_with(['+', '-']));
    let mut places = if starts_anew { Vec::new() } else { defaults(spec, two)? };
    let mut asked = Vec::new();
    for word in words {
        if let Some(name) = word.strip_prefix('-') {
            // What is seen there is taken away; what is added is not there yet.
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
        return Err(format!("no column of {} is left to show", spec.name));
    }
    let named = places.iter().map(|place| asked.contains(place)).collect();
    Ok(ChosenColumns { places, named })
}

fn defaults(spec: &Spec, two: bool) -> Result<Vec<usize>, String> {
    let mut places: Vec<usize> =
        spec.default.iter().map(|id| spec.find(id)).collect::<Result<_, _>>()?;
    for id in spec.with_two.iter().filter(|_| two) {
        add(spec, &mut places, spec.find(id)?);
    }
    Ok(places)
}

/// Add a column at the end, but before the text that ends the table's own choice: such texts are
/// long, and the last column is the one that a terminal can cut.
fn add(spec: &Spec, places: &mut Vec<usize>, place: usize) {
    let infos = (spec.infos)();
    let last = places.last().and_then(|last| infos.get(*last));
    let ends = |info: &Info| {
        spec.default.last() == Some(&info.id) && matches!(info.unit, Unit::Text | Unit::List)
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

/// One column to sort by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// Its place among all columns.
    pub column: usize,
    /// Largest first?
    pub descending: bool,
}

/// The sort keys of `NAME,-NAME`, where these columns are shown; those of the table when there is
/// no list.
///
/// # Errors
/// A sentence that names the wrong column.
pub fn sort_keys(spec: &Spec, list: Option<&str>, shown: &[usize]) -> Result<Vec<SortKey>, String> {
    // The table's own are names.
    let shown = if list.is_some() { shown } else { &[] };
    let words = list.or(spec.sort).into_iter().flat_map(|list| list.split(','));
    words
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| {
            let name = word.strip_prefix(['-', '+']).unwrap_or(word);
            Ok(SortKey { column: spec.find_shown(name, shown)?, descending: word.starts_with('-') })
        })
        .collect()
}

/// Compare two rows by the first key that tells them apart. What is missing comes last whichever
/// way round.
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

/// What there is for a line.
#[derive(Clone, Copy, Debug)]
pub struct LineWidth {
    /// Cells in a line; none when it may be as long as it likes.
    pub cells: Option<usize>,
    /// Cells between two columns.
    pub gap: usize,
}

/// The last column is cut to no less than this before a column is dropped.
const MIN_LAST_COLUMN: usize = 12;

/// Those of the columns in `fitting` that fit, dropping those that say of themselves that they can go
/// first. What was asked for by name stays, and runs over the edge if it must.
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

/// The least that these columns take: the last one, when it is text, can be cut.
pub fn minimum_width(kept: &[usize], infos: &[&'static Info], widths: &[usize], gap: usize) -> usize {
    let width = |place: &usize| {
        let full = widths.get(*place).copied().unwrap_or(0);
        let is_text = infos.get(*place).is_some_and(|info| !info.unit.is_number());
        if is_text && kept.last() == Some(place) { full.min(MIN_LAST_COLUMN) } else { full }
    };
    let gaps = gap * kept.len().saturating_sub(1);
    kept.iter().map(width).sum::<usize>() + gaps
}
