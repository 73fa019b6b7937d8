//! A drawn screen as an SVG picture: each word begins in its own cell, and blocks and dots are drawn as
//! shapes, so that no font moves or changes them.

use super::theme::Theme;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;

/// The width and height of a cell, and the height of its baseline, in tenths of a pixel.
const CELL: (u32, u32) = (84, 166);
const BASELINE: u32 = 130;
const MARGIN: u32 = 80;

/// The 16 colors of a terminal, as xterm has them.
const SIXTEEN: [(Color, u32); 16] = [
    (Color::Black, 0x00_00_00),
    (Color::Red, 0xCD_00_00),
    (Color::Green, 0x00_CD_00),
    (Color::Yellow, 0xCD_CD_00),
    (Color::Blue, 0x3C_78_D8),
    (Color::Magenta, 0xCD_00_CD),
    (Color::Cyan, 0x00_CD_CD),
    (Color::Gray, 0xE5_E5_E5),
    (Color::DarkGray, 0x7F_7F_7F),
    (Color::LightRed, 0xFF_55_55),
    (Color::LightGreen, 0x55_FF_55),
    (Color::LightYellow, 0xFF_FF_55),
    (Color::LightBlue, 0x6C_9C_FF),
    (Color::LightMagenta, 0xFF_55_FF),
    (Color::LightCyan, 0x55_FF_FF),
    (Color::White, 0xFF_FF_FF),
];

impl Theme {
    /// Background and foreground of a picture.
    fn paper(self) -> (u32, u32) {
        match self {
            Self::Dark | Self::Terminal => (0x1C_1C_1C, 0xD0_D0_D0),
            Self::Light => (0xFF_FF_FF, 0x24_24_24),
            Self::Contrast => (0x00_00_00, 0xFF_FF_FF),
        }
    }
}

/// The look of a cell.
#[derive(Clone, Copy, PartialEq)]
struct Ink {
    fill: u32,
    /// The color behind it, if it is reversed.
    behind: Option<u32>,
    bold: bool,
    dim: bool,
    underlined: bool,
}

/// A drawn screen as an SVG document.
pub fn svg(buffer: &Buffer, title: &str, theme: Theme) -> String {
    let area = buffer.area;
    let side = |cells: u16, size: u32| (u32::from(cells) * size + 2 * MARGIN).div_ceil(10);
    let (width, height) = (side(area.width, CELL.0), side(area.height, CELL.1));
    let (background, _) = theme.paper();
    let title: String = title.chars().map(escaped).collect();
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#{background:06x}\"/>\n"
    );
    for (row, y) in (area.top()..area.bottom()).zip(0..) {
        let cells: Vec<(u32, &Cell, Ink)> = (area.left()..area.right())
            .zip(0..)
            .filter_map(|(x, column)| {
                let cell = buffer.cell((x, row))?;
                Some((MARGIN + column * CELL.0, cell, ink(cell, theme)))
            })
            .collect();
        for run in cells.chunk_by(|before, next| before.2 == next.2) {
            draw_run(&mut picture, MARGIN + y * CELL.1, run);
        }
    }
    picture + "</svg>\n"
}

fn ink(cell: &Cell, theme: Theme) -> Ink {
    let (background, foreground) = theme.paper();
    let color = color(cell.fg).unwrap_or(foreground);
    let has = |modifier| cell.modifier.contains(modifier);
    let reversed = has(Modifier::REVERSED);
    Ink {
        fill: if reversed { background } else { color },
        behind: reversed.then_some(color),
        bold: has(Modifier::BOLD),
        dim: has(Modifier::DIM),
        underlined: has(Modifier::UNDERLINED),
    }
}

/// The value of a color; none for the default color.
fn color(color: Color) -> Option<u32> {
    match color {
        Color::Reset => None,
        Color::Rgb(red, green, blue) => Some(u32::from_be_bytes([0, red, green, blue])),
        Color::Indexed(number) => indexed(number),
        named => SIXTEEN.iter().find(|(known, _)| *known == named).map(|(_, rgb)| *rgb),
    }
}

/// A color of the palette of 256 colors, as xterm has it.
fn indexed(number: u8) -> Option<u32> {
    let number = u32::from(number);
    Some(match number {
        232.. => (8 + 10 * (number - 232)) * 0x01_01_01,
        16..=231 => {
            let step = |level: u32| if level == 0 { 0 } else { 55 + 40 * level };
            let cube = number - 16;
            (step(cube / 36) << 16) | (step(cube / 6 % 6) << 8) | step(cube % 6)
        }
        _ => return SIXTEEN.get(usize::try_from(number).ok()?).map(|(_, rgb)| *rgb),
    })
}

/// Draws cells of one look: their background, shapes, and words.
fn draw_run(picture: &mut String, top: u32, run: &[(u32, &Cell, Ink)]) {
    let Some((left, _, ink)) = run.first() else { return };
    let count = u32::try_from(run.len()).unwrap_or(0);
    if let Some(behind) = ink.behind {
        let mut shape = String::new();
        rectangle(&mut shape, (*left, top), (0, 0, 100 * count, 100));
        fill(picture, &shape, behind, 100);
    }
    let mut words: Vec<(u32, char)> = Vec::new();
    // Shapes are grouped by their opacity.
    let mut shapes: Vec<(u32, String)> = Vec::new();
    for (left, cell, _) in run {
        let sign = cell.symbol().chars().next().unwrap_or(' ');
        let (parts, opacity) = shapes_of(sign);
        if parts.is_empty() && sign != ' ' {
            words.push((*left, sign));
        }
        for part in parts {
            let place = shapes.iter().position(|(other, _)| *other == opacity);
            let place = place.unwrap_or_else(|| {
                shapes.push((opacity, String::new()));
                shapes.len() - 1
            });
            if let Some((_, shape)) = shapes.get_mut(place) {
                rectangle(shape, (*left, top), part);
            }
        }
    }
    for (opacity, shape) in shapes {
        fill(picture, &shape, ink.fill, opacity);
    }
    text(picture, top, &words, *ink);
}

fn tenths(value: u32) -> String {
    if value.is_multiple_of(10) {
        (value / 10).to_string()
    } else {
        format!("{}.{}", value / 10, value % 10)
    }
}

/// A part of a cell: left, top, width and height in hundredths of it.
type CellPart = (u32, u32, u32, u32);

/// The filled parts of a cell for a block or braille sign, and their opacity in percent.
fn shapes_of(sign: char) -> (Vec<CellPart>, u32) {
    let code = u32::from(sign);
    let whole = vec![(0, 0, 100, 100)];
    match sign {
        '█' => (whole, 100),
        '▓' => (whole, 70),
        '▒' => (whole, 45),
        '░' => (whole, 20),
        '▁'..='▇' => {
            let part = (code - 0x2580) * 100 / 8;
            (vec![(0, 100 - part, 100, part)], 100)
        }
        '▉'..='▏' => (vec![(0, 0, (0x2590 - code) * 100 / 8, 100)], 100),
        '\u{2801}'..='\u{28FF}' => (dots(code - 0x2800), 100),
        _ => (vec![], 100),
    }
}

/// The dots of a braille sign, as squares that nearly touch each other.
fn dots(bits: u32) -> Vec<CellPart> {
    const PLACES: [(u32, u32); 8] =
        [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let lit = PLACES.iter().enumerate().filter(|(bit, _)| bits & (1 << bit) != 0);
    lit.map(|(_, (x, y))| (x * 50 + 4, y * 25 + 3, 40, 20)).collect()
}

/// Adds a rectangle to a path.
fn rectangle(path: &mut String, at: (u32, u32), (left, top, width, height): CellPart) {
    let (x, y) = (tenths(at.0 + CELL.0 * left / 100), tenths(at.1 + CELL.1 * top / 100));
    let (wide, high) = (tenths(CELL.0 * width / 100), tenths(CELL.1 * height / 100));
    let _ = write!(path, "M{x} {y}h{wide}v{high}h-{wide}z");
}

fn fill(picture: &mut String, path: &str, fill: u32, opacity: u32) {
    let opacity =
        if opacity == 100 { String::new() } else { format!(" fill-opacity=\"{opacity}%\"") };
    let _ = writeln!(picture, "<path d=\"{path}\" fill=\"#{fill:06x}\"{opacity}/>");
}

fn escaped(sign: char) -> String {
    match sign {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        other => other.to_string(),
    }
}

/// Words of one look in one line: each begins in its cell and is as wide as its cells.
fn text(picture: &mut String, top: u32, run: &[(u32, char)], ink: Ink) {
    let y = tenths(top + BASELINE);
    let mut style = String::new();
    for (is_set, words) in [
        (ink.bold, " font-weight=\"bold\""),
        (ink.dim, " opacity=\"60%\""),
        (ink.underlined, " text-decoration=\"underline\""),
    ] {
        style += if is_set { words } else { "" };
    }
    let fill = ink.fill;
    for word in run.chunk_by(|before, next| before.0 + CELL.0 == next.0) {
        let Some((left, _)) = word.first() else { continue };
        let signs: String = word.iter().map(|(_, sign)| escaped(*sign)).collect();
        let (x, width) = (tenths(*left), tenths(CELL.0 * u32::try_from(word.len()).unwrap_or(0)));
        let _ = writeln!(
            picture,
            "<text x=\"{x}\" y=\"{y}\" textLength=\"{width}\" fill=\"#{fill:06x}\"{style}>{signs}</text>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn drawn(words: &str, style: Style, theme: Theme) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 1));
        buffer.set_string(0, 0, words, style);
        svg(&buffer, "a < b", theme)
    }

    #[test]
    fn words_stand_in_their_cells() {
        let picture = drawn("a b<", Style::new(), Theme::Dark);
        assert!(picture.contains("<title>a &lt; b</title>"), "{picture}");
        let word = "<text x=\"8\" y=\"21\" textLength=\"8.4\" fill=\"#d0d0d0\">a</text>";
        assert!(picture.contains(word), "{picture}");
        assert!(picture.contains("x=\"24.8\"") && picture.contains(">b&lt;</text>"), "{picture}");
    }

    #[test]
    fn colors_blocks_and_dots_are_drawn() {
        let style = Style::new().fg(Color::Indexed(202));
        assert!(drawn("█", style, Theme::Dark).contains("fill=\"#ff5f00\""));
        assert_eq!((indexed(16), indexed(245)), (Some(0), Some(0x8A_8A_8A)));
        assert_eq!(shapes_of('▄').0, [(0, 50, 100, 50)]);
        assert_eq!(shapes_of('▌').0, [(0, 0, 50, 100)]);
        assert_eq!(shapes_of('⣿').0.len(), 8);
        assert_eq!(shapes_of('─').0, []);
    }

    #[test]
    fn reversed_words_and_light_paper() {
        let picture = drawn("ab", Style::new().add_modifier(Modifier::REVERSED), Theme::Light);
        assert!(picture.contains("fill=\"#ffffff\""), "{picture}");
        assert!(
            picture.contains("<path d=\"M8 8h16.8v16.6h-16.8z\" fill=\"#242424\"/>"),
            "{picture}"
        );
    }
}
