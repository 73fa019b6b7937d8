//! The glyphs of the screen, in four tiers for different terminals and fonts.
//!
//! A glyph always repeats the meaning of its color, so that nothing is lost without colors.

/// The glyphs that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlyphTier {
    /// Rounded corners, eighth blocks, braille.
    Full,
    /// For fonts with bad braille: square corners, eighth blocks.
    Blocks,
    /// The kernel console: square corners, half blocks, shades.
    Vt,
    /// ASCII only.
    Ascii,
}

/// The lines of a frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameGlyphs {
    /// Upper left, upper right, lower left, lower right corner.
    pub corners: [&'static str; 4],
    /// Horizontal and vertical line.
    pub sides: [&'static str; 2],
}

/// The glyphs of one tier.
#[derive(Clone, Copy, Debug)]
pub struct Glyphs {
    /// The tier.
    pub tier: GlyphTier,
    /// Frames.
    pub lines: FrameGlyphs,
    /// The parts of a bar, in order.
    pub fills: [&'static str; 5],
    /// The empty part of a bar.
    pub empty: &'static str,
    /// Partial cells at the end of a bar, ascending.
    pub parts: &'static [&'static str],
    /// Pages coming in.
    pub inward: &'static str,
    /// Pages going out.
    pub outward: &'static str,
    /// A column sorted smallest first, and largest first.
    pub sorted: [&'static str; 2],
    /// The end of a text that was cut.
    pub cut: &'static str,
    /// The cells of a map, from cold to hot.
    pub heat: [&'static str; 5],
}

const SQUARE: FrameGlyphs =
    FrameGlyphs { corners: ["┌", "┐", "└", "┘"], sides: ["─", "│"] };
const EIGHTHS: &[&str] = &["▏", "▎", "▍", "▌", "▋", "▊", "▉"];

static FULL: Glyphs = Glyphs {
    tier: GlyphTier::Full,
    lines: FrameGlyphs { corners: ["╭", "╮", "╰", "╯"], sides: ["─", "│"] },
    fills: ["█", "▓", "▒", "▄", "▚"],
    empty: "░",
    parts: EIGHTHS,
    inward: "▼",
    outward: "▲",
    sorted: ["▲", "▼"],
    cut: "…",
    heat: ["·", "░", "▒", "▓", "█"],
};

static BLOCKS: Glyphs = Glyphs { tier: GlyphTier::Blocks, lines: SQUARE, ..FULL };

static VT: Glyphs = Glyphs {
    tier: GlyphTier::Vt,
    lines: SQUARE,
    fills: ["█", "▓", "▒", "▄", "▌"],
    parts: &["▌"],
    cut: "+",
    heat: [".", "░", "▒", "▓", "█"],
    ..FULL
};

static ASCII: Glyphs = Glyphs {
    tier: GlyphTier::Ascii,
    lines: FrameGlyphs { corners: ["+", "+", "+", "+"], sides: ["-", "|"] },
    fills: ["#", "=", "+", "%", "&"],
    empty: ".",
    parts: &[],
    inward: "v",
    outward: "^",
    sorted: ["^", "v"],
    cut: "+",
    heat: [".", ":", "+", "*", "#"],
};

impl Glyphs {
    /// The glyphs of a tier.
    pub fn for_tier(tier: GlyphTier) -> &'static Self {
        match tier {
            GlyphTier::Full => &FULL,
            GlyphTier::Blocks => &BLOCKS,
            GlyphTier::Vt => &VT,
            GlyphTier::Ascii => &ASCII,
        }
    }

    /// The filled part of a bar, its last cell as exact as the tier allows.
    pub fn bar(&self, share: f64, cells: usize) -> String {
        let steps = self.parts.len() + 1;
        let filled = rounded(share.clamp(0.0, 1.0) * (cells * steps) as f64);
        // Any use shows at least one mark, and only a full bar is drawn full.
        let least = usize::from(share > 0.0);
        let most = if share < 1.0 { (cells * steps).saturating_sub(1) } else { cells * steps };
        let filled = filled.clamp(least.min(most), most);
        let [fill, ..] = self.fills;
        let part = (filled % steps).checked_sub(1).and_then(|step| self.parts.get(step));
        fill.repeat(filled / steps) + part.unwrap_or(&"")
    }

    /// How many values fit side by side in a cell of a history.
    pub fn values_in_cell(&self) -> usize {
        if self.tier == GlyphTier::Full { 2 } else { 1 }
    }

    /// The number of levels of a cell of a history.
    fn levels(&self) -> usize {
        match self.tier {
            GlyphTier::Full => 4,
            GlyphTier::Blocks => 8,
            GlyphTier::Vt => 2,
            // These signs have more levels than other glyphs.
            GlyphTier::Ascii => 9,
        }
    }

    /// A history in one line, oldest value first. Unknown values are blank; zero is a line at the bottom.
    pub fn history(&self, values: &[Option<f64>], top: f64) -> String {
        let height = |value: &Option<f64>| value.map(|value| level(value, top, self.levels()));
        let heights: Vec<Option<usize>> = values.iter().map(height).collect();
        heights.chunks(self.values_in_cell()).map(|cell| self.column(cell)).collect()
    }

    /// The number of levels of a cell in a chart of several rows.
    pub fn row_levels(&self) -> usize {
        if self.tier == GlyphTier::Ascii { 2 } else { self.levels() }
    }

    /// A cell of a chart of several rows, and the index of the series that it mostly shows. For each value
    /// side by side, the cell gets the levels of the first series, of the first two, and so on. In the lowest
    /// row, zero is a line.
    pub fn stacked(&self, columns: &[Vec<Option<usize>>], lowest: bool) -> (char, usize) {
        let shown_series = mostly_shown(columns);
        let Some(first) = columns.first().filter(|_| columns.iter().flatten().any(Option::is_some))
        else {
            return (' ', shown_series);
        };
        if self.tier == GlyphTier::Full {
            return (stacked_braille(columns, lowest), shown_series);
        }
        let full = self.row_levels();
        let level = first.last().copied().flatten().unwrap_or(0);
        let sign = match (self.tier, level) {
            (_, 0) => return (if lowest { '_' } else { ' ' }, shown_series),
            (GlyphTier::Ascii, level) if level < full => '.',
            (GlyphTier::Ascii, _) => {
                if shown_series == 0 {
                    '#'
                } else {
                    '+'
                }
            }
            (_, level) if level == full && shown_series > 0 => '▒',
            (GlyphTier::Vt, level) if level < full => '▄',
            (_, level) => "▁▂▃▄▅▆▇█".chars().nth(level * 8 / full - 1).unwrap_or('█'),
        };
        (sign, shown_series)
    }

    /// One cell of a history.
    fn column(&self, values: &[Option<usize>]) -> char {
        let first = values.first().copied().flatten();
        let signs = match self.tier {
            GlyphTier::Full => return braille([first, values.get(1).copied().flatten()]),
            GlyphTier::Blocks => "_▁▂▃▄▅▆▇█",
            GlyphTier::Vt => "_▄█",
            GlyphTier::Ascii => "_.:-=+*#%@",
        };
        first.and_then(|level| signs.chars().nth(level)).unwrap_or(' ')
    }
}

/// The level of a value: only zero is at the bottom, and no value is above the top.
pub(super) fn level(value: f64, top: f64, most: usize) -> usize {
    if value <= 0.0 || !value.is_finite() || top <= 0.0 {
        return 0;
    }
    rounded(value / top * most as f64).clamp(1, most)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and such a cast stays at the largest number"
)]
pub(super) fn rounded(number: f64) -> usize {
    number.round() as usize
}

/// The dots of a braille cell, from the bottom up, left and right.
const DOTS: [[u32; 4]; 2] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]];

fn braille(values: [Option<usize>; 2]) -> char {
    let mut dots = 0;
    for (value, column) in values.iter().zip(DOTS) {
        // Any known value leaves a dot at the bottom.
        let least = usize::from(value.is_some());
        let lit = value.unwrap_or(0).max(least);
        dots |= column.iter().take(lit).sum::<u32>();
    }
    if dots == 0 { ' ' } else { char::from_u32(0x2800 + dots).unwrap_or(' ') }
}

/// The series with the most levels in a cell.
fn mostly_shown(columns: &[Vec<Option<usize>>]) -> usize {
    let series = columns.iter().map(Vec::len).max().unwrap_or(0);
    let sum = |index: usize| -> usize {
        columns.iter().filter_map(|column| column.get(index).copied().flatten()).sum()
    };
    let shown_series =
        |index: usize| sum(index).saturating_sub(index.checked_sub(1).map_or(0, sum));
    // The lower one wins a draw.
    (0..series).rev().max_by_key(|index| shown_series(*index)).unwrap_or(0)
}

/// A braille cell of two columns: the lowest series is solid, those above it are sparse.
fn stacked_braille(columns: &[Vec<Option<usize>>], lowest: bool) -> char {
    let mut dots = 0;
    for (side, (levels, places)) in columns.iter().zip(DOTS).enumerate() {
        let solid = levels.first().copied().flatten().unwrap_or(0);
        let all = levels.last().copied().flatten().unwrap_or(0).max(solid);
        let is_known = lowest && levels.iter().any(Option::is_some);
        for (place, dot) in places.into_iter().enumerate() {
            // Every second dot, so that the parts differ without colors.
            let sparse = (solid..all).contains(&place) && place % 2 == side;
            if place < solid || sparse || is_known && place == 0 {
                dots += dot;
            }
        }
    }
    if dots == 0 { ' ' } else { char::from_u32(0x2800 + dots).unwrap_or(' ') }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [GlyphTier; 4] =
        [GlyphTier::Full, GlyphTier::Blocks, GlyphTier::Vt, GlyphTier::Ascii];

    #[test]
    fn bars_are_exact_at_both_ends() {
        let bar = |tier, share| Glyphs::for_tier(tier).bar(share, 4);
        assert_eq!(ALL.map(|tier| bar(tier, 0.5)), ["██", "██", "██", "##"]);
        assert_eq!(bar(GlyphTier::Full, 0.3), "█▎");
        assert_eq!(bar(GlyphTier::Vt, 0.3), "█");
        assert_eq!(bar(GlyphTier::Vt, 0.4), "█▌");
        assert_eq!(ALL.map(|tier| bar(tier, 0.0001)), ["▏", "▏", "▌", "#"]);
        assert_eq!(ALL.map(|tier| bar(tier, 0.9999)), ["███▉", "███▉", "███▌", "###"]);
        assert_eq!(ALL.map(|tier| bar(tier, 0.0)), ["", "", "", ""]);
        assert_eq!(ALL.map(|tier| bar(tier, 7.0)), ["████", "████", "████", "####"]);
        assert_eq!(Glyphs::for_tier(GlyphTier::Full).bar(0.5, 0), "");
    }

    #[test]
    fn a_history_separates_unknown_zero_and_small() {
        let values = [None, Some(0.0), Some(0.1), Some(50.0), Some(100.0), Some(900.0)];
        let drawn = |tier| Glyphs::for_tier(tier).history(&values, 100.0);
        assert_eq!(drawn(GlyphTier::Full), "⢀⣠⣿");
        assert_eq!(drawn(GlyphTier::Blocks), " _▁▄██");
        assert_eq!(drawn(GlyphTier::Vt), " _▄▄██");
        assert_eq!(drawn(GlyphTier::Ascii), " _.+@@");
    }

    #[test]
    fn plain_tiers_use_only_their_glyphs() {
        for tier in [GlyphTier::Vt, GlyphTier::Ascii] {
            let glyphs = Glyphs::for_tier(tier);
            let mut signs = glyphs.fills.concat() + glyphs.empty + &glyphs.parts.concat();
            signs += &(glyphs.lines.corners.concat() + &glyphs.lines.sides.concat());
            signs += &[glyphs.inward, glyphs.outward, glyphs.cut].concat();
            signs += &(glyphs.sorted.concat() + &glyphs.heat.concat());
            let allowed =
                |c: char| c.is_ascii() || tier == GlyphTier::Vt && "┌┐└┘─│█▓▒░▌▄▲▼".contains(c);
            assert!(signs.chars().all(allowed), "{tier:?}: {signs}");
        }
    }
}
