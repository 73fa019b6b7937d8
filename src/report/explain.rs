//! Why cells are empty, for people who ask.

use crate::columns::Rows;

/// Each reason once, with the columns it stands for.
pub fn lines(rows: &Rows) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<&'static str>)> = Vec::new();
    for (value, info) in rows.cells.iter().flat_map(|row| row.iter().zip(&rows.infos)) {
        let Some(missing) = value.missing() else {
            continue;
        };
        let why = crate::model::name::safe_text(&missing.to_string());
        match reasons.iter_mut().find(|(other, _)| *other == why) {
            Some((_, columns)) if columns.contains(&info.id) => {}
            Some((_, columns)) => columns.push(info.id),
            None => reasons.push((why, vec![info.id])),
        }
    }
    reasons.into_iter().map(|(why, columns)| format!("{}: {why}", columns.join(", "))).collect()
}
