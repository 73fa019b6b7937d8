//! Signs and colours together: how things look on this terminal.

use super::glyphs::{Glyphs, Tier};
use super::settings::{ColorChoice, GlyphChoice};
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
    pub fn new(tier: Tier, palette: Palette) -> Self {
        Self { glyphs: Glyphs::of(tier), palette }
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.palette.style(role)
    }
}

/// What a terminal says of itself, in the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// `TERM`.
    pub term: String,
    /// `COLORTERM`.
    pub colorterm: String,
    /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set.
    pub locale: String,
    /// The name of its device.
    pub device: String,
    /// `COLUMNS`, for one that does not know its size, as at the far end of a serial line.
    pub columns: Option<u16>,
    /// `LINES`.
    pub lines: Option<u16>,
}

impl Terminal {
    /// The look that was chosen, or that fits.
    pub fn look(&self, color: ColorChoice, glyphs: GlyphChoice) -> Look {
        let palette = match color {
            ColorChoice::Auto => self.palette(),
            ColorChoice::True => Palette::True,
            ColorChoice::Palette256 => Palette::Many,
            ColorChoice::Ansi16 => Palette::Sixteen,
            ColorChoice::Never => Palette::Mono,
        };
        let tier = match glyphs {
            GlyphChoice::Auto => self.tier(),
            GlyphChoice::Full => Tier::Full,
            GlyphChoice::Blocks => Tier::Blocks,
            GlyphChoice::Vt => Tier::Vt,
            GlyphChoice::Ascii => Tier::Ascii,
        };
        Look::new(tier, palette)
    }

    /// A line to which every character takes a while.
    pub fn is_serial(&self) -> bool {
        ["ttyS", "ttyAMA", "ttyUSB", "ttyACM", "hvc"]
            .iter()
            .any(|name| self.device.strip_prefix("/dev/").is_some_and(|tty| tty.starts_with(name)))
    }

    /// One that knows neither colours nor signs of its own.
    fn is_plain(&self) -> bool {
        ["vt100", "vt102", "vt220", "dumb", ""].contains(&self.term.as_str())
    }

    fn palette(&self) -> Palette {
        if self.is_plain() {
            return Palette::Mono;
        }
        match self.colorterm.as_str() {
            "truecolor" | "24bit" => Palette::True,
            _ if self.term.ends_with("-direct") => Palette::True,
            _ if self.term.contains("256color") => Palette::Many,
            _ => Palette::Sixteen,
        }
    }

    fn tier(&self) -> Tier {
        if self.is_plain() || self.is_serial() || !self.is_unicode() {
            return Tier::Ascii;
        }
        if self.term == "linux" || self.is_console() { Tier::Vt } else { Tier::Full }
    }

    /// Is it a console of the kernel, whatever it is said to be?
    fn is_console(&self) -> bool {
        let number = self.device.strip_prefix("/dev/tty").unwrap_or_default();
        !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
    }

    /// Does the locale speak UTF-8, however that is spelt?
    fn is_unicode(&self) -> bool {
        let codeset = self.locale.split('.').nth(1).unwrap_or_default();
        let codeset = codeset.split('@').next().unwrap_or_default().to_lowercase();
        matches!(codeset.as_str(), "utf8" | "utf-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(term: &str, colorterm: &str, locale: &str, device: &str) -> (Tier, Palette) {
        let [term, colorterm, locale, device] =
            [term, colorterm, locale, device].map(str::to_owned);
        let terminal = Terminal { term, colorterm, locale, device, ..Terminal::default() };
        let look = terminal.look(ColorChoice::Auto, GlyphChoice::Auto);
        (look.glyphs.tier, look.palette)
    }

    #[test]
    fn a_terminal_gets_what_it_can_show() {
        let pty = "/dev/pts/3";
        let cases = [
            (("xterm-256color", "truecolor", "en_US.UTF-8", pty), (Tier::Full, Palette::True)),
            (("xterm-256color", "", "C.utf8", pty), (Tier::Full, Palette::Many)),
            (("screen", "", "de_DE.UTF-8@euro", pty), (Tier::Full, Palette::Sixteen)),
            (("xterm-direct", "", "C.UTF-8", pty), (Tier::Full, Palette::True)),
            (("linux", "", "C.UTF-8", "/dev/tty1"), (Tier::Vt, Palette::Sixteen)),
            (("xterm", "", "C.UTF-8", "/dev/tty12"), (Tier::Vt, Palette::Sixteen)),
            (("xterm-256color", "", "C", pty), (Tier::Ascii, Palette::Many)),
            (("xterm-256color", "", "en_US.ISO-8859-1", pty), (Tier::Ascii, Palette::Many)),
            (("xterm-256color", "", "", pty), (Tier::Ascii, Palette::Many)),
            (("vt220", "", "C.UTF-8", "/dev/ttyS0"), (Tier::Ascii, Palette::Mono)),
            (("xterm", "", "C.UTF-8", "/dev/ttyUSB1"), (Tier::Ascii, Palette::Sixteen)),
        ];
        for ((term, colors, locale, device), wanted) in cases {
            assert_eq!(look(term, colors, locale, device), wanted, "{term} {locale} {device}");
        }
    }

    #[test]
    fn what_was_chosen_holds() {
        let look = Terminal::default().look(ColorChoice::True, GlyphChoice::Blocks);
        assert_eq!((look.glyphs.tier, look.palette), (Tier::Blocks, Palette::True));
    }
}
