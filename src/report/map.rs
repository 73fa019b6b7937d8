//! The cluster map as plain characters, one per cell, for pipes and screen readers.

use crate::columns::tables::clusters::map::id as cluster_map;
use crate::columns::tables::clusters::slots::id as cluster_slots;
use crate::columns::{ColumnId, Rows, Unit, Value};

/// Cells per line, so that a line with its offset fits 80 columns.
const CELLS_PER_LINE: usize = 64;

/// Explanation of the characters, for views that see nearly all used slots and for others.
pub const fn legend(sees_enough: bool) -> &'static str {
    if sees_enough {
        ". free, 0 to 9 tenths used, # full"
    } else {
        ". nothing seen, 0 to 9 tenths seen used, # full"
    }
}

/// The cells of the table `cluster_map`, in lines that begin with their offset on the area.
pub fn lines(map: &Rows) -> Vec<String> {
    drawn(map, cluster_map::OFFSET, |row| letter(map.value(row, cluster_map::USED)))
}

/// The symbols of the table `cluster_slots`, in lines that begin with their offset on the area.
pub fn slots(slots: &Rows) -> Vec<String> {
    drawn(slots, cluster_slots::OFFSET, |row| {
        slots.text(row, cluster_slots::SYMBOL).chars().next().unwrap_or('?')
    })
}

fn drawn(map: &Rows, offset: ColumnId, letter: impl Fn(usize) -> char) -> Vec<String> {
    let letters: Vec<char> = (0..map.cells.len()).map(letter).collect();
    let line = |(number, cells): (usize, &[char])| {
        let offset = map.value(number * CELLS_PER_LINE, offset);
        let offset = offset.map_or_else(String::new, |offset| offset.human(Unit::Bytes, false));
        format!("{offset:>7} {}", cells.iter().collect::<String>())
    };
    letters.chunks(CELLS_PER_LINE).enumerate().map(line).collect()
}

fn letter(taken: Option<&Value>) -> char {
    match taken {
        Some(Value::Real(share)) if *share <= 0.0 => '.',
        Some(Value::Real(share)) if *share >= 1.0 => '#',
        Some(Value::Real(share)) => {
            let tenths = (1..10).take_while(|tenth| *share * 10.0 >= f64::from(*tenth)).last();
            char::from_digit(tenths.unwrap_or(0), 10).unwrap_or('?')
        }
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::tables::clusters::MAP;
    use crate::columns::{Query, Request};

    /// The map of 2 MiB cells with these used shares.
    fn picture(taken: &[f64]) -> Vec<String> {
        let request = Request { columns: Some("offset,used".to_owned()), ..Request::default() };
        let query = Query::new(&MAP, &request).unwrap();
        lines(&query.rows_from_cells(|places| {
            let infos = (MAP.infos)();
            let cell = |(row, taken): (u64, &f64)| {
                let of = |place: &usize| match infos[*place].id {
                    "offset" => Value::Whole(row << 21),
                    _ => Value::Real(*taken),
                };
                places.iter().map(of).collect()
            };
            (0..).zip(taken).map(cell).collect()
        }))
    }

    #[test]
    fn each_cell_is_a_letter_and_each_line_says_where_it_is() {
        assert_eq!(picture(&[0.0, 0.001, 0.5, 0.999, 1.0]), ["     0B .059#"]);
        let lines = picture(&[1.0; 65]);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].len(), lines[1].as_str()), (72, "   128M #"));
        assert!(picture(&[]).is_empty());
    }
}
