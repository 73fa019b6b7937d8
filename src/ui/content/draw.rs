//! Drawing bars and rows of maps.

use crate::columns::text;
use crate::ui::appearance::Appearance;
use crate::ui::glyphs::rounded;
use crate::ui::map_state::CellSize;
use crate::ui::theme::Role;

/// A bar of shares in a width.
pub(super) fn bar(
    parts: &[(Option<f64>, Role)],
    look: &Appearance,
    cells: usize,
) -> Vec<(String, Role)> {
    let glyphs = look.glyphs;
    if let [(share, role)] = parts {
        let filled = share.map_or_else(String::new, |share| glyphs.bar(share, cells));
        let empty = glyphs.empty.repeat(cells.saturating_sub(text::width(&filled)));
        return vec![(filled, *role), (empty, Role::Faint)];
    }
    debug_assert!(parts.len() <= glyphs.fills.len(), "each part has a sign of its own");
    let (mut sum, mut used) = (0.0, 0);
    let mut drawn = Vec::new();
    for ((share, role), fill) in parts.iter().zip(glyphs.fills) {
        let Some(share) = share else { continue };
        sum += share.clamp(0.0, 1.0);
        let end = rounded(sum.min(1.0) * cells as f64).min(cells);
        drawn.push((fill.repeat(end.saturating_sub(used)), *role));
        used = end.max(used);
    }
    drawn.push((glyphs.empty.repeat(cells.saturating_sub(used)), Role::Faint));
    drawn
}

/// A row of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapRow {
    /// The index of its first cell on the map; none in a legend.
    pub first: Option<usize>,
    /// The cells.
    pub shades: Vec<Shade>,
    /// The selected cell.
    pub selected: Option<usize>,
    /// The size of a cell.
    pub cell: CellSize,
}

impl MapRow {
    /// Cells of one character in a legend.
    pub const fn characters(shades: Vec<Shade>) -> Self {
        Self { first: None, shades, selected: None, cell: CellSize::CHARACTER }
    }

    /// The columns of a cell with the blank after it.
    pub(super) const fn width(&self) -> usize {
        self.cell.width + self.cell.gap()
    }
}

/// A cell of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// A heat from 0 to 4.
    Heat(u8),
    /// A letter with a heat.
    Letter(char, u8),
    /// A sign that stands out, such as the number of a CPU.
    Pointer(char),
    /// Unknown.
    Unknown,
}

impl Shade {
    /// The shade of the lines of a cell above and below its sign.
    pub const fn plain(self) -> Self {
        match self {
            Self::Pointer(_) => Self::Pointer(' '),
            Self::Heat(_) | Self::Letter(..) | Self::Unknown => self,
        }
    }

    /// The shade as wide as a cell: a sign that stands out is in its middle, others fill it.
    fn fill(self, look: &Appearance, width: usize) -> (String, Role) {
        let (sign, role) = self.draw(look);
        let filled = match self {
            Self::Pointer(_) => format!("{sign:^width$}"),
            Self::Heat(_) | Self::Letter(..) | Self::Unknown => sign.repeat(width),
        };
        (filled, role)
    }

    fn draw(self, look: &Appearance) -> (String, Role) {
        match self {
            Self::Heat(heat) => {
                let sign = look.glyphs.heat.get(usize::from(heat)).unwrap_or(&"?");
                ((*sign).to_owned(), Role::Heat(heat))
            }
            Self::Letter(letter, heat) => (letter.to_string(), Role::Heat(heat)),
            Self::Pointer(sign) => (sign.to_string(), Role::Selected),
            Self::Unknown => ("?".to_owned(), Role::Faint),
        }
    }
}

/// A row in at most this width.
pub(super) fn shades(row: &MapRow, look: &Appearance, cells: usize) -> Vec<(String, Role)> {
    let shown = row.shades.iter().take(cells / row.width()).enumerate();
    let cell = |(place, shade): (usize, &Shade)| {
        let (sign, role) = shade.fill(look, row.cell.width);
        let role = if row.selected == Some(place) { Role::Selected } else { role };
        [(sign, role), (" ".repeat(row.cell.gap()), Role::Text)]
    };
    shown.flat_map(cell).collect()
}
