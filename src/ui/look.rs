//! Signs and colours together: how things look on this terminal.

use super::glyphs::{Glyphs, Tier};
use super::theme::{Palette, Role};
use ratatui::style::Style;

/// How things look on this terminal.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The signs.
    pub glyphs: &'static Glyphs,
    /// The colours.
    pub palette: Palette,
}

impl Look {
    /// The look of a tier with a palette.
    #[must_use]
    pub fn new(tier: Tier, palette: Palette) -> Self {
        Self { glyphs: Glyphs::of(tier), palette }
    }

    /// The style of a role.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.palette.style(role)
    }
}
