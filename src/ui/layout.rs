//! The layout of screens, a pure function of sizes: content is dropped, never squeezed.

use super::screen::{Band, Height, MIN_HEIGHT, Screen};
use ratatui::layout::{Rect, Size};

/// The size class of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// One line, and the size that is needed.
    Tiny,
    /// Totals, and one line for each row.
    Minimal,
    /// One pane at a time, without frames.
    Compact,
    /// The whole screen.
    Normal,
    /// The whole screen with more details.
    Wide,
}

/// The class of a size.
pub fn class(size: Size) -> Class {
    let at_least = |width, height| size.width >= width && size.height >= height;
    match () {
        () if at_least(120, 36) => Class::Wide,
        () if at_least(80, 24) => Class::Normal,
        () if at_least(60, 16) => Class::Compact,
        () if at_least(30, 6) => Class::Minimal,
        () => Class::Tiny,
    }
}

/// The layout of a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScreenLayout {
    /// The first lines: title and screens, or totals.
    pub head: Rect,
    /// The line of the answer.
    pub answer: Rect,
    /// The visible panes, each with its index and rectangle, frame included.
    pub panes: Vec<(usize, Rect)>,
    /// Do panes have frames?
    pub framed: bool,
    /// The line of a running change, if any.
    pub job: Rect,
    /// The last line.
    pub foot: Rect,
    /// The lesson that is played, beside or below the panes.
    pub lesson: Rect,
}

/// Height from which there is a line for the answer.
const ANSWERED: u16 = 9;

/// Computes the layout of a screen. `wanted` is the number of lines each pane would like inside its
/// frame, `focus` the pane shown where only one fits, `busy` whether a change is running.
pub fn compute(
    size: Size,
    screen: &Screen,
    wanted: &[u16],
    focus: usize,
    busy: bool,
) -> ScreenLayout {
    let all = Rect::new(0, 0, size.width, size.height);
    let class = class(size);
    if class == Class::Tiny {
        let (head, rest) = cut(all, 1);
        // The line of a running change replaces the message about the size.
        let job = if busy { cut(rest, 1).0 } else { Rect::default() };
        return ScreenLayout { head, job, ..ScreenLayout::default() };
    }
    let heads = if class == Class::Minimal { 1 } else { 2 };
    let (head, rest) = cut(all, heads);
    let (answer, rest) = cut(rest, u16::from(size.height >= ANSWERED));
    let (body, foot) = cut(rest, rest.height.saturating_sub(1));
    let (body, job) = cut(body, body.height.saturating_sub(u16::from(busy)));
    let framed = class >= Class::Normal;
    let panes = match class {
        Class::Wide => arrange(body, screen, screen.wide, wanted),
        Class::Normal => arrange(body, screen, screen.bands, wanted),
        Class::Compact | Class::Minimal | Class::Tiny => stacked(body, screen, wanted, focus),
    };
    ScreenLayout { head, answer, panes, framed, job, foot, lesson: Rect::default() }
}

/// The focused pane, and those behind it where it leaves room. Before the contents are known, all of them
/// get the whole height.
fn stacked(area: Rect, screen: &Screen, wanted: &[u16], focus: usize) -> Vec<(usize, Rect)> {
    let count = screen.panes.len();
    let mut panes = Vec::new();
    let mut rest = area;
    for place in (0..count).map(|next| (focus + next) % count) {
        let Some(lines) = wanted.get(place) else {
            panes.push((place, area));
            continue;
        };
        if !panes.is_empty() && (*lines == 0 || rest.height < MIN_HEIGHT) {
            continue;
        }
        let (here, below) = cut(rest, lines.saturating_add(1));
        panes.push((place, here));
        rest = below;
    }
    if let Some((_, last)) = panes.last_mut().filter(|_| !wanted.is_empty()) {
        last.height += rest.height;
    }
    panes
}

/// The panes visible on a terminal of this size.
pub fn visible(size: Size, screen: &Screen, focus: usize) -> Vec<usize> {
    let of = |bands: &[Band]| {
        let ids = bands.iter().flat_map(|band| band.panes);
        ids.filter_map(|(id, _)| screen.pane(id)).collect()
    };
    match class(size) {
        Class::Wide => of(screen.wide),
        Class::Normal => of(screen.bands),
        Class::Compact | Class::Minimal => {
            let count = screen.panes.len();
            (0..count).map(|next| (focus + next) % count.max(1)).collect()
        }
        Class::Tiny => vec![],
    }
}

/// The inside of a pane, without frame or title.
pub fn inside(area: Rect, framed: bool) -> Rect {
    if framed {
        return Rect {
            x: area.x + 1.min(area.width),
            y: area.y + 1.min(area.height),
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(2),
        };
    }
    cut(area, 1).1
}

/// The rectangle of lines of facts, with a gap to the frame.
pub fn lines(area: Rect, framed: bool) -> Rect {
    let inner = inside(area, framed);
    let off = u16::from(framed);
    Rect { x: inner.x + off, width: inner.width.saturating_sub(2 * off), ..inner }
}

/// Splits off the first lines.
fn cut(area: Rect, lines: u16) -> (Rect, Rect) {
    let lines = lines.min(area.height);
    let first = Rect { height: lines, ..area };
    (first, Rect { y: area.y + lines, height: area.height - lines, ..area })
}

fn arrange(area: Rect, screen: &Screen, bands: &[Band], wanted: &[u16]) -> Vec<(usize, Rect)> {
    let mut panes = Vec::new();
    let mut rest = area;
    for (band, height) in bands.iter().zip(heights(area.height, screen, bands, wanted)) {
        let (here, below) = cut(rest, height);
        rest = below;
        panes.extend(beside(here, screen, band));
    }
    panes.retain(|(_, area)| area.height >= MIN_HEIGHT);
    panes
}

/// The heights of the bands: bands with a fitting height take what they want while there is room, and
/// the others share the rest.
fn heights(height: u16, screen: &Screen, bands: &[Band], wanted: &[u16]) -> Vec<u16> {
    let longest = |band: &Band| {
        let each = band.panes.iter().filter_map(|(id, _)| wanted.get(screen.pane(id)?));
        each.max().copied()
    };
    let want = |band: &Band| {
        longest(band).map_or(MIN_HEIGHT, |lines| lines.saturating_add(2).max(MIN_HEIGHT))
    };
    let least = |band: &Band| band.height.least_rest();
    let mut reserved = bands.iter().filter_map(least).fold(0, u16::saturating_add);
    reserved = reserved.min(height);
    let mut left = height.saturating_sub(reserved);
    let mut heights = Vec::new();
    for band in bands {
        let taken = match band.height {
            Height::IfAny(_) if longest(band) == Some(0) => 0,
            Height::Fits(most) | Height::IfAny(most) => want(band).min(most).min(left),
            Height::Rest | Height::RestFrom(_) | Height::Spare => 0,
        };
        left -= taken;
        heights.push(taken);
    }
    let mut open = bands.iter().filter(|band| least(band).is_some()).count();
    for (band, taken) in bands.iter().zip(&mut heights) {
        if let Some(least) = least(band) {
            let share = left / u16::try_from(open).unwrap_or(u16::MAX).max(1);
            *taken = (least + share).min(reserved + left);
            reserved -= least.min(*taken).min(reserved);
            left -= share;
            open -= 1;
        }
    }
    heights
}

fn beside(area: Rect, screen: &Screen, band: &Band) -> Vec<(usize, Rect)> {
    let mut x = area.x;
    let mut panes = Vec::new();
    for (place, (id, percent)) in band.panes.iter().enumerate() {
        let last = place + 1 == band.panes.len();
        let left = area.right() - x;
        let share = u32::from(area.width) * u32::from(*percent) / 100;
        let width = if last { left } else { left.min(u16::try_from(share).unwrap_or(left)) };
        panes.extend(screen.pane(id).map(|pane| (pane, Rect { x, width, ..area })));
        x += width;
    }
    panes
}
