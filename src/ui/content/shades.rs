//! Rows of a map.

use crate::ui::look::Look;
use crate::ui::theme::Role;

/// A row of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The place of its first cell among all cells of the map; none of a legend, which is no place.
    pub first: Option<usize>,
    /// Its cells.
    pub shades: Vec<Shade>,
    /// The one that keys act on.
    pub selected: Option<usize>,
}

/// A cell of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// From nothing at 0 to most at 4.
    Heat(u8),
    /// A letter, as hot as this.
    Letter(char, u8),
    /// Nobody tells.
    Unknown,
}

impl Shade {
    fn draw(self, look: &Look) -> (String, Role) {
        match self {
            Self::Heat(heat) => {
                let sign = look.glyphs.heat.get(usize::from(heat)).unwrap_or(&"?");
                ((*sign).to_owned(), Role::Heat(heat))
            }
            Self::Letter(letter, heat) => (letter.to_string(), Role::Heat(heat)),
            Self::Unknown => ("?".to_owned(), Role::Faint),
        }
    }
}

/// A row in at most so many cells.
pub(super) fn shades(row: &Row, look: &Look, cells: usize) -> Vec<(String, Role)> {
    let shown = row.shades.iter().take(cells).enumerate();
    shown
        .map(|(place, shade)| match shade.draw(look) {
            (sign, _) if row.selected == Some(place) => (sign, Role::Selected),
            drawn => drawn,
        })
        .collect()
}
