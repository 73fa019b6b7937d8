//! Glyphs and colors chosen for the terminal.

use super::glyphs::{GlyphTier, Glyphs};
use super::settings::{ColorChoice, GlyphChoice};
use super::theme::{Palette, Role, Theme};
use ratatui::style::Style;

/// The glyphs and colors of this terminal.
#[derive(Clone, Copy, Debug)]
pub struct Appearance {
    /// The glyphs.
    pub glyphs: &'static Glyphs,
    /// The colors.
    pub palette: Palette,
    /// The theme.
    pub theme: Theme,
}

impl Appearance {
    /// The glyphs of a tier with a palette.
    pub fn new(tier: GlyphTier, palette: Palette) -> Self {
        Self { glyphs: Glyphs::for_tier(tier), palette, theme: Theme::default() }
    }

    /// These glyphs in another theme. The colors of the terminal itself are those of 16 colors.
    pub fn in_theme(self, theme: Theme) -> Self {
        let palette = match (theme, self.palette) {
            (Theme::Terminal, Palette::True | Palette::Many) => Palette::Sixteen,
            (_, palette) => palette,
        };
        Self { palette, theme, ..self }
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.palette.style(role, self.theme)
    }
}

/// The description of a terminal by the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerminalInfo {
    /// `TERM`.
    pub term: String,
    /// `COLORTERM`.
    pub colorterm: String,
    /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set.
    pub locale: String,
    /// The name of the terminal device.
    pub device: String,
    /// `COLUMNS`, for terminals that do not know their size, such as a serial line.
    pub columns: Option<u16>,
    /// `LINES`.
    pub lines: Option<u16>,
}

impl TerminalInfo {
    /// The glyphs and colors that were chosen, or that fit the terminal.
    pub fn look(&self, color: ColorChoice, glyphs: GlyphChoice) -> Appearance {
        let palette = match color {
            ColorChoice::Always if self.is_plain() => Palette::Sixteen,
            ColorChoice::Auto | ColorChoice::Always => self.palette(),
            ColorChoice::True => Palette::True,
            ColorChoice::Palette256 => Palette::Many,
            ColorChoice::Ansi16 => Palette::Sixteen,
            ColorChoice::Never => Palette::Mono,
        };
        let tier = match glyphs {
            GlyphChoice::Auto => self.tier(),
            GlyphChoice::Full => GlyphTier::Full,
            GlyphChoice::Blocks => GlyphTier::Blocks,
            GlyphChoice::Vt => GlyphTier::Vt,
            GlyphChoice::Ascii => GlyphTier::Ascii,
        };
        Appearance::new(tier, palette)
    }

    /// Is it a slow serial line?
    pub fn is_serial(&self) -> bool {
        ["ttyS", "ttyAMA", "ttyUSB", "ttyACM", "hvc"]
            .iter()
            .any(|name| self.device.strip_prefix("/dev/").is_some_and(|tty| tty.starts_with(name)))
    }

    /// Does the terminal have neither colors nor line graphics?
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

    fn tier(&self) -> GlyphTier {
        if self.is_plain() || self.is_serial() || !self.is_unicode() {
            return GlyphTier::Ascii;
        }
        if self.term == "linux" || self.is_console() { GlyphTier::Vt } else { GlyphTier::Full }
    }

    /// Is it a kernel console, whatever `TERM` says?
    fn is_console(&self) -> bool {
        let number = self.device.strip_prefix("/dev/tty").unwrap_or_default();
        !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
    }

    /// Is the locale UTF-8, in any spelling?
    fn is_unicode(&self) -> bool {
        let codeset = self.locale.split('.').nth(1).unwrap_or_default();
        let codeset = codeset.split('@').next().unwrap_or_default().to_lowercase();
        matches!(codeset.as_str(), "utf8" | "utf-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(term: &str, colorterm: &str, locale: &str, device: &str) -> (GlyphTier, Palette) {
        let [term, colorterm, locale, device] =
            [term, colorterm, locale, device].map(str::to_owned);
        let terminal = TerminalInfo { term, colorterm, locale, device, ..TerminalInfo::default() };
        let look = terminal.look(ColorChoice::Auto, GlyphChoice::Auto);
        (look.glyphs.tier, look.palette)
    }

    #[test]
    fn each_terminal_gets_its_glyphs_and_palette() {
        let pty = "/dev/pts/3";
        let cases = [
            (("xterm-256color", "truecolor", "en_US.UTF-8", pty), (GlyphTier::Full, Palette::True)),
            (("xterm-256color", "", "C.utf8", pty), (GlyphTier::Full, Palette::Many)),
            (("screen", "", "de_DE.UTF-8@euro", pty), (GlyphTier::Full, Palette::Sixteen)),
            (("xterm-direct", "", "C.UTF-8", pty), (GlyphTier::Full, Palette::True)),
            (("linux", "", "C.UTF-8", "/dev/tty1"), (GlyphTier::Vt, Palette::Sixteen)),
            (("xterm", "", "C.UTF-8", "/dev/tty12"), (GlyphTier::Vt, Palette::Sixteen)),
            (("xterm-256color", "", "C", pty), (GlyphTier::Ascii, Palette::Many)),
            (("xterm-256color", "", "en_US.ISO-8859-1", pty), (GlyphTier::Ascii, Palette::Many)),
            (("xterm-256color", "", "", pty), (GlyphTier::Ascii, Palette::Many)),
            (("vt220", "", "C.UTF-8", "/dev/ttyS0"), (GlyphTier::Ascii, Palette::Mono)),
            (("xterm", "", "C.UTF-8", "/dev/ttyUSB1"), (GlyphTier::Ascii, Palette::Sixteen)),
        ];
        for ((term, colors, locale, device), wanted) in cases {
            assert_eq!(look(term, colors, locale, device), wanted, "{term} {locale} {device}");
        }
    }

    #[test]
    fn chosen_colors_and_glyphs_win() {
        let always = |term: &str| {
            let terminal = TerminalInfo { term: term.to_owned(), ..TerminalInfo::default() };
            terminal.look(ColorChoice::Always, GlyphChoice::Ascii).palette
        };
        assert_eq!(["dumb", "xterm-256color"].map(always), [Palette::Sixteen, Palette::Many]);
        let look = TerminalInfo::default().look(ColorChoice::True, GlyphChoice::Blocks);
        assert_eq!((look.glyphs.tier, look.palette), (GlyphTier::Blocks, Palette::True));
    }
}
