//! The progress line on a terminal.

use super::options::Environment;
use super::out;
use crate::columns::text;
use crate::ui::Outbox;

/// A line that is replaced by its next version. It never waits for the terminal, because whoever reports
/// progress may be the guard of a change.
#[derive(Debug)]
pub struct ProgressLine {
    /// Cells that the line may take; none without a terminal.
    width: Option<usize>,
    /// None if the terminal cannot be written without waiting for it.
    terminal: Option<Outbox>,
    shown: String,
}

impl ProgressLine {
    /// An empty line.
    pub fn new(environment: &Environment) -> Self {
        Self::with_cells(environment.progress_cells())
    }

    /// An empty line of this width.
    pub fn with_cells(width: Option<usize>) -> Self {
        let terminal = width.and_then(|_| Outbox::for_standard_error());
        Self { width, terminal, shown: String::new() }
    }

    /// Shows these pieces, the most important first.
    pub fn tell(&mut self, pieces: &[String]) {
        let (Some(width), Some(terminal)) = (self.width, &mut self.terminal) else { return };
        let line = fit(pieces, width);
        if line != self.shown {
            out::progress(terminal, &line);
            self.shown = line;
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if let Some(terminal) = self.terminal.as_mut().filter(|_| !self.shown.is_empty()) {
            out::progress(terminal, "");
            self.shown.clear();
        }
    }
}

/// As many pieces as there is room for; the first one is cut if it does not fit.
fn fit(pieces: &[String], width: usize) -> String {
    let mut line = String::new();
    for (place, piece) in pieces.iter().enumerate() {
        let longer = if place == 0 { piece.clone() } else { format!("{line}  {piece}") };
        if place > 0 && text::width(&longer) > width {
            break;
        }
        line = longer;
    }
    text::clip(&line, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_drops_pieces_from_the_end() {
        let told = ["4/9 disk", "touching 40%", "12s, about 18s left", "swap 300M"];
        let all = [&told[..], &["cgroup 47M", "all runs: about 1m02s left"]].concat();
        let all: Vec<String> = all.into_iter().map(str::to_owned).collect();
        let at = |cells: usize| fit(&all, cells - 1);
        let most = "4/9 disk  touching 40%  12s, about 18s left  swap 300M  cgroup 47M";
        assert_eq!(at(120), format!("{most}  all runs: about 1m02s left"));
        assert_eq!(at(80), most);
        assert_eq!(at(54), "4/9 disk  touching 40%  12s, about 18s left", "one cell is kept");
        assert_eq!(at(55), "4/9 disk  touching 40%  12s, about 18s left  swap 300M");
        assert_eq!(at(40), "4/9 disk  touching 40%", "a piece is all there or not at all");
        assert_eq!(at(6), "4/9 +");
        assert_eq!(fit(&["\u{6f22}\u{6f22}".to_owned()], 3), "\u{6f22}+", "wide characters");
        assert_eq!((fit(&all, 0), fit(&[], 80)), (String::new(), String::new()));
    }

    #[test]
    fn progress_needs_a_terminal() {
        let width = |interactive, width| {
            ProgressLine::new(&Environment { width, interactive, ..Environment::default() }).width
        };
        assert_eq!(width(true, Some(80)), Some(79));
        assert_eq!((width(false, Some(80)), width(true, None)), (None, None));
    }
}
