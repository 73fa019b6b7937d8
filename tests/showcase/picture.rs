//! A screen of `tests/screens` as an SVG picture: each word begins in its own cell, so no font moves it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The width and height of a cell, and the height of its baseline, in tenths of a pixel.
const CELL: (u32, u32) = (84, 166);
const BASELINE: u32 = 130;
const MARGIN: u32 = 80;
const BACKGROUND: &str = "#1c1c1c";
const FOREGROUND: &str = "#d0d0d0";

/// How a letter of the styles is drawn.
struct Style {
    color: String,
    is_bold: bool,
    is_reversed: bool,
}

/// A color of the palette of 256 colors, as xterm has it.
fn color(number: u32) -> String {
    let (red, green, blue) = match number {
        232..=255 => {
            let gray = 8 + 10 * (number - 232);
            (gray, gray, gray)
        }
        16..=231 => {
            let step = |level: u32| if level == 0 { 0 } else { 55 + 40 * level };
            let cube = number - 16;
            (step(cube / 36), step(cube / 6 % 6), step(cube % 6))
        }
        _ => return FOREGROUND.to_owned(),
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The style that a line such as `e = 202 bold` explains.
fn style(line: &str) -> Option<(char, Style)> {
    let (letter, words) = line.split_once(" = ")?;
    let number = words.split(' ').find_map(|word| word.parse().ok());
    let style = Style {
        color: number.map_or(FOREGROUND.to_owned(), color),
        is_bold: words.contains("bold"),
        is_reversed: words.contains("reversed"),
    };
    Some((letter.chars().next()?, style))
}

/// The lines of a screen, with the letter of the style of each sign.
fn cells(screen: &str) -> Vec<Vec<(char, char)>> {
    let mut parts = screen.lines().skip(1);
    let text: Vec<&str> = parts.by_ref().take_while(|line| *line != "-- styles").collect();
    let width = text.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let row = |(line, styles): (&&str, &str)| {
        let signs = line.chars().chain(std::iter::repeat(' ')).take(width);
        signs.zip(styles.chars()).collect()
    };
    text.iter().zip(parts).map(row).collect()
}

fn tenths(value: u32) -> String {
    format!("{}.{}", value / 10, value % 10)
}

/// A filled part of a cell: left, top, width and height in hundredths of it, and opacity in percent.
fn block(sign: char) -> Option<(u32, u32, u32, u32, u32)> {
    let eighths = |count: u32| count * 100 / 8;
    let lower = |count: u32| (0, 100 - eighths(count), 100, eighths(count), 100);
    let left = |count: u32| (0, 0, eighths(count), 100, 100);
    Some(match sign {
        '█' => (0, 0, 100, 100, 100),
        '▓' => (0, 0, 100, 100, 70),
        '▒' => (0, 0, 100, 100, 45),
        '░' => (0, 0, 100, 100, 20),
        '▁'..='▇' => lower(u32::from(sign) - 0x2580),
        '▉'..='▏' => left(0x2590 - u32::from(sign)),
        _ => return None,
    })
}

fn rectangle(picture: &mut String, at: (u32, u32), part: (u32, u32, u32, u32, u32), fill: &str) {
    let (left, top, width, height, opacity) = part;
    let x = tenths(at.0 + CELL.0 * left / 100);
    let y = tenths(at.1 + CELL.1 * top / 100);
    let (width, height) = (tenths(CELL.0 * width / 100), tenths(CELL.1 * height / 100));
    let _ = writeln!(
        picture,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" fill-opacity=\"{opacity}%\"/>"
    );
}

fn escaped(sign: char) -> String {
    match sign {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        other => other.to_string(),
    }
}

/// Signs of one style in one line: each word begins in its cell and is as wide as its cells.
fn text(picture: &mut String, line_top: u32, run: &[(u32, char)], style: &Style) {
    let fill = if style.is_reversed { BACKGROUND } else { &style.color };
    let weight = if style.is_bold { " font-weight=\"bold\"" } else { "" };
    let y = tenths(line_top + BASELINE);
    for word in run.chunk_by(|before, next| before.0 + CELL.0 == next.0) {
        let Some((left, _)) = word.first() else { continue };
        let signs: String = word.iter().map(|(_, sign)| escaped(*sign)).collect();
        let (x, width) = (tenths(*left), tenths(CELL.0 * u32::try_from(word.len()).unwrap_or(0)));
        let _ = writeln!(
            picture,
            "<text x=\"{x}\" y=\"{y}\" textLength=\"{width}\" fill=\"{fill}\"{weight}>{signs}</text>"
        );
    }
}

/// The first screen of a file of screens.
pub(crate) fn svg(screens: &str) -> String {
    let mut pages = screens.split("\n\n== ");
    let screen = pages.next().unwrap_or_default();
    let styles: BTreeMap<char, Style> = screen.lines().filter_map(style).collect();
    let plain = Style { color: FOREGROUND.to_owned(), is_bold: false, is_reversed: false };
    let cells = cells(screen);
    let count = |length: usize| u32::try_from(length).unwrap_or(0);
    let width = count(cells.first().map_or(0, Vec::len)) * CELL.0 + 2 * MARGIN;
    let height = count(cells.len()) * CELL.1 + 2 * MARGIN;
    let (width, height) = (width.div_ceil(10), height.div_ceil(10));
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <title>The Overview screen of swapadm</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{BACKGROUND}\"/>\n"
    );
    for (row, line) in cells.iter().enumerate() {
        let top = MARGIN + count(row) * CELL.1;
        for (letter, style) in styles.iter().chain([(&' ', &plain)]) {
            let signs = line.iter().enumerate().filter(|(_, (_, styled))| styled == letter);
            let mut run = Vec::new();
            for (column, (sign, _)) in signs {
                let left = MARGIN + count(column) * CELL.0;
                if style.is_reversed {
                    rectangle(&mut picture, (left, top), (0, 0, 100, 100, 100), &style.color);
                }
                match block(*sign) {
                    Some(part) => rectangle(&mut picture, (left, top), part, &style.color),
                    None if *sign != ' ' => run.push((left, *sign)),
                    None => {}
                }
            }
            if !run.is_empty() {
                text(&mut picture, top, &run, style);
            }
        }
    }
    picture + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::{block, color, svg};

    #[test]
    fn signs_stand_in_their_cells() {
        let picture = svg("== x 2x1\na█\n-- styles\nab\na = own colour\nb = 202 bold\n\n== y\n");
        assert!(
            picture.contains(
                "<text x=\"8.0\" y=\"21.0\" textLength=\"8.4\" fill=\"#d0d0d0\">a</text>"
            ),
            "{picture}"
        );
        assert!(picture.contains("x=\"16.4\""), "{picture}");
        assert!(picture.contains("fill=\"#ff5f00\""), "{picture}");
    }

    #[test]
    fn colors_and_blocks_are_known() {
        assert_eq!((color(16).as_str(), color(245).as_str()), ("#000000", "#8a8a8a"));
        assert_eq!(block('▄'), Some((0, 50, 100, 50, 100)));
        assert_eq!(block('▌'), Some((0, 0, 50, 100, 100)));
        assert_eq!(block('─'), None);
    }
}
